/* test_axes.c - names, lists, pairing, coordinates, CF times. Cases of the algebra are in
 * tests/cases/axes.tsv. */
#include "rows.h"

#include <math.h>

#include "axes/axes.h"

static struct axt_arena *m;

static int
setup(void **state)
{
	(void)state;
	m = axt_arena_new();
	return m ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	axt_arena_free(m);
	return 0;
}

/* ---- rows ---- */

static const char *
code_name(int code)
{
	switch (code) {
#define ERR(id, num, line) \
	case num:          \
		return #id;
#include "errs.def"
#undef ERR
	}
	return "OK";
}

/* The nth "(A=2,B)" of words; from: its origin. false when there is none or it cannot be parsed. */
static bool
list(const char *words, int nth, const char *from, struct axt_axes *out, int *rest,
    struct axt_err *e)
{
	const char *p = words, *end;

	out->n = 0;
	for (int i = 0; i <= nth; i++) {
		p = strchr(i ? p + 1 : p, '(');
		if (!p)
			return false;
	}
	end = strchr(p, ')');
	assert_non_null(end);
	if (axt_axes_parse(m, axt_strndup(m, p + 1, (size_t)(end - p - 1)), true, out, rest, e))
		return false;
	for (int i = 0; i < out->n; i++)
		out->a[i].from = from;
	return true;
}

/* A list that is a parameter; NULL when the row has none. */
static struct axt_axes *
param_list(const char *params, const char *key, struct axt_axes *out, int *rest, struct axt_err *e)
{
	char word[512];

	if (!row_param(params, key, 0, word, sizeof(word)))
		return NULL;
	list(word, 0, NULL, out, rest, e);
	return out;
}

static void
show(char *got, size_t cap, const struct axt_axes *x)
{
	size_t at = (size_t)snprintf(got, cap, "(");

	for (int i = 0; i < x->n; i++)
		at += (size_t)snprintf(got + at, cap - at, "%s%s=%lld", i ? "," : "",
		    axt_axis_spell(m, &x->a[i]), (long long)x->a[i].len);
	snprintf(got + at, cap - at, ")");
}

static bool
same_set(const struct axt_axes *a, const struct axt_axes *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (axt_axes_find(b, &a->a[i]) < 0)
			return false;
	return true;
}

static int
pick(const struct axt_axes *a, const int *index, int n, struct axt_axes *out)
{
	out->n = n;
	for (int i = 0; i < n; i++)
		out->a[i] = a->a[index[i]];
	return AXT_OK;
}

static int
dot(const struct axt_axes *a, const struct axt_axes *b, const char *params, struct axt_axes *out,
    struct axt_err *e)
{
	struct axt_axes over, keep, *po = param_list(params, "over", &over, NULL, e);
	struct axt_axes *pk = param_list(params, "keep", &keep, NULL, e);
	enum axt_pair_mode mode = AXT_PAIR_DEFAULT;
	struct axt_pairing p;
	char word[64];

	if (row_param(params, "mode", 0, word, sizeof(word)))
		mode = !strcmp(word, "strict") ? AXT_PAIR_STRICT : AXT_PAIR_PLAIN;
	if (axt_axes_pair(m, a, b, mode, po, pk, NULL, &p, e))
		return e->code;
	/* Every axis falls in exactly one place. */
	assert_int_equal(p.nk + p.nb + p.nm, a->n);
	assert_int_equal(p.nk + p.nb + p.nn, b->n);
	assert_int_equal(p.nb + p.nm + p.nn, p.out.n);
	for (int i = 0; i < p.nk; i++)
		assert_string_equal(a->a[p.ka[i]].name, b->a[p.kb[i]].name);
	*out = p.out;
	return AXT_OK;
}

