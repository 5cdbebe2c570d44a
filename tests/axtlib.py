"""What the Python tests share: TAP, running commands, writing and reading tensors with h5py."""
import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np

TOP = os.environ.get('AXT_TOP') or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get('AXT_BUILD') or os.path.join(TOP, 'build')
BIN = os.environ.get('AXT_BIN') or os.path.join(BUILD, 'bin')
SANITIZER = os.environ.get('AXT_SANITIZER', '')
SLOW = SANITIZER == 'valgrind'
# netCDF's marker of an axis without coordinates
NO_COORD = 'This is a netCDF dimension but not a netCDF variable.'


def scratch():
    """A directory that goes away with the program."""
    d = tempfile.mkdtemp(prefix='axt-test.')
    atexit.register(shutil.rmtree, d, ignore_errors=True)
    return d


def random_cases(usual, sanitizer, slow, seed):
    """How many, and the first one's seed: [CASES [SEED]] of the command line, or these."""
    if not os.path.exists(os.path.join(BIN, 'axt-reduce')):
        sys.exit('no commands in ' + BIN)
    given = [int(x) for x in sys.argv[1:3]]
    return given + [slow if SLOW else sanitizer if SANITIZER else usual, seed][len(given):]


def in_batches(t, cases, what, case):
    """case(k) of each k below cases; a test says of every 25 of them that they are `what`."""
    for first in range(0, cases, 25):
        bad = t.bad
        for k in range(first, min(first + 25, cases)):
            case(k)
        t.ok(t.bad == bad, what.format(f'{first} to {min(first + 25, cases) - 1}'))


def libaxt():
    """The library in this process: one made for a sanitizer wants that one's runtime before everything else."""
    # clang's own runtime of threads cannot be loaded first: it faults in any program
    cc, name = {'address': ('clang', f'libclang_rt.asan-{os.uname().machine}.so'),
                'undefined': ('clang', f'libclang_rt.ubsan_standalone-{os.uname().machine}.so'),
                'thread': ('gcc', 'libtsan.so')}.get(SANITIZER.partition(',')[0], (None, None))
    if cc and 'LD_PRELOAD' not in os.environ:
        so = subprocess.run([cc, '-print-file-name=' + name], capture_output=True, text=True, check=True).stdout
        # what Python leaves at its end is none of ours
        asan = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
        os.execve(sys.executable, [sys.executable] + sys.argv,
                  dict(os.environ, LD_PRELOAD=so.strip(), ASAN_OPTIONS=asan))
    os.environ.pop('LD_PRELOAD', None)
    return ctypes.CDLL(os.path.join(BUILD, 'lib', 'libaxt.so.0'))


class Tap:
    """Counts and prints tests."""

    def __init__(self):
        self.n = self.bad = 0

    def ok(self, good, name, why=''):
        self.n += 1
        self.bad += not good
        print(f'{"ok" if good else "not ok"} {self.n} - {name}', flush=True)
        if not good:
            for line in str(why).splitlines()[:20]:
                print('# ' + line)
        return good

    def skip(self, name, why):
        self.n += 1
        print(f'ok {self.n} - {name} # SKIP {why}', flush=True)

    def done(self):
        print(f'1..{self.n}')
        sys.exit(1 if self.bad else 0)


class Run:
    """One finished command."""

    def __init__(self, args, p, out, err):
        self.args, self.rc, self.out, self.err = args, p.returncode, out, err.decode(errors='replace')

    def __str__(self):
        return f'$ {" ".join(self.args)}\nstatus {self.rc}\n{self.err}'


def axt(*args, data=None, env=None, timeout=120, cwd=None, before=None):
    """Runs axt-NAME ARGS (the first argument is NAME without axt-); data goes to its standard input."""
    args = [str(a) for a in args]
    cmd = [os.path.join(BIN, 'axt-' + args[0])] + args[1:]
    e = dict(os.environ, **env) if env else None
    p = subprocess.Popen(cmd, stdin=subprocess.PIPE if data is not None else subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=e, cwd=cwd, preexec_fn=before)
    try:
        out, err = p.communicate(data, timeout)
    except subprocess.TimeoutExpired:
        p.kill()
        out, err = p.communicate()
        err += b'(killed: too slow)'
    return Run(['axt-' + args[0]] + args[1:], p, out, err)


# the peak a child reports starts at what its parent was when it forked: a small parent measures
MEASURE = '''import os, sys
fd = int(sys.argv[1])
os.set_inheritable(fd, False)
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(pid, 0)
os.write(fd, b"%d %d" % (os.waitstatus_to_exitcode(status), used.ru_maxrss))'''


def measured(cmd, timeout=120, **how):
    """Runs a command: its status (None: killed, too slow) and its peak memory in KiB, no less than 12 MiB."""
    r, w = os.pipe()
    p = subprocess.Popen([sys.executable, '-IS', '-c', MEASURE, str(w)] + [str(c) for c in cmd], pass_fds=[w],
                         start_new_session=True, **how)
    os.close(w)
    try:
        p.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
    with open(r, 'rb') as f:
        status, kib = (f.read() or b'None 0').split()
    return None if status == b'None' else int(status), int(kib)


