#!/usr/bin/python3
"""Pictures beside what NumPy says they show: plot.py [CASES [SEED]]. PNG, sixel and kitty are decoded here."""
import base64
import ctypes
import os
import pty
import re
import struct
import zlib

import h5py
import numpy as np

from axtlib import BIN, Tap, axt, in_batches, random_cases, scratch, shell

D = scratch()
MISSING = 0xcc
LINE = (0x1f, 0x77, 0xb4)
FRAME = (0x30, 0x30, 0x30)


class Image(ctypes.Structure):
    """libpng's png_image."""
    _fields_ = [('opaque', ctypes.c_void_p)] + [(n, ctypes.c_uint32) for n in ('version', 'width', 'height', 'format', 'flags', 'colors', 'bad')] + \
               [('message', ctypes.c_char * 64)]


def by_libpng(data):
    """The pixels, if libpng is here: rows whose bytes tell of each other take Python 2 s an image."""
    try:
        lib = ctypes.CDLL('libpng16.so.16')
    except OSError:
        return None
    image = Image(version=1)
    if not lib.png_image_begin_read_from_memory(ctypes.byref(image), data, ctypes.c_size_t(len(data))):
        return None
    image.format = 2  # red, green, blue
    out = np.empty((image.height, image.width, 3), 'u1')
    return out if lib.png_image_finish_read(ctypes.byref(image), None, out.ctypes.data_as(ctypes.c_void_p), 0, None) else None


def png(data):
    """The pixels of a PNG file of 8 bits: (height, width, 3)."""
    plain = len(data) > 26 and data[24] == 8 and data[25] in (0, 2)  # without alpha
    out = by_libpng(data) if plain and len(data) > 2000 else None
    return png_here(data) if out is None else out


def png_here(data):
    assert data[:8] == b'\x89PNG\r\n\x1a\n', data[:20]
    at, packed, channels = 8, b'', 0
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert zlib.crc32(kind + body) == struct.unpack('>I', data[at + 8 + n:at + 12 + n])[0]
        if kind == b'IHDR':
            w, h, bits, color = struct.unpack('>IIBB', body[:10])
            assert bits == 8
            channels = {0: 1, 2: 3, 6: 4}[color]
        packed += body if kind == b'IDAT' else b''
        at += 12 + n
    raw = zlib.decompress(packed)
    rows, before = [], np.zeros(w * channels, 'u1')
    for y in range(h):
        line = raw[y * (w * channels + 1):(y + 1) * (w * channels + 1)]
        rows.append(before := unfilter(line[0], np.frombuffer(line[1:], 'u1'), before, channels))
    out = np.array(rows).reshape(h, w, channels)
    return np.repeat(out, 3, 2) if channels == 1 else out[:, :, :3]


