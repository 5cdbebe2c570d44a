#!/usr/bin/python3
"""Pipelines whose stages are killed, whose inputs fail or change, whose readers die: killed.py [MOMENTS [SEED]].

In all of them the last command gives the complete right result, or fails with a message and leaves nothing; statuses are
true under pipefail, and no temporary file stays.
"""
import os
import random
import signal
import subprocess
import time

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, random_cases, scratch, shell

LIMIT = 300 if SLOW else 90	# a hang
D = scratch()
TMP = f'{D}/tmp'
os.mkdir(TMP)
ENV = dict(os.environ, PATH=f'{BIN}:{os.environ["PATH"]}', TMPDIR=TMP)


def sh(line, **kw):
    p = shell(f'cd {D}; {line}', timeout=LIMIT, env={'TMPDIR': TMP}, **kw)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def made(line):
    rc, _, err = sh(line)
    assert rc == 0, err


# Stages, each from the one before; the last writes a file. Every kind: fused whole, spooled, streamed from the middle.
CHAINS = [
    [['axt-sub', 'a.h5', 'b.h5'], ['axt-map', 'square'], ['axt-reduce', 'mean', '--over', 'x'], ['axt-map', 'sqrt']],
    [['axt-map', 'square', 'a.h5'], ['axt-map', 'sqrt'], ['axt-map', 'exp']],
    [['axt-map', 'square', 'a.h5'], ['axt-order', 'y,x'], ['axt-sub', '-', 'b.h5']],
    [['axt-map', 'square', 'a.h5'], ['cat'], ['axt-order', 'y,x'], ['axt-map', 'sqrt']],
]


class Pipe:
    """A running chain."""

    def __init__(self, chain, fuse, out):
        self.out, self.stage, self.said = out, [], []
        last = subprocess.DEVNULL
        for i, words in enumerate(chain):
            end = i == len(chain) - 1
            words = words + (['--no-history'] if words[0] != 'cat' else []) + (['-o', out] if end else [])
            p = subprocess.Popen(words, cwd=D, env=dict(ENV, AXT_FUSE=str(fuse)), stdin=last,
                                 stdout=subprocess.DEVNULL if end else subprocess.PIPE, stderr=subprocess.PIPE)
            if last != subprocess.DEVNULL:
                last.close()
            last = p.stdout
            self.stage.append(p)

    def wait(self):
        """Statuses; 'hangs' is one."""
        rc = []
        for p in self.stage:
            try:
                self.said.append(p.stderr.read().decode())
                rc.append(p.wait(LIMIT))
            except subprocess.TimeoutExpired:
                rc.append('hangs')
                p.kill()
            p.stderr.close()
        return rc


def leftovers():
    """What is in the directories and was not meant to be."""
    known = {'tmp', 'a.h5', 'b.h5', 'z.h5'}
    return [f for f in os.listdir(D) if f not in known] + os.listdir(TMP)


def judge(pipe, rc, killed, want):
    """What is wrong, or ''."""
    out = open(pipe.out, 'rb').read() if os.path.exists(pipe.out) else None
    if out is not None:
        os.unlink(pipe.out)
    left = leftovers()
    last, n = rc[-1], len(rc)
    # a stage before one that died or failed may end by SIGPIPE, or be done
    allowed = {0, -signal.SIGPIPE, 1}
    if left:
        return f'left: {left}'
    if out is not None and out != want:
        return 'a wrong result'
    if killed == n - 1:
        if last not in (0, -signal.SIGKILL):
            return 'the last was killed'
        # all others end quietly
        if any(pipe.said[i] for i in range(n - 1)) or any(r not in (0, -signal.SIGPIPE) for r in rc[:-1]):
            return 'a writer whose reader died is not quiet'
        return '' if (last == 0) == (out is not None) or last != 0 else 'no output'
    if last == 0:
        return '' if out is not None else 'status 0 without a result'
    if last != 1 or out is not None:
        return 'no clean failure'
    if pipe.said[-1].count('\n') != 1:
        return 'not one message'
    if any(r not in allowed for i, r in enumerate(rc) if i != killed):
        return 'an odd status'
    return ''


