#!/usr/bin/python3
"""Operands that meet by their dates or labels, against xarray and NumPy: meet.py [CASES [SEED]].

Values by time beside values by month, day, year or hour, in every command and function of several operands; groups of labels
that are called as a field of dates, and are it or not, in one expression and between commands.
"""
import os

import numpy as np
import pandas as pd
import xarray as xr

from axtlib import Tap, in_batches, random_cases, scratch, shell

FIELDS = ['month', 'day', 'year', 'hour', 'dayofyear']


def run(line):
    done = shell(line)
    return done.returncode, done.stderr.decode()


def read(path):
    with xr.open_dataset(path, decode_times=False) as f:
        return {k: v.load() for k, v in f.data_vars.items()}


def result(line, d, name=None):
    """The tensor that a line makes in o.nc, or what it says."""
    if os.path.exists(f'{d}/o.nc'):
        os.remove(f'{d}/o.nc')
    rc, err = run(f'{line} -o {d}/o.nc')
    if rc or err:
        return f'{line}: {rc} {err}'
    found = read(f'{d}/o.nc')
    return found[name] if name else next(iter(found.values()))


def wrong(got, want, line):
    if isinstance(got, str):
        return got
    if set(got.dims) != set(want.dims):
        return f'{line}: {got.dims}, not {want.dims}'
    got = got.transpose(*want.dims).values
    return '' if np.allclose(got, want.values, rtol=1e-9, atol=1e-9, equal_nan=True) else f'{line}: {got} {want.values}'


def times(r):
    n = int(r.integers(20, 120))
    return pd.date_range('2001-03-05', periods=n, freq=str(r.choice(['D', '5D', 'h', '7h', 'MS'])))


def wrong_pairs(r, d):
    """Every command of several operands: as if the values by field were those of each time."""
    t = times(r)
    k = str(r.choice(FIELDS))
    v = xr.DataArray(r.standard_normal((len(t), 3)), {'time': t}, ('time', 'x'), name='v')
    v = v.where(r.random(v.shape) > .1)
    u = xr.DataArray(r.standard_normal(v.shape), {'time': t}, ('time', 'x'), name='u')
    c = u.groupby(f'time.{k}').mean().rename('c')
    v.to_netcdf(f'{d}/v.nc')
    c.to_netcdf(f'{d}/c.nc')
    each = c.sel({k: getattr(t, k if k != 'dayofyear' else 'day_of_year')}).drop_vars(k)
    each = xr.DataArray(each.values, {'time': t}, ('time', 'x'))
    ok = v.notnull()
    vv, ee = v.where(ok), each.where(ok)
    a, e = (vv - vv.mean('time')), (ee - ee.mean('time'))
    run_on = np.zeros(v.shape)
    for i in range(len(t)):
        run_on[i] = each.values[i] * (run_on[i - 1] if i else 0) + np.nan_to_num(v.values[i])
    for by_command, in_calc, want in (
            ('sub v.nc c.nc', 'v - c', v - each),
            ('mul c.nc v.nc', 'c * v', v * each),
            ('maximum v.nc c.nc c.nc', 'maximum(v, c, c)', np.maximum(v, each)),
            ('add c.nc 1 v.nc', 'add(c, 1, v)', v + each + 1),
            ('gt v.nc c.nc', 'v > c', v > each),
            ('where <(axt-gt v.nc 0) v.nc c.nc', 'where(v > 0, v, c)', xr.where(v > 0, v, each)),
            ('clip c.nc 9 v.nc', 'clip(v, c, 9)', v.clip(min=each)),
            ('fillnan v.nc c.nc', 'fillnan(v, c)', v.fillna(each)),
            ('corr --over time v.nc c.nc', 'corr(v, c, over=time)', (a * e).mean('time') / a.std('time') / e.std('time').where(e.std('time') > 1e-9)),
            ('cov --over time c.nc v.nc', 'cov(c, v, over=time)', (a * e).sum('time') / (ok.sum('time') - 1)),
            ('dot --over time --keep x <(axt-fillnan v.nc 0) c.nc', 'dot(fillnan(v, 0), c, over=time, keep=x)', (v * each).sum('time')),
            ('scan linear:c.nc --along time <(axt-fillnan v.nc 0)', 'scan(fillnan(v, 0), linear, value=c, along=time)',
             xr.DataArray(run_on, {'time': t}, ('time', 'x')))):
        line = f'cd {d}; axt-' + by_command
        bad = wrong(result(line, d), want, line)
        line = f"cd {d}; axt-calc 'y = {in_calc}; y' v.nc c.nc"
        bad = bad or wrong(result(line, d, 'y'), want, line)
        if bad:
            return bad
    # elements that an index by time takes of values by field, and values between them
    z = xr.DataArray(r.standard_normal((c.sizes[k], 9)), {k: c[k], 'z': np.arange(9.)}, (k, 'z'), name='p')
    at = xr.DataArray(r.uniform(0, 8, len(t)), {'time': t}, ('time',), name='at')
    z.to_netcdf(f'{d}/p.nc')
    at.to_netcdf(f'{d}/at.nc')
    own = z.sel({k: getattr(t, k if k != 'dayofyear' else 'day_of_year')}).values
    i = at.values.astype('i4')
    for by_command, in_calc, want in (
            ('take z=<(axt-cast --dtype i32 <(axt-map floor at.nc)) p.nc', 'take(p, z=cast(floor(at), i32))',
             own[np.arange(len(t)), i]),
            ('interp z=at.nc:at p.nc:p', 'interp(p, z=at)', [np.interp(p, np.arange(9), row) for p, row in zip(at.values, own)])):
        want = xr.DataArray(want, {'time': t}, ('time',))
        line = f'cd {d}; axt-' + by_command
        bad = wrong(result(line, d), want, line)
        line = f"cd {d}; axt-calc 'y = {in_calc}; y' p.nc at.nc"
        bad = bad or wrong(result(line, d, 'y'), want, line)
        if bad:
            return bad
    return ''


