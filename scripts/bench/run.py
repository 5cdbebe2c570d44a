#!/usr/bin/python3
"""axt beside a floor written by hand, NumPy with h5py, numexpr, NCO, CDO, and for products OpenBLAS, xarray and torch.

Every round runs every tool once (A B C, A B C ...), its output removed first; a ratio is the median of the ratios
round by round, so that a slow minute of the machine does less harm. Inputs lie in BENCH_DIR (else a
temporary directory), are read again before, so that all see a page cache built the same way, and stay when BENCH_DIR
is set; outputs go to /dev/shm. Two threads. A probe waits for the moment when two CPUs are really there.
"""
import argparse
import fnmatch
import json
import os
import shutil
import statistics as st
import subprocess
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

import h5py
import numpy as np

import common
from common import HERE, PY

TOOLS = 'axt bytes apart numpy numexpr nco cdo xarray torch'.split()
ROWS = {}
# What --quick leaves out: seconds a run, or minutes to make its inputs.
LONG = 'pctl solve4096 eof4g svd csv dot-ik-jk dot-ki-kj dot-ki-jk dot-kj-ik dot-jk-ik dot-kj-ki dot-jk-ki contrrev controdd'.split()


def row(op, what, inputs, goal, axt, faster=None, spec='', flops=0, **commands):
    """What is measured: axt is meant to take at most GOAL times the floor, others at least FASTER times axt.

    In commands A, B, C, D and O stand for the inputs and the output, E for a second output. SPEC is a product as einsum
    writes it; with FLOPS the floor is the time these take at sgemm's best rate, and those of f64 count twice.
    """
    files = ' '.join('ABC'[:len(inputs.split())])
    if '-o O' in axt:
        files += ' O'
    default = {'axt': axt, 'floor': 'sgemm' if flops else f'floor {op} {files}',
               'numpy': f'peer.py numpy {spec or op} {files}'}
    if spec:
        default.update((peer, f'peer.py {peer} {spec} {files}') for peer in ('xarray', 'torch'))
    ROWS[op] = SimpleNamespace(what=what, inputs=inputs.split(), goal=goal, faster=faster or {}, spec=spec,
                               flops=flops, commands={**default, **commands})


def pipeline(op, what, goal, axt, faster, cdo):
    """Also with the bytes passed on, not fused."""
    row(op, 'pipeline: ' + what, 'a b', goal, axt, faster, bytes='export AXT_FUSE=0; ' + axt, cdo=cdo)


def product(op, spec, goal, faster=0, flops=0, inputs='', what='', axt='axt-dot A B -o O'):
    left, to = spec.split('->')
    what = what or ' . '.join(f'({",".join(t)})' for t in left.split(',')) + f' to ({",".join(to)})'
    row('dot-' + op, what, inputs or left.replace(',', ' '), goal, axt,
        {peer: faster for peer in ('numpy', 'xarray', 'torch')}, spec, flops)


row('add', 'a + b', 'a b', 1.25, 'axt-add A B -o O', {'numpy': 3.5, 'nco': 5, 'cdo': 2.5},
    nco='ncbo -O --op_typ=add A B O', cdo='cdo -s -O add A B O')
row('addc', 'a + b of netCDF classic files, in records', 'a b ac bc', 1.25, 'axt-add C D -o O', {'cdo': 3},
    floor='floor add A B O', numpy=None, nco='ncbo -O --op_typ=add C D O', cdo='cdo -s -O add C D O')
row('bperm', '(c,h,w,n) - (w,h)', 'p q', 1.5, 'axt-sub A B -o O', nco='ncbo -O --op_typ=sbt A B O')
row('meant', 'mean over time', 'a', 1.3, 'axt-reduce mean --over time A -o O',
    nco='ncwa -O -a time A O', cdo='cdo -s -O timmean A O')
row('sum', 'sum of all', 'a', 1.3, 'axt-reduce sum -p A',
    nco='ncwa -O -v x -y ttl A O', cdo='cdo -s output -fldsum -timsum A')
