/*
 * source.c - operands as bytes: contiguous pieces are read by pread or lie in memory, all others
 * are gathered. Files are mapped only where axt_guarded(); elsewhere what must be gathered is first
 * read into memory as a whole.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/source.h"

#define APART (2 << 20) /* a huge page, so that files may lie on them */

/*
 * The kernel places mappings one below the other. The first-level cache of AMD's processors tells
 * lines apart by bits 12 to 27 of their addresses, and holds only one of two that agree in these.
 * Files of one size, often a power of two, would lie at such addresses, and reading them in step
 * takes twice the time. Mappings of different lengths avoid that.
 */
static int
map_file(struct axt_source *s, struct axt_err *e)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), skip = s->st->offset % page;
	int fd = s->st->fd >= 0 ? s->st->fd : axt_file_take(s->st->file, e);

	if (fd < 0)
		return e->code;
	s->map_bytes = (size_t)(s->st->count * s->op->size) + skip + (size_t)(fd % 8 + 1) * APART;
	s->map = mmap(NULL, s->map_bytes, PROT_READ, MAP_SHARED, fd, (off_t)(s->st->offset - skip));
	if (s->st->fd < 0)
		axt_file_give(s->st->file);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		if (!s->op->mapped) /* its contiguous pieces are long enough for pread */
			return 0;
		return axt_fail(e, AXT_E_IO, "%s cannot be mapped", s->st->from);
	}
	s->mem = (const uint8_t *)s->map + skip;
	return 0;
}

static int
read_whole(struct axt_source *s, struct axt_err *e)
{
	uint8_t *p = axt_scratch_new(s->st->count * s->op->size);

	if (!p)
		return axt_fail(e, AXT_E_MEM, "out of memory reading %s whole", s->st->from);
	s->mem = p;
	s->owned = true;
	return axt_storage_read(s->st, 0, s->st->count, p, e);
}

int
axt_source_alloc_slab(struct axt_source *s, struct axt_err *e)
{
	int64_t n = s->op->size;

	if (s->op->stream) {
		s->slab_cap = s->op->held;
		s->slab = axt_scratch_new(n * s->op->held);
		return s->slab ? 0
			       : axt_fail(e, AXT_E_MEM, "out of memory reading %s", s->st->from);
	}
	for (int i = 0; i < s->st->rank; i++)
		n *= s->op->region[i];
	s->slab_cap = s->op->slab_axis >= 0 ? s->op->region[s->op->slab_axis] : 0;
	s->slab = axt_scratch_new(n);
	return s->slab ? 0 : axt_fail(e, AXT_E_MEM, "out of memory decoding %s", s->st->from);
}

int
axt_source_open(struct axt_source *s, const struct axt_operand *op, const struct axt_storage *st,
    struct axt_err *e)
{
	*s = (struct axt_source){ .op = op, .st = st };
	if (op->node->kind == AXT_NODE_GEN || !st || st->count == 0)
		return 0;
	if (op->slabbed && !op->product && !op->stream)
		return 0; /* axt_source_window allocates the slab */
	if (op->slabbed || op->stream)
		return axt_source_alloc_slab(s, e);
	if (st->mem)
		s->mem = st->mem;
	else if (axt_guarded() && (op->mapped || op->in_place))
		return map_file(s, e);
	else if (op->mapped)
		return read_whole(s, e);
	return 0;
}

void
axt_source_forget(const struct axt_source *s, int id, int n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (s->map_bytes + page - 1) / page,
	       from = pages * (size_t)id / (size_t)n, to = pages * ((size_t)id + 1) / (size_t)n;

	if (s->map && to > from)
		madvise((uint8_t *)s->map + from * page, (to - from) * page, MADV_DONTNEED);
}

void
axt_source_close(struct axt_source *s)
{
	if (s->owned)
		free((void *)s->mem);
	if (s->map)
		munmap(s->map, s->map_bytes);
	free(s->slab);
}

void
axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f)
{
	*f = (struct axt_storage_facts){ .where = AXT_ST_FILE,
		.swap = st->swap,
		.rank = st->rank,
		.fill = st->fill_bytes,
		.pipe = st->src != NULL };
	f->unmapped = st->layout == AXT_LAYOUT_CONTIGUOUS && !st->mem && !st->src &&
	    st->nchunks > 0 && !axt_may_map(st->count * st->esize);
	if (st->layout == AXT_LAYOUT_NONE)
		f->where = AXT_ST_FILL;
	else if (st->layout == AXT_LAYOUT_CHUNKED || f->unmapped)
		f->where = AXT_ST_CHUNKED;
	else if (st->mem)
		f->where = AXT_ST_MEMORY;
	else if (st->src && !axt_stream_kept(st))
		f->where = AXT_ST_STREAM;
	memcpy(f->dims, st->dims, sizeof(f->dims));
	memcpy(f->chunk, st->chunk, sizeof(f->chunk));
	if (f->where != AXT_ST_CHUNKED)
		return;
	f->decode = (int64_t)axt_decoder_bytes(st, false);
	f->flow = (int64_t)axt_decoder_bytes(st, true);
}