/* Runs the operation of a row; AXT_OK and *x, or a code; -1: a truth in *yes. */
static int
operate(char *f[], struct axt_axes *x, bool *yes, struct axt_err *e)
{
	const char *op = f[ROW_OP], *params = f[ROW_PARAMS];
	struct axt_axes a, b, want, *to, *over;
	int rest = -1, index[AXT_MAX_RANK], n;
	char word[512];

	if (strcmp(f[ROW_IN], "-") && !list(f[ROW_IN], 0, "x.h5:a", &a, NULL, e))
		return e->code;
	list(f[ROW_IN], 1, "x.h5:b", &b, NULL, e);
	if (!strcmp(op, "construct"))
		return param_list(params, "axes", x, NULL, e) ? (int)e->code : -2;
	if (!strcmp(op, "union")) {
		if (axt_axes_union(m, &a, &b, NULL, x, e))
			return e->code;
		to = param_list(params, "order", &want, NULL, e);
		return to ? axt_axes_override(m, x, to, x, e) : (int)AXT_OK;
	}
	if (!strcmp(op, "same_set")) {
		*yes = same_set(&a, &b);
		return -1;
	}
	if (!strcmp(op, "dot"))
		return dot(&a, &b, params, x, e);
	if (!strcmp(op, "dot_transposed")) {
		axt_axes_transpose(&a, &a);
		axt_axes_transpose(&b, &b);
		if (dot(&b, &a, params, &want, e))
			return e->code;
		axt_axes_transpose(&want, &want);
		axt_axes_transpose(&a, &a);
		axt_axes_transpose(&b, &b);
		return dot(&a, &b, params, x, e) || same_set(x, &want) ? (int)e->code : -2;
	}
	if (!strcmp(op, "transpose")) {
		axt_axes_transpose(&a, x);
		return AXT_OK;
	}
	if (!strcmp(op, "reduce")) {
		struct axt_axes keep, go;

		to = param_list(params, "to", &keep, NULL, e);
		over = param_list(params, "over", &go, NULL, e);
		if (e->code || axt_axes_reduce(m, &a, to, over, index, &n, e))
			return e->code;
		return pick(&a, index, n, x);
	}
	if (!strcmp(op, "rename")) {
		assert_true(row_param(params, "map", 0, word, sizeof(word)));
		return axt_axes_rename(m, &a, word, x, e);
	}
	to = param_list(params, "axes", &want, &rest, e);
	if (!to || e->code)
		return to ? (int)e->code : -2;
	if (!strcmp(op, "cast"))
		return axt_axes_cast(m, &a, to, x, e);
	if (!strcmp(op, "override"))
		return axt_axes_override(m, &a, to, x, e);
	if (!strcmp(op, "order"))
		return axt_axes_permute(m, &a, to, rest, index, e) ? (int)e->code
								   : pick(&a, index, a.n, x);
	return -2;
}

static int
right(char *f[], char *got, size_t cap)
{
	const char *want = f[ROW_WANT];
	struct axt_err e = { 0 };
	struct axt_axes x = { 0 };
	bool yes = false;
	int rc = operate(f, &x, &yes, &e);
	size_t n;

	if (rc == -2)
		snprintf(got, cap, "wrong");
	else if (rc == -1)
		snprintf(got, cap, yes ? "true" : "false");
	else if (rc == AXT_OK)
		show(got, cap, &x);
	else
		snprintf(got, cap, "error %s %s", code_name(rc), e.text);
	if (rc <= 0 || strncmp(want, "error ", 6))
		return !strcmp(got, want);
	n = strcspn(want + 6, " ");
	return !strncmp(got, want, 6 + n) && (!want[6 + n] || strstr(e.text, want + 7 + n));
}

static void
test_rows(void **state)
{
	int rows;

	(void)state;
	assert_int_equal(row_all("axes.tsv", right, &rows), 0);
	assert_true(rows >= 150);
}

static void
test_wrong_rows_fail(void **state)
{
	char *bad[][ROW_COLUMNS] = {
		{ "x", "union", "(A=2) (B=3)", "-", "(B=3,A=2)" },
		{ "x", "union", "(A=2) (A=3)", "-", "(A=2)" },
		{ "x", "union", "(A=2) (A=2)", "-", "error AXES length" },
		{ "x", "union", "(A=2) (A=3)", "-", "error NAME length" },
		{ "x", "union", "(A=2) (A=3)", "-", "error AXES breadth" },
		{ "x", "dot", "(A=2,B=3) (B=3)", "-", "(A=2,B=3)" },
		{ "x", "same_set", "(A=2) (A=2)", "-", "false" },
		{ "x", "mistyped", "(A=2) (A=2)", "axes=(A)", "(A=2)" },
	};
	char got[1024];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(right(bad[i], got, sizeof(got)));
}

/* ---- names ---- */

