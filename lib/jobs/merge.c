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

/* Whether e is as it must be to be that box of v. */
static bool
fits(const struct axt_out_var *v, const struct axt_expr *e, const struct axt_box *box)
{
	if (e->dtype != v->dtype || e->axes.n != v->axes.n)
		return false;
	for (int i = 0; i < e->axes.n; i++)
		if (e->axes.a[i].len != box->len[i] || !axt_axis_same(&e->axes.a[i], &v->axes.a[i]))
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
	if (summed.sum == was)
		return 0;
	damaged(x, file, "its values are damaged: another checksum");
	axt_hint(&x->g->err, "rm %s, and make that part again", axt_quoted(x->g->m, file));
	return x->g->err.code;
}

/*
 * What is done with a piece of a part: e has the values of a box of tensor `of`, or states of it,
 * and their checksum was `sum`.
 */
struct piece {
	struct axt_expr *e;
	const char *file;
	int of;
	const struct axt_box *box;
	uint64_t sum;
};
typedef int piece_fn(const struct merge *x, const struct piece *p, void *ctx);

/* The boxes that part k has of all tensors, of one tensor after another. */
static int
count_boxes(const struct merge *x, int64_t k)
{
	int n = 0;

	for (int i = 0; i < x->out.n; i++)
		n += axt_partition_boxes(axt_part_cut(&x->out.t[i]), k, x->parts, x->box);
	return n;
}

/* Does that with piece `number` of a part, counted over all tensors. g: for this part alone. */
static int
one_piece(const struct merge *x, struct axt_graph *g, int number, struct piece *p, piece_fn *todo,
    void *ctx)
{
	const struct axt_part_tensor *t = &x->out.t[p->of];
	const char *path = axt_part_piece(g->m, t->states.on ? AXT_PART_STATES : t->v.name, number);

	p->e = path ? open_piece(g, p->file, path) : axt_node_failed(g);
	if (axt_bad(p->e))
		return g->err.code;
	if (t->states.on ? p->e->dtype != AXT_I64 : !fits(&t->v, p->e, p->box))
		return damaged(x, p->file, "its slab has other axes than the job");
	return todo(x, p, ctx);
}

/* Does that with each piece of part k. */
static int
each_piece(const struct merge *x, int64_t k, piece_fn *todo, void *ctx)
{
	struct axt_box *box = x->box;
	struct piece p = { .file = x->part[k - 1] };
	int n = count_boxes(x, k), number = 0;
	struct axt_graph *g = n > 0 ? reader(x) : NULL;
	uint64_t *sum = g ? axt_alloc(g->m, (size_t)n * sizeof(*sum)) : NULL;

	if (!g)
		return x->g->err.code;
	if (!sum)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		read_sums(x, p.file, n, sum);
	for (p.of = 0; p.of < x->out.n; p.of++) {
		int boxes = axt_partition_boxes(axt_part_cut(&x->out.t[p.of]), k, x->parts, box);

		for (int i = 0; i < boxes && !g->err.code && !x->g->err.code; i++) {
			p.box = &box[i];
			p.sum = sum[number];
			one_piece(x, g, number++, &p, todo, ctx);
		}
	}
	return end(x, g);
}

/* ---- chunks that are taken as they are packed ---- */

/* How the chunks of a tensor are stored in the whole. */
struct taken {
	struct axt_chunking as;
	int64_t *chunk; /* of all in row-major order: bytes, then addresses */
};
/* What is made of the parts. */
struct made {
	struct axt_whole w;
	bool packed;         /* every chunk of every part is packed as in the whole */
	struct taken *t;     /* [tensors], if so */
	int64_t *number;     /* of the chunks of a piece, among all of the tensor */
	struct axt_temp to;  /* only its fd: the file of the whole, for chunks */
	struct axt_states s; /* of the tensor that is merged now */
	int of;
};

