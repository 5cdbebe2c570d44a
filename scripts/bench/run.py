#!/usr/bin/python3
"""axt beside a floor written by hand, NumPy with h5py, NCO and CDO.

Every round runs every tool once (A B C, A B C ...), its output removed first; a ratio is the median of the ratios
round by round, so that a slow minute of the machine does less harm. Inputs lie in BENCH_DIR (else a
temporary directory), are read again before, so that all see a page cache built the same way, and stay when BENCH_DIR
is set; outputs go to /dev/shm. Two threads. A probe waits for the moment when two CPUs are really there.
"""
import argparse
import os
import re
import shutil
import statistics as st
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PY = '/usr/bin/python3'
IN = {'add': 'a b', 'bperm': 'p q', 'meant': 'a', 'sum': 'a', 'transpose': 'a', 'sumz': 'az', 'meanti': 'ai',
      'dist': 'a b', 'rmsd': 'a b', 'pipe': 'a'}
WHAT = {'add': 'a + b', 'bperm': '(c,h,w,n) - (w,h)', 'meant': 'mean over time', 'sum': 'sum of all',
        'transpose': '(time,lat,lon) to (lon,lat,time)', 'sumz': 'sum, deflate 4 and shuffle',
        'meanti': 'mean over time, packed int16', 'dist': 'pipeline: sum of (a - b)^2',
        'rmsd': 'pipeline: sqrt of the mean over time of (a - b)^2',
        'pipe': 'bytes through three commands (floor: cat)'}
# What axt is meant to reach: at most this often the floor; at least so much faster than the others.
GOAL = {'add': 1.25, 'bperm': 1.5, 'meant': 1.3, 'sum': 1.3, 'transpose': 1.3, 'sumz': 1.3, 'meanti': 1.4,
        'dist': 1.3, 'rmsd': 1.4, 'pipe': 1.43}
FASTER = {('add', 'numpy'): 3.5, ('add', 'nco'): 5, ('add', 'cdo'): 2.5, ('sumz', 'numpy'): 4.5, ('sumz', 'cdo'): 4.5,
          ('dist', 'numpy'): 9, ('dist', 'cdo'): 6, ('rmsd', 'numpy'): 8, ('rmsd', 'cdo'): 6}