/* Brings n elements as stored to native byte order. */
static void
swap(const struct axt_operand *op, void *p, int64_t n)
{
	int parts = axt_dtypes[op->node->dtype].cls == AXT_CLASS_COMPLEX ? 2 : 1;

	axt_kern_swap(p, parts * n, op->size / parts);
}

/* ---- generated values ---- */

static void
triangle(uint8_t *out, const struct axt_expr *e, int64_t i0, int64_t step, int64_t n)
{
	int64_t cols = e->axes.a[e->axes.n - 1].len, rows = e->axes.a[e->axes.n - 2].len;
	struct axt_num one = { .is_int = true, .i = 1, .u = 1, .f = 1 }, zero = { .is_int = true };
	uint8_t v[2][16];
	size_t size = (size_t)axt_size(e->dtype);

	axt_num_store(&zero, e->dtype, v[0]);
	axt_num_store(&one, e->dtype, v[1]);
	for (int64_t k = 0; k < n; k++) {
		int64_t at = i0 + k * step, j = at % cols, i = at / cols % rows;
		bool on = e->u.gen.kind == AXT_GEN_EYE ? i == j
		    : e->u.gen.kind == AXT_GEN_TRIU    ? i <= j
						       : i >= j;

		memcpy(out + (size_t)k * size, v[on], size);
	}
}

static void
generate(void *out, const struct axt_expr *e, int64_t i0, int64_t step, int64_t n)
{
	switch (e->u.gen.kind) {
	case AXT_GEN_IOTA:
		axt_kern_iota(out, e->dtype, i0, step, n, e->u.gen.lo, e->u.gen.hi);
		break;
	case AXT_GEN_UNIFORM:
	case AXT_GEN_NORMAL:
		axt_kern_random(out, e->dtype, i0, step, n, e->u.gen.seed,
		    e->u.gen.kind == AXT_GEN_NORMAL, e->u.gen.lo, e->u.gen.hi);
		break;
	default: triangle(out, e, i0, step, n);
	}
}

/* ---- tiles ---- */

/* One pass over a tile in its order, copying elements in memory, or generating them, to out. */
struct walk {
	const struct axt_source *s;
	const struct axt_space *sp;
	const struct axt_tile *t;
	uint8_t *out;
	/* the dimension gathered together with the innermost one, or -1 */
	int pair;
};

/*
 * The stride along dimension d from element i on. *n, at most what it was, is for how many
 * elements.
 */
static int64_t
even_part(const struct axt_operand *op, int d, int64_t i, int64_t *n)
{
	const struct axt_sel *j = op->jump[d];
	int k;

	if (!j)
		return op->v.stride[d];
	k = axt_sel_find(j, i);
	*n = MIN(*n, j->at[k] + j->span[k].len - i);
	return j->span[k].step;
}

/* Elements [lo, lo + n) of the linear group, where `at` is the offset of the other indices. */
static void
walk_group(struct walk *w, int64_t at, int64_t lo, int64_t n, uint8_t *out, int64_t rows,
    int64_t row_out, int64_t row_in)
{
	const struct axt_operand *op = w->s->op;
	int last = w->sp->nd - 1;
	int64_t len = w->sp->len[last];

	while (n > 0) {
		int64_t rest = lo / len, col = lo % len, k = MIN(n, len - col),
			base = at + axt_operand_at(op, last, col),
			stride = even_part(op, last, col, &k);

		for (int d = last - 1; d >= w->sp->lin; d--) {
			base += axt_operand_at(op, d, rest % w->sp->len[d]);
			rest /= w->sp->len[d];
		}
		if (op->node->kind == AXT_NODE_GEN)
			generate(out, op->node, base, stride, k);
		else
			axt_kern_gather2(out, row_out, w->s->mem + base * op->size, rows, k, row_in,
			    stride, op->size);
		out += k * op->size;
		lo += k;
		n -= k;
	}
}

static void
walk_dims(struct walk *w, int d, int64_t at, int64_t place, int64_t step)
{
	const struct axt_operand *op = w->s->op;
	const struct axt_tile *t = w->t;
	int lin = w->sp->lin;

	if (d == lin) {
		int64_t rows = w->pair >= 0 ? t->n[w->pair] : 1, row_out = 0, row_in = 0;

		if (w->pair >= 0) {
			row_in = op->v.stride[w->pair];
			row_out = t->n[lin];
			for (int k = w->pair + 1; k < lin; k++)
				row_out *= t->n[k];
		}
		walk_group(w, at, t->lo[lin], t->n[lin], w->out + place * op->size, rows, row_out,
		    row_in);
		return;
	}
	step /= t->n[d]; /* elements of the tile per index of d */
	for (int64_t i = 0; i < (d == w->pair ? 1 : t->n[d]); i++)
		walk_dims(w, d + 1, at + axt_operand_at(op, d, t->lo[d] + i), place + i * step,
		    step);
}

