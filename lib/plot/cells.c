/*
 * cells.c - reads a tensor as few cells: the means, or the extremes, of blocks of elements, which
 * the evaluator computes while it reads. If an axis is no multiple of its block, the last block is
 * shorter: the tensor is then cut in two parts there, which are reduced separately in the same run.
 */
#include "plot/plot.h"

#include "out/deliver.h"

#define PARTS 24 /* two along each of three axes, at most thrice for extremes and means */

/* Cells at[i] to at[i] + n[i] of a result, which are evaluated together. */
struct part {
	int64_t at[3], n[3];
	double *to; /* in all cells */
	void *v;
	struct axt_mem_sink sink;
};
struct cells {
	struct axt_delivery out;
	struct part part[PARTS];
	struct axt_expr *e[PARTS];
	int n;
};

static int
cells_open(struct axt_delivery *o)
{
	(void)o;
	return 0;
}

static struct axt_sink *
cells_sink(struct axt_delivery *o, int i)
{
	return &((struct cells *)o)->part[i].sink.sink;
}

static void
cells_close(struct axt_delivery *o, bool ok)
{
	(void)o;
	(void)ok;
}

/*
 * How many elements a block has, so that an axis of `len` elements gets at most `most` cells: the
 * least number possible or, if one a little larger divides the axis evenly, that one.
 */
static int64_t
block_of(int64_t len, int64_t most)
{
	int64_t b = most > 0 && len > most ? (len + most - 1) / most : 1;

	for (int64_t k = b; b > 1 && k <= b + b * 3 / 8; k++)
		if (len % k == 0)
			return k;
	return b;
}

/* e with axes of these names, and nothing else known of them. */
static struct axt_expr *
plain(struct axt_graph *g, struct axt_expr *e)
{
	static const char *const name[] = { "p", "q", "r" };
	struct axt_axes x = { .n = e->axes.n };
	int src[AXT_MAX_RANK];

	for (int i = 0; i < x.n; i++) {
		x.a[i] = (struct axt_axis){ .name = name[i], .len = e->axes.a[i].len };
		src[i] = i;
	}
	return axt_relabel(g, e, &x, src);
}

/* The part of e in which axis i has its whole blocks, or (tail) the last, shorter one. */
static struct axt_expr *
cut(struct axt_graph *g, struct axt_expr *e, int i, int64_t len, int64_t block, bool tail)
{
	static const char name[] = "pqr", inner[] = "PQR";
	int64_t whole = len / block * block, n = tail ? len - whole : block;
	char spec[80];

	if (block == 1)
		return e;
	if (len != whole) {
		snprintf(spec, sizeof(spec), "%c=%lld:%lld", name[i], (long long)(tail ? whole : 0),
		    (long long)(tail ? len : whole));
		e = axt_slice(g, e, spec, false);
	}
	snprintf(spec, sizeof(spec), "%c=%c:%lld,%c:%lld", name[i], name[i],
	    (long long)(tail ? 1 : whole / block), inner[i], (long long)n);
	return axt_unflatten(g, e, spec);
}

/* Adds a part: e, whose cells go to `to`. */
static int
add(struct axt_graph *g, struct cells *k, struct axt_expr *e, const struct part *where, double *to)
{
	struct part *p = &k->part[k->n];
	int64_t bytes = where->n[0] * where->n[1] * where->n[2] * axt_size(e->dtype);

	*p = *where;
	p->to = to;
	p->v = axt_alloc(g->m, (size_t)bytes + 1);
	if (!p->v || axt_bad(e))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_mem_sink_init(&p->sink, p->v, bytes);
	k->e[k->n++] = e;
	return 0;
}

/* Adds the reductions that c has room for: of one node e, so that a single pass computes them. */
static int
add_reduced(struct axt_graph *g, struct cells *k, struct axt_expr *e, const char *over,
    const struct part *p, struct axt_cells *c)
{
	struct axt_reduce_opts o = { .over = over,
		.nan = axt_dtypes[e->dtype].cls == AXT_CLASS_FLOAT };

	if (!c->hi)
		return add(g, k, axt_reduce(g, AXT_RED_MEAN, e, &o), p, c->lo);
	return add(g, k, axt_reduce(g, AXT_RED_MIN, e, &o), p, c->lo) ||
		add(g, k, axt_reduce(g, AXT_RED_MAX, e, &o), p, c->hi) ||
		(c->mean && add(g, k, axt_reduce(g, AXT_RED_MEAN, e, &o), p, c->mean))
	    ? (int)g->err.code
	    : 0;
}

/*
 * Adds one part of e. If bit i of `tails` is set, the part has only the last, shorter cell of axis
 * i; else it has the cells before that one.
 */
static int
add_part(struct axt_graph *g, struct cells *k, struct axt_expr *e, int nd, int tails,
    struct axt_cells *c)
{
	static const char inner[] = "PQR";
	struct part p = { .n = { 1, 1, 1 } };
	char over[8] = "";
	size_t at = 0;
	int64_t len[3];

