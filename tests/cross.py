#!/usr/bin/python3
"""Random tensors through axt and through NumPy: cross.py [CASES [SEED]].

Shapes of rank 0 to 8, axes of length 0 and 1, any order of axes, all dtypes, NaN; written by h5py,
netCDF4-python and xarray in all their layouts, read back by h5py and xarray. `cross.py 1 SEED` repeats one case:
the seed of a case stands in its name.
"""
import os
import warnings

import h5py
import netCDF4
import numpy as np
import xarray as xr

from axtlib import Named, Tap, axt, put_h5, random_cases, read_h5, same, same_named, scratch, union

warnings.simplefilter('ignore')
INTS = ['i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8']
FLOATS = ['f2', 'f4', 'f8']
COMPLEX = ['c8', 'c16']
AXT = {'i1': 'i8', 'i2': 'i16', 'i4': 'i32', 'i8': 'i64', 'u1': 'u8', 'u2': 'u16', 'u4': 'u32', 'u8': 'u64',
       'f2': 'f16', 'f4': 'f32', 'f8': 'f64', 'c8': 'c64', 'c16': 'c128', '?': 'bool'}
NAMES = ['time', 'lat', 'lon', 'xx', 'y*', 'M', 'M*', 'level', 'a.b', 'Höhe', 'b_', 'N*2']
EPS = {'f2': 1e-3, 'f4': 1.2e-7, 'f8': 2.3e-16, 'c8': 1.2e-7, 'c16': 2.3e-16}


def kind(a):
    return a.dtype.str[1:].replace('b1', '?')


class Maker:
    """Random tensors and files of one case."""

    def __init__(self, seed, d):
        self.r, self.d, self.n = np.random.default_rng(seed), d, 0
        # One length per name for the whole case, so that operands fit.
        self.len = {n: int(self.r.choice([0, 1, 1, 2, 3, 4, 5, 7, 17], p=[.03, .12, .1, .2, .2, .15, .1, .07, .03]))
                    for n in NAMES}
        self.coord = {n: (np.sort(self.r.standard_normal(self.len[n])) if self.r.random() < .3 and self.len[n]
                          else None) for n in NAMES}

    def pick(self, xs):
        return xs[int(self.r.integers(len(xs)))]

    def dims(self, lo=0, hi=8, of=NAMES, cap=20000):
        k = min(int(self.r.integers(lo, hi + 1)), len(of))
        dims = [of[i] for i in self.r.permutation(len(of))[:k]]
        while np.prod([self.len[n] for n in dims], dtype=float) > cap:
            dims.pop()
        return dims

    def values(self, dtype, shape, nan=.1):
        r = self.r
        if dtype == '?':
            return r.random(shape) < .5
        if dtype[0] in 'iu':
            lo = -20 if dtype[0] == 'i' else 0
            return r.integers(lo, 21, shape).astype(dtype)
        a = np.round(r.standard_normal(shape) * r.choice([1, 10, 100]), 3)
        if dtype[0] == 'c':
            return (a + 1j * np.round(r.standard_normal(shape) * 10, 3)).astype(dtype)
        a = np.asarray(a.astype(dtype))
        if nan and r.random() < .3:
            a[r.random(shape) < nan] = np.nan
        return a

    def tensor(self, dtype, dims, nan=.1):
        a = self.values(dtype, [self.len[n] for n in dims], nan)
        return Named(dims, a, {n: self.coord[n] for n in dims if self.coord[n] is not None})

    def path(self, ext='nc'):
        self.n += 1
        return f'{self.d}/{self.n}.{ext}'

    def file(self, t):
        """Writes it in one of many ways."""
        k = kind(t.a)
        how = self.pick(['h5py', 'h5py', 'netcdf4', 'xarray', 'h5netcdf'])
        if k in ('?', 'f2', 'c8', 'c16') or 0 in t.a.shape:
            how = 'h5py'
        p = self.path()
        if how == 'h5py':
            self.by_h5py(p, t)
        elif how == 'netcdf4':
            self.by_netcdf4(p, t)
        else:
            da = xr.DataArray(t.a, dims=t.dims, coords={k: v for k, v in t.coords.items()}, name='x')
            # No _FillValue: NaN is a value here, as it is for NumPy
            enc = {v: {'_FillValue': None} for v in ['x'] + list(t.coords)}
            da.to_netcdf(p, engine='netcdf4' if how == 'xarray' else 'h5netcdf', encoding=enc)
        return p

    def by_h5py(self, p, t):
        kw = {}
        if kind(t.a)[0] in 'iufc' and self.r.random() < .3:
            kw['dtype'] = t.a.dtype.newbyteorder('>')
        if t.a.ndim and self.r.random() < .5:
            kw['chunks'] = tuple(int(self.r.integers(1, n + 1)) if n else 1 for n in t.a.shape)
            kw['compression'] = self.pick([None, 'gzip'])
            kw['shuffle'] = bool(self.r.random() < .5)
            kw['fletcher32'] = bool(self.r.random() < .3)
        with h5py.File(p, 'w', track_order=bool(self.r.random() < .7),
                       libver=self.pick(['earliest', 'latest'])) as f:
            put_h5(f, t, 'x', **kw)

    def by_netcdf4(self, p, t):
        with netCDF4.Dataset(p, 'w') as f:
            unlimited = t.dims[0] if t.dims and self.r.random() < .2 else None
            for n, k in zip(t.dims, t.a.shape):
                f.createDimension(n, None if n == unlimited else k)
                if n in t.coords:
                    f.createVariable(n, 'f8', (n,), fill_value=False)[:] = t.coords[n]
            kw = {}
            if t.dims and self.r.random() < .5:
                kw = dict(zlib=bool(self.r.random() < .7), shuffle=bool(self.r.random() < .5),
                          fletcher32=bool(self.r.random() < .3))
            elif t.dims and not unlimited:
                kw = dict(contiguous=True)
            if self.r.random() < .2:
                kw['endian'] = 'big'
            f.createVariable('x', t.a.dtype, t.dims, fill_value=False, **kw)[...] = t.a


