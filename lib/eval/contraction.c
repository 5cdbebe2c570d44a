/*
 * contraction.c - products of matrices, computed into the slab of the step that uses them. After
 * Goto and van de Geijn, ACM TOMS 34(3) art. 12, 2008: all threads pack a panel of the right
 * matrix, which stays in L3, and each packs blocks of the left one for its L2. The tiles that are
 * packed come from wherever the arguments are: a mapped file, chunks, an expression. Sums are in
 * the order of k, and are cut every kc.
 */
#include <stdlib.h>

#include "eval/contraction.h"

/* columns of the right that are packed at a time, so that rows are read contiguously */
#define PACK_COLS 256
/* multiplications; one thread does a matrix with fewer, if there are two for each thread */
#define SMALL (16 << 20)
/* with so many matrices for each thread, one thread does a whole matrix of any size */
#define MANY 8
/* the least rows of a block for a library of BLAS, which packs all of the right for each */
#define BLAS_ROWS 256
#define SMALL_SIDE 64 /* bytes of rows and columns of matrices across which vectors go */
/* bytes of the matrices that are multiplied together, so that they stay in L1 */
#define SMALL_BYTES (32 << 10)
#define MIRRORED 64 /* rows that are copied together from above the diagonal */
/* elements of a block of a thin product, so that arguments and results stay in L2 */
#define THIN_BLOCK (24 << 10)

/* ---- a product ---- */

/* A panel: columns [j0, j1) of the right, and indices [k0, k1) of the sum. */
struct panel {
	int64_t j0, j1, k0, k1;
	uint8_t *right;
};

static int64_t
npanels(const struct axt_product_run *x)
{
	const struct axt_product *p = x->p;

	return (x->n.hi - x->n.lo + p->nc - 1) / p->nc * ((p->k + p->kc - 1) / p->kc);
}

static struct panel
panel(const struct axt_product_run *x, int64_t t)
{
	const struct axt_product *p = x->p;
	int64_t deep = (p->k + p->kc - 1) / p->kc;
	int64_t j = x->n.lo + t / deep * p->nc, k = t % deep * p->kc;

	return (
	    struct panel){ j, MIN(j + p->nc, x->n.hi), k, MIN(k + p->kc, p->k), x->right[t % 2] };
}

/* Packs unit u of a panel's columns. Returns false if there is no unit u. */
static bool
pack_right(struct axt_product_run *x, struct hand *h, int64_t u, int64_t b, const struct panel *p)
{
	int64_t lo = p->j0 + u * PACK_COLS;
	struct axt_panels to = { .width = x->f->nr,
		.size = x->size,
		.out = p->right + u * PACK_COLS * (p->k1 - p->k0) * x->size };

	if (lo >= p->j1)
		return false;
	if (axt_panels_fill(&h->arg[1], &x->p->arg[1], b, lo, MIN(lo + PACK_COLS, p->j1), p->k0,
		p->k1, &to))
		axt_fail_unit(&h->arg[1], 0);
	return true;
}

/* Packs rows [i0, i1) of the left, which are columns of a panel of the right. */
static void
pack_mirrored(const struct axt_product_run *x, struct hand *h, int64_t i0, int64_t i1,
    const struct panel *p)
{
	int64_t mr = x->f->mr, nr = x->f->nr, kk = p->k1 - p->k0, n;

	for (int64_t i = i0; i < i1; i += n) {
		int64_t row = i - i0, col = i - p->j0;

		n = MIN(MIN(mr - row % mr, nr - col % nr), i1 - i);
		axt_kern_gather2(h->left + (row / mr * kk * mr + row % mr) * x->size, mr,
		    p->right + (col / nr * kk * nr + col % nr) * x->size, kk, n, nr, 1, x->size);
	}
}

