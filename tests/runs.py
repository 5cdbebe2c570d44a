#!/usr/bin/python3
"""Short runs and windows against the order of work that axt-axes(7) states: runs.py [CASES [SEED]].

Random tensors whose last axes are short and reduced, or that windows slide along, in any order of axes, reversed, strided, in
chunks, big-endian, packed, through pipes: every reduction has the bits of blocks, lanes and merges done one by one in
NumPy, whatever the threads, tiles, slabs and instruction set.
"""
import numpy as np

from axtlib import Named, Tap, axt, in_batches, isas, random_cases, read_h5, scratch, shell, write_h5

d = scratch()
tap = Tap()
OPS = ['sum', 'mean', 'var', 'std', 'rms', 'norm1', 'norm2', 'sumsq', 'min', 'max', 'ptp', 'argmin', 'argmax', 'any', 'all',
       'count', 'prod', 'logsumexp']
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 20, 31, 33, 48, 63, 64, 65, 70]
BLOCK, LANES = 1024, 16


def pairs(lane, join):
    """Lanes 8 and 8, 4 and 4, 2 and 2, 1 and 1."""
    for h in (8, 4, 2, 1):
        lane[:h] = join(lane[:h], lane[h:2 * h])
    return lane[0]


def lanes(x, first=0., join=np.add):
    """x [n, ...] of a block: element i goes to lane i mod 16."""
    lane = np.full((LANES,) + x.shape[1:], first)
    for i, v in enumerate(x):
        lane[i % LANES] = join(lane[i % LANES], v)
    return pairs(lane, join)


def neumaier(parts):
    s = np.zeros_like(parts[0])
    c = np.zeros_like(parts[0])
    for x in parts:
        t = s + x
        z = t - s
        c += (s - (t - z)) + (x - z)
        s = t
    return np.where(np.isfinite(s), s + c, s)


def moments(blocks, ok, w):
    """Count or weight, mean as its distance from an element, sum of squares around it; merged as Chan, Golub and LeVeque do."""
    n = mean = m2 = shift = np.zeros(blocks[0].shape[1:])
    for x, here, u in zip(blocks, ok, w):
        bn = lanes(np.where(here, u, 0))
        first = np.take_along_axis(x, here.argmax(0)[None], 0)[0]
        x = x - first
        bm = lanes(np.where(here, x * u if weighted(w) else x, 0)) / np.where(bn == 0, 1, bn)
        q = (x - bm)**2
        b2 = lanes(np.where(here, q * u if weighted(w) else q, 0))
        bm, b2 = np.where(bn == 0, 0, bm), np.where(bn == 0, 0, b2)
        both = n + bn
        far = (first - shift) + (bm - mean)
        new = mean + far * (bn / both), (m2 + b2) + (far * far) * (n * bn / both)
        mean, m2, shift = (np.where(bn == 0, old, np.where(n == 0, b, v))
                           for old, b, v in zip((mean, m2, shift), (bm, b2, first), new + (shift,)))
        n = both
    return n, mean, m2


def weighted(w):
    return w is not None and w[0].dtype == np.float64


def blocks_of(x):
    """[kept, outer, run] to blocks [n, kept], in the order in which they are merged."""
    return [np.moveaxis(x[:, o, b:b + BLOCK], 1, 0) for o in range(x.shape[1]) for b in range(0, x.shape[2], BLOCK)]


