/*
 * test_device.c - what a device computes beside what the CPU does: every operation, conversion and
 * reduction in every dtype, and how operands reach it. Here a C compiler plays the device, and
 * NVRTC, where there is one, compiles programs too; with AXT_CONFORM=cuda a GPU runs them.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/device.h"
#include "graph/graph.h"

enum { N = 1500, MOST = 16 }; /* elements of a column of values; results at once */
static char dump[] = "/tmp/axt-dump.XXXXXX";
static bool gpu;

static uint64_t
noise(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Values of every size, with what is special among floats; whole numbers in range for the rest. */
static void
fill(void *p, enum axt_dtype d, int64_t n, bool tame)
{
	static const double odd[] = { 0, -0.0, NAN, INFINITY, -INFINITY, 1, -1, 0.5, 2.5, -2.5,
		1e-3 };
	int parts = axt_dtypes[d].cls == AXT_CLASS_COMPLEX ? 2 : 1;
	enum axt_dtype real = d == AXT_C64 ? AXT_F32 : d == AXT_C128 ? AXT_F64 : d;

	for (int64_t i = 0; i < n * parts; i++) {
		double v = (double)(int64_t)noise() / 9.3e18 *
		    (tame ? 8 : exp2((double)(noise() % 24)));
		struct axt_num x = { .f = v };

		if (axt_dtypes[d].cls < AXT_CLASS_FLOAT) {
			x = (struct axt_num){ .is_int = true, .i = (int64_t)(noise() % 251) - 125 };
			if (axt_dtypes[d].cls == AXT_CLASS_UINT)
				x.i += 125;
			if (d == AXT_BOOL)
				x.i = (int64_t)(noise() % 2);
			x.u = (uint64_t)x.i;
			x.f = (double)x.i;
		} else if (!tame && i % 13 == 0) {
			x.f = odd[noise() % ARRAY_LEN(odd)];
		}
		axt_num_store(&x, real, (uint8_t *)p + i * axt_size(real));
	}
}

/* ---- the same on both ---- */

typedef int build_fn(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx);

/* n results of both devices, each in out[device][k]; the number, or -1 when both failed alike. */
static int
run_both(build_fn *build, const void *ctx, uint8_t *out[2][MOST], struct axt_expr *like[MOST],
    struct axt_graph *g[2])
{
	struct axt_mem_sink m[MOST];
	struct axt_sink *sink[MOST];
	int n = 0;

	for (int d = 0; d < 2; d++) {
		struct axt_expr *e[MOST];

		g[d] = axt_graph_new();
		assert_non_null(g[d]);
		axt_graph_set_device(g[d], d ? AXT_DEVICE_CUDA : AXT_DEVICE_CPU);
		axt_graph_set_threads(g[d], 2);
		n = build(g[d], e, ctx);
		for (int k = 0; k < n; k++) {
			int64_t bytes;

			if (axt_bad(e[k]))
				fail_msg("%s", axt_graph_error(g[d]));
			bytes = axt_count(e[k]) * axt_size(e[k]->dtype);
			like[k] = e[k];
			out[d][k] = calloc(1, (size_t)bytes + 1);
			assert_non_null(out[d][k]);
			axt_mem_sink_init(&m[k], out[d][k], bytes);
			sink[k] = &m[k].sink;
		}
		axt_run(g[d], e, n, sink);
	}
	if (g[0]->err.code || g[1]->err.code)
		assert_string_equal(g[0]->err.text, g[1]->err.text);
	if (!g[0]->err.code)
		return n;
	for (int k = 0; k < 2 * n; k++)
		free(out[k / n][k % n]);
	return -1;
}

static double
eps(enum axt_dtype d)
{
	return d == AXT_F16                ? 0x1p-10
	    : d == AXT_BF16                ? 0x1p-7
	    : d == AXT_F32 || d == AXT_C64 ? 0x1p-23
					   : 0x1p-52;
}

/*
 * How many units in the last place two elements differ by; integers: 0, or more than anyone allows.
 */
static double
apart(enum axt_dtype d, const uint8_t *p, const uint8_t *q)
{
	enum axt_dtype real = d == AXT_C64 ? AXT_F32 : AXT_F64;
	double x[2] = { 0 }, y[2] = { 0 }, diff, size;
	int parts = axt_dtypes[d].cls == AXT_CLASS_COMPLEX ? 2 : 1;

	if (memcmp(p, q, (size_t)axt_size(d)) == 0)
		return 0;
	if (axt_dtypes[d].cls < AXT_CLASS_FLOAT)
		return 1e300;
	for (int i = 0; i < parts; i++) {
		x[i] = axt_load_f64(parts == 2 ? real : d, p + i * axt_size(real) * (parts - 1));
		y[i] = axt_load_f64(parts == 2 ? real : d, q + i * axt_size(real) * (parts - 1));
		if (isnan(x[i]) && isnan(y[i]))
			x[i] = y[i] = 0;
		if (x[i] == y[i])
			x[i] = y[i] = isinf(x[i]) ? 0 : x[i];
	}
	diff = hypot(x[0] - y[0], x[1] - y[1]);
	size = fmax(hypot(y[0], y[1]),
	    d == AXT_F16                        ? 0x1p-14
		: d == AXT_F64 || d == AXT_C128 ? 0x1p-1022
						: 0x1p-126);
	return diff / size / eps(d);
}

/* bound: units in the last place; 0: the same bits. false: both failed, for the same reason. */
static bool
same(build_fn *build, const void *ctx, const char *what, double bound)
{
	struct axt_expr *like[MOST];
	struct axt_graph *g[2];
	uint8_t *out[2][MOST];
	int n = run_both(build, ctx, out, like, g), had = n < 0 ? 0 : n;

	for (int k = 0; k < had; k++) {
		enum axt_dtype d = like[k]->dtype;
		int size = axt_size(d);

		for (int64_t i = 0; i < axt_count(like[k]); i++) {
			double u = apart(d, out[1][k] + i * size, out[0][k] + i * size);
			char got[AXT_TEXT], want[AXT_TEXT];

			if (u <= bound)
				continue;
			axt_value_text(got, d, out[1][k] + i * size);
			axt_value_text(want, d, out[0][k] + i * size);
			fail_msg("%s: result %d, %s, element %lld: %s, not %s (%g units apart)",
			    what, k, axt_dtypes[d].name, (long long)i, got, want, u);
		}
	}
	for (int d = 0; d < 2; d++) {
		for (int k = 0; k < had; k++)
			free(out[d][k]);
		axt_graph_free(g[d]);
	}
	return n >= 0;
}

/* ---- operations ---- */

struct batch {
	enum axt_dtype d, to;
	enum axt_overflow mode;
	int op[MOST], n;
	void *x[3];
	const char *axes, *over;
	bool skip, weighted;
};

static int
build_ops(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;
	struct axt_expr *x[3];

	for (int i = 0; i < 3; i++)
		x[i] = axt_tensor(g, b->d, "i=1500", b->x[i], NULL);
	for (int k = 0; k < b->n; k++)
		/* lgamma has zeros at negative numbers, near which its error is one of 1 */
		e[k] = b->op[k] == AXT_OP_LGAMMA
		    ? axt_map1(g, AXT_OP_LGAMMA, axt_map1(g, AXT_OP_ABSOLUTE, x[0]))
		    : axt_map(g, (enum axt_op)b->op[k], axt_ops[b->op[k]].arity, x);
	return b->n;
}

/* Only the divisor of integers has to be neither 0 nor negative. */
static void
operands(struct batch *b, bool tame)
{
	for (int i = 0; i < 3; i++) {
		b->x[i] = calloc(N, 16);
		assert_non_null(b->x[i]);
		fill(b->x[i], b->d, N, tame);
	}
	if (axt_dtypes[b->d].cls < AXT_CLASS_FLOAT)
		for (int64_t i = 0; i < N; i++) {
			struct axt_num v = { .is_int = true,
				.i = b->d == AXT_BOOL ? 1 : 1 + (int64_t)(noise() % 9) };

			v.u = (uint64_t)v.i;
			v.f = (double)v.i;
			axt_num_store(&v, b->d, (uint8_t *)b->x[1] + i * axt_size(b->d));
		}
}

static void
release(struct batch *b)
{
	for (int i = 0; i < 3; i++)
		free(b->x[i]);
}

/*
 * The bound of an operation. A power of complex numbers is exp(b log a), and b log a multiplies
 * the error of its logarithm.
 */
static double
ulp_of(int op, enum axt_dtype d)
{
	bool product = op == AXT_OP_POW && axt_dtypes[d].cls == AXT_CLASS_COMPLEX;

	return product ? 100 : axt_ops[op].ulp;
}

static void
ops_agree(void **unused)
{
	(void)unused;
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
		for (int exact = 0; exact < 2; exact++)
			for (int op = 0; op < AXT_NOPS;) {
				struct batch b = { .d = (enum axt_dtype)d };
				struct axt_op_types t;
				double ulp = 0;
				char what[64];

				for (; op < AXT_NOPS && b.n < MOST; op++)
					if (!axt_ops[op].internal &&
					    exact == (axt_ops[op].ulp <= 0.5) &&
					    axt_op_types((enum axt_op)op, b.d, &t)) {
						b.op[b.n++] = op;
						ulp = fmax(ulp, ulp_of(op, b.d));
					}
				if (b.n == 0)
					continue;
				operands(&b, !exact);
				snprintf(what, sizeof(what), "%s.. of %s", axt_ops[b.op[0]].name,
				    axt_dtypes[d].name);
				/* both are off by so much from the exact value */
				assert_true(same(build_ops, &b, what, exact ? 0 : 2 * ulp + 2));
				release(&b);
			}
}

static int
build_others(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;
	struct axt_expr *x = axt_tensor(g, b->d, "i=1500", b->x[0], NULL),
			*y = axt_tensor(g, b->d, "i=1500", b->x[1], NULL),
			*c = axt_map2(g, AXT_OP_EQ, x, y);
	int n = 0;

	e[n++] = axt_where(g, c, x, y);
	e[n++] = axt_fillnan(g, x, y);
	if (axt_dtypes[b->d].cls != AXT_CLASS_COMPLEX && b->d != AXT_BOOL)
		e[n++] = axt_clip(g, x, axt_number(g, "1"), axt_number(g, "3"));
	return n;
}

static void
where_clip_and_fillnan_agree(void **unused)
{
	(void)unused;
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
		struct batch b = { .d = (enum axt_dtype)d };

		operands(&b, false);
		assert_true(same(build_others, &b, axt_dtypes[d].name, 0));
		release(&b);
	}
}

