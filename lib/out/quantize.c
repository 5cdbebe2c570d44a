/*
 * quantize.c - floats rounded to the significant digits or bits that are wanted. The bits that are
 * left out are zero, so that what is compressed later becomes small.
 * source  netCDF-C, nc_def_var_quantize: GranularBR and BitRound; CF 1.12, 8.4.1
 */
#include <math.h>
#include <stdlib.h>

#include "out/inner.h"

/* The value that netCDF takes for missing where no attribute tells another. */
#define NC_FILL 9.9692099683868690e+36

/* What is known of a dtype: its bits of mantissa, and the most digits and bits. */
struct layout {
	int mantissa, digits;
};

static struct layout
layout_of(enum axt_dtype d)
{
	return d == AXT_F32 ? (struct layout){ 23, 7 } : (struct layout){ 52, 15 };
}

/* ---- what is typed ---- */

int
axt_quantize_parse(const char *text, struct axt_quantize *q, struct axt_err *e)
{
	const char *last = text + strcspn(text, "=") + 1;
	size_t digits = strspn(text, "0123456789");
	int64_t n;

	q->bits = strncmp(text, "bits:", 5) == 0;
	if (!axt_parse_int(q->bits ? text + 5 : text, 1, q->bits ? 52 : 15, &n)) {
		axt_fail(e, AXT_E_ARG,
		    "--quantize takes 1 to 15 digits, or bits:1 to bits:52, "
		    "not \"%.40s\"",
		    text);
		if (text[strcspn(text, "=")] && axt_parse_int(last, 1, 52, &n))
			axt_hint_option(e, "quantize", "%s%d",
			    strncmp(text, "bits", 4) ? "" : "bits:", (int)n);
		else if (digits > 0 && strchr("bd", text[digits])) /* 3digits, 12bits */
			axt_hint_option(e, "quantize", "%s%.*s", text[digits] == 'b' ? "bits:" : "",
			    (int)digits, text);
		return e->code;
	}
	q->n = (int)n;
	return 0;
}

const struct axt_attr *
axt_quantize_attr(struct axt_arena *m, const struct axt_quantize *q)
{
	struct axt_attr *a = axt_alloc(m, sizeof(*a));
	int32_t *n = axt_alloc(m, sizeof(*n));

	if (!a || !n)
		return NULL;
	*n = q->n;
	*a = (struct axt_attr){ .name = q->bits
		    ? "_QuantizeBitRoundNumberOfSignificantBits"
		    : "_QuantizeGranularBitRoundNumberOfSignificantDigits",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_I32,
		.n = 1,
		.data = n };
	return a;
}

/* ---- how many bits are kept ---- */

/* The bits of mantissa that v, which is neither 0 nor infinite, needs for n digits. */
static int
bits_for(double v, int n)
{
	const double per_digit = M_LN10 / M_LN2, per_bit = M_LN2 / M_LN10;
	int exponent, whole, power;
	double log = log10(fabs(frexp(v, &exponent)));

	whole = (int)floor(exponent * per_bit + log) + 1; /* digits before the point */
	power = (int)floor(per_digit * (whole - n));
	return abs((int)floor(exponent - per_digit * log) - power) - 1;
}

/* The value with this exponent and mantissa, as stored. */
static double
value_of(enum axt_dtype d, uint64_t exponent, uint64_t mantissa)
{
	uint64_t u = exponent << layout_of(d).mantissa | mantissa;
	uint32_t half = (uint32_t)u;
	double v;
	float f;

	memcpy(&v, &u, sizeof(v));
	memcpy(&f, &half, sizeof(f));
	return d == AXT_F32 ? (double)f : v;
}

/*
 * Values of one exponent need `below` bits if their mantissa is below `at`, where a power of ten
 * lies, and `from` bits otherwise. Near `at`, and near the ends of the exponent, the rounding of
 * logarithms decides, so that these values are looked at one by one.
 */
struct axt_quantize_piece {
	uint64_t at;
	int below, from;
};

