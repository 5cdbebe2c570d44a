#!/usr/bin/python3
"""Functions of matrices beside numpy.linalg: residuals, orthogonality, values, of small matrices and of LAPACK's."""
import os

import h5py
import numpy as np

import axtlib
from axtlib import Tap, scratch

SHAPES = [(1, 1), (2, 2), (3, 3), (4, 4), (7, 7), (16, 16), (33, 33), (64, 64), (70, 70),
          (5, 3), (3, 5), (40, 8), (8, 40), (90, 20), (20, 90), (300, 2), (2, 300)]
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
    if r.returncode or r.stderr:
        raise AssertionError(f'{line}: {r.stderr.decode()}')
    with h5py.File('o.h5') as f:
        out = {k: f[k][...] for k in f if isinstance(f[k], h5py.Dataset) and k not in ['t', 'i', 'j', 'k', 'mode']}
    return {'result': v for v in out.values()} if len(out) == 1 else out


def one(line):
    return run(line)['result']


class Case:
    def __init__(self, seed):
        self.r = np.random.default_rng(seed)
        self.dtype = ['f8', 'f4', 'c16', 'c8'][seed % 4]
        self.m, self.n = SHAPES[int(self.r.integers(len(SHAPES)))]
        self.b = int(self.r.integers(1, 12))
        self.kind = ['any', 'deficient', 'scaled', 'far'][int(self.r.integers(4))]
        self.eps = np.finfo(self.dtype).eps
        self.k = min(self.m, self.n)
        a = self.random(self.b, self.m, self.n)
        if self.kind == 'deficient' and self.k > 2:
            a[..., -1] = a[..., 0]
        if self.kind == 'scaled':
            a = a * np.exp(self.r.uniform(-8, 8, (self.b, 1, self.n)))
        if self.kind == 'far':
            a = a * self.r.choice([1e30, 1e-30])
        self.a = a.astype(self.dtype)
        self.wide = 'c16' if self.dtype[0] == 'c' else 'f8'
        self.A = self.a.astype(self.wide)
        self.norm = np.linalg.norm(self.A, axis=(1, 2)).max()
        self.where = f'{self.dtype} {self.b} x {self.m} x {self.n} {self.kind}'

    def random(self, *shape):
        x = self.r.standard_normal(shape)
        return (x + 1j * self.r.standard_normal(shape) if self.dtype[0] == 'c' else x).astype(self.dtype)

    def near(self, what, have, want, scale):
        err = np.abs(have - want).max() if np.size(want) else 0
        if not err <= BOUND * max(self.m, self.n) * self.eps * scale:
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
        rank = (s > s[:, :1] * max(self.m, self.n) * self.eps).sum(1)
        assert (one('axt-matrix-rank --row i --col j i.h5:a') == rank).all(), f'rank {self.where}'
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
            c = s[0] / s[max(rank, 1) - 1]
            self.near('lstsq', d['x'][i], x, max(1, np.abs(x).max()) * c ** 2)
            self.near('lstsq s', d['s'][i], s, self.norm)
            self.near('lstsq residuals', d['residuals'][i], (np.abs(b[i] - self.A[i] @ x) ** 2).sum(0),
                      (np.abs(b[i]) ** 2).sum() * c)
            assert d['rank'][i] == rank

    def square(self):
        n = self.n
        d = run('axt-lu --row i --col j i.h5:a')
        for i in range(self.b):
            self.near('lu', d['l'][i].astype(self.wide) @ d['u'][i].astype(self.wide), self.A[i][d['p'][i]], self.norm)
        if self.kind != 'deficient':
            b = self.random(self.b, n, 2)
            put('c', b, 'tik')
            x = one('axt-solve --row i --col j i.h5:a i.h5:c').astype(self.wide)
            self.near('solve', self.A @ x, b, self.norm * np.abs(x).max())
            x = one('axt-inv --row i --col j i.h5:a').astype(self.wide)
            self.near('inv', self.A @ x, np.eye(n), np.linalg.cond(self.A).max())
            d = run('axt-slogdet --row i --col j i.h5:a')
            sign, log = np.linalg.slogdet(self.A)
            self.near('slogdet', d['logabsdet'], log, max(10, np.abs(log).max()))
            self.near('sign', d['sign'], sign, 10)
        e = (self.a / self.norm * 3).astype(self.dtype)
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
        s = np.eye(self.n) + (self.a @ adjoint(self.a) / self.norm ** 2 * self.n if self.kind != 'far' else 0 * self.a)
        put('s', s.astype(self.dtype), 'tij')
        c = one('axt-cholesky --row i --col j i.h5:s').astype(self.wide)
        self.near('cholesky', c @ adjoint(c), s, np.abs(s).max())
        d = run('axt-eig --row i --col j i.h5:a')
        w, v = d['w'].astype('c16'), d['v'].astype('c16')
        self.near('eig', self.A @ v, v * w[:, None, :], self.norm)
        assert (np.diff(np.abs(w)) <= 4 * self.eps * self.norm).all(), 'eigenvalues by size'

    def check(self):
        if os.path.exists('i.h5'):
            os.remove('i.h5')
        put('a', self.a, 'tij')
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
        for how in ('AXT_THREADS=3', 'AXT_TILE=1', 'AXT_TILE=100', 'AXT_ISA=v3', 'AXT_SLAB=700'):
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
    t.done()


main()
