/*
 * equal.c - whether two tensors are equivalent. The differences are counted by expressions, which
 * the evaluator runs.
 */
#include "base/quote.h"
#include "graph/graph.h"

static int differ(const struct axt_equal_opts *o, FILE *out, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints one line about a difference; returns 1, which is the answer "different". */
static int
differ(const struct axt_equal_opts *o, FILE *out, const char *fmt, ...)
{
	va_list ap;

	if (!out)
		return 1;
	if (o->what)
		fprintf(out, "%s: ", o->what);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fputc('\n', out);
	return 1;
}

/* How the axes of a get the names of those of b, where only names differ, as behind ";"; or "". */
static const char *
renamed(struct axt_graph *g, const struct axt_expr *a, const struct axt_expr *b)
{
	const char *map = "", *s;

	for (int i = 0; i < a->axes.n; i++) {
		if (a->axes.a[i].len != b->axes.a[i].len ||
		    axt_axes_find(&b->axes, &a->axes.a[i]) >= 0 || !map)
			return "";
		map = axt_sprintf(g->m, "%s%s%s=%s", map, *map ? "," : "",
		    axt_axis_spell(g->m, &a->axes.a[i]), axt_axis_spell(g->m, &b->axes.a[i]));
	}
	s = axt_sprintf(g->m, "; axt-rename %s %s gives these names", axt_typed(g->m, "%s", map),
	    axt_typed(g->m, "%s", a->from));
	return s ? s : "";
}

/*
 * Compares names, lengths and coordinates of the axes, in any order unless the options ask for the
 * same order. Differences are printed to out; an error means that something could not be read.
 */
static int
compare_axes(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_equal_opts *o, FILE *out)
{
	const char *ta = axt_axes_text(g->m, &a->axes), *tb = axt_axes_text(g->m, &b->axes);
	struct axt_axis met;

	if (a->axes.n != b->axes.n)
		return differ(o, out, "axes differ: %s and %s", ta, tb);
	for (int i = 0; i < a->axes.n; i++) {
		struct axt_err e = { 0 };
		int k = axt_axes_find(&b->axes, &a->axes.a[i]);

		if (k < 0)
			return differ(o, out, "axes differ: %s and %s%s", ta, tb, renamed(g, a, b));
		if (o->strict_order && k != i)
			return differ(o, out, "axes stand in another order: %s and %s", ta, tb);
		if (axt_axis_meet(g->m, &a->axes.a[i], &b->axes.a[k], &g->join, &met, &e))
			return differ(o, out, "%s", e.text);
		if (o->attributes && !a->axes.a[i].coord != !b->axes.a[k].coord)
			return differ(o, out, "only one has coordinates along %s",
			    a->axes.a[i].name);
	}
	return 0;
}

/* Compares two lists of attributes, but for one that is named; each that differs has a line. */
static int
compare_attrs(struct axt_graph *g, const struct axt_attr *a, const struct axt_attr *b,
    const char *but, const struct axt_equal_opts *o, FILE *out)
{
	const struct axt_attr *l[2] = { a, b };
	int rc = 0;

	for (int k = 0; k < 2; k++)
		for (const struct axt_attr *x = l[k]; x; x = x->next) {
			const struct axt_attr *y = axt_attr_find(l[!k], x->name);

			if ((but && strcmp(x->name, but) == 0) || (k && y))
				continue;
			if (!y || !axt_attr_equal(x, y))
				rc |= differ(o, out, "attribute \"%s\" differs",
				    axt_escape(g->m, x->name));
			else if (axt_attr_listed(x) != axt_attr_listed(y))
				rc |= differ(o, out,
				    "attribute \"%s\" differs: one is a text, the other a list of "
				    "one",
				    axt_escape(g->m, x->name));
		}
	return rc;
}

/* Compares the units of two tensors, as --units strict asks for. */
static int
compare_units(struct axt_graph *g, const struct axt_attr *a, const struct axt_attr *b,
    const struct axt_equal_opts *o, FILE *out)
{
	const char *u = axt_attr_text(a, "units"), *v = axt_attr_text(b, "units");

	u = u ? u : "";
	v = v ? v : "";
	return strcmp(u, v) == 0 ? 0
				 : differ(o, out, "units differ: \"%s\" and \"%s\"",
				       axt_escape(g->m, u), axt_escape(g->m, v));
}

/*
 * A node of bool: where d, the distance between a and b, is more than `ulp` units in the last place
 * of the larger one.
 */
static struct axt_expr *
over_ulp(struct axt_graph *g, struct axt_expr *d, struct axt_expr *a, struct axt_expr *b,
    int64_t ulp)
{
	enum axt_dtype t = axt_promote(a->dtype, b->dtype);
	double eps = t == AXT_F64 || t == AXT_C128 ? 0x1p-53
	    : t == AXT_F16                         ? 0x1p-11
	    : t == AXT_BF16                        ? 0x1p-8
						   : 0x1p-24;
	struct axt_expr *m = axt_map2(g, AXT_OP_MAXIMUM, axt_map1(g, AXT_OP_ABSOLUTE, a),
	    axt_map1(g, AXT_OP_ABSOLUTE, b));

	m = axt_conv(g, m, AXT_F64, AXT_OVERFLOW_WRAP);
	return axt_map2(g, AXT_OP_GT, d,
	    axt_map2(g, AXT_OP_MUL, m, axt_const(g, AXT_F64, 2 * eps * (double)ulp)));
}

/* A node of bool: whether the values of a and b count as different. */
static struct axt_expr *
difference(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, struct axt_expr *dist,
    const struct axt_equal_opts *o)
{
	struct axt_expr *d = axt_map2(g, o->nan_differ ? AXT_OP_NE : AXT_OP_DIFFER, a, b), *bound;

	if (o->rtol > 0 || o->atol > 0) {
		bound = axt_conv(g, axt_map1(g, AXT_OP_ABSOLUTE, b), AXT_F64, AXT_OVERFLOW_WRAP);
		bound = axt_map2(g, AXT_OP_ADD,
		    axt_map2(g, AXT_OP_MUL, bound, axt_const(g, AXT_F64, o->rtol)),
		    axt_const(g, AXT_F64, o->atol));
		/*
		 * not (dist <= bound) rather than dist > bound: where the distance is NaN, the
		 * values differ
		 */
		d = axt_map2(g, AXT_OP_AND, d,
		    axt_map1(g, AXT_OP_NOT, axt_map2(g, AXT_OP_LE, dist, bound)));
	}
	if (o->ulp > 0)
		d = axt_map2(g, AXT_OP_AND, d,
		    axt_map2(g, AXT_OP_OR, over_ulp(g, dist, a, b, o->ulp),
			axt_map1(g, AXT_OP_ISNAN, dist)));
	return d;
}

static int
one_number(struct axt_graph *g, enum axt_red op, struct axt_expr *e, void *v)
{
	struct axt_expr *r = axt_reduce(g, op, e, &(struct axt_reduce_opts){ .nan = 1 });

	return axt_bad(r) ? g->err.code : axt_eval(g, r, v, (size_t)axt_size(r->dtype));
}

/* Of n values that differ, d, those that are NaN in one tensor only, as words; "": none are. */
static const char *
one_sided(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, struct axt_expr *d,
    int64_t n)
{
	const char *is = a->meta->missing || b->meta->missing ? "missing" : "NaN";
	int64_t k = 0;

	if (axt_dtypes[a->dtype].cls != AXT_CLASS_FLOAT &&
	    axt_dtypes[b->dtype].cls != AXT_CLASS_FLOAT)
		return "";
	d = axt_map2(g, AXT_OP_AND, d,
	    axt_map2(g, AXT_OP_NE, axt_map1(g, AXT_OP_ISNAN, a), axt_map1(g, AXT_OP_ISNAN, b)));
	if (one_number(g, AXT_RED_SUM, d, &k) || k == 0)
		return "";
	return k == n ? axt_sprintf(g->m, " (%s in one only)", is)
		      : axt_sprintf(g->m, " (%lld of them %s in one only)", (long long)k, is);
}

/*
 * Prints how many of n values differ, such as "3 of 12 values differ, by at most 0.5 at lat=1,
 * lon=0". `aside` is added behind the number, such as how many are missing in one tensor only.
 */
static int
tell(struct axt_graph *g, struct axt_expr *d, struct axt_expr *dist, int64_t n, const char *aside,
    const struct axt_equal_opts *o, FILE *out)
{
	struct axt_expr *masked = axt_where(g, d, dist, axt_const(g, AXT_F64, -1));
	double most = 0;
	int64_t at = 0;
	struct axt_buf where = { 0 };
	char text[AXT_TEXT];

	if (one_number(g, AXT_RED_MAX, masked, &most) ||
	    one_number(g, AXT_RED_ARGMAX, most >= 0 ? masked : d, &at))
		return -1;
	for (int i = d->axes.n - 1; i >= 0; i--) {
		char *rest = axt_strdup(g->m, where.p ? where.p : "");

		where.bad = where.bad || !rest;
		where.n = 0;
		axt_buf_addf(&where, "%s=%lld%s%s", axt_axis_spell(g->m, &d->axes.a[i]),
		    (long long)(at % d->axes.a[i].len), rest && *rest ? ", " : "",
		    rest ? rest : "");
		at /= d->axes.a[i].len;
	}
	if (where.bad) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	} else if (most >= 0) {
		axt_value_text(text, AXT_F64, &most);
		differ(o, out, "%lld of %lld values differ%s, by at most %s%s%s", (long long)n,
		    (long long)axt_count(d), aside, text, where.n ? " at " : "",
		    where.n ? where.p : "");
	} else {
		differ(o, out, "%lld of %lld values differ%s%s%s", (long long)n,
		    (long long)axt_count(d), aside, where.n ? ", first at " : "",
		    where.n ? where.p : "");
	}
	axt_buf_release(&where);
	return g->err.code ? -1 : 1;
}

