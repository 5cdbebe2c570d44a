#!/usr/bin/python3
"""Every operation with every parameter: the command and the function of expressions write the same bytes, and refuse the
same words with the same message. Which operations there are, and what they take, is what `axt list --json` says.
"""
import itertools
import json
import os
import re
import subprocess

import h5py
import numpy as np

from axtlib import BIN, Named, Tap, put_h5, scratch, shell

# Values for what -h shows, such as "N"; and some that are none.
GOOD = {'AXIS': ['x'], 'AXES': ['x', 'x,y'], 'N': ['1', '2'], 'X': ['0.5', '2'], 'D': ['0.5', '2'], 'TYPE': ['f64'], 'B': ['b'],
        'AXIS=LEN': ['c=9', 'c'], 'AXIS,AXIS,...[=NAME]': ['x,y', 'x,y=z', 'y,x'], 'NAME[=A:LEN,...]': ['x=a:2,b:2', 'y', 'x'],
        'OLD=NEW,...': ['x=u', 'x=y,y=x', 'z=w'], 'AXIS[=LEN],...': ['z', 'z=2,w', 'x', '0'], 'POS': ['0', '1', '-1', '-9'],
        'NEW=LEN,...': ['p=24', 'p=6,q', 'p=5', '6,4'], 'R': ['1', '3'], 'UNITS': ['degC', 'm', "'mK'"], 'NAME': ['x', 'y']}
BAD = {'N': ['0', '1.5', 'many'], 'X': ['-1', 'nan', 'many'], 'D': ['-1', 'nan', 'many'], 'TYPE': ['f65'], 'POS': ['33', 'end'],
       'R': ['-1', '33']}
TENSORS = ['t', 's', 'k']


def described():
    """What each operation takes, as it tells; other programs read the same."""
    ops = json.loads(shell('axt list --json').stdout)
    return {op['name'].replace('_', '-'): op for op in ops}


def values(p):
    if p['type'] == 'flag':
        return [None]
    return p.get('choices') or GOOD[p['value']] + (['z'] if p.get('one') and p.get('word') else [])


def words(op, given, word):
    """Values that stand without a name, and the others."""
    rows = {p['name']: p for p in op['parameters']}
    return ([v for p, v in given if rows[p].get(word)], [(p, v) for p, v in given if not rows[p].get(word)], rows)


def command(op, given, data):
    first, named, rows = words(op, given, 'word')
    line = f'axt-{op["name"]}'.replace('_', '-') + ''.join(f' {w}' for w in first)
    for p, v in named:
        v = f'a.h5:{v}' if rows[p]['type'] == 'tensor' else v
        line += f' --{p.replace("_", "-")}' + ('' if v is None else f' {v}')
    return line + ''.join(f' a.h5:{x}' for x in data)


def function(op, given, data):
    def value(v):
        return 'true' if v is None else f'({v})' if ',' in v else v.replace("'", '"')

    def word(v):
        parts = re.fullmatch(r'(.*?)=(.*)', v)
        return f'{value(parts[1])}={value(parts[2])}' if parts and v.count('=') == 1 and v.count(',') == 1 else v
    bare, named, rows = words(op, given, 'bare')
    named += [(p, v) for p, v in given if rows[p].get('bare') and not rows[p].get('word')]
    bare = [v for p, v in given if rows[p].get('bare') and rows[p].get('word')]
    args = list(data) + [word(v) for v in bare] + [f'{p}={value(v)}' for p, v in named]
    return f"axt-calc '{op['name']}({', '.join(args)})' a.h5"


def run(line, out):
    return shell(f'{line} --no-history --name v --force -o {out}')


def said(r):
    """The message, as both have it: without the command, the place in the text, and what makes a name an option."""
    text = r.stderr.decode().split('\n')[0].split(': ', 1)[-1]
    text = re.sub(r' at character .*', '', text)
    return re.sub(r'--([a-z-]+)', r'\1', re.sub(r'(\w+)=', r'\1', text)).replace('_', '-')


def calls(op):
    """All calls with one value of each parameter beside what is required, and then of all pairs of these."""
    rows = {p['name']: p for p in op['parameters']}
    each = [(p['name'], x) for p in op['parameters'] for x in values(p)]
    for k in range(3):
        for some in itertools.combinations(each, k):
            names = [p for p, _ in some]
            instead = any(rows[p].get('instead') for p in names)
            must = [(p['name'], values(p)[0]) for p in op['parameters']
                    if p.get('required') and p['name'] not in names and not (instead and p.get('word'))]
            if len(set(names)) == len(names) and not any(rows[p].get('word') and instead for p in names):
                yield list(some) + must


