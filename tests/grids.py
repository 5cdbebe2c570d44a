#!/usr/bin/python3
"""Coordinates over several axes against NumPy, xarray and CDO: grids.py [CASES [SEED]].

Boxes, nearest cells and nearest neighbours of whole grids: random and hostile coordinates (poles, the date line, missing
ones, radians), with any number of threads.
"""
import os
import shutil
import subprocess

import netCDF4
import numpy as np
import xarray as xr

from axtlib import Tap, axt, random_cases, scratch

FILL = 1e20


def vectors(lat, lon):
    lat, lon = np.radians(np.clip(np.float64(lat), -90, 90)), np.radians(np.float64(lon))
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1).reshape(-1, 3)


def curvilinear(r, ny, nx):
    """Latitudes and longitudes of a grid that is turned on the sphere, so that poles and the date line lie anywhere in it."""
    y, x = np.meshgrid(np.linspace(-90, 90, ny), np.linspace(0, 360, nx, endpoint=False), indexing='ij')
    turn, _ = np.linalg.qr(r.standard_normal((3, 3)))
    v = vectors(y, x) @ turn
    lat = np.degrees(np.arcsin(np.clip(v[:, 2], -1, 1))).reshape(ny, nx)
    lon = np.degrees(np.arctan2(v[:, 1], v[:, 0])).reshape(ny, nx)
    return lat, lon + r.integers(-1, 2) * 360


class Grid:
    """A file with a tensor over (time, y, x), or (time, cell), and its coordinates."""

    def __init__(self, r, path, shape, dtype='f4', named=True, radians=False, gaps=True, packed=False):
        self.path, self.dims = path, ['y', 'x'] if len(shape) == 2 else ['cell']
        lat, lon = curvilinear(r, *shape) if len(shape) == 2 else (r.uniform(-90, 90, shape), r.uniform(-180, 540, shape))
        if len(shape) == 1 and shape[0] > 4:
            lat[:4], lon[:4] = [90, 90, -90, 30], [0, 77, 10, 180]
        coord = str(r.choice(['f4', 'f8']))
        # what is stored: axt compares numbers in the dtype of the coordinates
        self.lat, self.lon = lat.astype(coord), lon.astype(coord)
        hole = (r.random(shape) < .1) & (gaps and r.random() < .5)
        self.v = (r.permutation(2 * int(np.prod(shape))) % (250 if dtype == 'u1' else 10**6)).reshape(2, *shape).astype(dtype)
        with netCDF4.Dataset(path, 'w') as f:
            for d, n in zip(['time'] + self.dims, self.v.shape):
                f.createDimension(d, n)
            dims = self.dims
            unit = ['radian', 'radian'] if radians else ['degrees_north', 'degrees_east']
            for name, x, u in (('lat', self.lat, unit[0]), ('lon', self.lon, unit[1])):
                c = f.createVariable(name, x.dtype, dims, fill_value=x.dtype.type(FILL))
                c.units = u
                x = np.radians(x).astype(x.dtype) if radians else x
                c[:] = np.where(hole, x.dtype.type(FILL if r.random() < .5 else np.nan), x)
            x = f.createVariable('v', self.v.dtype, ['time'] + dims)
            x[:] = self.v
            if named:
                x.coordinates = 'lat lon'
        self.lat, self.lon = (np.where(hole, np.nan, x) for x in (self.lat, self.lon))
        if radians:
            self.lat, self.lon = (np.degrees(np.radians(x).astype(coord).astype('f8')) for x in (self.lat, self.lon))


def opened(path):
    with xr.open_dataset(path, decode_times=False) as d:
        return d.load()


