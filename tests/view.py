#!/usr/bin/python3
"""axt-view in a pseudo-terminal, whose screen is kept here as a terminal would: view.py [DIR of hostile files]."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata

import h5py
import numpy as np

from axtlib import BIN, SANITIZER, SLOW, Tap, scratch, shell

D = scratch()
PATIENCE = 60 if SANITIZER or SLOW else 20


class Screen:
    """What a terminal of the kind xterm shows: its characters, and whether they are on the alternate screen."""

    def __init__(self, width, height):
        self.alternate = self.cursor_hidden = self.colors = False
        self.left, self.y, self.x = b'', 0, 0
        self.resize(width, height)

    def resize(self, width, height):
        self.w, self.h = width, height
        self.cells = [[' '] * width for _ in range(height)]
        self.top, self.bottom = 0, height - 1
        self.y, self.x = min(self.y, height - 1), min(self.x, width - 1)

    def text(self):
        return '\n'.join(''.join(row).rstrip() for row in self.cells)

    def feed(self, data):
        data, self.left = self.left + data, b''
        while data:
            m = re.match(rb'\033\[([?>]?)([0-9;]*)([@-~])|\033([()].|[=>78cM])|([\000-\032\034-\037])|([ -~])|([\300-\337][\200-\277]|[\340-\357][\200-\277]{2}|[\360-\377][\200-\277]{3})', data)
            if not m:
                if len(data) < 64:
                    self.left = data
                    return
                raise ValueError(f'unknown sequence {data[:40]}')
            data = data[m.end():]
            if m.group(3):
                self.control(m.group(1), [int(x or 0) for x in m.group(2).split(b';')], m.group(3))
            elif m.group(5):
                self.move(m.group(5))
            elif not m.group(4):
                self.put(m.group(0).decode(errors='replace'))

    def put(self, c):
        if self.x >= self.w:
            self.x, self.y = 0, min(self.y + 1, self.h - 1)
        self.cells[self.y][self.x] = self.last = c
        self.x += 1
        if unicodedata.east_asian_width(c) in 'WF' and self.x < self.w:
            self.cells[self.y][self.x] = ''
            self.x += 1

    def move(self, c):
        if c == b'\n' and self.y == self.bottom:
            self.scroll(1)
        elif c == b'\n':
            self.y = min(self.y + 1, self.h - 1)
        self.x = 0 if c == b'\r' else max(0, self.x - 1) if c == b'\b' else self.x
        self.x = min(self.x // 8 * 8 + 8, self.w - 1) if c == b'\t' else self.x

    def scroll(self, n):
        for _ in range(abs(n)):
            self.cells.insert(self.bottom + 1 if n > 0 else self.top, [' '] * self.w)
            del self.cells[self.top if n > 0 else self.bottom + 1]

    def control(self, kind, v, what):
        n, row = max(v[0], 1), self.cells[self.y]
        if kind == b'?' and 1049 in v:
            self.alternate = what == b'h'
        elif kind == b'?' and v == [25]:
            self.cursor_hidden = what == b'l'
        elif kind or what in b'tlh':
            pass
        elif what == b'm':
            self.colors = self.colors or v[0] in (38, 48)
        elif what == b'H':
            self.y, self.x = min(n, self.h) - 1, min(max((v + [1])[1], 1), self.w) - 1
        elif what in b'AB':
            self.y = max(0, min(self.h - 1, self.y + (n if what == b'B' else -n)))
        elif what in b'CD':
            self.x = max(0, min(self.w - 1, self.x + (n if what == b'C' else -n)))
        elif what == b'd':
            self.y = min(n, self.h) - 1
        elif what == b'G':
            self.x = min(n, self.w) - 1
        elif what == b'J':
            if v[0] == 2:
                self.cells = [[' '] * self.w for _ in range(self.h)]
            else:
                row[self.x:] = [' '] * (self.w - self.x)
                self.cells[self.y + 1:] = [[' '] * self.w for _ in range(self.h - self.y - 1)]
        elif what == b'K':
            a, b = (self.x, self.w) if v[0] == 0 else (0, self.x + 1) if v[0] == 1 else (0, self.w)
            row[a:b] = [' '] * (b - a)
        elif what == b'X':
            row[self.x:self.x + n] = [' '] * min(n, self.w - self.x)
        elif what == b'b':
            for _ in range(n):
                self.put(self.last)
        elif what == b'P':
            self.cells[self.y] = row[:self.x] + row[self.x + n:] + [' '] * min(n, self.w - self.x)
        elif what == b'@':
            self.cells[self.y] = (row[:self.x] + [' '] * n + row[self.x:])[:self.w]
        elif what == b'r':
            self.top, self.bottom = max(v[0], 1) - 1, ((v + [0])[1] or self.h) - 1
            self.y = self.x = 0
        elif what in b'LM':
            was, self.top = self.top, self.y
            self.scroll(-n if what == b'L' else n)
            self.top = was
        elif what in b'ST':
            self.scroll(n if what == b'S' else -n)
        else:
            raise ValueError(f'unknown sequence {v} {what}')


class View:
    """A run of axt-view."""

    def __init__(self, *words, width=80, height=24, env=None):
        e = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'COLORTERM')}
        e.update({'TERM': 'xterm-256color', 'LC_ALL': 'C.UTF-8'}, **(env or {}))
        self.screen = Screen(width, height)
        self.master, slave = pty.openpty()
        self.size(width, height)
        self.before = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(slave, fd)
            os.execve(f'{BIN}/axt-view', ['axt-view', *words], e)
        self.slave, self.status, self.out = slave, None, b''

    def size(self, width, height):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('4H', height, width, 0, 0))

    def read(self, seconds):
        """Feeds the screen with what comes within that time; whether anything came."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.out += data
        self.screen.feed(data)
        return True

    def until(self, what, seconds=PATIENCE):
        """Waits until the text (or what a pattern means) is on the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if re.search(what, self.screen.text()):
                while self.read(0.03):
                    pass
                return True
            self.read(0.05)
            if self.ended():
                self.read(0.05)
                return bool(re.search(what, self.screen.text()))
        return False

    def keys(self, text, what=None):
        os.write(self.master, text.encode())
        return what is None or self.until(what)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None

    def end(self, text=None, sig=None):
        """Ends it by keys, or by a signal. Returns its status."""
        if text:
            os.write(self.master, text.encode())
        if sig:
            os.kill(self.pid, sig)
        end = time.monotonic() + PATIENCE
        while not self.ended() and time.monotonic() < end:
            self.read(0.02)
        while self.read(0.02):
            pass
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = 'hung'
        self.after = termios.tcgetattr(self.slave)
        os.close(self.master)
        os.close(self.slave)
        return self.status

    def restored(self):
        """What is not as it was; ''."""
        bad = [] if self.after == self.before else ['termios']
        bad += ['alternate screen'] if self.screen.alternate else []
        bad += ['cursor'] if self.screen.cursor_hidden else []
        return ', '.join(bad)


def make():
    """A file of groups, times, a scalar, complex numbers, missing values, and hostile names."""
    path = f'{D}/a.h5'
    with h5py.File(path, 'w', track_order=True) as f:
        coords = {'time': np.arange(12.0) * 30, 'lev': np.array([1000.0, 500, 100]), 'lat': np.linspace(-80, 80, 9), 'lon': np.arange(16) * 22.5}
        units = {'time': 'days since 2010-01-01', 'lev': 'hPa', 'lat': 'degrees_north', 'lon': 'degrees_east'}
        for k, v in coords.items():
            f[k] = v
            f[k].make_scale(k)
            f[k].attrs['units'] = units[k]
        v = np.arange(12 * 3 * 9 * 16, dtype='f4').reshape(12, 3, 9, 16)
        v[1, 0, 0, :2] = np.nan

        def put(name, data, *axes, **attrs):
            d = f.create_dataset(name, data=data)
            for i, a in enumerate(axes):
                d.dims[i].attach_scale(f[a])
            for k, x in attrs.items():
                d.attrs[k] = x
        put('tas', v, 'time', 'lev', 'lat', 'lon', units='K', long_name='Air temperature')
        put('series', np.sin(np.arange(12.0)), 'time', units='m')
        put('g/h/deep', np.ones((3, 9)), 'lev', 'lat')
        put('g/wave', np.arange(3) + 1j)
        put('number', 4.25)
        put('g/\x1b]0;x\x07\u4e2d', np.arange(4))
        put('g/sea', np.arange(6).reshape(2, 3), long_name='\u6d77\u9762\u6e29\u5ea6 \u0301of\x1b[31m')
        put('zeros', np.zeros((0, 5)))
        put('flat', np.zeros((1, 1, 1)))
    return path


def tree(t, path):
    v = View(path)
    t.ok(v.until('flat f64') and v.screen.alternate and v.screen.cursor_hidden, 'the tree', v.screen.text())
    s = v.screen.text()
    t.ok('tas f32 time=12 lev=3 lat=9 lon=16  K, Air temperature' in s and re.search('^g/$', s, re.M) and re.search('^  h/$', s, re.M)
         and re.search('^    deep f64 lev=3 lat=9$', s, re.M), 'names, dtypes, axes, units, groups', s)
    t.ok('\\x1b]0;x\\x07' in s, 'control characters in names are shown escaped', s)
    t.ok(v.keys('/wave\r') and v.keys('l', 'value') and v.until('2\\+1j') and '\\+' not in s, 'a search, and complex values as a table', v.screen.text())
    t.ok(v.keys('s', 'complex|c128') and v.keys('r', 'c128|complex') and v.keys('v') and not v.ended(), 'what complex numbers have not: a message', v.screen.text())
    v.keys('q', 'flat f64')
    t.ok(v.keys('/nothing\r', 'no name has "nothing" in it'), 'a search for what is not there', v.screen.text())
    v.keys('/number\r')
    t.ok(v.keys('\r', '4.25'), 'a single number', v.screen.text())
    v.keys('q', 'flat f64')
    v.keys('/deep\r')
    v.keys('k')
    t.ok(v.keys('\r', r'h/ \.\.\.') and 'deep' not in v.screen.text(), 'a group is folded', v.screen.text())
    t.ok(v.keys('/deep\r', 'deep f64'), 'a search opens it', v.screen.text())
    t.ok(v.keys('a', 'lon f64 lon=16') and v.keys('/lon\r') and v.keys('\r', 'elements|300') and v.keys('q', 'lon f64 lon=16'), 'a: coordinates',
         v.screen.text())
    v.keys('ag')
    t.ok(v.keys('?', 'step along') and v.keys('q', 'flat f64'), 'help', v.screen.text())
    for name, want in (('zeros', 'zeros'), ('flat', 'value')):
        v.keys('G')
        v.keys(f'/{name}\r')
        t.ok(v.keys('\r', want) and not v.ended(), f'{name}: something, and it goes on', v.screen.text())
        v.keys('q', 'number f64')
    t.ok(v.end('q') == 0 and not v.restored(), 'q restores the terminal', f'{v.status} {v.restored()}')


def picture(t, path):
    v = View(f'{path}:tas')
    t.ok(v.until('Air temperature') and v.until(r'> time=0 \(2010-01-01\) of 12') and v.screen.colors, 'a picture', v.screen.text())
    t.ok('\u2580' in v.screen.text() and '45°N' in v.screen.text(), 'half blocks, and degrees', v.screen.text())
    t.ok(v.keys(']', r'> time=1 \(2010-01-31\) of 12'), 'a step along time', v.screen.text())
    t.ok(v.keys('s', 'min 434 +max 575 +mean 504.5.* missing 2 of 144'), 'statistics', v.screen.text())
    t.ok(v.keys('\t', r'> lev=0 \(1000\) of 3') and v.keys('>', r'> lev=1 \(500\)'), 'Tab: another axis', v.screen.text())
    t.ok(v.keys('<<', 'this is the first index along lev'), 'the first index', v.screen.text())
    t.ok(v.keys('\t') and v.keys('/2010-06\r', r'> time=6 \(2010-06-30\)') and v.keys('/2010-0\rn', r'> time=8 ') and v.keys('N', '> time=7 '),
         'a date is searched', v.screen.text())
    t.ok(v.keys('G', '> time=11 ') and v.keys('b', '> time=1 ') and v.keys('g', '> time=0 '), 'G b g', v.screen.text())
    t.ok(v.keys('l', '> time=1 ') and v.keys('h', '> time=0 ') and v.keys('k', 'whole axis is shown'), 'l h step where all is shown', v.screen.text())
    t.ok(v.keys('+', r'lat = 2:6, lon = 4:12') and v.keys('k', r'lat = 3:7') and v.keys('l', 'lon = 6:14') and v.keys('0', 'Air temperature\n +time = 2010-01-01, lev = 1000\n'),
         'a part, moved up and right, and all again', v.screen.text())
    t.ok(v.keys('c', 'colours: viridis') and v.keys('r', 'range is that of the whole tensor, 0 to 5183'), 'colours, range', v.screen.text())
    t.ok(v.keys('w', r'axt-plot time=0 lev=0 --cmap viridis --range 0,5183 '), 'the command line', v.screen.text())
    t.ok(v.keys('v', r'lat +0 +22\.5 +45') and re.search(r'^-80 +0 +1 +2 ', v.screen.text(), re.M), 'values with coordinates', v.screen.text())
    t.ok(v.keys('jl', r'lat +22\.5 +45') and re.search(r'^-60 +17 +18 ', v.screen.text(), re.M), 'the table moves', v.screen.text())
    t.ok(v.keys('$', r'lat +337\.5\n') and v.keys('^l', r'lat +22\.5 +45'), 'its last column', v.screen.text())
    t.ok(v.keys(']', '2010-01-31') and re.search(r'^-60 +449 +450 ', v.screen.text(), re.M), 'the table steps along time', v.screen.text())
    v.keys('v', 'Air')
    t.ok(v.keys('x', 'lon=0') and v.keys('w', '--x time --y lat'), 'another axis across', v.screen.text())
    t.ok(v.keys('yy', '[\u2801-\u28ff]') and v.keys('w', r'--x time (?!--y)'), 'no axis up: a line', v.screen.text())
    t.ok(v.end('qq') == 0 and not v.restored(), 'q restores', f'{v.status} {v.restored()}')
    after = re.sub(r'\033\[[0-9;?]*[a-zA-Z]', '', v.out.split(b'\033[?1049l')[-1].decode())
    lines = [x for x in after.replace('\r', '').split('\n') if x.startswith('axt-plot ')]
    t.ok(len(lines) == 3 and all(shell(x).returncode == 0 for x in lines), 'the lines that were written are printed, and run', after)
    v = View(f'{path}:/g/sea')
    t.ok(v.until('\u6d77\u9762\u6e29\u5ea6.*of\\\\x1b\\[31m') and not v.ended(), 'wide characters, and hostile ones', v.screen.text())
    v.end('qq')
    v = View(f'{path}:series')
    t.ok(v.until('[\u2801-\u28ff]') and v.until(r'2010-0'), 'a line of braille, with dates', v.screen.text())
    t.ok(v.keys('v', 'time +value') and re.search(r'2010-01-31 +0\.84', v.screen.text()), 'its values', v.screen.text())
    v.end('qq')


def looks(t, path):
    """No colours, no Unicode, few colours, tiny windows, resizing."""
    v = View(f'{path}:tas', env={'NO_COLOR': '1'})
    t.ok(v.until('[.:=+*#%@]{8}') and not v.screen.colors, 'NO_COLOR: letters', v.screen.text())
    v.end('qq')
    v = View(f'{path}:tas', env={'LC_ALL': 'C'})
    t.ok(v.until('[.:=+*#%@]{8}') and re.fullmatch(r'[ -~\n]*', v.screen.text()), 'no UTF-8: ASCII', v.screen.text())
    v.end('qq')
    v = View(f'{path}:tas', env={'TERM': 'vt100'})
    t.ok(v.until('[.:=+*#%@]{8}') and not v.screen.colors, 'vt100', v.screen.text())
    t.ok(v.end('qq') == 0 and v.after == v.before, 'vt100 is restored')
    v = View(path, width=19, height=10)
    t.ok(v.until('too small'), 'fewer than 20 columns', v.screen.text())
    for w, h, want in ((20, 5, 'series'), (60, 4, 'too small'), (100, 30, 'flat f64'), (1, 1, 't'), (80, 24, 'flat f64')):
        v.screen.resize(w, h)
        v.size(w, h)
        t.ok(v.until(want), f'resized to {w}x{h}', v.screen.text())
    v.keys('g')
    v.keys('/tas\r')
    v.keys('\r', 'Air temperature')
    for w, h in ((40, 12), (20, 5), (150, 50)):
        v.screen.resize(w, h)
        v.size(w, h)
        t.ok(v.until('\u2580' if h > 5 else 'time'), f'a picture resized to {w}x{h}', v.screen.text())
    t.ok(v.end('qq') == 0 and not v.restored(), 'q after resizing', v.restored())


def ends(t, path):
    """Whatever ends it, the terminal is as it was."""
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT) + (() if SANITIZER else (signal.SIGSEGV,)):
        v = View(f'{path}:tas')
        v.until('Air temperature')
        t.ok(v.end(sig=sig) == -sig and not v.restored(), f'{sig.name} restores the terminal', f'{v.status} {v.restored()}')
    v = View(f'{path}:tas')
    v.until('Air temperature')
    t.ok(v.end('\x03') == -signal.SIGINT and not v.restored(), 'Ctrl-C restores the terminal', f'{v.status} {v.restored()}')
    copy = f'{D}/gone.h5'
    with open(path, 'rb') as f:
        data = f.read()
    for what in ('gone', 'cut', 'damaged'):
        with open(copy, 'wb') as f:
            f.write(data)
        v = View(copy)
        v.until('flat f64')
        if what == 'gone':
            os.remove(copy)
        else:
            with open(copy, 'r+b') as f:
                f.truncate(3000 if what == 'cut' else len(data))
                f.write(b'\xff' * 2000 if what == 'damaged' else b'')
        t.ok(v.keys('/tas\r') and v.keys('\r', 'gone.h5: ') and not v.ended(), f'a file that is {what}: a message', v.screen.text())
        t.ok(v.end('q') == 0 and not v.restored(), f'a file that is {what}: it goes on', f'{v.status} {v.restored()}')
    v = View(f'{D}/none.h5')
    t.ok(v.end() == 1 and b'\033' not in v.out and b'none.h5' in v.out, 'no such file: nothing is drawn', v.out)
    v = View(path, env={'TERM': 'dumb'})
    t.ok(v.end() == 2 and b'hint: axt-info' in v.out and b'\033' not in v.out, 'TERM=dumb', v.out)
    v = View(path, env={'TERM': 'no-such-terminal'})
    t.ok(v.end() == 2 and b'TERM' in v.out and not v.restored(), 'an unknown TERM', v.out)


def hostile(t, folder):
    if not os.path.isdir(folder):
        t.skip('hostile files', f'no {folder}')
        return
    for name in sorted(os.listdir(folder)):
        v = View(os.path.join(folder, name))
        v.until('keys', 10)
        for k in 'j\r]vs+r' 'q' 'j\rsvq' 'G\rvq':
            if not v.ended():
                v.keys(k)
                v.read(0.1)
        status = v.end(None if v.ended() else 'qq')
        good = status in (0, 1) and not v.restored() and b'Sanitizer' not in v.out
        t.ok(good, f'hostile/{name}', f'status {status} {v.restored()} {v.out[-600:]}')


def main():
    t = Tap()
    path = make()
    tree(t, path)
    picture(t, path)
    looks(t, path)
    ends(t, path)
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    hostile(t, sys.argv[1] if len(sys.argv) > 1 else os.path.join(top, '../shared/data/hostile'))
    t.done()


if __name__ == '__main__':
    main()
