#!/usr/bin/python3
"""Saved expressions: what they give is what the pipeline gives; damaged texts give a message: saved.py [CASES [SEED]]."""
import os

import h5py
import numpy as np

from axtlib import Tap, axt, counted, put_h5, random_cases, read_h5, same_named, scratch, shell

STAGES = ['map square', 'map abs', 'reduce mean --over a', 'reduce sum,max --to b', 'order b,a', 'mul - 3', 'cast --dtype f64',
          'sub - b.h5', 'add - b.h5', 'where c.h5 - 0', 'clip -1 1', 'rename a=q']


def place(d):
    r = np.random.default_rng(1)
    for name, axes, a in (('a', 'ab', r.standard_normal((7, 5)).astype('f4')), ('b', 'b', r.standard_normal(5)),
                          ('c', 'b', np.array([1, 0, 1, 1, 0], 'i2'))):
        with h5py.File(f'{d}/{name}.h5', 'w') as f:
            put_h5(f, counted(list(axes), a), 'x')
    axt('make', 'placeholder', 'b=5', '--dtype', 'f64', '--name', 'p', '-o', f'{d}/p.h5')


def chain(t, d, seed):
    """The same stages: run at once, saved, saved in the middle, with an operand that is bound."""
    r = np.random.default_rng(seed)
    stages = [str(x) for x in r.choice(STAGES[:3] + STAGES[4:], int(r.integers(1, 5)))]
    stages = [s for i, s in enumerate(stages) if not any('over a' in x or 'rename' in x for x in stages[:i])]
    words = ['axt-' + s for s in stages]
    words[0] = words[0].replace(' - ', ' a.h5 ') if ' - ' in words[0] else words[0] + ' a.h5'
    line = ' | '.join(words)
    at = int(r.integers(1, len(words) + 1))
    tail = [w if ' - ' in w else w + ' -' for w in words[at:]]
    tail = [w.replace(' - ', ' e.h5 ') if i == 0 and ' - ' in w[:-1] else w[:-1] + 'e.h5' if i == 0 else w for i, w in enumerate(tail)]
    want = shell(f'cd {d}; {line} -o want.h5')
    got = shell(f'cd {d}; {" | ".join(words[:at])} | axt-save -o e.h5 && {" | ".join(tail) if tail else "axt-add e.h5 0"} -o got.h5')
    bound = shell(f'cd {d}; {line.replace("b.h5", "p.h5")} | axt-save -o f.h5 && axt-bind p=b.h5 f.h5 -o bound.h5')
    if want.returncode or got.returncode:
        return t.ok(want.returncode == got.returncode, f'{seed} {line}', want.stderr + got.stderr)
    why = same_named(read_h5(f'{d}/got.h5'), read_h5(f'{d}/want.h5'))
    if not why and 'b.h5' in line:
        why = bound.stderr.decode() if bound.returncode else same_named(read_h5(f'{d}/bound.h5'), read_h5(f'{d}/want.h5'))
    return t.ok(not why, f'{seed} {line}', why)


def damaged(t, d, cases, seed):
    """A text with some bytes changed gives its tensor or one message."""
    r = np.random.default_rng(seed)
    p = shell(f'cd {d}; axt-sub a.h5 b.h5 | axt-map square | axt-where c.h5 - a.h5 | axt-reduce mean --over a | axt-save --name x -o e.h5')
    assert p.returncode == 0, p.stderr
    with h5py.File(f'{d}/e.h5') as f:
        text = f['x'].attrs['axt_plan']
    bad, refused = [], 0
    for i in range(cases):
        b = bytearray(text)
        for _ in range(int(r.integers(1, 4))):
            k, how = int(r.integers(len(b))), r.random()
            if how < .5:
                b[k] = int(r.integers(1, 256)) if r.random() < .3 else int(r.choice(list(text)))
            elif how < .75:
                del b[k:k + int(r.integers(1, 30))]
            else:
                b[k:k] = text[int(r.integers(len(text))):][:int(r.integers(1, 40))]
        with h5py.File(f'{d}/e.h5', 'r+') as f:
            f['x'].attrs['axt_plan'] = np.bytes_(bytes(b))
        for c in ('print', 'info'):
            p = axt(c, f'{d}/e.h5', cwd=d)
            lines = p.err.splitlines()
            if p.rc not in (0, 1) or (p.rc == 1 and not (1 <= len(lines) <= 2 and lines[0].startswith('axt-'))):
                bad.append(f'{bytes(b)}: {p}')
            refused += p.rc == 1
    t.ok(not bad, f'{cases} damaged texts', '\n'.join(bad[:3]))
    t.ok(refused > cases / 2, 'most are refused', refused)


def main():
    cases, seed = random_cases(60, 20, 4, 20261121)
    t, d = Tap(), scratch()
    place(d)
    for k in range(cases):
        chain(t, d, seed + k)
    damaged(t, d, 2 * cases, seed)
    left = [n for n in os.listdir(d) if n.startswith('.')]
    t.ok(not left, 'nothing is left', left)
    t.done()


main()