def box(t, r, i):
    """A box against xarray's where(..., drop=True)."""
    flat = r.random() < .3
    g = Grid(r, 'g.nc', (int(r.integers(5, 400)),) if flat else tuple(r.integers(2, 30, 2)), dtype=str(r.choice(['f4', 'f8', 'i2', 'u1'])),
             named=r.random() < .6)
    a, b = sorted(r.uniform(-90, 90, 2).round(2).tolist())
    w, e = r.uniform(-200, 400, 2).round(2).tolist()
    if r.random() < .3:     # an end that is a cell's own value
        ok = np.flatnonzero(np.isfinite(g.lat.ravel()))
        if len(ok):
            a = float(g.lat.ravel()[ok[0]])
            b = max(a, b)
    e = w + (e - w) % 360 if r.random() < .9 else w + 400
    inside = (g.lat >= g.lat.dtype.type(a)) & (g.lat <= g.lat.dtype.type(b))
    around = (g.lon - w) % 360
    inside &= around <= (e - w)
    near = np.abs(around - (e - w)) < 1e-3   # an end of the box goes through these cells
    if (near | (np.abs(around) < 1e-3) | (around > 360 - 1e-3)).any():
        return
    specs = [f'lat@{a!r}:{b!r}', f'lon@{w!r}:{e!r}']
    if r.random() < .5:
        specs.reverse()
    if r.random() < .5:
        specs.insert(int(r.integers(0, 3)), 'time=1')
        v = g.v[1:]
    else:
        v = g.v
    run = axt('slice', *specs, 'g.nc:v', '-o', 'o.nc', '--force')
    if not inside.any():
        t.ok(run.rc == 1 and 'o.nc' not in run.err, f'{i}: nothing in the box', str(run))
        return
    if not t.ok(run.rc == 0, f'{i}: {specs} of {v.shape} {v.dtype}', str(run)):
        return
    got = opened('o.nc')
    if flat:
        want, lat, lon = v[..., inside], g.lat[inside], g.lon[inside]
        kept = v.dtype
    else:
        y, x = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
        part = (slice(y[0], y[-1] + 1), slice(x[0], x[-1] + 1))
        want = np.where(inside, v, np.nan)[(..., *part)]
        lat, lon = g.lat[part], g.lon[part]
        kept = {'i2': 'f4', 'u1': 'f4'}.get(v.dtype.str[1:], v.dtype)
    want = want[0] if len(v) == 1 else want
    t.ok(got.v.dtype == kept and np.array_equal(got.v.values, want, equal_nan=True), f'{i}: values', f'{got.v.dtype} {got.v.shape} {want.shape}')
    t.ok(np.array_equal(got.lat, lat, equal_nan=True) and np.array_equal(got.lon, lon, equal_nan=True), f'{i}: coordinates')


def is_nearest(found, cells, points):
    """Whether each point's cell is as near as any, by rounding."""
    best = np.full(len(points), np.inf)
    for k in range(0, len(points), 500):
        d = ((points[k:k + 500, None] - cells[None])**2).sum(-1)
        best[k:k + 500] = np.where(np.isnan(d), np.inf, d).min(1)
    d = ((points - cells[found])**2).sum(-1)
    return (d <= best * (1 + 1e-9) + 1e-15) | np.isnan(points[:, 0])


def point(t, r, i):
    """The nearest cell to one point."""
    g = Grid(r, 'g.nc', tuple(r.integers(2, 30, 2)) if r.random() < .6 else (int(r.integers(5, 300)),), named=r.random() < .6)
    lat, lon = round(r.uniform(-90, 90), 3), round(r.uniform(-400, 400), 3)
    if r.random() < .2:
        lat = float(r.choice([-90, 90]))
    run = axt('slice', f'lat@{lat!r}', f'lon@{lon!r}', '--nearest', 'g.nc:v', '-o', 'o.nc', '--force')
    if not t.ok(run.rc == 0, f'{i}: nearest to {lat}, {lon}', str(run)):
        return
    got = opened('o.nc')
    k = np.flatnonzero((g.v.reshape(2, -1) == got.v.values[:, None]).all(0))
    t.ok(got.v.dims == ('time',) and len(k) == 1 and is_nearest(k, vectors(g.lat, g.lon), vectors(lat, lon))[0]
         and float(got.lat) == g.lat.ravel()[k[0]] and float(got.lon) == g.lon.ravel()[k[0]], f'{i}: it is the nearest', str(got))


