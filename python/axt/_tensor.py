"""Tensors: what they are, operators, values, files. Operations are made in _operations.py of what the library says of them."""
import ctypes
import operator
import os
import re

import numpy as np

from . import _graph
from ._graph import Recipe, held
from ._library import DTYPES, Auxiliary, InfoOptions, OpenOptions, PrintOptions, SaveOptions, Values, checked, decoded, encoded, lacks, lib, printed

NAMES = {number: name for name, number in DTYPES.items()}
# bfloat16 is none of NumPy's dtypes: its values are given as float32.
NUMPY = {DTYPES[name]: np.dtype(kind) for name, kind in {
    'bool': '?', 'i8': 'i1', 'i16': 'i2', 'i32': 'i4', 'i64': 'i8', 'u8': 'u1', 'u16': 'u2', 'u32': 'u4', 'u64': 'u8',
    'f16': 'f2', 'bf16': 'f4', 'f32': 'f4', 'f64': 'f8', 'c64': 'c8', 'c128': 'c16'}.items()}
CODES = {kind: number for number, kind in reversed(NUMPY.items()) if NAMES[number] != 'bf16'}


def array_of(nodes):
    return (ctypes.c_void_p * max(len(nodes), 1))(*nodes)


def from_values(v):
    """struct axt_values as an array; texts as an array of str."""
    if not v.dtype:
        texts = ctypes.cast(v.data, ctypes.POINTER(ctypes.c_char_p))
        return np.array([texts[i].decode(errors='surrogateescape') for i in range(v.n)], object)
    size = v.n * lib.dtype_bytes(v.dtype)
    raw = ctypes.string_at(v.data, size) if size else b''
    if NAMES[v.dtype] == 'bf16':
        return (np.frombuffer(raw, 'u2').astype('u4') << 16).view('f4')
    return np.frombuffer(raw, NUMPY[v.dtype]).copy()


def to_values(x):
    """An array, a number or texts as struct axt_values, and what has to stay while that is used."""
    x = np.atleast_1d(np.asarray(x))
    if x.dtype.kind in 'OUS':
        texts = [os.fsencode(t) for t in x.ravel().tolist()]
        data = (ctypes.c_char_p * len(texts))(*texts)
        return Values(0, len(texts), ctypes.cast(data, ctypes.c_void_p)), data
    x = np.ascontiguousarray(x, x.dtype.newbyteorder('='))
    if x.dtype not in CODES:
        raise TypeError(f'there are no attributes and coordinates of {x.dtype}')
    return Values(CODES[x.dtype], x.size, x.ctypes.data), x


def attributes(node, what):
    """Attributes of a node, of one of its axes, or of its file."""
    out, v, what = {}, Values(), encoded(what)
    while name := lib.expr_attr_name(node, what, len(out)):
        a = from_values(v) if lib.expr_attr(node, what, name, ctypes.byref(v)) else np.array([], object)
        out[decoded(name)] = a[0] if len(a) == 1 else a.tolist() if a.dtype == object else a
    return out


def typed(name):
    """The name of an axis as it is typed in lists and in front of = and @."""
    return ''.join('\\' + c if c in '\\,=@:' else c for c in str(name))


