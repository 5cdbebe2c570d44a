/* value.c - one element at a time: as a double, from a number, as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dtype/dtype.h"

/* Any element; copied in and out, since the address may be unaligned. */
union element {
	uint8_t u8;
	int8_t i8;
	uint16_t u16;
	int16_t i16;
	uint32_t u32;
	int32_t i32;
	uint64_t u64;
	int64_t i64;
	float f32[2];
	double f64[2];
};

/* The real (i = 0) or imaginary (i = 1) part. */
static double
component(enum axt_dtype d, const union element *v, int i)
{
	switch (d) {
	case AXT_BOOL: return v->u8 != 0;
	case AXT_I8: return v->i8;
	case AXT_I16: return v->i16;
	case AXT_I32: return v->i32;
	case AXT_I64: return (double)v->i64;
	case AXT_U8: return v->u8;
	case AXT_U16: return v->u16;
	case AXT_U32: return v->u32;
	case AXT_U64: return (double)v->u64;
	case AXT_F16: return (double)axt_f16_to_f32(v->u16);
	case AXT_BF16: return (double)axt_bf16_to_f32(v->u16);
	case AXT_F32:
	case AXT_C64: return (double)v->f32[i];
	default: return v->f64[i];
	}
}

static void
load(union element *v, enum axt_dtype d, const void *p)
{
	switch (axt_size(d)) { /* each size is a constant, so that a copy is one move */
	case 1: memcpy(v, p, 1); break;
	case 2: memcpy(v, p, 2); break;
	case 4: memcpy(v, p, 4); break;
	case 8: memcpy(v, p, 8); break;
	default: memcpy(v, p, 16);
	}
}

double
axt_load_f64(enum axt_dtype d, const void *p)
{
	union element v;

	load(&v, d, p);
	return component(d, &v, 0);
}

/*
 * Rounds v to a float format with p bits of mantissa, whose last bit is worth at least 2^emin (in
 * subnormal numbers). f32 holds the result exactly, so that no second rounding happens when it is
 * converted from f32 to the format.
 */
static double
round_to(double v, int p, int emin)
{
	int e;

	if (!isfinite(v) || v == 0)
		return v;
	frexp(v, &e);
	e = MAX(e - p, emin);
	return ldexp(nearbyint(ldexp(v, -e)), e);
}

static uint16_t
to_f16(double v)
{
	return axt_f32_to_f16((float)round_to(v, 11, -24));
}

static uint16_t
to_bf16(double v)
{
	return axt_f32_to_bf16((float)round_to(v, 8, -133));
}

static const struct {
	int64_t lo;
	uint64_t hi;
} ranges[] = {
	[AXT_BOOL] = { 0, 1 },
	[AXT_I8] = { INT8_MIN, INT8_MAX },
	[AXT_I16] = { INT16_MIN, INT16_MAX },
	[AXT_I32] = { INT32_MIN, INT32_MAX },
	[AXT_I64] = { INT64_MIN, INT64_MAX },
	[AXT_U8] = { 0, UINT8_MAX },
	[AXT_U16] = { 0, UINT16_MAX },
	[AXT_U32] = { 0, UINT32_MAX },
	[AXT_U64] = { 0, UINT64_MAX },
};

void
axt_dtype_range_text(char out[AXT_TEXT], enum axt_dtype d)
{
	snprintf(out, AXT_TEXT, "%lld..%llu", (long long)ranges[d].lo,
	    (unsigned long long)ranges[d].hi);
}

static bool
store_int(const struct axt_num *n, enum axt_dtype d, union element *v)
{
	uint64_t u = n->is_unsigned ? n->u : (uint64_t)n->i;

	if (!n->is_int) {
		double f = trunc(n->f);

		if (!(f >= -0x1p63 && f < 0x1p64))
			return false;
		struct axt_num whole = { .is_int = true, .is_unsigned = f >= 0x1p63 };

		whole.u = f > 0 ? (uint64_t)f : 0;
		whole.i = f < 0x1p63 ? (int64_t)f : INT64_MAX;
		return store_int(&whole, d, v);
	}
	if (!n->is_unsigned && n->i < 0 ? n->i < ranges[d].lo : u > ranges[d].hi)
		return false;
	switch (axt_size(d)) {
	case 1: v->u8 = (uint8_t)u; break;
	case 2: v->u16 = (uint16_t)u; break;
	case 4: v->u32 = (uint32_t)u; break;
	default: v->u64 = u;
	}
	return true;
}

