#!/usr/bin/python3
"""Many writers of one file at once: what ended with status 0 is there. writers.py [ROUNDS [WRITERS]]"""
import fcntl
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, axt, scratch

ROUNDS, WRITERS = (list(map(int, sys.argv[1:3])) + [1 if SLOW or SANITIZER else 2, 8])[:2] if len(sys.argv) > 2 else \
    (int(sys.argv[1]) if len(sys.argv) > 1 else 1 if SLOW or SANITIZER else 2, 8)
D = scratch()
tap = Tap()
# as a user has it: the tests' own setting turns HDF5's locks off
ENV = {k: v for k, v in os.environ.items() if k != 'HDF5_USE_FILE_LOCKING'}
ENV['PATH'] = f'{BIN}:{ENV["PATH"]}'
LIMIT = 600 if SLOW or SANITIZER else 60


def bash(line, **kw):
    return subprocess.Popen(['bash', '-c', line], cwd=D, env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **kw)


def together(lines):
    """Statuses and messages of commands run at once; a hang is one of the statuses."""
    jobs = [bash(x) for x in lines]
    out = []
    end = time.monotonic() + LIMIT
    for p in jobs:
        try:
            _, err = p.communicate(timeout=max(1, end - time.monotonic()))
            out.append((p.returncode, err.decode()))
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            out.append(('hangs', ''))
    return out


def made(line):
    p = bash(line)
    err = p.communicate()[1]
    assert p.returncode == 0, err


def names(path):
    with h5py.File(path, 'r', locking=False) as f:
        return set(f)


def values(path, name):
    with h5py.File(path, 'r', locking=False) as f:
        return f[name][...].ravel().tolist()


def way(what, make, line, check, fails=False):
    """make a file, run line for each writer at once, and compare: check(i) is what is wrong with writer i's result, or ''."""
    bad, done = [], 0
    for r in range(ROUNDS):
        for n in os.listdir(D):
            os.unlink(f'{D}/{n}')
        if make:
            made(make)
        before = set(os.listdir(D))
        ends = together([line.replace('@', str(i)) for i in range(WRITERS)])
        good = [i for i, (rc, _) in enumerate(ends) if rc == 0]
        done += len(good)
        for i, (rc, err) in enumerate(ends):
            if rc != 0 and not (fails and rc == 1 and 1 <= err.count('\n') <= 2):
                bad.append(f'round {r}: writer {i}: status {rc}: {err}')
        try:
            bad += [f'round {r}: {x}' for x in check(good) if x]
        except (OSError, KeyError) as x:
            bad.append(f'round {r}: {x}')
        left = set(os.listdir(D)) - before - {'f.nc'}
        if left:
            bad.append(f'round {r}: left {left}')
    tap.ok(done and not bad, f'{what}: {done} writers of {ROUNDS * WRITERS}, nothing lost', '\n'.join(bad[:6]))


def has_all(prefix):
    return lambda good: [f'{prefix}{i} is lost' for i in good if f'{prefix}{i}' not in names(f'{D}/f.nc')]


def each(name, want):
    """Row i of a tensor is what writer i wrote."""
    def check(good):
        v = np.array(values(f'{D}/f.nc', name)).reshape(WRITERS, -1)
        return [f'row {i} is {set(v[i])}' for i in good if set(v[i]) != {want(i)}]
    return check


def total(name, n=1):
    return lambda good: [] if set(values(f'{D}/f.nc', name)) == {n * len(good)} else \
        [f'{len(good)} done, {set(values(f"{D}/f.nc", name))}']


