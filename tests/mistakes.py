#!/usr/bin/python3
"""Mistyped command lines, and what is said of them: the rows of cases/mistakes.tsv and cases/calc_mistakes.tsv.

A row is WORLD, CHECK, COMMAND, HINT: the command fails, or warns, in a directory with the files of its world, and
  has   HINT is a part of what it says,
  try   the same, and the line that it hints at works,
  is    the whole hint is HINT, a line that works;
or it is a line that works and says nothing, with "works" and no HINT.
For people who change what is said:
  mistakes.py --list       all rows with what they give now, by tabulators: verdict, place, command, wanted, got
  mistakes.py --update     rows whose hint is another line that works take that line: look at the difference
  mistakes.py --only WORD  rows with that word, for each of these
"""
import argparse
import os
import re
import select
import shutil
import signal
import subprocess
import sys

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, TOP, Tap, scratch

FILES = ['mistakes', 'calc_mistakes']
# What a hint that is a whole line begins with, of lines that may be run here.
LINE = re.compile(r'(\w+=\S+ )?(axt|axt-[a-z0-9]+|cp|mv|mkdir|for|cat|printf) (?!.*  or  )')
LIMIT = 60


def scaled(path, axes, tensors, **units):
    """A file of tensors, {name: (axes, values)}, over axes with coordinates, {name: values}."""
    with h5py.File(path, 'w') as f:
        for k, v in axes.items():
            f[k] = v
            f[k].make_scale(k)
        for k, (over, v) in tensors.items():
            f[k] = v
            for i, a in enumerate(over):
                f[k].dims[i].attach_scale(f[a])
        for k, u in units.items():
            f[k].attrs['units'] = np.bytes_(u)


DAYS = 'days since 2001-01-01'
LON = np.arange(4) * 90.


def climate(path, names, first=0):
    """Twelve days of a grid of 3 by 4 cells."""
    scaled(path, {'time': np.arange(12.) + first, 'lat': [-60., 0, 60], 'lon': LON},
           {t: (('time', 'lat', 'lon'), np.arange(144, dtype='f4').reshape(12, 3, 4)) for t in names},
           time=DAYS, **{t: 'mm' if t == 'pr' else 'K' for t in names})


def calc():
    climate('one.nc', ['tas'])
    climate('oneb.nc', ['tas'])
    climate('two.nc', ['tas', 'pr'])


def base():
    calc()
    climate('three.nc', ['tas', 'pr'], 12)


def calc_groups():
    with h5py.File('g.h5', 'w') as f:
        f['m1/t'] = f['m2/t'] = np.arange(6.).reshape(2, 3)
        f['a/b/u'] = np.arange(3.)
        f['z'] = f['air-2m'] = np.ones(3)


def formats():
    import gzip
    import tarfile
    import zipfile
    with open('one.nc', 'rb') as f:
        one = f.read()
    with gzip.open('one.nc.gz', 'wb') as f:
        f.write(one)
    np.savez('a.npz', x=np.arange(3))
    with zipfile.ZipFile('a.zip', 'w') as z, tarfile.open('a.tar', 'w') as t:
        z.write('one.nc')
        t.add('one.nc')
    heads = {'a.grib': b'GRIB\0\0\0\2', 'a b.grib': b'GRIB', 'a.hdf': b'\x0e\x03\x13\x01', 'a.tif': b'II*\0', 'a.fits': b'SIMPLE  =   T',
             'm5.mat': b'MATLAB 5.0 MAT-file', 'a.parquet': b'PAR1', 'a.png': b'\x89PNG\r\n\x1a\n', 'a.pkl': b'\x80\4\x95',
             'a.html': b'<!DOCTYPE html>', 'a.pt': b'PK\3\4' + b'\0' * 22 + b'\x0d\0\0\0m/ab/data.pkl'}
    whole = {'a.json': b'{ }', 'a.xyz': b'1 2\n', 'lfs.nc': b'version https://git-lfs.x', 'z.zarr/.zgroup': b'{"zarr_format": 2}', 'dir/x.nc': one}
    os.mkdir('z.zarr')
    os.mkdir('dir')
    for name, data in [(k, v + b' ' * 600) for k, v in heads.items()] + list(whole.items()):
        with open(name, 'wb') as f:
            f.write(data)


