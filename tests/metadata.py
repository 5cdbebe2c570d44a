#!/usr/bin/python3
"""What is said of values, beside them: packing, missing values, dtypes of attributes. Compared with netCDF4, xarray,
NCO and CDO on files made here."""
import os
import subprocess
import warnings

import netCDF4
import numpy as np

from axtlib import Tap, axt, scratch

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


for part in (packed_coordinates, attribute_dtypes):
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
os.chdir('/')
tap.done()
