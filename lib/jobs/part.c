/* part.c - computes and writes one part of a job. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "jobs/part.h"
#include "zarr/write/write.h"

const struct axt_partition *
axt_part_cut(const struct axt_part_tensor *t)
{
	return t->states.on ? &t->states.cut : &t->cut;
}

const char *
axt_part_axis(const struct axt_part *p, int at, int i)
{
	const struct axt_part_states *s = &p->out.t[at].states;
	int which[AXT_MAX_RANK] = { i }, n = 1;

	for (int k = 0; s->on && k < s->naxes; k++)
		which[k] = s->axis + k;
	n = s->on ? s->naxes : n;
	return axt_axes_typed(p->g->m,
	    s->on ? &axt_part_reduction(p->e[at])->arg[0]->axes : &p->e[at]->axes, which, n);
}

/* The chunks of result i along each axis; where it has none, single positions. */
static int
chunks(struct axt_part *p, int i, int64_t unit[AXT_MAX_RANK])
{
	const struct axt_out_var *v = &p->out.t[i].v;
	const struct axt_axes *first = &p->out.t[0].v.axes;
	const struct axt_out_opts *o = &p->out.opts;
	struct axt_chunking *as = &p->r[i].as;
	bool store = p->together && o->target && axt_zarr_target(o->target);
	int64_t bytes;

	for (int k = 0; k < v->axes.n; k++)
		unit[k] = 1;
	if (!axt_mul(axt_count(p->e[i]), axt_size(v->dtype), &bytes))
		return axt_fail(&p->g->err, AXT_E_LIMIT, "the result is too large");
	if (store ? axt_zarr_chunking(as, v, first, o, &p->g->err)
		  : axt_chunking_choose(as, v, first, o, &p->g->err))
		return p->g->err.code;
	for (int k = 0; as->chunked && k < v->axes.n; k++)
		unit[k] = as->chunk[k];
	return 0;
}

/* Finds how result i is cut. */
static int
plan_result(struct axt_part *p, int i, bool quantized)
{
	struct axt_graph *g = p->g;
	struct axt_part_tensor *t = &p->out.t[i];
	struct axt_part_result *r = &p->r[i];
	bool can[AXT_MAX_RANK] = { false };
	int64_t unit[AXT_MAX_RANK];

	if (chunks(p, i, unit) || axt_free_axes(g, p->e[i], can, &r->why) ||
	    axt_cut_choose(g, p->e[i], unit, can, p->n, p->together, &t->cut))
		return g->err.code;
	/* bits are rounded where values are written, which states are not */
	if (!quantized && !p->together)
		axt_part_states_plan(p->e[i], p->n, t->cut.chunks, &t->states);
	return 0;
}

int
axt_job_find(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    struct axt_job *out)
{
	*out = (struct axt_job){ .n = n };
	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]) || axt_need_seeds(g, e[i], "part"))
			return g->err.code;
	if (g->device > AXT_DEVICE_CPU || g->blas)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--part gives the bits of the whole, which --device and --blas do not promise");
	out->e = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	if (!out->e)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return axt_save_ready(g, e, n, o, &out->r) || axt_unify(g, out->r.e, n, out->e);
}

int
axt_part_plan(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	struct axt_graph *g = p->g;
	const struct axt_job *job = p->job;
	struct axt_job found;

	if (g->err.code || (!job && axt_job_find(g, e, n, o, &found)))
		return g->err.code;
	job = job ? job : &found;
	p->out = (struct axt_part_output){ .n = n, .attrs = job->r.attrs, .opts = job->r.opts };
	p->out.t = axt_alloc(g->m, (size_t)n * sizeof(*p->out.t));
	p->r = axt_alloc(g->m, (size_t)n * sizeof(*p->r));
	if (!p->out.t || !p->r)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	p->e = job->e;
	p->stored = job->r.e;
	for (int i = 0; i < n; i++)
		p->out.t[i].v = job->r.v[i];
	for (int i = 0; i < n; i++)
		if (plan_result(p, i, o->quantize != NULL))
			return g->err.code;
	return 0;
}

