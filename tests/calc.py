#!/usr/bin/python3
"""Random expressions, against NumPy and against pipelines: calc.py [CASES [SEED]].

Trees of operators, functions, reductions, numbers and local names over small tensors give NumPy's values, axes and
dtypes. Trees of commands (those of pipelines.py) written as one expression give the bytes of the pipeline, and, where its
commands hand their plans over, the same plan; or both fail.
"""
import os
import re

import numpy as np

from axtlib import Named, Tap, counted, random_cases, read_h5, same_named, scratch, shell, union, write_h5
from pipelines import LENGTHS, File, Node, command, put, subset, tree

BATCH = 25
if hasattr(np, '_set_promotion_state'):     # before NumPy 2: its rules for numbers
    np._set_promotion_state('weak')

# ---- against NumPy ----

# what binds, as in Python
OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 10)
LEN = {'a': 2, 'b': 3, 'c': 5, 'M*': 4, 'long name': 3}
ARITHMETIC = [('+', SUM, np.add), ('-', SUM, np.subtract), ('*', PRODUCT, np.multiply), ('/', PRODUCT, np.true_divide)]
COMPARISONS = {'==': np.equal, '!=': np.not_equal, '<': np.less, '<=': np.less_equal, '>': np.greater,
               '>=': np.greater_equal}
UNARY = {'abs': np.abs, 'floor': np.floor, 'sqrt': np.sqrt, 'sin': np.sin, 'tanh': np.tanh, 'exp2': np.exp2,
         'negative': np.negative, 'square': np.square}
INEXACT = {'sin', 'tanh', 'exp2'}


class Part:
    """A piece of an expression: its text, how it binds, its value (a Named or a number), whether it is exact."""

    def __init__(self, text, level, value, exact=True):
        self.text, self.level, self.value, self.exact = text, level, value, exact

    def at(self, level):
        return self.text if self.level >= level else f'({self.text})'


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def apply(f, *xs, largest=False):
    """f over the union of the axes; of numbers alone a number. largest: the tensor with the most axes gives their order."""
    most = max(range(len(xs)), key=lambda i: len(xs[i].dims) if isinstance(xs[i], Named) else 0) if largest else 0
    tensors = [x for x in xs[most:] + xs[:most] if isinstance(x, Named)]
    if not tensors:
        v = f(*xs)
        return Named((), v) if isinstance(v, (bool, np.bool_)) else v.item() if isinstance(v, np.generic) else v
    dims = union(*tensors)
    with np.errstate(all='ignore'):
        v = np.asarray(f(*[x.to(dims) if isinstance(x, Named) else x for x in xs]))
    return Named(dims, np.broadcast_to(v, [LEN[d] for d in dims]))


