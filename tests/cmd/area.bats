load helper

@test "areas of cells, as weights and as axt-calc have them" {
	works 'axt-make ones lat=3,lon=2 -o a.nc; axt-make iota:-60:60 lat=3 --dtype f64 --attr units=degrees_north -o lat.nc'
	works 'axt-coord set lat=lat.nc a.nc -o g.nc'
	prints $'0.5\n1.0\n0.5' 'axt-area g.nc | axt-print --format %.1f - | tr " " "\n"'
	works "axt-area g.nc --name w --no-history -o a.nc --force && axt-calc 'area(t)' t=g.nc --no-history --name w -o b.nc && cmp a.nc b.nc"
	works 'axt-reduce mean --over lat --weights area g.nc -o c.nc; axt-area g.nc | axt-reduce mean --over lat --weights - g.nc | axt-equal - c.nc'
	fails 1 'axt-area: areas need latitudes, and *' 'axt-make ones x=3 | axt-area'
	fails 2 'axt-area: too many operands: *' 'axt-area g.nc g.nc'
}

@test "areas of cells with vertices: the same from any number of threads, and the first wrong latitude is told" {
	py "
y, x = np.meshgrid(np.linspace(-90, 90, 61), np.linspace(-360, 360, 81), indexing='ij')
def cells(v):
    return np.stack([v[:-1, :-1], v[:-1, 1:], v[1:, 1:], v[1:, :-1]], -1)
for name, wrong in ('good.nc', []), ('wrong.nc', [95, 97]):
    f = h5py.File(name, 'w')
    for c, v, u in ('lat', cells(y), 'north'), ('lon', cells(x), 'east'):
        if c == 'lat':
            v[7, 3] = np.nan
            v[50:50 + len(wrong), 9, 0] = wrong
        f['c' + c] = v.mean(-1)
        f['c' + c].attrs.update(units=f'degrees_{u}', bounds='b' + c, standard_name={'lat': 'latitude', 'lon': 'longitude'}[c])
        f['b' + c] = v
    f['t'] = np.ones((60, 80))
    f['t'].attrs['coordinates'] = 'clat clon'
    for k, n in enumerate('ji'):
        f[n] = np.arange(f['t'].shape[k], dtype=float)
        f[n].make_scale(n)
        for d in 'clat', 'clon', 'blat', 'blon', 't':
            f[d].dims[k].attach_scale(f[n])
    want = np.abs(np.diff(np.sin(np.radians(y[:, 0])))) * np.radians(9)
    np.save('want.npy', want)
"
	for n in 1 2 5; do
		works "AXT_THREADS=$n axt-area good.nc:t --no-history -o $n.nc"
	done
	works 'cmp 1.nc 2.nc && cmp 1.nc 5.nc'
	py 'a = h5py.File("1.nc")["area"][()]; w = np.load("want.npy")
assert np.isnan(a[7, 3]) and np.isnan(a).sum() == 1
np.testing.assert_allclose(a[20:40, 50], w[20:40], rtol=5e-3)'
	for n in 1 2 5; do
		fails 1 'axt-area: *95*' "AXT_THREADS=$n axt-area wrong.nc:t"
	done
}