def has_bool(p):
    with h5py.File(p) as f:
        return any(isinstance(d, h5py.Dataset) and d.dtype == bool for d in f.values())


def read(p, m):
    """By h5py, and now and then by xarray: both must see the same."""
    t = read_h5(p)
    engine = m.pick([None, None, None, 'netcdf4', 'h5netcdf'])
    # netCDF shows no floats of 16 bits, and no bools as h5py has them, which stay so where they are moved
    hidden = engine == 'netcdf4' and (kind(t.a) == 'f2' or has_bool(p))
    if engine and kind(t.a) not in ('c8', 'c16') and not hidden:
        with xr.open_dataset(p, engine=engine, decode_times=False, mask_and_scale=False) as ds:
            names = [n for n in ds.data_vars]
            if len(names) != 1:
                raise ValueError(f'xarray {engine} sees {names}')
            v = ds[names[0]]
            why = '' if v.dims == t.dims else f'axes {v.dims}, h5py sees {t.dims}'
            why = why or same(v.values, t.a)
            for n, c in t.coords.items():
                why = why or same(ds[n].values, c)
            if why:
                raise ValueError(f'xarray {engine}: {why}')
    return t


def expect(m, args, want, rtol=0, atol=0, dtype=True):
    """Runs a command with -o and compares; returns what is wrong or ''."""
    out = m.path()
    p = axt(*args, '-o', out)
    if p.rc:
        return str(p)
    got = read(out, m)
    why = same_named(got, want, rtol=rtol, atol=atol, dtype=dtype)
    for n in want.dims:
        if not why and n in want.coords:
            why = same(got.coords.get(n, np.zeros(0)), want.coords[n])
            why = why and f'coordinate {n}: {why}'
    return why and f'{p}{why}'


def merged(*ts):
    c = {}
    for t in reversed(ts):
        c.update(t.coords)
    return c


# ---- one function per kind of case: the name of the case, and what is wrong ----

