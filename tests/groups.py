#!/usr/bin/python3
"""Reductions by labels against NumPy and xarray, and against themselves: groups.py [CASES [SEED]].

Random tensors, labels and operations. The values are NumPy's of the elements of each group; the bytes are the same from
files, chunks, pipes and plans, with any tiles and threads; where runs are short they are those of axt-reduce on each
group alone.
"""
import os
import warnings

import h5py
import numpy as np
import xarray as xr

from axtlib import SLOW, Named, Tap, axt, counted, put_h5, isas, random_cases, read_h5, same, scratch, shell, write_h5

LONGEST = [5000, 260, 40, 14]
OPS = ['sum', 'prod', 'mean', 'var', 'std', 'rms', 'min', 'max', 'ptp', 'argmin', 'argmax', 'any', 'all', 'count',
       'norm1', 'norm2', 'sumsq', 'logsumexp', 'median', 'quantile:0.3', 'median', 'quantile:0.87']
WEIGHTED = ['sum', 'mean', 'var', 'std', 'rms']


def labels(r, n):
    kind = r.integers(0, 7)
    some = int(r.integers(1, 14))
    x = r.integers(-some, some, n)
    if kind == 1:
        return np.sort(x).astype('i2')
    if kind == 2:
        return (x // 3 * .5).astype('f4')
    if kind == 3:
        return np.where(r.random(n) < .2, np.nan, x.astype('f8'))
    if kind == 5:		# many groups of few
        return r.integers(0, min(n // 3, 900) + 1, n)
    if kind == 4:
        return np.arange(n) % some if r.random() < .5 else r.permutation(n).astype('u8')
    return x.astype(str(r.choice(['i1', 'i4', 'i8'])))


def tensor(r, axes):
    shape = [int(r.integers(1, LONGEST[len(axes) - 1] + 1)) for _ in axes]
    a = r.standard_normal(shape) * 3
    dtype = str(r.choice(['f4', 'f8', 'i2', 'u1', '>f4', '?']))
    if dtype in ('f4', 'f8') and r.random() < .4:
        a[r.random(shape) < .15] = np.nan
    if dtype == '?':
        return a > 0
    return (np.abs(a) * 9 if dtype == 'u1' else a).astype(dtype)


def value(op, x, w, pos, ddof):
    """One result from the elements of a group."""
    if op == 'count':
        return x.size
    if op == 'sum':
        return np.sum(x * w)
    if op == 'mean':
        return np.sum(x * w) / np.sum(w)
    if op in ('var', 'std'):
        m = np.sum(x * w) / np.sum(w)
        v = np.sum(w * (x - m) ** 2) / (np.sum(w) - ddof)
        return v if op == 'var' else np.sqrt(v)
    if op == 'rms':
        return np.sqrt(np.sum(w * x * x) / np.sum(w))
    if op in ('argmin', 'argmax'):
        return pos[getattr(np, op)(x)]
    if op == 'median' or op[0] == 'q':
        return np.quantile(x, float(op[9:] or .5)) if x.size else np.nan
    return {'prod': np.prod, 'min': np.min, 'max': np.max, 'ptp': np.ptp, 'any': lambda v: np.any(v != 0),
            'all': lambda v: np.all(v != 0), 'norm1': lambda v: np.sum(np.abs(v)),
            'norm2': lambda v: np.sqrt(np.sum(v * v)), 'sumsq': lambda v: np.sum(v * v),
            'logsumexp': lambda v: np.max(v) + np.log(np.sum(np.exp(v - np.max(v))))}[op](x)


def expected(op, a, w, lab, over, at, skip, ddof):
    """kept axes in order, then the groups: as an array, and the distinct labels."""
    kept = [i for i in range(a.ndim) if i not in over]
    shape = [a.shape[i] for i in over]
    pos = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    distinct = np.unique(lab[lab == lab])
    x = a.transpose(kept + over).reshape([-1] + shape).astype('f8')
    ww = w.transpose(kept + over).reshape([-1] + shape)
    out = np.empty([x.shape[0], len(distinct)])
    for g, v in enumerate(distinct):
        pick = np.flatnonzero(lab == v)
        k = over.index(at)
        xs = x.take(pick, k + 1).reshape(x.shape[0], -1)
        ws = ww.take(pick, k + 1).reshape(x.shape[0], -1)
        ps = pos.take(pick, k).reshape(-1)
        for i in range(x.shape[0]):
            ok = xs[i] == xs[i] if skip or op == 'count' else np.ones(len(ps), bool)
            if not ok.any() and op in ('argmin', 'argmax', 'any', 'all', 'count'):
                out[i, g] = {'count': 0, 'any': 0, 'all': 1}.get(op, -1)
            else:
                out[i, g] = value(op, xs[i][ok], ws[i][ok], ps[ok], ddof) if ok.any() else np.nan
    return out.reshape([a.shape[i] for i in kept] + [len(distinct)]), distinct


def check(t, name, got, want, axes, kept, distinct, a):
    """got: the tensor of the file; its axes may be in another order."""
    dims = [axes[i] for i in kept] + ['lab']
    if sorted(got.dims) != sorted(dims):
        return t.ok(False, name, f'axes {got.dims}')
    why = same(got.coords['lab'], distinct, dtype=False)
    f4 = got.a.dtype == np.dtype('f4') or a.dtype.str[1:] == 'f4'
    scale = np.nanmax(np.abs(want)) if want.size and not np.all(np.isnan(want)) else 0
    exact = got.a.dtype.kind in 'iub'
    # NumPy's mean of equal numbers is rounded, and so they deviate a little
    noise = 1e-15 * np.nanmax(np.abs(a), initial=0) if a.dtype.kind == 'f' else 0
    have = got.to(dims)
    if exact and have.shape == want.shape:      # products wrap: f8 tells no more than this
        have, want = (np.where(np.abs(want) < 2**53, x, 0) for x in (have, want))
    return t.ok(not why and not (why := same(have, want, rtol=0 if exact else 2e-5 if f4 else 1e-9,
                                             atol=0 if exact else noise + scale * (1e-6 if f4 else 1e-12), dtype=False)),
                name, why)


def alone(t, d, name, op, a, lab, axes, over, at, flags):
    """Each group by itself, by axt-reduce."""
    got = read_h5(f'{d}/want.h5')
    dims = [x for x in got.dims if x != 'lab']
    for g, v in enumerate(got.coords['lab']):
        with h5py.File(f'{d}/one.h5', 'w') as f:
            put_h5(f, counted(axes, a.take(np.flatnonzero(lab == v), at)), 'x')
        r = axt('reduce', op, '--to', ','.join(dims), *flags, f'{d}/one.h5', '-o', f'{d}/alone.h5')
        one = read_h5(f'{d}/alone.h5') if r.rc == 0 else None
        mine = got.a.take(g, got.dims.index('lab'))
        if one is None or mine.tobytes() != one.a.tobytes():
            return t.ok(False, name + f' label {v}', r)
    return t.ok(True, name + ' and each group alone')


def plain_order(order, over, a):
    """Whether groups alone have the same order of work: no run, or a short one."""
    last = max((i for i in range(a.ndim) if a.shape[i] > 1), default=0)
    return last not in over or np.prod([a.shape[i] for i in over]) <= 1024


def case(t, d, seed, long_rows=False):
    """long_rows: weighted, by labels of rows that are longer than a block."""
    r = np.random.default_rng(seed)
    n = 2 if long_rows else int(r.integers(1, 5))
    axes = list('abcd')[:n]
    a = tensor(r, axes)
    if long_rows:
        a = r.standard_normal((int(r.integers(2, 40)), int(r.integers(1000, 9000)))).astype(str(r.choice(['f4', 'f8'])))
    at = 0 if long_rows else int(r.integers(0, n))
    over = sorted({at} | {int(i) for i in r.integers(0, n, 0 if long_rows else int(r.integers(0, n)))})
    kept = [i for i in range(n) if i not in over]
    lab = labels(r, a.shape[at])
    skip = a.dtype.kind == 'f' and r.random() < .5
    op = str(r.choice(WEIGHTED if long_rows else [x for x in OPS if x != 'ptp' or a.dtype.kind != 'b']))
    w = np.ones(a.shape)
    words, ddof = ['--skip-nan'] if skip else [], 0
    if op in ('var', 'std') and r.random() < .4:
        ddof = 1
        words += ['--ddof', '1']
    elif op in WEIGHTED and (long_rows or r.random() < .4):
        wa = sorted(int(i) for i in r.choice(n, int(r.integers(1, n + 1)), replace=False))
        wv = r.random([a.shape[i] for i in wa])
        with h5py.File(f'{d}/w.h5', 'w') as f:
            put_h5(f, counted([axes[i] for i in wa], wv), 'w')
        w = np.broadcast_to(wv.reshape([a.shape[i] if i in wa else 1 for i in range(n)]), a.shape)
        words += ['--weights', f'{d}/w.h5']
    to = [axes[i] for i in kept] + ['lab']
    r.shuffle(to)
    words += ['--to', ','.join(to)] if r.random() < .4 else ['--over', ','.join(axes[i] for i in over)]
    words += ['--by', f'{d}/l.h5:lab']
    chunks = tuple(int(r.integers(1, k + 1)) for k in a.shape)
    with h5py.File(f'{d}/l.h5', 'w') as f:
        put_h5(f, counted([axes[at]], lab), 'lab')
    for path, storage in (f'{d}/p.h5', {}), (f'{d}/c.h5', {'chunks': chunks, 'compression': 1}):
        with h5py.File(path, 'w') as f:
            put_h5(f, counted(axes, a), 'x', **storage)
    name = f'{seed} {op} {a.dtype} {a.shape} over {over} labels {lab.dtype} of {at}, {" ".join(words)}'
    p = axt('reduce', op, *words, f'{d}/p.h5', '-o', f'{d}/want.h5', '--no-history', env={'AXT_THREADS': '1'})
    if p.rc:
        return t.ok(False, name, p)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        want, distinct = expected(op, a, w, lab, over, at, skip, ddof)
    check(t, name, read_h5(f'{d}/want.h5'), want, axes, kept, distinct, a)
    env = {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': str(r.choice([500, 4096, 30000])), 'AXT_FUSE': '0',
           'AXT_TILE': str(r.choice([1, 7, 100, 1024, 5000]))}
    line = f'axt-reduce {op} {" ".join(repr(x) for x in words)} --no-history'
    with open(f'{d}/want.h5', 'rb') as f:
        bytes_ = f.read()
    for way, e in ((f'{line} {d}/c.h5 -o {d}/got.h5', env), (f'{line} {d}/c.h5 >{d}/got.h5', env),
                   (f'axt-order {",".join(axes)} --no-history {d}/c.h5 | {line} >{d}/got.h5', env),
                   (f'axt-order {",".join(axes)} --no-history {d}/p.h5 | {line} | axt-order ... --no-history >{d}/got.h5',
                    dict(env, AXT_FUSE='1'))):
        p = shell(way, env=e)
        with open(f'{d}/got.h5', 'rb') as f:
            t.ok(p.returncode == 0 and f.read() == bytes_, f'{name}: {way} {e}', p.stderr.decode())
    if r.random() < .3 and len(distinct) < 30 and op[:3] != 'arg' and '--weights' not in words and plain_order(axes, over, a):
        alone(t, d, name, op, a, lab, axes, over, at, words[:-4])


def against_xarray(t, d):
    """Climatologies."""
    r = np.random.default_rng(5)
    time = np.datetime64('1999-03-01') + np.arange(800)
    x = r.standard_normal((800, 6, 5)).astype('f4')
    x[r.random(x.shape) < .1] = np.nan
    da = xr.DataArray(x, dims=('time', 'lat', 'lon'), name='tas', attrs={'units': 'K'},
                      coords={'time': time.astype('datetime64[ns]'), 'lat': np.arange(6.), 'lon': np.arange(5.)})
    da.to_netcdf(f'{d}/t.nc')
    for field in 'month', 'year', 'dayofyear', 'day':
        for op in 'mean', 'std', 'max', 'count', 'sum', 'median', 'quantile:0.25':
            p = axt('reduce', op, '--over', 'time', '--by', f'{d}/t.nc:time.{field}', f'{d}/t.nc:tas', '-o', f'{d}/y.nc')
            name = f'xarray groupby time.{field} {op}'
            if p.rc:
                t.ok(False, name, p)
                continue
            got = xr.open_dataset(f'{d}/y.nc')['tas']
            g = da.groupby(f'time.{field}')
            want = g.sum(min_count=1) if op == 'sum' else g.quantile(.25).drop_vars('quantile') if op[0] == 'q' else getattr(g, op)()
            methods = {'std': 'standard_deviation', 'max': 'maximum'}.get(op, op)
            if field in ('month', 'dayofyear') and op in ('mean', 'max', 'sum'):	# 800 days: of several years
                methods += f' within years time: {methods} over years'
            good = got.dims == want.dims and (op == 'count' or op[0] == 'q' or got.attrs['cell_methods'] == f'time: {methods}')
            why = f'{got.dims} {got.attrs}' if not good else same(got[field].values, want[field].values, dtype=False) or \
                same(got.values, want.values, rtol=2e-5, atol=2e-6, dtype=False)
            t.ok(not why, name, why)
            got.close()


def unpacked_once(t, d):
    """Chunks in which the labels of a quantile meet are unpacked once, where memory holds the tensor."""
    r = np.random.default_rng(6)
    x = r.standard_normal((300, 6, 50)).astype('f4')
    day = np.arange(300) % 20
    for name, storage in ('p', {}), ('c', {'chunks': (40, 3, 20), 'compression': 1}), ('s', {'chunks': (1, 6, 50)}):
        with h5py.File(f'{d}/{name}.h5', 'w') as f:
            put_h5(f, counted(('t', 'y', 'x'), x), 'v', **storage)
    with h5py.File(f'{d}/day.h5', 'w') as f:
        put_h5(f, counted(('t',), day), 'day')
    with h5py.File(f'{d}/mid.h5', 'w') as f:	# where windows have their middles
        put_h5(f, Named(('t',), day[2:-2], {'t': np.arange(2, 298)}), 'mid')
    window = 'axt-window t=w:5 {d}/{n}.h5 | axt-reduce quantile:0.9 --over t,w --by {d}/mid.h5'
    plain = 'axt-reduce quantile:0.9 --over t --by {d}/day.h5:day {d}/{n}.h5'
    v = np.lib.stride_tricks.sliding_window_view(x, 5, 0)
    for line, want in ((plain, np.stack([np.quantile(x[day == k], .9, axis=0) for k in range(20)])),
                       (window, np.stack([np.quantile(v[day[2:-2] == k], .9, axis=(0, 3)) for k in range(20)]))):
        for n, memory, reads in (('p', '64M', 0), ('c', '64M', 1), ('c', '500K', 20), ('s', '64M', 1), ('s', '500K', 20)):
            c = (line + ' --memory {m}').format(d=d, n=n, m=memory)
            p = shell(f'{c} -o {d}/y.h5 -q', env={'AXT_FUSE': '1'})
            why = p.stderr.decode() if p.returncode else same(read_h5(f'{d}/y.h5').a, want.astype('f4'), rtol=1e-6, atol=1e-6)
            t.ok(not why, f'as NumPy: {c}', why)
            told = shell(f'{c} --explain', env={'AXT_FUSE': '1'}).stdout.decode(errors='replace')
            t.ok(told.count('decoded by chunk') == reads, f'{reads} passes unpack: {c}', told[:1500])


def many(t, d, seed):
    """So many labels that they are looked at where they lie: the bytes they give from chunks, which are held in memory."""
    r = np.random.default_rng(seed)
    n = (1 << 20) + 4321
    lab = r.integers(0, 3000, n)
    kinds = {'from 0': lab, 'from -7': lab - 7, 'sorted': np.sort(lab), 'one for most': np.where(r.random(n) < .6, 9, lab),
             'gaps': lab * 3, 'far apart': lab * 5000, 'beyond 2^60': lab + (1 << 60)}
    x = (r.standard_normal((2, n)) * 1000).astype('f4')
    write_h5(f'{d}/x.h5', Named(['k', 'r'], x), 'x')
    write_h5(f'{d}/y.h5', Named(['r'], x[0]), 'x', chunks=(100000,))
    for name, values in kinds.items():
        dtype = 'i8' if abs(values).max() > 2**31 else str(r.choice(['i4', '>i4', 'i8']))
        write_h5(f'{d}/here.h5', Named(['r'], values.astype(dtype)), 'lab')
        write_h5(f'{d}/held.h5', Named(['r'], values.astype(dtype)), 'lab', chunks=(300000,))
        bad = []
        for op in (['sum'] if SLOW else ['sum', 'count', 'mean']):
            for a in 'xy':
                line = ['reduce', op, '--over', 'r', '--no-history', f'{d}/{a}.h5']
                axt(*line, '--by', f'{d}/held.h5', '-o', f'{d}/want.h5', env={'AXT_THREADS': '1'})
                with open(f'{d}/want.h5', 'rb') as f:
                    want = f.read()
                for env in ({'AXT_THREADS': '3'}, {'AXT_THREADS': '2', 'AXT_TILE': '5000'}):
                    p = axt(*line, '--by', f'{d}/here.h5', '-o', f'{d}/got.h5', env=env)
                    with open(f'{d}/got.h5', 'rb') as f:
                        if p.rc or f.read() != want:
                            bad.append(f'{op} {a} {env} {p}')
                if op == 'sum' and a == 'y':
                    distinct, at = np.unique(values, return_inverse=True)
                    why = same(read_h5(f'{d}/got.h5', 'x').a, np.bincount(at, x[0].astype('f8')).astype('f4'), rtol=1e-5, atol=1e-3)
                    bad += [why] if why else []
        t.ok(not bad, f'{n} labels, {name}, {dtype}', '\n'.join(bad))
    write_h5(f'{d}/here.h5', Named(['r'], kinds['from -7'].astype('i4')), 'lab')
    for a in 'xy':
        p = axt('reduce', 'sum', '--over', 'r', f'{d}/{a}.h5', '--by', f'{d}/here.h5', '-m', '4M', '-o', f'{d}/got.h5')
        t.ok(p.rc == 0, f'a sum by {n} labels within 4 MiB', p)


def scattered(t, d, seed):
    """Many labels in no order, over the first axis and over the last: values as NumPy's, bytes the same in every way."""
    r = np.random.default_rng(seed)
    n, groups = 3001, 700
    lab = r.integers(-3, groups, n)
    lab[r.random(n) < .3] = 5
    write_h5(f'{d}/lab.h5', Named(['r'], lab.astype('i4')), 'lab')
    distinct = np.unique(lab)
    for dtype in 'f4', 'f8', 'i2':
        x = (r.standard_normal((n, 67)) * 10. ** r.integers(-3, 4, (n, 67))).astype(dtype)
        if dtype != 'i2':
            x[r.random(x.shape) < .02] = np.nan
            x[3, :9] = np.inf, -np.inf, 0, -0., np.nan, 1e30, -1e30, 5e-324, 1
        write_h5(f'{d}/rows.h5', Named(['r', 'c'], x), 'x')
        write_h5(f'{d}/inner.h5', Named(['c', 'r'], x.T.copy()), 'x')
        write_h5(f'{d}/some.h5', Named(['c', 'r'], x.T[:int(r.integers(2, 20))].copy()), 'x')
        write_h5(f'{d}/big.h5', Named(['r', 'c'], x.astype(x.dtype.newbyteorder('>'))), 'x', chunks=(1000, 60))
        write_h5(f'{d}/w.h5', Named(['r'], r.random(n)), 'w')
        for words in ('sum', 'mean --skip-nan', 'std', 'max,argmin', 'sum,mean,std --skip-nan', f'rms --weights {d}/w.h5', 'logsumexp'):
            for a in ('rows', 'inner', 'some', 'big'):
                line = ['reduce', *words.split(), '--over', 'r', '--by', f'{d}/lab.h5', '--no-history', f'{d}/{a}.h5']
                got, bad = [], []
                ways = [{'AXT_THREADS': '1'}, {'AXT_THREADS': '3'}, {'AXT_THREADS': '2', 'AXT_TILE': '5000'}, {'AXT_TILE': '100'}]
                for env in ways[:2] if SLOW else ways + [{'AXT_ISA': k} for k in isas()]:
                    p = axt(*line, '-o', f'{d}/got.h5', env=env)
                    with open(f'{d}/got.h5', 'rb') as f:
                        got.append(f.read())
                    if p.rc or got[-1] != got[0]:
                        bad.append(f'{env} {p}')
                if words in ('sum', 'std') and a in ('rows', 'inner') and not bad:
                    with np.errstate(all='ignore'), warnings.catch_warnings():
                        warnings.simplefilter('ignore')
                        want = np.stack([getattr(np, words)(x[lab == k].astype('f8'), axis=0) for k in distinct])
                        want = want.astype('f8' if dtype != 'f4' and words == 'std' or dtype == 'f8' else 'i8' if dtype == 'i2' else 'f4')
                    y = read_h5(f'{d}/got.h5').a
                    bad += [same(y if a == 'rows' else y.T, want, rtol=2e-6, atol=1e-3)]
                t.ok(not any(bad), f'{len(distinct)} labels, {words} of {a}, {dtype}', '\n'.join(b for b in bad if b))


def main():
    cases, seed = random_cases(24, 12, 4, 20261122)
    t, d = Tap(), scratch()
    against_xarray(t, d)
    unpacked_once(t, d)
    for k in range(cases):
        case(t, d, seed + k)
        if k % 5 == 0:
            case(t, d, seed + k, long_rows=True)
    many(t, d, seed)
    scattered(t, d, seed)
    t.done()


main()
