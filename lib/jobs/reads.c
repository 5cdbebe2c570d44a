/*
 * reads.c - the bytes that parts read from files, and which axes to cut so that these are few.
 *
 * An anomaly, t - mean(t, over=time), shows why: cut along time, each part needs the mean, and so
 * reads all of t; cut along lat, each part reads its own share and nothing else.
 */
#include "jobs/exchange.h"

int64_t
axt_box_count(const struct axt_box *b, int rank)
{
	int64_t n = 1;

	for (int i = 0; i < rank; i++)
		n = axt_times(n, b->len[i]);
	return n;
}

int64_t
axt_chunk_along(const struct axt_expr *leaf, int i)
{
	const struct axt_storage *st = leaf->u.leaf.st;

	return st->layout == AXT_LAYOUT_CHUNKED && st->rank == leaf->axes.n ? MAX(1, st->chunk[i])
									    : 1;
}

struct axt_box
axt_whole_chunks(const struct axt_expr *leaf, const struct axt_box *b)
{
	struct axt_box out = *b;

	for (int i = 0; i < leaf->axes.n && axt_box_count(b, leaf->axes.n) > 0; i++) {
		int64_t unit = axt_chunk_along(leaf, i),
			hi = (b->from[i] + b->len[i] + unit - 1) / unit * unit;

		out.from[i] = b->from[i] / unit * unit;
		out.len[i] = MIN(hi, leaf->axes.a[i].len) - out.from[i];
	}
	return out;
}

/* The bytes of the leaf that are read for the box: all of each chunk that it meets. */
static int64_t
of_leaf(const struct axt_expr *leaf, const struct axt_box *box)
{
	const struct axt_storage *st = leaf->u.leaf.st;
	struct axt_box b = axt_whole_chunks(leaf, box);

	return st->file ? axt_times(st->esize, axt_box_count(&b, leaf->axes.n)) : 0;
}

static bool
is_seen_through(const struct axt_expr *e)
{
	return e->kind == AXT_NODE_VIEW || e->kind == AXT_NODE_FLATTEN;
}

/* The box of its argument that a view takes the elements of its own box from. */
static struct axt_box
seen(const struct axt_expr *view, const struct axt_box *own)
{
	const struct axt_expr *a = view->arg[0];
	struct axt_box box = { 0 };

	for (int j = 0; j < a->axes.n; j++) {
		box.from[j] = view->u.view.from ? view->u.view.from[j] : 0;
		box.len[j] = 1;
	}
	for (int i = 0; i < view->axes.n; i++) {
		const struct axt_sel *s = view->u.view.sel ? view->u.view.sel[i] : NULL;
		int64_t lo = own->from[i], hi = lo + own->len[i] - 1;
		int j = view->u.view.src[i];

		if (j < 0)
			continue;
		if (s && hi >= lo)
			axt_sel_range(s, lo, hi + 1, &lo, &hi);
		box.from[j] += lo;
		box.len[j] = hi - lo + 1;
	}
	return box;
}

/*
 * The box of the argument that a box of a flattened axis needs: the outermost of the axes that were
 * made one, along which the box has several positions, is cut, and the axes within it are whole.
 */
static struct axt_box
flattened(const struct axt_expr *e, const struct axt_box *own)
{
	const struct axt_expr *a = e->arg[0];
	int at = e->u.flat.at, n = e->u.flat.n;
	int64_t lo = own->from[at], hi = lo + own->len[at] - 1, inner = 1;
	struct axt_box box = { 0 };

	for (int i = 0; i < e->axes.n; i++) {
		box.from[i + (i > at) * (n - 1)] = own->from[i];
		box.len[i + (i > at) * (n - 1)] = own->len[i];
	}
	for (int i = at; i < at + n; i++)
		inner *= a->axes.a[i].len;
	if (hi < lo) {
		box.len[at] = 0;
		return box;
	}
	for (int i = at; i < at + n; i++) {
		bool one = i == at || box.len[i - 1] == 1;

		inner /= MAX(1, a->axes.a[i].len);
		box.from[i] = one ? lo / inner : 0;
		box.len[i] = one ? hi / inner - lo / inner + 1 : a->axes.a[i].len;
		lo %= inner;
		hi %= inner;
	}
	return box;
}

/*
 * The bytes of a file that an operation on e reads. e is a leaf, or a leaf below views and
 * flattened axes, which becomes *leaf; else this is 0.
 */
static int64_t
read_for(const struct axt_expr *e, const struct axt_expr **leaf)
{
	struct axt_box box = { 0 };
	int64_t most = INT64_MAX;

	for (int i = 0; i < e->axes.n; i++)
		box.len[i] = e->axes.a[i].len;
	for (; is_seen_through(e); e = e->arg[0]) {
		int64_t n = 1;

		for (int i = 0; i < e->axes.n; i++)
			n = axt_times(n, box.len[i]);
		most = e->kind == AXT_NODE_FLATTEN ? MIN(most, n) : most;
		box = e->kind == AXT_NODE_FLATTEN ? flattened(e, &box) : seen(e, &box);
	}
	*leaf = e;
	if (e->kind != AXT_NODE_LEAF)
		return 0;
	return e->u.leaf.st->layout == AXT_LAYOUT_CHUNKED
	    ? of_leaf(e, &box)
	    : MIN(of_leaf(e, &box), axt_times(most, e->u.leaf.st->esize));
}

