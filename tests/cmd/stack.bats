load helper

@test "along a new axis" {
	make_a
	prints '      "axes": ["m", "lat", "lon"],' 'axt-stack m a.nc a.nc | axt-info --json | grep axes'
	prints '      "shape": [2, 3, 2],' 'axt-stack m a.nc a.nc --at -1 | axt-info --json | grep -w shape'
	works 'axt-stack m a.nc <(axt-order lon,lat a.nc) | axt-slice m=1 | axt-equal a.nc'
	works 'axt-stack m a.nc <(axt-mul a.nc 2) --at 1 | axt-reduce sum --over m | axt-equal - <(axt-mul a.nc 3)'
	prints $'1\n2' 'axt-stack x <(axt-make full:1 "") <(axt-make full:2 "") -p'
}

@test "coordinates dropped by an index come back" {
	make_cf
	axt-slice time=0 cf.nc -o s0.nc
	axt-slice time=1 cf.nc -o s1.nc
	works 'axt-stack time s0.nc s1.nc | axt-equal --attributes cf.nc'
	prints $'time,t\n2010-01-02T12:00:00,3\n2010-01-01,0' 'axt-stack time s1.nc s0.nc | axt-slice lat=0 | axt-print --csv'
	sh_run 'axt-stack m s0.nc s1.nc -o m.nc && axt-print m.nc:time'
	[ "$status" -ne 0 ]
}

@test "times of other units are converted" {
	make_cf
	axt-slice time=0 cf.nc -o s0.nc
	py '
f = h5py.File("s1.nc", "w")
f["lat"] = np.array([10., 20, 30]); f["lat"].make_scale("lat")
f["t"] = np.zeros(3, "f4"); f["t"].dims[0].attach_scale(f["lat"])
f["time"] = np.array(36, "i4"); f["time"].attrs["units"] = np.bytes_("hours since 2010-01-01")
f["t"].attrs["coordinates"] = np.bytes_("time")
f["time"].attrs["bounds"] = np.bytes_("b"); f["b"] = np.array([24., 48])
with h5py.File("s0.nc", "a") as g: g["b"] = np.array([0., 1]); g["time"].attrs["bounds"] = np.bytes_("b")
'
	prints $'2010-01-01\n2010-01-02T12:00:00' 'axt-stack time s0.nc s1.nc:t -o o.nc && axt-print o.nc:time'
	prints $'0 1\n1 2' 'axt-print o.nc:b'
}

@test "datasets of rank 0 are the same as coordinates are" {
	for d in 1 3; do
		axt-make full:1 '' --name t -o $d.nc
		axt-make full:24 '' --name ref --attr "units=hours since 2010-01-0$d" -o $d.nc:ref
		axt-attr coordinates=ref $d.nc:t
	done
	axt-make full:1 '' --name t -o 2.nc
	axt-make full:1 '' --name ref --dtype f64 --attr 'units=days since 2010-01-01' -o 2.nc:ref
	axt-attr coordinates=ref 2.nc:t
	prints 2010-01-02 'axt-stack m 1.nc:t 2.nc:t -o o.nc && axt-print o.nc:ref'
	works 'axt-stack m 1.nc:t 3.nc:t -o o.nc'
	run ! axt-print o.nc:ref
	prints 2010-01-02 'axt-add -q 1.nc:t 2.nc:t -o o.nc && axt-print o.nc:ref'
	works 'axt-sub 1.nc:t 3.nc:t -o o.nc'
	run ! axt-print o.nc:ref
	axt-attr units=hPa 1.nc:ref
	axt-attr units=Pa 3.nc:ref
	fails 1 'axt-stack: dataset "ref" has units "hPa" in 1.nc:t and "Pa" in 3.nc:t' \
	    'axt-stack ref 1.nc:t 3.nc:t -o p.nc'
	prints $'24\n24' 'axt-stack ref 1.nc:t 3.nc:t --join override -o p.nc && axt-print p.nc:ref'
}

@test "--raw: values packed differently do not meet" {
	axt-make iota x=2 --dtype f64 --name t | axt-cast --pack i16:0.5:273.5 -o p.nc
	axt-make iota:290 x=2 --dtype f64 --name t | axt-cast --pack i16:0.02:300 -o q.nc
	axt-make iota x=2 --dtype f32 --name t -o f.nc
	fails 1 'axt-stack: stored values of p.nc:t (i16, scale_factor 0.5, add_offset 273.5, _FillValue -32768) and q.nc:t (i16, scale_factor 0.02, add_offset 300, _FillValue -32768) do not mean the same' \
	    'axt-stack m --raw p.nc p.nc q.nc -o o.nc'
	hints '*without --raw*'
	fails 1 'axt-stack: stored values of f.nc:t (f32) and p.nc:t (i16, *' 'axt-stack m --raw f.nc p.nc -o o.nc'
	fails 1 'axt-stack: stored values of p.nc:t (i16, *) and f.nc:t (f32)*' 'axt-stack m --raw p.nc f.nc -o o.nc'
	cp p.nc u.nc && axt-attr _Unsigned=true u.nc:t
	fails 1 'axt-stack: *_FillValue -32768, _Unsigned true)*' 'axt-stack m --raw p.nc u.nc -o o.nc'
	[ ! -e o.nc ]
	prints $'0 1\n290 291' 'axt-stack m p.nc q.nc | axt-print --format %.4g'
	prints $'0 1\n0 1' 'axt-stack m --raw p.nc p.nc -o o.nc; axt-print --format %.4g o.nc'
	prints $'0 1\n0 1' 'axt-stack m --raw f.nc f.nc | axt-print'
}