/* ---- conversions ---- */

static int
build_conv(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;

	for (int k = 0; k < b->n; k++)
		e[k] = axt_conv(g, axt_tensor(g, b->d, "i=1500", b->x[0], NULL),
		    (enum axt_dtype)b->op[k], b->mode);
	return b->n;
}

static void
conversions_agree(void **unused)
{
	(void)unused;
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
		for (int mode = 0; mode < 3; mode++) {
			struct batch b = { .d = (enum axt_dtype)d,
				.mode = (enum axt_overflow)mode };
			char what[64];

			for (int to = AXT_BOOL; to < AXT_NDTYPES; to++)
				if (to != d &&
				    (mode != AXT_OVERFLOW_ERROR ||
					axt_dtypes[to].cls >= AXT_CLASS_FLOAT || to == AXT_BOOL))
					b.op[b.n++] = to;
			operands(&b, false);
			snprintf(what, sizeof(what), "from %s, mode %d", axt_dtypes[d].name, mode);
			assert_true(same(build_conv, &b, what, 0));
			/* and what does not fit is an error, the same one */
			for (int to = AXT_BOOL;
			     to < AXT_NDTYPES && mode == AXT_OVERFLOW_ERROR && !gpu; to += 4) {
				b.n = 1;
				b.op[0] = to;
				same(build_conv, &b, what, 0);
			}
			release(&b);
		}
}

