"""Files that somebody sent to do harm: what they say is never run, written to, or loaded as code."""
import itertools
import json
import os
import shutil
import subprocess
import zipfile

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, Tap, scratch

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
    """A line that is tried before it is told changes nothing, and loads nothing, whatever its words are."""
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
        command, _, rest = line.partition(' ')
        rc, out = run(f'{command} --quite {rest}')
        after = tree()
        T.ok(rc == 2 and f'hint: {command} --quiet ' in out and after == before, 'a trial changes nothing: ' + line,
             [out, set(before.items()) ^ set(after.items())])


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


# ---- stores of Zarr ----

def store(path, fill=0, dtype='float32', shape=(8, 8), chunk=(4, 4), attrs=None, codecs=({'name': 'bytes', 'configuration': {'endian': 'little'}},)):
    """A store of version 3 whose array t has 1, 2, 3 ..."""
    os.makedirs(path + '/t/c/0')
    os.makedirs(path + '/t/c/1')
    put(path + '/zarr.json', '{"zarr_format": 3, "node_type": "group"}')
    put(path + '/t/zarr.json', json.dumps({
        'zarr_format': 3, 'node_type': 'array', 'shape': shape, 'data_type': dtype, 'fill_value': fill,
        'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': chunk}}, 'codecs': list(codecs),
        'chunk_key_encoding': {'name': 'default'}, 'attributes': attrs or {}}).replace('"BIG"', str(10 ** 20)))
    for i, j in itertools.product(range(2), range(2)):
        put(f'{path}/t/c/{i}/{j}', (np.arange(16, dtype='<f4') + 1 + 16 * (2 * i + j)).tobytes())


def put(path, b):
    with open(path, 'wb') as f:
        f.write(b.encode() if isinstance(b, str) else b)


def unreadable():
    """What cannot be read is an error, and never values that were not written."""
    user = 'setpriv --reuid=65534 --regid=65534 --clear-groups ' if os.geteuid() == 0 else ''
    os.chmod('.', 0o755)
    store('u.zarr')
    T.ok(run(user + 'axt-reduce sum -p u.zarr') == (0, '2080\n'), 'a store is read')
    for what in ('t/c/0/0', 't/c/1/1', 't/c/0', 't/c', 't/zarr.json', 't', '.'):
        os.chmod('u.zarr/' + what, 0)
        rc, out = run(user + 'axt-reduce sum -p u.zarr')
        T.ok(rc == 1 and 'ermission denied' in out, f'{what} without permission is an error', out)
        os.chmod('u.zarr/' + what, 0o755)
    os.makedirs('elsewhere/t')
    shutil.move('u.zarr/t/c/0/0', 'elsewhere/f')
    for to, ok in (('0', 0), ('../../../../elsewhere/f', 0), (DIR + '/elsewhere/f', 0), ('nowhere', 0), ('../1/1', 1)):
        os.symlink(to, 'u.zarr/t/c/0/0')
        rc, out = run('axt-reduce sum -p u.zarr')
        T.ok((rc, out) == (0, '2848\n') if ok else rc == 1, f'a chunk that is a link to {to[:20]}', out)
        if 'elsewhere' in to:
            T.ok(run('axt-reduce sum -p --allow-external u.zarr') == (0, '2080\n'), '--allow-external reads it')
        os.unlink('u.zarr/t/c/0/0')
    os.mkfifo('u.zarr/t/c/0/0')
    T.ok(run('axt-reduce sum -p u.zarr')[0] == 1, 'a chunk that is a pipe')
    os.unlink('u.zarr/t/c/0/0')
    T.ok(run('axt-reduce sum -p u.zarr')[1] == str(2080 - 136) + '\n', 'a chunk that is not there was never written')


def numbers():
    """Integers of JSON beyond 64 bits."""
    for i, (text, want) in enumerate([('BIG', 1e20), (2 ** 64 - 1, 2.0 ** 64), (2 ** 64, 2.0 ** 64), (-2 ** 63, -2.0 ** 63),
                                      (-2 ** 63 - 1, -2.0 ** 63), (-10 ** 25, -1e25), (10 ** 30, 1e30), (7, 7)]):
        p = f'n{i}.zarr'
        store(p, text, attrs={'note': '99999999999999999999', 'v': 10 ** 21})
        os.unlink(p + '/t/c/0/0')
        rc, out = run(f'axt-to --raw v{i}.npy {p}; axt-info {p}')
        got = np.load(f'v{i}.npy')[0, 0]
        T.ok(got == np.float32(want) and '99999999999999999999' in out and '1e+21' in out, f'a fill value of {text}', out)


