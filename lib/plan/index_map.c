/*
 * index_map.c - where the elements of a node are in a step's loop nest: how its axes lie along the
 * dimensions of the nest (struct axt_space).
 */
#include "plan/steps.h"

/* ---- dimensions of an axis ---- */

/*
 * Gives the lengths of the axes that axis i of e was flattened from, slowest first, or its own
 * length if it was not flattened. Returns how many lengths there are.
 */
static int
factors(const struct axt_planner *pl, const struct axt_expr *e, int i, int64_t out[AXT_MAX_DIMS])
{
	int n = 0, at;

	for (; e->flat && !axt_is_held(pl, e); e = e->arg[0]) {
		if (e->kind == AXT_NODE_FLATTEN) {
			at = e->u.flat.at;
			if (i == at) {
				for (int k = 0; k < e->u.flat.n && n < AXT_MAX_DIMS; k++)
					n += factors(pl, e->arg[0], at + k, out + n);
				return n;
			}
			i += i > at ? e->u.flat.n - 1 : 0;
		} else if (e->kind == AXT_NODE_VIEW) {
			int src = e->u.view.src[i];

			if (src < 0 || (e->u.view.sel && e->u.view.sel[i]))
				break;
			i = src;
		} else if (e->kind == AXT_NODE_MAP || e->kind == AXT_NODE_CONCAT) {
			const struct axt_axis *a = &e->axes.a[i];
			int k = 0;

			if (e->kind == AXT_NODE_CONCAT && i == e->u.concat)
				break;
			while (k < e->nargs &&
			    (!e->arg[k]->flat || axt_axes_find(&e->arg[k]->axes, a) < 0))
				k++;
			if (k == e->nargs)
				break;
			i = axt_axes_find(&e->arg[k]->axes, a);
			return factors(pl, e->arg[k], i, out);
		} else if (e->kind != AXT_NODE_CONV) {
			break;
		}
	}
	out[0] = e->axes.a[i].len;
	return 1;
}

void
axt_index_map_axis(struct axt_planner *pl, struct axt_step *s, struct axt_index_map *p,
    const struct axt_expr *e, int i)
{
	int64_t f[AXT_MAX_DIMS], weight = e->axes.a[i].len;
	int n = factors(pl, e, i, f);
	struct axt_sel *sel;

	if (weight == 0 || axt_step_fns(s)->whole_axes || s->sp.nd + n + e->axes.n > AXT_MAX_DIMS)
		n = 1;
	if (n == 1)
		f[0] = e->axes.a[i].len;
	s->laid.a[s->laid.n++] = e->axes.a[i];
	s->split = s->split || n > 1;
	for (int k = 0; k < n; k++) {
		struct axt_term *t = &p->t[p->n];

		weight /= MAX(1, f[k]);
		s->sp.len[s->sp.nd++] = f[k];
		if (f[k] == 1) /* such an axis has only index 0 */
			continue;
		*t = (struct axt_term){ .axis = i, .dim = s->sp.nd - 1 };
		p->n++;
		if (n == 1)
			return;
		sel = axt_alloc(e->g->m, sizeof(*sel));
		if (!sel || !axt_sel_spans(e->g->m, sel, &(struct axt_span){ 0, weight, f[k] }, 1))
			axt_fail(&e->g->err, AXT_E_MEM, "out of memory");
		t->sel = sel;
	}
}

/* ---- the index map of an argument ---- */

void
axt_index_map_sub(const struct axt_index_map *p, const struct axt_axes *of,
    const struct axt_axes *to, struct axt_index_map *out)
{
	int axis[AXT_MAX_RANK];

	*out = (struct axt_index_map){ 0 };
	for (int i = 0; i < of->n; i++) {
		axis[i] = axt_axes_find(to, &of->a[i]);
		if (axis[i] >= 0)
			out->from[axis[i]] = p->from[i];
	}
	for (int k = 0; k < p->n; k++)
		if (axis[p->t[k].axis] >= 0) {
			out->t[out->n] = p->t[k];
			out->t[out->n++].axis = axis[p->t[k].axis];
		}
}

/* The number of terms of axis i, and the last of them. */
static int
terms_of(const struct axt_index_map *p, int i, const struct axt_term **last)
{
	int n = 0;

	for (int k = 0; k < p->n; k++)
		if (p->t[k].axis == i) {
			n++;
			*last = &p->t[k];
		}
	return n;
}

