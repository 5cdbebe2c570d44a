#!/usr/bin/python3
"""The wheel of scripts/wheel: made, installed in a fresh environment, and used where neither the tree nor the build are known."""
import os
import re
import subprocess
import sys
import zipfile

from axtlib import BUILD, SANITIZER, SLOW, TOP, Tap, scratch

USE = '''
import axt, numpy, os, sys
import xarray as xr
mapped = [line.split()[-1] for line in open('/proc/self/maps') if '.so' in line]
inside = os.path.dirname(axt.__file__)
here = [os.path.basename(m) for m in mapped if m.startswith(inside)]
assert inside.startswith(sys.prefix) and 'libaxt.so.0' in here, (inside, here)
assert not [m for m in mapped if os.path.basename(m).split('.so')[0] in ('libsleef', 'libisal') and not m.startswith(inside)], mapped
x = axt.tensor(numpy.arange(6.).reshape(2, 3), 'y,x', {'x': [1, 2, 3]}).set_name('v')
assert (x.exp() * 2).sum(over='y').to_numpy().shape == (3,)
x.save('v.nc')
with xr.open_dataset('v.nc', engine='axt') as got, xr.open_dataset('v.nc', engine='netcdf4') as want:
    assert got.identical(want), (got, want)
print('axt', axt.__version__)
'''


def run(*command, **how):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **how)


def main():
    t = Tap()
    if SANITIZER or SLOW:
        t.skip('wheel', 'it would have the library of a sanitizer')
        t.done()
    d = scratch()
    p = run(f'{TOP}/scripts/wheel', BUILD, d)
    wheel = p.stdout.strip().split('\n')[-1]
    if not t.ok(p.returncode == 0 and os.path.exists(wheel), 'scripts/wheel makes a wheel', p.stdout):
        t.done()
    name = os.path.basename(wheel)
    t.ok(re.fullmatch(r'axt-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl', name), 'its name says for which machines', name)
    with zipfile.ZipFile(wheel) as z:
        names = z.namelist()
        t.ok({'axt/__init__.py', 'axt/libaxt.so.0', 'axt/xarray_engine.py'} <= set(names) and any(n.endswith('/LICENSE') for n in names),
             'the library is inside', names)
        t.ok(sum(i.file_size for i in z.infolist()) < 40 << 20, 'it is small')
    env = {k: v for k, v in os.environ.items() if not k.startswith(('PYTHON', 'AXT', 'LD_'))}
    p = run(sys.executable, '-m', 'venv', '--system-site-packages', f'{d}/venv', env=env)
    t.ok(p.returncode == 0, 'a fresh environment', p.stdout)
    p = run(f'{d}/venv/bin/pip', 'install', '-q', '--no-index', '--no-deps', wheel, env=env, cwd=d)
    t.ok(p.returncode == 0, 'pip installs it', p.stdout)
    p = run(f'{d}/venv/bin/python', '-c', USE, env=env, cwd=d)
    t.ok(p.returncode == 0 and p.stdout.startswith('axt '), 'it computes, and xarray knows the engine', p.stdout)
    t.done()


main()
