#!/usr/bin/python3
"""What is said of values, beside them: packing, missing values, dtypes of attributes. Compared with netCDF4, xarray,
NCO and CDO on files made here."""
import json
import os
import re
import subprocess
import warnings

import h5py
import netCDF4
import numpy as np
import xarray as xr

from axtlib import Tap, axt, same, scratch, shell

warnings.simplefilter('ignore')
d = scratch()
tap = Tap()


def tool(*args):
    p = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return p.returncode, p.stdout.decode(errors='replace')


def packed_coordinates():
    """The values along an axis mean what the same stored values mean as a tensor."""
    nan, stored = np.nan, np.array([0, 1, 2, 100, 200, 254, 255], 'u1')
    cases = [
        ('u8 told by True', stored.view('i1'), {'_Unsigned': 'True', '_FillValue': np.int8(-1)}),
        ('i8 told by false', stored, {'_Unsigned': 'false', '_FillValue': np.uint8(255)}),
        ('several missing values', stored, {'missing_value': np.array([0, 200], 'u1')}),
        ('both attributes', stored, {'_FillValue': np.uint8(1), 'missing_value': np.uint8(2)}),
        ('i32 scaled in f32', np.array([123456789, 123456790, 7], 'i4'),
         {'scale_factor': np.float32(1), 'add_offset': np.float32(-123456789)}),
        ('f32 scaled in f64', np.array([.1, .2], 'f4'), {'scale_factor': 3.0}),
        ('u8 told in capitals', stored.view('i1'), {'_Unsigned': 'TRUE', 'missing_value': np.int8(-2)}),
        ('f32 with a missing value of f64', np.array([1.1, 2, 1e20], 'f4'), {'missing_value': np.array([1.1, 1e20])}),
        ('i16 with a missing value of f64', np.array([1, 2, 3], 'i2'), {'missing_value': 2.0}),
        ('offset alone', np.array([1, 2, 3], 'i2'), {'add_offset': np.float32(.25), 'missing_value': np.int16(2)}),
    ]
    for name, v, attrs in cases:
        p = f'{d}/coord.nc'
        with netCDF4.Dataset(p, 'w') as f:
            f.createDimension('x', len(v))
            f.createDimension('y', len(v))
            for n, dim in (('x', 'x'), ('t', 'y')):
                q = f.createVariable(n, v.dtype, (dim,), fill_value=attrs.get('_FillValue'))
                q.setncatts({k: a for k, a in attrs.items() if k != '_FillValue'})
                q.set_auto_maskandscale(False)
                q[:] = v
            f.createVariable('u', 'f4', ('x',))[:] = 0
        lines = [axt('print', '--csv', f'{p}:{n}').out.decode().split()[1:] for n in 'ut']
        along, tensor = [s.split(',')[0] for s in lines[0]], [s.split(',')[1] or 'nan' for s in lines[1]]
        tap.ok(len(along) == len(v) and along == tensor, f'{name}: along an axis as in a tensor', f'{along} {tensor}')
        if attrs.get('_Unsigned', 'true').islower():
            with xr.open_dataset(p, mask_and_scale=False) as f:
                for n in 'xt':  # CF has missing values of the variable's type; others are none to xarray since NumPy 2
                    f[n].attrs |= {k: a.astype(f[n].dtype) for k, a in f[n].attrs.items() if k == 'missing_value'}
                theirs = [xr.decode_cf(f)[n].values.astype('f8') for n in 'xt']
            tap.ok(all(np.allclose(a, np.array(b, 'f8'), rtol=1e-6, equal_nan=True)
                       for a, b in zip(theirs, (along, tensor))), f'{name}: as xarray has it', f'{theirs} {along}')


