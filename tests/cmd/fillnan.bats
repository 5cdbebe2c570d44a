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
	hints 'axt-fillnan A \[B\]; axt-fillnan -h tells how'
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
	fails 2 'axt-fillnan: --method goes with --along' 'axt-fillnan --method linear i.nc 0 -p'
	fails 2 'axt-fillnan: --limit goes with --along' 'axt-fillnan --limit 2 i.nc 0 -p'
	fails 2 'axt-fillnan: too many operands: "0"' 'axt-fillnan --along x i.nc 0 -p'
	fails 2 'axt-calc: fillnan takes what fills A, or along, and not both at *' 'axt-calc "fillnan(a, 0, along=x)" a=i.nc -p'
	fails 2 'axt-calc: method= takes linear|nearest|distance, not *' 'axt-calc "fillnan(a, along=x, method=min)" a=i.nc -p'
}

@test "--max-gap: gaps that are no longer are filled whole, beside NumPy" {
	py '
r = np.random.default_rng(3)
f = h5py.File("g.h5", "w")
f["x"] = np.cumsum(r.integers(1, 9, 60)).astype("f8"); f["x"].make_scale("x")
for name, shape, axis, dtype in ("a", (60, 90), 0, "f8"), ("b", (5, 60), 1, "f4"):
	v = r.normal(size=shape).astype(dtype); v[r.random(shape) < .6] = np.nan
	for most in 0, 1, 3:
		e = np.moveaxis(v.astype("f8"), axis, -1).copy()
		for line in e:
			ok = np.flatnonzero(~np.isnan(line))
			for i, j in zip(ok[:-1], ok[1:]):
				if most == 0 or j - i - 1 <= most: line[i:j] = np.interp(f["x"][i:j], f["x"][[i, j]], line[[i, j]])
		d = f.create_dataset(f"{name}{most}" if most else name, data=np.moveaxis(e if most else np.moveaxis(v, axis, -1), -1, axis).astype(dtype))
		d.dims[axis].attach_scale(f["x"]); d.dims[1 - axis].label = "y"
'
	for t in a b; do
		for n in 1 3; do
			works "axt-fillnan --along x --max-gap $n g.h5:$t | axt-equal --rtol 1e-6 - g.h5:$t$n"
			works "axt-calc 'fillnan(v, along=x, max_gap=$n)' v=g.h5:$t | axt-equal --rtol 1e-6 - g.h5:$t$n"
		done
	done
	printf 't,v\n0,1\n1,\n2,\n3,\n4,5\n5,\n6,7\n' | axt-from - -o l.nc
	prints $'1\n2\nnan\nnan\n5\n6\n7' 'axt-fillnan --along t --max-gap 3 --limit 1 l.nc -p'
	fails 2 'axt-fillnan: --max-gap goes with --along' 'axt-fillnan --max-gap 2 l.nc 0 -p'
	fails 2 'axt-fillnan: --max-gap takes a whole number from 1 *"3h"' 'axt-fillnan --along t --max-gap 3h l.nc -p'
}

