/*
 * as_virtual.c - writes an expression as a virtual dataset of HDF5, if it only selects and joins:
 * steps must be positive, the axes must have the order of the stored dimensions, and all elements
 * that come from no dataset must have one value. The expression is walked from the result to its
 * leaves; each part of a leaf that is reached becomes a map.
 */
#include "wire/text.h"
#include "hdf5/format/virtual.h"
#include "inputs/inputs.h"

#define SINGLES 64 /* positions of an axis in reversed or repeated order, which take a map each */
#define VISITS (16 << 10)
/* positions in strided selections of all maps, since libhdf5 lists them one by one */
#define STEPS (1 << 20)

/* A part of a node that is needed, and the box of the result that it fills. */
struct wanted {
	/* for each axis of the node the axis of the result, or -1 if one position is taken */
	int out[AXT_MAX_RANK];
	struct axt_sel sel[AXT_MAX_RANK]; /* the positions taken along each axis of the node */
	/* where the box begins in the result, and its lengths */
	int64_t at[AXT_MAX_RANK], len[AXT_MAX_RANK];
};

struct teller {
	struct axt_graph *g;
	const struct axt_expr *e; /* the node of the result */
	struct axt_virtual *v;
	const char *why; /* why the expression cannot be a virtual dataset; NULL if it can */
	int cap, visits;
	int64_t steps;
};

static bool
cannot(struct teller *t, const char *why)
{
	t->why = why ? why : "out of memory";
	return false;
}

/* ---- leaves ---- */

static struct axt_map *
new_map(struct teller *t)
{
	struct axt_virtual *v = t->v;

	if (v->n == t->cap) {
		int cap = MAX(16, 2 * t->cap);
		struct axt_map *p = v->n >= AXT_VIRTUAL_WRITTEN
		    ? NULL
		    : axt_alloc(t->g->m, (size_t)cap * sizeof(*p));

		if (!p)
			return NULL;
		if (v->n)
			memcpy(p, v->map, (size_t)v->n * sizeof(*p));
		v->map = p;
		t->cap = cap;
	}
	return &v->map[v->n];
}

/* Why the leaf cannot be a source of a virtual dataset; NULL: it can. */
static const char *
unfit(const struct axt_expr *leaf, const struct axt_dset *d, const struct axt_file *f)
{
	if (!d || !axt_file_is_hdf5(f))
		return "an input is no dataset of an HDF5 file";
	if (f->stream)
		return "an input is a stream";
	if (d->dtype != leaf->dtype || d->odd_type || d->table || d->st.inner > 0 || d->st.cut)
		return "an input is stored in another type";
	if (leaf->axes.n == 0)
		return "an input has no axes";
	return NULL;
}

/*
 * Adds the map of one box of the leaf. Along axis j of the leaf the box is the span with number
 * span[j] among those that q wants.
 */
static bool
map_box(struct teller *t, const struct wanted *q, const struct axt_expr *leaf, const int *span)
{
	int rank[2] = { leaf->axes.n, t->e->axes.n };
	struct axt_map *x = new_map(t);
	struct axt_blocks *b;
	int64_t at[AXT_MAX_RANK], len[AXT_MAX_RANK];
	struct axt_file *f;

	if (!x)
		return cannot(t, "it has too many pieces");
	*x = (struct axt_map){ .dset = axt_leaf_dataset(t->g, leaf->u.leaf.st, &f) };
	x->of = f;
	for (int end = 0; end < 2; end++) {
		b = end ? &x->dst : &x->src;
		b->rank = rank[end];
		b->sel = axt_alloc(t->g->m, (size_t)rank[end] * sizeof(*b->sel));
		if (!b->sel)
			return cannot(t, NULL);
	}
	for (int i = 0; i < rank[1]; i++) {
		at[i] = q->at[i];
		len[i] = q->len[i];
	}
	for (int j = 0; j < rank[0]; j++) {
		struct axt_span s = q->sel[j].span[span[j]];

		if (s.step > 1 && (s.len > STEPS || (t->steps += s.len) > STEPS))
			return cannot(t, "it has too many pieces");
		if (!axt_sel_add(t->g->m, &x->src.sel[j], s))
			return cannot(t, NULL);
		if (q->out[j] >= 0) {
			at[q->out[j]] += q->sel[j].at[span[j]];
			len[q->out[j]] = s.len;
		}
	}
	for (int i = 0; i < rank[1]; i++)
		if (!axt_sel_add(t->g->m, &x->dst.sel[i], (struct axt_span){ at[i], 1, len[i] }))
			return cannot(t, NULL);
	t->v->n++;
	return true;
}

/*
 * Splits spans that do not rise into single positions, since HDF5 can only describe rising ones.
 * They are not merged again.
 */
