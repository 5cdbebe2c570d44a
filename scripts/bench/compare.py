#!/usr/bin/python3
"""Two builds side by side: compare.py OLD NEW [--ops PATTERNS] [--seed N --cases A:B] [--pairs N] [--json FILE].

Rows are those of `make bench` that PATTERNS name, or cases of `make bench-search`. Each pair runs both builds, the old one first in every other
pair, so that what the machine does meanwhile meets both. The ratios are new to old, of seconds and of seconds of processors (which are
steadier): the median of those of the pairs, and between which two the middle half of them lies. Below 1 the new build is faster.
"""
import argparse
import json
import os
import statistics as st
import sys

import common
import search


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('old')
    p.add_argument('new')
    p.add_argument('--ops', default='', help='patterns of rows of run.py')
    p.add_argument('--size', default='small', choices=['small', 'big'], help='of their inputs: 256 MiB (default) or 1 GiB')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--cases', default='0:20', help='drawn cases, as 3, 0:20 or 1,5,9 (default 0:20)')
    p.add_argument('--most', type=float, default=search.SIZES[1] / 1e6, help='MB of inputs of drawn cases')
    p.add_argument('--pairs', type=int, default=9)
    p.add_argument('--json')
    return p.parse_args()


def numbers(text):
    for word in text.split(','):
        low, colon, high = word.partition(':')
        yield from range(int(low), int(high) if colon else int(low) + 1)


class Compare:
    def __init__(self, a):
        self.a, self.rows = a, []
        self.bins = [os.path.join(os.path.abspath(b), 'bin') for b in (a.old, a.new)]
        for b in self.bins:
            if not os.path.exists(f'{b}/axt'):
                sys.exit(f'compare: no commands in {b}')
        self.d = common.scratch('axt-compare.')
        self.envs = [common.environment([b], search.THREADS) for b in self.bins]

    def pairs(self, what, line, before):
        """Runs a line in pairs, after one run of each that does not count; BEFORE is called before every run."""
        runs = [[], []]
        for k in range(self.a.pairs + 1):
            for i in (0, 1) if k % 2 else (1, 0):
                before()
                used = common.timed(line, self.envs[i])
                if k:
                    runs[i].append(used)
        row = {'what': what, 'command': line.replace(f'{self.d}/', '')}
        for j, name in enumerate(('seconds', 'processors')):
            ratios = [new[j] / max(old[j], 1e-6) for old, new in zip(*runs)]
            low, _, high = st.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
            row[name] = {'ratio': st.median(ratios), 'from': low, 'to': high, 'old': st.median(x[j] for x in runs[0]),
                         'new': st.median(x[j] for x in runs[1])}
        self.rows.append(row)
        t, c = row['seconds'], row['processors']
        print(f"{t['ratio']:5.2f} ({t['from']:.2f}..{t['to']:.2f}) of {t['old'] * 1e3:8.1f} ms   processors {c['ratio']:5.2f} "
              f"({c['from']:.2f}..{c['to']:.2f}) of {c['old'] * 1e3:8.1f} ms   {what}: {row['command']}", flush=True)

    def clear(self):
        for n in os.listdir(self.d):
            if n.startswith('o.'):
                os.unlink(f'{self.d}/{n}')

    def drawn(self):
        for k in numbers(self.a.cases):
            most = self.a.most * 1e6
            c = search.drawn(self.a.seed, k, (min(search.SIZES[0], most), most))
            c.write(self.d, self.bins[1])
            self.attempt(f'case {k} [{c.describe()}]', c.line(self.d), self.clear)
            for n in os.listdir(self.d):
                os.unlink(f'{self.d}/{n}')

    def given(self):
        import run      # needs what the bench needs
        sys.argv[1:] = ['--ops', self.a.ops, '--size', self.a.size, '--tools', 'axt', '--build', self.a.new]
        a = run.arguments()
        if not a.ops:
            sys.exit(f'compare: no row of the bench is {self.a.ops}')
        b = run.Bench(a)
        try:
            b.prepare(a.ops)
            for op in a.ops:
                b.refresh(run.ROWS[op].inputs)
                line = b.command('axt', op)
                self.attempt(op, line[2] if line[0] == 'bash' else ' '.join(line), lambda: [os.unlink(f'{b.out}/{n}') for n in os.listdir(b.out)])
        finally:
            b.close()

    def attempt(self, what, line, before):
        try:
            self.pairs(what, line, before)
        except RuntimeError as x:
            print(f'{what}: {x}', flush=True)


def main():
    a = arguments()
    c = Compare(a)
    print('new to old: the median of pairs (the middle half of them) of the old one\'s time')
    if a.ops:
        c.given()
    else:
        c.drawn()
    for name in ('seconds', 'processors'):
        if c.rows:
            print(f'{name}: all rows together {st.geometric_mean(r[name]["ratio"] for r in c.rows):.3f} (geometric mean of {len(c.rows)})')
    if a.json:
        with open(a.json, 'w', encoding='utf-8') as f:
            json.dump(c.rows, f, indent=1)
            f.write('\n')


if __name__ == '__main__':
    main()