/* Counts what is read for e, where that belongs. */
static void
add(const struct axt_expr *e, const struct axt_needs *needs, int64_t *of, int64_t *bytes)
{
	const struct axt_expr *leaf;
	int64_t n = read_for(e, &leaf);
	const struct axt_need *need = axt_need(needs, leaf);
	int64_t *to = need ? &of[need - needs->l] : bytes;

	*to = axt_plus(*to, n);
}

int
axt_part_reads(struct axt_graph *g, struct axt_expr *const e[], int m,
    const struct axt_needs *needs, int64_t *of, int64_t *bytes)
{
	struct axt_nodes nodes = { 0 };

	*bytes = 0;
	if (m > 0 && axt_nodes(g, e, m, false, &nodes))
		return g->err.code;
	for (int i = 0; i < m; i++)
		add(e[i], needs, of, bytes);
	for (int n = 0; n < nodes.n; n++)
		for (int k = 0; !is_seen_through(nodes.e[n]) && k < nodes.e[n]->nargs; k++)
			add(nodes.e[n]->arg[k], needs, of, bytes);
	return 0;
}

/*
 * What `parts` parts of an input read and exchange, of which one part reads so many bytes: either
 * all of them read what they need, or each chunk is read once, and what is needed is sent.
 */
static int64_t
moved(const struct axt_need *x, int64_t bytes, int64_t parts)
{
	int64_t size = axt_size(x->leaf->dtype), once = axt_times(size, axt_count(x->leaf)),
		needed = axt_times(size, axt_box_count(&x->box, x->leaf->axes.n));

	return MIN(axt_times(bytes, parts), axt_plus(once, axt_times(needed, parts)));
}

/* The bytes that all parts move if e is cut into `parts` along axis i alone. */
static int
cost(struct axt_graph *g, struct axt_expr *e, struct axt_needs *needs, const int64_t *unit, int i,
    int64_t parts, int64_t *bytes)
{
	int64_t len = e->axes.a[i].len, chunks = (len + unit[i] - 1) / unit[i],
		n = MIN(chunks, parts), each = chunks / n, *of;
	struct axt_box box = { 0 };
	struct axt_expr *part;

	for (int j = 0; j < e->axes.n; j++)
		box.len[j] = e->axes.a[j].len;
	box.from[i] = chunks / 2 / each * each * unit[i];
	box.len[i] = MIN(each * unit[i], len - box.from[i]);
	for (int k = 0; k < needs->n; k++)
		needs->l[k].box = (struct axt_box){ 0 };
	of = axt_alloc(g->m, (size_t)needs->n * sizeof(*of) + 1);
	part = of ? axt_narrowed(g, e, &box, needs) : axt_node_failed(g);
	if (axt_bad(part) || axt_part_reads(g, &part, 1, needs, of, bytes))
		return g->err.code;
	*bytes = axt_times(*bytes, n);
	for (int k = 0; k < needs->n; k++)
		*bytes = axt_plus(*bytes, moved(&needs->l[k], of[k], n));
	return 0;
}

int
axt_cut_cost(struct axt_graph *g, struct axt_expr *e, int64_t parts, int64_t *bytes,
    int64_t *pieces)
{
	bool can[AXT_MAX_RANK] = { false };
	int64_t unit[AXT_MAX_RANK], one;
	struct axt_needs needs;
	const char *why;

	*pieces = 1;
	for (int i = 0; i < AXT_MAX_RANK; i++)
		unit[i] = 1;
	if (axt_needs_of(g, &e, 1, &needs) || axt_free_axes(g, e, can, &why) ||
	    axt_part_reads(g, &e, 1, NULL, NULL, bytes))
		return g->err.code;
	for (int i = 0; i < e->axes.n; i++) {
		int64_t len = e->axes.a[i].len;

		if (!can[i] || len < 2)
			continue;
		if (cost(g, e, &needs, unit, i, parts, &one))
			return g->err.code;
		*bytes = *pieces == 1 ? one : MIN(*bytes, one);
		*pieces = axt_times(*pieces, len);
	}
	return 0;
}

int
axt_cut_order(struct axt_graph *g, struct axt_expr *e, const int64_t *unit, const bool *can,
    int64_t parts, bool together, int order[AXT_MAX_RANK], int *n)
{
	int64_t bytes[AXT_MAX_RANK] = { 0 };
	int axis[AXT_MAX_RANK], m = 0;
	struct axt_needs needs = { 0 };

	*n = 0;
	if (together && axt_needs_of(g, &e, 1, &needs))
		return g->err.code;
	for (int i = 0; i < e->axes.n; i++)
		if (can[i] && e->axes.a[i].len > unit[i])
			axis[m++] = i;
	for (int k = 0; m > 1 && k < m; k++)
		if (cost(g, e, &needs, unit, axis[k], parts, &bytes[k]))
			return g->err.code;
	while (m > 0) {
		int64_t least = INT64_MAX;
		int best = 0;

		for (int k = 0; k < m; k++)
			least = MIN(least, bytes[k]);
		while (bytes[best] > axt_plus(least, least / 4))
			best++;
		order[(*n)++] = axis[best];
		m--;
		memmove(&axis[best], &axis[best + 1], (size_t)(m - best) * sizeof(axis[0]));
		memmove(&bytes[best], &bytes[best + 1], (size_t)(m - best) * sizeof(bytes[0]));
	}
	return 0;
}
