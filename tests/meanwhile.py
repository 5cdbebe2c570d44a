#!/usr/bin/python3
"""What is read of a file or a store while another process changes it: meanwhile.py [SECONDS].

A reader is stopped at one read of many, the file is damaged or the store removed meanwhile, and it goes on: it begins
again, and has what is there then; where it cannot, it says that the file changed, and never that it is damaged.

A tensor of one value everywhere is assigned to in place, or its store of Zarr is replaced, again and again. Whoever
reads it meanwhile has one value everywhere, the old one or the new one. Of a file that is changed in place for ever a
reader may fail, and says why. What changes a file by a copy has the copy on the disk before it takes the name.
"""
import collections
import fcntl
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from axtlib import BIN, SANITIZER, SLOW, Tap, axt, scratch, shell

N = 300000
READS = collections.Counter()       # of crowds: how many ended with which status
SPREAD = "axt-calc 'max(v) - min(v)' -p v="


class Stopped:
    """A command that stops at the n-th call of one name that has to do with the file, and each time it begins again."""

    def __init__(self, words, call, n, path, env=None):
        program = f'{BIN}/{words[0]}'
        self.p = subprocess.Popen(
            ['strace', '-f', '-qq', '-o', 'log', '-P', os.path.abspath(path), '-P', program, '-e', f'trace={call},execve', '-e',
             f'inject={call}:signal=SIGSTOP:when={n}', '-e', 'inject=execve:signal=SIGSTOP:when=1+', program] + words[1:],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, **env or {}))
        self.stops = 0

    def stop(self):
        """Waits until it has stopped once more; False: it has ended."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            ended = self.p.poll() is not None
            log = open('log').read() if os.path.exists('log') else ''
            pids = re.findall(r'^(\d+) +--- stopped by SIGSTOP', log, re.M)
            if len(pids) > self.stops:
                self.stops, self.pid = len(pids), int(pids[-1])
                return True
            if ended:
                return False
            time.sleep(.002)
        raise TimeoutError(log)

    def go(self):
        os.kill(self.pid, signal.SIGCONT)

    def end(self):
        """Its status, and what it printed and said, but for what strace says of paths."""
        out, err = self.p.communicate(timeout=60)
        os.unlink('log')
        return self.p.returncode, out.decode().strip(), re.sub(r'strace: .*\n', '', err.decode()).strip()


def damaged(r, good):
    """Bytes of a file with a piece of it overwritten or zeroed, or without its end."""
    bad, how, at = bytearray(good), r.randrange(3), r.randrange(len(good))
    if how == 2:
        return bytes(bad[:at])
    bad[at:at + 3000] = bytes(len(bad[at:at + 3000])) if how else r.randbytes(len(bad[at:at + 3000]))
    return bytes(bad)


def put(data):
    """Into the file that is there."""
    with open('f.nc', 'r+b') as f:
        f.write(data)
        f.truncate()


def stopped(t):
    if not shutil.which('strace') or SANITIZER or SLOW:
        t.skip('readers that are stopped while a file changes', 'no strace')
        return
    r, words = random.Random(3), SPREAD.split("'")
    words = ['axt-calc', words[1], '-p']
    for how, last in ('', 24), ('--deflate 1 --chunk x=100', 30):
        axt('make', 'full:1', 'x=900', '--name', 'v', *how.split(), '-o', 'f.nc')
        good = open('f.nc', 'rb').read()
        for again in True, False:
            bad, begun = [], 0
            for n in r.sample(range(1, last), 8):
                x = Stopped(words + ['v=f.nc:v'], 'pread64', n, 'f.nc', {} if again else {'AXT_TURN': '12'})
                if x.stop():
                    put(damaged(r, good))
                    x.go()
                    while x.stop():
                        put(good)
                        x.go()
                        begun += 1
                end = x.end()
                put(good)
                if end != ((0, '0', '') if again or x.stops == 0 else (1, '', 'axt-calc: f.nc: changed while being read')) or x.stops > 2:
                    bad.append((n, x.stops, end))
            t.ok(not bad and (begun > 2) == again, f'a file {how} damaged while it is read: ' +
                 ('read once more' if again else 'changed, not damaged'), f'{begun} {bad}')
    bad, begun = [], 0
    for n in range(1, 9):
        for name, value in ('z.zarr', 1), ('new.zarr', 2):
            axt('make', f'full:{value}', 'x=900', '--name', 'v', '--chunk', 'x=300', '-o', name)
        x = Stopped(['axt-calc', 'max(v) + 10 * min(v)', '-p', 'v=z.zarr:v'], 'openat2', n, 'z.zarr')
        if x.stop():
            os.rename('z.zarr', 'old.zarr')
            os.rename('new.zarr', 'z.zarr')
            shutil.rmtree('old.zarr')
            x.go()
            while x.stop():
                x.go()
                begun += 1
        end = x.end()
        if end not in ((0, '22', ''), (0, '11', '')) or end[1] == '11' and x.stops:
            bad.append((n, x.stops, end))
    t.ok(not bad and begun > 2, 'a store replaced and removed while it is read: the new one is read', f'{begun} {bad}')
    put(good[:500])
    x = Stopped(words + ['v=f.nc:v'], 'pread64', 99, 'f.nc')
    t.ok(not x.stop() and x.end()[0] == 1, 'a file that is damaged, and that nobody changes, is refused at once')


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
    READS.update(k[0] for k in ends[read].elements())
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
    watch = '' if SANITIZER or SLOW or not shutil.which('strace') else 'strace -f -qq -o log -e signal=none -e trace=clock_nanosleep '
    bad = ''
    for line in 'axt-add z.zarr:v 1 -o z.zarr', "bash -c 'axt-mul z.zarr:v 2 | axt-add - 1 -o z.zarr'":
        run = shell(watch + line)
        bad += run.stderr.decode() + (open('log').read() if watch else '')
    run = shell(SPREAD + 'z.zarr:v')
    t.ok(not bad and run.stdout == b'0\n', 'who replaces a store by what it reads there does not wait for itself', bad)


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


def left(t):
    """What killed commands left beside an output goes with the next one, but not what somebody holds."""
    axt('make', 'ones', 'x=9', '--name', 'v', '-o', 'l.nc')
    axt('make', 'ones', 'x=9', '--name', 'v', '-o', 'l.zarr')
    for held in False, True:
        shutil.copy('l.nc', '.l.nc.axt000000')
        shutil.copytree('l.zarr', '.l.zarr.axtabcde0')
        os.makedirs('.l.zarr.axtabcde1/v')
        open('.l.zarr.axtabcde1/.axt-unfinished', 'w').close()
        os.makedirs('.l.zarr.axtabcde2')
        os.makedirs('.l.zarr.axtmine00/mine')   # no store, and has no mark
        held = [os.open(x, os.O_RDONLY) for x in ('.l.nc.axt000000', '.l.zarr.axtabcde0', '.l.zarr.axtabcde1') if held]
        for fd in held:
            fcntl.flock(fd, fcntl.LOCK_SH)
        runs = [axt('attr', 'a=b', 'l.nc:v'), axt('make', 'ones', 'x=9', '--name', 'v', '-o', 'l.zarr')]
        names = sorted(x for x in os.listdir('.') if x.startswith('.l.'))
        kept = ['.l.nc.axt000000', '.l.zarr.axtabcde0', '.l.zarr.axtabcde1'] if held else []
        t.ok(all(x.rc == 0 for x in runs) and names == kept + ['.l.zarr.axtmine00'], f'what was left{" and is held" if held else ""}', names)
        for fd in held:
            os.close(fd)
        for x in names:
            shutil.rmtree(x) if os.path.isdir(x) else os.unlink(x)


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
    seconds = float(sys.argv[1]) if sys.argv[1:] else .5
    stopped(t)
    in_place(t, seconds)
    stores(t, seconds)
    late(t)
    left(t)
    disk(t)
    print(f'# {READS.total()} reads in crowds, {READS[1]} of them with status 1')
    t.done()


main()