static bool
upwards(struct teller *t, struct axt_sel *s)
{
	struct axt_span *span;
	int64_t *at, n = 0, k = 0;

	for (int i = 0; i < s->n; i++) {
		struct axt_span x = s->span[i];

		if (x.step < 1 && x.len > SINGLES)
			return cannot(t, x.step ? "it reverses elements" : "it repeats elements");
		n += x.step < 1 ? x.len : 1;
	}
	if (n == s->n)
		return true;
	span = axt_alloc(t->g->m, (size_t)n * sizeof(*span));
	at = axt_alloc(t->g->m, (size_t)n * sizeof(*at));
	if (!span || !at)
		return cannot(t, NULL);
	for (int i = 0; i < s->n; i++) {
		struct axt_span x = s->span[i];
		int64_t one = x.step < 1 ? 1 : x.len;

		for (int64_t p = 0; p < x.len; p += one, k++) {
			span[k] = (struct axt_span){ x.start + p * x.step, x.step < 1 ? 1 : x.step,
				one };
			at[k] = s->at[i] + p;
		}
	}
	*s = (struct axt_sel){ (int)n, s->len, span, at };
	return true;
}

static bool
tell_leaf(struct teller *t, const struct wanted *q, const struct axt_expr *leaf)
{
	struct axt_file *f = NULL;
	const struct axt_dset *d = axt_leaf_dataset(t->g, leaf->u.leaf.st, &f);
	const char *why = unfit(leaf, d, f);
	int span[AXT_MAX_RANK] = { 0 }, last = -1, j;
	bool moves[AXT_MAX_RANK] = { false };

	struct wanted *p = axt_alloc(t->g->m, sizeof(*p));

	if (why || !p)
		return cannot(t, why);
	*p = *q;
	for (j = 0; j < leaf->axes.n; j++) {
		int out = q->out[j];

		if (out < 0 || q->len[out] == 1)
			continue;
		if (out < last)
			return cannot(t, "it changes the order of the axes");
		last = out;
		moves[out] = true;
	}
	for (int i = 0; i < t->e->axes.n; i++)
		if (q->len[i] > 1 && !moves[i])
			return cannot(t, "it repeats elements");
	for (j = 0; j < leaf->axes.n; j++)
		if (!upwards(t, &p->sel[j]))
			return false;
	do {
		if (!map_box(t, p, leaf, span))
			return false;
		for (j = leaf->axes.n - 1; j >= 0 && ++span[j] == p->sel[j].n; j--)
			span[j] = 0;
	} while (j >= 0);
	return true;
}

static bool
tell_const(struct teller *t, const struct axt_expr *e)
{
	size_t n = (size_t)axt_size(e->dtype);

	if (t->v->has_fill && memcmp(t->v->fill, e->u.val.bytes, n) != 0)
		return cannot(t, "it has several constants");
	t->v->has_fill = true;
	memcpy(t->v->fill, e->u.val.bytes, n);
	return true;
}

/* ---- nodes between the result and the leaves ---- */

static bool tell(struct teller *t, const struct wanted *q, const struct axt_expr *e);

/* Sets out to the selection s moved by `add` positions. */
static bool
moved(struct teller *t, struct axt_sel *out, const struct axt_sel *s, int64_t add)
{
	*out = (struct axt_sel){ 0 };
	for (int k = 0; k < s->n; k++)
		if (!axt_sel_add(t->g->m, out,
			(struct axt_span){ s->span[k].start + add, s->span[k].step,
			    s->span[k].len }))
			return cannot(t, NULL);
	return true;
}

/* Finds which positions along axis j of the view's argument are needed for q of the view. */
static bool
look_along(struct teller *t, const struct wanted *q, const struct axt_expr *e, int j,
    struct wanted *p)
{
	int64_t from = e->u.view.from ? e->u.view.from[j] : 0;
	struct axt_sel s = { 0 }, part;

	p->out[j] = -1;
	for (int i = 0; i < e->axes.n; i++) {
		const struct axt_sel *in = e->u.view.sel ? e->u.view.sel[i] : NULL;

		if (e->u.view.src[i] != j)
			continue;
		part = q->sel[i];
		if (in && !axt_sel_compose(t->g->m, &part, in, &q->sel[i], 0))
			return cannot(t, NULL);
		if (part.len == 1 && (q->out[i] < 0 || q->len[q->out[i]] == 1)) {
			from += axt_sel_at(&part, 0);
			if (p->out[j] < 0)
				p->out[j] = q->out[i];
			continue;
		}
		if (s.n)
			return cannot(t, "elements are in several windows");
		s = part;
		p->out[j] = q->out[i];
	}
	if (s.n)
		return moved(t, &p->sel[j], &s, from);
	p->sel[j] = (struct axt_sel){ 0 };
	return axt_sel_add(t->g->m, &p->sel[j], (struct axt_span){ from, 1, 1 }) || cannot(t, NULL);
}

static bool
tell_view(struct teller *t, const struct wanted *q, const struct axt_expr *e)
{
	struct wanted *p = axt_alloc(t->g->m, sizeof(*p));

	if (!p)
		return cannot(t, NULL);
	memcpy(p->at, q->at, sizeof(p->at));
	memcpy(p->len, q->len, sizeof(p->len));
	for (int j = 0; j < e->arg[0]->axes.n; j++)
		if (!look_along(t, q, e, j, p))
			return false;
	return tell(t, p, e->arg[0]);
}

