/* transpose.c - the axes of a chunk in another order, as codec transpose of Zarr stores them. */
#include "filters/filters.h"
#include "kern/kern.h"

/*
 * An axis of the plain chunk: its length, and the distance in elements from one position along it
 * to the next one, in the plain chunk (out) and in the stored one (in).
 */
struct axis {
	int64_t n, out, in;
};
struct nest {
	int rank;
	struct axis axis[AXT_MAX_RANK]; /* from the outermost, as the plain chunk has them */
};

/* The axes that are longer than 1, where those that stay side by side are one. */
static void
make_nest(const struct axt_transpose *t, struct nest *x)
{
	int64_t in[AXT_MAX_RANK], step = 1, out = 1;

	for (int i = t->rank - 1; i >= 0; i--) {
		in[t->order[i]] = step;
		step *= t->len[t->order[i]];
	}
	*x = (struct nest){ 0 };
	/* from the innermost on, turned around at the end */
	for (int k = t->rank - 1; k >= 0; k--) {
		struct axis *last = x->rank > 0 ? &x->axis[x->rank - 1] : NULL;

		if (last && t->len[k] > 1 && in[k] == last->in * last->n)
			last->n *= t->len[k];
		else if (t->len[k] > 1)
			x->axis[x->rank++] = (struct axis){ t->len[k], out, in[k] };
		out *= t->len[k];
	}
	for (int i = 0, j = x->rank - 1; i < j; i++, j--) {
		struct axis a = x->axis[i];

		x->axis[i] = x->axis[j];
		x->axis[j] = a;
	}
}

/* Takes the axis that is stored innermost to the place before the last one. */
static void
pair_inner(struct nest *x)
{
	int k = x->rank - 2;

	for (int i = 0; i < x->rank - 1; i++)
		if (x->axis[i].in < x->axis[k].in)
			k = i;
	if (k < x->rank - 2) {
		struct axis a = x->axis[k];

		x->axis[k] = x->axis[x->rank - 2];
		x->axis[x->rank - 2] = a;
	}
}

/* The two last axes, of elements of any size. */
static void
inner(const struct axis *a, uint8_t *out, const uint8_t *in, size_t size)
{
	const struct axis *b = a + 1;

	if (size <= 16 && (size & (size - 1)) == 0) {
		axt_kern_gather2(out, a->out, in, a->n, b->n, a->in, b->in, (int)size);
		return;
	}
	for (int64_t i = 0; i < a->n; i++)
		for (int64_t j = 0; j < b->n; j++)
			memcpy(out + (size_t)(i * a->out + j * b->out) * size,
			    in + (size_t)(i * a->in + j * b->in) * size, size);
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	const struct axt_transpose *t = u->own;
	size_t all = (size_t)u->esize;

	(void)exact;
	for (int i = 0; i < t->rank; i++)
		all *= (size_t)t->len[i];
	return n != all || n > want ? "wrong size" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	int64_t i[AXT_MAX_RANK] = { 0 }, in, out;
	size_t size = (size_t)u->esize;
	struct nest x;
	int k;

	(void)state;
	make_nest(u->own, &x);
	if (x.rank < 2) {
		memcpy(io->out, io->in, io->n);
		return NULL;
	}
	pair_inner(&x);
	do {
		in = out = 0;
		for (k = 0; k < x.rank - 2; k++) {
			in += i[k] * x.axis[k].in;
			out += i[k] * x.axis[k].out;
		}
		inner(&x.axis[x.rank - 2], io->out + (size_t)out * size, io->in + (size_t)in * size,
		    size);
		for (k = x.rank - 3; k >= 0 && ++i[k] == x.axis[k].n; k--)
			i[k] = 0;
	} while (k >= 0);
	return NULL;
}

const struct axt_filter_fns axt_filter_transpose = {
	.fits = fits,
	.decode = decode,
};