	for (int i = 0; i < nd; i++) {
		bool tail = tails >> i & 1;

		len[i] = e->axes.a[i].len;
		p.at[i] = tail ? c->n[i] - 1 : 0;
		p.n[i] = tail ? 1 : len[i] / c->block[i];
		if (p.n[i] == 0 || (tail && len[i] % c->block[i] == 0))
			return 0;
	}
	for (int i = 0; i < nd; i++) {
		e = cut(g, e, i, len[i], c->block[i], tails >> i & 1);
		if (c->block[i] > 1) {
			over[at++] = ',';
			over[at++] = inner[i];
		}
	}
	if (axt_bad(e) || at == 0)
		return axt_bad(e) ? (int)g->err.code : add(g, k, e, &p, c->lo);
	over[at] = '\0';
	return add_reduced(g, k, e, over + 1, &p, c);
}

/* how: of the blocks; MEAN or QUICK where each element is a cell. */
static int
add_all(struct axt_graph *g, struct cells *k, struct axt_expr *e, int nd, enum axt_cells_how how,
    struct axt_cells *c)
{
	bool extremes = how == AXT_CELLS_EXTREMES || how == AXT_CELLS_BOTH;
	size_t bytes = (size_t)(c->n[0] * c->n[1] * c->n[2] + 1) * sizeof(*c->lo);

	c->lo = axt_alloc(g->m, bytes);
	c->hi = extremes ? axt_alloc(g->m, bytes) : NULL;
	c->mean = how == AXT_CELLS_BOTH ? axt_alloc(g->m, bytes) : NULL;
	if (!c->lo || (extremes && !c->hi) || (how == AXT_CELLS_BOTH && !c->mean))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int tails = 0; tails < 1 << nd; tails++)
		if (add_part(g, k, e, nd, tails, c))
			return g->err.code;
	return 0;
}

/* Puts the values of a part among all cells. */
static void
place(const struct part *p, enum axt_dtype d, const struct axt_cells *c)
{
	const char *v = p->v;
	int size = axt_size(d);

	for (int64_t i = 0; i < p->n[0]; i++)
		for (int64_t j = 0; j < p->n[1]; j++) {
			double *to = p->to + ((p->at[0] + i) * c->n[1] + p->at[1] + j) * c->n[2] +
			    p->at[2];

			for (int64_t x = 0; x < p->n[2]; x++, v += size)
				to[x] = axt_load_f64(d, v);
		}
}

/*
 * Takes one element of each block instead of a mean: the middle one or, if the last block is too
 * short to have that, the first one.
 */
static struct axt_expr *
strided(struct axt_graph *g, struct axt_expr *e, int nd, struct axt_cells *c)
{
	static const char name[] = "pqr";
	char spec[80];

	for (int i = 0; i < nd; i++) {
		int64_t len = e->axes.a[i].len, b = c->block[i], first = MIN(b / 2, len - 1);

		if (b == 1)
			continue;
		snprintf(spec, sizeof(spec), "%c=%lld::%lld", name[i],
		    (long long)(first + (c->n[i] - 1) * b < len ? first : 0), (long long)b);
		e = axt_slice(g, e, spec, false);
		if (axt_bad(e))
			break;
	}
	return e;
}

int
axt_cells_read(struct axt_graph *g, struct axt_expr *e, int nd, const int64_t most[],
    enum axt_cells_how how, FILE *explain, struct axt_cells *c)
{
	static const struct axt_delivery_kind kind = { .open = cells_open,
		.sink = cells_sink,
		.close = cells_close,
		.values = true };
	struct axt_cells whole = { .n = { 1, 1, 1 }, .block = { 1, 1, 1 } }, *by = c;
	struct cells *k = axt_alloc(g->m, sizeof(*k));
	bool blocks = false;

	*c = whole;
	if (!k)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < nd; i++) {
		c->block[i] = block_of(e->axes.a[i].len, most[i]);
		c->n[i] = (e->axes.a[i].len + c->block[i] - 1) / c->block[i];
		blocks = blocks || c->block[i] > 1;
	}
	e = plain(g, e);
	if (!axt_bad(e) && e->dtype == AXT_BOOL)
		e = axt_cast_dtype(g, e, AXT_U8, AXT_OVERFLOW_WRAP);
	if (how == AXT_CELLS_QUICK && !axt_bad(e)) {
		memcpy(whole.n, c->n, sizeof(whole.n));
		e = strided(g, e, nd, c);
		by = &whole;
	}
	if (axt_bad(e) || add_all(g, k, e, nd, blocks ? how : AXT_CELLS_MEAN, by))
		return g->err.code;
	c->lo = by->lo;
	k->out = (struct axt_delivery){ .kind = &kind, .g = g, .e = k->e, .n = k->n };
	if (explain ? axt_explain(g, k->e, k->n, explain) : axt_deliver(&k->out))
		return g->err.code;
	for (int i = 0; i < k->n; i++)
		place(&k->part[i], k->e[i]->dtype, c);
	return 0;
}
