/* virtual_out.c - writes the maps of a new virtual dataset. */
#include <stdlib.h>

#include "hdf5/write/libhdf5.h"
#include "hdf5/format/virtual.h"

/* The name as printf needs it: % is doubled. */
static char *
plain(const char *name)
{
	char *out = malloc(2 * strlen(name) + 1), *q = out;

	for (; out && *name; name++) {
		if (*name == '%')
			*q++ = '%';
		*q++ = *name;
	}
	if (out)
		*q = 0;
	return out;
}

/* A dataspace with the spans of b selected; dims: the lengths of the whole. */
static hid_t
space_of(const struct axt_blocks *b, const int64_t *dims)
{
	hsize_t whole[AXT_MAX_RANK], start[AXT_MAX_RANK], step[AXT_MAX_RANK], count[AXT_MAX_RANK],
	    block[AXT_MAX_RANK];
	hid_t s;

	for (int k = 0; k < b->rank; k++) {
		const struct axt_span *x = &b->sel[k].span[0];
		bool dense = x->step == 1 || x->len == 1;

		whole[k] = (hsize_t)dims[k];
		start[k] = (hsize_t)x->start;
		count[k] = dense ? 1 : (hsize_t)x->len;
		block[k] = dense ? (hsize_t)x->len : 1;
		step[k] = dense ? block[k] : (hsize_t)x->step;
	}
	s = H5Screate_simple(b->rank, whole, NULL);
	if (s >= 0 && H5Sselect_hyperslab(s, H5S_SELECT_SET, start, step, count, block) < 0) {
		H5Sclose(s);
		s = -1;
	}
	return s;
}

static bool
add_map(hid_t props, const struct axt_map *m, const struct axt_out_var *v)
{
	int64_t dims[AXT_MAX_RANK];
	char *file = plain(m->file), *path = plain(m->path);
	hid_t src = space_of(&m->src, m->dset->st.dims), dst;
	bool ok;

	for (int i = 0; i < v->axes.n; i++)
		dims[i] = v->axes.a[i].len;
	dst = space_of(&m->dst, dims);
	ok = file && path && src >= 0 && dst >= 0 &&
	    H5Pset_virtual(props, dst, file, path, src) >= 0;
	if (src >= 0)
		H5Sclose(src);
	if (dst >= 0)
		H5Sclose(dst);
	free(file);
	free(path);
	return ok;
}

bool
axt_h5w_virtual(hid_t props, hid_t type, const struct axt_out_var *v)
{
	const struct axt_virtual *x = v->virt;

	if (x->has_fill &&
	    (H5Pset_fill_value(props, type, x->fill) < 0 ||
		H5Pset_fill_time(props, H5D_FILL_TIME_IFSET) < 0))
		return false;
	for (int k = 0; k < x->n; k++)
		if (!add_map(props, &x->map[k], v))
			return false;
	return true;
}

bool
axt_h5w_newest(struct axt_h5w *w, bool newest)
{
	return H5Fset_libver_bounds(w->file, newest ? H5F_LIBVER_V110 : H5F_LIBVER_V18,
		   H5F_LIBVER_LATEST) >= 0;
}
