/*
 * step_lines.c - plans steps that need whole lines: scans, sorts, elements by position, quantiles.
 * It decides the order of dimensions, and the tiles. If the innermost axis is kept, or lines are
 * windows, they lie side by side in a tile, otherwise one after another.
 */
#include "plan/steps.h"

/* elements of lines that are gathered side by side, since a sorting network takes them */
#define SIDE_MAX 2048
/* elements of a line from which on the pieces of few lines are counted in parallel */
#define COUNT_MIN (64 << 10)
/* elements of a line from which on few lines are sorted by all threads, one after another */
#define TOGETHER_MIN (64 << 10)
#define LINE_MAX (4 << 20) /* the most elements of a line of which quantiles are selected at once */
#define COUNT_TILE (1 << 20) /* elements that are counted at a time */
/* the most bytes of lines that wait until they can be written to a stream */
#define DIRECT_BYTES (16 << 20)
#define COLUMNS 512       /* elements of lines side by side that are read in one piece */
#define COLUMN_BYTES 4096 /* bytes of lines side by side that are written in one piece */
#define ABREAST 8         /* lines that are scanned together */
/* if tests ask for small tiles, the most lines that are counted, which takes long */
#define TEST_LINES 20
#define TILE_FREE (4 << 20) /* bytes of a thread's tile that are not counted as scratch */

static int64_t
product(const int64_t *x, int a, int b)
{
	int64_t n = 1;

	for (int d = a; d < b; d++)
		n *= x[d];
	return n;
}

/* The row of gufuncs.def for e; NULL: e is no gufunc. */
static const struct axt_gufunc *
row(const struct axt_expr *e)
{
	return e->kind == AXT_NODE_GUFUNC ? axt_gufuncs[e->u.gufunc.op] : NULL;
}

bool
axt_lines_keep(const struct axt_step *s)
{
	return row(s->out[0].node) != NULL;
}

static bool
is_forward_scan(const struct axt_expr *e)
{
	return row(e) && row(e)->scans && !e->u.gufunc.reverse;
}

static bool
is_take(const struct axt_expr *e)
{
	return row(e) && row(e)->takes;
}

static bool
is_direct(const struct axt_expr *e)
{
	const struct axt_axes *x = &e->arg[e->nargs - 1]->axes;
	int a = e->u.gufunc.axis;
	double n = axt_size(e->dtype) * (double)MAX(e->axes.a[a].len, x->a[a].len);

	for (int i = a + 1; i < e->axes.n; i++)
		n *= (double)e->axes.a[i].len;
	return is_forward_scan(e) || n <= DIRECT_BYTES;
}

/* ---- the order of dimensions ---- */

static void
lay_kept(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e)
{
	s->line.a = e->u.gufunc.axis;
	s->line.b = s->line.a + 1;
	s->red_count = 1;
	s->kept_count = axt_count(e);
	for (int i = 0; i < e->axes.n; i++)
		axt_index_map_axis(pl, s, &s->index_map, e->arg[0], i);
}

/*
 * Whether the innermost axis that is reduced has the positions within windows, which lie side by
 * side along a kept axis.
 */
static bool
are_windows(const struct axt_expr *a, const bool is_kept[])
{
	int last = -1;

	for (int i = 0; i < a->axes.n; i++)
		last = !is_kept[i] && a->axes.a[i].len > 1 ? i : last;
	if (a->kind != AXT_NODE_VIEW || last < 0 || a->u.view.src[last] < 0)
		return false;
	for (int i = 0; i < a->axes.n; i++)
		if (is_kept[i] && a->u.view.src[i] == a->u.view.src[last])
			return true;
	return false;
}