/* Copies what is above the diagonal of matrix b below it: the share of thread id of n. */
static void
mirror(const struct axt_product_run *x, int64_t b, int id, int n)
{
	int64_t ld = x->stored[1], size = x->size;
	uint8_t *c = x->slab.p + (b - x->b.at) * x->stored[0] * ld * size;

	for (int64_t lo = id * MIRRORED; lo < x->p->m; lo += n * MIRRORED) {
		int64_t hi = MIN(lo + MIRRORED, x->p->m);

		axt_kern_gather2(c + lo * ld * size, ld, c + lo * size, hi - lo, lo, 1, ld,
		    (int)size);
		for (int64_t i = lo; i < hi; i++)
			for (int64_t j = lo; j < i; j++)
				memcpy(c + (i * ld + j) * size, c + (j * ld + i) * size,
				    (size_t)size);
	}
}

/* Multiplies unit u: some rows of the left by some columns of the panel. */
static bool
multiply(struct axt_product_run *x, struct hand *h, int64_t u, int64_t b, const struct panel *p)
{
	int64_t i0 = x->m.lo + u / x->split * x->mc, i1 = MIN(i0 + x->mc, x->m.hi);
	int64_t nr = x->f->nr, cols = p->j1 - p->j0,
		from = x->half ? MAX(0, i0 - p->j0) / nr * nr : 0,
		panels = (cols - from + nr - 1) / nr;
	int64_t c0 = from + panels * (u % x->split) / x->split * nr,
		c1 = MIN(from + panels * (u % x->split + 1) / x->split * nr, cols);
	int64_t kk = p->k1 - p->k0, rows = x->stored[0], ldc = x->stored[1], at;
	struct axt_panels to = { .width = x->f->mr, .size = x->size, .out = h->left };

	if (i0 >= x->m.hi)
		return false;
	if (from >= cols) /* all of it is below the diagonal */
		return true;
	if (x->half && i0 >= p->j0 && i1 <= p->j1) {
		pack_mirrored(x, h, i0, i1, p);
	} else if (axt_panels_fill(&h->arg[0], &x->p->arg[0], b, i0, i1, p->k0, p->k1, &to)) {
		axt_fail_unit(&h->arg[0], 0);
		return true;
	}
	at = ((b - x->b.at) * rows + i0 - x->m.at) * ldc + p->j0 - x->n.at + c0;
	if (c1 > c0)
		x->f->multiply(x->slab.p + at * x->size, ldc, h->left, p->right + c0 * kk * x->size,
		    i1 - i0, c1 - c0, kk, p->k0 > 0);
	return true;
}

/* Multiplies matrix b by one thread. */
static void
alone(struct axt_product_run *x, struct hand *h, int64_t b)
{
	for (int64_t t = 0; t < npanels(x) && !atomic_load(&x->r->sh->stop); t++) {
		struct panel p = panel(x, t);

		p.right = h->right;
		for (int64_t u = 0; pack_right(x, h, u, b, &p); u++)
			;
		for (int64_t u = 0; multiply(x, h, u, b, &p); u++)
			;
	}
	if (x->half)
		mirror(x, b, 0, 1);
}

/* ---- small matrices: vectors go across several of them ---- */

/* Elements of left, right and result of one product. */
static int64_t
small_elements(const struct axt_product *p)
{
	return p->m * p->k + p->k * p->n + p->m * p->n;
}

/* The number of matrices that are multiplied at once; 1: each by itself. */
static int64_t
lanes(const struct axt_product_run *x)
{
	const struct axt_product *p = x->p;

	if (!x->small || !x->by->blocks || MAX(MAX(p->m, p->n), p->k) * x->size > SMALL_SIDE)
		return 1;
	return MAX(1, SMALL_BYTES / (small_elements(p) * x->size) / AXT_ACROSS) * AXT_ACROSS;
}

