#!/usr/bin/python3
"""Jobs of up to 10,000 processes on up to 100 TB, as axt explains them before they run: scale.py [CASES [SEED]].

The inputs are files that have their lengths and no values. What all processes together read and write is compared with what one
process does, and so are random expressions cut for up to 64 processes. What the first process keeps of a million chunks is measured.
"""
import os
import re
import resource
import shutil
import subprocess
import sys
import zlib

import h5py
import numpy as np

import parts
from axtlib import BIN, MEASURE, NO_COORD, SANITIZER, Tap, axt, in_batches, measured, random_cases

DIR, OUT = parts.DIR, parts.OUT
RANKS = [2, 8, 64, 1000, 10000]
OFTEN = 1.2     # all processes read no more than so many times what one process reads
SLOWEST = 1.5   # none has more elements or bytes to read than so many times the mean
SECONDS, MIB = 5, 200
TB = 10 ** 12


def make(name, axes, dtype='f4', chunk=None):
    """A file of one tensor: contiguous, all of it a hole, or in chunks that deflate packs, of which a few are there."""
    with h5py.File(f'{DIR}/{name}', 'w', libver='latest') as f:
        for a, n in axes.items():
            f.create_dataset(a, shape=(n,), dtype='>f4').make_scale(f'{NO_COORD}{n:10d}')
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        if chunk:
            p.set_chunk(chunk)
            p.set_deflate(1)
        else:
            p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        d = h5py.Dataset(h5py.h5d.create(f.id, b'x', h5py.h5t.py_create(np.dtype(dtype)), h5py.h5s.create_simple(tuple(axes.values())), p))
        for i, a in enumerate(axes):
            d.dims[i].attach_scale(f[a])
        if chunk:
            packed = zlib.compress(bytes(int(np.prod(chunk)) * d.dtype.itemsize), 1)
            for k in range(0, axes['time'], max(chunk[0], axes['time'] // 50 // chunk[0] * chunk[0])):
                d.id.write_direct_chunk((k,) + (0,) * (d.ndim - 1), packed)


class Job:
    """
    A job: its files, its command line, the bytes of its result, how often the inputs are read, by one process and by all, and the
    passes before the rest.
    """

    def __init__(self, name, files, words, writes, alone=1, together=1, passes=0):
        self.name, self.files, self.words, self.writes, self.alone, self.together, self.passes = name, files, words, writes, alone, together, passes

    def bytes(self):
        return sum(int(np.prod(list(f['axes'].values()), dtype=object)) * np.dtype(f.get('dtype', 'f4')).itemsize for f in self.files.values())


GRID = dict(lat=1801, lon=3600)
STEP = 4 * 1801 * 3600


def standard(files):
    x = 'x' if files == 1 else f'concat({",".join(f"x{i}" for i in range(files))},along=time)'
    return ['axt-calc', f'x = {x}; (x - mean(x)) / std(x)' if files > 1 else '(x - mean(x)) / std(x)'] + \
        [f'x{i}=x{i}.nc' if files > 1 else 'x=x.nc' for i in range(files)]


JOBS = [
    Job('anomaly of 100 TB in chunks of one step', {'steps.nc': dict(axes=dict(time=100 * TB // STEP, **GRID), chunk=(1, 1801, 3600))},
        ['axt-calc', 't - mean(t, over=time)', 't=steps.nc'], 100 * TB // STEP * STEP, alone=2),
    Job('mean of each step of 100 TB', {'steps.nc': dict(axes=dict(time=100 * TB // STEP, **GRID), chunk=(1, 1801, 3600))},
        ['axt-reduce', 'mean', '--over', 'lat,lon', 'steps.nc'], 100 * TB // STEP * 4),
    Job('mean over time of 10 TB in chunks', {'chunks.nc': dict(axes=dict(time=386400, **GRID), chunk=(240, 40, 50))},
        ['axt-reduce', 'mean', '--over', 'time', 'chunks.nc'], STEP),
    Job('standardising of 15 TB', {'x.nc': dict(axes=dict(time=15 * TB // STEP, **GRID))}, standard(1), 15 * TB // STEP * STEP, alone=3, together=2, passes=1),
    Job('standardising of 100 TB in 7 files', {f'x{i}.nc': dict(axes=dict(time=100 * TB // STEP // 7, **GRID)) for i in range(7)},
        standard(7), 100 * TB // STEP // 7 * STEP * 7, alone=3, together=2, passes=1),
    Job('product of two matrices of 9.7 TB', {'a.nc': dict(axes=dict(i=1100000, k=1100000), dtype='f8'), 'b.nc': dict(axes=dict(k=1100000, j=1100000), dtype='f8')},
        ['axt-dot', '--over', 'k', 'a.nc', 'b.nc'], 8 * 1100000 ** 2),
    Job('a million chunks of 6.5 TB that are packed', {'e.nc': dict(axes=dict(time=250000, **GRID))},
        ['axt-map', 'sqrt', 'e.nc', '--compress', 'deflate', '--chunk', 'time=1,lat=901,lon=1800'], 250000 * STEP),
]


class Told:
    """What --explain --ranks tells."""

    def __init__(self, text):
        def numbers(pattern):
            m = re.search(pattern, text, re.M)
            return [int(x) for x in m.groups()] if m else None
        self.text = text
        self.elements, self.least, self.most = numbers(r'^elements: (\d+) in all, (\d+) to (\d+) each') or [0] * 3
        self.read, _, self.most_read, self.alone = numbers(r'^bytes read: (\d+) in all, (\d+) to (\d+) each; by one process (\d+)') or [0] * 4
        self.written = (numbers(r'^bytes written: (\d+) in all') or [0])[0]
        self.sent, self.rounds = numbers(r'^bytes exchanged: (\d+) in all, .* in (\d+) round') or [0] * 2
        self.passes, self.before = numbers(r'^before that.* in (\d+) pass.*bytes read: (\d+) in all') or [0] * 2
        self.chunks = min([int(x) for x in re.findall(r'cut along .*: (\d+) chunk', text)] or [0])
        self.cut = re.search(r'cut along ([^:]*)', text)
        self.cut = self.cut.group(1) if self.cut else ''

    def all(self):
        return self.read + self.before


def explain(words, n):
    """What a command line of n processes tells, the processor seconds that takes, and the peak of its memory in MiB."""
    was = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f'{DIR}/told', 'w+') as f:
        rc, kib = measured([f'{BIN}/{words[0]}', *words[1:], '-o', 'out/o.nc', '--explain', '--ranks', n], cwd=DIR, stdout=f, stderr=subprocess.STDOUT)
        f.seek(0)
        told = Told(f.read())
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return rc, told, now.ru_utime + now.ru_stime - was.ru_utime - was.ru_stime, kib / 1024


def faults(job, n, told, seconds, mib):
    out = []
    if told.all() > OFTEN * min(told.alone, job.together * job.bytes()):
        out.append(f'{told.all()} bytes read, {told.alone} by one process')
    if told.alone != job.alone * job.bytes():
        out.append(f'one process reads {told.alone} bytes, and not {job.alone} times {job.bytes()}')
    if told.passes != job.passes:
        out.append(f'{told.passes} passes, and not {job.passes}')
    if told.written != job.writes:
        out.append(f'{told.written} bytes written, and not {job.writes}')
    if told.most > SLOWEST * told.elements / n:
        out.append(f'one process has {told.most} of {told.elements} elements')
    if told.most_read > SLOWEST * told.read / n:
        out.append(f'one process reads {told.most_read} of {told.read} bytes')
    if not SANITIZER and (seconds > SECONDS or mib > MIB):
        out.append(f'explained in {seconds} s and {mib} MiB')
    return out


def jobs(t, table):
    for job in JOBS:
        try:
            for name, how in job.files.items():
                if not os.path.exists(f'{DIR}/{name}'):
                    make(name, **how)
        except (OSError, RuntimeError) as e:
            t.skip(job.name, f'the file system of {DIR} bears no such files: {str(e)[:100]}')
            continue
        for n in RANKS if table else RANKS[::2]:
            rc, told, seconds, mib = explain(job.words, n)
            bad = faults(job, n, told, seconds, mib) if rc == 0 else [f'status {rc}']
            t.ok(not bad, f'{job.name}, {n} processes', f'{" ".join(job.words)}: {"; ".join(bad)}\n{told.text}')
            if table:
                print(f'# {n} processes, cut along {told.cut}: each reads {told.most_read / 1e9:.3f} GB, all {told.all() / TB:.3f} TB '
                      f'({told.all() / max(1, job.bytes()):.2f} times), exchanged {told.sent / TB:.3f} TB in {told.rounds} rounds, written {told.written / TB:.3f} TB, '
                      f'elements {told.most * n / max(1, told.elements):.2f} of the mean; {seconds:.2f} s, {mib:.0f} MiB')


def check(t, seed):
    """
    A random expression for a random number of processes: they read no more than one, and once more in each pass before that.
    A process with one position along an axis reads two, so that a result of fewer than two for each may be read twice;
    of axes that are flattened, those within are read whole.
    """
    c = parts.Case(seed)
    words = ['axt-calc', '-q', *c.words(c.make())]
    n = int(c.r.integers(2, 65))
    rc, told, _, _ = explain([w.replace('=../', '=') for w in words], n)
    often = 3 if 'flatten' in str(words) else OFTEN if told.chunks >= 2 * n else 2
    if rc:
        parts.SKIPPED.append(told.text)
    elif told.read > often * told.alone or told.before > told.passes * told.alone or told.least > told.elements / n or told.most < told.elements / n:
        t.ok(False, f'case {seed}: {n} processes of {" ".join(words[2:])}', told.text)


def first_process(t, mpi, chunks):
    """What the first of two processes holds for chunks that are packed."""
    line = f'exec {sys.executable} -IS -c "$MEASURE" 3 {BIN}/axt-map sqrt in.nc --compress deflate --chunk i=$I,j=$I -o out/o.nc 3>peak.${{PMI_RANK-$OMPI_COMM_WORLD_RANK}}'
    env = dict(os.environ, MEASURE=MEASURE, AXT_THREADS='1', OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    peaks = []
    axt('make', 'iota', f'i={chunks // 250},j=250', '--dtype', 'f32', '-o', 'in.nc', cwd=DIR)
    for each in '250', '1':
        p = subprocess.run([f'mpirun.{mpi}', '-n', '2', 'sh', '-c', line], cwd=DIR, env=dict(env, I=each), stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=300, check=False)
        said = [open(f'{DIR}/peak.{k}').read().split() for k in range(2)]
        peaks.append([int(s[1]) / 1024 for s in said] if p.returncode == 0 and [s[0] for s in said] == ['0', '0'] else [1e6, 1e6])
    more = peaks[1][0] - peaks[0][0]
    t.ok(more < 16 + 100 * chunks / 2 ** 20 and peaks[1][0] < MIB,
         f'{mpi}: the first of two processes has {peaks[1][0]:.0f} MiB with {chunks} chunks that are packed, and {peaks[0][0]:.0f} with few', f'{peaks} {p}')


WARNED = [
    ("axt-calc x/median(x) x=line.nc", 8, 'warning: each of 8 processes needs all of line.nc:tensor, 4000 bytes and 32000 in all, for the median'),
    ("axt-calc x/median(x) x=line.nc", 2, ''),
    ("axt-sort --along i line.nc", 8, 'warning: the result is cut into 1 part, and the others are empty, as sort needs whole axes'),
    ("axt-calc x-x[i=0]*scan(x,sum,along=i)[i=999] x=line.nc", 8, 'needs all of line.nc:tensor'),
    ("axt-reduce mean --over time packed.nc", 4, ''),
    ("axt-calc x-mean(x,over=time) x=packed.nc", 4, ''),
]


def warnings(t, mpi):
    """A job of which each process needs all of an input, or has no room for what is exchanged, says so in one line; others say nothing."""
    env = dict(os.environ, AXT_THREADS='1', OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', PATH=f'{BIN}:{os.environ["PATH"]}')
    axt('make', 'iota', 'i=1000', '--dtype', 'f32', '-o', 'line.nc', cwd=DIR)
    axt('make', 'random', 'time=60,lat=91,lon=420', '--dtype', 'f32', '--seed', '3', '--compress', 'deflate', '--chunk', 'time=1,lat=91,lon=420', '-o', 'packed.nc', cwd=DIR)

    def run(words, **more):
        p = subprocess.run(words + ['-o', 'out/o.nc'], cwd=DIR, env=dict(env, **more), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        return p.returncode, [x for x in p.stderr.splitlines() if 'warning' in x]
    start = [f'mpirun.{mpi}'] + ['--oversubscribe'] * (mpi == 'openmpi') + ['-n']
    for line, n, want in WARNED:
        said = [run(line.split() + ['--explain', '--ranks', str(n)]), run(start + [str(n)] + line.split())]
        t.ok(all(rc == 0 and len(x) == bool(want) and want in ''.join(x) for rc, x in said), f'{mpi}: {line}, {n} processes: {want or "no warning"}', str(said))
    rc, said = run(start + ['4', 'env', 'TMPDIR=/nix'] + 'axt-reduce mean --over time packed.nc --memory 2M'.split())
    t.ok(rc == 0 and len(said) == 1 and said[0].endswith('all processes together read 36691200 bytes of packed.nc:tensor, which has 9172800: one of them '
                                                         'has no room in TMPDIR for what it needs of that'), f'{mpi}: no room for what is exchanged', f'{rc} {said}')


def main():
    cases, seed = random_cases(40, 12, 4, 1)
    t = Tap()
    os.mkdir(OUT)
    jobs(t, cases > 100)
    mpis = [m for m in ('mpich', 'openmpi') if shutil.which(f'mpirun.{m}') and os.path.exists(f'{BIN}/../lib/axt-mpi-{m}.so') and not SANITIZER]
    for mpi in mpis if cases > 100 else mpis[:1]:
        first_process(t, mpi, 1000000 if cases > 100 else 100000)
        warnings(t, mpi)
    parts.make_files()
    in_batches(t, cases, 'cases {}: up to 64 processes read what one reads', lambda k: check(t, seed + k))
    t.ok(len(parts.SKIPPED) <= cases / 4, f'{len(parts.SKIPPED)} of {cases} expressions were none: {parts.SKIPPED[:1]}')
    t.done()


main()
