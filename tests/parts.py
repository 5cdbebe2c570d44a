#!/usr/bin/python3
"""Jobs cut into parts against the whole: parts.py [CASES [SEED]].

Random expressions of axt-calc over files of several kinds, written by one command and by 1, 2, 7 or 64 commands
with --part, each with tiles, slabs and threads of its own. What axt-merge makes of the parts has the bytes of the file
that was written at once.
"""
import os
import re
import shutil
import subprocess

import h5py
import netCDF4
import numpy as np

from axtlib import BIN, Tap, in_batches, random_cases, scratch

DIR = scratch()
OUT = os.path.join(DIR, 'out')
# Jobs of files that make_files makes: cut, not cut, packed, of one number.
JOBS = [
    'axt-reduce mean,std ../in.nc:p --over time --compress deflate',
    'axt-reduce mean,max ../in.nc:z',
    "axt-copy ../in.nc:*",
    'axt-copy ../in.nc:sums',
    "axt-calc -q 't - mean(t, over=time)' t=../in.nc:t",
    'axt-reduce mean ../in.nc:z',
    'axt-reduce std --over lon ../in.nc:p --compress deflate --chunk time=5,lat=4',
    'axt-dot --over n ../in.nc:x ../in.nc:y',
]
LEAVES = {'t': dict(time=12, lat=9, lon=70), 'z': dict(time=12, lat=9, lon=70), 'p': dict(time=12, lat=9, lon=70),
          'm': dict(lat=9, lon=70), 'x': dict(n=5000, k=6), 's': dict(time=12), 'y': dict(one=1, n=5000),
          'q': dict(u=4, v=4, b=30)}


def make_files():
    r = np.random.default_rng(3)
    with netCDF4.Dataset(os.path.join(DIR, 'in.nc'), 'w') as d:
        for axes in LEAVES.values():
            for name, n in axes.items():
                if name not in d.dimensions:
                    d.createDimension(name, n)
        for name, v, units in (('time', np.arange(12) * 30., 'days since 2001-01-01'),
                               ('lat', np.linspace(-80, 80, 9), 'degrees_north'), ('lon', np.arange(70) * 5., 'degrees_east')):
            d.createVariable(name, 'f8', (name,))[:] = v
            d[name].units = units
        for name, how in (('t', {}), ('z', dict(zlib=True, chunksizes=(5, 4, 33))), ('m', {}), ('x', {}), ('s', {}),
                          ('y', {}), ('q', {})):
            axes = LEAVES[name]
            v = d.createVariable(name, 'f8' if name in 'xq' else 'f4', tuple(axes), fill_value=np.nan, **how)
            a = r.normal(1, 3, tuple(axes.values()))
            if name == 'z':
                a[r.random(a.shape) < .05] = np.nan
            v[:] = a
        d.createVariable('sums', 'f4', ('lat', 'lon'), fletcher32=True, chunksizes=(3, 35))[:] = r.normal(1, 3, (9, 70))
        v = d.createVariable('p', 'i2', tuple(LEAVES['p']), fill_value=-999)
        v.scale_factor, v.add_offset, v.units, v.coordinates = .01, 5., 'K', 'm'
        v[:] = np.ma.masked_less(r.normal(5, 2, tuple(LEAVES['p'].values())), 1)


# Jobs of files that make_products makes, which are cut along two axes and more.
PRODUCTS = [
    'axt-dot --over k ../left.nc ../right.nc',
    'axt-dot --over k ../left.nc ../right.nc --compress deflate --chunk i=5,j=5',
    "axt-calc 'order(mean(abs(l - r), over=k), (j,i))' l=../left.nc r=../right.nc",
    'axt-dot --over k --keep g ../lefts.nc ../rights.nc --chunk g=2,i=3,j=4',
]


def make_products():
    for i, (name, axes, chunk) in enumerate((('left', 'i=60,k=6000', 'i=15,k=1500'), ('right', 'k=6000,j=60', 'k=1500,j=15'),
                                             ('lefts', 'g=4,i=24,k=900', 'g=2,i=3,k=900'), ('rights', 'g=4,k=900,j=24', 'g=2,k=900,j=4'))):
        run([f'{BIN}/axt-make', 'normal', axes, '--dtype', 'f32', '--seed', str(i), '--compress', 'deflate', '--chunk', chunk, '-o',
             f'../{name}.nc'])


