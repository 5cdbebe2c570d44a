/*
 * add.c - adds a tensor to an existing file. Scales in its group are shared where they are the
 * same.
 */
#include <errno.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "hdf5/write/libhdf5.h"

/* Opens the file behind img for reading and writing. */
int
axt_h5w_open(struct axt_h5w *w, const char *path)
{
	hid_t fapl = axt_h5_all_sane(w->img->fd, path, &w->dimid, w->e)
	    ? -1
	    : axt_img_fapl(w->img, true);
	struct stat st;

	w->path = path;
	if (fstat(w->img->fd, &st))
		w->img->err = errno;
	else
		w->img->eof = (haddr_t)st.st_size;
	if (fapl >= 0 && !w->img->err)
		w->file = H5Fopen("axt", H5F_ACC_RDWR, fapl);
	if (fapl >= 0)
		H5Pclose(fapl);
	if (w->file < 0 && !w->e->code)
		axt_h5w_fail(w, "this file", NULL);
	return w->e->code;
}

/* ---- before the file is copied: whether the tensor can be added ---- */

static struct axt_dset *
dset_at(struct axt_arena *m, struct axt_file *f, const char *group, const char *name)
{
	const char *path = axt_sprintf(m, "%s%s/%s", *group && *group != '/' ? "/" : "", group,
	    name);

	for (int i = 0; path && i < f->ndsets; i++)
		if (strcmp(f->dsets[i].path, path) == 0)
			return &f->dsets[i];
	return NULL;
}

/* The n values of a dataset, or its texts, as coordinates. */
static int
values_of(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, int64_t n,
    const struct axt_coord **out, struct axt_err *e)
{
	struct axt_coord *c = axt_alloc(m, sizeof(*c));
	const char *const *text;
	int64_t bytes;
	void *data;

	if (axt_dset_load(m, f, d, e))
		return e->code;
	if (!c)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .text = d->role == AXT_ROLE_TEXT,
		.dtype = d->dtype,
		.n = n,
		.attrs = d->attrs };
	if (c->text) {
		if (axt_dset_strings(m, f, d, &text, &c->n, e))
			return e->code;
		c->data = text;
	} else {
		data = axt_mul(n, axt_size(d->dtype), &bytes) ? axt_alloc(m, (size_t)bytes) : NULL;
		if (!data)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (axt_dset_read(f, d, data, e))
			return e->code;
		c->data = data;
	}
	*out = c;
	return 0;
}

/* The axis as the file has it. A scale stands for its own axis: its name, length and values. */
static int
axis_of(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, const struct axt_axis *mine,
    struct axt_axis *out, struct axt_err *e)
{
	*out = *mine;
	out->coord = NULL;
	out->from = f->path;
	out->len = d->rank == 1 ? d->dims[0] : -1;
	if (d->role == AXT_ROLE_DIM || out->len <= 0)
		return 0;
	return values_of(m, f, d, out->len, &out->coord, e);
}

/* The file's axis stays as it is, whatever was asked for. */
static void
tell_fixed(struct axt_arena *m, struct axt_file *f, const struct axt_dset *d,
    const struct axt_axis *a, const char *name, struct axt_talk *told)
{
	const char *line;

	if (!told || !told->say || !a->unlimited || d->axes.n != 1 || d->axes.a[0].unlimited)
		return;
	line = axt_sprintf(m, "axis \"%s\" has a fixed length in %s, and stays so",
	    axt_escape(m, name), axt_escape(m, f->path));
	if (line)
		told->say(told->ctx, line);
}

/*
 * Looks for an axis in the groups above the group of a tensor, as netCDF does. If the nearest axis
 * of that name is the same, adds it to *seen.
 */
static int
see_axis(struct axt_arena *m, struct axt_file *f, const char *group, const struct axt_axis *a,
    struct axt_talk *told, struct axt_out_rest **seen, struct axt_err *e)
{
	const char *name = axt_axis_spell(m, a), *units[2];
	struct axt_dset *d = NULL;
	struct axt_out_rest *r;
	struct axt_axes *axes = axt_alloc(m, sizeof(*axes));
	struct axt_axis old;
	char *at = axt_strdup(m, group);

