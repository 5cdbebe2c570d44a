#!/usr/bin/python3
"""axt-ffill, axt-bfill, axt-rank, linear scans and weighted quantiles beside NumPy and xarray."""
import os

import numpy as np
import xarray as xr

import axtlib
from axtlib import Tap, scratch


def data(r):
    shape = tuple(int(n) for n in r.integers(1, 12, 3))
    dtype = r.choice(['f8', 'f4', 'i4', 'u8'])
    v = r.integers(0, 9, shape).astype(dtype)
    if dtype[0] == 'f':
        v = (v - 4.5).astype(dtype)
        v[r.random(shape) < .4] = np.nan
    coords = {'t': np.arange(shape[0]) * 2., 'y': np.arange(shape[1]), 'x': np.arange(shape[2])}
    return xr.DataArray(v, dims=('t', 'y', 'x'), coords=coords, name='v', attrs={'units': 'K'})


def by_numpy(a, dim, limit):
    """What is filled, without bottleneck, which xarray needs."""
    v = np.moveaxis(a.values.copy(), a.dims.index(dim), 0)
    since = np.zeros(v.shape[1:], int)
    for i in range(1, len(v)):
        none = np.isnan(v[i])
        since = np.where(none, since + 1, 0)
        v[i] = np.where(none & (since <= (limit or 1 << 30)), v[i - 1], v[i])
    return a.copy(data=np.moveaxis(v, 0, a.dims.index(dim)))


def ranked(v, method):
    """What scipy.stats.rankdata gives of the values that are there."""
    out = np.full(v.shape, np.nan)
    good = ~np.isnan(v.astype('f8'))
    x = v[good]
    less, upto = ((f(x[None, :], x[:, None])).sum(1) for f in (np.less, np.less_equal))
    out[good] = {'average': (less + 1 + upto) / 2, 'min': less + 1, 'max': upto,
                 'dense': np.searchsorted(np.unique(x), x) + 1,
                 'ordinal': np.argsort(np.argsort(x, kind='stable')) + 1}[method]
    return out


def recurrence(x, a, dim, reverse):
    k = x.dims.index(dim)
    v = np.moveaxis(x.values.astype('f8'), k, 0)[::-1 if reverse else 1]
    a = np.moveaxis(np.broadcast_to(a, x.shape), k, 0)[::-1 if reverse else 1]
    out = v.copy()
    for i in range(1, len(v)):
        out[i] = a[i] * out[i - 1] + v[i]
    return np.moveaxis(out[::-1 if reverse else 1], 0, k)


def quantile(v, w, q):
    """Xarray's weighted quantile of one line, without NaN."""
    good = ~np.isnan(v) & (w != 0)
    v, w = v[good], w[good]
    if not v.size:
        return np.nan
    n = w.sum() ** 2 / (w ** 2).sum()
    order = np.argsort(v)
    cum = np.append(0, (w[order] / w.sum()).cumsum())
    h = (n - 1) * q + 1
    u = np.maximum((h - 1) / n, np.minimum(h / n, cum))
    return (v[order] * np.diff(u * n - h + 1)).sum()


def quantiles(a, w, q, over, kept):
    v = a.astype('f8').transpose(*kept, *over)
    full = (w * xr.ones_like(a, dtype='f8')).transpose(*kept, *over)
    shape = v.shape[:len(kept)]
    out = [quantile(x, y, q) for x, y in zip(v.values.reshape(int(np.prod(shape)), -1), full.values.reshape(int(np.prod(shape)), -1))]
    return np.array(out).reshape(shape)


