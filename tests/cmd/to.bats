load helper

numpy()
{
	/usr/bin/python3 -c "import numpy as np
$1"
}

@test "npy, read by NumPy" {
	make_a
	works 'axt-to a.npy a.nc'
	[ "$(numpy 'a = np.load("a.npy"); print(a.dtype.str, a.shape, a.tolist())')" = '<i8 (2, 3) [[0, 1, 2], [3, 4, 5]]' ]
	works 'axt-order lon,lat a.nc | axt-to - --format npy >b.npy'
	[ "$(numpy 'print(np.load("b.npy").tolist())')" = '[[0, 3], [1, 4], [2, 5]]' ]
	works 'axt-to s.npy 2.5'
	[ "$(numpy 'a = np.load("s.npy"); print(a.shape, a)')" = '() 2.5' ]
	works 'axt-make zeros a=0,b=2 | axt-to e.npy'
	[ "$(numpy 'print(np.load("e.npy").shape)')" = '(0, 2)' ]
	works 'axt-to --dtype f32 v.npy a.nc'
	[ "$(numpy 'print(np.load("v.npy").dtype)')" = float32 ]
	fails 1 'axt-to: NumPy has no dtype bf16' 'axt-to --dtype bf16 v.npy a.nc'
	hints 'axt-to --dtype f32 v.npy a.nc'
}

@test "an output is whole or not there" {
	make_a
	works 'axt-to -N q.npy a.nc'
	cp q.npy old
	fails 1 'axt-to: q.npy: exists (--no-clobber)' 'axt-mul a.nc 2 | axt-to -N q.npy'
	axt-mul a.nc 100 -o h.nc
	fails 1 'axt-to: 200 does not fit i8 at lat=0, lon=2 in h.nc:*' 'axt-to --dtype i8 q.npy h.nc'
	fails 1 'axt-to: 200 does not fit i8*' 'axt-to --dtype i8 --format csv q.npy h.nc'
	sh_run 'head -c 8195 h.nc | axt-to q.npy'
	[ "$status" -eq 1 ]
	cmp q.npy old
	fails 1 'axt-to: none/q.npy: No such file or directory' 'axt-to none/q.npy a.nc'
	works 'axt-from q.npy | axt-add - 1 | axt-to q.npy'
	[ "$(numpy 'print(np.load("q.npy").sum())')" = 21 ]
	[ "$(ls -A)" = $'a.nc\nh.nc\nold\nq.npy' ]
}

@test "csv: as axt-print has it, and rows alone" {
	make_a
	make_cf
	prints "$(axt-print --csv cf.nc)" 'axt-to t.csv cf.nc; cat t.csv'
	prints "$(axt-print --csv cf.nc)" 'axt-to - --format csv cf.nc'
	prints $'0,1,2\n3,4,5' 'axt-to --matrix m.csv a.nc; cat m.csv'
	prints $'1\n2.5\nnan' "printf '1\n2.5\nnan\n' | axt-from - | axt-to --matrix --format csv -"
	prints $'1,\n,2.5' "printf '1,\n,2.5\n' | axt-from - | axt-to --matrix --format csv -"
	prints 7 'axt-to --matrix --format csv - 7'
	fails 1 'axt-to: a matrix has up to 2 axes, not a, b, c (2, 2, 2)' \
		'axt-make ones a=2,b=2,c=2 | axt-to --matrix - --format csv'
	fails 1 'axt-to: standard output: No space left on device' 'axt-to - --format csv a.nc >/dev/full'
}

@test "raw, both byte orders" {
	prints ' 00 01 00 02' 'axt-make iota:1 x=2 --dtype u16 | axt-to --big-endian x.raw; od -An -tx1 x.raw'
	prints ' 01 00 02 00' 'axt-make iota:1 x=2 --dtype u16 | axt-to - --format raw | od -An -tx1'
	works 'axt-make random y=300,x=70 --dtype c64 --seed 1 -o r.nc; axt-to --big-endian r.bin r.nc
		axt-from r.bin --dtype c64 --big-endian --to y=300,x | axt-equal - r.nc'
}