def moments(t, n, seed):
    r = random.Random(seed)
    want, long = {}, {}
    for k, chain in enumerate(CHAINS):
        for fuse in 1, 0:
            start = time.monotonic()
            p = Pipe(chain, fuse, f'{D}/o.h5')
            rc = p.wait()
            long[k, fuse] = time.monotonic() - start
            out = open(p.out, 'rb').read()
            os.unlink(p.out)
            t.ok(set(rc) == {0} and out == want.setdefault(k, out), f'chain {k}, AXT_FUSE={fuse}: statuses 0, the same bytes', rc)
    count = {}
    bad = {}
    for i in range(n):
        k, fuse = r.randrange(len(CHAINS)), r.randrange(2)
        p = Pipe(CHAINS[k], fuse, f'{D}/o.h5')
        victim = r.randrange(len(p.stage))
        time.sleep(r.random() * long[k, fuse])
        p.stage[victim].send_signal(signal.SIGKILL)
        rc = p.wait()
        why = judge(p, rc, victim, want[k])
        hit = 'missed' if rc[victim] == 0 else 'result' if rc[-1] == 0 else 'failed'
        count[hit] = count.get(hit, 0) + 1
        if why:
            bad.setdefault((k, fuse), []).append(f'{why}: stage {victim} killed, statuses {rc}, {p.said}')
    for k in range(len(CHAINS)):
        for fuse in 1, 0:
            b = bad.get((k, fuse), [])
            t.ok(not b, f'chain {k}, AXT_FUSE={fuse}: killed at random moments', '\n'.join(b))
    print(f'# of {n}: {count}')


def fails(t, name, line, last, why=None, fuse=(1, 0)):
    """The pipeline ends with such a status, one message that says why, and leaves nothing."""
    for f in fuse:
        rc, out, err = sh(f'export AXT_FUSE={f}; ulimit -c 0; timeout {LIMIT} bash -o pipefail -c {q(line)}')
        lines = err.splitlines()
        left = leftovers()
        for x in left:
            if os.path.exists(f'{D}/{x}'):
                os.unlink(f'{D}/{x}')
        good = rc == last and not out and not left and (why is None or any(why in x for x in lines))
        t.ok(good, f'{name}, AXT_FUSE={f}', f'status {rc}, left {left}\n{out}{err}')


def q(s):
    return "'" + s.replace("'", "'\\''") + "'"


def limits(t):
    """The largest size of a file, the room in TMPDIR."""
    fails(t, 'ulimit -f at the end', 'axt-map square a.h5 | axt-map sqrt | (ulimit -f 100; axt-map exp -o o.h5)', 1, 'o.h5: File too large')
    fails(t, 'ulimit -f of what is kept',
          'cat a.h5 | (ulimit -f 100; axt-order y,x -m 1M -o o.h5)', 1)
    fails(t, 'no TMPDIR', 'cat a.h5 | TMPDIR=/nonexistent axt-order y,x -m 1M -o o.h5', 1)
    if os.path.exists('/dev/full'):
        rc, _, err = sh('axt-map square a.h5 | axt-map sqrt > /dev/full')
        t.ok(rc == 1 and 'No space left on device' in err, 'a full device at the end', err)
        rc, _, err = sh('axt-map square a.h5 | tee /dev/full 2>/dev/null | axt-map sqrt | axt-reduce sum -o o.h5')
        os.path.exists(f'{D}/o.h5') and os.unlink(f'{D}/o.h5')
        t.ok(rc == 1 and not leftovers(), 'tee fails: so does the pipeline under pipefail', err)


