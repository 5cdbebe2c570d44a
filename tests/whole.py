#!/usr/bin/python3
"""FILE:* does a command with each tensor of a file: what xarray gives for a whole Dataset, and what single commands give."""
import os

import h5py
import numpy as np
import xarray as xr

import axtlib
from axtlib import Tap, scratch


def shell(line):
    """As axtlib's, with text."""
    run = axtlib.shell(line)
    run.stdout, run.stderr = (x.decode() if isinstance(x, bytes) else x for x in (run.stdout, run.stderr))
    return run


def dataset(seed, groups=False):
    r = np.random.default_rng(seed)
    n = int(r.integers(2, 40))
    ds = xr.Dataset(
        {'tas': (('time', 'lat', 'lon'), r.normal(280, 5, (n, 4, 6)).astype('f4'), {'units': 'K'}),
         'pr': (('time', 'lat', 'lon'), r.random((n, 4, 6))),
         'n': (('lat', 'time'), r.integers(0, 9, (4, n)).astype('i4')),
         'sftlf': (('lat', 'lon'), r.random((4, 6)).astype('f4')),
         'name': (('lat',), np.array(['a', 'bb', 'c', 'ddd']), {'long_name': 'names'}),
         'title': ((), 'text'), 'version': ((), np.float32(2.5))},
        coords={'time': ('time', np.arange(n) * 1.5), 'lat': [-60., -20, 20, 60], 'lon': np.arange(6) * 60.}, attrs={'title': 'T'})
    ds['tas'].values[0, 0, 0] = np.nan
    return ds


def same(got, want, exact=True):
    """Why two Datasets differ; '' where they do not."""
    if set(got.data_vars) != set(want.data_vars):
        return f'{set(got.data_vars)} want {set(want.data_vars)}'
    for k in want.data_vars:
        g, w = got[k], want[k].transpose(*got[k].dims)
        if g.dtype.kind in 'OSU':
            g, w = g.astype(str), w.astype(str)
        if g.dims != w.dims or (g.dtype != w.dtype and g.dtype.kind != 'U'):
            return f'{k}: {g.dims} {g.dtype} want {w.dims} {w.dtype}'
        good = (g.values == w.values).all() if g.dtype.kind == 'U' else \
            np.array_equal(g, w, equal_nan=True) if exact else np.allclose(g, w, rtol=1e-6, equal_nan=True)
        if not good:
            return f'{k}: {g.values.ravel()[:4]} want {w.values.ravel()[:4]}'
        for c in w.coords:
            if c not in g.coords or not np.array_equal(g[c], w[c]):
                return f'{k}: coordinate {c}'
    return ''


def reduced(ds, dims):
    """What is over one of the axes is reduced, the rest stays."""
    out = ds.copy()
    for k, v in ds.data_vars.items():
        d = [x for x in dims if x in v.dims]
        if len(d) == len(dims) and v.dtype.kind in 'fi':
            out[k] = v.astype('f8').mean(d, skipna=True).astype(v.dtype if v.dtype.kind == 'f' else 'f8')
    return out.drop_vars([c for c in out.coords if c in dims and not any(c in v.dims for v in out.data_vars.values())])


def random_files(t, d):
    for seed in range(12):
        ds = dataset(seed)
        enc = {k: {'zlib': True, 'complevel': 1 + seed % 9, 'chunksizes': (1, 2, 3)} for k in ('tas', 'pr')} if seed % 2 else {}
        ds.to_netcdf(f'{d}/a.nc', encoding=enc)
        r = np.random.default_rng(seed)
        dims = [['time'], ['time', 'lat'], ['lon'], ['lat']][int(r.integers(4))]
        run = shell(f"cd {d}; axt-reduce mean --over {','.join(dims)} 'a.nc:*' -o m.nc -q")
        got = xr.open_dataset(f'{d}/m.nc') if run.returncode == 0 else None
        want = reduced(ds, dims)
        t.ok(got is not None and same(got, want, False) == '', f'{seed} mean over {dims} of a whole file',
             run.stderr or (got is not None and same(got, want, False)))
        if got is not None:
            t.ok(got.attrs['title'] == 'T' and 'name' not in got or got['name'].attrs.get('long_name') == 'names',
                 f'{seed} attributes of the file and of text', got.attrs)
            got.close()
        run = shell(f'cd {d}; axt-copy a.nc -o c.nc')
        got = xr.open_dataset(f'{d}/c.nc') if run.returncode == 0 else None
        t.ok(got is not None and same(got, ds) == '', f'{seed} axt-copy of a whole file', run.stderr or (got is not None and same(got, ds)))
        if got is not None:
            kept = [got[k].encoding.get('complevel') for k in ('tas', 'pr')], [got[k].encoding.get('chunksizes') for k in ('tas', 'pr')]
            t.ok(not enc or kept == ([1 + seed % 9] * 2, [(1, 2, 3)] * 2), f'{seed} chunks and compression stay', kept)
            got.close()
        run = shell(f"cd {d}; axt-sub 'a.nc:*' 'c.nc:*' -o z.nc && axt-sub --each a.nc c.nc -o z2.nc && axt-equal z.nc z2.nc")
        t.ok(run.returncode == 0, f'{seed} two whole files, by names; --each', run.stderr)


