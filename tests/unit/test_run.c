/*
 * test_run.c - expressions, plans and the evaluator through the public API, on tensors in memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "axt_cmd.h"

static uint64_t state = 88172645463325252u;

static double
noise(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(int64_t)state / 9.2e18;
}

static float *
random_f32(int64_t n)
{
	float *x = malloc((size_t)n * sizeof(*x));

	assert_non_null(x);
	for (int64_t i = 0; i < n; i++)
		x[i] = (float)(noise() * (i % 7 == 0 ? 1e6 : 1));
	return x;
}

static void
check(struct axt_graph *g)
{
	if (axt_graph_error(g))
		fail_msg("%s", axt_graph_error(g));
}

/* Neumaier: what blocks are merged by. */
static void
add(double *s, double *c, double x)
{
	double t = *s + x, b = t - *s;

	*c += (*s - (t - b)) + (x - b);
	*s = t;
}

/* One block of a run: 16 lanes, added pairwise. */
static double
block(const float *x, int64_t n)
{
	double lane[16] = { 0 };

	for (int64_t i = 0; i < n; i++)
		lane[i % 16] += (double)x[i];
	for (int w = 8; w; w /= 2)
		for (int i = 0; i < w; i++)
			lane[i] += lane[i + w];
	return lane[0];
}

static float
run_sum(const float *x, int64_t n)
{
	double s = 0, c = 0;

	for (int64_t i = 0; i < n; i += 1024)
		add(&s, &c, block(x + i, n - i < 1024 ? n - i : 1024));
	return (float)(s + c);
}

static void
sums_follow_the_contract(void **unused)
{
	enum { A = 37, B = 3001 };
	float *x = random_f32((int64_t)A * B), all, rows[A], cols[B];
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_tensor(g, AXT_F32, "a=37,b=3001", x, NULL);

	(void)unused;
	axt_eval(g, axt_reduce(g, AXT_RED_SUM, e, NULL), &all, sizeof(all));
	axt_eval(g, axt_reduce(g, AXT_RED_SUM, e, &(struct axt_reduce_opts){ .over = "b" }), rows,
	    sizeof(rows));
	axt_eval(g, axt_reduce(g, AXT_RED_SUM, e, &(struct axt_reduce_opts){ .over = "a" }), cols,
	    sizeof(cols));
	check(g);
	assert_true(all == run_sum(x, (int64_t)A * B));
	for (int i = 0; i < A; i++)
		assert_true(rows[i] == run_sum(x + (int64_t)i * B, B));
	for (int j = 0; j < B; j++) {
		double s = 0, c = 0;

		for (int i = 0; i < A; i++)
			add(&s, &c, (double)x[i * B + j]);
		assert_true(cols[j] == (float)(s + c));
	}
	axt_graph_free(g);
	free(x);
}

/* Every reduction, every set of kept axes, by several threads and tiles: one answer. */
static void
bits_do_not_depend_on_threads_or_tiles(void **unused)
{
	enum { N = 7 * 31 * 5 * 67 };
	static const char *const over[] = { "", "a", "b", "c", "d", "a,b", "b,d", "a,c", "c,d",
		"a,b,c", "b,c,d", "a,b,c,d" };
	static const char *const tiles[] = { "1", "1000", "4097" };
	float *x = random_f32(N), *first = malloc(N * 8), *other = malloc(N * 8);

	(void)unused;
	assert_non_null(first);
	assert_non_null(other);
	for (int op = 0; op < AXT_NREDS; op++)
		for (size_t o = 0; o < sizeof(over) / sizeof(*over); o++)
			for (int k = 0; k < 5; k++) {
				struct axt_graph *g = axt_graph_new();
				struct axt_expr *e, *r;
				size_t bytes = axt_dtype_bytes(AXT_F32);

				if (k == 0)
					unsetenv("AXT_TILE");
				else
					setenv("AXT_TILE", tiles[k % 3], 1);
				axt_graph_set_threads(g, 1 + k % 4);
				e = axt_order(g,
				    axt_tensor(g, AXT_F32, "a=7,b=31,c=5,d=67", x, NULL),
				    k == 4 ? "a,b,c,d" : "a,...");
				r = axt_reduce(g, (enum axt_red)op,
				    axt_map2(g, AXT_OP_ADD, e, axt_number(g, "0.5")),
				    &(struct axt_reduce_opts){ .over = over[o] });
				check(g);
				bytes = axt_dtype_bytes(axt_expr_dtype(r));
				for (int i = 0; i < axt_expr_rank(r); i++)
					bytes *= (size_t)axt_expr_len(r, i);
				axt_eval(g, r, k ? other : first, bytes);
				check(g);
				if (k && memcmp(first, other, bytes) != 0)
					fail_msg("reduction %d over \"%s\" differs with %d threads",
					    op, over[o], 1 + k % 4);
				axt_graph_free(g);
			}
	unsetenv("AXT_TILE");
	free(x);
	free(first);
	free(other);
}

