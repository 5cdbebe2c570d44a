#!/usr/bin/python3
"""Trees of groups against netCDF4 and NumPy: scopes.py [CASES [SEED]].

Random netCDF-4 files, whose dimensions, coordinates, bounds and grid mappings are in any group above the variables that
use them. A copy has the same variables in the same groups, with dimensions of the same groups; a reduction, a slice, and
a group that was moved have no more of them; and values are NumPy's.
"""
import os

import netCDF4
import numpy as np
import xarray as xr

from axtlib import Tap, axt, in_batches, random_cases, scratch

DIMS = ['time', 'lat', 'lon', 'lev', 'n']


def make(r, path):
    """Returns the paths of the tensors."""
    d = netCDF4.Dataset(path, 'w')
    d.title = 'tree'
    tensors = []

    def fill(g, seen, depth):
        seen = dict(seen)
        for name in DIMS:
            if r.random() < (.6 if depth == 0 else .25):
                g.createDimension(name, int(r.integers(2, 5)))
                n = len(g.dimensions[name])
                seen[name] = g.path
                if name != 'n' and r.random() < .8:
                    v = g.createVariable(name, 'f8', (name,))
                    v[:] = np.arange(n) + depth * 10
                    v.units = 'm' if name == 'lev' else 'degrees'
                    if r.random() < .4 and 'n' not in g.dimensions:
                        v.bounds = name + '_bnds'
                        if 'two' not in seen:
                            g.createDimension('two', 2)
                            seen['two'] = g.path
                        b = g.createVariable(name + '_bnds', 'f8', (name, 'two'))
                        b[:] = np.arange(2 * n).reshape(n, 2) + depth
        if r.random() < .3 and 'crs' not in seen:
            g.createVariable('crs', 'i4', ()).grid_mapping_name = f'of {depth}'
            seen['crs'] = g.path
        for k in range(int(r.integers(0, 3)) + (depth == 0)):
            dims = [x for x in DIMS if x in seen and r.random() < .6]
            name = f'v{k}'
            v = g.createVariable(name, r.choice(['f4', 'f8', 'i4']), dims)
            v[...] = r.integers(-9, 9, [len(x) for x in v.get_dims()])
            v.units = 'K'
            if 'crs' in seen and r.random() < .5:
                v.grid_mapping = 'crs'
            tensors.append((g.path.rstrip('/') + '/' + name))
        for k in range(int(r.integers(0, 3)) if depth < 3 else 0):
            sub = g.createGroup(f'g{k}')
            sub.setncattr('note', f'{depth} {k}')
            fill(sub, seen, depth + 1)

    fill(d, {}, 0)
    d.close()
    return tensors


def look(path):
    """Of each variable: dimensions with the groups that have them, attributes, values."""
    out = {}
    with netCDF4.Dataset(path) as d:
        d.set_auto_mask(False)

        def walk(g):
            for v in g.variables.values():
                dims = [(x.group().path, x.name, len(x)) for x in v.get_dims()]
                attrs = {k: v.getncattr(k) for k in v.ncattrs()}
                out[g.path.rstrip('/') + '/' + v.name] = dims, attrs, v[...]
            for s in g.groups.values():
                out[s.path + '/'] = [], {k: s.getncattr(k) for k in s.ncattrs()}, None
                walk(s)

        walk(d)
    return out


def used(tree, tensors):
    """Whether a variable is in a copy: a tensor, or what one of them needs."""
    need = set(tensors)
    for t in tensors:
        dims, attrs, _ = tree[t]
        for g, name, _ in dims:
            need.add(g.rstrip('/') + '/' + name)
    return need