def slices(t, d):
    ds = dataset(99)
    ds.to_netcdf(f'{d}/s.nc')
    run = shell(f"cd {d}; axt-slice lat@-20:60 's.nc:*' -o o.nc")
    got = xr.open_dataset(f'{d}/o.nc')
    want = ds.sel(lat=slice(-20, 60))
    t.ok(same(got, want) == '' and not run.stderr, 'text along an axis that is cut is cut with it', run.stderr + same(got, want))
    ds.isel(lat=slice(0, 1)).to_netcdf(f'{d}/s1.nc')
    run = shell(f"cd {d}; axt-concat lat 's1.nc:*' 'o.nc:*' -o whole.nc && axt-equal whole.nc s.nc")
    t.ok(run.returncode == 0 and not run.stderr, 'text is put end to end with the tensors', run.stdout + run.stderr)
    run = shell(f"cd {d}; axt-take lat=3,0,1 's.nc:*' -o take.nc; axt-flip lat 's.nc:*' -o flip.nc; axt-slice lat=2 's.nc:[!n]*' -o one.nc")
    for name, want in (('take', ds.isel(lat=[3, 0, 1])), ('flip', ds.isel(lat=slice(None, None, -1))), ('one', ds.isel(lat=2).drop_vars(['n', 'name']))):
        got = xr.open_dataset(f'{d}/{name}.nc')
        t.ok(same(got.reset_coords('lat', drop=True) if name == 'one' else got, want.drop_vars('lat') if name == 'one' else want) == '' and not run.stderr,
             f'{name}: text goes along with the tensors', run.stderr + same(got, want))
    run = shell(f"cd {d}; axt-equal s.nc s.nc && axt-equal s.nc take.nc; axt-equal s.nc:name s.nc:name && axt-equal s.nc:name flip.nc:name")
    t.ok('name: axes differ: lat (4) and lat (3)' in run.stdout and '4 of 4 strings differ, first "a" and "ddd"' in run.stdout and
         'title' not in run.stdout, 'axt-equal compares text', run.stdout + run.stderr)
    run = shell(f"cd {d}; axt-slice y@-20:60 's.nc:*' -o p.nc")
    t.ok(run.returncode == 1 and 'no axis "y" in s.nc:tas' in run.stderr and not os.path.exists(f'{d}/p.nc'),
         'an axis that no tensor has is an error', run.stderr)
    for word, names in (('s.nc:t*', ['tas']), ('s.nc:?', ['n']), ('s.nc:[np]*', ['n', 'pr'])):
        run = shell(f"cd {d}; axt-map negative '{word}' -o q.nc && axt-info --json q.nc | jq -r '.tensors[].name'")
        t.ok(sorted(run.stdout.split()) == names, word, run.stdout + run.stderr)
    run = shell(f"cd {d}; axt-map negative 's.nc:x*' -o r.nc")
    t.ok(run.returncode == 1 and 'no tensor has a name like "x*"' in run.stderr, 'a pattern that nothing fits', run.stderr)