static void
test_spelling(void **state)
{
	static const struct {
		const char *text, *name;
		int level;
		const char *spelled;
	} cases[] = {
		{ "M", "M", 0, "M" },
		{ "M*", "M", 1, "M*" },
		{ "M*2", "M", 2, "M*2" },
		{ "M*-1", "M", -1, "M*-1" },
		{ "M*x", "M*x", 0, "M*x" },
		{ "*", "*", 0, "*" },
		{ "M**2", "M*", 2, "M**2" },
		{ "M*1", "M", 1, "M*" },
		{ "M*0", "M*0", 0, "M*0" },
		{ "a b/c", "a b/c", 0, "a b/c" },
		{ "M*99999999999", "M*99999999999", 0, "M*99999999999" },
		{ "", "", 0, "" },
	};
	struct axt_axis a;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(axt_axis_from_file(m, cases[i].text, &a), AXT_OK);
		assert_string_equal(a.name, cases[i].name);
		assert_int_equal(a.level, cases[i].level);
		assert_string_equal(axt_axis_spell(m, &a), cases[i].spelled);
	}
}

static void
test_name_rules(void **state)
{
	static const char *const good[] = { "a", "A1", "_", "0x", "lat.lon", "a b", "\xc3\xa9",
		"a-b" };
	static const char *const bad[] = { "", "-a", ".", " a", "a/b", "a,b", "a=b", "a:b", "a*",
		"a^", "a@", "a[", "a]", "(a", "a)", "a\n", "\xff", "a\xc3", "a\xed\xa0\x80" };
	char long_name[400];
	struct axt_err e;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++) {
		e = (struct axt_err){ 0 };
		assert_int_equal(axt_name_check(good[i], "axis", &e), AXT_OK);
	}
	for (int i = 0; i < ARRAY_LEN(bad); i++) {
		e = (struct axt_err){ 0 };
		assert_int_equal(axt_name_check(bad[i], "axis", &e), AXT_E_SYNTAX);
		assert_null(strpbrk(e.text, "\n\xff"));
	}
	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	e = (struct axt_err){ 0 };
	assert_int_equal(axt_name_check(long_name, "axis", &e), AXT_E_SYNTAX);
}

static void
test_parse(void **state)
{
	struct axt_err e = { 0 };
	struct axt_axes x;
	struct axt_buf many = { 0 };
	int rest;

	(void)state;
	assert_int_equal(axt_axes_parse(m, "D=4,B*,C^-1,a\\,b\\=c", true, &x, &rest, &e), AXT_OK);
	assert_int_equal(x.n, 4);
	assert_int_equal(rest, -1);
	assert_int_equal(x.a[0].len, 4);
	assert_int_equal(x.a[1].len, -1);
	assert_int_equal(x.a[1].level, 1);
	assert_int_equal(x.a[2].level, -1);
	assert_string_equal(x.a[3].name, "a,b=c");
	assert_int_equal(axt_axes_parse(m, "", false, &x, NULL, &e), AXT_OK);
	assert_int_equal(x.n, 0);
	assert_int_equal(axt_axes_parse(m, "A=3", false, &x, NULL, &e), AXT_E_SYNTAX);
	e = (struct axt_err){ 0 };
	assert_int_equal(axt_axes_parse(m, "lon,...", false, &x, NULL, &e), AXT_E_SYNTAX);
	e = (struct axt_err){ 0 };
	assert_int_equal(axt_axes_parse(m, "a\\", false, &x, NULL, &e), AXT_OK);
	assert_string_equal(x.a[0].name, "a\\");
	for (int i = 0; i < AXT_MAX_RANK; i++)
		axt_buf_addf(&many, "%sx%d", i ? "," : "", i);
	assert_int_equal(axt_axes_parse(m, many.p, false, &x, NULL, &e), AXT_OK);
	assert_int_equal(x.n, AXT_MAX_RANK);
	axt_buf_adds(&many, ",one_more");
	assert_int_equal(axt_axes_parse(m, many.p, false, &x, NULL, &e), AXT_E_LIMIT);
	axt_buf_release(&many);
}