class Expr:
    """An expression as text, with the axes of its value."""

    def __init__(self, text, axes):
        self.text, self.axes = text, dict(axes)

    def size(self):
        return int(np.prod(list(self.axes.values()), dtype=float))


class Case:
    def __init__(self, seed):
        self.r = np.random.default_rng(seed)
        self.fresh = 0

    def pick(self, x):
        x = list(x)
        return x[int(self.r.integers(len(x)))]

    def some(self, axes, least=0):
        axes = list(axes)
        self.r.shuffle(axes)
        return axes[:int(self.r.integers(least, len(axes) + 1))]

    def name(self):
        self.fresh += 1
        return f'w{self.fresh}'

    def leaf(self):
        name = self.pick(LEAVES)
        return Expr(name, LEAVES[name])

    def list(self, axes):
        return '(' + ','.join(axes) + ')'

    def step(self, e):
        return getattr(self, 'do_' + self.pick(['map', 'map', 'add', 'anomaly', 'reduce', 'reduce', 'slice', 'slice', 'flip', 'shift',
                                                'window', 'order', 'sort', 'scan', 'flatten', 'concat', 'dot', 'by',
                                                'take', 'pad', 'median', 'expand', 'det', 'interp', 'random']))(e)

    def do_map(self, e):
        return Expr(self.pick(['sqrt(abs({}))', '({}*2.5)', 'exp({}/30)', '({}-1)', 'maximum({},0)', 'sin({})']).format(e.text), e.axes)

    def do_add(self, e):
        o = self.leaf()
        if any(e.axes.get(a, n) != n for a, n in o.axes.items()):
            return None
        axes = dict(e.axes, **o.axes)
        return Expr(f'({e.text}{self.pick("+-*")}{o.text})', axes)

    def do_random(self, e):
        if not e.axes:
            return None
        axes = ','.join(f'{a}={n}' for a, n in e.axes.items())
        return Expr(f'({e.text}+random(0,1,{axes},seed=5))', e.axes)

    def do_anomaly(self, e):
        over = self.some(e.axes, 1) if e.axes else []
        return Expr(f'({e.text}-mean({e.text},over={self.list(over)}))', e.axes) if over else None

    def do_reduce(self, e):
        over = self.some(e.axes, 1) if e.axes else []
        op = self.pick(['sum', 'mean', 'var', 'min', 'max', 'std', 'prod', 'argmax'])
        weights = ',weights=m' if op in ('sum', 'mean') and {'lat', 'lon'} <= set(over) and self.r.random() < .5 else ''
        if op == 'argmax':
            over = over[:1]
        return Expr(f'{op}({e.text},over={self.list(over)}{weights})',
                    {a: n for a, n in e.axes.items() if a not in over}) if over else None

    def do_median(self, e):
        if not e.axes:
            return None
        over = self.pick(e.axes)
        return Expr(f'median({e.text},over={over})', {a: n for a, n in e.axes.items() if a != over})

    def do_slice(self, e):
        if not e.axes:
            return None
        a = self.pick(e.axes)
        n = e.axes[a]
        lo, hi = sorted(int(x) for x in self.r.integers(0, n + 1, 2))
        step = self.pick([1, 1, 2, 3])
        if lo == hi:
            return None
        return Expr(f'{e.text}[{a}={lo}:{hi}:{step}]', dict(e.axes, **{a: len(range(lo, hi, step))}))

    def do_flip(self, e):
        return Expr(f'flip({e.text},{self.pick(e.axes)})', e.axes) if e.axes else None

    def do_shift(self, e):
        return Expr(f'shift({e.text},{self.pick(e.axes)}={int(self.r.integers(-3, 4))})', e.axes) if e.axes else None

    def do_window(self, e):
        a = self.pick(e.axes) if e.axes else None
        if not a or e.axes[a] < 3 or e.size() > 100000:
            return None
        w, n = self.name(), int(self.r.integers(1, min(6, e.axes[a])))
        axes = dict(e.axes, **{a: e.axes[a] - n + 1})
        x = Expr(f'window({e.text},{a}={w}:{n})', dict(axes, **{w: n}))
        return Expr(f'mean({x.text},over={w})', axes) if self.r.random() < .7 else x

    def do_order(self, e):
        axes = list(e.axes)
        self.r.shuffle(axes)
        return Expr(f'order({e.text},{self.list(axes)})', {a: e.axes[a] for a in axes}) if axes else None

    def do_sort(self, e):
        return Expr(f'{self.pick(["sort", "rank", "ffill", "detrend"])}({e.text},along={self.pick(e.axes)})', e.axes) if e.axes else None

    def do_scan(self, e):
        return Expr(f'scan({e.text},{self.pick(["sum", "max"])},along={self.pick(e.axes)})', e.axes) if e.axes else None

    def do_flatten(self, e):
        if len(e.axes) < 2:
            return None
        axes = list(e.axes)
        i = int(self.r.integers(len(axes) - 1))
        new = self.name()
        out = {}
        for k, a in enumerate(axes):
            if k == i:
                out[new] = e.axes[a] * e.axes[axes[i + 1]]
            elif k != i + 1:
                out[a] = e.axes[a]
        return Expr(f'flatten({e.text},({axes[i]},{axes[i + 1]})={new})', out)

    def do_concat(self, e):
        a = self.pick(e.axes) if e.axes else None
        if not a or a in ('time', 'lat', 'lon') or e.size() > 200000:
            return None
        return Expr(f'concat({e.text},{e.text}*2,along={a})', dict(e.axes, **{a: 2 * e.axes[a]}))

    def do_expand(self, e):
        w = self.name()
        return Expr(f'expand({e.text},{w}=3)', {w: 3, **e.axes}) if e.size() < 100000 else None

    def do_dot(self, e):
        o = self.pick([self.leaf(), e, Expr(f'sqrt(abs({e.text}))', e.axes)])
        over = [a for a in o.axes if a in e.axes]
        if not over or any(o.axes[a] != e.axes[a] for a in over) or e.size() * o.size() / max(1, e.axes[over[0]]) > 3e7:
            return None
        over = self.some(over, 1)
        keep = [a for a in o.axes if a in e.axes and a not in over]
        axes = {a: n for a, n in e.axes.items() if a not in over}
        axes.update({a: n for a, n in o.axes.items() if a not in over})
        x = Expr(f'dot({e.text},{o.text},over={self.list(over)}' + (f',keep={self.list(keep)}' if keep else '') + ')', axes)
        return x if x.size() < 400000 else None

    def do_by(self, e):
        if e.axes.get('time') != 12:
            return None
        return Expr(f'{self.pick(["mean", "sum", "max"])}({e.text},by=time.season)', {})

    def do_take(self, e):
        a = self.pick(e.axes) if e.axes else None
        if not a or e.axes[a] < 4:
            return None
        return Expr(f'{e.text}[{a}=0,3,1]', dict(e.axes, **{a: 3}))

    def do_pad(self, e):
        a = self.pick(e.axes) if e.axes else None
        if not a or a in ('time', 'lat', 'lon'):
            return None
        return Expr(f'pad({e.text},{a}=(2,1),value=7)', dict(e.axes, **{a: e.axes[a] + 3}))

    def do_det(self, e):
        if e.axes.get('u') != 4 or e.axes.get('v') != 4:
            return None
        f = self.pick(['det', 'inv', 'cond'])
        return Expr(f'{f}({e.text},row=u,col=v)', e.axes if f == 'inv' else
                    {a: n for a, n in e.axes.items() if a not in 'uv'})

    def do_interp(self, e):
        if e.axes.get('lat') != 9:
            return None
        return Expr(f'interp({e.text},lat=(-33,0,41.5))', dict(e.axes, lat=3))

    def make(self):
        e = self.leaf()
        for _ in range(int(self.r.integers(1, 6))):
            e = self.step(e) or e
        return e

    def options(self, e):
        o = []
        if e.axes and self.r.random() < .3:
            o += ['--chunk', ','.join(f'{a}={int(self.r.integers(1, n + 1))}' for a, n in e.axes.items() if self.r.random() < .6) or
                  f'{list(e.axes)[0]}=2']
        if self.r.random() < .3:
            o += ['--compress', self.pick(['deflate:1', 'zstd', 'none'])]
        if self.r.random() < .1:
            o += ['--quantize', '3']
        if self.r.random() < .2:
            o += ['--dtype', self.pick(['f32', 'f64'])]
        if self.r.random() < .1:
            o += ['--fill', '-12345']
        if e.axes and self.r.random() < .1:
            o += ['--unlimited', self.pick(e.axes)]
        return o

    def words(self, e):
        """The statements, their operands, and options. Of several results, later ones may be made of earlier ones."""
        text, local, results, axes = e.text, [], [], dict(e.axes)
        while self.r.random() < .25 and len(results) < 3:
            o = self.make()
            if any(axes.get(a, n) != n for a, n in o.axes.items()):
                continue
            axes.update(o.axes)
            name = f'r{len(results)}'
            local.append(f'{name} = {o.text}')
            results.append(name)
            if self.r.random() < .5 and set(o.axes) <= set(e.axes):
                text = f'({text}) + {name}'
        if results:
            text = '; '.join(local + [', '.join(results + [f'last = {text}'])])
        return [text] + [f'{n}=../in.nc:{n}' for n in LEAVES if n in names_in(text)] + self.options(e)


