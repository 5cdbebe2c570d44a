load helper

@test "every operation of -h, on everything" {
	make_a
	while IFS=$'\t' read -r op want; do
		prints "$want" "axt-reduce $op -p a.nc"
		tried+=("${op%%:*}")
	done <<-'END'
	sum	15
	prod	0
	mean	2.5
	var	2.9166666666666665
	std	1.707825127659933
	rms	3.0276503540974917
	min	0
	max	5
	ptp	5
	argmin	0
	argmax	5
	any	true
	all	false
	count	6
	norm1	15
	norm2	7.416198487095663
	sumsq	55
	logsumexp	5.456193316018123
	median	2.5
	quantile:0.9	4.5
	END
	[ "$(printf '%s\n' "${tried[@]}" | sort)" = "$(axt-reduce --options | sed -n 's/^word\t\([^\t:]*\).*/\1/p' | sort)" ]
}

@test "--to names what stays, in order; --over what goes" {
	make_a
	prints $'3\n12' 'axt-reduce sum --to lat a.nc -p'
	prints $'3\n12' 'axt-reduce sum --over lon a.nc -p'
	prints $'3\n5\n7' 'axt-reduce sum --over lat a.nc -p'
	prints $'0 3\n1 4\n2 5' 'axt-reduce sum --to lon,lat a.nc -p'
	prints 15 "axt-reduce sum --to '' a.nc -p"
	prints $'0 1 2\n3 4 5' "axt-reduce sum --over '' a.nc -p"
	prints $'3\n12' 'axt-reduce sum --to lat --over lon a.nc -p'
	fails 1 'axt-reduce: *' 'axt-reduce sum --to lat --over lat a.nc -p'
	fails 1 'axt-reduce: *"y"*' 'axt-reduce sum --to y a.nc -p'
}

@test "several operations give several results, named by operation" {
	make_a
	prints $'mean\t2.5\nmax\t5' 'axt-reduce mean,max -p a.nc'
	prints $'lat  mean  max\n0    1     2\n1    4     5' 'axt-reduce mean,max --to lat -p a.nc'
	works 'axt-reduce mean,max --to lat a.nc -o r.nc'
	prints $'2\n5' 'axt-print r.nc:max'
	prints $'1\n4' 'axt-reduce mean,max --to lat a.nc | axt-print -:mean'
	fails 2 'axt-reduce: --name names one result, and there are 2' 'axt-reduce mean,max --name x -p a.nc'
	fails 2 'axt-reduce: operation mean is named twice' 'axt-reduce mean,mean -p a.nc'
}

@test "several operations are one pass, to a file, a pipe or text" {
	axt-make random x=37,y=41,z=29 --seed 3 -o r.nc
	works 'axt-reduce mean,std,argmax --over y r.nc --explain'
	[[ $output == "pass 1 of 1: reduce -> f32, f32, i64"* ]]
	[[ $output == *"reduces: mean, std, argmax of 41"* ]]
	works 'axt-reduce mean,std,argmax --no-history --over y r.nc -o s.nc'
	works 'axt-reduce mean,std,argmax --no-history --over y r.nc | cmp - s.nc'
	for op in mean std argmax; do
		works "axt-reduce $op --over y r.nc -p >one"
		works "axt-print s.nc:$op | cmp - one"
	done
	works 'axt-reduce mean,std,argmax --over y r.nc --memory 4K | axt-print -:argmax | cmp - one'
}

@test "an unknown operation names the nearest" {
	fails 2 'axt-reduce: unknown operation "avg"' 'axt-reduce avg a.nc'
	hints 'axt-reduce -h lists them'
	fails 2 'axt-reduce: unknown operation "meen"' 'axt-reduce sum,meen a.nc'
	hints 'axt-reduce -h lists them'
	fails 2 'axt-reduce: unknown operation ""' "axt-reduce '' a.nc"
}

@test "NaN: a value unless missing values are declared, or told" {
	axt-make iota x=3 --dtype f32 | axt-sub - 1 | axt-map sqrt -o n.nc
	prints nan 'axt-reduce sum n.nc -p'
	prints 1 'axt-reduce sum --skip-nan n.nc -p'
	prints 2 'axt-reduce count n.nc -p'
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([1, -9, 2], "f4"); f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints 3 'axt-reduce sum p.h5 -p'
	prints nan 'axt-reduce sum --keep-nan p.h5 -p'
	fails 2 'axt-reduce: --skip-nan and --keep-nan exclude each other' 'axt-reduce sum --skip-nan --keep-nan p.h5'
}

@test "--ddof and --weights" {
	make_a
	prints 3.5 'axt-reduce var --ddof 1 a.nc -p'
	axt-make iota lon=3 -o w.nc
	prints $'1.6666666666666667\n4.666666666666667' 'axt-reduce mean --over lon --weights w.nc a.nc -p'
	prints 19 'cat w.nc | axt-reduce sum --weights - a.nc -p'
	fails 2 'axt-reduce: --weights is not for max' 'axt-reduce max --weights w.nc a.nc -p'
	fails 1 'axt-reduce: *ddof*' 'axt-reduce var --ddof 1 --weights w.nc a.nc -p'
	fails 2 'axt-reduce: --ddof takes a number, not "x"' 'axt-reduce var --ddof x a.nc -p'
}

@test "--dtype is that of the sum" {
	axt-make full:200 x=2 --dtype u8 -o u.nc
	prints 400 'axt-reduce sum u.nc -p'
	prints '      "dtype": "f32",' 'axt-reduce sum --dtype f32 u.nc | axt-info --json | grep dtype | head -n 1'
}

@test "the same bits for any number of threads" {
	axt-make random x=100003,y=7 --seed 3 -o r.nc
	axt-reduce mean,std --over x r.nc -t 1 -o 1.nc
	axt-reduce mean,std --over x r.nc -t 2 -o 2.nc
	cmp 1.nc 2.nc
}

@test "no elements" {
	axt-make zeros x=0,y=2 -o e.nc
	prints $'0\n0' 'axt-reduce sum --over x e.nc -p'
	fails 1 'axt-reduce: *' 'axt-reduce max --over x e.nc -p'
}

# lab.nc: labels over lon, and over lat, some of them NaN, some text.
make_labels()
{
	py '
f = h5py.File("lab.nc", "w")
for n, k in (("lon", 3), ("lat", 2)):
    f[n] = np.arange(k, dtype="i8"); f[n].make_scale(n)
for n, a, v in (("odd", "lon", np.array([7, -1, 7], "i2")), ("part", "lon", np.array([np.nan, 2.5, 0])),
                ("sex", "lon", np.array([b"m", b"f", b""], "S1")), ("h", "lat", np.array([True, False])),
                ("no", "lon", np.full(3, np.nan))):
    f[n] = v; f[n].dims[0].attach_scale(f[a])
'
}

@test "--by: each label by itself, on an axis of labels at the place of theirs" {
	make_a
	make_labels
	prints $'odd,lat,tensor\n-1,0,1\n-1,1,4\n7,0,2\n7,1,8' \
		'axt-reduce sum --over lon --by lab.nc:odd a.nc | axt-order odd,lat | axt-print --csv'
	prints $'1 2\n4 8' 'axt-reduce sum --over lon --by lab.nc:odd a.nc -p'
	prints $'1 4\n2 8' 'axt-reduce sum --to odd,lat --by lab.nc:odd a.nc -p'
	prints $'5\n10' 'axt-reduce -q sum --by lab.nc:odd -p <a.nc'
	prints $'part,tensor\n0,7\n2.5,5' 'axt-reduce -q sum --by lab.nc:part a.nc | axt-print --csv'
	prints $'sex,tensor\nf,5\nm,3' 'axt-reduce -q sum --by lab.nc:sex a.nc | axt-print --csv'
	prints $'3 4 5\n0 1 2' 'axt-reduce sum --over lat --by lab.nc:h a.nc -p'
	prints '' 'axt-reduce -q sum --by lab.nc:no a.nc | axt-print'
}