/* Multiplies group u of matrices, which are put side by side for that, and back afterwards. */
static void
across(struct axt_product_run *x, struct hand *h, int64_t u)
{
	const struct axt_product *p = x->p;
	const bool k_last[2] = { p->arg[0].k_last, p->arg[1].k_last };
	int64_t lo = x->b.lo + u * x->lanes, hi = MIN(lo + x->lanes, x->b.hi), each = p->m * p->n;
	uint8_t *left = h->across, *right = left + p->m * p->k * x->lanes * x->size,
		*made = right + p->k * p->n * x->lanes * x->size;

	for (int i = 0; i < 2; i++) {
		struct axt_panels to = { .width = x->lanes,
			.size = x->size,
			.out = i ? right : left };

		if (axt_panels_across(&h->arg[i], &p->arg[i], lo, hi, &to)) {
			axt_fail_unit(&h->arg[i], 0);
			return;
		}
	}
	x->f->across(made, left, right, p->m, p->n, p->k, k_last, x->lanes);
	axt_kern_gather2(x->slab.p + (lo - x->b.at) * each * x->size, each, made, hi - lo, each, 1,
	    x->lanes, x->size);
}

/* ---- thin products: few columns or few rows, and many of the other ---- */

/*
 * Multiplies block u of a thin product. The long side, rows of the left or columns of the right
 * matrix, is packed as a right one usually is; the short side is packed once for each matrix. If
 * the long side is rows, left and right are exchanged, and the result is transposed back: each of
 * its elements is still the same sum of the same products.
 */
static void
thin_block(struct axt_product_run *x, struct hand *h, int64_t u)
{
	const struct axt_product *p = x->p;
	const struct range *r = x->thin == THIN_ROWS ? &x->m : &x->n;
	int side = x->thin == THIN_ROWS ? 0 : 1;
	int64_t blocks = (r->hi - r->lo + x->mc - 1) / x->mc, b = x->b.lo + u / blocks;
	int64_t lo = r->lo + u % blocks * x->mc, hi = MIN(lo + x->mc, r->hi),
		few = side ? p->m : p->n;
	int64_t rows = x->stored[0], ldc = x->stored[1];
	struct axt_panels all = { .width = x->f->mr, .size = x->size, .out = h->thin },
			  part = { .width = x->f->nr,
				  .size = x->size,
				  .out = h->thin + (few + x->f->mr) * p->k * x->size };
	uint8_t *made = part.out + (x->mc + x->f->nr) * p->k * x->size,
		*to = x->slab.p +
	    ((b - x->b.at) * rows * ldc + (lo - r->at) * (side ? 1 : ldc)) * x->size;

	if ((h->matrix != b + 1 &&
		axt_panels_fill(&h->arg[!side], &p->arg[!side], b, 0, few, 0, p->k, &all)) ||
	    axt_cancelled(x->r->g, &h->arg[!side].err)) {
		axt_fail_unit(&h->arg[!side], 0);
		return;
	}
	h->matrix = b + 1;
	if (axt_panels_fill(&h->arg[side], &p->arg[side], b, lo, hi, 0, p->k, &part)) {
		axt_fail_unit(&h->arg[side], 0);
		return;
	}
	if (side) {
		x->f->multiply(to, ldc, all.out, part.out, few, hi - lo, p->k, false);
		return;
	}
	x->f->multiply(made, x->mc, all.out, part.out, few, hi - lo, p->k, false);
	axt_kern_gather2(to, ldc, made, hi - lo, few, 1, x->mc, x->size);
}

/* Elements of a block along the long side. */
static int64_t
thin_rows(const struct axt_product_run *x)
{
	int64_t few = MIN(x->p->m, x->p->n);

	return MAX(4, THIN_BLOCK / (x->p->k + few) / x->f->nr) * x->f->nr;
}

/* Whether one side of the product is short, the other long, and k is summed in one block. */
static enum thin
thin_kind(const struct axt_product_run *x)
{
	const struct axt_product *p = x->p;
	int64_t few = MIN(p->m, p->n), many = MAX(p->m, p->n);

	if (p->k == 0 || p->k > p->kc || few > x->f->nr / 2 || many < 4 * x->f->nr ||
	    !x->by->blocks)
		return THICK;
	return p->n < p->m ? THIN_ROWS : THIN_COLUMNS;
}

