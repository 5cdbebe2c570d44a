#!/usr/bin/python3
"""Damaged and hostile stores of Zarr: mutants_stores.py [COUNT [SEED]].

Stores of both versions, as directories, zip archives and references, are changed: their JSON, as a tree and as bytes; their
chunks and indexes of shards, with the checksum made right again; and what lies where a file should be. A command that is given
one ends with an answer or with one message, soon, in the memory it was allowed; it changes nothing but its output, which is
old or new, reads nothing outside of the store, and finds the values that are stored: those of the store before a change that
must not matter, and those of zarr-python, where this Python or the one that ZARR_PYTHON names has it.
"""
import copy
import io
import json
import os
import random
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
import zipfile

import numpy as np

import stores
from axtlib import BIN, SANITIZER, SLOW, Tap, random_cases, scratch
from stores import array2, array3, codecs_there, crc32c, group, references, zipped

D = os.path.realpath(scratch())
IN, OUT, OUTSIDE = f'{D}/in', f'{D}/out', f'{D}/outside'
SECRET = 77.25                      # what the files outside have, and no store
LIMIT = 200 if SLOW else 60         # seconds; a hang
MEMORY = (1500 if SANITIZER else 400) << 10     # KiB, for commands that may take 64 MiB
MOST = 1 << 22                      # elements, of which the values are looked at
ENV = dict(os.environ, AXT_MEMORY='64M', AXT_THREADS='2', MALLOC_PERTURB_='165',
           ASAN_OPTIONS='allocator_may_return_null=1:detect_leaks=0:exitcode=99', UBSAN_OPTIONS='halt_on_error=1:exitcode=99')
NASTY = [0, 1, -1, 2, 3, 7, 8, 64, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**20, .5, 1e308, -0.,
         float('nan'), float('inf'), 'NaN', '', '0', '-1', '.', '/', '..', '../outside', 'C', 'F', 'little', 'big', 'zstd', 'blosc', 'bytes',
         'gzip', 'crc32c', 'shuffle', 'transpose', 'sharding_indexed', 'vlen-utf8', 'zlib', 'bz2', 'float32', '<f4', '>f8', '|u1', '|O',
         '<U4', '|S3', '<M8[s]', 'int64', 'bool', 'complex64', 'string', '0x7fc00000', '\x1b[31m', '\0', '\ud83d', '%s%n', True, False, None,
         [], {}, [0], [1, 0], [0, 1], [3, 4], [2**40], [2**62, 2**62], 'start', 'end', 'default', 'v2', 'regular', 'x' * 3000]
NUMBERS = [0, 1, 2, 15, 16, 17, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]


# ---- stores that are right ----

def seeds():
    """Keys and values of a store for each name."""
    out = {}
    there = codecs_there()
    rng = np.random.default_rng(5)

    def values(dtype, shape):
        return rng.integers(-40 if np.dtype(dtype).kind in 'if' else 0, 60, shape).astype(dtype)

    for k, chain in enumerate([[], *([c] for c in there), ['shuffle', 'zlib']]):
        out[f'v2_{"_".join(chain)}'] = group(2, t=array2(values('<f4', (9, 7)), [4, 4], np.float32(k), chain=chain, dims=['y', 'x']))
    for k, chain in enumerate([[], *([c] for c in there), ['gzip', 'crc32c']]):
        out[f'v3_{"_".join(chain)}'] = group(3, t=array3(values('>i2', (9, 7)), [4, 4], np.int16(k), chain=chain, dims=['y', 'x']))
    out['v2_F'] = group(2, {'title': 'x'}, t=array2(values('<i8', (5, 6, 4)), [2, 3, 4], np.int64(-1), order='F', sep='/'))
    out['v2_many'] = group(2, **{n: array2(values('|u1', (6,)), [4], np.uint8(9), dims=['x']) for n in ('a', 'g__b', 'g__h__c', 'x')})
    out['v2_consolidated'] = consolidated(out['v2_many'])
    out['v3_t'] = group(3, t=array3(values('<f8', (9, 7)), [4, 4], np.float64('nan'), order=(1, 0)))
    for name, how in (('s', {}), ('s_first', {'first': True}), ('s_gzip', {'chain': ['gzip']}), ('s_crc', {'chain': ['crc32c']})):
        out[f'v3_{name}'] = group(3, t=array3(values('<f4', (9, 7)), [4, 4], np.float32(1), inner=[2, 2], **how))
    out['v3_many'] = group(3, **{n: array3(values('|i1', (6,)), [4], np.int8(9), dims=['x']) for n in ('a', 'g__b', 'g__h__c', 'x')})
    out['v3_0'] = group(3, t=array3(values('<f8', ()), [], np.float64(1)))
    return out