def run(words, r=None):
    env = dict(os.environ)
    if r is not None:
        env.update(AXT_THREADS=str(int(r.integers(1, 4))))
        if r.random() < .5:
            env.update(AXT_TILE=str(int(r.integers(16, 3000))), AXT_SLAB=str(int(r.integers(64, 100000))))
    p = subprocess.run(words, capture_output=True, env=env, cwd=OUT, timeout=300, check=False)
    return p.returncode, p.stderr.decode()


def bytes_of(name):
    with open(os.path.join(OUT, name), 'rb') as f:
        return f.read()


SKIPPED = []


def check(t, seed):
    c = Case(seed)
    e = c.make()
    words = [f'{BIN}/axt-calc', '-q', *c.words(e)]
    for f in os.listdir(OUT):
        os.remove(os.path.join(OUT, f))
    rc, err = run(words + ['-o', 'plain.nc'])
    if rc:  # such as an axis that a function needs longer, or no number for missing values
        SKIPPED.append(err)
        return
    n = [1, 2, 7, 64][seed % 4]
    into = seed % 3 == 0
    for k in c.r.permutation(n) + 1:
        rc, err = run(words + ['--part', f'{k}/{n}'] + (['--into', 'whole.nc'] if into else ['-o', 'part.{}.nc']), c.r)
        if rc:
            t.ok(False, f'case {seed}: part {k}/{n}: {" ".join(words[2:])}: {err}')
            return
    parts = [f for f in os.listdir(OUT) if f.startswith('part.')]
    c.r.shuffle(parts)
    if not into:
        rc, err = run([f'{BIN}/axt-merge'] + parts + ['-o', 'whole.nc'], c.r)
    same = rc == 0 and bytes_of('plain.nc') == bytes_of('whole.nc')
    if not same:
        t.ok(False, f'case {seed}: {n} parts of {" ".join(words[2:])}: {err or "other bytes"}')


