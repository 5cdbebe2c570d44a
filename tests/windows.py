#!/usr/bin/python3
"""Reductions over sliding windows of one to three axes against NumPy's sliding_window_view: windows.py [CASES [SEED]]."""
import os
import warnings

import h5py
import numpy as np

from axtlib import Tap, in_batches, isas, random_cases, scratch, shell

OPS = {'min': np.min, 'max': np.max, 'any': np.any, 'all': np.all, 'sum': np.sum, 'ptp': np.ptp, 'mean': np.mean, 'std': np.std, 'median': np.median, 'count': None}
SKIP = {'min': np.nanmin, 'max': np.nanmax, 'sum': np.nansum, 'mean': np.nanmean, 'median': np.nanmedian}
PLANS = []


def check(t, seed):
    r = np.random.default_rng(seed)
    rank = int(r.integers(1, 5))
    axes = list('abcd'[:rank])
    shape = [int(r.integers(1, 24)) for _ in axes]
    long = int(r.integers(rank)) if r.random() < .4 else None
    if long is not None:  # windows that share what they have in common
        shape = [n if k == long else min(n, 9) for k, n in enumerate(shape)]
        shape[long] = int(r.integers(20, 300))
    dtype = str(r.choice(['f4', 'f8', 'u2', 'i1', 'i8']))
    x = r.normal(0, 15, shape).round(int(r.integers(0, 3))).clip(0 if dtype == 'u2' else -60, 60).astype(dtype)
    nan = dtype[0] == 'f' and r.random() < .5
    if nan:
        x[r.random(shape) < .3] = np.nan
    wide = [k for k in range(rank) if r.random() < .8][:3] or [0]
    length = {k: int(r.integers(1, min(shape[k], 9) + 1)) for k in wide}
    if long is not None:
        length = {k: min(n, 3) for k, n in length.items()} if r.random() < .3 else {}
        length[long] = int(r.integers(9, min(shape[long], 90) + 1))
        wide = list(length)
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
            v.astype('f8') if op in ('sum', 'mean', 'std', 'median') else v, gone)
        if skip and op == 'sum':
            want = np.where(np.all(np.isnan(v), gone), np.nan, want)
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


def lanes(x, n):
    """The sums of n elements along axis 0 in the order of axt-axes(7), for all windows at once, in f64."""
    m = len(x) - n + 1
    return added([x[i:i + m] for i in range(n)])


def added(elements):
    """The sum of tensors in that order."""
    lane = [np.zeros(elements[0].shape) for _ in elements[:16]]
    for i, x in enumerate(elements):
        lane[i % 16] = lane[i % 16] + x.astype('f8')
    for h in (8, 4, 2, 1):
        for i in range(h):
            if i + h < len(lane):
                lane[i] = lane[i] + lane[i + h]
        lane = lane[:h]
    return lane[0]


def order(t):
    """What windows share is added once, in the order in which each window alone would be."""
    r, bad = np.random.default_rng(3), 0
    for shape in ((1500,), (400, 3), (200, 150), (90, 2, 67)):
        x = (r.normal(0, 1, shape) * 10. ** r.integers(-3, 4, shape)).astype('f4')
        with h5py.File('s.h5', 'w') as f:
            d = f.create_dataset('x', data=x)
            for k in range(len(shape)):
                d.dims[k].label = 'abc'[k]
        for n in sorted({2, 9, 16, 17, 18, 20, 31, 32, 33, 47, 63, 64, 80, 365, 1023, 1024}):
            if n > shape[0]:
                continue
            for env in ('', str(r.choice(['AXT_ISA=v3 ', 'AXT_TILE=100 AXT_THREADS=3 ', 'AXT_FUSE=0 ']))):
                if 'v3' in env and 'v3' not in isas():
                    continue
                out = shell(f'export {env}; axt-window a=w:{n} s.h5:x | axt-reduce sum --over w --dtype f64 -o p.h5 --force')
                if out.returncode:
                    bad += 1
                    t.ok(False, f'{env}{shape} {n}', out)
                    continue
                with h5py.File('p.h5') as f:
                    got = f['x'][...]
                if got.tobytes() != lanes(x, n).tobytes():
                    bad += 1
                    t.ok(False, f'{env}windows of {n} in {shape}', str(np.argwhere(got != lanes(x, n))[:3]))
    t.ok(bad == 0, 'sums of windows: the bits of each alone')


