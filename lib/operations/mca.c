/*
 * mca.c - maximum covariance analysis: the singular vectors of the covariances between the places
 * of two fields. For a field with more places than samples they are found from a smaller matrix:
 * its anomalies are F V^T, where F is square and V^T V = 1, and the patterns are V times the
 * singular vectors that F gives in place of the anomalies.
 */
#include <string.h>

#include "operations/eof.h"

/* Of a field: F, the axes of its columns, and what makes patterns of vectors over these. */
struct factor {
	struct axt_expr *f, *back; /* back: [sample, columns]; NULL: columns are places */
	const char *columns;
};

static int
by_samples(struct axt_eof_field *k, const char *columns, struct factor *r)
{
	struct axt_eof_field all = *k;
	struct axt_expr *v[2], *values, *root;

	all.mode = columns;
	all.modes = k->n;
	if (axt_eof_vectors(&all, &k->sample, k->samples, k->places, v, &values))
		return k->g->err.code;
	root = axt_map1(k->g, AXT_OP_SQRT, axt_eof_above(&all, v[0], values, k->n));
	r->columns = columns;
	r->f = axt_map2(k->g, AXT_OP_MUL, v[1], root);
	r->back = axt_map2(k->g, AXT_OP_MUL, v[1], axt_eof_inverse(k, root));
	return k->g->err.code;
}

/* The second field has other names for places: the first one may have the same. */
static int
factor(struct axt_eof_field *k, int field, struct factor *r)
{
	if (k->n <= k->p)
		return by_samples(k, field ? "axt_right" : "axt_left", r);
	r->columns = k->places;
	r->f = field ? axt_eof_twin(k, &k->place, &r->columns) : k->x;
	return axt_bad(r->f) ? k->g->err.code : 0;
}

/* The patterns of a field by singular vectors over the columns of F. */
static struct axt_expr *
patterns(const struct axt_eof_field *k, int field, const struct factor *r, struct axt_expr *v)
{
	struct axt_axes axes;
	int at;

	if (r->back)
		return axt_eof_product(k, axt_eof_product(k, r->back, v, r->columns), k->x,
		    k->samples);
	if (!field || axt_bad(v))
		return v;
	axes = v->axes;
	for (int i = 0; i < k->place.n; i++) {
		struct axt_axis twin = k->place.a[i];

		twin.name = axt_sprintf(k->g->m, "axt_%s", twin.name);
		at = twin.name ? axt_axes_find(&axes, &twin) : -1;
		if (at < 0)
			return axt_graph_fail(k->g, AXT_E_MEM, "out of memory");
		axes.a[at] = k->place.a[i];
	}
	return axt_relabel(k->g, v, &axes, axt_identity);
}

/*
 * Renames axes of e, the patterns of the second field, so that they can be in one file with the
 * patterns of the first: an axis that the first field has with another length or other coordinates
 * becomes right_NAME.
 */
static struct axt_expr *
beside(const struct axt_eof_field k[2], struct axt_expr *e)
{
	struct axt_graph *g = k[0].g;
	struct axt_axes axes;
	struct axt_axis met;
	struct axt_err none = { 0 };
	int at;

	if (axt_bad(e))
		return e;
	axes = e->axes;
	for (int i = 0; i < k[0].place.n; i++) {
		at = axt_axes_find(&axes, &k[0].place.a[i]);
		if (at < 0 ||
		    axt_axis_meet(g->m, &k[0].place.a[i], &axes.a[at], &g->join, &met, &none) == 0)
			continue;
		axes.a[at].name = axt_sprintf(g->m, "right_%s", axes.a[at].name);
		if (!axes.a[at].name)
			return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	}
	return axt_relabel(g, e, &axes, axt_identity);
}

/* Whether both have the same samples. */
static int
same_samples(const struct axt_eof_field k[2], struct axt_expr *const in[2])
{
	struct axt_graph *g = k[0].g;

	for (int i = 0; i < k[0].sample.n; i++) {
		const struct axt_axis *x = &k[0].sample.a[i];
		int at = axt_axes_find(&k[1].sample, x);

		if (at < 0 || k[1].sample.a[at].len != x->len)
			return axt_fail(&g->err, AXT_E_AXES,
			    "both need the same samples: %s has %lld along %s, %s has %lld",
			    in[0]->from, (long long)k[0].n, k[0].samples, in[1]->from,
			    (long long)k[1].n);
	}
	return 0;
}

static const char *
covariance_units(const struct axt_eof_field k[2], struct axt_expr *const in[2])
{
	const char *u[2] = { axt_eof_units(&k[0], in[0], 1), axt_eof_units(&k[1], in[1], 1) };
	static const int powers[2] = { 1, 1 };
	char text[AXT_UNITS_TEXT];

	if (!u[0] || !u[1] || !axt_units_product(2, u, powers, 1, text))
		return NULL;
	return axt_strndup(k[0].g->m, text, strlen(text));
}

