/*
 * stored.c - operands that are contiguous in a file or in memory. Pieces of files are read by
 * pread; memory is used in place. Files are mapped only if axt_guarded(); otherwise what has to be
 * gathered is read into memory as a whole first.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/source.h"

#define APART (2 << 20) /* a huge page, since files may be mapped with such pages */

struct stored {
	void *map; /* the mapped file, or NULL */
	size_t map_bytes;
	uint8_t *whole; /* the file, read into memory because it is not mapped; or NULL */
};

/*
 * Maps the file. The kernel places mappings next to each other. The first-level cache of AMD's
 * processors tells lines apart by bits 12 to 27 of their addresses, and holds only one of two lines
 * that agree in these. Files of equal size, often a power of two, would be at such addresses, so
 * that reading them side by side takes twice the time. Mappings of different lengths avoid that.
 */
static int
map_file(struct axt_source *s, struct stored *o, struct axt_err *e)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), skip = s->st->offset % page;
	int fd = s->st->fd >= 0 ? s->st->fd : axt_file_take(s->st->file, e);

	if (fd < 0)
		return e->code;
	o->map_bytes = (size_t)(s->st->count * s->op->size) + skip + (size_t)(fd % 8 + 1) * APART;
	o->map = mmap(NULL, o->map_bytes, PROT_READ, MAP_SHARED, fd, (off_t)(s->st->offset - skip));
	if (s->st->fd < 0)
		axt_file_give(s->st->file);
	if (o->map == MAP_FAILED) {
		o->map = NULL;
		if (s->op->access !=
		    AXT_ACCESS_MAPPED) /* contiguous pieces are long enough for pread */
			return 0;
		return axt_fail(e, AXT_E_IO, "%s cannot be mapped", s->st->from);
	}
	if (s->op->sparse) /* reading ahead would read all of the file for a few of its rows */
		madvise(o->map, o->map_bytes, MADV_RANDOM);
	s->mem = (const uint8_t *)o->map + skip;
	return 0;
}

static int
read_whole(struct axt_source *s, struct stored *o, struct axt_err *e)
{
	uint8_t *p = axt_scratch_new(s->st->count * s->op->size);

	if (!p)
		return axt_fail(e, AXT_E_MEM, "out of memory reading %s whole", s->st->from);
	s->mem = o->whole = p;
	return axt_storage_read(s->st, 0, s->st->count, p, e);
}

static int
open_stored(struct axt_source *s, struct axt_step_run *r, struct axt_err *e)
{
	enum axt_access a = s->op->access;
	struct stored *o;

	(void)r;
	if (s->mem || !s->st || s->st->count == 0 || (s->mem = s->st->mem) ||
	    a == AXT_ACCESS_PIECES || (a == AXT_ACCESS_IN_PLACE && !axt_guarded()))
		return 0;
	s->own = o = calloc(1, sizeof(*o));
	if (!o)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	return axt_guarded() ? map_file(s, o, e) : read_whole(s, o, e);
}

/* Brings n elements as stored to native byte order. */
void
axt_source_swap(const struct axt_source *s, void *p, int64_t n)
{
	int parts = axt_dtypes[s->op->node->dtype].cls == AXT_CLASS_COMPLEX ? 2 : 1;

	if (s->st && s->st->swap)
		axt_kern_swap(p, parts * n, s->op->size / parts);
}

static int
read_pieces(const struct axt_source *s, const struct axt_asked_tile *x)
{
	const struct axt_operand *op = s->op;
	const struct axt_space *sp = x->sp;
	const struct axt_tile *t = x->t;
	int64_t piece = axt_operand_piece(op, sp, t);
	uint8_t *out = x->buf;

	for (int64_t k = 0; k < t->count; k += piece) {
		int64_t rest = k, at = op->v.offset, n = t->n[sp->lin];

		/* the indices of element k of the tile */
		int64_t lin = t->lo[sp->lin] + rest % n;

		rest /= n;
		for (int d = sp->lin - 1; d >= 0; d--) {
			at += axt_operand_at(op, d, t->lo[d] + rest % t->n[d]);
			rest /= t->n[d];
		}
		for (int d = sp->nd - 1; d >= sp->lin; d--) {
			at += axt_operand_at(op, d, lin % sp->len[d]);
			lin /= sp->len[d];
		}
		if (axt_storage_read(s->st, at, piece, out + k * op->size, x->e))
			return -1;
	}
	return 0;
}

static const void *
load(struct axt_source *s, const struct axt_asked_tile *x)
{
	if (s->mem && !(s->st && s->st->swap))
		return axt_source_gather(s, x);
	if (s->mem)
		axt_source_fill(s, x, NULL);
	else if (read_pieces(s, x))
		return NULL;
	axt_source_swap(s, x->buf, x->t->count);
	return x->buf;
}

bool
axt_source_is_mapped(const struct axt_source *s)
{
	return s->kind == &axt_source_stored && s->own && ((const struct stored *)s->own)->map;
}

static void
forget(const struct axt_source *s, int id, int n)
{
	const struct stored *o = s->own;
	size_t page = (size_t)sysconf(_SC_PAGESIZE),
	       pages = o ? (o->map_bytes + page - 1) / page : 0,
	       from = pages * (size_t)id / (size_t)n, to = pages * ((size_t)id + 1) / (size_t)n;

	if (o && o->map && to > from)
		madvise((uint8_t *)o->map + from * page, (to - from) * page, MADV_DONTNEED);
}

static void
close_stored(struct axt_source *s)
{
	struct stored *o = s->own;

	if (!o)
		return;
	free(o->whole);
	if (o->map)
		munmap(o->map, o->map_bytes);
	free(o);
}

const struct axt_source_kind axt_source_stored = {
	.open = open_stored, .load = load, .forget = forget, .close = close_stored
};
