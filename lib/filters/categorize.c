/*
 * categorize.c - a codec of Zarr for texts that are labels from a list: each is stored as its
 * number in the list, from 1 on; 0 is the empty text.
 */
#include "filters/numbers.h"

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	const struct axt_filter_labels *l = u->own;

	return n / (size_t)u->esize * (size_t)axt_size(l->stored);
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	const struct axt_filter_labels *l = u->own;
	size_t size = (size_t)axt_size(l->stored), plain = n / size * (size_t)u->esize;

	return n % size || (exact ? plain != want : plain > want) ? "wrong size" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const struct axt_filter_labels *l = u->own;
	size_t size = (size_t)axt_size(l->stored), to = (size_t)u->esize, n = io->n / size;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 0;

		for (size_t k = 0; k < size; k++)
			v = v << 8 | io->in[i * size + (l->swap ? k : size - 1 - k)];
		memset(io->out + i * to, 0, to);
		if (v >= 1 && v <= l->n)
			memcpy(io->out + i * to, l->label + (v - 1) * to, to);
	}
	io->n = n * to;
	return NULL;
}

const struct axt_filter_fns axt_filter_categorize = {
	.most = most,
	.fits = fits,
	.decode = decode,
};
