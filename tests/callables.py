#!/usr/bin/python3
"""Functions of Python made of `axt list --json` alone, on real data, against NumPy and xarray.

What makes them knows no operation: that it makes all of them shows that the description says what a program has to know.
"""
import inspect
import itertools
import json
import re
import types

import numpy as np
import xarray as xr

from axtlib import TOP, Named, Tap, axt, read_h5, same, scratch, shell, write_h5

FILES = map('{}/{}.nc'.format, itertools.repeat(scratch()), itertools.count())
PARAM, NO = inspect.Parameter, inspect.Parameter.empty


def text(x):
    """A value as it is typed: [1, 2] as 1,2 and {'x': 3} as x=3, a DataArray or (axes, array, coordinates) as a file."""
    if isinstance(x, (list, dict)):
        return ','.join(f'{k}={text(x[k])}' if isinstance(x, dict) else text(k) for k in x)
    if not isinstance(x, (tuple, xr.DataArray)):
        return str(x)
    path, x = next(FILES), xr.DataArray(x[1], dict(*x[2:]), x[0]) if isinstance(x, tuple) else x
    x = xr.DataArray(x.values, x.coords, x.dims, 'v', x.attrs)
    if x.dtype.kind == 'c':
        write_h5(path, Named(x.dims, x.values, {d: x[d].values for d in x.dims if d in x.coords}))
    else:
        x.to_netcdf(path)
    return path + ':v'


def words(p, x):
    """The words of a value; an error where it is none."""
    good = {'flag': isinstance(x, bool), 'choice': str(x) in p.get('choices', []), 'integer': isinstance(x, int),
            'number': isinstance(x, (int, float)), 'axes': not p.get('one') or isinstance(x, str) and ',' not in x}
    if not good.get(p['type'], True) or p['type'] in ('integer', 'number') and not p.get('min', x) <= x <= p.get('max', x):
        raise ValueError(f'{p["name"]} takes {p.get("value", "a bool")}, not {x!r}')
    if p['type'] == 'specs':
        return [k + '=' * (k[-1] not in '=@') + text(x[k]) for k in x] if isinstance(x, dict) else x
    return [] if p['type'] == 'flag' else [text(x)]


def consistent(rows, given, last):
    """An error where what is given leaves something out, or does not go together; `last` is an operand that is not there."""
    def has(what):
        name, _, value = what.partition('=')
        return str(given.get(name, rows[name]['default'])) == value if value else name in given
    instead = {n: n in given for n, p in rows.items() if p.get('instead')}
    lacking = [n for n, p in rows.items() if p.get('required') and n not in given and not (p.get('word') and any(instead.values()))]
    lacking += last if instead and not any(instead.values()) and not any(p.get('word') for p in rows.values()) else []
    lacking += [n for name in given for n in rows[name].get('needs', []) if not has(n)]
    excluded = [(name, n) for name in given for n in rows[name].get('excludes', []) if has(n)]
    if lacking or excluded:
        raise TypeError(f'missing: {lacking}, exclude each other: {excluded}')


def function(op, alias):
    """The operation, or another name of it, as a function."""
    rows, second, one = {p['name']: p for p in op['parameters']}, alias.get('second'), alias.get('result')
    preset = {k: v == 'true' or v for k, v in (s.split('=') for s in alias.get('set', []))} | ({one: True} if one in rows else {})
    names, free = [n.strip('[]') for n in op['operands']], any(p.get('instead') for p in rows.values())
    params = [PARAM(n, PARAM.POSITIONAL_ONLY, default=NO if n in op['operands'] else None) for n in names]
    params += [PARAM(n, PARAM.POSITIONAL_ONLY) for n in [second] if n] + [PARAM('more', PARAM.VAR_POSITIONAL)] * bool(op.get('many'))
    params += [PARAM(n, PARAM.POSITIONAL_OR_KEYWORD if p.get('word') and not op.get('many') else PARAM.KEYWORD_ONLY,
                     default=NO if p.get('required') and not (free and p.get('word')) else p['default'])
               for n, p in rows.items() if n not in [*preset, second]]
    signature = inspect.Signature(sorted(params, key=lambda p: p.kind))

    def call(*args, **kw):
        have = signature.bind(*args, **kw).arguments
        operands, more = {n: have.pop(n) for n in names if n in have}, have.pop('more', ())
        given = {k: v for k, v in {**have, **preset}.items() if v is not None and v is not False}
        consistent(rows, given, [n for n in names[-1:] if n not in operands])
        line, bare = op['command'][:], []
        for n, v in given.items():
            (bare if rows[n].get('word') else line).extend(['--' + n.replace('_', '-')] * (not rows[n].get('word')) + words(rows[n], v))
        typed = [operands[n] for n in (n.strip('[]') for n in op.get('typed', op['operands'])) if n in operands]
        results = op.get('other_results' if op.get('where') in given else 'results', [])
        results = [n for n in results if n in given] or [n for n in results if not rows.get(n, {}).get('result')] or ['result']
        path, several = next(FILES), len(results) > 1
        p = axt(line[0][4:], *line[1:], *bare, *map(text, [*typed, *more]), '-o', path if several else f'{path}:{results[0]}')
        if p.rc:
            raise RuntimeError(p.err.split('\n')[0])
        got = {n: xr.DataArray(r.a, r.coords, r.dims) for n in results for r in [read_h5(path, n)]}
        return got[one] if one else got if several else got[results[0]]
    call.__name__, call.__signature__ = alias.get('name', op['name']), signature
    call.__doc__ = '\n'.join([alias.get('help', op['help']), *(f'{p["name"]}: {p["help"]}' for p in rows.values())])
    return call


