#!/usr/bin/python3
"""Selection along an axis against NumPy's slices and xarray's .sel: selection.py [CASES [SEED]].

Axes and specs go to the unit test's reader, one a line; positions and coordinates come back.
"""
import os
import subprocess
import sys

import cftime
import numpy as np
import xarray as xr

from axtlib import BUILD, Tap, random_cases

NUMPY = {'f64': 'f8', 'f32': 'f4', 'i16': 'i2', 'i32': 'i4', 'i64': 'i8'}


class Case:
    """One axis and one spec, and what they should give: positions (None: an error), whether the axis goes."""

    def __init__(self, how, near, dtype, units, calendar, values, spec, want, drop=False, coord=None):
        self.line = '\t'.join(['v' if how == 'value' else 'i', 'n' if near else '-', dtype, units, calendar,
                               ' '.join(words(values, dtype)), spec])
        self.want, self.drop, self.coord, self.dtype = want, drop, coord, dtype

    def wrong(self, said):
        got = said.split('\t')
        if self.want is None:
            return '' if got[0] in ('ARG', 'COORD', 'AMBIG', 'SYNTAX') else f'no error: {said}'
        if got[0] not in ('drop', 'keep'):
            return said
        pos = [int(x) for x in got[1].split()]
        if pos != [int(x) for x in self.want] or (got[0] == 'drop') != self.drop:
            return f'{said}\nwant {list(self.want)} {self.drop}'
        if self.coord is not None and not self.drop:
            c = np.array([float(x) for x in got[2].split()])
            if not np.allclose(c, np.asarray(self.coord, float), rtol=1e-6, atol=1e-4):
                return f'coordinates {c}, want {self.coord}'
        return ''


def words(values, dtype):
    if dtype == 'text':
        return list(values)
    return [repr(int(x)) if dtype[0] == 'i' else repr(float(x)) for x in values]


def number(r, n):
    return '' if r.random() < .25 else str(int(r.integers(-n - 3, n + 4)))


def by_position(r):
    n = int(r.integers(0, 30))
    values = np.arange(n) * 2.5
    kind = r.random()
    if kind < .7:
        parts = [number(r, n), number(r, n)]
        if r.random() < .6:
            parts.append('' if r.random() < .2 else str(int(r.choice([-7, -3, -2, -1, 1, 2, 3, 40]))))
        s = slice(*[int(x) if x else None for x in parts])
        want = np.arange(n)[s]
        return Case('index', False, 'f64', '', '', values, ':'.join(parts), want, coord=values[want])
    pick = r.integers(-n - 1, n + 1, int(r.integers(1, 9)))
    if kind < .8:
        pick = np.sort(pick)
    want = None if np.any(pick >= n) or np.any(pick < -n) else np.arange(n)[pick]
    return Case('index', False, 'f64', '', '', values, ','.join(map(str, pick)), want, len(pick) == 1,
                None if want is None else values[want])


def axis(r, sort=True):
    """A random axis of distinct values, rising or falling."""
    dtype = str(r.choice(list(NUMPY)))
    n = int(r.integers(1, 25))
    if dtype[0] == 'i':
        v = r.choice(np.arange(-60, 60), n, replace=False)
    else:
        v = np.unique(np.round(r.standard_normal(n) * 50, int(r.integers(0, 4))))
        r.shuffle(v)
    v = v.astype(NUMPY[dtype])
    if sort:
        v = np.sort(v)[::int(r.choice([-1, 1]))]
    return dtype, v, xr.DataArray(np.arange(len(v)), dims='x', coords={'x': v})


def typed(r, v):
    """A number as a user would type it: often one that is there."""
    x = r.choice(v) if r.random() < .6 else r.uniform(float(v.min()) - 20, float(v.max()) + 20)
    return f'{round(float(x), 3):g}'


def by_value(r):
    dtype, v, a = axis(r, r.random() < .8)
    kind = r.random()
    if kind < .5:
        lo, hi = sorted([typed(r, v), typed(r, v)], key=float)
        ends = [lo if r.random() < .85 else '', hi if r.random() < .85 else '']
        d = np.diff(v.astype('f8'))
        if not (np.all(d > 0) or np.all(d < 0)):
            return Case('value', False, dtype, '', '', v, ':'.join(ends), None)
        low, high = [v.dtype.type(float(x)) if x and v.dtype.kind == 'f' else float(x) if x else None for x in ends]
        s = slice(low, high) if len(v) < 2 or v[0] < v[-1] else slice(high, low)
        want = a.sel(x=s).values
        if r.random() < .3 and '' not in ends:
            ends.reverse()
        spec = str(r.choice([':', '/'])).join(ends)
        return Case('value', False, dtype, '', '', v, spec, want if len(want) else None, coord=v[want])
    near = kind > .8
    values = [typed(r, v) for _ in range(int(r.integers(1, 4)))]
    exact = [v.dtype.type(float(x)) if v.dtype.kind == 'f' else float(x) for x in values]
    try:
        want = a.sel(x=exact).values
    except KeyError:
        want = None
    if near:            # xarray's own takes sorted axes only; two may be as near: the larger one
        d = np.abs(v.astype('f8')[:, None] - np.array(exact, 'f8'))
        want = np.array([max(np.flatnonzero(x == x.min()), key=lambda i: v[i]) for x in d.T])
        if np.all(np.diff(v) > 0):
            assert np.array_equal(want, a.sel(x=exact, method='nearest').values)
    return Case('value', near, dtype, '', '', v, ','.join(values), want, len(values) == 1,
                None if want is None else v[want])


