#!/usr/bin/python3
"""EOFs against NumPy's SVD of the weighted anomalies, of random data with gaps: eof.py [CASES [SEED]]."""
import importlib.util
import os
import shutil

import h5py
import numpy as np
import xarray as xr

from axtlib import Tap, isas, random_cases, scratch, shell

NAMES = ['eof', 'pc', 'eigenvalues', 'explained_variance', 'north_error']


class Case:
    def __init__(self, seed):
        r = self.r = np.random.default_rng(seed)
        self.n, self.shape = int(r.integers(2, 70)), [(7,), (3, 4), (9, 11), (5, 2, 8)][int(r.integers(4))]
        self.dtype = str(r.choice(['f4', 'f8', 'i2']))
        p, k = int(np.prod(self.shape)), min(self.n, 5)
        x = (r.standard_normal((self.n, k)) * 3.0 ** -np.arange(k)) @ r.standard_normal((k, p))
        x = x + .01 * r.standard_normal(x.shape) + r.normal(0, 30, p)
        if self.dtype == 'i2':
            x = np.rint(x * 50)
        elif r.random() < .6:
            x[:, r.random(p) < .2] = np.nan
            x[r.random(x.shape) < .02] = np.nan
        self.a = x.reshape((self.n,) + self.shape).astype(self.dtype)
        self.axes = ['t'] + list('ijk'[:len(self.shape)])
        self.w = r.random(self.shape[-1:]) if r.random() < .5 else None
        self.standardize, self.center = r.random() < .3, r.random() < .8
        self.missing = int(r.choice([0, 0, 20, 60]))
        self.ddof = float(r.choice([1, 1, 0]))
        most = min(self.n - self.center, p)
        self.modes = int(r.integers(1, min(most, 6) + 1))
        self.order = list(r.permutation(len(self.axes)))
        self.where = (f'{self.dtype} {self.n} x {self.shape} order {self.order} weights {self.w is not None} standardize '
                      f'{self.standardize} center {self.center} missing {self.missing} modes {self.modes}')

    def want(self):
        x = self.a.astype('f8').reshape(self.n, -1)
        got = ~np.isnan(x)
        there = got.sum(0) >= max(1, np.ceil(self.n * (1 - self.missing / 100) - 1e-9))
        x = np.where(there, x, 0)
        mean = np.nanmean(x, 0)
        sd = np.sqrt(np.nansum((x - mean) ** 2, 0) / np.maximum(np.isfinite(x).sum(0) - self.ddof, 0))
        y = x - mean if self.center else x
        if self.standardize:
            there &= (sd > 0) & np.isfinite(sd)
            y = y / np.where(there, sd, 1)
        if self.w is not None:
            y = y * np.sqrt(np.broadcast_to(self.w, self.shape).ravel())
        y = np.where(there, np.nan_to_num(y), 0)
        u, s, v = np.linalg.svd(y, full_matrices=False)
        sign = np.where(v.max(1) >= -v.min(1), 1, -1)
        u, v = u * sign, v * sign[:, None]
        m = self.modes
        value = s ** 2 / (self.n - self.ddof)
        return s, there, {
            'eof': np.where(there, v[:m], np.nan).reshape((m,) + self.shape), 'pc': (u * s).T[:m],
            'eigenvalues': value[:m], 'explained_variance': (s ** 2 / (s ** 2).sum())[:m],
            'north_error': (value * np.sqrt(2 / self.n))[:m]}

    def check(self):
        with h5py.File('i.h5', 'w') as f:
            d = f.create_dataset('a', data=self.a.transpose(self.order))
            for i, x in enumerate(self.order):
                d.dims[i].label = self.axes[x]
            if self.w is not None:
                f.create_dataset('w', data=self.w).dims[0].label = self.axes[-1]
        line = f'axt-eof --over t --modes {self.modes} --ddof {self.ddof:g} --missing {self.missing} i.h5:a'
        line += ' --weights i.h5:w' * (self.w is not None) + ' --standardize' * self.standardize
        line += ' --no-center' * (not self.center)
        s, there, want = self.want()
        r = shell(line + ' -o o.h5 --force')
        if not there.any() or s[0] == 0 or self.n <= self.ddof:
            return
        if r.returncode or r.stderr:
            raise AssertionError(r.stderr.decode())
        # a mode is as well determined as its singular value is far from the next ones, and above rounding
        gap = np.abs(s[:, None] - s[None, :]) + np.where(np.eye(len(s)), np.inf, 0)
        sure = (gap.min(1) > 1e-3 * s[0]) & (s > 1e-4 * s[0])
        rest = [i for i in range(len(self.axes)) if self.order[i]]
        with h5py.File('o.h5') as f:
            for k in NAMES:
                have = f[k][...]
                if k == 'eof':
                    back = np.argsort([self.order[i] for i in rest])
                    have = have.transpose([0] + [1 + int(i) for i in back])
                b = want[k]
                if have.shape != b.shape or have.dtype != ('f4' if self.dtype == 'f4' and k in NAMES[:2] else 'f8'):
                    raise AssertionError(f'{k}: {have.dtype} {have.shape}, not {b.shape}')
                for i in range(self.modes):
                    tie = np.nanmax(want['eof'][i]) / -np.nanmin(want['eof'][i]) if k in NAMES[:2] else 0
                    if k in NAMES[:2] and (not sure[i] or abs(tie - 1) < 1e-4):
                        continue
                    scale = {'eof': 1, 'pc': s[i], 'explained_variance': 1}.get(k, want['eigenvalues'][0])
                    bad = np.abs(np.asarray(have[i], 'f8') - b[i]) > 1e-6 * scale
                    if bad.any() or (np.isnan(have[i]) != np.isnan(b[i])).any():
                        raise AssertionError(f'{k} {i}: off by {np.nanmax(np.abs(have[i] - b[i])) / scale}')