static void
test_texts(void **state)
{
	struct axt_err e = { 0 };
	struct axt_axes x;
	int64_t n;

	(void)state;
	axt_axes_parse(m, "lat=361,lon=720", true, &x, NULL, &e);
	assert_string_equal(axt_axes_text(m, &x), "lat, lon (361, 720)");
	assert_true(axt_axes_count(&x, &n));
	assert_int_equal(n, 361 * 720);
	axt_axes_parse(m, "a=9000000000000000000,b=2,c=0", true, &x, NULL, &e);
	assert_true(axt_axes_count(&x, &n));
	assert_int_equal(n, 0);
	x.n = 2;
	assert_false(axt_axes_count(&x, &n));
	x.n = 0;
	assert_true(axt_axes_count(&x, &n));
	assert_int_equal(n, 1);
	/* What a terminal would obey is shown as bytes. */
	x.n = 1;
	x.a[0] = (struct axt_axis){ .name = "a\x1b[2Jb\n", .len = 1 };
	assert_string_equal(axt_axes_text(m, &x), "a\\x1b[2Jb\\x0a (1)");
}

static void
test_messages(void **state)
{
	struct axt_err e = { 0 };
	struct axt_axes a, b, x;
	int perm[AXT_MAX_RANK];

	(void)state;
	list("(time=12,lat=73,lon=4)", 0, "a.nc:t", &a, NULL, &e);
	list("(lat=72)", 0, "b.nc:t", &b, NULL, &e);
	axt_axes_union(m, &a, &b, NULL, &x, &e);
	assert_string_equal(e.text, "axis \"lat\" has length 73 in a.nc:t and 72 in b.nc:t");
	e = (struct axt_err){ 0 };
	list("(lta)", 0, NULL, &b, NULL, &e);
	axt_axes_permute(m, &a, &b, -1, perm, &e);
	assert_string_equal(e.text, "no axis \"lta\" in a.nc:t (time, lat, lon)");
	assert_string_equal(e.hint, "did you mean \"lat\"?");
}

/* ---- coordinates ---- */

static struct axt_attr *
text_attr(const char *name, const char *text, struct axt_attr *next)
{
	struct axt_attr *a = axt_alloc(m, sizeof(*a));

	assert_non_null(a);
	*a = (struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text, .next = next };
	return a;
}

static struct axt_axis
axis(const char *name, const char *from, enum axt_dtype d, int64_t n, const void *data,
    const struct axt_attr *attrs)
{
	struct axt_coord *c = axt_alloc(m, sizeof(*c));

	assert_non_null(c);
	*c = (struct axt_coord){ .dtype = d, .n = n, .data = data, .attrs = attrs };
	return (struct axt_axis){ .name = name, .len = n, .coord = c, .from = from };
}

static int
meet(const struct axt_axis *a, const struct axt_axis *b, const struct axt_join *j,
    struct axt_err *e)
{
	struct axt_axis out;

	*e = (struct axt_err){ 0 };
	return axt_axis_meet(m, a, b, j, &out, e);
}

static void
test_coordinates(void **state)
{
	static const double up[] = { -90, 0.1, 90 }, down[] = { 90, 0.1, -90 },
			    off[] = { -90, 0.2, 90 };
	static const float narrow[] = { -90, 0.1f, 90 };
	static const int32_t ints[] = { 1, 2, 16777217 };
	static const float floats[] = { 1, 2, 16777216 };
	static const int64_t wide[] = { 1, 2, 16777217 };
	struct axt_axis a = axis("lat", "a.nc:t", AXT_F64, 3, up, NULL);
	struct axt_axis b = axis("lat", "b.nc:t", AXT_F64, 3, down, NULL);
	struct axt_axis c = axis("lat", "c.nc:t", AXT_F32, 3, narrow, NULL);
	struct axt_axis d = axis("lat", NULL, AXT_F64, 3, off, NULL);
	struct axt_axis i = axis("lat", NULL, AXT_I32, 3, ints, NULL);
	struct axt_axis f = axis("lat", NULL, AXT_F32, 3, floats, NULL);
	struct axt_axis w = axis("lat", NULL, AXT_I64, 3, wide, NULL);
	struct axt_axis none = { .name = "lat", .len = 3, .from = "n.nc:t" }, out;
	struct axt_join all = { .override_all = true }, some = { 0 };
	struct axt_err e;

	(void)state;
	assert_int_equal(meet(&a, &a, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &c, NULL, &e), AXT_OK);
	assert_int_equal(meet(&c, &a, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &b, NULL, &e), AXT_E_COORD);
	assert_string_equal(e.text,
	    "axis \"lat\" has other coordinates: at index 0 -90 in a.nc:t and 90 in "
	    "b.nc:t (one is the other reversed)");
	assert_int_equal(meet(&a, &d, NULL, &e), AXT_E_COORD);
	assert_string_equal(e.text,
	    "axis \"lat\" has other coordinates: at index 1 0.1 in a.nc:t and 0.2");
	assert_int_equal(meet(&i, &f, NULL, &e), AXT_OK);
	assert_int_equal(meet(&i, &w, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &b, &all, &e), AXT_OK);
	assert_int_equal(meet(&a, &b, &some, &e), AXT_E_COORD);
	axt_axes_parse(m, "lat", false, &some.override, NULL, &e);
	assert_int_equal(meet(&a, &b, &some, &e), AXT_OK);
	/* Where one has none, the other's hold, and messages name whose they are. */
	assert_int_equal(axt_axis_meet(m, &none, &a, NULL, &out, &e), AXT_OK);
	assert_ptr_equal(out.coord, a.coord);
	assert_string_equal(out.from, "a.nc:t");
	assert_int_equal(axt_axis_meet(m, &a, &none, NULL, &out, &e), AXT_OK);
	assert_ptr_equal(out.coord, a.coord);
	assert_string_equal(out.from, "a.nc:t");
}

