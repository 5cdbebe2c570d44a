/*
 * decimal.c - exact conversion between binary and decimal floating point in a few multiplications.
 * The fewest digits of a number: R. Giulietti, "The Schubfach way to render doubles", 2020. Reading
 * numbers: D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience
 * 51(8), 2021, after M. Eisel. Both multiply by powers of 5, which a table has in 128 bits. The
 * tests compare the results with those of the C library.
 */
#include "base/base.h"

#define POW5_MIN (-342)
#define POW5_MAX 324
#define DIGITS 19 /* every number of 19 decimal digits fits 64 bits */

static const struct pow5 {
	uint64_t hi, lo;
} pow5[POW5_MAX - POW5_MIN + 1] = {
#include "base/pow5.in"
};

typedef unsigned __int128 u128;

static u128
wide(uint64_t a, uint64_t b)
{
	return (u128)a * b;
}

/* ---- digits of whole numbers ---- */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

void
axt_digits(char *out, uint64_t u, int n)
{
	for (; n >= 2; u /= 100)
		memcpy(out + (n -= 2), pairs + u % 100 * 2, 2);
	if (n)
		*out = (char)('0' + u % 10);
}

int
axt_digits_count(uint64_t u)
{
	static const uint64_t ten[] = { 0, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
		100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
		1000000000000000000, 10000000000000000000u };
	/* 1233 / 4096 is a little over log10(2) */
	int n = (64 - __builtin_clzll(u | 1)) * 1233 >> 12;

	return n + (u >= ten[n]);
}

int
axt_u64_text(char *out, uint64_t u)
{
	int n = axt_digits_count(u);

	axt_digits(out, u, n);
	out[n] = '\0';
	return n;
}

/* ---- the fewest digits ---- */

/* floor(log2(10^e)), for |e| below 1650. */
static int
log2_ten(int e)
{
	return (e * 1741647) >> 19;
}

/*
 * floor(g * c / 2^128). Its last bit is set if there is a remainder that is more than the rounding
 * of g can make.
 */
static uint64_t
round_to_odd(u128 g, uint64_t c)
{
	u128 y = wide((uint64_t)(g >> 64), c) + (uint64_t)(wide((uint64_t)g, c) >> 64);

	return (uint64_t)(y >> 64) | ((uint64_t)y > 1);
}

uint64_t
axt_shortest(uint64_t c, int q, bool closer, int *exponent)
{
	/*
	 * mid is the number, low and high are the bounds of what reads back as it, all three in
	 * quarters of the last binary digit; further down they are multiplied by 10^-k.
	 */
	uint64_t low = 4 * c - 2 + closer, mid = 4 * c, high = 4 * c + 2, odd = c & 1;
	int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22, h = q + log2_ten(-k) + 1;
	struct pow5 p = pow5[-k - POW5_MIN];
	/* The table rounds down; where a power is inexact (not 5^0 to 5^55), 1 rounds it up. */
	u128 g = ((u128)p.hi << 64 | p.lo) + (-k < 0 || -k > 55);
	uint64_t v = round_to_odd(g, mid << h), s = v / 4, t = s / 10;
	bool below, above;

	low = round_to_odd(g, low << h) + odd;
	high = round_to_odd(g, high << h) - odd;
	*exponent = k + 1;
	below = s >= 10 && low <= 40 * t;
	above = s >= 10 && 40 * t + 40 <= high;
	if (below != above)
		return t + above;
	*exponent = k;
	below = low <= 4 * s;
	above = 4 * s + 4 <= high;
	if (below != above)
		return s + above;
	return s + (v > 4 * s + 2 || (v == 4 * s + 2 && (s & 1)));
}

/* ---- a fixed number of digits ---- */

int
axt_fixed_text(char *out, double v, int n)
{
	static const uint64_t ten[AXT_FIXED_MOST + 1] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
		10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000, 10000000000000000,
		100000000000000000 };
	uint64_t u, c;
	u128 x, rest, half;
	int e, size;
	char *p = out;

	memcpy(&u, &v, 8);
	e = (int)(u >> 52 & 0x7ff);
	c = (u & (((uint64_t)1 << 52) - 1)) | (uint64_t)(e > 0) << 52;
	e = MAX(e, 1) - 1075;
	if (e > 0)
		return 0;
	x = wide(c, ten[n]); /* below 2^110; times 2^e it is the value that is rounded */
	if (e <= -120) {
		x = 0;
	} else if (e < 0) {
		half = (u128)1 << (-e - 1);
		rest = x & (2 * half - 1);
		x >>= -e;
		x += rest > half || (rest == half && (x & 1));
	}
	if (x >> 64)
		return 0;
	c = (uint64_t)x;
	if (u >> 63)
		*p++ = '-';
	size = MAX(axt_digits_count(c), n + 1);
	if (n == 0) {
		axt_digits(p, c, size);
		return (int)(p + size - out);
	}
	axt_digits(p, c / ten[n], size - n);
	p += size - n;
	*p++ = '.';
	axt_digits(p, c % ten[n], n);
	return (int)(p + n - out);
}

