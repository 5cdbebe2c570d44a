/*
 * view_screen.c - the terminal of axt-view, by ncurses, which no other command loads. The terminal
 * is given back as it was however the program ends.
 */
#define _GNU_SOURCE 1
#include "view.h" /* before curses.h, since both have a macro ERR */

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <dlfcn.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define LIBRARY "libncursesw.so.6"
/* The functions of the library that are used. */
#define POINTER(name) __typeof__(name) *name
static struct {
	POINTER(newterm);
	POINTER(endwin);
	POINTER(cbreak);
	POINTER(noecho);
	POINTER(nonl);
	POINTER(keypad);
	POINTER(wget_wch);
	POINTER(werase);
	POINTER(wrefresh);
	POINTER(wmove);
	POINTER(wadd_wch);
	POINTER(setcchar);
	POINTER(start_color);
	POINTER(use_default_colors);
	POINTER(alloc_pair);
	POINTER(curs_set);
	POINTER(set_escdelay);
	POINTER(getmaxx);
	POINTER(getmaxy);
	POINTER(tigetstr);
	POINTER(tigetnum);
} nc;
static WINDOW **screen;
static bool colors, unicode;
static bool direct; /* a colour is 0xRRGGBB, and not one of 256 */

/* ---- giving it back ---- */

static struct termios was;
static volatile sig_atomic_t taken;
static char restore[256]; /* what ends the alternate screen and all looks */
static size_t restore_len;

/* Async-signal-safe: ncurses itself is not. */
static void
give_back(void)
{
	if (!taken)
		return;
	taken = 0;
	if (write(STDOUT_FILENO, restore, restore_len) < 0)
		errno = 0; /* there is nobody to tell it */
	tcsetattr(STDIN_FILENO, TCSANOW, &was);
}

static void
on_signal(int sig)
{
	give_back();
	axt_cleanup();
	raise(sig); /* whose default action SA_RESETHAND has restored */
}

/* Signals that are ignored stay ignored. A sanitizer wants to tell of faults itself. */
static void
catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU,
#ifndef AXT_SAN
		SIGSEGV, SIGILL, SIGFPE,
#endif
		SIGABRT };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }, old;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &sa, NULL);
}

/* Adds a capability of the terminal, without its delays. */
static void
keep(const char *name)
{
	const char *s = nc.tigetstr(name);

	if (!s || s == (const char *)-1)
		return;
	while (*s && restore_len + 1 < sizeof(restore))
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			restore[restore_len++] = *s++;
}

void
view_end(void)
{
	if (taken)
		nc.endwin();
	give_back();
}

/* ---- taking it ---- */

#define FUNCTION(name)          \
	{                       \
#name, &nc.name \
	}
static const struct {
	const char *name;
	void *to;
} functions[] = {
	FUNCTION(newterm),
	FUNCTION(endwin),
	FUNCTION(cbreak),
	FUNCTION(noecho),
	FUNCTION(nonl),
	FUNCTION(keypad),
	FUNCTION(wget_wch),
	FUNCTION(werase),
	FUNCTION(wrefresh),
	FUNCTION(wmove),
	FUNCTION(wadd_wch),
	FUNCTION(setcchar),
	FUNCTION(start_color),
	FUNCTION(use_default_colors),
	FUNCTION(alloc_pair),
	FUNCTION(curs_set),
	FUNCTION(set_escdelay),
	FUNCTION(getmaxx),
	FUNCTION(getmaxy),
	FUNCTION(tigetstr),
	FUNCTION(tigetnum),
};

static const char *
load(void)
{
	void *so = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), *p = NULL;

	for (size_t i = 0; so && i < sizeof(functions) / sizeof(functions[0]); i++) {
		p = dlsym(so, functions[i].name);
		if (!p)
			so = NULL;
		memcpy(functions[i].to, &p, sizeof(p));
	}
	screen = so ? dlsym(so, "stdscr") : NULL;
	return screen ? NULL : LIBRARY " cannot be loaded (Debian's package libncursesw6)";
}

const char *
view_begin(void)
{
	static const char *const end[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };
	const char *no = getenv("NO_COLOR"), *why = load();
	FILE *out;
	int n;

	if (why)
		return why;
	setlocale(LC_CTYPE, "");
	unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (tcgetattr(STDIN_FILENO, &was) != 0)
		return "standard input is no terminal";
	axt_cannot_begin_again();
	/* stdout of commands has no descriptor (cmd/again.c) */
	if (!(out = fdopen(STDOUT_FILENO, "w")) || !nc.newterm(NULL, out, stdin))
		return "ncurses does not know this kind of terminal (TERM)";
	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++)
		keep(end[i]);
	taken = 1;
	catch_signals();
	atexit(view_end);
	nc.cbreak();
	nc.noecho();
	nc.nonl();
	nc.keypad(*screen, TRUE);
	nc.set_escdelay(50);
	nc.curs_set(0);
	n = nc.tigetnum("colors");
	direct = n == 1 << 24;
	colors = (n == 256 || direct) && !(no && *no != '\0') && nc.start_color() == OK &&
	    nc.use_default_colors() == OK;
	return NULL;
}

