/* shape.c - the shape of a step's loops: tile extents, ways to its operands, memory. */
#include "plan/plan.h"

#define TILE_BYTES (768 << 10) /* all buffers of a tile together: most of a core's L2 */
#define TILE_MIN (8 << 10)     /* elements */
#define TILE_MAX (128 << 10)
#define COLUMNS_DEVICE (256 << 10)
#define DEVICE_MAX (1 << 20) /* elements: some megabytes, worth a transfer, little to allocate */
#define DEVICE_MIN (64 << 10)
#define COLUMNS_MAX (16 << 10)      /* columns of a reduction tile: their states stay in L2 */
#define GROUPS_STATES (256 << 10)   /* states of a tile with groups ... */
#define GROUPS_COLUMNS 64           /* but so many columns ... */
#define GROUPS_STATES_MAX (1 << 20) /* within this bound */
#define GROUPS_PARTIAL \
	512             /* of so many a block has few elements each: partial states save nothing */
#define GROUPS_PART 256 /* of a part at least, where threads have parts of the groups ... */
#define GROUPS_ELEMENTS (64 << 10) /* ... of so many elements at least ... */
#define GROUPS_INSTRS 4            /* ... which so few instructions compute */
#define SIDE_PART (8 << 10)        /* elements of runs side by side that are computed at once */
#define SIDE_COLUMNS 128           /* but so many runs at least */
#define WINDOWS_MIN 8              /* windows of a part at least */
#define ROWS_MIN 8                 /* rows merged in one pass over their states */
#define BAND 48                    /* elements along a unit stride: three cache lines of f32 */
#define BAND_TILE (768 << 10)      /* elements of a tile that transposes: long pieces beat L2 */
#define TILES_PART 8               /* of memory all threads' tiles are one such part, at most */
#define PIECE_READ 8192 /* bytes: pieces as long are read, shorter ones lie in a map of the file */
#define PART_MAPPED (64 << 10) /* bytes of a part from which on mapping it pays for a reduction */
#define LINEAR_BYTES (32 << 20) /* bytes of such a tile when the output must come in order */

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

	for (int k = 0; k < s->prog.noperands && u < 0; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		u = op->joined ? transposed_dim(op->joined->part[0]) : unit_stride_dim(s, op);
	}
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

/* Elements: half of the memory holds the tiles of all threads. */
static int64_t
device_room(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = o->device / 2 / o->threads / MAX(1, element_bytes(s));

	return MAX(MIN(DEVICE_MAX, room), DEVICE_MIN) / AXT_BLOCK * AXT_BLOCK;
}

/*
 * Elements of a tile, when those of all threads take a part of the memory that is little beside it.
 */
static int64_t
tile_limit(const struct axt_step *s, const struct axt_plan_opts *o)
{
	return MAX(TILE_MIN, o->memory / TILES_PART / o->threads / MAX(1, element_bytes(s)));
}

static int64_t
tile_room(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t all = s->kept_count * s->red_count, room;

	if (o->tile > 0)
		return o->tile;
	if (s->device)
		return device_room(s, o);
	room = MIN(MAX(TILE_BYTES / MAX(1, element_bytes(s)), TILE_MIN), TILE_MAX);
	room = MIN(room, tile_limit(s, o));
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
	int64_t room = tile_room(s, o), inner,
		linear = MIN(LINEAR_BYTES, o->memory / TILES_PART / o->threads);
	int u = transposed_dim(s);

	if (u >= 0 && !o->tile) {
		inner = product(s, NULL, u + 1, s->sp.nd);
		if (!o->ordered) {
			s->ext[u] = MIN(BAND, axt_band_len(s, u));
			room = MAX(room,
			    MIN(MIN(BAND_TILE, tile_limit(s, o)),
				s->kept_count / (2 * o->threads)));
		} else if (inner * element_bytes(s) * 16 <= linear) {
			room = MAX(room,
			    inner *
				MIN(BAND,
				    MIN(s->sp.len[u], linear / 2 / (inner * element_bytes(s)))));
		}
	}
	widen(s, 0, s->sp.nd, room);
	s->linear = is_linear(s, 0, s->sp.nd);
}

