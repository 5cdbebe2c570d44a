#!/usr/bin/python3
"""netCDF classic: what axt reads of a file is what the netCDF library reads.

Random files of all three formats, with and without records, read from a file and from a pipe; files cut short and
damaged files, of which nothing is read that the library does not read.
"""
import gzip
import os

import netCDF4
import numpy as np

from axtlib import SLOW, Tap, axt, in_batches, random_cases, scratch

D = scratch()
FORMATS = {'NETCDF3_CLASSIC': 'i1 i2 i4 f4 f8 S1', 'NETCDF3_64BIT_OFFSET': 'i1 i2 i4 f4 f8 S1',
           'NETCDF3_64BIT_DATA': 'i1 i2 i4 f4 f8 S1 u1 u2 u4 i8 u8'}


def numbers(rng, dtype, shape):
    if dtype == 'S1':
        return rng.integers(97, 123, shape).astype('u1').view('S1').reshape(shape)
    if dtype[0] == 'f':
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(*((0, 200) if dtype[0] == 'u' else (-100, 100)), shape).astype(dtype)


def random_file(rng, path):
    """A file with some variables; what it has is asked of the library."""
    fmt = list(FORMATS)[rng.integers(3)]
    with netCDF4.Dataset(path, 'w', format=fmt) as f:
        f.set_fill_off()
        dims = {'a': 3, 'b': int(rng.integers(1, 6)), 'long_name_of_a_dimension': 2, 'grün': 4}
        records = rng.random() < .7
        if records:
            f.createDimension('time', None)
        for k, n in dims.items():
            f.createDimension(k, n)
        f.title = 'x' * int(rng.integers(0, 9))
        f.numbers = rng.integers(0, 9, int(rng.integers(1, 5))).astype('i2')
        nrec = int(rng.integers(0, 6))
        names = list(dims)
        for i in range(int(rng.integers(1, 7))):
            dtype = rng.choice(FORMATS[fmt].split())
            own = [str(k) for k in rng.permutation(names)[:rng.integers(0, 4)]]
            if records and rng.random() < .6:
                own = ['time'] + own
            if 'b' in own and rng.random() < .2:
                own = ['b']
            name = 'b' if own == ['b'] and 'b' not in f.variables and dtype != 'S1' else f'v{i}'
            v = f.createVariable(name, dtype, own)
            v.units = 'K' * int(rng.integers(1, 6))
            if dtype != 'S1' and rng.random() < .3:
                v.valid_range = numbers(rng, dtype, 2)
            shape = [nrec if k == 'time' else dims[k] for k in own]
            v[...] = numbers(rng, dtype, shape)
    return path


def expected(path):
    """{name: (axes, bytes in native order)} of numbers, as the netCDF library reads them."""
    with netCDF4.Dataset(path) as f:
        f.set_auto_maskandscale(False)
        f.set_auto_chartostring(False)
        return {n: (list(v.dimensions), np.asarray(v[...]).astype(v.dtype.newbyteorder('='))) for n, v in f.variables.items()}


def differs(path, operand, want, data=None):
    """What axt reads otherwise; an error of axt is its text."""
    for n, (axes, x) in want.items():
        if x.dtype.kind == 'S':
            continue
        r = axt('to', '--raw', '--format', 'raw', '-', f'{operand}:{n}', data=data)
        if r.rc:
            return f'{n}: {r}'
        if r.out != x.tobytes():
            return f'{n}: other values, {len(r.out)} and {x.nbytes} bytes'
    return ''