@test "spreads of times are durations, places are times" {
	axt-make iota time=3 | axt-coord set time=0:6 --attr 'time:units=hours since 2000-01-01' \
	    --attr time:calendar=noleap -o t.nc
	prints $'ptp\t12\nstd\t4.898979485566356\nmean\t2000-01-01T06:00:00\nmax\t2000-01-01T12:00:00' \
	    'axt-reduce ptp,std,mean,max -p t.nc:time'
	works 'axt-reduce std t.nc:time -o s.nc'
	prints '1' "ncdump -h s.nc | grep -c 'units = \"hours\"'"
	prints '0' "ncdump -h s.nc | grep -c ':calendar =' || :"
}

@test "--by: positions are those along the axes that go" {
	make_a
	make_labels
	prints $'1 2\n1 2' 'axt-reduce argmax --over lon --by lab.nc:odd a.nc -p'
	prints $'4\n5' 'axt-reduce -q argmax --by lab.nc:odd a.nc -p'
	prints $'1\n0' 'axt-reduce -q argmin --by lab.nc:odd a.nc -p'
}

@test "--by with weights, ddof and several operations: one pass, named by operation" {
	make_a
	make_labels
	works 'axt-reduce mean,std,count --over lon --by lab.nc:odd a.nc --explain'
	[[ $output == "pass 1 of 1: reduce -> f64, f64, i64 lat, odd (2, 2)"* ]]
	[[ $output == *"reduces: mean, std, count of 3 elements in 2 groups"* ]]
	prints $'# mean\n1 1\n4 4\n\n# count\n1 2\n1 2' 'axt-reduce mean,count --over lon --by lab.nc:odd a.nc -p'
	prints $'1 2\n1 2' 'axt-reduce mean,count --over lon --by lab.nc:odd a.nc | axt-print -:count'
	prints $'nan 2\nnan 2' 'axt-reduce var --ddof 1 --over lon --by lab.nc:odd a.nc -p'
	axt-make iota lon=3 -o w.nc
	prints $'1 2\n4 5' 'axt-reduce mean --weights w.nc --over lon --by lab.nc:odd a.nc -p'
}

@test "--by: labels from expressions and pipes, plans or bytes" {
	make_a
	make_labels
	for way in 0 1; do
		prints $'3\n12' "export AXT_FUSE=$way; axt-reduce -q sum --by <(axt-make iota lat=2 --name k) a.nc -p"
		prints $'3\n12' "export AXT_FUSE=$way; axt-make iota lat=2 --name k | axt-reduce -q sum --by - a.nc -p"
		prints $'5\n50' "export AXT_FUSE=$way; axt-map square a.nc | axt-reduce -q sum --by <(axt-make iota lat=2) -p"
		prints 55 "export AXT_FUSE=$way; axt-map square a.nc | axt-reduce sum --over lat --by <(axt-make iota lat=2) | axt-reduce sum -p"
	done
	works 'export AXT_FUSE=1; axt-reduce sum --over lon --by lab.nc:odd a.nc | axt-map sqrt --explain'
	[[ $output == *"in 2 groups"*"its writer's plan is taken"*" group=1"* ]]
}

@test "--by: attributes, cell_methods, history" {
	make_cf
	works 'axt-reduce mean --over time --by cf.nc:time.month cf.nc:t -o m.nc && axt-info --cdl m.nc'
	[[ $output == *"t(month, lat)"* && $output == *'t:cell_methods = "time: mean"'* && $output == *'t:units = "K"'* ]]
	[ "$(history_of m.nc)" = 'axt-reduce mean --over time --by cf.nc:time.month cf.nc:t' ]
}

# cm.nc: t over time, 24 months from 1999-12 (units as CF has them), and lat; n over y, which has no coordinates.
make_months()
{
	py "
f = h5py.File('cm.nc', 'w')
f['time'] = np.cumsum([0] + [31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31]) * 1.
f['time'].attrs['units'] = np.bytes_('days since 1999-12-01'); f['time'].make_scale('time')
f['lat'] = np.arange(2.); f['lat'].make_scale('lat')
f['t'] = np.arange(48.).reshape(24, 2)
f['t'].dims[0].attach_scale(f['time']); f['t'].dims[1].attach_scale(f['lat'])
"
}

# methods TEXT COMMAND: the cell_methods of what COMMAND stores in o.nc are TEXT; none where TEXT is empty.
methods()
{
	rm -f o.nc
	works "$2 -o o.nc && axt-info --cdl o.nc"
	if [ -n "$1" ]; then
		[[ $output == *":cell_methods = \"$1\" ;"* ]]
	else
		[[ $output != *cell_methods* ]]
	fi
}

@test "cell_methods name axes that have cells" {
	make_months
	methods 'time: lat: mean' 'axt-reduce mean cm.nc:t'
	methods 'time: mean' "axt-calc 'mean(window(t, time=w:5), over=w)' t=cm.nc:t"
	methods 'time: maximum' "axt-calc 'max(1 - window(t, time=w:5), over=w)' t=cm.nc:t"
	methods 'time: mean' "axt-calc 'mean(window(t, time=w:5), to=lat)' t=cm.nc:t"
	for f in 0 1; do
		export AXT_FUSE=$f
		methods 'time: mean' 'axt-window time=w:5 cm.nc:t | axt-reduce mean --over w'
		methods 'time: mean' 'axt-window time=w:5 cm.nc:t | axt-rename w=v | axt-mul - 2 | cat | axt-reduce mean --over v'
		methods '' 'axt-window time=w:5 cm.nc:t | axt-cast --to a,b,c | axt-reduce mean --over c'
	done
	unset AXT_FUSE
	axt-window time=w:5 cm.nc:t -o w.nc
	methods 'time: mean' 'axt-reduce mean --over w w.nc'
	methods 'time: sum lat: mean' 'axt-reduce sum --over time cm.nc:t | axt-window lat=w:2 | axt-reduce mean --over w'
	methods '' 'axt-dot cm.nc:t --over lat cm.nc:lat'
	axt-make random time=3,lat=2 --name m | axt-rename time=level -o m.nc
	for f in 0 1; do
		export AXT_FUSE=$f
		methods '' 'axt-mul cm.nc:t m.nc | axt-reduce sum --over lat'
		methods '' "axt-calc 'sum(t * m, over=lat)' t=cm.nc:t m=m.nc"
		methods 'time: sum' 'axt-mul cm.nc:t m.nc | axt-reduce sum --over time | axt-reduce sum --over lat'
		methods 'lat: mean' 'axt-mul cm.nc:t m.nc | axt-reduce mean --over lat'
	done
	unset AXT_FUSE
	methods 'lat: sum' 'axt-mul cm.nc:t cm.nc:lat | axt-reduce sum --over lat'
	methods '' 'axt-make iota y=3 | axt-reduce mean'
	# the mean of means is a mean, the maximum of means is not
	again="axt-copy --attr cell_methods='lat: mean time: mean' cm.nc:t |"
	methods 'lat: mean time: mean' "$again axt-reduce mean --over time"
	methods 'lat: mean time: mean time: maximum' "$again axt-reduce max --over time"
	methods 'lat: mean time: mean time: lat: mean' "$again axt-reduce mean --over lat,time"
}

