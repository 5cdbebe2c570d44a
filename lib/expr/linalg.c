/*
 * linalg.c - functions of matrices: which axes are rows and columns, by name or because one axis is
 * the dual of another, and which axes results have.
 */
#include "expr/inner.h"

enum { SQUARE = 1, MAPS = 2, MODE = 4 };
static const struct row {
	const char *name;
	int operands;
	const char *gufunc, *results;
	int flags;
} rows[] = {
#define LINALG(ID, name, operands, gufunc, results, flags, ...) \
	[AXT_LINALG_##ID] = { name, operands, gufunc, results, flags },
#include "linalg.def"
#undef LINALG
};

/* How many results a function has. */
static int
results_of(const struct row *r)
{
	int n = 1;

	for (const char *p = r->results; (p = strchr(p, ' ')); p++)
		n++;
	return n;
}

/* The axes that have their duals in a: M of M and M*. */
static void
with_duals(const struct axt_expr *a, struct axt_axes *out)
{
	for (int i = 0; i < a->axes.n; i++) {
		struct axt_axis dual = a->axes.a[i];

		dual.level = 1;
		if (a->axes.a[i].level == 0 && axt_axes_find(&a->axes, &dual) >= 0)
			out->a[out->n++] = a->axes.a[i];
	}
}

/*
 * The side of a matrix that was not given: the duals of the given one. Where a has none of these,
 * and two axes in all, it is the other axis.
 */
static void
other_side(const struct axt_expr *a, const struct axt_axes *given, struct axt_axes *out)
{
	int k = given->n == 1 ? axt_axes_find(&a->axes, &given->a[0]) : -1;

	axt_axes_transpose(given, out);
	if (k >= 0 && a->axes.n == 2 && axt_axes_find(&a->axes, &out->a[0]) < 0)
		out->a[0] = a->axes.a[1 - k];
}

/* Rows and columns of a as lists. */
static int
sides(struct axt_graph *g, const struct axt_expr *a, const char *row, const char *col,
    struct axt_axes side[2])
{
	const char *const given[2] = { row, col };

	side[0] = side[1] = (struct axt_axes){ 0 };
	for (int i = 0; i < 2; i++)
		if (given[i] && axt_axes_parse(g->m, given[i], false, &side[i], NULL, &g->err))
			return g->err.code;
	if (!row && !col)
		with_duals(a, &side[0]);
	if (side[0].n + side[1].n == 0) {
		axt_fail(&g->err, AXT_E_AXES, "%s (%s) has no axis and its dual, such as M and M*",
		    a->from, axt_axes_text(g->m, &a->axes));
		axt_about(&g->err, AXT_NEEDS_OPTION, "row", NULL);
		if (a->axes.n == 2)
			axt_hint_option(&g->err, "row", "%s", axt_axis_spell(g->m, &a->axes.a[0]));
		axt_hint(&g->err,
		    "--row AXES --col AXES, in axt-calc row=AXES, col=AXES, name the matrix");
		return g->err.code;
	}
	if (!row && col)
		other_side(a, &side[1], &side[0]);
	if (!col)
		other_side(a, &side[0], &side[1]);
	return 0;
}

/*
 * A side of a matrix: the axes that are its rows or its columns, and the one axis that they are
 * flattened to while a function runs. Also the other axes of a second operand, of which there may
 * be none.
 */
struct side {
	struct axt_axes list;
	struct axt_axis one;
};

/* a with the axes of a side as one. */
static struct axt_expr *
as_one(struct axt_graph *g, struct axt_expr *a, const struct side *s)
{
	const char *list = axt_axes_typed(g->m, &s->list, axt_identity, s->list.n),
		   *one = axt_axes_typed(g->m, &(struct axt_axes){ .n = 1, .a = { s->one } },
		       axt_identity, 1);

	if (axt_bad(a) || (s->list.n == 1 && axt_axis_same(&s->list.a[0], &s->one)))
		return a;
	list = axt_sprintf(g->m, "%s=%s", s->list.n ? list : one, s->list.n ? one : "1");
	return s->list.n == 0 ? axt_expand(g, a, list, -1)
	    : s->list.n == 1  ? axt_rename(g, a, list)
			      : axt_flatten(g, a, list);
}

/*
 * Finds the axes of a side in a, and makes the axis that they are flattened to, whose name is
 * `name` or, if that is NULL, made of theirs.
 */
static int
find_side(struct axt_graph *g, const struct axt_expr *a, const char *name, struct side *s)
{
	struct axt_buf b = { 0 };

	s->one = (struct axt_axis){ .len = 1 };
	for (int i = 0; i < s->list.n; i++) {
		int at = axt_axes_find(&a->axes, &s->list.a[i]);

		if (at < 0)
			return axt_axes_unknown_in(g->m, &a->axes, &s->list.a[i], a->from, &g->err);
		s->list.a[i] = a->axes.a[at];
		axt_buf_addf(&b, "%s%s", i ? "." : "", s->list.a[i].name);
		s->one.level = s->list.a[0].level;
		s->one.len *= s->list.a[i].len;
	}
	if (s->list.n == 1 && !name)
		s->one = s->list.a[0];
	s->one.name = axt_buf_text(g->m, &b);
	if (name)
		s->one.name = name;
	return s->one.name ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The axes of b that are neither rows nor loop axes of a. */
static void
other_axes(const struct axt_expr *a, const struct axt_expr *b, const struct side side[2],
    struct side *out)
{
	for (int i = 0; i < b->axes.n; i++) {
		const struct axt_axis *x = &b->axes.a[i];

		if (axt_axes_find(&side[0].list, x) < 0 &&
		    (axt_axes_find(&a->axes, x) < 0 || axt_axes_find(&side[1].list, x) >= 0))
			out->list.a[out->list.n++] = *x;
	}
}

/*
 * e with axis `at`, which is the flattened axis of side s, taken apart into the axes of that side
 * again. These get the names of the side `as`.
 */
static struct axt_expr *
as_many(struct axt_graph *g, struct axt_expr *e, int at, const struct side *s,
    const struct side *as)
{
	const char *one = axt_bad(e) ? NULL : axt_axes_typed(g->m, &e->axes, &at, 1);
	struct axt_buf parts = { 0 };

	if (!one)
		return axt_node_failed(g);
	if (s->list.n == 0)
		return axt_squeeze(g, e, one);
	for (int i = 0; i < s->list.n && s->list.n > 1; i++)
		axt_buf_addf(&parts, "%s%s:%lld", i ? "," : "",
		    axt_axes_typed(g->m, &as->list, &i, 1), (long long)s->list.a[i].len);
	if (s->list.n > 1)
		e = axt_unflatten(g, e,
		    axt_sprintf(g->m, "%s=%s", one, axt_buf_text(g->m, &parts)));
	for (int i = 0; i < s->list.n && !axt_bad(e); i++) {
		e->axes.a[at + i] = s->list.a[i];
		e->axes.a[at + i].name = as->list.a[i].name;
		e->axes.a[at + i].level = as->list.a[i].level;
	}
	return e;
}

/* e with all sides as they were; swap: rows and columns have each other's names. */
static struct axt_expr *
restored(struct axt_graph *g, struct axt_expr *e, const struct side side[3], bool swap)
{
	int at[3], last;

	for (int k = 0; k < 3; k++)
		at[k] = side[k].one.name ? axt_axes_find(&e->axes, &side[k].one) : -1;
	do {
		last = 0;
		for (int k = 1; k < 3; k++)
			last = at[k] > at[last] ? k : last;
		if (at[last] >= 0)
			e = as_many(g, e, at[last], &side[last],
			    &side[swap && last < 2 ? 1 - last : last]);
		at[last] = -1;
	} while (at[0] >= 0 || at[1] >= 0 || at[2] >= 0);
	return axt_bad(e) || axt_axes_check_unique(g->m, &e->axes, &g->err) ? axt_node_failed(g)
									    : e;
}

/* Whether the columns are the duals of the rows. */
static bool
are_duals(const struct side *row, const struct side *col)
{
	bool dual = row->list.n == col->list.n;

	for (int i = 0; i < row->list.n && dual; i++)
		dual = strcmp(row->list.a[i].name, col->list.a[i].name) == 0 &&
		    col->list.a[i].level == row->list.a[i].level + 1;
	return dual;
}

/* The operands as matrices with one axis a side. */
static int
operands(struct axt_graph *g, const struct row *r, struct axt_expr *const in[],
    const struct axt_linalg_opts *o, struct side side[3], struct axt_expr *out[2])
{
	struct axt_axes list[2];

	memset(side, 0, 3 * sizeof(*side));
	if (sides(g, in[0], o->row, o->col, list))
		return g->err.code;
	for (int k = 0; k < 2; k++) {
		side[k].list = list[k];
		if (find_side(g, in[0], NULL, &side[k]))
			return g->err.code;
	}
	if ((r->flags & SQUARE) && side[0].one.len != side[1].one.len)
		return axt_fail(&g->err, AXT_E_AXES,
		    "%s needs as many columns as rows, %s has %lld and %lld (%s)", r->name,
		    in[0]->from, (long long)side[1].one.len, (long long)side[0].one.len,
		    axt_axes_text(g->m, &in[0]->axes));
	out[0] = as_one(g, as_one(g, in[0], &side[0]), &side[1]);
	if (r->operands == 2) {
		struct side row = side[0];

		if (find_side(g, in[1], NULL, &row))
			return g->err.code;
		other_axes(in[0], in[1], side, &side[2]);
		if (find_side(g, in[1], "axt_column", &side[2]))
			return g->err.code;
		out[1] = as_one(g, as_one(g, in[1], &row), &side[2]);
	}
	for (int k = 0; k < r->operands; k++)
		if (axt_bad(out[k]))
			return g->err.code;
	return 0;
}

/* The arguments of the gufunc of a row. */
static struct axt_gufunc_opts
arguments(enum axt_linalg_op op, const struct axt_linalg_opts *o, const struct axt_expr *a)
{
	enum axt_dtype d = axt_dtypes[a->dtype].comp;
	bool narrow = d == AXT_F32 || d == AXT_C64;
	struct axt_gufunc_opts x = { .x = { o->rcond, narrow ? 0x1p-23 : 0x1p-52 } };

	if (op == AXT_LINALG_MATRIX_POWER)
		x.n[0] = o->power;
	else if (op == AXT_LINALG_COND)
		x.n[0] = 3;
	else if (op == AXT_LINALG_EIGH)
		x.n[0] = o->vectors;
	else if (op == AXT_LINALG_MATRIX_NORM)
		x.n[0] = (int)o->ord - AXT_ORD_NUC;
	return x;
}

/* Norms that are sums or largest values of elements. */
static struct axt_expr *
norm_of_elements(struct axt_graph *g, struct axt_expr *a, const struct side side[2],
    enum axt_matrix_ord ord)
{
	struct axt_reduce_opts o = { .nan = -1 };
	const char *row = axt_axes_typed(g->m, &side[0].list, axt_identity, side[0].list.n),
		   *col = axt_axes_typed(g->m, &side[1].list, axt_identity, side[1].list.n);

	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		a = axt_map1(g, AXT_OP_ABSOLUTE, a);
	if (ord == AXT_ORD_FRO) {
		o.over = axt_sprintf(g->m, "%s,%s", row, col);
		return axt_reduce_grouped(g, AXT_RED_NORM2, a, &o, NULL);
	}
	o.over = ord == AXT_ORD_1 ? row : col;
	a = axt_reduce_grouped(g, AXT_RED_NORM1, a, &o, NULL);
	o.over = ord == AXT_ORD_1 ? col : row;
	return axt_reduce_grouped(g, AXT_RED_MAX, a, &o, NULL);
}

/* The lists of core axes: rows, columns, the other axes of a second operand, the new axis. */
static const char *
core_axes(struct axt_graph *g, const struct row *row, const struct side side[3],
    const struct axt_linalg_opts *o)
{
	struct axt_axes core = { .n = 2 }, mode = { 0 };

	core.a[0] = side[0].one;
	core.a[1] = side[1].one;
	if (row->operands == 2)
		core.a[core.n++] = side[2].one;
	if (row->flags & MODE) {
		if (axt_axes_parse(g->m, o->mode ? o->mode : "mode", false, &mode, NULL, &g->err))
			return NULL;
		if (mode.n != 1) {
			axt_not_one_axis(g, o->mode);
			return NULL;
		}
		core.a[core.n++] = mode.a[0];
	}
	return axt_axes_typed(g->m, &core, axt_identity, core.n);
}

/* Least squares of many rows are those of fewer, and their results of the dtype of the operands. */
static int
lstsq(struct axt_graph *g, struct axt_expr *a[2], struct side side[3], const struct row *row,
    const struct axt_linalg_opts *o, struct axt_gufunc_opts *how, struct axt_expr *results[])
{
	enum axt_dtype d = axt_promote(a[0]->dtype, a[1]->dtype);
	bool narrow = axt_dtypes[d].cls >= AXT_CLASS_FLOAT &&
	    (axt_dtypes[d].comp == AXT_F32 || d == AXT_C64);
	int64_t rows = side[0].one.len;

	if (axt_fewer_rows(g, a, &side[0].one, &side[1].one, &side[2].one))
		return g->err.code;
	if (side[0].one.len < rows && how->x[0] == 0)
		how->x[0] = (double)MAX(rows, side[1].one.len) * how->x[1];
	how->core = core_axes(g, row, side, o);
	if (!how->core || axt_gufunc(g, "lstsq", 2, a, how, results))
		return g->err.code;
	for (int k = 0; k < results_of(row) && narrow; k++)
		if (results[k]->dtype == AXT_F64 || results[k]->dtype == AXT_C128)
			results[k] = axt_conv(g, results[k],
			    results[k]->dtype == AXT_F64 ? AXT_F32 : AXT_C64, AXT_OVERFLOW_ERROR);
	return g->err.code;
}

int
axt_linalg(struct axt_graph *g, enum axt_linalg_op op, struct axt_expr *const in[],
    const struct axt_linalg_opts *o, struct axt_expr *results[])
{
	static const struct axt_linalg_opts plain = { 0 };
	struct axt_gufunc_opts how;
	const struct row *row = &rows[op];
	struct side *side = axt_alloc(g->m, 3 * sizeof(*side));
	struct axt_expr *a[2];
	bool swap;

	if (!side)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if ((int)op < 0 || op >= AXT_NLINALGS)
		return axt_fail(&g->err, AXT_E_ARG, "no such function of matrices");
	for (int k = 0; k < row->operands; k++)
		if (axt_refused(g, in[k]))
			return g->err.code;
	o = o ? o : &plain;
	if (operands(g, row, in, o, side, a))
		return g->err.code;
	if (op == AXT_LINALG_MATRIX_NORM && (o->ord == AXT_ORD_FRO || o->ord >= AXT_ORD_1)) {
		results[0] = norm_of_elements(g, in[0], side, o->ord);
		return axt_bad(results[0]) ? g->err.code : 0;
	}
	how = arguments(op, o, in[0]);
	if (op == AXT_LINALG_LSTSQ) {
		if (lstsq(g, a, side, row, o, &how, results))
			return g->err.code;
	} else {
		how.core = core_axes(g, row, side, o);
		if (!how.core || axt_gufunc(g, row->gufunc, row->operands, a, &how, results))
			return g->err.code;
	}
	swap = (row->flags & MAPS) && are_duals(&side[0], &side[1]);
	for (int k = 0; k < results_of(row); k++) {
		results[k] = restored(g, results[k], side, swap);
		if (axt_bad(results[k]))
			return g->err.code;
	}
	return 0;
}