row('transpose', '(time,lat,lon) to (lon,lat,time)', 'a', 1.3, 'axt-order lon,lat,time A -o O',
    nco='ncpdq -O -a lon,lat,time A O')
row('sumz', 'sum, deflate 4 and shuffle', 'az', 1.3, 'axt-reduce sum -p A', {'numpy': 4.5, 'cdo': 4.5},
    nco='ncwa -O -v x -y ttl A O', cdo='cdo -s output -fldsum -timsum A')
row('sumzstd', 'sum, zstd and shuffle', 'azs a', 1.3, 'axt-reduce sum -p A', floor='floor sumzstd A', numpy=None)
row('sumbits', 'sum, bitshuffle and LZ4', 'abl a', 1.3, 'axt-reduce sum -p A', floor='floor sumbits A', numpy=None)
row('meanti', 'mean over time, packed int16', 'ai', 1.4, 'axt-reduce mean --over time A -o O',
    nco='ncwa -O -a time A O', cdo='cdo -s -O -b F32 timmean A O')
pipeline('dist', 'sum of (a - b)^2', 1.3, 'axt-sub A B | axt-map square | axt-reduce sum -p', {'numpy': 9, 'cdo': 6},
         'cdo -s output -fldsum -timsum -sqr -sub A B')
pipeline('rmsd', 'sqrt of the mean over time of (a - b)^2', 1.4,
         'axt-sub A B | axt-map square | axt-reduce mean --over time | axt-map sqrt -o O', {'numpy': 8, 'cdo': 6},
         'cdo -s -O sqrt -timmean -sqr -sub A B O')
row('pipe', 'bytes through three commands (floor: cat)', 'a', 1.43,
    'export AXT_FUSE=0; axt-map negative A | axt-map absolute | axt-map sqrt >/dev/null',
    floor='cat A | cat | cat >/dev/null', numpy=None)
faster = {'numpy': 3, 'nco': 2.4, 'cdo': 2.4}
row('every2', 'every 2nd element of the last axis', 'a', 1.4, 'axt-slice lon=::2 A -o O', faster,
    nco='ncks -O -d lon,,,2 A O')
row('flip', 'the last axis reversed', 'a', 1.4, 'axt-flip lon A -o O', faster, nco='ncpdq -O -a -lon A O')
row('block', 'a block of each axis', 'a', 1.4, 'axt-slice time=100:900 lat=50:300 lon=100:600 A -o O', faster,
    nco='ncks -O -d time,100,899 -d lat,50,299 -d lon,100,599 A O', cdo='cdo -s -O selindexbox,101,600,51,300 -seltimestep,101/900 A O')
row('pad', '10 zeros around lat and lon', 'a', 1.4, 'axt-pad lat=10 lon=10 A -o O', faster)
row('concat', 'four files end to end', 'a', 1.4, 'axt-concat time A A A A --join override -o O', faster,
    nco='ncrcat -O A A A A O', cdo='cdo -s -O cat A A A A O')
row('append', 'one record behind all (nco: the whole anew)', 'a', 1,
    'x=A ; test -e "$x.run" || axt-copy --unlimited time A -o "$x.run" ; '
    'axt-slice time=0:1 A | axt-append --join override "$x.run" -', {'nco': 20}, floor=None, numpy=None,
    nco='x=A ; test -e "$x.rec" || ncks -O --mk_rec_dmn time A "$x.all" ; '
        'test -e "$x.rec" || ncks -O -d time,0 "$x.all" "$x.rec" ; ncrcat -O "$x.all" "$x.rec" O')
row('ordslice', '(time,lat,lon) to (lon,lat,time), half the columns of that', 'a', 1.4,
    'axt-order lon,lat,time A | axt-slice time=0:512 -o O', faster, nco='ncpdq -O -a lon,lat,time -d time,0,511 A O')
row('calc', 'a mean over time of 11 operations, half as large inputs', 'u v w', 1.3,
    'axt-calc mean(sqrt(a*a+b*b)*abs(a-b)/(c+1)+maximum(a,b),over=time) a=A b=B c=C -o O', {'numexpr': 2},
    numexpr='peer.py numexpr calc A B C O', apart='env FLOOR_APART=1 floor calc A B C O')
