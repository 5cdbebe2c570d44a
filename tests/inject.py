#!/usr/bin/python3
"""Calls that fail, one at a time (by faulty.c): the result, or one line and everything as it was.

inject.py: some of the calls of each command, seconds. inject.py all [WORD...]: every call and every allocation of all
commands, or of those whose names have a WORD: `make check-faults`.
"""
import errno
import os
import shutil
import signal
import subprocess
import sys

import h5py
import numpy as np

from axtlib import BIN, BUILD, SANITIZER, Named, Run, Tap, axt, scratch, shell, write_h5

d = scratch()
tap = Tap()
SHIM = f'{BUILD}/tests/faulty.so'
CALLS = ('open read pread write pwrite copy_file_range close fsync ftruncate fallocate fchmod fcntl link rename mmap '
         'pthread_create lseek stat access lock readlink unlink getrandom socket').split()
ALL = sys.argv[1:2] == ['all']
WORDS = sys.argv[2:]
counts = {'calls': 0, 'allocations': 0, 'stops': 0, 'libhdf5': 0}


def after(n, step=1, every=ALL):
    """The next call to fail: all of them, or fewer the later they are."""
    return n + (step if every else max(step, n // 5))


class Place:
    """A directory, and what its files held at first."""

    def __init__(self, name, **files):
        self.path = f'{d}/{name}'
        os.mkdir(self.path)
        for n, (t, storage) in files.items():
            write_h5(f'{self.path}/{n}.h5', t, **storage)
        # Groups of h5py's files keep the time of their last change; ours have none.
        axt('mul', 'a.h5', '1', '-o', 'c.h5', cwd=self.path)
        self.first = self.now()

    def now(self):
        """Bytes of files by their paths; directories have a slash at the end of theirs."""
        out = {}
        for at, folders, names in os.walk(self.path):
            out.update({os.path.relpath(f'{at}/{n}', self.path) + '/': b'' for n in folders})
            for n in names:
                with open(f'{at}/{n}', 'rb') as f:
                    out[os.path.relpath(f'{at}/{n}', self.path)] = f.read()
        return out

    def restore(self):
        now = self.now()
        for n in now.keys() - self.first.keys():
            if n[-1] == '/':
                shutil.rmtree(f'{self.path}/{n}', ignore_errors=True)
            elif os.path.exists(f'{self.path}/{n}'):
                os.unlink(f'{self.path}/{n}')
        for n, b in sorted(self.first.items()):
            if n[-1] == '/':
                os.makedirs(f'{self.path}/{n}', exist_ok=True)
            elif now.get(n) != b:
                with open(f'{self.path}/{n}', 'wb') as f:
                    f.write(b)


def inject(place, args, data=None, calls=CALLS, **fault):
    """Runs a command with the shim; whether the call it waits for came."""
    mark = f'{d}/mark'
    env = {f'FAULT_{k.upper()}': str(v) for k, v in fault.items()}
    env.update(LD_PRELOAD=SHIM, FAULT_MARK=mark, FAULT_CALLS=f' {" ".join(calls)} ')
    if args[0] == 'bash':
        p = subprocess.run(['bash', '-o', 'pipefail', '-c', args[1]], env=dict(os.environ, PATH=f'{BIN}:{os.environ["PATH"]}', **env),
                           cwd=place.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        r = Run(['axt-' + args[2]], p, p.stdout, p.stderr)
    else:
        r = axt(*args, env=env, cwd=place.path, data=data)
    hit = os.path.exists(mark)
    if hit:
        os.unlink(mark)
    return r, hit


def whole_parts(place):
    """The parts that axt-split wrote before one failed."""
    now = place.now()
    new = [n for n in now if now[n] != place.first.get(n)]
    for n in new:
        if n[0] == '.':
            return False
        with h5py.File(f'{place.path}/{n}', 'r') as f:
            for k in f:
                f[k][...]
            if n in place.first and not (np.array_equal(f['v'], SMALL.a) and np.array_equal(f['w'], SMALL.a + 1)):
                return False
    return place.first.keys() <= now.keys()


def failed_well(r, place, out):
    """What is wrong with the end of a command that did not succeed, or ''."""
    lines = r.err.splitlines()
    failed = 2 if r.args[0] == 'axt-equal' else 1
    if place.now() != place.first and not (r.args[0] == 'axt-split' and whole_parts(place)):
        return f'files changed: {sorted(place.now())}'
    if r.out == out and out[:4] == b'\x89HDF':
        return 'a failure that looks like success'
    if r.rc == failed and 1 <= len(lines) <= 2 and lines[0].startswith(r.args[0] + ': '):
        return ''
    return 'not one message with status 1'


class Sweep:
    """One command, again and again, with a fault that comes later each time."""

    def __init__(self, what, place, args, data=None):
        self.what, self.place, self.args, self.data = what, place, args if isinstance(args, list) else args.split(), data
        self.bad, self.crashes, self.runs = [], 0, 0
        self.left_out = bool(WORDS) and not any(w in what for w in WORDS)
        place.restore()
        r = inject(place, self.args, data, calls=[])[0]
        self.want, self.out = place.now(), r.out
        if r.rc:
            self.bad = [f'without a fault: {r}']

    def once(self, judge, **fault):
        """Whether there was a call to fail."""
        self.place.restore()
        r, hit = inject(self.place, self.args, self.data, **fault)
        why = judge(r)
        self.runs += hit
        if why:
            self.bad.append(f'{fault}: {why}: {r}')
        return hit

    def done(self, how):
        self.place.restore()
        counts['stops' if how[0] == 's' else 'allocations' if how[0] == 'n' else 'calls'] += self.runs
        counts['libhdf5'] += self.crashes
        tap.ok(self.runs and not self.bad, f'{self.what}: {how}, {self.runs} times', '\n'.join(self.bad[:4]))
        if self.crashes:
            print(f'# {self.crashes} ended by libhdf5')
        self.bad, self.runs, self.crashes = [], 0, 0

    judge_pipe = False

    def right_or_failed(self, r):
        if self.judge_pipe and r.rc and r.rc != 1:	# the writer of a reader that failed
            r.rc = 1 if r.rc in (141, -13) and r.err else r.rc
        if self.judge_pipe and r.rc == 1:
            # each command of the pipeline may say why
            lines = r.err.splitlines()
            return '' if lines and len(lines) <= 4 and all(x.startswith('axt-') for x in lines) and \
                self.place.now() == self.place.first else 'a pipeline that fails otherwise'
        if r.rc == 0:
            return '' if self.place.now() == self.want and r.out == self.out else 'status 0 without the result'
        return failed_well(r, self.place, self.out)

    def or_crashed(self, r):
        """libhdf5 1.10.8 does not survive every allocation that fails; at its start it calls exit(-1)."""
        if (r.rc < 0 or r.rc == 255) and (self.place.now() == self.place.first or
                                          'split' in self.what and whole_parts(self.place)):
            self.crashes += 1
            return ''
        return self.right_or_failed(r)

    def old_or_new(self, r):
        now = {n: b for n, b in self.place.now().items() if n[0] != '.'}
        if now not in (self.place.first, self.want):
            return f'neither the old files nor the new: {sorted(now)}'
        return ''

    def ended(self, r):
        if r.rc != -signal.SIGTERM and r.rc != 0:
            return f'status {r.rc}'
        return '' if self.place.now() in (self.place.first, self.want) else f'left {sorted(self.place.now())}'

    def fails(self, every=ALL, **fault):
        n = 1
        while not self.left_out and self.once(self.right_or_failed, at=n, errno=(errno.EIO, errno.ENOSPC)[n % 2], **fault):
            n = after(n, every=every)
        if self.left_out:
            return self
        self.done('any call fails')
        return self

    def stopped(self, step=1):
        for sig, judge in ((signal.SIGKILL, self.old_or_new), (signal.SIGTERM, self.ended)):
            n = 1
            while not self.left_out and self.once(judge, at=n, kill=int(sig)):
                n = after(n, step)
        if self.left_out:
            return self
        self.done('stopped at any call')

    def starved(self, step, first=0, **fault):
        """
        There are thousands of allocations: all of them with step 1, which takes a minute. The first
        of a command are its own, those of libhdf5 follow.
        """
        n = 1
        while not self.left_out and self.once(self.or_crashed, at=n, errno=errno.ENOMEM, calls=['malloc', 'mmap'], **fault):
            n += step if ALL else 1 if n < first else min(step, max(1, n // 4))
        if self.left_out:
            return self
        self.done('no memory')
        return self


LAT = np.array([-60., 0, 60])
SMALL = Named(('lat', 'lon'), np.arange(12, dtype='f4').reshape(3, 4), {'lat': LAT})
SAFE = b'\x40' + bytes(7) + b'{"v":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'.ljust(64) + b'\1\2'
LONG = Named(('x',), np.arange(3e5, dtype='f4'))


def files():
    p = Place('files', a=(SMALL, {}), b=(SMALL, {}))
    old = p.first['b.h5']
    Sweep('a new file', p, 'add a.h5 b.h5 -o new.h5').fails()
    Sweep('a file that must be new', p, 'add a.h5 b.h5 -N -o new.h5').fails()
    Sweep('a file replaced', p, 'add a.h5 b.h5 -o b.h5').fails().stopped()
    Sweep('a file replaced, by way of a hidden name', p, 'add a.h5 b.h5 -o b.h5').fails(plain=1)
    Sweep('a dataset added', p, 'add a.h5 b.h5 -o c.h5:sum').fails().stopped(7)
    Sweep('a deflated dataset', p, 'add a.h5 b.h5 --deflate 1 --chunk lat=1 -t 2 -o c.h5:/g/sum').fails()
    Sweep('an attribute', p, 'attr units=m b.h5').fails()
    Sweep('an assignment', p, 'assign c.h5[lon=1:4:2] += 7').fails().stopped()
    Sweep('an assignment in one run', p, 'assign c.h5 *= a.h5').fails().stopped(3)
    Sweep('a kind', p, 'kind variable b.h5').fails()
    Sweep('standard output', p, 'add a.h5 b.h5').fails()
    Sweep('standard input', p, 'add a.h5 - -o new.h5', old).fails()
    Sweep('another format', p, 'to b.npy a.h5').fails().stopped(5)
    Sweep('text', p, 'to b.csv a.h5').fails()
    Sweep('a picture of letters by axt-plot', p, 'plot a.h5 --size 40,10 -o p.txt').fails().stopped(5)
    Sweep('a store of Zarr', p, 'add a.h5 b.h5 --chunk lat=1 -t 2 -o new.zarr').fails().stopped(3)
    stores = Place('stores', a=(SMALL, {}), b=(SMALL, {}))
    axt('add', 'a.h5', 'b.h5', '-o', 's.zarr', cwd=stores.path)
    stores.first = stores.now()
    # an old store that cannot be removed stays under a hidden name, beside the new one
    kept = [c for c in CALLS if c not in ('open', 'unlink', 'stat')]
    Sweep('a store of Zarr replaced', stores, 'mul a.h5 b.h5 -o s.zarr').fails(calls=kept).stopped(3)
    big = Place('big', a=(LONG, {}), b=(LONG, {'chunks': (70000,), 'compression': 1}))
    Sweep('a megabyte', big, 'add a.h5 b.h5 -t 2 -o b.h5').fails()
    Sweep('an assignment to chunks', big, 'assign b.h5[x=5:250000:3] += 1').fails().stopped(5)
    s = Sweep('a dataset added', p, 'add a.h5 - -o c.h5:sum', old)
    s.once(s.right_or_failed, calls=[], short=7)
    s.runs = 1
    s.done('short and interrupted reads and writes')


def more():
    """Commands that ask, edit in place, split, read other formats; and pipelines, in one of whose commands a call fails."""
    step = 1 if ALL else 197
    p = Place('more', a=(SMALL, {}), b=(LONG, {'chunks': (70000,), 'compression': 1}))
    axt('save', 'a.h5', '-o', 'p.h5', cwd=p.path)
    axt('add', 'a.h5', '1', '-o', 'c.h5:w', cwd=p.path)
    axt('to', 'x.npy', 'a.h5', cwd=p.path)
    with h5py.File(f'{p.path}/t.h5', 'w') as f:
        for name, values in ('lat', LAT), ('lone', LAT), ('names', np.array(['a', 'b', 'c'], dtype=h5py.string_dtype())):
            f[name] = values
        f['v'] = np.arange(3.)
        for name in 'lat', 'lone':
            f[name].make_scale(name)
        f['v'].dims[0].attach_scale(f['lat'])
    with open(f'{p.path}/x.csv', 'w') as f:
        f.write('x,v\n1,2\n2,3\n')
    p.first = p.now()
    for words in ('info a.h5 c.h5', 'info --json c.h5 a.h5', 'info --cdl c.h5', 'info --stats c.h5:w', 'info --trainable .',
                  'print --csv a.h5', 'attr a.h5', 'equal c.h5 c.h5', 'from x.npy -o o.h5', 'from x.csv -o o.h5',
                  'reduce mean --over lat p.h5 -p'):
        Sweep(f'axt-{words}', p, words).fails().starved(step)
    # what is damaged besides the tensors is only mentioned, what one read did not bring is not
    for words in 'info t.h5', 'info --cdl t.h5':
        Sweep(f'axt-{words}, all that is no tensor', p, words).fails(every=True, calls=['pread']).starved(step)
    for words, first in (('split lat -P s_{}.h5 a.h5', 0), ('split lat -P c.h5:s_{} a.h5', 0), ('save a.h5 -o c.h5:e', 70),
                         ('calc c.h5:v[lat=0]+=1;c.h5:w[lat=1]=7', 0), ('calc c.h5:n=mean(a) a=a.h5', 70)):
        Sweep(f'axt-{words}', p, words).fails().starved(step, first)
    for line, one in (('axt-map square a.h5 | axt-reduce sum -o o.h5', 'map'), ('axt-map square a.h5 | axt-reduce sum -o o.h5', 'reduce'),
                      ('axt-map square a.h5 | cat | axt-reduce sum -o c.h5:s', 'reduce'),
                      ('axt-map square a.h5 | axt-assign c.h5:v +=', 'assign')):
        for fuse in 0, 1:
            s = Sweep(f'{line}, AXT_FUSE={fuse}, a call of axt-{one}', p, ['bash', f'export AXT_FUSE={fuse}; {line}', one])
            s.judge_pipe = True
            s.fails(only=f'axt-{one}')
    # in place a write that fails leaves half of the values: what is asked before it leaves all
    asks = [c for c in CALLS if c not in ('pwrite', 'close', 'ftruncate')]
    for words in ('assign --in-place c.h5:v[lat=1] += 1', 'assign --in-place b.h5[x=5:9] = 1', 'attr --in-place note=x c.h5:v'):
        Sweep(f'axt-{words}', p, words).fails(calls=asks)
    for words in 'remove c.h5:w', 'move w=x c.h5':
        Sweep(f'axt-{words}', p, words).fails().starved(step)
    # libhdf5 goes on without some reads, up to the writing
    Sweep('axt-attr in place, reads', p, 'attr --in-place note=x c.h5:v').fails(every=True, calls=['pread'])


def virtual():
    step = 1 if ALL else 53
    p = Place('virtual', a=(SMALL, {}))
    layout = h5py.VirtualLayout((3, 5), 'f4')
    layout[:, 1:5:2] = h5py.VirtualSource('a.h5', 'v', shape=(3, 4))[:, :2]
    with h5py.File(f'{p.path}/v.h5', 'w') as f:
        f.create_virtual_dataset('v', layout, fillvalue=7)
    p.first = p.now()
    Sweep('a virtual dataset read', p, 'order dim_1,dim_0 v.h5 -o o.h5').fails().starved(step)
    Sweep('a virtual dataset saved', p, 'save a.h5 -o s.h5').fails().starved(step)
    Sweep('axt-info of a virtual dataset', p, 'info v.h5').starved(step)
    # "no such view" is said of no expression that could not be looked at
    shell(f'cd {p.path} && AXT_FUSE=1 && axt-order lon,lat a.h5 | axt-save - -o e.h5')
    p.first = p.now()
    for words in 'info --json e.h5', 'info e.h5':
        Sweep(f'axt-{words} of a saved expression', p, words).fails(every=True).starved(7 if not ALL else 1)


def memory():
    step = 1 if ALL else 53
    chunks = {'chunks': (1, 3), 'attrs': {'_FillValue': np.float32(1)}}
    p = Place('memory', a=(SMALL, chunks), b=(SMALL, {}))
    Sweep('axt-reduce', p, 'reduce sum -p a.h5').starved(step).starved(4 * step, stay=1)
    for words in ('plot b.h5 --size 40,10', 'plot --hist b.h5 --size 40,10', 'plot lat=0 b.h5 --size 40,10',
                  'reduce median,quantile:0.1 -p a.h5', 'scan sum --along lon -p a.h5', 'sort --along lon -p b.h5'):
        Sweep(f'axt-{words}', p, words).starved(step)
    Sweep('axt-info', p, 'info a.h5').starved(step).starved(4 * step, stay=1)
    Sweep('axt-add', p, 'add a.h5 b.h5 -o b.h5').starved(step).starved(4 * step, stay=1)
    Sweep('axt-coord', p, 'coord set lat=a.h5:lat b.h5 -o d.h5').starved(step)
    Sweep('axt-add to a file', p, 'add a.h5 b.h5 -o c.h5:sum').starved(step)
    Sweep('axt-from of text', p, 'from - --format csv -p', b'x,v\n2010-01-01,1\n2011-01-01,2+1j\n').starved(step)
    Sweep('axt-from of safetensors', p, 'from - --format safetensors -p', SAFE).starved(step)
    Sweep('axt-to', p, 'to x.safetensors a.h5').starved(step, 100)
    Sweep('axt-assign', p, 'assign a.h5[lat=1] += 1').starved(step)


if SANITIZER or not os.path.exists(SHIM):
    tap.skip('faults', 'a sanitizer has its own allocator, or there is no shim')
else:
    files()
    more()
    virtual()
    memory()
    print(f'# {counts["calls"]} failed calls, {counts["stops"]} stops, {counts["allocations"]} failed allocations, '
          f'of which {counts["libhdf5"]} ended inside libhdf5')
tap.done()
