/* shape.c - the shape of a step's loops: simplified dimensions, tile extents, memory. */
#include "plan.h"

#define TILE_BYTES (768 << 10)	/* all buffers of a tile together: most of a core's L2 */
#define TILE_MIN (8 << 10)	/* elements */
#define TILE_MAX (128 << 10)
#define COLUMNS_MAX (16 << 10)	/* columns of a reduction tile: their states stay in L2 */
#define ROWS_MIN 8		/* rows merged in one pass over their states */
#define BAND 48			/* elements along a unit stride: three cache lines of f32 */
#define BAND_TILE (768 << 10)	/* elements of a tile that transposes: long pieces beat L2 */
#define LINEAR_BYTES (32 << 20)	/* bytes of such a tile when the output must come in order */

static void
reset(struct axt_step *s)
{
	for (int d = 0; d < AXT_MAX_DIMS; d++)
		s->ext[d] = 1;
}

/* ---- simplification ---- */

/*
 * Simplifies dimensions [a, b) of all operands into their new place at `at`;
 * returns how many are left.
 */
static int
simplify_group(struct axt_step *s, struct axt_view *views, int a, int b, int at, bool whole)
{
	struct axt_prog *p = &s->prog;
	struct axt_view *v[64 + 1];
	struct axt_view space = { .nd = b - a };
	int n = 0, nd = b - a;

	for (int d = a; d < b; d++) {
		space.shape[d - a] = s->sp.len[d];
		space.stride[d - a] = 0;
	}
	for (int k = 0; k < p->noperands; k++) {
		views[k] = (struct axt_view){ .nd = b - a };
		for (int d = a; d < b; d++) {
			views[k].shape[d - a] = s->sp.len[d];
			views[k].stride[d - a] = p->operand[k].v.stride[d];
		}
		v[n++] = &views[k];
	}
	v[n++] = &space;
	if (!whole && b > a)
		nd = axt_view_simplify(n, v, NULL);
	for (int d = 0; d < nd; d++) {
		s->sp.len[at + d] = space.shape[d];
		for (int k = 0; k < p->noperands; k++)
			p->operand[k].v.stride[at + d] = views[k].stride[d];
	}
	return nd;
}

/* The dimension of the linear group must exist: a unit dimension when the group has vanished. */
static int
unit_dim(struct axt_step *s, int at)
{
	s->sp.len[at] = 1;
	for (int k = 0; k < s->prog.noperands; k++)
		s->prog.operand[k].v.stride[at] = 0;
	return 1;
}

/*
 * Groups that must stay apart, in order; the slab dimension is a group of its
 * own unless it begins the run, and so are those cut into bands.
 */
static int
groups(const struct axt_step *s, int cut[])
{
	int n = 0;

	cut[n++] = 0;
	if (s->kind == AXT_STEP_COLUMNS)
		cut[n++] = s->nred;
	if (s->kind == AXT_STEP_LINES) {
		cut[n++] = s->line.a;
		cut[n++] = s->line.b;
	}
	if (s->kind == AXT_STEP_RUNS) {
		cut[n++] = s->nkept;
		cut[n++] = s->sp.lin;
	}
	if (s->slab_dim >= 0) {
		cut[n++] = s->slab_dim;
		if (!axt_slab_in_run(s))
			cut[n++] = s->slab_dim + 1;
	}
	for (int i = 0; i < s->nband; i++) {
		cut[n++] = s->band_dim[i];
		cut[n++] = s->band_dim[i] + 1;
	}
	for (int i = 1; i < n; i++)	/* a handful of numbers */
		for (int j = i; j > 0 && cut[j] < cut[j - 1]; j--) {
			int t = cut[j];

			cut[j] = cut[j - 1];
			cut[j - 1] = t;
		}
	return n;
}

/* The space has nd dimensions, and so have the operands. */
static void
settle_dims(struct axt_step *s, int nd)
{
	s->sp.nd = nd;
	for (int k = 0; k < s->prog.noperands; k++) {
		s->prog.operand[k].v.nd = nd;
		memcpy(s->prog.operand[k].v.shape, s->sp.len, sizeof s->sp.len);
	}
	s->sp.lin_len = 1;
	for (int d = s->sp.lin; d < nd; d++)
		s->sp.lin_len *= s->sp.len[d];
}

