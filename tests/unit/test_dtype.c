/* test_dtype.c - names, promotion, weak numbers, half formats, values as text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dtype/dtype.h"

static void
test_names(void **state)
{
	(void)state;
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++) {
		assert_int_equal(axt_dtype_parse(axt_dtypes[d].name), d);
		assert_int_equal(axt_dtype_parse(axt_dtypes[d].numpy), d);
	}
	assert_int_equal(axt_dtype_parse("float"), AXT_F32);
	assert_int_equal(axt_dtype_parse("double"), AXT_F64);
	assert_int_equal(axt_dtype_parse("int"), AXT_I32);
	assert_int_equal(axt_dtype_parse("F32"), AXT_DTYPE_AUTO);
	assert_int_equal(axt_dtype_parse(""), AXT_DTYPE_AUTO);
	assert_int_equal(axt_size(AXT_BF16), 2);
	assert_int_equal(axt_size(AXT_C128), 16);
	assert_int_equal(axt_dtypes[AXT_F16].comp, AXT_F32);
}

/* numpy.result_type of each pair of dtypes (NumPy 1.24); bf16 stands in for f16. */
static void
test_promotion(void **state)
{
	static const char *const table[] = {
		"bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i16 i16 i16 i32 i64 i16 i32 i64 f64 f32 f32 f32 f64 c64 c128",
		"i32 i32 i32 i32 i64 i32 i32 i64 f64 f64 f64 f64 f64 c128 c128",
		"i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 f64 f64 c128 c128",
		"u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u16 i32 i32 i32 i64 u16 u16 u32 u64 f32 f32 f32 f64 c64 c128",
		"u32 i64 i64 i64 i64 u32 u32 u32 u64 f64 f64 f64 f64 c128 c128",
		"u64 f64 f64 f64 f64 u64 u64 u64 u64 f64 f64 f64 f64 c128 c128",
		"f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 f32 f32 f64 c64 c128",
		"bf16 bf16 f32 f64 f64 bf16 f32 f64 f64 f32 bf16 f32 f64 c64 c128",
		"f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f32 f32 f64 c64 c128",
		"f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
		"c64 c64 c64 c128 c128 c64 c64 c128 c128 c64 c64 c64 c128 c64 c128",
		"c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
	};
	char row[256], *word, *save;

	(void)state;
	assert_int_equal(ARRAY_LEN(table), AXT_NDTYPES - AXT_BOOL);
	for (int a = AXT_BOOL; a < AXT_NDTYPES; a++) {
		snprintf(row, sizeof(row), "%s", table[a - AXT_BOOL]);
		word = strtok_r(row, " ", &save);
		for (int b = AXT_BOOL; b < AXT_NDTYPES; b++, word = strtok_r(NULL, " ", &save)) {
			assert_string_equal(
			    axt_dtypes[axt_promote((enum axt_dtype)a, (enum axt_dtype)b)].name,
			    word);
			assert_string_equal(
			    axt_dtypes[axt_promote((enum axt_dtype)b, (enum axt_dtype)a)].name,
			    word);
		}
	}
}

static void
test_weak(void **state)
{
	static const struct {
		const char *number;
		enum axt_dtype beside, out;
	} good[] = {
		{ "2", AXT_I8, AXT_I8 },
		{ "-128", AXT_I8, AXT_I8 },
		{ "255", AXT_U8, AXT_U8 },
		{ "1.5", AXT_I8, AXT_F64 },
		{ "2.0", AXT_I32, AXT_F64 },
		{ "nan", AXT_U8, AXT_F64 },
		{ "1", AXT_BOOL, AXT_I64 },
		{ "0.5", AXT_BOOL, AXT_F64 },
		{ "2", AXT_F16, AXT_F16 },
		{ "1e30", AXT_F32, AXT_F32 },
		{ "0.1", AXT_C64, AXT_C64 },
		{ "3", AXT_BF16, AXT_BF16 },
		{ "18446744073709551615", AXT_U64, AXT_U64 },
		{ "18446744073709551615", AXT_BOOL, AXT_U64 },
	};
	static const struct {
		const char *number;
		enum axt_dtype beside;
		const char *text;
	} bad[] = {
		{ "300", AXT_I8, "300 does not fit i8 (-128..127)" },
		{ "-1", AXT_U8, "-1 does not fit u8 (0..255)" },
		{ "18446744073709551615", AXT_I64,
		    "18446744073709551615 does not fit i64 "
		    "(-9223372036854775808..9223372036854775807)" },
		{ "-1", AXT_U64, "-1 does not fit u64 (0..18446744073709551615)" },
	};
	enum axt_dtype out;
	struct axt_num n;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++) {
		struct axt_err e = { 0 };

		assert_true(axt_parse_num(good[i].number, &n));
		assert_int_equal(axt_weak(&n, good[i].beside, &out, &e), AXT_OK);
		assert_int_equal(out, good[i].out);
	}
	for (int i = 0; i < ARRAY_LEN(bad); i++) {
		struct axt_err e = { 0 };

		assert_true(axt_parse_num(bad[i].number, &n));
		assert_int_equal(axt_weak(&n, bad[i].beside, &out, &e), AXT_E_RANGE);
		assert_string_equal(e.text, bad[i].text);
	}
	assert_true(axt_parse_num("18446744073709551615", &n));
	assert_int_equal(axt_num_dtype(&n), AXT_U64);
	assert_true(axt_parse_num("1e3", &n));
	assert_int_equal(axt_num_dtype(&n), AXT_F64);
}

