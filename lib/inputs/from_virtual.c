/*
 * from_virtual.c - virtual datasets as expressions: views of their source datasets, concatenated,
 * with the fill value where no map is. So axt opens every source itself, by the rules for inputs of
 * saved expressions, and a missing source is an error.
 *
 * The maps are taken apart dimension by dimension. Positions along a dimension that the same set of
 * maps covers form a class. Each class becomes one expression; the expressions of the classes are
 * concatenated and, if classes interleave, put in order.
 */
#include <stdlib.h>

#include "hdf5/format/virtual.h"
#include "inputs/inputs.h"

#define PIECES (256 << 10) /* the most pieces that the edges of all maps cut a dimension into */
/* the most maps in total, counted once for every piece that they cover */
#define WORK ((int64_t)8 << 20)
/* the most parts, which show a map or the fill value, that the expression is made of */
#define PARTS (64 << 10)
#define DEEP 64

/*
 * A virtual dataset whose expression has been made, or is being made. If the latter is met again,
 * the dataset is made of itself.
 */
struct axt_mapped {
	const struct axt_dset *d;
	struct axt_expr *e;
	struct axt_mapped *next;
};

/* A map of a virtual dataset, with its source dataset open. */
struct source {
	struct axt_expr *leaf;
	const struct axt_dset *d;
	/* the positions that are mapped: sel[0] in the source, sel[1] in the virtual dataset */
	struct axt_sel *sel[2];
	/*
	 * pair[k] is the dimension of the source that dimension k of the virtual dataset shows; -1:
	 * none.
	 */
	int rank, pair[AXT_MAX_RANK];
	/* of[k]: which of the mapped positions the present classes have, along dimension k */
	struct axt_sel of[AXT_MAX_RANK];
};

struct mapper {
	struct axt_graph *g;
	struct axt_file *f;
	const struct axt_dset *d;
	const struct axt_expr *e; /* the leaf over the virtual dataset */
	const char *folder;
	bool external;
	struct source *src;
	int n;
	int64_t len[AXT_MAX_RANK], work;
	int parts;
};

static struct axt_expr **mapped_plan(struct axt_graph *g, struct axt_file *f,
    const struct axt_dset *d, const struct axt_expr *e, bool external);

/* A leaf over a source, with its own expression if it is saved or virtual as well. */
static struct axt_expr *
values_of(struct mapper *w, struct axt_file *f, struct axt_dset *d)
{
	struct axt_expr *e = axt_dataset_leaf(w->g, f, d, d->dtype, &d->axes);

	if (!e) {
		if (!w->g->err.code)
			axt_fail(&w->g->err, AXT_E_DTYPE, "%s: its source %s:%s holds no numbers",
			    w->e->from, axt_escape(w->g->m, f->path), axt_escape(w->g->m, d->path));
		return NULL;
	}
	if (axt_attr_find(d->attrs, "axt_plan"))
		e->u.leaf.plan = axt_saved_plan(w->g, f, d, e, w->external);
	else if (d->virt)
		e->u.leaf.plan = mapped_plan(w->g, f, d, e, w->external);
	return axt_bad(e) || w->g->err.code ? NULL : e;
}

static int
unfit(struct mapper *w, int k, const char *why)
{
	return axt_fail(&w->g->err, AXT_E_DTYPE, "%s: map %d of %d %s", w->e->from, k + 1,
	    w->d->virt->n, why);
}

/* Makes a selection of blocks; NULL: they do not lie within `rank` dimensions of those lengths. */
static struct axt_sel *
positions(struct mapper *w, const struct axt_blocks *b, int rank, const int64_t *len)
{
	struct axt_sel *s = b->sel;
	int64_t lo, hi;

	if (b->all) {
		s = axt_alloc(w->g->m, (size_t)MAX(1, rank) * sizeof(*s));
		for (int k = 0; s && k < rank; k++)
			if (!axt_sel_add(w->g->m, &s[k], (struct axt_span){ 0, 1, len[k] }))
				return NULL;
		return s;
	}
	for (int k = 0; k < rank && b->rank == rank; k++) {
		axt_sel_range(&s[k], 0, s[k].len, &lo, &hi);
		if (hi >= len[k])
			return NULL;
	}
	return b->rank == rank ? s : NULL;
}

/*
 * Sets s->pair: pairs the dimensions of source and dataset in order, except those of one position.
 * Returns false if the lengths of a pair differ.
 */
