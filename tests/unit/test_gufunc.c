/* test_gufunc.c - signatures of gufuncs, the table of them, several operands and results. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "axt_builds.h"
#include "gufunc/gufunc.h"

/* Axes of core k, as "mn". */
static void
assert_core(const struct axt_signature *x, int k, const char *axes)
{
	assert_int_equal(x->core[k].n, strlen(axes));
	assert_memory_equal(x->core[k].axis, axes, strlen(axes));
}

static void
test_signatures(void **state)
{
	struct axt_signature x;

	(void)state;
	assert_true(axt_signature_parse("(n)->(n)", &x));
	assert_int_equal(x.nin, 1);
	assert_int_equal(x.nout, 1);
	assert_core(&x, 0, "n");
	assert_core(&x, 1, "n");
	assert_true(axt_signature_parse("(n)->()", &x));
	assert_core(&x, 1, "");
	assert_true(axt_signature_parse("(m,m),(m,k)->(m,k)", &x));
	assert_int_equal(x.nin, 2);
	assert_int_equal(x.nout, 1);
	assert_core(&x, 0, "mm");
	assert_core(&x, 1, "mk");
	assert_core(&x, 2, "mk");
	assert_true(axt_signature_parse("(m,n)->(m,k),(k),(k,n)", &x));
	assert_int_equal(x.nin, 1);
	assert_int_equal(x.nout, 3);
	assert_core(&x, 1, "mk");
	assert_core(&x, 2, "k");
	assert_core(&x, 3, "kn");
}

static void
test_no_signatures(void **state)
{
	static const char *const no[] = { "", "(n)", "(n)->", "->(n)", "(n)->(n", "n->n",
		"(n)->(n),", "(n,)->(n)", "(,n)->(n)", "(N)->(n)", "(n)->(n) ", "(n)(m)->(n)",
		"(a,b,c,d,e)->()", "(a),(a),(a),(a),(a),(a),(a),(a)->(a)", "(n)->(n)->(n)" };
	struct axt_signature x;

	(void)state;
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(axt_signature_parse(no[i], &x));
}

static enum axt_dtype
result(const struct axt_gufunc *f, enum axt_dtype a, enum axt_dtype b)
{
	enum axt_dtype in[] = { a, b }, out[AXT_GUFUNC_TENSORS];

	return f->dtypes(in, out) ? out[0] : AXT_DTYPE_AUTO;
}

/* Each row has one way in which it is done, and tells how many operands it has. */
static void
test_rows(void **state)
{
	(void)state;
	assert_int_equal(axt_kern_init(NULL), 0);
	for (int i = 0; i < AXT_NGUFUNCS; i++) {
		const struct axt_gufunc *f = axt_gufuncs[i];
		struct axt_signature x = axt_gufunc_signature((enum axt_gufunc_id)i);

		assert_true(x.nin > 0 && x.nout > 0);
		assert_int_equal(f->scans + f->takes + (f->calls != NULL), 1);
		assert_true(f->like <= x.nin);
		if (!axt_gufunc_plain(f))
			assert_int_equal(f->takes ? 2 : 1, x.nin);
	}
	assert_int_equal(result(&axt_gufunc_SUM, AXT_C64, 0), AXT_C64);
	assert_int_equal(result(&axt_gufunc_MAX, AXT_C64, 0), AXT_DTYPE_AUTO);
	assert_int_equal(result(&axt_gufunc_SORT, AXT_U8, 0), AXT_U8);
	assert_int_equal(result(&axt_gufunc_INDEX, AXT_F16, 0), AXT_I64);
	assert_int_equal(result(&axt_gufunc_TAKE, AXT_I64, AXT_F32), AXT_F32);
	assert_int_equal(result(&axt_gufunc_TAKE, AXT_I32, AXT_F32), AXT_DTYPE_AUTO);
	assert_int_equal(result(&axt_gufunc_DIFF, AXT_F16, 0), AXT_F32);
	assert_int_equal(result(&axt_gufunc_DET, AXT_BF16, 0), AXT_F32);
	assert_int_equal(result(&axt_gufunc_DET, AXT_U64, 0), AXT_F64);
	assert_int_equal(result(&axt_gufunc_DET, AXT_C64, 0), AXT_C64);
	assert_int_equal(result(&axt_gufunc_LINFIT, AXT_I8, AXT_F32), AXT_F64);
	assert_int_equal(result(&axt_gufunc_LINFIT, AXT_I8, AXT_C64), AXT_DTYPE_AUTO);
}

