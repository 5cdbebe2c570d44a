#!/usr/bin/python3
"""Whole files with one axis changed, against netCDF4: rewrites.py [CASES [SEED]], or rewrites.py FILE...

Random files with groups, unlimited dimensions, bounds, flags, grid mappings, text, scalars, packed values and attributes
of every type are sliced, joined, put into another order and appended to. netCDF4 makes the file that is wanted: every
variable as it was, but for the axis. What a result lacks a warning names. Files of other programs are sliced by all of
an axis, put into the order that they have, and joined with nothing, so that they are what they were.
"""
import glob
import os
import shutil
import sys

import h5py
import netCDF4
import numpy as np

from axtlib import TOP, Tap, axt, in_batches, random_cases, scratch
from samefile import differences

NUMBERS = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f4', 'f8']


def attributes(r, v):
    for t in NUMBERS:
        if r.random() < .15:
            v.setncattr('a_' + t, r.integers(0, 99, int(r.integers(1, 4))).astype(t))
    if r.random() < .3:
        v.long_name = 'é ' * int(r.integers(1, 4)) + '.'
    if r.random() < .1:
        v.setncattr('words', ['one', 'two'])


def variable(r, g, name, kind, dims, values=None, **how):
    n = [len(find(g, x)) for x in dims]
    if dims and r.random() < .5:
        how.update(zlib=True, shuffle=bool(r.random() < .5), complevel=int(r.integers(1, 6)))
    if dims and (how or r.random() < .3):
        how['chunksizes'] = [int(r.integers(1, max(x, 1) + 1)) for x in n]
    v = g.createVariable(name, kind, dims, **how)
    v.set_auto_maskandscale(False)
    v[...] = r.integers(0, 99, n) if values is None else values
    attributes(r, v)
    return v


def find(g, dim):
    while dim not in g.dimensions:
        g = g.parent
    return g.dimensions[dim]


def make(path, seed, first=0):
    """A file; of one seed those with another `first` have other records, and all else alike."""
    r = np.random.default_rng(seed)
    d = netCDF4.Dataset(path, 'w')
    n = {k: int(r.integers(2, 6)) for k in ('time', 'lat', 'lon')}
    for k in n:
        d.createDimension(k, None if k == 'time' and r.random() < .5 else n[k])
    d.createDimension('bnds', 2)
    later = np.arange(n['time']) + first
    for k in n:
        at = (later if k == 'time' else np.arange(n[k])) * 10
        fill = {'fill_value': 9999} if r.random() < .3 else {}
        v = variable(r, d, k, str(r.choice(['f8', 'f4', 'i2'])), (k,), at, **fill)
        if v.dtype.kind == 'i' and k != 'time' and r.random() < .6:
            v.scale_factor, v.add_offset = .5, 3.
        v.units = {'time': 'days since 2000-01-01', 'lat': 'degrees_north', 'lon': 'degrees_east'}[k]
        if r.random() < .5:
            v.bounds = k + '_bnds'
            variable(r, d, k + '_bnds', 'f8', (k, 'bnds'), np.asarray(v[:])[:, None] + [-5., 5.])
    records = np.random.default_rng([seed, first])
    along = {'t': ('time', 'lat', 'lon'), 'ps': ('time', 'lat', 'lon'), 'mask': ('lat', 'lon'), 'p0': (), 'level': ('time',)}
    for k, dims in along.items():
        if r.random() < .25 and k != 't':
            continue
        kind = str(r.choice(NUMBERS))
        fill = {'fill_value': 99} if r.random() < .4 else {}
        size = [n[x] for x in dims]
        v = variable(r, d, k, kind, dims, records.integers(0, 99, size) if 'time' in dims else None, **fill)
        if dims and kind in ('i1', 'i2', 'u1', 'u2') and r.random() < .6:
            v.scale_factor, v.add_offset = np.float32(.5), np.float32(3)
    if r.random() < .5:
        d['t'].ancillary_variables = 't_qc'
        v = variable(r, d, 't_qc', 'i1', along['t'], records.integers(0, 3, [n[x] for x in along['t']]))
        v.flag_values, v.flag_meanings = np.arange(3, dtype='i1'), 'good fair bad'
    if r.random() < .5:
        d['t'].grid_mapping = 'crs'
        variable(r, d, 'crs', 'i4', (), 1).grid_mapping_name = 'latitude_longitude'
    if r.random() < .5:
        d['t'].coordinates = 'height label' if r.random() < .5 else 'height'
        variable(r, d, 'height', 'f4', (), 2).units = 'm'
        if 'label' in d['t'].coordinates:
            d.createVariable('label', str, ('lat',))[:] = np.array([f'zone {i}' for i in range(n['lat'])], dtype=object)
    if r.random() < .4:
        d['t'].cell_measures = 'area: area'
        variable(r, d, 'area', 'f4', ('lat', 'lon'))
    if r.random() < .4:
        d.createDimension('letters', 5)
        d.createVariable('name', 'S1', ('lon', 'letters'))[:] = np.array([list(f'n{i:04d}') for i in range(n['lon'])], dtype='S1')
    if r.random() < .4:
        d.createVariable('source', str, ())[...] = np.array('by hand', dtype=object)
    if r.random() < .5:
        g = d.createGroup('g')
        g.note = 'of the group'
        attributes(r, g)
        g.createDimension('lev', 3)
        variable(r, g, 'lev', 'f4', ('lev',), [1, 2, 5]).positive = 'up'
        variable(r, g, 'u', 'f4', ('time', 'lev', 'lat'), records.random((n['time'], 3, n['lat'])))
        variable(r, g, 'coefficient', 'f8', ('lev',))
        if r.random() < .3:
            g.createGroup('empty').note = 'nothing here'
    attributes(r, d)
    d.title = 'made'
    d.close()
    return n


