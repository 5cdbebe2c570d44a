#!/usr/bin/python3
"""Contractions against numpy.einsum: dots.py [CASES [SEED]].

Random tensors of up to 8 axes, with levels, axes to keep and axes to contract, of every dtype, in files of every
layout, some the result of an expression: floats within the bound of their sums, integers and bool exactly, and the
same bytes for 1 to 8 threads, any memory bound, slab, tile and instruction set. Then transposition, several operands, maps
and reductions of products, and memory.
"""
import os
import subprocess

import numpy as np

from axtlib import (BIN, SANITIZER, SLOW, Named, Tap, axt, in_batches, isas, measured, random_cases, read_h5, same, scratch, shell,
                    write_h5)

DTYPES = ['f4', 'f4', 'f8', 'f8', 'c8', 'c16', 'f2', 'i1', 'u2', 'i4', 'i8', 'u8', '?']
SUM = {'f2': 'f4', 'i1': 'i8', 'i4': 'i8', 'u2': 'u8', '?': 'f4'}
WAYS = [{'AXT_THREADS': '1'}, {'AXT_THREADS': '2', 'AXT_ISA': isas()[0]}, {'AXT_THREADS': '3', 'AXT_SLAB': '5000'},
        {'AXT_THREADS': '8', 'AXT_TILE': '100'}]


def value(r, shape, dt):
    kind = np.dtype(dt).kind
    if kind == '?' or kind == 'b':
        return r.random(shape) < .2
    if kind in 'iu':
        return r.integers(0 if kind == 'u' else -100, 100, shape).astype(dt)
    v = r.standard_normal(shape)
    return (v + 1j * r.standard_normal(shape) if kind == 'c' else v).astype(dt)


def level_name(x):
    name, level = x
    return name + ('' if level == 0 else '*' if level == 1 else f'*{level}')


def pairs(a, b, mode, over, keep):
    """Pairs of positions (contracted, kept); None where a name would stand twice in the result."""
    free_a, free_b = list(range(len(a))), list(range(len(b)))
    kept, summed = [], []
    for x in keep:
        kept.append((a.index(x), b.index(x)))
        free_a.remove(a.index(x))
        free_b.remove(b.index(x))
    for below in ([1] if mode == 'strict' else [0] if mode == 'plain' else [1, 0]):
        for i in list(free_a):
            want = (a[i][0], a[i][1] - below)
            k = next((k for k in free_b if b[k] == want), None)
            if k is not None and (over is None or a[i] in over):
                summed.append((i, k))
                free_a.remove(i)
                free_b.remove(k)
    if over is not None and len(summed) < len(over):
        return None
    out = [a[i] for i in range(len(a)) if i in free_a or i in [p for p, _ in kept]] + [b[k] for k in free_b]
    return (summed, kept, out) if len(set(out)) == len(out) else None


def einsum(x, y, p, conv):
    """The contraction in the dtype of conv, and the sum of magnitudes."""
    summed, kept, out = p
    n = 0
    ia, ib = [0] * x.a.ndim, [0] * y.a.ndim
    joined = dict(summed + kept)
    for i in range(x.a.ndim):
        ia[i] = n
        if i in joined:
            ib[joined[i]] = n
        n += 1
    for k in range(y.a.ndim):
        if k not in joined.values():
            ib[k] = n
            n += 1
    gone = [ia[i] for i, _ in summed]
    io = [i for i in ia if i not in gone] + [i for k, i in enumerate(ib) if k not in joined.values()]
    assert len(io) == len(out)
    a, b = x.a.astype(conv), y.a.astype(conv)
    length = dict(zip(ia + ib, a.shape + b.shape))
    shape = [length[i] for i in io]
    if 0 in shape:      # np.einsum writes beyond a result of no elements (NumPy 1.24)
        return np.zeros(shape, a.dtype), np.zeros(shape, abs(a).dtype)
    with np.errstate(all='ignore'):
        return np.einsum(a, ia, b, ib, io), np.einsum(abs(a), ia, abs(b), ib, io)


def storage(r, dims):
    x = r.random()
    if x < .6 or 0 in dims or not dims:
        return {}
    chunks = tuple(int(r.integers(1, max(n, 1) + 1)) for n in dims)
    return {'chunks': chunks} if x < .8 else {'chunks': chunks, 'compression': 'gzip', 'shuffle': True}


