/*
 * test_filters.c - lists of filters: packed, unpacked whole and piece by piece, damaged, and
 * without a library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bytes/filtering.h"

#define BYTES \
	((size_t)300 * 1000 + 2) /* more than a piece that flows, and no whole elements of 4 */

/* ---- filters that are in no table ---- */

static void *
no_library(const struct axt_filter_use *u, const char **why)
{
	(void)u;
	*why = "libnone.so.1 cannot be loaded";
	return NULL;
}

static const char *
never(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	(void)state;
	(void)u;
	(void)io;
	fail();
	return NULL;
}

static size_t
no_more(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n;
}

static const struct axt_filter_fns absent_fns = { .most = no_more,
	.decoder = no_library,
	.decode = never };
static const struct axt_filter absent = { 40000, "none", "has no library", &absent_fns };

/* ---- lists ---- */

struct list {
	struct axt_filters l;
	struct axt_filter_use use[4];
};

static void
make(struct list *l, int esize, const char *kinds)
{
	l->l = (struct axt_filters){ .use = l->use };
	for (; *kinds; kinds++) {
		struct axt_filter_use *u = &l->use[l->l.n++];

		*u = (struct axt_filter_use){ .esize = esize };
		switch (*kinds) {
		case 's': u->f = &axt_filters[AXT_FILTER_SHUFFLE]; break;
		case 'c': u->f = &axt_filters[AXT_FILTER_FLETCHER32]; break;
		case 'z': u->f = &axt_filters[AXT_FILTER_ZSTD]; break;
		case 'l': u->f = &axt_filters[AXT_FILTER_LZ4]; break;
		case 'n': u->f = &axt_filters[AXT_FILTER_SIZED_LZ4]; break;
		case 'k': u->f = &axt_filters[AXT_FILTER_CRC32C]; break;
		case 'g':
			u->f = &axt_filters[AXT_FILTER_GZIP];
			u->n = 1;
			u->param[0] = 5;
			break;
		/* bits shuffled, alone or packed by LZ4 or zstd */
		case 'b':
		case 'L':
		case 'Z':
			u->f = &axt_filters[AXT_FILTER_BITSHUFFLE];
			u->n = 6;
			u->param[2] = (uint32_t)esize;
			u->param[4] = *kinds == 'b' ? 0 : *kinds == 'L' ? 2 : 3;
			u->param[5] = 3;
			break;
		default:
			u->f = &axt_filters[AXT_FILTER_DEFLATE];
			u->n = 1;
			u->param[0] = (uint32_t)(*kinds - '0');
		}
	}
}

static uint8_t *
values(void)
{
	uint8_t *p = malloc(BYTES);
	uint32_t x = 1;

	assert_non_null(p);
	for (size_t i = 0; i < BYTES; i++) {
		x = x * 1664525 + 1013904223;
		p[i] = i % 4 < 2 ? (uint8_t)(x >> 24) : (uint8_t)(i >> 12);
	}
	return p;
}

static uint8_t *
pack(const struct axt_filters *l, uint32_t mask, const uint8_t *plain, size_t *n)
{
	struct axt_pack_scratch k = { .inner_cap = axt_filters_bound(l, l->n - 1, BYTES),
		.out_cap = axt_filters_bound(l, l->n, BYTES) };
	struct axt_filter_work w = { 0 };
	const uint8_t *out;
	uint8_t *all = malloc(2 * k.inner_cap + k.out_cap), *copy;

	assert_non_null(all);
	k.inner[0] = all;
	k.inner[1] = all + k.inner_cap;
	k.out = all + 2 * k.inner_cap;
	memcpy(all, plain, BYTES);
	*n = BYTES;
	assert_null(axt_filters_pack_open(l, &w));
	assert_null(axt_filters_pack(l, mask, &w, &k, &out, n));
	copy = malloc(*n);
	assert_non_null(copy);
	memcpy(copy, out, *n);
	axt_filter_work_close(&w);
	free(all);
	return copy;
}

static const char *
unpack(const struct axt_filters *l, uint32_t mask, const uint8_t *p, size_t n, uint8_t *out)
{
	struct axt_filter_io io = { .in = p, .n = n, .out = out, .cap = BYTES };
	struct axt_filter_buffer part[2] = { { 0 } };
	struct axt_filter_work w = { 0 };
	const char *why = axt_filters_unpack(l, mask, &w, part, &io);

	if (!why && io.in != out)
		memcpy(out, io.in, BYTES);
	axt_filter_work_close(&w);
	free(part[0].p);
	free(part[1].p);
	return why;
}

