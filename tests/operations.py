#!/usr/bin/python3
"""Every operation with every parameter: the command and the function of expressions write the same bytes, and refuse the
same words with the same message. Which operations there are, and what they take, is what `axt list --json` says.
"""
import itertools
import json
import os
import random
import re
import subprocess

import h5py
import numpy as np

from axtlib import BIN, Named, Tap, put_h5, scratch, shell

# Values for what -h shows, such as "N"; and some that are none.
GOOD = {'AXIS': ['x'], 'AXES': ['x', 'x,y'], 'N': ['1', '2'], 'X': ['0.5', '2'], 'D': ['0.5', '2'], 'TYPE': ['f64'], 'B': ['b'],
        'P': ['b'], 'varimax': ['varimax'], 'W': ['b'], 'W|area': ['b', 'area'],
        'AXIS=LEN': ['c=9', 'c'], 'AXIS,AXIS,...[=NAME]': ['x,y', 'x,y=z', 'y,x'], 'NAME[=A:LEN,...]': ['x=a:2,b:2', 'y', 'x'],
        'OLD=NEW,...': ['x=u', 'x=y,y=x', 'z=w'], 'AXIS[=LEN],...': ['z', 'z=2,w', 'x', '0'], 'POS': ['0', '1', '-1', '-9'],
        'AXIS=N': ['x=1', 'y=-2', 'x=1 y=3', 'x=1 x=2', 'z=1'], 'V': ['0', '1.5', 'nan'],
        'AXIS=BEFORE,AFTER': ['x=1,2', 'y=1', 'x=1,2 y=0,3', 'x=1 x=2', 'z=1'],
        'AXIS=NAME:LEN[:STEP]': ['x=w:2', 'y=w:3:3', 'x=w:2 y=v:2', 'x=w:9', 'x=w:2 x=v:2'],
        'AXIS=TARGETS': ['y=1.5', 'y=0:3:0.5', 'y=1.5,2 x=2', 'y=1 y=2', 'z=1'], 'FIELD': ['s'],
        'NEW=LEN,...': ['p=24', 'p=6,q', 'p=5', '6,4'], 'R': ['1', '3'], 'UNITS': ['degC', 'm', "'mK'"], 'NAME': ['x', 'y']}
BAD = {'N': ['0', '1.5', 'many'], 'X': ['-1', 'nan', 'many'], 'D': ['-1', 'nan', 'many'], 'TYPE': ['f65'], 'POS': ['33', 'end'],
       'R': ['-1', '33']}
MOST = 40  # pairs of an operation that are tried
TENSORS = ['t', 's', 'k']


def described():
    """What each operation takes, as it tells; other programs read the same."""
    ops = json.loads(shell('axt list --json').stdout)
    return {op['name'].replace('_', '-'): op for op in ops}


def values(p):
    if p['type'] == 'flag':
        return [None]
    if p['type'] == 'number':
        return ['0.5', '2']
    return p.get('choices') or GOOD[p['value']] + (['z'] if p.get('one') and p.get('word') else [])


def words(op, given, word):
    """Values that stand without a name, and the others."""
    rows = {p['name']: p for p in op['parameters']}
    return ([v for p, v in given if rows[p].get(word)], [(p, v) for p, v in given if not rows[p].get(word)], rows)


def command(op, given, data):
    first, named, rows = words(op, given, 'word')
    line = f'axt-{op["name"]}'.replace('_', '-') + ''.join(f' {w}' for w in first)
    for p, v in named:
        v = f'a.h5:{v}' if rows[p]['type'] == 'tensor' and v != 'area' else v
        line += f' --{p.replace("_", "-")}' + ('' if v is None else f' {v}')
    return line + ''.join(f' a.h5:{x}' for x in data)


