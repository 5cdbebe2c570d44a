/*
 * test_foreign.c - files of other formats: good ones are read, and thousands of their mutations
 * give a result or a message.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../fuzz/foreign.c"

#define SAMPLE(format, s)                \
	{                                \
		format, sizeof(s) - 1, s \
	}
static const struct sample {
	char format;
	size_t n;
	const char *p;
} good[] = {
	SAMPLE(1,
	    "\223NUMPY\1\0\x47\0{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }"
	    "            \n\1\0\2\0\3\0\4\0"),
	SAMPLE(1,
	    "\223NUMPY\2\0\x34\0\0\0{'descr':\">f4\",'fortran_order':False,'shape':(1L,)}\n"
	    "\0\0\200\77"),
	SAMPLE(2,
	    "t,\"x y\",v\n2010-01-01,1,2.5\n2010-01-01,2,1e3\n2010-02-01,1,\n2010-02-01,2,7\n"),
	SAMPLE(2, "# matrix\n1 2 -0\n3 4.5 nan\n"),
	SAMPLE(2, "a;v\n1;1+2j\n2;(3-0.5j)\n"),
	SAMPLE(3, "\1\2\3\4\5\6"),
	SAMPLE(4, "P1 # bits\n3 2\n101\n0 1 0\n"),
	SAMPLE(4, "P3 1 2 300\n1 2 3 4 5 300\n"),
	SAMPLE(4, "P4\n3 2\n\240\100"),
	SAMPLE(4, "P6\n2 1\n255\n\1\2\3\4\5\6"),
	SAMPLE(4,
	    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 1000\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n"
	    "\0\1\0\2"),
	SAMPLE(5,
	    "\x81\0\0\0\0\0\0\0{\"__metadata__\":{\"axt_axes.a\":\"y,x\",\"k\\u00e9\":\"\\n\"},"
	    "\"a\":{\"dtype\":\"U8\",\"shape\":[1,2],\"data_offsets\":[0,2]}}                       "
	    "\1\2"),
	SAMPLE(0,
	    "\x44\0\0\0\0\0\0\0{\"v\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[0,2]}}"
	    "              \1\2"),
};

/* Options in the first byte, then the file. */
static int
try(int format, const uint8_t *p, size_t n)
{
	uint8_t b[512];

	assert_true(n < sizeof(b));
	b[0] = (uint8_t)format;
	memcpy(b + 1, p, n);
	return LLVMFuzzerTestOneInput(b, n + 1);
}

static void
good_ones_are_read(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++)
		if (!try(good[i].format, (const uint8_t *)good[i].p, good[i].n))
			fail_msg("file %d is refused", i);
}

static void
no_prefix_is_read_as_more(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++)
		for (size_t n = 0; n < good[i].n; n++)
			if (try(good[i].format, (const uint8_t *)good[i].p, n) &&
			    good[i].format != 2 && good[i].format != 3 && good[i].p[1] > '3')
				fail_msg("%zu bytes of file %d are read", n, i);
}

static uint32_t
next(uint32_t *s)
{
	return (*s = *s * 1664525u + 1013904223u) >> 8;
}

static void
mutations_are_survived(void **state)
{
	uint32_t s = 20261121;

	(void)state;
	for (int k = 0; k < 6000; k++) {
		const struct sample *g = &good[next(&s) % ARRAY_LEN(good)];
		uint8_t b[500];
		size_t n = g->n;

		memcpy(b, g->p, n);
		for (int m = (int)(next(&s) % 4); m >= 0; m--) {
			size_t at = next(&s) % n;

			switch (next(&s) % 4) {
			case 0: b[at] = (uint8_t)next(&s); break;
			case 1: b[at] = (uint8_t) "0123456789-{}[](),:\"'\n "[next(&s) % 23]; break;
			case 2: /* a piece again */
				memmove(b + at, b + next(&s) % n, MIN(n - at, 5));
				break;
			default: n = at + 1;
			}
		}
		try(g->format + (int)(next(&s) % 2) * 192, b, n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_ones_are_read),
		cmocka_unit_test(no_prefix_is_read_as_more),
		cmocka_unit_test(mutations_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
