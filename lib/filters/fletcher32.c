/*
 * fletcher32.c - the checksum of HDF5: Fletcher's checksum of big-endian words of 16 bits, in four
 * bytes after the data.
 */
#include "filters/filters.h"

/* The checksum so far. The sums are folded every 360 words, before they can overflow. */
struct sum {
	uint32_t a, b;
	bool odd; /* whether the first byte of a word waits for the second */
	uint8_t byte;
};

static void
fold(struct sum *f)
{
	f->a = (f->a & 0xffff) + (f->a >> 16);
	f->b = (f->b & 0xffff) + (f->b >> 16);
}

static void
add(struct sum *f, const uint8_t *p, size_t n)
{
	size_t words;

	if (f->odd && n > 0) {
		f->a += (uint32_t)f->byte << 8 | *p++;
		f->b += f->a;
		fold(f);
		f->odd = false;
		n--;
	}
	words = n / 2;
	while (words > 0) {
		size_t k = MIN(words, (size_t)360);
		uint32_t a = f->a, b = f->b;

		words -= k;
		for (; k > 0; k--, p += 2) {
			a += (uint32_t)p[0] << 8 | p[1];
			b += a;
		}
		f->a = a;
		f->b = b;
		fold(f);
	}
	if (n % 2) {
		f->odd = true;
		f->byte = p[0];
	}
}

static uint32_t
total(struct sum *f)
{
	static const uint8_t zero;

	if (f->odd)
		add(f, &zero, 1);
	fold(f);
	return f->b << 16 | f->a;
}

/*
 * Whether the four stored bytes are the checksum, or the checksum with the two bytes of each half
 * swapped, as HDF5 before 1.6.3 wrote it on little-endian machines.
 */
static bool
is_sum(struct sum *f, const uint8_t stored[4])
{
	uint32_t want = total(f), have = 0, old;

	for (int i = 0; i < 4; i++)
		have |= (uint32_t)stored[i] << 8 * i;
	old = (want & 0xff00ff) << 8 | (want >> 8 & 0xff00ff);
	return have == want || have == old;
}

static const char differs[] = "checksum differs";

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	(void)want;
	(void)exact;
	return n < 4 ? differs : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct sum f = { 0 };

	(void)state;
	(void)u;
	io->n -= 4;
	add(&f, io->in, io->n);
	return is_sum(&f, io->in + io->n) ? NULL : differs;
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	struct sum f = { 0 };
	uint32_t sum;

	(void)state;
	(void)u;
	add(&f, io->in, io->n);
	sum = total(&f);
	for (int i = 0; i < 4; i++)
		io->out[io->n++] = (uint8_t)(sum >> 8 * i);
	return NULL;
}

/* ---- piece by piece ---- */

/* The last four bytes are held back, since they are the checksum if no more bytes come. */
struct flow {
	struct sum f;
	uint8_t tail[4];
	size_t ntail, got, want;
	bool exact;
};

static void
flow_begin(void *state, size_t want, bool exact)
{
	*(struct flow *)state = (struct flow){ .want = want, .exact = exact };
}

static const char *
give(struct flow *w, const uint8_t *p, size_t n, const struct axt_flow_to *to)
{
	add(&w->f, p, n);
	w->got += n;
	return n > 0 ? to->take(to->ctx, p, n) : NULL;
}

static const char *
flow(void *state, const uint8_t *p, size_t n, const struct axt_flow_to *to)
{
	struct flow *w = state;
	size_t all = w->ntail + n, k = all > 4 ? all - 4 : 0, old = MIN(k, w->ntail);
	const char *why = give(w, w->tail, old, to);

	if (!why)
		why = give(w, p, k - old, to);
	w->ntail -= old;
	memmove(w->tail, w->tail + old, w->ntail);
	memcpy(w->tail + w->ntail, p + (k - old), n - (k - old));
	w->ntail += n - (k - old);
	return why;
}

static const char *
flow_end(void *state)
{
	struct flow *w = state;

	if (w->exact && (w->got != w->want || w->ntail < 4))
		return "wrong size";
	return w->ntail == 4 && is_sum(&w->f, w->tail) ? NULL : differs;
}

const struct axt_filter_fns axt_filter_fletcher32 = {
	.adds = 4,
	.in_place = true,
	.fits = fits,
	.decode = decode,
	.encode = encode,
	.flow_bytes = sizeof(struct flow),
	.flow_begin = flow_begin,
	.flow = flow,
	.flow_end = flow_end,
};
