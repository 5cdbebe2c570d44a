/* pad.c - an axis made longer at both ends. */
#include <math.h>

#include "expr/expr.h"
#include "axt_builds.h"
#include "axt_operation.h"

enum { CONSTANT, EDGE, REFLECT, SYMMETRIC, WRAP };

static int
mode_of(struct axt_graph *g, const char *mode)
{
	static const char *const name[] = { "constant", "edge", "reflect", "symmetric", "wrap" };

	for (int k = 0; mode && k < ARRAY_LEN(name); k++)
		if (strcmp(mode, name[k]) == 0)
			return k;
	if (mode) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "a pad is constant, edge, reflect, symmetric or wrap, not \"%s\"",
		    axt_escape(g->m, mode));
		axt_about(&g->err, AXT_BAD_VALUE, mode, "mode");
		for (int k = 0; k < ARRAY_LEN(name); k++)
			axt_about_among(&g->err, name[k]);
	}
	return CONSTANT;
}

/*
 * The position, of n, whose element index k gets: outside of [0, n) it follows the mode of padding.
 * *d is 1 if the positions of the next indices go up, -1 if they go down, 0 if they stay.
 */
static int64_t
position(int mode, int64_t k, int64_t n, int64_t *d)
{
	int64_t turn = mode == REFLECT ? 2 * (n - 1) : mode == SYMMETRIC ? 2 * n : n;

	*d = 1;
	if (mode == EDGE || n == 1) {
		*d = k < 0 || k >= n ? 0 : 1;
		return k < 0 ? 0 : MIN(k, n - 1);
	}
	k = (k % turn + turn) % turn;
	if (k >= n || (mode == REFLECT && k == n - 1)) {
		*d = -1;
		k = turn - k - (mode == SYMMETRIC);
	}
	return k;
}

/* The positions that indices [-before, n + after) mean, as spans. */
static struct axt_span *
spans(struct axt_graph *g, int mode, int64_t n, int64_t before, int64_t after, int *count)
{
	int64_t len = before + n + after, most = 4 + 2 * (before + after) / MAX(1, n - 1);
	struct axt_span *s = most > (int64_t)1 << 40 ? NULL
						     : axt_alloc(g->m, (size_t)most * sizeof(*s));
	int64_t d, left;

	*count = 0;
	for (int64_t i = 0; s && i < len; i += left) {
		int64_t at = position(mode, i - before, n, &d);

		left = len - i;
		if (d > 0)
			left = MIN(left, mode == REFLECT && n > 1 ? MAX(1, n - 1 - at) : n - at);
		else if (d < 0)
			left = MIN(left, MAX(1, at + (mode == SYMMETRIC)));
		else if (i < before)
			left = MIN(left, before - i);
		s[(*count)++] = (struct axt_span){ at, d, left };
	}
	return s;
}

/*
 * Continues the coordinates c at both ends in steps like the outermost ones. *res is NULL where
 * that has no meaning, as for text, or where there are less than two.
 */
