/* assign.c - values into a slice of a dataset that only libhdf5 can write: chunks, filters. */
#include <stdlib.h>

#include "bytes/boxes.h"
#include "hdf5/write/libhdf5.h"

/* One chunk in the cache: it is read, changed and packed once. */
static hid_t
open_dset(struct axt_h5w *w, const char *dset, size_t chunk_bytes)
{
	hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS), d = -1;

	if (dapl >= 0 && H5Pset_chunk_cache(dapl, 1, chunk_bytes + 1, 1.0) >= 0)
		d = H5Dopen2(w->file, dset, dapl);
	if (dapl >= 0)
		H5Pclose(dapl);
	return d;
}

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

/* buf holds a box. */
static bool
put_box(hid_t d, hid_t type, hid_t space, struct axt_boxes *b, uint8_t *values, uint8_t *buf)
{
	hsize_t count = (hsize_t)axt_box_count(b);
	int64_t stride[AXT_MAX_RANK], n = 1;
	hid_t mem = b->rank ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
	bool ok;

	for (int k = b->rank - 1; k >= 0; k--) {
		stride[k] = n;
		n *= axt_box(b, k)->len;
	}
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

int
axt_h5_assign(int fd, const char *path, const char *dset, struct axt_boxes *b, size_t chunk_bytes,
    void *values, struct axt_err *e)
{
	struct axt_img img = { .fd = fd, .limit = HADDR_UNDEF };
	struct axt_h5w w;
	hid_t d = -1;

	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, NULL, &img, e);
	if (axt_h5w_open(&w, path) == 0) {
		d = open_dset(&w, dset, chunk_bytes);
		if (d >= 0)
			put_all(&w, d, b, values, chunk_bytes);
		else
			axt_h5w_fail(&w, "dataset", dset);
	}
	if (d >= 0 && H5Dclose(d) < 0)
		axt_h5w_fail(&w, "values of", dset);
	axt_h5w_end(&w);
	axt_h5_end();
	return e->code;
}