static int
simplify(struct axt_graph *g, struct axt_step *s)
{
	struct axt_view *views = axt_alloc(g->m, (size_t)(s->prog.noperands + 1) * sizeof *views);
	int cut[7 + 2 * AXT_MAX_DIMS], n = groups(s, cut), at = 0, slab = s->slab_dim,
	    nred = s->nred, nkept = s->nkept, a = s->line.a, b = s->line.b, band[AXT_MAX_DIMS];
	int lin = s->sp.lin, nd = s->sp.nd;
	bool in_run = axt_slab_in_run(s);

	if (!views)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	cut[n] = nd;
	memcpy(band, s->band_dim, sizeof band);
	for (int i = 0; i < n; i++) {
		bool is_slab = cut[i] == slab && cut[i + 1] == slab + 1;

		for (int k = 0; k < s->nband; k++)
			if (cut[i] == band[k] && cut[i + 1] > cut[i]) {
				s->band_dim[k] = at;
				is_slab = true;
			}

		if (cut[i] == nred && s->kind == AXT_STEP_COLUMNS)
			s->nred = at;
		if (cut[i] == nkept && s->kind == AXT_STEP_RUNS)
			s->nkept = at;
		if (cut[i] == lin && s->kind == AXT_STEP_RUNS)
			s->sp.lin = at;
		if (cut[i] == a && s->kind == AXT_STEP_LINES)
			s->line.a = at;
		if (cut[i] == b && s->kind == AXT_STEP_LINES) {
			at += at == s->line.a ? unit_dim(s, at) : 0;
			s->line.b = at;
		}
		if (cut[i] == slab)
			s->slab_dim = at;
		/* the run keeps its first dimension when slabs advance along it */
		at += simplify_group(s, views, cut[i], cut[i + 1], at,
		    is_slab || (in_run && cut[i] == lin));
	}
	if (s->kind == AXT_STEP_RUNS && cut[n - 1] == lin && at == s->sp.lin)
		at += unit_dim(s, at);
	if (s->kind == AXT_STEP_COLUMNS && at == s->nred)
		at += unit_dim(s, at);
	if (s->kind == AXT_STEP_LINES && b == nd) {
		at += at == s->line.a ? unit_dim(s, at) : 0;
		s->line.b = at;
	}
	if (at == 0)
		at += unit_dim(s, at);
	if (s->kind != AXT_STEP_RUNS)
		s->sp.lin = at - 1;
	settle_dims(s, at);
	return 0;
}

int
axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts)
{
	struct axt_step *s = m->s;
	struct axt_view *views = axt_alloc(g->m, (size_t)(s->prog.noperands + 1) * sizeof *views);
	int outer = m->outer, lin = s->sp.lin, nd = s->sp.nd, at;
	const struct axt_plan_opts whole = { .slab = INT64_MAX };

	reset(s);
	if (!views)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_choose_slabs(g, s, &whole, facts))	/* chunks are decoded once */
		return g->err.code;
	m->outer = simplify_group(s, views, 0, outer, 0, false);
	at = m->outer + simplify_group(s, views, outer, lin, m->outer, false);
	at += at == m->outer ? unit_dim(s, at) : 0;
	s->sp.lin = at;
	at += simplify_group(s, views, lin, nd, at, false);
	at += at == s->sp.lin ? unit_dim(s, at) : 0;
	settle_dims(s, at);
	s->ext[s->sp.lin] = AXT_MATRIX_TILE;
	for (int k = 0; k < s->prog.noperands; k++)
		s->prog.operand[k].in_place = !s->prog.operand[k].slabbed;
	return 0;
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

static int64_t
product(const struct axt_step *s, const int64_t *x, int a, int b)
{
	int64_t n = 1;

	for (int d = a; d < b; d++)
		n *= x ? x[d] : axt_band_len(s, d);
	return n;
}

