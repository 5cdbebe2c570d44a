#!/usr/bin/python3
"""Looks for the operations that axt is slowest in, by chance: search.py [--seed N] [--minutes M] [--case K] [--json FILE].

Every draw is an operation of equivalents.py with operands of any dtype, rank, order of axes, chunking, packing and size (0.1 to 200 MB).
axt is measured as a whole process from file to file, NumPy's call alone in this process, which has started already and
holds the arrays. The floor is what the bytes cost: those that have to be read and written, at the rates that this run measures by read()
and write() on the same file system; the start of a process that does nothing; for packed inputs their decoding by the same library, and for
products their operations at the rate of matrix products of NumPy.

A row is allowed to take 1.3 times its floor, or a quarter of NumPy's time if that is more. The rows that take the largest multiple of what they are
allowed are measured again when most of the time is over, so that a slow moment of the machine does not count, and printed with their
plans. Those that a pattern of known.txt explains are printed apart.
"""
import argparse
import ctypes
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from types import SimpleNamespace

THREADS = int(os.environ.get('THREADS') or 2)
os.environ.setdefault('OPENBLAS_NUM_THREADS', str(THREADS))

import h5py  # noqa: E402
import numpy as np  # noqa: E402

import common  # noqa: E402
import draw  # noqa: E402
from equivalents import ROWS  # noqa: E402

SIZES = 1e5, 2e8
SHOWN = 20
EPSILON = {'f2': 2e-2, 'f4': 1e-3, 'c8': 1e-3}


def drawn(seed, case, sizes=SIZES, name=None):
    """A case by its number; of one row, if that is named."""
    rng = np.random.default_rng([seed, case])
    weights = np.array([r.weight for r in ROWS.values()])
    chosen = list(ROWS)[int(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum()))]
    return draw.Draw(ROWS[name or chosen], rng, sizes)


def different(c, d, bin, want, arrays):
    """What is different between axt's result in a directory and NumPy's, or ''."""
    have, got = draw.read(f'{d}/o.h5', bin, c.row.result)
    out = c.p.out if not c.mixed_result else c.mixed_result.split(',')
    if sorted(have) != sorted(out):
        return f'axes {have}, NumPy has {out}'
    got = got.transpose([have.index(x) for x in out])
    if c.row.see:
        got, want = (c.row.see(c.p, x, arrays['A']) for x in (got, want))
    want = np.asarray(want)
    if got.shape != want.shape:
        return f'shape {got.shape}, NumPy has {want.shape}'
    if want.dtype.kind in 'biu' and got.dtype.kind in 'biu' and c.row.tolerance == 1:
        bad = np.count_nonzero(got != want)
        return f'{bad} of {want.size} values differ' if bad else ''
    with np.errstate(all='ignore'):
        wide = 'c16' if want.dtype.kind == 'c' else 'f8'
        got, want = got.astype(wide), want.astype(wide)
        off = np.atleast_1d(np.abs(got - want))
        off[np.atleast_1d((got == want) | (np.isnan(got) & np.isnan(want)))] = 0
        scale = np.max(np.abs(want[np.isfinite(want)]), initial=1e-30)
    most = np.max(off, initial=0)
    allowed = c.row.tolerance * scale * max(EPSILON.get(c.dtype.str[1:], 1e-9), 1e-9)
    return '' if most <= allowed else f'off by {most:.3g}, where values go to {scale:.3g}'


# ---- the floor ----

