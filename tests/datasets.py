#!/usr/bin/python3
"""axt-remove and axt-move on random netCDF files: what netCDF4-python, xarray and h5py find then is what was there, without
what was removed, under the new names. Files are changed many times over, as HDF5's own bookkeeping has to stand that."""
import os
import shutil

import h5py
import netCDF4
import numpy as np
import xarray as xr

import axtlib
from axtlib import Tap, scratch

NAMING = ('coordinates', 'bounds', 'ancillary_variables', 'grid_mapping')


def shell(line):
    run = axtlib.shell(line)
    return run.returncode, run.stderr.decode().strip()


def make(path, r, groups):
    """Variables, some named by others, in the root and in groups; dimensions with and without coordinates."""
    with netCDF4.Dataset(path, 'w') as f:
        dims = {'time': None, 'lat': 3, 'lon': 4, 'bnds': 2}
        for d, n in dims.items():
            f.createDimension(d, n)
        for d in 'time', 'lat', 'lon':
            v = f.createVariable(d, 'f8', (d,))
            v[:] = np.arange(dims[d] or 5)
            v.units = 'm'
        f['time'].bounds = 'time_bnds'
        f.createVariable('time_bnds', 'f8', ('time', 'bnds'))[:] = r.random((5, 2))
        f.createVariable('crs', 'i4', ())[...] = 7
        f.createVariable('height', 'f8', ())[...] = 2
        for i in range(int(r.integers(1, 14))):
            d = tuple(x for x in ('time', 'lat', 'lon') if r.random() < 0.6)
            v = f.createVariable(f'v{i}', 'f4', d, zlib=bool(r.random() < 0.5) and len(d) > 0)
            v[...] = r.random([dims[x] or 5 for x in d]).astype('f4')
            v.units = f'u{i}'
            if r.random() < 0.5:
                v.coordinates = 'height'
            if r.random() < 0.3:
                v.grid_mapping = 'crs'
            if i > 1 and r.random() < 0.3:
                v.ancillary_variables = ' '.join(f'v{k}' for k in range(i) if k % 2)
        for g in range(groups):
            h = f.createGroup(f'g{g}')
            h.createDimension('x', 2)
            for i in range(int(r.integers(1, 12))):
                v = h.createVariable(f'w{i}', 'i2', ('x', 'lat'))
                v[...] = r.integers(0, 99, (2, 3))
                v.ancillary_variables = 'w0'
        f.history = 'made'


def contents(path):
    """Of each variable: dimensions, values, attributes."""
    out = {}
    with netCDF4.Dataset(path) as f:
        for g in [f] + list(f.groups.values()):
            for v in g.variables.values():
                v.set_auto_maskandscale(False)
                out[(g.path.rstrip('/') + '/' + v.name).lstrip('/')] = (
                    v.dimensions, v[...].tobytes(), {k: v.getncattr(k) for k in v.ncattrs()})
    return out


def words(text, change):
    return ' '.join(x for x in (change(w) for w in text.split()) if x)


def changed(want, change):
    """What the contents are once names change: change(name, group) is the new name, '' where it goes."""
    out = {}
    for k, (d, v, a) in want.items():
        group = k[:k.rfind('/') + 1]
        new = change(k)
        if not new:
            continue
        a = {n: words(t, lambda w: (change(group + w) or ' ').split('/')[-1].strip() if group + w in want else w)
             if n in NAMING else t for n, t in a.items()}
        dims = tuple((change(x) or x) if x in want else x for x in d)
        out[new] = dims, v, {n: t for n, t in a.items() if t != ''}
    return out


def all_open(t, path, what):
    """Other libraries read the file, and HDF5 writes to it."""
    with xr.open_dataset(path, decode_times=False) as x:
        x.load()
    shutil.copy(path, 'w.nc')
    with h5py.File('w.nc', 'r+') as f:
        f.visititems(lambda n, d: d[...] if isinstance(d, h5py.Dataset) else None)
        for i in range(12):
            f[f'more{i}'] = np.arange(3)
        del f['more3']
    with netCDF4.Dataset(path, 'a') as f:
        f.createVariable('zz', 'f4', ())[...] = 1
    rc, err = shell(f'axt-remove {path}:zz; axt-info {path} >/dev/null')
    t.ok(rc == 0 and not err, f'{what}: netCDF adds, axt removes', err)


def renamed(t, r, path, n):
    have = contents(path)
    root = [k for k in have if '/' not in k]
    pick = [k for k in have if r.random() < 0.3] or root[:1]
    new = {k: k[:k.rfind('/') + 1] + (f'n{n}_{i}' if r.random() < 0.7 or '/' in k else pick[(i + 1) % len(pick)].split('/')[-1])
           for i, k in enumerate(pick)}
    final = [new.get(k, k) for k in have]
    if len(set(final)) < len(final):
        return
    order = list(have)
    line = f"axt-move {','.join(f'/{k}=' + v.split('/')[-1] for k, v in new.items())} {path}"
    rc, err = shell(line)
    got, want = contents(path), changed(have, lambda k: new.get(k, k))
    t.ok(rc == 0 and got == want, line, err or {k: (got.get(k), want.get(k)) for k in set(got) | set(want) if got.get(k) != want.get(k)})
    t.ok(list(got) == [new.get(k, k) for k in order], 'the order stays', (list(got), order))


def removed(t, r, path):
    have = contents(path)
    with netCDF4.Dataset(path) as f:
        axes = set(f.dimensions)
    gone = {k for k in have if r.random() < 0.2}
    if not gone:
        return
    used = {k for k in gone & axes if any(k in d for n, (d, _, _) in have.items() if n not in gone)}
    named = {k for k in gone if any(k.split('/')[-1] in str(a.get(n, '')).split() and o[:o.rfind('/') + 1] == k[:k.rfind('/') + 1]
                                    for o, (_, _, a) in have.items() if o not in gone for n in NAMING)}
    line = f"axt-remove {' '.join(f'{path}:/{k}' for k in sorted(gone))}"
    before = open(path, 'rb').read()
    rc, err = shell(line)
    if used | named:
        t.ok(rc == 1 and 'is not removed' in err and '--force' in err and open(path, 'rb').read() == before, line + ' is refused', err)
        rc, err = shell(line + ' --force')
    got, want = contents(path), changed(have, lambda k: '' if k in gone else k)
    t.ok(rc == 0 and got == want, line, err or {k: (got.get(k), want.get(k)) for k in set(got) | set(want) if got.get(k) != want.get(k)})


def main():
    t = Tap()
    os.chdir(scratch())
    for seed in range(12 if not axtlib.SLOW else 3):
        r = np.random.default_rng(seed)
        make('a.nc', r, seed % 3)
        for n in range(6):
            renamed(t, r, 'a.nc', n) if r.random() < 0.6 else removed(t, r, 'a.nc')
        all_open(t, 'a.nc', f'seed {seed}')
    t.done()


main()