def consolidated(keys):
    meta = {k: json.loads(v) for k, v in keys.items() if os.path.basename(k).startswith('.z')}
    return dict(keys, **{'.zmetadata': json.dumps({'zarr_consolidated_format': 1, 'metadata': meta}).encode()})


def is_meta(key):
    return os.path.basename(key) in ('zarr.json', '.zarray', '.zattrs', '.zgroup', '.zmetadata')


def is_shard(name, key):
    return name.startswith('v3_s') and not is_meta(key)


# ---- changes of values under keys ----

def places(j, p=()):
    yield p
    for k in j if isinstance(j, dict) else range(len(j)) if isinstance(j, list) else ():
        yield from places(j[k], p + (k,))


def at(j, p):
    for k in p:
        j = j[k]
    return j


def change_tree(r, j):
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        where = [p for p in places(j) if p]
        if not where:
            return r.choice(NASTY)
        p = r.choice(where)
        parent, k, way = at(j, p[:-1]), p[-1], r.randrange(8)
        if way < 4:
            parent[k] = copy.deepcopy(r.choice(NASTY))
        elif way == 4:
            del parent[k]
        elif way == 5:
            parent[k] = copy.deepcopy(at(j, r.choice(where)))
        elif way == 6 and isinstance(parent, list):
            parent.insert(r.randrange(len(parent) + 1), copy.deepcopy(parent[k]))
        elif isinstance(parent[k], (int, float)) and not isinstance(parent[k], bool):
            parent[k] += r.choice([-1, 1, 2**31, 2**63, -2**63])
        else:
            parent[k] = [parent[k]]
    return j


def change_json(r, b):
    try:
        return json.dumps(change_tree(r, json.loads(b))).encode()
    except (ValueError, OverflowError, RecursionError):
        return b


def deep_json(r, b):
    """Brackets without end, in an attribute or instead of all."""
    n = r.choice([20, 33, 1000, 200000])
    deep = r.choice(['[' * n + ']' * n, '{"a":' * n + '1' + '}' * n, '[' * n])
    text = b.decode(errors='replace').rstrip()
    return (text[:-1] + f', "deep": {deep}}}' if r.random() < .7 else deep).encode()


def change_bytes(r, b):
    b = bytearray(b)
    for _ in range(r.choice([1, 1, 2, 4])):
        if not b:
            return bytes([r.randrange(256)])
        i, way = r.choice([r.randrange(len(b)), min(len(b) - 1, r.randrange(32)), max(len(b) - 1 - r.randrange(70), 0)]), r.randrange(9)
        if way < 2:
            b[i] ^= 1 << r.randrange(8)
        elif way == 2:
            b[i] = r.choice([0, 255, 127, 128, 1])
        elif way == 3:
            b[i:i + 4] = struct.pack('<I', r.choice(NUMBERS) & 0xffffffff)
        elif way == 4:
            b[i:i + 8] = struct.pack('<Q', r.choice(NUMBERS))
        elif way == 5:
            del b[i:]
        elif way == 6:
            del b[i:i + r.randrange(1, 9)]
        elif way == 7:
            b[i:i] = bytes(r.randrange(256) for _ in range(r.randrange(1, 9)))
        else:
            b += bytes(r.randrange(64))
    return bytes(b)


