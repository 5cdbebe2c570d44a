#!/usr/bin/python3
"""Functions and reductions of complex numbers against NumPy, in long double where it has one: complex.py [CASES [SEED]].

Random numbers of every size, near the unit circle, on the axes and both sides of the branch cuts, and each pair of special
values. The same bytes for 1 to 8 threads, any tile and slab, with pipes fused or not.
"""
import numpy as np

from axtlib import Tap, axt, random_cases, read_h5, scratch

WAYS = [{'AXT_THREADS': '1'}, {'AXT_THREADS': '3', 'AXT_TILE': '70'}, {'AXT_THREADS': '8', 'AXT_TILE': '7', 'AXT_SLAB': '3000'}]
SPECIAL = [0., -0., 1., -1., .5, -2., 3., 1e-300, -1e300, 1e308, 5e-324, 1e-160, 1e30, -1e-30, np.inf, -np.inf, np.nan, 709.5,
           -700., 711., np.pi]
WIDE = np.clongdouble


def numbers(r, dtype, n):
    kind = r.integers(0, 6, n)
    size = np.where(kind == 1, 10.**r.uniform(-10, 10, n), np.where(kind == 2, 10.**r.uniform(-30, 30, n), 1))
    z = (r.standard_normal(n) + 1j * r.standard_normal(n)) * size
    z = np.where(kind == 3, np.exp(1j * r.uniform(-np.pi, np.pi, n)) * (1 + r.standard_normal(n) * 10.**r.uniform(-16, -1, n)), z)
    on_axis = r.integers(0, 15, n)
    z.real[on_axis == 0] = 0
    z.imag[on_axis == 1] = 0
    z.imag[on_axis == 2] = -0.
    return z.astype(dtype)


def pairs(dtype):
    z = np.empty(len(SPECIAL)**2, dtype)
    z.real, z.imag = np.repeat(SPECIAL, len(SPECIAL)), np.tile(SPECIAL, len(SPECIAL))
    return z


def computed(d, words, env=None, **tensors):
    for name, a in tensors.items():
        np.save(f'{d}/{name}.npy', a)
    run = axt(*words, *(f'{n}={d}/{n}.npy' if words[0] == 'calc' else f'{d}/{n}.npy' for n in tensors), '-o', f'{d}/out.h5',
              env=env)
    return read_h5(f'{d}/out.h5').a if run.rc == 0 else str(run)


def near(got, want, ulps, by_parts=True):
    """Each part within so many ulps, or both together: of the absolute value."""
    if isinstance(got, str) or got.shape != want.shape:
        return got
    real = got.real.dtype
    eps, least = np.finfo(real).eps, np.finfo(real).tiny
    for x, y in [(got.real, want.real), (got.imag, want.imag)] if np.iscomplexobj(got) else [(got, want)]:
        scale = np.abs(y) if by_parts else np.abs(want)
        with np.errstate(all='ignore'):
            off = np.abs(x - y) / np.maximum(scale, least) / eps
            fine = (off <= ulps) | (x == y.astype(real)) | (np.isnan(x) & np.isnan(y))
        if not fine.all():
            i = np.flatnonzero(~fine)[0]
            return f'element {i}: {got.flat[i]!r} is not {want.flat[i]!r}'
    return True


def power(z, n):
    y = np.ones(z.shape, WIDE)
    for _ in range(abs(n)):
        y = y * z.astype(WIDE)
    return 1 / y if n < 0 else y