/*
 * Called when part u of the `parts` parts of the slab is final; a part is a block of rows, or some
 * small matrices. Units of the step that need only the parts before the first one that is not final
 * are done at once, while the values are in the cache and other threads multiply.
 */
static void
go_on(struct axt_product_run *x, struct axt_worker *w, int64_t u, int64_t parts)
{
	long long n = atomic_load(&x->nfinal);
	int64_t rows;

	atomic_store(&x->final[u], true);
	while (n < parts && atomic_load(&x->final[n]))
		if (atomic_compare_exchange_strong(&x->nfinal, &n, n + 1))
			n++;
	if (x->blocks) /* blocks of all matrices are counted, one after another */
		n = n / x->blocks * (x->m.hi - x->m.lo) +
		    MIN(n % x->blocks * x->mc, x->m.hi - x->m.lo);
	else if (x->small)
		n = MIN(n * x->lanes, x->b.hi - x->b.lo) * x->p->m;
	else
		n = (x->b.hi - 1 - x->b.lo) * x->p->m + MIN(n * x->mc, x->m.hi - x->m.lo);
	rows = x->b.lo * x->p->m + x->m.lo + n;
	/* only one thread writes, since the lock of the inode would let others wait anyway */
	if (!atomic_flag_test_and_set(&x->writing)) {
		axt_step_early(w, x->src, rows * x->p->n);
		atomic_flag_clear(&x->writing);
	}
}

/* The number of parts of the slab that become final one by one. */
static int64_t
parts(const struct axt_product_run *x)
{
	if (x->blocks)
		return (x->b.hi - x->b.lo) * x->blocks;
	if (x->small)
		return (x->b.hi - x->b.lo + x->lanes - 1) / x->lanes;
	return (x->m.hi - x->m.lo + x->mc - 1) / x->mc;
}

/*
 * Multiplies matrix b by all threads. Returns false if the run is to stop. While panel t is
 * multiplied, panel t + 1 is packed, so that threads wait for each other only once for each panel.
 * There are two copies of the counters and the stop flag, so that the next panel can begin without
 * a second barrier.
 */
static bool
together(struct axt_product_run *x, struct axt_worker *w, int64_t b, int id, struct axt_team *team,
    int *turn)
{
	struct hand *h = &x->hand[id];
	int64_t n = npanels(x);

	for (int64_t t = -1; t < n; t++) {
		struct turn *now = &x->turn[*turn % 2], *then = &x->turn[++*turn % 2];
		struct panel next = panel(x, t + 1), p = t < 0 ? next : panel(x, t);

		for (int64_t u;
		     t >= 0 && (u = atomic_fetch_add(&now->block, 1), multiply(x, h, u, b, &p));)
			if (x->early && b == x->b.hi - 1 && t == n - 1)
				go_on(x, w, u, parts(x));
		while (t + 1 < n && pack_right(x, h, atomic_fetch_add(&now->pack, 1), b, &next))
			;
		if (id == 0) {
			atomic_store(&then->pack, 0);
			atomic_store(&then->block, 0);
			if (axt_cancelled(x->r->g, &h->arg[0].err))
				axt_fail_unit(&h->arg[0], 0);
			now->stop = atomic_load(&x->r->sh->stop);
			if (t >= 0)
				axt_tell(x->r, ++x->panels, (x->b.hi - x->b.lo) * n);
		}
		axt_team_barrier(team);
		if (now->stop)
			return false;
	}
	if (x->half)
		mirror(x, b, id, x->threads);
	return true;
}

static int64_t
finals(const struct axt_product_run *x)
{
	return x->p->batch *
	    (x->small && !thin_kind(x) && !x->p->blas.name ? 1 : x->p->m / x->f->mr + 1);
}