@test "cell_methods of a climatology" {
	make_months
	for f in month season dayofyear; do
		methods 'time: mean within years time: mean over years' "axt-reduce mean --over time --by cm.nc:time.$f cm.nc:t"
	done
	methods 'time: minimum within years time: minimum over years' 'axt-reduce min --over time --by cm.nc:time.month cm.nc:t'
	methods 'time: standard_deviation' 'axt-reduce std --over time --by cm.nc:time.month cm.nc:t'
	again() { # BEFORE AFTER: of data that have methods already
		methods "$2" "axt-copy --attr cell_methods='$1' cm.nc:t | axt-reduce mean --over time --by time.month"
	}
	again 'time: mean' 'time: mean within years time: mean over years'
	again 'lat: lon: mean time: mean' 'lat: lon: mean time: mean within years time: mean over years'
	again 'time: maximum' 'time: maximum time: mean within years time: mean over years'
	again 'lat: time: mean' 'lat: time: mean time: mean within years time: mean over years'
	methods 'time: mean' 'axt-reduce mean --over time --by cm.nc:time.year cm.nc:t'
	axt-slice time=0:12 cm.nc:t -o one.nc
	methods 'time: mean' 'axt-reduce mean --over time --by one.nc:time.season one.nc:t'
	methods 'time: mean' 'axt-reduce mean --over time --by one.nc:time.month one.nc:t'
}

# csv PIPELINE LINE...: the lines that its result has as CSV.
csv()
{
	prints "$(printf '%s\n' "${@:2}")" "$1 | axt-print --csv"
}

@test "--by with weights along the grouped axis, and long rows" {
	axt-make normal y=24,x=20000 --seed 1 --name t -o q.nc
	axt-calc 'iota(y=24)//12' --name k --dtype i32 -o k.nc
	axt-reduce mean --over y --by k.nc q.nc -o want.nc
	for d in f64 f32 i16; do
		axt-make full:2 y=24 --dtype $d --name w -o w.nc
		for t in 1 2; do
			works "axt-reduce mean -t $t --over y --by k.nc --weights w.nc q.nc -o r.nc && axt-equal --rtol 1e-4 --atol 1e-5 r.nc want.nc"
		done
	done
}

@test "--by: labels of several axes" {
	make_a
	csv 'axt-reduce -q count --by a.nc a.nc | axt-slice group=0:2' group,tensor 0,1 1,1
	printf 'lat,lon,basin\n0,0,1\n0,1,2\n0,2,2\n1,0,1\n1,1,7\n1,2,nan\n' | axt-from - --format csv --to lat,lon -o basin.nc
	axt-make iota time=2,lat=2,lon=3 --dtype f32 -o t.nc
	csv 'axt-reduce sum --by basin.nc --over lon,lat t.nc' time,basin,tensor 0,1,3 0,2,3 0,7,4 1,1,15 1,2,15 1,7,10
	csv 'axt-reduce -q median --by basin.nc t.nc' basin,tensor 1,4.5 2,4.5 7,7
	csv 'axt-reduce max --by basin.nc --to time,basin t.nc | axt-slice time=1' basin,tensor 1,9 2,8 7,10
	fails 1 'axt-reduce: the axis "lat" of the labels (basin.nc*) is kept: it has to be reduced' 'axt-reduce sum --over lon --by basin.nc t.nc'
}

# cells.nc: dst over x of x.nc.
make_cells()
{
	axt-make iota x=6 --dtype f32 -o x.nc
	printf 'x,dst\n0,1\n1,3\n2,3\n3,5\n4,1\n5,9\n' | axt-from - --format csv --to x -o cells.nc
}

@test "--labels: exactly these labels, in this order" {
	make_cells
	csv 'axt-reduce sum --by cells.nc --labels 1:9 x.nc' dst,tensor 1,4 2,0 3,3 4,0 5,3 6,0 7,0 8,0 9,5
	csv 'axt-reduce count --by cells.nc --labels 0,9,1:5 x.nc' dst,tensor 0,0 9,1 1,2 2,0 3,2 4,0 5,1
	axt-make iota:9:-4 x=3 --name set -o set.nc
	csv 'axt-reduce sum --by cells.nc --labels set.nc --drop-others x.nc' dst,tensor 9,5 5,3 1,4
	csv 'axt-reduce sum --by cells.nc --labels -1:1 --drop-others x.nc' dst,tensor -1,0 0,0 1,4
	csv "axt-calc 'sum(x, by=d, labels=4:9, drop_others=true)' x=x.nc d=cells.nc" dst,tensor 4,0 5,3 6,0 7,0 8,0 9,5
	csv "axt-calc 'sum(x, by=d, labels=(9,5), drop_others=true)' x=x.nc d=cells.nc" dst,tensor 9,5 5,3
	csv "axt-calc 'sum(x, by=d, labels=s, drop_others=true)' x=x.nc d=cells.nc s=set.nc" dst,tensor 9,5 5,3 1,4
}

@test "--labels: what labels without elements give" {
	make_cells
	for op in mean min max ptp median quantile:0.5; do
		axt-reduce $op --by cells.nc --labels 2:3 --drop-others x.nc -o y.nc
		output=$(axt-print y.nc:tensor | head -n 1)
		[ "$output" = nan ]
		[ "$(axt-attr _FillValue y.nc)" = _FillValue:=NaNf ]
	done
	csv 'axt-reduce argmax --by cells.nc --labels 2:3 --drop-others x.nc' dst,tensor 2,-1 3,2
	fails 1 'axt-reduce: label 2 of cells.nc:dst has no elements, and min of none is no i64' \
		'axt-make iota x=6 | axt-reduce min --by cells.nc --labels 1:9'
	hints 'axt-cast --dtype f64 makes numbers that can be missing'
	csv 'axt-reduce max --by cells.nc --labels 9,5,3,1 x.nc | axt-cast --dtype i64' dst,tensor 9,5 5,3 3,2 1,4
}

@test "--labels: text, and fields of dates" {
	axt-make iota time=90 --dtype f32 | axt-coord set time=0:1 --attr 'time:units=days since 2010-01-01' -o t.nc
	csv 'axt-reduce count --by time.month --labels 1:12 t.nc | axt-slice month@2:5' month,tensor 2,28 3,31 4,0 5,0
	csv 'axt-reduce count --by time.season --labels JJA,MAM,DJF t.nc' season,tensor JJA,0 MAM,31 DJF,59
	fails 1 'axt-reduce: 59 of 90 labels of t.nc:tensor are none of those given: the first is "DJF"' 'axt-reduce count --by time.season --labels JJA,MAM t.nc'
	hints '--drop-others leaves them out'
}