/*
 * The number as f32. An integer is converted directly: by way of double it would be rounded twice.
 */
static float
num_f32(const struct axt_num *n)
{
	if (!n->is_int)
		return (float)n->f;
	return n->is_unsigned ? (float)n->u : (float)n->i;
}

bool
axt_num_store(const struct axt_num *n, enum axt_dtype d, void *p)
{
	union element v;

	memset(&v, 0, sizeof(v));
	switch (d) {
	case AXT_BOOL: v.u8 = n->is_unsigned || (n->is_int ? n->i != 0 : n->f != 0); break;
	case AXT_F16: v.u16 = to_f16(n->f); break;
	case AXT_BF16: v.u16 = to_bf16(n->f); break;
	case AXT_F32:
	case AXT_C64: v.f32[0] = num_f32(n); break;
	case AXT_F64:
	case AXT_C128: v.f64[0] = n->f; break;
	default:
		if (!store_int(n, d, &v))
			return false;
	}
	memcpy(p, &v, (size_t)axt_size(d));
	return true;
}

/* ---- text ---- */

/*
 * Writes the digits of v > 0, a value of dtype d, and sets *e to the decimal exponent of the first
 * one. Returns how many digits there are.
 */
static int
shortest(enum axt_dtype d, double v, char out[24], int *e)
{
	static const struct {
		/* bits of the mantissa; exponent of the last bit of a subnormal */
		int digits, least;
	} formats[] = { { 11, -24 }, { 8, -133 }, { 24, -149 }, { 53, -1074 } };
	int f = d == AXT_F16 ? 0 : d == AXT_BF16 ? 1 : d == AXT_F32 ? 2 : 3, n, k, top, q;
	uint64_t c, u;

	memcpy(&u, &v, sizeof(u));
	c = u & (((uint64_t)1 << 52) - 1);
	top = (int)(u >> 52) - 1023;
	if (top == -1023)
		top++;
	else
		c |= (uint64_t)1 << 52;
	q = MAX(top - formats[f].digits + 1, formats[f].least);
	c >>= q - (top - 52);
	u = axt_shortest(c, q, c == (uint64_t)1 << (formats[f].digits - 1) && q > formats[f].least,
	    &k);
	n = axt_digits_count(u);
	axt_digits(out, u, n);
	*e = k + n - 1;
	while (n > 1 && out[n - 1] == '0')
		n--;
	return n;
}

/* Writes n digits as Python does: plain from 1e-4 to below 1e16, otherwise with an exponent. */
static int
lay_out(char *out, const char *s, int n, int e)
{
	char *p = out;
	int whole = MIN(n, e + 1), size = abs(e) >= 100 ? 3 : 2;

	if (e < -4 || e >= 16)
		whole = 1;
	if (e >= -4 && e < 0) {
		memcpy(p, "0.000", 5);
		p += 1 - e;
		whole = 0;
	}
	memcpy(p, s, (size_t)whole);
	p += whole;
	if (whole > 0 && whole < n)
		*p++ = '.';
	memcpy(p, s + whole, (size_t)(n - whole));
	p += n - whole;
	if (e < -4 || e >= 16) {
		*p++ = 'e';
		*p++ = e < 0 ? '-' : '+';
		axt_digits(p, (uint64_t)abs(e), size);
		p += size;
	} else if (e >= n) {
		memset(p, '0', (size_t)(e + 1 - n));
		p += e + 1 - n;
	}
	*p = '\0';
	return (int)(p - out);
}

