/*
 * test_operations.c - the rows of operations: what they say of themselves, words read by them, and
 * calls by name beside the functions that they call.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"
#include "kern/kern.h"

static double six[6] = { 3, 1, 2, 6, 5, 4 };

static struct axt_expr *
matrix(struct axt_graph *g)
{
	return axt_tensor(g, AXT_F64, "y=2,x=3", six, NULL);
}

/* The names in a list with blanks between, each of which a parameter must have. */
static void
are_params(const struct axt_operation *op, const char *names)
{
	for (const char *s = names; s && *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " "), name = strcspn(s, "= ");
		int i = axt_param_named(op, s, name);
		char word[40];

		snprintf(word, sizeof(word), "%.*s", (int)(n - name), s + name + (name < n));
		word[name < n ? n - name - 1 : 0] = '\0';
		if (i < 0 || (name < n && axt_choice(op->params[i].words, word) < 0))
			fail_msg("%s has no parameter \"%.*s\"", op->name, (int)n, s);
		s += n;
	}
}

static void
param_is_whole(const struct axt_operation *op, const struct axt_param *p)
{
	static const size_t sizes[] = { [AXT_PARAM_TENSOR] = sizeof(void *),
		[AXT_PARAM_AXES] = sizeof(void *),
		[AXT_PARAM_FLAG] = sizeof(bool),
		[AXT_PARAM_CHOICE] = sizeof(int),
		[AXT_PARAM_INTEGER] = sizeof(int64_t),
		[AXT_PARAM_NUMBER] = sizeof(double),
		[AXT_PARAM_DTYPE] = sizeof(enum axt_dtype),
		[AXT_PARAM_TEXT] = sizeof(void *),
		[AXT_PARAM_SPECS] = sizeof(struct axt_specs),
		[AXT_PARAM_VALUE] = sizeof(void *),
		[AXT_PARAM_NUMBERS] = sizeof(void *),
		[AXT_PARAM_LABELS] = sizeof(struct axt_label_list) };

	if (p->at + sizes[p->type] > op->size || strchr(p->name, '-') || !p->help[0] ||
	    (p->type == AXT_PARAM_CHOICE) > (p->words != NULL))
		fail_msg("%s of %s is not whole", p->name, op->name);
	are_params(op, p->excludes);
	are_params(op, p->needs);
}

/* Parameters have a bit each, and a row each in the table of options, which one more row ends. */
static void
are_few(const struct axt_param *p)
{
	int n = 0;

	while (p[n].name)
		n++;
	assert_true(n >= 0 && n <= AXT_MOST_PARAMS - 1);
}

static void
rows_are_whole(void **state)
{
	const struct axt_operation *op;
	const struct axt_alias *alias;
	int n = 0;

	(void)state;
	for (; (op = axt_operation_row(n)); n++) {
		are_few(op->params);
		if (axt_operation_chooser(op))
			are_few(axt_operation_chooser(op)->all.params);
		if (!op->line[0] || !op->operands ||
		    !op->build + !op->build_all + !op->build_of != 2 ||
		    !op->results == (op->build_all != NULL) ||
		    axt_operation_named(op->name, &alias) != op || alias)
			fail_msg("%s is not whole", op->name);
		if ((op->flags & AXT_OPERATION_NUMBERS) &&
		    strcmp(axt_ops[op->kind].name, op->name) != 0)
			fail_msg("%s is computed of numbers as %s", op->name,
			    axt_ops[op->kind].name);
		for (const struct axt_param *p = op->params; p->name; p++)
			param_is_whole(op, p);
		for (const struct axt_alias *a = op->aliases; a && a->name; a++)
			if (axt_operation_named(a->name, &alias) != op || alias != a)
				fail_msg("%s is not found", a->name);
	}
	assert_true(n > 150);
	assert_null(axt_operation_row(-1));
	assert_null(axt_operation_named("frobnicate", &alias));
}

static void
expect(struct axt_graph *g, int n, struct axt_expr *e, struct axt_expr *same)
{
	double have[16] = { 0 }, want[16] = { 0 };

	assert_int_equal(axt_eval(g, e, have, (size_t)n * sizeof(*have)), AXT_OK);
	assert_int_equal(axt_eval(g, same, want, (size_t)n * sizeof(*want)), AXT_OK);
	assert_memory_equal(have, want, sizeof(have));
}

#define CALL(name, ...)                                             \
	axt_call(g, name, &a, 1, (struct axt_arg[]){ __VA_ARGS__ }, \
	    sizeof((struct axt_arg[]){ __VA_ARGS__ }) / sizeof(struct axt_arg))