def tensor(r, d, name, axes, length, dt):
    t = Named([level_name(x) for x in axes], value(r, [length[x[0]] for x in axes], dt))
    how = storage(r, t.a.shape)
    if r.random() < .15 and dt != '?' and 'compression' not in how:
        how['dtype'] = t.a.dtype.newbyteorder('>')
    write_h5(f'{d}/{name}.h5', t, **how)
    return t


def draw(r):
    """Axes of two operands that share some, and how they pair."""
    names = [chr(97 + i) for i in r.permutation(10)]
    na, nb = int(r.integers(0, 9)), int(r.integers(0, 9))
    shared = int(r.integers(0, min(na, nb) + 1))
    mode = str(r.choice(['', '', '', 'strict', 'plain', 'over', 'keep']))
    a, b = [], []
    for i in range(shared):
        up = mode in ('', 'strict') and r.random() < (1 if mode == 'strict' else .3)
        level = int(r.integers(-1, 2)) if up else 0
        a.append((names[i], level + up))
        b.append((names[i], level))
    a += [(x, 0) for x in names[shared:na]]
    b += [(x, 0) for x in names[max(na, shared):max(na, shared) + nb - shared]]
    length = {x: int(r.choice([0, 1, 2, 3, 5, 8, 13], p=[.02, .18, .16, .16, .16, .16, .16])) for x in names}
    big = [x for x in names if r.random() < .3][:2]
    for x in big:
        length[x] = int(r.integers(20, 120))
    while np.prod([length[x] for x in set(dict(a)) | set(dict(b))], dtype=float) > 3e6:
        x = max(set(dict(a)) | set(dict(b)), key=lambda x: length[x])
        length[x] = length[x] // 2 + 1 if length[x] > 2 else 1
    a, b = [a[i] for i in r.permutation(len(a))], [b[i] for i in r.permutation(len(b))]
    over = keep = None
    both = [x for x in a if x in b]
    if mode == 'over':
        over = both
    if mode == 'keep':
        keep = [x for x in both if r.random() < .5]
    return a, b, length, mode if mode in ('strict', 'plain') else '', over, keep or []


def bound(dt, k, mag):
    """A sum of k products in any order, each rounded once more where memory is the limit."""
    unit = {'f4': 2. ** -24, 'c8': 2. ** -23, 'f2': 2. ** -11, 'f8': 2. ** -53, 'c16': 2. ** -52}[dt]
    return (unit * (k + 2) if dt != 'f2' else 2. ** -24 * (k + 2) + unit) * mag * 1.01 + (1e-7 if dt == 'f2' else 0)


def case(t, d, seed):
    r = np.random.default_rng(seed)
    a, b, length, mode, over, keep = draw(r)
    p = pairs(a, b, mode, over, keep)
    if p is None:
        return None
    dt = str(r.choice(DTYPES))
    x, y = tensor(r, d, 'a', a, length, dt), tensor(r, d, 'b', b, length, dt)
    words = ['dot'] + ([f'--{mode}'] if mode else [])
    words += ['--over', ','.join(map(level_name, over))] if over is not None else []
    words += ['--keep', ','.join(map(level_name, keep))] if keep else []
    base = None
    for env in WAYS[:2] if SLOW else WAYS:
        if os.path.exists(f'{d}/o.h5'):
            os.unlink(f'{d}/o.h5')
        g = axt(*words, f'{d}/a.h5', f'{d}/b.h5', '--no-history', '-o', f'{d}/o.h5', env=env)
        if g.rc:
            return t.ok(False, f'{seed}: {" ".join(words)} {env}', g)
        with open(f'{d}/o.h5', 'rb') as f:
            raw = f.read()
        if base is not None and raw != base:
            return t.ok(False, f'{seed}: {" ".join(words)} {dt} {x.dims} {y.dims}', f'other bytes with {env}')
        base = raw
    got = read_h5(f'{d}/o.h5')
    # wider than what is tested, where there is something wider
    conv = {'f4': 'f8', 'f2': 'f8', 'f8': 'longdouble', 'c8': 'c16', 'c16': 'clongdouble',
            '?': 'i8'}.get(dt, SUM.get(dt, dt))
    want, mag = einsum(x, y, p, conv)
    dims = tuple(map(level_name, p[2]))
    if got.dims != dims:
        return t.ok(False, f'{seed}: axes', f'{got.dims}, want {dims}')
    k = np.prod([x.a.shape[i] for i, _ in p[0]], dtype=float)
    if dt == '?':
        why = same(got.a, want > 0, dtype=False)
    elif np.dtype(dt).kind in 'iu':
        why = same(got.a, want.astype(SUM.get(dt, dt)), dtype=False)
    else:
        why = same(got.a, want, atol=bound(dt, k, np.asarray(mag, 'f8')), dtype=False)
    return None if not why else t.ok(False, f'{seed}: {" ".join(words)} {dt} {x.dims} {y.dims} {length}', why)