def change_index(r, name, b):
    """An index of four places and lengths, with the right checksum behind it."""
    n = 64
    if len(b) < n + 4:
        return b
    first = name == 'v3_s_first'
    body, index = (b[n + 4:], b[:n]) if first else (b[:-n - 4], b[-n - 4:-4])
    v = list(struct.unpack('<8Q', index))
    for _ in range(r.choice([1, 1, 2, 8])):
        v[r.randrange(8)] = r.choice(NUMBERS + v + [len(b), len(b) - 1, len(b) + 1])
    index = struct.pack('<8Q', *v)
    index += crc32c(index)
    return index + body if first else body + index


def change_keys(r, name, keys):
    """Values of a mutant, and which kind of change it is."""
    keys = dict(keys)
    kinds = set()
    for _ in range(r.choice([1, 1, 1, 2])):
        key = r.choice(sorted(keys))
        if r.random() < .5:
            key = r.choice([k for k in sorted(keys) if is_meta(k)])
        if is_meta(key):
            kind = r.choice(['json'] * 6 + ['bytes'] * 2 + ['deep'])
            keys[key] = {'json': change_json, 'bytes': change_bytes, 'deep': deep_json}[kind](r, keys[key])
            kinds.add('ignored' if key == '.zmetadata' else 'meta')
        elif is_shard(name, key) and r.random() < .6:
            keys[key] = change_index(r, name, keys[key])
            kinds.add('index')
        else:
            keys[key] = change_bytes(r, keys[key])
            kinds.add('chunk')
    return keys, kinds


# ---- changes of files ----

def put_store(keys, path):
    for k, v in keys.items():
        os.makedirs(os.path.dirname(f'{path}/{k}'), exist_ok=True)
        with open(f'{path}/{k}', 'wb') as f:
            f.write(v)
    return path


def remove(p):
    if os.path.isdir(p) and not os.path.islink(p):
        shutil.rmtree(p)
    elif os.path.lexists(p):
        os.unlink(p)


def listen(p):
    s = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(os.path.dirname(p))    # a name of a socket is short
    s.bind(os.path.basename(p))
    os.chdir(here)
    s.close()


def sparse(p):
    with open(p, 'wb') as f:
        f.truncate(1 << 32)


WAYS = {'directory': os.mkdir, 'fifo': os.mkfifo, 'socket': listen, 'sparse': sparse,
        'outside': lambda p: os.symlink(f'{OUTSIDE}/chunk', p), 'up': lambda p: os.symlink('../' * 9 + f'{OUTSIDE}/chunk'[1:], p),
        'loop': lambda p: os.symlink(os.path.basename(p), p), 'dangling': lambda p: os.symlink('nothing', p),
        'device': lambda p: os.symlink('/dev/zero', p), 'store': lambda p: os.symlink(f'{OUTSIDE}/s.zarr', p),
        'self': lambda p: os.symlink('.', p), 'above': lambda p: os.symlink('..', p), 'gone': lambda p: None}


def change_files(r, path):
    """What lies where a file or a folder of the store should be is something else; the way, and which kind it is."""
    all_of = sorted(f'{d}/{x}' for d, ds, fs in os.walk(path) for x in ds + fs)
    p, way = r.choice(all_of), r.choice(sorted(WAYS))
    kind = 'folder' if os.path.isdir(p) else 'meta' if is_meta(p) else 'chunk'
    remove(p)
    WAYS[way](p)
    return way, kind


def beside(r, path):
    """Files and folders that are none of the store's change nothing."""
    for _ in range(r.choice([1, 2, 5])):
        d = r.choice(sorted(d for d, _, _ in os.walk(path)))
        p = f'{d}/{r.choice([".hidden", ".DS_Store", "notes.txt", "$(touch ran)", "a b", "é", "-o", "%s%n", ".zmetadata", "lost+found"])}'
        if not os.path.lexists(p):
            WAYS[r.choice(['fifo', 'socket', 'dangling', 'device', 'sparse'])](p)