static void
operands_meet_by_name(void **unused)
{
	enum { C = 3, H = 17, W = 50, N = 29 };
	float *x = random_f32(C * H * W * N), *y = random_f32(W * H),
	      *z = malloc(sizeof(float) * C * H * W * N);
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_map2(g, AXT_OP_SUB,
	    axt_tensor(g, AXT_F32, "c=3,h=17,w=50,n=29", x, NULL),
	    axt_tensor(g, AXT_F32, "w=50,h=17", y, NULL));

	(void)unused;
	axt_eval(g, e, z, sizeof(float) * C * H * W * N);
	check(g);
	for (int c = 0; c < C; c++)
		for (int h = 0; h < H; h++)
			for (int w = 0; w < W; w++)
				for (int n = 0; n < N; n++) {
					int64_t at = ((c * H + h) * W + w) * N + n;

					assert_true(z[at] == x[at] - y[w * H + h]);
				}
	axt_eval(g, axt_order(g, e, "n,w,...,c"), z, sizeof(float) * C * H * W * N);
	check(g);
	for (int n = 0; n < N; n++)
		for (int w = 0; w < W; w++)
			for (int h = 0; h < H; h++)
				for (int c = 0; c < C; c++)
					assert_true(z[((n * W + w) * H + h) * C + c] ==
					    x[((c * H + h) * W + w) * N + n] - y[w * H + h]);
	axt_graph_free(g);
	free(x);
	free(y);
	free(z);
}

/* A reduction inside an expression is made first and used like any tensor. */
static void
reductions_meet_maps_again(void **unused)
{
	float x[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13 }, y[12], mean[3];
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = axt_tensor(g, AXT_F32, "t=4,x=3", x, NULL), *m;

	(void)unused;
	m = axt_reduce(g, AXT_RED_MEAN, a, &(struct axt_reduce_opts){ .over = "t" });
	axt_eval(g, m, mean, sizeof(mean));
	axt_eval(g, axt_map2(g, AXT_OP_SUB, a, m), y, sizeof(y));
	check(g);
	for (int i = 0; i < 12; i++)
		assert_true(y[i] == x[i] - mean[i % 3]);
	axt_graph_free(g);
}

enum { CX = 13, CY = 37, CZ = 129, CHAINS = 7 };

/*
 * Reductions that meet maps again: expression k of x, the values before each reduction by keep().
 */
static struct axt_expr *
chain(struct axt_graph *g, int k, struct axt_expr *x, const char *over,
    struct axt_expr *(*keep)(struct axt_graph *g, struct axt_expr *e))
{
	struct axt_reduce_opts o = { .over = over };
	struct axt_expr *m = keep(g, axt_reduce(g, AXT_RED_MEAN, x, &o)),
			*d = axt_map2(g, AXT_OP_SUB, x, m), *s;

