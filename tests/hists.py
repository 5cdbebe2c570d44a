#!/usr/bin/python3
"""Histograms and softmax against NumPy, and against themselves: hists.py [CASES [SEED]].

Counts are those of numpy.histogram; the bytes are the same from files, chunks, pipes and plans, with any tiles and
threads.
"""
import warnings

import h5py
import numpy as np

from axtlib import Named, Tap, axt, counted, isas, put_h5, random_cases, read_h5, same, same_named, scratch, shell

LONGEST = [9000, 260, 40]


def tensor(r, shape):
    a = r.standard_normal(shape) * 3
    dtype = str(r.choice(['f4', 'f8', 'i2', 'u1', '>f4', '>i4', 'f8']))
    if r.random() < .5:
        a = np.round(a, 1)  # many values on edges
    if dtype[-2] == 'f' and r.random() < .4:
        a[r.random(shape) < .1] = r.choice([np.nan, np.inf, -np.inf])
    return (np.abs(a) * 20 if dtype == 'u1' else a).astype(dtype)


def bounds(r, a):
    kind = r.random()
    if kind < .4:
        return None
    lo = round(float(r.normal(0, 3)), int(r.integers(0, 3)))
    return (lo, lo) if kind < .45 else (lo, round(lo + .1 + float(r.exponential(4)), int(r.integers(1, 3))))


def expected(a, w, over, bins, span):
    """Counts over the kept axes, then the bins; and the edges."""
    if span is None:
        fine = a[np.isfinite(a)]
        # f64, whatever the values are: NumPy takes the edges' dtype from their own, and from 2.0 on computes them in it
        span = (float(fine.min()), float(fine.max())) if fine.size else (0, 1)
    kept = [i for i in range(a.ndim) if i not in over]
    rows = a.transpose(kept + over).reshape(int(np.prod([a.shape[i] for i in kept])), -1)
    wr = w.transpose(kept + over).reshape(rows.shape) if w is not None else None
    out = np.zeros([rows.shape[0], bins], 'i8' if w is None else 'f8')
    edges = None
    for i, x in enumerate(rows):
        ok = x == x
        out[i], edges = np.histogram(x[ok], bins, span, weights=None if w is None else wr[i][ok])
    return out.reshape([a.shape[i] for i in kept] + [bins]), edges


def histogram(t, d, seed):
    r = np.random.default_rng(seed)
    n = int(r.integers(1, 4))
    axes = list('abc')[:n]
    shape = [int(r.integers(1, LONGEST[n - 1] + 1)) for _ in axes]
    a = tensor(r, shape)
    over = sorted({int(i) for i in r.integers(0, n, int(r.integers(1, n + 1)))})
    kept = [i for i in range(n) if i not in over]
    bins = int(r.choice([1, 2, 7, 10, 100, 1500]))
    span = bounds(r, a)
    words = ['--bins', str(bins), '--over', ','.join(axes[i] for i in over)]
    if span:
        words += ['--range', f'{span[0]!r},{span[1]!r}']
    w = None
    if r.random() < .3:
        wa = sorted(int(i) for i in r.choice(n, int(r.integers(1, n + 1)), replace=False))
        wv = r.random([shape[i] for i in wa])
        with h5py.File(f'{d}/w.h5', 'w') as f:
            put_h5(f, counted([axes[i] for i in wa], wv), 'w')
        w = np.broadcast_to(wv.reshape([shape[i] if i in wa else 1 for i in range(n)]), shape)
        words += ['--weights', f'{d}/w.h5']
    chunks = tuple(int(r.integers(1, k + 1)) for k in shape)
    for path, storage in (f'{d}/p.h5', {}), (f'{d}/c.h5', {'chunks': chunks, 'compression': 1}):
        with h5py.File(path, 'w') as f:
            put_h5(f, counted(axes, a), 'x', **storage)
    name = f'{seed} hist of {a.dtype} {a.shape}: {" ".join(words)}'
    p = axt('hist', *words, f'{d}/p.h5', '-o', f'{d}/want.h5', '--no-history', env={'AXT_THREADS': '1'})
    if p.rc:
        return t.ok(False, name, p)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        want, edges = expected(a.astype(a.dtype.newbyteorder('=')), w, over, bins, span)
    got = read_h5(f'{d}/want.h5', 'x')
    with h5py.File(f'{d}/want.h5', 'r') as f:
        ends = f['bin_bounds'][()]
    why = same_named(got, Named([axes[i] for i in kept] + ['bin'], want), rtol=0 if w is None else 1e-12,
                     atol=0 if w is None else 1e-12)
    why = why or same(ends, np.stack([edges[:-1], edges[1:]], 1), dtype=False)
    why = why or same(got.coords['bin'], (edges[:-1] + edges[1:]) / 2, rtol=1e-6, atol=1e-6, dtype=False)
    t.ok(not why, name, why)
    line = f'axt-hist {" ".join(words)} --no-history'
    env = {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': str(r.choice([500, 4096, 30000])), 'AXT_FUSE': '0',
           'AXT_TILE': str(r.choice([1, 7, 100, 1024, 5000]))}
    unchanged(t, f'{d}', name, line, axes, env)


