#!/usr/bin/python3
"""Files that grow in place: append.py [APPENDS [SEED]].

Records are appended one at a time, and the file is what one written at once would be: for axt, h5dump, ncdump, h5py, netCDF4
and xarray. A command that is killed at any moment leaves n or n + 1 records. Readers meanwhile never fail and never see
anything between. make check does few; make campaign-append many, and measures time and size.
"""
import fcntl
import os
import random
import resource
import struct
import subprocess
import sys
import threading
import time

import h5py
import netCDF4
import numpy as np
import xarray as xr

from axtlib import BIN, SANITIZER, SLOW, Tap, random_cases, scratch, shell

APPENDS, SEED = random_cases(150, 60, 10, 1)
KILLS = max(APPENDS // 33, 8)
LONG = APPENDS >= 5000
D = scratch()
t = Tap()
rng = random.Random(SEED)
os.chdir(D)


def run(line):
    p = shell(f'cd {D}; {line}', timeout=300)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def made(line):
    rc, _, err = run(line)
    assert rc == 0, err


def values(k):
    """The record k."""
    return (np.arange(6) + 10. * k).reshape(2, 3).astype('f4')


def record(path, first, n=1):
    """A file of n records: t(time, lat, lon), p(time), time with bounds, and a mask."""
    with netCDF4.Dataset(path, 'w') as f:
        for name, size in (('time', None), ('lat', 2), ('lon', 3), ('bnds', 2)):
            f.createDimension(name, size)
        for name, dims in (('time', ('time',)), ('lat', ('lat',)), ('time_bnds', ('time', 'bnds')), ('p', ('time',))):
            f.createVariable(name, 'f8', dims)
        f.createVariable('t', 'f4', ('time', 'lat', 'lon'))
        f.createVariable('mask', 'i1', ('lat',))[:] = [0, 1]
        f['time'].units = 'days since 2001-01-01'
        f['time'].bounds = 'time_bnds'
        f['lat'][:] = [10, 20]
        k = np.arange(first, first + n)
        f['time'][:] = k
        f['p'][:] = k * .5
        f['time_bnds'][:] = np.stack([k, k + 1], 1)
        f['t'][:] = np.stack([values(i) for i in k])


def wrong(f, n=None):
    """What is wrong in an open h5py file, which has n records; None: any number of them."""
    k = f['time'].shape[0]
    if n is not None and k != n:
        return f'{k} records, not {n}'
    k = np.arange(k)
    want = {'time': k, 'p': k * .5, 'time_bnds': np.stack([k, k + 1], 1),
            't': k[:, None, None] * 10. + np.arange(6).reshape(2, 3)}
    for name, v in want.items():
        if f[name].shape != v.shape or not np.array_equal(f[name][()], v):
            return f'{name} {f[name].shape}'
    return ''


def check(path, n=None, others=True):
    """The same by h5py and, if asked, by h5dump, ncdump, axt and xarray."""
    with h5py.File(path, 'r') as f:
        bad = wrong(f, n)
        n = f['time'].shape[0]
    if others and not bad:
        for line in (f'h5dump {path} >/dev/null', f'ncdump -h {path} | grep "time = UNLIMITED ; // ({n} currently)" >/dev/null',
                     f'axt-info {path} | grep -q "time {n} unlimited"'):
            rc, _, err = run(line)
            bad = bad or rc and f'{line}: {err}'
        with xr.open_dataset(path, decode_times=False) as x:
            bad = bad or ('' if x.sizes['time'] == n and float(x.t[-1, 1, 2]) == 10 * (n - 1) + 5 else 'xarray')
    return bad, n


def append(path, part, **kw):
    return subprocess.run([f'{BIN}/axt-append', path, part], capture_output=True, check=False, **kw)


def start(path):
    record('first.nc', 0)
    made(f'axt-copy --unlimited time first.nc --no-history -o {path}')


# ---- many records, one at a time ----
start('run.nc')
inode = os.stat('run.nc').st_ino
times, work = [], []
for k in range(1, APPENDS + 1):
    record('part.nc', k)
    begun = time.perf_counter()
    p = append('run.nc', 'part.nc')
    times.append(time.perf_counter() - begun)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    work.append(used.ru_utime + used.ru_stime)
    if p.returncode:
        break
t.ok(p.returncode == 0 and not p.stderr, f'{APPENDS} appends', p.stderr.decode())
bad, _ = check('run.nc', APPENDS + 1)
t.ok(not bad, 'all records are there, for every reader', bad)
t.ok(os.stat('run.nc').st_ino == inode, 'the file is the same one')
record('all.nc', 0, APPENDS + 1)
made('axt-copy all.nc -o once.nc')
rc, out, err = run('axt-equal run.nc once.nc')
t.ok(rc == 0, 'axt-equal says that it is the one written at once', out + err)
size, once = os.path.getsize('run.nc'), os.path.getsize('once.nc')
ms = np.array(times) * 1e3
work = np.diff(work) * 1e3
first, last = work[:100].mean(), work[-100:].mean()
print(f'# processor time: first 100: {first:.2f} ms, last 100: {last:.2f} ms\n# first 100: {np.median(ms[:100]):.2f} ms, last 100: {np.median(ms[-100:]):.2f} ms; '
      f'{size} bytes, written at once {once}', flush=True)
if LONG:
    t.ok(last < 1.5 * first, 'the last appends take as long as the first')
    t.ok(size < 1.2 * once, 'the file is as large as one written at once', f'{size} {once}')

# ---- several at a time: nodes of the index are filled and split ----
start('many.nc')
at = 1
for n in (511, 1, 512, 40000, 1, 7):
    record('part.nc', at, n)
    p = append('many.nc', 'part.nc')
    at += n
    if p.returncode:
        break
bad, _ = check('many.nc', at)
t.ok(p.returncode == 0 and not bad, f'{at} records in parts of any length', p.stderr.decode() + bad)

# ---- h5py and netCDF go on where axt ended, and axt where they ended ----
with netCDF4.Dataset('many.nc', 'a') as f:
    for name, v in (('time', at), ('p', at * .5), ('t', values(at)), ('time_bnds', [at, at + 1])):
        f[name][at] = v
record('part.nc', at + 1)
p = append('many.nc', 'part.nc')
bad, _ = check('many.nc', at + 2)
t.ok(p.returncode == 0 and not bad, 'after a record of netCDF', p.stderr.decode() + bad)

# ---- killed at any moment ----
start('kill.nc')
n, bad, seen = 1, '', set()
usual = float(np.median(ms)) / 1e3
for k in range(KILLS):
    m = rng.choice((1, 1, 1, 600))
    record('part.nc', n, m)
    q = subprocess.Popen([f'{BIN}/axt-append', 'kill.nc', 'part.nc'], stderr=subprocess.DEVNULL)
    try:
        q.wait(timeout=rng.random() * 1.5 * usual)
    except subprocess.TimeoutExpired:
        q.kill()
    q.wait()
    why, now = check('kill.nc', None, LONG or k % 4 == 0)
    if why or now not in (n, n + m) or (q.returncode == 0 and now != n + m):
        bad = f'kill {k}: {why} {now} records after {n} and {m} more, status {q.returncode}'
        break
    seen.add(now == n)
    n = now
t.ok(not bad, f'{KILLS} times killed: all of the records or none', bad)
if LONG:
    t.ok(len(seen) == 2, 'some were killed before, some after')
# every system call that writes, in turn
if not SANITIZER and not SLOW and run('strace -V')[0] == 0:
    for call in ('pwrite64', 'ftruncate', 'utimensat'):
        for when in range(1, 30):
            record('part.nc', n, 600)
            rc, _, err = run(f'strace -qq -e trace=none -e inject={call}:signal=KILL:when={when} '
                             'axt-append kill.nc part.nc')
            why, now = check('kill.nc', None, False)
            bad = bad or (why or now not in (n, n + 600)) and f'{call} {when}: {why} {now} after {n}'
            n = now
            if rc == 0:
                break
    t.ok(not bad, 'killed at each call that writes', bad)

# ---- readers meanwhile ----
start('read.nc')
stop = threading.Event()
failed, reads = [], [0]


def reader():
    last = 0
    while not stop.is_set():
        p = subprocess.run([f'{BIN}/axt-calc', 'c = count(x); s = sum(x) - 0.25*c*(c - 1)', 'x=read.nc:p', '-p'],
                           capture_output=True, check=False, text=True)
        said = p.stdout.split()
        count = [int(x) for x in said if x.isdigit()]
        reads[0] += 1
        if p.returncode or p.stderr or not count or count[0] < last or float(said[-1]) != 0:
            failed.append(f'{p.returncode} {p.stdout} {p.stderr}')
            return
        last = count[0]


crew = [threading.Thread(target=reader) for _ in range(4)]
for r in crew:
    r.start()
bad = ''
for k in range(1, APPENDS // 4 + 1):
    record('part.nc', k)
    p = append('read.nc', 'part.nc')
    bad = bad or p.stderr.decode()
stop.set()
for r in crew:
    r.join()
t.ok(not failed and not bad and reads[0] > 4, f'{reads[0]} reads by four readers meanwhile', '\n'.join(failed) + bad)
bad, _ = check('read.nc', APPENDS // 4 + 1)
t.ok(not bad, 'and all records are there', bad)

# ---- whose change it is that a reader finds at its end ----
made('axt-make iota time=20000,x=20 --name t -o s.nc; axt-slice time=:2 s.nc -o two.nc')
with open('s.nc', 'rb') as f:
    half = f.read(os.path.getsize('s.nc') // 2)
OVERRIDE = [f'{BIN}/axt-append', '--join', 'override:time', 'turn.nc']


def two():
    made('axt-append --join override:time turn.nc two.nc')


def fresh():
    made('axt-copy --unlimited time s.nc -o turn.nc')


def used():
    fresh()
    two()


def left():
    """A file that a command was killed at."""
    used()
    kill(midway())


def midway():
    """A command that has begun to add records, and waits for more of them."""
    q = subprocess.Popen(OVERRIDE, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    was = os.stat('turn.nc').st_mtime_ns
    q.stdin.write(half)
    q.stdin.flush()
    for _ in range(2000):
        if os.stat('turn.nc').st_mtime_ns != was:
            return q
        time.sleep(.01)
    raise AssertionError('nothing is appended')


def kill(q):
    q.kill()
    q.wait()


def other():
    """A change of a value that was there, by a writer that holds no lock of axt."""
    with h5py.File('turn.nc', 'r+', locking=False) as f:
        f['t'][0, 0] = 7


def locked():
    """A writer that holds the lock and changes a value, but does not append."""
    f = open('turn.nc', 'r+b')
    fcntl.fcntl(f, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 1 << 62, 1, 0))  # F_OFD_SETLK
    other()
    return f


def reading():
    """A command that has begun to read and has not ended, as nobody takes its output."""
    r = subprocess.Popen([f'{BIN}/axt-copy', 'turn.nc'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.read(r.stdout.fileno(), 1)
    return r


# what is done to the file before a reader begins, what after, and whether the reader is to end well
for before, after, well in (
        ((fresh,), (two,), True), ((used,), (two, two), True), ((fresh,), (midway,), True), ((used,), (midway,), True),
        ((used,), (two, midway), True), ((used,), (midway, kill), False),
        ((used,), (other,), False), ((used,), (other, two), False), ((used,), (two, other), False),
        ((used,), (other, midway), False), ((used, other), (two,), True), ((used, other), (midway,), True),
        ((left,), (), True), ((left,), (two,), True), ((left,), (midway,), True), ((left,), (other, two), False),
        ((left,), (other, midway), False), ((left,), (locked,), False), ((used,), (locked,), False), ((fresh,), (locked,), False)):
    held = []
    for step in before:
        held.append(step(held[-1]) if step is kill else step())
    inode = os.stat('turn.nc').st_ino
    r = reading()
    for step in after:
        held.append(step(held[-1]) if step is kill else step())
    _, err = r.communicate(timeout=100)
    what = ', '.join(x.__name__ for x in (*before, reading, *after))
    said = b'' if well else b'axt-copy: turn.nc: changed while being read\n'
    t.ok(r.returncode == (0 if well else 1) and err == said and os.stat('turn.nc').st_ino == inode, what, err.decode())
    for q in held:
        if isinstance(q, subprocess.Popen):
            kill(q)
        elif q:
            q.close()

# ---- no room on the disk ----
start('full.nc')
old = open('full.nc', 'rb').read()
record('part.nc', 1, 2000)
p = append('full.nc', 'part.nc', preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) + 9000,) * 2), restore_signals=False)
bad, _ = check('full.nc', 1)
t.ok(p.returncode == 1 and not bad, 'a full disk leaves the records as they were', p.stderr.decode() + bad)
p = append('full.nc', 'part.nc')
bad, _ = check('full.nc', 2001)
t.ok(p.returncode == 0 and not bad, 'and the next append goes on', p.stderr.decode() + bad)
sys.exit(t.done())
