#!/usr/bin/python3
"""Real and hostile files: realdata.py [DIR].

Every dataset of a supported type reads with the values, axes and coordinates h5py and xarray see; a hostile file gives
right data or one line of error: no signal, no hang, no more than the memory bound. DIR is AXT_DATA, or data
in AXT_SHARED, or ../shared/data; without it every test is skipped.
"""
import glob
import os
import pickle
import resource
import subprocess
import sys
import warnings

import h5py
import numpy as np
import xarray as xr

from axtlib import BIN, NO_COORD, SANITIZER, SLOW, TOP, Tap, axt, is_scale, measured, read_h5, same, scratch

warnings.simplefilter('ignore')
DIR = ([a for a in sys.argv[1:2] if a[0] != '-'] or [os.environ.get('AXT_DATA') or
                        os.path.join(os.environ.get('AXT_SHARED') or os.path.join(TOP, '..', 'shared'), 'data')])[0]
LIMIT_S = 60 if SLOW else 30 if SANITIZER else 10
LIMIT_MIB = 256
d = scratch()
tap = Tap()


def supported(s):
    """What NumPy dtype an HDF5 dataset should read as, or None when axt need not read it."""
    t = s.id.get_type()
    try:
        dt = s.dtype
    except ValueError:
        # bfloat16: no NumPy type of h5py's holds it
        return np.dtype('f4') if t.get_size() == 2 else None
    if s.shape is None or s.is_virtual or s.external:
        return None
    if h5py.check_string_dtype(dt) or h5py.check_vlen_dtype(dt) or h5py.check_ref_dtype(dt) or dt.subdtype:
        return None
    enum = h5py.check_enum_dtype(dt)
    if enum:
        return np.dtype(bool) if set(enum) == {'FALSE', 'TRUE'} else None
    if dt.kind in 'iu' and isinstance(t, h5py.h5t.TypeIntegerID):
        return dt if t.get_size() == dt.itemsize and t.get_precision() == 8 * dt.itemsize else None
    if dt.kind == 'f':
        if dt.itemsize == 2 or (t.get_size() in (4, 8) and t.get_precision() == 8 * t.get_size()):
            return dt
        return np.dtype('f4') if t.get_size() == 2 else None
    if dt.kind == 'c':
        return dt
    return None


def walk(f):
    """Every dataset once, in file order."""
    found = []
    f.visititems(lambda n, o: found.append(n) if isinstance(o, h5py.Dataset) else None)
    return found


def filters_known(s):
    p = s.id.get_create_plist()
    return all(p.get_filter(i)[0] in (1, 2, 3) for i in range(p.get_nfilters()))


def axis_names(s):
    """The rules of axt-format(5): scale, else label, else dim_N; a scale lies along itself."""
    if is_scale(s) and s.ndim == 1:
        return (s.name.split('/')[-1],)
    names = []
    for i in range(s.ndim):
        dim = s.dims[i]
        if len(dim):
            names.append(dim[len(dim) - 1].name.split('/')[-1])
            continue
        try:
            label = dim.label
        except (TypeError, UnicodeDecodeError):
            label = ''
        names.append(label or f'dim_{i}')
    return tuple(names)


def xarray_child(path, out):
    """In a process of its own, for netCDF-C dies on some files: {name: (axes, decoded values)} of all groups."""
    import netCDF4
    groups, seen = [''], {}
    with netCDF4.Dataset(path) as f:
        todo = [f]
        for g in todo:
            todo += list(g.groups.values())
        groups = [g.path for g in todo]
    for g in groups:
        with xr.open_dataset(path, engine='netcdf4', group=g, decode_times=False, decode_coords=False) as ds:
            for v in ds.variables:
                enc = ds[v].encoding
                cf = {'scale_factor', 'add_offset', '_FillValue', 'missing_value'} & set(enc)
                cf = cf and ds[v].dtype.kind == 'f' and v not in ds.dims
                seen[f'{g}/{v}'.lstrip('/')] = (tuple(ds[v].dims), ds[v].values, bool(cf))
    with open(out, 'wb') as f:
        pickle.dump(seen, f)


def by_xarray(path):
    """What xarray sees in a file; {} where it fails."""
    out = f'{d}/xarray'
    if os.path.exists(out):
        os.unlink(out)
    subprocess.run([sys.executable, __file__, '--xarray', path, out], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)
    if not os.path.exists(out):
        return {}
    with open(out, 'rb') as f:
        return pickle.load(f)


def tensor_of(path, name):
    """The tensor in a file of axt's: it keeps its name, unless it is computed and an axis has it."""
    with h5py.File(path) as f:
        sets = [k for k in f if isinstance(f[k], h5py.Dataset)]
        last = name.split('/')[-1]
        if last in sets and (not is_scale(f[last]) or 'tensor' not in sets and not no_values(f[last])):
            return last
        return next((k for k in sets if not is_scale(f[k])), sets[0])


