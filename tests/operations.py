#!/usr/bin/python3
"""Every operation with every parameter, choice, alias and result that `axt list --json` describes: its command, its function
of axt-calc and axt_call() of the library write the same bytes, and refuse the same words with the same message.

operations.py [PAIRS [WORD]]: with so many pairs of values of each operation that has parameters of its own; only operations with WORD in their name.
"""
import ctypes
import itertools
import json
import os
import random
import re
import subprocess
import sys

# The commands name the kernels to an OpenBLAS before they load it; here NumPy loads it first.
with open('/proc/cpuinfo') as cpu:
    os.environ.setdefault('OPENBLAS_CORETYPE', 'SkylakeX' if 'avx512vl' in cpu.read() else 'Haswell')

import h5py
import numpy as np

from axtlib import BIN, SLOW, Named, Tap, libaxt, put_h5, scratch, shell

PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 1 if SLOW else 5
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''

# Values of parameters by what -h shows, such as "N"; %b is the tensor b. Not all are good ones.
SHOWN = {'AXIS': ['x'], 'AXES': ['x', 'x,y'], 'N': ['1', '2'], 'X': ['0.5', '2'], 'D': ['0.5', '2'], 'TYPE': ['f64', 'f32'], 'TYPE|tf32': ['f64'],
         'V': ['0', '1.5', 'nan'], 'Q': ['0.5', '0', '1'], 'B': ['%b'], 'P': ['10', '0'], 'W|area': ['%w', 'area', 'time.daysinmonth'],
         'LABELS': ['%k', 'time.season'], 'A:B|LIST|B': ['0:3', '1,2', '%l'], 'PERIOD': ['month', 'season'], 'OP': [],
         'AXIS=LEN': ['c=9', 'c'], 'AXIS=LEN,...': ['x=4,y=6', 'x=5,y=5'], 'AXIS,AXIS,...[=NAME]': ['x,y', 'x,y=z', 'y,x'],
         'NAME[=A:LEN,...]': ['x=a:2,b:2', 'y', 'x'], 'OLD=NEW,...': ['x=u', 'x=y,y=x', 'z=w'],
         'AXIS[=LEN],...': ['z', 'z=2,w', 'x', '0'], 'POS': ['0', '1', '-1', '-9'], 'AXIS=N': ['x=1', 'y=-2', 'x=1 y=3', 'x=1 x=2', 'z=1'],
         'AXIS=WIDTH': ['x=2', 'x=3 y=2', 'x=1', 'z=1'], 'AXIS=BEFORE,AFTER': ['x=1,2', 'y=1', 'x=1,2 y=0,3', 'x=1 x=2', 'z=1'],
         'AXIS=NAME:LEN[:STEP]': ['x=w:2', 'y=w:3:3', 'x=w:2 y=v:2', 'x=w:9', 'x=w:2 x=v:2'],
         'AXIS=TARGETS': ['y=0:3:0.5', 'y=1.5', 'y=1.5,2 x=2', 'y=1 y=2', 'z=1', 'y=%at'], 'FIELD': ['%yy'],
         'AXIS=SPEC|AXIS@SPEC': ['x=1', 'x=1:3', 'y@2', 'y@1:4', 'x=::-1 y=2', 'x=1:4 x=1', 'x=9', 'z=1', 'y@2.4', 'y=0,2', 'x=%on'],
         'AXIS=INDEX|AXIS@LABELS|LAT,LON@POINTS': ['x=0,2', 'x=%i', 'y@%at', 'y@1,3', 'x=9,1', 'z=%i', 'x=%i y=0,1'],
         'NAME=OPERAND': ['place=%b', 'place=2', 'w=1', 'place=1 place=2'],
         'AXIS=OPERAND|AXIS=START:STEP': ['x=0:2', 'x=5:1 y=1:1', 'x=1:1 x=2:1', 'z=0:1', 'x=%i'], 'AXIS,...': ['x', 'x,y', 'z', 'x=1'], 'AXIS=LENGTH': ['y=2', 'y=-0.5', 'y=1h', 'x=1', 'z=1'],
         'NEW=LEN,...': ['p=24', 'p=6,q', 'p=5', '6,4'], 'R': ['1', '3'], 'UNITS': ['degC', 'm', 'mK'], 'NAME': ['x', 'y'],
         'N[,M]': ['3', '3,2'], 'LO,HI[,LO,HI]': ['-1,1', '-1,1,0,9'], 'DTYPE[:SCALE:OFFSET]': ['i16', 'i16:0.01:3', 'f32']}