	switch (k) {
	case 0:
		return axt_map1(g, AXT_OP_SQRT,
		    keep(g, axt_reduce(g, AXT_RED_MEAN, axt_map1(g, AXT_OP_SQUARE, d), &o)));
	case 1: return axt_reduce(g, AXT_RED_MAX, axt_map1(g, AXT_OP_ABSOLUTE, d), &o);
	case 2: return d;
	case 3: return axt_map2(g, AXT_OP_DIV, d, keep(g, axt_reduce(g, AXT_RED_STD, x, &o)));
	case 4: /* three levels, a result used by two steps */
		s = keep(g, axt_reduce(g, AXT_RED_STD, d, &o));
		d = axt_map2(g, AXT_OP_DIV, d, s);
		return axt_map2(g, AXT_OP_ADD, axt_reduce(g, AXT_RED_ARGMAX, d, &o), m);
	case 5: /* the axes that stay in another order */
		return axt_order(g,
		    axt_map1(g, AXT_OP_NEGATIVE, keep(g, axt_reduce(g, AXT_RED_RMS, d, &o))),
		    *over == 'x' && !over[1] ? "z,y" : "...");
	default: /* what is wanted of one index needs all of another axis */
		return axt_reduce(g, AXT_RED_SUM,
		    axt_map2(g, AXT_OP_MUL, d, keep(g, axt_reduce(g, AXT_RED_MEAN, m, NULL))), &o);
	}
}

static struct axt_expr *
as_is(struct axt_graph *g, struct axt_expr *e)
{
	(void)g;
	return e;
}

/* A step run apart. */
static struct axt_expr *
apart(struct axt_graph *g, struct axt_expr *e)
{
	static char axes[8][64];
	static int next;
	char *a = axes[next++ % 8];
	size_t n = axt_dtype_bytes(axt_expr_dtype(e)), at = 0;
	static double room[8][CX * CZ * CY];
	double *p = room[next % 8];

	a[0] = 0;
	for (int i = 0; i < axt_expr_rank(e); i++) {
		at += (size_t)snprintf(a + at, 64 - at, "%s%s=%d", i ? "," : "",
		    axt_expr_axis(e, i), (int)axt_expr_len(e, i));
		n *= (size_t)axt_expr_len(e, i);
	}
	axt_eval(g, e, p, n);
	return axt_tensor(g, axt_expr_dtype(e), a, p, NULL);
}

static size_t
bytes_of(const struct axt_expr *e)
{
	size_t n = axt_dtype_bytes(axt_expr_dtype(e));

	for (int i = 0; i < axt_expr_rank(e); i++)
		n *= (size_t)axt_expr_len(e, i);
	return n;
}

/* Steps that run together, band by band, give the bits of steps run apart. */
static void
bands_do_not_show(void **unused)
{
	static const char *const over[] = { "x", "y", "z", "y,z", "x,z", "x,y", "x,y,z" };
	static const char *const tiles[] = { NULL, "1", "50", "700", "5000" };
	static const enum axt_dtype types[] = { AXT_F32, AXT_F64, AXT_I16, AXT_F16 };
	float *x = random_f32(CX * CY * CZ);
	uint8_t *first = malloc(CX * CY * CZ * 8), *other = malloc(CX * CY * CZ * 8);

	(void)unused;
	assert_non_null(first);
	assert_non_null(other);
	for (size_t i = 0; i < CX * CY * CZ; i++)
		x[i] = i % 7 ? x[i] * 100 : 3;
	for (size_t i = 0; i < CHAINS * 7 * 4; i++)
		for (int k = -1; k < 5; k++) {
			struct axt_graph *g = axt_graph_new();
			struct axt_expr *e = axt_tensor(g, AXT_F32, "x=13,y=37,z=129", x, NULL);

			if (k < 1)
				unsetenv("AXT_TILE");
			else
				setenv("AXT_TILE", tiles[k], 1);
			if (k == 1 && i % 7 > 0) /* slow */
				k++;
			axt_graph_set_threads(g, 1 + (k + 1) % 3);
			e = axt_cast_dtype(g, e, types[i / 49], AXT_OVERFLOW_SATURATE);
			e = chain(g, (int)(i / 7 % 7), e, over[i % 7], k < 0 ? apart : as_is);
			check(g);
			axt_eval(g, e, k < 0 ? first : other, bytes_of(e));
			check(g);
			if (k >= 0 && memcmp(first, other, bytes_of(e)) != 0)
				fail_msg("chain %d over \"%s\" of %s differs with tiles of %s",
				    (int)(i / 7 % 7), over[i % 7], axt_dtype_name(types[i / 49]),
				    tiles[k] ? tiles[k] : "any size");
			axt_graph_free(g);
		}
	unsetenv("AXT_TILE");
	free(x);
	free(first);
	free(other);
}