@test "--by of several labels: an axis for each" {
	make_cells
	fails 2 'axt-reduce: --by is given twice: time.year and time.month' 'axt-reduce mean --by time.year --by time.month x.nc'
	hints '--by time.year,time.month'
	make_days
	csv 'axt-reduce -q count --by time.year,time.season days.nc | axt-slice year@2011' season,tensor DJF,180 MAM,184 JJA,184 SON,182
	works 'axt-reduce mean --over time --by time.year,time.month days.nc -o ym.nc && axt-reduce mean --every month days.nc -o m.nc'
	prints "$(axt-print m.nc)" 'axt-flatten year,month=time ym.nc | axt-slice time=:27 -p'
	axt-make iota:1 t=4 --dtype i32 -o v.nc
	py 'f = h5py.File("l.nc", "w"); f["a"] = [1, 1, 2, 2]; f["b"] = np.array(["x", "y", "y", ""], "S1")
for d in f.values(): d.dims[0].label = "t"'
	csv 'axt-reduce -q sum --by l.nc:a,b v.nc' a,b,tensor 1,x,1 1,y,2 2,x,0 2,y,3
	csv 'axt-reduce sum --by l.nc:a,l.nc:b --to b,a v.nc' b,a,tensor x,1,1 x,2,0 y,1,2 y,2,3
	csv 'axt-reduce -q mean --by l.nc:a,b v.nc' a,b,tensor 1,x,1 1,y,2 2,x, 2,y,3
	fails 1 'axt-reduce: label a 2, b "x" of l.nc:a and l.nc:b has no elements, and max of none is no i32' 'axt-reduce max --by l.nc:a,b v.nc'
	hints 'axt-cast --dtype f64 makes numbers that can be missing'
	fails 1 'axt-reduce: two tensors of labels are named "a": l.nc:a and l.nc:a' 'axt-reduce sum --by l.nc:a,a v.nc'
	fails 2 'axt-reduce: a list of labels has an empty part: "l.nc:a,"' 'axt-reduce sum --by l.nc:a, v.nc'
	fails 1 'axt-reduce: --labels lists the labels of one tensor, and there are 2 of them here: *' 'axt-reduce sum --by l.nc:a,b --labels 1:2 v.nc'
	fails 1 'axt-reduce: *"c"*' 'axt-reduce sum --by l.nc:a,c v.nc'
}

@test "--by of a field of a file: the labels are those of the operand's own axis" {
	make_days
	works 'axt-reduce -q mean --by days.nc:time.season days.nc -o f.nc; axt-reduce -q mean --by time.season days.nc -o s.nc; axt-equal f.nc s.nc'
	csv 'axt-reduce -q count --by days.nc:time.season days.nc | axt-slice season@JJA,SON' season,tensor JJA,368 SON,364
}

@test "--labels: errors" {
	make_cells
	fails 1 'axt-reduce: 1 of 6 labels of cells.nc:dst are none of those given: they run from 1 to 9' \
		'axt-reduce sum --by cells.nc --labels 1:5 x.nc'
	hints '--drop-others leaves them out'
	fails 1 'axt-reduce: 3 of 6 labels of cells.nc:dst are none of those given: the first is 3*' \
		'axt-reduce sum --by cells.nc --labels 9,1 x.nc'
	fails 2 'axt-reduce: "a" is no label of cells.nc:dst, which has i64' 'axt-reduce sum --by cells.nc --labels 1,a x.nc'
	hints 'labels are a range of integers A:B, a list a,b,c, or FILE:DATASET'
	fails 2 'axt-reduce: "1.5" is no label of *' 'axt-reduce sum --by cells.nc --labels 1,1.5 x.nc'
	fails 1 'axt-reduce: *has 9 twice, at index 0 and 2' 'axt-reduce sum --by cells.nc --labels 9,1,9 x.nc'
	fails 2 'axt-reduce: "none" is no label of cells.nc:dst, which has i64' 'axt-reduce sum --by cells.nc --labels none x.nc'
	fails 2 'axt-reduce: --labels goes with --by' 'axt-reduce sum --labels 1:5 x.nc'
	fails 2 'axt-reduce: --drop-others goes with --labels' 'axt-reduce sum --by cells.nc --drop-others x.nc'
}

@test "--by: errors" {
	make_a
	make_labels
	fails 1 'axt-reduce: labels have an axis: a number has none' 'axt-reduce sum --by 3 a.nc'
	fails 1 'axt-reduce: the axis "lon" of the labels (lab.nc:odd) is kept: it has to be reduced' 'axt-reduce sum --over lat --by lab.nc:odd a.nc'
	fails 1 'axt-reduce: the labels have the axis "z", which a.nc:tensor lacks' \
		'axt-make iota z=3 | axt-reduce -q sum --by - a.nc'
	fails 1 'axt-reduce: *axis "lon" has length 3 in * and 4 in *' 'axt-make iota lon=4 | axt-reduce sum --by - a.nc'
	fails 1 'axt-reduce: labels cannot be c64 (*' 'axt-make ones lon=3 --dtype c64 | axt-reduce sum --by - a.nc'
	fails 1 'axt-reduce: axis "lat" stands twice in *' 'axt-make iota lon=3 --name lat | axt-reduce sum --over lon --by - a.nc'
	fails 1 'axt-reduce: *lab.nc: no dataset "none"*' 'axt-reduce sum --by lab.nc:none a.nc'
}

@test "median and quantiles" {
	make_a
	prints $'1.5\n2.5\n3.5' 'axt-reduce median --over lat a.nc -p'
	prints $'1\n4' 'axt-reduce median --over lon a.nc -p'
	prints $'median\t2.5\nquantile_0.9\t4.5\nquantile_1\t5' 'axt-reduce median,quantile:0.9,quantile:1 a.nc -p'
	prints $'mean\tnan\ncount\t2' 'axt-make iota y=2 --dtype f64 | axt-reduce mean,count --min-count 3 -p'
	fails 2 'axt-reduce: min_count gives missing values, which i32 does not have' 'axt-reduce sum --dtype i32 --min-count 2 a.nc -p'
	fails 2 'axt-reduce: --ddof takes a number, not "nan"' 'axt-reduce var --ddof nan a.nc -p'
	fails 2 'axt-reduce: --q is there already' 'axt-reduce quantile:0.9 --q 0.1 a.nc -p'
	works 'axt-reduce quantile:0.25,quantile:.75 --to lon a.nc | axt-print -:quantile_.75'
	prints $'0.75\n1.75\n2.75' 'axt-reduce quantile:0.25 --to lon a.nc -p'
	fails 2 'axt-reduce: needs --q Q' 'axt-reduce quantile a.nc -p'
	fails 2 'axt-reduce: --q takes a number from 0 to 1*' 'axt-reduce quantile:1.5 a.nc -p'
	fails 2 'axt-reduce: --q takes a number from 0 to 1*' 'axt-reduce quantile:nan a.nc -p'
	fails 2 'axt-reduce: median takes no number' 'axt-reduce median:2 a.nc -p'
	axt-make zeros lat=2 --dtype i32 -o by.nc
	fails 2 'axt-reduce: --weights is not for max' 'axt-reduce max --weights a.nc a.nc -p'
	works 'axt-reduce median --over lat --by by.nc --weights a.nc a.nc -p'
	prints 3.909090909090909 'axt-reduce median --weights a.nc a.nc -p'
	axt-map negative a.nc -o negative.nc
	fails 1 'axt-reduce: wquantile of a.nc:tensor*: a weight is negative' 'axt-reduce median --weights negative.nc a.nc -p'
	fails 1 'axt-reduce: *median*does not fit i32*' 'axt-make full:nan x=3 | axt-reduce median --dtype i32 -p'
	axt-make zeros x=0,y=2 -o e.nc
	fails 1 'axt-reduce: median over the empty axis "x"*' 'axt-reduce median --over x e.nc -p'
	fails 1 'axt-reduce: median is not defined for c64*' 'axt-make zeros x=2 --dtype c64 | axt-reduce median -p'
}