NO_OUTPUT = {'sum', 'sumz', 'dist', 'pipe'}
# What is joined by |; INPUTS and the output follow the first and the last.
PIPES = {'dist': ['axt-sub A B', 'axt-map square', 'axt-reduce sum -p'],
         'rmsd': ['axt-sub A B', 'axt-map square', 'axt-reduce mean --over time', 'axt-map sqrt -o O'],
         'pipe': ['axt-map negative A', 'axt-map absolute', 'axt-map sqrt']}


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--build', default='build')
    p.add_argument('--size', default='big', choices=['small', 'big'], help='256 MiB or 1 GiB an input (default)')
    p.add_argument('--big', action='store_const', const='big', dest='size')
    p.add_argument('--ops', default=','.join(IN), help='of ' + ','.join(IN) + '; none: start-up times only')
    p.add_argument('--tools', default='axt,bytes,numpy,nco,cdo',
                   help='bytes: pipelines of axt without fusion')
    p.add_argument('--rounds', type=int, default=5)
    p.add_argument('--threads', type=int, default=2)
    p.add_argument('--huge', action='store_true', help='peak memory of add, mean and order on 4 GiB inputs too')
    p.add_argument('--no-startup', action='store_true')
    return p.parse_args()


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

    def prepare(self, ops):
        flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'hdf5'], stdout=subprocess.PIPE,
                               text=True).stdout.split()
        for n, extra in (('floor', ['-march=native', '-ffast-math', '-fopenmp'] + flags + ['-ldeflate', '-lm']),
                         ('probe', ['-pthread'])):
            subprocess.run(['gcc', '-O3', '-o', f'{self.tools}/{n}', f'{HERE}/{n}.c'] + extra, check=True)
        with open(f'{self.tools}/empty.c', 'w') as f:
            f.write('int main(void) { return 0; }\n')
        subprocess.run(['gcc', '-O2', '-o', f'{self.tools}/empty', f'{self.tools}/empty.c'], check=True)
        names = sorted({n for op in ops for n in IN[op].split()}) + ['s']
        print(f'inputs in {self.data}: {" ".join(names)}', flush=True)
        subprocess.run([PY, f'{HERE}/gen.py', self.data, self.a.size] + names, check=True)

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
        i = [f'{self.data}/{n}.nc' for n in IN[op].split()]
        a, b, o = i[0], i[-1], self.o
        if tool == 'floor' and op == 'pipe':
            return ['bash', '-c', f'cat {a} | cat | cat >/dev/null']
        if op in PIPES and tool in ('axt', 'bytes'):
            line = ' | '.join(f'{self.bin}/{c}' for c in PIPES[op])
            for k, v in (('A', a), ('B', b), ('O', o)):
                line = re.sub(rf'\b{k}\b', v, line)
            fuse = 0 if tool == 'bytes' or op == 'pipe' else 1
            return ['bash', '-c', f'export AXT_FUSE={fuse}; {line}' + (' >/dev/null' if op == 'pipe' else '')]
        if tool in ('floor', 'numpy'):
            prog = [f'{self.tools}/floor'] if tool == 'floor' else [PY, f'{HERE}/peer.py']
            return prog + [op] + i + ([] if op in NO_OUTPUT else [o])
        c = {'axt': {'add': ['axt-add', a, b, '-o', o], 'bperm': ['axt-sub', a, b, '-o', o],
                     'meant': ['axt-reduce', 'mean', '--over', 'time', a, '-o', o],
                     'meanti': ['axt-reduce', 'mean', '--over', 'time', a, '-o', o],
                     'sum': ['axt-reduce', 'sum', '-p', a], 'sumz': ['axt-reduce', 'sum', '-p', a],
                     'transpose': ['axt-order', 'lon,lat,time', a, '-o', o]},
             'nco': {'add': ['ncbo', '-O', '--op_typ=add', a, b, o], 'bperm': ['ncbo', '-O', '--op_typ=sbt', a, b, o],
                     'meant': ['ncwa', '-O', '-a', 'time', a, o], 'meanti': ['ncwa', '-O', '-a', 'time', a, o],
                     'sum': ['ncwa', '-O', '-v', 'x', '-y', 'ttl', a, o],
                     'sumz': ['ncwa', '-O', '-v', 'x', '-y', 'ttl', a, o],
                     'transpose': ['ncpdq', '-O', '-a', 'lon,lat,time', a, o]},
             'cdo': {'add': ['cdo', '-s', '-O', 'add', a, b, o], 'meant': ['cdo', '-s', '-O', 'timmean', a, o],
                     'meanti': ['cdo', '-s', '-O', '-b', 'F32', 'timmean', a, o],
                     'sum': ['cdo', '-s', 'output', '-fldsum', '-timsum', a],
                     'sumz': ['cdo', '-s', 'output', '-fldsum', '-timsum', a],
                     'dist': ['cdo', '-s', 'output', '-fldsum', '-timsum', '-sqr', '-sub', a, b],
                     'rmsd': ['cdo', '-s', '-O', 'sqrt', '-timmean', '-sqr', '-sub', a, b, o]}}.get(tool, {}).get(op)
        if c and tool == 'axt':
            c[0] = os.path.join(self.bin, c[0])
        return c

    def run(self, cmd, tool):
        """Seconds, sampled peak of RssAnon + RssShmem in MiB, output."""
        for n in os.listdir(self.out):
            os.unlink(f'{self.out}/{n}')
        t = str(self.a.threads)
        # no tuning that the caller's shell happens to hold
        env = {k: v for k, v in os.environ.items() if not k.startswith(('OPENBLAS_', 'OMP_', 'GOMP_', 'AXT_'))}
        env.update(OMP_NUM_THREADS=t, OPENBLAS_NUM_THREADS=t, AXT_THREADS=t, HDF5_USE_FILE_LOCKING='FALSE')
        if tool == 'floor':
            env['OMP_PROC_BIND'] = 'true'
        t0 = time.perf_counter()
        p = subprocess.Popen(cmd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        peak = [0]
        if tool == 'axt-memory':
            watch = threading.Thread(target=sample, args=(p.pid, peak))
            watch.start()
        text = p.stdout.read()
        p.wait()
        seconds = time.perf_counter() - t0
        if tool == 'axt-memory':
            watch.join()
        if p.returncode:
            raise RuntimeError(f'{" ".join(cmd)}: status {p.returncode}: {text.decode(errors="replace")[-300:]}')
        return seconds, peak[0], text

    def one(self, op):
        live = []
        for tool in ['floor'] + self.a.tools.split(','):
            c = self.command(tool, op)
            if c is None:
                continue
            try:
                seconds, _, text = self.run(c, tool)
            except (RuntimeError, OSError) as x:
                print(f'  {op} {tool}: {x}', flush=True)
                continue
            live.append((tool, c, seconds))
            if tool in ('floor', 'axt'):
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
                wall[n].append(self.run(c, n)[0])
        mib = 0
        if 'axt' in wall:
            mib = max(self.run(self.command('axt', op), 'axt-memory')[1] for _ in range(3))
        return wall, mib, st.median(probes)

    def check(self, op, tool, text):
        """The floor and axt must say the same, or the times mean nothing."""
        if op == 'pipe':
            return
        if op in NO_OUTPUT:
            v = float(text.split()[-1])
        else:
            import h5py
            with h5py.File(self.o) as f:
                x = f['x']
                v = float(x[tuple(slice(n // 2, n // 2 + 1) for n in x.shape[:-1])].astype('f8').sum())
        if tool == 'floor':
            self.expected = v
        elif abs(v - self.expected) > 2e-5 * abs(self.expected):
            print(f'  {op}: axt says {v!r}, the floor {self.expected!r}')

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
        print('\npeak memory at 4 GiB inputs (RssAnon + RssShmem; goal: below 64 MiB)\n\n| command | MiB | s |\n|---|---|---|')
        for c in (['axt-reduce', 'sum', '-p', 'A'], ['axt-reduce', 'mean', '--over', 'time', 'A', '-o', 'O'],
                  ['axt-add', 'A', 'B', '-o', 'O'], ['axt-order', 'lon,lat,time', 'A', '-o', 'O']):
            cmd = [{'A': f'{d}/a.nc', 'B': f'{d}/b.nc', 'O': self.o}.get(w, w) for w in c]
            cmd[0] = f'{self.bin}/{c[0]}'
            try:
                seconds, mib, _ = self.run(cmd, 'axt-memory')
                print(f'| {" ".join(c)} | {mib:.0f} | {seconds:.2f} |', flush=True)
            except RuntimeError as x:
                print(f'| {" ".join(c)} | {x} | |', flush=True)

    def close(self):
        shutil.rmtree(self.out, ignore_errors=True)
        if not self.keep:
            shutil.rmtree(self.top, ignore_errors=True)


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


def sample(pid, peak):
    """The most any process of the family holds, until the first ends."""
    while True:
        for p in family(pid):
            try:
                with open(f'/proc/{p}/status') as f:
                    kib = sum(int(line.split()[1]) for line in f if line.startswith(('RssAnon', 'RssShmem')))
            except (OSError, ValueError):
                kib = 0
            if p == pid and kib == 0 and peak[0]:
                return
            peak[0] = max(peak[0], kib / 1024)
        time.sleep(.001)


def cell(op, tool, wall):
    if tool not in wall:
        return '-'
    if tool == 'floor':
        return f'{st.median(wall[tool]):.3f} s'
    if tool == 'axt':
        r = st.median(x / y for x, y in zip(wall['axt'], wall['floor']))
        return f'{st.median(wall["axt"]):.3f} s, {r:.2f}{"" if r <= GOAL[op] else " !"}'
    if 'axt' not in wall:
        return f'{st.median(wall[tool]):.3f} s'
    r = st.median(x / y for x, y in zip(wall[tool], wall['axt']))
    return f'{r:.1f}{" !" if r < FASTER.get((op, tool), 0) else ""}'


def main():
    a = arguments()
    if not shutil.which('h5ls'):
        sys.exit('bench: no h5ls here')
    ops = [o for o in a.ops.split(',') if o in IN]
    b = Bench(a)
    try:
        b.prepare(ops)
        rows = []
        for op in ops:
            b.refresh(IN[op].split())
            wall, mib, probe = b.one(op)
            rows.append((op, wall, mib, probe))
            times = ', '.join(f'{n} {st.median(w):.3f} ({min(w):.3f}..{max(w):.3f})' for n, w in wall.items())
            print(f'{op}: {times}; peak {mib:.0f} MiB; probe {probe:.2f}', flush=True)
        if rows:
            tools = [t for t in a.tools.split(',') if t != 'axt']
            size = {'small': '256 MiB', 'big': '1 GiB'}[a.size]
            print(f'\n{size} of f32 an input, {a.threads} threads, warm cache, medians of {a.rounds}. axt: seconds, and '
                  'times the floor;\nthe others: times axt. "!" marks what misses its goal.\n')
            print('| operation | floor | axt | goal | peak MiB | ' + ' | '.join(tools) + ' |')
            print('|---|---|---|---|---|' + '---|' * len(tools))
            for op, wall, mib, _ in rows:
                print(f'| {WHAT[op]} | {cell(op, "floor", wall)} | {cell(op, "axt", wall)} | {GOAL[op]} | '
                      f'{mib:.0f}{"" if mib < 64 else " !"} | ' + ' | '.join(cell(op, t, wall) for t in tools) + ' |')
        if not a.no_startup:
            b.startup()
        if a.huge:
            b.huge()
    finally:
        b.close()


main()
