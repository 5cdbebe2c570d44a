/* test_gufunc.c - signatures of gufuncs, and the table of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

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
		assert_int_equal(f->scans + f->takes + (f->run != NULL), 1);
		assert_int_equal(f->takes ? 2 : 1, x.nin);
	}
	assert_int_equal(axt_gufunc_SUM.result((enum axt_dtype[]){ AXT_C64 }), AXT_C64);
	assert_int_equal(axt_gufunc_MAX.result((enum axt_dtype[]){ AXT_C64 }), AXT_DTYPE_AUTO);
	assert_int_equal(axt_gufunc_SORT.result((enum axt_dtype[]){ AXT_U8 }), AXT_U8);
	assert_int_equal(axt_gufunc_INDEX.result((enum axt_dtype[]){ AXT_F16 }), AXT_I64);
	assert_int_equal(axt_gufunc_TAKE.result((enum axt_dtype[]){ AXT_I64, AXT_F32 }), AXT_F32);
	assert_int_equal(axt_gufunc_TAKE.result((enum axt_dtype[]){ AXT_I32, AXT_F32 }),
	    AXT_DTYPE_AUTO);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signatures),
		cmocka_unit_test(test_no_signatures),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests_name("gufunc", tests, NULL, NULL);
}
