#!/usr/bin/python3
"""The manual pages and the README: what they show is run, and must say what they say it does.

An example is "$ command" and the lines it prints. Blocks of one page run in one directory, in order. "> " continues
a command.
"""
import glob
import html
import os
import re
import subprocess

import h5py
import numpy as np

from axtlib import BIN, BUILD, SANITIZER, SLOW, TOP, Tap, axt, scratch

tap = Tap()
COADS = '/usr/share/ferret-vis/data/coads_climatology.cdf'


# Commands of pages run in a small stack, of which the environment takes a part. wc of Debian 13, Python and NumPy need more.
SMALL = '' if SANITIZER else ('ulimit -S -s 128; for c in wc /usr/bin/python3; do '
                              'eval "$c() { (ulimit -S -s 8192; command $c \\"\\$@\\"); }"; done; export MUCH=' + 'x' * 32768 + '; ')


def bash(line, cwd):
    env = dict(os.environ, PATH=BIN + ':' + os.environ['PATH'])
    p = subprocess.run(['bash', '-c', line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, env=env, cwd=cwd, timeout=300)
    return p.stdout.decode(errors='replace')


def steps(lines):
    """Commands of a block, each with what it should print."""
    found = []
    for line in lines:
        if line.startswith('$ '):
            found.append([line[2:], []])
        elif line.startswith('> ') and found and not found[-1][1]:
            found[-1][0] += '\n' + line[2:]
        elif found:
            found[-1][1].append(line)
    return found


def run_block(name, lines, cwd):
    for command, want in steps(lines):
        got = bash(SMALL + command, cwd).rstrip('\n')
        want = '\n'.join(want).rstrip('\n')
        # "..." alone on a line: whatever comes there
        pattern = '.*'.join(re.escape(part) for part in re.split(r'^\.\.\.$', want, flags=re.M))
        good = got == want or ('\n...' in '\n' + want and re.fullmatch(pattern, got, re.S))
        tap.ok(good, f'{name}: {command.splitlines()[0]}', f'prints:\n{got}\nshould print:\n{want}')


def literal_blocks(path):
    with open(path, encoding='utf-8') as f:
        text = f.read()
    for m in re.finditer(r'^\.Bd -literal.*?\n(.*?)^\.Ed', text, re.S | re.M):
        yield re.sub(r'\\([-e&])', lambda e: {'-': '-', 'e': '\\', '&': ''}[e.group(1)], m.group(1)).splitlines()


def man_pages():
    pages = sorted(glob.glob(f'{TOP}/man/*.[1357]') + glob.glob(f'{BUILD}/man/*.1'))
    for page in pages[::3] if SLOW else pages:
        d = scratch()
        name = os.path.basename(page)
        for lines in literal_blocks(page):
            if any(x.startswith('$ ') for x in lines):
                run_block(name, lines, d)
    for page in sorted(glob.glob(f'{TOP}/man/*.1')):
        with open(page, encoding='utf-8') as f:
            text = f.read()
        lacks = [s for s in ('SYNOPSIS', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO') if f'.Sh {s}' not in text]
        tap.ok(not lacks, f'{os.path.basename(page)} has its sections', lacks)
    p = subprocess.run(['mandoc', '-Tlint', '-Wwarning'] + pages, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    tap.ok(p.returncode == 0, 'mandoc -Tlint', p.stdout.decode())


def programs(page, first):
    """The C programs of a page that begin with a line."""
    return ['\n'.join(lines) + '\n' for lines in literal_blocks(page) if lines and lines[0].startswith(first)]


def reader():
    """axt-format(5): the reader reads what axt writes, and a stream."""
    d = scratch()
    src, = programs(f'{TOP}/man/axt-format.5', '/* reader.c')
    with open(f'{d}/reader.c', 'w', encoding='utf-8') as f:
        f.write(src)
    tap.ok(len(src.splitlines()) <= 62, 'the reader is short', len(src.splitlines()))
    out = bash('gcc -std=c11 -Wall -Wextra -Werror -o reader reader.c $(pkg-config --cflags --libs hdf5)', d)
    if not tap.ok(not out, 'the reader of axt-format(5) compiles', out):
        return
    for axes in ('lat=3,lon=4', '', 'M^=2,x=3,M=1'):
        for how in ('-o t.nc', '>t.nc', '| cat >t.nc', '--deflate 4 -o t.nc'):
            bash(f'rm -f t.nc; axt-make normal {axes or "%"} --seed 3 --name t {how}'.replace('%', "''"), d)
            said = bash('./reader t.nc t', d).splitlines()
            with h5py.File(f'{d}/t.nc') as f:
                want = [f'{f["t"].dims[i][0].name[1:]} = {n}' for i, n in enumerate(f['t'].shape)]
                values = f['t'][()].astype('f8').ravel()
            k = len(want)
            good = said[:k] == want and np.array_equal(np.array(said[k:], 'f8'), values)
            tap.ok(good, f'the reader reads ({axes}) {how}', '\n'.join(said[:20]))


def library():
    """The programs of libaxt(3), as C11 and as C++17."""
    d = scratch()
    axt('make', 'iota', 'time=5,x=2', '--dtype', 'f32', '-o', f'{d}/t.nc')
    far, grid = programs(f'{TOP}/man/libaxt.3', '#include <axt.h>')
    for cc in ('gcc -std=c11', 'g++ -std=c++17 -x c++'):
        for name, src in (('far', far), ('grid', grid)):
            with open(f'{d}/{name}.c', 'w', encoding='utf-8') as f:
                f.write(src)
            out = bash(f'{cc} -Wall -Wextra -Werror -Wno-missing-field-initializers -I{TOP}/lib -o {name} {name}.c -x none '
                       f'{BUILD}/libaxt.so -Wl,-rpath,{BUILD}/lib', d)
            if not tap.ok(not out, f'program {name} of libaxt(3) compiles: {cc}', out):
                return
        out = bash('./far t.nc', d)
        tap.ok(out == '4\n', f'program far of libaxt(3) computes: {cc}', out)
        out = bash('./far none.nc; echo $?', d)
        tap.ok('none.nc' in out and out.endswith('1\n') and len(out.splitlines()) == 2, 'and says what is wrong', out)
        out = bash('rm -f grid.nc; ./grid && axt-print --csv grid.nc', d)
        tap.ok(out.split() == ['lat,lon,t', '-30,0,1', '-30,1,2', '-30,2,3', '30,0,4', '30,1,5', '30,2,6'],
               f'program grid of libaxt(3) writes: {cc}', out)


def header():
    """The example in axt.h compiles; every function of the header stands in libaxt(3)."""
    with open(f'{TOP}/lib/axt.h', encoding='utf-8') as f:
        text = f.read()
    with open(f'{TOP}/man/libaxt.3', encoding='utf-8') as f:
        page = f.read()
    lacks = [n for n in re.findall(r'AXT_API[^;]*?\b(axt_\w+)\(', text) if n not in page]
    tap.ok(not lacks, 'libaxt(3) names every function of axt.h', lacks)


def options(command):
    """The rows of `axt-NAME --options`, each as a list of its fields."""
    return [r.split('\t') for r in bash(f'axt-{command} --options', TOP).splitlines()]


def same(have, want, what):
    have, want = sorted(have), sorted(want)
    tap.ok(have == want, f'README.md: {what}', f'only there: {set(have) - set(want)}, missing: {set(want) - set(have)}')


def lists():
    """What README.md lists, the tree has, and all of it."""
    with open(f'{TOP}/README.md', encoding='utf-8') as f:
        text = f.read()
    table = re.search(r'^## Commands\n(.*?)^`axt list`', text, re.S | re.M).group(1)
    rows = dict(re.findall(r'^\| (.*?) \| (.*?) \|$', table, re.M))
    named = re.findall(r'`axt-([\w-]+)', table)
    named += re.match(r'`axt-add`([^;]*);', rows['elementwise']).group(1).replace(',', ' ').split()
    same(set(named), [x.split()[0] for x in bash('axt list', TOP).splitlines()], 'the table has every command')
    for command, row, pattern in (('reduce', 'reductions', r'`axt-reduce`(.*)'), ('scan', 'along an axis', r'`axt-scan`([^,]*)')):
        words = re.search(pattern, rows[row]).group(1).replace(':Q', '').split()
        same(words, [r[1] for r in options(command) if r[0] == 'word'], f'what axt-{command} computes')
    formats = rows['other formats'].split(':')[1].replace(',', ' ').split()
    for command in ('from', 'to'):
        choices = [r[3] for r in options(command) if r[0] == 'option' and r[2] == '--format'][0].split('|')
        same(formats + ['auto'], choices, f'the formats of axt-{command}')
    with open(f'{TOP}/lib/isa/x86_64.def', encoding='utf-8') as f:
        flags = re.search(r'^ISA\(\w+, "([^"]*)"', f.read(), re.M).group(1)
    needs = re.search(r'processor must have ([A-Z0-9, and]+)\b', text).group(1).replace(' and ', ', ').split(', ')
    same([n.lower() for n in needs], [x[2:] for x in flags.split()], 'what the processor must have')
    for link in re.findall(r'\]\(([^):]+)\)', text):
        tap.ok(os.path.exists(f'{TOP}/{link}'), f'README.md: {link} is there')


def tables():
    """The rows of filters.def and formats.def, and the ends of names of each format, in pages and hints."""
    def read(path):
        with open(f'{TOP}/{path}', encoding='utf-8') as f:
            return f.read()
    filters = re.findall(r'^FILTER\(\w+, *-?\d+, *(\w+),', read('lib/filters.def'), re.M)
    page = read('man/axt-format.5')
    tap.ok(filters and all(re.search(rf'\b{f}\b', page) for f in filters), 'man/axt-format.5 names every filter', filters)
    names = re.findall(r'^FORMAT\(\w+, *(\w+),', read('lib/formats.def'), re.M)
    table = re.search(r'^## What is read and written\n(.*?)^## ', read('README.md'), re.S | re.M).group(1)
    lacks = [n for n in filters + names if not re.search(rf'\b{n}\b', table)]
    tap.ok(not lacks, 'the table of README.md has every filter and format', lacks)
    for page in ('man/axt-from.1', 'man/axt-to.1'):
        told = set(re.findall(r'^\.It Cm (\w+)', read(page), re.M))
        tap.ok(names and set(names) <= told, f'{page} tells of every format', str(set(names) - told))
    err = subprocess.run([f'{BIN}/axt-to', '-', '7'], capture_output=True, text=True).stderr
    tap.ok(err.endswith(f'--format {", ".join(names[:-1])} or {names[-1]}\n'), 'axt-to hints at every format', err)
    ends = {end for n in names for end in re.findall(r'\{ "(\.\w+)", true \}', read(f'lib/formats/{n}.c'))}
    told = set(re.search(r'by the suffix\n\.Pq (.*) \.', read('man/axt-to.1'))[1].split())
    tap.ok(ends and ends == told, 'man/axt-to.1 has every end of a name', str(ends ^ told))


def readme():
    with open(f'{TOP}/README.md', encoding='utf-8') as f:
        text = f.read()
    for words in ('make demo', 'make check'):
        tap.ok(words in text, f'README.md gives {words}')
    blocks = [html.unescape(b).splitlines() for b in re.findall(r'^```sh\n(.*?)^```', text, re.S | re.M)]
    if not os.path.exists(COADS):
        tap.skip('README.md', 'no ferret-datasets here')
        return
    d = scratch()
    os.symlink(COADS, f'{d}/coads.nc')
    for lines in blocks:
        run_block('README.md', lines, d)


for part in (man_pages, header, lists, tables, readme) + (() if SANITIZER or SLOW else (reader, library)):
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
tap.done()
