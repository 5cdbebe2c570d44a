#!/usr/bin/python3
"""axt-convert, and operands in different units, beside the formulas in NumPy."""
import os

import numpy as np
import xarray as xr

import axtlib
from axtlib import Tap, scratch

# unit, and the same quantity in the first unit of the row: v * factor + offset
ROWS = [
    [('K', 1, 0), ('degC', 1, 273.15), ('degF', 5 / 9, 459.67 * 5 / 9), ('celsius', 1, 273.15), ('mK', 1e-3, 0)],
    [('Pa', 1, 0), ('hPa', 100, 0), ('mbar', 100, 0), ('atm', 101325, 0), ('kg m-1 s-2', 1, 0)],
    [('m s-1', 1, 0), ('mm/day', 1e-3 / 86400, 0), ('km/h', 1 / 3.6, 0), ('knot', 1852 / 3600, 0)],
    [('kg m-2 s-1', 1, 0), ('g/cm2/hour', 10 / 3600, 0)],
    [('1', 1, 0), ('%', .01, 0), ('g/kg', 1e-3, 0)],
]


def both(r):
    row = ROWS[r.integers(len(ROWS))]
    a, b = (row[i] for i in r.choice(len(row), 2, replace=False))
    return a, b


def written(name, v, unit):
    xr.Dataset({'v': (('y', 'x'), v, {'units': unit})}).to_netcdf(name, format='NETCDF4')


def case(seed):
    r = np.random.default_rng(seed)
    (ua, fa, oa), (ub, fb, ob) = both(r)
    dtype = r.choice(['f8', 'f4', 'i4'])
    shape = tuple(r.integers(1, 9, 2))
    a, b = ((r.normal(0, 300, shape)).astype(dtype) for _ in range(2))
    if dtype != 'i4':
        a.flat[0] = np.nan
    written('a.nc', a, ua)
    written('b.nc', b, ub)
    # b in the units of a
    want = ((b.astype('f8') * fb + ob) - oa) / fa
    want = want.astype(dtype) if dtype != 'i4' else want
    size = np.abs(want).max() + abs((ob - oa) / fa)
    tol = (1e-6 if dtype == 'f4' else 1e-13) * (size + np.nanmax(np.abs(a)))
    for line, w in ((f'axt-convert --to "{ua}" b.nc:v', want), ('axt-add -q a.nc:v b.nc:v', a + want),
                    ('axt-sub -q a.nc:v b.nc:v', a - want), ('axt-maximum -q a.nc:v b.nc:v', np.maximum(a, want)),
                    ('axt-where -q 0 a.nc:v b.nc:v', want), ('axt-concat -q y a.nc:v b.nc:v', np.concatenate([a, want]))):
        run = axtlib.shell(line + ' -o o.nc --force')
        if run.returncode:
            return f'{line}: {run.stderr}'
        with xr.open_dataset('o.nc') as ds:
            got = ds['v']
            if got.attrs.get('units') != ua:
                return f'{line}: units {got.attrs}'
            if got.dtype != w.dtype or not np.allclose(got.values, w, rtol=0, atol=tol, equal_nan=True):
                return f'{line} {ub} to {ua} {dtype}: {got.values.ravel()[:3]} want {w.ravel()[:3]}'
    return ''


def main():
    t = Tap()
    os.chdir(scratch())
    cases, first = axtlib.random_cases(25, 10, 200, 16)
    for seed in range(first, first + cases):
        why = case(seed)
        t.ok(not why, f'seed {seed}', why)
    t.done()


main()
