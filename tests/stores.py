#!/usr/bin/python3
"""Zarr: stores of both versions that this test packs itself, read equal; damaged ones are errors.

Stores are made here, key by key, of random dtypes, shapes, chunks and codecs, as directories. Where Python's module zarr is
there, in this Python or in the one that ZARR_PYTHON names, stores that it and xarray wrote are read as well.
"""
import base64
import gzip
import itertools
import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

import numpy as np

import filters as packers
from axtlib import SLOW, Tap, axt, in_batches, random_cases, scratch, shell

D = scratch()
DTYPES = '|b1 |i1 |u1 <i2 >i2 <u2 <i4 >i4 <u4 <i8 >i8 <u8 >u8 <f2 <f4 >f4 <f8 >f8 <c8 >c8 <c16'.split()
BLOSC = 'lz4 zstd blosclz zlib'.split()
TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def crc32c(data):
    c = 0xFFFFFFFF
    for b in data:
        c = c >> 8 ^ TABLE[(c ^ b) & 255]
    return struct.pack('<I', c ^ 0xFFFFFFFF)


def number(v):
    """A fill value as JSON has it."""
    if isinstance(v, np.complexfloating):
        return [number(v.real), number(v.imag)]
    if isinstance(v, np.floating):
        return 'NaN' if np.isnan(v) else ('-' if v < 0 else '') + 'Infinity' if np.isinf(v) else float(v)
    return bool(v) if isinstance(v, np.bool_) else int(v)


def pack(data, codec, size):
    name = codec if isinstance(codec, str) else codec[0]
    if name == 'gzip':
        return gzip.compress(data, 5)
    if name == 'zlib':
        return zlib.compress(data, 5)
    if name == 'bz2':
        return packers.bz2.compress(data)
    if name == 'zstd':
        return packers.zstd(data)
    if name == 'lz4':
        return struct.pack('<I', len(data)) + packers.lz4_block(data)
    if name == 'blosc':
        return packers.blosc(data, size, len(data) % 3, BLOSC[len(data) % len(BLOSC)])
    if name == 'shuffle':
        return np.frombuffer(data, 'u1').reshape(-1, size).T.tobytes()
    assert name == 'crc32c'
    return data + crc32c(data)


def codecs_there():
    out = ['gzip', 'zlib', 'bz2']
    out += ['zstd'] if packers.ZSTD else []
    out += ['lz4'] if packers.LZ4 else []
    return out + (['blosc'] if packers.BLOSC else [])