def rewritten(source, path, change, gone=''):
    """The file at the path: that of the source, with `change(dataset, variable, values)` of each variable: dims, values;
    and without the dimension that is gone."""
    with netCDF4.Dataset(source) as a, netCDF4.Dataset(path, 'w') as b:
        def copy(x, y):
            new = {k: change(x, v, raw(v)) for k, v in x.variables.items()}
            size = {d: n for dims, values in new.values() for d, n in zip(dims, np.shape(values))}
            for k, d in x.dimensions.items():
                if k == gone:
                    continue
                length = size[k] if k in size else lengths.get(k, len(d))
                lengths[k] = length
                y.createDimension(k, None if d.isunlimited() else length)
            for k, v in x.variables.items():
                dims, values = new[k]
                fill = getattr(v, '_FillValue', None)
                w = y.createVariable(k, v.dtype, dims, fill_value=fill)
                w.set_auto_maskandscale(False)
                if v.dtype is not str and v.dtype.kind == 'S':
                    w.set_auto_chartostring(False)
                w[...] = values
                w.setncatts({t: one(v, t) for t in v.ncattrs() if t != '_FillValue'})
            y.setncatts({t: one(x, t) for t in x.ncattrs()})
            for k, g in x.groups.items():
                copy(g, y.createGroup(k))
        lengths = {}
        copy(a, b)


def one(v, name):
    return v.getncattr(name)


def raw(v):
    v.set_auto_maskandscale(False)
    if v.dtype is not str and v.dtype.kind == 'S':
        v.set_auto_chartostring(False)
    return np.asarray(v[...])


def along(axis, how):
    """A change of the values along an axis."""
    def change(_, v, a):
        return v.dimensions, how(a, v.dimensions.index(axis)) if axis in v.dimensions else a
    return change


def layouts(source, path):
    """Variables whose compression is another one, or whose chunks, where their axes are what they were."""
    with netCDF4.Dataset(source) as a, netCDF4.Dataset(path) as b:
        out = []
        for k in 't', 'ps', 'mask', 'level', 't_qc':  # coordinates and what belongs to tensors are small
            v, w = a.variables.get(k), b.variables.get(k)
            if w is None or not v.dimensions:
                continue
            if {**v.filters(), 'complevel': 0} != {**w.filters(), 'complevel': 0}:
                out.append(f'{k}: filters {w.filters()}')
            if v.shape == w.shape and v.filters()['zlib'] and v.chunking() != w.chunking():
                out.append(f'{k}: chunks {w.chunking()}, were {v.chunking()}')
        return out