def differs(op, usage):
    """Parameters that -h does not show as they are described."""
    shown = {m[1].replace('-', '_'): m for m in re.finditer(r'^ +(?:-\w, )?--([\w-]+)(?: (\S+))?(?:  +|\n {20,})(.*)', usage, re.M)}
    for p in op['parameters']:
        value, told = shown[p['name']].groups('')[1:] if p['name'] in shown else (None, '')
        if p.get('word'):
            value, told = p['value'] if p['value'] in usage.split('\n\n')[0] else None, p['help']
        default, choices = re.search(r'\(default ([^);]*)\)', told), (value or '').split('|') + re.findall(r'^  (\w\S*)', usage, re.M)
        if value and value.isupper():   # many words, which the page has
            choices = re.findall(r'\w+', open(f'{TOP}/man/{op["command"][0]}.1', encoding='utf-8').read())
        good = [value == p.get('value', ''), p['help'] in told or p['type'] == 'dtype',
                default[1] == str(p['default']) if default and default[1] else p['default'] in (None, False, 0) or '(default' in told,
                set(p.get('choices', [])) - {p['default']} <= set(choices),
                len(op['command']) > 1 or p.get('word') or ('(required)' in told) == bool(p.get('required'))]
        if not all(good):
            yield op['name'], p['name'], value, told, good


def data(f):
    """The names in the calls: two fields of the climatology that `make demo` shows, or random ones, and what is made of them."""
    real = shell("dpkg -L ferret-datasets | grep '/coads_climatology.cdf$'").stdout.decode().strip()
    if real:
        x, y = (xr.open_dataset(real, decode_times=False)[n].load()[:, ::2, ::3] for n in ('SST', 'AIRT'))
    else:
        lat = ('COADSY', np.arange(-89, 90, 4.), {'units': 'degrees_north'})
        at = {'COADSX': np.arange(21, 376, 6.), 'COADSY': lat, 'TIME': ('TIME', 366 + np.arange(12.) * 730.485, {'units': 'hour since 0000-01-01 00:00:00'})}
        x, y = (f.normal({'TIME': 12, 'COADSY': 45, 'COADSX': 60}, loc=15, scale=8, seed=s).assign_coords(at).where(lambda v: v > -2) for s in (1, 2))
    x.attrs['units'], d = 'degC', x.fillna(0)
    z = d.mean('COADSX')[:, 12:36:4].astype(float)
    return {'f': f, 'np': np, 'xr': xr, 'x': x, 'y': y, 'd': d, 'z': z, 'c': xr.DataArray(np.cov(z.T), dims=['i', 'j']), 'path': text(x),
            'm': x.mean('TIME'), 'w': np.cos(np.radians(x.COADSY)), 'k': np.arange(12) // 3, 'n': 'nosuch.nc'}


def main():
    t, ops = Tap(), json.loads(shell('axt list --json').stdout)['operations']
    usage = {c: axt(c[4:], '-h').out.decode() for c in {op['command'][0] for op in ops}}
    f = types.SimpleNamespace(**{g.__name__: g for op in ops for a in [*op['aliases'], {}] for g in [function(op, a)]})
    wrong = [d for op in ops for d in differs(op, usage[op['command'][0]])] + [
        n for n, g in vars(f).items() if re.search(r'^$|: $', g.__doc__, re.M)]
    t.ok(not wrong, f'-h has the parameters of {len(ops)} operations as they are described, each with a help', '\n'.join(map(str, wrong)))
    names = data(f)
    for line in open(f'{TOP}/tests/cases/callables.tsv', encoding='utf-8').read().splitlines():
        call, _, want = line.partition('\t')
        try:
            got = None if line[0] == '#' else eval(call, names)
        except (TypeError, ValueError, RuntimeError) as e:
            got = repr(e)
        if want.startswith('error'):
            t.ok(want[6:] in got, call, got)
        elif want:
            want, dims = eval(want, names), getattr(got, 'dims', ())
            why = same(got, want, 1e-4, 1e-4, dtype=False)
            why = why or [(dims, n) for n in getattr(want, 'coords', ()) if n in want.dims and not np.array_equal(got.coords.get(n), want[n])]
            t.ok(not why and dims == getattr(want, 'dims', dims), call, why or dims)
    t.done()


if __name__ == '__main__':
    main()
