#!/usr/bin/python3
"""Pipes and files: the same bytes: streams.py [CASES [SEED]].

Random pipelines, each operand a file or a pipe (standard input, process substitution), axt's own stream or a
foreign file piped by cat, in slabs of a few kilobytes (AXT_SLAB), small tiles (AXT_TILE) and 1 to 5 threads, against
the same commands through files. Then streams that are short, too long, or slow, and what is left in $TMPDIR.
"""
import os
import subprocess

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, axt, counted, measured, put_h5, random_cases, scratch, shell

os.environ['AXT_FUSE'] = '0'     # bytes, not plans

LENGTHS = {'a': 7, 'b': 30, 'c': 20, 'd': 150}
DTYPES = ['f4', 'f8', 'i2', 'u1', 'c8', '>f4', 'f2']
REDUCTIONS = ['sum', 'mean', 'var', 'min', 'argmax', 'prod', 'count', 'logsumexp', 'norm2']
MAPS = ['square', 'negative', 'sqrt', 'abs']
TWO = ['add', 'sub', 'mul', 'maximum', 'less']


def put(r, path, axes):
    """A tensor over axes; foreign files hold chunks, or data before metadata."""
    shape = [LENGTHS[x] for x in axes]
    v = (r.standard_normal(shape) * 50).astype(str(r.choice(DTYPES)))
    how = {}
    if axes and r.random() < .2:
        how['chunks'] = tuple(int(r.integers(1, n + 1)) for n in shape)
    with h5py.File(path, 'w', libver=str(r.choice(['earliest', 'latest']))) as f:
        put_h5(f, counted(axes, v), 'x', **how)
    return v.dtype.kind


def command(r, kind, axes, files):
    """One stage on what comes before, {}, and maybe a file; and the axes of its result."""
    x = r.random()
    if x < .3 and files:
        path, its = files[int(r.integers(len(files)))]
        words = ['{}', path]
        if r.random() < .5:
            words.reverse()
            axes, its = its, axes
        return f'axt-{r.choice(TWO[:3] if kind == "c" else TWO)} {" ".join(words)}', axes + [y for y in its if y not in axes]
    if x < .55 and axes:
        keep = [y for y in axes if r.random() < .5]
        op = str(r.choice(['sum', 'mean'] if kind == 'c' else REDUCTIONS))
        return f'axt-reduce {op} --to {",".join(keep) or chr(39) * 2} {{}}', keep
    if x < .7 and len(axes) > 1:
        perm = [str(y) for y in r.permutation(axes)]
        return f'axt-order {",".join(perm)} {{}}', perm
    return f'axt-map {r.choice(MAPS)} {{}}', axes


def case(t, d, seed):
    r = np.random.default_rng(seed)
    names = [list(x) for x in ('d', 'cd', 'bcd', 'abcd', 'bd', 'dc')]
    files, kinds = [], ''
    for i in range(3):
        axes = names[int(r.integers(len(names)))]
        path = f'{d}/in{i}.h5'
        kinds += put(r, path, axes)
        files.append((path, axes))
    kind = 'c' if 'c' in kinds else 'f'
    path, axes = files[0]
    stages = []
    for _ in range(int(r.integers(1, 4))):
        c, axes = command(r, kind, axes, files[1:])
        stages.append(c)
    # through files
    at = path
    for i, c in enumerate(stages):
        w = shell(f'{c.format(at)} --no-history -o {d}/step{i}.h5', env={'AXT_THREADS': '1'})
        if w.returncode:
            return t.skip(f'{seed}', 'refused')
        at = f'{d}/step{i}.h5'
    # through pipes
    env = {'AXT_THREADS': str(r.integers(1, 6)), 'AXT_SLAB': str(r.choice([300, 4096, 50000, 1 << 20])), 'AXT_FUSE': '0'}
    tile = int(r.choice([0, 0, 1, 100, 1024]))
    most = max(int(np.prod([LENGTHS[x] for x in its])) for _, its in files)
    if tile and most < 1e5:      # a tile is a turn of every thread: few enough to end
        env['AXT_TILE'] = str(tile)
    line = f'cat {path}' if r.random() < .5 else f'axt-order {",".join(files[0][1])} {path} --no-history'
    for c in stages:
        for other in (p for p, _ in files[1:]):
            how = r.random()
            if how < .5:
                c = c.replace(other, f'<(cat {other})' if how < .25 else f'<(axt-order ... {other} --no-history)')
        if r.random() < .7:
            line = f'{line} | {c.format("-")} --no-history'
        else:
            line = f'{c.format(f"<({line})")} --no-history'
    out = f'{d}/out.h5'
    line = f'{line} -o {out}' if r.random() < .5 else f'{line} >{out}'
    g = shell(f'set -o pipefail; {line}', env=env)
    if g.returncode:
        return t.ok(False, f'{seed} {line} {env}', g.stderr.decode())
    with open(at, 'rb') as x, open(out, 'rb') as y:
        return t.ok(x.read() == y.read(), f'{seed} {line} {env}', 'the bytes differ')