/* The selection of a term. If it has none, one of all indices. NULL: out of memory. */
static const struct axt_sel *
sel_of(struct axt_graph *g, const struct axt_space *sp, const struct axt_term *t)
{
	struct axt_sel *s;

	if (t->sel)
		return t->sel;
	s = axt_alloc(g->m, sizeof(*s));
	return s && axt_sel_spans(g->m, s, &(struct axt_span){ 0, 1, sp->len[t->dim] }, 1) ? s
											   : NULL;
}

/*
 * Adds the term of a dimension to an index map. A dimension of length 1 needs no term: the only
 * position that it selects is added to where the axis begins.
 */
static bool
add_term(const struct axt_space *sp, struct axt_index_map *p, int axis, int dim,
    const struct axt_sel *sel)
{
	if (sp->len[dim] == 1) {
		p->from[axis] += sel ? axt_sel_at(sel, 0) : 0;
		return true;
	}
	if (p->n == ARRAY_LEN(p->t))
		return false;
	p->t[p->n++] = (struct axt_term){ axis, dim, sel };
	return true;
}

/* Adds the terms of axis i of a view that selects `sel` of axis j of its argument. */
static bool
view_axis(struct axt_graph *g, const struct axt_space *sp, const struct axt_index_map *p, int i,
    const struct axt_sel *sel, int j, struct axt_index_map *out)
{
	const struct axt_term *last = NULL;
	int n = terms_of(p, i, &last);

	if (n == 0 && sel->len > 0)
		out->from[j] += axt_sel_at(sel, p->from[i]);
	/* the sum of several terms can be selected from only in even steps */
	if (n > 1 && sel->n != 1)
		return false;
	if (n > 1)
		out->from[j] += sel->span[0].start + sel->span[0].step * p->from[i];
	for (int k = 0; k < p->n; k++) {
		struct axt_span even = { 0, sel->n ? sel->span[0].step : 0, INT64_MAX };
		struct axt_sel *s = axt_alloc(g->m, sizeof(*s)), scale = *sel;
		const struct axt_sel *of = p->t[k].axis == i ? sel_of(g, sp, &p->t[k]) : NULL;

		if (p->t[k].axis != i)
			continue;
		if (!s || !of)
			return false;
		if (n > 1)
			scale.span = &even;
		if (!axt_sel_compose(g->m, s, &scale, of, n > 1 ? 0 : p->from[i]) ||
		    !add_term(sp, out, j, p->t[k].dim, s))
			return false;
	}
	return true;
}

bool
axt_index_map_view(struct axt_graph *g, const struct axt_space *sp, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_index_map *out)
{
	*out = (struct axt_index_map){ 0 };
	for (int j = 0; e->u.view.from && j < e->arg[0]->axes.n; j++)
		out->from[j] = e->u.view.from[j];
	for (int i = 0; i < e->axes.n; i++) {
		int j = e->u.view.src[i];
		const struct axt_sel *sel = e->u.view.sel ? e->u.view.sel[i] : NULL;

		if (j < 0)
			continue;
		if (sel) {
			if (!view_axis(g, sp, p, i, sel, j, out))
				return false;
			continue;
		}
		out->from[j] += p->from[i];
		for (int k = 0; k < p->n; k++)
			if (p->t[k].axis == i && !add_term(sp, out, j, p->t[k].dim, p->t[k].sel))
				return false;
	}
	return true;
}

/* ---- flattening ---- */

/*
 * Whether the index map of a flattened axis can be given by its digits, which are the positions
 * along the axes that it was flattened from. Each term must be evenly spaced and belong to one
 * digit, and the terms of a digit together must never carry into the next digit.
 */
static bool
by_digits(const struct axt_space *sp, const struct axt_index_map *p, int axis, const int64_t *len,
    const int64_t *weight, int n, int digit[], int64_t from[])
{
	int64_t lo[AXT_MAX_RANK], hi[AXT_MAX_RANK], rest = p->from[axis];

	for (int t = 0; t < p->n; t++)
		if (p->t[t].axis == axis && p->t[t].sel && p->t[t].sel->n == 1)
			rest += p->t[t].sel->span[0].start;
	for (int k = 0; k < n; k++)
		from[k] = lo[k] = hi[k] = k ? rest / weight[k] % len[k] : rest / weight[k];
	for (int t = 0; t < p->n; t++) {
		const struct axt_sel *s = p->t[t].sel;
		int64_t step = s ? s->span[0].step : 1, most = sp->len[p->t[t].dim] - 1;
		int k = 0;

		if (p->t[t].axis != axis)
			continue;
		if (s && s->n != 1)
			return false;
		if (most <= 0)
			step = 0;
		while (k < n - 1 && step % weight[k] != 0)
			k++;
		digit[t] = k;
		*(step < 0 ? &lo[k] : &hi[k]) += step / weight[k] * most;
	}
	for (int k = 0; k < n; k++)
		if (lo[k] < 0 || hi[k] >= len[k])
			return false;
	return rest >= 0;
}