def many(t, r, i):
    """The nearest cell to each point of another grid, or of a list."""
    regular = r.random() < .25
    radians = not regular and r.random() < .3
    if regular:
        lat, lon = np.sort(r.uniform(-90, 90, int(r.integers(1, 20)))), np.sort(r.uniform(0, 360, int(r.integers(1, 30))))
        v = r.permutation(2 * len(lat) * len(lon)).reshape(2, len(lat), len(lon)).astype('f4')
        xr.Dataset({'v': (('time', 'lat', 'lon'), v)}, {'lat': ('lat', lat, {'units': 'degrees_north'}),
                                                        'lon': ('lon', lon, {'units': 'degrees_east'})}).to_netcdf('g.nc')
        cells = vectors(*np.meshgrid(lat, lon, indexing='ij'))
    else:
        g = Grid(r, 'g.nc', tuple(r.integers(2, 40, 2)) if r.random() < .6 else (int(r.integers(5, 900)),), radians=radians,
                 named=r.random() < .6)
        v, cells = g.v, vectors(g.lat, g.lon)
    to = str(r.choice(['regular', 'list', 'curved', 'bare']))
    if to == 'curved':
        p = Grid(r, 'p.nc', tuple(r.integers(1, 30, 2)))
        points, shape, word = vectors(p.lat, p.lon), p.lat.shape, 'p.nc:v'
    elif to == 'list':
        n = int(r.integers(1, 500))
        lat, lon = r.uniform(-90, 90, n), r.uniform(-300, 500, n)
        lat[r.random(n) < .1] = np.nan
        xr.Dataset({'id': ('station', np.arange(n))}, {'lat': ('station', lat), 'lon': ('station', lon)}).to_netcdf('p.nc')
        points, shape, word = vectors(lat, lon), (n,), 'p.nc'
    else:
        lat, lon = np.linspace(-90, 90, int(r.integers(2, 40))), np.linspace(-180, 180, int(r.integers(1, 60)), endpoint=False)
        names = ('lat', 'lon') if to == 'regular' else ('latitude', 'longitude')
        xr.Dataset({'z': (names, np.zeros((len(lat), len(lon))))} if to == 'regular' else {},
                   {names[0]: (names[0], lat, {'units': 'degrees_north'}),
                    names[1]: (names[1], lon, {'units': 'degrees_east'})}).to_netcdf('p.nc')
        points, shape, word = vectors(*np.meshgrid(lat, lon, indexing='ij')), (len(lat), len(lon)), 'p.nc'
    outs = []
    for threads in ('1', '3'):
        run = axt('take', f'lat,lon@{word}', '--nearest', 'g.nc:v', '-o', 'o.nc', '--force', '-t', threads, '--no-history')
        if not t.ok(run.rc == 0, f'{i}: {word} ({to}) of {v.shape}', str(run)):
            return
        with open('o.nc', 'rb') as f:
            outs.append(f.read())
    t.ok(outs[0] == outs[1], f'{i}: the same bytes with any number of threads')
    got = opened('o.nc').v
    t.ok(got.shape == (2, *shape), f'{i}: the axes of the points', f'{got.dims} {got.shape} {shape}')
    x = got.values.reshape(2, -1)
    gone = np.isnan(points[:, 0])
    t.ok(np.array_equal(np.isnan(x[0]), gone), f'{i}: missing where a point is')
    key = v[0].astype('f8').ravel() * 2**21 + v[1].ravel()
    order = np.argsort(key)
    want = np.where(gone, key[0], x[0].astype('f8') * 2**21 + x[1])
    found = order[np.searchsorted(key[order], want).clip(0, len(key) - 1)]
    t.ok((key[found] == want).all() and is_nearest(found, cells, points).all(), f'{i}: each is the nearest',
         f'{(key[found] != want).sum()} {(~is_nearest(found, cells, points)).sum()}')
    if to == 'list':
        t.ok(got.dims == ('time', 'station') and np.array_equal(got.lat, lat, equal_nan=True), f'{i}: with their coordinates', str(got.coords))


def ties(t):
    """Of cells at one distance, the first."""
    lat, lon = np.meshgrid([-10., 10.], [350., 10., 10.], indexing='ij')
    xr.Dataset({'v': (('y', 'x'), np.arange(6).reshape(2, 3))}, {'lat': (('y', 'x'), lat), 'lon': (('y', 'x'), lon)}).to_netcdf('g.nc')
    xr.Dataset({}, {'lat': [-90., -10, 0, 10, 90], 'lon': [0., 10, 370, 180]}).to_netcdf('p.nc')
    run = axt('take', 'lat,lon@p.nc', '--nearest', 'g.nc:v', '-p')
    want = '0 0 0 0\n0 1 1 0\n0 1 1 0\n3 4 4 3\n3 3 3 3\n'
    t.ok(run.out.decode() == want, 'of cells at one distance, the first', str(run) + run.out.decode())