static bool
pair(struct source *s, int rank)
{
	int j = 0;

	for (int k = 0; k < rank; k++) {
		s->pair[k] = -1;
		if (s->sel[1][k].len == 1)
			continue;
		while (j < s->rank && s->sel[0][j].len == 1)
			j++;
		if (j == s->rank || s->sel[0][j].len != s->sel[1][k].len)
			return false;
		s->pair[k] = j++;
	}
	while (j < s->rank && s->sel[0][j].len == 1)
		j++;
	return j == s->rank;
}

/* Finds which positions map k takes from its source, and where they go. */
static int
place_source(struct mapper *w, int k)
{
	const struct axt_map *m = &w->d->virt->map[k];
	struct source *s = &w->src[k];
	const struct axt_dset *d = s->d;
	int64_t len[AXT_MAX_RANK];

	s->rank = d->rank;
	for (int j = 0; j < d->rank; j++)
		len[j] = d->dims[j];
	s->sel[0] = positions(w, &m->src, d->rank, len);
	if (!s->sel[0])
		return unfit(w, k, "maps more than its source has");
	for (int j = 0; j < w->d->rank; j++)
		len[j] = w->d->dims[j];
	s->sel[1] = positions(w, &m->dst, w->d->rank, len);
	if (!s->sel[1])
		return unfit(w, k, "lies outside the dataset");
	return pair(s, w->d->rank) ? 0 : unfit(w, k, "changes the shape of what it maps");
}

static int
open_source(struct mapper *w, int k)
{
	const struct axt_map *m = &w->d->virt->map[k];
	struct source *s = &w->src[k];
	struct axt_graph *g = w->g;
	struct axt_file *f = w->f;
	struct axt_dset *d;

	if (k > 0 && s[-1].leaf && strcmp(m->file, m[-1].file) == 0 &&
	    strcmp(m->path, m[-1].path) == 0) {
		s->leaf = s[-1].leaf;
		s->d = s[-1].d;
		return place_source(w, k);
	}
	if (strcmp(m->file, ".") != 0 &&
	    !(f = axt_open_input(g, w->e->from, w->folder, m->file, w->external, &g->err)))
		return g->err.code;
	if (axt_file_find(g->m, f, m->path, &d, &g->err) || axt_dset_load(g->m, f, d, &g->err) ||
	    !(s->leaf = values_of(w, f, d)))
		return g->err.code;
	if (s->leaf->dtype != w->e->dtype &&
	    (s->leaf->dtype == AXT_BOOL || w->e->dtype == AXT_BOOL ||
		(axt_dtypes[s->leaf->dtype].cls == AXT_CLASS_COMPLEX) !=
		    (axt_dtypes[w->e->dtype].cls == AXT_CLASS_COMPLEX)))
		return unfit(w, k, "is of another kind of values");
	s->leaf = axt_conv(g, s->leaf, w->e->dtype, AXT_OVERFLOW_SATURATE);
	s->d = d;
	return axt_bad(s->leaf) ? (int)g->err.code : place_source(w, k);
}

/* The axes of a part: in dimensions before k those of the present class, in the others all. */
static struct axt_axes
axes_of(const struct mapper *w, int k)
{
	struct axt_axes x = w->e->axes;

	for (int i = 0; i < x.n; i++) {
		x.a[i].coord = NULL;
		x.a[i].len = i < k ? w->len[i] : w->d->dims[i];
	}
	return x;
}

static struct axt_expr *
nothing(struct mapper *w, int k)
{
	struct axt_expr *e = axt_node(w->g, AXT_NODE_CONST, w->e->dtype);
	struct axt_axes x = axes_of(w, k);
	int src[AXT_MAX_RANK];

	if (axt_bad(e))
		return e;
	memcpy(e->u.val.bytes, w->d->st.fill_bytes, (size_t)axt_size(e->dtype));
	e->u.val.num.f = axt_load_f64(e->dtype, e->u.val.bytes);
	for (int i = 0; i < x.n; i++)
		src[i] = -1;
	return axt_relabel(w->g, e, &x, src);
}

