/*
 * test_api.c - the library's face: what nodes it refuses, options that are zero, memory with
 * strides, metadata.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"

static double six[6] = { 1, 2, 3, 4, 5, 6 };
static const char *scratch = "scratch.nc";

static struct axt_expr *
matrix(struct axt_graph *g)
{
	return axt_tensor(g, AXT_F64, "y=2,x=3", six, NULL);
}

static void
check(struct axt_graph *g)
{
	if (axt_graph_error(g))
		fail_msg("%s", axt_graph_error(g));
}

static void
expect(struct axt_graph *g, struct axt_expr *e, const double *want, int n)
{
	double have[64];

	assert_int_equal(axt_eval(g, axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_ERROR), have,
			     (size_t)n * sizeof(*have)),
	    AXT_OK);
	assert_memory_equal(have, want, (size_t)n * sizeof(*have));
}

/* ---- nodes that are none ---- */

#define LIST(...)             \
	(struct axt_expr *[]) \
	{                     \
		__VA_ARGS__   \
	}
#define ROW(fn, ...)                      \
	case __COUNTER__ - FIRST:         \
		*name = #fn;              \
		(void)fn(g, __VA_ARGS__); \
		return true;
enum { FIRST = __COUNTER__ + 1 };

/*
 * Calls the k-th function that takes nodes, once for each place a node has. false after the last.
 */
