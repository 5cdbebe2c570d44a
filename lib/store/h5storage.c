/*
 * h5storage.c - where a dataset's bytes are. Chunk addresses come from H5Dread_chunk
 * while the driver notes the raw read instead of doing it (0.4 us a chunk;
 * H5Dget_chunk_info takes 38 to 167 us in 1.10).
 */
#include "h5raw.h"

#include "bytes.h"

#define MAX_CHUNKS ((int64_t)1 << 24)

static int
damaged(struct axt_storage *s, struct axt_err *e, const char *what)
{
	return axt_fail(e, AXT_E_DAMAGED, "%s: %s", s->from, what);
}

static void
fill_of(hid_t plist, hid_t dset, struct axt_storage *s)
{
	H5D_fill_value_t how;
	hid_t type;

	if (H5Pfill_value_defined(plist, &how) < 0 || how != H5D_FILL_VALUE_USER_DEFINED ||
	    s->esize > (int)sizeof(s->fill_bytes))
		return;
	type = H5Dget_type(dset);
	if (type < 0)
		return;
	if (H5Tget_size(type) != (size_t)s->esize ||
	    H5Pget_fill_value(plist, type, s->fill_bytes) < 0)
		memset(s->fill_bytes, 0, sizeof(s->fill_bytes));
	H5Tclose(type);
	axt_swap(s, s->fill_bytes, 1);
	s->fill = axt_load_f64(s->dtype, s->fill_bytes);
}

static int
filters_of(hid_t plist, struct axt_storage *s, struct axt_err *e)
{
	s->nfilters = H5Pget_nfilters(plist);
	if (s->nfilters < 0 || s->nfilters > ARRAY_LEN(s->filter))
		return damaged(s, e, "its filters cannot be read");
	for (int k = 0; k < s->nfilters; k++) {
		unsigned flags, cd[8] = { 0 };
		size_t ncd = ARRAY_LEN(cd);
		int id = H5Pget_filter2(plist, (unsigned)k, &flags, &ncd, cd, 0, NULL, NULL);

		if (id == H5Z_FILTER_DEFLATE)
			s->filter[k] = AXT_FILTER_DEFLATE;
		else if (id == H5Z_FILTER_SHUFFLE)
			s->filter[k] = AXT_FILTER_SHUFFLE;
		else if (id == H5Z_FILTER_FLETCHER32)
			s->filter[k] = AXT_FILTER_FLETCHER32;
		else
			return axt_fail(e, AXT_E_DTYPE, "%s: filter %d is not supported", s->from,
			    id);
		if (id == H5Z_FILTER_SHUFFLE && ncd > 0 && cd[0] != (unsigned)s->esize)
			return damaged(s, e, "shuffled by another size than its elements have");
	}
	return AXT_OK;
}

static int
grid_of(hid_t plist, struct axt_storage *s, struct axt_err *e)
{
	hsize_t chunk[AXT_MAX_RANK];
	int64_t bytes = s->esize;

	if (s->rank == 0 || H5Pget_chunk(plist, s->rank, chunk) != s->rank)
		return damaged(s, e, "chunks have another rank than the data");
	s->nchunks = s->chunk_count = 1;
	for (int k = 0; k < s->rank; k++) {
		if (chunk[k] == 0 || chunk[k] > UINT32_MAX)
			return damaged(s, e, "a chunk has an impossible length");
		s->chunk[k] = (int64_t)chunk[k];
		s->grid[k] = s->dims[k] / s->chunk[k] + (s->dims[k] % s->chunk[k] != 0);
		if (!axt_mul(bytes, s->chunk[k], &bytes) || bytes > UINT32_MAX)
			return damaged(s, e, "a chunk is over 4 GiB");
		if (!axt_mul(s->nchunks, s->grid[k], &s->nchunks))
			return damaged(s, e, "too many chunks");
		s->chunk_count *= s->chunk[k];
	}
	return AXT_OK;
}

/* A partial chunk at an edge may be stored without filters (an option of the newest format). */
static bool
is_edge(const struct axt_storage *s, const hsize_t *at)
{
	for (int k = 0; k < s->rank; k++)
		if ((int64_t)at[k] > s->dims[k] - s->chunk[k])
			return true;
	return false;
}

static herr_t
on_error(unsigned n, const H5E_error2_t *err, void *ctx)
{
	(void)n;
	if (err->desc && strcmp(err->desc, "chunk address isn't defined") == 0)
		*(bool *)ctx = true;
	return 0;
}

/* One chunk's place: false when its index is damaged. */
static bool
locate(struct axt_src *src, hid_t dset, const hsize_t *at, struct axt_chunk_loc *l)
{
	uint32_t mask = 0;
	unsigned info_mask;
	hsize_t size;
	haddr_t addr;
	uint8_t none[8];
	bool missing = false;
	herr_t rc;

	src->nrec = 0;
	src->record = true;
	rc = H5Dread_chunk(dset, H5P_DEFAULT, at, &mask, none);
	src->record = false;
	if (rc >= 0 && src->nrec == 1 && src->rec_size <= UINT32_MAX) {
		*l = (struct axt_chunk_loc){ .addr = src->rec_addr, .size = (uint32_t)src->rec_size,
		    .mask = mask };
		return true;
	}
	if (rc < 0)
		H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, on_error, &missing);
	if (missing) {
		*l = (struct axt_chunk_loc){ .addr = UINT64_MAX };
		return true;
	}
	if (H5Dget_chunk_info_by_coord(dset, at, &info_mask, &addr, &size) < 0 || size > UINT32_MAX)
		return false;
	*l = (struct axt_chunk_loc){ .addr = addr, .size = (uint32_t)size, .mask = info_mask };
	if (addr == HADDR_UNDEF)
		l->addr = UINT64_MAX;
	return true;
}

