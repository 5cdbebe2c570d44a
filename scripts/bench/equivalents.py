"""What NumPy calls do the same as operations of axt: a row for each, of which bench-search draws, and which tests compare.

A row has a name, which begins with the operation's in `axt list`, a function of draw.py that draws operands and parameters, the
command line (A, B, K and O are files, words in braces are parameters), and the NumPy call. That is given the parameters p and
the arrays, of which B is a view that broadcasts against A. What a call gives has the axes p.out, in that order.
"""
from types import SimpleNamespace

import numpy as np

from draw import along, concatenated, counts, filtered, index, joint, labels, matrices, over, pair, points, product, same, shaped, systems, weighted, window

REAL = 'f4 f4 f4 f8 f8 i4 i2 i8 u1 f2'.split()
FLOAT = 'f4 f4 f8 f8 f2'.split()
WIDE = ['f4', 'f8']
INT = 'i4 i2 i8 u1 u4 i1'.split()
ANY = REAL + ['c8', 'u2', '?']
ROWS = {}


def row(name, draw, axt, call, dtypes=REAL, most=200, weight=1, values='plain', result='', see=None, tolerance=1):
    """MOST: MB of inputs. RESULT: the one of several that is compared. SEE: what is compared, made of (p, result, A...)."""
    ROWS[name] = SimpleNamespace(name=name, draw=draw, axt=axt, call=call, dtypes=dtypes, most=most, weight=weight, values=values,
                                 result=result, see=see, tolerance=tolerance)


def each(draw, axt, names, dtypes, weight=.3, **functions):
    """Rows whose calls are NumPy's functions of the same name, or those that are told."""
    for n in names.split() + list(functions):
        f = functions.get(n) or getattr(np, n)
        row(n, draw, axt.replace('NAME', n.replace('_', '-') if 'axt-NAME' in axt else n), lambda p, *x, f=f: f(*x), dtypes, weight=weight)


# ---- calls that are longer than a line ----

def ends(p, x, *dims):
    """The result x, which has these axes."""
    p.out = list(dims)
    return x


def softmax(a, axis):
    x = np.exp(a - a.max(axis=axis, keepdims=True))
    return x / x.sum(axis=axis, keepdims=True)


def cov(a, b, over):
    a, b = a - a.mean(axis=over, keepdims=True), b - b.mean(axis=over, keepdims=True)
    n = np.prod([a.shape[i] for i in over])
    return (a * b).sum(axis=over) / (n - 1) if n > 1 else np.full((a * b).sum(axis=over).shape, np.nan)


def corr(a, b, over):
    a, b = a - a.mean(axis=over, keepdims=True), b - b.mean(axis=over, keepdims=True)
    with np.errstate(all='ignore'):
        return (a * b).sum(axis=over) / np.sqrt((a * a).sum(axis=over) * (b * b).sum(axis=over))


def by(f, mean, a, labels, axis):
    """f over groups of equal labels, which are 0, 1, ...: sorted, so that each group is a run."""
    if f is np.add and a.ndim == 1 and a.dtype.kind == 'f':
        x, starts = np.bincount(labels, a), None
    else:
        order = np.argsort(labels, kind='stable')
        starts = np.searchsorted(labels[order], np.arange(labels.max() + 1))
        x = f.reduceat(a.take(order, axis), starts, axis, dtype=np.result_type(a, 'i8') if a.dtype.kind == 'i' and f is np.add else None)
    return x / np.bincount(labels).reshape([-1 if i == axis else 1 for i in range(a.ndim)]) if mean else x


def ffill(a, axis):
    n = np.arange(a.shape[axis]).reshape([-1 if i == axis else 1 for i in range(a.ndim)])
    last = np.maximum.accumulate(np.where(np.isnan(a), 0, n), axis=axis)
    return np.take_along_axis(a, last, axis)


def slope(a, axis):
    x = np.arange(a.shape[axis]) - (a.shape[axis] - 1) / 2
    return np.tensordot(x, a, (0, axis)) / (x * x).sum()