row('median', 'median over time (goal: numpy)', 'a', 1, 'axt-reduce median --over time A -o O', {'numpy': 1}, floor=None,
    cdo='cdo -s -O timpctl,50 A -timmin A -timmax A O')
short = {'numpy': 5}
row('rgb', 'mean over c of u8 (i,j,c=3)', 'rgb', 1.5, 'axt-reduce mean --over c --dtype f32 A -o O', short)
row('norm3', 'square, sum over c, sqrt of (p,c=3)', 'p3', 1.5,
    'axt-map square A | axt-reduce sum --over c | axt-map sqrt -o O', short)
row('sum10', 'sum over c of (p,c=10)', 'p10', 1.5, 'axt-reduce sum --over c A -o O', short)
row('argmax10', 'argmax over c of (p,c=10)', 'p10', 1.5, 'axt-reduce argmax --over c A -o O', short, floor=None)
row('softmax10', 'softmax over c of (p,c=10)', 'p10', 2, 'axt-softmax --along c A -o O', short)
row('roll7', 'mean of 7 times', 'a', 1.5, 'axt-window time=w:7 A | axt-reduce mean --over w -o O', short,
    cdo='cdo -s -O runmean,7 A O')
row('rollmax5', 'largest of 5 longitudes', 'a', 1.5, 'axt-window lon=w:5 A | axt-reduce max --over w -o O', short)
row('pctl', '90th percentile by day of year, 5 days, 10 years', 'day doy', 1,
    'axt-window time=w:5 A | axt-reduce quantile:.9 --over time,w --by B -o O', {'cdo': 2}, floor=None, numpy=None,
    cdo='cdo -s -O -L ydrunpctl,90,5 A -ydrunmin,5 A -ydrunmax,5 A O')
row('bylabel', 'sum by 20,000 labels along one axis', 'r lab', 1.5, 'axt-reduce sum --over r --by B A -o O', short)
row('eddy', 'mean over lon of products of anomalies', 'u v', 1.5,
    'axt-calc mean((a-mean(a,over=lon))*(b-mean(b,over=lon)),over=lon) a=A b=B -o O', short)
row('eigh3', 'a million symmetric matrices of order 3 (goal: numpy)', 'm3', 1,
    'axt-calc "h = (x + rename(x, i=j, j=i))/2; w = eigh(h, w, row=i, col=j); v = eigh(h, v, row=i, col=j); w, v" A -o O',
    {'numpy': 20}, floor=None)
row('solve8', '200,000 systems of order 8 (goal: numpy)', 'm8 r8', 1, 'axt-solve --row i --col j A B -o O', {'numpy': 10}, floor=None)
row('solve4096', 'one system of order 4,096, by one thread', 'm4096 r4096', 3, 'axt-solve --row i --col j A B -o O',
    {'numpy': .9}, flops=2 * 2 / 3 * 4096**3)
row('eof', '10 EOFs of 240 x 16,200 (goal: cdo)', 'ef', 1, 'axt-eof --over time A -o O', {'cdo': 15}, floor=None,
    cdo='cdo -s -O eof,10 A E O')
row('eof4g', '10 EOFs of 1,000 x 1,036,800, in 256 MiB', 'ef4g', 1.4, 'axt-eof -m 256M --over time A -o O',
    flops=2 * 2 * 1000**2 * 1036800, numpy=None)
row('svd', 'singular values and vectors of 2,000 x 1,000 (goal: numpy)', 'mt', 1, 'axt-svd --row i --col j A -o O',
    {'numpy': .9}, floor=None)