def copied(path):
    """A copy by axt-copy has the same variables, dimensions, attributes and values for the netCDF library."""
    out, bad = f'{D}/copy.nc', []
    if all(x.dtype.kind == 'S' or n == 'b' for n, (_, x) in expected(path).items()):
        return ''
    r = axt('copy', path, '-o', out, '--force')
    if r.rc:
        return str(r)
    with netCDF4.Dataset(path) as f, netCDF4.Dataset(out) as g:
        for x in f, g:
            x.set_auto_maskandscale(False)
            x.set_auto_chartostring(False)
        used = {k for n, v in f.variables.items() if n != 'b' and v.dtype != 'S1' for k in v.dimensions}
        for n, v in f.variables.items():
            w = g.variables.get(n)
            # characters that are one text, and coordinates of an axis that no tensor has
            if (n == 'b' and 'b' not in used) or (v.dtype == 'S1' and not v.dimensions):
                continue
            if w is None or v.dimensions != w.dimensions or v.dtype != w.dtype or v[...].tobytes() != w[...].tobytes():
                bad.append(f'{n}: {v.dimensions} {v.dtype}, {w is not None and (w.dimensions, w.dtype)}')
                continue
            bad += [f'{n}: attribute {k}' for k in v.ncattrs() if n != 'b'
                    and not np.array_equal(v.getncattr(k), w.getncattr(k) if k in w.ncattrs() else None)]
        bad += [f'attribute {k}' for k in f.ncattrs() if not np.array_equal(f.getncattr(k), g.getncattr(k) if k in g.ncattrs() else None)]
        bad += [f'{k} is unlimited' for k, d in f.dimensions.items()
                if k in g.dimensions and d.isunlimited() != g.dimensions[k].isunlimited()]
    return '\n'.join(bad)


def random_cases_of(t, cases, seed):
    def case(k):
        rng = np.random.default_rng(seed + k)
        path = random_file(rng, f'{D}/r.nc')
        want = expected(path)
        why = differs(path, path, want)
        if not why and k % 3 == 0:
            with open(path, 'rb') as f:
                data = f.read()
            why = differs(path, '-', want, gzip.decompress(gzip.compress(data, 1)))
        why = why or copied(path)
        if why:
            t.ok(False, f'file {seed + k}', why)
    in_batches(t, cases, 'files {} are read as the netCDF library reads them, and copied', case)


def layouts(t):
    """Records that are cut in many ways, and the ways in which a file may tell its records."""
    path = f'{D}/l.nc'

    def written(fmt, **v):
        with netCDF4.Dataset(path, 'w', format=fmt) as f:
            f.set_fill_off()
            f.createDimension('time', None)
            for n, x in v.items():
                dims = ['time'] + [f'd{x.shape[1 + i]}' for i in range(x.ndim - 1)]
                for k, m in zip(dims[1:], x.shape[1:]):
                    if k not in f.dimensions:
                        f.createDimension(k, m)
                f.createVariable(n, x.dtype.str[1:], dims)[...] = x

    rng = np.random.default_rng(1)
    sets = {
        'one variable of bytes that fill no word': dict(a=rng.integers(0, 99, (50, 3)).astype('i1')),
        'doubles at odd multiples of 4 bytes': dict(t=np.arange(3000.), s=rng.integers(0, 99, (3000,)).astype('i2')),
        'records longer than what is read at once': dict(a=rng.standard_normal((5, 300, 301)).astype('f4'), b=np.arange(5.),
                                                         c=rng.standard_normal((5, 700, 701)).astype('f4')),
        'a short record among long ones': dict(a=rng.standard_normal((9, 2)), b=rng.standard_normal((9, 200, 300)).astype('f4')),
    }
    for what, v in sets.items():
        for fmt in FORMATS:
            written(fmt, **v)
            want = expected(path)
            why = differs(path, path, want)
            for env in {'AXT_TILE': '7', 'AXT_SLAB': '4096'}, {'AXT_THREADS': '3'}:
                for n, (axes, x) in want.items():
                    r = axt('reduce', 'sum', '--over', 'time', '--print', f'{path}:{n}', env=env)
                    u = axt('reduce', 'sum', '--over', 'time', '--print', f'{path}:{n}')
                    if r.rc or r.out != u.out:
                        why = why or f'{n} with {env}: {r}'
            t.ok(not why, f'{fmt}: {what}', why)
    # the number of records left open
    for fmt, width in ('NETCDF3_CLASSIC', 4), ('NETCDF3_64BIT_DATA', 8):
        written(fmt, a=np.arange(12.).reshape(4, 3), b=np.arange(4, dtype='i4'))
        want = expected(path)
        with open(path, 'r+b') as f:
            f.seek(4)
            f.write(b'\xff' * width)
        t.ok(not differs(path, path, want), f'{fmt}: a number of records that is left open')
    # the netCDF library makes a name shorter by zeros at its end
    written('NETCDF3_CLASSIC', longname=np.arange(4.))
    with open(path, 'r+b') as f:
        f.seek(f.read().index(b'longname'))
        f.write(b'x\0\0\0\0\0\0\0')
    want = expected(path)
    t.ok(list(want) == ['x'] and not differs(path, path, want), 'a name with zeros at its end', want)


