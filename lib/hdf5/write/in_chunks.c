/*
 * in_chunks.c - assigns values to a slice of a dataset whose space libhdf5 must allocate: one
 * without storage yet, or one in chunks. Chunks are decoded, changed and packed here, one at a
 * time.
 */
#include <stdlib.h>

#include "bytes/boxes.h"
#include "bytes/chunk.h"
#include "hdf5/write/libhdf5.h"
#include "bytes/repack.h"

static bool
select_box(hid_t space, const struct axt_boxes *b)
{
	hsize_t at[AXT_MAX_RANK], step[AXT_MAX_RANK], n[AXT_MAX_RANK];

	if (b->rank == 0)
		return H5Sselect_all(space) >= 0;
	for (int d = 0; d < b->rank; d++) {
		const struct axt_piece *p = axt_box(b, d);

		at[d] = (hsize_t)p->index;
		step[d] = (hsize_t)p->step;
		n[d] = (hsize_t)p->len;
	}
	return H5Sselect_hyperslab(space, H5S_SELECT_SET, at, step, n, NULL) >= 0;
}

/* How many elements the box has. */
static int64_t
box_count(const struct axt_boxes *b)
{
	int64_t n = 1;

	for (int d = 0; d < b->rank; d++)
		n *= axt_box(b, d)->len;
	return n;
}

/* Writes a box of values; buf has room for it. */
static bool
put_box(hid_t d, hid_t type, hid_t space, struct axt_boxes *b, uint8_t *values, uint8_t *buf)
{
	hsize_t count = (hsize_t)box_count(b);
	int64_t len[AXT_MAX_RANK], stride[AXT_MAX_RANK];
	hid_t mem = b->rank ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
	bool ok;

	for (int k = 0; k < b->rank; k++)
		len[k] = axt_box(b, k)->len;
	axt_row_strides(b->rank, len, stride);
	axt_box_copy(b, values, buf, stride, false, false);
	ok = mem >= 0 && select_box(space, b) &&
	    H5Dwrite(d, type, mem, space, H5P_DEFAULT, buf) >= 0;
	if (mem >= 0)
		H5Sclose(mem);
	return ok;
}

static int
put_all(struct axt_h5w *w, hid_t d, struct axt_boxes *b, uint8_t *values, size_t most)
{
	hid_t type = H5Dget_type(d), space = H5Dget_space(d);
	uint8_t *buf = malloc(most + 1);
	bool fresh, ok = type >= 0 && space >= 0 && H5Tget_size(type) == (size_t)b->esize;

	if (!buf)
		axt_h5w_nomem(w);
	while (ok && buf && axt_boxes_next(b, &fresh))
		ok = put_box(d, type, space, b, values, buf);
	if (!ok)
		axt_h5w_fail(w, "values", NULL);
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	free(buf);
	return w->e->code;
}

/* ---- chunks ---- */

struct chunks {
	struct axt_h5w *w;
	hid_t d;
	const struct axt_storage *st;
	struct axt_boxes *b;
	struct axt_repack k;
	bool plain_edges; /* partial chunks at the end are stored without filters */
	/* The current chunk. */
	bool open;
	int64_t c;
	hsize_t at[AXT_MAX_RANK];
	uint32_t mask;
};

/* Whether the current box covers its whole chunk. */
static bool
covers(const struct chunks *s)
{
	int64_t n = 1;

	for (int d = 0; d < s->st->rank; d++)
		n *= MIN(s->st->chunk[d], s->st->dims[d] - (int64_t)s->at[d]);
	return box_count(s->b) == n;
}

static bool
is_edge(const struct chunks *s)
{
	for (int d = 0; d < s->st->rank; d++)
		if (s->st->dims[d] - (int64_t)s->at[d] < s->st->chunk[d])
			return true;
	return false;
}

/* Reads what the chunk contains, from the file as it is now. */
static int
get_chunk(struct chunks *s)
{
	struct axt_err *e = s->w->e;
	uint32_t mask = 0;
	hsize_t n = 0;

	if (!covers(s) && H5Dget_chunk_storage_size(s->d, s->at, &n) < 0)
		n = 0; /* the answer for a chunk never written */
	if (covers(s) || (n == 0 && s->st->chunks[s->c].addr == UINT64_MAX)) {
		axt_fill(s->st, s->k.plain, s->st->chunk_count);
		return 0;
	}
	if (n > s->k.bound)
		return axt_bad_chunk(s->st, s->c, "wrong size", e);
	if (n == 0 || H5Dread_chunk(s->d, H5P_DEFAULT, s->at, &mask, s->k.stored) < 0)
		return axt_h5w_fail(s->w, "a chunk of", s->st->from);
	return axt_repack_take(&s->k, s->c, (size_t)n, mask | s->mask, e);
}

