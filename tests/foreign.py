#!/usr/bin/python3
"""axt-from and axt-to beside NumPy, PIL and readers written here: foreign.py [CASES [SEED]].

Random bits in every dtype, shape (also empty and rank 0), byte order and order of axes, as a file, on standard input and
through a pipe, in small tiles, come back bit for bit; damaged files end in one message.
"""
import io
import json
import os
import struct

import numpy as np

from axtlib import Tap, axt, random_cases, read_h5, scratch, shell

try:
    from PIL import Image
except ImportError:
    Image = None

NUMPY = ['?', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16']
AXT = dict(zip(NUMPY, 'bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128'.split()))
SAFE = dict(zip(NUMPY, 'BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64 C64'.split()))
LONGEST = [1, 5000, 90, 20, 9, 5]


def bits(r, dtype, shape):
    """Any bits at all; of bool, those there are."""
    n = int(np.prod(shape, dtype=int))
    if dtype == '?':
        return (r.random(n) < .5).reshape(shape)
    return np.frombuffer(r.bytes(n * np.dtype(dtype).itemsize), dtype).reshape(shape)


def tensor(r, dtype=None):
    dtype = dtype or str(r.choice(NUMPY))
    rank = int(r.integers(0, 6))
    shape = [int(r.integers(0 if r.random() < .1 else 1, LONGEST[rank] + 1)) for _ in range(rank)]
    return bits(r, dtype, shape), dtype


def native(a):
    return a.astype(a.dtype.newbyteorder('='), order='C')


def differ(got, want):
    """By bits: NaN payloads and signs of zero count."""
    got, want = native(np.asarray(got)), native(np.asarray(want))
    if got.shape != want.shape or got.dtype != want.dtype:
        return f'{got.dtype} {got.shape}, want {want.dtype} {want.shape}'
    return '' if got.tobytes() == want.tobytes() else 'values differ'


# ---- the other side of each format ----

def write_safetensors(path, tensors, meta=None, pad=0):
    head, at, data = {'__metadata__': meta} if meta else {}, 0, b''
    for name, (word, shape, raw) in tensors.items():
        head[name] = {'dtype': word, 'shape': list(shape), 'data_offsets': [at, at + len(raw)]}
        at += len(raw)
        data += raw
    h = json.dumps(head).encode() + b' ' * pad
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(h)) + h + data)


def read_safetensors(b):
    n, = struct.unpack('<Q', b[:8])
    assert n % 8 == 0, 'the values are not aligned'
    head, end = json.loads(b[8:8 + n]), 0
    meta = head.pop('__metadata__', {})
    out = {}
    for name, t in head.items():
        lo, hi = t['data_offsets']
        assert lo == end and hi <= len(b) - 8 - n
        out[name] = t['dtype'], t['shape'], b[8 + n + lo:8 + n + hi]
        end = hi
    assert end == len(b) - 8 - n
    return out, meta


def read_pnm(b):
    kind = b[:2]
    if kind == b'P7':
        head, data = b.split(b'ENDHDR\n', 1)
        f = dict(x.split(None, 1) for x in head.decode().splitlines()[1:])
        w, h, d, top = (int(f[k]) for k in ('WIDTH', 'HEIGHT', 'DEPTH', 'MAXVAL'))
        a = np.frombuffer(data, 'u1' if top < 256 else '>u2').reshape(h, w, d)
        a = a[:, :, 0] if d == 1 else a
        return a != 0 if top == 1 else a
    words = 3 if kind == b'P4' else 4
    head = b.split(None, words - 1)
    w, h = int(head[1]), int(head[2].split()[0])
    if kind == b'P4':
        data = b[b.index(b'\n', b.index(b'\n') + 1) + 1:]
        return np.unpackbits(np.frombuffer(data, 'u1').reshape(h, -1), axis=1)[:, :w] == 0
    top = b.split(b'\n', 3)
    data = top[3]
    a = np.frombuffer(data, 'u1' if int(top[2]) < 256 else '>u2')
    return a.reshape((h, w) if kind == b'P5' else (h, w, 3))


# ---- cases ----