def splits(t, d):
    for seed in range(6):
        ds = dataset(seed).drop_vars('name').assign_coords(time=('time', np.arange(dataset(seed).sizes['time']) * 30.,
                                                                  {'units': 'days since 2001-02-03'}))
        ds.to_netcdf(f'{d}/a.nc')
        ds.close()
        years = xr.decode_cf(ds).time.dt.year
        for line in ("axt-split time.year -P 'y_{}.nc' 'a.nc:*'", "axt-split time.year -P 'y_{}.nc' --each a.nc",
                     "axt-mul --each a.nc 1 | axt-split time.year -P 'y_{}.nc' --each -"):
            run = shell(f'cd {d}; rm -f y_*; {line}')
            bad = run.stderr
            for y in np.unique(years):
                got = xr.open_dataset(f'{d}/y_{y}.nc', decode_times=False)
                want = ds.isel(time=np.flatnonzero(years == y))
                bad = bad or same(got, want) or ('' if got.n.dims == ds.n.dims else 'order of axes')
                got.close()
            t.ok(run.returncode == 0 and not bad, f'{seed} {line}', bad)
        run = shell(f"cd {d}; axt-split lat -P 'l{{}}.nc' --each a.nc")
        bad = run.stderr
        for i in range(ds.sizes['lat']):
            got = xr.open_dataset(f'{d}/l{i}.nc', decode_times=False)
            bad = bad or same(got.set_coords('lat'), ds.isel(lat=i))
            got.close()
        t.ok(run.returncode == 0 and not bad, f'{seed} all tensors by index', bad)
    with h5py.File(f'{d}/u.nc', 'w') as f:
        for g, n in (('a', 3), ('b', 4)):
            f[f'{g}/x'], f[f'{g}/v'] = np.arange(n * 1.), np.zeros(n)
            f[f'{g}/x'].make_scale('x')
            f[f'{g}/v'].dims[0].attach_scale(f[f'{g}/x'])
    run = shell(f"cd {d}; axt-split x -P 'u{{}}.nc' --each u.nc")
    t.ok(run.returncode == 1 and 'axis "x" has length 3 in u.nc:a/v and 4 in u.nc:b/v' in run.stderr.replace(':/', ':'),
         'axes of one name that differ', run.stderr)
    run = shell(f"cd {d}; axt-split z -P 'u{{}}.nc' --each u.nc")
    t.ok(run.returncode == 1 and 'no axis "z"' in run.stderr, 'an axis that no tensor has', run.stderr)
    dataset(7).to_netcdf(f'{d}/n.nc')
    run = shell(f"cd {d}; axt-slice lat=1 --each n.nc -o n1.nc; axt-split lat -P 'n_{{}}.nc' --each n.nc")
    one = shell(f"cd {d}; axt-print n1.nc:name; axt-print n_0.nc:name; axt-print n_3.nc:name").stdout.split()
    t.ok(run.returncode == 0 and not run.stderr and one == ['bb', 'a', 'ddd'], 'of text along an axis that is gone, one string stays', run.stderr + str(one))


def attributes(t, d):
    for n, s in (('g0.h5', 1.), ('g1.h5', 2.)):
        with h5py.File(f'{d}/{n}', 'w') as f:
            f.attrs['layer_names'] = np.array([b'l', b'deep'])
            f['model/l/w'], f['b'] = np.full((2, 3), s), np.zeros(3)
            f['model'].attrs['backend'] = 'tf'
            f['model/l'].attrs['n'] = np.float32(2.5)
            f.create_group('empty/deep').attrs['v'] = np.arange(3)

    def groups_of(file):
        with h5py.File(file, 'r') as f:
            out = {}
            f.visititems(lambda k, v: out.update({k: {a: str(x.astype(str) if isinstance(x, np.bytes_) else np.asarray(x).tolist()) for a, x in v.attrs.items()}}) if isinstance(v, h5py.Group) else None)
            return out
    want = {'empty': {}, 'empty/deep': {'v': '[0, 1, 2]'}, 'model': {'backend': 'tf'}, 'model/l': {'n': '2.5'}}
    for line in ('axt-copy g0.h5 -o o.h5', 'axt-add --each g0.h5 g1.h5 -o o.h5', 'axt-mul --each g0.h5 2 | axt-mul --each - 0.5 -o o.h5',
                 'axt-mul --each g0.h5 2 | cat >o.h5'):
        run = shell(f'cd {d}; {line}')
        got = groups_of(f'{d}/o.h5')
        t.ok(run.returncode == 0 and got == want, f'attributes of groups and empty groups: {line}', run.stderr + str(got))
        t.ok(shell(f'cd {d}; axt-equal --atol 9 --attributes g0.h5 o.h5').returncode == 0, 'axt-equal finds no difference')
    run = shell(f"cd {d}; axt-copy 'g0.h5:/model/' -o o.h5")
    t.ok(groups_of(f'{d}/o.h5').keys() == {'model', 'model/l'}, 'the groups that a pattern means', run.stderr)
    for edit, line in (("f['model'].attrs['backend'] = 'x'", '/model/: attribute "backend" differs'), ("del f['empty/deep']", '/empty/deep/: only in g0.h5'),
                       ("f.create_group('more')", '/more/: only in g2.h5'), ("f.attrs['layer_names'] = 1", '/: attribute "layer_names" differs')):
        shell(f'cd {d}; cp g0.h5 g2.h5')
        with h5py.File(f'{d}/g2.h5', 'r+') as f:
            exec(edit)
        run = shell(f'cd {d}; axt-equal --attributes g0.h5 g2.h5')
        t.ok(run.returncode == 1 and run.stdout.strip() == line, f'axt-equal: {line}', run.stdout + run.stderr)
        t.ok(shell(f'cd {d}; axt-equal g0.h5 g2.h5').returncode == 0, 'without --attributes they are equal')


