#!/usr/bin/python3
"""Files that HDF5 2.0 writes with the newest of its format, and what is newer still.

The files are in hdf5-2, where make.py says how they were made; the values are here.
"""
import os
import shutil
import struct

import h5py
import numpy as np

from axtlib import TOP, Tap, axt, scratch

D = scratch()
FILES = f'{TOP}/tests/hdf5-2'


def numbers(text):
    return np.array([complex(x.replace('i', 'j')) if x not in ('true', 'false') else x == 'true' for x in text.split()])


def same(t, operand, want, what):
    r = axt('print', operand)
    got = numbers(r.out.decode()) if r.rc == 0 else np.array([])
    want = np.asarray(want).ravel()
    t.ok(r.rc == 0 and not r.err and got.shape == want.shape and (got == want).all(), f'{what}: {operand[len(FILES):]}', r)


GRID = np.arange(187).reshape(17, 11)
OWN = np.arange(24).reshape(4, 6)
VALUES = {
    'single': np.arange(30), 'single_z': np.arange(30), 'fixed': GRID, 'fixed_z': GRID, 'paged': np.arange(1100),
    'array': GRID, 'array_z': GRID, 'tree': GRID, 'tree_z': GRID, 'implicit': GRID, 'compact': np.arange(6),
    'contiguous': np.arange(4), 'bool': [True, False, True], 'enum': [0, 1, 1], 'pairs': [1 + 2j, -3j],
    'c128': [1 + 2j, -3j], 'c128be': [1 + 2j, -3j], 'c64': [1 + 2j, -3j], 'c64be': [1 + 2j, -3j],
    'table.x': [1.5, 2.5], 'table.y': [2, 3], 'table.z': [3 + 4j, 4j], 'lat': [0, 10, 20, 30], 'g/h': [2.5]}


def written_by_2(t):
    p = f'{FILES}/latest.h5'
    for name, want in VALUES.items():
        same(t, f'{p}:{name}', want, 'by HDF5 2.0')
    t.ok(axt('print', p + ':text').out.decode().split() == ['ab', 'größe'], 'text of any length')
    t.ok(axt('print', p + ':fixed_text').out.decode().split() == ['ab', 'cde'], 'text of a fixed length')
    r = axt('info', p + ':contiguous')
    t.ok(all(x in r.out for x in (b'lat=4', b'pair = 1+2j', b'native = 5+6j, 0+7j')), 'an axis and attributes', r.out)
    r = axt('copy', p, '-o', f'{D}/copy.h5')
    with h5py.File(f'{D}/copy.h5') as f:
        bad = [n for n, v in VALUES.items() if n.replace('.', '/') in f and not np.array_equal(f[n][()].ravel(), np.ravel(v))]
        lost = [n for n in VALUES if '.' not in n and n not in f]
        t.ok(r.rc == 0 and not bad and not lost, 'a copy, as an older HDF5 reads it', (r, bad, lost))
    parts(t)


def parts(t):
    p = f'{FILES}/virtual.h5'
    rows = np.repeat(OWN, 2, axis=0)
    box = np.full((3, 5), -1)
    box[:2, 1:4] = OWN[1:3, 2:5]
    listed = np.full((8, 6), -1)
    listed[[0, 1, 5, 6]] = OWN
    for name, want in ('own', OWN), ('rows', rows), ('box', box), ('list', listed):
        same(t, f'{p}:{name}', want, 'virtual')


def unwritten(t):
    """libhdf5 1.10 could not read what HDF5 2.0 wrote: nothing is added to such a file."""
    p = f'{D}/add.h5'
    shutil.copy(f'{FILES}/latest.h5', p)
    r = axt('make', 'ones', 'q=3', '-o', p + ':new')
    with open(p, 'rb') as a, open(f'{FILES}/latest.h5', 'rb') as b:
        t.ok(r.rc == 1 and 'HDF5 2.0 or later' in r.err and 'damaged' not in r.err and a.read() == b.read(),
             'a file of HDF5 2.0 is not added to', r)




def lookup3(data):
    """Jenkins' hash, which HDF5 has as its checksum."""
    m = 0xffffffff

    def rot(x, k):
        return (x << k | x >> (32 - k)) & m

    a = b = c = 0xdeadbeef + len(data) & m
    while len(data) > 12:
        x, y, z = struct.unpack('<3I', data[:12])
        a, b, c, data = a + x & m, b + y & m, c + z & m, data[12:]
        for k in (4, 6, 8, 16, 19, 4):
            a = a - c & m ^ rot(c, k)
            c = c + b & m
            a, b, c = b, c, a
    x, y, z = struct.unpack('<3I', data + bytes(12 - len(data)))
    a, b, c = a + x & m, b + y & m, c + z & m
    for k in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - rot(b, k) & m
        a, b, c = b, c, a
    return b


SPACE, LINK_INFO, TYPE, FILL, LINK, LAYOUT, FILTERS, ATTR, ATTR_INFO = 1, 2, 3, 5, 6, 8, 11, 12, 21


