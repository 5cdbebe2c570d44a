#!/usr/bin/python3
"""Where the command, the function of axt-calc and the C call of an operation once did not agree: each line names what was different."""
import ctypes
import os

import h5py
import numpy as np

from axtlib import Named, Tap, libaxt, put_h5, scratch, shell

t = Tap()


def put_inputs():
    r = np.random.default_rng(8)
    days = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 2)
    time = {'time': np.cumsum(days) - 15.}
    grid = {'lat': np.array([-60., 0, 30]), 'lon': np.arange(0, 360, 90.)}
    months = {'month': np.arange(1, 13)}

    def put(path, dims, a, coords=None, name='v'):
        with h5py.File(path, 'w', track_order=True) as f:
            put_h5(f, Named(dims, a, coords or {}), name)
            for x, units in (('time', 'days since 2001-01-01'), ('lat', 'degrees_north'), ('la', 'degrees_north'),
                             ('lon', 'degrees_east'), ('lo', 'degrees_east')):
                if x in f:
                    f[x].attrs['units'] = units
    put('t.h5', ('time', 'lat', 'lon'), r.normal(size=(24, 3, 4)), {**time, **grid}, 't')
    put('s.h5', ('time', 'lat', 'lon'), r.normal(size=(24, 3, 4)), {**time, **grid}, 's')
    with h5py.File('s.h5') as f:
        put('other.h5', ('time', 'la', 'lo'), f['s'][:], {**time, 'la': grid['lat'], 'lo': grid['lon']}, 'o')
    put('c.h5', ('month', 'lat', 'lon'), r.normal(size=(12, 3, 4)), {**months, **grid}, 'c')
    put('x.h5', ('x',), np.arange(1., 7), {'x': np.arange(6.)}, 'a')
    put('g.h5', ('x',), np.array([1, 2, np.nan, np.nan, 5, 6]), {'x': np.arange(6.)}, 'g')
    put('k.h5', ('x',), np.arange(6) // 2, {'x': np.arange(6.)}, 'k')
    put('i.h5', ('n',), np.array([2, 0]), name='i')
    put('m.h5', ('r', 'c'), np.array([[.5, .2, .1], [.1, .6, .2], [.3, .1, .4]]), name='m')
    for axis in ('mode', 'value', 'label', 'fixed', 'at', 'order', 'method', 'points', 'rank'):
        put(f'{axis}.h5', (axis,), np.array([3., 1, 2]), {axis: np.arange(3.)}, 'a')


def saved(line):
    """The values that a command writes; None: it fails."""
    if shell(line + ' --name v --force -o z.h5').returncode:
        return None
    with h5py.File('z.h5') as f:
        return f['v'][()]


def alike(name, *lines):
    """All of these print the same values."""
    runs = [shell(line + ' -p') for line in lines]
    t.ok(all(p.returncode == 0 and p.stdout == runs[0].stdout and p.stdout for p in runs), name,
         '\n'.join(f'{line}: {p.returncode} {p.stderr.decode()[:200]} {p.stdout[:80]}' for line, p in zip(lines, runs)))


def refused(name, *lines, says=''):
    runs = [shell(line + ' -p') for line in lines]
    t.ok(all(p.returncode == 2 and says in p.stderr.decode() for p in runs), name,
         '\n'.join(f'{line}: {p.returncode} {p.stderr.decode()[:200]} {p.stdout[:80]}' for line, p in zip(lines, runs)))


class Arg(ctypes.Structure):
    """struct axt_arg"""
    _fields_ = [('name', ctypes.c_char_p), ('text', ctypes.c_char_p), ('e', ctypes.c_void_p)]


def in_c(name, files, *args):
    """The values of axt_call, or the error; of a library that has no axt_call: None."""
    lib = libaxt()
    if not hasattr(lib, 'axt_call'):
        return None
    p, s = ctypes.c_void_p, ctypes.c_char_p
    lib.axt_graph_new.restype = lib.axt_open.restype = lib.axt_call.restype = p
    lib.axt_graph_error.restype = s
    lib.axt_open.argtypes = [p, s, p]
    lib.axt_call.argtypes = [p, s, p, ctypes.c_int, p, ctypes.c_int]
    lib.axt_graph_error.argtypes = lib.axt_graph_free.argtypes = [p]
    lib.axt_expr_len.argtypes = [p, ctypes.c_int]
    lib.axt_expr_len.restype = ctypes.c_int64
    lib.axt_eval.argtypes = [p, p, p, ctypes.c_size_t]
    lib.axt_expr_rank.argtypes = [p]
    g = lib.axt_graph_new()
    nodes = [lib.axt_open(g, f.encode(), None) for f in files]
    made = (Arg * (len(args) + 1))(*[Arg(n.encode(), v.encode(), None) for n, v in args])
    e = lib.axt_call(g, name.encode(), (p * len(nodes))(*nodes), len(nodes), made, len(args))
    out = None
    if not lib.axt_graph_error(g):
        out = np.zeros([lib.axt_expr_len(e, i) for i in range(lib.axt_expr_rank(e))])
        lib.axt_eval(g, e, out.ctypes.data, out.nbytes)
    said = lib.axt_graph_error(g)
    out = said.decode() if said else out
    lib.axt_graph_free(g)
    return out


def c_is(name, have, line):
    want = saved(line)
    t.ok(isinstance(have, np.ndarray) and want is not None and have.shape == want.shape and np.allclose(have, want), name,
         f'{have}, want {want}')


def c_refuses(name, *calls):
    have = [in_c(*c) for c in calls]
    t.ok(all(isinstance(h, str) for h in have), name, have)


def operands():
    alike('1: a difference by its name pairs times with their months',
          'axt-sub t.h5 c.h5', "axt-calc 't - c' t.h5 c.h5", "axt-calc 'sub(t, c)' t.h5 c.h5")
    alike('1: so does the greater of two', 'axt-maximum t.h5 c.h5', "axt-calc 'maximum(t, c)' t.h5 c.h5")
    alike('1: and a sum of three', 'axt-add t.h5 c.h5 c.h5', "axt-calc 't + c + c' t.h5 c.h5", "axt-calc 'add(t, c, c)' t.h5 c.h5")
    c_is('1: and axt_call()', in_c('sub', ['t.h5', 'c.h5']), 'axt-sub t.h5 c.h5')


def matrices():
    m = 'row=r, col=c'
    refused('2: matrix_power needs a power', f"axt-calc 'matrix_power(m, {m})' m.h5", 'axt-matrix-power m.h5 --row r --col c', says='power')
    c_refuses('2: in C too', ('matrix_power', ['m.h5'], ('row', 'r'), ('col', 'c')))
    alike('3: any power', f"axt-calc 'matrix_power(m, {m}, power=100)' m.h5", 'axt-matrix-power --power 100 --row r --col c m.h5')
    for name, data in (('pinv', 'm'), ('matrix_rank', 'm'), ('lstsq', 'm, m, x')):
        refused(f'8: {name} takes no rcond below 0', f"axt-calc '{name}({data}, {m}, rcond=-1)' m.h5", says='a number from 0')
    c_refuses('8: in C too', ('pinv', ['m.h5'], ('row', 'r'), ('col', 'c'), ('rcond', '-1')))


def words():
    for n, call in ((1, 'fillnan(g, along=x, method=average)'), (2, 'fillnan(g, 0, method=average)'), (3, 'fillnan(g, 0, method=linear)'),
                    (4, 'interp(g, x=1.5, method=average)'), (5, 'rank(g, along=x, method=linear)')):
        refused(f'4: {call} has a method of another function, or none to use', f"axt-calc '{call}' g.h5", says='method')
    refused('5: nearest is for coordinates', "axt-calc 'take(a, x=i, nearest=true)' x.h5 i.h5", 'axt-take x=i.h5 --nearest x.h5')
    refused('6: no value where edges are repeated', "axt-calc 'pad(a, x=(1,1), mode=edge, value=3)' x.h5",
            'axt-pad x=1,1 --mode edge --value 3 x.h5', says='value')
    c_refuses('6: in C too', ('pad', ['x.h5'], ('specs', 'x=1,1'), ('mode', 'edge'), ('value', '3')))
    refused('7: others are dropped of labels', "axt-calc 'sum(a, over=x, dropothers=true)' x.h5", "axt-calc 'sum(a, over=x, drop_others=true)' x.h5",
            "axt-calc 'sum(a, over=x, by=k, drop_others=true)' x.h5 k.h5", 'axt-reduce sum --over x --by k.h5 --drop-others x.h5', says='drop')
    c_refuses('7: in C too', ('sum', ['x.h5'], ('over', 'x'), ('drop_others', 'true')))


def names():
    for op, axis, word in (('pad', 'mode', '1,1'), ('pad', 'value', '1,1'), ('window', 'label', 'w:2'), ('shift', 'fixed', '1'),
                           ('interp', 'method', '0.5'), ('interp', 'points', '0.5')):
        value = f'({word})' if ',' in word else word
        alike(f'9: a quoted name is an axis of {op}, as {axis}', f'axt-{op} {axis}={word} {axis}.h5',
              f"""axt-calc '{op}(a, "{axis}"={value})' {axis}.h5""")
    for op, axis in (('expand', 'at'), ('reshape', 'order'), ('reshape', 'rank')):
        alike(f'9: a quoted name is an axis of {op}, as {axis}', f'axt-{op} {axis}=6 x.h5' if op == 'reshape' else f'axt-{op} {axis}=2 x.h5',
              f"""axt-calc '{op}(a, "{axis}"={6 if op == 'reshape' else 2})' x.h5""")
    refused('10: a mistyped parameter is no axis', "axt-calc 'random(x=2, sed=5)'", 'axt-make random x=2 --sed 5', says='seed')
    refused('11: a dtype is no axis', "axt-calc 'cast(a, to=f32)' x.h5", 'axt-cast --to f32 x.h5', says='f32')
    c_refuses('11: in C too', ('cast', ['x.h5'], ('to', 'f32')))
    refused('12: a number is no axis', "axt-calc 'expand(a, 0)' x.h5", 'axt-expand 0 x.h5', says='position')
    c_refuses('12: in C too', ('expand', ['x.h5'], ('axes', '0')))
    for op, one, two in (('pad', '(1,1)', '(2,2)'), ('shift', '1', '2'), ('window', 'w:2', 'v:2'), ('interp', '1.5', '2.5')):
        refused(f'13: an axis is once in {op}', f"axt-calc '{op}(a, x={one}, x={two})' x.h5", says='twice')
        c_refuses(f'13: in C too, {op}', (op, ['x.h5'], ('specs', 'x=' + one.strip('()')), ('specs', 'x=' + two.strip('()'))))


def weights():
    for op, files in (('cov', 't.h5 s.h5'), ('corr', 't.h5 s.h5'), ('hist', 't.h5')):
        more = '--bins 3 --range -3,3 ' if op == 'hist' else ''
        calc = 'bins=3, range=(-3,3), ' if op == 'hist' else ''
        data = 't, s' if op != 'hist' else 't'
        shell("axt-calc 'area(t)' t.h5 --name w -o area.h5; axt-slice time=: t.h5:time.daysinmonth -o days.h5")
        for word, file in (('area', 'area.h5'), ('time.daysinmonth', 't.h5:time.daysinmonth')):
            alike(f'14: weights {word} of {op}', f'axt-{op} {more}--weights {word} {files}', f'axt-{op} {more}--weights {file} {files}',
                  f"axt-calc '{op}({data}, {calc}weights={word})' {files}")
    shell('axt-eof --over time --modes 2 --against other.h5 --weights area t.h5 -o both.h5')
    alike('15: the area of each of two grids', "axt-calc 'mca(t, o, covariance, over=time, modes=2, weights=area)' t.h5 other.h5",
          "axt-calc 'mca(t, s, covariance, over=time, modes=2, weights=area)' t.h5 s.h5",
          'axt-add both.h5:covariance 0')
    groups = 'over=(time,lat,lon), by=time.season, drop_others=true'
    line = 'axt-reduce sum --by time.season --drop-others --over time,lat,lon --labels DJF t.h5'
    alike('16: one label is a list', line, f"axt-calc 'sum(t, labels=DJF, {groups})' t.h5", f"axt-calc 'sum(t, labels=(DJF), {groups})' t.h5")
    with h5py.File('t.h5') as f:
        want = f['t'][:].reshape(2, 12, -1)[:, [0, 1, 11]].sum()
    have = saved(line)
    t.ok(have is not None and have.shape == (1,) and np.allclose(have, want), '16: its group has the values', f'{have}, want {want}')


def together():
    refused('17: what excludes each other, in both orders', 'axt-eof --over time --center --no-center t.h5', 'axt-eof --over time --no-center --center t.h5',
            "axt-calc 'eof(t, pc, over=time, center=true, no_center=true)' t.h5", says='center')
    for line in ('axt-interp x=1.5 --points - -', 'axt-scan linear:- --along x -', 'axt-scan sum --along x --by - -', 'axt-take x=- -'):
        refused(f'18: standard input is one operand: {line}', f'cat x.h5 | {line}', says='once')
    c_is('19: axt_call of cov is the command', in_c('cov', ['x.h5', 'x.h5']), 'axt-cov x.h5 x.h5')
    c_is('19: and of eof', in_c('eof', ['t.h5'], ('over', 'time'), ('modes', '1'), ('result', 'eigenvalues')),
         "axt-calc 'eof(t, eigenvalues, over=time, modes=1)' t.h5")
    c_refuses('20: in C, too, fft and quantile refuse what others refuse', ('fft', ['x.h5'], ('along', 'x'), ('length', '4')),
              ('fft', ['x.h5'], ('along', 'x'), ('spacing', '-1')), ('quantile', ['x.h5']))


def once():
    """A value behind a name or by its place, and by its own name as well: none of them is left out silently."""
    for line in ('axt-make full:3 --value 4 x=2', "axt-calc 'full(3, x=2, value=4)'", "axt-calc 'full(value=4, 3, x=2)'",
                 'axt-reduce quantile:0.5 --q 0.9 x.h5', "axt-calc 'quantile(a, 0.5, q=0.9)' x.h5", 'axt-scan linear:2 --value 3 --along x x.h5'):
        refused(f'a value is given once: {line}', line, says='there already')


os.chdir(scratch())
put_inputs()
operands()
matrices()
words()
names()
weights()
together()
once()
t.done()