/* Kept elements of a tile whose states are there for each group. */
static int64_t
groups_room(const struct axt_step *s)
{
	return s->groups == 1 ? INT64_MAX
			      : MAX(GROUPS_STATES / s->groups,
				    MIN(GROUPS_COLUMNS, MAX(1, GROUPS_STATES_MAX / s->groups)));
}

static void
shape_columns(struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = tile_room(s, o), most = s->device ? COLUMNS_DEVICE : COLUMNS_MAX,
		cols = MIN(MIN(most, room), groups_room(s)), u = transposed_dim(s);

	if (!s->nband && !s->device)
		cols = MIN(cols, MAX(s->kept_count / (2 * o->threads), AXT_BLOCK));
	if (u >= s->nred && !o->tile && !o->ordered) /* rows of reduced elements stay in order */
		s->ext[u] = MIN(BAND, axt_band_len(s, u));
	widen(s, s->nred, s->sp.nd, cols);
	widen(s, 0, s->nred, MAX(ROWS_MIN, room / product(s, s->ext, s->nred, s->sp.nd)));
	s->linear = is_linear(s, s->nred, s->sp.nd);
}

/* Whether an operand's element depends on the sum of the indices of dimensions d and w only. */
static bool
slides(const struct axt_operand *op, int d, int w)
{
	return op->scalar ||
	    (!op->joined && !op->jump[d] && !op->jump[w] && op->v.stride[d] == op->v.stride[w]);
}

/* Finds the kept dimension along which runs are windows that overlap, before simplification. */
static void
find_slide(struct axt_step *s)
{
	int w = -1;

	s->slide = -1;
	if (s->kind != AXT_STEP_COLUMNS || s->prog.weight >= 0)
		return;
	for (int d = s->run; d < s->nred; d++) {
		if (s->sp.len[d] > 1 && w >= 0)
			return;
		w = s->sp.len[d] > 1 ? d : w;
	}
	for (int d = s->nred; d < s->sp.nd && w >= 0 && s->slide < 0; d++) {
		bool all = s->sp.len[d] > 1;

		for (int k = 0; k < s->prog.noperands; k++)
			all = all && slides(&s->prog.operand[k], d, w);
		s->slide = all ? d : -1;
	}
}

/* The same extents, but of the kept dimensions so few that `cols` elements are in a part. */
static void
cut_part(struct axt_step *s, int64_t cols)
{
	memcpy(s->part, s->ext, sizeof(s->part));
	for (int d = s->sp.nd - 1; d >= s->nred; d--) {
		s->part[d] = MAX(1, MIN(s->ext[d], cols));
		cols = s->part[d] < s->ext[d] ? 1 : cols / s->part[d];
	}
}

/*
 * Windows that overlap: along the dimension they slide on a part has about as many windows as are
 * in one, so that little is computed twice.
 */
static void
shape_windows(struct axt_step *s, int64_t room, bool ordered)
{
	int d = s->slide;
	int64_t most = MIN(room, 2 * COLUMNS_MAX), n = s->run_len, inner,
		along = MIN(axt_band_len(s, d), MAX(n, WINDOWS_MIN));

	s->slid = s->sp;
	s->slid.len[s->run] = 1;
	s->slid.len[d] += n - 1;
	if (d == s->slid.lin)
		s->slid.lin_len = s->slid.len[d];
	if (ordered && product(s, NULL, d + 1, s->sp.nd) > most / along)
		along = 1;
	widen(s, d + 1, s->sp.nd, MAX(1, MIN(most / along, 2 * most / (along + n))));
	inner = product(s, s->ext, d + 1, s->sp.nd);
	if (!ordered || inner == product(s, NULL, d + 1, s->sp.nd))
		s->ext[d] = MIN(axt_band_len(s, d), MAX(1, most / inner));
	memcpy(s->part, s->ext, sizeof(s->part));
	s->part[s->run] = 1;
	s->part[d] += n - 1;
	if (s->ext[d] == axt_band_len(s, d) && inner == product(s, NULL, d + 1, s->sp.nd))
		widen(s, s->nred, d, MAX(1, most / inner / s->ext[d]));
}

