#!/usr/bin/python3
"""Copies of whole files against netCDF4: copies.py [CASES [SEED]], or copies.py FILE...

Random files with coordinates that no tensor uses and what these name, grids without tensors, variables that have the
name of one of their several axes, or of one above their group, axes without records,
variables with fewer records than others, grid mappings in CF's long form,
names of what is in other files, and attributes of every type. A copy has every variable, dimension
and attribute of them, or a warning names what it lacks.
"""
import os
import re
import sys

import h5py
import netCDF4
import numpy as np

from axtlib import Tap, axt, in_batches, random_cases, scratch
from samefile import differences

NUMBERS = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f4', 'f8']


def attributes(r, v, classic):
    for t in NUMBERS:
        if r.random() < .15 and not (classic and t in ('u1', 'u2', 'u4', 'i8', 'u8')):
            v.setncattr('a_' + t, r.integers(0, 99, int(r.integers(1, 4))).astype(t))
    if r.random() < .3:
        v.long_name = 'é ' * int(r.integers(1, 4)) + '.'


def packing(r, n, classic):
    """How a variable of lengths n lies in its file: in compressed chunks, or in one piece."""
    return {} if classic or r.random() < .6 else {'zlib': True, 'shuffle': bool(r.random() < .5), 'fletcher32': bool(r.random() < .3),
                                                  'chunksizes': [int(r.integers(1, k + 1)) for k in n]}


def coordinate(r, d, name, n, units, classic):
    d.createDimension(name, None if r.random() < .2 and not classic else n)
    v = d.createVariable(name, 'f8', (name,), **packing(r, [n], classic))
    v[:] = np.sort(r.random(n))
    v.units = units
    attributes(r, v, classic)
    if r.random() < .4:
        v.bounds = name + '_bnds'
        b = d.createVariable(name + '_bnds', 'f8', (name, 'bnds'))
        b[:] = r.random((n, 2))
    return v


