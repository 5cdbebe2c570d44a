/* storage.c - where the bytes of a dataset are: its table of chunks and its fill value. */
#include "bytes/chunk.h"
#include "hdf5/format/raw.h"
#include "files/inner.h"

#define MAX_CHUNKS ((int64_t)1 << 24)

static int
damaged(struct axt_storage *s, struct axt_err *e, const char *what)
{
	return axt_fail(e, AXT_E_DAMAGED, "%s: %s", s->from, what);
}

/* The bytes of an element as it is stored: those of a whole record, if it is a member of one. */
static uint64_t
stored_size(const struct axt_storage *s)
{
	return s->record ? s->record : (uint64_t)s->esize;
}

/* How many elements of that size are stored. */
static int64_t
stored_count(const struct axt_storage *s)
{
	int64_t n = 1;

	for (int k = 0; k < s->rank - s->inner; k++)
		n *= s->dims[k];
	return n;
}

/* How many elements each record has. */
static size_t
member_items(const struct axt_storage *s)
{
	size_t n = 1;

	for (int k = s->rank - s->inner; k < s->rank; k++)
		n *= (size_t)s->dims[k];
	return n;
}

/* The bytes of one of them in the file. */
static size_t
item_bytes(const struct axt_storage *s)
{
	return s->number ? (size_t)(s->number->size << s->number->is_complex) : (size_t)s->esize;
}

/* The bytes of all of them, once they are out of their record. */
static size_t
member_bytes(const struct axt_storage *s)
{
	return member_items(s) * (size_t)s->esize;
}

/*
 * Finds the bytes of the fill value, if there is one. A header may have messages of two types for
 * it; the newer type counts.
 */
static int
find_fill(const struct axt_head *h, struct axt_storage *s, struct axt_cur *v, struct axt_err *e)
{
	int type = axt_head_msg(h, AXT_MSG_FILL) ? AXT_MSG_FILL : AXT_MSG_OLD_FILL;
	const struct axt_msg *g = axt_head_msg(h, type);

	*v = (struct axt_cur){ 0 };
	return g && !axt_msg_fill(g->c, type, v) ? damaged(s, e, "its fill value cannot be read")
						 : AXT_OK;
}

/* That of texts, which have one length. */
static int
fill_of_texts(struct axt_arena *m, const struct axt_head *h, struct axt_storage *s,
    struct axt_err *e)
{
	struct axt_cur v;
	uint8_t *p;

	if (find_fill(h, s, &v, e) || !v.p || s->record || s->esize < 1)
		return e->code;
	if (v.n != (uint64_t)s->esize)
		return damaged(s, e, "its fill value has another size than its elements");
	s->fill_text = p = axt_alloc(m, (size_t)s->esize);
	if (!p)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	memcpy(p, v.p, (size_t)s->esize);
	memcpy(s->fill_bytes, p, MIN(sizeof(s->fill_bytes), (size_t)s->esize));
	return AXT_OK;
}

static int
fill_of(const struct axt_head *h, struct axt_storage *s, struct axt_err *e)
{
	struct axt_cur v;
	size_t size;

	if (find_fill(h, s, &v, e))
		return e->code;
	if (!v.p || s->esize > (int)sizeof(s->fill_bytes))
		return AXT_OK;
	if (v.n != stored_size(s))
		return damaged(s, e, "its fill value has another size than its elements");
	v.p += s->within;
	size = item_bytes(s);
	if (s->number)
		axt_number_load(s->number, v.p, 1, s->fill_bytes);
	else
		memcpy(s->fill_bytes, v.p, size);
	for (size_t k = 0; k < size * member_items(s); k += size)
		if (memcmp(v.p + k, v.p, size) != 0)
			return axt_fail(e, AXT_E_DTYPE,
			    "%s: fill values that differ in an array "
			    "are not supported",
			    s->from);
	axt_swap(s, s->fill_bytes, 1);
	s->fill = axt_load_f64(s->dtype, s->fill_bytes);
	return AXT_OK;
}

