/*
 * gufunc_call.c - calls of functions of whole core axes: finds core axes by name, matches loop
 * axes by name, and makes a node for each result.
 */
#include "expr/expr.h"

/*
 * The core axes of a call, by their letter in the signature. If a tensor has a letter several
 * times, as in (m,m), the second index is the number of the occurrence.
 */
struct named {
	struct axt_axis axis[AXT_LETTERS][AXT_GUFUNC_CORE];
	bool known[AXT_LETTERS][AXT_GUFUNC_CORE];
};

static int
occurrence(const struct axt_core *c, int i)
{
	int n = 0;

	for (int k = 0; k < i; k++)
		n += c->axis[k] == c->axis[i];
	return n;
}

/* A call of a function while its nodes are built. */
struct call {
	struct axt_graph *g;
	enum axt_gufunc_id op;
	struct axt_signature x;
	struct axt_expr *const *in; /* operands as the caller gave them */
	struct axt_expr *draft;     /* a node with what all results have in common */
	struct named names;
	struct axt_axes loop;
	enum axt_dtype dtype[AXT_GUFUNC_TENSORS];
};

/*
 * Assigns the given names to core axes, in the order in which the axes first occur in the
 * signature.
 */
static int
name_axes(struct call *k, const char *core)
{
	struct axt_graph *g = k->g;
	const char *name = axt_gufunc_name[k->op];
	struct axt_axes x = { 0 };
	int at = 0;

	if (core && axt_axes_parse(g->m, core, false, &x, NULL, &g->err))
		return g->err.code;
	for (int t = 0; t < k->x.nin + k->x.nout; t++)
		for (int c = 0; c < k->x.core[t].n; c++) {
			int l = k->x.core[t].axis[c] - 'a', o = occurrence(&k->x.core[t], c);

			if (k->names.known[l][o] || (at == x.n && t >= k->x.nin))
				continue;
			if (at == x.n)
				return axt_fail(&g->err, AXT_E_ARG,
				    "%s needs the names of its core axes", name);
			k->names.axis[l][o] = x.a[at++];
			k->names.axis[l][o].len = -1;
			k->names.known[l][o] = true;
		}
	return at == x.n ? 0
			 : axt_fail(&g->err, AXT_E_AXES, "%s has %d core axes, not %d (\"%s\")",
			       name, at, x.n, axt_escape(g->m, core));
}

/* Finds the core axes of operand t and their places. Its other axes are loop axes. */
static int
find_core(struct call *k, int t)
{
	struct axt_graph *g = k->g;
	const struct axt_expr *a = k->in[t];
	int *at = k->draft->u.gufunc.core +
	    (axt_gufunc_core(k->draft, t) - k->draft->u.gufunc.core);
	struct axt_axes rest = { 0 };
	bool core[AXT_MAX_RANK] = { false };

	for (int c = 0; c < k->x.core[t].n; c++) {
		int l = k->x.core[t].axis[c] - 'a', o = occurrence(&k->x.core[t], c), i;
		struct axt_axis *as = &k->names.axis[l][o];

		i = axt_axes_find(&a->axes, as);
		if (i < 0)
			return axt_axes_unknown_in(g->m, &a->axes, as, a->from, &g->err);
		if (as->len < 0)
			*as = a->axes.a[i];
		else if (axt_axis_meet(g->m, as, &a->axes.a[i], &g->join, as, &g->err))
			return g->err.code;
		core[i] = true;
		at[c] = i;
	}
	for (int i = 0; i < a->axes.n; i++)
		if (!core[i])
			rest.a[rest.n++] = a->axes.a[i];
	return axt_axes_union(g->m, &k->loop, &rest, &g->join, &k->loop, &g->err);
}