def change_depth(r, path, keys):
    """Groups in groups, as deep as names of files can be said, or deeper."""
    meta = [k for k in keys if k in ('zarr.json', '.zgroup')][0]
    here = os.getcwd()
    os.chdir(path)
    try:
        for _ in range(r.choice([5, 60, 300, 700])):
            name = r.choice(['deep', 'n', 'n' * 200])
            os.mkdir(name)
            os.chdir(name)
            with open(meta, 'wb') as f:
                f.write(keys[meta])
    finally:
        os.chdir(here)


def hostile_names(r, keys):
    """Keys that would be files outside of the store, if they were files; the values are right."""
    out = dict(keys)
    k = [k for k in sorted(keys) if k.endswith(('t/.zarray', 't/zarr.json', 'a/.zarray', 'a/zarr.json'))]
    for key in k:
        folder, last = os.path.split(key)
        for sub in r.sample(['..', '../..', f'{OUTSIDE}/new', '../outside', 'g/../../outside', './.', '//', 'x/', 'a\nb', '\x1b[2J', '$(touch ran)'], 2):
            out[f'{sub}/{last}'] = keys[key]
            out.update({f'{sub}{c[len(folder):]}': v for c, v in keys.items() if c.startswith(folder) and not is_meta(c)})
    return out


def hostile_references(r, path):
    """References to files elsewhere, parts beyond the end, numbers that are none."""
    with open(path, encoding='utf-8') as f:
        j = json.load(f)
    refs = j.get('refs', j)
    for _ in range(r.choice([1, 2])):
        k = r.choice(sorted(refs))
        url = r.choice([f'{OUTSIDE}/chunk', f'file://{OUTSIDE}/chunk', '../outside/chunk', '{{d}}/../../outside/chunk', '/dev/zero', '/etc/passwd',
                        's3://x/y', 'http://127.0.0.1:1/x', '', '.', '{{', '{{d}}' * 300, '{{' * 50000, 'nothing'])
        refs[k] = r.choice([[url], [url, 0, 64], [url, 0, 2**62], [url, 2**63, 2**63], [url, -1, 5], [url, .5, 1], 'base64:!!', 'base64:', url, [[url]], {}])
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(j, f)


# ---- one mutant ----

class Mutant:
    """A store that was changed: its path, and what was done to it. same: its values are those from before; told: they are, or none."""

    def __init__(self, r, all_seeds):
        self.name = r.choice(sorted(all_seeds))
        self.keys = all_seeds[self.name]
        self.same = self.told = False
        remove(IN)
        os.mkdir(IN)
        self.form = r.choice(['directory'] * 6 + ['zip'] * 2 + ['references'])
        self.how = getattr(self, 'as_' + self.form)(r)

    def as_directory(self, r):
        self.path = f'{IN}/s.zarr'
        way = r.choice(['keys'] * 6 + ['files'] * 4 + ['beside', 'depth'])
        keys, kinds = change_keys(r, self.name, self.keys) if way == 'keys' else (self.keys, {way})
        put_store(keys, self.path)
        self.same = kinds == {'ignored'}
        self.told = kinds <= {'ignored', 'chunk'} and self.name == 'v3_gzip_crc32c'     # whose chunks have checksums of all bytes
        if way == 'files':
            what, kind = change_files(r, self.path)
            self.told = kind == 'chunk' and what != 'gone'
            return f'{what} instead of a {kind}'
        if way == 'beside':
            beside(r, self.path)
            self.same = True
        elif way == 'depth':
            change_depth(r, self.path, self.keys)
        return f'{way}: {sorted(kinds)}'

    def as_zip(self, r):
        way = r.choice(['keys', 'keys', 'names', 'archive'])
        keys = change_keys(r, self.name, self.keys)[0] if way == 'keys' else hostile_names(r, self.keys) if way == 'names' else self.keys
        self.path = shutil.move(zipped(keys, 's.zip', r.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])), f'{IN}/s.zip')
        if way == 'archive':
            with open(self.path, 'rb') as f:
                b = f.read()
            with open(self.path, 'wb') as f:
                f.write(change_bytes(r, b))
        return f'zip: {way}'

    def as_references(self, r):
        way = r.choice(['keys', 'names', 'references', 'json', 'bytes'])
        keys = change_keys(r, self.name, self.keys)[0] if way == 'keys' else hostile_names(r, self.keys) if way == 'names' else self.keys
        try:
            p = references(keys, 's.json', r.randrange(2), np.random.default_rng(r.randrange(1 << 30)))
        except UnicodeDecodeError:
            p = references(self.keys, 's.json')
        for x in os.listdir(stores.D):      # what they refer to
            shutil.move(f'{stores.D}/{x}', f'{IN}/{x}')
        self.path = f'{IN}/s.json'
        with open(self.path, encoding='utf-8') as f:
            text = f.read().replace(stores.D, IN)
        with open(self.path, 'wb') as f:
            b = text.encode()
            f.write(change_json(r, b) if way == 'json' else change_bytes(r, b) if way == 'bytes' else b)
        if way == 'references':
            hostile_references(r, self.path)
        return f'references: {way}'


