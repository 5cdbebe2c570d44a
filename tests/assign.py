#!/usr/bin/python3
"""Assignment to random slices against NumPy: assign.py [CASES [SEED]].

Contiguous, chunked, deflated, big-endian, padded, column-major and packed targets of every dtype; positions, ranges, steps,
lists; the right side over some of the axes in any order, from a file or a pipe, often the target itself; in place or not.
What does not fit must fail and leave the file as it was.
"""
import os
import shutil

import h5py
import numpy as np

from axtlib import Named, Tap, axt, counted, put_h5, random_cases, same, scratch, shell

LONGEST = [20000, 160, 30, 12]
DTYPES = ['i1', 'i2', 'i4', 'i8', 'u1', 'u4', 'f2', 'f4', 'f8', 'c8', '>f4', '>i2', '>f8', '?']
RIGHT = ['i1', 'i4', 'f4', 'f8', 'f2']
OPS = {'set': None, 'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'div': np.divide,
       '=': None, '+=': np.add, '-=': np.subtract, '*=': np.multiply, '/=': np.divide}
FILL = -99


def spec(r, n):
    """A spec of an axis of length n, and the index it is in NumPy."""
    kind = r.random()
    if kind < .25:
        i = int(r.integers(-n, n))
        return str(i), i
    if kind < .4:
        v = [int(x) for x in r.permutation(n)[:int(r.integers(2, 5))]]
        if len(v) > 1:
            v = [x - n if r.random() < .3 else x for x in v]
            return ','.join(map(str, v)), v
    part = ['' if r.random() < .3 else str(r.integers(-n - 2, n + 3)) for _ in range(2)]
    step = '' if r.random() < .4 else str(r.choice([-3, -2, -1, 1, 2, 3, 7]))
    s = ':'.join(part + ([step] if step else []))
    return s, slice(*[int(x) if x else None for x in part], int(step) if step else None)


def target(r, d, axes):
    """The file, its values (f8 or NaN where missing), and how they are stored."""
    shape = [int(r.integers(1, LONGEST[len(axes) - 1] + 1)) if axes else 1 for _ in axes]
    path = f'{d}/t.h5'
    kind = r.random()
    if kind < .15 and axes:		# padded or column-major
        size = [f'{x}={n + int(r.integers(0, 5))}' for x, n in zip(axes, shape)]
        dims = ','.join(f'{x}={n}' for x, n in zip(axes, shape))
        p = axt('make', 'iota', dims, '--dtype', 'f32', '--size', ','.join(size), '--layout', str(r.choice(['C', 'F'])), '--name', 'x',
                '-o', path)
        assert p.rc == 0, p
        return path, np.arange(np.prod(shape), dtype='f4').reshape(shape), 'room'
    packed = kind > .85
    dtype = 'i2' if packed else str(r.choice(DTYPES))
    a = np.asarray(r.integers(0, 2 if dtype == '?' else 60, shape)).astype(dtype)
    attrs = {'scale_factor': np.float32(.5), 'add_offset': np.float32(10), '_FillValue': np.int16(FILL)} if packed else {}
    how = {}
    if r.random() < .6 and axes:
        how['chunks'] = tuple(int(r.integers(1, n + 1)) for n in shape)
        if r.random() < .6:
            how.update(compression='gzip', compression_opts=1, shuffle=bool(r.random() < .5), fletcher32=bool(r.random() < .3))
    with h5py.File(path, 'w') as f:
        put_h5(f, Named(axes, a) if r.random() < .5 else counted(axes, a), 'x', attrs, **how)
        f.create_dataset('other', data=np.arange(50.))
    if packed:
        a = np.where(a == FILL, np.nan, a * np.float32(.5) + np.float32(10)).astype('f4')
    return path, a, 'packed' if packed else how.get('chunks', 'contiguous')


def stored(path):
    """The values that mean something, in the order of the axes a, b, ..."""
    with h5py.File(path) as f:
        d = f['x']
        a = d[()]
        if 'axt_shape' in d.attrs:
            a = a[tuple(slice(n) for n in d.attrs['axt_shape'])]
        if d.attrs.get('axt_layout') == b'F':
            a = a.transpose()
        if 'scale_factor' in d.attrs:
            a = np.where(a == FILL, np.nan, a * np.float32(.5) + np.float32(10)).astype('f4')
        other = np.array_equal(f['other'][()], np.arange(50.)) if 'other' in f else True
        return a if other else None


