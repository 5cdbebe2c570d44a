#!/usr/bin/python3
"""
Functions of matrices beside numpy.linalg: residuals, orthogonality, values, of small matrices and of LAPACK's:
linalg.py [BATCHES [SEED]]. What it prints at its end is how far the worst of each was off, where 1 is allowed.
"""
import os

import h5py
import numpy as np

import axtlib
from axtlib import Tap, scratch

SHAPES = [(1, 1), (2, 2), (3, 3), (4, 4), (7, 7), (16, 16), (33, 33), (64, 64), (70, 70),
          (5, 3), (3, 5), (40, 8), (8, 40), (90, 20), (20, 90), (300, 2), (2, 300)]
KINDS = ['any', 'deficient', 'scaled', 'far', 'zero', 'equal', 'missing', 'empty']
BOUND = 10  # times n times the spacing of the dtype, of residuals and orthogonality


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def put(name, a, axes):
    with h5py.File('i.h5', 'a') as f:
        d = f.create_dataset(name, data=a)
        for i, x in enumerate(axes):
            d.dims[i].label = x


def run(line):
    """The results by name; the only one has the name "result"."""
    r = axtlib.shell(line + ' -o o.h5 --force')
    if r.returncode or r.stderr and b'warning: ' not in r.stderr:
        raise AssertionError(f'{line}: {r.stderr.decode()}')
    with h5py.File('o.h5') as f:
        out = {k: f[k][...] for k in f if isinstance(f[k], h5py.Dataset) and k not in ['t', 'i', 'j', 'k', 'mode']}
    return {'result': v for v in out.values()} if len(out) == 1 else out


def one(line):
    return run(line)['result']


worst = {}  # of all cases: what was compared, and its error as a part of the bound