	if (!name || !at || !axes)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	while (!d && *at) {
		char *slash = strrchr(at, '/');

		*(slash ? slash : at) = '\0';
		d = dset_at(m, f, at, name);
	}
	if (!d || (d->role != AXT_ROLE_SCALE && d->role != AXT_ROLE_DIM) || d->rank != 1 ||
	    d->dims[0] != a->len)
		return 0;
	if (axis_of(m, f, d, a, &old, e))
		return e->code;
	units[0] = old.coord ? axt_attr_text(old.coord->attrs, "units") : NULL;
	units[1] = a->coord ? axt_attr_text(a->coord->attrs, "units") : NULL;
	if (!axt_coord_equal(old.coord, a->coord) || !units[0] != !units[1] ||
	    (units[0] && strcmp(units[0], units[1]) != 0))
		return 0;
	for (r = *seen; r && r->old; r = r->next) /* another tensor has it, too */
		if (strcmp(r->group, at) == 0 && axt_axis_same(&r->axes->a[0], a) &&
		    axt_coord_equal(r->axes->a[0].coord, a->coord))
			return 0;
	if (!(r = axt_alloc(m, sizeof(*r))))
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*axes = (struct axt_axes){ .n = 1, .a = { *a } };
	*r = (struct axt_out_rest){ .group = at,
		.axes = axes,
		.shared = true,
		.made = true,
		.old = true,
		.next = *seen };
	*seen = r;
	if (axt_dset_load(m, f, d, e))
		return e->code;
	tell_fixed(m, f, d, a, name, told);
	return 0;
}

static int
check_axes(struct axt_arena *m, struct axt_file *f, const char *group, const struct axt_axes *x,
    struct axt_talk *told, struct axt_out_rest **seen, struct axt_err *e)
{
	const struct axt_join none = { 0 };
	struct axt_axis old, met;

	for (int i = 0; i < x->n; i++) {
		const char *name = axt_axis_spell(m, &x->a[i]);
		struct axt_dset *d = name ? dset_at(m, f, group, name) : NULL;

		if (!name)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (d && axt_axes_numbered(x) && (d->rank != 1 || d->dims[0] != x->a[i].len))
			return 0; /* it will have no scales */
		if (!d && see_axis(m, f, group, &x->a[i], told, seen, e))
			return e->code;
		if (!d || d->rank != 1)
			/* the axis is new to the group; or building it reports the error */
			continue;
		if (axis_of(m, f, d, &x->a[i], &old, e) ||
		    axt_axis_meet(m, &old, &x->a[i], &none, &met, e) || axt_dset_load(m, f, d, e))
			return e->code;
		tell_fixed(m, f, d, &x->a[i], name, told);
	}
	return 0;
}

/* A constant is not replaced unless --force says so. */
static int
check_constant(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, const char *shown,
    struct axt_err *e)
{
	const struct axt_tensor_kind *k;

	if (axt_dset_load(m, f, d, e))
		return e->code;
	k = axt_kind_of(d->attrs);
	if (!k || !k->constant)
		return 0;
	axt_fail(e, AXT_E_EXISTS, "%s is a constant: it is not replaced", shown);
	axt_hint(e, "--force replaces it; axt-kind none %s makes it a tensor like others",
	    axt_typed(m, "%s", shown));
	return e->code;
}

int
axt_h5_add_check(struct axt_arena *m, const char *path, const struct axt_out_tensor *p, int n,
    bool no_clobber, bool force, struct axt_talk *told, struct axt_out_rest **seen,
    struct axt_err *e)
{
	struct axt_file *f;
	char esc[256], name[256];
	int bad = 0;

	if (axt_file_open(m, path, (int64_t)1 << 30, &f, e))
		return e->code;
	axt_escape_to(esc, sizeof(esc), path);
	for (int i = 0; i < n && !bad; i++) {
		struct axt_dset *d = dset_at(m, f, p[i].group, p[i].name);

		axt_escape_to(name, sizeof(name), p[i].name);
		if (d && no_clobber)
			bad = axt_fail(e, AXT_E_EXISTS, "%s:%s: exists (--no-clobber)", esc, name);
		else if (d && (d->table || d->is_table))
			bad = axt_fail(e, AXT_E_NAME, "%s:%s is %s table: it is not replaced", esc,
			    name, d->table ? "a member of a" : "a compound");
		else if (d && (d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM))
			bad = axt_fail(e, AXT_E_NAME,
			    "%s:%s is an axis of other datasets: it is not replaced", esc, name);
		else
			bad = (d && !force &&
				  check_constant(m, f, d, axt_sprintf(m, "%s:%s", esc, name), e)) ||
			    check_axes(m, f, p[i].group, &p[i].v->axes, told, seen, e);
	}
	axt_file_close(f);
	return bad;
}

/* Whether the group of a tensor has another dataset of the name of x, which has no axes. */
static bool
has_other(struct axt_arena *m, struct axt_file *f, const struct axt_out_tensor *p,
    const struct axt_aux *x)
{
	struct axt_dset *d = dset_at(m, f, p->group, x->name);
	const struct axt_coord *c;
	struct axt_err none = { 0 };
	struct axt_aux there;

	if (!d)
		return false;
	if (d->rank > 0 || d->role == AXT_ROLE_OTHER || values_of(m, f, d, 1, &c, &none))
		return true;
	there = (struct axt_aux){ .name = x->name,
		.text = c->text,
		.dtype = c->dtype,
		.data = c->data,
		.attrs = c->attrs };
	return axt_aux_differ(m, x, &there);
}

