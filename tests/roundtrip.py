#!/usr/bin/python3
"""Every file axt writes opens, with its axes, in ncdump, xarray (both engines), h5py, netCDF4, NCO and CDO."""
import json
import os
import re
import shutil
import subprocess
import warnings

import h5py
import netCDF4
import numpy as np
import xarray as xr

from axtlib import Named, Tap, axt, read_h5, same, scratch, shell, write_h5

warnings.simplefilter('ignore')
d = scratch()
tap = Tap()
NETCDF = ['bool', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f16', 'bf16', 'f32', 'f64', 'c64', 'c128']


def tool(*args):
    p = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return p.returncode, p.stdout.decode(errors='replace')


def source(name, dims, shape, dtype='f4', coords=None, **kw):
    p = f'{d}/{name}.nc'
    a = (np.arange(np.prod(shape, dtype=int)) % 100).reshape(shape).astype(dtype)
    write_h5(p, Named(dims, a, coords), **kw)
    return p


def knows(shape, dtype, *program):
    """Whether a program takes a dtype or shape at all, in a file of h5py."""
    p = f'{d}/known.nc'
    with h5py.File(p, 'w') as f:
        f['v'] = np.zeros(shape, dtype)
    rc, out = tool(*program, p)
    return rc == 0 and bool(re.search(r'^\s*(float )?v\b', out, re.M))


HALVES = knows(2, 'f2', 'ncdump', '-h')  # libnetcdf does not where libhdf5 does, from 1.14.4 on
SCALARS = knows((), 'f4', 'cdo', '-s', 'showname')  # CDO 2.5.1 crashes


def everyone(p, var, dims, shape, cdo=True, netcdf=True, xarray=True, nco=True):
    """Opens p with every tool; what is wrong, one line each."""
    bad = []
    try:
        t = read_h5(p, var)
        if t.dims != dims or t.a.shape != shape:
            bad.append(f'h5py: {t.dims} {t.a.shape}')
    except Exception as x:
        return [f'h5py: {x}']
    rc, out = tool('h5dump', '-H', p)
    if rc:
        bad.append('h5dump: ' + out)
    rc, out = tool('ncdump', '-h', p)
    said = re.search(r'^\s+\w+ ' + re.escape(var) + r'(?:\(([^)]*)\))?\s*;', out, re.M)
    if rc or 'phony' in out:
        bad.append('ncdump: ' + out)
    elif netcdf and not said:
        bad.append('ncdump does not show it: ' + out)
    elif netcdf and tuple(x for x in (said.group(1) or '').replace('\\', '').split(', ') if x) != dims:
        bad.append('ncdump: axes ' + str(said.group(1)))
    if xarray:
        for engine in ('netcdf4', 'h5netcdf'):
            if engine == 'netcdf4' and not netcdf:
                continue
            try:
                with xr.open_dataset(p, engine=engine, decode_times=False) as ds:
                    if ds[var].dims != dims or ds[var].shape != shape:
                        bad.append(f'xarray {engine}: {ds[var].dims} {ds[var].shape}')
                    ds[var].values
            except Exception as x:
                bad.append(f'xarray {engine}: {type(x).__name__} {x}')
    rc, out = tool('ncks', '-m', p) if nco else (0, '')
    if rc:
        bad.append('ncks: ' + out)
    if netcdf and nco and not any(n == 0 for n in shape):
        copy = p + '.copy.nc'
        rc, out = tool('ncatted', '-O', '-h', '-a', 'note,global,o,c,x', p, copy)
        if rc:
            bad.append('ncatted: ' + out)
    if cdo and not any(n == 0 for n in shape) and (shape or SCALARS):
        rc, out = tool('cdo', '-s', 'showname', p)
        if rc or var not in out.split():
            bad.append('cdo: ' + out)
    return bad


def dtypes():
    for t in NETCDF:
        p = f'{d}/t_{t}.nc'
        kind = 'iota' if t != 'bool' else 'ones'
        r = axt('make', kind, 'lat=3,lon=4', '--dtype', t, '--name', 'v', '-o', p)
        if not tap.ok(r.rc == 0, f'make {t}', r):
            continue
        cx = t[0] == 'c'
        known = not t.endswith('f16') or HALVES
        bad = everyone(p, 'v', ('lat', 'lon'), (3, 4), cdo=not cx and t != 'bool' and known, netcdf=known, xarray=not cx,
                       nco=not cx)
        tap.ok(not bad, f'{t}: opens everywhere', '\n'.join(bad))
        back = axt('equal', p, f'{p}:v')
        tap.ok(back.rc == 0, f'{t}: axt reads it back', back)
        if t == 'bool':
            with xr.open_dataset(p) as ds:
                tap.ok(ds.v.dtype == bool and bool(ds.v.values.all()), 'bool: xarray sees bool')
            continue
        with h5py.File(p) as f:
            a = f['v'][()]
        want = np.arange(12).reshape(3, 4)
        tap.ok(not same(a.astype('c16'), want.astype('c16')), f'{t}: h5py reads the values', a)


def shapes():
    for rank in range(9):
        dims = tuple(f'd{i}' for i in range(rank))
        axes = ','.join(f'{n}={1 + i % 3}' for i, n in enumerate(dims))
        p = f'{d}/r{rank}.nc'
        r = axt('make', 'iota', axes, '--dtype', 'f32', '--name', 'v', '-o', p)
        bad = [str(r)] if r.rc else everyone(p, 'v', dims, tuple(1 + i % 3 for i in range(rank)), cdo=rank < 4)
        tap.ok(not bad, f'rank {rank} opens everywhere', '\n'.join(bad))
    p = f'{d}/r32.nc'
    r = axt('make', 'ones', ','.join(f'a{i}=1' for i in range(32)), '-o', p)
    tap.ok(r.rc == 0 and read_h5(p).a.ndim == 32, 'rank 32', r)
    p = f'{d}/zero.nc'
    r = axt('make', 'ones', 'a=0,b=3', '--name', 'v', '-o', p)
    bad = [str(r)] if r.rc else everyone(p, 'v', ('a', 'b'), (0, 3), cdo=False)
    tap.ok(not bad, 'an axis of length 0 opens everywhere', '\n'.join(bad))
    names = 'M^=2,M=3,a.b=2,Höhe=2,_x=1'
    p = f'{d}/names.nc'
    r = axt('make', 'iota', names, '--name', 'v', '-o', p)
    bad = [str(r)] if r.rc else everyone(p, 'v', ('M*', 'M', 'a.b', 'Höhe', '_x'), (2, 3, 2, 2, 1), cdo=False)
    tap.ok(not bad, 'stars, dots and letters beyond ASCII open everywhere', '\n'.join(bad))


def results():
    coords = {'time': np.arange(5) * 6.0, 'lat': np.linspace(-60, 60, 7), 'lon': np.arange(0, 360, 45.0)}
    a = source('a', ('time', 'lat', 'lon'), (5, 7, 8), coords=coords)
    with h5py.File(a, 'r+') as f:
        f['v'].attrs['units'] = np.bytes_('K')
        f['time'].attrs['units'] = np.bytes_('hours since 2000-01-01')
        f['lat'].attrs['units'] = np.bytes_('degrees_north')
        f['lon'].attrs['units'] = np.bytes_('degrees_east')
    dims = ('time', 'lat', 'lon')
    for name, args, want, shape in (
            ('add', ['add', a, a], dims, (5, 7, 8)),
            ('mean', ['reduce', 'mean', '--over', 'time', a], ('lat', 'lon'), (7, 8)),
            ('order', ['order', 'lon,time,lat', a], ('lon', 'time', 'lat'), (8, 5, 7)),
            ('sum', ['reduce', 'sum', a], (), ()),
            ('deflate', ['mul', a, '2', '--deflate', '4', '--chunk', 'time=1,lat=7'], dims, (5, 7, 8)),
            ('deflate 1', ['mul', a, '2', '--deflate', '1'], dims, (5, 7, 8)),
            ('chunk', ['mul', a, '2', '--chunk', 'time=2'], dims, (5, 7, 8))):
        p = f'{d}/res_{name.replace(" ", "")}.nc'
        r = axt(*args, '-o', p, '--name', 'v')
        # CDO wants time in front
        bad = [str(r)] if r.rc else everyone(p, 'v', want, shape, cdo=name != 'order')
        if not bad:
            t = read_h5(p, 'v')
            for n in want:
                why = same(t.coords.get(n, np.zeros(0)), coords[n])
                bad += [f'coordinate {n}: {why}'] if why else []
        tap.ok(not bad, f'{name} opens everywhere', '\n'.join(bad))
    p = f'{d}/res_add.nc'
    with xr.open_dataset(p) as ds:
        tap.ok(ds.time.dtype.kind == 'M' and ds.v.attrs.get('units') == 'K', 'times decode and units stay', ds)
        tap.ok('axt-add' in ds.attrs.get('history', ''), 'history names the command', ds.attrs)
    rc, out = tool('cdo', '-s', 'sinfo', f'{d}/res_add.nc')
    tap.ok(rc == 0 and '2000-01-01' in out and 'lonlat' in out, 'CDO knows its grid and times', out)
    rc, out = tool('ncwa', '-O', '-a', 'time', f'{d}/res_add.nc', f'{d}/nco.nc')
    r = axt('reduce', 'mean', '--over', 'time', f'{d}/res_add.nc', '-o', f'{d}/mean.nc')
    e = axt('equal', '--rtol', '1e-6', '--join', 'override', f'{d}/nco.nc:v', f'{d}/mean.nc')
    tap.ok(rc == 0 == r.rc == e.rc, 'ncwa and axt-reduce agree on what axt wrote', f'{out}{r}{e}')
    rc, out = tool('cdo', '-s', '-O', 'timmean', f'{d}/res_add.nc', f'{d}/cdo.nc')
    if rc == 0:
        v = netCDF4.Dataset(f'{d}/cdo.nc')['v'][0]
        why = same(np.asarray(v), read_h5(f'{d}/mean.nc').a, rtol=1e-6, dtype=False)
    tap.ok(rc == 0 and not why, 'cdo timmean and axt-reduce agree on what axt wrote', out)


def adding():
    p = f'{d}/many.nc'
    a = axt('make', 'iota', 'lat=3,lon=4', '--dtype', 'f32', '-o', f'{p}:one')
    b = axt('mul', f'{p}:one', '2', '-o', f'{p}:two')
    c = axt('reduce', 'sum', '--over', 'lon', f'{p}:two', '-o', f'{p}:three')
    tap.ok(a.rc == b.rc == c.rc == 0, 'datasets are added to a file', f'{a}{b}{c}')
    bad = []
    for v, dims, shape in (('one', ('lat', 'lon'), (3, 4)), ('two', ('lat', 'lon'), (3, 4)), ('three', ('lat',), (3,))):
        bad += everyone(p, v, dims, shape)
    tap.ok(not bad, 'such a file opens everywhere', '\n'.join(bad))
    r = axt('make', 'zeros', 'lat=5', '-o', f'{p}:four')
    tap.ok(r.rc == 1 and 'lat' in r.err and len(r.err.splitlines()) <= 2, 'an axis of another length is refused', r)
    before = read_h5(p, 'one').a
    r = axt('add', f'{p}:one', '1', '-o', f'{p}:two')
    tap.ok(r.rc == 0 and not same(read_h5(p, 'two').a, before + 1) and not same(read_h5(p, 'one').a, before),
           'one is replaced, the others stay', r)
    with netCDF4.Dataset(f'{d}/foreign.nc', 'w') as f:
        f.createDimension('lat', 3)
        f.createVariable('lat', 'f8', ('lat',))[:] = [1, 2, 3]
        f.createVariable('old', 'f4', ('lat',), zlib=True)[:] = [4, 5, 6]
        f.title = 'mine'
    r = axt('add', f'{d}/foreign.nc:old', '1', '-o', f'{d}/foreign.nc:new')
    bad = [str(r)] if r.rc else everyone(f'{d}/foreign.nc', 'new', ('lat',), (3,)) + \
        everyone(f'{d}/foreign.nc', 'old', ('lat',), (3,))
    tap.ok(not bad, 'a dataset added to a file of netCDF4-python', '\n'.join(bad))
    if not r.rc:
        with netCDF4.Dataset(f'{d}/foreign.nc') as f:
            tap.ok(f.title == 'mine' and list(f['old'][:]) == [4, 5, 6] and list(f['new'][:]) == [5, 6, 7],
                   'and what was there stays')
    shutil.copy(f'{d}/many.nc', f'{d}/edit.nc')
    rc, out = tool('ncrename', '-v', 'two,zwei', f'{d}/edit.nc')
    rc2, out2 = tool('ncatted', '-a', 'units,zwei,o,c,m', f'{d}/edit.nc')
    r = axt('reduce', 'sum', '-p', f'{d}/edit.nc:zwei')
    tap.ok(rc == rc2 == r.rc == 0, 'NCO edits it in place and axt reads it again', f'{out}{out2}{r}')


def text():
    p = f'{d}/info.nc'
    axt('make', 'iota', 'lat=3,lon=4', '--dtype', 'f32', '--name', 'v', '--attr', 'units=K', '-o', p)
    r = axt('info', '--json', p)
    try:
        json.loads(r.out)
        why = ''
    except ValueError as x:
        why = str(x)
    tap.ok(r.rc == 0 and not why, 'axt-info --json is JSON', f'{r}{why}{r.out}')
    r = axt('info', '--cdl', p)
    with open(f'{d}/x.cdl', 'wb') as f:
        f.write(r.out)
    rc, out = tool('ncgen', '-4', '-o', f'{d}/cdl.nc', f'{d}/x.cdl')
    tap.ok(r.rc == 0 == rc, 'ncgen takes axt-info --cdl', out + r.out.decode(errors='replace'))
    p = shell(f'axt-make random x=3,y=2 --seed 1 | axt-map square | tee {d}/tee.h5 | axt-reduce sum -p')
    bad = everyone(f'{d}/tee.h5', read_name(f'{d}/tee.h5'), ('x', 'y'), (3, 2))
    tap.ok(p.returncode == 0 and not bad, 'a stream caught by tee is a plain file',
           p.stderr.decode() + '\n'.join(bad))


def value(v):
    """An attribute's value as bytes or numbers, whatever string type holds it."""
    a = np.asarray(v)
    if a.dtype.kind in 'OU':
        a = np.array([x.encode() if isinstance(x, str) else x for x in a.ravel().tolist()])
    return a.reshape(()) if a.size == 1 else a


def lost(p, q, skip=('history',)):
    """Attributes of p's root and x that q has not, or has with another value."""
    bad = []
    with h5py.File(p) as f, h5py.File(q) as g:
        for o in ('/', 'x'):
            for k in f[o].attrs:
                if k in ('DIMENSION_LIST', *skip):
                    continue
                a, b = value(f[o].attrs[k]), value(g[o].attrs[k]) if k in g[o].attrs else None
                if b is None or a.shape != b.shape or not (a == b).all():
                    bad.append(f'{o}: {k}')
    return bad


def long_attributes():
    """Over 64 kB an attribute is a huge object of a fractal heap; many of middling size fill indirect blocks."""
    p, q = f'{d}/long.h5', f'{d}/long.nc'
    r = np.random.default_rng(3)
    old = b'h' * 70000
    with h5py.File(p, 'w', libver=('v108', 'v108'), userblock_size=512) as f:
        x = f.create_dataset('x', data=np.arange(12.).reshape(3, 4))
        for k in range(120):
            x.attrs[f'middling{k}'] = r.normal(size=5000)
        for k in range(600):
            x.attrs[f'text{k}'] = f'{k}'
        x.attrs['numbers'] = r.normal(size=300000)
        x.attrs['i1'] = np.arange(65500, 165500).astype('i1')
        x.attrs['big-endian'] = np.arange(20000, dtype='>i8')
        x.attrs['fixed'] = np.bytes_(b'q' * 100000)
        x.attrs['variable'] = 'w' * 200000
        x.attrs['list'] = np.array([f's{i}' for i in range(9000)], dtype=h5py.string_dtype())
        x.attrs['fixed list'] = np.array([f's{i}'.encode() for i in range(9000)])
        f.attrs['history'] = np.bytes_(old)
    a = axt('add', p, '0', '-o', q)
    tap.ok(a.rc == 0 and not lost(p, q), 'attributes over 64 kB stay in a result', f'{a}{lost(p, q)[:5] if not a.rc else ""}')
    with h5py.File(q) as f:
        now = value(f.attrs['history']).item()
    tap.ok(now.startswith(b'axt-add') and now.endswith(b'\n' + old), 'so does a history that long, and grows', len(now))
    s = shell(f'cat {p} | axt-add - 0 | cat >{d}/long2.h5')
    tap.ok(not s.returncode and not lost(p, f'{d}/long2.h5'), 'and through pipes', s.stderr.decode())
    b = axt('add', f'{q}:x', '1', '-o', f'{q}:y')
    c = axt('attr', 'new=1', f':title={"t" * 100000}', 'numbers=', f'{q}:x')
    bad = lost(p, q, ('history', 'numbers'))
    tap.ok(b.rc == c.rc == 0 and not bad, 'and in a file that axt changes', f'{b}{c}{bad[:5]}')
    with h5py.File(q) as f:
        tap.ok(len(value(f.attrs['title']).item()) == 100000 and 'numbers' not in f['x'].attrs and
               value(f['x'].attrs['new']) == b'1', 'as it was told to')
    rc, out = tool('ncdump', '-v', 'x', q)
    tap.ok(rc == 0, 'ncdump reads it', out[-300:])
    with h5py.File(p, 'w', libver='earliest') as f:
        f['x'] = np.arange(3.)
        f['x'].attrs['a'] = np.bytes_(b'b')
    for how in ([], ['--in-place']):
        r = axt('attr', *how, 'a=' + 'z' * 70000, p)
        with h5py.File(p) as f:
            tap.ok(r.rc == 1 and '"a"' in r.err and len(r.err.splitlines()) == 1 and f['x'].attrs['a'] == b'b',
                   f'an object of the first format refuses one {how}', r)
    with h5py.File(p, 'w', libver='v108') as f:
        f['x'] = np.arange(3.)
        f['x'].attrs['a'] = np.zeros(9 << 20)
    r = axt('add', p, '0', '-o', f'{d}/none.h5')
    tap.ok(r.rc == 1 and '"a"' in r.err and len(r.err.splitlines()) == 1, 'over 64 MiB is told', r)


def read_name(p):
    with h5py.File(p) as f:
        return next(k for k in f if f[k].attrs.get('CLASS') is None)


for part in (dtypes, shapes, results, adding, long_attributes, text):
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
os.chdir('/')
tap.done()
