load helper
# Expressions as other languages and tools write them. The hint is a whole line, and the line works.

setup_file()
{
	small_stack
}

# Each line is COMMAND ## HINT.
cures()
{
	local bad=0 line want
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		want=${line##* \#\# }
		tells "${line%% \#\# *}"
		[ "$status" -ne 0 ] && [[ $stderr == *"hint: $want" ]] ||
			{ bad=1; printf '%s\n' "\$ ${line%% \#\# *}" "says: $stderr" "wants: $want"; }
		tells "$want"
		[ "$status" -eq 0 ] || { bad=1; printf '%s\n' "\$ $want" "says: $stderr"; }
	done
	[ "$bad" -eq 0 ]
}

files()
{
	py '
def put(n, names):
    f = h5py.File(n, "w")
    for k, v in (("time", np.arange(12.)), ("lat", np.array([-60., 0, 60])), ("lon", np.arange(4) * 90.)):
        f[k] = v; f[k].make_scale(k)
    f["time"].attrs["units"] = np.bytes_("days since 2001-01-01")
    for t in names:
        f[t] = np.arange(144, dtype="f4").reshape(12, 3, 4)
        f[t].attrs["units"] = np.bytes_("mm" if t == "pr" else "K")
        for i, k in enumerate(("time", "lat", "lon")):
            f[t].dims[i].attach_scale(f[k])
put("one.nc", ["tas"]); put("oneb.nc", ["tas"]); put("two.nc", ["tas", "pr"])
'
}

@test "expressions of other languages: operands" {
	once files
	cures <<-'END'
	axt-calc 'outer(a,b)' a=one.nc b=oneb.nc ## axt-calc 'a*rename(b, time=time2, lat=lat2, lon=lon2)' a=one.nc b=oneb.nc
	axt-calc 'a + b' one.nc:tas oneb.nc:tas ## axt-calc 'a + b' a=one.nc:tas b=oneb.nc:tas
	axt-calc 'a - b' one.nc oneb.nc ## axt-calc 'a - b' a=one.nc b=oneb.nc
	axt-calc 'tas - tas' one.nc oneb.nc ## axt-calc 'a - b' a=one.nc:tas b=oneb.nc:tas
	axt-calc 'one.nc:tas * 2' ## axt-calc 'a * 2' a=one.nc:tas
	axt-calc 'one.nc:tas - oneb.nc:tas' ## axt-calc 'a - b' a=one.nc:tas b=oneb.nc:tas
	axt-calc 'mean one.nc:tas' ## axt-calc 'mean(a)' a=one.nc:tas
	axt-calc 'a @ b' a=one.nc b=oneb.nc ## axt-calc 'dot(a, b)' a=one.nc b=oneb.nc
	axt-calc 'tas; pr' two.nc ## axt-calc 'tas, pr' two.nc
	axt-calc "corr(a,b,time)" a=one.nc b=oneb.nc ## axt-calc 'corr(a,b,over=time)' a=one.nc b=oneb.nc
	axt-calc "cov(a, b, dim='time')" a=one.nc b=oneb.nc ## axt-calc 'cov(a, b, over=time)' a=one.nc b=oneb.nc
	axt-calc "rmse(a, b)" a=one.nc b=oneb.nc ## axt-calc 'sqrt(mean((a - b)^2))' a=one.nc b=oneb.nc
	axt-calc "a minus b" a=one.nc b=oneb.nc ## axt-calc 'a - b' a=one.nc b=oneb.nc
	axt-calc "a x b" a=one.nc b=oneb.nc ## axt-calc 'a * b' a=one.nc b=oneb.nc
	axt-calc "A - B" a=one.nc b=oneb.nc ## axt-calc 'a - b' a=one.nc b=oneb.nc
	END
}

@test "expressions of other languages: operators, numbers, names" {
	once files
	cures <<-'END'
	axt-calc '1 if tas > 0 else 0' one.nc ## axt-calc 'where(tas > 0, 1, 0)' one.nc
	axt-calc 'tas if tas > 0 else 0' one.nc ## axt-calc 'where(tas > 0, tas, 0)' one.nc
	axt-calc tas \* 2 one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc tas - 273.15 one.nc ## axt-calc 'tas - 273.15' one.nc
	axt-calc one.nc 'tas*2' ## axt-calc 'tas*2' one.nc
	axt-calc 'one.nc[tas]' one.nc ## axt-calc 'a' a=one.nc:tas
	axt-calc 'mean tas' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'mean' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'tas > 1 && tas < 3' one.nc ## axt-calc 'tas > 1 and tas < 3' one.nc
	axt-calc 'tas > 1 & tas < 3' one.nc ## axt-calc 'tas > 1 and tas < 3' one.nc
	axt-calc 'tas > 1 AND tas < 3' one.nc ## axt-calc 'tas > 1 and tas < 3' one.nc
	axt-calc 'tas > 1 || tas < 3' one.nc ## axt-calc 'tas > 1 or tas < 3' one.nc
	axt-calc 'tas > 1 | tas < 3' one.nc ## axt-calc 'tas > 1 or tas < 3' one.nc
	axt-calc 'tas <> 3' one.nc ## axt-calc 'tas != 3' one.nc
	axt-calc 'tas =< 3' one.nc ## axt-calc 'tas <= 3' one.nc
	axt-calc 'tas => 3' one.nc ## axt-calc 'tas >= 3' one.nc
	axt-calc 'tas === 3' one.nc ## axt-calc 'tas == 3' one.nc
	axt-calc 'tas !== 3' one.nc ## axt-calc 'tas != 3' one.nc
	axt-calc 'tas .gt. 3' one.nc ## axt-calc 'tas > 3' one.nc
	axt-calc 'tas gt 3' one.nc ## axt-calc 'tas > 3' one.nc
	axt-calc '(tas + 1' one.nc ## axt-calc '(tas + 1)' one.nc
	axt-calc 'tas + 1)' one.nc ## axt-calc 'tas + 1' one.nc
	axt-calc 'x -= 1' x=one.nc ## axt-calc 'x - 1' x=one.nc
	axt-calc 'tas += 1' one.nc ## axt-calc 'tas + 1' one.nc
	axt-calc 'tas++' one.nc ## axt-calc 'tas + 1' one.nc
	axt-calc 'if tas > 0: 1' one.nc ## axt-calc 'where(tas > 0, 1, nan)' one.nc
	axt-calc 'if (tas > 0) 1 else 0' one.nc ## axt-calc 'where(tas > 0, 1, 0)' one.nc
	axt-calc 'return tas' one.nc ## axt-calc 'tas' one.nc
	axt-calc 'tas * e' one.nc ## axt-calc 'tas * exp(1)' one.nc
	axt-calc 'tas * PI' one.nc ## axt-calc 'tas * pi' one.nc
	axt-calc 'tas * NaN' one.nc ## axt-calc 'tas * nan' one.nc
	axt-calc 'tas > True' one.nc ## axt-calc 'tas > 1' one.nc
	axt-calc 'tas * Inf' one.nc ## axt-calc 'tas * inf' one.nc
	axt-calc 'tas * 0,5' one.nc ## axt-calc 'tas * 0.5' one.nc
	axt-calc 'tas + 1,5' one.nc ## axt-calc 'tas + 1.5' one.nc
	axt-calc 'tas + 1_000' one.nc ## axt-calc 'tas + 1000' one.nc
	axt-calc '2tas' one.nc ## axt-calc '2*tas' one.nc
	axt-calc '2 tas' one.nc ## axt-calc '2*tas' one.nc
	axt-calc '(tas)(tas)' one.nc ## axt-calc '(tas)*(tas)' one.nc
	axt-calc 'tas - 273.15 K' one.nc ## axt-calc 'tas - 273.15' one.nc
	axt-calc 'tas - 273.15K' one.nc ## axt-calc 'tas - 273.15' one.nc
	axt-calc 'tas * 10%' one.nc ## axt-calc 'tas * 0.1' one.nc
	axt-calc '|tas|' one.nc ## axt-calc 'absolute(tas)' one.nc
	axt-calc 'abs|tas|' one.nc ## axt-calc 'absolute(tas)' one.nc
	axt-calc 'sqrt tas' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'sqrt' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'tas.*tas' one.nc ## axt-calc 'tas*tas' one.nc
	axt-calc 'tas./2' one.nc ## axt-calc 'tas/2' one.nc
	axt-calc 'tas.^2' one.nc ## axt-calc 'tas^2' one.nc
	axt-calc '(tas>0) ? tas : 0' one.nc ## axt-calc 'where((tas>0), tas, 0)' one.nc
	axt-calc 'tas > 0 ? tas : nan' one.nc ## axt-calc 'where(tas > 0, tas, nan)' one.nc
	axt-calc 'tas /* c */ + 1' one.nc ## axt-calc 'tas  + 1' one.nc
	axt-calc 'x <- tas*2; x' one.nc ## axt-calc 'x = tas*2; x' one.nc
	axt-calc 'x := tas*2; x' one.nc ## axt-calc 'x = tas*2; x' one.nc
	axt-calc 'pr*2' one.nc ## axt-calc 'pr*2' pr=one.nc
	axt-calc 'one*2' one.nc ## axt-calc 'one*2' one=one.nc
	axt-calc 'T*2' one.nc ## axt-calc 'T*2' T=one.nc
	axt-calc "tas > 5 ? 1 : tas < 2 ? 2 : 3" one.nc ## axt-calc 'where(tas > 5, 1, where(tas < 2, 2, 3))' one.nc
	axt-calc "if tas > 5 then 1 else 0" one.nc ## axt-calc 'where(tas > 5, 1, 0)' one.nc
	axt-calc "tas*1d-3" one.nc ## axt-calc 'tas*1e-3' one.nc
	axt-calc "tas*1.0f" one.nc ## axt-calc 'tas*1.0' one.nc
	axt-calc "tas*3L" one.nc ## axt-calc 'tas*3' one.nc
	axt-calc "tas + 5 mm" one.nc ## axt-calc 'tas + 5' one.nc
	axt-calc "tas is nan" one.nc ## axt-calc 'isnan(tas)' one.nc
	axt-calc "tas != NaN" one.nc ## axt-calc 'not isnan(tas)' one.nc
	axt-calc "{tas}" one.nc ## axt-calc 'tas' one.nc
	axt-calc "\${tas} * 2" one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc "@tas * 2" one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc "= tas * 2" one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc "sum[tas]" one.nc ## axt-calc 'sum(tas)' one.nc
	axt-calc "exp tas" one.nc ## axt-calc 'exp(tas)' one.nc
	axt-calc "e^tas" one.nc ## axt-calc 'exp(1)^tas' one.nc
	axt-calc "isnan tas" one.nc ## axt-calc 'isnan(tas)' one.nc
	END
}

@test "expressions of other languages: products of matrices, and .T" {
	axt-make iota dim_0=4,dim_1=5 --name a -o a.nc
	axt-make iota dim_0=5,dim_1=3 --name b -o b.nc
	axt-make iota dim_0=5 --name v -o v.nc
	cures <<-'END'
	axt-calc 'a @ b' a.nc b.nc ## axt-calc 'dot(a, rename(b, dim_0=dim_1, dim_1=k))' a.nc b.nc
	axt-calc 'a.T @ a' a.nc ## axt-calc 'dot(a, rename(a, dim_1=k))' a.nc
	axt-calc 'a @ a.T' a.nc ## axt-calc 'dot(a, rename(a, dim_0=j))' a.nc
	axt-calc 'a @ v' a.nc v.nc ## axt-calc 'dot(a, rename(v, dim_0=dim_1))' a.nc v.nc
	axt-calc 'v @ v' v.nc ## axt-calc 'dot(v, v)' v.nc
	axt-calc 'a.T' a.nc ## axt-calc 'order(a, (dim_1,dim_0))' a.nc
	axt-calc 'v.T' v.nc ## axt-calc 'v' v.nc
	axt-calc 'outer(v, v)' v.nc ## axt-calc 'broadcast(v*rename(v, dim_0=j), (dim_0,j))' v.nc
	END
	prints "$(/usr/bin/python3 -c "
import numpy as np
for r in np.arange(20).reshape(4, 5) @ np.arange(15).reshape(5, 3): print(*r)")" "axt-calc 'dot(a, rename(b, dim_0=dim_1, dim_1=k))' a.nc b.nc -p"
}

@test "expressions of other languages: methods of xarray" {
	once files
	cures <<-'END'
	axt-calc 'tas.sel(lat=0)' one.nc ## axt-calc 'tas[lat@0]' one.nc
	axt-calc 'tas.isel(lat=0)' one.nc ## axt-calc 'tas[lat=0]' one.nc
	axt-calc 'tas.sel(lat=slice(-30,30))' one.nc ## axt-calc 'tas[lat@-30:30]' one.nc
	axt-calc "tas.mean('time')" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "tas.mean(dim='time')" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "tas.mean(axis=0)" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'tas.mean()' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'tas.values' one.nc ## axt-calc 'tas' one.nc
	axt-calc 'tas.groupby("time.month").mean()' one.nc ## axt-calc 'mean(tas, over=time, by=time.month)' one.nc
	axt-calc 'tas.T' one.nc ## axt-calc 'order(tas, (lon,lat,time))' one.nc
	axt-calc 'tas.mean(["time","lat"])' one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "tas.mean(dim=('time','lat'))" one.nc ## axt-calc 'mean(tas, over=(time,"lat"))' one.nc
	axt-calc "tas.std(dim='time', ddof=1)" one.nc ## axt-calc 'std(tas, over=time, ddof=1)' one.nc
	axt-calc "tas.mean(dim='time', skipna=True)" one.nc ## axt-calc 'mean(tas, over=time, skip_nan=true)' one.nc
	axt-calc "(tas - tas.mean('time')) / tas.std('time')" one.nc ## axt-calc '(tas - mean(tas, over=time)) / std(tas, over=time)' one.nc
	axt-calc "tas.sel(time='2001-01-03')" one.nc ## axt-calc 'tas[time@2001-01-03]' one.nc
	axt-calc "tas.sel(time=slice('2001-01-03','2001-01-06')).mean('time')" one.nc ## axt-calc 'mean(tas[time@2001-01-03:2001-01-06], over=time)' one.nc
	axt-calc "tas.sel(lat=31, method='nearest')" one.nc ## axt-calc 'slice(tas, lat@31, nearest=true)' one.nc
	axt-calc "tas.isel(time=slice(0,3))" one.nc ## axt-calc 'tas[time=0:3]' one.nc
	axt-calc "tas.isel(time=slice(None,3))" one.nc ## axt-calc 'tas[time=:3]' one.nc
	axt-calc "tas.isel(time=[0,1])" one.nc ## axt-calc 'tas[time=0,1]' one.nc
	axt-calc "tas.isel(time=-1)" one.nc ## axt-calc 'tas[time=-1]' one.nc
	axt-calc "tas.resample(time='1M').mean()" one.nc ## axt-calc 'mean(tas, every=month)' one.nc
	axt-calc "tas.resample(time='MS').sum()" one.nc ## axt-calc 'sum(tas, every=month)' one.nc
	axt-calc "tas.rolling(time=3).mean()" one.nc ## axt-calc 'mean(window(tas, time=w:3), over=w)' one.nc
	axt-calc "tas.groupby('time.month').mean('time')" one.nc ## axt-calc 'mean(tas, over=time, by=time.month)' one.nc
	axt-calc "tas.where(tas > 5)" one.nc ## axt-calc 'where(tas > 5, tas, nan)' one.nc
	axt-calc "tas.where(tas > 5, 0)" one.nc ## axt-calc 'where(tas > 5, tas, 0)' one.nc
	axt-calc "tas.where((tas > 5) & (tas < 9))" one.nc ## axt-calc 'where((tas > 5) and (tas < 9), tas, nan)' one.nc
	axt-calc "tas.fillna(0)" one.nc ## axt-calc 'fillnan(tas, 0)' one.nc
	axt-calc "tas.isnull().sum()" one.nc ## axt-calc 'sum(isnan(tas))' one.nc
	axt-calc "tas.clip(0, 10)" one.nc ## axt-calc 'clip(tas, 0, 10)' one.nc
	axt-calc "tas.clip(min=0)" one.nc ## axt-calc 'maximum(tas, 0)' one.nc
	axt-calc "tas.clip(max=10)" one.nc ## axt-calc 'minimum(tas, 10)' one.nc
	axt-calc "tas.astype('float64')" one.nc ## axt-calc 'cast(tas, f64)' one.nc
	axt-calc "tas.astype(int)" one.nc ## axt-calc 'cast(tas, i32)' one.nc
	axt-calc "tas.cumsum('time')" one.nc ## axt-calc 'scan(tas, sum, along=time)' one.nc
	axt-calc "tas.diff('time')" one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc "tas.roll(time=1)" one.nc ## axt-calc 'shift(tas, time=1)' one.nc
	axt-calc "tas.quantile(0.9, dim='time')" one.nc ## axt-calc 'quantile(tas, q=0.9, over=time)' one.nc
	axt-calc "tas.quantile(0.9)" one.nc ## axt-calc 'quantile(tas, 0.9)' one.nc
	axt-calc "tas.argmax('time')" one.nc ## axt-calc 'argmax(tas, over=time)' one.nc
	axt-calc "tas.idxmax('time')" one.nc ## axt-calc 'argmax(tas, over=time)' one.nc
	axt-calc "tas.transpose('lat','lon','time')" one.nc ## axt-calc 'order(tas, (lat, lon, time))' one.nc
	axt-calc "tas.interp(lat=30)" one.nc ## axt-calc 'interp(tas, lat=30)' one.nc
	axt-calc "tas.interp(lat=30, method='nearest')" one.nc ## axt-calc 'interp(tas, lat=30, method="nearest")' one.nc
	axt-calc "tas.squeeze()" one.nc ## axt-calc 'squeeze(tas)' one.nc
	axt-calc "tas.dot(tas)" one.nc ## axt-calc 'dot(tas, tas)' one.nc
	axt-calc "tas.max() - tas.min()" one.nc ## axt-calc 'max(tas) - min(tas)' one.nc
	axt-calc "tas.mean().item()" one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc "tas.isna()" one.nc ## axt-calc 'isnan(tas)' one.nc
	axt-calc "a.corr(b)" a=one.nc b=oneb.nc ## axt-calc 'corr(a, b)' a=one.nc b=oneb.nc
	END
}

@test "expressions of other languages: parts" {
	once files
	cures <<-'END'
	axt-calc "tas['time']" one.nc ## axt-calc 'time' one.nc
	axt-calc "tas[0]" one.nc ## axt-calc 'tas[time=0]' one.nc
	axt-calc "tas[:, 0]" one.nc ## axt-calc 'tas[lat=0]' one.nc
	axt-calc "tas[..., 0]" one.nc ## axt-calc 'tas[lon=0]' one.nc
	axt-calc "tas[-1]" one.nc ## axt-calc 'tas[time=-1]' one.nc
	axt-calc "tas[lat=60]" one.nc ## axt-calc 'tas[lat@60]' one.nc
	axt-calc "tas[lat==0]" one.nc ## axt-calc 'tas[lat@0]' one.nc
	axt-calc "tas[tas>280]" one.nc ## axt-calc 'where(tas>280, tas, nan)' one.nc
	axt-calc "tas[lat>0]" one.nc ## axt-calc 'where(lat>0, tas, nan)' one.nc
	axt-calc 'one.nc:tas[0:10]' ## axt-calc 'a[time=0:10]' a=one.nc:tas
	axt-calc 'tas(time=0)' one.nc ## axt-calc 'tas[time=0]' one.nc
	axt-calc "tas[time='2001-01-03']" one.nc ## axt-calc 'tas[time@2001-01-03]' one.nc
	axt-calc "tas[lat@-30..30]" one.nc ## axt-calc 'tas[lat@-30:30]' one.nc
	axt-calc "tas{lat=0}" one.nc ## axt-calc 'tas[lat=0]' one.nc
	axt-calc "tas[0:10:2]" one.nc ## axt-calc 'tas[time=0:10:2]' one.nc
	axt-calc "tas[time=0][lat=0" one.nc ## axt-calc 'tas[time=0][lat=0]' one.nc
	axt-calc "tas[-1,:,:]" one.nc ## axt-calc 'tas[time=-1]' one.nc
	END
}

@test "expressions of other languages: functions" {
	once files
	cures <<-'END'
	axt-calc 'nanmean(tas)' one.nc ## axt-calc 'mean(tas, skip_nan=true)' one.nc
	axt-calc '!isnan(tas)' one.nc ## axt-calc 'not isnan(tas)' one.nc
	axt-calc 'where(tas > 0 1, 0)' one.nc ## axt-calc 'where(tas > 0, 1, 0)' one.nc
	axt-calc 'where(tas > 0, 1, 0' one.nc ## axt-calc 'where(tas > 0, 1, 0)' one.nc
	axt-calc 'sqrt(tas' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'sqrt(tas))' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc "mean(tas, 0)" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'print(tas)' one.nc ## axt-calc 'tas' one.nc
	axt-calc 'where(tas>0, tas, NaN)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'where(tas>0, tas, NA)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'where(tas>0, tas, None)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'where(tas>0, tas, null)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'where(tas>0, tas)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'where(tas>0, True, False)' one.nc ## axt-calc 'where(tas>0, 1, 0)' one.nc
	axt-calc '2(tas)' one.nc ## axt-calc '2*(tas)' one.nc
	axt-calc 'where(tas>0) tas=1;' one.nc ## axt-calc 'where(tas>0, 1, tas);' one.nc
	axt-calc 'ifthen(tas>0, tas)' one.nc ## axt-calc 'where(tas>0, tas, nan)' one.nc
	axt-calc 'ifthenelse(tas>0, tas, 0)' one.nc ## axt-calc 'where(tas>0, tas, 0)' one.nc
	axt-calc 'ifelse(tas>0, tas, 0)' one.nc ## axt-calc 'where(tas>0, tas, 0)' one.nc
	axt-calc 'sqr(tas)' one.nc ## axt-calc 'square(tas)' one.nc
	axt-calc 'avg(tas)' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'sqrt()' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'clip(tas, 0)' one.nc ## axt-calc 'maximum(tas, 0)' one.nc
	axt-calc 'clip(tas, min=0, max=10)' one.nc ## axt-calc 'clip(tas, 0, 10)' one.nc
	axt-calc 'sqtr(tas)' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'Mean(tas)' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'MAX(tas)' one.nc ## axt-calc 'max(tas)' one.nc
	axt-calc "zeros_like(tas)" one.nc ## axt-calc 'broadcast_like(0, tas)' one.nc
	axt-calc "cos(deg2rad(lat))" one.nc ## axt-calc 'cos(radians(lat))' one.nc
	axt-calc "average(tas, weights=cos(lat))" one.nc ## axt-calc 'mean(tas, weights=cos(lat))' one.nc
	axt-calc "avg(tas, time)" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "exp(tas" one.nc ## axt-calc 'exp(tas)' one.nc
	axt-calc "exp((tas)" one.nc ## axt-calc 'exp((tas))' one.nc
	axt-calc "log(tas, base=10)" one.nc ## axt-calc 'log10(tas)' one.nc
	axt-calc "ln(tas+1)" one.nc ## axt-calc 'log(tas+1)' one.nc
	axt-calc "log_10(tas)" one.nc ## axt-calc 'log10(tas)' one.nc
	axt-calc "sind(lat)" one.nc ## axt-calc 'sin(radians(lat))' one.nc
	axt-calc "arcsin(tas/200)" one.nc ## axt-calc 'asin(tas/200)' one.nc
	axt-calc "int(tas)" one.nc ## axt-calc 'cast(tas, i64)' one.nc
	axt-calc "is_nan(tas)" one.nc ## axt-calc 'isnan(tas)' one.nc
	axt-calc "ismissing(tas)" one.nc ## axt-calc 'isnan(tas)' one.nc
	axt-calc "if_else(tas>3, 1, 0)" one.nc ## axt-calc 'where(tas>3, 1, 0)' one.nc
	axt-calc "case_when(tas>3, 1)" one.nc ## axt-calc 'where(tas>3, 1, nan)' one.nc
	axt-calc "iif(tas>3, 1, 0)" one.nc ## axt-calc 'where(tas>3, 1, 0)' one.nc
	axt-calc "cond(tas>3, 1, 0)" one.nc ## axt-calc 'where(tas>3, 1, 0)' one.nc
	END
}

@test "expressions of other languages: modules of Python" {
	once files
	cures <<-'END'
	axt-calc 'np.mean(tas)' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'np.nanmean(tas)' one.nc ## axt-calc 'mean(tas, skip_nan=true)' one.nc
	axt-calc 'xr.where(tas>0,1,0)' one.nc ## axt-calc 'where(tas>0,1,0)' one.nc
	axt-calc 'math.sqrt(tas)' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'numpy.sqrt(tas)' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc 'np.linalg.norm(tas)' one.nc ## axt-calc 'norm2(tas)' one.nc
	axt-calc 'np.pi * tas' one.nc ## axt-calc 'pi * tas' one.nc
	axt-calc "tas.astype(np.float32)" one.nc ## axt-calc 'cast(tas, f32)' one.nc
	axt-calc "np.sqrt(tas.mean())" one.nc ## axt-calc 'sqrt(mean(tas))' one.nc
	axt-calc "np.abs(tas)" one.nc ## axt-calc 'abs(tas)' one.nc
	axt-calc "np.where(tas > 5, tas, np.nan)" one.nc ## axt-calc 'where(tas > 5, tas, nan)' one.nc
	axt-calc "np.where(np.isnan(tas), 0, tas)" one.nc ## axt-calc 'where(isnan(tas), 0, tas)' one.nc
	axt-calc "np.maximum(tas, 0)" one.nc ## axt-calc 'maximum(tas, 0)' one.nc
	axt-calc "np.exp(-tas/10)" one.nc ## axt-calc 'exp(-tas/10)' one.nc
	axt-calc "np.log10(tas + 1)" one.nc ## axt-calc 'log10(tas + 1)' one.nc
	axt-calc "np.mean(tas, axis=(0,1))" one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "np.mean(tas, axis=-1)" one.nc ## axt-calc 'mean(tas, over=lon)' one.nc
	axt-calc "np.mean(tas, axis=None)" one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc "np.cumsum(tas, axis=0)" one.nc ## axt-calc 'scan(tas, sum, along=time)' one.nc
	axt-calc "np.diff(tas, axis=0)" one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc "np.percentile(tas, 90, axis=0)" one.nc ## axt-calc 'quantile(tas, q=0.9, over=time)' one.nc
	axt-calc "np.nanpercentile(tas, 90)" one.nc ## axt-calc 'quantile(tas, q=0.9, skip_nan=true)' one.nc
	axt-calc "np.dot(a, b)" a=one.nc b=oneb.nc ## axt-calc 'dot(a, b)' a=one.nc b=oneb.nc
	axt-calc "np.outer(a, b)" a=one.nc b=oneb.nc ## axt-calc 'a*rename(b, time=time2, lat=lat2, lon=lon2)' a=one.nc b=oneb.nc
	axt-calc "np.power(tas, 2)" one.nc ## axt-calc 'tas^2' one.nc
	axt-calc "np.add(tas, 1)" one.nc ## axt-calc 'add(tas, 1)' one.nc
	axt-calc "np.clip(tas, 0, None)" one.nc ## axt-calc 'maximum(tas, 0)' one.nc
	axt-calc "np.round(tas, 2)" one.nc ## axt-calc 'round((tas)*1e2)/1e2' one.nc
	axt-calc "np.ones_like(tas)" one.nc ## axt-calc 'broadcast_like(1, tas)' one.nc
	axt-calc "np.full_like(tas, 3)" one.nc ## axt-calc 'broadcast_like(3, tas)' one.nc
	axt-calc "np.sum(tas > 5)" one.nc ## axt-calc 'sum(tas > 5)' one.nc
	axt-calc "np.count_nonzero(tas > 5)" one.nc ## axt-calc 'sum((tas > 5) != 0)' one.nc
	axt-calc "np.any(tas > 5, axis=0)" one.nc ## axt-calc 'any(tas > 5, over=time)' one.nc
	axt-calc "np.logical_and(tas > 1, tas < 5)" one.nc ## axt-calc 'logical_and(tas > 1, tas < 5)' one.nc
	axt-calc "np.deg2rad(lat)" one.nc ## axt-calc 'radians(lat)' one.nc
	axt-calc "np.cos(np.radians(lat))" one.nc ## axt-calc 'cos(radians(lat))' one.nc
	axt-calc "tas * np.cos(lat * np.pi/180)" one.nc ## axt-calc 'tas * cos(lat * pi/180)' one.nc
	axt-calc "xr.corr(a, b, dim='time')" a=one.nc b=oneb.nc ## axt-calc 'corr(a, b, over=time)' a=one.nc b=oneb.nc
	END
}

@test "expressions of other languages: arguments" {
	once files
	cures <<-'END'
	axt-calc 'sum(tas, axis=0)' one.nc ## axt-calc 'sum(tas, over=time)' one.nc
	axt-calc "sum(tas, 'time')" one.nc ## axt-calc 'sum(tas, over=time)' one.nc
	axt-calc 'sum(tas, "time", "lat")' one.nc ## axt-calc 'sum(tas, over=(time, lat))' one.nc
	axt-calc "mean(tas, dim='time')" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "mean(tas, dim=['time','lat'])" one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "mean(tas, over=['time','lat'])" one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "mean(tas, over=time,lat)" one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "mean(tas, over=time lat)" one.nc ## axt-calc 'mean(tas, over=(time, lat))' one.nc
	axt-calc "mean(tas, over=0)" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "mean(tas, axis=time)" one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc "mean(tas, weights=cos(radians(lat)), dim=['lat','lon'])" one.nc ## axt-calc 'mean(tas, weights=cos(radians(lat)), over=(lat, lon))' one.nc
	axt-calc "mean(tas, weight=cos(radians(lat)), over=(lat,lon))" one.nc ## axt-calc 'mean(tas, weights=cos(radians(lat)), over=(lat,lon))' one.nc
	axt-calc "mean(tas, w=cos(radians(lat)), over=(lat,lon))" one.nc ## axt-calc 'mean(tas, weights=cos(radians(lat)), over=(lat,lon))' one.nc
	axt-calc "std(tas, ddof=1, axis=0)" one.nc ## axt-calc 'std(tas, ddof=1, over=time)' one.nc
	axt-calc "sum(tas over=lon)" one.nc ## axt-calc 'sum(tas, over=lon)' one.nc
	axt-calc "sum(tas; over=lon)" one.nc ## axt-calc 'sum(tas, over=lon)' one.nc
	axt-calc "sum(tas, over=all)" one.nc ## axt-calc 'sum(tas)' one.nc
	axt-calc "sum(tas, over=*)" one.nc ## axt-calc 'sum(tas)' one.nc
	axt-calc "sum(tas, over=:)" one.nc ## axt-calc 'sum(tas)' one.nc
	END
}

@test "expressions of other languages: signs of documents" {
	once files
	cures <<-'END'
	axt-calc 'tas − 273.15' one.nc ## axt-calc 'tas - 273.15' one.nc
	axt-calc 'tas – 273.15' one.nc ## axt-calc 'tas - 273.15' one.nc
	axt-calc 'tas × 2' one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc 'tas · 2' one.nc ## axt-calc 'tas * 2' one.nc
	axt-calc 'tas ÷ 2' one.nc ## axt-calc 'tas / 2' one.nc
	axt-calc 'tas²' one.nc ## axt-calc 'tas^2' one.nc
	axt-calc 'tas ≥ 2' one.nc ## axt-calc 'tas >= 2' one.nc
	axt-calc '√tas' one.nc ## axt-calc 'sqrt(tas)' one.nc
	axt-calc '“tas” - 1' one.nc ## axt-calc '"tas" - 1' one.nc
	axt-calc '‘tas - 1’' one.nc ## axt-calc 'tas - 1' one.nc
	END
}

@test "a hint for an expression without quotes, and none where nothing can be read" {
	once files
	mkdir d && cp one.nc d
	fails 1 'axt-calc: *' 'cd d && axt-calc tas * 2 one.nc'
	hints "axt-calc 'tas * 2' one.nc"
	fails 2 'axt-calc: *' "axt-calc 'tas + 10 %' one.nc"
	[[ $stderr != *hint:* ]]
	fails 2 'axt-calc: *' "axt-calc 'tas.stack(z=2)' one.nc"
	hints 'a function stands first: mean(a, over=time)'
	fails 2 'axt-calc: *' "axt-calc 'tas(2)' one.nc"
	hints 'tas is a tensor: tas[[]AXIS=i[]] is a part of it, *'
	fails 2 'axt-calc: *' "axt-calc 'tas + 1e' one.nc"
	hints 'an exponent has digits: 1e3'
}

@test "comparing with nan, and assigning to an operand's name without using it, warn" {
	once files
	sh_run "axt-calc 'tas == nan' one.nc -o c.nc"
	[ "$status" -eq 0 ]
	[[ $stderr == *'warning: nothing is equal to nan: isnan(a) is true where a is'* ]]
	sh_run "axt-calc 'tas = 3' one.nc -o d.nc"
	[ "$status" -eq 0 ]
	[[ $stderr == *'warning: the expression does not use tas, and assigns to its name: a == b compares'* ]]
	works "axt-calc 'tas = tas*2; tas + 1' one.nc -o e.nc"
	[[ $stderr != *'does not use'* ]]
}

@test "arguments of methods that a hint would leave out get no such hint" {
	once files
	for e in 'tas.rolling(time=3, center=True).mean()' "tas.groupby('time.month').mean('lat')"; do
		sh_run "axt-calc \"$e\" one.nc"
		[ "$status" -ne 0 ] || return 1
		[[ $stderr != *"window("* && $stderr != *"by="* ]] || return 1
	done
}

@test "expressions of other languages: groups of a file, fields of dates, coordinates of a part" {
	once files
	py 'f = h5py.File("g.h5", "w")
for g in "m1", "m2":
    f[g + "/t"] = np.arange(6.).reshape(2, 3)
f["a/b/u"] = np.arange(3.); f["z"] = np.ones(3); f["air-2m"] = np.ones(3)'
	cures <<-'END'
	axt-calc 'm1/t - m2/t' g.h5 ## axt-calc '/m1/t - /m2/t' g.h5
	axt-calc 'm1.t - m2.t' g.h5 ## axt-calc '/m1/t - /m2/t' g.h5
	axt-calc 'mean(m1/t)' g.h5 ## axt-calc 'mean(/m1/t)' g.h5
	axt-calc 't*2' g.h5 ## axt-calc '/m1/t*2' g.h5
	axt-calc 'b/u + z' g.h5 ## axt-calc '/a/b/u + z' g.h5
	axt-calc '`m1/t`*2' g.h5 ## axt-calc '"m1/t"*2' g.h5
	axt-calc '`air-2m`*2' g.h5 ## axt-calc '"air-2m"*2' g.h5
	axt-calc 'ds["m1/t"]*2' g.h5 ## axt-calc '/m1/t*2' g.h5
	axt-calc 'ds["tas"]*2' one.nc ## axt-calc 'tas*2' one.nc
	axt-calc 'ds.tas*2' one.nc ## axt-calc 'tas*2' one.nc
	axt-calc 'where(time.dt.month == 1, tas, nan)' one.nc ## axt-calc 'where(time.month == 1, tas, nan)' one.nc
	axt-calc 'where(tas.time.dt.month == 1, tas, nan)' one.nc ## axt-calc 'where(tas.time.month == 1, tas, nan)' one.nc
	axt-calc 'where(month(time) == 1, tas, nan)' one.nc ## axt-calc 'where(time.month == 1, tas, nan)' one.nc
	axt-calc 'tas[time.month == 1]' one.nc ## axt-calc 'where(time.month == 1, tas, nan)' one.nc
	axt-calc 'c = mean(tas, over=time, by=time.date); tas.groupby("time.date") - c' one.nc ## axt-calc 'c = mean(tas, over=time, by=time.date); tas - take(c, date@time.date)' one.nc
	axt-calc 'tas[lat@0:60]*cos(lat)' one.nc ## axt-calc 'tas[lat@0:60]*cos(lat[lat@0:60])' one.nc
	axt-calc 'x = tas[lat=1:, lon=0]; mean(x*cos(lat))' one.nc ## axt-calc 'x = tas[lat=1:, lon=0]; mean(x*cos(lat[lat=1:]))' one.nc
	axt-calc 'x = tas[time=0:6]; where(time.month == 1, x, 0)' one.nc ## axt-calc 'x = tas[time=0:6]; where(time.month[time=0:6] == 1, x, 0)' one.nc
	END
}

@test "expressions of other languages: lists, words of R, CDO and NCO, truth of floats" {
	once files
	cures <<-'END'
	axt-calc 'isin(lat, [0, 60])' one.nc ## axt-calc '(lat == 0 or lat == 60)' one.nc
	axt-calc 'np.isin(lat, [0, 60])' one.nc ## axt-calc '(lat == 0 or lat == 60)' one.nc
	axt-calc 'where(lat.isin([0, 60]), tas, nan)' one.nc ## axt-calc 'where((lat == 0 or lat == 60), tas, nan)' one.nc
	axt-calc 'isin(tas + 1, [5])' one.nc ## axt-calc '(tas + 1) == 5' one.nc
	axt-calc 'tas %in% c(1, 2)' one.nc ## axt-calc 'tas == 1 or tas == 2' one.nc
	axt-calc 'digitize(tas, [10, 20])' one.nc ## axt-calc '2 - cast(tas < 10, i64) - cast(tas < 20, i64)' one.nc
	axt-calc 'np.digitize(tas, bins=[10, 20])' one.nc ## axt-calc '2 - cast(tas < 10, i64) - cast(tas < 20, i64)' one.nc
	axt-calc 'tas.weighted(cos(radians(lat))).mean(("lat", "lon"))' one.nc ## axt-calc 'mean(tas, over=(lat, lon), weights=cos(radians(lat)))' one.nc
	axt-calc 'tas.weighted(lat + 90).mean()' one.nc ## axt-calc 'mean(tas, weights=lat + 90)' one.nc
	axt-calc 'mean(tas, where=lat>0)' one.nc ## axt-calc 'mean(where(lat>0, tas, nan), skip_nan=true)' one.nc
	axt-calc 'mean(tas, over=time, where=lat>0)' one.nc ## axt-calc 'mean(where(lat>0, tas, nan), over=time, skip_nan=true)' one.nc
	axt-calc 'mean(tas over time)' one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'mean of tas' one.nc ## axt-calc 'mean(tas)' one.nc
	axt-calc 'sin^2(tas)' one.nc ## axt-calc 'sin(tas)^2' one.nc
	axt-calc 'sin^2(lat) + cos^2(lat)' one.nc ## axt-calc 'sin(lat)^2 + cos(lat)^2' one.nc
	axt-calc 'np.sort(tas)' one.nc ## axt-calc 'sort(tas, along=lon)' one.nc
	axt-calc 'detrend(tas)' one.nc ## axt-calc 'detrend(tas, along=time)' one.nc
	axt-calc 'softmax(lat)' one.nc ## axt-calc 'softmax(lat, along=lat)' one.nc
	axt-calc 'diff(tas)' one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc 'np.roll(tas, 1, axis=0)' one.nc ## axt-calc 'shift(tas, time=1)' one.nc
	axt-calc 'np.flip(tas, axis=1)' one.nc ## axt-calc 'flip(tas, lat)' one.nc
	axt-calc 'np.flip(tas, -1)' one.nc ## axt-calc 'flip(tas, lon)' one.nc
	axt-calc 'tas.reverse($lat)' one.nc ## axt-calc 'flip(tas, lat)' one.nc
	axt-calc 'tas.set_miss(0)' one.nc ## axt-calc 'where(tas == 0, nan, tas)' one.nc
	axt-calc 'tas.sqravg()' one.nc ## axt-calc 'mean(tas)^2' one.nc
	axt-calc 'tas.avgsqr()' one.nc ## axt-calc 'mean(tas^2)' one.nc
	axt-calc 'tas[{"lat": 0}]' one.nc ## axt-calc 'tas[lat=0]' one.nc
	axt-calc 'tas[lat=-60.0]' one.nc ## axt-calc 'tas[lat@-60.0]' one.nc
	axt-calc 'tas["2001-01"]' one.nc ## axt-calc 'tas[time@2001-01]' one.nc
	axt-calc 'tas[lat@7]' one.nc ## axt-calc 'slice(tas, lat@7, nearest=true)' one.nc
	axt-calc 'tas[lat@7, lon@80]*2' one.nc ## axt-calc 'slice(tas, lat@7, lon@80, nearest=true)*2' one.nc
	axt-calc 'tas && pr' two.nc ## axt-calc 'tas and pr' two.nc
	axt-calc 'mean(tas, na.rm=TRUE)' one.nc ## axt-calc 'mean(tas, skip_nan=true)' one.nc
	axt-calc 'is.na(tas)' one.nc ## axt-calc 'isnan(tas)' one.nc
	axt-calc 'sum(is.finite(tas))' one.nc ## axt-calc 'sum(isfinite(tas))' one.nc
	axt-calc 'ifelse(is.na(tas), 0, tas)' one.nc ## axt-calc 'where(isnan(tas), 0, tas)' one.nc
	axt-calc 'which.max(tas)' one.nc ## axt-calc 'argmax(tas)' one.nc
	axt-calc 'tas %*% pr' two.nc ## axt-calc 'dot(tas, pr)' two.nc
	axt-calc 'tas %/% 2' one.nc ## axt-calc 'tas // 2' one.nc
	axt-calc 'sd(tas)' one.nc ## axt-calc 'std(tas, ddof=1)' one.nc
	axt-calc 'cor(tas, pr)' two.nc ## axt-calc 'corr(tas, pr)' two.nc
	axt-calc 'timmean(tas)' one.nc ## axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'tas - timmean(tas)' one.nc ## axt-calc 'tas - mean(tas, over=time)' one.nc
	axt-calc 'timstd(tas)' one.nc ## axt-calc 'std(tas, over=time)' one.nc
	axt-calc 'fldmean(tas)' one.nc ## axt-calc 'mean(tas, over=(lat, lon), weights=area(tas))' one.nc
	axt-calc 'zonmean(tas)' one.nc ## axt-calc 'mean(tas, over=lon)' one.nc
	axt-calc 'ymonmean(tas)' one.nc ## axt-calc 'mean(tas, over=time, by=time.month)' one.nc
	axt-calc 'ymonsub(tas, ymonmean(tas))' one.nc ## axt-calc 'tas - take(mean(tas, over=time, by=time.month), month@time.month)' one.nc
	axt-calc 'climatology(tas)' one.nc ## axt-calc 'mean(tas, over=time, by=time.month)' one.nc
	axt-calc 'monmean(tas)' one.nc ## axt-calc 'mean(tas, every=month)' one.nc
	axt-calc 'yearmean(tas)' one.nc ## axt-calc 'mean(tas, every=year)' one.nc
	axt-calc 'seasmean(tas)' one.nc ## axt-calc 'mean(tas, every=season)' one.nc
	axt-calc 'runmean(tas, 3)' one.nc ## axt-calc 'mean(window(tas, time=w:3), over=w)' one.nc
	END
	fails 2 'axt-calc: an operator is missing before "." at *' 'axt-calc tas.shape one.nc'
	hints 'axt-info FILE tells axes, lengths, dtypes and attributes'
	fails 2 'axt-calc: *' 'axt-calc "1i*tas" one.nc'
	unit='an imaginary number is written 2j, and a + 1j*b is complex; real(z), imag(z), abs(z) and arg(z) are parts of it'
	hints "$unit"
	fails 2 'axt-calc: unknown function "complex" at *' 'axt-calc "complex(tas, tas)" one.nc'
	hints "$unit"
	axt-calc 'tas + 2j*tas' one.nc -o z.nc
	[ "$(axt-calc 'sum(abs(imag(z) - 2*real(z)))' z=z.nc -p)" = 0 ]
	[ "$(axt-calc 'sum(imag(z))' z=z.nc -p)" != 0 ]
	fails 2 'axt-calc: *' 'axt-calc "np.fft.fft(tas)" one.nc'
	hints "axt-calc 'fft(tas, along=time)' one.nc"
	for e in 'tas[time@2050]' 'tas and nothing'; do
		sh_run "axt-calc '$e' one.nc"
		[ "$status" -ne 0 ]
		[[ $stderr != *"hint: axt-calc '"* ]]
	done
	works "axt-calc '2 - cast(tas < 10, i64) - cast(tas < 20, i64)' one.nc -o d.nc"
	py 'assert (h5py.File("d.nc")["tas"][:] == np.digitize(h5py.File("one.nc")["tas"][:], [10, 20])).all()'
}

@test "names of attributes: the hint has their values" {
	py '
h = h5py.File("mca.h5", "w"); h["counts"] = np.arange(5.); a = h["counts"].attrs
a["live_time_s"] = 120.5; a["calibration"] = [1.5, .72]; h.attrs["gain"] = np.array([3], "i4"); h.attrs["who"] = "x"
'
	fails 2 'axt-calc: unknown name "live_time_s" at character 8 of *' "axt-calc 'counts/live_time_s' mca.h5 -p"
	hints 'live_time_s is an attribute of mca.h5:counts; its value can be typed: counts/120.5'
	fails 2 'axt-calc: unknown name "gain" at *' "axt-calc 'gain*c + 1' c=mca.h5:counts -p"
	hints 'gain is an attribute of mca.h5; its value can be typed: 3\*c + 1'
	fails 2 'axt-calc: unknown name "calibration" at *' "axt-calc 'counts*calibration' mca.h5 -p"
	hints 'calibration is an attribute of mca.h5:counts, and not one number: axt-attr calibration mca.h5:counts shows it'
	works 'axt-attr calibration mca.h5:counts'
	fails 2 'axt-calc: unknown name "who" at *' "axt-calc 'counts*who' mca.h5 -p"
	hints 'who is an attribute of mca.h5, and not one number: axt-attr :who mca.h5 shows it'
	works 'axt-attr :who mca.h5'
}

@test "periods: 5d is 5 days; words of others; lines in messages" {
	axt-make iota time=10 --name v | axt-coord set time=0:1 --attr time:units='days since 2000-01-01' -o v.nc
	prints $'10\n35' "axt-calc 'sum(v, over=time, every=5d)' v.nc -p"
	prints $'10\n35' 'axt-reduce sum --every 5d v.nc -p'
	fails 2 'axt-calc: "week" is no period of time *' "axt-calc 'sum(v, over=time, every=week)' v.nc -p"
	hints 'every="7 days"'
	fails 2 'axt-calc: "Monthly" is no period of time *' "axt-calc 'sum(v, over=time, every=Monthly)' v.nc -p"
	hints 'every=month'
	sh_run $'axt-calc \'a = v\nsum(a, over=time, every=x)\' v.nc -p'
	[[ $stderr != *x0a* ]]
}

@test "axes of length 1 with other coordinates: the hint drops them" {
	axt-make iota lat=4 --name v | axt-coord set lat=0:10 -o v.nc
	fails 1 'axt-calc: axis "lat" has other coordinates: *' "axt-calc 'interp(v, lat=5:5:1) - interp(v, lat=25:25:1)' v.nc -p"
	hints 'axt-squeeze --over lat, or squeeze(a, over=lat) in axt-calc, drops an axis of length 1'
	prints '-2' "axt-calc 'squeeze(interp(v, lat=5:5:1), over=lat) - squeeze(interp(v, lat=25:25:1), over=lat)' v.nc -p"
	prints '-2' "axt-calc 'interp(v, lat=5) - interp(v, lat=25)' v.nc -p"
}

@test "expressions of xarray: shifts, differences, blocks, lines, names" {
	once files
	cures <<-'END'
	axt-calc 'tas - tas.shift(time=1)' one.nc ## axt-calc 'tas - where(iota(time=12) < 1, nan, shift(tas, time=1, fixed=true))' one.nc
	axt-calc 'tas.shift(time=-2)' one.nc ## axt-calc 'where(iota(time=12) >= 10, nan, shift(tas, time=-2, fixed=true))' one.nc
	axt-calc 'tas.coarsen(lon=2).mean()' one.nc ## axt-calc 'mean(window(tas, lon=w:2:2), over=w)' one.nc
	axt-calc 'tas.coarsen(lon=2, time=3, boundary="trim").max()' one.nc ## axt-calc 'max(window(tas, lon=w:2:2, time=w2:3:3), over=(w, w2))' one.nc
	axt-calc 'tas.polyfit("time", 1)' one.nc ## axt-calc 'slope(tas, along=time)' one.nc
	axt-calc 'tas.polyfit(dim="time", deg=1)' one.nc ## axt-calc 'slope(tas, along=time)' one.nc
	axt-calc 'tas.dropna("time")' one.nc ## axt-calc 'take(tas, time@all(not isnan(tas), over=(lat, lon)))' one.nc
	axt-calc 'tas.rename("x")' one.nc ## axt-calc 'x = tas' one.nc
	axt-calc 'tas.diff("time", n=2)' one.nc ## axt-calc 'diff(tas, along=time, times=2)' one.nc
	axt-calc 'tas.interp(lat=[10, 20], lon=5)' one.nc ## axt-calc 'interp(tas, lat=(10, 20), lon=5)' one.nc
	axt-calc 'tas.transpose("lon", "lat", "time")' one.nc ## axt-calc 'order(tas, (lon, lat, time))' one.nc
	axt-calc 'tas.groupby("time.month") - tas.groupby("time.month").mean("time")' one.nc ## axt-calc 'tas - take(mean(tas, over=time, by=time.month), month@time.month)' one.nc
	END
}

@test "expressions: neighbours, computed positions, usual names of coordinates, attributes" {
	once files
	axt-rename lat=latitude one.nc:tas -o l.nc
	axt-attr pixel:=0.5 one.nc:tas
	cures <<-'END'
	axt-calc 'shift(tas, lon=-1) - shift(tas, lon=1)' one.nc ## axt-calc 'shift(tas, lon=-1, fixed=true) - shift(tas, lon=1, fixed=true)' one.nc
	axt-calc 'tas[time=1:] - tas[time=:-1]' one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc 'tas[1:]-tas[:-1]' one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc 'pr[time=argmax(tas, over=time)]' two.nc ## axt-calc 'take(pr, time=argmax(tas, over=time))' two.nc
	axt-calc 'take(pr, argmax(tas, over=time))' two.nc ## axt-calc 'take(pr, time=argmax(tas, over=time))' two.nc
	axt-calc 'mean(tas, over=latitude, weights=cos(lat))' l.nc ## axt-calc 'mean(tas, over=latitude, weights=cos(radians(latitude)))' l.nc
	axt-calc 'tas*lat' l.nc ## axt-calc 'tas*latitude' l.nc
	axt-calc 'tas*tas.pixel' one.nc ## axt-calc 'tas*0.5' one.nc
	axt-calc 'tas*tas.attrs["pixel"]' one.nc ## axt-calc 'tas*0.5' one.nc
	END
	fails 1 'axt-calc: axis "lon" has other coordinates*' "axt-calc 'tas[lon=2:] - tas[lon=:-2]' one.nc"
	hints "--join override:lon takes the first operand's coordinates and pairs by position, right or wrong"
	fails 1 'axt-sub: axis "lon" has other coordinates*' 'axt-shift lon=1 one.nc | axt-sub one.nc -'
	hints 'axt-take --like one.nc:tas -:tas pairs them by their coordinates, which undoes a shift; axt-shift --fixed leaves the coordinates where they are'
}

@test "expressions: datasets in quotes that are in groups" {
	py '
f = h5py.File("g.h5", "w")
f["a/kernel:0"] = np.ones((3, 4)); f["b/kernel:0"] = np.ones((3, 4)); f["b/air-2m"] = np.ones(3)
'
	prints $'2\n2\n2' "axt-calc '\"air-2m\"*2' g.h5 -p"
	prints $'2\n2\n2' "axt-calc '\"air-2m\" + \"/b/air-2m\"' g.h5 -p"
	fails 2 'axt-calc: no operand has a dataset "kernel:0"*' "axt-calc 'norm2(\"kernel:0\")' g.h5"
	hints 'several groups have it: "/a/kernel:0", "/b/kernel:0"'
}