REDUCED = {'over': ['time', 'y,x'], 'to': ['y'], 'dtype': ['f64'], 'by': ['time.season', '%g'], 'labels': ['0:3', '%l']}
# Values of parameters by operation, where those are not the right ones; '' is any operation.
OWN = {'eof': {'over': ['time'], 'keep': ['y'], 'against': ['%e'], 'against_weights': ['area', '%wx'], 'weights': ['area', '%wx'],
               'modes': ['2'], 'mode': ['n'], 'missing': ['0', '50'], 'ddof': ['0', '1']},
       'regrid': {'to': ['lat=0:5:1,lon=0:3:1', 'r4x6', 'r3x2', 'hp1'], 'over': ['y,x'], 'missing': ['renorm', 'nan', '0.5'], 'weights': ['w.nc'], 'save_weights': ['saved.nc']}, 'trend': {'along': ['time'], 'points': ['%p']}, 'convert': {'coord': ['y', 'z'], 'to': ['degC', 'm', 'mK']},
       'cast': {'dtype': ['f32', 'i8'], 'to': ['uu,vv', 'x'], 'like': ['%s']}, 'squeeze': {'over': ['u', 'x']}, 'fft': {'along': ['r', 'y', 'r,y'], 'length': ['4', '9']}, 'broadcast': {'axes': ['y,x', 'x,y,z=2', 'z=2,x'], 'like': ['%b']},
       'dot': {'over': ['x', 'x,y'], 'keep': ['x']}, 'stack': {'along': ['n', 'x']}, 'take': {'like': ['%o']}, 'slice': {'like': ['%o']},
       'scan': {'value': ['0.5', '%s'], 'by': ['%k']}, 'order': {'axes': ['y,x', 'y,...', 'z']}, 'hist': {'weights': ['%w', 'area'], 'over': ['x', 'y'], 'to': ['x']},
       'cov': {'over': ['x', 'x,y'], 'to': ['y'], 'weights': ['%w', 'area']}, 'corr': {'over': ['x', 'x,y'], 'to': ['y'], 'weights': ['%w', 'area']},
       'random': {'seed': ['5'], 'low': ['1'], 'high': ['2', '9']}, 'normal': {'seed': ['5']}, 'eye': {'axes': ['x=4,y=6', 'x=3']},
       '': {'row': ['r'], 'col': ['c'], 'power': ['3', '-1', '0'], 'min_count': ['1', '4'], 'mode': ['n'], 'rcond': ['0.01', '0']}}
# Operands that are tried, one after another, until all of what is required works.
OPERANDS = [['t', 's', 'k'], ['k', 'j', 'k'], ['on', 't', 's'], ['m', 'n', 'm'], ['q', 't'], ['one']]
DATED = ['d', 'e', 'e']
OPERANDS_OF = {'eof': DATED, 'trend': DATED, 'clip': ['t', '-0.5', '0.5'], 'where': ['on', 't', 's'], 'squeeze': ['one'], 'onehot': ['k'], 'fft': ['f'], 'bind': ['place']}
# What goes with a parameter where the usual operands or values do not.
OPERANDS_WITH = {('dot', 'strict'): ['m', 'w', 'l']}
WITH = {('convert', 'coord'): [('to', 'radian')], ('take', 'nearest'): [('specs', 'y@%at')], ('fillnan', 'method', 'distance'): [('along', 'y,x')]}
# What commands say themselves of words without a name, which may be operands.
FRAME = '(operand .* is missing)|(with [a-z-]+ the only operand is)|(unknown operation)|(no operation is given)|(axis name "a.h5:.*)'
# Signs of expressions, which are no names of functions there.
SIGNS = {'and': 'logical_and', 'or': 'logical_or', 'not': 'logical_not'}
# Given in all calls: only axes and their duals need no row and col, and numbers are other ones without a seed.
ALWAYS = ('row', 'col', 'seed')


# ---- the three ways ----

class Arg(ctypes.Structure):
    """struct axt_arg"""
    _fields_ = [('name', ctypes.c_char_p), ('text', ctypes.c_char_p), ('e', ctypes.c_void_p)]


