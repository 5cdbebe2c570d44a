"""Compares two files object by object, as netCDF4-python and h5py see them: `differences`, or samefile.py A B [TOLD].

Dimensions with their lengths and whether they are unlimited, also those that nothing lies along; variables with types,
enumerations, axes and values; attributes with types, shapes and values; groups; soft, external and hard links.
"""
import gc
import os
import re
import shutil
import sys
import tempfile

import h5py
import netCDF4
import numpy as np

OWN = {'CLASS', 'NAME', 'REFERENCE_LIST', 'DIMENSION_LIST', '_Netcdf4Dimid', '_Netcdf4Coordinates',
       '_nc3_strict', '_NCProperties', 'history', '_FillValue'}
LABELS = 'DIMENSION_LABELS'
BARE = b'This is a netCDF dimension but not a netCDF variable'


def text(x):
    return x.decode('utf-8', 'surrogateescape') if isinstance(x, bytes) else str(x)


def value(a, json=False):
    """An attribute as type and values; JSON has numbers of one type, and no lists of one."""
    if isinstance(a, (str, list)):
        return 'text', [text(x) for x in np.atleast_1d(np.array(a, dtype=object))]
    a = np.atleast_1d(np.asarray(a))
    if json and a.size == 0:
        return 'none', ''
    return ('numbers', a.astype(float).tobytes()) if json and a.dtype.kind in 'iufb' else (str(a.dtype), a.tobytes())


def attributes(x, where, but=(), json=False):
    return {f'{where}@{k}': value(x.getncattr(k), json) for k in x.ncattrs() if k not in but and k != LABELS}


def stored(v, json):
    v.set_auto_maskandscale(False)
    if v.dtype is not str and v.dtype.kind == 'S':
        v.set_auto_chartostring(False)
    a = np.asarray(v[...])
    if json and a.dtype.kind in 'iu':
        return a.tolist()
    return a.tolist() if a.dtype == object else a.astype(a.dtype.newbyteorder('=')).tobytes()


def kind(v, json):
    t = v.datatype
    if json and v.dtype is not str and v.dtype.kind in 'iu':
        return 'integers'
    if isinstance(t, netCDF4.EnumType):
        return str(v.dtype), t.name, sorted(t.enum_dict.items())
    return str(v.dtype if v.dtype is str else v.dtype.newbyteorder('='))


class Texts:
    """Text by either way of having it: strings, or characters along an axis of their own, which may be one text each."""

    def __init__(self, a, dims=()):
        a, self.dims = np.asarray(a), dims
        self.forms = [[text(x).rstrip('\0 ') for x in np.atleast_1d(a).ravel()]]
        if a.dtype == 'S1' and a.ndim:
            self.forms.append([text(b''.join(x or b'\0' for x in row)).rstrip('\0 ') for row in a.reshape(-1, a.shape[-1])])

    def __eq__(self, other):
        return isinstance(other, Texts) and any(x in other.forms for x in self.forms)


def objects(g, json, at=''):
    """Every dimension, variable and attribute of a group and of those in it, by path."""
    out = attributes(g, at + '/', () if at else ('history', 'Conventions', '_NCProperties'), json)
    for name, v in g.variables.items():
        path = f'{at}/{name}'
        if json and (v.dtype is str or v.dtype.kind == 'S'):
            v.set_auto_chartostring(False)
            out[path] = Texts(np.ma.getdata(v[...]), v.dimensions)
        else:
            out[path] = (kind(v, json), v.dimensions, v.shape, stored(v, json))
        out.update(attributes(v, path, json=json))
    for name, d in g.dimensions.items():
        out[f'{at}/{name} (dimension)'] = (len(d), d.isunlimited())
    for name, sub in g.groups.items():
        out[f'{at}/{name} (group)'] = True
        out.update(objects(sub, json, f'{at}/{name}'))
    return out


def h5_kind(t, json=False):
    members = h5py.check_enum_dtype(t)
    if json and t.kind in 'biu':  # flags tell names, as netCDF has them
        return 'integers'
    if members is not None:
        return 'enum', t.newbyteorder('=').str, sorted(members.items())
    if h5py.check_string_dtype(t) or t.kind in 'SU':
        return 'text'
    return '<f8' if t.kind == 'f' and t.itemsize > 8 else str(t.newbyteorder('='))


def h5_value(a, t, json=False):
    if h5_kind(t) == 'text':
        return [text(x).rstrip('\0 ') for x in np.atleast_1d(np.array(a, dtype=object)).ravel()]
    if json and t.kind in 'biu':
        return np.asarray(a).astype(int).tolist()
    return np.asarray(a).astype('f8' if t.kind == 'f' and t.itemsize > 8 else t.newbyteorder('='), copy=False).tobytes() if t.kind not in 'OV' else repr(a)


