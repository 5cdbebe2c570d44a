#!/usr/bin/python3
"""The operators of CDO and programs of NCO that scripts use most, as scripts type them: climate_words.py [--page].

Each row of cases/climate.tsv is a command line of theirs, and what is known of the line that `axt LINE` gives for it. Both are run on
the same files, whose tensors have gaps, and all tensors that theirs writes are compared: missing where theirs are, and equal to one unit
in the last place of their dtype. Rows: "equal"; "differs", the largest difference of a value relative to theirs ("-": other ones), and why; "text": a
report of another form; "alone": theirs cannot be run here; "none": axt has no line. The page axt-climate(7) has the same rows; --page writes its table to standard output.
"""
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import xarray as xr

from axtlib import BIN, TOP, Tap, scratch, shell

TABLE, PAGE = os.path.join(TOP, 'tests/cases/climate.tsv'), os.path.join(TOP, 'man/axt-climate.7')
# words whose times are compared as well; reductions over time drop the axis, and periods have their middles
TIMES = ('mergetime selyear sub seltimestep seldate selmon selmonth selseas selseason selhour shifttime settaxis settime setdate '
         'setreftime setcalendar cat runmean timselmean ncrcat').split()
# theirs write files whose names begin so
SPLIT = ('splitlevel', 'splitname')
TEXT = 'griddes ntime showname showyear sinfo info output outputf zaxisdes'.split()


def field(time, seed):
    """Two tensors on a global grid of 18 by 30 degrees with two levels and 3 % of gaps."""
    r = np.random.default_rng(seed)
    ds = xr.Dataset(coords={'time': time, 'lev': ('lev', [850., 500.], {'units': 'hPa', 'positive': 'down', 'bounds': 'lev_bnds', 'axis': 'Z'}),
                            'lat': ('lat', np.arange(-81., 82, 18), {'units': 'degrees_north', 'standard_name': 'latitude', 'axis': 'Y'}),
                            'lon': ('lon', np.arange(0., 360, 30), {'units': 'degrees_east', 'standard_name': 'longitude', 'axis': 'X'})})
    for name in 'tas', 'pr':
        x = r.normal(280, 5, (len(time), 2, 10, 12)).astype('f4')
        x[r.random(x.shape) < .03] = np.nan
        ds[name] = ('time', 'lev', 'lat', 'lon'), x, {'units': 'K'}
    ds['lev_bnds'] = ('lev', 'bnds'), [[1000., 700.], [700., 400.]]
    return ds


def put(ds, path):
    encoding = {v: {'_FillValue': np.float32(1e20)} for v in ds.data_vars if v != 'lev_bnds'}
    ds.to_netcdf(path, encoding={**encoding, 'time': {'units': 'days since 2001-01-01', 'calendar': 'standard', 'dtype': 'f8'}},
                 unlimited_dims=['time'])


def make_files():
    time = pd.date_range('2001-01-01 12:00', '2002-12-31 12:00')
    put(field(time, 1), 'a.nc')
    put(field(time, 2), 'b.nc')
    put(field(time[:365], 3), 'y2001.nc')
    put(field(time[365:], 4), 'y2002.nc')
    put(field(pd.date_range('2001-01-01', '2001-01-20', freq='6h'), 5), 'h.nc')
    put(field(time, 6)[['tas']].rename(tas='q'), 'q.nc')
    put(field(time, 7)[['tas']], 't.nc')
    z = field(time, 8)
    z['tas'], z['pr'] = z.tas.round() - 280, z.pr.round() - 280
    put(z, 'z.nc')
    m = field(time, 9)
    m['mask'] = (m.tas > 280).astype('f4').where(m.tas.notnull())
    put(m[['mask']], 'mask.nc')
    if shutil.which('cdo'):
        subprocess.run(['cdo', '-s', 'gencon,r36x18', '-setmisstoc,0', 'a.nc', 'weights.nc'], check=False, capture_output=True)


def rows():
    with open(TABLE) as f:
        for line in f:
            theirs, verdict, bound, why = (line.rstrip('\n').split('\t') + ['', ''])[:4]
            yield theirs, verdict, float(bound) if bound not in ('', '-') else np.inf, why


