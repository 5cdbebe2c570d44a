/* ranks.c - results computed and written by all ranks of a job. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "bytes/hidden.h"
#include "bytes/output.h"
#include "hdf5/write/write.h"
#include "jobs/part.h"
#include "jobs/ranks.h"

struct job {
	struct axt_graph *g;
	struct axt_ranks by;
	struct axt_job all;    /* by.job */
	struct axt_hidden dir; /* in which parts are, on the first rank */
	const char **part;     /* [by.size]: their files */
};

/*
 * Returns the status of the job: the error of the first rank that has failed. On the other ranks it
 * is RANK, so that only that rank reports.
 */
static int
agree(struct job *j)
{
	struct axt_graph *g = j->g;
	bool own = g->err.code && g->err.code != AXT_E_RANK;
	int64_t first = j->by.t->least(own ? j->by.rank : j->by.size);

	if (first < j->by.size && first != j->by.rank) {
		g->err = (struct axt_err){ 0 };
		axt_fail(&g->err, AXT_E_RANK, "process %" PRId64 " of the job failed", first);
	}
	return g->err.code;
}

static uint64_t
text_sum(uint64_t sum, const char *s)
{
	return s ? axt_hash(sum + 1, s, strlen(s)) : sum;
}

/*
 * A checksum of what is written besides values: names, axes, attributes and storage of the results,
 * and the options that change values on their way into the file.
 */
static int
output_sum(struct job *j, const struct axt_save_opts *o, uint64_t *sum)
{
	struct axt_graph *g = j->g;
	struct axt_part_output x = { .n = j->all.n, .opts = j->all.r.opts };
	struct axt_buf b = { 0 };

	x.t = axt_alloc(g->m, (size_t)x.n * sizeof(*x.t) + 1);
	for (int i = 0; x.t && i < x.n; i++)
		x.t[i].v = j->all.r.v[i];
	/* the history has the words of the command, which may differ in options such as -m */
	x.attrs = axt_attr_drop(g->m, j->all.r.attrs, "history");
	if (!x.t || axt_part_output_write(&b, &x))
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		*sum = axt_hash(*sum + o->no_clobber + 2 * !o->history, b.p, b.n);
	axt_buf_release(&b);
	*sum = text_sum(text_sum(*sum, o->output), o->quantize);
	return g->err.code;
}

/* Fails if ranks would compute or write something else, or see other files. */
static int
check_same(struct job *j, const struct axt_save_opts *o)
{
	struct axt_graph *g = j->g;
	uint64_t sum = 0;

	if (!g->err.code && axt_job_sum(g, j->all.e, j->all.n, &sum) == 0)
		output_sum(j, o, &sum);
	if (agree(j))
		return g->err.code;
	if (!axt_ranks_same(&j->by, sum))
		axt_fail(&g->err, AXT_E_CHANGED,
		    "the %d processes of the job see different inputs, or their commands differ: not the "
		    "same files, sizes or times of writing, or not the same output or options",
		    j->by.size);
	return agree(j);
}

/* A message about the file of the part is one about the output. */
static void
name_output(struct job *j, const char *output)
{
	struct axt_err *e = &j->g->err;
	const char *part = axt_escape(j->g->m, j->part[j->by.rank]);
	char *at = e->code ? strstr(e->text, part) : NULL;

	if (at) {
		const char *s = axt_sprintf(j->g->m, "%.*s%s%s", (int)(at - e->text), e->text,
		    axt_escape(j->g->m, output), at + strlen(part));

		axt_reword(e, "%s", s ? s : "out of memory");
	}
}

/*
 * What is told of chunks, 8 bytes for each: all ranks tell rank 0, and are told. On the others than
 * rank 0 all but `own` and `none` is empty.
 */
struct deal {
	int *own, *none;  /* [size]: bytes that this rank has for rank 0; zeros */
	int *count, *at;  /* [size]: bytes of each rank, and where they begin in `told` */
	int64_t n, *told; /* [n]: of the chunks of one rank after another */
	int64_t *number;  /* [n]: where each is in row-major order of all */
	int64_t *chunk;   /* [n]: in that order */
};