/* Runs side by side: whole ones, of some results at a time what is computed stays in L1. */
static void
shape_side(struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t room = tile_room(s, o), cols = o->tile ? MAX(1, room / s->run_len) : COLUMNS_MAX;

	for (int d = s->run; d < s->nred; d++)
		s->ext[d] = s->sp.len[d];
	if (s->slide >= 0) {
		shape_windows(s, room, o->ordered);
	} else {
		widen(s, s->nred, s->sp.nd, cols);
		cut_part(s, o->tile ? cols : MAX(SIDE_PART / s->run_len, SIDE_COLUMNS));
	}
	s->linear = is_linear(s, s->nred, s->sp.nd);
}

/*
 * Whether there is one tile of results whose groups are cut into parts, one for each thread: all of
 * them see every element, so that each group has its elements in their order. What is computed
 * first is computed by each: not where that is much. Streams have schedules of their own.
 */
static bool
groups_in_parts(const struct axt_step *s, int64_t tiles)
{
	for (int k = 0; k < s->prog.noperands; k++)
		if (s->prog.operand[k].stream)
			return false;
	return !s->partials && !s->nband && !s->device && tiles == 1 &&
	    s->groups >= 2 * GROUPS_PART && s->red_count >= GROUPS_ELEMENTS &&
	    s->prog.ninstrs <= GROUPS_INSTRS;
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
		widen(s, 0, s->sp.lin + 1,
		    MIN(room,
			s->groups == 1 ? room : MAX(s->red_count, 1) * MIN(groups_room(s), room)));
	tiles = product(s, NULL, 0, s->nkept) / MAX(1, product(s, s->ext, 0, s->nkept));
	s->partials = s->parts == 1 && !s->nband && s->groups <= GROUPS_PARTIAL &&
	    tiles < 2 * o->threads && s->red_count > 4 * AXT_BLOCK &&
	    (s->slab_dim < 0 || s->slab_dim >= s->nkept);
	if (s->partials) {
		for (int d = 0; d < s->nkept; d++)
			s->ext[d] = 1;
	}
	if (groups_in_parts(s, tiles))
		s->group_parts = (int)MIN(o->threads, s->groups / GROUPS_PART);
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

/* Tiles of a part of a concatenation: its linear group is its last dimension. */
static void
part_extents(const struct axt_step *s, const struct axt_parts *j, struct axt_step *part)
{
	int64_t room = s->ext[s->sp.lin];

	reset(part);
	for (int d = s->sp.nd - 1; d >= 0; d--) {
		part->ext[d] = MIN(part->sp.len[d], d < s->sp.lin ? s->ext[d] : MAX(room, 1));
		if (j->whole && d == j->dim)
			part->ext[d] = part->sp.len[d];
		if (d >= s->sp.lin)
			room /= s->sp.len[d];
	}
}

/* Elements of its storage that an operand needs. */
static int64_t
touched(const struct axt_step *s, const struct axt_operand *op)
{
	int64_t n = 1;

	for (int d = 0; d < s->sp.nd; d++)
		if (op->v.stride[d] != 0 && !axt_mul(n, s->sp.len[d], &n))
			return axt_count(op->node);
	return MIN(n, axt_count(op->node));
}

/*
 * Small contiguous pieces and values read again and again come through memory, long pieces
 * by pread; a reduction reads its operands where they lie when it may (measured: a copy in
 * L2 pays for itself only beside an output).
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
		if (op->node->kind == AXT_NODE_GEN || op->mapped || op->slabbed || op->stream ||
		    op->joined)
			continue;
		op->in_place = reduces && !s->device;
		piece = axt_operand_piece(op, &s->sp, &t);
		if (piece * op->size < PIECE_READ && touched(s, op) > piece)
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
		*(s->out[k].result < 0 ? &s->bytes_held : &s->bytes_written) += s->kept_count *
		    s->groups * axt_size(s->out[k].dtype);
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

/* Of states that live through the step, and of all groups' in the threads' tiles. */
static int64_t
states_bytes(const struct axt_step *s, const struct axt_plan_opts *o, int planes)
{
	int a = s->kind == AXT_STEP_COLUMNS ? s->nred : 0,
	    b = s->kind == AXT_STEP_COLUMNS ? s->sp.lin + 1 : s->nkept;
	double n = s->global_acc ? (double)kept_at_once(s)
	    : s->group_at >= 0   ? (double)product(s, s->ext, a, b) * o->threads
				 : 0;

	return (int64_t)MIN(n * (double)s->groups * s->parts * 8 * planes, 1e17);
}

int
axt_shape_matrix(struct axt_graph *g, struct axt_matrix *m, axt_facts_fn *facts)
{
	struct axt_step *s = m->s;
	const struct axt_plan_opts whole = { .slab = INT64_MAX };

	reset(s);
	if (axt_choose_slabs(g, s, &whole, facts) || /* chunks are decoded once */
	    axt_simplify_matrix(g, m))
		return g->err.code;
	s->ext[s->sp.lin] = AXT_MATRIX_TILE;
	for (int k = 0; k < s->prog.noperands; k++)
		s->prog.operand[k].in_place = !s->prog.operand[k].slabbed;
	return 0;
}

/* Bytes of the threads' tiles that are filled: of a map, and of what comes by pread. */
static int64_t
tiles_bytes(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t n = product(s, axt_is_side(s) ? s->part : s->ext, 0, s->sp.lin + 1),
		all = s->kept_count * s->red_count, each = 0;

	if (s->kind == AXT_STEP_LINES) /* those are counted */
		return 0;
	for (int k = 0; k < s->nouts && s->kind == AXT_STEP_MAP; k++)
		each += axt_size(s->out[k].dtype);
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (!op->scalar && !op->in_place && !op->slabbed && !op->mapped)
			each += op->size;
	}
	return n * each * MAX(1, MIN(o->threads, all / MAX(1, n)));
}