def detrend(a, axis):
    shape = [-1 if i == axis else 1 for i in range(a.ndim)]
    x = np.arange(a.shape[axis]) - (a.shape[axis] - 1) / 2
    return (a - a.mean(axis=axis, keepdims=True, dtype='f8') - x.reshape(shape) * np.expand_dims(slope(a, axis), axis)).astype(a.dtype)


def dims_with(p, name):
    return [name if i == p.axis else x for i, x in enumerate(p.dims)]


def without(p):
    return [x for i, x in enumerate(p.dims) if i != p.axis]


def repeated(p, a):
    shape = p.shape[:p.place] + [p.repeat] + p.shape[p.place:]
    return np.broadcast_to(np.expand_dims(a, p.place), shape).copy()


# ---- element by element ----

each(same, 'axt-map NAME A -o O', 'negative square absolute sign', FLOAT + ['i4', 'i2'])
each(same, 'axt-map NAME A -o O', 'sqrt cbrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh isnan isinf isfinite '
     'round floor ceil trunc radians degrees', FLOAT, asin=np.arcsin, acos=np.arccos, atan=np.arctan, asinh=np.arcsinh,
     acosh=np.arccosh, atanh=np.arctanh, sigmoid=lambda a: 1 / (1 + np.exp(-a)), relu=lambda a: np.maximum(a, 0))
each(same, 'axt-map NAME A -o O', 'real imag conj', ['c8', 'c16'], .1, arg=np.angle)
each(same, 'axt-map NAME A -o O', '', INT, .1, bitwise_not=np.invert)
each(pair, 'axt-NAME A B -o O', 'minimum maximum', REAL, eq=np.equal, ne=np.not_equal, lt=np.less,
     le=np.less_equal, gt=np.greater, ge=np.greater_equal, floordiv=np.floor_divide, mod=np.mod)
each(pair, 'axt-NAME A B -o O', '', REAL + ['c8'], 1, add=np.add, sub=np.subtract, mul=np.multiply, div=np.divide)
each(pair, 'axt-NAME A B -o O', 'hypot copysign', FLOAT, pow=np.power, atan2=np.arctan2)
each(pair, 'axt-NAME A B -o O', 'bitwise_and bitwise_or', INT, .2, xor=np.bitwise_xor)
each(pair, 'axt-NAME A B -o O', '', ['?'], .2, **{'and': np.logical_and, 'or': np.logical_or})
row('clip', same, 'axt-clip 2 5 A -o O', lambda p, a: np.clip(a, 2, 5))
row('where', pair, 'axt-gt A 1 | axt-where - A B -o O', lambda p, a, b: np.where(a > 1, a, b))
row('cast', same, 'axt-cast --dtype {to} A -o O', lambda p, a: a.astype(p.np_to), 'f4 f8 i4 i2 u1 f2 i8'.split(), weight=3)
row('fillnan', same, 'axt-fillnan A 0 -o O', lambda p, a: np.where(np.isnan(a), a.dtype.type(0), a), WIDE, values='holes')
row('onehot', shaped, 'axt-onehot c=8 A -o O', lambda p, a: ends(p, a[..., None] == np.arange(8, dtype=a.dtype), *p.dims, 'c'), ['i4', 'i8', 'u1'], values='digits')
row('softmax', along, 'axt-softmax --along {along} A -o O', lambda p, a: softmax(a, p.axis), WIDE)

# ---- reductions ----

for n, f, dtypes in [('sum', np.sum, REAL + ['c8']), ('mean', np.mean, REAL), ('min', np.min, REAL), ('max', np.max, REAL), ('ptp', np.ptp, REAL),
                     ('var', np.var, REAL), ('std', np.std, REAL), ('any', np.any, ['?', 'f4', 'i4']), ('all', np.all, ['?', 'f4', 'i4']),
                     ('norm2', lambda a, axis: np.sqrt(np.sum(a * a, axis)), WIDE), ('sumsq', lambda a, axis: np.sum(a * a, axis), WIDE),
                     ('norm1', lambda a, axis: np.sum(np.abs(a), axis), WIDE), ('rms', lambda a, axis: np.sqrt(np.mean(a * a, axis)), WIDE),
                     ('logsumexp', lambda a, axis: np.log(np.sum(np.exp(a), axis)), WIDE)]:
    row(n, over, f'axt-reduce {n} --over {{over_names}} A -o O', lambda p, a, f=f: f(a, axis=p.over), dtypes, weight=1.5)
