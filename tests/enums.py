#!/usr/bin/python3
"""Enumerations against netCDF4, h5py, xarray and ncdump: enums.py [CASES [SEED]].

Random netCDF-4 files with enumerations of every integer type, in any group, with and without a missing value, stored
with and without chunks. Copies, slices, other orders, files joined and pipes keep the type, its names and values;
arithmetic gives plain integers; axt-info --cdl is what ncdump -h prints.
"""
import json
import os
import subprocess
import traceback

import h5py
import netCDF4
import numpy as np
import xarray as xr

from axtlib import Tap, axt, in_batches, random_cases, scratch

WORDS = ['Clear', 'Cumulonimbus', 'Stratus', 'Nimbo_stratus', 'low', 'high', 'v2', 'Altocumulus', 'haze', 'Fog-bank']
KINDS = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8']


def good(*words):
    run = axt(*words)
    assert run.rc == 0 and not run.err, f'{words}: {run.err}'
    return run.out


def new_type(r, g, name, kind):
    info = np.iinfo(kind)
    words = list(r.permutation(WORDS)[:int(r.integers(2, 9))])
    values = {0, int(info.max), int(info.min)}
    while len(values) < len(words):
        values.add(int(r.integers(max(info.min, -10**9), min(info.max, 10**9))))
    values = list(r.permutation(np.array(list(values), dtype=object)))[:len(words)]
    return g.createEnumType(np.dtype(kind), name, {w: int(v) for w, v in zip(words, values)})


def make(r, path):
    """Returns the paths of the tensors whose type is an enumeration."""
    d = netCDF4.Dataset(path, 'w')
    d.createDimension('x', 3)
    d.createDimension('time', None)
    g = d.createGroup('g')
    h = g.createGroup('h')
    types = {None: [], 'g': [], 'h': []}
    for k in range(int(r.integers(1, 4))):
        types[None].append(new_type(r, d, f't{k}', r.choice(KINDS)))
    if r.random() < .6:
        types['g'].append(new_type(r, g, 'of_g', r.choice(KINDS)))
    if r.random() < .6:
        types['h'].append(new_type(r, h, 'of_h', r.choice(KINDS)))
    paths = []
    for group, at, seen in [(d, '', types[None]), (g, 'g/', types[None] + types['g']),
                            (h, 'g/h/', types['g'] + types['h'])]:
        for k, t in enumerate(seen):
            dims = [('time', 'x'), ('x',), ('x', 'time'), ()][int(r.integers(4))]
            of = np.array(list(t.enum_dict.values()), dtype=t.dtype)
            fill = int(of[-1]) if r.random() < .3 else None
            v = group.createVariable(f'v{k}', t, dims, fill_value=fill, zlib=bool(dims and r.random() < .3))
            v.long_name = 'kind of cloud'
            v[...] = r.choice(of, [2 if x == 'time' else 3 for x in dims])
            paths.append(at + v.name)
    v = d.createVariable('tas', 'f4', ('time', 'x'))
    v[...] = 1
    d.close()
    return paths


def stored(path, name):
    with netCDF4.Dataset(path) as d:
        d.set_auto_mask(False)
        v = d[name]
        fill = v.getncattr('_FillValue') if '_FillValue' in v.ncattrs() else None
        return dict(v.datatype.enum_dict), v.datatype.name, v.dtype, v.dimensions, v[...], fill


def where_types(path):
    with netCDF4.Dataset(path) as d:
        def walk(g):
            found = {g.path: sorted(g.enumtypes)}
            for s in g.groups.values():
                found.update(walk(s))
            return found
        return walk(d)