static void
find_piece(struct axt_quantize_piece *p, const struct axt_quantizer *z, uint64_t exponent)
{
	uint64_t lo = z->margin, hi = (UINT64_C(1) << layout_of(z->dtype).mantissa) - z->margin - 1;

	p->below = bits_for(value_of(z->dtype, exponent, lo), z->n);
	p->from = bits_for(value_of(z->dtype, exponent, hi), z->n);
	p->at = UINT64_C(1) << 63;
	if (p->below == p->from)
		return;
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (bits_for(value_of(z->dtype, exponent, mid), z->n) == p->below)
			lo = mid;
		else
			hi = mid;
	}
	p->at = hi;
}

int
axt_quantizer_new(struct axt_arena *m, const struct axt_quantize *q, enum axt_dtype d,
    const struct axt_packing *missing, struct axt_quantizer *z)
{
	struct layout l = layout_of(d);
	uint64_t exponents = d == AXT_F32 ? 255 : 2047;
	struct axt_quantize_piece *p = NULL;

	*z = (struct axt_quantizer){ .dtype = d,
		.bits = q->bits,
		.n = q->n,
		.missing = missing,
		.margin = UINT64_C(1) << (l.mantissa - 8) };
	if (z->bits)
		return 0;
	z->piece = p = axt_alloc(m, exponents * sizeof(*p));
	for (uint64_t i = 1; p && i < exponents; i++)
		find_piece(&p[i], z, i);
	return p ? 0 : -1;
}

int
axt_quantize_most(const struct axt_quantize *q, enum axt_dtype d)
{
	return q->bits ? layout_of(d).mantissa : layout_of(d).digits;
}

/*
 * How many bits of its mantissa a value keeps. u has the bits of the value, which is neither 0 nor
 * infinite nor NaN.
 */
static inline int
kept(const struct axt_quantizer *z, uint64_t u, int mantissa)
{
	uint64_t whole = UINT64_C(1) << mantissa, exponent = u >> mantissa, m = u & (whole - 1);
	const struct axt_quantize_piece *p;

	if (z->bits)
		return z->n;
	p = &z->piece[exponent];
	if (exponent == 0 || m - z->margin >= whole - 2 * z->margin ||
	    m - p->at + z->margin < 2 * z->margin)
		return bits_for(value_of(z->dtype, exponent, m), z->n);
	return m < p->at ? p->below : p->from;
}

/* Rounds half away from zero. What would become infinite, and what is no number, is kept. */
#define QUANTIZE(name, T, U, mantissa)                                                         \
	static void name(const struct axt_quantizer *z, void *out, const void *in, int64_t n)  \
	{                                                                                      \
		const U top = (((U)1 << (8 * sizeof(U) - 1)) - 1) >> mantissa << mantissa;     \
		const U sign = (U)1 << (8 * sizeof(U) - 1);                                    \
		const U *x = in;                                                               \
		U *y = out;                                                                    \
                                                                                               \
		for (int64_t i = 0; i < n; i++) {                                              \
			U u = x[i] & (U)~sign, r;                                              \
			int out_of = u == 0 || u >= top ? 0 : mantissa - kept(z, u, mantissa); \
                                                                                               \
			y[i] = x[i];                                                           \
			if (out_of <= 0)                                                       \
				continue;                                                      \
			r = (u + ((U)1 << (out_of - 1))) >> out_of << out_of;                  \
			if (r < top)                                                           \
				y[i] = r | (x[i] & sign);                                      \
		}                                                                              \
		for (int k = z->missing->nmiss ? 0 : -1; k < z->missing->nmiss; k++) {         \
			T v, m = (T)(k < 0 ? NC_FILL : z->missing->miss[k]);                   \
                                                                                               \
			for (int64_t i = 0; i < n; i++) {                                      \
				memcpy(&v, &x[i], sizeof(v));                                  \
				y[i] = v == m ? x[i] : y[i];                                   \
			}                                                                      \
		}                                                                              \
	}
QUANTIZE(quantize_f32, float, uint32_t, 23)
QUANTIZE(quantize_f64, double, uint64_t, 52)

void
axt_quantize(const struct axt_quantizer *z, void *out, const void *in, int64_t n)
{
	(z->dtype == AXT_F32 ? quantize_f32 : quantize_f64)(z, out, in, n);
}
