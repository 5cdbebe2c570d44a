/*
 * step_gufunc.c - plans gufuncs with any signature: their loop nest; their operands, which are
 * whole along core axes; and how many calls a tile has.
 */
#include "plan/kinds.h"
#include "plan/steps.h"

/*
 * Bytes that are read at a time if calls lie side by side: pages of the disk where the system will
 * hardly keep what was read until the next column needs it, and less where tiles can stay in caches
 */
#define COLUMN_BYTES 4096
#define COLUMN_KEPT_BYTES 512
/* the most bytes of a tile whose results wait until they can be written to a stream */
#define DIRECT_BYTES (16 << 20)
#define BYTES_MAX 1e16      /* more bytes fit no memory */
#define TILE_FREE (4 << 20) /* bytes of a thread's tile that are not counted as scratch */

static struct axt_signature
signature(const struct axt_expr *e)
{
	return axt_gufunc_signature(e->u.gufunc.op);
}

/* Which core axis of tensor k axis i is; -1: it is a loop axis. */
static int
core_at(const struct axt_expr *e, const struct axt_signature *x, int k, int i)
{
	int result = k < x->nin ? k : x->nin + e->u.gufunc.result;

	for (int c = 0; c < x->core[result].n; c++)
		if (axt_gufunc_core(e, k)[c] == i)
			return c;
	return -1;
}

/* The operand that is read in its own order, which is the largest one. */
static int
leader(const struct axt_expr *e)
{
	int best = 0;

	for (int k = 1; k < e->nargs; k++)
		if (axt_count(e->arg[k]) > axt_count(e->arg[best]))
			best = k;
	return best;
}

/*
 * The place of axis i of the result in the loop nest: of two axes, the one with the smaller place
 * gets the earlier dimension. Loop axes that the leader lacks come before all of its axes; their
 * number is `first`.
 */
static int
place_of(const struct axt_expr *e, const struct axt_signature *x, int lead, int i, int first)
{
	const struct axt_axes *in = &e->arg[lead]->axes;
	int c = core_at(e, x, x->nin, i), j = c < 0 ? axt_axes_find(in, &e->axes.a[i]) : -1;

	if (c < 0)
		return j < 0 || core_at(e, x, lead, j) >= 0 ? 0 : first + j;
	return first + (c < x->core[lead].n ? axt_gufunc_core(e, lead)[c] : in->n + c);
}

/*
 * The bytes of the result and of the operands for one index of the first dimension, which is the
 * least that a tile has if results are written in order. If the first dimension is no loop axis
 * (`loops` is false), the bytes of all.
 */
static double
row_bytes(const struct axt_expr *e, const struct axt_signature *x, bool loops)
{
	double bytes = (double)axt_count(e) * axt_size(e->dtype);

	if (loops)
		bytes /= (double)MAX(1, e->axes.a[0].len);
	for (int k = 0; k < e->nargs; k++) {
		const struct axt_axes *in = &e->arg[k]->axes;
		int i = loops ? axt_axes_find(in, &e->axes.a[0]) : -1;

		bytes += (double)axt_count(e->arg[k]) * axt_size(e->arg[k]->dtype) /
		    (i >= 0 && core_at(e, x, k, i) < 0 ? (double)MAX(1, in->a[i].len) : 1);
	}
	return bytes;
}

/*
 * Whether the result can be written in order, tile after tile, with tiles of at most `most` bytes.
 */
static bool
is_direct(const struct axt_expr *e, double most)
{
	struct axt_signature x = signature(e);
	int lead = leader(e), first = 0, before = -1;

	while (first < e->axes.n && core_at(e, &x, x.nin, first) < 0 &&
	    place_of(e, &x, lead, first, 1) == 0)
		first++;
	for (int i = first; i < e->axes.n; i++) {
		int place = place_of(e, &x, lead, i, first);

		if (place <= before || place < first)
			return false;
		before = place;
	}
	return row_bytes(e, &x,
		   e->axes.n > 0 && core_at(e, &x, x.nin, 0) < 0 &&
		       (first > 0 || place_of(e, &x, lead, 0, 0) == 0)) <= most;
}