static bool
use(int k, struct axt_graph *g, struct axt_expr *bad, const char **name)
{
	static const char *const names[] = { "a", "b" };
	struct axt_expr *ok = matrix(g), *out[4];
	struct axt_assignment to[2];
	static FILE *null;
	double v[6];

	null = null ? null : tmpfile();
	to[0] = (struct axt_assignment){ "none.nc:a", "=", ok };
	to[1] = (struct axt_assignment){ "none.nc:b", "=", bad };
	switch (k) {
		ROW(axt_bind, bad, 0, NULL, NULL)
		ROW(axt_bind, ok, 1, names, LIST(bad))
		ROW(axt_map, AXT_OP_ADD, 2, LIST(ok, bad))
		ROW(axt_map1, AXT_OP_SQRT, bad)
		ROW(axt_map2, AXT_OP_ADD, bad, ok)
		ROW(axt_map2, AXT_OP_ADD, ok, bad)
		ROW(axt_where, bad, ok, ok)
		ROW(axt_where, ok, bad, ok)
		ROW(axt_where, ok, ok, bad)
		ROW(axt_clip, bad, ok, ok)
		ROW(axt_clip, ok, bad, ok)
		ROW(axt_clip, ok, ok, bad)
		ROW(axt_fillnan, bad, ok)
		ROW(axt_fillnan, ok, bad)
		ROW(axt_onehot, bad, "n=3")
		ROW(axt_reduce, AXT_RED_SUM, bad, NULL)
		ROW(axt_reduce, AXT_RED_SUM, bad, &(struct axt_reduce_opts){ .by = ok })
		ROW(axt_hist, bad, NULL)
		ROW(axt_hist2d, bad, ok, NULL)
		ROW(axt_hist2d, ok, bad, NULL)
		ROW(axt_softmax, bad, "x")
		ROW(axt_scan, AXT_RED_SUM, bad, "x", NULL)
		ROW(axt_sort, bad, "x", false, false)
		ROW(axt_gradient, bad, "x")
		ROW(axt_call, "sort", LIST(bad), 1, (struct axt_arg[]){ { "along", "x", NULL } }, 1)
		ROW(axt_diff, bad, 1, "x")
		ROW(axt_convert, bad, "K", NULL)
		ROW(axt_field, bad, "x.month")
		ROW(axt_means_field, bad, "x.month")
		ROW(axt_weights_of, bad, "x.month")
		ROW(axt_set_coord_to, bad, "x", bad)
		ROW(axt_text_groups, bad)
		ROW(axt_compare_text, AXT_OP_EQ, bad, "text")
		ROW(axt_labels_of, bad, "x.month", NULL)
		ROW(axt_fillnan_along, bad, "x", false, 0, 0)
		ROW(axt_ffill, bad, "x", 0)
		ROW(axt_bfill, bad, "x", 0)
		ROW(axt_rank, bad, "x", AXT_RANK_MIN)
		ROW(axt_fft, bad, "x", NULL)
		ROW(axt_meet_dates, 2, LIST(bad, ok))
		ROW(axt_scan_linear, bad, ok, "x", NULL)
		ROW(axt_scan_linear, ok, bad, "x", NULL)
		ROW(axt_scan_by, AXT_RED_SUM, bad, ok, "x", NULL)
		ROW(axt_scan_by, AXT_RED_SUM, ok, bad, "x", NULL)
		ROW(axt_linalg, AXT_LINALG_SOLVE, LIST(bad, ok), NULL, out)
		ROW(axt_linalg, AXT_LINALG_SOLVE, LIST(ok, bad), NULL, out)
		ROW(axt_interp, bad, "x=0", NULL)
		ROW(axt_regrid, bad, 1, (const char *const[]){ "x=0" }, NULL, NULL)
		ROW(axt_trend, bad, NULL, "x", 0, out)
		ROW(axt_weights_of, bad, "area")
		ROW(axt_regrid_to, bad, &(struct axt_regrid_opts){ .to = "r4x2" })
		ROW(axt_eof, bad, NULL, out)
		ROW(axt_mca, bad, ok, NULL, out)
		ROW(axt_mca, ok, bad, NULL, out)
		ROW(axt_cov, bad, ok, NULL)
		ROW(axt_cov, ok, bad, NULL)
		ROW(axt_corr, bad, ok, NULL)
		ROW(axt_corr, ok, bad, NULL)
		ROW(axt_linfit, bad, ok, "x", 0, out)
		ROW(axt_linfit, ok, bad, "x", 0, out)
		ROW(axt_gufunc, "linfit", 2, LIST(bad, ok), NULL, out)
		ROW(axt_gufunc, "linfit", 2, LIST(ok, bad), NULL, out)
		ROW(axt_dot, bad, ok, NULL)
		ROW(axt_dot, ok, bad, NULL)
		ROW(axt_multi_dot, 3, LIST(ok, ok, bad), NULL)
		ROW(axt_transpose, bad)
		ROW(axt_order, bad, "x,y")
		ROW(axt_rename, bad, "x=z")
		ROW(axt_cast_axes, bad, "a,b")
		ROW(axt_widen, bad, AXT_F64)
		ROW(axt_cast_dtype, bad, AXT_F32, AXT_OVERFLOW_ERROR)
		ROW(axt_pack, bad, "i16", AXT_OVERFLOW_ERROR)
		ROW(axt_broadcast, bad, "x,y,z=2")
		ROW(axt_slice, bad, "x=0", false)
		ROW(axt_slices, bad, (const char *const[]){ "x=0" }, 1, false)
		ROW(axt_take_nearest, bad, "x,y", ok)
		ROW(axt_take_nearest, ok, "x,y", bad)
		ROW(axt_take, bad, "x", axt_number(g, "0"), false)
		ROW(axt_take_near, bad, "x", axt_number(g, "0"))
		ROW(axt_take_near, ok, "x", bad)
		ROW(axt_take, ok, "x", bad, false)
		ROW(axt_take, ok, "x", bad, true)
		ROW(axt_order_like, bad, ok)
		ROW(axt_order_like, ok, bad)
		ROW(axt_broadcast_like, bad, ok)
		ROW(axt_broadcast_like, ok, bad)
		ROW(axt_slice_like, bad, ok)
		ROW(axt_slice_like, ok, bad)
		ROW(axt_reindex_like, bad, ok, NULL)
		ROW(axt_reindex_like, ok, bad, NULL)
		ROW(axt_cast_like, bad, ok, AXT_OVERFLOW_ERROR)
		ROW(axt_cast_like, ok, bad, AXT_OVERFLOW_ERROR)
		ROW(axt_flip, bad, "x")
		ROW(axt_shift, bad, "x=1", false)
		ROW(axt_window, bad, "x=w:2", AXT_WINDOW_MIDDLE)
		ROW(axt_flatten, bad, "x,y")
		ROW(axt_unflatten, bad, "x=a:3,b:1")
		ROW(axt_reshape, bad, "a=6", 'C')
		ROW(axt_reshape, bad, "a=6", 'F')
		ROW(axt_reshape_rank, bad, 1, 'C')
		ROW(axt_squeeze, bad, NULL)
		ROW(axt_expand, bad, "n=1", 0)
		ROW(axt_pad, bad, "x=1", NULL, NULL)
		ROW(axt_concat, "x", 2, LIST(ok, bad))
		ROW(axt_stack, "n", 2, LIST(ok, bad), 0)
		ROW(axt_set_attr, bad, "a=b")
		ROW(axt_set_attr_values, bad, NULL, "a", NULL)
		ROW(axt_set_coord, bad, "x=0:1", NULL)
		ROW(axt_set_coord_values, bad, "x", NULL)
		ROW(axt_drop_coord, bad, "x")
		ROW(axt_set_fill, bad, "1")
		ROW(axt_set_name, bad, "a")
		ROW(axt_set_path, bad, "g/a")
		ROW(axt_calc, "a + b", names, LIST(ok, bad), 2, out, 4)
		ROW(axt_calc_mended, "np.a + b", names, LIST(ok, bad), 2)
		ROW(axt_calc_to, "a + b", names, LIST(ok, bad), 2, NULL, to, 2)
		ROW(axt_eval, bad, v, sizeof(v))
		ROW(axt_save, LIST(bad), 1, &(struct axt_save_opts){ .output = scratch })
		ROW(axt_save, LIST(ok, bad), 2, &(struct axt_save_opts){ .output = scratch })
		ROW(axt_save_ranks, LIST(bad), 1, &(struct axt_save_opts){ .output = scratch })
		ROW(axt_save_part, LIST(bad), 1, &(struct axt_save_opts){ .output = scratch },
		    &(struct axt_part_opts){ .part = "1/2" })
		ROW(axt_explain_part, LIST(bad), 1, &(struct axt_save_opts){ .output = scratch },
		    &(struct axt_part_opts){ .part = "1/2" }, stderr)
		ROW(axt_explain_ranks, LIST(bad), 1, &(struct axt_save_opts){ .output = scratch },
		    2, stderr)
		ROW(axt_to, LIST(bad), 1, "scratch.npy", NULL)
		ROW(axt_append, "none.nc", LIST(ok, bad), 2, NULL)
		ROW(axt_assign_all, to + 1, 1, NULL)
		ROW(axt_split, LIST(bad), 1, "x", "{}.nc", NULL)
		ROW(axt_split, LIST(ok, bad), 2, "x", "{}.nc", NULL)
		ROW(axt_check_split, LIST(bad), 1, "x", "{}.nc", NULL)
		ROW(axt_check_seeds, bad)
		ROW(axt_print, LIST(bad), 1, &(struct axt_print_opts){ .out = null })
		ROW(axt_plot, LIST(bad), 1, &(struct axt_plot_opts){ .out = null })
		ROW(axt_spark, LIST(bad), 1, &(struct axt_spark_opts){ .out = null })
		ROW(axt_explain, LIST(bad), 1, null)
		ROW(axt_explain_save, bad, null)
		ROW(axt_plan_print, LIST(bad), 1, null)
		ROW(axt_equal, bad, ok, NULL, NULL)
		ROW(axt_equal, ok, bad, NULL, NULL)
	}
	return false;
}

