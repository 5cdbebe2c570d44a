/* test_base.c - errors, arena, buffers, escaping, numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"

static void
test_first_error_sticks(void **state)
{
	struct axt_err e = { 0 };
	char big[3000];

	(void)state;
	assert_int_equal(axt_fail(&e, AXT_E_IO, "first %d", 1), AXT_E_IO);
	axt_hint(&e, "hint\n1");
	assert_int_equal(axt_fail(&e, AXT_E_NAME, "second"), AXT_E_NAME);
	axt_hint(&e, "hint 2");
	assert_int_equal(e.code, AXT_E_IO);
	assert_string_equal(e.text, "first 1");
	assert_string_equal(e.hint, "hint 1");
	e = (struct axt_err){ 0 };
	axt_hint(&e, "no error yet");
	assert_string_equal(e.hint, "");
	axt_fail(&e, AXT_E_NAME, "a\nb\tc\x1b[0m");
	assert_string_equal(e.text, "a b c [0m");
	/* A long text is cut between characters. */
	memset(big, 0, sizeof(big));
	for (size_t i = 0; i + 2 < sizeof(big); i += 2)
		memcpy(big + i, "\xc3\xa9", 2);
	e = (struct axt_err){ 0 };
	axt_fail(&e, AXT_E_NAME, "x%s", big);
	assert_true(strlen(e.text) < sizeof(e.text));
	assert_int_equal(strlen(e.text) % 2, 1);
	assert_int_equal(axt_fail(NULL, AXT_E_MEM, "nobody listens"), AXT_E_MEM);
}

static void
test_arena(void **state)
{
	struct axt_arena *a = axt_arena_new();
	uint32_t seed = 1;

	(void)state;
	assert_non_null(a);
	for (int i = 0; i < 3000; i++) {
		size_t n = (seed = seed * 1664525u + 1013904223u) >> (i % 50 ? 24 : 14);
		unsigned char *p = axt_alloc(a, n);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(p[k], 0);
		if (n)
			memset(p, 0xff, n);
	}
	assert_null(axt_alloc(a, SIZE_MAX));
	assert_null(axt_alloc(a, SIZE_MAX / 2));
	assert_string_equal(axt_strdup(a, "abc"), "abc");
	assert_string_equal(axt_strndup(a, "abc", 2), "ab");
	assert_string_equal(axt_strndup(a, "abc", 9), "abc");
	assert_string_equal(axt_sprintf(a, "%s-%d", "x", 7), "x-7");
	axt_arena_free(a);
	axt_arena_free(NULL);
}

static void
test_buffer(void **state)
{
	struct axt_buf b = { 0 };

	(void)state;
	axt_buf_add(&b, NULL, 0);
	assert_string_equal(b.p, "");
	for (int i = 0; i < 1000; i++) {
		axt_buf_adds(&b, "ab");
		axt_buf_addf(&b, "%03d", i);
	}
	assert_int_equal(b.n, 5000);
	assert_string_equal(b.p + 4990, "ab998ab999");
	assert_false(b.bad);
	axt_buf_add(&b, "x", SIZE_MAX - 10);
	assert_true(b.bad);
	assert_int_equal(b.n, 5000);
	axt_buf_release(&b);
	assert_null(b.p);
	assert_false(b.bad);
}