def forge(path, at, kind, change):
    """Gives the first message of a kind in the header at an address other bytes: change(them) changes them in place."""
    with open(path, 'r+b') as f:
        b = bytearray(f.read())
        assert b[at:at + 5] == b'OHDR\2'
        flags, width = b[at + 5], 1 << (b[at + 5] & 3)
        head = 6 + (16 if flags & 32 else 0) + (4 if flags & 16 else 0)
        n = int.from_bytes(b[at + head:at + head + width], 'little')
        k, end = at + head + width, at + head + width + n
        while b[k] != kind:
            k += 4 + (2 if flags & 4 else 0) + int.from_bytes(b[k + 1:k + 3], 'little')
            assert k < end, kind
        size, k = int.from_bytes(b[k + 1:k + 3], 'little'), k + 4 + (2 if flags & 4 else 0)
        body = b[k:k + size]
        change(body)
        b[k:k + size] = body
        b[end:end + 4] = lookup3(bytes(b[at:end])).to_bytes(4, 'little')
        f.seek(0)
        f.write(b)


def plain(path):
    """A file whose objects' addresses are the result."""
    with h5py.File(path, 'w', libver='latest') as f:
        f['a'] = np.arange(3.)
        f.create_dataset('x', data=np.arange(4.), chunks=(4,), compression=1)
        f['x'].attrs['n'] = 5
        f['x'].attrs['units'] = 'K'
        f['t'] = np.zeros(2, [('p', 'f4'), ('q', 'f8')])
        f['g/h'] = np.arange(2.)
        f['z'] = np.arange(5.)
        return {n: h5py.h5o.get_info(f[n].id).addr for n in ('a', 'x', 't', 'g', 'z')}


def version(n):
    def change(b):
        b[0] = n
    return change


def type_version(n, class_=None):
    def change(b):
        b[0] = n << 4 | (b[0] & 15 if class_ is None else class_)
    return change


def newer(t):
    """One object that is newer than axt knows is told as such, and all others are read."""
    p = f'{D}/newer.h5'
    cases = [('x', SPACE, version(3), 'dataspace message'), ('x', LAYOUT, version(6), 'layout message'),
             ('x', FILTERS, version(3), 'filter message'), ('x', FILL, version(4), 'fill value message'),
             ('x', TYPE, type_version(6), 'type'), ('x', TYPE, type_version(5, 12), 'type'),
             ('x', TYPE, type_version(7, 15), 'type'), ('g', LINK_INFO, version(1), 'list of links'),
             ('g', LINK, version(2), 'a link in it')]
    for name, kind, change, what in cases:
        at = plain(p)
        forge(p, at[name], kind, change)
        r = axt('info', '--json', p)
        s = axt('print', f'{p}:{name}')
        t.ok(r.rc == 0 and s.rc == 1 and 'newer than axt knows' in s.err and what in s.err and 'damaged' not in s.err,
             f'message {kind:#x} of /{name} is newer', f'{r}{s}')
        for other, n in ('a', 3), ('z', 10):
            r = axt('reduce', 'sum', '-p', f'{p}:{other}')
            t.ok(r.rc == 0 and float(r.out) == n, f'and /{other} is read', r)
        r = axt('copy', p, '-o', f'{D}/newer-copy.h5', '--force')
        t.ok(r.rc == 1 or (r.err.count(f'/{name}') + r.err.count(f'"{name}"') + r.err.count(f':{name}') > 0),
             f'a copy without /{name} says so', r)
        r = axt('make', 'ones', 'q=3', '-o', p + ':new')
        t.ok(r.rc == 1 and 'damaged' not in r.err, 'it is not added to', r)
    for n, said in (4, 'newer than axt knows'), (200, 'damaged'):
        plain(p)
        with open(p, 'r+b') as f:
            f.seek(8)
            f.write(bytes([n]))
        r = axt('info', p)
        t.ok(r.rc == 1 and said in r.err, f'superblock version {n}', r)
    for kind, change in (LAYOUT, version(99)), (TYPE, type_version(15, 3)), (SPACE, version(77)):
        at = plain(p)
        forge(p, at['x'], kind, change)
        r = axt('print', p + ':x')
        t.ok(r.rc == 1 and 'damaged' in r.err, f'version {kind:#x} far from all known ones is damage', r)


def attributes(t):
    """An attribute of an unknown type does not take the dataset with it."""
    p = f'{D}/attribute.h5'
    def typed(b):
        assert b[9:11] == b'n\0'
        b[11] = 6 << 4

    for what, change in ('type', typed), ('version', version(4)):
        at = plain(p)
        forge(p, at['x'], ATTR, change)
        r = axt('reduce', 'sum', '-p', p + ':x')
        t.ok(r.rc == 0 and r.out == b'6\n', f'a dataset with an attribute of a newer {what}', r)
        r = axt('copy', p, '-o', f'{D}/a.h5', '--force')
        t.ok(r.rc == 0 and 'warning' in r.err and '/x:' in r.err, 'a copy says that it is lost', r)
        for line in 'copy', 'slice dim_0=1:':
            r = axt(*line.split(), p + ':x', '-o', f'{D}/a.h5', '--force')
            t.ok(r.rc == 0 and r.err.count('are left out: /x:') == 1, f'and so does axt-{line} of it alone', r)


def main():
    t = Tap()
    written_by_2(t)
    unwritten(t)
    newer(t)
    attributes(t)
    t.done()


if __name__ == '__main__':
    main()
