#!/usr/bin/python3
"""--memory bounds what is held, and the results are the same with little of it: memory.py.

Chunks too large for the bound are decoded piece by piece, for several slabs if need be, with every order of filters;
the peak of anonymous memory is looked at while commands read and write chunks of 1 to 64 MiB with 1 and 16 threads;
chunks that unpack to more than they say, or cannot unpack to so much, are damage that costs no memory.
"""
import os
import re
import resource
import subprocess
import time
import zlib

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, axt, scratch

ORDERS = [['shuffle', 'deflate'], ['deflate'], ['shuffle', 'deflate', 'fletcher32'], ['shuffle', 'fletcher32', 'deflate'],
          ['deflate', 'fletcher32'], ['shuffle', 'fletcher32'], ['fletcher32'], ['shuffle'], []]
WHOLE = ['fletcher32', 'shuffle', 'deflate']    # its sum is of bytes that lie in no order
MIB = 1 << 20


def put(path, a, chunk, filters):
    """A dataset of its own two axes, its filters in this order."""
    with h5py.File(path, 'w') as f:
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_chunk(chunk)
        for name in filters:
            getattr(p, 'set_' + name)(*([1] if name == 'deflate' else []))
        d = h5py.h5d.create(f.id, b'v', h5py.h5t.py_create(a.dtype, logical=True), h5py.h5s.create_simple(a.shape), p)
        h5py.Dataset(d)[...] = a


