/* pipe.c - operands that come through a pipe and are read once and in order, slab by slab. */
#include <stdlib.h>

#include "source/source.h"

static int
open_pipe(struct axt_source *s, struct axt_step_run *r, struct axt_err *e)
{
	struct axt_slab *b = calloc(1, sizeof(*b));

	(void)r;
	s->own = b;
	if (b) {
		b->cap = s->op->slab_elements;
		b->p = axt_scratch_new(s->op->size * s->op->slab_elements);
	}
	return b && b->p ? 0 : axt_fail(e, AXT_E_MEM, "out of memory reading %s", s->st->from);
}

/* Reads n elements from number lo on; elements are counted from the beginning of the stream. */
static int
take(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n, struct axt_err *e)
{
	const struct axt_slab *before = last->own;
	struct axt_slab *b = s->own;
	int64_t size = s->op->size, from = before->lo, have = MIN(MAX(0, before->hi - lo), n);
	uint8_t *to = b->p + have * size;

	if (n > b->cap || lo < from)
		return axt_fail(e, AXT_E_LIMIT, "a slab of %s is too small", s->st->from);
	if (have > 0 && (b->lo != lo || b->hi < lo + have))
		memmove(b->p, before->p + (lo - from) * size, (size_t)(have * size));
	b->lo = lo;
	b->hi = lo + n;
	s->mem = b->p - lo * size;
	if (have == n)
		return 0;
	if (axt_stream_take(s->st, lo + have, n - have, to, e))
		return -1;
	axt_source_swap(s, to, n - have);
	return 0;
}

static void
close_pipe(struct axt_source *s)
{
	struct axt_slab *b = s->own;

	if (b)
		free(b->p);
	free(b);
}

static bool
is_stream(const struct axt_storage *st)
{
	return st->src && !st->mem && !axt_stream_kept(st);
}

const struct axt_source_kind axt_source_pipe = { .open = open_pipe,
	.take = take,
	.load = axt_source_gather,
	.close = close_pipe,
	.holds = is_stream };
