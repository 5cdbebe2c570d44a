#!/usr/bin/python3
"""Correlation, covariance and trends of gappy data against xarray, NumPy and CDO: trends.py [CASES [SEED]]."""
import os
import warnings
from fractions import Fraction

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from axtlib import Tap, axt, random_cases, scratch, shell


def dataset(r, dtype):
    n, shape = int(r.integers(2, 60)), (int(r.integers(1, 4)), int(r.integers(1, 70)))
    x = r.normal(280, 5, (n,) + shape)
    y = x * r.normal() + r.normal(0, 3, x.shape)
    for v in (x, y):
        v[r.random(v.shape) < r.choice([0, .1, .5])] = np.nan
    enc = {'_FillValue': np.dtype(dtype).type(1e20)}
    return xr.Dataset({'x': (('time', 'lat', 'lon'), x.astype(dtype), {}, enc), 'y': (('time', 'lat', 'lon'), y.astype(dtype), {}, enc),
                       's': (('time',), r.normal(size=n).astype(dtype)), 'w': (('time',), r.random(n))},
                      {'time': pd.date_range('2000-01-01', periods=n) + pd.to_timedelta(np.cumsum(r.integers(0, 3, n)), 'D')})


def read(path, name):
    with xr.open_dataset(path, decode_times=False) as d:
        return d[name].load().values


def near(a, b, scale, eps):
    a, b = np.asarray(a, 'f8'), np.asarray(b, 'f8')
    return a.shape == b.shape and bool(np.all((np.abs(a - b) <= eps * scale) | (np.isnan(a) & np.isnan(b))))


def fit(t, v):
    """numpy.polyfit of each column without its gaps."""
    out = np.full((2,) + v.shape[1:], np.nan)
    for i in np.ndindex(v.shape[1:]):
        ok = ~np.isnan(v[(slice(None),) + i])
        if ok.sum() > 1:
            out[(slice(None),) + i] = np.polyfit(t[ok] - t[ok].mean(), v[(slice(None),) + i][ok], 1)
            out[(1,) + i] -= out[(0,) + i] * t[ok].mean()
    return out


def check(t, r, case):
    dtype = str(r.choice(['f4', 'f8']))
    eps = 3e-6 if dtype == 'f4' else 1e-10
    d = dataset(r, dtype)
    d.to_netcdf('d.nc')
    wide = d.astype('f8')
    dims = [['time'], ['lat', 'lon'], ['time', 'lat', 'lon'], ['lon', 'time']][int(r.integers(4))]
    a, b = (wide.x, wide.y) if r.random() < .7 else (wide.s, wide.y)
    ddof = int(r.integers(0, 2))
    over = '--over=' + ','.join(dims)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        # xarray leaves a pair out of both; a tensor that lacks an axis is broadcast first
        a, b = xr.broadcast(a, b)
        cov, corr = xr.cov(a, b, dims, ddof=ddof), xr.corr(a, b, dims)
        pairs = (a.notnull() & b.notnull()).sum(dims)
    names = ['d.nc:s' if a.equals(xr.broadcast(wide.s, wide.y)[0]) else 'd.nc:x', 'd.nc:y']
    run = axt('cov', over, f'--ddof={ddof}', *names, '--name=c', '-o', 'cov.nc', '--force')
    t.ok(run.rc == 0, f'case {case}: axt-cov ends well', run)
    enough = (pairs > ddof).values
    t.ok(near(np.where(enough, read('cov.nc', 'c'), 0), np.where(enough, cov.values, 0), 500, eps), f'case {case}: covariance', (dims, names))
    run = axt('corr', over, *names, '--name=c', '-o', 'corr.nc', '--force')
    t.ok(run.rc == 0, f'case {case}: axt-corr ends well', run)
    enough = (pairs > 2).values
    t.ok(near(np.where(enough, read('corr.nc', 'c'), 0), np.where(enough, corr.values, 0), 1, eps), f'case {case}: correlation', (dims, names))
    run = axt('trend', '--along=time', 'd.nc:x', '-o', 'trend.nc', '--force')
    t.ok(run.rc == 0, f'case {case}: axt-trend ends well', run)
    days = ((d.time - d.time[0]) / np.timedelta64(1, 'D')).values.astype('f8')
    want = fit(days, wide.x.values)
    t.ok(near(read('trend.nc', 'slope'), want[0], 10, 1e-9), f'case {case}: slope')
    t.ok(near(read('trend.nc', 'intercept'), want[1], 300, 1e-9), f'case {case}: intercept')
    run = axt('trend', '--detrend', '--along=time', 'd.nc:x', '-o', 'flat.nc', '--force')
    rest = wide.x.values - want[0] * days[:, None, None] - want[1]
    t.ok(run.rc == 0 and near(read('flat.nc', 'x'), rest, 300, eps), f'case {case}: detrended', run)


