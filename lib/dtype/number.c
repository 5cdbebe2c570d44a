/*
 * number.c - numbers of other layouts than the dtypes have: with any number of bits, as HDF5
 * describes them, and of 8 bits, as safetensors names them. Each becomes a number of a dtype that
 * holds it; a float with more bits than f64 is rounded.
 */
#include "dtype/dtype.h"

#include <math.h>

/* The bytes of a number from its lowest on. */
static void
from_lowest(const struct axt_number *t, const uint8_t *p, uint8_t *b)
{
	int n = t->size;

	for (int i = 0; i < n; i++)
		b[i] = t->order == AXT_NUMBER_LE ? p[i]
		    : t->order == AXT_NUMBER_BE  ? p[n - 1 - i]
						 : p[((n - 1 - i) & ~1) | (i & 1)];
}

/* The n bits from bit `at` on, at most 64 of them. */
static uint64_t
bits(const uint8_t *b, int at, int n)
{
	uint64_t v = 0;

	for (int i = n; i-- > 0;)
		v = v << 1 | (b[(at + i) >> 3] >> ((at + i) & 7) & 1);
	return v;
}

/*
 * The f64 that is nearest to m * 2^e or, if `rest`, to a number that is greater than that by less
 * than 2^e. Of two equally near ones it is the even one.
 */
static double
nearest(uint64_t m, int e, bool rest)
{
	int top = m ? 63 - __builtin_clzll(m) : 0, keep = top + e >= -1022 ? 53 : 1075 + top + e,
	    drop = top + 1 - keep;
	uint64_t q, left, half;

	if (!m || keep < 0)
		return 0;
	if (drop <= 0)
		return ldexp((double)m, e);
	q = drop > 63 ? 0 : m >> drop;
	left = drop > 63 ? m : m & ((1ull << drop) - 1);
	half = 1ull << (drop - 1);
	q += left > half || (left == half && (rest || (q & 1)));
	return ldexp((double)q, e + drop);
}

/* The mantissa: its highest 64 bits that are not 0, the exponent of their lowest bit, the rest. */
static uint64_t
mantissa(const struct axt_number *t, const uint8_t *b, bool one, int *e, bool *rest)
{
	int n = t->msize, low;
	uint64_t m;

	*rest = false;
	while (!one && n > 0 && !bits(b, t->mpos + n - 1, 1))
		n--;
	low = MAX(0, n - (one ? 63 : 64));
	m = bits(b, t->mpos + low, n - low) | (one ? 1ull << (n - low) : 0);
	for (int i = 0; i < low && !*rest; i++)
		*rest = bits(b, t->mpos + i, 1);
	*e += low;
	return m;
}

static bool
all_ones(const uint8_t *b, int at, int n)
{
	for (int i = 0; i < n; i++)
		if (!bits(b, at + i, 1))
			return false;
	return true;
}

static bool
is_zero(const uint8_t *b, int at, int n)
{
	for (int i = 0; i < n; i++)
		if (bits(b, at + i, 1))
			return false;
	return true;
}

static double
float_of(const struct axt_number *t, const uint8_t *b)
{
	uint64_t x = bits(b, t->epos, t->esize);
	bool whole = t->implied && (x > 0 || t->no_zero), rest, minus = t->spos >= 0;
	int e = (int)MIN(x, (uint64_t)1 << 30), fraction = t->implied ? t->msize : t->msize - 1;
	uint64_t m;
	double v;

	minus = minus && bits(b, t->spos, 1);
	e = (x || t->no_zero ? e : 1) - t->bias - fraction;
	if (all_ones(b, t->epos, t->esize) && !t->finite)
		return !is_zero(b, t->mpos, fraction) ? (double)NAN
		    : minus                           ? -(double)INFINITY
						      : (double)INFINITY;
	if (all_ones(b, t->epos, t->esize) && all_ones(b, t->mpos, t->msize))
		return (double)NAN;
	m = mantissa(t, b, whole, &e, &rest);
	v = nearest(m, e, rest);
	return minus ? -v : v;
}

static uint64_t
integer_of(const struct axt_number *t, const uint8_t *b)
{
	uint64_t v = bits(b, t->offset, t->precision);

	if (t->sign && t->precision < 64 && v >> (t->precision - 1) & 1)
		v |= ~0ull << t->precision;
	return v;
}

static void
load(const struct axt_number *t, const uint8_t *p, uint8_t *out)
{
	uint8_t b[AXT_NUMBER_BYTES];
	uint64_t v;
	double x;
	float f;

	from_lowest(t, p, b);
	if (!t->is_float) {
		v = integer_of(t, b);
		for (int i = 0; i < axt_size(t->dtype); i++)
			out[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? axt_size(t->dtype) - 1 - i
								   : i] = (uint8_t)(v >> 8 * i);
		return;
	}
	x = float_of(t, b);
	if (t->dtype == AXT_F32) {
		f = (float)x;
		memcpy(out, &f, sizeof(f));
	} else {
		memcpy(out, &x, sizeof(x));
	}
}

/* Numbers of one byte by a table of all of them, where there are enough to make it. */
static void
load_bytes(const struct axt_number *t, const uint8_t *p, size_t n, uint8_t *out)
{
	size_t size = (size_t)axt_size(t->dtype);
	uint8_t all[256 * 8];

	for (int i = 0; i < 256; i++)
		load(t, &(uint8_t){ (uint8_t)i }, all + (size_t)i * size);
	for (size_t i = 0; i < n; i++)
		memcpy(out + i * size, all + p[i] * size, size);
}

void
axt_number_load(const struct axt_number *t, const void *p, size_t n, void *out)
{
	/* the parts of a complex number are two numbers */
	size_t parts = t->is_complex ? 2 : 1;
	struct axt_number one = *t;

	one.dtype = !t->is_complex ? t->dtype : t->dtype == AXT_C64 ? AXT_F32 : AXT_F64;
	if (t->size == 1 && n * parts > 256) {
		load_bytes(&one, p, n * parts, out);
		return;
	}
	for (size_t i = 0; i < n * parts; i++)
		load(&one, (const uint8_t *)p + i * (size_t)t->size,
		    (uint8_t *)out + i * (size_t)axt_size(one.dtype));
}