def identities(t, d, r):
    """dot(x, y) is the transpose of dot(y transposed, x transposed)."""
    for n in range(3 if SLOW else 12):
        names = [chr(97 + i) for i in r.permutation(6)]
        length = {x: int(r.integers(1, 9)) for x in names}
        a = [(x, int(r.integers(0, 3))) for x in names[:4]]
        b = [(x, l - 1) for x, l in a[:2]] + [(x, int(r.integers(0, 2))) for x in names[4:]]
        tensor(r, d, 'x', a, length, 'f8')
        tensor(r, d, 'y', b, length, 'f8')
        p = shell(f'axt-dot {d}/x.h5 {d}/y.h5 -o {d}/1.h5 --force && axt-dot <(axt-transpose {d}/y.h5) '
                  f'<(axt-transpose {d}/x.h5) | axt-transpose - -o {d}/2.h5 --force')
        if p.returncode:
            t.ok(False, f'transposition {n}', p.stderr.decode())
            continue
        g, h = read_h5(f'{d}/1.h5'), read_h5(f'{d}/2.h5')
        ok = set(g.dims) == set(h.dims)
        why = same(h.to(g.dims), g.a, rtol=1e-12, atol=1e-12) if ok else f'{g.dims}, {h.dims}'
        t.ok(not why, f'dot(x, y) and its transpose {n}', why)


def chains(t, d, r):
    """Several operands: the value of the pairs from left to right, in whatever order."""
    for n in range(2 if SLOW else 12):
        count = int(r.integers(3, 6))
        names = 'abcdefgh'
        length = {x: int(r.integers(1, 30)) for x in names}
        axes, tensors = [], []
        for k in range(count):
            own = [names[k], names[k + 1]] + ([names[7]] if r.random() < .3 else [])
            axes.append([own[i] for i in r.permutation(len(own))])
            tensors.append(tensor(r, d, f'm{k}', [(x, 0) for x in axes[k]], length, 'f8'))
        keep = ['--keep', 'h'] if sum('h' in x for x in axes) > 1 else []
        files = ' '.join(f'{d}/m{k}.h5' for k in range(count))
        p = shell(f'axt-dot {" ".join(keep)} {files} -o {d}/o.h5 --force')
        if p.returncode:
            t.ok(False, f'dot of {count}: {axes}', p.stderr.decode())
            continue
        out = [x for i, own in enumerate(axes) for x in own
               if sum(x in other for other in axes) == 1 or (x == 'h' and not any('h' in o for o in axes[:i]))]
        args = []
        for own, x in zip(axes, tensors):
            args += [x.a, [ord(c) - 97 for c in own]]
        want = np.einsum(*args, [ord(c) - 97 for c in out], optimize=True)
        got = read_h5(f'{d}/o.h5')
        why = f'{got.dims}, want {out}' if set(got.dims) != set(out) else \
            same(got.to(out), want, rtol=1e-10, atol=1e-10)
        t.ok(not why, f'dot of {count}: {axes}', why)


