#!/usr/bin/python3
"""How jobs of several processes of MPI end, whatever happens to them: ends.py [TIMES [SEED]].

Processes are killed at random moments, and rank 0 at each call that changes the folder; jobs are told to end; disks are
full, memory ends, inputs change meanwhile. Each time the output is as it was or whole, the job has a status, at most one process says why,
and nothing is left beside the output, at the latest when the next job has written it.

mpirun has bugs that any program meets, which are allowed for. That of Open MPI 4.1 waits without end, after one or two kills in a
hundred, when all that it started has ended (in PMIx_server_finalize). That of MPICH (4.0, 4.2, 5.0) has the status 0 after some kills,
and says nothing.
"""
import fcntl
import os
import random
import shutil
import signal
import subprocess
import time

import parts
import ranks
from axtlib import BIN, Tap, random_cases
from ranks import MPIS, OUT, RANK

# What is written: the name of the output, what makes an old one, and the job.
KINDS = {
    'a file': ('out.nc', 'axt-make iota x=5 -o out.nc', 'axt-map exp {} -o out.nc'),
    'packed chunks': ('out.nc', 'axt-make iota x=5 -o out.nc', 'axt-map exp {} --compress deflate --chunk x=10000 -o out.nc'),
    'a store': ('out.zarr', 'axt-make iota x=5 -o out.zarr', 'axt-map exp {} --chunk x=10000 -o out.zarr'),
    'a dataset of a file': ('out.nc', 'axt-make iota i=5 --name i -o out.nc', 'axt-map exp {} -o out.nc:y'),
}
LONG = 1500000   # elements of a.nc
PIDS = f'{parts.DIR}/pids'


def state():
    """What is in OUT: the bytes of files by their paths; those of folders end with a slash."""
    out = {}
    for here, folders, names in os.walk(OUT):
        out.update({os.path.relpath(f'{here}/{n}', OUT) + '/': b'' for n in folders})
        for n in names:
            with open(f'{here}/{n}', 'rb') as f:
                out[os.path.relpath(f'{here}/{n}', OUT)] = f.read()
    return out


def put(files):
    """Makes OUT have these files and nothing else."""
    ranks.clean()
    for n in sorted(files):
        if n[-1] == '/':
            os.makedirs(f'{OUT}/{n}')
        else:
            with open(f'{OUT}/{n}', 'wb') as f:
                f.write(files[n])


def shown(files):
    return {n: b for n, b in files.items() if not n.startswith('.')}


class Kind:
    """One kind of outputs with one MPI: what is there before a job and after it, and when its processes begin and end."""

    def __init__(self, what, mpi, a='../a.nc'):
        self.what, self.mpi = what, mpi
        _, make, line = KINDS[what]
        self.line = line.format(a)
        ranks.clean()
        ranks.alone(make)
        self.old = state()
        rc, err = ranks.alone(self.line)
        assert rc == 0, err
        self.new = state()
        self.takes = 60
        for _ in range(2):
            p = self.begin()
            self.wait_for(p, range(3))
            begun = time.monotonic()
            rc, err, _ = end(p)
            assert rc == 0 and state() == self.new, err
            self.takes = min(self.takes, time.monotonic() - begun)

    def begin(self, before='', after=''):
        """A job over the old output. before: a line of sh in each process, which sees its number as $R; after: more words."""
        put(self.old)
        shutil.rmtree(PIDS, ignore_errors=True)
        os.mkdir(PIDS)
        return ranks.start(self.mpi, 3, f'R=${RANK[self.mpi]}; {before}\necho $$ >{PIDS}/new.$R; mv {PIDS}/new.$R {PIDS}/$R; exec {after} {self.line}')

    def wait_for(self, p, which):
        """Waits until these processes have begun: their ids."""
        found, until = [], time.monotonic() + 20
        for k in which:
            while not os.path.exists(f'{PIDS}/{k}') and p.poll() is None and time.monotonic() < until:
                time.sleep(.002)
            if os.path.exists(f'{PIDS}/{k}'):
                with open(f'{PIDS}/{k}') as f:
                    found.append(int(f.read()))
        return found