static int
lay_quantile(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, const int *kept)
{
	const struct axt_expr *a = e->arg[0];
	int nkept = e->u.red.nkept;
	bool is_kept[AXT_MAX_RANK] = { false }, side = false;

	s->red_count = s->kept_count = 1;
	for (int i = 0; i < nkept; i++)
		is_kept[kept[i]] = true;
	for (int i = 0; i < a->axes.n; i++) {
		*(is_kept[i] ? &s->kept_count : &s->red_count) *= a->axes.a[i].len;
		side = a->axes.a[i].len == 1 ? side : is_kept[i];
	}
	side = (side || are_windows(a, is_kept)) && s->red_count <= SIDE_MAX && !e->u.red.together;
	for (int i = 0; i < nkept && !side; i++)
		axt_index_map_axis(pl, s, &s->index_map, a, kept[i]);
	s->line.a = s->sp.nd;
	for (int i = 0; i < a->axes.n; i++)
		if (!is_kept[i])
			axt_index_map_axis(pl, s, &s->index_map, a, i);
	/* the lines have no axis, so they have one element */
	if (s->sp.nd == s->line.a && s->sp.nd < AXT_MAX_DIMS) {
		s->sp.len[s->sp.nd++] = 1;
		s->laid.a[s->laid.n++] = (struct axt_axis){ .name = "", .len = 1 };
	}
	s->line.b = s->sp.nd;
	if (s->line.a == s->line.b)
		return axt_fail(&pl->g->err, AXT_E_LIMIT,
		    "a quantile over no axis, of a tensor of %d axes, is not supported", a->axes.n);
	for (int i = 0; i < nkept && side; i++)
		axt_index_map_axis(pl, s, &s->index_map, a, kept[i]);
	return 0;
}

int
axt_lines_lay(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, const int *kept)
{
	if (e->kind == AXT_NODE_GUFUNC)
		lay_kept(pl, s, e);
	else if (s->nouts == 0)
		return lay_quantile(pl, s, e, kept);
	return pl->g->err.code;
}

/* The dtype that the kernels are given. */
static enum axt_dtype
kernel_dtype(const struct axt_expr *e)
{
	enum axt_dtype d = e->arg[0]->dtype;

	if (axt_dtypes[d].cls == AXT_CLASS_COMPLEX)
		return d;
	if (e->kind == AXT_NODE_REDUCE)
		return axt_dtypes[d].comp;
	if (!row(e)->scans)
		return d;
	return axt_dtypes[d].cls == AXT_CLASS_FLOAT ? axt_dtypes[d].comp
	    : axt_dtypes[d].cls == AXT_CLASS_UINT   ? AXT_U64
						    : AXT_I64;
}

/* The dtype of the parts of complex numbers, which are scanned side by side. */
static enum axt_dtype
real_of(enum axt_dtype d)
{
	return d == AXT_C64 ? AXT_F32 : d == AXT_C128 ? AXT_F64 : d;
}

static int
take_program(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    struct axt_output *o)
{
	struct axt_graph *g = pl->g;
	struct axt_index_map *index_map = axt_alloc(g->m, sizeof(*index_map));
	struct axt_parts *j;
	int n = 0;

	if (!index_map)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*index_map = s->index_map;
	for (int t = 0; t < s->index_map.n; t++)
		if (s->index_map.t[t].axis != e->u.gufunc.axis)
			index_map->t[n++] = s->index_map.t[t];
	index_map->n = n;
	j = axt_parts_whole(g, e, 1, &e->u.gufunc.axis, &s->line.a, 1, index_map);
	if (!j || axt_compile(pl, s, e->arg[0], &s->index_map, &o->root))
		return g->err.code;
	s->line.from = axt_compile_parts(pl, s, j, e, index_map);
	s->line.fns = axt_kern_lines(AXT_I64);
	s->line.size = axt_size(e->dtype);
	return g->err.code;
}

int
axt_lines_program(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    struct axt_output *o)
{
	struct axt_graph *g = pl->g;
	enum axt_dtype d = kernel_dtype(e), real = real_of(d), out = real_of(e->dtype), has;

	s->line.parts = is_take(e) || real == d ? 1 : 2;
	if (is_take(e))
		return take_program(pl, s, e, o);
	if (axt_compile(pl, s, e->arg[0], &s->index_map, &o->root) ||
	    axt_compile_conv(g, s, &o->root, d))
		return g->err.code;
	s->line.fns = axt_kern_lines(real);
	if (e->kind == AXT_NODE_REDUCE) {
		has = AXT_F64;
	} else if (row(e)->scans) {
		s->line.full = out != real;
		has = s->line.full && real == AXT_F32 ? AXT_F64 : real;
		s->line.scan = s->line.fns->scan(row(e)->red, s->line.full);
	} else {
		has = out;
	}
	o->finish = has == out ? NULL : axt_kern_conv(out, has, AXT_OVERFLOW_ERROR);
	s->line.size = axt_size(has) * s->line.parts;
	return 0;
}