class SaveOpts(ctypes.Structure):
    """struct axt_save_opts, of which only the first is set"""
    _fields_ = [('output', ctypes.c_char_p), ('others', ctypes.c_char * 256)]


class Call:
    """An operation by its name or an alias, the names of its tensors, and values of parameters."""

    def __init__(self, op, data, given, alias=None, which=None):
        self.op, self.data, self.given, self.alias, self.which = op, data, given, alias, which
        self.rows = {p['name']: p for p in op['parameters']}
        self.name = alias['name'] if alias else op['name']

    def results(self):
        """The names of those of several results that there are; ['']: there is one."""
        given = [p for p, _ in self.given] + ([self.alias['second']] if self.alias and 'second' in self.alias else [])
        names = self.op.get('other_results' if self.op.get('where') in given else 'results', [])
        apart = [p for p, row in self.rows.items() if row.get('result')]
        asked = [p for p in given if p in apart]
        if self.alias and 'result' in self.alias:
            return ['']
        return [self.which] if self.which else asked or [n for n in names if n not in apart] or ['']

    def command(self):
        given = list(self.given)
        words, data = list(self.op['command']), list(self.data)
        if self.alias:
            given += [(s.split('=')[0], None) for s in self.alias['set']]
            if 'second' in self.alias:
                given.append((self.alias['second'], '%' + data.pop()))
        for p in self.op.get('colon', []):
            words[-1] += ''.join(':' + v for q, v in given if p == q)
        for p, v in given:
            if self.rows.get(p, {}).get('word'):
                words += v.split(' ')
        for p, v in given:
            if not self.rows.get(p, {}).get('word') and p not in self.op.get('colon', []):
                words += ['--' + p.replace('_', '-')] + ([] if v is None else [v])
        names = [n.strip('[]') for n in self.op['operands']]
        if 'typed' in self.op:
            data = [data[names.index(n)] for n in self.op['typed']]
        return [re.sub('%([a-z]+)', lambda m: operand(m[1]), w) for w in words] + [operand(x) for x in data]

    def expression(self, result):
        """f(a, b, words, name=value) of one of several results."""
        words, named = [], []
        for p, v in self.given:
            row = self.rows.get(p, {})
            if row.get('bare') and row.get('word'):
                words += [word_of_expression(w) for w in v.split(' ')]
            elif not row.get('result'):
                named.append(f'{p}={value_of_expression(row, v)}')
        result = [result] if result and not (self.alias and 'result' in self.alias) else []
        return f'{SIGNS.get(self.name, self.name)}({", ".join([*self.data, *result, *words, *named])})'.replace('%', '')

    def calculation(self):
        texts = [(r, self.expression(r)) for r in self.results()]
        return ['axt-calc', ', '.join(f'{r} = {x}' if len(texts) > 1 else x for r, x in texts), *sorted({operand(x).split(':')[0] for x in self.tensors() if not is_number(x)})]

    def tensors(self):
        return self.data + [v[1:] for _, v in self.given if v and v.startswith('%')]

    def in_c(self, lib, out):
        """The same by axt_call: None, or the error."""
        g = lib.axt_graph_new()
        try:
            nodes = [self.node(lib, g, x) for x in self.data]
            args = [a for p, v in self.given if not self.rows.get(p, {}).get('result') for a in self.arguments(lib, g, p, v, nodes)]
            names = self.results()
            made = []
            for r in names:
                mine = args + ([('result', r, None)] if r else [])
                array = (Arg * (len(mine) + 1))(*[Arg(n.encode(), None if t is None else t.encode(), e) for n, t, e in mine])
                e = lib.axt_call(g, self.name.encode(), (ctypes.c_void_p * len(nodes))(*nodes), len(nodes), array, len(mine))
                made.append(lib.axt_set_name(g, e, (r if len(names) > 1 else 'v').encode()))
            if not lib.axt_graph_code(g):
                lib.axt_save(g, (ctypes.c_void_p * len(made))(*made), len(made), ctypes.byref(SaveOpts(out.encode())))
            return (lib.axt_graph_error(g) or b'').decode()
        finally:
            lib.axt_graph_free(g)

    @staticmethod
    def node(lib, g, name):
        return lib.axt_open(g, operand(name).encode(), None)

    def arguments(self, lib, g, p, v, nodes):
        """A parameter as (name, text, node); one for each word of specs."""
        row = self.rows.get(p, {'type': 'text'})
        kind = row['type']
        if kind == 'specs':
            return [(p, w[:w.index('%')], self.node(lib, g, w.split('%')[1])) if '%' in w else (p, w, None) for w in v.split(' ')]
        if kind == 'tensor' and v.startswith('time.') and row.get('groups'):
            return [(p, None, lib.axt_labels_of(g, nodes[0], v.encode(), None))]
        if kind == 'tensor' and v.startswith('time.'):
            return [(p, None, lib.axt_labels_of(g, nodes[0], v.encode(), None))]
        if v == 'area':
            of = [self.node(lib, g, x[1:]) for q, x in self.given if q == row.get('of')]
            if 'of' in row and not of:
                of = nodes[1:]
            return [(p, None, lib.axt_weights_of(g, (of or nodes)[0], b'area'))]
        if kind == 'tensor' or (v or '').startswith('%'):
            return [(p, None, self.node(lib, g, v.strip('%')))]
        return [(p, 'true' if v is None else v, None)]


