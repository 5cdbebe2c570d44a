"""Files that somebody sent to do harm: what they say is never run, written to, or loaded as code."""
import os
import shutil
import subprocess

import h5py
import numpy as np

from axtlib import BIN, Tap, scratch

T = Tap()
DIR = scratch()
os.chdir(DIR)


def run(line, **env):
    """A line of the shell, with nothing on standard input: status, and what was said."""
    p = subprocess.run(['bash', '-c', line], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace',
                       env=dict(os.environ, PATH=BIN + ':' + os.environ['PATH'], **env), timeout=120)
    return p.returncode, p.stdout + p.stderr


def tree():
    """Every file and folder that is there, with its bytes."""
    return {os.path.join(d, f): open(os.path.join(d, f), 'rb').read() if f in fs else None
            for d, ds, fs in os.walk('.') for f in ds + fs}


def library(name):
    """A library that leaves a file when it is loaded."""
    with open('e.c', 'w') as f:
        f.write('#include <stdio.h>\n__attribute__((constructor)) static void f(void)\n'
                '{\n\tFILE *o = fopen("%s/ran", "w");\n\n\tfputs("ran", o);\n\tfclose(o);\n}\nvoid dgemm_(void) {}\n' % DIR)
    subprocess.run(['cc', '-shared', '-fPIC', '-o', name, 'e.c'], check=True)


# ---- the line of a hint ----

def trials():
    """A command that is only tried cannot do anything but read, whatever its words are."""
    run('axt-make iota time=5,x=3 --name t --dtype f64 -o a.nc; axt-make random i=700,k=700 --dtype f64 --name m -o m.h5;'
        'axt-make random k=700,j=700 --dtype f64 --name m -o n.h5; axt-copy a.nc -o s.zarr; echo 1,2 >o.csv')
    library('blas.so')
    rc, out = run('axt-dot --over k --blas ./blas.so m.h5 n.h5 -o z.h5')
    T.ok(os.path.exists('ran'), 'the library leaves a file when it is loaded', out)
    for f in ('ran', 'z.h5'):
        if os.path.exists(f):
            os.unlink(f)
    before = tree()
    for line in ('axt-copy a.nc -o new.nc', 'axt-copy a.nc -o m.h5', 'axt-copy a.nc -o new.zarr', 'axt-copy a.nc -o s.zarr',
                 'axt-copy a.nc -o m.h5:b', 'axt-attr units=m a.nc', 'axt-attr --in-place units=m a.nc:t',
                 'axt-remove a.nc:t', 'axt-move t=u a.nc', 'axt-kind variable a.nc:t', "axt-assign 'a.nc:t[x=1]' = 9",
                 "axt-assign --in-place 'a.nc:t[x=1]' = 9", 'axt-append --along time a.nc a.nc', 'axt-to new.csv a.nc',
                 'axt-to --format raw new.raw a.nc', 'axt-plot a.nc -o new.ppm', 'axt-split x a.nc -o new.{}.nc',
                 "axt-calc 'a.nc:t *= 2'", 'axt-map sin a.nc --part 1/2 -o new.nc', 'axt-save a.nc -o new.expr',
                 'axt-dot --over k --blas ./blas.so m.h5 n.h5 -p', 'axt-dot --over k --blas ./blas.so m.h5 n.h5 -o z.h5'):
        run(line, AXT_HINTS='1')
        after = tree()
        T.ok(after == before, 'a trial changes nothing: ' + line, set(before.items()) ^ set(after.items()))


def merged():
    """The command that a part has in an attribute is no line that is tried, or told as the line to type."""
    os.mkdir('home')
    run('axt-make random x=100,y=40 --dtype f64 --name v -o b.h5; for i in 1 2; do '
        'axt-reduce mean --over x b.h5 --part $i/3 -o part.$i.h5; done')
    with h5py.File('--explain', 'w') as f:
        f['v'] = np.frombuffer(b'echo from a file', 'u1')
    for line in (f'axt-to {DIR}/home/.aliases --format raw --attr n=1/3 --', f'axt-to {DIR}/home/.aliases --format raw n=1/3 --',
                 'axt-kind variable -- part.2.h5:v 1/3', 'axt-dot --over k --blas ./blas.so --attr n=1/3 -o z.h5 -- m.h5:m',
                 'axt-copy --part 1/3 $(touch home/x) `touch home/y` -o z.h5', 'axt-copy 1/3 \n touch home/x \x1b[31m\u202e'):
        with h5py.File('part.1.h5', 'a') as f:
            f.attrs['axt_part_command'] = line.encode().decode('unicode_escape')
        before = tree()
        rc, out = run('axt-merge part.*.h5 -o whole.h5')
        T.ok(rc == 1 and tree() == before, 'nothing is done for: ' + line, out)
        told = out[out.index('hint: ') + 6:].partition(' shows ')[0]
        T.ok(told == 'axt-attr :axt_part_command part.1.h5' and '\x1b' not in out, 'nor is it the hint', out)
    for name in ("$(touch home'x).h5", "a;touch home.h5", "`touch home`.h5"):
        shutil.copy('part.1.h5', name)
        q = "'" + name.replace("'", "'\\''") + "'"
        rc, out = run(f'axt-merge {q} -o whole.h5')
        T.ok(f'axt_part_command {q} shows' in out, f'a file called {name} is told with quotes', out)
        os.unlink(name)
    os.unlink('--explain')


trials()
merged()
T.done()
