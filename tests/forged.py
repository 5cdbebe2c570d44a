#!/usr/bin/python3
"""Forged offers of plans, and readers that misbehave.

Python holds the other end of a pipe and of the socket named after it. What a reader makes of the bytes must be the right
result bit for bit, or a message; the forged plans say negative where the bytes are squares, so that one believed shows.
"""
import array
import concurrent.futures
import os
import re
import socket
import subprocess
import threading
import time

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, scratch, shell

LIMIT = 300 if SLOW else 90	# a hang
D = scratch()
os.chmod(D, 0o755)
N = 600000


def sh(line, **kw):
    p = shell(f'cd {D}; {line}', timeout=LIMIT, **kw)
    assert p.returncode == 0, p.stderr
    return p.stdout


sh(f'axt-make random x=600,y=1000 --dtype f32 --seed 1 --no-history -o a.h5; axt-map square a.h5 --no-history -o s.h5;'
   'axt-map sqrt s.h5 --no-history -o want.h5; axt-map negative a.h5 --no-history | axt-map sqrt --no-history -o evil.h5')
BYTES = open(f'{D}/s.h5', 'rb').read()
WANT = open(f'{D}/want.h5', 'rb').read()
EVIL = open(f'{D}/evil.h5', 'rb').read()
assert WANT != EVIL and b'square' not in WANT
PLAN = sh('axt-map negative a.h5 --no-history | axt-info --plan').decode()
assert 'map negative' in PLAN


def pipe_name(fd):
    st = os.fstat(fd)
    return b'\0axt-%x-%x' % (st.st_dev, st.st_ino)


