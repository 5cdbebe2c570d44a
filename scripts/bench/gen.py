#!/usr/bin/python3
"""Writes the inputs of the bench: gen.py DIR small|big NAME...

Every file holds one variable "x" with named axes (netCDF-4). Fields are smooth travelling waves and a little
noise, so that deflate behaves as on real data.
  a b   f32 (time,lat,lon), contiguous      az  a with deflate 4, shuffle, a chunk per time      ai  a packed to int16
  azs   a with zstd and shuffle, abl  a with bitshuffle and LZ4, chunks of a time and 128 latitudes; packed by axt-copy
  u v w f32 (time,lat,lon), contiguous, half as large
  p     f32 (c,h,w,n), contiguous           q   f32 (w,h)                                        s  a small file
  rgb   u8 (i,j,c=3)         p3 p10   f32 (p,c=3) and (p,c=10), contiguous
  day   f32 (time,lat,lon), ten years of days        doy   the day of the year of each but the first and last two
  lab   i32 (r), numbers below 20,000
  m3 m8 m4096 mt    f64 (b,i,j): 3 x 3, 8 x 8, 4096 x 4096, 2000 x 1000     r8 r4096  f64 (b,i)
  ef ef4g           f32 (time,lat,lon) of a few patterns and noise: 240 x 16,200 and 1,000 x 1,036,800 (4 GB)
  ik kj nef lm m ...   f32, contiguous, with axes of these letters
small: 256 MiB each, big: 1 GiB, huge: 4 GiB (a and b only, holes: they read as zeros).
"""
import os
import subprocess
import sys

import h5py
import netCDF4
import numpy as np

NLAT, NLON = 361, 720
TIMES = {'small': 258, 'big': 1033, 'huge': 4132}
WIDE = {'small': (16, 120, 136, 257), 'big': (16, 240, 272, 257)}
LENGTHS = {**dict.fromkeys('ijk', 4096), 'a': 1024, 'b': 64, 'c': 128, 'd': 1024, 'n': 64, **dict.fromkeys('efg', 512)}
DAYS = 3652
DAYS_GRID = {'small': (128, 144), 'big': (256, 288)}
PIXELS = {'small': 9459, 'big': 18918}
VECTOR = {'small': 8192, 'big': 16384}
MATRICES = {'m3': (1000000, 3, 3), 'm8': (200000, 8, 8), 'r8': (200000, 8), 'm4096': (1, 4096, 4096), 'r4096': (1, 4096),
            'mt': (1, 2000, 1000)}
FEW_PATTERNS = {'ef': (240, 90, 180), 'ef4g': (1000, 720, 1440)}
PACKED = {'azs': ['zstd'], 'abl': ['lz4', '--shuffle', 'bit']}
LONG = {'small': 1 << 24, 'big': 1 << 26}


def plane(t, seed, rng):
    lat = np.radians(np.linspace(-90, 90, NLAT, dtype='f4'))[:, None]
    lon = np.radians(np.linspace(0, 360, NLON, endpoint=False, dtype='f4'))[None, :]
    f = 273 + 30 * np.cos(2 * lat) + np.zeros_like(lon)
    for k, (amp, w) in enumerate([(8, 3), (5, 5), (3, 9), (1.5, 17)]):
        f = f + amp * np.cos(lat) * np.sin(w * lon - .05 * (k + 1) * t + seed) * np.cos((k + 2) * lat + .01 * t)
    return (f + rng.standard_normal(f.shape, dtype='f4') * np.float32(.02)).astype('f4')


def field(path, nt, seed, dtype='f4', records=False, **storage):
    """With records the file is netCDF classic, and the values of each time lie apart."""
    rng = np.random.default_rng(seed)
    with netCDF4.Dataset(path, 'w', format='NETCDF3_64BIT_OFFSET' if records else 'NETCDF4') as d:
        for name, n, unit, v in (('time', nt, 'hours since 2000-01-01', np.arange(nt) * 6.),
                                 ('lat', NLAT, 'degrees_north', np.linspace(-90, 90, NLAT)),
                                 ('lon', NLON, 'degrees_east', np.linspace(0, 360, NLON, endpoint=False))):
            d.createDimension(name, None if records and name == 'time' else n)
            c = d.createVariable(name, 'f8', (name,))
            c.units = unit
            c.standard_name = {'time': 'time', 'lat': 'latitude', 'lon': 'longitude'}[name]
            c[:] = v
        x = d.createVariable('x', dtype, ('time', 'lat', 'lon'), fill_value=False, **storage)
        x.units, x.long_name = 'K', 'test field'
        if dtype == 'i2':
            x.scale_factor, x.add_offset = np.float32(.002), np.float32(273)
        for t in range(nt):
            x[t] = plane(t, seed, rng)