/* Where the bytes that flow go, in the order in which they come. */
struct taken {
	uint8_t *out;
	size_t n;
};

static const char *
take(void *ctx, const uint8_t *p, size_t n)
{
	struct taken *t = ctx;

	if (n > BYTES - t->n)
		return "wrong size";
	memcpy(t->out + t->n, p, n);
	t->n += n;
	return NULL;
}

static const char *
flow(const struct axt_filters *l, uint32_t mask, const uint8_t *p, size_t n, size_t piece,
    uint8_t *out)
{
	struct taken t = { .out = out };
	struct axt_flow f = { .to = { take, &t } };
	struct axt_filter_work w = { 0 };
	const char *why = axt_flow_begin(&f, l, mask, &w, n, BYTES);

	for (size_t at = 0; !why && at < n; at += piece)
		why = axt_flow_put(&f, p + at, MIN(piece, n - at));
	if (!why)
		why = axt_flow_end(&f);
	axt_filter_work_close(&w);
	return why ? why : t.n != BYTES ? "wrong size" : NULL;
}

/* ---- tests ---- */

static const char *const lists[] = { "c", "6", "s", "s6", "s1", "c9c", "s6c", "6s", "sc", "c6s",
	"66", "c3c", "s0", "s6cs", "z", "sz", "zc", "l", "sl", "L", "Z", "b", "bz", "g", "sg", "k",
	"gk", "n", "nk" };

static void
there_and_back(void **state)
{
	static const int sizes[] = { 1, 2, 3, 4, 8, 16, 24 };
	uint8_t *plain = values(), *out = malloc(BYTES);

	(void)state;
	assert_non_null(out);
	for (int i = 0; i < ARRAY_LEN(lists); i++)
		for (int k = 0; k < ARRAY_LEN(sizes); k++)
			for (uint32_t mask = 0; mask < 4; mask++) {
				struct list l = { .l.n = 0 };
				uint8_t *p;
				size_t n;

				make(&l, sizes[k], lists[i]);
				p = pack(&l.l, mask, plain, &n);
				memset(out, 0, BYTES);
				assert_null(unpack(&l.l, mask, p, n, out));
				assert_memory_equal(out, plain, BYTES);
				free(p);
			}
	free(plain);
	free(out);
}

/* What flows is the same, whatever the pieces, and planes where shuffling is what is left. */
static void
pieces(void **state)
{
	static const size_t piece[] = { 1, 3, 4096, 1 << 20 };
	static const struct {
		const char *list;
		bool flows, planes;
	} known[] = { { "c", true, false }, { "6", true, false }, { "c9c", true, false },
		{ "66", true, false }, { "s6c", true, true }, { "s", true, true },
		{ "6s", false, false }, { "ss", false, false }, { "cs", false, false } };
	uint8_t *plain = values(), *out = malloc(BYTES), *shuffled;
	struct list s = { .l.n = 0 };
	size_t n;

	(void)state;
	assert_non_null(out);
	make(&s, 4, "s");
	shuffled = pack(&s.l, 0, plain, &n);
	for (int i = 0; i < ARRAY_LEN(known); i++) {
		struct list l = { .l.n = 0 };
		bool planes;
		uint8_t *p;

		make(&l, 4, known[i].list);
		assert_int_equal(axt_filters_flow(&l.l, 0, &planes), known[i].flows);
		if (!known[i].flows)
			continue;
		assert_int_equal(planes, known[i].planes);
		p = pack(&l.l, 0, plain, &n);
		for (int k = 0; k < ARRAY_LEN(piece); k++) {
			memset(out, 0, BYTES);
			assert_null(flow(&l.l, 0, p, n, piece[k], out));
			assert_memory_equal(out, planes ? shuffled : plain, BYTES);
		}
		free(p);
	}
	free(shuffled);
	free(plain);
	free(out);
}

