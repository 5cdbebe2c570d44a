/*
 * labels.c - groups of labels: the distinct labels, rising, become the coordinates of the result,
 * and a tensor of i32 has the number of each element's group. It is in memory, or computed.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "axt_builds.h"
#include "groups/groups.h"

/*
 * A label and where it is. Integers are compared as integers, since a double would round large
 * ones.
 */
struct label {
	union {
		double f;
		int64_t i;
		uint64_t u;
		const char *s;
	} v;
	int64_t at;
};

static int
by_place(const struct label *x, const struct label *y)
{
	return (x->at > y->at) - (x->at < y->at);
}

static int
by_float(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.f > y->v.f) - (x->v.f < y->v.f);

	return c ? c : by_place(x, y);
}

static int
by_int(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.i > y->v.i) - (x->v.i < y->v.i);

	return c ? c : by_place(x, y);
}

static int
by_uint(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = (x->v.u > y->v.u) - (x->v.u < y->v.u);

	return c ? c : by_place(x, y);
}

static int
by_text(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int c = strcmp(x->v.s, y->v.s);

	return c ? c : by_place(x, y);
}

typedef int compare_fn(const void *a, const void *b);

/* Labels in memory, either numbers of a dtype or strings. */
struct given {
	bool text;
	enum axt_dtype dtype;
	const void *p;
	int64_t n;
	size_t size; /* bytes of a label */
};

static bool
same_label(const struct label *x, const struct label *y, compare_fn *compare)
{
	struct label a = *x, b = *y;

	a.at = b.at = 0;
	return compare(&a, &b) == 0;
}

/*
 * Sets *out to label i. Returns false if the label is NaN or an empty string, which has no group.
 */
static bool
take(const struct given *in, axt_conv_fn *conv, int64_t i, struct label *out)
{
	int64_t bad = -1;

	out->at = i;
	if (in->text) {
		out->v.s = ((const char *const *)in->p)[i];
		return out->v.s && *out->v.s;
	}
	conv(&out->v, (const uint8_t *)in->p + (size_t)i * in->size, 1, &bad);
	return axt_dtypes[in->dtype].cls != AXT_CLASS_FLOAT || out->v.f == out->v.f;
}

/* Sorts the labels into out and sets n to their number. Returns the comparison that was used. */
static compare_fn *
sorted(const struct given *in, struct label *out, int64_t *n)
{
	enum axt_class cls = axt_dtypes[in->dtype].cls;
	enum axt_dtype wide = cls == AXT_CLASS_FLOAT ? AXT_F64
	    : in->dtype == AXT_U64                   ? AXT_U64
						     : AXT_I64;
	compare_fn *compare = in->text ? by_text
	    : wide == AXT_F64          ? by_float
	    : wide == AXT_U64          ? by_uint
				       : by_int;
	axt_conv_fn *conv = in->text ? NULL : axt_kern_conv(wide, in->dtype, AXT_OVERFLOW_WRAP);
	bool rising = true;

	*n = 0;
	for (int64_t i = 0; i < in->n; i++) {
		if (!take(in, conv, i, &out[*n]))
			continue;
		rising = rising && (*n == 0 || compare(&out[*n - 1], &out[*n]) < 0);
		++*n;
	}
	if (!rising)
		qsort(out, (size_t)*n, sizeof(*out), compare);
	return compare;
}

/* ---- integers near each other, which need no sorting: a table has a place for each number ---- */

#define PIECE 512 /* labels that are converted at a time */
#define NONE UINT64_MAX

/*
 * Converts labels [lo, lo + n) to unsigned numbers of the same order; NaN becomes NONE. Returns
 * false if a label has a fraction or is too large.
 */