class Floor:
    """What bytes cost here: seconds a byte to read and to write, by the size of a file; updated while the search goes on."""

    def __init__(self, d, env):
        self.d, self.env, self.decoders = d, env, {}
        self.cost = {n: [np.inf, np.inf] for n in (1 << 20, 16 << 20, 128 << 20)}
        self.start, self.flops = np.inf, {}
        draw.write(f'{d}/tiny.h5', 'v', ['x'], np.zeros(4, 'f4'))
        for _ in range(3):
            self.update()

    def update(self):
        buffer = bytearray(256 << 10)
        for size, cost in self.cost.items():
            path = f'{self.d}/rate'
            with open(path, 'wb', buffering=0) as f:
                t = time.perf_counter()
                for _ in range(size // len(buffer)):
                    f.write(buffer)
                cost[1] = min(cost[1], (time.perf_counter() - t) / size)
            with open(path, 'rb', buffering=0) as f:
                t = time.perf_counter()
                while f.readinto(buffer):
                    pass
                cost[0] = min(cost[0], (time.perf_counter() - t) / size)
            os.unlink(path)
        for _ in range(10):
            self.start = min(self.start, common.timed(f'axt-info {self.d}/tiny.h5', self.env)[0])
        for t in ('f4', 'f8'):
            a = np.ones((1024, 1024), t)
            s = time.perf_counter()
            a @ a  # pylint: disable=pointless-statement
            self.flops[t] = max(self.flops.get(t, 0), 2 * 1024**3 / (time.perf_counter() - s))

    def bytes(self, n, written):
        near = min(self.cost, key=lambda size: abs(np.log(size / max(n, 1))))
        return n * self.cost[near][written]

    def of(self, c, read, written):
        commands = c.row.axt.count('|') + 1
        seconds = self.start * commands + self.bytes(read, 0) + self.bytes(written, 1)
        seconds += sum(self.decoding(f) for f in c.files.values() if f.storage.pack)
        return seconds + (c.p.flops / self.flops[c.dtype.str[1:]] if c.p.flops else 0)

    def decoding(self, f):
        """Seconds to decode all chunks of a file by as many threads, from what its first one takes."""
        with h5py.File(f.path, 'r') as h:
            v = h[f.name]
            _, packed = v.id.read_direct_chunk((0,) * v.ndim)
            n = int(np.prod(v.chunks)) * v.dtype.itemsize
            chunks = int(np.prod([-(-a // b) for a, b in zip(v.shape, v.chunks)]))
        best = min(decoded(f.storage.pack.split(':')[0], packed, n) for _ in range(3))
        return best * chunks / min(THREADS, chunks)


def decoded(packer, packed, n):
    """Seconds to decode a chunk of n bytes."""
    out = ctypes.create_string_buffer(n + 64)
    size = ctypes.c_size_t
    if packer == 'deflate':
        lib = ctypes.CDLL('libdeflate.so.0')
        lib.libdeflate_alloc_decompressor.restype = ctypes.c_void_p
        own = ctypes.c_void_p(lib.libdeflate_alloc_decompressor())
        start = time.perf_counter()
        bad = lib.libdeflate_zlib_decompress(own, packed, size(len(packed)), out, size(n), None)
        seconds = time.perf_counter() - start
        lib.libdeflate_free_decompressor(own)
    elif packer == 'zstd':
        lib = ctypes.CDLL('libzstd.so.1')
        lib.ZSTD_decompress.restype = size
        start = time.perf_counter()
        bad = lib.ZSTD_decompress(out, size(n), packed, size(len(packed))) != n
        seconds = time.perf_counter() - start
    else:                       # blocks of LZ4 behind a head of 12 bytes, each behind its length
        lib = ctypes.CDLL('liblz4.so.1')
        at, done, bad, start = 12, 0, 0, time.perf_counter()
        block = int.from_bytes(packed[8:12], 'big')
        while done < n and not bad:
            length, most = int.from_bytes(packed[at:at + 4], 'big'), min(block, n - done)
            if length != most:  # else as it is
                bad = lib.LZ4_decompress_safe(packed[at + 4:at + 4 + length], ctypes.byref(out, done), length, most) != most
            at, done = at + 4 + length, done + most
        seconds = time.perf_counter() - start
    if bad:
        raise RuntimeError(f'a chunk of {packer} cannot be decoded')
    return seconds


# ---- one case ----

def best(run):
    """The least seconds, and seconds of processors, of three runs and 0.3 s, whichever takes longer; of one that takes 3 s."""
    runs, total = [], 0
    while (len(runs) < 3 or total < .3) and total < 3:
        runs.append(run())
        total += runs[-1][0]
    return tuple(min(r[i] for r in runs) for i in (0, 1))


def called(call):
    """One call of NumPy: seconds, and seconds of processors."""
    def used():
        r = resource.getrusage(resource.RUSAGE_SELF)
        return r.ru_utime + r.ru_stime
    start, cpu = time.perf_counter(), used()
    call()
    return time.perf_counter() - start, used() - cpu


class Search:
    def __init__(self, a):
        self.a = a
        self.bin = os.path.join(os.path.abspath(a.build), 'bin')
        self.env = common.environment([self.bin], THREADS)
        self.d = common.scratch('axt-search.')
        self.rows, self.failures = {}, []
        self.floor = Floor(self.d, self.env)

    def clear(self):
        for n in os.listdir(self.d):
            if n != 'tiny.h5':
                os.unlink(f'{self.d}/{n}')

    def axt(self, line):
        if os.path.exists(f'{self.d}/o.h5'):
            os.unlink(f'{self.d}/o.h5')
        return common.timed(line, self.env)

    def measure(self, k, plan=False):
        """A case, written, run and compared; its row."""
        if shutil.disk_usage(self.d).free < 2 << 30:
            sys.exit(f'search: less than 2 GiB are free in {self.d}')
        c = drawn(self.a.seed, k, self.a.sizes, self.a.row)
        arrays = c.write(self.d, self.bin)
        line = c.line(self.d)
        shown = re.sub(f'{self.d}/', '', line)
        row = SimpleNamespace(case=k, row=c.row.name, command=shown, operands=c.describe(), plan='')
        try:
            self.axt(line)
            call = c.call(arrays)
            with np.errstate(all='ignore'):
                result = call()
                why = different(c, self.d, self.bin, result, arrays)
                if why:
                    self.failures.append(f'case {k}: {shown}   [{row.operands}]: {why}')
                read = sum(os.path.getsize(f.path) for f in c.files.values())
                if c.part and not c.files['A'].storage.chunk:
                    read = min(read, result.nbytes)
                written = os.path.getsize(f'{self.d}/o.h5')
                row.bytes = read + written
                del result
                row.axt, row.axt_cpu = best(lambda: self.axt(line))
                row.numpy, row.numpy_cpu = best(lambda: called(call))
            row.floor = self.floor.of(c, read, written)
            if plan:
                row.plan = self.plan(line)
        except RuntimeError as x:
            self.failures.append(f'case {k}: {x}'.replace(f'{self.d}/', ''))
            return None
        finally:
            self.clear()
        return row

    def plan(self, line):
        """What --explain says of the last command."""
        p = subprocess.run(['bash', '-c', line + ' --explain'], env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return p.stdout.partition('axt-plan ')[0].replace(f'{self.d}/', '').rstrip()

    def ratio(self, row):
        row.allowed = max(1.3 * row.floor, row.numpy / 4)
        return row.axt / row.allowed

    def worst(self, rows):
        return sorted(rows, key=self.ratio, reverse=True)

    def search(self):
        """Draws for three quarters of the time, and then what was worst again, from the worst on, while there is time."""
        begin, all_of_it = time.monotonic(), 60 * self.a.minutes
        k, updated = 0, begin
        while time.monotonic() - begin < .75 * all_of_it:
            row = self.measure(k)
            if row:
                self.rows[k] = row
            k += 1
            if time.monotonic() - updated > 20:
                self.floor.update()
                updated = time.monotonic()
        reasons = known()
        worst = [r for r in self.worst(self.rows.values()) if not reason(r, reasons)]
        for row in worst[:2 * SHOWN]:
            if time.monotonic() - begin > all_of_it:
                break
            again = self.measure(row.case, plan=True)
            if not again:
                continue
            for what in ('axt', 'axt_cpu', 'numpy', 'numpy_cpu', 'floor'):
                setattr(row, what, min(getattr(row, what), getattr(again, what)))
            row.plan = again.plan
        return k


# ---- what is known, and what is printed ----

def known(path=os.path.join(common.HERE, 'known.txt')):
    """Pairs of a pattern and a sentence: a line each, the sentence indented."""
    lines = [x.rstrip() for x in open(path, encoding='utf-8') if x.strip() and not x.startswith('#')]
    if len(lines) % 2 or any(x[0].isspace() != bool(i % 2) for i, x in enumerate(lines)):
        sys.exit(f'{path}: a pattern, and an indented sentence on the next line')
    return [(re.compile(a), b.strip()) for a, b in zip(lines[::2], lines[1::2])]


def reason(row, reasons):
    text = f'{row.command}   [{row.operands}]'
    return next((why for pattern, why in reasons if pattern.search(text)), '')


def line_of(s, row):
    return f'{s.ratio(row):6.2f}  axt {row.axt * 1e3:8.1f}  floor {row.floor * 1e3:8.1f}  numpy {row.numpy * 1e3:8.1f}  cpu {row.axt_cpu * 1e3:8.1f} ' \
           f'({row.axt_cpu / max(row.numpy_cpu, 1e-6):5.2f} of numpy)  case {row.case}: {row.command}   [{row.operands}]'


def report(s, drawn_cases):
    reasons = known()
    rows = s.worst(s.rows.values())
    open_rows = [r for r in rows if not reason(r, reasons)]
    behind = [r for r in open_rows if s.ratio(r) > 1]
    print(f'{len(rows)} of {drawn_cases} cases measured, seed {s.a.seed}, {THREADS} threads; start {s.floor.start * 1e3:.2f} ms; a MB read and written: ' +
          ', '.join(f'{r * 1e12:.0f} and {w * 1e12:.0f} us in {n >> 20} MiB' for n, (r, w) in s.floor.cost.items()))
    print(f'{len(behind)} rows without a known reason take more than they are allowed, which is 1.3 times the floor or a quarter of NumPy.\n'
          f'Times in ms. One of them alone: make bench-search SEED={s.a.seed} CASE=K\n')
    for r in open_rows[:SHOWN]:
        print(line_of(s, r))
        print(''.join(f'            {x}\n' for x in r.plan.splitlines()), end='')
    slow = sorted((r for r in open_rows if r.numpy_cpu > 1e-3), key=lambda r: r.axt_cpu / r.numpy_cpu, reverse=True)
    print("\nMost processor time beside that of NumPy's call (which reads and writes no file), where that takes 1 ms:\n")
    for r in slow[:SHOWN]:
        print(line_of(s, r))
    print('\nWith a known reason:\n')
    for pattern, why in reasons:
        own = [r for r in rows if reason(r, reasons) == why and s.ratio(r) > 1]
        if own:
            print(f'{len(own)} rows, at most {s.ratio(own[0]):.2f}: {why}\n        {line_of(s, own[0])}')
    if s.failures:
        print('\nFailed, or with another result than NumPy:\n')
        print('\n'.join(s.failures))
    if s.a.json:
        with open(s.a.json, 'w', encoding='utf-8') as f:
            json.dump({'seed': s.a.seed, 'threads': THREADS, 'start': s.floor.start, 'failures': s.failures,
                       'rows': [dict(vars(r), ratio=s.ratio(r), reason=reason(r, reasons)) for r in rows]}, f, indent=1)
            f.write('\n')


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--build', default='build')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--minutes', type=float, default=5)
    p.add_argument('--case', type=int, help='this case alone, with its plan')
    p.add_argument('--row', choices=list(ROWS), help='only this row of equivalents.py (cases are others then)')
    p.add_argument('--most', type=float, default=SIZES[1] / 1e6, help='MB of inputs, at most')
    p.add_argument('--json', help='all rows that were measured, into this file')
    a = p.parse_args()
    a.sizes = min(SIZES[0], a.most * 1e6), a.most * 1e6
    return a


def main():
    s = Search(arguments())
    if s.a.case is None:
        report(s, s.search())
        return
    row = s.measure(s.a.case, plan=True)
    s.rows = {s.a.case: row} if row else {}
    report(s, 1)


if __name__ == '__main__':
    main()
