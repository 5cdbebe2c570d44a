#!/usr/bin/python3
"""Bad input and bad luck: each ends in one line, the right status, and nothing lost or left behind."""
import gzip
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Named, Tap, axt, read_h5, scratch, shell, write_h5

d = scratch()
tap = Tap()
LAT = np.array([-60., 0, 60])


def make(name, dims, shape, coords=None, **kw):
    p = f'{d}/{name}'
    write_h5(p, Named(dims, np.arange(np.prod(shape, dtype=int)).reshape(shape).astype('f4'), coords), **kw)
    return p


A = make('a.h5', ('lat', 'lon'), (3, 4), {'lat': LAT})


def refused(what, args, *words, rc=1, tidy=True):
    """One line (and at most a hint) that names what it is about; no output, nothing left behind."""
    out = f'{d}/refused'
    os.makedirs(out, exist_ok=True)
    args = [a.replace('OUT', f'{out}/o.h5') for a in map(str, args)]
    r = axt(*args)
    lines = r.err.splitlines()
    why = ''
    if r.rc != rc:
        why = f'status {r.rc}, want {rc}'
    elif not 1 <= len(lines) <= 2 or not lines[0].startswith(f'axt-{args[0]}: '):
        why = 'not one line that begins with the command'
    for w in words:
        if not why and not re.search(w, r.err):
            why = f'does not say {w!r}'
    if not why and r.out:
        why = 'wrote to standard output'
    if not why and tidy and os.listdir(out):
        why = f'left behind {os.listdir(out)}'
    shutil.rmtree(out)
    tap.ok(not why, what, f'{why}\n{r}')


def axes():
    b = make('b.h5', ('lat', 'lon'), (2, 4))
    c = make('c.h5', ('lat', 'lon'), (3, 4), {'lat': LAT + 1})
    rev = make('rev.h5', ('lat', 'lon'), (3, 4), {'lat': LAT[::-1]})
    refused('lengths that differ: axis, both numbers, both files', ['add', A, b, '-o', 'OUT'], 'lat', '3', '2',
            r'a\.h5', r'b\.h5')
    refused('coordinates that differ: axis, both files, first difference', ['add', A, c, '-o', 'OUT'], 'lat',
            r'a\.h5', r'c\.h5', '-60', '-59')
    refused('coordinates reversed: says so', ['add', A, rev, '-o', 'OUT'], 'lat', 'revers')
    r = axt('add', '--join', 'override', A, c, '-o', f'{d}/ok.h5')
    tap.ok(r.rc == 0 and (read_h5(f'{d}/ok.h5').coords['lat'] == LAT).all(), '--join override takes the first', r)
    refused('duplicate axes', ['make', 'ones', 'x=2,x=2', '-o', 'OUT'], 'x')
    refused('unknown axis: lists what there is', ['reduce', 'sum', '--over', 'time', A, '-o', 'OUT'], 'time', 'lat',
            'lon')
    refused('order with an unknown axis', ['order', 'lat,time', A, '-o', 'OUT'], 'time')
    refused('cast of wrong rank', ['cast', '--to', 'x', A, '-o', 'OUT'], '[12]')
    refused('cast of wrong length', ['cast', '--to', 'x=4,y=3', A, '-o', 'OUT'], '3', '4')
    refused('rename of an axis that is not there', ['rename', 'time=t', A, '-o', 'OUT'], 'time')
    refused('rename that collides', ['rename', 'lat=lon', A, '-o', 'OUT'], 'lon')
    refused('broadcast that lacks an axis', ['broadcast', 'lat,x=2', A, '-o', 'OUT'], 'lon')
    refused('--strict dot with an axis in both', ['dot', '--strict', A, A, '-o', 'OUT'], 'lat')
    refused('a maximum of nothing', ['reduce', 'max', make('empty.h5', ('x',), (0,)), '-o', 'OUT'])
    with h5py.File(f'{d}/dup.h5', 'w') as f:
        v = f.create_dataset('v', data=np.eye(2))
        m = f.create_dataset('m', data=[1., 2])
        m.make_scale('m')
        v.dims[0].attach_scale(m)
        v.dims[1].attach_scale(m)
    refused('a file that names an axis twice', ['map', 'abs', f'{d}/dup.h5', '-o', 'OUT'], 'm')
    big = 'OUT'
    refused('an accidental outer product', ['add', '--memory', '64M', make('p.h5', ('lat_',), (40000,)),
                                            make('q.h5', ('latitude',), (40000,)), '-o', big], 'lat_', 'latitude')