/* ---- reductions ---- */

static int
build_reds(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;
	struct axt_expr *x = axt_tensor(g, b->d, b->axes, b->x[0], NULL), *w = NULL;

	if (b->weighted)
		w = axt_map1(g, AXT_OP_ABSOLUTE, axt_tensor(g, AXT_F64, b->axes, b->x[1], NULL));
	for (int k = 0; k < b->n; k++)
		e[k] = axt_reduce(g, (enum axt_red)b->op[k], x,
		    &(struct axt_reduce_opts){ .over = b->over,
			.nan = b->skip ? 1 : -1,
			.weights = w });
	return b->n;
}

static void
reduce_batch(struct batch *b, const char *axes, const char *over)
{
	char what[128];

	b->axes = axes;
	b->over = over;
	snprintf(what, sizeof(what), "%s.. of %s (%s) over %s%s%s", axt_reds[b->op[0]].name,
	    axt_dtypes[b->d].name, axes, over ? over : "all", b->skip ? ", skipping" : "",
	    b->weighted ? ", weighted" : "");
	/*
	 * sums differ in the order of addition alone, in f64: one unit of the result, more of f64's
	 * own
	 */
	assert_true(same(build_reds, b, what,
	    b->d == AXT_F64 || b->d == AXT_C128 || axt_dtypes[b->d].cls < AXT_CLASS_FLOAT ? 1e5
											  : 2));
}