def make(r, path, classic):
    d = netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC' if classic else 'NETCDF4')
    n = {k: int(r.integers(2, 6)) for k in ('y', 'x', 'ilev', 'station')}
    d.createDimension('bnds', 2)
    for k in ('y', 'x'):
        coordinate(r, d, k, n[k], 'm', classic)
    if r.random() < .7:  # half levels, which nothing lies at
        v = coordinate(r, d, 'ilev', n['ilev'], 'hPa', classic)
        v.formula_terms = 'a: hyai b: hybi'
        for k in ('hyai', 'hybi'):
            d.createVariable(k, 'f8', ('ilev',))[:] = r.random(n['ilev'])
    if r.random() < .5:
        d.createDimension('station', n['station'])
        d.createVariable('station', 'i4', ('station',))[:] = np.arange(n['station'])
    if r.random() < .4:  # variables of several axes that have the name of one, as FVCOM's
        d.createDimension('siglay', 3)
        for k in ('siglay', 'siglev')[:int(r.integers(1, 3))]:
            s = d.createVariable(k, 'f4', ('siglay', 'x') if r.random() < .6 else ('y', 'siglay'))
            s[:] = r.random(s.shape)
            attributes(r, s, classic)
    if not classic and r.random() < .4:  # variables with fewer records than others, and than their axis
        d.createDimension('rec', None)
        for k in ('rec', 'r1', 'r2', 'r3')[int(r.integers(0, 2)):]:
            v = d.createVariable(k, str(r.choice(['f4', 'f8', 'i2'])), ('rec', 'bnds') if k == 'r1' else ('rec',),
                                 fill_value=-9 if r.random() < .5 else None, zlib=bool(r.random() < .5),
                                 chunksizes=[int(r.integers(1, 4)), 2][:1 + (k == 'r1')])
            v[0:int(r.integers(0, 9))] = 1
    if r.random() < .2:  # records that have not come yet
        d.createDimension('time', None)
        v = d.createVariable('time', 'f8', ('time',))
        v.units, v.calendar = 'days since 2000-01-01', 'noleap'
        d.createVariable('late', 'f4', ('time', 'bnds') if r.random() < .5 else ('time',))
    if r.random() < .5:  # dimensions that nothing lies along
        d.createDimension('none', int(r.integers(1, 9)))
        if not classic:
            d.createDimension('free', None)
            g = d.createGroup('empty')
            g.note = 'nothing but a note'
            g.createDimension('inner', None if r.random() < .5 else 3)
    if not classic and r.random() < .4:  # a variable in a group with the name of an axis that is above it
        g = d.createGroup('g')
        g.createVariable('x', 'f8', ('x',))[:] = r.random(n['x'])
        g.createVariable('v', 'f4', ('y', 'x'))[:] = r.random((n['y'], n['x']))
    if r.random() < .4:  # text of characters, of which those along x are flags
        d.createDimension('letters', 5)
        for k, dims in {'name': ('y', 'letters'), 'title': ('letters',), 'flags': ('y', 'x')}.items():
            if r.random() < .6:
                size = [len(d.dimensions[x]) for x in dims]
                letters = r.choice([b'a', b'b', b'Z'], size)
                v = d.createVariable(k, 'S1', dims, **packing(r, size, classic))
                v.set_auto_chartostring(False)
                if k != 'flags':
                    letters[..., -int(r.integers(1, 4)):] = b''
                    letters.reshape(-1, size[-1])[0, :2] = [b'\xc3', b'\xa9']
                v[:] = letters
                attributes(r, v, classic)
    if r.random() < .15:  # a grid
        d.close()
        return
    t = d.createVariable('t', str(r.choice(['f4', 'f8', 'i2', 'i4'])), ('y', 'x'))
    t[:] = r.integers(0, 99, (n['y'], n['x']))
    attributes(r, t, classic)
    if r.random() < .5:
        t.coordinates = 'lat lon'
        for k in ('lat', 'lon'):
            d.createVariable(k, 'f8', ('y', 'x'), **packing(r, [n['y'], n['x']], classic))[:] = r.random((n['y'], n['x']))
        crs = d.createVariable('crsWGS84', 'i4', ())
        crs[...] = 7
        crs.grid_mapping_name = 'latitude_longitude'
        osgb = d.createVariable('crsOSGB', 'i4', ())
        osgb[...] = 8
        osgb.grid_mapping_name = 'transverse_mercator'
        t.grid_mapping = 'crsOSGB: x y crsWGS84: lat lon'
    elif r.random() < .5:
        t.coordinates = 'height'
    if r.random() < .5:
        t.cell_measures = 'area: areacella'
    d.close()


def add_h5py(r, path):
    """What h5py writes and netCDF has not: bools, types and attributes without names, links."""
    names = h5py.enum_dtype({'RED': 1, 'BLUE': -5}, str(r.choice(['i1', 'i2', 'i8'])))
    with h5py.File(path, 'a') as f:
        g = f.require_group('h') if r.random() < .5 else f
        for k in ('m0', 'm1')[:int(r.integers(0, 3))]:
            g[k] = r.random((2, 3)) < .5
        if r.random() < .5:
            g.create_dataset('hue', data=r.choice([1, -5], 4), dtype=names)
        for o in (g, f, *(g[k] for k in g if k[0] == 'm')):
            if r.random() < .5:
                o.attrs['yes'] = bool(r.random() < .5)
                o.attrs['flags'] = r.random((2, 2)) < .5
                o.attrs.create('hues', [1, -5, 1], dtype=names)
                o.attrs['half'] = np.float16(.5)
            for name, a in {'none': np.zeros(0, 'i4'), 'nothing': h5py.Empty('f8'), 'blank': ''}.items():
                if r.random() < .2:
                    o.attrs[name] = a
        add_labels(r, f)
        kept = [k for k in g if isinstance(g[k], h5py.Dataset)]
        if kept and r.random() < .5:
            g['soft'] = h5py.SoftLink(str(r.choice(['nowhere', g[kept[0]].name])))
            f['hard'] = g[kept[-1]]
            f['out'] = h5py.ExternalLink('other.h5', '/x')


