"""Compares two netCDF files object by object, as netCDF4-python sees them: `differences`, or samefile.py A B [TOLD]."""
import sys

import netCDF4
import numpy as np


def value(a):
    """An attribute as type and values."""
    if isinstance(a, (str, list)):
        return 'text', list(np.atleast_1d(np.array(a, dtype=object)))
    a = np.atleast_1d(np.asarray(a))
    return str(a.dtype), a.tobytes()


def attributes(x, where, but=()):
    return {f'{where}@{k}': value(x.getncattr(k)) for k in x.ncattrs() if k not in but}


def stored(v):
    v.set_auto_maskandscale(False)
    if v.dtype is not str and v.dtype.kind == 'S':
        v.set_auto_chartostring(False)
    a = np.asarray(v[...])
    return a.tolist() if a.dtype == object else a.tobytes()


def objects(g, at=''):
    """Every dimension that a variable has, variable and attribute of a group and of those in it, by path."""
    out = attributes(g, at + '/', () if at else ('history', 'Conventions', '_NCProperties'))
    used = set()
    for name, v in g.variables.items():
        path = f'{at}/{name}'
        used.update(v.dimensions)
        out[path] = (str(v.dtype), v.dimensions, v.shape, stored(v))
        out.update(attributes(v, path))
    for name, d in g.dimensions.items():
        if name in used:
            out[f'{at}/{name} (dimension)'] = (len(d), d.isunlimited())
    for name, sub in g.groups.items():
        out[f'{at}/{name} (group)'] = True
        out.update(objects(sub, f'{at}/{name}'))
    return out


def differences(a, b, told=''):
    """Paths of what file b lacks of a, or has otherwise, or has more; but those whose names a warning tells."""
    with netCDF4.Dataset(a) as x, netCDF4.Dataset(b) as y:
        x, y = objects(x), objects(y)
    lost = [k for k in {**x, **y} if x.get(k) != y.get(k)]
    return [k for k in lost if k.split('@')[0].split(' ')[0] not in told.replace(':', ' ').replace(',', ' ').split()]


if __name__ == '__main__':
    print(*differences(*sys.argv[1:4]), sep='\n')