def operand(name):
    return name if is_number(name) else f'{"o" if name == "o" else "a"}.h5:{name}'


def is_number(word):
    return re.fullmatch(r'-?[0-9.]+|nan', word) is not None


def value_of_expression(row, v):
    if v is None:
        return 'true'
    if row.get('type') == 'text' and not v.isalnum():
        return f'"{v}"'
    return f'({v})' if ',' in v else v


def word_of_expression(v):
    parts = re.fullmatch(r'(.*?)([=@])(.*)', v)
    if parts and v.count('=') + v.count('@') == 1 and (v.count(',') == 1 or is_number(parts[3].replace(',', ''))):
        return ''.join((value_of_expression({}, parts[1]), parts[2], value_of_expression({}, parts[3])))
    return v


def load():
    lib = libaxt()
    for name in ('graph_new', 'open', 'call', 'set_name', 'weights_of', 'labels_of'):
        getattr(lib, 'axt_' + name).restype = ctypes.c_void_p
    lib.axt_graph_error.restype = ctypes.c_char_p
    p = ctypes.c_void_p
    s = ctypes.c_char_p
    lib.axt_graph_free.argtypes = lib.axt_graph_error.argtypes = lib.axt_graph_code.argtypes = [p]
    lib.axt_graph_free.restype = None
    lib.axt_open.argtypes = lib.axt_set_name.argtypes = lib.axt_weights_of.argtypes = [p, p, s]
    lib.axt_open.argtypes = [p, s, p]
    lib.axt_labels_of.argtypes = [p, p, s, p]
    lib.axt_call.argtypes = [p, s, p, ctypes.c_int, p, ctypes.c_int]
    lib.axt_save.argtypes = [p, p, ctypes.c_int, p]
    return lib


def start(words, out, several):
    words = [f'{BIN}/{words[0]}'] + words[1:] + ['--no-history', '--force', '-o', out] + ([] if several else ['--name', 'v'])
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def said(text, name):
    """The message as all three have it: without who says it, the place in a text, and what makes a name an option."""
    text = text.split('\n')[0]
    text = re.sub(r'^axt-[a-z0-9-]+: ', '', text)
    text = re.sub(r' at character .*', '', text)
    text = re.sub(r'^--[a-z-]+: (unknown dtype)', r'\1', text)
    text = re.sub(r'--([a-z-]+)', r'\1', re.sub(r'(\w)=', r'\1 ', text)).replace('_', '-')
    text = re.sub(rf'^{name.replace("_", "-")}:? ', '', text)
    return re.sub(' +', ' ', text).strip()