def names():
    with h5py.File(f'{d}/two.h5', 'w') as f:
        f['ta'], f['pr'] = np.zeros(3), np.zeros(3)
    refused('unknown dataset: lists what there is', ['map', 'abs', f'{d}/two.h5:tb', '-o', 'OUT'], 'tb', 'ta', 'pr')
    refused('several tensors: lists them', ['map', 'abs', f'{d}/two.h5', '-o', 'OUT'], 'ta', 'pr')
    refused('no such file', ['map', 'abs', f'{d}/none.h5', '-o', 'OUT'], 'No such file')
    refused('a directory', ['map', 'abs', d, '-o', 'OUT'], '[Dd]irectory')


def dtypes():
    write_h5(f'{d}/cx.h5', Named(('x',), np.zeros(3, 'c8')))
    write_h5(f'{d}/bl.h5', Named(('x',), np.zeros(3, bool)))
    write_h5(f'{d}/nan.h5', Named(('x',), np.array([1, np.nan], 'f4')))
    write_h5(f'{d}/i.h5', Named(('x',), np.array([1, 0, 300], 'i4')))
    refused('complex has no order', ['lt', f'{d}/cx.h5', f'{d}/cx.h5', '-o', 'OUT'], 'c64|complex')
    refused('no maximum of complex', ['reduce', 'max', f'{d}/cx.h5', '-o', 'OUT'], 'c64|complex')
    refused('sub of bool', ['sub', f'{d}/bl.h5', f'{d}/bl.h5', '-o', 'OUT'], 'bool')
    refused('NaN to an integer', ['cast', '--dtype', 'i32', f'{d}/nan.h5', '-o', 'OUT'])
    refused('a value that does not fit', ['cast', '--dtype', 'i8', f'{d}/i.h5', '-o', 'OUT'], '300|i8|fit')
    refused('integer division by zero: names the index', ['floordiv', f'{d}/i.h5', f'{d}/i.h5', '-o', 'OUT'], '1')
    refused('unknown dtype', ['cast', '--dtype', 'f99', A, '-o', 'OUT'], 'f99', rc=2)
    refused('unknown operation: names the nearest', ['map', 'sqr', A, '-o', 'OUT'], 'sqr', 'square', rc=2)
    refused('unknown reduction', ['reduce', 'maen', A, '-o', 'OUT'], 'maen', 'mean', rc=2)
    refused('unknown option: names the nearest', ['add', A, A, '--outptu', 'x'], 'outptu', 'output', rc=2)
    refused('too few operands', ['sub', A], rc=2)


