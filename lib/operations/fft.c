/*
 * fft.c - Fourier transforms along axes. Here are the names and coordinates of the axes of
 * frequencies, and those of the axes that an inverse transform gives.
 */
#include <math.h>

#include "expr/expr.h"
#include "gufunc/fft.h"
#include "axt_builds.h"
#include "axt_operation.h"

#define PREFIX "freq_" /* the axis time becomes freq_time */
#define EVEN 1e-3      /* how far a coordinate may be from its place, as part of a step */

/* A transform along one axis. */
struct one {
	enum axt_fft_kind kind;
	const struct axt_axis *axis; /* of the operand */
	int64_t len;                 /* of the result's axis */
	bool center;                 /* the frequency 0 is in the middle */
	/* between neighbours along the operand's axis, below 0 if it falls; 0: not known */
	double step;
	bool by_coord; /* the coordinates tell it */
	bool typed;    /* the user does, without a unit */
};

static bool
is_inverse(const struct one *t)
{
	return t->kind == AXT_IFFT || t->kind == AXT_IRFFT;
}

/* The numbers along the axis; NULL: there are none. */
static const struct axt_coord *
numbers(const struct axt_axis *x)
{
	const struct axt_coord *c = x->coord;

	return c && c->data && !c->text && axt_dtypes[c->dtype].cls != AXT_CLASS_COMPLEX ? c : NULL;
}

static double
number(const struct axt_coord *c, int64_t i)
{
	return axt_load_f64(c->dtype, (const uint8_t *)c->data + i * axt_size(c->dtype));
}

/*
 * The number of the frequency at position i of n. It is i in a real transform (`half`), which has
 * only the positive frequencies. Otherwise it is i in the first half of the positions and i - n,
 * negative, in the second; with `center` it rises from -n/2, so that 0 is in the middle.
 */
static double
harmonic(int64_t i, int64_t n, bool half, bool center)
{
	if (half)
		return (double)i;
	return (double)(center ? i - n / 2 : i < (n + 1) / 2 ? i : i - n);
}

/* Sets t->step by coordinates, which have even steps or are frequencies of a transform. */
static int
find_step(struct axt_graph *g, const struct axt_expr *a, struct one *t)
{
	const struct axt_coord *c = numbers(t->axis);
	int64_t n = t->axis->len, i = 0;
	double first, d;

	if (!c || n < 2)
		return 0;
	first = is_inverse(t) ? 0 : number(c, 0);
	d = is_inverse(t) ? fabs(number(c, 1) - number(c, 0))
			  : (number(c, n - 1) - first) / (double)(n - 1);
	t->center = t->center || (t->kind == AXT_IFFT && number(c, 0) < 0);
	for (; i < n; i++) {
		double h = is_inverse(t) ? harmonic(i, n, t->kind == AXT_IRFFT, t->center)
					 : (double)i;

		if (!(fabs(number(c, i) - first - h * d) <= EVEN * fabs(d)))
			break;
	}
	t->step = d;
	t->by_coord = true;
	if (i == n && d != 0)
		return 0;
	axt_fail(&g->err, AXT_E_COORD,
	    is_inverse(t)
		? "%s does not have the frequencies of a transform: %s is at position %lld"
		: "%s does not have even steps: %s is at position %lld",
	    axt_axis_where(g->m, t->axis, a->from), axt_coord_value(g->m, c, NULL, MIN(i, n - 1)),
	    (long long)MIN(i, n - 1));
	axt_hint(&g->err,
	    is_inverse(t) ? "axt-coord drop leaves out coordinates"
			  : "axt-interp makes steps even; a spacing of 1 counts positions");
	return g->err.code;
}

/* The unit of what is counted in one by the unit of coordinates: "days" gives "day-1". */
static const char *
reciprocal(struct axt_graph *g, const char *units)
{
	static const int power = -1;
	const char *since = strstr(units, " since "),
		   *u = axt_sprintf(g->m, "%.*s",
		       (int)(since ? since - units : (ptrdiff_t)strlen(units)), units);
	char out[AXT_UNITS_TEXT];

	return u && axt_units_product(1, &u, &power, 1, out)
	    ? axt_sprintf(g->m, "%s", out)
	    : axt_sprintf(g->m, "(%s)-1", u ? u : "");
}

/*
 * Attributes of an axis of frequencies that an inverse transform needs: how many elements there
 * were, their first coordinate, and the step, unit and calendar of their coordinates.
 */
#define LENGTH "inverse_length"
#define FIRST "inverse_first"
#define STEP "inverse_step"
static const char *const kept[][2] = { { "units", "inverse_units" },
	{ "calendar", "inverse_calendar" } };

static void
put_text(struct axt_graph *g, const struct axt_attr **l, const char *name, const char *text)
{
	if (text)
		*l = axt_attr_set(g->m, *l,
		    &(struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text });
}

