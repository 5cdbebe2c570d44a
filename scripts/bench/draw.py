"""Operands and parameters of a row of equivalents.py, drawn by chance; the files of the operands, and the NumPy call on them.

A function of this page draws for one kind of operations: files by their letters in the command line, and the parameters p that the
words in braces and the NumPy call take. Lengths are drawn so that the first file has about d.count elements.
"""
import os
import subprocess
from types import SimpleNamespace

import h5py
import numpy as np

NAMES = ['time', 'lev', 'lat', 'lon', 'run']
NO_COORD = 'This is a netCDF dimension but not a netCDF variable.'
AXT = {'f2': 'f16', 'f4': 'f32', 'f8': 'f64', 'c8': 'c64', 'c16': 'c128', '?': 'bool', **{f'{k}{n}': f'{k}{8 * n}' for k in 'iu' for n in (1, 2, 4, 8)}}
PACKERS = ['', '', 'deflate:4', 'deflate:1', 'zstd', 'lz4']


class Draw:
    """A case: ROW with the chances of RNG; its files together have about as many bytes as SIZES, (least, most), allow."""

    def __init__(self, row, rng, sizes):
        self.row, self.rng, self.files, self.p = row, rng, {}, SimpleNamespace(out=None, flops=0)
        self.dtype = np.dtype(self.any(row.dtypes))
        least, most = sizes
        self.bytes = np.exp(rng.uniform(np.log(least), np.log(max(least, min(most, row.most * 1e6)))))
        self.count = max(1, int(self.bytes / self.dtype.itemsize))
        self.mixed_result = ''
        self.numbers = {}
        self.part = False
        row.draw(self)

    # ---- chances ----

    def any(self, of):
        return of[int(self.rng.integers(len(of)))]

    def chance(self, part):
        return self.rng.random() < part

    def mixed(self, of):
        return [of[i] for i in self.rng.permutation(len(of))]

    def some(self, of):
        """At least one of them, in their order."""
        chosen = sorted(self.rng.permutation(len(of))[:int(self.rng.integers(1, len(of) + 1))])
        return [of[i] for i in chosen]

    def lengths(self, rank, count=None):
        """So many lengths whose product is about COUNT: some short, some long."""
        count = count or self.count
        parts = self.rng.dirichlet([.8] * rank)
        n = [max(1, int(round(np.exp(w * np.log(max(count, 1)))))) for w in parts]
        longest = int(np.argmax(n))
        n[longest] = max(1, count // int(np.prod([k for i, k in enumerate(n) if i != longest])))
        return n

    # ---- files ----

    def tensor(self, least=1, most=5, count=None, dims=None, shape=None):
        """The first file, with axes that are drawn; p.dims and p.shape tell them."""
        p = self.p
        p.dims = dims or self.mixed(NAMES)[:int(self.rng.integers(least, most + 1))]
        p.shape = shape or self.lengths(len(p.dims), count)
        p.out = list(p.dims)
        self.file('A', p.dims, p.shape)

    def file(self, letter, dims, shape, dtype=None, values=None, below=0):
        storage = SimpleNamespace(chunk=None, pack='')
        if not values and dims and self.chance(.4):
            storage.chunk = self.chunk(shape)
            storage.pack = self.any(PACKERS)
        self.files[letter] = SimpleNamespace(dims=list(dims), shape=[int(n) for n in shape], dtype=np.dtype(dtype or self.dtype),
                                             values=values or self.row.values, below=below, storage=storage, name='v' + letter.lower())

    def chunk(self, shape):
        """Lengths of a chunk of 16 KiB to 4 MiB, or of the whole."""
        most = np.exp(self.rng.uniform(np.log(16 << 10), np.log(4 << 20))) / self.dtype.itemsize
        lengths = [1] * len(shape)
        for i in self.rng.permutation(len(shape)):
            lengths[i] = int(max(1, min(shape[i], most)))
            if self.chance(.5):
                lengths[i] = int(self.rng.integers(1, lengths[i] + 1))
            most /= lengths[i]
        while np.prod([n / k for n, k in zip(shape, lengths)]) > 20000:     # what nobody writes
            i = int(np.argmax([n / k for n, k in zip(shape, lengths)]))
            lengths[i] = min(shape[i], lengths[i] * 2)
        return lengths

    def array(self, f):
        r, shape, kind = self.rng, f.shape, f.dtype.kind
        if f.values == 'labels':
            return (r.permutation(shape[0]) % f.below).astype(f.dtype)
        if f.values == 'positions':
            return r.integers(0, f.below, shape).astype(f.dtype)
        if kind == 'b':
            return r.random(shape, dtype='f4') > .5
        if kind in 'iu':
            low, high = (0, 8) if f.values == 'digits' else (1, 10 if f.dtype.itemsize == 1 else 100)
            return r.integers(low, high, shape, dtype=f.dtype)
        if kind == 'c':
            return (self.floats(f) + 1j * self.floats(f)).astype(f.dtype)
        a = self.floats(f)
        if f.values == 'holes':
            a[r.random(shape, dtype='f4') < .1] = np.nan
        if f.values == 'definite' and a.ndim == 3:
            a = (a + a.transpose(0, 2, 1)) / 2 + shape[-1] * np.eye(shape[-1])
        return a.astype(f.dtype, copy=False)

    def floats(self, f):
        """From 0.5 to 1.5, or from 0 to 2; with 12 bits where they are to be packed."""
        a = self.rng.random(f.shape, dtype='f8' if f.dtype in (np.dtype('f8'), np.dtype('c16')) else 'f4')
        if f.storage.pack:
            np.floor(a * 4096, out=a)
            a /= 4096
        if f.values == 'digits':
            a *= 2
        else:
            a += .5
        return a

    def write(self, d, bin):
        """Writes the files into a directory; their arrays by letter."""
        arrays = {}
        for letter, f in self.files.items():
            arrays[letter] = self.array(f)
            f.path = f'{d}/{letter.lower()}.h5'
            plain = f.path if not f.storage.chunk else f'{d}/plain.h5'
            write(plain, f.name, f.dims, arrays[letter])
            if f.storage.chunk:
                words = ['--chunk', ','.join(f'{x}={n}' for x, n in zip(f.dims, f.storage.chunk))]
                words += ['--compress', f.storage.pack] if f.storage.pack else []
                subprocess.run([f'{bin}/axt-copy', '-q', *words, plain, '-o', f.path], check=True)
                os.unlink(plain)
        return arrays

    # ---- what runs ----

    def line(self, d):
        """The command line with the files in a directory, and its output o.h5 there."""
        text = self.row.axt.format(**{k: ','.join(map(str, v)) if isinstance(v, list) else v for k, v in vars(self.p).items()})
        if self.mixed_result:
            text = text[:-len(' -o O')] + f' --axes {self.mixed_result} -o O'
        files = {**{k: f.path for k, f in self.files.items()}, **self.numbers, 'O': f'{d}/o.h5'}
        words = [name + eq + files.get(w, w) for name, eq, w in (w.rpartition('=') for w in text.split())]
        return ' '.join(w for w in words if w not in 'ABC' or not w)

    def call(self, arrays):
        """A function without arguments: NumPy's call on these arrays."""
        p, own = self.p, []
        for letter, f in self.files.items():
            a = arrays[letter]
            own.append(aligned(a, f.dims, p.dims) if letter == 'B' and self.row.draw in (pair, joint, weighted) else a)
        own += [self.dtype.type(v) for v in self.numbers.values()]
        if not self.mixed_result:
            return lambda: self.row.call(p, *own)
        to = self.mixed_result.split(',')

        def ordered():
            x = self.row.call(p, *own)
            have, p.out = p.out, to
            x = np.ascontiguousarray(x.transpose([have.index(n) for n in to]))
            p.first_out = have
            return x
        return ordered

    def order_result(self, out):
        """Now and then the result in another order of its axes."""
        if len(out) > 1 and self.chance(.15):
            self.mixed_result = ','.join(self.mixed(out))

    def describe(self):
        """The operands in words, which stand behind the command line."""
        text = []
        for letter, f in self.files.items():
            how = f' chunks ({",".join(map(str, f.storage.chunk))}) {f.storage.pack}'.rstrip() if f.storage.chunk else ''
            text.append(f'{letter.lower()}: {AXT[f.dtype.str[1:].replace("b1", "?")]} ({",".join(f"{x}={n}" for x, n in zip(f.dims, f.shape))}){how}')
        return '; '.join(text)


def write(path, name, dims, a):
    with h5py.File(path, 'w', track_order=True) as f:
        d = f.create_dataset(name, data=a)
        for i, n in enumerate(dims):
            s = f.create_dataset(n, shape=(a.shape[i],), dtype='>f4')
            s.make_scale(f'{NO_COORD}{a.shape[i]:10d}')
            d.dims[i].attach_scale(s)


def read(path, bin, name=''):
    """The axes and values of the only tensor of a file, or of the one of this name."""
    with h5py.File(path, 'r') as f:
        own = [name] if name else [k for k in f if isinstance(f[k], h5py.Dataset) and f[k].attrs.get('CLASS') != b'DIMENSION_SCALE' and
                                   not k.endswith('_bounds')]
        if len(own) != 1:
            raise RuntimeError(f'{path} has {len(own)} tensors: {own}')
        d = f[own[0]]
        if not d.id.get_create_plist().get_nfilters() or d.compression == 'gzip':
            return [d.dims[i][0].name.split('/')[-1] for i in range(d.ndim)], d[()]
    subprocess.run([f'{bin}/axt-copy', '-q', '--compress', 'none', path, '-o', path + '.plain'], check=True)    # h5py has not all filters
    return read(path + '.plain', bin, name)


def aligned(a, have, dims):
    """A view of an array over the axes HAVE that broadcasts against one over DIMS."""
    some = [x for x in dims if x in have]
    a = a.transpose([have.index(x) for x in some])
    return a.reshape([a.shape[some.index(x)] if x in some else 1 for x in dims])


# ---- kinds of operations ----

def same(d):
    d.tensor()
    d.order_result(d.p.dims)
    d.p.np_to = d.any([t for t in ('f4', 'f8', 'i4', 'i2', 'u1', 'f2', 'i8') if t != d.dtype])
    d.p.to = AXT[d.p.np_to]


def counts(d):
    d.tensor()
    d.p.bins = d.any([10, 100, 1000, 50000])


def shaped(d):
    """Operations that make other axes of the same elements, or more of them."""
    d.tensor()
    p, n = d.p, int(np.prod(d.p.shape))
    p.mix = [int(i) for i in d.rng.permutation(len(p.dims))]
    p.mixed = [p.dims[i] for i in p.mix]
    p.half = d.any([k for k in range(1, min(n, 999) + 1) if n % k == 0])
    p.rest = n // p.half
    place, p.repeat = int(d.rng.integers(len(p.dims) + 1)), d.any([2, 3, 5])
    p.place, p.new_dims = place, p.dims[:place] + ['new'] + p.dims[place:]
    p.new = p.dims[:place] + [f'new={p.repeat}'] + p.dims[place:]


def pair(d):
    """Two tensors: the second has the same axes, in another order maybe, or some of them, or is a number."""
    d.tensor()
    p, how = d.p, d.rng.random()
    if how < .15 and d.dtype.kind != 'b' and d.row.axt.endswith('A B -o O') and '|' not in d.row.axt:
        d.numbers['B'] = '2'
    else:
        dims = p.dims if how < .45 else d.mixed(p.dims) if how < .7 else d.mixed(d.some(p.dims))
        d.file('B', dims, [p.shape[p.dims.index(x)] for x in dims])
    d.order_result(p.dims)


def reduced(d):
    """Axes to reduce over."""
    p = d.p
    p.over = tuple(p.dims.index(x) for x in d.some(p.dims))
    p.over_names = [p.dims[i] for i in p.over]
    p.out = [x for x in p.dims if x not in p.over_names]


def over(d):
    d.tensor()
    reduced(d)
    d.order_result(d.p.out)


def joint(d):
    """Two tensors of the same axes, and axes to reduce over."""
    d.tensor()
    p, dims = d.p, d.mixed(d.p.dims) if d.chance(.4) else d.p.dims
    d.file('B', dims, [p.shape[p.dims.index(x)] for x in dims])
    reduced(d)


def weighted(d):
    """A tensor, axes to reduce over, and weights over some of these."""
    d.tensor()
    reduced(d)
    p = d.p
    dims = d.mixed(d.some(p.over_names))
    d.file('B', dims, [p.shape[p.dims.index(x)] for x in dims])


def along(d):
    """A tensor, and one of its axes."""
    d.tensor()
    p = d.p
    long = [i for i, n in enumerate(p.shape) if n > 3]
    p.axis = d.any(long) if long else int(np.argmax(p.shape))
    if p.shape[p.axis] < 4:             # too short for padding, slopes and windows
        p.shape[p.axis] = 4
        d.files.clear()
        d.file('A', p.dims, p.shape)
    p.along, p.by = p.dims[p.axis], int(d.rng.integers(1, p.shape[p.axis]))


def window(d):
    along(d)
    n = d.p.shape[d.p.axis]
    d.p.wide = min(n, d.any([2, 3, 5, 7, 15, 31, 64, 65, 100, 365]))


def filtered(d):
    """A tensor, windows along one or two of its axes, and weights of their elements."""
    along(d)
    p = d.p
    p.axes = [p.axis] + [i for i, n in enumerate(p.shape) if i != p.axis and n > 3][:int(d.chance(.6))]
    p.lengths = [min(p.shape[i], d.any([2, 3, 5, 7])) for i in p.axes]
    p.windows = ' '.join(f'{p.dims[i]}=w{k}:{n}' for k, (i, n) in enumerate(zip(p.axes, p.lengths)))
    p.taps = ','.join(f'w{k}' for k in range(len(p.axes)))
    d.file('B', p.taps.split(','), p.lengths)


def labels(d):
    """A tensor, an axis, and labels along it, each of which there is."""
    along(d)
    p = d.p
    n = p.shape[p.axis]
    d.file('K', [p.along], [n], 'i4', 'labels', max(1, min(n, int(np.exp(d.rng.uniform(0, np.log(n)))))))
    p.out = ['vk' if x == p.along else x for x in p.dims]


def index(d):
    """A tensor, an axis, and positions along it: every one of a step, or any."""
    along(d)
    p, n = d.p, d.p.shape[d.p.axis]
    a, b = sorted(d.rng.permutation(n + 1)[:2])
    p.bounds = int(a), int(b), d.any([1, 1, 2, 3])
    p.cut = ':'.join(map(str, p.bounds))
    p.indexed = ['some' if x == p.along else x for x in p.dims]
    d.part = True
    if 'K' in d.row.axt.replace('=', ' ').split():
        d.file('K', ['some'], [max(1, int(np.exp(d.rng.uniform(0, np.log(2 * n)))))], 'i4', 'positions', n)


def points(d):
    """A tensor, and positions of points along its first two axes."""
    d.tensor(2, 4)
    p = d.p
    p.first, p.second = p.dims[:2]
    n = int(np.exp(d.rng.uniform(0, np.log(p.shape[0] * p.shape[1] + 1))))
    for letter, below in zip('KL', p.shape):
        d.file(letter, ['some'], [max(1, n)], 'i4', 'positions', below)
    p.out = ['some'] + p.dims[2:]
    d.part = True


def concatenated(d):
    """Two or three tensors of the same axes."""
    n = d.any([2, 3])
    d.tensor(count=max(1, d.count // n))
    p = d.p
    p.axis = int(d.rng.integers(len(p.dims)))
    p.along = p.dims[p.axis]
    for letter in 'BC'[:n - 1]:
        d.file(letter, p.dims, p.shape)


def product(d):
    """Two tensors, some of whose axes are summed over, some kept, in any order; at most 2e10 operations."""
    names = iter('bcdefghij')
    groups = {g: [next(names) for _ in range(int(d.rng.integers(low, high + 1)))]
              for g, low, high in (('keep', 0, d.any([0, 0, 1])), ('left', 0, 2), ('right', 0, 2), ('sum', 1, d.any([1, 1, 2])))}
    p, most = d.p, d.count
    while True:
        size = {g: d.lengths(len(x), max(1, int(np.exp(d.rng.uniform(0, np.log(most)))))) if x else [] for g, x in groups.items()}
        n = {g: float(np.prod(s)) for g, s in size.items()}
        largest = n['keep'] * max(n['left'] * n['sum'], n['sum'] * n['right'], n['left'] * n['right'])
        p.flops = 2 * float(np.prod(list(n.values())))
        if d.count / 4 <= largest <= d.count and p.flops < 2e10:
            break
        most = max(2, most * .98)
    lengths = {x: k for g in groups for x, k in zip(groups[g], size[g])}
    a, b = (d.mixed([x for g in ('keep', side, 'sum') for x in groups[g]]) for side in ('left', 'right'))
    kept = [x for x in a if x not in groups['sum']]
    p.dims, p.out = a, kept + [x for x in b if x not in groups['sum'] and x not in kept]
    p.spec = f'{"".join(a)},{"".join(b)}->{"".join(p.out)}'
    p.keep = f' --keep {",".join(groups["keep"])}' if groups['keep'] else ''
    d.file('A', a, [lengths[x] for x in a])
    d.file('B', b, [lengths[x] for x in b])


def matrices(d):
    n = d.any([2, 3, 4, 6, 8, 16, 50, 200])
    while n * n > d.count:
        n = max(1, n // 2)
    d.tensor(dims=['many', 'r', 'c'], shape=[max(1, d.count // (n * n)), n, n])
    out = {'det': ['many'], 'eigh': ['many', 'mode'], 'svd': ['many', 'mode']}
    d.p.out = out.get(d.row.name, d.p.dims)


def systems(d):
    matrices(d)
    many, n = d.p.shape[:2]
    d.file('B', ['many', 'r'], [many, n])
    d.p.out = ['many', 'c']
