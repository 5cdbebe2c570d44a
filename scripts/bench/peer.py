#!/usr/bin/python3
"""The bench's operations by NumPy, numexpr or torch on h5py, or by xarray: peer.py TOOL OP|EINSUM IN... [OUT]."""
import sys

import h5py
import numpy as np


def read(p):
    with h5py.File(p, 'r') as h:
        return h['x'][...]


def write(p, x):
    with h5py.File(p, 'w') as h:
        h['x'] = x


def product(tool, spec, f):
    """What is summed has no letter in the result, so xarray need not know the order of axes."""
    to = spec.split('->')[1]
    if tool == 'xarray':
        import xarray
        a, b = (xarray.open_dataset(p, engine='h5netcdf')['x'] for p in f[:2])
        # optimize: without it xarray and NumPy do not use BLAS and take many times as long
        x = xarray.dot(a, b, dims=[d for d in {*a.dims, *b.dims} if d not in to], optimize=True)
        if to:
            x.to_dataset(name='x').to_netcdf(f[2], engine='h5netcdf')
    elif tool == 'torch':
        import torch
        x = torch.einsum(spec, *(torch.from_numpy(read(p)) for p in f[:2])).numpy()
    elif spec == 'oyz,ozv->oyv':	# einsum would take a loop of its own
        x = read(f[0]) @ read(f[1])
    else:
        x = np.einsum(spec, *(read(p) for p in f[:2]), optimize=True)
    if not to:
        print(float(x))
    elif tool != 'xarray':
        write(f[2], x)


def calc(tool, f):
    """Mean over the first axis: of all at once by NumPy, and of what numexpr makes of all at once."""
    a, b, c = (read(p) for p in f[:3])
    if tool == 'numexpr':
        import numexpr
        x = numexpr.evaluate('sqrt(a*a + b*b)*abs(a - b)/(c + 1) + where(a > b, a, b)')  # it has no maximum
    else:
        x = np.sqrt(a * a + b * b) * np.abs(a - b) / (c + 1) + np.maximum(a, b)
    write(f[3], x.mean(axis=0))


tool, op, f = sys.argv[1], sys.argv[2], sys.argv[3:]
if '->' in op:
    product(tool, op, f)
elif op == 'add':
    write(f[2], read(f[0]) + read(f[1]))
elif op == 'bperm':
    write(f[2], read(f[0]) - read(f[1]).T[None, :, :, None])
elif op == 'meant':
    write(f[1], read(f[0]).mean(axis=0))
elif op in ('sum', 'sumz'):
    print(read(f[0]).sum(dtype='f8'))
elif op == 'transpose':
    write(f[1], np.ascontiguousarray(read(f[0]).transpose(2, 1, 0)))
elif op == 'ordslice':
    with h5py.File(f[0], 'r') as h:		# what is not asked for need not be read
        x = h['x'][:512]
    write(f[1], np.ascontiguousarray(x.transpose(2, 1, 0)))
elif op == 'calc':
    calc(tool, f)
elif op == 'every2':
    write(f[1], read(f[0])[:, :, ::2])
elif op == 'flip':
    write(f[1], read(f[0])[:, :, ::-1])
elif op == 'block':
    with h5py.File(f[0], 'r') as h:
        write(f[1], h['x'][100:900, 50:300, 100:600])
elif op == 'pad':
    write(f[1], np.pad(read(f[0]), ((0, 0), (10, 10), (10, 10))))
elif op == 'concat':
    write(f[1], np.concatenate([read(f[0]) for _ in range(4)]))
elif op == 'median':
    write(f[1], np.median(read(f[0]), axis=0))
elif op == 'rgb':
    write(f[1], read(f[0]).mean(axis=2, dtype='f4'))
elif op == 'norm3':
    write(f[1], np.sqrt((read(f[0]) ** 2).sum(axis=1)))
elif op == 'sum10':
    write(f[1], read(f[0]).sum(axis=1))
elif op == 'argmax10':
    write(f[1], read(f[0]).argmax(axis=1))
elif op == 'softmax10':
    x = read(f[0])
    x = np.exp(x - x.max(axis=1, keepdims=True))
    write(f[1], x / x.sum(axis=1, keepdims=True))
elif op == 'roll7':
    write(f[1], np.lib.stride_tricks.sliding_window_view(read(f[0]), 7, 0).mean(axis=-1))
elif op == 'rollmax5':
    write(f[1], np.lib.stride_tricks.sliding_window_view(read(f[0]), 5, 2).max(axis=-1))
elif op == 'bylabel':
    with h5py.File(f[1], 'r') as h:
        lab = h['lab'][...]
    write(f[2], np.bincount(lab, read(f[0])).astype('f4'))
elif op == 'eddy':
    a, b = read(f[0]), read(f[1])
    write(f[2], ((a - a.mean(axis=2, keepdims=True)) * (b - b.mean(axis=2, keepdims=True))).mean(axis=2))
elif op == 'eigh3':
    x = read(f[0])
    write(f[1], np.concatenate([a.ravel() for a in np.linalg.eigh((x + x.swapaxes(1, 2)) / 2)]))
elif op in ('solve8', 'solve4096'):
    write(f[2], np.linalg.solve(read(f[0]), read(f[1])[..., None])[..., 0])
elif op == 'eof':
    x = read(f[0]).astype('f8')
    x = x.reshape(len(x), -1)
    x -= x.mean(axis=0)
    e = np.linalg.eigh(x @ x.T)[1][:, :-11:-1].T @ x
    write(f[1], (e / np.linalg.norm(e, axis=1, keepdims=True)).astype('f4'))
elif op == 'svd':
    write(f[1], np.concatenate([a.ravel() for a in np.linalg.svd(read(f[0]), full_matrices=False)]))
elif op == 'sort':
    write(f[1], np.sort(read(f[0])))
elif op == 'csv':
    np.savetxt('/dev/null', read(f[0]), fmt='%.9g', delimiter=',')
elif op == 'meanti':
    write(f[1], (read(f[0]) * np.float32(.002) + np.float32(273)).mean(axis=0))
elif op == 'dist':
    print(((read(f[0]) - read(f[1])) ** 2).sum(dtype='f8'))
elif op == 'rmsd':
    write(f[2], np.sqrt(((read(f[0]) - read(f[1])) ** 2).mean(axis=0)))
else:
    sys.exit(2)
