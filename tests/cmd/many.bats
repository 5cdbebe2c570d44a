load helper
# Any number of files: under few descriptors, in one pass, through pipes, in saved expressions.

# many N: m/00000.nc ..., t(lat=2, lon=3), 0 to 5, by cp.
many()
{
	axt-make iota lat=2,lon=3 --dtype f32 --name t -o base.nc
	mkdir m
	/usr/bin/python3 -c "
import shutil
for i in range($1): shutil.copyfile('base.nc', 'm/%05d.nc' % i)"
	ls m/* >list
}

@test "more files than descriptors are joined and added, whatever the limit" {
	many 1500
	for n in 64 1024; do
		prints 22500 "ulimit -S -n $n; axt-stack n --files-from list | axt-reduce sum -p"
		prints $'0 4500\n1500 6000\n3000 7500' \
		    "ulimit -n $n; axt-add --files-from list -o a.nc; axt-order lon,lat a.nc | axt-reshape a=3,b=2 | axt-print | sed 's/ *$//' | sort -n | paste -sd' ' | xargs -n2"
	done
	prints 3000 'ulimit -S -n 256; axt-concat lat --join override --files-from list -o c.nc; axt-info --json c.nc | sed -n "s/.*\"shape\": .\([0-9]*\),.*/\1/p" | head -n 1'
}

@test "any number of operands of an operation are one pass, with the bits of two at a time" {
	py '
r = np.random.default_rng(1)
for i in range(70):
    for d in "f2", "f4", "i2":
        with h5py.File(f"{d}_{i:02d}.h5", "w") as f:
            v = r.integers(0, 100, (3, 5)) if d[0] in "iu" else r.normal(size=(3, 5)).astype(d)
            f["v"] = v.astype(d)
'
	for d in f2 f4 i2; do
		for op in add mul maximum; do
			works "axt-$op -q ${d}_*.h5 -o all.h5" # products of i2 wrap
			py "
import glob
f = {'add': np.add, 'mul': np.multiply, 'minimum': np.minimum, 'maximum': np.maximum}['$op']
a = [h5py.File(n)['v'][:] for n in sorted(glob.glob('${d}_*.h5'))]
with np.errstate(all='ignore'):
    y = a[0]
    for x in a[1:]: y = f(y, x)
z = h5py.File('all.h5')['v'][:]
assert z.dtype == y.dtype and z.tobytes() == y.tobytes(), (z, y)"
		done
	done
	[[ $(axt-add f4_*.h5 --explain | grep -c '^pass') == 1 ]]
	prints 1 'axt-add i2_*.h5 f4_*.h5 --explain | grep -c "dtype\|f32" | sed "s/[1-9][0-9]*/1/"'
}

@test "operands of fewer axes, other orders and packed values are folded by name" {
	py '
for i in range(40):
    with h5py.File(f"p{i:02d}.nc", "w") as f:
        for n, k in (("y", 3), ("x", 4)):
            f[n] = np.arange(k); f[n].make_scale(n)
        v = np.arange(12, dtype="i2").reshape(3, 4) + i
        ax = ["y", "x"]
        if i % 3 == 1: v = v.T; ax = ax[::-1]
        if i % 3 == 2: v = v[0]; ax = ["x"]
        f["v"] = v
        f["v"].attrs["scale_factor"] = np.float32(0.5); f["v"].attrs["_FillValue"] = np.int16(7)
        for k, n in enumerate(ax): f["v"].dims[k].attach_scale(f[n])
'
	axt-add p*.nc -o s.nc
	py '
y = 0
for i in range(40):
    v = (np.arange(12, dtype="i2").reshape(3, 4) + i)
    v = np.where(v == 7, np.nan, v.astype("f4") * np.float32(0.5))
    y = y + (v[0] if i % 3 == 2 else v)
np.testing.assert_array_equal(h5py.File("s.nc")["v"][:], y.astype("f4"))'
	prints "$(axt-print s.nc)" 'axt-add p*.nc --chunk y=1 -o c.nc; axt-print c.nc'
	for f in p*.nc; do axt-order y,x "$f" --chunk x=3 --deflate 1 -o "z$f" 2>/dev/null || axt-order x "$f" --chunk x=3 --deflate 1 -o "z$f"; done
	prints "$(axt-print s.nc)" 'axt-add zp*.nc | axt-print'
	prints "$(axt-print s.nc)" 'AXT_TILE=1 AXT_SLAB=1 axt-add zp*.nc | axt-print'
}

@test "a plan of thousands of files goes through a pipe or its bytes do; it is saved, and read again" {
	many 1300
	prints 19500 'AXT_FUSE=1; export AXT_FUSE; axt-stack n --files-from list | axt-map square | axt-map sqrt | axt-reduce sum -p'
	works 'axt-stack n --files-from list | axt-save -o s.h5'
	prints 19500 'axt-reduce sum -p s.h5'
	prints 19500 'ulimit -n 100; axt-reduce sum -p s.h5'
}

@test "a chain of thousands of operations needs little stack, and more than fit a pass are several" {
	cat >chain.py <<-'END'
	import h5py, numpy as np, sys
	n = 4000
	p = 'axt-plan 1\nnode 0 gen iota f32 [x=4] seed=0 lo=0x1p+0 hi=0x1p+0\n'
	p += ''.join(f'node {i} map negative f32 [x=4] {i-1}\n' for i in range(1, n)) + f'out v {n-1}\nend\n'
	with h5py.File('d.h5', 'w', libver='latest') as f:
	    d = f.create_dataset('v', (4,), 'f4'); d.attrs['axt_plan'] = np.bytes_(p.encode())
	    x = f.create_dataset('x', (4,), '>f4'); x.make_scale('This is a netCDF dimension but not a netCDF variable.%10d' % 4); d.dims[0].attach_scale(x)
	END
	/usr/bin/python3 chain.py
	[ -n "${AXT_SANITIZER-}" ] || stack='ulimit -s 256;'
	prints '-1 -2 -3 -4' "${stack-} axt-reshape y=1,x=4 d.h5:v | axt-print"
	works "${stack-} axt-info d.h5"
	prints '-1 -2 -3 -4' "${stack-} axt-split x d.h5:v -P 'p{}.h5' && for i in 0 1 2 3; do axt-print p\$i.h5; done | paste -sd' '"
}

@test "virtual datasets of thousands of maps" {
	py '
with h5py.File("s.h5", "w") as f: f["v"] = np.arange(40000, dtype="f4").reshape(20000, 2)
s = h5py.VirtualSource("s.h5", "v", (20000, 2))
for n in (3000, 4097, 8000):
    l = h5py.VirtualLayout((n, 2), "f4")
    for i in range(n): l[i] = s[n - 1 - i]
    with h5py.File(f"v{n}.h5", "w", libver="latest") as f: f.create_virtual_dataset("v", l)'
	for n in 3000 4097 8000; do
		py "
import subprocess
subprocess.run('axt-cast --dtype f64 v$n.h5 -o o.h5', shell=True, check=True)
assert (h5py.File('o.h5')['v'][:] == h5py.File('v$n.h5')['v'][:]).all()"
	done
}