static int
float_text(char *out, enum axt_dtype d, double v)
{
	/* Below this bound d holds every integer, so the integer's own digits are the fewest. */
	double exact = d == AXT_F16 ? 0x1p11
	    : d == AXT_BF16         ? 0x1p8
	    : d == AXT_F32          ? 0x1p24
				    : 0x1p53;
	char digits[24];
	int sign = signbit(v) && !isnan(v), e, n;

	if (sign)
		*out++ = '-';
	v = fabs(v);
	if (!isfinite(v)) {
		memcpy(out, isnan(v) ? "nan" : "inf", 4);
		return sign + 3;
	}
	if (v < exact && v == (double)(int64_t)v)
		return sign + axt_u64_text(out, (uint64_t)v);
	n = shortest(d, v, digits, &e);
	return sign + lay_out(out, digits, n, e);
}

static int
complex_text(char *out, enum axt_dtype part_dtype, double re, double im)
{
	int n = float_text(out, part_dtype, re);

	if (!signbit(im) || isnan(im))
		out[n++] = '+';
	n += float_text(out + n, part_dtype, im);
	out[n++] = 'j';
	out[n] = '\0';
	return n;
}

static uint64_t
unsigned_of(enum axt_dtype d, const union element *v)
{
	return d == AXT_U8 ? v->u8 : d == AXT_U16 ? v->u16 : d == AXT_U32 ? v->u32 : v->u64;
}

static int
int_text(char *out, enum axt_dtype d, const union element *v)
{
	int64_t i = d == AXT_I8 ? v->i8 : d == AXT_I16 ? v->i16 : d == AXT_I32 ? v->i32 : v->i64;

	if (i >= 0)
		return axt_u64_text(out, (uint64_t)i);
	*out = '-';
	return 1 + axt_u64_text(out + 1, 0 - (uint64_t)i);
}

int
axt_value_text(char *out, enum axt_dtype d, const void *p)
{
	union element v;

	load(&v, d, p);
	switch (axt_dtypes[d].cls) {
	case AXT_CLASS_BOOL:
		memcpy(out, v.u8 ? "true" : "false", 6 - (v.u8 != 0));
		return v.u8 ? 4 : 5;
	case AXT_CLASS_INT: return int_text(out, d, &v);
	case AXT_CLASS_UINT: return axt_u64_text(out, unsigned_of(d, &v));
	case AXT_CLASS_FLOAT: return float_text(out, d, component(d, &v, 0));
	default:
		return complex_text(out, d == AXT_C64 ? AXT_F32 : AXT_F64, component(d, &v, 0),
		    component(d, &v, 1));
	}
}

const char *const axt_cdl_suffix[AXT_NDTYPES] = {
	[AXT_BOOL] = "b",
	[AXT_I8] = "b",
	[AXT_I16] = "s",
	[AXT_I32] = "",
	[AXT_I64] = "LL",
	[AXT_U8] = "UB",
	[AXT_U16] = "US",
	[AXT_U32] = "U",
	[AXT_U64] = "ULL",
	[AXT_F16] = "",
	[AXT_BF16] = "",
	[AXT_F32] = "f",
	[AXT_F64] = "",
	[AXT_C64] = "",
	[AXT_C128] = "",
};

int
axt_value_cdl(char *out, enum axt_dtype d, const void *p)
{
	bool real = axt_dtypes[d].cls == AXT_CLASS_FLOAT;
	double v = axt_load_f64(d, p);
	int n;

	if (d == AXT_BOOL)
		n = snprintf(out, AXT_TEXT, "%d", v != 0);
	else if (real && v != v)
		n = snprintf(out, AXT_TEXT, "NaN");
	else if (real && v - v != 0)
		n = snprintf(out, AXT_TEXT, v > 0 ? "Infinity" : "-Infinity");
	else
		n = axt_value_text(out, d, p);
	if (real && v - v == 0 && !strpbrk(out, ".e"))
		n += snprintf(out + n, AXT_TEXT - (size_t)n, ".");
	return n + snprintf(out + n, AXT_TEXT - (size_t)n, "%s", axt_cdl_suffix[d]);
}