/* ---- the order of dimensions ---- */

/* Makes axis *a the next dimension, with that length. */
static int
add_dim(struct axt_step *s, const struct axt_axis *a, int64_t len)
{
	s->laid.a[s->sp.nd] = *a;
	s->laid.a[s->sp.nd].len = len;
	s->sp.len[s->sp.nd] = len;
	s->laid.n = ++s->sp.nd;
	return s->sp.nd - 1;
}

/*
 * Lays out the dimensions: first the loop axes that the leader lacks, then its axes in their order.
 * Core axes are no dimensions: in their places are slots, dimensions of length 1. Slots for core
 * axes that the leader lacks are at the end.
 */
static int
lay_dims(struct axt_graph *g, struct axt_step *s, const struct axt_expr *e)
{
	struct axt_signature x = signature(e);
	int lead = leader(e), slots = 0;
	const struct axt_axes *in = &e->arg[lead]->axes;
	struct axt_axis slot = { .name = "core" };

	for (int k = 0; k < x.nin + x.nout; k++)
		slots = MAX(slots, x.core[k].n);
	if (e->axes.n + slots > AXT_MAX_DIMS)
		return axt_fail(&g->err, AXT_E_LIMIT, "%s over %d axes",
		    axt_gufunc_name[e->u.gufunc.op], e->axes.n);
	for (int c = 0; c < AXT_GUFUNC_CORE; c++)
		s->gufunc->slot[c] = -1;
	for (int i = 0; i < e->axes.n; i++) {
		int j = axt_axes_find(in, &e->axes.a[i]);

		if (core_at(e, &x, x.nin, i) < 0 && (j < 0 || core_at(e, &x, lead, j) >= 0))
			add_dim(s, &e->axes.a[i], e->axes.a[i].len);
	}
	for (int j = 0; j < in->n; j++) {
		int c = core_at(e, &x, lead, j);
		int d = add_dim(s, &in->a[j], c < 0 ? in->a[j].len : 1);

		if (c >= 0)
			s->gufunc->slot[c] = d;
	}
	for (int c = 0; c < slots; c++)
		if (s->gufunc->slot[c] < 0)
			s->gufunc->slot[c] = add_dim(s, &slot, 1);
	axt_some_dim(s);
	return 0;
}

/* The dimension that a loop axis is. */
static int
loop_dim(const struct axt_step *s, const struct axt_axis *a)
{
	for (int d = 0; d < s->laid.n; d++)
		if (!axt_is_slot(s, d) && axt_axis_same(&s->laid.a[d], a))
			return d;
	return -1;
}

/* Adds operand k, which is whole along its core axes. */
static int
add_operand(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, int k)
{
	struct axt_signature x = signature(e);
	struct axt_index_map *index_map = axt_alloc(pl->g->m, sizeof(*index_map));
	const struct axt_axes *in = &e->arg[k]->axes;
	struct axt_parts *j;

	if (!index_map)
		return axt_fail(&pl->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < in->n; i++)
		if (core_at(e, &x, k, i) < 0 && in->a[i].len != 1)
			index_map->t[index_map->n++] = (struct axt_term){ .axis = i,
				.dim = loop_dim(s, &in->a[i]) };
	j = axt_parts_whole(pl->g, e, k, axt_gufunc_core(e, k), s->gufunc->slot, x.core[k].n,
	    index_map);
	s->gufunc->operand[k] = j ? axt_compile_parts(pl, s, j, e, index_map) : -1;
	return s->gufunc->operand[k] < 0 ? pl->g->err.code : 0;
}

