/* test_view.c - strides, flattening, joint simplification. Cases are in tests/cases/layout.tsv. */
#include "rows.h"

#include "view/view.h"

/* "2,3,4", or "-" for nothing. */
static int
numbers(const char *s, int64_t out[AXT_MAX_RANK])
{
	int n = 0;
	char *end;

	if (!strcmp(s, "-"))
		return 0;
	for (;; s = end + 1) {
		out[n++] = strtoll(s, &end, 10);
		if (*end != ',')
			return n;
	}
}

static void
show(char *got, size_t cap, const char *key, int n, const int64_t *v)
{
	size_t at = strlen(got);

	at += (size_t)snprintf(got + at, cap - at, "%s%s=", at ? " " : "", key);
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, cap - at, "%s%lld", i ? "," : "", (long long)v[i]);
	if (!n)
		snprintf(got + at, cap - at, "-");
}

/* The nth view of a row; false when its layout is refused. */
static bool
view_of(const char *words, int nth, struct axt_view *v, int64_t *count)
{
	int64_t size[AXT_MAX_RANK];
	char word[512];
	bool sized;

	memset(v, 0, sizeof(*v));
	assert_true(row_param(words, "shape", nth, word, sizeof(word)));
	v->nd = numbers(word, v->shape);
	if (row_param(words, "stride", nth, word, sizeof(word))) {
		assert_int_equal(numbers(word, v->stride), v->nd);
		if (row_param(words, "offset", nth, word, sizeof(word)))
			v->offset = strtoll(word, NULL, 10);
		return true;
	}
	sized = row_param(words, "size", nth, word, sizeof(word));
	if (sized)
		numbers(word, size);
	assert_true(row_param(words, "order", nth, word, sizeof(word)));
	return axt_view_layout(v, v->nd, v->shape, sized ? size : NULL, *word, count);
}

static void
run(char *f[], char *got, size_t cap)
{
	const char *op = f[ROW_OP], *params = f[ROW_PARAMS];
	struct axt_view v, w, *both[2] = { &v, &w };
	int64_t count = 0, lo, hi, index[AXT_MAX_RANK];
	bool barrier[AXT_MAX_RANK] = { false };
	int perm[AXT_MAX_RANK];
	char a[512] = "", b[512] = "";

	*got = '\0';
	if (!view_of(f[ROW_IN], 0, &v, &count)) {
		snprintf(got, cap, "none");
	} else if (!strcmp(op, "layout")) {
		show(got, cap, "stride", v.nd, v.stride);
		if (strstr(f[ROW_WANT], "count="))
			show(got, cap, "count", 1, &count);
	} else if (!strcmp(op, "flatten")) {
		assert_true(row_param(params, "lo", 0, a, sizeof(a)) &&
		    row_param(params, "hi", 0, b, sizeof(b)));
		if (!axt_view_flatten(&v, atoi(a), atoi(b), &w)) {
			snprintf(got, cap, "copy");
			return;
		}
		show(got, cap, "shape", w.nd, w.shape);
		show(got, cap, "stride", w.nd, w.stride);
	} else if (!strcmp(op, "permute")) {
		assert_true(row_param(params, "perm", 0, a, sizeof(a)));
		numbers(a, index);
		for (int i = 0; i < v.nd; i++)
			perm[i] = (int)index[i];
		axt_view_permute(&v, perm, &w);
		show(got, cap, "shape", w.nd, w.shape);
		show(got, cap, "stride", w.nd, w.stride);
	} else if (!strcmp(op, "index")) {
		assert_true(row_param(params, "at", 0, a, sizeof(a)));
		numbers(a, index);
		if (axt_view_index(&v, index, &lo))
			snprintf(got, cap, "%lld", (long long)lo);
		else
			snprintf(got, cap, "none");
	} else if (!strcmp(op, "bounds")) {
		if (axt_view_bounds(&v, &lo, &hi))
			snprintf(got, cap, "%lld..%lld", (long long)lo, (long long)hi);
		else
			snprintf(got, cap, "none");
	} else if (!strcmp(op, "one_loop")) {
		view_of(f[ROW_IN], 1, &w, &count);
		snprintf(got, cap, axt_view_one_loop(&v, &w) ? "true" : "false");
	} else if (!strcmp(op, "simplify")) {
		view_of(f[ROW_IN], 1, &w, &count);
		if (row_param(params, "barrier", 0, a, sizeof(a)))
			barrier[atoi(a)] = true;
		axt_view_simplify(2, both, barrier);
		show(got, cap, "shape", v.nd, v.shape);
		show(got, cap, "stride", v.nd, v.stride);
		show(got, cap, "stride", w.nd, w.stride);
	} else {
		snprintf(got, cap, "no such operation");
	}
}