static void
put_number(struct axt_graph *g, const struct axt_attr **l, const char *name, double x)
{
	double *v = axt_alloc(g->m, sizeof(*v));

	if (!v)
		return;
	*v = x;
	*l = axt_attr_set(g->m, *l,
	    &(struct axt_attr){ .name = name,
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_F64,
		.n = 1,
		.data = v });
}

/* The attribute of that name of the axis, or `none`. */
static double
kept_number(const struct axt_axis *x, const char *name, double none)
{
	const struct axt_attr *a = x->coord ? axt_attr_find(x->coord->attrs, name) : NULL;

	return a && a->kind == AXT_ATTR_NUM && a->n == 1 ? axt_load_f64(a->dtype, a->data) : none;
}

/* The attributes of the frequencies, or of the coordinates that an inverse gives. */
static const struct axt_attr *
attributes(struct axt_graph *g, const struct one *t)
{
	const struct axt_attr *from = t->axis->coord ? t->axis->coord->attrs : NULL, *l = NULL;
	const char *units = axt_attr_text(from, "units");

	if (is_inverse(t)) {
		bool none = true;

		for (int k = 0; k < ARRAY_LEN(kept); k++) {
			const char *was = axt_attr_text(from, kept[k][1]);

			put_text(g, &l, kept[k][0], was);
			none = none && !was;
		}
		if (none && units)
			put_text(g, &l, "units", reciprocal(g, units));
		return l;
	}
	if (units && !t->typed)
		put_text(g, &l, "units", reciprocal(g, units));
	put_number(g, &l, LENGTH, (double)t->axis->len);
	if (numbers(t->axis) && t->by_coord) {
		put_number(g, &l, FIRST, number(t->axis->coord, 0));
		put_number(g, &l, STEP, t->step);
		for (int k = 0; k < ARRAY_LEN(kept); k++)
			put_text(g, &l, kept[k][1], axt_attr_text(from, kept[k][0]));
	}
	return l;
}

/* The coordinates of the result; *out NULL: none. */
static int
coordinates(struct axt_graph *g, const struct one *t, const struct axt_coord **out)
{
	double step = fabs(t->step), first = 0, was = kept_number(t->axis, STEP, 0),
	       *v = axt_alloc(g->m, (size_t)t->len * sizeof(*v));
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	/* the number of elements on the side that has no frequencies */
	int64_t n = is_inverse(t) ? t->len : t->axis->len;

	*out = NULL;
	if (is_inverse(t) && (step == 0 || (was == 0 && kept_number(t->axis, LENGTH, 0) > 0)))
		return 0; /* there were none */
	if (step == 0)
		step = 1;
	/* the step of what is made; the one it had at first has no error of rounding */
	step = 1 / ((double)n * step);
	if (is_inverse(t) && fabs(step - fabs(was)) <= 1e-6 * step) {
		first = kept_number(t->axis, FIRST, 0);
		step = was;
	}
	for (int64_t i = 0; v && i < t->len; i++)
		v[i] = is_inverse(t) ? first + (double)i * step
				     : harmonic(i, n, t->kind == AXT_RFFT, t->center) * step;
	if (!v || !c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .dtype = AXT_F64,
		.n = t->len,
		.data = v,
		.attrs = attributes(g, t) };
	*out = c;
	return 0;
}

/* What the transform along an axis called `name` is multiplied by; n as in coordinates. */
static double
scale(enum axt_fft_norm norm, bool inverse, int64_t n)
{
	if (norm == AXT_FFT_ORTHO)
		return 1 / sqrt((double)n);
	return inverse == (norm == AXT_FFT_BACKWARD) ? 1 / (double)n : 1;
}

/* The name of the result's axis: time becomes freq_time, and freq_time becomes time. */
static const char *
result_name(struct axt_graph *g, const struct axt_axes *x, int i, bool inverse)
{
	const char *name = axt_axes_typed(g->m, x, &i, 1);

	if (!name || (inverse && strncmp(name, PREFIX, strlen(PREFIX)) != 0))
		return name;
	return inverse ? name + strlen(PREFIX) : axt_sprintf(g->m, PREFIX "%s", name);
}

