/* part.c - computes and writes one part of a job. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jobs/part.h"
#include "zarr/write/write.h"

/* What is cut into chunks: the output, or an axis that is reduced. */
static const struct axt_partition *
cut_of(const struct axt_part *p)
{
	return p->out.states.on ? &p->out.states.cut : &p->out.cut;
}

/* Axis i of cut_of as a user would type it; several, if they are cut as one. */
static const char *
axis_typed(const struct axt_part *p, int i)
{
	const struct axt_part_states *s = &p->out.states;
	int which[AXT_MAX_RANK] = { i }, n = 1;

	for (int k = 0; s->on && k < s->naxes; k++)
		which[k] = s->axis + k;
	n = s->on ? s->naxes : n;
	return axt_axes_typed(p->g->m,
	    s->on ? &axt_part_reduction(p->e)->arg[0]->axes : &p->e->axes, which, n);
}

/* The chunks of the whole output along each axis; where it has none, single positions. */
static int
chunks(struct axt_part *p, int64_t unit[AXT_MAX_RANK])
{
	struct axt_out_var *v = &p->out.v;
	const struct axt_out_opts *o = &p->out.opts;
	bool store = p->together && o->target && axt_zarr_target(o->target);
	int64_t bytes;

	for (int i = 0; i < v->axes.n; i++)
		unit[i] = 1;
	if (!axt_mul(axt_count(p->e), axt_size(v->dtype), &bytes))
		return axt_fail(&p->g->err, AXT_E_LIMIT, "the result is too large");
	if (store ? axt_zarr_chunking(&p->as, v, &v->axes, o, &p->g->err)
		  : axt_chunking_choose(&p->as, v, &v->axes, o, &p->g->err))
		return p->g->err.code;
	for (int i = 0; p->as.chunked && i < v->axes.n; i++)
		unit[i] = p->as.chunk[i];
	return 0;
}

int
axt_part_plan(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	struct axt_graph *g = p->g;
	struct axt_save_ready r;
	bool can[AXT_MAX_RANK] = { false };
	int order[AXT_MAX_RANK], norder;
	int64_t unit[AXT_MAX_RANK];

	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]) || axt_need_seeds(g, e[i], "part"))
			return g->err.code;
	p->box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*p->box));
	if (!p->box)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (n != 1 || o->rest_of) {
		axt_fail(&g->err, AXT_E_ARG, "parts are of one result, and there are %s",
		    n == 1 ? "other datasets that go along" : "several");
		axt_hint(&g->err, "name one dataset as FILE:DATASET, and run a job for each");
		return g->err.code;
	}
	if (g->device > AXT_DEVICE_CPU || g->blas)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--part gives the bits of the whole, which --device and --blas do not promise");
	if (axt_save_ready(g, e, n, o, &r))
		return g->err.code;
	p->out = (struct axt_part_output){ .v = r.v[0], .attrs = r.attrs, .opts = r.opts };
	if (axt_unify(g, r.e, 1, &p->e) || chunks(p, unit) ||
	    axt_free_axes(g, p->e, can, &p->why) ||
	    axt_cut_order(g, p->e, unit, can, p->n, p->together, order, &norder))
		return g->err.code;
	axt_partition_make(&p->e->axes, unit, order, norder, p->n, &p->out.cut);
	if (!o->quantize &&
	    !p->together) /* bits are rounded where values are written, which states are not */
		axt_part_states_plan(p->e, p->n, p->out.cut.chunks, &p->out.states);
	return 0;
}

int
axt_part_look(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	struct axt_graph *g = p->g;

	if (!axt_part_number(p->o->part, &p->k, &p->n))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--part takes K/N, part K of N with K from 1 to N, not \"%s\"",
		    axt_escape(g->m, p->o->part));
	if (axt_part_plan(p, e, n, o))
		return g->err.code;
	p->nboxes = axt_partition_boxes(cut_of(p), p->k, p->n, p->box);
	return 0;
}