static void
test_odd_coordinates(void **state)
{
	static const double nans[] = { 1, NAN }, zeros[] = { 0, 1 }, minus[] = { -0.0, 1 };
	static const float fnans[] = { 1, NAN };
	static const uint64_t large[] = { UINT64_MAX, 1 };
	static const int64_t negative[] = { -1, 1 };
	static const char *const texts[] = { "DJF", "MAM" }, *const other[] = { "DJF", "JJA" };
	struct axt_axis a = axis("x", "a", AXT_F64, 2, nans, NULL),
			b = axis("x", "b", AXT_F32, 2, fnans, NULL);
	struct axt_axis z = axis("x", "a", AXT_F64, 2, zeros, NULL),
			y = axis("x", "b", AXT_F64, 2, minus, NULL);
	struct axt_axis u = axis("x", "a", AXT_U64, 2, large, NULL),
			s = axis("x", "b", AXT_I64, 2, negative, NULL);
	struct axt_coord tc = { .text = true, .n = 2, .data = texts },
			 oc = { .text = true, .n = 2, .data = other };
	struct axt_axis t = { .name = "x", .len = 2, .coord = &tc, .from = "a" };
	struct axt_axis o = { .name = "x", .len = 2, .coord = &oc, .from = "b" };
	struct axt_err e;

	(void)state;
	assert_int_equal(meet(&a, &b, NULL, &e), AXT_OK);
	assert_int_equal(meet(&z, &y, NULL, &e), AXT_OK);
	assert_int_equal(meet(&u, &s, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "18446744073709551615 in a and -1 in b"));
	assert_int_equal(meet(&t, &t, NULL, &e), AXT_OK);
	assert_int_equal(meet(&t, &o, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "\"MAM\" in a and \"JJA\" in b"));
	assert_int_equal(meet(&t, &z, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "text"));
}

static void
test_time_coordinates(void **state)
{
	static const double days[] = { 0, 31.5 }, hours[] = { 24, 780 }, later[] = { 0, 32.5 };
	static const float fdays[] = { 54786, 54817.5f };
	const struct axt_attr *d = text_attr("units", "days since 2000-01-01", NULL);
	const struct axt_attr *h = text_attr("units", "hours since 1999-12-31", NULL);
	const struct axt_attr *f = text_attr("units", "days since 1850-01-01", NULL);
	const struct axt_attr *n = text_attr("units", "days since 2000-01-01",
	    text_attr("calendar", "noleap", NULL));
	const struct axt_attr *p = text_attr("units", "days since 2000-01-01",
	    text_attr("calendar", "proleptic_gregorian", NULL));
	struct axt_axis a = axis("time", "a", AXT_F64, 2, days, d),
			b = axis("time", "b", AXT_F64, 2, hours, h);
	struct axt_axis c = axis("time", "c", AXT_F32, 2, fdays, f),
			l = axis("time", "l", AXT_F64, 2, later, d);
	struct axt_axis no = axis("time", "n", AXT_F64, 2, days, n),
			pr = axis("time", "p", AXT_F64, 2, days, p);
	struct axt_axis h2 = axis("time", "h", AXT_F64, 2, days, h);
	struct axt_err e;

	(void)state;
	assert_int_equal(meet(&a, &b, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &c, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &pr, NULL, &e), AXT_OK);
	assert_int_equal(meet(&a, &l, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "2000-02-01T12:00:00 in a and 2000-02-02T12:00:00 in l"));
	assert_int_equal(meet(&a, &h2, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "2000-01-01 in a and 1999-12-31 in h"));
	assert_int_equal(meet(&a, &no, NULL, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "calendar standard in a and noleap in n"));
}