static int
filters_of(struct axt_arena *m, const struct axt_head *h, struct axt_storage *s, struct axt_err *e)
{
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_FILTERS);
	struct axt_hfilters fl = { 0 };
	struct axt_filter_use *use;

	if (g && (!axt_msg_filters(g->c, &fl) || fl.n > AXT_MAX_FILTERS))
		return damaged(s, e, "its filters cannot be read");
	s->filters.n = fl.n;
	s->filters.use = use = fl.n > 0 ? axt_alloc(m, (size_t)fl.n * sizeof(*use)) : NULL;
	if (fl.n > 0 && !use)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int k = 0; k < fl.n; k++) {
		const struct axt_filter *f = axt_filter_of(fl.f[k].id);
		const char *why;

		if (!f)
			return axt_fail(e, AXT_E_DTYPE, "%s: filter %d is not supported", s->from,
			    fl.f[k].id);
		use[k] = (struct axt_filter_use){ .f = f,
			.esize = (int)stored_size(s),
			.n = fl.f[k].ncd };
		memcpy(use[k].param, fl.f[k].cd, sizeof(use[k].param));
		why = f->fn->check ? f->fn->check(&use[k]) : NULL;
		if (why)
			return damaged(s, e, why);
	}
	return AXT_OK;
}

const char *
axt_h5_chunks_wrong(const struct axt_hlayout *l, int rank, const int64_t *dims, uint64_t size)
{
	int64_t bytes = size > INT64_MAX ? INT64_MAX : (int64_t)size, all = 1;

	if (l->class != AXT_LAY_CHUNKED)
		return NULL;
	if (rank == 0 || l->rank != rank + 1)
		return "chunks have another rank than the data";
	if (l->dim[rank] != size)
		return "chunks are of elements of another size";
	for (int k = 0; k < rank; k++) {
		int64_t c = l->dim[k] > INT64_MAX ? INT64_MAX : (int64_t)l->dim[k];

		if (c == 0)
			return "a chunk has an impossible length";
		if (!axt_mul(bytes, c, &bytes) || bytes > UINT32_MAX)
			return "a chunk is over 4 GiB";
		if (!axt_mul(all, dims[k] / c + (dims[k] % c != 0), &all))
			return "too many chunks";
	}
	return NULL;
}

/* Cuts the extents into chunks, with which nothing is wrong. */
static void
grid_of(const struct axt_hlayout *l, struct axt_storage *s)
{
	int rank = s->rank - s->inner;

	s->nchunks = s->chunk_count = 1;
	for (int k = 0; k < s->rank; k++) {
		s->chunk[k] = k < rank ? (int64_t)l->dim[k] : s->dims[k];
		s->grid[k] = k < rank ? s->dims[k] / s->chunk[k] + (s->dims[k] % s->chunk[k] != 0)
				      : 1;
		s->nchunks *= s->grid[k];
		s->chunk_count *= s->chunk[k];
	}
}

/* The table of chunks while it is filled. It is allocated when the first chunk is found. */
struct table {
	struct axt_arena *m;
	struct axt_src *src;
	struct axt_storage *s;
	struct axt_err *e;
	bool plain_edges;
};

static int
empty_table(struct table *t)
{
	struct axt_storage *s = t->s;

	if (s->nchunks > MAX_CHUNKS)
		return axt_fail(t->e, AXT_E_LIMIT, "%s: %lld chunks are too many", s->from,
		    (long long)s->nchunks);
	s->chunks = axt_alloc(t->m, (size_t)s->nchunks * sizeof(*s->chunks));
	if (!s->chunks)
		return axt_fail(t->e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int64_t c = 0; c < s->nchunks; c++)
		s->chunks[c].addr = UINT64_MAX;
	return AXT_OK;
}

/*
 * Adds a chunk to the table. A chunk outside of the extents is left from when the dataset was
 * larger, and is not added. In the newest format partial chunks at an edge may be stored without
 * filters.
 */
static bool
on_chunk(void *ctx, const struct axt_found *c)
{
	struct table *t = ctx;
	struct axt_storage *s = t->s;
	struct axt_chunk_loc *l;
	int64_t i = 0;
	bool edge = false;

	for (int k = 0; k < s->rank - s->inner; k++) {
		if (c->at[k] >= (uint64_t)s->grid[k])
			return true;
		i = i * s->grid[k] + (int64_t)c->at[k];
		edge = edge ||
		    (int64_t)(c->at[k] + 1) * s->chunk[k] >
			(s->cut && k == 0 ? s->stored : s->dims[k]);
	}
	if (!s->chunks && empty_table(t))
		return false;
	l = &s->chunks[i];
	if (c->size > UINT32_MAX || __builtin_add_overflow(c->addr, t->src->base, &l->addr) ||
	    !(axt_raw_inside(t->src, l->addr, c->size) ||
		(axt_raw_grown(t->src) && axt_raw_inside(t->src, l->addr, c->size)))) {
		axt_fail(t->e, AXT_E_DAMAGED, "%s: chunk %lld is outside the file", s->from,
		    (long long)i);
		return false;
	}
	l->size = (uint32_t)c->size;
	l->mask = t->plain_edges && edge ? UINT32_MAX : c->mask;
	return true;
}

