/*
 * narrow.c - an expression for some elements of another. It asks a node for a box of positions, and
 * makes the node again, on the boxes that its arguments then need. A node that needs all of an
 * axis, as a sort does, is left whole along that axis, and the box is a view of the node.
 *
 * Sums have the same bits as those of the whole, because the order of adding follows from which
 * axes are reduced, and from the lengths of these. Since an axis of length 1 does not count there,
 * an axis that is kept is never narrowed to length 1: two positions are computed, and one of them
 * is used.
 */
#include "jobs/exchange.h"

#define DEEP 400 /* nodes that lie deeper are left whole */

struct narrowed {
	const struct axt_expr *was;
	struct axt_box box;
	struct axt_expr *is;
};
struct narrower {
	struct axt_graph *g;
	const struct axt_needs *needs; /* or NULL */
	struct axt_table done;         /* struct narrowed, by node and box */
	int depth;
};

static struct axt_expr *narrow(struct narrower *n, struct axt_expr *e, const struct axt_box *box);

static struct axt_box
whole(const struct axt_expr *e)
{
	struct axt_box box = { 0 };

	for (int i = 0; i < e->axes.n; i++)
		box.len[i] = e->axes.a[i].len;
	return box;
}

static bool
is_whole(const struct axt_expr *e, const struct axt_box *box)
{
	for (int i = 0; i < e->axes.n; i++)
		if (box->from[i] != 0 || box->len[i] != e->axes.a[i].len)
			return false;
	return true;
}

struct axt_axes
axt_axes_of_box(const struct axt_expr *e, const struct axt_box *box)
{
	struct axt_axes x = e->axes;

	for (int i = 0; i < x.n; i++)
		if (x.a[i].len != box->len[i]) {
			x.a[i].len = box->len[i];
			x.a[i].coord = NULL;
			x.a[i].parts = NULL;
		}
	return x;
}

/* The box of an argument whose axes are among those of e, by name. */
static struct axt_box
by_name(const struct axt_expr *e, const struct axt_box *box, const struct axt_expr *arg)
{
	struct axt_box b = whole(arg);

	for (int j = 0; j < arg->axes.n; j++) {
		int i = axt_axes_find(&e->axes, &arg->axes.a[j]);

		if (i >= 0) {
			b.from[j] = box->from[i];
			b.len[j] = box->len[i];
		}
	}
	return b;
}

/* Positions [from, from + len) of s, less `least`; s NULL: 0, 1, 2... false: there are too many. */
static bool
sel_in(struct axt_graph *g, const struct axt_sel *s, int64_t from, int64_t len, int64_t least,
    const struct axt_sel **out)
{
	struct axt_sel of = { 0 }, in, *to = axt_alloc(g->m, sizeof(*to));

	if (!to || !axt_sel_add(g->m, &of, (struct axt_span){ from, 1, len }))
		return false;
	if (!s)
		in = of;
	else if (!axt_sel_compose(g->m, &in, s, &of, 0))
		return false;
	*to = (struct axt_sel){ 0 };
	for (int k = 0; k < in.n; k++) {
		in.span[k].start -= least;
		if (!axt_sel_add(g->m, to, in.span[k]))
			return false;
	}
	*out = to;
	return true;
}

/*
 * Sets sel[i] to NULL where it selects all of an axis of `a` in order, as a view without index map
 * does. Returns whether any index map is left.
 */
static bool
drop_whole(const struct axt_expr *a, const struct axt_axes *x, const int *src,
    const struct axt_sel *sel[AXT_MAX_RANK])
{
	bool any = false;

	for (int i = 0; i < x->n; i++) {
		const struct axt_sel *s = sel[i];

		if (s && s->n == 1 && s->span[0].start == 0 && s->span[0].step == 1 &&
		    s->len == a->axes.a[src[i]].len)
			sel[i] = NULL;
		any = any || sel[i];
	}
	return any;
}

/* The box as a view of e. */
static struct axt_expr *
part_of(struct axt_graph *g, struct axt_expr *e, const struct axt_box *box)
{
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	struct axt_axes x;

	if (axt_bad(e) || is_whole(e, box))
		return e;
	x = axt_axes_of_box(e, box);
	for (int i = 0; i < x.n; i++)
		if (!sel_in(g, NULL, box->from[i], box->len[i], 0, &sel[i]))
			return axt_node_failed(g);
	drop_whole(e, &x, axt_identity, sel);
	return axt_view_node(g, e, &x, axt_identity, sel, NULL);
}

