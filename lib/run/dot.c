/*
 * dot.c - products of matrices, computed into the slab of the step that uses them. After Goto and van
 * de Geijn, ACM TOMS 34(3) art. 12, 2008: a panel of the right is packed by all threads and stays in
 * L3, each packs blocks of the left for its L2. Arguments are packed from wherever their tiles are:
 * a mapped file, chunks, an expression. A sum's order is that of k, cut every kc.
 */
#include <stdlib.h>

#include "shared.h"

#define PACK_COLS 256		/* of the right, packed at a time: rows of them are read as they lie */
#define SMALL (16 << 20)	/* multiplications: a batch of such products has a thread for each */

/* A thread's own. */
struct hand {
	struct axt_worker arg[2];
	uint8_t *left, *right;		/* right: where products are small */
};

struct axt_product_run {
	const struct axt_product *p;
	const struct axt_gemm_fns *f;
	const struct axt_step_run *r;
	struct axt_source *src;
	struct axt_step_run arg[2];
	struct hand *hand;
	int threads, size;
	bool decoded;			/* chunks of the arguments */
	bool only;			/* the step has no other product */
	uint8_t *right;
	/* matrices, rows and columns: where the slab begins, what of it is to be computed */
	struct range {
		int64_t at, lo, hi;
	} b, m, n;
	int64_t mc;
	int split;			/* units a block of rows is cut into */
	bool small, whole, stop;
	/* blocks of rows that are final, in order from the first; all elements up to there */
	atomic_bool *final;
	atomic_llong nfinal;
	bool early;			/* the step may begin with them */
	int64_t panels;			/* pairs of panels multiplied, of this slab */
	atomic_llong pack_next, block_next;
};

/* ---- tiles of arguments into panels ---- */

/* Index i of dimensions [a, b) as a tile of one element there. */
static void
set_index(struct axt_tile *t, const struct axt_space *sp, int a, int b, int64_t i)
{
	for (int d = b - 1; d >= a; d--) {
		t->lo[d] = i % sp->len[d];
		t->n[d] = 1;
		i /= sp->len[d];
	}
}

/* The values of a tile of rows of `cols`; row r is at r * *ld. */
static const uint8_t *
values(struct axt_worker *w, const struct axt_tile *t, int64_t cols, int64_t *ld)
{
	const struct axt_step *s = w->r->s;
	const struct axt_reg *root = &s->prog.reg[s->out[0].root];

	*ld = cols;
	if (s->prog.ninstrs == 0 && root->operand >= 0 && !root->scalar) {
		if (axt_worker_load(w, t, s->sp.lin))
			return NULL;
		*ld = w->ld[root->operand];
		return w->data[root->operand];
	}
	if (axt_worker_load(w, t, 0))
		return NULL;
	for (int64_t at = 0; at < t->count; at += AXT_STRIP)
		if (axt_worker_eval(w, at, MIN(AXT_STRIP, t->count - at), at))
			return NULL;
	return w->room[s->out[0].root];
}

/* Panels of `width` rows or columns, kk deep each. */
struct panels {
	uint8_t *out;
	int64_t width, kk;
	int size;
};

/* Elements i, i + 1... of the panels, l deep: rows of x, which lie ld apart. */
static void
place_rows(const struct panels *p, int64_t i, int64_t n, int64_t l, const uint8_t *x, int64_t ld)
{
	while (n > 0) {
		int64_t m = MIN(n, p->width - i % p->width);
		int64_t at = i / p->width * p->kk * p->width + i % p->width;

		axt_kern_gather2(p->out + at * p->size, p->width, x, l, m, 1, ld, p->size);
		x += m * ld * p->size;
		i += m;
		n -= m;
	}
}

/* A row of n elements cut into pieces, one for each panel; `bytes` is a constant where that pays. */
static inline __attribute__((always_inline)) void
deal(uint8_t *out, const uint8_t *x, int64_t n, int64_t step, size_t bytes)
{
	for (int64_t j = 0; j < n; j++)
		memcpy(out + j * step, x + j * (int64_t)bytes, bytes);
}