def names():
    with h5py.File('n.nc', 'w') as f:
        f['tas'] = f['pr'] = f['run/kernel'] = np.arange(3.)
        f['run/b'] = f['opt/w'] = np.arange(2.)
        f.attrs['title'] = 'T'
        f['tas'].attrs.update(long_name='Air Temperature', standard_name='air_temperature', units='K')
        f['pr'].attrs['long_name'] = 'precipitation'


def grids():
    def put(path, lat, n=12):
        scaled(path, {'time': np.arange(float(n)), 'lat': np.array(lat), 'lon': LON},
               {'tas': (('time', 'lat', 'lon'), np.zeros((n, len(lat), 4), 'f4'))}, time=DAYS)
    put('grid.nc', [-50., 0, 50])
    put('near.nc', [-60., 0, 60.0000001])
    put('four.nc', [-60., -20, 20, 60])
    put('long.nc', [-60., 0, 60], 24)


def staggered():
    axes = {k: np.arange(n) * 10. + off for k, n, off in (('lat', 4, 0), ('lon', 36, 5), ('lon_u', 37, 0))}
    scaled('st.nc', axes, {t: (('lat', x), np.tile(axes[x], (4, 1))) for t, x in (('t', 'lon'), ('u', 'lon_u'))})


def ocean():
    scaled('ocean.nc', {'y': np.arange(3.), 'x': LON},
           {n: ('yx', np.arange(12.).reshape(3, 4)) for n in ('sst', 'nav_lat', 'nav_lon')})
    with h5py.File('bas.nc', 'w') as f:
        f['basin'] = np.arange(12, dtype='i4').reshape(3, 4) % 3
        f['basin'].dims[0].label, f['basin'].dims[1].label = 'lat', 'lon'


def cells():
    three = ('time', 'lat', 'lon'), np.arange(120, dtype='f4').reshape(12, 2, 5)
    scaled('grid.nc', {'time': np.arange(12.), 'lat': [-30., 30], 'lon': np.arange(5) * 60.},
           {'tas': three, 'pr': three, 'orog': (('lat', 'lon'), np.zeros((2, 5), 'f4'))}, time=DAYS, tas='K', pr='kg m-2 s-1')
    with h5py.File('img.h5', 'w') as f:
        f['flat'] = np.zeros((3, 4), 'u1')
        f['real'] = np.arange(12.).reshape(3, 4)


def curved():
    scaled('curved.nc', {}, {'nav_lat': ((), [[0., 1], [10, 11]]), 'nav_lon': ((), [[0., 10], [1, 11]]), 'sst': ((), [[1., 2], [3, 4]])},
           nav_lat='degrees_north', nav_lon='degrees_east')
    with h5py.File('curved.nc', 'a') as f:
        f['sst'].attrs['coordinates'] = np.bytes_('nav_lat nav_lon')


def points():
    curved()
    scaled('points.nc', {}, {'lat': ((), [10., 2]), 'lon': ((), [12., 8])}, lat='degrees_north', lon='degrees_east')


def etopo():
    curved()
    scaled('etopo.nc', {'Y60': [-60., 0, 60], 'X60': LON}, {'rose': (('Y60', 'X60'), np.zeros((3, 4)))},
           Y60='degrees_north', X60='degrees_east')
    scaled('levels.nc', {'time': [0., 1], 'model_level': [1., 2, 3]},
           {n: (('time', 'model_level'), np.arange(6.).reshape(2, 3)) for n in ('ta', 'height')}, time=DAYS)