def case(t, seed):
    r = np.random.default_rng(seed)
    tensors = make(r, 'a.nc')
    tree = look('a.nc')
    why = []
    # ---- a copy is the same
    run = axt('copy', 'a.nc', '-o', 'b.nc')
    if run.rc:
        t.ok(False, f'{seed}: copy', run.err)
        return
    copy = look('b.nc')
    for p, (dims, attrs, v) in tree.items():
        if p not in copy:
            if p in used(tree, tensors):
                why.append(f'{p} is not in the copy')
            continue
        if copy[p][0] != dims:
            why.append(f'{p}: dimensions {dims} became {copy[p][0]}')
        if {k: str(x) for k, x in attrs.items()} != {k: str(x) for k, x in copy[p][1].items()}:
            why.append(f'{p}: attributes {attrs} became {copy[p][1]}')
        if v is not None and not np.array_equal(v, copy[p][2]):
            why.append(f'{p}: values differ')
    why += [f'{p} is new in the copy' for p in copy if p not in tree]
    # ---- groups alone are what xarray reads of them
    for g in {p.rpartition('/')[0] for p in tensors}:
        with xr.open_dataset('a.nc', group=g or '/', decode_cf=False) as a, \
                xr.open_dataset('b.nc', group=g or '/', decode_cf=False) as b:
            for name in b.variables:
                if not a[name].identical(b[name]) and name not in a.coords:
                    why.append(f'{g}/{name}: xarray reads another')
    # ---- a slice and a mean: nothing is in a group that was not in it before
    for words, f in ((['slice', 'time=1:'], lambda v, k: v.take(range(1, v.shape[k]), k)),
                     (['reduce', 'mean', '--over', 'time'], lambda v, k: v.mean(k, dtype='f8'))):
        if not any('time' in [x[1] for x in tree[p][0]] for p in tensors):
            continue
        run = axt(*words, 'a.nc:*', '-o', 'c.nc')
        if run.rc:
            why.append(f'{words}: {run.err}')
            continue
        got = look('c.nc')
        why += [f'{words}: {p} is new' for p in got if p not in tree]
        for p in tensors:
            dims, _, v = tree[p]
            k = [x[1] for x in dims].index('time') if 'time' in [x[1] for x in dims] else None
            want = v if k is None else f(v, k)
            if p not in got or got[p][2].shape != want.shape or not np.allclose(got[p][2], want, rtol=1e-6):
                why.append(f'{words}: {p} has other values')
            elif [x[:2] for x in got[p][0]] != [x[:2] for x in dims if got[p][2].ndim == v.ndim or x[1] != 'time']:
                why.append(f'{words}: {p} has dimensions {got[p][0]} of {dims}')
    # ---- a group that moves, and one that is added to the file it is from
    inner = sorted({p.split('/')[1] for p in tensors if p.count('/') > 1})
    if inner:
        g = inner[0]
        os.rename('b.nc', 'd.nc')
        if os.path.exists('new.nc'):
            os.remove('new.nc')
        for out in ('new.nc', 'd.nc'):
            run = axt('copy', f'a.nc:/{g}/', '-o', f'{out}:/x/y/')
            got = look(out) if run.rc == 0 else {}
            if run.rc or run.err:
                why.append(f'-o {out}:/x/y/: {run.err}')
            for p in tensors:
                if p.startswith(f'/{g}/'):
                    q = '/x/y' + p[len(g) + 1:]
                    if q not in got or not np.array_equal(got[q][2], tree[p][2]) or \
                            [x[1:] for x in got[q][0]] != [x[1:] for x in tree[p][0]]:
                        why.append(f'{out}: {q} is not what {p} is')
                    elif any(not (q.startswith(x[0].rstrip('/') + '/')) for x in got[q][0]):
                        why.append(f'{out}: {q} has a dimension of a group that is not above it')
            if out == 'd.nc':
                why += [f'{p} was lost' for p in copy if p not in got]
    if why:
        t.ok(False, f'{seed}', '\n'.join(why))


def main():
    cases, first = random_cases(100, 25, 25, 1)
    t = Tap()
    os.chdir(scratch())
    in_batches(t, cases, 'trees {} have their axes where they were', lambda k: case(t, first + k))
    t.done()


main()
