#!/usr/bin/python3
"""Random chains of views against NumPy: views.py [CASES [SEED]].

Up to 8 views, one on another, with maps, reductions and joins among them, of tensors in memory and in files,
contiguous or in chunks; by the library, with slabs, tiles and threads of random size. Values are whole numbers,
so sums are exact. Each case is one graph: what it reads is told by its plan.
"""
import ctypes
import os
import sys

import numpy as np

from axtlib import Named, Tap, libaxt, random_cases, scratch, write_h5

LIB = libaxt()
DIR = scratch()
P, S, I = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
OPS = {'neg': 'negative', 'square': 'square', 'abs': 'absolute'}
DT = {'f4': 'f32', 'f8': 'f64', 'i2': 'i16', 'i8': 'i64'}


def declare():
    for name, args in (('axt_slice', [P, P, S, ctypes.c_bool]), ('axt_flip', [P, P, S]),
                       ('axt_reshape', [P, P, S, ctypes.c_char]), ('axt_call', [P, S, P, I, P, I]),
                       ('axt_concat', [P, S, I, P]), ('axt_stack', [P, S, I, P, I]), ('axt_order', [P, P, S]),
                       ('axt_take', [P, P, S, P, ctypes.c_bool]),
                       ('axt_tensor', [P, I, S, P, P]), ('axt_open', [P, S, P]), ('axt_number', [P, S]),
                       ('axt_graph_new', []), ('axt_graph_free', [P]),
                       ('axt_graph_error', [P]), ('axt_expr_rank', [P]),
                       ('axt_expr_axis', [P, I]), ('axt_expr_len', [P, I]), ('axt_expr_dtype', [P]),
                       ('axt_eval', [P, P, P, ctypes.c_size_t]), ('axt_graph_set_threads', [P, I]),
                       ('axt_dtype_of_name', [S])):
        f = getattr(LIB, name)
        f.argtypes = args
        f.restype = {'axt_graph_error': S, 'axt_expr_axis': S, 'axt_expr_len': ctypes.c_int64}.get(name, P)
        if name in ('axt_expr_rank', 'axt_expr_dtype', 'axt_eval',
                    'axt_dtype_of_name'):
            f.restype = I
    LIB.axt_graph_free.restype = LIB.axt_graph_set_threads.restype = None


class Arg(ctypes.Structure):
    _fields_ = [('name', S), ('text', S), ('e', P)]