static bool
as_whole(const struct given *in, int64_t lo, int64_t n, uint64_t out[PIECE])
{
	bool real = axt_dtypes[in->dtype].cls == AXT_CLASS_FLOAT;
	enum axt_dtype wide = real ? AXT_F64 : in->dtype == AXT_U64 ? AXT_U64 : AXT_I64;
	int64_t bad = -1;
	double f;

	axt_kern_conv(wide, in->dtype, AXT_OVERFLOW_WRAP)(out,
	    (const uint8_t *)in->p + (size_t)lo * in->size, n, &bad);
	for (int64_t i = 0; i < n && !real; i++) {
		out[i] ^= wide == AXT_U64 ? 0 : (uint64_t)1 << 63;
		if (out[i] == NONE)
			return false;
	}
	for (int64_t i = 0; i < n && real; i++) {
		memcpy(&f, &out[i], 8);
		if (f == f && !(f > -0x1p53 && f < 0x1p53 && f == (double)(int64_t)f))
			return false;
		out[i] = f == f ? (uint64_t)(int64_t)f ^ (uint64_t)1 << 63 : NONE;
	}
	return true;
}

/*
 * Does what split() does, for integers. Returns false if the labels are no integers, or too far
 * apart.
 */
static bool
split_whole(const struct given *in, int32_t *of, struct axt_coord *c, uint8_t *values)
{
	uint64_t x[PIECE], lo = UINT64_MAX, hi = 0;
	/* for each number 1 + the index of its first label, then the number of its group */
	int32_t *place;

	if (in->text)
		return false;
	for (int64_t i = 0; i < in->n; i += PIECE) {
		int64_t n = MIN(PIECE, in->n - i);

		if (!as_whole(in, i, n, x))
			return false;
		for (int64_t j = 0; j < n; j++) {
			lo = x[j] < lo ? x[j] : lo;
			hi = x[j] != NONE && x[j] > hi ? x[j] : hi;
		}
	}
	if (lo > hi || hi - lo > MIN((uint64_t)in->n * 2 + 4096, INT32_MAX) ||
	    !(place = calloc((size_t)(hi - lo) + 1, sizeof(*place))))
		return false;
	for (int64_t i = 0; i < in->n; i += PIECE) {
		int64_t n = MIN(PIECE, in->n - i);

		as_whole(in, i, n, x);
		for (int64_t j = 0; j < n; j++) {
			of[i + j] = x[j] == NONE ? -1 : (int32_t)(x[j] - lo);
			if (x[j] != NONE && place[of[i + j]] == 0)
				place[of[i + j]] = (int32_t)(i + j + 1);
		}
	}
	for (uint64_t k = 0; k <= hi - lo; k++)
		if (place[k]) {
			memcpy(values + (size_t)c->n * in->size,
			    (const uint8_t *)in->p + (size_t)(place[k] - 1) * in->size, in->size);
			place[k] = (int32_t)c->n++;
		}
	for (int64_t i = 0; i < in->n; i++)
		of[i] = of[i] < 0 ? -1 : place[of[i]];
	free(place);
	return true;
}

/* ---- groups ---- */

/* Does what split does, for any labels, by sorting them. */
static int
split_sorted(struct axt_graph *g, const struct given *in, int32_t *of, struct axt_coord *c,
    uint8_t *values)
{
	struct label *l = malloc((size_t)in->n * sizeof(*l) + 1);
	compare_fn *compare;
	int64_t n;

	if (!l)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; i < in->n; i++)
		of[i] = -1;
	compare = sorted(in, l, &n);
	for (int64_t i = 0; i < n; i++) {
		if (i == 0 || !same_label(&l[i - 1], &l[i], compare))
			memcpy(values + (size_t)c->n++ * in->size,
			    (const uint8_t *)in->p + (size_t)l[i].at * in->size, in->size);
		of[l[i].at] = (int32_t)(c->n - 1);
	}
	free(l);
	return 0;
}

/* Sets of[i] to the group of label i, -1 if it has none, and c to the distinct labels. */
static int
split(struct axt_graph *g, const struct given *in, int32_t *of, struct axt_coord *c)
{
	uint8_t *values = axt_alloc(g->m, (size_t)in->n * in->size + 1);

	if (!values)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	c->text = in->text;
	c->dtype = in->dtype;
	c->data = values;
	return split_whole(in, of, c, values) ? 0 : split_sorted(g, in, of, c, values);
}