/* Core axis c of result r, with its length and, if an operand has the axis, its coordinates. */
static struct axt_axis
result_axis(const struct call *k, int r, int c, const int64_t *len)
{
	const struct axt_core *core = &k->x.core[k->x.nin + r];
	int l = core->axis[c] - 'a', o = occurrence(core, c);
	struct axt_axis x = k->names.axis[l][o];

	/* it has the name of the axis of the first operand that it comes from */
	if (!k->names.known[l][o])
		x = (struct axt_axis){ .name = "" };
	if (!k->names.known[l][o] && c < k->x.core[0].n) {
		const struct axt_axis *from = &k->in[0]->axes.a[axt_gufunc_core(k->draft, 0)[c]];

		x = (struct axt_axis){ .name = from->name, .level = from->level };
	}
	x.coord = x.len == len[l] ? x.coord : NULL;
	x.unlimited = x.len == len[l] && x.unlimited;
	x.len = len[l];
	return x;
}

/*
 * Makes the axes of result r. If the result has as many core axes as the first operand, they are in
 * the places of those; otherwise they are last.
 */
static int
result_axes(struct call *k, int r, const int64_t *len, struct axt_expr *e)
{
	const struct axt_axes *first = &k->in[0]->axes;
	int n = k->x.core[k->x.nin + r].n, core0 = k->x.core[0].n,
	    *at = e->u.gufunc.core + (axt_gufunc_core(e, k->x.nin) - e->u.gufunc.core);
	bool in_place = n > 0 && n == core0;
	struct axt_axes *x = &e->axes;

	x->n = 0;
	if (k->loop.n + n > AXT_MAX_RANK)
		return axt_fail(&k->g->err, AXT_E_LIMIT, "%s has a result of %d axes",
		    axt_gufunc_name[k->op], k->loop.n + n);
	for (int i = 0; i < k->loop.n; i++)
		if (!in_place || axt_axes_find(first, &k->loop.a[i]) < 0)
			x->a[x->n++] = k->loop.a[i];
	for (int i = 0; i < first->n && in_place; i++) {
		int c = 0, l = axt_axes_find(&k->loop, &first->a[i]);

		while (c < n && axt_gufunc_core(e, 0)[c] != i)
			c++;
		if (c < n)
			at[c] = x->n;
		x->a[x->n++] = c < n ? result_axis(k, r, c, len) : k->loop.a[l];
	}
	for (int c = 0; c < n && !in_place; c++) {
		at[c] = x->n;
		x->a[x->n++] = result_axis(k, r, c, len);
	}
	for (int i = 0; i < x->n; i++)
		if (!*x->a[i].name)
			return axt_fail(&k->g->err, AXT_E_ARG, "%s needs a name for each new axis",
			    axt_gufunc_name[k->op]);
	return axt_axes_check_unique(k->g->m, x, &k->g->err);
}

/* Converts the operands to dtypes that the function takes. */
static int
convert(struct call *k)
{
	struct axt_graph *g = k->g;
	struct axt_expr *d = k->draft;
	enum axt_dtype *in = k->dtype;

	for (int t = 0; t < k->x.nin; t++)
		in[t] = k->in[t]->dtype;
	if (!axt_gufuncs[k->op]->dtypes(in, in + k->x.nin))
		return axt_undefined(g, axt_gufunc_name[k->op], k->in[k->x.nin - 1]), g->err.code;
	for (int t = 0; t < k->x.nin; t++) {
		d->arg[t] = axt_argument(g, k->in[t], in[t]);
		if (axt_bad(d->arg[t]))
			return g->err.code;
	}
	return 0;
}

static struct axt_expr *
result(struct call *k, int r, const int64_t *len)
{
	struct axt_graph *g = k->g;
	struct axt_expr *e = axt_node_again(g, k->draft, k->draft->arg, k->dtype[k->x.nin + r]);

	if (axt_bad(e))
		return e;
	e->u.gufunc.result = r;
	if (result_axes(k, r, len, e))
		return axt_node_failed(g);
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	for (int t = 0; t < k->x.nin && axt_count(e) > 0 && !axt_gufuncs[k->op]->empty; t++)
		if (axt_count(k->in[t]) == 0)
			return axt_graph_fail(g, AXT_E_ARG, "%s of an empty axis of %s (%s)",
			    axt_gufunc_name[k->op], k->in[t]->from,
			    axt_axes_text(g->m, &k->in[t]->axes));
	e->meta = axt_meta_gufunc(g, k->op, e->arg[MAX(1, axt_gufuncs[k->op]->like) - 1], e);
	return e->meta ? e : axt_node_failed(g);
}