STATES = []
OPS = ['sum', 'mean', 'var', 'std', 'rms', 'min', 'max', 'ptp', 'argmin', 'argmax', 'any', 'all', 'count', 'norm1', 'norm2',
       'sumsq', 'logsumexp', 'prod']
SHAPES = [(37, 41, 53), (5000,), (100000,), (7, 64, 64), (3, 1000, 70), (1, 999, 33), (200, 2, 1, 77), (3, 400, 33),
          (5, 30, 1025), (3, 2000), (2049, 1)]


def states(t, seed):
    """A reduction to few results: parts are states of blocks, and what they are merged to has the bits of the whole."""
    r = np.random.default_rng(seed + 10**6)
    pick = lambda x: x[int(r.integers(len(x)))]
    shape = pick(SHAPES)
    axes = list('abcd'[:len(shape)])
    dtype = pick(['f4', 'f8', 'i2', 'u1', 'i8'])
    x = r.normal(0, 3, shape) * 10. ** r.integers(-3, 4) if dtype[0] == 'f' else r.integers(0, 9, shape)
    for f in os.listdir(OUT):
        os.remove(os.path.join(OUT, f))
    op = pick(OPS)
    with netCDF4.Dataset(os.path.join(OUT, 'in.nc'), 'w') as d:
        for a, n in zip(axes, shape):
            d.createDimension(a, n)
        chunks = dict(zlib=True, chunksizes=[int(r.integers(1, n + 1)) for n in shape]) if r.random() < .4 else {}
        v = d.createVariable('x', dtype, axes, fill_value=np.nan if dtype[0] == 'f' else None, **chunks)
        if dtype[0] == 'f' and r.random() < .5 and not op.startswith('arg'):
            x[r.random(shape) < .1] = np.nan
        v[:] = x
        along = pick(axes)
        d.createVariable('w', 'f8', (along,))[:] = r.random(len(d.dimensions[along]))
    over = sorted(r.permutation(axes)[:int(r.integers(1, len(axes) + 1))])
    operand = pick(['in.nc:x', 'in.nc:x', f'x - mean(x, over={axes[0]})', 'x * w'])
    words = [f'{BIN}/axt-reduce', op, '--over', ','.join(over)] if operand == 'in.nc:x' else None
    if words and op in ('sum', 'mean', 'var', 'std', 'rms') and r.random() < .5:
        words += ['--weights', 'in.nc:w']
    if words and op in ('var', 'std') and r.random() < .5:
        words += ['--ddof', '1']
    if words and dtype[0] == 'f' and r.random() < .3:
        words += ['--keep-nan']
    words = words + [operand] if words else \
        [f'{BIN}/axt-calc', '-q', f'{op}({operand}, over=({",".join(over)},))'.replace(',)', ')'), 'x=in.nc:x', 'w=in.nc:w']
    rc, err = run(words + ['-o', 'plain.nc'])
    if rc:
        SKIPPED.append(err)
        return
    n = pick([2, 3, 7, 13])
    for k in range(1, n + 1):
        rc, err = run(words + ['--part', f'{k}/{n}', '-o', 'part.{}.nc'], r)
        if rc:
            t.ok(False, f'states {seed}: part {k}/{n}: {" ".join(words)}: {err}')
            return
    parts = [f for f in os.listdir(OUT) if f.startswith('part.')]
    with h5py.File(os.path.join(OUT, sorted(parts)[0])) as f:
        STATES.append('axt_part_states' in f)
    r.shuffle(parts)
    rc, err = run([f'{BIN}/axt-merge'] + parts + ['-o', 'whole.nc'], r)
    if rc or bytes_of('plain.nc') != bytes_of('whole.nc'):
        t.ok(False, f'states {seed}: {n} parts of {" ".join(words)} of {dtype} {shape}: {err or "other bytes"}')


