#!/usr/bin/python3
"""Words of other tools: each command line of lib/foreign.def runs, every operator of CDO has its line, and some lines are
compared with CDO."""
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
    ds['lat'].attrs['units'], ds['lon'].attrs['units'] = 'degrees_north', 'degrees_east'
    return ds


def shell(line):
    run = axtlib.shell(line)
    return run.returncode, run.stderr.decode().strip()


def make_files():
    dataset('2001-01-01', '2002-12-31', 1).to_netcdf('a.nc', unlimited_dims=['time'])
    dataset('2001-01-01', '2002-12-31', 2).to_netcdf('b.nc')
    dataset('2001-01-01', '2001-12-31', 3).to_netcdf('y2001.nc')
    dataset('2002-01-01', '2002-12-31', 4).to_netcdf('y2002.nc')
    with open('c.csv', 'w') as f:
        f.write('x,y\n1,2\n')
    for line in ("axt-reduce mean --over time --by a.nc:time.month 'a.nc:*' -o clim.nc", 'axt-copy a.nc:time -o y.nc',
                 'axt-gt a.nc:tas 0 | axt-reduce all --over time,lev --name mask -o mask.nc', 'axt-make iota x=3 | axt-to c.npy',
                 'axt-make normal c=3 --name u -o u.nc', 'axt-make normal c=3 --seed 2 --name v -o v.nc',
                 'axt-make full:0.2 w=5 --name taps -o taps.nc'):
        assert shell(line) == (0, ''), (line, shell(line))


def keep_files():
    """What run_all puts back before each line, since some lines change a file."""
    os.mkdir('first')
    for name in os.listdir('.'):
        if name != 'first':
            shutil.copy(name, 'first')


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


def run_all(t, lines):
    """Each line is run where the files are as they were."""
    for line in sorted(lines):
        status, err = shell('rm -f c.nc; cp -r first/. .; ' + line)
        if line.startswith('axt-window lat=y:2:2'):  # the last of five latitudes is in no window, as a warning says
            err = re.sub(r'axt-window: warning: the last 1 of the 5 elements.*\n?', '', err)
        t.ok(status == 0 or (line.startswith('axt-equal') and status == 1), line, err)
        t.ok(not err, 'nothing is said: ' + line, err)


# words of CDO whose lines give what CDO gives
SAME = ('timmean timmin timmax timsum timrange timstd timstd1 timvar timvar1 fldmax fldsum fldrange zonmean zonmax vertmean vertsum '
        'ymonmean ymonstd ydaymean yearmean yearsum yearstd1 monmean monmax monstd seasmean timcumsum timsort invertlat').split()
ARGS = {'sellonlatbox': '0,120,-30,30', 'selyear': '2001', 'sellevel': '850', 'runmean': '12', 'timselmean': '12', 'addc': '10',
        'mulc': '10', 'seltimestep': '1/10'}


def values(path):
    with xr.open_dataset(path, decode_times=False) as ds:
        return np.squeeze(ds['tas'].values.astype('f8'))


def compare(t, word, args, line):
    cdo = subprocess.run(['cdo', '-s', '-O', '-b', 'F64', ','.join([word] + args), 'a.nc', 'want.nc'], capture_output=True, text=True)
    status, err = shell('rm -f c.nc; ' + line)
    if not t.ok(cdo.returncode == 0 and status == 0, f'{word}: both run', cdo.stderr + err):
        return
    got, want = values('c.nc'), values('want.nc')
    if word == 'timselmean':  # CDO's last one is of what is left
        want = want[:len(got)]
    t.ok(got.shape == want.shape and np.allclose(got, want, rtol=3e-5, atol=1e-3), f'{word}: {line}',
         f'{got.shape} {want.shape}' + ('' if got.shape != want.shape else f' {np.abs(got - want).max()}'))


# whole command lines of CDO, for which `axt` says what is typed here; the last one's dataset is compared
LINES = ['sellonlatbox,0,120,-30,30 a.nc', '-timmean -selvar,tas a.nc', 'timmean -sellonlatbox,0,90,-30,30 a.nc', 'sub a.nc -timmean a.nc',
         'sub -selname,tas a.nc -timmean -selname,tas b.nc', 'ymonsub a.nc -ymonmean a.nc', 'mulc,3 -addc,5 a.nc', 'runmean,3 a.nc',
         'seltimestep,3/9 a.nc', 'seltimestep,1,3,5 a.nc', 'selyear,2002 a.nc', 'seldate,2001-02-01,2001-06-30 a.nc', 'selmon,6/8 a.nc',
         'selmon,1,12 a.nc', 'selseason,JJA a.nc', 'sellevel,500 a.nc', 'ensmean a.nc b.nc', 'mergetime y2001.nc y2002.nc',
         'expr,tas=tas*2+pr a.nc', 'setrtoc,270,275,1 -selvar,tas a.nc', 'gtc,280 a.nc', 'zonmax -vertsum a.nc', 'add a.nc b.nc',
         'sqrt -abs a.nc', 'sub -monmean a.nc -timmean a.nc']


def line_of(line):
    """What `axt LINE c.nc` says is typed here."""
    run = subprocess.run([os.path.join(BIN, 'axt'), 'cdo', *line.split(), 'c.nc'], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return run.stderr.splitlines()[-1].removeprefix('axt: hint: ')


def compare_line(t, line):
    cdo = subprocess.run(['cdo', '-L', '-s', '-O', '-b', 'F64', *line.split(), 'want.nc'], capture_output=True, text=True)
    shell('rm -f c.nc')
    hint_line = line_of(line)
    status, err = shell('set -o pipefail; ' + hint_line)
    if not t.ok(cdo.returncode == 0 and (status, err) == (0, ''), f'{line}: both run', cdo.stderr + hint_line + err):
        return
    got, want = values('c.nc'), values('want.nc')
    t.ok(got.shape == want.shape and np.allclose(got, want, rtol=3e-5, atol=1e-3), f'{line}: {hint_line}', f'{got.shape} {want.shape}')


def main():
    t = Tap()
    os.chdir(scratch())
    make_files()
    keep_files()
    words = words_of_table()
    t.ok(len(words) > 600, f'{len(words)} words')
    hints = {w: hint(w) for w in words}
    # names of functions that are no commands, as those of axt-make, have at least the name
    t.ok(all(has_line(h) or h.startswith('did you mean') for h in hints.values() if h), 'every word of the table leads somewhere',
         [(w, h) for w, h in hints.items() if h and not has_line(h)])
    run_all(t, {h for h in hints.values() if h.startswith('axt-')})
    if not shutil.which('cdo'):
        t.skip('every operator of CDO', 'there is no cdo')
        t.done()
    ops = [line.split()[0] for line in subprocess.run(['cdo', '--operators'], capture_output=True, text=True, check=True).stdout.splitlines()]
    lost = [o for o in ops if (h := hint(o)) and not has_line(h)]
    t.ok(len(ops) > 800 and not lost, f'each of the {len(ops)} operators of CDO has a line, or is told to be missing', lost)
    for word in SAME + list(ARGS):
        compare(t, word, [ARGS[word]] if word in ARGS else [], hint(word))
    for line in LINES:
        compare_line(t, line)
    # CDO takes the areas of polygons: the cosine is what they tend to on finer grids
    shell(hint('fldmean'))
    with xr.open_dataset('a.nc') as a:
        want = a['tas'].astype('f8').weighted(np.cos(np.radians(a['lat']))).mean(('lat', 'lon')).values
    t.ok(np.allclose(values('c.nc'), want, rtol=1e-6), 'fldmean: ' + hint('fldmean'))
    t.done()


main()