@test "images" {
	axt-make iota y=3,x=11 --dtype u8 -o g.nc
	axt-gt g.nc 15 -o b.nc
	axt-make iota y=3,x=5,c=3 --dtype u16 -o c.nc
	axt-make iota y=3,x=5,c=4 --dtype u8 -o a.nc
	for f in g.pgm g.pnm g.pam b.pbm b.pnm b.pam c.ppm c.pnm a.pam a.pnm; do
		works "axt-to $f ${f%.*}.nc; axt-from $f | axt-equal --strict-order - ${f%.*}.nc"
		works "AXT_TILE=7 axt-to - --format pnm ${f%.*}.nc | axt-from - | axt-equal --strict-order - ${f%.*}.nc"
	done
	[ "$(head -c 2 g.pnm)$(head -c 2 b.pnm)$(head -c 2 c.pnm)$(head -c 2 a.pnm)$(head -c 2 b.pam)" = P5P4P6P7P7 ]
	fails 1 'axt-to: an image has bool, u8 or u16, not f32' 'axt-make ones y=2,x=2 | axt-to x.pgm'
	hints '*axt-map round*'
	fails 1 'axt-to: an image has axes y,x or y,x,c*' 'axt-make ones x=2 --dtype u8 | axt-to x.pgm'
	fails 1 'axt-to: .ppm has u8 or u16 of y,x,c=3*' 'axt-to x.ppm g.nc'
	fails 1 'axt-to: no image has 0 rows of 2' 'axt-make ones y=0,x=2 --dtype u8 | axt-to x.pgm'
	[ ! -e x.pgm ]
}

@test "safetensors: several, their names and axes" {
	make_a
	axt-make random:-1:1 M^=2,M=3 --dtype bf16 --seed 1 --name w -o w.nc
	works 'axt-cast --name three 3 -o 3.nc; axt-to x.safetensors a.nc w.nc 3.nc; axt-from x.safetensors:three | axt-equal - 3.nc'
	prints $'tensor\ti64\tlat=2,lon=3\nw\tbf16\tM*=2,M=3' 'axt-to x.safetensors a.nc w.nc; axt-from --list x.safetensors'
	works 'axt-from x.safetensors:w | axt-equal --strict-order - w.nc'
	works 'axt-to - --format safetensors a.nc w.nc | axt-from -:tensor | axt-equal --strict-order - a.nc'
	fails 1 'axt-to: two tensors are named "tensor"' 'axt-to y.safetensors a.nc a.nc'
	fails 1 'axt-to: safetensors have no dtype c128' 'axt-to --dtype c128 y.safetensors a.nc'
	fails 1 'axt-to: npy holds one tensor, not 2' 'axt-to y.npy a.nc w.nc'
	[ ! -e y.safetensors ]
}

@test "the format" {
	make_a
	fails 2 'axt-to: x.jpg: pictures of that kind are not written, those of .pgm and .ppm are' 'axt-to x.jpg a.nc'
	fails 2 'axt-to: -: the name tells no format' 'axt-to - a.nc'
	fails 2 'axt-to: operand FILE is missing' 'axt-to'
	works 'axt-to x.NPY a.nc'
	fails 2 'axt-to: x.tsv: the name tells no format' 'axt-to x.tsv a.nc'
	fails 2 'axt-to: --matrix is for csv, not npy' 'axt-to --matrix x.npy a.nc'
	fails 2 'axt-to: --big-endian is for raw values, not npy' 'axt-to --big-endian x.npy a.nc'
	sh_run 'axt-to x.npy a.nc --explain'
	[ "$status" -eq 0 ]
	[[ $output == pass* ]]
	[ ! -e x.npy ]
}

