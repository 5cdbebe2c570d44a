#!/usr/bin/python3
"""What is read of a file or a store while another process changes it: meanwhile.py [SECONDS].

A tensor of one value everywhere is assigned to in place, or its store of Zarr is replaced, again and again. Whoever
reads it meanwhile has one value everywhere, the old one or the new one. Of a file that is changed in place a reader
may fail, and says why; a store that is replaced is read to its end. What changes a file by a copy has the copy on the
disk before it takes the name.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import threading
import time

from axtlib import BIN, SANITIZER, SLOW, Tap, axt, scratch, shell

N = 300000
SPREAD = "axt-calc 'max(v) - min(v)' -p v="


def crowd(seconds, write, read):
    """How often the lines ended how, as write(i) is typed again and again beside read."""
    end, ends = time.monotonic() + seconds, {write: collections.Counter(), read: collections.Counter()}

    def loop(line):
        k = 0
        while time.monotonic() < end or not k:
            p = shell(line(k) if callable(line) else line)
            ends[line][p.returncode, p.stdout.decode().strip(), p.stderr.decode().strip()] += 1
            k += 1

    crew = [threading.Thread(target=loop, args=[x]) for x in (write, read, read)]
    for x in crew:
        x.start()
    for x in crew:
        x.join()
    return ends[write], ends[read]


def in_place(t, seconds):
    for how in '', ' --deflate 1 --chunk x=30000':
        axt('make', 'full:1', f'x={N}', '--name', 'v', *how.split(), '-o', 'f.nc')
        wrote, saw = crowd(seconds, lambda k: f'axt-assign --in-place f.nc:v = {k % 7 + 1}', SPREAD + 'f.nc:v')
        bad = {k: n for k, n in saw.items() if k[:2] != (0, '0') and k[::2] != (1, 'axt-calc: f.nc: changed while being read')}
        t.ok(not bad and set(wrote) == {(0, '', '')}, f'assigned in place{how}: old values or new ones', f'{bad}\n{wrote}')
    axt('make', 'full:1', f'x={N}', '--name', 'v', '-o', 'f.nc')
    wrote, saw = crowd(seconds, lambda k: f'axt-attr --in-place a{k}={"x" * 99} f.nc:v' if k % 2 else f'axt-attr --in-place a{k - 1}= f.nc:v',
                       SPREAD + 'f.nc:v')
    bad = {k: n for k, n in saw.items() if k[:2] != (0, '0') and 'changed while being read' not in k[2]}
    t.ok(not bad and set(wrote) == {(0, '', '')}, 'attributes changed in place: the file is never damaged', f'{bad}\n{wrote}')


def stores(t, seconds):
    for how in '', ' --chunk x=10000':
        axt('make', 'full:1', f'x={N}', '--name', 'v', '-o', 'z.zarr')
        wrote, saw = crowd(seconds, lambda k: f'axt-make full:{k % 7 + 1} x={N * (k % 3 + 1) // 3}{how} --name v -o z.zarr', SPREAD + 'z.zarr:v')
        t.ok(set(wrote) == {(0, '', '')} and set(saw) == {(0, '0', '')}, f'a store replaced{how}: every reader has one of them', f'{saw}\n{wrote}')
    start = time.monotonic()
    run = shell('axt-add z.zarr:v 1 -o z.zarr && axt-mul z.zarr:v 2 | axt-add - 1 -o z.zarr && ' + SPREAD + 'z.zarr:v')
    t.ok(run.returncode == 0 and run.stdout == b'0\n' and (SANITIZER or time.monotonic() - start < 1),
         'who replaces a store by what it reads there does not wait for itself', run.stderr.decode())


def late(t):
    """A reader that takes longer than the one who replaces the store waits for it."""
    axt('make', 'full:1', f'x={N}', '--name', 'v', '--chunk', 'x=1000', '-o', 'z.zarr')
    reader = subprocess.Popen(['bash', '-c', f'exec {BIN}/axt-print z.zarr:v'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    head = reader.stdout.read(1000)  # it waits for whoever reads it
    start = time.monotonic()
    run = axt('make', 'full:2', f'x={N}', '--name', 'v', '-o', 'z.zarr')
    took = time.monotonic() - start
    out, err = reader.communicate()
    good = reader.returncode == 0 and b'2' not in head + out or reader.returncode == 1 and b'changed while being read' in err
    t.ok(good and run.rc == 0 and (SANITIZER or took < 10), 'a reader that does not end has the old store, or says that it changed',
         f'{reader.returncode} {err.decode()} {took}')


def disk(t):
    """What is called before a file takes the name of another."""
    if not shutil.which('strace') or SANITIZER or SLOW:
        t.skip('copies are on the disk before they take names', 'no strace')
        return
    axt('make', 'ones', 'x=9,time=2', '--unlimited', 'time', '--name', 'v', '-o', 'f.nc')
    axt('make', 'ones', 'x=9,time=2', '--name', 'v', '-o', 'g.nc')
    lines = {'axt-attr a=b f.nc:v': True, "axt-assign 'f.nc:v[x=1]' = 3": True, 'axt-add f.nc:v 1 -o f.nc:w': True,
             'axt-move w=u f.nc': True, 'axt-remove f.nc:u': True, 'axt-add f.nc:v 1 -o f.nc': True,
             'axt-flip x f.nc:v -o f.nc': True, 'axt-add g.nc:v 1 -o f.nc': False, 'axt-add f.nc:v 1 -o new.nc': False}
    for line, wanted in lines.items():
        p = shell(f'strace -f -e trace=fsync,fdatasync,rename,renameat,renameat2,linkat {line}')
        calls = re.findall(r'(fsync|fdatasync|rename)[a-z0-9]*\(.*= 0', p.stderr.decode())
        t.ok(p.returncode == 0 and (('fdatasync' in calls and calls.index('fdatasync') < calls.index('rename')) if wanted
                                    else 'fdatasync' not in calls),
             f'{line}: {"on the disk first" if wanted else "does not wait for the disk"}', p.stderr.decode()[-999:])


def main():
    t = Tap()
    os.chdir(scratch())
    seconds = float(sys.argv[1]) if sys.argv[1:] else 1
    in_place(t, seconds)
    stores(t, seconds)
    late(t)
    disk(t)
    t.done()


main()
