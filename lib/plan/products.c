/*
 * products.c - plans products of matrices: in which order their arguments are read, and how the
 * product is cut. A step that uses a product computes the slab it needs from panels of both
 * arguments, so that no argument is stored as a whole.
 */
#include "plan/plan.h"

/* bytes of a row of a panel, so that a block of the left argument stays in L2 */
#define PANEL_BYTES 2048
/* rows of a block of the left: few, so that threads finish at about the same time */
#define LEFT_ROWS 48
#define RIGHT_COLS 2048 /* columns of a panel of the right, which the threads share in L3 */
/* the least side of matrices that a library of BLAS multiplies */
#define BLAS_LEAST 64
/* rows and columns of a block that it multiplies, at most and at least, and the depth at most */
#define BLAS_SIDE 2048
#define BLAS_SIDE_LEAST 128
#define BLAS_DEEP 2048

/* Puts axes of e on dimensions. Axes of length 1 come first, so that the others are adjacent. */
static void
lay(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, const int *which, int n,
    struct axt_index_map *p)
{
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < n; i++)
			if ((e->axes.a[which[i]].len != 1) == pass)
				axt_index_map_axis(pl, s, p, e, which[i]);
}

/*
 * Whether the operands are contiguous along one of the dimensions [a, b): 1 yes, 0 no, -1 unknown.
 */
static int
contiguous_in(const struct axt_step *s, int a, int b)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		for (int d = 0; d < s->sp.nd && !op->scalar; d++)
			if (op->v.stride[d] == 1 && s->sp.len[d] > 1)
				return d >= a && d < b;
	}
	return -1;
}

/* Makes a step of an argument. It is never run; the product asks it for tiles. */
static int
matrix(struct axt_planner *pl, struct axt_matrix *m, const struct axt_expr *e, const int *batch,
    int nb, const int *rest, int nrest, const int *k, int nk)
{
	struct axt_step *s = axt_step_asked(pl->g, e);
	struct axt_index_map p = { 0 };

	if (!s)
		return pl->g->err.code;
	lay(pl, s, e, batch, nb, &p);
	m->outer = s->sp.nd;
	if (m->k_last)
		lay(pl, s, e, rest, nrest, &p);
	else
		lay(pl, s, e, k, nk, &p);
	s->sp.lin = s->sp.nd;
	if (m->k_last)
		lay(pl, s, e, k, nk, &p);
	else
		lay(pl, s, e, rest, nrest, &p);
	m->s = s;
	return axt_compile(pl, s, e, &p, &s->out[0].root);
}

/*
 * Lays out argument i of a product: chooses the order of the dimensions of its tiles so that the
 * rows of a tile are contiguous in memory.
 */
static int
choose_matrix(struct axt_planner *pl, struct axt_product *p, int i, const struct axt_expr *e,
    struct axt_matrix *m)
{
	const struct axt_pairing *q = p->node->u.dot;
	const int *batch = i ? q->bb : q->ba, *rest = i ? q->nbx : q->ma, *k = i ? q->kb : q->ka;
	int nrest = i ? q->nn : q->nm;

	m->k_last = true;
	if (matrix(pl, m, e, batch, q->nb, rest, nrest, k, q->nk))
		return pl->g->err.code;
	if (contiguous_in(m->s, m->outer, m->s->sp.lin) == 1) {
		m->k_last = false;
		if (matrix(pl, m, e, batch, q->nb, rest, nrest, k, q->nk))
			return pl->g->err.code;
	}
	return axt_shape_matrix(pl->g, m, pl->facts);
}

/* The tensor of f16 or bf16, if e is its conversion to f32; else NULL. */
static const struct axt_expr *
half_of(const struct axt_planner *pl, const struct axt_expr *e)
{
	const struct axt_expr *a = e->arg[0];

	return e->kind == AXT_NODE_CONV && !axt_is_held(pl, e) && e->dtype == AXT_F32 &&
		(a->dtype == AXT_F16 || a->dtype == AXT_BF16)
	    ? a
	    : NULL;
}

/* Cuts n into as few equal parts as have at most `most` elements each, and returns their length. */
static int64_t
equal_parts(int64_t n, int64_t most)
{
	int64_t parts = MAX(1, (n + most - 1) / most);

	return MAX(1, (n + parts - 1) / parts);
}

/*
 * Chooses the lengths of blocks for the library that the user asked to multiply them, and opens it.
 * It gets larger blocks than axt's own kernels, since it packs them itself. Matrices with a side of
 * few elements stay with axt, which multiplies them faster.
 */
static int
choose_blas(struct axt_graph *g, struct axt_product *p)
{
	int64_t size = axt_size(p->node->dtype), side = BLAS_SIDE;

	if (!g->blas || !axt_blas_has(p->node->dtype))
		return 0;
	if (axt_blas_open(&p->blas, g->blas, p->node->dtype, &g->err))
		return g->err.code;
	if (MIN(MIN(p->m, p->n), p->k) < BLAS_LEAST) {
		p->blas = (struct axt_blas){ 0 };
		return 0;
	}
	p->kc = equal_parts(p->k, BLAS_DEEP);
	while (side > BLAS_SIDE_LEAST && side * 2 * p->kc * size > g->memory / 16)
		side /= 2;
	p->mc = MIN(side, p->m);
	p->nc = MIN(side, p->n);
	return 0;
}

/* Whether axis x[i] of a is axis y[i] of b for all n of them; a and b have the same elements. */
static bool
same_axes(const int of_a[], const int of_b[], const int x[], const int y[], int n)
{
	for (int i = 0; i < n; i++)
		if (of_a[x[i]] < 0 || of_a[x[i]] != of_b[y[i]])
			return false;
	return true;
}

