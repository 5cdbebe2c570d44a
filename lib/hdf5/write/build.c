/* build.c - a whole new file: root, groups, tensors, and the bytes of its header. */
#include <stdlib.h>

#include "hdf5/write/libhdf5.h"

static hid_t
group_props(hid_t class)
{
	unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
	hid_t p = H5Pcreate(class);

	if (p >= 0 &&
	    (H5Pset_link_creation_order(p, order) < 0 || H5Pset_attr_creation_order(p, order) < 0 ||
		H5Pset_obj_track_times(p, 0) < 0)) {
		H5Pclose(p);
		p = -1;
	}
	return p;
}

static hid_t
sub_group(struct axt_h5w *w, hid_t g, const char *name, hid_t props)
{
	char esc[256], path[256];
	hid_t next;

	if (H5Lexists(g, name, H5P_DEFAULT) <= 0)
		return H5Gcreate2(g, name, H5P_DEFAULT, props, H5P_DEFAULT);
	next = H5Gopen2(g, name, H5P_DEFAULT);
	if (next < 0) {
		axt_escape_to(esc, sizeof(esc), name);
		axt_escape_to(path, sizeof(path), w->path ? w->path : "the output");
		axt_fail(w->e, AXT_E_NAME, "%s: \"%s\" is no group", path, esc);
	}
	return next;
}

hid_t
axt_h5w_group(struct axt_h5w *w, const char *path)
{
	hid_t g = H5Gopen2(w->file, "/", H5P_DEFAULT), props = group_props(H5P_GROUP_CREATE), next;
	char name[1024];
	size_t n;

	for (; g >= 0 && props >= 0; path += n) {
		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n == 0)
			break;
		next = -1;
		if (n < sizeof(name)) {
			memcpy(name, path, n);
			name[n] = '\0';
			next = sub_group(w, g, name, props);
		}
		H5Gclose(g);
		g = next;
	}
	if (props < 0 && g >= 0) {
		H5Gclose(g);
		g = -1;
	}
	if (props >= 0)
		H5Pclose(props);
	if (g < 0)
		axt_h5w_fail(w, "group", path);
	return g;
}

static void
forget_scales(struct axt_h5w *w)
{
	for (int i = 0; i < w->nscales; i++)
		free(w->scales[i].refs);
	w->nscales = 0;
}

int
axt_h5w_enter(struct axt_h5w *w, const char *group)
{
	if (w->group >= 0 && strcmp(w->at, group) == 0)
		return 0;
	if (w->group >= 0)
		H5Gclose(w->group);
	forget_scales(w);
	w->at = group;
	w->group = axt_h5w_group(w, group);
	return w->group < 0 ? w->e->code : 0;
}

int
axt_h5w_each_group(struct axt_h5w *w, struct axt_out_tensor *p, int n,
    int (*f)(struct axt_h5w *w, struct axt_out_tensor *p, int n))
{
	for (int i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && strcmp(p[k].group, p[i].group) == 0; k++)
			;
		if (axt_h5w_enter(w, p[i].group) || f(w, p + i, k - i))
			return w->e->code;
	}
	return 0;
}

void
axt_h5w_begin(struct axt_h5w *w, struct axt_arena *m, struct axt_img *img, struct axt_err *e)
{
	*w = (struct axt_h5w){ .m = m,
		.e = e,
		.img = img,
		.file = -1,
		.group = -1,
		.vlen = -1,
		.fixed = -1,
		.few = 1,
		.dimid = -1 };
	for (int i = 0; i < AXT_NDTYPES; i++)
		w->types[i] = -1;
}

/*
 * Closes everything that is open. The file is closed last, which may fail, too. If a read, a write
 * or an allocation has failed, that is an error even if libhdf5 went on.
 */