def end(p, patience=40):
    """Waits for mpirun: its status, what it and the processes said, and what is wrong about that."""
    try:
        out, err = p.communicate(timeout=patience)
        return p.returncode, (out + err).decode(errors='replace'), ''
    except subprocess.TimeoutExpired:
        left = ranks.others_in_out(p.pid)
        for pid in left + [p.pid]:
            os.kill(pid, 9)
        out, err = p.communicate()
        return p.returncode, (out + err).decode(errors='replace'), f'it did not end: {len(left)} processes beside mpirun'


def said_by_axt(text):
    return [x for x in text.splitlines() if x.startswith('axt-') and ': hint: ' not in x]


class Tally:
    """What many jobs of one sort came to."""

    def __init__(self):
        self.jobs, self.count, self.wrong = 0, {}, []

    def judge(self, kind, ended, hurt, how, says=None, also=None):
        """One job. hurt: something happened to it; says: what one line of axt has to hold; also: an output that is right, too."""
        rc, text, never = ended
        now = state()
        bad = [never] if never and not (kind.mpi == 'openmpi' and 'did not end: 0' in never) else []
        left = sorted(n for n in now if n.startswith('.'))
        result = 'whole' if shown(now) in (kind.new, also) else 'as it was' if shown(now) == kind.old else 'damaged'
        said = said_by_axt(text)
        if result == 'damaged':
            bad.append(f'another output: {sorted(shown(now))[:5]}')
        if rc == 0 and result != 'whole' and not (hurt == 'signal' and kind.mpi != 'openmpi'):
            bad.append('status 0 without a result')
        if rc and not text and hurt != 'signal':
            bad.append('nobody says why')
        if rc and not hurt:
            bad.append(f'status {rc} of a job that nothing happened to')
        if len(said) > 1 or (says and rc and not any(w in text for w in says)):
            bad.append(f'said: {said}')
        if hurt != 'signal' and said and left:
            bad.append(f'left by a job that failed: {left[:4]}')
        self.jobs += 1
        for word in [result] + ['with debris'] * bool(left) + ['status 0'] * (rc == 0) + ['said why'] * bool(said):
            self.count[word] = self.count.get(word, 0) + 1
        if bad:
            self.wrong.append(f'{kind.what}, {how}: status {rc}, {"; ".join(bad)}; {text[-300:]}')

    def next_job(self, kind, how):
        """The next job on the output leaves nothing but that."""
        rc, err = ranks.run(kind.mpi, 3, kind.line)
        now = state()
        left = sorted(n for n in now if n.startswith('.'))
        if rc or left or (kind.what != 'a dataset of a file' and now != kind.new):
            self.wrong.append(f'{kind.what}, {how}: the next job: status {rc} {err[-300:]} left {left[:4]}')

    def tell(self, t, what):
        counts = ', '.join(f'{n} {w}' for w, n in sorted(self.count.items()))
        t.ok(not self.wrong and self.jobs > 0, f'{what}: {self.jobs} jobs: {counts}', '\n'.join(self.wrong[:10]))


# ---- signals ----

def alive(pid):
    """Whether it is there, and has not ended."""
    try:
        with open(f'/proc/{pid}/stat') as f:
            return f.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def signals(t, kinds, times, r, what, number, whom):
    """A signal at a random moment to whom(r, processes, mpirun)."""
    tally = Tally()
    for i in range(times):
        kind = kinds[i % len(kinds)]
        p = kind.begin()
        pids = kind.wait_for(p, range(3))
        at = r.uniform(0, kind.takes)
        time.sleep(at)
        hit = False
        for pid in whom(r, pids, p.pid):
            if alive(pid):
                os.kill(pid, number)
                hit = True
        how = f'after {at:.3f} of {kind.takes:.3f} s'
        tally.judge(kind, end(p), hit and 'signal', how)
        tally.count['in time'] = tally.count.get('in time', 0) + hit
        tally.next_job(kind, how)
    tally.tell(t, f'{kinds[0].mpi}: {what}')


