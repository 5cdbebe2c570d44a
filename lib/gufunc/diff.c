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

/* Integers wrap around, so they are subtracted as unsigned integers. */
#define DIFF(NAME, TYPE, OP)                                                                       \
	typedef TYPE NAME##_operand __attribute__((aligned(1)));                                   \
	static void NAME##_once(const struct axt_gufunc_calls *x)                                  \
	{                                                                                          \
		const NAME##_operand *in = x->t[0].p;                                              \
		TYPE *out = x->t[1].p;                                                             \
		int64_t m = x->len['m' - 'a'], es = x->t[0].stride[0], to = x->t[1].stride[0],     \
			step = x->t[0].step, step_to = x->t[1].step;                               \
                                                                                                   \
		if (es == 1 && to == 1) {                                                          \
			for (int64_t c = 0; c < x->calls; c++)                                     \
				for (int64_t i = 0; i < m; i++)                                    \
					out[c * step_to + i] = in[c * step + i + 1] OP             \
					    in[c * step + i];                                      \
		} else if (step == 1 && step_to == 1) {                                            \
			for (int64_t i = 0; i < m; i++)                                            \
				for (int64_t c = 0; c < x->calls; c++)                             \
					out[i * to + c] = in[(i + 1) * es + c] OP in[i * es + c];  \
		} else {                                                                           \
			for (int64_t c = 0; c < x->calls; c++)                                     \
				for (int64_t i = 0; i < m; i++)                                    \
					out[c * step_to + i * to] = in[c * step + (i + 1) * es] OP \
					    in[c * step + i * es];                                 \
		}                                                                                  \
	}                                                                                          \
	static void NAME##_again(const struct axt_gufunc_calls *x)                                 \
	{                                                                                          \
		int64_t n = x->len['n' - 'a'], m = x->len['m' - 'a'];                              \
		TYPE *w = x->work;                                                                 \
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
					w[i] = w[i + 1] OP w[i];                                   \
			for (int64_t i = 0; i < m; i++)                                            \
				out[i * x->t[1].stride[0]] = w[i];                                 \
		}                                                                                  \
	}
DIFF(bit, uint8_t, ^)
DIFF(i8, uint8_t, -)
DIFF(i16, uint16_t, -)
DIFF(i32, uint32_t, -)
DIFF(i64, uint64_t, -)
DIFF(f32, float, -)
DIFF(f64, double, -)
DIFF(c64, float _Complex, -)
DIFF(c128, double _Complex, -)

static bool
calls(struct axt_gufunc_calls *x)
{
	static void (*const fn[][2])(const struct axt_gufunc_calls *x) = {
		[AXT_BOOL] = { bit_once, bit_again },
		[AXT_I8] = { i8_once, i8_again },
		[AXT_I16] = { i16_once, i16_again },
		[AXT_I32] = { i32_once, i32_again },
		[AXT_I64] = { i64_once, i64_again },
		[AXT_U8] = { i8_once, i8_again },
		[AXT_U16] = { i16_once, i16_again },
		[AXT_U32] = { i32_once, i32_again },
		[AXT_U64] = { i64_once, i64_again },
		[AXT_F32] = { f32_once, f32_again },
		[AXT_F64] = { f64_once, f64_again },
		[AXT_C64] = { c64_once, c64_again },
		[AXT_C128] = { c128_once, c128_again },
	};

	fn[x->t[0].dtype][x->args->n[0] > 1](x);
	return true;
}

const struct axt_gufunc axt_gufunc_DIFF = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls, .like = 1
};
