#!/usr/bin/python3
"""Groups by several labels, and by bins of two tensors, against NumPy and pandas: joint.py [CASES [SEED]]."""
import itertools
import warnings

import numpy as np
import pandas as pd
import xarray as xr

from axtlib import Tap, axt, random_cases, scratch

OPS = {'mean': np.nanmean, 'sum': np.nansum, 'max': np.nanmax, 'var': np.nanvar, 'median': np.nanmedian,
       'count': lambda v: np.isfinite(v).sum()}


def labels(r, shape, kind):
    """Labels, and for each element its place among the distinct ones, -1 of those that have no label."""
    k = r.integers(0, r.integers(1, 5), shape)
    if kind == 'text':
        words = np.array(['', 'oak', 'ash', 'elm', 'fir'], object)
        names = np.sort([w for w in np.unique(words[k]) if w])
        return words[k], names, np.array([[*names].index(w) if w else -1 for w in words[k]])
    v = (k * 3 - 2).astype(r.choice(['i2', 'i8', 'f4', 'f8']))
    if v.dtype.kind == 'f':
        v[r.random(shape) < .2] = np.nan
    names = np.unique(v[v == v])
    return v, names, np.where(v == v, np.searchsorted(names, v), -1)


def by_labels(t, d, seed):
    r = np.random.default_rng(seed)
    dims = ['z', 'y', 'x'][:int(r.integers(1, 4))]
    size = dict(zip(dims, (int(k) for k in r.integers(1, 14, len(dims)))))
    a = r.standard_normal([size[k] for k in dims])
    a[r.random(a.shape) < .1] = np.nan
    data, place, coords = {'a': (dims, a, {}, {'_FillValue': np.nan})}, [], {}
    n = int(r.integers(2, 4))
    for k in range(n):
        over = [q for q in dims if r.random() < .6] or [dims[0]]
        text = len(over) == 1 and r.random() < .5
        v, names, at = labels(r, [size[q] for q in over], 'text' if text else 'number')
        data[f'l{k}'] = (over, v)
        coords[f'l{k}'] = names
        place.append((over, at))
    over = sorted({q for o, _ in place for q in o} | {q for q in dims if r.random() < .5}, key=dims.index)
    kept = [q for q in dims if q not in over]
    xr.Dataset(data).to_netcdf(f'{d}/a.nc')
    op = str(r.choice(list(OPS)))
    order = kept + list(coords)
    if r.random() < .5:
        order = [str(q) for q in r.permutation(order)]
    words = [op, '--over', ','.join(over), '--by', f'{d}/a.nc:' + ','.join(coords), f'{d}/a.nc:a', '-o', f'{d}/o.nc']
    env = {'AXT_TILE': str(r.choice([1, 7, 1024])), 'AXT_THREADS': str(r.integers(1, 4))}
    p = axt('reduce', *words, env=env)
    p = p if p.rc else axt('order', ','.join(order), f'{d}/o.nc:a', '-o', f'{d}/p.nc')
    if not p.rc and not kept:  # the same by its own list of axes
        to = axt('reduce', *words[:1], '--to', ','.join(order), *words[3:6], '-o', f'{d}/t.nc')
        p = to if to.rc else axt('equal', f'{d}/p.nc:a', f'{d}/t.nc:a')
    name = f'{seed} {op} of {size} by {place and [o for o, _ in place]} as {order}'
    if p.rc:
        return t.ok(False, name, p)
    cube = xr.DataArray(a, dims=dims).transpose(*kept, *over)
    spread = [xr.DataArray(at, dims=o).broadcast_like(cube).transpose(*over, ...).values for o, at in place]
    spread = [s.reshape([size[q] for q in over] + [-1])[..., 0] for s in spread]
    want = np.zeros([size[q] for q in kept] + [len(c) for c in coords.values()])
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        for w in itertools.product(*(range(len(c)) for c in coords.values())):
            hit = np.logical_and.reduce([s == k for s, k in zip(spread, w)])
            for i in np.ndindex(*[size[q] for q in kept]):
                v = cube.values[i][hit]
                want[i + w] = OPS[op](v) if op == 'count' or np.isfinite(v).any() else np.nan
    want = xr.DataArray(want, dims=kept + list(coords), coords=coords).transpose(*order)
    got = xr.open_dataset(f'{d}/p.nc')['a'].load()
    good = got.dims == want.dims and np.allclose(got, want, rtol=1e-12, atol=1e-12, equal_nan=True)
    good = good and all([*got[c].values] == [*coords[c]] for c in coords)
    t.ok(good, name, f'{got}\n{want}')


