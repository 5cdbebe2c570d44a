#!/usr/bin/python3
"""Several commands at one file or store at a time, some of them killed: together.py [ROUNDS [SEED]].

In every round writers change one file, each a thing of its own that can be seen in the file afterwards, or all replace the same
store; readers look on. Whoever ends with status 0 has done all it was asked to, whoever fails or is killed all or nothing;
nobody undoes what another one did; readers see what was there before or after a change and nothing between, or fail where the
file is changed in place; libhdf5 reads the file; and nothing is left beside it once one more command has changed it, not even of
commands that were killed by SIGKILL. Commands that change a file in place, which they may damage then, are not killed.
"""
import base64
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, random_cases, scratch, shell

D = os.path.realpath(scratch())
os.chdir(D)
LIMIT = 300 if SLOW or SANITIZER else 120       # seconds; a hang
AT_ONCE = 6
STATUS = []     # of all lines that only read
KILLED = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT)
ENV = dict(os.environ, PATH=f'{BIN}:{os.environ["PATH"]}', AXT_THREADS='2', TMPDIR=D)


def made(line):
    p = shell(f'cd {D}; {line}', timeout=LIMIT)
    assert p.returncode == 0, (line, p.stderr)


def read(line):
    """A line of the shell: status, what it printed, what it said."""
    p = subprocess.run(['bash', '-c', 'set -o pipefail; ' + line], cwd=D, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       timeout=LIMIT, check=False)
    STATUS.append(p.returncode)
    return p.returncode, p.stdout, p.stderr


def clear():
    for x in os.listdir('.'):
        shutil.rmtree(x) if os.path.isdir(x) and not os.path.islink(x) else os.unlink(x)


class Round:
    """Writers of one kind, which run at once, and readers beside them."""

    def __init__(self, r, kill):
        self.r, self.kill, self.wrong, self.reads = r, kill, [], 0
        self.stop = threading.Event()

    def bad(self, *what):
        self.wrong.append(' '.join(str(x)[:600] for x in what))

    def watch(self, *looks):
        """Threads that look at the file until all writers are done, and once more."""
        def loop(look):
            while True:
                last = self.stop.is_set()
                try:
                    why = look()
                except Exception as e:          # pylint: disable=broad-except
                    why = repr(e)
                self.reads += 1
                if why:
                    self.bad('a reader:', why)
                if last or why:
                    return
        self.crew = [threading.Thread(target=loop, args=(x,)) for x in looks]
        for x in self.crew:
            x.start()

    def run(self, lines):
        """Runs all lines, several at a time: the status of each and what it said."""
        ends, said, live, i = [None] * len(lines), [''] * len(lines), [], 0
        while i < len(lines) or live:
            while i < len(lines) and len(live) < AT_ONCE:
                p = subprocess.Popen(['bash', '-c', 'exec ' + lines[i]], cwd=D, env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True)
                now = time.monotonic()
                live.append([i, p, now, now + self.r.random() * .1 if self.r.random() < self.kill else None])
                i += 1
            for x in live[:]:
                k, p, begun, end = x
                if p.poll() is not None:
                    ends[k], said[k] = p.returncode, p.stderr.read()
                    p.stderr.close()
                    live.remove(x)
                elif end and time.monotonic() > end:
                    p.send_signal(self.r.choice([-x for x in KILLED]))
                    x[3] = None
                elif time.monotonic() - begun > LIMIT:
                    self.bad('hangs:', lines[k])
                    p.kill()
                    begun = x[2] = float('inf')
            time.sleep(.001)
        self.stop.set()
        for x in self.crew:
            x.join()
        return ends, said

    def judge(self, line, rc, said, done, undone):
        """done and undone: whether the file has all that the line does, and nothing of it."""
        if rc == 0 and not done:
            self.bad('status 0, but not done:', line)
        elif not done and not undone:
            self.bad(f'half done, status {rc}:', line)
        elif rc not in (0, *KILLED) and not undone:
            self.bad(f'done, but status {rc}:', line, said)
        elif rc not in (0, 1, *KILLED):
            self.bad(f'status {rc}:', line, said)
        elif rc == 1:
            self.bad('refused:', line, said)

    def left(self, known, after):
        """Names that are none of ours, after one more command."""
        made(after)
        extra = sorted(set(os.listdir('.')) - set(known))
        if extra:
            self.bad('left behind:', extra)


