load helper

@test "texts give a terminal no orders" {
	/usr/bin/python3 -c "
import h5py, numpy as np
with h5py.File('l.h5', 'w') as f:
    d = f.create_dataset('v', data=np.arange(2.))
    x = f.create_dataset('x', data=np.array([b'a\\x1b[33mq', b'\\x1b]0;title\\x07']))
    x.make_scale('x')
    d.dims[0].attach_scale(x)"
	for line in 'axt-print --csv l.h5:v l.h5:x' 'axt-print --csv l.h5:x' 'axt-print l.h5:x'; do
		script -qec "$line" /dev/null </dev/null >out
		grep -F 'a\x1b[33mq' out
		lacks $'\033' out
		bash -c "$line" >out
		grep $'\033' out
	done
}

@test "hints put names of files between quotes" {
	/usr/bin/python3 -c "
import netCDF4
f = netCDF4.Dataset('my \$(c).nc', 'w', format='NETCDF3_CLASSIC')
f.createDimension('x', 2)
f.createVariable('v', 'f4', ('x',))[:] = [1, 2]"
	fails 1 'axt-remove: my $(c).nc: is no HDF5*' "axt-remove --force 'my \$(c).nc:v'"
	hints "axt-copy 'my \$(c).nc' -o a.nc makes it netCDF-4"
	fails 1 'axt-append: my $(c).nc: is no HDF5*' "axt-append --along x 'my \$(c).nc' 'my \$(c).nc'"
	hints "axt-copy 'my \$(c).nc' -o a.nc makes it netCDF-4"
}

@test "csv without the column of an axis that has no coordinates" {
	printf 'a,b,kind\n1.5,2,x\n1,3,x\n1,4,y\n' >t.csv
	axt-from t.csv -o t.nc
	prints $'row,kind,a,b\n0,x,1.5,2' "axt-print --csv 't.nc:*' | head -n 2"
	prints $'kind,a,b\nx,1.5,2\nx,1,3\ny,1,4' "axt-print --csv --no-index 't.nc:*'"
	prints $'kind,a,b\nx,1.5,2\nx,1,3\ny,1,4' "axt-print --csv --no-index 't.nc:*' | axt-from - | axt-print --csv --no-index '-:*'"
	prints $'kind\nx' 'axt-print --csv --no-index t.nc:kind | head -n 2'
	axt-make iota y=2,x=2 | axt-coord set x=10:10 -o g.nc
	prints $'x,tensor\n10,0\n20,1\n10,2\n20,3' 'axt-print --csv --no-index g.nc'
	axt-make iota y=2,x=2 | axt-coord set y=10:10 -o g.nc
	prints $'y,tensor\n10,0\n10,1\n20,2\n20,3' 'axt-print --csv --no-index g.nc'
	fails 2 'axt-print: --no-index goes with --csv' 'axt-print --no-index g.nc'
}

@test "rank 0 is the bare value" {
	[ "$(axt-reduce mean -p 3)" = 3 ]
	prints 0.1 'axt-print 0.1'
	prints 1e+300 'axt-print 1e300' || prints 1e300 'axt-print 1e300'
}

@test "rank 1: a value per line; rank 2: a row per line; more: blocks" {
	prints $'0\n1\n2' 'axt-make iota x=3 | axt-print'
	prints $'0 1\n2 3' 'axt-make iota x=2,y=2 | axt-print'
	prints $'# a=0\n0 1\n2 3\n\n# a=1\n4 5\n6 7' 'axt-make iota a=2,x=2,y=2 | axt-print'
	prints $'# a=0 b=0\n0\n\n# a=0 b=1\n1' 'axt-make iota a=1,b=2,x=1,y=1 | axt-print'
	prints '' 'axt-make iota x=0 | axt-print'
	prints '' 'axt-make iota a=2,x=0,y=2 | axt-print'
}

@test "times in ISO 8601: headers, CSV, and values with CF units" {
	make_cf
	prints $'# time=0 (2010-01-01)\n0 0\n1 1\n2 2\n\n# time=1 (2010-01-02T12:00:00)\n3 3\n4 4\n5 5' \
		'axt-broadcast time,lat,k=2 cf.nc | axt-print'
	prints $'time,lat,t\n2010-01-01,10,0\n2010-01-01,20,1' 'axt-print --csv --head 2 cf.nc'
	prints $'2010-01-01\n2010-01-02T12:00:00' 'axt-print cf.nc:time'
}