class Three:
    """Runs calls in all three ways, and keeps what was tried, and what differed."""

    def __init__(self, t, lib):
        self.t, self.lib = t, lib
        self.worked, self.calls, self.refusals, self.differ = set(), 0, 0, []

    def run(self, call):
        """Whether it worked, the same in all three; None: it was refused by all in the same words."""
        several = len(call.results()) > 1
        lines = [call.command(), call.calculation()]
        if call.alias and 'result' in call.alias:
            lines[0] = Call(call.op, call.data, call.given, None, call.alias['result']).calculation()
        outs = ['a.nc', 'b.nc', 'c.nc']
        running = [start(line, out, several) for line, out in zip(lines, outs)]
        errors = [call.in_c(self.lib, 'c.nc')]
        errors = [p.communicate()[1].decode() for p in running] + errors
        codes = [p.returncode for p in running] + [bool(errors[2])]
        # warnings are said in other ways
        if not any(codes):
            same = len({open(out, 'rb').read() for out in outs}) == 1
            self.calls += 1
        else:
            messages = [said(said(e, call.name), call.op['name']) for e in errors]
            if re.match(FRAME, messages[0]):
                messages[0] = messages[1]
            same = all(codes) and len(set(messages)) == 1 and codes[0] in (1, codes[1])
            self.refusals += 1
        if not same:
            self.differ.append('\n'.join([' '.join(map(str, line)) + f' | {code} {error.strip()}'
                                         for line, code, error in zip(lines + [['axt_call']], codes, errors)]))
        elif not any(codes):
            self.note(call)
            return True
        return None if same else False

    def note(self, call):
        name = call.op['name']
        self.worked.add((name,))
        for p, v in call.given:
            self.worked.add((name, p))
            self.worked |= {(name, p, v)} if v in call.rows[p].get('choices', []) else set()
        self.worked |= {(name, 'result', r) for r in call.results() if r}
        self.worked |= {(name, 'alias', call.alias['name'])} if call.alias else set()

    def said(self, what):
        self.t.ok(not self.differ, what, f'{len(self.differ)} differ\n' + '\n'.join(self.differ))
        self.differ = []


# ---- which calls ----

def values(op, p):
    if p['type'] == 'flag':
        return [None]
    own = {**(REDUCED if op['command'][0] == 'axt-reduce' else {}), **OWN[''], **OWN.get(op['name'], {})}
    if p['name'] in own and 'choices' not in p:
        return own[p['name']]
    if p['type'] == 'number' and p['value'] not in SHOWN:
        return ['0.5', '2']
    choices = p.get('choices', [])
    return choices + [v for v in SHOWN.get(p['value'], []) if v not in choices]


def required(op, names):
    """The parameters that are required beside those of these names, and what these need, with a value."""
    rows = {p['name']: p for p in op['parameters']}
    instead = any(rows[p].get('instead') for p in [*names, *(n for q in names for n in rows[q].get('needs', []) if n in rows)])
    must = [p for p in op['parameters'] if (p.get('required') or p['name'] in ALWAYS) and p['name'] not in names and not (instead and p.get('word'))]
    must = [(p['name'], values(op, p)[0]) for p in must]
    have = set(names) | {p for p, _ in must}
    for name in names:
        for need in rows[name].get('needs', []):
            p, _, v = need.partition('=')
            if p not in have:
                must += [(p, v or values(op, rows[p])[0])] + [(q, values(op, rows[q])[0]) for q in rows[p].get('needs', []) if q not in have]
                have |= {p, *rows[p].get('needs', [])}
            elif v:
                must = [(q, v if q == p else x) for q, x in must]
    return must


def colon_gaps(op, names):
    """Values that must stand before others behind the name of an operation, as the start of iota before its step."""
    colon = op.get('colon', [])
    last = max([colon.index(p) for p in names if p in colon], default=-1)
    return [(p, '1') for p in colon[:last] if p not in names]


def operands(op, data):
    n = len(op['operands']) + bool(op.get('many'))
    return data[:n - any(x.startswith('[') for x in op['operands'])]


def complete(op, some):
    names = [p for p, _ in some]
    some = list(some) + [w for n, v in some for w in WITH.get((op['name'], n), []) + WITH.get((op['name'], n, v), []) if w[0] not in names]
    names = [p for p, _ in some]
    more = required(op, names)
    return list(some) + more + colon_gaps(op, names + [p for p, _ in more])


def calls(op, pairs):
    """One value of each parameter beside what is required, and some of the pairs of these."""
    each = [(p['name'], v) for p in op['parameters'] for v in values(op, p)]
    rows = {p['name']: p for p in op['parameters']}
    yield []
    yield from ([x] for x in each)
    two = [list(x) for x in itertools.combinations(each, 2) if x[0][0] != x[1][0]]
    two = [x for x in two if not (any(rows[p].get('instead') for p, _ in x) and any(rows[p].get('word') for p, _ in x))]
    yield from random.Random(len(each)).sample(two, min(len(two), pairs))