int
axt_part_boxes(struct axt_part *p)
{
	struct axt_arena *m = p->g->m;
	struct axt_box *all = axt_alloc(m, AXT_PART_BOXES * sizeof(*all));

	for (int i = 0; all && i < p->out.n; i++) {
		struct axt_part_result *r = &p->r[i];
		size_t bytes;
		struct axt_box *own;

		r->nboxes = axt_partition_boxes(axt_part_cut(&p->out.t[i]), p->k, p->n, all);
		bytes = (size_t)r->nboxes * sizeof(*own);
		own = axt_alloc(m, bytes + 1);
		r->box = own ? memcpy(own, all, bytes) : NULL;
		all = own ? all : NULL;
	}
	return all ? 0 : axt_fail(&p->g->err, AXT_E_MEM, "out of memory");
}

int
axt_part_look(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	struct axt_graph *g = p->g;

	if (!axt_part_number(p->o->part, &p->k, &p->n))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--part takes K/N, part K of N with K from 1 to N, not \"%s\"",
		    axt_escape(g->m, p->o->part));
	return axt_part_plan(p, e, n, o) || axt_part_boxes(p) ? g->err.code : 0;
}

/* ---- pieces ---- */

/*
 * A box of the result y as it stands in a file by itself: it is described as a slice of y is, with
 * coordinates, and computed by itself.
 */
static struct axt_expr *
described(struct axt_part *p, int at, struct axt_expr *y, const struct axt_box *box)
{
	struct axt_graph *g = p->g;
	const struct axt_partition *cut = &p->out.t[at].cut;
	struct axt_box all = { 0 };
	struct axt_expr *s = y;

	for (int k = 0; k < cut->n; k++) {
		int d = cut->axis[k], i = axt_axes_find(&s->axes, &p->e[at]->axes.a[d]);
		const char *name = axt_axes_typed(g->m, &s->axes, &i, 1), *spec;

		spec = name ? axt_sprintf(g->m, "%s=%" PRId64 ":%" PRId64, name, box->from[d],
				  box->from[d] + box->len[d])
			    : NULL;
		s = spec ? axt_slice(g, s, spec, false) : axt_node_failed(g);
		if (axt_bad(s))
			return s;
	}
	s = axt_as_stored(g, s);
	if (axt_bad(s) || axt_unify(g, &s, 1, &y))
		return axt_node_failed(g);
	for (int i = 0; i < s->axes.n; i++)
		all.len[i] = s->axes.a[i].len;
	y = axt_narrowed(g, y, &all, &p->needs);
	y = axt_bad(y) ? y : axt_relabel(g, y, &s->axes, axt_identity);
	axt_dress(g, &y, s);
	return y;
}

/* A box of result `at`, for the whole output, which has what describes it. */
static struct axt_expr *
computed(struct axt_part *p, int at, const struct axt_box *box)
{
	struct axt_expr *e = axt_narrowed(p->g, p->e[at], box, &p->needs);

	axt_dress(p->g, &e, p->stored[at]);
	return e;
}

/* Adds a piece, with the path that it has in the file of the part. */
static int
add_piece(struct axt_part *p, int at, struct axt_expr *e, const struct axt_box *box,
    const char *name)
{
	struct axt_graph *g = p->g;
	const char *path = axt_part_piece(g->m, name, p->npieces);

	e = path && !axt_bad(e) ? axt_set_path(g, e, path) : e;
	if (!path || axt_bad(e))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	p->piece[p->npieces++] = (struct axt_piece){ e, box, at };
	return 0;
}

/*
 * Adds a piece without elements, as the file of a part that has nothing needs a tensor: nothing of
 * the first result y along the first axis that is cut, or nothing at all.
 */
