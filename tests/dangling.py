#!/usr/bin/python3
"""Names of datasets that an output has not: dangling.py [CASES [SEED]].

Files whose variables name each other, by ancillary_variables, formula_terms, coordinates, bounds, climatology,
cell_measures and grid_mapping. Whatever a line makes of them, a new file, a dataset of one that is there, several, a
redirected stream, a file of another format: its attributes name what netCDF4 finds there, from the variable's group or
above, and they name it still where it is there.
"""
import os

import netCDF4
import numpy as np

from axtlib import Tap, random_cases, scratch, shell

LISTS = 'ancillary_variables', 'formula_terms', 'cell_measures', 'coordinates', 'grid_mapping', 'bounds', 'climatology'

# each makes out.nc; and the tensors of n.nc that it has, or those beside which names may stay
LINES = [
    ('axt-slice y=0 n.nc:ta -o out.nc', 'ta'),
    ('axt-slice y=0 n.nc:ta > out.nc', 'ta'),
    ('axt-slice y=0 n.nc:ta | axt-mul - 2 -o out.nc', 'ta'),
    ('axt-slice y=0 n.nc:ta | axt-mul - 2 > out.nc', 'ta'),
    ('AXT_FUSE=0 axt-slice y=0 n.nc:ta | AXT_FUSE=0 axt-flip x > out.nc', 'ta'),
    ('axt-slice y=0 n.nc:ta | axt-copy - n.nc:ta_qc -o out.nc', 'ta ta_qc'),
    ('axt-slice y=0 n.nc:ta | cat | axt-copy - n.nc:ps -o out.nc', 'ta ps'),
    ('axt-slice y=0 n.nc:ta | axt-copy - n.nc:ta_n > out.nc', 'ta ta_n'),
    ('axt-make ones q=2 -o out.nc; axt-slice y=0 n.nc:ta -o out.nc:ta', 'ta'),
    ('axt-copy n.nc:ta_qc -o out.nc; axt-slice y=0 n.nc:ta -o out.nc:ta2', 'ta ta_qc'),
    ('axt-copy n.nc:ta_qc -o out.nc; axt-copy n.nc:ta -o out.nc:/g/ta', 'ta ta_qc'),
    ('axt-copy n.nc:ta_qc -o out.nc:/g/ta_qc; axt-copy n.nc:ta -o out.nc:ta', 'ta'),
    ('axt-copy n.nc:ta_qc -o out.nc:/g/ta_qc; axt-copy n.nc:ta -o out.nc:/g/', 'ta ta_qc'),
    ("axt-split y -P 'out.nc:ta_{}' n.nc:ta", 'ta'),
    ("axt-copy n.nc:ta_n -o out.nc; axt-split y -P 'out.nc:ta_{}' n.nc:ta", 'ta ta_n'),
    ("axt-calc 'out.nc:ta = t + 1' t=n.nc:ta", 'ta'),
    ("axt-copy n.nc:ps -o out.nc; axt-calc 'out.nc:ta = t + 1' t=n.nc:ta", 'ta ps'),
    ("axt-calc 'out.nc:ta = t + 1; out.nc:ps = p + 1' t=n.nc:ta p=n.nc:ps", 'ta ps'),
    ('axt-to out.cdf n.nc:ta && mv out.cdf out.nc', 'ta'),
    ("axt-to out.cdf n.nc:ta n.nc:ta_qc && mv out.cdf out.nc", 'ta ta_qc'),
    ('axt-copy --unlimited time n.nc:ta -o out.nc; axt-append out.nc m.nc:ta', 'ta'),
    ('axt-copy n.nc:ta n.nc:ta_qc -o out.nc; axt-append --along time out.nc m.nc:ta m.nc:ta_qc', 'ta ta_qc'),
    ('axt-concat time n.nc:ta m.nc:ta > out.nc', 'ta'),
    ('for k in 1 2; do axt-flip x n.nc:ta --part $k/2 -o p$k.nc; done; axt-merge p1.nc p2.nc -o out.nc', 'ta'),
]


def make(r, path, first, give):
    d = netCDF4.Dataset(path, 'w')
    for k, n in ('time', 4), ('lev', 3), ('y', 2), ('x', 3), ('bnds', 2):
        d.createDimension(k, n)
        if k not in ('y', 'bnds'):
            d.createVariable(k, 'f8', (k,))[:] = np.arange(n) + 1. + (first if k == 'time' else 0)
    d['time'].units = 'days since 2000-01-01'
    tensors = {'ta': ('time', 'lev', 'y', 'x'), 'ps': ('time', 'y', 'x'), 'ta_qc': ('time', 'lev', 'y', 'x'), 'ta_n': ('time',)}
    beside = {'hyam': ('lev',), 'hybm': ('lev',), 'p0': (), 'lat': ('y', 'x'), 'lon': ('y', 'x'), 'area': ('y', 'x'),
              'crs': (), 'time_bnds': ('time', 'bnds'), 'height': ()}
    for k, dims in {**tensors, **beside}.items():
        d.createVariable(k, 'f8', dims)[...] = r.random([len(d.dimensions[x]) for x in dims])
    for (k, a), text in give.items():
        d[k].setncattr(a, text)
    d.close()


def naming(r):
    all_of = {('ta', 'ancillary_variables'): 'ta_qc ta_n', ('ps', 'ancillary_variables'): 'ta_n',
              ('lev', 'formula_terms'): 'a: hyam b: hybm p0: p0 ps: ps', ('ta', 'cell_measures'): 'area: area',
              ('ta', 'coordinates'): 'lat lon height', ('ps', 'coordinates'): 'lat lon', ('ta', 'grid_mapping'): 'crs',
              ('time', str(r.choice(['bounds', 'climatology']))): 'time_bnds'}
    return {k: v for k, v in all_of.items() if r.random() < .8}


def words(text):
    return [w for w in text.split() if w[-1] != ':']


def wrong(g, has, give, above=()):
    """Names that lead nowhere, and names of what is there that are gone."""
    bad, scope = [], (g,) + above
    for k, v in g.variables.items():
        for a in LISTS:
            if a in v.ncattrs():
                bad += [f'{v.name}:{a} names {w}' for w in words(v.getncattr(a)) if not any(w in x.variables for x in scope)]
        old = {'ta2': 'ta', 'ta_0': 'ta', 'ta_1': 'ta'}.get(k, k)
        for a in 'ancillary_variables', 'formula_terms':
            kept = words(give.get((old, a), ''))
            bad += [f'{v.name}:{a} lacks {w}' for w in kept if w in has and w not in words(getattr(v, a, ''))]
    for s in g.groups.values():
        bad += wrong(s, has, give, scope)
    return bad


def case(t, seed):
    r = np.random.default_rng(seed)
    give = naming(r)
    make(r, 'n.nc', 0, give)
    make(r, 'm.nc', 9, give)
    for line, has in LINES:
        for f in os.listdir('.'):
            if f not in ('n.nc', 'm.nc'):
                os.unlink(f)
        p = shell(line)
        try:
            with netCDF4.Dataset('out.nc') as d:
                bad = wrong(d, has.split(), give)
        except OSError as e:
            bad = [str(e)]
        t.ok(p.returncode == 0 and not bad, f'{seed}: {line}', f'{bad}\n{give}\n{p.stderr.decode()}')


def main():
    cases, first = random_cases(3, 1, 1, 1)
    t = Tap()
    os.chdir(scratch())
    for k in range(cases):
        case(t, first + k)
    t.done()


main()