/* Rows l0, l0 + 1... of all panels: rows of x, n elements each, ld apart. */
static void
place_deep(const struct panels *p, int64_t n, int64_t l0, int64_t l, const uint8_t *x, int64_t ld)
{
	size_t bytes = (size_t)(p->width * p->size);
	int64_t whole = n / p->width, step = p->kk * (int64_t)bytes;

	for (int64_t r = 0; r < l; r++) {
		uint8_t *out = p->out + (l0 + r) * (int64_t)bytes;
		const uint8_t *row = x + r * ld * p->size;

		if (bytes == 128)
			deal(out, row, whole, step, 128);
		else if (bytes == 48)
			deal(out, row, whole, step, 48);
		else
			deal(out, row, whole, step, bytes);
		memcpy(out + whole * step, row + whole * (int64_t)bytes,
		    (size_t)(n % p->width * p->size));
	}
}

/*
 * Rows (of the left) or columns (of the right) [lo, hi) of matrix b, [k0, k1) of what is summed over,
 * as panels.
 */
static int
pack(struct axt_worker *w, const struct axt_matrix *x, int64_t b, int64_t lo, int64_t hi,
    int64_t k0, int64_t k1, struct panels *to)
{
	const struct axt_space *sp = &x->s->sp;
	int64_t o = x->k_last ? lo : k0, end = x->k_last ? hi : k1, inner = sp->len[sp->lin - 1],
	    cols = x->k_last ? k1 - k0 : hi - lo, ld, rest = (hi - lo) % to->width;
	struct axt_tile t = { 0 };

	to->kk = k1 - k0;
	if (rest)	/* the last panel is filled up */
		memset(to->out + (hi - lo - rest) * to->kk * to->size, 0,
		    (size_t)(to->width * to->kk * to->size));
	set_index(&t, sp, 0, x->outer, b);
	t.lo[sp->lin] = x->k_last ? k0 : lo;
	t.n[sp->lin] = cols;
	for (int64_t n; o < end; o += n) {
		const uint8_t *v;

		n = MIN(MIN(MAX(1, AXT_MATRIX_TILE / cols), end - o), inner - o % inner);
		set_index(&t, sp, x->outer, sp->lin, o);
		t.n[sp->lin - 1] = n;
		t.count = n * cols;
		v = values(w, &t, cols, &ld);
		if (!v)
			return -1;
		if (x->k_last)
			place_rows(to, o - lo, n, cols, v, ld);
		else
			place_deep(to, cols, o - k0, n, v, ld);
	}
	return 0;
}

/* ---- a product ---- */

/* Unit u of packing the right's columns [j0, j1): false when there is no such. */
static bool
pack_right(struct axt_product_run *x, struct hand *h, int64_t u, int64_t b, int64_t j0, int64_t j1,
    int64_t k0, int64_t k1, uint8_t *right)
{
	int64_t wide = PACK_COLS, lo = j0 + u * wide;
	struct panels to = { .width = x->f->nr, .size = x->size,
	    .out = right + u * wide * (k1 - k0) * x->size };

	if (lo >= j1)
		return false;
	if (pack(&h->arg[1], &x->p->arg[1], b, lo, MIN(lo + wide, j1), k0, k1, &to))
		axt_fail_unit(&h->arg[1], 0);
	return true;
}

