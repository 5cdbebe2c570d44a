#!/usr/bin/python3
"""axt-interp --method conservative beside sums over all pairs of cells in NumPy, and beside cdo remapcon; bounds, circles,
missing values, one axis, formulas; what is refused."""
import os
import subprocess

import numpy as np
import xarray as xr

import axtlib
from axtlib import Tap, scratch


def edges(c, bounds, lat):
    """Pairs of edges, the lower first, as sines of latitudes."""
    if bounds is None:
        mid = (c[1:] + c[:-1]) / 2
        e = np.concatenate([[c[0] - (mid[0] - c[0])], mid, [c[-1] + (c[-1] - mid[-1])]])
        bounds = np.stack([e[:-1], e[1:]], 1)
    e = np.sort(bounds, axis=1)
    return np.sin(np.radians(np.clip(e, -90, 90))) if lat else e


def overlaps(new, old, circle):
    """[new][old]: how much the cells overlap."""
    out = 0
    for turn in (-720, -360, 0, 360, 720) if circle else (0,):
        lo = np.maximum(new[:, None, 0] + turn, old[None, :, 0])
        hi = np.minimum(new[:, None, 1] + turn, old[None, :, 1])
        out = out + np.maximum(0, hi - lo)
    return np.where(out < 1e-9, 0, out)


def axis(r, kind):
    """Coordinates, and bounds or None."""
    n = int(r.integers(2, 9))
    if kind == 'lat':
        e = np.sort(r.choice(np.arange(-90, 91, 5), n + 1, replace=False)).astype(float)
    elif kind == 'lon' and r.random() < .6:
        e = r.integers(-200, 200) + np.linspace(0, 360, n + 1)
    elif kind == 'lon':
        e = r.integers(-100, 100) + np.sort(r.choice(np.arange(0, 180, 5), n + 1, replace=False)).astype(float)
    else:
        e = np.sort(r.choice(np.arange(100, 1000, 25), n + 1, replace=False)).astype(float)
    c, b = (e[1:] + e[:-1]) / 2, np.stack([e[:-1], e[1:]], 1)
    if r.random() < .4:
        c, b = c[::-1], b[::-1]
    # without bounds cells end halfway, so that coordinates are evenly spaced for both to agree
    return c.copy(), b.copy() if r.random() < .5 else None


def dataset(r, dims, shape, coords, gaps, dtype):
    v = r.normal(280, 10, shape).astype(dtype)
    if gaps and dtype[0] == 'f':
        v[r.random(shape) < gaps] = np.nan
    ds = xr.Dataset({'v': (dims, v, {'units': 'K'})})
    for d, (c, b) in coords.items():
        ds[d] = (d, c, {'lat': {'units': 'degrees_north'}, 'lon': {'units': 'degrees_east'}, 'lev': {'units': 'hPa'}}[d])
        if b is not None:
            ds[d].attrs['bounds'] = d + '_bnds'
            ds[d + '_bnds'] = ((d, 'bnds'), b)
    return ds


def case(seed):
    r = np.random.default_rng(seed)
    over = [['lat', 'lon'], ['lon', 'lat'], ['lat'], ['lon'], ['lev'], ['lev', 'lat']][r.integers(6)]
    old, new = ({d: axis(r, d) for d in over} for _ in range(2))
    dims = [str(d) for d in r.permutation(['time', *over])]
    shape = [3 if d == 'time' else len(old[d][0]) for d in dims]
    dtype = r.choice(['f4', 'f8', 'i2'])
    a = dataset(r, dims, shape, old, r.choice([0, .3]), dtype)
    b = dataset(r, over, [len(new[d][0]) for d in over], new, 0, 'f4')
    a.to_netcdf('a.nc')
    b.to_netcdf('b.nc')
    v = np.moveaxis(a.v.values.astype('f8'), [dims.index(d) for d in over], range(1, len(over) + 1))
    w = [overlaps(edges(*new[d], d == 'lat'), edges(*old[d], d == 'lat'), d == 'lon') for d in over]
    if len(over) == 1:
        v, w = v[..., None], w + [np.ones((1, 1))]
    with np.errstate(invalid='ignore'):
        want = (np.einsum('tyx,ay,bx->tab', np.nan_to_num(v), *w) / np.einsum('tyx,ay,bx->tab', ~np.isnan(v), *w))
    want = want[..., 0] if len(over) == 1 else want
    want = np.moveaxis(want, range(1, len(over) + 1), [dims.index(d) for d in over])
    lines = [f'axt-interp --method conservative {",".join(over)}=b.nc:v a.nc:v',
             f'axt-calc "interp(v, {", ".join(d + "=b.nc:v" for d in over)}, method=conservative)" v=a.nc:v --name v',
             f'axt-interp --method conservative {" ".join(d + "=b.nc:v" for d in over)} a.nc:v -t 3']
    for line in lines:
        run = axtlib.shell(line + ' -o o.nc --force')
        err = run.stderr.decode()
        if all((x == 0).all() for x in w[:1]) or (w[1] == 0).all():
            if run.returncode != 1 or 'overlaps a new one' not in err:
                return f'{line}: {err}'
            continue
        if run.returncode or err:
            return f'{line}: {err}'
        with xr.open_dataset('o.nc') as ds:
            got = ds.v.transpose(*dims)
            if ds.v.dims[0] != got.dims[0] or got.shape != want.shape or got.dtype != ('f8' if dtype == 'i2' else dtype):
                return f'{line}: {ds.v.dims} {got.shape} {got.dtype}'
            if not np.allclose(got.values, want, rtol=1e-6 if dtype == 'f4' else 1e-12, equal_nan=True):
                return f'{line} {dims}: {got.values.ravel()[:8]} want {want.ravel()[:8]}'
            if got.attrs.get('units') != 'K':
                return f'{line}: {got.attrs}'
            for d in over:
                bounds = ds[ds[d].attrs['bounds']].values
                same = np.array_equal(bounds, np.sort(new[d][1], 1)) if new[d][1] is not None else np.array_equal(
                    bounds, np.clip(edges(*new[d], False), -90, 90) if d == 'lat' else edges(*new[d], False))
                if not np.array_equal(ds[d], new[d][0]) or not same:
                    return f'{line}: coordinates of {d}: {ds[d]} {bounds}'
    return ''