# ---- many changes of one file ----

def in_file(r, kill, way):
    """Datasets renamed, removed, added and assigned to, attributes set."""
    x, n = Round(r, kill), 8
    made('axt-make zeros x=64,y=50 --dtype i32 --name t --compress deflate --chunk x=1 -o f.nc;' + ''.join(
        f'axt-make full:{i} q=5 --name m{i} -o f.nc:m{i}; axt-make full:{i} q=5 --name r{i} -o f.nc:r{i};'
        f'axt-make full:{i} k=3 --name w{i} -o w{i}.nc;' for i in range(n)))
    ops = [(what, i, line) for i in range(n) for what, line in (
        ('move', f'axt-move {way} m{i}=mm{i} f.nc'), ('remove', f'axt-remove {way} f.nc:r{i}'), ('attr', f'axt-attr {way} a{i}=v{i} f.nc:t'),
        ('of file', f'axt-attr {way} :g{i}=v{i} f.nc'), ('add', f'axt-copy w{i}.nc:w{i} -o f.nc:w{i}'),
        ('assign', f"axt-assign {way} 'f.nc:t[x={i}]' = {i + 1}"))]
    r.shuffle(ops)
    known = set(os.listdir('.'))

    def listed():
        rc, out, err = read('axt-info f.nc')
        return f'{rc} {out[-300:]} {err}' if rc != 0 and not way or rc == 0 and (err or 'cannot be read' in out) else ''

    def summed():
        rc, out, err = read('axt-reduce max --over y -p f.nc:t')
        v = [int(w) for w in re.findall(r'\d+$', out, re.M)]
        return f'{rc} {out[-300:]} {err}' if rc != 0 and not way or rc == 0 and (err or set(v[:n]) - set(range(n + 1))) else ''

    x.watch(listed, summed)
    ends, said = x.run([line for _, _, line in ops])
    with h5py.File('f.nc', 'r') as f:
        names, t, attrs, own = set(f), f['t'][...], dict(f['t'].attrs), dict(f.attrs)
        for k in names:
            f[k][...]
    for (what, i, line), rc, err in zip(ops, ends, said):
        done, undone = {
            'move': (f'mm{i}' in names and f'm{i}' not in names, f'm{i}' in names and f'mm{i}' not in names),
            'remove': (f'r{i}' not in names, f'r{i}' in names), 'attr': (f'a{i}' in attrs, f'a{i}' not in attrs),
            'of file': (f'g{i}' in own, f'g{i}' not in own), 'add': (f'w{i}' in names, f'w{i}' not in names),
            'assign': ((t[i] == i + 1).all(), (t[i] == 0).all())}[what]
        x.judge(line, rc, err, done, undone)
    if (t[n:] != 0).any():
        x.bad('other values are changed')
    x.left(known, f'axt-attr {way} :last=1 f.nc')
    return x


# ---- records ----

