#!/usr/bin/python3
"""Correct command lines are carried out, whatever the words in them are called: axes as options, datasets as operations, files as axes,
expressions that begin with a sign. Lines are drawn at random, and so are the names; what comes out is compared with NumPy."""
import os
import random

import h5py
import numpy as np

import axtlib
from axtlib import Tap, scratch

NAMES = ['time', 'mean', 'sum', 'over', 'along', 'by', 'axis', 'x', 'lat', 'v', 'd', 'o', 'quantile', 'all', 'each', 'nc', 'set', 'drop', 'area',
         'max', 'linear', 'iota', 'month', 'name', 'raw', 'output', 'tensor', 'abs', 'e', 'mask', 'std', 'time.month', 'a.nc']
FILES = ['run=1.nc', 'mean.nc', 'time.h5', 'over.nc', 'sum=2.nc', 'lat.nc', '2001.nc', 'x.nc', 'set.nc', 'linear.h5']


def write(path, name, axes, values):
    with h5py.File(path, 'w') as f:
        for i, axis in enumerate(axes):
            f['axis_of_' + axis if axis == name else axis] = np.arange(values.shape[i]) * 1.
        for axis in axes:
            f[axis].make_scale(axis)
        f[name] = values
        for i, axis in enumerate(axes):
            f[name].dims[i].attach_scale(f[axis])


def lines(r, file, name, axes, v):
    """Command lines of one file, whose words may stand in several orders, and what they give."""
    a, b = axes
    path = './' + file if '=' in file else file  # where a spec may stand, "run=1.nc" is one
    whole, part = r.choice([path, f'{path}:{name}']), r.randrange(v.shape[0])
    given = ['-d', name] if whole == path and r.random() < .5 else []
    flag = r.choice([[], ['-q'], ['--each'] if whole == path and not given else [], ['-t', '2'], ['--no-history']])
    op = r.choice(['mean', 'sum', 'max', 'std'])
    yield ['axt-reduce', op, '--over', a, whole], getattr(np, op)(v, 0), given + flag
    yield ['axt-flip', b, whole], v[:, ::-1], given + flag
    yield ['axt-order', f'{b},{a}', whole], v.T, given + flag
    yield ['axt-slice', f'{a}={part}', whole], v[part], given + flag
    yield ['axt-slice', f'{a}@{part}', whole], v[part], given + flag
    yield ['axt-scan', 'sum', '--along', a, whole], np.cumsum(v, 0), given + flag
    yield ['axt-concat', a, whole, whole, '--join', 'override'], np.concatenate([v, v]), given
    yield ['axt-sort', '--along', b, whole], np.sort(v, 1), given + flag
    yield ['axt-flatten', f'{a},{b}=flat', whole], v.ravel(), given + flag
    yield ['axt-expand', 'new', whole], v[None], given + flag
    yield ['axt-rename', f'{a}=other', whole], v, given + flag
    yield ['axt-shift', f'{a}=1', whole], np.roll(v, 1, 0), given + flag
    yield ['axt-map', 'abs', whole], np.abs(v), given + flag
    yield ['axt-scan', f'linear:{file}:{name}', '--along', a, f'{file}:{name}'], recurrence(v), []
    for text, want in (('-v', -v), ('-8.5 + 1.5*v', 1.5 * v - 8.5), ('-sqrt(v*v)', -np.abs(v)), ('-(v)', -v), ('- v', -v), ('-2*v', -2 * v)):
        yield ['axt-calc', text.replace('v', 'z'), f'z={file}:{name}'], want, []
        yield ['axt-calc', text.replace('v', 'tx'), f'tx={file}:{name}'], want, []


def recurrence(v):
    y, out = np.zeros_like(v[0]), []
    for x in v:
        y = x * y + x
        out.append(y)
    return np.array(out)


def mixed(r, line, options):
    """The options behind the command, behind the operands, or between these."""
    at = r.choice([1, len(line)]) if options else 1
    return line[:at] + options + line[at:]


def main():
    t, r = Tap(), random.Random(7)
    os.chdir(scratch())
    ran = refused = 0
    wrong = []
    for k in range(7):
        name, *axes = r.sample(NAMES, 3)
        file = r.choice(FILES)
        v = np.random.default_rng(k).normal(0, 1, (5, 3))
        write(file, name, axes, v)
        for line, want, options in lines(r, file, name, axes, v):
            line = mixed(r, line, options)
            run = axtlib.axt(line[0].removeprefix('axt-'), *line[1:], '-o', 'out.h5')
            ran += 1
            if run.rc:
                refused += 1
                wrong.append((line, run.err))
                continue
            with h5py.File('out.h5') as f:
                got = [x[()] for x in f.values() if isinstance(x, h5py.Dataset) and x.shape == want.shape and 'CLASS' not in x.attrs]
            if not any(np.allclose(g, want) for g in got):
                wrong.append((line, 'other values'))
            os.remove('out.h5')
        os.remove(file)
    t.ok(not wrong, f'{ran} correct lines, {refused} refused', wrong[:12])
    t.done()


main()
