/*
 * scales.c - dimension scales, attached without libhdf5_hl: DIMENSION_LIST, REFERENCE_LIST, CLASS
 * and NAME are written as that library writes them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quote.h"
#include "hdf5/write/libhdf5.h"

/* ---- what groups see of those above them ---- */

bool
axt_h5w_above(const struct axt_h5w *w, const char *group)
{
	const char *at = w->at + strspn(w->at, "/");
	size_t n;

	group += strspn(group, "/");
	n = strlen(group);
	return n == 0 ? *at != '\0' : strncmp(at, group, n) == 0 && at[n] == '/';
}

const struct axt_out_rest *
axt_h5w_shared_axis(const struct axt_h5w *w, const struct axt_axis *a)
{
	const struct axt_out_rest *found = NULL;

	for (const struct axt_out_rest *r = w->rest; r; r = r->next) {
		const struct axt_axis *b = r->made && r->axes ? &r->axes->a[0] : NULL;

		if (b && axt_axis_same(a, b) && a->len == b->len &&
		    axt_coord_equal(a->coord, b->coord) && axt_h5w_above(w, r->group) &&
		    (!found || strlen(found->group) < strlen(r->group)))
			found = r;
	}
	return found;
}

/* Adds the scale that is in a group, of which NULL is w->group. */
static int
add_scale(struct axt_h5w *w, const struct axt_axis *a, const char *group, const char *name,
    bool old, bool unlimited)
{
	const char *path = axt_sprintf(w->m, "%s/%s", group ? group : w->at, name);
	struct axt_h5_scale *s;

	if (!path)
		return axt_h5w_nomem(w), -1;

	if (w->nscales == w->cap) {
		int cap = w->cap > 0 ? 2 * w->cap : 16;

		s = realloc(w->scales, (size_t)cap * sizeof(*s));
		if (!s)
			return axt_h5w_nomem(w), -1;
		w->scales = s;
		w->cap = cap;
	}
	s = &w->scales[w->nscales];
	*s = (struct axt_h5_scale){ .axis = a,
		.name = name,
		.path = path,
		.old = old,
		.here = !group,
		.unlimited = unlimited };
	if (H5Rcreate(&s->obj, w->file, path, H5R_OBJECT, -1) < 0)
		return axt_h5w_fail(w, "axis", name), -1;
	return w->nscales++;
}

/* Writes CLASS and NAME, in place of those that are there. */
static int
scale_marks(struct axt_h5w *w, hid_t d, const char *name)
{
	const char *const mark[][2] = { { "CLASS", "DIMENSION_SCALE" }, { "NAME", name } };
	hid_t t = H5Tcopy(H5T_C_S1);
	bool ok = t >= 0;

	for (int i = 0; ok && i < 2; i++)
		ok = H5Tset_size(t, strlen(mark[i][1]) + 1) >= 0 &&
		    (H5Aexists(d, mark[i][0]) == 0 || H5Adelete(d, mark[i][0]) >= 0) &&
		    axt_h5w_put(d, mark[i][0], t, H5Screate(H5S_SCALAR), mark[i][1]);
	if (t >= 0)
		H5Tclose(t);
	return ok ? 0 : axt_h5w_fail(w, "axis", name);
}

/*
 * Gives a scale its number, in a file whose dimensions are numbered: netCDF would take a scale
 * without one for another dimension.
 */
static int
number_scale(struct axt_h5w *w, hid_t d, const char *name)
{
	bool ok;

	if (w->dimid < 0)
		return 0;
	ok = axt_h5w_put(d, "_Netcdf4Dimid", H5T_NATIVE_INT32, H5Screate(H5S_SCALAR), &w->dimid);
	w->dimid++;
	return ok ? 0 : axt_h5w_fail(w, "axis", name);
}

/* The attribute NAME of a scale without coordinates. */
static void
bare_name(char out[96], int64_t len)
{
	snprintf(out, 96, "This is a netCDF dimension but not a netCDF variable.%10" PRId64, len);
}

/*
 * Makes the scale of an axis, with its coordinates. If it has none, the dataset has a type of which
 * nothing is ever written.
 */