row('sort', 'one line sorted (goal: numpy)', 'r', 1, 'axt-sort --along r A -o O', {'numpy': 1}, floor=None)
row('csv', 'a million values as CSV (goal: numpy)', 'ad', 1, 'axt-print --csv A | tail -n 1 | sed "s/.*,//"', {'numpy': 5}, floor=None)
row('dot-few', '(o,3) . (3,3) (goal: numpy)', 'oy yz', 1, 'axt-dot A B -o O', {'numpy': 3}, 'oy,yz->oz', floor=None)
for a in ('ik', 'ki'):
    for b in ('kj', 'jk'):
        for left, right, to in ((a, b, 'ij'), (b, a, 'ji')):
            product(f'{left}-{right}', f'{left},{right}->{to}', 1 / .9, 1.3, 2 * 4096**3)
product('contr', 'abc,bcd->ad', 1 / .85, 1.5, 2 * 1024**2 * 64 * 128)
product('controdd', 'abc,cbd->ad', 1 / .85, 1.5, 2 * 1024**2 * 64 * 128)
product('contrrev', 'bac,dcb->ad', 1.45, 1.5, 2 * 1024**2 * 64 * 128)
product('batch', 'nef,nfg->neg', 1 / .85, flops=2 * 64 * 512**3, axt='axt-dot --keep n A B -o O')
product('batch3', 'oyz,ozv->oyv', 1.5, 3, what='(o,3,3) . (o,3,3), o kept', axt='axt-dot --keep o A B -o O')
product('matvec', 'lm,m->l', 1.25)
product('inner', 'tyx,tyx->', 1.25, inputs='a b', what='inner product of a and b', axt='axt-dot A B -p')


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--build', default='build')
    p.add_argument('--size', default='big', choices=['small', 'big'], help='256 MiB or 1 GiB an input (default)')
    p.add_argument('--big', action='store_const', const='big', dest='size')
    p.add_argument('--ops', default='*', help='patterns, of ' + ','.join(ROWS) + '; none: start-up times only')
    p.add_argument('--tools', default=','.join(TOOLS),
                   help='bytes: pipelines of axt without fusion; apart: the floor with its mappings apart')
    p.add_argument('--rounds', type=int, default=5)
    p.add_argument('--threads', type=int, default=2)
    p.add_argument('--huge', action='store_true', help='peak memory of add, mean and order on 4 GiB inputs too')
    p.add_argument('--no-startup', action='store_true')
    p.add_argument('--quick', action='store_true', help='about 5 minutes: 256 MiB, three rounds, axt and NumPy, without what takes long')
    p.add_argument('--json', help='the seconds of every round, too, into this file')
    a = p.parse_args()
    if a.quick:
        a.size, a.rounds, a.tools = 'small', 3, 'axt,numpy'
    a.tools = a.tools.split(',')
    patterns = a.ops.split(',')
    a.ops = [op for op in ROWS if any(fnmatch.fnmatch(op, x) for x in patterns) and not (a.quick and op in LONG)]
    return a


