/*
 * dot.c - contraction: operands packed as matrices [batch][M][K] and [batch][K][N], products in
 * blocks whose grid depends on the shape alone, the result laid out in its axes' order.
 */
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../back/blas.h"
#include "run.h"

#define BLOCK_M 384
#define BLOCK_N 512

struct product {
	enum axt_dtype d;
	int64_t batch, m, n, k, bm, bn;		/* bm, bn: blocks along m and n */
	uint8_t *a, *b, *c;
	const bool *cancelled;
	atomic_llong next;
};

static int64_t
lengths(const struct axt_axes *x, const int *which, int n)
{
	int64_t p = 1;

	for (int i = 0; i < n; i++)
		p *= x->a[which[i]].len;
	return p;
}

/* The operand's values with its axes in the order given by three lists of indices. */
static uint8_t *
pack(struct axt_graph *g, struct axt_expr *e, const int *x, int nx, const int *y, int ny,
    const int *z, int nz)
{
	const int *list[3] = { x, y, z };
	int count[3] = { nx, ny, nz }, src[AXT_MAX_RANK];
	struct axt_axes axes = { 0 };
	struct axt_mem_sink m;
	struct axt_sink *sink = &m.sink;
	size_t bytes;
	uint8_t *p;

	for (int l = 0; l < 3; l++)
		for (int i = 0; i < count[l]; i++) {
			src[axes.n] = list[l][i];
			axes.a[axes.n++] = e->axes.a[list[l][i]];
		}
	e = axt_relabel(g, e, &axes, src);
	if (axt_bad(e))
		return NULL;
	bytes = (size_t)(axt_count(e) * axt_size(e->dtype));
	p = malloc(bytes + 1);
	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory for %zu bytes", bytes), NULL;
	axt_mem_sink_init(&m, p, (int64_t)bytes);
	if (axt_run(g, &e, 1, &sink) == 0)
		return p;
	free(p);
	return NULL;
}

static void
multiply(void *ctx, int id, struct axt_team *team)
{
	struct product *p = ctx;
	int64_t size = axt_size(p->d), all = p->batch * p->bm * p->bn;

	(void)id;
	(void)team;
	for (int64_t i; (i = atomic_fetch_add(&p->next, 1)) < all && !__atomic_load_n(p->cancelled, __ATOMIC_RELAXED); ) {
		int64_t j = i % p->bn * BLOCK_N, r = i / p->bn % p->bm * BLOCK_M,
		    t = i / p->bn / p->bm;

		axt_gemm(p->d, MIN(BLOCK_M, p->m - r), MIN(BLOCK_N, p->n - j), p->k,
		    p->a + (t * p->m + r) * p->k * size, p->k, p->b + (t * p->k * p->n + j) * size,
		    p->n, p->c + ((t * p->m + r) * p->n + j) * size, p->n);
	}
}

/* c as a tensor [batch][M][N] again, in the order and dtype of the node, to the sink. */
static int
give(struct axt_graph *g, const struct axt_step *s, struct product *p, struct axt_sink *sink)
{
	const struct axt_expr *e = s->out[0].node, *a = e->arg[0], *b = e->arg[1];
	const struct axt_pairing *q = e->u.dot;
	struct axt_expr *leaf = axt_node(g, AXT_NODE_LEAF, p->d);
	struct axt_storage *st = axt_alloc(g->m, sizeof *st);
	struct axt_expr *out;
	int64_t shape[AXT_MAX_RANK];
	int src[AXT_MAX_RANK];

	if (axt_bad(leaf) || !st)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < q->nb; i++)
		leaf->axes.a[leaf->axes.n++] = a->axes.a[q->ba[i]];
	for (int i = 0; i < q->nm; i++)
		leaf->axes.a[leaf->axes.n++] = a->axes.a[q->ma[i]];
	for (int i = 0; i < q->nn; i++)
		leaf->axes.a[leaf->axes.n++] = b->axes.a[q->nbx[i]];
	for (int i = 0; i < leaf->axes.n; i++)
		shape[i] = leaf->axes.a[i].len;
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT, .dtype = p->d,
	    .rank = leaf->axes.n, .fd = -1, .mem = p->c, .from = "dot" };
	memcpy(st->dims, shape, sizeof shape);
	leaf->u.leaf.st = st;
	axt_view_layout(&leaf->u.leaf.view, leaf->axes.n, shape, NULL, 'C', &st->count);
	for (int i = 0; i < e->axes.n; i++)
		src[i] = axt_axes_find(&leaf->axes, &e->axes.a[i]);
	out = axt_conv(g, axt_relabel(g, leaf, &e->axes, src), e->dtype, AXT_OVERFLOW_ERROR);
	return axt_run(g, &out, 1, &sink);
}

int
axt_dot_run(struct axt_graph *g, const struct axt_step *s, struct axt_sink *sink, int threads)
{
	const struct axt_expr *e = s->out[0].node;
	struct axt_expr *a = e->arg[0], *b = e->arg[1];
	const struct axt_pairing *q = e->u.dot;
	struct product p = { .d = a->dtype, .cancelled = &g->cancelled };

	p.batch = lengths(&a->axes, q->ba, q->nb);
	p.m = lengths(&a->axes, q->ma, q->nm);
	p.k = lengths(&a->axes, q->ka, q->nk);
	p.n = lengths(&b->axes, q->nbx, q->nn);
	p.bm = (p.m + BLOCK_M - 1) / BLOCK_M;
	p.bn = (p.n + BLOCK_N - 1) / BLOCK_N;
	if (s->kept_count == 0)
		return 0;
	if (MAX(p.k, p.n) > INT_MAX)
		return axt_fail(&g->err, AXT_E_LIMIT,
		    "a dot over more than 2^31 elements is not supported");
	if (axt_blas_load(p.d, &g->err))
		return g->err.code;
	p.a = pack(g, a, q->ba, q->nb, q->ma, q->nm, q->ka, q->nk);
	p.b = p.a ? pack(g, b, q->bb, q->nb, q->kb, q->nk, q->nbx, q->nn) : NULL;
	p.c = p.b ? calloc((size_t)s->kept_count, (size_t)axt_size(p.d)) : NULL;
	if (p.c) {
		if (p.k > 0)
			axt_team_run(MIN(threads, (int)MIN(p.batch * p.bm * p.bn, threads)),
			    multiply, &p);
		give(g, s, &p, sink);
	} else if (p.b) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory for %lld bytes",
		    (long long)s->bytes_held);
	}
	free(p.a);
	free(p.b);
	free(p.c);
	return g->err.code;
}
