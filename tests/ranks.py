#!/usr/bin/python3
"""Jobs of several processes of MPI against one process: ranks.py [CASES [SEED]].

With each MPI that is here, Open MPI, MPICH, and any that has the standard interface of MPI 5.0 (whose mpicc_abi is in PATH, as
after pip install mpich): what mpirun -n N writes has the bytes of what one process writes. A
process that fails, is killed, or sees another file ends the whole job with a status, and the old output stays.
"""
import fcntl
import json
import os
import random
import shutil
import subprocess
import time

import parts
from axtlib import BIN, SANITIZER, SLOW, Tap, in_batches, random_cases

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
    'axt-reduce sum,mean,var,std,rms,norm2,min,max ../in.nc:z',
    "axt-calc -q 'a = t - mean(t); a, b = sum(a, over=lon), max(t)' t=../steps.nc --chunk lat=7",
    "axt-copy '../many.nc:*'",
    'axt-copy ../in.nc:sums',
    "axt-reduce -q mean '../many.nc:*' --over time --compress deflate",
    "axt-mul -q '../many.nc:*' 2 --each --chunk time=3",
]

# what the first process tells of inputs of each kind: chunks of more than 64 KiB of addresses, unwritten ones, no chunks, ...
KINDS = [f'axt-mul -q ../kinds.h5:{v} 2' for v in ('chunks', 'big', 'hole', 'none', 'tab.a', 'tab.b', 'flat.a', 'sums', 'half', 'z', 'virt')] + [
    'axt-and ../kinds.h5:bits ../kinds.h5:bits', 'axt-add ../kinds.h5:one ../kinds.h5:big', 'axt-mul ../classic.nc:t 2',
    'axt-mul -q ../classic.nc:u ../classic.nc:v --compress deflate', 'axt-mul ../a.npy 2', 'axt-from ../a.csv', 'axt-mul ../a.zarr 2',
    'axt-mul ../shards.zarr 2 --chunk dim_0=7', 'axt-mul ../fortran.zarr 2', 'axt-mul ../saved.h5 2', "axt-copy '../kinds.h5:*' -q",
    'axt-reduce -q mean ../kinds.h5:chunks --by ../labels.h5', 'axt-calc -q "a + b" a=../kinds.h5:big b=../kinds.h5:big',
    'axt-concat dim_0 ../f?.h5', 'axt-map sqrt ../f1.h5 --fill -99', 'axt-slice -q dim_0=1:3 ../f1.h5 --quantize 2',
    'axt-eof -q --over dim_0 ../kinds.h5:chunks --modes 2', 'axt-take dim_0=3,1,4 ../kinds.h5:chunks',
]
TOLD = 'axt-ranks: the first process has opened the inputs'


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


