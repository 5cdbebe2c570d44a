#!/usr/bin/python3
"""Datasets of text, compared and as labels, against NumPy: words.py [CASES [SEED]].

Random words, empty ones and ones that are not ASCII among them, as strings of fixed and of variable length, members of
tables and arrays of characters; along one axis or two.
"""
import h5py
import netCDF4
import numpy as np

from axtlib import Tap, axt, in_batches, random_cases, scratch

WORDS = ['ECAL', 'HCAL', 'TRK', 'E', 'ECA', 'a b', 'x,y', 'q"q', "it's", 'Köln', '', 'ECAL2', '0', '-1', '1e3']


def put(path, r, words, t):
    """The words, and numbers along their first axis, in one of the ways that files have them. The name of the words."""
    how = int(r.integers(4 if words.ndim == 1 else 2))
    if how == 2:
        rows = np.zeros(len(t), [('w', 'S8'), ('t', 'f8')])
        rows['w'] = np.char.encode(words, 'utf-8')
        rows['t'] = t
        with h5py.File(path, 'w') as f:
            f['rows'] = rows
        return 'rows.w', 'rows.t'
    if how == 3:
        d = netCDF4.Dataset(path, 'w')
        d.createDimension('x', len(t))
        d.createDimension('chars', 8)
        v = d.createVariable('w', 'S1', ('x', 'chars'))
        v[:] = np.array([list(x.ljust(8, b'\0')[i:i + 1] for i in range(8)) for x in np.char.encode(words, 'utf-8')], 'S1')
        d.createVariable('t', 'f8', ('x',))[:] = t
        d.close()
        return 'w', 't'
    with h5py.File(path, 'w') as f:
        f['t'] = t
        if how == 0:
            f['w'] = np.char.encode(words, 'utf-8').astype('S8')
        else:
            f.create_dataset('w', words.shape, h5py.string_dtype())[...] = words.astype(object)
    return 'w', 't'


def numbers(run):
    return [float({'true': 1, 'false': 0}.get(x, x)) for x in run.out.decode().replace('# n', '').split()]


def case(t, d, seed):
    r = np.random.default_rng(seed)
    shape = (int(r.integers(1, 60)),) + ((int(r.integers(1, 5)),) if r.random() < .3 else ())
    words = r.choice(WORDS[:int(r.integers(1, len(WORDS) + 1))], shape)
    values = r.integers(0, 100, shape[0]).astype('f8')
    path = f'{d}/w.h5'
    w, v = put(path, r, words, values)
    one = str(r.choice(WORDS))
    quoted = f"'{one}'" if '"' in one else f'"{one}"'
    wide = values.reshape(-1, *[1] * (words.ndim - 1))
    kept = ['', [x for x in np.unique(words) if x]][1]
    checks = [(('eq', f'{path}:{w}', one, '-p'), (words == one).ravel()),
              (('ne', one, f'{path}:{w}', '-p'), (words != one).ravel()),
              (('calc', f'sum(where(w == {quoted}, t, 0))', path, '-p'), [np.where(words == one, wide, 0).sum()]),
              (('calc', f'n = sum(w != {quoted} and w != "TRK")', f'w={path}:{w}', '-p'),
               [((words != one) & (words != 'TRK')).sum()])]
    if kept and words.ndim == 1:
        sums = sorted((x.encode(), values[words == x].sum()) for x in kept)
        checks += [(('calc', 'sum(t, by=w)', path, '-p'), [s for _, s in sums]),
                   (('reduce', 'sum', '--by', f'{path}:{w}', f'{path}:{v}', '-p'), [s for _, s in sums])]
    for args, want in checks:
        run = axt(*args)
        if run.rc or not np.array_equal(numbers(run), np.asarray(want, float)) or \
                ('no text of' in run.err) != (args[0] != 'reduce' and 'by=' not in args[1] and (
                    one != '' and one not in words or '"TRK"' in args[1] and 'TRK' not in words)):
            t.bad += 1
            print(f'# seed {seed} {run} {run.out[:200]} want {want}')


def main():
    cases, seed = random_cases(100, 25, 10, 1)
    t, d = Tap(), scratch()
    in_batches(t, cases, 'text of cases {} is compared as NumPy compares it', lambda k: case(t, d, seed + k))
    t.done()


if __name__ == '__main__':
    main()