/* Nodes that stand in options, where NULL is none of them. */
static void
use_optional(int k, struct axt_graph *g, struct axt_expr *bad)
{
	struct axt_expr *ok = matrix(g), *out[AXT_EOF_RESULTS];

	if (k == 0)
		axt_reduce(g, AXT_RED_SUM, ok, &(struct axt_reduce_opts){ .weights = bad });
	else if (k == 1)
		axt_reduce(g, AXT_RED_SUM, ok, &(struct axt_reduce_opts){ .by = bad });
	else if (k == 2)
		axt_hist(g, ok, &(struct axt_hist_opts){ .weights = bad });
	else if (k == 3)
		axt_eof(g, ok, &(struct axt_eof_opts){ .over = "x", .weights = bad }, out);
	else
		axt_pad(g, ok, "x=1", NULL, bad);
}

static void
refused(struct axt_graph *g, const char *name, const char *words)
{
	double sum;

	if (axt_graph_code(g) != AXT_E_ARG || !strstr(axt_graph_error(g), words))
		fail_msg("%s of what \"%s\": %d, %s", name, words, (int)axt_graph_code(g),
		    axt_graph_error(g) ? axt_graph_error(g) : "no error");
	/* and the graph can be used again */
	axt_graph_clear(g);
	assert_null(axt_graph_error(g));
	assert_int_equal(
	    axt_eval(g, axt_reduce(g, AXT_RED_SUM, matrix(g), NULL), &sum, sizeof(sum)), AXT_OK);
	assert_true(sum == 21);
}