def operands(op, first):
    n = len(op['operands']) + bool(op.get('many'))
    return ([first] + [x for x in TENSORS if x != first])[:n]


def same(t, op):
    worked = differ = 0
    for first in ('t', 'k'):
        for given in [] if worked else calls(op):
            lines = command(op, given, operands(op, first)), function(op, given, operands(op, first))
            a, b = run(lines[0], 'a.nc'), run(lines[1], 'b.nc')
            if a.returncode == 0 and b.returncode == 0:
                worked += 1
                equal = open('a.nc', 'rb').read() == open('b.nc', 'rb').read()
            else:
                equal = a.returncode and b.returncode and said(a) == said(b)
            if not equal:
                differ += 1
                print('#', *lines, '|', a.stderr.decode(), '|', b.stderr.decode())
    t.ok(worked and not differ, f'{op["name"]}: command and function write the same bytes, or refuse with the same words',
         f'{worked} worked, {differ} differ')


def wrong(t, op):
    data, differ = operands(op, 't'), []
    must = [(p['name'], values(p)[0]) for p in op['parameters'] if p.get('required')]

    def refused(given, says):
        a, b = run(command(op, given, data), 'a.nc'), run(function(op, given, data), 'b.nc')
        if a.returncode != 2 or b.returncode == 0 or not re.search(says, said(a)) or not re.search(says, said(b)):
            differ.append((command(op, given, data), said(a), said(b)))
    for p in op['parameters']:
        instead = p.get('instead')
        rest = [m for m in must if m[0] != p['name'] and not (instead and m[0] == 'axes')]
        for x in BAD.get(p.get('value'), ['odd'] if 'choices' in p else []):
            refused([(p['name'], x)] + rest, 'takes|dtype')
        if p.get('required') and not p.get('word'):
            refused(rest, f'needs {p["name"]}')
    t.ok(not differ, f'{op["name"]}: the same words are refused', differ)


def told(t, ops):
    """The JSON says of each parameter what a program has to know; commands have the same options."""
    lacking = [(n, p) for n, op in ops.items() for p in op['parameters']
               if not {'name', 'type', 'default', 'help'} <= set(p) or (p['type'] != 'flag' and 'value' not in p)
               or (p['type'] == 'choice') != ('choices' in p) or p['default'] not in [None, *p.get('choices', [p['default']])]]
    t.ok(not lacking, 'each parameter has a type, a default and a help', lacking)
    one = os.stat(f'{BIN}/axt-operation')
    links = sorted(n[4:] for n in os.listdir(BIN) if n != 'axt-operation' and os.path.samestat(os.stat(f'{BIN}/{n}'), one))
    t.ok(links == sorted(ops), f'the {len(ops)} operations of axt list --json are one program', set(links) ^ set(ops))
    differ = []
    for n, op in ops.items():
        usage = subprocess.run([f'{BIN}/axt-{n}', '-h'], capture_output=True, text=True, check=True).stdout
        own = re.search(r'\n\noptions:\n(.*?)\n\ncommon', usage, re.S)
        have = re.findall(r'^ +--(\S+)', own.group(1), re.M) if own else []
        want = [p['name'].replace('_', '-') for p in op['parameters'] if not p.get('word')]
        differ += [] if have == want else [(n, have, want)]
    t.ok(not differ, 'and have the options that -h shows', differ)


def main():
    t = Tap()
    os.chdir(scratch())
    r = np.random.default_rng(5)
    v = r.normal(size=(4, 6))
    v[1, 2:4] = np.nan
    with h5py.File('a.h5', 'w', track_order=True) as f:
        put_h5(f, Named(('x', 'y'), v), 't', {'units': 'K'})
        put_h5(f, Named(('x', 'y'), r.normal(size=(4, 6))), 's', {'units': 'K'})
        put_h5(f, Named(('x', 'y'), r.integers(0, 9, size=(4, 6))), 'k')
        put_h5(f, Named(('y', 'x'), r.normal(size=(6, 4))), 'b')
    ops = described()
    told(t, ops)
    for op in ops.values():
        same(t, op)
        wrong(t, op)
    t.done()


main()