def add_labels(r, f):
    """Labels of dimensions, beside scales and instead of them, of text and of scales themselves."""
    for k in 'l0', 'l1', 'words':
        if r.random() < .5:
            values = np.array([b'a', b'bc', b''], 'O') if k == 'words' else r.random((3, 2))
            how = {'chunks': (2,) * values.ndim, 'compression': 'gzip', 'shuffle': bool(r.random() < .5)} if r.random() < .5 else {}
            d = f.create_dataset(k, data=values, dtype=h5py.string_dtype() if k == 'words' else 'f4', **how)
            for i in range(d.ndim):
                if r.random() < .7:
                    d.dims[i].label = str(r.choice([f'row{i}', f'é {i}', f'{k}_{i}', 'M*'])) if i < 1 else f'column {i}'
    for k in ('t', 'x', 'lat', 'siglay', 'x_bnds'):
        for i in range(f[k].ndim if k in f else 0):
            if r.random() < .3:
                f[k].dims[i].label = str(r.choice([f'way {i}', 'x']))


WAYS = {'direct': [['copy', None, '-o', 'b.nc']],
        'by Zarr': [['copy', None, '-o', 'c.zarr'], ['copy', '--compress', 'deflate', 'c.zarr', '-o', 'b.nc']],
        'by classic': [['copy', None, '-o', 'c.cdf'], ['copy', 'c.cdf', '-o', 'b.nc']]}


def by(way, f):
    """The runs of a way; what differs then and no warning tells; and all that differs."""
    runs = []
    for line in WAYS[way]:
        runs.append(axt(*[x or f for x in line]))
        if runs[-1].rc:
            return runs, [], []
    told = ''.join(x.err for x in runs)
    lost, every = (differences(f, 'b.nc', x, way[3:]) for x in (told, ''))
    return runs, lost, every


def case(t, seed):
    r = np.random.default_rng(seed)
    classic = bool(r.random() < .3)
    make(r, 'a.nc', classic)
    if not classic and r.random() < .4:
        add_h5py(r, 'a.nc')
    for way in WAYS:
        runs, lost, _ = by(way, 'a.nc')
        if way == 'by classic' and runs[0].rc and re.search('has no groups|has one of each name', runs[0].err):
            continue  # tensors that a file of classic cannot have are an error
        # a store has numbers of JSON, where bools of HDF5 are numbers
        lost = [k for k in lost if way != 'by Zarr' or not re.search('@(yes|flags|hues)', k)]
        if lost or runs[-1].rc:
            t.ok(False, f'{seed} {way}', '\n'.join([', '.join(lost), *map(str, runs)]))


LISTS = 'ancillary_variables', 'formula_terms', 'cell_measures', 'coordinates', 'grid_mapping', 'bounds', 'climatology'


def naming(r, path):
    """A file whose variables name each other: flags, a formula's terms, areas, places, mappings, bounds."""
    d = netCDF4.Dataset(path, 'w')
    for k, n in ('time', 4), ('lev', 3), ('y', 2), ('x', 3), ('bnds', 2):
        d.createDimension(k, n)
        if k not in ('y', 'bnds'):
            d.createVariable(k, 'f8', (k,))[:] = np.arange(n) + 1.
    d['time'].units = 'days since 2000-01-01'
    tensors = {'ta': ('time', 'lev', 'y', 'x'), 'ps': ('time', 'y', 'x'), 'ta_qc': ('time', 'lev', 'y', 'x'), 'ta_n': ('time',)}
    beside = {'hyam': ('lev',), 'hybm': ('lev',), 'p0': (), 'lat': ('y', 'x'), 'lon': ('y', 'x'), 'area': ('y', 'x'),
              'crs': (), 'time_bnds': ('time', 'bnds'), 'clim': ('time', 'bnds'), 'height': ()}
    for k, dims in {**tensors, **beside}.items():
        v = d.createVariable(k, 'i4' if k == 'crs' else 'f8', dims)
        v[...] = r.random(v.shape) if k != 'crs' else 1
    give = {('ta', 'ancillary_variables'): 'ta_qc ta_n' if r.random() < .5 else 'ta_qc', ('ps', 'ancillary_variables'): 'ta_n',
            ('lev', 'formula_terms'): 'a: hyam b: hybm p0: p0 ps: ps', ('ta', 'cell_measures'): 'area: area',
            ('ta', 'coordinates'): 'lat lon height', ('ps', 'coordinates'): 'lat lon', ('ta', 'grid_mapping'): 'crs',
            ('time', 'bounds' if r.random() < .5 else 'climatology'): 'time_bnds', ('ps', 'cell_measures'): 'area: area'}
    for (k, a), text in give.items():
        if r.random() < .8:
            d[k].setncattr(a, text)
    d.close()