def bits(t):
    """The same bits for any number of threads, slabs and tiles, of a small matrix."""
    r = np.random.default_rng(3)
    with h5py.File('i.h5', 'w') as f:
        d = f.create_dataset('a', data=r.standard_normal((30, 40, 50)).astype('f4'), chunks=(7, 9, 50), compression=1)
        for i, x in enumerate('tij'):
            d.dims[i].label = x
    want = None
    for how in ('AXT_THREADS=1', 'AXT_THREADS=3', 'AXT_TILE=500', 'AXT_SLAB=20000', f'AXT_ISA={isas()[0]}', 'AXT_MEMORY=3M'):
        r = shell(f'{how} axt-eof --over t --rotate varimax i.h5:a -o o.h5 --force')
        if r.returncode == 0:
            with h5py.File('o.h5') as f:
                turned = f['eof'][...]
            first = turned if how == 'AXT_THREADS=1' else first
            t.ok((turned == first).all(), f'rotated, the same bits with {how}')
        r = shell(f'{how} axt-eof --over t i.h5:a -o o.h5 --force')
        if r.returncode:
            t.ok(False, how, r.stderr.decode())
            continue
        with h5py.File('o.h5') as f:
            have = [f[k][...] for k in NAMES]
        want = want or have
        t.ok(all((a == b).all() for a, b in zip(have, want)), f'the same bits with {how}')


def kept(t):
    """--keep: each level as by itself; several axes of samples as one."""
    r = np.random.default_rng(4)
    a = r.standard_normal((4, 20, 3, 6))
    with h5py.File('i.h5', 'w') as f:
        d = f.create_dataset('a', data=a)
        for i, x in enumerate(['m', 't', 'l', 'x']):
            d.dims[i].label = x
    shell('axt-eof --over m,t --keep l --modes 3 i.h5:a -o all.h5')
    for i in range(3):
        shell(f'axt-slice l={i} i.h5:a | axt-eof --over m,t --modes 3 -o one.h5 --force')
        with h5py.File('all.h5') as f, h5py.File('one.h5') as o:
            t.ok(all(np.allclose(f[k][i], o[k][...], atol=1e-12) for k in NAMES), f'level {i} as by itself')
            t.ok(f['pc'].shape == (3, 3, 4, 20) and np.allclose(
                f['pc'][i].reshape(3, -1), f['eof'][i] @ (a[:, :, i] - a[:, :, i].mean((0, 1))).reshape(80, 6).T),
                 'pc of two axes of samples')