/* The patterns e and their coefficients pc as results, with names. */
static void
describe_patterns(struct axt_eof_field k[2], struct axt_expr *const in[2],
    struct axt_expr *const e[2], struct axt_expr *const pc[2], struct axt_expr *results[])
{
	results[AXT_MCA_LEFT_EOF] = axt_eof_patterns(&k[0], e[0], in[0], "left_eof",
	    "left patterns of maximum covariance");
	results[AXT_MCA_LEFT_PC] = axt_eof_series(&k[0], pc[0], in[0], "left_pc",
	    "coefficients of the left patterns");
	results[AXT_MCA_RIGHT_EOF] = beside(k,
	    axt_eof_patterns(&k[1], e[1], in[1], "right_eof",
		"right patterns of maximum covariance"));
	results[AXT_MCA_RIGHT_PC] = axt_eof_series(&k[1], pc[1], in[1], "right_pc",
	    "coefficients of the right patterns");
}

int
axt_mca(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, const struct axt_eof_opts *o,
    struct axt_expr *results[])
{
	static const struct axt_eof_opts plain = { .ddof = 1 };
	struct axt_eof_opts of[2] = { o ? *o : plain, o ? *o : plain };
	struct axt_expr *const in[2] = { a, b };
	struct axt_eof_field *k = axt_alloc(g->m, 2 * sizeof(*k));
	struct factor r[2] = { { 0 } };
	struct axt_expr *m, *v[3], *e[2], *pc[2], *sgn, *all;
	struct axt_linalg_opts how = { 0 };
	const char *modes;
	int64_t most;

	if (!k || axt_refused(g, a) || axt_refused(g, b)) /* of several errors the first stays */
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), g->err.code;
	of[1].weights = of[0].against_weights;
	for (int i = 0; i < 2; i++) {
		k[i] = (struct axt_eof_field){ .g = g,
			.o = &of[i],
			.mode = of[i].mode ? of[i].mode : "mode" };
		if ((of[i].weights && axt_refused(g, of[i].weights)) || axt_eof_axes(&k[i], in[i]))
			return g->err.code;
	}
	most = MIN(k[0].n - !of[0].no_center, MIN(k[0].p, k[1].p));
	if (same_samples(k, in) || axt_eof_count(&k[0], a, most))
		return g->err.code;
	for (int i = 0; i < 2; i++)
		if (axt_eof_anomalies(&k[i], in[i]) || factor(&k[i], i, &r[i]))
			return g->err.code;
	m = axt_eof_product(&k[0], r[0].f, r[1].f, k[0].samples);
	how.row = r[0].columns;
	how.col = r[1].columns;
	how.mode = k[0].mode;
	modes = axt_sprintf(g->m, "%s=:%lld", k[0].mode, (long long)k[0].modes);
	if (axt_bad(m) || axt_linalg(g, AXT_LINALG_SVD, &m, &how, v))
		return g->err.code;
	all = v[1];
	for (int i = 0; i < 3; i++)
		v[i] = axt_slice(g, v[i], modes, false);
	for (int i = 0; i < 2; i++) {
		e[i] = patterns(&k[i], i, &r[i], v[2 * i]);
		pc[i] = axt_eof_product(&k[i], r[i].f, v[2 * i], r[i].columns);
	}
	sgn = axt_eof_sign(&k[0], e[0]);
	for (int i = 0; i < 2; i++) {
		e[i] = axt_map2(g, AXT_OP_MUL, e[i], sgn);
		pc[i] = axt_map2(g, AXT_OP_MUL, pc[i], sgn);
	}
	describe_patterns(k, in, e, pc, results);
	results[AXT_MCA_COVARIANCE] = axt_eof_described(&k[0],
	    axt_map2(g, AXT_OP_DIV, v[1], axt_eof_number(&k[0], (double)k[0].n - of[0].ddof)),
	    "covariance", "covariance of the coefficients of a pair", covariance_units(k, in));
	results[AXT_MCA_COVARIANCE_FRACTION] = axt_eof_described(&k[0],
	    axt_map2(g, AXT_OP_DIV, axt_map1(g, AXT_OP_SQUARE, v[1]),
		axt_reduce_grouped(g, AXT_RED_SUMSQ, all,
		    &(struct axt_reduce_opts){ .over = k[0].mode, .nan = -1 }, NULL)),
	    "covariance_fraction", "part of the sum of all squared covariances", "1");
	return g->err.code;
}
