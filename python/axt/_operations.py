"""Functions and methods, made of what the library says of its operations; nothing here knows one of them.

The library describes its operations as JSON (`axt list --json`): operands, parameters with types, choices and defaults, results.
"""
import difflib
import inspect
import json
import secrets
import types

import numpy as np

from ._graph import Recipe
from ._library import ERRORS, Arg, encoded, lib, printed
from ._tensor import Tensor, array_of, of_recipe, operand, tensor, typed, words

EMPTY, KEYWORD, BOTH, ONLY = (inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                              inspect.Parameter.POSITIONAL_ONLY)


class Function:
    """An operation, or another name of it, as a function; help() and inspect see its description."""

    def __init__(self, op, alias):
        self.name = alias.get('name', op['name'])
        self.rows = {p['name']: p for p in op['parameters']}
        self.preset = {s.partition('=')[0] for s in alias.get('set', [])}
        self.second, self.only = alias.get('second'), alias.get('result')
        self.names = [n.strip('[]') for n in op['operands']] + [self.second] * bool(self.second)
        self.least = sum(not n.startswith('[') for n in op['operands']) + bool(self.second)
        self.many = op.get('many', False)
        self.results = {False: op.get('results', []), True: op.get('other_results', [])}
        self.where = op.get('where')
        free = [p for n, p in self.rows.items() if n not in self.preset and n != self.second and not (self.only and p.get('result'))]
        colon = op.get('colon', [])
        self.specs = next((p['name'] for p in free if p['type'] == 'specs'), None)
        self.parameters = free
        self.positional = [] if self.many else [
            p['name'] for p in free if p['type'] != 'specs' and (p.get('word') or p.get('bare') or p['name'] in colon and p.get('required'))]
        # axes with something behind =, which may be given by name: zeros(x=3), rename(TIME="t")
        self.pairs = next((p['name'] for p in free if p.get('word') and p['type'] == 'axes' and '=' in p['value'] and not p.get('one')), None)
        self.instead = any(p.get('instead') for p in free)
        self.help = alias.get('help', op['help'])
        self.__name__ = self.__qualname__ = self.name
        self.__module__ = 'axt'

    @property
    def __signature__(self):
        made = [inspect.Parameter(n.lower(), ONLY, default=EMPTY if i < self.least else None) for i, n in enumerate(self.names)]
        several = ['more'] if self.many else [self.specs] if self.specs else []
        made += [inspect.Parameter(n, inspect.Parameter.VAR_POSITIONAL) for n in several]
        made += [inspect.Parameter(p['name'], BOTH if p['name'] in self.positional else KEYWORD, default=EMPTY if p.get('required') and not self.instead and p['name'] != self.pairs else p['default'])
                 for p in self.parameters if p['name'] != self.specs]
        made += [inspect.Parameter('by_axis', inspect.Parameter.VAR_KEYWORD) for n in [self.specs or self.pairs] if n]
        return inspect.Signature(sorted(made, key=lambda p: p.kind))

    @property
    def __doc__(self):
        lines = [self.help[:1].upper() + self.help[1:] + '.', '']
        for p in self.parameters:
            choices = p.get('value', '') if p['type'] != 'flag' else 'True'
            lines.append(f'{p["name"]} ({choices}): {p["help"]}' + f' (default {p["default"]})' * (p['default'] not in (None, False)))
        return '\n'.join(lines)

    def __repr__(self):
        return f'<axt.{self.name}{self.__signature__}>'

    def __get__(self, tensor, owner=None):
        return self if tensor is None else types.MethodType(self, tensor)

    def __call__(self, *given, **named):
        n = len(given) if self.many else min(len(given), len(self.names))
        tensors, rest = [operand(x) for x in given[:n]], given[n:]
        specs = []
        if self.specs and not self.many:
            specs, rest = list(rest), ()
            given_by_name = named.pop(self.specs, [])
            specs += given_by_name if isinstance(given_by_name, (list, tuple)) else [given_by_name]
            specs += [{k: named.pop(k)} for k in list(named) if k not in self.rows and k != 'result']
        unknown = [k for k in named if k not in self.rows and k != 'result']
        if self.pairs and unknown and self.pairs not in named and self.pairs not in self.positional[:len(rest)]:
            named[self.pairs] = {k: named.pop(k) for k in unknown}
        elif unknown:
            near = difflib.get_close_matches(unknown[0], self.rows)
            raise ERRORS['WordError'](f'{self.name} has no parameter "{unknown[0]}"', f'did you mean "{near[0]}"?' if near else
                                      f'its parameters are {", ".join(self.rows)}' if self.rows else None, 11)
        positional = [p for p in self.positional if p not in named]
        if n < self.least or len(rest) > len(positional):
            raise TypeError(f'{self.name}{self.__signature__} was given {len(given)} values')
        named = {**dict(zip(positional, rest)), **named}
        which = named.pop('result', None)
        arguments = Arguments(self, tensors)
        for name, value in named.items():
            if value is not None and value is not False:
                arguments.add(name, value)
        for s in specs:
            arguments.add_spec(s)
        if 'seed' in self.rows and 'seed' not in named:
            # one that the library draws would be another one each time that the recipe is built
            arguments.add('seed', secrets.randbelow(1 << 62))
        return self.made(arguments, named, which)

    def made(self, arguments, named, which):
        names = [] if self.only else self.results[bool(self.where and (self.where in named or self.where == self.second))]
        asked = [p for p in names if p in named and self.rows.get(p, {}).get('result')]
        names = [which] if which else asked or [r for r in names if not self.rows.get(r, {}).get('result')]
        if not names:
            return arguments.call(None)
        got = {r: arguments.call(r) for r in names}
        return got[names[0]] if len(names) == 1 else got