class Bench:
    def __init__(self, a):
        self.a = a
        self.bin = os.path.join(os.path.abspath(a.build), 'bin')
        self.keep = os.environ.get('BENCH_DIR')
        self.top = self.keep or tempfile.mkdtemp(prefix='axt-bench.', dir='/var/tmp')
        self.data = os.path.join(self.top, a.size)
        self.out = tempfile.mkdtemp(prefix='axt-bench.', dir='/dev/shm')
        self.o = self.out + '/o.nc'
        self.tools = os.path.join(self.top, 'tools')
        os.makedirs(self.tools, exist_ok=True)
        self.env = common.environment([self.bin, self.tools, HERE], a.threads)

    def prepare(self, ops):
        flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'hdf5'], stdout=subprocess.PIPE,
                               text=True).stdout.split()
        for n, extra in (('floor', ['-march=native', '-ffast-math', '-fopenmp'] + flags + ['-ldeflate', '-lm', '-l:libzstd.so.1', '-l:liblz4.so.1']),
                         ('probe', ['-pthread']), ('sgemm', ['-ldl'])):
            subprocess.run(['gcc', '-O3', '-o', f'{self.tools}/{n}', f'{HERE}/{n}.c'] + extra, check=True)
        with open(f'{self.tools}/empty.c', 'w') as f:
            f.write('int main(void) { return 0; }\n')
        subprocess.run(['gcc', '-O2', '-o', f'{self.tools}/empty', f'{self.tools}/empty.c'], check=True)
        names = sorted({n for op in ops for n in ROWS[op].inputs}) + ['s']
        print(f'inputs in {self.data}: {" ".join(names)}', flush=True)
        subprocess.run([PY, f'{HERE}/gen.py', self.data, self.a.size] + names, check=True, env=self.env)
        if 'torch' in self.a.tools and any(ROWS[op].spec for op in ops):
            if subprocess.run([PY, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode:
                print('no torch here (scripts/setup torch)')
                self.a.tools.remove('torch')

    def refresh(self, names):
        """Drops inputs from the page cache and reads them: the way a cache was built matters up to 1.8 times."""
        for n in names:
            fd = os.open(f'{self.data}/{n}.nc', os.O_RDONLY)
            os.fsync(fd)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            while os.read(fd, 1 << 20):
                pass
            os.close(fd)

    def wait_for_cpus(self):
        for _ in range(30):
            r = float(subprocess.run([f'{self.tools}/probe'], stdout=subprocess.PIPE, text=True).stdout)
            if r > 1.75 or self.a.threads == 1:
                break
            time.sleep(.25)
        return r

    def command(self, tool, op):
        line = ROWS[op].commands.get(tool)
        return line and self.fill(line, self.data, ROWS[op].inputs)

    def fill(self, line, data, inputs):
        files = dict(zip('ABCD', (f'{data}/{n}.nc' for n in inputs)), O=self.o, E=self.out + '/e.nc')
        words = [name + eq + files.get(w, w) for name, eq, w in (w.rpartition('=') for w in line.split())]
        return ['bash', '-c', ' '.join(words)] if '|' in words or '"' in line else words

    def run(self, cmd, tool):
        """Seconds, sampled peak of RssAnon + RssShmem in MiB, output."""
        for n in os.listdir(self.out):
            os.unlink(f'{self.out}/{n}')
        env = dict(self.env)
        if tool in ('floor', 'apart'):
            env['OMP_PROC_BIND'] = 'true'
        t0 = time.perf_counter()
        p = subprocess.Popen(cmd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        peak = [0]
        if tool == 'axt-memory':
            watch = threading.Thread(target=sample, args=(p, peak))
            watch.start()
        text = p.stdout.read()
        p.wait()
        seconds = time.perf_counter() - t0
        if tool == 'axt-memory':
            watch.join()
        if p.returncode:
            raise RuntimeError(f'{" ".join(cmd)}: status {p.returncode}: {text.decode(errors="replace")[-300:]}')
        return seconds, peak[0], text

    def measure(self, op, tool, cmd):
        """Seconds and output; sgemm's are those that the row's flops take at its rate."""
        seconds, _, text = self.run(cmd, tool)
        if tool == 'floor' and ROWS[op].flops:
            rate, self.core = text.decode().split()
            seconds = ROWS[op].flops / float(rate)
        return seconds, text

    def one(self, op):
        live = []
        self.expected = self.product(op) if ROWS[op].flops and ROWS[op].spec else None
        for tool in ['floor'] + self.a.tools:
            c = self.command(tool, op)
            if c is None:
                continue
            try:
                seconds, text = self.measure(op, tool, c)
            except (RuntimeError, OSError) as x:
                print(f'  {op} {tool}: {x}', flush=True)
                continue
            live.append((tool, c, seconds))
            self.check(op, tool, text)
        wall = {n: [] for n, _, _ in live}
        probes = []
        for _ in range(self.a.rounds):
            probes.append(self.wait_for_cpus())
            for n, c, warm in live:
                # what takes long is measured less often: its noise is small beside its ratio
                if warm > 15 and wall[n]:
                    wall[n].append(wall[n][0])
                    continue
                wall[n].append(self.measure(op, n, c)[0])
        mib = 0
        if 'axt' in wall:
            mib = max(self.run(self.command('axt', op), 'axt-memory')[1] for _ in range(3))
        return wall, mib, st.median(probes)

    def product(self, op):
        """Some elements of the result, in f64."""
        spec = ROWS[op].spec
        left, to = spec.split('->')
        parts = []
        for dims, n in zip(left.split(','), ROWS[op].inputs):
            with h5py.File(f'{self.data}/{n}.nc') as f:
                x = f['x']
                parts.append(x[tuple(some(k) if d in to else slice(None) for d, k in zip(dims, x.shape))].astype('f8'))
        return np.einsum(spec, *parts, optimize=True)

    def check(self, op, tool, text):
        """The floor and axt must say the same, and for products the others too, or the times mean nothing."""
        row = ROWS[op]
        if op in ('pipe', 'append') or tool == 'floor' and row.flops or not row.spec and tool not in ('floor', 'axt'):
            return
        if ' O' in row.commands['axt']:
            with h5py.File(self.o) as f:
                if 'x' not in f:    # several results
                    return
                v = f['x'][tuple(map(some, f['x'].shape))].astype('f8')
        else:
            v = np.float64(text.split()[-1])
        if self.expected is None:
            self.expected = v
        off = np.inf
        if v.shape == self.expected.shape:
            off = np.linalg.norm(v - self.expected) / np.linalg.norm(self.expected)
        if not off <= (1e-4 if row.spec else 2e-5):
            print(f'  {op}: {tool} is off by {off:.2g} of the value', flush=True)

    def startup(self):
        s = f'{self.data}/s.nc'
        empty = f'{self.tools}/empty'
        rows = [('empty C program', [empty]), ('h5ls', ['h5ls', s]),
                ('axt-info', [f'{self.bin}/axt-info', s]), ('axt-add', [f'{self.bin}/axt-add', s, s, '-o', self.o]),
                ('axt-reduce', [f'{self.bin}/axt-reduce', 'sum', '-p', s]), ('ncdump -h', ['ncdump', '-h', s])]
        times = {n: [] for n, _ in rows}
        null = os.open('/dev/null', os.O_WRONLY)
        self.wait_for_cpus()
        for _ in range(101):
            for n, c in rows:
                t = time.perf_counter()
                pid = os.posix_spawnp(c[0], c, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
                os.waitpid(pid, 0)
                times[n].append(1e3 * (time.perf_counter() - t))
        h5ls = st.median(times['h5ls'])
        print('\nwhole process on a small file, median of 101:\n\n| program | ms | of h5ls |\n|---|---|---|')
        for n, v in times.items():
            m = st.median(v)
            goal = ''
            if n in ('axt-info', 'axt-add'):
                goal = ' (goal: at most 0.5)' if m <= .5 * h5ls else ' (goal at most 0.5: missed)'
            print(f'| {n} | {m:.2f} | {m / h5ls:.2f}{goal} |')

    def huge(self):
        d = f'{self.top}/huge'
        subprocess.run([PY, f'{HERE}/gen.py', d, 'huge', 'a', 'b'], check=True)
        print('\npeak memory at 4 GiB inputs (RssAnon + RssShmem; goal: below 64 MiB)\n\n'
              '| command | MiB | s |\n|---|---|---|')
        for op in ('sum', 'meant', 'add', 'transpose'):
            line = ROWS[op].commands['axt']
            try:
                seconds, mib, _ = self.run(self.fill(line, d, ROWS[op].inputs), 'axt-memory')
                print(f'| {line} | {mib:.0f} | {seconds:.2f} |', flush=True)
            except RuntimeError as x:
                print(f'| {line} | {x} | |', flush=True)

    def close(self):
        shutil.rmtree(self.out, ignore_errors=True)
        if not self.keep:
            shutil.rmtree(self.top, ignore_errors=True)


def some(n):
    """A few indices of an axis."""
    return slice(n // 16, n, n // 8 + 1)


def family(pid):
    """A process and all that came from it."""
    found = [pid]
    for p in found:
        try:
            with open(f'/proc/{p}/task/{p}/children') as f:
                found += map(int, f.read().split())
        except OSError:
            pass
    return found


def sample(first, peak):
    """The most any process of the family holds, until the first has ended."""
    while first.returncode is None:
        for p in family(first.pid):
            try:
                with open(f'/proc/{p}/status') as f:
                    kib = sum(int(line.split()[1]) for line in f if line.startswith(('RssAnon', 'RssShmem')))
            except (OSError, ValueError):
                kib = 0
            peak[0] = max(peak[0], kib / 1024)
        time.sleep(.001)


def cell(op, tool, wall):
    if tool not in wall:
        return '-'
    if tool == 'floor':
        return f'{st.median(wall[tool]):.3f} s'
    if tool == 'axt' and 'floor' in wall:
        r = st.median(x / y for x, y in zip(wall['axt'], wall['floor']))
        return f'{st.median(wall["axt"]):.3f} s, {r:.2f}{"" if r <= ROWS[op].goal else " !"}'
    if tool == 'axt' or 'axt' not in wall:
        return f'{st.median(wall[tool]):.3f} s'
    r = st.median(x / y for x, y in zip(wall[tool], wall['axt']))
    return f'{r:.1f}{" !" if r < ROWS[op].faster.get(tool, 0) else ""}'


def table(a, what, rows):
    if not rows:
        return
    tools = [t for t in a.tools if t != 'axt' and any(t in wall for _, wall, _ in rows)]
    print(f'\n{what}, {a.threads} threads, warm cache, medians of {a.rounds}.\n'
          'axt: seconds, and times the floor; the others: times axt. "!" marks what misses its goal.\n')
    print('| ' + ' | '.join(['operation', 'floor', 'axt', 'goal', 'peak MiB'] + tools) + ' |')
    print('|---|---|---|---|---|' + '---|' * len(tools))
    for op, wall, mib in rows:
        cells = [ROWS[op].what, cell(op, 'floor', wall), cell(op, 'axt', wall), f'{ROWS[op].goal:.3g}',
                 f'{mib:.0f}{"" if mib < 64 else " !"}'] + [cell(op, t, wall) for t in tools]
        print('| ' + ' | '.join(cells) + ' |')


def written(a, rows):
    """Every round of every row, for programs that compare."""
    with open(a.json, 'w', encoding='utf-8') as f:
        json.dump({'size': a.size, 'threads': a.threads, 'rows': [
            {'op': op, 'what': ROWS[op].what, 'goal': ROWS[op].goal, 'peak_mib': mib, 'seconds': wall,
             'ratio': st.median(x / y for x, y in zip(wall['axt'], wall['floor'])) if {'axt', 'floor'} <= set(wall) else None}
            for op, wall, mib in rows]}, f, indent=1)
        f.write('\n')


def main():
    a = arguments()
    if not shutil.which('h5ls'):
        sys.exit('bench: no h5ls here')
    b = Bench(a)
    try:
        b.prepare(a.ops)
        rows = []
        for op in a.ops:
            b.refresh(ROWS[op].inputs)
            wall, mib, probe = b.one(op)
            rows.append((op, wall, mib))
            times = ', '.join(f'{n} {st.median(w):.3f} ({min(w):.3f}..{max(w):.3f})' for n, w in wall.items())
            rate = ''
            if ROWS[op].flops and 'floor' in wall:
                rate = f'; sgemm {ROWS[op].flops / st.median(wall["floor"]) / 1e9:.0f} GFLOP/s on {b.core}'
            print(f'{op}: {times}; peak {mib:.0f} MiB; probe {probe:.2f}{rate}', flush=True)
        size = {'small': '256 MiB', 'big': '1 GiB'}[a.size]
        table(a, f'{size} of f32 an input', [r for r in rows if not ROWS[r[0]].spec])
        table(a, "Products of f32 (floor: OpenBLAS's best sgemm of 4096 x 4096 in memory; a loop for the last three)",
              [r for r in rows if ROWS[r[0]].spec])
        if a.json:
            written(a, rows)
        if not a.no_startup:
            b.startup()
        if a.huge:
            b.huge()
    finally:
        b.close()


if __name__ == '__main__':
    main()