/*
 * Has streams with text read as bytes, since the text of a file is compared after its tensors: the
 * plan that the writer of a stream offers would bring the tensors alone.
 */
static void
read_texts_later(struct axt_graph *g)
{
	for (struct axt_open_file *x = g->files; x; x = x->next)
		for (int i = 0; x->f->stream && i < x->f->ndsets; i++)
			if (x->f->dsets[i].role == AXT_ROLE_TEXT)
				axt_taken_decline(g, "its text is compared, too");
}

int
axt_equal(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_equal_opts *o, FILE *out)
{
	static const struct axt_equal_opts plain;
	enum axt_units units = g->units;
	struct axt_expr *d, *dist;
	const char *aside;
	int64_t n = 0;
	int rc, attrs = 0;

	o = o ? o : &plain;
	if (axt_refused(g, a) || axt_refused(g, b))
		return -1;
	rc = compare_axes(g, a, b, o, out);
	if (rc == 0 && o->attributes)
		attrs = compare_attrs(g, a->meta->attrs, b->meta->attrs, NULL, o, out);
	else if (rc == 0 && units == AXT_UNITS_STRICT)
		attrs = compare_units(g, a->meta->attrs, b->meta->attrs, o, out);
	if (rc || g->err.code)
		return g->err.code ? -1 : rc;
	g->units = AXT_UNITS_IGNORE; /* numbers are compared; attributes have been */
	dist = axt_map2(g, AXT_OP_ABSDIFF, a, b);
	d = difference(g, a, b, dist, o);
	g->units = units;
	read_texts_later(g);
	if (axt_bad(d) || one_number(g, AXT_RED_SUM, d, &n))
		return -1;
	aside = n && out ? one_sided(g, a, b, d, n) : "";
	if (n && !g->err.code)
		rc = tell(g, d, dist, n, aside ? aside : "", o, out);
	return g->err.code || axt_files_check(g) || rc < 0 ? -1 : rc | attrs;
}