int
axt_labels_axis(struct axt_graph *g, const char *name, const char *from, struct axt_groups *out)
{
	/* a dataset without a name reads as "tensor" */
	bool named = name && *name && strcmp(name, "tensor") != 0;

	if (axt_axis_from_file(g->m, named ? name : "group", &out->axis))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	out->axis.from = from;
	out->place = -1;
	return 0;
}

/* Makes groups of the labels along axes x. */
static int
group(struct axt_graph *g, const struct given *in, const struct axt_axes *x, const char *from,
    const struct axt_attr *attrs, struct axt_groups *out)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	int32_t *of = axt_alloc(g->m, (size_t)in->n * sizeof(*of) + 1);

	if (in->n > INT32_MAX || in->n * (int64_t)sizeof(struct label) > g->memory)
		return axt_fail(&g->err, AXT_E_LIMIT, "%lld labels are too many (%s)",
		    (long long)in->n, from);
	if (!c || !of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (split(g, in, of, c))
		return g->err.code;
	out->axis.coord = c;
	c->attrs = attrs;
	out->of = axt_memory_leaf(g, AXT_I32, x, of);
	return g->err.code;
}

/* Makes groups of the labels of `by`, which are evaluated into memory. */
static int
group_values(struct axt_graph *g, struct axt_expr *by, struct axt_groups *out)
{
	struct given in = { .dtype = by->dtype, .size = (size_t)axt_size(by->dtype) };
	int64_t bytes;
	uint8_t *p;

	in.n = axt_count(by);
	bytes = in.n * (int64_t)in.size;
	p = bytes > g->memory ? NULL : malloc((size_t)bytes + 1);
	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory for %lld labels (%s)",
		    (long long)in.n, by->from);
	in.p = p;
	if (axt_part_values(g, &by, 1, &(void *){ p }) == 0)
		group(g, &in, &by->axes, by->from, by->meta->attrs, out);
	free(p);
	return g->err.code;
}

/*
 * Sets the length of the axis of groups, and names the origin of the tensor of groups for messages.
 */
static int
finish_groups(struct axt_groups *out)
{
	out->axis.len = out->axis.coord->n;
	if (!axt_bad(out->of))
		out->of->from = out->axis.from;
	return 0;
}

bool
axt_labels_doubtful(const char *name, const struct axt_axes *x)
{
	int time;

	return name && axt_cffield_named(name) >= 0 && axt_time_axes(x, NULL, &time) == 1;
}

/* Whether the word has the form AXIS.FIELD. */
static bool
names_field(const char *word)
{
	const char *dot = strrchr(word, '.');

	return dot && dot > word && axt_cffield_named(dot + 1) >= 0 && !strpbrk(word, ":/");
}

/* The number that a label is; false: it is not that of the field. */
static bool
is_field(int field, const struct axt_coord *c, int64_t k, int64_t v)
{
	char text[AXT_CFFIELD_TEXT];

	axt_cffield_text(field, v, text);
	return c->text ? strcmp(((const char *const *)c->data)[k], text) == 0
		       : axt_load_f64(c->dtype,
			     (const uint8_t *)c->data + k * axt_size(c->dtype)) == (double)v;
}

/* Whether the groups of all labels are the field of the times of that axis. */
static bool
are_field(const struct axt_groups *by, int field, int time)
{
	const struct axt_axes *x = &by->of->axes;
	const struct axt_coord *t = x->a[time].coord;
	const int32_t *of = by->of->u.leaf.st->mem;
	int64_t inner = 1, n = axt_count(by->of);
	struct axt_cffields f;
	struct axt_cftime units;

	if (axt_axis_times(&x->a[time], "", &units, &(struct axt_err){ 0 }))
		return true;
	for (int i = time + 1; i < x->n; i++)
		inner *= x->a[i].len;
	for (int64_t i = 0; i < n; i++) {
		double v = axt_load_f64(t->dtype,
		    (const uint8_t *)t->data + i / inner % t->n * axt_size(t->dtype));

		if (of[i] >= 0 && axt_cftime_fields(&units, v, &f) &&
		    !is_field(field, by->axis.coord, of[i], axt_cffield_of(&f, field)))
			return false;
	}
	return true;
}