static int
plain_row(struct axt_graph *g, const char *name)
{
	for (int i = 0; i < AXT_NGUFUNCS; i++)
		if (strcmp(axt_gufunc_name[i], name) == 0 && axt_gufunc_plain(axt_gufuncs[i]))
			return i;
	axt_fail(&g->err, AXT_E_ARG, "no gufunc \"%s\"", axt_escape(g->m, name));
	return -1;
}

/* Makes the node from which all results of a call are copied. NULL: error. */
static struct axt_expr *
draft(struct axt_graph *g, enum axt_gufunc_id op, int n, struct axt_expr *const in[],
    const struct axt_gufunc_opts *o)
{
	struct axt_expr *d = axt_node_like(g, AXT_NODE_GUFUNC, in[0]);

	if (axt_bad(d))
		return NULL;
	d->nargs = n;
	if (n > ARRAY_LEN(d->few) && !(d->arg = axt_alloc(g->m, (size_t)n * sizeof(*d->arg)))) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int t = 0; t < n; t++) {
		d->arg[t] = in[t];
		d->concats = d->concats || in[t]->concats;
	}
	d->flat = false;
	memset(&d->u, 0, sizeof(d->u));
	d->u.gufunc.op = op;
	memcpy(d->u.gufunc.args.n, o->n, sizeof(o->n));
	memcpy(d->u.gufunc.args.x, o->x, sizeof(o->x));
	d->from = in[MAX(1, axt_gufuncs[op]->like) - 1]->from;
	return d;
}

int
axt_gufunc(struct axt_graph *g, const char *name, int n, struct axt_expr *const in[],
    const struct axt_gufunc_opts *o, struct axt_expr *results[])
{
	static const struct axt_gufunc_opts plain = { 0 };
	struct call *k;
	int64_t len[AXT_LETTERS];
	const char *why;
	int op;

	for (int t = 0; t < n; t++)
		if (axt_refused(g, in[t]))
			return g->err.code;
	op = plain_row(g, name);
	k = op < 0 ? NULL : axt_alloc(g->m, sizeof(*k));
	if (!k)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	k->g = g;
	k->op = (enum axt_gufunc_id)op;
	k->x = axt_gufunc_signature(k->op);
	k->in = in;
	o = o ? o : &plain;
	if (n != k->x.nin)
		return axt_fail(&g->err, AXT_E_ARG, "%s takes %d operands, not %d", name, k->x.nin,
		    n);
	if (!(k->draft = draft(g, k->op, n, in, o)) || name_axes(k, o->core))
		return g->err.code;
	for (int t = 0; t < n; t++)
		if (find_core(k, t))
			return g->err.code;
	if (convert(k))
		return g->err.code;
	why = axt_gufunc_lengths(k->draft, len);
	if (why)
		return axt_fail(&g->err, AXT_E_ARG, "%s of %s: %s", name, k->draft->from, why);
	for (int r = 0; r < k->x.nout; r++) {
		results[r] = result(k, r, len);
		if (axt_bad(results[r]))
			return g->err.code;
	}
	return 0;
}

struct axt_expr *
axt_over_axis(struct axt_graph *g, struct axt_expr *b, const struct axt_expr *a, int i)
{
	const struct axt_axis *x = &a->axes.a[i];
	const char *own = axt_axes_typed(g->m, &b->axes, axt_identity, b->axes.n);

	return axt_axes_find(&b->axes, x) >= 0
	    ? b
	    : axt_broadcast(g, b,
		  axt_sprintf(g->m, "%s%s%s=%lld", own ? own : "", b->axes.n ? "," : "",
		      axt_axes_typed(g->m, &a->axes, &i, 1), (long long)x->len));
}