def changes(told):
    """What differs from the file that is wanted, whose variables are not compressed."""
    return [x for x in differences('want.nc', 'b.nc', told) if not x.endswith('(chunks)')]


def judge(t, what, run, also=()):
    told = run.err
    lost = ['status'] if run.rc else changes(told) + list(also)
    if lost:
        t.ok(False, what, f'{", ".join(lost)}\n{run}')


def sliced(t, seed, r, n):
    axis = str(r.choice(list(n)))
    lo, hi = sorted(map(int, r.integers(0, n[axis] + 1, 2)))
    hi = max(hi, lo + 1)
    lo = min(lo, n[axis] - 1)
    step = int(r.integers(1, 3))
    run = axt('slice', f'{axis}={lo}:{hi}:{step}', 'a.nc:*', '-o', 'b.nc')
    rewritten('a.nc', 'want.nc', along(axis, lambda a, k: a[(slice(None),) * k + (slice(lo, hi, step),)]))
    judge(t, f'{seed}: sliced', run)


def picked(t, seed, r, n):
    """One position of an axis: its coordinates have no axis then, and tensors name them."""
    axis = str(r.choice(list(n)))
    at = int(r.integers(0, n[axis]))
    run = axt('slice', f'{axis}={at}', 'a.nc:*', '-o', 'b.nc')

    def change(_, v, a):
        if axis not in v.dimensions:
            return v.dimensions, a
        return tuple(x for x in v.dimensions if x != axis), a.take(at, v.dimensions.index(axis))
    rewritten('a.nc', 'want.nc', change, axis)
    lost = ['status'] if run.rc else [x for x in changes(run.err) if not x.endswith('@coordinates')]
    with netCDF4.Dataset('b.nc') as b:
        lost += [f'{k} does not name {axis}' for k, v in b.variables.items() if k in ('t', 'ps', 'level', 't_qc') and
                 axis in source_dims(k) and axis not in getattr(v, 'coordinates', '').split()]
    if lost:
        t.ok(False, f'{seed}: one position', f'{", ".join(lost)}\n{run}')


def source_dims(name):
    with netCDF4.Dataset('a.nc') as a:
        return a[name].dimensions


def joined(t, seed, r, n):
    make('m.nc', seed, 9)
    run = axt('concat', 'time', 'a.nc:*', 'm.nc:*', '-o', 'b.nc')
    with netCDF4.Dataset('m.nc') as m:
        def change(x, v, a):
            other = raw(m[f'{x.path}/{v.name}'])
            return v.dimensions, np.concatenate([a, other], v.dimensions.index('time')) if 'time' in v.dimensions else a
        rewritten('a.nc', 'want.nc', change)
    judge(t, f'{seed}: joined', run)


def beside(path):
    """Variables that others name, which stay as they are."""
    lists = 'ancillary_variables', 'coordinates', 'cell_measures', 'bounds'
    with netCDF4.Dataset(path) as d:
        return {w for v in d.variables.values() for a in lists[1:] if a in v.ncattrs() for w in v.getncattr(a).split()}


def ordered(t, seed, r, n):
    axis = str(r.choice(['lat', 'lon']))
    run = axt('order', f'{axis},...', 'a.nc:*', '-o', 'b.nc')
    fixed = beside('a.nc') | {'name'}

    def change(_, v, a):
        if axis not in v.dimensions or v.name in fixed:
            return v.dimensions, a
        dims = (axis,) + tuple(x for x in v.dimensions if x != axis)
        return dims, a.transpose([v.dimensions.index(x) for x in dims])
    rewritten('a.nc', 'want.nc', change)
    judge(t, f'{seed}: in another order', run)


def appended(t, seed, r, n):
    make('m.nc', seed, 9)
    with netCDF4.Dataset('m.nc') as m:
        def change(x, v, a):
            other = raw(m[f'{x.path}/{v.name}'])
            return v.dimensions, np.concatenate([a, other], v.dimensions.index('time')) if 'time' in v.dimensions else a
        rewritten('a.nc', 'want.nc', change)
    os.replace('a.nc', 'b.nc')
    run = axt('append', '--along', 'time', 'b.nc', 'm.nc:*')
    make('a.nc', seed)
    judge(t, f'{seed}: appended to', run, () if run.rc else layouts('a.nc', 'b.nc'))