static void
test_escape(void **state)
{
	static const char *const cases[][2] = {
		{ "lat", "lat" },
		{ "", "" },
		{ "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
		{ "a\nb\x7f", "a\\x0ab\\x7f" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "\xff\xc3", "\\xff\\xc3" },
		{ "\xc2\x9b", "\\xc2\\x9b" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
		{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		/* soft hyphen, zero width space, byte order mark, a tag, a variation selector */
		{ "a\xc2\xad", "a\\xc2\\xad" },
		{ "a\xe2\x80\x8b", "a\\xe2\\x80\\x8b" },
		{ "\xef\xbb\xbf"
		  "a",
		    "\\xef\\xbb\\xbf"
		    "a" },
		{ "a\xf3\xa0\x81\x81", "a\\xf3\\xa0\\x81\\x81" },
		{ "a\xef\xb8\x8f", "a\\xef\\xb8\\x8f" },
		/* their neighbours show */
		{ "\xc2\xac\xc2\xae\xe2\x80\x8a\xe2\x80\x90\xef\xbb\xbc",
		    "\xc2\xac\xc2\xae\xe2\x80\x8a\xe2\x80\x90\xef\xbb\xbc" },
	};
	struct axt_arena *a = axt_arena_new();
	char small[8];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(axt_escape(a, cases[i][0]), cases[i][1]);
	assert_string_equal(axt_escape_to(small, sizeof(small), "abcde\xc3\xa9z"), "abcde\xc3\xa9");
	assert_string_equal(axt_escape_to(small, sizeof(small), "abcdef\xc3\xa9z"), "abcdef");
	assert_string_equal(axt_escape_to(small, sizeof(small), "abcd\n"), "abcd");
	axt_arena_free(a);
}

static void
test_nearest(void **state)
{
	static const char *const words[] = { "time", "lat", "lon", "longitude", "" };
	char big[200];

	(void)state;
	assert_string_equal(axt_nearest("lta", words, 5), "lat");
	assert_string_equal(axt_nearest("tiem", words, 5), "time");
	assert_string_equal(axt_nearest("longtude", words, 5), "longitude");
	assert_string_equal(axt_nearest("LAT", words, 5), "lat");
	assert_null(axt_nearest("depth", words, 5));
	assert_null(axt_nearest("", words, 5));
	assert_null(axt_nearest("x", words, 0));
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_null(axt_nearest(big, words, 5));
}

static void
test_numbers(void **state)
{
	static const struct {
		const char *s;
		double f;
	} good[] = {
		{ "1e5", 1e5 },
		{ "0x1p3", 8 },
		{ "-1.5e3", -1500 },
		{ ".5", .5 },
		{ "1.", 1 },
		{ "+2.5", 2.5 },
		{ "18446744073709551616", 0x1p64 },
		{ "-9223372036854775809", -0x1p63 },
		{ "1e-400", 0 },
	};
	static const char *const bad[] = { "", " 1", "1 ", "-", "+", ".", "1e", "1e999", "-1e999",
		"0x", "--1", "+-1", "1,5", "1_0", "nan(1)", "infx", "x", "1e5x", "0x1p", "\t1",
		"1\n" };
	struct axt_num n;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++) {
		assert_true(axt_parse_num(good[i].s, &n));
		assert_false(n.is_int);
		assert_true(n.f == good[i].f);
	}
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(axt_parse_num(bad[i], &n));
	assert_true(axt_parse_num("inf", &n) && isinf(n.f) && n.f > 0);
	assert_true(axt_parse_num("-inf", &n) && isinf(n.f) && n.f < 0);
	assert_true(axt_parse_num("nan", &n) && isnan(n.f) && !n.is_int);
}

static void
test_integers(void **state)
{
	struct axt_num n;
	int64_t v;

	(void)state;
	assert_true(axt_parse_num("+5", &n) && n.is_int && n.i == 5 && n.f == 5);
	assert_true(axt_parse_num("-9223372036854775808", &n) && n.is_int && n.i == INT64_MIN);
	assert_true(axt_parse_num("9223372036854775807", &n) && n.is_int && !n.is_unsigned);
	assert_true(n.i == INT64_MAX);
	assert_true(axt_parse_num("18446744073709551615", &n) && n.is_int && n.is_unsigned);
	assert_true(n.u == UINT64_MAX && n.f == 0x1p64);
	assert_true(axt_parse_num("0x10", &n) && n.is_int && n.i == 16);
	assert_true(axt_parse_num("010", &n) && n.i == 10);
	assert_true(axt_parse_int("-3", -3, 3, &v) && v == -3);
	assert_false(axt_parse_int("-4", -3, 3, &v));
	assert_false(axt_parse_int("4", -3, 3, &v));
	assert_false(axt_parse_int("1.0", -3, 3, &v));
	assert_false(axt_parse_int("18446744073709551615", INT64_MIN, INT64_MAX, &v));
}

static void
test_sizes(void **state)
{
	static const char *const bad[] = { "", "M", "-1", "1e3", "0x10", "inf", "1Q", "1MB",
		"9999999999G", "1..5", " 1", "18446744073709551615" };
	int64_t v;

	(void)state;
	assert_true(axt_parse_size("512M", &v) && v == (int64_t)512 << 20);
	assert_true(axt_parse_size("2G", &v) && v == (int64_t)2 << 30);
	assert_true(axt_parse_size("64k", &v) && v == 65536);
	assert_true(axt_parse_size("1.5G", &v) && v == (int64_t)3 << 29);
	assert_true(axt_parse_size("4096", &v) && v == 4096);
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(axt_parse_size(bad[i], &v));
}

/* A decimal comma does not change what numbers are, where the machine has such a locale. */
static void
test_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fa_IR.UTF-8" };
	struct axt_num n;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (setlocale(LC_ALL, names[i])) {
			assert_true(axt_parse_num("1.5", &n) && n.f == 1.5);
			assert_false(axt_parse_num("1,5", &n));
		}
	setlocale(LC_ALL, "C");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_error_sticks),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
