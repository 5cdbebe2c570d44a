/*
 * i_bins.c - which of many bins of equal width each element is in. Bin i is guessed by a product
 * with 1 / step, and corrected by comparing with its edges, lo + i * step. Of f32 most elements lie
 * so far from an edge that a guess in f32 is right: only vectors with others are computed in f64.
 */
#include <math.h>

#include "kern/isa.h"

#define LANES (VEC_BYTES / 4)
/* Where a guess may be wrong by more than this part of a bin, it is not made in f32. */
#define VAGUE 0.125

typedef float vf __attribute__((vector_size(VEC_BYTES)));
typedef double vd __attribute__((vector_size(VEC_BYTES)));
typedef int32_t vc __attribute__((vector_size(VEC_BYTES)));
typedef int64_t vi __attribute__((vector_size(VEC_BYTES)));

void ISA_NAME(bins)(int32_t *out, const void *in, bool wide, const struct axt_bins *b, int64_t n);

INLINE double
edge(double i, const struct axt_bins *b, const bool f32)
{
	double x = i * b->step + b->lo;

	return f32 ? (double)(float)x : x;
}

/* The guess is off by at most one. */
INLINE void
exact(int32_t *out, const void *in, int64_t n, const struct axt_bins *b, const bool wide,
    const bool f32)
{
	const double each = 1 / b->step, last = b->last, least = b->least, most = b->greatest;

	for (int64_t i = 0; i < n; i++) {
		double a = wide ? ((const T_F64 *)in)[i] : (double)((const T_F32 *)in)[i];
		bool here = (a >= least) & (a <= most);
		double x = here ? a : least, q = __builtin_floor((x - b->lo) * each), d = q - 1,
		       u = q + 1, s = x < edge(q, b, f32) ? d : q;

		s = x >= edge(u, b, f32) ? u : s;
		s = s < last ? s : last;
		out[i] = (int32_t)(here ? s : -1);
	}
}

static void
exact_F32(int32_t *out, const void *in, int64_t n, const struct axt_bins *b)
{
	if (b->f32)
		exact(out, in, n, b, false, true);
	else
		exact(out, in, n, b, false, false);
}

static void
exact_F64(int32_t *out, const void *in, int64_t n, const struct axt_bins *b)
{
	if (b->f32)
		exact(out, in, n, b, true, true);
	else
		exact(out, in, n, b, true, false);
}

INLINE vf
all(float x)
{
	return (vf){ 0 } + x;
}

/*
 * The bins of f32. The place of x among bins, x / step - lo / step, is computed with an error of at
 * most `off` bins, in which there is room for edges that were rounded to f32.
 */
static void
bins_F32(int32_t *out, const T_F32 *in, const struct axt_bins *b, int64_t n)
{
	double wide = fmax(fabs(b->lo), fabs(b->greatest)) / b->step, off = wide * 0x1p-21;
	/* the ends as f32: all f32 that are inside of the true ones, and no others */
	float each = (float)(1 / b->step), from = (float)(-b->lo / b->step),
	      least = (float)b->least, most = (float)b->greatest, sure = (float)(0.5 - off);
	int64_t i = 0;

	if (least < b->least)
		least = nextafterf(least, INFINITY);
	if (most > b->greatest)
		most = nextafterf(most, -INFINITY);
	for (; off < VAGUE && isnormal(each) && i + LANES <= n; i += LANES) {
		vf x, t, d;
		vc here, bin, unsure;
		vi both;

		memcpy(&x, in + i, sizeof(x));
		here = (x >= least) & (x <= most);
		t = FMA_F32(x, all(each), all(from));
		/* elements in no bin are in the middle of one for now */
		t = (vf)(((vc)t & here) | ((vc)all(0.5f) & ~here));
		bin = __builtin_convertvector(t, vc);
		d = t - __builtin_convertvector(bin, vf) - 0.5f;
		unsure = (d > sure) | (d < -sure);
		bin |= ~here;
		memcpy(out + i, &bin, sizeof(bin));
		both = (vi)unsure | ((vi)unsure << 32);
		if (SIGNS_F64((vd)both))
			exact_F32(out + i, in + i, LANES, b);
	}
	exact_F32(out + i, in + i, n - i, b);
}

void
ISA_NAME(bins)(int32_t *out, const void *in, bool wide, const struct axt_bins *b, int64_t n)
{
	if (wide)
		exact_F64(out, in, n, b);
	else
		bins_F32(out, in, b, n);
}