def data_of(op, three):
    if op['name'] in OPERANDS_OF:
        return operands(op, OPERANDS_OF[op['name']])
    tried = [DATED] if op['command'][0] == 'axt-reduce' else OPERANDS
    for data in tried:
        if Call(op, operands(op, data), complete(op, [])).in_c(three.lib, 'c.nc') == '':
            return operands(op, data)
    return operands(op, tried[0])


def same(op, data, three, pairs):
    for some in calls(op, pairs):
        with_it = [OPERANDS_WITH[op['name'], p] for p, _ in some if (op['name'], p) in OPERANDS_WITH]
        three.run(Call(op, (with_it + [data])[0], complete(op, some)))
    if any(x.startswith('[') for x in op['operands']):
        three.run(Call(op, data + ['s'], complete(op, [])[:0] + [m for m in complete(op, []) if m[0] != 'along']))
    for r in op.get('results', []) + op.get('other_results', []):
        some = [(op['where'], values(op, {p['name']: p for p in op['parameters']}[op['where']])[0])] \
            if r in op.get('other_results', []) else []
        c = Call(op, data, complete(op, some), which=r)
        three.worked |= {(op['name'], 'result', r)} if in_two(c, three) else set()
    for alias in op['aliases']:
        given = [m for m in complete(op, []) if not ('second' in alias and any(
            p.get('instead') for p in op['parameters']) and {q['name']: q for q in op['parameters']}[m[0]].get('word'))]
        second = [{'eof': 'e', 'broadcast': 'b'}.get(op['name'], 'o')] if 'second' in alias else []
        three.run(Call(op, data + second, given, alias))
    three.said(f'{op["name"]}: its command, function and axt_call() write the same bytes, or refuse with the same words')


def in_two(call, three):
    """Whether one of several results is the same in an expression and in C; a command gives all."""
    p = start(call.calculation(), 'b.nc', False)
    error = call.in_c(three.lib, 'c.nc')
    text = p.communicate()[1].decode()
    three.calls += 1
    good = not p.returncode and not error and open('b.nc', 'rb').read() == open('c.nc', 'rb').read()
    if not good:
        three.differ.append(f'{call.calculation()} {text} | {error}')
    return good


# ---- what is refused ----

def bad_values(p):
    """Words that are no value of it."""
    if p['type'] in ('integer', 'number'):
        return [str(p[k] + by) for k, by in (('min', -1), ('max', 1)) if k in p] + ['many'] + \
            (['1.5'] if p['type'] == 'integer' else ['nan'] if 'min' in p else [])
    return {'choice': ['odd'], 'dtype': ['f65']}.get(p['type'], [])


def pair(op, rows, p, other):
    """Values with which p and `other`, which may be NAME=WORD, stand together."""
    name, _, word = other.partition('=')
    return [(p['name'], values(op, p)[0]), (name, word or values(op, rows[name])[0])]


def wrong_calls(op):
    rows = {p['name']: p for p in op['parameters']}
    for p in op['parameters']:
        name = p['name']
        for v in bad_values(p):
            yield [m for m in complete(op, [(name, v)])]
        for other in p.get('excludes', []):
            two = pair(op, rows, p, other)
            yield two + [m for m in required(op, [name]) if m[0] not in dict(two)]
        for need in p.get('needs', []):
            other, _, word = need.partition('=')
            some = [(name, values(op, p)[0])]
            if word:
                some += [(other, next(w for w in rows[other]['choices'] if w != word))]
            yield some + [m for m in required({**op, 'parameters': [{**q, 'needs': []} for q in op['parameters']]}, [name])
                          if m[0] not in dict(some)]
        if p.get('required') and name not in op.get('colon', []):
            yield [m for m in complete(op, []) if m[0] != name]


def wrong(op, data, three):
    before = three.refusals
    tried = 0
    for given in wrong_calls(op):
        tried += 1
        if three.run(Call(op, data, given)):
            three.differ.append(f'taken: {Call(op, data, given).command()}')
    if three.refusals - before != tried:
        three.differ.append(f'{tried} tried, {three.refusals - before} refused')
    three.said(f'{op["name"]}: what is no value, excluded, alone or missing is refused in the same words')