/* ---- text ---- */

static int
texts_of(struct axt_graph *g, struct axt_file *f, struct axt_dset *d, const char *const **s,
    int64_t *n, int *rank)
{
	return axt_dset_load(g->m, f, d, &g->err) ||
	    axt_dset_texts(g->m, f, d, s, n, rank, &g->err);
}

/* Compares the strings of two datasets. */
static int
compare_text(struct axt_graph *g, struct axt_file *fa, struct axt_dset *a, struct axt_file *fb,
    struct axt_dset *b, const struct axt_equal_opts *o, FILE *out)
{
	const char *const *sa, *const *sb;
	int64_t na, nb, differing = 0, first = 0;
	int ra, rb;

	if (texts_of(g, fa, a, &sa, &na, &ra) || texts_of(g, fb, b, &sb, &nb, &rb))
		return -1;
	for (int k = 0; k < ra && ra == rb; k++)
		if (!axt_axis_same(&a->axes.a[k], &b->axes.a[k]) || a->dims[k] != b->dims[k])
			rb = -1;
	if (ra != rb)
		return differ(o, out, "axes differ: %s and %s", axt_axes_text(g->m, &a->axes),
		    axt_axes_text(g->m, &b->axes));
	for (int64_t i = na - 1; i >= 0; i--)
		if (strcmp(sa[i], sb[i]) != 0) {
			differing++;
			first = i;
		}
	return !differing ? 0
			  : differ(o, out, "%lld of %lld strings differ, first \"%s\" and \"%s\"",
				(long long)differing, (long long)na, axt_escape(g->m, sa[first]),
				axt_escape(g->m, sb[first]));
}