for n in ('sum', 'mean', 'max', 'std'):
    row(n + ' without NaN', over, f'axt-reduce {n} --skip-nan --over {{over_names}} A -o O',
        lambda p, a, f=getattr(np, 'nan' + n): f(a, axis=p.over), WIDE, values='holes', see=lambda p, x, a: np.nan_to_num(x))
for n in ('argmin', 'argmax'):
    row(n, along, f'axt-reduce {n} --over {{along}} A -o O', lambda p, a, f=getattr(np, n): ends(p, f(a, axis=p.axis), *without(p)), REAL, weight=1)
row('median', over, 'axt-reduce median --over {over_names} A -o O', lambda p, a: np.median(a, axis=p.over), WIDE + ['i2'], weight=2)
row('quantile', over, 'axt-reduce quantile:.9 --over {over_names} A -o O', lambda p, a: np.quantile(a, .9, axis=p.over), WIDE + ['i2'], weight=2)
row('mean with weights', weighted, 'axt-reduce mean --over {over_names} --weights B A -o O',
    lambda p, a, b: np.sum(a * b, p.over) / np.sum(np.broadcast_to(b, a.shape), p.over), WIDE)
for n, f in [('cov', cov), ('corr', corr)]:
    row(n, joint, f'axt-{n} --over {{over_names}} A B -o O', lambda p, a, b, f=f: f(a, b, p.over), WIDE)
for n, f in [('sum', np.add), ('max', np.maximum), ('mean', np.add)]:
    row(n + ' by labels', labels, f'axt-reduce {n} --over {{along}} --by K A -o O',
        lambda p, a, k, f=f, mean=n == 'mean': by(f, mean, a, k, p.axis), WIDE + ['i4', 'i2'], weight=2)
row('hist', counts, 'axt-hist --bins {bins} --range 0,2 A -o O', lambda p, a: ends(p, np.histogram(a, p.bins, (0, 2))[0], 'bin'), WIDE + ['i2', 'u1'],
    weight=2, values='digits', tolerance=30)

# ---- along an axis ----

for n, f in [('sum', np.cumsum), ('max', np.maximum.accumulate), ('min', np.minimum.accumulate)]:
    row(f'scan {n}', along, f'axt-scan {n} --along {{along}} A -o O', lambda p, a, f=f: f(a, axis=p.axis), WIDE + ['i4', 'i2', 'i8'], weight=2)
row('sort', along, 'axt-sort --along {along} A -o O', lambda p, a: np.sort(a, axis=p.axis), WIDE + ['i4', 'i2', 'u1', 'i8'], weight=3)
row('sort positions', along, 'axt-sort --index --along {along} A -o O', lambda p, a: np.argsort(a, axis=p.axis), WIDE + ['i4', 'i2'], weight=1,
    see=lambda p, x, a: np.take_along_axis(a, x, p.axis))
row('rank', along, 'axt-rank --method ordinal --along {along} A -o O',
    lambda p, a: np.argsort(np.argsort(a, axis=p.axis, kind='stable'), axis=p.axis) + 1, WIDE + ['i4'], most=100)