def cdo(t):
    """cdo eof of anomalies: its patterns up to their signs, its eigenvalues with ddof 0."""
    if not shutil.which('cdo'):
        t.skip('cdo eof', 'no cdo')
        return
    r = np.random.default_rng(5)
    lat, lon = np.arange(-75, 90, 30.), np.arange(0, 360, 45.)
    x = (r.standard_normal((25, 3)) * [5, 3, 1]) @ r.standard_normal((3, 48)) + .1 * r.standard_normal((25, 48))
    d = xr.Dataset({'x': (('time', 'lat', 'lon'), (x - x.mean(0)).reshape(25, 6, 8).astype('f4'))},
                   {'time': ('time', np.arange(25.), {'units': 'days since 2000-01-01'}),
                    'lat': ('lat', lat, {'units': 'degrees_north'}), 'lon': ('lon', lon, {'units': 'degrees_east'})})
    d.to_netcdf('c.nc')
    a = shell('CDO_WEIGHT_MODE=off cdo -s -O eof,3 c.nc value.nc eof.nc')
    b = shell('axt-eof --over time --modes 3 --ddof 0 c.nc:x -o o.h5 --force')
    if not t.ok(a.returncode == b.returncode == 0, 'cdo eof runs', a.stderr + b.stderr):
        return
    with xr.open_dataset('value.nc', decode_times=False) as v, xr.open_dataset('eof.nc', decode_times=False) as e, \
            h5py.File('o.h5') as f:
        t.ok(np.allclose(v.x.values.ravel()[:3], f['eigenvalues'][...], rtol=1e-5), 'eigenvalues of cdo eof')
        sign = np.sign((e.x.values[:3] * f['eof'][...]).sum((1, 2)))[:, None, None]
        t.ok(np.allclose(e.x.values[:3] * sign, f['eof'][...], atol=1e-5), 'patterns of cdo eof')


def put(name, a, lat, lon):
    """A tensor over time, lat, lon."""
    with h5py.File(name, 'w') as f:
        for k, v in (('time', np.arange(float(len(a)))), ('lat', lat), ('lon', lon)):
            f[k] = v
            f[k].make_scale(k)
        f['lat'].attrs['units'], f['lon'].attrs['units'] = 'degrees_north', 'degrees_east'
        d = f.create_dataset('a', data=a)
        for i, k in enumerate(('time', 'lat', 'lon')):
            d.dims[i].attach_scale(f[k])


def results(line, names):
    r = shell(line + ' -o o.h5 --force')
    if r.returncode or r.stderr:
        raise AssertionError(r.stderr.decode())
    with h5py.File('o.h5') as f:
        return {k: f[k][...] for k in names}


PAIRS = ['left_eof', 'left_pc', 'right_eof', 'right_pc', 'covariance', 'covariance_fraction']


