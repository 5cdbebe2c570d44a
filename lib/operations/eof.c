/*
 * eof.c - empirical orthogonal functions. They are eigenvectors of the covariances of places. These
 * are computed from the matrix of products over the shorter side, which is time by time or place by
 * place.
 */
#include <math.h>

#include "operations/eof.h"
#include "axt_builds.h"
#include "axt_operation.h"

static struct axt_expr *
reduce(const struct axt_eof_field *k, enum axt_red op, struct axt_expr *a, const char *over,
    bool skip)
{
	return axt_reduce_grouped(k->g, op, a,
	    &(struct axt_reduce_opts){ .over = over,
		.nan = skip ? 1 : -1,
		.ddof = op == AXT_RED_STD ? k->o->ddof : 0 },
	    NULL);
}

struct axt_expr *
axt_eof_number(const struct axt_eof_field *k, double v)
{
	return axt_const(k->g, AXT_F64, v);
}

static struct axt_expr *
in_f64(const struct axt_eof_field *k, struct axt_expr *a)
{
	return axt_cast_dtype(k->g, a, AXT_F64, AXT_OVERFLOW_ERROR);
}

/* ---- the axes ---- */

static int
list(struct axt_graph *g, const struct axt_expr *a, const char *typed, struct axt_axes *out)
{
	if (axt_axes_parse(g->m, typed, false, out, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < out->n; i++) {
		int at = axt_axes_find(&a->axes, &out->a[i]);

		if (at < 0)
			return axt_axes_unknown_in(g->m, &a->axes, &out->a[i], a->from, &g->err);
		out->a[i] = a->axes.a[at];
	}
	return 0;
}

int
axt_eof_axes(struct axt_eof_field *k, const struct axt_expr *a)
{
	struct axt_axes keep = { 0 };
	struct axt_graph *g = k->g;

	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_not_defined(g, "EOFs are", a);
	if (!(k->o->missing >= 0 && k->o->missing < 100))
		return axt_fail(&g->err, AXT_E_ARG,
		    "%g is no percentage of missing values below 100", k->o->missing);
	if (list(g, a, k->o->over ? k->o->over : "", &k->sample) ||
	    (k->o->keep && list(g, a, k->o->keep, &keep)))
		return g->err.code;
	for (int i = 0; i < keep.n; i++)
		if (axt_axes_find(&k->sample, &keep.a[i]) >= 0) {
			const char *twice = axt_axis_spell(g->m, &keep.a[i]);

			axt_fail(&g->err, AXT_E_AXES, "axis \"%s\" is both over and kept",
			    axt_escape(g->m, twice));
			return axt_about(&g->err, AXT_AXIS_TWICE, twice, a->from);
		}
	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&k->sample, &a->axes.a[i]) < 0 &&
		    axt_axes_find(&keep, &a->axes.a[i]) < 0)
			k->place.a[k->place.n++] = a->axes.a[i];
	if (k->sample.n == 0 || k->place.n == 0)
		return axt_fail(&g->err, AXT_E_AXES,
		    "EOFs need axes of samples, such as time, and axes of places; %s has %s",
		    a->from, axt_axes_text(g->m, &a->axes));
	if (!axt_axes_count(&k->sample, &k->n) || !axt_axes_count(&k->place, &k->p))
		return axt_fail(&g->err, AXT_E_LIMIT, "%s is too large", a->from);
	for (int i = 0; i < a->axes.n; i++)
		if (strcmp(axt_axis_spell(g->m, &a->axes.a[i]), k->mode) == 0) {
			axt_fail(&g->err, AXT_E_AXES, "%s (%s) has an axis \"%s\" already", a->from,
			    axt_axes_text(g->m, &a->axes), axt_escape(g->m, k->mode));
			axt_about(&g->err, AXT_AXIS_THERE, k->mode, a->from);
			axt_hint(&g->err,
			    "--mode NAME, in axt-calc mode=NAME, names that of the results");
			return g->err.code;
		}
	k->samples = axt_axes_typed(g->m, &k->sample, axt_identity, k->sample.n);
	k->places = axt_axes_typed(g->m, &k->place, axt_identity, k->place.n);
	return k->samples && k->places ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

