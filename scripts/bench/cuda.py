#!/usr/bin/python3
"""axt on a GPU: kernels beside the card's copy bandwidth, and pipelines from file to file beside the CPU, torch and CuPy.

Kernels are timed by the device itself (AXT_DEVICE_LOG), on one tile of 2^27 elements that lies in its memory. Run with the
commands in PATH; `make bench-cuda`, or scripts/gpu on a machine that has no more than the toolkit.
"""
import os
import re
import shutil
import statistics as st
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

N = 1 << 27
ROUNDS = 5


def sh(command, **env):
    p = subprocess.run(['sh', '-c', command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       env={**os.environ, **env})
    if p.returncode:
        raise RuntimeError(f'{command}: {p.stderr.strip()}')
    return p


def kernel(command, name):
    """Median seconds of the kernels `name` of a command: its largest launch."""
    times = []
    for _ in range(ROUNDS):
        found = re.findall(rf'device: {name} ([0-9.]+) s', sh(command, AXT_DEVICE_LOG='1', AXT_TILE=str(N),
                                                                AXT_DEVICE='cuda', AXT_THREADS='1').stderr)
        times.append(max(float(x) for x in found))
    return st.median(times)


def wall(command, **env):
    times = []
    for _ in range(ROUNDS):
        t = time.perf_counter()
        sh(command, **env)
        times.append(time.perf_counter() - t)
    return st.median(times)


def torch_copy():
    """Bytes per second of a device copy, by torch where there is one; else by axt's own map of one operand."""
    try:
        import torch
    except ImportError:
        return None
    a = torch.empty(N, device='cuda')
    b = torch.empty_like(a)
    times = []
    for _ in range(20):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        b.copy_(a)
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1e-3)
    return 8 * N / st.median(times)


PEER = """
import sys, h5py, numpy as np
import {lib} as xp
f = h5py.File(sys.argv[1]); g = h5py.File(sys.argv[2])
a, b = (xp.asarray(v['x'][...]) for v in (f, g)) if '{lib}' == 'cupy' else (
    xp.from_numpy(v['x'][...]).cuda() for v in (f, g))
r = xp.sqrt(((a - b) ** 2).mean(0))
r = r.get() if '{lib}' == 'cupy' else r.cpu().numpy()
with h5py.File(sys.argv[3], 'w') as o:
    o['x'] = r
"""


def main():
    shm = os.path.isdir('/dev/shm') and shutil.disk_usage('/dev/shm').free > 6 << 30
    top = tempfile.mkdtemp(prefix='axt-cuda.', dir='/dev/shm' if shm else None)
    os.chdir(top)
    try:
        rng = np.random.default_rng(1)
        for name in 'ab':
            with h5py.File(f'{name}.h5', 'w') as f:
                f['x'] = rng.standard_normal((512, 512, 512), dtype='f4')
                for i, d in enumerate(('time', 'lat', 'lon')):
                    f['x'].dims[i].label = d
        with h5py.File('q.h5', 'w') as f:
            f['x'] = rng.standard_normal((512, 512), dtype='f4')
            f['x'].dims[0].label, f['x'].dims[1].label = 'lon', 'lat'
        copy = torch_copy()
        negate = 8 * N / kernel('axt-map negative a.h5 -o o.h5', 'axt_map')
        if copy is None:
            copy = negate
        print(f'copy bandwidth {copy / 1e9:.0f} GB/s')
        rows = [
            ('negative', 8 * N, 'axt-map negative a.h5 -o o.h5', 'axt_map', None),
            ('sum of (a - b)^2', 8 * N, 'axt-sub a.h5 b.h5 | axt-map square | axt-reduce sum -p', 'axt_reduce', 0.85),
            ('mean over time of (a - b)^2', 8 * N, 'axt-sub a.h5 b.h5 | axt-map square | axt-reduce mean --over time -o o.h5',
             'axt_reduce', 0.85),
            ('a - q, q broadcast and permuted', 8 * N, 'axt-sub a.h5 q.h5 -o o.h5', 'axt_map', 0.7),
            ('transposition', 8 * N, 'axt-map negative a.h5 | axt-order lon,lat,time -o o.h5', 'axt_map', 0.8),
        ]
        for what, bytes_, command, name, goal in rows:
            rate = bytes_ / kernel(command, name) / copy
            print(f'{what}: {rate:.2f} of the copy bandwidth' + (f' (goal {goal})' if goal else ''))
        chain = 'axt-sub a.h5 b.h5 | axt-map square | axt-reduce mean --over time | axt-map sqrt -o o.h5'
        ours = wall(chain, AXT_DEVICE='cuda')
        print(f'file to file, sqrt(mean((a - b)^2)): cuda {ours:.3f} s, cpu {wall(chain, AXT_DEVICE="cpu"):.3f} s')
        for lib in ('torch', 'cupy'):
            with open('peer.py', 'w') as f:
                f.write(PEER.format(lib=lib))
            try:
                print(f'  {lib}: {wall(f"{sys.executable} peer.py a.h5 b.h5 p.h5") / ours:.2f} times that')
            except RuntimeError as x:
                print(f'  {lib}: {str(x).splitlines()[-1]}')
    finally:
        shutil.rmtree(top)


if __name__ == '__main__':
    main()