SIGNALS = {
    'kill -9 of one process': (9, lambda r, pids, mpirun: [r.choice(pids)]),
    'SIGTERM to one process': (15, lambda r, pids, mpirun: [r.choice(pids)]),
    'SIGTERM to all processes': (15, lambda r, pids, mpirun: pids),
    'SIGTERM to mpirun': (15, lambda r, pids, mpirun: [mpirun]),
    'kill -9 of all processes and mpirun': (9, lambda r, pids, mpirun: [mpirun] + pids),
}
CALLS = 'mkdir linkat renameat renameat2 unlinkat rmdir ftruncate fallocate pwrite64 copy_file_range flock'.split()


def each_call(t, kinds):
    """kill -9 of rank 0 at each call that changes files, by strace."""
    tally, calls = Tally(), {}
    if not shutil.which('strace') or subprocess.run(['strace', '-o', '/dev/null', 'true'], capture_output=True, check=False).returncode:
        t.skip('kill -9 at each call', 'no strace, or it may not trace')
        return
    for kind in kinds:
        trace = f'{PIDS}/trace'
        words = 'T=; [ $R != 0 ] || T="strace -f -qq -o {} {}"'
        ended = end(kind.begin(words.format(trace, f'-e trace={",".join(CALLS)}'), '$T'))
        assert ended[0] == 0 and state() == kind.new, ended
        with open(trace) as f:
            done = [x.split(None, 1)[1].partition('(')[0] for x in f]
        for call in CALLS:
            n = done.count(call)
            for k in sorted(set(list(range(1, min(n, 6) + 1)) + list(range(max(1, n - 2), n + 1)))):
                how = f'-e trace={call} -e inject={call}:signal=KILL:when={k}'
                tally.judge(kind, end(kind.begin(words.format('/dev/null', how), '$T')), 'signal', f'at {call} {k} of {n}')
                tally.next_job(kind, f'at {call} {k} of {n}')
                calls[call] = calls.get(call, 0) + 1
    tally.tell(t, f'{kinds[0].mpi}: kill -9 of rank 0 at {" ".join(f"{c} {n}" for c, n in calls.items())}')


def swept(t, kinds):
    """What is removed of what has a hidden name: what nobody holds, and belongs to the output."""
    for kind in kinds:
        put(kind.old)
        name = 'out.zarr' if kind.what == 'a store' else 'out.nc'
        for n in '.axtabcdef', '.axtheld00', '.axtlong00x', '.0123456789abcdef.2':
            open(f'{OUT}/.{name}{n}', 'w').close()
        open(f'{OUT}/.other.nc.axtabcdef', 'w').close()
        for n in '.axtmarked', '.axtbare00', '.axtempty0', '.axtheld01':
            os.mkdir(f'{OUT}/.{name}{n}')
            if n != '.axtempty0':
                open(f'{OUT}/.{name}{n}/{"c" if n == ".axtbare00" else ".axt-unfinished"}', 'w').close()
        held = [os.open(f'{OUT}/.{name}.axtheld0{k}', os.O_RDONLY) for k in (0, 1)]
        for fd in held:
            fcntl.flock(fd, fcntl.LOCK_SH)
        rc, err = ranks.run(kind.mpi, 2, kind.line)
        left = {n for n in os.listdir(OUT) if n[0] == '.'}
        want = {f'.{name}{n}' for n in ('.axtheld00', '.axtlong00x', '.0123456789abcdef.2', '.axtbare00', '.axtheld01')} | {'.other.nc.axtabcdef'}
        t.ok(rc == 0 and left == want, f'{kind.mpi}: {kind.what}: what killed jobs left goes, and nothing else', f'{rc} {err} {left ^ want}')
        for fd in held:
            os.close(fd)