static struct axt_dset *
text_at(struct axt_file *f, const char *path)
{
	for (int i = 0; i < f->ndsets; i++)
		if (f->dsets[i].role == AXT_ROLE_TEXT && strcmp(f->dsets[i].path, path) == 0)
			return &f->dsets[i];
	return NULL;
}

/* The path in b of what has this path in a, where the names are those of groups or of files. */
static const char *
counterpart(struct axt_graph *g, const struct axt_named *a, const char *path,
    const struct axt_named *b)
{
	const char *ga = a->name ? axt_named_group(a) : "", *gb = b->name ? axt_named_group(b) : "";
	size_t n = strlen(ga);

	if (strncmp(path, ga, n) != 0 || (path[n] && path[n] != '/'))
		return NULL;
	return axt_sprintf(g->m, "%s%s", gb, path + n);
}

/*
 * Compares the datasets of a whose types axt does not read with those of b. One that b lacks is a
 * difference. One that both have is an error if nothing else differs, as its values would have to
 * be compared.
 */
static int
compare_unreadable(struct axt_graph *g, const struct axt_named *a, const struct axt_named *b,
    const struct axt_equal_opts *o, FILE *out)
{
	int rc = 0;

	for (int i = 0; i < a->f->ndsets && !g->err.code; i++) {
		const struct axt_dset *x = &a->f->dsets[i];
		struct axt_equal_opts named = *o;
		const char *path = x->role == AXT_ROLE_OTHER && !x->is_table
		    ? counterpart(g, a, x->path, b)
		    : NULL;
		int k = 0;

		if (!path)
			continue;
		while (k < b->f->ndsets && strcmp(b->f->dsets[k].path, path) != 0)
			k++;
		named.what = axt_sprintf(g->m, "%s", axt_escape(g->m, x->path));
		if (k == b->f->ndsets)
			rc |= differ(&named, out, "only in %s", axt_escape(g->m, a->word));
		else
			axt_fail(&g->err, AXT_E_DTYPE, "%s:%s cannot be compared with %s:%s: %s",
			    axt_escape(g->m, a->f->path), named.what, axt_escape(g->m, b->f->path),
			    axt_escape(g->m, path), x->why);
	}
	return rc;
}

/* Compares the text of file a with that of the same name in b; or says only what b lacks. */
static int
compare_file_texts(struct axt_graph *g, const struct axt_named *a, const struct axt_named *b,
    bool both, const struct axt_equal_opts *o, FILE *out)
{
	int rc = 0;

	for (int i = 0; i < a->f->ndsets && !g->err.code; i++) {
		struct axt_dset *x = &a->f->dsets[i], *y;
		struct axt_equal_opts named = *o;
		const char *path = x->role == AXT_ROLE_TEXT ? counterpart(g, a, x->path, b) : NULL;

		named.what = axt_sprintf(g->m, "%s", axt_escape(g->m, x->path + 1));
		if (!path)
			continue;
		y = text_at(b->f, path);
		if (!y)
			rc |= differ(&named, out, "only in %s", axt_escape(g->m, a->word));
		else if (both)
			rc |= compare_text(g, a->f, x, b->f, y, &named, out);
	}
	return rc;
}

