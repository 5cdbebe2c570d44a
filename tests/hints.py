#!/usr/bin/python3
"""Hints about files of odd names can be pasted: they are one line that the shell takes, in which the name is a part of one word."""
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

import h5py
import netCDF4
import numpy as np

from axtlib import BIN, Tap, axt, scratch

D = scratch()
os.chdir(D)
NAMES = ['a b', "a'b", 'a"b', 'a$(touch ran)b', 'a`touch ran`b', 'a;touch ran;', 'a&touch ran', 'a|b', '-x', '--over', 'a\nb', 'a\tb', '*', 'a?', '[a]', '~',
         '~root', '#a', '!a', 'a\\b', "a\\'b", '\x1b[31ma', '\u202ea', 'é', '{a,b}', '<a', '(a)', '=a', "'", '$HOME', '\udcffa', "a' b"]

COMMAND = r'\b(axt-|axt |unzip|gunzip|cdo|gdal|convert|h4toh5|python3|tr )'


def tensor(path, n=4, name='t', first=0, **attrs):
    with netCDF4.Dataset('made.nc', 'w') as f:
        f.createDimension('x', n)
        f.createDimension('y', 3)
        f.createVariable('x', 'f8', ('x',))[:] = first + np.arange(n)
        f.createVariable(name, 'f4', ('x', 'y'))[:] = np.ones((n, 3))
        f[name].units = 'K'
        f.createVariable('one', 'i4', ('x',))[:] = 1 + np.arange(n)
        f.createVariable('text', str, ('x',))[:] = np.array(list('abcdefghijklmnop'[:n]), dtype=object)
        f.title = 'a'
    os.rename('made.nc', path)


def h5(path, **sets):
    with h5py.File('made.h5', 'w') as f:
        for k, v in sets.items():
            f[k] = v
    os.rename('made.h5', path)


def raw(path, data):
    with open(path, 'wb') as f:
        f.write(data)


def dated(path, year):
    with netCDF4.Dataset('made.nc', 'w') as f:
        f.createDimension('time', 3)
        f.createVariable('time', 'f8', ('time',))[:] = [0, 1, 2]
        f['time'].units = f'days since {year}-01-01'
        f.createVariable('t', 'f4', ('time',))[:] = 1
    os.rename('made.nc', path)


def twice(path):
    with h5py.File('made.h5', 'w') as f:
        f['x'] = np.arange(3.)
        f['x'].make_scale('x')
        f['t'] = np.ones((3, 3))
        f['t'].dims[0].attach_scale(f['x'])
        f['t'].dims[1].attach_scale(f['x'])
    os.rename('made.h5', path)


def store(path):
    assert axt('make', 'iota', 'x=3', '-o', 's.zarr').rc == 0
    os.rename('s.zarr', path)


def constant(path):
    tensor(path)
    assert axt('kind', 'constant', './' + path + ':t').rc == 0


# The end of the name, what makes the file, and a command about it that says how something else is typed; {} is the name.
WAYS = [
    ('.txt', lambda p: raw(p, b'some words\nand more\n'), ['info', '{}']), ('.csv', lambda p: raw(p, b'a,b\n1,2\n'), ['info', '{}']),
    ('.grb', lambda p: raw(p, b'GRIB' + bytes(60)), ['info', '{}']), ('.gz', lambda p: raw(p, b'\x1f\x8b' + bytes(60)), ['info', '{}']),
    ('.zip', lambda p: raw(p, b'PK\3\4' + bytes(60)), ['info', '{}']), ('.tif', lambda p: raw(p, b'II*\0' + bytes(60)), ['info', '{}']),
    ('.fits', lambda p: raw(p, b'SIMPLE  =' + bytes(71)), ['info', '{}']), ('.hdf', lambda p: raw(p, b'\x0e\3\x13\1' + bytes(60)), ['info', '{}']),
    ('.nc', tensor, ['from', '{}', '-o', 'q.nc']), ('.csv', lambda p: raw(p, b'a,b\nx,y\n'), ['from', '{}', '-o', 'q.nc']),
    ('.csv', lambda p: raw(p, b'a;b\n1,5;2,5\n'), ['from', '{}', '-o', 'q.nc']), ('.zarr', store, ['attr', 'a=b', '{}']),
    ('.zarr', store, ['attr', '--in-place', 'a=b', '{}']), ('.nc', tensor, ['info', '{}:t.units']), ('.nc', tensor, ['info', '{}:title']),
    ('.nc', tensor, ['attr', 't.units', '{}:t']), ('.nc', tensor, ['attr', 't.units=a b', '{}:t']), ('.nc', tensor, ['reduce', 'sum', '{}:text', '-p']),
    ('.nc', tensor, ['remove', '{}:q']), ('.nc', tensor, ['move', 'q=r', '{}']), ('.nc', tensor, ['print', '{}:q*']),
    ('.nc', tensor, ['add', '{}:t', 'big.nc:t', '-p']), ('.nc', tensor, ['add', 'far.nc:t', '{}:t', '-p']), ('.nc', tensor, ['take', 'x={}:one', 'big4.nc:t', '-p']),
    ('.nc', lambda p: dated(p, 2001), ['add', '{}', 'late.nc', '-p']), ('.h5', twice, ['reduce', 'sum', '{}', '-p']),
    ('.h5', lambda p: h5(p, a=np.ones((3, 4)), b=np.ones((4, 3))), ['dot', '{}:a', '{}:b', '-p']),
    ('.nc', tensor, ['reduce', 'mean', 'x', '{}:t', '-p']), ('.nc', tensor, ['slice', '{}:t', 'x=1', '-p']), ('.nc', tensor, ['reduce', '{}:t', 'mean', '-p']),
    ('.nc', tensor, ['reduce', 'men', '{}:t', '-p']), ('.nc', tensor, ['slice', 'q=1', '{}:t', '-p']), ('.nc', tensor, ['reduce', 'mean', '--ovr', 'x', '{}:t', '-p']),
    ('.nc', tensor, ['copy', '{}/t', '-o', 'q.nc']), ('.nc', tensor, ['order', 'y', 'x', '{}:t', '-p']), ('.nc', tensor, ['view', '{}']),
    ('.nc', tensor, ['sub', '{}', '{}', '-p']), ('.nc', constant, ['assign', '{}:t', '=', '1']), ('.nc', tensor, ['transpose', '{}:t', '-p']),
    ('.nc', tensor, ['reduce', 'mean', '--over', 'x', '{}', '-o', '{}']), ('.nc', tensor, ['attr', 'set', '{}:t', 'units', 'K']),
    ('.nc', tensor, ['append', '--along', 'x', '{}', 'other.nc']), ('.nc', tensor, ['info', '{}/q'])]