/*
 * Makes the storage contiguous if its chunks have no filters, are adjacent in the file, and their
 * bytes are in row-major order.
 */
static void
in_order(struct axt_storage *s)
{
	uint64_t bytes = (uint64_t)s->chunk_count * (uint64_t)s->esize;
	bool many = false;
	int cut = s->rank - 1; /* dimensions after this one are not cut into chunks */

	if (s->filters.n > 0 || s->record || s->cut || s->chunks[0].addr == UINT64_MAX)
		return;
	while (cut > 0 && s->chunk[cut] == s->dims[cut])
		cut--;
	for (int k = 0; k < cut; k++) {
		if (s->chunk[k] != 1)
			return;
		many = many || s->dims[k] > 1;
	}
	/* the last chunk would have padding in it */
	if (many && s->dims[cut] % s->chunk[cut])
		return;
	for (int64_t c = 0; c < s->nchunks; c++)
		if (s->chunks[c].addr != s->chunks[0].addr + (uint64_t)c * bytes ||
		    s->chunks[c].size != bytes)
			return;
	s->layout = AXT_LAYOUT_CONTIGUOUS;
	s->offset = s->chunks[0].addr;
	s->rows = true;
	s->chunks = NULL;
	s->nchunks = 0;
}

static int
chunked(struct axt_arena *m, struct axt_file *f, const struct axt_head *h,
    const struct axt_hlayout *l, struct axt_storage *s, struct axt_err *e)
{
	struct table t = { .m = m, .src = h->r.s, .s = s, .e = e, .plain_edges = l->flags & 1 };
	const struct axt_msg *space = axt_head_msg(h, AXT_MSG_SPACE);
	struct axt_hspace sp;
	struct axt_grid g = { .rank = s->rank - s->inner, .dims = sp.dims, .most = sp.most };

	if (filters_of(m, h, s, e))
		return e->code;
	grid_of(l, s);
	s->layout = AXT_LAYOUT_NONE;
	if (s->count == 0)
		return AXT_OK;
	g.chunk_bytes = axt_chunk_bytes(s);
	g.filtered = s->filters.n > 0;
	if (!space || !axt_msg_space(space->c, h->r.s, &sp) ||
	    axt_chunks_walk(h->r.s, l, &g, on_chunk, &t) == AXT_WALK_DAMAGED)
		return h->r.s->starved ? axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from)
				       : damaged(s, e, "its chunk index is damaged");
	if (e->code)
		return e->code;
	/* a large table without any stored chunk is freed */
	if (!s->chunks && s->nchunks > 4096)
		return AXT_OK;
	s->layout = AXT_LAYOUT_CHUNKED;
	if (!s->chunks)
		return empty_table(&t);
	in_order(s);
	if (s->layout == AXT_LAYOUT_CHUNKED && t.src->stream)
		return axt_src_spool(f->src, f->path, e);
	return AXT_OK;
}

/*
 * Sets the storage of elements that are in records, which follow each other in the file: members of
 * a table that is not chunked, and numbers of none of the dtypes, which have to be converted.
 */
static int
in_records(struct axt_arena *m, struct axt_file *f, uint64_t addr, struct axt_storage *s,
    struct axt_err *e)
{
	int rank = s->rank - s->inner;

	s->offset = addr + s->within;
	s->layout = !s->number && (rank == 0 || s->record == member_bytes(s))
	    ? AXT_LAYOUT_CONTIGUOUS
	    : AXT_LAYOUT_RECORDS;
	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		s->record = 0;
	else if (f->src->stream && axt_src_spool(f->src, f->path, e))
		return e->code;
	s->fd = f->src->stream ? f->src->spool : -1;
	s->mem = f->src->stream && s->layout == AXT_LAYOUT_RECORDS ? f->src->mem : NULL;
	if (s->layout == AXT_LAYOUT_RECORDS && (rank != 1 || s->number))
		return axt_records_cut(m, s, addr, e);
	axt_storage_cut(s);
	return AXT_OK;
}