/* Divides the terms of axis `at` among n digits. */
static bool
even_digits(struct axt_graph *g, const struct axt_space *sp, const struct axt_index_map *p, int at,
    const int64_t *weight, const int digit[], struct axt_index_map *out)
{
	for (int t = 0; t < p->n; t++) {
		struct axt_sel *s = axt_alloc(g->m, sizeof(*s));
		struct axt_span x = { 0, 1, sp->len[p->t[t].dim] };

		if (p->t[t].axis != at)
			continue;
		if (p->t[t].sel)
			x.step = p->t[t].sel->span[0].step;
		x.step = x.len == 1 ? 0 : x.step / weight[digit[t]];
		if (!s || !axt_sel_spans(g->m, s, &x, 1) ||
		    !add_term(sp, out, at + digit[t], p->t[t].dim, s))
			return false;
	}
	return true;
}

/* Splits the positions of a single term, which may select anything, into digits one by one. */
static bool
any_digits(struct axt_graph *g, const struct axt_space *sp, const struct axt_index_map *p, int at,
    const int64_t *len, int n, struct axt_index_map *out)
{
	const struct axt_term *last = NULL;
	const struct axt_sel *sel;

	if (terms_of(p, at, &last) != 1 || !(sel = sel_of(g, sp, last)))
		return false;
	for (int k = n - 1; k > 0; k--) {
		struct axt_sel *q = axt_alloc(g->m, sizeof(*q)), *r = axt_alloc(g->m, sizeof(*r));

		if (!q || !r ||
		    !axt_sel_divide(g->m, sel, k == n - 1 ? p->from[at] : 0, len[k], q, r) ||
		    !add_term(sp, out, at + k, last->dim, r))
			return false;
		sel = q;
	}
	return add_term(sp, out, at, last->dim, sel);
}

/* Whether the storage below e has even steps along axes [at, at + n) taken as one axis. */
static bool
lies_merged(const struct axt_planner *pl, const struct axt_expr *e, int at, int n)
{
	const struct axt_expr *a = e->arg[0];
	struct axt_storage_facts f = { 0 };

	if (axt_is_held(pl, e) || e->kind == AXT_NODE_REDUCE || e->kind == AXT_NODE_GEN)
		return true;
	if (e->kind == AXT_NODE_LEAF) {
		for (int k = at; k < at + n - 1; k++)
			if (e->u.leaf.view.stride[k] !=
			    e->u.leaf.view.stride[k + 1] * e->axes.a[k + 1].len)
				return false;
		pl->facts(e->u.leaf.st, &f);
		return axt_source_traits[f.source].reach != AXT_REACH_SLABS;
	}
	if (e->kind == AXT_NODE_CONV)
		return lies_merged(pl, a, at, n);
	if (axt_is_relabel(e)) {
		for (int k = 1; k < n; k++)
			if (e->u.view.src[at + k] !=
			    e->u.view.src[at] + (e->u.view.src[at] < 0 ? 0 : k))
				return false;
		return e->u.view.src[at] < 0 || lies_merged(pl, a, e->u.view.src[at], n);
	}
	if (e->kind != AXT_NODE_MAP)
		return false;
	for (int k = 0; k < e->nargs; k++) {
		int have = 0, row = 0, first = -1;

		for (int i = 0; i < n; i++) {
			int j = axt_axes_find(&e->arg[k]->axes, &e->axes.a[at + i]);

			first = i == 0 ? j : first;
			have += j >= 0;
			row += j >= 0 && j == first + i;
		}
		if (have && (row != n || !lies_merged(pl, e->arg[k], first, n)))
			return false;
	}
	return true;
}

bool
axt_index_map_flatten(struct axt_planner *pl, const struct axt_space *sp, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_index_map *out)
{
	struct axt_graph *g = pl->g;
	int at = e->u.flat.at, n = e->u.flat.n, digit[ARRAY_LEN(p->t)] = { 0 };
	int64_t len[AXT_MAX_RANK], weight[AXT_MAX_RANK], from[AXT_MAX_RANK];

	*out = (struct axt_index_map){ 0 };
	for (int k = n - 1; k >= 0; k--) {
		len[k] = e->arg[0]->axes.a[at + k].len;
		weight[k] = k == n - 1 ? 1 : weight[k + 1] * len[k + 1];
	}
	for (int i = 0; i < e->axes.n; i++)
		if (i != at)
			out->from[i > at ? i + n - 1 : i] = p->from[i];
	for (int k = 0; k < p->n; k++)
		if (p->t[k].axis != at &&
		    !add_term(sp, out, p->t[k].axis > at ? p->t[k].axis + n - 1 : p->t[k].axis,
			p->t[k].dim, p->t[k].sel))
			return false;
	if (!by_digits(sp, p, at, len, weight, n, digit, from)) {
		if (!lies_merged(pl, e->arg[0], at, n))
			return any_digits(g, sp, p, at, len, n, out);
		/* positions beyond the end of the last axis belong to the axes before it */
		out->from[at + n - 1] = p->from[at];
		for (int k = 0; k < p->n; k++)
			if (p->t[k].axis == at &&
			    !add_term(sp, out, at + n - 1, p->t[k].dim, p->t[k].sel))
				return false;
		return true;
	}
	memcpy(out->from + at, from, (size_t)n * sizeof(*from));
	return even_digits(g, sp, p, at, weight, digit, out);
}