class Case:
    """One graph, and what was done to it."""

    def __init__(self, r, seed):
        self.r, self.seed = r, seed
        self.g = LIB.axt_graph_new()
        self.did, self.keep, self.fresh = [], [], 0
        LIB.axt_graph_set_threads(self.g, int(r.integers(1, 4)))

    def name(self):
        self.fresh += 1
        return f'n{self.fresh}'

    def call(self, f, *args):
        self.did.append(f + ' ' + ' '.join(a.decode() if isinstance(a, bytes) else str(a) for a in args
                                           if isinstance(a, (bytes, int)) and not (isinstance(a, int) and a > 1000)))
        return getattr(LIB, f)(self.g, *args)

    def operation(self, name, *e, **values):
        """axt_call of the tensors, with texts and nodes for parameters."""
        args = [Arg(k.encode(), v.encode(), None) if isinstance(v, str) else Arg(k.encode(), None, v) for k, v in values.items() if v is not None]
        self.did.append(f'{name} {values}')
        return LIB.axt_call(self.g, name.encode(), (P * len(e))(*e), len(e), (Arg * len(args))(*args), len(args))

    def pick(self, x):
        return list(x)[int(self.r.integers(len(x)))]

    # ---- where a tensor comes from ----

    def leaf(self):
        r = self.r
        rank = int(r.integers(1, 5))
        names = [self.name() for _ in range(rank)]
        a = r.integers(-9, 10, tuple(int(n) for n in r.integers(1, 8, rank))).astype(self.pick(DT))
        return names, self.enter(names, a), a

    def enter(self, names, a):
        axes = ','.join(f'{n}={k}' for n, k in zip(names, a.shape)).encode()
        how = self.r.random()
        self.did.append(f'leaf {axes.decode()} {a.dtype} {how:.2f}')
        if how < .5 or a.size == 0:
            a = np.ascontiguousarray(a)
            self.keep.append(a)
            return LIB.axt_tensor(self.g, LIB.axt_dtype_of_name(DT[a.dtype.str[1:]].encode()), axes, a.ctypes.data, None)
        path = os.path.join(DIR, f'leaf{len(self.keep)}.h5')
        kw = {}
        if how > .75:
            kw = dict(chunks=tuple(int(self.r.integers(1, n + 1)) for n in a.shape),
                      **self.pick([{}, {'compression': 'gzip', 'shuffle': True}]))
        write_h5(path, Named(names, a), 'x', **kw)
        self.keep.append(path)
        return LIB.axt_open(self.g, (path + ':x').encode(), None)

    # ---- one step: names, expression, array ----

    def step(self, t):
        names, e, a = t
        kinds = ['slice', 'list', 'index', 'flip', 'shift', 'order', 'map', 'flatten', 'unflatten', 'reshape', 'pad',
                 'window', 'take', 'along', 'concat', 'stack', 'expand', 'squeeze', 'reduce', 'add', 'rank']
        k = self.pick(kinds)
        if a.ndim == 0 and k not in ('map', 'expand', 'stack', 'reshape', 'rank'):
            return None
        if a.ndim > 6 and k in ('unflatten', 'window', 'stack', 'expand', 'reshape'):
            return None
        i = int(self.r.integers(a.ndim)) if a.ndim else 0
        return getattr(self, 'do_' + k)(list(names), e, a, i)

    def do_slice(self, names, e, a, i):
        n = a.shape[i]
        lo, hi = (self.pick(['', int(self.r.integers(-n - 1, n + 2))]) for _ in '12')
        st = self.pick(['', 1, 2, 3, -1, -2])
        s = slice(*(None if x == '' else x for x in (lo, hi, st)))
        spec = f'{lo}:{hi}' + (f':{st}' if st != '' else '')
        return names, self.call('axt_slice', e, f'{names[i]}={spec}'.encode(), False), a[(slice(None),) * i + (s,)]

    def do_list(self, names, e, a, i):
        if a.shape[i] == 0:
            return None
        at = self.r.integers(-a.shape[i], a.shape[i], int(self.r.integers(2, 7)))
        spec = ','.join(map(str, at))
        return names, self.call('axt_slice', e, f'{names[i]}={spec}'.encode(), False), a.take(at, axis=i)

    def do_index(self, names, e, a, i):
        if a.shape[i] == 0:
            return None
        at = int(self.r.integers(-a.shape[i], a.shape[i]))
        return (names[:i] + names[i + 1:], self.call('axt_slice', e, f'{names[i]}={at}'.encode(), False),
                a.take(at, axis=i))

    def do_flip(self, names, e, a, i):
        return names, self.call('axt_flip', e, names[i].encode()), np.flip(a, i)

    def do_shift(self, names, e, a, i):
        by = int(self.r.integers(-9, 10))
        return names, self.operation('shift', e, specs=f'{names[i]}={by}'), np.roll(a, by, i)

    def do_order(self, names, e, a, i):
        p = self.r.permutation(a.ndim)
        return ([names[k] for k in p], self.call('axt_order', e, ','.join(names[k] for k in p).encode()),
                a.transpose(p))

    def do_map(self, names, e, a, i):
        f = self.pick(OPS)
        if f == 'square' and np.abs(a).max(initial=0) > 99:
            return None
        return names, self.operation(OPS[f], e), {'neg': np.negative, 'square': np.square, 'abs': abs}[f](a)

    def do_add(self, names, e, a, i):
        """A tensor and a reduction, or another view, of itself."""
        f = self.pick(['flip', 'sum', 'self'])
        b, eb, nb = a, e, names
        if f == 'flip':
            eb, b = self.call('axt_flip', e, names[i].encode()), np.flip(a, i)
        if f == 'sum':
            nb, eb, b = self.do_reduce(names, e, a, i)
            b = np.expand_dims(b, i) if b.ndim == a.ndim - 1 else b
            if b.ndim != a.ndim:
                return None
        return names, self.operation('add', e, eb), a + b

    def do_reduce(self, names, e, a, i):
        f = self.pick(['sum', 'max'])
        if f == 'max' and a.size == 0 or abs(a).max(initial=0) * max(a.size, 1) > 2**20:
            return names, e, a
        e = self.operation(f, e, over=names[i])
        b = a.max(axis=i) if f == 'max' else a.sum(axis=i, dtype='i8' if a.dtype.kind == 'i' else a.dtype)
        return names[:i] + names[i + 1:], e, b

    def do_flatten(self, names, e, a, i):
        k = int(self.r.integers(1, a.ndim + 1))
        which = list(self.r.permutation(a.ndim)[:k])
        first, new = min(which), self.name()
        perm = [x for x in range(first)] + which + [x for x in range(first, a.ndim) if x not in which]
        b = a.transpose(perm)
        b = b.reshape(b.shape[:first] + (int(np.prod(b.shape[first:first + k])),) + b.shape[first + k:])
        rest = [names[x] for x in perm]
        spec = ','.join(names[x] for x in which) + '=' + new
        return rest[:first] + [new] + rest[first + k:], self.operation('flatten', e, axes=spec), b

    def factors(self, n):
        out = []
        while len(out) < 3 and n > 1:
            f = self.pick([d for d in range(1, n + 1) if n % d == 0])
            out.append(f)
            n //= f
        return out + [n]

    def do_unflatten(self, names, e, a, i):
        f = self.factors(a.shape[i])
        new = [self.name() for _ in f]
        if a.ndim + len(f) > 8:
            return None
        spec = names[i] + '=' + ','.join(f'{n}:{k}' for n, k in zip(new, f))
        return (names[:i] + new + names[i + 1:], self.operation('unflatten', e, axes=spec),
                a.reshape(a.shape[:i] + tuple(f) + a.shape[i + 1:]))

    def do_reshape(self, names, e, a, i):
        f = self.factors(a.size)
        new = [self.name() for _ in f]
        o = self.pick('CF')
        spec = ','.join(f'{n}={k}' for n, k in zip(new, f))
        return new, self.call('axt_reshape', e, spec.encode(), o.encode()), a.reshape(f, order=o)

    def do_rank(self, names, e, a, i):
        k, o = int(self.r.integers(1, 7)), self.pick('CF')
        e = self.operation('reshape', e, rank=str(k), order=o)
        if o == 'F' and k < a.ndim:
            a = a.transpose(list(range(k - 1)) + list(range(a.ndim - 1, k - 2, -1)))
        shape = a.shape[:k - 1] + (int(np.prod(a.shape[k - 1:])),) if k <= a.ndim else a.shape + (1,) * (k - a.ndim)
        return [LIB.axt_expr_axis(e, j).decode() for j in range(LIB.axt_expr_rank(e))], e, a.reshape(shape)

    def do_pad(self, names, e, a, i):
        b, c = (int(x) for x in self.r.integers(0, 2 * a.shape[i] + 3, 2))
        m = self.pick(['constant', 'edge', 'reflect', 'wrap'])
        if a.shape[i] == 0 and m != 'constant':
            return None
        v = LIB.axt_number(self.g, b'3') if m == 'constant' else None
        e = self.operation('pad', e, specs=f'{names[i]}={b},{c}', mode=m, value=v)
        # numpy before 1.25 pads by more than the length wrongly: positions by hand
        n, at = a.shape[i], np.arange(-b, a.shape[i] + c)
        out = (at < 0) | (at >= n)
        if m == 'wrap':
            at = at % max(n, 1)
        elif m == 'reflect' and n > 1:
            at = at % (2 * n - 2)
            at = np.where(at < n, at, 2 * n - 2 - at)
        if n == 0:
            return names, e, np.full(a.shape[:i] + (b + c,) + a.shape[i + 1:], 3, a.dtype)
        v = a.take(np.clip(at, 0, n - 1), axis=i)
        if m == 'constant':
            v[(slice(None),) * i + (out,)] = 3
        return names, e, v

    def do_window(self, names, e, a, i):
        if a.shape[i] == 0 or a.size > 3000:
            return None
        n, st, new = int(self.r.integers(1, a.shape[i] + 1)), int(self.r.integers(1, 4)), self.name()
        b = np.lib.stride_tricks.sliding_window_view(a, n, i)[(slice(None),) * i + (slice(None, None, st),)]
        return names + [new], self.operation('window', e, specs=f'{names[i]}={new}:{n}:{st}'), b

    def do_take(self, names, e, a, i):
        if a.shape[i] == 0:
            return None
        rank = int(self.r.integers(0, 3))
        least = 0 if rank else -a.shape[i]	# of a tensor, negative ones are missing
        at = self.r.integers(least, a.shape[i], tuple(int(x) for x in self.r.integers(1, 5, rank))).astype('i8')
        if a.ndim - 1 + rank > 8:
            return None
        new = [self.name() for _ in range(rank)]
        x = self.enter(new, at) if rank else LIB.axt_number(self.g, str(int(at)).encode())
        return names[:i] + new + names[i + 1:], self.call('axt_take', e, names[i].encode(), x, False), a.take(at, axis=i)

    def do_along(self, names, e, a, i):
        """Positions that share axes with the tensor: those of the line, and each of the others perhaps."""
        if 0 in a.shape:
            return None
        over = [j for j in range(a.ndim) if j == i or self.r.random() < .6]
        shape = [int(self.r.integers(1, 6)) if j == i else a.shape[j] for j in over]
        at = self.r.integers(0, a.shape[i], shape).astype('i8')
        x = self.enter([names[j] for j in over], at)
        full = at.reshape([shape[over.index(j)] if j in over else 1 for j in range(a.ndim)])
        b = np.take_along_axis(a, np.broadcast_to(full, [full.shape[i] if j == i else n for j, n in enumerate(a.shape)]), i)
        return names, self.call('axt_take', e, names[i].encode(), x, False), b

    def other(self, names, a, i, n):
        """A tensor of the same axes, but for the length of axis i; its axes in another order."""
        shape = list(a.shape)
        if i is not None:
            shape[i] = n
        b = self.r.integers(-9, 10, tuple(shape)).astype(self.pick(DT))
        p = self.r.permutation(a.ndim)
        return self.enter([names[k] for k in p], b.transpose(p)), b

    def joined(self, names, e, a, i, fn):
        parts, arrays = [e], [a]
        for _ in range(int(self.r.integers(1, 7))):
            x, b = (e, a) if self.r.random() < .3 else self.other(names, a, i, int(self.r.integers(1, 5)))
            parts.append(x)
            arrays.append(b)
        arr = (P * len(parts))(*parts)
        self.keep.append(arr)
        return len(parts), ctypes.addressof(arr), arrays

    def do_concat(self, names, e, a, i):
        n, arr, arrays = self.joined(names, e, a, i, None)
        e = self.call('axt_concat', names[i].encode(), n, arr)
        return names, e, np.concatenate(arrays, i)

    def do_stack(self, names, e, a, i):
        n, arr, arrays = self.joined(names, e, a, None, None)
        at, new = int(self.r.integers(-a.ndim - 1, a.ndim + 1)), self.name()
        e = self.call('axt_stack', new.encode(), n, arr, at)
        b = np.stack(arrays, at)
        at += a.ndim + 1 if at < 0 else 0
        return names[:at] + [new] + names[at:], e, b

    def do_expand(self, names, e, a, i):
        at, new, n = int(self.r.integers(-a.ndim - 1, a.ndim + 1)), self.name(), int(self.r.integers(1, 4))
        e = self.operation('expand', e, axes=f'{new}={n}', at=str(at))
        b = np.expand_dims(a, at)
        at += a.ndim + 1 if at < 0 else 0
        return names[:at] + [new] + names[at:], e, b.repeat(n, at)

    def do_squeeze(self, names, e, a, i):
        return ([n for n, k in zip(names, a.shape) if k != 1], self.operation('squeeze', e), a.squeeze())