/* e made again on those arguments, as long as the box. */
static struct axt_expr *
again(struct narrower *n, struct axt_expr *e, struct axt_expr *const arg[],
    const struct axt_box *box)
{
	struct axt_expr *c;

	for (int k = 0; k < e->nargs; k++)
		if (axt_bad(arg[k]))
			return arg[k];
	c = axt_node_again(n->g, e, arg, AXT_DTYPE_AUTO);
	if (!axt_bad(c))
		c->axes = axt_axes_of_box(e, box);
	return c;
}

/* Each argument narrowed by a box of its own. NULL: out of memory. */
static struct axt_expr **
arguments(struct narrower *n, const struct axt_expr *e, const struct axt_box *box)
{
	struct axt_expr **arg = axt_alloc(n->g->m, (size_t)e->nargs * sizeof(*arg) + 1);

	for (int k = 0; arg && k < e->nargs; k++)
		arg[k] = narrow(n, e->arg[k], &box[k]);
	return arg;
}

static struct axt_expr *
narrow_map(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_box *b = axt_alloc(n->g->m, (size_t)e->nargs * sizeof(*b) + 1);
	struct axt_expr **arg;

	for (int k = 0; b && k < e->nargs; k++)
		b[k] = by_name(e, box, e->arg[k]);
	arg = b ? arguments(n, e, b) : NULL;
	return arg ? again(n, e, arg, box) : axt_node_failed(n->g);
}

/*
 * Narrows the view e: the same view of the least box of its argument that has all positions which
 * it selects. Positions are then counted from the beginning of that box.
 */
static struct axt_expr *
narrow_view(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_expr *a = e->arg[0], *c;
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	struct axt_box in = whole(a);
	int64_t most[AXT_MAX_RANK];
	struct axt_axes x = axt_axes_of_box(e, box);
	bool any;

	for (int j = 0; j < a->axes.n; j++)
		in.from[j] = most[j] = e->u.view.from ? e->u.view.from[j] : 0;
	for (int i = 0; i < e->axes.n; i++) {
		const struct axt_sel *s = e->u.view.sel ? e->u.view.sel[i] : NULL;
		int j = e->u.view.src[i];
		int64_t lo = box->from[i], hi = box->from[i] + box->len[i] - 1;

		if (j < 0)
			continue;
		if (box->len[i] == 0)
			return part_of(n->g, e, box);
		if (s)
			axt_sel_range(s, lo, hi + 1, &lo, &hi);
		if (!sel_in(n->g, s, box->from[i], box->len[i], lo, &sel[i]))
			return part_of(n->g, e, box);
		in.from[j] += lo;
		most[j] += hi;
	}
	for (int j = 0; j < a->axes.n; j++) {
		in.len[j] = most[j] - in.from[j] + 1;
		if (in.from[j] < 0 || most[j] >= a->axes.a[j].len)
			return part_of(n->g, e, box);
	}
	a = narrow(n, a, &in);
	if (axt_bad(a))
		return a;
	any = drop_whole(a, &x, e->u.view.src, sel);
	c = axt_view_node(n->g, a, &x, e->u.view.src, any ? sel : NULL, NULL);
	if (!axt_bad(c))
		c->asked = e->asked;
	return c;
}

/* A box in which no axis that was longer is 1 long. */
static struct axt_box
wider(const struct axt_expr *e, const struct axt_box *box)
{
	struct axt_box b = *box;

	for (int i = 0; i < e->axes.n; i++)
		if (b.len[i] == 1 && e->axes.a[i].len > 1) {
			b.len[i] = 2;
			b.from[i] = MIN(b.from[i], e->axes.a[i].len - 2);
		}
	return b;
}

/* What `inner`, a node for the box `has`, has of the smaller box. */
static struct axt_expr *
within(struct axt_graph *g, struct axt_expr *inner, const struct axt_box *has,
    const struct axt_box *box)
{
	struct axt_box b = *box;

	for (int i = 0; !axt_bad(inner) && i < inner->axes.n; i++)
		b.from[i] -= has->from[i];
	return part_of(g, inner, &b);
}