def right(r, d, axes, a, index):
    """The operand's words, and its array broadcast to the slice; axes are those of the slice."""
    if r.random() < .2:
        n = r.choice(['3', '-2', '0.5', '7'])
        return str(n), np.asarray(float(n) if '.' in n else int(n)), None
    mine = [x for x in axes if r.random() < .8]
    perm = [str(x) for x in r.permutation(mine)]
    shape = {x: n for x, n in zip(axes, a[index].shape)}
    v = np.asarray(r.integers(1, 5, [shape[x] for x in perm])).astype(str(r.choice(RIGHT)))
    if v.dtype.kind == 'f' and r.random() < .5:
        v = v + v.dtype.type(.25)
    if v.dtype.kind == 'f' and r.random() < .1 and v.size:
        v.reshape(-1)[int(r.integers(v.size))] = np.nan
    path = f'{d}/r.h5'
    with h5py.File(path, 'w') as f:
        put_h5(f, Named(perm, v), 'v')
    b = v.transpose([perm.index(x) for x in mine]).reshape([shape[x] if x in mine else 1 for x in axes])
    return path, np.broadcast_to(b, a[index].shape), v.dtype


def fits(v, dtype, packed):
    """Whether all of v can be stored as dtype."""
    if packed:
        q = np.round((v.astype('f8') - 10) / .5)
        q = q[~np.isnan(q)]
        return bool(np.all((q >= -32768) & (q <= 32767) & (q != FILL)))
    if dtype.kind not in 'iu':
        return True
    v = np.trunc(v)
    i = np.iinfo(dtype)
    return bool(np.all((v >= i.min) & (v <= i.max)))


def expected(a, index, op, b, weak, packed):
    """The target's new values, or None where they do not fit."""
    with np.errstate(all='ignore'):
        if OPS[op] is None:
            new = b
        elif weak:
            new = OPS[op](a[index].astype('f8') if a.dtype.kind in 'iub' and (op[0] in 'd/' or b.dtype.kind == 'f') else a[index],
                          b.astype(a.dtype) if a.dtype.kind in 'fc' or (a.dtype.kind in 'iu' and b.dtype.kind in 'iu' and op[0] not in 'd/')
                          else b)
        else:
            x, y = a[index], b
            if op[0] in 'd/' and x.dtype.kind in 'iub' and y.dtype.kind in 'iub':
                x, y = x.astype('f8'), y.astype('f8')
            new = OPS[op](x, y)
        if packed and OPS[op] is None and new.dtype.kind != 'f':
            new = new.astype('f8')
        if not fits(new, a.dtype, packed):
            return None
        out = a.copy()
        if packed:
            q = np.round((new.astype('f8') - 10) / .5)
            new = np.where(np.isnan(q), np.nan, q * np.float32(.5) + np.float32(10)).astype('f4')
        out[index] = new.astype(a.dtype)
        return out


