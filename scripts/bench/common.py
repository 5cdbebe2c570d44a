"""What the programs of the bench share: the environment of what is measured, and one run of it."""
import atexit
import os
import shutil
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PY = '/usr/bin/python3'


def environment(path, threads):
    """The caller's without any tuning that it happens to hold; PATH begins with these folders."""
    tuning = ('OPENBLAS_', 'GOTO_', 'OMP_', 'GOMP_', 'MKL_', 'BLIS_', 'NVPL_', 'AXT_')
    env = {k: v for k, v in os.environ.items() if not k.startswith(tuning)}
    t = str(threads)
    env.update(OMP_NUM_THREADS=t, OPENBLAS_NUM_THREADS=t, AXT_THREADS=t, HDF5_USE_FILE_LOCKING='FALSE', PATH=':'.join(path + [env['PATH']]))
    return env


def scratch(prefix):
    """A directory in BENCH_DIR, else /var/tmp, that goes away with the program, also when a signal ends it."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    d = tempfile.mkdtemp(prefix=prefix, dir=os.environ.get('BENCH_DIR') or '/var/tmp')
    atexit.register(shutil.rmtree, d, ignore_errors=True)
    return d


def words(line):
    """A command line as words; by bash, where it is more than words."""
    return ['bash', '-c', line] if any(c in line for c in '|";') else line.split()


def timed(line, env):
    """One run: seconds, and seconds of processors, of the whole process and its children. What it prints is only looked at where it fails."""
    cmd = words(line)
    program = shutil.which(cmd[0], path=env['PATH'])
    if not program:
        raise RuntimeError(f'{cmd[0]} is not in PATH')
    null = os.open(os.devnull, os.O_RDWR)
    log = os.memfd_create('log')
    try:
        start = time.perf_counter()
        pid = os.posix_spawn(program, cmd, env, file_actions=[(os.POSIX_SPAWN_DUP2, fd, i) for i, fd in enumerate((null, null, log))])
        _, status, used = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        if status:
            raise RuntimeError(f'{line}: status {os.waitstatus_to_exitcode(status)}: {os.pread(log, 4096, 0).decode(errors="replace").strip()}')
    finally:
        os.close(null)
        os.close(log)
    return seconds, used.ru_utime + used.ru_stime