static int
add_nothing(struct axt_part *p, struct axt_expr *y)
{
	struct axt_graph *g = p->g;
	const struct axt_part_tensor *t = &p->out.t[0];
	struct axt_axes x = p->e[0]->axes,
			empty = { .n = 1, .a = { { .name = "axt_part_empty" } } };
	struct axt_box box = { 0 };

	if (t->cut.n == 0 || t->states.on)
		return add_piece(p, 0, axt_memory_leaf(g, AXT_U8, &empty, ""), NULL,
		    "axt_part_empty");
	for (int i = 0; i < x.n; i++)
		box.len[i] = x.a[i].len;
	box.len[t->cut.axis[0]] = 0;
	return add_piece(p, 0, described(p, 0, y, &box), NULL, t->v.name);
}

/* Makes the pieces of result `at`, y as it was before values were made as they are stored. */
static int
pieces_of(struct axt_part *p, int at, struct axt_expr *y)
{
	struct axt_graph *g = p->g;
	const struct axt_part_tensor *t = &p->out.t[at];
	const struct axt_part_result *r = &p->r[at];

	if (t->states.on && r->nboxes > 0)
		return add_piece(p, at,
		    axt_part_states_node(g, p->e[at], &t->states, r->box, &p->needs, NULL), r->box,
		    AXT_PART_STATES);
	for (int i = 0; i < r->nboxes; i++)
		if (add_piece(p, at,
			p->together ? computed(p, at, &r->box[i]) : described(p, at, y, &r->box[i]),
			&r->box[i], t->v.name))
			return g->err.code;
	return g->err.code;
}

/* Makes the expressions of all pieces. */
static int
make_pieces(struct axt_part *p, struct axt_expr *const y[])
{
	struct axt_graph *g = p->g;
	size_t n = 1;

	for (int i = 0; i < p->out.n; i++)
		n += (size_t)MAX(1, p->r[i].nboxes);
	p->npieces = 0;
	p->piece = axt_alloc(g->m, n * sizeof(*p->piece));
	if (!p->piece)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->out.n; i++)
		if (pieces_of(p, i, y[i]))
			return g->err.code;
	return 0;
}

/* A number that tells how results are cut, stored and read. */
static uint64_t
sum_of(const struct axt_part *p)
{
	uint64_t h = axt_hash(0, &p->needs.n, sizeof(p->needs.n));

	for (int i = 0; i < p->out.n; i++) {
		const struct axt_chunking *as = &p->r[i].as;

		h = axt_hash(h, axt_part_cut(&p->out.t[i]), sizeof(struct axt_partition));
		h = axt_hash(h, as->chunk, sizeof(as->chunk));
		for (int k = 0; k < as->nfilters; k++) {
			h = axt_hash(h, &as->filter[k].f->id, sizeof(as->filter[k].f->id));
			h = axt_hash(h, as->filter[k].param, sizeof(as->filter[k].param));
		}
	}
	return h;
}

/* Fails on all ranks if what they would do does not fit together. */
static int
check_alike(struct axt_part *p)
{
	struct axt_graph *g = p->g;

	if (axt_ranks_well(g, p->by))
		return g->err.code;
	return axt_ranks_same(p->by, sum_of(p))
	    ? 0
	    : axt_fail(&g->err, AXT_E_ARG,
		  "the processes of the job plan it in different ways: are they the same axt?");
}

int
axt_part_pieces(struct axt_part *p, struct axt_expr *const y[])
{
	struct axt_graph *g = p->g;
	struct axt_expr **e;

	if (p->by && !g->err.code)
		axt_needs_of(g, p->e, p->out.n, &p->needs);
	if (!g->err.code)
		make_pieces(p, y);
	if (p->by && !g->err.code && (e = axt_part_exprs(p)))
		axt_needs_read(g, e, p->npieces, &p->needs);
	if (p->by && check_alike(p) == 0 && axt_exchange(g, p->by, &p->needs) == 0 && p->needs.held)
		make_pieces(p, y);
	if (p->by && p->by->rank == 0 && !g->err.code)
		axt_needs_tell(g, p->e, p->out.n, &p->needs, p->by->size);
	return g->err.code;
}