def binary(m):
    op = m.pick(['add', 'sub', 'mul', 'div', 'minimum', 'maximum', 'hypot', 'atan2', 'copysign', 'pow', 'floordiv',
                 'mod', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'xor'])
    pool = INTS + FLOATS
    if op in ('hypot', 'atan2', 'copysign', 'pow'):
        pool = FLOATS
    elif op in ('and', 'or', 'xor'):
        pool = ['?']
    elif op in ('add', 'sub', 'mul', 'div', 'eq', 'ne'):
        pool = INTS + FLOATS + COMPLEX
    ka, kb = m.pick(pool), m.pick(pool)
    da, db = m.dims(), m.dims()
    a, b = m.tensor(ka, da), m.tensor(kb, db)
    if np.prod([m.len[n] for n in union(a, b)], dtype=float) > 200000:
        b = m.tensor(kb, da[::-1])
    t = np.result_type(ka, kb)
    if op in ('div', 'floordiv', 'mod') and t.kind in 'iu':
        b.a[b.a == 0] = 3
    if op in ('floordiv', 'mod') and t.kind == 'f':
        b.a[(b.a == 0) | np.isnan(b.a)] = 1.5
    if op == 'pow':
        a.a[...] = np.abs(a.a)
        b.a[...] = np.clip(b.a, -3, 3)
    f = {'sub': np.subtract, 'mul': np.multiply, 'div': np.true_divide, 'pow': np.power, 'atan2': np.arctan2,
         'floordiv': np.floor_divide, 'eq': np.equal, 'ne': np.not_equal, 'lt': np.less, 'le': np.less_equal,
         'gt': np.greater, 'ge': np.greater_equal, 'and': np.logical_and, 'or': np.logical_or,
         'xor': np.logical_xor}.get(op) or getattr(np, op)
    dims = union(a, b)
    x, y = a.to(dims), b.to(dims)
    with np.errstate(all='ignore'):
        if f.nout == 1 and op in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'xor'):
            v = f(x, y)
        elif op == 'div' and t.kind in 'iu':
            v = x.astype(t).astype('f8') / y.astype(t).astype('f8')
        else:
            v = f(x.astype(t), y.astype(t))
    v = np.broadcast_to(v, [m.len[n] for n in dims])
    exact = op in ('add', 'sub', 'div', 'mul', 'minimum', 'maximum', 'copysign') and t.kind != 'c' or v.dtype == bool
    rtol = 0 if exact or v.dtype.kind in 'iub' else 4 * EPS[kind(v)]
    scale = 0
    if t.kind == 'c' and op in ('mul', 'div', 'sub', 'add'):
        scale = rtol * np.abs(v)
    if op in ('floordiv', 'mod') and t.kind == 'f':
        # where a quotient is almost whole NumPy and fmod may fall on different sides
        q = x.astype('f8') / y.astype('f8')
        near = np.abs(q - np.round(q)) < 1e-3
        scale = np.broadcast_to(np.where(near, np.abs(y).astype('f8') + 1, 0) + 1e-2 * (kind(v) == 'f2'), v.shape)
        rtol = max(rtol, 1e-5)
    extra = []
    want = Named(dims, v, merged(a, b))
    if dims and m.r.random() < .2:
        order = [dims[i] for i in m.r.permutation(len(dims))]
        extra = ['--axes', ','.join(n.replace('*', '^') for n in order)]
        want = Named(order, want.to(order), want.coords)
        if not np.isscalar(scale):
            scale = Named(dims, scale).to(order)
    return (f'{op} {AXT[ka]} {a.dims} {AXT[kb]} {b.dims}',
            expect(m, [op, m.file(a), m.file(b)] + extra, want, rtol=rtol, atol=scale))


def with_number(m):
    op = m.pick(['add', 'sub', 'mul', 'div', 'minimum', 'maximum', 'gt', 'le'])
    k = m.pick(INTS + FLOATS)
    a = m.tensor(k, m.dims())
    num = m.pick([2, 3, 7]) if k[0] in 'iu' else m.pick([2, -1.5, 0.25, 10])
    f = {'sub': np.subtract, 'mul': np.multiply, 'div': np.true_divide, 'gt': np.greater,
         'le': np.less_equal}.get(op) or getattr(np, op)
    s = np.array(num).astype(k)
    with np.errstate(all='ignore'):
        v = a.a.astype('f8') / num if op == 'div' and k[0] in 'iu' else f(a.a, s)
    v = np.asarray(v)
    if op not in ('div', 'gt', 'le'):
        v = v.astype(k)
    return f'{op} {AXT[k]} {a.dims} {num}', expect(m, [op, m.file(a), num], Named(a.dims, v, a.coords))