def peak(cmd):
    """Status, stderr, and the most anonymous memory in MiB that was seen while it ran."""
    p = subprocess.Popen([os.path.join(BIN, cmd[0])] + [str(x) for x in cmd[1:]], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    most = 0
    with open(f'/proc/{p.pid}/status', 'rb', buffering=0) as f:
        while True:
            try:
                f.seek(0)
                m = re.search(rb'RssAnon:\s*(\d+)', f.read())
            except ProcessLookupError:
                break
            if not m:
                break
            most = max(most, int(m[1]))
            time.sleep(.0005)
    err = p.stderr.read().decode(errors='replace')
    p.stderr.close()
    return p.wait(), err, most / 1024


def same(t, d, name, command, path, memory, threads):
    want, got = os.path.join(d, 'want.h5'), os.path.join(d, 'got.h5')
    w = axt(*command, '--no-history', path, '-o', want)
    g = axt(*command, '--no-history', '-m', memory, '-t', threads, path, '-o', got)
    if w.rc or g.rc:
        return t.ok(False, name, f'{w} and {g}')
    with open(want, 'rb') as x, open(got, 'rb') as y:
        return t.ok(x.read() == y.read(), name, 'the bytes differ')


def pieces(t, d):
    r = np.random.default_rng(20261122)
    path = os.path.join(d, 'p.h5')
    commands = [['reduce', 'mean,min', '--over', 'dim_0'], ['reduce', 'sum', '--over', 'dim_1'], ['reduce', 'mean'],
                ['order', 'dim_1,dim_0'], ['map', 'square'], ['slice', 'dim_1=100:250'],
                ['sort', '--along', 'dim_1']]
    bad = t.bad
    for k, filters in enumerate(ORDERS):
        for dtype in r.choice(['f4', 'f8', 'i2', 'u1', '>f8', '>i4'], 2, replace=False):
            shape = int(r.integers(500, 800)), int(r.integers(400, 600))
            chunk = tuple(int(n - r.integers(0, n // 4)) for n in shape)
            put(path, (r.standard_normal(shape) * 50).astype(dtype), chunk, filters)
            for c in [commands[(k + i) % len(commands)] for i in (0, 2, 5)]:
                same(t, d, f'{" ".join(c)} of {dtype} {shape} in {chunk}, {" ".join(filters) or "plain"}', c, path, '900K', k % 3 + 1)
    t.ok(t.bad == bad, 'little memory, all orders of filters: the same bytes')


def refused(t, d):
    """What cannot be decoded in pieces is refused before it is read, and the bound told is enough."""
    path = os.path.join(d, 'r.h5')
    put(path, np.arange(4 * MIB // 8, dtype='f8').reshape(512, 1024), (512, 1024), WHOLE)
    p = axt('reduce', 'sum', '-m', '3M', path, '-p')
    told = re.search(r'raise it with --memory (\d+M)', p.err)
    t.ok(p.rc == 1 and 'of scratch memory, the bound is 3 MiB' in p.err and told, 'a chunk too large to hold is refused', p)
    p = axt('reduce', 'sum', '-m', told[1] if told else '1G', path, '-p')
    t.ok(p.rc == 0 and float(p.out) == (4 * MIB // 8) * (4 * MIB // 8 - 1) / 2, 'the bound that is told is enough', p)


def skipped(t, d):
    """Filters may be skipped, chunk by chunk."""
    path = os.path.join(d, 's.h5')
    a = np.arange(512 * 1024, dtype='f8').reshape(512, 1024)
    with h5py.File(path, 'w') as f:
        v = f.create_dataset('v', a.shape, 'f8', chunks=(256, 1024), compression='gzip', shuffle=True)
        v.id.write_direct_chunk((0, 0), zlib.compress(a[:256].tobytes(), 1), 1)
        v.id.write_direct_chunk((256, 0), a[256:].tobytes(), 3)
    for memory in '1M', '1G':
        p = axt('reduce', 'sum', '-m', memory, path, '-p')
        t.ok(p.rc == 0 and float(p.out) == a.sum(), f'filters that are skipped, {memory}', p)


def bounds(t, d):
    if SANITIZER or SLOW:
        return t.skip('bounds', 'a sanitizer has memory of its own')
    a = np.tile(np.arange(MIB, dtype='f4'), 16).reshape(4096, 4096)
    out = os.path.join(d, 'out.h5')
    for rows, all_threads in (64, [16]), (1024, [1, 16]), (4096, [16]):
        path = os.path.join(d, 'b.h5')
        put(path, a, (rows, 4096), ['shuffle', 'deflate'])
        for threads in all_threads:
            for c in (['axt-reduce', 'mean', '--over', 'dim_0', '-o', out], ['axt-reduce', 'max,std', '-p'],
                      ['axt-order', 'dim_1,dim_0', '-o', out], ['axt-slice', 'dim_0=4000', '-o', out],
                      ['axt-map', 'square', '--deflate', '1', '-o', out],
                      ['axt-map', 'square', '--deflate', '4', '--chunk', f'dim_0={rows}', '-o', out]):
                rc, err, mib = peak(c[:2] + [path] + c[2:] + ['-m', '20M', '-t', threads])
                t.ok(rc == 0 and mib < 36, f'{" ".join(c[:-1])}, chunks of {rows // 64} MiB, {threads} threads: no more than 36 MiB',
                     f'status {rc}, {mib:.1f} MiB {err}')


def assigned(t, d):
    """Chunks that are changed are decoded and packed within the bound, by every order of filters."""
    r = np.random.default_rng(12)
    path, values = os.path.join(d, 'a.h5'), os.path.join(d, 'v.h5')
    put(values, r.integers(0, 9, (300, 200)).astype('f4'), (300, 200), [])
    v = h5py.File(values)['v'][...]
    for filters in ORDERS:
        for where, at in ('', np.s_[0:300, 0:200]), ('[dim_0=10:310,dim_1=7:207]', np.s_[10:310, 7:207]):
            shape = (300, 200) if not where else (331, 250)
            want = (r.standard_normal(shape) * 50).astype('>f4')
            for memory in '1G', '600K':
                for op in 'set', 'add':
                    put(path, want, (256, 150), filters)
                    p = axt('assign', path + ':v' + where, op, values, '-m', memory)
                    new = want.copy()
                    new[at] = v if op == 'set' else new[at] + v
                    got = h5py.File(path)['v'][...]
                    t.ok(p.rc == 0 and np.array_equal(got, new), f'{op} to {where or "all"} of {filters}, {memory}', p)
    put(path, np.zeros((512, 1024)), (512, 1024), WHOLE)
    before = open(path, 'rb').read()
    p = axt('assign', path + ':v[dim_0=3]', 'set', '1', '-m', '3M')
    told = re.search(r'raise it with --memory (\d+M)', p.err)
    t.ok(p.rc == 1 and 'a chunk needs 8' in p.err and 'the bound is 3 MiB' in p.err and told and
         open(path, 'rb').read() == before, 'a chunk that is too large to change is refused', p)
    p = axt('assign', path + ':v[dim_0=3]', 'set', '1', '-m', told[1] if told else '1G')
    t.ok(p.rc == 0, 'the bound that is told is enough to change it', p)
    if SANITIZER or SLOW:
        return t.skip('bounds of axt-assign', 'a sanitizer has memory of its own')
    a = np.tile(np.arange(MIB, dtype='f4'), 16).reshape(4096, 4096)
    for rows in 1024, 4096:
        for filters in ['shuffle', 'deflate'], []:
            for where, op in ('', 'set'), ('[dim_0=5]', 'add'), ('[dim_0=0:4000]', 'mul'):
                put(path, a, (rows, 4096), filters)
                rc, err, mib = peak(['axt-assign', path + ':v' + where, op, '3', '-m', '20M'])
                t.ok(rc == 0 and mib < 36, f'axt-assign {where} {op}, chunks of {rows // 64} MiB, {filters}: no more than 36 MiB',
                     f'status {rc}, {mib:.1f} MiB {err}')


def explained(t, d):
    """The figure that --explain tells is what is then held."""
    if SANITIZER or SLOW:
        return t.skip('figures', 'a sanitizer has memory of its own')
    path = os.path.join(d, 'e.h5')
    r = np.random.default_rng(3)
    put(path, r.random((4096, 4096), 'f4'), (512, 4096), ['shuffle', 'deflate'])
    for memory, threads in ('20M', 4), ('60M', 2), ('1G', 2), ('1G', 8):
        c = ['reduce', 'mean', '--over', 'dim_0', path, '-m', memory, '-t', threads]
        p = axt(*c, '--explain')
        m = re.search(rb'memory: (\d+) bytes of scratch', p.out)
        told = int(m[1]) / MIB if m else -1
        rc, _, mib = peak(['axt-' + c[0]] + c[1:] + ['-o', os.path.join(d, 'x.h5')])
        t.ok(rc == 0 and told * .6 - 2 < mib < told + 8, f'--explain tells what {memory} and {threads} threads come to',
             f'told {told:.1f} MiB, held {mib:.1f} MiB')


def bombs(t, d):
    path = os.path.join(d, 'bomb.h5')
    n = 256 * MIB

    def chunk(data, filters=('deflate',), element='u1'):
        with h5py.File(path, 'w') as f:
            v = f.create_dataset('v', (n // np.dtype(element).itemsize,), element, chunks=(n // np.dtype(element).itemsize,),
                                 compression='gzip', shuffle='shuffle' in filters)
            v.id.write_direct_chunk((0,), data)

    z = zlib.compressobj(9)
    full = b''.join(z.compress(bytes(MIB)) for _ in range(n // MIB)) + z.flush()
    z = zlib.compressobj(9)
    more = b''.join(z.compress(bytes(MIB)) for _ in range(n // MIB + 64)) + z.flush()
    for element, filters in ('u1', ()), ('f4', ('shuffle',)):
        chunk(full, filters, element)
        rc, err, mib = peak(['axt-slice', 'dim_0=5', path, '-p', '-m', '16M'])
        t.ok(rc == 0 and (SANITIZER or mib < 32), f'an element of a chunk of 256 MiB of {element} takes no more than 32 MiB',
             f'status {rc}, {mib:.1f} MiB {err}')
        chunk(more, filters, element)
        for memory in '16M', '4G':
            rc, err, mib = peak(['axt-slice', 'dim_0=5', path, '-p', '-m', memory])
            t.ok(rc == 1 and 'chunk 0: wrong size' in err, f'a chunk that unpacks to more than it says is damaged, {memory}',
                 f'status {rc}, {mib:.1f} MiB {err}')
        chunk(full[:n // 2000], filters, element)
        for memory in '16M', '4G':
            rc, err, mib = peak(['axt-slice', 'dim_0=5', path, '-p', '-m', memory])
            t.ok(rc == 1 and 'chunk 0: too small for what it is to unpack to' in err and (SANITIZER or mib < 32),
                 f'a chunk that cannot unpack to what it says is refused before it is, {memory}',
                 f'status {rc}, {mib:.1f} MiB {err}')


def limited(t, d):
    """Where address space is limited, files are read that cannot be mapped."""
    if SANITIZER or SLOW:
        return t.skip('limits of address space', 'a sanitizer takes more')

    def limit(kib):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (kib << 10, kib << 10))

    path, want, got = [os.path.join(d, x) for x in ('l.h5', 'lw.h5', 'lg.h5')]
    with h5py.File(path, 'w') as f:     # of zeros, but for three places: it takes no room
        v = f.create_dataset('v', (25000, 25000), 'f4')
        v[0, 0], v[24999, 24999], v[12345, 77] = 1, 2, -5
    p = axt('reduce', 'sum,min,argmax', '-t', 2, path, '-p', before=limit(400000))
    t.ok(p.rc == 0 and p.out.split() == b'sum -2 min -5 argmax 624999999'.split(), '2.5 GB within 400 MB of address space', p)
    p = axt('slice', 'dim_0=12345', 'dim_1=77', '-t', 2, path, '-p', before=limit(400000))
    t.ok(p.rc == 0 and p.out == b'-5\n', 'one element of them', p)
    r = np.random.default_rng(4)
    for shape, dtype in ((3000, 5000), 'f4'), ((200, 70, 30, 20), '>f8'), ((4000000, 3), 'f4'), ((3, 4000000), 'i4'):
        a = (r.standard_normal(shape) * 1000).astype(dtype)
        with h5py.File(path, 'w') as f:
            f['v'] = a
        axes = [f'dim_{k}' for k in range(len(shape))]
        for c in (['map', 'square'], ['order', ','.join(reversed(axes))], ['reduce', 'mean,max', '--over', axes[-1]],
                  ['reduce', 'sum', '--over', axes[0]], ['slice', axes[-1] + '=1:3'], ['map', 'abs', '--deflate', '1']):
            w = axt(*c, '--no-history', path, '-o', want)
            g = axt(*c, '--no-history', '-t', 2, path, '-o', got, before=limit(100000))
            with open(want, 'rb') as x, open(got, 'rb') as y:
                t.ok(w.rc == g.rc == 0 and x.read() == y.read(), f'{" ".join(c)} of {dtype} {shape} within 100 MB: the same bytes', g)


def main():
    t, d = Tap(), scratch()
    pieces(t, d)
    refused(t, d)
    skipped(t, d)
    bombs(t, d)
    assigned(t, d)
    explained(t, d)
    bounds(t, d)
    limited(t, d)
    t.done()


if __name__ == '__main__':
    main()
