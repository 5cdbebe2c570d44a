/* edit.c - edits the attributes of one object of an existing file. */
#include "hdf5/write/libhdf5.h"

/*
 * Opens the scale of an axis: in the dataset's group or the nearest one above it, as netCDF finds
 * dimensions.
 */
static hid_t
open_scale(struct axt_h5w *w, const char *dset, const char *axis)
{
	char path[2048];
	size_t n = strlen(dset), k = strlen(axis);

	if (n + k + 2 > sizeof(path))
		return -1;
	memcpy(path, dset, n + 1);
	for (;;) {
		char *slash = strrchr(path, '/');
		hid_t d;

		if (!slash)
			return -1;
		memcpy(slash + 1, axis, k + 1);
		d = H5Oexists_by_name(w->file, path, H5P_DEFAULT) > 0
		    ? H5Dopen2(w->file, path, H5P_DEFAULT)
		    : -1;
		if (d >= 0 && H5Aexists(d, "CLASS") > 0)
			return d;
		if (d >= 0)
			H5Dclose(d);
		*slash = '\0';
	}
}

static hid_t
open_object(struct axt_h5w *w, const char *dset, const char *object)
{
	if (!object)
		return H5Dopen2(w->file, dset, H5P_DEFAULT);
	if (!*object)
		return H5Gopen2(w->file, "/", H5P_DEFAULT);
	return open_scale(w, dset, object);
}

static int
edit(struct axt_h5w *w, const char *dset, const struct axt_attr_edit *ed)
{
	const struct axt_attr *a = &ed->attr;
	bool drop = a->kind == AXT_ATTR_TEXT && (!a->text || !*a->text);
	hid_t o = open_object(w, dset, ed->object);
	char esc[256];
	int bad = 0;

	if (o < 0) {
		axt_escape_to(esc, sizeof(esc), ed->object ? ed->object : dset);
		if (ed->object && *ed->object)
			return axt_fail(w->e, AXT_E_NAME,
			    "axis \"%s\" has no scale to carry attributes", esc);
		return axt_h5w_fail(w, "dataset", ed->object ? "/" : dset);
	}
	if (!drop)
		bad = axt_h5w_fits(w, o, a);
	if (!bad && H5Aexists(o, a->name) > 0 && H5Adelete(o, a->name) < 0)
		bad = axt_h5w_fail(w, "attribute", a->name);
	if (!bad && !drop)
		bad = axt_h5w_attr(w, o, a);
	H5Oclose(o);
	return bad;
}

int
axt_h5_edit(int fd, const char *path, const char *dset, const struct axt_attr_edit *ed, int n,
    struct axt_err *e)
{
	struct axt_img img = { .fd = fd, .limit = HADDR_UNDEF };
	struct axt_h5w w;

	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, NULL, &img, e);
	if (axt_h5w_open(&w, path) == 0) {
		w.group = H5Gopen2(w.file, "/", H5P_DEFAULT);
		for (int i = 0; i < n && !e->code; i++)
			edit(&w, dset, &ed[i]);
	}
	axt_h5w_end(&w);
	axt_h5_end();
	return e->code;
}