@test "quantiles: one pass for several, missing values, long lines counted" {
	axt-make normal t=40,x=30 --seed 1 -o r.nc
	works 'axt-reduce median,quantile:0.1 --over t r.nc --explain'
	[[ $output == "pass 1 of 1: lines -> f32, f32"*"reduces: median, quantile of 40 elements each"* ]]
	works 'axt-make normal t=300000 --seed 1 -o l.nc'
	works 'axt-reduce median l.nc --explain'
	[[ $output == *"reduces: median of 300000 elements each, counted"* ]]
	works 'axt-reduce median,quantile:0.3 --no-history l.nc -o 1.nc -t 1'
	works 'axt-reduce median,quantile:0.3 --no-history l.nc | cmp - 1.nc'
	py '
f = h5py.File("m.h5", "w"); f["t"] = np.array([[1, -9, 2, 9], [-9, -9, -9, -9]], "f4")
f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints $'2\nnan' 'axt-reduce median --to dim_0 m.h5 -p'
	prints $'nan\nnan' 'axt-reduce median --keep-nan --to dim_0 m.h5 -p'
}

@test "median and quantiles by labels" {
	axt-make iota x=2,t=6 --dtype f32 -o a.nc
	py '
f = h5py.File("l.nc", "w")
f["l"] = [3., 1, 3, np.nan, 1, 3]
f["none"] = [np.nan] * 6
f["many"] = np.arange(1001)
f["n"] = ["b", "a", "b", "", "b", "b"]
'
	py '
f = h5py.File("l.nc", "a")
for v in "l", "none", "n": f[v].dims[0].label = "t"
f["many"].dims[0].label = "t"
'
	prints $'2.5 2\n8.5 8' 'axt-reduce median --over t --by l.nc:l a.nc -p'
	prints $'2.5 8.5\n2 8' 'axt-reduce median --to l,x --by l.nc:l a.nc -p'
	prints $'5.5\n5.5' 'axt-reduce median --to l --by l.nc:l a.nc -p'
	prints $'1 3\n7 9' 'axt-reduce quantile:.5 --over t --by l.nc:n a.nc -p'
	prints $'1.75 1\n7.75 7' 'axt-calc "quantile(a, q=0.25, over=t, by=l)" a=a.nc l=l.nc:l -p'
	prints 'l=0' 'axt-reduce median --over t --by l.nc:none a.nc | axt-rename none=l | axt-info - | grep -o "l=0"'
	works 'axt-reduce median,mean,quantile:.9 --over t --by l.nc:l a.nc -o o.nc'
	prints $'2.5 2\n8.5 8' 'axt-print o.nc:median'
	fails 1 'axt-reduce: median takes up to 1000 labels, and there are 1001*' 'axt-make iota t=1001 | axt-reduce median --by l.nc:many'
	fails 1 'axt-reduce: *the axis "t" of the labels (l.nc:l) is kept*' 'axt-reduce median --over x --by l.nc:l a.nc'
}

make_days()
{
	axt-make iota time=800,x=2 | axt-coord set time=0:1 --attr 'time:units=days since 2010-01-01' -o days.nc
}

@test "by a field of its own dates" {
	make_days
	prints $'year\n2010\n2011\n2012' "axt-reduce -q sum --by time.year days.nc | axt-print --csv | cut -d, -f1"
	prints $'season\nDJF\nMAM\nJJA\nSON' "axt-reduce -q sum --by time.season days.nc | axt-print --csv | cut -d, -f1"
	prints 0 "axt-reduce sum --over time --by time.date days.nc | axt-slice date@2010-01-01 x=0 -p"
	works 'axt-reduce mean --over time --by time.month days.nc -o a.nc'
	works 'axt-reduce mean --over time --by days.nc:time.month days.nc -o b.nc; axt-equal a.nc b.nc'
	works 'axt-copy days.nc | axt-reduce mean --over time --by time.month | axt-equal a.nc'
	works "axt-calc 'mean(d, over=time, by=time.month)' d=days.nc | axt-equal a.nc"
	fails 1 'axt-reduce: month: No such file*' 'axt-reduce mean --by month days.nc'
	hints 'axt-reduce mean --by time.month days.nc'
	fails 1 'axt-reduce: axis "x" in days.nc:tensor is no CF time axis*' 'axt-reduce mean --by x.month days.nc'
	fails 1 'axt-calc:*no axis "y.month" in days.nc:tensor*' "axt-calc 'mean(d, by=y.month)' d=days.nc"
}

@test "every month" {
	make_days
	prints $'time,x,tensor\n2010-01-16T12:00:00,0,30\n2010-01-16T12:00:00,1,31\n2010-02-15,0,89' \
	    'axt-reduce mean --every month days.nc | axt-print --csv | head -n 4'
	works 'axt-reduce mean --every month days.nc -o m.nc'
	prints $'0 31\n31 59' 'axt-slice time=:2 m.nc:time_bnds -p --raw'
	prints 'time: mean' 'axt-attr cell_methods m.nc | cut -d= -f2'
	works "axt-calc 'mean(d, every=month)' d=days.nc | axt-equal m.nc"
	works 'axt-copy days.nc | axt-reduce mean --every month | axt-add - 0 | axt-equal m.nc'
	works 'axt-reduce mean,median --every month --to x,time days.nc -o o.nc; axt-order time,x o.nc:mean | axt-equal m.nc'
	prints '-31 59' 'axt-reduce max --every season days.nc -o s.nc; axt-print s.nc:time_bnds | head -n 1'
	prints $'160' "axt-reduce count --every '5 days' days.nc | axt-slice x=0 | axt-reduce count -p"
	fails 2 'axt-reduce: "fortnight" is no period of time' 'axt-reduce mean --every fortnight days.nc'
	fails 1 'axt-reduce: no axis of CF times in *' 'axt-make iota x=2 | axt-reduce mean --every month'
	fails 1 'axt-reduce: labels and periods do not go together' 'axt-reduce mean --every month --by time.year days.nc'
}

@test "a whole file by its own dates" {
	make_days
	axt-make iota x=2 --name mask | axt-copy days.nc - -o two.nc
	for how in '--every month' '--over time --by time.month'; do
		works "axt-reduce mean $how 'two.nc:*' -o o.nc -q"
		works "axt-equal o.nc:mask two.nc:mask"
		works "axt-reduce mean $how days.nc | axt-equal o.nc:tensor"
	done
	works "axt-slice time.year@2011 'two.nc:*' -o o.nc; axt-equal o.nc:mask two.nc:mask"
	fails 1 'axt-reduce: no axis "time.month" in two.nc:mask*' 'axt-reduce mean --by time.month two.nc:mask'
}

@test "labels of the dates of a file whose tensor has been cut: the hint takes those of the operand" {
	make_cf
	works 'axt-window time=w:2 cf.nc:t -o w.nc'
	fails 1 'axt-reduce: axis "time" has length *' 'axt-reduce mean --over time,w --by cf.nc:time.year w.nc -o o.nc'
	hints '--by time.year takes the dates of the operand itself'
	works 'axt-reduce mean --over time,w --by time.year w.nc -o o.nc'
}