def as_cdo(t, r):
    """CDO's remapnn, on a grid whose poles are not inside; a missing value stays that of the nearest cell in both."""
    lat, lon = np.meshgrid(np.linspace(-60, 60, 30), np.linspace(0, 348, 40), indexing='ij')
    lat, lon = lat + 3 * np.sin(np.radians(lon)), lon + 2 * np.cos(np.radians(lat))
    v = r.standard_normal((2, 30, 40)).astype('f4')
    v[:, 5:9, 3:20] = np.nan
    xr.Dataset({'v': (('time', 'y', 'x'), v)}, {'lat': (('y', 'x'), lat, {'units': 'degrees_north', 'standard_name': 'latitude'}),
                                                'lon': (('y', 'x'), lon, {'units': 'degrees_east', 'standard_name': 'longitude'}),
                                                'time': ('time', [0., 1.], {'units': 'days since 2000-01-01'})}).to_netcdf(
        'g.nc', encoding={'v': {'_FillValue': np.float32(FILL)}})
    cdo = subprocess.run(['cdo', '-s', '-O', 'remapnn,r35x17', 'g.nc', 'want.nc'], capture_output=True, text=True)
    run = axt('take', 'lat,lon@want.nc', '--nearest', 'g.nc:v', '-o', 'o.nc', '--force')
    if t.ok(cdo.returncode == 0 and run.rc == 0, 'cdo remapnn: both run', cdo.stderr + str(run)):
        got, want = opened('o.nc').v.values, opened('want.nc').v.values
        t.ok(np.array_equal(got, want, equal_nan=True), 'cdo remapnn', f'{np.argwhere(~((got == want) | (np.isnan(got) & np.isnan(want))))[:5]}')


def wrf(t):
    """Coordinates that do not change along the first axis are those of one grid; where they do, the axis is searched too."""
    r = np.random.default_rng(5)
    lat, lon = curvilinear(r, 6, 7)
    for moves in (0, 1):
        la, lo = (np.stack([x, x + moves * .5]) for x in (np.clip(lat, -89, 89), lon))
        v = np.arange(84.).reshape(2, 6, 7)
        xr.Dataset({'v': (('Time', 'sn', 'we'), v)}, {'XLAT': (('Time', 'sn', 'we'), la, {'units': 'degree_north'}),
                                                      'XLONG': (('Time', 'sn', 'we'), lo, {'units': 'degree_east'})}).to_netcdf('g.nc')
        run = axt('slice', 'XLAT@12', 'XLONG@34', '--nearest', 'g.nc:v', '-p')
        k = ((vectors(la, lo) - vectors(12, 34))**2).sum(-1).reshape(2, -1)
        want = [k[0].argmin(), 42 + k[0].argmin()] if not moves else [k.argmin()]
        t.ok(run.rc == 0 and [float(x) for x in run.out.split()] == want, f'coordinates along time, {moves}', str(run) + str(want))


def bounds(t):
    """Bounds of cells, over two axes and their corners, go along."""
    r = np.random.default_rng(6)
    lat, lon = curvilinear(r, 5, 6)
    corners = [np.stack([x - .5, x + .5, x + .25, x], -1) for x in (lat, lon)]
    xr.Dataset({'v': (('y', 'x'), np.arange(30.).reshape(5, 6)), 'lat_b': (('y', 'x', 'n'), corners[0]), 'lon_b': (('y', 'x', 'n'), corners[1])},
               {'lat': (('y', 'x'), lat, {'units': 'degrees_north', 'bounds': 'lat_b'}),
                'lon': (('y', 'x'), lon, {'units': 'degrees_east', 'bounds': 'lon_b'})}).to_netcdf('g.nc')
    run = axt('slice', 'lat@-30:30', 'g.nc:v', '-o', 'o.nc', '--force')
    got = opened('o.nc')
    inside = (lat >= -30) & (lat <= 30)
    y, x = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
    part = (slice(y[0], y[-1] + 1), slice(x[0], x[-1] + 1))
    t.ok(run.rc == 0 and np.array_equal(got.lat_b, corners[0][part]) and np.array_equal(got.lon_b, corners[1][part]), 'bounds of cells', str(got))


def main():
    t = Tap()
    os.chdir(scratch())
    cases, seed = random_cases(60, 15, 4, 1)
    for i in range(seed, seed + cases):
        for f in (box, point, many):
            f(t, np.random.default_rng(i), i)
    ties(t)
    wrf(t)
    bounds(t)
    if shutil.which('cdo'):
        as_cdo(t, np.random.default_rng(4))
    else:
        t.skip('CDO', 'there is no cdo')
    t.done()


main()