static int
make_scale(struct axt_h5w *w, const struct axt_axis *a, const char *name)
{
	const struct axt_coord *c = axt_coord_as_stored(w->m, a->coord);
	struct axt_axes x = { .n = 1, .a = { *a } };
	bool values = c && c->data;
	hid_t type = H5T_IEEE_F32BE, d;
	char bare[96];
	int bad;

	if (a->coord && !c)
		return axt_h5w_nomem(w);
	x.a[0].label = c ? c->label : NULL;
	if (values && c->n != a->len) {
		axt_escape_to(bare, sizeof(bare), name);
		return axt_fail(w->e, AXT_E_COORD,
		    "axis \"%s\" has length %" PRId64 " and %" PRId64 " coordinates", bare, a->len,
		    c->n);
	}
	if (values)
		type = c->text ? axt_h5w_strings(w) : axt_h5w_type(w, c->dtype);
	if (type < 0)
		return axt_h5w_fail(w, "axis", name);
	d = axt_h5w_dset(w, name, type, &x, values ? c->data : NULL, NULL, c ? c->like : NULL);
	if (d < 0)
		return w->e->code;
	bare_name(bare, a->len);
	bad = scale_marks(w, d, values ? name : bare) || number_scale(w, d, name) ||
	    (values && !c->text && axt_h5w_marker(w, d, c->dtype)) ||
	    (c && axt_h5w_attrs(w, d, c->attrs)) || axt_h5w_labels(w, d, &x, NULL) ||
	    (a->parts && axt_h5w_text(w, d, "axt_parts", a->parts)) ||
	    (a->along && axt_h5w_text(w, d, "axt_along", a->along));
	H5Dclose(d);
	return bad ? w->e->code : 0;
}

/* ---- scales that are there ---- */

int
axt_h5w_scale_named(struct axt_h5w *w, hid_t d, const char *name)
{
	return scale_marks(w, d, name);
}

/* Counts attributes that are kept, and stops at the first that is not. */
static herr_t
not_of_scale(hid_t obj, const char *name, const H5A_info_t *info, void *ctx)
{
	static const char *const kept[] = { "CLASS", "NAME", "REFERENCE_LIST", "_Netcdf4Dimid",
		"axt_parts", "axt_along" };

	(void)obj;
	(void)info;
	for (int i = 0; i < ARRAY_LEN(kept); i++)
		if (strcmp(name, kept[i]) == 0)
			return 0;
	*(char **)ctx = strdup(name);
	return 1;
}

int
axt_h5w_scale_bare(struct axt_h5w *w, hid_t d, int64_t len)
{
	char bare[96], *name = NULL;
	bool ok = true;
	hsize_t at = 0;

	while (ok && H5Aiterate2(d, H5_INDEX_NAME, H5_ITER_NATIVE, &at, not_of_scale, &name) > 0) {
		ok = name && H5Adelete(d, name) >= 0;
		free(name);
		name = NULL;
		at = 0;
	}
	bare_name(bare, len);
	return ok ? scale_marks(w, d, bare) : axt_h5w_fail(w, "axis", NULL);
}

/*
 * Checks that an existing dataset is a scale of the axis's length; add.c has compared the
 * coordinates. The scale is not changed: it stays unlimited, or not.
 */
static int
check_old(struct axt_h5w *w, hid_t group, const struct axt_axis *a, const char *name,
    bool *unlimited)
{
	char esc[256], path[256];
	hsize_t len = 0, most = 0;
	hid_t d = H5Dopen2(group, name, H5P_DEFAULT), s = d >= 0 ? H5Dget_space(d) : -1;
	bool ok = s >= 0 && H5Sget_simple_extent_ndims(s) == 1 && H5Aexists(d, "CLASS") > 0 &&
	    H5Sget_simple_extent_dims(s, &len, &most) == 1;

	*unlimited = most == H5S_UNLIMITED;
	if (s >= 0)
		H5Sclose(s);
	if (d >= 0)
		H5Dclose(d);
	if (ok && len == (hsize_t)a->len)
		return 0;
	axt_escape_to(esc, sizeof(esc), name);
	axt_escape_to(path, sizeof(path), w->path ? w->path : "the output");
	if (!ok)
		return axt_fail(w->e, AXT_E_NAME, "%s has \"%s\" already, which is no axis", path,
		    esc);
	return axt_fail(w->e, AXT_E_AXES,
	    "axis \"%s\" has length %" PRIu64 " in %s and %" PRId64 " in %s", esc, (uint64_t)len,
	    path, a->len, a->from ? a->from : "the result");
}

