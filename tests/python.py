#!/usr/bin/python3
"""The package axt of Python: its functions beside NumPy and xarray, the pipelines of README.md, arrays that are shared, memory, threads.

python.py [EVALUATIONS]
"""
import glob
import inspect
import os
import pickle
import subprocess
import sys
import threading
import time
import types
import warnings

from axtlib import BUILD, SANITIZER, SLOW, TOP, Tap, libaxt, same, scratch, shell

os.environ['AXT_LIBRARY'] = os.path.join(BUILD, 'lib', 'libaxt.so.0')
os.environ['PYTHONPATH'] = os.path.join(TOP, 'python')
sys.path.insert(0, os.environ['PYTHONPATH'])
libaxt()

import numpy as np
import xarray as xr

import axt
from axt.xarray_engine import Engine
from callables import data

EVALUATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000 if SANITIZER or SLOW else 100000
DATA = os.environ.get('AXT_DATA') or os.path.join(os.environ.get('AXT_SHARED') or os.path.join(TOP, '..', 'shared'), 'data')


def raised(what, call):
    """Whether a call raises an error of a class, whose text has some words."""
    kind, *words = what
    try:
        call()
    except kind as e:
        return all(w in str(e) for w in words) or str(e)
    except Exception as e:
        return repr(e)
    return 'nothing was raised'


# ---- functions ----

def through(function):
    """A function of the package, that takes and gives what those of callables.py do."""
    def shown(x):
        return {k: shown(v) for k, v in x.items()} if isinstance(x, dict) else x.to_xarray()

    def taken(x):
        return axt.tensor(x[1], x[0]) if isinstance(x, tuple) else x

    def call(*args, **named):
        return shown(function(*map(taken, args), **{k: taken(v) for k, v in named.items()}))
    return call


def functions(t):
    """Each line of callables.tsv that has a result, by the package."""
    made = axt._functions
    f = types.SimpleNamespace(**{n: through(g) for n, g in made.items()})
    names = data(f)
    for line in open(f'{TOP}/tests/cases/callables.tsv', encoding='utf-8').read().splitlines():
        call, _, want = line.partition('\t')
        if not call.startswith('f.') or not want or want.startswith('error'):
            continue
        try:
            got, want = eval(call, names), eval(want, names)
        except Exception as e:
            t.ok(False, call, repr(e))
            continue
        why = same(got, want, 1e-4, 1e-4, dtype=False)
        why = why or [n for n in getattr(want, 'coords', ()) if n in want.dims and not np.array_equal(got.coords.get(n), want[n])]
        t.ok(not why and getattr(got, 'dims', ()) == getattr(want, 'dims', got.dims), 'package: ' + call, why or got.dims)
    told = [n for n, g in made.items() if not g.__doc__ or not inspect.signature(g)]
    t.ok(len(made) > 150 and not told, f'{len(made)} functions have a text and a signature', told)
    t.ok(list(inspect.signature(axt.quantile).parameters)[:4] == ['a', 'q', 'method', 'weights'], 'quantile(a, q, method=..., weights=...)', inspect.signature(axt.quantile))
    same_ways = [axt.zeros(x=2, y=3).dims == axt.zeros({'x': 2, 'y': 3}).dims == axt.zeros('x=2,y=3').dims == ('x', 'y'),
                 axt.full(3, x=2).to_numpy().tolist() == axt.full(value=3, axes='x=2').to_numpy().tolist() == [3, 3],
                 axt.zeros(x=2).rename(x='y').dims == axt.zeros(x=2).rename({'x': 'y'}).dims == ('y',),
                 axt.iota(x=9).slice(x=slice(2, 5)).to_numpy().tolist() == axt.iota(x=9)['x=2:5'].to_numpy().tolist() == [2, 3, 4],
                 axt.zeros(x=2).cast(np.int16).dtype == axt.zeros(x=2, dtype='i16').dtype == 'i2']
    t.ok(all(same_ways), 'arguments by name, as dicts and as texts', same_ways)
    t.ok(axt.mean.__get__(None) is axt.mean and axt.Tensor.mean is axt.mean, 'methods are the functions')