static int
contiguous(struct axt_arena *m, struct axt_file *f, const struct axt_hlayout *l,
    struct axt_storage *s, struct axt_err *e)
{
	uint64_t n = (uint64_t)stored_count(s) * stored_size(s), addr;
	const struct axt_src *src = f->src;

	s->layout = AXT_LAYOUT_NONE;
	if (l->addr == AXT_UNDEF || s->count == 0)
		return AXT_OK;
	if (l->size < n)
		return damaged(s, e, "fewer bytes are stored than its lengths need");
	if (__builtin_add_overflow(l->addr, src->base, &addr) || !axt_raw_inside(src, addr, n))
		return damaged(s, e, "its data is outside the file");
	if (s->record)
		return in_records(m, f, addr, s, e);
	s->layout = AXT_LAYOUT_CONTIGUOUS;
	s->offset = addr;
	return AXT_OK;
}

static int
compact(struct axt_arena *m, const struct axt_hlayout *l, struct axt_storage *s, struct axt_err *e)
{
	size_t size = stored_size(s), n = (size_t)stored_count(s), bytes = member_bytes(s),
	       most = MAX(l->data.n, n * bytes);
	uint8_t *p;

	s->layout = AXT_LAYOUT_COMPACT;
	if (l->data.n < n * size)
		return damaged(s, e, "its compact data cannot be read");
	p = axt_alloc(m, most + 1);
	if (!p)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	if (!s->record && l->data.n > 0)
		memcpy(p, l->data.p, l->data.n);
	for (size_t i = 0; s->record && i < n; i++) {
		const uint8_t *from = l->data.p + i * size + s->within;

		if (s->number)
			axt_number_load(s->number, from, member_items(s), p + i * bytes);
		else
			memcpy(p + i * bytes, from, bytes);
	}
	s->record = 0;
	s->mem = p;
	return AXT_OK;
}

/*
 * For a stream, sets where the bytes of a dataset are: in the spool, or in memory. Bytes of chunks
 * have all come by now; contiguous bytes may still have to be read from src.
 */
static void
reach(struct axt_src *src, struct axt_storage *s)
{
	s->fd = -1;
	if (!src->stream)
		return;
	s->fd = src->spool;
	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		s->src = src;
	else if (s->layout == AXT_LAYOUT_CHUNKED)
		s->mem = src->mem;
	else if (s->layout == AXT_LAYOUT_RECORDS && src->mem)
		s->mem = src->mem + s->offset;
}

int
axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	const struct axt_obj *o = &f->h5->objs[i];
	struct axt_src *src = f->src;
	struct axt_storage *s = &d->st;
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_LAYOUT);
	struct axt_hlayout lay;
	const char *wrong;
	int rc;

	s->dtype = d->dtype;
	s->esize = o->esize;
	s->rank = o->of_matlab ? 2 : d->rank;
	s->file = f;
	s->count = 1;
	for (int k = 0; k < s->rank; k++) {
		s->dims[k] = o->of_matlab ? o->letters[k] : d->dims[k];
		s->count *= s->dims[k];
	}
	s->from = axt_h5_where(m, f, d);
	if (!s->from)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (!g || !axt_msg_layout(g->c, src, &lay))
		return damaged(s, e, "its layout cannot be read");
	wrong = axt_h5_chunks_wrong(&lay, s->rank - s->inner, s->dims, stored_size(s));
	if (wrong)
		return damaged(s, e, wrong);
	if (d->virt)
		rc = (s->layout = AXT_LAYOUT_VIRTUAL, AXT_OK);
	else if (lay.class == AXT_LAY_CHUNKED)
		rc = chunked(m, f, h, &lay, s, e);
	else if (lay.class == AXT_LAY_COMPACT)
		rc = compact(m, &lay, s, e);
	else
		rc = contiguous(m, f, &lay, s, e);
	if (rc == AXT_OK && d->role != AXT_ROLE_TEXT)
		rc = fill_of(h, s, e);
	else if (rc == AXT_OK && !o->vlen && !o->of_matlab)
		rc = fill_of_texts(m, h, s, e);
	reach(src, s);
	return rc;
}