/* Two axes with one name must be the same axis. */
static int
meet(struct axt_h5w *w, struct axt_h5_scale *s, const struct axt_axis *a)
{
	char esc[256];

	if (s->axis->len == a->len)
		return 0;
	axt_escape_to(esc, sizeof(esc), s->name);
	axt_fail(w->e, AXT_E_AXES,
	    "axis \"%s\" has length %" PRId64 " in one result and %" PRId64 " in another", esc,
	    s->axis->len, a->len);
	axt_hint(w->e, "each goes to a file of its own, or one gets another axis: axt-rename %s",
	    axt_typed(w->m, "%s=%s2", esc, esc));
	return w->e->code;
}

const struct axt_h5_scale *
axt_h5w_scale_of(const struct axt_h5w *w, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(w->m, a);

	for (int i = 0; name && i < w->nscales; i++)
		if (strcmp(w->scales[i].name, name) == 0)
			return &w->scales[i];
	return NULL;
}

/*
 * The index of the scale of that name among those that were found or made so far; -1 if it is not
 * among them, -2 if it is, but has another length.
 */
static int
known(struct axt_h5w *w, const struct axt_axis *a, const char *name)
{
	for (int i = 0; i < w->nscales; i++)
		if (strcmp(w->scales[i].name, name) == 0)
			return meet(w, &w->scales[i], a) ? -2 : i;
	return -1;
}

int
axt_h5w_scale_here(struct axt_h5w *w, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(w->m, a);
	bool unlimited = a->unlimited;
	htri_t there;
	int k;

	if (!name)
		return axt_h5w_nomem(w), -1;
	if ((k = known(w, a, name)) != -1)
		return MAX(k, -1);
	there = H5Lexists(w->group, name, H5P_DEFAULT);
	if (there < 0)
		return axt_h5w_fail(w, "axis", name), -1;
	if (there ? check_old(w, w->group, a, name, &unlimited) : make_scale(w, a, name))
		return -1;
	return add_scale(w, a, NULL, name, there, unlimited);
}

/* Whether w->group has a scale of that name. */
static bool
has_scale(const struct axt_h5w *w, const char *name)
{
	hid_t d = H5Lexists(w->group, name, H5P_DEFAULT) > 0 ? H5Dopen2(w->group, name, H5P_DEFAULT)
							     : -1;
	bool is = d >= 0 && H5Aexists(d, "CLASS") > 0;

	if (d >= 0)
		H5Dclose(d);
	return is;
}

int
axt_h5w_scale(struct axt_h5w *w, const struct axt_axis *a)
{
	const struct axt_out_rest *above = axt_h5w_shared_axis(w, a);
	const char *name = axt_axis_spell(w->m, a), *path;
	bool unlimited;
	int k;

	if (!name)
		return axt_h5w_nomem(w), -1;
	if ((k = known(w, a, name)) != -1)
		return MAX(k, -1);
	if (!above || has_scale(w, name))
		return axt_h5w_scale_here(w, a);
	path = axt_sprintf(w->m, "%s/%s", above->group, name);
	if (!path)
		return axt_h5w_nomem(w), -1;
	return check_old(w, w->file, a, path, &unlimited)
	    ? -1
	    : add_scale(w, a, above->group, name, true, unlimited);
}

int
axt_h5w_scale_take(struct axt_h5w *w, hid_t d, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(w->m, a);

	if (!name)
		return axt_h5w_nomem(w);
	if (scale_marks(w, d, name) || number_scale(w, d, name))
		return w->e->code;
	return add_scale(w, a, NULL, name, false, a->unlimited) < 0 ? w->e->code : 0;
}