class Tensor:
    """A tensor whose axes have names: dtype, axes, coordinates and attributes are known, values are computed when they are asked for.

    t.mean(over="time"), t - u, t["time=0"], t[0, :5], t.to_numpy(), t.to_xarray(), t.save("b.nc"). dir(axt.Tensor) has all operations.
    """
    __slots__ = ('_recipe', '_at', '_graph', '_code', 'name', 'dims', 'shape', '__weakref__')
    __hash__ = object.__hash__
    __array_ufunc__ = None

    def __getattr__(self, name):
        raise lacks('a tensor', name, dir(type(self)))

    # ---- made of recipes ----

    def __reduce__(self):
        return of_recipe, (self._recipe, (), self._at)

    def _describe(self, node):
        rank = lib.expr_rank(node)
        return (lib.expr_dtype(node), tuple(decoded(lib.expr_axis(node, i)) for i in range(rank)),
                tuple(lib.expr_len(node, i) for i in range(rank)))

    def _node(self, graph):
        return graph.nodes[self._recipe][self._at]

    def _is(self, graph):
        """Whether it is in that graph what it was when it was made."""
        return self._graph is graph or self._describe(self._node(graph)) == (self._code, self.dims, self.shape)

    # ---- what it is ----

    @property
    def dtype(self):
        """The dtype of to_numpy()."""
        return NUMPY[self._code]

    @property
    def kind(self):
        """The library's word for the dtype, such as "f32"; "bf16" is float32 to NumPy."""
        return NAMES[self._code]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=object))

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def sizes(self):
        return dict(zip(self.dims, self.shape))

    @property
    def attrs(self):
        """Attributes, without those that tell how values are packed in a file."""
        return self.attrs_of(None)

    def attrs_of(self, what):
        """Attributes of the axis of that name; of the file for ""; of the tensor for None."""
        with held([self]) as g:
            return attributes(self._node(g), what)

    @property
    def coords(self):
        """The coordinates of the axes that have some, as arrays: numbers as they are stored, or text."""
        out, v = {}, Values()
        with held([self]) as g:
            for i, name in enumerate(self.dims):
                if lib.expr_coord(self._node(g), i, ctypes.byref(v)):
                    out[name] = from_values(v)
        return out

    @property
    def auxiliary(self):
        """What goes along, {name: (axes, values as stored, attributes)}: bounds, coordinates that are no axes, grid mappings."""
        out, x, i = {}, Auxiliary(), 0
        with held([self]) as g:
            node = self._node(g)
            while lib.expr_auxiliary(node, i, ctypes.byref(x)):
                if x.values.data:
                    shape = list(x.len[:x.rank])
                    out[decoded(x.name)] = [*map(decoded, x.axis[:x.rank])], from_values(x.values).reshape(shape), attributes(node, decoded(x.name))
                i += 1
        return out

    def _ends(self):
        """Of each axis its first and last coordinate as text, or nothing."""
        v = Values()
        with held([self]) as g:
            node = self._node(g)
            return [[decoded(lib.index_text(g.handle, node, i, k)) for k in sorted({0, n - 1})]
                    if n and lib.expr_coord(node, i, ctypes.byref(v)) else [] for i, n in enumerate(self.shape)]

    def __repr__(self):
        lines = [' '.join(['<axt.Tensor', *filter(None, [self.name]), self.kind, *(f'{d}={n}' for d, n in self.sizes.items())]) + '>']
        lines += [f'  {d}: {" ... ".join(ends)}' for d, ends in zip(self.dims, self._ends()) if ends]
        return '\n'.join(lines + [f'  {name}: {value}' for name, value in list(self.attrs.items())[:8]])

    def _repr_html_(self):
        import html
        def row(*cells):
            return '<tr>' + ''.join(f'<td>{html.escape(str(c))}</td>' for c in cells) + '</tr>'
        axes = [row(d, n, ' ... '.join(ends)) for (d, n), ends in zip(self.sizes.items(), self._ends())]
        attrs = [row(*item) for item in self.attrs.items()]
        return (f'<div><b>axt.Tensor {html.escape(self.name or "")}</b> {self.kind}, not computed yet'
                f'<table><tr><th>axis</th><th>length</th><th>coordinates</th></tr>{"".join(axes)}</table>'
                f'<details><summary>{len(attrs)} attributes</summary><table>{"".join(attrs)}</table></details></div>')

    # ---- values ----

    def to_numpy(self):
        """The values, computed into a new array."""
        t = self.cast('f32') if self.kind == 'bf16' else self
        out = np.empty(t.shape, t.dtype)
        with held([t]) as g:
            lib.eval(g.handle, t._node(g), out.ctypes.data, out.nbytes)
            g.check()
        return out

    values = property(to_numpy, doc='to_numpy()')

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError('values are computed: there is nothing to share without a copy')
        return self.to_numpy().astype(dtype or self.dtype, copy=False)

    def __dlpack__(self, **how):
        return self.to_numpy().__dlpack__(**how)

    def __dlpack_device__(self):
        return 1, 0

    def item(self):
        """The only value, as a number of Python."""
        return self.to_numpy().item()

    def __bool__(self):
        return bool(self.to_numpy())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __complex__(self):
        return complex(self.item())

    def __len__(self):
        if not self.shape:
            raise TypeError('a tensor without axes has no length')
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        """By position as an array: t[0, 2:9, [1, 5]]; a list takes from its axis alone. As axt-slice: t["time=0", "lat@-30:30"], t[{"lat@": 45}]."""
        keys = key if isinstance(key, tuple) else (key,)
        if keys and all(isinstance(k, (str, dict)) for k in keys):
            return self.slice(*keys)
        if any(k is None or isinstance(k, (str, dict)) for k in keys):
            raise IndexError('positions and words do not mix, and .expand() makes new axes')
        if Ellipsis in [k for k in keys if k is Ellipsis]:
            at = next(i for i, k in enumerate(keys) if k is Ellipsis)
            keys = keys[:at] + (slice(None),) * (self.ndim - len(keys) + 1) + keys[at + 1:]
        if len(keys) > self.ndim:
            raise IndexError(f'{len(keys)} indices for {self.ndim} axes')
        sliced, taken = [], []
        for d, n, k in zip(self.dims, self.shape, keys):
            if isinstance(k, slice):
                sliced += [] if k == slice(None) else [(d, k)]
            elif np.ndim(k) == 0:
                if isinstance(k, (bool, np.bool_)):
                    raise IndexError('a single bool is no position')
                k = operator.index(k)
                if not -n <= k < n:
                    raise IndexError(f'{d} has {n} elements, and none at {k}')
                sliced.append((d, k))
            else:
                taken.append((d, k))
        t = self
        if sliced:
            t = t.slice(*({d: k} for d, k in sliced))
        for d, k in taken:
            t = t.take({d: k})
        return t

    # ---- names, attributes, coordinates ----

    def _set(self, function, *data):
        t = of_recipe(Recipe(function, data, [(self._recipe, self._at)]), [self])
        return t

    def set_name(self, name):
        """The same under another name, which files have it by."""
        return self._set(_set_name, name)

    def set_attrs(self, attrs, of=None):
        """With attributes: of the tensor, of the axis `of`, or of the file for ""; None removes one."""
        return self._set(_set_attrs, of, dict(attrs)) if attrs else self

    def set_coords(self, coords):
        """With coordinates, {axis: numbers or texts}; None removes them."""
        return self._set(_set_coords, dict(coords)) if coords else self

    # ---- files, and other programs ----

    def save(self, file, **how):
        """axt.save(file, self, ...)"""
        save(file, self, **how)

    def explain(self):
        """The plan, as text: steps, what is fused, bytes."""
        with held([self]) as g:
            text, _ = printed(lib.explain, g.handle, array_of([self._node(g)]), 1)
            g.check()
        return text

    def to_xarray(self):
        """A DataArray with values, coordinates, dates and attributes as xarray has them of a file."""
        from ._xarray import to_xarray
        return to_xarray(self)


