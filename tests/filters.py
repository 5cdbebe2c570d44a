#!/usr/bin/python3
"""Filters of chunks: what axt reads is what was packed, by the libraries themselves; damaged chunks are errors.

Chunks are packed here by libzstd, liblz4, libblosc, bz2 and a bitshuffle of NumPy, and written by h5py as they are; LZF,
szip, n-bit and scale-offset are packed by h5py. Where the module hdf5plugin is there, its filters pack, too.
"""
import bz2
import ctypes
import os
import resource
import struct
import subprocess
import zlib

import h5py
import numpy as np

from axtlib import SANITIZER, SLOW, Tap, axt, in_batches, random_cases, scratch

try:
    import hdf5plugin
except ImportError:
    hdf5plugin = None

D = scratch()
PY = '/usr/bin/python3'    # hdf5plugin may be in an environment of its own
DTYPES = 'i1 u1 <i2 >i2 <u4 >i4 <i8 <f4 >f4 <f8 <f2'.split()


def library(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


ZSTD, LZ4, BLOSC = library('libzstd.so.1'), library('liblz4.so.1'), library('libblosc.so.1')


def zstd(data):
    ZSTD.ZSTD_compressBound.restype = ZSTD.ZSTD_compress.restype = ctypes.c_size_t
    n = ZSTD.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(n)
    k = ZSTD.ZSTD_compress(out, ctypes.c_size_t(n), data, ctypes.c_size_t(len(data)), 3)
    return out.raw[:k]


def lz4_block(data):
    out = ctypes.create_string_buffer(len(data) * 2 + 64)
    n = LZ4.LZ4_compress_default(data, out, len(data), len(out))
    return out.raw[:n]


def lz4(data, block):
    out = struct.pack('>QI', len(data), block)
    for i in range(0, len(data), block):
        plain = data[i:i + block]
        packed = lz4_block(plain)
        packed = plain if len(packed) >= len(plain) else packed
        out += struct.pack('>I', len(packed)) + packed
    return out


def blosc(data, size, shuffle, codec):
    out = ctypes.create_string_buffer(len(data) + 16)
    k = BLOSC.blosc_compress_ctx(5, shuffle, ctypes.c_size_t(size), ctypes.c_size_t(len(data)), data, out,
                                 ctypes.c_size_t(len(out)), codec.encode(), ctypes.c_size_t(0), 1)
    return out.raw[:k]


def bits(data, size, block):
    """Blocks of shuffled bits, and the bytes at the end that are left as they are."""
    n, at, out = len(data) // size, 0, []
    while (k := min(block, (n - at) // 8 * 8)) > 0:
        x = np.frombuffer(data, 'u1', k * size, at * size).reshape(k, size)
        out.append(np.packbits(np.unpackbits(x, axis=1, bitorder='little').T.copy(), axis=1, bitorder='little').tobytes())
        at += k
    return out, data[at * size:]


def bitshuffle(data, size, block, pack):
    blocks, rest = bits(data, size, block)
    if not pack:
        return b''.join(blocks) + rest
    out = struct.pack('>QI', len(data), block * size)
    for b in blocks:
        packed = pack(b)
        out += struct.pack('>I', len(packed)) + packed
    return out + rest


# name: number, parameters of (size, bytes of a chunk), packing by (data, size)
PACKED = {
    'bzip2': (307, lambda s, n: (9,), lambda d, s: bz2.compress(d)),
}
if ZSTD:
    PACKED['zstd'] = 32015, lambda s, n: (3,), lambda d, s: zstd(d)
    PACKED['zstd of two frames'] = 32015, lambda s, n: (), lambda d, s: zstd(d[:len(d) // 2]) + zstd(d[len(d) // 2:])
if LZ4:
    PACKED['lz4'] = 32004, lambda s, n: (), lambda d, s: lz4(d, 1 << 30)
    PACKED['lz4 in blocks'] = 32004, lambda s, n: (100,), lambda d, s: lz4(d, 100)
    PACKED['bitshuffle, lz4'] = 32008, lambda s, n: (0, 4, s, 64, 2), lambda d, s: bitshuffle(d, s, 64, lz4_block)
if ZSTD:
    PACKED['bitshuffle, zstd'] = 32008, lambda s, n: (0, 4, s, 0, 3), lambda d, s: bitshuffle(d, s, max(8192 // s, 128), zstd)
PACKED['bitshuffle'] = 32008, lambda s, n: (0, 4, s, 0, 0), lambda d, s: bitshuffle(d, s, max(8192 // s, 128), None)
if BLOSC:
    for codec in 'blosclz lz4 zlib zstd'.split():
        for how in range(3):
            PACKED[f'blosc {codec} {how}'] = 32001, lambda s, n: (2, 2, s, n), lambda d, s, c=codec, h=how: blosc(d, s, h, c)
if hdf5plugin:
    # it sets parameters of its own
    PACKED = {n: how for n, how in PACKED.items() if how[0] != 32008}


def numbers(rng, shape, dtype):
    return np.full(shape, 3, dtype) if rng.random() < .2 else (rng.standard_normal(shape) * 50).astype(dtype)


def shapes(rng):
    shape = tuple(int(n) for n in rng.integers(1, 60, rng.integers(1, 4)))
    return shape, tuple(int(rng.integers((n + 2) // 3, n + 1)) for n in shape)


def put_packed(f, name, x, chunk, how):
    """A dataset whose chunks are packed here."""
    number, params, pack = how
    size = x.dtype.itemsize
    c = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    c.set_chunk(chunk)
    # the library asks for the filter when the dataset is made, unless it is optional
    c.set_filter(number, h5py.h5z.FLAG_OPTIONAL, params(size, size * int(np.prod(chunk))))
    c.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(x.dtype), h5py.h5s.create_simple(x.shape), c)
    for at in np.ndindex(*(-(-n // k) for n, k in zip(x.shape, chunk))):
        first = tuple(i * k for i, k in zip(at, chunk))
        part = np.zeros(chunk, x.dtype)
        own = x[tuple(slice(i, i + k) for i, k in zip(first, chunk))]
        part[tuple(slice(n) for n in own.shape)] = own
        d.write_direct_chunk(first, pack(part.tobytes(), size))


def put_by_h5py(f, name, x, chunk, rng):
    """A dataset packed by h5py; returns what it holds then, or None where it was not possible."""
    kind = name.split()[0]
    how = dict(chunks=chunk)
    if kind == 'scaleoffset':
        if x.dtype == 'f2':
            return None
        how['scaleoffset'] = int(rng.integers(0, 5)) if x.dtype.kind == 'f' else 0
        if rng.random() < .5:
            how['fillvalue'] = x.flat[0]
    elif kind == 'szip':
        if np.prod(chunk) < 32 or 'szip' not in h5py.filters.encode:
            return None
        how['compression'] = 'szip'
    elif kind == 'nbit':
        c = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        c.set_chunk(chunk)
        c.set_filter(h5py.h5z.FILTER_NBIT, 0)
        d = h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(x.dtype), h5py.h5s.create_simple(x.shape), c)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(x))
        return x
    else:
        how |= dict(compression=None if kind == 'fletcher32' else kind, shuffle='shuffle' in name, fletcher32='fletcher32' in name)
    f.create_dataset(name, data=x, **how)
    # only floats lose something; libhdf5 1.14 cannot read the integers again that need all bits of a byte
    return f[name][...] if kind == 'scaleoffset' and x.dtype.kind == 'f' else x


def wrong(path, name, want):
    r = axt('to', '--raw', '--format', 'raw', '-', f'{path}:{name}')
    return '' if r.rc == 0 and r.out == want.astype(want.dtype.newbyteorder('<')).tobytes() else str(r)


def all_filters(t, seed):
    for name in list(PACKED) + ['lzf', 'lzf shuffle', 'szip', 'scaleoffset', 'nbit', 'gzip', 'gzip shuffle',
                                'fletcher32', 'lzf fletcher32']:
        bad, n = [], 0
        for k, dtype in enumerate(DTYPES):
            rng = np.random.default_rng([seed, k])
            shape, chunk = shapes(rng)
            x = numbers(rng, shape, dtype)
            with h5py.File(f'{D}/a.h5', 'w') as f:
                if name in PACKED:
                    put_packed(f, 'x', x, chunk, PACKED[name])
                else:
                    x = put_by_h5py(f, name, x, chunk, rng)
                    if x is None:
                        continue
                    f['x'] = f[name]
            n += 1
            why = wrong(f'{D}/a.h5', 'x', x)
            bad += [f'{dtype} {shape} {chunk}: {why}'] if why else []
        t.ok(n and not bad, f'{name}: {n} datasets', '\n'.join(bad[:3])) if n else t.skip(name, 'h5py has it not')
    for what, there in (('zstd', ZSTD), ('lz4', LZ4), ('blosc', BLOSC)):
        if not there:
            t.skip(what, 'its library is not here')


def zfp_ways():
    return {f'zfp {n}': hdf5plugin.Zfp(**a) for n, a in dict(accuracy=dict(accuracy=.01), rate=dict(rate=9), precision=dict(precision=17),
            reversible=dict(reversible=True)).items()} if hdf5plugin else {}


def put_zfp(f, name, how, rng):
    """A dataset that zfp packs: numbers of 4 or 8 bytes, along 1 to 4 axes. The numbers, not yet rounded; None: they cannot be packed."""
    x = numbers(rng, tuple(rng.integers(2, 20, rng.integers(1, 5))), rng.choice('<i4 <i8 <f4 <f8'.split()))
    try:
        f.create_dataset(name, data=x, chunks=tuple(int(rng.integers(2, n + 1)) for n in x.shape), **how)
        return x
    except (ValueError, OSError):	# the accuracy of integers
        del f[name]


def by_zfp(t, cases, seed):
    for name, how in zfp_ways().items():
        bad = []
        for k in range(cases):
            with h5py.File(f'{D}/a.h5', 'w') as f:
                x = put_zfp(f, 'x', how, np.random.default_rng([seed, k]))
            if x is not None:
                with h5py.File(f'{D}/a.h5') as f:	# anew: what is not yet written is not yet rounded
                    x = f['x'][...]
                why = wrong(f'{D}/a.h5', 'x', x)
                bad += [f'{x.dtype} {x.shape}: {why}'] if why else []
        t.ok(not bad, f'hdf5plugin: {name}', '\n'.join(bad[:3]))


def by_pieces(t):
    """A chunk larger than the memory that may be used is unpacked piece by piece."""
    x = np.random.default_rng(2).integers(0, 9, (1 << 21, 4)).astype('i4')
    if ZSTD:
        with h5py.File(f'{D}/p.h5', 'w') as f:
            put_packed(f, 'x', x, x.shape, PACKED['zstd'])
        r = axt('reduce', 'sum', '--memory', '24M', '--print', f'{D}/p.h5:x')
        t.ok(r.rc == 0 and int(r.out) == x.sum(), 'a chunk of zstd of 32 MiB, within 24 MiB', r)


def by_plugins(t, seed):
    if not hdf5plugin:
        t.skip('filters of hdf5plugin', 'it is not here')
        return
    for name, how in plugin_ways().items():
        bad = []
        for k, dtype in enumerate(DTYPES):
            rng = np.random.default_rng([seed, k])
            shape, chunk = shapes(rng)
            with h5py.File(f'{D}/a.h5', 'w') as f:
                f.create_dataset('x', data=numbers(rng, shape, dtype), chunks=chunk, **how)
                x = f['x'][...]
            why = wrong(f'{D}/a.h5', 'x', x)
            bad += [f'{dtype} {shape} {chunk}: {why}'] if why else []
        t.ok(not bad, f'hdf5plugin: {name}', '\n'.join(bad[:3]))


def written(t, cases, seed):
    """What axt packs is read back by axt, by h5py where its library has the filter, and by netCDF4."""
    ways = [(c, s) for c in ('deflate', 'deflate:1', 'zstd', 'zstd:9', 'lz4') for s in ('byte', 'bit', 'none')]

    def case(k):
        rng = np.random.default_rng(seed + k)
        c, s = ways[k % len(ways)]
        shape, chunk = shapes(rng)
        x = numbers(rng, shape, rng.choice('i1 <u2 <i4 <f4 <f8 <f2 <c16'.split()))
        with h5py.File(f'{D}/w.h5', 'w') as f:
            f['x'] = x
        lens = ','.join(f'dim_{i}={n}' for i, n in enumerate(chunk))
        r = axt('copy', '-q', '--compress', c, '--shuffle', s, '--chunk', lens, f'{D}/w.h5', '-o', f'{D}/z.h5')
        ok = r.rc == 0 and axt('equal', f'{D}/w.h5:x', f'{D}/z.h5:x').rc == 0
        with h5py.File(f'{D}/z.h5') as f:
            plist = f['x'].id.get_create_plist()
            numbers_of = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
            ok = ok and f['x'].chunks == chunk and numbers_of
            if all(h5py.h5z.filter_avail(i) for i in numbers_of):
                ok = ok and f['x'][...].tobytes() == x.tobytes()
        if not ok:
            t.ok(False, f'{c} {s} {x.dtype} {shape} {chunk} {seed + k}', r)
    in_batches(t, cases, 'written chunks {}: read back as they were', case)


def shuffled(t):
    """Planes of bytes of each size of elements are those of NumPy, from chunks that are one run of the tensor and from others."""
    bad = []
    for dtype in 'i1', '<u2', '<f4', '<f8', '<c16':
        for n in 1, 15, 16, 17, 33, 1000:
            for shape, chunk in ((3 * n + 1,), (n,)), ((3, n), (1, n)), ((3, n), (2, n)), ((3, 2 * n), (1, n)), ((3, 2 * n), (2, n)):
                x = numbers(np.random.default_rng(n), shape, dtype)
                with h5py.File(f'{D}/w.h5', 'w') as f:
                    f['x'] = x
                lens = ','.join(f'dim_{i}={k}' for i, k in enumerate(chunk))
                r = axt('copy', '-q', '--compress', 'deflate:1', '--shuffle', 'byte', '--chunk', lens, f'{D}/w.h5', '-o', f'{D}/z.h5')
                padded = np.zeros([-(-s // c) * c for s, c in zip(shape, chunk)], dtype)
                padded[tuple(slice(s) for s in shape)] = x
                with h5py.File(f'{D}/z.h5') as f:
                    for i in range(f['x'].id.get_num_chunks()):
                        at = f['x'].id.get_chunk_info(i).chunk_offset
                        part = padded[tuple(slice(k, k + c) for k, c in zip(at, chunk))]
                        want = np.frombuffer(part.tobytes(), 'u1').reshape(-1, x.itemsize).T.tobytes()
                        if r.rc or zlib.decompress(f['x'].id.read_direct_chunk(at)[1]) != want:
                            bad += [f'{dtype} {shape} {chunk} at {at}']
    t.ok(not bad, 'shuffled bytes are those of NumPy', '\n'.join(bad[:5]))


def by_netcdf(t):
    """What axt packs is read by netCDF4 of the system, with the plugins that the warning names."""
    code = f"""
import netCDF4
a, b = (netCDF4.Dataset(f'{D}/' + n)['t'][:] for n in ('n.nc', 'p.nc'))
print((a == b).all())"""
    if not hdf5plugin or subprocess.run([PY, '-c', 'import netCDF4'], stderr=subprocess.DEVNULL).returncode:
        t.skip('what axt packs, by netCDF4', 'it or hdf5plugin is not here')
        return
    axt('make', 'random', 'y=300,x=40', '--name', 't', '-o', f'{D}/n.nc')
    for words in (['zstd'], ['zstd', '--shuffle', 'bit'], ['lz4'], ['lz4', '--shuffle', 'bit'], ['deflate', '--shuffle', 'bit']):
        axt('copy', '-q', f'{D}/n.nc', '-o', f'{D}/p.nc', '--chunk', 'y=100', '--compress', *words)
        r = subprocess.run([PY, '-c', code], env=dict(os.environ, HDF5_PLUGIN_PATH=hdf5plugin.PLUGIN_PATH),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        t.ok(r.stdout == 'True\n', f'netCDF4 reads {" ".join(words)}', r.stdout)


def plugin_ways():
    """What packs chunks in each way that hdf5plugin has, by name."""
    if not hdf5plugin:
        return {}
    ways = {'zstd': hdf5plugin.Zstd(clevel=5), 'lz4': hdf5plugin.LZ4(), 'lz4 in blocks': hdf5plugin.LZ4(nbytes=1000),
            'bzip2': hdf5plugin.BZip2(), 'zstd shuffle': dict(shuffle=True, **hdf5plugin.Zstd())}
    ways |= {f'bitshuffle {c} {n}': hdf5plugin.Bitshuffle(cname=c, nelems=n) for c in ('lz4', 'zstd', 'none') for n in (0, 64)}
    return ways | {f'blosc {c} {s}': hdf5plugin.Blosc(cname=c, clevel=5, shuffle=s)
                   for c in ('blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd') for s in range(3)}


def little_memory():
    if not SANITIZER:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def damage(rng, path):
    """Bits of a chunk flipped, bytes changed or zeroed, where the file has it; or the chunk shortened."""
    with h5py.File(path, 'r+') as f:
        d = f['x'].id
        one = d.get_chunk_info(int(rng.integers(d.get_num_chunks())))
        if rng.random() < .2:
            mask, raw = d.read_direct_chunk(one.chunk_offset)
            d.write_direct_chunk(one.chunk_offset, raw[:int(rng.integers(1, len(raw) + 1))], mask)
            return
    with open(path, 'r+b') as f:
        f.seek(one.byte_offset)
        raw = bytearray(f.read(one.size))
        for _ in range(int(rng.integers(1, 5))):
            at = int(rng.integers(min(len(raw), 40 if rng.random() < .5 else len(raw))))
            raw[at] = raw[at] ^ 1 << int(rng.integers(8)) if rng.random() < .5 else int(rng.choice([0, 255, rng.integers(256)]))
        f.seek(one.byte_offset)
        f.write(raw)


def damaged(t, cases, seed):
    """
    Chunks damaged: an error that names file, dataset and chunk, or values, but no other end. Values that a checksum
    covers are right.
    """
    plugins, zfps = plugin_ways(), zfp_ways()
    sums = ['gzip', 'gzip shuffle', 'fletcher32', 'lzf fletcher32', 'bzip2']
    names = sorted({*PACKED, 'lzf', 'lzf shuffle', 'szip', 'scaleoffset', 'nbit', *sums, *plugins, *zfps})

    def case(k):
        rng = np.random.default_rng(seed + k)
        name = names[k % len(names)]
        dtype = rng.choice(DTYPES[:-1])
        shape, chunk = shapes(rng)
        x = numbers(rng, shape, dtype)
        path = f'{D}/d.h5'
        with h5py.File(path, 'w') as f:
            if name in zfps:
                x = put_zfp(f, 'x', zfps[name], rng)
                if x is None:
                    return
            elif name in plugins and rng.random() < .5 or name not in PACKED and name in plugins:
                f.create_dataset('x', data=x, chunks=chunk, **plugins[name])
            elif name in PACKED:
                put_packed(f, 'x', x, chunk, PACKED[name])
            else:
                x = put_by_h5py(f, name, x, chunk, rng)
                if x is None:
                    return
                f.move(name, 'x')
        damage(rng, path)
        for memory in [], ['--memory', '4M']:
            r = axt('to', '--raw', '--format', 'raw', *memory, '-', f'{path}:x', timeout=30, before=little_memory)
            fine = r.rc == 0 and len(r.out) == x.nbytes
            if name in sums:
                fine = r.rc == 0 and r.out == x.astype(x.dtype.newbyteorder('<')).tobytes()
            said = r.rc == 1 and f'{path}:x: chunk ' in r.err and r.err.count('\n') <= 2 and 'memory' not in r.err
            if not fine and not said:
                t.ok(False, f'{name}: damaged chunk {seed + k}', r)
    in_batches(t, cases, 'damaged chunks {}: an error that names file, dataset and chunk, or values', case)


def put_part(path, x, chunk, level, odd):
    """Packs x by h5py. The first chunk, or a row of them, may be odd. Returns x as it reads."""
    x = x.copy()
    with h5py.File(path, 'w') as f:
        d = f.create_dataset('x', x.shape, x.dtype, chunks=chunk, maxshape=(None, *x.shape[1:]), fillvalue=7,
                             compression='gzip', compression_opts=level, shuffle=True, fletcher32=True)
        if odd == 'not written':
            x[:chunk[0]] = 7
            if len(x) > chunk[0]:
                d[chunk[0]:] = x[chunk[0]:]
            return x
        d[...] = x
        if odd == 'not filtered':
            x[tuple(slice(n) for n in chunk)] = 3
            d.id.write_direct_chunk((0,) * x.ndim, np.full(chunk, 3, x.dtype).tobytes(), 7)
    return x


def packed_chunks(path):
    """Where each chunk is along the first axis, and its others: its packed bytes."""
    with h5py.File(path) as f:
        d = f['x'].id
        all_of = [d.get_chunk_info(i).chunk_offset for i in range(d.get_num_chunks())]
        return {at: d.read_direct_chunk(at) for at in all_of}


def copied(t, cases, seed):
    """
    Of files joined or copied, chunks that the output has with the same filters are the packed bytes of the inputs;
    other chunks are packed again; a damaged one is an error.
    """
    def case(k):
        rng = np.random.default_rng(seed + k)
        shape, chunk = shapes(rng)
        parts, paths, same, row = [], [], [], int(rng.integers(1, 4))
        chunk = (row, *chunk[1:])
        if rng.random() < .7:  # whole chunks along the other axes
            shape = (shape[0], *(max(1, n // c) * c for n, c in zip(shape[1:], chunk[1:])))
        for i in range(int(rng.integers(1, 5))):
            n = row * int(rng.integers(1, 4)) - (int(rng.integers(row)) if rng.random() < .2 else 0)
            x = numbers(rng, (max(n, row), *shape[1:]), '<f4' if k % 2 else '<i2')
            other = i > 0 and rng.random() < .15
            odd = rng.choice(['', '', '', 'not written', 'not filtered'])
            paths.append(f'{D}/part{i}.h5')
            parts.append(put_part(paths[-1], x, chunk, 1 if other else 6, odd))
            same.append(not other and not odd)
        zarr = rng.random() < .2
        out = f'{D}/all.{"zarr" if zarr else "h5"}'
        words = ['concat', 'dim_0', *(f'{p}:x' for p in paths)] if len(paths) > 1 or k % 3 else ['copy', f'{paths[0]}:x']
        less = ['--memory', '1M'] if rng.random() < .2 else []
        r = axt(*words, '-q', '--threads', str(rng.integers(1, 5)), *less, '-o', out)
        want = np.concatenate(parts)
        got = axt('to', '--raw', '--format', 'raw', '-', f'{out}:x')
        ok = r.rc == 0 and got.out == want.tobytes()
        # an output with pieces of chunks at its ends is packed anew, as the parts of such a job are
        meets = all(len(x) % row == 0 for x in parts[:-1]) and all(n % c == 0 for n, c in zip(want.shape, chunk))
        if ok and not zarr and meets:
            packed, at = packed_chunks(out), 0
            for path, x, kept in zip(paths, parts, same):
                here = packed_chunks(path) if kept else {}
                ok = ok and all(packed[(o[0] + at, *o[1:])] == raw for o, raw in here.items())
                at += len(x)
        if not ok:
            t.ok(False, f'{words[0]} of {[x.shape for x in parts]} in {chunk} {seed + k}', r)
        if not same[0]:
            return
        with h5py.File(paths[0]) as f:
            where = f['x'].id.get_chunk_info(0)
        with open(paths[0], 'r+b') as f:
            f.seek(where.byte_offset + where.size // 2)
            byte = f.read(1)[0] ^ 64
            f.seek(where.byte_offset + where.size // 2)
            f.write(bytes([byte]))
        r = axt(*words, '-q', '-o', out)
        if r.rc != 1 or f'{paths[0]}:x: chunk 0' not in r.err:
            t.ok(False, f'{words[0]}: a damaged chunk is found {seed + k}', r)
    in_batches(t, cases, 'joined and copied files {}: their packed bytes where filters agree, an error where damaged', case)


def main():
    t = Tap()
    cases, seed = random_cases(100, 100, 20, 20261123)
    all_filters(t, seed)
    by_pieces(t)
    if not SLOW:
        by_plugins(t, seed)
        by_zfp(t, 20, seed)
    written(t, max(cases, 30), seed)
    shuffled(t)
    by_netcdf(t)
    damaged(t, cases, seed)
    copied(t, cases, seed)
    t.done()


if __name__ == '__main__':
    main()