struct axt_expr **
axt_part_exprs(struct axt_part *p)
{
	struct axt_expr **e = axt_alloc(p->g->m,
	    (size_t)p->npieces * sizeof(struct axt_expr *) + 1);

	if (!e)
		axt_fail(&p->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; e && i < p->npieces; i++)
		e[i] = p->piece[i].e;
	return e;
}

/* ---- the file of a part ---- */

/* The box as a user would select it: "time=3:9,lat=0:4", of the axes that are cut. */
static const char *
slab_text(const struct axt_part *p, int at, const struct axt_box *box)
{
	const struct axt_partition *c = axt_part_cut(&p->out.t[at]);
	struct axt_arena *m = p->g->m;
	const char *s = "";

	for (int k = 0; s && k < c->n; k++) {
		const char *name = axt_part_axis(p, at, c->axis[k]);

		s = name ? axt_sprintf(m, "%s%s%s=%" PRId64 ":%" PRId64, s, *s ? "," : "", name,
			       box->from[c->axis[k]], box->from[c->axis[k]] + box->len[c->axis[k]])
			 : NULL;
	}
	return s ? s : "";
}

const char *
axt_part_slabs(const struct axt_part *p, int at)
{
	const struct axt_part_result *r = &p->r[at];
	const char *s = NULL;

	for (int i = 0; i < r->nboxes; i++) {
		const char *box = slab_text(p, at, &r->box[i]);

		s = s ? axt_sprintf(p->g->m, "%s;%s", s, box) : box;
	}
	return !s ? "nothing" : *s ? s : "all";
}

/* Those of all results: "tas: time=3:9, pr: time=3:9". */
static const char *
all_slabs(const struct axt_part *p)
{
	const char *s = "";

	if (p->out.n == 1)
		return axt_part_slabs(p, 0);
	for (int i = 0; s && i < p->out.n; i++)
		s = axt_sprintf(p->g->m, "%s%s%s: %s", s, i > 0 ? ", " : "", p->out.t[i].v.name,
		    axt_part_slabs(p, i));
	return s ? s : "";
}

static struct axt_attr *
text_attr(struct axt_graph *g, const char *name, const char *text)
{
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));

	if (a)
		*a = (struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text };
	return a;
}

/* The attributes of the file that say which part it is. */
static const struct axt_attr *
marked(struct axt_part *p, const char *job)
{
	struct axt_graph *g = p->g;
	const char *number = axt_sprintf(g->m, "%" PRId64 "/%" PRId64, p->k, p->n);
	const char *const text[][2] = { { AXT_PART_OF, number }, { AXT_PART_JOB, job },
		{ AXT_PART_SLAB, all_slabs(p) },
		{ AXT_PART_COMMAND, p->o->command ? p->o->command : "" } };
	const struct axt_attr *l = p->out.attrs;

	for (int i = 0; i < ARRAY_LEN(text); i++) {
		struct axt_attr *a = *text[i][1] ? text_attr(g, text[i][0], text[i][1]) : NULL;

		if (a)
			l = axt_attr_set(g->m, l, a);
	}
	return l;
}

/* The dataset with the record of the whole output, which the first part has. */
static const struct axt_out_rest *
record(struct axt_part *p, const struct axt_buf *b)
{
	struct axt_out_rest *rest = axt_alloc(p->g->m, sizeof(*rest));
	struct axt_aux *x = axt_alloc(p->g->m, sizeof(*x));

	if (!rest || !x)
		return NULL;
	*x = (struct axt_aux){ .name = AXT_PART_RECORD,
		.axes = { .n = 1, .a = { { .name = "axt_part_byte", .len = (int64_t)b->n } } },
		.own = { true },
		.dtype = AXT_U8,
		.data = b->p };
	*rest = (struct axt_out_rest){ .group = "", .aux = x };
	return rest;
}

