"""Random commands give the same bytes on every processor: processors.py BUILD... [CASES [SEED]], directories of builds.

Each command runs with each instruction set that a build has, on a machine that has it, or by a program in BUILD/bin that plays one.
What it writes, prints and says, and its status, are those of the first. Only the sign and the digits of NaN may differ, as
axt-axes(7) has it. Commands are those of cross.py, which compares the first with NumPy, and wilder values here.
"""
import os
import re
import sys

import h5py
import numpy as np

import axtlib
import cross
from axtlib import Named, Tap, scratch
from same_bytes import Build

ALONE = axtlib.axt


def plain(x):
    """The bytes of an array, in which every NaN is the same one."""
    if x.dtype.kind not in 'fc':
        return x.tolist() if x.dtype.hasobject else x.tobytes()
    parts = np.ascontiguousarray(x).reshape(-1).view(f'{x.dtype.byteorder}f{x.dtype.itemsize // (1 + (x.dtype.kind == "c"))}')
    return np.where(np.isnan(parts), np.array(np.nan, parts.dtype), parts).tobytes()


def contents(path):
    """What is in a file of HDF5, by name."""
    found = {}

    def put(name, x):
        found.update({f'{name}@{k}': repr(v) for k, v in x.attrs.items()})
        if isinstance(x, h5py.Dataset):
            found[name] = (x.dtype.str, x.shape, plain(x[()]) if x.shape is not None else None)
    with h5py.File(path) as f:
        put('', f)
        f.visititems(put)
    return found


class Everywhere:
    """axt() of axtlib, which runs the command on all processors. It returns what the first one did."""

    def __init__(self, builds):
        self.ways = [(f'{b}/bin', i) for b in builds for i in axtlib.isas(f'{b}/bin')]
        self.same, self.nan, self.differ = 0, 0, []

    def __call__(self, *args, **more):
        first = None
        for where, isa in self.ways:
            axtlib.BIN = where
            p = ALONE(*args, **dict(more, env=dict(more.get('env') or {}, AXT_ISA=isa, SOURCE_DATE_EPOCH='1000000000')))
            out = str(args[list(args).index('-o') + 1]) if '-o' in args and p.rc == 0 else None
            got = (p.rc, p.out, p.err)
            if not first:
                first = p, got, out and f'{out}.first'
                if out:
                    os.rename(out, first[2])
                continue
            self.compare(f'{isa}: {p}', got == first[1], first[2], out)
        if first[2]:
            os.rename(first[2], out)
        return first[0]

    def compare(self, what, told_same, one, other):
        if not told_same:
            self.differ.append(f'{what}: status, output or message')
        elif not other or open(one, 'rb').read() == open(other, 'rb').read():
            self.same += 1
        else:
            x, y = contents(one), contents(other)
            bad = [k for k in sorted(set(x) | set(y)) if x.get(k) != y.get(k)]
            self.nan += not bad
            self.differ += [f'{what}: {", ".join(bad)}'] if bad else []


# ---- values of any size, and functions of matrices: nothing is known of the results ----

def wild(m, k, shape):
    """Floats of all sizes, with infinities, zeros of both signs and NaN."""
    far = {'f2': 4, 'f4': 38, 'f8': 308, 'c8': 18, 'c16': 150}[k]

    def real():
        a = m.r.standard_normal(shape) * 10.0 ** m.r.uniform(-far, far, shape) ** m.pick([0, 1 / 3, 1])
        put = m.r.random(shape) < .1
        a[put] = m.r.choice([np.inf, -np.inf, np.nan, 0, -0.0, 1, -1, .5], shape)[put]
        return a
    with np.errstate(all='ignore'):
        return ((real() + 1j * real()) if k[0] == 'c' else real()).astype(k)


def files(m, n, shape, k, values):
    out = []
    for _ in range(n):
        out.append(m.path())
        with h5py.File(out[-1], 'w') as f:
            axtlib.put_h5(f, Named([f'x{i}' for i in range(len(shape))], values(m, k, shape)), 'x')
    return out


