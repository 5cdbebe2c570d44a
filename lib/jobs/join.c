/*
 * join.c - how processes become one job. The first one opens the inputs and builds the expression.
 * The others wait meanwhile; it then tells them all that they need to take part (tale.h), that each
 * does the command by itself, or that they end.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes/output.h"
#include "jobs/tale.h"

#define PIECE ((size_t)64 << 20) /* bytes that are sent at once */

/* What the others do. n: bytes of the tale; nothing; the status that they end with. */
enum what { TAKE_PART, ALONE, END };
struct order {
	int64_t what, n;
};

/* This process, once MPI has begun. */
static struct {
	struct axt_ranks by; /* by.t NULL: it has not, or has ended */
	bool awaited;        /* it is the first one, and the others wait for its order */
	bool met;            /* it has met the others to save results, or need not */
} here;

/* For tests: says what the processes of a job do. */
__attribute__((format(printf, 1, 2))) static void
tell_user(const char *fmt, ...)
{
	va_list ap;

	if (!getenv("AXT_RANKS_LOG") || here.by.rank > 0)
		return;
	va_start(ap, fmt);
	fputs("axt-ranks: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputs("\n", stderr);
	va_end(ap);
}

/*
 * Begins MPI, unless it has begun. command: what this process is going to do, as a number. Returns
 * the code of the error; *same: all processes are going to do that.
 */
static int
begin(struct axt_err *e, uint64_t command, bool *same)
{
	struct axt_launch by = { 0 };

	*same = false;
	if (here.by.t)
		return e->code;
	here.by.t = axt_launched(&by) ? axt_ranks_load() : NULL;
	if (!here.by.t)
		return axt_fail(e, AXT_E_NOSYS, "no launcher of MPI that axt knows runs this");
	here.by.t->begin(&here.by.rank, &here.by.size, &here.by.here, axt_out_cleanup);
	if (here.by.size != by.processes)
		return axt_fail(e, AXT_E_NOSYS, "%s runs %ld processes, and MPI knows of %d",
		    by.launcher, by.processes, here.by.size);
	*same = axt_ranks_same(&here.by, command);
	return 0;
}

static void
broadcast(void *p, size_t n)
{
	for (size_t at = 0; at < n; at += PIECE)
		here.by.t->broadcast((char *)p + at, (int)MIN(n - at, PIECE));
}

static void
order(enum what what, int64_t n)
{
	struct order o = { what, n };

	here.awaited = false;
	broadcast(&o, sizeof(o));
}

static void
broadcast_blocks(const struct axt_tale *t)
{
	for (int i = 0; i < t->nblocks; i++)
		broadcast(t->block[i].p, t->block[i].n);
}

/* Has the others take part in the job, or do the command by themselves, which it then returns. */
static bool
lead(struct axt_graph *g, struct axt_job *job, const struct axt_save_opts *o)
{
	struct axt_tale t;
	bool alone = axt_tale_write(g, job, o, &t) || t.why;

	if (!g->err.code && t.why)
		tell_user("each process does the command by itself: %s", t.why);
	else if (!g->err.code)
		tell_user("the first process has opened the inputs: %d tensors in %d files, of "
			  "which %zu bytes and %d blocks tell the others",
		    t.nst, t.nfiles, t.b.n, t.nblocks);
	if (!g->err.code)
		order(alone ? ALONE : TAKE_PART, (int64_t)t.b.n);
	if (!alone && axt_ranks_well(g, &here.by) == 0) {
		broadcast(t.b.p, t.b.n);
		if (axt_ranks_well(g, &here.by) == 0)
			broadcast_blocks(&t);
	}
	axt_tale_free(&t);
	return alone;
}

/* Takes part in a job of which the first process tells so many bytes. */
static void
follow(struct axt_graph *g, size_t n)
{
	struct axt_tale t = { .nblocks = 0 };
	char *p = axt_buf_reserve(&t.b, n);
	struct axt_job job;

	here.met = true;
	if (!p)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_ranks_well(g, &here.by) == 0) {
		broadcast(p, n);
		t.b.n = n;
		axt_tale_read(g, &t, &job);
		if (axt_ranks_well(g, &here.by) == 0) {
			broadcast_blocks(&t);
			axt_tale_build(g, &t, &job);
			axt_ranks_save(g, &here.by, &job, &t.o, false);
		}
	}
	axt_tale_free(&t);
}

int
axt_join_ranks(struct axt_graph *g, const char *command)
{
	struct order o;
	bool same;

	for (const struct axt_open_file *f = g->files; f; f = f->next)
		if (f->f->stream)
			return -1;
	if (begin(&g->err, axt_hash(0, command, strlen(command)) | 2, &same))
		return 1;
	if (!same)
		tell_user("each process does the command by itself: their words differ");
	here.awaited = same && here.by.rank == 0;
	if (!same || here.awaited)
		return -1;
	broadcast(&o, sizeof(o));
	if (o.what == TAKE_PART)
		follow(g, (size_t)o.n);
	here.met = o.what != ALONE;
	return o.what == ALONE ? -1 : o.what == END ? (int)o.n : 0;
}

enum axt_code
axt_save_ranks(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o)
{
	struct axt_job job = { .n = 0 };
	bool same, check = true;

	if (here.met)
		return g->err.code;
	for (int i = 0; i < n && !axt_refused(g, e[i]); i++)
		axt_need_seeds(g, e[i], "process");
	if (!here.by.t) {
		if (begin(&g->err, 0, &same))
			return g->err.code;
		tell_user("each process does the command by itself: it reads pipes");
	}
	if (!g->err.code)
		axt_job_find(g, e, n, o, &job);
	if (here.awaited && !g->err.code)
		check = lead(g, &job, o);
	if (here.awaited) /* an error: the others are yet to be told */
		return g->err.code;
	here.met = true;
	if (check || !g->err.code)
		axt_ranks_save(g, &here.by, &job, o, check);
	return g->err.code;
}

bool
axt_fail_ranks(const char *command)
{
	struct axt_err e = { 0 };
	bool same;

	return !here.by.t && begin(&e, axt_hash(1, command, strlen(command)) | 1, &same) == 0 &&
	    same && here.by.rank > 0;
}

void
axt_stop_ranks(int status)
{
	if (!here.awaited)
		return;
	order(END, status);
	here.met = true;
}

void
axt_leave_ranks(void)
{
	if (!here.by.t)
		return;
	if (!here.met) /* the others learn that this one has failed */
		here.by.t->least(here.by.rank);
	here.by.t->least(0);
	here.by.t->end();
	here.by.t = NULL;
}