def unary(m):
    table = {'negative': np.negative, 'absolute': np.abs, 'sign': np.sign, 'square': np.square, 'sqrt': np.sqrt,
             'cbrt': np.cbrt, 'reciprocal': np.reciprocal, 'exp': np.exp, 'exp2': np.exp2, 'expm1': np.expm1,
             'log': np.log, 'log2': np.log2, 'log10': np.log10, 'log1p': np.log1p, 'sin': np.sin, 'cos': np.cos,
             'tan': np.tan, 'asin': np.arcsin, 'acos': np.arccos, 'atan': np.arctan, 'sinh': np.sinh,
             'cosh': np.cosh, 'tanh': np.tanh, 'asinh': np.arcsinh, 'acosh': np.arccosh, 'atanh': np.arctanh, 'round': np.rint, 'floor': np.floor, 'ceil': np.ceil,
             'trunc': np.trunc, 'radians': np.radians, 'degrees': np.degrees, 'isnan': np.isnan,
             'isinf': np.isinf, 'isfinite': np.isfinite, 'sigmoid': lambda x: 1 / (1 + np.exp(-x)),
             'relu': lambda x: np.where(np.isnan(x), x, np.maximum(x, 0))}
    op = m.pick(list(table))
    k = m.pick(FLOATS + (INTS if op in ('negative', 'absolute', 'square', 'sign') else []))
    a = m.tensor(k, m.dims())
    if op in ('sinh', 'cosh', 'exp', 'exp2', 'expm1', 'tan', 'sin', 'cos', 'sigmoid') and k[0] == 'f':
        a.a[...] = np.clip(a.a, -10, 10)
    with np.errstate(all='ignore'):
        v = np.asarray(table[op](a.a.astype('f8') if k[0] == 'f' else a.a))
        if v.dtype != bool:
            v = v.astype(k)
    exact = op in ('negative', 'absolute', 'sign', 'square', 'sqrt', 'reciprocal', 'round', 'floor', 'ceil', 'trunc',
                   'relu', 'isnan', 'isinf', 'isfinite')
    rtol = 0 if exact or v.dtype.kind in 'iub' else 3 * EPS[k]
    return f'map {op} {AXT[k]} {a.dims}', expect(m, ['map', op, m.file(a)], Named(a.dims, v, a.coords), rtol=rtol)


def ternary(m):
    op = m.pick(['where', 'clip', 'fillnan'])
    k = m.pick(FLOATS)
    a, b = m.tensor(k, m.dims(hi=4)), m.tensor(k, m.dims(hi=3), nan=0)
    if op == 'where':
        c = m.tensor('?', m.dims(hi=3))
        # the axes of the operand that has the most come first
        order = [a, b, c]
        most = max(range(3), key=lambda i: len(order[i].dims))
        dims = union(*(order[most:] + order[:most]))
        if np.prod([m.len[n] for n in dims], dtype=float) > 200000:
            return 'where', ''
        v = np.where(c.to(dims), a.to(dims), b.to(dims))
        return f'where {AXT[k]} {c.dims} {a.dims} {b.dims}', \
            expect(m, ['where', m.file(c), m.file(a), m.file(b)], Named(dims, v, merged(a, b, c)))
    if op == 'clip':
        lo, hi = -5.0, 7.5
        v = np.minimum(np.maximum(a.a, np.array(lo, k)), np.array(hi, k)).astype(k)
        return f'clip {AXT[k]} {a.dims}', expect(m, ['clip', lo, hi, m.file(a)], Named(a.dims, v, a.coords))
    dims = union(a, b)
    x, y = np.broadcast_arrays(a.to(dims), b.to(dims))
    return f'fillnan {AXT[k]} {a.dims} {b.dims}', \
        expect(m, ['fillnan', m.file(a), m.file(b)], Named(dims, np.where(np.isnan(x), y, x), merged(a, b)))