static struct axt_expr *
narrow_reduce(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_expr *a = e->arg[0], **arg;
	struct axt_box has = wider(e, box), b[3] = { whole(a) };

	if (e->u.red.group >= 0) { /* each group has elements from anywhere */
		has.from[e->u.red.group] = 0;
		has.len[e->u.red.group] = e->axes.a[e->u.red.group].len;
	}
	for (int k = 0; k < e->u.red.nkept; k++) {
		int i = k + (e->u.red.group >= 0 && k >= e->u.red.group);

		b[0].from[e->u.red.kept[k]] = has.from[i];
		b[0].len[e->u.red.kept[k]] = has.len[i];
	}
	for (int k = 1; k < e->nargs; k++)
		b[k] = by_name(a, &b[0], e->arg[k]);
	arg = arguments(n, e, b);
	return arg ? within(n->g, again(n, e, arg, &has), &has, box) : axt_node_failed(n->g);
}

/* Gives axes which[0..m) of an argument the ranges of axes at, at + 1... of the result. */
static int
ranges(struct axt_box *b, const int *which, int m, const struct axt_box *box, int at)
{
	for (int i = 0; i < m; i++) {
		b->from[which[i]] = box->from[at + i];
		b->len[which[i]] = box->len[at + i];
	}
	return at + m;
}

static struct axt_expr *
narrow_dot(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	const struct axt_pairing *q = e->u.dot;
	struct axt_box has = wider(e, box), b[2] = { whole(e->arg[0]), whole(e->arg[1]) };
	struct axt_expr **arg, *c;
	int at;

	ranges(&b[1], q->bb, q->nb, &has, 0);
	at = ranges(&b[0], q->ba, q->nb, &has, 0);
	at = ranges(&b[0], q->ma, q->nm, &has, at);
	ranges(&b[1], q->nbx, q->nn, &has, at);
	arg = arguments(n, e, b);
	c = arg ? again(n, e, arg, &has) : axt_node_failed(n->g);
	if (axt_bad(c) || !(c->u.dot = axt_alloc(n->g->m, sizeof(*q))))
		return axt_node_failed(n->g);
	*c->u.dot = *q;
	c->u.dot->out = c->axes;
	return within(n->g, c, &has, box);
}

static struct axt_expr *
narrow_flatten(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_expr *a = e->arg[0];
	int at = e->u.flat.at, more = e->u.flat.n - 1;
	struct axt_box in = whole(a), has = *box;
	int64_t inner = 1;

	for (int i = 0; i < more; i++)
		inner *= a->axes.a[at + 1 + i].len;
	if (more < 0 || inner == 0 || box->len[at] == 0)
		return part_of(n->g, e, box);
	for (int i = 0; i < e->axes.n; i++)
		if (i != at) {
			in.from[i + (i > at) * more] = box->from[i];
			in.len[i + (i > at) * more] = box->len[i];
		}
	in.from[at] = box->from[at] / inner;
	in.len[at] = (box->from[at] + box->len[at] - 1) / inner - in.from[at] + 1;
	has.from[at] = in.from[at] * inner;
	has.len[at] = in.len[at] * inner;
	a = narrow(n, a, &in);
	return within(n->g, again(n, e, &a, &has), &has, box);
}

static struct axt_expr *
narrow_concat(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_expr **part = axt_alloc(n->g->m, (size_t)e->nargs * sizeof(*part) + 1);
	int axis = e->u.concat, nparts = 0;
	int64_t at = 0, end = box->from[axis] + box->len[axis];
	struct axt_axes x = axt_axes_of_box(e, box);

	for (int k = 0; part && k < e->nargs; at += e->arg[k++]->axes.a[axis].len) {
		int64_t lo = MAX(at, box->from[axis]),
			hi = MIN(at + e->arg[k]->axes.a[axis].len, end);
		struct axt_box b = *box;

		if (lo >= hi)
			continue;
		b.from[axis] = lo - at;
		b.len[axis] = hi - lo;
		part[nparts] = narrow(n, e->arg[k], &b);
		if (axt_bad(part[nparts++]))
			return axt_node_failed(n->g);
	}
	if (nparts == 0)
		return part ? part_of(n->g, e, box) : axt_node_failed(n->g);
	return nparts == 1 ? axt_relabel(n->g, part[0], &x, axt_identity)
			   : axt_concat_node(n->g, nparts, part, &x, axis);
}

/* Whether axis i of a result is a core axis; of operand k < nargs, or of the result, k = nargs. */
static bool
is_core(const struct axt_expr *e, int k, int i)
{
	struct axt_signature s = axt_gufunc_signature(e->u.gufunc.op);
	int ncore = s.core[k < s.nin ? k : s.nin + e->u.gufunc.result].n;

	if (!axt_gufunc_plain(axt_gufuncs[e->u.gufunc.op]))
		return i == e->u.gufunc.axis;
	for (int c = 0; c < ncore; c++)
		if (axt_gufunc_core(e, k)[c] == i)
			return true;
	return false;
}

