#!/usr/bin/python3
"""Latitudes and longitudes are the same to all commands, however units (CF 4.1, 4.2) or names spell them; names that are no axis, too."""
import re

import h5py
import netCDF4
import numpy as np

from axtlib import Tap, axt, scratch, shell

D = scratch()
UNITS = [('degrees_north', 'degrees_east'), ('degree_north', 'degree_east'), ('degree_N', 'degree_E'), ('degrees_N', 'degrees_E'),
         ('degreeN', 'degreeE'), ('degreesN', 'degreesE'), ('DEGREES_NORTH', 'DEGREES_EAST'), ('degrees_n', 'degrees_e'), ('deg N', 'deg E')]
NAMES = [('lat', 'lon'), ('latitude', 'longitude'), ('LAT', 'LON'), ('Latitude', 'Longitude'), ('XLAT', 'XLONG'), ('nav_lat', 'nav_lon')]
LAT, LON = np.arange(-75, 90, 30.), np.arange(0, 360, 45.)
T = np.random.default_rng(1).random((6, 8)).astype('f4')


def grid(names, units=(None, None), standard=(None, None)):
    with netCDF4.Dataset(f'{D}/f.nc', 'w') as f:
        for name, u, s, v in zip(names, units, standard, (LAT, LON)):
            f.createDimension(name, len(v))
            x = f.createVariable(name, 'f8', (name,))
            x.setncatts({k: a for k, a in (('units', u), ('standard_name', s)) if a})
            x[:] = v
        f.external_variables = 'areacella'
        t = f.createVariable('t', 'f4', names)
        t.cell_measures = 'area: areacella'
        t[:] = T


def printed(line, words):
    """What it prints, with the same words for names and units that are spelled otherwise."""
    p = shell(f'cd {D}; {line}')
    text = (p.stdout + p.stderr).decode()
    for k, w in enumerate(words):
        text = re.sub(rf'(?<![\w"]){re.escape(w)}(?!\w)', f'@{k}', text) if w else text
    return text


def picture():
    return printed('axt-plot --size 60,16 f.nc -o p.txt; cat p.txt', [])


def numbers(line):
    return np.array(printed(line + ' | axt-print -', []).split(), 'f8')


def surfaces(names, units):
    y, x = names
    words = list(names) + list(units)
    return {
        'areas': printed(f'axt-reduce mean --over {y},{x} --weights area f.nc | axt-print -', words),
        'a range that goes around': printed(f'axt-slice {x}@-90:90 f.nc | axt-print -', words),
        'targets that go around': printed(f'axt-interp {x}=350:10:5 f.nc | axt-print -', words),
        'means over other cells': printed(f'axt-interp --method conservative {y}=-80:80:40 {x}=0:270:90 f.nc | axt-print -', words),
        'slopes': printed(f'axt-gradient --along {x} f.nc | axt-print -', words),
        'the nearest cells': printed(f'axt-take {y},{x}@s.nc --nearest f.nc | axt-print -', words),
        'a picture': '\n'.join(line for line in picture().splitlines() if not line.strip() in words),
    }


def spellings(t):
    shell(f'cd {D}; printf "name,lat,lon\\na,10,350\\nb,-20,20\\n" > s.csv; axt-from s.csv -o s.nc')
    want = None
    for names, units in [(('j', 'i'), u) for u in UNITS] + [(n, (None, None)) for n in NAMES]:
        grid(names, units)
        got = surfaces(names, units)
        want = want or got
        bad = [k for k in want if got[k] != want[k]]
        t.ok(not bad and '60N' in got['a picture'] and 'hint' not in ''.join(got.values()), f'{" ".join(u or n for u, n in zip(units, names))}',
             [(k, got[k][-300:], want[k][-300:]) for k in bad or got])


def measures(t):
    """The areas that an attribute names stay named as long as there are cells of the earth."""
    for u in UNITS:
        grid(('j', 'i'), u)
        p = shell(f'cd {D}; axt-slice i@-90:90 f.nc -o o.nc')
        with netCDF4.Dataset(f'{D}/o.nc') as f:
            t.ok(p.returncode == 0 and 'cell_measures' in f['t'].ncattrs(), f'areas of cells with {" ".join(u)} stay named', p)


def others(t):
    """What only looks so: words with lat in them, other standard names."""
    for names, units, standard in ((('platform', 'salon'), (None, None), (None, None)),
                                   (('j', 'i'), UNITS[0], ('projection_y_coordinate', 'projection_x_coordinate'))):
        grid(names, units, standard)
        text = picture()
        p = axt('reduce', 'mean', '--weights', 'area', f'{D}/f.nc')
        t.ok(not re.search('[0-9][NSEW]', text) and p.rc == 1 and 'areas need latitudes' in p.err, f'{names[0]} {standard[0]} is no latitude', text + str(p))


def columns(t):
    """A table with a column of latitudes and one of longitudes has records at places."""
    want = None
    for y, x in NAMES:
        with open(f'{D}/c.csv', 'w') as f:
            f.write(f'{y},{x},v\n1,10,5\n2,20,6\n3,30,7\n')
        got = printed('axt-from c.csv -o c.nc && axt-info c.nc', [y, x])
        want = want or got
        t.ok(got == want and '@0' in got, f'columns {y}, {x}', (got, want))


def companions(t):
    """A name that is no axis is the same coordinate to --by and to slices, of any dtype, named by an attribute or only beside."""
    values = {'b': np.array([True, False, True, False]), 'i': np.array([1, 0, 1, 5], 'i4'), 'f': np.array([1, .5, 1, 5], 'f4'),
              's': np.array(['1', 'x', '1', 'y'], object), 'two': np.array([[True] * 4, [False] * 4, [True, False, True, True]])}
    x = np.arange(12.).reshape(3, 4)
    for named in (True, False):
        with h5py.File(f'{D}/n.h5', 'w') as f:
            f['t'] = x
            for i, (dim, n) in enumerate((('time', 3), ('st', 4))):
                f[dim] = np.arange(n) * 1.
                f[dim].make_scale(dim)
                f['t'].dims[i].attach_scale(f[dim])
            for k, v in values.items():
                f[k] = v
                for i, dim in enumerate(['time', 'st'][-v.ndim:]):
                    f[k].dims[i].attach_scale(f[dim])
            if named:
                f['t'].attrs['coordinates'] = ' '.join(values)
        for k, v in values.items():
            one = v == '1' if v.dtype == object else v == 1
            sliced = numbers(f'axt-slice {k}@1 n.h5:t')
            by = numbers(f'axt-reduce sum --over {"st" if v.ndim == 1 else "time,st"} --by {k} n.h5:t')
            want = [x[..., v == g].sum(-1) for g in sorted(set(v.ravel()))]
            cut = x[:, one] if v.ndim == 1 else np.where(one, x, np.nan)
            t.ok(np.array_equal(sliced, cut.ravel(), equal_nan=True) and np.array_equal(by, np.stack(want, -1).ravel()),
                 f'{k}, {"named" if named else "only beside"}', (sliced, cut, by, want))


def main():
    t = Tap()
    companions(t)
    spellings(t)
    measures(t)
    others(t)
    columns(t)
    t.done()


main()