/* Widens the tile over dimensions [a, b), innermost first, until it holds `room` elements there. */
static void
widen(struct axt_step *s, int a, int b, int64_t room)
{
	for (int d = b - 1; d >= a; d--) {
		int64_t others = product(s, s->ext, a, b) / s->ext[d];

		s->ext[d] = MAX(s->ext[d], MIN(axt_band_len(s, d), MAX(1, room / others)));
		if (s->ext[d] < axt_band_len(s, d))
			break;
	}
}

/* Dimension along which an operand that is strided in the innermost one lies contiguous, or -1. */
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

static int
transposed_dim(const struct axt_step *s)
{
	int u = -1;

	for (int k = 0; k < s->prog.noperands && u < 0; k++)
		u = unit_stride_dim(s, &s->prog.operand[k]);
	return u;
}

static int64_t
element_bytes(const struct axt_step *s)
{
	int64_t n = 0;

	for (int k = 0; k < s->nouts; k++)
		n += s->kind == AXT_STEP_MAP || k == 0 ? axt_size(s->out[k].dtype) : 0;
	for (int k = 0; k < s->prog.noperands; k++)
		if (!s->prog.operand[k].scalar)
			n += s->prog.operand[k].size;
	return n;
}

static int64_t
tile_room(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t all = s->kept_count * s->red_count, room;

	if (o->tile > 0)
		return o->tile;
	room = MIN(MAX(TILE_BYTES / MAX(1, element_bytes(s)), TILE_MIN), TILE_MAX);
	return MAX(MIN(room, all / (4 * o->threads)), TILE_MIN) / AXT_BLOCK * AXT_BLOCK;
}

/* Whether tiles, taken in order, cover [a, b) row-major without gaps. */
static bool
is_linear(const struct axt_step *s, int a, int b)
{
	int d = a;

	while (d < b && s->ext[d] == 1)
		d++;
	for (d++; d < b; d++)
		if (s->ext[d] != axt_band_len(s, d))
			return false;
	return true;
}

static void
shape_map(struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = tile_room(s, o), inner;
	int u = transposed_dim(s);

	if (u >= 0 && !o->tile) {
		inner = product(s, NULL, u + 1, s->sp.nd);
		if (!o->ordered) {
			s->ext[u] = MIN(BAND, axt_band_len(s, u));
			room = MAX(room, MIN(BAND_TILE, s->kept_count / (2 * o->threads)));
		} else if (inner * element_bytes(s) * 16 <= LINEAR_BYTES) {
			room = MAX(room, inner * MIN(BAND,
			    MIN(s->sp.len[u], LINEAR_BYTES / 2 / (inner * element_bytes(s)))));
		}
	}
	widen(s, 0, s->sp.nd, room);
	s->linear = is_linear(s, 0, s->sp.nd);
}

static void
shape_columns(struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = tile_room(s, o), cols = MIN(COLUMNS_MAX, room), u = transposed_dim(s);

	if (!s->nband)
		cols = MIN(cols, MAX(s->kept_count / (2 * o->threads), AXT_BLOCK));
	if (u >= s->nred && !o->tile && !o->ordered)	/* rows of reduced elements stay in order */
		s->ext[u] = MIN(BAND, axt_band_len(s, u));
	widen(s, s->nred, s->sp.nd, cols);
	widen(s, 0, s->nred, MAX(ROWS_MIN, room / product(s, s->ext, s->nred, s->sp.nd)));
	s->linear = is_linear(s, s->nred, s->sp.nd);
}

static void
shape_runs(struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = tile_room(s, o), tiles;

	room = MAX(room / AXT_BLOCK * AXT_BLOCK, AXT_BLOCK);
	s->ext[s->sp.lin] = MIN(room, s->sp.lin_len);
	if (s->ext[s->sp.lin] == s->sp.lin_len)
		widen(s, s->nkept, s->sp.lin + 1, room);
	if (product(s, s->ext, s->nkept, s->sp.lin + 1) == s->red_count)
		widen(s, 0, s->sp.lin + 1, room);
	tiles = product(s, NULL, 0, s->nkept) / MAX(1, product(s, s->ext, 0, s->nkept));
	s->partials = s->parts == 1 && !s->nband && tiles < 2 * o->threads &&
	    s->red_count > 4 * AXT_BLOCK && (s->slab_dim < 0 || s->slab_dim >= s->nkept);
	if (s->partials) {
		for (int d = 0; d < s->nkept; d++)
			s->ext[d] = 1;
	}
	s->linear = is_linear(s, 0, s->nkept);
}