/* valgrind's long double is a double. */
static void
not_under_valgrind(void)
{
	const char *s = getenv("AXT_SANITIZER");

	if (s && strcmp(s, "valgrind") == 0)
		skip();
}

static void
test_store(void **state)
{
	static const struct {
		const char *number;
		enum axt_dtype d;
		const char *text; /* NULL: refused */
	} cases[] = {
		{ "300", AXT_U8, NULL },
		{ "-1", AXT_U16, NULL },
		{ "-1", AXT_I16, "-1" },
		{ "65535", AXT_U16, "65535" },
		{ "2.9", AXT_I32, "2" },
		{ "-2.9", AXT_I32, "-2" },
		{ "nan", AXT_I32, NULL },
		{ "1e10", AXT_I32, NULL },
		{ "1e19", AXT_U64, "10000000000000000000" },
		{ "7", AXT_BOOL, "true" },
		{ "0", AXT_BOOL, "false" },
		{ "0.5", AXT_BOOL, "true" },
		{ "1e10", AXT_F16, "inf" },
		{ "65504", AXT_F16, "65500" },
		{ "65519.9", AXT_F16, "65500" },
		{ "65520", AXT_F16, "inf" },
		{ "2049", AXT_F16, "2048" },
		{ "0.1", AXT_BF16, "0.1" },
		{ "16777217", AXT_F32, "16777216" },
		{ "2", AXT_C64, "2+0j" },
		{ "-1.5", AXT_C128, "-1.5+0j" },
		/* Halfway and a little more: rounding over f32 on the way would lose the little. */
		{ "1.00048828125000001", AXT_F16, "1" },
		{ "1.0004882812500002", AXT_F16, "1.001" },
		{ "1.003906250000001", AXT_BF16, "1.01" },
		/* An integer goes to f32 in one rounding. */
		{ "9007199791611905", AXT_F32, "9007200000000000" },
	};
	struct axt_num n;
	char text[AXT_TEXT];
	unsigned char p[17];
	int len;

	(void)state;
	not_under_valgrind();
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(axt_parse_num(cases[i].number, &n));
		assert_int_equal(axt_num_store(&n, cases[i].d, p + 1), cases[i].text != NULL);
		if (!cases[i].text)
			continue;
		len = axt_value_text(text, cases[i].d, p + 1);
		assert_int_equal(len, strlen(text));
		assert_string_equal(text, cases[i].text);
	}
}

/* Every f16 is an f32; every f32 rounds to the nearest f16, ties to even. */
static void
test_f16(void **state)
{
	(void)state;
	for (uint32_t h = 0; h < 0x7c00; h++) {
		float f = axt_f16_to_f32((uint16_t)h), next = axt_f16_to_f32((uint16_t)(h + 1)),
		      mid;
		uint32_t up = h + 1;

		assert_int_equal(axt_f32_to_f16(f), h);
		assert_int_equal(axt_f32_to_f16(-f), h | 0x8000);
		if (h == 0x7bff)
			next = 65536;
		mid = (f + next) / 2;
		assert_int_equal(axt_f32_to_f16(mid), h & 1 ? up : h);
		assert_int_equal(axt_f32_to_f16(nextafterf(mid, 0)), h);
		assert_int_equal(axt_f32_to_f16(nextafterf(mid, INFINITY)), up);
	}
	assert_true(isinf(axt_f16_to_f32(0x7c00)) && isnan(axt_f16_to_f32(0x7e01)));
	assert_true(isnan(axt_f16_to_f32(axt_f32_to_f16(NAN))));
	assert_int_equal(axt_f32_to_f16(INFINITY), 0x7c00);
	assert_int_equal(axt_f32_to_f16(1e-30f), 0);
	assert_true(axt_f16_to_f32(1) == 0x1p-24f);
}

