#!/usr/bin/python3
"""Every structure of HDF5's metadata: what axt reads of it is what h5py reads.

Files of all versions of the format, made by libhdf5: indexes of chunks, groups and attributes compact and dense, user
blocks, committed types, links; what is deeper, longer or more than usual; lies that end in one message.
"""
import json
import os
import subprocess
import sys
import time

import h5py
import numpy as np

from axtlib import SLOW, Tap, axt, scratch

D = scratch()
RNG = np.random.default_rng(20261122)
VERSIONS = ('earliest', 'v108', 'v110', 'latest')


def values(path, name):
    """What axt reads, or the Run that failed."""
    r = axt('to', '--format', 'raw', '-', f'{path}:{name}')
    return r if r.rc else r.out


def compare(t, path, names, what):
    bad = []
    with h5py.File(path, 'r') as f:
        for n in names:
            want = f[n][()]
            got = values(path, n)
            want = want.astype(want.dtype.newbyteorder('<'))
            if not isinstance(got, bytes) or got != want.tobytes():
                bad.append(f'{n}: {got if not isinstance(got, bytes) else "other values"}')
    t.ok(not bad, f'{what}: {len(names)} datasets', '\n'.join(bad[:5]))


def datasets(path):
    r = axt('info', '--json', path)
    return [d['name'] for d in json.loads(r.out)['tensors']] if r.rc == 0 else [str(r)]


def attributes(operand):
    return json.loads(axt('info', '--json', operand).out)['tensors'][0]['attributes']