def make_kinds():
    """Files in which values are stored in many ways."""
    np, r = parts.np, parts.np.random.default_rng(8)
    top = f'{OUT}/..'
    a = r.normal(0, 1, (200, 300))
    for i in range(4):
        with parts.h5py.File(f'{top}/f{i}.h5', 'w') as f:
            f.create_dataset('t', data=a[i * 5:i * 5 + 5], chunks=(1, 300), compression='gzip')
    with parts.h5py.File(f'{top}/kinds.h5', 'w') as f:
        f.create_dataset('chunks', data=a, chunks=(2, 5), compression='gzip', shuffle=True)
        f.create_dataset('big', data=a.astype('>f4'))
        f.create_dataset('hole', shape=a.shape, dtype='f4', chunks=(10, 10), fillvalue=3)[30:60] = 1
        f.create_dataset('none', shape=a.shape, dtype='f4', fillvalue=7)
        f.create_dataset('one', data=np.float32(3))
        t = np.zeros(a.shape, dtype=[('a', 'f4'), ('b', '>i2'), ('c', 'f8')])
        t['a'], t['b'] = a, a * 9
        f.create_dataset('tab', data=t, chunks=(20, 50), compression='gzip')
        f.create_dataset('flat', data=t)
        f.create_dataset('sums', data=a, chunks=(20, 50), fletcher32=True)
        f.create_dataset('bits', data=a > 0)
        f.create_dataset('half', data=a.astype('f2'))
        f.create_dataset('z', data=a[:20] + 1j)
        v = parts.h5py.VirtualLayout((20, 300), 'f8')
        for i in range(4):
            v[i * 5:i * 5 + 5] = parts.h5py.VirtualSource(f'f{i}.h5', 't', (5, 300))
        f.create_virtual_dataset('virt', v)
    with parts.netCDF4.Dataset(f'{top}/classic.nc', 'w', format='NETCDF3_64BIT_OFFSET') as d:
        d.createDimension('time', None)
        d.createDimension('x', 40)
        for name, kind, axes in ('t', 'f4', ('time', 'x')), ('u', 'f8', ('time', 'x')), ('v', 'i2', ('x',)):
            d.createVariable(name, kind, axes)[:] = 9 * a[:30, :40] if len(axes) > 1 else 9 * a[0, :40]
    np.save(f'{top}/a.npy', a)
    with open(f'{top}/a.csv', 'w') as f:
        f.write('x,y,v\n' + ''.join(f'{i % 10},{i // 10},{i / 2}\n' for i in range(200)))
    for name, meta, chunk in (
            ('shards', {'zarr_format': 3, 'node_type': 'array', 'shape': [20, 30], 'data_type': 'float64', 'fill_value': 0, 'attributes': {},
                        'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [10, 15]}},
                        'chunk_key_encoding': {'name': 'default', 'configuration': {'separator': '/'}},
                        'codecs': [{'name': 'sharding_indexed', 'configuration': {
                            'chunk_shape': [5, 5], 'codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}],
                            'index_codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}]}}]}, 'c/{}/{}'),
            ('fortran', {'zarr_format': 2, 'shape': [20, 30], 'chunks': [10, 15], 'dtype': '<f8', 'order': 'F', 'compressor': None,
                         'filters': None, 'fill_value': 0}, '{}.{}')):
        os.mkdir(f'{top}/{name}.zarr')
        with open(f'{top}/{name}.zarr/{"zarr.json" if name == "shards" else ".zarray"}', 'w') as f:
            json.dump(meta, f)
        for i in range(2):
            for k in range(2):
                part, path = a[i * 10:i * 10 + 10, k * 15:k * 15 + 15], f'{top}/{name}.zarr/{chunk.format(i, k)}'
                os.makedirs(os.path.dirname(path), exist_ok=True)
                inner = [part[y:y + 5, x:x + 5].tobytes() for y in range(0, 10, 5) for x in range(0, 15, 5)]
                index = np.array([(200 * j, 200) for j in range(6)], '<u8').tobytes()
                with open(path, 'wb') as f:
                    f.write(b''.join(inner) + index if name == 'shards' else part.tobytes(order='F'))
    alone('axt-copy ../kinds.h5:sums --chunk dim_0=7,dim_1=100 --compress zstd -o ../a.zarr; axt-sub ../f1.h5 ../f2.h5 | axt-save -o ../saved.h5;'
          'axt-make iota dim_1=300 | axt-floordiv - 100 | axt-cast --dtype i32 - -o ../labels.h5')


def start(mpi, n, line, **how):
    """mpirun of a line of sh, in OUT."""
    return subprocess.Popen(MPIS[mpi] + ['-n', str(n), 'sh', '-c', line], cwd=OUT, env=ENVS[mpi], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **how)


def run(mpi, n, line, logged=False):
    p = start(mpi, n, f'export AXT_RANKS_LOG=1; {line}' if logged else line)
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
    """The bytes of one process; and the first process opens the inputs for all, unless there are pipes."""
    for m, mpi in enumerate(MPIS):
        for i, line in enumerate(LINES + KINDS):
            clean()
            rc, err = alone(line + ' -o plain.nc')
            bad = f'alone: {err}' if rc else ''
            for n in (1, 2, 3, 5, 8, 13) if many else [(3, 5, 2)[(i + m) % 3]]:
                rc, err = run(mpi, n, line + ' -o ranks.nc', True)
                if rc or parts.bytes_of('ranks.nc') != parts.bytes_of('plain.nc'):
                    bad += f' -n {n}: {err or "other bytes"}'
                elif n > 1 and (TOLD in err) == ('|' in line):
                    bad += f' -n {n}: {err}'
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


def counts(t, mpi):
    """Quantiles of everything are found by counts of all processes; if one cannot read its share, all end."""
    with parts.netCDF4.Dataset(f'{OUT}/../large.nc', 'w') as d:
        r = parts.np.random.default_rng(4)
        x = r.normal(0, 1, (1100, 2100)).astype('f4')
        x[r.random(x.shape) < .1] = parts.np.nan
        for name, n in ('y', 1100), ('x', 2100), ('k', 3):
            d.createDimension(name, n)
        d.createVariable('gaps', 'f4', ('y', 'x'), zlib=True, chunksizes=(100, 700))[:] = x
        d.createVariable('whole', 'f4', ('y', 'x'))[:] = r.integers(-5, 5, x.shape)
        d.createVariable('doubles', 'f8', ('y', 'x'))[:] = r.normal(0, 1, x.shape)
        v = d.createVariable('packed', 'i2', ('k', 'y', 'x'), fill_value=-999)
        v.scale_factor = .5
        v[:] = parts.np.ma.masked_less(r.integers(-3000, 3000, (3, *x.shape)), -2000)
    for n, line in ((3, 'axt-calc "gaps / median(gaps)" gaps=../large.nc:gaps'), (3, 'axt-reduce median --skip-nan ../large.nc:gaps'),
                    (5, 'axt-calc -q "(a - median(a)) / (quantile(a, 0.75) - quantile(a, 0.25)) + mean(a)" a=../large.nc:gaps'),
                    (4, 'axt-reduce median,mean ../large.nc:whole'), (8, 'axt-calc -q "a * median(a)" a=../large.nc:doubles'),
                    (8, 'axt-calc -q "p / median(p, over=(y,x))" p=../large.nc:packed')):
        clean()
        rc, err = alone(f'{line} -o plain.nc')
        told = alone(f'{line} -o ranks.nc --explain --ranks {n} >told; cat told >&2')[1]
        more = run(mpi, n, f'{line} -o ranks.nc')
        t.ok(rc == 0 and more == (0, err) and 'all processes together' in told and parts.bytes_of('ranks.nc') == parts.bytes_of('plain.nc'),
             f'{mpi}: -n {n} {line}', f'{err} {more} {told}')
    clean()
    for k in range(3):
        os.mkdir(f'{OUT}/{k}')
        shutil.copy2(f'{OUT}/../large.nc', f'{OUT}/{k}')
    os.utime(f'{OUT}/1/large.nc')
    rc, err = run(mpi, 3, f'cd ${RANK[mpi]}; exec axt-reduce median large.nc:whole -o ../ranks.nc')
    t.ok(rc == 1 and err.count('axt-reduce: ') == 1 and 'large.nc' in err and 'ranks.nc' not in os.listdir(OUT),
         f'{mpi}: a process that cannot count its share ends all', f'{rc} {err}')


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
    p = subprocess.run(MPIS[mpi] + ['-n', str(n)] + words + ['-o', 'ranks.nc'], cwd=OUT, env=dict(ENVS[mpi], AXT_RANKS_LOG='1'),
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    if p.returncode or TOLD not in p.stderr.decode() or parts.bytes_of('ranks.nc') != parts.bytes_of('plain.nc'):
        t.ok(False, f'case {seed}: {mpi} -n {n} {" ".join(words[2:])}: {p.stderr.decode() or "other bytes"}')


def ends(t, mpi):
    """What ends the command before the others are told anything, ends all with one status and message."""
    clean()
    alone('axt-make iota x=5 -o a.nc')
    for line, status, want in (('axt-mul a.nc 2 --axes nope -o b.nc', 1, 'nope'), ('axt-mul none.nc 2 -o b.nc', 1, 'No such file'),
                               ("axt-calc 'a +' a=a.nc -o b.nc", 2, 'value is missing'), ('axt-slice x a.nc -o b.nc', 2, 'is not AXIS='),
                               ("axt-calc 'random(x=4)' -o b.nc", 1, 'seed'), ('axt-mul a.nc 2 -o b.nc --explain', 0, 'pass 1 of 1'),
                               ('axt-mul a.nc 2 --ranks 3 -o b.nc', 2, '--ranks'),
                               ('axt-map square a.nc --bogus -o b.nc', 2, '--bogus'), ('axt-map bogus a.nc -o b.nc', 2, 'bogus'),
                               ('axt-map square a.nc a.nc a.nc -o b.nc', 2, 'too many'), ('axt-map negative a.nc --dtype u8 -o b.nc', 1, 'does not fit u8 at x=1 in a.nc'),
                               ('axt-mul a.nc 2 -o none/b.nc', 1, 'none/b.nc')):
        p = start(mpi, 3, line)
        out, err = (x.decode() for x in p.communicate(timeout=60))
        said = [x for x in (err + out).splitlines() if want in x and 'hint' not in x]
        t.ok(p.returncode == status and len(said) == 1 and not os.path.exists(f'{OUT}/b.nc'), f'{mpi}: {line} ends once',
             f'{p.returncode} {err}')


def opens(t, mpi):
    """Each input is opened by the first process, and by those that read it."""
    if SANITIZER or SLOW or not shutil.which('strace'):
        t.skip(f'{mpi}: how often inputs are opened', 'no strace, or a slow build')
        return
    clean()
    n, files = 4, [f'i{i:02}.nc' for i in range(50)]
    alone(';'.join(f'axt-make iota x=40,y=8 --start {i} -o {f}' for i, f in enumerate(files)))
    line = f'axt-concat x {" ".join(files)} -o all.nc'
    subprocess.run(['strace', '-ff', '-qq', '-o', 'log', '-e', 'trace=open,openat,openat2'] + MPIS[mpi] + ['-n', str(n), 'sh', '-c', line],
                   cwd=OUT, env=ENVS[mpi], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    by = []
    for log in os.listdir(OUT):
        if log.startswith('log.'):
            with open(f'{OUT}/{log}', errors='replace') as f:
                by.append([w for x in f if '"' in x and ' = -1' not in x and (w := x.split('"')[1]) in files])
    by = sorted(filter(None, by), key=len)
    alone(line.replace('all.nc', 'plain.nc'))
    t.ok(len(by) == n and sorted(by[-1]) == files and all(len(set(x)) == len(x) for x in by) and
         sum(map(len, by[:-1])) <= len(files) + n and parts.bytes_of('all.nc') == parts.bytes_of('plain.nc'),
         f'{mpi}: 50 inputs are opened by the first of {n} processes, and by those that read them', [len(x) for x in by])


def differing(t, mpi):
    """Processes with other command lines do them by themselves."""
    clean()
    alone('axt-map exp ../in.nc:t -o plain.nc')
    rc, err = run(mpi, 3, f'axt-map exp ../in.nc:t -m $((100 + ${RANK[mpi]}))M -o ranks.nc', True)
    t.ok(rc == 0 and TOLD not in err and 'by itself' in err and parts.bytes_of('ranks.nc') == parts.bytes_of('plain.nc'),
         f'{mpi}: other words for each process', err)


def unlike(t, mpi):
    """Processes whose words would give other files, or are wrong in one process, end without one."""
    clean()
    alone('axt-make iota x=50 -o a.nc')
    for line in ('axt-map sqrt a.nc $B -o b.nc', 'axt-map sqrt a.nc -o ${B:-b.nc}'):
        for b in ('--quantize 2', '--attr a=b', '--no-history', '--fill -5', '--bogus', '-N') if '$B' in line else ('c.nc',):
            p = start(mpi, 3, f'if [ ${RANK[mpi]} = 1 ]; then B="{b}"; fi; {line}')
            err = p.communicate(timeout=60)[1].decode()
            want = 'unknown option --bogus' if b == '--bogus' else 'or their commands differ'
            t.ok(p.returncode != 0 and err.count(want) == 1 and os.listdir(OUT) == ['a.nc'], f'{mpi}: {line}, where one process has {b}', f'{p.returncode} {err} {os.listdir(OUT)}')


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
    make_kinds()
    alone('axt-make random time=60,lat=31,lon=42 --dtype f32 --seed 3 --compress deflate --chunk time=1,lat=31,lon=42 -o ../steps.nc')
    conformance(t, cases > 100)
    products(t, cases > 100)
    in_batches(t, cases, 'cases {}: processes of MPI write the bytes of one', lambda k: check(t, seed + k))
    for mpi in MPIS:
        ends(t, mpi)
        opens(t, mpi)
        differing(t, mpi)
        unlike(t, mpi)
        counts(t, mpi)
        outputs(t, mpi)
    t.done()


if __name__ == '__main__':
    main()