static void
reductions_agree(void **unused)
{
	static const enum axt_dtype dtypes[] = { AXT_F32, AXT_F64, AXT_I32, AXT_BF16, AXT_C64,
		AXT_C128 };

	(void)unused;
	for (int i = 0; i < ARRAY_LEN(dtypes); i++)
		for (int how = 0; how < 4; how++) {
			struct batch b = { .d = dtypes[i], .skip = how & 1, .weighted = how & 2 };
			bool cplx = axt_dtypes[b.d].cls == AXT_CLASS_COMPLEX;
			enum axt_dtype res;

			if ((axt_dtypes[b.d].cls < AXT_CLASS_FLOAT && b.skip) || (cplx && how))
				continue;
			b.x[0] = calloc(N * 40, (size_t)MAX(8, axt_size(b.d)));
			b.x[1] = calloc(N * 40, 8);
			assert_non_null(b.x[0]);
			assert_non_null(b.x[1]);
			fill(b.x[0], b.d, N * 40, true);
			fill(b.x[1], AXT_F64, N * 40, true);
			if (b.skip)
				for (int64_t k = 0; k < N * 40; k += 7) {
					struct axt_num v = { .f = NAN };

					axt_num_store(&v, b.d,
					    (uint8_t *)b.x[0] + k * axt_size(b.d));
				}
			for (int op = 0; op < AXT_NREDS;) {
				for (b.n = 0; op < AXT_NREDS && b.n < 7; op++)
					if (cplx ? op == AXT_RED_SUM || op == AXT_RED_MEAN
						 : !axt_red_selects((enum axt_red)op) &&
						    axt_kern_red((enum axt_red)op, b.d, b.skip,
							b.weighted, &res))
						b.op[b.n++] = op;
				if (b.n == 0)
					continue;
				reduce_batch(&b, "a=40,b=1500", "a");
				reduce_batch(&b, "a=40,b=1500", "b");
				reduce_batch(&b, "a=1500,b=40", "b");
				reduce_batch(&b, "a=5,b=100,c=120", "a,c");
				reduce_batch(&b, "a=60000", NULL);
				reduce_batch(&b, "a=3,b=4,c=5", "b");
			}
			release(&b);
		}
}

/* ---- operands: how they lie ---- */

static int
build_lies(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;
	struct axt_expr *x = axt_tensor(g, AXT_F32, "t=20,y=30,x=50", b->x[0], NULL),
			*y = axt_tensor(g, AXT_F32, "x=50,y=30", b->x[1], NULL),
			*z = axt_tensor(g, AXT_F32, "x=50", b->x[2], NULL);
	struct axt_slice_opts *no = NULL;

	switch (b->op[0]) {
	case 0: e[0] = axt_map2(g, AXT_OP_SUB, x, y); break;
	case 1: e[0] = axt_map2(g, AXT_OP_SUB, y, x); break;
	case 2: e[0] = axt_order(g, x, "x,y,t"); break;
	case 3:
		e[0] = axt_map2(g, AXT_OP_MUL, axt_slice(g, x, "x=::3", no),
		    axt_slice(g, y, "x=::3", no));
		break;
	case 4: e[0] = axt_map2(g, AXT_OP_SUB, axt_flip(g, x, "x,t"), z); break;
	case 5: e[0] = axt_map2(g, AXT_OP_ADD, axt_shift(g, x, "x=7", false), z); break;
	case 6:
		e[0] = axt_reduce(g, AXT_RED_MEAN, axt_window(g, x, "t=w:5", AXT_WINDOW_MIDDLE),
		    &(struct axt_reduce_opts){ .over = "w" });
		break;
	case 7:
		e[0] = axt_map2(g, AXT_OP_ADD,
		    axt_make(g, "iota:1:2", "t=20,y=30,x=50", AXT_F32, 0), x);
		break;
	case 8:
		e[0] = axt_map2(g, AXT_OP_SUB, x,
		    axt_reduce(g, AXT_RED_MEAN, x, &(struct axt_reduce_opts){ .over = "t" }));
		break;
	case 9:
		e[0] = axt_reduce(g, AXT_RED_SUM,
		    axt_map1(g, AXT_OP_SQUARE, axt_map2(g, AXT_OP_SUB, x, y)),
		    &(struct axt_reduce_opts){ .over = "t,x" });
		break;
	case 10:
		e[0] = axt_concat(g, "t", 2,
		    (struct axt_expr *[]){ x, axt_map1(g, AXT_OP_NEGATIVE, x) });
		break;
	case 11: e[0] = axt_flatten(g, axt_order(g, x, "x,y,t"), "x,t=p"); break;
	case 12:
		e[0] = axt_map2(g, AXT_OP_POW,
		    axt_reduce(g, AXT_RED_STD, x, &(struct axt_reduce_opts){ .over = "y" }),
		    axt_number(g, "3"));
		break;
	case 13: e[0] = axt_dot(g, x, y, NULL); break;
	case 14: e[0] = axt_softmax(g, x, "y"); break;
	default:
		e[0] = axt_map2(g, AXT_OP_FLOORDIV, axt_conv(g, x, AXT_I32, AXT_OVERFLOW_SATURATE),
		    axt_conv(g, y, AXT_I32, AXT_OVERFLOW_SATURATE)); /* divides by zero */
	}
	return 1;
}