static void
calls_are_the_functions(void **state)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = matrix(g);

	(void)state;
	expect(g, 6, CALL("sort", { "along", "x", NULL }, { "descending", "true", NULL }),
	    axt_sort(g, a, "x", true, false));
	expect(g, 4, CALL("diff", { "along", "x", NULL }), axt_diff(g, a, 1, "x"));
	expect(g, 2, CALL("diff", { "order", "2", NULL }, { "along", "x", NULL }),
	    axt_diff(g, a, 2, "x"));
	expect(g, 6, CALL("rank", { "along", "x", NULL }, { "method", "dense", NULL }),
	    axt_rank(g, a, "x", AXT_RANK_DENSE));
	expect(g, 6, CALL("shift", { "specs", "x=1", NULL }, { "specs", "y=1", NULL }),
	    axt_shift(g, axt_shift(g, a, "x=1", false), "y=1", false));
	expect(g, 8, CALL("pad", { "specs", "x=1,0", NULL }, { "value", "7", NULL }),
	    axt_pad(g, a, "x=1,0", "constant", axt_number(g, "7")));
	expect(g, 2, CALL("trend", { "along", "x", NULL }, { "result", "slope", NULL }),
	    CALL("slope", { "along", "x", NULL }));
	expect(g, 6, CALL("flip", { "axes", "x,y", NULL }), axt_flip(g, a, "x,y"));
	a = CALL("rfft", { "along", "x", NULL });
	expect(g, 6, CALL("irfft", { "along", "freq_x", NULL }, { "length", "3", NULL }),
	    axt_fft(g, a, "freq_x",
		&(struct axt_fft_opts){ .inverse = true, .real = true, .length = 3 }));
	axt_graph_free(g);
}

/* What is wrong with a call is an error that names it, and no node. */
static void
wrong_calls(void **state)
{
	static const struct {
		const char *name, *param, *text, *says;
	} rows[] = {
		{ "frobnicate", "along", "x", "there is no operation \"frobnicate\"" },
		{ "sort", "descending", "true", "sort needs along=AXIS" },
		{ "sort", "sideways", "x", "sort has no parameter \"sideways\"" },
		{ "sort", "descending", "maybe",
		    "sort: descending= takes true or false, not \"maybe\"" },
		{ "diff", "order", "0",
		    "diff: order= takes a whole number from 1 to 2147483647, not \"0\"" },
		{ "diff", "order", "1.5",
		    "diff: order= takes a whole number from 1 to 2147483647, not \"1.5\"" },
		{ "rank", "method", "odd",
		    "rank: method= takes average|min|max|dense|ordinal, not \"odd\"" },
		{ "fft", "spacing", "-1", "fft: spacing= takes a number from 0, not \"-1\"" },
		{ "fft", "spacing", "nan", "fft: spacing= takes a number from 0, not \"nan\"" },
		{ "flip", "axes", NULL, "flip: axes= takes a text, not \"nothing\"" },
		{ "expand", "axes", "0",
		    "expand: \"0\" is a position, and the new axis has a name" },
		{ "shift", "fixed", "true", "shift needs AXIS=N" },
		{ "pad", "value", "odd", "\"odd\" is not a number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *a = matrix(g);

		assert_non_null(CALL(rows[i].name, { rows[i].param, rows[i].text, NULL }));
		if (!axt_graph_error(g) || strcmp(axt_graph_error(g), rows[i].says) != 0)
			fail_msg("%s: %s", rows[i].name, axt_graph_error(g));
		axt_graph_free(g);
	}
}

/* length goes with inverse and real. */
static void
what_goes_together(void **state)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = matrix(g);

	(void)state;
	CALL("fft", { "along", "x", NULL }, { "length", "3", NULL }, { "inverse", "true", NULL });
	assert_string_equal(axt_graph_error(g), "fft: length= goes with real=");
	axt_graph_clear(g);
	CALL("pad", { "specs", "x=1", NULL }, { "mode", "edge", NULL }, { "value", "1", NULL });
	assert_string_equal(axt_graph_error(g), "pad: value= goes with mode=constant, not edge");
	axt_graph_clear(g);
	CALL("trend", { "along", "x", NULL });
	assert_string_equal(axt_graph_error(g), "trend has the results slope intercept detrend");
	axt_graph_clear(g);
	CALL("flip", { "axes", "x", NULL }, { "result", "slope", NULL });
	assert_string_equal(axt_graph_error(g), "flip has one result");
	axt_graph_clear(g);
	CALL("shift", { "specs", "x=1", NULL }, { "specs", "x=2", NULL });
	assert_string_equal(axt_graph_error(g), "shift: axis \"x\" is named twice: x=1 and x=2");
	axt_graph_clear(g);
	CALL("slice", { "specs", "x=1", axt_make(g, "iota", "x=2", AXT_I32, 0) });
	assert_string_equal(axt_graph_error(g),
	    "slice: a tensor stands behind \"x=\", and \"1\" as well");
	axt_graph_clear(g);
	CALL("order", { "axes", "x,y", NULL }, { "like", NULL, a });
	assert_string_equal(axt_graph_error(g), "order: like= takes no axes");
	axt_graph_clear(g);
	expect(g, 6,
	    axt_call(g, "broadcast_like", (struct axt_expr *[]){ a, axt_order(g, a, "x,y") }, 2,
		NULL, 0),
	    axt_order(g, a, "x,y"));
	assert_non_null(axt_call(g, "sort", NULL, 0, NULL, 0));
	assert_string_equal(axt_graph_error(g), "sort takes 1 tensors, not 0");
	axt_graph_free(g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(calls_are_the_functions),
		cmocka_unit_test(wrong_calls),
		cmocka_unit_test(what_goes_together),
	};

	return cmocka_run_group_tests_name("operations", tests, NULL, NULL);
}