def followed(t, d, r):
    """What follows a product, and what it is made of, in one pass."""
    for ab, b in ((('m', 'k'), ('k', 'n')), (('k', 'm'), ('n', 'k')), (('b', 'm', 'k'), ('k', 'b', 'n'))):
        length = {'m': 257, 'k': 300, 'n': 131, 'b': 5}
        x = tensor(r, d, 'a', [(c, 0) for c in ab], length, 'f8')
        y = tensor(r, d, 'b', [(c, 0) for c in b], length, 'f8')
        keep = '--keep b' if 'b' in ab else ''
        want = np.einsum(''.join(ab) + ',' + ''.join(b) + '->' + ('b' if keep else '') + 'mn', x.a, y.a)
        want = np.tanh(want / 10)
        for red, axis in (('mean --over n', -1), ('mean --over m', -2), ('max', None)):
            for env in ({'AXT_THREADS': '1'}, {'AXT_THREADS': '3', 'AXT_SLAB': '20000'}):
                line = f'axt-dot {keep} {d}/a.h5 <(axt-div {d}/b.h5 10) | axt-map tanh | axt-reduce {red}'
                g = shell(f'{line} -o {d}/o.h5 --force', env=env)
                w = want.mean(axis=axis) if 'mean' in red else want.max()
                why = g.stderr.decode() if g.returncode else same(read_h5(f'{d}/o.h5').a, w, rtol=1e-9, atol=1e-10)
                t.ok(not why, f'{ab} . {b} | tanh | {red} {env}', why)
    plan = shell(f'axt-dot {d}/a.h5 {d}/b.h5 --keep b | axt-map tanh | axt-reduce mean --over n - --explain')
    t.ok(b'pass 1 of 1' in plan.stdout and b'kept in memory' not in plan.stdout, 'one pass, nothing stored', plan.stdout.decode())


def view(r, dims, a):
    """A view by command of a tensor, the command, and what NumPy makes of it."""
    i = int(r.integers(len(dims)))
    name, n = dims[i], a.shape[i]
    kind = r.integers(5)
    if kind == 0:
        lo, hi, step = sorted(r.integers(0, n + 1, 2).tolist()) + [int(r.choice([1, 2, 3]))]
        if r.random() < .5 and lo < hi:
            at, text = np.arange(hi - 1, lo - 1, -step), f'{hi - 1}:{lo - 1 if lo else ""}:-{step}'
        else:
            at, text = np.arange(lo, hi, step), f'{lo}:{hi}:{step}'
        return f'axt-slice {name}={text} -', np.take(a, at, axis=i)
    if kind == 1:
        at = r.integers(0, n, int(r.integers(2, 6))).tolist() if n else []
        if not at:
            return 'axt-map negative -', -a
        return f'axt-slice {name}={",".join(map(str, at))} -', np.take(a, at, axis=i)
    if kind == 2:
        return f'axt-flip {name} -', np.flip(a, i)
    if kind == 3:
        by = int(r.integers(-4, 5))
        return f'axt-shift {name}={by} -', np.roll(a, by, axis=i)
    return 'axt-map square -', a * a


def viewed(t, d, r):
    """Views of products, whole and slab by slab: of a part, across, from the end."""
    for k in range(5 if SLOW else 20 if SANITIZER else 40):
        length = {c: int(r.integers(1, 25)) for c in 'mknb'}
        x = tensor(r, d, 'a', [(c, 0) for c in r.permutation(list('bmk'))], length, 'f8')
        y = tensor(r, d, 'b', [(c, 0) for c in r.permutation(list('bkn'))], length, 'f8')
        want = np.einsum('bmk,bkn->bmn', x.to(list('bmk')), y.to(list('bkn')))
        line = f'axt-dot --keep b {d}/a.h5 {d}/b.h5'
        for _ in range(int(r.integers(1, 5))):
            more, want = view(r, 'bmn', want)
            line += ' | ' + more
        if r.random() < .5 and want.size:
            over = str(r.choice(list('bmn')))
            line += f' | axt-reduce sum --over {over} -'
            want = want.sum('bmn'.index(over))
            dims = [c for c in 'bmn' if c != over]
        else:
            dims = list('bmn')
        env = {'AXT_THREADS': str(r.integers(1, 4))}
        if r.random() < .8:
            env.update(AXT_SLAB=str(r.integers(200, 5000)), AXT_TILE=str(r.integers(1, 3000)))
        g = shell(f'{line} -o {d}/o.h5 --force', env=env)
        why = g.stderr.decode() if g.returncode else \
            same(read_h5(f'{d}/o.h5').to(dims), want, rtol=1e-9, atol=1e-9)
        t.ok(not why, f'view {k} of a product: {line.replace(d, "")} {env}', why)