/* ---- reading ---- */

/*
 * Sets *out to w * 10^q, rounded to the nearest double. Returns false if 128 bits of the power of
 * ten do not suffice for that, or the result is not a normal number.
 */
static bool
to_double(uint64_t w, int q, double *out)
{
	static const double ten[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	u128 x;
	struct pow5 p;
	uint64_t m, hi;
	int shift, up, e;

	if (w <= (uint64_t)1 << 53 && q >= -22 && q <= 22) { /* w and 10^|q| are exact doubles */
		*out = q < 0 ? (double)w / ten[-q] : (double)w * ten[q];
		return true;
	}
	if (w == 0 || q < POW5_MIN || q > 308)
		return false;
	p = pow5[q - POW5_MIN];
	/* such powers are rounded up, so that exact quotients come out exact */
	if (q < 0 && q >= -27 && ++p.lo == 0)
		p.hi++;
	shift = __builtin_clzll(w);
	w <<= shift;
	x = wide(w, p.hi);
	if (((uint64_t)(x >> 64) & 0x1ff) == 0x1ff) {
		x += wide(w, p.lo) >> 64;
		if ((uint64_t)x == UINT64_MAX && (q < -27 || q > 55))
			return false;
	}
	hi = (uint64_t)(x >> 64);
	up = (int)(hi >> 63);
	m = hi >> (up + 9); /* one bit more than the mantissa has */
	e = ((217706 * q) >> 16) + 63 + up - shift + 1023;
	if (e <= 0 || e >= 0x7fe)
		return false;
	/* Halfway between two doubles: take the even one. */
	if ((uint64_t)x <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << (up + 9) == hi)
		m &= ~(uint64_t)1;
	m = (m + (m & 1)) >> 1;
	/* A carry out of the mantissa increments the exponent. */
	m += ((uint64_t)e << 52) - ((uint64_t)1 << 52);
	memcpy(out, &m, 8);
	return true;
}

static const char *
digits(const char *p, const char *end, uint64_t *w)
{
	for (; p < end && (unsigned)(*p - '0') <= 9; p++)
		*w = *w * 10 + (unsigned)(*p - '0');
	return p;
}

/* How many digits from s to p are significant: leading zeros and the point do not count. */
static int64_t
significant(const char *s, const char *p)
{
	bool point = false;

	for (; s < p && (*s == '0' || *s == '.'); s++)
		;
	for (const char *d = s; d < p; d++)
		point = point || *d == '.';
	return p - s - point;
}

/*
 * Reads the exponent whose "e" is at p, and adds it to *q. Returns where the exponent ends, or NULL
 * if there is none.
 */
static const char *
exponent(const char *p, const char *end, int64_t *q)
{
	bool minus = ++p < end && *p == '-';
	const char *first;
	uint64_t e = 0;

	p += p < end && (*p == '-' || *p == '+');
	first = p;
	p = digits(p, end, &e);
	if (p == first || p - first > 4)
		return NULL;
	*q += minus ? -(int64_t)e : (int64_t)e;
	return p;
}

static bool
whole(uint64_t w, bool negative, struct axt_num *out)
{
	if (negative && w > (uint64_t)INT64_MAX + 1)
		return false;
	out->is_int = true;
	out->is_unsigned = w > (uint64_t)INT64_MAX && !negative;
	out->u = negative ? 0 : w;
	out->i = negative ? (int64_t)(0 - w) : out->is_unsigned ? INT64_MAX : (int64_t)w;
	out->f = negative ? (double)out->i : (double)w;
	return true;
}

const char *
axt_scan_num(const char *s, const char *end, struct axt_num *out)
{
	bool negative = s < end && *s == '-', real;
	const char *first, *p, *f;
	int64_t q = 0;
	uint64_t w = 0;

	first = s + (s < end && (*s == '-' || *s == '+'));
	p = digits(first, end, &w);
	real = p < end && *p == '.';
	if (real) {
		p = digits(f = p + 1, end, &w);
		q = f - p;
	}
	if (p - first == real || (p - first - real > DIGITS && significant(first, p) > DIGITS))
		return NULL;
	if (p < end && (*p | 32) == 'e') {
		real = true;
		if (!(p = exponent(p, end, &q)))
			return NULL;
	}
	*out = (struct axt_num){ 0 };
	if (!real)
		return (p == end || (*p | 32) != 'x') && whole(w, negative, out) ? p : NULL;
	if (w != 0 && (q < POW5_MIN || q > POW5_MAX || !to_double(w, (int)q, &out->f)))
		return NULL;
	out->f = negative ? -out->f : out->f;
	return p;
}