/* ---- all ---- */

int64_t
axt_operand_piece(const struct axt_operand *op, const struct axt_space *sp,
    const struct axt_tile *t)
{
	int64_t expect = 1, piece = t->n[sp->lin];
	bool full = piece == sp->lin_len;

	/* the linear group must lie contiguous as a whole */
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

/*
 * Small contiguous pieces and values read again and again come through memory, long pieces
 * by pread; a reduction reads its operands where they lie when it may (measured: a copy in
 * L2 pays for itself only beside an output).
 */
static void
choose_access(struct axt_step *s)
{
	struct axt_tile t = { 0 };

	for (int d = 0; d <= s->sp.lin; d++)
		t.n[d] = s->ext[d];
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		if (op->node->kind == AXT_NODE_GEN || op->mapped || op->slabbed || op->stream)
			continue;
		op->in_place = s->kind != AXT_STEP_MAP;
		if (axt_operand_piece(op, &s->sp, &t) * op->size < 8192)
			op->mapped = true;
		for (int d = 0; d < s->sp.nd; d++)
			if (op->v.stride[d] == 0 && s->sp.len[d] > 1)
				op->mapped = true;
	}
}

static void
count_bytes(struct axt_step *s)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (op->node->kind == AXT_NODE_LEAF)
			s->bytes_read += axt_count(op->node) * op->size;
		for (int i = 0; op->product && i < 2; i++) {
			count_bytes(op->product->arg[i].s);
			s->bytes_read += op->product->arg[i].s->bytes_read;
		}
	}
	for (int k = 0; k < s->nouts; k++)
		*(s->out[k].result < 0 ? &s->bytes_held : &s->bytes_written) +=
		    s->kept_count * axt_size(s->out[k].dtype);
}

static bool
reduced_dim(const struct axt_step *s, int d)
{
	return s->kind == AXT_STEP_COLUMNS ? d < s->nred : d >= s->nkept;
}

/* Results whose states live together. */
static int64_t
kept_at_once(const struct axt_step *s)
{
	return s->kind == AXT_STEP_COLUMNS ? product(s, NULL, s->nred, s->sp.lin + 1)
	    : product(s, NULL, 0, s->nkept);
}

int
axt_shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	reset(s);
	count_bytes(s);
	if (s->kept_count == 0 || s->red_count == 0) {
		s->slab_dim = -1;
		s->linear = true;
		return 0;
	}
	if (s->kind == AXT_STEP_LINES)
		axt_lines_choose(g, s, o);
	if (axt_choose_slabs(g, s, o, facts) || simplify(g, s))
		return g->err.code;
	for (int k = 0; k < s->prog.noperands; k++)
		if (s->prog.operand[k].product)
			s->bytes_read += axt_product_again(s, &s->prog.operand[k]);
	axt_choose_streams(s, o);
	switch (s->kind) {
	case AXT_STEP_COLUMNS:
		shape_columns(s, o);
		break;
	case AXT_STEP_RUNS:
		shape_runs(s, o);
		break;
	case AXT_STEP_LINES:
		axt_lines_shape(g, s, o, tile_room(s, o));
		break;
	default:
		shape_map(s, o);
	}
	if (s->kind == AXT_STEP_COLUMNS || s->kind == AXT_STEP_RUNS)
		s->global_acc = s->partials || (s->slab_dim >= 0 && reduced_dim(s, s->slab_dim));
	for (int k = 0; k < s->nouts && s->global_acc; k++)
		s->scratch += kept_at_once(s) * s->parts * 8 * s->out[k].fns->planes;
	choose_access(s);
	return 0;
}