int
axt_eof_count(struct axt_eof_field *k, const struct axt_expr *a, int64_t most)
{
	struct axt_graph *g = k->g;

	if (!(k->o->ddof < (double)k->n))
		return axt_fail(&g->err, AXT_E_ARG, "the ddof is %g, and %s has %lld samples",
		    k->o->ddof, a->from, (long long)k->n);
	if (most < 1)
		return axt_fail(&g->err, AXT_E_ARG, "%s of %s has %lld: there is no EOF",
		    k->samples, a->from, (long long)k->n);
	k->modes = k->o->modes ? k->o->modes : MIN(10, most);
	if (k->modes < 1 || k->modes > most) {
		axt_fail(&g->err, AXT_E_ARG,
		    "%s has at most %lld modes (%lld along %s, %lld places)", a->from,
		    (long long)most, (long long)k->n, k->samples, (long long)k->p);
		axt_hint_option(&g->err, "modes", "%lld", (long long)most);
	}
	return g->err.code;
}

/* ---- anomalies ---- */

/* What anomalies are multiplied by: the root of the weights, by the deviation. NULL: nothing. */
static struct axt_expr *
factor(const struct axt_eof_field *k, struct axt_expr *x, bool skip)
{
	struct axt_graph *g = k->g;
	struct axt_expr *w = k->o->weights, *f = NULL;

	for (int i = 0; w && i < w->axes.n; i++)
		if (axt_axes_find(&k->sample, &w->axes.a[i]) >= 0 ||
		    axt_axes_find(&x->axes, &w->axes.a[i]) < 0)
			return axt_graph_fail(g, AXT_E_AXES,
			    "weights of places have no axis \"%s\", but %s has",
			    axt_escape(g->m, axt_axis_spell(g->m, &w->axes.a[i])), w->from);
	if (w)
		f = axt_map1(g, AXT_OP_SQRT, in_f64(k, w));
	if (k->o->standardize) {
		struct axt_expr *sd = reduce(k, AXT_RED_STD, x, k->samples, skip);

		f = axt_map2(g, AXT_OP_DIV, f ? f : axt_eof_number(k, 1), sd);
	}
	return f;
}

/* Whether enough samples of a place are there for --missing. */
static struct axt_expr *
enough(const struct axt_eof_field *k, struct axt_expr *x)
{
	double need = ceil((double)k->n * (1 - k->o->missing / 100) - 1e-9);

	return axt_map2(k->g, AXT_OP_GE, in_f64(k, reduce(k, AXT_RED_COUNT, x, k->samples, true)),
	    axt_eof_number(k, MAX(need, 1)));
}

/* Makes x and there. The mean of a place tells whether something is missing in it. */
int
axt_eof_anomalies(struct axt_eof_field *k, struct axt_expr *a)
{
	bool gaps = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT, some = gaps && k->o->missing > 0;
	struct axt_graph *g = k->g;
	struct axt_expr *x = in_f64(k, a), *mean = reduce(k, AXT_RED_MEAN, x, k->samples, some), *f;

	f = factor(k, x, some);
	if (axt_bad(x) || axt_bad(mean) || g->err.code)
		return g->err.code;
	if (gaps || f)
		k->there = axt_map1(g, AXT_OP_ISFINITE,
		    f ? axt_map2(g, AXT_OP_MUL, mean, f) : mean);
	if (some)
		k->there = axt_map2(g, AXT_OP_AND, k->there, enough(k, x));
	if (!k->o->no_center)
		x = axt_map2(g, AXT_OP_SUB, x, mean);
	if (f)
		x = axt_map2(g, AXT_OP_MUL, x, f);
	if (some)
		x = axt_map2(g, AXT_OP_FILLNAN, x, axt_eof_number(k, 0));
	k->x = k->there ? axt_where(g, k->there, x, axt_eof_number(k, 0)) : x;
	return axt_bad(k->x) ? g->err.code : 0;
}

/* ---- eigenvectors ---- */

struct axt_expr *
axt_eof_product(const struct axt_eof_field *k, struct axt_expr *a, struct axt_expr *b,
    const char *over)
{
	return axt_dot(k->g, a, b, &(struct axt_dot_opts){ .over = over, .keep = k->o->keep });
}

struct axt_expr *
axt_eof_twin(const struct axt_eof_field *k, const struct axt_axes *side, const char **names)
{
	struct axt_axes all = k->x->axes, twins = *side;

	for (int i = 0; i < side->n; i++) {
		struct axt_axis *x = &all.a[axt_axes_find(&all, &side->a[i])];

		x->name = axt_sprintf(k->g->m, "axt_%s", x->name);
		if (!x->name)
			return axt_graph_fail(k->g, AXT_E_MEM, "out of memory");
		twins.a[i] = *x;
	}
	*names = axt_axes_typed(k->g->m, &twins, axt_identity, twins.n);
	return axt_relabel(k->g, k->x, &all, axt_identity);
}