def case(t, d, seed):
    r = np.random.default_rng(seed)
    axes = list('abcd')[:int(r.integers(0, 5))]
    path, a, how = target(r, d, axes)
    chosen = [x for x in axes if r.random() < .7]
    specs, parts, dropped = [], [], []
    for x, n in zip(axes, a.shape):
        s, i = spec(r, n) if x in chosen else ('', slice(None))
        if isinstance(i, int):
            dropped.append(x)
            i = slice(i, i + 1 or None)
        if x in chosen:
            specs.append(f'{x}={s}')
        parts.append(np.arange(n)[i])
    index = np.ix_(*parts) if axes else ()
    kept = [x for x in axes if x not in dropped]
    sub = a[index].reshape([len(p) for x, p in zip(axes, parts) if x in kept])
    words, b, dtype = right(r, d, kept, sub, ())
    b = np.broadcast_to(b, sub.shape).reshape(a[index].shape) if dtype is not None else b
    op = str(r.choice(list(OPS)))
    weak = dtype is None
    dt = a.dtype.newbyteorder('=')
    if (dt.kind == 'b' and (OPS[op] is not None or b.dtype.kind == 'f')) or (dt.kind == 'c' and op[0] in 'd/*m'):
        op = 'set'
    if weak and dt.kind == 'u' and OPS[op] is not None:
        op = 'set'
    want = expected(a.astype(dt), index, op, b, weak, how == 'packed')
    if dt.kind == 'b' and OPS[op] is None:
        want = a.copy()
        want[index] = b != 0
    r.shuffle(specs)
    word = path + (f'[{",".join(specs)}]' if specs or r.random() < .1 else '')
    more = (['--in-place'] if r.random() < .3 else []) + ['-m', '1M'] * (r.random() < .3) + ['-t', str(r.integers(1, 4))]
    name = f'{seed} {word} {op} {words if weak else dtype} {" ".join(more)}: {a.dtype} {a.shape} {how}'
    before = stored(path)
    with open(path, 'rb') as f:
        old = f.read()
    pick = '-d' if 'other' in str(list(h5py.File(path))) else ''
    given = [word, op, words] + more
    if pick:
        given[0] = word.replace('t.h5', 't.h5:x', 1)
    if weak or r.random() < .7:
        p = axt('assign', *given)
        rc, err = p.rc, p.err
    else:
        q = shell(f'axt-order ... {words} | axt-assign ' + ' '.join(f"'{x}'" for x in given[:2] + ['-'] + more),
                  env={'AXT_FUSE': str(r.integers(0, 2))})
        rc, err = q.returncode, q.stderr.decode()
    if sub.size == 0:
        want = before
    got = stored(path)
    if want is None:
        with open(path, 'rb') as f:
            now = f.read()
        return t.ok(rc == 1 and 'does not fit' in err and now == old, name + ': does not fit', f'{rc} {err}')
    if rc:
        return t.ok(False, name, err)
    why = 'another dataset changed' if got is None else same(got, want, dtype=False)
    left = sorted(set(os.listdir(d)) - {'t.h5', 'r.h5'})
    return t.ok(not why and not left, name, f'{why} {left}')


def several(t, d, seed):
    """Targets of one axt-calc against as many axt-assign, on files of several datasets."""
    r = np.random.default_rng([seed, 7])
    shapes = {f'{x}.h5:{y}': [int(n) for n in r.integers(1, 40, int(r.integers(1, 4)))] for x in 'pq' for y in 'uv'}
    for k, shape in shapes.items():
        path, name = k.split(':')
        dtype = str(r.choice(['i2', 'i4', 'f4', 'f8', '>f4']))
        how = dict(chunks=tuple(int(r.integers(1, n + 1)) for n in shape), compression='gzip') if r.random() < .5 else {}
        with h5py.File(f'{d}/{path}', 'a') as f:
            put_h5(f, Named(list('abc')[:len(shape)], r.integers(0, 40, shape).astype(dtype)), name, **how)
    stats, one, many, new = [], [], [], []
    for k, shape in shapes.items():
        at = int(r.integers(0, shape[0] + 1))
        parts = [f'[a=:{at}]', f'[a={at}:]'] if r.random() < .5 else [f'[{"bc"[:len(shape) - 1][-1:] or "a"}=::2]'] if r.random() < .5 else ['']
        for part in parts:
            op = str(r.choice(['=', '+=', '-=', '*=']))
            v, other = int(r.integers(-3, 4)), str(r.choice(list(shapes)))
            value = f'max(y{list(shapes).index(other)}) + {v}'
            one.append(f'{k}{part} {op} {value}')
            many.append(f"axt-calc '{value}' y{list(shapes).index(other)}=../old/{other} | axt-assign '{k}{part}' '{op}'")
    if r.random() < .4:
        new = [f'new.h5:{x} = sum(y{i}, dtype=f64)' for i, x in enumerate('st')]
        many += [f"axt-calc 'sum(y{i}, dtype=f64)' y{i}=../old/{list(shapes)[i]} -o new.h5:{x}" for i, x in enumerate('st')]
    over = r.random() < .1		# a value that fits nowhere, often in the middle
    if over:
        one.insert(int(r.integers(0, len(one) + 1)), f'../bad/x.h5 = {10**6}')
    files = ' '.join(f'y{i}={k}' for i, k in enumerate(shapes))
    place = '--in-place' if r.random() < .2 and not over else ''
    text = (';' if r.random() < .5 else '\n').join(one + new)
    p = shell(f"""cd {d}; mkdir old sum one bad; cp *.h5 old; cp *.h5 sum; mv *.h5 one
        axt-make zeros x=2 --dtype i8 -o bad/x.h5; cp -r one before
        cd sum; {'; '.join(x + ' || exit 9' for x in many)}; cd ../one; axt-calc -q {place} -t {r.integers(1, 4)} '{text}' {files}""")
    why = []
    if over:
        same_files = shell(f'cd {d}; diff -r before one').returncode == 0 and not np.any(h5py.File(f'{d}/bad/x.h5')['tensor'][()])
        if p.returncode != 1 or b'does not fit' not in p.stderr or not same_files:
            why = ['one did not fit, and files changed', p.stderr.decode()]
    else:
        for path in ['p.h5', 'q.h5'] + ['new.h5'] * bool(new):
            for name in 'st' if path == 'new.h5' else 'uv':
                a, b = (h5py.File(f'{d}/{x}/{path}')[name][()] if os.path.exists(f'{d}/{x}/{path}') else np.zeros(0) for x in ('one', 'sum'))
                why += [] if a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b) else [f'{path}:{name}: {a.ravel()[:5]} {b.ravel()[:5]}']
        why += [p.stderr.decode()] * bool(p.returncode)
    left = sorted(x for k in ('one', 'sum', 'bad') for x in os.listdir(f'{d}/{k}'))
    want = sorted(['p.h5', 'q.h5'] * 2 + ['x.h5'] + ['new.h5'] * (bool(new) * (2 - over)))
    shutil.rmtree(d)
    os.makedirs(d)
    return t.ok(not why and left == want, f'several targets of one axt-calc {seed}', f'{text}\n{why} {left}')


