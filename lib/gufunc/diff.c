/* diff.c - differences of neighbours along an axis, repeated if desired, as numpy.diff. */
#include "gufunc/gufunc.h"

/* f16 and bf16 are computed in f32, as in all operations. */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = axt_dtypes[in[0]].comp;
	out[0] = in[0];
	return true;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	if (args->n[0] < 1)
		return "differences are taken at least once";
	len['m' - 'a'] = MAX(0, len['n' - 'a'] - args->n[0]);
	return NULL;
}

/* Repeated differences are made in place, in the memory of one call. */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	return x->args->n[0] > 1 ? x->len['n' - 'a'] * axt_size(x->t[0].dtype) : 0;
}

/* What is stored for the neighbours b and a, b before a. */
#define ONE(OUT, A, B, MINUS, WRAPS)         \
	do {                                 \
		typeof(OUT) a = A, b = B, d; \
                                             \
		OUT = d = MINUS;             \
		if (WRAPS)                   \
			wrapped = 1;         \
	} while (0)

/*
 * Defines the functions of a dtype. MINUS is a - b, which is stored in d. WRAPS tells whether the
 * difference does not fit in the dtype. Integers wrap around then, so they are subtracted as
 * unsigned integers.
 */
#define DIFF(NAME, TYPE, MINUS, WRAPS)                                                             \
	typedef TYPE NAME##_operand __attribute__((aligned(1)));                                   \
	static bool NAME##_once(const struct axt_gufunc_calls *x)                                  \
	{                                                                                          \
		const NAME##_operand *in = x->t[0].p;                                              \
		TYPE *out = x->t[1].p;                                                             \
		int64_t m = x->len['m' - 'a'], es = x->t[0].stride[0], to = x->t[1].stride[0],     \
			step = x->t[0].step, step_to = x->t[1].step;                               \
		TYPE wrapped = 0;                                                                  \
                                                                                                   \
		if (es == 1 && to == 1) {                                                          \
			for (int64_t c = 0; c < x->calls; c++)                                     \
				for (int64_t i = 0; i < m; i++)                                    \
					ONE(out[c * step_to + i], in[c * step + i + 1],            \
					    in[c * step + i], MINUS, WRAPS);                       \
		} else if (step == 1 && step_to == 1) {                                            \
			for (int64_t i = 0; i < m; i++)                                            \
				for (int64_t c = 0; c < x->calls; c++)                             \
					ONE(out[i * to + c], in[(i + 1) * es + c], in[i * es + c], \
					    MINUS, WRAPS);                                         \
		} else {                                                                           \
			for (int64_t c = 0; c < x->calls; c++)                                     \
				for (int64_t i = 0; i < m; i++)                                    \
					ONE(out[c * step_to + i * to],                             \
					    in[c * step + (i + 1) * es], in[c * step + i * es],    \
					    MINUS, WRAPS);                                         \
		}                                                                                  \
		return wrapped != 0;                                                               \
	}                                                                                          \
	static bool NAME##_again(const struct axt_gufunc_calls *x)                                 \
	{                                                                                          \
		int64_t n = x->len['n' - 'a'], m = x->len['m' - 'a'];                              \
		TYPE *w = x->work, wrapped = 0;                                                    \
                                                                                                   \
		for (int64_t c = 0; c < x->calls; c++) {                                           \
			const NAME##_operand *in = (const NAME##_operand *)x->t[0].p +             \
			    c * x->t[0].step;                                                      \
			TYPE *out = (TYPE *)x->t[1].p + c * x->t[1].step;                          \
                                                                                                   \
			for (int64_t i = 0; i < n; i++)                                            \
				w[i] = in[i * x->t[0].stride[0]];                                  \
			for (int64_t k = n - 1; k >= m; k--)                                       \
				for (int64_t i = 0; i < k; i++)                                    \
					ONE(w[i], w[i + 1], w[i], MINUS, WRAPS);                   \
			for (int64_t i = 0; i < m; i++)                                            \
				out[i * x->t[1].stride[0]] = w[i];                                 \
		}                                                                                  \
		return wrapped != 0;                                                               \
	}
#define SIGNED(NAME, TYPE, UNSIGNED) \
	DIFF(NAME, TYPE, (TYPE)((UNSIGNED)a - (UNSIGNED)b), (TYPE)((a ^ b) & (a ^ d)) < 0)
DIFF(bit, uint8_t, a ^ b, 0)
SIGNED(i8, int8_t, uint8_t)
SIGNED(i16, int16_t, uint16_t)
SIGNED(i32, int32_t, uint32_t)
SIGNED(i64, int64_t, uint64_t)
DIFF(u8, uint8_t, a - b, a < b)
DIFF(u16, uint16_t, a - b, a < b)
DIFF(u32, uint32_t, a - b, a < b)
DIFF(u64, uint64_t, a - b, a < b)
DIFF(f32, float, a - b, 0)
DIFF(f64, double, a - b, 0)
DIFF(c64, float _Complex, a - b, 0)
DIFF(c128, double _Complex, a - b, 0)

static bool
calls(struct axt_gufunc_calls *x)
{
	static bool (*const fn[][2])(const struct axt_gufunc_calls *x) = {
		[AXT_BOOL] = { bit_once, bit_again },
		[AXT_I8] = { i8_once, i8_again },
		[AXT_I16] = { i16_once, i16_again },
		[AXT_I32] = { i32_once, i32_again },
		[AXT_I64] = { i64_once, i64_again },
		[AXT_U8] = { u8_once, u8_again },
		[AXT_U16] = { u16_once, u16_again },
		[AXT_U32] = { u32_once, u32_again },
		[AXT_U64] = { u64_once, u64_again },
		[AXT_F32] = { f32_once, f32_again },
		[AXT_F64] = { f64_once, f64_again },
		[AXT_C64] = { c64_once, c64_again },
		[AXT_C128] = { c128_once, c128_again },
	};

	x->wrapped = fn[x->t[0].dtype][x->args->n[0] > 1](x);
	return true;
}

const struct axt_gufunc axt_gufunc_DIFF = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls, .like = 1
};
