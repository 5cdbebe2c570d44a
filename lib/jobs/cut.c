/* cut.c - which elements of an output belong to which part. Nothing here knows expressions. */
#include "jobs/parts.h"

#define ROWS 64 /* so many rows of chunks are looked at in order to find a part that has two */

/* How many chunks there are along axis i. */
static int64_t
grid(const struct axt_partition *p, int i)
{
	return p->len[i] / p->unit[i] + (p->len[i] % p->unit[i] != 0);
}

void
axt_partition_make(const struct axt_axes *x, const int64_t *unit, const int *order, int n,
    int64_t parts, struct axt_partition *out)
{
	*out = (struct axt_partition){ .rank = x->n, .chunks = 1 };
	for (int i = 0; i < x->n; i++) {
		out->len[i] = x->a[i].len;
		out->unit[i] = MAX(1, unit[i]);
	}
	for (int i = 0; i < x->n; i++)
		if (x->a[i].len == 0)
			out->chunks = 0;
	for (int k = 0; k < n && out->chunks > 0 && out->chunks < parts; k++)
		if (grid(out, order[k]) > 1) {
			out->axis[out->n++] = order[k];
			out->chunks = axt_times(out->chunks, grid(out, order[k]));
		}
}

/* The pieces of a grid for n parts; 0: it is none. */
static int64_t
pieces(const struct axt_partition *p, int64_t n)
{
	int64_t all = p->n > 0 && p->n <= AXT_GRID_AXES;

	for (int k = 0; all > 0 && k < p->n; k++)
		all = axt_times(all, p->pieces[k]);
	return all <= n ? all : 0;
}

bool
axt_partition_sound(const struct axt_partition *p)
{
	int64_t chunks = 1;
	bool empty = false, cut[AXT_MAX_RANK] = { false };

	if (p->rank < 0 || p->rank > AXT_MAX_RANK || p->n < 0 || p->n > p->rank)
		return false;
	for (int i = 0; i < p->rank; i++) {
		if (p->len[i] < 0 || p->unit[i] < 1)
			return false;
		empty = empty || p->len[i] == 0;
	}
	for (int i = 0; i < p->n; i++) {
		int k = p->axis[i];

		if (k < 0 || k >= p->rank || cut[k] || !axt_mul(chunks, grid(p, k), &chunks))
			return false;
		if (i < AXT_GRID_AXES && (p->pieces[i] < 0 || p->pieces[i] > grid(p, k)))
			return false;
		cut[k] = true;
	}
	return p->chunks == (empty ? 0 : chunks);
}

/* The first of the chunks of part k + 1 of n: they are dealt out evenly. */
static int64_t
first(int64_t chunks, int64_t k, int64_t n)
{
	return (int64_t)(((__int128)chunks * k + n - 1) / n);
}

struct boxes {
	const struct axt_partition *p;
	struct axt_box *box;
	int n;
	int64_t at[AXT_MAX_RANK]; /* the chunk along the axes before `level` */
};

/*
 * Adds a box: chunks [lo, hi) along the cut axis number `level`, one chunk (b->at) along the cut
 * axes before it, and all chunks along those after it.
 */
static void
add(struct boxes *b, int level, int64_t lo, int64_t hi)
{
	const struct axt_partition *p = b->p;
	struct axt_box *box = &b->box[b->n++];

	for (int i = 0; i < p->rank; i++) {
		box->from[i] = 0;
		box->len[i] = p->len[i];
	}
	for (int k = 0; k <= level && k < p->n; k++) {
		int i = p->axis[k];
		int64_t from = (k < level ? b->at[k] : lo) * p->unit[i],
			to = (k < level ? b->at[k] + 1 : hi) * p->unit[i];

		box->from[i] = from;
		box->len[i] = MIN(to, p->len[i]) - from;
	}
}

