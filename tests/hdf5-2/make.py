#!/usr/bin/env python3
"""How the files beside this one were made, by h5py 3.16 with HDF5 2.0: make.py.

The libraries that the tests have cannot write them. tests/modern.py reads them, and has the values.
"""
import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

INDEXES = {'single': ((5, 6), (5, 6), None), 'fixed': ((17, 11), (5, 7), None), 'paged': ((1100,), (1,), None),
           'array': ((17, 11), (5, 7), (None, 11)), 'tree': ((17, 11), (5, 7), (None, None))}


def low(f, name, a, file_type, memory_type, plist=None):
    d = h5d.create(f.id, name.encode(), file_type, h5s.create_simple(a.shape), plist)
    d.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(a), mtype=memory_type)


def whole(path, libver):
    with h5py.File(path, 'w', libver=libver) as f:
        for name, (shape, chunk, most) in INDEXES.items():
            a = np.arange(np.prod(shape), dtype='i2').reshape(shape)
            for end, how in ('', {}), ('_z', {'compression': 1, 'shuffle': True}):
                if name + end != 'paged_z':
                    f.create_dataset(name + end, data=a, chunks=chunk, maxshape=most, **how)
        c = h5p.create(h5p.DATASET_CREATE)
        c.set_chunk((5, 7))
        c.set_alloc_time(h5d.ALLOC_TIME_EARLY)
        low(f, 'implicit', np.arange(187, dtype='i2').reshape(17, 11), h5t.STD_I16LE, h5t.NATIVE_INT16, c)
        c = h5p.create(h5p.DATASET_CREATE)
        c.set_layout(h5d.COMPACT)
        low(f, 'compact', np.arange(6, dtype='i2'), h5t.STD_I16BE, h5t.NATIVE_INT16, c)
        f['contiguous'] = np.arange(4.)
        f['bool'] = np.array([True, False, True])
        f.create_dataset('enum', data=np.array([0, 1, 1]), dtype=h5py.enum_dtype({'A': 0, 'B': 1}, 'i1'))
        f['pairs'] = np.array([1 + 2j, -3j])
        for name, t, m in (('c128', h5t.COMPLEX_IEEE_F64LE, h5t.NATIVE_DOUBLE_COMPLEX),
                           ('c128be', h5t.COMPLEX_IEEE_F64BE, h5t.NATIVE_DOUBLE_COMPLEX),
                           ('c64', h5t.COMPLEX_IEEE_F32LE, h5t.NATIVE_FLOAT_COMPLEX),
                           ('c64be', h5t.COMPLEX_IEEE_F32BE, h5t.NATIVE_FLOAT_COMPLEX)):
            low(f, name, np.array([1 + 2j, -3j], 'c16' if '128' in name else 'c8'), t, m)
        f['table'] = np.array([(1.5, 2, 3 + 4j), (2.5, 3, 4j)], [('x', 'f4'), ('y', 'i2'), ('z', 'c16')])
        f.create_dataset('text', data=['ab', 'größe'], dtype=h5py.string_dtype())
        f['fixed_text'] = np.array([b'ab', b'cde'])
        f['lat'] = np.arange(4.) * 10
        f['lat'].make_scale('lat')
        f['contiguous'].dims[0].attach_scale(f['lat'])
        f['contiguous'].attrs['units'] = 'K'
        f['contiguous'].attrs['pair'] = 1 + 2j
        a = h5py.h5a.create(f['contiguous'].id, b'native', h5t.COMPLEX_IEEE_F64LE, h5s.create_simple((2,)))
        a.write(np.array([5 + 6j, 7j]), mtype=h5t.NATIVE_DOUBLE_COMPLEX)
        f['g/h'] = np.float32(2.5)
        f['none'] = h5py.Empty('f4')


def parts(path):
    with h5py.File(path, 'w', libver='latest') as f:
        f['own'] = np.arange(24, dtype='i2').reshape(4, 6)
        here, src = h5py.VirtualSource(f['own']), h5py.VirtualSource('.', 'own', (4, 6), dtype='i2')
        layout = h5py.VirtualLayout((8, 6), 'i2')
        layout[0:8:2] = here
        layout[1:8:2] = src
        f.create_virtual_dataset('rows', layout, fillvalue=-1)
        layout = h5py.VirtualLayout((3, 5), 'i2')
        layout[0:2, 1:4] = here[1:3, 2:5]
        f.create_virtual_dataset('box', layout, fillvalue=-1)
        to = h5s.create_simple((8, 6))
        to.select_hyperslab((0, 0), (1, 1), (1, 1), (2, 6))
        to.select_hyperslab((5, 0), (1, 1), (1, 1), (2, 6), op=h5s.SELECT_OR)
        c = h5p.create(h5p.DATASET_CREATE)
        c.set_fill_value(np.array(-1, 'i2'))
        c.set_virtual(to, b'.', b'own', h5s.create_simple((4, 6)))
        h5d.create(f.id, b'list', h5t.STD_I16LE, to, c)


def main():
    assert h5py.version.hdf5_version.startswith('2.')
    whole('latest.h5', 'latest')
    parts('virtual.h5')


if __name__ == '__main__':
    main()
