#!/usr/bin/python3
"""Numbers of other layouts than the dtypes have: integers of 12 and 24 bits, floats of 8, 80 and any number of bits.

Those of HDF5 are random, and are compared with what libhdf5 converts them to; those of safetensors are all there are.
"""
import ctypes
import json
import os
import re
import struct

import h5py
import numpy as np

from axtlib import Tap, axt, in_batches, random_cases, scratch, shell

D = scratch()
T = h5py.h5t
ALL = h5py.h5s.ALL


def put(f, name, kind, data, memory, chunks=None, deflate=False, compact=False):
    """Writes a dataset of a type that h5py has no dtype for."""
    space = h5py.h5s.create_simple(data.shape) if data.shape else h5py.h5s.create(h5py.h5s.SCALAR)
    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunks:
        how.set_chunk(chunks)
    if deflate:
        how.set_shuffle()
        how.set_deflate(4)
    if compact:
        how.set_layout(h5py.h5d.COMPACT)
    d = h5py.h5d.create(f.id, name.encode(), kind, space, how)
    d.write(ALL, ALL, np.ascontiguousarray(data), mtype=memory)
    return d


def create(path, libver):
    """A file for such types: from 1.14.4 on, libhdf5 takes those with many unused bits only where it is told to."""
    how = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    how.set_libver_bounds(getattr(h5py.h5f, 'LIBVER_' + libver.upper()), h5py.h5f.LIBVER_LATEST)
    relax = getattr(ctypes.CDLL(h5py.h5p.__file__), 'H5Pset_relax_file_integrity_checks', None)
    if relax:
        relax(ctypes.c_int64(how.id), ctypes.c_uint64(1))
    return h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, fapl=how))


def integer(r, shape):
    """Values, their type in the file, and the one in memory."""
    size, signed = int(r.choice([1, 2, 3, 4, 5, 6, 7, 8, 12, 16])), r.random() < .5
    bits = int(r.integers(2, min(64, 8 * size) + 1))
    at = int(r.integers(0, 8 * size - bits + 1))
    kind = (T.STD_I64LE if signed else T.STD_U64LE).copy()
    if size > 8:
        kind.set_size(size)
    kind.set_precision(bits)
    kind.set_offset(at)
    kind.set_size(size)
    if r.random() < .4:
        kind.set_order(T.ORDER_BE)
    lo, hi = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    v = np.asarray(r.integers(lo, hi, size=shape, endpoint=True, dtype='i8' if signed else 'u8'))
    return v, kind, T.NATIVE_INT64 if signed else T.NATIVE_UINT64


