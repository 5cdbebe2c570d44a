/*
 * fixedscaleoffset.c - a codec of Zarr that stores floats as integers, less an offset and
 * multiplied by a scale. Decoding divides in the dtype that NumPy does: f64 for integers, for
 * floats their own dtype.
 */
#include "filters/numbers.h"

static void
unpack64(void *ctx, void *p, int64_t n)
{
	const struct axt_renumber *r = ctx;
	double *x = p;

	for (int64_t i = 0; i < n; i++)
		x[i] = x[i] / r->scale + r->offset;
}

static void
unpack32(void *ctx, void *p, int64_t n)
{
	const struct axt_renumber *r = ctx;
	float *x = p, scale = (float)r->scale, offset = (float)r->offset;

	for (int64_t i = 0; i < n; i++)
		x[i] = x[i] / scale + offset;
}

/* Each result is rounded to f16. */
static void
unpack16(void *ctx, void *p, int64_t n)
{
	const struct axt_renumber *r = ctx;
	float scale = axt_f16_to_f32(axt_f32_to_f16((float)r->scale)),
	      offset = axt_f16_to_f32(axt_f32_to_f16((float)r->offset));
	uint16_t *x = p;

	for (int64_t i = 0; i < n; i++) {
		float q = axt_f16_to_f32(axt_f32_to_f16(axt_f16_to_f32(x[i]) / scale));

		x[i] = axt_f32_to_f16(q + offset);
	}
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct axt_renumber r = *(const struct axt_renumber *)u->own;

	(void)state;
	if (r.stored == AXT_F16)
		return axt_renumber_decode(u, io, AXT_F16, unpack16, &r);
	if (r.stored == AXT_F32)
		return axt_renumber_decode(u, io, AXT_F32, unpack32, &r);
	return axt_renumber_decode(u, io, AXT_F64, unpack64, &r);
}

const struct axt_filter_fns axt_filter_fixedscaleoffset = {
	.most = axt_renumber_most,
	.fits = axt_renumber_fits,
	.decode = decode,
};