def formats():
    files = {'classic.nc': b'CDF\x01' + b'\xff' * 40, 'x.npy': b'\x93NUMPY\x01\x00' + bytes(100),
             'x.gz': gzip.compress(b'abc' * 100), 'x.zip': b'PK\x03\x04' + bytes(60), 'x.txt': b'hello\n' * 20,
             'empty.h5': b''}
    said = {'classic.nc': 'damaged', 'x.npy': '(?i)npy|numpy', 'x.gz': 'gzip', 'x.zip': 'zip', 'x.txt': 'text',
            'empty.h5': 'empty'}
    for n, b in files.items():
        with open(f'{d}/f_{n}', 'wb') as f:
            f.write(b)
        refused(f'not HDF5: {n}', ['map', 'abs', f'{d}/f_{n}', '-o', 'OUT'], said[n])
    axt('make', 'iota', 'x=3', '-o', f'{d}/f_classic.cdf')
    r = axt('attr', ':title=x', f'{d}/f_classic.cdf')
    tap.ok('axt-copy' in r.err, 'netCDF classic, whose attributes axt does not change: says how to convert it', r)
    with open(A, 'rb') as f:
        whole = f.read()
    for cut in sorted({len(whole) - 1, len(whole) - 16, len(whole) // 2, 600, 100, 9, 8, 1}):
        with open(f'{d}/cut.h5', 'wb') as f:
            f.write(whole[:cut])
        refused(f'a file cut to {cut} bytes', ['map', 'abs', f'{d}/cut.h5', '-o', 'OUT'])


def streams():
    p = axt('map', 'abs', A)
    tap.ok(p.rc == 0 and p.out[:4] == b'\x89HDF', 'a stream', p)
    whole = p.out
    for cut in sorted({0, 1, 100, len(whole) // 2, len(whole) - 1}):
        r = axt('reduce', 'sum', '-p', data=whole[:cut])
        tap.ok(r.rc == 1 and not r.out and 1 <= len(r.err.splitlines()) <= 2, f'a stream of {cut} bytes is an error', r)
    r = axt('reduce', 'sum', '-p', data=whole + b'x')
    tap.ok(r.rc == 1 and not r.out, 'bytes after the end of a stream are an error', r)
    r = axt('reduce', 'sum', '-p', data=whole)
    tap.ok(r.rc == 0 and float(r.out) == 66, 'the whole stream is right', r)
    p = shell(f'axt-map abs {A} | true; echo ${{PIPESTATUS[0]}}')
    tap.ok(p.stdout.strip() in (b'0', b'141') and not p.stderr, 'a reader that leaves: quiet', p)
    p = shell('axt-make iota x=3000000 | head -c 100 >/dev/null; echo ${PIPESTATUS[0]}')
    tap.ok(p.stdout.strip() == b'141' and not p.stderr, 'a reader that leaves early: SIGPIPE, silent', p)
    p = shell("trap '' PIPE; axt-make iota x=3000000 | head -c 100 >/dev/null; echo ${PIPESTATUS[0]}")
    tap.ok(p.stdout.strip() == b'1' and b'Broken pipe' in p.stderr, 'SIGPIPE ignored: a message', p)
    p = shell(f'axt-map abs {d}/none.h5 | axt-reduce sum -p')
    tap.ok(p.returncode != 0 and not p.stdout, 'a failing writer: the reader fails too', p)
    for args in (['sub', A, '-'], ['add', A]):
        r = shell(f'axt-{" ".join(args)} <&- 2>&1')
        tap.ok(r.returncode in (1, 2) and r.stdout.startswith(b'axt-'), f'axt-{args[0]}: closed standard input', r)


def outputs():
    refused('output directory missing', ['add', A, A, '-o', f'{d}/no/dir/o.h5'], 'No such file|directory')
    refused('output is a directory', ['add', A, A, '-o', d])
    for c in (f'axt-add {A} {A}', f'axt-print {A}', 'axt-add --help', 'axt-add --version', f'axt-info {A}'):
        p = shell(f'{c} >/dev/full')
        tap.ok(p.returncode == 1 and b'No space left' in p.stderr and len(p.stderr.splitlines()) <= 2,
               f'/dev/full: {c.split("/")[0]}', p)
    old = axt('mul', A, '1', '-o', f'{d}/self.h5')
    for form in (f'{d}/self.h5', f'{d}/./self.h5', f'{d}/link.h5', f'{d}/hard.h5'):
        if form.endswith('link.h5'):
            os.symlink('self.h5', form)
        if form.endswith('hard.h5'):
            os.link(f'{d}/self.h5', form)
        before = read_h5(form).a
        r = axt('add', f'{d}/self.h5', '1', '-o', form)
        tap.ok(old.rc == r.rc == 0 and (read_h5(form).a == before + 1).all(),
               f'output is the input, as {os.path.basename(form)}', r)
    tap.ok(os.path.islink(f'{d}/link.h5'), 'a symbolic link stays one')
    refused('--no-clobber', ['add', A, A, '-N', '-o', f'{d}/self.h5'], 'exist')
    with h5py.File(f'{d}/both.h5', 'w') as f:
        f['one'], f['two'] = np.zeros(3), np.ones(3)
    refused('replacing an operand that holds more', ['add', f'{d}/both.h5:one', '1', '-o', f'{d}/both.h5'],
            'both.h5')
    if os.geteuid() == 0:
        links()
    p = axt('to', f'{d}/limit.csv', A, before=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                       resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))))
    tap.ok(p.rc == 1 and 'limit.csv: File too large' in p.err and not os.path.exists(f'{d}/limit.csv'),
           'axt-to names the file that it cannot write', p)
    if os.geteuid() == 0 and shutil.which('mount') and not SLOW:
        full_disk()
    p = axt('add', A, A, '-o', f'{d}/limit.h5',
            before=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))))
    tap.ok(p.rc == 1 and not os.path.exists(f'{d}/limit.h5') and len(p.err.splitlines()) <= 2,
           'a file size limit: error, no output', p)