class Maker:
    def __init__(self, r, d):
        self.r, self.d, self.files, self.locals, self.statements = r, d, {}, [], []
        for name in 'xyzw':
            dims = [k for k in r.permutation(list(LEN)) if r.random() < .45]
            a = r.integers(-9, 10, [LEN[k] for k in dims])
            self.files[name] = Named(dims, a.astype(str(r.choice(['f4', 'f4', 'f8', 'i4', 'i8']))))
        self.files['p'] = Named(['b'], r.random(3) < .5)
        for name, t in self.files.items():
            write_h5(f'{d}/{name}.h5', t)

    def pick(self, xs):
        return xs[int(self.r.integers(len(xs)))]

    def blank(self):
        return self.pick([' ', ' ', '', '  '])

    def number(self):
        n = int(self.r.integers(0, 10))
        if self.r.random() < .3:
            return Part(f'{n}.5', ATOM, n + .5)
        return Part(str(n), ATOM, n)

    def leaf(self):
        x = self.r.random()
        if x < .2:
            return self.number()
        if x < .4 and self.locals:
            return self.pick(self.locals)
        return Part(*self.pick([(k, ATOM, v) for k, v in self.files.items() if k != 'p']))

    def axes(self, dims):
        return '(' + ', '.join(f'"{x}"' if ' ' in x or self.r.random() < .2 else x.replace('*', self.pick('*^'))
                               for x in dims) + ')'

    def value(self, depth):
        if depth == 0:
            return self.leaf()
        x = self.r.random()
        e = (self.arithmetic if x < .45 else self.call if x < .65 else self.reduction if x < .75 else
             self.choice if x < .83 else self.sign if x < .9 else self.power)(depth - 1)
        if isinstance(e.value, Named) and self.r.random() < .2:
            name = f'v{len(self.locals)}'
            self.statements.append(f'{name} = {e.text}')
            e = Part(name, ATOM, e.value, e.exact)
            self.locals.append(e)
        return e

    def arithmetic(self, depth):
        a, b = self.value(depth), self.value(int(self.r.integers(0, depth + 1)))
        sign, level, f = self.pick(ARITHMETIC)
        if sign == '/' and (not (a.exact and b.exact) or (is_number(a.value) and is_number(b.value))):
            b = Part('4', ATOM, 4)
        elif self.r.random() < .1 and a.exact:
            sign, f = self.pick([('//', np.floor_divide), ('%', np.mod)])
            level, b = PRODUCT, Part('3', ATOM, 3)
        s = self.blank()
        # of numbers Python's own operators
        g = {'+': lambda p, q: p + q, '-': lambda p, q: p - q, '*': lambda p, q: p * q, '/': lambda p, q: p / q,
             '//': lambda p, q: p // q, '%': lambda p, q: p % q}[sign]
        numbers = is_number(a.value) and is_number(b.value)
        return Part(f'{a.at(level)}{s}{sign}{s}{b.at(level + 1)}', level, apply(g if numbers else f, a.value, b.value),
                    a.exact and b.exact)

    def sign(self, depth):
        a = self.value(depth)
        return Part(f'-{self.blank()}{a.at(SIGN)}', SIGN, apply(np.negative if isinstance(a.value, Named) else
                                                                lambda v: -v, a.value), a.exact)

    def power(self, depth):
        a = self.value(depth)
        if is_number(a.value):
            return Part(f'{a.at(ATOM)}^2', POWER, a.value ** 2)
        return Part(f'{a.at(ATOM)}{self.pick(["^2", "**2", " ^ 2"])}', POWER, apply(np.square, a.value), a.exact)

    def call(self, depth):
        name = self.pick(list(UNARY) + ['maximum', 'minimum', 'clip', 'fillnan', 'order', 'cast', 'cast'])
        a = self.value(depth)
        if is_number(a.value):
            return a
        if name == 'order':
            dims = [str(x) for x in self.r.permutation(a.value.dims)]
            return Part(f'order({a.text}, {self.axes(dims)})', ATOM, Named(dims, a.value.to(dims)), a.exact)
        if name == 'cast':
            return Part(f'cast({a.text}, f64)', ATOM, Named(a.value.dims, a.value.a.astype('f8')), a.exact)
        if name == 'clip':
            return Part(f'clip({a.text},-2,5)', ATOM, apply(lambda v: np.clip(v, -2, 5), a.value), a.exact)
        if name in UNARY:
            if a.value.a.dtype.kind in 'i' and name in ('sqrt', 'sin', 'tanh', 'exp2'):
                a = Part(f'({a.text} + 0.5)', ATOM, apply(np.add, a.value, .5), a.exact)
            if name == 'floor' and a.value.a.dtype.kind == 'i':
                return a
            exact = a.exact and name not in INEXACT
            return Part(f'{name}({a.text})', ATOM, apply(UNARY[name], a.value), exact)
        b = self.value(0)
        f = {'maximum': np.maximum, 'minimum': np.minimum, 'fillnan': lambda p, q: np.where(np.isnan(p), q, p)}[name]
        if name == 'fillnan' and a.value.a.dtype.kind == 'i':
            return a
        if name == 'fillnan':
            b = Part('1', ATOM, 1)
            f = lambda p, q: np.where(np.isnan(p), p.dtype.type(1), p)
        return Part(f'{name}({a.text}, {b.text})', ATOM, apply(f, a.value, b.value), a.exact and b.exact)

    def reduction(self, depth):
        a = self.value(depth)
        if is_number(a.value):
            return a
        t = a.value
        gone = [k for k in t.dims if self.r.random() < .5]
        kept = [k for k in t.dims if k not in gone]
        name = self.pick(['sum', 'mean', 'min', 'max', 'std', 'count'])
        how = f'over={self.axes(gone)}'
        if self.r.random() < .4:
            kept = [str(x) for x in self.r.permutation(kept)]
            how = f'to = {self.axes(kept)}'
        x = t.to(kept + gone).reshape([LEN[k] for k in kept] + [int(np.prod([LEN[k] for k in gone], dtype=int))])
        wide = x.astype('f8') if x.dtype.kind == 'f' else x
        with np.errstate(all='ignore'):
            v = {'sum': lambda: wide.sum(-1), 'mean': lambda: wide.mean(-1), 'min': lambda: x.min(-1),
                 'max': lambda: x.max(-1), 'std': lambda: wide.std(-1),
                 'count': lambda: (~np.isnan(wide)).sum(-1)}[name]()
            v = np.asarray(v)
            if x.dtype.kind == 'f' and name != 'count':
                v = v.astype(x.dtype)
        return Part(f'{name}({a.text}, {how})', ATOM, Named(kept, v), a.exact and name in ('min', 'max', 'count'))

    def exactly(self, depth):
        """A value to compare."""
        a = self.value(depth)
        return a if a.exact else self.leaf_exact()

    def leaf_exact(self):
        return Part(*self.pick([(k, ATOM, v) for k, v in self.files.items() if k != 'p']))

    def logic(self, depth):
        x = self.r.random()
        if depth == 0 or x < .5:
            a, b = self.exactly(min(depth, 1)), self.leaf_exact()
            op = self.pick(list(COMPARISONS))
            if x < .15:
                c, op2 = self.leaf_exact(), self.pick(list(COMPARISONS))
                v = apply(np.logical_and, apply(COMPARISONS[op], a.value, b.value),
                          apply(COMPARISONS[op2], b.value, c.value))
                return Part(f'{a.at(SUM)} {op} {b.text} {op2} {c.text}', COMPARE, v)
            return Part(f'{a.at(SUM)}{op}{b.at(SUM)}', COMPARE, apply(COMPARISONS[op], a.value, b.value))
        if x < .6:
            return Part('p', ATOM, self.files['p'])
        a = self.logic(depth - 1)
        if x < .7:
            return Part(f'not {a.at(NOT)}', NOT, apply(np.logical_not, a.value))
        b = self.logic(depth - 1)
        sign, level, f = self.pick([('and', AND, np.logical_and), ('or', OR, np.logical_or)])
        return Part(f'{a.at(level)} {sign} {b.at(level + 1)}', level, apply(f, a.value, b.value))

    def choice(self, depth):
        c, a, b = self.logic(depth), self.value(depth), self.value(0)
        if is_number(a.value) and is_number(b.value):
            a = self.leaf_exact()
        return Part(f'where({c.text}, {a.text}, {b.text})', ATOM,
                    apply(lambda p, q, k: np.where(k, p, q), *typed(a.value, b.value), c.value, largest=True),
                    a.exact and b.exact)


def typed(a, b):
    """np.where before NumPy 2 has no numbers without dtype: they take that of the promotion."""
    t = [x for x in (a, b) if isinstance(x, Named)][0].a
    if is_number(a):
        a = (t.dtype.type(0) + a).dtype.type(a)
    if is_number(b):
        b = (t.dtype.type(0) + b).dtype.type(b)
    return a, b


def numbers(t, d, first, n, seed):
    why, lines, wants = '', [], []
    for k in range(first, first + n):
        os.makedirs(f'{d}/{k}')
        m = Maker(np.random.default_rng([seed, k]), f'{d}/{k}')
        e = m.logic(3) if m.r.random() < .2 else m.value(int(m.r.integers(1, 5)))
        while is_number(e.value):
            e = Part(f'({e.text})*x', PRODUCT, apply(np.multiply, e.value, m.files['x']))
        text = ''.join(f'{s}{m.pick(["; ", chr(10), ";"])}' for s in m.statements) + e.text
        with open(f'{d}/{k}/text', 'w') as f:
            f.write(text)
        lines.append(f'axt-calc -q -o {d}/{k}/out.h5 -- "$(cat {d}/{k}/text)" '
                     f'{" ".join(f"{x}={d}/{k}/{x}.h5" for x in m.files)} 2>{d}/{k}/err')
        wants.append((k, text, e.value))
    shell('\n'.join(lines), timeout=600)
    for k, text, want in wants:
        with open(f'{d}/{k}/err') as f:
            bad = f.read()
        if not bad:
            small = want.a.dtype == np.float32 or np.dtype('f4') in [x.a.dtype for x in (read_h5(f'{d}/{k}/{y}.h5') for y in 'xyzw')]
            with np.errstate(all='ignore'):
                scale = np.nanmax(np.abs(np.where(np.isfinite(want.a), want.a, 0)), initial=0) if want.a.dtype.kind == 'f' else 0
            rtol = 0 if want.a.dtype.kind in 'bi' else 1e-4 if small else 1e-10
            bad = same_named(read_h5(f'{d}/{k}/out.h5'), want, rtol=rtol, atol=rtol * float(scale))
        if bad:
            why += f'case {k}: {text}\n{bad}\n'
    t.ok(not why, f'expressions {first} to {first + n - 1} are those of NumPy', why)


# ---- against pipelines ----

SIGNS = {'add': '+', 'sub': '-', 'mul': '*', 'div': '/', 'eq': '==', 'lt': '<'}


def as_text(r, node, names, statements):
    """The expression of a tree of commands; every piece in parentheses."""
    if isinstance(node, File):
        return names.setdefault(node.path, f'f{len(names)}')
    if not isinstance(node, Node):
        return node
    w = node.words
    kids = [as_text(r, x, names, statements) for x in w[1:] if isinstance(x, (File, Node))]
    if w[0] == 'map':
        e = f'{kids[0]}^2' if w[1] == 'square' and isinstance(w[2], File) else f'{w[1]}({kids[0]})'
    elif w[0] == 'reduce':
        op, _, q = w[1].partition(':')
        e = f'{op}({kids[0]}, {w[2][2:]}=({w[3]}){", q=" + q if q else ""})'
    elif w[0] == 'scan':
        e = f'scan({kids[0]}, {w[1]}, along={w[3]})'
    elif w[0] == 'sort':
        e = f'sort({kids[0]}, along={w[-2]}{", descending=true" if len(w) > 4 else ""})'
    elif w[0] == 'order':
        e = f'order({kids[0]}, ({w[1]}))'
    elif w[0] == 'clip':
        e = f'clip({kids[0]}, {w[1]}, {w[2]})'
    elif w[0] == 'cast':
        e = f'cast({kids[0]}, {w[2]}, overflow={w[4]})'
    elif w[0] in SIGNS:
        e = f' {SIGNS[w[0]]} '.join(as_text(r, x, names, statements) if isinstance(x, str) else k
                                    for x, k in zip(w[1:], kids + [None]))
    else:
        e = f'{w[0]}({", ".join(kids)})'
    if r.random() < .2:
        statements.append(f'v{len(statements)} = {e}')
        return f'v{len(statements) - 1}'
    return f'({e})'


def nodes(text):
    return [x for x in text.splitlines() if re.match('node|out', x)]


def pipelines(t, d, first, n, seed):
    d = f'{d}/p{first}'
    os.makedirs(d)
    cases, one, many = [], [], []
    for k in range(first, first + n):
        r = np.random.default_rng([seed, k])
        lengths = {x: int(r.choice(v)) for x, v in LENGTHS.items()}
        files = []
        for i in range(3):
            axes = [str(x) for x in r.permutation(subset(r, 'abcd'))]
            files.append(File(f'{k}.{i}.h5', axes))
            put(r, f'{d}/{files[-1].path}', axes, lengths)
        node = tree(r, files, int(r.integers(2, 6)))
        if isinstance(node, File):
            node = Node(['map', 'square', node], node.axes)
        line = command(r, node)
        names, statements = {}, []
        text = as_text(r, node, names, statements)
        text = '; '.join(statements + [text])
        # a name given to the result is none in the pipeline
        if statements and re.fullmatch(r'v\d+', text.split('; ')[-1]):
            text = '; '.join(statements[:-1] + [statements[-1].split(' = ', 1)[1]])
        calc = f"axt-calc '{text}' {' '.join(f'{v}={p}' for p, v in names.items())} --no-history"
        cases.append((k, line, calc))
        one.append(f'{calc} -o {d}/calc{k}.h5 || echo "{k} failed"; {calc} --explain >{d}/calc{k}.txt')
        many.append(f'{line} -o {d}/pipe{k}.h5 || echo "{k} failed"; {line} --explain >{d}/pipe{k}.txt')
    for lines in one, many:
        shell(f'cd {d}; set -o pipefail; ulimit -c 0\n' + '\n'.join(lines), timeout=600, env={'AXT_FUSE': '1'})
    why, failed, plans = '', 0, 0
    for k, line, calc in cases:
        got = []
        for way in 'calc', 'pipe':
            path = f'{d}/{way}{k}.h5'
            got.append(open(path, 'rb').read() if os.path.exists(path) else None)
        text = [open(f'{d}/{way}{k}.txt').read() for way in ('calc', 'pipe')]
        failed += got[0] is None
        if got[0] != got[1]:
            why += f'case {k}: other bytes (failed: {[x is None for x in got]})\n$ {line}\n$ {calc}\n'
        elif got[0] is not None and '| cat |' not in line:
            plans += 1
            if nodes(text[0]) != nodes(text[1]) or not nodes(text[0]):
                why += f'case {k}: another plan\n$ {line}\n$ {calc}\n' + '\n'.join(nodes(text[0]) + [''] + nodes(text[1]))
    t.ok(not why, f'pipelines {first} to {first + n - 1} and expressions agree, {plans} plans', why)
    return failed


def main():
    n, seed = random_cases(150, 50, 10, 1)
    t, d = Tap(), scratch()
    for k in range(0, n, BATCH):
        numbers(t, d, k, min(BATCH, n - k), seed)
    n = max(n // 2, 1)
    failed = sum(pipelines(t, d, k, min(BATCH, n - k), seed) for k in range(0, n, BATCH))
    t.ok(failed < n * .4, f'{n - failed} of {n} pipelines give a result', f'{failed} failed')
    t.done()


if __name__ == '__main__':
    main()
