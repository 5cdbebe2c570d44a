/*
 * take.c - axt-take: elements at the positions, or the coordinates, that an index has. The values
 * of an index without axes of the other tensor are computed first, and the result is a view. An
 * index with such axes, or with missing positions, is used line by line while the result is
 * computed.
 */
#include <math.h>

#include "axt_builds.h"
#include "base/quote.h"
#include "groups/groups.h"
#include "graph/graph.h"

/*
 * A view of more pieces is slower than taking elements line by line, unless each piece has so many
 * bytes, which lie together where no chunk has to be decoded for them.
 */
#define PIECES 4096
#define PIECES_LONG (1 << 22)
#define LONG 256

/* The index of axt_take, as positions. */
struct index {
	struct axt_expr *at; /* positions of dtype i64; a negative one means missing */
	bool missing;        /* whether positions may be missing */
	/* whether it is a number that the user typed, which counts from the end if negative */
	bool typed;
};

/* The values of the index in its own dtype, in memory; NULL: error. */
static void *
values(struct axt_graph *g, struct axt_expr *index, int64_t n)
{
	size_t bytes = (size_t)n * (size_t)axt_size(index->dtype);
	void *p = axt_alloc(g->m, bytes + 1);

	if (!p) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	return axt_eval_early(g, index, p, bytes) == AXT_OK ? p : NULL;
}

/*
 * Finds the least and the greatest position, and the greatest fraction among positions that are
 * floats. All are NaN if all positions are missing.
 */
static int
survey(struct axt_graph *g, struct axt_expr *x, double *lo, double *hi, double *part)
{
	const struct axt_reduce_opts *skip = &(struct axt_reduce_opts){ .nan = 1 };
	bool real = axt_dtypes[x->dtype].cls == AXT_CLASS_FLOAT;
	struct axt_expr *e[2], *f;

	*part = 0;
	e[0] = axt_cast_dtype(g, axt_reduce(g, AXT_RED_MIN, x, skip), AXT_F64, AXT_OVERFLOW_ERROR);
	e[1] = axt_cast_dtype(g, axt_reduce(g, AXT_RED_MAX, x, skip), AXT_F64, AXT_OVERFLOW_ERROR);
	if (axt_part_values(g, e, 2, (void *[]){ lo, hi }) || !real)
		return g->err.code;
	f = axt_map1(g, AXT_OP_ABSOLUTE, axt_map2(g, AXT_OP_SUB, x, axt_map1(g, AXT_OP_TRUNC, x)));
	e[0] = axt_cast_dtype(g, axt_reduce(g, AXT_RED_MAX, f, skip), AXT_F64, AXT_OVERFLOW_ERROR);
	return axt_part_values(g, e, 1, (void *[]){ part });
}

/* The node below the views on top of e. */
static const struct axt_expr *
shown(const struct axt_expr *e)
{
	while (e->kind == AXT_NODE_VIEW)
		e = e->arg[0];
	return e;
}

/*
 * Whether e is an operation, such as argsort or argmin, whose results are positions along an axis
 * of length len, so that they need no check. *missing: whether some may be -1.
 */
static bool
gives_positions(const struct axt_expr *e, int64_t len, bool *missing)
{
	e = shown(e);
	if (e->kind == AXT_NODE_GUFUNC && axt_gufuncs[e->u.gufunc.op]->positions)
		return e->axes.a[e->u.gufunc.axis].len <= len;
	if (e->kind != AXT_NODE_REDUCE ||
	    (e->u.red.op != AXT_RED_ARGMIN && e->u.red.op != AXT_RED_ARGMAX) ||
	    axt_count(e->arg[0]) > len * MAX(1, axt_count(e)))
		return false;
	*missing = e->u.red.skip;
	return true;
}

static int
off_axis(struct axt_graph *g, const struct axt_expr *a, int i, double at, const char *from)
{
	return axt_fail(&g->err, AXT_E_ARG,
	    "position %.17g in %s is not on axis \"%s\" of %s, which has length %lld", at, from,
	    axt_escape(g->m, a->axes.a[i].name), a->from, (long long)a->axes.a[i].len);
}

/*
 * Warns of an index that has only 0 and 1, one for each element of the axis. It is taken as
 * positions, as in NumPy, but is most likely a mask that was stored as integers.
 */