/* Unit u of multiplying: some rows by some of the columns [j0, j1). */
static bool
multiply(struct axt_product_run *x, struct hand *h, int64_t u, int64_t b, int64_t j0, int64_t j1,
    int64_t k0, int64_t k1, const uint8_t *right)
{
	const struct axt_product *p = x->p;
	const int64_t *region = x->src->op->region;
	int64_t i0 = x->m.lo + u / x->split * x->mc, i1 = MIN(i0 + x->mc, x->m.hi);
	int64_t nr = x->f->nr, panels = (j1 - j0 + nr - 1) / nr, rows = 1, ldc = 1;
	int64_t c0 = panels * (u % x->split) / x->split * nr,
	    c1 = MIN(panels * (u % x->split + 1) / x->split * nr, j1 - j0);
	struct panels to = { .width = x->f->mr, .size = x->size, .out = h->left };
	int nb = p->node->u.dot->nb, nm = p->node->u.dot->nm;

	if (i0 >= x->m.hi)
		return false;
	if (pack(&h->arg[0], &p->arg[0], b, i0, i1, k0, k1, &to)) {
		axt_fail_unit(&h->arg[0], 0);
		return true;
	}
	for (int i = nb; i < nb + nm; i++)
		rows *= region[i];
	for (int i = nb + nm; i < p->node->axes.n; i++)
		ldc *= region[i];
	if (c1 > c0)
		x->f->multiply(x->src->slab + (((b - x->b.at) * rows + i0 - x->m.at) * ldc + j0 -
		    x->n.at + c0) * x->size, ldc, h->left, right + c0 * (k1 - k0) * x->size, i1 - i0,
		    c1 - c0, k1 - k0, k0 > 0);
	return true;
}

/* All of matrix b by one thread. */
static void
alone(struct axt_product_run *x, struct hand *h, int64_t b)
{
	const struct axt_product *p = x->p;

	for (int64_t j = x->n.lo; j < x->n.hi; j += p->nc)
		for (int64_t k = 0; k < p->k && !atomic_load(&x->r->sh->stop); k += p->kc) {
			int64_t j1 = MIN(j + p->nc, x->n.hi), k1 = MIN(k + p->kc, p->k), u = 0;

			while (pack_right(x, h, u, b, j, j1, k, k1, h->right))
				u++;
			for (u = 0; multiply(x, h, u, b, j, j1, k, k1, h->right); u++)
				;
		}
}

static void
tell(struct axt_product_run *x)
{
	int64_t wide = (x->n.hi - x->n.lo + x->p->nc - 1) / x->p->nc,
	    deep = (x->p->k + x->p->kc - 1) / x->p->kc;

	axt_tell(x->r, ++x->panels, (x->b.hi - x->b.lo) * wide * deep);
}

/*
 * Block u of the last rows is final: what of the step needs no more than the blocks before the first
 * that is not is done at once. Its values are still in cache, and while one thread writes the others
 * compute.
 */
static void
go_on(struct axt_product_run *x, struct axt_worker *w, int64_t u, int64_t b)
{
	long long n = atomic_load(&x->nfinal);
	int64_t rows, blocks = (x->m.hi - x->m.lo + x->mc - 1) / x->mc;

	atomic_store(&x->final[u], true);
	while (n < blocks && atomic_load(&x->final[n]))
		if (atomic_compare_exchange_strong(&x->nfinal, &n, n + 1))
			n++;
	rows = MIN(x->m.lo + n * x->mc, x->m.hi);
	axt_step_early(w, x->src, (b * x->p->m + rows) * x->p->n);
}

/* All of matrix b by all threads; false when the run is to stop. */
static bool
together(struct axt_product_run *x, struct axt_worker *w, int64_t b, int id, struct axt_team *team)
{
	const struct axt_product *p = x->p;
	struct hand *h = &x->hand[id];

	for (int64_t j = x->n.lo; j < x->n.hi; j += p->nc)
		for (int64_t k = 0; k < p->k; k += p->kc) {
			int64_t j1 = MIN(j + p->nc, x->n.hi), k1 = MIN(k + p->kc, p->k);

			while (pack_right(x, h, atomic_fetch_add(&x->pack_next, 1), b, j, j1, k, k1,
			    x->right))
				;
			if (id == 0) {
				atomic_store(&x->block_next, 0);
				if (axt_cancelled(x->r->g, &h->arg[0].err))
					axt_fail_unit(&h->arg[0], 0);
				x->stop = atomic_load(&x->r->sh->stop);
			}
			axt_team_barrier(team);
			if (x->stop)
				return false;
			for (int64_t u; u = atomic_fetch_add(&x->block_next, 1),
			    multiply(x, h, u, b, j, j1, k, k1, x->right);)
				if (x->early && b == x->b.hi - 1 && j1 == x->n.hi && k1 == p->k)
					go_on(x, w, u, b);
			if (id == 0) {
				atomic_store(&x->pack_next, 0);
				tell(x);
			}
			axt_team_barrier(team);
		}
	return true;
}

