load helper

@test "sums, products, minima, maxima so far" {
	make_a
	prints $'0 1 3\n3 7 12' 'axt-scan sum --along lon a.nc -p'
	prints $'0 1 2\n3 5 7' 'axt-scan sum --along lat <a.nc -p'
	prints $'3 3 2\n12 9 5' 'axt-scan sum --along lon --reverse a.nc -p'
	prints $'3 5 7\n3 4 5' 'axt-scan sum --along lat --reverse a.nc -p'
	prints $'0 0 0\n3 12 60' 'axt-scan prod --along lon a.nc -p'
	prints $'0 0 0\n3 3 3' 'axt-scan min --along lon a.nc -p'
	prints $'0 1 2\n3 4 5' 'axt-scan max --along lat a.nc -p'
	[ "$(axt-scan --options | grep -c '^word')" -eq 5 ]
}

@test "dtypes" {
	for d in bool:i64 i8:i64 u16:u64 f32:f32 f16:f16 c64:c64; do
		axt-make ones x=3 --dtype "${d%:*}" -o t.nc
		works "axt-scan sum --along x t.nc | axt-info --json | grep -m 1 dtype"
		[[ $output == *"\"${d#*:}\""* ]]
	done
	axt-make full:100 x=3 --dtype i8 -o t.nc
	prints $'100\n200\n300' 'axt-scan sum --along x t.nc -p'
	works "axt-scan max --along x t.nc | axt-info --json | grep -m 1 dtype"
	[[ $output == *'"i8"'* ]]
	fails 1 'axt-scan: a sum does not fit i8*' 'axt-scan sum --along x --dtype i8 t.nc -p'
	fails 1 'axt-scan: scan max is not defined for c64*' 'axt-make ones x=3 --dtype c64 | axt-scan max --along x -p'
}

@test "NaN stays" {
	axt-make iota x=4 --dtype f32 | axt-eq - 1 | axt-where - nan 2 -o n.nc
	prints $'2\nnan\nnan\nnan' 'axt-scan sum --along x n.nc -p'
	prints $'nan\nnan\n4\n2' 'axt-scan sum --reverse --along x n.nc -p'
	prints $'2\nnan\nnan\nnan' 'axt-scan min --along x n.nc -p'
}

@test "what it is given" {
	make_a
	fails 2 'axt-scan: needs --along AXIS' 'axt-scan sum a.nc -p'
	fails 1 'axt-scan: no axis "x" in a.nc:tensor*' 'axt-scan sum --along x a.nc -p'
	fails 1 'axt-scan: a scan goes along one axis, not 2*' 'axt-scan sum --along lat,lon a.nc -p'
	fails 2 'axt-scan: unknown operation "mean"' 'axt-scan mean --along lon a.nc -p'
	fails 2 'axt-scan: operand OP is missing' 'axt-scan'
}

@test "coordinates and attributes stay, pipes fuse" {
	make_cf
	works 'axt-scan sum --along time cf.nc | axt-print --csv | head -n 2'
	[[ $output == *'2010-01-01,10,0' ]]
	works 'axt-scan sum --along time cf.nc | axt-info --cdl | grep units'
	[[ $output == *'t:units = "K"'* ]]
	export AXT_FUSE=wait
	works 'axt-map negative cf.nc | axt-scan sum --along time --explain -'
	# no writer waits as long as readers take to start under valgrind
	[ "${AXT_SANITIZER-}" = valgrind ] ||
		[[ $output == *"fused: negative"*"scans sum: along time, 2 elements each"* ]]
	prints -12 'axt-map negative cf.nc | axt-scan sum --along lat | axt-reduce min -p'
	axt-make normal t=50,y=7,x=9 --seed 2 -o r.nc
	for along in t y x; do
		works "axt-scan sum --along $along --no-history r.nc -o 1.nc -t 1"
		works "axt-scan sum --along $along --no-history r.nc -t 2 | cmp - 1.nc"
		works "axt-scan sum --along $along --reverse --no-history r.nc -o 1.nc -t 1"
		works "axt-scan sum --along $along --reverse --no-history r.nc -t 2 | cmp - 1.nc"
	done
}

