#!/usr/bin/python3
"""Reductions by labels of several axes, and with the labels given, against NumPy: label_sets.py [CASES [SEED]].

Random tensors, labels, and sets of labels: ranges, lists, tensors. What a label that does not occur gives, how many
others there are, and that bytes are the same from files, chunks and pipes, with any tiles and threads.
"""
import re
import shutil
import warnings

import h5py
import numpy as np
import xarray as xr

from axtlib import Named, Tap, axt, counted, put_h5, random_cases, read_h5, same, scratch, shell, write_h5

OPS = {'sum': np.sum, 'prod': np.prod, 'mean': np.mean, 'var': np.var, 'min': np.min, 'max': np.max, 'ptp': np.ptp,
       'count': np.size, 'any': np.any, 'norm2': lambda x: np.sqrt(np.sum(x * x)), 'median': np.median,
       'quantile:0.3': lambda x: np.quantile(x, .3), 'argmax': None}
EMPTY = {'sum': 0, 'prod': 1, 'count': 0, 'any': 0, 'norm2': 0, 'argmax': -1}


def expected(op, a, lab, la, labels):
    """Kept axes, then the labels. la: which axes of a the labels have; all others are kept."""
    kept = [i for i in range(a.ndim) if i not in la]
    x = a.transpose(kept + la).reshape([a.shape[i] for i in kept] + [-1]).astype('f8')
    out = np.full(x.shape[:-1] + (len(labels),), EMPTY.get(op, np.nan), dtype=float)
    for k, v in enumerate(labels):
        pick = np.flatnonzero(lab.ravel() == v)
        if pick.size == 0:
            continue
        for i in np.ndindex(x.shape[:-1]):
            out[i + (k,)] = pick[np.argmax(x[i][pick])] if op == 'argmax' else OPS[op](x[i][pick])
    return out