int
axt_eof_vectors(const struct axt_eof_field *k, const struct axt_axes *side, const char *rows,
    const char *over, struct axt_expr *out[2], struct axt_expr **all)
{
	struct axt_graph *g = k->g;
	struct axt_linalg_opts o = { .row = rows, .mode = k->mode, .vectors = (int)k->modes };
	struct axt_expr *c = axt_eof_product(k, k->x, axt_eof_twin(k, side, &o.col), over);
	const char *last = axt_sprintf(g->m, "%s=-%lld:", k->mode, (long long)k->modes);

	if (axt_bad(c) || axt_linalg(g, AXT_LINALG_EIGH, &c, &o, out))
		return g->err.code;
	*all = axt_map2(g, AXT_OP_MAXIMUM, out[0], axt_eof_number(k, 0));
	for (int i = 0; i < 2; i++)
		out[i] = axt_flip(g, axt_slice(g, i ? out[1] : *all, last, false), k->mode);
	return g->err.code;
}

struct axt_expr *
axt_eof_sign(const struct axt_eof_field *k, struct axt_expr *e)
{
	struct axt_expr *hi = reduce(k, AXT_RED_MAX, e, k->places, false),
			*lo = reduce(k, AXT_RED_MIN, e, k->places, false);

	return axt_where(k->g, axt_map2(k->g, AXT_OP_GE, hi, axt_map1(k->g, AXT_OP_NEGATIVE, lo)),
	    axt_eof_number(k, 1), axt_eof_number(k, -1));
}

/* What is less than this is rounding of the products. */
struct axt_expr *
axt_eof_above(const struct axt_eof_field *k, struct axt_expr *values, struct axt_expr *all,
    int64_t n)
{
	struct axt_graph *g = k->g;
	struct axt_expr *most = reduce(k, AXT_RED_MAX, all, k->mode, false);

	return axt_where(g,
	    axt_map2(g, AXT_OP_GT, values,
		axt_map2(g, AXT_OP_MUL, most, axt_eof_number(k, (double)n * 0x1p-52))),
	    values, axt_eof_number(k, 0));
}

struct axt_expr *
axt_eof_inverse(const struct axt_eof_field *k, struct axt_expr *a)
{
	struct axt_graph *g = k->g;

	return axt_where(g, axt_map2(g, AXT_OP_GT, a, axt_eof_number(k, 0)),
	    axt_map1(g, AXT_OP_RECIPROCAL, a), axt_eof_number(k, 0));
}

static int
modes(struct axt_eof_field *k)
{
	struct axt_graph *g = k->g;
	bool by_sample = k->n <= k->p;
	struct axt_expr *f[2], *all, *root, *e, *sgn;

	if (by_sample ? axt_eof_vectors(k, &k->sample, k->samples, k->places, f, &all)
		      : axt_eof_vectors(k, &k->place, k->places, k->samples, f, &all))
		return g->err.code;
	k->total = reduce(k, AXT_RED_SUM, all, k->mode, false);
	k->s = axt_eof_above(k, f[0], all, MIN(k->n, k->p));
	root = axt_map1(g, AXT_OP_SQRT, k->s);
	if (by_sample)
		e = axt_map2(g, AXT_OP_MUL, axt_eof_product(k, f[1], k->x, k->samples),
		    axt_eof_inverse(k, root));
	else
		e = axt_where(g, axt_map2(g, AXT_OP_GT, root, axt_eof_number(k, 0)), f[1],
		    axt_eof_number(k, 0));
	sgn = axt_eof_sign(k, e);
	k->eof = axt_map2(g, AXT_OP_MUL, e, sgn);
	k->pc = by_sample ? axt_map2(g, AXT_OP_MUL, f[1], axt_map2(g, AXT_OP_MUL, root, sgn))
			  : axt_eof_product(k, k->eof, k->x, k->places);
	return g->err.code;
}

/* ---- rotation ---- */

/*
 * Rotates the loadings, which are eof times singular values but for a constant factor, by varimax,
 * and the columns of pc, each made of length 1, by the same rotation. The lengths of the rotated
 * loadings take the place of the singular values.
 */