@test "of bool, sum counts what is true and count what is there" {
	axt-make iota x=5 | axt-gt - 1 -o b.nc
	prints $'sum\t3\ncount\t5' 'axt-reduce -q sum,count b.nc -p'
	warned 'axt-reduce: warning: count counts what is not missing, and in b.nc:tensor, which is bool, nothing is; sum counts the true ones' 'axt-reduce count b.nc -p'
	axt-make iota x=5 --name n -o n.nc
	warned 'axt-calc: warning: count counts what is not missing, and in n > 1, which is bool, *' 'axt-calc "count(n > 1, over=x)" n.nc -p'
	works 'axt-reduce count --by n.nc b.nc -p; axt-reduce sum b.nc -p; axt-reduce count n.nc -p'
}

@test "weights by the length of months; ddof of several operations" {
	axt-make iota day=1096 --dtype f64 --name t | axt-rename day=time | axt-coord set time=0:1 --attr 'time:units=days since 2003-01-01' - -o d.nc
	works 'axt-reduce mean --every month d.nc -o m.nc'
	prints '31 28 31 29' 'axt-print m.nc:time.daysinmonth | sed -n "1p;2p;13p;14p" | paste -sd " "'
	works 'axt-reduce mean --every year --weights m.nc:time.daysinmonth m.nc -o a.nc && axt-reduce mean --every year d.nc -o b.nc && axt-equal --rtol 1e-12 a.nc:t b.nc:t'
	works 'axt-reduce mean,std --ddof 1 --over time d.nc -o two.nc && axt-reduce std --ddof 1 --over time d.nc -o one.nc'
	prints "$(axt-print one.nc)" 'axt-print two.nc:std'
	fails 2 'axt-reduce: --ddof is not for mean' 'axt-reduce mean,max --ddof 1 --over time d.nc -o no.nc'
}

@test "areas of cells without axes of latitudes are those that cell_measures names" {
	py "
f = h5py.File('i.nc', 'w')
f['clat'], f['clon'], f['cell_area'], f['t'] = np.array([10., 20, 30]), np.zeros(3), np.array([1., 2, 5]), np.array([1., 2, 3])
for n in f:
    f[n].dims[0].label = 'cell'
f['clat'].attrs['units'], f['clon'].attrs['units'] = 'degrees_north', 'degrees_east'
f['t'].attrs.update(coordinates='clat clon', cell_measures='area: cell_area')
f['u'] = np.array([1., 2, 3])
f['u'].dims[0].label = 'cell'
f['u'].attrs.update(coordinates='clat clon', cell_measures='area: elsewhere')"
	prints 2.5 'axt-reduce mean --over cell --weights area i.nc:t -p'
	prints 2.5 "axt-calc 'mean(t, over=cell, weights=area(t))' i.nc -p"
	fails 1 'axt-reduce: areas need latitudes that are an axis, *' 'axt-reduce mean --over cell --weights area i.nc:u -p'
}

@test "weighted quantiles by labels are those of each group alone" {
	py "
r = np.random.default_rng(3)
f = h5py.File('q.nc', 'w')
f['a'], f['w'], f['by'] = r.normal(size=(6, 5, 4)), r.random((5, 4)), r.integers(0, 3, (5, 4))
f['t'], f['wt'] = np.array([0, 1, 0, 1, 1, 0]), r.random(6)
f['many'], f['m'] = r.normal(size=(500, 2, 3)), np.arange(500) // 2
for n, axes in dict(a='xyz', w='yz', by='yz', t='x', wt='x', many='ijk', m='i').items():
    for i, c in enumerate(axes):
        f[n].dims[i].label = c"
	for k in 0 1 2; do
		works "axt-calc 'quantile(a, q=0.3, over=(y,z), by=by, weights=w)[by@$k]' q.nc -o some.nc"
		works "axt-calc 'quantile(where(by == $k, a, nan), q=0.3, over=(y,z), weights=w, skip_nan=true)' q.nc -o one.nc"
		works 'axt-equal --rtol 1e-13 some.nc one.nc'
	done
	works "axt-reduce median --over x --by q.nc:t --weights q.nc:wt q.nc:a | axt-slice t@1 -o some.nc"
	works "axt-calc 'median(where(t == 1, a, nan), over=x, weights=wt, skip_nan=true)' q.nc | axt-equal --rtol 1e-13 - some.nc"
	# the weights lack axes of the labels; a group that does not occur
	works 'axt-reduce median --over y,z --by q.nc:by --labels 2,7 --drop-others --weights q.nc:wt q.nc:a -o some.nc'
	prints 'a f64 x=6 by=2' 'axt-info --brief some.nc'
	prints nan 'axt-slice by@7 some.nc | axt-print | sort -u'
	works "axt-calc 'median(many, by=m, over=(i,j,k), weights=abs(many))' q.nc -o o.nc"
	fails 1 'axt-reduce: median with weights takes up to 250 labels, and there are 500 *' \
	    'axt-make iota i=500 -o l.nc; axt-reduce median --over i --by l.nc --weights l.nc q.nc:many'
}

@test "areas of cells by their vertices, in degrees and radians, padded, and over two axes" {
	py "
def grid(name, axes, lat, lon, at, bounds, units='degrees', fill=None):
    f = h5py.File(name, 'w')
    for c, v, u in ('lat', lat, 'north'), ('lon', lon, 'east'):
        v = np.array(v, float)
        f['c' + c] = np.zeros(v.shape[:-1])
        f['c' + c].attrs.update(units=f'{units}_{u}' if units == 'degrees' else units, bounds=bounds + c,
                                standard_name={'lat': 'latitude', 'lon': 'longitude'}[c])
        f[bounds + c] = v
        if fill is not None:
            f[bounds + c].attrs['_FillValue'] = float(fill)
    f['t'] = np.array(at, float)
    f['t'].attrs['coordinates'] = 'clat clon'
    for n in f:
        for i, x in enumerate((axes + ['nv'])[:f[n].ndim]):
            f[n].dims[i].label = x

# an octant; one of 30 degrees of longitude; one of 60 degrees the other way round, up to the pole
lat = np.array([[0, 0, 90, 90], [0, 0, 90, 90], [90, 0, 0, 90]])
lon = np.array([[0, 90, 90, 0], [0, 30, 30, 0], [0, -60, 0, 0]])
grid('d.nc', ['cell'], lat, lon, [1, 2, 3], 'b')
grid('r.nc', ['cell'], np.radians(lat), np.radians(lon), [1, 2, 3], 'b', 'radian')
lat[0, 3] = lon[0, 3] = lat[1, 0] = lon[1, 0] = -999
lat[1], lon[1] = [-999, 0, 0, 90], [-999, 0, 30, 0]
grid('fill.nc', ['cell'], lat, lon, [1, 2, 3], 'b', fill=-999)
lat[1, 1] = lon[1, 1] = -999
grid('none.nc', ['cell'], lat, lon, [1, 2, 3], 'b', fill=-999)
lat, lon = np.meshgrid([-90, -10, 20, 90], [0, 20, 80, 180, 300, 360], indexing='ij')
corners = lambda v: np.stack([v[:-1, :-1], v[:-1, 1:], v[1:, 1:], v[1:, :-1]], -1)
grid('two.nc', ['y', 'x'], corners(lat), corners(lon), np.arange(15).reshape(3, 5), 'b')
cross = np.array([[[0, 0, 10, 10]]]), np.array([[[0, 10, 0, 10]]])
grid('cross.nc', ['y', 'x'], *cross, [[1]], 'b')
grid('pairs.nc', ['cell'], [[0, 10]], [[0, 10]], [1], 'b')"
	for f in d r fill; do
		prints '0.5000 0.1667 0.3333' "axt-calc 'area(t)/pi' $f.nc | axt-print --format %.4f - | paste -sd ' '"
		prints 1.8333 "axt-reduce mean --over cell --weights area $f.nc:t | axt-print --format %.4f -"
		prints 1.8333 "axt-calc 'mean(t, over=cell, weights=area(t))' $f.nc | axt-print --format %.4f -"
	done
	prints 2.6667 'axt-slice cell=1: d.nc:t | axt-reduce mean --over cell --weights area | axt-print --format %.4f -'
	# a cell with less than 3 vertices has no area, and does not count
	prints '0.5000 nan 0.3333' "axt-calc 'area(t)/pi' none.nc | axt-print --format %.4f - | paste -sd ' '"
	prints 1.8000 'axt-reduce mean --over cell --weights area none.nc:t | axt-print --format %.4f -'
	# cells that cover the sphere; the areas have the coordinates of cells
	prints 4.0000 "axt-calc 'sum(area(t), over=(y,x))/pi' two.nc | axt-print --format %.4f -"
	works "axt-calc 'area(t)' two.nc -o area.nc"
	prints 'coordinates=clat clon' 'axt-attr coordinates area.nc'
	works 'axt-reduce sum --over y,x --weights area two.nc:t -o s.nc && axt-reduce sum --over y,x --weights area.nc two.nc:t | axt-equal s.nc:t -'
	warned "axt-calc: warning: edges of 1 of 1 cells of cross.nc:t cross each other: *" "axt-calc 'area(t)' cross.nc -o o.nc"
	fails 1 'axt-reduce: areas need latitudes that are an axis, or vertices *' 'axt-reduce mean --over cell --weights area pairs.nc:t'
}

