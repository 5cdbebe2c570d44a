/* progress.c - the progress bar on standard error, for runs that take long. */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define FIRST_MS 1000 /* milliseconds; shorter runs show no bar, unless the user asked for one */
#define STEP_MS 100
#define WIDTH 40

static int64_t begun, drawn;
static int part, parts = 1;

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
draw(void *ctx, double done)
{
	int64_t now = now_ms();
	int full;

	(void)ctx;
	done = (part + done) / parts;
	full = (int)(done * WIDTH);
	if (now - drawn < STEP_MS ||
	    (now - begun < FIRST_MS && cmd_st.o.progress != CMD_PROGRESS_ALWAYS))
		return;
	drawn = now;
	fprintf(stderr, "\r%s [%.*s%*s] %3d%%", cmd_st.c->name, full,
	    "========================================", WIDTH - full, "", (int)(done * 100));
	fflush(stderr);
}

/* Whether to show a bar. In a pipeline only the last command shows one. */
static bool
wanted(void)
{
	struct stat st;

	if (cmd_st.o.progress != CMD_PROGRESS_AUTO)
		return cmd_st.o.progress == CMD_PROGRESS_ALWAYS;
	return !cmd_st.o.quiet && isatty(STDERR_FILENO) &&
	    !(fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode));
}

void
cmd_progress_begin(struct axt_graph *g)
{
	begun = now_ms();
	if (wanted())
		axt_graph_on_progress(g, draw, NULL);
}

void
cmd_progress_beside_text(struct axt_graph *g)
{
	if (!isatty(STDOUT_FILENO))
		cmd_progress_begin(g);
}

void
cmd_progress_part(int i, int n)
{
	part = i;
	parts = n;
}

void
cmd_progress_end(void)
{
	cmd_progress_part(0, 1);
	if (drawn)
		fputs("\r\033[K", stderr);
	drawn = 0;
}