def valid_ranges():
    """Values outside valid_range, valid_min or valid_max are missing as in netCDF4, packed or not; those of coordinates stay."""
    rng, p = np.random.default_rng(11), f'{d}/valid.nc'
    for k in range(100):
        t = str(rng.choice(['i1', 'u1', 'i2', 'u2', 'i4', 'f4', 'f8']))
        least, most = (0, 200) if t[0] == 'u' else (-100, 100)
        x = rng.integers(least, most, (4, 5)).astype(t)
        lo, hi = np.sort(rng.integers(least, most, 2)).astype(t)
        attrs = [{'valid_range': np.array([lo, hi])}, {'valid_min': lo}, {'valid_max': hi},
                 {'valid_min': lo, 'valid_max': hi}][rng.integers(4)]
        scale = str(rng.choice(['', 'f4', 'f8']))
        if scale:
            attrs.update(scale_factor=rng.choice([.1, -.25, 3e-3, 2]).astype(scale),
                         add_offset=rng.choice([0, 10.5, -273.15]).astype(scale))
        fill = x.flat[0] if rng.random() < .6 else None
        with netCDF4.Dataset(p, 'w') as f:
            f.createDimension('y', 4)
            f.createDimension('x', 5)
            v = f.createVariable('t', t, ('y', 'x'), fill_value=fill if fill is not None else False)
            v.setncatts(attrs)
            v.set_auto_maskandscale(False)
            v[:] = x
        with netCDF4.Dataset(p) as f:
            want = np.ma.filled(np.ma.asarray(f['t'][:]).astype('f8'), np.nan)
        if t[0] != 'f' and not scale and fill is None:
            want = x.astype('f8')
        r = axt('calc', 'cast(t, f64) * 1', p, '--name', 't', '-o', f'{d}/valid.h5')
        with h5py.File(f'{d}/valid.h5') as f:
            got = f['t'][:]
        tap.ok(r.rc == 0 and np.allclose(got, want, rtol=3e-6, atol=1e-6, equal_nan=True),
               f'valid values of {t}, {k}', f'{r} {attrs} {x} {want} {got}')
    with netCDF4.Dataset(p, 'w') as f:
        f.createDimension('x', 3)
        for name in 'xt':
            v = f.createVariable(name, 'f4', ('x',))
            v[:], v.valid_range = [1, 2, 3], np.array([0, 2], 'f4')
        for name, about in (('text', np.float32(1)), ('one', np.float32(1)), ('none', np.array([2, 1], 'f4'))):
            v = f.createVariable(name, 'f4', ('x',))
            v.set_auto_maskandscale(False)
            v[:], v.valid_range = [1, 2, 3], about
        v = f.createVariable('units', 'i2', ('x',))
        v.set_auto_maskandscale(False)
        v[:], v.scale_factor = [1, 2, 3], np.float32(.5)
    with h5py.File(p, 'a') as f:
        f['text'].attrs['valid_range'], f['units'].attrs['valid_max'] = 'none', np.float32(1)
    for name, want in (('x', '1 2 3'), ('t', '1 2 nan'), ('text', '1 2 3'), ('one', '1 2 3'), ('none', '1 2 3'),
                       ('units', '0.5 1 nan')):
        r = shell(f'axt-calc "{name} * 1" {p} -p')
        tap.ok(r.stdout.decode().split() == want.split(), f'valid_range of {name}', r.stdout + r.stderr)
    r = shell(f'axt-slice x=1: {p}:t -o {d}/moved.nc && ncdump -v t {d}/moved.nc')
    tap.ok(b'valid_range = 0.f, 2.f' in r.stdout and b't = 2, 3 ;' in r.stdout, 'moved as they are', r.stdout + r.stderr)
    r = shell(f'axt-reduce sum --raw {p}:t -p')
    tap.ok(r.stdout.split() == [b'6'], '--raw', r.stdout + r.stderr)


def attribute_dtypes():
    """Numbers that tell of stored values have their dtype: netCDF takes the file and masks by them."""
    for dtype, fill in (('i2', '-32768'), ('f4', '1e20'), ('u1', '255'), ('f8', '-999'), ('i8', '-1')):
        p, v = f'{d}/fill.nc', np.array([1, 2, 3]).astype(dtype)
        v[1] = np.array(float(fill)).astype(dtype)
        with netCDF4.Dataset(p, 'w') as f:
            f.createDimension('x', 3)
            f.createVariable('t', dtype, ('x',))[:] = v
        for attr in ('_FillValue', 'missing_value', 'valid_min', 'flag_values'):
            extra = {'valid_min': ['valid_min:=0'], 'flag_values': ['flag_values:=1,2,3']}.get(attr, [f'{attr}:={fill}'])
            r = axt('attr', *extra, p)
            rc, out = tool('nccopy', p, f'{d}/copy.nc')
            with netCDF4.Dataset(p) as f:
                a = np.asarray(f['t'].getncattr(attr))
                masked = np.ma.getmaskarray(f['t'][:]).tolist()
            tap.ok(r.rc == 0 and rc == 0 and a.dtype == dtype and masked == [False, True, False],
                   f'{attr} of {dtype}: nccopy and netCDF4 take it', f'{r} {rc} {out} {a.dtype} {masked}')
        q = f'{d}/made.nc'
        r = axt('add', '--raw', p, '0', '--attr', f'_FillValue:={fill}', '-o', q)
        with netCDF4.Dataset(q) as f:
            tap.ok(r.rc == 0 and f['t']._FillValue.dtype == dtype, f'--attr _FillValue of {dtype}', r)