/* The box as a user would select it: "time=3:9,lat=0:4", of the axes that are cut. */
static const char *
slab_text(const struct axt_part *p, const struct axt_box *box)
{
	const struct axt_partition *c = cut_of(p);
	struct axt_arena *m = p->g->m;
	const char *s = "";

	for (int k = 0; s && k < c->n; k++) {
		const char *name = axis_typed(p, c->axis[k]);

		s = name ? axt_sprintf(m, "%s%s%s=%" PRId64 ":%" PRId64, s, *s ? "," : "", name,
			       box->from[c->axis[k]], box->from[c->axis[k]] + box->len[c->axis[k]])
			 : NULL;
	}
	return s ? s : "";
}

/* All boxes in one line; "all", and "nothing" for a part that is empty. */
static const char *
slabs_text(const struct axt_part *p)
{
	const char *s = NULL;

	for (int i = 0; i < p->nboxes; i++) {
		const char *box = slab_text(p, &p->box[i]);

		s = s ? axt_sprintf(p->g->m, "%s;%s", s, box) : box;
	}
	return !s ? "nothing" : *s ? s : "all";
}

/* A box of the result y, which is described as a slice of it is, and computed by itself. */
static struct axt_expr *
piece(struct axt_part *p, struct axt_expr *y, const struct axt_box *box)
{
	struct axt_graph *g = p->g;
	struct axt_box all = { 0 };
	struct axt_expr *s = y;

	for (int k = 0; k < p->out.cut.n; k++) {
		int i = axt_axes_find(&s->axes, &p->e->axes.a[p->out.cut.axis[k]]), at;
		const char *name = axt_axes_typed(g->m, &s->axes, &i, 1), *spec;

		at = p->out.cut.axis[k];
		spec = name ? axt_sprintf(g->m, "%s=%" PRId64 ":%" PRId64, name, box->from[at],
				  box->from[at] + box->len[at])
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

/* The box of a part that is empty: nothing along the first axis. */
static struct axt_box
empty_box(const struct axt_part *p)
{
	struct axt_box box = { 0 };

	for (int i = 0; i < p->e->axes.n; i++)
		box.len[i] = p->e->axes.a[i].len;
	if (p->out.cut.n > 0)
		box.len[p->out.cut.axis[0]] = 0;
	return box;
}

/* A tensor without elements, for an empty part of an output that is not cut along any axis. */
static struct axt_expr *
nothing(struct axt_graph *g)
{
	struct axt_axes x = { .n = 1, .a = { { .name = "axt_part_empty" } } };
	struct axt_expr *e = axt_memory_leaf(g, AXT_U8, &x, "");

	return axt_bad(e) ? e : axt_set_path(g, e, "axt_part_empty");
}

/* Makes the expressions of all pieces. */
static int
make_pieces(struct axt_part *p, struct axt_expr *y)
{
	struct axt_graph *g = p->g;
	struct axt_box none = empty_box(p);
	bool empty = p->nboxes == 0;

	p->npieces = MAX(1, p->nboxes);
	p->piece = axt_alloc(g->m, (size_t)p->npieces * sizeof(struct axt_expr *));
	if (!p->piece)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (p->out.states.on) {
		p->piece[0] = empty
		    ? nothing(g)
		    : axt_part_states_node(g, p->e, &p->out.states, &p->box[0], &p->needs);
		return axt_bad(p->piece[0]) ? g->err.code : 0;
	}
	for (int i = 0; i < p->npieces; i++) {
		const char *path = axt_part_piece(g->m, p->out.v.name, i);

		if (empty && p->out.cut.n == 0) {
			p->piece[i] = nothing(g);
			break;
		}
		p->piece[i] = piece(p, y, empty ? &none : &p->box[i]);
		if (path && !axt_bad(p->piece[i]))
			p->piece[i] = axt_set_path(g, p->piece[i], path);
		if (!path || axt_bad(p->piece[i]))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	return 0;
}

int
axt_part_pieces(struct axt_part *p, struct axt_expr *y)
{
	if (p->by && !p->g->err.code)
		axt_needs_of(p->g, &p->e, 1, &p->needs);
	if (!p->g->err.code)
		make_pieces(p, y);
	for (int i = 0; p->by && !p->g->err.code && i < p->nboxes; i++)
		axt_needs_read(p->g, p->piece[i], &p->needs);
	if (p->by && axt_exchange(p->g, p->by, &p->needs) == 0 && p->needs.held)
		make_pieces(p, y);
	return p->g->err.code;
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
		{ AXT_PART_SLAB, slabs_text(p) },
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

/* Fails if the file is another part of a job: it would be lost. */
static int
check_target(struct axt_part *p, const char *file)
{
	struct axt_graph *g = p->g;
	struct axt_err ignore = { 0 };
	struct axt_file *f;
	const char *was;
	int64_t k = 0, n = 0;

	if (access(file, F_OK) != 0 || axt_file_open(g->m, file, g->memory, &f, &ignore))
		return 0;
	was = axt_attr_text(f->attrs, AXT_PART_OF);
	if (was && axt_part_number(was, &k, &n) && (k != p->k || n != p->n)) {
		axt_fail(&g->err, AXT_E_EXISTS, "%s is part %s, and part %s would replace it",
		    axt_escape(g->m, file), axt_escape(g->m, was), axt_escape(g->m, p->o->part));
		axt_hint(&g->err, "{} in the name becomes the number of the part: -o part.{}.nc");
	}
	axt_file_close(f);
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

/* Fails if the file of the part is one that the other parts are yet to read. */
static int
check_operands(struct axt_part *p, const char *file)
{
	struct axt_graph *g = p->g;

	for (struct axt_open_file *f = g->files; f; f = f->next)
		if (!f->adopted && axt_same_file(f->f, file, &g->err)) {
			axt_fail(&g->err, AXT_E_EXISTS,
			    "%s is an operand, which the other parts read", axt_escape(g->m, file));
			axt_about(&g->err, AXT_INPUT_TOO, file, NULL);
			axt_hint(&g->err, "-o part.{}.nc");
		}
	return g->err.code;
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
	if (way.kind != AXT_WAY_HDF5)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--part writes a file of its own, and axt-merge puts the parts elsewhere");
	if (o->size || o->layout == 'F' || o->expression)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--part is of values in rows: no --size, no --layout F, and no expressions");
	return check_operands(p, *file) || check_target(p, *file) ? g->err.code : 0;
}

void
axt_part_tell(struct axt_part *p)
{
	const struct axt_partition *c = cut_of(p);
	int64_t reads;

	/* what is made of values in memory is no work: ranks have computed these together */
	if (c->chunks >= p->n || p->k > 1 ||
	    (p->together && (axt_part_reads(p->g, p->e, NULL, NULL, &reads) || reads == 0)))
		return;
	if (p->out.states.on)
		axt_warn(p->g,
		    "what is reduced has %" PRId64
		    " piece%s of whole blocks along %s, so that other parts are empty",
		    c->chunks, c->chunks == 1 ? "" : "s", axis_typed(p, 0));
	else if (p->why)
		axt_warn(p->g,
		    "the result is cut into %" PRId64
		    " part%s, and the others are empty, as %s needs whole axes",
		    c->chunks, c->chunks == 1 ? "" : "s", p->why);
	else
		axt_warn(p->g,
		    "the result has %" PRId64
		    " chunk%s to be cut into parts, so that others are empty",
		    c->chunks, c->chunks == 1 ? "" : "s");
}

/* The states of a part, as a tensor. */
static struct axt_expr *
states_values(struct axt_graph *g, struct axt_expr *node)
{
	struct axt_axes x = { .n = 1, .a = { { .name = "axt_part_number" } } };
	struct axt_numbers v;
	struct axt_expr *e;

	if (axt_part_states_run(g, &node, 1, &v))
		return axt_node_failed(g);
	x.a[0].len = v.n;
	e = axt_memory_leaf(g, AXT_I64, &x, v.v);
	return axt_bad(e) ? e : axt_set_path(g, e, AXT_PART_STATES);
}

/* Writes the pieces, with the record. */
static int
write_pieces(struct axt_part *p, const struct axt_save_opts *o, const char *file)
{
	struct axt_graph *g = p->g;
	struct axt_save_opts to = *o;
	struct axt_save_place place = { .file = file };
	struct axt_buf b = { 0 };
	struct axt_meta *meta;
	const char *job;
	uint64_t sum;

	if (axt_part_output_write(&b, &p->out) || axt_job_sum(g, p->e, &sum))
		goto out;
	if (p->out.states.on && p->nboxes > 0) {
		p->piece[0] = states_values(g, p->piece[0]);
		if (axt_bad(p->piece[0]))
			goto out;
	}
	job = axt_sprintf(g->m, "%016" PRIx64 "-%016" PRIx64, sum, axt_hash(0, b.p, b.n));
	place.rest = p->k == 1 ? record(p, &b) : NULL;
	place.sums = p->nboxes > 0 ? AXT_PART_SUMS : NULL;
	meta = job ? axt_dress(g, &p->piece[0], NULL) : NULL;
	if (!meta)
		goto out;
	meta->file_attrs = marked(p, job);
	to.history = NULL;
	to.chunk = NULL;
	/* those of the whole, so that axt_merge can take them as they are packed */
	if (o->compress && p->as.nfilters > 0 && p->nboxes > 0 && !p->out.states.on)
		place.chunk = p->as.chunk;
	if (p->nboxes == 0 ||
	    p->out.states.on) { /* these may be of axes and values that the part has not */
		to.quantize = NULL;
		to.unlimited = NULL;
	}
	axt_save_in(g, p->piece, p->npieces, &to, &place);
out:
	axt_buf_release(&b);
	return g->err.code;
}

int
axt_part_save(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_part_opts *how, const struct axt_ranks *by)
{
	struct axt_part p = { .g = g, .o = how, .together = by != NULL, .by = by };
	const char *file = NULL;

	if (axt_part_look(&p, e, n, o) == 0)
		target(&p, o, &file);
	if (axt_part_pieces(&p, e[0]) == 0) {
		axt_part_tell(&p);
		write_pieces(&p, o, file);
	}
	axt_needs_release(&p.needs);
	return g->err.code;
}

enum axt_code
axt_save_part(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_part_opts *how)
{
	return (enum axt_code)axt_part_save(g, e, n, o, how, NULL);
}

/* The elements that a piece has, or of which it has states. */
static int64_t
elements_of(const struct axt_part *p, const struct axt_expr *piece)
{
	return axt_count(p->out.states.on ? piece->arg[0] : piece);
}

enum axt_code
axt_explain_part(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *how, FILE *out)
{
	struct axt_part p = { .g = g, .o = how };
	int64_t mine = 0, all;

	if (axt_part_look(&p, e, n, o) || make_pieces(&p, e[0]))
		return g->err.code;
	axt_part_tell(&p);
	all = elements_of(&p, p.out.states.on ? axt_part_reduction(p.e) : p.e);
	for (int i = 0; i < p.nboxes; i++)
		mine += elements_of(&p, p.piece[i]);
	fprintf(out, "part %" PRId64 " of %" PRId64 ": %s, %" PRId64 " of %" PRId64 " elements%s\n",
	    p.k, p.n, slabs_text(&p), mine, all,
	    p.out.states.on ? ", reduced to states of blocks" : "");
	return p.nboxes > 0 ? axt_explain(g, p.piece, p.nboxes, out) : AXT_OK;
}

/* What a number is for the parts of a job: the least, the most, and in all. */
struct range {
	int64_t least, most, all;
};

static void
count(struct range *r, int64_t v)
{
	r->least = MIN(r->least, v);
	r->most = MAX(r->most, v);
	r->all = r->all > INT64_MAX - v ? INT64_MAX : r->all + v;
}

/* The axes that are cut: "time, lat". */
static const char *
cut_axes(const struct axt_part *p)
{
	const struct axt_partition *c = cut_of(p);
	const char *s = "";

	for (int k = 0; s && k < c->n; k++) {
		const char *name = axis_typed(p, c->axis[k]);

		s = name ? axt_sprintf(p->g->m, "%s%s%s", s, k ? ", " : "", name) : NULL;
	}
	return s ? s : "";
}

/* What the parts of a job read, all inputs that ranks exchange apart. */
struct reads {
	struct range own;
	int64_t once, exchanged; /* bytes of those inputs: read once, and sent */
};

/*
 * Adds up what parts read of inputs. of: what each part reads of each input that may be exchanged.
 * Of one that is, each part reads its share.
 */
static void
count_reads(const struct axt_part *p, const int64_t *own, const int64_t *of, struct reads *r)
{
	int m = p->needs.n;

	*r = (struct reads){ .own.least = INT64_MAX };
	for (int i = 0; i < m; i++) {
		const struct axt_need *x = &p->needs.l[i];

		if (!x->shared)
			continue;
		r->once = axt_plus(r->once, axt_need_once(x));
		r->exchanged = axt_plus(r->exchanged, x->needed);
	}
	for (int64_t k = 0; k < p->n; k++) {
		int64_t bytes = axt_plus(own[k], r->once / p->n);

		for (int i = 0; i < m; i++)
			bytes = axt_plus(bytes, p->needs.l[i].shared ? 0 : of[k * m + i]);
		count(&r->own, bytes);
	}
	r->own.all = axt_plus(r->own.all, r->once % p->n);
}

/* Finds what part p->k reads: *own, and of[] of each input that may be exchanged. */
static int
look_at_part(struct axt_part *p, struct axt_expr *y, int64_t *own, int64_t *of,
    struct range *elements)
{
	struct axt_graph *g = p->g;
	int64_t mine = 0, one;

	p->nboxes = axt_partition_boxes(cut_of(p), p->k, p->n, p->box);
	for (int i = 0; i < p->needs.n; i++)
		p->needs.l[i].box = (struct axt_box){ 0 };
	if (p->nboxes > 0 && make_pieces(p, y))
		return g->err.code;
	for (int i = 0; i < p->nboxes; i++) {
		if (axt_part_reads(g, p->piece[i], &p->needs, of, &one))
			return g->err.code;
		mine += elements_of(p, p->piece[i]);
		*own = axt_plus(*own, one);
	}
	for (int i = 0; i < p->needs.n; i++)
		axt_need_part(&p->needs.l[i], &p->needs.l[i].box, of[i]);
	count(elements, mine);
	return 0;
}

/*
 * The same of all parts. What is made for a part is freed before the next: there may be a million.
 */
static int
look_at_all(struct axt_part *p, struct axt_expr *y, int64_t *own, int64_t *of,
    struct range *elements, int64_t *empty)
{
	struct axt_graph *g = p->g;
	struct axt_arena *all = g->m;
	int m = p->needs.n;

	for (p->k = 1; p->k <= p->n && !g->err.code; p->k++) {
		if (p->k > 1) /* what the graph keeps of the expression is made for the first */
			g->m = axt_arena_new();
		if (g->m)
			look_at_part(p, y, &own[p->k - 1], &of[(p->k - 1) * m], elements);
		else
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*empty += p->nboxes == 0;
		if (g->m && g->m != all)
			axt_arena_free(g->m);
		g->m = all;
	}
	for (int i = 0; i < m; i++)
		p->needs.l[i].shared = axt_need_shared(&p->needs.l[i], false);
	return g->err.code;
}

/* What a job is cut into, and what its processes read. */
static void
print_reads(const struct axt_part *p, const struct reads *reads, const struct range *elements,
    int64_t empty, int64_t whole, FILE *out)
{
	const struct axt_partition *cut = cut_of(p);

	fprintf(out, "%" PRId64 " process%s, cut along %s: %" PRId64 " chunk%s\n", p->n,
	    p->n == 1 ? "" : "es", cut->n ? cut_axes(p) : "no axis", cut->chunks,
	    cut->chunks == 1 ? "" : "s");
	if (empty)
		fprintf(out, "%" PRId64 " of them %s nothing to do\n", empty,
		    empty == 1 ? "has" : "have");
	fprintf(out, "elements: %" PRId64 " in all, %" PRId64 " to %" PRId64 " each\n",
	    elements->all, elements->least, elements->most);
	fprintf(out,
	    "bytes read: %" PRId64 " in all, %" PRId64 " to %" PRId64
	    " each; by one process %" PRId64 "\n",
	    reads->own.all, reads->own.least, reads->own.most, whole);
	if (reads->exchanged)
		fprintf(out, "bytes exchanged: %" PRId64 " in all, of inputs that are read once\n",
		    reads->exchanged);
}

/* What they write, and send one another. shared: they write one file, or one store. */
static void
print_writes(const struct axt_part *p, const struct axt_way *way, bool shared, bool exchanged,
    FILE *out)
{
	bool packed = shared && p->as.chunked && way->kind == AXT_WAY_HDF5;

	fprintf(out, "bytes written: %" PRId64 " in all%s%s\n",
	    axt_count(p->e) * axt_size(p->out.v.dtype),
	    p->as.nfilters > 0 ? ", less once they are packed" : "",
	    shared ? "" : ", and again where parts are put together");
	fprintf(out,
	    "messages: some tens of operations of all processes, of at most 5 KiB each%s%s\n",
	    packed ? ", beside twice 8 bytes for each chunk" : "",
	    !exchanged   ? ""
		: packed ? " and what is exchanged"
			 : ", beside what is exchanged");
}

/*
 * Plans a job as its processes do: *left becomes what is cut once the phases are done. *whole: what
 * one process reads.
 */
static int
plan_job(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    struct axt_phases *phases, struct axt_expr **left, int64_t *whole)
{
	struct axt_graph *g = p->g;
	struct axt_expr *all;

	*phases = (struct axt_phases){ 0 };
	if (n != 1 || axt_refused(g, e[0]))
		return axt_part_plan(p, e, n, o);
	if (axt_unify(g, e, 1, &all) || axt_part_reads(g, all, NULL, NULL, whole))
		return g->err.code;
	*left = all;
	if (axt_phases_find(g, left, p->n, phases) || !axt_dress(g, left, e[0]) ||
	    axt_part_plan(p, left, 1, o))
		return g->err.code;
	return axt_needs_of(g, &p->e, 1, &p->needs);
}

static void
print_phases(const struct axt_phases *x, FILE *out)
{
	if (x->n)
		fprintf(out,
		    "before that, %d reduction%s by all processes together, in %d pass%s: bytes read: "
		    "%" PRId64 " in all\n",
		    x->n, x->n == 1 ? "" : "s", x->passes, x->passes == 1 ? "" : "es", x->read);
}

enum axt_code
axt_explain_ranks(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, long ranks, FILE *out)
{
	struct axt_part p = { .g = g, .n = ranks, .together = true };
	struct range elements = { .least = INT64_MAX };
	struct axt_way way = { .kind = AXT_WAY_HDF5 };
	struct axt_expr *left;
	struct axt_phases phases;
	struct reads reads;
	int64_t whole, empty = 0, *own, *of;

	if (ranks < 1 || ranks > AXT_PARTS_MAX)
		return axt_fail(&g->err, AXT_E_ARG, "a job has 1 to %d processes, not %ld",
		    AXT_PARTS_MAX, ranks);
	if (plan_job(&p, e, n, o, &phases, &left, &whole) ||
	    (o->output && axt_part_way(g, o->output, &way)))
		return g->err.code;
	own = axt_alloc(g->m, (size_t)ranks * sizeof(*own));
	of = axt_alloc(g->m, (size_t)ranks * (size_t)p.needs.n * sizeof(*of) + 1);
	if (!own || !of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (look_at_all(&p, left, own, of, &elements, &empty))
		return g->err.code;
	count_reads(&p, own, of, &reads);
	axt_part_tell(&p);
	print_phases(&phases, out);
	print_reads(&p, &reads, &elements, empty, whole, out);
	print_writes(&p, &way, axt_part_shares(&p, o, &way) && !way.dset, reads.exchanged > 0, out);
	return AXT_OK;
}