static void
one_pass_where_the_shape_allows(void **unused)
{
	static const struct {
		const char *axes, *over, *want;
	} row[] = {
		{ "x=200,y=100,z=512", "x",
		    "pass 1 of 1: 3 steps per band of 2 x 512 of y, z (100, 512)" },
		{ "x=100,y=300,z=512", "z",
		    "pass 1 of 1: 3 steps per band of 1 x 300 of x, y (100, 300)" },
		{ "x=100,y=300,z=512", "y,z", "pass 1 of 1: 3 steps per band of 1 of x (100)" },
		{ "x=100,y=300,z=512", "", "pass 3 of 3: map" },
		{ "x=30000,y=10,z=512", "x", "pass 3 of 3: map" },
	};
	static float nothing;
	char text[4000];

	(void)unused;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *e;
		FILE *f = tmpfile();

		axt_graph_set_threads(g, 2);
		e = chain(g, 0, axt_tensor(g, AXT_F32, row[i].axes, &nothing, NULL),
		    *row[i].over ? row[i].over : NULL, as_is);
		axt_explain(g, &e, 1, f);
		check(g);
		rewind(f);
		text[fread(text, 1, sizeof(text) - 1, f)] = 0;
		if (!strstr(text, row[i].want))
			fail_msg("%s over %s: no \"%s\" in\n%s", row[i].axes, row[i].over,
			    row[i].want, text);
		fclose(f);
		axt_graph_free(g);
	}
}

/* Results of one graph share what they read, and are those of each alone. */
static void
several_results_share_passes(void **unused)
{
	enum { N = 7, A = 30, B = 50 };
	char path[] = "/tmp/axt-test.XXXXXX", text[4000];
	float *x = random_f32(A * B), *alone = malloc(A * B * 8), *saved = malloc(A * B * 8);
	struct axt_graph *g = axt_graph_new(), *f = axt_graph_new();
	struct axt_expr *e[N], *t = axt_tensor(g, AXT_F32, "a=30,b=50", x, NULL);
	FILE *out = tmpfile();
	int fd = mkstemp(path);

	(void)unused;
	assert_true(fd >= 0);
	close(fd);
	e[0] = axt_map1(g, AXT_OP_EXP, t);
	e[1] = axt_reduce(g, AXT_RED_MEAN, t, &(struct axt_reduce_opts){ .over = "a" });
	e[2] = axt_map2(g, AXT_OP_SUB, t, e[1]); /* result 1 again, inside */
	e[3] = axt_map1(g, AXT_OP_SQRT,
	    axt_reduce(g, AXT_RED_MAX, t, &(struct axt_reduce_opts){ .over = "a" }));
	e[4] = axt_reduce(g, AXT_RED_ARGMIN, t, &(struct axt_reduce_opts){ .to = "b" });
	e[5] = axt_reduce(g, AXT_RED_SUM, t, &(struct axt_reduce_opts){ .to = "b,a" });
	e[6] = axt_map1(g, AXT_OP_NEGATIVE, t);
	for (int i = 0; i < N; i++)
		e[i] = axt_set_name(g, e[i], (char[]){ (char)('p' + i), 0 });
	axt_explain(g, e, N, out);
	rewind(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = 0;
	if (!strstr(text, "reduces: mean, max, argmin of 30") || !strstr(text, "map -> f32, f32"))
		fail_msg("%s", text);
	axt_save(g, e, N, &(struct axt_save_opts){ .output = path });
	check(g);
	for (int i = 0; i < N; i++) {
		struct axt_expr *s = axt_open(f, path,
		    &(struct axt_open_opts){ .dataset = (char[]){ (char)('p' + i), 0 } });

		axt_eval(g, e[i], alone, bytes_of(e[i]));
		axt_eval(f, s, saved, bytes_of(e[i]));
		check(g);
		check(f);
		assert_memory_equal(alone, saved, bytes_of(e[i]));
	}
	axt_graph_free(g);
	axt_graph_free(f);
	fclose(out);
	unlink(path);
	free(x);
	free(alone);
	free(saved);
}

static void
numbers_are_weak(void **unused)
{
	static const struct {
		enum axt_dtype t;
		const char *number;
		enum axt_dtype want;
	} row[] = {
		{ AXT_F32, "2", AXT_F32 },
		{ AXT_F32, "0.1", AXT_F32 },
		{ AXT_I16, "2", AXT_I16 },
		{ AXT_I16, "0.5", AXT_F64 },
		{ AXT_BOOL, "2", AXT_I64 },
		{ AXT_F16, "1e3", AXT_F16 },
		{ AXT_U8, "300", AXT_DTYPE_AUTO },
		{ AXT_C64, "1.5", AXT_C64 },
	};
	static const uint8_t zeros[64];

	(void)unused;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *e = axt_map2(g, AXT_OP_MUL,
		    axt_tensor(g, row[i].t, "x=2", zeros, NULL), axt_number(g, row[i].number));

		assert_int_equal(axt_expr_dtype(e), row[i].want);
		axt_graph_free(g);
	}
}