static int
begin_chunk(struct chunks *s, int64_t c)
{
	s->c = c;
	for (int d = 0; d < s->st->rank; d++)
		s->at[d] = (hsize_t)(axt_box(s->b, d)->chunk * s->st->chunk[d]);
	s->mask = s->plain_edges && is_edge(s) ? UINT32_MAX : 0;
	s->open = get_chunk(s) == 0;
	return s->w->e->code;
}

static int
end_chunk(struct chunks *s)
{
	const uint8_t *p;
	size_t n;

	if (!s->open || axt_repack_pack(&s->k, s->mask, &p, &n, s->w->e))
		return s->w->e->code;
	s->open = false;
	if (H5Dwrite_chunk(s->d, H5P_DEFAULT, 0, s->at, n, p) < 0)
		axt_h5w_fail(s->w, "a chunk of", s->st->from);
	return s->w->e->code;
}

static int
put_chunks(struct chunks *s, uint8_t *values)
{
	int64_t stride[AXT_MAX_RANK], at, c;
	bool fresh;

	axt_row_strides(s->st->rank, s->st->chunk, stride);
	while (axt_boxes_next(s->b, &fresh)) {
		c = axt_box_chunk(s->b, s->st, &at);
		if (fresh && (end_chunk(s) || begin_chunk(s, c)))
			return s->w->e->code;
		axt_box_copy(s->b, values, s->k.plain + at * s->st->esize, stride, true, false);
	}
	return end_chunk(s);
}

/* Whether partial chunks at the end are stored without filters. */
static bool
plain_edges_of(hid_t d, bool *plain_edges)
{
	hid_t p = H5Dget_create_plist(d);
	unsigned opts = 0;
	bool ok = p >= 0 && H5Pget_chunk_opts(p, &opts) >= 0;

	*plain_edges = opts & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS;
	if (p >= 0)
		H5Pclose(p);
	return ok;
}

/* ---- the dataset ---- */

static hid_t
begin(struct axt_h5w *w, struct axt_img *img, int fd, const char *path, const char *dset,
    struct axt_err *e)
{
	hid_t d = -1;

	*img = (struct axt_img){ .fd = fd, .limit = HADDR_UNDEF };
	axt_h5w_begin(w, NULL, img, e);
	if (axt_h5w_open(w, path) == 0 && (d = H5Dopen2(w->file, dset, H5P_DEFAULT)) < 0)
		axt_h5w_fail(w, "dataset", dset);
	return d;
}

static int
end(struct axt_h5w *w, hid_t d, const char *dset)
{
	if (d >= 0 && H5Dclose(d) < 0)
		axt_h5w_fail(w, "values of", dset);
	axt_h5w_end(w);
	axt_h5_end();
	return w->e->code;
}

int
axt_h5_assign(int fd, const char *path, const char *dset, struct axt_boxes *b, size_t most,
    void *values, struct axt_err *e)
{
	struct axt_img img;
	struct axt_h5w w;
	hid_t d;

	if (axt_h5_begin(e))
		return e->code;
	d = begin(&w, &img, fd, path, dset, e);
	if (d >= 0)
		put_all(&w, d, b, values, most);
	return end(&w, d, dset);
}

int
axt_h5_assign_chunks(int fd, const char *path, const char *dset, const struct axt_storage *st,
    struct axt_boxes *b, int64_t memory, struct axt_temp *beside, void *values, struct axt_err *e)
{
	struct axt_img img;
	struct axt_h5w w;
	struct chunks s = { .w = &w, .st = st, .b = b };

	if (axt_h5_begin(e))
		return e->code;
	s.d = begin(&w, &img, fd, path, dset, e);
	if (s.d >= 0) {
		if (!plain_edges_of(s.d, &s.plain_edges)) {
			axt_h5w_fail(&w, "the filters of", dset);
		} else {
			if (axt_repack_open(&s.k, st, true, memory, beside, e) == 0)
				put_chunks(&s, values);
			axt_repack_close(&s.k);
		}
	}
	return end(&w, s.d, dset);
}