def reduced(op, x, w, ddof, skip):
    """The reduction of the last axis of x (f8 or integers), by the book."""
    n = x.shape[-1]
    ok = ~np.isnan(x) if skip and x.dtype.kind == 'f' else np.ones(x.shape, bool)
    none = ~ok.any(-1)
    z = np.where(ok, x, 0)
    if op == 'count':
        return (~np.isnan(x)).sum(-1) if x.dtype.kind == 'f' else np.full(x.shape[:-1], n)
    if op in ('any', 'all'):
        return getattr(np, op)((x != 0), -1) if not skip else getattr(np, op)(np.where(ok, x != 0, op == 'all'), -1)
    if op in ('argmin', 'argmax'):
        fill = np.inf if op == 'argmin' else -np.inf
        y = np.where(ok, x, fill) if x.dtype.kind == 'f' else x
        return np.where(none, -1, getattr(np, op)(y, -1))
    if op in ('min', 'max', 'ptp'):
        lo = np.min(np.where(ok, x, np.inf) if x.dtype.kind == 'f' else x, -1)
        hi = np.max(np.where(ok, x, -np.inf) if x.dtype.kind == 'f' else x, -1)
        v = {'min': lo, 'max': hi, 'ptp': hi - lo}[op]
    elif op == 'sum':
        v = (z if w is None else z * np.where(ok, w, 0)).sum(-1)
    elif op == 'prod':
        v = np.where(ok, x, 1).prod(-1)
    elif op == 'norm1':
        v = np.abs(z).sum(-1)
    elif op == 'norm2':
        v = np.sqrt((z.astype('f8') ** 2).sum(-1))
    elif op == 'sumsq':
        v = (z * z).sum(-1)
    elif op == 'logsumexp':
        top = np.where(none, 0, np.max(np.where(ok, x, -np.inf), -1))
        v = np.log(np.where(ok, np.exp(x - top[..., None]), 0).sum(-1)) + top
    else:
        ww = np.where(ok, 1.0 if w is None else w, 0)
        k = ww.sum(-1)
        mean = (ww * z).sum(-1) / k
        v = {'mean': mean, 'rms': np.sqrt((ww * z.astype('f8') ** 2).sum(-1) / k)}.get(op)
        if v is None:
            v = (ww * (z - mean[..., None]) ** 2).sum(-1) / (k - ddof)
            v = np.where(k - ddof > 0, v, np.nan)
            v = np.sqrt(v) if op == 'std' else v
    return np.where(none, np.nan, v) if skip and x.dtype.kind == 'f' else v


def reduce_args(m, a):
    """Kept axes in result order, and the options that say so."""
    kept = [n for n in a.dims if m.r.random() < .5]
    said = lambda ns: ','.join(n.replace('*', '^') for n in ns)
    how = m.pick(['to', 'over', 'both'])
    gone = [n for n in a.dims if n not in kept]
    if how == 'over':
        return kept, ['--over', said(gone)] if gone or kept else []
    kept = [kept[i] for i in m.r.permutation(len(kept))]
    return kept, ['--to', said(kept)] + (['--over', said(gone)] if how == 'both' and gone else [])


