#!/usr/bin/python3
"""--quantize: the bits are those of netCDF-C, and errors are as small as the pages say.

netCDF-C 4.9 changes what axt keeps: NaN, infinities, what becomes infinite, and f32 with 7 digits where these need more bits than
f32 has. These are compared with what went in.
"""
import h5py
import netCDF4
import numpy as np

from axtlib import Tap, axt, random_cases, scratch, shell

D = scratch()
MODES = {'GranularBitRound': ('', '_QuantizeGranularBitRoundNumberOfSignificantDigits'),
         'BitRound': ('bits:', '_QuantizeBitRoundNumberOfSignificantBits')}


def near(values, dtype, uint):
    """Values and their neighbours."""
    u = np.array(values, dtype).view(uint).astype('i8')
    return (u[:, None] + np.arange(-3, 4)).ravel().astype(uint).view(dtype)


def numbers(rng, dtype):
    uint = 'u4' if dtype == 'f4' else 'u8'
    n = 5000
    return np.concatenate([rng.integers(0, np.iinfo(uint).max, n, uint, endpoint=True).view(dtype),
                           (rng.standard_normal(n) * 10. ** rng.integers(-20, 20, n)).astype(dtype),
                           near(10. ** np.arange(-37, 38), dtype, uint), near(2. ** np.arange(-120, 120), dtype, uint),
                           -np.arange(50).astype(dtype),
                           np.array([0, -0., np.inf, -np.inf, np.nan, 1e-40, -3e-41, 9.9692099683868690e+36, -999.5, -999], dtype),
                           np.array([np.finfo(dtype).max, np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal], dtype)])


def put(path, x, fill, **how):
    """What netCDF-C writes."""
    with netCDF4.Dataset(path, 'w') as f:
        f.createDimension('x', len(x))
        v = f.createVariable('t', x.dtype, ('x',), fill_value=fill, **how)
        v.set_auto_mask(False)
        v[:] = x


def compare(x, mode, n, fill):
    word, name = MODES[mode]
    uint = f'u{x.dtype.itemsize}'
    put(f'{D}/plain.nc', x, fill)
    try:
        put(f'{D}/want.nc', x, fill, significant_digits=n, quantize_mode=mode)
    except RuntimeError:  # netCDF-C 4.10 takes fewer digits than 4.9
        return ''
    r = axt('copy', f'{D}/plain.nc', '-o', f'{D}/got.nc', '--quantize', f'{word}{n}')
    if r.rc:
        return str(r)
    with h5py.File(f'{D}/want.nc') as f, h5py.File(f'{D}/got.nc') as g:
        want, got = f['t'][...], g['t'][...]
        a, b = f['t'].attrs[name], g['t'].attrs[name]
        if a != b or a.dtype != b.dtype:
            return f'attributes {dict(f["t"].attrs)}, {dict(g["t"].attrs)}'
    kept = ~np.isfinite(x) | ~np.isfinite(want)
    if mode == 'GranularBitRound' and n == 7 and x.dtype == 'f4':    # where netCDF shifts by less than nothing
        with np.errstate(all='ignore'):
            kept |= np.abs(want.astype('f8') - x) > np.abs(x.astype('f8')) * 1e-6
            kept |= np.abs(x) < np.finfo('f4').tiny
            got = np.where(np.abs(x) < np.finfo('f4').tiny, x, got)
    want = np.where(kept, x, want)
    bad = np.flatnonzero(got.view(uint) != want.view(uint))
    if bad.size:
        return f'{bad.size} values, such as {x[bad[0]]!r}: {got[bad[0]]!r}, not {want[bad[0]]!r}'
    of = np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny)
    e = np.abs(got[of].astype('f8') - x[of])
    size = np.abs(x[of].astype('f8'))
    with np.errstate(over='ignore'):
        most = .5 * 10. ** (np.floor(np.log10(size * (1 + 1e-13))) + 1 - n) * (1 + 1e-9) if mode == 'GranularBitRound' else size * 2. ** (-n - 1)
    return '' if (e <= most).all() else f'error of {x[of][np.argmax(e / most)]!r}'


def same_bits(t, seed):
    for dtype, most in (('f4', {'GranularBitRound': 7, 'BitRound': 23}), ('f8', {'GranularBitRound': 15, 'BitRound': 52})):
        for mode in MODES:
            bad = []
            for n in range(1, most[mode] + 1):
                rng = np.random.default_rng([seed, n])
                why = compare(numbers(rng, dtype), mode, n, None if rng.random() < .3 else -999.5)
                bad += [f'{n}: {why}'] if why else []
            t.ok(not bad, f'{dtype}, {mode}: the bits of netCDF-C, and small errors', '\n'.join(bad[:3]))


def everywhere(t, seed):
    """The same values in files, compressed or not, in streams, by any number of threads."""
    x = numbers(np.random.default_rng(seed), 'f4')
    put(f'{D}/plain.nc', x, -999.5)
    lines = {'a file': '-o q.nc', 'a compressed file': '--compress deflate -o q.nc', 'a stream': '>q.nc',
             'a pipe': '| axt-copy - -o q.nc', 'a pipe that may be fused': '| AXT_FUSE=1 axt-slice x=: - -o q.nc',
             'small tiles': '-t 3 -o q.nc', '--fill': '--fill 12345 -o q.nc', 'an axis of room': '-o q.nc --axes x'}
    want = None
    for what, line in lines.items():
        env = 'AXT_TILE=64 ' if what == 'small tiles' else ''
        r = shell(f'cd {D}; rm -f q.nc; {env}axt-copy plain.nc --quantize 3 {line}')
        with h5py.File(f'{D}/q.nc') as f:
            got = f['t'][...]
        if what == '--fill':
            got = np.where(got == 12345, np.float32(-999.5), got)
            got = np.where(np.isnan(x), x, got)
        want = got if want is None else want
        t.ok(r.returncode == 0 and ((got == want) | np.isnan(x)).all() and (got != x).sum() > 1000, f'--quantize to {what}', r)
    r = shell(f'cd {D}; axt-make iota x=4,y=3 | axt-cast --dtype f64 | axt-coord set x=0.123456,1.23456,2.34567,3.45678 | '
              f'axt-mul - 1.23456 --quantize 1 -o c.nc')
    with h5py.File(f'{D}/c.nc') as f:
        name = next(n for n in f if f[n].ndim == 2)
        t.ok(r.returncode == 0 and (f['x'][...] == [0.123456, 1.23456, 2.34567, 3.45678]).all() and 1.23456 not in f[name][...],
             'coordinates are not rounded', r)


def main():
    t = Tap()
    _, seed = random_cases(1, 1, 1, 20261123)
    same_bits(t, seed)
    everywhere(t, seed)
    t.done()


main()