def groups(t, d):
    r = np.random.default_rng(3)
    layers = {f'model/l{i}/{k}': r.normal(size=s).astype('f4') for i, (s, b) in enumerate((((3, 3, 1, 4), 4), ((3, 3, 4, 8), 8), ((50, 10), 10)))
              for k, s in (('kernel:0', s), ('bias:0', (b,)))}
    with h5py.File(f'{d}/k.h5', 'w') as f:
        for k, v in layers.items():
            f[k] = v
        f['label'] = np.array([b'cat', b'dog'])
        f.attrs['backend'] = 'x'
    for deflate in ('', ' --deflate 1'):
        run = shell(f"cd {d}; axt-mul 'k.h5:*' 2 -o k2.h5{deflate}")
        with h5py.File(f'{d}/k2.h5') as f:
            bad = [k for k, v in layers.items() if k not in f or not np.array_equal(f[k], v * 2)]
            t.ok(not bad and f['label'][()].astype(str).tolist() == ['cat', 'dog'] and f.attrs['backend'] in ('x', b'x'),
                 'layers of one group may have lengths of their own' + deflate, f'{bad} {run.stderr}')
    run = shell(f"cd {d}; axt-reduce norm2 'k.h5:*' -p")
    want = {k: np.linalg.norm(v.astype('f8')) for k, v in layers.items()}
    got = dict(line.split('\t') for line in run.stdout.splitlines())
    t.ok(set(got) == set(want) and all(abs(float(got[k]) - want[k]) < 1e-5 for k in want), 'the norm of each layer', run.stdout)
    run = shell(f"cd {d}; axt-copy k.h5:/model/l1/ -o g.h5; axt-reduce mean 'k.h5:/model/l*/b*' -p | wc -l")
    with h5py.File(f'{d}/g.h5') as f:
        t.ok(sorted(f) == ['model'] and sorted(f['model/l1']) == ['bias:0', 'kernel:0'] and run.stdout.strip() == '3', 'a group', list(f))
    run = shell(f"cd {d}; cp k.h5 l.h5; axt-add 'k.h5:*' 'l.h5:*' | axt-div - 2 -o x.h5; axt-add 'k.h5:*' 'l.h5:*' | axt-copy - -o y.h5 && "
                "axt-mul 'k.h5:*' 2 -o w.h5 && axt-equal y.h5 w.h5")
    t.ok(run.returncode == 0, 'several tensors of groups through a pipe', run.stderr)
    run = shell(f"cd {d}; axt-add 'k.h5:*' 's.nc:*' -o no.h5")
    t.ok(run.returncode == 1 and 's.nc:* has no tensor "model/l0/bias:0", and k.h5:* has' in run.stderr, 'names that one file lacks', run.stderr)


def names(t, d):
    ds = dataset(5)
    ds.to_netcdf(f'{d}/n.nc')
    ds.to_netcdf(f'{d}/n2.nc')
    for text, want in (("mean(tas - 273.15, over=(time,lat,lon), skip_nan=true)", float(np.nanmean(ds.tas.values.astype('f8') - 273.15))),
                       ("sum(sftlf*cos(radians(lat)))", float((ds.sftlf.values * np.cos(np.radians(ds.lat.values))[:, None]).sum()))):
        run = shell(f"axt-calc '{text}' {d}/n.nc -p")
        t.ok(run.returncode == 0 and abs(float(run.stdout) - want) < 1e-3 * abs(want), f'axt-calc names from FILE: {text}', run.stdout + run.stderr)
    run = shell(f"cd {d}; axt-calc 'tas + pr' n.nc n2.nc -p")
    t.ok(run.returncode == 1 and '"tas" is n.nc:/tas and n2.nc:/tas' in run.stderr, 'a name that two files have', run.stderr)
    run = shell(f"cd {d}; axt-make full:4 '' --name two -o two.nc && axt-calc 'x*two - x*4' two.nc 'x=n.nc:*' -o w.nc && axt-reduce max,min --skip-nan 'w.nc:*' -p")
    got = [float(line.split()[1]) for line in run.stdout.splitlines()]
    t.ok(len(got) == 10 and set(got) == {0.0}, 'a file by its names beside a whole file', run.stdout + run.stderr)
    run = shell(f"cd {d}; axt-calc 'tas - x' n.nc:tas x=n2.nc:tas -o e.nc && axt-calc 'sum(abs(e), skip_nan=true)' e=e.nc -p")
    t.ok(run.stdout.strip() == '0', 'FILE:DATASET has its own name', run.stdout + run.stderr)


def main():
    t, d = Tap(), scratch()
    random_files(t, d)
    slices(t, d)
    splits(t, d)
    attributes(t, d)
    groups(t, d)
    names(t, d)
    t.done()


main()