def plain(path, dims, shape, seed):
    rng = np.random.default_rng(seed)
    with netCDF4.Dataset(path, 'w') as d:
        for n, k in zip(dims, shape):
            d.createDimension(n, k)
        x = d.createVariable('x', 'f4', dims, contiguous=True, fill_value=False)
        step = max(1, 4096 // max(1, int(np.prod(shape[1:], dtype='i8'))))
        for i in range(0, shape[0], step):
            n = min(step, shape[0] - i)
            x[i:i + n] = rng.standard_normal((n, *shape[1:]), dtype='f4')


def rows_of(path, dims, shape, dtype, seed):
    """Many short rows, written thousands at a time."""
    rng = np.random.default_rng(seed)
    with netCDF4.Dataset(path, 'w') as d:
        for n, k in zip(dims, shape):
            d.createDimension(n, k)
        x = d.createVariable('x', dtype, dims, contiguous=True, fill_value=False)
        step = max(1, (1 << 22) // int(np.prod(shape[1:])))
        for i in range(0, shape[0], step):
            some = (min(step, shape[0] - i),) + tuple(shape[1:])
            x[i:i + step] = rng.integers(0, 256, some, 'u1') if dtype == 'u1' else rng.standard_normal(some, dtype='f4')


def days(path, lat, lon):
    rng = np.random.default_rng(9)
    with netCDF4.Dataset(path, 'w') as d:
        for n, k, unit in (('time', DAYS, 'days since 2001-01-01'), ('lat', lat, 'degrees_north'),
                           ('lon', lon, 'degrees_east')):
            d.createDimension(n, k)
            c = d.createVariable(n, 'f8', (n,))
            c.units = unit
            c[:] = np.arange(k) + .5 if n == 'time' else np.linspace(-88, 88, k)
        x = d.createVariable('x', 'f4', ('time', 'lat', 'lon'), contiguous=True, fill_value=False)
        for t in range(DAYS):
            x[t] = rng.standard_normal((lat, lon), dtype='f4') * 5 + 280 + 10 * np.sin(t * 2 * np.pi / 365.25)


def few_patterns(path, shape):
    rng = np.random.default_rng(12)
    patterns = rng.standard_normal((8, *shape[1:]), dtype='f4')
    with netCDF4.Dataset(path, 'w') as d:
        for n, k, unit in zip(('time', 'lat', 'lon'), shape, ('days since 2001-01-01', 'degrees_north', 'degrees_east')):
            d.createDimension(n, k)
            c = d.createVariable(n, 'f8', (n,))
            c.units = unit
            c[:] = np.arange(k) if n == 'time' else np.linspace(-89, 89, k)
        x = d.createVariable('x', 'f4', ('time', 'lat', 'lon'), contiguous=True, fill_value=False)
        for t in range(shape[0]):
            x[t] = np.tensordot(rng.standard_normal(8, dtype='f4'), patterns, 1) + \
                rng.standard_normal(shape[1:], dtype='f4') * np.float32(.3)


def days_of_year(path):
    day = np.datetime64('2001-01-01') + np.arange(2, DAYS - 2)
    with netCDF4.Dataset(path, 'w') as d:
        d.createDimension('time', len(day))
        c = d.createVariable('time', 'f8', ('time',))
        c.units = 'days since 2001-01-01'
        c[:] = np.arange(2, DAYS - 2) + .5
        d.createVariable('doy', 'i4', ('time',), fill_value=False)[:] = (day - day.astype('M8[Y]')).astype(int) + 1


def labels(path, n):
    with netCDF4.Dataset(path, 'w') as d:
        d.createDimension('r', n)
        d.createVariable('lab', 'i4', ('r',), contiguous=True, fill_value=False)[:] = \
            np.random.default_rng(10).integers(0, 20000, n)


def holes(path, nt):
    with h5py.File(path, 'w', track_order=True) as f:
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        p.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        shape = (nt, NLAT, NLON)
        h5py.h5d.create(f.id, b'x', h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(shape), dcpl=p)
        for i, n in enumerate(('time', 'lat', 'lon')):
            f.create_dataset(n, data=np.arange(shape[i], dtype='f8')).make_scale(n)
            f['x'].dims[i].attach_scale(f[n])


def main():
    d, size, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(d, exist_ok=True)
    nt = TIMES[size]
    for n in names:
        path = f'{d}/{n}.nc'
        if os.path.exists(path):
            continue
        new = path + '.new'
        if size == 'huge':
            holes(new, nt)
        elif n in ('a', 'b'):
            field(new, nt, 'ab'.index(n) + 1, contiguous=True)
        elif n in ('ac', 'bc'):
            field(new, nt, ['ac', 'bc'].index(n) + 1, records=True)
        elif n in ('u', 'v', 'w'):
            field(new, nt // 2, 'uvw'.index(n) + 3, contiguous=True)
        elif n == 'az':
            field(new, nt, 1, zlib=True, complevel=4, shuffle=True, chunksizes=(1, NLAT, NLON))
        elif n in ('azs', 'abl'):
            subprocess.run(['axt-copy', '-q', '--chunk', 'time=1,lat=128', '--compress', *PACKED[n], f'{d}/a.nc', '-o', new],
                           check=True)
        elif n == 'ai':
            field(new, nt, 1, dtype='i2', contiguous=True)
        elif n == 'p':
            plain(new, tuple('chwn'), WIDE[size], 4)
        elif n == 'rgb':
            rows_of(new, tuple('ijc'), (PIXELS[size], PIXELS[size], 3), 'u1', 7)
        elif n in ('p3', 'p10'):
            rows_of(new, tuple('pc'), (PIXELS[size]**2 * 3 // 4 // int(n[1:]), int(n[1:])), 'f4', 8)
        elif n == 'day':
            days(new, *DAYS_GRID[size])
        elif n == 'doy':
            days_of_year(new)
        elif n in FEW_PATTERNS:
            few_patterns(new, FEW_PATTERNS[n])
        elif n in MATRICES:
            rows_of(new, tuple('bij')[:len(MATRICES[n])], MATRICES[n], 'f8', 11)
        elif n == 'lab':
            labels(new, LONG[size])
        elif n == 'q':
            plain(new, tuple('wh'), (WIDE[size][2], WIDE[size][1]), 5)
        elif n == 's':
            plain(new, ('lat', 'lon'), (30, 40), 6)
        else:
            lengths = {**LENGTHS, **dict.fromkeys('lm', VECTOR[size]), 'o': LONG[size] // 4, 'r': LONG[size], **dict.fromkeys('yzv', 3)}
            plain(new, tuple(n), [lengths[c] for c in n], int.from_bytes(n.encode(), 'big'))
        os.rename(new, path)


main()
