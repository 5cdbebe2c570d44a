#!/usr/bin/python3
"""Every operation with every parameter: the command and the function of expressions write the same bytes, and refuse the
same words with the same message. Which operations there are, and what they take, is asked of the commands themselves.
"""
import itertools
import os
import re
import subprocess

import numpy as np

from axtlib import BIN, Named, Tap, scratch, shell, write_h5

# A value for what -h shows, such as "N"; and one that is none.
GOOD = {'AXIS': ['x'], 'AXES': ['x', 'x,y'], 'N': ['1', '2'], 'X': ['0.5', '2'], 'D': ['0.5', '2'], 'TYPE': ['f64']}
BAD = {'N': ['0', '1.5', 'many'], 'X': ['-1', 'nan', 'many'], 'D': ['-1', 'nan', 'many'], 'TYPE': ['f65']}


def operations():
    """Names of the commands that are links to the one program of operations."""
    one = os.stat(f'{BIN}/axt-operation')
    return sorted(n[4:] for n in os.listdir(BIN) if n != 'axt-operation' and os.path.samestat(os.stat(f'{BIN}/{n}'), one))


def described(name):
    """The word that stands before the tensor, or None; and (parameter, value, whether it is required)."""
    usage = subprocess.run([f'{BIN}/axt-{name}', '-h'], capture_output=True, text=True, check=True).stdout
    words = re.search(r'\[option \.\.\.\](.*?)\n\n', usage, re.S).group(1).split()
    own = re.search(r'\n\noptions:\n(.*?)\n\ncommon', usage, re.S)
    text = re.sub(r'\n {33}', '  ', own.group(1)) if own else ''
    found = re.findall(r'^ +--(\S+)(?: (\S+))?  +(.*)$', text, re.M)
    return (words[0] if len(words) > 1 else None,
            [(p, v or None, '(required)' in about) for p, v, about in found])


def values(shown):
    return [None] if shown is None else shown.split('|') if '|' in shown else GOOD[shown]


def command(name, given):
    """Words before the tensor come last in `given`, without a name."""
    return f'axt-{name} ' + ' '.join(v if p is None else f'--{p}' if v is None else f'--{p} {v}' for p, v in given) + ' a.h5:t'


def function(name, given):
    def value(v):
        return 'true' if v is None else f'({v})' if ',' in v else v
    args = ['t'] + [v if p is None else f'{p.replace("-", "_")}={value(v)}' for p, v in given]
    return f"axt-calc '{name.replace('-', '_')}({', '.join(args)})' a.h5"


def run(line, out):
    return shell(f'{line} --no-history --name v --force -o {out}')


def said(r):
    """The message, as both have it: without the command, the place in the text, and what makes a name an option."""
    text = r.stderr.decode().split('\n')[0].split(': ', 1)[-1]
    text = re.sub(r' at character .*', '', text)
    return re.sub(r'--([a-z-]+)', r'\1', re.sub(r'(\w+)=', r'\1', text)).replace('_', '-')


def calls(word, params):
    """All calls with one value of each parameter beside what is required, and then of all pairs of these."""
    must = [(p, values(v)[0]) for p, v, needed in params if needed]
    last = [(None, 'x')] if word else []
    each = [(p, x) for p, v, _ in params for x in values(v)]
    for k in range(3):
        for some in itertools.combinations(each, k):
            names = [p for p, _ in some]
            if len(set(names)) == len(names):
                yield list(some) + [m for m in must if m[0] not in names] + last


def same(t, name, word, params):
    worked = differ = 0
    for given in calls(word, params):
        a, b = run(command(name, given), 'a.nc'), run(function(name, given), 'b.nc')
        if a.returncode == 0 and b.returncode == 0:
            worked += 1
            equal = open('a.nc', 'rb').read() == open('b.nc', 'rb').read()
        else:
            equal = a.returncode and b.returncode and said(a) == said(b)
        if not equal:
            differ += 1
            print('#', command(name, given), '|', function(name, given), '|', a.stderr.decode(), '|', b.stderr.decode())
    t.ok(worked and not differ, f'{name}: command and function write the same bytes, or refuse with the same words',
         f'{worked} worked, {differ} differ')


def wrong(t, name, word, params):
    must = [(p, values(v)[0]) for p, v, needed in params if needed] + ([(None, 'x')] if word else [])
    differ = []
    for p, v, _ in params:
        for x in BAD.get(v, ['odd'] if v and '|' in v else []):
            given = [(p, x)] + [m for m in must if m[0] != p]
            a, b = run(command(name, given), 'a.nc'), run(function(name, given), 'b.nc')
            if a.returncode != 2 or b.returncode == 0 or said(a) != said(b) or 'takes' not in said(a) and 'dtype' not in said(a):
                differ.append((command(name, given), said(a), said(b)))
    for p, v, needed in params:
        if needed:
            given = [m for m in must if m[0] != p]
            a, b = run(command(name, given), 'a.nc'), run(function(name, given), 'b.nc')
            if a.returncode != 2 or b.returncode == 0 or f'needs {p}' not in said(a) or f'needs {p}' not in said(b):
                differ.append((command(name, given), said(a), said(b)))
    t.ok(not differ, f'{name}: the same words are refused', differ)


def main():
    t = Tap()
    os.chdir(scratch())
    r = np.random.default_rng(5)
    v = r.normal(size=(4, 6))
    v[1, 2:4] = np.nan
    write_h5('a.h5', Named(('x', 'y'), v), 't')
    names = operations()
    t.ok(len(names) >= 10, f'{len(names)} operations are one program')
    for name in names:
        word, params = described(name)
        same(t, name, word, params)
        wrong(t, name, word, params)
    t.done()


main()