def function(op, given, data):
    def value(v):
        return 'true' if v is None else f'({v})' if ',' in v else v.replace("'", '"')

    def word(v):
        if ' ' in v:
            return ', '.join(word(w) for w in v.split())
        parts = re.fullmatch(r'(.*?)=(.*)', v)
        return f'{value(parts[1])}={value(parts[2])}' if parts and v.count('=') == 1 and v.count(',') == 1 else v
    bare, named, rows = words(op, given, 'bare')
    named += [(p, v) for p, v in given if rows[p].get('bare') and not rows[p].get('word')]
    bare = [v for p, v in given if rows[p].get('bare') and rows[p].get('word')]
    asked = [p for p, _ in named if rows[p].get('result')]
    args = [word(v) for v in bare] + [f'{p}={value(v)}' for p, v in named if p not in asked]
    wanted = results(op, given)
    text = [f"{op['name']}({', '.join([*data, *which, *args])})" for which in wanted]
    if len(text) > 1:
        text = [f'{which[0]} = {x}' for which, x in zip(wanted, text)]
    return f"axt-calc '{', '.join(text)}' a.h5"


def results(op, given):
    """The names of those of several results that the command gives, each in a list; one that is empty: there is one result."""
    apart = [p['name'] for p in op['parameters'] if p.get('result')]
    asked = [p for p, _ in given if p in apart]
    names = op.get('other_results' if op.get('where') in [p for p, _ in given] else 'results', [])
    return [[r] for r in asked or names if r in asked or r not in apart] or [[]]


def run(line, out, several=False):
    return shell(f'{line} --no-history {"" if several else "--name v"} --force -o {out}')


def said(r):
    """The message, as both have it: without the command, the place in the text, and what makes a name an option."""
    text = r.stderr.decode().split('\n')[0].split(': ', 1)[-1]
    text = re.sub(r' at character .*', '', text)
    text = re.sub(r'--([a-z-]+)', r'\1', re.sub(r'(\w)=', r'\1 ', text)).replace('_', '-')
    return re.sub(' +', ' ', text).strip()


def calls(op):
    """All calls with one value of each parameter beside what is required, and then of all pairs of these."""
    rows = {p['name']: p for p in op['parameters']}
    each = [(p['name'], x) for p in op['parameters'] for x in values(p)]
    for k in range(3):
        some_of = list(itertools.combinations(each, k))
        for some in random.Random(k).sample(some_of, min(len(some_of), MOST)):
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
            several = len(results(op, given)) > 1
            lines = command(op, given, operands(op, first)), function(op, given, operands(op, first))
            a, b = run(lines[0], 'a.nc', several), run(lines[1], 'b.nc', several)
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
        bad = BAD.get(p.get('value'), ['odd'] if 'choices' in p else [])
        if p['type'] == 'number':
            bad = ['many'] + ['-1', 'nan'] * ('min' in p)
        for x in bad:
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
        want = [p['name'].replace('_', '-') for p in op['parameters']
                if not p.get('word') and p['name'] != 'dtype']
        differ += [] if have == want else [(n, have, want)]
    t.ok(not differ, 'and have the options that -h shows', differ)


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


def main():
    t = Tap()
    os.chdir(scratch())
    r = np.random.default_rng(5)
    v = r.normal(size=(4, 6))
    v[1, 2:4] = np.nan
    with h5py.File('a.h5', 'w', track_order=True) as f:
        put_h5(f, Named(('x', 'y'), v, {'y': np.arange(6.)}), 't', {'units': 'K'})
        put_h5(f, Named(('x', 'y'), r.normal(size=(4, 6))), 's', {'units': 'K'})
        put_h5(f, Named(('x', 'y'), r.integers(0, 9, size=(4, 6))), 'k')
        put_h5(f, Named(('y', 'x'), r.normal(size=(6, 4))), 'b')
        f['y'].attrs['units'] = 'degrees_north'
    ops = described()
    told(t, ops)
    for op in ops.values():
        same(t, op)
        wrong(t, op)
    weights(t)
    t.done()


main()
