#!/usr/bin/python3
"""Bytes that are really read, for chains of views: bytes.py [CASES [SEED]].

The calls of the commands are traced: of chunked files, each chunk the result needs is read once and no other is; of contiguous
ones, no byte is read twice. What is mapped instead is seen by the pages that come into the page cache. --explain must say one
pass. The chains are expressions: a pipeline of the same views has the same plan (calc.py).
"""
import ctypes
import glob
import mmap
import os
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np

from axtlib import SANITIZER, SLOW, Named, Tap, put_h5, random_cases, scratch, shell

SHAPE, AXES = (24, 30, 40), 'abc'
MAGIC = ', 8, 8112) = 8'	# looks whether the file has the block of files that grow in place (growth.h)
CALL = re.compile(r'(?:pread64|read)\(\d+<([^>]*)>, .*?, \d+(?:, (\d+))?\) = (\d+)$')


def traced(d, line):
    """What a line of bash reads of files under d: (path, offset, bytes); -1 where read() tells no offset."""
    shutil.rmtree(f'{d}/trace', ignore_errors=True)
    os.mkdir(f'{d}/trace')
    p = shell(f"strace -ff -y -s 0 -e trace=pread64,read -o {d}/trace/t bash -o pipefail -c '{line}'")
    out = []
    for name in glob.glob(f'{d}/trace/t.*'):
        with open(name) as f:
            for m in filter(None, map(CALL.search, f)):
                if m.group(0).endswith(MAGIC):
                    continue
                if m.group(1).startswith(d + '/') and m.group(1).endswith('.h5') and int(m.group(3)):
                    out.append((m.group(1), int(m.group(2) or -1), int(m.group(3))))
    return p, out


def step(r, text, at):
    """A random view more: the expression, and the elements it leaves of a Named array of their numbers."""
    i = int(r.integers(len(at.dims)))
    x, n = at.dims[i], at.a.shape[i]
    kind = r.choice(['slice', 'slice', 'slice', 'flip', 'order'])
    if kind == 'order':
        p = [int(k) for k in r.permutation(len(at.dims))]
        return f'order({text}, {", ".join(at.dims[k] for k in p)})', Named([at.dims[k] for k in p], at.a.transpose(p))
    if kind == 'flip':
        return f'flip({text}, {x})', Named(at.dims, np.flip(at.a, i))
    lo = int(r.integers(0, n))
    hi, by = int(r.integers(lo + 1, n + 1)), int(r.choice([1, 1, 2, 5]))
    return f'{text}[{x}={lo}:{hi}:{by}]', Named(at.dims, at.a[(slice(None),) * i + (slice(lo, hi, by),)])


def chain(r, text, at):
    """Up to four views."""
    for _ in range(int(r.integers(1, 5))):
        text, at = step(r, text, at)
    return text, at