/* A view of the part of a source that is in the present classes. */
static struct axt_expr *
part_of(struct mapper *w, const struct source *s)
{
	struct axt_axes x = axes_of(w, w->d->rank);
	struct axt_sel *made = axt_alloc(w->g->m, (size_t)MAX(1, x.n) * sizeof(*made));
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	int64_t from[AXT_MAX_RANK] = { 0 };

	if (!made)
		return axt_node_failed(w->g);
	for (int j = 0; j < s->rank; j++)
		from[j] = s->sel[0][j].len == 1 ? s->sel[0][j].span[0].start : 0;
	for (int i = 0; i < x.n; i++) {
		if (s->pair[i] < 0)
			continue;
		if (!axt_sel_compose(w->g->m, &made[i], &s->sel[0][s->pair[i]], &s->of[i], 0))
			return axt_graph_fail(w->g, AXT_E_LIMIT,
			    "virtual dataset %s has too many pieces", w->e->from);
		sel[i] = &made[i];
	}
	return axt_view_node(w->g, s->leaf, &x, s->pair, sel, from);
}

/* ---- classes ---- */

/* A place along a dimension where a map begins or stops to cover positions. */
struct edge {
	int64_t at;
	int map;
	bool enters;
};

/* Orders edges by place; maps that stop at a place come before those that begin there. */
static int
by_place(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->enters != y->enters)
		return x->enters ? 1 : -1;
	return x->map < y->map ? -1 : x->map > y->map;
}

static int
too_many(struct mapper *w, const char *what, int64_t n)
{
	return axt_fail(&w->g->err, AXT_E_LIMIT, "virtual dataset %s has more than %lld %s",
	    w->e->from, (long long)n, what);
}

/* The edges of n maps along dimension k, in order. NULL: error. */
static struct edge *
edges_of(struct mapper *w, int k, const int *set, int n, int64_t *count)
{
	struct edge *edge;
	int64_t at = 0;

	*count = 0;
	for (int i = 0; i < n; i++) {
		const struct axt_sel *s = &w->src[set[i]].sel[1][k];

		for (int j = 0; j < s->n && *count <= 2 * PIECES; j++)
			*count += s->span[j].step == 1 ? 2 : 2 * s->span[j].len;
	}
	if (*count > 2 * PIECES)
		return too_many(w, "pieces along a dimension", PIECES), NULL;
	edge = axt_alloc(w->g->m, (size_t)*count * sizeof(*edge) + 1);
	if (!edge) {
		axt_node_failed(w->g);
		return NULL;
	}
	for (int i = 0; i < n; i++) {
		const struct axt_sel *s = &w->src[set[i]].sel[1][k];

		for (int j = 0; j < s->n; j++) {
			int64_t one = s->span[j].step == 1 ? s->span[j].len : 1;

			for (int64_t p = 0; p < s->span[j].len; p += one) {
				int64_t from = s->span[j].start + p * s->span[j].step;

				edge[at++] = (struct edge){ from, set[i], true };
				edge[at++] = (struct edge){ from + one, set[i], false };
			}
		}
	}
	qsort(edge, (size_t)*count, sizeof(*edge), by_place);
	return edge;
}

/* The index of position `at` in the selection, or -1. */
static int64_t
place_of(const struct axt_sel *s, int64_t at)
{
	int64_t lo = s->n ? axt_range_of(&s->span->start, sizeof(*s->span), s->n, at) : 0;
	const struct axt_span *x = s->n ? &s->span[lo] : NULL;

	if (!x || at < x->start || at > x->start + (x->len - 1) * x->step ||
	    (x->len > 1 && (at - x->start) % x->step))
		return -1;
	return s->at[lo] + (x->len > 1 ? (at - x->start) / x->step : 0);
}

struct class
{
	int n, *set;       /* the maps that cover its positions */
	struct axt_sel at; /* the positions */
	/*
	 * first: where the class begins once the classes are concatenated; used: how many of its
	 * positions have been put in order so far.
	 */
	int64_t first, used;
};

/* A dimension that is being cut at the edges. */
struct cutting {
	struct class *c;
	int nclasses;
	struct axt_table by_set;
	struct piece {
		int64_t len;
		int class;
	} * piece;
	int64_t npieces, done; /* all positions before `done` are in pieces */
	int *active, nactive;  /* the maps that cover the next positions, in rising order */
};

static int
class_of(struct mapper *w, struct cutting *x)
{
	size_t bytes = (size_t)x->nactive * sizeof(*x->active);
	uint64_t h = axt_hash(0, x->active, bytes);
	struct class *c;

	for (const struct axt_entry *y = axt_table_first(&x->by_set, h); y; y = axt_table_next(y)) {
		c = y->value;
		if (c->n == x->nactive && memcmp(c->set, x->active, bytes) == 0)
			return (int)(c - x->c);
	}
	c = &x->c[x->nclasses];
	*c = (struct class){ .n = x->nactive, .set = axt_alloc(w->g->m, bytes + 1) };
	if (!c->set || !axt_table_add(w->g->m, &x->by_set, h, c))
		return -1;
	memcpy(c->set, x->active, bytes);
	return x->nclasses++;
}