def of_one(m):
    p, = files(m, 1, (int(m.r.integers(1, 2000)),), m.pick(['f2', 'f4', 'f8', 'f4', 'f8', 'c8', 'c16']), wild)
    return m.run('map', m.pick(m.maps), p)


def of_two(m):
    return m.run(m.pick(m.pairs), *files(m, 2, (int(m.r.integers(1, 2000)),), m.pick(['f2', 'f4', 'f8', 'f8', 'c16']), wild))


def reduced(m):
    p, = files(m, 1, tuple(m.r.integers(1, 60, 3)), m.pick(['f2', 'f4', 'f8', 'c8']), wild)
    return m.run('reduce', m.pick(m.reductions), p, '--over', m.pick(['x0', 'x1', 'x2', 'x0,x2', 'x0,x1,x2']), *m.pick([[], ['--skip-nan']]))


def converted(m):
    p, = files(m, 1, (int(m.r.integers(1, 2000)),), m.pick(['f2', 'f4', 'f8', 'c8']), wild)
    return m.run('cast', '--dtype', m.pick(['bool', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f16', 'bf16', 'f32', 'f64', 'c64']),
                 '--overflow', m.pick(['wrap', 'clip']), p)


def matrices(m):
    n = int(m.r.integers(1, 13))
    p, = files(m, 1, (int(m.r.integers(1, 12)), n, n), m.pick(['f4', 'f8', 'c8', 'c16']),
               lambda m, k, s: (m.r.standard_normal(s) + (1j * m.r.standard_normal(s) if k[0] == 'c' else 0)).astype(k))
    return m.run(m.pick(m.linalg), p)


def of_lines(m):
    p, = files(m, 1, tuple(m.r.integers(2, 60, 2)), m.pick(['f4', 'f8']), lambda m, k, s: m.values(k, s))
    return m.run(*m.pick([['scan', 'sum', '--along', 'x0'], ['scan', 'prod', '--along', 'x1'], ['sort', '--along', 'x0'], ['rank', '--along', 'x1'],
                          ['corr', '--over', 'x0', p], ['cov', '--over', 'x1', p], ['trend', '--along', 'x0'], ['softmax', '--along', 'x1'],
                          ['gradient', '--along', 'x0'], ['window', 'mean', 'x0=3'], ['hist', '--bins', '7'], ['eof', '--over', 'x0']]), p)


def linalg():
    """Functions of one matrix whose small ones are multiplied and factored by axt itself."""
    with open(f'{axtlib.TOP}/lib/linalg.def', encoding='utf-8') as f:
        names = re.findall(r'^LINALG\(\w+, "(\w+)", 1,', f.read(), re.M)
    return [n.replace('_', '-') for n in names if n != 'eig']


WILD = [of_one, of_one, of_one, of_two, of_two, reduced, converted, matrices, matrices, of_lines]


def main():
    builds = [os.path.abspath(x) for x in sys.argv[1:] if not x.isdigit()]
    numbers = [int(x) for x in sys.argv[1:] if x.isdigit()]
    cases, first = numbers + [200, 1][len(numbers):]
    everywhere, t, d = Everywhere(builds), Tap(), scratch()
    t.ok({b for b, _ in everywhere.ways} == {f'{b}/bin' for b in builds}, 'each build has a processor', everywhere.ways)
    cross.axt = everywhere
    says = Build(builds[0])
    known = {'maps': says.words('map'), 'reductions': says.words('reduce'), 'pairs': says.binary, 'linalg': linalg()}
    for seed in range(first, first + cases):
        m = cross.Maker(seed, d)
        m.run = lambda *args: everywhere(*args, '-o', m.path())
        vars(m).update(known)
        f = m.pick(cross.KINDS + WILD)
        wrong = len(everywhere.differ)
        f(m)
        t.ok(len(everywhere.differ) == wrong, f'{seed} {f.__name__}', '\n'.join(everywhere.differ[wrong:]))
        for n in os.listdir(d):
            os.unlink(f'{d}/{n}')
    print(f'# {" ".join(i for _, i in everywhere.ways)}: {everywhere.same} the same, {everywhere.nan} but for NaN, {len(everywhere.differ)} differ')
    t.done()


if __name__ == '__main__':
    main()
