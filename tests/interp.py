#!/usr/bin/python3
"""axt-interp against numpy.interp and CDO: interp.py [CASES [SEED]].

Random points that rise or fall, targets inside and outside, gaps, longitudes that go around, points of each line, dates,
stations.
"""
import shutil

import numpy as np
import xarray as xr

from axtlib import Tap, in_batches, random_cases, scratch, shell


def run(line):
    done = shell(line)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def text(v):
    return ','.join(repr(float(x)) for x in v)


def interp(line, d, name='v'):
    """The values that a command gives, or what it says."""
    rc, _, err = run(f'{line} -o {d}/o.nc --force')
    if rc or err:
        return None, err
    with xr.open_dataset(f'{d}/o.nc', decode_times=False) as f:
        return f[name].load(), ''


def along(axis, to, x, a):
    """numpy.interp along an axis; x rises."""
    return np.apply_along_axis(lambda v: np.interp(to, x, v, np.nan, np.nan), axis, a)


def close(got, want, tol=1e-12):
    return got.shape == want.shape and np.allclose(got, want, rtol=tol, atol=tol, equal_nan=True)


def wrong_line(r, d):
    """One axis of two: as numpy.interp, with NaN where a neighbour is missing, and on lines beyond the ends."""
    n, m = int(r.integers(2, 40)), int(r.integers(1, 60))
    x = np.sort(r.choice(1000, n, replace=False) / 7)
    dtype = str(r.choice(['f8', 'f4', 'i4']))
    a = (r.standard_normal((3, n, 4)) * 100).astype(dtype)
    if dtype != 'i4':
        a[r.random(a.shape) < .1] = np.nan
    if r.random() < .5:
        x, a = x[::-1].copy(), a[:, ::-1].copy()
    to = r.choice([r.uniform(x.min() - 5, x.max() + 5, m), r.choice(x, m)])
    da = xr.DataArray(a, {'x': x}, ('t', 'x', 'c'), name='v')
    da.to_netcdf(f'{d}/a.nc', encoding={'v': {'_FillValue': None}})
    method = str(r.choice(['linear', 'nearest']))
    tiles = str(r.choice(['', 'AXT_TILE=7 ', 'AXT_SLAB=300 ']))
    got, err = interp(f"{tiles}axt-interp --quiet --method {method} x={text(to)} {d}/a.nc:v", d)
    if got is None:
        return err
    o = np.argsort(x)
    xs, a64 = x[o], a[:, o].astype('f8')
    want = np.full((3, m, 4), np.nan)
    for j, t in enumerate(to):
        at = np.searchsorted(xs, t)
        if at < n and xs[at] == t:
            want[:, j] = a64[:, at]
        elif 0 < at < n:
            w = (t - xs[at - 1]) / (xs[at] - xs[at - 1])
            want[:, j] = a64[:, at - 1] * (1 - w) + w * a64[:, at] if method == 'linear' else a64[:, at - (w <= .5)]
    tol = 1e-12 if dtype == 'f8' or dtype == 'i4' else 2e-6
    if not close(got.values, want, tol * 100) or not np.array_equal(got.x.values, to):
        return f'{method} {dtype}: {got.values[:, :, 0]} want {want[:, :, 0]}'
    if method == 'linear' and dtype == 'f8':
        full = np.where(np.isnan(a64), 0, a64)
        xr.DataArray(full, {'x': xs}, ('t', 'x', 'c'), name='v').to_netcdf(f'{d}/b.nc')
        got, err = interp(f'axt-interp --extrapolate x={text(to)} {d}/b.nc:v', d)
        i = np.clip(np.searchsorted(xs, to) - 1, 0, n - 2)
        w = ((to - xs[i]) / (xs[i + 1] - xs[i]))[:, None]
        want = full[:, i] + w * (full[:, i + 1] - full[:, i])
        inside = np.interp(to, xs, full[1, :, 2], np.nan, np.nan)
        ok = ~np.isnan(inside)
        if got is None or not close(got.values, want, 1e-9) or not close(got.values[1, ok, 2], inside[ok], 1e-10):
            return f'extrapolated: {err} {got} want {want}'
    return ''