def unseen(kind):
    """A job whose launcher is stopped when a process of it is killed, and then goes on."""
    p = kind.begin()
    pids = kind.wait_for(p, range(3))
    while p.poll() is None and not has_output(pids[0]):
        time.sleep(.001)
    with open(f'/proc/{pids[1]}/stat') as f:
        launcher = int(f.read().rpartition(')')[2].split()[1])
    os.kill(launcher, signal.SIGSTOP)
    os.kill(pids[1], 9)
    until = time.monotonic() + 20
    # those of Open MPI wait for the launcher to end them
    while time.monotonic() < until - (10 if kind.mpi == 'openmpi' else 0) and any(alive(x) for x in (pids[0], pids[2])):
        time.sleep(.1)
    os.kill(launcher, signal.SIGCONT)
    return end(p)


def unheeded(t, kind):
    """A launcher that does not see that a process was killed: the others see it, and end the job. When it goes on, it may see
    the death before it reads what they say: one in eight of MPICH does, not three in a row."""
    for _ in range(3):
        rc, text, never = unseen(kind)
        if never or state() != kind.old or 'abort' in text.lower():
            break
    t.ok(rc != 0 and not never and state() == kind.old and 'abort' in text.lower(), f'{kind.mpi}: a process that is gone is missed', f'{rc} {text} {never}')


# ---- errors ----

def failures(t, mpi, half):
    """Processes fail: one line, a status, the old output, and nothing beside it. half: 0: all kinds of disks; 1, 2: every other one."""
    ranks.clean()
    ranks.alone('axt-make iota x=5 -o old.nc; axt-make random x=2000000 --seed 1 --dtype f64 -o a0.nc; cp a0.nc a1.nc; touch -d yesterday a1.nc')
    was = state()
    short = '[ $R = 0 ] || ulimit -f 14000;'
    for i, (what, line, want) in enumerate((
            ('sees another file', 'axt-mul a$R.nc 2 -o old.nc', 'the 2 processes of the job see different inputs'),
            ('has no file', 'axt-mul a$((R * 7)).nc 2 -o old.nc', 'a7.nc: No such file'),
            ('has no file, nor has the other,', 'axt-mul b$R.nc 2 -o old.nc', 'b0.nc: No such file'),
            ('has no file for a dataset', 'axt-mul a$((R * 7)).nc 2 -o old.nc:z', 'a7.nc: No such file'),
            ('and the other draw random numbers', 'axt-make random x=9 -o old.nc', '--seed'),
            ('has a full disk', f'{short} axt-mul a0.nc 2 -o old.nc', 'File too large'),
            ('has a full disk for chunks', f'{short} axt-mul a0.nc 2 --compress deflate -o old.nc', 'File too large'),
            ('has a full disk for values', f'{short} axt-mul a0.nc 2 --chunk x=1000 -m 4M -o old.nc', 'File too large'),
            ('has a full disk for a store', f'{short} axt-mul a0.nc 2 -m 4M -o old.zarr', 'File too large'),
            ('has a full disk for a part', f'{short} axt-mul a0.nc 2 -o old.nc:z', 'File too large'))):
        if half and 'full' in what and i % 2 != half % 2:
            continue
        rc, err = ranks.run(mpi, 2, f'R=${RANK[mpi]}; {line}')
        said = said_by_axt(err)
        t.ok(rc != 0 and state() == was and want in err and len(said) == 1, f'{mpi}: a process {what}', f'{rc} {said} {sorted(state())}')


def full_for_one(t, kinds, times, r):
    """One process may not write files as long as it has to."""
    tally = Tally()
    for i in range(times):
        kind = kinds[i % len(kinds)]
        who, blocks = r.randrange(3), r.randrange(1, 1 + len(max(kind.new.values(), key=len)) // 512)
        how = f'at most {blocks} blocks for rank {who}'
        tally.judge(kind, end(kind.begin(f'[ $R != {who} ] || ulimit -f {blocks}')), True, how, ['File too large', 'MPI_Init', 'ORTE_ERROR'])
        tally.next_job(kind, how)
    tally.tell(t, f'{kinds[0].mpi}: files of one process have to be short')


def full_for_all(t, kinds, times, r):
    """The output is on a disk that is full before the end."""
    tally = Tally()
    for i in range(times):
        kind = kinds[i % len(kinds)]
        need = [sum(len(b) + 4096 for b in files.values()) for files in (kind.old, kind.new)]
        size = need[0] + 65536 + int(need[1] * r.uniform(0, 1.5))
        ranks.clean()
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'none', OUT], capture_output=True, check=False).returncode:
            t.skip(f'{kind.mpi}: full disks', 'no file system can be mounted')
            return
        try:
            how = f'{size} bytes'
            tally.judge(kind, end(kind.begin()), True, how, ['No space left on device'])
            subprocess.run(['mount', '-o', 'remount,size=1g', OUT], check=True)
            tally.next_job(kind, how)
        finally:
            subprocess.run(['umount', OUT], check=True)
    tally.tell(t, f'{kinds[0].mpi}: a full disk')


