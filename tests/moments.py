#!/usr/bin/python3
"""Variances, standard deviations and correlations of numbers far from zero, against exact fractions: moments.py [CASES [SEED]]."""
from fractions import Fraction

import numpy as np

from axtlib import Tap, axt, random_cases, scratch


def variance(x, w=None):
    """The variance without any rounding but the last."""
    x = [Fraction(float(v)) for v in x]
    w = [Fraction(1)] * len(x) if w is None else [Fraction(float(v)) for v in w]
    if not sum(w):
        return np.nan
    mean = sum(a * b for a, b in zip(x, w)) / sum(w)
    return float(sum(b * (a - mean)**2 for a, b in zip(x, w)) / sum(w))


def numbers(op, *args):
    run = axt(op, *args, '-p')
    return np.array(run.out.split(), float) if run.rc == 0 else run.err


def tensor(r):
    shape = (int(r.integers(1, 5)), int(r.integers(900, 2100))) if r.random() < .3 else tuple(r.integers(1, 60, 2))
    offset = float(r.choice([0, 1e3, 1e9, 1e15, -1e15, 3e7]))
    x = offset + (r.normal(size=shape) if r.random() < .5 else r.integers(0, 4, shape) * float(r.choice([0, .125, 1])))
    if r.random() < .4:
        x[r.random(shape) < .3] = np.nan
        x[:, ::7] = np.nan
    return x.astype(r.choice(['f4', 'f8']))


def near(got, want, dtype):
    want = np.array(want)
    return not isinstance(got, (str, bytes)) and got.shape == want.shape and np.allclose(
        got, want, rtol=1e-6 if dtype == 'f4' else 1e-12, atol=0, equal_nan=True)


def varied(t, d, r, k):
    """With gaps, along either axis, and with weights along the last."""
    x = tensor(r)
    w = r.integers(0, 5, x.shape[1]) / 4
    np.save(f'{d}/x.npy', x)
    np.save(f'{d}/w.npy', w)
    skip = ('reduce', 'var', '--skip-nan', f'{d}/x.npy')
    for axis in 0, 1:
        got = numbers(*skip, '--over', f'dim_{axis}')
        want = [variance(c[c == c]) for c in np.moveaxis(x, axis, -1)]
        t.ok(near(got, want, x.dtype), f'{k}: {x.dtype} {x.shape} over {axis}', f'{got}\n{want}'[:600])
    axt('from', f'{d}/w.npy', '--to', 'dim_1', '-o', f'{d}/w.h5')
    got = numbers(*skip, '--over', 'dim_1', '--weights', f'{d}/w.h5')
    want = [variance(c[c == c], w[c == c]) for c in x]
    t.ok(near(got, want, x.dtype), f'{k}: with weights', f'{got}\n{want}'[:600])


def constant(t, d, r, k):
    """Equal numbers, whose mean is rounded by many ways of computing it."""
    shape = (int(r.integers(1, 200)), int(r.integers(2, 2100)))
    c = np.full(shape, r.normal() * 10.**r.integers(-9, 16))
    np.save(f'{d}/c.npy', c)
    np.save(f'{d}/y.npy', r.normal(size=shape))
    for axis in 0, 1:
        got = numbers('reduce', 'std', '--over', f'dim_{axis}', f'{d}/c.npy')
        t.ok(not np.any(got), f'{k}: {c.flat[0]!r} {shape} deviates by 0 over {axis}', str(got)[:300])
        got = numbers('corr', '--over', f'dim_{axis}', f'{d}/c.npy', f'{d}/y.npy')
        t.ok(np.isnan(got).all(), f'{k}: and correlates with nothing', str(got)[:300])


def variance_of(x):
    """Of integers of any size: with numbers n times as large, nothing is divided before the end."""
    x = [int(v) for v in x]
    total = sum(x)
    return float(Fraction(sum((len(x) * v - total)**2 for v in x), len(x)**3))


def integers(t, d, r, k):
    """Integers beyond 2^53, which f64 has not all: near each other, as times in nanoseconds are, or all over the range."""
    dtype = [np.int64, np.uint64][k % 2]
    info = np.iinfo(dtype)
    shape = (int(r.integers(1, 5)), int(r.integers(900, 2100))) if r.random() < .3 else tuple(r.integers(1, 40, 2))
    x = r.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    if r.random() < .7:
        x = (x[:1, :1] // dtype(2) + r.integers(0, int(10**r.uniform(0, 13)) + 1, shape).astype(dtype)).astype(dtype)
    np.save(f'{d}/i.npy', x)
    for axis in 0, 1:
        want = [variance_of(c) for c in np.moveaxis(x, axis, -1)]
        for op, power in ('var', 1), ('std', .5):
            got = numbers('reduce', op, '--over', f'dim_{axis}', f'{d}/i.npy')
            t.ok(near(got, np.array(want)**power, 'f8'), f'{k}: {op} of {x.dtype} {shape} over {axis}', f'{got}\n{want}'[:600])
    np.save(f'{d}/g.npy', r.integers(0, 3, shape[1]))
    axt('from', f'{d}/g.npy', '--to', 'dim_1', '-o', f'{d}/g.h5')
    g = np.load(f'{d}/g.npy')
    got = numbers('reduce', 'var', '--by', f'{d}/g.h5', '--over', 'dim_1', f'{d}/i.npy')
    want = [variance_of(c[g == i]) for c in x for i in np.unique(g)]
    t.ok(near(got, want, 'f8'), f'{k}: by label', f'{got}\n{want}'[:600])


def main():
    cases, seed = random_cases(12, 6, 4, 1)
    t = Tap()
    d = scratch()
    for k in range(seed, seed + cases):
        varied(t, d, np.random.default_rng(k), k)
        constant(t, d, np.random.default_rng(k), k)
        integers(t, d, np.random.default_rng(k), k)
    t.done()


main()