/*
 * The dimension to gather together with the innermost one: if that is strided, the one with the
 * least stride, else the one next to it.
 */
static int
best_pair(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
{
	int64_t in = op->v.stride[sp->nd - 1], best = INT64_MAX;
	int pair = -1;

	if (op->node->kind == AXT_NODE_GEN || sp->lin != sp->nd - 1 || op->jump[sp->nd - 1])
		return -1;
	for (int d = sp->lin - 1; d >= 0; d--) {
		int64_t s = op->v.stride[d] < 0 ? -op->v.stride[d] : op->v.stride[d];

		if (op->jump[d])
			continue;
		if (t->n[d] > 1 && in != 0 && in != 1 && s > 0 && s < best) {
			best = s;
			pair = d;
		} else if (t->n[d] > 1 && pair < 0 && (in == 0 || in == 1)) {
			return d;
		}
	}
	return pair;
}

static int
read_pieces(const struct axt_source *s, const struct axt_space *sp, const struct axt_tile *t,
    int64_t piece, uint8_t *out, struct axt_err *e)
{
	const struct axt_operand *op = s->op;

	for (int64_t k = 0; k < t->count; k += piece) {
		int64_t rest = k, at = op->v.offset, n = t->n[sp->lin];

		/* The indices of element k of the tile. */
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
		if (axt_storage_read(s->st, at, piece, out + k * op->size, e))
			return -1;
	}
	return 0;
}

static int64_t
first_element(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
{
	int64_t at = op->v.offset, lin = t->lo[sp->lin];

	for (int d = 0; d < sp->lin; d++)
		at += axt_operand_at(op, d, t->lo[d]);
	for (int d = sp->nd - 1; d >= sp->lin; d--) {
		at += axt_operand_at(op, d, lin % sp->len[d]);
		lin /= sp->len[d];
	}
	return at;
}

/* Where element 0 of the operand would be if the slab held all of it. */
static const uint8_t *
slab_base(const struct axt_source *s)
{
	if (s->op->stream)
		return s->slab - s->slab_lo * s->op->size;
	return s->op->slab_axis < 0 ? s->slab : s->slab - s->slab_lo * axt_source_row(s);
}

/* Whether the tile can be used where it lies in memory, as rows *ld elements apart. */
static bool
rows_in_place(const struct axt_operand *op, const struct axt_tile *t, int rows, int64_t cols,
    int64_t piece, int64_t *ld)
{
	int along = -1;

	for (int d = 0; d < rows; d++) {
		if (t->n[d] > 1 && (along >= 0 || op->jump[d]))
			return false;
		along = t->n[d] > 1 ? d : along;
	}
	*ld = along >= 0 ? op->v.stride[along] : cols;
	return piece >= cols;
}

const void *
axt_source_load(const struct axt_source *src, const struct axt_space *sp, const struct axt_tile *t,
    int rows, int64_t cols, void *buf, int64_t *ld, struct axt_err *e)
{
	struct axt_source s = *src;
	const struct axt_operand *op = s.op;
	struct walk w = { .s = &s, .sp = sp, .t = t, .out = buf, .pair = -1 };
	int64_t piece = axt_operand_piece(op, sp, t);
	bool foreign = s.st && s.st->swap && !op->slabbed && !op->stream;

	if (s.slab)
		s.mem = slab_base(&s);
	*ld = cols;
	if (op->node->kind != AXT_NODE_GEN && s.mem && !foreign &&
	    (piece >= t->count || rows_in_place(op, t, rows, cols, piece, ld)))
		return s.mem + first_element(op, sp, t) * op->size;
	*ld = cols;
	if (op->node->kind != AXT_NODE_GEN && !s.mem) {
		if (read_pieces(&s, sp, t, piece, buf, e))
			return NULL;
	} else {
		w.pair = best_pair(op, sp, t);
		walk_dims(&w, 0, op->v.offset, 0, t->count);
	}
	if (foreign)
		swap(op, buf, t->count);
	return buf;
}

/* ---- streams ---- */

int
axt_source_take(struct axt_source *s, const struct axt_source *last, int64_t lo, int64_t n,
    struct axt_err *e)
{
	int64_t size = s->op->size, from = last->slab_lo, have = MIN(MAX(0, last->slab_hi - lo), n);
	uint8_t *to = s->slab + have * size;

	if (n > s->slab_cap || lo < from)
		return axt_fail(e, AXT_E_LIMIT, "a slab of %s is too small", s->st->from);
	if (have > 0 && (s->slab_lo != lo || s->slab_hi < lo + have))
		memmove(s->slab, last->slab + (lo - from) * size, (size_t)(have * size));
	s->slab_lo = lo;
	s->slab_hi = lo + n;
	if (have == n)
		return 0;
	if (axt_stream_take(s->st, lo + have, n - have, to, e))
		return -1;
	if (s->st->swap)
		swap(s->op, to, n - have);
	return 0;
}