# The files of a world are those of another one, then what a function makes, then what lines of the shell make.
WORLDS = {
    'base': (None, base, """axt-attr units=degC oneb.nc
axt-slice time=:6 one.nc -o h1.nc
axt-slice time=6: one.nc -o h2.nc
axt-gt one.nc 0 | axt-reduce any --over time --name mask -o mask.nc
printf 'date,tmax,tmin\\n2001-01-01,1,2\\n2001-01-02,3,4\\n' >s.csv
axt-to m.safetensors one.nc"""),
    'empty': ('base', None, 'axt-make normal r=4,c=3 -o m.nc'),
    'formats': ('base', formats, ''),
    'names': (None, names, ''),
    'files': ('base', None, "mkdir dir; cp one.nc 'my file.nc'; cp one.nc dir/only.nc"),
    'grids': ('base', grids, ''),
    'upper': ('base', None, 'axt-rename time=TIME,lat=LAT,lon=LON one.nc -o upper.nc'),
    'flat': ('base', None, r"axt-slice time=0 one.nc -o flat.nc; printf 'date;tmax\n2001-01-01;1\n2001-01-02;3\n' >semi.csv"),
    'staggered': (None, staggered, ''),
    'links': ('base', None, 'ln -s gone.nc broken.nc'),
    'ocean': ('base', ocean, ''),
    'cells': ('base', cells, ''),
    'matrix': ('base', None, 'axt-make iota out=3,in=4 --name w -o w.nc'),
    'members': ('base', None, 'cp one.nc run_1.nc; axt-add one.nc 1 -o run_2.nc'),
    'new': ('members', None, 'axt-reduce mean --over time one.nc -o new.nc'),
    'map': ('members', None, 'axt-slice time=0 one.nc | axt-plot - -o map.png'),
    'day': ('base', None, 'axt-slice time=0 one.nc -o day.nc; axt-make iota dim_0=3,dim_1=4 --dtype u8 --name p -o p.nc'),
    'there': ('base', None, 'cp one.nc c.nc; cp s.csv one.csv; printf GRIB%600s >x.grib'),
    'long': ('base', None, 'axt-rename lat=latitude,lon=longitude one.nc -o long.nc; axt-slice lat=0 one.nc --name m -o m.nc'),
    'fine': ('base', None, """axt-rename lat=latitude,lon=longitude one.nc -o long.nc
axt-interp latitude=-60:60:30 long.nc -o fine.nc
axt-slice time=0 one.nc --name m -o m.nc
axt-make iota dim_0=3,dim_1=4 --dtype i32 --name k -o k.h5"""),
    'first': ('base', None, 'mkdir first; cp one.nc first'),
    'after': ('base', None, 'axt-slice time=:11 three.nc:tas -o after.nc'),
    'wet': ('base', None, "axt-copy --attr 'units=kg m-2 s-1' one.nc --name pr -o wet.nc; axt-copy one.nc wet.nc -o mixed.nc"),
    'rain': ('base', None, 'axt-slice lat=:2 three.nc:pr -o p.nc'),
    'points': ('base', points, ''),
    'groups': ('base', None, """axt-make iota a=4,b=3 --dtype f32 --name w -o k1.h5
axt-make iota c=4 --dtype f32 --name v -o k1.h5:v
axt-make iota dim_0=2,dim_1=3,dim_2=4 --dtype f32 --name frames -o stack.h5
cp k1.h5 k2.h5
axt-make ones lat=3,lon=4 --dtype i32 --name basin -o basins.nc"""),
    'nan': ('groups', None, "axt-calc 'where(tas > 5, tas, nan)' one.nc --name tas -o nan.nc"),
    'etopo': ('base', etopo, ''),
    'records': ('base', None, 'axt-copy --unlimited time one.nc -o run.nc; axt-slice time=1 three.nc:tas -o day.nc'),
    'cdo': ('base', None, r"""axt-rename lat=latitude,lon=longitude one.nc -o l.nc
axt-coord set time=0:1 one.nc --attr 'time:units=days since 1999-02-01' -o y99.nc
printf 'gridtype = lonlat\nxsize = 36\nysize = 18\nxfirst = 0\nxinc = 10\nyfirst = -85\nyinc = 10\n' >grid.txt"""),
    'labels': (None, None, """axt-make iota dim_0=4,dim_1=5,dim_2=6 --dtype f32 --name frames -o s.h5
axt-make iota dim_0=5,dim_1=6 --dtype i32 --name mask -o s.h5:mask
axt-make iota dim_0=4,dim_1=4,dim_2=4 --dtype f32 --name frames -o c.h5
axt-calc 'mask = iota(dim_0=4, dim_1=4) % 3' -o c.h5:mask"""),
    'vectors': ('base', None, """axt-rename time=t one.nc -o t.nc
axt-make iota dim_0=20,dim_1=8 --dtype f32 --name x -o emb.h5
axt-make iota dim_0=30,dim_1=8 --dtype f32 --name y -o emb.h5:y
axt-make iota dim_0=30 --dtype i32 --name k -o emb.h5:k"""),
    'big': ('base', None, """axt-rename time=TIME,lat=latitude,lon=longitude one.nc -o long.nc
axt-make iota dim_0=3,dim_1=4 --dtype f32 --name k -o k.h5
axt-make ones time=3000,lat=300,lon=40 -o big.nc
axt-make ones dim_0=300,dim_1=40 --name w -o w.h5
axt-slice time=:6 three.nc:tas -o six.nc"""),
    'stack': ('base', None, """axt-make iota dim_0=4 --dtype f32 --name v -o m.h5
axt-make iota dim_0=6 --dtype f32 --name w -o m.h5:w
axt-make iota dim_0=2,dim_1=3,dim_2=4 --name images -o stack.h5"""),
    'calc': (None, calc, ''),
    'calc_groups': ('calc', calc_groups, ''),
    'calc_near': ('calc', None, 'axt-rename lat=latitude one.nc:tas -o l.nc; axt-attr pixel:=0.5 one.nc:tas'),
    'product': (None, None, """axt-make iota dim_0=4,dim_1=5 --name a -o a.nc
axt-make iota dim_0=5,dim_1=3 --name b -o b.nc
axt-make iota dim_0=5 --name v -o v.nc
axt-make iota batch=2,from=3,dim=4 --name q -o q.nc
axt-make iota batch=2,to=5,dim=4 --name k -o k.nc"""),
}


