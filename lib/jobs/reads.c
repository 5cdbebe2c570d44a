/* reads.c - what parts read from files: bytes, and how long that takes. */
#include "jobs/exchange.h"

/*
 * A run of a plain file that begins elsewhere than where the one before it ends takes as long as so
 * many bytes more: 10,000 runs of 5,000 bytes came from a cold disk in 1.5 s, when the 400 MB that
 * they lie in came in 0.3 s. So where gaps are short, all is read.
 */
#define SEEK 65536
#define JOINED 16 /* as many joins, one of the other, are looked through */

int64_t
axt_box_count(const struct axt_box *b, int rank)
{
	int64_t n = 1;

	for (int i = 0; i < rank; i++)
		n = axt_times(n, b->len[i]);
	return n;
}

int64_t
axt_box_runs(const struct axt_box *b, const struct axt_axes *x)
{
	int64_t n = 1;
	int i = x->n - 1;

	while (i >= 0 && b->len[i] == x->a[i].len)
		i--;
	for (i--; i >= 0; i--)
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

/* The elements from the first one of the box to the last one. */
static int64_t
span(const struct axt_box *b, const struct axt_axes *x)
{
	int64_t n = 1, inner = 1;

	for (int i = x->n - 1; i >= 0; i--) {
		n = axt_plus(n, axt_times(b->len[i] - 1, inner));
		inner = axt_times(inner, x->a[i].len);
	}
	return n;
}

struct axt_reads
axt_leaf_reads(const struct axt_expr *leaf, const struct axt_box *box)
{
	const struct axt_storage *st = leaf->u.leaf.st;
	struct axt_box b = axt_whole_chunks(leaf, box);
	int64_t n = axt_box_count(&b, leaf->axes.n), bytes = axt_times(st->esize, n), runs;

	if (!st->file || n == 0)
		return (struct axt_reads){ 0 };
	if (st->layout == AXT_LAYOUT_CHUNKED)
		return (struct axt_reads){ bytes, bytes };
	runs = axt_box_runs(&b, &leaf->axes);
	return (struct axt_reads){ bytes,
		MIN(axt_plus(bytes, axt_times(runs - 1, SEEK)),
		    axt_times(st->esize, span(&b, &leaf->axes))) };
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
		box.from[j] += lo; /* two axes of a window are along one of its argument */
		box.len[j] += hi - lo;
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

struct counting {
	const struct axt_needs *needs;
	struct axt_reads *of, *own;
};

/* Counts what is read of a leaf for a box, where that belongs. most: elements that are needed. */
static void
add_leaf(const struct counting *c, const struct axt_expr *leaf, const struct axt_box *box,
    int64_t most)
{
	struct axt_reads r = axt_leaf_reads(leaf, box), *to = c->own;
	const struct axt_need *need = axt_need(c->needs, leaf);

	if (leaf->u.leaf.st->layout != AXT_LAYOUT_CHUNKED)
		r.bytes = MIN(r.bytes, axt_times(most, leaf->u.leaf.st->esize));
	to = need ? &c->of[need - c->needs->l] : to;
	to->bytes = axt_plus(to->bytes, r.bytes);
	to->time = axt_plus(to->time, r.time);
}

/*
 * Counts what an operation on a box of e reads of files: e is a leaf, or a leaf below views,
 * flattened axes, and tensors that are joined. joined: how many of these e is below.
 */
static void
add(const struct counting *c, const struct axt_expr *e, struct axt_box box, int64_t most,
    int joined)
{
	int64_t at = 0;

	for (; is_seen_through(e); e = e->arg[0]) {
		if (e->kind == AXT_NODE_FLATTEN)
			most = MIN(most, axt_box_count(&box, e->axes.n));
		box = e->kind == AXT_NODE_FLATTEN ? flattened(e, &box) : seen(e, &box);
	}
	if (e->kind == AXT_NODE_LEAF)
		add_leaf(c, e, &box, most);
	/* a tensor joined to itself, and so on, would be counted without end */
	for (int k = 0; e->kind == AXT_NODE_CONCAT && joined < JOINED && k < e->nargs; k++) {
		int axis = e->u.concat;
		int64_t len = e->arg[k]->axes.a[axis].len, lo = MAX(at, box.from[axis]),
			hi = MIN(at + len, box.from[axis] + box.len[axis]);
		struct axt_box b = box;

		b.from[axis] = lo - at;
		b.len[axis] = hi - lo;
		if (lo < hi)
			add(c, e->arg[k], b, most, joined + 1);
		at += len;
	}
}

/* The same of all of e. */
static void
add_all(const struct counting *c, const struct axt_expr *e)
{
	struct axt_box box = { 0 };

	for (int i = 0; i < e->axes.n; i++)
		box.len[i] = e->axes.a[i].len;
	add(c, e, box, INT64_MAX, 0);
}

/* Whether a node hands its arguments on, so that who uses it reads them. */
static bool
hands_on(const struct axt_expr *e)
{
	return is_seen_through(e) || e->kind == AXT_NODE_CONCAT;
}

int
axt_part_effort(struct axt_graph *g, struct axt_expr *const e[], int m,
    const struct axt_needs *needs, struct axt_reads *of, struct axt_reads *own)
{
	struct axt_expr **once = axt_alloc(g->m, (size_t)m * sizeof(*once) + 1);
	const struct counting c = { needs, of, own };
	struct axt_nodes nodes = { 0 };

	/* what several pieces need is computed once */
	if (!once)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (m > 0 && (axt_unify(g, e, m, once) || axt_nodes(g, once, m, false, &nodes)))
		return g->err.code;
	for (int i = 0; i < m; i++)
		add_all(&c, once[i]);
	for (int n = 0; n < nodes.n; n++)
		for (int k = 0; !hands_on(nodes.e[n]) && k < nodes.e[n]->nargs; k++)
			add_all(&c, nodes.e[n]->arg[k]);
	return 0;
}

int
axt_part_reads(struct axt_graph *g, struct axt_expr *const e[], int m,
    const struct axt_needs *needs, int64_t *of, int64_t *bytes)
{
	int n = needs ? needs->n : 0;
	struct axt_reads *all = axt_alloc(g->m, (size_t)n * sizeof(*all) + 1), own = { 0 };

	if (!all)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_part_effort(g, e, m, needs, all, &own))
		return g->err.code;
	for (int i = 0; i < n; i++)
		of[i] = axt_plus(of[i], all[i].bytes);
	*bytes = own.bytes;
	return 0;
}