/* What e is without new orders and names of its axes; at[0] to at[n - 1], axes of e, become its. */
static const struct axt_expr *
unnamed(const struct axt_expr *e, int at[], int n)
{
	for (; axt_is_relabel(e); e = e->arg[0])
		for (int i = 0; i < n; i++)
			at[i] = at[i] < 0 ? -1 : e->u.view.src[at[i]];
	return e;
}

/*
 * Whether e is the product of a matrix and its own transpose. Its elements (i, j) and (j, i) are
 * then the same sum of the same products. That does not hold for complex numbers, whose parts are
 * summed in another order.
 */
static bool
is_symmetric(const struct axt_expr *e)
{
	const struct axt_pairing *q = e->u.dot;
	const struct axt_expr *a = e->arg[0], *b = e->arg[1];
	int n = a->axes.n, at[2][AXT_MAX_RANK];

	if (axt_dtypes[e->dtype].cls == AXT_CLASS_COMPLEX || q->nm != q->nn || b->axes.n != n)
		return false;
	for (int i = 0; i < n; i++)
		at[0][i] = at[1][i] = i;
	while ((a = unnamed(a, at[0], n)) != (b = unnamed(b, at[1], n))) {
		if (a->kind != AXT_NODE_CONV || b->kind != AXT_NODE_CONV || a->dtype != b->dtype ||
		    a->u.overflow != b->u.overflow)
			return false;
		a = a->arg[0];
		b = b->arg[0];
	}
	return same_axes(at[0], at[1], q->ba, q->bb, q->nb) &&
	    same_axes(at[0], at[1], q->ma, q->nbx, q->nm) &&
	    same_axes(at[0], at[1], q->ka, q->kb, q->nk);
}

struct axt_product *
axt_product_new(struct axt_planner *pl, const struct axt_expr *e)
{
	const struct axt_pairing *q = e->u.dot;
	struct axt_graph *g = pl->g;
	const struct axt_expr *half[2] = { half_of(pl, e->arg[0]), half_of(pl, e->arg[1]) };
	bool halves = g->device != AXT_DEVICE_CPU && half[0] && half[1] &&
	    half[0]->dtype == half[1]->dtype;
	struct axt_product *p = axt_alloc(g->m, sizeof(*p));

	if (!p)
		return NULL;
	p->node = e;
	p->batch = axt_axes_product(&e->arg[0]->axes, q->ba, q->nb);
	p->m = axt_axes_product(&e->arg[0]->axes, q->ma, q->nm);
	p->n = axt_axes_product(&e->arg[1]->axes, q->nbx, q->nn);
	p->k = axt_axes_product(&e->arg[0]->axes, q->ka, q->nk);
	/* the order of summation depends on kc, so kc is chosen by shape and dtype alone */
	p->kc = equal_parts(p->k, PANEL_BYTES / axt_size(e->dtype));
	p->mc = MIN(LEFT_ROWS, p->m);
	p->nc = MIN((equal_parts(p->n, RIGHT_COLS) + 63) / 64 * 64, p->n);
	if (choose_blas(g, p))
		return NULL;
	p->symmetric = !p->blas.name && is_symmetric(e);
	for (int i = 0; i < 2; i++)
		if (choose_matrix(pl, p, i, e->arg[i], &p->arg[i]) ||
		    (halves && choose_matrix(pl, p, i, half[i], &p->half[i])))
			return NULL;
	return p;
}

/*
 * Whether slabs may advance along an axis of a product. The rows of a slab must be a range of the
 * batch, of the left's rows or of the right's columns, so the axis must be the first one there that
 * is longer than 1.
 */
bool
axt_operand_cuts(const struct axt_operand *op, int axis)
{
	const struct axt_axes *x = &op->node->axes;
	const struct axt_pairing *q = op->node->u.dot;
	int from;

	if (!op->product)
		return true;
	from = axis < q->nb ? 0 : axis < q->nb + q->nm ? q->nb : q->nb + q->nm;
	for (int i = from; i < axis; i++)
		if (x->a[i].len != 1)
			return false;
	return true;
}

int64_t
axt_product_slab(const struct axt_product *p, int64_t memory)
{
	/* rows of a slab, so that each element that is packed is used in so many multiplications */
	const double rows = 4096;
	double size = (double)axt_size(p->node->dtype),
	       in = size * (double)p->batch * (double)p->k * ((double)p->m + (double)p->n);

	/*
	 * arguments that do not fit in memory are read again for each slab, so slabs are few and
	 * large
	 */
	if (in > (double)memory)
		return memory / 2;
	return (int64_t)MIN((double)memory / 4, size * rows * (double)MAX(p->m, p->n));
}

int64_t
axt_product_again(const struct axt_step *s, const struct axt_operand *op)
{
	const struct axt_pairing *q = op->node->u.dot;
	int ax = op->window->axis;
	int64_t slabs;

	if (ax < q->nb) /* with a single slab, or slabs along the batch, each matrix is read once */
		return 0;
	slabs = (op->node->axes.a[ax].len + s->slab_rows - 1) / s->slab_rows;
	return (slabs - 1) * op->product->arg[ax < q->nb + q->nm].s->bytes_read;
}

int64_t
axt_product_scratch(const struct axt_product *p, int threads)
{
	int64_t size = axt_size(p->node->dtype);

	return size * p->kc * (threads * (p->mc + 64) + MAX(2, threads) * (p->nc + 64)) +
	    2 * threads * AXT_MATRIX_TILE * 2 * size;
}
