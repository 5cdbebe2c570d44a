/*
 * again.c - a command whose input was changed by another process begins again, as if it had been
 * typed a moment later. It does so as long as nobody can have seen anything of it: see
 * axt_graph_disturbed. What is printed waits in a buffer, and is lost with it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define HELD (64 << 10)   /* bytes of text that are held back */
#define TURNS 12          /* how many times a command begins again */
#define FIRST_PAUSE 2     /* milliseconds before the first time; each pause is twice the last, */
#define LONGEST_PAUSE 250 /* up to this */
#define LONG_RUN 5        /* seconds: what took longer is not done once more unasked */
#define TURN "AXT_TURN"   /* in the environment: how many times it has begun again */

static int64_t turn;
static struct timespec begun;
static bool printed; /* whether any text went to standard output */

static ssize_t
put(void *ctx, const char *p, size_t n)
{
	size_t at = 0;

	(void)ctx;
	axt_cannot_begin_again();
	printed = true;
	while (at < n) {
		ssize_t w = write(STDOUT_FILENO, p + at, n - at);

		if (w < 0 && errno != EINTR)
			return 0; /* an error, as fopencookie(3) has it */
		at += w > 0 ? (size_t)w : 0;
	}
	return (ssize_t)n;
}

static int
shut(void *ctx)
{
	(void)ctx;
	return close(STDOUT_FILENO) && printed ? -1 : 0;
}

void
cmd_watch(void)
{
	const char *e = getenv(TURN);
	FILE *f;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	if (e) {
		if (!axt_parse_int(e, 0, TURNS, &turn))
			turn = TURNS;
		unsetenv(TURN);
	}
	f = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = put, .close = shut });
	if (!f)
		cmd_oom();
	setvbuf(f, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, HELD);
	stdout = f;
}

static bool
was_long(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - begun.tv_sec > LONG_RUN;
}

void
cmd_begin_again(void)
{
	int64_t pause = turn < 8 ? (int64_t)FIRST_PAUSE << turn : LONGEST_PAUSE;
	struct axt_launch by;
	char text[24], path[PATH_MAX];
	/* by its own name, which lists of processes show */
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0 || turn >= TURNS || was_long() || axt_launched(&by))
		return;
	snprintf(text, sizeof(text), "%d", (int)turn + 1);
	if (setenv(TURN, text, 1) != 0)
		return;
	axt_cleanup();
	usleep((useconds_t)(pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE) * 1000);
	path[n] = '\0';
	execv(path, cmd_st.argv);
	unsetenv(TURN);
}