def unfilter(how, line, above, step):
    """One row of a PNG, whose bytes tell of those before and above them."""
    if how == 0:
        return line
    if how == 2:
        return line + above
    out = [int(b) for b in line]
    for i, up in enumerate(int(b) for b in above):
        left = out[i - step] if i >= step else 0
        corner = int(above[i - step]) if i >= step else 0
        p = left + up - corner
        paeth = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
        out[i] = (out[i] + (left if how == 1 else (left + up) // 2 if how == 3 else paeth)) & 255
    return np.array(out, 'u1')


def sixel(data):
    """The pixels of a sixel sequence."""
    head = re.match(rb'\x1bPq"1;1;(\d+);(\d+)', data)
    w, h = (int(x) for x in head.groups())
    end = data.index(b'\x1b\\')
    out, color, x, y, now = np.full((h + 6, w, 3), -1), {}, 0, 0, 0
    for m in re.finditer(rb'#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)(.)|([?-~])|\$|-', data[head.end():end]):
        s = m[0]
        if m[1]:
            color[int(m[1])] = [round(int(c) * 255 / 100) for c in m.groups()[1:4]]
        elif m[5]:
            now = int(m[5])
        elif s == b'$':
            x = 0
        elif s == b'-':
            x, y = 0, y + 6
        else:
            n, bits = (int(m[6]), m[7][0] - 63) if m[6] else (1, m[8][0] - 63)
            for k in range(6):
                if bits >> k & 1:
                    out[y + k, x:x + n] = color[now]
            x += n
    return out[:h]


def kitty(data):
    """The file in a kitty sequence."""
    parts = re.findall(rb'\x1b_G([^;]*);([A-Za-z0-9+/=]*)\x1b\\', data)
    assert parts and b'f=100' in parts[0][0] and all(b'm=1' in p[0] for p in parts[:-1]) and b'm=0' in parts[-1][0]
    return base64.b64decode(b''.join(p[1] for p in parts))


def write(name, v, coords=(), **attrs):
    """A file of one tensor v, with axes y, x (and so on) and coordinates."""
    path = f'{D}/{name}.h5'
    with h5py.File(path, 'w') as f:
        d = f.create_dataset('v', data=v)
        for k, a in attrs.items():
            d.attrs[k] = a
        for i, (n, c, units) in enumerate(coords):
            s = f.create_dataset(n, data=c)
            s.make_scale(n)
            if units:
                s.attrs['units'] = units
            d.dims[i].attach_scale(s)
    return path + ':v'


def means(v, b):
    """Means of blocks of b elements along each axis, without NaN."""
    out = np.full([-(-n // k) for n, k in zip(v.shape, b)], np.nan)
    for i in np.ndindex(out.shape):
        part = v[tuple(slice(j * k, (j + 1) * k) for j, k in zip(i, b))]
        part = part[~np.isnan(part)]
        if part.size:
            out[i] = part.mean()
    return out


def same_map(got, v, lo, hi):
    """Whether the grey pixels are means of v in blocks of some size."""
    def blocks(n, cells):
        return [b for b in range(1, n + 1) if -(-n // b) == cells]
    for by in blocks(v.shape[0], got.shape[0]):
        for bx in blocks(v.shape[1], got.shape[1]):
            m = means(v, (by, bx))
            want = np.where(np.isnan(m), MISSING, 255 * np.clip((m - lo) / (hi - lo), 0, 1))
            if (np.abs(got[:, :, 0] - want) <= 1).all() and (got == got[:, :, :1]).all():
                return True
    return False


def maps(t, cases, seed):
    """Maps without axes: pixels are the means of blocks."""
    def case(k):
        r = np.random.default_rng([seed, k])
        shape = r.integers(2, 90, 2)
        dtype = r.choice(['f4', 'f8', 'i2', 'u1', 'i8', 'f2'])
        v = (r.normal(50, 20, shape)).astype(dtype)
        if v.dtype.kind == 'f' and r.random() < 0.6:
            v[r.random(shape) < r.choice([0.05, 0.5, 1])] = np.nan
        up = r.random() < 0.5
        coords = [('lat', np.linspace(-60, 60, shape[0]), 'degrees_north'),
                  ('lon', np.arange(shape[1]) * 2.0, 'degrees_east')] if up else ()
        path = write('m', v, coords)
        w, h = r.integers(12, 120, 2)
        how = {'AXT_TILE': str(r.integers(1, 50))} if r.random() < 0.3 else None
        p = axt('plot', path, '--bare', '--cmap', 'grey', '--range', '10,90', '--size', f'{w},{h}', '-o', f'{D}/m.png', env=how)
        if p.rc or p.err:
            return t.ok(False, f'map {k}', p)
        with open(f'{D}/m.png', 'rb') as f:
            got = png(f.read()).astype(float)
        want = v.astype(float)[::-1] if up else v.astype(float)
        # blocks are counted from the first row, which is the lowest
        ok = same_map(got[::-1] if up else got, v.astype(float), 10, 90)
        return ok or t.ok(False, f'map {k}: {dtype} {shape} {w},{h} {up}', f'{got[:, :, 0]}\n{want}')
    in_batches(t, cases, 'maps {} are the means of blocks', case)


def area(p):
    """The rectangle within the frame: top, bottom, left, right."""
    dark = (p == FRAME).all(2)
    rows = np.flatnonzero(dark.sum(1) > p.shape[1] / 3)
    columns = np.flatnonzero(dark.sum(0) > p.shape[0] / 3)
    return rows[0] + 1, rows[-1], columns[0] + 1, columns[-1]


def is_line(p):
    """Pixels that are more blue than grey."""
    return p[:, :, 2].astype(int) - p[:, :, 0] > 60


def peaks(t, cases, seed):
    """A single large element of many is at its place and as high as it is."""
    def case(k):
        r = np.random.default_rng([seed, k])
        n = int(r.integers(2000, 200000))
        v, at = np.zeros(n, 'f4'), int(r.integers(n))
        v[at] = r.choice([1, -1]) * r.uniform(0.5, 1)
        path = write('p', v)
        axt('plot', path, '--range', '-1,1', '-o', f'{D}/p.png')
        with open(f'{D}/p.png', 'rb') as f:
            p = png(f.read())
        top, bottom, left, right = area(p)
        line = is_line(p)[top:bottom, left:right]
        rows, columns = np.nonzero(line)
        far = np.abs(rows - (line.shape[0] - 1) / 2).argmax()
        y = (1 - v[at]) / 2 * line.shape[0]
        x = at / (n - 1) * line.shape[1]
        good = abs(rows[far] - y) < 3 and abs(columns[far] - x) < 3
        return good or t.ok(False, f'peak {k}: {n} {at} {v[at]}', f'{rows[far]} {columns[far]}, not {y} {x}')
    in_batches(t, cases, 'peaks {} are at their places', case)


def terminals(t):
    """The same picture as sixel, kitty and PNG."""
    r = np.random.default_rng(3)
    path = write('s', r.normal(size=(30, 40)), long_name='noise')
    for size in ('300,200', '101,77'):
        file = axt('plot', path, '--size', size, '--format', 'png', '-o', '-').out
        p = png(file)
        t.ok(p.shape == (int(size.split(',')[1]), int(size.split(',')[0]), 3), f'size {size}', p.shape)
        k = axt('plot', path, '--size', size, '--protocol', 'kitty').out
        t.ok(kitty(k) == file, f'kitty {size}')
        s = sixel(axt('plot', path, '--size', size, '--protocol', 'sixel').out)
        far = np.abs(s - p.astype(int)).max()
        t.ok(s.shape == p.shape and s.min() >= 0 and far < 70, f'sixel {size}', far)
    # a few colours are kept as they are
    path = write('f', np.arange(12.0).reshape(3, 4))
    p = png(axt('plot', path, '--bare', '--format', 'png', '-o', '-').out)
    s = sixel(axt('plot', path, '--bare', '--protocol', 'sixel').out)
    t.ok(p.shape == (3, 4, 3) and np.abs(s - p.astype(int)).max() <= 3, 'sixel of few colours', s)


def axes(t):
    """Colours of cells by coordinates: north is up, west is left, a degree is as long in both directions."""
    v = np.zeros((4, 8))
    v[3, 0] = 100
    path = write('a', v, [('lat', np.linspace(30, -30, 4), 'degrees_north'), ('lon', np.arange(8) * 20.0, 'degrees_east')])
    axt('plot', path, '--cmap', 'grey', '-o', f'{D}/a.png')
    with open(f'{D}/a.png', 'rb') as f:
        p = png(f.read())
    top, bottom, left, right = area(p[:, :int(p.shape[1] * 0.91)])
    box = p[top:bottom, left:right, 0]
    rows, columns = np.nonzero(box > 250)
    t.ok(columns.max() < box.shape[1] / 7 and rows.min() > box.shape[0] * 0.7, 'the south-west cell is at the lower left')
    t.ok(abs(box.shape[1] / box.shape[0] - 160 / 80) < 0.02, 'a degree is as long in both directions', box.shape)
    down = write('d', np.arange(6.0).reshape(3, 2), [('lev', [1000.0, 500, 100], 'hPa'), ('x', [0.0, 1], '')])
    p = png(axt('plot', down, '--bare', '--cmap', 'grey', '--format', 'png', '-o', '-').out)[:, 0, 0]
    t.ok(p[2] < p[1] < p[0], 'high pressure is below', p)
    text = axt('plot', down).out.decode()
    t.ok(re.search(r'\b500 \+.*\b1000 \+', text, re.S), 'its texts too', text)
    for way in (1, -1):
        lat = np.add.outer(np.linspace(-80, 80, 5)[::way], np.arange(4))
        grid = write('g', lat)
        with h5py.File(grid[:-2], 'a') as f:
            f['v'].attrs['coordinates'] = 'la lo'
            for n, c, units in (('j', np.arange(5), ''), ('i', np.arange(4), '')):
                f[n] = np.zeros(c.size, 'f4')
                f[n].make_scale('This is a netCDF dimension but not a netCDF variable.%10d' % c.size)
            for n, c, units in (('la', lat, 'degrees_north'), ('lo', lat * 0 + np.arange(4), 'degrees_east')):
                f[n] = c
                f[n].attrs['units'] = units
            for n in ('v', 'la', 'lo'):
                f[n].dims[0].attach_scale(f['j'])
                f[n].dims[1].attach_scale(f['i'])
        p = axt('plot', grid, '--bare', '--cmap', 'grey', '--format', 'png', '-o', '-')
        t.ok(p.rc == 0 and (np.diff(png(p.out)[:, 0, 0].astype(int)) < 0).all(), f'north is up on a grid of two axes, {way}', p)
    p = axt('plot', path, '--mean-rest', '--x', 'lon')
    t.ok(b'mean over lat, not weighted by area' in p.out, 'a mean over latitudes says that it is plain', p.out)
    days = write('t', np.arange(400.0), [('time', np.arange(400.0), 'days since 2001-01-01')])
    text = axt('plot', days).out.decode()
    t.ok('2001-' in text and '2002' in text, 'dates', text)
    one = axt('plot', write('c', np.arange(24.0).reshape(2, 3, 4)), '--mean-rest', '--bare', '--cmap', 'grey', '--format', 'png', '-o', '-')
    got = png(one.out)[:, :, 0].astype(float)
    want = 255 * np.arange(12).reshape(3, 4) / 11
    t.ok(np.abs(got - want).max() <= 1, 'means over the rest', got)


def ticks(t, cases, seed):
    """Numbers and dates at the axes stand where their values are."""
    def numbers(k):
        r = np.random.default_rng([seed, k])
        lo = float(r.choice([0, 1, -1]) * 10 ** r.uniform(-12, 12))
        span = 10 ** r.uniform(-12, 12) if r.random() < 0.5 else abs(lo) * 10 ** r.uniform(-4, 4) + 1e-9
        if not lo + span > lo or span < abs(lo) * 1e-9:
            return True
        path = write('n', np.full(3, lo))
        h = int(r.integers(9, 40))
        p = axt('plot', path, '--range', f'{lo!r},{lo + span!r}', '--size', f'60,{h}', '--title', 'x')
        rows = [x for x in p.out.decode().splitlines() if re.match(r' *\S* ?[|+]', x)][:-1]
        rows = [x for x in rows if re.match(r'^ *(-?[\d.e-]+ )?[+|]', x)]
        found = 0
        for i, x in enumerate(rows):
            m = re.match(r' *(-?[\d.]+(?:e-?\d+)?) [+]', x)
            if m:
                at = (1 - (float(m[1]) - lo) / span) * len(rows)
                found += 1
                if not -0.02 * len(rows) - 0.01 <= at - i <= 1.02 + 0.02 * len(rows):
                    return t.ok(False, f'numbers {k}: {lo} {span}', f'{m[1]} in row {i}, not {at}\n{p.out.decode()}')
        return found > 0 or t.ok(False, f'numbers {k}: {lo} {span}', p.out.decode())

    def dates(k):
        r = np.random.default_rng([seed, k])
        days = 10 ** r.uniform(-2, 5)
        first = np.datetime64('1850-01-01') + np.timedelta64(int(r.integers(0, 80000)), 'D')
        start = r.uniform(0, 1)
        c = start + np.linspace(0, days, 500)
        path = write('d', np.arange(500.0), [('time', c, f'days since {first} 00:00')])
        w = int(r.integers(60, 160))
        out = axt('plot', path, '--size', f'{w},12').out.decode().splitlines()
        i = next(i for i, x in enumerate(out) if re.search(r'[+]-[-+]*$', x) and '|' not in x)
        rule, words = out[i], out[i + 1]
        left = rule.index('+') + 1
        at = [m.start() for m in re.finditer(r'[+]', rule[left:])]
        told = [(m[0], m.start()) for m in re.finditer(r'\S+', words)]
        if not told:
            return t.ok(False, f'dates {k}: {first} {days}', '\n'.join(out))
        day = None
        for text, column in told:
            if ':' in text:
                if day is None:
                    continue
                when = np.datetime64(f'{day}T{text}')
                when += np.timedelta64(1, 'D') if before is not None and when < before else np.timedelta64(0, 'D')
            else:
                when = np.datetime64(text)
                day = np.datetime64(when, 'D')
            before = when
            x = ((np.datetime64(when, 's') - np.datetime64(first, 's')).astype(float) / 86400 - start) / days * (w - left)
            middle = column + len(text) // 2 - left
            near = min(abs(a - x) for a in at)
            if near > 1.05 or (abs(middle - x) > 2 and 2 < column < w - len(text) - 1):
                return t.ok(False, f'dates {k}: {first} {start} {days}', f'{text} at {middle}, not {x}\n' + '\n'.join(out))
        return True
    in_batches(t, cases, 'numbers {} stand where they are', numbers)
    in_batches(t, cases, 'dates {} stand where they are', dates)


def colors(t):
    """Which colours are chosen."""
    both = png(axt('plot', write('b', np.array([[-1.0, 0, 3]] * 2)), '--bare', '--format', 'png', '-o', '-').out)[0]
    few = png(axt('plot', write('b', np.array([[-1.8, 0, 31]] * 2)), '--bare', '--format', 'png', '-o', '-').out)[0]
    t.ok(tuple(few[0]) == (0x44, 0x01, 0x54), 'few values below zero: the range is that of the values', few)
    t.ok(tuple(both[1]) == (0xf7, 0xf7, 0xf7) and tuple(both[2]) == (0x67, 0, 0x1f), 'zero is neutral where values have both signs', both)
    flags = write('z', np.tile([[1, 7]], (50, 30)).astype('i1'), flag_values=np.array([1, 7], 'i1'))
    few = png(axt('plot', flags, '--bare', '--cmap', 'grey', '--size', '20,20', '--range', '1,7', '--format', 'png', '-o', '-').out)[:, :, 0]
    t.ok(few.shape[1] < 60 and set(few.flat) <= {0, 255}, 'categories are not averaged', few)
    one = png(axt('plot', write('o', np.array([[1.0, 3, np.inf]] * 2)), '--bare', '--format', 'png', '-o', '-').out)[0]
    t.ok(tuple(one[0]) == (0x44, 1, 0x54) and tuple(one[1]) == tuple(one[2]) == (0xfd, 0xe7, 0x25), 'viridis otherwise; inf has the last colour', one)
    v = np.concatenate([np.linspace(0, 1, 98), [1000, -1000]]).reshape(10, 10)
    clip = png(axt('plot', write('k', v), '--bare', '--clip', '2', '--cmap', 'grey', '--format', 'png', '-o', '-').out)[:, :, 0].astype(float)
    t.ok(np.ptp(clip[:9]) > 200, 'clip leaves outliers out', clip)
    log = png(axt('plot', write('l', np.array([[1.0, 10, 100, -5, 0]] * 2)), '--bare', '--log', '--cmap', 'grey', '--format', 'png', '-o', '-').out)[0, :, 0]
    t.ok(list(log) in ([0, 127, 255, MISSING, MISSING], [0, 128, 255, MISSING, MISSING]), 'log', log)


def images(t, cases, seed):
    """Images of channels, which come first or last, and points of two tensors."""
    def case(k):
        r = np.random.default_rng([seed, k])
        h, w = r.integers(5, 40, 2)
        n = int(r.choice([0, 1, 2, 3, 4]))
        kind = r.choice(['u1', 'u2', 'f4'])
        v = r.random((h, w, n) if n else (h, w))
        v = v.astype('f4') if kind == 'f4' else (v * np.iinfo(kind).max).astype(kind)
        path = write('r', np.moveaxis(v, -1, 0) if n and r.random() < 0.5 else v)
        got = png(axt('plot', path, '--image', '--bare', '--format', 'png', '-o', '-').out).astype(float)
        v = v / (1 if kind == 'f4' else float(np.iinfo(kind).max))
        v = v if n else v[:, :, None]
        color = v[:, :, :3] if n > 2 else np.repeat(v[:, :, :1], 3, 2)
        opaque = v[:, :, -1:] if n in (2, 4) else 1
        want = 255 * (color * opaque + 1 - opaque)
        return got.shape == want.shape and np.abs(got - want).max() <= 1 or \
            t.ok(False, f'image {k}: {kind} {v.shape}', f'{got.shape} {got[0, 0]} {want[0, 0]}')
    in_batches(t, cases, 'images {} have their colours', case)
    big = np.random.default_rng(2).integers(0, 256, (90, 60, 3)).astype('u1')
    got = png(axt('plot', write('b', big), '--image', '--bare', '--size', '26,38', '--format', 'png', '-o', '-').out)
    want = big.reshape(got.shape[0], 90 // got.shape[0], got.shape[1], 60 // got.shape[1], 3).mean((1, 3))
    t.ok(np.abs(got - want).max() <= 1, 'an image is reduced by means', got.shape)
    r = np.random.default_rng(4)
    a, b = r.normal(size=(2, 5000))
    a[:100] = np.nan
    p = axt('plot', '--scatter', write('a', a), write('c', b), '--bare', '--cmap', 'grey', '--format', 'png', '-o', '-')
    got = png(p.out)[:, :, 0].astype(float)
    n = np.histogram2d(b[100:], a[100:], got.shape, [[b[100:].min(), b[100:].max()], [a[100:].min(), a[100:].max()]])[0][::-1]
    most = np.log(n.max())
    want = np.where(n > 0, 255 * np.log(np.maximum(n, 1)) / most, 255)
    t.ok(np.abs(got - want).max() <= 1, 'points are counted as by histogram2d', p)
    text = axt('plot', '--hist', write('h', np.arange(100.0)), '--bins', '4', '--size', '40,12').out.decode()
    t.ok(text.count('#') > 200 and re.search(r'^20 \+', text, re.M), 'a histogram', text)


def coasts(t):
    """Coast lines where the coasts of the world are, and nowhere else."""
    capes = ((18.5, -34.2), (77.5, 8.1), (-9.3, 38.8), (-80.9, 25.2), (153.5, -28.5), (-34.8, -7.5), (51.2, 11.9))
    inland = ((5, 25, 15, 28), (-60, -48, -20, -8), (65, 100, 52, 65), (-140, -115, -40, -5), (123, 138, -28, -22))
    windows = {'from 0 to 360': (np.arange(0.5, 360), np.arange(-89.5, 90)), 'from 180 west': (np.arange(-179.5, 180), np.arange(-89.5, 90)),
               'southward': (np.arange(-179.5, 180), np.arange(89.5, -90, -1)), 'westward': (np.arange(179.5, -180, -1), np.arange(-89.5, 90)),
               'across Greenwich': (np.arange(-30.0, 60), np.arange(-40.0, 45)), 'far east': (np.arange(300.0, 420), np.arange(-40.0, 45))}
    for name, (lon, lat) in windows.items():
        path = write('w', np.zeros((lat.size, lon.size)), [('lat', lat, 'degrees_north'), ('lon', lon, 'degrees_east')])
        with_lines, without = (png(axt('plot', path, *more, '--format', 'png', '-o', '-').out) for more in ((), ('--no-coast',)))
        top, bottom, left, right = area(without[:, :int(without.shape[1] * 0.91)])
        differ = (with_lines != without).any(2)
        t.ok(differ.sum() == differ[top:bottom, left:right].sum() > 500, f'{name}: lines lie within the axes', differ.sum())
        y, x = np.nonzero(differ[top:bottom, left:right])
        east = lon.min() - .5 + (x + .5) / (right - left) * lon.size
        north = lat.max() + .5 - (y + .5) / (bottom - top) * lat.size
        east = (east + 180) % 360 - 180
        for a, b in capes:
            if north.min() < b < north.max() and ((a - lon.min()) % 360) < lon.size:
                t.ok(np.hypot(east - a, north - b).min() < 1.2, f'{name}: a coast at {a}, {b}', np.hypot(east - a, north - b).min())
        for w, e, south, n in inland:
            t.ok(not ((east > w) & (east < e) & (north > south) & (north < n)).any(), f'{name}: none in {w}, {e}, {south}, {n}')
        rows = differ[top:bottom, left:right][north.size and (np.abs(lat.max() + .5 - (np.arange(bottom - top) + .5) / (bottom - top)
                                                                      * lat.size) < 60)]
        t.ok(rows.mean(1).max() < 0.4, f'{name}: no line goes across', rows.mean(1).max())
    # the middle of a line between two points of the coast, in ever smaller windows
    for width in (1, .1, .01, .001, 1e-4, 1e-6):
        at = np.linspace(-width / 2, width / 2, 41)
        small = write('s', np.zeros((41, 41)), [('lat', (-6.10 - 5.79) / 2 + at, 'degrees_north'), ('lon', (12.32 + 12.18) / 2 + at, 'degrees_east')])
        with_lines, without = (png(axt('plot', small, '--size', '500,320', *more, '--format', 'png', '-o', '-').out) for more in ((), ('--no-coast',)))
        top, bottom, left, right = area(without[:, :int(without.shape[1] * 0.91)])
        y, x = np.nonzero((with_lines != without).any(2)[top:bottom, left:right])
        off = np.hypot(x + .5 - (right - left) / 2, y + .5 - (bottom - top) / 2).min(initial=999) / (right - left)
        t.ok(off < 1 / 40 and 50 < x.size < 3000, f'a window of {width} degrees has the coast in its middle', (off, x.size))
    plain = write('p', np.zeros((9, 9)), [('y', np.arange(9.0), 'm'), ('x', np.arange(9.0), 'm')])
    radians = write('r', np.zeros((9, 9)), [('lat', np.arange(9.0) / 9, 'radian'), ('lon', np.arange(9.0), 'radian')])
    rotated = write('g', np.zeros((90, 90)), [('rlat', np.arange(-45.0, 45), 'degrees'), ('rlon', np.arange(-45.0, 45), 'degrees')])
    named = write('n', np.zeros((90, 90)), [('lat', np.arange(-45.0, 45), 'degrees'), ('lon', np.arange(-45.0, 45), 'degrees')])
    with h5py.File(named[:-2], 'a') as f:
        f['lat'].attrs['standard_name'], f['lon'].attrs['standard_name'] = 'grid_latitude', 'grid_longitude'
    for args in ((plain,), (radians,), (rotated,), (named,), (path, '--bare')):
        a, b = (axt('plot', *args, *more, '--format', 'png', '-o', '-').out for more in ((), ('--no-coast',)))
        t.ok(a == b, f'none on {args}')
    for form in ('svg', 'pdf'):
        a, b = (axt('plot', path, *more, '--format', form, '-o', '-').out for more in ((), ('--no-coast',)))
        t.ok(len(a) > len(b) + 2000, form, (len(a), len(b)))


def asked(t):
    """Terminals are asked what they can draw; those that cannot get characters."""
    path = write('q', np.arange(12.0).reshape(3, 4))
    for answer, begins in ((b'\x1b_Gi=31;OK\x1b\\\x1b[?62;c', b'\x1b_Ga=T'), (b'\x1b[?62;4;22c', b'\x1bPq'),
                           (b'\x1b[?62;22c', '\u2580'.encode()), (b'', '\u2580'.encode())):
        pid, fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM='xterm-256color', LC_ALL='C.UTF-8')
            os.execv(f'{BIN}/axt-plot', ['axt-plot', path])
        out, sent = b'', False
        try:
            while part := os.read(fd, 1 << 16):
                out += part
                if not sent and b'\x1b[c' in out:
                    os.write(fd, answer)
                    sent = True
        except OSError:
            pass  # the other end is closed
        os.close(fd)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        t.ok(sent and status == 0 and begins in out.split(b'\x1b[c', 1)[1], f'a terminal that answers {answer}', out[:400])


def hostile(t):
    """Everything ends well or with one line of a message and a hint."""
    kinds = {'nan': np.full(5, np.nan), 'nans': np.full((3, 4), np.nan), 'one': np.array([7.0]), 'same': np.full((9, 9), -2.5),
             'inf': np.array([[np.inf, -np.inf, 0]]), 'huge': np.array([1e308, -1e308, 5]), 'tiny': np.array([5e-324, 0, 1e-320]),
             'big': np.array([2**63 - 1, -2**63]), 'bool': np.array([[True, False]]), 'offset': 1e9 + np.arange(5) * 1e-3,
             'scalar': np.float64(3), 'five': np.zeros((2, 2, 2, 2, 2)), 'empty': np.zeros((0, 4)), 'flat': np.zeros((1, 1, 1, 1, 1)),
             'wide': np.zeros((2, 5000)), 'high': np.zeros((5000, 2))}
    for name, v in kinds.items():
        path = write(name, v, long_name='\x1b]0;\x07' * 5000 + '\u4e2d\ud7ff' * 400, units='\udcff'.encode('utf8', 'surrogateescape') * 300)
        bad = []
        for words in ((), ('--log',), ('--protocol', 'blocks'), ('--format', 'png', '-o', '-'), ('--protocol', 'sixel'), ('--hist',),
                      ('--format', 'svg', '-o', '-'), ('--quick', '--clip', '5'), ('--size', '10,5'), ('--mean-rest',)):
            p = axt('plot', path, *words)
            lines = p.err.splitlines()
            good = p.rc in (0, 1, 2) and (p.rc == 0 or (len(lines) in (1, 2) and not p.out)) and all(len(x) < 1300 for x in lines)
            if not good or (words[:1] in ((), ('--log',)) and re.search(rb'[^ -~\n]', p.out)):
                bad.append(f'{words} {p}{p.out[:300]}')
        t.ok(not bad, f'hostile {name}', '\n'.join(bad))
    times = [('time', np.array([0, 1e300, 3e300]), 'days since 1850-01-01'), ('time', np.array([0, 1, 5e7]), 'years since 1850-01-01'),
             ('time', np.array([1.0, 1, 1]), 'days since 1850-01-01'), ('x', np.array([np.nan, 1, 2]), ''), ('x', np.array([3.0, 1, 2]), 'm'),
             ('lon', np.array([-1e9, 0, 1e9]), 'degrees_east'), ('lat', np.array([-1e9, 0, 1e9]), 'degrees_north')]
    for i, c in enumerate(times):
        p = axt('plot', write('h', np.arange(3.0), [c]), timeout=10)
        t.ok(p.rc == 0 and not p.err, f'strange coordinates {i}', p)
        p = axt('plot', write('h', np.arange(9.0).reshape(3, 3), [c, ('y', [1.0, 2, 3], '')]), timeout=10)
        t.ok(p.rc == 0 and not p.err, f'strange coordinates {i} of a map', p)


def streams(t):
    """Pipes in and out."""
    path = write('x', np.random.default_rng(5).normal(size=(300, 500)))
    file = path[:-2]
    whole = axt('plot', path, '--format', 'png', '-o', '-').out
    p = shell(f'cat {file} | axt-plot --format png -o -')
    t.ok(p.stdout == whole, 'a stream gives the same picture', p)
    p = shell(f'axt-add 0 {path} | axt-plot --title v --format png -o -')
    again = axt('plot', path, '--title', 'v', '--format', 'png', '-o', '-').out
    t.ok(p.stdout == again, 'so does a plan', p)
    p = shell(f'axt-plot {path} -m 64K --format png -o -')
    t.ok(p.returncode != 0 or p.stdout == whole, 'so does little memory, or it is an error', p)
    p = shell(f'axt-plot {path} --size 4000,4000 | head -c 10 >/dev/null; echo ${{PIPESTATUS[0]}}')
    t.ok(p.stdout.decode().strip() in ('0', '141') and not p.stderr, 'a broken pipe ends it silently', p)
    quick = png(axt('plot', path, '--quick', '--bare', '--cmap', 'grey', '--range', '-3,3', '--size', '50,40', '--format', 'png', '-o', '-').out)[:, :, 0]
    with h5py.File(file) as f:
        v = f['v'][()]
    at = []
    for n, cells in zip(v.shape, quick.shape):
        b = next(b for b in range(1, n) if -(-n // b) == cells)
        at.append(np.arange(cells) * b + (b // 2 if b // 2 + (cells - 1) * b < n else 0))
    want = 255 * np.clip((v[np.ix_(*at)] + 3) / 6, 0, 1)
    t.ok(want.shape == quick.shape and np.abs(want - quick).max() <= 1, 'quick shows an element of each block', (want.shape, quick.shape))


def main():
    cases, seed = random_cases(100, 25, 4, 1)
    t = Tap()
    p = axt('plot', '--format', 'png', '-o', '-', write('i', np.zeros(3)))
    if p.rc and 'libcairo' in p.err:
        t.skip('pictures', 'no libcairo2')
        return t.done()
    maps(t, cases, seed)
    peaks(t, max(cases // 4, 3), seed)
    terminals(t)
    axes(t)
    ticks(t, cases, seed)
    colors(t)
    images(t, max(cases // 2, 4), seed)
    coasts(t)
    asked(t)
    hostile(t)
    streams(t)
    return t.done()


if __name__ == '__main__':
    os.environ.pop('NO_COLOR', None)
    main()