def unknown(t, ops, three, datas):
    """A parameter that no operation has."""
    bad = []
    for op in ops:
        # words that name axes with lengths or values may be any
        if any(p.get('bare') and p.get('word') and '=' in p['value'] or p['name'] == 'like' for p in op['parameters']):
            continue
        call = Call(op, datas[op['name']], complete(op, []) + [('unheard_of', '1')])
        running = [start(line, 'a.nc', False) for line in (call.command(), call.calculation())]
        errors = [call.in_c(three.lib, 'c.nc')] + [p.communicate()[1].decode() for p in running]
        three.refusals += 1
        if [p.returncode for p in running] != [2, 2] or not all('unheard' in e for e in errors):
            bad.append((call.calculation(), errors))
    t.ok(not bad, 'a parameter that there is not is refused', bad)


# ---- what is told ----

def told(t, ops):
    """The JSON says of each parameter what a program has to know; commands have the same options."""
    lacking = [(op['name'], p) for op in ops for p in op['parameters']
               if not {'name', 'type', 'default', 'help'} <= set(p) or (p['type'] != 'flag' and 'value' not in p)
               or (p['type'] == 'choice' and 'choices' not in p) or (p['default'] not in ([None] if p.get('required') else p.get('choices', [p['default']]) + [None] * (p['type'] != 'choice')))]
    t.ok(not lacking, 'each parameter has a type, a default and a help', lacking)
    one = os.stat(f'{BIN}/axt')
    links = {n for n in os.listdir(BIN) if n != 'axt' and os.path.samestat(os.stat(f'{BIN}/{n}'), one)}
    commands = {op['command'][0] for op in ops}
    t.ok(links >= commands, f'the {len(ops)} operations of axt list --json are one program', commands - links)
    differ = []
    for command in sorted(commands):
        usage = subprocess.run([f'{BIN}/{command}', '-h'], capture_output=True, text=True, check=True).stdout
        own = re.search(r'\n\noptions:\n(.*?)\n\ncommon', usage, re.S)
        have = set(re.findall(r'^ +--(\S+)', own.group(1), re.M)) if own else set()
        want = {p['name'].replace('_', '-') for op in ops if op['command'][0] == command for p in op['parameters']
                if not p.get('word') and p['name'] not in ['dtype', *op.get('colon', [])]}
        # one that stands behind the name may be an option too
        have -= {p for op in ops for p in op.get('colon', []) if op['command'][0] == command} - want
        differ += [] if have == want else [(command, have ^ want)]
    t.ok(not differ, 'and have the options that -h shows', differ)


def left_out(t, ops, three):
    """What of the JSON no call had that worked."""
    want = set()
    for op in ops:
        name = op['name']
        want |= {(name,)} | {(name, p['name']) for p in op['parameters']}
        want |= {(name, p['name'], c) for p in op['parameters'] for c in p.get('choices', [])}
        want |= {(name, 'alias', a['name']) for a in op['aliases']}
        want |= {(name, 'result', r) for r in op.get('results', []) + op.get('other_results', [])}
    lacking = sorted(want - three.worked)
    t.ok(not lacking, f'{len(ops)} operations, {sum(len(op["parameters"]) for op in ops)} parameters: each one, each choice, alias and '
         f'result worked in one of {three.calls} calls, and {three.refusals} were refused', '\n'.join(map(str, lacking)))


def weights(t):
    """Where weights are taken, the word area and a field of dates mean those of the first operand."""
    r = np.random.default_rng(6)
    lat = np.linspace(-60, 60, 5)
    days = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 2)
    axes = {'time': np.cumsum(days) - 15, 'lat': lat, 'lon': np.arange(0, 360, 60.)}
    with h5py.File('g.h5', 'w', track_order=True) as f:
        for name in 'st':
            put_h5(f, Named(('time', 'lat', 'lon'), r.normal(size=(24, 5, 6)), axes), name)
        f['lat'].attrs['units'] = 'degrees_north'
        f['lon'].attrs['units'] = 'degrees_east'
        f['time'].attrs['units'] = 'days since 2001-01-01'
    with h5py.File('g.h5') as f:
        a, b = f['s'][:], f['t'][:]
    w = np.broadcast_to(np.cos(np.radians(lat))[:, None], (5, 6))

    def corr(x, y, w):
        x, y = x - np.average(x, weights=w), y - np.average(y, weights=w)
        return (w * x * y).sum() / np.sqrt((w * x * x).sum() * (w * y * y).sum())
    want = {'area': [corr(x, y, w) for x, y in zip(a, b)],
            'time.daysinmonth': [corr(a[:, i, j], b[:, i, j], days) for i in range(5) for j in range(6)]}
    for word, over in (('area', 'lat,lon'), ('time.daysinmonth', 'time')):
        for line in (f'axt-corr --over {over} --weights {word} g.h5:s g.h5:t -p',
                     f"axt-calc 'corr(s, t, over=({over}), weights={word})' g.h5 -p",
                     f"axt-calc 'corr(weights={word}, s, t, over=({over}))' g.h5 -p"):
            p = shell(line)
            have = np.array(p.stdout.split(), float)
            t.ok(p.returncode == 0 and have.shape == np.shape(want[word]) and np.allclose(have, want[word], atol=2e-3), line,
                 (p.stderr, have[:3], want[word][:3]))