def beside_cdo(t):
    """Global grids, with and without gaps: the same values, and the integral is kept."""
    r = np.random.default_rng(5)
    for ny, nx, my, mx, gaps in (12, 24, 5, 7, 0), (9, 16, 18, 36, .2), (10, 20, 6, 12, .5):
        lat, lon = (np.arange(ny) + .5) * 180 / ny - 90, np.arange(nx) * 360 / nx
        ds = dataset(r, ['lat', 'lon'], (ny, nx), {'lat': (lat, None), 'lon': (lon, None)}, gaps, 'f8')
        ds.to_netcdf('a.nc')
        dy, dx = 180 / my, 360 / mx
        grid = f'lat={dy / 2 - 90}:{90 - dy / 2}:{dy} lon=0:{360 - dx}:{dx}'
        run = axtlib.shell(f'axt-interp --method conservative {grid} a.nc:v -o o.nc --force')
        with open('grid', 'w') as f:
            f.write(f'gridtype=lonlat\nxsize={mx}\nysize={my}\nxfirst=0\nxinc={dx}\nyfirst={dy / 2 - 90}\nyinc={dy}\n')
        subprocess.run('cdo -s -O remapcon,grid a.nc c.nc', shell=True, check=True, capture_output=True)
        with xr.open_dataset('o.nc') as o, xr.open_dataset('c.nc') as c:
            t.ok(run.returncode == 0 and np.allclose(o.v, c.v, rtol=1e-9, equal_nan=True), f'cdo remapcon, {ny}x{nx} to {my}x{mx}',
                 f'{run.stderr} {abs(o.v.values - c.v.values).max()}')
            if not gaps:
                area = [np.diff(np.sin(np.radians(np.linspace(-90, 90, n + 1)))) for n in (ny, my)]
                sums = [(x * w[:, None]).sum() / n for x, w, n in ((ds.v.values, area[0], nx), (o.v.values, area[1], mx))]
                t.ok(abs(sums[0] / sums[1] - 1) < 1e-12, 'the integral is kept', f'{sums}')


def refusals(t):
    r = np.random.default_rng(1)
    ds = dataset(r, ['lat', 'lon', 'lev'], (3, 4, 2), {'lat': (np.array([-60., 0, 60]), None), 'lon': (np.arange(4) * 90., None),
                                                       'lev': (np.array([500., 850.]), None)}, 0, 'f4')
    ds['one'] = ds.v.isel(lat=0)
    ds['z'] = ds.v.astype('f8')
    ds.to_netcdf('a.nc')
    ds.assign(lat_bnds=(('lat', 'bnds'), [[-90., -20], [-30, 30], [30, 90]])).to_netcdf('over.nc')
    ds.lat.attrs['bounds'] = 'lat_bnds'
    ds.assign(lat_bnds=(('lat', 'bnds'), [[-90., -20], [-30, 30], [30, 90]])).to_netcdf('over.nc')
    for line, status, says in (
            ('lat=0 a.nc:v', 1, 'has one coordinate without bounds'),
            ('lat=70:40:10 lon=0:270:90 lev=500:850:50 a.nc:v', 1, 'at most two axes'),
            ('lat=0:40:10 lat=0:40:10 a.nc:v', 2, 'axis "lat" is named twice'),
            ('lat=0:40:10 over.nc:v', 1, 'cells 0 and 1 of axis "lat" in over.nc:v overlap'),
            ('lev=10:40:10 a.nc:v', 1, 'no cell of axis "lev" in a.nc:v overlaps a new one'),
            ('lat a.nc:v', 2, '"lat" is not AXIS=TARGETS'),
            ('height=0:40:10 a.nc:v', 1, '"height"'),
            ('--extrapolate lat=0:40:10 a.nc:v', 2, 'takes no --extrapolate'),
            ('lat=a.nc:z --points a.nc:z a.nc:v', 2, 'takes no --points')):
        run = axtlib.shell(f'axt-interp --method conservative {line} -o none.nc')
        t.ok(run.returncode == status and says in run.stderr.decode() and not os.path.exists('none.nc'), line,
             f'{run.returncode} {run.stderr.decode()}')
    run = axtlib.shell('axt-calc "fillnan(v, along=lev, method=conservative)" a.nc')
    t.ok(run.returncode == 2 and 'linear|nearest' in run.stderr.decode(), 'fillnan has no such method', run.stderr)


def main():
    t = Tap()
    os.chdir(scratch())
    cases, first = axtlib.random_cases(80, 12, 500, 1)
    for seed in range(first, first + cases):
        why = case(seed)
        t.ok(not why, f'seed {seed}', why)
    beside_cdo(t)
    refusals(t)
    t.done()


main()
