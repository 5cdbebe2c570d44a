/* shape.c - the shape of a step's loops: lengths of tiles, how operands are read, and memory. */
#include "plan/steps.h"

#define TILE_BYTES (768 << 10) /* of all buffers of a tile, which is most of the L2 of a core */
#define TILE_MIN (8 << 10)     /* elements of the smallest tile */
#define TILE_MAX (128 << 10)
/* elements: some megabytes, which are worth a transfer and quickly allocated */
#define DEVICE_MAX (1 << 20)
#define DEVICE_MIN (64 << 10)
#define GROUPS_STATES (256 << 10)   /* states of a tile with groups */
#define GROUPS_COLUMNS 64           /* a tile with groups has at least so many columns */
#define GROUPS_STATES_MAX (1 << 20) /* unless that makes more states than this */
/* bytes: pieces of this length are read, shorter ones come from a map of the file */
#define PIECE_READ 8192
/* shorter ones, with SPARSE times as much between them, are read without what follows them */
#define PIECE_AHEAD (32 << 10)
#define SPARSE 4
/* a reduction maps a file if the part of it that is used has at least so many bytes */
#define PART_MAPPED (64 << 10)

static void
reset(struct axt_step *s)
{
	for (int d = 0; d < AXT_MAX_DIMS; d++)
		s->ext[d] = 1;
}

/* ---- tiles ---- */

int64_t
axt_band_len(const struct axt_step *s, int d)
{
	for (int k = 0; k < s->nband; k++)
		if (s->band_dim[k] == d)
			return s->band[k];
	for (int k = 0; k < s->nwalk - 1; k++)
		if (s->walk[k] == d)
			return 1;
	return d == s->sp.lin ? s->sp.lin_len : s->sp.len[d];
}

int64_t
axt_tile_count(const struct axt_step *s, const int64_t *x, int a, int b)
{
	int64_t n = 1;

	for (int d = a; d < b; d++)
		n *= x ? x[d] : axt_band_len(s, d);
	return n;
}

void
axt_tile_widen(struct axt_step *s, int a, int b, int64_t elements)
{
	for (int d = b - 1; d >= a; d--) {
		int64_t others = axt_tile_count(s, s->ext, a, b) / s->ext[d];

		s->ext[d] = MAX(s->ext[d], MIN(axt_band_len(s, d), MAX(1, elements / others)));
		if (s->ext[d] < axt_band_len(s, d))
			break;
	}
}

/*
 * If the operand is strided along the innermost dimension, the dimension along which it is
 * contiguous, or -1 if there is none.
 */
static int
unit_stride_dim(const struct axt_step *s, const struct axt_operand *op)
{
	int64_t in = op->v.stride[s->sp.nd - 1];

	if (op->scalar || in == 1 || in == 0 || s->sp.lin != s->sp.nd - 1)
		return -1;
	for (int d = 0; d < s->sp.nd - 1; d++)
		if (op->v.stride[d] == 1 && s->sp.len[d] > 1)
			return d;
	return -1;
}

int
axt_transposed_dim(const struct axt_step *s)
{
	int u = -1;

	for (int k = 0; k < s->prog.noperands && u < 0; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		u = op->joined ? axt_transposed_dim(op->joined->part[0]) : unit_stride_dim(s, op);
	}
	return u;
}

int64_t
axt_element_bytes(const struct axt_step *s)
{
	int64_t n = 0;

	for (int k = 0; k < s->nouts; k++)
		n += axt_step_fns(s)->elementwise || k == 0 ? axt_size(s->out[k].dtype) : 0;
	for (int k = 0; k < s->prog.noperands; k++)
		if (!s->prog.operand[k].scalar)
			n += s->prog.operand[k].size;
	return n;
}

/* Elements of a device's tile; those of all threads take half of its memory. */
static int64_t
device_elements(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t elements = o->device / 2 / o->threads / MAX(1, axt_element_bytes(s));

	return MAX(MIN(DEVICE_MAX, elements), DEVICE_MIN) / AXT_BLOCK * AXT_BLOCK;
}

int64_t
axt_tile_limit(const struct axt_step *s, const struct axt_plan_opts *o)
{
	return MAX(TILE_MIN,
	    o->memory / AXT_TILES_PART / o->threads / MAX(1, axt_element_bytes(s)));
}