class Shell:
    """A shell that stays: each line is run in a process of its own, with standard input empty and 128 KiB of stack."""

    LOOP = 'set -o pipefail; while IFS= read -r -d "" line <&3; do (eval "$line") >/dev/null 2>"$SAID" </dev/null 3<&- 4>&-; echo $? >&4; done'

    def __init__(self, at, said):
        self.said = said
        env = dict(os.environ, PATH=BIN + ':' + os.environ['PATH'], SAID=said, HOME=at, LC_ALL='C.UTF-8', TZ='UTC0')
        limit = ''
        if not SANITIZER:
            # the environment takes a quarter of the stack
            env['MUCH'] = ' ' * 32768
            limit = 'ulimit -s 128; '
        for name in 'AXT_THREADS', 'AXT_MEMORY', 'AXT_DEVICE', 'OMP_NUM_THREADS', 'SOURCE_DATE_EPOCH':
            env.pop(name, None)
        lines, self.lines = os.pipe()
        self.status, status = os.pipe()

        def before():
            os.dup2(lines, 103)
            os.dup2(status, 104)
        self.p = subprocess.Popen(['bash', '-c', f'{limit}exec 3<&103 4>&104 103<&- 104>&-; {self.LOOP}'], cwd=at, env=env, preexec_fn=before,
                                  close_fds=False, start_new_session=True)
        os.close(lines)
        os.close(status)

    def run(self, line):
        """The status of a line, and what it says."""
        os.write(self.lines, os.fsencode(line) + b'\0')
        if not select.select([self.status], [], [], LIMIT)[0]:
            os.killpg(self.p.pid, signal.SIGKILL)
            sys.exit(f'not ok 1 - still running after {LIMIT} s: {line}')
        status = int(os.read(self.status, 100))
        with open(self.said, encoding='utf-8', errors='replace') as f:
            return status, f.read().rstrip('\n')

    def close(self):
        os.close(self.lines)
        os.close(self.status)
        self.p.wait()


def marks(top):
    """What tells whether a file has changed, of all below a directory."""
    out = {}
    for e in os.scandir(top):
        s = e.stat(follow_symlinks=False)
        out[e.path] = s.st_mode, s.st_ino, s.st_size if not e.is_dir(follow_symlinks=False) else 0, s.st_mtime_ns if not e.is_dir(follow_symlinks=False) else 0
        if e.is_dir(follow_symlinks=False):
            out.update(marks(e.path))
    return out