def short(t):
    """A file that is cut short: its values are an error, as far as they are missing."""
    path, cut = f'{D}/s.nc', f'{D}/cut.nc'
    rng = np.random.default_rng(3)
    with netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC') as f:
        f.createDimension('time', None)
        f.createDimension('x', 5)
        f.createVariable('fixed', 'f8', ['x'])[...] = rng.random(5)
        f.createVariable('a', 'f4', ['time', 'x'])[...] = rng.random((6, 5))
        f.createVariable('b', 'i2', ['time'])[...] = np.arange(6)
    want = expected(path)
    with open(path, 'rb') as f:
        whole = f.read()
    bad = []
    for n in range(len(whole)):
        with open(cut, 'wb') as f:
            f.write(whole[:n])
        for name, (_, x) in want.items():
            r = axt('to', '--raw', '--format', 'raw', '-', f'{cut}:{name}')
            if (r.rc == 0 and r.out != x.tobytes()) or r.rc not in (0, 1) or (r.rc and len(r.err.splitlines()) > 2):
                bad.append(f'{n} bytes: {r}')
    t.ok(not bad, f'cut after 0 to {len(whole) - 1} bytes: the values, or an error', '\n'.join(bad[:3]))


def damaged(t, cases, seed):
    """Bytes of the header changed: an error, or what the netCDF library reads."""
    path, out = f'{D}/d.nc', f'{D}/bad.nc'

    def case(k):
        rng = np.random.default_rng(seed + k)
        random_file(rng, path)
        with open(path, 'rb') as f:
            p = bytearray(f.read())
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(4, min(len(p), 600)))
            p[at] = int(rng.choice([0, 1, 2, 255, 128, rng.integers(256), p[at] ^ 1 << rng.integers(8)]))
        if rng.random() < .1:
            p = p[:rng.integers(4, len(p))]
        with open(out, 'wb') as f:
            f.write(p)
        r = axt('info', '--json', out, timeout=20)
        if r.rc not in (0, 1) or len(r.err.splitlines()) > 2:
            t.ok(False, f'damaged file {seed + k}', r)
        if r.rc:
            return
        try:
            want = expected(out)
        except (OSError, RuntimeError, ValueError, IndexError, UnicodeDecodeError, MemoryError, OverflowError, AttributeError,
                KeyError):
            return
        for n, (_, x) in want.items():
            if x.dtype.kind == 'S' or x.nbytes > 1 << 24:
                continue
            r = axt('to', '--raw', '--format', 'raw', '-', f'{out}:/{n}', timeout=20)
            if r.rc not in (0, 1, 2) or (r.rc == 0 and r.out != x.tobytes()):
                t.ok(False, f'damaged file {seed + k}: {n}', r)
    in_batches(t, cases, 'damaged files {}: an error, or what the netCDF library reads', case)


