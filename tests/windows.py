#!/usr/bin/python3
"""Reductions over sliding windows of one to three axes against NumPy's sliding_window_view: windows.py [CASES [SEED]]."""
import os
import warnings

import h5py
import numpy as np

from axtlib import Tap, in_batches, random_cases, scratch, shell

OPS = {'min': np.min, 'max': np.max, 'any': np.any, 'all': np.all, 'sum': np.sum, 'ptp': np.ptp, 'median': np.median, 'count': None}
SKIP = {'min': np.nanmin, 'max': np.nanmax, 'median': np.nanmedian}
PLANS = []


def check(t, seed):
    r = np.random.default_rng(seed)
    rank = int(r.integers(1, 5))
    axes = list('abcd'[:rank])
    shape = [int(r.integers(1, 24)) for _ in axes]
    dtype = str(r.choice(['f4', 'f8', 'u2', 'i1', 'i8']))
    x = r.normal(0, 15, shape).round(int(r.integers(0, 3))).clip(0 if dtype == 'u2' else -60, 60).astype(dtype)
    nan = dtype[0] == 'f' and r.random() < .5
    if nan:
        x[r.random(shape) < .3] = np.nan
    wide = [k for k in range(rank) if r.random() < .8][:3] or [0]
    length = {k: int(r.integers(1, min(shape[k], 9) + 1)) for k in wide}
    step = {k: int(r.choice([1, 1, 2, 3])) for k in wide}
    op = str(r.choice(list(OPS)))
    with h5py.File('x.h5', 'w') as f:
        d = f.create_dataset('x', data=x)
        for k, a in enumerate(axes):
            d.dims[k].label = a
    cut = [slice(None)] * rank
    text = 'x'
    if r.random() < .4:  # of a slice, which is a view as well
        k = int(r.integers(rank))
        lo = int(r.integers(0, shape[k] - length.get(k, 1) + 1))
        cut[k] = slice(lo, None)
        text = f'x[{axes[k]}={lo}:]'
    y = x[tuple(cut)]
    specs = [f'{axes[k]}=w{axes[k]}:{length[k]}:{step[k]}' for k in wide]
    r.shuffle(specs)
    if r.random() < .5:
        text = f'window({text}, {", ".join(specs)})'
    else:
        for s in specs:
            text = f'window({text}, {s})'
    v = np.lib.stride_tricks.sliding_window_view(y, [length[k] for k in wide], axis=wide)
    v = v[tuple(slice(None, None, step.get(k, 1)) for k in range(rank))]
    over = [f'w{axes[k]}' for k in wide if r.random() < .9] or [f'w{axes[wide[0]]}']
    gone = tuple(rank + i for i, k in enumerate(wide) if f'w{axes[k]}' in over)
    skip = nan and op in SKIP and r.random() < .5
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        want = np.sum(~np.isnan(v), gone) if op == 'count' else (SKIP if skip else OPS)[op](
            v.astype('f8') if op in ('sum', 'median') else v, gone)
    kept = axes + [f'w{axes[k]}' for k in wide if f'w{axes[k]}' not in over]
    r.shuffle(over)
    line = f"axt-calc -q '{op}({text}, over=({','.join(over)}){', skip_nan=true' if skip else ''})' x=x.h5:x"
    memory = str(r.choice(['', '', ' -m 1M']))
    out = shell(f'{line} -o o.h5 --axes {",".join(kept)} --force{memory}')
    if out.returncode:
        return t.ok(False, f'case {seed}: {line}', out)
    with h5py.File('o.h5') as f:
        got = f['x'][...]
    PLANS.append(len(over) > 1 and op in ('min', 'max', 'any', 'all'))
    same = got.shape == want.shape and np.allclose(got.astype('f8'), want.astype('f8'), rtol=1e-5, atol=1e-4, equal_nan=True)
    if not same:
        t.ok(False, f'case {seed}: {line}', f'{got.ravel()[:6]} and not {want.ravel()[:6]}')
    return None


def plan(t):
    """Large windows of several axes are reduced along one axis after another, unless memory is short."""
    shell('axt-make random y=300,x=400 --seed 1 -o i.nc')
    line = "axt-calc 'max(window(a, y=v:9, x=w:9), over=(v,w))' a=i.nc --explain"
    many, one = shell(line), shell(line + ' -m 1M')
    t.ok(b'pass 2 of 2' in many.stdout and b'max of 9 elements' in many.stdout, 'one axis after another', many)
    t.ok(b'pass 1 of 1' in one.stdout and b'max of 81 elements' in one.stdout, 'all at once where memory is short', one)


def main():
    cases, seed = random_cases(150, 30, 10, 1)
    t = Tap()
    os.chdir(scratch())
    plan(t)
    in_batches(t, cases, 'cases {}: as NumPy', lambda k: check(t, seed + k))
    t.ok(sum(PLANS) >= cases / 12, f'{sum(PLANS)} of {cases} were extremes over several axes')
    t.done()


if __name__ == '__main__':
    main()