class Pair:
    """Two fields that share k series, of other places, and more or fewer of them than samples."""

    def __init__(self, seed):
        r = np.random.default_rng(seed)
        self.n, self.k = int(r.integers(8, 50)), int(r.integers(2, 5))
        self.lat = [np.linspace(-60, 70, int(r.integers(2, 7))), np.linspace(-30, 50, int(r.integers(2, 9)))]
        self.lon = [np.arange(int(r.integers(2, 9))) * 40., np.arange(int(r.integers(2, 9))) * 10.]
        t = r.standard_normal((self.n, self.k)) * 4 * 2.0 ** -np.arange(self.k)
        self.a = []
        for lat, lon in zip(self.lat, self.lon):
            p = len(lat) * len(lon)
            x = t @ (r.standard_normal((self.k, p)) * (r.random((self.k, p)) < .6)) + .05 * r.standard_normal((self.n, p))
            self.a.append(x.reshape(self.n, len(lat), len(lon)))
        self.area, self.gap = r.random() < .5, r.random() < .3
        if self.gap:
            self.a[0][:, 0, 0] = self.a[1][2, -1, -1] = np.nan
        self.modes = min([self.k, self.n - 1] + [len(x) * len(y) - self.gap for x, y in zip(self.lat, self.lon)])
        self.where = f'{self.n} x {self.a[0].shape[1:]} and {self.a[1].shape[1:]} area {self.area} gap {self.gap}'
        for i in range(2):
            put('ab'[i] + '.h5', self.a[i], self.lat[i], self.lon[i])
        self.opts = f' --over time --modes {self.modes}' + ' --weights area' * self.area

    def anomalies(self, i):
        x = self.a[i] - self.a[i].mean(0)
        if self.area:
            x = x * np.sqrt(np.cos(np.radians(self.lat[i])))[:, None]
        return np.nan_to_num(x).reshape(self.n, -1), np.isnan(x.mean(0)).ravel()

    def near(self, what, have, want, sure=slice(None)):
        want, have = np.asarray(want), np.asarray(have)
        scale = np.nanmax(np.abs(want))
        if have.shape != want.shape or not np.allclose(have[sure], want[sure], atol=1e-6 * scale, equal_nan=True):
            raise AssertionError(f'{what}: off by {np.nanmax(np.abs(have - want)) / scale}')

    def pairs(self):
        (x, gx), (y, gy) = self.anomalies(0), self.anomalies(1)
        u, s, v = np.linalg.svd(x.T @ y, full_matrices=False)
        m = self.modes
        sure = [i for i in range(m) if min(abs(np.delete(s, i) - s[i])) > 1e-3 * s[0] and s[i] > 1e-6 * s[0]]
        sign = np.where(u.max(0) >= -u.min(0), 1, -1)[:m]
        u, v = u[:, :m] * sign, v[:m].T * sign
        d = results(f'axt-eof{self.opts} a.h5:a --against b.h5:a', PAIRS)
        for k, e, z, gap in (('left', u, x, gx), ('right', v, y, gy)):
            self.near(k + '_pc', d[k + '_pc'], (z @ e).T, sure)
            e[gap] = np.nan
            self.near(k + '_eof', d[k + '_eof'].reshape(m, -1), e.T, sure)
        self.near('covariance', d['covariance'], s[:m] / (self.n - 1))
        self.near('covariance_fraction', d['covariance_fraction'], (s ** 2 / (s ** 2).sum())[:m])

    def rotated(self):
        """Where no pair of modes can be turned to have more variance of squares, as by varimax with Kaiser's rows."""
        plain = results(f'axt-eof{self.opts} a.h5:a', NAMES)
        d = results(f'axt-eof{self.opts} --rotate varimax a.h5:a', NAMES)
        m, (x, gap) = self.modes, self.anomalies(0)
        e, f = d['eof'].reshape(m, -1)[:, ~gap].T, plain['eof'].reshape(m, -1)[:, ~gap].T
        have, was = e * np.sqrt(d['eigenvalues']), f * np.sqrt(plain['eigenvalues'])
        r = np.linalg.lstsq(was, have, rcond=None)[0]
        self.near('rotation', r.T @ r, np.eye(m))
        self.near('loadings', was @ r, have)
        self.near('length', (e ** 2).sum(0), np.ones(m))
        self.near('pc', d['pc'] @ d['pc'].T / (self.n - 1), np.diag(d['eigenvalues']))
        self.near('sum of modes', e @ d['pc'], f @ plain['pc'])
        assert (np.diff(d['eigenvalues']) <= 0).all() and (e.max(0) >= -e.min(0)).all(), 'order, signs'
        self.near('fraction', d['explained_variance'], d['eigenvalues'] / (x ** 2).sum() * (self.n - 1))
        rows = have / np.sqrt((have ** 2).sum(1, keepdims=True))
        for p in range(m):
            for q in range(p):
                a = np.linspace(0, np.pi / 2, 181)
                two = [rows[:, [p]] * np.cos(a) + rows[:, [q]] * np.sin(a),
                       rows[:, [q]] * np.cos(a) - rows[:, [p]] * np.sin(a)]
                var = sum((z ** 2).var(0) for z in two)
                assert var[0] >= var.max() * (1 - 1e-12), f'modes {q} and {p} have more variance at another angle'

    def check(self):
        self.pairs()
        self.rotated()


