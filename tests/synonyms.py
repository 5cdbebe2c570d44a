#!/usr/bin/python3
"""Words of other tools: each command line of lib/foreign.def runs, every operator of CDO has its line, and some lines are
compared with CDO."""
import functools
import os
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import xarray as xr

import axtlib
from axtlib import BIN, TOP, Tap, scratch


def dataset(first, last, seed):
    r = np.random.default_rng(seed)
    time, coords = pd.date_range(first, last), {'lev': [850., 500.], 'lat': np.arange(-60., 61, 30), 'lon': np.arange(0., 360, 60)}
    shape = (len(time), 2, 5, 6)
    ds = xr.Dataset({v: (('time', 'lev', 'lat', 'lon'), r.normal(280, 5, shape).astype('f4'), {'units': 'K'}) for v in ('tas', 'pr')},
                    {'time': time, **coords})
    ds['lat'].attrs['units'], ds['lon'].attrs['units'], ds['lev'].attrs['bounds'] = 'degrees_north', 'degrees_east', 'lev_bnds'
    ds['lev_bnds'] = ('lev', 'bnds'), [[1000., 700.], [700., 400.]]
    return ds


def shell(line):
    """Runs a line where a failure of any command of a pipeline counts."""
    run = axtlib.shell(line)
    return run.returncode, run.stderr.decode().strip()


def make_files():
    dataset('2001-01-01', '2002-12-31', 1).to_netcdf('a.nc', unlimited_dims=['time'])
    dataset('2001-01-01', '2002-12-31', 2).to_netcdf('b.nc')
    dataset('2001-01-01', '2001-12-31', 3).to_netcdf('y2001.nc')
    dataset('2002-01-01', '2002-12-31', 4).to_netcdf('y2002.nc')
    with open('c.csv', 'w') as f:
        f.write('x,y\n1,2\n')
    for line in ("axt-reduce mean --over time --by a.nc:time.month 'a.nc:*' -o clim.nc",
                 "axt-reduce mean --over time --by a.nc:time.dayofyear 'a.nc:*' -o days.nc",
                 "axt-reduce mean --over time --by a.nc:time.season 'a.nc:*' -o seasons.nc", "axt-reduce mean --over time --by a.nc:time.hour 'a.nc:*' -o hours.nc", 'axt-copy a.nc:time -o y.nc',
                 'axt-gt a.nc:tas 0 | axt-reduce all --over time,lev --name mask -o mask.nc', 'axt-make iota x=3 | axt-to c.npy',
                 'axt-make normal c=3 --name u -o u.nc', 'axt-make normal c=3 --seed 2 --name v -o v.nc',
                 'axt-make full:0.2 w=5 --name taps -o taps.nc', "axt-slice lon=:3 'a.nc:*' -o west.nc", "axt-slice lon=3: 'a.nc:*' -o east.nc"):
        assert shell(line) == (0, ''), (line, shell(line))


def keep_files():
    """What run_all puts back before each line, since some lines change a file. Returns how all are."""
    os.mkdir('first')
    for name in os.listdir('.'):
        if name != 'first':
            shutil.copy2(name, 'first')
    return as_they_are()


def as_they_are():
    """Of each file what a change of it changes."""
    return {f.name: (s.st_ino, s.st_size, s.st_mtime_ns) for f in os.scandir('.') if f.is_file() for s in [f.stat()]}


def hint(word):
    """What `axt WORD` says; '' where the word is a command."""
    if os.path.exists(os.path.join(BIN, 'axt-' + word)):
        return ''
    if os.path.exists('c.nc'):  # a hint names no output that is there
        os.remove('c.nc')
    run = subprocess.run([os.path.join(BIN, 'axt'), word, 'x'], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    first, second = run.stderr.splitlines()
    assert run.returncode == 2 and first == f'axt: unknown command "{word}"', run.stderr
    return second.removeprefix('axt: hint: ')


def words_of_table():
    """Every word of the table, with an example for each sign."""
    with open(os.path.join(TOP, 'lib/foreign.def')) as f:
        text = re.sub(r'"\s*\n\s*"', '', re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S))
    rows = re.findall(r'^FOREIGN_(?:LINE|NONE|NAME)\("([^"]*)",', text, re.M)
    return sorted({w.replace('@', 'std1').replace('#', 'sub').replace('*', '1') for r in rows for w in r.split()})


def has_line(h):
    return h.startswith(('axt-', 'axt has no '))