def no_values(s):
    """An axis without coordinates, as netCDF marks it."""
    n = s.attrs.get('NAME', b'')
    return is_scale(s) and (n if isinstance(n, bytes) else n.encode()).startswith(NO_COORD.encode())


def operand(path, name):
    """FILE:DATASET with what is special in a name taken literally."""
    return f'{path}:/{name}'


def dataset(path, name, s, seen):
    label = f'{os.path.basename(path)}:{name}'
    want_dtype = supported(s)
    if want_dtype is None or not filters_known(s) or no_values(s):
        r = axt('cast', '--raw', operand(path, name), '-o', f'{d}/no.h5')
        one_line = r.rc in (0, 1) and (r.rc == 0 or (1 <= len(r.err.splitlines()) <= 2 and r.err.startswith('axt-')))
        tap.ok(one_line, f'{label}: is refused in one line or read', r)
        return
    names = axis_names(s)
    twice = len(set(names)) < len(names)
    to = ['--to', ','.join(f'u{i}' for i in range(s.ndim))] if twice else []
    out = f'{d}/out.h5'
    if os.path.exists(out):
        os.unlink(out)
    if twice:
        r = axt('cast', '--raw', operand(path, name), '-o', out)
        tap.ok(r.rc == 1 and len(r.err.splitlines()) <= 2, f'{label}: an axis twice is an error', r)
        r = axt('cast', '--raw', *to, operand(path, name), '-o', out)
        names = tuple(f'u{i}' for i in range(s.ndim))
    else:
        r = axt('cast', '--raw', operand(path, name), '-o', out)
    if r.rc:
        tap.ok(False, f'{label}: reads', r)
        return
    try:
        t = read_h5(out, tensor_of(out, name))
    except Exception as x:
        tap.ok(False, f'{label}: what axt writes reads', x)
        return
    try:
        want = np.asarray(s[()])
    except ValueError:
        want = seen[name][1]
    why = same(t.a, want, dtype=want.dtype == want_dtype and want_dtype.kind != 'b' and want.dtype.isnative and
               s.attrs.get('dtype') not in (b'bool', 'bool') and s.attrs.get('MATLAB_class') != b'logical')
    if not why and t.dims != names:
        why = f'axes {t.dims}, want {names}'
    if not why and not twice:
        xn = seen.get(name, (None,))[0]
        if xn is not None and not any(n.startswith('phony_dim') for n in xn) and xn != t.dims \
                and all(len(s.dims[i]) for i in range(s.ndim)):
            why = f'axes {t.dims}, xarray sees {xn}'
    for i, n in enumerate(names):
        if why or twice or not len(s.dims[i]):
            continue
        c = s.dims[i][len(s.dims[i]) - 1]
        if no_values(c) or c.shape != (s.shape[i],) or not supported(c):
            continue
        if n not in t.coords:
            why = f'coordinate {n} is gone'
        else:
            packed = seen.get(c.name.lstrip('/'), (None, None, False))
            raw = packed[1] if 'scale_factor' in c.attrs and packed[1] is not None else c[()]
            why = same(t.coords[n].astype('f8'), raw.astype('f8'), rtol=1e-6 * ('scale_factor' in c.attrs),
                       atol=1e-6 * float(np.abs(raw).max()) * ('scale_factor' in c.attrs), dtype=False)
            why = why and f'coordinate {n}: {why}'
    tap.ok(not why, f'{label}: values, axes and coordinates', why)


def decoded(path, seen):
    """CF packing and missing values: as xarray decodes them."""
    for name, (_, want, packed) in seen.items():
        if not packed:
            continue
        label = f'{os.path.basename(path)}:{name}'
        out = f'{d}/dec.npy'  # npy has no attributes: what is written there is unpacked
        r = axt('to', out, operand(path, name))
        if r.rc:
            tap.ok(False, f'{label} decodes', r)
            continue
        finite = np.abs(want[np.isfinite(want)])
        why = same(np.load(out), want, rtol=3e-6, atol=1e-6 * float(finite.max() if finite.size else 0), dtype=False)
        tap.ok(not why, f'{label} decodes as xarray does', why)
        os.unlink(out)


def limited(args):
    """Runs one command under a clock and a memory bound: status (None: too slow), error, MiB."""
    def limits():
        if not SANITIZER:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(f'{d}/err', 'wb') as err:
        status, kib = measured([os.path.join(BIN, args[0])] + args[1:], LIMIT_S, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=err, preexec_fn=limits)
    with open(f'{d}/err', encoding='utf-8', errors='replace') as f:
        return status, f.read(), kib / 1024


def names_in(path):
    """Datasets of a file, by h5py in a process of its own, which may die or take too long."""
    look = f'''
import h5py
with h5py.File({path!r}) as f:
    n = []
    f.visititems(lambda k, o: n.append(k) if isinstance(o, h5py.Dataset) else None)
    print("\\n".join(n[:12]))'''
    try:
        p = subprocess.run([sys.executable, '-c', look], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=5)
    except subprocess.TimeoutExpired:
        return []
    return p.stdout.decode(errors='replace').split('\n')[:-1] if p.returncode == 0 else []