def reduced(x, op, skip, w):
    """x [kept, outer, run] by the letter of the manual; the result in f64, i64 or bool."""
    if x.dtype.kind in 'iu' and op in ('sum', 'sumsq', 'norm1', 'prod'):
        v = x.astype('u8' if x.dtype.kind == 'u' else 'i8')
        v = v * v if op == 'sumsq' else np.abs(v) if op == 'norm1' and x.dtype.kind == 'i' else v
        return (v.prod if op == 'prod' else v.sum)(axis=(1, 2), dtype=v.dtype)
    flat = x.reshape(len(x), -1)
    nan = np.isnan(flat) if x.dtype.kind == 'f' else np.zeros(flat.shape, bool)
    if op == 'any':
        return ((flat != 0) & ~(nan & skip)).any(1)
    if op == 'all':
        return (flat != 0).all(1)
    if op == 'count':
        return (~nan).sum(1)
    if op in ('min', 'max', 'ptp', 'argmin', 'argmax'):
        return extreme(flat, nan, op, skip)
    v = x.astype('f8')
    ok = [~np.isnan(b) if skip else np.ones(b.shape, bool) for b in blocks_of(v)]
    blocks = blocks_of(v)
    u = blocks_of(np.broadcast_to(w, v.shape)) if w is not None else [np.ones(b.shape, 'i1') for b in blocks]
    count = sum(o.sum(0) for o in ok)
    if op in ('var', 'std'):
        n, _, m2 = moments(blocks, ok, u)
        y = np.where(n > 0, m2 / n, np.nan)
        return np.sqrt(y) if op == 'std' else y
    if op == 'prod':
        y = np.ones(len(x))
        for b, o in zip(blocks, ok):
            y = y * lanes(np.where(o, b, 1), 1., np.multiply)
        return np.where(skip & (count == 0), np.nan, y)
    if op == 'logsumexp':
        m = np.where(nan & skip, -np.inf, flat).max(1).astype('f8')
        e = np.where(np.where(np.isinf(m), True, False)[:, None] & (flat == m[:, None]), 1,
                     np.exp(flat.astype('f8') - m[:, None]))
        return np.where(skip & nan.all(1), np.nan, m + np.log(np.where(nan & skip, 0, e).sum(1)))
    kind = {'norm1': np.abs, 'norm2': np.square, 'sumsq': np.square, 'rms': np.square}.get(op, lambda b: b)
    s = neumaier([lanes(np.where(o, kind(b) * t if w is not None else kind(b), 0)) for b, o, t in zip(blocks, ok, u)])
    if op in ('mean', 'rms'):
        n = neumaier([lanes(np.where(o, t, 0.)) for o, t in zip(ok, u)]) if w is not None else count
        s = s / n
    elif w is None or op == 'sum':
        s = np.where(skip & (count == 0), np.nan, s)
    return np.sqrt(s) if op in ('rms', 'norm2') else s


def extreme(flat, nan, op, skip):
    lost = nan.all(1) if skip else nan.any(1)
    kind = flat.dtype.kind
    lo, hi = (-np.inf, np.inf) if kind == 'f' else (False, True) if kind == 'b' else (np.iinfo(flat.dtype).min,
                                                                                     np.iinfo(flat.dtype).max)
    least, most = np.where(nan, hi, flat).min(1), np.where(nan, lo, flat).max(1)
    if op in ('argmin', 'argmax'):
        at = (~nan & (flat == (least if op == 'argmin' else most)[:, None])).argmax(1)
        return np.where(lost, -1 if skip else nan.argmax(1), at)
    y = least if op == 'min' else most if op == 'max' else None
    if y is None:
        wide = 'f8' if kind == 'f' else 'u8' if kind == 'u' else 'i8'
        y = most.astype(wide) - least.astype(wide)
    return np.where(lost, np.nan, y) + 0. if kind == 'f' else y


def expected(t, over, op, skip, w, dtype):
    """The result as axt has it: kept axes in order."""
    kept = [i for i, n in enumerate(t.dims) if n not in over]
    red = [i for i, n in enumerate(t.dims) if n in over]
    run = []
    for i in range(len(t.dims) - 1, -1, -1):
        if t.a.shape[i] != 1 and i in kept:
            break
        if t.a.shape[i] != 1:
            run.insert(0, i)
    outer = [i for i in red if i not in run]
    sizes = [int(np.prod([t.a.shape[i] for i in x], dtype=int)) for x in (kept, outer, run)]
    x = t.a.transpose(kept + outer + run).reshape(sizes)
    if w is not None:
        w = np.broadcast_to(w.to(t.dims), t.a.shape).transpose(kept + outer + run).reshape(sizes)
    with np.errstate(all='ignore'):
        y = reduced(x, op, skip, w).reshape([t.a.shape[i] for i in kept])
        if dtype.kind == 'f' and op not in ('argmin', 'argmax', 'count', 'any', 'all'):
            return y.astype(dtype)
        return y.astype(dtype) if op in ('min', 'max', 'ptp') else y


