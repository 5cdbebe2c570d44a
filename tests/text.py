#!/usr/bin/python3
"""Text out and in, against Python's own: text.py [CASES [SEED]].

Random tensors as axt-print writes them, with any number of threads, beside the same made with Python's repr, NumPy's
digits and printf's formats; what is printed as CSV reads back the same bits; tables of odd numbers as Python reads them.
"""
import os

import h5py
import numpy as np

from axtlib import Tap, axt, in_batches, random_cases, scratch

CASES, SEED = random_cases(50, 10, 3, 1)
d = scratch()
tap = Tap()


def value_text(v):
    """The fewest digits that read back, laid out as Python lays out a float."""
    if isinstance(v, (bool, np.bool_)):
        return 'true' if v else 'false'
    if isinstance(v, np.integer):
        return str(int(v))
    if not np.isfinite(v):
        return 'nan' if np.isnan(v) else 'inf' if v > 0 else '-inf'
    # the digits of its own dtype, read as a double: repr lays out those
    s = repr(float(np.format_float_scientific(v, unique=True, trim='-')))
    if s.endswith('.0'):
        s = s[:-2]
    # whole numbers below these are all there, and so have all their digits
    exact = {2: 2 ** 11, 4: 2 ** 24, 8: 2 ** 53}[v.itemsize]
    return f'{v:.0f}' if abs(v) < exact and v == np.floor(v) else s


def tensor(r):
    rank = int(r.integers(0, 4))
    shape = tuple(int(r.integers(1, m)) for m in ([], [3000], [60, 60], [9, 20, 20])[rank])
    kind = str(r.choice(['f8', 'f4', 'f2', 'i4', 'u8', 'i1', '?']))
    n = int(np.prod(shape, dtype=int))
    if kind[0] != 'f' or r.random() < .3:
        a = np.frombuffer(r.bytes(n * 8), 'i8')
        a = a > 0 if kind == '?' else (a >> r.integers(0, 63, n)).astype(kind if kind[0] != 'f' else 'i2').astype(kind)
    elif r.random() < .5:
        a = np.frombuffer(r.bytes(n * int(kind[1])), kind).copy()
    else:
        a = np.round(r.standard_normal(n) * 10. ** r.integers(-9, 4), int(r.integers(0, 9))).astype(kind)
    if kind[0] == 'f':
        a = a.copy()
        a[r.random(n) < .05] = np.nan
    return a.reshape(shape)


def coordinates(r, n):
    """Values in a file, and their texts."""
    kind = r.integers(0, 4)
    if kind == 0:
        return None, [str(i) for i in range(n)]
    if kind == 1:
        v = np.sort(r.standard_normal(n)) * 100
        return v, [value_text(x) for x in v]
    if kind == 2:
        v = np.arange(n) * 3 + int(r.integers(-9, 99))
        return v, [str(x) for x in v]
    # hours since, from 1950 to 2050
    v = np.cumsum(r.integers(1, 30, n)) + int(r.integers(-400000, 400000))
    t = np.datetime64('2000-01-01T00', 'h') + v.astype('m8[h]')
    return v, [str(x)[:10] if str(x).endswith('T00') else str(x) + ':00:00' for x in t]


def write(path, a, coords):
    with h5py.File(path, 'w') as f:
        v = f.create_dataset('v', data=a)
        for k, (c, text) in enumerate(coords):
            if c is None:
                continue
            s = f.create_dataset('xyz'[k], data=c)
            s.make_scale('xyz'[k])
            if '-' in text[-1][1:]:
                s.attrs['units'] = 'hours since 2000-01-01'
            v.dims[k].attach_scale(s)


def plain(a, one):
    if a.ndim < 2:
        return ''.join(one(v) + '\n' for v in a.reshape(-1))
    if a.ndim == 2:
        return ''.join(' '.join(one(v) for v in row) + '\n' for row in a)
    return None


def table(a, names, coords, one):
    out = [','.join(names + ['v'])]
    for i in np.ndindex(a.shape):
        v = a[i]
        missing = v.dtype.kind == 'f' and np.isnan(v)
        out.append(','.join([coords[k][1][j] for k, j in enumerate(i)] + ['' if missing else one(v)]))
    return '\n'.join(out) + '\n'


def same_text(got, want, what):
    if got == want:
        return
    g, w = got.split('\n'), want.split('\n')
    k = next((k for k in range(min(len(g), len(w))) if g[k] != w[k]), min(len(g), len(w)))
    tap.ok(False, f'{what}: line {k + 1} is {g[k:k + 1]}, not {w[k:k + 1]}')


def out(args):
    p = axt(*args)
    return p.out.decode() if p.rc == 0 else str(p)