static int
longer(struct axt_graph *g, const struct axt_coord *c, int64_t before, int64_t after,
    const struct axt_coord **res)
{
	struct axt_coord *out = axt_alloc(g->m, sizeof(*out));
	int64_t size, bytes;
	uint8_t *v;

	*res = NULL;
	if (!c || !c->data || c->text || c->n < 2 ||
	    axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX || c->dtype == AXT_BOOL)
		return 0;
	size = axt_size(c->dtype);
	if (!axt_mul(before + c->n + after, size, &bytes))
		return axt_fail(&g->err, AXT_E_LIMIT, "the result has more than 2^63 elements");
	v = axt_alloc(g->m, (size_t)bytes);
	if (!out || !v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*out = *c;
	out->n = before + c->n + after;
	out->data = v;
	memcpy(v + before * size, c->data, (size_t)(c->n * size));
	for (int end = 0; end < 2; end++) {
		int64_t edge = end ? c->n - 1 : 0, next = end ? c->n - 2 : 1,
			k = end ? after : before;
		const uint8_t *p = (const uint8_t *)c->data + edge * size,
			      *q = (const uint8_t *)c->data + next * size;
		double x = axt_load_f64(c->dtype, p), d = x - axt_load_f64(c->dtype, q);

		for (int64_t i = 1; i <= k; i++) {
			struct axt_num y = { .f = x + (double)i * d };

			y.is_int = axt_dtypes[c->dtype].cls < AXT_CLASS_FLOAT;
			if (y.is_int && !(fabs(y.f) < 0x1p63))
				return 0;
			y.i = y.is_int ? (int64_t)y.f : 0;
			y.u = (uint64_t)y.i;
			if (!axt_num_store(&y, c->dtype,
				v + (before + edge + (end ? i : -i)) * size))
				return 0;
		}
	}
	*res = out;
	return 0;
}

/* A block of one value, `len` long along axis i and like a along the others. */
static struct axt_expr *
block(struct axt_graph *g, struct axt_expr *a, int i, int64_t len, struct axt_expr *value)
{
	struct axt_axes x = a->axes;
	int src[AXT_MAX_RANK];

	for (int k = 0; k < x.n; k++)
		src[k] = -1;
	x.a[i].len = len;
	return axt_relabel(g, value, &x, src);
}

static struct axt_expr *
constant(struct axt_graph *g, struct axt_expr *a, int i, int64_t before, int64_t after,
    const struct axt_axis *as, struct axt_expr *value)
{
	struct axt_expr *part[3], *e;
	struct axt_axes x = a->axes;
	struct axt_meta *m;
	int n = 0;

	x.a[i] = *as;
	if (before)
		part[n++] = block(g, a, i, before, value);
	part[n++] = a;
	if (after)
		part[n++] = block(g, a, i, after, value);
	for (int k = 0; k < n; k++)
		if (axt_bad(part[k]))
			return part[k];
	e = axt_concat_node(g, n, part, &x, i);
	m = axt_dress_without(g, &e, a, &a->axes.a[i]);
	if (m)
		m->missing = m->missing || value->meta->missing;
	return e;
}

struct axt_expr *
axt_pad(struct axt_graph *g, struct axt_expr *a, const char *spec, const char *mode,
    struct axt_expr *value)
{
	int64_t before, after, n;
	struct axt_expr *e;
	struct axt_axis as;
	struct axt_span *s;
	char *word, *comma, *name, mark;
	const char *rest;
	int i, how = mode_of(g, mode), count;

	if (axt_refused(g, a) || (value && axt_refused(g, value)))
		return axt_node_failed(g);
	rest = axt_view_spec(g, spec, "=", &mark, &name);
	word = rest ? axt_strdup(g->m, rest) : NULL;
	if (g->err.code || !word || (i = axt_view_find(g, a, name)) < 0)
		return axt_node_failed(g);
	comma = strchr(word, ',');
	if (comma)
		*comma++ = 0;
	if (!axt_parse_int(word, 0, INT64_MAX, &before) ||
	    !axt_parse_int(comma ? comma : word, 0, INT64_MAX, &after)) {
		axt_no_form(g, spec, "AXIS=BEFORE,AFTER");
		return axt_node_failed(g);
	}
	as = a->axes.a[i];
	n = as.len;
	if (before > INT64_MAX / 4 || after > INT64_MAX / 4)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	if (n == 0 && how != CONSTANT && before + after > 0)
		return axt_graph_fail(g, AXT_E_ARG, "axis \"%s\" of %s has no element to pad with",
		    axt_escape(g->m, as.name), a->from);
	as.len = before + n + after;
	as.parts = NULL;
	if (before + after == 0)
		return a;
	if (longer(g, as.coord, before, after, &as.coord))
		return axt_node_failed(g);
	if (how == CONSTANT) {
		if (value && (value->kind != AXT_NODE_CONST || value->axes.n))
			return axt_graph_fail(g, AXT_E_ARG, "a pad's value is a number");
		if (value && axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT &&
		    !value->u.val.num.is_int && value->u.val.num.f != rint(value->u.val.num.f))
			return axt_too_big(g, value->u.val.num.f, a->dtype);
		value = value ? axt_argument(g, value, a->dtype) : axt_const(g, a->dtype, 0);
		return axt_bad(value) ? value : constant(g, a, i, before, after, &as, value);
	}
	s = spans(g, how, n, before, after, &count);
	e = s ? axt_view_axis(g, a, i, s, count, &as) : axt_node_failed(g);
	/* Bounds cannot be continued as coordinates are, so they are left out. */
	axt_dress_without(g, &e, a, &a->axes.a[i]);
	return e;
}

/* ---- the operation ---- */

static const char *const modes[] = { "constant", "edge", "reflect", "symmetric", "wrap" };

struct pad {
	struct axt_specs specs;
	struct axt_expr *value;
	int mode;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct pad, "AXIS=BEFORE,AFTER", 0,
	    "how many elements an axis gets at its ends"),
	AXT_VALUE_OF(struct pad, value, "what to pad with", .text = "0", .needs = "mode=constant"),
	AXT_CHOICE_OF(struct pad, mode, "constant|edge|reflect|symmetric|wrap",
	    "the value (default), the outermost element, mirrored at it, with it, from the other end"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct pad *o = AXT_VALUES(struct pad, c);
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < o->specs.n; i++)
		a = axt_pad(g, a, o->specs.word[i], modes[o->mode], o->value);
	return a;
}

const struct axt_operation axt_operation_pad = {
	.name = "pad",
	.line = "make axes longer at both ends",
	.operands = "A",
	.params = params,
	.size = sizeof(struct pad),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