def shell(line, timeout=120, env=None):
    """Runs a line of bash with the commands in PATH."""
    e = dict(os.environ, PATH=BIN + ':' + os.environ['PATH'], **(env or {}))
    return subprocess.run(['bash', '-c', 'set -o pipefail; ' + line], stdin=subprocess.DEVNULL, env=e,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)


def isas(where=BIN):
    """The instruction sets of the commands there that the processor has, best last. All have what the first one has."""
    def add(isa):
        return subprocess.run([f'{where}/axt-add', '1', '2', '-p'], env=dict(os.environ, AXT_ISA=isa), capture_output=True, text=True, check=False)
    return [i for i in add('none').stderr.partition('instruction sets: ')[2].split() if add(i).returncode == 0]


class Named:
    """An array, the names of its axes, and coordinates of some."""

    def __init__(self, dims, a, coords=None, missing=False):
        self.dims, self.a, self.coords, self.missing = tuple(dims), np.asarray(a), coords or {}, missing
        assert len(self.dims) == self.a.ndim

    def to(self, dims):
        """The array over these dims, absent ones of length 1: ready to broadcast."""
        have = [d for d in dims if d in self.dims]
        a = self.a.transpose([self.dims.index(d) for d in have])
        return a.reshape([a.shape[have.index(d)] if d in have else 1 for d in dims])


def counted(dims, a):
    """A Named whose coordinates are 0, 1, ... along every axis."""
    return Named(dims, a, {x: np.arange(n) for x, n in zip(dims, np.shape(a))})


def union(*tensors):
    dims = []
    for t in tensors:
        dims += [d for d in t.dims if d not in dims]
    return tuple(dims)


def write_h5(path, t, name='v', attrs=None, **storage):
    """Writes a Named with h5py, a scale on every axis; storage goes to create_dataset."""
    with h5py.File(path, 'w', track_order=True) as f:
        put_h5(f, t, name, attrs, **storage)


def put_h5(f, t, name='v', attrs=None, **storage):
    if 0 in t.a.shape or t.a.ndim == 0:
        storage = {k: v for k, v in storage.items() if k == 'dtype'}
    if isinstance(storage.get('chunks'), tuple):
        storage['chunks'] = tuple(min(c, n) for c, n in zip(storage['chunks'], t.a.shape))
    d = f.create_dataset(name, data=t.a, **storage)
    for k, v in (attrs or {}).items():
        d.attrs[k] = v
    for i, n in enumerate(t.dims):
        if n not in f:
            c = t.coords.get(n)
            if c is None:
                s = f.create_dataset(n, shape=(t.a.shape[i],), dtype='>f4')
                s.make_scale(f'{NO_COORD}{t.a.shape[i]:10d}')
            else:
                s = f.create_dataset(n, data=c)
                s.make_scale(n)
        d.dims[i].attach_scale(f[n])


def is_scale(d):
    return d.attrs.get('CLASS') in (b'DIMENSION_SCALE', 'DIMENSION_SCALE')


def read_h5(source, name=None):
    """The tensor of a file (a path, or bytes of one) as a Named; fails when there are several."""
    import io
    with h5py.File(io.BytesIO(source) if isinstance(source, bytes) else source, 'r') as f:
        if name is None:
            names = [k for k in f if isinstance(f[k], h5py.Dataset) and not is_scale(f[k])]
            if len(names) != 1:
                raise ValueError(f'{len(names)} tensors: {names}')
            name = names[0]
        d = f[name]
        dims, coords = [], {}
        for i in range(d.ndim):
            s = d if is_scale(d) else d.dims[i][0]      # coordinates are those of their own axis
            dims.append(s.name.split('/')[-1])
            if not s.attrs.get('NAME', b'').startswith(NO_COORD.encode()):
                coords[dims[-1]] = s[()]
                if 'scale_factor' in s.attrs:           # kept as they are stored
                    coords[dims[-1]] = s[()] * s.attrs['scale_factor'] + s.attrs.get('add_offset', 0)
        a = d[()]
        if d.attrs.get('dtype') in (b'bool', 'bool'):
            a = a.astype(bool)
        return Named(dims, a, coords)


def same(got, want, rtol=0, atol=0, dtype=True):
    """What is different between two arrays, or ''. NaN equals NaN; rtol 0: exactly (0 is -0)."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f'shape {got.shape}, want {want.shape}'
    if dtype and got.dtype.newbyteorder('=') != want.dtype.newbyteorder('='):
        return f'dtype {got.dtype}, want {want.dtype}'
    with np.errstate(all='ignore'):
        if rtol or np.any(atol):
            wide = np.complex128 if want.dtype.kind == 'c' else np.longdouble
            g, w = got.astype(wide), want.astype(wide)
            tol = np.asarray(atol) + rtol * np.abs(w)
            good = (g == w) | (np.abs(g - w) <= tol) | (np.isnan(g) & np.isnan(w))
        else:
            good = (got == want)
            if want.dtype.kind in 'fc':
                good = good | (np.isnan(got) & np.isnan(want))
    if np.all(good):
        return ''
    i = tuple(np.argwhere(~good)[0]) if np.ndim(good) else ()
    return f'{np.sum(~np.asarray(good))} of {want.size} values differ; at {tuple(map(int, i))}: ' \
           f'{got[i]!r}, want {want[i]!r}'


def same_named(got, want, **kw):
    if got.dims != want.dims:
        return f'axes {got.dims}, want {want.dims}'
    return same(got.a, want.a, **kw)