int
view_lines(void)
{
	return nc.getmaxy(*screen);
}

int
view_columns(void)
{
	return nc.getmaxx(*screen);
}

bool
view_has_colors(void)
{
	return colors;
}

bool
view_has_unicode(void)
{
	return unicode;
}

/* ---- keys ---- */

int
view_key(void)
{
	static const struct {
		int curses, key;
	} known[] = { { KEY_RESIZE, VIEW_RESIZED }, { KEY_UP, VIEW_UP }, { KEY_DOWN, VIEW_DOWN },
		{ KEY_LEFT, VIEW_LEFT }, { KEY_RIGHT, VIEW_RIGHT }, { KEY_PPAGE, VIEW_PAGE_UP },
		{ KEY_NPAGE, VIEW_PAGE_DOWN }, { KEY_HOME, VIEW_FIRST }, { KEY_END, VIEW_LAST },
		{ KEY_ENTER, VIEW_ENTER }, { KEY_BACKSPACE, VIEW_BACK } };
	wint_t c;
	int r;

	do {
		errno = 0;
		r = nc.wget_wch(*screen, &c);
	} while (r == ERR && errno == EINTR);
	if (r == ERR)
		return VIEW_GONE;
	if (r != KEY_CODE_YES)
		return c == '\r' || c == '\n'  ? VIEW_ENTER
		    : c == 8 || c == 127       ? VIEW_BACK
		    : c == 27                  ? VIEW_ESCAPE
		    : c < (wint_t)VIEW_RESIZED ? (int)c
					       : VIEW_OTHER;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].curses == (int)c)
			return known[i].key;
	return VIEW_OTHER;
}

bool
view_waits(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN) != 0;
}

/* ---- what is shown ---- */

void
view_clear(void)
{
	nc.werase(*screen);
}

void
view_show(void)
{
	nc.wrefresh(*screen);
}

static void
put(int y, int x, uint32_t c, attr_t attr, int pair)
{
	wchar_t w[2] = { (wchar_t)c, L'\0' };
	cchar_t cell;

	if (y < 0 || x < 0 || y >= view_lines() || x >= view_columns())
		return;
	nc.setcchar(&cell, w, attr, (short)(pair < 0x8000 ? pair : 0), &pair);
	nc.wmove(*screen, y, x);
	nc.wadd_wch(*screen, &cell);
}

/* One of the 256 colours as the terminal counts them. */
static int
color(int i)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int grey = 8 + 10 * (i - 232);

	if (!direct || i < 16)
		return i;
	if (i >= 232)
		return grey << 16 | grey << 8 | grey;
	i -= 16;
	return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
}

int
view_cell(int y, int x, uint32_t c, int ink, int paper)
{
	int pair = 0, width = c < 0x80 || !unicode ? 1 : wcwidth((wchar_t)c);

	if (colors && (ink != VIEW_NONE || paper != VIEW_NONE))
		pair = nc.alloc_pair(color(ink), color(paper));
	if (width > 0 && x + width <= view_columns())
		put(y, x, c, WA_NORMAL, pair > 0 ? pair : 0);
	return width > 0 ? width : 0;
}

/* The character that begins at s, and its bytes; '?' for what is none, or cannot be shown. */
static int
decode(const char *s, uint32_t *c, int *width)
{
	static const unsigned char lead[] = { 0, 0, 0x1f, 0x0f, 0x07 };
	unsigned char b = (unsigned char)*s;
	int n = b < 0x80 ? 1 : b < 0xc2 ? 0 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : b < 0xf5 ? 4 : 0;

	*width = 1;
	*c = n == 1 ? b : n ? b & lead[n] : '?';
	for (int i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80) {
			*c = '?';
			return 1;
		}
		*c = *c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	if (n > 1 && !unicode)
		*c = '?';
	else if (n > 1)
		*width = wcwidth((wchar_t)*c);
	if (*width < 1 || *c < ' ' || *c == 127) {
		*c = '?';
		*width = 1;
	}
	return n ? n : 1;
}

static attr_t
attr_of(int look)
{
	return look == VIEW_BOLD ? WA_BOLD : look == VIEW_REVERSE ? WA_REVERSE : WA_NORMAL;
}

int
view_text(int y, int x, int end, const char *s, int look)
{
	while (*s && x < end) {
		uint32_t c;
		int width, n = decode(s, &c, &width);

		if (x + width > end)
			break;
		put(y, x, c, attr_of(look), 0);
		x += width;
		s += n;
	}
	return x;
}

int
view_width(const char *s)
{
	int columns = 0, width;
	uint32_t c;

	for (; *s; columns += width)
		s += decode(s, &c, &width);
	return columns;
}

void
view_fill(int y, int x, int look)
{
	for (; x < view_columns(); x++)
		put(y, x, ' ', attr_of(look), 0);
}