def written(t, cases, seed):
    """Files that axt-to writes in netCDF classic: the netCDF library reads what the tensors are, axt the same file again."""
    path, out = f'{D}/w.nc', f'{D}/w.cdf'

    def case(k):
        rng = np.random.default_rng(seed + k)
        dims = {'time': 5, 'lat': int(rng.integers(1, 4)), 'x': 3, 'bnds': 2}
        tensors = {}
        with netCDF4.Dataset(path, 'w') as f:
            f.title = 'of all'
            for n, m in dims.items():
                f.createDimension(n, m)
            time = f.createVariable('time', 'i8', ['time'])
            time.units, time.bounds = 'days since 2001-01-01', 'time_bnds'
            time[:] = np.arange(5) * (1 << 40 if rng.random() < .2 else 1)
            f.createVariable('time_bnds', 'f8', ['time', 'bnds'])[:] = rng.random((5, 2))
            if rng.random() < .5:
                f.createVariable('x', str, ['x'])[:] = np.array(['a', 'bcd', 'ef'], object)
            for i in range(int(rng.integers(1, 4))):
                dtype = rng.choice('i1 i2 i4 f4 f8 u1 u2 i8'.split() if k % 2 else 'i1 i2 i4 f4 f8'.split())
                own = [str(n) for n in rng.permutation(['time', 'lat', 'x'])[:rng.integers(0, 4)]]
                v = f.createVariable(f'v{i}', dtype, own)
                v.units, v.number, v.words = 'K', np.int64(7), ['one', 'two']
                tensors[f'v{i}'] = x = numbers(rng, dtype, [dims[n] for n in own])
                v[...] = x
        r = axt('to', out, *(f'{path}:{n}' for n in tensors))
        bad = [str(r)] if r.rc else []
        with netCDF4.Dataset(out) as f:
            f.set_auto_maskandscale(False)
            five = any(x.dtype.str[1:] in ('u1', 'u2', 'i8') for x in tensors.values())
            if f.data_model != ('NETCDF3_64BIT_DATA' if five or np.max(f['time'][:] if 'time' in f.variables else 0) > 1 << 53
                                else 'NETCDF3_CLASSIC') and not ('time' in f.variables and f['time'].dtype == 'i8'):
                bad.append(f.data_model)
            for n, x in tensors.items():
                v = f[n]
                if v.dtype != x.dtype or v[...].tobytes() != x.tobytes() or (v.units, v.number, v.words) != ('K', 7, 'one, two'):
                    bad.append(f'{n}: {v}')
                if 'time' in v.dimensions and ('time_bnds' not in f.variables or f['time'].units != 'days since 2001-01-01'):
                    bad.append(f'{n}: without its times')
            if f.title != 'of all':
                bad.append('no title')
        for n in tensors:
            r = axt('equal', f'{out}:{n}', f'{path}:{n}')
            bad += [str(r)] if r.rc else []
        r = axt('to', '--format', 'nc3', '-', *(f'{path}:{n}' for n in tensors))
        for n in tensors:
            u = axt('equal', f'-:{n}', f'{out}:{n}', data=r.out)
            bad += [f'a stream and a file differ: {r} {u}'] if u.rc else []
        if bad:
            t.ok(False, f'written file {seed + k}', '\n'.join(bad))
    in_batches(t, cases, 'files {} that axt-to writes are what the netCDF library reads', case)
    for dtype in 'f16', 'c64':
        r = axt('make', 'ones', 'x=3', '--dtype', dtype, '-o', f'{D}/h.nc')
        r = axt('to', out, f'{D}/h.nc')
        t.ok(r.rc == 1 and dtype in r.err and r.err.count('\n') < 3, f'{dtype} is refused', r)


def main():
    t = Tap()
    cases, seed = random_cases(50, 25, 5, 20261123)
    random_cases_of(t, cases, seed)
    if not SLOW:
        layouts(t)
        short(t)
    damaged(t, cases * 2, seed)
    written(t, cases, seed)
    t.done()


main()