def by_bins(t, d, seed):
    """axt-hist of two tensors; the second may lack axes of the first."""
    r = np.random.default_rng(seed)
    dims = ['z', 'y', 'x'][:int(r.integers(1, 4))]
    size = dict(zip(dims, (int(k) for k in r.integers(1, 30, len(dims)))))
    lacks = [q for q in dims if r.random() < .7] or dims
    made = {}
    for name, over in ('p', dims), ('q', lacks):
        v = np.round(r.normal(0, 3, [size[q] for q in over]), int(r.choice([1, 1, 9])))
        v[r.random(v.shape) < .1] = r.choice([np.nan, np.inf, -np.inf])
        made[name] = (over, v.astype(r.choice(['f4', 'f8'])))
    w = r.random([size[q] for q in dims]) if r.random() < .4 else None
    xr.Dataset(made | ({} if w is None else {'w': (dims, w)})).to_netcdf(f'{d}/h.nc')
    n = [int(k) for k in r.integers(1, 12, 2)]
    span = [(-3, 4), (float(np.round(r.normal() - 4, 2)), float(np.round(r.normal() + 4, 2)))] if r.random() < .6 else None
    over = [q for q in dims if r.random() < .6] or dims
    kept = [q for q in dims if q not in over]
    density = span and r.random() < .3
    words = ['--bins', f'{n[0]},{n[1]}', '--over', ','.join(over)] + ['--density'] * bool(density)
    words += ['--weights', f'{d}/h.nc:w'] if w is not None else []
    words += ['--range', ','.join(repr(x) for s in span for x in s)] if span else []
    p = axt('hist', *words, f'{d}/h.nc:p', f'{d}/h.nc:q', '-o', f'{d}/o.nc',
            env={'AXT_TILE': str(r.choice([1, 7, 1024])), 'AXT_THREADS': str(r.integers(1, 4))})
    name = f'{seed} histogram of {size} and {lacks}: {" ".join(words)}'
    if p.rc:
        return t.ok(False, name, p)
    out = xr.open_dataset(f'{d}/o.nc')
    cube = xr.DataArray(made['p'][1], dims=dims)
    pair = [x.transpose(*kept, *over).values.reshape([size[q] for q in kept] + [-1])
            for x in (cube, xr.DataArray(made['q'][1], dims=lacks).broadcast_like(cube),
                      cube if w is None else xr.DataArray(w, dims=dims))]
    if span is None:
        fine = [v[np.isfinite(v)] for v in (made['p'][1], made['q'][1])]
        span = [(float(v.min()), float(v.max())) if v.size else (0, 1) for v in fine]
    want = np.zeros([size[q] for q in kept] + n)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        for i in np.ndindex(*[size[q] for q in kept]):
            x, y, z = (v[i] for v in pair)
            ok = np.isfinite(x) & np.isfinite(y)
            # each in bins by numpy.histogram's own edges, which are rounded to f32 for f32
            want[i], *edges = np.histogram2d(x[ok], y[ok], [np.histogram_bin_edges(v.ravel()[:0], k, s) for v, k, s in
                                             zip((made['p'][1], made['q'][1]), n, span)],
                                             weights=None if w is None else z[ok], density=bool(density))
    got = out['histogram'].transpose(*kept, 'p_bin', 'q_bin').values
    good = got.shape == want.shape and np.allclose(got, want, rtol=1e-6 if density else 1e-12, atol=1e-12, equal_nan=True)
    ends = [np.append(out[f'{q}_bin_bounds'][:, 0], out[f'{q}_bin_bounds'][-1, 1]) for q in 'pq']
    good = good and all(np.allclose(a, b, rtol=1e-6, atol=1e-6) for a, b in zip(ends, edges))
    t.ok(good, name, f'{got}\n{want}')


def by_dates(t, d):
    time = pd.date_range('2001-03-05', periods=1100)
    r = np.random.default_rng(3)
    a = xr.Dataset({'a': (('time', 'x'), r.normal(size=(1100, 3)))}, {'time': time})
    a.to_netcdf(f'{d}/d.nc')
    for fields in (('year', 'season'), ('year', 'month'), ('season', 'hour')):
        words = ','.join(f'time.{f}' for f in fields)
        p = axt('reduce', 'mean', '--over', 'time', '--by', words, f'{d}/d.nc', '-o', f'{d}/o.nc')
        if not t.ok(not p.rc, words, p):
            continue
        got = xr.open_dataset(f'{d}/o.nc')['a'].load()
        frame = pd.DataFrame(a.a.values, columns=list('pqr'))
        keys = [pd.Series(getattr(a.time.dt, f).values, name=f) for f in fields]
        want = frame.groupby(keys).mean().to_xarray().to_array('x').transpose(*fields, 'x')
        want = want.sel({f: got[f].values for f in fields})
        t.ok(got.dims == want.dims and got.shape == want.shape and np.allclose(got, want, equal_nan=True),
             f'pandas: {words}', f'{got}\n{want}')


def main():
    cases, seed = random_cases(100, 20, 6, 20261123)
    t, d = Tap(), scratch()
    by_dates(t, d)
    for k in range(cases):
        (by_bins if k % 2 else by_labels)(t, d, seed + k)
    t.done()


main()