def ends(t, d):
    """Streams whose ends are not where they should be, for commands that store nothing."""
    big = f'{d}/big.h5'
    axt('make', 'iota', 'x=700,y=1000', '--dtype', 'f64', '-o', big)
    size = os.path.getsize(big)
    for c in ('axt-reduce sum -p', 'axt-map square', 'axt-map square -o {d}/no.h5', 'axt-info', 'axt-reduce mean --over x',
              'axt-order y,x', 'axt-equal - {big}', 'axt-reduce count -p'):
        c = c.format(d=d, big=big)
        for what, feed in (('short', f'head -c {size - 1} {big}'), ('half', f'head -c {size // 2} {big}'),
                           ('long', f'cat {big}; echo')):
            p = shell(f'({feed}) | {c} >{d}/o')
            t.ok(p.returncode in (1, 2) and len(p.stderr.splitlines()) == 1 and not os.path.exists(f'{d}/no.h5'),
                 f'a stream that is {what}: {c}', p)
            if c == 'axt-map square':
                q = shell(f'axt-reduce sum -p {d}/o')
                t.ok(q.returncode == 1, f'a stream that is {what}: what came out is no file', q)
    p = shell(f'(cat {big}; sleep 20) | timeout 10 axt-print --head 3')
    t.ok(p.stdout.split()[:3] == [b'0', b'1', b'2'], 'print --head ends before its stream', p)
    p = shell(f'axt-make random x=100000000 | axt-print --head 2; echo ${{PIPESTATUS[0]}}')
    t.ok(p.stdout.endswith(b'141\n'), 'print --head leaves the writer to SIGPIPE', p)
    for c, how in (('axt-map square', 'in order'), ('axt-order y,x', 'spooled'), ('axt-reduce mean --over y', 'in order'),
                   ('axt-reduce mean --over x', 'in order')):
        p = shell(f'axt-map abs {big} | {c} - --explain')
        t.ok(f'stream, {how}'.encode() in p.stdout, f'{c} of a stream: {how}', p)


def memory(t, d):
    """Peak memory of a process that reads a stream of 400 MB, in KiB."""
    if SANITIZER or SLOW:
        return
    for c in ('axt-reduce sum -p', 'axt-map square', 'axt-reduce mean --over x', 'axt-info', 'axt-reduce max --over y',
              'axt-print --format %.0f'):
        n = 10000 if 'print' in c else 100000
        w = subprocess.Popen([f'{BIN}/axt-make', 'iota', f'x={n},y=1000', '--dtype', 'f32'], stdout=subprocess.PIPE)
        status, kib = measured([f'{BIN}/{c.split()[0]}'] + c.split()[1:], stdin=w.stdout, stdout=subprocess.DEVNULL)
        w.stdout.close()
        t.ok(status == 0 and w.wait() == 0 and kib < 64 << 10, f'{c} of a long stream takes {kib} KiB', status)


def main():
    cases, seed = random_cases(30, 20, 10, 20261121)
    t, d = Tap(), scratch()
    taken = sum(case(t, d, seed + k) is not None for k in range(cases))
    t.ok(2 * taken > cases, f'{taken} of {cases} cases are not refused')
    ends(t, d)
    memory(t, d)
    left = [x for x in os.listdir(os.environ.get('TMPDIR', '/tmp')) if x.startswith('axt-') and not x.startswith('axt-test')]
    t.ok(not left or 'AXT_TOP' not in os.environ, 'nothing is left in $TMPDIR', left)
    t.done()


main()