static void
test_labels_keep_coordinates(void **state)
{
	static const double v[] = { 1, 2 };
	struct axt_axes a = { .n = 2 }, want, x;
	struct axt_err e = { 0 };

	(void)state;
	a.a[0] = axis("B", "f", AXT_F64, 2, v, NULL);
	a.a[1] = axis("E", "f", AXT_F64, 2, v, NULL);
	a.a[1].parts = "P:1,Q:2";
	axt_axes_parse(m, "B,F", false, &want, NULL, &e);
	assert_int_equal(axt_axes_cast(m, &a, &want, &x, &e), AXT_OK);
	assert_ptr_equal(x.a[0].coord, a.a[0].coord);
	assert_null(x.a[1].coord);
	assert_null(x.a[1].parts);
	assert_int_equal(axt_axes_rename(m, &a, "B=E,E=B", &x, &e), AXT_OK);
	assert_ptr_equal(x.a[0].coord, a.a[0].coord);
	assert_string_equal(x.a[0].name, "E");
	assert_null(x.a[1].parts);
	axt_axes_transpose(&a, &x);
	assert_string_equal(x.a[1].parts, "P:1,Q:2");
}

/* ---- attributes ---- */

static void
test_attributes(void **state)
{
	static const double one = 1, two = 2;
	struct axt_attr *l = text_attr("a", "1", text_attr("b", "2", text_attr("c", "3", NULL)));
	struct axt_attr b = { .name = "b",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_F64,
		.n = 1,
		.data = &one };
	struct axt_attr b2 = b, d = { .name = "d", .kind = AXT_ATTR_TEXT, .text = "4" };
	struct axt_attr *x = axt_attr_set(m, l, &b);

	(void)state;
	assert_string_equal(axt_attr_text(l, "b"), "2");
	assert_null(axt_attr_text(x, "b"));
	assert_string_equal(x->next->name, "b");
	assert_ptr_equal(x->next->next, l->next->next);
	x = axt_attr_set(m, x, &d);
	assert_string_equal(x->next->next->next->name, "d");
	assert_null(axt_attr_find(l, "d"));
	x = axt_attr_drop(m, x, "a");
	assert_string_equal(x->name, "b");
	assert_ptr_equal(axt_attr_drop(m, l, "z"), l);
	assert_non_null(axt_attr_find(l, "a"));
	assert_null(axt_attr_drop(m, text_attr("only", "", NULL), "only"));
	assert_true(axt_attr_equal(&b, &b2));
	b2.data = &two;
	assert_false(axt_attr_equal(&b, &b2));
	assert_false(axt_attr_equal(&b, l->next));
	assert_false(axt_attr_equal(l, l->next));
}

/* ---- CF times ---- */