def run_all(t, lines, first):
    """Each line is run where the files are as they were, which is `first`."""
    for line in sorted(lines):
        now = as_they_are()
        if any(now.get(name) != how for name, how in first.items()):
            shell('cp -p -r first/. .')
            first = {name: as_they_are()[name] for name in first}
        if 'c.nc' in now:
            os.remove('c.nc')
        status, err = shell(line)
        if 'lat=y:2:2' in line:  # the last of five latitudes is in no window, as a warning says
            err = re.sub(r'axt-\w+: warning: the last 1 of the 5 elements.*\n?', '', err)
        t.ok(status == 0 or (line.startswith('axt-equal') and status == 1), line, err)
        t.ok(not err, 'nothing is said: ' + line, err)


# words of CDO whose lines give what CDO gives
SAME = ('timmin timmax timsum timrange timstd1 timvar timvar1 fldmax fldsum fldrange zonmean zonmax vertsum '
        'ymonmean ymonstd ydaymean yearmean yearsum yearstd1 monmean monmax monstd seasmean timcumsum timsort invertlat').split()
ARGS = {'sellonlatbox': '0,120,-30,30', 'selyear': '2001', 'sellevel': '850', 'addc': '10',
        'mulc': '10', 'seltimestep': '1/10'}


def values(path):
    with xr.open_dataset(path, decode_times=False) as ds:
        return np.squeeze(ds['tas'].values.astype('f8'))


def names(path):
    with xr.open_dataset(path, decode_times=False) as ds:
        return sorted(v for v in ds.data_vars if v in ('tas', 'pr'))


def compare(t, word, args, line):
    cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', ','.join([word] + args), 'a.nc', 'want.nc'], capture_output=True, text=True)
    status, err = shell('rm -f c.nc; ' + line)
    if not t.ok(cdo.returncode == 0 and status == 0, f'{word}: both run', cdo.stderr + err):
        return
    got, want = values('c.nc'), values('want.nc')
    t.ok(got.shape == want.shape and np.allclose(got, want, rtol=3e-5, atol=1e-3), f'{word}: {line}',
         f'{got.shape} {want.shape}' + ('' if got.shape != want.shape else f' {np.abs(got - want).max()}'))


# whole command lines of CDO, for which `axt` says what is typed here; the last one's dataset is compared
LINES = ['sellonlatbox,0,120,-30,30 a.nc', '-timmean -selvar,tas a.nc', 'timmean -sellonlatbox,0,90,-30,30 a.nc', 'sub a.nc -timmean a.nc',
         'sub -selname,tas a.nc -timmean -selname,tas b.nc', 'ymonsub a.nc -ymonmean a.nc', 'mulc,3 -addc,5 a.nc', 'runmean,3 a.nc',
         'seltimestep,3/9 a.nc', 'seltimestep,1,3,5 a.nc', 'selyear,2002 a.nc', 'seldate,2001-02-01,2001-06-30 a.nc', 'selmon,6/8 a.nc',
         'selmon,1,12 a.nc', 'selseason,JJA a.nc', 'sellevel,500 a.nc', 'ensmean a.nc b.nc', 'mergetime y2001.nc y2002.nc',
         'expr,tas=tas*2+pr a.nc', 'setrtoc,270,275,1 -selvar,tas a.nc', 'gtc,280 a.nc', 'zonmax -vertsum a.nc', 'add a.nc b.nc',
         'sqrt -abs a.nc', 'sub -monmean a.nc -timmean a.nc', 'yearmonmean -monmean a.nc', 'select,name=tas a.nc', 'select,name=tas,level=850 a.nc',
         'select,year=2001,level=850,500,name=tas,pr a.nc', 'timmean -select,level=500,name=tas a.nc', 'timmean -select,name=tas a.nc']
# words with arguments that their lines have no place for, and the first of these
LEFT = [('inttime,2001-01-05,12:00:00,1day', '2001-01-05'), ('timselmean,10,2', '2'), ('select,name=tas,foo=1', 'name=tas'), ('selsmon,3', '3')]