def write(p, name, v, dims, coords=None, **attrs):
    """A variable as it is stored, with its attributes; without lengths of unlimited axes."""
    with netCDF4.Dataset(p, 'w') as f:
        for n, k in zip(dims, v.shape):
            f.createDimension(n, k)
            if coords and n in coords:
                f.createVariable(n, 'f8', (n,))[:] = coords[n]
        q = f.createVariable(name, v.dtype, dims, fill_value=attrs.pop('_FillValue', None))
        q.set_auto_maskandscale(False)
        q.setncatts(attrs)
        q[:] = v
    return p


def stored(p, name='t'):
    """Values as stored, dtype and attributes."""
    with netCDF4.Dataset(p) as f:
        f[name].set_auto_maskandscale(False)
        return f[name][:], {k: f[name].getncattr(k) for k in f[name].ncattrs()}


MOVES = [
    ('slice', 'axt-slice x=1:3 {p}', lambda a: a[:, 1:3]),
    ('order', 'axt-order x,time {p}', lambda a: a.T),
    ('flip', 'axt-flip time {p}', lambda a: a[::-1]),
    ('take', 'axt-take x=2,0 {p}', lambda a: a[:, [2, 0]]),
    ('shift', 'axt-shift x=1 {p}', lambda a: np.roll(a, 1, 1)),
    ('concat', 'axt-concat time {p} {p} --join override', lambda a: np.concatenate([a, a])),
    ('stack', 'axt-stack n {p} {p}', lambda a: np.stack([a, a])),
    ('window', 'axt-window time=w:2 {p}', lambda a: np.stack([a[:-1], a[1:]], -1)),
    ('pad', 'axt-pad time=1,0 --mode edge {p}', lambda a: np.concatenate([a[:1], a])),
    ('flatten', 'axt-flatten time,x=n {p}', lambda a: a.ravel()),
    ('reshape', 'axt-reshape a=2,b=6 {p}', lambda a: a.reshape(2, 6)),
    ('rename', 'axt-rename x=y {p} --name t', lambda a: a),
    ('broadcast', 'axt-broadcast n=2,time,x {p}', lambda a: np.stack([a, a])),
    ('expand', 'axt-expand n {p}', lambda a: a[None]),
    ('calc', "axt-calc 'flip(a[x=1:], time)' a={p} --name t", lambda a: a[::-1, 1:]),
    ('a pipe', 'axt-slice x=1: {p} | axt-order x,time | axt-flip time', lambda a: a.T[1:, ::-1]),
    ('a pipe of bytes', 'axt-slice x=1: {p} | cat | axt-order x,time', lambda a: a.T[1:]),
]


def moved_values():
    """What is only moved is stored as it was, bit by bit, with its attributes; netCDF4 reads it as before."""
    nan = np.nan
    cases = {
        'f32 1e20': (np.array([[1, 1e20, 3], [nan, 5, 6], [7, 8, 1e20], [2, 3, 4]], 'f4'),
                     dict(_FillValue=np.float32(1e20), missing_value=np.float32(1e20), units='K')),
        'i16 packed': (np.array([[1, -9, 3], [4, 5, 6], [7, 8, -9], [2, 3, 4]], 'i2'),
                       dict(_FillValue=np.int16(-9), scale_factor=0.1, add_offset=273.15,
                            valid_range=np.array([0, 9], 'i2'), units='K')),
        'i8 unsigned': (np.array([[1, -1, 3], [4, 5, 6], [-7, 8, -1], [2, 3, 4]], 'i1'),
                        dict(_FillValue=np.int8(-1), _Unsigned='true')),
    }
    for name, (a, attrs) in cases.items():
        p, q = write(f'{d}/moved.nc', 't', a, ('time', 'x'), **attrs), f'{d}/out.nc'
        for what, line, want in MOVES:
            for fuse in '01' if '|' in line else '0':
                r = shell(line.format(p=p) + f' -o {q}', env={'AXT_FUSE': fuse})
                got, have = stored(q) if r.returncode == 0 else (a[0, 0], {})
                wrong = same(got, want(a)) or [k for k in attrs if not np.array_equal(have.get(k), attrs[k])]
                tap.ok(not wrong, f'{name}: {what} stores what was stored', f'{line}\n{r.stderr}\n{wrong} {have}')
    p = write(f'{d}/moved.nc', 't', *cases['i16 packed'][:1], ('time', 'x'), **cases['i16 packed'][1])
    plain = dict(cases['i16 packed'][1], scale_factor=0.2)
    p2 = write(f'{d}/other.nc', 't', cases['i16 packed'][0], ('time', 'x'), **plain)
    shell(f'axt-concat time {p} {p2} --join override -o {d}/both.nc')
    with netCDF4.Dataset(p) as f, netCDF4.Dataset(p2) as g, netCDF4.Dataset(f'{d}/both.nc') as h:
        want = np.ma.concatenate([f['t'][:], g['t'][:]])
        tap.ok(h['t'].dtype == 'f8' and np.ma.allclose(h['t'][:], want, rtol=1e-15) and
               (np.ma.getmaskarray(h['t'][:]) == np.ma.getmaskarray(want)).all(), 'other packings: values', h['t'][:])
    r = shell(f'axt-slice x=1: {p} --dtype f32 -o {d}/f32.nc')
    tap.ok(stored(f'{d}/f32.nc')[0].dtype == 'f4', '--dtype unpacks', r.stderr)
    r = shell(f'axt-pad time=1,0 --value 280 {p} -o {d}/pad.nc')
    tap.ok(same(stored(f'{d}/pad.nc')[0][0], np.full(3, 280.)) == '', 'a number among packed ones unpacks', r.stderr)
    f1 = write(f'{d}/moved.nc', 't', cases['f32 1e20'][0], ('time', 'x'), **cases['f32 1e20'][1])
    for v, want in (('nan', 1e20), ('7', 7)):
        r = shell(f'axt-pad time=1,0 --value {v} {f1} -o {d}/pad.nc')
        got, have = stored(f'{d}/pad.nc')
        tap.ok(same(got[0], np.full(3, want, 'f4')) == '' and have['_FillValue'] == np.float32(1e20), f'padded with {v}', got)
    r = shell(f'cd {d}; axt-split --pattern part{{}}.nc x {f1}')
    got, have = stored(f'{d}/part1.nc')
    tap.ok(same(got, cases['f32 1e20'][0][:, 1]) == '' and have['_FillValue'] == np.float32(1e20), 'split', r.stderr)