def peers(t):
    """eofs and xeofs, up to signs."""
    if not all(importlib.util.find_spec(x) for x in ('eofs', 'xeofs', 'statsmodels')):
        t.skip('eofs and xeofs', 'not installed')
        return
    from eofs.standard import Eof
    from xeofs.cross import MCA
    from xeofs.single import EOF, EOFRotator
    for seed in range(20):
        c = Pair(seed + 900)
        lat, m = c.lat[0], c.modes
        if c.gap or m < 2:
            continue
        da = [xr.DataArray(a, dims=('time', 'lat', 'lon'), coords={'time': np.arange(c.n), 'lat': y, 'lon': x})
              for a, y, x in zip(c.a, c.lat, c.lon)]
        w = np.sqrt(np.cos(np.radians(lat)))[:, None] if c.area else None
        d, e = results(f'axt-eof{c.opts} a.h5:a', NAMES), Eof(c.a[0], weights=w)
        x = EOF(n_modes=m, use_coslat=c.area, solver='full')
        x.fit(da[0], dim='time')
        rot = EOFRotator(n_modes=m, max_iter=50000, rtol=1e-15)
        rot.fit(x)
        z = MCA(n_modes=m, use_coslat=c.area, solver='full', use_pca=False, standardize=False)
        z.fit(*da, dim='time')
        turned = results(f'axt-eof{c.opts} --rotate varimax a.h5:a', NAMES)
        pairs = results(f'axt-eof{c.opts} a.h5:a --against b.h5:a', PAIRS)
        space = ('mode', 'lat', 'lon')
        same = [(d['eof'], e.eofs(neofs=m)), (d['pc'], e.pcs(npcs=m).T), (d['eigenvalues'], e.eigenvalues(neigs=m)),
                (d['explained_variance'], e.varianceFraction(neigs=m)), (d['north_error'], e.northTest(neigs=m)),
                (d['eof'], x.components().transpose(*space)), (d['eigenvalues'], x.explained_variance()),
                (d['pc'], x.scores(normalized=False).transpose('mode', 'time')),
                (turned['eof'], rot.components().transpose(*space)), (turned['eigenvalues'], rot.explained_variance()),
                (turned['pc'], rot.scores(normalized=False).transpose('mode', 'time')),
                (pairs['covariance_fraction'], z.squared_covariance_fraction())]
        for k, eof, pc in zip(('left', 'right'), z.components(), z.scores(normalized=False)):
            same += [(pairs[k + '_eof'], eof.transpose(*space)), (pairs[k + '_pc'], pc.transpose('mode', 'time'))]
        off = 0
        for have, want in same:
            have, want = have.reshape(m, -1), np.asarray(want).reshape(m, -1)
            want = want * np.where((have * want).sum(1) < 0, -1, 1)[:, None]
            off = max(off, np.abs(have - want).max() / np.abs(have).max())
        t.ok(off < 1e-6, f'eofs and xeofs: {c.where}', off)


def main():
    cases, first = random_cases(60, 8, 10, 1)
    t = Tap()
    os.chdir(scratch())
    for k in range(first, first + cases):
        c = Case(k)
        why = ''
        try:
            with np.errstate(all='ignore'):
                c.check()
        except AssertionError as e:
            why = str(e)
        t.ok(not why, c.where, why)
    for k in range(first, first + (cases + 2) // 3):
        c = Pair(k)
        why = ''
        try:
            c.check()
        except AssertionError as e:
            why = str(e)
        t.ok(not why, f'pairs and rotation: {c.where}', why)
    peers(t)
    bits(t)
    kept(t)
    cdo(t)
    t.done()


main()