static void
test_bf16(void **state)
{
	(void)state;
	for (uint32_t h = 0; h < 0x7f80; h++) {
		float f = axt_bf16_to_f32((uint16_t)h), mid;
		uint32_t bits = h << 16 | 0x8000;

		memcpy(&mid, &bits, 4);
		assert_int_equal(axt_f32_to_bf16(f), h);
		assert_int_equal(axt_f32_to_bf16(-f), h | 0x8000);
		assert_int_equal(axt_f32_to_bf16(mid), h & 1 ? h + 1 : h);
		assert_int_equal(axt_f32_to_bf16(nextafterf(mid, INFINITY)), h + 1);
	}
	assert_true(isnan(axt_bf16_to_f32(axt_f32_to_bf16(NAN))));
	assert_int_equal(axt_f32_to_bf16(-INFINITY), 0xff80);
}

/* Two neighbours, as scale and offset are: where gcc 12 drops the conversions, if it may. */
static __attribute__((noinline)) void
round_two(double *out, double a, double b)
{
	out[0] = axt_rounded_f32(a);
	out[1] = axt_rounded_f32(b);
}

static void
test_rounded_f32(void **state)
{
	static const struct {
		double v, f;
	} x[] = { { 0.1, 0x1.99999ap-4 }, { 0.2, 0x1.99999ap-3 }, { 1.0 / 3, 0x1.555556p-2 },
		{ 16777217, 16777216 }, { 1e-50, 0 }, { 1e300, INFINITY }, { -0.5, -0.5 } };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(x); i++)
		for (int j = 0; j < ARRAY_LEN(x); j++) {
			double got[2];

			round_two(got, x[i].v, x[j].v);
			assert_true(got[0] == x[i].f && got[1] == x[j].f);
		}
}

static const char *
text_f64(double v)
{
	static char text[AXT_TEXT];

	axt_value_text(text, AXT_F64, &v);
	return text;
}

static const char *
text_f32(float v)
{
	static char text[AXT_TEXT];

	axt_value_text(text, AXT_F32, &v);
	return text;
}

static void
test_text(void **state)
{
	char text[AXT_TEXT];
	float z[2] = { 1, 2 }, y[2] = { -0.5f, -0.0f };
	double x[2] = { NAN, -INFINITY };
	uint16_t h = 0x2e66;
	uint64_t u = UINT64_MAX;
	int64_t i = INT64_MIN;
	int8_t b = -7;

	(void)state;
	assert_string_equal(text_f64(1), "1");
	assert_string_equal(text_f64(-0.0), "-0");
	assert_string_equal(text_f64(0.1), "0.1");
	assert_string_equal(text_f64(0.1 + 0.2), "0.30000000000000004");
	assert_string_equal(text_f64(1e20), "1e+20");
	assert_string_equal(text_f64(1.5e-7), "1.5e-07");
	assert_string_equal(text_f64(1e15), "1000000000000000");
	assert_string_equal(text_f64(1e16), "1e+16");
	assert_string_equal(text_f64(0.0001), "0.0001");
	assert_string_equal(text_f64(1e-5), "1e-05");
	assert_string_equal(text_f64(1234.5), "1234.5");
	assert_string_equal(text_f64(5e-324), "5e-324");
	assert_string_equal(text_f64(1.7976931348623157e308), "1.7976931348623157e+308");
	assert_string_equal(text_f64(9007199254740993.0), "9007199254740992");
	assert_string_equal(text_f64(0x1p-44), "5.684341886080802e-14");
	assert_string_equal(text_f64(-INFINITY), "-inf");
	assert_string_equal(text_f64(-NAN), "nan");
	assert_string_equal(text_f32(0.1f), "0.1");
	assert_string_equal(text_f32(1.17549435e-38f), "1.1754944e-38");
	assert_string_equal(text_f32(1e-45f), "1e-45");
	assert_string_equal(text_f32(123456792), "123456790");
	axt_value_text(text, AXT_C64, z);
	assert_string_equal(text, "1+2j");
	axt_value_text(text, AXT_C64, y);
	assert_string_equal(text, "-0.5-0j");
	axt_value_text(text, AXT_C128, x);
	assert_string_equal(text, "nan-infj");
	axt_value_text(text, AXT_F16, &h);
	assert_string_equal(text, "0.1");
	axt_value_text(text, AXT_U64, &u);
	assert_string_equal(text, "18446744073709551615");
	axt_value_text(text, AXT_I64, &i);
	assert_string_equal(text, "-9223372036854775808");
	axt_value_text(text, AXT_I8, &b);
	assert_string_equal(text, "-7");
	axt_value_text(text, AXT_BOOL, &b);
	assert_string_equal(text, "true");
}