def wrong_grid(r, d):
    """Two axes, longitudes around: as numpy.interp on a grid that was closed by hand, and as CDO's remapbil."""
    nlat, nlon = int(r.integers(4, 12)), int(r.integers(6, 20))
    lat = np.linspace(-80, 80, nlat)[::int(r.choice([1, -1]))]
    lon = np.arange(nlon) * 360 / nlon + float(r.choice([0, -180, 2.5]))
    da = xr.DataArray(r.standard_normal((2, nlat, nlon)), {'lat': ('lat', lat, {'units': 'degrees_north'}),
                                                          'lon': ('lon', lon, {'units': 'degrees_east'})}, ('t', 'lat', 'lon'), name='v')
    da.to_netcdf(f'{d}/g.nc')
    tolat, tolon = np.sort(r.uniform(-79, 79, 5)), np.sort(r.uniform(-400, 400, 9))
    got, err = interp(f'axt-interp lat={text(tolat)} lon={text(tolon)} {d}/g.nc:v', d)
    if got is None:
        return err
    three = xr.concat([da.assign_coords(lon=lon + k * 360) for k in (-2, -1, 0, 1, 2)], 'lon')
    three = three.sortby('lat')
    want = along(2, tolon, three.lon.values, along(1, tolat, three.lat.values, three.values))
    if not close(got.values, want, 1e-10):
        return f'{got} want {want}'
    # targets of a file; the same as CDO has on a regular grid
    to = xr.Dataset({'w': (('lat', 'lon'), np.zeros((6, 8)))}, {'lat': ('lat', np.linspace(-60, 60, 6), {'units': 'degrees_north'}),
                                                                'lon': ('lon', np.arange(8) * 45., {'units': 'degrees_east'})})
    to.to_netcdf(f'{d}/to.nc')
    got, err = interp(f'axt-interp lat,lon={d}/to.nc:w {d}/g.nc:v', d)
    if got is None:
        return err
    if not np.array_equal(got.lon, to.lon) or got.lat.attrs['units'] != 'degrees_north':
        return f'coordinates {got}'
    if shutil.which('cdo'):
        rc, _, err = run(f'cdo -s remapbil,{d}/to.nc {d}/g.nc {d}/c.nc')
        with xr.open_dataset(f'{d}/c.nc') as f:
            if rc or not close(got.values, f.v.values, 1e-6):
                return f'cdo remapbil: {err} {got.values} want {f.v.values}'
    return ''


def wrong_field(r, d):
    """Points of each line by themselves, some missing at an end, rising or falling: as numpy.interp line by line."""
    n, lines = int(r.integers(2, 30)), int(r.integers(1, 50))
    z = np.sort(r.random((lines, n)) * 100, 1)
    a = r.standard_normal((lines, n))
    gone = r.random(lines) < .3
    z[gone, 0] = np.nan
    if r.random() < .5:
        z, a = z[:, ::-1], a[:, ::-1]
    to = r.uniform(-5, 105, 7)
    order = ('k', 'i') if r.random() < .5 else ('i', 'k')
    ds = xr.Dataset({'v': (('i', 'k'), a), 'z': (('i', 'k'), z, {'units': 'm', 'standard_name': 'height'})})
    ds.transpose(*order).to_netcdf(f'{d}/z.nc')
    got, err = interp(f"axt-interp k={text(to)} --points {d}/z.nc:z {d}/z.nc:v", d)
    if got is None:
        return err
    got = got.transpose('i', 'k')
    for i in range(lines):
        ok = ~np.isnan(z[i])
        o = np.argsort(z[i][ok])
        want = np.interp(to, z[i][ok][o], a[i][ok][o], np.nan, np.nan) if ok.any() else np.full(7, np.nan)
        if not close(got.values[i], want, 1e-9):
            return f'line {i}: {got.values[i]} want {want}'
    return '' if got.k.attrs.get('units') == 'm' else f'{got.k}'