def memory(t, d):
    """What is larger than the bound is done within it."""
    if SANITIZER or SLOW:
        return
    shell(f'axt-make random m=3000,k=4000 --dtype f32 -o {d}/a.h5 --force; '
          f'axt-make random k=4000,n=3000 --seed 2 --dtype f32 -o {d}/b.h5 --force')
    one = shell(f'axt-dot {d}/a.h5 {d}/b.h5 --no-history')
    for bound_mib in (24, 64):
        with open(f'{d}/small.h5', 'wb') as f:
            rc, kib = measured([f'{BIN}/axt-dot', f'{d}/a.h5', f'{d}/b.h5', '--no-history', '-m', f'{bound_mib}M'],
                               stdout=f, env=dict(os.environ, AXT_THREADS='2'))
        with open(f'{d}/small.h5', 'rb') as f:
            t.ok(rc == 0 and f.read() == one.stdout, f'the same bytes with -m {bound_mib}M', rc)
    p = axt('dot', f'{d}/a.h5', f'{d}/b.h5', '-m', '1M', '-o', f'{d}/no.h5')
    t.ok(p.rc == 1 and 'MiB of scratch memory, the bound is 1 MiB' in p.err, 'too little memory is an error that says so', p)


def thin(t, d, r):
    """Few columns or rows of many: the bits they have among many columns (one alone is a reduction)."""
    for dt in ('f4', 'f8', 'c8', 'c16', 'i8'):
        many, few, k, batch = 5000, int(r.integers(2, 5)), int(r.integers(2, 18)), int(r.integers(1, 4))
        a = value(r, (batch, many, k), dt)
        b, wide = value(r, (batch, k, few), dt), value(r, (batch, k, 40), dt)
        write_h5(f'{d}/b.h5', Named(['b', 'k', 'j'], b))
        write_h5(f'{d}/w.h5', Named(['b', 'k', 'j'], np.concatenate([b, wide], 2)))
        for dims in ('bpk', 'bkp', 'kbp', 'pbk'):
            write_h5(f'{d}/a.h5', Named(list(dims), np.ascontiguousarray(np.einsum('bpk->' + dims, a))))
            for order in ('AB', 'BA'):
                def files(right):
                    return [f'{d}/a.h5', f'{d}/{right}.h5'][::1 if order == 'AB' else -1]
                line = ['dot', '--keep', 'b', '--over', 'k', '--no-history']
                axt(*line, *files('w'), '-o', f'{d}/wide.h5')
                axt('slice', f'j=:{few}', f'{d}/wide.h5', '-o', f'{d}/want.h5')
                want, bad = read_h5(f'{d}/want.h5'), []
                for env in WAYS:
                    p = axt(*line, *files('b'), '-o', f'{d}/got.h5', env=env)
                    got = read_h5(f'{d}/got.h5')
                    if p.rc or got.dims != want.dims or got.a.tobytes() != want.a.tobytes():
                        bad.append(f'{env} {p}')
                t.ok(not bad, f'{order}, {dims} of {many} x {k} and {few}, {batch} times, {dt}', '\n'.join(bad))