def of_recipe(recipe, operands=(), at=0):
    """The tensor that a recipe is, which is built now: errors are told here."""
    with held(operands, recipe) as g:
        t = object.__new__(Tensor)
        t._recipe, t._at, t._graph = recipe, at, g
        node = t._node(g)
        t._code, t.dims, t.shape = t._describe(node)
        t.name = decoded(lib.expr_name(node))
    # what a node keeps of axes, such as their coordinates
    g.bytes += 8 * sum(t.shape)
    return t


# ---- functions of recipes: (handle, nodes, data) -> nodes ----

def _set_name(handle, nodes, data):
    return [lib.set_name(handle, nodes[0], encoded(data[0]))]


def _set_attrs(handle, nodes, data):
    node, of = nodes[0], encoded(data[0])
    for name, value in data[1].items():
        v, keep = (None, None) if value is None else to_values(value)
        node = lib.set_attr_values(handle, node, of, encoded(name), ctypes.byref(v) if v else None)
        del keep
    return [node]


def _set_coords(handle, nodes, data):
    node = nodes[0]
    for axis, value in data[0].items():
        v, keep = (None, None) if value is None else to_values(value)
        node = lib.set_coord_values(handle, node, encoded(axis), ctypes.byref(v) if v else None)
        del keep
    return [node]


