#!/usr/bin/python3
"""The folder of scripts/portable: all that it needs of other packages is in it, with licences, and it may lie anywhere."""
import glob
import os
import re
import shutil
import subprocess

from axtlib import BUILD, SANITIZER, SLOW, TOP, Tap, scratch

LIBC = re.compile(r'(libc|libm|libdl|libpthread|librt|ld-linux[\w-]*)\.so')
# Libraries of MPI belong to the launcher that starts a command.
MPI = re.compile(r'axt-mpi-')


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)


def lacking(folder):
    """What files of the folder are linked to that is neither in it nor libc's."""
    there = set(os.listdir(f'{folder}/lib'))
    files = [f for f in [f'{folder}/bin/axt', *glob.glob(f'{folder}/lib/*.so*')] if not MPI.match(os.path.basename(f))]
    needed = {(os.path.basename(f), n) for f in files for n in re.findall(r'NEEDED\s+(\S+)', output('objdump', '-p', f).stdout)}
    return sorted(n for n in needed if n[1] not in there and not LIBC.match(n[1]))


def recipes(t):
    """packaging/ has the version of lib/axt.h where it has one."""
    with open(f'{TOP}/lib/axt.h', encoding='utf-8') as f:
        version = re.search(r'AXT_VERSION "(.*)"', f.read())[1]
    text = {}
    for path in glob.glob(f'{TOP}/packaging/**', recursive=True):
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as f:
                text[os.path.basename(path)] = f.read()
    said = {v for x in text.values() for v in re.findall(r'(?:version = |version\()"(\d[^"]*)"', x)}
    t.ok(said == {version}, 'recipes in packaging have the version', said)


def main():
    t = Tap()
    recipes(t)
    if SANITIZER or SLOW:
        t.skip('a folder that may lie anywhere', 'it would have the library of a sanitizer')
        t.done()
    d = scratch()
    p = output(f'{TOP}/scripts/portable', BUILD, d)
    made = glob.glob(f'{d}/axt-*-linux-*')
    if not t.ok(p.returncode == 0 and len(made) == 1, 'scripts/portable makes a folder', p.stdout):
        t.done()
    t.ok(re.search(r': for glibc 2\.\d+$', p.stdout, re.M), 'and says which glibc it needs', p.stdout)
    t.ok(not lacking(made[0]), 'no library of it is linked to one that is not there', lacking(made[0]))
    names = [os.path.basename(f) for f in glob.glob(f'{made[0]}/lib/*.so*')]
    bare = [n for n in names if not n.startswith('libaxt.') and not os.path.exists(f'{made[0]}/licenses/{n}')]
    t.ok(len(names) > 20 and not bare, 'each has its licence there', bare)
    there = f'{d}/another place'
    shutil.move(made[0], there)
    p = output(f'{there}/bin/axt-make', 'full', 'x=2', '--value', '3', '-o', f'{d}/a.nc')
    t.ok(p.returncode == 0, 'commands find the library from wherever they are', p.stdout)
    p = output(f'{there}/bin/axt-attr', '--in-place', 'units=hPa', f'{d}/a.nc')
    p = output(f'{there}/bin/axt-convert', '--to', 'Pa', f'{d}/a.nc', '-p')
    t.ok(p.stdout == '300\n300\n', 'units are converted', p.stdout)
    with open(f'{there}/lib/axt/udunits2.xml', 'w', encoding='utf-8') as f:
        f.write('no units')
    p = output(f'{there}/bin/axt-convert', '--to', 'Pa', f'{d}/a.nc', '-p')
    t.ok(p.returncode == 1 and 'cannot read its list of units' in p.stdout, 'by the units that came along', p.stdout)
    p = output(f'{there}/bin/axt-plot', f'{d}/a.nc', '-o', f'{d}/a.png')
    t.ok(p.returncode == 0 and os.path.getsize(f'{d}/a.png') > 1000, 'a picture is drawn', p.stdout)
    os.remove(f'{there}/lib/axt/DejaVuSans.ttf')
    q = output(f'{there}/bin/axt-plot', f'{d}/a.nc', '-o', f'{d}/b.png')
    t.ok(q.returncode == 0 and open(f'{d}/a.png', 'rb').read() != open(f'{d}/b.png', 'rb').read(), 'in the font that came along', q.stdout)
    t.done()


main()