/* Makes a piece of the positions from x->done to `to`, which the active maps cover. */
static int
cut(struct mapper *w, struct cutting *x, int64_t to)
{
	int64_t n = to - x->done;
	int class;

	if (n <= 0)
		return 0;
	if ((w->work += x->nactive + 1) > WORK)
		return too_many(w, "pieces of overlapping maps", WORK);
	class = class_of(w, x);
	if (class < 0 || !axt_sel_add(w->g->m, &x->c[class].at, (struct axt_span){ x->done, 1, n }))
		return axt_fail(&w->g->err, AXT_E_MEM, "out of memory");
	x->piece[x->npieces++] = (struct piece){ n, class };
	x->done = to;
	return 0;
}

static void
pass_edge(struct cutting *x, const struct edge *e)
{
	int at = x->nactive, lo = 0;

	while (lo < at) {
		int mid = lo + (at - lo) / 2;

		if (x->active[mid] < e->map)
			lo = mid + 1;
		else
			at = mid;
	}
	if (e->enters)
		memmove(&x->active[at + 1], &x->active[at],
		    (size_t)(x->nactive++ - at) * sizeof(*x->active));
	else
		memmove(&x->active[at], &x->active[at + 1],
		    (size_t)(--x->nactive - at) * sizeof(*x->active));
	if (e->enters)
		x->active[at] = e->map;
}

/*
 * Cuts dimension k into pieces that are covered by the same maps. Pieces of the same maps are one
 * class.
 */
static int
cut_all(struct mapper *w, struct cutting *x, int k, const int *set, int n)
{
	int64_t count;
	struct edge *edge = edges_of(w, k, set, n, &count);

	if (!edge)
		return w->g->err.code;
	*x = (struct cutting){ .c = axt_alloc(w->g->m, (size_t)(count + 1) * sizeof(*x->c)),
		.piece = axt_alloc(w->g->m, (size_t)(count + 1) * sizeof(*x->piece)),
		.active = axt_alloc(w->g->m, (size_t)(n + 1) * sizeof(*x->active)) };
	if (!x->c || !x->piece || !x->active)
		return axt_fail(&w->g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < count; i++) {
		if (cut(w, x, edge[i].at))
			return w->g->err.code;
		pass_edge(x, &edge[i]);
	}
	return cut(w, x, w->d->dims[k]);
}

static struct axt_expr *build(struct mapper *w, int k, const int *set, int n);

static struct axt_expr *
build_class(struct mapper *w, int k, const struct class *c)
{
	for (int i = 0; i < c->n; i++) {
		struct source *s = &w->src[c->set[i]];

		s->of[k] = (struct axt_sel){ 0 };
		for (int j = 0; j < c->at.n; j++) {
			struct axt_span x = c->at.span[j];
			int64_t a = place_of(&s->sel[1][k], x.start),
				b = x.len > 1 ? place_of(&s->sel[1][k], x.start + x.step) : a + 1;

			if (!axt_sel_add(w->g->m, &s->of[k], (struct axt_span){ a, b - a, x.len }))
				return axt_node_failed(w->g);
		}
	}
	w->len[k] = c->at.len;
	return build(w, k + 1, c->set, c->n);
}

/* Concatenates the classes along dimension k and puts their positions in order. */
static struct axt_expr *
concat_classes(struct mapper *w, int k, struct cutting *cuts)
{
	int nclasses = cuts->nclasses;
	struct class *c = cuts->c;

	struct axt_expr **part = axt_alloc(w->g->m, (size_t)nclasses * sizeof(*part) + 1), *e;
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	struct axt_sel *order = axt_alloc(w->g->m, sizeof(*order));
	const int64_t from[AXT_MAX_RANK] = { 0 };
	struct axt_axes x;
	int64_t first = 0;

	if (!part || !order)
		return axt_node_failed(w->g);
	for (int i = 0; i < nclasses; i++) {
		part[i] = build_class(w, k, &c[i]);
		if (axt_bad(part[i]))
			return part[i];
		c[i].first = first;
		first += c[i].at.len;
	}
	x = axes_of(w, k);
	e = nclasses == 1 ? part[0] : axt_concat_node(w->g, nclasses, part, &x, k);
	for (int64_t i = 0; i < cuts->npieces; i++) {
		struct class *y = &c[cuts->piece[i].class];

		if (!axt_sel_add(w->g->m, order,
			(struct axt_span){ y->first + y->used, 1, cuts->piece[i].len }))
			return axt_node_failed(w->g);
		y->used += cuts->piece[i].len;
	}
	if (axt_bad(e) ||
	    (order->n == 1 && order->span[0].start == 0 &&
		(order->len == 1 || order->span[0].step == 1)))
		return e;
	sel[k] = order;
	return axt_view_node(w->g, e, &x, axt_identity, sel, from);
}