static void
operands_reach_it(void **unused)
{
	static const char *const tiles[] = { NULL, "1000", "7000" };

	(void)unused;
	for (int t = 0; t < ARRAY_LEN(tiles); t++) {
		struct batch b = { .d = AXT_F32, .n = 1 };

		if (tiles[t])
			setenv("AXT_TILE", tiles[t], 1);
		for (int i = 0; i < 3; i++) {
			b.x[i] = calloc(30000, 4);
			assert_non_null(b.x[i]);
			fill(b.x[i], AXT_F32, 30000, true);
		}
		for (b.op[0] = 0; b.op[0] < 16; b.op[0]++) {
			char what[64];

			snprintf(what, sizeof(what), "case %d, tiles of %s", b.op[0],
			    tiles[t] ? tiles[t] : "any");
			assert_int_equal(same(build_lies, &b, what, 4), b.op[0] < 15);
		}
		release(&b);
	}
	unsetenv("AXT_TILE");
}

/* ---- products of matrices ---- */

/* So that sums do not cancel: the bound is relative. */
static void
positive(void *p, enum axt_dtype d, int64_t n)
{
	bool wide = d == AXT_F64 || d == AXT_C128;

	if (axt_dtypes[d].cls < AXT_CLASS_FLOAT || d == AXT_F16)
		return;
	for (int64_t i = 0; i < n * (axt_size(d) / (wide ? 8 : 4)); i++)
		if (wide)
			((double *)p)[i] = fabs(((double *)p)[i]);
		else
			((float *)p)[i] = fabsf(((float *)p)[i]);
}

static int
build_dot(struct axt_graph *g, struct axt_expr *e[MOST], const void *ctx)
{
	const struct batch *b = ctx;
	struct axt_expr *x = axt_tensor(g, b->d, "n=3,i=20,k=25", b->x[0], NULL),
			*y = axt_tensor(g, b->d, "k=25,n=3,j=20", b->x[1], NULL);

	switch (b->op[0]) {
	case 0: e[0] = axt_dot(g, x, y, &(struct axt_dot_opts){ .keep = "n" }); break;
	case 1: e[0] = axt_dot(g, x, y, NULL); break;
	case 2:
		e[0] = axt_order(g,
		    axt_dot(g, axt_map1(g, AXT_OP_NEGATIVE, x), y,
			&(struct axt_dot_opts){ .keep = "n" }),
		    "j,n,i");
		break;
	case 3:
		e[0] = axt_reduce(g, AXT_RED_SUM,
		    axt_map1(g, AXT_OP_SQUARE,
			axt_dot(g, x, y, &(struct axt_dot_opts){ .keep = "n" })),
		    &(struct axt_reduce_opts){ .over = "j" });
		break;
	case 4:
		e[0] = axt_map2(g, AXT_OP_MUL,
		    axt_dot(g, x, y, &(struct axt_dot_opts){ .keep = "n" }),
		    axt_slice(g, y, "k=3", NULL));
		break;
	case 5:
		e[0] = axt_reduce(g, AXT_RED_MEAN,
		    axt_map1(g, AXT_OP_SQUARE, axt_order(g, axt_dot(g, x, y, NULL), "j,i")),
		    &(struct axt_reduce_opts){ .over = "i" });
		break;
	case 6:
		e[0] = axt_reduce(g, AXT_RED_SUM,
		    axt_slice(g,
			axt_map1(g, AXT_OP_NEGATIVE,
			    axt_dot(g, x, y, &(struct axt_dot_opts){ .keep = "n" })),
			"i=15:5:-3", NULL),
		    NULL);
		break;
	case 7:
		e[0] = axt_map1(g, AXT_OP_SQUARE,
		    axt_slice(g, axt_dot(g, x, y, &(struct axt_dot_opts){ .keep = "n" }), "i=3,1,9",
			NULL));
		break;
	default: e[0] = axt_dot(g, x, y, &(struct axt_dot_opts){ .accumulate = AXT_TF32 });
	}
	return 1;
}

