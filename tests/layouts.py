#!/usr/bin/python3
"""Storage with room and column-major storage: the same values, by every way of reading: layouts.py [CASES [SEED]].

What axt-make allocates is read with h5py and cut as the attributes tell; commands on it, by file, pipe and plan, in small
tiles and slabs, give what they give of the same tensor stored plainly.
"""
import h5py
import numpy as np

from axtlib import Tap, axt, random_cases, read_h5, same, same_named, scratch, shell

LONGEST = [3000, 120, 30, 9]
KINDS = ['iota', 'random', 'normal']
COMMANDS = ['order {perm}', 'reduce sum --to {some}', 'reduce max,mean --to {some}', 'map square', 'add {f} 1', 'add {f} {plain}',
            'sub {plain} {f}', 'dot --over {one} --keep {rest} {f} {plain}', 'cast --dtype f16',
            'equal {f} {plain}']


def stored(path, axes):
    """What h5py sees, cut and turned."""
    with h5py.File(path) as f:
        d = f['x']
        a = d[()]
        if 'axt_shape' in d.attrs:
            a = a[tuple(slice(n) for n in d.attrs['axt_shape'])]
        dims = [d.dims[i][0].name[1:] for i in range(d.ndim)]
        if d.attrs.get('axt_layout') == b'F':
            a, dims = a.transpose(), dims[::-1]
        return a if dims == axes else None


def run(r, words, f, fuse):
    """The command's tensor, or its text."""
    line = 'axt-' + ' '.join(words)
    if not any(f in w for w in words):
        line = f'{line} {f}' if r.random() < .4 else \
            f'axt-order ... {f} | {line} -' if r.random() < .5 else f'cat {f} | {line} -'
    env = {'AXT_FUSE': str(fuse), 'AXT_THREADS': str(r.integers(1, 5)), 'AXT_SLAB': str(r.choice([500, 4096, 1 << 22]))}
    if r.random() < .5:
        env['AXT_TILE'] = str(r.choice([1, 7, 100, 1024]))
    return line, shell(line, env=env)


def case(t, d, seed):
    r = np.random.default_rng(seed)
    axes = list('abcd')[:int(r.integers(0, 5))]
    longest = LONGEST[len(axes) - 1] if axes else 1
    shape = [int(r.integers(0 if r.random() < .05 else 1, longest + 1)) for _ in axes]
    size = [n + int(r.integers(0, 9)) if r.random() < .6 else n for n in shape]
    spec = ','.join(f'{x}={n}' for x, n in zip(axes, shape))
    more = [f'{x}={n}' for x, n in zip(axes, size) if r.random() < .9 or n]
    kind = str(r.choice(KINDS))
    words = ['make', kind, spec, '--name', 'x', '--no-history', '--dtype', 'f32' if r.random() < .5 else 'f64']
    words += ['--seed', '1'] if kind.split(':')[0] in ('random', 'normal') else []
    plain, f = f'{d}/plain.h5', f'{d}/f.h5'
    how = ['--layout', str(r.choice(['C', 'F']))] + (['--size', ','.join(more)] if more else [])
    if axes and all(shape) and r.random() < .3:
        how += ['--chunk', f'{axes[0]}={r.integers(1, shape[0] + 1)}']
    w = axt(*words, '-o', plain)
    m = axt(*words, *how, '-o', f)
    name = f'{seed} {" ".join(words[1:])} {" ".join(how)}'
    if w.rc or m.rc:
        return t.ok(False, name, f'{w}{m}')
    want = read_h5(plain)
    got = stored(f, axes)
    why = 'axes' if got is None else same(got, want.a)
    if not why and '--chunk' not in how:
        s = shell(' '.join(f"'{x}'" for x in ['axt-' + words[0]] + words[1:] + how) + f' >{d}/s.h5; cmp {d}/s.h5 {f}')
        why = s.stderr.decode() + s.stdout.decode()
    for _ in range(2):
        c = str(r.choice(COMMANDS)) if not why else ''
        if why or (not axes and 'dot' in c) or (0 in shape and ('reduce' in c or 'dot' in c)):
            continue
        given = {'perm': ','.join(r.permutation(axes)) or "''", 'f': f, 'plain': plain, 'one': axes[0] if axes else '', 'rest': ','.join(axes[1:]) or "''",
                 'some': ','.join(r.permutation(axes)[:int(r.integers(0, len(axes) + 1))]) or "''"}
        line, p = run(r, c.format(**given).split(), f, int(r.integers(0, 2)))
        wline, q = run(r, c.format(**{**given, 'f': plain}).split(), plain, 0)
        if p.returncode or q.returncode:
            why = f'{line}\n{p.stderr.decode()}\n{wline}\n{q.stderr.decode()}'
        elif c.startswith('reduce max,mean'):
            why = '' if all(not same_named(read_h5(p.stdout, n), read_h5(q.stdout, n)) for n in ('max', 'mean')) else line
        elif not c.startswith('equal'):
            why = same_named(read_h5(p.stdout), read_h5(q.stdout))
            why = why and f'{line}: {why}'
    t.ok(not why, name, why)


def main():
    cases, seed = random_cases(80, 40, 8, 20261121)
    t, d = Tap(), scratch()
    for k in range(cases):
        case(t, d, seed + k)
    t.done()


main()