/*
 * Makes the expression of one part of the dataset, from the n maps in `set`. In dimensions before k
 * the part is one class; in the others it is whole. Where maps overlap, the later one counts.
 */
static struct axt_expr *
build(struct mapper *w, int k, const int *set, int n)
{
	struct cutting x;

	if ((n == 0 || k == w->d->rank) && ++w->parts > PARTS)
		return too_many(w, "parts", PARTS), axt_node_failed(w->g);
	if (n == 0)
		return nothing(w, k);
	if (k == w->d->rank)
		return part_of(w, &w->src[set[n - 1]]);
	return cut_all(w, &x, k, set, n) ? axt_node_failed(w->g) : concat_classes(w, k, &x);
}

/* ---- the whole dataset ---- */

static struct axt_expr *
map_all(struct mapper *w)
{
	const struct axt_virtual *v = w->d->virt;
	int *set = axt_alloc(w->g->m, (size_t)v->n * sizeof(*set) + 1);
	int64_t count;

	w->src = axt_alloc(w->g->m, (size_t)v->n * sizeof(*w->src) + 1);
	if (!set || !w->src)
		return axt_node_failed(w->g);
	if (!axt_axes_count(&w->e->axes, &count))
		return axt_graph_fail(w->g, AXT_E_LIMIT, "%s is too large", w->e->from);
	for (int k = 0; k < v->n && count; k++) {
		if (v->map[k].dst.none || v->map[k].src.none)
			continue;
		if (open_source(w, k))
			return axt_node_failed(w->g);
		set[w->n++] = k;
	}
	return build(w, 0, set, w->n);
}

/*
 * Makes the expression of the virtual dataset d of f, which replaces the leaf e; it is returned as
 * a pointer for e->u.leaf.plan. NULL: error.
 */
static struct axt_expr **
mapped_plan(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_expr *e, bool external)
{
	struct mapper w = { .g = g,
		.f = f,
		.d = d,
		.e = e,
		.folder = axt_input_folder(g, f),
		.external = external };
	struct axt_mapped *m;
	int deep = 0;

	for (m = g->mapped; m; m = m->next) {
		deep += !m->e;
		if (m->d == d && m->e)
			return &m->e;
		if (m->d == d || deep > DEEP) {
			axt_fail(&g->err, AXT_E_DAMAGED,
			    "%s: the sources of this virtual dataset %s", e->from,
			    deep > DEEP ? "are virtual too often" : "go in a circle");
			return NULL;
		}
	}
	if (!w.folder) {
		axt_fail(&g->err, AXT_E_ARG,
		    "%s is a virtual dataset: it is read from its file, not "
		    "from a pipe",
		    e->from);
		return NULL;
	}
	m = axt_alloc(g->m, sizeof(*m));
	if (!m) {
		axt_node_failed(g);
		return NULL;
	}
	*m = (struct axt_mapped){ d, NULL, g->mapped };
	g->mapped = m;
	m->e = map_all(&w);
	if (!axt_bad(m->e))
		return &m->e;
	m->d = NULL;
	return NULL;
}

struct axt_expr *
axt_mapped_leaf(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    struct axt_expr *e, bool external)
{
	struct axt_expr *stored = axt_node_like(g, AXT_NODE_LEAF, e);

	if (axt_bad(stored))
		return stored;
	*stored = *e;
	stored->dtype = d->dtype;
	stored->u.leaf.plan = mapped_plan(g, f, d, stored, external);
	if (!stored->u.leaf.plan)
		return axt_node_failed(g);
	return axt_conv(g, stored, e->dtype, AXT_OVERFLOW_WRAP);
}