void
axt_h5w_end(struct axt_h5w *w)
{
	for (int i = 0; i < AXT_NDTYPES; i++)
		if (w->types[i] >= 0)
			H5Tclose(w->types[i]);
	if (w->vlen >= 0)
		H5Tclose(w->vlen);
	if (w->fixed >= 0)
		H5Tclose(w->fixed);
	if (w->group >= 0)
		H5Gclose(w->group);
	if (w->file >= 0 && H5Fclose(w->file) < 0)
		axt_h5w_fail(w, "the end of the header", NULL);
	if (!w->e->code && w->img->err)
		axt_h5w_fail(w, "the header", NULL);
	if (!w->e->code && (axt_h5_starved() || (w->m && axt_arena_failed(w->m))))
		axt_h5w_nomem(w);
	forget_scales(w);
	free(w->scales);
}

static int
new_file(struct axt_h5w *w, const struct axt_attr *attrs, bool any)
{
	hid_t fapl = axt_img_fapl(w->img, any), fcpl = group_props(H5P_FILE_CREATE);

	if (fapl >= 0 && fcpl >= 0)
		w->file = H5Fcreate("axt", H5F_ACC_TRUNC, fcpl, fapl);
	if (fcpl >= 0)
		H5Pclose(fcpl);
	if (fapl >= 0)
		H5Pclose(fapl);
	if (w->file < 0)
		return axt_h5w_fail(w, "a file", NULL);
	/* types that attributes need may be committed in the group */
	return axt_h5w_enter(w, "") || axt_h5w_attrs(w, w->group, attrs)
	    ? axt_h5w_fail(w, "the file's attributes", NULL)
	    : 0;
}

/* The tensors of one group, whose names are looked at first. */
static int
one_group(struct axt_h5w *w, struct axt_out_tensor *p, int n)
{
	return axt_h5w_names(w, p, n) || axt_h5w_tensors(w, p, n) ? (int)w->e->code : 0;
}

static int
build(struct axt_h5w *w, struct axt_out_tensor *p, int n, const struct axt_attr *attrs)
{
	bool virt = false;

	for (int i = 0; i < n; i++)
		virt = virt || p[i].v->virt;
	if (new_file(w, attrs, virt) || axt_h5w_share(w) ||
	    axt_h5w_each_group(w, p, n, one_group) || axt_h5w_rest(w))
		return w->e->code;
	if (H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0)
		return axt_h5w_fail(w, "the header", NULL);
	return axt_h5w_alloc(w, p, n);
}

/* Whether a dataset of the new file can get records. */
static bool
any_grows(const struct axt_out_tensor *p, int n)
{
	for (int i = 0; i < n; i++)
		if (p[i].v->axes.n > 0 && p[i].v->axes.a[0].unlimited && !p[i].v->none)
			return true;
	return false;
}

int
axt_h5_build(struct axt_arena *m, struct axt_out_tensor *p, int n,
    const struct axt_attr *file_attrs, struct axt_out_rest *rest, struct axt_header *out,
    struct axt_err *e)
{
	struct axt_img img = { .fd = -1, .limit = HADDR_UNDEF };
	struct axt_h5w w;
	size_t want;
	void *q;

	*out = (struct axt_header){ 0 };
	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, m, &img, e);
	img.grows = any_grows(p, n);
	w.few = n > 0 ? p->few : 1;
	w.as_were = n > 0 && p->as_were;
	w.rest = rest;
	build(&w, p, n, file_attrs);
	axt_h5w_end(&w);
	axt_h5_end();
	want = img.limit == HADDR_UNDEF ? (size_t)img.eoa : (size_t)img.limit;
	q = e->code ? NULL : realloc(img.p, want);
	if (!q) {
		free(img.p);
		return axt_fail(e, AXT_E_MEM, "out of memory");
	}
	if (want > img.n)
		memset((char *)q + img.n, 0, want - img.n);
	if (img.grows)
		axt_growth_arrange(q, want, w.grown, w.ngrown, img.eoa);
	*out = (struct axt_header){ .p = q, .n = want, .size = img.eoa };
	return 0;
}