/* Notes how long the chunks of a piece are, if they are those of the whole. */
static int
look_at_chunks(const struct merge *x, const struct piece *p, void *ctx)
{
	const struct axt_storage *st = p->e->u.leaf.st;
	const struct axt_partition *cut = &x->out.t[p->of].cut;
	struct made *to = ctx;
	struct taken *t = &to->t[p->of];
	bool same = st && st->layout == AXT_LAYOUT_CHUNKED && st->chunks && !st->record &&
	    !st->swap && st->filters.n == t->as.nfilters;

	if (!t->as.chunked)
		return 0;
	for (int i = 0; same && i < st->rank; i++)
		same = st->chunk[i] == t->as.chunk[i] && st->chunk[i] == cut->unit[i];
	for (int i = 0; same && i < st->filters.n; i++)
		same = st->filters.use[i].f == t->as.filter[i].f;
	for (int64_t i = 0; same && i < st->nchunks; i++)
		same = st->chunks[i].mask == 0 && st->chunks[i].addr != UINT64_MAX;
	to->packed = to->packed && same &&
	    axt_partition_chunks(cut, p->box, 1, to->number) == st->nchunks;
	for (int64_t i = 0; to->packed && i < st->nchunks; i++)
		t->chunk[to->number[i]] = st->chunks[i].size;
	return 0;
}

/* Makes room for numbers of the chunks of all tensors. false: some cannot be taken. */
static bool
begin_taken(const struct merge *x, struct made *to)
{
	const struct axt_part_output *o = &x->out;
	struct axt_arena *m = x->g->m;
	int64_t most = 0;
	bool any = false;

	to->t = axt_alloc(m, (size_t)o->n * sizeof(*to->t));
	for (int i = 0; to->t && i < o->n; i++) {
		struct taken *t = &to->t[i];
		int64_t n = axt_partition_grid(&o->t[i].cut);

		if (o->t[i].states.on ||
		    axt_chunking_choose(&t->as, &o->t[i].v, &o->t[0].v.axes, &o->opts, &x->g->err))
			return false;
		if (!t->as.chunked)
			continue;
		any = true;
		if (t->as.nfilters == 0 || n > INT32_MAX ||
		    !(t->chunk = axt_alloc(m, (size_t)n * sizeof(*t->chunk))))
			return false;
		most = MAX(most, n);
	}
	to->number = any ? axt_alloc(m, (size_t)most * sizeof(*to->number)) : NULL;
	return to->t && to->number;
}

/* Finds whether the chunks of all parts can be taken as they are. */
static void
look_at_all_chunks(const struct merge *x, struct made *to)
{
	to->packed = x->way.kind == AXT_WAY_HDF5 && !x->way.dset && begin_taken(x, to);
	for (int64_t k = 1; k <= x->parts && to->packed && !x->g->err.code; k++)
		each_piece(x, k, look_at_chunks, to);
}

static int
no_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	(void)s, (void)off, (void)p, (void)n, (void)e;
	return 0;
}