/* The axis of e that axis j of operand k is, or -1 if j is a core axis. */
static int
loop_axis(const struct axt_expr *e, int k, int j)
{
	if (is_core(e, k, j))
		return -1;
	return axt_gufunc_plain(axt_gufuncs[e->u.gufunc.op])
	    ? axt_axes_find(&e->axes, &e->arg[k]->axes.a[j])
	    : j;
}

static struct axt_expr *
narrow_gufunc(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	struct axt_box has = *box, b[AXT_GUFUNC_TENSORS];
	struct axt_expr **arg;

	for (int i = 0; i < e->axes.n; i++)
		if (is_core(e, e->nargs, i)) {
			has.from[i] = 0;
			has.len[i] = e->axes.a[i].len;
		}
	for (int k = 0; k < e->nargs; k++) {
		b[k] = whole(e->arg[k]);
		for (int j = 0; j < e->arg[k]->axes.n; j++) {
			int i = loop_axis(e, k, j);

			if (i >= 0) {
				b[k].from[j] = has.from[i];
				b[k].len[j] = has.len[i];
			}
		}
	}
	arg = arguments(n, e, b);
	return arg ? within(n->g, again(n, e, arg, &has), &has, box) : axt_node_failed(n->g);
}

/* What has come of the leaf, or the leaf itself. */
static struct axt_expr *
narrow_leaf(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	const struct axt_need *need = axt_need(n->needs, e);

	if (need && need->is)
		return within(n->g, need->is, &need->box, box);
	axt_needs_add(n->needs, e, box);
	return part_of(n->g, e, box);
}

static struct axt_expr *
narrow_kind(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	switch (e->kind) {
	case AXT_NODE_LEAF: return narrow_leaf(n, e, box);
	case AXT_NODE_MAP:
	case AXT_NODE_CONV: return narrow_map(n, e, box);
	case AXT_NODE_VIEW: return narrow_view(n, e, box);
	case AXT_NODE_REDUCE: return narrow_reduce(n, e, box);
	case AXT_NODE_DOT: return narrow_dot(n, e, box);
	case AXT_NODE_FLATTEN: return narrow_flatten(n, e, box);
	case AXT_NODE_CONCAT: return narrow_concat(n, e, box);
	case AXT_NODE_GUFUNC: return narrow_gufunc(n, e, box);
	default: return part_of(n->g, e, box);
	}
}

static struct axt_expr *
narrow(struct narrower *n, struct axt_expr *e, const struct axt_box *box)
{
	size_t bytes = (size_t)e->axes.n * sizeof(box->from[0]);
	uint64_t h = axt_hash(axt_hash(axt_hash_pointer(e), box->from, bytes), box->len, bytes);
	struct narrowed *x;

	for (const struct axt_entry *y = axt_table_first(&n->done, h); y; y = axt_table_next(y)) {
		x = y->value;
		if (x->was == e && memcmp(x->box.from, box->from, bytes) == 0 &&
		    memcmp(x->box.len, box->len, bytes) == 0)
			return x->is;
	}
	x = axt_alloc(n->g->m, sizeof(*x));
	if (!x)
		return axt_node_failed(n->g);
	n->depth++;
	*x = (struct narrowed){ e, *box,
		n->depth > DEEP ? part_of(n->g, e, box) : narrow_kind(n, e, box) };
	n->depth--;
	return axt_table_add(n->g->m, &n->done, h, x) ? x->is : axt_node_failed(n->g);
}

struct axt_expr *
axt_narrowed(struct axt_graph *g, struct axt_expr *e, const struct axt_box *box,
    const struct axt_needs *needs)
{
	struct narrower n = { .g = g, .needs = needs };
	struct axt_expr *c = axt_refused(g, e) ? axt_node_failed(g) : narrow(&n, e, box);

	axt_dress(g, &c, e);
	return c;
}

struct axt_expr *
axt_narrowed_reduction(struct axt_graph *g, struct axt_expr *red, int axis, int64_t from,
    int64_t len, const struct axt_needs *needs)
{
	struct narrower n = { .g = g, .needs = needs };
	struct axt_expr *a = red->arg[0], **arg;
	struct axt_box b[3] = { whole(a) }, all = whole(red);

	b[0].from[axis] = from;
	b[0].len[axis] = len;
	for (int k = 1; k < red->nargs; k++)
		b[k] = by_name(a, &b[0], red->arg[k]);
	arg = arguments(&n, red, b);
	return arg ? again(&n, red, arg, &all) : axt_node_failed(g);
}