def links():
    """Links of others in a directory like /tmp are not followed, whatever the kernel is set to; one's own are."""
    w = f'{d}/sticky'
    os.mkdir(w)
    os.chmod(w, 0o1777)
    for name, owner in ('mine', 0), ('theirs', 65534):
        axt('make', 'full:1', 'x=3', '-o', f'{d}/{name}.h5')
        os.symlink(f'../{name}.h5', f'{w}/{name}.h5')
        os.chown(f'{w}/{name}.h5', owner, owner, follow_symlinks=False)
    for form in '', ':new':
        own = axt('make', 'full:2', 'x=3', '-o', f'{w}/mine.h5{form}')
        other = axt('make', 'full:2', 'x=3', '-o', f'{w}/theirs.h5{form}')
        tap.ok(own.rc == 0 and other.rc == 1 and 'Permission denied' in other.err and (read_h5(f'{d}/theirs.h5').a == 1).all(),
               f'a link of another user in a sticky directory{form and ", a dataset added"}', f'{own}{other}')
    tap.ok((read_h5(f"{d}/mine.h5", "new").a == 2).all() and os.path.islink(f'{w}/mine.h5'), 'a link of one\'s own there')


def full_disk():
    m = f'{d}/small'
    os.mkdir(m)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', m], stderr=subprocess.DEVNULL).returncode:
        tap.skip('a full disk', 'mounting is not allowed here')
        return
    try:
        first = axt('mul', A, '1', '-o', f'{m}/o.h5')
        with open(f'{m}/o.h5', 'rb') as f:
            old = f.read()
        r = axt('make', 'ones', 'x=100000', '-o', f'{m}/o.h5')
        with open(f'{m}/o.h5', 'rb') as f:
            now = f.read()
        tap.ok(first.rc == 0 and r.rc == 1 and 'No space left' in r.err and now == old and os.listdir(m) == ['o.h5'],
               'a full disk: old output intact, nothing left behind', f'{r}{os.listdir(m)}')
    finally:
        subprocess.run(['umount', m])


