/*
 * again.c - begins a command again, as if it had been typed a moment later, after another process
 * has changed one of its inputs. That is done only as long as nobody can have seen anything of the
 * first attempt (axt_graph_disturbed). Text for standard output waits in a buffer, and is dropped
 * then; warnings have been seen, and are not printed twice.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define HELD (64 << 10)   /* bytes of text that are held back */
#define TURNS 12          /* how many times a command begins again */
#define FIRST_PAUSE 2     /* milliseconds before the first time; each pause is twice the last, */
#define LONGEST_PAUSE 250 /* up to this */
#define LONG_RUN 5        /* seconds: what took longer is not done once more unasked */
/* in the environment: how many times it has begun again, and hashes of what it has warned of */
#define TURN "AXT_TURN"
#define WARNINGS 24 /* that are remembered */

static int64_t turn;
static struct timespec begun;
static bool closed;          /* standard output, by cmd_close_stdout */
static bool printed;         /* whether any text went to standard output */
static char **first_environ; /* as the command found it: it changes some variables for libraries */
static uint64_t said[WARNINGS];
static int nsaid, nold; /* the first nold lines were said before it began again */

static ssize_t
put(void *ctx, const char *p, size_t n)
{
	size_t at = 0;

	(void)ctx;
	if (closed)
		return 0;
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

/* Takes what the command that began again has left in the environment. */
static void
remember(const char *e)
{
	char *end;

	turn = strtoll(e, &end, 10);
	if (turn < 0 || turn > TURNS)
		turn = TURNS;
	while (*end == ' ' && nsaid < WARNINGS)
		said[nsaid++] = strtoull(end + 1, &end, 16);
	nold = nsaid;
	unsetenv(TURN);
}

bool
cmd_said_before(const char *line, size_t n)
{
	uint64_t hash = 14695981039346656037U; /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)line[i]) * 1099511628211U;
	for (int i = 0; i < nold; i++)
		if (said[i] == hash)
			return true;
	if (nsaid < WARNINGS)
		said[nsaid++] = hash;
	return false;
}

/* A copy of the environment with place for one more variable. */
static char **
copy_environ(void)
{
	size_t n = 0;
	char **copy;

	while (environ[n])
		n++;
	copy = malloc((n + 2) * sizeof(*copy));
	if (!copy)
		cmd_oom();
	memcpy(copy, environ, (n + 1) * sizeof(*copy));
	return copy;
}

void
cmd_watch(void)
{
	static char held[HELD];
	const char *e = getenv(TURN);
	FILE *f;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	if (e)
		remember(e);
	first_environ = copy_environ();
	f = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = put });
	if (!f)
		cmd_oom();
	setvbuf(f, held, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, HELD);
	stdout = f;
}

int
cmd_close_stdout(void)
{
	int rc = fflush(stdout);

	if (closed)
		return 0;
	closed = true;
	return close(STDOUT_FILENO) && printed ? -1 : rc;
}

static bool
was_long(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) * 1e-9 >
	    LONG_RUN;
}

void
cmd_begin_again(void)
{
	int64_t pause = turn < 8 ? (int64_t)FIRST_PAUSE << turn : LONGEST_PAUSE;
	struct axt_launch by;
	static char text[sizeof(TURN) + 24 + WARNINGS * 17];
	char path[PATH_MAX];
	/* by its own name, which lists of processes show */
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int at = snprintf(text, sizeof(text), "%s=%d", TURN, (int)turn + 1);
	char **e = first_environ;

	if (n <= 0 || turn >= TURNS || was_long() || axt_launched(&by))
		return;
	for (int i = 0; i < nsaid; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, " %llx",
		    (unsigned long long)said[i]);
	while (*e)
		e++;
	e[0] = text;
	e[1] = NULL;
	axt_cleanup();
	usleep((useconds_t)(pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE) * 1000);
	path[n] = '\0';
	execve(path, cmd_st.argv, first_environ);
}