class World:
    """The files of a world in a directory, which are as they were before each line."""

    made = {}

    def __init__(self, name, top):
        before, make, lines = WORLDS[name]
        self.at, self.kept = os.path.join(top, name, 'w'), os.path.join(top, name, 'kept')
        if before:
            shutil.copytree(self.get(before, top).kept, self.at, symlinks=True)
        else:
            os.makedirs(self.at)
        self.shell = Shell(self.at, os.path.join(top, name, 'said'))
        if make:
            os.chdir(self.at)
            make()
            os.chdir(top)
        if lines:
            status, said = self.shell.run('set -e\n' + lines)
            if status or said:
                sys.exit(f'not ok 1 - the files of {name}: {said}')
        shutil.copytree(self.at, self.kept, symlinks=True)
        self.marks = marks(self.at)

    @classmethod
    def get(cls, name, top):
        if name not in cls.made:
            cls.made[name] = cls(name, top)
        return cls.made[name]

    def restore(self):
        now = marks(self.at)
        if now == self.marks:
            return
        for path in sorted(now.keys() - self.marks.keys()):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)
        for path, mark in self.marks.items():
            if now.get(path) == mark:
                continue
            kept = self.kept + path[len(self.at):]
            if os.path.isdir(kept) and not os.path.islink(kept):
                os.makedirs(path, exist_ok=True)
                continue
            if os.path.lexists(path):
                os.unlink(path)
            shutil.copy2(kept, path, follow_symlinks=False)
        self.marks = marks(self.at)

    def run(self, line):
        self.restore()
        return self.shell.run(line)


class Row:
    def __init__(self, file, number, text):
        self.file, self.number = file, number
        self.world, self.check, self.command, self.hint = text.split('\t')
        self.verdict = self.said = self.got = self.fault = ''

    def text(self):
        return '\t'.join((self.world, self.check, self.command, self.hint))

    def try_it(self, top):
        """Its verdict: same; other but works; other and fails; none."""
        w = World.get(self.world, top)
        status, self.said = w.run(self.command)
        if self.check == 'works':
            self.verdict = 'other and fails' if status or self.said else 'same'
            return
        _, found, self.got = self.said.rpartition('hint: ')
        works = False
        left = os.listdir(w.at) if status and not re.search(r'; | >\w', self.command) else []
        if found and LINE.match(self.got):
            rc, said = w.run(self.got)
            works = rc == 0
            if not works:
                self.fault = f'$ {self.got}\nstatus {rc}\n{said}'
        elif not found:
            self.got = self.said.split('\n')[-1]
        refused = status != 0 or ': warning: ' in self.said
        wanted = self.got == self.hint and found and refused if self.check == 'is' else self.hint in self.said
        left = [x for x in left if os.path.join(w.at, x) not in w.marks]
        if left:
            self.verdict, self.fault = 'leaves files', ' '.join(left)
        elif wanted and (works or self.check == 'has'):
            self.verdict = 'same'
        else:
            self.verdict = 'none' if not found else 'other but works' if works and not wanted else 'same but fails' if wanted else 'other and fails'


def read(name):
    """All lines of a file of rows: rows, and comments as they are."""
    with open(f'{TOP}/tests/cases/{name}.tsv', encoding='utf-8') as f:
        return [line if line[0] == '#' else Row(name, i, line) for i, line in enumerate(f.read().splitlines(), 1)]


def update(name, lines):
    for r in lines:
        if isinstance(r, Row) and r.verdict == 'other but works' and '\n' not in r.got:
            r.check, r.hint = 'is', r.got
    with open(f'{TOP}/tests/cases/{name}.tsv', 'w', encoding='utf-8') as f:
        f.write(''.join((r.text() if isinstance(r, Row) else r) + '\n' for r in lines))


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--list', action='store_true', help='what each row gives now')
    p.add_argument('--update', action='store_true', help='other hints that work are wanted from now on')
    p.add_argument('--only', metavar='WORD', help='rows with that word')
    a = p.parse_args()
    files = {name: read(name) for name in FILES}
    rows = [r for lines in files.values() for r in lines if isinstance(r, Row) and (not a.only or a.only in r.text())]
    top = scratch()
    t = Tap()
    for r in rows:
        r.try_it(top)
        if a.list:
            print('\t'.join((r.verdict, f'{r.file}:{r.number}', r.command, r.hint, r.got.replace('\n', '\\n'))), flush=True)
        elif not a.update or r.verdict != 'same':
            t.ok(r.verdict == 'same', r.command, f'{r.file}.tsv:{r.number}: {r.verdict}\nsays: {r.said}\nwants: {r.hint}\n{r.fault}')
    for w in World.made.values():
        w.shell.close()
    if a.update:
        for name, lines in files.items():
            update(name, lines)
    if not a.list:
        t.done()


if __name__ == "__main__":
    main()