def extents(path):
    """Where the data of x is: (offset, bytes) of each chunk, row-major, or of the whole."""
    with h5py.File(path) as f:
        x = f['x']
        if x.chunks is None:
            return [(x.id.get_offset(), x.size * x.dtype.itemsize)], None
        grid = [-(-n // c) for n, c in zip(x.shape, x.chunks)]
        at = {tuple(o // c for o, c in zip(i.chunk_offset, x.chunks)): (i.byte_offset, i.size)
              for i in (x.id.get_chunk_info(k) for k in range(x.id.get_num_chunks()))}
        number = np.arange(np.prod(grid)).reshape(grid)
        return [at[k] for k in np.ndindex(*grid)], number[np.ix_(*[np.arange(n) // c for n, c in zip(x.shape, x.chunks)])]


def wrong(path, reads, needed):
    """What is wrong with the reads of a file, of which the elements `needed` (flat) are wanted, or ''."""
    data, number = extents(path)
    mine = [(o, n) for p, o, n in reads if p == path]
    if number is not None:
        want = set(np.unique(number.reshape(-1)[needed]))
        times = [sum(o == at for o, _ in mine) for at, _ in data]
        bad = [k for k, t in enumerate(times) if t != (k in want)]
        # headers are read in pieces that may end in data
        other = sum(max(0, min(o + n, at + size) - max(o, at)) for o, n in mine for at, size in data
                    if o not in [x for x, _ in data])
        more = f'; {other} bytes besides' if other > 4096 * 8 else ''
        return f'chunks {bad[:5]} of {len(data)}, {len(want)} needed, are read {[times[k] for k in bad[:5]]} times' if bad else more
    at, size = data[0]
    count = np.zeros(size, 'i4')
    for o, n in mine:
        if o >= at:
            count[o - at:o - at + n] += 1
    if count.max() == 0:
        return 'mapped'
    seen = count.reshape(-1, 4)[np.unique(needed)]
    return '' if count.max() == 1 and seen.min() == 1 else f'bytes are read up to {count.max()} times, needed ones from {seen.min()}'


def case(t, d, k, seed, tally):
    r = np.random.default_rng([seed, k])
    at = Named(AXES, np.arange(np.prod(SHAPE)).reshape(SHAPE))
    paths = [f'{d}/{"z" if r.random() < .7 else "p"}{i}.h5' for i in range(2)]
    kind = r.choice(['reduce', 'copy', 'concat'], p=[.5, .2, .3])
    if kind == 'concat':	# of two files, each sliced, then sliced again over the seam
        n = [int(x) for x in r.integers(6, 20, 2)]
        lo, hi = int(r.integers(0, n[0])), int(r.integers(1, n[1]))
        text = f'flip(concat(x[a=:{n[0]}], y[a=:{n[1]}], along=a), b)[a={lo}:{n[0] + hi}]'
        needed = {paths[0]: at.a[lo:n[0]].reshape(-1), paths[1]: at.a[:hi].reshape(-1)}
    else:
        text, left = chain(r, 'x', at)
        needed = {paths[0]: left.a.reshape(-1)}
    line = f'axt-calc "{text if kind == "copy" else f"sum({text})"}" x={paths[0]}' + f' y={paths[1]}' * (kind == 'concat')
    plan = shell(line + ' --explain')
    p, reads = traced(d, f'{line} -o {d}/out.h5')
    why = [f'{path}: {w}' for path, want in needed.items() for w in [wrong(path, reads, want)] if w not in ('', 'mapped')]
    tally['mapped'] += sum(wrong(path, reads, want) == 'mapped' for path, want in needed.items())
    tally['chunked' if any('/z' in x for x in needed) else 'contiguous'] += 1
    if p.returncode or plan.returncode:
        why.append(f'{p.stderr.decode()[-500:]} {plan.stderr.decode()[-500:]}')
    passes = re.findall(rb'^pass \d+ of (\d+)', plan.stdout, re.M)
    if passes != [b'1']:
        why.append(f'{passes} passes')
    return t.ok(not why, f'{k}: {line.replace(d + "/", "")}', '\n'.join(why))


def splits(t, d):
    """A file is read once, however many are made of it."""
    for path, axis in ((f'{d}/z0.h5', 'a'), (f'{d}/z0.h5', 'b'), (f'{d}/z1.h5', 'c'), (f'{d}/p0.h5', 'a')):
        os.mkdir(f'{d}/parts')
        p, reads = traced(d, f'axt-split {axis} -P {d}/parts/{{}}.nc {path}')
        bad = wrong(path, reads, np.arange(np.prod(SHAPE)))
        made = len(os.listdir(f'{d}/parts'))
        t.ok(p.returncode == 0 and bad in ('', 'mapped') and made == SHAPE[AXES.index(axis)],
             f'axt-split {axis} {path[len(d) + 1:]} reads it once', f'{p.stderr.decode()} {bad} {made}')
        shutil.rmtree(f'{d}/parts')


# ---- what is mapped ----

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def drop(path):
    with open(path, 'rb') as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def resident(path):
    """Bytes of the file in the page cache."""
    n = os.path.getsize(path)
    pages = -(-n // mmap.PAGESIZE)
    with open(path, 'rb') as f:
        p = libc.mmap(None, n, mmap.PROT_READ, mmap.MAP_SHARED, f.fileno(), 0)
    seen = (ctypes.c_ubyte * pages)()
    assert libc.mincore(p, n, seen) == 0
    libc.munmap(p, n)
    return sum(x & 1 for x in seen) * mmap.PAGESIZE


def mapped(t, d):
    path, planes, plane = f'{d}/m.h5', 128, 512 * 256
    with h5py.File(path, 'w') as f:
        put_h5(f, Named(AXES, np.ones((planes, 512, 256), 'f4')), 'x')
    drop(path)
    if resident(path) > os.path.getsize(path) // 10:
        return t.skip('what is mapped', 'this file system keeps files in memory')
    with open(path, 'rb') as f, mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ) as m:
        m[os.path.getsize(path) // 2]
    ahead = resident(path)		# what comes along with one byte
    for line, pieces in (('axt-slice a=::32 {} | axt-order c,b,a', 4), ('axt-slice a=40:44 {} | axt-flip c | axt-slice b=::2', 1),
                         ('axt-slice a=100,3 c=::-2 {}', 2)):
        count = {'a=::32': 4, 'a=40:44': 4, 'a=100,3': 2}[line.split()[1]]
        drop(path)
        p = shell(f'{line.format(path)} | axt-cast --dtype f32 -o {d}/o.h5', env={'AXT_FUSE': '2'})
        got, need = resident(path), count * plane * 4
        most = need + (pieces + 2) * 3 * ahead + (1 << 20)
        t.ok(p.returncode == 0 and need <= got * 2 and got <= most, f'pages of {line.format("m.h5")}',
             f'{p} {got} bytes of {os.path.getsize(path)} came, {need} are needed, {most} allowed; {ahead} come with one')
    return None


def main():
    cases, seed = random_cases(60, 0, 0, 5)
    t = Tap()
    can = not SANITIZER and not SLOW and shutil.which('strace') and \
        subprocess.run(['strace', '-o', '/dev/null', 'true'], stderr=subprocess.DEVNULL).returncode == 0
    if not can:
        print('1..0 # skip no strace here, or a build that it slows too much')
        sys.exit(0)
    d = scratch()
    for i in range(2):
        a = np.random.default_rng(i).random(SHAPE, 'f4')
        for kind, how in (('p', {}), ('z', dict(chunks=(5, 7, 9), compression='gzip', compression_opts=1, shuffle=True))):
            with h5py.File(f'{d}/{kind}{i}.h5', 'w') as f:
                put_h5(f, Named(AXES, a), 'x', **how)
    tally = dict(chunked=0, contiguous=0, mapped=0)
    for k in range(cases):
        case(t, d, k, seed, tally)
    t.ok(cases < 30 or tally['chunked'] > cases / 3 and tally['contiguous'] > 0, f'both kinds of files: {tally}')
    splits(t, d)
    mapped(t, d)
    t.done()


main()