def told(err):
    """Lines that somebody might paste."""
    for line in err.splitlines():
        m = re.match(r'axt[\w-]*: hint: (.*)', line)
        if m and re.search(COMMAND, m[1]):
            yield m[1]


def first_command(hint):
    """The words of the first command, before a sign of the shell or a sentence goes on; quotes are looked through."""
    hint = hint[re.search(COMMAND, hint).start():].replace('tr , . <', 'tr x . ')
    i, quote = 0, ''
    while i < len(hint):
        c = hint[i]
        if quote == "$'" and c == '\\':
            i += 1
        elif quote:
            quote = '' if c == "'" else quote
        elif c == '\\':
            i += 1
        elif c == "'":
            quote = "$'" if hint[i - 1:i] == '$' else "'"
        elif c in ';|(&' or hint[i:i + 2] == ', ':
            break
        i += 1
    return hint[:i]


def wrong(hint, name):
    """Why it cannot be pasted, or ''."""
    if any(ord(c) < 32 or c == '\x7f' for c in hint):
        return 'control characters'
    line = first_command(hint)
    if subprocess.run(['sh', '-n', '-c', line], capture_output=True, check=False).returncode:
        return 'no line of the shell'
    p = subprocess.run(['bash', '-c', "printf '%s\\0' " + line.replace('\0', '')], capture_output=True, check=False)
    words = p.stdout.split(b'\0')[:-1]
    if os.path.exists('ran'):
        os.unlink('ran')
        return 'it runs what the name says'
    # a name that is only an example, or one that has no place in the line, is none of its words
    mentions = re.sub(r'[^a-zA-Z]', '', name) and any(shlex.quote(x) in hint for x in (name, './' + name))
    bare = os.fsencode(name)
    if any(bare in w for w in words):
        return ''
    part = [x for x in re.split(r'[^a-zA-Z.]', name) if len(x) > 1 and x not in ('touch', 'ran', 'nc')]
    return 'the name is not one word' if mentions or any(x in line for x in part) and '.nc' not in part else ''


def main():
    t = Tap()
    tensor('big.nc', 8)
    tensor('big4.nc', 4)
    tensor('far.nc', 5, first=.25)
    tensor('other.nc', 4, 'u')
    dated('late.nc', 2010)
    count = named = 0
    rng = random.Random(int(sys.argv[1]) if sys.argv[1:] else 1)
    for end, make, args in WAYS:
        bad, seen = [], 0
        names = rng.sample(NAMES, 11)
        for n in names:
            name = n + end
            shutil.rmtree(name) if os.path.isdir(name) else os.path.lexists(name) and os.unlink(name)
            safe = './' + name if name[0] == '-' else name
            make(name)
            r = axt(*[a.replace('{}', safe) for a in args], cwd=D)
            for hint in told(r.err):
                count += 1
                why = wrong(hint, name)
                seen += os.fsencode(name) in b''.join(subprocess.run(['bash', '-c', "printf '%s\\0' " + first_command(hint)], capture_output=True, check=False).stdout.split(b'\0'))
                bad += [f'{name!r}: {why}: {hint}'] if why else []
            if os.path.isdir(name):
                shutil.rmtree(name)
            elif os.path.lexists(name):
                os.unlink(name)
            for x in 'q.nc', 'ran':
                if os.path.exists(x):
                    os.unlink(x)
        named += seen > len(names) // 2
        t.ok(not bad, f'axt-{" ".join(args)} of {end}: {seen} hints have the name', '\n'.join(bad[:8]))
    print(f'# {count} hints')
    t.ok(named > 15, f'{named} kinds of hints have the name in them')
    t.done()


if __name__ == '__main__':
    main()
