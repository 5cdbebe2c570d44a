#!/usr/bin/python3
"""The NumPy calls that the bench measures beside axt give what axt gives, on small inputs: equivalents.py [CASES [SEED]] of each row."""
import json
import os
import sys
import warnings

import numpy as np

from axtlib import BIN, TOP, Tap, random_cases, scratch, shell

sys.path.insert(0, os.path.join(TOP, 'scripts', 'bench'))
import search  # pylint: disable=wrong-import-position


def case(d, name, seed, k):
    """'', or what is wrong."""
    c = search.drawn(seed, k, (100, 20000), name)
    arrays = c.write(d, BIN)
    line = c.line(d)
    p = shell(line)
    if p.returncode:
        why = p.stderr.decode()
    else:
        with np.errstate(all='ignore'):
            why = search.different(c, d, BIN, c.call(arrays)(), arrays)
    for f in os.listdir(d):
        os.unlink(f'{d}/{f}')
    return why and f'{line}\n{c.describe()}\n{why}'


def main():
    cases, seed = random_cases(1, 1, 1, 1)
    t, d = Tap(), scratch()
    warnings.simplefilter('ignore')     # means of nothing are NaN
    for name in search.ROWS:
        why = ''
        for k in range(cases):
            why = why or case(d, name, seed, k)
        t.ok(not why, f'NumPy does the same: {name}', why)
    names = {o['name'] for o in json.loads(shell('axt list --json').stdout)['operations']} | {'copy'}
    stale = [n for n in search.ROWS if n.removeprefix('scan ').split()[0] not in names]
    t.ok(not stale, 'the first word of a row is an operation of axt list', stale)
    t.ok(isinstance(search.known(), list), 'known.txt has patterns and sentences')
    t.done()


main()