def reduction(m):
    op = m.pick(['sum', 'prod', 'mean', 'var', 'std', 'rms', 'min', 'max', 'ptp', 'argmin', 'argmax', 'any', 'all',
                 'count', 'norm1', 'norm2', 'sumsq', 'logsumexp'])
    k = m.pick(INTS + FLOATS)
    if op == 'logsumexp':
        k = m.pick(FLOATS)
    a = m.tensor(k, m.dims())
    if op == 'prod':
        a.a[...] = np.clip(a.a, 0 if k[0] == 'u' else -1, 2)
    kept, args = reduce_args(m, a)
    gone = [n for n in a.dims if n not in kept]
    n = int(np.prod([m.len[g] for g in gone], dtype=int))
    skip = m.pick([None, None, '--skip-nan', '--keep-nan'])
    args += [skip] if skip else []
    skipping = skip == '--skip-nan'
    ddof, w = 0, None
    if op in ('var', 'std') and m.r.random() < .3:
        ddof = 1
        args += ['--ddof', '1']
    elif op in ('sum', 'mean', 'var', 'std', 'rms') and k in ('f4', 'f8') and m.r.random() < .3:
        w = m.tensor('f8', m.dims(hi=2, of=list(a.dims)), nan=0)
        w.a[...] = np.abs(w.a) + .5
        args += ['--weights', m.file(w)]
    name = f'reduce {op} {AXT[k]} {a.dims} {" ".join(args[:4])}'
    x = a.to(kept + gone).reshape([m.len[g] for g in kept] + [n])
    if op in ('argmin', 'argmax', 'min', 'max', 'ptp', 'logsumexp', 'mean', 'var', 'std', 'rms') and n == 0:
        p = axt('reduce', op, m.file(a), *args, '-o', m.path())
        # of nothing: a mean is NaN; a maximum is an error, unless there is no result either
        good = p.rc in (0, 1) and (p.rc == 0 or len(p.err.splitlines()) in (1, 2))
        return name, '' if good else str(p)
    ww = None
    if w is not None:
        ww = np.broadcast_to(w.to(kept + gone), [m.len[g] for g in kept + gone]).reshape(x.shape)
    wide = x if k[0] in 'iu' else x.astype('f8')
    if k[0] in 'iu' and op in ('sum', 'prod', 'norm1', 'sumsq'):
        wide = x.astype('i8' if k[0] == 'i' else 'u8')
    elif k[0] in 'iu' and op in ('mean', 'var', 'std', 'rms', 'norm2'):
        wide = x.astype('f8')
    with np.errstate(all='ignore'):
        v = np.asarray(reduced(op, wide, ww, ddof, skipping))
        size = np.nansum(np.abs(x.astype('f8')) * (1 if ww is None else ww), -1)
    res = {'any': '?', 'all': '?', 'count': 'i8', 'argmin': 'i8', 'argmax': 'i8'}.get(op)
    if not res:
        res = k
        if k[0] in 'iu':
            res = 'f8' if op in ('mean', 'var', 'std', 'rms', 'norm2') else k
            if op in ('sum', 'prod', 'norm1', 'sumsq'):
                res = k[0] + '8'
    rtol, atol = 0, 0
    if v.dtype.kind == 'f' and res[0] == 'f':
        rtol = 3 * EPS[res] + 1e-13
        atol = 1e-13 * size + (1e-8 if op in ('std', 'rms', 'norm2') and res == 'f8' else 0)
        if op in ('var', 'sumsq'):
            atol = atol + 1e-13 * np.nansum(wide.astype('f8') ** 2, -1)
    with np.errstate(all='ignore'):
        v = v.astype(res)
    if op in ('argmin', 'argmax') and k[0] == 'f' and not skipping and np.isnan(x).any():
        # the first NaN, as NumPy has it
        nan = np.isnan(x)
        v = np.where(nan.any(-1), nan.argmax(-1), v)
        v = v.astype('i8')
    if op in ('argmin', 'argmax'):
        # positions count in the operand's order of axes: gone keeps it
        pass
    want = Named(kept, v.reshape([m.len[g] for g in kept]), {c: a.coords[c] for c in kept if c in a.coords})
    return name, expect(m, ['reduce', op, m.file(a)] + args, want, rtol=rtol,
                        atol=np.asarray(atol).reshape(want.a.shape) if np.ndim(atol) else atol)


