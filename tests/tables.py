#!/usr/bin/python3
"""Tables (compound datasets) of h5py and of PyTables' kind: each member is a tensor, as NumPy's field is: tables.py [CASES [SEED]]."""
import os
import re

import h5py
import numpy as np

from axtlib import Tap, axt, in_batches, random_cases, scratch, shell

NUMBERS = ['<f4', '<f8', '>f4', '>f8', '<f2', '<i2', '>i2', 'i1', 'u1', '<u4', '>i8', '<u8', '?', '<c8', '>c16']
SHAPES = [(), (3,), (2, 2), (1,)]


def random_type(r, deep=0):
    fields = []
    for k in range(int(r.integers(1, 6))):
        kind = r.random()
        if kind < .15 and deep < 2:
            fields.append((f'n{k}', random_type(r, deep + 1)))
        elif kind < .25:
            fields.append((f't{k}', f'S{int(r.integers(1, 24))}'))
        else:
            fields.append((f'm{k}', str(r.choice(NUMBERS)), SHAPES[int(r.integers(4))] if r.random() < .3 else ()))
    return np.dtype(fields, align=bool(r.random() < .3))


def values(r, dt, shape):
    a = np.zeros(shape, dt)
    for n in dt.names:
        t, full = a[n].dtype, a[n].shape
        if t.names:
            a[n] = values(r, t, full)
        elif t.kind == 'S':
            a[n] = np.array([f'x{i}'[:t.itemsize] for i in range(a[n].size)], t).reshape(full)
        else:
            a[n] = (r.integers(0, 2 if t.kind == 'b' else 100, full) * (1 + 1j if t.kind == 'c' else 1)).astype(t)
    return a


def leaves(a, prefix):
    for n in a.dtype.names:
        if a[n].dtype.names:
            yield from leaves(a[n], f'{prefix}.{n}')
        else:
            yield f'{prefix}.{n}', a[n]


def put(f, r, a):
    """The dataset tab in a random storage."""
    how = r.choice(['plain', 'chunks', 'deflate', 'all', 'compact', 'part']) if a.ndim and a.size else 'plain'
    chunks = tuple(int(r.integers(1, n + 3)) for n in a.shape)
    more = {'plain': {}, 'chunks': {'chunks': chunks}, 'deflate': {'chunks': chunks, 'compression': 'gzip'},
            'all': {'chunks': chunks, 'compression': 'gzip', 'shuffle': True, 'fletcher32': True},
            'part': {'chunks': chunks, 'compression': 'lzf'}, 'compact': {}}[how]
    if more:
        more['maxshape'] = (None,) * a.ndim
    if how == 'compact':
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_layout(h5py.h5d.COMPACT)
        d = h5py.h5d.create(f.id, b'tab', h5py.h5t.py_create(a.dtype), h5py.h5s.create_simple(a.shape), p)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, a)
    elif how == 'part':   # the rest is never written
        del more['compression']
        d = f.create_dataset('tab', a.shape, a.dtype, **more)
        k = a.shape[0] // 2
        d[:k] = a[:k]
        a[k:] = np.zeros((), a.dtype)
    else:
        f.create_dataset('tab', data=a, **more)


def case(t, d, seed):
    r = np.random.default_rng(seed)
    a = values(r, random_type(r), tuple(int(r.integers(1, 40)) for _ in range(int(r.choice([0, 1, 1, 1, 2])))))
    with h5py.File(f'{d}/t.h5', 'w') as f:
        put(f, r, a)
    for name, want in leaves(a, 'tab'):
        if want.dtype.kind == 'S':
            if want.ndim <= a.ndim:
                got = axt('print', f'{d}/t.h5:{name}')
                if got.out.split(b'\n')[:-1] != want.ravel().tolist():
                    t.bad += 1
                    print(f'# seed {seed} {name}: {got}{got.out[:80]}')
            continue
        for line in (f'axt-to {d}/x.npy {d}/t.h5:{name}', f'cat {d}/t.h5 | axt-to {d}/x.npy -d {name}',
                     f'AXT_TILE=3 axt-to {d}/x.npy -m 40M {d}/t.h5:{name}'):
            run = shell(line)
            got = np.load(f'{d}/x.npy') if run.returncode == 0 else None
            if got is None or got.shape != want.shape or not np.array_equal(got, want):
                t.bad += 1
                print(f'# seed {seed} {line}\n# {run}')


