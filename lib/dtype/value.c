/* value.c - one element at a time: as a double, from a number, as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dtype.h"

/* Any element, unaligned. */
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

/* The real (i 0) or imaginary (i 1) part. */
static double
part(enum axt_dtype d, const union element *v, int i)
{
	switch (d) {
	case AXT_BOOL:
		return v->u8 != 0;
	case AXT_I8:
		return v->i8;
	case AXT_I16:
		return v->i16;
	case AXT_I32:
		return v->i32;
	case AXT_I64:
		return (double)v->i64;
	case AXT_U8:
		return v->u8;
	case AXT_U16:
		return v->u16;
	case AXT_U32:
		return v->u32;
	case AXT_U64:
		return (double)v->u64;
	case AXT_F16:
		return (double)axt_f16_to_f32(v->u16);
	case AXT_BF16:
		return (double)axt_bf16_to_f32(v->u16);
	case AXT_F32:
	case AXT_C64:
		return (double)v->f32[i];
	default:
		return v->f64[i];
	}
}

double
axt_load_f64(enum axt_dtype d, const void *p)
{
	union element v;

	memcpy(&v, p, (size_t)axt_size(d));
	return part(d, &v, 0);
}

/*
 * v rounded once to a float format of p bits and least exponent emin (of the last bit, subnormal):
 * exact in f32 after this, so that the way over f32 does not round twice.
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
	snprintf(
	    out, AXT_TEXT, "%lld..%llu", (long long)ranges[d].lo, (unsigned long long)ranges[d].hi);
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
	case 1:
		v->u8 = (uint8_t)u;
		break;
	case 2:
		v->u16 = (uint16_t)u;
		break;
	case 4:
		v->u32 = (uint32_t)u;
		break;
	default:
		v->u64 = u;
	}
	return true;
}

/* Integers round once, straight from 64 bits. */
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
	case AXT_BOOL:
		v.u8 = n->is_unsigned || (n->is_int ? n->i != 0 : n->f != 0);
		break;
	case AXT_F16:
		v.u16 = to_f16(n->f);
		break;
	case AXT_BF16:
		v.u16 = to_bf16(n->f);
		break;
	case AXT_F32:
	case AXT_C64:
		v.f32[0] = num_f32(n);
		break;
	case AXT_F64:
	case AXT_C128:
		v.f64[0] = n->f;
		break;
	default:
		if (!store_int(n, d, &v))
			return false;
	}
	memcpy(p, &v, (size_t)axt_size(d));
	return true;
}

/* ---- text ---- */

/* v as a float format of dtype d reads it back. */
static double
rounded(enum axt_dtype d, double v)
{
	switch (d) {
	case AXT_F16:
		return (double)axt_f16_to_f32(to_f16(v));
	case AXT_BF16:
		return (double)axt_bf16_to_f32(to_bf16(v));
	case AXT_F32:
		return (double)(float)v;
	default:
		return v;
	}
}

/*
 * The n first digits of v > 0, rounded, and the decimal exponent of the first one. Digits only are
 * picked from printf's text: the locale's decimal point, of any length, is passed over.
 */
static void
decimal(double v, int n, char out[24], int *exponent)
{
	char text[64];
	int m = 0;
	const char *p;

	snprintf(text, sizeof(text), "%.*e", n - 1, v);
	for (p = text; *p && *p != 'e'; p++)
		if (*p >= '0' && *p <= '9' && m < n)
			out[m++] = *p;
	out[m] = '\0';
	*exponent = *p ? (int)strtol(p + 1, NULL, 10) : 0;
}

/* The value of digits: read as an integer with an exponent, so that there is no decimal point. */
static double
read_back(enum axt_dtype d, const char *s, int exponent)
{
	char text[48];
	double v;

	snprintf(text, sizeof(text), "%.20se%d", s, exponent - (int)strlen(s) + 1);
	v = strtod(text, NULL);
	/* To f32 in one rounding; f16 and bf16 have too few digits for the double to decide. */
	return d == AXT_F32 ? (double)strtof(text, NULL) : rounded(d, v);
}

/* Above a power of two the gap is twice that below: the next digits up may read back alone. */
static bool
step_up(char *s)
{
	for (size_t i = strlen(s); i-- > 0; s[i] = '0')
		if (s[i] != '9') {
			s[i]++;
			return true;
		}
	return false;
}