/* Leaves out what the tensor has and the file has otherwise, in a copy of what is written. */
static int
agree(struct axt_arena *m, struct axt_file *f, struct axt_out_tensor *p, struct axt_talk *talk,
    struct axt_err *e)
{
	for (const struct axt_aux *x = p->v->aux, *next; x; x = next) {
		struct axt_out_var *v;
		const char *line;

		next = x->next;
		if (x->axes.n > 0 || !has_other(m, f, p, x))
			continue;
		v = axt_alloc(m, sizeof(*v));
		line = axt_sprintf(m, AXT_AUX_LEFT, axt_escape(m, x->name),
		    axt_escape(m, p->v->name), axt_escape(m, f->path));
		if (!v || !line)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (talk && talk->say)
			talk->say(talk->ctx, line);
		*v = *p->v;
		p->v = v;
		if (axt_aux_leave(m, x->name, &v->aux, &v->attrs, e))
			return e->code;
	}
	return 0;
}

int
axt_h5_add_agree(struct axt_arena *m, const char *path, struct axt_out_tensor *p, int n,
    struct axt_talk *talk, struct axt_err *e)
{
	struct axt_file *f;
	int bad = 0;

	if (axt_file_open(m, path, (int64_t)1 << 30, &f, e))
		return e->code;
	for (int i = 0; i < n && !bad; i++)
		bad = agree(m, f, &p[i], talk, e);
	axt_file_close(f);
	return bad;
}

/* ---- in the copy ---- */

static int
remove_old(struct axt_h5w *w, const char *name, bool *removed)
{
	htri_t there = H5Lexists(w->group, name, H5P_DEFAULT);
	H5O_info_t o;

	if (there == 0)
		return 0;
	if (there < 0 || H5Oget_info_by_name2(w->group, name, &o, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
		return axt_h5w_fail(w, "dataset", name);
	if (o.type != H5O_TYPE_DATASET) {
		char esc[256], path[256];

		axt_escape_to(esc, sizeof(esc), name);
		axt_escape_to(path, sizeof(path), w->path);
		return axt_fail(w->e, AXT_E_NAME, "%s:%s is a group or a type: it is not replaced",
		    path, esc);
	}
	if (axt_h5w_detach(w, name))
		return w->e->code;
	*removed = true;
	return H5Ldelete(w->group, name, H5P_DEFAULT) < 0 ? axt_h5w_fail(w, "dataset", name) : 0;
}

/*
 * Closes the file and opens it again, so that libhdf5 does not reuse the pieces of space that were
 * freed: chunks of a tensor in them would not be adjacent.
 */
static int
forget_freed(struct axt_h5w *w, const char *path)
{
	hid_t file = w->file;

	for (int i = 0; i < AXT_NDTYPES; i++) {
		if (w->types[i] >= 0)
			H5Tclose(w->types[i]);
		w->types[i] = -1;
	}
	H5Gclose(w->group);
	w->group = w->file = -1;
	if (H5Fclose(file) < 0)
		return axt_h5w_fail(w, "this file", NULL);
	return axt_h5w_open(w, path);
}

/* The tensors of one group, in place of datasets with their names. */
static int
one_group(struct axt_h5w *w, struct axt_out_tensor *p, int n)
{
	if (axt_h5w_names(w, p, n))
		return w->e->code;
	for (int i = 0; i < n; i++)
		if (remove_old(w, p[i].name, &w->removed))
			return w->e->code;
	return axt_h5w_tensors(w, p, n);
}

static int
add(struct axt_h5w *w, const char *path, struct axt_out_tensor *p, int n)
{
	bool rows = false;

	if (axt_h5w_open(w, path) || axt_h5w_share(w) || axt_h5w_each_group(w, p, n, one_group) ||
	    axt_h5w_rest(w))
		return w->e->code;
	for (int i = 0; i < n; i++)
		rows = rows || p[i].rows;
	if (w->removed && rows && forget_freed(w, path))
		return w->e->code;
	return axt_h5w_alloc(w, p, n);
}

int
axt_h5_add(struct axt_arena *m, int fd, const char *path, struct axt_out_tensor *p, int n,
    struct axt_out_rest *rest, uint64_t *size, struct axt_err *e)
{
	struct axt_img img = { .fd = fd, .limit = HADDR_UNDEF };
	struct axt_h5w w;

	if (axt_h5_begin(e))
		return e->code;
	axt_h5w_begin(&w, m, &img, e);
	w.rest = rest;
	add(&w, path, p, n);
	axt_h5w_end(&w);
	axt_h5_end();
	*size = img.eoa;
	return e->code;
}