/* Lays out the loop nest, and adds the operands. */
static int
lay(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e)
{
	struct axt_step_gufunc *x = axt_alloc(pl->g->m, sizeof(*x));

	if (!x)
		return axt_fail(&pl->g->err, AXT_E_MEM, "out of memory");
	s->gufunc = x;
	axt_gufunc_lengths(e, x->len);
	s->prog.weight = s->prog.group = -1;
	s->kept_count = 0;
	x->most = 1;
	if (lay_dims(pl->g, s, e))
		return pl->g->err.code;
	for (int k = 0; k < e->nargs; k++)
		if (add_operand(pl, s, e, k))
			return pl->g->err.code;
	return 0;
}

/* The number of elements of tensor k in a call. */
static int64_t
call_size(const struct axt_step *s, int k)
{
	struct axt_signature x = signature(s->out[0].node);
	int64_t n = 1;

	for (int c = 0; c < x.core[k].n; c++)
		n *= s->gufunc->len[x.core[k].axis[c] - 'a'];
	return n;
}

/* Finds the dimensions of the axes of output k. */
static void
lay_output(struct axt_step *s, int k)
{
	const struct axt_expr *e = s->out[k].node;
	struct axt_signature x = signature(e);
	int64_t calls = 1;

	for (int i = 0; i < e->axes.n; i++) {
		int c = core_at(e, &x, x.nin, i);

		s->gufunc->dim[k][i] = c < 0 ? loop_dim(s, &e->axes.a[i]) : s->gufunc->slot[c];
	}
	s->kept_count = MAX(s->kept_count, axt_count(e));
	for (int i = 0; i < x.nin + x.nout; i++)
		s->gufunc->most = MAX(s->gufunc->most, call_size(s, i));
	for (int d = 0; d < s->sp.nd; d++)
		calls *= s->sp.len[d];
	s->red_count = s->kept_count ? MAX(1, calls * s->gufunc->most / s->kept_count) : 1;
}

/* Whether a step does the call of which e is a result, and can make that result, too. */
static bool
gives(const struct axt_step *s, const struct axt_expr *e)
{
	if (s->kind != AXT_STEP_GUFUNC || s->nouts == AXT_MAX_OUTS ||
	    !axt_gufunc_together(s->out[0].node, e))
		return false;
	for (int k = 0; k < s->nouts; k++)
		if (s->out[k].node->u.gufunc.result == e->u.gufunc.result)
			return false;
	return true;
}

/*
 * Adds e as a result to the step that makes the same call of the function for another result, or
 * else to a new step. If results are written in order, and e joins a step or cannot be written tile
 * after tile, its values are stored and then copied.
 */
static int
plain_step(struct axt_planner *pl, const struct axt_expr *e, int result, bool *copy)
{
	struct axt_step *s = pl->p->steps;

	while (s && !gives(s, e))
		s = s->next;
	*copy = result >= 0 && pl->o->ordered &&
	    (s || !is_direct(e, (double)MIN(DIRECT_BYTES, pl->g->memory / (4 * pl->o->threads))));
	if (!s) {
		s = axt_step_new(pl, AXT_STEP_GUFUNC);
		if (!s || lay(pl, s, e))
			return pl->g->err.code;
	}
	pl->held += result < 0 || *copy ? axt_count(e) * axt_size(e->dtype) : 0;
	axt_output_new(s, e, *copy ? -1 : result)->root = -1;
	lay_output(s, s->nouts - 1);
	return 0;
}

int
axt_gufunc_step(struct axt_planner *pl, const struct axt_expr *e, const int *axis_of, int result,
    bool *copy)
{
	(void)axis_of;
	return axt_gufunc_plain(axt_gufuncs[e->u.gufunc.op]) ? plain_step(pl, e, result, copy)
							     : axt_lines_step(pl, e, result, copy);
}

/* ---- tiles ---- */

/* The bytes of all tensors of a call. */
static int64_t
call_bytes(const struct axt_step *s)
{
	const struct axt_expr *e = s->out[0].node;
	double n = 0;

	for (int k = 0; k < e->nargs; k++)
		n += (double)call_size(s, k) * axt_size(e->arg[k]->dtype) *
		    (s->prog.operand[s->gufunc->operand[k]].joined->part[0]->prog.ninstrs ? 2 : 1);
	for (int k = 0; k < s->nouts; k++)
		n += (double)call_size(s, e->nargs + s->out[k].node->u.gufunc.result) *
		    axt_size(s->out[k].dtype);
	return (int64_t)MAX(MIN(n, BYTES_MAX), 1);
}

