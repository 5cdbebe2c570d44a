#!/usr/bin/python3
"""Every place of a command line that takes a tensor, times every form of naming one: the same values, or the same message."""
import fnmatch
import io
import json
import os
import re
import shutil

import h5py
import numpy as np

from axtlib import Tap, axt, scratch, shell

os.environ['AXT_FUSE'] = '0'   # a pipe brings bytes, which a test can prepare
VALUES, PACKED = [1, 4, 9], [3, 6, 11]

# place: the command with {} for the operand, and what of its output are the values (None: all that it prints)
PLACES = {
    'operand': (['print', '{}'], None),
    'operand beside another': (['add', '{}', '0', '-p'], None),
    'one of --files-from': (['concat', 'k', '--files-from', '{list}', '-p'], None),
    'weights': (['reduce', 'sum', '--to', 'k', '--weights', '{}', 'ones.h5:a', '-p'], None),
    'weights of a histogram': (['hist', '--bins', '1', '--range', '0,2', '--to', 'k', '--weights', '{}', 'ones.h5:a',
                                '-p'], None),
    'labels': (['reduce', 'sum', '--by', '{}', 'ones.h5:b'], 'coordinates'),
    'coordinates': (['coord', 'set', 'k={}', 'ones.h5:b'], 'coordinates'),
    'indices': (['take', 'p={}', 'ones.h5:count', '-p'], None),
    'coordinates to take': (['take', 'p@{}', 'ones.h5:count', '-p'], None),
    'value of a placeholder': (['bind', 'v={}', 'place.h5:v', '-p'], None),
    'name of axt-calc': (['calc', 'v + 0', 'v={}', '-p'], None),
    'value that is assigned': (['assign', 'to.h5:t', 'set', '{}'], 'assigned'),
    'tensor of axt-info --stats': (['info', '--stats', '--json', '{}'], 'stats'),
}

# form: the operand, options, what comes in on standard input, the values or the message
FORMS = {
    'a file of one tensor': ('one.h5', [], None, VALUES),
    'FILE:DATASET': ('two.h5:t', [], None, VALUES),
    'FILE:/DATASET': ('two.h5:/t', [], None, VALUES),
    'a dataset of a group': ('two.h5:g/in', [], None, VALUES),
    'a file of two tensors': ('two.h5', [], None, '*two.h5 holds several tensors*'),
    'a file of two tensors with -d': ('two.h5', ['-d', 't'], None, VALUES),
    'a file without the tensor of -d': ('one.h5', ['-d', 't'], None, 'one.h5: no dataset "t" *'),
    'standard input': ('-', [], 'one.h5', VALUES),
    'a dataset of standard input': ('-:t', [], 'two.h5', VALUES),
    'standard input with -d': ('-', ['-d', 't'], 'two.h5', VALUES),
    'packed': ('packed.h5', [], None, PACKED),
    'packed, with --raw': ('packed.h5', ['--raw'], None, VALUES),
    'coordinates of a file': ('coord.h5:k', [], None, VALUES),
    'a field of times': ('cf.h5:k.day', [], None, [2, 5, 10]),
    'no field of times': ('cf.h5:k.days', [], None, 'cf.h5: no dataset "k.days" *'),
    'a saved expression': ('saved.h5', [], None, VALUES),
    'a saved expression whose inputs changed': ('old.h5', [], None, '*'),
    'the same with --stale': ('old.h5', ['--stale'], None, VALUES),
    'a saved expression of files elsewhere': ('far/far.h5', [], None, '*'),
    'the same with --allow-external': ('far/far.h5', ['--allow-external'], None, VALUES),
    'a virtual dataset of files elsewhere': ('far/virtual.h5', [], None, '*'),
    'the same with --allow-external ': ('far/virtual.h5', ['--allow-external'], None, VALUES),
    'a link to another file': ('link.h5:t', [], None, '*'),
    'npy': ('t.npy', [], None, VALUES),
    'CSV': ('t.csv', [], None, '*'),
    'text': ('text.h5:t', [], None, '*holds text, not numbers'),
    'an axis without values': ('dim.h5:n', [], None, '*'),
    'no such file': ('none.h5', [], None, 'none.h5: No such file or directory'),
    'a dataset of no such file': ('none.h5:t', [], None, 'none.h5: No such file or directory'),
    'no such dataset': ('two.h5:nix', [], None, 'two.h5: no dataset "nix" *'),
    'a directory': ('far', [], None, '*'),
    'an empty file': ('empty.h5', [], None, '*'),
}

# where a place takes more, or less, than a tensor: text is printed, names groups and coordinates, and is taken by; positions are
# whole numbers, the axis of npy is no other's, coordinates may come as CSV, and axt-info tells of whole files
OTHERWISE = {('operand', 'text'), ('labels', 'text'), ('coordinates', 'text'), ('coordinates', 'CSV'), ('indices', 'text'),
             ('coordinates to take', 'text'), ('indices', 'packed')} | {
    (place, 'npy') for place in ('one of --files-from', 'weights', 'weights of a histogram', 'labels', 'value of a placeholder',
                                 'value that is assigned')} | {('tensor of axt-info --stats', form) for form in (
    'a file of two tensors', 'a field of times', 'text')}