class Offer:
    """One reader with a forged writer. talk(self, conn) is the conversation; changes: before the plan goes out."""

    count = 0
    lock = threading.Lock()

    def __init__(self, talk, data=BYTES, copy=False, uid=None):
        with Offer.lock:
            Offer.count += 1
            self.out = f'{D}/out{Offer.count}.h5'
            self.input = f'{D}/in{Offer.count}.h5' if copy else f'{D}/a.h5'
        self.talk, self.data, self.uid = talk, data, uid
        self.plan = PLAN
        if copy:
            sh(f'cp a.h5 {self.input}')
            st = os.stat(self.input)
            self.plan = re.sub(r'ino=\d+ size=\d+ mtime=\d+ ns=\d+', f'ino={st.st_ino} size={st.st_size} '
                               f'mtime={st.st_mtime_ns // 10**9} ns={st.st_mtime_ns % 10**9}', PLAN)
        self.asked = self.answer = None

    def fds(self):
        """What a true writer sends: the pipe's end and the input."""
        return [self.w, os.open(self.input, os.O_RDONLY)]

    def send(self, conn, text, fds):
        self.opened += {f for f in fds if f != self.w and f not in self.mine and f not in self.opened}
        anc = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
        if isinstance(text, str):
            text = text.encode()
        n = conn.sendmsg([text], anc)
        self.leave()
        conn.sendall(text[n:])

    def leave(self):
        """Whoever has the pipe's end now, not this program."""
        if self.w is not None:
            os.close(self.w)
        self.w = None

    def line(self, conn):
        s = b''
        while not s.endswith(b'\n'):
            c = conn.recv(1)
            if not c:
                return s
            s += c
        return s

    def serve(self, listener):
        try:
            listener.settimeout(LIMIT)
            conn, _ = listener.accept()
            self.asked = True
            conn.settimeout(LIMIT)
            with conn:
                self.talk(self, conn)
        except (BrokenPipeError, ConnectionResetError, socket.timeout, OSError) as e:
            self.answer = self.answer or e
        finally:
            for f in self.opened:
                os.close(f)
            self.leave()

    def feed(self, w):
        try:
            at = 0
            while at < len(self.data):
                at += os.write(w, self.data[at:at + 65536])
        except OSError:
            pass
        os.close(w)

    def child(self, r, w):
        """A listener of another user, which holds the pipe."""
        pid = os.fork()
        if pid == 0:
            try:
                os.setgid(self.uid)
                os.setuid(self.uid)
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(pipe_name(self.w))
                listener.listen(4)
                os.write(r, b'x')
                listener.settimeout(5)
                conn, _ = listener.accept()
                conn.settimeout(5)
                self.talk(self, conn)
            finally:
                os._exit(0)
        return pid

    def run(self):
        """The Run of the reader, and what it made: 'right', 'evil', 'nothing', 'wrong'."""
        r, w = os.pipe()
        self.r, self.w = r, os.dup(w)
        self.mine, self.opened = [r, w], []
        listener = None
        if self.uid is None:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(pipe_name(r))
            listener.listen(4)
        start = time.monotonic()
        p = subprocess.Popen([f'{BIN}/axt-map', 'sqrt', '-', '--no-history', '-o', self.out], stdin=r,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        threads = [threading.Thread(target=self.feed, args=(w,))]
        if listener:
            threads.append(threading.Thread(target=self.serve, args=(listener,)))
        for t in threads:
            t.start()
        try:
            out, err = p.communicate(timeout=LIMIT)
            self.err = err.decode()
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            self.err = '(hangs)'
        self.took = time.monotonic() - start
        self.rc = p.returncode
        if listener:
            if not self.asked:
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        os.close(r)
        for t in threads:
            t.join()
        got = open(self.out, 'rb').read() if os.path.exists(self.out) else None
        self.made = {WANT: 'right', EVIL: 'evil', None: 'nothing'}.get(got, 'wrong')
        if got:
            os.unlink(self.out)
        return self

    def __str__(self):
        return f'status {self.rc}, {self.made}, {self.took:.1f} s, asked {self.asked}, {self.answer}\n{self.err}'


def text(edit, fds=None, then=None):
    """A conversation: the plan, edited."""
    def talk(o, conn):
        f = fds(o) if fds else o.fds()
        s = edit(o.plan) if callable(edit) else edit
        o.send(conn, s, f)
        o.answer = o.line(conn)
        if o.answer == b'taken\n':
            (then or honest)(o, conn)
    return talk


def honest(o, conn):
    conn.sendall(b'ok\n')
    deadline = time.monotonic() + LIMIT
    conn.sendall(b'sent %d\n' % len(o.data))
    while time.monotonic() < deadline and conn.recv(1):
        pass


def sub(a, b):
    def edit(s):
        assert re.search(a, s), a
        return re.sub(a, b, s, count=1)
    return edit


def other_pipe(o):
    r, w = os.pipe()
    o.opened += [r]
    return [w] + o.fds()[1:]


def opened(path, flags=os.O_RDONLY):
    return lambda o: [o.w, os.open(path, flags)]


def memory(n, sparse=False):
    def fds(o):
        fd = os.memfd_create('x')
        os.ftruncate(fd, n) if sparse else os.write(fd, b'\1' * n)
        return [o.w, fd]
    return fds


def silent(first, keep=True):
    """So much of the plan, then nothing until the reader has gone."""
    def talk(o, conn):
        if first:
            o.send(conn, o.plan[:first], o.fds())
        while conn.recv(1):
            pass
    return talk


def drip(o, conn):
    o.send(conn, o.plan[:1], o.fds())
    for c in o.plan[1:]:
        time.sleep(.3)
        conn.sendall(c.encode())


def endless(piece):
    def talk(o, conn):
        o.send(conn, 'axt-plan 1\n', o.fds())
        while True:
            conn.sendall(piece)
    return talk


DATA = 'axt-plan 1\ndevice cpu\ndata 0 bytes=%d\nnode 0 leaf f32 [x=600,y=1000] data=0\nout tensor 0\nend\n'
NODE = r'node 1 map negative f32 \[x=600,y=1000\] 0'
BYTES_CASES = {
    'an honest offer but no end of the pipe': text(lambda s: s, lambda o: o.fds()[1:]),
    'no descriptors': text(lambda s: s, lambda o: []),
    'the end of another pipe': text(lambda s: s, other_pipe),
    'the reading end': text(lambda s: s, lambda o: [o.r] + o.fds()[1:]),
    'a file for the pipe': text(lambda s: s, lambda o: o.fds()[1:] * 2),
    'closes at once': lambda o, conn: None,
    'closes in the middle of the plan, which brought the end of the pipe': lambda o, conn: o.send(conn, o.plan[:40], o.fds()),
    'garbage': text(bytes(range(256)) * 40),
    'garbage with an end': text(b'\xff\n' * 100 + b'\nend\n'),
    'nothing but an end': text('\nend\n'),
    'endless text': endless(b'a' * 65536),
    'endless lines': endless(b'file 0\n' * 9000),
    'endless nodes': endless(b'node 0 const f32 [] 00000000\n' * 3000),
    'two MiB': text(lambda s: 'axt-plan 1\n' + '#' * (2 << 20) + '\n' + s),
    '17 MiB of nodes': text(lambda s: s.replace('out', ''.join(f'node {i} map negative f32 [x=600,y=1000] {i - 1}\n'
                                                              for i in range(2, 340000)) + 'out')),
    'no newline': text(lambda s: s.replace('\n', ' ') + '\nend\n'),
    'silence': silent(0),
    'part of a plan, then silence': silent(60),
    'a plan without its end, then silence': silent(len(PLAN) - 1),
    'a plan that drips': drip,
    'version 2': text(sub('axt-plan 1', 'axt-plan 2')),
    'version 10': text(sub('axt-plan 1', 'axt-plan 10')),
    'no version': text(sub('axt-plan 1\n', '')),
    'another device': text(sub('device cpu', 'device cuda')),
    'a line that nobody knows': text(sub('device cpu\n', 'device cpu\nexec 0 /bin/sh\n')),
    'a NUL': text(sub('device', 'dev\0ice')),
    'text behind the end': text(lambda s: s + 'node 2\nend\n'),
    'another operation': text(sub(NODE, 'node 1 map nosuch f32 [x=600,y=1000] 0')),
    'an argument that comes later': text(sub(NODE, 'node 1 map negative f32 [x=600,y=1000] 1')),
    'a negative argument': text(sub(NODE, 'node 1 map negative f32 [x=600,y=1000] -1')),
    'another dtype than the node has': text(sub(NODE, 'node 1 map negative f64 [x=600,y=1000] 0')),
    'other axes than the node has': text(sub(NODE, 'node 1 map negative f32 [x=600,y=1001] 0')),
    'two arguments for one': text(sub(NODE, 'node 1 map negative f32 [x=600,y=1000] 0 0')),
    'a leaf of another dtype': text(lambda s: s.replace('f32', 'f64')),
    'a leaf of another length': text(lambda s: s.replace('y=1000', 'y=999')),
    'a leaf longer than the file': text(lambda s: s.replace('y=1000', 'y=1000000000000')),
    'a leaf that is not in the file': text(sub('path=/tensor', 'path=/nosuch')),
    'a leaf of a file that is not there': text(sub('leaf (.*) file=0', r'leaf \1 file=1')),
    'a leaf of file -1': text(sub('leaf (.*) file=0', r'leaf \1 file=-1')),
    'a leaf of file 2^64': text(sub('leaf (.*) file=0', r'leaf \1 file=18446744073709551615')),
    'another dev': text(sub(r'dev=\d+', 'dev=1')),
    'another ino': text(sub(r'ino=\d+', 'ino=2')),
    'another size': text(sub(r'size=(\d+)', r'size=\g<1>0')),
    'another mtime': text(sub(r'mtime=\d+', 'mtime=1')),
    'another ns': text(sub(r'ns=\d+', 'ns=1')),
    'a number that is none': text(sub(r'size=\d+', 'size=0x10')),
    'a directory': text(lambda s: s, opened(D)),
    'the pipe as an input': text(lambda s: s, lambda o: [o.w, o.w]),
    '/dev/zero': text(lambda s: s, opened('/dev/zero')),
    '/dev/zero by its own identity': text(lambda s: re.sub(r'dev=\d+ ino=\d+ size=\d+ mtime=\d+ ns=\d+', (lambda st: (
        f'dev={st.st_dev} ino={st.st_ino} size={st.st_size} mtime={st.st_mtime_ns // 10**9} ns={st.st_mtime_ns % 10**9}'
    ))(os.stat('/dev/zero')), s), opened('/dev/zero')),
    'a file that cannot be read': text(lambda s: s, lambda o: [o.w, os.open(o.input, os.O_WRONLY)]),
    'a path instead of a descriptor': text(lambda s: s, lambda o: [o.w, os.open(o.input, os.O_PATH)]),
    'another file': text(lambda s: s, opened(f'{D}/s.h5')),
    'a socket': text(lambda s: s, lambda o: [o.w, os.dup(socket.socketpair()[0].fileno())]),
    'too few descriptors': text(lambda s: s, lambda o: [o.w]),
    'too many descriptors': text(lambda s: s, lambda o: o.fds() + [os.open(o.input, os.O_RDONLY)]),
    'the end of the pipe once more': text(lambda s: s, lambda o: o.fds() + [os.dup(o.w)]),
    'two hundred descriptors': text(lambda s: s, lambda o: [o.w] * 200),
    'the same line twice': text(sub('(file 0 .*\n)', r'\1\1')),
    'a result of other axes': text(lambda s: s.replace('x=600', 'z=600').replace('path=', 'path=') if False else
                                   DATA.replace('x=600,y=1000', 'x=1000,y=600') % (4 * N), memory(4 * N)),
    'a result of another dtype': text(DATA.replace('f32', 'i32') % (4 * N), memory(4 * N)),
    'a result of another name': text(sub('out tensor', 'out other')),
    'a result of fewer axes': text((DATA.replace('x=600,y=1000', f'x={N}')) % (4 * N), memory(4 * N)),
    'no result': text(sub('out tensor 1\n', '')),
    'data that are shorter than said': text(DATA % (4 * N), memory(N)),
    'data that are longer than the leaf': text(DATA % (5 * N), memory(5 * N)),
    'data of no file': text(DATA % (4 * N), lambda o: [o.w, o.w]),
    'data of many GiB': text('axt-plan 1\ndevice cpu\n' + ''.join(f'data {i} bytes={60 << 20}\n' for i in range(60)) +
                             'end\n', lambda o: [o.w] + memory(60 << 20, True)(o)[1:] * 60),
    'taken, and then no answer': text(lambda s: s, then=lambda o, conn: None),
    'taken, and another answer': text(lambda s: s, then=lambda o, conn: conn.sendall(b'no\n')),
    'taken, and a long answer': text(lambda s: s, then=lambda o, conn: conn.sendall(b'o' * 1000)),
    'taken, and silence': text(lambda s: s, then=lambda o, conn: conn.recv(1)),
}


def change(how):
    """Changes the input when the reader has taken the plan."""
    def then(o, conn):
        how(o.input)
        honest(o, conn)
    return text(lambda s: s, then=then)


def append(path):
    with open(path, 'ab') as f:
        f.write(b'x')


def rewrite(path):
    time.sleep(.05)		# another tick of the file system's clock
    with open(path, 'r+b') as f:
        f.seek(9000)
        f.write(b'x' * 100)


def finish(*said):
    """What the writer says at its end."""
    def then(o, conn):
        conn.sendall(b'ok\n')
        for s in said:
            conn.sendall(s)
    return text(lambda s: s, then=then)


ERROR_CASES = {
    'touched while read': (change(lambda f: os.utime(f)), 'changed while being read'),
    'appended to while read': (change(append), 'changed while being read'),
    'written while read': (change(rewrite), 'changed while being read'),
    'truncated while read': (change(lambda f: os.truncate(f, 9000)), ''),
    'emptied while read': (change(lambda f: os.truncate(f, 0)), ''),
    'one byte more was sent than came': (finish(b'sent %d\n' % (len(BYTES) + 1)), 'bytes came of a stream'),
    'one byte more came than was sent': (finish(b'sent %d\n' % (len(BYTES) - 1)), 'bytes came of a stream'),
    'sent nothing': (finish(b'sent 0\n'), 'bytes came of a stream'),
    'sent -1': (finish(b'sent -1\n'), 'the writer of the stream failed'),
    'nonsense at the end': (finish(b'ready\n'), 'the writer of the stream failed'),
    'gone without a word': (finish(), 'the writer of the stream failed'),
    'a long word at the end': (finish(b'sent ' + b'1' * 500), 'the writer of the stream failed'),
}


def offers(t, pool):
    jobs = {n: pool.submit(Offer(f).run) for n, f in BYTES_CASES.items()}
    for name, j in jobs.items():
        o = j.result()
        slow = 20 if 'taken, and silence' in name else 12	# generous: two seconds, or ten
        t.ok(o.rc == 0 and o.made == 'right' and o.took < (LIMIT if SANITIZER else slow + 10),
             f'bytes are read: {name}', o)
    jobs = {n: (pool.submit(Offer(f, copy=True).run), why) for n, (f, why) in ERROR_CASES.items()}
    for name, (j, why) in jobs.items():
        o = j.result()
        t.ok(o.rc == 1 and o.made == 'nothing' and o.err.count('\n') == 1 and why in o.err, f'an error: {name}', o)


def believed(t):
    """What all these tests would see if a plan were taken."""
    o = Offer(text(lambda s: s)).run()
    t.ok(o.rc == 0 and o.made == 'evil' and o.answer == b'taken\n', 'the plan of whoever holds the pipe is taken', o)
    o = Offer(text(DATA % (4 * N), memory(4 * N))).run()
    t.ok(o.rc == 0 and o.made == 'wrong' and o.answer == b'taken\n', 'data in memory are taken', o)
    for name, how in ('renamed', lambda f: os.rename(f, f + '.x')), ('deleted', os.unlink):
        o = Offer(change(how), copy=True).run()
        t.ok(o.rc == 0 and o.made == 'evil', f'an input may be {name} while it is read', o)
    for name, data in ('short', BYTES[:-1]), ('long', BYTES + b'x'):
        for n in len(BYTES), len(data):
            o = Offer(finish(b'sent %d\n' % n), data=data).run()
            if n == len(BYTES):
                t.ok(o.rc == 1 and o.made == 'nothing', f'a {name} stream is not what its writer says', o)


def users(t):
    if os.getuid() != 0:
        t.skip('another user', 'needs root')
        return
    nobody = 65534
    o = Offer(text(lambda s: s), uid=nobody)
    r, w = os.pipe()
    o.r, o.w, o.opened, o.mine = r, w, [], [r, w]
    ready, tell = os.pipe()
    sh('chmod 644 *.h5')
    pid = o.child(tell, w)
    os.read(ready, 1)
    p = subprocess.Popen([f'{BIN}/axt-map', 'sqrt', '-', '--no-history', '-o', f'{D}/u.h5'], stdin=r, stderr=subprocess.PIPE)
    feeder = threading.Thread(target=o.feed, args=(os.dup(w),))
    feeder.start()
    time.sleep(.2)
    os.waitpid(pid, 0)
    os.close(w)
    err = p.communicate(timeout=LIMIT)[1]
    feeder.join()
    got = open(f'{D}/u.h5', 'rb').read()
    t.ok(p.returncode == 0 and got == WANT, "another user's listener is not believed", err)
    for fd in (r, ready, tell):
        os.close(fd)
    # and a reader of another user gets bytes
    with open(f'{D}/u1.txt', 'wb') as f:
        w = subprocess.Popen([f'{BIN}/axt-map', 'square', f'{D}/a.h5', '--no-history'], stdout=subprocess.PIPE)
        try:
            r = subprocess.Popen([f'{BIN}/axt-reduce', 'sum', '--explain'], stdin=w.stdout, stdout=f, stderr=f, user=nobody)
        except PermissionError:     # below /root
            r = None
        w.stdout.close()
        if r:
            r.wait(LIMIT)
        w.wait(LIMIT)
    said = open(f'{D}/u1.txt').read()
    if not r or r.returncode == 126 or 'cannot open shared' in said:
        t.skip('a reader of another user', 'it cannot run the commands')
    else:
        t.ok('reads -:tensor' in said and 'taken' not in said, 'a reader of another user gets bytes', said)


def hidden(t):
    """Plans in files."""
    with h5py.File(f'{D}/h.h5', 'w') as f:
        d = f.create_dataset('tensor', data=np.full((600, 1000), 4, 'f4'))
        d.attrs['axt-plan'] = d.attrs['plan'] = f.attrs['axt-plan'] = f.attrs['plan'] = PLAN
        f.create_dataset('axt-plan', data=PLAN)
        f.create_dataset('plan', data=np.frombuffer(PLAN.encode(), 'u1'))
    got = sh('axt-map sqrt h.h5:tensor | axt-reduce max -p; cat h.h5 | axt-map sqrt -:tensor | axt-reduce min -p;'
             f'AXT_PLAN=h.h5 axt-map sqrt -:tensor --explain <h.h5')
    t.ok(got.startswith(b'2\n2\n') and b'taken' not in got and b'negative' not in got, 'a plan in an attribute or a dataset is data', got)
    open(f'{D}/p.txt', 'w').write(PLAN)
    for line in 'cat p.txt | axt-map sqrt -p', 'axt-map sqrt p.txt -p', 'cat p.txt s.h5 | axt-map sqrt -p':
        p = shell(f'cd {D}; {line}', timeout=LIMIT)
        t.ok(p.returncode == 1 and not p.stdout and 1 <= p.stderr.count(b'\n') <= 2, f'a plan is no tensor: {line}', p.stderr)


# ---- readers against a true writer ----

def connect(fd):
    s = socket.socket(socket.AF_UNIX)
    s.connect(pipe_name(fd))
    s.settimeout(5)
    return s


def heard(s, fds):
    """The plan, with its descriptors taken."""
    got = b''
    while not got.endswith(b'\nend\n'):
        data, f, _, _ = socket.recv_fds(s, 65536, 64)
        fds += f
        if not data:
            break
        got += data
    return got


def says(word, hear=True, wait=0):
    def act(fd):
        s, fds = connect(fd), []
        if hear:
            heard(s, fds)
        for f in fds:
            os.close(f)
        if word:
            s.sendall(word)
        time.sleep(wait)
        return [s] if wait == 0 and not word else []
    return act


def crowd(fd):
    return [connect(fd) for _ in range(4)]


def many(fd):
    for _ in range(20):
        connect(fd).close()


def slowly(fd):
    s = connect(fd)

    def drip():
        try:
            for _ in range(20):
                s.sendall(b't')
                time.sleep(.2)
        except OSError:
            pass
    threading.Thread(target=drip, daemon=True).start()
    return [s]


READERS = {
    'connects and is silent, without taking the plan': lambda fd: [connect(fd)],
    'takes the plan and is silent': says(b''),
    'connects and leaves': lambda fd: connect(fd).close(),
    'connects twenty times': many,
    'comes as a crowd that stays': crowd,
    'says nonsense': says(b'\xff\0nonsense' * 30),
    'says nonsense before the plan': says(b'no\n', hear=False),
    'says half a word': says(b'tak', wait=.1),
    'drips': slowly,
    'says taken and dies': says(b'taken\n'),
    'says taken before the plan and dies': says(b'taken\n', hear=False),
}


def reader(name, act):
    p = subprocess.Popen([f'{BIN}/axt-map', 'square', f'{D}/a.h5', '--no-history'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    fd = p.stdout.fileno()
    first = os.read(fd, 100)		# it listens
    held = act(fd) or []
    got = bytearray(first)
    start = time.monotonic()
    while len(got) < len(BYTES):	# a guest that does not take its descriptors keeps the pipe open
        more = os.read(fd, 65536)
        if not more:
            break
        got += more
    try:
        err = p.stderr.read()
        rc = p.wait(LIMIT)
    except subprocess.TimeoutExpired:
        p.kill()
        rc, err = 'hangs', ''
    for s in held:
        s.close()
    p.stdout.close()
    p.stderr.close()
    whole = bytes(got) == BYTES
    taken = 'taken' in name
    good = rc == 0 and not err and (whole or taken and BYTES.startswith(bytes(got)))
    return good, f'status {rc}, {len(got)} of {len(BYTES)} bytes, {time.monotonic() - start:.1f} s {err}'


def main():
    t = Tap()
    believed(t)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        offers(t, pool)
        jobs = {n: pool.submit(reader, n, f) for n, f in READERS.items()}
        for name, j in jobs.items():
            t.ok(j.result()[0], f'a writer is done when a reader {name}', j.result()[1])
    users(t)
    hidden(t)
    t.done()


main()