static int64_t
tile_elements(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t all = s->kept_count * s->red_count, elements;

	if (o->tile > 0)
		return o->tile;
	if (s->device)
		return device_elements(s, o);
	elements = MIN(MAX(TILE_BYTES / MAX(1, axt_element_bytes(s)), TILE_MIN), TILE_MAX);
	elements = MIN(elements, axt_tile_limit(s, o));
	return MAX(MIN(elements, all / (4 * o->threads)), TILE_MIN) / AXT_BLOCK * AXT_BLOCK;
}

bool
axt_tile_linear(const struct axt_step *s, int a, int b)
{
	int d = a;

	while (d < b && s->ext[d] == 1)
		d++;
	for (d++; d < b; d++)
		if (s->ext[d] != axt_band_len(s, d))
			return false;
	return true;
}

int64_t
axt_groups_most(const struct axt_step *s)
{
	return s->red.groups == 1
	    ? INT64_MAX
	    : MAX(GROUPS_STATES / s->red.groups,
		  MIN(GROUPS_COLUMNS, MAX(1, GROUPS_STATES_MAX / s->red.groups)));
}

/* ---- the whole step ---- */

int64_t
axt_operand_piece(const struct axt_operand *op, const struct axt_space *sp,
    const struct axt_tile *t)
{
	int64_t expect = 1, piece = t->n[sp->lin];
	bool full = piece == sp->lin_len;

	/* the linear group must be contiguous as a whole */
	for (int d = sp->nd - 1; d >= sp->lin; d--) {
		if (sp->len[d] > 1 && op->v.stride[d] != expect)
			return 1;
		expect *= sp->len[d];
	}
	for (int d = sp->lin - 1; d >= 0; d--) {
		if (t->n[d] > 1) {
			if (!full || op->v.stride[d] != expect)
				break;
			piece *= t->n[d];
		}
		full = full && t->n[d] == sp->len[d];
		expect *= sp->len[d];
	}
	return piece;
}

/* Sets the tile of a part of an operand, whose linear group is its last dimension. */
static void
part_extents(const struct axt_step *s, const struct axt_parts *j, struct axt_step *part)
{
	int64_t elements = s->ext[s->sp.lin];

	reset(part);
	for (int d = s->sp.nd - 1; d >= 0; d--) {
		part->ext[d] = MIN(part->sp.len[d], d < s->sp.lin ? s->ext[d] : MAX(elements, 1));
		if (d >= s->sp.lin)
			elements /= s->sp.len[d];
	}
	for (int c = 0; c < j->ncore; c++)
		part->ext[j->core[c].dim] = j->core[c].len;
}

/* How many elements of its storage an operand needs. */
static int64_t
touched(const struct axt_step *s, const struct axt_operand *op)
{
	int64_t n = 1;

	for (int d = 0; d < s->sp.nd; d++)
		if (op->v.stride[d] != 0 && !axt_mul(n, s->sp.len[d], &n))
			return axt_count(op->node);
	return MIN(n, axt_count(op->node));
}

/* The elements from the first to the last that the step uses; those of all, where it jumps. */
static int64_t
span(const struct axt_step *s, const struct axt_operand *op)
{
	int64_t n = 1, all = axt_count(op->node);

	for (int d = 0; d < s->sp.nd && !op->jumps; d++) {
		int64_t stride = op->v.stride[d] < 0 ? -op->v.stride[d] : op->v.stride[d], more;

		if (!axt_mul(stride, MAX(0, s->sp.len[d] - 1), &more) || more > all)
			return all;
		n += more;
	}
	return op->jumps ? all : MIN(n, all);
}

/*
 * Chooses how operands in files are read. They are mapped if pieces are small or values are used
 * repeatedly; long pieces are read by pread. The operands of a reduction may be used in place
 * instead, since a copy to the L2 cache was measured to pay only if there is an output beside it.
 */
static void
choose_access(struct axt_step *s, bool reduces)
{
	struct axt_tile t = { 0 };
	int64_t piece;

	for (int d = 0; d <= s->sp.lin; d++)
		t.n[d] = s->ext[d];
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		for (int i = 0; op->joined && i < op->joined->nparts; i++) {
			part_extents(s, op->joined, op->joined->part[i]);
			choose_access(op->joined->part[i],
			    reduces &&
				axt_count(op->node) * op->size >= op->joined->nparts * PART_MAPPED);
		}
		if (op->source != AXT_SOURCE_STORED || op->access == AXT_ACCESS_MAPPED)
			continue;
		op->access = reduces && !s->device ? AXT_ACCESS_IN_PLACE : AXT_ACCESS_PIECES;
		piece = axt_operand_piece(op, &s->sp, &t);
		if (piece * op->size < PIECE_READ && touched(s, op) > piece)
			op->access = AXT_ACCESS_MAPPED;
		for (int d = 0; d < s->sp.nd; d++)
			if (op->v.stride[d] == 0 && s->sp.len[d] > 1)
				op->access = AXT_ACCESS_MAPPED;
		op->sparse = piece * op->size < PIECE_AHEAD &&
		    touched(s, op) < span(s, op) / SPARSE;
	}
}