def fills():
    """--fill V: NaN is stored as V, which NCO and CDO read as missing."""
    a = np.array([[1, 1e20, 3], [4, 5, 6], [7, 8, 1e20]], 'f4')
    p, q = write(f'{d}/f.nc', 't', a, ('time', 'x'), {'time': [0, 1, 2.]}, _FillValue=np.float32(1e20)), f'{d}/filled.nc'
    shell(f'rm -f {q}; axt-mul {p} 2 -o {q}')
    tap.ok(np.isnan(stored(q)[1]['_FillValue']), 'computed: NaN by default', stored(q))
    r = shell(f'axt-mul {p} 2 --fill 1e20 -o {q}')
    got, have = stored(q)
    want = np.where(a == np.float32(1e20), a, 2 * a)
    tap.ok(same(got, want) == '' and have['_FillValue'].dtype == 'f4' and have['_FillValue'] == np.float32(1e20),
           '--fill 1e20', f'{r.stderr} {got} {have}')
    rc, out = tool('ncwa', '-O', '-y', 'avg', q, f'{d}/mean.nc')
    mean = float(stored(f'{d}/mean.nc')[0]) if rc == 0 else 0
    tap.ok(abs(mean - 68 / 7) < 1e-5, 'ncwa takes the mean of the others', f'{out} {mean}')
    rc, out = tool('cdo', '-s', 'outputf,%g', '-fldmean', '-timmean', q)
    tap.ok(rc == 0, 'cdo reads it', out)
    for opt, old in (('--fill -999', '-999'), ('--attr _FillValue:=-999', '-999')):
        for line in (f'axt-slice x=: {p}', f'axt-mul {p} 1', f'axt-mul {p} 1 --deflate 1', f'axt-mul {p} 1 --dtype f64'):
            r = shell(f'{line} {opt} -o {q}')
            got, have = stored(q)
            tap.ok(r.returncode == 0 and got[0, 1] == -999 and have['_FillValue'] == -999 and
                   have['_FillValue'].dtype == got.dtype, f'{line.split("/")[0]} {opt}', f'{r.stderr} {got} {have}')
    r = shell(f'axt-mul {p} 2 --fill -1 | axt-add - 1 | axt-reduce mean -p')
    tap.ok(r.stdout.strip() == b'10.714286', 'in a pipe', r.stdout + r.stderr)
    i = write(f'{d}/i.nc', 't', np.array([1, -9, 3], 'i2'), ('x',), _FillValue=np.int16(-9), missing_value=np.int16(-9))
    r = shell(f'axt-flip x {i} --fill -32768 -o {q}')
    got, have = stored(q)
    tap.ok(got.tolist() == [3, -32768, 1] and got.dtype == 'i2' and have['missing_value'] == -32768 == have['_FillValue'],
           'another number for packed values', f'{r.stderr} {got} {have}')
    for line, why in ((f'axt-mul {p} 2 --fill 1e39 -o {d}/no.nc', b'does not fit f32'),
                      (f'axt-flip x {i} --fill 1e20 -o {d}/no.nc', b'does not fit i16'),
                      (f'axt-mul {p} 2 --fill 8 -o {d}/no.nc', b'result holds 8 at time=1, x=0'),
                      (f'axt-flip x {i} --fill 3 -o {d}/no.nc', b'holds 3 at x=0'),
                      (f'axt-map isnan {p} --fill 3 -o {d}/no.nc', b'bool')):
        r = shell(line)
        tap.ok(r.returncode == 1 and why in r.stderr and not os.path.exists(f'{d}/no.nc'), f'refused: {why.decode()}',
               r.stderr)
    with netCDF4.Dataset(shell(f'axt-mul {p} 2 --attr _FillValue= -o {q}') and q) as f:
        tap.ok('_FillValue' not in f['t'].ncattrs(), 'no number is asked for', f['t'].ncattrs())