def case(k):
    r = np.random.default_rng(SEED * 1000003 + k)
    a = tensor(r)
    coords = [coordinates(r, n) for n in a.shape]
    path, t = f'{d}/t.h5', str(r.integers(1, 4))
    write(path, a, coords)
    names = ['xyz'[i] if c[0] is not None else f'dim_{i}' for i, c in enumerate(coords)]
    what = f'case {k} ({a.dtype} {a.shape})'
    want = plain(a, value_text)
    if want is not None:
        same_text(out(['print', path + ':v', '-t', t]), want, what)
    want = table(a, names, coords, value_text)
    same_text(out(['print', '--csv', path + ':v', '-t', t]), want, what + ' --csv')
    n = int(r.integers(0, a.size + 1))
    same_text(out(['print', '--csv', '--head', str(n), path + ':v', '-t', t]),
              ''.join(x + '\n' for x in want.split('\n')[:n + 1]), what + ' --head')
    if a.dtype.kind == 'f':
        f = str(r.choice(['%.2f', '%8.3f', '%.0f', '<%.12f>', '%.3e', '%+.1f', '%.17f', '%f']))
        same_text(out(['print', '--csv', '--format', f, path + ':v', '-t', t]),
                  table(a, names, coords, lambda v: f % float(v)), what + ' ' + f)
    if a.dtype.kind != 'f' or a.dtype.itemsize == 8:
        back_again(a, path, what)


def back_again(a, path, what):
    with open(f'{d}/t.csv', 'w', encoding='ascii') as f:
        f.write(out(['print', '--csv', path + ':v']))
    p = axt('from', f'{d}/t.csv', '--dtype', a.dtype.name, '-o', f'{d}/u.h5')
    if p.rc:
        tap.ok(False, f'{what}: reading: {p.err}')
        return
    with h5py.File(f'{d}/u.h5') as f:
        b = f['v'][()]
    if a.dtype == bool:
        b = b != 0
    if b.shape != a.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind == 'f'):
        tap.ok(False, f'{what}: {b.shape} read back, not the same')


def odd_number(r):
    digits = ''.join(str(x) for x in r.integers(0, 10, int(r.integers(1, 25))))
    s = str(r.choice(['', '-', '+'])) + digits
    if r.random() < .7:
        i = int(r.integers(0, len(digits) + 1)) + len(s) - len(digits)
        s = s[:i] + '.' + s[i:]
    if r.random() < .4:
        s += str(r.choice(['e', 'E'])) + str(r.choice(['', '-', '+'])) + str(r.integers(0, 290))
    return str(r.choice(['nan', 'inf', '-inf', '-0', '0.0'])) if r.random() < .03 else s


def reading(k):
    r = np.random.default_rng(SEED * 7000003 + k)
    rows, cols = int(r.integers(1, 300)), int(r.integers(2, 8))
    between = str(r.choice([',', '\t', ';', ' ', '   ', ' , ']))
    cells = [[odd_number(r) for _ in range(cols)] for _ in range(rows)]
    cells[0][0] = '0.5'
    end = str(r.choice(['\n', '\r\n']))
    text = end.join(between.join(row) for row in cells) + (end if r.random() < .5 else '')
    with open(f'{d}/m.csv', 'w', encoding='ascii', newline='') as f:
        f.write(text)
    p = axt('from', f'{d}/m.csv', '-o', f'{d}/m.h5')
    if p.rc:
        # a number as large as this is refused, as it always was
        if not any(np.isinf(float(c)) and 'inf' not in c for row in cells for c in row):
            tap.ok(False, f'table {k}: {p.err}')
        return
    with h5py.File(f'{d}/m.h5') as f:
        got = f[next(n for n in f if f[n].ndim == 2)][()]
    want = np.array([[float(c) for c in row] for row in cells])
    if got.shape != want.shape or got.tobytes() != want.tobytes() and not np.array_equal(got, want, equal_nan=True):
        tap.ok(False, f'table {k}: not what Python reads')


in_batches(tap, CASES, 'text as Python writes it: {}', case)
in_batches(tap, CASES, 'tables as Python reads them: {}', reading)
# many tiles, whose text is written in order by all threads
big = np.random.default_rng(SEED).standard_normal((7, 300, 200 if CASES >= 50 else 20)).astype('f4')
with h5py.File(f'{d}/big.h5', 'w') as f:
    f['v'] = big
for args in (['--csv'], [], ['--format', '%.3f']):
    one = out(['print', f'{d}/big.h5:v', '-t', '1', *args])
    tap.ok(one.count('\n') > 1000 and all(one == out(['print', f'{d}/big.h5:v', '-t', n, *args]) for n in '258'),
           f'any number of threads: print {" ".join(args)}')
os.remove(f'{d}/big.h5')
tap.done()