def unchanged(t, d, name, line, axes, env):
    """The bytes of want.h5 again, by other ways."""
    with open(f'{d}/want.h5', 'rb') as f:
        want = f.read()
    order = f'axt-order {",".join(axes)} --no-history'
    for way, e in ((f'{line} {d}/c.h5 -o {d}/got.h5', env), (f'{line} {d}/c.h5 >{d}/got.h5', env),
                   (f'{order} {d}/c.h5 | {line} >{d}/got.h5', env),
                   (f'{order} {d}/p.h5 | {line} | axt-order ... --no-history >{d}/got.h5', dict(env, AXT_FUSE='1'))):
        p = shell(way, env=e)
        with open(f'{d}/got.h5', 'rb') as f:
            t.ok(p.returncode == 0 and f.read() == want, f'{name}: {way} {e}', p.stderr.decode())


def softmax(t, d, seed):
    r = np.random.default_rng(seed)
    n = int(r.integers(1, 4))
    axes = list('abc')[:n]
    a = tensor(r, [int(r.integers(1, LONGEST[n - 1] + 1)) for _ in axes])
    along = sorted({int(i) for i in r.integers(0, n, int(r.integers(1, n + 1)))})
    words = f'--along {",".join(axes[i] for i in along)}'
    for path, storage in (f'{d}/p.h5', {}), (f'{d}/c.h5', {'chunks': True}):
        with h5py.File(path, 'w') as f:
            put_h5(f, counted(axes, a), 'x', **storage)
    name = f'{seed} softmax of {a.dtype} {a.shape} {words}'
    p = axt('softmax', *words.split(), f'{d}/p.h5', '-o', f'{d}/want.h5', '--no-history', env={'AXT_THREADS': '1'})
    if p.rc:
        return t.ok(False, name, p)
    with np.errstate(all='ignore'):
        x = a.astype('f8')
        e = np.exp(x - x.max(tuple(along), keepdims=True))
        want = e / e.sum(tuple(along), keepdims=True)
    f4 = a.dtype.str[1:] == 'f4'
    why = same_named(read_h5(f'{d}/want.h5'), Named(axes, want.astype('f4' if f4 else 'f8')),
                     rtol=2e-6 if f4 else 1e-13, atol=1e-37)
    t.ok(not why, name, why)
    unchanged(t, d, name, f'axt-softmax {words} --no-history', axes,
              {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': '4096', 'AXT_FUSE': '0', 'AXT_TILE': '100'})


def small_integers(t, d, seed):
    """Each value is counted first; and single bins that have nearly all elements."""
    r = np.random.default_rng(seed)
    for dtype, n, spans in (('u1', 4097, (None, (0, 256), (3.5, 90))), ('i1', 4111, (None, (-128, 128), (-7, -3))),
                            ('u2', (1 << 20) + 7, (None, (0, 65536), (-5, 60000.5))), ('i2', (1 << 20) + 77, (None, (-300, 299), (5, 6))),
                            ('>u2', (1 << 20) + 7, (None, (9, 10000))), ('f4', 300001, (None, (-1, 1), (5, 5)))):
        i = np.iinfo(dtype) if dtype != 'f4' else None
        a = r.normal(0, 400, n).astype('f4') if i is None else r.integers(i.min, i.max, n, endpoint=True).astype(dtype)
        a[r.random(n) < .7] = 17
        if i is None:
            a[r.random(n) < .01] = np.nan
            a[:2] = np.inf, -np.inf
        a = a[:n // 3 * 3].reshape(3, -1)
        with h5py.File(f'{d}/p.h5', 'w') as f:
            put_h5(f, counted(('y', 'x'), a), 'v')
        for span in spans:
            for bins, words in (1, ''), (256, ''), (37, '--density'), (1000, '--over x'):
                first = None
                words += f' --bins {bins}' + (f' --range={span[0]},{span[1]}' if span else '')
                want, edges = expected(a, None, [1] if 'over' in words else [0, 1], bins, span)
                for env in {'AXT_THREADS': '1'}, {'AXT_THREADS': '3'}, {'AXT_TILE': '1000', 'AXT_THREADS': '2'}, *({'AXT_ISA': k} for k in isas()):
                    p = axt('hist', *words.split(), f'{d}/p.h5', '-o', f'{d}/o.h5', '--no-history', env=env)
                    with open(f'{d}/o.h5', 'rb') as f:
                        first = first or f.read()
                        f.seek(0)
                        got = read_h5(f'{d}/o.h5', 'v').a
                        if p.rc or f.read() != first:
                            t.ok(False, f'{a.dtype} {a.shape} {words} {env}', p)
                if 'density' in words:
                    want = want / want.sum() / np.diff(edges)
                why = same(got, want, rtol=1e-5 if 'density' in words else 0)
                t.ok(not why, f'{a.dtype} {a.shape} {words}', why)


def borders(t, d, seed):
    """Values on the borders of bins and beside them, of each dtype, with and without weights, by each instruction set."""
    r = np.random.default_rng(seed)
    for dtype in 'f4', 'f8', 'f2', '>f4', 'i1', 'u2', 'i4', 'i8':
        for bins, near in (1, 0), (3, 1e3), (100, 0), (100, 1e6), (4096, 1), (20000, 0):
            fine = np.dtype(dtype).newbyteorder('=')
            floats = fine.kind == 'f'
            if fine.itemsize <= 2 or not floats:
                near = min(near, 100)
            # no bin is as narrow as a few f32 there
            lo = round(near * (1 + r.random()) * r.choice([-1, 1]), 2)
            hi = lo + max(round(r.exponential(50), 1), bins * near * 1e-5, .1)
            step = (hi - lo) / bins
            edges = np.append(np.arange(bins) * step + lo, hi)
            edges = edges.astype('f4').astype('f8') if floats and fine.itemsize <= 4 else edges
            a = np.concatenate([edges[r.integers(0, bins + 1, 3001)], r.uniform(lo - step, hi + step, 4001), edges[[0, -1]]])
            if floats:
                a = a.astype(fine)
                a = np.concatenate([a, np.nextafter(a, fine.type(-np.inf)), np.nextafter(a, fine.type(np.inf)),
                                    np.array([np.nan, np.inf, -np.inf, 0., -0.], fine)])
            else:
                i = np.iinfo(fine)
                a = np.clip(np.concatenate([np.floor(a), np.ceil(a), [i.min]]), i.min, i.max / 2).astype(fine)
            a = r.permutation(a)[:a.size // 2 * 2].reshape(2, -1)
            w = r.integers(0, 9, a.shape).astype('f8')
            with h5py.File(f'{d}/p.h5', 'w') as f:
                put_h5(f, counted(('y', 'x'), a.astype(dtype)), 'v')
                put_h5(f, counted(('y', 'x'), w), 'w')
            words = f'--bins {bins} --range={lo!r},{hi!r}'
            if r.random() < .3:
                words += ' --over x'
            rows = [(a[k], w[k]) for k in (0, 1)] if 'over' in words else [(a, w)]
            for weights in '', f' --weights {d}/p.h5:w':
                want = []
                for x, v in rows:
                    x = x.astype('f8')
                    k = np.searchsorted(edges, x, 'right') - 1
                    k[x == edges[-1]] = bins - 1
                    k[(x < edges[0]) | (x > edges[-1]) | (x != x)] = bins
                    want.append(np.bincount(k.ravel(), v.ravel() if weights else None, bins + 1)[:bins])
                want = np.array(want) if 'over' in words else want[0]
                for env in *({'AXT_ISA': k} for k in isas()), {'AXT_THREADS': '1'}, {'AXT_TILE': '1000', 'AXT_THREADS': '3'}:
                    p = axt('hist', *(words + weights).split(), f'{d}/p.h5:v', '-o', f'{d}/o.h5', env=env)
                    why = p if p.rc else same(read_h5(f'{d}/o.h5', 'v').a, want, dtype=False)
                    with h5py.File(f'{d}/o.h5', 'r') as f:
                        ends = f['bin_bounds'][()]
                    why = why or same(ends, np.stack([edges[:-1], edges[1:]], 1), dtype=False)
                    t.ok(not why, f'{seed} borders {dtype} {words}{weights} {env}', why)


def main():
    cases, seed = random_cases(60, 20, 4, 20261123)
    t, d = Tap(), scratch()
    for k in range(cases):
        (softmax if k % 4 == 3 else histogram)(t, d, seed + k)
    small_integers(t, d, seed)
    borders(t, d, seed)
    t.done()


main()
