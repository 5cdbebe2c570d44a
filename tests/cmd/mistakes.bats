load helper
# Mistakes beside those of tests/mistakes.py: what is not said, warnings, exact messages, and values that a cure gives.

setup_file()
{
	small_stack
}

files()
{
	py '
def put(n, names, first=0):
    f = h5py.File(n, "w")
    for k, v in (("time", np.arange(12.) + first), ("lat", np.array([-60., 0, 60])), ("lon", np.arange(4) * 90.)):
        f[k] = v; f[k].make_scale(k)
    f["time"].attrs["units"] = np.bytes_("days since 2001-01-01")
    for t in names:
        f[t] = np.arange(144, dtype="f4").reshape(12, 3, 4)
        f[t].attrs["units"] = np.bytes_("mm" if t == "pr" else "K")
        for i, k in enumerate(("time", "lat", "lon")):
            f[t].dims[i].attach_scale(f[k])
put("three.nc", ["tas", "pr"], 12); put("one.nc", ["tas"]); put("oneb.nc", ["tas"]); put("two.nc", ["tas", "pr"])
'
	axt-attr units=degC oneb.nc
	axt-slice time=:6 one.nc -o h1.nc
	axt-slice time=6: one.nc -o h2.nc
	axt-gt one.nc 0 | axt-reduce any --over time --name mask -o mask.nc
	printf 'date,tmax,tmin\n2001-01-01,1,2\n2001-01-02,3,4\n' >s.csv
	axt-to m.safetensors one.nc
}