/* Which part of which job a file is; NULL: it is none. */
static void
look_at(struct axt_graph *g, const char *file, const char **part, const char **job)
{
	struct axt_err ignore = { 0 };
	struct axt_file *f;

	*part = *job = NULL;
	if (access(file, F_OK) != 0 || axt_file_open(g->m, file, g->memory, &f, &ignore))
		return;
	*part = axt_attr_text(f->attrs, AXT_PART_OF);
	*job = axt_attr_text(f->attrs, AXT_PART_JOB);
	axt_file_close(f);
}

/* Whether the file is that part of the job already. */
static bool
is_done(struct axt_part *p, const char *file, const char *job)
{
	const char *part, *of;

	look_at(p->g, file, &part, &of);
	return of && part && strcmp(of, job) == 0 && strcmp(part, p->o->part) == 0;
}

/* Fails if the file is another part of a job: it would be lost. */
static int
check_target(struct axt_part *p, const char *file)
{
	struct axt_graph *g = p->g;
	const char *was, *job;
	int64_t k = 0, n = 0;

	look_at(g, file, &was, &job);
	if (was && axt_part_number(was, &k, &n) && (k != p->k || n != p->n)) {
		axt_fail(&g->err, AXT_E_EXISTS, "%s is part %s, and part %s would replace it",
		    axt_escape(g->m, file), axt_escape(g->m, was), axt_escape(g->m, p->o->part));
		axt_hint(&g->err, "{} in the name becomes the number of the part: -o part.{}.nc");
	}
	return g->err.code;
}

/* The name of the output, in which {} is the number of the part. */
static const char *
output_name(struct axt_part *p, const char *name)
{
	struct axt_buf b = { 0 };
	int digits = snprintf(NULL, 0, "%" PRId64, p->n);

	for (; *name; name++)
		if (strncmp(name, "{}", 2) == 0) {
			axt_buf_addf(&b, "%0*" PRId64, digits, p->k);
			name++;
		} else {
			axt_buf_add(&b, name, 1);
		}
	return axt_buf_text(p->g->m, &b);
}

int
axt_part_operand(struct axt_graph *g, const char *file)
{
	for (struct axt_open_file *f = g->files; f; f = f->next)
		if (!f->adopted && axt_same_file(f->f, file, &g->err)) {
			axt_fail(&g->err, AXT_E_EXISTS,
			    "%s is an operand, which the other parts read", axt_escape(g->m, file));
			axt_about(&g->err, AXT_INPUT_TOO, file, NULL);
		}
	return g->err.code;
}

/* Fails for what parts cannot write. */
static int
check_rows(struct axt_part *p, const struct axt_save_opts *o)
{
	if (!o->size && o->layout != 'F' && !o->expression)
		return 0;
	return axt_fail(&p->g->err, AXT_E_ARG,
	    "--part is of values in rows: no --size, no --layout F, and no expressions");
}

static int
target(struct axt_part *p, const struct axt_save_opts *o, const char **file)
{
	struct axt_graph *g = p->g;
	struct axt_way way;

	*file = o->output ? output_name(p, o->output) : NULL;
	if (!*file || axt_stream_is(*file)) {
		axt_fail(&g->err, AXT_E_ARG, "--part writes a file, and none is named");
		axt_hint(&g->err, "-o part.{}.nc");
		return g->err.code;
	}
	if (axt_part_way(g, *file, &way))
		return g->err.code;
	*file = way.file;
	if (way.kind != AXT_WAY_HDF5) {
		axt_fail(&g->err, AXT_E_ARG,
		    "--part writes a file of its own, and axt-merge puts the parts elsewhere");
		axt_hint(&g->err, "--into %s", axt_quoted(g->m, o->output));
		return g->err.code;
	}
	if (axt_part_operand(g, *file))
		axt_hint(&g->err, "-o part.{}.nc");
	return g->err.code || check_target(p, *file) ? g->err.code : 0;
}