def taps(t):
    """Windows beside a tensor that is the same for all, as the weights of a moving average: the bits of what is stored first."""
    r, bad, plans = np.random.default_rng(7), 0, 0
    of = {'sum(v * w': lambda v, w: v * w, 'sum((v - w)^2': lambda v, w: (v - w) * (v - w), 'sum(abs(v - w)': lambda v, w: np.abs(v - w),
          'mean(v * w': lambda v, w: v * w, 'sum(v - w': lambda v, w: v - w, 'sum(v / w': lambda v, w: v / w}
    for case in range(60):
        shape = tuple(int(n) for n in (r.integers(20, 70), r.integers(20, 700)))
        wide = [(5, 5), (1, 7), (3, 1), (16, 16), (2, 9), (17, 18)][case % 6]
        dtype, name = str(r.choice(['f4', 'f8'])), list(of)[case // 6 % 6]
        x = (r.normal(0, 1, shape) * 10. ** r.integers(-3, 4, shape)).astype(dtype)
        skip = r.random() < .4
        if skip:
            x[r.random(shape) < .2] = np.nan
        w = r.normal(0, 1, wide).astype(dtype)
        chunks = (7, 33) if r.random() < .4 else None
        for file, a, axes in (('s.h5', x, 'ab'), ('w.h5', w, 'cd')):
            with h5py.File(file, 'w') as f:
                d = f.create_dataset('x', data=a, chunks=chunks if a is x else None)
                d.dims[0].label, d.dims[1].label = axes
        v = np.lib.stride_tricks.sliding_window_view(x, wide)
        made = [of[name](v[:, :, i, j], w[i, j]) for i in range(wide[0]) for j in range(wide[1])]
        there = sum(~np.isnan(m) for m in made) if skip else len(made)
        with np.errstate(invalid='ignore', divide='ignore'):
            want = added([np.where(np.isnan(m), 0, m) for m in made] if skip else made)
            want = want / there if 'mean' in name else np.where(there, want, np.nan)
            want = want.astype(dtype)
        env = str(r.choice(['', '', 'AXT_ISA=v3', 'AXT_TILE=100 AXT_THREADS=3', 'AXT_MEMORY=1M']))
        line = f"axt-calc 'v = window(x, a=c:{wide[0]}, b=d:{wide[1]}); {name}, over=(c,d){', skip_nan=true' if skip else ''})' x=s.h5:x w=w.h5:x"
        out = shell(f'export {env if "v3" not in env or "v3" in isas() else ""}; {line} -o p.h5 --force')
        plans += b'side by side' in shell(f'{line} --explain').stdout
        if out.returncode:
            bad += 1
            t.ok(False, line, out)
            continue
        with h5py.File('p.h5') as f:
            got = next(d for d in f.values() if d.ndim == 2)[...]
        if not np.array_equal(got, want, equal_nan=True):
            bad += 1
            t.ok(False, f'case {case}: {env} {line}', f'{np.argwhere(got != want)[:3]} {got.ravel()[:2]} {want.ravel()[:2]}')
    t.ok(bad == 0 and plans >= 30, 'windows and what is the same for all: the bits of what is stored first', f'{plans} side by side')


def quantiles(t):
    """Short lines are sorted as far as their quantiles need it: all dtypes, with NaN here and there."""
    r, bad = np.random.default_rng(5), 0
    for dtype in ('u1', 'i2', 'u2', 'i4', 'i8', 'f4', 'f8'):
        for n, m in ((3, 3), (2, 4), (5, 5), (2, 13)):
            x = r.integers(0, 120, (41, 307)).astype(dtype)
            if dtype[0] == 'f':
                x[r.random(x.shape) < .002] = np.nan
            with h5py.File('q.h5', 'w') as f:
                d = f.create_dataset('x', data=x)
                d.dims[0].label, d.dims[1].label = 'a', 'b'
            v = np.lib.stride_tricks.sliding_window_view(x, (n, m)).astype('f8')
            for skip in ('', ' --skip-nan'):
                for q in (.5, float(r.choice([0, .3, .8, 1]))):
                    p = shell(f'axt-window a=v:{n} b=w:{m} q.h5:x | axt-reduce quantile:{q} --over v,w{skip} --dtype f64 -o o.h5 --force')
                    if p.returncode:
                        bad += 1
                        t.ok(False, f'{dtype} {n} x {m} quantile {q}', p)
                        continue
                    with h5py.File('o.h5') as f:
                        got = f['x'][...]
                    with warnings.catch_warnings():
                        warnings.simplefilter('ignore')
                        want = (np.nanquantile if skip else np.quantile)(v, q, (2, 3))
                    if not np.allclose(got, want, rtol=1e-12, equal_nan=True):
                        bad += 1
                        t.ok(False, f'{dtype} {n} x {m} quantile {q}{skip}', str(np.argwhere(got != want)[:3]))
    t.ok(bad == 0, 'quantiles of small windows: as NumPy')


def piped(t):
    """A pipe has the plan of the expression."""
    shell('axt-make random y=300,x=400 --seed 1 -o i.nc')
    p = shell('axt-window y=v:9 x=w:9 i.nc | axt-reduce max --over v,w --explain')
    t.ok(b'pass 2 of 2' in p.stdout and b'max of 9 elements' in p.stdout, 'one axis after another in a pipe', p)


def main():
    cases, seed = random_cases(150, 30, 10, 1)
    t = Tap()
    os.chdir(scratch())
    plan(t)
    piped(t)
    order(t)
    taps(t)
    quantiles(t)
    in_batches(t, cases, 'cases {}: as NumPy', lambda k: check(t, seed + k))
    t.ok(sum(PLANS) >= cases / 12, f'{sum(PLANS)} of {cases} were extremes over several axes')
    t.done()


if __name__ == '__main__':
    main()