@test "areas that cell_measures names go along, and are those of a regular grid, too" {
	py "
f = h5py.File('r.nc', 'w')
f['lat'], f['lon'] = np.array([0., 60.]), np.array([0., 90., 180.])
f['lat'].attrs['units'], f['lon'].attrs['units'] = 'degrees_north', 'degrees_east'
f['areacella'] = np.array([[1., 2, 3], [4, 5, 6]])
f['t'] = np.array([[10., 20, 30], [40, 50, 60]])
f['plain'] = f['t'][...]
for n in 'lat', 'lon':
    f[n].make_scale(n)
for n in 'areacella', 't', 'plain':
    for i, a in enumerate(('lat', 'lon')):
        f[n].dims[i].attach_scale(f[a])
f['areacella'].attrs['units'] = 'm2'
f['t'].attrs['cell_measures'] = 'area: areacella'"
	prints 43.333333333333336 'axt-reduce mean --over lat,lon --weights area r.nc:t -p'
	prints 43.333333333333336 "axt-calc 'mean(t, over=(lat,lon), weights=area(t))' r.nc -p"
	prints 30 'axt-reduce mean --over lat,lon --weights area r.nc:plain -p'
	prints 910 'axt-reduce sum --over lat,lon --weights area r.nc:t -p'
	works 'axt-slice lon@90: r.nc:t -o s.nc'
	prints '2 3 5 6' 'axt-print s.nc:areacella | paste -sd " "'
	prints 'cell_measures=area: areacella' 'axt-attr cell_measures s.nc:t'
	prints 46.25 'axt-slice lon@90: r.nc:t | axt-reduce mean --over lat,lon --weights area - -p'
	# a mean over longitudes has no such cells: its areas are computed
	prints 40 'axt-reduce max --over lon r.nc:t | axt-reduce mean --over lat --weights area - -p'
}

@test "a dataset of text beside the operand is labels; a hint names one of several whose path has blanks" {
	py "
f = h5py.File('s.nc', 'w')
f['temp'] = np.arange(3.)
f['name'] = ['a', 'b', 'c']
g = h5py.File('h.h5', 'w')
g['My Grid/Data A'], g['My Grid/Data B'] = 1., 2."
	prints $'0\n1\n2' 'axt-reduce mean --by name s.nc:temp -p'
	fails 1 'axt-reduce: name: No such file or directory' 'axt-slice dim_0=1: s.nc:temp | axt-reduce mean --by name -p'
	fails 1 'axt-reduce: h.h5 holds several tensors: *' 'axt-reduce mean -p h.h5'
	hints 'axt-reduce --each mean -p h.h5'
}

@test "elements whose weight is missing are left out" {
	# w is 1, 3 and missing over sea; of u some values are missing, too; n declares none, and has one where w is missing.
	py '
f = h5py.File("m.nc", "w")
f["x"] = np.arange(4.); f["x"].make_scale("x")
for n, v, miss in (("w", [1, -9, 3, -9], 1), ("u", [-9, 5, 8, 6.], 1), ("n", [2, np.nan, 6, np.inf], 0), ("k", [2, 7, 6, 7], 0), ("none", [-9.] * 4, 1)):
    f[n] = np.array(v, "i4" if n == "k" else "f8")
    f[n].dims[0].attach_scale(f["x"])
    if miss: f[n].attrs["_FillValue"] = np.float64(-9)
'
	for a in n k; do
		prints $'mean\t5\nsum\t20\nvar\t3\nmedian\t5.6000000000000005' "axt-reduce mean,sum,var,median --weights m.nc:w m.nc:$a -p"
		prints 5 "axt-calc 'mean($a, weights=w)' m.nc -p"
	done
	prints $'mean\t8\nsum\t24\nvar\t0\nmedian\t8' 'axt-reduce mean,sum,var,median --weights m.nc:w m.nc:u -p'
	prints '5 5' 'axt-calc "b = n + zeros(y=2)" m.nc | axt-reduce mean --over x --weights m.nc:w -p | xargs'
	prints nan 'axt-reduce mean --keep-nan --weights m.nc:w m.nc:k -p'
	prints $'mean\tnan\nsum\tnan' 'axt-reduce mean,sum --weights m.nc:none m.nc:u -p'
	prints $'corr\t1\ncov\t6' 'axt-calc "corr(k, k*2, weights=w), cov(n, k*2, weights=w)" m.nc -p'
	prints '1 3' 'axt-hist --bins 2 --range 0,8 --weights m.nc:w m.nc:n -p | xargs'
	prints '1 3' 'axt-calc "hist(k, bins=2, range=(0,8), weights=w)" m.nc -p | xargs'
	prints $'k,n\n2,2\n6,6\n7,' 'axt-reduce mean --by m.nc:k --weights m.nc:w m.nc:n | axt-print --csv'
}

@test "weights without missing values need no step more" {
	axt-make iota x=3 -o a.nc
	sh_run 'axt-reduce mean --weights a.nc a.nc --explain'
	[[ $output != *fillnan* && $output != *where* ]]
}