void
axt_part_tell(struct axt_part *p)
{
	const struct axt_partition *c;
	int64_t reads;
	int most = 0; /* the largest of the results says it for all */

	for (int i = 1; i < p->out.n; i++)
		most = axt_count(p->e[i]) > axt_count(p->e[most]) ? i : most;
	c = axt_part_cut(&p->out.t[most]);
	/* what is made of values in memory is no work: ranks have computed these together */
	if (c->chunks >= p->n || p->k > 1 ||
	    (p->together &&
		(axt_part_reads(p->g, &p->e[most], 1, NULL, NULL, &reads) || reads == 0)))
		return;
	if (p->out.t[most].states.on)
		axt_warn(p->g,
		    "what is reduced has %" PRId64
		    " piece%s of whole blocks along %s, so that other parts are empty",
		    c->chunks, c->chunks == 1 ? "" : "s", axt_part_axis(p, most, 0));
	else if (p->r[most].why)
		axt_warn(p->g,
		    "the result is cut into %" PRId64
		    " part%s, and the others are empty, as %s needs whole axes",
		    c->chunks, c->chunks == 1 ? "" : "s", p->r[most].why);
	else
		axt_warn(p->g,
		    "the result has %" PRId64
		    " chunk%s to be cut into parts, so that others are empty",
		    c->chunks, c->chunks == 1 ? "" : "s");
}

/* Computes the states of all reductions, in one pass, and has tensors of them as pieces instead. */
static int
states_values(struct axt_part *p)
{
	struct axt_graph *g = p->g;
	struct axt_expr **node = axt_alloc(g->m,
	    (size_t)p->npieces * sizeof(struct axt_expr *) + 1);
	struct axt_numbers *v = axt_alloc(g->m, (size_t)p->npieces * sizeof(*v) + 1);
	int *of = axt_alloc(g->m, (size_t)p->npieces * sizeof(*of) + 1), m = 0;

	if (!node || !v || !of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->npieces; i++)
		if (p->piece[i].box && p->out.t[p->piece[i].of].states.on) {
			node[m] = p->piece[i].e;
			of[m++] = i;
		}
	if (m > 0 && axt_part_states_run(g, node, m, v))
		return g->err.code;
	for (int i = 0; i < m; i++) {
		struct axt_axes x = { .n = 1, .a = { { .name = "axt_part_number" } } };
		const char *path = axt_part_piece(g->m, AXT_PART_STATES, of[i]);
		struct axt_expr *e;

		x.a[0].len = v[i].n;
		e = axt_memory_leaf(g, AXT_I64, &x, v[i].v);
		e = axt_bad(e) || !path ? axt_node_failed(g) : axt_set_path(g, e, path);
		if (axt_bad(e))
			return g->err.code;
		p->piece[of[i]].e = e;
	}
	return 0;
}

/*
 * The chunks and filters of the whole, of which a piece has some, so that axt_merge can take its
 * chunks as they are packed. NULL: the piece has none, or is of something else.
 */
static const struct axt_storage *
packed_like(struct axt_part *p, const struct axt_piece *x)
{
	const struct axt_chunking *as = &p->r[x->of].as;
	const struct axt_out_var *v = &p->out.t[x->of].v;
	struct axt_storage *st;
	struct axt_filter_use *use;

	if (as->nfilters == 0 || !x->box || p->out.t[x->of].states.on)
		return NULL;
	st = axt_alloc(p->g->m, sizeof(*st));
	use = axt_alloc(p->g->m, sizeof(as->filter));
	if (!st || !use) {
		axt_fail(&p->g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	memcpy(use, as->filter, sizeof(as->filter));
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_CHUNKED,
		.dtype = v->dtype,
		.esize = axt_size(v->dtype),
		.rank = v->axes.n,
		.filters = { as->nfilters, use },
		.fd = -1 };
	for (int i = 0; i < v->axes.n; i++) {
		st->chunk[i] = as->chunk[i];
		st->dims[i] = x->box->len[i];
	}
	return st;
}

/* Where the pieces go, and what goes along. */
static int
place_for(struct axt_part *p, const struct axt_buf *b, struct axt_save_opts *to,
    struct axt_save_place *place)
{
	struct axt_graph *g = p->g;
	const struct axt_storage **like = axt_alloc(g->m, (size_t)p->npieces * sizeof(*like));
	const struct axt_in_chunks **chunks = axt_alloc(g->m, (size_t)p->npieces * sizeof(*chunks));

	if (!like || !chunks)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->npieces; i++) {
		const struct axt_piece *x = &p->piece[i];

		like[i] = packed_like(p, x);
		if (like[i])
			chunks[i] = axt_out_chunks(g, p->stored[x->of], &p->r[x->of].as, to,
			    x->box->from, x->box->len);
	}
	place->like = like;
	place->chunks = chunks;
	place->rest = p->k == 1 ? record(p, b) : NULL;
	place->sums = p->piece[0].box ? AXT_PART_SUMS : NULL;
	if (!place->sums) /* nothing is rounded, and it may be no float */
		to->quantize = NULL;
	return g->err.code;
}