def errors(t, file):
    x = axt.open(file + ':SST')
    for what, call in [((axt.UnknownNameError, 'no axis "time"', 'hint: did you mean "TIME"'), lambda: x.mean(over='time')),
                       ((LookupError, 'no dataset "SSTT"', 'hint: '), lambda: axt.open(file + ':SSTT')),
                       ((axt.AmbiguousError, 'several tensors', 'hint: '), lambda: axt.open(file)),
                       ((OSError, 'No such file'), lambda: axt.open('nosuch.nc')),
                       ((axt.WordError, 'no parameter "ovr"', 'hint: did you mean "over"?'), lambda: x.mean(ovr='TIME')),
                       ((AttributeError, 'no "isel"', 'slice'), lambda: x.isel(TIME=0)),
                       ((AttributeError, 'no "concatenate"', 'concat'), lambda: axt.concatenate),
                       ((TypeError, 'no option "compres"', 'compress'), lambda: x.save('x.nc', compres='zstd')),
                       ((TypeError, 'no option "rew"'), lambda: axt.open(file + ':SST', rew=True)),
                       ((ValueError, 'along'), lambda: x.sort()),
                       ((TypeError, 'bitwise_and'), lambda: x & 1),
                       ((TypeError, 'axes="y,x"'), lambda: x + np.ones((2, 3))),
                       ((TypeError, 'mean(a, /'), lambda: axt.mean()),
                       ((IndexError, '12 elements'), lambda: x[12]),
                       ((TypeError,), lambda: x + object()),
                       ((ValueError, 'device is one of'), lambda: axt.set_options(device='abacus')),
                       ((axt.Error, 'join'), lambda: axt.set_options(join='outer')),
                       ((axt.ExistsError,), lambda: x.save(file, no_clobber=True))]:
        good = raised(what, call)
        t.ok(good is True, f'{what[0].__name__}: {", ".join(what[1:])}', good)
    e = pickle.loads(pickle.dumps(axt.AxesError('message', 'a hint', 7)))
    t.ok((e.message, e.hint, e.code) == ('message', 'a hint', 7), 'errors can be sent to other processes')
    t.ok(x.mean(over='TIME').dims == ('COADSY', 'COADSX'), 'after errors a tensor is as it was')


# ---- README.md's pipelines ----

def close(t, got, want, name):
    got = got.to_numpy() if isinstance(got, axt.Tensor) else got
    why = same(got, want, 2e-5, 2e-5, dtype=False)
    t.ok(not why, name, why)


def pipelines(t, file):
    ds = xr.open_dataset(file, decode_times=False)
    sst, air = axt.open(file + ':SST'), axt.open(file + ':AIRT')
    s, a = ds.SST.astype('f8'), ds.AIRT.astype('f8')
    weight = axt.open(file + ':COADSY').radians().cos()
    w = np.cos(np.radians(ds.COADSY))
    close(t, sst.mean(to='TIME', weights=weight), s.weighted(w).mean(['COADSX', 'COADSY']), 'the mean over the sea')
    swing = sst.std(over='TIME')
    close(t, swing, s.std('TIME', skipna=True), 'the annual cycle')
    close(t, swing.mean(over='COADSX'), s.std('TIME').mean('COADSX'), 'its zonal mean')
    close(t, swing.count(), s.std('TIME').count(), 'where there is one')
    close(t, ((sst - air) ** 2).mean().sqrt(), float(np.sqrt(((s - a) ** 2).mean())), 'sea minus air')
    close(t, axt.calc('sqrt(mean((sst - air)^2))', sst=sst, air=file + ':AIRT'), float(np.sqrt(((s - a) ** 2).mean())), 'as an expression')
    u, v = axt.open(file + ':UWND'), axt.open(file + ':VWND')
    axt.hypot(u, v).order('COADSX,COADSY,TIME').set_name('speed').save('speed.nc', compress='deflate:4')
    with xr.open_dataset('speed.nc', decode_times=False) as got:
        close(t, got.speed, np.hypot(ds.UWND, ds.VWND).transpose('COADSX', 'COADSY', 'TIME'), 'wind speed, saved')
        t.ok(got.speed.encoding['zlib'] and got.speed.encoding['complevel'] == 4, 'and compressed')
    zonal = (sst - sst.mean(over='TIME')).mean(over='COADSX').fillnan(0)
    z = (s - s.mean('TIME')).mean('COADSX').fillna(0)
    close(t, axt.dot(zonal, zonal.rename({'COADSY': 'OTHER'}), over='TIME') / 12, z.values.T @ z.values / 12, 'covariance')
    close(t, zonal @ zonal.rename('COADSY=OTHER'), z.values.T @ z.values, 'covariance by @')
    close(t, sst['COADSY@-30:30'].mean(over='COADSX,TIME').window('COADSY=w:10:10').mean(over='w'),
          s.sel(COADSY=slice(-30, 30)).mean(['TIME', 'COADSX']).coarsen(COADSY=10).mean(), 'bands of ten latitudes')
    seasons = sst.mean(over='TIME', by='TIME.season')
    k = np.array([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0])
    of = xr.concat([s[k == i].mean('TIME') for i in range(4)], 'season')
    close(t, seasons.mean(to='season'), of.mean(['COADSY', 'COADSX']), 'means of seasons')
    t.ok(list(seasons.coords['season']) == ['DJF', 'MAM', 'JJA', 'SON'], 'and their names')
    close(t, (sst - seasons).std(), float((s - of[k].rename(season='TIME').assign_coords(TIME=s.TIME)).std()), 'deviation from the season')