/* The bytes of scratch that a thread needs beside the tensors. */
static int64_t
work_bytes(const struct axt_step *s)
{
	const struct axt_expr *e = s->out[0].node;
	const struct axt_gufunc *f = axt_gufuncs[e->u.gufunc.op];
	struct axt_signature sig = signature(e);
	struct axt_gufunc_calls x = { .args = &e->u.gufunc.args,
		.sig = &sig,
		.len = s->gufunc->len };

	for (int k = 0; k < e->nargs; k++)
		x.t[k].dtype = e->arg[k]->dtype;
	for (int k = 0; k < s->nouts; k++)
		x.t[e->nargs + s->out[k].node->u.gufunc.result].dtype = s->out[k].dtype;
	return f->work ? f->work(&x) : 0;
}

static void
shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t each = call_bytes(s), calls = 1, tile = 1, most, want, used, nd = s->sp.nd;
	bool ordered = o->ordered;

	for (int d = 0; d < nd; d++)
		calls *= s->sp.len[d];
	s->gufunc->work = work_bytes(s);
	most = MAX(1, g->memory / (4 * o->threads) / each);
	want = MAX(1, elements / s->gufunc->most);
	want = MAX(want, axt_gufuncs[s->out[0].node->u.gufunc.op]->abreast);
	if (!o->tile && nd > 1 && !axt_is_slot(s, (int)nd - 1))
		want = MAX(want,
		    (s->bytes_read > o->memory ? COLUMN_BYTES : COLUMN_KEPT_BYTES) /
			axt_size(s->out[0].dtype));
	want = MIN(MIN(want, MAX(1, calls / (2 * o->threads))), most);
	for (int d = (int)nd - 1; d >= 0; d--) {
		/*
		 * if results are written in order, a tile is whole along all dimensions but the
		 * first, or also along that if it is a slot
		 */
		bool row = ordered && (d > 0 || axt_is_slot(s, 0));

		s->ext[d] = row ? s->sp.len[d] : MIN(s->sp.len[d], MAX(1, want / tile));
		tile *= s->ext[d];
		if (!row && s->ext[d] < s->sp.len[d])
			break;
	}
	s->linear = true;
	used = (int64_t)MIN((double)tile * (double)each + (double)s->gufunc->work, BYTES_MAX);
	/* this is an error, which is reported later */
	if (used > g->memory)
		s->scratch += used;
	s->scratch += MAX(0, used - TILE_FREE) * MIN(o->threads, MAX(1, calls / tile));
}

static void
kept(const struct axt_step *s, int *a, int *b)
{
	*a = 0;
	*b = s->sp.nd;
}

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	return s->sp.len[d] > 1 && (!ordered || d == 0);
}

static void
explain(const struct axt_step *s, FILE *out)
{
	const struct axt_gufunc *f = axt_gufuncs[s->out[0].node->u.gufunc.op];

	fprintf(out, "  %s:", axt_gufunc_name[s->out[0].node->u.gufunc.op]);
	for (int l = 0; l < AXT_LETTERS; l++)
		if (s->gufunc->len[l] >= 0)
			fprintf(out, " %c=%lld", 'a' + l, (long long)s->gufunc->len[l]);
	if (f->by)
		fprintf(out, "; %s", f->by(s->gufunc->len));
	fprintf(out, "\n");
}

const struct axt_step_fns axt_step_gufunc = {
	.word = "gufunc",
	.kept = kept,
	.may_slab = may_slab,
	.shape = shape,
	.explain = explain,
	.whole_axes = true,
	.keeps_dims = true,
	.spools = true,
	.own_tiles = true,
	.alone = true,
	.slab_part = 4,
	.why_cpu = "functions of whole axes are the CPU's",
};