def case(seed):
    r = np.random.default_rng(seed)
    a = data(r)
    real = a.dtype.kind == 'f'
    a.to_netcdf('a.nc')
    dim = str(r.choice(['t', 'y', 'x']))
    limit = int(r.integers(0, 4))
    lim = f'--limit {limit}' if limit else ''
    method = str(r.choice(['average', 'min', 'max', 'dense', 'ordinal']))
    reverse = bool(r.integers(2))
    rev = '--reverse' if reverse else ''
    w = xr.DataArray(np.where(r.random(a.sizes[dim]) < .2, 0, r.random(a.sizes[dim])), dims=dim, name='w')
    w.values[-1] = .5
    w.to_netcdf('w.nc')
    q = float(r.choice([0, .1, .5, .73, 1]))
    over = [dim] if r.random() < .5 else [dim] + [d for d in ('x', 't') if d != dim][:1]
    kept = [d for d in a.dims if d not in over]
    full = by_numpy(a, dim, limit) if real else a
    back = a.isel({dim: slice(None, None, -1)})
    back = by_numpy(back, dim, limit).isel({dim: slice(None, None, -1)}) if real else a
    coef = w.values.reshape([-1 if d == dim else 1 for d in a.dims])
    want_q = quantiles(a, w, q, over, kept)
    if len(a.dims) - len(kept) == 1 and min(a.shape) > 1:
        theirs = a.astype('f8').weighted(w).quantile(q, dim=over, skipna=True)
        if set(theirs.dims) == set(kept) and not np.allclose(theirs.transpose(*kept).values, want_q, equal_nan=True):
            return 'xarray has another quantile'
    cases = [
        (f'axt-ffill --along {dim} {lim} a.nc:v', full.values, 0),
        (f'axt-bfill --along {dim} {lim} a.nc:v', back.values, 0),
        (f'axt-calc "bfill(v, along={dim}{f", limit={limit}" if limit else ""})" v=a.nc:v', back.values, 0),
        (f'axt-rank --along {dim} --method {method} a.nc:v',
         np.apply_along_axis(ranked, a.dims.index(dim), a.values, method), 0),
        (f'axt-calc "rank(v, along={dim}, method={method})" v=a.nc:v',
         np.apply_along_axis(ranked, a.dims.index(dim), a.values, method), 0),
        (f'axt-scan linear:0.5 --along {dim} {rev} a.nc:v', recurrence(a, .5, dim, reverse), 1e-6),
        (f'axt-scan linear:w.nc:w --along {dim} {rev} a.nc:v', recurrence(a, coef, dim, reverse), 1e-6),
        (f'axt-calc "scan(v, linear, value=w, along={dim})" v=a.nc:v w=w.nc:w',
         recurrence(a, coef, dim, False), 1e-6),
        (f'axt-reduce quantile:{q} --over {",".join(over)} --weights w.nc:w --skip-nan a.nc:v', want_q, 1e-6),
        (f'axt-calc "quantile(v, q={q}, over=({",".join(over)}), weights=w, skip_nan=true)" v=a.nc:v w=w.nc:w',
         want_q, 1e-6),
    ]
    if q == .5:
        cases.append((f'axt-reduce median --over {",".join(over)} --weights w.nc:w --skip-nan a.nc:v', want_q, 1e-6))
    for line, want, tol in cases:
        run = axtlib.shell(line + ' -o o.nc --force')
        if run.returncode:
            return f'{line}: {run.stderr.decode()}'
        with xr.open_dataset('o.nc') as ds:
            got = ds['v' if 'v' in ds else list(ds.data_vars)[0]]
            if got.shape != want.shape:
                return f'{line}: {got.dims} {got.shape} want {want.shape}'
            if not np.allclose(got.values.astype('f8'), want.astype('f8'), rtol=tol, atol=tol, equal_nan=True):
                return f'{line} {a.dtype}: {got.values.ravel()[:6]} want {want.ravel()[:6]}'
            for d in got.dims:
                if not np.array_equal(got[d], a[d]):
                    return f'{line}: coordinates of {d}'
            if ('fill' in line or 'quantile' in line or 'median' in line) and got.attrs.get('units') != 'K':
                return f'{line}: attributes {got.attrs}'
    return ''


def main():
    t = Tap()
    os.chdir(scratch())
    cases, first = axtlib.random_cases(25, 8, 200, 1)
    for seed in range(first, first + cases):
        why = case(seed)
        t.ok(not why, f'seed {seed}', why)
    t.done()


main()