@test "floats: the fewest digits that read back the same" {
	prints 0.1 'axt-cast --dtype f32 0.1 -p'
	prints 0.30000000000000004 'axt-add 0.1 0.2 -p'
	prints 16777216 'axt-cast --dtype f32 16777216 -p'
	prints 1+2j "axt-make full:1 '' --dtype c64 | axt-print | sed s/0j/2j/"
}

@test "the locale does not matter" {
	prints 1.50 'LC_ALL=de_DE.UTF-8 axt-print --format %.2f 1.5'
	prints 1.5 'LC_ALL=de_DE.UTF-8 axt-print 1.5'
}

@test "--head" {
	prints $'0\n1' 'axt-make iota x=5 | axt-print --head 2'
	prints $'0 1 2\n3' 'axt-make iota y=2,x=3 | axt-print --head 4'
	prints '' 'axt-make iota x=5 | axt-print --head 0'
	prints $'0\n1' 'axt-make iota x=2 | axt-print --head 9'
	fails 2 'axt-print: --head takes a whole number from 0, not "-1"' 'axt-print --head -1 1'
}

@test "--format: one conversion of the right class" {
	prints 1.500 'axt-print --format %.3f 1.5'
	prints '[1.5e+00]' 'axt-print --format [%.1e] 1.5'
	prints 007 'axt-print --format %03d 7'
	prints 7.0 'axt-print --format %.1f 7'
	prints ff 'axt-print --format %x 255'
	prints '50%' 'axt-print --format %d%% 50'
	prints '   7' 'axt-print --format %4s 7'
	prints 7 'axt-print --format %ld 7'
	fails 2 'axt-print: format "%d" is for integers, the values are f64' 'axt-print --format %d 1.5'
	for f in %n '%*d' %d%d plain % %5000d '%.*f' %c %p; do
		fails 2 'axt-print: format *' "axt-print --format '$f' 7"
	done
}

@test "--csv: header, coordinates or indices, missing values empty" {
	make_a
	prints $'lat,lon,tensor\n0,0,0\n0,1,1\n0,2,2\n1,0,3\n1,1,4\n1,2,5' 'axt-print --csv a.nc'
	prints $'tensor\n7' "axt-make full:7 '' --dtype i32 | axt-print --csv"
	prints $'x,tensor\n0,\n1,inf' 'axt-make iota x=2 | axt-div - 0 | axt-print --csv'
	py 'f = h5py.File("s.h5", "w"); f["t"] = np.arange(2); f["n"] = np.array([b"a,b", b"c\"d"]); f["n"].make_scale("n"); f["t"].dims[0].attach_scale(f["n"])'
	prints $'n,t\n"a,b",0\n"c""d",1' 'axt-print --csv s.h5:t'
}

@test "a name with escapes shows no control byte" {
	py 'f = h5py.File("e.h5", "w"); f["a\x1b[31m"] = np.arange(2.)'
	works 'axt-print --csv e.h5'
	[[ $output != *$'\x1b'* ]]
}

@test "--name, --axes, --dtype" {
	make_a
	prints $'0 3\n1 4\n2 5' 'axt-print --axes lon,lat a.nc'
	prints $'lat,lon,v\n0,0,0' 'axt-print --csv --head 1 --name v a.nc'
	fails 2 'axt-print: unknown option "-o"' 'axt-print -o x a.nc'
}

@test "any number of values may mean missing" {
	py '
f = h5py.File("m.h5", "w"); f["t"] = np.arange(400, dtype="i2"); f["t"].attrs["missing_value"] = np.arange(1, 399, dtype="i2")
f["few"] = np.arange(12, dtype="i4"); f["few"].attrs["missing_value"] = np.arange(10, dtype="i4"); f["few"].attrs["_FillValue"] = np.int32(10)'
	prints '1' 'axt-reduce max m.h5:few -p | grep -c 11'
	prints $'2\n399' 'axt-reduce count,max --skip-nan m.h5:t -o r.h5; axt-print r.h5:count; axt-print r.h5:max'
	prints '1' 'axt-reduce count --skip-nan m.h5:few -p'
}