def line_of(line, end=()):
    """What `axt LINE` says is typed here, with what stands behind it."""
    run = subprocess.run([os.path.join(BIN, 'axt'), 'cdo', *line.split(), *end], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return run.stderr.splitlines()[-1].removeprefix('axt: hint: ')


def compare_line(t, line):
    cdo = subprocess.run(['cdo', '-L', '-s', '-O', '-b', 'F64', *line.split(), 'want.nc'], capture_output=True, text=True)
    shell('rm -f c.nc')
    hint_line = line_of(line, ['c.nc'])
    status, err = shell('set -o pipefail; ' + hint_line)
    if not t.ok(cdo.returncode == 0 and (status, err) == (0, ''), f'{line}: both run', cdo.stderr + hint_line + err):
        return
    got, want = values('c.nc'), values('want.nc')
    t.ok(got.shape == want.shape and np.allclose(got, want, rtol=3e-5, atol=1e-3), f'{line}: {hint_line}', f'{got.shape} {want.shape}')
    if 'name=' in line:
        t.ok(names('c.nc') == names('want.nc'), f'{line}: tensors', f"{names('c.nc')} {names('want.nc')}")


# words whose lines give what CDO gives where a tenth of the values is missing, with arguments, and how many files they read
GAPS = [(w, 1) for w in ('timmean timstd timavg fldavg zonavg ymonavg yearavg monavg seasavg timselmean,41 timselavg,41 gridboxmean,2,3 '
                         'gridboxavg,2,3 runmean,5 runavg,5 runpctl,75,6 timcumsum vertmean topvalue bottomvalue nint not setday,9 setmon,1 setyear,1999 shifttime,-1month zonpctl,90 fldpctl,90 bitrounding '
                         'settaxis,1951-01-01,06:00:00,1day settime,12:00:00 shifttime,12hour setreftime,1951-01-01,12:00:00,days '
                         'settunits,hours setcalendar,365_day sorttimestamp').split()] + \
       [(w, 2) for w in 'ensmean ensavg enspctl,50 mergegrid collgrid timcor timrmsd fldcor fldcovar'.split()] + [('timpctl,90', 3)]


def gaps(first, step, seed):
    """Every ninth day of two years, with a tenth of the values missing, on a grid of cells that are nearly squares."""
    r = np.random.default_rng(seed)
    lat, lon = np.arange(-9., 10, 2), first + step*np.arange(12)
    time = pd.date_range('2001-01-01', '2002-12-31', freq='9D')
    x = r.normal(280, 5, (len(time), 2, len(lat), len(lon))).astype('f4')
    x[r.random(x.shape) < 0.1] = np.nan
    ds = xr.Dataset({'tas': (('time', 'lev', 'lat', 'lon'), x, {'units': 'K'})},
                    {'time': time, 'lev': ('lev', [850., 500.], {'bounds': 'lev_bnds', 'positive': 'down', 'units': 'hPa'}), 'lat': ('lat', lat, {'units': 'degrees_north'}),
                     'lon': ('lon', lon, {'units': 'degrees_east'})})
    ds['lev_bnds'] = ('lev', 'bnds'), [[1000., 700.], [700., 600.]]
    return ds, {'tas': {'_FillValue': np.float32(-9e33)}, 'time': {'units': 'days since 2001-01-01', 'calendar': 'standard', 'dtype': 'f8'}}


def times(path):
    with xr.open_dataset(path) as ds:
        return [str(v) for v in ds['time'].values] if 'time' in ds.coords else []


# words that change times, of which the times are compared
TIMES = 'settaxis settime setday setmon setyear shifttime setreftime settunits setcalendar sorttimestamp mergegrid collgrid'.split()


def compare_gaps(t):
    os.mkdir('gaps')
    os.chdir('gaps')
    for name, first, step, seed in (('a.nc', 0., 2., 5), ('same.nc', 0., 2., 6), ('east.nc', 24., 2., 7), ('round.nc', 0., 30., 8)):
        ds, encoding = gaps(first, step, seed)
        ds.to_netcdf(name, encoding=encoding)
    for op in ('timmin', 'timmax'):
        subprocess.run(['cdo', '-s', op, 'a.nc', op + '.nc'], check=True)
    for words, n in GAPS + [('smooth9', 1)]:
        if words == 'smooth9':
            shutil.copy('round.nc', 'a.nc')
        word = words.split(',')[0]
        shutil.copy('east.nc' if word == 'collgrid' else 'same.nc', 'b.nc')
        shell('rm -f c.nc')
        given = {'bitrounding': 'bitrounding,numbits=7'}.get(words, words)
        # a percentile of more values than bins is of a histogram, which so many bins make exact
        cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', given, *(['a.nc', 'b.nc'][:n] if n < 3 else ['a.nc', 'timmin.nc', 'timmax.nc']),
                              'want.nc'], capture_output=True, text=True, env={**os.environ, 'CDO_PCTL_NBINS': '30001'})
        line = line_of(words).replace('y2001', 'a').replace('y2002', 'b')
        status, err = shell(line)
        if not t.ok(cdo.returncode == 0 and status == 0, f'{words}, of gaps: both run', cdo.stderr + line + err):
            continue
        got, want = values('c.nc'), values('want.nc')
        if word.startswith('gridbox'):  # CDO's last boxes are of what is left
            want = want[:, :, :3]
        # correlations and means with areas: CDO's cells have sides that are great circles
        near = 2e-3 if word.startswith('fld') else 3e-5
        t.ok(got.shape == want.shape and np.allclose(got, want, rtol=near, atol=1e-3, equal_nan=True), f'{words}, of gaps: {line}',
             f'{got.shape} {want.shape}' + ('' if got.shape != want.shape else
                                            f' {np.nanmax(np.abs(got - want))} {(np.isnan(got) != np.isnan(want)).sum()}'))
        if word in TIMES:
            t.ok(times('c.nc') == times('want.nc') != [], f'{words}: times', f"{times('c.nc')[:2]} {times('want.nc')[:2]}")
    compare_histograms(t)
    os.chdir('..')