def case(t, seed):
    n = make('a.nc', seed)
    for what in sliced, picked, joined, ordered, appended:
        what(t, seed, np.random.default_rng([seed, 7]), n)


PLAIN = NUMBERS + ['f2', '>i4', '>f8', '?']


def plain(r, path, n):
    """A file by h5py, without scales: its axes are dim_0, dim_1."""
    with h5py.File(path, 'w', track_order=bool(r.random() < .5)) as f:
        for g in f, f.create_group('g'), f.create_group('g/h'):
            for k in 'abc':
                kind = np.dtype(str(r.choice(PLAIN)))
                shape = [n, 3, 2][:int(r.integers(1, 4))]
                how = {'chunks': True, 'compression': 'gzip', 'shuffle': True} if r.random() < .4 else {}
                if r.random() < .3:
                    how.update(chunks=True, maxshape=[None] + shape[1:])
                d = g.create_dataset(k, data=r.integers(0, 2 if kind == '?' else 99, shape).astype(kind), **how)
                for name in r.choice(PLAIN[:-1], 2):
                    d.attrs['a_' + name.strip('>?')] = r.integers(0, 2, int(r.integers(1, 3))).astype(name)
                if r.random() < .3:
                    d.attrs['words'] = 'é words'
                if r.random() < .2:
                    d.attrs.create('fixed', np.bytes_('of bytes'))
                if r.random() < .2:
                    d.attrs['list'] = ['one', 'two']
            g.attrs['note'] = 'here'
            if r.random() < .5:
                g['scalar'] = np.float32(r.random())
            if r.random() < .3:
                g['text'] = 'some text'


def seen(path, told=''):
    """Every object of the file, as h5py has it."""
    out = {}

    def look(name, o):
        out[name] = True
        if isinstance(o, h5py.Dataset):
            a = np.asarray(o[()])
            a = a.astype('i1') if a.dtype == bool else a  # axt stores them so, and says that they are bool
            out[name] = str(a.dtype.newbyteorder('=')), a.shape, a.tolist()
        for k, v in o.attrs.items():
            if not isinstance(v, h5py.Reference) and k not in ('DIMENSION_LIST', 'REFERENCE_LIST', 'CLASS', 'NAME', '_Netcdf4Dimid',
                                                               '_Netcdf4Coordinates', 'history', 'Conventions', '_NCProperties', 'dtype'):
                v = v.decode() if isinstance(v, bytes) else v
                out[name + '@' + k] = np.asarray(v).dtype.kind, np.atleast_1d(v).tolist()
    with h5py.File(path) as f:
        look('', f)
        f.visititems(look)
    return {k: v for k, v in out.items() if k.split('@')[0].split('/')[-1][:4] != 'dim_'}


def without_scales(t, seed):
    r = np.random.default_rng(seed)
    n = int(r.integers(2, 5))
    plain(r, 'a.h5', n)
    was = seen('a.h5')
    at, step = int(r.integers(0, n)), int(r.integers(1, 3))

    def changed(how):
        return {k: (v[0], how(np.array(v[2])).shape, how(np.array(v[2])).tolist()) if isinstance(v, tuple) and len(v) == 3 and v[1] else v
                for k, v in was.items()}
    lines = {('slice', f'dim_0={at}::{step}', 'a.h5:*'): changed(lambda a: a[at::step]),
             ('concat', 'dim_0', 'a.h5:*', 'a.h5:*'): changed(lambda a: np.concatenate([a, a])),
             ('order', '..., dim_0'.replace(' ', ''), 'a.h5:*'): changed(lambda a: np.moveaxis(a, 0, -1)),
             ('flip', 'dim_0', 'a.h5:*'): changed(lambda a: a[::-1])}
    for line, want in lines.items():
        run = axt(*line, '-o', 'b.h5')
        got = {} if run.rc else seen('b.h5')
        lost = [k for k in {**want, **got} if want.get(k) != got.get(k) and k.split('@')[0].split('/')[-1] not in run.err]
        if run.rc or lost:
            t.ok(False, f'{seed}: {" ".join(line)} of h5py', f'{[(k, want.get(k), got.get(k)) for k in lost]}\n{run}')