static int
begin_deal(struct job *j, const struct axt_packed_tensor *k, struct deal *d)
{
	struct axt_graph *g = j->g;
	struct axt_box *box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*box));
	int *counts = axt_alloc(g->m, 4 * (size_t)j->by.size * sizeof(*counts));
	int64_t n = j->by.rank == 0 ? axt_partition_grid(&k->cut) : 0;

	*d = (struct deal){ .n = 0 };
	d->told = axt_alloc(g->m, 3 * (size_t)n * sizeof(*d->told) + 1);
	if (!box || !counts || !d->told)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	d->own = counts;
	d->none = counts + j->by.size;
	d->count = counts + 2 * j->by.size;
	d->at = counts + 3 * j->by.size;
	d->number = d->told + n;
	d->chunk = d->number + n;
	d->own[0] = (int)(k->n * (int64_t)sizeof(*k->chunk));
	for (int i = 0; n > 0 && i < j->by.size; i++) {
		int boxes = axt_partition_boxes(&k->cut, i + 1, j->by.size, box);
		int64_t more = axt_partition_chunks(&k->cut, box, boxes, d->number + d->n);

		d->at[i] = (int)(d->n * (int64_t)sizeof(*d->told));
		d->count[i] = (int)(more * (int64_t)sizeof(*d->told));
		d->n += more;
	}
	return 0;
}

/* Finds the place of each chunk of tensor i: the only step in which one rank works for all. */
static int
lay_out(struct job *j, struct axt_out *out, int i, struct deal *d)
{
	for (int64_t c = 0; c < d->n; c++)
		d->chunk[d->number[c]] = d->told[c];
	if (axt_out_place(out, i, d->chunk, &j->g->err))
		return j->g->err.code;
	for (int64_t c = 0; c < d->n; c++)
		d->told[c] = d->chunk[d->number[c]];
	return 0;
}

/* Has rank 0 find the places of the chunks that all ranks have of tensor i, and tell them. */
static int
place_chunks(struct job *j, struct axt_packed_tensor *k, int i, struct axt_whole *out)
{
	const struct axt_ranks_table *t = j->by.t;
	struct deal d;

	begin_deal(j, k, &d);
	if (agree(j))
		return j->g->err.code;
	t->exchange(k->chunk, d.own, d.none, d.told, d.count, d.at);
	if (j->by.rank == 0)
		lay_out(j, out->file, i, &d);
	if (agree(j) == 0)
		t->exchange(d.told, d.count, d.at, k->chunk, d.own, d.none);
	return j->g->err.code;
}

/*
 * Has each rank compute its part. Values that are not in chunks are written at once; chunks are
 * packed, and written once rank 0 knows all sizes. Those of a store are files, which need no
 * places.
 */
static void
save_share(struct job *j, const struct axt_save_opts *o, const char *number,
    const struct axt_shared *at, struct axt_whole *out)
{
	struct axt_graph *g = j->g;
	struct axt_packed k;
	bool placed = true;

	axt_shared_make(g, o, number, at, &j->by, &k);
	if (!at->store && agree(j) == 0) {
		for (int i = 0; i < j->all.n && placed; i++)
			placed = at->offset[i] >= 0 || place_chunks(j, &k.t[i], i, out) == 0;
		if (placed)
			axt_packed_write(&k, at, &g->err);
	}
	axt_packed_free(&k);
}

/* Tells all ranks where the output is. */
static void
tell_place(struct job *j, struct axt_shared *at, int n)
{
	j->by.t->broadcast(at, (int)offsetof(struct axt_shared, offset));
	j->by.t->broadcast(at->offset, n * (int)sizeof(*at->offset));
}

/*
 * Has all ranks write into the output itself, which rank 0 opens and puts in its place. Returns
 * false, with nothing done, if it is no file of its own.
 */