/* How many positions of the span, from its index `at` on, follow each other in [lo, hi). */
static int64_t
run_in(struct axt_span s, int64_t at, int64_t lo, int64_t hi)
{
	int64_t here = s.start + s.step * at, n = s.len - at;

	if (s.step > 0)
		return MIN(n, (hi - 1 - here) / s.step + 1);
	return s.step < 0 ? MIN(n, (here - lo) / -s.step + 1) : n;
}

static bool
tell_concat(struct teller *t, const struct wanted *q, const struct axt_expr *e)
{
	int axis = e->u.concat, out = q->out[axis];
	const struct axt_sel *s = &q->sel[axis];
	struct wanted *p = axt_alloc(t->g->m, sizeof(*p));

	if (!p)
		return cannot(t, NULL);
	*p = *q;
	for (int k = 0; k < s->n; k++)
		for (int64_t i = 0, n; i < s->span[k].len; i += n) {
			int64_t at = s->span[k].start + s->span[k].step * i, lo = 0;
			int part = 0;

			while (at >= lo + e->arg[part]->axes.a[axis].len)
				lo += e->arg[part++]->axes.a[axis].len;
			n = run_in(s->span[k], i, lo, lo + e->arg[part]->axes.a[axis].len);
			p->sel[axis] = (struct axt_sel){ 0 };
			if (!axt_sel_add(t->g->m, &p->sel[axis],
				(struct axt_span){ at - lo, s->span[k].step, n }))
				return cannot(t, NULL);
			if (out >= 0 && q->len[out] > 1) {
				p->at[out] = q->at[out] + s->at[k] + i;
				p->len[out] = n;
			}
			if (!tell(t, p, e->arg[part]))
				return false;
		}
	return true;
}

/* Whether e replaces NaN by NaN, so that its values are those of its argument. */
static bool
masks_nan(const struct axt_expr *e)
{
	const struct axt_expr *c;

	if (e->kind != AXT_NODE_MAP || e->u.op != AXT_OP_MASK)
		return false;
	c = e->arg[1];
	return c->kind == AXT_NODE_CONST && axt_dtypes[c->dtype].cls == AXT_CLASS_FLOAT &&
	    c->u.val.num.f != c->u.val.num.f && e->arg[0]->dtype == e->dtype &&
	    axt_axes_same(&e->arg[0]->axes, &e->axes);
}

static const char *
what_it_does(struct teller *t, const struct axt_expr *e)
{
	const struct axt_node_kind *k = axt_kinds[e->kind];

	return axt_sprintf(t->g->m, "it %s", k->does ? k->does(t->g, e) : "is no view");
}

static bool
tell(struct teller *t, const struct wanted *q, const struct axt_expr *e)
{
	if (++t->visits > VISITS)
		return cannot(t, "it has too many pieces");
	switch (e->kind) {
	case AXT_NODE_LEAF: return tell_leaf(t, q, e);
	case AXT_NODE_CONST: return tell_const(t, e);
	case AXT_NODE_VIEW: return tell_view(t, q, e);
	case AXT_NODE_CONCAT: return tell_concat(t, q, e);
	default: return masks_nan(e) ? tell(t, q, e->arg[0]) : cannot(t, what_it_does(t, e));
	}
}

const struct axt_virtual *
axt_virtual_of(struct axt_graph *g, const struct axt_expr *e, const char **why)
{
	struct teller t = { .g = g, .e = e, .v = axt_alloc(g->m, sizeof(*t.v)) };
	struct wanted *q = axt_alloc(g->m, sizeof(*q));
	bool ok = t.v && q, none = false;

	for (int i = 0; ok && i < e->axes.n; i++) {
		q->out[i] = i;
		q->len[i] = e->axes.a[i].len;
		none = none || q->len[i] == 0;
		ok = axt_sel_add(g->m, &q->sel[i], (struct axt_span){ 0, 1, q->len[i] });
	}
	if (!ok || e->axes.n == 0 || none)
		cannot(&t, ok ? none ? "it has no elements" : "it has no axes" : NULL);
	else if (tell(&t, q, e) && t.v->n == 0)
		cannot(&t, "it is of no file");
	*why = t.why;
	return t.why ? NULL : t.v;
}

enum axt_code
axt_explain_save(struct axt_graph *g, struct axt_expr *e, FILE *out)
{
	const struct axt_virtual *v;
	const char *why;

	e = axt_as_stored(g, e);
	if (axt_bad(e) || axt_unify(g, &e, 1, &e))
		return g->err.code;
	v = axt_virtual_of(g, e, &why);
	if (v)
		fprintf(out, "saved as a virtual dataset: %d piece%s of files%s\n", v->n,
		    v->n == 1 ? "" : "s", v->has_fill ? ", a constant elsewhere" : "");
	else
		fprintf(out, "saved as text only: %s\n", why);
	return g->err.code;
}
