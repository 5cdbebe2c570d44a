#!/usr/bin/python3
"""Fields and periods of time axes, and masks of them, against xarray and CDO: dates.py [CASES [SEED]].

Random times in all calendars; selections by fields, reductions by fields and by periods, files by fields.
"""
import glob
import os
import shutil

import cftime
import h5py
import numpy as np
import xarray as xr

from axtlib import Tap, in_batches, random_cases, scratch, shell

CALENDARS = ['standard', 'proleptic_gregorian', 'julian', 'noleap', 'all_leap', '360_day']
UNITS = ['days since 1999-12-25', 'hours since 1990-01-01 06:00', 'seconds since 2000-03-01', 'minutes since 1581-11-03']
OLD = tuple(int(x) for x in xr.__version__.split('.')[:2]) < (2023, 11)
YEARS, HOURS = ('AS', 'H') if OLD else ('YS', 'h')
SEASONS = ['DJF', 'MAM', 'JJA', 'SON']


def make(r, path):
    """A file with random times, which rise, and its dates."""
    calendar, units = str(r.choice(CALENDARS)), str(r.choice(UNITS))
    per = {'days': 1, 'hours': 24, 'minutes': 1440, 'seconds': 86400}[units.split()[0]]
    n = int(r.integers(2, 400))
    step = float(r.choice([.25, 1, 5, 20]))
    time = (np.arange(n) * step + float(r.integers(0, 900))) * per
    time = time[np.sort(r.permutation(n)[:int(r.integers(max(1, n // 2), n + 1))])]
    time = time.astype(str(r.choice(['f8', 'i8']))) if per > 1 else time
    a = r.standard_normal((time.size, 3)).astype('f8')
    with h5py.File(path, 'w') as f:
        f['time'], f['lat'], f['v'] = time, np.array([-30., 0, 30]), a
        f['time'].attrs['units'], f['time'].attrs['calendar'] = units, calendar
        f['time'].attrs['standard_name'] = 'time'
        for k, x in enumerate(('time', 'lat')):
            f[x].make_scale(x)
            f['v'].dims[k].attach_scale(f[x])
    return xr.DataArray(a, {'time': cftime.num2date(time, units, calendar=calendar)}, ('time', 'lat')), units, calendar


def field(da, name):
    """A field of each date, from cftime."""
    dates = da.time.values
    return np.array([{'year': d.year, 'month': d.month, 'day': d.day, 'hour': d.hour, 'dayofyear': (d - d.replace(month=1, day=1)).days + 1,
                      'season': SEASONS[d.month % 12 // 3], 'date': f'{d.year:04}-{d.month:02}-{d.day:02}'}[name]
                     for d in dates])


def run(line):
    done = shell(line)
    return done.returncode, done.stdout, done.stderr


def read(path, name='v'):
    """The values, and the coordinates of the first axis."""
    with h5py.File(path) as f:
        v = f[name]
        s = v.dims[0]
        key = s.keys()[0] if len(s) else None
        c = s[0] if len(s) else None
        if c is None or (c.dtype.kind == 'f' and b'but not' in bytes(c.attrs.get('NAME', b''))):
            texts = [k for k in f if f[k].dtype.kind == 'O']
            c = f[texts[0]]
        return v[()], c.asstr()[()] if c.dtype.kind == 'O' else c[()], key


def wrong_by(r, d, da):
    name = str(r.choice(['year', 'month', 'season', 'hour', 'day', 'dayofyear', 'date']))
    line = f'axt-reduce mean --over time --by time.{name} {d}/a.nc:v -o {d}/o.nc'
    if r.random() < .5:
        line = f"axt-calc 'mean(v, over=time, by=time.{name})' v={d}/a.nc:v --name v -o {d}/o.nc"
    rc, _, err = run(line)
    if rc:
        return line + str(err)
    got, labels, _ = read(f'{d}/o.nc')
    f = field(da, name)
    keys = [s for s in SEASONS if s in f] if name == 'season' else sorted(set(f.tolist()))
    want = np.array([da.values[f == k].mean(0) for k in keys])
    if list(labels) != keys:
        return f'{line}: labels {labels}, want {keys}'
    return '' if np.allclose(got, want, rtol=1e-12, atol=1e-14) else f'{line}: {got} want {want}'


def wanted(r, da):
    """A random spec, and what it selects."""
    name = str(r.choice(['year', 'month', 'season', 'hour', 'day', 'dayofyear', 'date']))
    f = field(da, name)
    if name == 'season':
        m = field(da, 'month')
        n, at = int(r.integers(3, 7)), int(r.integers(0, 12))
        word = 'JFMAMJJASONDJFMAMJJASOND'[at:at + n]
        return f'season@{word}', np.isin(m, [(at + i) % 12 + 1 for i in range(n)])
    some = r.choice(f, 2)
    if r.random() < .5:
        return f'{name}@{some[0]},{some[1]}', np.isin(f, some)
    lo, hi = some
    if lo > hi and name in ('year', 'date'):
        return f'{name}@{lo}:{hi}', (f >= hi) & (f <= lo)
    return f'{name}@{lo}:{hi}', (f >= lo) & (f <= hi) if lo <= hi else (f >= lo) | (f <= hi)


def wrong_slice(r, d, da):
    spec, mask = wanted(r, da)
    rc, _, err = run(f'axt-slice time.{spec} {d}/a.nc:v -o {d}/o.nc')
    if not mask.any():
        return '' if rc == 1 and b' has no season ' in err else f'{spec}: {err}'
    if rc:
        return f'{spec}: {err}'
    got, time, _ = read(f'{d}/o.nc')
    with h5py.File(f'{d}/a.nc') as f:
        want = f['time'][()][mask]
    return '' if np.array_equal(got, da.values[mask]) and np.array_equal(time, want) else f'{spec}: {time} want {want}'


def wrong_every(r, d, da, units, calendar):
    every = str(r.choice(['month', 'season', 'year', 'day', '5 days', '6 hours', '2 months']))
    rc, _, err = run(f"axt-reduce mean --every '{every}' {d}/a.nc:v -o {d}/o.nc")
    if rc:
        return f'{every}: {err}'
    got, time, _ = read(f'{d}/o.nc')
    with h5py.File(f'{d}/o.nc') as f:
        bnds = f[f['time'].attrs['bounds']][()]
        if f['time'].attrs['units'] != units.encode() and f['time'].attrs['units'] != units:
            return f'{every}: units {f["time"].attrs["units"]}'
    freq = {'month': 'MS', 'season': 'QS-DEC', 'year': YEARS, 'day': 'D', '5 days': '5D', '6 hours': '6' + HOURS,
            '2 months': '2MS'}
    old = da.resample(time=freq[every])
    mean, count = old.mean(), old.count()
    keep = count.values[:, 0] > 0
    want = mean.values[keep]
    if got.shape != want.shape or not np.allclose(got, want, rtol=1e-12, atol=1e-14):
        return f'{every} {calendar}: {got.shape} {want.shape} {got} want {want}'
    begin = cftime.date2num(mean.time.values[keep], units, calendar=calendar)
    if not np.allclose(bnds[:, 0], begin, rtol=1e-12):
        return f'{every} {calendar}: begins {bnds[:, 0]}, want {begin}'
    inside = (bnds[:, 0] < time) & (time < bnds[:, 1]) & np.allclose(bnds.mean(1), time, rtol=1e-12)
    return '' if inside.all() else f'{every}: {time} in {bnds}'


def wrong_mask(r, d, da):
    """The elements where a bool tensor is true, from a file or computed."""
    with h5py.File(f'{d}/a.nc', 'a') as f:
        mask = r.random(da.shape[0]) < r.choice([0, .1, .5, 1])
        f['mask'] = mask
        f['mask'].dims[0].attach_scale(f['time'])
        want = f['time'][()][mask]
    how = str(r.choice([f'time@{d}/a.nc:mask', f'time=<(axt-map not {d}/a.nc:mask | axt-map not)']))
    if r.random() < .3:
        mask = da.values[:, 1] > 0
        how = f'time@<(axt-slice lat@0 {d}/a.nc:v | axt-gt - 0)'
        with h5py.File(f'{d}/a.nc') as f:
            want = f['time'][()][mask]
    rc, _, err = run(f'axt-take {how} {d}/a.nc:v -o {d}/o.nc')
    if rc:
        return f'{how}: {err}'
    got, time, _ = read(f'{d}/o.nc')
    return '' if np.array_equal(got, da.values[mask]) and np.array_equal(time, want) else f'{how}: {time} want {want}'


def wrong_split(r, d, da):
    name = str(r.choice(['year', 'month', 'season']))
    for old in glob.glob(f'{d}/part_*'):
        os.remove(old)
    rc, _, err = run(f"axt-split time.{name} -P '{d}/part_{{}}.nc' {d}/a.nc:v")
    f = field(da, name)
    names = sorted(os.path.basename(p)[5:-3] for p in glob.glob(f'{d}/part_*'))
    text = {x: f'{x:02}' if name == 'month' else str(x) for x in set(f.tolist())}
    if rc or names != sorted(text.values()):
        return f'{name}: {err} {names}'
    for x, word in text.items():
        if not np.array_equal(read(f'{d}/part_{word}.nc')[0], da.values[f == x]):
            return f'part {x}'
    return ''


def wrong_months(r, d):
    """Months and years since a date: what CDO makes of them, selections, periods, and files of other units end to end."""
    calendar = str(r.choice(['standard', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day']))
    per, day = str(r.choice(['months', 'years'])), int(r.integers(1, 31))
    units = f'{per} since {int(r.integers(1600, 2100))}-{int(r.choice([1, 3, 5, 8]))}-{day} 06:00'
    lo = int(r.integers(-40, 300))
    time = np.unique(np.round(lo + r.random(int(r.integers(2, 60))) * 50) / (1 if per == 'months' else 4) / float(r.choice([1, 4])))
    x = r.standard_normal((time.size, 1, 2))
    xr.Dataset({'v': (('time', 'lat', 'lon'), x)},
               {'time': ('time', time, {'units': units, 'calendar': calendar, 'standard_name': 'time'}),
                'lat': ('lat', [0.], {'units': 'degrees_north'}), 'lon': ('lon', [0., 90], {'units': 'degrees_east'})}
               ).to_netcdf(f'{d}/n.nc', unlimited_dims=['time'])
    want = run(f'cdo -s showtimestamp {d}/n.nc')[1].decode().split()
    got = run(f'axt-print {d}/n.nc:time')[1].decode().split()
    if [(g if 'T' in g else g + 'T00:00:00')[:19] for g in got] != want:
        return f'{calendar}, {units}, {time}: {got} want {want}'
    year = np.array([int(w[:4]) for w in want])
    some = int(r.choice(year))
    rc, _, err = run(f'axt-slice time@{some} {d}/n.nc:v -o {d}/s.nc')
    if rc or not np.array_equal(read(f'{d}/s.nc')[0], x[year == some]) or not np.array_equal(read(f'{d}/s.nc')[1], time[year == some]):
        return f'{units} time@{some}: {err}'
    # The same instants in days meet them; periods and what is joined to other units are in days.
    rc, _, err = run(f"axt-convert --coord time --to 'days since 1990-01-01' {d}/n.nc:v -o {d}/days.nc && "
                     f'axt-sub {d}/n.nc:v {d}/days.nc | axt-reduce sum -o {d}/zero.nc && axt-print {d}/days.nc:time >{d}/days.txt && '
                     f'axt-reduce mean --every year {d}/n.nc:v -o {d}/y.nc && axt-reduce mean --every year {d}/days.nc:v -o {d}/yd.nc')
    with open(f'{d}/days.txt') as f:
        if rc or f.read().split() != got:
            return f'{units} in days: {err}'
    with h5py.File(f'{d}/zero.nc') as f:
        if np.any(list(f['v'][()].ravel()) != np.zeros(1)):
            return f'{units} in days: other values'
    for n in ('y', 'yd'):
        run(f"axt-convert --coord time --to 'days since 1990-01-01' {d}/{n}.nc -o {d}/{n}0.nc")
    (a, s, _), (b, t, _) = read(f'{d}/y0.nc'), read(f'{d}/yd0.nc')
    if not np.array_equal(a, b) or not np.allclose(s, t, rtol=1e-13):
        return f'{units} by year: {a} {b} {s} {t}'
    return ''


def case(t, d, seed):
    r = np.random.default_rng(seed)
    da, units, calendar = make(r, f'{d}/a.nc')
    for what, bad in (('by', wrong_by(r, d, da)), ('slice', wrong_slice(r, d, da)),
                      ('every', wrong_every(r, d, da, units, calendar)), ('split', wrong_split(r, d, da)),
                      ('mask', wrong_mask(r, d, da)), ('months', '' if seed % 3 else wrong_months(r, d))):
        if bad:
            t.ok(False, f'{seed} {what}: {calendar}, {units}', bad)


def against_cdo(t, d, seed):
    """monmean, seasmean, yearmean and daymean."""
    r = np.random.default_rng(seed)
    n = int(r.integers(100, 1500))
    calendar = str(r.choice(['standard', 'noleap', '360_day']))
    times = cftime.num2date(np.arange(n) * float(r.choice([.25, .5, 1])) + 100, 'days since 1999-01-01', calendar=calendar)
    xr.Dataset({'v': (('time', 'lat', 'lon'), r.standard_normal((n, 2, 3)))},
               {'time': times, 'lat': ('lat', [-10., 10], {'units': 'degrees_north'}),
                'lon': ('lon', [0., 120, 240], {'units': 'degrees_east'})}).to_netcdf(f'{d}/c.nc', unlimited_dims=['time'])
    for every, op in (('month', 'monmean'), ('season', 'seasmean'), ('year', 'yearmean'), ('day', 'daymean')):
        a = run(f'axt-reduce mean --every {every} {d}/c.nc:v -o {d}/m.nc')
        b = run(f'cdo -s {op} {d}/c.nc {d}/w.nc')
        got, want = xr.open_dataset(f'{d}/m.nc', decode_times=False), xr.open_dataset(f'{d}/w.nc', decode_times=False)
        t.ok(a[0] == 0 and b[0] == 0 and got.v.shape == want.v.shape and np.allclose(got.v, want.v, rtol=1e-12, atol=1e-14),
             f'{seed} {op} of {calendar}', (a, b))
        got.close()
        want.close()


def main():
    cases, seed = random_cases(50, 10, 3, 6)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'random times: by fields, selected, by periods, split as xarray has it',
               lambda k: case(t, d, seed + k))
    for k in range(4):
        if shutil.which('cdo'):
            against_cdo(t, d, seed + k)
    t.done()


main()