def far_axes(t):
    """Axes far from zero: days since the year 0, seconds and nanoseconds since 1970, the last in integers."""
    r = np.random.default_rng(9)
    for case in range(24):
        first, step, dtype = [(730000, .125, 'f8'), (1.7e9, 600., 'f8'), (1700000000123456789, int(r.integers(1, 10**9)), 'i8'),
                              (-1e12, .25, 'f8')][case % 4]
        n = int(r.integers(3, 200))
        x = np.sort(r.choice(5 * n, n, replace=False)).astype(dtype) * np.array(step, dtype) + np.array(first, dtype)
        away = np.array([int(v) - int(x[0]) for v in x], np.longdouble) if dtype == 'i8' else x.astype(np.longdouble) - x[0]
        y = 3 + r.normal() * away / away.max() + r.normal(0, 1e-6, n)
        y = y.astype('f8')
        with h5py.File('far.h5', 'w') as f:
            f['x'], f['y'] = x, y
            f['x'].make_scale('x')
            f['y'].dims[0].attach_scale(f['x'])
        away -= away.mean()
        rest = y - y.mean(dtype=np.longdouble)
        rest = rest - (away * rest).sum() / (away * away).sum() * away
        run = axt('trend', '--detrend', '--along=x', 'far.h5:y', '-o', 'flat.h5', '--force')
        t.ok(run.rc == 0 and np.allclose(read('flat.h5', 'y'), rest.astype('f8'), rtol=0, atol=1e-13), f'far case {case}: detrended', run)


def cdo(t):
    """CDO counts steps, which are the days of this file."""
    r = np.random.default_rng(5)
    v = r.normal(280, 5, (50, 3, 4)).astype('f8')
    v[r.random(v.shape) < .2] = np.nan
    u = v + r.normal(0, 3, v.shape)
    u[r.random(v.shape) < .2] = np.nan
    for name, a in (('a', v), ('b', u)):
        xr.Dataset({'v': (('time', 'lat', 'lon'), a, {}, {'_FillValue': 1e20})},
                   {'time': pd.date_range('2000-01-01', periods=50), 'lat': ('lat', [-10., 0, 10], {'units': 'degrees_north'}),
                    'lon': ('lon', [0., 90, 180, 270], {'units': 'degrees_east'})}).to_netcdf(name + '.nc')
    for line in ('cdo -s trend a.nc i.nc s.nc', 'cdo -s detrend a.nc f.nc', 'cdo -s timcor a.nc b.nc r.nc',
                 'axt-trend --along time a.nc -o t.nc', 'axt-trend --detrend --along time a.nc -o d.nc', 'axt-corr --over time a.nc b.nc --name v -o c.nc'):
        run = shell(line)
        t.ok(run.returncode == 0, line, run.stderr)
    for ours, theirs, what in (('t.nc slope', 's.nc', 'slope'), ('t.nc intercept', 'i.nc', 'intercept'), ('d.nc v', 'f.nc', 'detrended'),
                               ('c.nc v', 'r.nc', 'correlation')):
        t.ok(near(read(*ours.split()).squeeze(), read(theirs, 'v').squeeze(), 300, 1e-9), 'as CDO: ' + what)


def far(t):
    """Values far from zero, tiny and huge ones: as Fractions have them, and as of values near 1."""
    r = np.random.default_rng(8)
    i = np.arange(200)
    for x0, step, y0 in ((1e9, 3600., 1e15), (1e15, 1., 1e15), (6e10, 1e-3, 1e10), (0., 1., 0.)):
        x, y = x0 + step * i, y0 + 2. * i + r.integers(-9, 9, 200)
        write(x, y)
        fx, fy = ([Fraction(float(a)) for a in v] for v in (x, y))
        mx, my = sum(fx) / 200, sum(fy) / 200
        xx, yy, xy = (sum((a - m) * (b - n) for a, b in zip(v, w)) for v, m, w, n in
                      ((fx, mx, fx, mx), (fy, my, fy, my), (fx, mx, fy, my)))
        for line, want in (('slope(y, along=i, points=x)', xy / xx), ('intercept(y, along=i, points=x)', my - xy / xx * mx),
                           ('corr(x, y)', xy / Fraction(np.sqrt(float(xx)) * np.sqrt(float(yy)))), ('cov(x, y)', xy / 199)):
            got = shell(f"axt-calc '{line}' far.nc -p")
            t.ok(got.returncode == 0 and np.isclose(float(got.stdout), float(want), rtol=1e-13), f'{x0} {step} {y0}: {line}', got)
    a = r.standard_normal(300)
    b = a + r.standard_normal(300)
    for p, q in ((-664, -664), (-664, 664), (0, 664), (-530, 0), (1000, -1000), (520, 520)):
        write(np.ldexp(a, p), np.ldexp(b, q))
        got = shell("axt-calc 'corr(x, y)' far.nc -p")
        t.ok(np.isclose(float(got.stdout), np.corrcoef(a, b)[0, 1], rtol=1e-12), f'corr of 2^{p} and 2^{q}', got)
        if q - p < 1000 and q - p > -1000:
            got = shell("axt-calc 'slope(y, along=i, points=x)' far.nc -p")
            t.ok(np.isclose(float(got.stdout) * 2. ** (p - q), np.polyfit(a, b, 1)[0], rtol=1e-12), f'slope of 2^{p} and 2^{q}', got)


def write(x, y):
    xr.Dataset({'x': (('i',), x), 'y': (('i',), y)}).to_netcdf('far.nc')


def main():
    cases, seed = random_cases(30, 10, 300, 1)
    t = Tap()
    os.chdir(scratch())
    for case in range(cases):
        check(t, np.random.default_rng([seed, case]), case)
    far_axes(t)
    cdo(t)
    far(t)
    t.done()


main()