def chunks(t, version, block):
    """All indexes of chunks: whole, in part, filtered, paged, of datasets that shrank."""
    p, names = f'{D}/chunks.h5', []

    with h5py.File(p, 'w', libver=version, userblock_size=block) as f:
        def put(name, shape, chunk=None, most=None, part=False, **how):
            d = f.create_dataset(name, shape, 'i4', chunks=chunk, maxshape=most, **how)
            at = tuple(slice(0, max(1, n // 3)) for n in shape) if part else ()
            d[at] = RNG.integers(0, 10**6, d[at].shape)
            names.append(name)
            return d

        def low(name, dims, most, fill=None, kind='<i4', **how):
            c = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            for k, v in how.items():
                getattr(c, 'set_' + k)(*(v if isinstance(v, list) else [v]))
            h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(np.dtype(kind)), h5py.h5s.create_simple(dims, most), c)
            f[name][...] = RNG.integers(0, 99, dims)
            names.append(name)

        put('contiguous', (20, 30))
        put('single', (5, 6), (5, 6))
        put('single_z', (5, 6), (5, 6), compression=4)
        put('fixed', (37, 41), (5, 7))
        put('fixed_z', (37, 41), (5, 7), compression=4, shuffle=True, fletcher32=True)
        put('fixed_pages', (1500, 2), (1, 1))
        put('fixed_pages_part', (3000, 2), (1, 1), part=True)
        put('fixed_pages_z', (2000,), (1,), compression=1)
        put('fixed_most', (37, 41), (5, 7), (60, 80), part=True)
        put('array', (37, 41), (5, 7), (None, 41))
        put('array_last', (37, 41), (5, 7), (60, None))
        put('array_z', (37, 41), (5, 7), (None, 60), compression=3)
        put('array_long', (900, 3), (1, 1), (None, 4))
        put('array_part', (90000,), (1,), (None,), part=True) if block == 0 and version == 'latest' and not SLOW else None
        put('tree', (37, 41), (5, 7), (None, None))
        put('tree_z', (37, 41), (5, 7), (None, None), compression=2)
        put('tree_deep', (90, 80), (1, 1), (None, None), part=version == 'v108')
        put('part', (37, 41), (5, 7), (None, None), part=True, fillvalue=7)
        put('shrunk', (37, 41), (5, 7), (None, None)).resize((20, 30))
        put('shrunk_array', (37, 41), (5, 7), (None, 41)).resize((20, 41))
        put('empty', (37, 41), (5, 7), (None, None), part=True)
        low('implicit', (37, 41), (60, 50), chunk=[(5, 7)], alloc_time=h5py.h5d.ALLOC_TIME_EARLY)
        low('compact', (7, 4), (7, 4), kind='>i4', layout=h5py.h5d.COMPACT)
        f.create_dataset('never', (4, 3), 'f4', fillvalue=-3.5)
        f.create_dataset('never_chunked', (4, 3), 'i2', chunks=(2, 2), fillvalue=-3)
        names += ['never', 'never_chunked']
    compare(t, p, names, f'chunks, {version}, block of {block}')


def groups(t, version, block, tracked):
    """Many links and attributes, their order, names of all lengths."""
    p = f'{D}/groups.h5'
    with h5py.File(p, 'w', libver=version, userblock_size=block, track_order=tracked) as f:
        names = [f'v{(i * 7919) % 1000}_{"n" * (i % 60)}' for i in range(250)]
        for i, n in enumerate(names):
            f.create_dataset(n, data=np.array([i], 'i4'))
        for i in range(30):
            f.create_group(f'g{i}')['x'] = np.arange(i + 1)
        attrs = {f'a{(i * 31) % 120}': i for i in range(120)}
        g = f.create_dataset('with', data=np.arange(3.), track_order=tracked)
        for k, v in attrs.items():
            g.attrs[k] = v
        if version != 'earliest':
            f[names[0]].attrs['long'] = np.arange(20000)
            f[names[0]].attrs['text'] = 'x' * 70000
    got = [n.lstrip('/') for n in datasets(p)]
    want = names + [f'g{i}/x' for i in range(30)] + ['with']
    if not tracked:
        want = [n for k in sorted(names + [f'g{i}' for i in range(30)] + ['with'])
                for n in ([k + '/x'] if k[0] == 'g' else [k])]
    t.ok(got == want, f'order, {version}, {block}, tracked {tracked}', f'{got[:9]} {want[:9]}')
    r = attributes(p + ':with')
    t.ok(r == attrs, f'attributes, {version}, {block}, tracked {tracked}', list(r)[:9])
    if tracked:
        t.ok(list(r) == list(attrs), f'their order, {version}, {block}', list(r)[:9])
    if version != 'earliest':
        r = attributes(f'{p}:{names[0]}')
        t.ok(r == {'long': list(range(20000)), 'text': 'x' * 70000}, f'long attributes, {version}', list(r))
    compare(t, p, names[::40] + ['g7/x', 'with'], f'groups, {version}, {block}')


def shared(t):
    """Types that have a name."""
    p = f'{D}/shared.h5'
    with h5py.File(p, 'w', libver='latest') as f:
        f['type'] = np.dtype('>f4')
        f['bool'] = h5py.enum_dtype({'FALSE': 0, 'TRUE': 1}, 'i1')
        f.create_dataset('x', (5,), f['type'])[...] = np.arange(5)
        f.create_dataset('y', (5,), f['type'])[...] = -np.arange(5)
        f.create_dataset('b', (3,), f['bool'])[...] = [1, 0, 1]
        f['x'].attrs.create('a', 2.5, dtype=f['type'])
    compare(t, p, ['x', 'y'], 'committed types')
    t.ok(attributes(p + ':x') == {'a': 2.5}, 'an attribute of a committed type', attributes(p + ':x'))
    t.ok('b bool' in axt('info', p).out.decode(), 'a committed bool', axt('info', p))


def links(t):
    p = f'{D}/links.h5'
    with h5py.File(p, 'w') as f:
        f['g/h/x'] = np.arange(4.)
        f['soft'] = h5py.SoftLink('/g/h/x')
        f['g/up'] = h5py.SoftLink('h')
        f['chain'] = h5py.SoftLink('g/up/x')
        f['loop'] = h5py.SoftLink('/loop2')
        f['loop2'] = h5py.SoftLink('/loop')
        f['out'] = h5py.ExternalLink('groups.h5', '/with')
        f['hard'] = f['g/h/x']
        f['g/h/root'] = f['/']
    for n in ('soft', 'chain', 'g/up/x', 'hard', '/g/h/root/g/h/root/hard'):
        compare(t, p, [n], f'the path {n}')
    for n in ('loop', 'g/up/y', 'soft/x'):
        r = axt('print', f'{p}:{n}')
        t.ok(r.rc == 1 and 'no dataset' in r.err, f'no dataset at {n}', r)
    t.ok(len(datasets(p)) == 1, 'one dataset, once', datasets(p))


def links_out(t):
    """Links to other files are followed when the user says so; soft links lead to groups as well."""
    data, p = f'{D}/beside/data.h5', f'{D}/leads.h5'
    os.makedirs(f'{D}/beside')
    with h5py.File(data, 'w') as f:
        f['e/d'] = RNG.integers(0, 99, (3, 4))
        f['back'] = h5py.ExternalLink('../leads.h5', '/h')
        f['soft'] = h5py.SoftLink('/e')
    with h5py.File(p, 'w') as f:
        f['g/d'] = h5py.ExternalLink('beside/data.h5', '/e/d')
        f['g/e'] = h5py.ExternalLink(data, '/e')
        f['g/s'] = h5py.ExternalLink('beside/data.h5', '/soft')
        f['g/b'] = h5py.ExternalLink('beside/data.h5', '/back')
        f['g/gone'] = h5py.ExternalLink('gone.h5', '/x')
        f['a'] = h5py.ExternalLink('leads.h5', '/z')
        f['z'] = h5py.ExternalLink('leads.h5', '/a')
        f['to_g'] = h5py.SoftLink('/g')
        f['h/x'] = np.arange(5.)
        f['to_h'] = h5py.SoftLink('h')
    with h5py.File(p, 'r') as f:
        for n in ('g/d', 'g/e/d', 'to_g/d', 'to_g/e/d', 'g/s/d', 'g/b/x', '/to_g/b/x', 'to_h/x'):
            r = axt('to', '--format', 'raw', '--allow-external', '-', f'{p}:{n}')
            t.ok(r.rc == 0 and r.out == f[n][()].tobytes(), f'{n} leads to a dataset', r)
        for n in ('g/e', 'to_g/e', 'to_g/s/*', 'to_g/b/', 'to_h', 'to_h/*'):
            r = axt('reduce', 'max', '-p', '--allow-external', f'{p}:{n}')
            group = f[n.rstrip('/*')]
            want = max(v[()].max() for v in group.values())
            t.ok(r.rc == 0 and float(r.out) == want, f'{n} leads to a group', r)
    for n in ('g/d', 'to_g/e/d', 'g/e', 'g/gone'):
        r = axt('print', f'{p}:{n}')
        t.ok(r.rc == 1 and 'a link to another file' in r.err and '--allow-external' in r.err, f'{n} is not followed unasked', r)
    for n, why in (('g/gone', 'No such file'), ('a', 'no dataset'), ('g/e/q', 'no dataset')):
        r = axt('print', '--allow-external', f'{p}:{n}')
        t.ok(r.rc == 1 and why in r.err, f'{n}: {why}', r)


def deep(t):
    """Groups in groups: more than 64 are read, more than 256 are told of."""
    for n in (70, 250, 300):
        with h5py.File(f'{D}/deep.h5', 'w') as f:
            g = f
            for _ in range(n):
                g = g.create_group('g')
            g['v'] = [1., 2.]
        r = axt('reduce', 'sum', '-p', f'{D}/deep.h5:v')
        if n <= 256:
            t.ok(r.rc == 0 and r.out == b'3\n', f'{n} groups deep', r)
        else:
            t.ok(r.rc == 1 and 'groups are nested more than 256 deep' in r.err, f'{n} groups deep: a limit', r)


def parts(t):
    """A virtual dataset of more maps than fit the expression: that is told, or it is read."""
    with h5py.File(f'{D}/s.h5', 'w') as f:
        f['v'] = np.arange(10000, dtype='f4').reshape(5000, 2)
    s = h5py.VirtualSource(f'{D}/s.h5', 'v', (5000, 2))
    layout = h5py.VirtualLayout((4097, 2), 'f4')
    for i in range(4097):
        layout[i] = s[4096 - i]
    with h5py.File(f'{D}/v.h5', 'w', libver='latest') as f:
        f.create_virtual_dataset('v', layout)
    r = axt('info', f'{D}/v.h5')
    t.ok(r.rc == 0 and 'virtual' in r.out.decode() and 'damaged' not in r.out.decode(), '4,097 maps are no damage', r)


def marked(t):
    """A file that its writer never closed: what was flushed is read."""
    p = f'{D}/open.h5'
    with h5py.File(p, 'w', libver='latest') as f:
        f['x'] = np.arange(5.)
        f.flush()
        with open(p, 'rb') as g:
            b = bytearray(g.read())
    t.ok(b[8] == 3 and b[11] != 0, 'it is marked', (b[8], b[11]))
    with open(p, 'wb') as g:
        g.write(b)
    r = axt('reduce', 'sum', '-p', p)
    t.ok(r.rc == 0 and r.out == b'10\n' and 'did not close it' in r.err, 'a file marked as open', r)


# writes records that tell their number until it kills itself
WRITER = '''import h5py, os, signal, sys, time
f = h5py.File(sys.argv[1], 'w', libver='latest')
how = {'d': (4, {}), 'z': (1, {'compression': 1}), 'tree': (2, {'fletcher32': True})}
d = {n: f.create_dataset(n, (0, w), maxshape=(None, None if n == 'tree' else w), chunks=(5, w), dtype='i4', **k)
     for n, (w, k) in how.items()}
f.swmr_mode = True
i, end = 0, time.time() + float(sys.argv[2])
while time.time() < end or i < 200:
    for x in d.values():
        x.resize(i + 1, axis=0)
        x[i] = i
    i += 1
    if i % 7 == 0:
        for x in d.values():
            x.flush()
    if i == 14:
        open(sys.argv[1] + '.ready', 'w').close()
os.kill(os.getpid(), signal.SIGKILL)
'''


def written_meanwhile(t):
    """SWMR: read while it is written, and after its writer was killed, as h5py reads it."""
    p = f'{D}/swmr.h5'
    w = subprocess.Popen([sys.executable, '-c', WRITER, p, '0.5' if SLOW else '2'])
    while not os.path.exists(p + '.ready') and w.poll() is None:
        time.sleep(.01)
    bad, reads, most = [], 0, 0
    while w.poll() is None:
        for n, width in ('d', 4), ('z', 1), ('tree', 2):
            got = values(p, n)
            a = np.frombuffer(got, 'i4').reshape(-1, width) if isinstance(got, bytes) else None
            reads += 1
            most = max(most, 0 if a is None else len(a))
            # elements that no flush has reached yet have the fill value
            if a is None or ((a != np.arange(len(a))[:, None]) & ((a != 0) | (np.arange(len(a)) < len(a) - 200)[:, None])).any():
                bad.append(f'{n}: {got if a is None else a[-20:]}')
    t.ok(reads > 0 and most > 0 and not bad, f'{reads} reads of what is written meanwhile', '\n'.join(bad[:3]))
    with open(p, 'rb') as f:
        t.ok(f.read(12)[11] == 5, 'and it is marked so after its writer was killed')
    with h5py.File(p, 'r', swmr=True) as f:
        for n in 'd', 'z', 'tree':
            t.ok(len(f[n]) >= 14 and values(p, n) == f[n][()].tobytes(), f'/{n} that its writer left', len(f[n]))
    r = axt('copy', p, '-o', f'{D}/swmr-copy.h5')
    compare(t, f'{D}/swmr-copy.h5', ['d', 'z', 'tree'], 'a copy of it')
    t.ok(r.rc == 0 and not r.err, 'is made without a word', r)
    for c in (['reduce', 'sum', p + ':d', '-o', p + ':total'], ['assign', p + ':d', '=', '7'], ['attr', 'units=K', p + ':d'],
              ['assign', '--in-place', p + ':d', '=', '7'], ['move', 'd=e', p]):
        with open(p, 'rb') as f:
            before = f.read()
        r = axt(*c)
        with open(p, 'rb') as f:
            t.ok(r.rc == 1 and 'did not close it' in r.err and f.read() == before, f'axt-{c[0]} leaves it alone', r)
    with open(p, 'r+b') as f:
        f.truncate(os.path.getsize(p) * 2 // 3)
    r = axt('reduce', 'sum', '-p', p + ':d')
    t.ok(r.rc == 1, 'what is cut off is an error', r)


def arrays_and_bits(t):
    """Elements that are arrays have their lengths as further axes; bit fields are unsigned, those of PyTables bool."""
    p = f'{D}/elements.h5'
    shapes = [((4,), (3,), '<i4', None, {}), ((4,), (3,), '>f8', (2,), {}), ((2, 3), (2, 2), '<f4', (1, 2), {'compression': 4}),
              ((), (5,), '<i2', None, {}), ((6,), (2,), 'u1', (4,), {'compression': 1, 'shuffle': True}),
              ((5,), (1,), 'c8', None, {}), ((3,), (2, 1, 2), '>i8', None, {})]
    bits = ('STD_B8LE', 'u1'), ('STD_B16BE', '>u2'), ('STD_B32LE', '<u4'), ('STD_B64BE', '>u8')
    with h5py.File(p, 'w') as f:
        for k, (shape, inner, dtype, chunks, how) in enumerate(shapes):
            f.create_dataset(f'a{k}', shape, np.dtype((dtype, inner)), chunks=chunks, **how)
            f[f'a{k}'][...] = RNG.integers(0, 100, shape + inner).astype(dtype)
        for name, dtype in bits:
            kind = getattr(h5py.h5t, name)
            d = h5py.h5d.create(f.id, name.encode(), kind, h5py.h5s.create_simple((4,)))
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, 2, 255, 0], dtype), mtype=kind)
        for name in 'CARRAY', 'plain':
            d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.STD_B8LE, h5py.h5s.create_simple((2,)))
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, 0], 'u1'), mtype=h5py.h5t.STD_B8LE)
            f[name].attrs['CLASS'] = np.bytes_(name)
            f[name].attrs['VERSION'] = np.bytes_('1.1')
    compare(t, p, [f'a{k}' for k in range(len(shapes))], 'arrays as elements')
    for name, dtype in bits:
        t.ok(values(p, name) == np.array([1, 2, 255, 0], dtype.replace('>', '<')).tobytes(), f'bit field {name}')
    t.ok(axt('print', p + ':CARRAY').out.split() == [b'true', b'false'], 'a bit field of PyTables')
    t.ok(axt('print', p + ':plain').out.split() == [b'1', b'0'], 'one of another program')
    r = axt('assign', p + ':a1', '=', '7')
    t.ok(r.rc == 1 and 'arrays as elements' in r.err, 'arrays are not assigned to', r)
    r = axt('copy', p, '-o', f'{D}/elements-copy.h5')
    compare(t, f'{D}/elements-copy.h5', [f'a{k}' for k in range(len(shapes))], 'a copy of them')