/* Random bits read back the same, and one digit less does not. */
static void
test_round_trip(void **state)
{
	uint64_t s = 88172645463325252u;
	char text[AXT_TEXT], shorter[64];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double v;
		float f;
		uint32_t bits;
		int digits = 0;

		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		memcpy(&v, &s, 8);
		bits = (uint32_t)(s >> 20);
		memcpy(&f, &bits, 4);
		if (isfinite(f)) {
			axt_value_text(text, AXT_F32, &f);
			assert_true(strtof(text, NULL) == f);
		}
		if (!isfinite(v))
			continue;
		axt_value_text(text, AXT_F64, &v);
		assert_true(strtod(text, NULL) == v);
		for (const char *p = text; *p && *p != 'e'; p++)
			digits += *p >= '0' && *p <= '9';
		if (digits < 16 || !strchr(text, 'e'))
			continue;
		snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, v);
		assert_false(strtod(shorter, NULL) == v);
	}
}

/* The significant digits of a number as text, without the zeros at the end. */
static void
digits_of(const char *s, char out[40])
{
	int n = 0;

	for (; *s && *s != 'e'; s++)
		if (*s >= '0' && *s <= '9' && (n > 0 || *s != '0'))
			out[n++] = *s;
	while (n > 1 && out[n - 1] == '0')
		n--;
	out[n] = '\0';
}

/* Adds one in the last place of the digits of "d.ddde+xx"; false: it carries out of them. */
static bool
up(char *s)
{
	for (char *p = strchr(s, 'e'); p > s;)
		if (*--p >= '0' && *p < '9') {
			++*p;
			return true;
		} else if (*p == '9') {
			*p = '0';
		}
	return false;
}

static bool
reads_as(enum axt_dtype d, const char *s, double v)
{
	return (d == AXT_F32 ? (double)strtof(s, NULL) : strtod(s, NULL)) == v;
}

/*
 * The digits are the first rounding by the C library that reads back, or one more where that is
 * half as far.
 */
static void
same_digits(enum axt_dtype d, double v)
{
	char text[AXT_TEXT], want[64], next[64], a[40], b[40];
	float f = (float)v;
	int n = 0;

	if (!isfinite(v) || v == 0)
		return;
	axt_value_text(text, d, d == AXT_F32 ? (void *)&f : (void *)&v);
	do {
		snprintf(want, sizeof(want), "%.*e", n, v);
		snprintf(next, sizeof(next), "%.*e", n, v);
	} while (!reads_as(d, want, v) && !(up(next) && reads_as(d, next, v)) && ++n < 20);
	digits_of(text, a);
	digits_of(reads_as(d, want, v) ? want : next, b);
	if (strcmp(a, b) != 0)
		fail_msg("%s: %s, not %s", axt_dtypes[d].name, text, want);
}

/* Sanitizers and valgrind are many times slower. */
static int
often(int n)
{
	return getenv("AXT_SANITIZER") && *getenv("AXT_SANITIZER") ? n / 20 : n;
}

static void
test_fewest(void **state)
{
	uint64_t s = 88172645463325252u;

	(void)state;
	for (int e = 0; e < 2047; e++)
		for (uint64_t k = 0; k < 4; k++) {
			uint64_t u = ((uint64_t)e << 52) + k - 1;
			uint32_t w = ((uint32_t)(e & 255) << 23) + (uint32_t)k - 1;
			double v;
			float f;

			memcpy(&v, &u, 8);
			memcpy(&f, &w, 4);
			same_digits(AXT_F64, fabs(v));
			same_digits(AXT_F32, fabs((double)f));
		}
	for (int i = often(40000); i > 0; i--) {
		uint32_t w;
		double v;
		float f;

		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		w = (uint32_t)(s >> 20);
		memcpy(&v, &s, 8);
		memcpy(&f, &w, 4);
		same_digits(AXT_F64, v);
		same_digits(AXT_F32, (double)f);
		same_digits(AXT_F64, (double)(int64_t)(s >> 40) / 1000);
		same_digits(AXT_F64, ldexp((double)(s >> 11), (int)(s & 127) - 64));
	}
}

