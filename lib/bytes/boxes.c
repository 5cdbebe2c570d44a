/* boxes.c - a slice of a dataset cut into boxes. */
#include <stdlib.h>

#include "bytes/boxes.h"

static int
by_chunk(const void *x, const void *y)
{
	const struct axt_piece *a = x, *b = y;

	if (a->chunk != b->chunk)
		return a->chunk < b->chunk ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/*
 * A span as a piece, whose positions always rise: a span with a negative step is turned round, and
 * begins with its last position.
 */
static struct axt_piece
rising(const struct axt_span *s, int64_t place)
{
	struct axt_piece p = { .index = s->start,
		.step = s->len > 1 ? s->step : 1,
		.len = s->len,
		.place = place,
		.dir = 1 };

	if (p.step < 0) {
		p.index += (s->len - 1) * p.step;
		p.step = -p.step;
		p.place += s->len - 1;
		p.dir = -1;
	}
	return p;
}

/* How many of p's elements lie in the same chunk as its first. */
static int64_t
in_chunk(const struct axt_piece *p, int64_t chunk)
{
	return chunk == 0 ? p->len : MIN(p->len, (chunk - 1 - p->index % chunk) / p->step + 1);
}

static int
cut(struct axt_boxes *b, int d, const struct axt_slice_dim *s, int64_t chunk)
{
	int64_t n = 0, cap = 0, place = 0, ng = 0;
	struct axt_piece *all = NULL;

	for (int i = 0; i < s->nspans; place += s->span[i++].len) {
		struct axt_piece p = rising(&s->span[i], place);

		while (p.len > 0) {
			int64_t k = in_chunk(&p, chunk);

			if (n == cap) {
				struct axt_piece *more = realloc(all,
				    (size_t)(cap = 2 * cap + 4) * sizeof(*all));

				if (!more) {
					free(all);
					return -1;
				}
				all = more;
			}
			all[n] = p;
			all[n].len = k;
			all[n++].chunk = chunk ? p.index / chunk : 0;
			p.index += k * p.step;
			p.place += k * p.dir;
			p.len -= k;
		}
	}
	b->piece[d] = all;
	b->n[d] = n;
	b->group[d] = malloc((size_t)(n + 1) * sizeof(*b->group[d]));
	if (!b->group[d])
		return -1;
	if (n > 0)
		qsort(all, (size_t)n, sizeof(*all), by_chunk);
	for (int64_t i = 0; i < n; i++)
		if (i == 0 || all[i].chunk != all[i - 1].chunk)
			b->group[d][ng++] = i;
	b->group[d][ng] = n;
	b->ngroups[d] = ng;
	b->empty = b->empty || n == 0;
	return 0;
}

int
axt_boxes_init(struct axt_boxes *b, int rank, int esize, const struct axt_slice_dim *dim,
    const int64_t *chunk, struct axt_err *e)
{
	int64_t n = 1;

	*b = (struct axt_boxes){ .rank = rank, .esize = esize };
	for (int d = rank - 1; d >= 0; d--) {
		b->len[d] = dim[d].len;
		b->stride[d] = n;
		n *= dim[d].len;
	}
	for (int d = 0; d < rank; d++)
		if (cut(b, d, &dim[d], chunk ? chunk[d] : 0)) {
			axt_boxes_free(b);
			return axt_fail(e, AXT_E_MEM, "out of memory");
		}
	return 0;
}

void
axt_boxes_free(struct axt_boxes *b)
{
	for (int d = 0; d < b->rank; d++) {
		free(b->piece[d]);
		free(b->group[d]);
		b->piece[d] = NULL;
		b->group[d] = NULL;
	}
}

bool
axt_boxes_next(struct axt_boxes *b, bool *fresh)
{
	int d;

	*fresh = true;
	if (b->empty)
		return false;
	if (!b->begun) {
		b->begun = true;
		return true;
	}
	for (d = b->rank - 1; d >= 0; d--) {
		if (++b->p[d] < b->group[d][b->g[d] + 1]) {
			*fresh = false;
			return true;
		}
		b->p[d] = b->group[d][b->g[d]];
	}
	for (d = b->rank - 1; d >= 0; d--) {
		if (++b->g[d] == b->ngroups[d])
			b->g[d] = 0;
		b->p[d] = b->group[d][b->g[d]];
		if (b->g[d] > 0)
			return true;
	}
	return false;
}

int64_t
axt_box_chunk(const struct axt_boxes *b, const struct axt_storage *st, int64_t *at)
{
	int64_t c = 0;

	*at = 0;
	for (int d = 0; d < st->rank; d++) {
		const struct axt_piece *p = axt_box(b, d);

		c = c * st->grid[d] + p->chunk;
		*at = *at * st->chunk[d] + p->index % st->chunk[d];
	}
	return c;
}

void
axt_row_strides(int rank, const int64_t *len, int64_t *stride)
{
	int64_t n = 1;

	for (int d = rank - 1; d >= 0; d--) {
		stride[d] = n;
		n *= len[d];
	}
}

/* Copies n elements along the innermost dimension. ts and fs are strides in bytes. */
static void
copy_row(uint8_t *to, int64_t ts, const uint8_t *from, int64_t fs, int64_t n, int size)
{
	if (ts == size && fs == size) {
		memcpy(to, from, (size_t)(n * size));
		return;
	}
	for (int64_t i = 0; i < n; i++)
		memcpy(to + i * ts, from + i * fs, (size_t)size);
}

void
axt_box_copy(const struct axt_boxes *b, uint8_t *slice, uint8_t *other, const int64_t *stride,
    bool stepped, bool to_slice)
{
	int64_t ss[AXT_MAX_RANK], os[AXT_MAX_RANK], i[AXT_MAX_RANK] = { 0 };
	int r = b->rank, d, size = b->esize;

	for (d = 0; d < r; d++) {
		const struct axt_piece *p = axt_box(b, d);

		ss[d] = b->stride[d] * p->dir * size;
		os[d] = stride[d] * (stepped ? p->step : 1) * size;
		slice += p->place * b->stride[d] * size;
	}
	if (r == 0) {
		memcpy(to_slice ? slice : other, to_slice ? other : slice, (size_t)size);
		return;
	}
	do {
		int64_t n = axt_box(b, r - 1)->len;

		if (to_slice)
			copy_row(slice, ss[r - 1], other, os[r - 1], n, size);
		else
			copy_row(other, os[r - 1], slice, ss[r - 1], n, size);
		for (d = r - 2; d >= 0; d--) {
			slice += ss[d];
			other += os[d];
			if (++i[d] < axt_box(b, d)->len)
				break;
			slice -= i[d] * ss[d];
			other -= i[d] * os[d];
			i[d] = 0;
		}
	} while (d >= 0);
}