/* Copies the chunks of a piece to their places, once its values are found to be what they were. */
static int
move_chunks(const struct merge *x, const struct piece *p, struct made *to)
{
	const struct axt_storage *st = p->e->u.leaf.st;
	struct axt_err *e = &p->e->g->err;
	struct axt_sink none = { .write = no_write };
	struct axt_temp from = { .fd = -1 };

	if (read_values(x, p->e, p->file, p->sum, &none))
		return e->code;
	from.fd = open(p->file, O_RDONLY | O_CLOEXEC);
	if (from.fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", shown(x, p->file), strerror(errno));
	axt_partition_chunks(&x->out.t[p->of].cut, p->box, 1, to->number);
	for (int64_t i = 0; i < st->nchunks && !e->code; i++)
		axt_temp_move(&to->to, (uint64_t)to->t[p->of].chunk[to->number[i]], &from,
		    st->chunks[i].addr, st->chunks[i].size, e);
	close(from.fd);
	return e->code;
}

/* Finds the places of all chunks in the file, and opens it. */
static int
place_chunks(const struct merge *x, struct made *to)
{
	struct axt_err *e = &x->g->err;
	char *path = axt_alloc(x->g->m, PATH_MAX);
	int64_t offset;

	if (!path)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->out.n; i++)
		if (to->t[i].chunk && axt_out_place(to->w.file, i, to->t[i].chunk, e))
			return e->code;
	if (axt_out_share(to->w.file, 0, true, path, &offset))
		to->to.fd = open(path, O_WRONLY | O_CLOEXEC);
	if (to->to.fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", shown(x, x->way.file), strerror(errno));
	snprintf(to->to.path, sizeof(to->to.path), "%s", shown(x, x->way.file));
	return 0;
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
	struct axt_out_var *v = axt_alloc(g->m, (size_t)x->n * sizeof(*v));

	if (!v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->n; i++)
		v[i] = x->t[i].v;
	to.memory = g->memory;
	to.threads = axt_graph_threads(g);
	to.talk = axt_graph_talk(g);
	return way->kind == AXT_WAY_ZARR
	    ? axt_zarr_out_open(g->m, v, x->n, x->attrs, &to, &w->store, &g->err)
	    : axt_out_open(g->m, v, x->n, x->attrs, &to, &w->file, &g->err);
}

static struct axt_sink *
sink_of(const struct axt_whole *w, int i)
{
	return w->store ? axt_zarr_out_sink(w->store, i) : axt_out_sink(w->file, i);
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
	*w = (struct axt_whole){ NULL, NULL };
	return e->code;
}

/* ---- pieces put into the whole ---- */

/* Merges a piece of states into those of all parts so far, if it is one of that tensor. */
static int
add_states(const struct merge *x, const struct piece *p, void *ctx)
{
	struct made *to = ctx;
	struct axt_graph *g = p->e->g;
	int64_t n = axt_count(p->e), one = axt_states_numbers(&to->s), *v;
	struct axt_mem_sink all;

	if (p->of != to->of)
		return 0;
	v = axt_alloc(g->m, (size_t)n * 8 + 1);
	axt_mem_sink_init(&all, v, n * 8);
	if (!v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (n % one != 0)
		return damaged(x, p->file, "its states are damaged");
	if (read_values(x, p->e, p->file, p->sum, &all.sink) == 0 &&
	    !axt_states_add(&to->s, v, n / one))
		damaged(x, p->file, "its states are damaged");
	return g->err.code;
}

/* Makes tensor `i` of the states of all parts. */
static int
write_results(const struct merge *x, int i, struct made *to)
{
	struct axt_graph *g = x->g;
	const struct axt_part_tensor *t = &x->out.t[i];
	struct axt_sink *sink = sink_of(&to->w, i);
	int64_t bytes = t->states.of.kept * axt_size(t->v.dtype);
	void *p = axt_alloc(g->m, (size_t)bytes + 1);

	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	to->of = i;
	axt_states_begin(&to->s, &t->states.of, &g->err);
	for (int64_t k = 1; k <= x->parts && !g->err.code; k++) {
		each_piece(x, k, add_states, to);
		axt_progress(g, (double)k / (double)x->parts);
	}
	if (!g->err.code && !axt_states_results(&to->s, t->v.dtype, p, &g->err))
		sink->write(sink, 0, p, bytes, &g->err);
	axt_states_release(&to->s);
	return g->err.code;
}

/* Copies a piece to where it is in the whole: its values, or its chunks as they are packed. */
static int
copy_piece(const struct merge *x, const struct piece *p, void *ctx)
{
	struct made *to = ctx;
	struct axt_scatter s;

	if (x->out.t[p->of].states.on)
		return 0;
	if (to->packed && to->t[p->of].chunk)
		return move_chunks(x, p, to);
	axt_scatter_begin(&s, &x->out.t[p->of].v, p->box, sink_of(&to->w, p->of));
	return read_values(x, p->e, p->file, p->sum, &s.sink);
}

static int
write_whole(struct merge *x, const struct axt_merge_opts *o)
{
	struct axt_graph *g = x->g;
	struct made *to = axt_alloc(g->m, sizeof(*to));
	bool values = false;

	if (!to)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	to->to.fd = -1;
	look_at_all_chunks(x, to);
	if (g->err.code)
		return g->err.code;
	x->out.opts.apart = to->packed;
	x->out.opts.target = o->output;
	x->out.opts.no_clobber = o->no_clobber;
	x->out.opts.progress = told;
	x->out.opts.progress_ctx = g;
	if (axt_whole_open(g, &x->out, &x->way, &to->w))
		return g->err.code;
	for (int i = 0; i < x->out.n && !g->err.code; i++)
		if (x->out.t[i].states.on)
			write_results(x, i, to);
		else
			values = true;
	if (to->packed)
		place_chunks(x, to);
	for (int64_t k = 1; values && k <= x->parts && !g->err.code; k++) {
		each_piece(x, k, copy_piece, to);
		axt_progress(g, (double)k / (double)x->parts);
	}
	if (to->to.fd >= 0 && close(to->to.fd) && !g->err.code)
		axt_fail(&g->err, AXT_E_IO, "%s: %s", to->to.path, strerror(errno));
	return axt_whole_close(g, &to->w);
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