def literal_nan():
    """A NaN that somebody typed is a missing value."""
    p = write(f'{d}/n.nc', 't', np.arange(24, dtype='f4').reshape(2, 3, 4), ('time', 'lat', 'lon'))
    m = write(f'{d}/m.nc', 'm', np.tri(3, 4, dtype='f4'), ('lat', 'lon'))
    a, mask = np.arange(24.).reshape(2, 3, 4), np.tri(3, 4) > 0
    want = np.where(mask, a, np.nan)
    for line in (f'axt-calc "where(m > 0, t, nan)" t={p} m={m}', f'axt-gt {m} 0 | axt-where - {p} nan',
                 f'axt-calc "where(m > 0, t, -nan)" t={p} m={m}'):
        q = f'{d}/w.nc'
        r = shell(f'{line} -o {q}')
        with xr.open_dataset(q) as f:
            v = next(iter(f.data_vars.values()))
            tap.ok(v.dims == ('time', 'lat', 'lon') and same(v.values, want, dtype=False) == '', f'{line[:9]}: axes, values',
                   f'{v.dims} {r.stderr}')
        r = shell(f'axt-reduce mean -p {q}')
        tap.ok(float(r.stdout) == np.nanmean(want), f'{line[:9]}: the mean leaves it out', r.stdout)
    r = shell(f'axt-make full:nan x=3 --dtype f32 -o {q}; axt-reduce count -p {q}')
    tap.ok(r.stdout.strip() == b'0', 'full:nan', r.stdout + r.stderr)
    r = shell(f'axt-fillnan {d}/w.nc 0 -o {q}; axt-attr {q}')
    tap.ok(b'_FillValue' not in r.stdout, 'filled: nothing is missing', r.stdout)


def histories():
    """A line for each command that led to the file, also by branches, the last in front."""
    os.chdir(d)
    shell('axt-make iota time=3,x=4 --dtype f32 -o a.nc; axt-make iota time=3 --dtype f32 -o b.nc')
    made, other = 'axt-make iota time=3,x=4 --dtype f32', 'axt-make iota time=3 --dtype f32'
    mean, sub = 'axt-reduce mean --over time a.nc', 'axt-sub a.nc -'
    cases = [
        (f'{mean} | {sub}', [sub, mean, made]),
        (f'axt-sub a.nc <({mean})', ['axt-sub a.nc /dev/fd/N', mean, made]),
        (f'{mean} | axt-sub - a.nc', ['axt-sub - a.nc', mean, made]),
        (f'axt-mul a.nc 2 | axt-add - <(axt-mul b.nc 3 | axt-add - 1)',
         ['axt-add - /dev/fd/N', 'axt-mul a.nc 2', 'axt-add - 1', 'axt-mul b.nc 3', other, made]),
        (f'axt-sub <({mean}) <({mean})', ['axt-sub /dev/fd/N /dev/fd/N', mean, made]),
        (f'axt-reduce sum --over time --by <(axt-floordiv b.nc 2 --name k) a.nc',
         ['axt-reduce sum --over time --by /dev/fd/N a.nc', 'axt-floordiv b.nc 2 --name k', other, made]),
        ('axt-add a.nc b.nc', ['axt-add a.nc b.nc', made]),
    ]
    for line, want in cases:
        for fuse in '01':
            r = shell(f'{line} -o h.nc', env={'AXT_FUSE': fuse})
            with netCDF4.Dataset('h.nc') as f:
                got = re.sub(r'/dev/fd/\d+', '/dev/fd/N', f.history).split('\n')
            # what two branches both began with stands behind them
            tap.ok(sorted(got) == sorted(want) and got[:2] == want[:2] and got[-1] in (made, other),
                   f'history of {line}, AXT_FUSE={fuse}', f'{r.stderr} {got}')
    r = shell(f'{mean} | {sub} --no-history -o h.nc')
    with netCDF4.Dataset('h.nc') as f:
        tap.ok(f.history == made, '--no-history', f.history)