static void
clear(struct axt_product_run *x)
{
	int64_t n = x->size;

	for (int i = 0; i < x->p->node->axes.n; i++)
		n *= x->src->op->region[i];
	memset(x->src->slab, 0, (size_t)n);
}

/* Chunked arguments are decoded once, whole. */
static void
decode(struct axt_product_run *x, int id, struct axt_team *team)
{
	for (int i = 0; i < 2; i++) {
		struct axt_step_run *a = &x->arg[i];

		if (id == 0 && axt_step_windows(a))
			atomic_store(&a->sh->stop, true);
		axt_team_barrier(team);
		axt_step_work(&x->hand[id].arg[i], id, &a->sh->chunk, a->sh->chunks,
		    axt_decode_one);
		axt_team_barrier(team);
	}
}

static void
run(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team)
{
	if (x->whole)
		return;
	if (!x->decoded)
		decode(x, id, team);
	if (x->p->k == 0 && id == 0)
		clear(x);
	if (x->small) {
		int64_t b;

		while ((b = atomic_fetch_add(&x->block_next, 1)) < x->b.hi - x->b.lo)
			alone(x, &x->hand[id], x->b.lo + b);
	} else {
		for (int64_t b = x->b.lo; b < x->b.hi && together(x, w, b, id, team); b++)
			;
	}
	axt_team_barrier(team);
	if (id == 0)
		x->decoded = x->whole = true;
}

void
axt_products_run(struct axt_worker *w, int id, struct axt_team *team)
{
	for (int k = 0; k < w->r->s->prog.noperands; k++)
		if (w->r->src[k].product)
			run(w->r->src[k].product, w, id, team);
}

/* ---- the part of a slab ---- */

void
axt_product_window(struct axt_product_run *x, struct axt_chunk_job *job)
{
	const struct axt_product *p = x->p;
	const struct axt_pairing *q = p->node->u.dot;
	int ax = x->src->op->slab_axis, threads = x->threads;
	int64_t inner = 1, rows, blocks;
	int end = ax < q->nb ? q->nb : ax < q->nb + q->nm ? q->nb + q->nm : p->node->axes.n;

	job->count = 0;
	x->whole = ax < 0 ? x->whole : job->lo >= job->hi;
	x->b = (struct range){ 0, 0, p->batch };
	x->m = (struct range){ 0, 0, p->m };
	x->n = (struct range){ 0, 0, p->n };
	for (int i = ax + 1; ax >= 0 && i < end; i++)
		inner *= p->node->axes.a[i].len;
	if (ax >= 0) {
		*(ax < q->nb ? &x->b : ax < q->nb + q->nm ? &x->m : &x->n) = (struct range){
		    x->src->slab_lo * inner, job->lo * inner, job->hi * inner };
	}
	if (x->small)
		threads = 1;
	rows = x->m.hi - x->m.lo;
	x->mc = p->mc;
	if (rows < 2 * threads * p->mc)	/* two blocks for each thread, if they have a panel each */
		x->mc = MIN(p->mc, (rows / (2 * threads) + x->f->mr) / x->f->mr * x->f->mr);
	blocks = (rows + x->mc - 1) / x->mc;
	x->split = (int)(blocks >= threads ? 1 : (threads + blocks - 1) / MAX(1, blocks));
	/* what is final has to be at the slab's beginning, and nothing else be waited for */
	x->early = x->split == 1 && !x->small && !x->whole && x->only &&
	    x->r->s->kind == AXT_STEP_MAP && (ax < q->nb || (ax < q->nb + q->nm && p->batch == 1));
	atomic_store(&x->nfinal, 0);
	for (int64_t i = 0; i <= p->m / x->f->mr; i++)
		atomic_store(&x->final[i], false);
	x->panels = 0;
	atomic_store(&x->pack_next, 0);
	atomic_store(&x->block_next, 0);
}