def ways():
    zeros = f'axt-make zeros w={WRITERS},x=2000 --dtype i32 --name v -o f.nc'
    way('a dataset added', zeros, 'axt-make full:@ z=5 -o f.nc:d@', has_all('d'))
    way('the first dataset of a file', None, 'axt-make full:@ z=5 -o f.nc:d@', has_all('d'))
    way('a dataset added that is large, and compressed', zeros,
        'axt-make full:@ y=300000 --deflate 1 -o f.nc:d@', lambda good: has_all('d')(good) +
        [f'd{i} holds others' for i in good if set(values(f'{D}/f.nc', f'd{i}')) != {i}])
    way('a dataset of many bytes', zeros, 'axt-make full:@ y=300000 -o f.nc:d@', lambda good: has_all('d')(good) +
        [f'd{i} holds others' for i in good if set(values(f'{D}/f.nc', f'd{i}')) != {i}])
    way('a dataset computed from the same file', zeros, 'axt-add f.nc:v @ -o f.nc:d@', lambda good: has_all('d')(good) +
        [f'd{i} holds others' for i in good if set(values(f'{D}/f.nc', f'd{i}')) != {i}])
    way('a group of one', zeros, 'axt-make full:@ x=5 -o f.nc:/g@/d', has_all('g'))
    way('an expression saved', f'{zeros}; axt-make ones z=4 -o s.nc', 'axt-add s.nc @ | axt-save -o f.nc:d@', has_all('d'))
    way('parts', f'{zeros}; axt-make iota p=3,q=2 -o s.nc', "axt-split p -P 'f.nc:d@_{}' s.nc", lambda good:
        [f'd{i}_{k} is lost' for i in good for k in range(3) if f'd{i}_{k}' not in names(f'{D}/f.nc')])
    way('attributes', zeros, 'axt-attr a@=b f.nc:v', lambda good: attributes(good))
    way('attributes, in place', zeros, 'axt-attr --in-place a@=b f.nc:v', lambda good: attributes(good))
    for how in '', ' --in-place':
        for chunks in '', ' --deflate 1 --chunk w=1', ' --deflate 1':
            kind = f'assignment{",".join(how.split(" --"))}{" to chunks" if chunks else ""}{" of all" if chunks[-1:] == "1" and "w" not in chunks else ""}'
            way(f'{kind}: rows', zeros + chunks, f"axt-assign{how} 'f.nc:v[w=@]' = $((@ + 7))", each('v', lambda i: i + 7))
            way(f'{kind}: sums', zeros + chunks, f"axt-assign{how} f.nc:v += 1", total('v'))
    way('assignment of what is piped', zeros, 'axt-make ones x=2000 | cat | axt-assign f.nc:v +=', total('v'))
    way('assignment of what is reduced', zeros, 'axt-make ones y=1000 | axt-reduce mean | axt-assign f.nc:v +=', total('v'))
    way('assignment by axt-calc', zeros, "axt-calc 'f.nc:v[w=@] += 7'", each('v', lambda i: 7))
    way('assignment of what is read from there', zeros, "axt-calc 'f.nc:v = v + 1' v=f.nc:v", total('v'), fails=True)
    way('a new tensor by axt-calc', zeros, "axt-calc 'f.nc:d@ = mean(v)' v=f.nc:v", has_all('d'))
    two = 'axt-make zeros x=3 --name v -o f.nc; axt-make zeros x=3 --name v -o s.nc'
    way('two files, in either order', two, "if ((@ % 2)); then axt-calc 'f.nc:v += 1; s.nc:v += 1'; "
        "else axt-calc 's.nc:v += 1; f.nc:v += 1'; fi", lambda good: total('v')(good) +
        ([] if set(values(f'{D}/s.nc', 'v')) == {len(good)} else ['the other file']))
    way('one file of two names', f'{two}; rm s.nc; ln -s f.nc s.nc', "axt-calc 'f.nc:v[x=0] += 1; s.nc:v[x=1:] += 1'",
        total('v'))
    way('a file and what is new in another', two, "if ((@ % 2)); then axt-calc 'f.nc:v += 1; s.nc:d@ = 1 * v' v=f.nc:v; "
        "else axt-calc 's.nc:v += 1; f.nc:d@ = 1 * v' v=s.nc:v; fi", lambda good:
        [f'd{i} is lost' for i in good if f'd{i}' not in names(f'{D}/{"s" if i % 2 else "f"}.nc')])
    way('writers of every kind', f'{zeros} --chunk w=1 --deflate 1', "case $((@ % 5)) in 0) axt-make full:@ z=5 -o f.nc:d@;; "
        "1) axt-assign 'f.nc:v[w=@]' = 7;; 2) axt-assign --in-place 'f.nc:v[w=@]' = 7;; 3) axt-attr a@=b f.nc:v;; "
        "4) axt-attr --in-place a@=b f.nc:v;; esac", mixed, fails=True)
    way('files replaced, and added to', 'axt-make full:-1 x=500 --name v -o f.nc',
        "if ((@ % 2)); then axt-make full:@ x=500 --name v -o f.nc; else axt-make full:@ x=500 -o f.nc:d@; fi", replaced)


def attributes(good):
    with h5py.File(f'{D}/f.nc', 'r', locking=False) as f:
        return [f'attribute {i} is lost' for i in good if f'a{i}' not in f['v'].attrs]


def mixed(good):
    v = np.array(values(f'{D}/f.nc', 'v')).reshape(WRITERS, -1)
    return has_all('d')([i for i in good if i % 5 == 0]) + attributes([i for i in good if i % 5 > 2]) + \
        [f'row {i} is {set(v[i])}' for i in good if i % 5 in (1, 2) and set(v[i]) != {7}]