static int
rotate(struct axt_eof_field *k)
{
	struct axt_graph *g = k->g;
	struct axt_axes twins = { .n = 1 };
	struct axt_expr *root = axt_map1(g, AXT_OP_SQRT, k->s), *loads, *flat, *r, *length, *sgn;
	struct axt_gufunc_opts how = { 0 };
	const char *one = k->places, *names;

	loads = flat = axt_map2(g, AXT_OP_MUL, k->eof, root);
	if (k->place.n > 1) {
		one = "axt_place";
		flat = axt_flatten(g, loads, axt_sprintf(g->m, "%s=%s", k->places, one));
	}
	twins.a[0].name = axt_sprintf(g->m, "axt_%s", k->mode);
	names = axt_axes_typed(g->m, &twins, axt_identity, 1);
	how.core = axt_sprintf(g->m, "%s,%s,%s", one, k->mode, names);
	if (axt_bad(flat) || !how.core || axt_gufunc(g, "varimax", 1, &flat, &how, &r))
		return g->err.code;
	names = axt_sprintf(g->m, "%s=%s", names, k->mode);
	loads = axt_rename(g, axt_eof_product(k, loads, r, k->mode), names);
	k->pc = axt_map2(g, AXT_OP_MUL, k->pc, axt_eof_inverse(k, root));
	k->pc = axt_rename(g, axt_eof_product(k, k->pc, r, k->mode), names);
	k->s = reduce(k, AXT_RED_SUMSQ, loads, k->places, false);
	length = axt_map1(g, AXT_OP_SQRT, k->s);
	sgn = axt_eof_sign(k, loads);
	k->eof = axt_map2(g, AXT_OP_MUL, loads,
	    axt_map2(g, AXT_OP_MUL, axt_eof_inverse(k, length), sgn));
	k->pc = axt_map2(g, AXT_OP_MUL, k->pc, axt_map2(g, AXT_OP_MUL, length, sgn));
	return g->err.code;
}

/* ---- results ---- */

const char *
axt_eof_units(const struct axt_eof_field *k, const struct axt_expr *a, int power)
{
	const char *u[2] = { axt_attr_text(a->meta->attrs, "units") };
	struct axt_expr *w = k->o->weights;
	int powers[2] = { power, power };
	char text[AXT_UNITS_TEXT];

	u[1] = w ? axt_attr_text(w->meta->attrs, "units") : NULL;
	if (k->o->standardize)
		u[0] = "1";
	if (!u[0] || (u[1] && strcmp(u[1], "1") != 0) || !axt_units_product(1, u, powers, 1, text))
		return NULL;
	return axt_strndup(k->g->m, text, strlen(text));
}

struct axt_expr *
axt_eof_described(const struct axt_eof_field *k, struct axt_expr *e, const char *name,
    const char *what, const char *unit)
{
	struct axt_graph *g = k->g;
	struct axt_expr *y = axt_set_name(g,
	    axt_set_attr(g, e, axt_sprintf(g->m, "long_name=%s", what)), name);

	return unit ? axt_set_attr(g, y, axt_sprintf(g->m, "units=%s", unit)) : y;
}