/* ---- two operands and two results ---- */

#define NT 9
#define NX 70
static double t_values[NT], y_values[NT * NX], want[2][NX];

/* y = intercept + slope t and something that is at right angles to both. */
static void
points(struct axt_graph *g, struct axt_expr *p[2], bool transposed)
{
	for (int i = 0; i < NT; i++) {
		t_values[i] = 2 * i - 3;
		for (int x = 0; x < NX; x++) {
			want[0][x] = x - 30.;
			want[1][x] = 100 - x;
			y_values[transposed ? x * NT + i : i * NX + x] = want[1][x] +
			    want[0][x] * t_values[i] + (i == 0 || i == 8) - 2 * (i == 4);
		}
	}
	p[0] = axt_tensor(g, AXT_F64, "t=9", t_values, NULL);
	p[1] = axt_tensor(g, AXT_F64, transposed ? "x=70,t=9" : "t=9,x=70", y_values, NULL);
}

static void
near(const double *have, const double *should, double more)
{
	for (int x = 0; x < NX; x++)
		if (fabs(have[x] - should[x] - more) > 1e-9)
			fail_msg("%d: %.17g, not %.17g", x, have[x], should[x] + more);
}

static void
test_two_results(void **state)
{
	(void)state;
	for (int transposed = 0; transposed < 2; transposed++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *p[2], *r[2], *one = axt_number(g, "1"), *sum;
		double have[NX];

		points(g, p, transposed);
		/* what is done to operands before goes into the step's tiles */
		p[1] = axt_map2(g, AXT_OP_ADD, p[1], one);
		assert_int_equal(axt_linfit(g, p[0], p[1], "t", 0, r), AXT_OK);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(axt_eval(g, r[k], have, sizeof(have)), AXT_OK);
			near(have, want[k], k);
		}
		sum = axt_map2(g, AXT_OP_ADD, r[0], r[1]);
		assert_int_equal(axt_eval(g, sum, have, sizeof(have)), AXT_OK);
		for (int x = 0; x < NX; x++)
			want[0][x] += want[1][x];
		near(have, want[0], 1);
		axt_graph_free(g);
	}
}

/* Both results come from one step. */
static void
test_shared(void **state)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *p[2], *r[2];
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	points(g, p, false);
	assert_int_equal(axt_linfit(g, p[0], p[1], "t", 0, r), AXT_OK);
	assert_int_equal(axt_explain(g, r, 2, f), AXT_OK);
	fclose(f);
	assert_non_null(strstr(text, "gufunc -> f64, f64"));
	assert_non_null(strstr(text, "linfit: n=9"));
	assert_null(strstr(strstr(text, "gufunc ->") + 1, "gufunc ->"));
	free(text);
	axt_graph_free(g);
}