def sizes_lie(t):
    """Lengths of terabytes: the file is damaged, memory is not short."""
    p = f'{D}/lie.h5'
    with h5py.File(p, 'w', libver='earliest') as f:
        f.create_dataset('x', data=np.arange(64.))
        f.create_dataset('c', data=np.arange(64.), chunks=(8,))
    with open(p, 'rb') as g:
        whole = g.read()
    heap = whole.index(b'HEAP')
    tree = whole.index(b'TREE\1')
    snod = whole.index(b'SNOD')
    for at, n, what in ((heap + 8, 6, 'a heap'), (snod + 6, 2, 'symbols'), (tree + 6, 2, 'a tree')):
        b = bytearray(whole)
        b[at:at + n] = b'\x7f' * n
        with open(p, 'wb') as g:
            g.write(b)
        r = axt('reduce', 'sum', '-p', p + ':c')
        t.ok(r.rc == 1 and 'memory' not in r.err and ('damaged' in r.err or 'cannot be read' in r.err), f'{what} that lies', r)


def chunks_lie(t):
    """One dataset with chunks that cannot be is told apart; the others of its file are read."""
    p, q = f'{D}/alone.h5', f'{D}/alone_copy.h5'
    for want, lie in (('a chunk is over 4 GiB', (2**32 - 1, 8)), ('it is damaged', (0, 8)),
                      ('chunks are of elements of another size', (77, 4))):
        with h5py.File(p, 'w', libver='earliest') as f:
            f['a'] = np.arange(5.)
            f.create_dataset('c', data=np.arange(100.), chunks=(77,))
            f['g/b'] = np.arange(3)
        with open(p, 'rb') as g:
            whole = g.read()
        was = np.array([77, 8], '<u4').tobytes()
        assert whole.count(was) == 1
        with open(p, 'wb') as g:
            g.write(whole.replace(was, np.array(lie, '<u4').tobytes()))
        r = axt('info', '--brief', p)
        t.ok(r.rc == 0 and b"/g/b" in r.out, f'axt-info of a file where {want}', r)
        r = axt('copy', p, '-o', q)
        t.ok(r.rc == 0 and f'c is left out: {want}' in r.err, f'axt-copy of a file where {want}', r)
        compare(t, q, ['a', 'g/b'], 'the copy')
        r = axt('print', p + ':c')
        t.ok(r.rc == 1 and want in r.err, want, r)


