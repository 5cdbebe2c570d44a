#!/usr/bin/python3
"""Random pipelines, three ways: plans handed over, bytes streamed, step by step through files.

pipelines.py [CASES [SEED]]. A case is a random tree of commands over a few small files of random axes, orders,
dtypes and storage: a child comes by `|` or `<(...)`, some of them through cat. All three ways must give the same bytes
(with --no-history), or all must fail. Runs in batches: one shell for the cases of a batch, one way at a time.
"""
import os
import re

import h5py
import numpy as np

from axtlib import Tap, counted, put_h5, random_cases, scratch, shell

LENGTHS = {'a': [1, 2, 3, 40], 'b': [4, 7, 300], 'c': [2, 5], 'd': [6, 50]}
DTYPES = ['f4'] * 4 + ['f8', 'i2', 'i4', 'u1', 'c8', '>f4', 'f2', 'i8']
FUNCS = ['negative', 'absolute', 'square', 'sqrt', 'exp', 'sin', 'tanh', 'sign', 'floor', 'isnan', 'log1p', 'cbrt']
REDS = ['sum', 'mean', 'min', 'max', 'std', 'var', 'count', 'argmax', 'prod', 'norm2', 'any', 'logsumexp', 'ptp',
        'median', 'quantile:0.3']
BINARY = ['add', 'sub', 'mul', 'div', 'minimum', 'maximum', 'eq', 'lt', 'hypot', 'dot', 'atan2', 'fillnan']
BATCH = 25


class File:
    """A leaf."""

    def __init__(self, path, axes):
        self.path, self.axes = path, axes


class Node:
    """A command: words, with children where a word is a node or a file."""

    def __init__(self, words, axes):
        self.words, self.axes = words, axes


def put(r, path, axes, lengths):
    shape = [lengths[x] for x in axes]
    a = np.array(r.standard_normal(shape) * 10)
    dtype = str(r.choice(DTYPES))
    if dtype[-2] == 'f' and r.random() < .3:
        a[r.random(shape) < .1] = np.nan
    how = {}
    if axes and r.random() < .25:
        how['chunks'] = tuple(int(r.integers(1, n + 1)) for n in shape)
        if r.random() < .5:
            how.update(compression='gzip', compression_opts=1, shuffle=True)
    attrs = {}
    if dtype[-2] == 'f' and r.random() < .3:
        attrs['_FillValue'] = np.array(np.nan, dtype)
    if dtype == 'i2' and r.random() < .5:
        attrs.update(scale_factor=np.float32(.5), _FillValue=np.int16(3))
    with h5py.File(path, 'w') as f:
        put_h5(f, counted(axes, a.astype(dtype)), 'x', attrs, **how)


def subset(r, axes):
    return [x for x in axes if r.random() < .5]


def tree(r, files, depth):
    """A random tree, of depth at most so many commands."""
    if depth == 0 or (depth < 3 and r.random() < .2):
        return files[int(r.integers(len(files)))]
    a = tree(r, files, depth - 1)
    kind = r.random()
    if kind < .3:
        return Node(['map', str(r.choice(FUNCS)), a], a.axes)
    if kind < .5:
        b = tree(r, files, int(r.integers(0, depth)))
        return Node([str(r.choice(BINARY)), a, b], list(dict.fromkeys(a.axes + b.axes)))
    if kind < .7:
        over = subset(r, a.axes)
        rest = [x for x in a.axes if x not in over]
        if r.random() < .3:
            rest = [str(x) for x in r.permutation(rest)]
            return Node(['reduce', str(r.choice(REDS)), '--to', ','.join(rest), a], rest)
        return Node(['reduce', str(r.choice(REDS)), '--over', ','.join(over), a], rest)
    if kind < .8:
        order = [str(x) for x in r.permutation(a.axes)]
        return Node(['order', ','.join(order), a], order)
    if kind < .86:
        return Node(['clip', '-2', '3', a], a.axes)
    if kind < .9:
        return Node(['cast', '--dtype', str(r.choice(['f64', 'f32', 'f16', 'i64'])), '--overflow', 'wrap', a], a.axes)
    if kind < .94:
        return Node(['sub', a, '1.5'], a.axes)
    if kind < .96 and a.axes:
        along = ['--along', str(r.choice(a.axes)), a]
        if r.random() < .5:
            return Node(['scan', str(r.choice(['sum', 'prod', 'min', 'max']))] + along, a.axes)
        return Node(['sort'] + ['--descending'] * int(r.integers(2)) + along, a.axes)
    if kind < .98:
        b, c = (tree(r, files, 1) for _ in range(2))
        return Node(['where', a, b, c], list(dict.fromkeys(b.axes + c.axes + a.axes)))
    return Node(['transpose', a], a.axes)


