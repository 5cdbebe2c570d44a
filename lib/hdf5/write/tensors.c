/*
 * tensors.c - lays out tensors, scales and attributes as netCDF-4. Here payloads get their places
 * in the file; their bytes come later.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "hdf5/write/libhdf5.h"

int
axt_h5w_fail(struct axt_h5w *w, const char *what, const char *name)
{
	char esc[256], path[256], obj[320];
	int err = w->img ? w->img->err : 0;

	axt_escape_to(esc, sizeof(esc), name ? name : "");
	axt_escape_to(path, sizeof(path), w->path ? w->path : "");
	snprintf(obj, sizeof(obj), name ? "%s \"%s\"" : "%s%s", what, esc);
	if (err)
		return axt_fail(w->e, err == ENOMEM ? AXT_E_MEM : AXT_E_IO,
		    "%s%scannot write %s: %s", path, *path ? ": " : "", obj, strerror(err));
	return axt_fail(w->e, AXT_E_IO, "%s%slibhdf5 cannot write %s", path, *path ? ": " : "",
	    obj);
}

int
axt_h5w_nomem(struct axt_h5w *w)
{
	return axt_fail(w->e, AXT_E_MEM, "out of memory");
}

/* ---- types ---- */

static hid_t
small_float(size_t spos, size_t nexp, size_t nman, size_t bias)
{
	hid_t t = H5Tcopy(H5T_NATIVE_FLOAT);

	if (t < 0 || H5Tset_fields(t, spos, nman, nexp, 0, nman) < 0 || H5Tset_size(t, 2) < 0 ||
	    H5Tset_ebias(t, bias) < 0)
		return -1;
	return t;
}

/*
 * Commits type t under that name, or with a number behind the name if something else has it. If an
 * equal type has the name, that one is used. Returns the committed type, in place of t; after an
 * error t is closed.
 */