static void
every_function_refuses_what_is_no_node_of_its_graph(void **unused)
{
	static const char *const words[] = { "NULL", "another graph", "another graph",
		"before the error was cleared" };
	struct axt_graph *g = axt_graph_new(), *other = axt_graph_new();
	struct axt_expr *bad[4] = { NULL, matrix(other), axt_number(other, "x"),
		axt_number(g, "x") };
	const char *name = NULL;

	(void)unused;
	axt_graph_clear(g);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; use(k, g, bad[i], &name); k++)
			refused(g, name, words[i]);
		for (int k = 0; k < 5 && bad[i]; k++) {
			use_optional(k, g, bad[i]);
			refused(g, "an option", words[i]);
		}
		/* descriptions set no error */
		if (bad[i] && i != 1) {
			assert_int_equal(axt_expr_dtype(bad[i]), AXT_DTYPE_AUTO);
			assert_int_equal(axt_expr_rank(bad[i]), 0);
		}
	}
	assert_int_not_equal(access(scratch, F_OK), 0);
	axt_graph_free(other);
	axt_graph_free(g);
}

static void
descriptions_of_nothing_are_neutral(void **unused)
{
	struct axt_auxiliary along;
	struct axt_values v;
	int y = 7, x = 7;

	(void)unused;
	axt_plot_axes(NULL, &y, &x);
	assert_int_equal(y, -1);
	assert_int_equal(x, -1);
	assert_false(axt_plot_falls(NULL, NULL, 0, true));
	assert_null(axt_index_text(NULL, NULL, 0, 0));
	assert_int_equal(axt_expr_dtype(NULL), AXT_DTYPE_AUTO);
	assert_int_equal(axt_expr_rank(NULL), 0);
	assert_null(axt_expr_axis(NULL, 0));
	assert_int_equal(axt_expr_len(NULL, 0), -1);
	assert_null(axt_expr_name(NULL));
	assert_false(axt_expr_coord(NULL, 0, &v));
	assert_false(axt_expr_auxiliary(NULL, 0, &along));
	assert_false(axt_expr_attr(NULL, NULL, "units", &v));
	assert_null(axt_expr_attr_name(NULL, NULL, 0));
}

/* ---- options ---- */