static void
test_cftime(void **state)
{
	/* Expected: cftime.num2date of the Python package of that name. */
	static const struct {
		const char *units, *calendar;
		double v;
		const char *text;
	} cases[] = {
		{ "days since 1850-01-01", NULL, 0, "1850-01-01" },
		{ "days since 1850-01-01", "standard", 58590.5, "2010-06-01T12:00:00" },
		{ "hours since 1900-1-1 00:00:0.0", "gregorian", 1, "1900-01-01T01:00:00" },
		{ "days since 1582-10-04", "standard", 1, "1582-10-15" },
		{ "days since 1582-10-04", "proleptic_gregorian", 1, "1582-10-05" },
		{ "days since 1582-10-15", "gregorian", -1, "1582-10-04" },
		{ "days since 0001-01-01", "standard", 1.25, "0001-01-02T06:00:00" },
		{ "days since -4713-01-01 12:00", "standard", 2451545, "2000-01-01T12:00:00" },
		{ "days since 2000-02-28", "noleap", 1, "2000-03-01" },
		{ "days since 2001-02-28", "all_leap", 1, "2001-02-29" },
		{ "days since 2000-02-30", "360_day", 1, "2000-03-01" },
		{ "days since 1900-02-28", "julian", 1, "1900-02-29" },
		{ "months since 2000-01-01", "360_day", 1.5, "2000-02-16" },
		/* Expected: CDO's showtimestamp */
		{ "months since 2000-01-31", NULL, 1, "2000-03-02" },
		{ "months since 2000-01-31", "standard", 13.25, "2001-03-10" },
		{ "months since 2000-01-15 12:00", NULL, -1.25, "1999-12-07T18:00:00" },
		{ "months since 2000-01-15 12:00", NULL, 1.5, "2000-03-01" },
		{ "months since 1582-09-05", "standard", 1.25, "1582-10-22T18:00:00" },
		{ "years since 1999-03-01", "noleap", -0.5, "1998-09-01" },
		{ "year since 2000-02-29", NULL, 1.25, "2001-05-29" },
		{ "years since 2000-01-30", "360_day", 1.5, "2001-07-30" },
		{ "months since 2000-01-01", NULL, NAN, "nan" },
		{ "months since 2000-01-01", NULL, 1e300, "1e+300" },
		{ "common_years since 2000-03-01", NULL, 1, "2001-03-01" },
		{ "weeks since 2000-01-01", NULL, 1.5, "2000-01-11T12:00:00" },
		{ "seconds since 1970-01-01T00:00:00Z", "standard", 1e9 + .25,
		    "2001-09-09T01:46:40.25" },
		{ "days since 1990-06-15 00:00:00 +02:00", NULL, 0, "1990-06-14T22:00:00" },
		{ "days since 2000-01-01 00:00:00 -5:30", NULL, 0, "2000-01-01T05:30:00" },
		{ "day as %Y%m%d.%f", NULL, 20100601.5, "2010-06-01T12:00:00" },
		{ "days since 2000-01-01", NULL, 0.1, "2000-01-01T02:24:00" },
		{ "days since 1-1-1", NULL, 712345.1, "1951-05-02T02:24:00" },
		{ "days since 2000-01-01", NULL, 0.999999999999, "2000-01-02" },
		{ "Hours Since 2000-01-01 12:30", NULL, -0.5, "2000-01-01T12:00:00" },
		{ "hour since 0000-01-01 00:00:00", "gregorian", 366, "0000-01-16T06:00:00" },
		{ "days since 2000-01-01", NULL, NAN, "nan" },
		{ "days since 2000-01-01", NULL, 1e300, "1e+300" },
	};
	static const char *const not_times[][2] = {
		{ "degrees_north", NULL },
		{ "days", NULL },
		{ "days since", NULL },
		{ "", NULL },
		{ "days since x", NULL },
		{ "days since 2000-13-01", NULL },
		{ "days since 2000-02-30", NULL },
		{ "days since 2001-02-29", NULL },
		{ "days since 2000-01-01 25:00", NULL },
		{ "days since 2000-01-01 x", NULL },
		{ "fortnights since 2000-01-01", NULL },
		{ "days since 2000-01-01", "lunar" },
		{ "day as %Y%m", NULL },
		{ "days since 99999999-01-01", NULL },
		{ NULL, NULL },
	};
	struct axt_cftime t, u;
	char text[40];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(axt_cftime_parse(cases[i].units, cases[i].calendar, &t));
		axt_cftime_text(&t, cases[i].v, text);
		assert_string_equal(text, cases[i].text);
	}
	for (int i = 0; i < ARRAY_LEN(not_times); i++)
		assert_false(axt_cftime_parse(not_times[i][0], not_times[i][1], &t));
	assert_true(axt_cftime_parse("days since 2000-01-01", NULL, &t));
	assert_true(axt_cftime_parse("hours since 1999-12-31", NULL, &u));
	assert_true(axt_cftime_seconds(&t, 1) == axt_cftime_seconds(&u, 48));
}

/* Days go up by one, months by their lengths, in every calendar, for centuries around the reform.
 */