def bounded():
    """What files ask for is bounded by --memory."""
    put('brace.json', '{"version":1,"templates":{"":"x"},"refs":{".zgroup":"{}","a/0":["{{abc"]}}')
    put('many.json', json.dumps({'version': 1, 'templates': {'a': 'x'},
                                 'refs': {'.zgroup': '{"zarr_format":2}', 'a/0': ['{{a}}' * 20000]}}))
    put('big.json', '{"a":[' + '1.5,' * 3000000 + '1]}')
    put('refs.json', '{"refs":[' + '1.5,' * 3000000 + '1]}')
    meta = json.dumps({'zarr_format': 2, 'shape': [16], 'chunks': [16], 'dtype': '|u1', 'compressor': None, 'fill_value': 0,
                       'order': 'C', 'filters': None})
    with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as f:
        f.writestr('.zgroup', '{"zarr_format":2}')
        f.writestr('t/.zarray', meta)
        f.writestr('t/0', b'\0' * (100 << 20))
    with zipfile.ZipFile('b.zip', 'w', zipfile.ZIP_DEFLATED) as f:
        f.writestr('.zgroup', '{"zarr_format":2}')
        f.writestr('t/.zarray', meta[:-1] + ', "x": [' + '0,' * 5000000 + '0]}')
    store('shard.zarr', dtype='uint8', chunk=(8192, 8192), codecs=[{'name': 'sharding_indexed', 'configuration': {
        'chunk_shape': [1, 1], 'codecs': ['bytes'],
        'index_codecs': [{'name': 'bytes', 'configuration': {'endian': 'little'}}]}}])
    os.truncate('shard.zarr/t/c/0/0', 1 << 31)
    for f in ('brace.json', 'many.json', 'big.json', 'refs.json', 'a.zip', 'b.zip', 'shard.zarr'):
        rc, out = run(('' if SANITIZER else 'ulimit -v 400000; ') + f'axt-reduce sum -p --memory 48M {f}')
        T.ok(rc == 1 and 'out of memory' not in out, f'{f} is refused', out)


def replaced():
    """A store takes the place of a store, and of nothing else, and has its mode."""
    run('umask 022; mkdir g; chmod 2775 g; axt-copy a.nc -o g/r.zarr; axt-copy a.nc -o r.zarr; chmod 700 r.zarr;'
        'axt-copy a.nc -o r.zarr')
    T.ok(os.stat('r.zarr').st_mode & 0o7777 == 0o700, 'a store that is replaced keeps its mode')
    T.ok(all(os.stat(p).st_mode & 0o7777 == 0o2755 for p in ('g/r.zarr', 'g/r.zarr/t')), 'the bit of its folder is inherited')
    for what, opt in (('mkdir l.zarr; echo x >l.zarr/thesis', ''), ('echo x >l.zarr', ''),
                      ('mkdir l.zarr; echo x >l.zarr/thesis', '--no-clobber')):
        # the command waits for the rest of its input until the name is taken
        rc, out = run('axt-make iota x=3000000 --name v >l.bin; { head -c 20000000 l.bin; until [ -e go ]; do sleep .01; done;'
                      'tail -c +20000001 l.bin; } | axt-map sin - %s -o l.zarr & p=$!; n=0;'
                      'until ls -d .l.zarr.* >/dev/null 2>&1 || [ $((n += 1)) -gt 1000 ]; do sleep .01; done; %s; touch go; wait $p'
                      % (opt, what))
        os.unlink('go')
        kept = os.path.exists('l.zarr/thesis') if 'thesis' in what else os.path.isfile('l.zarr')
        T.ok(rc == 1 and kept and not [f for f in os.listdir('.') if f.startswith('.l.zarr')],
             f'what came meanwhile stays {opt}: {what}', out)
        subprocess.run(['rm', '-rf', 'l.zarr'])
    if os.geteuid() == 0:
        os.mkdir('sticky')
        os.chmod('sticky', 0o1777)
        os.symlink(DIR + '/r.zarr', 'sticky/o.zarr')
        os.lchown('sticky/o.zarr', 65534, 65534)
        before = tree()
        T.ok(run('axt-make iota x=5 --name v -o sticky/o.zarr')[0] == 1 and tree() == before,
             'the link of another user in a sticky directory is not followed')


trials()
merged()
replaced()
unreadable()
numbers()
bounded()
T.done()