@test "no elements, and one" {
	axt-make zeros x=0,y=2 -o e.nc
	prints '' 'axt-scan sum --along x e.nc -p'
	works 'axt-scan sum --along y e.nc -o o.nc'
	prints 1 'axt-make ones x=1 | axt-scan sum --along x -p'
}

@test "sums begin anew where the label changes: year to date" {
	/usr/bin/python3 -c "import numpy as np, pandas as pd, xarray as xr
r = np.random.default_rng(3)
t = pd.date_range('2000-11-01', periods=800)
x = r.normal(size=(800, 3))
x[100, 1] = np.nan
d = xr.Dataset({'p': (('time', 'x'), x, {'units': 'mm'}), 'i': (('time', 'x'), r.integers(0, 9, (800, 3)))}, {'time': t})
d.to_netcdf('d.nc')
w = d.groupby('time.year').map(lambda g: g.cumsum('time', skipna=False))
for name, f in ('max', np.maximum), ('min', np.minimum), ('prod', np.multiply):
    w[name] = d.p.groupby('time.year').map(lambda g: g.copy(data=f.accumulate(g.values, 0)))
    w[name + 'b'] = d.i[::-1].groupby('time.year').map(lambda g: g.copy(data=f.accumulate(g.values, 0)))[::-1]
w['b'] = d.i[::-1].groupby('time.year').map(lambda g: g.cumsum('time'))[::-1]
w['time'] = d.time
w.to_netcdf('w.nc')"
	prints true 'axt-scan sum --along time --by time.year d.nc:p | axt-equal - w.nc:p --rtol 1e-12 && echo true'
	works 'axt-scan sum --along time --by d.nc:time.year d.nc:i | axt-equal - w.nc:i'
	works 'axt-scan sum --along time --by d.nc:time.year --reverse d.nc:i | axt-equal - w.nc:b'
	works "axt-calc 'scan(i, sum, along=time, by=time.year)' i=d.nc:i | axt-equal - w.nc:i"
	for op in max min; do
		works "axt-scan $op --along time --by time.year d.nc:p | axt-equal - w.nc:$op"
		works "axt-calc 'scan(i, $op, along=time, by=time.year, reverse=true)' i=d.nc:i | axt-equal - w.nc:${op}b"
	done
	works 'axt-scan prod --along time --by time.year d.nc:p | axt-equal - w.nc:prod --rtol 1e-12'
	prints i64 'axt-scan sum --along time --by time.year d.nc:i | axt-info - | grep -o -m 1 i64'
	prints 'units = "mm"' 'axt-scan sum --along time --by time.year d.nc:p | axt-info - | grep -o -m 1 "units = .mm."'
	fails 2 'axt-scan: linear takes no --by' 'axt-scan linear:2 --along time --by time.year d.nc:p'
	fails 2 'axt-scan: --value is there already' 'axt-scan linear:2 --value 3 --along time d.nc:p'
	fails 1 'axt-scan: the labels d.nc:time.year (time (800)) lack the axis "x"' 'axt-scan sum --along x --by d.nc:time.year d.nc:p'
}

@test "axt-calc refuses labels of a recurrence, and a value of sums" {
	axt-make ones x=5 --name o -o o.nc; axt-make iota x=5 | axt-floordiv - 2 --name pair -o pair.nc
	fails 2 'axt-calc: linear takes no by= *' "axt-calc 'scan(o, linear, along=x, value=1, by=pair)' o.nc pair.nc -p"
	fails 2 'axt-calc: value= goes with linear, not sum *' "axt-calc 'scan(o, sum, along=x, value=2)' o.nc -p"
}

@test "--by takes a coordinate that the operand brings" {
	printf 'station,lat,tmean\nA,1,10\nA,1,20\nB,2,0\nB,2,2\n' | axt-from - --format csv -o m.nc
	prints $'10\n30\n0\n2' 'axt-scan sum --along row --by station m.nc:tmean -p'
	prints $'10\n30\n0\n2' 'axt-slice row=: m.nc:tmean | axt-scan sum --along row --by station -p'
}