@test "mistakes: conditions, fields, percentiles, the order of operands" {
	once files
	cp one.nc e.nc
	sh_run 'axt-add e.nc 1 >e.nc'
	[ "$status" -ne 0 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "files with several tensors, names of files in quotes, a dataset to be renamed" {
	for k in 0 1; do
		axt-make iota time=2 --name t -o y$k.nc
		axt-make iota time=2 --name u -o y$k.nc:u
		axt-coord set time=$((2 * k)):1 y$k.nc:t -o y$k.nc:t --force
	done
	fails 1 'axt-concat: y0.nc holds several tensors: *' 'axt-concat time y0.nc y1.nc -o o.nc'
	hints 'axt-concat --each time y0.nc y1.nc -o o.nc'
	works 'axt-concat --each time y0.nc y1.nc -o o.nc'
	fails 1 'axt-add: y0.nc holds several tensors: *' 'axt-add y0.nc 1 -o o.nc'
	hints 'axt-add --each y0.nc 1 -o o.nc'
	works 'axt-add --each y0.nc 1 -o o.nc'
	fails 1 'axt-print: y0.nc holds several tensors: *' 'axt-print y0.nc'
	hints 'axt-print --each y0.nc'
	fails 1 'axt-concat: y*.nc: No such file*' "axt-concat time 'y*.nc:*' -o o.nc"
	hints "axt-concat time 'y0.nc:\*' 'y1.nc:\*' -o o.nc"
	works 'axt-concat time --each y*.nc -o o.nc'
	fails 1 'axt-concat: y*.nc: No such file*' "axt-concat time 'y*.nc:u' -o o.nc"
	hints 'axt-concat time y0.nc:u y1.nc:u -o o.nc'
	works 'axt-concat time -d u y*.nc -o o.nc'
	fails 1 'axt-rename: no axis "u" in *' 'axt-rename u=temp y0.nc:u'
	hints 'axt-move u=temp y0.nc'
	works 'axt-move u=temp y0.nc'
}

@test "mistakes: a dataset that is not there, in a group" {
	axt-make iota x=3 -o n.nc:run/b
	fails 1 'axt-add: n.nc: no dataset "/run/zzz" (there are: *)' 'axt-add n.nc:/run/zzz 1'
	[[ $stderr != *hint* ]]
}

@test "mistakes: a directory's ~ in quotes, and a name like no other" {
	once files
	export HOME=$PWD
	fails 1 'axt-add: ~/one.nc: No such file*' "axt-add '~/one.nc' 1"
	hints "axt-add $HOME/one.nc 1"
	works "axt-add $HOME/one.nc 1"
	fails 1 'axt-add: nothing.nc: No such file*' 'axt-add nothing.nc 1'
	[[ $stderr != *hint* ]]
}

@test "mistakes: calendars, and an axis that is a dataset too" {
	once files
	axt-copy one.nc -o leap.nc
	axt-attr time:calendar=noleap leap.nc
	fails 1 'axt-add: axis "time" has calendar standard in one.nc:tas and noleap in leap.nc:tas' 'axt-add one.nc leap.nc'
	hints 'axt-interp lat,lon=one.nc:tas leap.nc | axt-add one.nc -'
	works 'axt-add one.nc leap.nc --join override:time -o x.nc'
	fails 1 'axt-reduce: lat: No such file*' 'axt-reduce mean --over lat --weights lat one.nc'
	hints 'axt-reduce mean --over lat --weights one.nc:lat one.nc'
	works 'axt-reduce mean one.nc --over lat --weights area -o x.nc'
}

@test "mistakes: an output in a directory that is not there" {
	axt-make iota x=3 -o a.nc
	fails 1 'axt-add: no/where/x.nc: No such file or directory' 'axt-add a.nc 1 -o no/where/x.nc'
	hints 'mkdir -p no/where makes the directory'
	works 'mkdir -p no/where'
	works 'axt-add a.nc 1 -o no/where/x.nc'
}

@test "mistakes: no axis is called -4" {
	once files
	fails 2 'axt-reduce: axis name "-4" *' 'axt-reduce mean --over -4 one.nc'
	[[ $stderr != *hint* ]]
}

@test "mistakes: the last one of all, and windows have the times of their middles" {
	once files
	prints $'132 133 134 135\n136 137 138 139\n140 141 142 143' 'axt-slice time=-1 one.nc -p'
	axt-window time=w:3 one.nc -o w.nc
	prints $'2001-01-02\n2001-01-03' 'axt-slice time=:2 w.nc:time -p'
}

@test "mistakes: axes of other names, and staggered grids" {
	py '
f = h5py.File("st.nc", "w")
for k, n, off in (("lat", 4, 0), ("lon", 36, 5), ("lon_u", 37, 0)):
    f[k] = np.arange(n) * 10. + off; f[k].make_scale(k)
for v, axes in (("t", ("lat", "lon")), ("u", ("lat", "lon_u"))):
    f[v] = np.broadcast_to(f[axes[1]][:], (4, len(f[axes[1]]))).copy()
    for i, k in enumerate(axes): f[v].dims[i].attach_scale(f[k])
'
	prints '0' 'axt-rename lon_u=lon st.nc:u | axt-interp lon=st.nc:t - | axt-sub st.nc:t - | axt-map absolute | axt-reduce max - -p'
	once files
	axt-rename time=TIME,lat=LAT,lon=LON one.nc -o upper.nc
	works 'axt-rename TIME=time,LAT=lat,LON=lon upper.nc:tas | axt-sub one.nc - -o o.nc'
}

@test "mistakes: units of water" {
	once files
	py '
f = h5py.File("grid.nc", "w")
for k, v in (("time", np.arange(12.)), ("lat", np.array([-30., 30])), ("lon", np.arange(5) * 60.)):
    f[k] = v; f[k].make_scale(k)
f["time"].attrs["units"] = np.bytes_("days since 2001-01-01")
for t in "tas", "pr":
    f[t] = np.arange(120, dtype="f4").reshape(12, 2, 5)
    f[t].attrs["units"] = np.bytes_("kg m-2 s-1" if t == "pr" else "K")
    for i, k in enumerate(("time", "lat", "lon")):
        f[t].dims[i].attach_scale(f[k])
'
	sh_run "axt-convert --to mm/day grid.nc:pr -p" >/dev/null
	[[ $stderr == *'of water 1 kg m-2 is 1 mm'* ]]
	prints 86400 "axt-slice time=0 lat=0 lon=1 grid.nc:pr | axt-copy - --attr 'units=mm s-1' | axt-convert - --to mm/day -p"
	warned 'axt-mul: warning: the result still has units "kg m-2 s-1"; axt-convert --to '"'kg m-2 day-1'"' converts values and units, --attr '"'units=kg m-2 day-1'"' sets the units' 'axt-mul grid.nc:pr 86400 -o o.nc'
	works 'axt-mul grid.nc:pr 86400 --attr units=mm/day -o o.nc'
	[ -z "$stderr" ]
}

@test "parts of whole files: a tensor without an axis is cut along those that it has" {
	axt-make iota t=4,y=3 --name a -o f.h5
	axt-make iota y=3 --name b -o f.h5:b
	axt-make iota t=4 --name c -o f.h5:c
	works "axt-slice t=0:2 y=1 'f.h5:*' -o o.h5"
	prints $'1\n4' 'axt-print o.h5:a'
	prints 1 'axt-print o.h5:b'
	prints $'0\n1' 'axt-print o.h5:c'
	fails 1 'axt-slice: no axis "nix" in f.h5:*' "axt-slice y=1 nix=0 'f.h5:*'"
	works "axt-reduce mean --over t 'f.h5:*' -o o.h5"
	[ -z "$stderr" ]
	axt-make iota y=2 --name d -o g.h5
	axt-make iota t=4 --name c -o g.h5:c
	axt-make iota z=4 --name e -o g.h5:e
	sh_run "axt-reduce mean --over t 'g.h5:*' -o o.h5"
	[ "$status" -eq 0 ]
	[[ $stderr == *'note: 2 of the 3 tensors have no axis "t" and are as they were' ]]
	works "axt-reduce mean --over t 'g.h5:*' -q -o o.h5"
	[ -z "$stderr" ]
}

@test "a file that is not there: files of near names that can be meant, and no others" {
	axt-make iota x=3 --name z -o feat.nc
	cp feat.nc t1.nc
	cp feat.nc t2.nc
	for f in fit.nc:r2 fit.nc featt.nc:r2 t4.nc t4.nc:z; do
		fails 1 "axt-print: ${f%%:*}: No such file or directory" "axt-print $f"
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	fails 1 'axt-print: featt.nc: No such file*' 'axt-print featt.nc:z'
	hints 'axt-print feat.nc:z'
	fails 1 'axt-print: t.nc: No such file*' 'axt-print t.nc'
	cp feat.nc run01.nc
	fails 1 'axt-print: run02.nc: No such file*' 'axt-print run02.nc'
	hints 'axt-print run01.nc'
}

@test "mistakes: labels reduce over the other axes, too" {
	once files
	warned 'axt-reduce: warning: --by without --over reduces over lat,lon of one.nc:tas, too: --over time keeps them' \
	    'axt-reduce mean --by time.month one.nc -o out.nc'
	warned 'axt-calc: warning: by without over reduces over lat,lon of one.nc:tas, too: over=time keeps them' \
	    "axt-calc 'mean(tas, by=time.month)' one.nc -o o2.nc"
	works 'axt-equal out.nc o2.nc; axt-reduce mean --by time.month --over time one.nc -o o3.nc'
	works 'axt-reduce mean --by time.month --over time,lat,lon one.nc | axt-equal - out.nc'
	works "axt-calc 'mean(tas, by=time.month, over=time)' one.nc -o o4.nc; axt-reduce mean --every month one.nc -o o5.nc"
}

@test "mistakes: a label that is not there" {
	once files
	fails 1 'axt-reduce: lev: No such file or directory' 'axt-reduce mean --by time.month,lev one.nc:tas -o o.nc'
}

@test "mistakes: a line that only explains" {
	once files
	fails 1 'axt-split: no axis "month" *' "axt-split month one.nc -P 'p{}.nc' --explain"
}

@test "mistakes: outer products of large files whose axes have other names" {
	axt-make ones lat=3000,lon=400 -o big.nc
	axt-make ones latitude=3000,longitude=400 -o big2.nc
	fails 1 'axt-add: this would be an outer product *' 'axt-add big.nc big2.nc -o o.nc'
	hints 'if that is meant: --axes lat,lon,latitude,longitude, or broadcast(..., (lat,lon,latitude,longitude)) around it in axt-calc'
	axt-make ones latitude=30,longitude=40000 -o big2.nc
	fails 1 'axt-add: this would be an outer product *' 'axt-add big.nc big2.nc -o o.nc'
	hints 'if that is meant: --axes lat,lon,latitude,longitude, or broadcast(..., (lat,lon,latitude,longitude)) around it in axt-calc'
}

@test "mistakes: several specs and points of axt-take, latitudes of another name" {
	once files
	py '
f = h5py.File("curved.nc", "w")
for n, u, v in (("nav_lat", "degrees_north", [[0., 1], [10, 11]]), ("nav_lon", "degrees_east", [[0., 10], [1, 11]])):
    f[n] = np.array(v); f[n].attrs["units"] = np.bytes_(u)
f["sst"] = np.array([[1., 2], [3, 4]]); f["sst"].attrs["coordinates"] = np.bytes_("nav_lat nav_lon")
p = h5py.File("points.nc", "w")
for n, u, v in (("lat", "degrees_north", [10., 2]), ("lon", "degrees_east", [12., 8])):
    p[n] = np.array(v); p[n].attrs["units"] = np.bytes_(u)
'
	prints $'4\n2' 'axt-take lat,lon@points.nc --nearest curved.nc:sst -p'
	prints $'4\n2' 'axt-take nav_lat,nav_lon@points.nc --nearest curved.nc:sst -p'
	fails 1 'axt-take: curved.nc:sst has no coordinate "x"' 'axt-take x,lon@points.nc --nearest curved.nc:sst'
	axt-slice --nearest lat@points.nc:lat lon@points.nc:lon one.nc -o n.nc
	axt-take lat,lon@points.nc --nearest one.nc -o m.nc
	works 'axt-equal n.nc m.nc'
}

@test "mistakes: records without their axis, records twice, all axes by a word" {
	once files
	axt-copy --unlimited time one.nc -o run.nc
	axt-slice time=1 three.nc:tas -o day.nc
	works 'axt-expand time day.nc | axt-append run.nc'
	prints '13' 'axt-print run.nc:time --csv | tail -n +2 | grep -c .'
}

@test "mistakes: a new file without a suffix, and a colon" {
	warned 'axt-make: warning: the new file is called "data:x"; data.nc:x is a dataset of a file' 'axt-make iota x=2 -o data:x'
	warned 'axt-calc: warning: the new file is called "more:x"; more.nc:x is a dataset of a file' "axt-calc '\"more\":x = iota(x=2)'"
	works 'axt-make iota x=2 -o run_12:00.nc; axt-make iota x=2 -o data.nc:x'
}

@test "mistakes: labels, weights and the like without names of axes, which are to meet the last ones" {
	axt-make iota dim_0=4,dim_1=5,dim_2=6 --dtype f32 --name frames -o s.h5
	axt-make iota dim_0=5,dim_1=6 --dtype i32 --name mask -o s.h5:mask
	axt-make iota dim_0=4,dim_1=4,dim_2=4 --dtype f32 --name frames -o c.h5
	axt-calc 'mask = iota(dim_0=4, dim_1=4) % 3' -o c.h5:mask
	works 'axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask | axt-reduce mean --over dim_1,dim_2 --weights - s.h5:frames -p'
	warned '*c.h5:mask has dim_0, dim_1*axt-rename dim_0=dim_1,dim_1=dim_2 c.h5:mask does so' 'axt-broadcast --like c.h5:frames c.h5:mask -o z.h5'
	warned '*axt-rename dim_0=dim_1,dim_1=dim_2 c.h5:mask does so' 'axt-scan sum --along dim_0 --by c.h5:mask c.h5:frames -o z.h5'
	warned '*rename(mask, dim_0=dim_1, dim_1=dim_2) does so' "axt-calc 'broadcast_like(mask, frames)' c.h5 -o z.h5"
	works "axt-calc 'broadcast_like(rename(mask, dim_0=dim_1,dim_1=dim_2), frames)' c.h5 -o z.h5"
}

@test "mistakes: shifts of times, and an expression without quotes" {
	once files
	warned 'axt-shift: warning: elements go round in a circle, with their time: *' 'axt-shift time=1 one.nc -o o.nc'
	works 'axt-shift time=1 --fixed one.nc -o o.nc; axt-shift lon=1 one.nc -o o.nc'
	sh_run 'axt-calc tas>5 one.nc' >/dev/null
	[[ $stderr == 'axt-calc: warning: standard output is a file called 5; an expression with > or < stands in quotes' ]]
}

@test "mistakes: outer products in expressions" {
	axt-make ones time=3000,lat=300,lon=40 -o big.nc
	axt-rename time=TIME,lat=latitude,lon=longitude big.nc -o big2.nc
	fails 1 'axt-calc: this would be an outer product *' "axt-calc 'a - b*2' a=big.nc b=big2.nc -o o.nc"
	hints 'if that is meant: --axes time,lat,lon,TIME,latitude,longitude, or broadcast(..., (time,lat,lon,TIME,latitude,longitude)) around it in axt-calc'
}

@test "expressions of other languages: products of matrices, and .T" {
	axt-make iota dim_0=4,dim_1=5 --name a -o a.nc
	axt-make iota dim_0=5,dim_1=3 --name b -o b.nc
	prints "$(/usr/bin/python3 -c "
import numpy as np
for r in np.arange(20).reshape(4, 5) @ np.arange(15).reshape(5, 3): print(*r)")" "axt-calc 'dot(a, rename(b, dim_0=dim_1, dim_1=k))' a.nc b.nc -p"
}

@test "a hint for an expression without quotes, and none where nothing can be read" {
	once files
	mkdir d && cp one.nc d
	fails 1 'axt-calc: *' 'cd d && axt-calc tas * 2 one.nc'
	[ "${#stderr_lines[@]}" -eq 1 ]
	fails 2 'axt-calc: *' "axt-calc 'tas + 10 %' one.nc"
	[[ $stderr != *hint:* ]]
	fails 2 'axt-calc: *' "axt-calc 'tas.stack(z=2)' one.nc"
	hints 'a function stands first: mean(a, over=time)'
	fails 2 'axt-calc: *' "axt-calc 'tas(2)' one.nc"
	hints 'tas is a tensor: tas[[]AXIS=i[]] is a part of it, *'
	fails 2 'axt-calc: *' "axt-calc 'tas + 1e' one.nc"
	hints 'axt-calc '\''tas + 1'\'' one.nc'
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

@test "expressions of other languages: lists, words of R, CDO and NCO, truth of floats" {
	once files
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
	works "axt-calc '1 - cast(tas < 10, i64) + 1 - cast(tas < 20, i64)' one.nc -o d.nc"
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
	hints 'hour, day, month, season, year, or several: "5 days", "10 steps"'
	fails 2 'axt-calc: "Monthly" is no period of time *' "axt-calc 'sum(v, over=time, every=Monthly)' v.nc -p"
	hints 'hour, day, month, season, year, or several: "5 days", "10 steps"'
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

@test "expressions: neighbours, computed positions, usual names of coordinates, attributes" {
	once files
	axt-rename lat=latitude one.nc:tas -o l.nc
	axt-attr pixel:=0.5 one.nc:tas
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
