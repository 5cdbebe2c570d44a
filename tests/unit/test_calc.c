/* test_calc.c - expressions: their values, their plans, their messages, and texts nobody meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../fuzz/calc.c"
#include "mutate.h"

/* The value of an expression of numbers, as f64. */
static double
number(const char *text)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = NULL;
	double v = -1;

	if (axt_calc(g, text, NULL, NULL, 0, &e, 1) != 1)
		fail_msg("%s: %s", text, axt_graph_error(g));
	assert_int_equal(
	    axt_eval(g, axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_ERROR), &v, sizeof(v)), 0);
	axt_graph_free(g);
	return v;
}

static void
operators_bind_as_in_python(void **state)
{
	static const struct {
		const char *text;
		double v;
	} rows[] = {
		{ "1 + 2*3", 7 },
		{ "(1 + 2)*3", 9 },
		{ "2^3^2", 512 },
		{ "2**3", 8 },
		{ "-2^2", -4 },
		{ "2^-1", .5 },
		{ "-2 - -3", 1 },
		{ "+3", 3 },
		{ "7//2", 3 },
		{ "-7//2", -4 },
		{ "-7 % 3", 2 },
		{ "7/2", 3.5 },
		{ "9/5*5", 9 },
		{ "1e3 + .5", 1000.5 },
		{ "0x10", 16 },
		{ "0x1p-4", .0625 },
		{ "10^20", 1e20 },
		{ "2^63", 0x1p63 },
		{ "-2^63", -0x1p63 },
		{ "3 > 2", 1 },
		{ "1 < 2 < 3", 1 },
		{ "3 > 2 > 2", 0 },
		{ "not 1 == 2", 1 },
		{ "1 == 2 or 2 == 2 and 3 == 3", 1 },
		{ "6 and 3", 1 },
		{ "6 and 0", 0 },
		{ "4 or 1", 1 },
		{ "not 4", 0 },
		{ "6 & 3", 2 },
		{ "4 | 1", 5 },
		{ "sqrt(16)", 4 },
		{ "add(1, 2, 3, 4)", 10 },
		{ "clip(7, 0, 5)", 5 },
		{ "where(2 > 1, 3, 4)", 3 },
		{ "a = 3; b = a*a\nb - a", 6 },
		{ "a = 1; a = a + 1; a", 2 },
		{ "cos(pi)", -1 },
		{ "1 +\n 2", 3 },
		{ "(1\n + 2) # three", 3 },
		{ ";;1;;\n", 1 },
		{ "a = 1, b = 2; a + b", 3 },
		{ "minimum(4, 3, 8)", 3 },
		{ "-inf", -__builtin_inf() },
		{ "9223372036854775807 + 1", 0x1p63 },
	};

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++)
		if (number(rows[i].text) != rows[i].v)
			fail_msg("%s is %.17g", rows[i].text, number(rows[i].text));
}

/* What numbers make is a number still: its dtype is the tensor's. */
static void
numbers_stay_weak(void **state)
{
	static const char *const texts[] = { "a * (9/5)", "a + sqrt(2)", "a * 2^3", "a - -1",
		"(1 + 1)*a*pi", "m = 1/3; a*m", "clip(a, -(1), 2.5)" };
	static const char *const names[] = { "a" };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(texts); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = axt_make(g, "ones", "x=2", AXT_F32, 0), *e = NULL;

		assert_int_equal(axt_calc(g, texts[i], names, &a, 1, &e, 1), 1);
		assert_int_equal(axt_expr_dtype(e), AXT_F32);
		axt_graph_free(g);
	}
}

static void
squares_are_squares(void **state)
{
	static const struct {
		const char *text;
		enum axt_dtype d;
		enum axt_op op;
	} rows[] = {
		{ "a^2", AXT_F32, AXT_OP_SQUARE },
		{ "a**2.0", AXT_F32, AXT_OP_SQUARE },
		{ "a^2", AXT_I8, AXT_OP_SQUARE },
		{ "a^2.0", AXT_I32, AXT_OP_POW },
		{ "a^3", AXT_F32, AXT_OP_POW },
		{ "a^2", AXT_BOOL, AXT_OP_POW },
		{ "a^(1+1)", AXT_F64, AXT_OP_SQUARE },
		{ "2^a", AXT_F32, AXT_OP_POW },
	};
	static const char *const names[] = { "a" };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = axt_make(g, "ones", "x=2", rows[i].d, 0), *e = NULL;

		assert_int_equal(axt_calc(g, rows[i].text, names, &a, 1, &e, 1), 1);
		assert_int_equal(e->kind, AXT_NODE_MAP);
		assert_int_equal(e->u.op, rows[i].op);
		axt_graph_free(g);
	}
}