static void
clear(struct axt_product_run *x)
{
	int64_t n = x->size;

	for (int i = 0; i < x->p->node->axes.n; i++)
		n *= x->src->op->window->region[i];
	memset(x->slab.p, 0, (size_t)n);
}

/* Decodes chunked arguments once, as a whole. */
static void
decode(struct axt_product_run *x, int id, struct axt_team *team)
{
	for (int i = 0; i < 2; i++) {
		struct axt_step_run *a = &x->arg[i];

		if (id == 0 && axt_step_next_chunks(a))
			atomic_store(&a->sh->stop, true);
		axt_team_barrier(team);
		axt_step_decode_all(&x->hand[id].arg[i], id);
		axt_decoder_free(x->hand[id].arg[i].decoder);
		x->hand[id].arg[i].decoder = NULL;
		axt_team_barrier(team);
	}
}

/* Multiplies by all threads: blocks of thin products, small matrices, or panels. */
static void
multiply_all(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team)
{
	int turn = 0;

	if (x->thin) {
		int64_t u, units = parts(x);

		x->hand[id].matrix = 0;
		while (
		    (u = atomic_fetch_add(&x->next, 1)) < units && !atomic_load(&x->r->sh->stop)) {
			if (id == 0)
				axt_tell(x->r, u, units);
			thin_block(x, &x->hand[id], u);
			if (x->early && !atomic_load(&x->r->sh->stop))
				go_on(x, w, u, units);
		}
	} else if (x->small) {
		int64_t b;

		while ((b = atomic_fetch_add(&x->next, 1)) < parts(x) &&
		    !atomic_load(&x->r->sh->stop)) {
			if (x->lanes > 1)
				across(x, &x->hand[id], b);
			else
				alone(x, &x->hand[id], x->b.lo + b);
			if (x->early)
				go_on(x, w, b, parts(x));
		}
	} else {
		for (int64_t b = x->b.lo; b < x->b.hi && together(x, w, b, id, team, &turn); b++)
			;
	}
}

/* ---- products by a library of BLAS ---- */

/* Finds rows of the left (i: 0) or columns of the right, [lo, hi), or packs them. */
static int
side(struct axt_product_run *x, struct hand *h, int i, int64_t b, int64_t lo, int64_t hi,
    int64_t k0, int64_t k1, struct axt_blas_side *to)
{
	const struct axt_matrix *m = &x->p->arg[i];
	struct axt_panels all = { .width = hi - lo,
		.size = x->size,
		.out = i ? h->right : h->left };

	*to = (struct axt_blas_side){ .k_last = m->k_last };
	to->p = axt_matrix_there(&h->arg[i], m, b, lo, hi, k0, k1, &to->ld);
	if (to->p)
		return 0;
	*to = (struct axt_blas_side){ all.out, all.width, false };
	if (axt_panels_fill(&h->arg[i], m, b, lo, hi, k0, k1, &all)) {
		axt_fail_unit(&h->arg[i], 0);
		return -1;
	}
	return 0;
}

/* Multiplies unit u: some rows by some columns, over all of k. */
static void
unit_by_blas(struct axt_product_run *x, struct hand *h, int64_t u)
{
	const struct axt_product *p = x->p;
	int64_t b = x->b.lo + u / x->split / x->blocks, part = u % x->split, ld,
		i0 = x->m.lo + u / x->split % x->blocks * x->mc, i1 = MIN(i0 + x->mc, x->m.hi),
		cols = x->n.hi - x->n.lo, j0 = x->n.lo + cols * part / x->split,
		j1 = x->n.lo + cols * (part + 1) / x->split, ldc = x->stored[1];
	uint8_t *row = x->slab.p +
	    (((b - x->b.at) * x->stored[0] + i0 - x->m.at) * ldc - x->n.at) * x->size;

	for (int64_t k0 = 0, k1; k0 < p->k; k0 = k1) {
		struct axt_blas_side left, right;
		int64_t n = p->nc;

		k1 = MIN(k0 + p->kc, p->k);
		if (side(x, h, 0, b, i0, i1, k0, k1, &left))
			return;
		if (axt_matrix_there(&h->arg[1], &p->arg[1], b, j0, j1, k0, k1, &ld))
			n = j1 - j0;
		for (int64_t j = j0; j < j1; j += n) {
			if (axt_cancelled(x->r->g, &h->arg[1].err)) {
				axt_fail_unit(&h->arg[1], 0);
				return;
			}
			if (side(x, h, 1, b, j, MIN(j + n, j1), k0, k1, &right))
				return;
			axt_blas_multiply(&p->blas, p->node->dtype, i1 - i0, MIN(n, j1 - j),
			    k1 - k0, &left, &right, k0 > 0, row + j * x->size, ldc);
		}
	}
}