def moved(m):
    """Order, transpose, rename, cast, broadcast."""
    k = m.pick(INTS + FLOATS + COMPLEX + ['?'])
    a = m.tensor(k, m.dims())
    op = m.pick(['order', 'rename', 'cast', 'broadcast', 'transpose'])
    typed = lambda ns: ','.join(n.replace('*', '^') for n in ns)
    if op == 'order':
        dims = [a.dims[i] for i in m.r.permutation(len(a.dims))]
        want, args = Named(dims, a.to(dims), a.coords), [typed(dims)]
    elif op == 'rename':
        to = {n: f'new{i}' for i, n in enumerate(a.dims) if m.r.random() < .5}
        if len(a.dims) > 1 and not to:
            to = {a.dims[0]: a.dims[1], a.dims[1]: a.dims[0]}
        args = [','.join(f'{o.replace("*", "^")}={n.replace("*", "^")}' for o, n in to.items())]
        if not to:
            return 'rename nothing', ''
        want = Named([to.get(n, n) for n in a.dims], a.a, {to.get(n, n): c for n, c in a.coords.items()})
    elif op == 'cast':
        dims = [f'c{i}' for i in range(len(a.dims))]
        want, args = Named(dims, a.a), ['--to', ','.join(dims)]
    elif op == 'broadcast':
        dims = list(a.dims)
        dims.insert(int(m.r.integers(len(dims) + 1)), 'extra')
        dims = [dims[i] for i in m.r.permutation(len(dims))]
        shape = [3 if n == 'extra' else m.len[n] for n in dims]
        want = Named(dims, np.broadcast_to(a.to(dims), shape), a.coords)
        args = [typed(dims).replace('extra', 'extra=3')]
    else:
        def flip(n):
            base, _, lv = n.partition('*')
            level = 1 - (0 if '*' not in n else int(lv or 1))
            return base + {0: '', 1: '*'}.get(level, f'*{level}')
        dims = [flip(n) for n in a.dims]
        want, args = Named(dims, a.a), []
        if len(set(dims)) < len(dims):
            return 'transpose', ''
    return f'{op} {AXT[k]} {a.dims} {" ".join(args)}', expect(m, [op] + args + [m.file(a)], want)


def cast_dtype(m):
    ka, kb = m.pick(INTS + FLOATS + ['?']), m.pick(INTS + FLOATS + ['?'])
    a = m.tensor(ka, m.dims(), nan=0)
    if ka[0] in 'fi' and kb[0] == 'u':
        a.a[...] = np.abs(a.a)
    if ka[0] == 'f' and kb[0] in 'iu':
        a.a[...] = np.clip(a.a, -100, 100)
    return f'cast {AXT[ka]} to {AXT[kb]} {a.dims}', \
        expect(m, ['cast', '--dtype', AXT[kb], m.file(a)], Named(a.dims, a.a.astype(kb), a.coords))


def bfloat(m):
    """To bf16 (a 2-byte float of HDF5) and back to f32: what rounding to nearest even says."""
    a = m.tensor('f4', m.dims(hi=4))
    u = np.ascontiguousarray(a.a).reshape(-1).view('u4')
    r = (((u >> 16) & 1) + 0x7fff + u) & np.uint32(0xffff0000)
    v = r.astype('u4').view('f4').reshape(a.a.shape)
    v = np.where(np.isnan(a.a), a.a, v)
    b, c = m.path(), m.path()
    p = axt('cast', '--dtype', 'bf16', m.file(a), '-o', b)
    why = str(p) if p.rc else ''
    if not why:
        why = expect(m, ['cast', '--dtype', 'f32', b], Named(a.dims, v, a.coords))
    if not why and os.path.exists(c):
        os.unlink(c)
    return f'bf16 {a.dims}', why


def dot(m):
    k = m.pick(['f4', 'f8', 'i4', 'i2', 'c16'])
    plain = [n for n in NAMES if '*' not in n]
    a, b = m.tensor(k, m.dims(of=plain, hi=4, cap=2000), nan=0), m.tensor(k, m.dims(of=plain, hi=4, cap=2000), nan=0)
    both = [n for n in a.dims if n in b.dims]
    keep = [n for n in both if m.r.random() < .2]
    args = ['--keep', ','.join(keep)] if keep else []
    out = [n for n in a.dims if n not in both or n in keep] + [n for n in b.dims if n not in both]
    every = {n: i for i, n in enumerate(union(a, b))}
    wide = {'f4': 'f8', 'i4': 'i8', 'i2': 'i8'}.get(k, k)
    v = np.einsum(a.a.astype(wide), [every[n] for n in a.dims], b.a.astype(wide), [every[n] for n in b.dims],
                  [every[n] for n in out])
    size = np.einsum(np.abs(a.a).astype('f8'), [every[n] for n in a.dims], np.abs(b.a).astype('f8'),
                     [every[n] for n in b.dims], [every[n] for n in out])
    res = {'i4': 'i8', 'i2': 'i8'}.get(k, k)
    tol = {} if res == 'i8' else dict(rtol=4 * EPS[res], atol=8 * EPS[res] * np.asarray(size))
    coords = merged(a, b)
    return f'dot {AXT[k]} {a.dims} {b.dims} {" ".join(args)}', \
        expect(m, ['dot'] + args + [m.file(a), m.file(b)], Named(out, v.astype(res), coords), **tol)