def killed(sig, name):
    """A long run is stopped: the old output is whole; SIGINT leaves nothing behind."""
    w = f'{d}/kill_{name}'
    os.mkdir(w)
    axt('mul', A, '1', '-o', f'{w}/o.h5')
    with open(f'{w}/o.h5', 'rb') as f:
        old = f.read()
    status = None
    for delay in (.03, .06, .1, .2, .4):
        p = subprocess.Popen([f'{BIN}/axt-make', 'normal', 'x=200000000', '--seed', '1', '-t', '1', '-o', f'{w}/o.h5'],
                             stderr=subprocess.PIPE)
        time.sleep(delay * (30 if SLOW else 1))
        p.send_signal(sig)
        p.communicate()
        status = p.returncode
        if status == 0:
            break
    with open(f'{w}/o.h5', 'rb') as f:
        now = f.read()
    left = [n for n in os.listdir(w) if n != 'o.h5']
    tidy = sig == signal.SIGKILL or not left
    tap.ok(status == -sig and now == old and tidy, f'{name}: old output intact, dies by it, tidy',
           f'status {status}, left {left}, same {now == old}')
    shutil.rmtree(w)


def changed():
    if SLOW or SANITIZER:
        return
    p = f'{d}/shrink.h5'
    axt('make', 'ones', 'x=30000000', '-o', p)
    r = subprocess.Popen([f'{BIN}/axt-map', 'exp', p, '-t', '1', '-o', f'{d}/changed.h5'], stderr=subprocess.PIPE)
    time.sleep(.02)
    os.truncate(p, 100000)
    _, err = r.communicate()
    early = r.returncode == 0 and os.path.exists(f'{d}/changed.h5')
    tap.ok(r.returncode == 1 or early, 'an input that shrinks: an error, no SIGBUS', f'{r.returncode} {err}')