RACES = [('', '= 1', '', '= 2'), ('', '+= 1', '', '+= 2'), ('[a=:300]', '= 1', '[a=100:]', '= 2')]


def outcomes(old, one, two):
    """What two assignments may leave: one alone, or one after the other."""
    def put(a, x):
        index, op, v = x
        a = a.copy()
        a[index] = v if op == '=' else a[index] + v
        return a
    return [put(old, one), put(old, two), put(put(old, one), two), put(put(old, two), one)]


def index(s):
    return slice(*[int(x) if x else None for x in s[3:-1].split(':')]) if s else slice(None)


def races(t, d, times):
    """Two assignments at once and a reader: files are whole at all times, and the last to finish wins."""
    path = f'{d}/t.h5'
    for how in [], ['--chunk', 'a=64,b=64', '--deflate', '1']:
        for s1, v1, s2, v2 in RACES:
            seen, why, old = set(), '', np.zeros((400, 500), 'f4')
            may = outcomes(old, *[(index(s), v.split()[0], float(v.split()[1])) for s, v in ((s1, v1), (s2, v2))])
            for i in range(times):
                axt('make', 'zeros', 'a=400,b=500', '--dtype', 'f32', '-o', path, *how)
                line = f"axt-assign '{path}{s1}' {v1} & p1=$!; axt-assign '{path}{s2}' {v2} & p2=$!;"
                reader = f"axt-cast --dtype f32 {path} -o {d}/r.h5 & p3=$!;"
                p = shell(f'{line if i % 2 else reader + line} {"" if i % 2 == 0 else reader} wait $p1 && wait $p2 && wait $p3')
                with h5py.File(path) as f, h5py.File(f'{d}/r.h5') as r:
                    a, b = f['tensor'][()], r['tensor'][()]
                got = [k for k, x in enumerate(may) if np.array_equal(a, x)]
                seen |= set(got[:1])
                if not got or not any(np.array_equal(b, x) for x in [old] + may) or p.returncode:
                    why += f'{p} {np.unique(a)} {np.unique(b)}\n'
                if sorted(os.listdir(d)) != ['r.h5', 't.h5']:
                    why += f'{os.listdir(d)}\n'
                os.unlink(f'{d}/r.h5')
            t.ok(not why and seen, f'{v1} of {s1} and {v2} of {s2} at once, {times} times, {how}', f'{why[:3000]} {seen}')
    os.unlink(path)


def main():
    cases, seed = random_cases(150, 60, 10, 20261121)
    t, d = Tap(), scratch()
    races(t, d, max(4, cases // 10))
    for k in range(cases):
        case(t, d, seed + k)
    os.makedirs(f'{d}/several')
    for k in range(cases // 4):
        several(t, f'{d}/several', seed + k)
    t.done()


main()
