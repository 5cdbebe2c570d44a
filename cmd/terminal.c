/*
 * terminal.c - what the terminal that standard output goes to can draw, and how large it is.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define WAIT_MS 150

static bool
has(const char *name, const char *part)
{
	const char *v = getenv(name);

	return v && strstr(v, part);
}

/* Whether its characters are those of Unicode, by the locale. */
static bool
is_utf8(void)
{
	static const char *const name[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (int i = 0; i < 3; i++) {
		const char *v = getenv(name[i]);

		if (v && *v != '\0')
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "utf-8");
	}
	return false;
}

/* Reads what a terminal answers, until the answer to the last question, or no more comes. */
static void
answer(int fd, char *buf, size_t size)
{
	struct timespec t;
	int64_t end, now;
	size_t n = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
	end = now + WAIT_MS;
	while (n + 1 < size && now < end) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		const char *last;
		ssize_t k;

		if (poll(&p, 1, (int)(end - now)) <= 0 ||
		    (k = read(fd, buf + n, size - 1 - n)) <= 0)
			break;
		n += (size_t)k;
		buf[n] = '\0';
		last = strstr(buf, "\033[?");
		if (last && strchr(last, 'c'))
			break;
		clock_gettime(CLOCK_MONOTONIC, &t);
		now = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
	}
	buf[n] = '\0';
}

/*
 * Asks the terminal to take a picture of one pixel in the protocol of kitty, and then for its
 * attributes, which every terminal answers with numbers: 4 among these means that it draws sixel.
 */
static void
ask(struct cmd_terminal *out)
{
	static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios was, raw;
	char buf[512] = "", *p;

	/* a process in the background would be stopped by a question */
	if (fd < 0)
		return;
	if (tcgetpgrp(fd) == getpgrp() && tcgetattr(fd, &was) == 0) {
		raw = was;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 1;
		raw.c_cc[VTIME] = 0;
		tcsetattr(fd, TCSADRAIN, &raw);
		if (write(fd, question, sizeof(question) - 1) == (ssize_t)sizeof(question) - 1)
			answer(fd, buf, sizeof(buf));
		tcsetattr(fd, TCSADRAIN, &was);
	}
	close(fd);
	out->kitty = strstr(buf, "_Gi=31;OK") != NULL;
	p = strstr(buf, "\033[?");
	if (p && strchr(p, 'c'))
		*strchr(p, 'c') = '\0';
	for (p = p ? strchr(p, ';') : NULL; p; p = strchr(p + 1, ';'))
		out->sixel = out->sixel || strtol(p + 1, NULL, 10) == 4;
}

void
cmd_terminal(struct cmd_terminal *out, bool pictures)
{
	struct winsize w = { .ws_col = 0 };
	bool dumb = has("TERM", "dumb") || !getenv("TERM");

	*out = (struct cmd_terminal){ .columns = 80, .lines = 24 };
	out->is = isatty(STDOUT_FILENO);
	out->colors = !(getenv("NO_COLOR") && *getenv("NO_COLOR") != '\0');
	out->all_colors = has("COLORTERM", "truecolor") || has("COLORTERM", "24bit");
	out->utf8 = is_utf8();
	out->blocks = out->is && !dumb && out->utf8;
	if (!out->is)
		return;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0) {
		out->columns = w.ws_col;
		out->lines = w.ws_row;
		out->width = w.ws_xpixel;
		out->height = w.ws_ypixel;
	}
	if (pictures && !dumb)
		ask(out);
}