int
axt_labels_tell(struct axt_graph *g, struct axt_groups *groups)
{
	struct axt_coord *c;
	struct axt_attr t = { .name = AXT_LABELS_ATTR, .kind = AXT_ATTR_TEXT };
	const struct axt_axes *x = &groups->of->axes;
	int time;

	if (axt_bad(groups->of) || groups->of->kind != AXT_NODE_LEAF ||
	    !axt_labels_doubtful(groups->axis.name, x))
		return g->err.code;
	axt_time_axes(x, NULL, &time);
	if (are_field(groups, axt_cffield_named(groups->axis.name), time))
		return 0;
	c = axt_alloc(g->m, sizeof(*c));
	t.text = axt_sprintf(g->m, "not the %s of %s", groups->axis.name, x->a[time].name);
	if (!c || !t.text)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = *groups->axis.coord;
	c->attrs = axt_attr_set(g->m, c->attrs, &t);
	groups->axis.coord = c;
	return 0;
}

static int
find_groups(struct axt_graph *g, struct axt_expr *by, bool again, struct axt_groups *out)
{
	if (by->axes.n == 0)
		return axt_fail(&g->err, AXT_E_AXES, "labels have an axis: %s has none", by->from);
	if (axt_dtypes[by->dtype].cls == AXT_CLASS_COMPLEX) {
		axt_fail(&g->err, AXT_E_DTYPE, "labels cannot be %s (%s)",
		    axt_dtypes[by->dtype].name, by->from);
		return axt_about(&g->err, AXT_OTHER_DTYPE, axt_dtypes[by->dtype].name, by->from);
	}
	if (axt_labels_axis(g, axt_expr_name(by), by->from, out))
		return g->err.code;
	if (!axt_labels_met(g, by, again, out))
		group_values(g, by, out);
	return g->err.code ? (int)g->err.code : finish_groups(out);
}

const struct axt_labels *
axt_labels_made(const struct axt_graph *g, const struct axt_axis *x)
{
	const struct axt_labels *l = x->coord && x->level == 0 ? g->labels : NULL;

	while (l &&
	    (l->nparts || l->groups.axis.coord != x->coord || strcmp(l->groups.axis.name, x->name)))
		l = l->next;
	return l;
}

static struct axt_labels *
labels_known(struct axt_graph *g, const struct axt_expr *by, bool again, bool field)
{
	struct axt_labels *l;

	for (l = g->labels; l && (l->by != by || l->labels || (l->again && !again)); l = l->next)
		;
	if (l)
		return l;
	l = axt_alloc(g->m, sizeof(*l));
	if (!l || find_groups(g, (struct axt_expr *)by, again, &l->groups) ||
	    (!field && axt_labels_tell(g, &l->groups)))
		return NULL;
	l->by = by;
	l->again = again;
	l->field = field;
	l->next = g->labels;
	return g->labels = l;
}

struct axt_labels *
axt_labels_known(struct axt_graph *g, const struct axt_expr *by, bool again)
{
	return labels_known(g, by, again, false);
}

/* ---- labels that are fields of dates ---- */