/* ---- set-up ---- */

const struct axt_storage *
axt_product_storage(struct axt_graph *g, const struct axt_product *p)
{
	struct axt_storage *st = axt_alloc(g->m, sizeof *st);

	if (!st) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT, .dtype = p->node->dtype,
	    .rank = p->node->axes.n, .count = axt_count(p->node), .fd = -1, .from = "dot" };
	for (int i = 0; i < st->rank; i++)
		st->dims[i] = st->chunk[i] = p->node->axes.a[i].len;
	return st;
}

void
axt_product_end(struct axt_product_run *x)
{
	if (!x)
		return;
	for (int i = 0; x->hand && i < x->threads; i++) {
		for (int k = 0; k < 2; k++)
			if (x->hand[i].arg[k].r)
				axt_worker_release(&x->hand[i].arg[k]);
		free(x->hand[i].left);
		free(x->hand[i].right);
	}
	for (int k = 0; k < 2; k++)
		if (x->arg[k].s)
			axt_step_end(&x->arg[k]);
	free(x->hand);
	free(x->final);
	free(x->right);
	free(x);
}

static void *
room(int64_t n)
{
	return aligned_alloc(64, ((size_t)n + 127) / 64 * 64);
}

static int
begin(struct axt_product_run *x)
{
	const struct axt_product *p = x->p;
	struct axt_graph *g = x->r->g;
	int64_t deep = p->kc * x->size, right = (p->nc + x->f->nr) * deep;

	x->small = p->batch >= 2 * x->threads && p->m * p->n <= SMALL / MAX(p->k, 1);
	x->hand = calloc((size_t)x->threads, sizeof *x->hand);
	x->final = calloc((size_t)(p->m / x->f->mr) + 1, sizeof *x->final);
	x->right = x->small ? NULL : room(right);
	if (!x->hand || !x->final || (!x->small && !x->right))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < 2; k++) {
		x->arg[k] = (struct axt_step_run){ .g = g, .s = p->arg[k].s, .sh = x->r->sh };
		if (axt_step_begin(&x->arg[k], NULL, 0, x->r->plan))
			return -1;
	}
	for (int i = 0; i < x->threads; i++) {
		struct hand *h = &x->hand[i];

		h->left = room((p->mc + x->f->mr) * deep);
		h->right = x->small ? room(right) : NULL;
		if (!h->left || (x->small && !h->right))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		for (int k = 0; k < 2; k++)
			if (axt_step_worker(&h->arg[k], &x->arg[k])) {
				g->err = h->arg[k].err;
				return -1;
			}
	}
	return 0;
}

int
axt_products_begin(struct axt_step_run *r, int threads)
{
	int n = 0;

	for (int k = 0; k < r->s->prog.noperands; k++)
		n += r->s->prog.operand[k].product != NULL;
	for (int k = 0; k < r->s->prog.noperands; k++) {
		const struct axt_product *p = r->s->prog.operand[k].product;
		struct axt_product_run *x = p ? calloc(1, sizeof *x) : NULL;

		if (!p)
			continue;
		if (!x)
			return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
		r->src[k].product = x;
		r->products = true;
		x->p = p;
		x->f = axt_kern_gemm(p->node->dtype);
		x->r = r;
		x->src = &r->src[k];
		x->threads = threads;
		x->only = n == 1;
		x->size = axt_size(p->node->dtype);
		if (begin(x))
			return -1;
	}
	return 0;
}