/* e, over places or samples, in the dtype of the results, the axis of modes first. */
static struct axt_expr *
field(const struct axt_eof_field *k, struct axt_expr *e, const struct axt_expr *a)
{
	enum axt_dtype d = axt_dtypes[a->dtype].cls != AXT_CLASS_FLOAT || a->dtype == AXT_F64
	    ? AXT_F64
	    : AXT_F32;
	const char *order = axt_sprintf(k->g->m, "%s%s%s,...", k->o->keep ? k->o->keep : "",
	    k->o->keep ? "," : "", k->mode);

	return axt_conv(k->g, axt_order(k->g, e, order), d, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_eof_patterns(const struct axt_eof_field *k, struct axt_expr *e, const struct axt_expr *a,
    const char *name, const char *what)
{
	struct axt_graph *g = k->g;
	struct axt_expr *y = field(k,
	    k->there ? axt_where(g, k->there, e, axt_eof_number(k, NAN)) : e, a);
	struct axt_meta *m = k->there ? axt_dress(g, &y, NULL) : NULL;

	if (m)
		m->missing = true;
	return axt_eof_described(k, y, name, what, "1");
}

struct axt_expr *
axt_eof_series(const struct axt_eof_field *k, struct axt_expr *e, const struct axt_expr *a,
    const char *name, const char *what)
{
	return axt_eof_described(k, field(k, e, a), name, what, axt_eof_units(k, a, 1));
}

static int
describe(const struct axt_eof_field *k, const struct axt_expr *a, struct axt_expr *results[])
{
	struct axt_graph *g = k->g;
	struct axt_expr *lambda = axt_map2(g, AXT_OP_DIV, k->s,
	    axt_eof_number(k, (double)k->n - k->o->ddof));

	results[AXT_EOF_EOF] = axt_eof_patterns(k, k->eof, a, "eof",
	    k->o->rotate ? "rotated empirical orthogonal functions"
			 : "empirical orthogonal functions");
	results[AXT_EOF_PC] = axt_eof_series(k, k->pc, a, "pc", "principal components");
	results[AXT_EOF_EIGENVALUES] = axt_eof_described(k, lambda, "eigenvalues",
	    "variance along each empirical orthogonal function", axt_eof_units(k, a, 2));
	results[AXT_EOF_EXPLAINED_VARIANCE] = axt_eof_described(k,
	    axt_map2(g, AXT_OP_DIV, k->s, k->total), "explained_variance",
	    "part of the total variance", "1");
	results[AXT_EOF_NORTH_ERROR] = axt_eof_described(k,
	    axt_map2(g, AXT_OP_MUL, lambda, axt_eof_number(k, sqrt(2 / (double)k->n))),
	    "north_error", "sampling error of the eigenvalues (North et al. 1982)",
	    axt_eof_units(k, a, 2));
	return g->err.code;
}

int
axt_eof(struct axt_graph *g, struct axt_expr *a, const struct axt_eof_opts *o,
    struct axt_expr *results[])
{
	static const struct axt_eof_opts plain = { .ddof = 1 };
	struct axt_eof_field k = { .g = g, .o = o ? o : &plain };

	o = k.o;
	k.mode = o->mode ? o->mode : "mode";
	if (axt_refused(g, a) || (o->weights && axt_refused(g, o->weights)))
		return g->err.code;
	if (axt_eof_axes(&k, a) || axt_eof_count(&k, a, MIN(k.n - !o->no_center, k.p)) ||
	    axt_eof_anomalies(&k, a) || modes(&k) || (o->rotate && rotate(&k)))
		return g->err.code;
	return describe(&k, a, results);
}

/* ---- the operation ---- */

struct eof {
	const char *over, *keep, *mode;
	int64_t modes;
	int rotate;
	struct axt_expr *against, *weights, *against_weights;
	bool standardize, center, no_center;
	double missing, ddof;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct eof, over, "axes of samples, such as time", .flags = AXT_PARAM_REQUIRED),
	AXT_INTEGER_OF(struct eof, modes, 1, INT32_MAX, "how many EOFs (default: 10, or all)"),
	AXT_CHOICE_OF(struct eof, rotate, "none|varimax", "rotate the modes", .arg = "varimax"),
	AXT_TENSOR_OF(struct eof, against, "pairs of patterns of A and B of most covariance",
	    .excludes = "rotate=varimax"),
	AXT_TENSOR_OF(struct eof, weights, "weights of places, such as their areas",
	    .arg = "W|area", .flags = AXT_PARAM_AREA),
	AXT_TENSOR_OF(struct eof, against_weights, "those of places of B (default: --weights)",
	    .arg = "W|area", .flags = AXT_PARAM_AREA, .needs = "against", .of = "against",
	    .as = "weights"),
	AXT_FLAG_OF(struct eof, standardize, "divide by the standard deviation of each place"),
	AXT_FLAG_OF(struct eof, center, "take the mean of each place off (default)",
	    .excludes = "no_center", .opposite = "no_center"),
	AXT_FLAG_OF(struct eof, no_center, "A has anomalies already"),
	AXT_NUMBER_OF(struct eof, missing, 0,
	    "places may miss P % of their samples, which then count as 0", .arg = "P"),
	AXT_NUMBER_OF(struct eof, ddof, 0, "variances are sums divided by samples - N", .arg = "N",
	    .number = 1),
	AXT_AXES_OF(struct eof, keep, "axes with EOFs of their own at each index"),
	AXT_AXES_OF(struct eof, mode, "the new axis of the results", .text = "mode",
	    .flags = AXT_PARAM_ONE | AXT_PARAM_NEW),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "mca", NULL, "maximum covariance analysis of two tensors", "against", NULL },
	{ .name = NULL },
};

static int
build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const struct eof *o = AXT_VALUES(struct eof, c);
	struct axt_eof_opts how = { .over = o->over,
		.keep = o->keep,
		.mode = o->mode,
		.modes = o->modes,
		.weights = o->weights,
		.standardize = o->standardize,
		.no_center = o->no_center,
		.ddof = o->ddof,
		.missing = o->missing,
		.rotate = o->rotate,
		.against_weights = o->against_weights };

	return o->against ? axt_mca(g, c->in[0], o->against, &how, out)
			  : axt_eof(g, c->in[0], &how, out);
}

const struct axt_operation axt_operation_eof = {
	.name = "eof",
	.line = "empirical orthogonal functions, or principal components",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct eof),
	.flags = AXT_OPERATION_STDIN,
	.results = AXT_EOF_NAMES,
	.where = "against",
	.other_results = AXT_MCA_NAMES,
	.build_all = build,
};