static void
doubt_mask(struct axt_graph *g, const struct axt_axis *x, const struct axt_expr *index)
{
	const char *from = index->from, *as = "a mask is %s=<(axt-ne %s 0)";

	for (const struct axt_called *c = g->called; c; c = c->next)
		if (strcmp(c->e->from, index->from) == 0)
			from = c->name;
	if (g->called)
		as = "a mask is %s=%s != 0";
	as = axt_sprintf(g->m, as, axt_escape(g->m, x->name),
	    g->called ? from : axt_typed(g->m, "%s", from));
	axt_warn(g, "%s is 0 or 1 for each of the %lld elements of axis \"%s\": positions; %s",
	    from, (long long)x->len, axt_escape(g->m, x->name), as ? as : "");
}

/*
 * Makes positions x of an index that has positions. They are computed now to check them, unless
 * they come from an operation that gives only positions on the axis.
 */
static int
read_positions(struct axt_graph *g, const struct axt_expr *a, int i, struct axt_expr *index,
    struct index *x)
{
	enum axt_class cls = axt_dtypes[index->dtype].cls;
	int64_t len = a->axes.a[i].len;
	double lo = 0, hi = 0, part = 0;

	x->typed = index->kind == AXT_NODE_CONST;
	if (cls != AXT_CLASS_INT && cls != AXT_CLASS_UINT &&
	    (cls != AXT_CLASS_FLOAT || !index->meta->missing)) {
		axt_fail(&g->err, AXT_E_DTYPE, "positions are integers, %s is %s", index->from,
		    axt_dtypes[index->dtype].name);
		if (cls == AXT_CLASS_FLOAT)
			axt_hint(&g->err, "axt-cast --dtype i64 makes integers of whole numbers");
		return g->err.code;
	}
	x->missing = index->meta->missing;
	if (axt_count(index) > 0 && !gives_positions(index, len, &x->missing)) {
		if (survey(g, index, &lo, &hi, &part))
			return g->err.code;
		if (hi >= (double)len || (x->typed && lo < -(double)len)) {
			off_axis(g, a, i, hi >= (double)len ? hi : lo, index->from);
			if (hi == (double)len && lo >= 1)
				axt_hint(&g->err,
				    "positions count from 0; where they count from 1: axt-sub %s 1",
				    axt_typed(g->m, "%s", index->from));
			return g->err.code;
		}
		if (part > 0)
			return axt_fail(&g->err, AXT_E_ARG,
			    "positions are whole numbers: %s has fractions", index->from);
		x->missing = x->missing || (lo < 0 && !x->typed);
		if (lo >= 0 && hi == 1 && len > 2 && index->axes.n == 1 &&
		    index->axes.a[0].len == len)
			doubt_mask(g, &a->axes.a[i], index);
	}
	if (cls == AXT_CLASS_FLOAT)
		index = axt_fillnan(g, index, axt_number(g, "-1"));
	x->at = axt_cast_dtype(g, index, AXT_I64, AXT_OVERFLOW_ERROR);
	return g->err.code;
}

/*
 * Makes text of labels that are numbers of a field of dates, such as seasons, if the coordinates of
 * the axis are text: a reduction gives its axis of seasons or dates coordinates that are text.
 */
static int
as_text(struct axt_graph *g, const struct axt_axis *x, const struct axt_expr *index,
    const struct axt_coord **c)
{
	int k = index->meta->name ? axt_cffield_named(index->meta->name) : -1;

	if (k < 0 || index->dtype != AXT_I32 || !x->coord || !x->coord->text)
		return 0;
	return axt_fields_text(g, k, c);
}

/* The texts that an index stands for, of which `groups` has the numbers of the n elements. */
static const char *const *
texts(struct axt_graph *g, const struct axt_labels *of, const int32_t *groups, int64_t n)
{
	const char **s = axt_alloc(g->m, ((size_t)n + 1) * sizeof(*s));

	for (int64_t i = 0; s && i < n; i++)
		s[i] = groups[i] < 0
		    ? ""
		    : ((const char *const *)of->groups.axis.coord->data)[groups[i]];
	return s;
}

