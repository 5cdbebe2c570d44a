load helper

@test "B where A is NaN" {
	prints 3 'axt-fillnan nan 3 -p'
	prints 1 'axt-fillnan 1 3 -p'
	axt-make iota x=2 | axt-div - 0 -o n.nc
	prints $'-1\ninf' 'axt-fillnan n.nc -1 -p'
}

@test "missing values are filled, too" {
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([1, -9], "f4"); f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints $'1\n0' 'axt-fillnan p.h5 0 -p'
}

@test "usage: - must be written" {
	fails 2 'axt-fillnan: operand B is missing' 'axt-fillnan a.nc'
	hints 'axt-fillnan - a.nc  or  axt-fillnan a.nc -'
}

@test "gaps along an axis, as interpolate_na of xarray" {
	py '
import xarray as xr
r = np.random.default_rng(11)
f = h5py.File("g.nc", "w")
f["x"] = np.cumsum(r.integers(1, 9, 40)).astype("f8"); f["x"].make_scale("x")
f["d"] = -f["x"][:]; f["d"].make_scale("d")
def nearest(t, along):	# xarray needs SciPy for it, whose interp1d takes the lower one in the middle
	t = t.copy(); a = np.moveaxis(t.values, t.dims.index(along), -1); x = t[along].values.astype("f8")
	for i in range(len(a)):
		ok = ~np.isnan(a[i])
		if ok.any(): a[i] = a[i][ok][np.searchsorted((x[ok][1:] + x[ok][:-1]) / 2, x, side="left")]
	return t
def write(name, a, dims):
	f[name] = a
	for i, n in enumerate(dims):
		if n in f: f[name].dims[i].attach_scale(f[n])
		else: f[name].dims[i].label = n
for name, dims, shape, dtype in (("a", "xy", (40, 130), "f8"), ("b", "yx", (7, 40), "f4"), ("c", "dy", (40, 3), "f8"),
    ("n", "yz", (3, 40), "f8")):
	v = r.normal(size=shape).astype(dtype); v[r.random(shape) < .6] = np.nan
	if name == "a": v[:, 3] = np.nan
	write(name, v, dims)
	along = [n for n in dims if n != "y"][0]
	t = xr.DataArray(v, dims=list(dims), coords={along: f[along][:]} if along in f else {})
	if along == "d": t = t.sortby("d")
	for method in "linear", "nearest":
		for limit in None, 2:
			if along == "d" and limit: continue	# a row begins at the other end of a sorted axis
			e = t.interpolate_na(along, limit=limit)
			if method == "nearest": e = nearest(t, along).where(e.notnull())
			if along == "d": e = e.sortby("d", ascending=False)
			assert np.isnan(v).sum() > np.isnan(e.values).sum() > 0
			write(f"{name}_{method}_{limit or 0}", e.values.astype(dtype), dims)
'
	for m in linear nearest; do
		for t in a:x b:x n:z c:d; do
			n=${t%:*} x=${t#*:}
			works "axt-fillnan --along $x --method $m g.nc:$n | axt-equal --rtol 1e-6 - g.nc:${n}_${m}_0"
			[ $n = c ] || works "axt-calc 'fillnan(v, along=$x, method=$m, limit=2)' v=g.nc:$n | axt-equal --rtol 1e-6 - g.nc:${n}_${m}_2"
			[ $n = c ] || works "axt-fillnan --along $x --method $m --limit 2 g.nc:$n | axt-equal --rtol 1e-6 - g.nc:${n}_${m}_2"
		done
	done
}

@test "what filling along an axis is given" {
	axt-make iota x=3 --dtype i32 -o i.nc
	prints $'0\n1\n2' 'axt-fillnan --along x i.nc -p'
	prints $'0\n1\n2' 'axt-fillnan --along x <i.nc | axt-print'
	axt-make ones x=2 --dtype c64 -o c.nc
	fails 1 'axt-fillnan: fillnan is not defined for c64 (c.nc:tensor)' 'axt-fillnan --along x c.nc -p'
	fails 1 'axt-fillnan: no axis "y" in i.nc:tensor*' 'axt-fillnan --along y i.nc -p'
	fails 2 'axt-fillnan: --method needs --along AXIS' 'axt-fillnan --method linear i.nc 0 -p'
	fails 2 'axt-fillnan: --limit needs --along AXIS' 'axt-fillnan --limit 2 i.nc 0 -p'
	fails 2 'axt-fillnan: too many operands: "0"' 'axt-fillnan --along x i.nc 0 -p'
	fails 2 'axt-calc: fillnan takes what fills a, or along=, and not both at *' 'axt-calc "fillnan(a, 0, along=x)" a=i.nc -p'
	fails 2 'axt-calc: method= of fillnan is linear or nearest at *' 'axt-calc "fillnan(a, along=x, method=min)" a=i.nc -p'
}