def hostile(path):
    commands = [['axt-info', path], ['axt-info', '--json', path], ['axt-reduce', 'sum', '-o', f'{d}/h.h5', path]]
    names = []
    if not os.path.basename(path).startswith('own_fuzz'):
        names = names_in(path)
    commands += [['axt-reduce', 'sum', '-o', f'{d}/h.h5', operand(path, n)] for n in names or ['x', 'data', 't', 'v']]
    commands += [['axt-map', 'square', '-o', f'{d}/h.h5', operand(path, n)] for n in names[:3]]
    bad = []
    for c in commands:
        status, err, mib = limited(c)
        lines = err.splitlines()
        said = ' '.join(c)
        if status not in (0, 1, 2):
            bad.append(f'{said}: status {status}: {err[:300]}')
        elif status and not (1 <= len(lines) <= 2 and lines[0].startswith(c[0])):
            bad.append(f'{said}: not one line: {err[:300]}')
        if mib > LIMIT_MIB and not SANITIZER and not SLOW:
            bad.append(f'{said}: {mib:.0f} MiB')
        if any(ord(ch) < 32 for line in lines for ch in line):
            bad.append(f'{said}: control bytes in the message')
    tap.ok(not bad, f'hostile/{os.path.basename(path)}: data or one line', '\n'.join(bad))


def damaged_attributes():
    """Attributes over 64 kB have no checksum in the file: a damaged one is left out, or its dataset is refused."""
    p, q = f'{d}/huge.h5', f'{d}/damaged.h5'
    with h5py.File(p, 'w', libver='v108') as f:
        x = f.create_dataset('x', data=np.arange(12.).reshape(3, 4))
        x.attrs['n'] = np.zeros(9000)
        x.attrs['s'] = np.bytes_(b't' * 70000)
        x.attrs['v'] = np.array(['q'] * 5000, dtype=h5py.string_dtype())
    with open(p, 'rb') as f:
        whole = f.read()
    heads = [whole.index(b'\x03\0\2\0', at) for at in (0, whole.index(b't' * 70000) - 60)]
    spots = [h + k for h in heads for k in range(48)]
    spots += [whole.index(sig) + k for sig in (b'FRHP', b'BTHD', b'BTLF') for k in range(0, 60, 3)]
    bad = []
    for i, k in enumerate(spots[::8] if SLOW else spots):
        b = bytearray(whole)
        b[k] = (0, 1, 0x7f, 0xff)[i % 4] if b[k] != (0, 1, 0x7f, 0xff)[i % 4] else b[k] ^ 0x21
        with open(q, 'wb') as f:
            f.write(b)
        status, err, mib = limited(['axt-add', f'{q}:x', '0', '-o', f'{d}/h.h5'])
        lines = err.splitlines()
        if status not in (0, 1) or len(lines) > 2 or \
                (mib > LIMIT_MIB and not SANITIZER and not SLOW):
            bad.append(f'byte {k}: status {status}, {mib:.0f} MiB: {err[:300]}')
    tap.ok(not bad, 'damaged long attributes: data or one line', '\n'.join(bad))


def right_data():
    """Hostile in form only: these hold values that must come out."""
    p = f'{DIR}/hostile/own_inflate_bomb.h5'
    if os.path.exists(p):
        r = axt('reduce', 'sum', '-p', p)
        tap.ok(r.rc in (0, 1), 'a gigabyte of deflated zeros', r)
    p = f'{DIR}/hostile/own_wrong_checksum.h5'
    if os.path.exists(p):
        r = axt('reduce', 'sum', '-p', p)
        tap.ok(r.rc == 1, 'a wrong checksum is an error', r)
    for n in ('own_truncated_100.nc', 'own_truncated_half.nc', 'own_truncated_last_byte.nc'):
        r = axt('reduce', 'sum', '-p', f'{DIR}/hostile/{n}')
        tap.ok(r.rc == 1, f'{n} is an error', r)


def main():
    if not os.path.isdir(DIR):
        tap.skip('real data', 'no directory of test data (AXT_DATA)')
        tap.done()
    files = sorted(p for p in glob.glob(f'{DIR}/*') + glob.glob(f'{DIR}/own/*') if not p.endswith('.md'))
    for p in files:
        if os.path.isdir(p):
            continue
        r = axt('info', p)
        tap.ok(r.rc == 0 and r.out, f'axt-info {os.path.basename(p)}', r)
        seen = by_xarray(p)
        with h5py.File(p, 'r') as f:
            names = walk(f)
            for n in names[::20] if SLOW else names:
                dataset(p, n, f[n], seen)
        decoded(p, seen)
    for p in sorted(glob.glob(f'{DIR}/hostile/*')):
        hostile(p)
    right_data()
    damaged_attributes()
    tap.done()


if sys.argv[1:2] == ['--xarray']:
    xarray_child(*sys.argv[2:])
else:
    main()