def replaced(good):
    """The last of those that replace, and what came after it."""
    v = set(values(f'{D}/f.nc', 'v'))
    bad = [] if len(v) == 1 and (v == {-1} or v.pop() in good) else ['no writer wrote this']
    return bad + [f'{n} holds others' for n in names(f'{D}/f.nc') if n[0] == 'd' and n[1:].isdigit() and
                  set(values(f'{D}/f.nc', n)) != {int(n[1:])}]


# ---- what other programs see, and do ----

READ = '''import sys, time, xarray
end = time.monotonic() + float(sys.argv[1])
n = 0
while time.monotonic() < end or not n:
    with xarray.open_dataset("f.nc") as f:
        assert (f.v.values == 3).all()
    n += 1
print(n)'''


def readers():
    made('axt-make full:3 x=1000 --name v -o f.nc')
    p = subprocess.Popen(['/usr/bin/python3', '-c', READ, '3'], cwd=D, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    n = 0
    while p.poll() is None:
        made(f'axt-make full:{n} z=5 -o f.nc:d{n % 9}')
        made('axt-attr --in-place note=x f.nc:v')
        made("axt-assign --in-place 'f.nc:v[x=7]' = 3")
        n += 1
    out, err = p.communicate()
    tap.ok(p.returncode == 0, 'xarray opens a file while it is written to', err.decode())


def open_elsewhere():
    """Programs that have the file open through HDF5: readers do not matter, writers do."""
    code = 'import h5py, sys; f = h5py.File("f.nc", sys.argv[1], locking=True); print(); sys.stdout.flush(); sys.stdin.read(1)'
    for mode in 'r', 'r+':
        made('axt-make full:3 x=10 --name v -o f.nc')
        p = subprocess.Popen(['/usr/bin/python3', '-c', code, mode], cwd=D, env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        p.stdout.readline()
        ends = {}
        for what, line in {'added': 'axt-make ones z=5 -o f.nc:d', 'assigned': "axt-assign 'f.nc:v[x=1]' = 5",
                           'assigned in place': "axt-assign --in-place f.nc:v = 3", 'an attribute': 'axt-attr a=b f.nc:v'}.items():
            q = bash(line)
            ends[what] = q.communicate(timeout=LIMIT)[1].decode(), q.returncode
        p.communicate(b'x')
        bad = {k: v for k, v in ends.items() if mode == 'r' and v != ('', 0) or
               mode == 'r+' and (v[1] != 1 or 'open for writing in another program' not in v[0] or 'hint: ' not in v[0])}
        tap.ok(not bad, f'a file that h5py has open, mode {mode}', bad)
    made('axt-make ones z=5 -o f.nc:d')


OFD_SETLK, FAR = 37, 1 << 62


def lock(f, kind):
    fcntl.fcntl(f.fileno(), OFD_SETLK, struct.pack('hhqqi4x', kind, os.SEEK_SET, FAR, 1, 0))


def waiting():
    """A writer that waits says so, uses no processor, goes on, and can be interrupted."""
    made('axt-make full:3 x=10 --name v -o f.nc')
    with open(f'{D}/f.nc', 'r+b') as f:
        lock(f, fcntl.F_WRLCK)
        jobs = [bash(f'exec {x}') for x in ("axt-assign f.nc:v += 1", 'axt-make ones z=5 -o f.nc:d', 'axt-attr a=b f.nc:v')]
        stopped = bash('exec axt-assign f.nc:v += 9')
        time.sleep(1)
        still = [p.poll() is None for p in jobs + [stopped]]
        with open(f'/proc/{jobs[0].pid}/stat') as s:
            used = sum(map(int, s.read().rsplit(')', 1)[1].split()[11:13]))
        # ThreadSanitizer holds a signal back until the call that waits for the lock returns
        end = signal.SIGKILL if SANITIZER == 'thread' else signal.SIGINT
        stopped.send_signal(end)
        status = stopped.wait(LIMIT)
        time.sleep(3)
        lock(f, fcntl.F_UNLCK)
    ends = [(p.communicate(timeout=LIMIT)[1].decode(), p.returncode) for p in jobs]
    stopped.communicate()
    with h5py.File(f'{D}/f.nc', 'r', locking=False) as f:
        good = set(f['v'][...]) == {4} and 'd' in f and f['v'].attrs['a'] == b'b'
    tap.ok(all(still) and status == -end and good and
           all(rc == 0 and err.count('waiting for its end') == 1 and err.count('\n') == 1 for err, rc in ends),
           'a writer that waits says so, goes on, and is interrupted', (still, status, good, ends))
    tap.ok(used < (100 if SANITIZER or SLOW else 20), 'waiting takes no processor time', used)


def no_locks():
    """A lock of a program that reads, as HDF5 has on NFS: told, and done."""
    made('axt-make full:3 x=10 --name v -o f.nc')
    with open(f'{D}/f.nc', 'rb') as f:
        lock(f, fcntl.F_RDLCK)
        for line in 'axt-make ones z=5 -o f.nc:d', 'axt-assign f.nc:v += 1', 'axt-attr --in-place a=b f.nc:v':
            p = bash(line)
            err = p.communicate(timeout=LIMIT)[1].decode()
            tap.ok(p.returncode == 0 and err.count('\n') == 1 and 'warning: f.nc cannot be locked (' in err,
                   f'no lock is to be had: {line.split()[0]} says so once', err)
            lock(f, fcntl.F_UNLCK)
            f.close()
            f = open(f'{D}/f.nc', 'rb')
            lock(f, fcntl.F_RDLCK)
        p = bash('axt-make ones z=5 --name v -o f.nc')
        err = p.communicate(timeout=LIMIT)[1].decode()
        tap.ok(p.returncode == 0 and not err, 'a file that is replaced whole: nothing to say', err)
        f.close()


def pipelines():
    """Two commands of one pipeline that write one file do not wait for each other."""
    made('axt-make full:3 x=200000 --name v -o f.nc; axt-make zeros x=200000 --dtype f32 --name w -o f.nc:w')
    for fuse in 0, 1:
        for line in ('axt-map square f.nc:v | tee >(axt-map sqrt -o f.nc:a) | axt-map exp -o f.nc:b',
                     'axt-map square f.nc:v | tee >(axt-assign f.nc:w = -) | axt-assign f.nc:v = -; axt-assign f.nc:v = 3',
                     'axt-map square f.nc:v | tee >(axt-assign --in-place f.nc:w = -) | axt-reduce sum -o f.nc:c',
                     "axt-map square f.nc:v | tee >(axt-calc 'f.nc:e = a + 1' a=-) | axt-calc 'f.nc:w = a' a=-",
                     'axt-add f.nc:v 1 | axt-sub - f.nc:v | axt-assign f.nc:w -='):
            p = bash(f'export AXT_FUSE={fuse}; set -o pipefail; {{ {line}; }} && wait')
            try:
                err = p.communicate(timeout=LIMIT)[1].decode()
            except subprocess.TimeoutExpired:
                p.kill()
                err = 'hangs'
            tap.ok(p.returncode == 0 and not err, f'one file, AXT_FUSE={fuse}: {line}', f'{p.returncode} {err}')
    time.sleep(.2)	# what >( ) holds


def killed():
    """Writers that are killed: the file is whole, what the others wrote is there. A kill in the moment between the two
    names of a new file leaves it under its hidden name, whole."""
    for n in os.listdir(D):
        os.unlink(f'{D}/{n}')
    made(f'axt-make zeros w={WRITERS},x=100000 --dtype i32 --name v -o f.nc')
    r = random.Random(1)
    jobs = []
    for i in range(2 * WRITERS):
        line = f'exec axt-make full:{i} x=100000 -o f.nc:d{i}' if i % 2 else f"exec axt-assign 'f.nc:v[w={i // 2}]' = {i + 7}"
        jobs.append(bash(line))
    for i in range(0, 2 * WRITERS, 3):
        time.sleep(r.random() * .01)
        jobs[i].send_signal(signal.SIGKILL)
    rc = []
    for p in jobs:
        p.communicate(timeout=LIMIT)
        rc.append(p.returncode)
    v = np.array(values(f'{D}/f.nc', 'v')).reshape(WRITERS, -1)
    there = names(f'{D}/f.nc')
    bad = [i for i, s in enumerate(rc) if s == 0 and (f'd{i}' not in there if i % 2 else set(v[i // 2]) != {i + 7})]
    torn = [i for i in range(WRITERS) if len(set(v[i])) != 1]
    hidden = [n for n in os.listdir(D) if n != 'f.nc']
    left = [n for n in hidden if not re.fullmatch(r'\.f\.nc\.axt[a-z0-5]{6}', n) or 'v' not in names(f'{D}/{n}')]
    tap.ok(not bad and not torn and not left and len(hidden) <= rc.count(-9) and set(rc) <= {0, -9} and 0 in rc,
           'writers that are killed', f'lost {bad}, torn {torn}, left {left}, hidden {hidden}, {rc}')


ways()
if shutil.which('bash'):
    readers()
    open_elsewhere()
    waiting()
    no_locks()
    pipelines()
    killed()
tap.done()
