/*
 * edit.c - edits an existing file: changes the attributes of one object, removes datasets, and
 * gives them other names.
 */
#include "hdf5/write/libhdf5.h"

/*
 * Opens the scale of an axis, which is in the group of the dataset or in the nearest one above that
 * has it: netCDF finds dimensions so.
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
		return H5Oopen(w->file, dset, H5P_DEFAULT);
	if (!*object)
		return H5Gopen2(w->file, "/", H5P_DEFAULT);
	return open_scale(w, dset, object);
}

/* Sets or removes an attribute of an object. */
static int
set_attr(struct axt_h5w *w, hid_t o, const struct axt_attr *a)
{
	bool drop = a->kind == AXT_ATTR_TEXT && (!a->text || !*a->text);

	if (!drop && axt_h5w_fits(w, o, a))
		return w->e->code;
	if (H5Aexists(o, a->name) > 0 && H5Adelete(o, a->name) < 0)
		return axt_h5w_fail(w, "attribute", a->name);
	return drop ? 0 : axt_h5w_attr(w, o, a);
}

static int
edit(struct axt_h5w *w, const char *dset, const struct axt_attr_edit *ed)
{
	hid_t o = open_object(w, dset, ed->object);
	char esc[256];
	int bad;

	if (o < 0) {
		axt_escape_to(esc, sizeof(esc), ed->object ? ed->object : dset);
		if (ed->object && *ed->object)
			return axt_fail(w->e, AXT_E_NAME,
			    "axis \"%s\" has no scale to carry attributes", esc);
		return axt_h5w_fail(w, "dataset or group", ed->object ? "/" : dset);
	}
	bad = set_attr(w, o, &ed->attr);
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

/* ---- datasets removed and renamed ---- */

/* The dataset goes, and from the lists of its scales unless it has another name elsewhere. */
static int
remove_link(struct axt_h5w *w, const char *link)
{
	H5O_info_t o;

	if (H5Oget_info_by_name2(w->group, link, &o, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
		return axt_h5w_fail(w, "dataset", link);
	if (o.rc <= 1 && axt_h5w_detach(w, link))
		return w->e->code;
	return H5Ldelete(w->group, link, H5P_DEFAULT) < 0 ? axt_h5w_fail(w, "dataset", link) : 0;
}

static int
change_object(struct axt_h5w *w, const struct axt_relink *s)
{
	hid_t o = H5Oopen(w->group, s->link ? s->link : ".", H5P_DEFAULT);
	int bad;

	if (o < 0)
		return axt_h5w_fail(w, "dataset", s->link);
	bad = s->what == AXT_RELINK_ATTR ? set_attr(w, o, &s->attr)
	    : s->what == AXT_RELINK_MARK ? axt_h5w_scale_named(w, o, s->to)
					 : axt_h5w_scale_bare(w, o, s->len);
	H5Oclose(o);
	return bad;
}

static int
relink(struct axt_h5w *w, const struct axt_relink *s)
{
	if (axt_h5w_enter(w, s->group))
		return w->e->code;
	switch (s->what) {
	case AXT_RELINK_REMOVE: return remove_link(w, s->link);
	case AXT_RELINK_GROUP:
		return H5Ldelete(w->file, s->to, H5P_DEFAULT) < 0 ? axt_h5w_fail(w, "group", s->to)
								  : 0;
	case AXT_RELINK_MOVE:
		return H5Lmove(w->group, s->link, w->group, s->to, H5P_DEFAULT, H5P_DEFAULT) < 0
		    ? axt_h5w_fail(w, "dataset", s->link)
		    : 0;
	default: return change_object(w, s);
	}
}

int
axt_h5_relink(int fd, const char *path, const struct axt_relink *steps, struct axt_err *e)
{
	struct axt_img img = { .fd = fd, .limit = HADDR_UNDEF };
	struct axt_h5w w;

	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, NULL, &img, e);
	if (axt_h5w_open(&w, path) == 0)
		for (; steps && !e->code; steps = steps->next)
			relink(&w, steps);
	axt_h5w_end(&w);
	axt_h5_end();
	return e->code;
}
