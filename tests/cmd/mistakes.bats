load helper
# Natural mistakes of people who come from CDO, NCO, xarray and NumPy: what is said names the cure.

setup_file()
{
	small_stack
}

# Each line is COMMAND ## TEXT: the command fails, or warns, and the text stands in what it says.
say()
{
	local bad=0 line
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		tells "${line%% \#\# *}"
		[[ $stderr == *"${line##* \#\# }"* ]] || { bad=1; printf '%s\n' "\$ ${line%% \#\# *}" "says: $stderr" "wants: ${line##* \#\# }"; }
	done
	[ "$bad" -eq 0 ]
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

@test "mistakes: words of other tools" {
	once files
	say <<-'END'
	axt select one.nc ## axt-slice time@2001
	axt diagonal one.nc ## axt-make iota lat=5 --dtype i64 | axt-take lon=- one.nc
	axt rot90 one.nc ## axt-flip lon one.nc | axt-order time,lev,lon,lat -
	axt outer one.nc ## axt-mul one.nc:lat one.nc:lon
	axt kron one.nc ## axt-mul one.nc:lat one.nc:lon | axt-flatten lat,lon -
	axt meshgrid one.nc ## axt-calc 'lat + 0*lon' one.nc
	axt interp1d one.nc ## axt-interp lat=-60:60:20 one.nc
	axt cross one.nc ## a=u.nc:u b=v.nc:v -o c.nc
	axt dropna one.nc ## axt-slice time@<(axt-reduce mean --to time one.nc | axt-gt - 280) one.nc
	axt-rename tas x one.nc ## hint: axt-move tas=x one.nc
	axt-rename lat x one.nc ## hint: axt-rename lat=x one.nc
	axt-slice time,0,10 one.nc ## hint: axt-slice time=0:11 one.nc
	axt-slice lat,-60.,0. one.nc ## hint: axt-slice lat@-60.:0. one.nc
	axt-window 7 one.nc ## hint: axt-window time=w:7 one.nc
	axt-window mean 7 one.nc ## hint: axt-window time=w:7 one.nc | axt-reduce mean --over w
	axt-squeeze time one.nc ## hint: axt-slice time=0 one.nc takes the first; axt-reduce mean --over time one.nc the mean
	axt-make randint:0:10 x=5 ## hint: axt-make random:0:10 x=5 --dtype i32
	axt-make gaussian:1.5 x=5 ## hint: did you mean normal? normally distributed (mean 0, standard deviation 1); normal:LOC:SCALE
	axt-make constant:5 x=5 ## hint: did you mean full? one number everywhere; full:VALUE
	axt-interp --nearest lat=0:10:1 one.nc ## hint: --method nearest
	axt-interp lat=0:10:1,lon=0:10:1 one.nc ## hint: axt-interp lat=0:10:1 lon=0:10:1 one.nc
	axt-window lat=y:3,lon=x:3 one.nc ## hint: axt-window lat=y:3 lon=x:3 one.nc
	axt-reduce mean -over time one.nc ## hint: axt-reduce mean --over time one.nc
	axt-make iota:1 n=3 --dtype i32 | axt-take lat=- one.nc ## hint: positions count from 0; where they count from 1: axt-sub
	axt-sub one.nc - 273.15 ## hint: axt-sub one.nc 273.15
	axt-add one.nc + 2 ## hint: axt-add one.nc 2
	axt-window time:7 one.nc ## hint: axt-window time=w:7 one.nc
	axt-fillnan --value 0 one.nc ## hint: axt-fillnan one.nc 0
	axt-print --json one.nc ## hint: axt-print --csv; axt-info --json tells what is in a file
	axt-eof --neof 3 --over time one.nc ## hint: did you mean --modes?
	axt-slice time@2001-01-01,2001-01-03 one.nc ## warning: time@2001-01-01,2001-01-03 takes these two dates; time@2001-01-01:2001-01-03 takes all between them, too
	axt-diff -n 2 --along time one.nc ## hint: --order 2 takes differences of differences
	axt-window --size 3 one.nc ## hint: axt-window time=w:3 a.nc:tas | axt-reduce mean --over w
	axt-interp --grid r180x90 one.nc ## hint: axt-interp lat,lon=b.nc:tas a.nc:tas, or lat=-90:90:2 lon=0:358:2
	axt-corr --by time.month --over time one.nc one.nc ## hint: axt-split time.month --each a.nc, and axt-corr of each part
	axt-attr set units=K one.nc ## hint: axt-attr units=K one.nc
	axt-attr get one.nc:tas units ## hint: axt-attr units one.nc:tas
	axt-attr set one.nc:tas units=K ## hint: axt-attr units=K one.nc:tas
	axt-stack member=r1,r2 one.nc one.nc ## hint: axt-stack member one.nc one.nc
	axt-add one.nc </dev/null ## hint: axt-add A B ...; axt-add -h tells how
	axt gradient one.nc ## axt-gradient --along time one.nc
	axt differentiate one.nc ## axt-gradient --along time one.nc
	axt-calc 'differentiate(tas, along=time)' one.nc ## hint: axt-calc 'gradient(tas, along=time)' one.nc
	axt-copy one.nc -o b.txt ## b.txt is written as HDF5: axt-print writes .txt
	axt-copy one.nc -o b.png ## b.png is written as HDF5: axt-plot writes .png
	axt-copy one.nc -o b.zip ## b.zip is written as HDF5: no command of axt writes .zip
	axt regrid one.nc ## axt-interp lat,lon=b.nc:tas a.nc:tas -o c.nc
	axt regrid one.nc b.nc ## axt-interp lat,lon=b.nc:tas a.nc:tas -o c.nc
	axt detrend one.nc ## axt-trend --detrend --along time
	axt ncra one.nc out.nc ## axt-reduce mean --over time
	axt ncrcat a.nc b.nc ## axt-concat time
	axt ncrcat --rec_apn h2.nc two.nc ## axt-append two.nc h2.nc
	axt ncks -A mask.nc two.nc ## axt-append two.nc mask.nc
	axt ncks -v tas one.nc ## axt-copy one.nc:tas
	axt ncatted one.nc ## axt-attr units=K
	axt cdo monmean one.nc ## hint: axt-reduce mean --every month one.nc
	axt monmean one.nc ## axt-reduce mean --every month
	axt-reduce timmean one.nc ## axt-reduce mean --over time
	axt-reduce average one.nc ## did you mean mean?
	axt-map rint one.nc ## did you mean round?
	axt-map ln one.nc ## did you mean log?
	axt-diff one.nc oneb.nc ## axt-equal compares files
	axt-scan cumsum one.nc ## axt-scan sum --along time
	axt-make arange x=3 ## did you mean iota?
	END
}

@test "mistakes: the order and the number of operands" {
	once files
	say <<-'END'
	axt-concat one.nc oneb.nc ## axt-stack member one.nc oneb.nc
	axt-stack one.nc oneb.nc ## the new axis is called "one.nc", as a file is
	axt-reduce --over time one.nc:tas ## axt-reduce sum one.nc:tas --over time
	axt-map one.nc ## axt-map negative one.nc
	axt-reduce mean ## operand A is missing, and standard input is neither a file nor a pipe
	axt-equal one.nc ## operand B is missing
	axt-cast f64 one.nc ## axt-cast --dtype f64 one.nc
	axt-cast one.nc --dtype ## f16 bf16 f32 f64
	axt-sort time one.nc ## axt-sort --along time one.nc
	axt-sort one.nc ## axt-sort --along time one.nc
	axt-scan sum time one.nc ## axt-scan sum --along time one.nc
	axt-scan sum one.nc ## axt-scan sum --along time one.nc
	axt-reduce mean time one.nc ## axt-reduce mean --over time one.nc
	axt-softmax lat one.nc ## axt-softmax --along lat one.nc
	axt-slice lat=:1 one.nc -o lat1.nc; axt-squeeze lat lat1.nc ## axt-squeeze --over lat lat1.nc
	axt-squeeze lat one.nc ## axt-slice lat=0 one.nc takes the first; axt-reduce mean --over lat one.nc the mean
	axt-print one.nc tas ## axt-print one.nc:tas
	axt-print tas one.nc ## axt-print one.nc:tas
	axt-slice time 0:10 one.nc ## axt-slice time=0:10 one.nc
	axt-slice tas time=0 one.nc ## axt-slice time=0 one.nc:tas
	axt-slice 0:10 one.nc ## time=0:10
	axt-slice --lat -30:30 one.nc ## hint: axt-slice lat@-30:30 one.nc
	axt-rename time t one.nc ## axt-rename time=t one.nc
	axt-rename tas=t one.nc ## axt-move tas=t one.nc
	axt-rename tas=t one.nc -o x.nc ## axt-copy one.nc:tas --name t -o x.nc
	axt-order lon lat time one.nc ## axt-order lon,lat,time one.nc
	axt-order one.nc ## axt-order time one.nc
	axt-flip one.nc ## axt-flip time one.nc
	axt-coord time=0:1 one.nc ## axt-coord set time=0:1 one.nc
	axt-make lat=3,lon=4 ## axt-make zeros lat=3,lon=4
	axt-make zeros lat=3 lon=4 ## axt-make zeros lat=3,lon=4
	axt-attr one.nc units=K ## axt-attr units=K one.nc
	axt-attr units K one.nc ## units=K sets it
	axt-to one.nc out.csv ## axt-to out.csv one.nc
	axt-sub one.nc oneb.nc out.nc ## axt-sub one.nc oneb.nc -o out.nc
	axt-reduce mean --over time one.nc out.nc ## axt-reduce mean one.nc -o out.nc --over time
	axt-concat time one.nc oneb.nc out.nc ## -o out.nc
	axt-split time one.nc ## axt-split time -P
	END
}

@test "mistakes: expressions" {
	once files
	say <<-'END'
	axt-calc 'mean(tas, time)' one.nc ## hint: axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'sort(tas, time)' one.nc ## sort
	axt-calc 'mean(tas, axis=0)' one.nc ## hint: axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'tas.mean()' one.nc ## hint: axt-calc 'mean(tas)' one.nc
	axt-calc 'np.sqrt(tas)' one.nc ## hint: axt-calc 'sqrt(tas)' one.nc
	axt-calc 'tas[0]' one.nc ## time=0
	axt-calc 'tas > 1 && tas < 3' one.nc ## hint: axt-calc 'tas > 1 and tas < 3' one.nc
	axt-calc 'tas > 0 ? tas : 0' one.nc ## hint: axt-calc 'where(tas > 0, tas, 0)' one.nc
	axt-calc 'if(tas > 0, tas, 0)' one.nc ## hint: axt-calc 'where(tas > 0, tas, 0)' one.nc
	axt-calc 'cumsum(tas)' one.nc ## did you mean scan?
	axt-calc 'rolling(tas, 3)' one.nc ## did you mean window?
	axt-calc 'quantile(tas, 90)' one.nc ## hint: axt-calc 'quantile(tas, q=0.9)' one.nc
	axt-calc 'log(tas, 10)' one.nc ## hint: axt-calc 'log10(tas)' one.nc
	axt-calc 'max(tas, 0)' one.nc ## hint: axt-calc 'maximum(tas, 0)' one.nc
	axt-calc 'resample(tas)' one.nc ## axt-reduce mean --every month
	axt-calc 'temp*2' one.nc ## tas
	axt-calc one.nc 'tas*2' ## axt-calc 'tas*2' one.nc
	axt-calc 'tas*2' one.nc out.nc ## -o out.nc
	axt-where 'tas>280' one.nc nan ## axt-calc 'where(tas>280, tas, nan)' one.nc
	axt-gt one.nc '>280' ## axt-gt one.nc 280
	END
}

@test "mistakes: selections, options, files" {
	once files
	say <<-'END'
	axt-slice time=2001 one.nc ## time@2001 selects by coordinate
	axt-slice lat=-30:2 one.nc ## lat@-30:2
	axt-slice time=2001-01-01 one.nc ## selects by coordinate
	axt-slice lat@31 one.nc ## --nearest
	axt-slice lat@-30..30 one.nc ## v:w
	axt-reduce mean --over t one.nc ## time, lat, lon
	axt-reduce mean two.nc ## two.nc:pr
	axt-reduce quantile:90 one.nc ## quantile:0.9
	axt-reduce mean --over time,lat --by mask.nc:mask one.nc ## has to be reduced
	axt-map + 5 one.nc ## axt-add one.nc 5
	axt-diff one.nc oneb.nc ## axt-sub A B subtracts; axt-equal compares files
	axt-where 'tas>300' one.nc 0 ## axt-calc 'where(tas>300, tas, 0)' one.nc
	axt-shift lon@180 one.nc ## axt-slice lon@-180:180 one.nc
	axt-attr one.nc units K ## axt-attr units=K one.nc
	axt-reduce mean --by time.decade one.nc ## --every "10 years"
	axt-slice 'time@"2001-01-01 to 2001-01-04"' one.nc ## time@2001-01-01:2001-01-04
	axt-concat member one.nc oneb.nc -o m.nc ## axt-stack member one.nc oneb.nc -o m.nc
	axt-reduce mean --over lat,lon --every month one.nc ## --over time,lat,lon --every month
	axt-reduce mean --axis time one.nc ## did you mean --over?
	axt-reduce mean --skipna one.nc ## did you mean --skip-nan?
	axt-sort --axis time one.nc ## did you mean --along?
	axt-reduce mean -O one.nc ## did you mean --force?
	axt-add one.nc 1 --chunks time=10 -o x.nc ## did you mean --chunk?
	axt-add one.nc 1 --deflate 4 ## -o FILE
	axt-add one.nc 1 --compression 4 -o x.nc ## did you mean --deflate?
	axt-add one.nc 1 --compression gzip -o x.nc ## did you mean --compress?
	axt-add one.nc 1 --compress gzip -o x.nc ## --compress deflate
	axt-add one.nc 1 --compress gzip:5 -o x.nc ## --compress deflate:5
	axt-add one.nc 1 --compress 6 -o x.nc ## --compress deflate:6
	axt-add one.nc 1 --compress bitshuffle -o x.nc ## --compress lz4 --shuffle bit
	axt-add one.nc 1 --shuffle bit -o x.nc ## --compress deflate --shuffle bit
	axt-add one.nc 1 --qnt 3 -o x.nc ## did you mean --quantize?
	axt-add one.nc 1 --ppc t=3 -o x.nc ## did you mean --quantize?
	axt-add one.nc 1 --quantize default=3 -o x.nc ## --quantize 3
	axt-add one.nc 1 --quantize bits=9 -o x.nc ## --quantize bits:9
	axt-cast one.nc --dtype i32 --quantize 3 -o x.nc ## --dtype f32 --quantize 3
	axt-add one.nc 1 --quantize 3 -p ## -o FILE
	axt-add one.nc 1 --zstd 3 -o x.nc ## did you mean --compress?
	axt-add one.nc 1 -z zip_6 -o x.nc ## did you mean --deflate 6?
	axt-add one.nc 1 -L 5 -o x.nc ## did you mean --deflate?
	axt-add one.nc 1 --nthreads 2 ## did you mean --threads?
	axt-equal one.nc oneb.nc --tolerance 1e-3 ## did you mean --atol?
	axt-attr x=y m.safetensors ## axt-from m.safetensors -o
	axt-print m.safetensors:nix ## there are: tas
	axt-from --matrix s.csv -o c.nc ## without --matrix, columns of text go along
	axt-to topo.png one.nc ## pictures of that kind are not written, those of .pgm and .ppm are
	axt-to topo.png one.nc ## axt-plot one.nc -o topo.png
	axt-print one.nc:temp ## there are: lat, lon, tas, time
	axt-cast --dtype f31 one.nc ## did you mean f32?
	END
}

@test "mistakes: units, attributes, parts of operands" {
	once files
	axt-convert --to degC one.nc -o c.nc
	axt-copy c.nc --attr 'units=Deg C' -o c2.nc
	axt-equal c.nc <(axt-convert --to 'deg C' one.nc --attr units=degC)
	axt-equal --atol 1e-4 one.nc:tas <(axt-convert --to K c2.nc)
	say <<-'END'
	axt-calc 'a + (b*2)' a=one.nc b=oneb.nc -p ## units differ: "K" in one.nc:tas, "degC" in b*2,
	axt-calc '(tas*1 + tas)+mean( pr )' two.nc -p ## "K" in tas*1 + tas, "mm" in two.nc:pr
	axt-add one.nc one.nc:tas[lat=0] -p ## axt-slice lat=0 one.nc:tas | axt-add one.nc - -p
	axt-reduce mean 'one.nc:tas[lat=0,lon=1]' --over time ## axt-slice lat=0 lon=1 one.nc:tas | axt-reduce mean - --over time
	axt-attr tas@units=K one.nc ## axt-attr units=K one.nc:tas
	axt-attr tas:units=K one.nc ## axt-attr units=K one.nc:tas
	axt-attr time@units=days one.nc ## axt-attr time:units=days one.nc
	axt-attr tim:units=days one.nc ## did you mean "time"?
	axt-convert --to C one.nc -p ## degrees Celsius are "degC"
	axt-make zeros 3,4 ## hint: axt-make zeros y=3,x=4
	axt-det --row lat --col lo one.nc ## did you mean "lon"?
	axt-add one.nc 1 -o x.nc --chunk la=2 ## did you mean "lat"?
	axt-concat time h2.nc h1.nc ## is not increasing: 2001-01-12 (h2.nc:tas) is followed by 2001-01-01 (h1.nc:tas)
	axt-concat time h2.nc h1.nc ## put h1.nc:tas before h2.nc:tas
	axt-concat time h1.nc one.nc ## is not increasing: 2001-01-06 (h1.nc:tas) is followed by 2001-01-01 (one.nc:tas)
	END
}

@test "mistakes: conditions, fields, percentiles, the order of operands" {
	once files
	cp one.nc e.nc
	say <<-'END'
	axt-slice 'time>2001-01-05' one.nc ## time@2001-01-05:
	axt-slice 'lat<=0' one.nc ## lat@:0
	axt-slice time[0:10] one.nc ## axt-slice time=0:10 one.nc
	axt-slice lat[0:2] one.nc ## axt-slice lat=0:2 one.nc
	axt-slice -d lat,-30,30 one.nc ## axt-slice lat@-30:30 one.nc
	axt-reduce percentile:0.9 one.nc --over time ## axt-reduce quantile:0.9 one.nc --over time
	axt-mul one.nc ## operand B is missing
	axt-reduce mean -d time one.nc:tas ## -d time is for operands that are FILE alone
	axt-slice time==3 one.nc ## hint: time=3
	axt-slice time=last one.nc ## time=-1 is the last one
	axt-slice time=first one.nc ## time=0 is the first one
	axt-slice time one.nc ## time=1 is one
	axt-slice month@6 one.nc ## did you mean "time.month"?
	axt-slice season@DJF one.nc ## did you mean "time.season"?
	axt-slice latitude@0 one.nc ## hint: axt-slice lat@0 one.nc
	axt-slice time@20010105 one.nc ## hint: time@2001-01-05
	axt-reduce mean --over 0 one.nc ## hint: axt-reduce mean one.nc --over time
	axt-reduce mean --over t one.nc ## hint: axt-reduce mean one.nc --over time
	axt-reduce mean --by month one.nc ## --by time.month
	axt-reduce mean --weights lat one.nc ## hint: axt-reduce mean one.nc --weights area
	axt-reduce percentile:90 one.nc ## axt-reduce quantile:0.9
	axt-reduce p90 one.nc ## axt-reduce quantile:0.9
	axt-reduce --mean one.nc ## axt-reduce mean has no dashes
	axt-reduce mean h1.nc h2.nc --over time ## axt-concat time h1.nc h2.nc | axt-reduce mean - --over time
	axt-flip --over lat one.nc ## hint: axt-flip lat one.nc
	axt-clip one.nc 0 10 ## axt-clip 0 10 one.nc
	axt-fillnan 0 one.nc ## axt-fillnan one.nc 0
	axt-rename one.nc lat=latitude ## axt-rename lat=latitude one.nc
	axt-split one.nc ## axt-split time -P 'part_{}.nc' one.nc
	axt-split time.year one.nc ## axt-split time.year -P 'part_{}.nc' one.nc
	axt-convert one.nc ## axt-convert --to degC one.nc
	axt-convert degC one.nc ## axt-convert --to degC one.nc
	axt-map 'x*2' one.nc ## hint: axt-calc 'tas*2' one.nc
	axt-sort -r --along time one.nc ## did you mean --descending?
	axt-print -n 5 one.nc ## did you mean --head?
	axt-info -r one.nc ## axt-info -h lists the options
	axt one.nc ## axt info one.nc
	axt-calc 'one.nc*2' ## hint: axt-calc 'a*2' a=one.nc
	axt-calc 'mean(tas, by=month)' one.nc ## time.month
	axt-calc 'mean(tas, "time")' one.nc ## hint: axt-calc 'mean(tas, over=time)' one.nc
	axt-calc 'where(tas>5)' one.nc ## hint: axt-calc 'where(tas>5, tas, nan)' one.nc
	axt-calc 'diff(tas)' one.nc ## axt-calc 'diff(tas, along=time)' one.nc
	axt-calc 'concat(tas,tas)' one.nc ## concat(a, b, along=time)
	axt-window time:3 one.nc ## hint: axt-window time=w:3 one.nc
	axt-window time=3 one.nc ## time=w:3
	axt-copy one.nc new.nc ## axt-copy one.nc -o new.nc
	END
	sh_run 'axt-add e.nc 1 >e.nc'
	[ "$status" -ne 0 ]
	hints 'axt-add e.nc 1 -o e.nc replaces it; ">" empties it first'
}

@test "files with several tensors, names of files in quotes, a dataset to be renamed" {
	for k in 0 1; do
		axt-make iota time=2 --name t -o y$k.nc
		axt-make iota time=2 --name u -o y$k.nc:u
		axt-coord set time=$((2 * k)):1 y$k.nc:t -o y$k.nc:t --force
	done
	fails 1 'axt-concat: y0.nc holds several tensors: *' 'axt-concat time y0.nc y1.nc -o o.nc'
	hints "axt-concat --each time y0.nc y1.nc -o o.nc does it with each of them; one is y0.nc:u, all are 'y0.nc:\*'"
	works 'axt-concat --each time y0.nc y1.nc -o o.nc'
	fails 1 'axt-add: y0.nc holds several tensors: *' 'axt-add y0.nc 1 -o o.nc'
	hints 'axt-add --each y0.nc 1 -o o.nc does it*'
	works 'axt-add --each y0.nc 1 -o o.nc'
	fails 1 'axt-print: y0.nc holds several tensors: *' 'axt-print y0.nc'
	hints "axt-print 'y0.nc:\\*' takes all of them; one is y0.nc:?"
	fails 1 'axt-concat: y*.nc: No such file*' "axt-concat time 'y*.nc:*' -o o.nc"
	hints 'axt-concat time --each y*.nc -o o.nc'
	works 'axt-concat time --each y*.nc -o o.nc'
	fails 1 'axt-concat: y*.nc: No such file*' "axt-concat time 'y*.nc:u' -o o.nc"
	hints 'axt-concat time -d u y*.nc -o o.nc'
	works 'axt-concat time -d u y*.nc -o o.nc'
	fails 1 'axt-rename: no axis "u" in *' 'axt-rename u=temp y0.nc:u'
	hints 'axt-move u=temp y0.nc'
	works 'axt-move u=temp y0.nc'
}

@test "mistakes: empty parts, dictionaries, edges of bins, hyperslabs of NCO" {
	once files
	axt-make normal r=4,c=3 -o m.nc
	say <<-'END'
	axt-slice time=5:2 one.nc ## time=5:2 takes nothing: a range ends before its second number; time=2:6 takes 2 to 5
	axt-slice time=3:3 one.nc ## time=3:4 takes 3 to 3
	axt-slice time=20:30 one.nc ## takes nothing of one.nc:tas, whose positions are 0 to 11
	axt-calc 'tas[0,0,0]' one.nc ## hint: axt-calc 'tas[time=0, lat=0, lon=0]' one.nc
	axt-calc 'tas[:,0:2]' one.nc ## hint: axt-calc 'tas[lat=0:2]' one.nc
	axt-calc '(tas*2)[0]' one.nc ## hint: [time=0]
	axt-calc '2tas' one.nc ## hint: axt-calc '2*tas' one.nc
	axt-calc 'tas + 2tas' one.nc ## hint: axt-calc 'tas + 2*tas' one.nc
	axt-calc '$tas*2' one.nc ## hint: axt-calc 'tas*2' one.nc
	axt-calc 'sqrt(tas, 2)' one.nc ## sqrt takes one argument at character 11
	axt-calc 'atan2(tas, 2, 3)' one.nc ## atan2 takes 2 arguments at
	axt-rename lat:latitude one.nc ## hint: axt-rename lat=latitude one.nc
	axt-rename lat,latitude one.nc -o x.nc ## hint: axt-rename lat=latitude one.nc -o x.nc
	axt-rename 'lat->latitude' one.nc ## hint: axt-rename lat=latitude one.nc
	axt-transpose lat,lon,time one.nc ## hint: axt-order lat,lon,time one.nc
	axt-transpose lat lon time one.nc ## hint: axt-order lat,lon,time one.nc
	axt-cast --to f64 one.nc ## hint: axt-cast one.nc --dtype f64
	axt-cast one.nc --to=f64 -o x.nc ## hint: axt-cast one.nc --dtype=f64 -o x.nc
	axt-to csv one.nc:tas ## hint: axt-to one.csv one.nc:tas
	axt-to x.nc one.nc ## hint: axt-copy one.nc -o x.nc
	axt-hist --bins 0,10,20 one.nc ## hint: --bins 2 --range 0,20
	axt-hist --bins 0,10,50 one.nc ## hint: all bins have one width: --bins 2 --range 0,50
	axt-slice -d time,0,5 -d lat,-30.,30. one.nc ## hint: axt-slice time=0:6 lat@-30.:30. one.nc
	axt-reduce mean -d time,0,5 one.nc --over time ## hint: axt-slice time=0:6 one.nc | axt-reduce mean - --over time
	axt-assign one.nc tas=0 ## hint: axt-assign one.nc:tas = 0
	axt-assign tas=0 one.nc ## hint: axt-assign one.nc:tas = 0
	axt-assign one.nc:tas+=1 ## hint: axt-assign one.nc:tas += 1
	axt-print two.nc:tas,nix ## no tensor has a name like "nix"
	END
	works 'axt-rename r=r_axis m.nc | axt-qr - --row r_axis --col c -o q.nc'
	works 'axt-slice time=0:0 one.nc -o z.nc'
}

@test "mistakes: slices of Python, options of other tools, fields, parts behind files" {
	once files
	say <<-'END'
	axt-slice 'time=slice(0,5)' one.nc ## hint: axt-slice time=0:5 one.nc
	axt-slice 'time=[0,1,2]' one.nc -o x.nc ## hint: axt-slice time=0,1,2 one.nc -o x.nc
	axt-slice lat=0,lon=0 one.nc ## hint: axt-slice lat=0 lon=0 one.nc
	axt-interp lat=30,lon=45 one.nc ## hint: axt-interp lat=30 lon=45 one.nc
	axt-slice lon,0,90 lat,-30,30 one.nc ## hint: axt-slice [AXIS=SPEC|AXIS@SPEC ...] [A]; axt-slice -h tells how
	axt-reduce mean dim=time one.nc ## hint: axt-reduce mean --over time one.nc
	axt-reduce mean -a time one.nc ## did you mean --over?
	axt-reduce mean --by time.mon one.nc ## did you mean "time.month"?
	axt-reduce mean --by time.xyz one.nc ## fields of time are year, season, month, day, hour, dayofyear, daysinmonth, date
	axt-reduce mean --freq month one.nc ## did you mean --every?
	axt-reduce quantile 0.9 one.nc --over time ## hint: axt-reduce quantile:0.9 one.nc --over time
	axt-calc 'a@b' a=one.nc b=one.nc ## hint: axt-calc 'dot(a, b)' a=one.nc b=one.nc
	axt-sort --by lat one.nc ## did you mean --along?
	axt-slice time=0 one.nc -z 4 -o x.nc ## did you mean --deflate?
	axt-reshape 12,12 one.nc ## hint: axt-reshape y=12,x=12 one.nc
	axt-print one.nc time=0 ## hint: axt-slice time=0 one.nc | axt-print -
	axt-reduce mean time=0 one.nc ## hint: axt-slice time=0 one.nc | axt-reduce mean -
	axt-map sqrt lat@0 one.nc -p ## hint: axt-slice lat@0 one.nc | axt-map sqrt - -p
	axt-attr 'units = K' one.nc ## hint: units=K
	axt-coord set lat=1,2 one.nc ## axis "lat" has length 3 in one.nc:tas, and "1,2" has 2 values
	axt-move two.nc:tas two.nc:t2 ## hint: axt-move tas=t2 two.nc
	END
}

# Each line is COMMAND ## HINT: the command fails, its whole hint is this line, and the line works.
say_and_run()
{
	local bad=0 line hint
	mkdir -p first && cp *.* first
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		rm -rf out*; cp first/* .
		tells "${line%% \#\# *}"
		hint=${stderr##*hint: }
		[ "$hint" = "${line##* \#\# }" ] || { bad=1; printf '%s\n' "\$ ${line%% \#\# *}" "says: $stderr" "wants: ${line##* \#\# }"; }
		rm -rf out*; cp first/* .
		bash -c "set -o pipefail; $hint" >/dev/null 2>said || { bad=1; printf '%s\n' "\$ $hint" "fails: $(cat said)"; }
	done
	[ "$bad" -eq 0 ]
}

@test "mistakes: whole command lines of CDO and Python" {
	once files
	say_and_run <<-'END'
	axt cdo -O -s monmean two.nc out.nc ## axt-reduce mean --every month 'two.nc:*' -o out.nc
	axt remapbil,r4x3 two.nc out.nc ## axt-interp lat=-60:60:60 lon=0:270:90 'two.nc:*' -o out.nc
	axt remapbil,oneb.nc one.nc out.nc ## axt-interp lat,lon=oneb.nc one.nc -o out.nc
	axt sellonlatbox,0,90,-60,0 two.nc out.nc ## axt-slice lat@-60:0 lon@0:90 'two.nc:*' -o out.nc
	axt selvar,tas two.nc out.nc ## axt-copy two.nc:tas -o out.nc
	axt selname,tas,pr two.nc out.nc ## axt-copy two.nc:tas,pr -o out.nc
	axt addc,5 one.nc ## axt-add one.nc 5
	axt seltimestep,1/10 one.nc out.nc ## axt-slice time=0:10 one.nc -o out.nc
	axt -timmean -selvar,tas two.nc out.nc ## axt-reduce mean --over time two.nc:tas -o out.nc
	axt cdo sub two.nc -timmean two.nc out.nc ## axt-reduce mean --over time 'two.nc:*' | axt-sub 'two.nc:*' '-:*' -o out.nc
	axt cdo sub -monmean one.nc -timmean one.nc out.nc ## axt-reduce mean --over time one.nc -o t1.nc && axt-reduce mean --every month one.nc | axt-sub - t1.nc -o out.nc
	axt chname,tas,t2m two.nc out.nc ## axt-copy 'two.nc:*' -o out.nc && axt-move tas=t2m out.nc
	axt timpctl,90 one.nc out.nc ## axt-calc 'r = rank(tas, along=time, method=max); min(where(100*r >= 90*count(tas, over=time), tas, nan), over=time, skip_nan=true)' one.nc -o out.nc
	axt timavg one.nc out.nc ## axt-reduce mean --keep-nan --over time one.nc -o out.nc
	axt expr,'x=tas*2' one.nc out.nc ## axt-calc 'x=tas*2' one.nc -o out.nc
	axt setctomiss,0 one.nc out.nc ## axt-calc 'where(tas == 0, nan, tas)' one.nc -o out.nc
	axt mergetime h1.nc h2.nc out.nc ## axt-concat time h1.nc h2.nc -o out.nc
	axt ensmean one.nc one.nc out.nc ## axt-stack member one.nc one.nc | axt-reduce mean --over member -o out.nc
	axt mean one.nc --dim time ## axt-reduce mean --over time one.nc
	axt mean --axis lat two.nc -o out.nc ## axt-reduce mean --over lat 'two.nc:*' -o out.nc
	axt std one.nc lat ## axt-reduce std --over lat one.nc
	axt to_csv one.nc out.csv ## axt-to out.csv one.nc
	axt describe two.nc ## axt-info --stats two.nc
	END
	says() { sh_run "$1" >/dev/null; [[ $stderr == *"$2"* ]]; }
	says 'axt remapcon,r4x3 one.nc out.nc' 'axt-interp --method conservative lat=-60:60:60 lon=0:270:90 one.nc'
	says 'axt remaplaf,r4x3 one.nc out.nc' 'axt has no remaplaf, yet'
	says 'axt timmean nix.nc out.nc' "axt-reduce mean --over time 'a.nc:*' -o c.nc"
}

@test "mistakes: whole command lines of NCO" {
	once files
	say_and_run <<-'END'
	axt ncra h1.nc h2.nc out.nc ## axt-concat time h1.nc h2.nc | axt-reduce mean --over time - -o out.nc
	axt ncra -y max -d time,0,10 one.nc out.nc ## axt-slice time=0:11 one.nc | axt-reduce max --over time - -o out.nc
	axt ncks -4 -L 5 one.nc out.nc ## axt-copy one.nc --deflate 5 -o out.nc
	axt ncks --ppc default=3 one.nc out.nc ## axt-copy one.nc --quantize 3 -o out.nc
	axt ncks --qnt 3 -L 1 one.nc out.nc ## axt-copy one.nc --quantize 3 --deflate 1 -o out.nc
	axt ncks -v tas two.nc ## axt-copy two.nc:tas
	axt ncks -O -v tas,pr two.nc out.nc ## axt-copy two.nc:tas,pr -o out.nc
	axt ncks -d lat,-60.,0. -d time,0,10,2 two.nc out.nc ## axt-slice lat@-60.:0. time=0:11:2 'two.nc:*' -o out.nc
	axt ncks -x -v pr two.nc out.nc ## axt-copy 'two.nc:*' -o out.nc && axt-remove out.nc:pr
	axt ncks -m two.nc ## axt-info --cdl two.nc
	axt ncwa -a time two.nc out.nc ## axt-reduce mean --over time 'two.nc:*' -o out.nc
	axt ncwa -y ttl -a lat,lon one.nc oneb.nc ## axt-reduce sum --over lat,lon one.nc -o oneb.nc
	axt ncap2 -O -s 'x=tas*2;' one.nc out.nc ## axt-calc 'x=tas*2' one.nc -o out.nc
	axt ncrename -v tas,t2m two.nc ## axt-move tas=t2m two.nc
	axt ncrename -d lat,latitude one.nc out.nc ## axt-rename lat=latitude one.nc -o out.nc
	axt ncatted -a units,tas,o,c,degC two.nc ## axt-attr units=degC two.nc:tas
	axt ncatted -a title,global,o,c,'my data' two.nc ## axt-attr ':title=my data' two.nc
	axt ncdiff two.nc two.nc out.nc ## axt-sub 'two.nc:*' 'two.nc:*' -o out.nc
	axt ncbo --op_typ=add one.nc one.nc out.nc ## axt-add one.nc one.nc -o out.nc
	axt ncrcat h1.nc h2.nc out.nc ## axt-concat time h1.nc h2.nc -o out.nc
	axt ncea one.nc one.nc out.nc ## axt-stack member one.nc one.nc | axt-reduce mean --over member - -o out.nc
	axt ncpdq -a lat,lon,time one.nc out.nc ## axt-order lat,lon,time one.nc -o out.nc
	axt ncpdq -a -lat one.nc out.nc ## axt-flip lat one.nc -o out.nc
	END
}

@test "mistakes: files of other formats, and directories" {
	once files
	py '
import gzip, os, tarfile, zipfile
one = open("one.nc", "rb").read()
gzip.open("one.nc.gz", "wb").write(one)
np.savez("a.npz", x=np.arange(3))
zipfile.ZipFile("a.zip", "w").write("one.nc")
tarfile.open("a.tar", "w").add("one.nc")
heads = {"a.grib": b"GRIB\0\0\0\2", "a.hdf": b"\x0e\x03\x13\x01", "a.tif": b"II*\0", "a.fits": b"SIMPLE  =   T",
         "m5.mat": b"MATLAB 5.0 MAT-file", "a.parquet": b"PAR1", "a.png": b"\x89PNG\r\n\x1a\n", "a.pkl": b"\x80\4\x95",
         "a.html": b"<!DOCTYPE html>" + b" " * 9, "a.json": b"{ }", "a.xyz": b"1 2\n", "lfs.nc": b"version https://git-lfs.x",
         "a b.grib": b"GRIB", "a.pt": b"PK\3\4" + b"\0" * 22 + b"\x0d\0\0\0model/data.pkl"[:4] + b"m/ab/data.pkl"}
for n, head in heads.items():
    open(n, "wb").write(head + (b"" if n in ("a.json", "a.xyz", "lfs.nc") else b" " * 600))
os.mkdir("z.zarr"); open("z.zarr/.zgroup", "w").write("{\"zarr_format\": 2}")
os.mkdir("dir"); open("dir/x.nc", "wb").write(one)
'
	say <<-'END'
	axt-add one.nc.gz 1 ## hint: gunzip -k one.nc.gz
	axt-add a.npz 1 ## is a NumPy .npz file, not HDF5
	axt-add a.zip 1 ## hint: unzip a.zip
	axt-add a.tar 1 ## hint: tar xf a.tar
	axt-add a.grib 1 ## hint: cdo -f nc4 copy a.grib a.nc
	axt-add 'a b.grib' 1 ## hint: cdo -f nc4 copy 'a b.grib' a.nc
	axt-from a.grib -o x.nc ## is GRIB, which axt-from does not read
	axt-add a.hdf 1 ## hint: h4toh5 a.hdf a.h5
	axt-add a.tif 1 ## hint: python3 -c 'import numpy, tifffile; numpy.save("a.npy", tifffile.imread("a.tif"))', then axt-from a.npy -o a.nc
	axt-add a.fits 1 ## f.getdata("a.fits"))', then axt-from a.npy
	axt-from m5.mat -o x.nc ## load m5.mat, then save a.mat -v7.3
	axt-add a.parquet 1 ## pandas.read_parquet("a.parquet")
	axt-add a.png 1 ## hint: convert a.png a.ppm
	axt-add a.pkl 1 ## is a Python pickle
	axt-add a.pt 1 ## is a PyTorch file
	axt-add a.html 1 ## is an HTML page
	axt-add a.json 1 ## is JSON, not HDF5
	axt-add a.xyz 1 ## hint: axt-from --format csv a.xyz -o a.nc
	cat s.csv | axt-add - 1 ## hint: the command before the pipe wrote text; axt-from --format csv - reads a table
	axt-add lfs.nc 1 ## hint: git lfs pull
	axt-add z.zarr 1 ## z.zarr holds no tensor
	axt-add z.zarr:t 1 ## z.zarr: no dataset "t"
	axt-add dir/ 1 ## hint: dir/*.nc names its files
	END
	works 'axt-from --format csv a.xyz -o a.nc'
}

@test "mistakes: names of datasets, groups and attributes" {
	py '
f = h5py.File("n.nc", "w")
f["tas"] = np.arange(3.); f["tas"].attrs["long_name"] = "Air Temperature"; f["tas"].attrs["standard_name"] = "air_temperature"
f["tas"].attrs["units"] = "K"; f["pr"] = np.arange(3.); f["pr"].attrs["long_name"] = "precipitation"
f["run/kernel"] = np.arange(3.); f["run/b"] = np.arange(2.); f["opt/w"] = np.arange(2.); f.attrs["title"] = "T"
'
	say <<-'END'
	axt-add n.nc:TAS 1 ## hint: axt-add n.nc:tas 1
	axt-add n.nc:temperature 1 ## hint: axt-add n.nc:tas 1
	axt-add n.nc:air_temperature 1 ## hint: axt-add n.nc:tas 1
	axt-add -d precip n.nc 1 ## hint: axt-add n.nc 1 -d pr
	axt-add n.nc:taz 1 -o x.nc ## hint: axt-add n.nc:tas 1 -o x.nc
	axt-calc 'a*2' a=n.nc:PR ## hint: axt-calc 'a*2' a=n.nc:pr
	axt-reduce mean n.nc:tas --weights n.nc:Tas ## hint: axt-reduce mean n.nc:tas --weights n.nc:tas
	axt-add n.nc::tas 1 ## hint: axt-add n.nc:tas 1
	axt-remove n.nc:run ## hint: axt-remove n.nc:run/
	axt-add n.nc:run/kernal 1 ## hint: axt-add n.nc:run/kernel 1
	axt-print n.nc:tas.units ## hint: axt-attr units n.nc:tas shows that attribute
	axt-print n.nc:title ## hint: axt-attr :title n.nc shows that attribute
	END
	works 'axt-attr units n.nc:tas'
	works 'axt-attr :title n.nc'
	works 'axt-add n.nc:run/ 1 -o x.nc'
	works 'axt-add n.nc:run 1 -o x.nc'
	fails 1 'axt-add: n.nc: no dataset "/run/zzz" (there are: *)' 'axt-add n.nc:/run/zzz 1'
	[[ $stderr != *hint* ]]
}

@test "mistakes: names of files" {
	once files
	mkdir dir
	cp one.nc 'my file.nc'
	cp one.nc dir/only.nc
	export HOME=$PWD
	say <<-'END'
	axt-add https://host/a.nc:tas 1 ## hint: curl -fLO https://host/a.nc && axt-add a.nc:tas 1
	axt-add s3://bucket/a.nc 1 -o x.nc ## hint: aws s3 cp s3://bucket/a.nc . && axt-add a.nc 1 -o x.nc
	axt-add https://host/dodsC/a.nc 1 ## hint: nccopy -k nc4 https://host/dodsC/a.nc a.nc && axt-add a.nc 1
	axt-add '${HOME}/my file.nc' 1 ## my file.nc' 1
	axt-add onne.nc 1 ## hint: axt-add one.nc 1
	axt-add Two.nc:tas 1 -o x.nc ## hint: axt-add two.nc:tas 1 -o x.nc
	axt-add mask 1 ## hint: axt-add mask.nc 1
	axt-add mask.h5 1 ## hint: axt-add mask.nc 1
	axt-add dir/one.nc 1 ## hint: axt-add one.nc 1
	axt-add dir/onli.nc 1 ## hint: axt-add dir/only.nc 1
	axt-add nix/nox.nc 1 ## hint: there is no directory nix
	axt-add one.nc/tas 1 ## hint: axt-add one.nc:tas 1
	axt-add one.nc,tas 1 ## hint: axt-add one.nc:tas 1
	axt-add my file.nc 1 ## hint: axt-add 'my file.nc' 1
	axt-add nix*.nc 1 ## hint: h1.nc, h2.nc, mask.nc, my file.nc... are there
	axt-concat time nix*.xyz ## hint: no name in this directory ends in .xyz
	axt-reduce mean one.nc:tas --over lat --weights maskk.nc ## hint: axt-reduce mean one.nc:tas --over lat --weights mask.nc
	axt-calc 'a*2' a=onne.nc:tas ## hint: axt-calc 'a*2' a=one.nc:tas
	axt-calc 'tas*2' onne.nc -p ## hint: axt-calc 'tas*2' one.nc -p
	axt-interp lat,lon=onne.nc:tas two.nc:tas ## hint: axt-interp lat,lon=one.nc:tas two.nc:tas
	END
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
	hints "--join override:time takes the first operand's times, and pairs by position"
	works 'axt-add one.nc leap.nc --join override:time -o x.nc'
	fails 1 'axt-reduce: lat: No such file*' 'axt-reduce mean --over lat --weights lat one.nc'
	hints 'axt-reduce mean one.nc --over lat --weights area'
	works 'axt-reduce mean one.nc --over lat --weights area -o x.nc'
}

@test "mistakes: an output in a directory that is not there" {
	axt-make iota x=3 -o a.nc
	fails 1 'axt-add: no/where/x.nc: No such file or directory' 'axt-add a.nc 1 -o no/where/x.nc'
	hints 'mkdir -p no/where makes the directory'
	works 'mkdir -p no/where'
	works 'axt-add a.nc 1 -o no/where/x.nc'
}

@test "mistakes: bounds, signs, lengths, axes as operands, spellings of parts" {
	once files
	say <<-'END'
	axt-slice lat@-30,30 one.nc ## hint: axt-slice lat@-30:30 one.nc takes what lies between; --nearest takes the nearest
	axt-to topo.png one.nc ## axt-plot one.nc -o topo.png
	axt-reduce mean --over lat --over lon one.nc ## hint: --over lat,lon
	END
	say_and_run <<-'END'
	axt-clip 5 one.nc ## axt-clip 5 inf one.nc
	axt-clip one.nc 5 ## axt-clip 5 inf one.nc
	axt-add one.nc + oneb.nc ## axt-add one.nc oneb.nc
	axt-reduce mean --over lat lon one.nc ## axt-reduce mean --over lat,lon one.nc
	axt-reduce mean over time one.nc ## axt-reduce mean --over time one.nc
	axt-corr time one.nc one.nc ## axt-corr --over time one.nc one.nc
	axt-stack one.nc one.nc ## axt-stack member one.nc one.nc
	axt-stack time one.nc one.nc ## axt-stack member one.nc one.nc
	axt-concat --axis time h1.nc h2.nc ## axt-concat time h1.nc h2.nc
	axt-concat --dim=time h1.nc h2.nc ## axt-concat time h1.nc h2.nc
	axt-slice --time 0 one.nc ## axt-slice time=0 one.nc
	axt-make zeros 3 4 ## axt-make zeros x=3,y=4
	axt-make zeros lat 3 lon 4 ## axt-make zeros lat=3,lon=4
	axt-make linspace 0 1 11 ## axt-make iota:0:0.1 x=11
	axt-transpose 0,2,1 one.nc ## axt-order time,lon,lat one.nc
	axt-flatten one.nc ## axt-flatten lat,lon one.nc
	axt-take time 0 one.nc ## axt-take time=0 one.nc
	axt-rename lat=y lon=x one.nc ## axt-rename lat=y,lon=x one.nc
	axt-rename tas=t2m two.nc ## axt-move tas=t2m two.nc
	axt-hist 10 one.nc ## axt-hist --bins 10 one.nc
	axt-diff one.nc ## axt-diff --along time one.nc
	axt-trend two.nc ## axt-trend --along time 'two.nc:*'
	axt-split time.year two.nc ## axt-split time.year -P 'part_{}.nc' 'two.nc:*'
	axt-slice lat=-60..30 one.nc ## axt-slice lat@-60:30 one.nc
	axt-slice lat@-60..30 one.nc ## axt-slice lat@-60:30 one.nc
	axt-slice lat@60S:30N one.nc ## axt-slice lat@-60:30 one.nc
	axt-slice lat@30N one.nc ## axt-slice lat@30 one.nc --nearest
	axt-slice 'lat@[-60,30]' one.nc ## axt-slice lat@-60:30 one.nc
	axt-slice lat@-60:30,lon@0:90 one.nc ## axt-slice lat@-60:30 lon@0:90 one.nc
	axt-slice time=0-10 one.nc ## axt-slice time=0:10 one.nc
	axt-slice time=0..5 one.nc ## axt-slice time=0:5 one.nc
	axt-slice time@January one.nc ## axt-slice time.month@1 one.nc
	axt-slice time@DJF one.nc ## axt-slice time.season@DJF one.nc
	END
}

@test "mistakes: other grids, dates, outputs" {
	once files
	py '
def put(n, lat, nt=12):
    f = h5py.File(n, "w")
    for k, v in (("time", np.arange(float(nt))), ("lat", lat), ("lon", np.arange(4) * 90.)):
        f[k] = v; f[k].make_scale(k)
    f["time"].attrs["units"] = np.bytes_("days since 2001-01-01")
    f["tas"] = np.zeros((nt, len(lat), 4), "f4")
    for i, k in enumerate(("time", "lat", "lon")):
        f["tas"].dims[i].attach_scale(f[k])
put("grid.nc", np.array([-50., 0, 50])); put("near.nc", np.array([-60., 0, 60.0000001]))
put("four.nc", np.array([-60., -20, 20, 60])); put("long.nc", np.array([-60., 0, 60]), 24)
'
	say <<-'END'
	axt-sub one.nc grid.nc ## axt-interp lat=grid.nc:tas one.nc:tas has the values there
	axt-sub one.nc near.nc ## they differ by rounding: --join override:lat takes
	axt-sub one.nc four.nc ## axt-interp lat=one.nc:tas four.nc:tas has the values there
	axt-sub one.nc long.nc ## axt-slice time@2001-01-01:2001-01-12 long.nc:tas
	axt-slice time@2001/01/02 one.nc ## axt-slice time@2001-01-02 one.nc
	axt-slice time@01-02-2001 one.nc ## time@2001-02-01, or time@2001-01-02 if the month was first
	axt-slice time@13/02/2001 one.nc ## axt-slice time@2001-02-13 one.nc
	axt-slice time@13-02-2001 one.nc ## hint: axt-slice time@2001-02-13 one.nc
	axt-slice time@2001.01.02 one.nc ## hint: axt-slice time@2001-01-02 one.nc
	axt-slice time@2001-02-30 one.nc ## that month has fewer days: time@2001-02 is all of it
	axt-slice time@2001-13 one.nc ## months are 01 to 12: time@2001 is the whole year
	axt-slice time=12 one.nc ## time=-1 is the last one
	axt-slice lon=90 one.nc ## hint: positions are 0 to 3; lon@90 selects by coordinate
	axt-slice lon=500 one.nc ## lon=-1 is the last one
	axt-slice time.month@January one.nc ## axt-slice time.month@1 one.nc
	axt-add one.nc 1 -o x.tif ## warning: x.tif is written as HDF5: no command of axt writes .tif
	axt-add one.nc 1 -o x.zarr:t ## one array of a store cannot be written by itself
	axt-add one.nc 1 -o a1.nc -o a2.nc ## --output is given twice: a1.nc and a2.nc
	axt-add one.nc 1 -o s3://b/x.nc ## s3://b/x.nc is an address, and outputs are files
	END
	works 'axt-sub <(axt-interp lat=grid.nc:tas one.nc:tas) grid.nc -o o.nc; axt-sub --join override:lat one.nc near.nc -o o.nc'
	works 'axt-sub one.nc <(axt-interp lat=one.nc:tas four.nc:tas) -o o.nc; [ ! -e s3 ]'
	prints $'132 133 134 135\n136 137 138 139\n140 141 142 143' 'axt-slice time=-1 one.nc -p'
}

@test "mistakes: words that belong together" {
	once files
	say <<-'END'
	axt-reduce mean --over "lat lon" one.nc ## axt-reduce mean one.nc --over lat,lon
	axt-window time 3 one.nc ## axt-window time=w:3 one.nc
	axt-clip --min 0 --max 1 one.nc ## hint: axt-clip 0 1 one.nc
	axt-cast --dtype int8 one.nc ## axt-cast --overflow saturate one.nc --dtype int8
	axt-assign one.nc:tas 0 ## axt-assign one.nc:tas = 0
	axt-move tas t2m one.nc ## axt-move tas=t2m one.nc
	axt-remove two.nc tas ## axt-remove two.nc:tas
	axt-attr title=x two.nc ## axt-attr :title=x two.nc sets it of the file
	axt-squeeze --over time one.nc ## axt-slice time=0 one.nc takes the first; axt-reduce mean --over time one.nc
	axt-slice time=0 two.nc ## all are 'two.nc:*'
	END
	works 'axt-window time=w:3 one.nc -o o.nc; axt-cast --overflow saturate one.nc --dtype int8 -o o.nc'
	works 'axt-attr :title=x two.nc; axt-slice time=0 one.nc -o o.nc; axt-slice time=0 "two.nc:*" -o o.nc'
	works 'cp one.nc c.nc; axt-move tas=t2m c.nc; axt-assign c.nc:t2m = 0; axt-remove two.nc:tas'
}

# The file upper.nc, whose axes are called TIME, LAT and LON.
upper()
{
	once files
	axt-rename time=TIME,lat=LAT,lon=LON one.nc -o upper.nc
}

@test "mistakes: axes that the file calls otherwise, numbers of axes, and lists of other languages" {
	upper
	say_and_run <<-'END'
	axt trend upper.nc ## axt-trend --along TIME upper.nc
	axt timmean upper.nc out.nc ## axt-reduce mean --over TIME upper.nc -o out.nc
	axt zonmean upper.nc out.nc ## axt-reduce mean --over LON upper.nc -o out.nc
	axt sellonlatbox,0,90,-60,0 upper.nc out.nc ## axt-slice LAT@-60:0 LON@0:90 upper.nc -o out.nc
	axt selmon,1 upper.nc out.nc ## axt-slice TIME.month@1 upper.nc -o out.nc
	axt ymonmean upper.nc out.nc ## axt-reduce mean --over TIME --by TIME.month upper.nc -o out.nc
	axt-sort upper.nc ## axt-sort --along TIME upper.nc
	axt-diff upper.nc ## axt-diff --along TIME upper.nc
	axt-flip upper.nc ## axt-flip TIME upper.nc
	axt-reduce mean --over -1 one.nc ## axt-reduce mean one.nc --over lon
	axt-reduce mean --over=-1,0 one.nc ## axt-reduce mean one.nc --over lon,time
	axt-reduce mean --axis 0 one.nc ## axt-reduce mean --over time one.nc
	axt-reduce mean --axis=0,1 upper.nc -o out.nc ## axt-reduce mean --over TIME,LAT upper.nc -o out.nc
	axt-scan sum --axis -1 one.nc ## axt-scan sum --along lon one.nc
	axt-reduce mean --over lat:lon one.nc ## axt-reduce mean one.nc --over lat,lon
	axt-reduce mean --over lat+lon one.nc ## axt-reduce mean one.nc --over lat,lon
	axt-reduce mean --over '["lat", "lon"]' one.nc ## axt-reduce mean one.nc --over lat,lon
	END
	fails 2 'axt-reduce: axis name "-4" *' 'axt-reduce mean --over -4 one.nc'
	[[ $stderr != *hint* ]]
}

@test "mistakes: isel and sel, positions without axes, pairs, dates in words" {
	once files
	say_and_run <<-'END'
	axt-slice 'time=slice(None,10)' one.nc ## axt-slice time=:10 one.nc
	axt-slice 'isel(time=slice(0,5), lat=[0,1])' one.nc ## axt-slice time=0:5 lat=0,1 one.nc
	axt-slice '.sel(lat=50,method=nearest)' one.nc ## axt-slice lat@50 one.nc --nearest
	axt-slice 'sel(time=slice("2001-01-02", "2001-01-05"), lat=50, method="nearest")' one.nc ## axt-slice time@2001-01-02:2001-01-05 lat@50 one.nc --nearest
	axt-slice 'tas[0:10,:]' one.nc ## axt-slice time=0:10 one.nc:tas
	axt-slice '0:10,:,1' one.nc -o out.nc ## axt-slice time=0:10 lon=1 one.nc -o out.nc
	axt-slice '[...,0]' one.nc ## axt-slice lon=0 one.nc
	axt-print 'one.nc[0,:]' ## axt-slice time=0 one.nc | axt-print -
	axt-add 'two.nc:tas[-1]' 2 ## axt-slice time=-1 two.nc:tas | axt-add - 2
	axt-pad 'time=(1,1)' one.nc ## axt-pad time=1,1 one.nc
	axt-pad time=1:2 one.nc ## axt-pad time=1,2 one.nc
	axt-slice time@Jan-Mar one.nc ## axt-slice time.month@1:3 one.nc
	axt-slice time@January:March one.nc ## axt-slice time.month@1:3 one.nc
	axt-slice time@Q1 one.nc ## axt-slice time.month@1:3 one.nc
	axt-slice time@2001-Jan one.nc ## axt-slice time@2001-01 one.nc
	axt-slice 'time@1 Jan 2001' one.nc ## axt-slice time@2001-01-01 one.nc
	END
	say <<-'END'
	axt-slice time@01/13/2001 one.nc ## hint: axt-slice time@2001-01-13 one.nc
	axt-slice time@01/02/2001 one.nc ## hint: the year comes first: time@2001-02-01, or time@2001-01-02 if the month was first
	axt-slice time@2001-13-01 one.nc ## hint: months are 01 to 12: time@2001-01-13 if the day came first
	axt-slice time@2001-40-01 one.nc ## hint: months are 01 to 12: time@2001 is the whole year
	axt-slice time@20010230 one.nc ## hint: that month has fewer days: time@2001-02 is all of it
	axt-slice time@Nov:Feb one.nc ## dates are 2010, 2010-06
	axt-slice 0,0,0,0 one.nc ## the name of an axis stands first
	END
}

@test "mistakes: what is missing, options that are not needed, dtypes and periods of NumPy and pandas" {
	once files
	axt-slice time=0 one.nc -o flat.nc
	printf 'date;tmax\n2001-01-01;1\n2001-01-02;3\n' >semi.csv
	say_and_run <<-'END'
	axt-where 'tas>3' one.nc ## axt-calc 'where(tas>3, tas, nan)' one.nc
	axt-where one.nc oneb.nc ## axt-where one.nc oneb.nc nan
	axt-to out.pgm flat.nc ## axt-calc 'round(255*(tas - min(tas))/(max(tas) - min(tas)))' flat.nc | axt-cast --dtype u8 - | axt-to out.pgm -
	axt-add one.nc 1 -o first/ ## axt-add one.nc 1 -o first/one.nc
	axt-add one.nc:tas 1 -o first ## axt-add one.nc:tas 1 -o first/one.nc
	axt-add one.nc:tas 1 -o outdir/ ## mkdir -p outdir/ && axt-add one.nc:tas 1 -o outdir/one.nc
	axt-cast f4 one.nc ## axt-cast --dtype f32 one.nc
	axt-split --by time.year -P 'out_{}.nc' one.nc ## axt-split time.year -P 'out_{}.nc' one.nc
	END
	say <<-'END'
	axt-fillnan one.nc ## hint: axt-fillnan one.nc 0  or  axt-fillnan --along time one.nc
	axt-window --center time=w:3 one.nc ## hint: coordinates are in the middle of windows: axt-window time=w:3 one.nc
	axt-from --sep ';' semi.csv ## hint: the separator is found: axt-from semi.csv
	axt-from --delimiter=';' semi.csv -o x.nc ## hint: the separator is found: axt-from semi.csv -o x.nc
	axt-from --has-header semi.csv ## hint: names of columns are found: axt-from semi.csv
	axt-from --no-header semi.csv ## hint: --header no reads the first line as values
	axt-from --header semi.csv ## --header takes auto|yes|no, not "semi.csv"
	axt-from --columns tmax semi.csv ## FILE:COLUMN
	axt-reduce mean --every M one.nc ## hint: axt-reduce mean one.nc --every month
	axt-reduce mean --every DJF one.nc -o b.nc ## hint: axt-reduce mean one.nc --every season | axt-slice time.season@DJF -o b.nc
	axt-reduce mean --every summer one.nc ## --every season | axt-slice time.season@JJA
	axt-reduce mean --over time.month one.nc ## axt-reduce mean one.nc --over time --by time.month
	axt-reduce mean --every=1D one.nc ## hint: axt-reduce mean one.nc --every day
	axt-reduce mean --every W one.nc ## hint: axt-reduce mean one.nc --every '7 days'
	axt-reduce mean --every m one.nc ## hint: hour, day, month
	axt-cast --dtype '<i8' one.nc ## did you mean i64?
	axt-cast --dtype np.float32 one.nc ## did you mean f32?
	axt-cast --dtype c8 one.nc ## did you mean c64?
	axt-add one.nc 1 -m 10GB -o x.nc ## hint: --memory 10G
	axt-add one.nc 1 --memory=1.5GiB -o x.nc ## hint: --memory 1.5G
	axt-convert --to celcius one.nc ## did you mean "celsius"?
	axt-convert --to farenheit one.nc ## did you mean "fahrenheit"?
	axt-convert --to F one.nc ## "F" is the farad; degrees Fahrenheit are "degF"
	END
	works 'axt-from semi.csv -o x.nc; axt-window time=w:3 one.nc -o w.nc; axt-reduce mean --every "7 days" one.nc -o v.nc'
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
	say <<-'END'
	axt-sub st.nc:t st.nc:u -o o.nc ## MiB; axt-rename lon_u=lon st.nc:u | axt-interp lon=st.nc:t - lets axes meet, --axes lat,lon,lon_u
	END
	prints '0' 'axt-rename lon_u=lon st.nc:u | axt-interp lon=st.nc:t - | axt-sub st.nc:t - | axt-map absolute | axt-reduce max - -p'
	upper
	say <<-'END'
	axt-sub one.nc upper.nc -o o.nc ## MiB; axt-rename TIME=time,LAT=lat,LON=lon upper.nc:tas lets axes meet, --axes
	END
	works 'axt-rename TIME=time,LAT=lat,LON=lon upper.nc:tas | axt-sub one.nc - -o o.nc'
}

@test "mistakes: what is pasted from documents, blanks around =, line ends of Windows, links" {
	once files
	ln -s gone.nc broken.nc
	export HOME=$PWD
	say <<-'END'
	axt-add broken.nc 1 ## hint: broken.nc is a link to gone.nc, which is not there
	axt-add one.nc 1 --output=~/x.nc ## /x.nc
	axt-add one.nc 1 --output = x.nc ## hint: --output=x.nc
	axt-add one.nc 1 --output =x.nc ## hint: --output=x.nc
	printf 'axt-add one.nc 1 -o x.nc\r\n' | bash ## "x.nc\x0d" ends in a carriage return: the script has line ends of Windows
	END
	rm broken.nc
	say_and_run <<-'END'
	axt-add one.nc 1 –o out.nc ## axt-add one.nc 1 -o out.nc
	axt-add one.nc 1 —output out.nc ## axt-add one.nc 1 --output out.nc
	axt-add one.nc 1 −−name y -o out.nc ## axt-add one.nc 1 --name y -o out.nc
	axt-add “one.nc” 1 ## axt-add one.nc 1
	axt-slice “time=0” one.nc ## axt-slice time=0 one.nc
	axt-slice time = 0 one.nc ## axt-slice time=0 one.nc
	axt-slice time= 0 one.nc ## axt-slice time=0 one.nc
	axt-slice time =0 one.nc ## axt-slice time=0 one.nc
	axt-add 'two.nc?tas' 1 ## axt-add two.nc:tas 1
	axt-add two.nc#tas 1 ## axt-add two.nc:tas 1
	axt-add one.nc 1,5 ## axt-add one.nc 1.5
	axt-mul one.nc 50% ## axt-mul one.nc 0.5
	axt-mul one.nc 1/2 ## axt-mul one.nc 0.5
	END
	[ ! -e x.nc ]
}

@test "mistakes: operations behind files, names of percentiles, axes by other names, ranges of dates" {
	once files
	py '
f = h5py.File("ocean.nc", "w")
f["y"] = np.arange(3.); f["y"].make_scale("y"); f["x"] = np.arange(4.); f["x"].make_scale("x")
for n in ("sst", "nav_lat", "nav_lon"):
    f[n] = np.arange(12.).reshape(3, 4)
    for i, k in enumerate("yx"):
        f[n].dims[i].attach_scale(f[k])
b = h5py.File("bas.nc", "w")
b["basin"] = np.arange(12, dtype="i4").reshape(3, 4) % 3
for i, k in enumerate(("lat", "lon")):
    b["basin"].dims[i].label = k
'
	say_and_run <<-'END'
	axt-reduce one.nc mean --over time -o out.nc ## axt-reduce mean one.nc --over time -o out.nc
	axt-scan one.nc sum --along time ## axt-scan sum one.nc --along time
	axt-map one.nc sqrt -o out.nc ## axt-map sqrt one.nc -o out.nc
	axt-reduce quantile=0.9 --over time one.nc ## axt-reduce quantile:0.9 one.nc --over time
	axt-reduce quantile:95 --over time one.nc ## axt-reduce quantile:0.95 one.nc --over time
	axt-reduce mean,p90 one.nc -o out.nc ## axt-reduce mean,quantile:0.9 one.nc -o out.nc
	axt-split time.month one.nc -o out_{}.nc ## axt-split time.month one.nc -P 'out_{}.nc'
	axt-split time.month two.nc --output out.nc ## axt-split time.month two.nc --each -P 'out{}.nc'
	axt-print one.nc -o out.txt ## axt-print one.nc > out.txt
	axt-to one.nc -o out.npy ## axt-to out.npy one.nc
	axt-rename tas,t2m two.nc -o out.nc ## cp two.nc out.nc && axt-move tas=t2m out.nc
	axt-rename tas,t2m two.nc ## axt-move tas=t2m two.nc
	axt-rename tas=t2m,pr=rain two.nc -o out.nc ## cp two.nc out.nc && axt-move tas=t2m,pr=rain out.nc
	axt-reduce mean --over latitude,longitude one.nc ## axt-reduce mean one.nc --over lat,lon
	axt-reduce mean --over nav_lat ocean.nc:sst ## axt-reduce mean ocean.nc:sst --over y,x
	axt-reduce mean --over=nav_lat,nav_lon ocean.nc:sst ## axt-reduce mean ocean.nc:sst --over y,x
	axt-sort --along TIME one.nc ## axt-sort one.nc --along time
	axt-flip latitude one.nc -o out.nc ## axt-flip lat one.nc -o out.nc
	axt-reduce mean --over lat --by bas.nc:basin one.nc ## axt-reduce mean one.nc --over lat,lon --by bas.nc:basin
	axt-reduce mean --over lat,lon --weights coslat one.nc ## axt-reduce mean one.nc --over lat,lon --weights area
	axt-slice time@01.01.2001:03.01.2001 one.nc ## axt-slice time@2001-01-01:2001-01-03 one.nc
	axt-slice time@01/02/2001:01/20/2001 one.nc ## axt-slice time@2001-01-02:2001-01-20 one.nc
	axt-slice time@2001/01/02:2001/01/04 one.nc ## axt-slice time@2001-01-02:2001-01-04 one.nc
	axt-slice time@2001/01:2001/02 one.nc ## axt-slice time@2001-01:2001-02 one.nc
	axt-calc 'where(tas > 3)' one.nc -o out.nc ## axt-calc 'where(tas > 3, tas, nan)' one.nc -o out.nc
	END
	say <<-'END'
	axt-reduce --over time one.nc ## no operation is given before "one.nc": sum, prod, mean
	axt-slice time@01/02/2001:03/02/2001 one.nc ## time@2001-02-01:2001-02-03, or time@2001-01-02:2001-03-02 if the month was first
	axt-concat one.nc oneb.nc -o out.nc ## operand AXIS is missing before "one.nc"
	axt-calc 'tas > 0 && tas < 2' one.nc ## "&&" is no operator at character 9
	axt-reduce mean h.nc ## axt-reduce mean h1.nc  or  axt-reduce mean h2.nc
	END
}

@test "mistakes: tensors on other grids, parts behind words of other tools, units of water, pictures" {
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
f["orog"] = np.zeros((2, 5), "f4")
for i, k in enumerate(("lat", "lon")):
    f["orog"].dims[i].attach_scale(f[k])
g = h5py.File("img.h5", "w"); g["flat"] = np.zeros((3, 4), "u1"); g["real"] = np.arange(12.).reshape(3, 4)
'
	say_and_run <<-'END'
	axt-sub one.nc:tas grid.nc:tas -o out.nc ## axt-interp lat,lon=one.nc:tas grid.nc:tas | axt-sub one.nc:tas - -o out.nc
	axt-sub 'two.nc:*' 'grid.nc:*' -o out.nc ## axt-interp lat,lon=two.nc:pr 'grid.nc:*' | axt-sub 'two.nc:*' '-:*' -o out.nc
	axt-calc 'a - b' a=one.nc:tas b=grid.nc:tas ## axt-interp lat,lon=one.nc:tas grid.nc:tas | axt-calc 'a - b' a=one.nc:tas b=-
	axt-stack member one.nc grid.nc:tas ## axt-interp lat,lon=one.nc:tas grid.nc:tas | axt-stack member one.nc -
	axt-interp grid.nc one.nc -o out.nc ## axt-interp lat,lon=grid.nc:tas one.nc -o out.nc
	axt-interp one.nc grid.nc:pr ## axt-interp lat,lon=one.nc:tas grid.nc:pr
	axt-convert --to mm/day grid.nc:pr -o out.nc ## axt-copy grid.nc:pr --attr 'units=mm s-1' | axt-convert - --to mm/day -o out.nc
	axt select lat@-30:30 one.nc ## axt-slice lat@-30:30 one.nc
	axt sel lat=-30:30 time=2001-01-02 one.nc -o out.nc ## axt-slice lat@-30:30 time@2001-01-02 one.nc -o out.nc
	axt isel time=0 lat=1: two.nc ## axt-slice time=0 lat=1: 'two.nc:*'
	axt mean one.nc ## axt-reduce mean one.nc
	axt slcie time=0 one.nc ## axt slice time=0 one.nc
	axt-to out.png img.h5:flat ## axt-plot --bare img.h5:flat -o out.png
	axt-to out.svg img.h5:real ## axt-plot img.h5:real -o out.svg
	END
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

@test "mistakes: lists of operations, bounds, options of other commands, lists of files in quotes" {
	once files
	axt-make iota out=3,in=4 --name w -o w.nc
	say_and_run <<-'END'
	axt-scan cumsum --along lat one.nc ## axt-scan sum one.nc --along lat
	axt-reduce timmean one.nc -o out.nc ## axt-reduce mean --over time one.nc -o out.nc
	axt-reduce mean+std --over time one.nc ## axt-reduce mean,std one.nc --over time
	axt-reduce mean std --over time one.nc ## axt-reduce mean,std one.nc --over time
	axt-clip --min 0 one.nc ## axt-clip 0 inf one.nc
	axt-clip --min=0 --max 5 one.nc -o out.nc ## axt-clip 0 5 one.nc -o out.nc
	axt-convert --from K --to degC one.nc ## axt-convert --to degC one.nc
	axt-attr -d units one.nc:tas ## axt-attr units= one.nc:tas
	axt-attr --delete units one.nc:tas ## axt-attr units= one.nc:tas
	axt-attr units one.nc:tas K ## axt-attr units=K one.nc:tas
	axt-append time two.nc three.nc ## axt-append two.nc three.nc --along time
	axt-append two.nc:tas three.nc --along time ## axt-append two.nc three.nc --along time
	axt-move one.nc out.nc ## mv one.nc out.nc
	axt-to one.nc:tas ## axt-to one.npy one.nc:tas
	axt-corr tas pr two.nc --over time ## axt-corr two.nc:tas two.nc:pr --over time
	axt-flatten w.nc ## axt-flatten out,in w.nc
	axt-concat -a time h1.nc h2.nc -o out.nc ## axt-concat time h1.nc h2.nc -o out.nc
	axt-concat time 'h1.nc h2.nc' -o out.nc ## axt-concat time h1.nc h2.nc -o out.nc
	axt-reduce mean --over=time,lat, one.nc ## axt-reduce mean one.nc --over time,lat
	END
	say <<-'END'
	axt-hist --bins 0:100:10 one.nc ## hint: --bins 10 --range 0,100
	axt-copy one.nc --compress -o out.nc ## --compress needs a value before -o: deflate|zstd
	axt-eof --over time --neofs 3 one.nc ## did you mean --modes?
	axt-print --lines 5 one.nc ## did you mean --head?
	END
}

@test "mistakes: whole files without an option, lists of fields, patterns and chunks without names" {
	once files
	say_and_run <<-'END'
	axt-split --each time.month two.nc ## axt-split time.month -P 'part_{}.nc' two.nc --each
	axt-sort 'two.nc:*' -o out.nc ## axt-sort --along time 'two.nc:*' -o out.nc
	axt-reduce mean --by year,month one.nc ## axt-reduce mean one.nc --by time.year,time.month
	axt-split time.month one.nc -P out.nc ## axt-split time.month one.nc -P 'out{}.nc'
	axt-calc 'wet == tas*2' one.nc -o out.nc ## axt-calc 'wet = tas*2' one.nc -o out.nc
	axt-copy one.nc --chunk 4,3,2 -o out.nc ## axt-copy one.nc --chunk time=4,lat=3,lon=2 -o out.nc
	END
}

@test "mistakes: grids of CDO, ranges of NCO, levels and digits beside the word" {
	once files
	say_and_run <<-'END'
	axt-rename tas t2m two.nc ## axt-move tas=t2m two.nc
	axt-window 7 one.nc -o out.nc ## axt-window time=w:7 one.nc -o out.nc
	axt-copy one.nc --quantize 3digits -o out.nc ## axt-copy one.nc --quantize 3 -o out.nc
	axt-copy one.nc --quantize 12bits -o out.nc ## axt-copy one.nc --quantize bits:12 -o out.nc
	axt-copy one.nc --compress zstd,5 -o out.nc ## axt-copy one.nc --compress zstd:5 -o out.nc
	axt-hist --range 250:300 --bins 10 one.nc ## axt-hist one.nc --range 250,300 --bins 10
	END
	say <<-'END'
	axt-interp r180x90 one.nc ## hint: axt-interp lat=-89:89:2 lon=0:358:2 one.nc
	axt-calc 'tas where tas > 5' one.nc ## where(condition, a, nan)
	axt-calc 'tas@units="degC"' one.nc ## --attr units=UNITS
	END
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
	hints 'axt-print t1.nc  or  axt-print t2.nc'
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

@test "mistakes: an output as the last operand, there or not, and members" {
	once files
	cp one.nc run_1.nc
	axt-add one.nc 1 -o run_2.nc
	say_and_run <<-'END'
	axt-sub one.nc 273.15 out.nc ## axt-sub one.nc 273.15 -o out.nc
	axt-sub two.nc 273.15 out.nc ## axt-sub 'two.nc:*' 273.15 -o out.nc
	axt-ge one.nc 280 out.nc ## axt-ge one.nc 280 -o out.nc
	axt-clip 0 1 one.nc out.nc ## axt-clip 0 1 one.nc -o out.nc
	axt-fillnan one.nc 0 out.nc ## axt-fillnan one.nc 0 -o out.nc
	axt-where mask.nc 0 1 out.nc ## axt-where mask.nc 0 1 -o out.nc
	axt-make ones x=3 out.nc ## axt-make ones x=3 -o out.nc
	axt-diff --along time one.nc out.nc ## axt-diff one.nc -o out.nc --along time
	axt-append two.nc three.nc out.nc ## axt-concat time 'two.nc:*' 'three.nc:*' -o out.nc
	axt-attr units=K one.nc out.nc ## axt-copy --attr units=K one.nc -o out.nc
	axt-reduce mean --over time h1.nc h2.nc out.nc ## axt-concat time h1.nc h2.nc | axt-reduce mean - -o out.nc --over time
	axt-reduce mean --over time two.nc three.nc ## axt-concat time 'two.nc:*' 'three.nc:*' | axt-reduce mean '-:*' --over time
	axt-reduce mean --over time run_1.nc run_2.nc ## axt-stack member run_1.nc run_2.nc | axt-reduce mean - --over time
	axt-to --format csv one.nc ## axt-to one.csv one.nc --format csv
	END
	axt-reduce mean --over time one.nc -o new.nc
	say <<-'END'
	axt-reduce mean --over time one.nc new.nc ## hint: axt-reduce mean one.nc -o new.nc --over time; that replaces new.nc
	axt-slice lat=0 one.nc new.nc ## hint: axt-slice lat=0 one.nc -o new.nc; that replaces new.nc
	axt-copy one.nc new.nc ## hint: axt-copy one.nc -o new.nc; that replaces new.nc
	axt-sub one.nc oneb.nc new.nc ## hint: axt-sub one.nc oneb.nc -o new.nc; that replaces new.nc
	axt slice one.nc oneb.nc new.nc ## hint: axt-slice [AXIS=SPEC
	END
	fails 2 'axt-to: operand FILE is missing*' 'axt-to --format csv one.nc >o.csv'
	hints 'axt-to - one.nc --format csv'
	works 'axt-to - one.nc --format csv >o.csv; head -n 1 o.csv | grep -q time,lat,lon,tas'
}

@test "mistakes: numbers without axes, ranges of other tools, pieces that are no parts of a job" {
	once files
	axt-slice time=0 one.nc -o day.nc
	axt-make iota dim_0=3,dim_1=4 --dtype u8 --name p -o p.nc
	say_and_run <<-'END'
	axt-slice --lat -60,0 one.nc -o out.nc ## axt-slice lat@-60:0 one.nc -o out.nc
	axt-slice -d lat,-60.,0. one.nc out.nc ## axt-slice lat@-60.:0. one.nc -o out.nc
	axt-slice -d lat,-60.,0. two.nc -o out.nc ## axt-slice lat@-60.:0. 'two.nc:*' -o out.nc
	axt-slice 'time@"2001-01-02 00:00":"2001-01-05 12:00"' one.nc ## axt-slice time@2001-01-02T00:00/2001-01-05T12:00 one.nc
	axt subtract one.nc 273.15 -o out.nc ## axt-sub one.nc 273.15 -o out.nc
	axt plus two.nc 1 -o out.nc ## axt-add 'two.nc:*' 1 -o out.nc
	axt roll lon=1 one.nc ## axt-shift lon=1 one.nc
	axt groupby time.month one.nc ## axt-reduce mean --over time --by time.month one.nc
	axt groupby time.year two.nc ## axt-reduce mean --over time --by time.year 'two.nc:*'
	axt meridmean one.nc out.nc ## axt-reduce mean --over lat --weights area one.nc -o out.nc
	axt compress one.nc ## axt-copy one.nc --deflate 4 -o c.nc
	axt-split two.nc --by year ## axt-split time.year -P 'part_{}.nc' 'two.nc:*'
	axt-split month one.nc ## axt-split time.month -P 'part_{}.nc' one.nc
	axt-split --by time.month one.nc ## axt-split time.month -P 'part_{}.nc' one.nc
	axt-split time.year one.nc y_ ## axt-split time.year -P 'y_{}.nc' one.nc
	axt-map np.sqrt one.nc ## axt-map sqrt one.nc
	axt-map numpy.abs one.nc -o out.nc ## axt-map absolute one.nc -o out.nc
	axt-shift --axis time 1 one.nc -o out.nc ## axt-shift time=1 one.nc -o out.nc
	axt-shift 1 one.nc ## axt-shift time=1 one.nc
	axt-pad 1 p.nc ## axt-pad dim_0=1 dim_1=1 p.nc
	axt-reshape -1,6 p.nc ## axt-reshape y=2,x=6 p.nc
	axt-reshape 12 p.nc ## axt-reshape x=12 p.nc
	axt-order -1,0 p.nc ## axt-order dim_1,dim_0 p.nc
	axt-coord lat=-90:90:60 one.nc -o out.nc ## axt-coord set lat=-60:60 one.nc -o out.nc
	axt-coord set lat=-60:60:60 one.nc ## axt-coord set lat=-60:60 one.nc
	axt-onehot p.nc -o out.nc ## axt-onehot class=256 p.nc -o out.nc
	axt-softmax -1 p.nc ## axt-softmax --along dim_1 p.nc
	axt-broadcast day.nc one.nc -o out.nc ## axt-broadcast time=12,lat,lon day.nc -o out.nc
	axt-broadcast time=5 day.nc ## axt-broadcast time=5,lat,lon day.nc
	axt-merge h1.nc h2.nc -o out.nc ## axt-concat time h1.nc h2.nc -o out.nc
	axt-merge two.nc mask.nc -o out.nc ## axt-copy 'two.nc:*' mask.nc -o out.nc
	axt-cast -t int16 one.nc -o out.nc ## axt-cast --dtype int16 one.nc -o out.nc
	axt-unflatten time=year,month one.nc ## axt-reduce mean --over time --by time.year,time.month one.nc
	END
	say <<-'END'
	axt-squeeze time day.nc ## hint: day.nc has no axis "time" (lat, lon)
	axt-hist --bins 250,310,10 one.nc ## hint: --bins 10 --range 250,310
	axt-unflatten time=a,b one.nc ## hint: lengths stand behind the names, such as time=year:10,month:12
	axt-merge h1.nc h2.nc ## hint: axt-merge -o whole.nc h1.nc h2.nc
	END
}

@test "mistakes: attributes as options, formats of CDO, members, bytes in place of a file" {
	once files
	axt-add one.nc 1 -o run_2.nc
	cp one.nc run_1.nc
	say_and_run <<-'END'
	axt-sub one.nc 1 -f nc4 -o out.nc ## axt-sub one.nc 1 -o out.nc
	axt-info --variables two.nc ## axt-info two.nc
	axt-attr --units K one.nc:tas ## axt-attr units=K one.nc:tas
	axt-attr delete units one.nc:tas ## axt-attr units= one.nc:tas
	axt-attr two.nc:tas@units=K ## axt-attr units=K two.nc:tas
	axt-fillnan one.nc --value 0 -o out.nc ## axt-fillnan one.nc -o out.nc 0
	axt-concat time run_1.nc run_2.nc -o out.nc ## axt-stack member run_1.nc run_2.nc -o out.nc
	axt-reduce mean --every time.month one.nc ## axt-reduce mean one.nc --every month
	axt-reduce mean --every decade one.nc ## axt-reduce mean one.nc --every '10 years'
	END
	axt-slice time=0 one.nc | axt-plot - -o map.png
	say <<-'END'
	axt-plot one.nc map.png ## hint: axt-plot one.nc -o map.png --frame time=0
	axt-sub one.nc:tas $(axt-reduce mean --over time one.nc) -o out.nc ## hint: <(COMMAND) in place of $(COMMAND) names what the command writes
	axt-concat time h2.nc h1.nc ## put h1.nc:tas before h2.nc:tas
	END
	works 'axt-sub one.nc:tas <(axt-reduce mean --over time one.nc) -o out.nc'
}

@test "mistakes: a hint names no output that is there, nor the line that was typed" {
	once files
	cp one.nc c.nc
	cp s.csv one.csv
	printf GRIB%600s >x.grib
	say <<-'END'
	axt-reduce mean s.csv -p ## hint: axt-from s.csv -o s.nc
	axt-reduce mean one.csv -p ## hint: axt-from one.csv -o one2.nc
	axt-info x.grib ## hint: cdo -f nc4 copy x.grib x.nc
	axt astype float64 three.nc:tas ## -o c2.nc
	axt-where three.nc:tas mask.nc:mask -o o.nc ## hint: axt-where mask.nc:mask three.nc:tas nan -o o.nc
	axt monmean one.nc c.nc ## axt-reduce mean --every month one.nc -o c.nc
	axt coarsen three.nc ## hint: axt-window lat=y:2:2 lon=x:2:2 'three.nc:*' | axt-reduce --each mean --over y,x
	END
	fails 1 'axt-reduce: lev: No such file or directory' 'axt-reduce mean --by time.month,lev one.nc:tas -o o.nc'
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "mistakes: the line of a hint is tried, and a second mistake in it is told of as well" {
	once files
	axt-rename lat=latitude,lon=longitude one.nc -o long.nc
	axt-slice lat=0 one.nc --name m -o m.nc
	say <<-'END'
	axt-scan cumsum --over time one.nc -o o.nc ## hint: axt-scan sum one.nc --along time -o o.nc
	axt-split month two.nc -o p.nc ## hint: axt-split time.month two.nc --each -P 'p{}.nc'
	axt-concat time two.nc three.nc o2.nc ## hint: axt-concat time two.nc three.nc -o o2.nc --each
	axt-fft tas two.nc -o o.nc ## hint: axt-fft --along time two.nc:tas -o o.nc
	axt-calc 'a - b' one.nc:tas oneb.nc:tas -o o.nc ## hint: axt-calc 'a - b' a=one.nc:tas b=oneb.nc:tas -o o.nc
	AXT_HINTS=3 axt-scan cumsum --over time one.nc -o o.nc ## hint: axt-scan cumsum --along time one.nc -o o.nc
	axt-reduce mean --ovr time one.nc ## hint: did you mean --over?
	END
	fails 1 'axt-split: no axis "month" *' "axt-split month one.nc -P 'p{}.nc' --explain"
}

@test "mistakes: axes of other names, parts behind, numbers with units, options that are not needed" {
	once files
	axt-rename lat=latitude,lon=longitude one.nc -o long.nc
	axt-interp latitude=-60:60:30 long.nc -o fine.nc
	axt-slice time=0 one.nc --name m -o m.nc
	axt-make iota dim_0=3,dim_1=4 --dtype i32 --name k -o k.h5
	say <<-'END'
	axt-slice --lat -30:30 long.nc -o o.nc ## hint: axt-slice latitude@-30:30 long.nc -o o.nc
	axt-slice --lat 0,30 one.nc -o o.nc ## hint: axt-slice lat@0:30 one.nc -o o.nc
	axt-reduce mean --over axis=0 one.nc -p ## hint: axt-reduce mean one.nc --over time -p
	axt-interp --grid fine.nc long.nc -o o.nc ## hint: axt-interp latitude=fine.nc:tas long.nc -o o.nc
	axt-broadcast one.nc m.nc -o o.nc ## hint: axt-broadcast time=12,lat,lon m.nc -o o.nc
	axt-assign two.nc:tas = 5 time=0 ## hint: axt-assign 'two.nc:tas[time=0]' = 5
	axt-gt one.nc 300K -o o.nc ## hint: axt-gt one.nc 300 -o o.nc
	axt-gt one.nc 25C -o o.nc ## hint: axt-convert --to degC one.nc | axt-gt - 25 -o o.nc
	axt-to o.npy two.nc ## hint: axt-to o.npy two.nc:pr
	axt-reduce mean --over time two.nc:tas two.nc:pr -o o.nc ## hint: axt-reduce mean two.nc:tas,pr --over time -o o.nc
	axt-sub one.nc oneb.nc --axis time -o o.nc ## hint: axes meet by their names: axt-sub one.nc oneb.nc -o o.nc
	axt-reduce mean --keepdims --over time one.nc ## are kept: axt-reduce mean --over time one.nc
	axt-reduce mean --over lat,lon --weights 'cos(lat)' one.nc ## hint: axt-reduce mean one.nc --over lat,lon --weights area
	axt-reduce mean --over time --weights 'cos(lat)' one.nc:tas ## hint: axt-calc 'mean(tas, over=(time), weights=cos(radians(lat)))' one.nc
	axt-reduce mean one.nc --by time.month --every month ## one.nc --every month is a series; axt-reduce mean one.nc --by time.month has a value for each label
	axt-coord lat one.nc ## hint: axt-print one.nc:lat shows it; axt-coord drop lat one.nc leaves it out
	axt-svd k.h5 --full-matrices ## axt-svd k.h5
	axt-onehot k.h5 --num-classes 3 -p ## hint: axt-onehot class=3 k.h5 -p
	axt-map exp10 one.nc:tas -o o.nc ## hint: axt-pow 10 one.nc:tas -o o.nc
	axt rolling time=7 one.nc ## hint: axt-window time=w:7 one.nc | axt-reduce mean --over w
	axt coarsen lat=3 lon=2 two.nc ## hint: axt-window lat=w:3:3 lon=v:2:2 'two.nc:*' | axt-reduce --each mean --over w,v
	END
	axt-make ones lat=3000,lon=400 -o big.nc
	axt-make ones latitude=3000,longitude=400 -o big2.nc
	fails 1 'axt-add: this would be an outer product *' 'axt-add big.nc big2.nc -o o.nc'
	hints 'axt-rename latitude=lat,longitude=lon big2.nc | axt-add big.nc - -o o.nc'
	axt-make ones latitude=30,longitude=40000 -o big2.nc
	fails 1 'axt-add: this would be an outer product *' 'axt-add big.nc big2.nc -o o.nc'
	hints 'axt-rename latitude=lat,longitude=lon big2.nc | axt-interp lat,lon=big.nc - | axt-add big.nc - -o o.nc'
}

@test "mistakes: times that do not overlap, and fields of xarray" {
	once files
	axt-slice time=:11 three.nc:tas -o after.nc
	say <<-'END'
	axt-sub after.nc one.nc ## hint: the times do not overlap: axt-concat time one.nc after.nc joins them
	axt-reduce mean --over time --by dt.season one.nc ## hint: axt-reduce mean one.nc --over time --by time.season
	END
}

@test "mistakes: weights that mean the areas of cells, or days of months" {
	once files
	say <<-'END'
	axt-reduce mean --over lat,lon --weights lat_bnds one.nc:tas -o o.nc ## hint: axt-reduce mean one.nc:tas --over lat,lon --weights area -o o.nc
	axt-reduce mean --over lat,lon --weights gridcell_area one.nc:tas ## hint: axt-reduce mean one.nc:tas --over lat,lon --weights area
	axt-reduce mean --over lat,lon --weights=coslat one.nc:tas ## hint: axt-reduce mean one.nc:tas --over lat,lon --weights=area
	axt-eof --over time --weights 'sqrt(cos(lat))' one.nc -o o.nc ## hint: axt-eof one.nc --over time --weights area -o o.nc
	axt-reduce mean --over time --weights 'cos(lat)' one.nc:tas ## hint: axt-calc 'mean(tas, over=(time), weights=cos(radians(lat)))' one.nc
	axt-reduce mean --over time --weights time.season one.nc ## time.season: No such file
	END
	axt-reduce mean --over time --weights one.nc:time.day one.nc -o a.nc
	axt-reduce mean --over time --weights time.day one.nc -o b.nc
	works 'axt-equal a.nc b.nc'
}

@test "mistakes: units that some tensors of a file cannot have, and water" {
	once files
	axt-copy --attr 'units=kg m-2 s-1' one.nc --name pr -o wet.nc
	axt-copy one.nc wet.nc -o mixed.nc
	say <<-'END'
	axt-convert --to degC two.nc -o o.nc ## hint: axt-convert two.nc:tas --to degC -o o.nc is tas alone; cp two.nc o.nc && axt-convert --to degC o.nc:tas -o o.nc:tas keeps the others
	axt-convert --to degC --each two.nc -o o.nc ## hint: axt-convert two.nc:tas --to degC -o o.nc
	axt-convert --to degC 'two.nc:*' -p ## hint: axt-convert two.nc:tas --to degC -p
	axt-convert --to mm/day mixed.nc -o o.nc ## hint: axt-copy mixed.nc:pr --attr 'units=mm s-1' | axt-convert - --to mm/day -o o.nc
	axt-calc 'sum(convert(pr, "mm/day") > 1, over=time)' mixed.nc -o o.nc ## hint: axt-calc 'sum(convert(pr, "kg m-2/day") > 1, over=time)' mixed.nc -o o.nc
	END
	works "axt-calc 'sum(convert(pr, \"kg m-2/day\") > 1, over=time)' mixed.nc -o o.nc"
	works 'cp two.nc o.nc && axt-convert --to degC o.nc:tas -o o.nc:tas && axt-equal two.nc:pr o.nc:pr'
}

@test "mistakes: a file twice, other variables, patterns in quotes, and whole files in axt-split" {
	once files
	axt-slice lat=:2 three.nc:pr -o p.nc
	say <<-'END'
	axt-split time.month two.nc -P 'v.nc' --each ## hint: axt-split time.month two.nc -P 'v{}.nc' --each
	axt-concat time one.nc p.nc -o o.nc ## hint: files of one variable are put end to end; tas and pr are two
	axt-concat time --each two.nc two.nc -o o.nc ## hint: two.nc is given twice
	axt-concat time two.nc:tas two.nc:tas three.nc:tas -o o.nc ## hint: axt-concat time two.nc:tas three.nc:tas -o o.nc
	axt-concat time 'h*.nc' -o o.nc ## hint: axt-concat time h*.nc -o o.nc
	END
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
	say <<-'END'
	axt-take nav_lat,nav_lon@points.nc curved.nc:sst ## hint: axt-take nav_lat,nav_lon@points.nc --nearest curved.nc:sst
	axt-take lat@48.2 lon@16.4 --nearest one.nc -o o.nc ## hint: axt-slice lat@48.2 lon@16.4 one.nc --nearest -o o.nc
	axt-take lat@points.nc:lat lon@points.nc:lon --nearest one.nc ## hint: axt-slice lat@points.nc:lat lon@points.nc:lon one.nc --nearest
	axt-take lat@points.nc lon@points.nc one.nc ## hint: axt-take lat,lon@points.nc --nearest one.nc
	END
}

@test "mistakes: options of other commands, a dataset in a file beside, members, axes without names" {
	once files
	axt-make iota a=4,b=3 --dtype f32 --name w -o k1.h5
	axt-make iota c=4 --dtype f32 --name v -o k1.h5:v
	axt-make iota dim_0=2,dim_1=3,dim_2=4 --dtype f32 --name frames -o stack.h5
	cp k1.h5 k2.h5
	axt-make ones lat=3,lon=4 --dtype i32 --name basin -o basins.nc
	say <<-'END'
	axt-fillnan --along time --method ffill one.nc -o o.nc ## hint: axt-ffill --along time one.nc -o o.nc
	axt-fillnan --along time --method=backfill one.nc ## hint: axt-bfill --along time one.nc
	axt-copy --pack i16 one.nc -o o.nc ## hint: axt-cast --pack i16 one.nc -o o.nc
	axt-reduce mean --over lat,lon --by basin one.nc:tas -o o.nc ## hint: axt-reduce mean one.nc:tas --over lat,lon --by basins.nc:basin -o o.nc
	axt-reduce mean --over member k1.h5 k2.h5 -o o.h5 ## hint: axt-stack --each member k1.h5 k2.h5 | axt-reduce --each mean - --over member -o o.h5
	axt-reduce norm2 --each k1.h5 k2.h5 -p ## hint: for f in k1.h5 k2.h5; do axt-reduce norm2 "$f" --each -p; done
	axt-reduce max --over frame stack.h5 -o o.nc ## hint: axt-cast --to frame,y,x stack.h5 | axt-reduce max --over frame -o o.nc
	axt-reduce max --to y,x stack.h5:frames ## hint: axt-cast --to t,y,x stack.h5:frames | axt-reduce max --to y,x
	END
	axt-calc 'where(tas > 5, tas, nan)' one.nc --name tas -o nan.nc
	say <<-'END'
	axt-copy --dtype i16 nan.nc -o o.nc ## hint: axt-cast --pack i16 -o o.nc nan.nc
	END
	works 'axt-stack --each member k1.h5 k2.h5 | axt-reduce --each mean - --over member -o o.h5'
}

@test "mistakes: latitudes and levels by usual names, grids that are curved" {
	once files
	py '
f = h5py.File("etopo.nc", "w")
for n, u, v in (("Y60", "degrees_north", [-60., 0, 60]), ("X60", "degrees_east", np.arange(4) * 90.)):
    f[n] = v; f[n].make_scale(n); f[n].attrs["units"] = np.bytes_(u)
f["rose"] = np.zeros((3, 4)); f["rose"].dims[0].attach_scale(f["Y60"]); f["rose"].dims[1].attach_scale(f["X60"])
f = h5py.File("curved.nc", "w")
for n, u, v in (("nav_lat", "degrees_north", [[0., 1], [10, 11]]), ("nav_lon", "degrees_east", [[0., 10], [1, 11]])):
    f[n] = np.array(v); f[n].attrs["units"] = np.bytes_(u)
f["sst"] = np.array([[1., 2], [3, 4]]); f["sst"].attrs["coordinates"] = np.bytes_("nav_lat nav_lon")
f = h5py.File("levels.nc", "w")
for n, v in (("time", [0., 1]), ("model_level", [1., 2, 3])):
    f[n] = v; f[n].make_scale(n)
f["time"].attrs["units"] = np.bytes_("days since 2001-01-01")
for n in "ta", "height":
    f[n] = np.arange(6.).reshape(2, 3); f[n].dims[0].attach_scale(f["time"]); f[n].dims[1].attach_scale(f["model_level"])
'
	say_and_run <<-'END'
	axt-interp lat,lon=one.nc etopo.nc -o o.nc ## axt-interp Y60,X60=one.nc etopo.nc -o o.nc
	axt-interp lat=0:60:30 lon=0:90:45 etopo.nc -o o.nc ## axt-interp Y60=0:60:30 X60=0:90:45 etopo.nc -o o.nc
	axt-slice lat@20:60 etopo.nc -o o.nc ## axt-slice Y60@20:60 etopo.nc -o o.nc
	axt-interp lat,lon=one.nc curved.nc:sst -o o.nc ## axt-take lat,lon@one.nc --nearest curved.nc:sst -o o.nc
	axt-interp height=1,2 --points levels.nc:height levels.nc:ta -o o.nc ## axt-interp model_level=1,2 levels.nc:ta --points levels.nc:height -o o.nc
	END
}

@test "mistakes: records without their axis, records twice, all axes by a word" {
	once files
	axt-copy --unlimited time one.nc -o run.nc
	axt-slice time=1 three.nc:tas -o day.nc
	say <<-'END'
	axt-append run.nc day.nc ## hint: axt-expand time day.nc | axt-append run.nc; axt-slice time=0:1 keeps the axis of a record
	axt-append run.nc h2.nc ## hint: nothing was appended: records follow those that are in run.nc
	axt-reduce mean --over all one.nc -p ## hint: axt-reduce mean one.nc -p
	END
	works 'axt-expand time day.nc | axt-append run.nc'
	prints '13' 'axt-print run.nc:time --csv | tail -n +2 | wc -l'
}

@test "mistakes: a new file without a suffix, and a colon" {
	warned 'axt-make: warning: the new file is called "data:x"; data.nc:x is a dataset of a file' 'axt-make iota x=2 -o data:x'
	warned 'axt-calc: warning: the new file is called "more:x"; more.nc:x is a dataset of a file' "axt-calc '\"more\":x = iota(x=2)'"
	works 'axt-make iota x=2 -o run_12:00.nc; axt-make iota x=2 -o data.nc:x'
}

@test "mistakes: grids of CDO, steps of time without ends, years that the file has" {
	once files
	axt-rename lat=latitude,lon=longitude one.nc -o l.nc
	axt-coord set time=0:1 one.nc --attr 'time:units=days since 1999-02-01' -o y99.nc
	printf 'gridtype = lonlat\nxsize = 36\nysize = 18\nxfirst = 0\nxinc = 10\nyfirst = -85\nyinc = 10\n' >grid.txt
	say_and_run <<-'END'
	axt-interp lat,lon=r36x18 one.nc -o out.nc ## axt-interp lat=-85:85:10 lon=0:350:10 one.nc -o out.nc
	axt-interp lon,lat=r36x18 one.nc -o out.nc ## axt-interp lon=0:350:10 lat=-85:85:10 one.nc -o out.nc
	axt-interp lat,lon=r36x18 l.nc -o out.nc ## axt-interp latitude=-85:85:10 longitude=0:350:10 l.nc -o out.nc
	axt-interp lat,lon=grid.txt one.nc -o out.nc ## axt-interp lat=-85:85:10 lon=0:350:10 one.nc -o out.nc
	axt-interp time=12h one.nc -o out.nc ## axt-interp time=2001-01-01:2001-01-12:12h one.nc -o out.nc
	axt-interp time=::12h one.nc -o out.nc ## axt-interp time=2001-01-01:2001-01-12:12h one.nc -o out.nc
	axt select y99.nc ## axt-slice time@1999 lat@-30:30 y99.nc
	axt selyear one.nc ## axt-slice time@2001 one.nc
	END
}

@test "mistakes: nearest coordinates, axes as labels, a dataset behind its file, > for |, comparisons" {
	once files
	say_and_run <<-'END'
	axt-slice 'time@2001-01-05 12:00' one.nc -o out.nc ## axt-slice time@2001-01-05T12:00 one.nc -o out.nc --nearest
	axt-slice lat@10 lon@5 two.nc:tas -o out.nc ## axt-slice lat@10 lon@5 two.nc:tas -o out.nc --nearest
	axt-reduce mean --by time.month,lat one.nc -o out.nc ## axt-reduce mean one.nc -o out.nc --by time.month,one.nc:lat
	axt-reduce mean --over time --by time.month,lat one.nc -o out.nc ## axt-reduce mean one.nc --over time -o out.nc --by time.month
	axt-reduce mean --over time,lat --by time.month,lat one.nc -o out.nc ## axt-reduce mean one.nc --over time,lat -o out.nc --by time.month,one.nc:lat
	axt-print two.nc tas ## axt-print two.nc:tas
	axt-map 'x*2 + exp(x)' one.nc -o out.nc ## axt-calc 'tas*2 + exp(tas)' one.nc -o out.nc
	axt-slice 'time@<2002' one.nc -o out.nc ## axt-slice time@:2001 one.nc -o out.nc
	axt-slice 'time@>=2001-01-06' one.nc -o out.nc ## axt-slice time@2001-01-06: one.nc -o out.nc
	axt-slice 'lat@>=10' one.nc -o out.nc ## axt-slice lat@10: one.nc -o out.nc
	axt-reduce mean --over time one.nc >axt-map sqrt ## axt-reduce mean one.nc --over time | axt-map sqrt
	END
	say <<-'END'
	axt-slice 'time@>2001-01-06' one.nc -o o.nc ## hint: axt-slice time@2001-01-06: one.nc -o o.nc takes 2001-01-06, too
	axt-reduce l2 one.nc -p ## hint: did you mean norm2?
	axt-slice time.weekday@1 one.nc ## hint: fields of dates are year, season, month, day
	END
}

@test "mistakes: labels, weights and the like without names of axes, which are to meet the last ones" {
	axt-make iota dim_0=4,dim_1=5,dim_2=6 --dtype f32 --name frames -o s.h5
	axt-make iota dim_0=5,dim_1=6 --dtype i32 --name mask -o s.h5:mask
	axt-make iota dim_0=4,dim_1=4,dim_2=4 --dtype f32 --name frames -o c.h5
	axt-calc 'mask = iota(dim_0=4, dim_1=4) % 3' -o c.h5:mask
	say <<-'END'
	axt-reduce mean --over dim_1,dim_2 --by s.h5:mask s.h5:frames -p ## hint: axes without names meet by their numbers; axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets its axes meet the last ones, as in NumPy
	axt-reduce mean --over dim_0,dim_1 --by s.h5:mask s.h5:frames -p ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-reduce mean --over dim_1,dim_2 --weights s.h5:mask s.h5:frames -p ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-reduce median --over dim_1,dim_2 --weights s.h5:mask s.h5:frames -p ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-calc 'mean(frames, over=(dim_1,dim_2), by=mask)' s.h5 -p ## hint: axes without names meet by their numbers; rename(mask, dim_0=dim_1, dim_1=dim_2) lets
	axt-calc 'mean(frames, over=(dim_1,dim_2), weights=mask)' s.h5 -p ## rename(mask, dim_0=dim_1, dim_1=dim_2) lets
	axt-broadcast --like s.h5:frames s.h5:mask -o z.h5 ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-hist --bins 3 s.h5:frames --weights s.h5:mask -p ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-scan sum --along dim_0 --by s.h5:mask s.h5:frames -o z.h5 ## axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask lets
	axt-reduce mean --over dim_1,dim_2 --by c.h5:mask c.h5:frames -p ## axt-rename dim_0=dim_1,dim_1=dim_2 c.h5:mask lets
	axt-reduce mean --over dim_0 --by c.h5:mask c.h5:frames -p ## hint: axt-reduce mean c.h5:frames --over dim_0,dim_1 --by c.h5:mask -p
	END
	works 'axt-rename dim_0=dim_1,dim_1=dim_2 s.h5:mask | axt-reduce mean --over dim_1,dim_2 --weights - s.h5:frames -p'
	warned '*c.h5:mask has dim_0, dim_1*axt-rename dim_0=dim_1,dim_1=dim_2 c.h5:mask does so' 'axt-broadcast --like c.h5:frames c.h5:mask -o z.h5'
	warned '*axt-rename dim_0=dim_1,dim_1=dim_2 c.h5:mask does so' 'axt-scan sum --along dim_0 --by c.h5:mask c.h5:frames -o z.h5'
	warned '*rename(mask, dim_0=dim_1, dim_1=dim_2) does so' "axt-calc 'broadcast_like(mask, frames)' c.h5 -o z.h5"
	works "axt-calc 'broadcast_like(rename(mask, dim_0=dim_1,dim_1=dim_2), frames)' c.h5 -o z.h5"
}

@test "mistakes: options of NCO, axes of other names, positions, numbers with a colon" {
	once files
	axt-rename time=t one.nc -o t.nc
	axt-make iota dim_0=20,dim_1=8 --dtype f32 --name x -o emb.h5
	axt-make iota dim_0=30,dim_1=8 --dtype f32 --name y -o emb.h5:y
	axt-make iota dim_0=30 --dtype i32 --name k -o emb.h5:k
	say <<-'END'
	axt-slice -v tas -d time,0,4 two.nc -o o.nc ## hint: axt-slice time=0:5 two.nc:tas -o o.nc
	axt-copy -v tas,pr two.nc -o o.nc ## hint: axt-copy two.nc:tas,pr -o o.nc
	axt-concat -d time one.nc three.nc:tas -o o.nc ## hint: axt-concat time one.nc three.nc:tas -o o.nc
	axt-rename -d lat,latitude two.nc -o o.nc ## hint: axt-rename lat=latitude 'two.nc:*' -o o.nc
	axt-attr -a units,tas,o,c,degC two.nc ## hint: axt-attr units=degC two.nc:tas
	axt-div -c 10 one.nc -o o.nc ## hint: axt-div one.nc -o o.nc 10
	axt-rename tas=t2m two.nc -o o.nc ## hint: cp two.nc o.nc && axt-move tas=t2m o.nc
	axt-take time@0,5,9 one.nc -o o.nc ## hint: axt-slice time=0,5,9 one.nc -o o.nc
	axt-reduce mean --over t --by time.month t.nc -o o.nc ## hint: axt-reduce mean t.nc --over t --by t.month -o o.nc
	axt-calc 'tas / 2' two.nc:pr -o o.nc ## hint: axt-calc 'tas / 2' two.nc -o o.nc
	axt-calc 'tmax / 2' two.nc -o o.nc ## hint: axt-calc 'tmax / 2' tmax=two.nc:pr -o o.nc
	axt select -name,tas two.nc o.nc ## hint: axt-copy two.nc:tas -o o.nc
	axt-dot emb.h5:x emb.h5:y -o o.h5 ## hint: axes without names meet by their numbers; axt-rename dim_0=j emb.h5:y
	axt-calc 'x*y' x=emb.h5:x y=emb.h5:y -o o.h5 ## rename(y, dim_0=j) gives the one that differs a name
	axt cdo sub one.nc three.nc o.nc ## hint: axt-sub one.nc
	axt-concat time 'one.nc:*' 't.nc:*' -o o.nc ## hint: axt-rename t=time t.nc -o renamed.nc
	axt-make zeros 10,20 -o o.nc ## hint: axt-make zeros y=10,x=20 -o o.nc
	axt-clip 280:300 one.nc -o o.nc ## hint: axt-clip 280 300 one.nc -o o.nc
	axt-onehot 10 emb.h5:k -o o.nc ## hint: axt-onehot class=10 emb.h5:k -o o.nc
	axt-coord lon=-180:180 one.nc -o o.nc ## hint: axt-slice lon@-180:180 one.nc -o o.nc
	axt-stack one.nc three.nc:tas -o o.nc ## hint: axt-stack member one.nc three.nc:tas -o o.nc
	axt-hist --bins 200:320:10 one.nc -o o.nc ## hint: --bins 12 --range 200,320
	END
	warned 'axt-shift: warning: elements go round in a circle, with their time: *' 'axt-shift time=1 one.nc -o o.nc'
	works 'axt-shift time=1 --fixed one.nc -o o.nc; axt-shift lon=1 one.nc -o o.nc'
	sh_run 'axt-calc tas>5 one.nc' >/dev/null
	[[ $stderr == 'axt-calc: warning: standard output is a file called 5; an expression with > or < stands in quotes' ]]
}

@test "mistakes: numbers as operands of copies, other names in expressions, grids and variables of CDO" {
	once files
	axt-rename time=TIME,lat=latitude,lon=longitude one.nc -o long.nc
	axt-make iota dim_0=3,dim_1=4 --dtype f32 --name k -o k.h5
	axt-make ones time=3000,lat=300,lon=40 -o big.nc
	axt-make ones dim_0=300,dim_1=40 --name w -o w.h5
	axt-slice time=:6 three.nc:tas -o six.nc
	say <<-'END'
	axt-copy -4 --deflate 5 two.nc -o o.nc ## axt-copy: -4 is a number, and axt-copy copies tensors of files
	axt-copy -4 -L 5 two.nc -o o.nc ## hint: axt-copy --deflate 5 two.nc -o o.nc
	axt-concat TIME one.nc three.nc:tas -o o.nc ## hint: axt-concat time one.nc three.nc:tas -o o.nc
	axt-concat time one.nc long.nc -o o.nc ## hint: axt-rename TIME=time,latitude=lat,longitude=lon long.nc -o renamed.nc, and renamed.nc in its place
	axt select -v tas two.nc o.nc ## hint: axt-copy two.nc:tas -o o.nc
	axt regrid r36x18 one.nc ## hint: axt-interp lat=-85:85:10 lon=0:350:10 one.nc
	axt-interp r36x18 one.nc ## hint: axt-interp lat=-85:85:10 lon=0:350:10 one.nc
	axt-reduce mean --over time -v tas two.nc -o o.nc ## hint: axt-reduce mean --over time two.nc:tas -o o.nc
	axt-remove -v pr two.nc ## hint: axt-remove two.nc:pr
	axt-sub big.nc w.h5 -o o.nc ## hint: axt-cast --to lat,lon w.h5 | axt-sub big.nc - -o o.nc
	axt-stack one.nc three.nc:tas -o o.nc ## , but the times do not overlap: axt-concat time one.nc three.nc:tas -o o.nc joins them
	END
	axt-rename time=TIME,lat=latitude,lon=longitude big.nc -o big2.nc
	fails 1 'axt-calc: this would be an outer product *' "axt-calc 'a - b*2' a=big.nc b=big2.nc -o o.nc"
	hints "axt-calc 'a - rename(b, TIME=time,latitude=lat,longitude=lon)\*2' a=big.nc b=big2.nc -o o.nc"
}

@test "mistakes: the axis behind the files, dictionaries, ranges of two words, vectors" {
	once files
	axt-make iota dim_0=4 --dtype f32 --name v -o m.h5
	axt-make iota dim_0=6 --dtype f32 --name w -o m.h5:w
	axt-make iota dim_0=2,dim_1=3,dim_2=4 --name images -o stack.h5
	say <<-'END'
	axt-concat one.nc three.nc:tas time -o o.nc ## hint: axt-concat time one.nc three.nc:tas -o o.nc
	axt-stack one.nc oneb.nc run -o o.nc ## hint: axt-stack run one.nc oneb.nc -o o.nc
	axt-hist --bins 30 --range 250 310 one.nc -o o.nc ## hint: axt-hist --bins 30 --range 250,310 one.nc -o o.nc
	axt-rename '{"lat":"y"}' one.nc -o o.nc ## hint: axt-rename lat=y one.nc -o o.nc
	axt-rename "{'lat': 'y', 'lon': 'x'}" one.nc -o o.nc ## hint: axt-rename lat=y,lon=x one.nc -o o.nc
	axt-rename t,y,x stack.h5:images -o o.h5 ## hint: axt-cast --to t,y,x stack.h5:images -o o.h5
	axt-cast --to np.float64 one.nc -o o.nc ## hint: axt-cast one.nc --dtype
	axt-calc 'v * w' m.h5 -o o.h5 ## rename(w, dim_0=j) gives the one that differs a name
	END
}