def dangling(path):
    with netCDF4.Dataset(path) as d:
        return [f'{k}:{a} {w}' for k, v in d.variables.items() for a in LISTS if a in v.ncattrs()
                for w in v.getncattr(a).split() if w[-1] != ':' and w not in d.variables]


def named(t, seed):
    """What attributes of an output name is in it, of one tensor and of whole files."""
    r = np.random.default_rng(seed)
    naming(r, 'n.nc')
    axis = str(r.choice(['lev', 'y', 'x', 'time']))
    lines = [['slice', f'{axis}=0'], ['slice', f'{axis}=0:2'], ['reduce', 'mean', '--over', axis], ['flip', axis], ['copy'],
             ['cast', 'f32'], ['mul', None, '2']]
    for line in lines:
        for what in 'ta', 'ps', 'ta_n', '*':
            words = [x or 'n.nc:' + what for x in line] + ([] if None in line else ['n.nc:' + what])
            run = axt(*words, '-o', 'out.nc')
            if run.rc:  # an axis that the tensor has not
                continue
            bad = dangling('out.nc')
            t.ok(not bad, f'{seed}: {" ".join(words)} names what it has', f'{bad}\n{run}')
    for line in ['order', 'x,y,lev,time', 'n.nc:ta'], ['concat', 'y', 'n.nc:ta', 'n.nc:ta'], ['copy', 'n.nc:ta', 'n.nc:ps'], ['copy', 'n.nc:ta', 'n.nc:ta_qc']:
        run = axt(*line, '-o', 'out.nc')
        bad = ['status'] if run.rc else dangling('out.nc')
        t.ok(not bad, f'{seed}: {" ".join(line)} names what it has', f'{bad}\n{run}')
    with netCDF4.Dataset('n.nc') as a, netCDF4.Dataset('out.nc') as b:  # of ta and ta_qc
        had = getattr(a['ta'], 'ancillary_variables', '').replace(' ta_n', '')
        t.ok(getattr(b['ta'], 'ancillary_variables', '') == had, f'{seed}: and what it names stays', b['ta'])
    run = axt('copy', 'n.nc', '-o', 'out.nc')
    with netCDF4.Dataset('n.nc') as a, netCDF4.Dataset('out.nc') as b:
        lost = [(k, x) for k, v in a.variables.items() for x in LISTS if x in v.ncattrs() and v.getncattr(x) != getattr(b[k], x, None)]
    t.ok(not lost, f'{seed}: a copy of the file names all', lost)


def campaign(files):
    """Of files directly, through Zarr and through netCDF classic: what differs, and no warning tells."""
    os.chdir(scratch())
    count = {}
    for f in files:
        for way in WAYS:
            runs, lost, every = by(way, f)
            how = 'untold' if lost else 'refused' if runs[-1].rc else 'told' if every else 'the same'
            count[way, how] = count.get((way, how), 0) + 1
            if how in ('untold', 'refused'):
                print(f'# {f} {way}: {how}: {", ".join(lost[:6]) or runs[-1].err.splitlines()[:1]}'
                      f'{" ..." if len(lost) > 6 else ""}')
    for (way, how), n in sorted(count.items()):
        print(f'{way}: {how}: {n} of {len(files)}')


def main():
    if sys.argv[1:] and os.path.exists(sys.argv[1]):
        campaign([os.path.abspath(x) for x in sys.argv[1:]])
        return
    cases, first = random_cases(25, 10, 5, 1)
    t = Tap()
    os.chdir(scratch())
    in_batches(t, cases, 'copies {} have what their files have', lambda k: case(t, first + k))
    for k in range(3):
        named(t, first + k)
    t.done()


main()