static void
results_have_names(void **state)
{
	static const struct {
		const char *text, *names[3];
	} rows[] = {
		{ "a", { NULL } },
		{ "a + a", { NULL } },
		{ "mean(a)", { NULL } },
		{ "m = mean(a)", { "m" } },
		{ "m = mean(a); m", { "m" } },
		{ "m = mean(a); a - m", { NULL } },
		{ "mean = a; mean(a)", { NULL } },
		{ "mean(a), std(a)", { "mean", "std" } },
		{ "a, b = a*2", { "a", "b" } },
		{ "m = mean(a); s = std(a); m, s, lo = min(a)", { "m", "s", "lo" } },
	};
	static const char *const names[] = { "a" };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = axt_make(g, "ones", "x=2", AXT_F32, 0), *e[3] = { NULL };
		int n = axt_calc(g, rows[i].text, names, &a, 1, e, 3), k;

		assert_true(n > 0);
		for (k = 0; k < n; k++) {
			const char *is = axt_expr_name(e[k]), *want = rows[i].names[k];

			if ((!is) != (!want) || (is && strcmp(is, want) != 0))
				fail_msg("%s: name %d is %s", rows[i].text, k, is ? is : "none");
		}
		assert_true(k == 3 || !rows[i].names[k]);
		axt_graph_free(g);
	}
}

/* A place counts characters, not bytes; a long text is shown around it. */
static void
messages_tell_the_place(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "1 + x", "unknown name \"x\" at character 5 of \"1 + x\"" },
		{ "1 +", "a value is missing at character 4 of \"1 +\"" },
		{ "'\xc3\xb8' 1",
		    "no operand has a dataset \"\xc3\xb8\" at character 1 of \"'\xc3\xb8' 1\"" },
		{ "\xc3\xb8 = 1; \xc3\xb8 + y",
		    "unknown name \"y\" at character 12 of \"\xc3\xb8 = 1; \xc3\xb8 + y\"" },
		{ "11111111111111111 + 111111111111111111 + x + 1111111111111111111111 + 1111111111111111",
		    "unknown name \"x\" at character 42 of \"...111111 + 111111111111111111 + x + 1111111111111111111111 + 1...\"" },
		{ "(1", "the parenthesis is not closed at character 1 of \"(1\"" },
		{ "f(1)", "unknown function \"f\" at character 1 of \"f(1)\"" },
		{ "mean(1, over=t)",
		    "no axis \"t\" (no axes) at character 1 of \"mean(1, over=t)\"" },
		{ "1\n2", "the value of this statement is not used at character 1 of \"1 2\"" },
		{ "a = 1, b = 2", "more than 1 results at character 8 of \"a = 1, b = 2\"" },
		{ "and", "a value is missing before \"and\" at character 1 of \"and\"" },
	};

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *e;

		assert_int_equal(axt_calc(g, rows[i].text, NULL, NULL, 0, &e, 1), 0);
		assert_string_equal(axt_graph_error(g), rows[i].message);
		axt_graph_free(g);
	}
}

static void
operands_have_names(void **state)
{
	static const char *const bad[] = { "", "1a", "a b", "and", "pi", "a.b", " a", "a ", "(",
		"a=" };
	const char *twice[] = { "a", "a" };
	struct axt_expr *e, *a[2];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(bad); i++) {
		struct axt_graph *g = axt_graph_new();

		a[0] = axt_number(g, "1");
		assert_int_equal(axt_calc(g, "1", &bad[i], a, 1, &e, 1), 0);
		assert_int_equal(axt_graph_code(g), AXT_E_SYNTAX);
		axt_graph_free(g);
	}
	for (int max = 1; max <= 2; max++) {
		struct axt_graph *g = axt_graph_new();

		a[0] = a[1] = axt_number(g, "1");
		assert_int_equal(axt_calc(g, "1", twice, a, 2, &e, 1), 0);
		axt_graph_free(g);
		g = axt_graph_new(); /* a failed operand fails all */
		a[0] = axt_number(g, "x");
		assert_int_equal(axt_calc(g, "1", twice, a, 1, &e, max), 0);
		axt_graph_free(g);
	}
}