class Case:
    def __init__(self, seed):
        self.r = np.random.default_rng(seed)
        self.dtype = ['f8', 'f4', 'c16', 'c8'][seed % 4]
        self.m, self.n = self.shape()
        self.b = int(self.r.integers(1, 12))
        self.kind = str(self.r.choice(KINDS, p=[.3, .15, .15, .1, .05, .05, .1, .1]))
        if self.kind == 'empty':
            self.m, self.n, self.b = [(0, 0, self.b), (0, self.n, self.b), (self.m, 0, self.b),
                                      (self.m, self.n, 0)][int(self.r.integers(4))]
        self.eps = np.finfo(self.dtype).eps
        self.k = min(self.m, self.n)
        a = self.random(self.b, self.m, self.n)
        if self.kind == 'deficient' and self.k > 2:
            a[..., -1] = a[..., 0]
        if self.kind == 'scaled':
            a = a * np.exp(self.r.uniform(-8, 8, (self.b, 1, self.n)))
        if self.kind == 'far':
            a = a * self.r.choice([1e30, 1e-30])
        if self.kind == 'zero':
            a[::2] = 0
        if self.kind == 'equal':  # equal singular values, some of them 0
            a[:] = np.eye(self.m, self.n) * (np.arange(self.n) < self.k - self.k // 3)
        self.a = a.astype(self.dtype)
        self.wide = 'c16' if self.dtype[0] == 'c' else 'f8'
        self.A = self.a.astype(self.wide)
        self.norm = np.linalg.norm(self.A, axis=(1, 2)).max(initial=0)
        self.where = f'{self.dtype} {self.b} x {self.m} x {self.n} {self.kind}'

    def shape(self):
        """Mostly small, and a third of them square."""
        if self.r.random() < .4:
            return SHAPES[int(self.r.integers(len(SHAPES)))]
        most = int(self.r.choice([6, 20, 70, 150, 300], p=[.5, .3, .15, .03, .02]))
        m, n = (int(x) for x in self.r.integers(1, most + 1, 2))
        return (m, m if self.r.random() < .5 else n)

    def random(self, *shape):
        x = self.r.standard_normal(shape)
        return (x + 1j * self.r.standard_normal(shape) if self.dtype[0] == 'c' else x).astype(self.dtype)

    def near(self, what, have, want, scale):
        err = np.abs(have - want).max() if np.size(want) else 0
        bound = BOUND * max(self.m, self.n) * self.eps * scale
        if err:
            worst[what] = max(worst.get(what, 0), err / bound)
        if not err <= bound:
            raise AssertionError(f'{what} of {self.where}: off by {err}, scale {scale}')

    def svd(self):
        d = run('axt-svd --row i --col j i.h5:a')
        u, s, v = d['u'].astype(self.wide), d['s'].astype('f8'), d['vh'].astype(self.wide)
        self.near('svd', u * s[:, None, :] @ v, self.A, self.norm)
        self.near('svd u', adjoint(u) @ u, np.eye(self.k), 1)
        self.near('svd vh', v @ adjoint(v), np.eye(self.k), 1)
        self.near('svd s', s, np.linalg.svd(self.A, compute_uv=False), self.norm)
        assert (np.diff(s) <= 0).all(), 'singular values fall'
        self.near('svd alone', one('axt-calc "svd(a, s, row=i, col=j)" a=i.h5:a'), s, self.norm)

    def qr(self):
        d = run('axt-qr --row i --col j i.h5:a')
        q, r = d['q'].astype(self.wide), d['r'].astype(self.wide)
        self.near('qr', q @ r, self.A, self.norm)
        self.near('qr q', adjoint(q) @ q, np.eye(self.k), 1)
        assert (np.tril(r, -1) == 0).all() and (np.diagonal(r, axis1=1, axis2=2).real >= 0).all(), 'r'

    def values(self):
        s = np.linalg.svd(self.A, compute_uv=False)
        least, rank = s[:, :1] * max(self.m, self.n) * self.eps, one('axt-matrix-rank --row i --col j i.h5:a')
        # rounding decides on singular values that are nearly the limit
        assert ((s > least * 1.1).sum(1) <= rank).all() and (rank <= (s > least * .9).sum(1)).all(), f'rank {self.where}'
        for o, name in (('fro', 'fro'), ('nuc', 'nuc'), (2, '2'), (-2, '-2'), (1, '1'), (np.inf, 'inf')):
            self.near(f'norm {name}', one(f'axt-matrix-norm --ord={name} --row i --col j i.h5:a'),
                      np.linalg.norm(self.A, ord=o, axis=(1, 2)), self.norm)
        if self.kind == 'any':
            c = np.linalg.cond(self.A)
            self.near('cond', one('axt-cond --row i --col j i.h5:a'), c, c.max() ** 2)

    def least(self):
        rcond = max(self.m, self.n) * self.eps
        p = np.linalg.pinv(self.A, rcond=rcond)
        c = np.minimum(np.linalg.cond(self.A), .01 / self.eps).max()
        self.near('pinv', one('axt-pinv --row i --col j i.h5:a').astype(self.wide), p, np.abs(p).max() * c)
        if self.kind == 'far':
            return
        b = self.random(self.b, self.m, 3)
        put('b', b, 'tik')
        d = run('axt-lstsq --row i --col j i.h5:a i.h5:b')
        for i in range(self.b):
            x, _, rank, s = np.linalg.lstsq(self.A[i], b[i].astype(self.wide), rcond=rcond)
            c = s[0] / s[rank - 1] if rank else 1
            self.near('lstsq', d['x'][i], x, max(1, np.abs(x).max()) * c ** 2)
            self.near('lstsq s', d['s'][i], s, self.norm)
            self.near('lstsq residuals', d['residuals'][i], (np.abs(b[i] - self.A[i] @ x) ** 2).sum(0),
                      (np.abs(b[i]) ** 2).sum() * c)
            assert d['rank'][i] == rank, f'rank {self.where}'

    def regular(self):
        return self.kind not in ('deficient', 'zero', 'equal')

    def square(self):
        n = self.n
        d = run('axt-lu --row i --col j i.h5:a')
        for i in range(self.b):
            self.near('lu', d['l'][i].astype(self.wide) @ d['u'][i].astype(self.wide), self.A[i][d['p'][i]], self.norm)
        if self.regular():
            b = self.random(self.b, n, 2)
            put('c', b, 'tik')
            x = one('axt-solve --row i --col j i.h5:a i.h5:c').astype(self.wide)
            self.near('solve', self.A @ x, b, self.norm * np.abs(x).max())
            x = one('axt-inv --row i --col j i.h5:a').astype(self.wide)
            self.near('inv', self.A @ x, np.eye(n), np.linalg.cond(self.A).max())
            d = run('axt-slogdet --row i --col j i.h5:a')
            sign, log = np.linalg.slogdet(self.A)
            c = np.linalg.cond(self.A / np.linalg.norm(self.A, axis=1, keepdims=True)).max()
            self.near('slogdet', d['logabsdet'], log, max(10, np.abs(log).max(), c))
            self.near('sign', d['sign'], sign, 10)
        e = (self.a / (self.norm or 1) * 3).astype(self.dtype)
        put('e', e, 'tij')
        for p in (0, 1, 3, 6):
            want = np.array([np.linalg.matrix_power(x.astype(self.wide), p) for x in e])
            self.near(f'power {p}', one(f'axt-matrix-power --power={p} --row i --col j i.h5:e'), want, np.abs(want).max())
        want = np.array([taylor(x.astype(self.wide)) for x in e])
        self.near('expm', one('axt-expm --row i --col j i.h5:e'), want, np.abs(want).max())

    def symmetric(self):
        h = ((self.a + adjoint(self.a)) / 2).astype(self.dtype)
        H = h.astype(self.wide)
        norm = np.linalg.norm(H, axis=(1, 2)).max()
        put('h', h, 'tij')
        d = run('axt-eigh --row i --col j i.h5:h')
        w, v = d['w'].astype('f8'), d['v'].astype(self.wide)
        self.near('eigh', H @ v, v * w[:, None, :], norm)
        self.near('eigh v', adjoint(v) @ v, np.eye(self.n), 1)
        self.near('eigh w', w, np.linalg.eigvalsh(H), norm)
        top = np.take_along_axis(v, np.abs(v).argmax(1)[:, None, :], 1)
        assert (top.real > 0).all() and (np.abs(top.imag) <= 4 * self.eps).all(), f'signs {self.where}'
        s = np.eye(self.n) + (self.a @ adjoint(self.a) / self.norm ** 2 * self.n if self.kind != 'far' and self.norm else 0 * self.a)
        put('s', s.astype(self.dtype), 'tij')
        c = one('axt-cholesky --row i --col j i.h5:s').astype(self.wide)
        self.near('cholesky', c @ adjoint(c), s, np.abs(s).max())
        d = run('axt-eig --row i --col j i.h5:a')
        w, v = d['w'].astype('c16'), d['v'].astype('c16')
        self.near('eig', self.A @ v, v * w[:, None, :], self.norm)
        assert (np.diff(np.abs(w)) <= 4 * self.eps * self.norm).all(), 'eigenvalues by size'

    def missing(self):
        """A matrix that is not finite has results of NaN, and the others are what they are without it."""
        bad = self.r.random(self.b) < .4
        a = self.a.copy()
        a[bad, int(self.r.integers(self.m)), int(self.r.integers(self.n))] = self.r.choice([np.nan, np.inf, -np.inf])
        put('g', a, 'tij')
        for f in ['svd', 'qr', 'pinv', 'cond', 'matrix-norm --ord 2', 'matrix-norm --ord 1', 'matrix-norm'] + \
                ['lu', 'eigh', 'eig', 'inv', 'det', 'slogdet', 'expm', 'matrix-power --power 3'] * (self.m == self.n):
            if f == 'lu' and bad.any():
                continue  # the order of rows has no NaN
            want, got = (run(f'axt-{f} --row i --col j i.h5:{x}') for x in 'ag')
            for k in want:
                if not np.array_equal(want[k][~bad], got[k][~bad], equal_nan=True):
                    raise AssertionError(f'{f} {k} of {self.where}: others are not what they are without it')
                if 'norm' not in f and not np.isnan(got[k][bad]).all() or np.isfinite(got[k][bad]).any():
                    raise AssertionError(f'{f} {k} of {self.where}: not missing')
        for f in ['matrix-rank'] + ['lu'] * (self.m == self.n):
            r = axtlib.shell(f'axt-{f} --row i --col j i.h5:g -o o.h5 --force')
            if bad.any() != (r.returncode == 1 and b'not finite' in r.stderr):
                raise AssertionError(f'{f} of {self.where}: {r.stderr.decode()}')

    def empty(self):
        """As NumPy has it; ranks are 0."""
        A, none = self.A, self.m * self.n == 0
        put('b', self.random(self.b, self.m, 3), 'tik')
        np.testing.assert_equal({k: x.shape for k, x in run('axt-svd --row i --col j i.h5:a').items()},
                                {k: x.shape for k, x in zip(('u', 's', 'vh'), np.linalg.svd(A, full_matrices=False))})
        assert [x.shape for x in run('axt-qr --row i --col j i.h5:a').values()] == [
            (self.b, self.m, self.k), (self.b, self.k, self.n)], 'qr'
        same = [('pinv', np.zeros((self.b, self.n, self.m))), ('matrix-rank', np.zeros(self.b)),
                ('matrix-norm', np.zeros(self.b)), ('matrix-norm --ord nuc', np.zeros(self.b))]
        if self.m == self.n:
            same += [('det', np.linalg.det(A)), ('inv', A), ('cholesky', A), ('expm', A),
                     ('matrix-power --power 0', A)]
            assert run('axt-slogdet --row i --col j i.h5:a')['sign'].tolist() == [1] * self.b
            assert run('axt-eigh --row i --col j i.h5:a')['w'].shape == (self.b, self.n)
            assert run('axt-eig --row i --col j i.h5:a')['v'].shape == A.shape
            assert run('axt-lu --row i --col j i.h5:a')['p'].shape == (self.b, self.n)
            same.append(('solve', np.zeros((self.b, self.n, 3))))
        for f, want in same:
            got = one(f'axt-{f} --row i --col j i.h5:a' + ' i.h5:b' * (f == 'solve'))
            if got.shape != want.shape or (got != want).any():
                raise AssertionError(f'{f} of {self.where}: {got}')
        d = run('axt-lstsq --row i --col j i.h5:a i.h5:b')
        if d['x'].shape != (self.b, self.n, 3) or d['x'].any() or d['rank'].any() or d['s'].shape != (self.b, self.k):
            raise AssertionError(f'lstsq of {self.where}')
        for f in ('cond', 'matrix-norm --ord=-2'):
            r = axtlib.shell(f'axt-{f} --row i --col j i.h5:a -o o.h5 --force')
            if none != (r.returncode == 1 and b'without elements' in r.stderr):
                raise AssertionError(f'{f} of {self.where}: {r.stderr.decode()}')

    def check(self):
        if os.path.exists('i.h5'):
            os.remove('i.h5')
        put('a', self.a, 'tij')
        if self.kind in ('empty', 'missing'):
            (self.empty if self.kind == 'empty' else self.missing)()
            return
        self.svd()
        self.qr()
        self.values()
        self.least()
        if self.m == self.n:
            self.square()
            self.symmetric()


def taylor(a):
    """The exponential of a matrix by its series, halved and squared."""
    s = max(0, int(np.ceil(np.log2(max(np.linalg.norm(a, 1), 1e-300)))) + 2)
    a = a.astype('c32' if a.dtype.kind == 'c' else np.longdouble) / 2 ** s
    out = term = np.eye(len(a), dtype=a.dtype)
    for k in range(1, 25):
        term = term @ a / k
        out = out + term
    for _ in range(s):
        out = out @ out
    return out


def bits(t):
    """The same bits for any number of threads, tiles, batches, instruction sets, of small matrices."""
    r = np.random.default_rng(5)
    if os.path.exists('i.h5'):
        os.remove('i.h5')
    put('a', r.standard_normal((50, 6, 6)), 'tij')
    for f in ('svd', 'eigh', 'qr', 'inv', 'expm', 'slogdet', 'pinv'):
        want = run(f'axt-{f} --row i --col j i.h5:a -t 1')
        for how in ('AXT_THREADS=3', 'AXT_TILE=1', 'AXT_TILE=100', f'AXT_ISA={axtlib.isas()[0]}', 'AXT_SLAB=700'):
            got = run(f'{how} axt-{f} --row i --col j i.h5:a')
            t.ok(all((got[k] == want[k]).all() for k in want), f'{f}: the same bits with {how}')
        part = run(f'axt-slice t=3:14:5 i.h5:a | axt-{f} --row i --col j')
        t.ok(all((part[k] == want[k][3:14:5]).all() for k in want), f'{f}: the same bits of a part of the batch')


def missing(t):
    """A matrix that is not finite gives NaN, and others are what they are without it."""
    a = np.random.default_rng(6).standard_normal((9, 3, 3))
    # the last one, too: lanes that have no call of their own have it once more
    for name, v in (('a', a), ('b', np.where(np.arange(9)[:, None, None] % 4 == 0, [[np.nan, 1, 1]] * 3, a))):
        if name == 'a' and os.path.exists('i.h5'):
            os.remove('i.h5')
        put(name, v, 'tij')
    for f in ('svd', 'eigh', 'qr', 'inv', 'expm', 'det', 'solve'):
        rest = 'i.h5:a' if f == 'solve' else ''
        want, got = (run(f'axt-{f} --row i --col j i.h5:{x} {rest.replace("i.h5:a", "<(axt-rename j=k i.h5:a)")}')
                     for x in 'ab')
        for k in want:
            same = np.delete(want[k], [0, 4, 8], 0) == np.delete(got[k], [0, 4, 8], 0)
            t.ok(same.all() and np.isnan(got[k][[0, 4, 8]]).all(), f'{f} {k}: NaN where the matrix has NaN, and nowhere else')
    big = np.random.default_rng(7).standard_normal((2, 80, 80))
    big[1, 3, 5] = np.inf
    put('c', big, 'tij')
    got = one('axt-det --row i --col j i.h5:c')
    t.ok(np.isnan(got[1]) and abs(got[0] / np.linalg.det(big[0]) - 1) < 1e-10, 'and those of LAPACK')


def tall(t):
    """Least squares of many rows, which are computed block by block, beside NumPy's of all of them."""
    for dtype, m, n, c in (('f8', 200003, 12, 3), ('f4', 150001, 20, 1), ('c16', 140000, 6, 2), ('c8', 130001, 3, 0)):
        r, wide, eps = np.random.default_rng(m), 'c16' if dtype[0] == 'c' else 'f8', np.finfo(dtype).eps
        a, b = (r.standard_normal((m, k)) + (1j * r.standard_normal((m, k)) if dtype[0] == 'c' else 0) for k in (n, c))
        a *= np.exp(r.uniform(-4, 4, n))
        a[:, -1] = a[:, 0] if m % 10000 else a[:, -1]
        a, b = a.astype(dtype), b.astype(dtype)
        if os.path.exists('i.h5'):
            os.remove('i.h5')
        put('a', a, 'ij')
        put('b', b, 'ik')
        d = run('axt-lstsq --row i --col j -m 64M i.h5:a i.h5:b')
        x, _, rank, s = np.linalg.lstsq(a.astype(wide), b.astype(wide), rcond=m * eps)
        c = s[0] / s[rank - 1]
        res = (np.abs(b.astype(wide) - a.astype(wide) @ x) ** 2).sum(0)
        t.ok(d['x'].dtype == dtype and d['rank'] == rank and d['residuals'].shape == res.shape and
             np.allclose(d['s'], s, rtol=0, atol=BOUND * n * eps * s[0]) and
             np.allclose(d['residuals'], res, rtol=BOUND * n * eps) and
             np.allclose(d['x'], x, rtol=0, atol=BOUND * n * eps * c * np.abs(x).max(initial=1)),
             f'least squares of {m} by {n} {dtype}, block by block', (d, x, rank, s, res))
    b[9] = np.nan
    b = np.hstack([b, np.ones((m, 2), dtype)])
    b[77, 1] = np.nan
    put('c', b, 'ik')
    x = run('axt-lstsq --row i --col j i.h5:a i.h5:c')['x']
    t.ok(np.isfinite(x[:, 0]).all() and np.isnan(x[:, 1]).all(), 'a column with NaN is NaN, and the others are not')


def main():
    cases, first = axtlib.random_cases(24, 8, 2, 1)
    t = Tap()
    os.chdir(scratch())
    for k in range(first, first + cases):
        c = Case(k)
        try:
            c.check()
            why = ''
        except AssertionError as e:
            why = str(e)
        t.ok(not why, f'{c.where}: residuals, orthogonality, values', why)
    bits(t)
    missing(t)
    tall(t)
    for what in sorted(worst):
        print(f'# {what}: {worst[what]:.2g}')
    t.done()


main()