static void
zeroed_options_are_no_options(void **unused)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = matrix(g), *e[2];
	struct axt_reduce_opts reduce;
	struct axt_scan_opts scan;
	struct axt_dot_opts dot;
	struct axt_hist_opts hist;
	struct axt_save_opts save;
	struct axt_from_opts from;
	double want[6] = { 1, 3, 6, 4, 9, 15 }, sum = 21;
	char npy[] = "npyXXXXXX";
	int fd = mkstemp(npy);

	(void)unused;
	memset(&reduce, 0, sizeof(reduce));
	memset(&scan, 0, sizeof(scan));
	memset(&dot, 0, sizeof(dot));
	memset(&hist, 0, sizeof(hist));
	memset(&save, 0, sizeof(save));
	memset(&from, 0, sizeof(from));
	expect(g, axt_reduce(g, AXT_RED_SUM, a, &reduce), &sum, 1);
	expect(g, axt_scan(g, AXT_RED_SUM, a, "x", &scan), want, 6);
	e[0] = axt_dot(g, a, a, &dot);
	e[1] = axt_dot(g, a, a, NULL);
	assert_int_equal(axt_expr_dtype(e[0]), AXT_F64);
	assert_int_equal(axt_equal(g, e[0], e[1], NULL, NULL), 0);
	e[0] = axt_hist(g, a, &hist);
	assert_int_equal(axt_expr_len(e[0], 0), 10);
	assert_int_equal(axt_equal(g, e[0], axt_hist(g, a, NULL), NULL, NULL), 0);
	/* bool is a dtype as any other */
	reduce.dtype = AXT_BOOL;
	assert_int_equal(axt_expr_dtype(axt_reduce(g, AXT_RED_SUM, a, &reduce)), AXT_BOOL);
	sum = 1;
	expect(g, axt_reduce(g, AXT_RED_SUM, a, &reduce), &sum, 1);
	save.output = scratch;
	assert_int_equal(axt_save(g, &a, 1, &save), AXT_OK);
	assert_int_equal(axt_equal(g, a, axt_open(g, scratch, NULL), NULL, NULL), 0);
	assert_int_equal(axt_to(g, &a, 1, npy, &(struct axt_to_opts){ .format = AXT_FORMAT_NPY }),
	    AXT_OK);
	e[0] = axt_from(g, npy, &from);
	assert_int_equal(axt_expr_dtype(e[0]), AXT_F64);
	check(g);
	/* raw values have no dtype of their own */
	from.format = AXT_FORMAT_RAW;
	from.to = "n=176";
	axt_from(g, npy, &from);
	assert_int_equal(axt_graph_code(g), AXT_E_SYNTAX);
	assert_non_null(strstr(axt_graph_error(g), "--dtype"));
	axt_graph_clear(g);
	from.dtype = AXT_BOOL;
	assert_int_equal(axt_expr_dtype(axt_from(g, npy, &from)), AXT_BOOL);
	check(g);
	close(fd);
	unlink(npy);
	unlink(scratch);
	axt_graph_free(g);
}

static void
printing_shows_all_or_the_head(void **unused)
{
	static const struct {
		int64_t head;
		int lines;
	} row[] = { { 0, 6 }, { 2, 2 }, { -1, 0 } };
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = matrix(g);

	(void)unused;
	for (int i = 0; i < 3; i++) {
		FILE *f = tmpfile();
		int c, lines = 0;

		axt_print(g, &a, 1,
		    &(struct axt_print_opts){ .out = f, .csv = true, .head = row[i].head });
		rewind(f);
		while ((c = getc(f)) != EOF)
			lines += c == '\n';
		assert_int_equal(lines, row[i].lines + 1); /* and that of the names */
		fclose(f);
	}
	check(g);
	axt_graph_free(g);
}

/* ---- memory ---- */