# ---- commands, and what is wrong with what they did ----

class Run:
    def __init__(self, args, least=None):
        self.args = args
        with open(f'{D}/o', 'wb') as o, open(f'{D}/e', 'wb') as e:
            start = time.monotonic()
            p = subprocess.Popen([f'{BIN}/axt-{args[0]}'] + args[1:], stdin=subprocess.DEVNULL, stdout=o, stderr=e, env=ENV, cwd=OUT,
                                 preexec_fn=limits, start_new_session=True)
            self.rc, used = self.wait(p, start)
        self.kib = used.ru_maxrss if used else 0
        with open(f'{D}/o', 'rb') as f:
            self.out = f.read()
        with open(f'{D}/e', 'rb') as f:
            self.err = f.read().decode(errors='replace')

    @staticmethod
    def wait(p, start):
        while True:
            pid, status, used = os.wait4(p.pid, os.WNOHANG)
            if pid:
                p.returncode = os.waitstatus_to_exitcode(status)
                return p.returncode, used
            if time.monotonic() - start > LIMIT:
                os.killpg(p.pid, signal.SIGKILL)
                return 'hangs', os.wait4(p.pid, 0)[2]
            time.sleep(.002)

    def wrong(self, huge):
        """What no command may do, whatever it is given; huge: its values may take long."""
        if self.rc == 'hangs' and huge:
            return ''
        if self.rc not in (0, 1):
            return f'status {self.rc}'
        if self.kib > MEMORY:
            return f'{self.kib} KiB of memory'
        said = [x for x in self.err.splitlines() if ': hint: ' not in x and ': warning: ' not in x]
        if (self.rc == 1) != (len(said) == 1):
            return f'status {self.rc} with {len(said)} messages'
        if any(ord(x) < 32 and x != '\n' or x == '\x7f' for x in self.err):
            return 'control characters'
        return ''

    def __str__(self):
        return f'$ axt-{" ".join(self.args)}\nstatus {self.rc}, {self.kib} KiB\n{self.err[-3000:]}'


def limits():
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def tree(top):
    """All there is below a folder: kinds, modes, bytes."""
    out = {}
    for d, ds, fs, fd in os.fwalk(top):         # names may be longer than a path can be
        for x in ds + fs:
            s = os.stat(x, dir_fd=fd, follow_symlinks=False)
            b = None
            if stat.S_ISREG(s.st_mode) and s.st_size < 1 << 20:
                with open(os.open(x, os.O_RDONLY, dir_fd=fd), 'rb') as f:
                    b = f.read()
            out[f'{d}/{x}'] = (s.st_mode, s.st_size, s.st_mtime_ns, os.readlink(x, dir_fd=fd) if stat.S_ISLNK(s.st_mode) else b)
    return out


