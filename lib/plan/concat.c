/*
 * concat.c - operands made of parts. Of concatenated parts it finds which part each index belongs
 * to; the parts of an operation on many operands are combined one after another.
 */
#include "plan/plan.h"

#define SEGMENTS_MAX ((int64_t)4 << 20)

/* The number of the part that has position `at`. */
static int
part_at(const int64_t *end, int n, int64_t at)
{
	int lo = 0, hi = n - 1;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (at < end[mid])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/*
 * Adds a segment: from index `at` on, the elements of the operand are those of part k from the
 * part's index `from` on.
 */
static bool
add_segment(struct axt_graph *g, struct axt_parts *j, int64_t at, int64_t from, int k)
{
	struct axt_segment *grown;

	if (j->nsegs && j->seg[j->nsegs - 1].part == k)
		return true;
	if (j->nsegs == SEGMENTS_MAX)
		return false;
	/* the array is full when its length is a power of 2 */
	if ((j->nsegs & (j->nsegs - 1)) == 0) {
		grown = axt_alloc(g->m, (size_t)MAX(1, 2 * j->nsegs) * sizeof(*grown));
		if (!grown)
			return false;
		if (j->nsegs)
			memcpy(grown, j->seg, (size_t)j->nsegs * sizeof(*grown));
		j->seg = grown;
	}
	j->seg[j->nsegs++] = (struct axt_segment){ at, from, k };
	return true;
}

/* Distributes the selected positions of the concatenated axis to the parts. */
static bool
share_out(struct axt_graph *g, struct axt_parts *j, const int64_t *end, int n,
    const struct axt_sel *sel, int64_t add)
{
	int64_t i = 0;

	for (int k = 0; k < sel->n; k++) {
		struct axt_span s = sel->span[k];

		for (int64_t done = 0, c; done < s.len; done += c, i += c) {
			int64_t at = s.start + add + s.step * done;
			int p = part_at(end, n, at);
			int64_t first = p ? end[p - 1] : 0;

			c = s.step > 0   ? (end[p] - 1 - at) / s.step + 1
			    : s.step < 0 ? (at - first) / -s.step + 1
					 : s.len;
			c = MIN(c, s.len - done);
			if (!add_segment(g, j, i, j->sel[p].len, p) ||
			    !axt_sel_add(g->m, &j->sel[p],
				(struct axt_span){ at - first, s.step, c }))
				return false;
		}
	}
	return true;
}

/* Drops parts of which nothing is selected. */
static bool
drop_parts(struct axt_graph *g, struct axt_parts *j, int n)
{
	int *now = axt_alloc(g->m, (size_t)n * sizeof(*now));

	if (!now)
		return false;
	for (int k = 0; k < n; k++) {
		if (j->sel[k].len == 0)
			continue;
		j->arg[j->nparts] = k;
		j->sel[j->nparts] = j->sel[k];
		now[k] = j->nparts++;
	}
	for (int64_t i = 0; i < j->nsegs; i++)
		j->seg[i].part = now[j->seg[i].part];
	return true;
}

struct axt_parts *
axt_parts_concat(struct axt_graph *g, const struct axt_space *sp, const struct axt_expr *e,
    const struct axt_index_map *p)
{
	struct axt_parts *j = axt_alloc(g->m, sizeof(*j));
	size_t n = (size_t)e->nargs;
	int64_t *end = axt_alloc(g->m, n * sizeof(*end)), len = 0;
	const struct axt_sel *sel = NULL;
	struct axt_sel whole = { 0 };

	if (!j || !end || !(j->sel = axt_alloc(g->m, n * sizeof(*j->sel))) ||
	    !(j->arg = axt_alloc(g->m, n * sizeof(*j->arg))) ||
	    !(j->part = axt_alloc(g->m, n * sizeof(*j->part))))
		return NULL;
	for (int k = 0; k < e->nargs; k++)
		end[k] = len += e->arg[k]->axes.a[e->u.concat].len;
	j->axis = e->u.concat;
	j->dim = -1;
	for (int t = 0; t < p->n; t++)
		if (p->t[t].axis == e->u.concat) {
			if (j->dim >= 0)
				return NULL;
			j->dim = p->t[t].dim;
			sel = p->t[t].sel;
		}
	if (!sel) {
		struct axt_span all = { 0, j->dim >= 0, j->dim >= 0 ? sp->len[j->dim] : 1 };

		if (!axt_sel_spans(g->m, &whole, &all, 1))
			return NULL;
		sel = &whole;
	}
	return share_out(g, j, end, e->nargs, sel, p->from[e->u.concat]) &&
		drop_parts(g, j, e->nargs)
	    ? j
	    : NULL;
}

struct axt_parts *
axt_parts_whole(struct axt_graph *g, const struct axt_expr *e, int k, const int *core,
    const int *dim, int n, struct axt_index_map *p)
{
	struct axt_parts *j = axt_alloc(g->m, sizeof(*j));

	if (!j || !(j->arg = axt_alloc(g->m, sizeof(*j->arg))) ||
	    !(j->part = axt_alloc(g->m, sizeof(*j->part)))) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	j->dim = -1;
	j->whole = true;
	j->nparts = 1;
	j->arg[0] = k;
	for (j->ncore = 0; j->ncore < n; j->ncore++) {
		int c = j->ncore;

		j->core[c] = (struct axt_core_dim){ dim[c], e->arg[k]->axes.a[core[c]].len };
		p->t[p->n++] = (struct axt_term){ .axis = core[c], .dim = dim[c] };
	}
	return j;
}

/* Finds the indices of the concatenated dimension that belong to part k. */
static bool
rows_of(struct axt_graph *g, const struct axt_parts *j, int64_t len, int k, struct axt_sel *out)
{
	*out = (struct axt_sel){ 0 };
	for (int64_t i = 0; i < j->nsegs; i++) {
		int64_t at = j->seg[i].at, end = i + 1 < j->nsegs ? j->seg[i + 1].at : len;

		if (j->seg[i].part == k &&
		    !axt_sel_add(g->m, out, (struct axt_span){ at, 1, end - at }))
			return false;
	}
	return true;
}

bool
axt_parts_index_map(struct axt_graph *g, const struct axt_space *sp, const struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p, int k, struct axt_index_map *out)
{
	struct axt_sel *rows = NULL, *s;

	(void)e;
	*out = *p;
	out->from[j->axis] = j->dim < 0 ? j->sel[k].span[0].start : 0;
	for (int t = 0; t < p->n; t++) {
		if (p->t[t].axis == j->axis) {
			out->t[t].sel = &j->sel[k];
			/* the dimension moves along another axis, too */
		} else if (p->t[t].dim == j->dim) {
			if (!rows &&
			    (!(rows = axt_alloc(g->m, sizeof(*rows))) ||
				!rows_of(g, j, sp->len[j->dim], k, rows)))
				return false;
			s = axt_alloc(g->m, sizeof(*s));
			if (p->t[t].sel && (!s || !axt_sel_compose(g->m, s, p->t[t].sel, rows, 0)))
				return false;
			out->t[t].sel = p->t[t].sel ? s : rows;
		}
	}
	return true;
}

struct axt_parts *
axt_parts_folded(struct axt_graph *g, const struct axt_expr *e)
{
	struct axt_parts *j = axt_alloc(g->m, sizeof(*j));
	size_t n = (size_t)e->nargs;
	struct axt_op_types ty;

	if (!j || !(j->wrapped = axt_alloc(g->m, sizeof(*j->wrapped))) ||
	    !(j->arg = axt_alloc(g->m, n * sizeof(*j->arg))) ||
	    !(j->part = axt_alloc(g->m, n * sizeof(*j->part)))) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	j->dim = -1;
	j->nparts = e->nargs;
	for (int k = 0; k < e->nargs; k++)
		j->arg[k] = k;
	if (axt_op_types(e->u.op, e->dtype, &ty))
		j->fold = axt_kern_map(e->u.op, ty.comp);
	if (!j->fold) {
		axt_fail(&g->err, AXT_E_DTYPE, "no kernel for %s of %s", axt_ops[e->u.op].name,
		    axt_dtypes[e->dtype].name);
		return NULL;
	}
	j->comp = ty.comp;
	if (ty.comp != e->dtype) {
		j->widen = axt_kern_conv(ty.comp, e->dtype, AXT_OVERFLOW_WRAP);
		j->narrow = axt_kern_conv(e->dtype, ty.kout, AXT_OVERFLOW_WRAP);
	}
	return j;
}

int
axt_parts_compile(struct axt_planner *pl, const struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *p, struct axt_parts *j)
{
	struct axt_graph *g = pl->g;

	for (int k = 0; k < j->nparts; k++) {
		const struct axt_expr *a = e->arg[j->arg[k]];
		struct axt_step *sub = axt_step_asked(g, a);
		struct axt_index_map index_map;

		if (!sub)
			return g->err.code;
		sub->sp = s->sp;
		if (j->dim >= 0)
			sub->sp.len[j->dim] = j->sel[k].len;
		sub->laid = s->laid;
		for (int c = 0; c < j->ncore; c++) {
			sub->sp.len[j->core[c].dim] = j->core[c].len;
			sub->laid.a[j->core[c].dim].len = j->core[c].len;
		}
		sub->apart = true;
		j->part[k] = sub;
		if (j->fold)
			axt_index_map_sub(p, &e->axes, &a->axes, &index_map);
		else if (j->whole)
			index_map = *p;
		else if (!axt_parts_index_map(g, &s->sp, j, e, p, k, &index_map))
			return axt_fail(&g->err, AXT_E_LIMIT,
			    "%s is concatenated from too many millions of pieces", e->from);
		if (axt_compile(pl, sub, a, &index_map, &sub->out[0].root))
			return g->err.code;
	}
	return 0;
}