def run(seed):
    r = np.random.default_rng(seed)
    os.environ['AXT_SLAB'] = str(int(r.integers(40, 4000))) if r.random() < .5 else ''
    os.environ['AXT_TILE'] = str(int(r.integers(1, 300))) if r.random() < .5 else ''
    c = Case(r, seed)
    try:
        t = c.leaf()
        for _ in range(int(r.integers(1, 9))):
            n = c.step(t)
            if n is not None and n[2].size <= 20000:
                t = n
            if LIB.axt_graph_error(c.g):
                break
        names, e, a = t
        out = np.full(a.shape, 77, a.dtype)
        rc = LIB.axt_eval(c.g, e, out.ctypes.data, out.nbytes)
        if rc:
            return f'seed {seed}: {LIB.axt_graph_error(c.g).decode()}: {" | ".join(c.did)}'
        have = [LIB.axt_expr_axis(e, i).decode() for i in range(LIB.axt_expr_rank(e))]
        if have != names:
            return f'seed {seed}: axes {have}, not {names}: {" | ".join(c.did)}'
        if not np.array_equal(out, a):
            at = np.argwhere(out != a)
            return f'seed {seed}: {len(at)} of {a.size} values differ, first at {at[0]}: {" | ".join(c.did)}'
        return None
    except BaseException:
        raise
    finally:
        LIB.axt_graph_free(c.g)
        for p in c.keep:
            if isinstance(p, str):
                os.unlink(p)


def main():
    declare()
    tap = Tap()
    cases, first = random_cases(1500, 300, 60, 1)
    bad = []
    for s in range(first, first + cases):
        why = run(s)
        if why:
            bad.append(why)
    tap.ok(not bad, f'{cases} random chains of views', '\n'.join(bad[:10]))
    tap.done()


if __name__ == '__main__':
    main()