def names_in(text):
    word, out = '', set()
    for ch in text + ' ':
        if ch.isalnum() or ch in '._':
            word += ch
        else:
            out.add(word)
            word = ''
    return out


def piece(t):
    """A part is a file that h5py opens, with its slab and the coordinates of that."""
    run([f'{BIN}/axt-calc', 't*2', 't=../in.nc:t', '--part', '2/3', '-o', 'two.nc'])
    with h5py.File(os.path.join(OUT, 'two.nc')) as f, h5py.File(os.path.join(DIR, 'in.nc')) as g:
        t.ok(np.array_equal(f['t'][:], g['t'][4:8] * np.float32(2)) and np.array_equal(f['time'][:], g['time'][4:8]) and
             f.attrs['axt_part'] in (b'2/3', '2/3'), 'part 2 of 3 has the second third, with its coordinates')


def clean():
    for f in os.listdir(OUT):
        if os.path.isdir(f'{OUT}/{f}'):
            shutil.rmtree(f'{OUT}/{f}')
        else:
            os.remove(f'{OUT}/{f}')


def copies(t):
    """A copy is stored like its input: with checksums alone, or with other filters than a store of Zarr has."""
    clean()
    run([f'{BIN}/axt-copy', '../in.nc:m', '--compress', 'zstd', '-o', 'm.zarr'])
    for of in '../in.nc:sums', 'm.zarr':
        said = [run([f'{BIN}/axt-copy', of, *words]) for words in
                (['-o', 'plain.nc'], *(['--part', f'{k}/2', '--into', 'whole.nc'] for k in (1, 2)))]
        t.ok(not any(x[0] for x in said) and bytes_of('plain.nc') == bytes_of('whole.nc'),
             f'parts of a copy of {of} are stored as the whole', str(said))