/* ---- axes that can be cut ---- */

struct freedom {
	struct axt_nodes nodes;
	bool (*axis)[AXT_MAX_RANK]; /* [node]: which of its axes can be cut */
	const char **why;           /* [node]: what needs all of an axis; NULL */
};

/* Whether axis j of argument k can be cut; -1 is no axis of it. */
static bool
follows(const struct freedom *f, const struct axt_expr *e, int k, int j)
{
	return j < 0 || f->axis[axt_nodes_at(&f->nodes, e->arg[k])][j];
}

static bool
free_by_name(const struct freedom *f, const struct axt_expr *e, const struct axt_axis *x, int from)
{
	bool all = true;

	for (int k = from; k < e->nargs; k++)
		all = all && follows(f, e, k, axt_axes_find(&e->arg[k]->axes, x));
	return all;
}

static bool
free_in_reduce(const struct freedom *f, const struct axt_expr *e, int i)
{
	int k = i - (e->u.red.group >= 0 && i > e->u.red.group), j;

	if (i == e->u.red.group)
		return false;
	j = e->u.red.kept[k];
	return follows(f, e, 0, j) && free_by_name(f, e, &e->arg[0]->axes.a[j], 1);
}

static bool
free_in_dot(const struct freedom *f, const struct axt_expr *e, int i)
{
	const struct axt_pairing *q = e->u.dot;

	if (i < q->nb)
		return follows(f, e, 0, q->ba[i]) && follows(f, e, 1, q->bb[i]);
	i -= q->nb;
	return i < q->nm ? follows(f, e, 0, q->ma[i]) : follows(f, e, 1, q->nbx[i - q->nm]);
}

static bool
free_in_gufunc(const struct freedom *f, const struct axt_expr *e, int i)
{
	bool all = !is_core(e, e->nargs, i);

	for (int k = 0; k < e->nargs; k++)
		for (int j = 0; j < e->arg[k]->axes.n; j++)
			if (loop_axis(e, k, j) == i)
				all = all && follows(f, e, k, j);
	return all;
}

static bool
is_free(const struct freedom *f, const struct axt_expr *e, int i)
{
	bool all = true;

	switch (e->kind) {
	case AXT_NODE_MAP:
	case AXT_NODE_CONV: return free_by_name(f, e, &e->axes.a[i], 0);
	case AXT_NODE_VIEW: return follows(f, e, 0, e->u.view.src[i]);
	case AXT_NODE_REDUCE: return free_in_reduce(f, e, i);
	case AXT_NODE_DOT: return free_in_dot(f, e, i);
	case AXT_NODE_FLATTEN: return follows(f, e, 0, i + (i > e->u.flat.at) * (e->u.flat.n - 1));
	case AXT_NODE_CONCAT:
		for (int k = 0; k < e->nargs; k++)
			all = all && follows(f, e, k, i);
		return all;
	case AXT_NODE_GUFUNC: return free_in_gufunc(f, e, i);
	default: return true;
	}
}

int
axt_free_axes(struct axt_graph *g, struct axt_expr *e, bool free_[AXT_MAX_RANK], const char **why)
{
	struct freedom f = { 0 };
	int at;

	*why = NULL;
	if (axt_nodes(g, &e, 1, false, &f.nodes))
		return g->err.code;
	f.axis = axt_alloc(g->m, (size_t)f.nodes.n * sizeof(*f.axis) + 1);
	f.why = axt_alloc(g->m, (size_t)f.nodes.n * sizeof(*f.why) + 1);
	if (!f.axis || !f.why)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int n = 0; n < f.nodes.n; n++) {
		const struct axt_expr *x = f.nodes.e[n];

		for (int k = 0; k < x->nargs; k++)
			if (!f.why[n])
				f.why[n] = f.why[axt_nodes_at(&f.nodes, x->arg[k])];
		for (int i = 0; i < x->axes.n; i++) {
			f.axis[n][i] = is_free(&f, x, i);
			if (!f.axis[n][i] && !f.why[n])
				f.why[n] = axt_node_op(x);
		}
	}
	at = axt_nodes_at(&f.nodes, e);
	memcpy(free_, f.axis[at], AXT_MAX_RANK * sizeof(*free_));
	*why = f.why[at];
	return 0;
}