def array_of(run):
    return np.load(io.BytesIO(run.out), allow_pickle=False)


def equal(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


class Python:
    """zarr-python, in a process of its own that lives through many stores."""
    SERVER = r'''
import sys, warnings, logging, signal
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
import numpy as np, zarr
for line in sys.stdin:
    path, name, out = line.rstrip("\n").split("\t")
    try:
        signal.alarm(20)
        signal.signal(signal.SIGALRM, lambda *a: (_ for _ in ()).throw(TimeoutError()))
        s = zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else path
        a = zarr.open_group(s, mode="r", use_consolidated=False)[name]
        v = a[...] if a.size < 1 << 22 else None
        signal.alarm(0)
        if v.dtype.kind in "biufc":
            np.save(out, np.asarray(v))
            print("ok", flush=True)
        else:
            print("no", flush=True)
    except BaseException as e:
        signal.alarm(0)
        print("no", flush=True)
'''

    def __init__(self):
        which = stores.python()
        self.p = subprocess.Popen([which, '-c', self.SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True) if which else None

    def read(self, path, name):
        """The values; None: it has none."""
        if not self.p:
            return None
        self.p.stdin.write(f'{path}\t{name}\t{D}/z.npy\n')
        self.p.stdin.flush()
        return np.load(f'{D}/z.npy') if self.p.stdout.readline() == 'ok\n' else None


def tensors(info):
    """The tensors in what axt-info --json says, and how many elements they have."""
    try:
        return {x['name']: int(np.prod([int(n) for n in x['size']], dtype=object)) for x in json.loads(info.out)['tensors']}
    except (ValueError, KeyError):
        return None


class Trial:
    def __init__(self, t, seed, python):
        self.t, self.seed, self.python = t, seed, python
        self.seeds = seeds()
        self.right = {}
        self.count = {}
        self.bad = []
        for p in IN, OUT, OUTSIDE:
            os.mkdir(p)
        a = np.full((4, 4), SECRET, '<f4')
        with open(f'{OUTSIDE}/chunk', 'wb') as f:
            f.write(a.tobytes())
        put_store(group(2, t=array2(np.full((9, 7), SECRET, '<f4'), [4, 4], np.float32(0))), f'{OUTSIDE}/s.zarr')
        for name, keys in self.seeds.items():
            p = put_store(keys, f'{IN}/{name}.zarr')
            self.right[name] = {x: array_of(Run(['to', '--raw', '--format', 'npy', '-', f'{p}:{x}'])) for x in tensors(Run(['info', '--json', p]))}

    def note(self, what):
        self.count[what] = self.count.get(what, 0) + 1

    def judge(self, r, m):
        """What is wrong, or ''."""
        before, outside = tree(IN), tree(OUTSIDE)
        info = Run(['info', '--json', m.path])
        why = info.wrong(False)
        if why:
            return f'{why}\n{info}'
        there = tensors(info) if info.rc == 0 else {}
        if there is None:
            return f'its JSON cannot be read\n{info.out[:500]}'
        self.note('stores' if there else 'refused')
        if m.same and set(there) != set(self.right[m.name]):
            return f'other tensors: {sorted(there)}'
        huge = sum(there.values()) > MOST
        for name in sorted(there)[:3]:
            why = self.read(r, m, name, huge)
            if why:
                return why
        why = self.copied(r, m, there, huge)
        if not why and tree(IN) != before:
            why = 'the store is changed'
        if not why and (tree(OUTSIDE) != outside or set(os.listdir(D)) - {'in', 'out', 'outside', 'o', 'e', 'z.npy'}):
            why = f'something outside is changed: {os.listdir(D)}'
        return why

    def read(self, r, m, name, huge):
        operand = f'{m.path}:{name}'
        shown = Run([r.choice(['info', 'print', 'reduce']), operand]) if r.random() < .5 else Run(['reduce', 'count', '-p', operand])
        if shown.args[0] == 'reduce' and len(shown.args) == 2:
            shown = Run(['reduce', 'max', '-p', operand])
        why = shown.wrong(huge)
        if why or huge:
            return f'{why}\n{shown}' if why else ''
        got = Run(['to', '--raw', '--format', 'npy', '-', operand])
        why = got.wrong(huge)
        if why or got.rc:
            self.note('values refused')
            return f'{why}\n{got}' if why else 'its values are no longer read\n' + str(got) if m.same else ''
        v = array_of(got)
        self.note('values')
        if v.dtype.kind in 'f' and v.size and (v == SECRET).any():
            return f'a file outside was read\n{got}'
        want = self.right[m.name].get(name) if m.same or m.told else self.python.read(m.path, name) if m.form != 'references' else None
        if want is None:
            return ''
        self.note('compared')
        want = want.astype(want.dtype.newbyteorder('<'))
        v = v.astype(v.dtype.newbyteorder('<'))
        return '' if equal(v, want) or self.alike(v, want) else f'other values: {v.dtype}{v.shape} {v.ravel()[:9]}, not {want.dtype}{want.shape} {want.ravel()[:9]}\n{got}'

    @staticmethod
    def alike(v, want):
        """The same numbers: which NaN it is, is not told; bool is u8 in files of arrays."""
        return v.shape == want.shape and v.dtype.kind == want.dtype.kind in 'fc' and np.array_equal(v, want, equal_nan=True)

    def copied(self, r, m, there, huge):
        out = f'{OUT}/o.{r.choice(["nc", "zarr"])}'
        old = r.random() < .5
        remove(out)
        if old:
            Run(['make', 'iota', 'x=3', '--name', 'old', '-o', out])
        was = tree(OUT)
        c = Run(['copy', m.path, '-o', out])
        why = c.wrong(huge)
        if not why and c.rc == 0 and not there and 'text' not in c.err and not os.path.exists(out):
            why = 'status 0 without an output'
        if not why and c.rc and tree(OUT) != was:
            why = f'it failed, and left {set(tree(OUT)) ^ set(was)}'
        if not why and c.rc == 0 and not huge:
            for name in sorted(there)[:2]:
                a, b = (Run(['to', '--raw', '--format', 'npy', '-', f'{x}:{name}']) for x in (m.path, out))
                if a.rc == 0 and b.rc == 0 and not equal(array_of(a), array_of(b)):
                    why = f'the copy has other values of {name}'
        for x in os.listdir(OUT):
            remove(f'{OUT}/{x}')
        return f'{why}\n{c}' if why else ''

    def case(self, k):
        r = random.Random(f'{self.seed} {k}')
        m = Mutant(r, self.seeds)
        why = self.judge(r, m)
        if why:
            self.note('wrong')
            keep = os.environ.get('AXT_KEEP')
            if keep:
                subprocess.run(['cp', '-a', IN, f'{keep}/{self.seed}-{k}'], check=False)
            self.t.ok(False, f'mutant {k} of {m.name}: {m.how}', why)


def main():
    t = Tap()
    count, seed = random_cases(40, 20, 4, 20261128)
    x = Trial(t, seed, Python())
    for first in range(0, count, 1000):
        bad = t.bad
        for k in range(first, min(first + 1000, count)):
            x.case(k)
        t.ok(t.bad == bad, f'mutants {first} to {min(first + 1000, count) - 1}: an answer or a message')
    print(f'# of {count}: {x.count}')
    t.ok(x.count.get('values', 0) >= count // 6 and x.count.get('refused', 0) >= count // 20, 'some are still stores, and some are not', x.count)
    t.done()


if __name__ == '__main__':
    main()
