load helper

make_x()
{
	axt-make iota:1 x=3 | axt-coord set x=0:10 -o x.nc
}

@test "modes" {
	make_x
	one() { prints "$1" "axt-pad $2 x.nc -p | paste -sd' '"; }
	one '0 1 2 3 0 0' 'x=1,2'
	one '-7 1 2 3 -7' 'x=1 --value -7'
	one '1 1 1 2 3 3 3' 'x=2 --mode edge'
	one '2 3 2 1 2 3 2 1 2' 'x=3 --mode reflect'
	one '1 2 3 3 2 1 1 2 3 3 2 1 1' 'x=6,4 --mode symmetric'
	one '3 1 2 3 1 2 3 1 2' 'x=1,5 --mode wrap'
	one '1 2 3' 'x=0 --mode wrap'
	prints $'9 9 9 9\n9 0 1 2\n9 3 4 5\n9 9 9 9' 'axt-make iota y=2,x=3 | axt-pad x=1,0 y=1 --value 9 -p'
}

@test "symmetric as in NumPy" {
	py '
r = np.random.default_rng(3)
f = h5py.File("r.nc", "w"); f["a"] = r.normal(size=(3, 1, 5)); k = 0
for d in f["a"].dims: d.label = "zyx"[k]; k += 1
for n, p in {"p": ((2, 9), (3, 0), (11, 4)), "q": ((3, 3), (0, 2), (0, 23))}.items():
	f[n] = np.pad(f["a"][:], p, mode="symmetric"); k = 0
	for d in f[n].dims: d.label = "zyx"[k]; k += 1
'
	works 'axt-pad z=2,9 y=3,0 x=11,4 --mode symmetric r.nc:a | axt-equal - r.nc:p'
	works 'axt-pad z=3 y=0,2 x=0,23 --mode symmetric r.nc:a | axt-equal - r.nc:q'
	works 'axt-calc "pad(a, z=3, y=(0,2), x=(0,23), mode=symmetric)" a=r.nc:a | axt-equal - r.nc:q'
}

@test "numeric coordinates go on evenly" {
	make_x
	prints $'-20\n-10\n0\n10\n20\n30' 'axt-pad x=2,1 x.nc -o p.nc && axt-print p.nc:x'
	prints $'-10\n0\n10\n20\n30' 'axt-pad x=1 --mode wrap x.nc -o p.nc && axt-print p.nc:x'
	make_cf
	prints $'2009-12-30T12:00:00\n2010-01-01\n2010-01-02T12:00:00' 'axt-pad time=1,0 cf.nc -o p.nc && axt-print p.nc:time'
	py '
f = h5py.File("u.nc", "w")
f["x"] = np.array([1, 2], "u1"); f["x"].make_scale("x"); f["t"] = np.zeros(2); f["t"].dims[0].attach_scale(f["x"])
'
	prints $'0\n1\n2' 'axt-pad x=1,0 u.nc:t -o p.nc && axt-print p.nc:x'
	works 'axt-pad x=2,0 u.nc:t -o p.nc'
	fails 1 '*' 'axt-print p.nc:x'
}

@test "bounds go in every mode" {
	py '
f = h5py.File("b.nc", "w")
f["x"] = np.arange(3.); f["x"].make_scale("x"); f["x"].attrs["bounds"] = np.bytes_("x_b")
f["x_b"] = np.arange(6.).reshape(3, 2); f["x_b"].dims[0].attach_scale(f["x"])
f["t"] = np.arange(3.); f["t"].dims[0].attach_scale(f["x"])
'
	for m in constant edge reflect symmetric wrap; do
		works "axt-pad x=1 --mode $m b.nc:t -o p.nc"
		prints $'-1\n0\n1\n2\n3' 'axt-print p.nc:x'
		fails 1 '*' 'axt-print p.nc:x_b'
	done
}

@test "the value fits the dtype" {
	make_x
	fails 1 'axt-pad: the number 1.5 does not fit i64' 'axt-pad x=1 --value 1.5 x.nc -o o.nc'
	fails 1 'axt-pad: the number nan does not fit i64' 'axt-pad x=1 --value nan x.nc -o o.nc'
	fails 1 'axt-pad: the number 300 does not fit i8' 'axt-cast --dtype i8 x.nc | axt-pad x=1 --value 300 -o o.nc'
	prints $'nan\n1\n2\n3\nnan' 'axt-cast --dtype f32 x.nc | axt-pad x=1 --value nan -p'
	[ ! -e o.nc ]
}

@test "what is refused" {
	make_x
	fails 1 'axt-pad: no axis "y"*' 'axt-pad y=1 x.nc -o o.nc'
	for s in x=a x=1,-1 x=-1 x=; do
		fails 2 "axt-pad: \"$s\" is not AXIS=BEFORE,AFTER" "axt-pad $s x.nc -o o.nc"
	done
	fails 2 'axt-pad: --value goes with --mode constant*' 'axt-pad x=1 --value 2 --mode edge x.nc -o o.nc'
	fails 2 'axt-pad: --mode takes *' 'axt-pad x=1 --mode foo x.nc -o o.nc'
	fails 2 'axt-pad: "y" is not a number' 'axt-pad x=1 --value y x.nc -o o.nc'
	fails 1 'axt-pad: axis "x" of -:tensor has no element to pad with' 'axt-make iota x=0 | axt-pad x=1 --mode wrap -o o.nc'
	for n in 2305843009213693951 9223372036854775807; do
		fails 1 'axt-pad: *2^63 elements' "axt-pad x=$n,0 x.nc -o o.nc"
	done
	[ ! -e o.nc ]
}
