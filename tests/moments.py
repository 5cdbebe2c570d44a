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


def main():
    cases, seed = random_cases(12, 6, 4, 1)
    t = Tap()
    d = scratch()
    for k in range(seed, seed + cases):
        varied(t, d, np.random.default_rng(k), k)
        constant(t, d, np.random.default_rng(k), k)
    t.done()


main()