def small(t, d, r):
    """Many small matrices, multiplied side by side: the bits they have as parts of larger ones."""
    for dt in ('f4', 'f8', 'c8', 'c16', 'i8', '>f4'):
        for _ in range(1 if SLOW else 4):
            m, n, k = (int(r.integers(2, 72 // np.dtype(dt).itemsize)) for _ in 'mnk')
            batch = [int(r.integers(30, 70)), int(r.integers(20, 40))]
            a, b = value(r, (*batch, m, k), dt), value(r, (*batch, k, n), dt)
            # of as many rows the matrices are multiplied one by one
            write_h5(f'{d}/w.h5', Named(list('opik'), np.concatenate([a, value(r, (*batch, 70, k), dt)], 2)))
            files = []
            for name, x, dims in (('a', a, 'opik'), ('b', b, 'opkj')):
                to = ''.join(r.permutation(list(dims))) if r.random() < .7 else dims
                files.append(f'{d}/{name}.h5')
                y = np.ascontiguousarray(x.transpose([dims.index(c) for c in to]))
                write_h5(files[-1], Named(list(to), y), **storage(r, y.shape))
            line = ['dot', '--keep', 'o,p', '--over', 'k', '--no-history']
            axt(*line, f'{d}/w.h5', files[1], '-o', f'{d}/wide.h5')
            axt('slice', f'i=:{m}', f'{d}/wide.h5', '-o', f'{d}/want.h5')
            want, bad = read_h5(f'{d}/want.h5'), []
            for env in WAYS:
                p = axt(*line, *files, '-o', f'{d}/got.h5', env=env)
                got = None if p.rc else read_h5(f'{d}/got.h5')
                if p.rc or got.to(want.dims).tobytes() != want.a.tobytes():
                    bad.append(f'{env} {p}')
            t.ok(not bad, f'{batch} times {m} x {k} and {k} x {n}, {dt}', '\n'.join(bad))


def by_blas(t, d, r):
    """Products by OpenBLAS: the same bounds as our own, the same bytes when done again."""
    for dt in ('f4', 'f8', 'c8', 'c16'):
        for kind in ('stored', 'chunked', 'swapped', 'viewed', 'computed', 'wide', 'negative'):
            m, n, k = (int(r.integers(66, 150)) for _ in 'mnk')
            length = {'m': m, 'n': n, 'k': 2500 if kind == 'stored' and dt == 'f4' else k, 'b': int(r.choice([1, 2, 12]))}
            files, a = [], []
            for name in ('bmk', 'bkn'):
                to = list(r.permutation(list(name)))
                x = Named(to, value(r, [length[c] for c in to], dt))
                how = {'chunked': {'chunks': tuple(max(1, s // 3) for s in x.a.shape), 'compression': 'gzip'},
                       'swapped': {'dtype': x.a.dtype.newbyteorder('>')}}.get(kind, {})
                write_h5(f'{d}/{name}.h5', x, **how)
                word = f'{d}/{name}.h5'
                free = 'm' if 'm' in name else 'n'
                if kind == 'viewed':
                    x, word = Named(to, np.delete(x.a, 0, to.index(free))), f'<(axt-slice {free}=1: {word})'
                elif kind == 'negative':
                    x, word = Named(to, np.flip(x.a, to.index(free))), f'<(axt-flip {free} {word})'
                elif kind == 'computed':
                    x, word = Named(to, x.a * 2), f'<(axt-mul {word} 2)'
                elif kind == 'wide' and dt in ('f4', 'c8'):
                    word += f' --accumulate {"f64" if dt == "f4" else "c128"}' if name == 'bkn' else ''
                files.append(word)
                a.append(x.to(list(name)))
            wide = 'c16' if dt[0] == 'c' else 'f8'
            want = np.einsum('bmk,bkn->bmn', a[0].astype(wide), a[1].astype(wide), optimize=True)
            mag = np.einsum('bmk,bkn->bmn', abs(a[0]).astype('f8'), abs(a[1]).astype('f8'), optimize=True)
            bad = []
            line = f'axt-dot --keep b {files[0]} {files[1]} --no-history --blas openblas'
            for env in ({'AXT_THREADS': '1'}, {'AXT_THREADS': '3'}, {'AXT_THREADS': '2', 'AXT_SLAB': '200000'}):
                p, again = shell(line, env=env), shell(line, env=env)
                if p.returncode or p.stdout != again.stdout:
                    bad.append(f'{env} {p.stderr.decode()}')
                    continue
                with open(f'{d}/o.h5', 'wb') as f:
                    f.write(p.stdout)
                # twice, since what it is compared with is rounded too
                why = same(read_h5(f'{d}/o.h5').to(list('bmn')), want, atol=2 * bound(dt, a[0].shape[2], mag), dtype=False)
                bad += [f'{env} {why}'] if why else []
            t.ok(not bad, f'by BLAS: {kind}, {dt}, {length}', '\n'.join(bad))
    for dt in ('f2', 'i4', '?'):
        write_h5(f'{d}/a.h5', Named(['i', 'k'], value(r, (80, 90), dt)))
        write_h5(f'{d}/b.h5', Named(['k', 'j'], value(r, (90, 70), dt)))
        plain = shell(f'axt-dot {d}/a.h5 {d}/b.h5 --no-history')
        p = shell(f'axt-dot {d}/a.h5 {d}/b.h5 --no-history', env={'AXT_BLAS': 'openblas'})
        near = p.returncode == 0 and (p.stdout == plain.stdout or dt == 'f2')
        t.ok(near, f'AXT_BLAS leaves products of {dt} as they are', p.stderr.decode())


def main():
    cases, seed = random_cases(60, 30, 15, 20261121)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'contractions {} are those of einsum, in every way', lambda k: case(t, d, seed + k))
    r = np.random.default_rng(seed)
    identities(t, d, r)
    chains(t, d, r)
    followed(t, d, r)
    viewed(t, d, r)
    thin(t, d, r)
    small(t, d, r)
    by_blas(t, d, r)
    memory(t, d)
    t.done()


if __name__ == '__main__':
    main()