def functions(t, d, r, dtype):
    z = numbers(r, dtype, 3000)
    with np.errstate(all='ignore'):
        for f in 'sqrt', 'exp', 'log':
            a = z[np.abs(z) < 300] if f == 'exp' else z
            got = computed(d, ['calc', f'{f}(z)'], z=a)
            t.ok(near(got, getattr(np, f)(a.astype(WIDE)), 4) is True, f'{f} of {dtype}',
                 near(got, getattr(np, f)(a.astype(WIDE)), 4))
            want = getattr(np, f)(pairs(dtype))
            why = near(computed(d, ['calc', f'{f}(z)'], z=pairs(dtype)), want, 1e6)
            t.ok(why is True, f'{f} of special values of {dtype}', why)
        ok = (np.abs(z) > 1e-5) & (np.abs(z) < 1e5)
        for n in 2, 3, 7, -1, -2, -5:
            why = near(computed(d, ['calc', f'z**({n})'], z=z[ok]), power(z[ok], n), 8, by_parts=False)
            t.ok(why is True, f'power {n} of {dtype}', why)
        why = near(computed(d, ['calc', 'z**0.5'], z=z), np.sqrt(z.astype(WIDE)), 4)
        t.ok(why is True, f'power 0.5 of {dtype}', why)
        b = numbers(r, dtype, 3000)[ok]
        b = np.where(np.abs(b) < 10, b, b / np.abs(b)).astype(dtype)
        why = near(computed(d, ['calc', 'pow(z, w)'], z=z[ok], w=b), np.exp(b.astype(WIDE) * np.log(z[ok].astype(WIDE))), 200,
                   by_parts=False)
        t.ok(why is True, f'pow of two tensors of {dtype}', why)


def reference(op, z, axis):
    w = z.astype(WIDE)
    m = np.abs(w)
    off = np.abs(w - w.mean(axis=axis, keepdims=True))**2
    return {'prod': lambda: np.prod(z.astype('c16'), axis=axis),
            'var': lambda: off.mean(axis=axis),
            'std': lambda: np.sqrt(off.mean(axis=axis)), 'norm1': lambda: m.sum(axis=axis),
            'norm2': lambda: np.sqrt((m**2).sum(axis=axis)), 'rms': lambda: np.sqrt((m**2).mean(axis=axis)),
            'sumsq': lambda: (m**2).sum(axis=axis), 'count': lambda: (~np.isnan(z)).sum(axis=axis),
            'any': lambda: np.any(z, axis=axis), 'all': lambda: np.all(z, axis=axis)}[op]()


def reductions(t, d, r, dtype, k):
    shape = [(40, 5), (5, 3000), (1, 1), (3000, 3), (0, 4), (70, 200)][k % 6]
    z = numbers(r, dtype, int(np.prod(shape))).reshape(shape)
    z = np.where(np.abs(z) < 1e3, z, 1).astype(dtype)
    z[r.random(shape) < .1] = 0
    for op in 'prod', 'var', 'std', 'norm1', 'norm2', 'rms', 'sumsq', 'count', 'any', 'all':
        for axis in 0, 1:
            a = np.exp(1j * np.angle(z)).astype(dtype) if op == 'prod' else z.copy()
            if op == 'count':
                a[r.random(shape) < .2] = complex(np.inf, np.nan)
            words = ['reduce', op, '--over', f'dim_{axis}']
            got = computed(d, words, WAYS[0], x=a)
            with np.errstate(all='ignore'):
                want = np.asarray(reference(op, a, axis))
            exact = op in ('count', 'any', 'all')
            why = near(got, want, 4 * max(shape) if op == 'prod' else 8, by_parts=False) if not exact or isinstance(got, str) else \
                bool(np.array_equal(got, want))
            t.ok(why is True, f'{op} of {dtype} {shape} over {axis}', why)
            for env in WAYS[1:]:
                again = computed(d, words, env, x=a)
                t.ok(not isinstance(again, str) and got.tobytes() == again.tobytes(), f'{op} {shape} over {axis} with {env}',
                     again)


def skipping(t, d, r, dtype):
    """NaN that does not count: as if the element was not there; of no others, NaN as of real numbers."""
    z = numbers(r, 'c16', 200).reshape(5, 40)
    z = np.where(np.abs(z) < 1e3, z, 1).astype(dtype)
    z[r.random(z.shape) < .3] = np.nan
    z[0, :2], z[4] = complex(1, np.nan), np.nan
    for op in 'sum', 'mean', 'prod', 'var', 'std', 'norm2', 'count':
        got = computed(d, ['reduce', op, '--over', 'dim_1', '--skip-nan'], x=z)
        want = [{'sum': np.sum, 'mean': np.mean}[op](x) if op in ('sum', 'mean') else reference(op, x, 0)
                for x in (row[~np.isnan(row)].astype('c16') for row in z[:4])]
        if op != 'count':
            right = not isinstance(got, str) and bool(np.isnan(got[4])) and near(got[:4], np.array(want), 200, by_parts=False)
            t.ok(right is True, f'{op} of {dtype} without NaN', (got, want))
        else:
            t.ok(not isinstance(got, str) and got.tolist() == want + [0], f'{op} of {dtype} without NaN', (got, want))