int
axt_lines_step(struct axt_planner *pl, const struct axt_expr *e, int result, bool *copy)
{
	struct axt_step *s = axt_step_new(pl, AXT_STEP_LINES);

	*copy = result >= 0 && pl->o->ordered && !is_direct(e);
	if (!s || axt_lines_lay(pl, s, e, NULL))
		return pl->g->err.code;
	return axt_lines_program(pl, s, e, axt_output_new(s, e, *copy ? -1 : result));
}

/* ---- slabs ---- */

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	bool in_line = d >= s->line.a && d < s->line.b;
	int outer = s->line.a > 0 || axt_lines_keep(s) ? 0 : s->line.b;

	if (s->line.counted)
		return true;
	if (in_line && !is_forward_scan(s->out[0].node))
		return false;
	return !ordered || d == outer;
}

/* ---- tiles ---- */

static int64_t
operand_bytes(const struct axt_step *s)
{
	int64_t n = 0;

	for (int k = 0; k < s->prog.noperands; k++)
		if (!s->prog.operand[k].scalar)
			n += s->prog.operand[k].size;
	if (s->prog.ninstrs)
		n += axt_size(s->prog.reg[s->out[0].root].dtype);
	return MAX(n, 1);
}

static void
choose(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t n = s->red_count, lines = MAX(1, MIN(s->kept_count, o->threads));
	double bytes = (double)n * (double)lines *
	    ((double)operand_bytes(s) + s->line.fns->bits / 4.0);

	if (axt_lines_keep(s) || s->line.b != s->sp.nd)
		return;
	s->line.counted = s->out[0].node->u.red.together ? true
	    : o->tile ? n > o->tile && s->kept_count <= TEST_LINES
		      : n > SIDE_MAX &&
		(n > LINE_MAX || bytes > (double)g->memory / 2 ||
		    (n > COUNT_MIN && s->kept_count < 2 * o->threads));
}

/* Widens the tile along dimensions [a, b), innermost first, until it has `most` elements there. */
static void
widen(struct axt_step *s, int a, int b, int64_t most)
{
	for (int d = b - 1; d >= a && most > 1; d--) {
		s->ext[d] = MIN(s->sp.len[d], most);
		if (s->ext[d] < s->sp.len[d])
			break;
		most /= s->ext[d];
	}
}

static void
whole(struct axt_step *s, int a, int b)
{
	for (int d = a; d < b; d++)
		s->ext[d] = s->sp.len[d];
}

/* Sets the tile to a piece of the lines, and to as many lines as it then has space for. */
static void
shape_scan(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int a = s->line.a, b = s->line.b, nd = s->sp.nd;
	int64_t lines = s->kept_count / s->sp.len[a], piece, many;

	if (o->ordered) {
		whole(s, b, nd);
	} else if (product(s->sp.len, b, nd) > 1) {
		many = MAX(1024, lines / (2 * o->threads));
		widen(s, b, nd, MIN(elements, o->tile ? o->tile : many));
	} else {
		widen(s, 0, a, ABREAST);
	}
	piece = MAX(1, elements / product(s->ext, 0, nd));
	s->ext[a] = MIN(piece, s->sp.len[a]);
	if (o->ordered && !is_forward_scan(s->out[0].node))
		whole(s, a, b);
	if (s->ext[a] == s->sp.len[a])
		widen(s, 0, a, MAX(product(s->ext, 0, a), elements / product(s->ext, a, nd)));
	if (!s->line.scan)
		return;
	s->line.carried = s->slab_dim == a;
	s->line.carry = product(s->ext, 0, a) * product(s->ext, b, nd) * s->line.parts;
}

