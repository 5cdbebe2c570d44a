#!/usr/bin/python3
"""Jobs that Slurm starts on two nodes: slurm.py.

The nodes are two daemons of Slurm on this machine, with a controller and munge of their own. What srun writes by PMI2 (MPICH) and
by PMIx (Open MPI), and what the tasks of an array write as parts, has the bytes of what one process writes. It needs to be root, and
Debian's slurmctld, slurmd, slurm-client and munge; without them it is skipped.
"""
import os
import shutil
import subprocess
import time

import parts
from axtlib import Tap

OUT, DIR = parts.OUT, os.path.join(parts.DIR, 'slurm')
CONF = """ClusterName=axt
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=17000
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={dir}/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool-%n
TmpFS={dir}/tmp-%n
SlurmctldPidFile={dir}/c.pid
SlurmdPidFile={dir}/%n.pid
SlurmctldLogFile={dir}/c.log
SlurmdLogFile={dir}/%n.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ENV = dict(os.environ, PATH=f'{parts.BIN}:{os.environ["PATH"]}', SLURM_CONF=f'{DIR}/slurm.conf', AXT_THREADS='1')
DAEMONS = []


def daemon(*words, who=None):
    with open(f'{DIR}/daemons', 'ab') as log:
        DAEMONS.append(subprocess.Popen(words, env=ENV, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=who))


def said(*words, cwd=OUT, timeout=120):
    p = subprocess.run(words, cwd=cwd, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False)
    return p.returncode, p.stdout + p.stderr


def cluster():
    """Whether both nodes are there to be used after at most 20 seconds."""
    for d in 'state', 'spool-n1', 'spool-n2', 'tmp-n1', 'tmp-n2':
        os.makedirs(f'{DIR}/{d}')
    with open(f'{DIR}/slurm.conf', 'w') as f:
        f.write(CONF.format(host=os.uname().nodename.split('.')[0], dir=DIR))
    with open(f'{DIR}/key', 'wb') as f:
        f.write(os.urandom(128))
    os.chmod(f'{DIR}/key', 0o600)
    daemon('munged', '--foreground', '--force', f'--key-file={DIR}/key', f'--socket={DIR}/munge', f'--pid-file={DIR}/m.pid',
           f'--log-file={DIR}/m.log', f'--seed-file={DIR}/m.seed')
    time.sleep(1)
    daemon('slurmctld', '-D')
    for n in 'n1', 'n2':
        daemon('slurmd', '-D', '-N', n)
    for _ in range(40):
        if said('sinfo', '-h', '-o', '%t %D', cwd=DIR)[1].strip() == 'idle 2':
            return True
        time.sleep(.5)
    return False


def clean():
    for f in os.listdir(OUT):
        os.remove(os.path.join(OUT, f))


def ranks(t, kind):
    """A job of four processes on two nodes."""
    for line in parts.JOBS:
        clean()
        said('sh', '-c', f'{line} -o plain.nc')
        rc, out = said('srun', f'--mpi={kind}', '-N', '2', '-n', '4', 'sh', '-c', f'{line} -o ranks.nc')
        same = rc == 0 and parts.bytes_of('ranks.nc') == parts.bytes_of('plain.nc')
        t.ok(same and sorted(os.listdir(OUT)) == ['plain.nc', 'ranks.nc'], f'srun --mpi={kind}: {line}', out)


def said_begun():
    """Whether the output has been begun, which it is once MPI has."""
    return any(n.startswith('.old.nc') for n in os.listdir(OUT))


def ended(kind, line, was, kill=None):
    """Runs a job of four processes. was: what the output holds before; kill: seconds after which the second process is killed.
    Returns its status and what it said, and None where the job had done its work before, or MPI had not begun: then others wait."""
    clean()
    said('sh', '-c', 'axt-make iota x=3 -o old.nc')
    for k in range(4):
        if os.path.exists(f'{parts.DIR}/pid.{k}'):
            os.remove(f'{parts.DIR}/pid.{k}')
    p = subprocess.Popen(['srun', f'--mpi={kind}', '-N', '2', '-n', '4', 'sh', '-c', line], cwd=OUT, env=ENV, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    alive = kill is None
    until = time.time() + 20
    while not alive and p.poll() is None and time.time() < until:
        time.sleep(.02)
        if os.path.exists(f'{parts.DIR}/pid.1') and (pid := open(f'{parts.DIR}/pid.1').read()).endswith('\n'):
            time.sleep(kill)
            try:
                os.kill(int(pid), 9)
                alive = True
            except ProcessLookupError:
                break
    try:
        out = p.communicate(timeout=40)[0]
    except subprocess.TimeoutExpired:
        said('scancel', '--user=root')
        out = p.communicate()[0]
        if kill is not None and not said_begun():
            return None
    return (p.returncode, out) if alive and (kill is None or p.returncode or parts.bytes_of('old.nc') == was) else None


def ends(t, kind):
    """One process of four fails, or is killed: all end, one says why, and the output is as it was."""
    said('sh', '-c', 'axt-make random x=8000000 --seed 1 -o ../a.nc; axt-make iota x=3 -o ../old.nc')
    was = parts.bytes_of('../old.nc')
    for what, line, times in (('finds no input', 'exec axt-map exp ../a$((SLURM_PROCID % 2)).nc -o old.nc', (None,)),
                              ('is killed', 'echo $$ >../pid.$SLURM_PROCID; exec axt-map exp ../a.nc --compress deflate -o old.nc',
                               (.4, .2, .1, .05))):
        job = next((r for s in times if (r := ended(kind, line, was, s))), None)
        rc, out = job or (0, 'each time the job was done before a process was to be killed')
        lines = [x for x in out.splitlines() if x.startswith('axt-')]
        t.ok(rc != 0 and parts.bytes_of('old.nc') == was and os.listdir(OUT) == ['old.nc'] and len(lines) == (what != 'is killed'),
             f'srun --mpi={kind}: a process {what}', f'{rc} {out} {os.listdir(OUT)}')


def array(t):
    """Tasks of an array write a part each."""
    for line in parts.JOBS:
        clean()
        said('sh', '-c', f'{line} -o plain.nc')
        rc, out = said('sbatch', '--wait', '--array=1-5', '-o', f'{DIR}/out', '--wrap', f"{line} --part $SLURM_ARRAY_TASK_ID/5 -o part.{{}}.nc")
        rc, more = said('sh', '-c', f'[ {rc} = 0 ] && axt-merge part.*.nc -o parts.nc')
        t.ok(rc == 0 and parts.bytes_of('parts.nc') == parts.bytes_of('plain.nc'), f'an array: {line}', out + more)


def main():
    t = Tap()
    missing = [w for w in ('munged', 'slurmctld', 'slurmd', 'srun', 'sbatch') if not shutil.which(w)]
    if os.getuid() or missing:
        t.skip('jobs of Slurm', f'{", ".join(missing) or "root"} is needed')
        t.done()
        return
    os.mkdir(OUT)
    os.mkdir(DIR)
    parts.make_files()
    try:
        if cluster():
            for kind, mpi in ('pmi2', 'mpich'), ('pmix', 'openmpi'):
                if os.path.exists(f'{parts.BIN}/../lib/axt-mpi-{mpi}.so'):
                    ranks(t, kind)
                    ends(t, kind)
            array(t)
        else:
            t.ok(False, 'a cluster of two nodes', open(f'{DIR}/daemons').read()[-2000:])
    finally:
        for d in reversed(DAEMONS):
            d.terminate()
            d.wait(20)
    t.done()


main()
