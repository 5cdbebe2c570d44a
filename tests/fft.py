#!/usr/bin/python3
"""axt-fft and fft, ifft, rfft, irfft of axt-calc beside numpy.fft: values, frequencies, inverses, and the same bits for all
threads; what is refused."""
import os

import h5py
import numpy as np

import axtlib
from axtlib import Tap, scratch

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 64, 97, 100, 128, 360, 1009]


def data(r):
    """A tensor over t, y, x, of which t has even coordinates in seconds."""
    shape = [int(r.choice(LENGTHS)), int(r.integers(1, 9)), int(r.integers(1, 9))]
    order = r.permutation(3)
    dims = [('t', 'y', 'x')[i] for i in order]
    dtype = r.choice(['f2', 'f4', 'f8', 'c8', 'c16', 'i2', 'u8', '?'])
    v = r.normal(0, 10, shape).transpose(order)
    v = v > 0 if dtype == '?' else v.astype(dtype) if dtype != 'u8' else np.abs(v).astype(dtype)
    return dims, v + 1j * r.normal(0, 10, v.shape).astype(v.real.dtype) if dtype in ('c8', 'c16') else v


def write(path, dims, v, step):
    with h5py.File(path, 'w') as f:
        f['v'] = v
        f['v'].attrs['units'] = 'm'
        f['t'] = 5 + step * np.arange(v.shape[dims.index('t')])
        f['t'].attrs['units'] = 's'
        f['t'].make_scale('t')
        for i, d in enumerate(dims):
            f['v'].dims[i].label = d
        f['v'].dims[dims.index('t')].attach_scale(f['t'])


def read(path):
    with h5py.File(path) as f:
        d = f['v']
        dims = [x.label or os.path.basename(x[0].name) for x in d.dims]
        return dims, d[()], {os.path.basename(x[0].name): (x[0][()], x[0].attrs.get('units')) for x in d.dims if len(x)}, dict(d.attrs)


def wanted(v, dims, along, real, inverse, norm, length):
    """NumPy's, of values in double precision."""
    axes = [dims.index(d) for d in along]
    w = v.astype('c16' if np.iscomplexobj(v) else 'f8')
    if inverse and real:
        if len(axes) > 1:
            w = np.fft.ifftn(w, axes=axes[:-1], norm=norm)
        return np.fft.irfft(w, n=length, axis=axes[-1], norm=norm)
    f = np.fft.rfftn if real else np.fft.ifftn if inverse else np.fft.fftn
    return f(w, axes=axes, norm=norm)


def case(seed):
    r = np.random.default_rng(seed)
    dims, v = data(r)
    step = float(r.choice([.25, 1, 3]))
    write('a.h5', dims, v, step)
    along = [str(d) for d in r.permutation(['t', 'y', 'x'])[:r.integers(1, 4)]]
    norm = str(r.choice(['backward', 'ortho', 'forward']))
    real, center = bool(r.random() < .5) and not np.iscomplexobj(v), bool(r.random() < .3)
    n = v.shape[dims.index(along[-1])]
    line = (f'axt-fft --along {",".join(along)} --norm {norm} {"--real" * real} {"--center" * center} a.h5:v '
            f'--chunk 4 -t {r.integers(1, 4)} --force -o f.h5')
    run = axtlib.shell(line.replace('--chunk 4', ''))
    if run.returncode or run.stderr:
        return f'{line}: {run.stderr.decode()}'
    got_dims, got, coords, attrs = read('f.h5')
    want = wanted(v, dims, along, real, False, norm, None)
    shifted = [dims.index(d) for d in along if not (real and d == along[-1])]
    if center:
        want = np.fft.fftshift(want, axes=shifted)
    if got_dims != ['freq_' * (d in along) + d for d in dims] or attrs.get('units') != b'm':
        return f'{line}: {got_dims} {attrs}'
    single = v.dtype in ('f2', 'f4', 'c8')
    if got.dtype != ('c8' if single else 'c16') or got.shape != want.shape:
        return f'{line}: {got.dtype} {got.shape}, want {want.shape}'
    size = max(1e-30, np.abs(want).max())
    if np.abs(got - want).max() > size * (2e-6 if single else 1e-13):
        return f'{line}: {np.abs(got - want).max() / size}'
    for d in along:
        half, m = real and d == along[-1], v.shape[dims.index(d)]
        f = (np.fft.rfftfreq if half else np.fft.fftfreq)(m, step if d == 't' and m > 1 else 1)
        f = np.fft.fftshift(f) if center and not half else f
        if not np.allclose(coords['freq_' + d][0], f, rtol=1e-12, atol=0):
            return f'{line}: frequencies {coords["freq_" + d]} want {f}'
        if coords['freq_' + d][1] != (b's-1' if d == 't' else None):
            return f'{line}: units of frequencies {coords["freq_" + d]}'

    # back again, through a pipe too, and as a formula
    names = ','.join('freq_' + d for d in along)
    back = f'--inverse {"--real" * real} --norm {norm} --along {names} {f"--length {n}" * (real and seed % 2)}'
    how = [f'axt-fft {back} f.h5 --force -o b.h5', line.split(' --force')[0].replace('--chunk 4', '') + f' | axt-fft {back} - --force -o b.h5']
    call = f'along=({names}), norm={norm}' + f', length={n}' * (real and seed % 2)
    how.append(f'axt-calc "v = {"irfft" if real else "ifft"}(v, {call})" f.h5 --force -o b.h5')
    for line in how:
        run = axtlib.shell(line)
        if run.returncode or run.stderr:
            return f'{line}: {run.stderr.decode()}'
        got_dims, got, coords, attrs = read('b.h5')
        if got_dims != dims or got.shape != v.shape or np.iscomplexobj(got) == real:
            return f'{line}: {got_dims} {got.shape} {got.dtype}'
        if np.abs(got - v.astype('c16')).max() > max(1, np.abs(v.astype('c16')).max()) * (2e-6 if single else 1e-12):
            return f'{line}: other values than at first'
        if 't' in along and v.shape[dims.index('t')] > 1 and (
                not np.array_equal(coords['t'][0], 5 + step * np.arange(len(coords['t'][0]))) or coords['t'][1] != b's'):
            return f'{line}: coordinates {coords["t"]}'
    return ''