def make(d):
    """Files of all forms in d."""
    v = np.array(VALUES, 'i8')

    def k_axis(f, name, a, axis='k'):
        f[name] = a
        f[name].dims[0].label = axis

    with h5py.File(f'{d}/one.h5', 'w') as f:
        k_axis(f, 'only', v)
    with h5py.File(f'{d}/two.h5', 'w') as f:
        k_axis(f, 't', v)
        k_axis(f, 'u', v + 1)
        k_axis(f, 'g/in', v)
    with h5py.File(f'{d}/packed.h5', 'w') as f:
        k_axis(f, 't', v)
        f['t'].attrs['add_offset'] = 2.
    for name, units in ('cf', 'days since 2000-01-01'), ('coord', None):
        with h5py.File(f'{d}/{name}.h5', 'w') as f:
            f['k'] = v
            f['k'].make_scale('k')
            if units:
                f['k'].attrs['units'] = np.bytes_(units)
            f['x'] = v
            f['x'].dims[0].attach_scale(f['k'])
    with h5py.File(f'{d}/ones.h5', 'w') as f:
        k_axis(f, 'a', np.ones((3, 1), 'i8'))
        f['a'].dims[1].label = 'z'
        k_axis(f, 'b', np.ones(3, 'i8'))
        k_axis(f, 'count', np.arange(20), 'p')
    with h5py.File(f'{d}/ones.h5', 'a') as f:   # its positions are its coordinates, too
        f['p'] = np.arange(20)
        f['p'].make_scale('p')
        f['count'].dims[0].attach_scale(f['p'])
    with h5py.File(f'{d}/text.h5', 'w') as f:
        k_axis(f, 't', np.array([b'x', b'y', b'z']))
    with h5py.File(f'{d}/dim.h5', 'w') as f:
        f['n'] = np.zeros(3, 'f4')
        f['n'].make_scale('This is a netCDF dimension but not a netCDF variable.         3')
        f['t'] = v
        f['t'].dims[0].attach_scale(f['n'])
    with h5py.File(f'{d}/link.h5', 'w') as f:
        f['t'] = h5py.ExternalLink('one.h5', '/only')
    np.save(f'{d}/t.npy', v)
    with open(f'{d}/t.csv', 'w', encoding='ascii') as f:
        f.write('k,t\n0,1\n1,4\n2,9\n')
    open(f'{d}/empty.h5', 'w', encoding='ascii').close()
    os.mkdir(f'{d}/far')
    os.mkdir(f'{d}/near')
    shutil.copy(f'{d}/one.h5', f'{d}/was.h5')
    layout = h5py.VirtualLayout((3,), 'i8')
    layout[:] = h5py.VirtualSource('../one.h5', 'only', (3,), 'i8')
    with h5py.File(f'{d}/far/virtual.h5', 'w') as f:
        f.create_virtual_dataset('t', layout)
        f['t'].dims[0].label = 'k'
    for line in ('axt-make placeholder k=3 --dtype i64 --name v -o place.h5', 'axt-make zeros k=3 --dtype i64 --name t -o to.h5',
                 'axt-map absolute one.h5 | axt-save -o saved.h5', 'axt-map absolute was.h5 | axt-save -o old.h5',
                 'axt-map absolute one.h5 | axt-save -q -o far/far.h5'):
        p = shell(f'cd {d} && ' + line, env={'AXT_FUSE': '1'})
        if p.returncode:
            raise SystemExit(f'{line}\n{p.stderr}')
    with h5py.File(f'{d}/was.h5', 'a') as f:
        f['only'][...] = [-1, 4, -9]


def values_of(d, p, what):
    """The numbers that a command which went well gave."""
    if what == 'assigned':
        with h5py.File(f'{d}/to.h5') as f:
            return f['t'][...].tolist()
    if what == 'stats':
        x = json.loads(p.out)['tensors'][0]['stats']
        return [x['count'], x['min'], x['max']]
    if what == 'coordinates':
        with h5py.File(io.BytesIO(p.out)) as f:
            return next(x for x in f.values() if h5py.h5ds.is_scale(x.id))[...].tolist()
    return [float(w) for w in p.out.decode().split()]


def check(t, d, place, form):
    """Whether the operand means the same in this place as in the first one."""
    words, what = PLACES[place]
    operand, options, data, want = FORMS[form]
    if data:
        with open(f'{d}/{data}', 'rb') as f:
            data = f.read()
    with open(f'{d}/list', 'w', encoding='ascii') as f:
        f.write(operand + '\n')
    p = axt(*[w.replace('{list}', 'list').replace('{}', operand) for w in words], *options, data=data, cwd=d)
    name = f'{place}: {form}'
    if isinstance(want, str):
        said = re.sub('^axt-[a-z]*: |( at character [0-9]+ of ".*")$', '', p.err.split('\n', maxsplit=1)[0])
        same = SAID.setdefault(form, said)
        return t.ok(p.rc == 1 and said == same and fnmatch.fnmatch(said, want), name, f'{p}\nwanted: {want}: {same}')
    want = [len(want), min(want), max(want)] if what == 'stats' else want
    return t.ok(p.rc == 0 and not p.err and values_of(d, p, what) == want, name, f'{p}{p.out[:99]!r}')


SAID = {}


def main():
    t, d = Tap(), scratch()
    make(d)
    for place in PLACES:
        for form in FORMS:
            if (place, form) not in OTHERWISE:
                check(t, d, place, form)
    t.done()


main()