def circle(t):
    """A group that is in itself, and counts one link too few: libhdf5 walks in circles there."""
    p = f'{D}/circle.h5'
    for links in (2, 1):
        with h5py.File(p, 'w', libver='earliest') as f:
            f['g/x'] = np.arange(3.)
            f['g/loop'] = f['g']
            at = h5py.h5o.get_info(f['g'].id).addr
        with open(p, 'r+b') as g:
            g.seek(at + 4)
            assert g.read(1) == b'\2'
            g.seek(at + 4)
            g.write(bytes([links]))
        r = axt('make', 'ones', 'q=3', '-o', p + ':new', timeout=30)
        if links == 2:
            t.ok(r.rc == 0, 'adding where a group is in itself', r)
            compare(t, p, ['g/x', 'new'], 'and what it holds')
        else:
            t.ok(r.rc == 1 and 'is damaged at /g (count of its links)' in r.err, 'a count of links that lies', r)
            compare(t, p, ['g/x'], 'nothing is written')


def cut_axis(t):
    """A dataset that fails to load leaves no axes behind: --cdl came upon one without a name."""
    p = f'{D}/axis.h5'
    with h5py.File(p, 'w') as f:
        f['a'] = np.zeros((3, 2))
        f['s'] = np.arange(3.)
        f['s'].make_scale('s')
        f['b'] = np.zeros((3, 2))
        for n in 'ab':
            f[n].dims[0].attach_scale(f['s'])
        f.create_dataset('c', data=np.arange(40), chunks=(10,), compression=1)
        f['c'].make_scale('c')
        f['d'] = np.zeros((2, 40))
        f['d'].dims[1].attach_scale(f['c'])
        f['e'] = np.zeros((40, 2))
        f['e'].dims[0].attach_scale(f['c'])
        at = f['c'].id.get_chunk_info(1).byte_offset
    with open(p, 'r+b') as g:
        g.seek(at + 4)
        g.write(b'\xff' * 9)
    for c in (['--cdl'], ['--json'], []):
        r = axt('info', *c, p)
        t.ok(r.rc == 1 and 'chunk 1' in r.err, f'axt-info {" ".join(c)} of a scale that cannot be read', r)


