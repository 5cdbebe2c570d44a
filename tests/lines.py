#!/usr/bin/python3
"""Scans, sorts, differences, determinants, elements by position and quantiles against NumPy: lines.py [CASES [SEED]].

Random tensors of every dtype, some with NaN, infinities and zeros of both signs, along every axis and over several,
in files of every layout, through pipes, some the result of an expression; the same bytes for 1 to 8 threads, any slab,
tile, memory bound and instruction set. Then positions of extremes over several axes, pipes, and memory.
"""
import os

import numpy as np

from axtlib import (BIN, SANITIZER, SLOW, Named, Tap, axt, in_batches, isas, measured, random_cases, read_h5, same, scratch, shell,
                    write_h5)

DTYPES = ['f4', 'f4', 'f8', 'f8', 'f2', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', '?']
WAYS = [{'AXT_THREADS': '1'}, {'AXT_THREADS': '2', 'AXT_ISA': isas()[0]}, {'AXT_THREADS': '3', 'AXT_SLAB': '3000'},
        {'AXT_THREADS': '8', 'AXT_TILE': '50'}, {'AXT_THREADS': '4', 'AXT_TILE': '7', 'AXT_SLAB': '500'}]
LONGEST = [9000, 260, 40, 14, 8]


def ways(k, more=2):
    """The first way and `more` others, which change with k: all have their turn."""
    return WAYS[:1] + [WAYS[1 + (k + i) % (len(WAYS) - 1)] for i in range(more)]


def values(r, shape, dt):
    kind = np.dtype(dt).kind
    few = r.random() < .4
    if kind == '?' or kind == 'b':
        return r.random(shape) < .5
    if kind in 'iu':
        i = np.iinfo(dt)
        lo, hi = (max(i.min, -5), 5) if few else (i.min, i.max)
        return r.integers(lo, hi, shape, dtype=dt, endpoint=True)
    v = r.integers(-4, 5, shape).astype(dt) if few else (r.standard_normal(shape) * 10).astype(dt)
    for x, p in ((np.nan, .1), (-np.nan, .02), (np.inf, .02), (-np.inf, .02), (-0., .05)):
        if r.random() < .25:
            v[r.random(shape) < p] = x
    return v


def storage(r, a):
    x = r.random()
    if x < .5 or 0 in a.shape:
        return {'dtype': a.dtype.newbyteorder('>')} if x < .1 and a.dtype.kind not in '?b' else {}
    chunks = tuple(int(r.integers(1, n + 1)) for n in a.shape)
    return {'chunks': chunks} if x < .75 else {'chunks': chunks, 'compression': 'gzip', 'shuffle': True}


def scan(a, op, axis, reverse):
    """In f64 or 64 bits, each result rounded once."""
    kind = a.dtype.kind
    wide = {'f': 'f8', 'u': 'u8'}.get(kind, 'i8')
    x = np.flip(a, axis) if reverse else a
    with np.errstate(all='ignore'):
        y = {'sum': np.cumsum, 'prod': np.cumprod}[op](x, axis=axis, dtype=wide) if op in ('sum', 'prod') else \
            {'min': np.minimum, 'max': np.maximum}[op].accumulate(x, axis=axis)
        y = np.flip(y, axis) if reverse else y
        return y.astype(a.dtype) if kind == 'f' else y


def in_order(a, axis, down, index):
    """Stable, NaN last both ways."""
    x = np.moveaxis(a, axis, -1)
    if a.dtype.kind == 'f':
        v = np.where(np.isnan(x), 0, x)
        v = np.where(np.isnan(x), np.inf, -v if down else v)
        i = np.lexsort((v, np.isnan(x)), axis=-1)
    elif down:
        i = np.argsort(~x if a.dtype != '?' else ~x, axis=-1, kind='stable')
    else:
        i = np.argsort(x, axis=-1, kind='stable')
    return np.moveaxis(i if index else np.take_along_axis(x, i, -1), -1, axis)


def quantile(a, q, axes, skip):
    """Of the values converted to f64, but for integers that have more bits: these are sorted first."""
    x = np.moveaxis(a, axes, range(-len(axes), 0)).reshape([n for i, n in enumerate(a.shape) if i not in axes] + [-1])
    s = np.sort(x, axis=-1)
    n = np.sum(~np.isnan(s), axis=-1) if a.dtype.kind == 'f' else np.full(s.shape[:-1], s.shape[-1])
    at = q * (np.maximum(n, 1) - 1)
    lo = at.astype(int)
    hi = np.minimum(lo + 1, np.maximum(n, 1) - 1)
    va, vb = (np.take_along_axis(s, i[..., None], -1)[..., 0].astype('f8') for i in (lo, hi))
    t = at - lo
    with np.errstate(all='ignore'):
        y = np.where(t < .5, va + (vb - va) * t, vb - (vb - va) * (1 - t))
        y = np.where(t == .5, (va + vb) / 2, y)
        y = np.where((t == 0) | (va == vb), va, y)
        y = np.where((n == 0) | ((n < s.shape[-1]) & (not skip)), np.nan, y)
        return y.astype(a.dtype) if a.dtype.kind == 'f' else y


METHODS = ('linear lower higher nearest midpoint inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen '
           'weibull median_unbiased normal_unbiased').split()


def methods(t, d):
    """Every method of quantiles beside NumPy's: short lines, long ones, and one that is counted; with gaps and by labels."""
    r = np.random.default_rng(6)
    for n in 2, 5, 24, 300, 3000:
        a = r.normal(0, 9, (n, 40)).round(1)
        write_h5(f'{d}/m.h5', Named(['x', 'y'], a))
        for m in METHODS:
            for q in 0., .05, .25, .77, 1.:
                if m != 'closest_observation':
                    want = np.quantile(a, q, axis=0, method=m)
                else:  # of two ranks as near, the even one: NumPy before 2.2 takes the odd one
                    at = n*q - .5
                    rank = np.floor(at) + (at > np.floor(at) or np.floor(at) % 2 == 1)
                    want = np.sort(a, 0)[int(np.clip(rank - 1, 0, n - 1))]
                got = axt('reduce', f'quantile:{q}', '--method', m, '--over', 'x', f'{d}/m.h5')
                if not t.ok(not got.rc and np.allclose(read_h5(got.out).a, want, rtol=1e-15, atol=1e-14), f'quantile {q} of {n}, {m}', got):
                    return
    a = r.normal(0, 9, 300000)
    a[r.random(a.size) < .2] = np.nan
    write_h5(f'{d}/m.h5', Named(['x'], a))
    write_h5(f'{d}/k.h5', Named(['x'], np.arange(a.size) % 7), 'k')
    for m in METHODS:
        want = np.nanquantile(a, .3, method=m)
        got = [axt('reduce', 'quantile:0.3', '--skip-nan', '--method', m, f'{d}/m.h5'), axt('calc', f'quantile(a, 0.3, method={m}, skip_nan=true)', f'a={d}/m.h5'),
               axt('reduce', 'quantile:0.3', '--skip-nan', '--method', m, '-m', '2M', f'{d}/m.h5')]
        t.ok(all(not g.rc and abs(read_h5(g.out).a - want) < 1e-12 for g in got), f'{m}, without gaps', '\n'.join(map(str, got)))
        got = axt('reduce', 'quantile:0.3', '--skip-nan', '--method', m, '--by', f'{d}/k.h5:k', f'{d}/m.h5')
        want = [np.nanquantile(a[k::7], .3, method=m) for k in range(7)]
        t.ok(not got.rc and (m == 'closest_observation' or np.allclose(read_h5(got.out).a, want, rtol=1e-14)), f'{m} by labels', got)
    got = axt('reduce', 'quantile:0.3', '--method', 'hazen', '--weights', f'{d}/m.h5', f'{d}/m.h5')
    t.ok(got.rc == 1 and 'method linear alone' in got.err, 'weights have one method', got)


def by_position(r, a, dims, axis, path):
    """Elements along an axis at positions over some of the others, the axis itself, and new axes; -1 is missing."""
    shared = [i for i in range(a.ndim) if i != axis and r.random() < .5]
    own = [n for n in ('p', 'q') if r.random() < .25]
    along = own + [dims[axis]] * bool(r.random() < .6)
    length = {'p': int(r.integers(1, 5)), 'q': int(r.integers(1, 4)), dims[axis]: int(r.integers(1, 9))}
    over = [str(x) for x in r.permutation([dims[i] for i in shared] + along)]
    shape = [length[n] if n in along else a.shape[dims.index(n)] for n in over]
    missing = r.random() < .3
    at = r.integers(-1 if missing else 0, a.shape[axis], shape)
    index = at.astype(str(r.choice(['i8', 'i4'] if missing or a.shape[axis] > 200 else ['i8', 'i4', 'u1', 'i2'])))
    how = r.random()
    if how < .3 and missing:	# as a file says it
        write_h5(path, Named(over, index), attrs={'_FillValue': index.dtype.type(-1)})
    else:
        write_h5(path, Named(over, index), **storage(r, index))
    new = [n for n in over if n in along]
    dims_out = [y for i, n in enumerate(dims) for y in (new if i == axis else [n])]
    x = np.moveaxis(a, axis, -1)	# others, the line
    others = [n for i, n in enumerate(dims) if i != axis]
    i = Named(over, at).to(others + new)
    flat = np.broadcast_to(i, [a.shape[dims.index(n)] for n in others] + [length[n] for n in new])
    y = np.take_along_axis(x, np.maximum(flat, 0).reshape(flat.shape[:len(others)] + (-1,)), -1).reshape(flat.shape)
    if (at < 0).any():
        y = y.astype(y.dtype if y.dtype.kind == 'f' else 'f4' if y.dtype.itemsize <= 2 else 'f8')
        y[flat < 0] = np.nan
    elif how < .3 and missing and y.dtype.kind != 'f' and (shared or not at.size):	# else it is looked at first
        y = y.astype('f4' if y.dtype.itemsize <= 2 else 'f8')
    return Named(others + new, y).to(dims_out), dims_out


def command(r, a, dims, index):
    """The words after the command's name, and what each result must be."""
    axis = int(r.integers(0, a.ndim))
    x = r.random()
    if x < .2:
        y, axes = by_position(r, a, dims, axis, index)
        return ['take', f'{dims[axis]}={index}'], {'': y}, axes
    if x < .4:
        op = str(r.choice(['sum', 'prod', 'min', 'max']))
        back = bool(r.random() < .3)
        return (['scan', op, '--along', dims[axis]] + ['--reverse'] * back, {'': scan(a, op, axis, back)}, dims)
    if x < .65:
        down, index = bool(r.random() < .5), bool(r.random() < .4)
        return (['sort', '--along', dims[axis]] + ['--descending'] * down + ['--index'] * index,
                {'': in_order(a, axis, down, index)}, dims)
    if x < .75 and a.dtype != np.float16:	# whose differences axt rounds once, NumPy each time
        n = int(r.choice([1, 1, 2, 5]))
        with np.errstate(all='ignore'):
            return ['diff', '--along', dims[axis], '--order', str(n)], {'': np.diff(a, n, axis)}, dims
    over = [i for i in range(a.ndim) if r.random() < .5] or [axis]
    kept = [int(i) for i in r.permutation([i for i in range(a.ndim) if i not in over])]
    skip = bool(r.random() < .4)
    want = {}
    for q in [.5] if r.random() < .5 else r.choice([0, .1, .25, .3, .5, .75, .9, 1], int(r.integers(1, 4)), False):
        name = 'median' if q == .5 else f'quantile:{q}'
        y = quantile(a, q, over, skip)
        rest = [i for i in range(a.ndim) if i not in over]
        want[name] = np.transpose(y, [rest.index(i) for i in kept])
    how = ['--skip-nan'] if skip else ['--keep-nan']
    return (['reduce', ','.join(want), '--to', ','.join(dims[i] for i in kept)] + how,
            {k.replace(':', '_') if len(want) > 1 else '': v for k, v in want.items()}, [dims[i] for i in kept])


def case(t, d, seed):
    r = np.random.default_rng(seed)
    dims = list('abcde')[:int(r.integers(1, 6))]
    most = LONGEST[len(dims) - 1]
    shape = [int(r.integers(1, most + 1)) if r.random() < .8 else int(r.integers(1, 4)) for _ in dims]
    if len(dims) == 2 and r.random() < .2:
        shape = [int(r.integers(2000, 5000)), int(r.integers(1, 5))][::int(r.choice([1, -1]))]
    a = values(r, shape, str(r.choice(DTYPES)))
    path = f'{d}/a.h5'
    write_h5(path, Named(dims, a), **storage(r, a))
    words, want, axes = command(r, a, dims, f'{d}/index.h5')
    through = r.random()
    base = None
    for env in WAYS[:2] if SLOW else ways(seed):
        mem = ['-m', '70K'] if env.get('AXT_TILE') and through > .9 and a.size < 3000 else []
        if os.path.exists(f'{d}/o.h5'):
            os.unlink(f'{d}/o.h5')
        quoted = ' '.join(repr(x) for x in words[1:] + mem)
        line = f'axt-{words[0]} {quoted} --no-history {path} | cat >{d}/o.h5' if through < .3 else \
            f'cat {path} | axt-{words[0]} {quoted} --no-history - -o {d}/o.h5' if through < .45 else \
            f'axt-order {",".join(dims)} {path} | axt-{words[0]} {quoted} --no-history - -o {d}/o.h5' if through < .6 else \
            f'axt-{words[0]} {quoted} --no-history {path} -o {d}/o.h5'
        p = shell(line, env=env)
        name = f'{seed}: {line} {a.dtype} {a.shape} {env}'
        if p.returncode and mem and b'scratch memory' in p.stderr:
            continue
        if p.returncode:
            return t.ok(False, name, p.stderr.decode())
        with open(f'{d}/o.h5', 'rb') as f:
            raw = f.read()
        if base is not None and raw != base:
            return t.ok(False, name, 'other bytes')
        if base is not None:
            continue
        base = raw
        for key, w in want.items():
            got = read_h5(f'{d}/o.h5', key or None)
            why = f'axes {got.dims}, want {axes}' if list(got.dims) != list(axes) else \
                same(got.a, w, rtol=2e-16 if 'quantile' in words[1] and a.dtype.kind != 'f' else 0)
            if why:
                return t.ok(False, f'{name} {key}', why)
    return None


def extremes(t, d, r):
    """Positions over several axes: row-major in the order of the tensor's axes, of equal ones the first."""
    for n in range(4 if SLOW else 30):
        dims = list('abcd')[:int(r.integers(2, 5))]
        a = r.integers(0, 6, [int(r.integers(1, 30)) for _ in dims]).astype(str(r.choice(['f4', 'i2', 'f8'])))
        if a.dtype.kind == 'f' and n % 3 == 0:
            a[r.random(a.shape) < .01] = np.nan
        write_h5(f'{d}/e.h5', Named(dims, a))
        over = sorted(int(i) for i in r.choice(len(dims), int(r.integers(1, len(dims) + 1)), replace=False))
        rest = [i for i in range(len(dims)) if i not in over]
        x = np.transpose(a, rest + over).reshape([a.shape[i] for i in rest] + [-1])
        for op in ('argmin', 'argmax'):
            for env in ways(n, 1):
                p = axt('reduce', op, '--keep-nan', '--over', ','.join(dims[i] for i in over), f'{d}/e.h5', '-o',
                        f'{d}/o.h5', env=env)
                why = p if p.rc else same(read_h5(f'{d}/o.h5').a, getattr(np, op)(x, axis=-1))
                if why:
                    return t.ok(False, f'{op} of {a.shape} over {over} {env}', why)
    return t.ok(True, 'argmin and argmax over several axes')


def fused(t, d):
    """Maps go into what follows them; what is made of lines goes on into maps and reductions."""
    r = np.random.default_rng(5)
    a = r.standard_normal((50, 30, 20)).astype('f4')
    write_h5(f'{d}/f.h5', Named('tyx', a))
    lines = [
        ('axt-map square F | axt-scan sum --along t | axt-map sqrt | axt-reduce max --over y',
         np.sqrt(scan(a * a, 'sum', 0, False)).max(1)),
        ('axt-sub F <(axt-reduce median --over t F)', a - quantile(a, .5, [0], False)),
        ('axt-sort --along y F | axt-scan max --reverse --along x | axt-order x,y,t | axt-reduce quantile:0.3 --over t,x',
         quantile(scan(np.sort(a, 1), 'max', 2, True), .3, [0, 2], False)),
        ('axt-sort --along t F | axt-order x,t,y', np.sort(a, 0).transpose(2, 0, 1)),
        ('axt-sort --along t F | axt-rename t=rank', np.sort(a, 0)),
        ('axt-mul F 2 | axt-diff --along y | axt-map square | axt-reduce max --over t',
         (np.diff(a * np.float32(2), axis=1) ** 2).max(0)),
        ('axt-order x,t,y F | axt-diff --along t --order 2 | axt-sort --along x',
         np.sort(np.diff(a.transpose(2, 0, 1), 2, 1), 0)),
        ('axt-add F 1 | axt-scan min --along x | axt-sub - F', scan(a + np.float32(1), 'min', 2, False) - a),
        ('axt-dot <(axt-order x,y,t F) <(axt-make ones x=20,y=30) | axt-sort --along t | axt-scan sum --along t',
         None),
    ]
    for line, want in lines:
        one = None
        for env in ({'AXT_FUSE': 'wait'}, {'AXT_FUSE': '0', 'AXT_TILE': '64'}, {'AXT_FUSE': 'wait', 'AXT_SLAB': '4000'}):
            p = shell(line.replace('F ', f'{d}/f.h5 ').replace('F)', f'{d}/f.h5)') .replace('- F', f'- {d}/f.h5') +
                      f' >{d}/o.h5', env=env)
            got = None if p.returncode else read_h5(f'{d}/o.h5').a
            why = p.stderr.decode() if p.returncode else same(got, want, rtol=1e-6) if want is not None else ''
            if one is not None and not why:
                why = same(got, one)
            one = got
            t.ok(not why, f'{line} {env}', why)
    p = shell(f'axt-map square {d}/f.h5 | axt-scan sum --along t - --explain', env={'AXT_FUSE': 'wait'})
    t.ok(b'pass 1 of 1' in p.stdout and b'fused: square' in p.stdout, 'a map fuses into a scan', p.stdout.decode())


def determinants(t, d, r):
    """Of real and complex matrices, anywhere among the axes and in any storage, with NaN: those of NumPy."""
    for k in range(40):
        n, dt = int(r.choice([1, 2, 3, 5, 17, 60])), str(r.choice(['f4', 'f8', 'f8', 'c8', 'c16', 'i2', 'u1', '?']))
        shape = [int(r.integers(1, 9)), n, n, int(r.integers(1, 9))]
        a = r.standard_normal(shape)
        if dt[0] == 'c':
            a = a + 1j * r.standard_normal(shape)
        a = (a * 4 if dt[0] in 'iu' else a > 0 if dt == '?' else a).astype('i2' if dt == 'u1' else dt).astype(dt)
        x = r.random()
        if n > 1 and x < .3:	# singular
            a[:, 0] = a[:, 1] if x < .15 else 0
        elif dt[0] in 'fc' and x < .6:
            a[r.random(shape) < .01] = np.nan
        order = [int(i) for i in r.permutation(4)]
        dims = ''.join('tijx'[i] for i in order)
        x = a.transpose(order)
        wide = np.moveaxis(a, 3, 1).astype('c16' if dt[0] == 'c' else 'f8')
        with np.errstate(all='ignore'):
            want = np.linalg.det(wide).astype(dt if dt[0] in 'fc' else 'f8')
        scale = np.nan_to_num(np.prod(np.linalg.norm(wide, axis=-1), axis=-1)) * 1e-13	# singular ones are as small
        if order.index(3) < order.index(0):
            want, scale = want.transpose(), scale.transpose()
        write_h5(f'{d}/d.h5', Named(dims, x), **storage(r, x))
        one, why = None, ''
        for env in ways(k, 1):
            p = axt('det', '--row', 'i', '--col', 'j', f'{d}/d.h5', '-o', f'{d}/do.h5', env=env)
            got = None if p.rc else read_h5(f'{d}/do.h5').a
            why = why or (p if p.rc else same(got, want, rtol=1e-6 if dt in ('f4', 'c8') else 1e-9, atol=scale) or
                          (same(got, one) if one is not None else ''))
            one = got
        t.ok(not why, f'determinants of {dims} {x.shape} {dt} are those of NumPy', why)


def together(t, d, r):
    """Few long lines, each sorted by all threads: the values and positions one thread finds, and NumPy."""
    for dtype in ('f4', 'f8', 'f2', 'i1', 'i4', 'u8', '?'):
        a = values(r, [70000], dtype)
        rows = [a, np.full(70000, 1, dtype), np.sort(a)[::-1]]
        write_h5(f'{d}/s.h5', Named(['n', 'k'], np.stack(rows, 1)))
        for words in (['--along', 'n'], ['--along', 'n', '--index'], ['--along', 'n', '--descending', '--index'],
                      ['--along', 'n', '--axes', 'k,n']):
            line = ['sort', *words, '--no-history', f'{d}/s.h5']
            one = axt(*line, '-t', '1').out
            t.ok(len(one) > 70000 and all(axt(*line, '-t', n).out == one for n in '25'),
                 f'sort {" ".join(words)} of 3 long lines of {dtype}: by one thread, by several')
        p = axt('sort', '--along', 'n', '--no-history', f'{d}/s.h5', '-t', '2', '-o', f'{d}/so.h5')
        why = p if p.rc else same(read_h5(f'{d}/so.h5').a, np.sort(np.stack(rows, 1), 0))
        t.ok(not why, f'... and by NumPy, {dtype}', why)
    p = axt('sort', '--along', 'n', f'{d}/s.h5', '-t', '2', '--explain')
    t.ok('by all threads' in p.out.decode(), 'sorted by all threads', p)
    p = axt('sort', '--along', 'n', f'{d}/s.h5', '-t', '1', '--explain')
    t.ok('by all threads' not in p.out.decode(), 'one thread sorts as ever', p)


def memory(t, d):
    """What is larger than the bound is done within it."""
    if SANITIZER or SLOW:
        return
    shell(f'axt-make normal t=400,y=400,x=250 --seed 1 --dtype f32 -o {d}/m.h5 && '
          f'axt-order t,y,x {d}/m.h5 --chunk t=1,y=400,x=250 --deflate 1 --no-history -o {d}/z.h5')
    for words in (['reduce', 'median', '--over', 't'], ['reduce', 'median,quantile:0.99'], ['scan', 'sum', '--along', 't'],
                  ['sort', '--along', 't'], ['reduce', 'median', '--over', 'y,x']):
        one = axt(*words, '--no-history', '-t', '1', f'{d}/m.h5').out
        for source in ('m', 'z'):
            rc, kib = measured([f'{BIN}/axt-{words[0]}', *words[1:], f'{d}/{source}.h5', '--no-history', '-o',
                                f'{d}/small.nc', '-m', '16M'], env=dict(os.environ, AXT_THREADS='2'))
            with open(f'{d}/small.nc', 'rb') as f:
                t.ok(rc == 0 and f.read() == one, f'{" ".join(words)} of 160 MB {source} with -m 16M', rc)
            # pages of the mapped file count, too: 78 to 94 MB where lines are far apart, less elsewhere
            t.ok(kib < 112 << 10, f'... in {kib} KiB', kib)
    p = axt('sort', '--along', 'x', '-m', '1M', f'{d}/m.h5', '-o', f'{d}/no.nc')
    t.ok(p.rc == 0, 'short lines sort in little memory', p)
    shell(f'axt-make normal x=4000000 --seed 1 --dtype f32 -o {d}/l.h5')
    p = axt('sort', '--along', 'x', '-m', '1M', f'{d}/l.h5', '-o', f'{d}/no2.nc')
    t.ok(p.rc == 1 and 'MiB of scratch memory, the bound is 1 MiB' in p.err, 'a line too long is an error that says so', p)


def main():
    cases, seed = random_cases(100, 40, 15, 20261121)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'lines {} are those of NumPy, in every way', lambda k: case(t, d, seed + k))
    extremes(t, d, np.random.default_rng(seed))
    fused(t, d)
    determinants(t, d, np.random.default_rng(seed + 2))
    together(t, d, np.random.default_rng(seed + 1))
    memory(t, d)
    methods(t, d)
    t.done()


if __name__ == '__main__':
    main()