int
axt_fields_text(struct axt_graph *g, int k, const struct axt_coord **coord)
{
	int64_t n = (*coord)->n;
	const char **s = axt_alloc(g->m, (size_t)n * sizeof(*s) + 1);
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	char text[AXT_CFFIELD_TEXT];

	if (!s || !c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .text = true, .n = n, .data = s, .attrs = (*coord)->attrs };
	for (int64_t i = 0; i < n; i++) {
		if (!axt_cffield_text(k, ((const int32_t *)(*coord)->data)[i], text))
			return AXT_OK;
		s[i] = axt_strdup(g->m, text);
		if (!s[i])
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	*coord = c;
	return AXT_OK;
}

/* Labels that are field k of dates, with labels of text where the field is shown as text. */
static struct axt_expr *
field_labels(struct axt_graph *g, struct axt_expr *by, int k)
{
	struct axt_labels *l = axt_bad(by) ? NULL : labels_known(g, by, false, true);

	return !l || axt_fields_text(g, k, &l->groups.axis.coord) ? axt_node_failed(g) : by;
}

/* Whether the word has the form AXIS.width. */
static bool
names_width(const char *word)
{
	const char *dot = strrchr(word, '.');

	return dot && dot > word && strcmp(dot, ".width") == 0 && !strpbrk(word, ":/");
}

/* The axis of `a` that AXIS.width is about; -1: the word is something else. */
static int
width_of(const struct axt_expr *a, const char *word)
{
	const char *dot = strrchr(word, '.');
	char axis[256];

	if (!names_width(word) || axt_axes_spelled(&a->axes, word) >= 0 ||
	    dot - word >= (ptrdiff_t)sizeof(axis))
		return -1;
	snprintf(axis, sizeof(axis), "%.*s", (int)(dot - word), word);
	return axt_axes_spelled(&a->axes, axis);
}

/* How far the bounds of each element of axis i are apart. */
static struct axt_expr *
widths(struct axt_graph *g, const struct axt_expr *a, int i)
{
	const struct axt_axis *x = &a->axes.a[i];
	const char *axis = axt_escape(g->m, axt_axis_spell(g->m, x));
	const struct axt_aux *b = a->meta->aux;
	struct axt_axes axes = { .n = 1, .a = { *x } };
	double *v = axt_alloc(g->m, (size_t)x->len * sizeof(*v) + 1);

	while (b && !(x->coord && axt_is_bounds(x->coord->attrs, b)))
		b = b->next;
	if (!b || b->text || axt_dtypes[b->dtype].cls > AXT_CLASS_FLOAT || b->axes.n != 2 ||
	    b->axes.a[0].len != x->len || b->axes.a[1].len != 2) {
		axt_fail(&g->err, AXT_E_COORD,
		    "%s.width is how far bounds are apart, and axis \"%s\" of %s has none", axis,
		    axis, a->from);
		return axt_node_failed(g);
	}
	for (int64_t k = 0; v && k < x->len; k++) {
		const uint8_t *at = (const uint8_t *)b->data + 2 * k * axt_size(b->dtype);

		v[k] = fabs(
		    axt_load_f64(b->dtype, at) - axt_load_f64(b->dtype, at + axt_size(b->dtype)));
	}
	return v ? axt_memory_leaf(g, AXT_F64, &axes, v)
		 : axt_graph_fail(g, AXT_E_MEM, "out of memory");
}

struct axt_expr *
axt_field(struct axt_graph *g, struct axt_expr *a, const char *word)
{
	int i, k;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if ((i = width_of(a, word)) >= 0)
		return axt_set_name(g, widths(g, a, i), "width");
	k = axt_axes_field(g->m, &a->axes, word, &i);
	if (k < 0) {
		axt_view_find(g, a, word);
		return axt_node_failed(g);
	}
	return field_labels(g,
	    axt_axis_calendar(g, &a->axes.a[i], k, axt_axis_where(g->m, &a->axes.a[i], a->from),
		a->from),
	    k);
}

/* The hint of TIME.WORD, where WORD is no field of dates. */
static void
hint_field(struct axt_graph *g, const struct axt_expr *a, const char *word)
{
	const char *dot = strrchr(word, '.'), *names[32], *near;
	char axis[256];
	int n = 0, i;

	snprintf(axis, sizeof(axis), "%.*s", (int)(dot ? dot - word : 0), word);
	i = dot ? axt_axes_spelled(&a->axes, axis) : -1;
	if (i < 0)
		return;
	while (n < 32 && (names[n] = axt_cffield_name(n)))
		n++;
	near = axt_nearest_word(dot + 1, names, n);
	for (int k = 0; !near && k < n; k++)
		near = strncmp(names[k], dot + 1, 3) == 0 ? names[k] : NULL;
	if (strncmp(dot + 1, "decade", 6) == 0)
		axt_hint(&g->err, "--every \"10 years\" makes decades of times");
	else if (near) {
		char meant[512];

		snprintf(meant, sizeof(meant), "%s.%s", axis, near);
		axt_hint_meant(&g->err, meant, "did you mean \"%s.%s\"?", axt_escape(g->m, axis),
		    near);
	} else
		axt_hint(&g->err,
		    "fields of %s are year, season, month, day, hour, dayofyear, daysinmonth, date",
		    axt_escape(g->m, axis));
}

bool
axt_means_field(struct axt_graph *g, const struct axt_expr *a, const char *word)
{
	int i;

	if (axt_refused(g, a))
		return false;
	return axt_axes_field(g->m, &a->axes, word, &i) >= 0 || width_of(a, word) >= 0 ||
	    ((names_field(word) || names_width(word)) && access(word, F_OK) != 0);
}

struct axt_expr *
axt_labels_one(struct axt_graph *g, struct axt_expr *a, const char *word,
    const struct axt_open_opts *o)
{
	const char *field = strrchr(word, ':');
	struct axt_axis met;
	struct axt_expr *e;
	int i, k;

	if (axt_means_field(g, a, word))
		return axt_field(g, a, word);
	if ((e = axt_labels_own(g, a, word, o)) || g->err.code)
		return e ? e : axt_node_failed(g);
	e = axt_labels(g, word, o);
	if (axt_bad(e) && axt_cffield_named(word) >= 0 && axt_time_axes(&a->axes, NULL, &i) == 1)
		axt_hint_option(&g->err, "by", "%s.%s", axt_axis_spell(g->m, &a->axes.a[i]), word);
	else if (axt_bad(e))
		hint_field(g, a, word);
	/* dates of the file that the tensor was made from, which has other times than the tensor */
	if (axt_bad(e) || !field || axt_axes_field(g->m, &a->axes, field + 1, &k) < 0 ||
	    e->axes.n != 1 || (i = axt_axes_find(&a->axes, &e->axes.a[0])) < 0 ||
	    a->axes.a[i].len == e->axes.a[0].len)
		return e;
	axt_axis_meet(g->m, &a->axes.a[i], &e->axes.a[0], NULL, &met, &g->err);
	axt_hint(&g->err, "--by %s takes the dates of the operand itself", field + 1);
	return axt_node_failed(g);
}

/* ---- labels that are text ---- */

/* The groups of texts along axes x. */
static struct axt_labels *
labels_of(struct axt_graph *g, const char *name, const char *from, const struct given *in,
    const struct axt_axes *x, const struct axt_attr *attrs)
{
	struct axt_labels *l = axt_alloc(g->m, sizeof(*l));

	if (!l || axt_labels_axis(g, name, from, &l->groups) ||
	    group(g, in, x, from, attrs, &l->groups) || finish_groups(&l->groups) ||
	    axt_labels_tell(g, &l->groups))
		return NULL;
	l->by = l->groups.of;
	l->next = g->labels;
	return g->labels = l;
}

struct axt_labels *
axt_labels_text(struct axt_graph *g, struct axt_file *f, struct axt_dset *d)
{
	struct given in = { .text = true, .size = sizeof(char *) };
	const char *const *s,
	    *from = axt_sprintf(g->m, "%s:%s", axt_escape(g->m, f->path),
		axt_escape(g->m, d->name));
	struct axt_axes x = d->axes;

	if (!from || axt_dset_texts(g->m, f, d, &s, &in.n, &x.n, &g->err))
		return NULL;
	in.p = s;
	return labels_of(g, d->name, from, &in, &x, d->attrs);
}

struct axt_labels *
axt_labels_coord(struct axt_graph *g, const struct axt_axis *axis, const struct axt_coord *text,
    const char *name)
{
	const struct given in = { .text = true,
		.size = sizeof(char *),
		.p = text->data,
		.n = text->n };

	return labels_of(g, name, axt_axis_where(g->m, axis, axis->from), &in,
	    &(struct axt_axes){ .n = 1, .a = { *axis } }, text->attrs);
}

struct axt_expr *
axt_labels(struct axt_graph *g, const char *operand, const struct axt_open_opts *o)
{
	struct axt_named x;
	struct axt_expr *e = axt_text_named(g, operand, o, &x);

	if (axt_expr_text(e))
		return axt_text_groups(g, e);
	return axt_bad(e) || !x.f || x.d || !x.name
	    ? e
	    : field_labels(g, e, axt_cffield_named(strrchr(x.name, '.') + 1));
}
