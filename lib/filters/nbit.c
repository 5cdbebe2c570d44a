/*
 * nbit.c - HDF5's n-bit, which stores only those bits of each element that its type uses, the
 * highest one first, without gaps.
 * source  HDF5's H5Znbit.c
 */
#include "filters/filters.h"

/* Parameters by their place; the last five tell the type of numbers. */
enum {
	COUNT = 0,
	WHOLE = 1,
	ELEMENTS = 2,
	CLASS = 3,
	SIZE = 4,
	ORDER = 5,
	PRECISION = 6,
	OFFSET = 7
};
enum { NUMBERS = 1 };

static const char *
check(const struct axt_filter_use *u)
{
	const uint32_t *p = u->param;

	if (u->n >= 2 && p[WHOLE])
		return NULL;
	if (u->n < 8 || p[CLASS] != NUMBERS)
		return "n-bit of types that are no numbers is not known";
	return p[SIZE] == (uint32_t)u->esize && p[SIZE] <= 8 && p[PRECISION] >= 1 &&
		p[PRECISION] <= 8 * p[SIZE] && p[OFFSET] <= 8 * p[SIZE] - p[PRECISION]
	    ? NULL
	    : "its parameters of n-bit are impossible";
}

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + 8;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const uint32_t *p = u->param;
	size_t size = (size_t)u->esize, n = io->cap / size, at = 0;

	(void)state;
	if (p[WHOLE]) {
		if (io->n > io->cap)
			return "wrong size";
		memcpy(io->out, io->in, io->n);
		return NULL;
	}
	if (io->n < (n * p[PRECISION] + 7) / 8)
		return "is cut short";
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 0;
		uint8_t *out = io->out + i * size;

		for (uint32_t k = 0; k < p[PRECISION]; k++, at++)
			v = v << 1 | (io->in[at >> 3] >> (7 - (at & 7)) & 1);
		v <<= p[OFFSET];
		for (size_t k = 0; k < size; k++)
			out[p[ORDER] == 1 ? size - 1 - k : k] = (uint8_t)(v >> 8 * k);
	}
	io->n = n * size;
	return NULL;
}

const struct axt_filter_fns axt_filter_nbit = {
	.check = check,
	.most = most,
	.decode = decode,
};
