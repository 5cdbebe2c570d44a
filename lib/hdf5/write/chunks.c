/* chunks.c - packed chunks, written to a file that build.c or add.c has laid out or placed in it */
#include "hdf5/write/libhdf5.h"

static int
put_all(struct axt_h5w *w, hid_t d, const struct axt_out_tensor *p, struct axt_chunks *c)
{
	int rank = p->v->axes.n;
	hsize_t at[AXT_MAX_RANK] = { 0 };
	const void *data;
	size_t n;
	int k;

	for (;;) {
		if (c->next(c, &data, &n, w->e))
			return w->e->code;
		w->img->at = HADDR_UNDEF;
		if (H5Dwrite_chunk(d, H5P_DEFAULT, 0, at, n, data) < 0 ||
		    (c->placed && w->img->at == HADDR_UNDEF))
			return axt_h5w_fail(w, "a chunk of", p->name);
		if (c->placed)
			c->placed(c, w->img->at);
		for (k = rank - 1; k >= 0; k--) {
			at[k] += (hsize_t)p->as.chunk[k];
			if (at[k] < (hsize_t)p->v->axes.a[k].len)
				break;
			at[k] = 0;
		}
		if (k < 0)
			return 0;
	}
}

int
axt_h5_chunks(int fd, const char *path, const struct axt_out_tensor *p, struct axt_chunks *c,
    struct axt_err *e)
{
	struct axt_img img = { .fd = fd, .limit = HADDR_UNDEF, .drops = c->placed != NULL };
	struct axt_h5w w;
	hid_t d = -1;

	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, NULL, &img, e);
	if (axt_h5w_open(&w, path) == 0) {
		w.group = axt_h5w_group(&w, p->group);
		d = w.group < 0 ? -1 : H5Dopen2(w.group, p->link, H5P_DEFAULT);
		if (d >= 0)
			put_all(&w, d, p, c);
		else
			axt_h5w_fail(&w, "dataset", p->name);
	}
	if (d >= 0)
		H5Dclose(d);
	axt_h5w_end(&w);
	axt_h5_end();
	return e->code;
}
