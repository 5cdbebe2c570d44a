/* fill.c - missing values that take the last value before them along an axis, or the next after. */
#include "gufunc/gufunc.h"

#define ABREAST 64 /* calls that are gone through together, since they are often neighbours */

/* f32 and f64; 16-bit floats are computed in f32 */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	if (in[0] == AXT_F16 || in[0] == AXT_BF16)
		in[0] = AXT_F32;
	out[0] = in[0];
	return in[0] == AXT_F32 || in[0] == AXT_F64;
}

/*
 * Defines the function of a dtype that replaces NaN by the last value before it. It goes through
 * the axis from the first index on or, with `back`, from the last. Of a row of NaN it fills at most
 * `limit`, or all if that is 0.
 */
#define FILL(NAME, T, OPERAND)                                                                     \
	static void NAME(const struct axt_gufunc_calls *k, int64_t from, int64_t calls, bool back) \
	{                                                                                          \
		const struct axt_gufunc_tensor *in = &k->t[0], *out = &k->t[1];                    \
		int64_t n = k->len['n' - 'a'], limit = k->args->n[0], since[ABREAST];              \
		T last[ABREAST];                                                                   \
                                                                                                   \
		for (int64_t c = 0; c < calls; c++) {                                              \
			last[c] = (T)__builtin_nan("");                                            \
			since[c] = 0;                                                              \
		}                                                                                  \
		for (int64_t j = 0; j < n; j++) {                                                  \
			int64_t i = back ? n - 1 - j : j;                                          \
			const OPERAND *x = (const OPERAND *)in->p + i * in->stride[0] +            \
			    from * in->step;                                                       \
			T *y = (T *)out->p + i * out->stride[0] + from * out->step;                \
                                                                                                   \
			for (int64_t c = 0; c < calls; c++) {                                      \
				T v = x[c * in->step];                                             \
				bool none = v != v;                                                \
                                                                                                   \
				since[c] = none ? since[c] + 1 : 0;                                \
				last[c] = none ? last[c] : v;                                      \
				y[c * out->step] = limit && since[c] > limit ? v : last[c];        \
			}                                                                          \
		}                                                                                  \
	}
FILL(fill_f32, float, axt_operand_f32)
FILL(fill_f64, double, axt_operand_f64)

static bool
fill(struct axt_gufunc_calls *k, bool back)
{
	for (int64_t from = 0; from < k->calls; from += ABREAST)
		(k->t[0].dtype == AXT_F32 ? fill_f32 : fill_f64)(k, from,
		    MIN(ABREAST, k->calls - from), back);
	return true;
}

static bool
forward(struct axt_gufunc_calls *k)
{
	return fill(k, false);
}

static bool
backward(struct axt_gufunc_calls *k)
{
	return fill(k, true);
}

const struct axt_gufunc axt_gufunc_FFILL = { .dtypes = dtypes, .calls = forward, .like = 1 };
const struct axt_gufunc axt_gufunc_BFILL = { .dtypes = dtypes, .calls = backward, .like = 1 };
