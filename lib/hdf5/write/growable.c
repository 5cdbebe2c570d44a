/*
 * growable.c - datasets that can grow along unlimited axes, which HDF5 stores in chunks. If they
 * are not compressed, their chunks lie one after another in the order of the bytes, so that they
 * are written and read as contiguous ones.
 */
#include "hdf5/write/libhdf5.h"

#define TARGET ((int64_t)1 << 20) /* bytes of a chunk of a tensor ... */
/* of another dataset (coordinates are read whole) */
#define TARGET_BESIDE ((int64_t)16 << 20)
/* ... or more bytes, so that there are no more chunks than this */
#define MOST_CHUNKS 4096
#define MANY_CHUNKS (1 << 20)      /* with more than this, chunks are not adjacent */
#define LEAST 4096                 /* bytes of a chunk that will grow: more than one element */
#define LARGEST ((int64_t)1 << 30) /* bytes; HDF5 allows 4 GiB */

/* Whether the file allocates space by pages, in which case blocks may not be adjacent. */
static bool
by_pages(const struct axt_h5w *w)
{
	hid_t p = H5Fget_create_plist(w->file);
	H5F_fspace_strategy_t how = H5F_FSPACE_STRATEGY_PAGE;
	hbool_t persist;
	hsize_t least;

	if (p >= 0) {
		H5Pget_file_space_strategy(p, &how, &persist, &least);
		H5Pclose(p);
	}
	return how == H5F_FSPACE_STRATEGY_PAGE;
}

bool
axt_h5w_grows(const struct axt_h5w *w, const struct axt_axes *x, bool open[AXT_MAX_RANK])
{
	bool any = false;

	for (int i = 0; i < x->n; i++) {
		const struct axt_h5_scale *s = axt_h5w_scale_of(w, &x->a[i]);

		open[i] = s ? s->unlimited : x->a[i].unlimited;
		any = any || open[i];
	}
	return any && !by_pages(w);
}

/* The largest divisor of n that is at most `most`, unless it is too small. */
static int64_t
divisor(int64_t n, int64_t most)
{
	int64_t parts = n <= most ? 1 : (n + most - 1) / most;

	while (parts < n && parts < MOST_CHUNKS && n % parts)
		parts++;
	return n % parts ? 1 : n / parts;
}

void
axt_h5w_note_grown(struct axt_h5w *w, hid_t d, int rank, const bool open[AXT_MAX_RANK], bool asked)
{
	H5O_info_t o;

	for (int i = 1; i < rank; i++)
		asked = asked || open[i];
	if (asked) /* such a dataset is not appended to in place */
		w->ngrown = AXT_GROWN + 1;
	else if (w->ngrown < AXT_GROWN && H5Oget_info(d, &o) >= 0)
		w->grown[w->ngrown++] = o.addr;
	else
		w->ngrown = AXT_GROWN + 1;
}

bool
axt_h5w_chunk(const struct axt_axes *x, const bool open[AXT_MAX_RANK], int64_t size, bool tensor,
    int64_t few, int64_t chunk[AXT_MAX_RANK])
{
	int64_t all = size, row = size, target;
	bool whole = true;

	for (int i = 0; i < x->n; i++)
		if (!axt_mul(all, MAX(x->a[i].len, 1), &all))
			all = INT64_MAX;
	target = MIN(MAX(tensor ? TARGET : TARGET_BESIDE, all / MOST_CHUNKS), LARGEST);
	/* An axis cut into equal parts leaves no gap between the bytes of chunks. */
	for (int i = x->n - 1; i > 0; i--) {
		int64_t len = MAX(x->a[i].len, 1);

		chunk[i] = whole ? divisor(len, LARGEST / row) : 1;
		row *= chunk[i];
		whole = whole && chunk[i] == len;
	}
	chunk[0] = whole ? MIN(MAX(target / row, 1), MAX(x->a[0].len, open[0] ? few : 1)) : 1;
	if (open[0] && whole)
		chunk[0] = MAX(chunk[0], (LEAST + row - 1) / row);
	return all / (row * chunk[0]) <= MANY_CHUNKS;
}

/* How many chunks of the tensor have values. */
static int64_t
count_chunks(const struct axt_out_tensor *p)
{
	int64_t n = 1;

	for (int i = 0; i < p->v->axes.n; i++)
		n *= (p->v->axes.a[i].len + p->as.chunk[i] - 1) / p->as.chunk[i];
	return n;
}

/*
 * An upper bound on the number of nodes that a tree of n chunks has: in each level, all nodes but
 * the last have at least `half` entries.
 */
static int64_t
most_nodes(int64_t n, int64_t half)
{
	int64_t nodes = 1;

	if (n <= 2 * half)
		return nodes;
	while (n > 1) {
		n = (n + half - 1) / half;
		nodes += n + 1;
	}
	return nodes;
}

void
axt_h5w_reserve_index(struct axt_h5w *w, const struct axt_out_tensor *p, int n)
{
	hid_t props = H5Fget_create_plist(w->file);
	unsigned half = 0;
	int64_t bytes = 0, node, nodes;

	if (props < 0 || H5Pget_istore_k(props, &half) < 0 || half == 0)
		half = 32;
	if (props >= 0)
		H5Pclose(props);
	for (int i = 0; i < n; i++)
		if (p[i].rows && p[i].bytes > 0) {
			nodes = most_nodes(count_chunks(&p[i]), half);
			node = 24 + 2 * (int64_t)half * 8 +
			    (2 * (int64_t)half + 1) * (8 + 8 * (p[i].v->axes.n + 1));
			bytes += w->img->grows ? (nodes + 1) * (node + AXT_GROWTH_BYTES / 2)
					       : nodes * node;
		}
	if (w->img->grows)
		w->img->eoa = MAX(w->img->eoa, (haddr_t)AXT_GROWTH_AT + AXT_GROWTH_BYTES);
	w->img->meta = w->img->eoa;
	w->img->eoa += (haddr_t)bytes;
	w->img->meta_end = w->img->eoa;
}

bool
axt_h5w_index(struct axt_h5w *w, hid_t d, const struct axt_out_tensor *p)
{
	static const char nothing[1]; /* what is written to a payload is dropped */
	const struct axt_axes *x = &p->v->axes;
	hsize_t at[AXT_MAX_RANK] = { 0 };
	size_t bytes = (size_t)axt_size(p->v->dtype);
	int64_t n = count_chunks(p);

	for (int i = 0; i < x->n; i++)
		bytes *= (size_t)p->as.chunk[i];
	w->img->want = bytes;
	w->img->blocks = n;
	for (int64_t c = 0; c < n; c++) {
		if (H5Dwrite_chunk(d, H5P_DEFAULT, 0, at, bytes, nothing) < 0)
			return false;
		for (int k = x->n - 1; k >= 0; k--) {
			at[k] += (hsize_t)p->as.chunk[k];
			if (at[k] < (hsize_t)x->a[k].len)
				break;
			at[k] = 0;
		}
	}
	return w->img->blocks == 0 && w->img->len == (hsize_t)n * bytes;
}