def wrong_time(r, d):
    """Dates: steps of hours and months, other units of time, and CDO's inttime."""
    n = int(r.integers(5, 40))
    times = np.arange('2001-01-01', '2003-01-01', dtype='M8[D]')[:n * 3:3].astype('M8[ns]')
    units = str(r.choice(['days since 2000-01-01', 'hours since 1900-01-01', 'seconds since 1970-01-01']))
    da = xr.DataArray(r.standard_normal((n, 2, 2)), {'time': times, 'lat': ('lat', [0., 1], {'units': 'degrees_north'}),
                                                     'lon': ('lon', [0., 1], {'units': 'degrees_east'})}, ('time', 'lat', 'lon'), name='v')
    da.to_netcdf(f'{d}/t.nc', encoding={'time': {'units': units, 'dtype': 'f8'}}, unlimited_dims=['time'])
    step, freq = [('6h', '6H'), ('day', 'D'), ('2days', '2D'), ('month', 'MS')][int(r.integers(4))]
    first, last = '2001-01-01', str(times[-1])[:10]
    import pandas as pd
    to = pd.date_range(first, last, freq=freq)
    got, err = interp(f'axt-interp time={first}:{last}:{step} {d}/t.nc:v', d)
    if got is None:
        return err
    want = along(0, to.values.astype('f8'), times.astype('f8'), da.values)
    want = xr.DataArray(want, {'time': to, 'lat': da.lat, 'lon': da.lon}, da.dims, name='v')
    if not close(got.values, want.values, 1e-10):
        return f'{step} {units}: {got.values[:, 0, 0]} want {want.values[:, 0, 0]}'
    # the same targets from a file with other units
    want.to_netcdf(f'{d}/u.nc', encoding={'time': {'units': 'minutes since 1999-06-01', 'dtype': 'f8'}})
    again, err = interp(f'axt-interp time={d}/u.nc:v {d}/t.nc:v', d)
    if again is None or not close(again.values, got.values, 1e-9) or again.time.attrs['units'] != 'minutes since 1999-06-01':
        return f'{err} {again}'
    if shutil.which('cdo') and step in ('6h', 'day'):
        rc, _, err = run(f'cdo -s inttime,{first},00:00:00,{"6hour" if step == "6h" else "1day"} {d}/t.nc {d}/c.nc')
        with xr.open_dataset(f'{d}/c.nc') as f:
            if rc or not close(got.values[:f.v.shape[0]], f.v.values, 1e-6):
                return f'cdo inttime: {err} {got.shape} {f.v.shape}'
    return ''


def at_point(v, axes, method):
    """A tensor at one point: its leading axes, each given by its coordinates and a target, one after another."""
    for x, to in axes:
        i = int(np.abs(x - to).argmin())
        v = v[i] if method == 'nearest' else along(0, [to], x, v)[0]
    return v


def wrong_stations(r, d):
    """Targets over axes of their own, or over an axis of the tensor: as numpy.interp point by point."""
    x = {'lat': np.linspace(-80, 80, 9), 'lon': np.arange(0, 360, 30.), 'time': np.arange(5.)}
    dims, shape = [(('station',), (7,)), (('y', 'x'), (3, 4)), (('time',), (5,)), (('time', 'member'), (5, 2))][r.integers(4)]
    names = ['lat', 'lon', 'time'][:2 if 'time' in dims else int(r.integers(1, 4))]
    v = r.standard_normal((9, 12, 5))
    da = xr.DataArray(v, x, ('lat', 'lon', 'time'), name='v')
    da.lon.attrs['units'] = 'degrees_east'
    da.transpose(*r.permutation(['lat', 'lon', 'time'])).to_netcdf(f'{d}/s.nc')
    to = {n: r.uniform(0, hi, shape) for n, hi in (('lat', 79), ('lon', 329), ('time', 4))}
    xr.Dataset({'p' + n: (dims, to[n]) for n in names}).to_netcdf(f'{d}/p.nc')
    method = str(r.choice(['linear', 'nearest']))
    want = np.array([at_point(v[..., k[0]] if 'time' in dims else v, [(x[n], to[n][k]) for n in names], method)
                     for k in np.ndindex(*shape)])
    want = want.reshape(shape + want.shape[1:])
    order = dims + tuple(n for n in ('lat', 'lon', 'time') if n not in names and n not in dims)
    words = [f'{n}=p{n}' for n in r.permutation(names)]
    for line in (f'axt-interp --method {method} {" ".join(words).replace("=", f"={d}/p.nc:")} {d}/s.nc:v',
                 f"axt-calc 'v = interp(v, {', '.join(words)}, method={method}); v' {d}/s.nc {d}/p.nc"):
        got, err = interp(line, d)
        if got is None or set(got.dims) != set(order) or not close(got.transpose(*order).values, want):
            return f'{line}: {err} {got} {want}'
    return ''


def case(t, d, seed):
    r = np.random.default_rng(seed)
    for what, wrong in (('line', wrong_line), ('grid', wrong_grid), ('field', wrong_field), ('time', wrong_time),
                        ('stations', wrong_stations)):
        bad = wrong(r, d)
        if bad:
            t.ok(False, f'{seed} {what}', bad)


def main():
    cases, seed = random_cases(25, 5, 2, 3)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'points {}: as numpy.interp and CDO', lambda k: case(t, d, seed + k))
    t.done()


main()