static void
products_agree(void **unused)
{
	static const enum axt_dtype dtypes[] = { AXT_F32, AXT_F64, AXT_C64, AXT_C128, AXT_I32,
		AXT_F16, AXT_BF16 };
	static const char *const rooms[] = { NULL, "700", "3000" };

	(void)unused;
	for (int i = 0; i < ARRAY_LEN(dtypes) * ARRAY_LEN(rooms); i++) {
		struct batch b = { .d = dtypes[i % ARRAY_LEN(dtypes)], .n = 1 };
		const char *room = rooms[i / ARRAY_LEN(dtypes)];

		for (int k = 0; k < 2; k++) {
			b.x[k] = calloc(N, 16);
			assert_non_null(b.x[k]);
			fill(b.x[k], b.d, N, true);
			positive(b.x[k], b.d, N);
		}
		if (room) { /* products slab by slab, and tiles that are parts of them */
			setenv("AXT_SLAB", room, 1);
			setenv("AXT_TILE", room, 1);
		}
		for (b.op[0] = 0; b.op[0] < (b.d == AXT_F32 ? 9 : 8); b.op[0]++) {
			char what[64];

			snprintf(what, sizeof(what), "product %d of %s, slabs of %s", b.op[0],
			    axt_dtypes[b.d].name, room ? room : "any size");
			/* TF32: 2^-11 of each factor */
			assert_true(same(build_dot, &b, what, b.op[0] == 8 ? 16384 : 100));
		}
		unsetenv("AXT_SLAB");
		unsetenv("AXT_TILE");
		release(&b);
	}
}

/* ---- programs ---- */

/* NVRTC takes the programs that ran: one in eight, and all where AXT_CONFORM is set. */
static void
nvrtc_compiles_all(void **unused)
{
	struct axt_err e = { 0 };
	int64_t bytes;
	int n = 0, seen = 0, every = getenv("AXT_CONFORM") ? 1 : 8;
	struct dirent *f;
	DIR *d = opendir(dump);

	(void)unused;
	assert_non_null(d);
	while ((f = readdir(d))) {
		char path[4096], *text;
		FILE *file;

		if (!strstr(f->d_name, ".cu") || seen++ % every)
			continue;
		snprintf(path, sizeof(path), "%s/%s", dump, f->d_name);
		file = fopen(path, "r");
		assert_non_null(file);
		text = calloc(1, 1 << 20);
		assert_non_null(text);
		assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
		fclose(file);
		if (axt_cuda_compile(text, 90, &bytes, &e)) {
			free(text);
			closedir(d);
			if (n == 0 &&
			    (strstr(e.text, "not here") || strstr(e.text, "built without")))
				skip();
			fail_msg("%s: %s", path, e.text);
		}
		assert_true(bytes > 0);
		free(text);
		n++;
	}
	closedir(d);
	print_message("%d programs\n", n);
	assert_true(seen > 50);
}

static int
begin(void **unused)
{
	(void)unused;
	gpu = getenv("AXT_CONFORM") && strcmp(getenv("AXT_CONFORM"), "cuda") == 0;
	if (!mkdtemp(dump))
		return -1;
	setenv("AXT_DEVICE_DUMP", dump, 1);
	if (!gpu)
		setenv("AXT_CUDA_HOST", "cc", 0);
	setenv("XDG_CACHE_HOME", dump, 0);
	return 0;
}

static int
end(void **unused)
{
	char line[4200];

	(void)unused;
	snprintf(line, sizeof(line), "rm -rf %s", dump);
	return system(line);
}

int
main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_reach_it),
		cmocka_unit_test(ops_agree),
		cmocka_unit_test(where_clip_and_fillnan_agree),
		cmocka_unit_test(conversions_agree),
		cmocka_unit_test(reductions_agree),
		cmocka_unit_test(products_agree),
		cmocka_unit_test(nvrtc_compiles_all),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, begin, end);
}