static void
memory_has_strides(void **unused)
{
	static const struct {
		const char *axes;
		int at;
		int64_t stride[3];
		int n;
		double want[12];
	} row[] = {
		{ "y=2,x=3", 0, { 3, 1 }, 6, { 1, 2, 3, 4, 5, 6 } },
		{ "x=3,y=2", 0, { 1, 3 }, 6, { 1, 4, 2, 5, 3, 6 } },
		{ "x=3", 5, { -2 }, 3, { 6, 4, 2 } },
		{ "y=2,x=3", 5, { -3, -1 }, 6, { 6, 5, 4, 3, 2, 1 } },
		{ "y=2,x=3", 3, { -3, 1 }, 6, { 4, 5, 6, 1, 2, 3 } },
		{ "r=2,x=3", 1, { 0, 2 }, 6, { 2, 4, 6, 2, 4, 6 } },
		{ "x=4", 2, { 0 }, 4, { 3, 3, 3, 3 } },
		{ "w=3,k=4", 0, { 1, 1 }, 12, { 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6 } },
		{ "", 4, { 0 }, 1, { 5 } },
		{ "x=1,y=2", 0, { 77, 5 }, 2, { 1, 6 } },
		{ "x=0,y=2", 0, { 1, INT64_MAX }, 0, { 0 } },
	};
	struct axt_graph *g = axt_graph_new();

	(void)unused;
	for (int i = 0; i < (int)(sizeof(row) / sizeof(*row)); i++) {
		struct axt_expr *e = axt_tensor(g, AXT_F64, row[i].axes, six + row[i].at,
		    row[i].stride);
		double sum = 0, have = 0;

		check(g);
		expect(g, e, row[i].want, row[i].n);
		for (int k = 0; k < row[i].n; k++)
			sum += row[i].want[k];
		assert_int_equal(
		    axt_eval(g, axt_reduce(g, AXT_RED_SUM, e, NULL), &have, sizeof(have)), AXT_OK);
		assert_true(have == sum);
		check(g);
	}
	for (int i = 0; i < 3; i++) {
		const int64_t far[] = { INT64_MAX, INT64_MIN, INT64_MAX / 2 };

		axt_tensor(g, AXT_F64, "x=4,y=2", six, (int64_t[]){ far[i], 1 });
		assert_int_equal(axt_graph_code(g), AXT_E_LIMIT);
		axt_graph_clear(g);
	}
	axt_graph_free(g);
}

/* ---- coordinates and attributes ---- */

static void
same_values(const struct axt_values *a, const struct axt_values *b)
{
	assert_int_equal(a->dtype, b->dtype);
	assert_int_equal(a->n, b->n);
	if (a->dtype) {
		assert_memory_equal(a->data, b->data, (size_t)a->n * axt_dtype_bytes(a->dtype));
		return;
	}
	for (int64_t i = 0; i < a->n; i++)
		assert_string_equal(((const char *const *)a->data)[i],
		    ((const char *const *)b->data)[i]);
}

static void
coordinates_come_from_memory_and_go_there(void **unused)
{
	static const int16_t years[] = { 1990, 1991 };
	static const char *const places[] = { "here", "there", "" };
	const struct axt_values num = { AXT_I16, 2, years }, text = { AXT_DTYPE_AUTO, 3, places };
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_set_name(g, matrix(g), "v");
	struct axt_values v;

	(void)unused;
	assert_false(axt_expr_coord(e, 0, &v));
	e = axt_set_coord_values(g, e, "y", &num);
	e = axt_set_coord_values(g, e, "x", &text);
	check(g);
	for (int k = 0; k < 2; k++) { /* of what was set, and of what was saved */
		assert_true(axt_expr_coord(e, 0, &v));
		same_values(&v, &num);
		assert_true(v.data != years);
		assert_true(axt_expr_coord(e, 1, &v));
		same_values(&v, &text);
		assert_false(axt_expr_coord(e, 2, &v));
		assert_false(axt_expr_coord(e, -1, &v));
		if (k == 0) {
			assert_int_equal(
			    axt_save(g, &e, 1, &(struct axt_save_opts){ .output = scratch }),
			    AXT_OK);
			e = axt_open(g, scratch, &(struct axt_open_opts){ .dataset = "v" });
			check(g);
		}
	}
	assert_false(axt_expr_coord(axt_set_coord_values(g, e, "x", NULL), 1, &v));
	expect(g, axt_slice(g, e, "y@1991", false), six + 3, 3);
	check(g);
	axt_set_coord_values(g, e, "y", &text);
	assert_int_equal(axt_graph_code(g), AXT_E_AXES);
	axt_graph_clear(g);
	axt_set_coord_values(g, e, "z", &text);
	assert_int_equal(axt_graph_code(g), AXT_E_NAME);
	axt_graph_clear(g);
	axt_set_coord_values(g, e, "y", &(struct axt_values){ AXT_NDTYPES, 2, years });
	assert_int_equal(axt_graph_code(g), AXT_E_DTYPE);
	unlink(scratch);
	axt_graph_free(g);
}