def into(t):
    """--into: the last part makes the output; a part that is there is not made again; another job is refused."""
    clean()
    words = [f'{BIN}/axt-calc', '-q', 'm = mean(z, over=time); m, s = z * 2', 'z=../in.nc:z', '--compress', 'deflate']
    run(words + ['-o', 'plain.nc'])
    run([f'{BIN}/axt-make', 'iota', 'x=5', '-o', 'o.nc'])
    old = bytes_of('o.nc')

    def part(k, *more, what=words):
        return run(what + ['--part', f'{k}/5', '--into', 'o.nc', *more])

    said = [part(k) for k in (4, 1, 5, 2)]
    names = sorted(os.listdir(f'{OUT}/o.nc.parts'))
    t.ok(said == [(0, '')] * 4 and bytes_of('o.nc') == old and names == [f'{k}-of-5.nc' for k in (1, 2, 4, 5)] + ['job'],
         'parts wait beside the old output', f'{said} {names}')
    names.remove('job')
    was = {n: os.stat(f'{OUT}/o.nc.parts/{n}').st_mtime_ns for n in names}
    os.remove(f'{OUT}/o.nc.parts/2-of-5.nc')
    other = part(3, what=[w.replace('* 2', '* 3') for w in words])
    t.ok(other[0] == 1 and other[1].startswith('axt-calc: o.nc.parts has parts of another job') and
         'hint: rm -r o.nc.parts' in other[1], 'a part of another job is refused', other[1])
    damaged = f'{OUT}/o.nc.parts/1-of-5.nc'
    good = open(damaged, 'rb').read()
    with h5py.File(damaged, 'r+') as f:
        f['m'][0, 0] += 1
    said = [part(k) for k in (1, 2, 5, 3)]
    t.ok([x[0] for x in said] == [0, 0, 0, 1] and 'o.nc.parts/1-of-5.nc: its values are damaged' in said[3][1] and
         bytes_of('o.nc') == old and len(os.listdir(f'{OUT}/o.nc.parts')) == 6 and 'hint: rm o.nc.parts/1-of-5.nc, and make' in said[3][1],
         'a changed part is refused, and all stay', str(said))
    with open(damaged, 'wb') as f:
        f.write(good)
    kept = {n: os.stat(f'{OUT}/o.nc.parts/{n}').st_mtime_ns for n in ('4-of-5.nc', '5-of-5.nc')}
    said = part(4)
    t.ok(said == (0, '') and bytes_of('o.nc') == bytes_of('plain.nc') and sorted(os.listdir(OUT)) == ['o.nc', 'plain.nc'] and
         all(was[n] == kept[n] for n in kept), 'a job that was broken off goes on where it was', f'{said} {os.listdir(OUT)}')
    before = os.stat(f'{OUT}/o.nc').st_mtime_ns
    said = [part(k) for k in (1, 5)]
    t.ok(said == [(0, '')] * 2 and os.stat(f'{OUT}/o.nc').st_mtime_ns == before and sorted(os.listdir(OUT)) == ['o.nc', 'plain.nc'],
         'a job that is done is not begun again', f'{said} {os.listdir(OUT)}')
    os.utime(f'{OUT}/o.nc')
    said = [part(k) for k in (1, 2, 3, 4, 5)]
    t.ok(said == [(0, '')] * 5 and bytes_of('o.nc') == bytes_of('plain.nc') and sorted(os.listdir(OUT)) == ['o.nc', 'plain.nc'],
         'it is begun again where the output has changed since', f'{said} {os.listdir(OUT)}')
    cast = [f'{BIN}/axt-calc', '-q', 'cast(z * 1e6, i8)', 'z=../in.nc:z']
    bad, good = (run(cast + ['--part', '1/2', '--into', 'bad.nc']), run(cast + ['--part', '2/2', '--into', 'bad.nc']))
    t.ok(bad[0] == 1 and good[0] == 1 and os.listdir(f'{OUT}/bad.nc.parts') == ['job'], 'a part that fails leaves the folder to others', f'{bad} {good}')
    shutil.rmtree(f'{OUT}/bad.nc.parts')
    for target in 'p.zarr', 'o.nc:/g/', 'new.nc':
        all_at_once = [subprocess.Popen(words + ['--part', f'{k}/9', '--into', target], cwd=OUT, stderr=subprocess.PIPE) for k in range(1, 10)]
        said = [p.communicate()[1].decode() for p in all_at_once]
        t.ok(not any(p.returncode for p in all_at_once) and not any(f.endswith('.parts') for f in os.listdir(OUT)),
             f'nine parts at once make {target}', str([x for x in said if x]))
    run(words + ['-o', 'q.zarr'])
    same = [subprocess.run(['diff', '-r', 'p.zarr', 'q.zarr'], cwd=OUT, check=False).returncode, bytes_of('new.nc') == bytes_of('plain.nc')]
    t.ok(same == [0, True], 'a store that parts make is the one that one process makes', str(same))
    for words, want in ((['--into', 'x.nc'], '--into is where'), (['--part', '1/2', '--into', 'x.nc', '-o', 'y.nc'], 'takes the place'),
                        (['--part', '1/2', '--into', '../in.nc'], 'is an operand'), (['--part', '1/2', '--into', 'o.nc', '-N'], 'exists'),
                        (['--part', '3/2', '--into', 'x.nc'], 'from 1 to N'), (['--part', '1/2', '--into', 'nix/x.nc'], 'No such file'), (['--part', '1/2', '--into', '.'], 'is a directory')):
        rc, err = run([f'{BIN}/axt-mul', '../in.nc:z', '2', *words])
        t.ok(rc in (1, 2) and want in err and not any(f.endswith('.parts') for f in os.listdir(OUT)), f'{" ".join(words)} is refused', f'{rc} {err}')
    clean()