def by_date(r):
    calendar = str(r.choice(['standard', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day', 'julian']))
    unit = str(r.choice(['days', 'hours', 'minutes']))
    units = f'{unit} since {r.integers(1800, 2020):04d}-{r.integers(1, 13):02d}-{r.integers(1, 28):02d}'
    units += str(r.choice(['', ' 12:00', 'T06:30:00']))
    n = int(r.integers(1, 60))
    step = {'days': 1, 'hours': 24, 'minutes': 1440}[unit] * float(r.choice([.125, .5, 1, 5, 30]))
    v = np.cumsum(step * (1 + r.integers(0, 3, n)))[::int(r.choice([-1, 1]))]
    dates = cftime.num2date(v, units, calendar, only_use_cftime_datetimes=True)
    index = [(d.year, d.month, d.day) for d in dates]

    def shortened():
        d = index[int(r.integers(n))]
        return d[:int(r.integers(1, 4))]

    def text(d):
        return '-'.join(f'{x:0{4 if i == 0 else 2}d}' for i, x in enumerate(d))

    def inside(d, lo, hi):
        return (lo is None or d[:len(lo)] >= lo) and (hi is None or d[:len(hi)] <= hi)

    if r.random() < .3:
        k = int(r.integers(n))
        d = dates[k]
        spec = d.strftime('%Y-%m-%dT%H:%M:%S') if d.year > 999 else text(index[k])
        return Case('value', False, 'f64', units, calendar, v, spec, [k], True, [v[k]]) if 'T' in spec else by_date(r)
    if r.random() < .4:
        one = shortened()
        want = [i for i, d in enumerate(index) if inside(d, one, one)]
        return Case('value', False, 'f64', units, calendar, v, text(one), want, False, v[want])
    lo, hi = sorted([shortened(), shortened()])
    lo, hi = (None if r.random() < .15 else lo), (None if r.random() < .15 else hi)
    want = [i for i, d in enumerate(index) if inside(d, lo, hi)]
    spec = str(r.choice([':', '/'])).join(text(x) if x else '' for x in (lo, hi))
    return Case('value', False, 'f64', units, calendar, v, spec, want if want else None, False, v[want])


def by_longitude(r):
    """Against a search of the circle, point by point."""
    step = int(r.choice([1, 5, 10, 30, 45]))
    v = np.arange(0, 360, step) + int(r.choice([0, -180, -90])) + float(r.choice([0, .5]))
    if r.random() < .3:
        v = v[::-1]
    dtype = str(r.choice(['f64', 'f32']))
    lo = float(r.integers(-360, 360))
    hi = lo + float(r.integers(0, 360))
    points = []
    for turns in range(-4, 5):
        points += [(c + 360 * turns, i) for i, c in enumerate(v) if lo <= c + 360 * turns <= hi]
    points.sort(reverse=bool(len(v) > 1 and v[0] > v[-1]))
    want = [i for _, i in points]
    x = np.array([c for c, _ in points])
    turned = len({round((c - v[i]) / 360) for c, i in points}) > 1
    return Case('value', False, dtype, 'degrees_east', '', v, f'{lo:g}:{hi:g}', want if want else None,
                coord=x if turned else v[want])


def main():
    cases, seed = random_cases(2000, 1000, 300, 20261121)
    t = Tap()
    made = []
    for k in range(cases):
        r = np.random.default_rng(seed + k)
        made.append([by_position, by_value, by_date, by_longitude][k % 4](r))
    p = subprocess.run([os.path.join(BUILD, 'tests', 'test_select'), '-'], stdout=subprocess.PIPE, check=False,
                       input=''.join(c.line + '\n' for c in made).encode())
    said = p.stdout.decode().split('\n')[:-1]
    t.ok(p.returncode == 0 and len(said) == cases, 'a line for each', f'{len(said)} lines, status {p.returncode}')
    for k, (c, s) in enumerate(zip(made, said)):
        why = c.wrong(s)
        t.ok(not why, f'{seed + k} {c.line!r}', why)
    t.done()


if __name__ == '__main__':
    sys.exit(main())