def case(t, d, seed):
    r = np.random.default_rng(seed)
    n = int(r.integers(1, 4))
    axes = list('abc')[:n]
    shape = [int(r.integers(1, (3000, 70, 16)[n - 1])) for _ in axes]
    a = np.round(r.standard_normal(shape) * 3, 2)
    dtype = str(r.choice(['f4', 'f8', 'i4']))
    a = a.astype(dtype)
    la = sorted(int(i) for i in r.choice(n, int(r.integers(1, n + 1)), replace=False))
    some = int(r.integers(2, 40))
    lab = r.integers(-3, some, [shape[i] for i in la])
    kind = str(r.choice(['i1', 'i4', 'i8', 'f4', 'nan', 'half']))
    lab = np.where(r.random(lab.shape) < .2, np.nan, lab) if kind == 'nan' else lab / 2 if kind == 'half' else lab.astype(kind)
    lo, hi = (-4, some + 3) if r.random() < .6 else (0, some // 2)
    way = str(r.choice(['range', 'list', 'mixed', 'file']))
    labels = np.arange(lo, hi + 1)
    if way in ('list', 'file'):
        labels = r.permutation(np.concatenate([labels, [99]]))
    text = f'{lo}:{hi}' if way == 'range' else ','.join(map(str, labels))
    if way == 'mixed':
        labels, text = np.concatenate([[77], labels]), f'77,{lo}:{hi}'
    with h5py.File(f'{d}/l.h5', 'w') as f:
        put_h5(f, counted([axes[i] for i in la], lab), 'lab')
    if way == 'file':
        write_h5(f'{d}/set.h5', counted(['s'], labels.astype(str(r.choice(['i2', 'i8', 'f8'])))), 'set')
        text = f'{d}/set.h5'
    with h5py.File(f'{d}/p.h5', 'w') as f:
        put_h5(f, counted(axes, a), 'x')
    with h5py.File(f'{d}/c.h5', 'w') as f:
        put_h5(f, counted(axes, a), 'x', chunks=tuple(int(r.integers(1, k + 1)) for k in shape), compression=1)
    op = str(r.choice(list(OPS)))
    others = int(np.sum(~np.isin(lab, labels) & (lab == lab)))
    name = f'{seed} {op} {dtype} {shape} labels {kind} of {la} {way} {text[:40]}'
    words = [op, '--over', ','.join(axes[i] for i in la), '--by', f'{d}/l.h5', f'--labels={text}']
    p = axt('reduce', *words, f'{d}/p.h5', '-o', f'{d}/y.h5')
    if others:
        t.ok(p.rc == 1 and re.search(rf': {others} of {lab.size} labels of ', p.err.decode() if isinstance(p.err, bytes) else p.err),
             name + ' counts the others', p)
    words += ['--drop-others'] if others or r.random() < .3 else []
    line = 'axt-reduce ' + ' '.join(words) + ' --no-history'
    p = shell(f'{line} {d}/p.h5 -o {d}/want.h5', env={'AXT_THREADS': '1'})
    absent = not np.all(np.isin(labels, lab))
    if dtype == 'i4' and absent and op in ('min', 'max', 'ptp'):
        return t.ok(p.returncode == 1 and b'of none is no i32' in p.stderr, name + ' of none', p.stderr)
    if p.returncode:
        return t.ok(False, name, p.stderr)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        want = expected(op, a, lab, la, labels)
    got = read_h5(f'{d}/want.h5')
    have = got.to([x for i, x in enumerate(axes) if i not in la] + ['lab'])
    f4 = got.a.dtype == np.dtype('f4')
    with np.errstate(over='ignore'):
        want = want.astype('f4') if f4 else want
    why = same(got.coords['lab'], labels, dtype=False) or \
        same(have, want, rtol=2e-5 if f4 else 1e-9, atol=1e-4 if f4 else 1e-9, dtype=False)
    t.ok(not why, name, why)
    with open(f'{d}/want.h5', 'rb') as f:
        bytes_ = f.read()
    env = {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': str(r.choice([500, 30000])), 'AXT_TILE': str(r.choice([1, 7, 1000]))}
    first = f'axt-order {",".join(axes)} --no-history {d}'
    for way, e in ((f'{line} {d}/c.h5 -o {d}/got.h5', env),
                   (f'{first}/c.h5 | {line} >{d}/got.h5', dict(env, AXT_FUSE='0')),
                   (f'{first}/p.h5 | {line} | axt-order ... --no-history >{d}/got.h5', dict(env, AXT_FUSE='1'))):
        p = shell(way, env=e)
        with open(f'{d}/got.h5', 'rb') as f:
            t.ok(p.returncode == 0 and f.read() == bytes_, f'{name}: {way} {e}', p.stderr.decode())


def scatter(t, d):
    """Many labels where they lie: as numpy.bincount, whether or not all of them occur, and without looking at them first."""
    r = np.random.default_rng(3)
    n, top = (1 << 20) + 77, 5000
    lab = r.integers(1, top, n)
    lab[lab % 7 == 0] = 1
    x = r.standard_normal((2, n)).astype('f4')
    write_h5(f'{d}/x.h5', Named(['k', 'r'], x), 'x')
    write_h5(f'{d}/l.h5', Named(['r'], lab.astype('i4')), 'dst')
    want = np.stack([np.bincount(lab, v, minlength=top + 1)[1:] for v in x])
    for words in '', '--drop-others':
        for op in 'sum', 'count', 'mean':
            p = axt('reduce', op, '--over', 'r', '--by', f'{d}/l.h5', f'--labels=1:{top}', *words.split(), f'{d}/x.h5', '-o', f'{d}/y.h5')
            have = read_h5(f'{d}/y.h5').a if p.rc == 0 else None
            count = np.bincount(lab, minlength=top + 1)[1:]
            with np.errstate(invalid='ignore'):
                ref = want if op == 'sum' else np.stack([count] * 2) if op == 'count' else want / count
            why = p if p.rc else same(have, ref, rtol=1e-4, atol=1e-3, dtype=False)
            t.ok(not why, f'{op} of {n} elements by {top} labels {words}', why)
    p = axt('reduce', 'sum', '--over', 'r', '--by', f'{d}/l.h5', f'--labels=1:{top}', '--drop-others', f'{d}/x.h5', '--explain')
    t.ok(p.rc == 0 and b'pass 1 of 1' in p.out, 'one pass, in which groups are computed', p)


def weights_of_cdo(t, d):
    """Sparse weights, applied by one expression, as cdo remap does."""
    if not shutil.which('cdo'):
        return
    a = xr.DataArray(np.random.default_rng(1).standard_normal((3, 36, 72)), dims=('time', 'lat', 'lon'), name='tas',
                     coords={'time': np.arange(3.), 'lat': np.arange(-87.5, 90, 5), 'lon': np.arange(2.5, 360, 5)})
    a.lat.attrs.update(units='degrees_north', standard_name='latitude')
    a.lon.attrs.update(units='degrees_east', standard_name='longitude')
    a.to_netcdf(f'{d}/a.nc')
    for kind in 'con', 'bil':
        p = shell(f'cd {d} && cdo -O -s -f nc4 gen{kind},r36x18 a.nc w.nc && cdo -O -s -f nc4 remap,r36x18,w.nc a.nc want.nc && axt-calc '
                  "'g = take(flatten(tas, (lat,lon)=cell), cell=src_address - 1)*remap_matrix[num_wgts=0]; unflatten(sum(g, "
                  "over=num_links, by=dst_address, labels=1:648), dst_address=(lat:18,lon:36))' a.nc w.nc -o got.nc")
        why = p.stderr.decode() if p.returncode else \
            same(read_h5(f'{d}/got.nc', 'tas').a, xr.open_dataset(f'{d}/want.nc').tas.values, rtol=1e-12, atol=1e-12, dtype=False)
        t.ok(not why, f'weights of cdo gen{kind}', why)


def main():
    t = Tap()
    d = scratch()
    cases, seed = random_cases(120, 30, 600, 20260)
    scatter(t, d)
    weights_of_cdo(t, d)
    for i in range(cases):
        case(t, d, seed + i)
    t.done()


if __name__ == '__main__':
    main()