static void
u64_compares_exactly_with_i64(void **unused)
{
	static const int64_t a[4] = { -1, 9007199254740993, INT64_MAX, 5 };
	static const uint64_t b[4] = { UINT64_MAX, 9007199254740992u, (uint64_t)INT64_MAX + 1, 5 };
	static const enum axt_op op[6] = { AXT_OP_EQ, AXT_OP_NE, AXT_OP_LT, AXT_OP_LE, AXT_OP_GT,
		AXT_OP_GE };
	static const uint8_t want[6][4] = { { 0, 0, 0, 1 }, { 1, 1, 1, 0 }, { 1, 0, 1, 0 },
		{ 1, 0, 1, 1 }, { 0, 1, 0, 0 }, { 0, 1, 0, 1 } };
	static const int swapped[6] = { 0, 1, 4, 5, 2, 3 };

	(void)unused;
	for (int k = 0; k < 6; k++) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *x = axt_tensor(g, AXT_I64, "x=4", a, NULL),
				*y = axt_tensor(g, AXT_U64, "x=4", b, NULL);
		uint8_t got[4];

		axt_eval(g, axt_map2(g, op[k], x, y), got, sizeof(got));
		check(g);
		assert_memory_equal(got, want[k], 4);
		axt_eval(g, axt_map2(g, op[swapped[k]], y, x), got, sizeof(got));
		check(g);
		assert_memory_equal(got, want[k], 4);
		axt_graph_free(g);
	}
}

static void
fails(struct axt_graph *g, enum axt_code code, const char *part)
{
	assert_int_equal(axt_graph_code(g), code);
	assert_non_null(strstr(axt_graph_error(g), part));
	axt_graph_free(g);
}