static void
test_fixed(void **state)
{
	uint64_t s = 88172645463325252u;
	char got[AXT_TEXT], want[400];
	int done = 0;

	(void)state;
	for (int i = often(300000); i > 0; i--) {
		int n = (int)(s >> 59) % (AXT_FIXED_MOST + 1), len;
		double v;

		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		memcpy(&v, &s, 8);
		if (i & 1)
			v = ldexp((double)(int64_t)(s | 1) / 0x1p63, (int)(s & 63) - 20);
		else if (i & 2) /* halfway between two */
			v = ldexp((double)(int64_t)(s >> 50), -(int)(s & 15));
		len = axt_fixed_text(got, v, n);
		if (len == 0)
			continue;
		done++;
		assert_int_equal(snprintf(want, sizeof(want), "%.*f", n, v), len);
		assert_memory_equal(got, want, (size_t)len);
	}
	assert_true(done > often(150000));
	assert_int_equal(axt_fixed_text(got, (double)INFINITY, 2), 0);
	assert_int_equal(axt_fixed_text(got, (double)NAN, 2), 0);
	assert_int_equal(axt_fixed_text(got, 1e300, 2), 0);
}

/* Numbers with up to 19 digits as strtod has them. */
static void
test_scan(void **state)
{
	static const char *const slow[] = { "", "-", ".", "e5", "1e", "1e+", "inf", "nan", "0x10",
		" 1", "12345678901234567890", "1e400", "1e-400", "-9223372036854775809" };
	uint64_t s = 88172645463325252u;
	struct axt_num n;
	char text[100];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(slow); i++)
		assert_null(axt_scan_num(slow[i], slow[i] + strlen(slow[i]), &n));
	for (int i = often(300000), fast = 0; i > 0; i--) {
		const char *end;
		double v, want;

		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		memcpy(&v, &s, 8);
		if (!isfinite(v))
			continue;
		if (i & 1)
			snprintf(text, sizeof(text), "%.*e,", (int)(s % 19), v);
		else
			snprintf(text, sizeof(text), "%.*f,", (int)(s % 9),
			    ldexp((double)(int64_t)(s >> 30), -(int)(s & 15)));
		want = strtod(text, NULL);
		end = axt_scan_num(text, text + strlen(text), &n);
		if (!end) {
			assert_true(fabs(want) < 0x1p-1021 || fabs(want) > 0x1p1022);
			continue;
		}
		fast++;
		if (*end != ',' || memcmp(&want, &n.f, 8) != 0)
			assert_true(want == 0 && n.f == 0 && *end == ',');
		assert_true(i > 1 || fast > often(290000));
	}
}

static void
test_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fa_IR.UTF-8" };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (setlocale(LC_ALL, names[i])) {
			assert_string_equal(text_f64(0.5), "0.5");
			assert_string_equal(text_f64(1.5e300), "1.5e+300");
		}
	setlocale(LC_ALL, "C");
}

static void
test_load(void **state)
{
	unsigned char p[17] = { 0 };
	int64_t big = INT64_MIN;
	double v = -2.5;

	(void)state;
	memcpy(p + 1, &big, 8);
	assert_true(axt_load_f64(AXT_I64, p + 1) == -0x1p63);
	assert_true(axt_load_f64(AXT_U64, p + 1) == 0x1p63);
	memcpy(p + 1, &v, 8);
	assert_true(axt_load_f64(AXT_C128, p + 1) == -2.5);
	p[1] = 3;
	assert_true(axt_load_f64(AXT_BOOL, p + 1) == 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_promotion),
		cmocka_unit_test(test_weak),
		cmocka_unit_test(test_store),
		cmocka_unit_test(test_f16),
		cmocka_unit_test(test_bf16),
		cmocka_unit_test(test_rounded_f32),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_fewest),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_load),
	};

	return cmocka_run_group_tests_name("dtype", tests, NULL, NULL);
}