def examples(t, d):
    os.chdir(d)
    dt = [('id', 'i8'), ('energy', 'f4'), ('pos', 'f8', (3,)), ('hit', [('x', 'i2'), ('t', '>f4')]), ('tag', 'S4'),
          ('r', h5py.vlen_dtype('i4')), ('odd/name', 'u1')]
    a = np.zeros(5, dt)
    a['energy'] = [1, 5, 2, 8, 3]
    a['tag'] = [b'a', b'b', b'c', b'd', b'e']
    a['odd/name'] = 7
    a['r'] = [np.arange(2, dtype='i4')] * 5
    with h5py.File('t.h5', 'w') as f:
        f.create_dataset('run/events', data=a)
        f['run/events'].attrs['CLASS'] = 'TABLE'
    lines = axt('info', '--brief', 't.h5').out.decode().splitlines()
    t.ok(lines == ['/run/events.id i64 dim_0=5', '/run/events.energy f32 dim_0=5', '/run/events.pos f64 dim_0=5 dim_1=3',
                   '/run/events.hit.x i16 dim_0=5', '/run/events.hit.t f32 dim_0=5', '/run/events.odd_name u8 dim_0=5'],
         'axt-info --brief has a line for each member', '\n'.join(lines))
    text = axt('info', 't.h5').out.decode()
    t.ok('events (a compound table: its members are tensors, such as events.id)' in text and
         'events.r (type not supported: variable length)' in text, 'members that cannot be read are named', text)
    for args, words in (
            (('print', 't.h5:events'), 'a compound table: its members are tensors, such as events.id'),
            (('print', 't.h5:events.enrgy'), 'hint: axt-print t.h5:/run/events.energy'),
            (('print', 't.h5:events.r'), 'type not supported: variable length'),
            (('assign', 't.h5:events.energy', 'set', '3'), 'is a member of a table: those are only read'),
            (('remove', 't.h5:run/events.energy'), 'is a member of the table /run/events, and stays in it'),
            (('move', '--in-place', 'events.energy=e', 't.h5'), 'is a member of the table /run/events, and stays in it'),
            (('add', 't.h5:events.energy', '1', '-o', 't.h5:/run/events.energy'), 'is a member of a table'),
            (('attr', 'events.energy@units=K', 't.h5'), 'events.energy')):
        before = open('t.h5', 'rb').read()
        run = axt(*args)
        t.ok(run.rc == 1 and words in run.err and open('t.h5', 'rb').read() == before, ' '.join(args), run)
    run = axt('copy', 't.h5:*', '-o', 'c.h5')
    with h5py.File('c.h5') as f:
        said = 't.h5:/run/events is left out: a compound table' in run.err and 't.h5:/run/events.r is left out' in run.err
        t.ok(run.rc == 0 and run.err.count('\n') == 2 and said and np.array_equal(f['run/events.energy'], a['energy']),
             'a copy has the members, and says that it has not the table', run)
    run = axt('remove', '--in-place', 'c.h5:/run/events.id')
    t.ok(run.rc == 0, 'which are datasets there', run)
    run = axt('remove', 't.h5:run/events')
    t.ok(run.rc == 0 and axt('info', '--names', 't.h5').out == b'', 'a table goes with its members', run)


def hostile(t, d):
    """Sizes of types and of members, and their places, made other numbers: no crash, and no values from outside the records."""
    a = np.arange(48, dtype='u1').view([('a', '<i2'), ('b', '<f4'), ('c', '<u2', (3,))])
    bad = []
    for k, how in enumerate(({}, {'chunks': (2,)}, {'chunks': (2,), 'compression': 'gzip'})):
        with h5py.File(f'{d}/h.h5', 'w', libver=('earliest', 'latest')[k % 2]) as f:
            f.create_dataset('t', data=a, **how)
        whole = open(f'{d}/h.h5', 'rb').read()
        at = whole.index(b'a\0')   # the first member's name, behind the head of the type
        for i in range(max(0, at - 16), at + 180):
            for x in (0, 7, 0xff):
                with open(f'{d}/x.h5', 'wb') as f:
                    f.write(whole[:i] + bytes([x]) + whole[i + 1:])
                run = axt('reduce', 'sum', f'{d}/x.h5:t.{"abc"[i % 3]}', '-p', timeout=20)
                if run.rc not in (0, 1) or re.search('Sanitizer|too slow', run.err):
                    bad.append(f'{how} byte {i} is {x}: {run}')
    t.ok(not bad, 'damaged types end with a message', '\n'.join(bad))


def main():
    cases, seed = random_cases(100, 25, 10, 1)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'members of random tables {} are as NumPy has them', lambda k: case(t, d, seed + k))
    hostile(t, d)
    examples(t, d)
    t.done()


if __name__ == '__main__':
    main()