static void
multiply_by_blas(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team)
{
	int64_t u, units = parts(x) * x->split;

	(void)team;
	while ((u = atomic_fetch_add(&x->next, 1)) < units && !atomic_load(&x->r->sh->stop)) {
		if (id == 0)
			axt_tell(x->r, u, units);
		unit_by_blas(x, &x->hand[id], u);
		if (x->early && !atomic_load(&x->r->sh->stop))
			go_on(x, w, u, units);
	}
}

static const struct axt_multiplier_fns multiplier_blas = { .run = multiply_by_blas,
	.blocks = true };
static const struct axt_multiplier_fns multiplier_cpu = { .run = multiply_all, .blocks = true };

static void
run(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team)
{
	if (x->whole)
		return;
	if (!x->decoded)
		decode(x, id, team);
	if (x->p->k > 0)
		x->by->run(x, w, id, team);
	else if (id == 0) /* k is 0, so every sum is 0 */
		clear(x);
	axt_team_barrier(team);
	if (id == 0)
		x->decoded = x->whole = true;
}

void
axt_products_run(struct axt_worker *w, int id, struct axt_team *team)
{
	for (int k = 0; k < w->r->s->prog.noperands; k++)
		if (w->r->src[k].kind == &axt_source_product)
			run(w->r->src[k].own, w, id, team);
}

static void
forget(const struct axt_source *s, int id, int n)
{
	const struct axt_product_run *x = s->own;

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < x->arg[i].s->prog.noperands; k++) {
			const struct axt_source *a = &x->arg[i].src[k];

			if (a->kind->forget)
				a->kind->forget(a, id, n);
		}
}

/* ---- which part of a slab is computed ---- */

/* Whether the elements that are read first are computed first. */
static bool
in_order(const struct axt_operand *op, const struct axt_space *sp)
{
	for (int d = 0; d < sp->nd; d++)
		if (op->v.stride[d] < 0)
			return false;
	return !op->jumps;
}