/* The fewest digits of v > 0 that read back as v. */
static void
shortest(enum axt_dtype d, double v, char out[24], int *exponent)
{
	static const struct {
		int sure, all; /* digits that always survive; digits that always suffice */
		double normal;
	} formats[] = { { 3, 5, 0x1p-14 }, { 2, 4, 0x1p-126 }, { 6, 9, 0x1p-126 },
		{ 15, 17, 0x1p-1022 } };
	int f = d == AXT_F16 ? 0 : d == AXT_BF16 ? 1 : d == AXT_F32 ? 2 : 3, e;

	for (int n = v < formats[f].normal ? 1 : formats[f].sure; n <= formats[f].all; n++) {
		decimal(v, n, out, exponent);
		if (read_back(d, out, *exponent) == v)
			break;
		if (frexp(v, &e) == 0.5 && step_up(out) && read_back(d, out, *exponent) == v)
			break;
	}
	for (size_t n = strlen(out); n > 1 && out[n - 1] == '0'; n--)
		out[n - 1] = '\0';
}

/* Digits s laid out as Python does: plain from 1e-4 to below 1e16, else with an exponent. */
static int
lay_out(char *out, const char *s, int e)
{
	int n = (int)strlen(s);

	if (e < -4 || e >= 16)
		return n == 1 ? sprintf(out, "%se%c%02d", s, e < 0 ? '-' : '+', abs(e))
		    : sprintf(out, "%c.%se%c%02d", *s, s + 1, e < 0 ? '-' : '+', abs(e));
	if (e < 0)
		return sprintf(out, "0.%.*s%s", -e - 1, "000", s);
	if (n > e + 1)
		return sprintf(out, "%.*s.%s", e + 1, s, s + e + 1);
	return sprintf(out, "%s%.*s", s, e + 1 - n, "0000000000000000");
}

static int
float_text(char *out, enum axt_dtype d, double v)
{
	/* Integers below these are all there, so their own digits are the fewest. */
	double exact = d == AXT_F16 ? 0x1p11 : d == AXT_BF16 ? 0x1p8
	    : d == AXT_F32 ? 0x1p24 : 0x1p53;
	char digits[24] = "";
	int sign = signbit(v) && !isnan(v), e = 0;

	if (sign)
		*out++ = '-';
	v = fabs(v);
	if (isnan(v) || isinf(v))
		return sign + sprintf(out, isnan(v) ? "nan" : "inf");
	if (v < exact && v == floor(v))
		return sign + sprintf(out, "%lld", (long long)v);
	shortest(d, v, digits, &e);
	return sign + lay_out(out, digits, e);
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

int
axt_value_text(char *out, enum axt_dtype d, const void *p)
{
	union element v;

	memset(&v, 0, sizeof(v));
	memcpy(&v, p, (size_t)axt_size(d));
	switch (axt_dtypes[d].cls) {
	case AXT_CLASS_BOOL:
		return sprintf(out, v.u8 ? "true" : "false");
	case AXT_CLASS_INT:
		return sprintf(
		    out, "%lld", d == AXT_I64 ? (long long)v.i64 : (long long)part(d, &v, 0));
	case AXT_CLASS_UINT:
		return sprintf(out, "%llu",
		    d == AXT_U64 ? (unsigned long long)v.u64 : (unsigned long long)part(d, &v, 0));
	case AXT_CLASS_FLOAT:
		return float_text(out, d, part(d, &v, 0));
	default:
		return complex_text(
		    out, d == AXT_C64 ? AXT_F32 : AXT_F64, part(d, &v, 0), part(d, &v, 1));
	}
}

const char *const axt_cdl_suffix[AXT_NDTYPES] = {
	[AXT_BOOL] = "b", [AXT_I8] = "b", [AXT_I16] = "s", [AXT_I32] = "", [AXT_I64] = "LL",
	[AXT_U8] = "UB", [AXT_U16] = "US", [AXT_U32] = "U", [AXT_U64] = "ULL", [AXT_F16] = "",
	[AXT_BF16] = "", [AXT_F32] = "f", [AXT_F64] = "", [AXT_C64] = "", [AXT_C128] = "",
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
