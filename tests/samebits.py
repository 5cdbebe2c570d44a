#!/usr/bin/python3
"""The same command gives the same bytes: threads, instruction set, tile size, chunks or none, pipe or file."""
import os

import h5py
import numpy as np

from axtlib import SLOW, Named, Tap, axt, isas, scratch, shell, write_h5

r = np.random.default_rng(7)
d = scratch()
tap = Tap()


def tensor(dims, shape, dtype='f4', nan=.01):
    a = (r.standard_normal(shape) * 10. ** r.integers(-3, 4, shape)).astype(dtype)
    a[r.random(shape) < nan] = np.nan
    return Named(dims, a, {dims[0]: np.arange(shape[0]) * 6.0})


# Sizes around the block of 1024 and the lanes of 16, and larger than a tile.
A = tensor(('time', 'lat', 'lon'), (37, 61, 129))
B = tensor(('time', 'lat', 'lon'), (37, 61, 129))
LONG = tensor(('n',), (300007,), nan=0)
D = tensor(('time', 'lat', 'lon'), (11, 50, 77), 'f8')
M = Named(('lon', 'lat'), r.standard_normal((129, 61)).astype('f4'))
P = Named(('m', 'k'), r.standard_normal((70, 333)).astype('f4'))
Q = Named(('k', 'n'), r.standard_normal((333, 91)).astype('f4'))
for name, t in (('a', A), ('b', B), ('long', LONG), ('d', D), ('m', M), ('p', P), ('q', Q)):
    write_h5(f'{d}/{name}.contig.h5', t)
    small = tuple(max(1, n // 3) for n in t.a.shape)
    write_h5(f'{d}/{name}.chunk.h5', t, chunks=small)
    write_h5(f'{d}/{name}.zip.h5', t, chunks=tuple(max(1, n // 2 + 1) for n in t.a.shape), compression='gzip',
             shuffle=True, fletcher32=True)
    write_h5(f'{d}/{name}.big.h5', t, dtype=t.a.dtype.newbyteorder('>'))

# {a} is a file of a, in any layout.
COMMANDS = [
    'axt-add {a} {b}', 'axt-sub {a} {m}', 'axt-sub {m} {a}', 'axt-div {b} {a}', 'axt-pow {m} 2', 'axt-hypot {a} {b}',
    'axt-map exp {d}', 'axt-map sin {a}', 'axt-map sigmoid {b}', 'axt-map absolute {a} | axt-map log', 'axt-map gelu {m}',
    'axt-reduce sum {a}', 'axt-reduce sum {long}', 'axt-reduce mean --over time {a}',
    'axt-reduce mean --over lat,lon {a}', 'axt-reduce std --over lat {a}', 'axt-reduce var {long}',
    'axt-reduce norm2 --to lon {a} --skip-nan', 'axt-reduce rms --to lon,time {d}', 'axt-reduce sum --over time,lon {d}',
    'axt-reduce argmax --over lon {b}', 'axt-reduce logsumexp --to time {b}', 'axt-reduce max --over time {b}',
    'axt-reduce mean,std,count --skip-nan --over time {a}',
    'axt-reduce sum,min,argmax,std,prod,any --over lat {b}', 'axt-reduce max,mean,logsumexp,argmin {long}',
    'axt-map exp {d} | axt-reduce mean,ptp,norm2 --over lon', 'axt-reduce sum,rms,std --weights {m} --over lon {a}',
    'axt-reduce mean --weights {m} --over lat,lon {a}',
    'axt-reduce median --over time {a}', 'axt-reduce quantile:0.3 --to time {d}', 'axt-reduce median {long}',
    'axt-window n=w:31 {long} | axt-reduce mean --over w', 'axt-window n=w:365 {long} | axt-reduce rms --over w',
    'axt-window time=w:20 {a} | axt-reduce sum --over w --skip-nan', 'axt-window lon=w:33:2 {b} | axt-reduce mean --over w',
    'axt-window lat=w:40 {d} | axt-reduce max --over w', 'axt-window lat=v:3 lon=w:3 {b} | axt-reduce median --over v,w',
    'axt-scan sum --along time {a}', 'axt-scan prod --along lon {b}', 'axt-scan sum --along lat --reverse {d}',
    'axt-sort --along time {a}', 'axt-sort --along lon --index {b}',
    'axt-order lon,lat,time {a}', 'axt-order lat,time,lon {d}', 'axt-cast --dtype f16 {m}', 'axt-cast --dtype f64 {a}',
    'axt-clip -1 1 {a}', 'axt-fillnan {a} {m}', 'axt-where <(axt-gt {a} 0) {a} {b}', 'axt-broadcast x=3,lon,lat {m}',
    'axt-dot {p} {q}', 'axt-dot {q} {p}', 'axt-dot {a} {m}', 'axt-dot --keep time {a} {b}',
    'axt-make random x=100,y=1000 --seed 5', 'axt-make normal x=100001 --seed 5', 'axt-make iota x=100001 --dtype f32',
    'axt-sub {a} {b} | axt-map square | axt-reduce mean --over time | axt-map sqrt',
    'axt-sub {a} <(axt-reduce mean --over time {a}) | axt-reduce std --over lat',
    'axt-calc "mean(x*y, over=time), max(x - y, over=time), sum(exp(w)*x, over=time)" x={a} y={b} w={m}',
    'axt-mul {a} <(axt-map cos {m}) | axt-reduce mean --over lat', 'axt-corr --over time {a} {b}',
]


def result(command, layout='contig', **env):
    """The bytes a command writes, or its error. History is left out: it holds the names of the files."""
    files = {n: f'{d}/{n}.{layout}.h5' for n in ('a', 'b', 'long', 'd', 'm', 'p', 'q')}
    command = command.replace('axt-reduce', 'axt-reduce --no-history').format(**files)
    command = command.replace('--no-history --no-history', '--no-history')
    p = shell(f'{command} --no-history', env={k: str(v) for k, v in env.items()})
    if p.returncode:
        return f'status {p.returncode} {p.stderr.decode(errors="replace")}'
    return p.stdout


def together():
    """Several operations in one pass give the bits of each alone."""
    for over in ('time', 'lat', 'lon', 'lat,lon', 'time,lon', 'time,lat,lon'):
        for how in ('', '--skip-nan', '--weights {m}'):
            ops = ['sum', 'mean', 'var', 'std', 'rms']
            ops += [] if 'weights' in how else ['min', 'max', 'argmin', 'argmax', 'count', 'prod', 'logsumexp', 'any']
            c = f'axt-reduce %s {how} --over {over} {{a}}'
            one = {op: payload(result(c % op + f' --name {op}'))[op] for op in ops}
            tap.ok(payload(result(c % ','.join(ops))) == one, f'together as alone: {c}')


def fused():
    """Maps that have a kernel together with a sum give the bits of both one after another."""
    for op in ('sub {a} {b} | axt-map square', 'sub {a} {b} | axt-map absolute', 'sub {a} {m}', 'mul {a} {b}', 'mul {d} {d}',
               'sub {d} 3', 'map square {d}', 'map square {a}', 'mul {m} {a}', 'sub {b} {m} | axt-map square'):
        for red in ('mean --over time', 'sum --over time,lat', 'sum --over lat', 'mean --over time --skip-nan', 'sum',
                    'mean --over lon', 'sum --over lat,lon --skip-nan'):
            c = f'axt-{op} | axt-reduce {red}'
            want = result(c, AXT_FUSE=0)
            tap.ok(not isinstance(want, str) and result(c, AXT_FUSE=1) == want, f'fused as not: {c}', want)


def payload(b):
    """The values alone."""
    import io
    if isinstance(b, str):
        return b
    with h5py.File(io.BytesIO(b)) as f:
        return {k: v[()].tobytes() for k, v in f.items() if v.attrs.get('CLASS') != b'DIMENSION_SCALE'}


def main():
    ways = [(f'{n} threads', dict(AXT_THREADS=n)) for n in (2, 3, 8)]
    ways += [(f'tiles of {n}', dict(AXT_TILE=n)) for n in (1, 1000, 1024, 4096, 1 << 20)]
    ways += [('tiles of 1777, 3 threads', dict(AXT_TILE=1777, AXT_THREADS=3)),
             ('OMP and OPENBLAS set', dict(OMP_NUM_THREADS=3, OPENBLAS_NUM_THREADS=2))]
    sets = isas()[:1] if SLOW else isas()
    for c in COMMANDS[::6] if SLOW else COMMANDS:
        base = result(c, AXT_THREADS=1)
        if isinstance(base, str):
            tap.ok(False, f'{c} runs', base)
            continue
        bad = []
        for isa in sets:
            if result(c, AXT_ISA=isa) != base:
                bad.append('isa ' + isa)
        for what, env in ways[::3] if SLOW else ways:
            if 'tiles of 1' == what and ('long' in c or 'random' in c or 'normal' in c or 'iota' in c):
                continue
            if result(c, **env) != base:
                bad.append(what)
        tap.ok(not bad, f'same bytes: {c}', 'differs with: ' + ', '.join(bad))
        if '{' not in c:
            continue
        want = payload(base)
        bad = [lay for lay in ('chunk', 'zip', 'big') if payload(result(c, lay)) != want]
        tap.ok(not bad, f'same values from chunks, deflate, big-endian: {c}', 'differs from: ' + ', '.join(bad))
    files()
    together()
    fused()


def files():
    """A file, standard output and a pipe carry the same bytes."""
    a = f'{d}/a.contig.h5'
    for c in ('axt-map sqrt', 'axt-reduce mean --over time', 'axt-order lon,lat,time', 'axt-reduce sum'):
        out = f'{d}/out.h5'
        p = shell(f'{c} {a} --no-history -o {out}')
        with open(out, 'rb') as f:
            file_bytes = f.read()
        os.unlink(out)
        redirected = shell(f'{c} {a} --no-history >{out}')
        with open(out, 'rb') as f:
            stdout_bytes = f.read()
        piped = shell(f'{c} {a} --no-history | cat').stdout
        from_pipe = shell(f'cat {a} | {c} --no-history').stdout
        tap.ok(p.returncode == 0 == redirected.returncode and file_bytes == stdout_bytes == piped,
               f'-o, > and | give the same bytes: {c}')
        tap.ok(piped == from_pipe and piped, f'cat FILE | gives the same bytes: {c}')
    p = axt('map', 'sqrt', a, '-o', f'{d}/1.h5')
    q = axt('map', 'sqrt', a, '-o', f'{d}/2.h5')
    with open(f'{d}/1.h5', 'rb') as f, open(f'{d}/2.h5', 'rb') as g:
        tap.ok(p.rc == q.rc == 0 and f.read() == g.read(), 'two runs write equal files, history and all')


# dtype of the attributes, scale, offset: sums are exact in some, not in others; one overflows, one is NaN.
PACKINGS = [('f4', .002, 273), ('f4', -.01, 0), ('f8', 2.**-9, -40), ('f8', .002, 273.1), ('f4', 1e-30, 1),
            ('f4', 3e38, 0), ('f4', np.nan, 0)]
PACKED = ['mean --over time', 'sum --over time', 'mean --over time --skip-nan', 'sum --over lat --keep-nan',
          'mean --over time,lat --keep-nan', 'mean --over time --weights {w}', 'rms --over time', 'sum --over lon,time',
          'mean,std --over time', 'mean --to lon,lat']


def packed():
    """Packed integers give the bits of the same command on what they stand for, unpacked by NumPy into a file."""
    write_h5(f'{d}/w.h5', Named(('time',), r.random(37), {'time': np.arange(37) * 6.}))
    sets = isas()
    for k, (dtype, (real, scale, offset)) in enumerate((i, p) for i in ('i1', 'u1', 'i2', 'u2') for p in PACKINGS):
        lo, hi = np.iinfo(dtype).min, np.iinfo(dtype).max
        a = r.integers(lo, hi, (37, 31, 129), dtype=dtype, endpoint=True)
        a[r.random(a.shape) < .3] = lo
        a[:, 2, :40] = lo
        miss = [(), ('_FillValue',), ('_FillValue', 'missing_value')][k % 3]
        attrs = {'scale_factor': np.dtype(real).type(scale), 'add_offset': np.dtype(real).type(offset)}
        attrs.update(zip(miss, np.array([lo, hi], dtype)))
        with np.errstate(all='ignore'):
            v = a.astype(real) * attrs['scale_factor'] + attrs['add_offset']
        v[np.isin(a, [attrs[m] for m in miss])] = np.nan
        axes, coords = ('time', 'lat', 'lon'), {'time': np.arange(37) * 6.}
        order = str(r.choice(['<', '>']))
        chunks = None if k % 2 else (5, 31, 40)
        write_h5(f'{d}/packed.h5', Named(axes, a.astype(order + dtype), coords), attrs=attrs, chunks=chunks)
        write_h5(f'{d}/plain.h5', Named(axes, v.astype(real), coords))
        what = f'{order}{dtype} by {real} {scale} {offset} {" ".join(miss)}'
        bad = []
        for c in ['axt-map negative'] + ['axt-reduce ' + c for c in PACKED]:
            if miss and 'nan' not in c:
                c += ' --keep-nan' if 'reduce' in c else ''
            want = shell(f'{c} {d}/plain.h5 --no-history'.replace('{w}', f'{d}/w.h5'), env={'AXT_THREADS': '1'})
            for isa in sets:
                env = {'AXT_ISA': isa, 'AXT_THREADS': str(r.integers(1, 4)), 'AXT_SLAB': str(r.choice([500, 30000])),
                       'AXT_TILE': str(r.choice([1000, 1777, 4096, 1 << 20]))}
                got = shell(f'{c} {d}/packed.h5 --no-history'.replace('{w}', f'{d}/w.h5'), env=env)
                if want.returncode or got.returncode or payload(got.stdout) != payload(want.stdout):
                    bad.append(f'{c} {env} {want.stderr} {got.stderr}')
        tap.ok(not bad, f'packed as unpacked: {what}', '\n'.join(bad))


main()
packed()
tap.done()