/* The transform of a along axis i, of that kind. */
static struct axt_expr *
one_axis(struct axt_graph *g, struct axt_expr *a, int i, enum axt_fft_kind kind,
    const struct axt_fft_opts *o)
{
	struct one t = { .kind = kind, .axis = &a->axes.a[i], .center = o->center };
	int64_t n = t.axis->len;
	struct axt_gufunc_opts opts = { .n = { (int)kind } };
	const char *from = axt_axes_typed(g->m, &a->axes, &i, 1),
		   *to = result_name(g, &a->axes, i, is_inverse(&t)),
		   *units = axt_attr_text(a->meta->attrs, "units");
	const struct axt_coord *c;
	struct axt_expr *e, *y;
	struct axt_meta *m;

	t.typed = o->spacing > 0;
	if (t.typed)
		t.step = o->spacing;
	else if (find_step(g, a, &t))
		return axt_node_failed(g);
	t.len = kind == AXT_RFFT ? n / 2 + 1
	    : kind != AXT_IRFFT  ? n
	    : o->length          ? o->length
				 : (int64_t)kept_number(t.axis, LENGTH, 0);
	if (kind == AXT_IRFFT && !o->length && t.len / 2 + 1 != n)
		t.len = 2 * n - 2;
	opts.core = strcmp(from, to) == 0 ? from : axt_sprintf(g->m, "%s,%s", from, to);
	opts.n[AXT_FFT_CENTER] = t.center && (kind == AXT_FFT || kind == AXT_IFFT);
	opts.n[AXT_FFT_LENGTH] = (int)MIN(t.len, INT32_MAX);
	opts.x[AXT_FFT_SCALE] = scale(o->norm, is_inverse(&t), is_inverse(&t) ? t.len : n);
	if (axt_gufunc(g, kind == AXT_IRFFT ? "irfft" : "fft", 1, &a, &opts, &e) ||
	    coordinates(g, &t, &c))
		return axt_node_failed(g);
	y = e;
	if (!(m = axt_dress(g, &y, NULL)))
		return y;
	if (units)
		m->attrs = axt_attr_set(g->m, m->attrs,
		    &(struct axt_attr){ .name = "units", .kind = AXT_ATTR_TEXT, .text = units });
	y->axes.a[axt_gufunc_core(e, 1)[0]].coord = c;
	return y;
}

/* a as complex numbers */
static struct axt_expr *
as_complex(struct axt_graph *g, struct axt_expr *a)
{
	enum axt_dtype in = a->dtype, out;

	return axt_gufunc_FFT.dtypes(&in, &out) ? axt_cast_dtype(g, a, out, AXT_OVERFLOW_ERROR) : a;
}

struct axt_expr *
axt_fft(struct axt_graph *g, struct axt_expr *a, const char *along, const struct axt_fft_opts *o)
{
	static const struct axt_fft_opts plain = { 0 };
	const char *why = axt_fft_missing();
	struct axt_axes x;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	o = o ? o : &plain;
	if (why)
		return axt_graph_fail(g, AXT_E_NOSYS, "Fourier transforms are done by FFTW: %s",
		    why);
	if (axt_axes_parse(g->m, along ? along : "", false, &x, NULL, &g->err))
		return axt_node_failed(g);
	if (x.n == 0)
		return axt_graph_fail(g, AXT_E_ARG, "fft needs the axes to go along");
	if (o->real && !o->inverse && axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_not_defined(g, "the real transform is", a), axt_node_failed(g);
	if (o->inverse)
		a = as_complex(g, a);
	/* the last axis has the transform between real and complex numbers: the first of these
	 * forward, and the last of an inverse */
	for (int k = 0; k < x.n && !axt_bad(a); k++) {
		int at = o->inverse ? k : x.n - 1 - k, i = axt_axes_find(&a->axes, &x.a[at]);
		bool real = o->real && at == x.n - 1;

		if (i < 0) {
			axt_axes_unknown_in(g->m, &a->axes, &x.a[at], a->from, &g->err);
			return axt_node_failed(g);
		}
		a = one_axis(g, a, i,
		    o->inverse ? (real ? AXT_IRFFT : AXT_IFFT) : (real ? AXT_RFFT : AXT_FFT), o);
	}
	return a;
}

/* ---- the operation ---- */

struct fft {
	const char *along;
	bool real, inverse, center;
	int norm;
	int64_t length;
	double spacing;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct fft, along, "the axes", .flags = AXT_PARAM_REQUIRED),
	AXT_FLAG_OF(struct fft, real, "of real numbers: frequencies from 0 on, of the last axis"),
	AXT_FLAG_OF(struct fft, inverse, "from frequencies back to values"),
	AXT_FLAG_OF(struct fft, center, "frequencies rise, with 0 in the middle"),
	AXT_CHOICE_OF(struct fft, norm, "backward|ortho|forward",
	    "what is divided by the number of elements (default: the inverse)"),
	AXT_INTEGER_OF(struct fft, length, 1, INT32_MAX,
	    "elements of the last axis of a real inverse (default: what it was)",
	    .needs = "inverse real"),
	AXT_NUMBER_OF(struct fft, spacing, 0,
	    "distance of neighbours along the axes (default: that of coordinates)", .arg = "D"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "ifft", "inverse=true", "inverse Fourier transforms along axes", NULL, NULL },
	{ "rfft", "real=true", "Fourier transforms of real numbers: frequencies from 0 on", NULL,
	    NULL },
	{ "irfft", "real=true inverse=true", "real values of their frequencies from 0 on", NULL,
	    NULL },
	{ .name = NULL },
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct fft *o = AXT_VALUES(struct fft, c);

	return axt_fft(g, c->in[0], o->along,
	    &(struct axt_fft_opts){ .inverse = o->inverse,
		.real = o->real,
		.center = o->center,
		.norm = (enum axt_fft_norm)o->norm,
		.length = o->length,
		.spacing = o->spacing });
}

const struct axt_operation axt_operation_fft = {
	.name = "fft",
	.line = "Fourier transforms along axes, and their inverses",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct fft),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