def inputs(t):
    """Inputs that fail."""
    size = os.path.getsize(f'{D}/a.h5')
    for n in size - 1, size // 2, 9000, 100, 0:
        fails(t, f'an input cut to {n} bytes', f'head -c {n} a.h5 >tmp/c.h5; axt-map square tmp/c.h5 | axt-map sqrt | axt-map exp -o o.h5;'
              ' r=$?; rm tmp/c.h5; exit $r', 1)
    # a chunk that cannot be read: the last
    fails(t, 'a damaged chunk', 'axt-map square z.h5 | axt-map sqrt | axt-reduce mean --over x -o o.h5', 1, 'chunk')
    fails(t, 'a damaged chunk, in an operand', 'axt-sub a.h5 <(axt-map square z.h5) | axt-map sqrt -o o.h5', 1)
    fails(t, 'a writer that fails at the end', '(axt-map square a.h5 | head -c 1000000; exit 1) | axt-map sqrt | axt-map exp -o o.h5', 1)
    fails(t, 'a writer that cannot start', 'axt-nosuch | axt-map sqrt | axt-map exp -o o.h5', 1)


def readers(t):
    """Readers that die."""
    for fuse in 1, 0:
        for name, line in {
                'which reads nothing': 'true', 'which reads a little': 'head -c 9000 >/dev/null',
                'which is killed': 'bash -c "head -c 9000 >/dev/null; kill -9 \\$\\$"', 'which has a wrong option': 'axt-map --nosuch 2>/dev/null',
                'which fails': 'axt-sub - nosuch.h5 2>/dev/null', 'which has no room': 'axt-map sqrt -o /nonexistent/o.h5 2>/dev/null',
                'whose output is full': 'axt-map sqrt 2>/dev/null >/dev/full',
        }.items():
            rc, out, err = sh(f'export AXT_FUSE={fuse}; timeout {LIMIT} bash -c ' +
                              q(f'axt-map square a.h5 | {line}; echo "${{PIPESTATUS[0]}}"'))
            err = '\n'.join(x for x in err.splitlines() if not x.startswith('bash: ') and 'Killed' not in x)	# the shell's own
            t.ok(out in ('141\n', '0\n') and not err and not leftovers(), f'a reader {name}: its writer is quiet, AXT_FUSE={fuse}', out + err)