bool
axt_index_map_equal(const struct axt_index_map *a, const struct axt_index_map *b)
{
	if (a->n != b->n || memcmp(a->from, b->from, sizeof(a->from)) != 0)
		return false;
	for (int k = 0; k < a->n; k++)
		if (a->t[k].axis != b->t[k].axis || a->t[k].dim != b->t[k].dim ||
		    a->t[k].sel != b->t[k].sel)
			return false;
	return true;
}

/* ---- operands ---- */

/*
 * Sets how the operand advances along dimension d: if its elements are evenly spaced there, by a
 * stride and an addition to the offset, otherwise by a table of jumps.
 */
static int
lay_dim(struct axt_graph *g, struct axt_operand *op, const struct axt_space *sp, int d,
    const int64_t *stride)
{
	const struct axt_index_map *p = op->index_map;
	const struct axt_sel *sel[ARRAY_LEN(p->t)];
	int64_t by[ARRAY_LEN(p->t)];
	struct axt_sel *sum;
	bool even = true;
	int n = 0;

	for (int k = 0; k < p->n; k++) {
		if (p->t[k].dim != d)
			continue;
		sel[n] = sel_of(g, sp, &p->t[k]);
		by[n] = stride[p->t[k].axis];
		if (!sel[n])
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		even = even && sel[n]->n <= 1;
		n++;
	}
	op->v.stride[d] = 0;
	op->jump[d] = NULL;
	if (n == 0 || sp->len[d] == 0)
		return 0;
	for (int k = 0; k < n && (even || sp->len[d] == 1); k++) {
		op->v.offset += by[k] * sel[k]->span[0].start;
		op->v.stride[d] += sp->len[d] == 1 ? 0 : by[k] * sel[k]->span[0].step;
	}
	if (even || sp->len[d] == 1)
		return 0;
	sum = axt_alloc(g->m, sizeof(*sum));
	if (!sum || !axt_sel_sum(g->m, sum, sel, by, n, sp->len[d]))
		return axt_fail(&g->err, AXT_E_LIMIT,
		    "axes of %s are taken apart into millions of pieces", op->node->from);
	if (sum->n == 1) {
		op->v.offset += sum->span[0].start;
		op->v.stride[d] = sum->span[0].step;
		return 0;
	}
	op->v.stride[d] = -1;
	op->jump[d] = sum;
	op->jumps = true;
	return 0;
}

int
axt_operand_lay(struct axt_graph *g, struct axt_operand *op, const struct axt_space *sp,
    const int64_t *stride, int64_t offset)
{
	op->v.nd = sp->nd;
	op->v.offset = offset;
	op->jumps = false;
	op->scalar = true;
	for (int i = 0; i < op->node->axes.n; i++)
		op->v.offset += op->index_map->from[i] * stride[i];
	for (int d = 0; d < sp->nd; d++) {
		op->v.shape[d] = sp->len[d];
		if (lay_dim(g, op, sp, d, stride))
			return g->err.code;
		op->scalar = op->scalar && op->v.stride[d] == 0;
	}
	return 0;
}

int
axt_operand_dim(const struct axt_operand *op, const struct axt_space *sp, int i)
{
	const struct axt_term *last = NULL;

	if (terms_of(op->index_map, i, &last) != 1 || op->index_map->from[i] != 0 ||
	    sp->len[last->dim] != op->node->axes.a[i].len)
		return -1;
	if (last->sel &&
	    (last->sel->n != 1 || last->sel->span[0].start != 0 || last->sel->span[0].step != 1))
		return -1;
	for (int k = 0; k < op->index_map->n; k++) /* the dimension must move along no other axis */
		if (op->index_map->t[k].dim == last->dim && &op->index_map->t[k] != last)
			return -1;
	return last->dim;
}