static int
add_ref(struct axt_h5w *w, struct axt_h5_scale *s, hobj_ref_t ref, int dim)
{
	if (s->nrefs == s->cap) {
		int cap = s->cap ? 2 * s->cap : 4;
		struct axt_h5_ref *r = realloc(s->refs, (size_t)cap * sizeof(*r));

		if (!r)
			return axt_h5w_nomem(w);
		s->refs = r;
		s->cap = cap;
	}
	s->refs[s->nrefs++] = (struct axt_h5_ref){ .ref = ref, .dim = dim };
	return 0;
}

int
axt_h5w_attach(struct axt_h5w *w, hid_t d, const char *name, const struct axt_axes *x)
{
	hvl_t list[AXT_MAX_RANK];
	hobj_ref_t me;
	hsize_t n = (hsize_t)x->n;
	hid_t t;
	bool ok;

	if (x->n == 0)
		return 0;
	if (H5Rcreate(&me, w->group, name, H5R_OBJECT, -1) < 0)
		return axt_h5w_fail(w, "dataset", name);
	for (int i = 0; i < x->n; i++) {
		int k = axt_h5w_scale(w, &x->a[i]);

		if (k < 0 || add_ref(w, &w->scales[k], me, i))
			return w->e->code;
	}
	for (int i = 0; i < x->n; i++)
		list[i] = (hvl_t){ .len = 1, .p = &w->scales[axt_h5w_scale(w, &x->a[i])].obj };
	t = H5Tvlen_create(H5T_STD_REF_OBJ);
	ok = axt_h5w_put(d, "DIMENSION_LIST", t, H5Screate_simple(1, &n, NULL), list);
	if (t >= 0)
		H5Tclose(t);
	return ok ? 0 : axt_h5w_fail(w, "axes of", name);
}

/* ---- REFERENCE_LIST ---- */

static hid_t
ref_type(void)
{
	hid_t t = H5Tcreate(H5T_COMPOUND, sizeof(struct axt_h5_ref));

	if (t >= 0 &&
	    (H5Tinsert(t, "dataset", 0, H5T_STD_REF_OBJ) < 0 ||
		H5Tinsert(t, "dimension", offsetof(struct axt_h5_ref, dim), H5T_NATIVE_INT) < 0)) {
		H5Tclose(t);
		t = -1;
	}
	return t;
}

/* Whether a stored type is that of the list: a compound of two members of these classes. */
static bool
is_ref_type(hid_t t)
{
	hid_t r, d;
	bool ok;

	if (H5Tget_class(t) != H5T_COMPOUND || H5Tget_nmembers(t) != 2 ||
	    H5Tget_member_index(t, "dataset") < 0 || H5Tget_member_index(t, "dimension") < 0)
		return false;
	r = H5Tget_member_type(t, (unsigned)H5Tget_member_index(t, "dataset"));
	d = H5Tget_member_type(t, (unsigned)H5Tget_member_index(t, "dimension"));
	ok = r >= 0 && d >= 0 && H5Tequal(r, H5T_STD_REF_OBJ) > 0 &&
	    H5Tget_class(d) == H5T_INTEGER && H5Tget_size(d) <= 8;
	if (r >= 0)
		H5Tclose(r);
	if (d >= 0)
		H5Tclose(d);
	return ok;
}

/*
 * Reads the REFERENCE_LIST of an existing scale: *n entries, which the caller frees. *out is NULL
 * if there is no list, or it has another form. Returns -1 if it could not be read.
 */
static int
read_refs(hid_t scale, struct axt_h5_ref **out, int *n)
{
	htri_t there = H5Aexists(scale, "REFERENCE_LIST");
	hid_t a = there > 0 ? H5Aopen(scale, "REFERENCE_LIST", H5P_DEFAULT) : -1;
	hid_t t = a >= 0 ? H5Aget_type(a) : -1, s = a >= 0 ? H5Aget_space(a) : -1, mem = ref_type();
	bool ok = there == 0 || (t >= 0 && s >= 0 && mem >= 0);
	hsize_t len = 0;

	*out = NULL;
	*n = 0;
	if (ok && there > 0 && is_ref_type(t) && H5Sget_simple_extent_ndims(s) == 1 &&
	    H5Sget_simple_extent_dims(s, &len, NULL) == 1 && len > 0 && len < (1 << 24)) {
		*out = calloc((size_t)len, sizeof(**out));
		ok = *out && H5Aread(a, mem, *out) >= 0;
		if (ok) {
			*n = (int)len;
		} else {
			free(*out);
			*out = NULL;
		}
	}
	if (mem >= 0)
		H5Tclose(mem);
	if (s >= 0)
		H5Sclose(s);
	if (t >= 0)
		H5Tclose(t);
	if (a >= 0)
		H5Aclose(a);
	return ok ? 0 : -1;
}