def climatology():
    """The climatology of README.md, or one made up."""
    real = shell("dpkg -L ferret-datasets | grep '/coads_climatology.cdf$'").stdout.decode().strip()
    if real:
        return real
    r, at = np.random.default_rng(3), ('TIME', 'COADSY', 'COADSX')
    shape = 12, 90, 180
    field = {n: (at, np.where(r.uniform(size=shape) < .3, np.nan, r.normal(15, 8, shape)).astype('f4')) for n in ('SST', 'AIRT', 'UWND', 'VWND')}
    xr.Dataset(field, {'TIME': ('TIME', np.arange(12) * 730.485 + 366, {'units': 'hour since 0000-01-01 00:00:00'}),
                       'COADSY': ('COADSY', np.arange(-89., 90, 2), {'units': 'degrees_north'}),
                       'COADSX': ('COADSX', np.arange(21., 380, 2), {'units': 'degrees_east'})}).to_netcdf('climatology.nc')
    return 'climatology.nc'


# ---- what tensors are ----

def tensors(t, file):
    x = axt.open(file + ':SST')
    v = x.to_numpy()
    for key in [0, -1, slice(2, 5), (0, slice(None, None, -2)), (Ellipsis, 3), (slice(1, 9, 3), Ellipsis, [5, 1]), (0, 1, 2),
                np.arange(12) % 2 == 0, (slice(3, 3),), (slice(None), np.array([], int))]:
        why = same(x[key].to_numpy(), v[key])
        t.ok(not why, f'x[{key}]', why)
    t.ok(len(x) == 12 and len([y for y in x]) == 12 and np.array_equal(float(x[0, 45, 80]), v[0, 45, 80], equal_nan=True),
         'a tensor has a length, and goes through a loop')
    for name, got, want in [('2 - x', 2 - x, 2 - v), ('x / 2', x / 2, v / 2), ('-x', -x, -v), ('abs(x)', abs(x), abs(v)), ('x > 10', x > 10, v > 10),
                            ('numpy.float64(2) * x', np.float64(2) * x, 2 * v), ('x ** 2 % 7', x ** 2 % 7, v ** 2 % 7), ('~(x > 10)', ~(x > 10), ~(v > 10)),
                            ('(x > 9) & (x < 20)', (x > 9) & (x < 20), (v > 9) & (v < 20)), ('x // 2', x // 2, v // 2), ('x == x', x == x, v == v)]:
        why = same(got.to_numpy(), want, 1e-6, 1e-6, dtype=False)
        t.ok(not why, name, why)
    text = repr(x)
    t.ok('<axt.Tensor SST f32 TIME=12 COADSY=90 COADSX=180>' in text and '-89 ... 89' in text, 'repr', text)
    page = x.set_name('a<b').set_attrs({'why': '<script>'})._repr_html_()
    t.ok('<td>COADSY</td><td>90</td>' in page and '<script>' not in page and 'a&lt;b' in page, '_repr_html_', page)
    y = pickle.loads(pickle.dumps(x - x.mean(over='TIME')))
    t.ok(not same(y.to_numpy(), (x - x.mean(over='TIME')).to_numpy()), 'an expression can be sent to another process')
    r = axt.random('x=5')
    t.ok(np.array_equal(r.to_numpy(), pickle.loads(pickle.dumps(r)).to_numpy()), 'random numbers stay the same')
    t.ok('pass 1 of' in (x + 1).explain(), 'explain')
    (x * 2).save('twice.nc:twice')
    t.ok(not same(axt.open('twice.nc:twice').to_numpy(), v * 2), 'save FILE:DATASET')
    axt.save('two.h5', (x * 3).set_name('a'), x.max(over='TIME').set_name('b'))
    t.ok(list(axt.datasets('two.h5'))[:2] == ['a', 'b'], 'two tensors in a file', axt.datasets('two.h5'))
    several = axt.calc('lo = min(x, over=TIME), hi = max(x, over=TIME)', x=x)
    t.ok(list(several) == ['lo', 'hi'] and not same(several['hi'].to_numpy(), x.max(over='TIME').to_numpy()), 'several results of an expression')
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        axt.calc('a', a=x, b=x)
    t.ok([w.category for w in said] == [axt.AxtWarning], 'warnings are those of Python', said)
    before = axt.set_options(threads=1, join='override')
    z = axt.tensor(np.ones(3), 'i', {'i': [1, 2, 3]}) + axt.tensor(np.ones(3), 'i', {'i': [1, 2, 4]})
    axt.set_options(**before)
    t.ok(z.to_numpy().tolist() == [2, 2, 2] and raised((axt.CoordinatesError,), lambda: z + axt.tensor(np.ones(3), 'i', {'i': [7, 8, 9]})) is True,
         'a tensor is computed by the options it was made with')
    u = x.set_attrs({'n': np.int16(3), 'many': np.arange(3.), 'words': ['a', 'b'], 'long_name': None}).set_coords({'TIME': None})
    t.ok(u.attrs['n'] == 3 and u.attrs['n'].dtype == 'i2' and u.attrs['many'].tolist() == [0, 1, 2] and u.attrs['words'] == ['a', 'b']
         and 'long_name' not in u.attrs and 'TIME' not in u.coords, 'attributes and coordinates are set', u.attrs)


# ---- arrays ----

class Interface:
    """Lends an array's memory by __array_interface__."""

    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


class Capsule:
    """Lends an array's memory by DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def arrays(t):
    """Values that change after the tensor was made are seen by it: they were not copied. Addresses are the same."""
    base = np.arange(24, dtype='f4').reshape(4, 6)
    ways = {'NumPy': base, 'a buffer': memoryview(base), 'a transposed view': base.T, 'every other column, backward': base[:, ::-2],
            '__array_interface__': Interface(base), 'DLPack': Capsule(base),
            'xarray': xr.DataArray(base, dims=['y', 'x'])}
    for name, x in ways.items():
        made = axt.tensor(x) if name == 'xarray' else axt.tensor(x, 'y,x')
        seen = np.asarray(getattr(x, 'array', x))
        base += 1
        leaf = made._recipe
        while leaf.inputs:
            leaf = leaf.inputs[0][0]
        t.ok(leaf.data[0].ctypes.data == seen.ctypes.data and not same((made * 2).to_numpy(), seen * 2), f'{name}: no copy')
    foreign = base.astype('>f8')
    t.ok(not same(axt.tensor(foreign, ['y', 'x']).to_numpy(), base.astype('f8')), 'foreign byte order is copied')
    for kind in ['?', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16']:
        x = (np.arange(6) % 2).astype(kind)
        got = axt.tensor(x, 'i')
        t.ok(got.dtype == x.dtype and not same(got.flip('i').to_numpy(), x[::-1]), f'{x.dtype} in and out', got.dtype)
    t.ok(axt.tensor(np.float64(3)).shape == () and float(axt.tensor(np.array(3.5))) == 3.5, 'an array without axes')
    t.ok(axt.tensor(np.ones((0, 3)), 'a,b').to_numpy().shape == (0, 3), 'an array without elements')
    t.ok(np.from_dlpack(axt.tensor(base, 'y,x') + 1).tolist() == (base + 1).tolist(), 'values go out by DLPack')
    t.ok(np.asarray(axt.tensor(base, 'y,x'), 'f8').dtype == 'f8', 'values go out by __array__')
    t.ok(raised((TypeError, 'no tensors of'), lambda: axt.tensor(np.array(['a']), 'x')) is True, 'text is refused')
    t.ok(not same(axt.tensor(base, 'y,x').cast('bf16').to_numpy(), base), 'bfloat16 comes out as float32')


# ---- xarray ----

def with_xarray(t):
    times = np.array(['2001-01-01', '2001-01-02T06', '2001-01-03'], 'M8[ns]')
    a = xr.DataArray(np.array([[1., np.nan], [3, 4], [5, 6]]), {'time': times, 'name': ['a', 'b'], 'k': 3}, ['time', 'name'], 'v', {'units': 'K'})
    x = axt.tensor(a)
    back = x.to_xarray()
    t.ok(back.identical(a.drop_vars('k')), 'dates, text, attributes and missing values come back', back)
    t.ok(not same(x.mean(over='name').to_xarray().values, a.mean('name').values), 'NaN of xarray is a missing value')
    t.ok(not same(x.mean(over='time', by='time.dayofyear').to_numpy(), a.values), 'dates are dates to operations')
    days = xr.DataArray(times, dims='i')
    t.ok(axt.tensor(times, 'i').to_xarray().equals(days) and axt.tensor(np.ones(3), 't', {'t': times}).to_xarray().t.dtype == 'M8[ns]', 'dates of NumPy')
    t.ok(axt.tensor(days).to_xarray().equals(days), 'dates as values')
    c = xr.DataArray(np.arange(4), {'time': xr.cftime_range('2001-02-28', periods=4, calendar='360_day')}, ['time'])
    t.ok(axt.tensor(c).to_xarray().equals(c), 'another calendar', axt.tensor(c).to_xarray())
    t.ok((axt.tensor(c) + c).to_numpy().tolist() == [0, 2, 4, 6], 'a DataArray is an operand')
    t.ok(raised((TypeError, 'ds["v"]'), lambda: axt.tensor(a.to_dataset())) is True, 'a Dataset is none')
    ds = xr.Dataset({'v': a.astype('f4'), 'n': ('x', np.arange(5, dtype='i2')), 'lat': (('time', 'x'), np.ones((3, 5))),
                     'word': ('x', list('abcde'))}, attrs={'title': 'a file'}).set_coords('lat')
    ds['w'] = ('time', 'x'), np.arange(15.).reshape(3, 5), {'units': 'm'}
    ds.v.encoding.update(dtype='i2', scale_factor=.5, _FillValue=-9)
    ds.to_netcdf('e.nc')
    with xr.open_dataset('e.nc') as want, xr.open_dataset('e.nc', engine=Engine) as got:
        t.ok(got.identical(want), 'open_dataset gives what another engine does', f'{got}\n{want}')
        w = axt.open('e.nc:w')
        for key in [(), 0, (slice(2), 3)]:
            t.ok(w[key].to_xarray().identical(want.w[key]), f'to_xarray of [{key}], with coordinates that are no axes', w[key].to_xarray())
        lazy = got.lat.variable._data
        t.ok(not isinstance(lazy, np.ndarray), 'and reads later', type(lazy))
        points = {'time': xr.DataArray([0, 2], dims='p'), 'x': xr.DataArray([1, 4], dims='p')}
        for key in [{'time': 1}, {'x': slice(None, None, -2)}, {'time': [2, 0], 'x': [1, 3]}, points]:
            t.ok(got.lat.isel(key).identical(want.lat.isel(key)), f'isel({key})')
        t.ok(pickle.loads(pickle.dumps(got)).identical(want), 'what is open can be sent to another process')
    ds.to_netcdf('g.nc', group='/a/b')
    with xr.open_dataset('g.nc', group='/a/b') as want, xr.open_dataset('g.nc', group='/a/b', engine=Engine) as got:
        t.ok(got.identical(want), 'a group of a file')
    with xr.open_dataset('e.nc', engine=Engine, drop_variables=['v'], decode_times=False) as got:
        t.ok('v' not in got and got.time.dtype.kind in 'if', 'open_dataset has the usual options')
    files = sorted(glob.glob(f'{DATA}/*.nc') + glob.glob(f'{DATA}/own/*.nc'))
    if not files:
        t.skip('real files', 'no directory of test data (AXT_DATA)')
    for file in files:
        real(t, file)


def is_hdf5(file):
    with open(file, 'rb') as f:
        return f.read(8) == b'\x89HDF\r\n\x1a\n'


def real(t, file):
    name = os.path.basename(file)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            # netCDF's own library of Debian 13 may end the process at a dataset of f16
            want = xr.open_dataset(file, engine='h5netcdf' if is_hdf5(file) else 'netcdf4')
        except Exception as e:
            return t.skip(name, f'xarray: {e!r}'[:80])
        got = xr.open_dataset(file, engine=Engine)
        # characters that are no ASCII are nobody's text, and axt has no names for two equal axes
        numbers = [v for v in want.variables if want[v].dtype.kind not in 'SU' and len(set(want[v].dims)) == want[v].ndim]
        lacking = [v for v in numbers if v not in got.variables and want[v].dtype.kind != 'i']
        differ = [v for v in numbers if v in got.variables and not got[v].variable.equals(want[v].variable)]
        coords = [v for v in numbers if v in got.variables and set(got[v].coords) != set(want[v].coords)]
        t.ok(not lacking + differ + coords, f'{name}: open_dataset', (lacking, differ, coords))
        wrong = []
        for v in numbers:
            try:
                a = axt.open(f'{file}:{v}').to_xarray()
            except axt.Error:
                continue
            wrong += [v] if a.dims != want[v].dims else []
            for d in a.coords:
                if d in a.dims and not (a[d].variable.equals(want[d].variable) or a[d].dtype.kind == 'f' and np.allclose(a[d], want[d], 1e-5)):
                    wrong.append((v, d))
        t.ok(not wrong, f'{name}: to_xarray has the coordinates of axes', wrong)


# ---- what it costs ----

def memory_of():
    with open('/proc/self/statm') as f:
        return int(f.read().split()[1]) * os.sysconf('SC_PAGESIZE') / 2 ** 20


def costs(t, file):
    env = dict(os.environ, PYTHONPYCACHEPREFIX=scratch(), PYTHONDONTWRITEBYTECODE='')
    line = 'import time, numpy; t = time.process_time(); import axt; print(time.process_time() - t)'
    took = min(float(subprocess.run([sys.executable, '-c', line], env=env, capture_output=True, check=True).stdout) for _ in range(6))
    t.ok(took < .04 or SANITIZER, f'import axt takes {took * 1000:.1f} ms beside NumPy, less than 40')
    x, y = axt.open(file + ':SST')[0, :4, :5], axt.tensor(np.arange(20.).reshape(4, 5), 'COADSY,COADSX')
    sizes = []
    for i in range(EVALUATIONS):
        ((x + i) * y).max().to_numpy()
        if i % (EVALUATIONS // 10) == EVALUATIONS // 10 - 1:
            sizes.append(memory_of())
    t.ok(sizes[-1] - sizes[3] < 4 or EVALUATIONS < 100000, f'memory stays flat over {EVALUATIONS} evaluations', sizes)
    before = memory_of()
    for i in range(300):
        (axt.tensor(np.full((500, 500), float(i)), 'y,x') + x.mean()).max().item()
    t.ok(memory_of() - before < 128 or SANITIZER, 'arrays go when their tensors do', memory_of() - before)
    z = y
    for i in range(3000):
        z = 1 - z
    t.ok(not same(z.to_numpy(), y.to_numpy(), 1e-12), 'an expression of 3000 operations')


def threads(t, file):
    x = axt.open(file + ':SST')
    want, got = (x - x.mean(over='TIME')).std().item(), []

    def work():
        for _ in range(20):
            got.append((x - x.mean(over='TIME')).std().item())
    several = [threading.Thread(target=work) for _ in range(4)]
    for s in several:
        s.start()
    for s in several:
        s.join()
    t.ok(got == [want] * 80, 'four threads use one tensor', set(got))
    big, turns, running = axt.normal('a=300,b=300,c=300').sort(along='a').std(), 0, threading.Thread(target=lambda: got.append(big.item()))
    running.start()
    while running.is_alive():
        time.sleep(.001)
        turns += 1
    t.ok(turns > 5, f'other threads go on during a run: {turns} turns')


def main():
    t = Tap()
    os.chdir(scratch())
    file = climatology()
    with warnings.catch_warnings():
        # the climatology is in a year that xarray has no dates for
        warnings.simplefilter('ignore')
        functions(t)
    errors(t, file)
    pipelines(t, file)
    tensors(t, file)
    arrays(t)
    with_xarray(t)
    costs(t, file)
    threads(t, file)
    t.done()


main()