@test "gaps over two axes, from the nearest places on the sphere" {
	py '
r = np.random.default_rng(5)
def grid(name, lat, lon, dims, share):
	f = h5py.File(name, "w")
	n = {"lat": lat.shape[0], "lon": lon.shape[-1]} if lat.ndim == 1 else {"y": lat.shape[0], "x": lat.shape[1]}
	t = r.standard_normal((3, *n.values())).astype("f4")
	t[r.random(t.shape) < share] = np.nan
	t[2] = np.nan
	for k, (name, v) in enumerate((("lat", lat), ("lon", lon))):
		f[name] = v; f[name].attrs["units"] = np.bytes_("degrees_north" if k == 0 else "degrees_east")
	f["time"] = np.arange(3); f["time"].make_scale("time")
	for d, m in n.items():
		if d not in f: f[d] = np.arange(m)
		f[d].make_scale(d)
	for v in ("lat", "lon") if lat.ndim == 2 else ():
		for i, d in enumerate(n): f[v].dims[i].attach_scale(f[d])
	order = [["time", *n].index(d) for d in dims]
	f["t"] = t.transpose(order)
	for i, d in enumerate(dims): f["t"].dims[i].attach_scale(f[d])
	if lat.ndim == 2: f["t"].attrs["coordinates"] = np.bytes_("lat lon")
	a, o = np.broadcast_arrays(lat[:, None], lon) if lat.ndim == 1 else (lat, lon)
	a, o = np.radians(a), np.radians(o)
	v = np.stack([np.cos(a)*np.cos(o), np.cos(a)*np.sin(o), np.sin(a)], -1).reshape(-1, 3)
	for method, most in (("nearest", 1), ("distance", 4)):
		w = t.reshape(3, -1).astype("f8")
		for x in w[:2]:
			old, ok = x.copy(), np.flatnonzero(~np.isnan(x))
			for i in np.flatnonzero(np.isnan(x)):
				d = np.sqrt(((v[ok] - v[i])**2).sum(-1))
				k = np.lexsort((ok, d))[:most]
				x[i] = (old[ok][k]/d[k]).sum()/(1/d[k]).sum()
		f[method] = w.reshape(t.shape).astype("f4").transpose(order)
lat, lon = np.sort(r.uniform(-89, 89, 17)), np.sort(r.uniform(0, 360, 31))
grid("r.nc", lat, lon, ["lon", "time", "lat"], .6)
y, x = np.meshgrid(np.linspace(-70, 80, 40), np.linspace(-30, 60, 50), indexing="ij")
grid("c.nc", y + x/9 + r.uniform(0, .1, y.shape), x + y/5 + r.uniform(0, .1, y.shape), ["time", "y", "x"], .95)'
	for method in nearest distance; do
		works "axt-fillnan --along lat,lon --method $method r.nc:t -o r_$method.nc"
		works "axt-fillnan --along y,x --method $method c.nc:t -o c_$method.nc"
	done
	py '
for g in "rc":
	for m in ("nearest", "distance"):
		got, want = h5py.File(f"{g}_{m}.nc")["t"][:], h5py.File(f"{g}.nc")[m][:]
		assert got.dtype == want.dtype and np.allclose(got, want, rtol=2e-6, atol=1e-7, equal_nan=True), (g, m, np.nanmax(np.abs(got - want)))
		assert np.isnan(got).sum() == got.size//3'
	fails 1 'axt-fillnan: fillnan takes the method distance along two axes' 'axt-fillnan --along lat --method distance r.nc:t'
	fails 1 'axt-fillnan: fillnan takes one axis, or two with *' 'axt-fillnan --along lat,lon r.nc:t'
	fails 1 'axt-fillnan: r.nc:t has no longitudes over *' 'axt-fillnan --along time,lat --method nearest r.nc:t'
}

@test "of the nearest cells at one distance the first one fills a gap, as setmisstonn of CDO" {
	py '
lat, lon = np.arange(-75., 76, 30), np.arange(0., 360, 45)
la, lo = np.meshgrid(np.radians(lat), np.radians(lon), indexing="ij")
p = np.stack([np.cos(la)*np.cos(lo), np.cos(la)*np.sin(lo), np.sin(la)], -1).reshape(-1, 3)
d = np.round(((p[:, None] - p)**2).sum(-1), 10)
ties = 0
for name, seed in (("g.nc", 1), ("h.nc", 2), ("i.nc", 3)):
	r = np.random.default_rng(seed)
	v = r.normal(size=(6, 8)); v[r.random((6, 8)) < .8] = np.nan
	ok = np.flatnonzero(~np.isnan(v.ravel()))
	ties += ((d[:, ok] == d[:, ok].min(1)[:, None]).sum(1) > 1).sum()
	with h5py.File(name, "w") as f:
		for n, x, units in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
			f[n] = x; f[n].make_scale(n); f[n].attrs["units"] = units
		for n, x in (("v", v), ("w", v.ravel()[ok[d[:, ok].argmin(1)]].reshape(v.shape))):
			f[n] = x; f[n].dims[0].attach_scale(f["lat"]); f[n].dims[1].attach_scale(f["lon"]); f[n].attrs["_FillValue"] = np.nan
assert ties > 10, ties
'
	for f in g h i; do
		works "axt-fillnan --along lat,lon --method nearest $f.nc:v | axt-equal - $f.nc:w"
		[ -z "$(command -v cdo)" ] || works "cdo -s setmisstonn -selname,v $f.nc c.nc && axt-equal c.nc:v $f.nc:w && rm c.nc"
	done
}