def same_bits(t):
    """All threads, and any order of the axes in the file, give the same bits."""
    write('a.h5', ['t', 'y', 'x'], np.random.default_rng(1).normal(size=(360, 40, 30)).astype('f4'), 1.)
    bits = set()
    for threads in 1, 2, 5:
        for order in 't,y,x', 'x,y,t', 'y,t,x':
            run = axtlib.shell(f'axt-order {order} a.h5:v | axt-fft --real --along t - -t {threads} | axt-order freq_t,y,x - | '
                               'axt-to - --format raw')
            bits.add(run.stdout)
            t.ok(run.returncode == 0 and not run.stderr, f'{threads} threads, {order}', run.stderr)
    t.ok(len(bits) == 1, 'the same bits')


def refusals(t):
    write('a.h5', ['t', 'y'], np.ones((4, 3)), 1.)
    with h5py.File('a.h5', 'a') as f:
        f['t'][...] = [0, 31, 59, 90]
        f['c'] = f['v'][()] + 1j
        f['e'] = np.zeros((0, 3))
        for name in 'c', 'e':
            f[name].dims[0].label, f[name].dims[1].label = 'p', 'y'
    for line, status, says in (
            ('axt-fft --along t a.h5:v', 1, 'axis "t" in a.h5:v does not have even steps: 31 is at position 1'),
            ('axt-fft --along z a.h5:c', 1, 'axis "z"'),
            ('axt-fft --along p --real a.h5:c', 1, 'the real transform is not defined for c128 (a.h5:c)'),
            ('axt-fft --along p a.h5:e', 1, 'a line without elements has no transform'),
            ('axt-fft --along t --inverse a.h5:v', 1, 'axis "t" in a.h5:v does not have the frequencies of a transform: 59 is at position 2'),
            ('axt-fft a.h5:v', 2, '--along'),
            ('axt-fft --along y --length 3 a.h5:v', 2, '--length goes with --inverse'),
            ('axt-fft --along y --inverse --real --length 9 a.h5:v', 1, 'the length of the result is 2*n - 2 or 2*n - 1'),
            ('axt-fft --along y --spacing -1 a.h5:v', 2, '--spacing takes a number from 0, not "-1"'),
            ('axt-calc "fft(v)" a.h5', 2, 'along')):
        run = axtlib.shell(line + ' -o none.h5')
        t.ok(run.returncode == status and says in run.stderr.decode() and not os.path.exists('none.h5'), line,
             f'{run.returncode} {run.stderr.decode()}')
    run = axtlib.shell('axt-fft --along t --spacing 1 a.h5:v --force -o s.h5')
    t.ok(run.returncode == 0 and np.array_equal(read('s.h5')[2]['freq_t'][0], [0, .25, -.5, -.25]) and read('s.h5')[2]['freq_t'][1] is None, 'a spacing of 1 counts positions',
         run.stderr)
    for line in 'axt-fft --along y --spacing 1/30 a.h5:v --force -o s.h5', 'axt-calc "v = fft(v, along=y, spacing=1/30)" a.h5 --force -o s.h5':
        run = axtlib.shell(line)
        t.ok(run.returncode == 0 and np.allclose(read('s.h5')[2]['freq_y'][0], [0, 10, -10]), line, run.stderr)
    for word in '1/0', '1/', '/2', '1/2/3', 'x':
        run = axtlib.shell(f'axt-fft --along y --spacing {word} a.h5:v')
        t.ok(run.returncode == 2 and f'not "{word}"' in run.stderr.decode(), word, run.stderr)


def main():
    t = Tap()
    os.chdir(scratch())
    cases, first = axtlib.random_cases(60, 10, 400, 1)
    for seed in range(first, first + cases):
        why = case(seed)
        t.ok(not why, f'seed {seed}', why)
    same_bits(t)
    refusals(t)
    t.done()


main()
