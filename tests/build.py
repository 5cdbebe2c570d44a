#!/usr/bin/python3
"""The build on a machine that has nothing yet: what is made waits for the packages, and no failure leaves a file.

The rules are read as make knows them (make -pn); scripts that make files run with each of their tools failing in turn.
"""
import os
import re
import shutil
import subprocess

from axtlib import TOP, Tap, scratch

OUT = scratch()


def make(*words, **env):
    e = {k: v for k, v in os.environ.items() if not k.startswith(('MAKE', 'MFLAGS'))}
    return subprocess.run(['make', '--no-print-directory', f'B={OUT}/b', *words], cwd=TOP, env=dict(e, **env),
                          capture_output=True, text=True, timeout=200, check=False)


def rules(text):
    """Of each target in make's database: what it needs, after which file or not, and whether a recipe makes it."""
    needs, made, target = {}, set(), None
    for line in text[text.index('\n# Files\n'):].splitlines():
        m = re.match(r'(/\S+|[\w.-]+):(?!=) ?(.*)$', line)
        if m:
            target = m.group(1)
            needs.setdefault(target, set()).update(m.group(2).replace('|', ' ').split())
        elif line.startswith('\t') and target:
            made.add(target)
        elif not line.startswith('#'):
            target = None
    return needs, made


def waits(target, needs, known):
    """Whether setup-build is among what the target needs, or what that needs."""
    if target not in known:
        known[target] = False  # of a circle, which make drops
        known[target] = any(n == 'setup-build' or waits(n, needs, known) for n in needs.get(target, ()))
    return known[target]


def order(t):
    p = make('-pn', 'all', 'units')
    needs, made = rules(p.stdout)
    files = sorted(f for f in made if f.startswith(f'{OUT}/b/'))
    known = {}
    early = [f[len(OUT) + 3:] for f in files if not waits(f, needs, known)]
    t.ok(len(files) > 500 and not early, f'all files of the build, {"some hundreds of them" if len(files) > 500 else len(files)}, '
         'wait for the packages', f'{len(early)} do not: {early[:8]} {p.stderr[-300:]}')


def without(tool):
    """A folder for the front of PATH in which that tool fails after it has read and said a little."""
    d = f'{OUT}/no-{tool}'
    os.makedirs(d, exist_ok=True)
    with open(f'{d}/{tool}', 'w') as f:
        f.write('#!/bin/sh\nhead -c 100 >/dev/null\necho "half"\nexit 1\n')
    os.chmod(f'{d}/{tool}', 0o755)
    return f'{d}:{os.environ["PATH"]}'


def failing(t, line, tools, words):
    """A script says that it failed, whichever of its tools does."""
    for tool in tools:
        p = subprocess.run(['bash', line] + words, cwd=TOP, env=dict(os.environ, PATH=without(tool)), capture_output=True,
                           stdin=subprocess.DEVNULL, timeout=60, check=False)
        t.ok(p.returncode != 0, f'{line} where {tool} fails', f'status {p.returncode}')


def remains(t, target, **env):
    """A rule whose command fails leaves no file for the next make to go on with."""
    p = make(f'{OUT}/b/{target}', **env)
    left = [f for _, _, names in os.walk(f'{OUT}/b') for f in names]
    t.ok(p.returncode != 0 and os.path.basename(target) not in left, f'make of {target} that fails leaves none',
         f'{p.returncode} {left} {p.stdout[-200:]}')


def wrapper(name, runs):
    d = f'{OUT}/mpi-{name}'
    os.makedirs(d, exist_ok=True)
    with open(f'{d}/mpicc', 'w') as f:
        f.write(f'#!/bin/sh\nexec {runs} "$@"\n')
    os.chmod(f'{d}/mpicc', 0o755)
    return d