@test "several tensors are columns of a table" {
	make_cf
	axt-calc 'u = t*1000; v = where(t > 3, t/3, nan); u, v' t=cf.nc:t -o uv.nc
	# every column begins where its heading does
	axt-print uv.nc:u uv.nc:v --csv >uv.csv
	/usr/bin/python3 - <<-'END'
	import csv, subprocess
	lines = subprocess.run(['axt-print', 'uv.nc:u', 'uv.nc:v'], capture_output=True, text=True).stdout.splitlines()
	rows = list(csv.reader(open('uv.csv')))
	assert len(rows) == len(lines) > 4
	at = [lines[0].index(w) for w in rows[0]]
	for line, row in zip(lines, rows):
	    cells = [line[i:j].rstrip() for i, j in zip(at, at[1:] + [None])]
	    assert [c if c != 'nan' else '' for c in cells] == row, (line, row)
	END
	prints $'time        lat  u  v' 'axt-print uv.nc:u uv.nc:v --head 1 | head -n 1'
	[ "$(axt-print 'uv.nc:*')" = "$(axt-print uv.nc:u uv.nc:v)" ]
	[ "$(axt-print --each uv.nc)" = "$(axt-print uv.nc:u uv.nc:v)" ]
	axt-make iota long=5000 -o l.nc
	axt-calc 'a = l; b = l*2; a, b' l=l.nc -o ab.nc
	prints $'long  a     b\n0     0     0' 'axt-print ab.nc:a ab.nc:b | sed -n 1,2p'
	prints '4999  4999  9998' 'axt-print ab.nc:a ab.nc:b | tail -n 1'
	prints '51' 'script -qc "axt-print ab.nc:a ab.nc:b" /dev/null | grep -c .'
	sh_run 'script -qc "axt-print ab.nc:a ab.nc:b" /dev/null'
	[[ ${lines[-1]} == '# 48 of 5000 lines shown; -p shows all'* ]]
	prints $'# a\n0\n1' 'axt-print ab.nc:a cf.nc:t | sed -n 1,3p'
	fails 1 'axt-print: uv.nc holds several tensors: u, v' 'axt-print uv.nc'
}

@test "text: strings, arrays of characters, refused where numbers are meant" {
	/usr/bin/python3 -c "import netCDF4, numpy as np
d = netCDF4.Dataset('s.nc', 'w')
d.createDimension('station', 3)
d.createDimension('len', 8)
d.createVariable('names', 'S1', ('station', 'len'))[:] = netCDF4.stringtochar(np.array(['KOUROU', 'St Ives', ''], 'S8'))
d.createVariable('code', str, ('station',))[:] = np.array(['KRU', 'a \"b\", c', 'x'], object)
d.createVariable('t', 'f4', ('station',))[:] = [1, 2, 3]
g = d.createVariable('grid', str, ('station', 'len'))
g[:] = np.array([[f'{i}{j}' for j in range(8)] for i in range(3)], object)
d.close()"
	prints $'KOUROU\nSt Ives' 'axt-print s.nc:names'
	prints $'KRU\na "b", c\nx' 'axt-print s.nc:code'
	prints $'KRU' 'axt-print --head 1 s.nc -d code'
	prints $'station,names\n0,KOUROU\n1,St Ives\n2,' 'axt-print --csv s.nc:names'
	prints $'station,code\n0,KRU\n1,"a ""b"", c"' 'axt-print --csv --head 2 s.nc:code'
	prints $'station,len,grid\n0,7,07\n1,0,10' 'axt-print --csv s.nc:grid | sed -n "1p;9,10p"'
	fails 2 'axt-print: s.nc:code is text, and --format is for numbers' 'axt-print --format %.2f s.nc:code'
	fails 1 'axt-add: s.nc:names holds text, not numbers' 'axt-add s.nc:names 1'
	hints 'axt-print s.nc:names shows it; axt-eq s.nc:names TEXT compares it; --by and axt-coord set take it as labels; '\''s.nc:*'\'' takes it along'
	# arrays of characters are labels
	prints 2 "axt-coord set station=s.nc:names s.nc:t | axt-slice 'station@St Ives' -p"
	prints $'station,t\nKOUROU,1\nSt Ives,2\n,3' 'axt-coord set station=s.nc:names s.nc:t | axt-print --csv'
	prints $'names,t\nKOUROU,1\nSt Ives,2' 'axt-reduce sum --by s.nc:names s.nc:t | axt-print --csv | head -n 3'
	fails 1 'axt-coord: coordinates have one axis, and s.nc:grid has 2' 'axt-coord set station=s.nc:grid s.nc:t'
	fails 1 'axt-reduce: the labels have the axis "len", which s.nc:t lacks' 'axt-reduce sum --by s.nc:grid s.nc:t'
	prints $'station,names,code,t\n0,KOUROU,KRU,1' 'axt-print --csv --head 1 "s.nc:*" | sort -r'
}