def unlimited():
    """Axes without a greatest length are shown as netCDF shows them."""
    cases = {   # dimensions (None: unlimited), coordinates, variables
        'with a coordinate': ([('time', None), ('x', 2)], ['time', 'x'], [('t', ('time', 'x'), 5)]),
        'without a coordinate': ([('time', None), ('x', 2)], [], [('t', ('time', 'x'), 4)]),
        'not the first': ([('x', 2), ('time', None)], ['time'], [('t', ('x', 'time'), 3)]),
        'two of them': ([('time', None), ('n', None), ('x', 2)], ['n'], [('t', ('x', 'n', 'time'), 3)]),
        'grown by half': ([('time', None)], [], [('a', ('time',), 2), ('b', ('time',), 6)]),
        'of length 0': ([('time', None), ('x', 2)], [], [('t', ('time', 'x'), 0)]),
        'none': ([('time', 3), ('x', 2)], ['time'], [('t', ('time', 'x'), 3)]),
    }
    for name, (dims, coords, variables) in cases.items():
        p = f'{d}/unlimited.nc'
        with netCDF4.Dataset(p, 'w') as f:
            for n, k in dims:
                f.createDimension(n, k)
            for n in coords:
                v = f.createVariable(n, 'f8', (n,))
                k = dict(dims)[n] or variables[0][2]
                v[:] = np.arange(k)
            for n, names, grown in variables:
                v = f.createVariable(n, 'f4', names)
                v[:] = np.zeros([dict(dims)[q] or grown for q in names])
        want = tool('ncdump', '-h', p)[1]
        got = axt('info', '--cdl', p).out.decode()
        tap.ok(('UNLIMITED' in want) == (name != 'none') and sorted(got.split('\n')) == sorted(want.split('\n')),
               f'unlimited axes, {name}: --cdl as ncdump -h', f'{got} {want}')
        told = json.loads(axt('info', '--json', p).out)['tensors']
        right = all(t['unlimited'] == [dict(dims)[q] is None for q in t['axes']] for t in told)
        tap.ok(right and len(told) == len(variables), f'unlimited axes, {name}: --json', told)
        lines = axt('info', p).out.decode().split('\naxes\n')[1].split('\n\n')[0].splitlines()
        shown = {q.split()[0] for q in lines if q.split()[2:3] == ['unlimited']}
        tap.ok(shown == {n for n, k in dims if k is None}, f'unlimited axes, {name}: text', lines)
    with h5py.File(f'{d}/plain.h5', 'w') as f:
        f.create_dataset('t', data=np.zeros((2, 3, 4)), maxshape=(2, None, 8), chunks=(2, 3, 4))
    told = json.loads(axt('info', '--json', f'{d}/plain.h5').out)['tensors'][0]['unlimited']
    tap.ok(told == [False, True, False], 'unlimited axes of a dataset without scales', told)


def grown(p, names):
    """Whether the tensor has these unlimited axes for h5py, netCDF4, xarray and axt-info, or what is wrong."""
    with h5py.File(p) as f, netCDF4.Dataset(p) as n, xr.open_dataset(p, decode_times=False) as x:
        v = n['t']
        want = tuple(None if q in names else k for q, k in zip(v.dimensions, v.shape))
        told = json.loads(axt('info', '--json', p).out)['tensors'][0]
        bad = [q for q in v.dimensions if n.dimensions[q].isunlimited() != (q in names)]
        bad += [q for q in v.dimensions if (f[q].maxshape == (None,)) != (q in names)]
        # a coordinate has no chunk of one element
        bad += [f'{q} {f[q].chunks}' for q in names if q in n.variables and (f[q].chunks or (0,))[0] < 512]
        if f['t'].maxshape != want or x.encoding.get('unlimited_dims', set()) != set(names):
            bad.append(f"{f['t'].maxshape} {want} {x.encoding}")
        if told['unlimited'] != [q in names for q in told['axes']] or (told['storage'] == 'contiguous' and names):
            bad.append(told)
        return bad


def record(p, n, **how):
    """t over time (unlimited), y and x, time with bounds; returns the values."""
    a = np.arange(n * 12, dtype='f4').reshape(n, 3, 4)
    with netCDF4.Dataset(p, 'w') as f:
        for q, k in (('time', None), ('y', 3), ('x', 4), ('nv', 2)):
            f.createDimension(q, k)
        v = f.createVariable('time', 'f8', ('time',))
        v.units, v.bounds = 'hours since 2000-01-01', 'time_bnds'
        v[:] = np.arange(n) * 24.
        f.createVariable('time_bnds', 'f8', ('time', 'nv'))[:] = np.arange(n)[:, None] * 24. + [-12, 12]
        f.createVariable('t', 'f4', ('time', 'y', 'x'), **how)[:] = a
    return a