def h5_attributes(x, where, json):
    out = {}
    for k in x.attrs:
        if k == 'dtype' and text(x.attrs[k]) in ('bfloat16', json and 'bool'):  # which the type tells
            continue
        if json and k in ('flag_values', 'flag_meanings'):
            continue
        if k in OWN and (k != 'history' or where == '/'):
            continue
        i = x.attrs.get_id(k)
        if k == LABELS:  # a number of an axis without a name is no label
            said = ['' if re.fullmatch(r'dim_\d+_*', text(y)) else text(y) for y in x.attrs[k]]
            while json and said and not said[-1]:  # characters of texts have an axis of their own in classic
                said.pop()
            if any(said):
                out[f'{where}@{k}'] = said
            continue
        try:
            a = None if i.get_space().get_simple_extent_type() == h5py.h5s.NULL else x.attrs[k]
            h5_kind(i.dtype)
        except (OSError, ValueError):  # a type that h5py has not
            continue
        if a is None or isinstance(a, h5py.Empty) or (json and (np.size(a) == 0 or np.size(a) == 1 and text(a) == '')):
            out[f'{where}@{k}'] = ('none', '')
        elif json and h5_kind(i.dtype) != 'text':
            out[f'{where}@{k}'] = np.atleast_1d(a).astype(complex).tobytes() if i.dtype.kind not in 'OV' else repr(a)
        elif h5_kind(i.dtype) == 'text':
            out[f'{where}@{k}'] = h5_kind(i.dtype), np.size(a), h5_value(a, i.dtype)
        else:
            out[f'{where}@{k}'] = h5_kind(i.dtype), np.shape(a), h5_value(a, i.dtype)
    return out


def packed(o):
    """The chunks, as far as they have elements, and filters of a dataset that is compressed."""
    p = o.id.get_create_plist()
    ids = [p.get_filter(i)[0] for i in range(p.get_nfilters())]
    return ids and set(ids) <= {1, 2, 3} and ([min(c, max(n, 1)) for c, n in zip(o.chunks, o.shape)], ids)


def h5_objects(f, json):
    """What h5py sees and netCDF does not: types, links, names of one object."""
    out, names = {}, {}

    def walk(g, at):
        out.update(h5_attributes(g, at + '/', json))
        for name in g:
            path, link = f'{at}/{name}', g.get(name, getlink=True)
            if not isinstance(link, h5py.HardLink):
                out[f'{path} (link)'] = type(link).__name__, link.path, getattr(link, 'filename', '')
                continue
            o = g[name]
            key = h5py.h5o.get_info(o.id).addr
            names.setdefault(key, []).append(path)
            if isinstance(o, h5py.Group):
                out[f'{path} (group)'] = True
                if len(names[key]) == 1:
                    walk(o, path)
            elif isinstance(o, h5py.Datatype):
                if not name.startswith('_axt_') and not (name.endswith('_t') and name[:-2] in g):
                    out[f'{path} (type)'] = h5_kind(o.dtype)
            elif not text(o.attrs.get('NAME', '')).startswith(BARE.decode()):
                try:
                    a = o[()]
                except (OSError, ValueError):  # a type that h5py has not
                    continue
                path = path.replace('_nc4_non_coord_', '')
                if json and h5_kind(o.dtype) == 'text' and not isinstance(a, h5py.Empty):
                    out[path] = Texts(a)
                    out.update(h5_attributes(o, path, json))
                    continue
                a = None if isinstance(a, h5py.Empty) else h5_value(a, o.dtype, json)
                out[path] = h5_kind(o.dtype, json), o.shape, a
                if not json and packed(o):
                    out[f'{path} (chunks)'] = packed(o)
                out.update(h5_attributes(o, path, json))

    walk(f, '')
    out.update({f'{x} (names)': sorted(v) for v in names.values() if len(v) > 1 for x in v})
    return out


def extra_names(f):
    """Links, and names of objects that have another: netCDF refuses some, and calls axes by others."""
    names, out = {}, []

    def walk(g, at):
        for name in g:
            path = f'{at}/{name}'
            if not isinstance(g.get(name, getlink=True), h5py.HardLink):
                out.append(path)
                continue
            known = names.setdefault(h5py.h5o.get_info(g[name].id).addr, [])
            known.append(path)
            if isinstance(g[name], h5py.Group) and len(known) == 1:
                walk(g[name], path)

    walk(f, '')
    for known in names.values():
        own = text(f[known[0]].attrs.get('NAME', ''))
        keep = next((p for p in known if p.rpartition('/')[2] == own), known[0])
        out += [p for p in known if p != keep]
    return out


def unseen(f):
    """Attributes that some versions of netCDF cannot read, or nothing beside them: those of several axes, and 2-byte floats."""
    having, out = [f], []
    f.visititems(lambda _, o: having.append(o))
    for o in having:
        for k in o.attrs:
            i = o.attrs.get_id(k)
            try:
                out += [(o.name, k)] * (len(i.shape) > 1 or i.dtype == 'f2')
            except (OSError, TypeError, ValueError):  # a type that h5py has not
                pass
    return out