def grouped(t, d, r):
    z = numbers(r, 'c16', 400).reshape(40, 10)
    z = np.where(np.abs(z) < 1e3, z, 1)
    g = np.sort(r.integers(0, 4, 40))
    np.save(f'{d}/g.npy', g)
    axt('from', f'{d}/g.npy', '--to', 'dim_0', '-o', f'{d}/g.h5')
    for op in 'prod', 'std', 'norm2', 'count':
        got = computed(d, ['reduce', op, '--by', f'{d}/g.h5', '--over', 'dim_0'], z=np.exp(1j * z.real))
        want = np.array([reference(op, np.exp(1j * z.real)[g == i], 0) for i in np.unique(g)])
        why = near(got, want, 100, by_parts=False) if op != 'count' or isinstance(got, str) else bool(np.array_equal(got, want))
        t.ok(why is True, f'{op} by label', why)


def literals(t, d, r):
    x = {c: r.standard_normal(5).astype(c) for c in ('f4', 'f8')} | {'i4': np.arange(5, dtype='i4')}
    x |= {c: numbers(r, c, 5) for c in ('c8', 'c16')}
    for c, want in ('f4', 'c8'), ('f8', 'c16'), ('i4', 'c16'), ('c8', 'c8'), ('c16', 'c16'):
        for text, value in ('2j', 2j), ('(1.5e-3j)', 1.5e-3j), ('(1+2j)', 1 + 2j), ('(-.5J)', -.5j), ('(3 - 1e2j)', 3 - 1e2j):
            got = computed(d, ['calc', f'x*{text}'], x=x[c])
            t.ok(not isinstance(got, str) and got.dtype == want and np.allclose(got, x[c] * np.array(value, want), rtol=1e-6),
                 f'{c} times {text}', got)
    for text, want in ('2j**2', '-4+0j'), ('abs(3+4j)', '5'), ('sqrt(-1+0j)', '0+1j'), ('exp(0j)', '1+0j'), ('-2j*2j', '4-0j'):
        run = axt('calc', text, '-p')
        t.ok(run.rc == 0 and run.out.decode().strip() == want, f'{text} is {want}', run.out)
    for text in '2i', 'complex(1, 2)':
        run = axt('calc', text, '-p')
        t.ok(run.rc and 'written 2j' in run.err, f'{text} is told of', run)


def fused(t, d, r):
    np.save(f'{d}/z.npy', numbers(r, 'c16', 5000))
    outs = []
    for env in {'AXT_FUSE': '0'}, {'AXT_FUSE': '1', 'AXT_TILE': '90'}, {'AXT_THREADS': '5'}:
        for f in 'sqrt', 'exp', 'log':
            first = axt('map', f, f'{d}/z.npy', env=env)
            outs.append((f, axt('map', 'sqrt', data=first.out, env=env).out))
    for f in 'sqrt', 'exp', 'log':
        own = [o for g, o in outs if g == f]
        t.ok(own[0] and own[0][-5000 * 16:] == own[1][-5000 * 16:] == own[2][-5000 * 16:], f'{f} through pipes is the same')


def main():
    cases, seed = random_cases(4, 4, 2, 1)
    t = Tap()
    d = scratch()
    for dtype in 'c8', 'c16':
        functions(t, d, np.random.default_rng(seed), dtype)
        skipping(t, d, np.random.default_rng(seed), dtype)
    for k in range(cases):
        reductions(t, d, np.random.default_rng(seed + k), ['c16', 'c8'][k % 2], k)
    r = np.random.default_rng(seed)
    grouped(t, d, r)
    literals(t, d, r)
    fused(t, d, r)
    for op in 'min', 'max', 'ptp', 'median', 'argmax', 'logsumexp':
        run = axt('reduce', op, f'{d}/z.npy')
        t.ok(run.rc and f'{op} is not defined for c128' in run.err, f'{op} is refused', run)
    t.done()


if __name__ == '__main__':
    main()