def told(t):
    """Attributes of types that are not supported, of a tensor and of what goes along with it."""
    with h5py.File('l.nc', 'w') as f:
        for k, a in ('y', np.arange(2.)), ('x', np.arange(3.)), ('t', np.ones((2, 3))), ('lat', np.ones((2, 3))), ('x_b', np.ones((3, 2))):
            f[k] = a
            f[k].attrs.create('odd', np.zeros(2, [('a', 'i4'), ('b', 'f8')]))
        for k in 'yx':
            f[k].make_scale(k)
        for k in 't', 'lat':
            f[k].dims[0].attach_scale(f['y'])
            f[k].dims[1].attach_scale(f['x'])
        f['x_b'].dims[0].attach_scale(f['x'])
        f['x'].attrs['bounds'], f['t'].attrs['coordinates'] = 'x_b', 'lat'
    shutil.copy('l.nc', 'm.nc')
    with h5py.File('m.nc', 'a') as f:
        f['y'][...] = [7, 8]
    run = axt('concat', 'y', 'l.nc:t', 'm.nc:t', '-o', 'b.nc')
    t.ok(not run.rc and run.err.count('/t:odd') == 1 and run.err.count('/x:odd') == 1,
         'axt-concat of two tensors tells of attributes of the first that it cannot keep', run)
    for line, want in {'copy': 'y x t lat x_b', 'slice x=0:2': 'y x t lat x_b', 'flip y': 'y x t lat x_b', 'order x,y': 'y x t lat x_b',
                       'slice y=1': 'x t lat x_b'}.items():
        for word in 'l.nc:t', 'l.nc':
            run = axt(*line.split(), word, '-o', 'b.nc')
            lost = [k for k in want.split() if run.err.count(f'/{k}:odd') != 1]
            t.ok(not run.rc and not lost, f'axt-{line} {word} tells of attributes that it cannot keep', f'{lost}\n{run}')


def first_axis(path):
    with netCDF4.Dataset(path) as d:
        for v in d.variables.values():
            if v.dimensions and v.shape[0] > 0:
                return v.dimensions[0].replace('phony_', '')  # netCDF's word for axes without names
    return None


def others(t, files):
    for f in files:
        try:
            axis = first_axis(f)
        except OSError:
            continue
        if not axis:
            continue
        for line in ['slice', axis + '=:'], ['order', axis + ',...'], ['concat', axis]:
            run = axt(*line, f + ':*', '-o', 'b.nc')
            try:
                lost = ['status'] if run.rc else differences(f, 'b.nc', run.err)
            except OSError as e:
                lost = [str(e)]
            if line[0] == 'order':
                lost = [x for x in lost if '@' in x or ' ' in x and not x.endswith('(chunks)')]
            if 'has an axis twice' in run.err:  # refused, as it is not known which of them is meant
                lost = []
            t.ok(not lost, f'{os.path.basename(f)}: axt-{" ".join(line)}', f'{", ".join(lost[:9])}\n{run.err[:2000]}')


def main():
    t = Tap()
    if sys.argv[1:] and os.path.exists(sys.argv[1]):
        files = [os.path.abspath(x) for x in sys.argv[1:]]
        os.chdir(scratch())
        others(t, files)
        t.done()
    cases, first = random_cases(20, 6, 3, 1)
    os.chdir(scratch())
    in_batches(t, cases, 'files {} are what they were, but for one axis', lambda k: case(t, first + k))
    in_batches(t, cases, 'files {} of h5py, too', lambda k: without_scales(t, first + k))
    told(t)
    data = sorted(glob.glob(os.path.join(os.path.dirname(TOP), 'shared', 'data', '*.nc')))
    if data:
        others(t, [x for x in data if os.path.getsize(x) < 400000])
    else:
        t.skip('files of other programs', 'no ../shared/data')
    t.done()


main()