class Arguments:
    """What a call gives: operands, then texts and tensors for parameters."""

    def __init__(self, function, tensors):
        self.function, self.tensors, self.texts, self.size = function, list(tensors), [], 0
        self.n = len(tensors)

    def input(self, t):
        self.tensors.append(t)
        # an operation may compute and keep what its parameters are
        self.size += 8 * t.size
        return len(self.tensors) - 1

    def add(self, name, value):
        row = self.function.rows.get(name, {'type': 'text'})
        listed = isinstance(value, (str, list, tuple, range))
        if row.get('result'):
            return
        if row['type'] in ('tensor', 'value') or row['type'] == 'labels' and not listed:
            self.texts.append((name, None, self.input(self.tensor_of(row, value))))
            return
        if isinstance(value, range):
            value = slice(value.start, value.stop)
        if row['type'] == 'axes' and isinstance(value, (list, tuple)):
            value = [typed(v) for v in value]
        self.texts.append((name, words(value), None))

    def tensor_of(self, row, value):
        """The tensor that is a parameter's value; a word may mean something about an operand."""
        labels, word = row.get('groups'), isinstance(value, str)
        if not word or not (labels or row.get('area') and (value == 'area' or '.' in value and ':' not in value)):
            return operand(value)
        of = self.tensors[self.n - 1 if row.get('of') and row['of'] == self.function.second else 0]
        of = next((self.tensors[i] for n, _, i in self.texts if n == row.get('of') and i is not None), of)
        return of_recipe(Recipe(_labels if labels else _weights, value, [(of._recipe, of._at)]), [of])

    def add_spec(self, spec):
        name = self.function.specs
        for key, value in spec.items() if isinstance(spec, dict) else [(None, spec)]:
            if key is None:
                self.texts.append((name, str(value), None))
                continue
            key = str(key)
            axis, sign = (key[:-1], key[-1]) if key[-1:] in '=@' else (key, '=')
            if isinstance(value, (list, np.ndarray)) and np.ndim(value) == 1 and self.function.rows[name].get('index'):
                value = np.asarray(value)
                if value.dtype.kind in 'biuf':
                    value = tensor(value if value.size else value.astype('i8'), [axis])
            if isinstance(value, Tensor) or type(value).__name__ == 'DataArray':
                self.texts.append((name, typed(axis) + sign, self.input(operand(value))))
            else:
                self.texts.append((name, typed(axis) + sign + words(value), None))

    def call(self, result):
        texts = self.texts + [('result', result, None)] * bool(result)
        data = self.function.name, self.n, texts
        return of_recipe(Recipe(_call, data, [(t._recipe, t._at) for t in self.tensors], self.size), self.tensors)


def _call(handle, nodes, data):
    name, n, texts = data
    arguments = (Arg * max(len(texts), 1))(*(Arg(encoded(p), encoded(text), None if i is None else nodes[i]) for p, text, i in texts))
    return [lib.call(handle, encoded(name), array_of(nodes[:n]), n, arguments, len(texts))]


def _labels(handle, nodes, word):
    return [lib.labels_of(handle, nodes[0], encoded(word), None)]


def _weights(handle, nodes, word):
    return [lib.weights_of(handle, nodes[0], encoded(word))]


# ---- Python's operators ----

OPERATORS = {'add': 'add', 'sub': 'sub', 'mul': 'mul', 'truediv': 'div', 'floordiv': 'floordiv', 'mod': 'mod', 'pow': 'pow', 'matmul': 'dot',
             'and': 'bitwise_and', 'or': 'bitwise_or', 'xor': 'xor', 'eq': 'eq', 'ne': 'ne', 'lt': 'lt', 'le': 'le', 'gt': 'gt', 'ge': 'ge'}
SIGNS = {'neg': 'negative', 'abs': 'absolute', 'invert': 'bitwise_not', 'round': 'round', 'floor': 'floor', 'ceil': 'ceil', 'trunc': 'trunc'}


def _operator(function, swapped):
    def call(self, other):
        try:
            other = operand(other)
        except TypeError:
            if isinstance(other, np.ndarray):
                raise
            return NotImplemented
        return function(other, self) if swapped else function(self, other)
    return call


def functions():
    """All operations and their other names; those with operands are methods of tensors too."""
    text, _ = printed(lib.operations_json)
    made = {}
    for op in json.loads(text):
        for alias in [{}, *op['aliases']]:
            function = Function(op, alias)
            made[function.name] = function
            if function.names and not hasattr(Tensor, function.name):
                setattr(Tensor, function.name, function)
    for sign, name in OPERATORS.items():
        setattr(Tensor, f'__{sign}__', _operator(made[name], False))
        if sign not in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
            setattr(Tensor, f'__r{sign}__', _operator(made[name], True))
    for sign, name in SIGNS.items():
        setattr(Tensor, f'__{sign}__', lambda self, f=made[name]: f(self))
    return made