def compare_histograms(t):
    """Of one level, as CDO has them, and with bins that lie where those of the lines do."""
    with xr.open_dataset('same.nc') as ds:
        ds.isel(lev=0, drop=True).to_netcdf('a.nc')
    for word in 'histcount', 'histfreq', 'histsum', 'histmean':
        shell('rm -f c.nc')
        edges = ','.join(str(250 + 3*k) for k in range(21))
        cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', f'{word},{edges}', 'a.nc', 'want.nc'], capture_output=True, text=True)
        line = hint(word).splitlines()[-1].removeprefix('axt: hint: ')
        status, err = shell(line)
        if not t.ok(cdo.returncode == 0 and status == 0, f'{word}: both run', cdo.stderr + line + err):
            continue
        with xr.open_dataset('c.nc') as ds:
            got = next(v for v in ds.values() if 'bin' in v.dims and v.ndim == 3).transpose('bin', 'lat', 'lon').values
        if word == 'histmean':  # that of no value is NaN; CDO's is 0
            got = np.nan_to_num(got)
        t.ok(np.allclose(got, values('want.nc'), rtol=3e-5), f'{word}: {line}')


def main():
    t = Tap()
    os.chdir(scratch())
    make_files()
    first = keep_files()
    words = words_of_table()
    t.ok(len(words) > 600, f'{len(words)} words')
    hints = {w: hint(w) for w in words}
    # names of functions that are no commands, as those of axt-make, have at least the name
    t.ok(all(has_line(h) or h.startswith('did you mean') for h in hints.values() if h), 'every word of the table leads somewhere',
         [(w, h) for w, h in hints.items() if h and not has_line(h)])
    # tiles side by side have other longitudes, and climatologies other groups
    other = {'-concat lon': ('y2001', 'west', 'y2002', 'east'), 'dayofyear@': ('clim', 'days'), 'season@': ('clim', 'seasons'), 'hour@': ('clim', 'hours')}
    run_all(t, {functools.reduce(lambda x, k: x.replace(*other[k][:2]).replace(*other[k][-2:]) if k in x else x, other, h)
                for h in hints.values() if h.startswith('axt-')}, first)
    if not shutil.which('cdo'):
        t.skip('every operator of CDO', 'there is no cdo')
        t.done()
    ops = [line.split()[0] for line in subprocess.run(['cdo', '--operators'], capture_output=True, text=True, check=True).stdout.splitlines()]
    lost = [o for o in ops if (h := hints[o] if o in hints else hint(o)) and not has_line(h)]
    t.ok(len(ops) > 800 and not lost, f'each of the {len(ops)} operators of CDO has a line, or is told to be missing', lost)
    for word in SAME + list(ARGS):
        compare(t, word, [ARGS[word]] if word in ARGS else [], hint(word))
    for line in LINES:
        compare_line(t, line)
    for words, arg in LEFT:
        for line in words, words + ' a.nc c.nc', f'timmean -{words} a.nc c.nc':
            h = line_of(line)
            t.ok(h.startswith(f'axt has no line for "{arg}" of ') or ',foo' in line and 'a.nc' in line and 'axt has no line for "foo=1"' in h,
                 f'{line}: says what its line leaves out', h)
    compare_gaps(t)
    # CDO takes the areas of polygons: the cosine is what they tend to on finer grids
    shell(hint('fldmean'))
    with xr.open_dataset('a.nc') as a:
        want = a['tas'].astype('f8').weighted(np.cos(np.radians(a['lat']))).mean(('lat', 'lon')).values
    t.ok(np.allclose(values('c.nc'), want, rtol=1e-6), 'fldmean: ' + hint('fldmean'))
    t.done()


main()