int
axt_equal_texts(struct axt_graph *g, const char *a, const char *b, const struct axt_equal_opts *o,
    FILE *out)
{
	static const struct axt_equal_opts plain;
	struct axt_named x, y;
	int rc;

	o = o ? o : &plain;
	if (axt_is_number(a) || axt_is_number(b))
		return 0;
	if (axt_named_words(g, a, NULL, &x) || axt_named_words(g, b, NULL, &y) ||
	    axt_named_file(g, &x) || axt_named_file(g, &y))
		return -1;
	if ((!x.name || axt_named_group(&x)) && (!y.name || axt_named_group(&y)))
		rc = compare_file_texts(g, &x, &y, true, o, out) |
		    compare_file_texts(g, &y, &x, false, o, out) |
		    compare_unreadable(g, &x, &y, o, out) | compare_unreadable(g, &y, &x, o, out);
	else if (axt_named_values(g, &x) || axt_named_values(g, &y))
		return -1;
	else if (x.d && y.d && x.d->role == AXT_ROLE_TEXT && y.d->role == AXT_ROLE_TEXT)
		rc = compare_text(g, x.f, x.d, y.f, y.d, o, out);
	else
		return 0;
	return g->err.code ? -1 : rc;
}

bool
axt_is_text(struct axt_graph *g, const char *operand)
{
	struct axt_named x;

	return !axt_is_number(operand) && axt_named_words(g, operand, NULL, &x) == 0 && x.name &&
	    axt_named_values(g, &x) == 0 && x.d && x.d->role == AXT_ROLE_TEXT;
}

/* ---- groups of files ---- */

/* The number of the group of that path, or -1. */
static int
group_named(const struct axt_file *f, const char *path)
{
	for (int i = 0; i < axt_file_ngroups(f); i++)
		if (strcmp(axt_file_group(f, i), path) == 0)
			return i;
	return -1;
}

/* Compares group i of the file of a with that of the same path in b. */
static int
compare_group(struct axt_graph *g, const struct axt_named *a, int i, const struct axt_named *b,
    bool both, FILE *out)
{
	const char *path = axt_file_group(a->f, i), *other = counterpart(g, a, path, b);
	struct axt_equal_opts named = { .what = axt_sprintf(g->m, "%s/", axt_escape(g->m, path)) };
	const struct axt_attr *la = NULL, *lb = NULL;
	int k = other ? group_named(b->f, other) : 0;

	if (!other || (k >= 0 && !both))
		return 0;
	if (k < 0)
		return differ(&named, out, "only in %s", axt_escape(g->m, a->word));
	if (axt_group_attrs(g->m, a->f, i, &la, &g->err) ||
	    axt_group_attrs(g->m, b->f, k, &lb, &g->err))
		return -1;
	/* each command adds a line to the history of the file */
	return compare_attrs(g, la, lb, *path ? NULL : "history", &named, out);
}

int
axt_equal_groups(struct axt_graph *g, const char *a, const char *b, FILE *out)
{
	struct axt_named x, y;
	int rc = 0;

	if (axt_named_words(g, a, NULL, &x) || axt_named_words(g, b, NULL, &y) ||
	    axt_named_file(g, &x) || axt_named_file(g, &y))
		return -1;
	if ((x.name && !axt_named_group(&x)) || (y.name && !axt_named_group(&y)))
		return 0;
	for (int i = 0; i < axt_file_ngroups(x.f) && !g->err.code; i++)
		rc |= compare_group(g, &x, i, &y, true, out);
	for (int i = 0; i < axt_file_ngroups(y.f) && !g->err.code; i++)
		rc |= compare_group(g, &y, i, &x, false, out);
	return g->err.code ? -1 : rc;
}