def case(r, dir_):
    a, o = f'{dir_}/a.nc', f'{dir_}/o.nc'
    paths = make(r, a)
    said = subprocess.run(['ncdump', '-h', a], capture_output=True, text=True, check=True).stdout
    used = {stored(a, p)[1] for p in paths}
    with netCDF4.Dataset(a) as d:
        unused = {t for g in [d, d['g'], d['g/h']] for t in g.enumtypes} - used
    if not unused:
        assert good('info', '--cdl', a).decode() == said, said
    good('copy', a, '-o', o)
    if not unused:
        assert where_types(o) == where_types(a), (where_types(o), where_types(a))
    for p in paths:
        names, name, dtype, dims, x, fill = stored(a, p)
        same = lambda y: y[0] == names and y[1] == name and y[2] == dtype and y[5] == fill
        y = stored(o, p)
        assert same(y) and y[3] == dims and np.array_equal(x, y[4]), (p, y)
        assert xr.open_dataset(o, group=os.path.dirname(p) or None, mask_and_scale=False)[
            os.path.basename(p)].shape == x.shape
        with h5py.File(o) as f:
            assert h5py.check_enum_dtype(f[p].dtype) == names
        info = json.loads(good('info', '--json', f'{a}:/{p}'))
        assert info['tensors'][0]['enum'] == names and 'axt_enum' not in info['tensors'][0]['attributes']
        last = os.path.basename(p)
        if dims:
            good('flip', 'x', f'{a}:/{p}', '-o', f'{dir_}/s.nc')
            y = stored(f'{dir_}/s.nc', last)
            assert same(y) and np.array_equal(np.flip(x, dims.index('x')), y[4])
            good('concat', 'x', f'{a}:/{p}', f'{o}:/{p}', '-o', f'{dir_}/c.nc')
            y = stored(f'{dir_}/c.nc', last)
            assert same(y) and np.array_equal(np.concatenate([x, x], dims.index('x')), y[4])
            piped = good('slice', 'x=1:', f'{a}:/{p}')
            with open(f'{dir_}/p.nc', 'wb') as f:
                f.write(piped)
            y = stored(f'{dir_}/p.nc', last)
            assert same(y) and np.array_equal(np.take(x, range(1, 3), dims.index('x')), y[4])
        if len(dims) == 2:
            good('order', ','.join(dims[::-1]), f'{a}:/{p}', '-o', f'{dir_}/t.nc')
            y = stored(f'{dir_}/t.nc', last)
            assert same(y) and y[3] == dims[::-1] and np.array_equal(x.T, y[4])
        run = axt('maximum', f'{a}:/{p}', f'{a}:/{p}', '-o', f'{dir_}/m.nc')
        assert run.rc == 0 and (not run.err or 'beyond 2^53' in run.err), run
        with h5py.File(f'{dir_}/m.nc') as f:
            assert h5py.check_enum_dtype(f[last].dtype) is None


def h5py_files(dir_):
    """Types without a name, in another byte order, and the bool of h5py."""
    a, o = f'{dir_}/a.h5', f'{dir_}/o.h5'
    colours = {'RED': 0, 'GREEN': 1, 'BLUE': 42}
    with h5py.File(a, 'w') as f:
        f.create_dataset('c', data=np.array([[42, 1], [0, 1]]), dtype=h5py.enum_dtype(colours, basetype='>i4'))
        f.create_dataset('b', data=np.array([True, False]))
    good('copy', a, '-o', o)
    with h5py.File(o) as f:
        assert h5py.check_enum_dtype(f['c'].dtype) == colours and f['c'][...].tolist() == [[42, 1], [0, 1]]
        assert f['b'].dtype == bool and 'dtype' not in f['b'].attrs
    with netCDF4.Dataset(o) as d:
        assert dict(d['c'].datatype.enum_dict) == colours and d['c'].datatype.name == 'c_t'
    good('copy', f'{a}:c', '--name', 'e', '-o', f'{o}:e')
    with netCDF4.Dataset(o) as d:
        assert dict(d['e'].datatype.enum_dict) == colours
    good('copy', f'{a}:c', '-o', f'{dir_}/z.zarr')
    with open(f'{dir_}/z.zarr/c/zarr.json') as f:
        z = json.load(f)['attributes']
    assert sorted(z['flag_values']) == [0, 1, 42] and len(z['flag_meanings'].split()) == 3


def main():
    cases, first = random_cases(30, 8, 8, 1)
    t = Tap()
    os.chdir(scratch())

    def one(k):
        why = ''
        try:
            case(np.random.default_rng(first + k), '.')
        except AssertionError as e:
            why = traceback.format_exc() + str(e)
        if why:
            t.ok(False, f'{first + k}', why)
    in_batches(t, cases, 'files {} keep the names of their numbers', one)
    why = ''
    try:
        h5py_files('.')
    except AssertionError as e:
        why = traceback.format_exc() + str(e)
    t.ok(not why, 'types without a name, stores of Zarr, and what is added to a file', why)
    t.done()


main()
