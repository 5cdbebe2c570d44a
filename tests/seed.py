#!/usr/bin/python3
"""Runs tests/cases/seed.tsv: makes the inputs, runs the commands, compares axes, order, dtypes and values."""
import json
import os
import re

import numpy as np

from axtlib import TOP, Named, Tap, read_h5, same, scratch, shell, write_h5

NUMPY = {'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'i32': 'i4', 'i64': 'i8', 'u32': 'u4', 'bool': '?'}


def rows(name):
    with open(f'{TOP}/tests/cases/{name}', encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                yield line.rstrip('\n').split('\t')


def tensor(text):
    axes, dtype, data = text.split(' ')
    dims = [] if axes == '()' else [a.split('=')[0] for a in axes.split(',')]
    shape = [] if axes == '()' else [int(a.split('=')[1]) for a in axes.split(',')]
    if data.startswith('iota'):
        start, step = {'iota': (0, 1), 'iota1': (1, 1)}.get(data) or map(float, data.split(':')[1:])
        a = (start + step * np.arange(np.prod(shape, dtype=int))).reshape(shape)
    else:
        a = np.array(json.loads(data))
    return Named(dims, a.astype(NUMPY[dtype]))


def check(p, axes, dtype, result, rtol, out):
    err = p.stderr.decode(errors='replace')
    if result in ('equal', 'differs'):
        want = 0 if result == 'equal' else 1
        return '' if p.returncode == want else f'status {p.returncode}, want {want}\n{err}'
    if result.startswith('error '):
        first = err.splitlines()[0] if err else ''
        if p.returncode not in (1, 2):
            return f'status {p.returncode}, want an error\n{err}'
        if not first.startswith('axt-') or len(err.splitlines()) > 2:
            return f'not one line and at most a hint:\n{err}'
        return '' if re.search(result[6:], first) else f'message does not match {result[6:]!r}:\n{err}'
    if p.returncode:
        return f'status {p.returncode}\n{err}'
    got = read_h5(out)
    want_axes = () if axes == '()' else tuple(re.sub(r'\*1$', '*', a) for a in axes.split(','))
    if got.dims != want_axes:
        return f'axes {got.dims}, want {want_axes}'
    if dtype != '-' and got.a.dtype != np.dtype(NUMPY[dtype]):
        return f'dtype {got.a.dtype}, want {dtype}'
    want = np.array(json.loads(result))
    if got.a.dtype.kind in 'iub':
        return same(got.a, want, dtype=False)
    return same(got.a, want, rtol=float(rtol) if rtol != '-' else 1e-5, atol=1e-6, dtype=False)


def main():
    tap = Tap()
    d = scratch()
    for n, (name, command, inputs, axes, dtype, result, rtol) in enumerate(rows('seed.tsv')):
        files = []
        for k, text in enumerate([] if inputs == '-' else inputs.split(' ; ')):
            files.append(f'{d}/{n}_{k}.h5')
            write_h5(files[-1], tensor(text))
        out = f'{d}/{n}.h5'
        line = command.format(*files)
        if result not in ('equal', 'differs'):
            line = f'{line} >{out}'
        p = shell(line)
        why = check(p, axes, dtype, result, rtol, out)
        tap.ok(not why, f'{name}: {command}', why)
        for f in files + [out]:
            if os.path.exists(f):
                os.unlink(f)
    for name, reason in rows('seed-skip.tsv'):
        tap.skip(name, reason)
    tap.done()


main()