def put_inputs():
    r = np.random.default_rng(5)
    v = r.normal(size=(4, 6))
    v[1, 2:4] = np.nan
    x, y, time = {'x': np.arange(4.)}, {'y': np.arange(6.)}, {'time': np.arange(12) * 30.4 + 15}
    m = r.normal(size=(3, 3))
    tensors = {'t': (('x', 'y'), v), 's': (('x', 'y'), r.normal(size=(4, 6))), 'k': (('x', 'y'), r.integers(0, 9, size=(4, 6))),
               'j': (('x', 'y'), r.integers(0, 9, size=(4, 6))), 'b': (('y', 'x'), r.normal(size=(6, 4))), 'w': (('x',), r.uniform(1, 2, 4)),
               'wx': (('x',), r.uniform(1, 2, 4)), 'on': (('x',), np.array([True, False, True, True])), 'i': (('ii',), np.array([2, 0])),
               'at': (('pp',), np.array([1., 3.])), 'yy': (('x', 'y'), np.sort(r.normal(size=(4, 6)) + np.arange(6))), 'l': (('ll',), np.array([1, 2])),
               'd': (('time', 'y', 'x'), r.normal(size=(12, 6, 4))), 'e': (('time', 'y', 'x'), r.normal(size=(12, 6, 4))),
               'g': (('time',), np.arange(12) % 3), 'p': (('time',), np.arange(12.) ** 1.5), 'm': (('r', 'c'), m @ m.T + np.eye(3)),
               'n': (('r', 'z'), r.normal(size=(3, 2))), 'q': (('x', 'v'), r.uniform(size=(4, 3))), 'one': (('x', 'u'), r.normal(size=(4, 1))),
               'f': (('r', 'y'), r.normal(size=(3, 6))), 'place': (('x', 'y'), np.zeros((4, 6)))}
    with h5py.File('a.h5', 'w', track_order=True) as f:
        for name, (dims, a) in tensors.items():
            put_h5(f, Named(dims, a, {**x, **y, **time}), name, {'units': 'K'} if name in 'tsde' else {'axt_kind': 'placeholder'} if name == 'place' else {})
        f['y'].attrs['units'] = 'degrees_north'
        f['x'].attrs['units'] = 'degrees_east'
        f['time'].attrs['units'] = 'days since 2001-01-01'
    with h5py.File('o.h5', 'w', track_order=True) as f:
        put_h5(f, Named(('y',), np.zeros(2), {'y': np.array([3., 1.])}), 'o')
        f['y'].attrs['units'] = 'degrees_north'


def main():
    t = Tap()
    os.chdir(scratch())
    put_inputs()
    shell('axt-regrid --to lat=0:5:1,lon=0:3:1 --save-weights w.nc a.h5:t -o regridded.nc')
    ops = json.loads(shell('axt list --json').stdout)['operations']
    told(t, ops)
    three = Three(t, load())
    families, datas = set(), {}
    ops = [op for op in ops if ONLY in op['name']]
    for op in ops:
        # operations of one family, such as reductions, take the same parameters
        family = json.dumps([op['operands'], [{**p, 'help': ''} for p in op['parameters']], op['command'][0] if len(op['command']) > 1 else ''])
        datas[op['name']] = data_of(op, three)
        same(op, datas[op['name']], three, 0 if family in families else PAIRS)
        wrong(op, datas[op['name']], three)
        families.add(family)
    unknown(t, ops, three, datas)
    left_out(t, ops, three)
    weights(t)
    t.done()


main()