def text_fills(t):
    """Texts that were never written are the fill value, of any length."""
    all_of = b'abcdefghijklmnopqrstuvwxyz'
    with h5py.File('fills.h5', 'w') as f:
        for n in (3, 15, 16, 17, 40):
            f.create_dataset(f'some{n}', (5,), f'S{n}', fillvalue=all_of[:n], chunks=(2,))[2] = b'x'
            f.create_dataset(f'none{n}', (2, 2), f'S{n}', fillvalue=all_of[:n])
            f.create_dataset(f'whole{n}', (3,), f'S{n}', fillvalue=all_of[:n], chunks=(2,), compression='gzip')
        want = {k: f[k][()].ravel() for k in f}
    for k, v in want.items():
        r = axt('print', f'fills.h5:{k}')
        t.ok(r.out.split() == [x.strip(b'\0') for x in v], f'texts that were never written, {k}', f'{r}{r.out}')


def main():
    t = Tap()
    text_fills(t)
    for v in VERSIONS:
        for block in (0, 512) if v in ('earliest', 'latest') else (0,):
            chunks(t, v, block)
        for tracked in (False, True):
            groups(t, v, 0, tracked)
    shared(t)
    links(t)
    links_out(t)
    deep(t)
    parts(t)
    marked(t)
    written_meanwhile(t)
    arrays_and_bits(t)
    sizes_lie(t)
    chunks_lie(t)
    circle(t)
    cut_axis(t)
    t.done()


if __name__ == '__main__':
    os.chdir(D)
    main()