static hid_t
commit(struct axt_h5w *w, hid_t t, const char *name)
{
	hid_t props = H5Pcreate(H5P_DATATYPE_CREATE);
	bool ok = props >= 0 && H5Pset_obj_track_times(props, 0) >= 0;

	for (int i = 0; ok && i < 100; i++) {
		const char *as = i ? axt_sprintf(w->m, "%s_%d", name, i) : name;
		htri_t there = as ? H5Lexists(w->group, as, H5P_DEFAULT) : -1;
		H5O_info_t info;
		hid_t old = -1;

		if (there == 0 && H5Tcommit2(w->group, as, t, H5P_DEFAULT, props, H5P_DEFAULT) >= 0)
			break;
		if (there > 0 &&
		    H5Oget_info_by_name2(w->group, as, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
		    info.type == H5O_TYPE_NAMED_DATATYPE)
			old = H5Topen2(w->group, as, H5P_DEFAULT);
		if (old >= 0 && H5Tequal(old, t) > 0) {
			H5Tclose(t);
			t = old;
			break;
		}
		if (old >= 0)
			H5Tclose(old);
		ok = there > 0 && i < 99;
	}
	if (props >= 0)
		H5Pclose(props);
	if (ok)
		return t;
	H5Tclose(t);
	return -1;
}

/* A compound {r,i}, committed in the group: netCDF shows no variable of a type without a name. */
static hid_t
complex_type(struct axt_h5w *w, enum axt_dtype d)
{
	hid_t part = d == AXT_C64 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
	hid_t t = H5Tcreate(H5T_COMPOUND, (size_t)axt_size(d));
	char name[32];

	if (t < 0 || H5Tinsert(t, "r", 0, part) < 0 ||
	    H5Tinsert(t, "i", (size_t)axt_size(d) / 2, part) < 0) {
		if (t >= 0)
			H5Tclose(t);
		return -1;
	}
	snprintf(name, sizeof(name), "_axt_%s", axt_dtypes[d].name);
	return commit(w, t, name);
}

hid_t
axt_h5w_type(struct axt_h5w *w, enum axt_dtype d)
{
	hid_t *t = &w->types[d];

	if (*t >= 0)
		return *t;
	switch (d) {
	case AXT_BOOL:
	case AXT_I8: *t = H5Tcopy(H5T_NATIVE_INT8); break;
	case AXT_I16: *t = H5Tcopy(H5T_NATIVE_INT16); break;
	case AXT_I32: *t = H5Tcopy(H5T_NATIVE_INT32); break;
	case AXT_I64: *t = H5Tcopy(H5T_NATIVE_INT64); break;
	case AXT_U8: *t = H5Tcopy(H5T_NATIVE_UINT8); break;
	case AXT_U16: *t = H5Tcopy(H5T_NATIVE_UINT16); break;
	case AXT_U32: *t = H5Tcopy(H5T_NATIVE_UINT32); break;
	case AXT_U64: *t = H5Tcopy(H5T_NATIVE_UINT64); break;
	case AXT_F16: *t = small_float(15, 5, 10, 15); break;
	case AXT_BF16: *t = small_float(15, 8, 7, 127); break;
	case AXT_F32: *t = H5Tcopy(H5T_NATIVE_FLOAT); break;
	case AXT_F64: *t = H5Tcopy(H5T_NATIVE_DOUBLE); break;
	case AXT_C64:
	case AXT_C128: *t = complex_type(w, d); break;
	default: break;
	}
	if (*t < 0)
		axt_h5w_fail(w, "type", axt_dtypes[d].name);
	return *t;
}

/* An enumeration of integers of dtype d, which has all its numbers; else -1. */
static hid_t
new_enum(struct axt_h5w *w, const struct axt_attr *a, enum axt_dtype d)
{
	const char *const *s = a->data;
	hid_t t = H5Tenum_create(axt_h5w_type(w, d));
	int width = 8 * axt_size(d);

	for (int64_t i = 0; t >= 0 && i + 1 < a->n; i += 2) {
		bool sign = d >= AXT_I8 && d <= AXT_I64;
		int64_t v = sign ? strtoll(s[i + 1], NULL, 10)
				 : (int64_t)strtoull(s[i + 1], NULL, 10);
		bool fits = sign ? width == 64 || v >> (width - 1) == v >> 63
				 : width == 64 || (uint64_t)v >> width == 0;

		if (!fits || H5Tenum_insert(t, s[i], axt_int_bytes(&v, axt_size(d))) < 0) {
			H5Tclose(t);
			t = -1;
		}
	}
	return t;
}

/*
 * The group that a type is committed in: that of its old path if w->group is in that group or
 * below, otherwise w->group.
 */
static const char *
group_of_type(const struct axt_h5w *w, const char *path)
{
	const char *last = path ? strrchr(path, '/') : NULL;
	const char *group = last ? axt_strndup(w->m, path, (size_t)(last - path)) : NULL;

	return group && axt_h5w_above(w, group) ? group : w->at;
}

hid_t
axt_h5w_enum(struct axt_h5w *w, const struct axt_attr *a, enum axt_dtype d, const char *dataset)
{
	bool same = a->text && dataset && strcmp(strrchr(a->text, '/') + 1, dataset) == 0;
	hid_t t = axt_dtypes[d].cls < AXT_CLASS_FLOAT && (d == AXT_BOOL) == (a->dtype == AXT_BOOL)
	    ? new_enum(w, a, d)
	    : -1;
	const char *at, *name, *full;

	if (t < 0 || (!a->text && (!dataset || d == AXT_BOOL)))
		return t;
	at = group_of_type(w, a->text);
	at += strspn(at, "/");
	name = a->text && !same ? strrchr(a->text, '/') + 1 : axt_sprintf(w->m, "%s_t", dataset);
	full = name ? axt_sprintf(w->m, "/%s%s%s", at, *at ? "/" : "", name) : NULL;
	if (full)
		return commit(w, t, full);
	H5Tclose(t);
	return axt_h5w_nomem(w), -1;
}

/* The type of a dataset with these attributes: an enumeration, in *own; or that of the dtype. */
static hid_t
type_for(struct axt_h5w *w, const char *dataset, enum axt_dtype d, const struct axt_attr *attrs,
    hid_t *own)
{
	const struct axt_attr *a = axt_attr_find(attrs, AXT_ENUM);

	*own = a ? axt_h5w_enum(w, a, d, dataset) : -1;
	return *own < 0 && !w->e->code ? axt_h5w_type(w, d) : *own;
}

hid_t
axt_h5w_strings(struct axt_h5w *w)
{
	if (w->vlen < 0) {
		hid_t t = H5Tcopy(H5T_C_S1);

		if (t >= 0 &&
		    (H5Tset_size(t, H5T_VARIABLE) < 0 || H5Tset_cset(t, H5T_CSET_UTF8) < 0)) {
			H5Tclose(t);
			t = -1;
		}
		w->vlen = t;
	}
	return w->vlen;
}

/* ---- names ---- */

static int
name_ok(struct axt_h5w *w, const char *name, const char *what)
{
	char esc[256];

	if (name && *name && !strchr(name, '/') && strcmp(name, "."))
		return 0;
	axt_escape_to(esc, sizeof(esc), name ? name : "");
	return axt_fail(w->e, AXT_E_NAME, "\"%s\" cannot be the name of %s", esc, what);
}

/* Whether a group above w->group, to which the group's tensors go, has the axis. */
static bool
is_above(const struct axt_h5w *w, const struct axt_axis *a)
{
	for (const struct axt_out_rest *r = w->rest; r; r = r->next) {
		const struct axt_axis *b = r->shared && r->axes ? &r->axes->a[0] : NULL;

		if (b && axt_axis_same(a, b) && a->len == b->len &&
		    axt_coord_equal(a->coord, b->coord) && axt_h5w_above(w, r->group))
			return true;
	}
	return false;
}

/*
 * Fails if a tensor has the name of an axis, unless it is the coordinate of that axis (its own
 * axis, and its only one), or the axis has no coordinates in this group.
 */
static int
name_against(struct axt_h5w *w, const char *name, const struct axt_axes *x, bool own)
{
	char esc[256];

	for (int i = 0; i < x->n; i++) {
		const char *axis = axt_axis_spell(w->m, &x->a[i]);

		if (!axis)
			return axt_h5w_nomem(w);
		if (name_ok(w, axis, "an axis"))
			return w->e->code;
		if (strcmp(axis, name) || (own && x->n == 1) || !axt_axis_has_values(&x->a[i]) ||
		    is_above(w, &x->a[i]))
			continue;
		axt_escape_to(esc, sizeof(esc), name);
		axt_fail(w->e, AXT_E_NAME, "tensor \"%s\" has the name of %s axis", esc,
		    own ? "its own" : "another dataset's");
		axt_hint(w->e, "--name gives the result another name");
		return w->e->code;
	}
	return 0;
}

static int
name_against_axes(struct axt_h5w *w, const char *name, const struct axt_out_tensor *p, bool own)
{
	if (name_against(w, name, &p->v->axes, own))
		return w->e->code;
	for (const struct axt_aux *x = p->v->aux; x; x = x->next)
		for (int i = 0; i < x->axes.n; i++) {
			struct axt_axes one = { .n = 1, .a = { x->axes.a[i] } };
			bool mine = own && p->v->axes.n == 1 &&
			    axt_axes_find(&p->v->axes, &one.a[0]) == 0;

			if (!mine && name_against(w, name, &one, false))
				return w->e->code;
		}
	return 0;
}

int
axt_h5w_names(struct axt_h5w *w, const struct axt_out_tensor *p, int n)
{
	char esc[256];

	for (int i = 0; i < n; i++) {
		if (name_ok(w, p[i].name, "a tensor"))
			return w->e->code;
		for (int k = 0; k < n; k++) {
			bool own = k == i;

			if (!own && strcmp(p[i].name, p[k].name) == 0) {
				axt_escape_to(esc, sizeof(esc), p[i].name);
				return axt_fail(w->e, AXT_E_NAME,
				    "two results have the name \"%s\"", esc);
			}
			/*
			 * If time(time) and x(time, lat) are written together, time(time) is the
			 * coordinate of both.
			 */
			if (!own && p[i].v->axes.n == 1 &&
			    strcmp(p[i].name, axt_axis_spell(w->m, &p[i].v->axes.a[0])) == 0)
				continue;
			if (name_against_axes(w, p[i].name, &p[k], own))
				return w->e->code;
		}
	}
	return 0;
}

/* Whether what goes along with the tensors of w->group lies along an axis of that name. */
static bool
rest_lies_along(const struct axt_h5w *w, const char *name)
{
	for (const struct axt_out_rest *r = w->rest; r; r = r->next)
		if (strcmp(r->group, w->at) == 0 &&
		    ((r->aux && axt_axes_spelled(&r->aux->axes, name) >= 0) ||
			(r->axes && axt_axes_spelled(r->axes, name) >= 0)))
			return true;
	return false;
}

/*
 * The name of the link to a dataset that is no scale. If a dimension has the name of the dataset,
 * the scale of that dimension has it, and the dataset's name gets a prefix, as in netCDF.
 */
static const char *
link_name(struct axt_h5w *w, const char *name)
{
	bool axis = rest_lies_along(w, name);

	for (int i = 0; !axis && i < w->nscales; i++)
		axis = strcmp(w->scales[i].name, name) == 0 && w->scales[i].here;
	return axis ? axt_sprintf(w->m, AXT_NC_HIDDEN "%s", name) : name;
}

/* ---- datasets ---- */

/* Sets the fill value to NaN, so that elements without a value read as NaN. */
static bool
nothing(hid_t props, hid_t type, enum axt_dtype d)
{
	static const struct axt_num nan = { .f = __builtin_nan("") };
	uint8_t v[16] __attribute__((aligned(16)));

	if (axt_dtypes[d].cls != AXT_CLASS_FLOAT)
		return true;
	axt_num_store(&nan, d, v);
	return H5Pset_fill_value(props, type, v) >= 0 &&
	    H5Pset_fill_time(props, H5D_FILL_TIME_IFSET) >= 0;
}

/*
 * The creation properties of a dataset. Fill values are not written to the dataset, since axt
 * writes every byte of it, except that variable-length strings need them, and a growing dataset
 * reads as them where it was not written.
 */
static hid_t
dset_props(const struct axt_out_tensor *p, hid_t type, int rank, const int64_t *chunk, bool grows)
{
	hid_t d = H5Pcreate(H5P_DATASET_CREATE);
	hsize_t lens[AXT_MAX_RANK];
	bool ok = d >= 0 && H5Pset_obj_track_times(d, 0) >= 0 &&
	    (grows || H5Tget_class(type) == H5T_STRING ||
		H5Pset_fill_time(d, H5D_FILL_TIME_NEVER) >= 0) &&
	    H5Pset_attr_creation_order(d, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0;

	if (ok && chunk) {
		for (int i = 0; i < rank; i++)
			lens[i] = (hsize_t)chunk[i];
		ok = H5Pset_chunk(d, rank, lens) >= 0 &&
		    H5Pset_alloc_time(d, H5D_ALLOC_TIME_INCR) >= 0;
		for (int i = 0; ok && p && i < p->as.nfilters; i++)
			ok = H5Pset_filter(d, p->as.filter[i].f->id, H5Z_FLAG_OPTIONAL,
				 (size_t)p->as.filter[i].n, p->as.filter[i].param) >= 0;
	} else if (ok) {
		ok = H5Pset_layout(d, H5D_CONTIGUOUS) >= 0 &&
		    H5Pset_alloc_time(d, H5D_ALLOC_TIME_LATE) >= 0;
	}
	if (ok && p && p->v->none)
		ok = nothing(d, type, p->v->dtype);
	if (ok && p && p->v->virt)
		ok = axt_h5w_virtual(d, type, p->v);
	if (!ok && d >= 0)
		H5Pclose(d);
	return ok ? d : -1;
}

/* Sets the filters of `like`, if libhdf5 itself has all of them; otherwise shuffle and deflate. */
static bool
same_filters(hid_t props, const struct axt_storage *like)
{
	bool ok = true, own = true;

	for (int i = 0; i < like->filters.n; i++)
		own = own && like->filters.use[i].f->id >= H5Z_FILTER_DEFLATE &&
		    like->filters.use[i].f->id <= H5Z_FILTER_FLETCHER32;
	for (int i = 0; ok && own && i < like->filters.n; i++) {
		const struct axt_filter_use *u = &like->filters.use[i];

		ok = u->f->id == H5Z_FILTER_DEFLATE
		    ? H5Pset_deflate(props, u->n ? MIN(u->param[0], 9) : 4) >= 0
		    : u->f->id == H5Z_FILTER_SHUFFLE ? H5Pset_shuffle(props) >= 0
						     : H5Pset_fletcher32(props) >= 0;
	}
	return ok && (own || (H5Pset_shuffle(props) >= 0 && H5Pset_deflate(props, 4) >= 0));
}

/* Whether a dataset over x gets chunks like others, and which. An open axis may become longer. */
static bool
same_chunks(const struct axt_h5w *w, const struct axt_axes *x, const bool *open,
    const struct axt_storage *like, int64_t *chunk)
{
	bool is = w->as_were && like && x->n > 0 && like->rank == x->n;

	for (int i = 0; is && i < x->n; i++) {
		chunk[i] = open[i] ? like->chunk[i] : MIN(like->chunk[i], x->a[i].len);
		is = chunk[i] > 0;
	}
	return is;
}

/* Creates a dataset. data NULL: nothing is written. Negative on failure, which is reported. */
hid_t
axt_h5w_dset(struct axt_h5w *w, const char *name, hid_t type, const struct axt_axes *x,
    const void *data, struct axt_out_tensor *p, const struct axt_storage *like)
{
	hid_t props, space = -1, d = -1;
	hsize_t dims[AXT_MAX_RANK], most[AXT_MAX_RANK];
	bool open[AXT_MAX_RANK], grows = !(p && p->v->none) && axt_h5w_grows(w, x, open);
	bool empty = false, virt = p && p->v->virt;
	int64_t own[AXT_MAX_RANK], *chunk = p ? p->as.chunk : own;
	bool same = !p && same_chunks(w, x, open, like, chunk), cut = same || (p && p->as.chunked);

	if (grows && !cut)
		grows = axt_h5w_chunk(x, open, (int64_t)H5Tget_size(type), p != NULL, w->few,
		    chunk);
	if (p)
		p->rows = grows && !p->as.chunked;
	for (int i = 0; i < x->n; i++) {
		dims[i] = (hsize_t)x->a[i].len;
		most[i] = grows && open[i] ? H5S_UNLIMITED : dims[i];
		empty = empty || dims[i] == 0;
	}
	props = dset_props(p, type, x->n, grows || cut ? chunk : NULL, grows);
	if (props >= 0 && same && !same_filters(props, like)) {
		H5Pclose(props);
		props = -1;
	}
	if (props >= 0)
		space = x->n ? H5Screate_simple(x->n, dims, most) : H5Screate(H5S_SCALAR);
	if (props >= 0 && space >= 0 && type >= 0 && (!virt || axt_h5w_newest(w, true)))
		d = H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, props, H5P_DEFAULT);
	if (virt)
		axt_h5w_newest(w, false);
	if (d >= 0 && grows)
		axt_h5w_note_grown(w, d, x->n, open, cut);
	if (d >= 0 && data && !empty &&
	    H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
		H5Dclose(d);
		d = -1;
	}
	if (space >= 0)
		H5Sclose(space);
	if (props >= 0)
		H5Pclose(props);
	if (d < 0)
		axt_h5w_fail(w, "dataset", name);
	return d;
}

int
axt_h5w_marker(struct axt_h5w *w, hid_t d, enum axt_dtype t)
{
	if (t == AXT_BOOL)
		return axt_h5w_text(w, d, "dtype", "bool");
	if (t == AXT_BF16)
		return axt_h5w_text(w, d, "dtype", "bfloat16");
	return 0;
}

/*
 * Text of single characters (netCDF's char arrays), as it was stored. NULL if a string has several
 * characters.
 */
static const char *
as_chars(struct axt_h5w *w, const struct axt_aux *x)
{
	const char *const *text = x->data;
	int64_t n;
	char *c;

	if (!x->chars || x->axes.n == 0 || !axt_axes_count(&x->axes, &n))
		return NULL;
	for (int64_t i = 0; i < n; i++)
		if (text[i][0] && text[i][1])
			return NULL;
	c = axt_alloc(w->m, (size_t)n + 1);
	if (!c) {
		axt_fail(w->e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	for (int64_t i = 0; i < n; i++)
		c[i] = text[i][0];
	return c;
}

/* ---- tensors ---- */

/* Whether a group above w->group has the same one. */
static bool
shared_aux(const struct axt_h5w *w, const struct axt_aux *x)
{
	for (const struct axt_out_rest *r = w->rest; r; r = r->next)
		if (r->made && r->aux && axt_h5w_above(w, r->group) && axt_aux_same(r->aux, x))
			return true;
	return false;
}

/* Whether the group has a dataset with the name of the axis that is no axis of this length. */
static bool
clashes_in_group(struct axt_h5w *w, const struct axt_axis *a)
{
	hsize_t len = 0;
	hid_t d = H5Lexists(w->group, a->name, H5P_DEFAULT) > 0
	    ? H5Dopen2(w->group, a->name, H5P_DEFAULT)
	    : -1;
	hid_t s = d >= 0 ? H5Dget_space(d) : -1;
	bool ok = d < 0 ||
	    (s >= 0 && H5Sget_simple_extent_ndims(s) == 1 &&
		H5Sget_simple_extent_dims(s, &len, NULL) == 1 && len == (hsize_t)a->len);

	if (s >= 0)
		H5Sclose(s);
	if (d >= 0)
		H5Dclose(d);
	return !ok;
}

/*
 * Whether a dataset that goes along has positional axes only, and one of them has another length in
 * its group: it is then written without scales, as tensors are in that case.
 */
static bool
is_plain(struct axt_h5w *w, const struct axt_axes *x)
{
	if (!axt_axes_numbered(x))
		return false;
	for (int i = 0; i < x->n; i++) {
		const struct axt_h5_scale *s = axt_h5w_scale_of(w, &x->a[i]);

		if ((s && s->axis->len != x->a[i].len) || clashes_in_group(w, &x->a[i]))
			return true;
	}
	return false;
}

/* Whether values are those of the axis that they lie along, whose scale has been made. */
static bool
is_own_scale(struct axt_h5w *w, const struct axt_aux *x)
{
	const char *axis = x->axes.n == 1 && axt_axis_has_values(&x->axes.a[0])
	    ? axt_axis_spell(w->m, &x->axes.a[0])
	    : NULL;

	return axis && strcmp(axis, x->name) == 0;
}

static int
make_aux(struct axt_h5w *w, const struct axt_aux *x)
{
	htri_t there;
	const char *chars, *link;
	hid_t type, d, own = -1;
	bool plain;
	int bad;

	if (name_ok(w, x->name, "a dataset"))
		return w->e->code;
	if (shared_aux(w, x))
		return 0;
	plain = is_plain(w, &x->axes);
	for (int i = 0; i < x->axes.n && !plain; i++)
		if (axt_h5w_scale(w, &x->axes.a[i]) < 0)
			return w->e->code;
	link = is_own_scale(w, x) ? x->name : link_name(w, x->name);
	there = link ? H5Lexists(w->group, link, H5P_DEFAULT) : -1;
	if (there > 0)
		return 0;
	chars = x->text ? as_chars(w, x) : NULL;
	if (w->e->code)
		return w->e->code;
	type = chars  ? H5T_C_S1
	    : x->text ? axt_h5w_strings(w)
		      : type_for(w, x->name, x->dtype, x->attrs, &own);
	if (there < 0 || type < 0)
		return axt_h5w_fail(w, "dataset", x->name);
	d = axt_h5w_dset(w, link, type, &x->axes, chars ? chars : x->data, NULL, x->like);
	if (own >= 0)
		H5Tclose(own);
	if (d < 0)
		return w->e->code;
	bad = (!plain && axt_h5w_attach(w, d, link, &x->axes)) ||
	    axt_h5w_labels(w, d, &x->axes, NULL) ||
	    (!x->text && own < 0 && axt_h5w_marker(w, d, x->dtype)) ||
	    axt_h5w_attrs(w, d, x->attrs);
	H5Dclose(d);
	return bad ? w->e->code : 0;
}

/*
 * Removes what has the name in w->group, as is done for results. *taken: it stays, because it is an
 * axis, or a group without another name.
 */
static int
clear_name(struct axt_h5w *w, const char *name, bool *taken)
{
	H5L_info_t l;
	H5O_info_t o = { .rc = 2 };

	*taken = H5Lexists(w->group, name, H5P_DEFAULT) != 0;
	if (!*taken)
		return 0;
	if (H5Lget_info(w->group, name, &l, H5P_DEFAULT) < 0 ||
	    (l.type == H5L_TYPE_HARD &&
		H5Oget_info_by_name2(w->group, name, &o, H5O_INFO_BASIC, H5P_DEFAULT) < 0))
		return axt_h5w_fail(w, "link", name);
	if (o.rc <= 1 &&
	    (o.type != H5O_TYPE_DATASET ||
		H5Aexists_by_name(w->group, name, "CLASS", H5P_DEFAULT) != 0))
		return 0;
	if (o.rc <= 1 && axt_h5w_detach(w, name))
		return w->e->code;
	*taken = false;
	return H5Ldelete(w->group, name, H5P_DEFAULT) < 0 ? axt_h5w_fail(w, "link", name) : 0;
}

/* A further name of an object that was made; or a soft link, which may lead anywhere. */
static int
make_link(struct axt_h5w *w, const struct axt_out_rest *r)
{
	bool taken;
	herr_t bad;

	if (axt_h5w_enter(w, r->group))
		return w->e->code;
	if (!r->soft && H5Oexists_by_name(w->file, r->to, H5P_DEFAULT) <= 0)
		return 0;
	if (clear_name(w, r->link, &taken) || taken)
		return w->e->code;
	bad = r->soft ? H5Lcreate_soft(r->to, w->group, r->link, H5P_DEFAULT, H5P_DEFAULT)
		      : H5Lcreate_hard(w->file, r->to, w->group, r->link, H5P_DEFAULT, H5P_DEFAULT);
	return bad < 0 ? axt_h5w_fail(w, "link", r->link) : 0;
}

/* A dimension that nothing lies along, unless something in the file has its name. */
static int
make_dimension(struct axt_h5w *w, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(w->m, a);
	htri_t there = name ? H5Lexists(w->group, name, H5P_DEFAULT) : -1;

	if (there < 0)
		return name ? axt_h5w_fail(w, "axis", name) : axt_h5w_nomem(w);
	return there == 0 && axt_h5w_scale_here(w, a) < 0 ? (int)w->e->code : 0;
}

int
axt_h5w_rest(struct axt_h5w *w)
{
	for (const struct axt_out_rest *r = w->rest; r; r = r->next) {
		if (r->shared)
			continue;
		if (r->link) {
			if (make_link(w, r))
				return w->e->code;
			continue;
		}
		if (axt_h5w_enter(w, r->group) || axt_h5w_attrs(w, w->group, r->attrs))
			return w->e->code;
		for (const struct axt_aux *x = r->aux; x; x = x->next)
			if (make_aux(w, x))
				return w->e->code;
		if (r->axes && make_dimension(w, &r->axes->a[0]))
			return w->e->code;
		if (axt_h5w_refs(w))
			return w->e->code;
	}
	return 0;
}

/* An axis is not made where the file has it already, nor where another dataset has its name. */
static int
share_axis(struct axt_h5w *w, struct axt_out_rest *r)
{
	const struct axt_axis *a = &r->axes->a[0];
	const char *name = axt_axis_spell(w->m, a);
	htri_t there = name ? H5Lexists(w->group, name, H5P_DEFAULT) : -1;
	const struct axt_out_rest *above = axt_h5w_shared_axis(w, a);

	if (there < 0)
		return name ? axt_h5w_fail(w, "axis", name) : axt_h5w_nomem(w);
	if (there > 0 || (above && above->old))
		return 0;
	r->made = axt_h5w_scale_here(w, a) >= 0;
	return w->e->code;
}

int
axt_h5w_share(struct axt_h5w *w)
{
	for (struct axt_out_rest *r = w->rest; r; r = r->next) {
		if (!r->shared || r->made)
			continue;
		if (axt_h5w_enter(w, r->group) || (r->axes && share_axis(w, r)))
			return w->e->code;
		if (r->aux && H5Lexists(w->group, r->aux->name, H5P_DEFAULT) == 0) {
			if (make_aux(w, r->aux))
				return w->e->code;
			r->made = true;
		}
		if (axt_h5w_refs(w))
			return w->e->code;
	}
	return 0;
}

/*
 * Whether a tensor is the scale of its axis, and its values are the coordinates: it has only one
 * axis, and the name of that.
 */
static bool
is_scale(struct axt_h5w *w, const struct axt_out_tensor *p)
{
	const char *axis = p->v->axes.n == 1 ? axt_axis_spell(w->m, &p->v->axes.a[0]) : NULL;

	return axis && strcmp(axis, p->name) == 0 && !is_above(w, &p->v->axes.a[0]);
}

/* Whether positional axes of tensor i have other lengths elsewhere in its group. */
static bool
clashes(struct axt_h5w *w, const struct axt_out_tensor *p, int n, int i)
{
	const struct axt_axes *x = &p[i].v->axes;

	if (!axt_axes_numbered(x))
		return false;
	for (int k = 0; k < x->n; k++) {
		for (int j = 0; j < n; j++) {
			int at = axt_axes_find(&p[j].v->axes, &x->a[k]);

			if (at >= 0 && p[j].v->axes.a[at].len != x->a[k].len)
				return true;
		}
		if (clashes_in_group(w, &x->a[k]))
			return true;
	}
	return false;
}

/* Whether axis a of tensor i, under this name, has another length elsewhere in its group. */
static bool
taken(struct axt_h5w *w, const struct axt_out_tensor *p, int n, int i, const struct axt_axis *a)
{
	for (int j = 0; j < n; j++) {
		int at = p[j].plain || j == i ? -1 : axt_axes_find(&p[j].v->axes, a);

		if (at >= 0 && p[j].v->axes.a[at].len != a->len)
			return true;
	}
	return clashes_in_group(w, a);
}

/*
 * Gives an axis of tensor i that has an invented name another number, if an axis of the same name
 * has another length in the group; labels keep the names. Tensors all of whose axes are positional
 * are written without scales instead.
 */
static int
number_axes(struct axt_h5w *w, struct axt_out_tensor *p, int n, int i)
{
	for (int k = 0; k < p[i].v->axes.n && !p[i].plain; k++) {
		struct axt_axis a = p[i].v->axes.a[k];
		struct axt_out_var *v;

		if (!axt_axis_unnamed(&a) || !taken(w, p, n, i, &a))
			continue;
		for (int to = 0; axt_axes_find(&p[i].v->axes, &a) >= 0 || taken(w, p, n, i, &a);
		     to++)
			if (!(a.name = axt_sprintf(w->m, "dim_%d", to)))
				return axt_h5w_nomem(w);
		if (!(v = axt_alloc(w->m, sizeof(*v))))
			return axt_h5w_nomem(w);
		*v = *p[i].v;
		v->axes.a[k] = a;
		if (!p[i].named)
			p[i].named = &p[i].v->axes;
		p[i].v = v;
	}
	return 0;
}

int
axt_h5w_labels(struct axt_h5w *w, hid_t d, const struct axt_axes *x, const struct axt_axes *named)
{
	struct axt_axes said = *x;
	const struct axt_attr *a;

	for (int k = 0; named && k < x->n; k++)
		if (!axt_axis_same(&named->a[k], &x->a[k]))
			said.a[k].label = named->a[k].name;
	a = axt_axes_labels(w->m, &said);
	if (!a)
		return axt_arena_failed(w->m) ? axt_h5w_nomem(w) : 0;
	return axt_h5w_attr(w, d, a);
}

static int
make_tensor(struct axt_h5w *w, struct axt_out_tensor *p)
{
	const struct axt_out_var *v = p->v;
	hid_t own, type = type_for(w, p->name, v->dtype, v->attrs, &own), d;
	int bad;

	if (type < 0)
		return w->e->code ? (int)w->e->code : axt_h5w_fail(w, "type", p->name);
	p->link = is_scale(w, p) ? p->name : link_name(w, p->name);
	if (!p->link)
		return axt_h5w_nomem(w);
	d = axt_h5w_dset(w, p->link, type, &v->axes, NULL, p, NULL);
	if (own >= 0)
		H5Tclose(own);
	if (d < 0)
		return w->e->code;
	bad = is_scale(w, p) ? axt_h5w_scale_take(w, d, &v->axes.a[0])
	    : p->plain       ? 0
			     : axt_h5w_attach(w, d, p->link, &v->axes);
	bad = bad || axt_h5w_labels(w, d, &v->axes, p->named) ||
	    (own < 0 && axt_h5w_marker(w, d, v->dtype)) || axt_h5w_attrs(w, d, v->attrs);
	H5Dclose(d);
	return bad ? w->e->code : 0;
}

/* An auxiliary dataset must not have the name of a tensor. */
static bool
is_tensor(const char *name, const struct axt_out_tensor *p, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return true;
	return false;
}

int
axt_h5w_tensors(struct axt_h5w *w, struct axt_out_tensor *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i].plain = clashes(w, p, n, i);
	for (int i = 0; i < n; i++)
		if (number_axes(w, p, n, i))
			return w->e->code;
	for (int i = 0; i < n; i++)
		if (is_scale(w, &p[i]) && make_tensor(w, &p[i]))
			return w->e->code;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < p[i].v->axes.n && !p[i].plain; k++)
			if (axt_h5w_scale(w, &p[i].v->axes.a[k]) < 0)
				return w->e->code;
	for (int i = 0; i < n; i++)
		for (const struct axt_aux *x = p[i].v->aux; x; x = x->next)
			if (!(x->name && is_tensor(x->name, p, n)) && make_aux(w, x))
				return w->e->code;
	for (int i = 0; i < n; i++)
		if (!is_scale(w, &p[i]) && make_tensor(w, &p[i]))
			return w->e->code;
	return axt_h5w_refs(w);
}

/*
 * Has libhdf5 allocate the block of a dataset, which it does when the first element is written; the
 * driver drops that element.
 */
static bool
one_block(struct axt_h5w *w, hid_t d, const struct axt_out_tensor *p)
{
	static const char zeros[16];
	hid_t type = H5Dget_type(d), one, all = H5Dget_space(d);
	hsize_t at[AXT_MAX_RANK] = { 0 }, len[AXT_MAX_RANK], n = 1;
	int rank = p->v->axes.n;
	bool ok;

	for (int i = 0; i < rank; i++)
		len[i] = 1;
	one = H5Screate_simple(1, &n, NULL);
	w->img->want = (hsize_t)p->bytes;
	w->img->blocks = 1;
	ok = type >= 0 && one >= 0 && all >= 0 &&
	    (rank == 0 || H5Sselect_hyperslab(all, H5S_SELECT_SET, at, NULL, len, NULL) >= 0) &&
	    H5Dwrite(d, type, one, all, H5P_DEFAULT, zeros) >= 0;
	w->img->blocks = 0;
	if (type >= 0)
		H5Tclose(type);
	if (all >= 0)
		H5Sclose(all);
	if (one >= 0)
		H5Sclose(one);
	return ok;
}

static int
alloc_one(struct axt_h5w *w, struct axt_out_tensor *p)
{
	haddr_t addr = HADDR_UNDEF;
	hid_t d;

	if (p->bytes == 0 || p->as.chunked)
		return 0;
	d = H5Dopen2(w->group, p->link, H5P_DEFAULT);
	w->img->len = 0;
	if (d >= 0 && p->rows && axt_h5w_index(w, d, p))
		addr = w->img->at;
	else if (d >= 0 && !p->rows && one_block(w, d, p))
		addr = H5Dget_offset(d);
	if (d >= 0)
		H5Dclose(d);
	if (addr == HADDR_UNDEF)
		return axt_h5w_fail(w, "dataset", p->name);
	p->offset = addr;
	return 0;
}

static int
alloc_group(struct axt_h5w *w, struct axt_out_tensor *p, int n)
{
	for (int i = 0; i < n; i++)
		if (alloc_one(w, &p[i]))
			return w->e->code;
	return 0;
}

int
axt_h5w_alloc(struct axt_h5w *w, struct axt_out_tensor *p, int n)
{
	axt_h5w_reserve_index(w, p, n);
	return axt_h5w_each_group(w, p, n, alloc_group);
}