/* NaN is left out where asked for; too few points give NaN; an error says where. */
static void
test_missing_and_refused(void **state)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *p[2], *r[2];
	double have[NX];

	(void)state;
	points(g, p, false);
	y_values[3 * NX + 5] = NAN;
	for (int i = 1; i < NT; i++)
		y_values[i * NX + 6] = NAN;
	assert_int_equal(axt_linfit(g, p[0], p[1], "t", 1, r), AXT_OK);
	assert_int_equal(axt_eval(g, r[0], have, sizeof(have)), AXT_OK);
	assert_true(fabs(have[5] - want[0][5]) < 1 && isnan(have[6]) && !isnan(have[7]));
	assert_int_equal(axt_linfit(g, p[0], p[1], "t", -1, r), AXT_OK);
	assert_int_equal(axt_eval(g, r[0], have, sizeof(have)), AXT_OK);
	assert_true(isnan(have[5]) && isnan(have[6]) && !isnan(have[7]));
	/* x over two axes, of which one index has the same everywhere */
	for (int i = 0; i < NT; i++)
		for (int x = 0; x < NX; x++)
			y_values[i * NX + x] = x == 66 ? 1 : i;
	assert_int_equal(axt_linfit(g, p[1], p[0], "t", -1, r), AXT_OK);
	assert_int_equal(axt_eval(g, r[1], have, sizeof(have)), AXT_E_ARG);
	assert_non_null(strstr(axt_graph_error(g), "at x=66: all points have the same x"));
	axt_graph_free(g);
}

/* Two core axes of one letter, around, before and behind the loop axis. */
static void
test_two_core_axes(void **state)
{
	static const double values[] = { 0, 1, 2, 3, 4, 2, 8, 6 }, want_det[] = { -2, 8 };
	static const char *const order[] = { "t,i,j", "i,j,t", "j,i,t", "i,t,j", "j,t,i" };

	(void)state;
	for (int k = 0; k < 5; k++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = axt_order(g,
				    axt_tensor(g, AXT_F64, "t=2,i=2,j=2", values, NULL), order[k]),
				*by[2] = { NULL };
		double have[2];

		assert_int_equal(axt_linalg(g, AXT_LINALG_DET, &a,
				     &(struct axt_linalg_opts){ .row = "i", .col = "j" }, &by[0]),
		    AXT_OK);
		assert_int_equal(
		    axt_gufunc(g, "det", 1, &a, &(struct axt_gufunc_opts){ .core = "j,i" }, &by[1]),
		    AXT_OK);
		for (int n = 0; n < 2; n++) {
			assert_int_equal(axt_eval(g, by[n], have, sizeof(have)), AXT_OK);
			assert_memory_equal(have, want_det, sizeof(have));
		}
		axt_graph_free(g);
	}
}

/* By name, with what a user can do wrong. */
static void
test_by_name(void **state)
{
	static const double six[] = { 1, 4, 9, 16, 25, 36 }, second[] = { 2, 2, 2, 2 };
	struct axt_gufunc_opts o = { .core = "x", .n = { 2 } };
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = axt_tensor(g, AXT_F64, "x=6", six, NULL), *r[2];
	double have[4];

	(void)state;
	assert_int_equal(axt_gufunc(g, "diff", 1, &a, &o, r), AXT_OK);
	assert_int_equal(axt_eval(g, r[0], have, sizeof(have)), AXT_OK);
	assert_memory_equal(have, second, sizeof(have));
	for (int k = 0; k < 5; k++) {
		static const char *const name[] = { "diff", "diff", "sort", "linfit", "diff" };
		static const char *const core[] = { "y", "x,y,z", "x", "x", NULL };

		o = (struct axt_gufunc_opts){ .core = core[k], .n = { 1 } };
		assert_int_not_equal(axt_gufunc(g, name[k], 1, &a, &o, r), AXT_OK);
		axt_graph_clear(g);
		a = axt_tensor(g, AXT_F64, "x=6", six, NULL);
	}
	o = (struct axt_gufunc_opts){ .core = "x" };
	assert_int_equal(axt_gufunc(g, "diff", 1, &a, &o, r), AXT_E_ARG);
	axt_graph_free(g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signatures),
		cmocka_unit_test(test_no_signatures),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_two_results),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_missing_and_refused),
		cmocka_unit_test(test_two_core_axes),
		cmocka_unit_test(test_by_name),
	};

	return cmocka_run_group_tests_name("gufunc", tests, NULL, NULL);
}
