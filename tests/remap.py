#!/usr/bin/python3
"""axt-regrid between grids of every kind: remap.py [CASES [SEED]].

How much each old cell counts in each new one is read off fields that are 1 in one cell each. From these weights NumPy computes what
fields with gaps give; the weights themselves are compared with brute force, with areas, and with what bilinear means. CDO is beside.
"""
import os
import shutil
import subprocess

import numpy as np
import xarray as xr

from axtlib import Tap, axt, in_batches, random_cases, scratch, shell

METHODS = ['conservative', 'bilinear', 'nearest', 'distance', 'largest']


def vectors(lat, lon):
    lat, lon = np.radians(lat), np.radians(lon)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def places(v):
    v = v / np.linalg.norm(v, axis=-1, keepdims=True)
    return np.degrees(np.arcsin(np.clip(v[..., 2], -1, 1))), np.degrees(np.arctan2(v[..., 1], v[..., 0]))


class Grid:
    """dims, sizes, lat and lon of all cells, vertices or None, and whether it is global."""

    def __init__(self, kind, dims, lat, lon, vlat=None, vlon=None, axes=None, whole=True, word=None, attrs=None):
        self.kind, self.dims, self.lat, self.lon, self.vlat, self.vlon = kind, dims, lat, lon, vlat, vlon
        self.axes, self.whole, self.word, self.attrs = axes, whole, word, attrs or {}
        self.shape = lat.shape
        self.v = vectors(lat, lon).reshape(-1, 3)

    def dataset(self, fields, dtype, last):
        """Fields [time][cells...] on the grid."""
        x = fields.reshape(-1, *self.shape).astype(dtype)
        dims = ('time', *self.dims)
        if last:
            x, dims = np.moveaxis(x, 0, -1), (*self.dims, 'time')
        ds = xr.Dataset({'f': (dims, x, {'units': 'K', **self.attrs})})
        if self.axes:
            for d in self.dims:
                ds[d] = (d, self.axes[d], {'units': 'degrees_north' if d == 'lat' else 'degrees_east'})
        elif 'grid_mapping' in self.attrs:
            ds['crs'] = ((), np.int32(0), {'grid_mapping_name': 'healpix', 'healpix_nside': np.int32(np.sqrt(self.lat.size // 12)),
                                           'healpix_order': 'nested' if self.kind == 'nested' else 'ring'})
        else:
            for name, c, v in ('lat', self.lat, self.vlat), ('lon', self.lon, self.vlon):
                ds[name] = (self.dims, c, {'units': 'degrees_north' if name == 'lat' else 'degrees_east'})
                if v is not None:
                    ds[name].attrs['bounds'] = name + '_v'
                    ds[name + '_v'] = ((*self.dims, 'nv'), v)
            ds['f'].attrs['coordinates'] = 'lat lon'
        return ds


def crossed(r):
    nlat, nlon = int(r.integers(4, 12)), int(r.integers(4, 16))
    lat, lon = -90 + 180 * (np.arange(nlat) + .5) / nlat, r.integers(-180, 180) + 360 * np.arange(nlon) / nlon
    whole = r.random() < .7
    if not whole:
        lat, lon = np.linspace(-40, 50, nlat), r.integers(-180, 180) + np.linspace(0, 100, nlon)
    if r.random() < .3:
        lat = lat[::-1].copy()
    dims = ('lat', 'lon') if r.random() < .7 else ('lon', 'lat')
    a, b = np.meshgrid(lat, lon, indexing='ij')
    if dims[0] == 'lon':
        a, b = a.T, b.T
    return Grid('crossed', dims, a, b, axes={'lat': lat, 'lon': lon}, whole=whole)


def rotated(r, vertices=True):
    ny, nx, limit = int(r.integers(4, 10)), int(r.integers(5, 14)), float(r.integers(50, 86))
    y, x = np.linspace(-limit, limit, ny), 360 * np.arange(nx) / nx
    q = np.linalg.qr(r.normal(size=(3, 3)))[0]

    def turn(y, x):
        return places(vectors(y, x) @ q.T)
    a, b = np.meshgrid(y, x, indexing='ij')
    dy, dx = (y[1] - y[0]) / 2, 180 / nx
    lat, lon = turn(a, b)
    vlat, vlon = turn(np.stack([a - dy, a - dy, a + dy, a + dy], -1), np.stack([b - dx, b + dx, b + dx, b - dx], -1))
    return Grid('rotated', ('y', 'x'), lat, lon, vlat if vertices else None, vlon if vertices else None, whole=False)


def triangles(r):
    """The faces of an icosahedron, each cut into four once or twice, in any order, turned anyhow."""
    g = (1 + 5 ** .5) / 2
    p = [np.array(v, float) for s in (1, -1) for t in (g, -g) for v in ((0, s, t), (s, t, 0), (t, 0, s))]
    p = [v / np.linalg.norm(v) for v in p]
    near = min(np.linalg.norm(p[0] - v) for v in p[1:]) * 1.01
    faces = [(p[i], p[j], p[k]) for i in range(12) for j in range(i) for k in range(j)
             if max(np.linalg.norm(p[i] - p[j]), np.linalg.norm(p[j] - p[k]), np.linalg.norm(p[k] - p[i])) < near]
    for _ in range(int(r.integers(1, 3))):
        more = []
        for a, b, c in faces:
            x, y, z = (m / np.linalg.norm(m) for m in (a + b, b + c, c + a))
            more += [(a, x, z), (x, b, y), (z, y, c), (x, y, z)]
        faces = more
    q = np.linalg.qr(r.normal(size=(3, 3)))[0]
    v = r.permutation(np.array(faces) @ q.T)
    if r.random() < .5:
        v = v[:, ::-1]
    lat, lon = places(v.sum(1))
    return Grid('triangles', ('cell',), lat, lon, *places(v))


def healpix(r):
    nested = r.random() < .5
    side = int(r.choice([1, 2, 4])) if nested else int(r.integers(1, 5))
    word = f'hp{side}' + ('_nested' if nested else str(r.choice(['', '_ring'])))
    axt('make', 'full:1', 'lat=2,lon=2', '-o', 'one.nc')
    with xr.open_dataset(word + '.nc') if os.path.exists(word + '.nc') else make_word(word) as ds:
        lat, lon = ds.lat.values, ds.lon.values
    return Grid('nested' if nested else 'ring', ('cell',), lat, lon, word=word, attrs={'grid_mapping': 'crs'})


def make_word(word):
    """A field on the grid that a word means."""
    name = word.replace('/', '_')
    if not os.path.exists('some.nc'):
        lat, lon = np.arange(-75., 90, 30), np.arange(0., 360, 60)
        xr.Dataset({'f': (('lat', 'lon'), np.ones((6, 6)))},
                   {'lat': ('lat', lat, {'units': 'degrees_north'}), 'lon': ('lon', lon, {'units': 'degrees_east'})}).to_netcdf('some.nc')
    p = shell(f'axt-regrid --method nearest --to {word} some.nc:f -o {name}.nc')
    assert p.returncode == 0, p.stderr
    return xr.open_dataset(name + '.nc')


def draw(r, corners):
    kind = r.integers(0, 4 if corners else 5)
    return [crossed, rotated, triangles, healpix, lambda x: rotated(x, False)][kind](r)


def regrid(words, name, env=None):
    if os.path.exists('o.nc'):
        os.remove('o.nc')
    p = shell(f'{env or ""} axt-regrid {words} {name} -o o.nc')
    return p.returncode, p.stderr.decode().strip()


def result(to, last):
    with xr.open_dataset('o.nc') as ds:
        dims = (*to.dims, 'time') if last else ('time', *to.dims)
        f = ds['f'] if to.word is None else ds['f'].rename({d: n for d, n in zip([d for d in ds['f'].dims if d != 'time'], to.dims)})
        there = to.axes or ('lat' in ds and np.array_equal(ds['lat'].values, to.lat) and ('lat_v' in ds) == (to.vlat is not None)) or \
            (to.word and 'crs' in ds.variables)
        return f.transpose('time', *to.dims).values.reshape(ds.sizes['time'], -1), there and set(dims) == set(f.dims)


def expected(w, x, missing):
    """What fields x [time][old] with gaps give with weights w [new][old]."""
    there = ~np.isnan(x)
    share = there @ w.T.astype(float)
    sums = np.where(there, x, 0) @ w.T
    with np.errstate(all='ignore'):
        y = sums / share
    y[share <= 0] = np.nan
    if missing == 'nan':
        y[((~there).astype(float) @ (w > 0).T.astype(float)) > 0] = np.nan
    return y, share


def check_weights(m, a, b, w):
    """What the weights of a method must be. Returns why they are not."""
    rows = np.nansum(w, 1)
    has = rows > 0
    if not np.allclose(rows[has], 1, atol=1e-9):
        return f'rows sum to {rows[has].min()} .. {rows[has].max()}'
    d2 = ((b.v[:, None] - a.v[None]) ** 2).sum(-1)
    if m == 'nearest':
        at = w.argmax(1)
        return '' if np.allclose(d2[np.arange(len(d2)), at], d2.min(1), atol=1e-13) else 'a cell is not the nearest'
    if m == 'distance':
        order = np.sort(d2, 1)[:, :4]
        with np.errstate(divide='ignore'):
            want = 1 / np.maximum(np.sqrt(order), 1e-30)
        want = np.sort(want / want.sum(1, keepdims=True), 1)
        got = np.sort(w, 1)[:, -4:]
        return '' if np.allclose(got, want, atol=1e-6) else f'weights by distance differ by {abs(got - want).max()}'
    if m == 'bilinear' and a.kind in ('triangles', 'ring', 'nested'):
        for t in np.flatnonzero(has):
            k = np.flatnonzero(w[t] > 1e-12)
            at = (w[t, k, None] * a.v[k] / (a.v[k] @ b.v[t])[:, None]).sum(0)
            if len(k) > 3 or (w[t] < -1e-12).any() or not np.allclose(at, b.v[t], atol=1e-7):
                return f'cell {t} is not within its triangle: {w[t, k]} {at} {b.v[t]}'
        return '' if has.all() or a.lat.size < 40 else 'a place has no triangle'
    if m == 'bilinear' and a.kind == 'rotated':
        for t in np.flatnonzero(has & (abs(b.lat.ravel()) < 80)):
            # either latitudes and longitudes are what the weights make of those around, or places on the plane that touches there
            k = np.flatnonzero(w[t] > 1e-12)
            west = (a.lon.ravel()[k] - b.lon.ravel()[t] + 180) % 360 - 180
            degrees = abs(w[t, k] @ a.lat.ravel()[k] - b.lat.ravel()[t]) + abs(w[t, k] @ west)
            plane = abs((w[t, k, None] * a.v[k] / (a.v[k] @ b.v[t])[:, None]).sum(0) - b.v[t]).max()
            if len(k) > 4 or min(degrees, plane) > 1e-6:
                return f'cell {t} is not between {len(k)} cells: {degrees} {plane}'
        return ''
    return ''


def check(t, seed):
    r = np.random.default_rng(seed)
    m = METHODS[seed % len(METHODS)]
    cells = m in ('conservative', 'largest')
    a, b = draw(r, cells), draw(r, cells)
    n = a.lat.size
    a.dataset(np.eye(n), 'f8', False).to_netcdf('eye.nc')
    b.dataset(np.zeros((1, b.lat.size)), 'f4', False).to_netcdf('to.nc')
    to = b.word or 'to.nc:f'
    where = f'{seed}: {m}, {a.kind} {a.shape} to {b.kind} {b.shape}'
    rc, err = regrid(f'--method {"conservative" if m == "largest" else m} --to {to}', 'eye.nc:f')
    if rc and 'is near one of' in err and not (a.whole and b.whole):
        return
    if rc:
        t.ok(False, where, err)
        return
    w = result(b, False)[0].T
    w = np.nan_to_num(w)
    why = check_weights(m, a, b, w)
    if why:
        t.ok(False, where, why)
        return
    if m == 'conservative' and a.whole and b.whole and 'crossed' not in (a.kind, b.kind):
        area = [areas(x) for x in (a, b)]
        f = r.normal(size=n)
        if abs(area[0] @ f - area[1] @ (w @ f)) > 1e-12 * area[0].sum():
            t.ok(False, where, f'an integral becomes {area[1] @ (w @ f)}, and was {area[0] @ f}')
            return
    x = r.normal(280, 5, (3, n))
    x[r.random(x.shape) < .15] = np.nan
    last, dtype = r.random() < .4, str(r.choice(['f4', 'f8']))
    missing = str(r.choice(['', 'renorm', 'nan']))
    a.dataset(x, dtype, last).to_netcdf('in.nc')
    x = x.astype(dtype).astype('f8')
    env = f'AXT_THREADS={r.integers(1, 4)} AXT_TILE={r.choice([1, 100, 100000])}'
    rc, err = regrid(f'--method {m} --to {to} {"--missing " + missing if missing else ""}', 'in.nc:f', env)
    if not rc:
        y, fits = result(b, last)
    if rc or not fits:
        t.ok(False, where, err or 'axes or coordinates are lost')
        return
    want, share = expected(w, x, missing or ('nan' if m == 'bilinear' else 'renorm'))
    if m == 'largest' and missing != 'nan':
        best = np.where(~np.isnan(x)[:, None], w[None], -1).argmax(2)
        clear = np.sort(np.where(~np.isnan(x)[:, None], w[None], -1), 2)
        want, share = np.take_along_axis(x[:, None].repeat(len(w), 1), best[..., None], 2)[..., 0], share
        want[share <= 0] = np.nan
        tied = clear[..., -1] - clear[..., -2] < 1e-9
        y, want = np.where(tied, 0, y), np.where(tied, 0, want)
    elif m == 'largest':
        return
    # where next to nothing is there, errors of rounding decide
    doubt = (share > 0) & (share < 1e-9)
    close = np.isclose(y, want, rtol=1e-6 if dtype == 'f4' else 1e-9, equal_nan=True) | doubt
    if not close.all():
        k = tuple(np.argwhere(~close)[0])
        t.ok(False, where + f', {dtype} {missing} {env}', f'{(~close).sum()} of {close.size} differ: {y[k]}, not {want[k]}, at {k}, share {share[k]}')


def areas(x):
    """Of cells, whose edges are great circles: sums of triangles by l'Huilier's formula."""
    if x.vlat is not None:
        v = vectors(x.vlat, x.vlon).reshape(x.lat.size, -1, 3)
    else:
        x.dataset(np.zeros((1, x.lat.size)), 'f4', False).to_netcdf('hp.nc')
        v = np.array([corners(x, i) for i in range(x.lat.size)])

    def side(p, q):
        return 2 * np.arcsin(np.clip(np.linalg.norm(p - q, axis=-1) / 2, 0, 1))
    out = 0
    for k in range(2, v.shape[1]):
        a, b, c = side(v[:, 0], v[:, k - 1]), side(v[:, k - 1], v[:, k]), side(v[:, k], v[:, 0])
        s = (a + b + c) / 2
        out = out + 4 * np.arctan(np.sqrt(np.maximum(0, np.tan(s / 2) * np.tan((s - a) / 2) * np.tan((s - b) / 2) * np.tan((s - c) / 2))))
    return out


def corners(x, i):
    """Of a cell of HEALPix in rings or nested: by the place of its middle on one of 12 faces."""
    side = int(np.sqrt(x.lat.size // 12))
    best = None
    for face in range(12):
        for ix in range(side):
            for iy in range(side):
                p = on_face(side, face, ix + .5, iy + .5)
                d = ((p - x.v[i]) ** 2).sum()
                if best is None or d < best[0]:
                    best = d, face, ix, iy
    _, face, ix, iy = best
    return [on_face(side, face, ix + dx, iy + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]


def on_face(side, face, x, y):
    ring = (face // 4 + 2) * side - x - y
    turn = [1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7][face]
    south = ring > 3 * side
    r = 4 * side - ring if south else ring
    if r < side:
        z = 1 - r * r / (3 * side * side)
        lon = turn + ((x - y) / r if r > 0 else 0)
    else:
        z, lon = (2 * side - ring) * 2 / (3 * side), turn + (x - y) / side
    z = -z if south and r < side else z
    s = np.sqrt(max(0, 1 - z * z))
    return np.array([s * np.cos(lon * np.pi / 4), s * np.sin(lon * np.pi / 4), z])


def same_as_interp(t, r):
    """Between crossed grids means are those of axt-interp, whose edges are circles of latitude, too."""
    for k in range(4):
        a, b = crossed(r), crossed(r)
        x = r.normal(size=(2, a.lat.size))
        x[r.random(x.shape) < .1] = np.nan
        a.dataset(x, 'f8', k % 2).to_netcdf('in.nc')
        b.dataset(np.zeros((1, b.lat.size)), 'f4', False).to_netcdf('to.nc')
        p = shell('rm -f i.nc; axt-interp --method conservative lat,lon=to.nc:f in.nc:f -o i.nc')
        rc, err = regrid('--to to.nc:f', 'in.nc:f')
        if rc or p.returncode:
            t.ok('near one of' in err or 'overlaps' in p.stderr.decode(), f'crossed {k}', err + p.stderr.decode())
            continue
        with xr.open_dataset('i.nc') as i, xr.open_dataset('o.nc') as o:
            t.ok(np.allclose(i.f.transpose('time', 'lat', 'lon'), o.f.transpose('time', 'lat', 'lon'), rtol=1e-9, atol=1e-12, equal_nan=True),
                 f'crossed {k}: as axt-interp --method conservative')


def beside_cdo(t, r):
    if not shutil.which('cdo'):
        t.skip('CDO', 'there is no cdo')
        return
    a = Grid('crossed', ('lat', 'lon'), *np.meshgrid(-87.5 + 5 * np.arange(36), 5. * np.arange(72), indexing='ij'),
             axes={'lat': -87.5 + 5 * np.arange(36), 'lon': 5. * np.arange(72)})
    x = r.normal(size=(2, a.lat.size))
    x[1, r.random(a.lat.size) < .1] = np.nan
    a.dataset(x, 'f8', False).to_netcdf('in.nc', encoding={'f': {'_FillValue': -9e33}})
    for method, op, grid in (('conservative', 'remapcon', 'r40x30'), ('conservative', 'remapcon', 'n12'), ('bilinear', 'remapbil', 'r40x22'),
                             ('bilinear', 'remapbil', 'n12'), ('distance', 'remapdis', 'r31x16'), ('nearest', 'remapnn', 'r31x16')):
        cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', f'{op},{grid}', 'in.nc', 'c.nc'], capture_output=True, text=True, check=False)
        rc, err = regrid(f'--method {method} --to {grid}', 'in.nc:f')
        if not t.ok(rc == 0 and cdo.returncode == 0, f'{op},{grid}: both run', err + cdo.stderr):
            continue
        with xr.open_dataset('c.nc') as c, xr.open_dataset('o.nc') as o:
            got, want = o.f.values, c.f.values
        # of two cells at one distance either may count; CDO has none where a cell of weight 0 is missing
        same = np.isclose(got, want, rtol=1e-6, atol=1e-7, equal_nan=True) | (np.isnan(want) if method == 'bilinear' else False)
        t.ok((~same).sum() <= (0 if method == 'conservative' else same.size // 50), f'{op},{grid}: as CDO', f'{(~same).sum()} of {same.size} differ')


def ties(t):
    """Of cells at one distance the first counts, as in CDO, also where rounding makes their distances differ."""
    if not shutil.which('cdo'):
        t.skip('cells at one distance', 'there is no cdo')
        return
    lat, lon = -87.5 + 5 * np.arange(36), 5. * np.arange(72)
    a = Grid('crossed', ('lat', 'lon'), *np.meshgrid(lat, lon, indexing='ij'), axes={'lat': lat, 'lon': lon})
    a.dataset(np.arange(1., a.lat.size + 1)[None], 'f8', False).to_netcdf('in.nc')
    for grid in 'r24x13', 'n16':
        for method, op in ('nearest', 'remapnn'), ('distance', 'remapdis'):
            cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', f'{op},{grid}', 'in.nc', 'c.nc'], capture_output=True, text=True, check=False)
            rc, err = regrid(f'--method {method} --to {grid}', 'in.nc:f')
            if t.ok(rc == 0 and cdo.returncode == 0, f'{op},{grid}: both run', err + cdo.stderr):
                with xr.open_dataset('c.nc') as c, xr.open_dataset('o.nc') as o:
                    off = ~np.isclose(c.f.values, o.f.values, rtol=1e-7)
                    t.ok(not off.any(), f'{op},{grid}: the first of cells at one distance, as in CDO', f'{off.sum()} of {off.size} differ')


def beyond(t, r):
    """Cells between the ends of longitudes that do not go around are missing, and so are those north and south of the old ones."""
    lat, lon = np.arange(20., 61, 5), np.arange(0., 81, 5)
    for name, turn, flip in ('east', 0, 1), ('across 180', 140, 1), ('falling', -40, -1):
        o = ((lon + turn + 180) % 360 - 180)[::flip]
        a = Grid('crossed', ('lat', 'lon'), *np.meshgrid(lat, o, indexing='ij'), axes={'lat': lat, 'lon': o})
        a.dataset(r.normal(size=(1, a.lat.size)), 'f8', False).to_netcdf('in.nc')
        for method, op in ('bilinear', 'remapbil'), ('bicubic', 'remapbic'):
            rc, err = regrid(f'--method {method} --to r90x45', 'in.nc:f')
            with xr.open_dataset('o.nc') as x:
                x = x.f.load()[0]
            inside = ((x.lat >= 20) & (x.lat <= 60) & ((x.lon - turn) % 360 <= 80)).values
            t.ok(rc == 0 and np.array_equal(~np.isnan(x.values), inside), f'{method}, {name}: what is beyond is missing', err)
            if shutil.which('cdo') and flip > 0:
                subprocess.run(['cdo', '-s', '-O', '-b', 'F64', f'{op},r90x45', 'in.nc', 'c.nc'], check=False)
                with xr.open_dataset('c.nc') as c:
                    t.ok(np.array_equal(np.isnan(c.f.values[0]), np.isnan(x.values)) and (method != 'bilinear' or np.allclose(c.f.values[0], x.values, equal_nan=True)),
                         f'{method}, {name}: as CDO', f'{np.isnan(c.f.values).sum()} and {int(np.isnan(x).sum())} are missing')
    # bounds tell that one longitude, or longitudes in uneven steps, go around
    for o, b in ([0.], [[-180., 180]]), ([0., 10, 20], [[-5., 5], [5, 15], [15, 355]]):
        ds = xr.Dataset({'f': (('lat', 'lon'), r.normal(size=(9, len(o)))), 'lon_b': (('lon', 'nv'), b)},
                        {'lat': ('lat', lat, {'units': 'degrees_north'}), 'lon': ('lon', o, {'units': 'degrees_east', 'bounds': 'lon_b'})})
        ds.to_netcdf('in.nc')
        ds.drop_vars('lon_b').to_netcdf('bare.nc')
        missing = []
        for file in 'in.nc:f', 'bare.nc:f':
            rc, err = regrid('--method bilinear --to lat=25:55:5,lon=0:360:40', file)
            missing.append(63 if 'is near one of' in err else err)
            if rc == 0:
                with xr.open_dataset('o.nc') as x:
                    missing[-1] = int(x.f.isnull().sum())
        t.ok(missing == [0, 63 if len(o) == 1 else 56], f'{len(o)} longitudes go around by their bounds alone', missing)


def descriptions(t, r):
    """Grids as `cdo griddes` prints them mean what the grid itself means."""
    if not shutil.which('cdo'):
        t.skip('descriptions of grids', 'there is no cdo')
        return
    make_word('r36x18').close()
    mesh, turned = triangles(r), rotated(r)
    for g, name in (mesh, 'mesh.nc'), (turned, 'turned.nc'):
        g.dataset(np.ones((1, g.lat.size)), 'f4', False).to_netcdf(name)
    for name in ('mesh.nc', 'turned.nc', 'r4x3', 'r36x18', 'n4', 'global_30', 'zonal_30', 't21grid', 'tl31grid', 'lon=10/lat=20'):
        is_file = name.endswith('.nc')
        d = subprocess.run(['cdo', '-s', 'griddes', name if is_file else f'-const,1,{name}'], capture_output=True, text=True, check=False)
        with open('grid.txt', 'w', encoding='ascii') as f:
            f.write(d.stdout)
        # a single cell without bounds has no width
        for method in ['bilinear', 'nearest'] + ([] if '=' in name else ['conservative']):
            got = []
            for to in 'grid.txt', name + ':f' if is_file else name:
                rc, err = regrid(f'--method {method} --to {to}', 'r36x18.nc:f')
                with xr.open_dataset('o.nc') as ds:
                    got.append((ds.f.values.ravel(), ds.lat.values, ds.lon.values))
                if rc:
                    break
            t.ok(d.returncode == 0 and len(got) == 2 and all(np.allclose(a, b, atol=1e-9, equal_nan=True) for a, b in zip(*got)),
                 f'the description of {name}, {method}', err + d.stderr)


def round_trips(t, r):
    """What axt-info --grid prints means the same grid to axt-regrid and to CDO, and --method keep gives it to a field."""
    cdo = shutil.which('cdo')
    make_word('r36x18').close()
    grids = [crossed(r), crossed(r), rotated(r), rotated(r, False), triangles(r)] + [Grid(w, (), np.zeros(1), np.zeros(1), word=w)
                                                                                       for w in ('n8', 'hp2', 'hp2_nested', 'zonal_10')]
    for g in grids:
        name, field = (g.word, None) if g.word else ('g.nc:f', g.dataset(np.ones((1, g.lat.size)), 'f4', False))
        if field is not None:
            field.to_netcdf('g.nc')
        d = shell(f'axt-info --grid {name} >grid.txt')
        got = []
        for to in 'grid.txt', name:
            rc, err = regrid(f'--method nearest --to {to}', 'r36x18.nc:f')
            if not rc:
                with xr.open_dataset('o.nc') as ds:
                    got.append([np.sort(ds[v].values.ravel()) for v in ds.variables if ds[v].dtype != object])
        t.ok(len(got) == 2 and len(got[0]) == len(got[1]) and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(*got)),
             f'axt-info --grid {g.kind}: the same grid', err + d.stderr.decode())
        if field is not None:
            field[['f']].drop_vars([v for v in field.coords if v in ('lat', 'lon')], errors='ignore').to_netcdf('bare.nc')
            rc, err = regrid('--method keep --to grid.txt', 'bare.nc:f')
            with xr.open_dataset('o.nc') as ds:
                t.ok(rc == 0 and np.array_equal(ds.f.values, field.f.values) and np.allclose(ds.lat, field.lat) and np.allclose(ds.lon, field.lon),
                     f'--method keep gives the coordinates of {g.kind}', err)
        if not cdo or g.kind.startswith('hp'):
            continue
        run = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', 'remapnn,grid.txt', 'r36x18.nc', 'c.nc'], capture_output=True, text=True, check=False)
        regrid(f'--method nearest --to {name}', 'r36x18.nc:f')
        if not t.ok(run.returncode == 0, f'CDO takes the grid of {g.kind}', run.stderr):
            continue
        with xr.open_dataset('c.nc') as c, xr.open_dataset('o.nc') as o:
            t.ok(all(np.allclose(np.sort(c[v].values.ravel()), np.sort(o[v].values.ravel()), atol=1e-9) for v in ('lat', 'lon')),
                 f'the grid of {g.kind} has the same cells in CDO')


def weights_in_files(t, r):
    """--save-weights and --weights, in both dialects; CDO applies what axt wrote, and axt what CDO wrote."""
    cdo = shutil.which('cdo')
    pairs = [(crossed(r), crossed(r)), (rotated(r), crossed(r)), (crossed(r), triangles(r)), (triangles(r), rotated(r)), (crossed(r), rotated(r))]
    for a, b in pairs:
        x = r.normal(size=(2, a.lat.size))
        x[1, r.random(a.lat.size) < .1] = np.nan
        a.dataset(x, 'f8', False).to_netcdf('in.nc', encoding={'f': {'_FillValue': -9e33}})
        b.dataset(np.zeros((1, b.lat.size)), 'f4', False).to_netcdf('to.nc')
        for m in METHODS + ['bicubic'] * (a.kind == 'crossed'):
            for dialect in 'scrip', 'esmf':
                where = f'{a.kind} {a.dims} to {b.kind} {b.dims}, {m}, {dialect}'
                rc, err = regrid(f'--method {m} --to to.nc:f --save-weights w.nc --dialect {dialect}', 'in.nc:f')
                if rc and 'near one of' in err:
                    continue
                if not t.ok(rc == 0, where, err):
                    continue
                want, _ = result(b, False)
                with xr.open_dataset('w.nc') as w:
                    w = w.load()
                n = w.sizes['num_links' if dialect == 'scrip' else 'n_s']
                w.isel({'num_links' if dialect == 'scrip' else 'n_s': r.permutation(n)}).to_netcdf('shuffled.nc')
                ties = m == 'largest'  # of two equal areas the first link counts
                for file in ['w.nc'] + ([] if ties else ['shuffled.nc']):
                    rc, err = regrid(f'--to to.nc:f --weights {file}', 'in.nc:f')
                    got = want * np.nan if rc else result(b, False)[0]
                    t.ok(rc == 0 and np.allclose(got, want, rtol=1e-11, atol=1e-11, equal_nan=True), f'{where}: {file} is applied', err)
                # CDO has no longitudes before latitudes, and weights areas where axt takes a share of them
                if not cdo or dialect == 'esmf' or 'lon' in (a.dims[0], b.dims[0]) or m == 'largest' or \
                        (m == 'bilinear' and a.kind == 'triangles'):
                    continue
                run = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', 'remap,to.nc,w.nc', 'in.nc', 'c.nc'], capture_output=True, text=True, check=False)
                if t.ok(run.returncode == 0, f'{where}: CDO takes the weights', run.stderr):
                    with xr.open_dataset('c.nc') as c:
                        # what CDO makes of missing values is another matter
                        t.ok(np.allclose(c.f.values[0].ravel(), want[0], atol=1e-9, equal_nan=True), f'{where}: and has the same values')
        for op in ('gencon', 'genbil', 'gennn', 'gendis') if cdo and 'lon' not in (a.dims[0], b.dims[0]) else ():
            if op == 'genbil' and a.kind == 'triangles':
                continue
            one = subprocess.run(['cdo', '-s', '-O', f'{op},to.nc', 'in.nc', 'g.nc'], capture_output=True, text=True, check=False)
            two = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', 'remap,to.nc,g.nc', 'in.nc', 'c.nc'], capture_output=True, text=True, check=False)
            rc, err = regrid('--to to.nc:f --weights g.nc', 'in.nc:f')
            if one.returncode == 0 and two.returncode == 0 and t.ok(rc == 0, f'{a.kind} to {b.kind}: weights of {op} are applied', err):
                with xr.open_dataset('c.nc') as c:
                    got = result(b, False)[0][0]
                    t.ok(np.allclose(c.f.values[0].ravel(), got, atol=1e-9, equal_nan=True), f'{a.kind} to {b.kind}: and {op} gives what CDO has')
    refused_weights(t, r)


def moments(v):
    """Of cells with vertices [cell][vertex][3]: the integral of places over each, half of the sides along their normals."""
    out = 0
    for k in range(v.shape[1]):
        p, q = v[:, k], v[:, (k + 1) % v.shape[1]]
        n = np.cross(p, q)
        sine = np.linalg.norm(n, axis=-1, keepdims=True)
        out = out + np.arctan2(sine, (p * q).sum(-1, keepdims=True)) / 2 * n / sine
    return out * np.sign((out * v.mean(1)).sum(-1, keepdims=True))


def second_order(t, r):
    """conservative2 keeps integrals, and has fields that are linear in space exact; bicubic is CDO's."""
    for k in range(3):
        a, b = triangles(r), triangles(r)
        b.dataset(np.zeros((1, b.lat.size)), 'f4', False).to_netcdf('to.nc')
        slope = r.normal(size=3)
        mean = [(moments(vectors(g.vlat, g.vlon)) / areas(g)[:, None]) @ slope for g in (a, b)]
        x = np.stack([mean[0], r.normal(size=a.lat.size)])
        a.dataset(x, 'f8', False).to_netcdf('in.nc')
        rc, err = regrid('--method conservative2 --to to.nc:f', 'in.nc:f')
        y = result(b, False)[0] if not rc else np.full((2, b.lat.size), np.nan)
        t.ok(rc == 0 and np.allclose(y[0], mean[1], atol=1e-9), f'conservative2 {k}: a linear field is exact', err or abs(y[0] - mean[1]).max())
        t.ok(abs(areas(a) @ x[1] - areas(b) @ y[1]) < 1e-12 * areas(a).sum() * 10, f'conservative2 {k}: the integral is kept', areas(a) @ x[1] - areas(b) @ y[1])
    # between circles of latitude too
    lat, lon = -85 + 10 * np.arange(18), 10. * np.arange(36)
    a = Grid('crossed', ('lat', 'lon'), *np.meshgrid(lat, lon, indexing='ij'), axes={'lat': lat, 'lon': lon})

    def sines(n):
        # the mean of the sine of the latitude over rows
        s = np.radians(np.linspace(-90, 90, n + 1))
        return (np.sin(s[1:]) + np.sin(s[:-1])) / 2
    a.dataset(np.stack([np.repeat(sines(18), 36), r.normal(size=a.lat.size)]), 'f8', False).to_netcdf('in.nc')
    rc, err = regrid('--method conservative2 --to r50x26', 'in.nc:f')
    with xr.open_dataset('o.nc') as o:
        o = o.load()
    t.ok(rc == 0 and np.allclose(o.f.values[0], sines(26)[:, None], atol=1e-9), 'conservative2: between circles of latitude', err)
    if not shutil.which('cdo'):
        return
    for grid in 'r40x22', 'n12':
        run = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', f'remapbic,{grid}', 'in.nc', 'c.nc'], capture_output=True, text=True, check=False)
        rc, err = regrid(f'--method bicubic --to {grid}', 'in.nc:f')
        with xr.open_dataset('c.nc') as c, xr.open_dataset('o.nc') as o:
            inner = abs(o.lat.values) < 85
            t.ok(rc == 0 and run.returncode == 0 and np.allclose(c.f.values[:, inner], o.f.values[:, inner], atol=1e-9), f'bicubic, {grid}: as CDO', err + run.stderr)
    rc, err = regrid('--method bicubic --to r4x4', 'a.nc:f')
    t.ok(rc == 1 and 'are no axes, as bicubic needs them' in err, 'bicubic of a grid without axes is refused', err)


def refused_weights(t, r):
    a, b = crossed(r), triangles(r)
    a.dataset(np.ones((1, a.lat.size)), 'f8', False).to_netcdf('in.nc')
    b.dataset(np.ones((1, b.lat.size)), 'f8', False).to_netcdf('to.nc')
    regrid('--to to.nc:f --method nearest --save-weights w.nc', 'in.nc:f')
    with xr.open_dataset('w.nc') as w:
        w = w.load()

    def says(change, want):
        bad = w.copy(deep=True)
        change(bad)
        bad.to_netcdf('bad.nc')
        rc, err = regrid('--to to.nc:f --weights bad.nc', 'in.nc:f')
        t.ok(rc == 1 and want in err.splitlines()[0] and not os.path.exists('o.nc'), f'weights are refused: {want}', err)

    def set_first(name, value):
        def change(d):
            d[name].values[0] = value
        return change
    says(set_first('src_address', a.lat.size + 1), f'bad.nc:src_address: link 1 is with cell {a.lat.size + 1}, and in.nc:f has {a.lat.size}')
    says(set_first('dst_address', 0), 'bad.nc:dst_address: link 1 is with cell 0')
    says(set_first('src_grid_center_lat', 1.5), 'the weights of bad.nc are for another grid than that of in.nc:f')
    says(set_first('src_grid_center_lat', np.nan), 'bad.nc:src_grid_center_lat: number 1 is nan')
    says(set_first('dst_grid_center_lon', np.inf), 'bad.nc:dst_grid_center_lon: number 1 is inf')
    says(set_first('remap_matrix', np.nan), 'bad.nc:remap_matrix: number 1 is nan')
    says(set_first('remap_matrix', -np.inf), 'bad.nc:remap_matrix: number 1 is -inf')
    says(set_first('src_grid_dims', a.lat.shape[1] + 1), f'bad.nc:src_grid_dims: the product is not {a.lat.size}, as many old cells as in.nc:f has')
    says(set_first('dst_grid_dims', 0), f'bad.nc:dst_grid_dims: the product is not {b.lat.size}, as many new cells as to.nc:f has')
    w2 = w
    w = xr.concat([w[['remap_matrix']]] * 3, 'num_wgts').transpose('num_links', 'num_wgts').merge(w.drop_vars('remap_matrix'))
    says(lambda d: None, 'has more than one weight for a link')
    w = w2.drop_vars(['remap_matrix'])
    says(lambda d: None, 'bad.nc has no weights')
    one = crossed(r)
    one.dataset(np.ones((1, one.lat.size)), 'f8', False).to_netcdf('other.nc')
    rc, err = regrid('--to to.nc:f --weights w.nc', 'other.nc:f')
    t.ok(rc == 1 and ('old cells, and other.nc:f has' in err or 'another grid than that of other.nc:f' in err), 'weights of another grid are refused', err)


def words(t):
    """What grids are called, and what is refused."""
    make_word('r36x18')
    for word, shape, first in (('r36x18', (18, 36), (-85, 0)), ('r4x5', (5, 4), (-90, 0)), ('global_10', (18, 36), (-85, -175)), ('n16', (32, 64), (85.76058712, 0)),
                               ('F16', (32, 64), (85.76058712, 0)), ('hp2', (48,), (66.44353569, 45)), ('hp2_nested', (48,), (19.47122063, 45)),
                               ('zonal_10', (18, 1), (-85, 0)), ('t21grid', (32, 64), (85.76058712, 0)), ('tl21grid', (22, 44), (83.87666621, 0)),
                               ('lat=-89.5:90:1,lon=0:360:1', (180, 360), (-89.5, 0)), ('lon=5,10/lat=20', (1, 2), (20, 5))):
        with make_word(word) as ds:
            lat, lon = ds.lat.values.ravel()[0], ds.lon.values.ravel()[0]
            t.ok(ds.f.shape == shape and np.allclose((lat, lon), first, atol=.01) and (len(shape) == 1 or '=' in word or 'lat_bnds' in ds), f'--to {word}', f'{ds.f.shape} {lat} {lon}')
    r = np.random.default_rng(1)
    a = rotated(r)
    a.dataset(np.ones((1, a.lat.size)), 'f4', False).to_netcdf('a.nc')
    one = triangles(r)
    one.vlat = one.vlon = None
    one.dataset(np.ones((1, one.lat.size)), 'f4', False).to_netcdf('bare.nc')
    axt('make', 'iota', 'x=5', '-o', 'x.nc')
    axt('cast', '--dtype', 'c64', 'a.nc:f', '-o', 'z.nc')
    for line, want in (('--to none.nc a.nc:f', 'none.nc: No such file'), ('--to global_7 a.nc:f', '7 degrees do not divide 180'),
                       ('--to r0x4 a.nc:f', 'there is no grid "r0x4"'), ('--to hp3_nested a.nc:f', 'a power of 2'),
                       ('--to x.nc a.nc:f', 'x.nc:tensor (x (5)) has no latitudes'), ('--to r4x4 x.nc', 'x.nc:tensor (x (5)) has no latitudes'),
                       ('--to r4x4 bare.nc:f', 'the cells of bare.nc:f have no vertices'), ('--to r4x4 --missing 2 a.nc:f', '"2" is not renorm, nan or a share'),
                       ('--to r4x4 z.nc', 'are not defined for c64'), ('a.nc:f', '--to')):
        rc, err = regrid(line, '')
        t.ok(rc in (1, 2) and want in err.splitlines()[0] and not os.path.exists('o.nc'), f'axt-regrid {line}', err)
    rc, err = regrid('--to r36x18 --missing .9', 'a.nc:f')
    with xr.open_dataset('o.nc') as ds:
        few = int(ds.f.isnull().sum())
    regrid('--to r36x18', 'a.nc:f')
    with xr.open_dataset('o.nc') as ds:
        t.ok(rc == 0 and few > int(ds.f.isnull().sum()), '--missing .9: cells of which less is covered are missing', err)
        t.ok('lat_v' not in ds.variables and 'y' not in ds.dims and ds.f.attrs.get('units') == 'K', 'nothing is left of the old grid', str(ds))


def main():
    cases, seed = random_cases(60, 20, 10, 1)
    t = Tap()
    os.chdir(scratch())
    r = np.random.default_rng(seed)
    words(t)
    descriptions(t, r)
    round_trips(t, r)
    weights_in_files(t, r)
    second_order(t, r)
    same_as_interp(t, r)
    beside_cdo(t, r)
    ties(t)
    beyond(t, r)
    in_batches(t, cases, 'cases {}: between grids of any kind', lambda k: check(t, seed + k))
    t.done()


if __name__ == '__main__':
    main()