static void
count_bytes(struct axt_step *s)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (op->st)
			s->bytes_read += touched(s, op) * op->size;
		for (int i = 0; op->joined && i < op->joined->nparts; i++) {
			count_bytes(op->joined->part[i]);
			s->bytes_read += op->joined->part[i]->bytes_read;
		}
		for (int i = 0; op->product && i < 2; i++) {
			count_bytes(op->product->arg[i].s);
			s->bytes_read += op->product->arg[i].s->bytes_read;
		}
	}
	for (int k = 0; k < s->nouts; k++)
		*(s->out[k].result < 0 ? &s->bytes_held
				       : &s->bytes_written) += axt_count(s->out[k].node) *
		    axt_size(s->out[k].dtype);
}

/*
 * The bytes of the states that are kept during the whole step, and of the states of groups that
 * each thread has for its tile.
 */
static int64_t
states_bytes(const struct axt_step *s, const struct axt_plan_opts *o, int planes)
{
	double n = 0;
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	if (s->red.global_acc)
		n = (double)axt_tile_count(s, NULL, a, b) * (s->red.own ? 1 + o->threads : 1);
	else if (s->red.group_at >= 0)
		n = (double)axt_tile_count(s, s->ext, a, b) * o->threads;
	return (int64_t)MIN(n * (double)s->red.groups * s->red.parts * 8 * planes, 1e17);
}

int
axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts)
{
	struct axt_step *s = m->s;
	const struct axt_plan_opts whole = { .slab = INT64_MAX };

	reset(s);
	if (axt_choose_slabs(g, s, &whole, facts) || /* chunks are decoded once, for the whole */
	    axt_simplify_matrix(g, m))
		return g->err.code;
	s->ext[s->sp.lin] = AXT_MATRIX_TILE;
	for (int k = 0; k < s->prog.noperands; k++)
		s->prog.operand[k].access = MAX(s->prog.operand[k].access, AXT_ACCESS_IN_PLACE);
	return 0;
}

/*
 * The bytes of the tiles of all threads that are written: the values of maps, and operands that
 * pread fills.
 */
static int64_t
tiles_bytes(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t n = axt_tile_count(s, axt_is_side(s) ? s->columns.part : s->ext, 0, s->sp.lin + 1),
		all = s->kept_count * s->red_count, each = 0;

	if (axt_step_fns(s)->own_tiles)
		return 0;
	for (int k = 0; k < s->nouts && axt_step_fns(s)->elementwise; k++)
		each += axt_size(s->out[k].dtype);
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (!op->scalar && op->access == AXT_ACCESS_PIECES && !axt_is_slabbed(op))
			each += op->size;
	}
	return n * each * MAX(1, MIN(o->threads, all / MAX(1, n)));
}

int
axt_shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	const struct axt_step_fns *f = axt_step_fns(s);

	reset(s);
	axt_choose_device(s, o);
	count_bytes(s);
	if (s->kept_count == 0 || s->red_count == 0) {
		s->slab_dim = -1;
		s->linear = true;
		return 0;
	}
	if (f->choose)
		f->choose(g, s, o);
	if (axt_choose_slabs(g, s, o, facts))
		return g->err.code;
	if (axt_simplify(g, s))
		return g->err.code;
	for (int k = 0; k < s->prog.noperands; k++)
		if (s->prog.operand[k].product)
			s->bytes_read += axt_product_again(s, &s->prog.operand[k]);
	axt_choose_streams(s, o);
	f->shape(g, s, o, tile_elements(s, o));
	if (f->states)
		s->red.global_acc = s->red.partials || s->red.own || s->red.group_parts > 1 ||
		    (s->slab_dim >= 0 && axt_is_reduced(s, s->slab_dim));
	for (int k = 0; k < s->nouts && s->out[k].fns; k++)
		s->scratch += states_bytes(s, o, s->out[k].fns->planes);
	choose_access(s, !f->elementwise);
	s->tiles = tiles_bytes(s, o);
	return 0;
}
