/* merge.c - puts the parts of a job together: the file that the job would have written at once. */
#include <inttypes.h>

#include "base/quote.h"
#include "bytes/summed.h"
#include "formats/formats.h"
#include "jobs/parts.h"
#include "zarr/write/write.h"

struct merge {
	struct axt_graph *g;
	const char *const *file; /* the files as they were given */
	int nfiles;
	int64_t parts;      /* of how many the job is; 0: no file has been looked at */
	const char **part;  /* [parts]: the file of each; NULL: missing */
	const char *number; /* of the first file: "3/64" */
	const char *job;    /* what its job is */
	const char *first;  /* the first file */
	struct axt_way way; /* the output */
	struct axt_part_output out;
	struct axt_box *box; /* [AXT_PART_BOXES]: of the part that is copied now */
};

static const char *
shown(const struct merge *x, const char *file)
{
	return axt_escape(x->g->m, file);
}

/* ---- which parts there are ---- */

/* Notes a part, whose attributes are those of its file. */
static int
note(struct merge *x, const char *file, const struct axt_attr *attrs)
{
	struct axt_graph *g = x->g;
	const char *number = axt_attr_text(attrs, AXT_PART_OF),
		   *job = axt_attr_text(attrs, AXT_PART_JOB);
	int64_t k, n;

	if (!number || !job || !axt_part_number(number, &k, &n)) {
		axt_fail(&g->err, AXT_E_ARG, "%s is no part of a job", shown(x, file));
		axt_hint(&g->err, "--part K/N -o part.{}.nc makes a command write one");
		return g->err.code;
	}
	if (!x->part) {
		x->parts = n;
		x->part = axt_alloc(g->m, (size_t)n * sizeof(*x->part));
		x->number = axt_strdup(g->m, number);
		x->job = axt_strdup(g->m, job);
		x->first = file;
	}
	if (!x->part || !x->job || !x->number)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (n != x->parts)
		return axt_fail(&g->err, AXT_E_ARG, "%s is part %s, and %s is part %s",
		    shown(x, file), number, shown(x, x->first), x->number);
	if (strcmp(job, x->job) != 0)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s is part %s of another job than %s: of another expression, or its inputs "
		    "were others or have changed",
		    shown(x, file), number, shown(x, x->first));
	if (x->part[k - 1])
		return axt_fail(&g->err, AXT_E_ARG, "%s and %s are both part %s",
		    shown(x, x->part[k - 1]), shown(x, file), number);
	x->part[k - 1] = file;
	return 0;
}

/* Closes each file before the next, since there may be more than a process can have open. */
static int
find_parts(struct merge *x)
{
	struct axt_graph *g = x->g;

	for (int i = 0; i < x->nfiles && !g->err.code; i++) {
		struct axt_arena *m = axt_arena_new();
		struct axt_file *f;

		if (!m)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (!axt_file_open(m, x->file[i], g->memory, &f, &g->err)) {
			note(x, x->file[i], f->attrs);
			axt_file_close(f);
		}
		axt_arena_free(m);
	}
	return g->err.code;
}

/*
 * Fails if parts are missing, which the message lists. The hint says where the command of a part is
 * found. It does not show that command, since nobody should be asked to run what a file says.
 */
static int
check_all(const struct merge *x)
{
	struct axt_graph *g = x->g;
	struct axt_buf b = { 0 };
	int64_t missing = 0, first = 0;
	int ranges = 0;
	const char *list;

	for (int64_t k = 0; k < x->parts; k++) {
		int64_t from = k;

		if (x->part[k])
			continue;
		while (k + 1 < x->parts && !x->part[k + 1])
			k++;
		first = missing == 0 ? from + 1 : first;
		missing += k - from + 1;
		if (ranges++ < 8)
			axt_buf_addf(&b, k > from ? "%s%" PRId64 "-%" PRId64 : "%s%" PRId64,
			    ranges > 1 ? "," : "", from + 1, k + 1);
	}
	list = axt_buf_text(g->m, &b);
	if (missing == 0)
		return 0;
	axt_fail(&g->err, AXT_E_ARG, "part%s %s%s of %" PRId64 " %s missing",
	    missing == 1 ? "" : "s", list ? list : "", ranges > 8 ? "..." : "", x->parts,
	    missing == 1 ? "is" : "are");
	axt_hint(&g->err,
	    "axt-attr :%s %s shows the command that made part %s; --part %" PRId64 "/%" PRId64
	    " there makes the missing one",
	    AXT_PART_COMMAND, axt_quoted(g->m, x->first), x->number, first, x->parts);
	return g->err.code;
}

/* ---- what the whole is to be ---- */

