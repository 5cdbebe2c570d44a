#!/usr/bin/python3
"""Chunks, slabs, tiles, threads, files and pipes: the same bytes: slabs.py [CASES [SEED]].

Random tensors in random chunks, decoded in slabs of a few kilobytes (AXT_SLAB) and worked on in small tiles
(AXT_TILE) by 1 to 5 threads, into a file or a pipe, against the same command on a contiguous copy with one thread and
everything at its usual size.
"""
import os

import h5py
import numpy as np

from axtlib import Tap, axt, counted, put_h5, random_cases, scratch, shell

LONGEST = [6000, 300, 40, 14]
DTYPES = ['f4', 'f8', 'i2', 'c8', '>f4', 'f2']
OPS = ['sum', 'mean', 'var', 'min', 'max', 'argmin', 'argmax', 'prod', 'count', 'logsumexp', 'std', 'norm2']


def tensor(r, axes):
    shape = [int(r.integers(1, LONGEST[len(axes) - 1] + 1)) for _ in axes]
    dtype = str(r.choice(DTYPES))
    a = r.standard_normal(shape) * 100
    if dtype not in ('i2', 'c8') and r.random() < .3:
        a[r.random(shape) < .1] = np.nan
    return a.astype(dtype)


def command(r, a, axes):
    perm = [str(x) for x in r.permutation(axes)]
    kind = r.random()
    if kind < .25:
        return ['order', ','.join(perm)]
    if kind < .4:
        return ['map', 'square']
    keep = perm[:int(r.integers(0, len(axes) + 1))]
    op = ','.join(r.choice(['sum', 'mean'] if a.dtype.kind == 'c' else OPS, int(r.integers(1, 3)), replace=False))
    if kind < .7:
        return ['reduce', op, '--to', ','.join(keep)]
    return ['reduce', op, '--over', ','.join(x for x in axes if x not in keep)]


def case(t, d, seed):
    r = np.random.default_rng(seed)
    axes = list('abcd')[:int(r.integers(1, 5))]
    a = tensor(r, axes)
    how = {'chunks': tuple(int(r.integers(1, n + 1)) for n in a.shape)}
    if r.random() < .5:
        how.update(compression='gzip', compression_opts=1, shuffle=bool(r.random() < .5))
    chunked, plain = os.path.join(d, 'c.h5'), os.path.join(d, 'p.h5')
    for path, storage in (chunked, how), (plain, {}):
        with h5py.File(path, 'w') as f:
            put_h5(f, counted(axes, a), 'x', **storage)
    env = {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': str(r.choice([500, 4096, 30000]))}
    tile = int(r.choice([0, 1, 7, 100, 1024, 5000]))
    if tile:
        env['AXT_TILE'] = str(tile)
    c = command(r, a, axes)
    name = f'{seed} {" ".join(c)} {a.dtype} {a.shape} in {how["chunks"]} {env}'
    want, got = os.path.join(d, 'want.h5'), os.path.join(d, 'got.h5')
    w = axt(*c, '--no-history', plain, '-o', want, env={'AXT_THREADS': '1'})
    if r.random() < .5:
        failed = axt(*c, '--no-history', chunked, '--deflate', '0', '-o', got, env=env).rc  # else an unchanged one stays compressed
    else:
        words = ' '.join(repr(x) for x in c[1:])
        failed = shell(f'axt-{c[0]} {words} --no-history {chunked} | cat >{got}', env=env).returncode
    if w.rc or failed:
        return t.ok(False, name, f'{w} and {failed}')
    with open(want, 'rb') as x, open(got, 'rb') as y:
        return t.ok(x.read() == y.read(), name, 'the bytes differ')


def main():
    cases, seed = random_cases(200, 60, 12, 20261121)
    t, d = Tap(), scratch()
    for k in range(cases):
        case(t, d, seed + k)
    t.done()


main()
