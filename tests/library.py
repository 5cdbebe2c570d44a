#!/usr/bin/python3
"""The library as it is linked and installed: few needs, nothing exported by accident, a program that uses it."""
import os
import re
import shutil
import subprocess

from axtlib import BUILD, SANITIZER, SLOW, TOP, Tap, scratch

tap = Tap()
d = scratch()


def sh(line):
    p = subprocess.run(['bash', '-c', line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=TOP)
    return p.returncode, p.stdout.decode(errors='replace')


def linked():
    rc, out = sh(f'readelf -dW {BUILD}/libaxt.so')
    need = re.findall(r'NEEDED.*\[(.*)\]', out)
    tap.ok(rc == 0 and 'TEXTREL' not in out, 'libaxt.so has no text relocations', out)
    tap.ok(len(need) <= 9 and not any('hdf5' in n or 'curl' in n or 'blas' in n for n in need),
           'libaxt.so needs few libraries, not libhdf5, not BLAS', need)
    rc, out = sh(f'nm -D --defined-only {BUILD}/libaxt.so')
    names = [line.split()[-1] for line in out.splitlines()]
    bad = [n for n in names if not n.startswith('axt_')]
    tap.ok(rc == 0 and names and not bad, 'libaxt.so exports axt_ only', bad[:20])
    declared = {n for n, _ in functions()}
    tap.ok(declared == set(names), 'what axt.h and axt_cmd.h declare is what libaxt.so exports',
           f'not exported: {sorted(declared - set(names))}; not declared: {sorted(set(names) - declared)}')


def functions():
    """Names and declarations of what axt.h and axt_cmd.h declare."""
    text = ''.join(open(f'{TOP}/lib/{h}', encoding='utf-8').read() for h in ('axt.h', 'axt_operation.h', 'axt_cmd.h'))
    return [(re.search(r'\b(axt_\w+)\(', d).group(1), d) for d in re.findall(r'^AXT_API[^;]*;', text, re.M)]


def faces():
    """axt.h is for programs, axt_cmd.h for commands; every function that takes nodes is tried with wrong ones."""
    with open(f'{TOP}/lib/axt_cmd.h', encoding='utf-8') as f:
        only = re.findall(r'AXT_API[^;]*?\b(axt_\w+)\(', f.read())
    calls = ''.join(open(f'{TOP}/cmd/{n}', encoding='utf-8').read() for n in os.listdir(f'{TOP}/cmd'))
    lacking = [n for n in only if not re.search(rf'\b{n}\b', calls)]
    tap.ok(only and not lacking, 'every function of axt_cmd.h is called by a command', lacking)
    with open(f'{TOP}/tests/unit/test_api.c', encoding='utf-8') as f:
        rows = set(re.findall(r'ROW\((axt_\w+),', f.read()))
    lacking = [n for n, d in functions() if re.search(r'struct axt_(expr \*(const )?\w|assignment )', d.split('(', 1)[1])
               and 'const struct axt_expr *e' not in d and n not in rows]
    tap.ok(not lacking, 'every function that takes nodes is in the table of test_api.c', lacking)


def installed():
    root = f'{d}/root'
    rc, out = sh(f'make -s --no-print-directory -o all B={BUILD} install DESTDIR={root} PREFIX=/usr MAKEFLAGS=')
    if not tap.ok(rc == 0, 'make install', out):
        return
    p = f'{root}/usr'
    rc, out = sh(f'{p}/bin/axt-make iota x=4 | {p}/bin/axt-add - 1 | {p}/bin/axt-reduce sum -p')
    tap.ok(rc == 0 and out.strip() == '10', 'installed commands find the library beside them', out)
    with open(f'{d}/use.c', 'w') as f:
        f.write('#include <axt.h>\n#include <malloc.h>\n#include <string.h>\nint main(void)\n{\n\tstruct axt_graph *g = axt_graph_new();\n\tdouble v = 0;\n'
                '\tstruct axt_expr *e = axt_reduce(g, AXT_RED_SUM, axt_make(g, "ones", "x=5", AXT_F64, 0),\n'
                '\t    NULL);\n\tint bad = axt_eval(g, e, &v, sizeof(v)) != AXT_OK || v != 5;\n'
                '\tstruct axt_graph *h = axt_graph_new();\n'
                '\tstruct axt_reduce_opts zero;\n\tmemset(&zero, 0, sizeof(zero));\n'
                '\te = axt_reduce(g, AXT_RED_SUM, axt_make(g, "ones", "x=5", AXT_F64, 0), &zero);\n'
                '\tbad |= (axt_eval(g, e, &v, sizeof(v)) != AXT_OK || v != 5) << 1;\n'
                '\tsize_t before = mallinfo2().uordblks;\n'
                '\tfor (int i = 0; i < 20000; i++)\n\t\taxt_eval(g, e, &v, sizeof(v));\n'
                '\tbad |= (mallinfo2().uordblks > before + 100000) << 2;\n'
                '\tbad |= (axt_eval(g, axt_map1(g, AXT_OP_SQRT, NULL), &v, sizeof(v)) != AXT_E_ARG) << 3;\n'
                '\taxt_graph_clear(g);\n\tbad |= (axt_eval(g, e, &v, sizeof(v)) != AXT_OK) << 4;\n'
                '\tbad |= (axt_eval(h, axt_map1(h, AXT_OP_SQRT, e), &v, sizeof(v)) != AXT_E_ARG) << 5;\n'
                '\taxt_graph_free(h);\n'
                '\taxt_graph_free(g);\n\treturn bad;\n}\n')
    flags = f'$(PKG_CONFIG_PATH={p}/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR={root} pkg-config --cflags --libs axt)'
    rc, out = sh(f'gcc -o {d}/use {d}/use.c {flags} -Wl,-rpath,{p}/lib && {d}/use')
    tap.ok(rc == 0, 'a program built with pkg-config: zeroed options, memory, what is cleared and refused', f'{rc} {out}')
    for how, at in (('', BUILD), ('--static', f'{d}/static')):
        os.makedirs(at, exist_ok=True)
        if how:   # where there is no libaxt.so, -laxt is libaxt.a
            for n in 'libaxt.a', 'axt.pc':
                shutil.copy(f'{BUILD}/{n}', at)
        here = f'$(PKG_CONFIG_LIBDIR={BUILD} pkg-config --cflags --libs {how} --define-variable=libdir={at} axt)'
        rc, out = sh(f'gcc -o {d}/use{how} {d}/use.c {here} -Wl,-rpath,{at}/lib && {d}/use{how}')
        tap.ok(rc == 0, f'a program built with {how or "shared"} libaxt of the build folder, where no other package is known',
               f'{rc} {out}')
    rc, out = sh(f'readelf -dW {d}/use--static')
    out = re.findall(r'NEEDED.*\[(.*)\]', out)
    tap.ok(rc == 0 and out and not any('axt' in n or 'hdf5' in n for n in out), 'the static program needs neither libaxt nor libhdf5', out)
    with open(f'{d}/use.cc', 'w') as f:
        f.write('#include <axt.h>\nint main()\n{\n\taxt_graph *g = axt_graph_new();\n'
                '\taxt_reduce_opts over = {};\n\tover.over = "x";\n\taxt_expr *e = axt_map1(g, AXT_OP_SQRT, axt_reduce(g, AXT_RED_SUM,\n'
                '\t    axt_make(g, "ones", "x=16", AXT_F64, 0), &over));\n\tdouble v = 0;\n'
                '\tint bad = axt_eval(g, e, &v, sizeof(v)) != AXT_OK || v != 4;\n\taxt_graph_free(g);\n\treturn bad;\n}\n')
    rc, out = sh(f'g++ -std=c++17 -Wall -Wextra -Werror -Wno-missing-field-initializers -o {d}/usecc {d}/use.cc {flags} -Wl,-rpath,{p}/lib && {d}/usecc')
    tap.ok(rc == 0, 'a C++ program', out)
    rc, out = sh(f'make -s --no-print-directory -o all B={BUILD} uninstall DESTDIR={root} PREFIX=/usr MAKEFLAGS=; '
                 f'find {root} -type f -o -type l')
    tap.ok(rc == 0 and not out.strip(), 'make uninstall leaves nothing', out)


def commands():
    """A command, its page and its test come together."""
    have = {n for n in os.listdir(f'{BUILD}/bin') if n.startswith('axt-')}
    pages = {n[:-2] for d in (f'{TOP}/man', f'{BUILD}/man') for n in os.listdir(d) if n.endswith('.1')}
    lacking = sorted(have - pages)
    tap.ok(not lacking, 'every command has a manual page', lacking)
    bats = ''.join(open(f'{TOP}/tests/cmd/{n}', encoding='utf-8').read() for n in os.listdir(f'{TOP}/tests/cmd')
                   if n.endswith('.bats'))
    lacking = [n for n in sorted(have) if n not in bats]
    tap.ok(not lacking, 'every command is named in a test of commands', lacking)


for part in (linked, faces, installed, commands):
    if part in (linked, installed) and (SANITIZER or SLOW):
        continue
    try:
        part()
    except Exception as x:
        tap.ok(False, part.__name__, f'{type(x).__name__}: {x}')
tap.done()