static void
test_calendar_days(void **state)
{
	static const char *const names[] = { "standard", "proleptic_gregorian", "julian", "noleap",
		"all_leap", "360_day" };
	char units[64], text[40];
	struct axt_cftime t, u;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(names); i++) {
		assert_true(axt_cftime_parse("days since 1500-01-01", names[i], &t));
		for (int v = -60000; v < 200000; v += 97) {
			axt_cftime_text(&t, v, text);
			snprintf(units, sizeof(units), "days since %s", text);
			assert_true(axt_cftime_parse(units, names[i], &u));
			assert_true(u.epoch == axt_cftime_seconds(&t, v));
		}
	}
}

/* An axis whose coordinates have one attribute, "units=degreesN", or none. */
static void
add_axis(struct axt_axes *x, const char *name, const char *attr)
{
	static struct axt_coord coords[AXT_MAX_RANK];
	const char *at = attr ? strchr(attr, '=') : NULL;
	struct axt_coord *c = &coords[x->n];

	*c = (struct axt_coord){ .n = 1, .dtype = AXT_F64 };
	if (at)
		c->attrs = text_attr(axt_strndup(m, attr, (size_t)(at - attr)), at + 1, NULL);
	x->a[x->n++] = (struct axt_axis){ .name = name, .len = 1, .coord = attr ? c : NULL };
}

/* Which axis a usual word means: by its units, standard_name, axis, positive, or its name. */
static void
test_meant(void **state)
{
	static const struct {
		const char *axes[4][2];
		const char *word;
		int is;
	} cases[] = {
		{ { { "j", "units=degreesN" }, { "i", "units=degreesE" } }, "lat", 0 },
		{ { { "j", "units=degree_N" }, { "i", "units=degree_E" } }, "Longitude", 1 },
		{ { { "j", "standard_name=latitude" }, { "i", "standard_name=longitude" } }, "y",
		    0 },
		{ { { "lat", NULL }, { "lon", NULL } }, "latitude", 0 },
		{ { { "lat", NULL }, { "lon", NULL } }, "LON", 1 },
		{ { { "lat", NULL }, { "lon", NULL } }, "x", 1 },
		{ { { "LAT", NULL }, { "lat", NULL } }, "lat", 1 },
		{ { { "LAT", NULL }, { "Lat", NULL } }, "lat", -1 },
		{ { { "a", "units=degree_N" }, { "b", "units=degrees_north" } }, "lat", -1 },
		{ { { "x", NULL }, { "lon", NULL } }, "longitude", 1 },
		{ { { "n", "axis=X" }, { "lon", NULL } }, "x", 0 },
		{ { { "n", "units=days since 2000-01-01" }, { "k", NULL } }, "TIME", 0 },
		{ { { "n", "units=days" }, { "k", "axis=T" } }, "time", 1 },
		{ { { "p", "units=mb" }, { "q", NULL } }, "lev", 0 },
		{ { { "p", NULL }, { "q", "positive=down" } }, "z", 1 },
		{ { { "depth", NULL }, { "q", NULL } }, "level", 0 },
		{ { { "time_counter", NULL }, { "q", NULL } }, "time", 0 },
		{ { { "st", "long_name=station" }, { "q", NULL } }, "Station", 0 },
		{ { { "tlat", NULL }, { "lat_rho", "units=degrees" } }, "lon", -1 },
		{ { { "flat", NULL }, { "platform", NULL } }, "lat", -1 },
		{ { { "q", "units=" }, { "r", NULL } }, "lev", -1 },
	};

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		struct axt_axes x = { 0 };

		for (int k = 0; k < 4 && cases[i].axes[k][0]; k++)
			add_axis(&x, cases[i].axes[k][0], cases[i].axes[k][1]);
		if (axt_axes_meant(&x, cases[i].word) != cases[i].is)
			fail_msg("case %d: \"%s\" is axis %d", i, cases[i].word,
			    axt_axes_meant(&x, cases[i].word));
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_rows),
		T(test_wrong_rows_fail),
		T(test_spelling),
		T(test_name_rules),
		T(test_parse),
		T(test_texts),
		T(test_messages),
		T(test_coordinates),
		T(test_odd_coordinates),
		T(test_time_coordinates),
		T(test_labels_keep_coordinates),
		T(test_attributes),
		T(test_cftime),
		T(test_calendar_days),
		T(test_meant),
	};

	return cmocka_run_group_tests_name("axes", tests, NULL, NULL);
}