@test "--fill is what missing values become in text and in other formats" {
	/usr/bin/python3 - <<-'EOF'
	import h5py, numpy as np
	with h5py.File('m.nc', 'w') as f:
	    f['v'] = np.array([1.5, np.nan, 3], 'f4')
	    p = f.create_dataset('p', data=np.array([10, -99, 30], 'i2'))
	    p.attrs['_FillValue'] = np.int16(-99)
	    p.attrs['scale_factor'] = .5
	EOF
	prints $'1.5\n-7\n3' 'axt-print --fill -7 m.nc:v'
	prints $'dim_0,v\n0,1.5\n1,-7\n2,3' 'axt-print --csv --fill -7 m.nc:v'
	prints $'5\n-7\n15' 'axt-print --fill -7 m.nc:p'
	prints $'2.5\n-7\n4' 'axt-add m.nc:v 1 --fill -7 -p'
	prints $'1.5\n-7' 'axt-print --head 2 --fill -7 m.nc:v'
	works 'axt-to --fill -7 v.npy m.nc:v; axt-to --fill -7 p.npy m.nc:p; axt-to --fill -7 v.csv m.nc:v'
	[ "$(numpy 'print(np.load("v.npy").tolist(), np.load("p.npy").tolist())')" = '[1.5, -7.0, 3.0] [5.0, -7.0, 15.0]' ]
	[ "$(cat v.csv)" = $'dim_0,v\n0,1.5\n1,-7\n2,3' ]
	works 'axt-to --fill -7 two.safetensors m.nc:v m.nc:p'
	prints $'1.5\n-7\n3' 'axt-from two.safetensors:v | axt-print'
	fails 1 'axt-print: m.nc:v holds 3 at dim_0=2, which as fill value would read as missing' 'axt-print --fill 3 m.nc:v'
	fails 1 'axt-to: m.nc:v holds 3 at dim_0=2, *' 'axt-to --fill 3 x.npy m.nc:v'
	[ ! -e x.npy ]
	fails 1 'axt-print: *' 'axt-print --fill 99999 m.nc:p'
}

@test "csv: several tensors are one table, which axt-from reads as it was" {
	printf 'time,station,tmax,n\n2001-01-01,A,1.5,3\n2001-01-02,B b,0.1,4\n2001-01-03,"C,c",,5\n' >s.csv
	works 'axt-from s.csv -o s.nc; axt-to s2.csv "s.nc:*"; cmp s.csv s2.csv'
	prints $'time,station,n,tmax\n2001-01-01,A,3,1.5\n2001-01-02,B b,4,0.1\n2001-01-03,"C,c",5,' 'axt-to - --format csv s.nc:n s.nc:tmax'
	py '
r = np.random.default_rng(7)
with h5py.File("f.nc", "w") as f:
    f["x"] = np.arange(500) * .1
    f["x"].make_scale("x")
    for n, v in (("f", r.normal(0, 1e3, 500).astype("f4")), ("i", r.integers(-2**31, 2**31, 500).astype("i4")), ("d", r.normal(0, 1e-9, 500)),
                 ("u", r.integers(0, 2**64, 500, dtype="u8"))):
        f[n] = v
        f[n].dims[0].attach_scale(f["x"])
'
	works 'axt-to f.csv "f.nc:*"; for k in f i d u; do axt-cast --dtype $(axt-info --json f.nc | jq -r ".tensors[] | select(.name == \"$k\").dtype") <(axt-from f.csv:$k) | axt-equal - f.nc:$k || exit; done'
	prints 'x,d,f,i,u' 'head -n 1 f.csv'
	axt-make iota lat=2,lon=2 --name b -o two.nc; axt-make iota lat=2,lon=2 --name a -o two.nc:a
	prints $'lat,lon,b,a\n0,0,0,0\n0,1,1,1\n1,0,2,2\n1,1,3,3' 'axt-to - --format csv two.nc:b two.nc:a'
	prints '' 'axt-to - --format csv <(axt-slice lat=:0 two.nc:b) <(axt-slice lat=:0 two.nc:a) | tail -n +2'
	fails 1 'axt-to: a table has tensors with the same axes: n has time (3), and b has lat, lon (2, 2)' 'axt-to x.csv s.nc:n two.nc:b'
	[ ! -e x.csv ]
	fails 1 'axt-to: a matrix is one tensor, not 2' 'axt-to --matrix x.csv s.nc:n s.nc:tmax'
	prints $'tmax\nn' 'printf "time,tmax,n,station\n2001-01-01,1.5,3,A\n" | axt-from - -o one.nc; axt-info --names one.nc'
	prints $'time,station,tmax,n\n2001-01-01,A,1.5,3' 'axt-to - --format csv "one.nc:*"'
}

@test "CSV warns of dates of another calendar, which it does not tell" {
	axt-make iota time=3 -o a.nc
	works "axt-coord set time=0:30 a.nc --attr time:units='days since 2000-01-01' --attr time:calendar=noleap -o b.nc"
	warned 'axt-to: warning: the dates along time are of the calendar noleap, which CSV does not tell*axt-coord set time=FILE:time*' 'axt-to o.csv b.nc'
	works 'axt-copy --attr time:calendar=standard b.nc -o c.nc && axt-to o.csv c.nc'
}