def cut(a, chunk, fill):
    """Index and values of each chunk, at edges filled up; None instead of values: not written."""
    grid = [range(-(-n // c)) for n, c in zip(a.shape, chunk)]
    for index in itertools.product(*grid):
        part = np.full(chunk, fill, a.dtype)
        at = tuple(slice(i * c, i * c + c) for i, c in zip(index, chunk))
        piece = a[at]
        part[tuple(slice(0, n) for n in piece.shape)] = piece
        yield index, None if part.tobytes() == np.full(chunk, fill, a.dtype).tobytes() else part


def array2(a, chunk, fill, sep='.', order='C', chain=(), dims=None):
    size = a.dtype.itemsize
    meta = {'zarr_format': 2, 'shape': a.shape, 'chunks': chunk, 'dtype': a.dtype.str, 'order': order,
            'fill_value': number(fill), 'dimension_separator': sep, 'compressor': None, 'filters': None}
    if sep == '.':
        del meta['dimension_separator']
    chain = list(chain)
    if chain and chain[0] == 'shuffle':
        meta['filters'] = [{'id': 'shuffle', 'elementsize': size}]
    if chain and chain[-1] != 'shuffle':
        meta['compressor'] = {'id': chain[-1]}
    out = {'.zarray': json.dumps(meta).encode()}
    if dims:
        out['.zattrs'] = json.dumps({'_ARRAY_DIMENSIONS': dims}).encode()
    for index, part in cut(a, chunk, fill):
        if part is None:
            continue
        data = part.tobytes(order=order)
        for c in chain:
            data = pack(data, c, size)
        out[sep.join(map(str, index)) or '0'] = data
    return out


def codecs3(a, order, chain):
    out = [] if list(order) == sorted(order) else [{'name': 'transpose', 'configuration': {'order': list(order)}}]
    big = a.dtype.str[0] == '>'
    out.append({'name': 'bytes', 'configuration': {'endian': 'big' if big else 'little'}} if a.dtype.itemsize > 1
               else {'name': 'bytes'})
    conf = {'gzip': {'level': 5}, 'zstd': {'level': 0, 'checksum': False}}
    known = ('gzip', 'zstd', 'blosc', 'crc32c')
    for c in chain:
        name = c if c in known else 'numcodecs.' + c
        out.append({'name': name, 'configuration': conf.get(c, {'elementsize': a.dtype.itemsize} if c == 'shuffle' else {})})
    return out


def bytes3(part, order, chain):
    data = part.transpose(order).tobytes()
    for c in chain:
        data = pack(data, c, part.dtype.itemsize)
    return data


def shard(part, inner, fill, order, chain, first, end='<', check=True, below=None):
    """The bytes of a shard: its chunks in any order, and its index. below: makes the bytes of what it is cut into."""
    per = [n // c for n, c in zip(part.shape, inner)]
    index = [(2**64 - 1, 2**64 - 1)] * int(np.prod(per))
    below = below or (lambda p: bytes3(p, order, chain))
    chunks = [(i, below(p)) for i, p in cut(part, inner, fill) if p is not None]
    at = 16 * len(index) + 4 * check if first else 0
    body = b''
    for i, data in chunks[::-1]:
        index[np.ravel_multi_index(i, per)] = at, len(data)
        at += len(data)
        body += data
    head = b''.join(struct.pack(f'{end}QQ', *x) for x in index)
    head += crc32c(head) if check else b''
    return head + body if first else body + head


def array3(a, chunk, fill, sep='/', encoding='default', order=None, chain=(), dims=None, inner=None, first=False):
    order = order or tuple(range(a.ndim))
    codecs = codecs3(a, order, chain)
    if inner:
        codecs = [{'name': 'sharding_indexed', 'configuration': {
            'chunk_shape': inner, 'codecs': codecs, 'index_location': 'start' if first else 'end',
            'index_codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}, {'name': 'crc32c'}]}}]
    meta = {'zarr_format': 3, 'node_type': 'array', 'shape': a.shape, 'data_type': a.dtype.name, 'codecs': codecs,
            'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': chunk}}, 'fill_value': number(fill),
            'chunk_key_encoding': {'name': encoding, 'configuration': {'separator': sep}}}
    if dims:
        meta['dimension_names'] = dims
    out = {'zarr.json': json.dumps(meta).encode()}
    for index, part in cut(a, chunk, fill):
        if part is not None:
            key = sep.join((['c'] if encoding == 'default' else []) + [str(i) for i in index]) or '0'
            out[key] = shard(part, inner, fill, order, chain, first) if inner else bytes3(part, order, chain)
    return out


def group(version, attrs=None, **arrays):
    """The values of a store by their keys; of names such as g__t, in group g."""
    out = {'.zgroup': b'{"zarr_format": 2}', '.zattrs': json.dumps(attrs or {}).encode()} if version == 2 else {
        'zarr.json': json.dumps({'zarr_format': 3, 'node_type': 'group', 'attributes': attrs or {}}).encode()}
    meta = {k: v for k, v in out.items() if k != '.zattrs'}
    for name, keys in arrays.items():
        parts = name.split('__')
        for n in range(1, len(parts)):
            out.update({'/'.join(parts[:n] + [k]): v for k, v in meta.items()})
        out.update({'/'.join(parts + [k]): v for k, v in keys.items()})
    return out


def store(keys, name='s.zarr'):
    path = f'{D}/{name}'
    shutil.rmtree(path, ignore_errors=True)
    for k, v in keys.items():
        os.makedirs(os.path.dirname(f'{path}/{k}'), exist_ok=True)
        with open(f'{path}/{k}', 'wb') as f:
            f.write(v)
    return path


def zipped(keys, name='s.zip', method=zipfile.ZIP_STORED, top=''):
    with zipfile.ZipFile(f'{D}/{name}', 'w', method) as z:
        for k, v in keys.items():
            z.writestr(top + k, v)
    return f'{D}/{name}'


def references(keys, name='s.json', version=1, rng=None):
    """Values in the document as text or base64, or in files beside it, as parts or as a whole."""
    rng = rng or np.random.default_rng(1)
    refs, parts = {}, {0: b'head', 1: b''}
    for n, (k, v) in enumerate(keys.items()):
        way = int(rng.integers(4))
        if way == 0 or k.endswith(('.json', '.zgroup', '.zarray', '.zattrs')):
            refs[k] = v.decode() if all(b < 128 for b in v) and way else 'base64:' + base64.b64encode(v).decode()
        elif way == 1:
            with open(f'{D}/whole{n}', 'wb') as f:
                f.write(v)
            refs[k] = [f'{D}/whole{n}' if rng.random() < .5 else f'whole{n}']
        else:
            refs[k] = [f'{{{{d}}}}{way % 2}' if version else f'parts{way % 2}', len(parts[way % 2]), len(v)]
            parts[way % 2] += v
    for i, data in parts.items():
        with open(f'{D}/parts{i}', 'wb') as f:
            f.write(data)
    with open(f'{D}/{name}', 'w', encoding='utf-8') as f:
        json.dump({'version': 1, 'templates': {'d': f'file://{D}/parts'}, 'refs': refs} if version else refs, f)
    return f'{D}/{name}'


def values(operand, a):
    """What axt reads as an array like a, or the Run that failed."""
    r = axt('to', '--format', 'raw', '-', operand)
    if r.rc or len(r.out) != a.nbytes:
        return r
    return np.frombuffer(r.out, a.dtype.newbyteorder('<')).reshape(a.shape)


def random_values(rng, dtype, shape):
    d = np.dtype(dtype)
    raw = rng.integers(0, 256, (int(np.prod(shape)) * d.itemsize,), 'u1')
    if d.kind == 'b':
        raw %= 2
    a = np.frombuffer(raw.tobytes(), d).reshape(shape).copy()
    if d.kind in 'fc':
        a = rng.standard_normal(shape).astype(d)
    if shape and rng.random() < .3:
        a[..., :2] = 0
    return a


def random_case(t, k):
    rng = np.random.default_rng(k)
    rank = int(rng.integers(0, 5))
    a = random_values(rng, rng.choice(DTYPES), tuple(int(n) for n in rng.integers(1, 9, rank)))
    chunk = [int(rng.integers(1, n + 3)) for n in a.shape]
    fill = a.dtype.type(rng.choice([0, 1])) if rng.random() < .7 or a.dtype.kind not in 'fc' else a.dtype.type(np.nan)
    chain = [str(rng.choice(codecs_there()))] if rng.random() < .7 else []
    if rng.random() < .3:
        chain = ['shuffle'] + chain
    dims = ['t', 'u', 'v', 'w'][:rank] if rng.random() < .5 else None
    sep = str(rng.choice(['.', '/']))
    version = int(rng.choice([2, 3]))
    if version == 2:
        dims = None if not np.isnan(fill) else dims   # a fill value would be missing
        keys = array2(a, chunk, fill, sep, str(rng.choice(['C', 'F'])), chain, dims)
    else:
        inner = [int(rng.integers(1, c + 1)) for c in chunk] if rng.random() < .5 else None
        if inner:
            chunk = [c * int(rng.integers(1, 4)) for c in inner]
        chain += ['crc32c'] if rng.random() < .3 else []
        order = tuple(int(i) for i in rng.permutation(rank)) if rng.random() < .5 else tuple(range(rank))
        keys = array3(a, chunk, fill, sep, str(rng.choice(['default', 'v2'])), order, chain, dims, inner,
                      bool(rng.random() < .5))
    keys = group(version, t=keys)
    way = int(rng.integers(4))
    if way == 0:
        path = zipped(keys, method=int(rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])), top=str(rng.choice(['', 'x.zarr/'])))
    elif way == 1:
        path = references(keys, version=int(rng.integers(2)) or version == 3, rng=rng)
    else:
        path = store(keys)
    got = values(f'{path}:t', a)
    want = a.astype(a.dtype.newbyteorder('<'))
    same = isinstance(got, np.ndarray) and got.tobytes() == want.tobytes()
    if not same:
        t.ok(False, f'case {k}', f'{a.dtype.str} {a.shape} {chunk} {chain} {sorted(keys)[:9]}\n{got}\n{want}')


def shards_in_shards(t, k):
    """Levels of shards, with an order of axes before each, and indexes of either byte order at either end."""
    rng = np.random.default_rng(3 * 10**6 + k)
    rank = int(rng.integers(1, 4))
    a = random_values(rng, rng.choice(DTYPES), tuple(int(n) for n in rng.integers(1, 20, rank)))
    fill = a.dtype.type(1)
    chunks = [np.array([int(rng.integers(1, 4)) for _ in a.shape])]
    for _ in range(int(rng.integers(1, 4))):
        chunks.insert(0, chunks[0] * rng.integers(1, 4, rank))

    def level(chunks, axes):
        """Codecs, and what makes bytes of a part, whose axes are in the order that is given."""
        order = [int(i) for i in (rng.permutation(rank) if rng.random() < .5 else range(rank))]
        codecs = [] if order == sorted(order) else [{'name': 'transpose', 'configuration': {'order': order}}]
        axes = [axes[i] for i in order]
        if not chunks:
            return codecs + codecs3(a, range(rank), []), lambda p: p.transpose(order).tobytes()
        inner, below = level(chunks[1:], axes)
        size, end, check, first = [int(chunks[0][i]) for i in axes], str(rng.choice(['<', '>'])), rng.random() < .5, rng.random() < .5
        index = [{'name': 'bytes', 'configuration': {'endian': 'little' if end == '<' else 'big'}}] + ['crc32c'] * check
        codecs.append({'name': 'sharding_indexed', 'configuration': {
            'chunk_shape': size, 'codecs': inner, 'index_codecs': index, 'index_location': 'start' if first else 'end'}})
        return codecs, lambda p: shard(p.transpose(order), size, fill, None, None, first, end, check, below)
    codecs, make = level(chunks[1:], list(range(rank)))
    keys = array3(a, [int(n) for n in chunks[0]], fill)
    keys = changed({'zarr.json': keys['zarr.json']}, 'zarr.json', codecs=codecs)
    for index, part in cut(a, chunks[0], fill):
        if part is not None:
            keys['c/' + '/'.join(map(str, index))] = make(part)
    got = values(store(keys), a)
    want = a.astype(a.dtype.newbyteorder('<'))
    if not isinstance(got, np.ndarray) or got.tobytes() != want.tobytes():
        t.ok(False, f'shards {k}', f'{a.dtype.str} {a.shape} {chunks} {codecs}\n{got}\n{want}')


def renumbered(rng, a, name):
    """Configuration of a codec, the elements that it stores of a, and what is read of them."""
    d = a.dtype
    to = np.dtype(str(rng.choice(['i2', 'i4', 'i8', 'f4', 'f8']))).newbyteorder(d.str[0].replace('|', '<'))
    conf = {'dtype': d.str, 'astype': to.str}
    flat = a.ravel()
    if name == 'bitround':
        return {'keepbits': 5}, flat, flat
    if name == 'packbits':
        bits = flat != 0
        return {}, np.append(np.uint8(-len(bits) % 8), np.packbits(bits)), bits
    if name == 'delta':
        stored = np.diff(flat.astype(to), prepend=np.zeros(1, to)).astype(to)
        back = np.empty(len(flat), d.newbyteorder('='))
        np.cumsum(stored.astype(to.newbyteorder('=')), out=back)
        return conf, stored, back
    if name == 'fixedscaleoffset':
        stored = np.round((flat - 3) * 4).astype(to)
        return {**conf, 'scale': 4, 'offset': 3}, stored, (stored / 4 + 3).astype(d)
    stored = flat.astype(to)
    return {'encode_dtype': to.str, 'decode_dtype': d.str} if name == 'astype' else {**conf, 'digits': 3}, stored, stored.astype(d)


def random_numbers(t, k):
    """Codecs that store numbers as others, of both versions, with checksums."""
    rng = np.random.default_rng(4 * 10**6 + k)
    name = str(rng.choice(['delta', 'fixedscaleoffset', 'astype', 'quantize', 'bitround', 'packbits']))
    version, n = int(rng.integers(2, 4)), int(rng.integers(1, 3000))
    d = '|b1' if name == 'packbits' else str(rng.choice(['i1', 'u1', '<i2', '<i4', '<i8', '<f4', '<f8'] + ['>i4', '>f8'] * (version == 2)))
    a = rng.integers(0, 2 if name == 'packbits' else 100, n).astype(d)
    conf, stored, want = renumbered(rng, a, name)
    data = stored.tobytes()
    sums = [str(rng.choice(['crc32', 'adler32']))] if rng.random() < .5 else []
    for s in sums:
        data = struct.pack('<I', getattr(zlib, s)(data)) + data
    if version == 2:
        keys = changed(array2(a, [n], a.dtype.type(0)), '.zarray', filters=[{'id': c, **(conf if c == name else {})} for c in [name] + sums])
        data = stored.tobytes() if name == 'bitround' and not sums else data
        keys['0'] = data
    else:
        dot = 'numcodecs.' if rng.random() < .7 else ''
        codecs = [{'name': dot + name, 'configuration': conf}] + codecs3(stored, [0], []) + [{'name': 'numcodecs.' + s} for s in sums]
        keys = changed(array3(a, [n], a.dtype.type(0)), 'zarr.json', codecs=codecs)
        keys['c/0'] = data
    got = values(store(keys), want)
    want = want.astype(want.dtype.newbyteorder('<'))
    if not isinstance(got, np.ndarray) or got.tobytes() != want.tobytes():
        t.ok(False, f'numbers {k}', f'{name} {version} {d} {conf} {sums}\n{got}\n{want}')


def transposed(t):
    """The axes of an array are those of its shape, whatever the order in which they are stored."""
    a = np.arange(60, dtype='i4').reshape(3, 4, 5)
    z, y = np.array([10., 20, 30]), np.arange(12, dtype='f4').reshape(3, 4) + .5
    g = group(3, t=array3(a, [2, 3, 4], np.int32(0), order=(2, 0, 1), dims=['z', 'y', 'x']), z=array3(z, [3], z[0] * 0, dims=['z']),
              lat=array3(y, [2, 4], y[0, 0] * 0, order=(1, 0), dims=['z', 'y']))
    p = store(changed(g, attributes={'coordinates': 'lat'}))

    back = store(group(2, t=array2(a, [2, 3, 4], np.int32(0), order='F')), 'f.zarr')
    r = axt('info', '--brief', p)
    t.ok(r.out.decode().split()[1:] == ['i32', 'z=3', 'y=4', 'x=5'], 'axt-info shows the axes of the array', f'{r}{r.out}')
    for path in p, back:
        for o in 'o.h5', 'o.zarr', 'o.nc':
            r = axt('copy', path, '-o', f'{D}/{o}')
            t.ok(r.rc == 0 and np.array_equal(values(f'{D}/{o}:t', a), a), f'a copy of {path[-6:]} as {o}', r)
        r = axt('to', f'{D}/o.npy', f'{path}:t')
        t.ok(r.rc == 0 and np.array_equal(np.load(f'{D}/o.npy'), a), f'axt-to of {path[-6:]}', r)
    with packers.h5py.File(f'{D}/o.h5') as f:
        t.ok(f['t'].shape == (3, 4, 5), 'the copy of an array of order F has its shape', f['t'].shape)
    r = axt('copy', p, '-o', f'{D}/o.h5')
    with packers.h5py.File(f'{D}/o.h5') as f:
        t.ok(r.rc == 0 and f['t'].shape == (3, 4, 5) and np.array_equal(f['lat'][()], y) and f['t'].dims[0][0].name == '/z',
             'a whole copy, with coordinates of two dimensions', r)
    r = axt('slice', 'z@20', 'x=1:5:2', f'{p}:t', '-p')
    t.ok(r.out.decode().split() == [str(v) for v in a[1, :, 1::2].ravel()], 'a slice by coordinates', f'{r}{r.out}')
    r = axt('reduce', 'sum', '--over', 'x', f'{p}:t', '-p')
    t.ok(r.out.decode().split() == [str(v) for v in a.sum(2).ravel()], 'a sum over the last axis', f'{r}{r.out}')
    r = shell(f'axt-copy {p}:t | axt-to --format raw - -')
    t.ok(r.stdout == a.tobytes(), 'streamed', r.stderr)


def hierarchy(t):
    a, b = np.arange(6.).reshape(2, 3), np.arange(3, dtype='i4')
    for v, f in ((2, array2), (3, array3)):
        keys = group(v, {'title': 'T', 'n': [1, 2], 'of': {'a': 1}}, t=f(a, [1, 2], a.dtype.type(7), dims=['y', 'x']),
                     x=f(b + 10, [3], b.dtype.type(0) - 1, dims=['x']), g__h__t=f(b, [2], b.dtype.type(9), dims=['x']))
        p = store(keys)
        info = json.loads(axt('info', '--json', p).out)
        t.ok(sorted(x['name'] for x in info['tensors']) == ['/g/h/t', 't'], f'version {v}: arrays in groups', info)
        t.ok(info['tensors'][-1]['axes'] == ['y', 'x'], f'version {v}: names of axes', info)
        r = axt('print', f'{p}/:g/h/t')
        t.ok(r.out.split() == b'0 1 2'.split(), f'version {v}: a slash at the end, and a group', r)
        r = axt('slice', 'x@11', f'{p}:t')
        t.ok(r.rc == 0 and np.array_equal(values(f'{p}:t', a), a), f'version {v}: values by coordinates', r)
        r = axt('calc', 'a*2', f'a={p}:g/h/t')
        t.ok(r.rc == 0, f'version {v}: an operand of axt-calc', r)
        r = axt('reduce', 'sum', '--over', 'y', f'{p}:t', '-o', f'{D}/o.nc')
        t.ok(axt('print', f'{D}/o.nc').out.split() == b'3 5 7'.split(), f'version {v}: reduced', r)
        r = axt('copy', p, '-o', f'{D}/copy.nc')
        t.ok(r.rc == 0 and axt('equal', f'{p}:t', f'{D}/copy.nc:t').rc == 0, f'version {v}: a whole store copied', r)
    keys = array3(a, [2, 3], a.dtype.type(0))
    t.ok(np.array_equal(values(store(keys, 'alone.zarr'), a), a), 'an array that is the whole store')


def missing(t):
    """_FillValue as xarray has it: version 2 the fill value, version 3 an attribute, of floats in base64."""
    a = np.array([1, -9, 3], 'f4')
    p = store(group(2, t=array2(a, [2], a.dtype.type(-9), dims=['x'])))
    t.ok(axt('print', f'{p}:t').out.split() == b'1 nan 3'.split(), 'version 2: the fill value is missing')
    keys = array3(a, [2], a.dtype.type(0), dims=['x'])
    meta = json.loads(keys['zarr.json'])
    meta['attributes'] = {'_FillValue': base64.b64encode(struct.pack('<d', -9)).decode()}
    keys['zarr.json'] = json.dumps(meta).encode()
    p = store(group(3, t=keys))
    t.ok(axt('print', f'{p}:t').out.split() == b'1 nan 3'.split(), 'version 3: _FillValue in base64')


def changed(keys, name='t/zarr.json', **by):
    """Values of a store whose metadata have other members."""
    return dict(keys, **{name: json.dumps(dict(json.loads(keys[name]), **by)).encode()})


def absent(t):
    """Chunks that were never written are the fill value, in each way that it may be written; null is 0."""
    nan = float('nan')
    ways = [('f4', 'NaN', nan), ('f8', 'Infinity', np.inf), ('f4', '-Infinity', -np.inf), ('f4', '0x40490fdb', np.float32(np.pi)),
            ('f2', '0x3c00', 1), ('f8', '0x7ff8000000000000', nan), ('f4', 7, 7), ('i8', -2**63, -2**63), ('u8', 2**64 - 1, 2**64 - 1),
            ('c8', [1, 2], 1 + 2j), ('c16', ['NaN', '-Infinity'], complex(nan, -np.inf)),
            ('c8', ['0x3f800000', '0x40000000'], 1 + 2j), ('f4', None, 0), ('i2', None, 0), ('c8', None, 0), ('?', True, True)]
    for d, fill, is_ in ways:
        a = np.arange(4).astype(d)
        want = np.concatenate([np.full(2, is_, a.dtype), a[2:]])
        for v, f, name in ((2, array2, 't/.zarray'), (3, array3, 't/zarr.json')):
            keys = changed(group(v, t=f(a, [2], a.dtype.type(7))), name, fill_value=fill)
            for k in 't/0', 't/c/0':
                keys.pop(k, None)
            p = store(keys)
            r = axt('to', '--raw', '--format', 'raw', '-', f'{p}:t')
            got = np.frombuffer(r.out, want.dtype)
            t.ok(r.rc == 0 and np.array_equal(got, want, equal_nan=d != '?'), f'version {v}: a chunk of {d} that is {fill}', f'{r}{got}')


def dates(t):
    days = np.array(['1999-12-31', '2000-02-29', '2001-03-01', '2262-01-01'], 'M8[D]')
    for unit in ('D', 'h', 'm', 's', 'ms', 'us', 'ns'):
        for end in '<>':
            a = days.astype(f'M8[{unit}]').astype(f'{end}M8[{unit}]')
            keys = group(2, t=array2(a.view(end + 'i8'), [3], np.int64(0), dims=['x']))
            r = axt('print', store(changed(keys, 't/.zarray', dtype=a.dtype.str)) + ':t')
            t.ok(r.out.decode().split() == [str(x) for x in days], f'dates of {a.dtype.str}', f'{r}{r.out}')
        keys = group(3, t=array3(days.astype(f'M8[{unit}]').view('i8'), [3], np.int64(0), dims=['x']))
        kind = {'name': 'numpy.datetime64', 'configuration': {'unit': unit, 'scale_factor': 1}}
        r = axt('print', store(changed(keys, data_type=kind)) + ':t')
        t.ok(r.out.decode().split() == [str(x) for x in days], f'version 3: dates by {unit}', f'{r}{r.out}')


def texts(t):
    s = np.array(['a', 'bcd', 'grün', '日本', '😀'])
    for d in ('<U4', '>U4'):
        a = s.astype(d)
        keys = array2(a.view('u4').reshape(5, 4), [2, 4], np.uint32(0), chain=['zlib'])
        keys['.zarray'] = json.dumps(dict(json.loads(keys['.zarray']), shape=[5], chunks=[2], dtype=d, fill_value='')).encode()
        p = store(group(2, t={k.removesuffix('.0'): v for k, v in keys.items()}))
        r = axt('print', f'{p}:t')
        t.ok(r.out.decode().split() == list(s), f'texts of {d}', f'{r}{r.out}')


def text_fills(t):
    """Texts that were never written are the fill value: in base64 where they are bytes, else as it is."""
    def fixed(version, dtype, fill, meta):
        a = np.array(['x', 'yz'], dtype)
        raw = np.frombuffer(a.tobytes(), 'u1').reshape(2, -1)
        n = raw.shape[1]
        keys = (array2 if version == 2 else array3)(raw, [2, n], np.uint8(255))
        name = '.zarray' if version == 2 else 'zarr.json'
        grid = {'chunks': [2], 'dtype': meta} if version == 2 else {
            'data_type': meta, 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [2]}},
            'codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}]}
        keys = changed(keys, name, shape=[5], fill_value=fill, **grid)
        return {k.removesuffix('.0').removesuffix('/0') if k not in ('c/0',) else k: v for k, v in keys.items()}

    def b64(s):
        return base64.b64encode(s).decode()
    long = 'abcdefghij' * 4
    cases = []
    for n in (3, 4, 16, 17, 40):
        kind = {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 4 * n}}
        cases += [(2, f'<U{n}', long[:n], f'<U{n}', long[:n]), (2, f'>U{n}', 'A\u65e5=', f'>U{n}', 'A\u65e5='), (3, f'<U{n}', long[:n], kind, long[:n]),
                  (2, f'S{n}', b64(long[:n].encode()), f'|S{n}', long[:n]),
                  (3, f'S{n}', b64(b'ab'), {'name': 'null_terminated_bytes', 'configuration': {'length_bytes': n}}, 'ab')]
    cases += [(2, '<U3', 'A', '<U3', 'A'), (2, '<U3', 0, '<U3', ''), (2, 'S3', '', '|S3', ''), (2, 'S3', 'AAAA', '|S3', '')]
    for v, d, fill, meta, want in cases:
        r = axt('print', store(group(v, t=fixed(v, d, fill, meta))) + ':t')
        t.ok(r.out.decode().splitlines() == ['x', 'yz'] + [want] * 3, f'version {v}: texts {d} filled by {fill!r}', f'{r}{r.out}')
    for v, d, fill, meta in ((2, '<U3', 'abcd', '<U3'), (2, 'S3', '!', '|S3'), (2, 'S3', b64(b'abcd'), '|S3'), (2, '<U3', 7, '<U3')):
        r = axt('print', store(group(v, t=fixed(v, d, fill, meta))) + ':t')
        t.ok(r.rc == 1 and 'its fill value does not fit its type' in r.err, f'texts {d} filled by {fill!r} are an error', r)
    one = struct.pack('<II', 2, 1) + b'x' + struct.pack('<I', 0)
    for v, name, key, more in ((2, '.zarray', '0', {'dtype': '|O', 'filters': [{'id': 'vlen-utf8'}]}),
                               (3, 'zarr.json', 'c/0', {'data_type': 'string', 'codecs': [{'name': 'vlen-utf8'}]})):
        keys = changed((array2 if v == 2 else array3)(np.zeros(4, 'u1'), [2], np.uint8(0)), name, fill_value=long, **more)
        keys[key] = one
        r = axt('print', store(group(v, t=keys)) + ':t')
        t.ok(r.out.decode().splitlines() == ['x', '', long, long], f'version {v}: texts of any length filled by one', f'{r}{r.out}')
    labels = {'dtype': '|O', 'filters': [{'id': 'categorize', 'dtype': '|O', 'labels': ['a', 'gr\u00fcn'], 'astype': '|u1'}], 'fill_value': ''}
    for d in '|O', '<U5', '>U5':
        keys = changed(array2(np.zeros(6, 'u1'), [4], np.uint8(0)), '.zarray', **{**labels, 'dtype': d})
        keys['0'] = bytes([1, 2, 0, 7])
        r = axt('print', store(group(2, t=keys)) + ':t')
        t.ok(r.out.decode().splitlines() == ['a', 'gr\u00fcn', '', '', '', ''], f'texts {d} by their labels', f'{r}{r.out}')


def any_texts(t):
    """Texts of any length, by vlen-utf8, with each codec."""
    s = ['a', '', 'grün', 'x' * 300, '日本', 'end']

    def chunk(part):
        out = struct.pack('<I', len(part))
        for x in part:
            out += struct.pack('<I', len(x.encode())) + x.encode()
        return out
    for c in [None, *codecs_there()]:
        keys = {'.zarray': json.dumps({'zarr_format': 2, 'shape': [6], 'chunks': [4], 'dtype': '|O', 'order': 'C', 'fill_value': '',
                                       'compressor': c and {'id': c}, 'filters': [{'id': 'vlen-utf8'}]}).encode()}
        for i, part in enumerate((s[:4], s[4:] + [''] * 2)):
            keys[str(i)] = pack(chunk(part), c, 1) if c else chunk(part)
        p = store(group(2, t=keys))
        r = axt('print', f'{p}:t')
        t.ok(r.out.decode().splitlines() == s, f'texts of any length, {c}', f'{r}{r.out}')
    for name, data, want in (('too few', chunk(s[:3]), 'chunk 0: has another number of texts'),
                             ('cut short', chunk(s[:4])[:-3], 'chunk 0: ends within a text'),
                             ('too long', chunk(s[:4]) + b'x', 'chunk 0: has bytes behind')):
        keys['.zarray'] = keys['.zarray'].replace(json.dumps({'id': codecs_there()[-1]}).encode(), b'null')
        p = store(group(2, t=dict(keys, **{'0': data})))
        r = axt('print', f'{p}:t')
        t.ok(r.rc == 1 and want in r.err, f'texts, {name}: an error', r)


def refused(t):
    """Damage: one line that names store and array, and the chunk where it is of one."""
    a = np.arange(40, dtype='i4').reshape(5, 8)
    good = group(3, t=array3(a, [2, 4], np.int32(0), chain=['gzip', 'crc32c']))
    sharded = group(3, t=array3(a, [2, 4], np.int32(0), chain=['gzip'], inner=[1, 2]))
    meta = json.loads(good['t/zarr.json'])

    def changed(**by):
        return dict(good, **{'t/zarr.json': json.dumps(dict(meta, **by)).encode()})

    def grid(*shape):
        return {'name': 'regular', 'configuration': {'chunk_shape': shape}}
    chunk = good['t/c/1/0']
    cases = [
        ('a chunk cut short', dict(good, **{'t/c/1/0': chunk[:-5]}), 's.zarr:t: chunk c/1/0: checksum differs'),
        ('an empty chunk', dict(good, **{'t/c/1/0': b''}), 's.zarr:t: chunk c/1/0: '),
        ('a chunk that is much too long', dict(good, **{'t/c/1/0': bytes(99999)}), 'chunk c/1/0: has 99999 bytes'),
        ('a bomb', dict(good, **{'t/c/1/0': (z := gzip.compress(bytes(10**6))) + crc32c(z)}), 'chunk c/1/0: '),
        ('a chunk of another length', dict(good, **{'t/c/1/0': (z := gzip.compress(bytes(28))) + crc32c(z)}), 'wrong size'),
        ('chunks of no length', changed(chunk_grid=grid(0, 4)), 's.zarr:t: its chunks have an impossible length'),
        ('chunks of another rank', changed(chunk_grid=grid(2)), 'another rank'),
        ('a shape below zero', changed(shape=[-5, 8]), 'impossible length'),
        ('a shape that is too large', changed(shape=[2**62, 2**62]), 'it is too large'),
        ('a shape that no number holds', changed(shape=[2**70, 2]), 's.zarr:t: '),
        ('many chunks', changed(shape=[2**30, 2**28]), 's.zarr:t: over 268435456 chunks'),
        ('large chunks', changed(chunk_grid=grid(2**30, 2**20)), 'a chunk is over 4 GiB'),
        ('an unknown type', changed(data_type='int3'), 's.zarr:t: type not supported: "int3"'),
        ('an unknown codec', changed(codecs=[{'name': 'bytes', 'configuration': {'endian': 'little'}}, {'name': 'zfp'}]),
         'codec zfp is not supported'),
        ('an unknown member', changed(extra={'name': 'x'}), 'member extra'),
        ('a fill value of another type', changed(fill_value='x'), 'its fill value does not fit its type'),
        ('a fill value that is too large', changed(fill_value=2**40), 'its fill value does not fit its type'),
        ('metadata cut short', dict(good, **{'t/zarr.json': good['t/zarr.json'][:-9]}), 's.zarr:t: zarr.json is no JSON'),
        ('a group cut short', dict(good, **{'zarr.json': b'{"zarr_format": 3'}), 's.zarr: zarr.json is no JSON'),
        ('a shard cut short', dict(sharded, **{'t/c/0/1': sharded['t/c/0/1'][:20]}), 'chunk c/0/1, in it 0.0: the file is too short'),
        ('an index of a shard with a wrong bit', dict(sharded, **{'t/c/0/1': sharded['t/c/0/1'][:-9] + b'x' + sharded['t/c/0/1'][-8:]}),
         'the index of its shard has another checksum'),
        ('a shard without its first bytes', dict(sharded, **{'t/c/0/1': sharded['t/c/0/1'][30:]}), 's.zarr:t: chunk c/0/1'),
    ]
    for name, keys, want in cases:
        p = store(keys)
        r = axt('reduce', 'sum', f'{p}:t')
        lines = r.err.replace(D + '/', '').splitlines()
        t.ok(r.rc == 1 and want in lines[0] and len([x for x in lines if 'hint' not in x]) == 1,
             f'{name} is an error', f'{r}\nwant {want}')


def zips_refused(t):
    a = np.arange(40, dtype='i4').reshape(5, 8)
    keys = group(3, t=array3(a, [2, 4], np.int32(0)))
    with open(zipped(keys), 'rb') as f:
        good = f.read()
    head, central, end = good.index(b'PK\3\4', 9), good.index(b'PK\1\2'), good.index(b'PK\5\6')
    at = good.index(keys['t/c/1/0'])
    cases = [
        ('a zip with a wrong byte', good[:at] + b'x' + good[at + 1:], 's.zip: t/c/1/0: checksum differs'),
        ('a zip cut short', good[:end - 9], 's.zip: is a zip archive, not HDF5'),
        ('an entry that is none', good[:central + 50] + b'x' + good[central + 51:], 's.zip'),
        ('a central directory elsewhere', good[:end + 16] + struct.pack('<I', 7) + good[end + 20:], 'is damaged: an entry of its central'),
        ('a central directory behind the end', good[:end + 16] + struct.pack('<I', 2**31) + good[end + 20:], 'behind its end'),
        ('more entries than fit', good[:end + 10] + b'\xff\xff' + good[end + 12:], 'is damaged: its central directory'),
        ('a head that is none', good[:head] + b'xx' + good[head + 2:], 's.zip'),
    ]
    for name, data, want in cases:
        with open(f'{D}/s.zip', 'wb') as f:
            f.write(data)
        r = axt('reduce', 'sum', f'{D}/s.zip:t')
        t.ok(r.rc == 1 and want in r.err.splitlines()[0] and len([x for x in r.err.splitlines() if 'hint' not in x]) == 1,
             f'{name} is an error', f'{r}\nwant {want}')
    p = zipped(dict(keys, **{'../x/zarr.json': keys['t/zarr.json']}))
    r = axt('reduce', 'sum', f'{p}:t')
    t.ok(r.rc == 1 and 'is no name of a node' in r.err, 'a name that leads out of a zip is an error', r)


def references_refused(t):
    a = np.arange(4, dtype='i4')
    keys = {k: v.decode() for k, v in group(2, t=array2(a, [4], np.int32(0))).items() if k != 't/0'}
    os.makedirs(f'{D}/below', exist_ok=True)
    with open(f'{D}/beside', 'wb') as f:
        f.write(a.tobytes())

    def refer(to, **more):
        with open(f'{D}/below/r.json', 'w', encoding='utf-8') as f:
            json.dump({'version': 1, 'refs': dict(keys, **{'t/0': to}), **more}, f)
        return f'{D}/below/r.json'
    cases = [
        ('an address', ['s3://b/x', 0, 16], 'r.json: t/0: refers to s3://b/x, and axt reads files'),
        ('a chain of addresses', ['zip://x::y', 0, 16], 'and axt reads files'),
        ('a file elsewhere', ['../beside', 0, 16], 'r.json: t/0: refers to ../beside, which is not in the folder'),
        ('a file that is not there', ['none', 0, 16], 'refers to none: No such file'),
        ('text that is no base64', 'base64:!!', 't/0: is no base64'),
        ('a chunk cut short', 'base64:AAAA', 'r.json:t: chunk 0: wrong size'),
        ('an offset below zero', ['none', -1, 16], 'is no list of an address'),
        ('a number', 7, 'is no reference'),
        ('a template that is not there', ['{{u}}', 0, 16], 'refers to a template'),
    ]
    for name, to, want in cases:
        r = axt('reduce', 'sum', f'{refer(to)}:t')
        t.ok(r.rc == 1 and want in r.err and len([x for x in r.err.splitlines() if 'hint' not in x]) == 1,
             f'a reference to {name} is an error', f'{r}\nwant {want}')
    p = refer(['../beside', 0, 16])
    t.ok(axt('print', '--allow-external', f'{p}:t').out.split() == b'0 1 2 3'.split(), '--allow-external reads it')
    r = axt('reduce', 'sum', '--allow-external', f'{refer(["../beside", 4, 16])}:t')
    t.ok(r.rc == 1 and 'behind the end' in r.err, 'a reference behind the end of a file is an error', r)
    r = axt('reduce', 'sum', f'{refer("x", gen=[{"key": "x"}])}:t')
    t.ok(r.rc == 1 and 'generated references' in r.err, 'generated references are an error', r)


def damaged(t, cases, seed):
    """Where each byte of a chunk has a checksum, damage is an error that names store and chunk: by no chance a wrong value."""
    a = np.random.default_rng(seed).integers(-9, 9, (7, 9)).astype('i4')
    ways = {'crc32c': lambda: store(group(3, t=array3(a, [2, 4], np.int32(99), chain=['zlib', 'crc32c']))),
            'gzip': lambda: store(group(2, t=array2(a, [2, 4], np.int32(99), chain=['gzip']))),
            'zip': lambda: zipped(group(3, t=array3(a, [2, 4], np.int32(99)))),
            'shards': lambda: store(group(3, t=array3(a, [4, 8], np.int32(99), chain=['crc32c'], inner=[2, 4], first=seed % 2 == 0)))}

    def case(k):
        rng = np.random.default_rng(seed + k)
        way = list(ways)[k % len(ways)]
        p = ways[way]()
        if way == 'zip':
            with zipfile.ZipFile(p) as z:
                names = [x for x in z.namelist() if '/c/' in x]
                one = z.getinfo(names[int(rng.integers(len(names)))])
            path, first, n, chunk = p, one.header_offset + 30 + len(one.filename), one.file_size, one.filename
        else:
            names = sorted(f'{at}/{x}' for at, _, files in os.walk(p) for x in files if 'zarr' not in x and x[0] != '.')
            path = names[int(rng.integers(len(names)))]
            first, n, chunk = 0, os.path.getsize(path), path.removeprefix(f'{p}/t/')
        with open(path, 'rb') as f:
            data = bytearray(f.read())
        for _ in range(int(rng.integers(1, 4))):
            data[first + int(rng.integers(n))] ^= 1 << int(rng.integers(8))
        if way != 'zip' and rng.random() < .2:
            data = data[:int(rng.integers(n))]
        with open(path, 'wb') as f:
            f.write(data)
        r = axt('to', '--raw', '--format', 'raw', '-', f'{p}:t', env={'AXT_THREADS': '1'}, timeout=30)
        right = r.rc == 0 and r.out == a.tobytes()   # a bit flipped twice; the time in the head of gzip
        if not right and (r.rc != 1 or p not in r.err or chunk not in r.err or len(r.err.splitlines()) > 2):
            t.ok(False, f'{way}: damage {seed + k}', f'{chunk}\n{r}')
    in_batches(t, cases, 'damaged chunks {}: an error that names store and chunk, or what was stored', case)
    bad, keys = [], [group(3, t=array3(a, [2, 4], np.int32(0))), group(2, t=array2(a, [2, 4], np.int32(0)))]
    for k in range(max(cases // 4, 5)):
        rng = np.random.default_rng(seed + k)
        version = k % 2
        name = ('t/zarr.json', 't/.zarray')[version]
        cut_off = dict(keys[version], **{name: keys[version][name][:int(rng.integers(len(keys[version][name])))]})
        p = zipped(cut_off) if rng.random() < .3 else store(cut_off)
        r = axt('reduce', 'sum', f'{p}:t')
        bad += [] if r.rc == 1 and p in r.err and 'Traceback' not in r.err and len(r.err.splitlines()) <= 2 else [f'{k} {r}']
    t.ok(not bad, 'metadata cut anywhere are an error that names the store', '\n'.join(bad[:5]))


def mutants(t, n):
    """Bytes of metadata and chunks changed: never a crash, and no other values where checksums would tell."""
    rng = np.random.default_rng(1)
    a = np.arange(40, dtype='i4').reshape(5, 8)
    bases = [group(3, t=array3(a, [2, 4], np.int32(0), chain=['gzip', 'crc32c'], inner=[1, 2], dims=['y', 'x'])),
             group(2, t=array2(a, [2, 4], np.int32(0), chain=['shuffle', 'zlib'], dims=['y', 'x']))]
    bad = []
    for k in range(n):
        keys = dict(bases[k % 2])
        key = sorted(keys)[int(rng.integers(len(keys)))]
        data = bytearray(keys[key])
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(data)))
            if rng.random() < .3:
                del data[at:at + int(rng.integers(1, 9))]
                data = data or bytearray(b' ')
            else:
                data[at] = int(rng.integers(256))
        keys[key] = bytes(data)
        p = store(keys) if k % 4 < 2 else zipped(keys)
        if k % 8 == 7:   # the archive itself
            with open(p, 'r+b') as f:
                f.seek(int(rng.integers(os.path.getsize(p))))
                f.write(bytes([int(rng.integers(256))]))
        r = axt('reduce', 'sum', f'{p}:t', timeout=60)
        if r.rc not in (0, 1) or (r.rc == 1) != bool(r.err) or len(r.err.splitlines()) > 2:
            bad.append(f'{k}: {key}: {r}')
    t.ok(not bad, f'{n} damaged stores: an answer or one line', '\n'.join(bad[:5]))


WRITER = r'''
import sys, json, warnings
warnings.simplefilter("ignore")
import numpy as np, zarr, numcodecs
from zarr import codecs as c
out, seed = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(seed)
for version in (2, 3):
    g = zarr.open_group(f"{out}/w{version}.zarr", mode="w", zarr_format=version)
    for k in range(12):
        shape = tuple(int(n) for n in rng.integers(1, 12, int(rng.integers(1, 4))))
        chunks = tuple(int(rng.integers(1, n + 1)) for n in shape)
        d = str(rng.choice("bool int8 uint16 int32 int64 float16 float32 float64 complex64 complex128 >f4 >i8".split()))
        a = (rng.standard_normal(shape) * 9).astype(d)
        how = dict(name=f"a{k}", shape=shape, chunks=chunks, dtype=d)
        if version == 3:
            pack = [None, c.BloscCodec(cname="zstd"), c.BloscCodec(cname="lz4", shuffle="bitshuffle"), c.GzipCodec(),
                    c.ZstdCodec(), [c.GzipCodec(), c.Crc32cCodec()]][int(rng.integers(6))]
            shards = tuple(n * int(rng.integers(1, 4)) for n in chunks) if rng.random() < .4 else None
            more = dict(filters=c.TransposeCodec(order=tuple(range(len(shape)))[::-1])) if rng.random() < .3 else {}
            z = g.create_array(**how, compressors=pack, shards=shards, **more)
        else:
            pack = [None, numcodecs.Blosc(), numcodecs.Zlib(), numcodecs.GZip(), numcodecs.Zstd(), numcodecs.LZ4(),
                    numcodecs.BZ2()][int(rng.integers(7))]
            z = g.create_array(**how, compressors=pack, order=str(rng.choice(["C", "F"])))
        z[...] = a
        a = z[...]
        a.astype(a.dtype.newbyteorder("<")).tofile(f"{out}/w{version}.a{k}.raw")
'''
XARRAY = r'''
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np, xarray as xr, pandas as pd
out = sys.argv[1]
t = np.random.default_rng(1).standard_normal((10, 5, 6)).astype("f4")
t[0, 0, :3] = np.nan
ds = xr.Dataset({"t": (("time", "lat", "lon"), t), "n": (("time",), np.arange(10)), "k": ((), np.int32(7))},
    coords={"time": pd.date_range("2001-01-30", periods=10), "lat": np.linspace(-10, 10, 5), "lon": np.arange(6.),
            "area": (("lat", "lon"), np.ones((5, 6)))}, attrs={"title": "x"})
ds.t.attrs["units"] = "K"
pack = {"t": {"scale_factor": .01, "add_offset": 3., "dtype": "i2", "_FillValue": -32768}}
for v in (2, 3):
    ds.to_zarr(f"{out}/x{v}.zarr", mode="w", zarr_format=v)
    ds.to_zarr(f"{out}/p{v}.zarr", mode="w", zarr_format=v, encoding=pack)
    xr.open_zarr(f"{out}/p{v}.zarr").t.values.astype("f8").tofile(f"{out}/p{v}.raw")
ds.t.values.tofile(f"{out}/x.raw")
'''


def python():
    for p in (os.environ.get('ZARR_PYTHON'), sys.executable):
        if p and subprocess.run([p, '-c', 'import zarr, numcodecs, xarray; assert zarr.__version__ >= "3"'],
                                capture_output=True, check=False).returncode == 0:
            return p
    return None


def stored(path):
    """The tensors of a store, as arrays."""
    info = json.loads(axt('info', '--json', path).out)
    return sorted(x['name'] for x in info['tensors'])


def random_copy(t, k):
    """What was written as Zarr is read as it was, chunked or not."""
    rng = np.random.default_rng(10**6 + k)
    rank = int(rng.integers(0, 5))
    a = random_values(rng, rng.choice([d for d in DTYPES if d[0] != '>']), tuple(int(n) for n in rng.integers(1, 30, rank)))
    p = store(group(3, t=array3(a, [max(1, n // 2) for n in a.shape], a.dtype.type(0), dims=list('abcd')[:rank])))
    how = [[], ['--compress', 'deflate:1'], ['--compress', 'none'], ['--compress', 'zstd:5']][int(rng.integers(4))]
    if rank and rng.random() < .5:
        how += ['--chunk', ','.join(f'{d}={rng.integers(1, 40)}' for d in 'abcd'[:rank])]
    r = axt('cast', f'{p}:t', *how, '-o', f'{D}/out.zarr', env={'AXT_THREADS': str(rng.integers(1, 4))})
    got = values(f'{D}/out.zarr', a)
    if r.rc or not isinstance(got, np.ndarray) or got.tobytes() != a.tobytes():
        t.ok(False, f'copy {k}', f'{a.dtype.str} {a.shape}\n{r}{got}')


def written(t):
    with packers.h5py.File(f'{D}/w.nc', 'w') as f:
        x = f.create_dataset('x', data=np.array([1.5, 2, 4]))
        x.make_scale('x')
        x.attrs['units'] = 'm'
        f['name'] = [b'a', 'gr\u00fcn'.encode(), b'c']
        f['name'].dims[0].attach_scale(x)
        for n in ('t', 'g/u'):
            f[n] = np.arange(3, dtype='i2')
        f['t'].dims[0].attach_scale(x)
        f['t'].attrs.update({'coordinates': 'name', 'scale_factor': .5, '_FillValue': np.int16(2), 'flags': np.arange(3),
                             'texts': ['a', 'b']})
        f.attrs['title'] = 'T'
        f['g'].attrs['of'] = 'g'
    out = f'{D}/w.zarr'
    for turn in ('new', 'replaced'):
        r = axt('copy', f'{D}/w.nc', '-o', out)
        t.ok(r.rc == 0 and stored(out) == ['/g/u', 't'], f'a whole file as a store, {turn}', r)
    t.ok(axt('equal', f'{D}/w.nc:t', f'{out}:t').rc == 0, 'packed values and coordinates are the same')
    with open(f'{out}/t/zarr.json', encoding='utf-8') as f:
        meta = json.load(f)
    t.ok(meta['dimension_names'] == ['x'] and meta['attributes']['flags'] == [0, 1, 2] and meta['attributes']['_FillValue'] == 2
         and meta['attributes']['texts'] == ['a', 'b'] and meta['attributes']['scale_factor'] == .5, 'attributes', meta)
    r = axt('print', f'{out}:name')
    t.ok(r.out.decode().split() == ['a', 'gr\u00fcn', 'c'], 'text along an axis', f'{r}{r.out}')
    with open(f'{out}/zarr.json', encoding='utf-8') as f:
        root = json.load(f)
    t.ok(sorted(root['consolidated_metadata']['metadata']) == ['g', 'g/u', 'name', 't', 'x'] and
         root['consolidated_metadata']['metadata']['g']['attributes'] == {'of': 'g'} and root['attributes']['title'] == 'T',
         'consolidated metadata', root)
    t.ok(not [x for x in os.listdir(D) if x.startswith('.')], 'nothing else is left')
    r = axt('to', f'{D}/to.zarr/', f'{D}/w.nc:t', f'{D}/w.nc:g/u')
    t.ok(r.rc == 0 and stored(f'{D}/to.zarr') == ['t', 'u'], 'axt-to writes a store', f'{r}')
    a = np.arange(40, dtype='i4').reshape(5, 8)
    keys = group(3, t=array3(a, [2, 4], np.int32(0), chain=['gzip']), u=array3(a, [2, 4], np.int32(0)))
    p = store(keys)
    os.makedirs(f'{D}/full.zarr', exist_ok=True)
    for n in ('full.zarr/x', 'file.zarr'):
        with open(f'{D}/{n}', 'w', encoding='utf-8') as f:
            f.write('x')
    cases = [
        ('a directory with other files', ['add', f'{p}:t', 1, '-o', f'{D}/full.zarr'], 'full.zarr: is a directory, and no store'),
        ('a file', ['add', f'{p}:t', 1, '-o', f'{D}/file.zarr'], 'file.zarr: is a file, and no store'),
        ('--no-clobber', ['add', f'{p}:t', 1, '-N', '-o', p], 's.zarr: exists'),
        ('an operand with other arrays', ['add', f'{p}:t', 1, '-o', p], 'is also an operand and holds other tensors'),
        ('one array', ['add', f'{p}:t', 1, '-o', f'{p}:u'], 'one array of a store'),
        ('an expression', ['save', f'{p}:t', '-o', f'{D}/e.zarr'], 'a store of Zarr holds values'),
        ('another compression', ['add', f'{p}:t', 1, '--compress', 'lz4', '-o', f'{D}/e.zarr'], 'e.zarr: a store of Zarr is compressed by'),
        ('axt-assign', ['assign', f'{p}:t', '=', 1], 'is a store of Zarr, which is not changed in place'),
        ('axt-attr', ['attr', 'units=K', f'{p}:t'], 'is a store of Zarr, which is not changed in place'),
        ('a name that leads out', ['add', f'{p}:t', 1, '--name', '../x', '-o', f'{D}/e.zarr'], '../x'),
        ('no folder', ['add', f'{p}:t', 1, '-o', f'{D}/none/e.zarr'], 'none/e.zarr: No such file'),
    ]
    for name, args, want in cases:
        r = axt(*args)
        t.ok(r.rc in (1, 2) and want in r.err and not os.path.exists(f'{D}/e.zarr'), f'{name} is an error', f'{r}\nwant {want}')
    t.ok(np.array_equal(values(f'{p}:t', a), a), 'what was there stays')
    os.remove(f'{p}/t/c/0/0')
    with open(f'{p}/t/c/0/0', 'wb') as f:
        f.write(b'x')
    r = axt('add', f'{p}:t', 1, '-o', f'{D}/e.zarr')
    t.ok(r.rc == 1 and not os.path.exists(f'{D}/e.zarr') and not [x for x in os.listdir(D) if x.startswith('.')],
         'a run that fails leaves nothing', r)
    p = store(dict(keys))
    r = axt('add', '--force', f'{p}:t', 1, '-o', p)
    t.ok(r.rc == 0 and np.array_equal(values(p, a), a + 1), 'a store is replaced by what was computed of it', r)


def names(t):
    """Every name of an array that a directory can have, hidden ones too, is listed and read; another is an error with it."""
    a = np.arange(3, dtype='i2')
    good = ['.hidden', 'a.b', '0.0', '0', 'c', '__x', '.zattrs', '.zarray', '.zgroup', '...', ' x ', '-x', '~', 'a:b', '*', '[x]', 'a\nb',
            '"q"', '%41', '\u65e5\u672c', 'e\u0301', '\U0001f600', 'x' * 255, '.g/x', 'g/.h/x', 'c/c', 'c/0', 'x.zarr/y', 'g/.zgroup', '{a}']
    for name in good:
        with packers.h5py.File(f'{D}/names.h5', 'w') as f:
            f[name] = a
            f['v_'] = a
        r = axt('copy', f'{D}/names.h5', '-o', f'{D}/names.zarr')
        back = axt('copy', f'{D}/names.zarr', '-o', f'{D}/back.h5')
        if r.rc or back.rc or not os.path.exists(f'{D}/names.zarr/{name}/zarr.json'):
            t.ok(False, f'an array called {name!r}', f'{r}{back}')
            continue
        with packers.h5py.File(f'{D}/back.h5') as f:
            same = name in f and np.array_equal(f[name], a) and np.array_equal(f['v_'], a)
        old = store(group(2, **{name.replace('/', '__'): array2(a, [2], np.int16(0))})) if name not in ('__x', '.zattrs', '.zarray', '.zgroup', 'g/.zgroup') else None
        r = axt('copy', old, '-o', f'{D}/back.h5') if old else r
        with packers.h5py.File(f'{D}/back.h5') as f:
            t.ok(same and r.rc == 0 and np.array_equal(f[name], a), f'an array called {name!r}', r)
    for name in ('zarr.json', 'g/zarr.json', 'zarr.json/x', '..', 'a\\b', 'x' * 256, 'g/' + '\u00e9' * 128):
        with packers.h5py.File(f'{D}/names.h5', 'w') as f:
            f[name] = a
            f['v_'] = a
        r = axt('copy', f'{D}/names.h5', '-o', f'{D}/bad.zarr')
        t.ok(r.rc == 1 and name[:30] in r.err and 'cannot be a name in Zarr' in r.err and not os.path.exists(f'{D}/bad.zarr'),
             f'an array called {name[:30]!r} is an error', r)


def peers(t):
    p = python()
    if not p:
        t.skip('stores of zarr-python and xarray', 'no module zarr here')
        return
    for seed in range(1 if SLOW else 6):
        r = subprocess.run([p, '-c', WRITER, D, str(seed)], capture_output=True, text=True, check=False)
        bad = [r.stderr] if r.returncode else []
        for v, k in itertools.product((2, 3), range(12)):
            got = axt('to', '--format', 'raw', '-', f'{D}/w{v}.zarr:a{k}')
            with open(f'{D}/w{v}.a{k}.raw', 'rb') as f:
                if got.rc or got.out != f.read():
                    bad.append(f'{got} w{v} a{k}')
        t.ok(not bad, f'24 arrays of zarr-python, seed {seed}', '\n'.join(bad[:5]))
    r = subprocess.run([p, '-c', XARRAY, D], capture_output=True, text=True, check=False)
    t.ok(r.returncode == 0, 'xarray writes', r.stderr)
    for v in (2, 3):
        x = np.fromfile(f'{D}/x.raw', 'f4').reshape(10, 5, 6)
        got = values(f'{D}/x{v}.zarr:t', x)
        t.ok(isinstance(got, np.ndarray) and np.array_equal(got, x, equal_nan=True), f'xarray, version {v}', got)
        info = axt('info', f'{D}/x{v}.zarr').out.decode()
        t.ok('2001-01-30 .. 2001-02-08' in info and 'units = "K"' in info and 'title = "x"' in info,
             f'xarray, version {v}: times and attributes', info)
        r = axt('copy', f'{D}/x{v}.zarr', '-o', f'{D}/y{v}.zarr')
        back = subprocess.run([p, '-W', 'error', '-c', 'import sys, xarray as xr; a, b = map(xr.open_zarr, sys.argv[1:]); '
                               'a.attrs = b.attrs = {}; assert a.identical(b.drop_attrs(deep=False)), (a, b)',
                               f'{D}/x{v}.zarr', f'{D}/y{v}.zarr'], capture_output=True, text=True, check=False, cwd=D)
        t.ok(r.rc == 0 and back.returncode == 0, f'xarray, version {v}: copied, and read by xarray', f'{r}{back.stderr}')
        r = axt('print', f'{D}/x{v}.zarr:k')
        t.ok(r.out.split() == [b'7'], f'xarray, version {v}: a scalar', r)
        x = np.fromfile(f'{D}/p{v}.raw').reshape(10, 5, 6)
        got = values(f'{D}/p{v}.zarr:t', x)
        t.ok(isinstance(got, np.ndarray) and np.allclose(got, x, 1e-12, equal_nan=True), f'xarray, version {v}, packed', got)


def main():
    t = Tap()
    cases, seed = random_cases(100, 50, 5, 1)
    in_batches(t, cases, 'cases {} read equal', lambda k: random_case(t, seed + k))
    in_batches(t, cases, 'shards in shards {}', lambda k: shards_in_shards(t, seed + k))
    in_batches(t, cases, 'codecs of numbers {}', lambda k: random_numbers(t, seed + k))
    transposed(t)
    hierarchy(t)
    missing(t)
    absent(t)
    dates(t)
    texts(t)
    text_fills(t)
    any_texts(t)
    refused(t)
    zips_refused(t)
    references_refused(t)
    in_batches(t, cases, 'copies {} are the same', lambda k: random_copy(t, seed + k))
    written(t)
    names(t)
    damaged(t, max(cases, 20), seed)
    mutants(t, 20 if SLOW else 100)
    peers(t)
    t.done()


if __name__ == '__main__':
    main()