def in_records(r, kill, grows):
    x, n = Round(r, kill), 16
    made('axt-make full:0 time=1,x=5 --dtype f64 --name t -o r.nc;' + ('axt-copy --unlimited time r.nc -o f.nc;' if grows else 'cp r.nc f.nc;') + ''.join(
        f'axt-make full:{i + 1} time=1,x=5 --dtype f64 --name t -o p{i}.nc;' for i in range(n)))
    known = set(os.listdir('.'))

    def rows():
        rc, out, err = read('axt-to --raw --format raw - f.nc | base64 -w0; echo; axt-reduce max --over x -p f.nc')
        if rc or err:
            return f'{rc} {err}'
        v = np.frombuffer(base64.b64decode(out.split('\n')[0]), 'f8')
        return f'torn: {v}' if v.size % 5 or (v.reshape(-1, 5) != v.reshape(-1, 5)[:, :1]).any() or len(set(v[::5])) != v.size // 5 else ''

    x.watch(rows)
    lines = [f'axt-append --along time f.nc p{i}.nc' for i in range(n)]
    ends, said = x.run(lines)
    with h5py.File('f.nc', 'r') as f:
        v = f['t'][...]
    if (v != v[:, :1]).any() or v[0, 0] != 0:
        x.bad('torn:', v)
    got = list(v[:, 0].astype(int))
    for i, line in enumerate(lines):
        x.judge(line, ends[i], said[i], got.count(i + 1) == 1, got.count(i + 1) == 0)
    x.left(known, 'axt-append --along time f.nc r.nc')
    return x


# ---- whole files and stores that replace each other ----

def in_place_of(r, kill, out):
    """Each writer makes all of it: readers see one of them, whole."""
    x, n = Round(r, kill), 14
    made(''.join(f'axt-make full:{i} x=200,y=200 --dtype f32 --name t -o p{i}.nc;' for i in range(n + 1)) +
         f'axt-copy p{n}.nc -o {out} --chunk x=30,y=30')
    known = set(os.listdir('.'))

    def same():
        rc, said, err = read(f'axt-reduce min,max -p {out}')
        v = re.findall(r'\S+$', said, re.M)
        return '' if rc == 0 and not err and len(v) == 2 and v[0] == v[1] else f'{rc} {v} {err}'

    def listed():
        rc, said, err = read(f'axt-info {out}')
        return '' if rc == 0 and 'x=200' in said.replace(' ', '') and not err else f'{rc} {said} {err}'

    x.watch(same, listed)
    ways = [f'axt-copy p{{}}.nc -o {out} --chunk x=30,y=30', f'axt-map abs p{{}}.nc -o {out}', f'cat p{{}}.nc | axt-copy - -o {out}',
            f'axt-slice x=0:200 p{{}}.nc -o {out} --chunk x=7']
    lines = [r.choice(ways[:2] + ways[3:]).format(i) for i in range(n)]
    ends, said = x.run(lines)
    now = read(f'axt-reduce max -p {out}')
    won = int(float(now[1].split()[-1])) if now[0] == 0 else -1
    for i, line in enumerate(lines):
        if ends[i] not in (0, *KILLED):
            x.bad(f'status {ends[i]}:', line, said[i])
    # one that was killed may have been done before it could say so
    if won != n and ends[won] not in (0, *KILLED) or won == n and 0 in ends:
        x.bad(f'{won} is there, statuses {ends}')
    x.left(known, f'axt-copy p0.nc -o {out}')
    return x


ROUNDS = {'one file': lambda r, k: in_file(r, k, ''), 'one file in place': lambda r, k: in_file(r, 0, '--in-place'),
          'records of a file that grows': lambda r, k: in_records(r, k, True), 'records of a file': lambda r, k: in_records(r, k, False),
          'a store replaced': lambda r, k: in_place_of(r, k, 'a.zarr'), 'a file replaced': lambda r, k: in_place_of(r, k, 'a.nc')}


def main():
    t = Tap()
    count, seed = random_cases(6, 6, 1, 1)
    reads = 0
    for k in range(count):
        r = random.Random(f'{seed} {k}')
        what = list(ROUNDS)[k % len(ROUNDS)]
        kill = (.4, 0, .2)[(k // len(ROUNDS)) % 3]
        clear()
        x = ROUNDS[what](r, kill)
        reads += x.reads
        t.ok(not x.wrong, f'round {k}: {what}, {100 * x.kill:.0f} % killed', '\n'.join(x.wrong))
    print(f'# {reads} reads, {sum(map(bool, STATUS))} of {len(STATUS)} lines failed')
    t.done()


if __name__ == '__main__':
    main()