def ours(theirs, out=True):
    """The line that axt gives for theirs; '' if it has none."""
    p = subprocess.run([os.path.join(BIN, 'axt'), *theirs.split(' '), *(['c.nc'] if out else [])], capture_output=True, text=True,
                       stdin=subprocess.DEVNULL)
    last = (p.stderr.splitlines() or [''])[-1].removeprefix('axt: hint: ')
    return last if last.startswith('axt-') else ''


def run_theirs(theirs, word):
    words = theirs.split(' ')
    if words[0] == 'cdo':
        words[1:1] = ['-s', '-O', '-L']
        out = [] if word in TEXT else ['want_'] if word in SPLIT else ['want.nc'] + ['slope.nc']*(word == 'trend')
    else:
        words[1:1], out = ['-O'], ['want.nc']
    # so many bins make percentiles over times exact
    return subprocess.run(words + out, capture_output=True, text=True, env={**os.environ, 'CDO_PCTL_NBINS': '30001'}, check=False)


def tensors(path):
    """The tensors of a file, without axes of length 1, bounds and coordinates, also those that became scalars."""
    with xr.open_dataset(path, decode_times=False) as ds:
        return {k: v.squeeze().load() for k, v in ds.data_vars.items() if not re.search('bnds$|^(lat|lon|lev|time)$', k) and v.dtype.kind in 'fiu'}


def times(path):
    with xr.open_dataset(path, use_cftime=True) as ds:
        return [str(v) for v in np.atleast_1d(ds['time'].values)] if 'time' in ds.variables else []


def compare(got, want):
    """What is wrong with a tensor ('' if it is equal), and its largest difference relative to theirs."""
    if set(got.dims) == set(want.dims):
        got = got.transpose(*want.dims)
    if got.shape != want.shape:
        return f'shape {got.dims} {got.shape}, theirs {want.dims} {want.shape}', np.inf
    if got.dtype != want.dtype:
        return f'dtype {got.dtype}, theirs {want.dtype}', np.inf
    a, b = got.values.astype('f8'), want.values.astype('f8')
    gaps, both = int((np.isnan(a) != np.isnan(b)).sum()), ~(np.isnan(a) | np.isnan(b))
    d, size = np.abs(a - b)[both], np.abs(b)[both]
    far = d > (np.spacing(size.astype(want.dtype)).astype('f8') if want.dtype.kind == 'f' else 0)
    rel = float((d[far]/np.maximum(size[far], 1e-30)).max()) if far.any() else 0
    return f'{gaps} other gaps, {far.sum()} values differ by up to {rel:.2g}' if gaps or rel else '', rel


def compare_files(pairs):
    wrong, most = [], 0
    for c, want in pairs:
        theirs, mine = tensors(want), tensors(c)
        if len(theirs) == len(mine) == 1:  # a file of one tensor, which may have another name
            mine = dict(zip(theirs, mine.values()))
        mine = {k.removesuffix('_slope') if k != 'slope' else next(iter(theirs)): v for k, v in mine.items()}
        for name, x in theirs.items():
            why, rel = compare(mine[name], x) if name in mine else ('missing', np.inf)
            most = max(most, rel)
            if why:
                wrong.append(f'{name}: {why}')
    return wrong, most


def by_number(pattern):
    return sorted((f for f in os.listdir('.') if re.fullmatch(pattern, f)), key=lambda f: [int(n) for n in re.findall(r'\d+', f)] or [f[-9:]])


def results(theirs, word, out):
    """Pairs of files to compare, or what is wrong with what is printed."""
    if word in TEXT:
        mine = out[0].decode()
        if word == 'showyear':
            mine = ' '.join(line.split(',')[0] for line in mine.splitlines()[1:])
        return [] if mine.split() == out[1].split() else [f'{mine[:60]}, theirs {out[1][:60]}']
    if word == 'splitlevel':
        return list(zip(by_number(r'tas_\d+\.nc'), by_number(r'want_\d+\.nc')))
    if word == 'splitname':
        return [(name + '.nc', f'want_{name}.nc') for name in ('tas', 'pr')]
    if word == 'trend':
        return [('c.nc', 'slope.nc')]
    return [('c.nc', 'want.nc')]


