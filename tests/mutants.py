#!/usr/bin/python3
"""Damaged metadata behind right checksums: mutants.py [COUNT [SEED]].

Files of all kinds are made here; tests/mutants.c changes their metadata, makes the checksums right again, and reads
the mutants in child processes: axt must not die, hang, or give other values than libhdf5, nor change any when a tensor is
added. Some of the mutants are then given to the commands, with memory that is not zeroed.
"""
import os
import re
import subprocess

import h5py
import netCDF4
import numpy as np

from axtlib import BUILD, SANITIZER, SLOW, TOP, Tap, axt, random_cases, scratch

D = scratch()


def small(f, **how):
    """What is in every file: numbers, text, attributes, an axis with coordinates."""
    f.create_dataset('x', data=np.arange(12, dtype='f4').reshape(4, 3), **how)
    f['x'].attrs['units'] = 'K'
    f['x'].attrs['n'] = np.arange(3)
    f['x'].attrs['one'] = 2.5
    f['s'] = np.arange(4.)
    f['s'].make_scale('s')
    f['x'].dims[0].attach_scale(f['s'])
    f['g/h/y'] = np.arange(5, dtype='>i2')
    f['g'].attrs['a'] = 1
    f['soft'] = h5py.SoftLink('/g/h/y')


def kinds(f):
    f['b'] = np.array([True, False])
    f['c'] = np.array([1 + 2j, 3])
    f['f2'] = np.arange(3, dtype='f2')
    f['text'] = np.array(['ab', 'c', ''], dtype=h5py.string_dtype())
    f['fixed'] = np.array([b'ab', b'c'])
    f['x'].attrs['texts'] = ['p', 'qq']
    f['type'] = np.dtype('>f4')
    f.create_dataset('typed', (3,), f['type'])[...] = [1, 2, 3]
    f['record'] = np.zeros(2, [('a', 'i4'), ('b', 'f8', (2,))])
    f.create_dataset('fill', (3, 3), 'i4', fillvalue=-7)
    f['x'].attrs.create('typed', 1.5, dtype=f['type'])
    f['ref'] = np.array([f['x'].ref], dtype=h5py.ref_dtype)


def chunked(f):
    r = np.random.default_rng(1)

    def put(name, shape, chunk, most=None, **how):
        f.create_dataset(name, shape, 'i4', chunks=chunk, maxshape=most, **how)[...] = r.integers(0, 99, shape)

    put('single', (5, 6), (5, 6))
    put('single_z', (5, 6), (5, 6), compression=4, shuffle=True)
    put('fixed', (17, 11), (5, 7))
    put('fixed_z', (17, 11), (5, 7), compression=4, fletcher32=True)
    put('pages', (1100,), (1,))
    put('array', (17, 11), (5, 7), (None, 11))
    put('array_z', (17, 11), (5, 7), (17, None), compression=4)
    put('array_long', (150,), (1,), (None,))
    put('tree', (17, 11), (5, 7), (None, None))
    put('tree_z', (17, 11), (5, 7), (None, None), compression=1)
    put('deep', (150,), (1,), (None,)) if f.libver[0] == 'earliest' else put('deep', (12, 10), (1, 1), (None, None))
    c = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    c.set_chunk((5, 7))
    c.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(f.id, b'implicit', h5py.h5t.STD_I32LE, h5py.h5s.create_simple((17, 11), (20, 20)), c)
    f['implicit'][...] = r.integers(0, 99, (17, 11))
    c.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(f.id, b'compact', h5py.h5t.STD_I32BE, h5py.h5s.create_simple((3, 4)), c)
    f['compact'][...] = r.integers(0, 99, (3, 4))


def many(f):
    """Dense links and attributes."""
    for i in range(40):
        f[f'{"long" * (i % 9)}v{(i * 7) % 40}'] = np.arange(i % 4 + 1)
    for i in range(30):
        f['x'].attrs[f'a{i}'] = np.arange(i + 1)
        f['g'].attrs[f'a{i}'] = i
    for i in range(12):
        f[f'g/h/{i}'] = float(i)
    if f.libver[0] != 'earliest':
        f['s'].attrs['long'] = np.arange(9000)
        for i in range(10):
            f['s'].attrs[f't{i}'] = 'y' * 700
    for k in list(f)[3:9]:
        if k[0] == 'v':
            del f[k]