static void
attributes_come_from_memory_and_go_there(void **unused)
{
	static const uint64_t bytes[8] = { 1, 0 };
	static const char *const words[] = { "K", "one", "two" };
	const struct axt_values one = { AXT_DTYPE_AUTO, 1, words },
				three = { AXT_DTYPE_AUTO, 3, words };
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_set_coord(g, axt_set_name(g, matrix(g), "v"), "x=0:10", NULL);
	struct axt_auxiliary along;
	struct axt_values v;
	char name[32];
	int n = 0;

	(void)unused;
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
		snprintf(name, sizeof(name), "a_%s", axt_dtype_name((enum axt_dtype)d));
		e = axt_set_attr_values(g, e, NULL, name,
		    &(struct axt_values){ (enum axt_dtype)d, 3, bytes });
	}
	e = axt_set_attr_values(g, e, NULL, "units", &one);
	e = axt_set_attr_values(g, e, NULL, "words", &three);
	e = axt_set_attr_values(g, e, "x", "units", &one);
	e = axt_set_attr_values(g, e, "", "title", &one);
	check(g);
	assert_false(axt_expr_auxiliary(e, 0, &along));
	assert_true(axt_expr_auxiliary(axt_slice(g, e, "x=1", false), 0, &along));
	assert_string_equal(along.name, "x");
	assert_int_equal(along.rank, 0);
	same_values(&along.values, &(struct axt_values){ AXT_I64, 1, &(int64_t){ 10 } });
	assert_true(axt_expr_attr(axt_slice(g, e, "x=1", false), "x", "units", &v));
	same_values(&v, &one);
	assert_false(axt_expr_auxiliary(axt_slice(g, e, "x=1", false), 1, &along));
	for (int k = 0; k < 2; k++) {
		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
			snprintf(name, sizeof(name), "a_%s", axt_dtype_name((enum axt_dtype)d));
			if (!axt_expr_attr(e, NULL, name, &v))
				fail_msg("no attribute %s (%d)", name, k);
			/* a file keeps bool as i8 */
			same_values(&v,
			    &(struct axt_values){
				k == 1 && d == AXT_BOOL ? AXT_I8 : (enum axt_dtype)d, 3, bytes });
		}
		assert_true(axt_expr_attr(e, NULL, "units", &v));
		same_values(&v, &one);
		assert_true(axt_expr_attr(e, NULL, "words", &v));
		same_values(&v, &three);
		assert_true(axt_expr_attr(e, "x", "units", &v));
		same_values(&v, &one);
		assert_true(axt_expr_attr(e, "", "title", &v));
		same_values(&v, &one);
		assert_false(axt_expr_attr(e, "y", "units", &v));
		assert_false(axt_expr_attr(e, "none", "units", &v));
		assert_false(axt_expr_attr(e, NULL, "none", &v));
		if (k == 0) {
			assert_int_equal(
			    axt_save(g, &e, 1, &(struct axt_save_opts){ .output = scratch }),
			    AXT_OK);
			e = axt_open(g, scratch, &(struct axt_open_opts){ .dataset = "v" });
			check(g);
		}
	}
	while (axt_expr_attr_name(e, NULL, n))
		n++;
	assert_int_equal(n, AXT_NDTYPES - 1 + 2);
	e = axt_set_attr_values(g, e, NULL, "words", NULL);
	assert_false(axt_expr_attr(e, NULL, "words", &v));
	e = axt_set_attr_values(g, e, NULL, "_FillValue",
	    &(struct axt_values){ AXT_F64, 1, &(double){ -9 } });
	check(g);
	assert_int_equal(axt_save(g, &e, 1, &(struct axt_save_opts){ .output = scratch }), AXT_OK);
	check(g);
	axt_set_attr_values(g, e, "y", "units", &one);
	assert_int_equal(axt_graph_code(g), AXT_E_ARG); /* no coordinates to describe */
	axt_graph_clear(g);
	axt_set_attr_values(g, e, NULL, "", &one);
	assert_int_equal(axt_graph_code(g), AXT_E_SYNTAX);
	axt_graph_clear(g);
	axt_set_attr_values(g, e, NULL, "a", &(struct axt_values){ AXT_F32, -1, six });
	assert_int_equal(axt_graph_code(g), AXT_E_ARG);
	unlink(scratch);
	axt_graph_free(g);
}