row('diff', along, 'axt-diff --along {along} A -o O', lambda p, a: np.diff(a, axis=p.axis), FLOAT + ['i4'])
row('gradient', along, 'axt-gradient --along {along} A -o O', lambda p, a: np.gradient(a, axis=p.axis), WIDE)
row('ffill', along, 'axt-ffill --along {along} A -o O', lambda p, a: ffill(a, p.axis), WIDE, values='holes')
row('bfill', along, 'axt-bfill --along {along} A -o O', lambda p, a: np.flip(ffill(np.flip(a, p.axis), p.axis), p.axis), WIDE, values='holes')
row('trend', along, 'axt-trend --along {along} A -o O', lambda p, a: ends(p, slope(a, p.axis), *without(p)), WIDE, weight=2, result='slope', values='plain')
row('trend removed', along, 'axt-trend --detrend --along {along} A -o O', lambda p, a: detrend(a, p.axis), WIDE, weight=1)
row('fft', along, 'axt-fft --along {along} A -o O', lambda p, a: ends(p, np.fft.fft(a, axis=p.axis), *dims_with(p, 'freq_' + p.along)), WIDE + ['c8', 'c16'], most=64, weight=2)
row('fft of reals', along, 'axt-fft --real --along {along} A -o O', lambda p, a: ends(p, np.fft.rfft(a, axis=p.axis), *dims_with(p, 'freq_' + p.along)), WIDE, most=100, weight=2)
for n in ('mean', 'max', 'sum', 'std', 'median'):
    row(f'{n} over windows', window, f'axt-window {{along}}=w:{{wide}} A | axt-reduce {n} --over w -o O',
        lambda p, a, f=getattr(np, n): f(np.lib.stride_tricks.sliding_window_view(a, p.wide, p.axis), axis=-1), WIDE + ['i4'], weight=1,
        most=20 if n == 'median' else 100)
row('dot of windows', filtered, 'axt-window {windows} A | axt-dot --over {taps} - B -o O',
    lambda p, a, b: np.tensordot(np.lib.stride_tricks.sliding_window_view(a, p.lengths, p.axes), b, (range(-b.ndim, 0), range(b.ndim))), WIDE, most=50)

# ---- what moves values ----

row('copy', shaped, 'axt-copy A -o O', lambda p, a: a.copy(), ANY, weight=.5)
row('order', shaped, 'axt-order {mixed} A -o O', lambda p, a: ends(p, a.transpose(p.mix).copy(), *p.mixed), ANY, weight=4)
row('flip', along, 'axt-flip {along} A -o O', lambda p, a: np.flip(a, p.axis).copy(), ANY)
row('shift', along, 'axt-shift {along}={by} A -o O', lambda p, a: np.roll(a, p.by, p.axis), ANY)
row('pad', along, 'axt-pad {along}=2,3 A -o O', lambda p, a: np.pad(a, [(2, 3) if i == p.axis else (0, 0) for i in range(a.ndim)]), ANY)
row('slice', index, 'axt-slice {along}={cut} A -o O', lambda p, a: a[tuple(slice(*p.bounds) if i == p.axis else slice(None) for i in range(a.ndim))].copy(), ANY, weight=2)
row('take', index, 'axt-take {along}=K A -o O', lambda p, a, k: ends(p, a.take(k, p.axis), *p.indexed), ANY, weight=3)
row('slice at points', points, 'axt-slice {first}=K {second}=L A -o O', lambda p, a, k, l: a[k, l], REAL, weight=2)
row('concat', concatenated, 'axt-concat {along} A B C -o O', lambda p, *x: np.concatenate(x, p.axis), ANY, weight=2)
row('stack', concatenated, 'axt-stack new A B C -o O', lambda p, *x: ends(p, np.stack(x), 'new', *p.dims), ANY)
row('reshape', shaped, 'axt-reshape p={half},q={rest} A -o O', lambda p, a: ends(p, a.reshape(p.half, p.rest).copy(), 'p', 'q'), ANY)
row('broadcast', shaped, 'axt-broadcast {new} A -o O', lambda p, a: ends(p, repeated(p, a), *p.new_dims), ANY, most=60)

# ---- products and matrices ----

row('dot', product, 'axt-dot{keep} A B -o O', lambda p, a, b: np.einsum(p.spec, a, b, optimize=True), WIDE, weight=6)
for n, f, result in [('det', np.linalg.det, ''), ('inv', np.linalg.inv, ''), ('eigh', lambda a: np.linalg.eigh(a)[0], 'w'),
                     ('cholesky', np.linalg.cholesky, ''), ('svd', lambda a: np.linalg.svd(a)[1], 's')]:
    row(n, matrices, f'axt-{n} --row r --col c A -o O', lambda p, a, f=f: f(a), WIDE, most=4 if result else 10, weight=.7, result=result,
        values='definite', tolerance=100)
row('solve', systems, 'axt-solve --row r --col c A B -o O', lambda p, a, b: np.linalg.solve(a, b[..., None])[..., 0], WIDE, most=10, weight=1,
    values='definite', tolerance=100)