@test "--by takes what the operand brings: a coordinate that is no axis, or a dataset beside it; a file comes first" {
	printf 'date,station,lat,tmean\n2020-01-30,A,1,10\n2020-02-01,A,1,20\n2020-01-30,B,2,0\n2020-02-01,B,2,2\n' >m.csv
	axt-from m.csv -o m.nc
	prints $'station,tmean\nA,15\nB,1' 'axt-reduce mean --by station m.nc:tmean | axt-print --csv'
	prints $'lat,tmean\n1,15\n2,1' 'axt-reduce mean --by lat m.nc:tmean | axt-print --csv'
	prints $'station,lat,tmean\nA,1,15\nB,2,1' 'axt-from m.csv | axt-reduce mean --over row --by station | axt-print --csv'
	for way in 0 1; do
		prints 1 "export AXT_FUSE=$way; axt-slice row=2:4 m.nc:tmean | axt-reduce mean --by station -p"
		prints $'station,date,tmean\nA,2020-01-30,10\nA,2020-02-01,20\nB,2020-01-30,0\nB,2020-02-01,2' \
			"export AXT_FUSE=$way; axt-slice row=: m.nc:tmean | axt-reduce mean --by station,date | axt-print --csv"
	done
	axt-coord set row=m.csv:date m.nc:tmean -o m2.nc
	prints $'10 0\n20 2' 'axt-reduce mean m2.nc --by row.month,station -p'
	prints $'1\n15' 'axt-reduce mean --by station --labels B,A m.nc:tmean -p'
	# a dataset that does not go along with a part of the operand is not taken
	fails 1 'axt-reduce: lat: No such file or directory' 'axt-slice row=1:4 m.nc:tmean | axt-reduce mean --by lat -p'
	fails 1 'axt-reduce: nosuch: No such file or directory' 'axt-reduce mean m2.nc --by row.month,nosuch -p'
	axt-make iota row=4 -o station
	prints $'10\n20\n0\n2' 'axt-reduce mean --by station m.nc:tmean -p'
}

@test "with --dtype of floats, sums and products of integers do not wrap around" {
	axt-make full:9000000000000000000 x=3 --name a -o a.nc
	axt-make full:4000000000 x=3 --dtype u32 --name u -o u.nc
	axt-make zeros x=3 --dtype i32 -o by.nc
	prints 2.7e+19 'axt-reduce sum --dtype f64 a.nc -p'
	prints 2.7e+19 'axt-reduce sum --dtype f64 a.nc | axt-print'
	prints 2.7e+19 'axt-reduce sum --dtype f64 --by by.nc a.nc -p'
	prints 2.7e+19 "axt-calc 'sum(a, dtype=f32)' a.nc -p"
	prints 6.4e+28 'axt-reduce prod --dtype f64 u.nc -p'
	prints 4.8e+19 'axt-reduce sumsq --dtype f64 u.nc -p'
	prints 12000000000 'axt-reduce sum --dtype f64 u.nc -p'
	prints inf 'axt-reduce sum --dtype f16 a.nc -p'
	prints 8553255926290448384 'axt-reduce sum a.nc -p'
	prints $'9e+18\n1.8e+19\n2.7e+19' 'axt-scan sum --along x --dtype f64 a.nc -p'
	prints $'4000000000\n1.6e+19\n6.4e+28' 'axt-scan prod --along x --dtype f32 u.nc -p'
	prints 2.43e+38 'axt-dot a.nc a.nc --dtype f64 -p'
	prints 2.43e+38 "axt-calc 'dot(a, a, dtype=f32)' a.nc -p"
}

@test "times as weights: a warning" {
	axt-make iota t=3 --name v | axt-coord set t=0:31 --attr 't:units=days since 2001-01-01' -o a.nc
	warned 'axt-reduce: warning: the weights a.nc:t are times, "days since 2001-01-01"; the days of each month are t.daysinmonth' 'axt-reduce mean --over t --weights a.nc:t a.nc:v -p'
	warned 'axt-calc: warning: the weights a.nc:t are times, *' 'axt-calc "mean(v, over=t, weights=t)" a.nc -p'
	works 'axt-calc "mean(v, over=t, weights=t.daysinmonth)" a.nc -p'
}

@test "what cannot be read is named, also where the result is text" {
	py 'f = h5py.File("w.h5", "w"); f["a"] = np.arange(3.); f.create_dataset("v", (2,), dtype=h5py.vlen_dtype("i4")); f["b"] = np.arange(2.)'
	for line in "axt-reduce max 'w.h5:*' -p" "axt-add 'w.h5:*' 1 -p" "axt-print 'w.h5:*'" 'axt-reduce max --each w.h5 -p'; do
		sh_run "$line" >/dev/null
		[[ $stderr == *'warning: w.h5:/v is left out: '* ]]
	done
}

@test "what does not fit integers says what does" {
	axt-calc 'cast(iota(x=2) * 200 - 100, i8)' --name v -o i.nc
	fails 1 'axt-reduce: a ptp does not fit i8 in i.nc:v' 'axt-reduce ptp -p i.nc'
	hints '--dtype i16 is wider, in axt-calc cast(a, i16)'
	prints 200 'axt-reduce ptp --dtype i16 -p i.nc' "axt-calc 'ptp(cast(v, i16))' v=i.nc -p"
	axt-gt i.nc 0 --name b -o b.nc
	fails 1 'axt-sub: sub is not defined for bool (b.nc:b)' 'axt-sub b.nc b.nc'
	hints 'axt-cast --dtype i8 makes 0 and 1 of it*axt-ne tells where two of them differ'
	fails 1 'axt-pow: integer to a negative power at x=0' 'axt-pow i.nc -1 -p'
	hints 'an exponent with a point, as -1.0, gives floats'
}

@test "weights that are a field of dates, on a command line and in an expression" {
	axt-make iota time=3,x=2 -o n.nc
	axt-coord set time=0:1 n.nc --attr 'time:units=days since 2000-01-30' -o d.nc
	prints $'1.956043956043956\n2.956043956043956' 'axt-reduce mean --over time --weights time.daysinmonth d.nc -p'
	prints $'1.956043956043956\n2.956043956043956' 'axt-calc "mean(a, over=time, weights=time.daysinmonth)" a=d.nc -p'
	fails 1 'axt-reduce: no axis "zz.month" in d.nc:tensor (time, x (3, 2))' 'axt-reduce mean --over x --weights zz.month d.nc -p'
	fails 1 'axt-calc: no axis "zz.month" in d.nc:tensor (time, x (3, 2)) at *' 'axt-calc "mean(a, over=x, weights=zz.month)" a=d.nc -p'
	fails 1 'axt-reduce: weights are numbers, and time.season is text, such as DJF' 'axt-reduce mean --over time --weights time.season d.nc -p'
	fails 1 'axt-calc: weights are numbers, and time.season is text, such as DJF at *' 'axt-calc "mean(a, over=time, weights=time.season)" a=d.nc -p'
}

@test "widths of bounds as weights of all tensors of a file, also of those without the axis" {
	py '
f = h5py.File("l.nc", "w")
f["lev"] = [850., 500]; f["lev"].make_scale("lev"); f["lev"].attrs["bounds"] = "lev_bnds"
f["lev_bnds"] = [[1000., 700], [700, 600]]
f["tas"] = [1., 5]; f["tas"].dims[0].attach_scale(f["lev"]); f["lev_bnds"].dims[0].attach_scale(f["lev"])
f["ps"] = [3., 4]; f["ps"].dims[0].label = "x"
'
	works "axt-reduce mean --over lev --weights lev.width 'l.nc:*' -o m.nc"
	prints 2 'axt-print m.nc:tas'
	prints $'3\n4' 'axt-print m.nc:ps'
	fails 1 'axt-reduce: no axis "nix.width" in l.nc:tas *' 'axt-reduce mean --over lev --weights nix.width l.nc:tas'
}

@test "a word that an option does not take: all that it takes are said" {
	make_a
	fails 2 'axt-reduce: --method takes linear|*|median_unbiased|normal_unbiased, not "foo"' 'axt-reduce quantile:.5 --method foo a.nc'
}