static void
shape_lines(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements, int64_t most)
{
	int a = s->line.a, b = s->line.b, nd = s->sp.nd;
	int64_t n = product(s->sp.len, a, b), all = s->kept_count * s->red_count / n, k;
	int64_t width = s->line.fns->bits ? 64 * 8 / s->line.fns->bits : 1;

	k = MAX(1, elements / n);
	if (b < nd && !o->tile)
		k = MAX(k, axt_lines_keep(s) ? COLUMN_BYTES / axt_size(s->out[0].dtype) : COLUMNS);
	k = MIN(k, MAX(width, all / (2 * o->threads) / width * width));
	k = MAX(1, MIN(k, most / n));
	whole(s, a, b);
	if (axt_lines_keep(s)) {
		widen(s, b, nd, k);
		if (o->ordered)
			whole(s, b, nd);
		k /= MAX(1, product(s->ext, b, nd));
	}
	if (axt_lines_keep(s) || b == nd)
		widen(s, 0, a, k);
	else
		widen(s, b, nd, k);
}

/*
 * Sets the tile of a sort of few long lines, each of which all threads sort together: a tile is a
 * thread's piece of a line. `each` is the bytes that a thread needs for an element. Scratch that
 * the threads share is counted once.
 */
static void
shape_together(struct axt_step *s, const struct axt_plan_opts *o, int64_t each)
{
	int a = s->line.a, nd = s->sp.nd;
	int64_t n = s->sp.len[a], side = product(s->sp.len, a + 1, nd), key = s->line.fns->bits / 8;
	bool index = row(s->out[0].node)->positions;

	whole(s, a + 1, nd);
	s->ext[a] = (n + o->threads - 1) / o->threads;
	s->scratch += o->threads * MAX(0, s->ext[a] * side * each - TILE_FREE) +
	    n * (side * s->line.size + 2 * key + (index ? 16 : 0));
}

static bool
is_together(const struct axt_step *s, const struct axt_plan_opts *o)
{
	int64_t n = s->sp.len[s->line.a], lines = s->kept_count / n;

	if (!axt_lines_keep(s) || !row(s->out[0].node)->sorts || s->line.b != s->line.a + 1 ||
	    o->threads < 2 || s->slab_dim >= 0)
		return false;
	return o->tile ? n > o->tile && lines <= TEST_LINES
		       : n >= TOGETHER_MIN && lines < 2 * o->threads;
}

/*
 * Sets the tile of a step that takes elements by position. The lines that they are taken from, of n
 * elements, are whole in a tile; results that are longer are made in pieces.
 */
static void
shape_take(struct axt_step *s, const struct axt_plan_opts *o, int64_t elements, int64_t most,
    int64_t n)
{
	int a = s->line.a, b = s->line.b, nd = s->sp.nd;
	int64_t m = s->sp.len[a], longest = MAX(n, m), k = MAX(1, elements / longest);

	if (b < nd && !o->tile)
		k = MAX(k, COLUMN_BYTES / axt_size(s->out[0].dtype));
	k = MIN(k, MAX(1, s->kept_count / m / (2 * o->threads)));
	k = MAX(1, MIN(k, most / longest));
	widen(s, b, nd, k);
	if (o->ordered)
		whole(s, b, nd);
	s->ext[a] = MIN(m, MAX(n, MAX(1, elements / product(s->ext, b, nd))));
	if (s->ext[a] == m)
		widen(s, 0, a, k / product(s->ext, b, nd));
}

/* Bytes that the function needs for core axes of n elements that are es apart. */
static int64_t
work_of(enum axt_gufunc_id op, enum axt_dtype d, int64_t n, int64_t es)
{
	int64_t len[AXT_LETTERS] = { 0 };
	struct axt_gufunc_calls x = { .len = len, .t[0] = { .dtype = d, .stride = { es } } };

	len['n' - 'a'] = n;
	return axt_gufuncs[op]->work ? axt_gufuncs[op]->work(&x) : 0;
}

/*
 * The bytes of scratch that the function of a gufunc, or a quantile, needs for a line of n elements
 * that are es apart.
 */
static int64_t
scratch_of_line(const struct axt_step *s, int64_t n, int64_t es)
{
	const struct axt_output *o = &s->out[0];

	if (!axt_lines_keep(s))
		return s->line.fns->room(n, es, false);
	return work_of(o->node->u.gufunc.op, s->prog.reg[o->root].dtype, n, es);
}

