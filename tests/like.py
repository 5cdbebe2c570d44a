#!/usr/bin/python3
"""--like against xarray: like.py [CASES [SEED]]. Random tensors with coordinates of numbers, dates and longitudes."""
import os

import numpy as np
import xarray as xr

from axtlib import Tap, axt, random_cases, same, scratch

UNITS = ['days since 2000-01-01', 'hours since 1999-06-01 06:00', 'seconds since 1970-01-01']


def coordinates(r, axis, n):
    if axis == 'time':
        days = np.datetime64('2000-01-01', 'ns') + r.choice(40, n, replace=False) * np.timedelta64(12, 'h')
        return np.sort(days) if r.random() < .7 else days
    x = r.choice(30, n, replace=False) * (1. if axis == 'lat' else .5)
    return np.sort(x) if r.random() < .5 else x


def tensor(r, axes, path):
    lengths = [int(r.integers(1, 20)) for _ in axes]
    a = xr.DataArray(r.standard_normal(lengths).astype(str(r.choice(['f4', 'f8']))), dims=axes, name='v',
                     coords={x: coordinates(r, x, n) for x, n in zip(axes, lengths)})
    code = {'time': {'units': str(r.choice(UNITS)), 'dtype': 'f8'}} if 'time' in axes else {}
    a.to_netcdf(path, encoding=code)
    return a


def check(t, d, name, want, *words):
    p = axt(*words, '-o', f'{d}/y.nc')
    if p.rc:
        return t.ok(False, name, p)
    with xr.open_dataset(f'{d}/y.nc') as f:
        got = f[want.name].load()
    why = '' if got.dims == want.dims else f'{got.dims} {want.dims}'
    for x in want.dims if not why else ():
        why = why or (x in want.coords and same(got[x].values, want[x].values, dtype=False))
    return t.ok(not why and not (why := same(got.values, want.values, dtype=False)), name, why)


def case(t, d, seed):
    r = np.random.default_rng(seed)
    axes = ['time', 'lat', 'x']
    a = tensor(r, [str(x) for x in r.permutation(axes)[:int(r.integers(1, 4))]], f'{d}/a.nc')
    b = tensor(r, [str(x) for x in r.permutation(axes)[:int(r.integers(1, 4))]], f'{d}/b.nc')
    env = f'{seed} {dict(a.sizes)} {dict(b.sizes)}'
    shared = [x for x in a.dims if x in b.dims]
    like = ('--like', f'{d}/b.nc:v', f'{d}/a.nc:v')
    if not shared:
        return t.ok(axt('take', *like).rc == 1 and axt('slice', *like).rc == 1, env + ' no shared axis')
    want = a.reindex({x: b[x] for x in shared})
    there = all(np.isin(b[x].values, a[x].values).all() for x in shared)
    t.ok(there or axt('take', *like, '-o', f'{d}/y.nc').rc == 1, env + ' an error without --fill')
    check(t, d, env + ' take --fill', want, 'take', *like, '--fill', 'nan')
    both = [np.intersect1d(a[x].values, b[x].values).size for x in shared]
    if all(both):
        check(t, d, env + ' slice', a.isel({x: np.isin(a[x].values, b[x].values) for x in shared}), 'slice', *like)
    else:
        t.ok(axt('slice', *like).rc == 1, env + ' nothing in both')
    one = a.isel({x: 0 for x in shared[1:]}, drop=True)
    if there and one.ndim == 1:
        one.to_netcdf(f'{d}/a.nc')
        mid = one.broadcast_like(b.sel({shared[0]: one[shared[0]]})) if set(one[shared[0]].values) <= set(b[shared[0]].values) else None
        if mid is not None:
            axt('take', '--like', f'{d}/a.nc:v', f'{d}/b.nc:v', '-o', f'{d}/c.nc')
            order = [x for x in b.dims] + [x for x in one.dims if x not in b.dims]
            check(t, d, env + ' broadcast', mid.transpose(*order), 'broadcast', '--like', f'{d}/c.nc:v', f'{d}/a.nc:v')
    return os.path.exists(f'{d}/y.nc')


def main():
    t, d = Tap(), scratch()
    cases, seed = random_cases(60, 20, 400, 7700)
    for k in range(cases):
        case(t, d, seed + k)
    t.done()


main()
