#!/usr/bin/python3
"""Jobs of MPI on two hosts: hosts.py.

The hosts are two namespaces of the network on this machine, joined by a pair of virtual cables, with host names of their own
and processes that are started by something like ssh. What the job writes over TCP has the bytes of what one process
writes. It needs to be root, and namespaces; without them the tests are skipped.
"""
import os
import shutil
import subprocess

import parts
from axtlib import Tap

OUT = parts.OUT
RSH = os.path.join(parts.DIR, 'rsh')
NAME = f'axt{os.getpid()}'
NET = f'10.{77 + os.getpid() % 100}.{os.getpid() // 100 % 250}'
HOSTS = f'{NET}.1,{NET}.2'
LINES = parts.JOBS + [
    "axt-calc -q 'dot(a, b, over=k)' a=../ab.nc:a b=../ab.nc:b",
    "axt-calc -q 't - mean(t, over=time)' t=../in.nc:t --compress zstd --chunk time=2,lat=3,lon=2",
]


def ip(line):
    return subprocess.run(['ip'] + line.split(), capture_output=True, check=False).returncode == 0


def hosts():
    """Makes the two hosts, and the command that starts a process on one of them."""
    for k in '12':
        if not ip(f'netns add {NAME}-{k}'):
            return False
    if not ip(f'link add {NAME[-10:]}a netns {NAME}-1 type veth peer name {NAME[-10:]}b netns {NAME}-2'):
        return False
    for k, end in ('1', 'a'), ('2', 'b'):
        for line in f'addr add {NET}.{k}/24 dev {NAME[-10:]}{end}', f'link set {NAME[-10:]}{end} up', 'link set lo up':
            if not ip(f'-n {NAME}-{k} {line}'):
                return False
    with open(RSH, 'w', encoding='ascii') as f:
        f.write(f"""#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
exec ip netns exec {NAME}-${{host##*.}} unshare -u sh -c "hostname host-${{host##*.}}; $*"
""")
    os.chmod(RSH, 0o755)
    return True


def mpirun(mpi):
    return {'openmpi': ['mpirun.openmpi', '--mca', 'plm_rsh_agent', RSH, '--host', HOSTS, '--mca', 'btl', 'tcp,self',
                        '--mca', 'btl_tcp_if_include', f'{NET}.0/24', '--mca', 'oob_tcp_if_include', f'{NET}.0/24'],
            'mpich': ['mpirun.mpich', '-launcher', 'ssh', '-launcher-exec', RSH, '-hosts', HOSTS]}[mpi]


def on_first(words):
    """Runs a command on the first host. Returns its status, output and messages."""
    env = dict(os.environ, PATH=f'{parts.BIN}:{os.environ["PATH"]}', AXT_THREADS='1', OMPI_ALLOW_RUN_AS_ROOT='1',
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    p = subprocess.run([RSH, f'{NET}.1'] + ["'" + w.replace("'", "'\\''") + "'" for w in words], cwd=OUT,
                       env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def fails(mpi):
    """Each host reads the file of its own name, and these differ: the job fails, and says so."""
    shutil.copy(os.path.join(OUT, '..', 'in.nc'), os.path.join(OUT, 'host-1.nc'))
    subprocess.run(['sh', '-c', f'PATH={parts.BIN}:$PATH; axt-mul host-1.nc:t 2 -o host-2.nc'], cwd=OUT, check=True)
    rc, _, err = on_first(mpirun(mpi) + ['-n', '2', 'sh', '-c', f'cd {OUT} && axt-reduce mean --over time $(hostname).nc:t -o no.nc'])
    return rc != 0 and 'see different inputs' in err and not os.path.exists(os.path.join(OUT, 'no.nc'))


def jobs(t, mpi):
    rc, out, err = on_first(mpirun(mpi) + ['-n', '2', 'hostname'])
    t.ok(rc == 0 and sorted(out.split()) == ['host-1', 'host-2'], f'{mpi}: two hosts', out + err)
    for line in LINES:
        for f in os.listdir(OUT):
            os.remove(os.path.join(OUT, f))
        subprocess.run(['sh', '-c', f'PATH={parts.BIN}:$PATH; {line} -o plain.nc'], cwd=OUT, check=True)
        rc, out, err = on_first(mpirun(mpi) + ['-n', '2', 'sh', '-c', f'cd {OUT} && {line} -o hosts.nc'])
        same = rc == 0 and parts.bytes_of('hosts.nc') == parts.bytes_of('plain.nc')
        t.ok(same and sorted(os.listdir(OUT)) == ['hosts.nc', 'plain.nc'], f'{mpi}: {line}', out + err)
    line = 'axt-sub -q ../in.nc:t ../in.nc:m --chunk time=5,lat=4,lon=33'
    subprocess.run(['sh', '-c', f'PATH={parts.BIN}:$PATH; {line} -o ../plain-{mpi}.zarr'], cwd=OUT, check=True)
    rc, out, err = on_first(mpirun(mpi) + ['-n', '2', 'sh', '-c', f'cd {OUT} && {line} -o ../hosts-{mpi}.zarr'])
    differ = subprocess.run(['diff', '-r', f'../plain-{mpi}.zarr', f'../hosts-{mpi}.zarr'], cwd=OUT, check=False).returncode
    t.ok(rc == 0 and not differ, f'{mpi}: {line} as a store', out + err)
    t.ok(fails(mpi), f'{mpi}: a host has another file')


def main():
    t = Tap()
    os.mkdir(OUT)
    mpis = [m for m in ('openmpi', 'mpich')
            if shutil.which('mpirun.' + m) and os.path.exists(f'{parts.BIN}/../lib/axt-mpi-{m}.so')]
    try:
        if os.getuid() or not shutil.which('ip') or not hosts():
            t.skip('two hosts', 'namespaces of the network cannot be made')
        else:
            parts.make_files()
            subprocess.run(['sh', '-c', f'PATH={parts.BIN}:$PATH; axt-make random m=50,k=70 --seed 1 -o ../ab.nc:a; '
                                        'axt-make random k=70,n=90 --seed 2 -o ../ab.nc:b'], cwd=OUT, check=True)
            for mpi in mpis:
                jobs(t, mpi)
    finally:
        for k in '12':
            ip(f'netns del {NAME}-{k}')
    t.done()


main()