def unlimited_results():
    """An unlimited axis of an operand is one of the result, in bytes and plans, and others can add records."""
    os.chdir(d)
    a = record('r.nc', 5)
    record('z.nc', 5, zlib=True)
    with netCDF4.Dataset('fixed.nc', 'w') as f:
        for q, k in (('time', 5), ('x', 4)):
            f.createDimension(q, k)
        f.createVariable('f', 'f4', ('time', 'x'))[:] = 1
    cases = [   # command, unlimited axes, values
        ('axt-add r.nc:t 1', ['time'], a + 1), ('axt-add z.nc:t 1', ['time'], a + 1),
        ('axt-add r.nc:t 1 --deflate 1', ['time'], a + 1), ('axt-add r.nc:t 1 --chunk time=2,x=3', ['time'], a + 1),
        ('axt-mul fixed.nc r.nc:t --name t --axes time,y,x', ['time'], a),
        ('axt-slice time=1:3 r.nc:t', ['time'], a[1:3]), ('axt-flip time r.nc:t', ['time'], a[::-1]),
        ('axt-order x,y,time r.nc:t', ['time'], a.T), ('axt-rename time=T r.nc:t', ['T'], a),
        ('axt-reduce sum --over x,y r.nc:t', ['time'], a.sum((1, 2), dtype='f8').astype('f4')),
        ('axt-reduce sum --over time r.nc:t', [], a.sum(0, dtype='f8').astype('f4')),
        ('axt-concat time r.nc:t r.nc:t --join override', ['time'], np.concatenate([a, a])),
        ('axt-window time=w:2 r.nc:t', ['time'], np.stack([a[:-1], a[1:]], -1)),
        ('axt-flatten time,y=n r.nc:t', [], a.reshape(15, 4)),
        ('axt-stack n r.nc:t r.nc:t', ['time'], np.stack([a, a])),
        ('axt-cast --to a,b,c r.nc:t', [], a),
        ("axt-add r.nc:t 1 --unlimited ''", [], a + 1), ("axt-add r.nc:t 1 --deflate 1 --unlimited ''", [], a + 1),
        ('axt-add r.nc:t 1 --unlimited x,y', ['x', 'y'], a + 1),
        ('axt-make full:7 time=3,x=2 --unlimited time --name t --dtype f32', ['time'], np.full((3, 2), 7, 'f4')),
        ('axt-make full:7 time=0,x=2 --unlimited time --name t --dtype f32', ['time'], np.full((0, 2), 7, 'f4')),
        ('axt-slice time=1: r.nc:t | axt-order x,time,y | axt-mul - 2', ['time'], 2 * a.transpose(2, 0, 1)[:, 1:]),
        ('axt-add r.nc:t 1 | cat | axt-mul - 2', ['time'], 2 * (a + 1)),
        ('axt-add z.nc:t 1 | cat | axt-flip time', ['time'], a[::-1] + 1),
    ]
    for line, names, want in cases:
        made = []
        for fuse in '01' if '|' in line else '0':
            r = shell(f'{line} --no-history -o u.nc', env={'AXT_FUSE': fuse})
            bad = [r.stderr] if r.returncode else grown('u.nc', names) + [same(stored('u.nc')[0], want)]
            tap.ok(not any(bad), f'unlimited axes of {line}, AXT_FUSE={fuse}', bad)
            made.append(open('u.nc', 'rb').read())
        if '--deflate' not in line and '--chunk' not in line:
            r = shell(f'{line} --no-history >s.nc')
            tap.ok({open('s.nc', 'rb').read(), *made} == {made[0]}, f'the same bytes down a pipe: {line}', r.stderr)
    axt('save', 'r.nc:t', '-o', 'saved.nc')
    r = axt('add', 'saved.nc:t', '1', '-o', 'u.nc')
    tap.ok(not any(grown('u.nc', ['time'])), 'unlimited axes of a saved expression', r)

    for how in '', '--deflate 1', '--chunk time=2':
        shell(f'rm -f u.nc; axt-add r.nc:t 1 {how} -o u.nc')
        for add in ['ncrcat', '-h', '--rec_apn', 'more.nc', 'u.nc'], None:
            if add:
                record('more.nc', 9)
                rc, out = tool(*add)
            else:
                with h5py.File('u.nc', 'a') as f:
                    for q in f['t'], f['time'], f['time_bnds']:
                        q.resize(15, 0)
                        q[14] = 99
                rc, out = 0, 'h5py'
            want = np.concatenate([a + 1, np.arange(108, dtype='f4').reshape(9, 3, 4), np.full((1, 3, 4), 99, 'f4')])
            got = axt('print', '--csv', 'u.nc:t').out.decode().split()[1:]
            n = 14 if add else 15
            tap.ok(rc == 0 and [float(q.split(',')[-1]) for q in got] == want[:n].ravel().tolist() and
                   same(stored('u.nc')[0], want[:n]) == '', f'records added to {how or "chunks"} by {"ncrcat" if add else out}', out)
    for line in ('axt-add r.nc:t 1 -o u.nc', 'axt-add r.nc:t 2 --name b -o u.nc:b', "axt-add r.nc:t 3 --unlimited '' -o u.nc:b",
                 'axt-make full:1 time=5 --name c -o u.nc:c', 'axt-add r.nc:t 4 -o u.nc:t', 'axt-add r.nc:t 4 --deflate 1 -o u.nc:z'):
        r = shell(line)
        tap.ok(r.returncode == 0, line, r.stderr)
    with h5py.File('u.nc') as f:
        tap.ok(all(f[q].maxshape[0] is None for q in 'btcz') and (f['b'][:] == a + 3).all() and (f['t'][:] == a + 4).all() and
               (f['z'][:] == a + 4).all() and (f['c'][:] == 1).all(), 'a dimension that is there stays unlimited',
               {q: f[q].maxshape for q in f})
    for line in ('axt-make full:1 time=5 --name c -o v.nc', 'axt-add r.nc:t 0 --join override -o v.nc:t'):
        r = shell(f'rm -f w.nc; axt-coord drop time r.nc:t -o w.nc; {line.replace("r.nc", "w.nc")}')
    with h5py.File('v.nc') as f:
        tap.ok(f['time'].maxshape == (5,) and f['t'].maxshape == (5, 3, 4), 'a dimension that is there stays fixed', r.stderr)
    r = axt('add', 'r.nc:t', '1', '--unlimited', 'lat', '-o', 'no.nc')
    tap.ok(r.rc == 1 and 'no axis "lat" in the result (time, y, x' in r.err and not os.path.exists('no.nc'),
           '--unlimited of an axis there is not', r)