def _open(handle, nodes, data):
    operand, how = data
    return [lib.open(handle, encoded(operand), ctypes.byref(checked(OpenOptions, {**how, 'dataset': encoded(how.get('dataset'))})))]


def _number(handle, nodes, data):
    return [lib.number(handle, encoded(data))]


def _memory(handle, nodes, data):
    array, dims = data
    axes = ','.join(f'{typed(d)}={n}' for d, n in zip(dims, array.shape))
    strides = (ctypes.c_int64 * max(array.ndim, 1))(*(s // array.itemsize for s in array.strides))
    return [lib.tensor(handle, CODES[array.dtype], encoded(axes), array.ctypes.data, strides)]


def _calc(handle, nodes, data):
    text, names, most = data
    out = (ctypes.c_void_p * most)()
    words = (ctypes.c_char_p * max(len(names), 1))(*map(encoded, names))
    n = lib.calc(handle, encoded(text), words, array_of(nodes), len(nodes), out, most)
    return list(out[:n])


# ---- where tensors come from ----

def open(operand, dataset=None, **how):
    """A tensor in a file: FILE, FILE:DATASET, FILE:AXIS or FILE:AXIS.month; any file that axt reads: HDF5, netCDF, Zarr, npy, ...

    raw=True: stored values without unpacking them; keep_unclear, duplicate_axes, allow_external, stale: as in lib/axt.h.
    """
    return of_recipe(Recipe(_open, (os.fsdecode(operand), dict(how, dataset=dataset))))


def datasets(file):
    """What is in a file, as {path: operand for axt.open}: tensors, then numbers that belong to them, then text."""
    names, paths = ctypes.c_void_p(), ctypes.c_void_p()
    tensors, texts = ctypes.c_int(), ctypes.c_int()
    g = _graph.Graph()
    n = lib.names(g.handle, encoded(file), ctypes.byref(names), ctypes.byref(paths), ctypes.byref(tensors), ctypes.byref(texts))
    g.check()
    names, paths = (ctypes.cast(x, ctypes.POINTER(ctypes.c_char_p)) for x in (names, paths))
    return {decoded(paths[i]): decoded(names[i]) for i in range(n)}


def described(operand):
    """What `axt-info --json` says of a file, or of a dataset of it."""
    import json
    g = _graph.Graph()
    told, _ = printed(lib.info, g.handle, encoded(operand), ctypes.byref(InfoOptions(form=1)))
    g.check()
    return json.loads(told)


def unescaped(shown):
    """Characters that cannot be shown are printed as their bytes: \\xc3\\x84."""
    return bytes.fromhex(shown[0].replace('\\x', '')).decode(errors='replace')


def text(operand):
    """A dataset of text: its axes, an array of str, its attributes."""
    g = _graph.Graph()

    def print_to(file):
        return lib.print_text(g.handle, encoded(operand), None, ctypes.byref(PrintOptions(out=file)))
    lines, _ = printed(print_to)
    g.check()
    lines = [re.sub(r'(\\x[0-9a-f]{2})+', unescaped, line) for line in lines.split('\n')[:-1]]
    about = described(operand)['tensors'][0]
    # of an array of characters, the last axis makes the texts
    rank = about['rank'] - (np.prod(about['shape'], dtype=int) != len(lines))
    return about['axes'][:rank], np.array(lines, object).reshape(about['shape'][:rank]), about['attributes']


def number(x):
    """A number that takes the kind of the tensor it meets."""
    return of_recipe(Recipe(_number, repr(x)))


def tensor(x, axes=None, coords=None, name=None, attrs=None):
    """An array whose axes get names: axes is "lat,lon" or a list; coords is {axis: values}.

    Takes NumPy's arrays, what has the buffer interface, __array_interface__ or __dlpack__, and xarray's DataArray, which has names.
    Values are not copied, unless their byte order is foreign; they must not change while tensors that are made of them are used.
    """
    if isinstance(x, Tensor):
        return x
    if type(x).__module__.partition('.')[0] == 'xarray':
        from ._xarray import from_xarray
        return from_xarray(x)
    if not isinstance(x, np.ndarray):
        x = np.from_dlpack(x) if hasattr(x, '__dlpack__') and not hasattr(x, '__array_interface__') else np.asarray(x)
    axes = [] if axes is None else [a.strip() for a in axes.split(',')] if isinstance(axes, str) and axes else list(axes)
    dated = [v for v in (x, *map(np.asarray, (coords or {}).values())) if v.dtype.kind in 'mM']
    if dated and len(axes) == x.ndim:
        import xarray
        return tensor(xarray.DataArray(x, coords, axes, name, attrs))
    if len(axes) != x.ndim:
        names = ','.join('yx'[-x.ndim:] if x.ndim < 3 else (f'dim_{i}' for i in range(x.ndim)))
        raise TypeError(f'the axes of an array have no names: axt.tensor(x, axes="{names}") gives them')
    if x.dtype.newbyteorder('=') not in CODES:
        raise TypeError(f'there are no tensors of {x.dtype}')
    if not x.dtype.isnative or any(s % x.itemsize for s in x.strides) or not x.flags.aligned:
        x = x.astype(x.dtype.newbyteorder('='), order='C')
    t = of_recipe(Recipe(_memory, (x, axes), size=x.nbytes))
    t = t.set_coords(coords or {}).set_attrs(attrs or {})
    return t.set_name(name) if name else t


def operand(x):
    """What an operation is given, as a tensor: a number, the name of a file, an array that has names of axes."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, (str, os.PathLike)):
        return open(x)
    if isinstance(x, (np.generic, np.ndarray)) and np.ndim(x) == 0:
        x = x.item()
    if isinstance(x, (int, float)) and not isinstance(x, bool):
        return number(x)
    return tensor(x)


def calc(text, /, **operands):
    """What an expression of axt-calc says, with names for tensors: calc("sqrt(mean((a - b)^2))", a=t, b="b.nc:tas").

    Several results are a dict of them.
    """
    names, tensors = list(operands), [operand(x) for x in operands.values()]
    recipe = Recipe(_calc, (text, names, 64), [(t._recipe, t._at) for t in tensors])
    first = of_recipe(recipe, tensors)
    with held([first]) as g:
        n = len(g.nodes[recipe])
    several = [first] + [of_recipe(recipe, [first], k) for k in range(1, n)]
    return first if n == 1 else {t.name: t for t in several}


def save(file, *tensors, history=None, **how):
    """Writes tensors to a file, FILE or FILE:DATASET, atomically; its name tells the format: .nc, .h5, .zarr, .npy, .csv, ...

    no_clobber, force, compress, shuffle, quantize, chunk, unlimited, size, layout, rest_of: as options of axt-copy.
    """
    tensors = [operand(t) for t in tensors]
    how = {k: v if isinstance(v, bool) else encoded(words(v)) for k, v in how.items()}
    to = checked(SaveOptions, {'output': encoded(file), 'history': encoded(history), **how})
    with held(tensors) as g:
        lib.save(g.handle, array_of([t._node(g) for t in tensors]), len(tensors), ctypes.byref(to))
        g.check()


def words(x):
    """A value as it is typed: [1, 2] as 1,2 and {"x": 3} as x=3 and slice(0, 9) as 0:9."""
    if isinstance(x, bool):
        return str(x).lower()
    if isinstance(x, slice):
        parts = [x.start, x.stop] + [x.step] * (x.step is not None)
        return ':'.join('' if p is None else words(p) for p in parts)
    if isinstance(x, dict):
        return ','.join(f'{typed(k)}={words(v)}' for k, v in x.items())
    if isinstance(x, np.datetime64):
        return str(x)
    if isinstance(x, (list, tuple, np.ndarray)) and np.ndim(x):
        return ','.join(words(v) for v in (x.tolist() if isinstance(x, np.ndarray) and x.dtype.kind != 'M' else x))
    if isinstance(x, type) or isinstance(x, np.dtype):
        return np.dtype(x).name
    return repr(x.item()) if isinstance(x, (np.generic, np.ndarray)) and not isinstance(x, np.str_) else str(x)