/* Sets the part of the slab to compute. One thread calls it; all compute in axt_products_run. */
static int64_t
window(struct axt_source *s, int64_t from, int64_t to, struct axt_err *e)
{
	struct axt_product_run *x = s->own;
	const struct axt_product *p = x->p;
	const struct axt_pairing *q = p->node->u.dot;
	int ax = s->op->window->axis, threads = x->threads;
	/* rows that are kept from the slab before were moved here, but not on the device */
	const struct range *other;
	int64_t inner = 1, rows, blocks, lo;
	int end = ax < q->nb ? q->nb : ax < q->nb + q->nm ? q->nb + q->nm : p->node->axes.n;

	if (axt_slab_move(s, &x->slab, from, to, e) < 0)
		return -1;
	lo = p->read_on_device ? x->slab.lo : x->slab.from;
	x->whole = ax < 0 ? x->whole : lo >= x->slab.hi;
	x->b = (struct range){ 0, 0, p->batch };
	x->m = (struct range){ 0, 0, p->m };
	x->n = (struct range){ 0, 0, p->n };
	for (int i = ax + 1; ax >= 0 && i < end; i++)
		inner *= p->node->axes.a[i].len;
	if (ax >= 0) {
		*(ax < q->nb                 ? &x->b
			: ax < q->nb + q->nm ? &x->m
					     : &x->n) = (struct range){ x->slab.lo * inner,
			lo * inner, x->slab.hi * inner };
	}
	/* thin products have to compute and store all of the short side */
	x->thin = thin_kind(x);
	other = x->thin == THIN_ROWS ? &x->n : &x->m;
	if (other->lo != 0 || other->hi != (x->thin == THIN_ROWS ? p->n : p->m))
		x->thin = THICK;
	if (x->small)
		threads = 1;
	x->blocks = 0;
	rows = x->m.hi - x->m.lo;
	x->mc = p->mc;
	if (rows < 2 * threads * p->mc) /* gives each thread two blocks, if it has a panel */
		x->mc = MIN(p->mc, (rows / (2 * threads) + x->f->mr) / x->f->mr * x->f->mr);
	if (x->by == &multiplier_blas)
		x->mc = MAX(x->mc, MIN(p->mc, BLAS_ROWS));
	blocks = (rows + x->mc - 1) / x->mc;
	x->split = (int)(x->thin || blocks >= threads ? 1
						      : (threads + blocks - 1) / MAX(1, blocks));
	if (x->thin) {
		const struct range *r = x->thin == THIN_ROWS ? &x->m : &x->n;

		x->mc = thin_rows(x);
		x->blocks = (r->hi - r->lo + x->mc - 1) / x->mc;
	} else if (x->by == &multiplier_blas) {
		x->blocks = blocks;
	}
	x->stored[0] = axt_product(x->src->op->window->region, q->nb, q->nb + q->nm);
	x->stored[1] = axt_product(x->src->op->window->region, q->nb + q->nm, p->node->axes.n);
	x->lanes = 1;
	if (!x->thin && x->m.hi - x->m.lo == p->m && x->n.hi - x->n.lo == p->n &&
	    x->stored[0] == p->m && x->stored[1] == p->n)
		x->lanes = lanes(x);
	x->half = p->symmetric && x->by == &multiplier_cpu && !x->thin && x->lanes == 1 &&
	    x->m.hi - x->m.lo == p->m && x->n.hi - x->n.lo == p->n && x->stored[0] == p->m &&
	    x->stored[1] == p->n;
	/* what is final must begin the slab, and the step must wait for nothing else */
	x->early = x->by->blocks && (x->thin ? x->thin == THIN_ROWS : x->small || x->split == 1) &&
	    (!x->half || x->small) && !x->whole && x->only && axt_step_fns(x->r->s)->elementwise &&
	    in_order(x->src->op, &x->r->s->sp) &&
	    (ax < q->nb || (ax < q->nb + q->nm && p->batch == 1));
	atomic_store(&x->nfinal, 0);
	for (int64_t i = 0; i < (x->early ? parts(x) : 0); i++)
		atomic_store(&x->final[i], false);
	x->panels = 0;
	atomic_store(&x->next, 0);
	for (int i = 0; i < 2; i++) {
		atomic_store(&x->turn[i].pack, 0);
		atomic_store(&x->turn[i].block, 0);
	}
	return 0;
}

/* ---- set-up ---- */

static int
open_product(struct axt_source *s, struct axt_step_run *r, struct axt_err *e)
{
	const struct axt_product *p = s->op->product;
	struct axt_storage *st = axt_alloc(r->g->m, sizeof(*st));
	struct axt_product_run *x = calloc(1, sizeof(*x));

	s->own = x;
	if (!st || !x)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT,
		.dtype = p->node->dtype,
		.rank = p->node->axes.n,
		.count = axt_count(p->node),
		.fd = -1,
		.from = "dot" };
	for (int i = 0; i < st->rank; i++)
		st->dims[i] = st->chunk[i] = p->node->axes.a[i].len;
	s->st = st;
	x->p = p;
	x->by = p->device  ? &axt_multiplier_device
	    : p->blas.name ? &multiplier_blas
			   : &multiplier_cpu;
	x->f = axt_kern_gemm(p->node->dtype);
	x->r = r;
	x->src = s;
	x->size = axt_size(p->node->dtype);
	return axt_slab_new(s, &x->slab, e);
}