def turkish():
    """A locale with a decimal comma and an i of its own, wherever none is installed."""
    p = f'{d}/locales'
    os.mkdir(p)
    if shutil.which('localedef'):
        subprocess.run(['localedef', '--no-archive', '-i', 'tr_TR', '-f', 'UTF-8', f'{p}/tr_TR.UTF-8'],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {'LOCPATH': p, 'LC_ALL': 'tr_TR.UTF-8'}


def environment():
    hostile = [{'LC_ALL': 'de_DE.UTF-8'}, {'HDF5_PLUGIN_PATH': d}, {'HDF5_PLUGIN_PRELOAD': d},
               {'HDF5_USE_FILE_LOCKING': 'TRUE'}, {'HDF5_USE_FILE_LOCKING': '\033'}, {'HDF5_DRIVER': 'core'},
               {'HDF5_DRIVER': 'none such'}, {'HDF5_VOL_CONNECTOR': 'none such'}, {'HDF5_DISABLE_VERSION_CHECK': '0'}, {'HDF5_DISABLE_VERSION_CHECK': '2'},
               {'HDF5_DEBUG': 'all'}, {'TZ': 'Asia/Tokyo'}, {'TMPDIR': '/nonexistent'}, {'TMPDIR': ''}, {'HOME': ''},
               {'MALLOC_PERTURB_': '165'}, {'COLUMNS': '-1'}, turkish()]
    base = axt('add', A, '1.5', '--no-history').out
    text = axt('print', A, '--csv').out
    for e in hostile[::3] if SLOW else hostile:
        # valgrind itself needs TMPDIR
        if SLOW and 'TMPDIR' in e:
            continue
        r, t = axt('add', A, '1.5', '--no-history', env=e), axt('print', A, '--csv', env=e)
        tap.ok(r.rc == 0 and r.out == base and t.out == text and not r.err + t.err, f'same bytes with {e}', f'{r}{t}')
    r = shell(f'env -i {BIN}/axt-add {A} 1.5 --no-history')
    tap.ok(r.stdout == base, 'same bytes without an environment', r)


def limits():
    """Whatever the limit, the result is right, or one line says that it cannot be had."""
    out = f'{d}/limits'
    os.mkdir(out)
    want = axt('add', A, '1.5', '--no-history').out
    old = axt('make', 'ones', 'x=3', '-o', f'{out}/o.h5')

    def one(what, kind, n):
        with open(f'{out}/o.h5', 'rb') as f:
            before = f.read()
        r = axt('add', A, '1.5', '--no-history', '-t', '4', '-o', f'{out}/o.h5',
                before=lambda: resource.setrlimit(kind, (n, n)))
        with open(f'{out}/o.h5', 'rb') as f:
            now = f.read()
        # 127: not even the loader could start; 255 and signals: libhdf5's own end when it starts without memory
        said = (1 <= len(r.err.splitlines()) <= 2 and r.rc in (1, 127)) or \
            (kind == resource.RLIMIT_AS and n <= 32 << 20 and r.rc in (255, -11))
        good = now == want and not r.err if r.rc == 0 else now == before and said
        return '' if good and os.listdir(out) == ['o.h5'] else f'{what} {n}: {r}{os.listdir(out)}'

    bad = [one('descriptors', resource.RLIMIT_NOFILE, n) for n in range(3, 14)]
    tap.ok(old.rc == 0 and not any(bad), 'few descriptors', '\n'.join(bad))
    bad = [one('bytes', resource.RLIMIT_AS, n << 20) for n in (4, 8, 12, 16, 20, 24, 28, 32, 40, 60, 100, 200)]
    tap.ok(not any(bad), 'little address space', '\n'.join(bad))
    bad = [one('bytes of stack', resource.RLIMIT_STACK, n << 10) for n in (128, 512)]
    tap.ok(not any(bad), 'a small stack', '\n'.join(bad))


def closed():
    """No file may take the place of a closed standard descriptor."""
    axt('add', A, '1.5', '--no-history', '-o', f'{d}/open.h5')
    with open(f'{d}/open.h5', 'rb') as f:
        want = f.read()
    for how in ('<&-', '>&-', '2>&-', '<&- >&-', '<&- 2>&-', '>&- 2>&-', '<&- >&- 2>&-'):
        # valgrind does not start without standard error
        if SLOW and '2>' in how:
            continue
        r = shell(f'axt-add {A} 1.5 --no-history -o {d}/closed.h5 {how}')
        with open(f'{d}/closed.h5', 'rb') as f:
            tap.ok(r.returncode == 0 and f.read() == want and not r.stderr, f'a file, with {how}', r)
        os.unlink(f'{d}/closed.h5')
        r = shell(f'axt-add {A} 1.5 {how}')
        good = r.returncode == 1 if '>&-' in how.replace('2>&-', '') else r.returncode == 0 and r.stdout[:4] == b'\x89HDF'
        tap.ok(good, f'standard output, with {how}', r)


def races():
    """Two writers of one name: both are done, and one whole file is there."""
    w = f'{d}/race'
    os.mkdir(w)
    results, bad = [], []
    for v in (1, 2):
        axt('make', f'full:{v}', 'x=100000', '--no-history', '-o', f'{w}/o.h5')
        with open(f'{w}/o.h5', 'rb') as f:
            results.append(f.read())
    for i in range(4 if SLOW else 25):
        only = i % 3 == 0
        if i % 3 != 1:
            os.unlink(f'{w}/o.h5')
        two = [subprocess.Popen([f'{BIN}/axt-make', f'full:{v}', 'x=100000', '--no-history', '-o', f'{w}/o.h5'] +
                                ['-N'] * only, stderr=subprocess.PIPE) for v in (1, 2)]
        err = [p.communicate()[1] for p in two]
        status = sorted(p.returncode for p in two)
        with open(f'{w}/o.h5', 'rb') as f:
            now = f.read()
        if now not in results or os.listdir(w) != ['o.h5'] or status != ([0, 1] if only else [0, 0]):
            bad.append(f'{status} {err} {os.listdir(w)}')
        if only and status == [0, 1] and now != results[two[1].returncode == 0]:
            bad.append('the file is of the writer that failed')
    tap.ok(not bad, 'two writers of one file', '\n'.join(bad))


for part in (axes, names, dtypes, formats, streams, outputs, changed, environment, closed, races) + (() if SANITIZER else (limits,)):
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
killed(signal.SIGINT, 'SIGINT')
killed(signal.SIGTERM, 'SIGTERM')
killed(signal.SIGKILL, 'SIGKILL')
tap.done()