static bool
write_refs(hid_t scale, const struct axt_h5_ref *refs, int n)
{
	htri_t there = H5Aexists(scale, "REFERENCE_LIST");
	hsize_t len = (hsize_t)n;
	hid_t t;
	bool ok;

	if (there < 0 || (there > 0 && H5Adelete(scale, "REFERENCE_LIST") < 0))
		return false;
	if (n == 0)
		return true;
	t = ref_type();
	ok = axt_h5w_put(scale, "REFERENCE_LIST", t, H5Screate_simple(1, &len, NULL), refs);
	if (t >= 0)
		H5Tclose(t);
	return ok;
}

static int
refs_of(struct axt_h5w *w, struct axt_h5_scale *s)
{
	hid_t d = H5Dopen2(w->file, s->path, H5P_DEFAULT);
	struct axt_h5_ref *old = NULL, *all = NULL;
	int nold = 0;
	bool ok = d >= 0;

	if (ok && s->old && read_refs(d, &old, &nold))
		ok = false;
	all = ok ? malloc(((size_t)nold + (size_t)s->nrefs) * sizeof(*all)) : NULL;
	if (all) {
		if (nold > 0)
			memcpy(all, old, (size_t)nold * sizeof(*all));
		memcpy(all + nold, s->refs, (size_t)s->nrefs * sizeof(*all));
	}
	ok = ok && all && write_refs(d, all, nold + s->nrefs);
	free(old);
	free(all);
	if (d >= 0)
		H5Dclose(d);
	return ok ? 0 : axt_h5w_fail(w, "axis", s->name);
}

int
axt_h5w_refs(struct axt_h5w *w)
{
	for (int i = 0; i < w->nscales; i++)
		if (w->scales[i].nrefs > 0 && refs_of(w, &w->scales[i]))
			return w->e->code;
	return 0;
}

/* ---- removing a dataset ---- */

/* Removes from a scale's list what points to the dataset. A failure only leaves a stale entry. */
static void
forget(hid_t scale, hobj_ref_t gone)
{
	struct axt_h5_ref *l;
	int n, kept = 0;

	if (read_refs(scale, &l, &n) || !l)
		return;
	for (int i = 0; i < n; i++)
		if (l[i].ref != gone)
			l[kept++] = l[i];
	if (kept < n)
		write_refs(scale, l, kept);
	free(l);
}

static herr_t
visit(hid_t group, const char *name, const H5L_info_t *info, void *ctx)
{
	const struct {
		hobj_ref_t gone;
	} *c = ctx;
	H5O_info_t o;
	hid_t d;

	if (info->type != H5L_TYPE_HARD ||
	    H5Oget_info_by_name2(group, name, &o, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
	    o.type != H5O_TYPE_DATASET)
		return 0;
	d = H5Dopen2(group, name, H5P_DEFAULT);
	if (d >= 0) {
		forget(d, c->gone);
		H5Dclose(d);
	}
	return 0;
}

/* Its scales are in its group or in those above, as netCDF has it. */
int
axt_h5w_detach(struct axt_h5w *w, const char *name)
{
	struct {
		hobj_ref_t gone;
	} c;
	char *group = strdup(w->at);

	if (!group)
		return axt_h5w_nomem(w);
	if (H5Rcreate(&c.gone, w->group, name, H5R_OBJECT, -1) < 0) {
		free(group);
		return axt_h5w_fail(w, "dataset", name);
	}
	for (bool root = false; !root;) {
		char *last = strrchr(group, '/');
		hsize_t at = 0;

		root = !*group;
		H5Literate_by_name(w->file, root ? "/" : group, H5_INDEX_NAME, H5_ITER_NATIVE, &at,
		    visit, &c, H5P_DEFAULT);
		*(last ? last : group) = '\0';
	}
	free(group);
	return 0;
}