def real(r, shape):
    exponent, fraction = int(r.integers(2, 12)), int(r.integers(1, 53))
    size = max(int(r.choice([1, 2, 3, 4, 6, 8])), -(-(exponent + fraction + 1) // 8))
    kind = (T.IEEE_F64LE if r.random() < .6 else T.IEEE_F64BE).copy()
    bias = int(r.integers(1, 2 ** (exponent - 1) + 3))
    kind.set_fields(exponent + fraction, fraction, exponent, 0, fraction)
    kind.set_ebias(bias)
    kind.set_precision(exponent + fraction + 1)
    kind.set_size(size)
    near = r.integers(-min(bias, 1000) - 3, min(2 ** exponent - bias, 1000) + 2, size=shape)
    v = np.ldexp(r.standard_normal(shape), near)
    special = r.choice([0., -0., np.inf, -np.inf, np.nan], size=shape)
    return np.asarray(np.where(r.random(shape) < .1, special, v)), kind, T.NATIVE_DOUBLE


def random(t, seed):
    r = np.random.default_rng(seed)
    shape = tuple(int(x) for x in r.integers(1, 9, r.integers(0, 4)))
    if seed % 15 == 7:
        shape = (int(r.integers(400000, 700000)),)
    make = r.choice([integer, real])
    v, kind, memory = make(r, shape)
    how = {}
    if shape and r.random() < .5:
        how = {'chunks': tuple(-(-n // int(r.integers(1, 4))) for n in shape), 'deflate': bool(r.random() < .5)}
    elif r.random() < .3 and v.size < 2000:
        how = {'compact': True}
    with create(f'{D}/r.h5', str(r.choice(['earliest', 'latest']))) as f:
        d = put(f, 'x', kind, v, memory, **how)
        want = np.zeros(shape, v.dtype)
        d.read(ALL, ALL, want, mtype=memory)
        one = h5py.h5a.create(f.id, b'a', kind, h5py.h5s.create(h5py.h5s.SCALAR))
        one.write(np.ascontiguousarray(v.ravel()[:1].reshape(())), mtype=memory)
    env = dict(AXT_TILE='7', AXT_SLAB='64') if seed % 3 == 0 and v.size < 2000 else None
    p = axt('cast', '--dtype', v.dtype.name, f'{D}/r.h5:x', '-o', f'{D}/o.nc', env=env)
    got = np.zeros(0)
    if p.rc == 0:
        with h5py.File(f'{D}/o.nc') as f:
            got = f['x'][()]
    ok = got.shape == want.shape and np.array_equal(got, want, equal_nan=want.dtype.kind == 'f')
    if ok and want.dtype.kind == 'f':
        ok = np.array_equal(np.signbit(got)[~np.isnan(want)], np.signbit(want)[~np.isnan(want)])
    a = axt('attr', f'{D}/r.h5')
    words = re.findall('^:a:=(-?(?:Infinity|NaN|[0-9.]+(?:e[-+]?[0-9]+)?))(f?)', a.out.decode(), re.M)
    ok = ok and len(words) == 1
    if ok:
        dt = 'f4' if words[0][1] else v.dtype
        ok = np.array_equal(np.array(words[0][0], dt), want.ravel()[0].astype(dt), equal_nan=want.dtype.kind == 'f')
    if not ok:
        t.ok(False, f'case {seed}: {make.__name__} {shape} {how}', (p, want.ravel()[:5], got.ravel()[:5], a.out))


def wide(t):
    """What f64 cannot hold is rounded as a processor does, with one warning; the parts of a complex number too."""
    r = np.random.default_rng(1)
    x = np.ldexp(r.standard_normal(2000).astype('g'), r.integers(-1085, 1030, 2000))
    x = np.concatenate([x, np.array([0, -0., np.inf, -np.inf, np.nan, 1], 'g'), np.ldexp(np.array([1, 3], 'g'), -1075)])
    z = np.empty(x.size, 'clongdouble')
    z.real, z.imag = x, -x
    with np.errstate(over='ignore'):
        want = x.astype('f8')
    with h5py.File(f'{D}/w.h5', 'w') as f:
        f['x'] = x
        f['x'].attrs['n'] = np.longdouble(1) / 3
        f['z'] = z
    p = axt('copy', f'{D}/w.h5', '-o', f'{D}/w.nc')
    with h5py.File(f'{D}/w.nc') as f:
        t.ok(np.array_equal(f['x'][()], want, equal_nan=True) and f['x'].attrs['n'] == 1 / 3, 'floats of 80 bits', p)
        got = f['z'][()]
        t.ok(np.array_equal(got.real, want, equal_nan=True) and np.array_equal(got.imag, -want, equal_nan=True),
             'complex numbers of these', p)
    t.ok(p.rc == 0 and p.err.count('rounded') == 2 and f'{D}/w.h5:x' in p.err, 'a warning for each dataset', p.err)


def tables(t):
    """Members of tables and arrays in elements."""
    r = np.random.default_rng(2)
    n = 70000
    a = np.zeros(n, [('i', 'i4'), ('g', 'g'), ('k', '<u2', (2, 3)), ('d', 'f8')])
    a['i'], a['g'], a['d'] = r.integers(-9, 9, n), r.standard_normal(n), r.standard_normal(n)
    with h5py.File(f'{D}/t.h5', 'w') as f:
        f['plain'] = a
        f['grid'] = a.reshape(700, 100)
        f.create_dataset('chunks', data=a, chunks=(999,), compression=1)
        f.create_dataset('lists', (4,), np.dtype(('g', (3,))))[...] = np.arange(12, dtype='g').reshape(4, 3)
    for name in 'plain', 'grid', 'chunks':
        for member in 'igd':
            p = axt('reduce', 'sum', '--dtype', 'f64', f'{D}/t.h5:{name}.{member}', '-p')
            t.ok(p.rc == 0 and np.isclose(float(p.out), float(a[member].astype('f8').sum()), rtol=1e-9, atol=1e-9),
                 f'{name}.{member}', p)
    p = axt('slice', 'dim_0=699', 'dim_1=98:', f'{D}/t.h5:grid.g', '-p')
    t.ok(np.array_equal(np.array(p.out.split(), 'f8'), a['g'][-2:].astype('f8')), 'the last of a table of two axes', p)
    p = axt('print', f'{D}/t.h5:lists')
    t.ok(p.out.split() == [b'%d' % i for i in range(12)], 'arrays of them', p)


def moments(t):
    """Times of Unix, which libhdf5 does not convert, are seconds; and what stays unread takes nothing else with it."""
    with h5py.File(f'{D}/m.h5', 'w') as f:
        for name, kind, dt in ('le', T.UNIX_D32LE, '<i4'), ('be', T.UNIX_D64BE, '>i8'):
            v = np.array([0, -5, 2**31 - 1], dt)
            put(f, name, kind, v, kind)
        kind = T.create(T.OPAQUE, 3)
        put(f, 'opaque', kind, np.zeros(2, 'V3'), kind)
        f['after'] = [1., 2.]
    for name in 'le', 'be':
        t.ok(axt('print', f'{D}/m.h5:{name}').out.split() == [b'0', b'-5', b'2147483647'], f'time {name}')
    p = axt('copy', f'{D}/m.h5', '-o', f'{D}/m.nc')
    t.ok(p.rc == 0 and p.err.count('\n') == 1 and 'opaque is left out: type not supported: opaque' in p.err, 'a copy tells', p)
    p = axt('copy', f'{D}/m.h5:opaque', '-o', f'{D}/no.nc')
    t.ok(p.rc == 1 and 'm.h5:opaque: type not supported' in p.err and not os.path.exists(f'{D}/no.nc'), 'and so does it alone', p)
    p = axt('assign', f'{D}/w.h5:x', '=', '1')
    t.ok(p.rc == 1 and 'read' in p.err, 'they are not assigned to', p)


def byte_floats():
    """The values of all bytes by the words of safetensors, of which NumPy has none."""
    out = {}
    for word, e, m, bias, finite in ('F8_E4M3', 4, 3, 7, True), ('F8_E5M2', 5, 2, 15, False):
        v = []
        for b in range(256):
            s, x, f = (-1) ** (b >> 7), b >> m & (1 << e) - 1, b & (1 << m) - 1
            if x == (1 << e) - 1 and (f == (1 << m) - 1 if finite else True):
                v.append(s * np.inf if f == 0 and not finite else np.nan)
            else:
                v.append(s * (f / (1 << m) + (x > 0)) * 2. ** (max(x, 1) - bias))
        out[word] = v
    out['F8_E8M0'] = [2. ** (b - 127) if b < 255 else np.nan for b in range(256)]
    return out


def safetensors(t):
    values = byte_floats()
    many = np.random.default_rng(3).integers(0, 256, (1300, 1111), dtype='u1')
    head, data = {}, b''
    for word, v in values.items():
        for name, b in (word, np.arange(256, dtype='u1').reshape(16, 16)), (word + '_many', many), (word + '_none', many[:0]):
            head[name] = {'dtype': word, 'shape': list(b.shape), 'data_offsets': [len(data), len(data) + b.size]}
            data += b.tobytes()
    head['f4'] = {'dtype': 'F4', 'shape': [2], 'data_offsets': [len(data), len(data) + 1]}
    text = json.dumps(head).encode()
    with open(f'{D}/a.safetensors', 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text + data + b'x')
    for word, v in values.items():
        want = np.array(v, 'f4').reshape(16, 16)
        for name, want in (word, want), (word + '_many', np.array(v, 'f4')[many]), (word + '_none', np.zeros((0, 1111), 'f4')):
            for how, line in (('operand', f'axt-copy {D}/a.safetensors:{name} -o {D}/s.nc --force'),
                              ('pipe', f'axt-from --format safetensors -:{name} -o {D}/s.nc --force <{D}/a.safetensors')):
                p = shell(line)
                got = None
                if p.returncode == 0:
                    with h5py.File(f'{D}/s.nc') as f:
                        got = f[name][()]
                t.ok(got is not None and got.dtype == 'f4' and np.array_equal(got, want, equal_nan=True) and
                     np.array_equal(np.signbit(got)[want == 0], np.signbit(want)[want == 0]), f'{name}, {how}', p.stderr)
    p = axt('print', f'{D}/a.safetensors:f4')
    t.ok(p.rc == 1 and 'dtype F4' in p.err, 'what is smaller than a byte is told', p)


def matlab(t):
    """Characters of MATLAB are text, and arrays without elements are empty."""
    def chars(rows, unit='<u2'):
        codes = [np.frombuffer(x.encode({'<u2': 'utf-16-le', '<u4': 'utf-32-le'}[unit]), unit) for x in rows]
        n = max(len(c) for c in codes)
        return np.array([np.concatenate([c, np.full(n - len(c), 32, unit)]) for c in codes], unit).T

    words = ['hello', 'größe °C', '日本', 'a😀b', ' blank ', 'x' * 5000]
    with h5py.File(f'{D}/m.mat', 'w', userblock_size=512) as f:
        def mark(d, kind, decode=None, **more):
            d.attrs['MATLAB_class'] = np.bytes_(kind)
            for k, v in more.items():
                d.attrs[k] = v
            if decode:
                d.attrs['MATLAB_int_decode'] = np.int32(decode)
        for i, x in enumerate(words):
            mark(f.create_dataset(f't{i}', data=chars([x]), **({'chunks': (100, 1), 'compression': 1} if len(x) > 99 else {})), 'char', 2)
        mark(f.create_dataset('wide', data=chars(['a😀b'], '<u4')), 'char', 4)
        mark(f.create_dataset('rows', data=chars(['ab', 'größe', ''])), 'char', 2)
        mark(f.create_dataset('no_text', data=np.array([0, 0], 'u8')), 'char', 2, MATLAB_empty=np.uint8(1))
        for k in 'double', 'single', 'int8', 'logical', 'uint64':
            mark(f.create_dataset('no_' + k, data=np.array([0, 3], 'u8')), k, MATLAB_empty=np.uint8(1))
        mark(f.create_dataset('num', data=np.arange(6.).reshape(2, 3)), 'double')
    os.rename(f'{D}/m.mat', f'{D}/m.h5')
    for i, x in enumerate(words):
        p = axt('print', f'{D}/m.h5:t{i}')
        t.ok(p.rc == 0 and p.out.decode() == x + '\n', f'text {x[:9]}', p)
    t.ok(axt('print', f'{D}/m.h5:wide').out.decode() == 'a😀b\n', 'characters of 4 bytes')
    t.ok(axt('print', f'{D}/m.h5:rows').out.decode() == 'ab\ngröße\n\n', 'several rows, without what fills them up')
    t.ok(axt('print', f'{D}/m.h5:no_text').out == b'\n', 'an empty text')
    info = {x.split()[0]: x.split()[1:] for x in axt('info', '--brief', f'{D}/m.h5').out.decode().splitlines() if x.strip()}
    want = {'no_double': ['f64', 'dim_0=0'], 'no_single': ['f32', 'dim_0=0'], 'no_int8': ['i8', 'dim_0=0'],
            'no_logical': ['bool', 'dim_0=0'], 'no_uint64': ['u64', 'dim_0=0'], 'num': ['f64', 'dim_0=2', 'dim_1=3']}
    t.ok(all(info.get(k) == v for k, v in want.items()), 'arrays without elements', info)
    p = axt('copy', f'{D}/m.h5', '-o', f'{D}/c.nc')
    with h5py.File(f'{D}/c.nc') as f:
        ok = all(f[f't{i}'].asstr()[()] == x for i, x in enumerate(words)) and list(f['rows'].asstr()[()]) == ['ab', 'größe', '']
        t.ok(p.rc == 0 and ok and f['no_single'].shape == (0,) and f['no_single'].dtype == 'f4', 'a copy keeps them', p)


def main():
    t = Tap()
    cases, seed = random_cases(50, 20, 4, 1)
    in_batches(t, cases, 'random layouts {}', lambda k: random(t, seed + k))
    wide(t)
    tables(t)
    moments(t)
    safetensors(t)
    matlab(t)
    t.done()


if __name__ == '__main__':
    main()
