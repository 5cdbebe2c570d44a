/* merge.c - puts the parts of a job together: the file that the job would have written at once. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "base/quote.h"
#include "bytes/packing.h"
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

/* What is done with a piece of a part: e has the values of the box, whose checksum was `sum`. */
struct piece {
	struct axt_expr *e;
	const char *file;
	const struct axt_box *box;
	uint64_t sum;
};
typedef int piece_fn(const struct merge *x, const struct piece *p, void *ctx);

/* Does that with each piece of part k. */
static int
each_piece(const struct merge *x, int64_t k, piece_fn *todo, void *ctx)
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

		if (axt_bad(e))
			break;
		if (!fits(x, e, &box[i])) {
			damaged(x, file, "its slab has other axes than the job");
			break;
		}
		todo(x, &(struct piece){ e, file, &box[i], was[i] }, ctx);
	}
	return end(x, g);
}

/* Copies the values of a piece to the sink of the whole. */
static int
copy_piece(const struct merge *x, const struct piece *p, void *to)
{
	struct axt_scatter s;

	axt_scatter_begin(&s, &x->out, p->box, to);
	return read_values(x, p->e, p->file, p->sum, &s.sink);
}

/* ---- chunks that are taken as they are packed ---- */

struct taken {
	struct axt_chunking as;  /* how the whole is stored */
	bool all;                /* every chunk of every part is packed so */
	int64_t *chunk, *number; /* of all in row-major order: bytes, then addresses; of a piece */
	struct axt_temp to;      /* only its fd: the file of the whole */
};

/* Notes how long the chunks of a piece are, if they are those of the whole. */
static int
look_at_chunks(const struct merge *x, const struct piece *p, void *ctx)
{
	const struct axt_storage *st = p->e->u.leaf.st;
	struct taken *t = ctx;
	bool same = st && st->layout == AXT_LAYOUT_CHUNKED && st->chunks && !st->record &&
	    !st->swap && st->filters.n == t->as.nfilters;

	for (int i = 0; same && i < st->rank; i++)
		same = st->chunk[i] == t->as.chunk[i] && st->chunk[i] == x->out.cut.unit[i];
	for (int i = 0; same && i < st->filters.n; i++)
		same = st->filters.use[i].f == t->as.filter[i].f;
	for (int64_t i = 0; same && i < st->nchunks; i++)
		same = st->chunks[i].mask == 0 && st->chunks[i].addr != UINT64_MAX;
	t->all = t->all && same &&
	    axt_partition_chunks(&x->out.cut, p->box, 1, t->number) == st->nchunks;
	for (int64_t i = 0; t->all && i < st->nchunks; i++)
		t->chunk[t->number[i]] = st->chunks[i].size;
	return 0;
}

/* Whether the chunks of all parts can be taken as they are. */
static bool
can_take(const struct merge *x, struct taken *t)
{
	const struct axt_part_output *o = &x->out;
	struct axt_arena *m = x->g->m;
	int64_t n = axt_partition_grid(&o->cut);

	if (o->states.on || x->way.kind != AXT_WAY_HDF5 || x->way.dset ||
	    axt_chunking_choose(&t->as, &o->v, &o->v.axes, &o->opts, &x->g->err) ||
	    t->as.nfilters == 0 || n > INT32_MAX)
		return false;
	t->chunk = axt_alloc(m, (size_t)n * sizeof(*t->chunk));
	t->number = axt_alloc(m, (size_t)n * sizeof(*t->number));
	t->all = t->chunk && t->number;
	for (int64_t k = 1; k <= x->parts && t->all && !x->g->err.code; k++)
		each_piece(x, k, look_at_chunks, t);
	return t->all && !x->g->err.code;
}

static int
no_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	(void)s, (void)off, (void)p, (void)n, (void)e;
	return 0;
}

/* Copies the chunks of a piece to their places, once its values are found to be what they were. */
static int
move_chunks(const struct merge *x, const struct piece *p, void *ctx)
{
	const struct axt_storage *st = p->e->u.leaf.st;
	struct axt_err *e = &p->e->g->err;
	struct axt_sink none = { .write = no_write };
	struct axt_temp from = { .fd = -1 };
	struct taken *t = ctx;

	if (read_values(x, p->e, p->file, p->sum, &none))
		return e->code;
	from.fd = open(p->file, O_RDONLY | O_CLOEXEC);
	if (from.fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", shown(x, p->file), strerror(errno));
	axt_partition_chunks(&x->out.cut, p->box, 1, t->number);
	for (int64_t i = 0; i < st->nchunks && !e->code; i++)
		axt_temp_move(&t->to, (uint64_t)t->chunk[t->number[i]], &from, st->chunks[i].addr,
		    st->chunks[i].size, e);
	close(from.fd);
	return e->code;
}

/* Finds the places of all chunks in the file, and opens it. */
static int
place_chunks(const struct merge *x, struct axt_out *out, struct taken *t)
{
	struct axt_err *e = &x->g->err;
	char *path = axt_alloc(x->g->m, PATH_MAX);
	int64_t offset;

	t->to = (struct axt_temp){ .fd = -1 };
	if (!path)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (axt_out_place(out, 0, t->chunk, e))
		return e->code;
	if (axt_out_share(out, 0, true, path, &offset))
		t->to.fd = open(path, O_WRONLY | O_CLOEXEC);
	if (t->to.fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", shown(x, x->way.file), strerror(errno));
	snprintf(t->to.path, sizeof(t->to.path), "%s", shown(x, x->way.file));
	return 0;
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
	struct taken *t = axt_alloc(g->m, sizeof(*t));
	bool packed = t && can_take(x, t);

	if (!t && !g->err.code)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (g->err.code)
		return g->err.code;
	x->out.opts.apart = packed;
	x->out.opts.target = o->output;
	x->out.opts.no_clobber = o->no_clobber;
	x->out.opts.progress = told;
	x->out.opts.progress_ctx = g;
	if (axt_whole_open(g, &x->out, &x->way, &w))
		return g->err.code;
	if (x->out.states.on)
		write_results(x, sink_of(&w));
	if (packed)
		place_chunks(x, w.file, t);
	for (int64_t k = 1; k <= x->parts && !g->err.code && !x->out.states.on; k++) {
		if (packed)
			each_piece(x, k, move_chunks, t);
		else
			each_piece(x, k, copy_piece, sink_of(&w));
		axt_progress(g, (double)k / (double)x->parts);
	}
	if (packed && t->to.fd >= 0 && close(t->to.fd) && !g->err.code)
		axt_fail(&g->err, AXT_E_IO, "%s: %s", t->to.path, strerror(errno));
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
