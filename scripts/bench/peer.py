#!/usr/bin/python3
"""The bench's operations by NumPy on h5py: peer.py OP IN [IN2] [OUT]."""
import sys

import h5py
import numpy as np


def read(p):
    with h5py.File(p, 'r') as h:
        return h['x'][...]


def write(p, x):
    with h5py.File(p, 'w') as h:
        h['x'] = x


op, f = sys.argv[1], sys.argv[2:]
if op == 'add':
    write(f[2], read(f[0]) + read(f[1]))
elif op == 'bperm':
    write(f[2], read(f[0]) - read(f[1]).T[None, :, :, None])
elif op == 'meant':
    write(f[1], read(f[0]).mean(axis=0))
elif op in ('sum', 'sumz'):
    print(read(f[0]).sum(dtype='f8'))
elif op == 'transpose':
    write(f[1], np.ascontiguousarray(read(f[0]).transpose(2, 1, 0)))
elif op == 'meanti':
    write(f[1], (read(f[0]) * np.float32(.002) + np.float32(273)).mean(axis=0))
elif op == 'dist':
    print(((read(f[0]) - read(f[1])) ** 2).sum(dtype='f8'))
elif op == 'rmsd':
    write(f[2], np.sqrt(((read(f[0]) - read(f[1])) ** 2).mean(axis=0)))
else:
    sys.exit(2)