def mpi(t):
    """An mpicc of any place is asked what it is for."""
    def found(**env):
        p = subprocess.run(['scripts/mpi'], cwd=TOP, env=dict(os.environ, **env), capture_output=True, text=True, check=False)
        return p.returncode, p.stdout.split()
    for name in 'openmpi', 'mpich':
        if not shutil.which(f'mpicc.{name}'):
            t.skip(f'mpicc of {name}', 'it is not here')
            continue
        d = wrapper(name, shutil.which(f'mpicc.{name}'))
        got = found(PATH=f'{d}:{os.environ["PATH"]}')
        t.ok(got[0] == 0 and f'{name}={d}/mpicc' in got[1], f'mpicc in PATH is that of {name}', got)
        got = found(MPICC=f'{d}/mpicc')
        t.ok(got == (0, [f'{name}={d}/mpicc']), f'MPICC is that of {name}', got)
        p = make(f'{OUT}/b/lib/axt-mpi-{name}.so', 'V=1', MPICC=f'{d}/mpicc')
        t.ok(p.returncode == 0 and f'{d}/mpicc' in p.stdout, 'its library is made by it', p.stderr[-300:])
    p = make(f'{OUT}/b/lib/axt-mpi-abi.so', MPICC='')
    t.ok(p.returncode == 0, 'the library for the standard interface needs no MPI to be built', p.stderr[-300:])
    if shutil.which('mpicc_abi'):
        p = subprocess.run(['mpicc_abi', '-x', 'c', '-std=c11', '-Wall', '-Werror', '-Ilib', '-fsyntax-only', '-'], cwd=TOP, text=True,
                           input='#include <mpi.h>\n#include "jobs/mpi_abi.h"\n', capture_output=True, check=False)
        t.ok(p.returncode == 0, 'what it knows of that interface is what an implementation has', p.stderr[-300:])
    else:
        t.skip('mpi_abi.h beside that of an implementation', 'mpicc_abi is not here')
    got = found(MPICC='gcc')
    t.ok(got[0] != 0, 'a compiler that is of no MPI is refused', got)
    p = make('-n', 'mpi', MPICC='gcc')
    t.ok(p.returncode != 0 and 'MPICC' in p.stderr, 'and ends the build', p.stderr[-300:])


def hdf5(t):
    """What scripts/hdf5 takes of a folder that HDF5=DIR names: the archive, else the shared library, else nothing."""
    system = next((d for d in ('/usr/lib/x86_64-linux-gnu/hdf5/serial', '/usr/lib/aarch64-linux-gnu/hdf5/serial') if os.path.isdir(d)), None)
    if not system:
        t.skip('HDF5=DIR', "no libhdf5 of Debian's is here")
        return

    def link(name, *files):
        d = f'{OUT}/hdf5-{name}'
        os.makedirs(f'{d}/lib')
        os.symlink('/usr/include/hdf5/serial', f'{d}/include')
        for f in files:
            os.symlink(f'{system}/{f}', f'{d}/lib/{f}')
        p = subprocess.run(['scripts/hdf5', 'link', f'{OUT}/made-{name}', 'gcc'], cwd=TOP, env=dict(os.environ, HDF5=d), capture_output=True,
                           text=True, check=False)
        return d, p.returncode, p.stdout, p.stderr

    d, rc, words, err = link('both', 'libhdf5.a', 'libhdf5.so')
    t.ok(rc == 0 and f'{OUT}/made-both/libaxth5.a' in words, 'HDF5=DIR: a copy of the archive that is there', (words, err))
    names = subprocess.run(['nm', f'{OUT}/made-both/libaxth5.a'], capture_output=True, text=True, check=False).stdout
    t.ok('axt_h5_memset' in names and 'curl' not in names and ' stderr\n' not in names, 'which asks for no curl, and not for stderr')
    d, rc, words, err = link('shared', 'libhdf5.so')
    t.ok(rc == 0 and words.startswith(f'-L{d}/lib -lhdf5 -Wl,-rpath,{d}/lib'), 'where there is none, the shared library', (words, err))
    d, rc, words, err = link('none')
    t.ok(rc == 1 and not words and f'HDF5={d} has none' in err, 'a folder without either is refused', (words, err))
    p = subprocess.run(['scripts/hdf5', 'cflags'], cwd=TOP, env=dict(os.environ, HDF5='/nowhere'), capture_output=True, text=True, check=False)
    t.ok(p.returncode == 1 and '/nowhere' in p.stderr, 'and one without headers', p.stderr)


def where(t):
    """README.md says of each system that is tried by scripts/elsewhere that it is, and of no other."""
    with open(f'{TOP}/README.md') as f:
        said = re.findall(r'`scripts/elsewhere (\w+)` \|$', f.read(), re.M)
    tried = subprocess.run(['scripts/elsewhere', '--tried'], cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    t.ok(tried and said == tried, 'README.md has the systems that scripts/elsewhere tries', (said, tried))


def main():
    t = Tap()
    hdf5(t)
    where(t)
    order(t)
    failing(t, 'scripts/words', ['sed', 'gcc', 'tr', 'awk'], ['gcc'])
    failing(t, 'scripts/ops', ['sed', 'awk'], ['commands'])
    failing(t, 'man/elementwise.sh', ['sed'], ['add', os.environ.get('AXT_BIN', 'build/bin')])
    remains(t, 'lib/device/words.inc', PATH=without('tr'))
    remains(t, 'axt.pc', PATH=without('sed'))
    p = make('-n', 'all', PATH=without('awk'))
    t.ok(p.returncode != 0 and 'ew_names' in p.stderr, 'a list of commands that cannot be read ends the build', p.stderr[-300:])
    mpi(t)
    t.done()


main()