def rows_of_chunks():
    """Chunks that lie one after another in the order of their elements, and such that only seem to."""
    rng = np.random.default_rng(20)
    whole = 0
    for k in range(40):
        shape = tuple(int(n) for n in rng.integers(1, 6, rng.integers(1, 5)))
        chunk = tuple(int(rng.choice([1, n, rng.integers(1, n + 1), n + 2])) for n in shape)
        a = rng.integers(0, 1000, shape).astype('i4')
        with h5py.File(f'{d}/c.h5', 'w') as f:
            q = f.create_dataset('t', shape, 'i4', maxshape=(None,) * len(shape), chunks=chunk)
            if rng.random() < .8:
                q[...] = a
            else:   # from the last to the first
                a = np.zeros(shape, 'i4')
                for i in list(np.ndindex(*shape))[::-1]:
                    q[i] = a[i] = sum(i) + 1
        info = json.loads(axt('info', '--json', f'{d}/c.h5').out)['tensors'][0]
        whole += info['byte_offset'] is not None
        for line in (f'axt-print --csv {d}/c.h5', f'cat {d}/c.h5 | axt-print --csv -'):
            got = [int(q.split(',')[-1]) for q in shell(line).stdout.decode().split()[1:]]
            tap.ok(got == a.ravel().tolist() and info['chunks'] == list(chunk), f'chunks {chunk} of {shape}: {line[:3]}',
                   f'{got} {a.ravel()} {info}')
    tap.ok(5 < whole < 35, 'some are read as one block, others are not', whole)


def packed_integers():
    """What --pack stores is the nearest integer for the scale and offset that are stored."""
    rng = np.random.default_rng(8)
    for k in range(10):
        a = (rng.normal(rng.normal() * 50, 10. ** rng.integers(0, 4), 20000)).astype('f4')
        with h5py.File(f'{d}/plain.h5', 'w') as f:
            f['t'] = a
        axt('cast', '--pack', 'i16', f'{d}/plain.h5', '-o', f'{d}/packed.h5')
        with h5py.File(f'{d}/packed.h5') as f:
            scale, offset = (f['t'].attrs[q] for q in ('scale_factor', 'add_offset'))
            want = np.rint((a.astype('f8') - np.float64(offset[()])) / np.float64(scale[()]))
            tap.ok(scale.dtype == 'f4' and (f['t'][:] == want).all(), f'--pack i16, {k}', (scale, offset))


for part in (packed_coordinates, packed_integers, valid_ranges, attribute_dtypes, moved_values, fills, literal_nan, histories, unlimited, unlimited_results,
             rows_of_chunks):
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
os.chdir('/')
tap.done()