@test "rows as lines of blocks" {
	axt-make iota lat=3,lon=6 | axt-map square -o a.nc
	prints $'# tensor along lon, 6 elements\n0  ▁▁▂▃▆█  0 .. 25\n1  ▁▂▃▅▇█  36 .. 121\n2  ▁▂▃▅▇█  144 .. 289' 'axt-print --spark a.nc'
	prints $'# tensor along lon, 6 elements\n0  __.-+#  0 .. 25\n1  _.-=*#  36 .. 121\n2  _.-=*#  144 .. 289' 'LC_ALL=C axt-print --spark a.nc'
	py 'h = h5py.File("m.h5", "w"); h["v"] = np.array([1, np.nan, 3, np.inf, -1.5]); h["v"].attrs["units"] = "K"
h["n"] = np.full(3, np.nan); h["one"] = np.full(2, 7.0); h["z"] = np.array([1j])'
	prints $'# v [K] along dim_0, 5 elements\n▅ █ ▁  -1.5 .. 3' 'axt-print --spark m.h5:v'
	prints $'# n along dim_0, 3 elements\n     no finite values' 'axt-print --spark m.h5:n'
	prints $'# one along dim_0, 2 elements\n▅▅  7 .. 7' 'axt-print --spark m.h5:one'
	# means of a long row; the least and the greatest of all its elements, from a file or a pipe
	axt-make iota x=1000 -o l.nc
	prints $'# tensor along x, 1000 elements, means of 20\n▁▁▁▁▁▁▁▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇▇███████  0 .. 999' 'axt-print --spark l.nc'
	prints 'pass 1 of 1: reduce -> i64, i64, f64 p (50)' 'axt-print --spark --explain l.nc | head -n 1'
	prints $'0 .. 999\n0 .. 999' 'axt-print --spark <l.nc | grep -o "0 .. 999" && axt-add l.nc 0 | axt-print --spark | grep -o "0 .. 999"'
	prints $'# tensor along c, 2 elements\n0 0  ▁█  0 .. 1\n0 1  ▁█  2 .. 3\n1 0  ▁█  4 .. 5\n1 1  ▁█  6 .. 7' 'axt-make iota a=2,b=2,c=2 | axt-print --spark'
	fails 1 'axt-print: m.h5:z is complex, and blocks are real numbers' 'axt-print --spark m.h5:z'
	fails 1 'axt-print: -:tensor has no elements' 'axt-make ones y=0 | axt-print --spark'
	fails 1 'axt-print: -:tensor has no axes, and a line of blocks is along one' 'axt-reduce sum a.nc | axt-print --spark'
	fails 1 'axt-print: -:tensor has 20000 rows along x, and at most 10000 are drawn' 'axt-make ones y=20000,x=2 | axt-print --spark'
	hints 'a part of them: axt-slice y=:10 - | axt-print --spark'
	fails 2 'axt-print: --spark does not go with --csv, --format or --head' 'axt-print --spark --csv a.nc'
	fails 1 'axt-print: standard output: No space left on device' 'axt-print --spark a.nc >/dev/full'
}

@test "rows as lines of blocks, of several tensors and of values of every kind" {
	py 'h = h5py.File("m.h5", "w"); h["c"] = np.arange(6.0).reshape(2, 3); h["name"] = ["Z\u00fcrich", "Bern"]; h["name"].make_scale("name")
h["c"].dims[0].attach_scale(h["name"]); h["huge"] = np.array([-1.7e308, 1.7e308, 0]); h["z"] = np.array([1j]); h["flag"] = np.array([True, False])
v = np.arange(120.0); v[1] = np.inf; v[40:46] = np.nan; v[119] = -np.inf; h["v"] = v; h["prime"] = np.arange(131.0)'
	prints $'# c along dim_1, 3 elements\nZürich  ▁▅█  0 .. 2\nBern    ▁▅█  3 .. 5\n\n# flag along dim_0, 2 elements\n█▁  0 .. 1' 'axt-print --spark m.h5:c m.h5:flag'
	prints $'# huge along dim_0, 3 elements\n▁█▅  -1.7e+308 .. 1.7e+308' 'axt-print --spark m.h5:huge'
	# what is not finite is in no mean, and in no minimum and maximum
	prints $'# v along dim_0, 120 elements, means of 2\n▁▁▁▁▁▁▁▁▂▂▂▂▂▂▂▃▃▃▃▃   ▄▄▄▄▄▄▄▅▅▅▅▅▅▅▆▆▆▆▆▆▆▇▇▇▇▇▇▇▇████████  0 .. 118' 'axt-print --spark m.h5:v'
	# the last range is shorter
	prints $'# prime along dim_0, 131 elements, means of 3\n▁▁▁▁▁▁▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇██████  0 .. 130' 'cat m.h5 | axt-print --spark -:prime'
	# nothing is printed of the first tensor if the second one has no blocks
	fails 1 'axt-print: m.h5:z is complex, and blocks are real numbers' 'axt-print --spark m.h5:c m.h5:z'
	hints 'axt-map absolute or axt-map angle gives such'
	axt-make ones a=30,b=40,c=50,d=3 -o r.nc
	fails 1 'axt-print: r.nc:tensor has 60000 rows along d, and at most 10000 are drawn' 'axt-print --spark m.h5:c r.nc'
	hints 'a part of them: axt-slice a=:10 b=:10 c=:10 r.nc:tensor | axt-print --spark'
	prints 1001 'axt-slice a=:10 b=:10 c=:10 r.nc:tensor | axt-print --spark | wc -l'
	# neither depends on tiles, slabs or threads
	prints 1 'for i in "AXT_TILE=7" "AXT_SLAB=64" "AXT_THREADS=3"; do env $i axt-print --spark m.h5:prime; done | grep -v "#" | sort -u | wc -l'
}