def corpus():
    out = []

    def path(name):
        out.append(f'{D}/{name}.h5')
        return out[-1]

    for v in ('earliest', 'v108', 'latest'):
        for name, fill in (('small', None), ('kinds', kinds), ('chunks', chunked), ('many', many)):
            with h5py.File(path(f'{name}-{v}'), 'w', libver=v, track_order=v == 'v108') as f:
                small(f)
                if fill:
                    fill(f)
    with h5py.File(path('block'), 'w', userblock_size=512) as f:
        small(f)
        chunked(f)
    for v in ('v108', 'latest'):
        with h5py.File(path(f'parts-{v}'), 'w', libver=v) as f:
            small(f)
            layout = h5py.VirtualLayout((4, 3), 'f4')
            for i in range(4):
                layout[i] = h5py.VirtualSource(f['x'])[3 - i]
            f.create_virtual_dataset('v', layout)
    with netCDF4.Dataset(path('nc4'), 'w') as f:
        f.createDimension('time', None)
        f.createDimension('lat', 3)
        f.createVariable('time', 'f8', ('time',)).units = 'days since 2000-01-01'
        f.createVariable('lat', 'f4', ('lat',))[:] = [1, 2, 3]
        v = f.createVariable('t', 'i2', ('time', 'lat'), zlib=True, fill_value=-1)
        v.scale_factor = .5
        v[:] = np.arange(12).reshape(4, 3)
        g = f.createGroup('g')
        g.createVariable('u', 'f4', ('time', 'lat'))[:] = np.ones((4, 3))
        for i in range(12):
            g.createVariable(f'w{i}', 'i4', ('lat',))[:] = i
    axt('make', 'iota', 'y=4,x=3', '--dtype', 'f32', '-o', path('axt'))
    axt('make', 'random', 'v=40,u=30', '--chunk', 'v=10', '--deflate', '1', '-o', f'{D}/axt.h5:z')
    subprocess.run([f'{BUILD}/tests/mutants', 'shared', path('shared')], check=True)
    return out


def commands(t, kept):
    """A command ends with data or with one message, whatever it is given."""
    env = {'MALLOC_PERTURB_': '165'}
    bad, n = [], 0
    for p in kept:
        for c in (['info', p], ['info', '--json', p], ['info', '--cdl', p], ['print', p], ['reduce', 'sum', '-p', p],
                  ['print', p + ':x'], ['make', 'ones', 'q=3', '-o', p + ':new']):
            r = axt(*c, env=env, timeout=60)
            lines = [k for k in r.err.splitlines() if ': hint: ' not in k and ': warning: ' not in k]
            n += 1
            if r.rc not in (0, 1) or (r.rc == 1 and len(lines) != 1) or any(ord(k) < 32 for k in ''.join(lines)):
                bad.append(str(r))
                os.rename(p, f'{p}.bad')
                break
    t.ok(not bad, f'{n} commands on {len(kept)} mutants', '\n'.join(bad[:3]))


def modern(t, count, seed):
    """Files of HDF5 2.0, which the libhdf5 here cannot read: axt alone reads their mutants."""
    files = [f'{TOP}/tests/hdf5-2/{n}' for n in sorted(os.listdir(f'{TOP}/tests/hdf5-2')) if n.endswith('.h5')]
    p = subprocess.run([f'{BUILD}/tests/mutants', '-o', str(count // 2), str(seed), D] + files,
                       capture_output=True, text=True, env=dict(os.environ, MALLOC_PERTURB_='165'), check=False)
    t.ok(p.returncode == 0 and files, 'files of HDF5 2.0: ' + (p.stdout.splitlines() or ['mutants'])[-1], p.stdout + p.stderr)


def main():
    t = Tap()
    count, seed = random_cases(900, 300, 60, 20261122)
    files = corpus()
    keep = max(count // 40, 3)
    env = dict(os.environ, MALLOC_PERTURB_='165')
    # libhdf5 is not made for sanitizers, and too slow under valgrind
    only = ['-o'] if SANITIZER else []
    p = subprocess.run([f'{BUILD}/tests/mutants', '-k', str(keep)] + only + [str(count), str(seed), D] + files,
                       capture_output=True, text=True, env=env, check=False)
    t.ok(p.returncode == 0, p.stdout.splitlines()[-1] if p.stdout else 'mutants', p.stdout + p.stderr)
    said = {what: int(n) for n, what in re.findall(r'(\d+) (opened|datasets|were added)', p.stdout)}
    t.ok(said.get('opened', 0) > count / 2 and (only or said['datasets'] > 5 * count and said['were added'] > count / 10),
         'most are still files, and some are added to', said)
    kept = [f'{D}/{n}' for n in sorted(os.listdir(D)) if n.startswith('keep-')]
    t.ok(len(kept) >= count // keep, f'{len(kept)} are kept for the commands')
    modern(t, count, seed)
    commands(t, kept[::6] if SLOW else kept)
    t.done()


if __name__ == '__main__':
    main()