/* Makes positions of labels, by finding each among the coordinates of axis i. */
static int
read_labels(struct axt_graph *g, const struct axt_expr *a, int i, struct axt_expr *index,
    const struct axt_labels *text, enum axt_absent absent, struct index *x)
{
	int64_t n = axt_count(index), *pos = axt_alloc(g->m, ((size_t)n + 1) * sizeof(*pos));
	const void *v = pos ? values(g, index, n) : NULL;
	struct axt_coord c = { .text = text,
		.dtype = index->dtype,
		.n = n,
		.data = v && text ? texts(g, text, v, n) : v,
		.attrs = index->meta->attrs };
	const struct axt_coord *labels = &c;
	const char *name = axt_escape(g->m, a->axes.a[i].name);
	bool positions = !text && axt_seem_positions(&a->axes.a[i], index);

	const char *from = g->called ? "INDEX" : index->from;

	if (positions && absent == AXT_ABSENT_NEAREST)
		axt_warn(g,
		    "labels of axis \"%s\" are integers without units, taken for \"%s\"; "
		    "positions stand behind =: %s=%s",
		    name, axt_attr_text(a->axes.a[i].coord->attrs, "units"), name, from);
	if (!c.data || as_text(g, &a->axes.a[i], index, &labels) ||
	    axt_labels_find(g->m, &a->axes.a[i], labels, a->from, index->from, absent, pos,
		&g->err)) {
		if (positions && g->err.code == AXT_E_ARG)
			axt_hint(&g->err, "%s=%s takes the elements at positions", name, from);
		else if (absent == AXT_ABSENT_FAILS && g->err.code == AXT_E_ARG && !text)
			axt_hint(&g->err,
			    "--nearest, or nearest=true, takes the nearest coordinate");
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	x->at = axt_memory_leaf(g, AXT_I64, &index->axes, pos);
	return g->err.code;
}

struct axt_expr *
axt_unfold(struct axt_graph *g, struct axt_expr *e, int i, const struct axt_axes *x)
{
	struct axt_buf b = { 0 };
	const char *name = axt_axis_spell(g->m, &e->axes.a[i]);

	axt_buf_addf(&b, "%s=", name ? name : "");
	for (int k = 0; k < x->n; k++) {
		const char *word = axt_axis_spell(g->m, &x->a[k]);

		axt_buf_addf(&b, "%s%s:%lld", k ? "," : "", word ? word : "",
		    (long long)x->a[k].len);
	}
	e = b.bad ? axt_node_failed(g) : axt_unflatten(g, e, b.p);
	axt_buf_release(&b);
	if (axt_bad(e))
		return e;
	for (int k = 0; k < x->n; k++)
		e->axes.a[i + k].coord = x->a[k].coord;
	return e;
}

/* ---- the result as a view ---- */

/*
 * Makes the axis *as that replaces axis i. It is the axis of an index that has one axis. If this is
 * called as axis i is, and has no coordinates, it gets those of axis i at the positions.
 */
static int
new_axis(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_axes *of,
    const struct axt_span *span, int nspans, struct axt_axis *as)
{
	const struct axt_axis *old = &a->axes.a[i];

	*as = of->n == 1 ? of->a[0] : *old;
	if (!axt_axes_count(of, &as->len))
		return axt_fail(&g->err, AXT_E_LIMIT, "the index is too large");
	if (of->n == 1 && axt_axis_same(as, old) && (!as->coord || !as->coord->data))
		return axt_coord_take(g->m, old->coord, span, nspans, &as->coord)
		    ? axt_fail(&g->err, AXT_E_MEM, "out of memory")
		    : 0;
	if (of->n != 1) {
		as->coord = NULL;
		as->parts = NULL;
	}
	return 0;
}

struct axt_expr *
axt_with_auxiliary(struct axt_graph *g, struct axt_expr *e, const struct axt_aux *as)
{
	struct axt_aux *x = axt_alloc(g->m, sizeof(*x));
	struct axt_axis name = { .name = as->name };
	struct axt_meta *m;

	if (axt_bad(e) || axt_axes_find(&e->axes, &name) >= 0)
		return e;
	for (const struct axt_aux *y = e->meta->aux; y; y = y->next)
		if (strcmp(y->name, as->name) == 0)
			return e;
	if (!x)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	*x = *as;
	for (int i = 0; i < x->axes.n; i++) {
		int at = axt_axes_find(&e->axes, &x->axes.a[i]);

		if (at < 0)
			return e;
		x->axes.a[i] = e->axes.a[at];
	}
	x->attrs = axt_attr_drop(g->m, axt_attr_drop(g->m, as->attrs, "bounds"), "climatology");
	if (!(m = axt_dress(g, &e, NULL)))
		return e;
	x->next = (struct axt_aux *)m->aux;
	m->aux = x;
	m->attrs = axt_add_coordinate(g, m->attrs, as->name);
	return e;
}

/*
 * Adds the coordinates of the axis `old` at the positions to e, which has the axis `as` in its
 * place, as an auxiliary dataset along `as`: time(row). Nothing is added if e has that name
 * already.
 */
static struct axt_expr *
with_labels(struct axt_graph *g, struct axt_expr *e, const struct axt_axis *old,
    const struct axt_axis *as, const struct axt_span *span, int nspans)
{
	const struct axt_coord *c = NULL;

	if (axt_bad(e) || axt_axis_same(as, old) || !old->coord || !old->coord->data)
		return e;
	if (axt_coord_take(g->m, old->coord, span, nspans, &c))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_with_auxiliary(g, e,
	    &(struct axt_aux){ .name = old->name,
		.axes = { .n = 1, .a = { *as } },
		.dtype = c->dtype,
		.text = c->text,
		.data = c->data,
		.attrs = c->attrs });
}

/* The positions as spans of the axis; NULL after an error. */
static struct axt_span *
pieces(struct axt_graph *g, const struct axt_expr *a, int i, struct index *x, int *n)
{
	int64_t count = axt_count(x->at), *pos = values(g, x->at, count);
	struct axt_span *span;

	for (int64_t k = 0; pos && x->typed && k < count; k++)
		pos[k] += pos[k] < 0 ? a->axes.a[i].len : 0;
	if (!pos)
		return NULL;
	x->at = axt_memory_leaf(g, AXT_I64, &x->at->axes, pos);
	if (axt_spans_of(g->m, pos, count, &span, n)) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	return span;
}

/* Whether elements along axis i of a are long rows in memory, or in a file as they are. */
static bool
has_long_rows(const struct axt_expr *a, int i)
{
	const struct axt_expr *leaf = a;
	int64_t bytes = axt_size(a->dtype);

	for (int k = i + 1; k < a->axes.n && bytes < LONG; k++)
		bytes *= MIN(a->axes.a[k].len, LONG);
	while (axt_is_relabel(leaf))
		leaf = leaf->arg[0];
	return bytes >= LONG && leaf->kind == AXT_NODE_LEAF &&
	    leaf->u.leaf.st->layout != AXT_LAYOUT_CHUNKED;
}

static struct axt_expr *
as_view(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_axes *of,
    const struct axt_span *span, int nspans)
{
	struct axt_axis as;
	struct axt_expr *e;

	if (of->n == 0)
		return axt_view_axis(g, a, i, span, nspans, NULL);
	if (new_axis(g, a, i, of, span, nspans, &as))
		return axt_node_failed(g);
	e = axt_view_axis(g, a, i, span, nspans, &as);
	return axt_bad(e) || of->n == 1 ? e : axt_unfold(g, e, i, of);
}

/* ---- the result line by line ---- */

/*
 * The axes x of the result. Axis k of the result comes from axis a[k] of the tensor and from axis
 * index[k] of the index; -1: it comes from no axis of it.
 */
struct taken {
	struct axt_axes x;
	int a[AXT_MAX_RANK], index[AXT_MAX_RANK];
	int line; /* the axis of the result along which elements are taken */
	/* the index has no axis of its own; the line has length 1 and is dropped at the end */
	bool single;
};

static int
add(struct axt_graph *g, struct taken *t, const struct axt_axis *as, int a, int index)
{
	if (t->x.n == AXT_MAX_RANK)
		return axt_fail(&g->err, AXT_E_LIMIT, "the result has more than %d axes",
		    AXT_MAX_RANK);
	t->x.a[t->x.n] = *as;
	t->a[t->x.n] = a;
	t->index[t->x.n++] = index;
	return 0;
}

/*
 * Lays out the result: axis i is replaced by the axes of the index that `a` lacks. If there are no
 * such axes, axis i stays, with length 1.
 */
static int
lay(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_axes *of,
    struct taken *t)
{
	struct axt_axis one = a->axes.a[i];

	*t = (struct taken){ .line = -1 };
	for (int k = 0; k < a->axes.n; k++) {
		int in = axt_axes_find(of, &a->axes.a[k]);
		struct axt_axis met = a->axes.a[k];

		if (k != i) {
			if ((in >= 0 &&
				axt_axis_meet(g->m, &a->axes.a[k], &of->a[in], &g->join, &met,
				    &g->err)) ||
			    add(g, t, &met, k, in))
				return g->err.code;
			continue;
		}
		for (int j = 0; j < of->n; j++)
			if (axt_axes_find(&a->axes, &of->a[j]) < 0 ||
			    axt_axis_same(&of->a[j], &a->axes.a[i])) {
				t->line = t->x.n;
				if (add(g, t, &of->a[j], -1, j))
					return g->err.code;
			}
		if (t->line < 0) {
			one.len = 1;
			one.coord = NULL;
			one.parts = NULL;
			t->line = t->x.n;
			t->single = true;
			if (add(g, t, &one, -1, -1))
				return g->err.code;
		}
	}
	t->a[t->line] = i;
	return axt_axes_check_unique(g->m, &t->x, &g->err);
}

struct axt_expr *
axt_with_nan(struct axt_graph *g, struct axt_expr *a)
{
	enum axt_class cls = axt_dtypes[a->dtype].cls;

	if (cls == AXT_CLASS_FLOAT || cls == AXT_CLASS_COMPLEX)
		return a;
	return axt_cast_dtype(g, a, axt_size(a->dtype) <= 2 ? AXT_F32 : AXT_F64,
	    AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_take_lines(struct axt_graph *g, struct axt_expr *a, int i, struct axt_expr *at, bool missing)
{
	const struct axt_axis old = a->axes.a[i];
	struct axt_expr *from = missing ? axt_with_nan(g, a) : a, *e;
	struct axt_axes lines;
	struct axt_meta *m;
	struct taken t;

	if (axt_bad(from) || axt_bad(at) || lay(g, a, i, &at->axes, &t))
		return axt_node_failed(g);
	if (old.len == 0)
		return axt_graph_fail(g, AXT_E_ARG, "axis \"%s\" of %s has no elements to take",
		    axt_escape(g->m, old.name), a->from);
	lines = t.x;
	lines.a[t.line].len = old.len;
	e = axt_take_given(g, axt_relabel(g, at, &t.x, t.index), axt_relabel(g, from, &lines, t.a),
	    t.line);
	if (!e)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (!axt_bad(e) && axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	m = axt_dress_without(g, &e, from, &old);
	if (!m)
		return e;
	m->missing = m->missing || missing;
	e->from = a->from;
	if (!t.single)
		return e;
	e = axt_view_axis(g, e, t.line, &(struct axt_span){ 0, 1, 1 }, 1, NULL);
	return e;
}

/* Whether no position is missing, though some may be: then elements keep their labels and dtype. */
static bool
none_missing(struct axt_graph *g, const struct index *x)
{
	double lo = 0, hi = 0, part = 0;

	return axt_count(x->at) > 0 && survey(g, x->at, &lo, &hi, &part) == 0 && lo >= 0;
}

/* Whether the index has an axis of `a` other than axis i. */
static bool
shares_axes(const struct axt_expr *a, int i, const struct axt_axes *of)
{
	for (int k = 0; k < of->n; k++) {
		int j = axt_axes_find(&a->axes, &of->a[k]);

		if (j >= 0 && j != i)
			return true;
	}
	return false;
}

/* ---- a mask ---- */

/* Takes the elements of axis i at which the mask is true. */
static struct axt_expr *
by_mask(struct axt_graph *g, struct axt_expr *a, int i, struct axt_expr *mask)
{
	struct axt_axis as = a->axes.a[i];
	int64_t n = 0, *pos = axt_alloc(g->m, ((size_t)as.len + 1) * sizeof(*pos));
	struct axt_span *span;
	const bool *in;
	int nspans;

	if (mask->axes.n != 1 || !axt_axis_same(&mask->axes.a[0], &as))
		return axt_graph_fail(g, AXT_E_AXES,
		    "a mask of axis \"%s\" has that axis alone, and %s has %s",
		    axt_escape(g->m, as.name), mask->from, axt_axes_text(g->m, &mask->axes));
	if (axt_axis_meet(g->m, &a->axes.a[i], &mask->axes.a[0], &g->join, &as, &g->err) ||
	    !(in = values(g, mask, as.len)))
		return axt_node_failed(g);
	for (int64_t k = 0; pos && k < as.len; k++)
		if (in[k])
			pos[n++] = k;
	if (!pos || axt_spans_of(g->m, pos, n, &span, &nspans) ||
	    axt_coord_take(g->m, as.coord, span, nspans, &as.coord))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	as.len = n;
	return axt_view_axis(g, a, i, span, nspans, &as);
}

/*
 * The index with positions that count from 0. Those of an index with the attribute start_index, as
 * meshes have by the UGRID conventions, count from that number.
 */
static struct axt_expr *
from_zero(struct axt_graph *g, struct axt_expr *index)
{
	const struct axt_attr *s = axt_attr_find(index->meta->attrs, "start_index");
	double v = s && s->kind == AXT_ATTR_NUM && s->n == 1 ? axt_load_f64(s->dtype, s->data) : 0;

	if (v == 0 || fabs(v) > INT16_MAX || v != rint(v) ||
	    axt_dtypes[index->dtype].cls > AXT_CLASS_FLOAT)
		return index;
	return axt_map2(g, AXT_OP_SUB, index, axt_number(g, axt_sprintf(g->m, "%.0f", v)));
}

/* e, made of a, without the place on a mesh that a has, if the axis is not there any more. */
static struct axt_expr *
off_mesh(struct axt_graph *g, struct axt_expr *e, const struct axt_expr *a, int i)
{
	struct axt_meta *m;

	if (axt_bad(e) || !axt_attr_find(e->meta->attrs, "location") ||
	    axt_axes_find(&e->axes, &a->axes.a[i]) >= 0)
		return e;
	m = axt_dress(g, &e, NULL);
	if (m)
		m->attrs = axt_attr_drop(g->m, axt_attr_drop(g->m, m->attrs, "location"), "mesh");
	return e;
}

/*
 * Gives e the auxiliary datasets of the index that lie along axes of e, such as bounds. Its
 * attribute "axis", which says that `a` was the coordinates of an axis, is removed.
 */
static struct axt_expr *
with_index(struct axt_graph *g, struct axt_expr *e, const struct axt_expr *a,
    const struct axt_expr *index)
{
	struct axt_meta *m;

	if (axt_bad(e) || e == a || (!index->meta->aux && !axt_attr_find(e->meta->attrs, "axis")))
		return e;
	m = axt_dress(g, &e, NULL);
	if (!m || axt_aux_merge(g->m, m->aux, index->meta->aux, &e->axes, &m->aux, &g->err))
		return axt_node_failed(g);
	m->attrs = axt_attr_drop(g->m, m->attrs, "axis");
	return e;
}

static struct axt_expr *
take(struct axt_graph *g, struct axt_expr *a, const char *axis, struct axt_expr *index,
    bool by_label, enum axt_absent absent)
{
	struct index x = { 0 };
	const struct axt_labels *text = by_label ? axt_text_labels(g, index) : NULL;
	struct axt_span *span = NULL;
	struct axt_expr *e;
	int i, nspans = 0;

	if (axt_expr_text(a)) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s holds text, not numbers", a->from);
		axt_about(&g->err, AXT_IS_TEXT, a->from, a->from);
		axt_hint(&g->err,
		    "texts go along with numbers over %s, where the index has one axis, of "
		    "another name: man axt-recipes-ml has the names of the nearest",
		    axt_escape(g->m, axis));
		return axt_node_failed(g);
	}
	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (!by_label && axt_expr_text(index)) {
		axt_fail(&g->err, AXT_E_DTYPE, "positions are integers, and %s holds text",
		    index->from);
		axt_about(&g->err, AXT_IS_TEXT, index->from, index->from);
		axt_hint(&g->err, "labels stand behind @: %s@%s", axt_escape(g->m, axis),
		    index->from);
		return axt_node_failed(g);
	}
	if (text)
		index = axt_text_groups(g, index);
	if (axt_refused(g, index))
		return axt_node_failed(g);
	if ((i = axt_view_find(g, a, axis)) < 0)
		return axt_node_failed(g);
	if (index->dtype == AXT_BOOL)
		return by_mask(g, a, i, index);
	if (!by_label && axt_bad(index = axt_unnumbered(g, a, i, from_zero(g, index))))
		return axt_node_failed(g);
	if (by_label ? read_labels(g, a, i, index, text, absent, &x)
		     : read_positions(g, a, i, index, &x))
		return axt_node_failed(g);
	if (x.missing && !shares_axes(a, i, &x.at->axes) && none_missing(g, &x))
		x.missing = false;
	if (!x.missing && !shares_axes(a, i, &x.at->axes))
		span = pieces(g, a, i, &x, &nspans);
	if (g->err.code)
		return axt_node_failed(g);
	e = span && nspans <= (has_long_rows(a, i) ? PIECES_LONG : PIECES)
	    ? as_view(g, a, i, &x.at->axes, span, nspans)
	    : axt_take_lines(g, a, i, x.at, x.missing);
	if (span && x.at->axes.n == 1)
		e = with_labels(g, e, &a->axes.a[i], &x.at->axes.a[0], span, nspans);
	return with_index(g, off_mesh(g, e, a, i), a, index);
}

/* ---- operands that meet by their dates, or by the labels that made groups of one ---- */

/*
 * Two operands that may meet by dates or labels. They do not meet along the axis `but`, since
 * elements are taken along it; NULL: there is no such axis.
 */
struct pair {
	struct axt_expr *e[2];
	const struct axt_axis *but;
};

static bool
is_same(const struct axt_axis *x, const struct axt_axis *y)
{
	return y && x->level == y->level && strcmp(x->name, y->name) == 0;
}

/* The one axis of times of e[1 - of], which e[of] lacks, or -1. */
static int
times_of(const struct pair *p, int of)
{
	const struct axt_axes *x = &p->e[1 - of]->axes;
	struct axt_err ignore = { 0 };
	struct axt_cftime t;
	int time = -1, n = 0;

	for (int k = 0; k < x->n; k++)
		if (!is_same(&x->a[k], p->but) && axt_axes_find(&p->e[of]->axes, &x->a[k]) < 0 &&
		    axt_axis_times(&x->a[k], "", &t, &ignore) == 0) {
			time = k;
			n++;
		}
	return n == 1 ? time : -1;
}

/* Fails: the groups are called as a field of dates, and their labels were something else. */
static int
no_field(struct axt_graph *g, const struct axt_expr *e, const struct axt_axis *f)
{
	const char *name = axt_escape(g->m, f->name),
		   *map = axt_sprintf(g->m, "%s=%s_label", f->name, f->name);

	axt_fail(&g->err, AXT_E_AXES, "%s of %s is %s: it is a label of groups, and meets no dates",
	    name, e->from, axt_escape(g->m, axt_attr_text(f->coord->attrs, AXT_LABELS_ATTR)));
	if (map)
		axt_hint(&g->err,
		    "%s makes it an axis of its own; axt-take %s@LABELS has the value of each label",
		    axt_rename_typed(g, e, map), axt_typed(g->m, "%s", name));
	return g->err.code;
}

/*
 * If e[of] has an axis such as month, of values of a field of dates, and the other operand has
 * times instead, replaces e[of] by its value for the month of each of these times.
 */
static int
meet_times(struct axt_graph *g, struct pair *p, int of)
{
	const struct axt_axes *groups = &p->e[of]->axes, *x = &p->e[1 - of]->axes;

	for (int i = 0; i < groups->n; i++) {
		const struct axt_axis *f = &groups->a[i];
		int time;

		if (f->level || axt_cffield_named(f->name) < 0 || !f->coord || is_same(f, p->but) ||
		    axt_axes_find(x, f) >= 0 || (time = times_of(p, of)) < 0)
			continue;
		if (axt_attr_text(f->coord->attrs, AXT_LABELS_ATTR))
			return no_field(g, p->e[of], f);
		p->e[of] = take(g, p->e[of], f->name,
		    axt_field(g, p->e[1 - of],
			axt_sprintf(g->m, "%s.%s", axt_axes_typed(g->m, x, &time, 1), f->name)),
		    true, AXT_ABSENT_FAILS);
		break;
	}
	return g->err.code;
}

/* The labels as a tensor that axt_take finds groups by. */
static struct axt_expr *
as_index(struct axt_graph *g, const struct axt_labels *l)
{
	return l->groups.axis.coord->text ? axt_text_node(g, l, l->groups.axis.name)
					  : (struct axt_expr *)(uintptr_t)l->by;
}

/* Whether e[1 - of] has all of these axes, and e[of] has none of them. */
static bool
has_all(const struct pair *p, int of, const struct axt_axes *all)
{
	for (int i = 0; i < all->n; i++)
		if (axt_axes_find(&p->e[1 - of]->axes, &all->a[i]) < 0 ||
		    axt_axes_find(&p->e[of]->axes, &all->a[i]) >= 0 || is_same(&all->a[i], p->but))
			return false;
	return true;
}

/*
 * If e[of] has an axis of groups, by labels that lie over axes of the other operand, replaces e[of]
 * by its value for the label of each element there. Elements without a label get a missing value.
 */
static int
meet_labels(struct axt_graph *g, struct pair *p, int of)
{
	for (int i = 0; i < p->e[of]->axes.n; i++) {
		const struct axt_axis *x = &p->e[of]->axes.a[i];
		const struct axt_labels *l = axt_labels_made(g, x);

		if (!l || l->field || is_same(x, p->but) ||
		    axt_axes_find(&p->e[1 - of]->axes, x) >= 0 || !has_all(p, of, &l->by->axes))
			continue;
		p->e[of] = take(g, p->e[of], x->name, as_index(g, l), true, AXT_ABSENT_NONE);
		break;
	}
	return g->err.code;
}

static int
meet(struct axt_graph *g, struct pair *p)
{
	if (axt_refused(g, p->e[0]) || axt_refused(g, p->e[1]))
		return g->err.code;
	for (int of = 1; of >= 0; of--)
		if (meet_labels(g, p, of) || meet_times(g, p, of))
			return g->err.code;
	return 0;
}

/* Whether an axis of the operand may stand for dates of another one, or for its labels. */
static bool
may_meet(const struct axt_graph *g, const struct axt_expr *e)
{
	for (int i = 0; !axt_bad(e) && i < e->axes.n; i++)
		if (e->axes.a[i].coord &&
		    (axt_cffield_named(e->axes.a[i].name) >= 0 ||
			axt_labels_made(g, &e->axes.a[i])))
			return true;
	return false;
}

int
axt_meet_dates(struct axt_graph *g, int n, struct axt_expr *a[])
{
	for (int i = 0; i < n; i++)
		if (axt_refused(g, a[i]))
			return g->err.code;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n && may_meet(g, a[i]); k++) {
			struct pair p = { .e = { a[k], a[i] } };

			if (i == k || !meet(g, &p)) {
				a[i] = i == k ? a[i] : p.e[1];
				a[k] = i == k ? a[k] : p.e[0];
				continue;
			}
			for (int j = 0; j < n; j++)
				a[j] = axt_node_failed(g);
			return g->err.code;
		}
	return 0;
}

int
axt_meet_dates_but(struct axt_graph *g, struct axt_expr *e[2], const char *axis)
{
	int i = axt_refused(g, e[0]) || axt_refused(g, e[1]) ? -1 : axt_view_find(g, e[0], axis);
	struct pair p = { .e = { e[0], e[1] } };

	if (i < 0 || (!may_meet(g, e[0]) && !may_meet(g, e[1])))
		return g->err.code;
	p.but = &e[0]->axes.a[i];
	if (meet(g, &p))
		return g->err.code;
	e[0] = p.e[0];
	e[1] = p.e[1];
	return 0;
}

struct axt_expr *
axt_take(struct axt_graph *g, struct axt_expr *a, const char *axis, struct axt_expr *index,
    bool by_label)
{
	struct axt_expr *pair[2] = { a, index };

	/* a text is taken by other texts, and takes, along axes of its own */
	if (!axt_expr_text(a) && !axt_expr_text(index) && axt_meet_dates_but(g, pair, axis))
		return axt_node_failed(g);
	return take(g, pair[0], axis, pair[1], by_label, AXT_ABSENT_FAILS);
}

struct axt_expr *
axt_take_near(struct axt_graph *g, struct axt_expr *a, const char *axis, struct axt_expr *labels)
{
	return take(g, a, axis, labels, true, AXT_ABSENT_NEAREST);
}