def check(t, theirs, verdict, bound):
    word = re.split('[ ,]', theirs.removeprefix('cdo '))[0]
    for name in os.listdir('.'):
        if name != 'first' and (not os.path.exists('first/' + name) or not os.path.samefile(name, 'first/' + name)):
            os.remove(name)
    for name in os.listdir('first'):
        if not os.path.exists(name):
            os.link('first/' + name, name)
    line = ours(theirs, word not in TEXT and word not in SPLIT)
    if verdict == 'none':
        t.ok(not line or word == 'apply', f'{theirs}: no line', line)
        return
    run = shell(line)
    if verdict == 'alone':
        t.ok(run.returncode == 0, f'{theirs}: {line}', run.stderr.decode())
        return
    p = run_theirs(theirs, word)
    err = re.sub(r'axt-\w+: warning: .*\n?', '', run.stderr.decode())
    if not t.ok(line and p.returncode == 0 and run.returncode == 0 and not err, f'{theirs}: both run', f'{line}\n{p.stderr}{err}'):
        return
    if verdict == 'text':
        t.ok(len(run.stdout) > 20, f'{theirs}: {line}')
        return
    pairs = results(theirs, word, (run.stdout, p.stdout))
    if word in TEXT:
        wrong, most = pairs, 0
    else:
        wrong, most = compare_files(pairs)
        if word in ('select', 'selname', 'selvar') and set(tensors('c.nc')) != set(tensors('want.nc')):
            wrong.append(f"tensors {set(tensors('c.nc'))}, theirs {set(tensors('want.nc'))}")
        if word in TIMES and times('c.nc') != times('want.nc'):
            wrong.append(f"times {times('c.nc')[:2]}, theirs {times('want.nc')[:2]}")
    if verdict == 'equal':
        t.ok(not wrong, f'{theirs}: {line}', '\n'.join(wrong))
    else:
        t.ok(wrong and most <= bound, f'{theirs}: differs: {line}', '\n'.join(wrong) or 'it is equal')


def table():
    """The table of the page, of rows in the order of their words."""
    out = ['.Bl -tag -width Ds']
    for theirs, verdict, bound, why in rows():
        if verdict == 'none' and why == '-':
            why = ''
        shown = theirs.replace(' a.nc', '', 1) if theirs.startswith('cdo') and theirs.endswith(' a.nc') and theirs.count(' ') == 2 else theirs
        out.append(f'.It Li "{shown.removeprefix("cdo ")}"')
        if verdict != 'none':
            line = ours(theirs, not any(w in theirs for w in TEXT) and not any(w in theirs for w in SPLIT))
            out.append('.D1 Li "' + line.replace('\\', '\\e').replace('"', '""') + '"')
        if verdict == 'none':
            out.append('There is no line' + (f': {why}.' if why else '.'))
        elif verdict == 'differs':
            out.append(f'Values differ by up to {bound:g} of theirs: {why}.' if 0 < bound < np.inf else f'{why[0].upper()}{why[1:]}.')
        elif verdict == 'alone':
            out.append(f'Not compared: {why}.')
        elif verdict == 'text':
            out.append(f'Prints something else: {why}.')
    return '\n'.join(out + ['.El']) + '\n'


def main():
    os.chdir(scratch())
    os.mkdir('first')
    make_files()
    for name in os.listdir('.'):
        if name != 'first':
            os.link(name, 'first/' + name)
    if '--page' in sys.argv:
        sys.stdout.write(table())
        return
    t = Tap()
    with open(PAGE) as f:
        t.ok(table() in f.read(), 'axt-climate(7) has these rows: tests/climate_words.py --page')
    if not shutil.which('cdo') or not shutil.which('ncks'):
        t.skip('words of CDO and NCO', 'there is no cdo, or no ncks')
        t.done()
    count = {}
    for theirs, verdict, bound, _ in rows():
        count[verdict] = count.get(verdict, 0) + 1
        check(t, theirs, verdict, bound)
    print('# ' + ', '.join(f'{n} {v}' for v, n in count.items()))
    t.done()


main()