def grids(t):
    """Products and the like are cut along two axes, as each part then reads less of both operands."""
    make_products()
    for line in PRODUCTS:
        words = [x.strip("'") for x in re.findall(r"'[^']*'|[^ ]+", line)]
        words[0] = f'{BIN}/{words[0]}'
        for n in 4, 7, 12:
            clean()
            said = [run(words + ['-o', 'plain.nc']), run(words + ['-o', 'plain.zarr'])] + [run(words + ['--part', f'{k}/{n}', '-o', 'part.{}.nc']) for k in range(1, n + 1)]
            names = sorted(f for f in os.listdir(OUT) if f.startswith('part.'))
            said += [run([f'{BIN}/axt-merge'] + names + ['-o', whole]) for whole in ('whole.nc', 'whole.zarr')]
            stores = subprocess.run(['diff', '-r', 'plain.zarr', 'whole.zarr'], cwd=OUT, capture_output=True, check=False)
            slabs = []
            for name in names:
                with h5py.File(os.path.join(OUT, name)) as f:
                    slab = f.attrs['axt_part_slab']
                    slabs.append(slab if isinstance(slab, str) else slab.decode())
            slabs = [x.split(',') for x in slabs if x != 'nothing']
            along = [len(set(x)) for x in zip(*slabs)]
            t.ok(not any(x[0] for x in said) and bytes_of('plain.nc') == bytes_of('whole.nc') and stores.returncode == 0,
                 f'{n} parts of {line} have the bytes of the whole', f'{[x for x in said if x[0]]} {stores}')
            t.ok(len(along) > 1 and min(along) > 1 and np.prod(along) == len(slabs) > n * .7 and ';' not in str(slabs),
                 f'{n} parts of {line} are a grid', f'{along} {slabs}')
    clean()


def main():
    cases, seed = random_cases(48, 12, 4, 1)
    t = Tap()
    os.mkdir(OUT)
    make_files()
    piece(t)
    copies(t)
    into(t)
    grids(t)
    in_batches(t, cases, 'cases {}: parts have the bytes of the whole', lambda k: check(t, seed + k))
    t.ok(len(SKIPPED) <= cases / 4, f'{len(SKIPPED)} of {cases} expressions were none: {SKIPPED[:1]}')
    SKIPPED.clear()
    in_batches(t, cases, 'reductions {}: states of blocks are merged to the bytes of the whole', lambda k: states(t, seed + k))
    t.ok(len(SKIPPED) <= cases / 4, f'{len(SKIPPED)} of {cases} reductions were none: {SKIPPED[:1]}')
    t.ok(sum(STATES) >= cases / 8, f'{sum(STATES)} of {cases} jobs were cut into states')
    t.done()


if __name__ == '__main__':
    main()