static void
errors_stick(void **unused)
{
	static const int32_t v[6] = { 1, 2, 0, 4, 5, 6 };
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = axt_tensor(g, AXT_I32, "x=6", v, NULL),
			*b = axt_tensor(g, AXT_I32, "x=3", v, NULL), *bad;
	int32_t out[6];

	(void)unused;
	bad = axt_map2(g, AXT_OP_ADD, a, b);
	assert_ptr_equal(axt_map1(g, AXT_OP_SQRT, bad), bad);
	fails(g, AXT_E_AXES, "\"x\" has length 6 in memory and 3 in memory");

	g = axt_graph_new();
	a = axt_tensor(g, AXT_I32, "x=2,y=3", v, NULL);
	axt_eval(g, axt_map2(g, AXT_OP_FLOORDIV, a, a), out, sizeof(out));
	fails(g, AXT_E_RANGE, "division by zero in floordiv at x=0, y=2");

	g = axt_graph_new();
	a = axt_make(g, "iota", "x=100000,y=100000", AXT_F32, -1);
	b = axt_make(g, "iota", "z=100000", AXT_F32, -1);
	axt_explain(g,
	    (struct axt_expr *[]){ axt_map2(g, AXT_OP_ADD,
		axt_reduce(g, AXT_RED_MAX, a, &(struct axt_reduce_opts){ .over = "y" }), b) },
	    1, stderr);
	fails(g, AXT_E_LIMIT, "share too few axes");

	g = axt_graph_new();
	axt_graph_set_memory(g, 1 << 20);
	a = axt_make(g, "random", "x=1000,y=1000", AXT_F64, 1);
	a = axt_map2(g, AXT_OP_SUB,
	    axt_reduce(g, AXT_RED_SUM, a, &(struct axt_reduce_opts){ .over = "" }), a);
	axt_explain(g, &a, 1, stderr);
	fails(g, AXT_E_LIMIT, "bound is 1 MiB");
}

/* Values of a random tensor belong to their index: any order, any part gives the same. */
static void
random_belongs_to_the_index(void **unused)
{
	double a[60], b[60];
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_make(g, "random", "x=5,y=12", AXT_F64, 42);

	(void)unused;
	axt_eval(g, e, a, sizeof(a));
	axt_eval(g, axt_order(g, e, "y,x"), b, sizeof(b));
	check(g);
	for (int i = 0; i < 60; i++) {
		assert_true(a[i] == b[i % 12 * 5 + i / 12]);
		assert_true(a[i] >= -1 && a[i] <= 1);
	}
	axt_graph_free(g);
}

static void
dot_contracts(void **unused)
{
	enum { A = 401, B = 30, C = 19, D = 530 };
	float *x = random_f32(A * B * C), *y = random_f32(C * D * B),
	      *z = malloc(sizeof(float) * A * D);
	float *t = malloc(sizeof(float) * A * D);
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e = axt_dot(g, axt_tensor(g, AXT_F32, "a=401,b=30,c=19", x, NULL),
	    axt_tensor(g, AXT_F32, "c=19,d=530,b=30", y, NULL), NULL);

	(void)unused;
	axt_graph_set_threads(g, 1);
	axt_eval(g, e, z, sizeof(float) * A * D);
	axt_graph_set_threads(g, 3);
	axt_eval(g, e, t, sizeof(float) * A * D);
	check(g);
	assert_memory_equal(z, t, sizeof(float) * A * D);
	for (int i = 0; i < A; i += 50)
		for (int j = 0; j < D; j += 33) {
			double s = 0, m = 0;

			for (int b = 0; b < B; b++)
				for (int c = 0; c < C; c++) {
					double p = (double)x[(i * B + b) * C + c] *
					    (double)y[(c * D + j) * B + b];

					s += p;
					m += p < 0 ? -p : p;
				}
			assert_true((double)z[i * D + j] - s < 1e-5 * m &&
			    s - (double)z[i * D + j] < 1e-5 * m);
		}
	axt_graph_free(g);
	free(x);
	free(y);
	free(z);
	free(t);
}

