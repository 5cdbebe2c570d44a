/* numbers.c - numbers that are stored as others; see numbers.h. */
#include "filters/numbers.h"
#include "kern/kern.h"

size_t
axt_renumber_most(const struct axt_filter_use *u, size_t n)
{
	const struct axt_renumber *r = u->own;

	return n / (size_t)axt_size(r->plain) * (size_t)axt_size(r->stored);
}

const char *
axt_renumber_fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	const struct axt_renumber *r = u->own;
	size_t size = (size_t)axt_size(r->stored), plain = n / size * (size_t)axt_size(r->plain);

	return n % size || (exact ? plain != want : plain > want) ? "wrong size" : NULL;
}

/* Complex numbers have their parts swapped. */
static void
swap(void *p, enum axt_dtype d, int64_t n)
{
	int parts = axt_dtypes[d].cls == AXT_CLASS_COMPLEX ? 2 : 1, size = axt_size(d) / parts;

	if (size > 1)
		axt_kern_swap(p, n * parts, size);
}

const char *
axt_renumber_decode(const struct axt_filter_use *u, struct axt_filter_io *io, enum axt_dtype work,
    void (*change)(void *ctx, void *p, int64_t n), void *ctx)
{
	const struct axt_renumber *r = u->own;
	int64_t n = (int64_t)(io->n / (size_t)axt_size(r->stored)), bad = -1;
	axt_conv_fn *take = axt_kern_conv(work, r->stored, AXT_OVERFLOW_WRAP),
		    *give = axt_kern_conv(r->plain, work, AXT_OVERFLOW_WRAP);
	uint8_t in[AXT_RENUMBER * 16] __attribute__((aligned(16))),
	    mid[AXT_RENUMBER * 16] __attribute__((aligned(16))),
	    out[AXT_RENUMBER * 16] __attribute__((aligned(16)));

	for (int64_t i = 0; i < n; i += AXT_RENUMBER) {
		int64_t k = MIN(n - i, (int64_t)AXT_RENUMBER);

		memcpy(in, io->in + i * axt_size(r->stored), (size_t)(k * axt_size(r->stored)));
		if (r->stored_swap)
			swap(in, r->stored, k);
		take(mid, in, k, &bad);
		if (change)
			change(ctx, mid, k);
		give(out, mid, k, &bad);
		if (r->plain_swap)
			swap(out, r->plain, k);
		memcpy(io->out + i * axt_size(r->plain), out, (size_t)(k * axt_size(r->plain)));
	}
	io->n = (size_t)(n * axt_size(r->plain));
	return NULL;
}
