/*
 * delta.c - a codec of Zarr that stores each element less the one before it. Decoding adds the
 * differences up as NumPy's cumsum does: integers modulo a power of two, floats in the plain dtype,
 * or in the stored one if that is wider.
 */
#include "filters/numbers.h"

struct sum {
	uint64_t whole;
	double f64;
	float f32;
};

static void
add_whole(void *ctx, void *p, int64_t n)
{
	struct sum *s = ctx;
	uint64_t *x = p;

	for (int64_t i = 0; i < n; i++)
		x[i] = s->whole += x[i];
}

static void
add64(void *ctx, void *p, int64_t n)
{
	struct sum *s = ctx;
	double *x = p;

	for (int64_t i = 0; i < n; i++)
		x[i] = s->f64 += x[i];
}

static void
add32(void *ctx, void *p, int64_t n)
{
	struct sum *s = ctx;
	float *x = p;

	for (int64_t i = 0; i < n; i++)
		x[i] = s->f32 += x[i];
}

static void
add16(void *ctx, void *p, int64_t n)
{
	struct sum *s = ctx;
	uint16_t *x = p;

	for (int64_t i = 0; i < n; i++) {
		x[i] = axt_f32_to_f16(s->f32 + axt_f16_to_f32(x[i]));
		s->f32 = axt_f16_to_f32(x[i]);
	}
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const struct axt_renumber *r = u->own;
	bool from = axt_dtypes[r->stored].cls == AXT_CLASS_FLOAT,
	     to = axt_dtypes[r->plain].cls == AXT_CLASS_FLOAT;
	enum axt_dtype work = r->plain;
	struct sum s = { 0 };

	(void)state;
	if (!from && !to)
		return axt_renumber_decode(u, io, AXT_U64, add_whole, &s);
	if (from && (!to || axt_size(r->stored) > axt_size(r->plain)))
		work = r->stored;
	return axt_renumber_decode(u, io, work,
	    work == AXT_F64       ? add64
		: work == AXT_F32 ? add32
				  : add16,
	    &s);
}

const struct axt_filter_fns axt_filter_delta = {
	.most = axt_renumber_most,
	.fits = axt_renumber_fits,
	.decode = decode,
};
