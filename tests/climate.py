#!/usr/bin/python3
"""Climatologies as users ask for them, against NumPy, xarray and CDO: climate.py [CASES [SEED]].

Percentiles by the day of the year in windows of some days, with gaps, calendars and windows over the ends; means by month of every
variable of a file. The bytes are the same with any number of threads, tiles and slabs.
"""
import os
import shutil
import subprocess

import cftime
import numpy as np
import xarray as xr

from axtlib import Tap, axt, random_cases, scratch, shell

CALENDARS = ['standard', 'noleap', '360_day', 'all_leap', 'julian']


def daily(r, path, names, calendar, gaps, **storage):
    """Some years of daily values; returns the values by name, and the dates."""
    n = int(r.integers(1, 5) * 365 + r.integers(0, 60))
    start = int(r.integers(0, 2000))
    time = xr.DataArray(np.arange(start, start + n), dims='time', attrs={'units': 'days since 1999-12-30', 'calendar': calendar})
    shape = (n, int(r.integers(1, 4)), int(r.integers(1, 6)))
    values = {}
    for name in names:
        v = (280 + 9 * r.standard_normal(shape)).astype('f4')
        if gaps:
            v[r.random(shape) < .1] = np.nan
        values[name] = v
    encoding = {name: dict(_FillValue=np.float32(1e20) if gaps else None, **storage) for name in names}
    xr.Dataset({k: (('time', 'lat', 'lon'), v, {'units': 'K'}) for k, v in values.items()},
               {'time': time, 'lat': np.arange(shape[1]) * 10., 'lon': np.arange(shape[2]) * 10.}).to_netcdf(
        path, encoding=encoding, unlimited_dims=['time'])
    return values, cftime.num2date(time.values, time.units, calendar)


def windows(x, dates, width, wrap):
    """For each day of the year, the values in all windows that have a day of it in the middle."""
    n, half = len(x), width // 2
    days = np.array([d.dayofyr for d in dates])
    for day in np.unique(days if wrap else days[half:n - half]):
        rows = [np.arange(i - half, i + half + 1) for i in np.flatnonzero(days == day)]
        rows = np.concatenate([k for k in rows if wrap or (k[0] >= 0 and k[-1] < n)])
        yield x[rows % n].astype('f8')


def percentile(t, r, i):
    gaps, wrap, width, q = r.random() < .5, r.random() < .3, int(r.choice([3, 5, 7])), round(float(r.uniform(0, 1)), 2)
    storage = dict(zlib=True, chunksizes=(37, 1, 1)) if r.random() < .3 else {}
    values, dates = daily(r, 'a.nc', ['tas'], str(r.choice(CALENDARS)), gaps, **storage)
    if len(dates) > 1 and wrap:
        # the days that windows over the ends take are counted on from the last date
        pad = f'axt-pad time={width // 2} --mode wrap a.nc:tas | axt-window time=w:{width}'
    else:
        pad = f'axt-window time=w:{width} a.nc:tas'
    skip = '--skip-nan ' if gaps else ''
    outs = []
    for env in ({}, {'AXT_THREADS': '1', 'AXT_TILE': '64'}, {'AXT_THREADS': '3', 'AXT_SLAB': '4096', 'AXT_FUSE': '0'}):
        run = shell(f'{pad} | axt-reduce quantile:{q} {skip}--over time,w --by time.dayofyear --no-history -o q.nc --force', env=env)
        if not t.ok(run.returncode == 0, f'{i}: quantile {q} of {width} days, {dates[0].calendar} {values["tas"].shape}', run.stderr.decode()):
            return
        with open('q.nc', 'rb') as f:
            outs.append(f.read())
    t.ok(len(set(outs)) == 1, f'{i}: the same bytes')
    with np.errstate(all='ignore'):
        want = np.array([(np.nanquantile if gaps else np.quantile)(x, q, axis=0) for x in windows(values['tas'], dates, width, wrap)])
    with xr.open_dataset('q.nc') as d:
        got = d['tas'].values
    t.ok(got.shape == want.shape and np.allclose(got, want, rtol=2e-7, equal_nan=True), f'{i}: as NumPy',
         f'{got.shape} {want.shape}' + ('' if got.shape != want.shape else f' {np.nanmax(np.abs(got - want))}'))


def percentile_of_cdo(t):
    """CDO's ydrunpctl, which counts days of the year as we do where no year is leap, with NumPy's percentiles."""
    daily(np.random.default_rng(7), 'a.nc', ['tas'], 'noleap', False)
    cdo = subprocess.run('cdo -s -O --percentile numpy ydrunpctl,90,5 a.nc -ydrunmin,5 a.nc -ydrunmax,5 a.nc c.nc', shell=True,
                         capture_output=True, text=True)
    run = shell('axt-window time=w:5 a.nc:tas | axt-reduce quantile:0.9 --over time,w --by time.dayofyear -o q.nc --force')
    if not t.ok(cdo.returncode == 0 and run.returncode == 0, 'both run', cdo.stderr + run.stderr.decode()):
        return
    with xr.open_dataset('q.nc') as q, xr.open_dataset('c.nc', decode_times=False) as c:
        t.ok(q.tas.shape == c.tas.shape and np.allclose(q.tas, c.tas, rtol=3e-7), 'cdo ydrunpctl,90,5')


def whole(t, r, i):
    """Means by month of each variable of a file."""
    names = ['tas', 'pr', 'uas', 'vas', 'hurs']
    values, dates = daily(r, 'a.nc', names, 'standard', r.random() < .5)
    run = axt('reduce', 'mean', '--skip-nan', '--over', 'time', '--by', 'time.month', 'a.nc:*', '-o', 'm.nc', '--force')
    if not t.ok(run.rc == 0, f'{i}: every variable, {values["tas"].shape}', str(run)):
        return
    months = np.array([d.month for d in dates])
    with xr.open_dataset('m.nc') as d:
        for k in names:
            want = np.array([np.nanmean(values[k][months == m].astype('f8'), axis=0) for m in range(1, 13)])
            t.ok(np.allclose(d[k], want, rtol=2e-7), f'{i}: mean of {k} by month')
    if shutil.which('cdo'):
        cdo = subprocess.run(['cdo', '-s', '-O', 'ymonmean', 'a.nc', 'c.nc'], capture_output=True, text=True)
        with xr.open_dataset('m.nc') as d, xr.open_dataset('c.nc', decode_times=False) as c:
            t.ok(cdo.returncode == 0 and all(np.allclose(d[k].values, c[k].values, rtol=2e-6) for k in names), f'{i}: as cdo ymonmean', cdo.stderr)


def main():
    t = Tap()
    os.chdir(scratch())
    cases, seed = random_cases(12, 4, 2, 1)
    for i in range(seed, seed + cases):
        percentile(t, np.random.default_rng(i), i)
        if i % 3 == 0:
            whole(t, np.random.default_rng(i), i)
    if shutil.which('cdo'):
        percentile_of_cdo(t)
    else:
        t.skip('CDO', 'there is no cdo')
    t.done()


main()