/* ---- many runs ---- */

static long
resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

static void
runs_leave_nothing_behind(void **unused)
{
	const int runs = getenv("AXT_SANITIZER") ? 500 : 20000;
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = matrix(g), *e[4];
	double v[6];
	long before = 0;

	(void)unused;
	assert_int_equal(axt_save(g, &a, 1, &(struct axt_save_opts){ .output = scratch }), AXT_OK);
	a = axt_open(g, scratch, NULL);
	axt_graph_set_threads(g, 1);
	e[0] = axt_map2(g, AXT_OP_SUB, a,
	    axt_reduce(g, AXT_RED_MEAN, a, &(struct axt_reduce_opts){ .over = "x" }));
	e[1] = axt_order(g, axt_sort(g, a, "x", true, false), "x,y");
	e[2] = axt_map2(g, AXT_OP_MUL, axt_scan(g, AXT_RED_SUM, a, "y", NULL), axt_number(g, "2"));
	e[3] = axt_concat(g, "x", 3,
	    (struct axt_expr *[]){ axt_slice(g, a, "x=0:1", false), axt_slice(g, a, "x=2:3", false),
		axt_slice(g, a, "x=1:2", false) });
	for (int i = 0; i < runs; i++) {
		if (i == runs / 10)
			before = resident();
		if (axt_eval(g, e[i % 4], v, sizeof(v)) != AXT_OK)
			break;
	}
	check(g);
	if (!getenv("AXT_SANITIZER") && resident() - before > 256 * 1024)
		fail_msg("%d runs took %ld bytes", runs * 9 / 10, resident() - before);
	unlink(scratch);
	axt_graph_free(g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_refuses_what_is_no_node_of_its_graph),
		cmocka_unit_test(descriptions_of_nothing_are_neutral),
		cmocka_unit_test(zeroed_options_are_no_options),
		cmocka_unit_test(printing_shows_all_or_the_head),
		cmocka_unit_test(memory_has_strides),
		cmocka_unit_test(coordinates_come_from_memory_and_go_there),
		cmocka_unit_test(attributes_come_from_memory_and_go_there),
		cmocka_unit_test(runs_leave_nothing_behind),
	};

	char dir[] = "/tmp/axt-api-XXXXXX";
	int failed;

	if (!mkdtemp(dir) || chdir(dir))
		return 2;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return rmdir(dir) ? 2 : failed;
}