static void
shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t each = operand_bytes(s) + s->line.size + 1, most, threads = o->threads, tile, used;
	int a = s->line.a, b = s->line.b, nd = s->sp.nd;
	int64_t n = s->line.from < 0 ? 0
				     /* the length of the line that elements are taken from */
				     : s->prog.operand[s->line.from].joined->core[0].len;

	most = MAX(1, g->memory / (4 * threads) / each);
	if (n) {
		shape_take(s, o, elements, most, n);
	} else if (s->line.counted) {
		widen(s, a, nd, o->tile ? MAX(o->tile, 100) : MIN(COUNT_TILE, MAX(most, 1024)));
	} else if (s->line.scan) {
		shape_scan(s, o, MIN(elements, most));
		/* this is an error, which is reported later */
	} else if (product(s->sp.len, a, b) > g->memory) {
		s->scratch = product(s->sp.len, a, b);
		return;
	} else if (is_together(s, o)) {
		s->line.together = s->linear = true;
		shape_together(s, o, each);
		return;
	} else {
		shape_lines(s, o, elements, most);
		s->line.work = scratch_of_line(s, product(s->sp.len, a, b), b == nd ? 1 : 2);
	}
	s->linear = true;
	tile = product(s->ext, 0, nd);
	if (tile > g->memory) {
		s->scratch = tile;
		return;
	}
	used = tile * each + s->line.work + tile / s->ext[a] * n * s->line.size;
	threads = MIN(threads, MAX(1, s->kept_count * s->red_count / tile));
	s->scratch += MAX(0, used - TILE_FREE) * threads;
	if (s->line.carried)
		s->scratch += s->kept_count / s->sp.len[a] * 8 * s->line.parts;
	if (s->line.counted)
		s->line.group = axt_count_group(g, s);
	if (s->line.counted)
		s->scratch += s->line.group * axt_count_bytes(s);
}

/*
 * The bytes of the counts for a line. A quantile lies between two elements. Their leading digits
 * may differ after some passes, so each of the two needs counts of its own.
 */
int64_t
axt_count_bytes(const struct axt_step *s)
{
	return (int64_t)2 * s->nouts * 8 << AXT_COUNT_BITS;
}

int64_t
axt_count_group(const struct axt_graph *g, const struct axt_step *s)
{
	return s->out[0].node->u.red.together
	    ? s->kept_count
	    : MAX(1, MIN(s->kept_count, g->memory / 4 / axt_count_bytes(s)));
}

static void
init(struct axt_step *s)
{
	s->line.from = -1;
}

/* If only kept axes are in the result, these are on one side of the line. */
static void
kept(const struct axt_step *s, int *a, int *b)
{
	bool after = !axt_lines_keep(s) && s->line.b < s->sp.nd;

	*a = after ? s->line.b : 0;
	*b = after || axt_lines_keep(s) ? s->sp.nd : s->line.a;
}

static struct axt_marks
marks(struct axt_step *s)
{
	return (struct axt_marks){ .n = 2, .dim = { &s->line.a, &s->line.b }, .full = 0 };
}

static void
explain(const struct axt_step *s, FILE *out)
{
	const struct axt_expr *e = s->out[0].node;

	if (axt_lines_keep(s))
		fprintf(out, "  %s%s%s: along %s, %lld elements each%s\n",
		    row(e)->scans ? "scans " : "", axt_gufunc_name[e->u.gufunc.op],
		    e->u.gufunc.reverse ? ", reversed" : "",
		    axt_axis_spell(e->g->m, &e->axes.a[e->u.gufunc.axis]),
		    (long long)e->axes.a[e->u.gufunc.axis].len,
		    s->line.together ? ", by all threads" : "");
	else
		axt_explain_reduces(s, s->line.counted ? ", counted" : "", out);
}

const struct axt_step_fns axt_step_lines = {
	.word = "lines",
	.kept = kept,
	.init = init,
	.marks = marks,
	.may_slab = may_slab,
	.choose = choose,
	.shape = shape,
	.explain = explain,
	.whole_axes = true,
	.spools = true,
	.own_tiles = true,
	.alone = true,
	.slab_part = 4,
	.why_cpu = "sorting, scans and quantiles are the CPU's",
};