def wrong_labels(r, d):
    """Groups of a label that is called as a field of dates meet dates only if it is that field."""
    t = times(r)
    k = str(r.choice(FIELDS))
    v = xr.DataArray(r.standard_normal((len(t), 3)), {'time': t}, ('time', 'x'), name='v')
    own = np.asarray(getattr(t, k if k != 'dayofyear' else 'day_of_year'))
    label = own + (int(r.integers(1, 4)) if r.random() < .6 else 0)
    flat = r.random() < .7
    lab = xr.DataArray(label if flat else np.repeat(label[:, None], 3, 1).astype('f8'), {'time': t},
                       ('time', 'x')[:1 if flat else 2], name=k)
    xr.Dataset({'v': v, 'lab': lab}).to_netcdf(f'{d}/v.nc')
    over = 'time' if flat else 'time,x'
    for f in ('c.nc', 'o.nc'):
        if os.path.exists(f'{d}/{f}'):
            os.remove(f'{d}/{f}')
    rc, err = run(f"axt-calc '{k} = lab + 0; c = mean(v, over=({over}), by={k}); c' {d}/v.nc -o {d}/c.nc")
    if rc or err:
        return f'{rc} {err}'
    # in one expression the groups meet the labels that made them
    mean = v.groupby(xr.DataArray(label, {'time': t}, ('time',), name='g')).mean('time' if flat else ...)
    each = xr.DataArray(mean.sel(g=label).values, {'time': t}, v.dims[:2 if flat else 1])
    line = f"axt-calc '{k} = lab + 0; y = v - mean(v, over=({over}), by={k}); y' {d}/v.nc"
    bad = wrong(result(line, d, 'y'), v - each, line)
    # between commands they are paired if the label is the field, and else refused
    for line in (f'axt-sub {d}/v.nc:v {d}/c.nc:c', f"axt-calc 'y = v - c; y' {d}/v.nc {d}/c.nc",
                 f"axt-reduce mean --over time --by {d}/k.nc {d}/v.nc:v | axt-sub {d}/v.nc:v -"):
        if '| ' in line:
            if not flat:
                continue
            lab.to_netcdf(f'{d}/k.nc')
        if bad:
            return bad
        got = result(line, d)
        if (label == own).all():
            bad = wrong(got, v - each, line)
        elif not isinstance(got, str) or 'meets no dates' not in got or os.path.exists(f'{d}/o.nc'):
            bad = f'{line}: labels {label} of {own}: {got}'
    return bad


def case(t, d, seed):
    r = np.random.default_rng(seed)
    for what, bad in (('pairs', wrong_pairs), ('labels', wrong_labels)):
        why = bad(r, d)
        if why:
            t.ok(False, f'{seed} {what}', why)


def main():
    cases, seed = random_cases(4, 1, 1, 3)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'operands {}: meet as in xarray', lambda k: case(t, d, seed + k))
    t.done()


main()