def by_netcdf(path, json):
    """What netCDF sees in a file, or in one like it where each object has one name, without attributes that netCDF may not read."""
    with tempfile.TemporaryDirectory() as d:
        if h5py.is_hdf5(path):
            with h5py.File(path, 'r') as f:
                extra, more = extra_names(f), unseen(f)
            if extra or more:
                path = shutil.copy(path, os.path.join(d, 'like.nc'))
                with h5py.File(path, 'r+') as f:
                    for name, k in more:
                        del f[name].attrs[k]
                    for name in extra:
                        del f[name]
        with netCDF4.Dataset(path) as f:
            return objects(f, json)


def lacks(x, y, told):
    """Keys of x and y that differ, but those that a warning names."""
    words = set(told.replace(',', ' ').split())
    words |= {w.rstrip('/') for w in words} | {w.rstrip(':;') for w in words} | {w.partition(':')[2] for w in words}

    def is_told(k):
        path, _, attr = k.partition('@')
        path = path.split(' (')[0]
        if attr and any(p == path or p.startswith(path + ' ') for p in y):
            return f'{path}:{attr}' in words
        up = path
        while up and up not in words and up[1:] not in words:
            up = up.rpartition('/')[0]
        return bool(up)

    return [k for k in {**x, **y} if x.get(k) != y.get(k) and not is_told(k)]


def labelled(f):
    """The labels of datasets without scales, whose dimensions netCDF guesses by their lengths."""
    out, groups = {}, {'': f}

    def look(name, o):
        if isinstance(o, h5py.Group):
            groups['/' + name] = o

    f.visititems(look)  # each object by one of its names, but here all are needed
    for at, g in groups.items():
        for name in g:
            o = g[name] if isinstance(g.get(name, getlink=True), h5py.HardLink) else None
            if isinstance(o, h5py.Dataset) and o.shape and 'DIMENSION_LIST' not in o.attrs and 'CLASS' not in o.attrs:
                out[f'{at}/{name}'] = [text(x) for x in o.attrs.get(LABELS, [''] * o.ndim)]
    return out


def by_label(a, b, said, free):
    """Whether variables differ only in names of dimensions, which those of b have from labels, from nothing, or, if it
    has no scales either (free), from whatever is as long."""
    if not (said and isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] and a[2:] == b[2:]):
        return False
    return all(q == w or not w and (free or q[:4] == 'dim_') for q, w in zip(b[1], said))


def differences(a, b, told='', way=''):
    """Paths of what file b lacks of a, or has otherwise, or has more; but those whose names a warning tells.

    way: what was between them. Zarr has numbers of JSON, and names of axes in arrays alone; classic has integers of the
    sizes that values need, text of characters, and flags for enumerations."""
    json, seen, loose = bool(way), [{}, {}], [{}, {}]
    hdf5 = h5py.is_hdf5(a) and h5py.is_hdf5(b)
    if hdf5:
        for at, file in zip((0, 1), (a, b)):
            with h5py.File(file, 'r') as f:
                seen[at] = h5_objects(f, json)
                loose[at] = labelled(f)
    try:
        x, y = by_netcdf(a, json), by_netcdf(b, json)
    except (AttributeError, OSError, RuntimeError, ValueError):  # netCDF cannot read some
        if not hdf5:
            raise
        x = y = {}
    gc.collect()  # where reading failed, netCDF4 has the file open until its objects are collected
    if way == 'Zarr':
        y = {k: v for k, v in y.items() if k in x or not k.endswith('(dimension)')}
    if way:  # dimensions of characters alone are none of strings
        used = {d for v in x.values() if isinstance(v, tuple) and len(v) == 4 for d in v[1]}
        letters = {f'/{v.dims[-1]} (dimension)' for v in x.values() if isinstance(v, Texts) and v.dims and v.dims[-1] not in used}
        x, y = ({k: v for k, v in z.items() if not re.search(r'/string\d+ ', k) and k[k.rfind('/', 0, -12):] not in letters} for z in (x, y))
    if hdf5:  # what netCDF cannot see, and axes without names, which it makes up, are left to h5py
        made_up = {k for z in (x, y) for k in z if 'phony_dim' in str((k, z[k])) or re.search(r'/dim_\d+ ', k)}
        made_up |= {k for k in y if k not in x and k in seen[0]}
        named = {f'/{w} (dimension)' for said in loose[0].values() for w in said}
        made_up |= {k for k in y if k not in x and k[k.rfind('/', 0, -12):] in named}  # by the label that it has there
        made_up |= {k for k in x if by_label(x[k], y.get(k), loose[0].get(k), k in loose[1])}
        x, y = ({k: v for k, v in z.items() if k not in made_up} for z in (x, y))
    same = {k for k in x if x[k] == y.get(k)}  # such as variables that netCDF shows with more records
    lost = [k for k in lacks(x, y, told) if not (json and re.search('@(dtype|flag_values|flag_meanings)$', k))]
    return lost + [k for k in lacks(*seen, told) if k not in same and k not in lost]


if __name__ == '__main__':
    print(*differences(*sys.argv[1:4]), sep='\n')