@test "what is refused" {
	make_a
	axt-slice lon=1: a.nc -o n.nc
	fails 1 'axt-stack: axis "lat" stands twice*' 'axt-stack lat a.nc a.nc -o o.nc'
	fails 1 'axt-stack: axis "lon" has length 3 in a.nc:tensor and 2 in n.nc:tensor' 'axt-stack m a.nc n.nc -o o.nc'
	fails 1 'axt-stack: s.nc:tensor has axes (lon*' 'axt-slice lat=0 a.nc -o s.nc; axt-stack m a.nc s.nc -o o.nc'
	fails 1 'axt-stack: no position 7 among 3 axes' 'axt-stack m a.nc a.nc --at 7 -o o.nc'
	fails 2 'axt-stack: "m,n" is not one axis' 'axt-stack m,n a.nc -o o.nc'
	fails 2 'axt-stack: operand A is missing' 'axt-stack m'
	[ ! -e o.nc ]
}

@test "axes without names of tensors of unlike shapes" {
	py '
for n, c in ("k1.h5", 1), ("k2.h5", 7):
    h5py.File(n, "w").update({"a": np.arange(6.).reshape(2, 3) * c, "b": np.arange(20.).reshape(4, 5) * c, "z": np.arange(4.) * c})
'
	works 'axt-stack m "k1.h5:*" "k2.h5:*" -o o.h5; axt-reduce mean --over dim_0 "k1.h5:[ab]" -o r.h5'
	works 'axt-stack m "k1.h5:*" "k2.h5:*" | axt-map negative "-:*" -o n.h5'
	prints $'a f64 m=2 dim_0=2 dim_1=3\nb f64 m=2 dim_0=4 dim_1=5\nz f64 m=2 dim_0=4' 'axt-info o.h5 | grep "^[abz] f64"'
	py '
a, b, o, n, r = (h5py.File(k + ".h5") for k in ("k1", "k2", "o", "n", "r"))
for k in "abz":
    assert (o[k][...] == np.stack([a[k], b[k]])).all() and (n[k][...] == -o[k][...]).all()
for k in "ab":
    assert (r[k][...] == a[k][...].mean(0)).all()
import xarray
assert dict(xarray.open_dataset("o.h5", engine="netcdf4").sizes) == {"m": 2, "dim_0": 4, "dim_1": 5, "dim_2": 2, "dim_3": 3}
'
}

@test "axes without names keep their numbers, so that a mean of stacked layers meets the layers again" {
	py "
r = np.random.default_rng(1)
for n in 'v1', 'v2':
    with h5py.File(n + '.h5', 'w') as f:
        f['a'], f['b'] = r.normal(size=(16, 8)), r.normal(size=8)"
	works "axt-stack m 'v1.h5:*' 'v2.h5:*' -o s.h5"
	prints $'a f64 m=2 dim_0=16 dim_1=8\nb f64 m=2 dim_0=8' 'axt-info --brief s.h5'
	works "axt-reduce mean --over m 's.h5:*' -o mean.h5 && axt-calc 'norm2(b - a)' 'a=v1.h5:*' 'b=mean.h5:*' -o n.h5"
	py "
v, w, n = (h5py.File(x + '.h5') for x in ('v1', 'v2', 'n'))
for k in 'a', 'b':
    assert np.isclose(n[k][()], np.linalg.norm((w[k][()] - v[k][()]) / 2)), k"
	works "axt-copy 's.h5:*' -o c.h5 && axt-add s.h5:a 0 -o one.h5 && axt-slice m=0 's.h5:*' -o zero.h5"
	prints $'a f64 m=2 dim_0=16 dim_1=8\nb f64 m=2 dim_0=8' 'axt-info --brief c.h5'
	prints 'a f64 m=2 dim_0=16 dim_1=8' 'axt-info --brief one.h5'
	prints $'a f64 dim_0=16 dim_1=8\nb f64 dim_0=8' 'axt-info --brief zero.h5'
	ncdump -h s.h5 >/dev/null
}

@test "of several tensors that come through a pipe, each is meant" {
	axt-make iota x=3 --name a -o f.h5
	axt-make ones x=3 --name b -o f.h5:b
	works "axt-stack m 'f.h5:*' 'f.h5:*' | axt-reduce sum --over m -o s.h5"
	prints $'a\nb' 'axt-info --names s.h5'
	works "axt-stack m 'f.h5:*' 'f.h5:*' | axt-reduce sum --over m - | axt-sub - 1 -o t.h5"
	prints $'-1\n1\n3' 'axt-print t.h5:a'
	prints $'1\n1\n1' 'axt-print t.h5:b'
	prints $'0\n1\n2' 'axt-copy f.h5 | axt-map negative -d a - | axt-map negative -p'
	fails 1 'axt-reduce: f.h5 holds several tensors: *' 'axt-reduce sum f.h5 -p'
	fails 1 'axt-map: -: is neither a file nor a pipe' 'axt-map negative - </dev/null'
}