@test "of several tensors that come through a pipe, each is meant; of a file, they are named" {
	works "axt-calc 'm = iota(x=2); n = m + 5; m, n' -o mn.h5"
	prints $'x,m,n\n0,0,5\n1,1,6' "axt-calc 'm = iota(x=2); n = m + 5; m, n' | axt-print --csv"
	prints $'x,m,n\n0,0,5\n1,1,6' "axt-calc 'm = iota(x=2); n = m + 5; m, n' | axt-print --csv -"
	prints $'x  m  n\n0  0  5' 'cat mn.h5 | axt-print --head 1'
	prints $'5\n6' 'cat mn.h5 | axt-print -:n'
	prints $'5\n6' 'cat mn.h5 | axt-print -d n'
	fails 1 'axt-print: mn.h5 holds several tensors: m, n' 'axt-print --csv mn.h5'
	hints 'axt-print --each --csv mn.h5'
}

@test "text beside numbers is a column of their table" {
	py '
f = h5py.File("s.nc", "w")
f["station_name"] = np.array([list("Oslo    "), list("A, \"b\"  "), list("X       ")], "S1")
f["lat"] = np.array([59.9, 50.2, 0])
f["t"] = np.arange(6.).reshape(2, 3)
f["words"] = np.array([["a", "b", "c"], ["d", "e", "f"]], object)
f["other"] = ["p", "q"]
for n, k in ("station", 3), ("time", 2), ("chars", 8), ("o", 2): f[n] = np.zeros(k); f[n].make_scale("This is a netCDF dimension but not a netCDF variable. %10d" % k)
for n, x in ("station_name", "station chars"), ("lat", "station"), ("t", "time station"), ("words", "time station"), ("other", "o"):
    for i, a in enumerate(x.split()): f[n].dims[i].attach_scale(f[a])'
	prints $'station  station_name  lat\n0        Oslo          59.9\n1        A, "b"        50.2\n2        X             0' \
		'axt-print s.nc:station_name s.nc:lat'
	prints $'station,station_name,lat\n0,Oslo,59.9\n1,"A, ""b""",50.2\n2,X,0' 'axt-print --csv s.nc:lat s.nc:station_name'
	prints $'station  station_name  lat   lat\n0        Oslo          59.9  59.9' 'axt-print --head 1 s.nc:lat s.nc:station_name s.nc:lat'
	# along one axis of several, also where the whole file is named
	prints $'time  station  station_name  t\n0     0        Oslo          0\n0     1        A, "b"        1' \
		'axt-print s.nc:t s.nc:station_name --head 2'
	prints '0,1,"A, ""b""",1' 'axt-print --csv "s.nc:*" | grep ^0,1,.A'
	fails 1 'axt-print: s.nc:other is text over o (2), and no tensor beside it has that axis' 'axt-print s.nc:other s.nc:lat'
	hints 'axt-print s.nc:other shows it'
	fails 1 'axt-print: s.nc:words is text over time, station (2, 3), and a column of a table has one axis' 'axt-print s.nc:words s.nc:t'
	fails 1 'axt-print: s.nc:other holds text, not numbers' 'axt-print s.nc:other s.nc:other'
}