static void
close_product(struct axt_source *s)
{
	struct axt_product_run *x = s->own;

	if (!x)
		return;
	for (int i = 0; x->hand && i < x->threads; i++) {
		for (int k = 0; k < 2; k++)
			if (x->hand[i].arg[k].r)
				axt_worker_release(&x->hand[i].arg[k]);
		free(x->hand[i].left);
		free(x->hand[i].right);
		free(x->hand[i].thin);
		free(x->hand[i].across);
	}
	if (x->by && x->by->end)
		x->by->end(x);
	for (int k = 0; k < 2; k++)
		if (x->arg[k].s)
			axt_step_end(&x->arg[k]);
	free(x->hand);
	free(x->final);
	free(x->right[0]);
	free(x->right[1]);
	free(x->slab.p);
	free(x);
}

static int
begin(struct axt_product_run *x)
{
	const struct axt_product *p = x->p;
	struct axt_graph *g = x->r->g;
	int64_t few = MIN(p->m, p->n), thin = 0, deep = p->kc * x->size, across,
		right = (p->nc + x->f->nr) * deep;
	bool own; /* whether threads have panels of the right of their own */

	x->small = p->batch >= MANY * x->threads ||
	    (p->batch >= 2 * x->threads && p->m * p->n <= SMALL / MAX(p->k, 1));
	across = lanes(x);
	own = x->small || x->by == &multiplier_blas;
	if (thin_kind(x))
		thin = ((few + x->f->mr) * p->k + (thin_rows(x) + x->f->nr) * (p->k + few)) *
		    x->size;
	x->hand = calloc((size_t)x->threads, sizeof(*x->hand));
	x->final = calloc((size_t)finals(x), sizeof(*x->final));
	for (int i = 0; i < 2 && !own; i++)
		x->right[i] = axt_scratch_new(right);
	if (!x->hand || !x->final || (!own && (!x->right[0] || !x->right[1])))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < 2; k++) {
		x->arg[k] = (struct axt_step_run){ .g = g,
			.s = axt_product_arg(p, k)->s,
			.sh = x->r->sh };
		if (axt_step_begin(&x->arg[k], NULL, 0, x->r->plan))
			return -1;
	}
	for (int i = 0; i < x->threads; i++) {
		struct hand *h = &x->hand[i];

		h->left = axt_scratch_new((p->mc + x->f->mr) * deep);
		h->right = own ? axt_scratch_new(right) : NULL;
		h->thin = thin ? axt_scratch_new(thin) : NULL;
		h->across = across > 1 ? axt_scratch_new(across * small_elements(p) * x->size)
				       : NULL;
		if (!h->left || (own && !h->right) || (thin && !h->thin) ||
		    (across > 1 && !h->across))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		for (int k = 0; k < 2; k++)
			if (axt_step_worker(&h->arg[k], &x->arg[k])) {
				g->err = h->arg[k].err;
				return -1;
			}
	}
	return x->by->begin ? x->by->begin(x) : 0;
}

int
axt_products_begin(struct axt_step_run *r, int threads)
{
	int n = 0;

	for (int k = 0; k < r->s->prog.noperands; k++)
		n += r->src[k].kind == &axt_source_product;
	for (int k = 0; k < r->s->prog.noperands; k++) {
		struct axt_product_run *x = r->src[k].own;

		if (r->src[k].kind != &axt_source_product)
			continue;
		r->products = true;
		x->threads = threads;
		x->only = n == 1;
		if (begin(x))
			return -1;
	}
	return 0;
}

const struct axt_source_kind axt_source_product = { .open = open_product,
	.window = window,
	.load = axt_source_gather,
	.forget = forget,
	.close = close_product };