/*
 * Finds what the parts of this job have in common: the bytes of the record, and the job's name. Of
 * processes of one job only the first one has to know these.
 */
static int
know_job(struct axt_part *p, struct axt_buf *record, const char **job)
{
	struct axt_graph *g = p->g;
	uint64_t sum;

	if (p->by && p->by->rank > 0)
		return 0;
	if (axt_part_output_write(record, &p->out))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_job_sum(g, p->e, p->out.n, &sum))
		return g->err.code;
	*job = axt_sprintf(g->m, "%016" PRIx64 "-%016" PRIx64, sum,
	    axt_hash(0, record->p, record->n));
	return *job ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The job's name, which the first process tells the others. All must call it. */
static const char *
told_job(const struct axt_part *p, const char *job)
{
	char name[40] = "";

	if (job)
		snprintf(name, sizeof(name), "%s", job);
	p->by->t->broadcast(name, sizeof(name));
	return axt_strdup(p->g->m, name);
}

/* Writes the pieces, with the record. */
static int
write_pieces(struct axt_part *p, const struct axt_save_opts *o, const char *file,
    const struct axt_buf *record, const char *job)
{
	struct axt_graph *g = p->g;
	struct axt_save_opts to = *o;
	struct axt_save_place place = { .file = file };
	struct axt_expr **e;
	struct axt_meta *meta;

	if (states_values(p) || place_for(p, record, &to, &place))
		return g->err.code;
	meta = axt_dress(g, &p->piece[0].e, NULL);
	e = axt_part_exprs(p);
	if (!meta || !e)
		return g->err.code;
	meta->file_attrs = marked(p, job);
	/* these are of the whole, may be of axes that a piece has not, or are in `like` */
	to.history = to.chunk = to.unlimited = to.compress = to.shuffle = NULL;
	to.rest_of = NULL;
	return axt_save_in(g, e, p->npieces, &to, &place);
}

int
axt_part_save(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_part_opts *how, const struct axt_ranks *by, const struct axt_part_place *place)
{
	struct axt_part p = { .g = g,
		.job = by ? by->job : NULL,
		.o = how,
		.together = by != NULL,
		.by = by };
	const char *file = place ? place->file : NULL, *job = NULL;
	struct axt_buf b = { 0 };
	bool done = false;

	if (axt_part_look(&p, e, n, o) == 0 && check_rows(&p, o) == 0 &&
	    (place || target(&p, o, &file) == 0) && know_job(&p, &b, &job) == 0 && place &&
	    place->known)
		done = place->known(place->ctx, job) || is_done(&p, file, job);
	if (by)
		job = told_job(&p, job);
	if (!done && axt_part_pieces(&p, e) == 0 && (p.npieces > 0 || add_nothing(&p, e[0]) == 0)) {
		axt_part_tell(&p);
		write_pieces(&p, o, file, &b, job);
	}
	axt_needs_release(&p.needs);
	axt_buf_release(&b);
	return g->err.code;
}

enum axt_code
axt_save_part(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_part_opts *how)
{
	return (enum axt_code)(how->into ? axt_part_into(g, e, n, o, how)
					 : axt_part_save(g, e, n, o, how, NULL, NULL));
}