def packed(m):
    """CF: packed integers with missing values read as floats; reductions leave them out."""
    dims = m.dims(lo=1, hi=4)
    shape = [m.len[n] for n in dims]
    if 0 in shape:
        return 'packed', ''
    k = m.pick(['i2', 'i1', 'u1', 'i4'])
    raw = m.r.integers(1, 100, shape).astype(k)
    raw[m.r.random(shape) < .2] = 101
    sk = m.pick(['f4', 'f8'])
    scale, offset = np.array(m.pick([.5, .01, 2]), sk), np.array(m.pick([0, 273.15, -10]), sk)
    with_scale = m.r.random() < .7
    p = m.path()
    with netCDF4.Dataset(p, 'w') as f:
        for n, s in zip(dims, shape):
            f.createDimension(n, s)
        v = f.createVariable('x', k, dims, fill_value=np.array(101, k), zlib=bool(m.r.random() < .5))
        v.set_auto_maskandscale(False)
        if with_scale:
            v.scale_factor, v.add_offset = scale, offset
        v[...] = raw
    if with_scale:
        x = raw.astype(sk) * scale + offset
    else:
        x = raw.astype('f4' if k != 'i4' else 'f8')
    x = np.where(raw == 101, np.array(np.nan, x.dtype), x).astype(x.dtype)
    a = Named(dims, x)
    eps = 2 * EPS[kind(x)]
    op = m.pick(['cast', 'mean', 'sum', 'count', 'raw'])
    if op == 'cast':
        return f'packed {AXT[k]} {dims}', expect(m, ['mul', p, '1'], a, rtol=eps)
    if op == 'raw':
        return f'packed raw {AXT[k]} {dims}', expect(m, ['order', '--raw', ','.join(
            n.replace('*', '^') for n in dims), p], Named(dims, raw))
    v = np.asarray(reduced(op, x.astype('f8').reshape(shape[0], -1), None, 0, True))
    v = v if op == 'count' else v.astype(x.dtype)
    return f'packed {op} {AXT[k]} {dims}', \
        expect(m, ['reduce', op, '--to', dims[0].replace('*', '^'), p], Named(dims[:1], v), rtol=4 * eps, atol=1e-10)


def random(m):
    """Random tensors: in range, and the same for the same seed."""
    k = m.pick(['f32', 'f64', 'i16', 'u8'])
    n, s = int(m.r.integers(500, 4000)), int(m.r.integers(1 << 30))
    spec = 'random' if k[0] == 'f' else 'random:0:9'
    a, b = m.path(), m.path()
    for out, threads in ((a, 1), (b, 3)):
        p = axt('make', spec, f'x={n},y=3', '--dtype', k, '--seed', s, '-o', out, '--threads', threads)
        if p.rc:
            return 'random', str(p)
    x, y = read_h5(a).a, read_h5(b).a
    lo, hi = (-1, 1) if k[0] == 'f' else (0, 9)
    why = same(x, y)
    if not why and not (x.min() >= lo and x.max() <= hi):
        why = f'range {x.min()} .. {x.max()}'
    if not why and abs(x.mean() - (lo + hi) / 2) > .1 * (hi - lo):
        why = f'mean {x.mean()}'
    if not why and k[0] == 'f' and (np.diff(x.ravel()) == 0).any():
        why = 'neighbours are equal'
    return f'random {k} {n}', why


KINDS = [binary, binary, binary, with_number, unary, unary, ternary, reduction, reduction, reduction, moved, moved,
         cast_dtype, bfloat, dot, dot, packed, random]


def main():
    cases, first = random_cases(700, 150, 60, 20240229)
    tap = Tap()
    d = scratch()
    for seed in range(first, first + cases):
        m = Maker(seed, d)
        f = KINDS[int(m.r.integers(len(KINDS)))]
        name = f.__name__
        try:
            name, why = f(m)
        except Exception as x:
            why = f'{type(x).__name__}: {x}'
        tap.ok(not why, f'{seed} {name}', why)
        for n in os.listdir(d):
            os.unlink(f'{d}/{n}')
    tap.done()


if __name__ == '__main__':
    main()