static bool
save_shared(struct job *j, const struct axt_save_opts *o, const char *number)
{
	struct axt_graph *g = j->g;
	int n = j->all.n;
	struct axt_shared at = { .path = "" };
	struct axt_whole out = { 0 };
	bool shared;

	at.offset = axt_alloc(g->m, (size_t)n * sizeof(*at.offset));
	if (!at.offset)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (j->by.rank == 0)
		axt_shared_open(g, o, &j->by, &out, &at);
	if (agree(j)) { /* another rank may have failed when this one had opened the output */
		axt_whole_close(g, &out);
		return true;
	}
	tell_place(j, &at, n);
	shared = at.path[0] != '\0';
	if (!shared)
		return false;
	/* where all are on one machine, a job that is killed leaves nothing behind */
	if (!j->by.t->least(axt_shared_reached(&at))) {
		if (j->by.rank == 0)
			axt_shared_named(g, &out, n, &at);
		if (agree(j) == 0)
			tell_place(j, &at, n);
	}
	if (!g->err.code)
		save_share(j, o, number, &at, &out);
	agree(j);
	if (j->by.rank == 0)
		axt_whole_close(g, &out);
	agree(j);
	return true;
}

/*
 * Makes a folder beside the output for the files of the parts, which the first rank holds, and
 * which a signal removes with all of them.
 */
static int
make_folder(struct job *j, const char *output)
{
	struct axt_graph *g = j->g;
	char dir[PATH_MAX] = "";
	char *real = NULL;
	const char *file, *dset;

	if (j->by.rank == 0 && axt_target_split(g->m, output, &file, &dset, &g->err) == 0 &&
	    (!(real = axt_target_followed(file)) || axt_hidden_make(&j->dir, real)))
		axt_fail(&g->err, AXT_E_IO, "%s: %s", axt_escape(g->m, file), strerror(errno));
	free(real);
	if (agree(j))
		return g->err.code;
	if (j->by.rank == 0)
		snprintf(dir, sizeof(dir), "%s", j->dir.path);
	j->by.t->broadcast(dir, sizeof(dir));
	j->part = axt_alloc(g->m, (size_t)j->by.size * sizeof(*j->part));
	for (int i = 0; j->part && i < j->by.size; i++)
		if (!(j->part[i] = axt_sprintf(g->m, "%s/%d", dir, i + 1)))
			j->part = NULL;
	if (!j->part)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return agree(j);
}

/* Computes what all ranks compute together, and makes the results what depends on that. */
static int
run_phases(struct job *j)
{
	struct axt_graph *g = j->g;
	int n = j->all.n;
	struct axt_expr **left = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	struct axt_phases phases = { 0 };

	if (left)
		axt_phases_find(g, memcpy(left, j->all.e, (size_t)n * sizeof(struct axt_expr *)), n,
		    j->by.size, &phases);
	else
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (agree(j) == 0 && phases.n > 0)
		axt_phases_run(g, &j->by, j->all.e, n);
	return agree(j);
}

/* Computes the part of this rank, and puts the parts together if it is the first. */
static void
save(struct job *j, const struct axt_save_opts *o)
{
	struct axt_graph *g = j->g;
	struct axt_way way;
	char number[64];

	snprintf(number, sizeof(number), "%d/%d", j->by.rank + 1, j->by.size);
	if (run_phases(j))
		return;
	if (j->by.rank == 0 && axt_way_of(g, o->output, &way) == 0)
		axt_hidden_sweep(way.file);
	if (save_shared(j, o, number))
		return;
	if (make_folder(j, o->output) == 0) {
		axt_part_save(g, j->all.r.e, j->all.n, o, &(struct axt_part_opts){ .part = number },
		    &j->by, &(struct axt_part_place){ .file = j->part[j->by.rank] });
		name_output(j, o->output);
		if (agree(j) == 0 && j->by.rank == 0)
			axt_merge(g, j->part, j->by.size,
			    &(struct axt_merge_opts){ .output = o->output,
				.no_clobber = o->no_clobber });
		agree(j);
	}
	axt_hidden_drop(&j->dir);
}

enum axt_code
axt_check_seeds(struct axt_graph *g, struct axt_expr *e)
{
	if (axt_refused(g, e) || axt_need_seeds(g, e, "process"))
		return g->err.code;
	return AXT_OK;
}

int
axt_ranks_save(struct axt_graph *g, const struct axt_ranks *by, const struct axt_job *job,
    const struct axt_save_opts *o, bool check)
{
	struct job j = { .g = g, .by = *by, .all = *job, .dir = { .fd = -1, .slot = -1 } };

	j.by.job = &j.all;
	if ((check ? check_same(&j, o) : agree(&j)) == 0)
		save(&j, o);
	return g->err.code;
}