static int
right(char *f[], char *got, size_t cap)
{
	run(f, got, cap);
	return !strcmp(got, f[ROW_WANT]);
}

static void
test_rows(void **state)
{
	int rows;

	(void)state;
	assert_int_equal(row_all("layout.tsv", right, &rows), 0);
	assert_true(rows >= 40);
}

/* What would say yes to everything is no test. */
static void
test_wrong_rows_fail(void **state)
{
	char *bad[][ROW_COLUMNS] = {
		{ "x", "layout", "shape=2,3 order=C", "-", "stride=1,2" },
		{ "x", "layout", "shape=2,3 order=C size=2,8", "-", "stride=8,1 count=6" },
		{ "x", "flatten", "shape=3,2 stride=1,3", "lo=0 hi=2", "shape=6 stride=1" },
		{ "x", "index", "shape=2 stride=1", "at=2", "2" },
		{ "x", "one_loop", "shape=2,3 stride=3,1 shape=2,3 stride=1,2", "-", "true" },
		{ "x", "mistyped", "shape=2 stride=1", "-", "true" },
	};
	char got[256];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(right(bad[i], got, sizeof(got)));
}

static uint32_t
next(uint32_t *s)
{
	return (*s = *s * 1664525u + 1013904223u) >> 8;
}

/* Offsets of all elements in row-major order. */
static int
walk(const struct axt_view *v, int64_t out[], int cap)
{
	int64_t index[AXT_MAX_RANK] = { 0 };
	int n = 0, k;

	for (;;) {
		assert_true(n < cap && axt_view_index(v, index, &out[n++]));
		for (k = v->nd - 1; k >= 0 && ++index[k] == v->shape[k]; k--)
			index[k] = 0;
		if (k < 0)
			return n;
	}
}

/* Whatever is merged, every view gives the same elements in the same order. */
static void
test_simplify_keeps_elements(void **state)
{
	static int64_t before[3][4096], after[4096];
	uint32_t seed = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct axt_view v[3], *p[3] = { &v[0], &v[1], &v[2] };
		int nd = (int)(next(&seed) % 6), n = 0, m;
		int64_t shape[AXT_MAX_RANK], size[AXT_MAX_RANK];
		bool barrier[AXT_MAX_RANK] = { false };

		for (int k = 0; k < nd; k++) {
			shape[k] = 1 + next(&seed) % 4;
			barrier[k] = next(&seed) % 5 == 0;
		}
		for (int i = 0; i < 3; i++) {
			for (int k = 0; k < nd; k++)
				size[k] = shape[k] + (next(&seed) % 6 == 0);
			assert_true(axt_view_layout(&v[i], nd, shape, size,
			    next(&seed) % 4 ? 'C' : 'F', NULL));
			for (int k = 0; k < nd; k++)
				if (next(&seed) % 8 == 0)
					v[i].stride[k] = 0;
			n = walk(&v[i], before[i], ARRAY_LEN(after));
		}
		m = axt_view_simplify(3, p, barrier);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(v[i].nd, m);
			assert_int_equal(walk(&v[i], after, ARRAY_LEN(after)), n);
			assert_memory_equal(after, before[i], (size_t)n * sizeof(*after));
		}
	}
}

static void
test_flatten_keeps_elements(void **state)
{
	static int64_t before[4096], after[4096];
	uint32_t seed = 9;
	int views = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct axt_view v, w;
		int nd = 1 + (int)(next(&seed) % 5), lo = (int)(next(&seed) % (uint32_t)nd), n;
		int hi = lo + 1 + (int)(next(&seed) % (uint32_t)(nd - lo));
		int64_t shape[AXT_MAX_RANK], size[AXT_MAX_RANK];

		for (int k = 0; k < nd; k++) {
			shape[k] = 1 + next(&seed) % 4;
			size[k] = shape[k] + (next(&seed) % 8 == 0);
		}
		assert_true(
		    axt_view_layout(&v, nd, shape, size, next(&seed) % 3 ? 'C' : 'F', NULL));
		if (!axt_view_flatten(&v, lo, hi, &w))
			continue;
		views++;
		n = walk(&v, before, ARRAY_LEN(before));
		assert_int_equal(w.nd, nd - (hi - lo) + 1);
		assert_int_equal(walk(&w, after, ARRAY_LEN(after)), n);
		assert_memory_equal(after, before, (size_t)n * sizeof(*after));
	}
	assert_true(views > 500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_wrong_rows_fail),
		cmocka_unit_test(test_simplify_keeps_elements),
		cmocka_unit_test(test_flatten_keeps_elements),
	};

	return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