def tensor(r):
    nd = int(r.integers(1, 4))
    n = int(r.choice(LENGTHS))
    shape = [int(r.integers(1, [4000, 90, 20][nd - 1])) for _ in range(nd)] + [n]
    while np.prod(shape) > 60000:
        i = int(np.argmax(shape))
        shape[i] = max(1, shape[i] // 2)
    dt = str(r.choice(['f4', 'f4', 'f4', 'f8', 'f8', 'f2', 'u1', 'i2', 'i4', 'i8', 'u8', '?']))
    dims = list('xyz'[:nd]) + ['c']
    if dt == '?':
        a = r.random(shape) < .5
    elif dt[0] in 'iu':
        i = np.iinfo(dt)
        a = r.integers(max(i.min, -300), min(i.max, 300), shape, dtype=dt, endpoint=True)
    else:
        a = (r.standard_normal(shape) * 10. ** r.integers(-2, 2, shape)).astype(dt)
        for v, p in ((np.nan, .1), (np.inf, .02), (-np.inf, .02), (-0., .1)):
            if r.random() < .25:
                a[r.random(shape) < p] = v
    return Named(dims, a)


def viewed(r, t, p):
    """The tensor in another order in the file, and the commands that bring it back, or window it."""
    line = 'axt-cast {p}' if r.random() < .8 else 'cat {p} | axt-cast -'
    line = line.format(p=p)
    stored = [t.dims[i] for i in r.permutation(len(t.dims))] if r.random() < .4 else list(t.dims)
    stored = Named(stored, t.to(stored))
    line += ' --axes ' + ','.join(t.dims)
    x, over = t, ['c']
    for i, n in enumerate(t.dims):
        if r.random() < .12:
            x = Named(x.dims, np.flip(x.a, i))
            line += f' | axt-flip {n}'
        elif r.random() < .1:
            x = Named(x.dims, x.a[(slice(None),) * i + (slice(None, None, 2),)])
            line += f' | axt-slice {n}=::2'
    if r.random() < .4:
        i = int(r.integers(len(x.dims)))
        k, step = min(x.a.shape[i], int(r.choice([2, 3, 5, 7, 30, 100]))), int(r.choice([1, 1, 1, 2, 7]))
        v = np.lib.stride_tricks.sliding_window_view(x.a, k, i)[(slice(None),) * i + (slice(None, None, step),)]
        x, over = Named(x.dims + ('w',), v), ['w']
        line += f' | axt-window {x.dims[i]}=w:{k}' + (f':{step}' if step > 1 else '')
    if r.random() < .25:
        over.append(str(r.choice([n for n in t.dims if n not in over])))
    return x, stored, over, line


def differs(got, want, op):
    if got.shape != want.shape or got.dtype != want.dtype:
        return f'{got.dtype}{got.shape}, not {want.dtype}{want.shape}'
    if got.dtype.kind == 'f' and op == 'logsumexp':	# exp and log differ in the last digit
        with np.errstate(all='ignore'):
            tol = {2: 1e-3, 4: 1e-6, 8: 1e-13}[got.dtype.itemsize] * np.maximum(1, np.abs(want))
            bad = ~((got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= tol))
    else:
        bad = ~((got == want) | ((got != got) & (want != want)))
        if got.dtype.kind == 'f':
            bad |= (np.signbit(got) != np.signbit(want)) & ~np.isnan(got)
    at = np.flatnonzero(bad)
    return f'{len(at)} differ, {got.ravel()[at[0]]!r} not {want.ravel()[at[0]]!r}' if len(at) else ''


def result_dtype(op, dt):
    if op in ('argmin', 'argmax', 'count'):
        return np.dtype('i8')
    if op in ('any', 'all'):
        return np.dtype('?')
    if dt.kind == 'f' or op in ('min', 'max', 'ptp'):
        return dt
    if op in ('sum', 'prod', 'sumsq', 'norm1'):
        return np.dtype('u8' if dt.kind == 'u' else 'i8')
    return np.dtype('f8')


def case(seed):
    r = np.random.default_rng(seed)
    t = tensor(r)
    p = f'{d}/a.h5'
    x, stored, over, line = viewed(r, t, p)
    storage = {}
    if r.random() < .4:
        storage = {'chunks': tuple(int(r.integers(1, n + 1)) for n in stored.a.shape), 'compression': 'gzip'}
    elif r.random() < .2 and t.a.dtype.itemsize > 1:
        storage = {'dtype': t.a.dtype.newbyteorder('>')}
    write_h5(p, stored, **storage)
    skip = bool(r.random() < .4) and t.a.dtype.kind == 'f'
    w = None
    if r.random() < .2:
        n = over[0] if over[0] != 'w' else x.dims[0]
        w = Named([n], r.integers(0, 9, x.a.shape[x.dims.index(n)]) / 7.)
        write_h5(f'{d}/w.h5', w)
    ops = ['sum', 'mean', 'rms', 'var', 'std'] if w is not None else OPS
    ops = [str(o) for o in r.choice([o for o in ops if t.a.dtype != bool or o not in ('ptp', 'sumsq', 'norm1', 'prod', 'sum')],
                                    int(r.choice([1, 1, 2, 4])), replace=False)]
    if w is not None and t.a.dtype.kind != 'f':
        ops = [o for o in ops if o != 'sum'] or ['mean']
    line += f' | axt-reduce {",".join(ops)} --over {",".join(over)}' + (' --skip-nan' if skip else ' --keep-nan') + \
        (f' --weights {d}/w.h5' if w is not None else '') + f' -q -o {d}/o.h5'
    env = {'AXT_THREADS': str(r.integers(1, 5)), 'AXT_FUSE': str(int(r.random() < .8)), 'AXT_ISA': str(r.choice(ISAS))}
    if r.random() < .4:
        env['AXT_TILE'] = str(r.choice([1, 7, 100, 1000, 1777]))
    if r.random() < .3:
        env['AXT_SLAB'] = str(r.choice([500, 5000, 30000]))
    run = shell(f'rm -f {d}/o.h5; ' + line, env=env)
    why = run.stderr.decode() if run.returncode else ''
    for op in ops:
        if why:
            break
        want = expected(x, over, op, skip, w, result_dtype(op, x.a.dtype))
        got = read_h5(f'{d}/o.h5', op if len(ops) > 1 else None).a
        why = differs(got, want, op)
        why = why and f'{op}: {why}'
    if why:
        tap.ok(False, f'case {seed}: {t.a.dtype}{t.a.shape} {x.dims} over {over}: {line} {env}', why)


ISAS = isas()


def plans():
    """Which runs lie side by side: short ones, windows, and those whose operand lies across them."""
    write_h5(f'{d}/s.h5', Named(('t', 'x', 'c'), np.zeros((200, 90, 3), 'f4')))
    for c, want in (('axt-reduce mean --over c {s}', ', side by side'), ('axt-reduce max --over x,c {s}', ' each'),
                    ('axt-map square {s} | axt-reduce std --over c', ', side by side'),
                    ('axt-window t=w:5 {s} | axt-reduce max --over w', ', windows side by side'),
                    ('axt-window x=w:5 {s} | axt-reduce mean --over w', ', windows side by side'),
                    ('axt-window x=w:5:5 {s} | axt-reduce mean --over w', ', side by side'),
                    ('axt-reduce mean --over t {s}', ' each'),
                    ('axt-order x,c,t {s} | axt-reduce mean --over t', ', side by side'),
                    ('axt-order c,t,x {s} | axt-reduce mean --over x', ' each')):
        p = shell(f'{c} --explain'.format(s=f'{d}/s.h5'), env={'AXT_FUSE': '1'})
        line = [s for s in p.stdout.decode(errors='replace').splitlines() if s.startswith('  reduces: ')]
        good = len(line) == 1 and line[0].endswith(want) and (want != ' each' or 'side' not in line[0])
        tap.ok(good, f'the plan says "{want}": {c}', line or p.stderr.decode())


def messages():
    """What windows refuse is told where it is: where it begins a window, if it does."""
    a = np.zeros((40, 5), 'f8')
    a[37, 2] = 1e300
    write_h5(f'{d}/m.h5', Named(('t', 'x'), a))
    for over in 't', 'x':
        c = f'axt-cast --dtype i16 {d}/m.h5 | axt-window {over}=w:3 | axt-reduce max --over w -p'
        for tile in ('3', '40', '100000'):
            p = shell(c, env={'AXT_FUSE': '1', 'AXT_TILE': tile})
            err = p.stderr.decode()
            tap.ok(p.returncode == 1 and 'does not fit i16 at w=0, t=37, x=2' in err, f'refused in tiles of {tile}: {c}', err)


def main():
    plans()
    cases, seed = random_cases(250, 60, 5, 1)
    in_batches(tap, cases, 'bits of the manual, cases {}', lambda k: case(seed * 100000 + k))
    messages()
    tap.done()


if __name__ == '__main__':
    main()