def no_memory(t, kinds, times, r):
    """One process may not have as much memory as it needs, or as MPI does, which then says so itself."""
    tally = Tally()
    least, most = (45000, 80000) if kinds[0].mpi == 'openmpi' else (66000, 180000)
    for i in range(times):
        kind = kinds[i % len(kinds)]
        who, kib = r.randrange(3), r.randrange(least, most)
        how = f'{kib} KiB for rank {who}'
        tally.judge(kind, end(kind.begin(f'[ $R != {who} ] || ulimit -v {kib}')), True, how)
        tally.next_job(kind, how)
    tally.tell(t, f'{kinds[0].mpi}: memory of one process is limited')


def rewritten(to, other):
    with open(to, 'r+b') as f:
        f.write(other)


def replaced(to, other):
    with open(to + '.new', 'wb') as f:
        f.write(other)
    os.replace(to + '.new', to)


CHANGES = {'rewritten in place': rewritten, 'replaced': replaced, 'shortened': lambda to, other: os.truncate(to, len(other) // 2),
           'removed': lambda to, other: os.remove(to), 'touched': lambda to, other: os.utime(to)}


def changes(t, mpi, times, r):
    """The input changes during the job: the result is of what it was or is, or a process says that it changed."""
    b = f'{parts.DIR}/b.nc'
    ranks.alone(f'axt-make random x={LONG} --seed 2 -o ../c.nc')
    was, other = [open(f'{parts.DIR}/{n}.nc', 'rb').read() for n in 'ac']
    replaced(b, was)
    kinds = [Kind(what, mpi, '../b.nc') for what in KINDS]
    tally = Tally()
    for i in range(times):
        kind, what = kinds[i % len(kinds)], list(CHANGES)[i % len(CHANGES)]
        replaced(b, was)
        p = kind.begin()
        kind.wait_for(p, range(3))
        at = r.uniform(0, kind.takes)
        time.sleep(at)
        CHANGES[what](b, other)
        ended = end(p)
        written, also = state(), None
        if ended[0] == 0 and written != kind.new:
            put(kind.old)
            ranks.alone(kind.line)
            also = state()
            put(written)
        how = f'the input is {what} after {at:.3f} of {kind.takes:.3f} s'
        tally.judge(kind, ended, True, how, ['b.nc', 'see different inputs'], also)
        replaced(b, was)
        tally.next_job(kind, how)
    tally.tell(t, f'{mpi}: inputs that change')


# ---- while all is well ----

def to_disk(t, kinds):
    """Where one process waits for the disk before it replaces its input, each of several waits before the first one renames."""
    if subprocess.run(['strace', '-o', '/dev/null', 'true'], capture_output=True, check=False).returncode:
        t.skip('bytes on the disk before an input is replaced', 'no strace, or it may not trace')
        return
    for kind in kinds:
        line = kind.line.replace('../a.nc', 'out.nc')
        for n in (1, 3):
            ranks.clean()
            shutil.copy(f'{parts.DIR}/a.nc', f'{OUT}/out.nc')
            rc, err = ranks.run(kind.mpi, n, f'exec strace -f -ttt -e trace=fdatasync,renameat -o ../trace.${RANK[kind.mpi]} {line}')
            traces = [open(f'{parts.DIR}/trace.{k}').read().splitlines() for k in range(n)]
            at = [[float(x.split()[1]) for x in lines if call in x and x.endswith('= 0')] for lines in traces for call in ('fdatasync(', 'renameat(')]
            synced, renamed = at[::2], at[1::2]
            t.ok(rc == 0 and all(len(x) > 0 and x[0] < renamed[0][0] for x in synced) and [len(x) for x in renamed] == [1] + [0] * (n - 1),
                 f'{kind.mpi}: -n {n} {line}: each process waits for the disk', f'{rc} {err} {traces}')


def seconds_of(pid):
    with open(f'/proc/{pid}/stat') as f:
        return sum(int(x) for x in f.read().rpartition(')')[2].split()[11:13]) / os.sysconf('SC_CLK_TCK')


def has_output(pid):
    """Whether it has a file without a name in OUT: the new output."""
    try:
        return any('deleted' in os.readlink(f'/proc/{pid}/fd/{n}') and OUT in os.readlink(f'/proc/{pid}/fd/{n}') for n in os.listdir(f'/proc/{pid}/fd'))
    except OSError:
        return False


def stopped(kind):
    """A job whose first process is stopped while it computes: seconds of processor time that each of the others then uses in half a second; None if it
    ended before it was stopped."""
    p = kind.begin()
    pids = kind.wait_for(p, range(3))
    while p.poll() is None and not has_output(pids[0]):
        time.sleep(.001)
    if p.poll() is not None:  # files have names here
        return end(p), [0]
    time.sleep(.05)
    took = None
    try:
        os.kill(pids[0], signal.SIGSTOP)
        for _ in range(20):  # until they have done what is theirs
            began = [seconds_of(x) for x in pids[1:]]
            time.sleep(.5)
            took = [seconds_of(x) - y for x, y in zip(pids[1:], began)]
            if max(took) < .05:
                break
        os.kill(pids[0], signal.SIGCONT)
    except OSError:  # the job ended before the first process was stopped, on a machine that has little else to do
        if p.poll() is None and alive(pids[0]):
            os.kill(pids[0], signal.SIGCONT)
    return end(p), took


def waiting(t, kind):
    """While the first process does not go on, the others sleep. It may have been stopped while they take something from it: not twice."""
    for _ in range(5):
        (rc, text, never), took = stopped(kind)
        if rc or (took and max(took) < .05):
            break
    t.ok(rc == 0 and not never and state() == kind.new and took and max(took) < .05,
         f'{kind.mpi}: processes that wait half a second use less than 0.05 s', f'{rc} {text} {never} {took}')


def main():
    times, seed = random_cases(2, 2, 2, 1)
    many = times >= 20
    t = Tap()
    os.mkdir(OUT)
    ranks.standard()
    if not MPIS:
        t.skip('ends of jobs of MPI', 'no mpirun, or axt is built without MPI')
        t.done()
        return
    ranks.alone(f'axt-make random x={LONG} --seed 1 -o ../a.nc')
    r = random.Random(seed)
    some = -(-times * 3 // 10)
    for m, mpi in enumerate(MPIS):
        kinds = [Kind(what, mpi) for what in KINDS]
        failures(t, mpi, 0 if many else m + 1)
        swept(t, kinds if many else kinds[1 + m % 2::2])
        to_disk(t, kinds[:2] if many else kinds[m % 2:m % 2 + 1])
        waiting(t, kinds[1])
        if many or m == len(MPIS) - 1:
            unheeded(t, kinds[1])
        for i, (what, (number, whom)) in enumerate(SIGNALS.items()):
            if i == 0 or many or i % len(MPIS) == m:
                signals(t, kinds, some if i else times, r, what, number, whom)
        if many:
            each_call(t, kinds)
            full_for_one(t, kinds, some, r)
            no_memory(t, kinds, some, r)
        if many or m == 0:
            full_for_all(t, kinds, some, r)
        if many or m == len(MPIS) - 1:
            changes(t, mpi, times, r)
    t.done()


if __name__ == '__main__':
    main()