class Case:
    def __init__(self, t, d, seed):
        self.t, self.d, self.seed, self.r = t, d, seed, np.random.default_rng(seed)
        self.env = {'AXT_THREADS': str(self.r.integers(1, 4))}
        for name, sizes in ('AXT_TILE', [1, 7, 100, 3000]), ('AXT_SLAB', [500, 5000]):
            if self.r.random() < .3:
                self.env[name] = str(self.r.choice(sizes))
        self.env['AXT_FUSE'] = str(self.r.choice([0, 1]))

    def path(self, name):
        return os.path.join(self.d, name)

    def ok(self, why, what):
        return self.t.ok(not why, f'{self.seed} {what} {self.env}', why)

    def take(self, path, words=''):
        """axt-from in some way: what comes out, as h5py reads it."""
        out = self.path('out.h5')
        if os.path.exists(out):
            os.unlink(out)
        fmt = '--format ' + {'sa': 'safetensors', 'ra': 'raw', 'cs': 'csv', 'np': 'npy'}.get(
            path.rsplit('.', 1)[1][:2], 'pnm')
        operand = not words and fmt[9:] in ('npy', 'pnm')
        how = int(self.r.integers(0, 8 if operand else 4))
        line = [f'axt-from {path} {words} -o {out}', f'axt-from - {fmt} {words} <{path} >{out}',
                f'cat {path} | axt-from - {words} {fmt} -o {out}',
                f'axt-from {path} {words} | axt-order ... -o {out}',
                # the file itself is an operand
                f'axt-copy {path} -o {out}', f'axt-order ... {path} -o {out}',
                f'axt-order ... - <{path} | axt-order ... -o {out}', f'axt-copy {path} | axt-copy -o {out}'][how]
        p = shell(line, env=self.env)
        if p.returncode:
            return None, f'{line}\n{p.stderr.decode()}'
        return read_h5(out), line

    def give(self, h5, target, words=''):
        """axt-to in some way: the bytes."""
        how = int(self.r.integers(0, 3))
        fmt = '--format ' + {'sa': 'safetensors', 'ra': 'raw', 'cs': 'csv', 'np': 'npy'}.get(
            target.rsplit('.', 1)[1][:2], 'pnm')
        line = [f'axt-to {target} {words} {h5}', f'axt-to - {fmt} {words} {h5} >{target}',
                f'axt-order ... {h5} | axt-to {fmt} {words} - >{target}'][how]
        p = shell(line, env=self.env)
        if p.returncode:
            return None, f'{line}\n{p.stderr.decode()}'
        with open(target, 'rb') as f:
            return f.read(), line

    def npy(self):
        a, dtype = tensor(self.r)
        if self.r.random() < .4:
            a = a.astype(a.dtype.newbyteorder('>'))
        if self.r.random() < .5:
            a = np.asfortranarray(a)
        p = self.path('x.npy')
        version = (1 if self.r.random() < .5 else int(self.r.integers(2, 4)), 0)
        with open(p, 'wb') as f:
            np.lib.format.write_array(f, a, version=version)
        got, how = self.take(p)
        what = f'npy {version[0]} {a.dtype.str} {a.shape} F={a.flags.f_contiguous}'
        if not self.ok(how if got is None else differ(got.a, a), what):
            return
        b, how = self.give(self.path('out.h5'), self.path('y.npy'))
        self.ok(how if b is None else differ(np.load(io.BytesIO(b)), a), f'{what} back: {how}')

    def raw(self):
        a, dtype = tensor(self.r)
        big, f, skip = self.r.random() < .5, self.r.random() < .5, int(self.r.integers(0, 20))
        stored = a.astype(a.dtype.newbyteorder('>' if big else '<'))
        p = self.path('x.raw')
        with open(p, 'wb') as o:
            o.write(b'#' * skip + stored.tobytes('F' if f else 'C'))
        axes = ','.join(f'a{i}={n}' for i, n in enumerate(a.shape))
        words = f"--dtype {AXT[dtype]} --to '{axes}' --offset {skip}" + ' --big-endian' * big + ' --order F' * f
        got, how = self.take(p, words)
        what = f'raw {words}'
        if not self.ok(how if got is None else differ(got.a, a), what):
            return
        b, how = self.give(self.path('out.h5'), self.path('y.raw'), '--big-endian' * big)
        self.ok(how if b is None else '' if b == stored.tobytes() else 'bytes differ', f'{what} back: {how}')

    def safetensors(self):
        tensors, arrays = {}, {}
        for i in range(int(self.r.integers(1, 5))):
            word = str(self.r.choice(list(SAFE.values()) + ['BF16']))
            dtype = 'u2' if word == 'BF16' else {v: k for k, v in SAFE.items()}[word]
            arrays[f't.{i}'] = a = tensor(self.r, dtype)[0]
            tensors[f't.{i}'] = word, a.shape, a.tobytes()
        p = self.path('x.safetensors')
        noted = {'format': 'pt', 'é"\\': '\n'} if self.r.random() < .5 else None
        write_safetensors(p, tensors, noted,
                          int(self.r.integers(0, 9)))
        parts = []
        for name in tensors:
            q = self.path(name + '.h5')
            how = ['axt-from {p}:{name} -o {q}', 'cat {p} | axt-from -:{name} -o {q}', 'axt-copy {p}:{name} -o {q}',
                   "axt-order ... '{p}:*{name}' | axt-copy - -o {q}"][int(self.r.integers(0, 4))]
            x = shell(how.format(p=p, name=name, q=q), env=self.env)
            if x.returncode:
                return self.ok(x.stderr.decode(), f'safetensors {name}')
            parts.append(q)
        b, how = self.give(' '.join(parts), self.path('y.safetensors')) if len(parts) == 1 else (None, '')
        if not how:
            x = shell(f'axt-to {self.path("y.safetensors")} {" ".join(parts)}', env=self.env)
            how = x.stderr.decode()
            with open(self.path('y.safetensors'), 'rb') as f:
                b = f.read()
        back, meta = read_safetensors(b)
        want = {k: (w, list(s), raw) for k, (w, s, raw) in tensors.items()}
        axes = {f'axt_axes.{k}': ','.join(f'dim_{i}' for i in range(a.ndim)) for k, a in arrays.items() if a.ndim}
        self.ok('' if back == want and meta == {**(noted or {}), **axes} else f'{how}\n{ {k: v[:2] for k, v in back.items()} } {meta}',
                f'safetensors { {k: v[:2] for k, v in tensors.items()} }')

    def pnm(self):
        r = self.r
        dtype, c = str(r.choice(['?', 'u1', 'u2'])), int(r.choice([0, 1, 2, 3, 4]))
        h, w = int(r.integers(1, 60)), int(r.integers(1, 60))
        a = bits(r, dtype, (h, w, c) if c else (h, w))
        p, q = self.path('x.npy'), self.path('x.h5')
        np.save(p, a)
        axt('from', p, '-o', q)
        what = f'pnm {dtype} {a.shape}'
        b, how = self.give(q, self.path(str(r.choice(['y.pnm', 'y.pam']))))
        flat = a[:, :, 0] if c == 1 else a
        if not self.ok(how if b is None else differ(read_pnm(b), flat), f'{what}: {how}'):
            return
        if Image and b[:2] in (b'P4', b'P5', b'P6') and dtype != 'u2':  # PIL scales 16 bits
            image = np.array(Image.open(io.BytesIO(b)))
            image = image != False if dtype == '?' else image  # its trues are 255
            self.ok(differ(image, flat), f'{what}: PIL')
        with open(self.path('y.ppm'), 'wb') as f:
            f.write(b)
        got, how = self.take(self.path('y.ppm'))
        want = flat.astype('u1') if dtype == '?' and c in (3, 4) else flat
        self.ok(how if got is None else differ(got.a, want), f'{what} back: {how}')
        if c in (0, 3) and dtype != '?':
            text = f'P{2 if c == 0 else 3} # text\n{w} {h}\n{255 if dtype == "u1" else 65535}\n'
            with open(self.path('t.pgm'), 'w') as f:
                f.write(text + '\n'.join(map(str, a.ravel())))
            got, how = self.take(self.path('t.pgm'))
            self.ok(how if got is None else differ(got.a, a), f'{what} text: {how}')

    def image(self):
        """Each kind of image with comments and blanks anywhere, read by axt-from and as an operand."""
        r = self.r
        kind, h, w = int(r.integers(1, 8)), int(r.integers(1, 20)), int(r.integers(1, 40))
        top = 1 if kind in (1, 4) else int(r.choice([1, 2, 15, 254, 255, 256, 1023, 65534, 65535]))
        c = 3 if kind in (3, 6) else int(r.integers(1, 5)) if kind == 7 else 1
        a = r.integers(0, top + 1, (h, w, c))

        def blank():
            return str(r.choice([' ', '\n', '\t', ' \r\n', '\n# 7 and 8\n', ' #\n#P5 3\n\n', '# 1\n']))
        if kind == 7:
            lines = [f'WIDTH {w}', f'HEIGHT {h}', f'DEPTH {c}', f'MAXVAL  {top}', '# DEPTH 9', '', 'TUPLTYPE GRAYSCALE']
            head = '\n'.join(['P7'] + [lines[i] for i in r.permutation(len(lines))] + ['ENDHDR\n'])
        else:
            head = f'P{kind}{blank()}{w}{blank()}{h}' + f'{blank()}{top}' * (kind not in (1, 4)) + str(r.choice([' ', '\n', '#x\n']))
        if kind <= 3:
            body = ''.join(f'{v}' + ('' if kind == 1 and r.random() < .7 else blank()) for v in a.ravel()).encode()
        elif kind == 4:
            body = np.packbits(a[:, :, 0].astype('u1'), axis=1).tobytes()
        else:
            body = a.astype('u1' if top < 256 else '>u2').tobytes()
        want = a == 0 if kind in (1, 4) else a.astype('u1' if top < 256 else 'u2')
        want = want[:, :, 0] if c == 1 else want
        p = self.path('i.pnm')
        with open(p, 'wb') as f:
            f.write(head.encode() + body)
        for _ in range(3):
            got, how = self.take(p)
            if not self.ok(how if got is None else differ(got.a, want), f'image {head!r}: {how}'):
                break

    def csv(self):
        r = self.r
        a, dtype = tensor(r, str(r.choice(['?', 'i2', 'i8', 'u8', 'f4', 'f8', 'c16'])))
        a = a[:300] if a.ndim else a
        if dtype in ('f4', 'f8', 'c16'):
            a = np.where(r.random(a.shape) < .1, np.nan, r.standard_normal(a.shape)).astype(dtype)
            if dtype == 'c16':
                a = np.where(np.isnan(a), 0, a + 1j * r.standard_normal(a.shape))
        if a.size == 0:
            a = np.zeros((0,) * max(a.ndim, 1), dtype)
        p, q = self.path('x.npy'), self.path('x.h5')
        np.save(p, a)
        axes = ','.join(f'a{i}' for i in range(a.ndim))
        made = axt('from', p, '--to', axes, '-o', q)
        b, how = self.give(q, self.path('y.csv'))
        if not self.ok(how if b is None else '' if b == axt('print', '--csv', q).out else f'{made}: not as axt-print', how):
            return
        got, how = self.take(self.path('y.csv'), f'--dtype {AXT[dtype]}')
        self.ok(how if got is None else differ(got.a, a), f'csv {dtype} {a.shape}: {how}')
        if a.ndim == 2 and a.size and dtype != '?':
            np.savetxt(self.path('m.csv'), a, fmt='%s' if dtype[0] in 'iuc' else '%.17g',
                       delimiter=str(r.choice([',', ' ', ';', '\t'])))
            got, how = self.take(self.path('m.csv'), f'--matrix --dtype {AXT[dtype]}')
            if a.shape[1] == 1:
                a = a[:, 0]
            self.ok(how if got is None else differ(got.a, a), f'matrix {dtype} {a.shape}: {how}')

    def damaged(self):
        """Some bytes changed, or the end cut off: a result or a message, never more."""
        r = self.r
        a = np.atleast_1d(tensor(r, 'i2')[0])[:5]
        np.save(self.path('x.npy'), a)
        write_safetensors(self.path('x.safetensors'), {'a': ('I16', a.shape, a.tobytes())})
        with open(self.path('x.ppm'), 'wb') as f:
            f.write(b'P6 3 4\n255\n' + bytes(36))
        with open(self.path('x.pam'), 'wb') as f:
            f.write(b'P7\nWIDTH 3\nHEIGHT 4\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n' + bytes(36))
        with open(self.path('x.csv'), 'w') as f:
            f.write('t,"x y",v\n2010-01-01,1,2.5\n2010-01-01,2,1e3\n2010-02-01,1,\n2010-02-01,2,7\n')
        name = self.path('x.' + str(r.choice(['npy', 'safetensors', 'ppm', 'pam', 'csv'])))
        with open(name, 'rb') as f:
            b = bytearray(f.read())
        for _ in range(int(r.integers(1, 4))):
            i = int(r.integers(0, min(len(b), 130)))
            b[i:i + int(r.integers(0, 2))] = r.bytes(int(r.integers(0, 3)))
        if r.random() < .3:
            del b[int(r.integers(0, len(b) + 1)):]
        with open(name, 'wb') as f:
            f.write(b)
        for data in None, bytes(b):
            x = axt('from', '-' if data else name, '--format', {'ppm': 'pnm', 'pam': 'pnm'}.get(name.rsplit('.')[-1],
                    name.rsplit('.')[-1]), '-p', data=data, env=self.env)
            lines = x.err.splitlines()
            good = x.rc == 0 or (x.rc in (1, 2) and 1 <= len(lines) <= 2 and lines[0].startswith('axt-from: '))
            self.ok('' if good else str(x), f'damaged {os.path.basename(name)} {bytes(b[:60])!r}')


def main():
    cases, seed = random_cases(25, 8, 2, 20261121)
    t, d = Tap(), scratch()
    for k in range(cases):
        for what in ('npy', 'raw', 'safetensors', 'pnm', 'image', 'csv', 'damaged'):
            getattr(Case(t, d, seed + k), what)()
    t.done()


main()