/* Conversion, masks and scaling in one kernel give what they give one after another. */
static void
unpacking_is_one_kernel_with_the_bits_of_three(void **unused)
{
	enum { N = 5000 };
	static const enum axt_dtype from[] = { AXT_I8, AXT_U8, AXT_I16, AXT_U16 },
				    to[] = { AXT_F32, AXT_F64 };
	uint16_t x[N];
	double step[N], a[N], b[N];

	(void)unused;
	for (int i = 0; i < N; i++)
		x[i] = (uint16_t)(int32_t)(noise() * 60000);
	for (int k = 0; k < 4 * 2 * 3; k++) {
		enum axt_dtype f = from[k % 4], d = to[k / 4 % 2];
		struct axt_graph *g = axt_graph_new();
		size_t bytes = N * axt_dtype_bytes(d);
		struct axt_expr *t = axt_tensor(g, f, "x=5000", x, NULL), *scale, *offset, *miss,
				*e, *m;

		scale = axt_cast_dtype(g, axt_number(g, "0.013"), d, AXT_OVERFLOW_ERROR);
		offset = axt_cast_dtype(g, axt_number(g, "273.15"), d, AXT_OVERFLOW_ERROR);
		miss = axt_cast_dtype(g, axt_number(g, "17"), d, AXT_OVERFLOW_ERROR);
		e = axt_cast_dtype(g, t, d, AXT_OVERFLOW_ERROR);
		axt_eval(g, e, step, bytes);
		m = axt_tensor(g, d, "x=5000", step, NULL);
		for (int j = 0; j < k / 8; j++) {
			e = axt_map2(g, AXT_OP_MASK, e, miss);
			m = axt_map2(g, AXT_OP_MASK, m, miss);
			miss = axt_cast_dtype(g, axt_number(g, "100"), d, AXT_OVERFLOW_ERROR);
		}
		e = axt_map(g, AXT_OP_UNPACK, 3, (struct axt_expr *[]){ e, scale, offset });
		m = axt_map(g, AXT_OP_UNPACK, 3, (struct axt_expr *[]){ m, scale, offset });
		axt_eval(g, e, a, bytes);
		axt_eval(g, m, b, bytes);
		check(g);
		for (int i = 0; i < N; i++)
			if (d == AXT_F64 ? a[i] != b[i] && (a[i] == a[i] || b[i] == b[i])
					 : ((float *)a)[i] != ((float *)b)[i] &&
				    (((float *)a)[i] == ((float *)a)[i] ||
					((float *)b)[i] == ((float *)b)[i]))
				fail_msg("dtype %d to %d differs at %d", f, d, i);
		axt_graph_free(g);
	}
}

/* What progress was told, and how often in the last half. */
struct told {
	double last;
	int late;
	bool fell;
};

static void
note(void *ctx, double done)
{
	struct told *t = ctx;

	t->fell = t->fell || done < t->last || done > 1;
	t->last = done;
	t->late += done > 0.5;
}

static void
progress_goes_on_while_chunks_are_compressed(void **unused)
{
	enum { CHUNKS = 40 };
	struct axt_save_opts o = { .compress = "deflate:1", .chunk = "y=1" };
	char name[] = "/tmp/axt-test-XXXXXX";
	int fd = mkstemp(name);

	(void)unused;
	assert_true(fd >= 0);
	close(fd);
	o.output = name;
	for (int threads = 1; threads <= 3; threads += 2) {
		struct axt_graph *g = axt_graph_new();
		struct axt_expr *e = axt_make(g, "random", "y=40,x=30000", 7, AXT_F32);
		struct told t = { 0 };

		axt_graph_set_threads(g, threads);
		axt_graph_on_progress(g, note, &t);
		axt_save(g, &e, 1, &o);
		check(g);
		assert_false(t.fell);
		if (t.last < 0.9 || t.late < CHUNKS / 3)
			fail_msg("progress ends at %g, %d times told", t.last, t.late);
		axt_graph_free(g);
	}
	unlink(name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_follow_the_contract),
		cmocka_unit_test(bits_do_not_depend_on_threads_or_tiles),
		cmocka_unit_test(operands_meet_by_name),
		cmocka_unit_test(reductions_meet_maps_again),
		cmocka_unit_test(bands_do_not_show),
		cmocka_unit_test(one_pass_where_the_shape_allows),
		cmocka_unit_test(several_results_share_passes),
		cmocka_unit_test(numbers_are_weak),
		cmocka_unit_test(u64_compares_exactly_with_i64),
		cmocka_unit_test(errors_stick),
		cmocka_unit_test(random_belongs_to_the_index),
		cmocka_unit_test(dot_contracts),
		cmocka_unit_test(progress_goes_on_while_chunks_are_compressed),
		cmocka_unit_test(unpacking_is_one_kernel_with_the_bits_of_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
