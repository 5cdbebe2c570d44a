#!/usr/bin/python3
"""Jobs of several processes of MPI against one process: ranks.py [CASES [SEED]].

With each MPI that is here, Open MPI, MPICH, and any that has the standard interface of MPI 5.0 (whose mpicc_abi is in PATH, as
after pip install mpich): what mpirun -n N writes has the bytes of what one process writes. A
process that fails, is killed, or sees another file ends the whole job with a status, and the old output stays.
"""
import fcntl
import os
import random
import shutil
import subprocess
import time

import parts
from axtlib import BIN, Tap, in_batches, random_cases

OUT = parts.OUT
ENV = dict(os.environ, PATH=f'{BIN}:{os.environ["PATH"]}', AXT_FUSE='1', OMPI_ALLOW_RUN_AS_ROOT='1',
           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', AXT_THREADS='1')
MPIS = {m: w for m, w in {'openmpi': ['mpirun.openmpi', '--oversubscribe'], 'mpich': ['mpirun.mpich']}.items()
        if shutil.which(w[0]) and os.path.exists(f'{BIN}/../lib/axt-mpi-{m}.so')}
RANK = {'openmpi': 'OMPI_COMM_WORLD_RANK', 'mpich': 'PMI_RANK', 'abi': 'PMI_RANK'}
ENVS = dict.fromkeys(MPIS, ENV)
LINES = [
    'axt-sub -q ../in.nc:t ../in.nc:m',
    'axt-sub -q ../in.nc:t ../in.nc:z | axt-map square | axt-reduce mean --over time',
    "axt-calc -q 't - mean(t, over=time)' t=../in.nc:t",
    'axt-reduce mean ../in.nc:z',
    'axt-reduce var --over lon,lat ../in.nc:p --weights ../in.nc:m',
    'axt-reduce std --over lon ../in.nc:p --compress deflate --chunk time=5,lat=4',
    'axt-sort --along n ../in.nc:x',
    'axt-dot --over n ../in.nc:x ../in.nc:y',
    'axt-copy ../in.nc:p --unlimited time',
    'axt-slice time=3:9 ../in.nc:t --raw',
    'axt-make random n=1000,k=7 --seed 4 --quantize 3',
    # each chunk of steps.nc has all that is needed for one time: ranks exchange what they have read
    'axt-reduce mean --over time ../steps.nc',
    "axt-calc -q 't - mean(t, over=time)' t=../steps.nc --memory 1M",
    'axt-reduce median --over time ../steps.nc --compress deflate --chunk lat=7',
    'axt-sort --along time ../steps.nc --memory 2M',
    # chunks that each process packs, and which rank 0 lays out
    'axt-map exp ../in.nc:t --compress deflate',
    'axt-map exp ../in.nc:p --compress zstd --chunk time=5,lat=4,lon=3',
    "axt-calc -q 't - mean(t, over=time)' t=../in.nc:t --compress deflate --chunk time=2,lat=3,lon=2",
    'axt-sub -q ../in.nc:t ../in.nc:m --chunk time=5,lat=4,lon=33',
    'axt-slice time=3:9 ../in.nc:z --raw',
    'axt-copy ../in.nc:p --unlimited time,lat --compress lz4',
    'axt-copy ../in.nc:t --unlimited time --chunk time=7',
    'axt-sort --along n ../in.nc:x --compress deflate',
    'AXT_THREADS=3 axt-make random n=1000,k=7 --seed 4 --quantize 3 --compress zstd --chunk n=3,k=2',
    'axt-make random n=2000,k=500 --seed 4 --compress deflate --memory 1M',
    'axt-make random n=6000,k=500 --seed 4 --chunk n=1000,k=70 --memory 8M',
    # reductions that all ranks compute before the rest, in one pass and in two
    "axt-calc -q '(t - mean(t)) / std(t)' t=../steps.nc --attr units=1",
    "axt-calc -q 'mean(abs(t - mean(t))) * max(t)' t=../steps.nc",
    "axt-calc -q 't / max(t, over=(lat,lon)) - count(t > 0)' t=../in.nc:t --fill -1",
    # several results, each cut by itself, and whole files
    'axt-reduce mean,std ../steps.nc --over time --compress deflate',
    'axt-reduce mean,median,count ../in.nc:z',
    "axt-calc -q 'a = t - mean(t); a, b = sum(a, over=lon), max(t)' t=../steps.nc --chunk lat=7",
    "axt-copy '../many.nc:*'",
    "axt-reduce -q mean '../many.nc:*' --over time --compress deflate",
    "axt-mul -q '../many.nc:*' 2 --each --chunk time=3",
]


def standard():
    """Adds the MPI of mpicc_abi, for a copy of the commands that has the library for the standard interface alone."""
    cc = shutil.which('mpicc_abi')
    if not cc:
        return
    top = os.path.realpath(f'{OUT}/../abi')
    os.makedirs(f'{top}/lib')
    shutil.copytree(BIN, f'{top}/bin', copy_function=os.link)
    shutil.copy(f'{BIN}/../libaxt.so', f'{top}/lib/libaxt.so.0')
    shutil.copy(f'{BIN}/../lib/axt-mpi-abi.so', f'{top}/lib')
    there = os.path.dirname(os.path.dirname(cc))
    MPIS['abi'] = [f'{there}/bin/mpiexec']
    ENVS['abi'] = dict(ENV, PATH=f'{top}/bin:{os.environ["PATH"]}', LD_LIBRARY_PATH=f'{there}/lib')


def make_many():
    """A file of many tensors: packed, compressed, of one value, in a group, empty, with text that goes along."""
    r = parts.np.random.default_rng(9)
    with parts.netCDF4.Dataset(f'{OUT}/../many.nc', 'w') as d:
        d.title = 'many'
        for name, n in ('time', None), ('lat', 9), ('lon', 20), ('none', 0):
            d.createDimension(name, n)
        d.createVariable('lat', 'f4', ('lat',))[:] = parts.np.linspace(-80, 80, 9)
        d.createVariable('time', 'f8', ('time',)).units = 'days since 2000-01-01'
        d['time'][:] = parts.np.arange(14)
        v = d.createVariable('a', 'f4', ('time', 'lat', 'lon'), zlib=True, chunksizes=(1, 9, 20))
        v[:] = r.normal(280, 5, (14, 9, 20))
        v.cell_methods = 'time: mean'
        v = d.createVariable('b', 'i2', ('time', 'lat', 'lon'), fill_value=-999)
        v.scale_factor = .1
        v[:] = parts.np.ma.masked_less(r.normal(5, 3, (14, 9, 20)), 1)
        d.createVariable('c', 'f4', ('lat', 'lon'))[:] = r.normal(1, 1, (9, 20))
        d.createVariable('crs', 'i4', ())[...] = 3
        d.createVariable('e', 'f4', ('time', 'none'))
        d.createVariable('words', str, ('lat',))[:] = parts.np.array([f'x{i}' for i in range(9)], dtype=object)
        d.createGroup('sub').createVariable('q', 'f8', ('time', 'lat'))[:] = r.normal(0, 1, (14, 9))


def start(mpi, n, line, **how):
    """mpirun of a line of sh, in OUT."""
    return subprocess.Popen(MPIS[mpi] + ['-n', str(n), 'sh', '-c', line], cwd=OUT, env=ENVS[mpi], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **how)


def run(mpi, n, line):
    p = start(mpi, n, line)
    err = p.communicate(timeout=120)[1].decode()
    return p.returncode, err


def alone(line):
    p = subprocess.run(['sh', '-c', line], cwd=OUT, env=ENV, capture_output=True, timeout=120, check=False)
    return p.returncode, p.stderr.decode()


def clean():
    for f in os.listdir(OUT):
        if os.path.isdir(f'{OUT}/{f}'):
            shutil.rmtree(f'{OUT}/{f}')
        else:
            os.remove(os.path.join(OUT, f))


def conformance(t, many):
    for m, mpi in enumerate(MPIS):
        for i, line in enumerate(LINES):
            clean()
            rc, err = alone(line + ' -o plain.nc')
            bad = f'alone: {err}' if rc else ''
            for n in (1, 2, 3, 5, 8, 13) if many else [(3, 5, 2)[(i + m) % 3]]:
                rc, err = run(mpi, n, line + ' -o ranks.nc')
                if rc or parts.bytes_of('ranks.nc') != parts.bytes_of('plain.nc'):
                    bad += f' -n {n}: {err or "other bytes"}'
            left = set(os.listdir(OUT)) - {'plain.nc', 'ranks.nc'}
            t.ok(not bad and not left, f'{mpi}: {line}', f'{bad} {left or ""}')


def products(t, many):
    """Jobs that are cut along several axes: files and stores have the bytes of those of one process."""
    parts.make_products()
    for m, mpi in enumerate(MPIS):
        for i, line in enumerate(parts.PRODUCTS):
            some = (4, 6, 8, 13) if '--keep' not in line else (8, 12, 13)
            for n in some if many else [some[(i + m) % 3]]:
                clean()
                cut = subprocess.run(['sh', '-c', f'{line} -o plain.nc --explain --ranks {n}'], cwd=OUT, env=ENV, capture_output=True, text=True, check=False)
                said = [alone(f'{line} -o plain.nc; {line} -o plain.zarr'), run(mpi, n, f'{line} -o ranks.nc'), run(mpi, n, f'{line} -o ranks.zarr')]
                same = parts.bytes_of('ranks.nc') == parts.bytes_of('plain.nc') and tree('ranks.zarr') == tree('plain.zarr')
                t.ok(same and not any(x[0] for x in said) and cut.stdout.splitlines()[0].count(' in ') > 1, f'{mpi}: -n {n} {line}', f'{cut} {said}')


def check(t, seed):
    c = parts.Case(seed)
    e = c.make()
    words = ['axt-calc', '-q', *c.words(e)]
    clean()
    rc, err = parts.run([f'{BIN}/{words[0]}', *words[1:], '-o', 'plain.nc'])
    if rc:
        parts.SKIPPED.append(err)
        return
    mpi = sorted(MPIS)[seed % len(MPIS)]
    n = [2, 3, 5, 8][seed // 2 % 4]
    p = subprocess.run(MPIS[mpi] + ['-n', str(n)] + words + ['-o', 'ranks.nc'], cwd=OUT, env=ENVS[mpi], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=120, check=False)
    if p.returncode or parts.bytes_of('ranks.nc') != parts.bytes_of('plain.nc'):
        t.ok(False, f'case {seed}: {mpi} -n {n} {" ".join(words[2:])}: {p.stderr.decode() or "other bytes"}')


def tree(name):
    """Files of a store and their bytes."""
    return {os.path.relpath(f'{at}/{n}', f'{OUT}/{name}'): open(f'{at}/{n}', 'rb').read()
            for at, _, names in os.walk(f'{OUT}/{name}') for n in names}


def outputs(t, mpi):
    """Stores are written; all other outputs, and changes of files, are refused, and nothing is left."""
    clean()
    for n, line in ((2, 'axt-mul -q ../in.nc:t 2'), (3, 'axt-reduce mean ../in.nc:z'), (3, 'axt-mul -q ../in.nc:t 2 --chunk time=3,lat=5,lon=4'),
                    (8, "axt-calc -q 't - mean(t, over=time)' t=../steps.nc --chunk time=7,lat=4,lon=5 --compress deflate"),
                    (3, 'axt-make random n=1000,k=7 --seed 4 --quantize 3 --memory 1M --chunk n=300,k=4'), (2, 'axt-copy ../in.nc:p --compress none'), (3, "axt-copy '../many.nc:*'"), (2, 'axt-reduce -q mean,std ../steps.nc')):
        said = [alone(f'{line} -o plain.zarr'), run(mpi, n, f'{line} -o ranks.zarr')]
        same = tree('plain.zarr') == tree('ranks.zarr')
        t.ok(same and [x[0] for x in said] == [0, 0] and set(os.listdir(OUT)) == {'plain.zarr', 'ranks.zarr'},
             f'{mpi}: -n {n} {line} as a store', f'{said} {os.listdir(OUT)}')
        clean()
    alone('axt-copy ../in.nc:t -o a.nc; axt-copy ../in.nc:z -o a.nc:z; axt-make iota i=2 --name n -o b.nc')
    was = {n: parts.bytes_of(n) for n in os.listdir(OUT)}
    for line in ("axt-calc 'a.nc:t *= 2'", "axt-calc 'a.nc:t *= 2' --in-place", "axt-calc 'a.nc:t[time=0] = 1'", 'axt-mul a.nc:t 2 -o a.nc',
                 'axt-mul a.nc:t 2 -o o.npy', 'axt-mul a.nc:t 2 -o o.csv', 'axt-mul a.nc:t 2 -o o.cdf', 'axt-mul a.nc:t 2 >st.nc; s=$?; rm st.nc; exit $s',
                 'axt-print b.nc', 'axt-plot b.nc', 'axt-plot b.nc -o b.png', 'axt-mul b.nc 2', 'axt-mul b.nc 2 -p', 'axt-make random i=4 -o r.nc',
                 "axt-calc 'random(i=4)' -o r.nc", 'axt-make random i=4 | axt-mul - 2 -o r.nc', 'axt-remove b.nc:n', 'axt-attr units=K b.nc',
                 'axt-move n=m b.nc', 'axt-append --along i b.nc b.nc'):
        for how in ('sh', 'redirected') if line in ('axt-print b.nc', 'axt-mul b.nc 2') else ('sh',):
            if how == 'redirected':
                p = subprocess.run(f'{" ".join(MPIS[mpi])} -n 2 {line} >../st.nc', shell=True, cwd=OUT, env=ENVS[mpi], stdin=subprocess.DEVNULL,
                                   capture_output=True, timeout=120, check=False)
                rc, err = p.returncode, p.stderr.decode()
            else:
                rc, err = run(mpi, 2, line)
            now = {n: parts.bytes_of(n) for n in os.listdir(OUT)}
            t.ok(rc != 0 and now == was and 'axt-' in err, f'{mpi}: {line}, {how}, is refused', f'{rc} {err[:300]} {sorted(now)}')


def others_in_out(mpirun):
    """The processes that work in OUT, apart from mpirun itself."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            if int(pid) != mpirun and os.path.samefile(f'/proc/{pid}/cwd', OUT):
                found.append(int(pid))
        except OSError:
            pass
    return found


def main():
    cases, seed = random_cases(12, 6, 4, 1)
    t = Tap()
    os.mkdir(OUT)
    standard()
    if not MPIS:
        t.skip('jobs of MPI', 'no mpirun, or axt is built without MPI')
        t.done()
        return
    parts.make_files()
    make_many()
    alone('axt-make random time=60,lat=31,lon=42 --dtype f32 --seed 3 --compress deflate --chunk time=1,lat=31,lon=42 -o ../steps.nc')
    conformance(t, cases > 100)
    products(t, cases > 100)
    in_batches(t, cases, 'cases {}: processes of MPI write the bytes of one', lambda k: check(t, seed + k))
    for mpi in MPIS:
        outputs(t, mpi)
    t.done()


if __name__ == '__main__':
    main()