/* A graph for reading one part, with the bounds of the merge's. NULL: the graph has the error. */
static struct axt_graph *
reader(const struct merge *x)
{
	struct axt_graph *g = axt_graph_new();

	if (!g) {
		axt_fail(&x->g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	g->threads = x->g->threads;
	g->memory = x->g->memory;
	g->warn = x->g->warn;
	g->warn_ctx = x->g->warn_ctx;
	return g;
}

/* Takes over the error of that graph, and frees it. */
static int
end(const struct merge *x, struct axt_graph *g)
{
	if (g->err.code && !x->g->err.code)
		x->g->err = g->err;
	axt_graph_free(g);
	return x->g->err.code;
}

/* A dataset of a part, with its values as they are stored. */
static struct axt_expr *
open_piece(struct axt_graph *g, const char *file, const char *path)
{
	struct axt_named n = { .word = file, .file = file, .name = path };

	return axt_named_file(g, &n) || axt_named_dataset(g, &n)
	    ? axt_node_failed(g)
	    : axt_named_tensor(g, &n, &(struct axt_open_opts){ .raw = true });
}

static int
damaged(const struct merge *x, const char *file, const char *what)
{
	return axt_fail(&x->g->err, AXT_E_DAMAGED, "%s: %s", shown(x, file), what);
}

/* Reads the record of the whole from the first part. */
static int
read_record(struct merge *x)
{
	struct axt_graph *g = reader(x);
	const char *file = x->part[0], *sum = strchr(x->job, '-');
	struct axt_expr *e = g ? open_piece(g, file, AXT_PART_RECORD) : NULL;
	int64_t n;
	char text[20];
	void *p;

	if (!g)
		return x->g->err.code;
	n = axt_bad(e) || e->dtype != AXT_U8 ? 0 : axt_count(e);
	p = axt_alloc(x->g->m, (size_t)n + 1);
	if (axt_bad(e) || !p || axt_eval(g, e, p, (size_t)n))
		return end(x, g);
	snprintf(text, sizeof(text), "%016" PRIx64, axt_hash(0, p, (size_t)n));
	if (!sum || strcmp(sum + 1, text) != 0 ||
	    axt_part_output_read(x->g->m, p, (size_t)n, &x->out))
		damaged(x, file, "the record of the job is damaged");
	return end(x, g);
}

/* ---- values ---- */

/* Whether e is as it must be to be the box. */
static bool
fits(const struct merge *x, const struct axt_expr *e, const struct axt_box *box)
{
	if (e->dtype != x->out.v.dtype || e->axes.n != x->out.v.axes.n)
		return false;
	for (int i = 0; i < e->axes.n; i++)
		if (e->axes.a[i].len != box->len[i] ||
		    !axt_axis_same(&e->axes.a[i], &x->out.v.axes.a[i]))
			return false;
	return true;
}

/*
 * Reads the checksums of n pieces of a part, made when it was written: the file may have been
 * damaged since, on its way.
 */
static int
read_sums(const struct merge *x, const char *file, int n, uint64_t *sum)
{
	struct axt_graph *g = reader(x);
	struct axt_expr *e = g ? open_piece(g, file, AXT_PART_SUMS) : NULL;

	if (!g)
		return x->g->err.code;
	if (!axt_bad(e) && (e->dtype != AXT_U64 || axt_count(e) != n))
		damaged(x, file, "it has no checksums of its values");
	else if (!axt_bad(e))
		axt_eval(g, e, sum, (size_t)n * sizeof(*sum));
	return end(x, g);
}

/* Reads the values e of a part, and compares their checksum. */
static int
read_values(const struct merge *x, struct axt_expr *e, const char *file, uint64_t was,
    struct axt_sink *to)
{
	struct axt_summed summed;
	struct axt_sink *sink = &summed.sink;
	struct axt_graph *g = e->g;

	axt_summed_begin(&summed, to);
	if (axt_run(g, &e, 1, &sink) || axt_files_check(g))
		return g->err.code;
	return summed.sum == was ? 0 : damaged(x, file, "its values are damaged: another checksum");
}

/* Copies the values of part k. */
static int
copy_part(const struct merge *x, int64_t k, struct axt_sink *to)
{
	struct axt_box *box = x->box;
	int n = axt_partition_boxes(&x->out.cut, k, x->parts, box);
	const char *file = x->part[k - 1];
	uint64_t was[AXT_PART_BOXES];
	struct axt_graph *g = n > 0 && !read_sums(x, file, n, was) ? reader(x) : NULL;

	if (!g)
		return x->g->err.code;
	for (int i = 0; i < n && !g->err.code && !x->g->err.code; i++) {
		const char *path = axt_part_piece(g->m, x->out.v.name, i);
		struct axt_expr *e = path ? open_piece(g, file, path) : axt_node_failed(g);
		struct axt_scatter s;

		if (axt_bad(e))
			break;
		if (!fits(x, e, &box[i])) {
			damaged(x, file, "its slab has other axes than the job");
			break;
		}
		axt_scatter_begin(&s, &x->out, &box[i], to);
		read_values(x, e, file, was[i], &s.sink);
	}
	axt_progress(x->g, (double)k / (double)x->parts);
	return end(x, g);
}

/* ---- states ---- */

/* Merges the states that part k has. */
static int
add_states(const struct merge *x, int64_t k, struct axt_states *all)
{
	const char *file = x->part[k - 1];
	bool some = axt_partition_boxes(&x->out.states.cut, k, x->parts, x->box) > 0;
	struct axt_graph *g = some ? reader(x) : NULL;
	struct axt_expr *e = g ? open_piece(g, file, AXT_PART_STATES) : NULL;
	int64_t n, one = axt_states_numbers(all), *v = NULL;
	struct axt_mem_sink to;
	uint64_t was;

	if (!g)
		return x->g->err.code;
	if (read_sums(x, file, 1, &was))
		return end(x, g);
	if (!axt_bad(e)) {
		n = axt_count(e);
		v = axt_alloc(g->m, (size_t)n * 8 + 1);
		axt_mem_sink_init(&to, v, n * 8);
		if (!v)
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
		else if (e->dtype != AXT_I64 || n % one != 0)
			damaged(x, file, "its states are damaged");
		else if (!read_values(x, e, file, was, &to.sink) &&
		    !axt_states_add(all, v, n / one))
			damaged(x, file, "its states are damaged");
	}
	axt_progress(x->g, (double)k / (double)x->parts);
	return end(x, g);
}

/* Makes the output of the states of all parts. */
static int
write_results(const struct merge *x, struct axt_sink *to)
{
	struct axt_graph *g = x->g;
	const struct axt_part_states *s = &x->out.states;
	int64_t bytes = s->of.kept * axt_size(x->out.v.dtype);
	void *p = axt_alloc(g->m, (size_t)bytes + 1);
	struct axt_states all;

	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_states_begin(&all, &s->of, &g->err);
	for (int64_t k = 1; k <= x->parts && !g->err.code; k++)
		add_states(x, k, &all);
	if (!g->err.code && !axt_states_results(&all, x->out.v.dtype, p, &g->err))
		to->write(to, 0, p, bytes, &g->err);
	axt_states_release(&all);
	return g->err.code;
}

static void
told(void *ctx, double done)
{
	axt_progress(ctx, done);
}

int
axt_whole_open(struct axt_graph *g, const struct axt_part_output *x, const struct axt_way *way,
    struct axt_whole *w)
{
	struct axt_out_opts to = x->opts;

	to.memory = g->memory;
	to.threads = axt_graph_threads(g);
	to.talk = axt_graph_talk(g);
	return way->kind == AXT_WAY_ZARR
	    ? axt_zarr_out_open(g->m, &x->v, 1, x->attrs, &to, &w->store, &g->err)
	    : axt_out_open(g->m, &x->v, 1, x->attrs, &to, &w->file, &g->err);
}

static struct axt_sink *
sink_of(const struct axt_whole *w)
{
	return w->store ? axt_zarr_out_sink(w->store, 0) : axt_out_sink(w->file, 0);
}

int
axt_whole_close(struct axt_graph *g, struct axt_whole *w)
{
	struct axt_err *e = &g->err;

	if (w->store && !e->code)
		axt_zarr_out_finish(w->store, e);
	if (w->store)
		axt_zarr_out_close(w->store, !e->code, e);
	else
		axt_out_close(w->file, !e->code, e);
	return e->code;
}

static int
write_whole(struct merge *x, const struct axt_merge_opts *o)
{
	struct axt_graph *g = x->g;
	struct axt_whole w = { 0 };

	x->out.opts.target = o->output;
	x->out.opts.no_clobber = o->no_clobber;
	x->out.opts.progress = told;
	x->out.opts.progress_ctx = g;
	if (axt_whole_open(g, &x->out, &x->way, &w))
		return g->err.code;
	if (x->out.states.on)
		write_results(x, sink_of(&w));
	for (int64_t k = 1; k <= x->parts && !g->err.code && !x->out.states.on; k++)
		copy_part(x, k, sink_of(&w));
	return axt_whole_close(g, &w);
}

int
axt_part_way(struct axt_graph *g, const char *output, struct axt_way *way)
{
	if (axt_way_of(g, output, way) || way->kind != AXT_WAY_FORMAT)
		return g->err.code;
	axt_fail(&g->err, AXT_E_ARG,
	    "%s: what is made in parts is written as HDF5 or as a store of Zarr, not as %s",
	    axt_escape(g->m, way->file), axt_formats[way->format].name);
	axt_hint(&g->err, "-o o.nc, and then axt-to %s o.nc", axt_quoted(g->m, way->file));
	return g->err.code;
}

enum axt_code
axt_merge(struct axt_graph *g, const char *const files[], int n, const struct axt_merge_opts *o)
{
	struct merge x = { .g = g, .file = files, .nfiles = n };

	if (g->err.code)
		return g->err.code;
	if (n < 1 || !o->output || axt_stream_is(o->output)) {
		axt_fail(&g->err, AXT_E_ARG,
		    n < 1 ? "there is nothing to merge"
			  : "axt-merge writes a file, and none is named");
		axt_hint(&g->err, "-o FILE");
		return g->err.code;
	}
	x.box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*x.box));
	if (!x.box)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_part_way(g, o->output, &x.way) || find_parts(&x) || check_all(&x) ||
	    read_record(&x))
		return g->err.code;
	write_whole(&x, o);
	return g->err.code;
}