def command(r, node):
    """One line: a child by | where a child can be, the others by <(...)."""
    kids = [i for i, w in enumerate(node.words) if isinstance(w, Node)]
    first = kids[int(r.integers(len(kids)))] if kids and r.random() < .7 else None
    words, before = [], ''
    for i, w in enumerate(node.words):
        if isinstance(w, File):
            words.append(w.path)
        elif not isinstance(w, Node):
            words.append(f"'{w}'" if w == '' else w)
        elif i == first:
            before = command(r, w) + (' | cat | ' if r.random() < .1 else ' | ')
            words.append('-')
        else:
            words.append(f'<({command(r, w)})')
    return f'{before}axt-{" ".join(words)} --no-history'


def steps(node, names):
    """Lines that go through files, and the name of the last."""
    words, lines = [], []
    for w in node.words:
        if isinstance(w, Node):
            more, name = steps(w, names)
            lines += more
            words.append(name)
        else:
            words.append(w.path if isinstance(w, File) else f"'{w}'" if w == '' else w)
    name = f's{len(names)}.h5'
    names.append(name)
    lines.append(f'axt-{" ".join(words)} --no-history -o {name}')
    return lines, name


def batch(t, d, first, n, seed):
    os.makedirs(f'{d}/{first}')
    cases, ways = [], {'plan': [], 'bytes': [], 'steps': []}
    for k in range(first, first + n):
        r = np.random.default_rng([seed, k])
        lengths = {x: int(r.choice(v)) for x, v in LENGTHS.items()}
        files = []
        for i in range(3):
            axes = [str(x) for x in r.permutation(subset(r, 'abcd'))]
            files.append(File(f'{k}.{i}.h5', axes))
            put(r, f'{d}/{first}/{files[-1].path}', axes, lengths)
        node = tree(r, files, int(r.integers(2, 6)))
        if isinstance(node, File):
            node = Node(['map', 'square', node], node.axes)
        line = command(r, node)
        cases.append((k, line))
        env = f'AXT_THREADS={r.integers(1, 4)}'
        if r.random() < .4:
            tile = int(r.choice([1, 7, 64, 1000]))
            # outer products of large files would take minutes in small tiles
            large = any(np.prod([lengths[x] for x in f.axes]) > 1000 for f in files)
            env += f' AXT_TILE={max(tile, 64) if large else tile}'
        if r.random() < .4:
            env += f' AXT_SLAB={r.choice([64, 1000, 5000])}'
        for way in 'plan', 'bytes':
            ways[way].append(f'( export {env}; {line} -o {way}{k}.h5 ) || echo "{k} failed"')
        lines, last = steps(node, [])
        ways['steps'].append(f'( {" && ".join(lines)} && mv {last} steps{k}.h5 ) || echo "{k} failed"; rm -f s[0-9]*.h5')
    run = {}
    for way, lines in ways.items():
        run[way] = shell(f'cd {d}/{first}; set -o pipefail; ulimit -c 0\n' + '\n'.join(lines), timeout=600,
                         env={'AXT_FUSE': '0' if way == 'bytes' else '1'})
    why = ''
    failed = 0
    for k, line in cases:
        got = {}
        for way in ways:
            path = f'{d}/{first}/{way}{k}.h5'
            got[way] = open(path, 'rb').read() if os.path.exists(path) else None
        failed += got['steps'] is None
        if len(set(got.values())) != 1:
            same = {w: got[w] == got['steps'] for w in ways}
            why += f'case {k}: {same}, failed: {[w for w in ways if got[w] is None]}\n$ {line}\n'
    left = re.findall(r'Sanitizer.*|ERROR.*|Aborted|Segmentation.*|signal.*', '\n'.join(x.stderr.decode(errors='replace') for x in run.values()))
    t.ok(not why and not left, f'pipelines {first} to {first + n - 1}: plans, bytes and files agree', why + '\n'.join(left[:5]))
    return failed


def main():
    n, seed = random_cases(120, 50, 10, 1)
    t, d = Tap(), scratch()
    failed = sum(batch(t, d, k, min(BATCH, n - k), seed) for k in range(0, n, BATCH))
    t.ok(failed < n * .4, f'{n - failed} of {n} pipelines give a result', f'{failed} failed')
    t.done()


if __name__ == '__main__':
    main()