def changes(t):
    """An input that changes while the pipeline runs: stopped by a FIFO that gives its bytes late."""
    made('axt-map square a.h5 --no-history | axt-add - b.h5 --no-history | axt-map sqrt --no-history -o o.h5')
    want = open(f'{D}/o.h5', 'rb').read()
    os.unlink(f'{D}/o.h5')
    for name, how in {'touched': 'touch c.h5', 'cut': 'truncate -s 1000000 c.h5', 'emptied': ': >c.h5', 'appended to': 'echo >>c.h5',
                      'rewritten, its time set back': 'touch -r c.h5 k; head -c 20000 /dev/zero | '
                      'dd of=c.h5 conv=notrunc seek=4 status=none; touch -r k c.h5; rm k',
                      'rewritten': 'head -c 20000 /dev/zero | dd of=c.h5 conv=notrunc seek=4 status=none',
                      'cut and restored': 'cp -p c.h5 k.h5; truncate -s 9000 c.h5; cat k.h5 >c.h5; rm k.h5'}.items():
        # once the writer has it open; the last reads on when the FIFO f goes on
        line = ('cp a.h5 c.h5; mkfifo f g; axt-map square c.h5 --no-history >g & p=$!; { head -c 100000 b.h5; '
                'until ls -l /proc/$p/fd 2>/dev/null | grep -q c.h5 || ! kill -0 $p 2>/dev/null; do sleep 0.01; done; sleep 0.2; '
                + how + '; tail -c +100001 b.h5; } >f & '
                'axt-add g f --no-history | axt-map sqrt --no-history -o o.h5; r=$?; wait; rm -f f g c.h5; exit $r')
        for fuse in 1, 0:
            rc, _, err = sh(f'export AXT_FUSE={fuse}; timeout {LIMIT} bash -o pipefail -c {q(line)}')
            out = None
            if os.path.exists(f'{D}/o.h5'):
                out = open(f'{D}/o.h5', 'rb').read()
                os.unlink(f'{D}/o.h5')
            # as bytes it may have been read before
            before = rc == 0 and out == want and (not fuse or SANITIZER)
            t.ok((before or rc == 1 and out is None) and not leftovers(), f'an input that is {name}, AXT_FUSE={fuse}',
                 f'status {rc}, {leftovers()}\n{err}')
    # what leaves its bytes alone
    for name, how in {'renamed': 'mv c.h5 k.h5', 'removed': 'rm c.h5', 'replaced': 'cp b.h5 k.h5; mv k.h5 c.h5',
                      'linked': 'ln c.h5 k.h5', 'locked away': 'chmod 0 c.h5'}.items():
        line = ('cp a.h5 c.h5; mkfifo f; { head -c 100000 b.h5; '
                'until ls -l /proc/$p/fd 2>/dev/null | grep -q c.h5; do p=$(cat pid 2>/dev/null); sleep 0.01; done; '
                + how + '; tail -c +100001 b.h5; } >f & '
                '(echo $BASHPID >pid; exec axt-add c.h5 f --no-history -o k2.h5); r=$?; wait; mv k2.h5 o.h5; rm -f f c.h5 k.h5 pid; exit $r')
        rc, _, err = sh(f'timeout {LIMIT} bash -c {q(line)}')
        good = rc == 0 and os.path.exists(f'{D}/o.h5')
        if good:
            made('axt-add a.h5 b.h5 --no-history -o k.h5; cmp k.h5 o.h5; rm k.h5 o.h5')
        t.ok(good and not leftovers(), f'an input that is {name} is what it was', f'status {rc}, {leftovers()}\n{err}')
    # many moments of a truncation: the right result, or an error, never a signal
    n, bad = (3 if SANITIZER else 12), []
    want = None
    for i in range(n):
        rc, _, err = sh(f'cp a.h5 c.h5; export AXT_FUSE={i % 2}; (sleep 0.0{i // 2}; truncate -s {20000 + i * 100000} c.h5) & '
                        'axt-map square c.h5 --no-history | axt-order y,x --no-history | axt-map sqrt --no-history -o o.h5; '
                        'r=("${PIPESTATUS[@]}"); wait; rm c.h5; echo "${r[@]}" >&2; exit ${r[2]}')
        out = open(f'{D}/o.h5', 'rb').read() if os.path.exists(f'{D}/o.h5') else None
        if out:
            os.unlink(f'{D}/o.h5')
            if want is None:
                made('axt-map square a.h5 --no-history | axt-order y,x --no-history | axt-map sqrt --no-history -o o.h5')
                want = open(f'{D}/o.h5', 'rb').read()
                os.unlink(f'{D}/o.h5')
        status = err.splitlines()[-1].split()
        if (rc == 0) != (out is not None) or (out and out != want) or any(s not in ('0', '1', '141') for s in status) or leftovers():
            bad.append(err)
    t.ok(not bad, 'an input truncated at many moments', '\n'.join(bad))


def main():
    n, seed = random_cases(32, 10, 10, 1)
    t = Tap()
    # 16 MB; z.h5 has a chunk that is damaged
    made('axt-make random x=2000,y=2000 --dtype f32 --seed 1 -o a.h5; axt-make random x=2000,y=2000 --dtype f32 --seed 2 -o b.h5')
    with h5py.File(f'{D}/z.h5', 'w') as f:
        a = f.create_dataset('tensor', data=np.random.default_rng(1).standard_normal((2000, 2000)).astype('f4'), chunks=(100, 2000),
                             compression='gzip', compression_opts=1, fletcher32=True)
        for i, name in enumerate('xy'):
            f[name] = np.arange(2000)
            f[name].make_scale(name)
            a.dims[i].attach_scale(f[name])
        where = a.id.get_chunk_info(19)
    with open(f'{D}/z.h5', 'r+b') as f:
        f.seek(where.byte_offset + where.size // 2)
        f.write(b'\xa5' * 64)
    moments(t, n, seed)
    limits(t)
    inputs(t)
    readers(t)
    changes(t)
    t.done()


main()