int
axt_shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
    axt_facts_fn *facts)
{
	reset(s);
	axt_choose_device(s, o);
	count_bytes(s);
	if (s->kept_count == 0 || s->red_count == 0) {
		s->slab_dim = -1;
		s->linear = true;
		return 0;
	}
	if (s->kind == AXT_STEP_LINES)
		axt_lines_choose(g, s, o);
	if (axt_choose_slabs(g, s, o, facts))
		return g->err.code;
	find_slide(s);
	if (axt_simplify(g, s))
		return g->err.code;
	for (int k = 0; k < s->prog.noperands; k++)
		if (s->prog.operand[k].product)
			s->bytes_read += axt_product_again(s, &s->prog.operand[k]);
	axt_choose_streams(s, o);
	s->run_len = 1;
	for (int d = s->run; s->kind == AXT_STEP_COLUMNS && d < s->nred; d++)
		s->run_len *= s->sp.len[d];
	switch (s->kind) {
	case AXT_STEP_COLUMNS:
		if (axt_is_side(s))
			shape_side(s, o);
		else
			shape_columns(s, o);
		break;
	case AXT_STEP_RUNS: shape_runs(s, o); break;
	case AXT_STEP_LINES: axt_lines_shape(g, s, o, tile_room(s, o)); break;
	default: shape_map(s, o);
	}
	if (s->kind == AXT_STEP_COLUMNS || s->kind == AXT_STEP_RUNS)
		s->global_acc = s->partials || s->group_parts > 1 ||
		    (s->slab_dim >= 0 && reduced_dim(s, s->slab_dim));
	for (int k = 0; k < s->nouts && s->out[k].fns; k++)
		s->scratch += states_bytes(s, o, s->out[k].fns->planes);
	choose_access(s, s->kind != AXT_STEP_MAP);
	s->tiles = tiles_bytes(s, o);
	return 0;
}