static bool
inside(const struct axt_src *s, uint64_t addr, uint64_t n)
{
	uint64_t end;

	return !__builtin_add_overflow(addr, n, &end) && end <= (s->stream ? s->eoa : s->size);
}

static int
table_of(struct axt_arena *m, struct axt_src *src, hid_t dset, bool plain_edges,
    struct axt_storage *s, struct axt_err *e)
{
	hsize_t at[AXT_MAX_RANK] = { 0 };

	if (s->nchunks > MAX_CHUNKS)
		return axt_fail(e, AXT_E_LIMIT, "%s: %lld chunks are too many", s->from,
		    (long long)s->nchunks);
	s->chunks = axt_alloc(m, (size_t)s->nchunks * sizeof(*s->chunks));
	if (!s->chunks)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int64_t c = 0; c < s->nchunks; c++) {
		struct axt_chunk_loc *l = &s->chunks[c];

		if (!locate(src, dset, at, l))
			return damaged(s, e, "its chunk index is damaged");
		if (l->addr != UINT64_MAX && !inside(src, l->addr, l->size))
			return axt_fail(e, AXT_E_DAMAGED, "%s: chunk %lld is outside the file",
			    s->from, (long long)c);
		if (plain_edges && is_edge(s, at))
			l->mask = UINT32_MAX;
		for (int k = s->rank - 1; k >= 0; k--) {
			at[k] += (hsize_t)s->chunk[k];
			if ((int64_t)at[k] < s->dims[k])
				break;
			at[k] = 0;
		}
	}
	return AXT_OK;
}

static int
chunked(struct axt_arena *m, struct axt_src *src, hid_t dset, hid_t plist, struct axt_storage *s,
    struct axt_err *e)
{
	unsigned opts = 0;
	int rc = filters_of(plist, s, e);

	if (rc == AXT_OK)
		rc = grid_of(plist, s, e);
	if (rc != AXT_OK)
		return rc;
	/* Counting what is allocated reads the whole index: worth it only to
	 * spare a large empty table. */
	if (s->count == 0 || (s->nchunks > 4096 && H5Dget_storage_size(dset) == 0)) {
		s->layout = AXT_LAYOUT_NONE;
		return AXT_OK;
	}
	s->layout = AXT_LAYOUT_CHUNKED;
	H5Pget_chunk_opts(plist, &opts);
	return table_of(m, src, dset, opts & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS, s, e);
}

static int
contiguous(struct axt_src *src, hid_t dset, struct axt_storage *s, struct axt_err *e)
{
	haddr_t addr = H5Dget_offset(dset);
	uint64_t n = (uint64_t)s->count * (uint64_t)s->esize;

	if (addr == HADDR_UNDEF || s->count == 0) {
		s->layout = AXT_LAYOUT_NONE;
		return AXT_OK;
	}
	s->layout = AXT_LAYOUT_CONTIGUOUS;
	s->offset = addr;
	if (H5Dget_storage_size(dset) < n)
		return damaged(s, e, "fewer bytes are stored than its lengths need");
	if (!inside(src, addr, n))
		return damaged(s, e, "its data is outside the file");
	return AXT_OK;
}

static int
compact(struct axt_arena *m, struct axt_src *src, uint64_t addr, struct axt_storage *s,
    struct axt_err *e)
{
	size_t n = 0;

	s->layout = AXT_LAYOUT_COMPACT;
	s->mem = axt_raw_compact(m, src, addr, &n);
	if (!s->mem || n < (uint64_t)s->count * (uint64_t)s->esize)
		return damaged(s, e, "its compact data cannot be read");
	return AXT_OK;
}

/* Chunks of a stream were pulled whole; contiguous bytes may still be to come. */
static void
reach(struct axt_src *src, struct axt_storage *s)
{
	s->fd = src->fd;
	if (!src->stream)
		return;
	s->fd = src->spool;
	if (s->layout == AXT_LAYOUT_CONTIGUOUS)
		s->src = src;
	else if (s->layout == AXT_LAYOUT_CHUNKED)
		s->mem = src->mem;
}

int
axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, hid_t dset, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_src *src = &f->h5->src;
	struct axt_storage *s = &d->st;
	hid_t plist = H5Dget_create_plist(dset);
	int rc;

	s->dtype = d->dtype;
	s->esize = f->h5->objs[i].esize;
	s->rank = d->rank;
	s->file = f;
	s->count = 1;
	for (int k = 0; k < d->rank; k++) {
		s->dims[k] = d->dims[k];
		s->count *= d->dims[k];
	}
	s->from = axt_h5_where(m, f, d);
	if (!s->from || plist < 0)
		rc = axt_fail(e, AXT_E_MEM, "out of memory");
	else if (d->virt)
		rc = (s->layout = AXT_LAYOUT_VIRTUAL, AXT_OK);
	else if (H5Pget_layout(plist) == H5D_CHUNKED)
		rc = (src->stream && axt_src_spool(src, f->path, e)) ||
		    chunked(m, src, dset, plist, s, e) ? (int)e->code : AXT_OK;
	else if (H5Pget_layout(plist) == H5D_COMPACT)
		rc = compact(m, src, f->h5->objs[i].addr, s, e);
	else
		rc = contiguous(src, dset, s, e);
	if (rc == AXT_OK && d->role != AXT_ROLE_TEXT)
		fill_of(plist, dset, s);
	reach(src, s);
	if (plist >= 0)
		H5Pclose(plist);
	return rc;
}