/* Adds the boxes of chunks [lo, hi), counted from where b->at stands in the axes before `level`. */
static void
range(struct boxes *b, int level, int64_t lo, int64_t hi)
{
	int64_t inner = 1, row = 0, last = 0;

	for (int k = level + 1; k < b->p->n; k++)
		inner *= grid(b->p, b->p->axis[k]);
	row = lo / inner;
	last = hi / inner;
	if (lo % inner != 0) { /* the rest of a row, or a piece of it */
		b->at[level] = row;
		range(b, level + 1, lo % inner, MIN(hi - row * inner, inner));
		row++;
	}
	if (row < last)
		add(b, level, row, last);
	if (hi % inner != 0 && last >= row) { /* the beginning of a row */
		b->at[level] = last;
		range(b, level + 1, 0, hi % inner);
	}
}

/* The piece of a grid that part k + 1 is: the pieces along the last axis are counted fastest. */
static void
piece(const struct axt_partition *p, int64_t k, struct axt_box *box)
{
	for (int i = 0; i < p->rank; i++) {
		box->from[i] = 0;
		box->len[i] = p->len[i];
	}
	for (int j = p->n - 1; j >= 0; k /= p->pieces[j--]) {
		int i = p->axis[j];
		int64_t at = k % p->pieces[j], chunks = grid(p, i),
			from = first(chunks, at, p->pieces[j]) * p->unit[i],
			to = first(chunks, at + 1, p->pieces[j]) * p->unit[i];

		box->from[i] = from;
		box->len[i] = MIN(to, p->len[i]) - from;
	}
}

int
axt_partition_boxes(const struct axt_partition *p, int64_t k, int64_t n,
    struct axt_box box[AXT_PART_BOXES])
{
	struct boxes b = { .p = p, .box = box };
	int64_t lo = first(p->chunks, k - 1, n), hi = first(p->chunks, k, n), all = pieces(p, n);

	if (all == 0 && lo < hi)
		range(&b, 0, lo, hi);
	else if (k <= all)
		piece(p, k - 1, &box[b.n++]);
	return b.n;
}

/* One of n parts with even shares of the chunks, about in the middle, that none is larger than. */
static int64_t
large(int64_t chunks, int64_t n)
{
	int64_t more = chunks % n; /* parts that have one chunk more than the others */

	return more ? n * (more / 2) / more : n / 2;
}

/*
 * A part, counted from 0, with chunks of two rows of the outermost axis that is cut, about in the
 * middle. -1: none of those that are looked at.
 */
static int64_t
astride(const struct axt_partition *p, int64_t n)
{
	int64_t rows = grid(p, p->axis[0]), row = p->chunks / rows;

	for (int64_t i = rows / 2 + 1; i < MIN(rows, rows / 2 + 1 + ROWS); i++) {
		/* the part of the chunk before row i */
		int64_t k = (int64_t)(((__int128)(i * row - 1) * n) / p->chunks);

		if (first(p->chunks, k + 1, n) > i * row)
			return k;
	}
	return -1;
}

int
axt_partition_large(const struct axt_partition *p, int64_t n, int64_t of[2])
{
	int64_t k = 0;

	if (pieces(p, n) == 0) {
		of[0] = large(p->chunks, n) + 1;
		of[1] = p->n > 1 ? astride(p, n) + 1 : 0;
		return of[1] > 0 ? 2 : 1;
	}
	for (int j = 0; j < p->n; j++)
		k = k * p->pieces[j] + large(grid(p, p->axis[j]), p->pieces[j]);
	of[0] = k + 1;
	return 1;
}

int64_t
axt_partition_grid(const struct axt_partition *p)
{
	int64_t n = 1;

	for (int i = 0; i < p->rank; i++)
		if (!axt_mul(n, grid(p, i), &n))
			return INT64_MAX;
	return n;
}

int64_t
axt_partition_chunks(const struct axt_partition *p, const struct axt_box *box, int nboxes,
    int64_t *number)
{
	int64_t n = 0;

	for (; nboxes > 0; nboxes--, box++) {
		int64_t at[AXT_MAX_RANK] = { 0 };
		int d = 0;

		while (d >= 0) {
			number[n] = 0;
			for (int i = 0; i < p->rank; i++)
				number[n] = number[n] * grid(p, i) + box->from[i] / p->unit[i] +
				    at[i];
			n++;
			for (d = p->rank - 1; d >= 0; d--) {
				if (++at[d] * p->unit[d] < box->len[d])
					break;
				at[d] = 0;
			}
		}
	}
	return n;
}
