"""Two builds of axt do the same: same_bytes.py BEFORE [AFTER [WORD]], directories of builds (AFTER is AXT_BUILD unless told).

More than a thousand lines of the shell over all commands, their options and the functions of axt-calc run with both, in a
directory of the same name that has the same inputs. Compared are the status, the bytes of every file that there is afterwards,
standard output among them, and standard error. Wrong lines come last. WORD: only the lines that have it; -v shows all lines.

Tables hold what follows a command. Which commands, options and functions there are is asked of BEFORE, by -h, and what no line with
status 0 has is told.
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import threading

import h5py
import numpy as np

from axtlib import BUILD, Named, put_h5, scratch

# ---- inputs: a file of each kind, all of them small ----

DAYS = 'days since 2001-01-01'


def tensors(path, coords, attrs, rows):
    """rows: (name, axes, values, attributes[, what create_dataset takes]); attrs: those of coordinates."""
    with h5py.File(path, 'w', track_order=True) as f:
        for name, axes, a, own, *storage in rows:
            put_h5(f, Named(axes, a, {x: coords[x] for x in axes if x in coords}), name, own, **(storage[0] if storage else {}))
        for x, own in attrs.items():
            f[x].attrs.update(own)


def inputs():
    r = np.random.default_rng(11)
    time, lat, lon = np.arange(24) * 20 + .5, np.linspace(-75, 75, 6), np.arange(0, 360, 45.)
    axes, grid = ('time', 'lat', 'lon'), ('lat', 'lon')
    coords = {'time': time, 'lat': lat, 'lon': lon}
    cf = {'time': {'units': DAYS, 'calendar': 'standard'}, 'lat': {'units': 'degrees_north', 'standard_name': 'latitude'},
          'lon': {'units': 'degrees_east', 'standard_name': 'longitude'}}
    field = lambda *n: r.normal(280, 5, n).astype('f4')
    holes = lambda a, v: np.where(r.random(a.shape) < .15, v, a).astype(a.dtype)
    label = np.array(['', 'Oslo', 'Rome', 'Oslo', 'Bern', 'Rome'], dtype=h5py.string_dtype())
    fill = {'_FillValue': np.float32(-999), 'units': 'K', 'long_name': 'temperature'}
    full = [('tas', axes, holes(field(24, 6, 8), -999), fill), ('pr', axes, holes(field(24, 6, 8) - 280, np.nan), {'units': 'mm'}),
            ('clean', axes, field(24, 6, 8), {'units': 'K'}, {'chunks': (5, 3, 8), 'compression': 'gzip'}),
            ('packed', axes, holes(r.integers(-99, 99, (24, 6, 8)).astype('i2'), -32768),
             {'scale_factor': .5, 'add_offset': 10., '_FillValue': np.int16(-32768), 'units': 'm'}),
            ('orog', grid, field(6, 8), {'units': 'K'}), ('basin', grid, r.integers(1, 4, (6, 8)).astype('i1'), {}),
            ('wet', ('lat',), np.array([1, 0, 1, 1, 0, 1], bool), {}), ('site', ('lat',), label, {}),
            ('index', ('time',), r.integers(0, 6, 24), {}), ('series', ('time',), np.sin(time), {}),
            ('cell', grid, np.abs(field(6, 8)), {'units': 'm2'})]
    tensors('a.nc', coords, cf, full)
    with h5py.File('a.nc', 'a') as f:
        f['tas'].attrs.update({'cell_measures': 'area: cell', 'cell_methods': 'time: mean'})
        f['lat'].attrs['bounds'] = 'lat_bnds'
        put_h5(f, Named(('lat', 'bnds'), np.stack([lat - 15, lat + 15], 1)), 'lat_bnds')
    tensors('b.nc', coords, dict(cf, time={'units': 'hours since 2001-01-01'}),
            [('tas', axes, field(24, 6, 8), {'units': 'degC'}), ('w', ('lat',), np.arange(1, 7.), {})])
    with h5py.File('b.nc', 'a') as f:
        f['time'][...] *= 24
    tensors('grid.nc', {'lat': [-60., 0, 60], 'lon': [0., 90, 180, 270]}, {x: cf[x] for x in grid}, [('grid', grid, np.zeros((3, 4)), {})])
    near = {'time': time[[3, 1, 8]], 'lat': [-75., 15, 45], 'lon': [90., 0, 10]}
    tensors('like.nc', near, cf, [('like', axes, np.zeros((3, 3, 3), 'i2'), {'scale_factor': .25, '_FillValue': np.int16(-1)})])
    tensors('one.nc', coords, cf, [full[0]])
    tensors('more.nc', dict(coords, time=time + 480), cf, full[:2])
    with h5py.File('grow.nc', 'w', track_order=True) as f:
        f.create_dataset('time', data=time, maxshape=(None,), chunks=(8,)).make_scale('time')
        put_h5(f, Named(axes, field(24, 6, 8), coords), 'tas', fill, maxshape=(None, 6, 8), chunks=(4, 6, 8))
        f['time'].attrs.update(cf['time'])
    kinds = [f'{k}{n}' for n in (1, 2, 4, 8) for k in 'iu'] + ['f2', 'f4', 'f8', 'c8', 'c16']
    whole = r.integers(1, 9, (3, 4))
    tensors('i.nc', {}, {}, [(k, ('y', 'x'), whole.astype(k) if k[0] != 'c' else whole + 1j * whole.T.reshape(3, 4), {}, {'dtype': k})
                             for k in kinds] + [('flag', ('y', 'x'), whole > 4, {}), ('unit', ('y', 'x'), r.random((3, 4)), {})])
    g = r.normal(size=(2, 4, 3))
    square = r.normal(size=(3, 3))
    tensors('m.nc', {}, {}, [('sq', ('r', 'r*'), square, {}), ('spd', ('r', 'r*'), square @ square.T + np.eye(3), {}),
                             ('f', ('r', 'r*'), (square + 4 * np.eye(3)).astype('f4'), {}), ('z', ('r', 'r*'), square + 1j * square.T, {}),
                             ('many', ('b', 'i', 'j'), g, {}), ('ij', ('i', 'j'), g[0], {}), ('rk', ('r', 'k'), g[1, :3, :2], {}),
                             ('jk', ('j', 'k'), g[0, :3, :2], {}), ('ik', ('i', 'k'), g[1, :, :2], {}), ('i1', ('i',), g[0, :, 0], {}),
                             ('one', ('i', 'u', 'j'), g[0][:, None], {}), ('cube', ('b', 'c', 'd'), g[:, :3], {})])
    tensors('one.h5', {}, {}, [('v', ('y', 'x'), r.normal(size=(3, 4)), {})])
    tensors('idx.nc', {}, {}, [('at', ('s',), np.array([3, 0, 5]), {}), ('neg', ('s',), np.array([2, -1, 1]), {}),
                               ('lats', ('s',), np.array([-75., 15, 45]), {'units': 'degrees_north'}),
                               ('lons', ('s',), np.array([10., 200, 359]), {'units': 'degrees_east'})])
    tensors('st.nc', {}, {}, [('lat', ('s',), np.array([-70., 14, 90]), {'units': 'degrees_north'}),
                              ('lon', ('s',), np.array([10., 200, 359]), {'units': 'degrees_east'})])
    y, x = np.mgrid[0:5, 0:6]
    tensors('c.nc', {}, {}, [('sst', ('y', 'x'), field(5, 6), {'coordinates': 'lat lon', '_FillValue': np.float32(-999)}),
                             ('lat', ('y', 'x'), 40. + 5 * y + x, {'units': 'degrees_north'}),
                             ('lon', ('y', 'x'), 350. - y + 5 * x, {'units': 'degrees_east'})])
    with h5py.File('c.nc', 'a') as f:
        for k, dy, dx in (('lat', .5, 0), ('lon', 0, .5)):
            f[k].attrs['bounds'] = k + '_v'
            put_h5(f, Named(('y', 'x', 'v'), f[k][:][..., None] + np.array([-dy - dx, dx - dy, dx + dy, dy - dx])), k + '_v')
    with h5py.File('g.nc', 'w', track_order=True) as f:
        for k in ('model1', 'model2'):
            put_h5(f.create_group(k), Named(('y', 'x'), field(3, 4), {'x': np.arange(4.)}), 'tas', {'units': 'K'})
    np.save('w.npy', r.normal(size=(3, 4)))
    for name, content in {'s.csv': 'date,tmax,tmin\n2001-01-31,3.5,-1\n2001-02-01,4.5,\n', 'n.csv': '1 2 3\n4 5.5 6\n',
                          'words.txt': 'sea\nice\nbare ground\nlake\nland\nwood\n'}.items():
        with open(name, 'w', encoding='utf-8') as f:
            f.write(content)
    r.normal(size=12).astype('>f4').tofile('r.bin')


# ---- lines ----

def spread(text):
    """The lines of rows 'COMMAND: WORDS ;; WORDS'."""
    return [f'{c} {x.strip()}'.strip() for c, _, rests in (row.partition(':') for row in text.split('\n')) for x in rests.split(';;')]


# What follows the name of an elementwise operation of two tensors, and of one.
PAIRS = ['i.nc:i4 i.nc:i2 -o out.nc', 'a.nc:tas a.nc:orog -o out.nc', 'i.nc:flag i.nc:flag -o out.nc', 'a.nc:tas 3 -o out.nc', 'i.nc:u8 i.nc:f2 -p',
         '- i.nc:u1 < <(axt-copy i.nc:u2)', 'i.nc:c8 i.nc:c16 -o out.nc']
SINGLES = ['i.nc:unit -o out.nc', 'i.nc:i2 -o out.nc', 'i.nc:c8 --dtype c128', 'a.nc:tas --fill -9 -o out.nc', 'i.nc:flag -p']
# What follows the name of a command of one tensor, mostly; the last word is the operand.
UNARY = {
    'area': ['a.nc:tas', 'a.nc:orog', 'c.nc:sst'],
    'bfill': ['--along time a.nc:tas', '--along lat --limit 1 a.nc:pr', '--along lon a.nc:packed'],
    'ffill': ['--along time a.nc:tas', '--along lat --limit 2 a.nc:pr', '--along x i.nc:i4'],
    'broadcast': ['time=24,lat,lon a.nc:orog', 'e=3,lat,lon a.nc:orog', '--like a.nc:tas a.nc:series'],
    'cast': ['--dtype f64 a.nc:tas', '--dtype i32 a.nc:orog', '--dtype i8 --overflow wrap a.nc:clean', '--to p,q i.nc:i2', '--to p,q=4 one.h5',
             '--dtype u8 --overflow saturate a.nc:pr', '--dtype i8 --overflow error i.nc:f4', '--pack i16 a.nc:tas', '--pack u8:0.5:200 a.nc:clean',
             '--pack i32:0.01:0 a.nc:pr', '--like a.nc:packed a.nc:series', '--like like.nc i.nc:u2', '--dtype c64 i.nc:f8', '--dtype bool i.nc:i4',
             '--dtype f32 --all i.nc:u1,i8', '--pack i16 --all i.nc:*', '--dtype f16 a.nc:clean', '--dtype bf16 a.nc:clean', '--to y,y* i.nc:f8',
             '--pack i16:1:280 --overflow saturate a.nc:clean'],
    'cholesky': ['m.nc:spd', '--row r --col "r*" m.nc:spd', '--dtype f64 m.nc:spd'],
    'clip': ['270 285 a.nc:tas', '2 4 i.nc:i2', '0 1 one.h5', 'a.nc:orog 290 a.nc:clean', '270 a.nc:orog a.nc:packed'],
    'cond': ['m.nc:sq', '--row i --col j m.nc:many', 'm.nc:z'],
    'convert': ['--to degC a.nc:tas', '--to degF b.nc:tas', "--to 'hours since 2000-01-01' --coord time a.nc:tas", '--to km a.nc:packed'],
    'coord': ['set lat=1:2 a.nc:tas', 'set x=5,6,7,9 y=0:0.5 one.h5', 'drop lat a.nc:tas', 'drop lat,lon a.nc:orog', 'set lat=b.nc:w a.nc:orog',
              'set lat=words.txt a.nc:orog', 'set time=0:1 a.nc:series', 'set y=idx.nc:at one.h5', 'set s=a,b,c idx.nc:at'],
    'det': ['m.nc:sq', 'm.nc:z', '--row y --col x one.h5', '--row r --col "r*" m.nc:f'],
    'diff': ['--along time a.nc:tas', '--along lat --order 2 a.nc:pr', '--along x i.nc:u1'],
    'eig': ['m.nc:sq', '--mode k m.nc:z', '--row r --col "r*" m.nc:f'],
    'eigh': ['m.nc:spd', '--mode k m.nc:spd', '--row r --col "r*" m.nc:spd'],
    'eof': ['--over time a.nc:clean', '--over time --modes 3 --rotate varimax a.nc:clean', '--over time --weights area a.nc:clean',
            '--over time --against b.nc:tas --against-weights a.nc:cell --weights area a.nc:clean', '--over time --standardize --center a.nc:clean',
            '--over time --no-center --ddof 0 --missing 90 a.nc:tas', '--over time --keep lat --mode m --modes 2 a.nc:clean'],
    'expand': ['e a.nc:orog', 'e=3,f --at 1 a.nc:orog', 'e --at -1 i.nc:flag'],
    'expm': ['m.nc:sq', '--row r --col "r*" m.nc:z'],
    'fft': ['--along time a.nc:clean', '--along x --inverse i.nc:c8', '--along lat,lon --norm ortho a.nc:orog', '--along time --real a.nc:series',
            '--along x --real --inverse --length 7 i.nc:c16', '--along time --center --spacing 0.5 a.nc:series', '--along x --norm forward one.h5',
            '--along x --norm backward one.h5'],
    'fillnan': ['a.nc:tas 0', 'a.nc:pr a.nc:orog', '--along time a.nc:tas', '--along lat --method nearest --limit 1 a.nc:pr', 'i.nc:i4 1',
                '--along time --method linear --max-gap 2 a.nc:tas', 'a.nc:packed 5'],
    'flatten': ['lat,lon a.nc:tas', 'lat,lon=cell a.nc:orog', 'x,y=p i.nc:u4'],
    'flip': ['lat a.nc:tas', 'time,lon a.nc:pr', 'x i.nc:c8'],
    'gradient': ['--along time a.nc:tas', '--along lat a.nc:orog', '--along x i.nc:i4'],
    'hist': ['--bins 5 a.nc:tas', '--bins 4 --range 270,290 --over time a.nc:tas', '--bins 4 --to lat a.nc:pr', '--bins 3 --density a.nc:clean',
             '--bins 3,4 a.nc:clean b.nc:tas --units ignore', '--bins 3 --range 270,290,0,9 --over lat,lon a.nc:tas a.nc:pr', '--bins 3 i.nc:i8',
             '--bins 3 --weights a.nc:orog a.nc:clean', '--bins 2 --density --to time a.nc:tas a.nc:orog', '--bins 3 a.nc:tas,pr',
             '--bins 3 --range 0,9 --to bin,y i.nc:u2', '--bins 4 --weights b.nc:w a.nc:clean a.nc:tas', "--bins 2 --to '' a.nc:tas"],
    'interp': ['lat=0:30:10 a.nc:tas', 'lat=10 lon=5,350 a.nc:orog', 'lat,lon=like.nc a.nc:clean', '--method nearest time=2001-02-01 a.nc:tas',
               '--method conservative lat,lon=grid.nc a.nc:clean', '--extrapolate lat=85,89 a.nc:orog', 'lat=idx.nc:lats lon=idx.nc:lons a.nc:tas',
               '--points b.nc:w lat=1.5,3 a.nc:clean', 'time=2001-02-01:2001-03-01:5days --method linear a.nc:series'],
    'inv': ['m.nc:sq', 'm.nc:z', '--row r --col "r*" m.nc:f'],
    'lstsq': ['--row i --col j m.nc:ij m.nc:i1', '--row i --col j --rcond 0.1 --mode q m.nc:many m.nc:ik'],
    'lu': ['m.nc:sq', '--row c --col d m.nc:cube', '--mode k m.nc:z'],
    'matrix-norm': ['m.nc:sq'] + [f'--ord {n} --row i --col j m.nc:many' for n in ('fro', 'nuc', '2', '-2', '1', 'inf')],
    'matrix-power': ['--power 3 m.nc:sq', '--power -1 m.nc:z', '--power 0 --row r --col "r*" m.nc:f'],
    'matrix-rank': ['m.nc:sq', '--row i --col j --rcond 0.5 m.nc:many'],
    'onehot': ['c=9 i.nc:i4', 'c=10 a.nc:index', 'k=4 a.nc:basin'],
    'order': ['lon,lat,time a.nc:tas', '--like i.nc:u1 one.h5', 'x,y i.nc:c16'],
    'pad': ['lat=1,2 a.nc:orog', 'x=1,0 y=2,2 --value 7 i.nc:i4'] + [f'lon=2,1 --mode {m} a.nc:tas' for m in ('constant', 'edge', 'reflect', 'symmetric', 'wrap')],
    'pinv': ['--row i --col j m.nc:many', '--rcond 0.1 m.nc:sq'],
    'qr': ['m.nc:sq', '--row i --col j --mode k m.nc:many', 'm.nc:z'],
    'rank': ['--along time a.nc:tas'] + [f'--along x --method {m} i.nc:i4' for m in ('average', 'min', 'max', 'dense', 'ordinal')],
    'rename': ['lat=y a.nc:tas', 'x=y,y=x one.h5', 'r=s m.nc:rk'],
    'reshape': ['p=12 one.h5', 'p=2,q=6 one.h5', '--rank 1 a.nc:tas', '--rank 4 one.h5', 'p=2,q=6 --order F i.nc:i2', 'p=3,q --order C one.h5'],
    'scan': [f'{op} --along time a.nc:{t}' for op in ('sum', 'prod', 'min', 'max') for t in ('clean', 'tas')]
    + ['linear:0.5 --along time a.nc:pr', 'linear:b.nc:w --along lat a.nc:clean', 'sum --along time --by time.month a.nc:clean', 'sum --along x i.nc:c8',
       'max --along time --by time.year --reverse a.nc:tas', 'sum --along x --reverse i.nc:u1', 'linear:-0.25 --along time --reverse a.nc:clean',
       'sum --along lat --by a.nc:site a.nc:orog', 'prod --along x i.nc:i2'],
    'shift': ['lat=1 a.nc:tas', 'lon=-2 time=3 --fixed a.nc:pr', 'x=1 i.nc:flag'],
    'slice': ['time=0 a.nc:tas', 'time=0:10:2 lat=::-1 a.nc:tas', 'lon=0,3,3,-1 a.nc:pr', 'lat=1:3,5 a.nc:orog', 'lat@15 a.nc:tas', 'lat@-50:50 lon@-50:50 a.nc:tas',
              'lat@10 --nearest a.nc:tas', '--like like.nc a.nc:tas', 'time@2001-02 a.nc:tas', 'time.month@12:2 a.nc:pr', 'time.season@JJA a.nc:pr',
              'lat=a.nc:wet a.nc:tas', 'lat@a.nc:wet a.nc:orog', 'lat=idx.nc:at a.nc:packed', 'lat@idx.nc:lats a.nc:orog', 'site@Oslo a.nc:orog',
              'lat@45:52 lon@-8:5 c.nc:sst', 'lat@46 lon@0 --nearest c.nc:sst', 'time=5:2 a.nc:pr', 'time@2001-01-21/2001-04-01 a.nc:series', 'x=1 y=-1 i.nc:c16'],
    'slogdet': ['m.nc:sq', 'm.nc:z', '--row r --col "r*" m.nc:f'],
    'softmax': ['--along lat a.nc:orog', '--along x,y i.nc:f4'],
    'solve': ['m.nc:sq m.nc:rk', 'm.nc:spd m.nc:rk --row r --col "r*"', 'm.nc:z m.nc:rk'],
    'sort': ['--along time a.nc:tas', '--along x --descending i.nc:u4', '--along lat --index a.nc:pr'],
    'squeeze': ['m.nc:one', '--over u m.nc:one'],
    'svd': ['m.nc:sq', '--row i --col j --mode k m.nc:many', 'm.nc:z'],
    'take': ['lat=idx.nc:at a.nc:tas', 'lat=idx.nc:neg a.nc:tas', 'lat=0,-1,2 a.nc:orog', 'lat@15,-75 a.nc:tas', 'lat@idx.nc:lats a.nc:pr', 'lat=a.nc:wet a.nc:tas',
             'lat,lon@st.nc --nearest a.nc:tas', 'lat,lon@st.nc --nearest c.nc:sst', '--like like.nc --nearest a.nc:clean', '--like like.nc --fill -5 a.nc:tas',
             'lat=a.nc:index a.nc:clean', 'lat@20,30 --nearest a.nc:orog', 'time.month@3 a.nc:tas', 'lat=a.nc:basin a.nc:orog', 'x=idx.nc:neg i.nc:i4'],
    'transpose': ['m.nc:sq', 'm.nc:z'],
    'trend': ['--along time a.nc:clean', '--along time --skip-nan a.nc:pr', '--along time --keep-nan a.nc:tas', '--along lat --points b.nc:w --detrend a.nc:clean',
              '--along time --detrend a.nc:tas'],
    'unflatten': ['x=a:2,b:2 one.h5', 'time=p:4,q:6 a.nc:pr'],
    'window': ['time=w:5 a.nc:tas'] + [f'time=w:3:2 lat=v:2 --label {x} a.nc:clean' for x in ('middle', 'first', 'last')],
}
# Ways of a line that has one operand of a file and one result: the first always, another in turn.
WAYS = ['{c} {w} {o} -o out.nc', '{c} {w} {o} -p', '{c} {w} {o} --name new --fill -9 -o out.nc', 'axt-copy {o} | {c} {w} - | axt-print --csv',
        '{c} {w} {o} --dtype f64 -o o.nc:d', '{c} {w} < <(axt-map abs {o})', '{c} {w} {o} | axt-save -o out.h5 && axt-print out.h5', '{c} {w} {o} --explain -t 2',
        "{c} {w} --attr 'title=a b' --compress deflate:2 --no-history {o} -o out.nc && axt-info --stats out.nc", '{c} {w} one.nc:* -o out.nc',
        '{c} {w} --each a.nc -o out.nc', '{c} {w} {o}']
EACH = 'axt-{} --each a.nc:tas,pr -o out.nc'

REDUCE = ['', '--over time', '--to lat', '--over time --skip-nan', '--over lat,lon --keep-nan', '--over time --by time.month', '--every 5months']
WEIGHTED = ['--weights area', '--weights area --over lat,lon --skip-nan', '--weights time.daysinmonth --over time', '--weights b.nc:w --over lat',
            '--weights a.nc:cell --to time', '--weights b.nc:w --by time.season --over time,lat', '--weights area --keep-nan']
REDUCE_MORE = [
    'var --ddof 1 --over time', 'std --ddof 2', 'mean,std,count --over time', 'min,max,argmin,argmax --over time', 'sum --over lat --by a.nc:site',
    'mean --over lat,lon --by a.nc:basin', 'mean --by a.nc:basin --labels 0:5', 'sum --by a.nc:basin --labels 3,1 --drop-others', 'sum --every month',
    'mean --over time --by time.year,time.season', 'mean --every season', 'max --every year', "sum --every '60 days'", 'sum --every 12h', 'count --every day',
    'quantile:0.9,median --over time', 'quantile:0 --to time', 'sum --over time --by time.season --labels DJF,JJA --drop-others', 'any,all --to lat',
    'sum --dtype f64', 'prod --dtype f64 --over time', "sum --to ''", "sum --over ''", 'mean --over time --to lat,lon', 'quantile:0.5,quantile:0.1 --by time.month',
    'median --weights b.nc:w --over lat', 'mean --by time.month,a.nc:site', 'mean --by a.nc:basin --labels like.nc:lat --drop-others', 'argmax --to lon,lat']

CALC = [
    'tas + pr', 'tas - mean(tas, over=time)', '-tas * 2 / 3', 'tas ^ 2 % 7 // 2', 'index & 3 | 4', '~index', 'not wet', 'tas > 280 and pr < 0 or wet', '0 < pr <= 1',
    'tas == 280', 'site == "Oslo"', 'where(site != "Oslo", orog, nan)', 'tas[time=0:10, lat@15]', 'tas[lat@10, nearest=true]', 'where(time.season == "DJF", pr, 0)',
    'time.month + index', 'm = mean(tas); s = std(tas, ddof=1); m, s, far = tas > m + s', 'a1 = tas; a1 * 2', 'clip(tas, 270, 285)', 'fillnan(tas, 0)',
    'fillnan(tas, along=time, method=nearest, limit=2)', 'fillnan(tas, along=time, max_gap=2)', 'ffill(tas, along=time)', 'bfill(pr, along=lat, limit=1)',
    'interp(tas, lat=(1,2), lon=5, method=nearest)', 'interp(tas, lat=lats, lon=lons, extrapolate=true)', 'interp(clean, lat=(1.5,3), points=w)',
    'rank(tas, along=time, method=dense)', 'sort(tas, along=time, descending=true, index=true)', 'diff(tas, along=time, order=2)', 'gradient(tas, along=lat)',
    'fft(clean, along=time, norm=ortho, center=true, spacing=2)', 'ifft(fft(series, along=time), along=freq_time)', 'rfft(series, along=time)',
    'irfft(rfft(series, along=time), along=freq_time, length=24)', 'corr(tas, pr, over=time, skip_nan=true)', 'cov(tas, pr, to=lat, ddof=0, weights=cell)', 'area(tas)',
    'corr(series, time, over=time)', 'trend(clean, slope, along=time)', 'slope(tas, along=time, skip_nan=false)', 'intercept(clean, along=lat, points=w)',
    'detrend(clean, along=time)', 'convert(tas, "degC")', 'convert(tas, to="hours since 2001-01-01", coord=time)', 'hist(tas, bins=4)', 'rank(pr, along=lat)',
    'hist(tas, pr, bins=(3, 4), range=(270, 290, 0, 3), over=(lat, lon))', 'hist(clean, bins=3, weights=cell, density=true, to=time)', 'softmax(orog, along=(lat, lon))',
    'dot(clean, cell)', 'dot(clean, cell, orog, over=lon, keep=lat)', 'dot(orog, cell, mode=plain, accumulate=f64, dtype=f32)', 'dot(orog, series, mode=strict)',
    'order(tas, lon, lat, time)', 'order(orog, like=cell)', 'rename(tas, lat=y)', 'broadcast_like(orog, tas)', 'reindex_like(tas, like)', 'broadcast(orog, (lon, lat))',
    'reindex_like(tas, like, nearest=true)', 'broadcast(orog, like=tas)', 'cast(tas, f64)', 'cast(orog, i8, overflow=saturate)', 'cast(tas, pack="i16")', 'flip(tas, lat)',
    'cast(orog, f32, to=(p, q))', 'slice(tas, time=0:10, lat@15)', 'slice(tas, lat@10, nearest=true)', 'take(tas, lat=at)', 'take(tas, lat@lats)', 'flip(pr, (lat, lon))',
    'take(orog, lat@lats, nearest=true)', 'take(clean, (lat, lon)@st_lat, nearest=true)', 'shift(tas, lat=1, fixed=true)', 'window(tas, time=w1:3, label=first)',
    'mean(window(tas, time=w1:3), over=w1)', 'pad(orog, lat=(1, 2), mode=edge)', 'pad(orog, lat=(1, 2), value=7)', 'flatten(tas, (lat, lon)=cells)', 'expand(orog, e=3, at=1)',
    'unflatten(flatten(tas, (lat, lon)=p), p=(lat:6, lon:8))', 'reshape(orog, p=24, q=2, order=F)', 'reshape(orog, rank=1)', 'squeeze(expand(orog, e), over=e)',
    'concat(ij, ij, along=i)', 'stack(tas, clean, along=k, at=1)', 'onehot(index, c=7)', 'zeros(lat=6, dtype=i32)', 'ones(x=3)', 'eye(r=3, "r*"=3)', 'full(2.5, x=3)',
    'triu(p=3, q=4)', 'tril(p=3, q=3)', 'iota(x=4)', 'iota(1, 0.5, x=4)', 'random(0, 9, x=5, seed=3)', 'normal(1, 2, x=5, seed=4, dtype=f64)', 'random(x=5, seed=1)',
    'normal(x=2, y=2, seed=9)', 'transpose(sq)', 'dot(sq, rk)', 'solve(sq, rk)', 'inv(spd, row=r, col="r*")', 'exp(2j*pi*series)', 'z * conj(z)', 'matrix_norm(sq, ord=nuc)',
    'matrix_power(sq, power=3)', 'matrix_rank(sq, rcond=0.1)', 'pinv(many, row=i, col=j, rcond=0.01)', 'lstsq(ij, i1, s, row=i, col=j, rcond=0.1)', 'tas - b',
    'quantile(tas, q=0.3, over=time)', 'mean(tas, by=time.month, over=time)', 'sum(tas, by=(time.year, time.season), over=time)', 'mean(tas, every=season)',
    'sum(tas, by=basin, labels=(3, 1), dropothers=true)', 'tas - mean(tas, over=time, by=time.month)', 'mean(tas, weights=area(tas))', 'sum(tas, dtype=f64)',
    'mean(tas, by=basin, labels=(0, 1, 2, 3))', 'scan(tas, sum, along=time, by=time.month)', 'scan(clean, linear, along=time, value=0.5, reverse=true)', 'absolute(pr), abs(tas)',
    'scan(clean, linear, along=lat, value=w)', 'mca(clean, tas, left_eof, over=time, missing=99)', 'hypot(tas, 3)', 'maximum(tas, pr, orog)', '"lat_bnds" + 1', '2^63', 'pi * 2']
CALC += [f'scan({t}, {op}, along=time)' for op in ('sum', 'prod', 'min', 'max') for t in ('tas', 'index')]
# The results of functions that have several.
RESULTS = {'svd(many, {}, row=i, col=j, mode=k)': 'u s vh', 'qr(sq, {})': 'q r', 'lu(cube, {}, row=c, col=d)': 'p l u', 'eigh(spd, {})': 'w v', 'eig(sq, {}, mode=k)': 'w v',
           'slogdet(sq, {})': 'sign logabsdet', 'lstsq(many, ik, {}, row=i, col=j)': 'x residuals rank s', 'trend(clean, {}, along=time)': 'slope intercept detrend',
           'eof(clean, {}, over=time, modes=2, weights=cell)': 'eof pc eigenvalues explained_variance north_error',
           'mca(clean, orog*series, {}, over=time, modes=2)': 'left_eof left_pc right_eof right_pc covariance covariance_fraction',
           '{}(sq)': 'det inv pinv expm cond matrix_rank matrix_norm', '{}(z)': 'det inv pinv expm cond', '{}(spd)': 'cholesky inv',
           '{}(f, row=r, col="r*")': 'det inv pinv expm cond'}

LINES = spread('''\
axt-append: grow.nc more.nc:tas --along time ;; --sync grow.nc more.nc:tas ;; grow.nc -  < <(axt-slice time=0:2 more.nc:tas)
axt-clip: -o out.nc -- -1 1 a.nc:pr ;; 1 3 i.nc:* -o out.nc
axt-assign: a.nc:tas[time=0] = 5 ;; --in-place a.nc:orog += 1 ;; a.nc:orog[lat@15] mul 2 ;; a.nc:packed -= 1 ;; a.nc:index[time=1:3] set 2 ;; i.nc:i2 *= i.nc:u1
axt-assign: i.nc:f4 /= 3 ;; i.nc:flag = 0
axt-attr: one.nc ;; a.nc:tas ;; units=degC a.nc:tas ;; --in-place 'lat:note=a b' n:=1,2.5 a.nc:tas ;; --value units a.nc:tas ;; units= a.nc:tas
axt-attr: title=x g.nc:/model1/
axt-make: placeholder lat=6,lon=8 --name x | axt-save -o x.h5; axt-add x.h5 1 | axt-bind x=a.nc:orog - -o out.nc
axt-make: placeholder lat=6 --name x --dtype f64 | axt-mul - 2 | axt-save -o x.h5; axt-bind x=b.nc:w x.h5 -p ;; placeholder lat=6 --name x | axt-bind x=3 -p
axt-concat: time a.nc:tas more.nc:tas -o out.nc ;; x i.nc:i1 i.nc:u2 i.nc:f4 -o out.nc ;; time a.nc:tas,pr more.nc:* -o out.nc
axt-concat: time a.nc:tas - < <(axt-slice time=0:3 more.nc:tas)
axt-stack: e a.nc:tas a.nc:pr -o out.nc ;; e --at -1 i.nc:i1 i.nc:c8 one.h5 -p ;; k a.nc:tas b.nc:tas -o out.nc
axt-copy: a.nc -o out.nc ;; a.nc:tas,pr b.nc:w -o out.nc ;; g.nc:/model1/ -o out.nc ;; i.nc:* --compress zstd --chunk x=2 -o out.nc ;; a.nc:* -o out.zarr
axt-corr: --over time a.nc:tas b.nc:tas -o out.nc ;; --to lat --skip-nan a.nc:pr a.nc:clean -o out.nc ;; --keep-nan --weights area a.nc:tas a.nc:pr -p
axt-corr: --over x i.nc:f4 i.nc:f8 --weights i.nc:unit -p
axt-cov: --over time --ddof 0 a.nc:tas a.nc:clean -o out.nc ;; --skip-nan --weights b.nc:w --to time a.nc:pr a.nc:clean -o out.nc
axt-cov: --keep-nan --to x i.nc:f4 i.nc:f8 ;; --keep-nan a.nc:pr a.nc:clean -p
axt-dot: a.nc:clean a.nc:orog -o out.nc ;; --over lon --keep lat a.nc:clean a.nc:orog -o out.nc ;; --strict m.nc:sq m.nc:rk -o out.nc
axt-dot: --plain m.nc:sq m.nc:sq -o out.nc ;; m.nc:sq m.nc:spd m.nc:rk -o out.nc ;; --accumulate f64 i.nc:f4 one.h5 -p
axt-dot: --accumulate tf32 --keep y i.nc:f4 i.nc:f4 -p ;; i.nc:i1 i.nc:u1 --dtype f64 -p ;; i.nc:flag i.nc:flag --accumulate i64 -p
axt-dot: i.nc:f4 i.nc:f8 i.nc:c8 --over x --keep y -o out.nc ;; a.nc:tas - -o out.nc < <(axt-copy a.nc:orog) ;; a.nc:tas,pr a.nc:orog -o out.nc
axt-equal: a.nc a.nc ;; --rtol 1e-3 --atol 1 a.nc:tas b.nc:tas ;; --rtol 1 --atol 99 --units ignore a.nc:clean a.nc:clean ;; --nan-differ a.nc:clean a.nc:clean
axt-equal: --ulp 4 --strict-order --attributes a.nc a.nc ;; --ulp 4 --strict-order --attributes a.nc:tas one.nc:tas ;; --nan-differ a.nc:pr a.nc:pr
axt-equal: --units ignore a.nc:tas b.nc:tas ;; i.nc:i4 i.nc:i8 i.nc:f4
axt-eq: a.nc:site Oslo -o out.nc
axt-ne: a.nc:site Oslo -p
axt-where: <(axt-eq a.nc:site Rome) a.nc:orog 0 -o out.nc ;; a.nc:wet a.nc:orog 0 -o out.nc ;; a.nc:wet a.nc:tas a.nc:pr -o out.nc --units ignore
axt-where: i.nc:flag i.nc:i1 i.nc:u1 -p ;; i.nc:flag 1 nan -p ;; - a.nc:orog nan -o out.nc < <(axt-gt a.nc:orog 280)
axt-from: s.csv -o out.nc ;; n.csv --format csv --matrix --to y,x -o out.nc ;; n.csv --header no --to y,x -p ;; s.csv --header yes -p ;; --list s.csv
axt-from: w.npy --to lat,lon -o out.nc ;; r.bin --format raw --to y=3,x=4 --dtype f32 --big-endian -o out.nc
axt-from: r.bin --format raw --to y=2,x=5 --dtype f32 --offset 8 --order F -p ;; words.txt -o out.nc ;; n.csv --header auto --to y,x -p
axt-to: a.npy one.h5 && axt-from a.npy -p ;; out.csv a.nc:orog -N ;; out.bin --format raw --big-endian one.h5 ;; out.csv --matrix one.h5
axt-to: out.safetensors a.nc:tas a.nc:orog ;; out.pgm --format pnm i.nc:u1 && axt-from out.pgm --format pnm -p ;; out.nc --format nc3 a.nc:tas
axt-info: a.nc ;; --json a.nc b.nc:w ;; --cdl a.nc ;; --brief i.nc m.nc ;; --names g.nc ;; --long --stats a.nc:tas ;; --plot a.nc
axt-sub: a.nc:tas 1 | axt-info --plan - ;; a.nc:tas a.nc:orog | axt-save -o out.h5 && axt-info out.h5 && axt-map square out.h5 -o q.nc
axt-sub: a.nc:tas b.nc:tas --units ignore -o out.nc ;; a.nc:tas b.nc:tas -o out.nc
axt-kind: variable a.nc:tas && axt-info --trainable a.nc ;; constant a.nc:orog && axt-info --brief a.nc ;; persistent i.nc:f4 i.nc:f8 ;; none i.nc:f4
axt-kind: placeholder i.nc:f4 && axt-mul i.nc:f4 2 | axt-bind f4=one.h5 -p
for: k in 1 2 3; do axt-reduce mean --over time --part $k/3 one.nc -o p$k.nc; done && axt-merge p3.nc p1.nc p2.nc --output whole.nc && axt-merge p?.nc -N -o n.nc
for: k in 1 2; do axt-map sqrt --part $k/2 a.nc:clean -o p$k.nc; done && axt-merge p1.nc p2.nc -o whole.nc --no-clobber
axt-move: tas=t2m a.nc ;; --in-place lat=y,orog=z a.nc
axt-remove: a.nc:pr a.nc:orog ;; --force --in-place a.nc:lat_bnds ;; g.nc:/model1/
axt-plot: a.nc:orog --size 60,20 ;; a.nc:tas --frame time=0 --output p.png --no-coast --size 200,150
axt-plot: a.nc:tas time@2001-02-10 --nearest -o p.svg --bare --no-clobber ;; a.nc:tas --frame time@2001-02 -o q.txt --format txt --all time --size 60,30
axt-plot: a.nc:orog --lines lat -o p.pdf ;; a.nc:tas --mean-rest --x time --y lat --cmap magma --clip 2 --title hello -o p.png
axt-plot: a.nc:tas --hist --bins 9 --size 50,12 ;; a.nc:tas a.nc:clean --scatter --range 270,290,270,290 --quick -o p.png ;; i.nc:u1 --image -o p.png
axt-plot: a.nc:cell --log --protocol ascii --size 60,20 ;; a.nc:clean --mean-rest --lines lat --x time -o p.svg
axt-print: a.nc:tas ;; --head 5 --format %.2f a.nc:tas ;; --csv --no-index i.nc:i1 i.nc:f4 ;; --spark a.nc:clean ;; a.nc:time i.nc:flag i.nc:c8
axt-split: time.month --pattern 'm{}.nc' one.nc ;; lat -P 'l{@}.nc' a.nc:orog ;; time.year -P 'y{}.nc' --each a.nc
axt-save: -o out.h5 a.nc:tas && axt-reduce mean out.h5 -p
axt-slice: time=0:3 a.nc:clean | axt-save -o out.h5 ;; time=0 a.nc:* -o out.nc
printf: q | script -qec 'stty rows 24 cols 80; axt-view a.nc' /dev/null
axt-order: x,y i.nc:* -o out.nc
axt-take: lat=0,2 a.nc:* -o out.nc
axt-reduce: mean --over time a.nc:* -o out.nc
axt-map: sqrt a.nc:tas,clean -o out.nc ;; exp -d clean a.nc --quantize 3 --shuffle bit --deflate 4 --unlimited time -o out.nc
axt-add: a.nc:* 1 -o out.nc ;; a.nc:tas,pr a.nc:orog -o out.nc ;; a.nc:tas more.nc:tas -o out.nc --join override
axt-add: a.nc:tas more.nc:tas -o out.nc --join override:time ;; g.nc:/model1/tas g.nc:/model2/tas -o out.nc ;; a.nc:packed 1 --raw -o out.nc ;; w.npy 1 -p
axt-mul: a.nc:tas a.nc:cell -o out.nc --axes lon,lat,time
axt-scan: sum --along x i.nc:* -o out.nc
axt-cast: --dtype f32 a.nc:* -o out.nc
axt-hist: --bins 3 a.nc:tas,clean -o out.nc
axt-calc: 'x.nc:t = tas*2; y.nc:u = mean(tas, over=time)' a.nc ;; --in-place 'a.nc:orog[lat=0] += 1' a.nc ;; 'one.nc:tas[lat@-20:20] = 0' && axt-print one.nc
axt-calc: --assert 'tas > 0' a.nc ;; --assert 'clean > 0' a.nc ;; 'isnan(t)' t=- -p < <(axt-copy a.nc:pr) ;; '/model1/tas - /model2/tas' g.nc -o out.nc
axt-calc: 'tas*2' g.nc:/model1/ -p ;; 'w*2' w.npy -p ;; 'a + b' a=a.nc:tas b=3 -o out.nc
axt: list ;; help sort >&2 ;; completion bash >&2 ;; add 1 2 -p''')

MAKE = ['zeros x=3,y=2', 'ones x=3', 'full:7 x=3', 'full:2.5 x=3', 'iota x=3,y=4', 'iota:5 x=3', 'iota:1:0.25 x=3,y=2', 'random x=3,y=4 --seed 5', 'random:0:9 x=9 --seed 6',
        'normal x=7 --seed 7', 'normal:5:0.1 x=3,y=4 --seed 8', 'eye r=3,c=4', 'triu b=2,r=3,c=3', 'tril r=4,c=3', 'placeholder x=3 --name p']
MAKE_HOW = ['', '--dtype f64', '--dtype i16', '--dtype c64', '--layout F --dtype f32', '--layout C --size AXIS=10', '--name n --attr units=m']

# ---- wrong lines ----

# Values that are wrong for an option that -h shows with this word; for others, "odd" is.
WRONG = {'N': ['many', '-5', '99999999999'], 'AXIS': ['nowhere', "''"], 'AXES': ['nowhere', 'lat,lat'], 'W|area': ['none.nc', '1e'],
         'B': ['none.nc'], 'LABELS': ['nowhere'], 'X': ['-1', 'x']}
WRONG_LINES = spread('''\
axt-reduce:  ;; mean ;; average a.nc:tas ;; quantile a.nc:tas ;; quantile:2 a.nc:tas ;; mean --skip-nan --keep-nan a.nc:tas ;; mean --labels 1:3 a.nc:tas
axt-reduce: mean --drop-others a.nc:tas ;; mean --ddof 1 a.nc:tas ;; var --ddof 1 --weights area a.nc:tas ;; mean --every fortnight a.nc:tas
axt-reduce: mean --every month --by time.month a.nc:tas ;; mean --over time --to time a.nc:tas ;; mean --by time.moon a.nc:tas
axt-reduce: mean --by a.nc:basin --labels 1 a.nc:tas ;; sum a.nc:none ;; sum none.nc ;; max i.nc:c8 ;; max --weights area a.nc:tas
axt-scan:  ;; sum a.nc:tas ;; mean --along time a.nc:tas ;; linear --along time a.nc:tas ;; linear:x --along time a.nc:tas ;; sum:1 --along time a.nc:tas
axt-scan: max --along x i.nc:c8 ;; linear:0.5 --by time.month --along time a.nc:tas
axt-hist: a.nc:tas ;; --bins 0 a.nc:tas ;; --bins 3 --range 5,1 a.nc:tas ;; --bins 3 --range 5 a.nc:tas ;; --bins 3,4 a.nc:tas ;; --bins 3 i.nc:c8
axt-hist: --bins 3 a.nc:tas a.nc:pr a.nc:orog ;; --bins 3 --over lat --to lat a.nc:tas
axt-slice:  ;; lat=99 a.nc:tas ;; lat@10 a.nc:tas ;; none=1 a.nc:tas ;; lat=1 lat=2 a.nc:tas ;; lat=0:9:0 a.nc:tas ;; time@2050 a.nc:tas ;; lat=none.nc a.nc:tas
axt-slice: --nearest lat=0 a.nc:tas
axt-take: a.nc:tas ;; lat=9 a.nc:tas ;; lat@10 a.nc:tas ;; lat=0 lon=0 a.nc:tas ;; lat,lon@st.nc a.nc:tas ;; --like like.nc a.nc:tas ;; lat=a.nc:orog a.nc:tas
axt-take: --like like.nc lat=0 a.nc:tas
axt-make:  ;; zero x=3 ;; zeros ;; zeros x ;; zeros x=-1 ;; full x=3 ;; full:x x=3 ;; iota:1:2:3 x=3 ;; ones:1 x=3 ;; eye x=3 ;; iota x=300 --dtype u8
axt-make: random x=3 --seed x ;; zeros x=3 --size x=2 ;; zeros x=3 --layout D ;; zeros x=3 --dtype f33 ;; random:1 x=3 --seed 1
axt-cast: a.nc:tas ;; --dtype u8 a.nc:tas ;; --pack f32 a.nc:tas ;; --pack i16:0 a.nc:tas ;; --pack i16 --overflow wrap a.nc:tas ;; --to a,b a.nc:tas
axt-cast: --to a,a,b a.nc:tas ;; --to a=9,b,c a.nc:tas ;; --pack i16 --like like.nc a.nc:tas ;; --overflow maybe --dtype i8 i.nc:i2 ;; --dtype i8 i.nc:c8
axt-coord: a.nc:tas ;; set a.nc:tas ;; put lat=1:1 a.nc:tas ;; set none=1:1 a.nc:tas ;; set lat=1,2 a.nc:tas ;; drop none a.nc:tas ;; drop ;; set lat a.nc:tas
axt-bind:  ;; x=3 a.nc:tas ;; x=none.nc one.h5
axt-fillnan:  ;; a.nc:tas ;; a.nc:tas 0 --along time ;; a.nc:tas --method linear ;; a.nc:tas --along time --method cubic ;; a.nc:tas --along time --limit 0
axt-fillnan: a.nc:tas --along time --limit 1 --max-gap 2 ;; a.nc:tas none.nc
axt-where: a.nc:wet ;; a.nc:wet a.nc:orog ;; a.nc:wet 1 2 3 ;; a.nc:site 1 2
axt-clip:  ;; 1 a.nc:tas ;; x 2 a.nc:tas ;; 1 2 i.nc:c8 ;; 1.5 2 i.nc:i2
axt-dot:  ;; a.nc:tas ;; --strict --plain a.nc:tas a.nc:orog ;; --strict a.nc:tas a.nc:orog ;; --over none a.nc:tas a.nc:orog ;; --keep none a.nc:tas a.nc:orog
axt-dot: --over lat --keep lat a.nc:tas a.nc:orog ;; --over lat a.nc:tas a.nc:orog ;; --accumulate i7 a.nc:tas a.nc:orog ;; --accumulate i64 a.nc:tas a.nc:orog
axt-dot: - - a.nc:tas < one.h5
axt-add:  ;; 1 ;; s.csv:tmax 1 ;; a.nc:tas x ;; a.nc:tas like.nc ;; a.nc:site 1 ;; i.nc:u1 300
axt-mul: - - < one.h5
axt-sub: a.nc:tas b.nc:tas --units strict
axt-eq: a.nc:site a.nc:site ;; a.nc:site 1
axt-and: a.nc:site
axt-bitwise-and: i.nc:f4 1
axt-lt: i.nc:c8 1 ;; a.nc:site Oslo
axt-mod: i.nc:c8 2
axt-pow: i.nc:i4 -1
axt-map:  ;; sine one.h5 ;; sin ;; sin one.h5 one.h5 ;; bitwise_not one.h5 ;; floor i.nc:c8 ;; sin a.nc:site
axt-matrix-power: m.nc:sq ;; --power 1.5 m.nc:sq
axt-matrix-norm: --ord 3 m.nc:sq
axt-det: m.nc:ij ;; --row i --col j m.nc:ij ;; --row i m.nc:ij ;; --row i --col i m.nc:ij
axt-inv: m.nc:i1
axt-solve: m.nc:sq ;; m.nc:sq m.nc:ik
axt-cholesky: m.nc:sq ;; m.nc:z
axt-svd: --mode i --row i --col j m.nc:many
axt-eigh: i.nc:i4
axt-pinv: --rcond -1 m.nc:sq
axt-stack:
axt-concat: none a.nc:tas a.nc:pr
axt-sort: a.nc:tas
axt-pad: lat=1 a.nc:tas
axt-kind: odd a.nc:tas
axt-split: lat a.nc:tas
axt-nothing: a.nc
axt: nothing''')
WRONG_CALC = ['mean()', 'mean(1, 2', 'none(tas)', 'mean(tas, over=none)', 'mean(tas, unknown=1)', 'mean(tas, over=time, over=lat)', 'quantile(tas)', 'quantile(tas, q=2)', 'scan(tas)',
              'scan(tas, mean, along=time)', 'scan(tas, linear, along=time)', 'scan(tas, sum)', 'scan(tas, sum, along=time, value=1)', 'hist(tas)', 'hist(tas, bins=0)', 'take(tas)', 'slice(tas, none=1)',
              'take(tas, lat=9.5)', 'zeros()', 'full(x=3)', 'random(1, x=3)', 'iota(1, 2, 3, x=3)', 'cast(tas)', 'cast(tas, f33)', 'dot(tas)', 'dot(tas, orog, mode=odd)', 'dot(tas, orog, over=none)', 'svd(sq)',
              'svd(sq, w)', 'fillnan(tas)', 'fillnan(tas, 1, along=time)', 'fillnan(tas, along=time, method=odd)', 'clip(tas, 1)', 'where(tas, 1)', 'clip(tas)', 'sin(tas, pr)', 'sin()', 'hypot(tas)',
              'tas +', 'tas[none=0]', 'tas[lat=99]', 'mean(tas, skip_nan=maybe)', 'var(tas, ddof=x)', 'det(ij)', 'matrix_power(sq)', 'solve(sq)', 'eye(x=3)', 'zeros(x=3, seed=1)', 'reindex_like(tas)',
              'mean(tas, by=time.moon)', 'mean(tas, every=fortnight)', 'mean(tas, labels=(1, 2))', 'sum(tas, by=basin, labels=1)', 'cast(tas, i8)', 'matrix_norm(sq, ord=3)', 'hist(tas, bins=3, range=1)']
# The operands of expressions, and the names that they give.
NAMES = {'a.nc': 'tas pr clean packed orog basin wet site index series cell time lat_bnds', 'b=b.nc:tas': 'b', 'w=b.nc:w': 'w', 'like.nc': 'like',
         'm.nc': 'cube sq spd f z many ij rk jk ik i1 one', 'at=idx.nc:at': 'at', 'lats=idx.nc:lats': 'lats', 'lons=idx.nc:lons': 'lons', 'st_lat=st.nc:lat': 'st_lat'}


class Build:
    """What a build says of itself."""

    def __init__(self, where, asked=True):
        self.bin = os.path.join(os.path.abspath(where), 'bin')
        if not asked:
            return
        self.commands = re.findall(r'^(\S+)', self.says('axt list'), re.M)
        self.help = {c: self.says(f'axt-{c} -h').split('\ncommon options')[0] for c in self.commands}
        self.functions = self.words('calc')
        self.binary = [c for c in self.commands if re.search(r'^usage: \S+ \[option \.\.\.\] A B( \.\.\.)?$', self.help[c], re.M)]

    def says(self, line):
        path = f'{self.bin}:{os.environ["PATH"]}'
        return subprocess.run(['bash', '-c', line], env=dict(os.environ, PATH=path), capture_output=True, text=True, check=True).stdout

    def words(self, c):
        """The words that the first word after the command may be."""
        return re.findall(r'^  ([a-z]\S*)  ', re.split(r'\n[A-Z,.\[\]OP]+:\n', self.help[c], maxsplit=1)[-1].split('\noptions:')[0], re.M)

    def options(self, c):
        """(name, what its value looks like) of each option of its own."""
        own = self.help[c].split('\noptions:\n')[1:]
        return re.findall(r'^ +(?:-\w, )?(--[a-z-]+)(?: (\S+))?', own[0], re.M) if own else []


def ways(c, rest):
    """The line, and another way to say it, where its last word is the operand."""
    words, _, last = rest.rpartition(' ')
    simple = re.fullmatch(r'\w+\.(nc|h5)(:\w+)?', last) and not re.search(r'\.nc\S* \S+\.nc', re.sub(r'--\S+ \S+', '', rest)) and 'nan' not in c
    if not simple:
        return [WAYS[0].format(c=c, w=rest, o='')]
    fit = [w for w in WAYS[1:] if last in ('a.nc:tas', 'a.nc:pr', 'a.nc:clean') or not re.search(r'one\.nc|--each', w)]
    n = next(ways.turn)
    return [w.format(c=c, w=words, o=last) for w in (WAYS[0], fit[n % len(fit)], fit[(n + 5) % len(fit)])]


ways.turn = itertools.count()


def calc(text, options):
    """A line of axt-calc with the operands whose names the expression has."""
    have = set(re.findall(r'(?<![\w.])\w+(?!\w*[=(])', text))
    return f"axt-calc {options} -- '{text}' " + ' '.join(x for x, names in NAMES.items() if have & set(names.split()))


def right_lines(b):
    for c in b.binary:
        yield from (f'axt-{c} {x}' for x in PAIRS)
        f = c.replace('-', '_')
        text = f'i4 {f} i2' if f in ('and', 'or') else f'{f}(i4, i2), o = {f}(index, 3), p = {f}(wet, i1[x=0,y=0])'
        yield f"axt-calc '{text}' i.nc a.nc -o out.nc"
    for f in b.words('map'):
        yield from (f'axt-map {f} {x}' for x in SINGLES)
        yield f"axt-calc '{f}(i2), f = {f}(index)' i.nc a.nc -o out.nc"
        yield f"axt-calc '{f}(unit)' i.nc -p"
    for c, rests in UNARY.items():
        for rest in rests:
            yield from ways(f'axt-{c}', rest)
        if len(rests) > 1 and re.search(r' a.nc:(tas|clean)$', rests[0]):
            yield f'axt-{c} {rests[0].rpartition(" ")[0]} a.nc:tas,clean --dtype f64 -o out.nc'
    reds = [r + ':0.25' * (r == 'quantile') for r in b.words('reduce')]
    for r in reds:
        for how in REDUCE:
            yield f'axt-reduce {r} {how} a.nc:{"tas" if len(how) % 2 else "pr"} -o out.nc'
        yield f'axt-reduce {r} --over x i.nc:{"i4" if len(r) % 2 else "flag"} -p'
        yield f'axt-reduce {r} --by time.month --over time a.nc:tas | axt-print --csv'
        yield f'axt-reduce {r} i.nc:c16 -o out.nc'
        f, q = r.split(':')[0], ', q=0.25' * (':' in r)
        yield f"axt-calc '{f}(tas{q}), b = {f}(pr{q}, over=time, skip_nan=true), c = {f}(index{q})' a.nc -o out.nc"
        yield f"axt-calc '{f}(tas{q}, to=(lon, lat), by=time.season)' a.nc -o out.nc"
    for r, how in itertools.product(('sum', 'mean', 'var', 'std', 'rms', 'median', 'quantile:0.9'), WEIGHTED):
        yield f'axt-reduce {r} {how} a.nc:tas -o out.nc'
    for rest in REDUCE_MORE:
        yield from ways('axt-reduce', f'{rest} a.nc:tas')
    for kind in MAKE:
        yield from (f'axt-make {kind} {how} -o out.nc'.replace('AXIS', re.findall(r'(\w+)=', kind)[-1]) for how in MAKE_HOW)
        yield f'axt-make {kind} | axt-print'
    for text in CALC + [t.format(x) for t, names in RESULTS.items() for x in names.split()]:
        yield calc(text, '-o out.nc')
    yield from (calc(text, '--name new --dtype f64 --fill -9 -p') for text in CALC[::3])
    for fmt in ('npy', 'csv', 'raw', 'safetensors', 'nc3', 'auto'):
        out, more = f'out.{fmt.replace("auto", "npy")} --format {fmt}', '--to y=3,x=4 --dtype f64' if fmt == 'raw' else ''
        yield f'axt-to {out} --no-clobber one.h5 && axt-from {out} {more} -p'
    yield from (f'axt-plot {x} a.nc:orog' for x in [f'--protocol {p} --size 60,20' for p in ('auto', 'kitty', 'sixel', 'blocks', 'ascii')]
                + [f'--format {p} -o p.{p.replace("auto", "png")} --size 99,66' for p in ('auto', 'png', 'svg', 'pdf', 'txt')])
    yield from LINES
    yield from (f'axt-{c} -h >&2' for c in b.commands)


def wrong_lines(b):
    yield from WRONG_LINES
    yield from (calc(text, '-p') for text in WRONG_CALC)
    for c in b.commands:
        good = (UNARY.get(c) or ['mean a.nc:tas' if c == 'reduce' else 'a.nc:tas a.nc:pr'])[0]
        yield f'axt-{c} --nonsense {good}'
        yield f'axt-{c} {good} one.nc none.nc'
        yield f'axt-{c} --dtype f33 {good}'
        for option, value in b.options(c):
            if c not in ('view', 'plot'):
                yield f'axt-{c} {good} {option}'
                yield from (f'axt-{c} {option} {x} {good}' for x in (WRONG.get(value) or ['odd'] if value else []))
    for f in b.functions:
        yield f"axt-calc '{f}(tas, nonsense=1)' a.nc -p"
        yield f"axt-calc '{f}(none)' a.nc -p"


# ---- running and comparing ----

ENV = {'HOME': '/nonexistent', 'LC_ALL': 'C.UTF-8', 'TERM': 'xterm', 'TZ': 'UTC', 'SOURCE_DATE_EPOCH': '1000000000',
       'AXT_THREADS': '2', 'AXT_MEMORY': '1G'}

class Place:
    """A directory in which a line runs, of the same name for both builds."""

    def __init__(self, top, n, given):
        self.top, self.given = f'{top}/w{n}', given

    def run(self, b, line):
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.copytree(self.given, self.top)
        env = dict(ENV, PATH=f'{b.bin}:/usr/bin:/bin', TMPDIR=self.top)
        with open(f'{self.top}/stdout', 'wb') as out:
            p = subprocess.Popen(['bash', '-c', 'set -o pipefail; ' + line], cwd=self.top, env=env, start_new_session=True,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
            try:
                err = p.communicate(timeout=60)[1]
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, 9)
                err = p.communicate()[1] + b'(killed: too slow)'
        files = {}  # without the numbers of inodes that plans have
        for folder, _, names in os.walk(self.top):
            for name in names:
                with open(f'{folder}/{name}', 'rb') as f:
                    files[os.path.relpath(f'{folder}/{name}', self.top)] = re.sub(rb' ino=\d+', b'', f.read())
        return p.returncode, files, err.decode(errors='replace')


def contents(data, scratch_file):
    """What is in a file of HDF5, by name; of another file, nothing."""
    with open(scratch_file, 'wb') as f:
        f.write(data)
    found = {}

    def put(name, x):
        found.update({f'{name}@{k}': repr(x.attrs[k]) for k in x.attrs})
        if isinstance(x, h5py.Dataset):
            found[name] = (x.dtype, x.shape, x[()].tobytes() if x.dtype.kind != 'O' else repr(x[()]))
    try:
        with h5py.File(scratch_file) as f:
            put('', f)
            f.visititems(put)
    except (OSError, TypeError, ValueError):
        pass
    return found


def which(a, b, scratch_file):
    """In which files, datasets and attributes two runs differ."""
    for name in sorted(set(a) | set(b)):
        if a.get(name) != b.get(name):
            if name not in a or name not in b:
                yield f'{name}: only {"before" if name in a else "after"}'
                continue
            x, y = contents(a[name], scratch_file), contents(b[name], scratch_file)
            differ = [k for k in sorted(set(x) | set(y)) if x.get(k) != y.get(k)]
            at = next((i for i, (p, q) in enumerate(zip(a[name], b[name])) if p != q), min(len(a[name]), len(b[name])))
            yield f'{name}: {", ".join(differ) if differ else "bytes"} (from byte {at})'


def first_other(x, y):
    """The first line of two messages that is not the same in both."""
    return next(((p, q) for p, q in itertools.zip_longest(x.split('\n'), y.split('\n')) if p != q), ('', ''))


def uncovered(b, good):
    """Commands, options and functions that no line with status 0 has."""
    text = '\n'.join(good)
    calls = '\n'.join(x for x in good if 'axt-calc' in x)
    for c in b.commands:
        its = [x for x in good if re.search(rf'axt-{c}(?![\w-])', x)]
        if not its:
            yield f'axt-{c}'
        for option, value in b.options(c):
            choices = value.split('|') if re.fullmatch(r'[a-z0-9-]+(\|[a-zA-Z0-9-]+)+', value) else ['']
            yield from (f'axt-{c} {option} {v}' for v in choices if its and not re.search(rf' {option} ?{v}', '\n'.join(its)))
    yield from (f'{f}() of axt-calc' for f in b.functions if not re.search(rf'\b{f}\(', calls) and f not in ('and', 'or', 'not'))
    yield from (f'axt-map {f}' for f in b.words('map') if not re.search(rf'axt-map {f} ', text))
    yield from (f'axt-reduce {f}' for f in b.words('reduce') if not re.search(rf'axt-reduce {f}', text))


def main(before, after, word=''):
    builds, top = [Build(before), Build(after, asked=False)], scratch()
    os.mkdir(f'{top}/given')
    os.chdir(f'{top}/given')
    inputs()
    for name in os.listdir('.'):
        os.utime(name, (1e9, 1e9))
    right = list(dict.fromkeys(right_lines(builds[0])))
    lines = [x for x in list(dict.fromkeys(right + list(wrong_lines(builds[0])))) if word in x]
    right = set(right)
    places, mine = itertools.count(), threading.local()
    good, failed, others, counts = [], [], [], [0, 0, 0]

    def one(line):
        if not hasattr(mine, 'place'):
            mine.place = Place(top, next(places), f'{top}/given')
        for _ in range(3):  # which of two commands in a pipe tells of a fault is not always the same
            x, y = (mine.place.run(b, line) for b in builds)
            if x == y:
                break
        return x, y
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for line, (x, y) in zip(lines, pool.map(one, lines)):
            (good if x[0] == 0 else failed).append(line)
            result = 2 if x[:2] != y[:2] else int(x[2] != y[2])
            counts[result] += 1
            if '-v' in sys.argv:
                print(x[0], 'right' if line in right else 'wrong', line, '|', next((m for m in x[2].split('\n') if 'warning: ' not in m), ''))
            if result:
                told = [line, *which(x[1], y[1], f'{top}/x.h5')]
                told += [f'{w} {r[0]}: {m}' for w, r, m in zip(('before', 'after '), (x, y), first_other(x[2], y[2]))]
                others.append((result, '\n  '.join(told)))
    for result, title in ((1, 'Other messages:'), (2, 'OTHER RESULTS:')):
        if counts[result]:
            print(title, *(text for r, text in others if r == result), sep='\n', end='\n\n')
    missing = list(uncovered(builds[0], good)) if not word else []
    if missing:
        print('In no line that ends with status 0:', ', '.join(missing))
    print(f'status 0: {len(good)}; another: {len(failed)}, {sum(x in right for x in failed)} of them among the {len(right)} that are not wrong on purpose')
    print(f'{len(lines)} lines: {counts[0]} the same, {counts[1]} other messages, {counts[2]} OTHER RESULTS')
    return 1 if counts[2] or [m for m in missing if ' --' not in m] else 0


if __name__ == '__main__':
    args = [x for x in sys.argv[1:] if x != '-v']
    if not args:
        sys.exit('usage: same_bytes.py BEFORE [AFTER [WORD]] [-v]')
    sys.exit(main(args[0], *(args[1:] or [BUILD])))