static void
damaged(void **state)
{
	uint8_t *plain = values(), *out = malloc(BYTES);

	(void)state;
	assert_non_null(out);
	for (int i = 0; i < ARRAY_LEN(lists); i++) {
		struct list l = { .l.n = 0 };
		bool planes, flows;
		const char *why;
		uint8_t *p;
		size_t n;

		make(&l, 4, lists[i]);
		flows = axt_filters_flow(&l.l, 0, &planes);
		p = pack(&l.l, 0, plain, &n);
		/* cut short: never the values, and never more than there is */
		for (size_t k = 0; k < n; k += 1 + n / 50) {
			assert_non_null(unpack(&l.l, 0, p, k, out));
			if (flows)
				assert_non_null(flow(&l.l, 0, p, k, 1000, out));
		}
		/* a checksum, and zlib's own, see a byte that changed */
		p[n / 2] ^= 4;
		why = unpack(&l.l, 0, p, n, out);
		if (strpbrk(lists[i], "c01369"))
			assert_non_null(why);
		if (lists[i][strlen(lists[i]) - 1] == 'c')
			assert_string_equal(why, "checksum differs");
		if (flows && strpbrk(lists[i], "c01369"))
			assert_non_null(flow(&l.l, 0, p, n, 1000, out));
		free(p);
	}
	free(plain);
	free(out);
}

/* Few bytes that say that they are many are refused before there is room for these. */
static void
too_small(void **state)
{
	struct axt_filter_io io = { .in = (const uint8_t *)"x", .n = 1, .cap = (size_t)1 << 60 };
	struct axt_filter_buffer part[2] = { { 0 } };
	struct axt_filter_work w = { 0 };
	struct list l = { .l.n = 0 };

	(void)state;
	make(&l, 4, "c6");
	assert_string_equal(axt_filters_unpack(&l.l, 0, &w, part, &io),
	    "too small for what it is to unpack to");
	io = (struct axt_filter_io){ .in = (const uint8_t *)"x", .n = 1, .cap = (size_t)1 << 60 };
	make(&l, 4, "s");
	l.l.n = 1;
	assert_string_equal(axt_filters_unpack(&l.l, 0, &w, part, &io), "wrong size");
	assert_null(part[0].p);
	axt_filter_work_close(&w);
}

static void
without_library(void **state)
{
	struct axt_filter_use use = { .f = &absent, .esize = 4 };
	struct axt_filters l = { 1, &use };
	struct axt_filter_buffer part[2] = { { 0 } };
	struct axt_filter_work w = { 0 };
	uint8_t out[8];
	struct axt_filter_io io = { .in = (const uint8_t *)"12345678",
		.n = 8,
		.out = out,
		.cap = 8 };
	bool planes;

	(void)state;
	assert_string_equal(axt_filters_unpack(&l, 0, &w, part, &io),
	    "libnone.so.1 cannot be loaded");
	assert_ptr_equal(w.absent, &absent);
	assert_false(axt_filters_flow(&l, 0, &planes));
	assert_ptr_equal(axt_filters_read_only(&l), &absent);
	/* and no such thing is said of the next chunk, which has none of it */
	io = (struct axt_filter_io){ .in = (const uint8_t *)"1234", .n = 4, .out = out, .cap = 8 };
	use.f = &axt_filters[AXT_FILTER_SHUFFLE];
	assert_string_equal(axt_filters_unpack(&l, 0, &w, part, &io), "wrong size");
	assert_null(w.absent);
	axt_filter_work_close(&w);
}

static void
no_level(void **state)
{
	struct axt_filter_work w = { 0 };
	struct list l = { .l.n = 0 };

	(void)state;
	make(&l, 4, "s6");
	l.use[1].param[0] = 10;
	assert_string_equal(axt_filters_pack_open(&l.l, &w), "its level is not 0 to 9");
	assert_ptr_equal(w.absent, &axt_filters[AXT_FILTER_DEFLATE]);
	axt_filter_work_close(&w);
}

static void
numbers(void **state)
{
	(void)state;
	for (int i = 0; i < AXT_NFILTERS; i++) {
		assert_ptr_equal(axt_filter_of(axt_filters[i].id), &axt_filters[i]);
		assert_non_null(axt_filters[i].fn->decode);
	}
	assert_null(axt_filter_of(0));
	assert_null(axt_filter_of(32767));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(pieces),
		cmocka_unit_test(damaged),
		cmocka_unit_test(too_small),
		cmocka_unit_test(without_library),
		cmocka_unit_test(no_level),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