/* What is assigned to a file, and by what; values and files do not mix. */
static void
targets_are_read(void **state)
{
	static const struct {
		const char *text, *target[3], *op[3];
	} rows[] = {
		{ "x.nc:v[ lat=0, \"lon\" = ::-1 ] += a", { "x.nc:v[lat=0,lon=::-1]" }, { "+=" } },
		{ "m = mean(a)\n./x-=m ; \"a b\"=a;c:d/=2 # end", { "./x", "a b", "c:d" },
		    { "-=", "=", "/=" } },
		{ "x.nc[lat=0,1] *= 2 - a[lat=0]", { "x.nc[lat=0,1]" }, { "*=" } },
		{ "'x':y[lat=1] = a == 2", { "x:y[lat=1]" }, { "=" } },
		{ "a/2", { NULL }, { NULL } },
		{ "a == 2", { NULL }, { NULL } },
		{ "a/a[lat=0] >= a", { NULL }, { NULL } },
		{ "b = a/2", { NULL }, { NULL } },
	};
	static const float v[6] = { 0 };
	static const char *const names[] = { "a" };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = axt_tensor(g, AXT_F32, "lat=2,lon=3", v, NULL);
		struct axt_assignment to[3];
		int n = axt_calc_to(g, rows[i].text, names, &a, 1, NULL, to, 3), k;

		assert_int_equal(n, rows[i].op[2] ? 3 : 1);
		for (k = 0; k < n && rows[i].op[k]; k++) {
			assert_string_equal(to[k].target, rows[i].target[k]);
			assert_string_equal(to[k].op, rows[i].op[k]);
		}
		assert_true(rows[i].op[0] || !to[0].target);
		axt_graph_free(g);
	}
}

/* n times a, then b. */
static int
repeated(const char *a, int n, const char *b)
{
	size_t len = strlen(a);
	char *s = malloc(len * (size_t)n + strlen(b) + 1);
	int ok;

	assert_non_null(s);
	for (int i = 0; i < n; i++)
		memcpy(s + len * (size_t)i, a, len);
	strcpy(s + len * (size_t)n, b);
	ok = LLVMFuzzerTestOneInput((const uint8_t *)s, strlen(s));
	free(s);
	return ok;
}

static void
depth_and_size_are_bounded(void **state)
{
	static const char *const deep[] = { "(", "-", "not ", "2^", "sin(",
		"mean(a, weights=", "a+", "a and ", "a,", "a;", "(a*", "x=", "dot(a,", "1+", "\n",
		"#", "((((a", "add(", "1<", "order(a," };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(deep); i++)
		repeated(deep[i], 100000, "a");
	assert_int_equal(repeated("(", 200, "a"), 0);
	assert_int_equal(repeated("-", 200, "a"), 1);
	assert_int_equal(repeated("a+", 200, "a"), 1);
	assert_int_equal(repeated("1+", 1500, "1"), 1);
	assert_int_equal(repeated("x = a + a; ", 200, "a"), 1);
	/* a graph of few nodes and many paths */
	assert_int_equal(repeated("a = a + a; ", 200, "a"), 1);
}

static const char *const good[] = {
	"sqrt(mean((a - b)^2, over=lat))",
	"m = mean(a, over=(lat, \"lon\")); s = std(a, to=(), ddof=1); m, s, where(a > m, a, nan)",
	"dot(a, order(a, lon, ...), over=lon, keep=(lat)) # products",
	"cast(a, i8, overflow=saturate) + iota(1, 2, lat=2)*b // 3 % 5 - -b",
	"c and not a > 2 or 0 < b <= 7\n",
	"rename(transpose(a), lat*=y) / full(2.5, y=2, dtype=f64)",
	"maximum(a, b, 3, clip(a, 0, pi)); ",
	"sum(a, skip_nan=true, dtype=f64) * count(b) ** 2",
	"a[lat=0:2, lon=::-1] - a[lon=1][lat=0]",
	"pad(flatten(a, lat, lon=Z), Z=(1, 2), mode=edge) + shift(a, lon=1)[lon=0,2]",
	"take(a, lat=0*b)",
	"mean(window(stack(a, a, along=t), lon=w:2), over=w), r = reshape(a, x=3, y=2, order=F)[x=1]",
	"broadcast(b, time=2, lat)\n+random(lat=2, seed=3)",
	"m = mean(a); x.nc:v[lat=0, lon=::-1] += a - m; \"q r.h5\":t = m; ../a/b-=b[lat=0]",
};

static void
mutations_do_no_harm(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++)
		if (!strstr(good[i], "random"))
			assert_int_equal(
			    LLVMFuzzerTestOneInput((const uint8_t *)good[i], strlen(good[i])), 1);
	mutations(good, ARRAY_LEN(good), "0123456789-=,()+*/^<>; \n\"abclM.#!%");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_as_in_python),
		cmocka_unit_test(numbers_stay_weak),
		cmocka_unit_test(squares_are_squares),
		cmocka_unit_test(results_have_names),
		cmocka_unit_test(messages_tell_the_place),
		cmocka_unit_test(targets_are_read),
		cmocka_unit_test(operands_have_names),
		cmocka_unit_test(depth_and_size_are_bounded),
		cmocka_unit_test(mutations_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
