/*
 * attributes.c - writes attributes as netCDF does: fixed-length strings, lists of numbers, lists of
 * strings. Attributes of other shapes, and lists of fixed-length strings, are only written where
 * they were read so.
 */
#include <stdlib.h>

#include "hdf5/write/libhdf5.h"

bool
axt_h5w_own(const char *name)
{
	return axt_h5_own(name) || strcmp(name, "axt_parts") == 0 || strcmp(name, "axt_along") == 0;
}

static bool
is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s > 0x7f)
			return false;
	return true;
}

bool
axt_h5w_put(hid_t obj, const char *name, hid_t type, hid_t space, const void *data)
{
	bool ok = space >= 0 && type >= 0;
	hid_t a = ok ? H5Acreate2(obj, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;

	ok = a >= 0 && (!data || H5Awrite(a, type, data) >= 0);
	if (a >= 0 && H5Aclose(a) < 0)
		ok = false;
	if (space >= 0)
		H5Sclose(space);
	return ok;
}

static int
put(struct axt_h5w *w, hid_t obj, const char *name, hid_t type, hid_t space, const void *data)
{
	bool ok = axt_h5w_put(obj, name, type, space, data);

	return ok ? 0 : axt_h5w_fail(w, "attribute", name);
}

/* none: netCDF has an empty text as a null dataspace. h5py's is one byte, which is zero. */
static int
put_text(struct axt_h5w *w, hid_t obj, const char *name, const char *text, bool none)
{
	size_t n = strlen(text);
	int set;

	if (w->fixed < 0)
		w->fixed = H5Tcopy(H5T_C_S1);
	set = w->fixed < 0 || H5Tset_size(w->fixed, n ? n : 1) < 0 ||
	    H5Tset_cset(w->fixed, is_ascii(text) ? H5T_CSET_ASCII : H5T_CSET_UTF8) < 0;
	if (set)
		return axt_h5w_fail(w, "attribute", name);
	return put(w, obj, name, w->fixed, H5Screate(n || !none ? H5S_SCALAR : H5S_NULL),
	    n || !none ? text : NULL);
}

int
axt_h5w_text(struct axt_h5w *w, hid_t obj, const char *name, const char *text)
{
	return put_text(w, obj, name, text, true);
}

/*
 * The type in which _FillValue of an enumeration is written: netCDF wants it to be the type of the
 * values. -1 for any other attribute.
 */
static hid_t
fill_type(hid_t obj, const struct axt_attr *a)
{
	hid_t t = strcmp(a->name, "_FillValue") == 0 && a->kind == AXT_ATTR_NUM &&
		H5Iget_type(obj) == H5I_DATASET
	    ? H5Dget_type(obj)
	    : -1;

	if (t >= 0 &&
	    (H5Tget_class(t) != H5T_ENUM || H5Tget_size(t) != (size_t)axt_size(a->dtype))) {
		H5Tclose(t);
		t = -1;
	}
	return t;
}

/* The dataspace of an attribute. */
static hid_t
space_of(const struct axt_attr *a)
{
	hsize_t dims[AXT_MAX_RANK + 1] = { (hsize_t)a->n };

	if (!a->dims)
		return a->n ? H5Screate_simple(1, dims, NULL) : H5Screate(H5S_NULL);
	for (int i = 0; i < a->rank; i++)
		dims[i] = (hsize_t)a->dims[i];
	return a->rank ? H5Screate_simple(a->rank, dims, NULL) : H5Screate(H5S_SCALAR);
}

static int
put_numbers(struct axt_h5w *w, hid_t obj, const struct axt_attr *a)
{
	hid_t own = fill_type(obj, a), type;
	int r;

	if (own < 0 && a->members)
		own = axt_h5w_enum(w, a->members, a->dtype, NULL);
	type = own >= 0 ? own : axt_h5w_type(w, a->dtype);
	r = put(w, obj, a->name, type, space_of(a), a->n ? a->data : NULL);

	if (own >= 0)
		H5Tclose(own);
	return r;
}

/* The texts of an attribute. */
static const char *const *
texts_of(const struct axt_attr *a)
{
	return a->kind == AXT_ATTR_TEXT ? &a->text : a->data;
}

/* The bytes of each text in a list of fixed length, and whether all are ASCII. */
static size_t
width_of(const struct axt_attr *a, bool *ascii)
{
	size_t n = 1;

	*ascii = true;
	for (int64_t i = 0; i < a->n; i++) {
		n = MAX(n, strlen(texts_of(a)[i]));
		*ascii = *ascii && is_ascii(texts_of(a)[i]);
	}
	return n;
}

/* Texts that had one length for all keep it, so that h5py goes on to read them as bytes. */
static int
put_fixed(struct axt_h5w *w, hid_t obj, const struct axt_attr *a)
{
	bool ascii;
	size_t n = width_of(a, &ascii);
	char *all = calloc((size_t)a->n + 1, n);
	hid_t type = H5Tcopy(H5T_C_S1);
	int r;

	if (!all || type < 0 || H5Tset_size(type, n) < 0 ||
	    H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 ||
	    H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8) < 0) {
		r = axt_h5w_fail(w, "attribute", a->name);
	} else {
		for (int64_t i = 0; i < a->n; i++)
			memcpy(all + (size_t)i * n, texts_of(a)[i], strlen(texts_of(a)[i]));
		r = put(w, obj, a->name, type, space_of(a), a->n ? all : NULL);
	}
	if (type >= 0)
		H5Tclose(type);
	free(all);
	return r;
}

int
axt_h5w_attr(struct axt_h5w *w, hid_t obj, const struct axt_attr *a)
{
	hid_t type;

	if (!a->name || !*a->name)
		return axt_fail(w->e, AXT_E_NAME, "an attribute has no name");
	if (a->kind == AXT_ATTR_TEXT && !axt_attr_listed(a))
		return put_text(w, obj, a->name, a->text ? a->text : "", a->n == 0);
	if (a->kind == AXT_ATTR_NUM)
		return put_numbers(w, obj, a);
	if (a->fixed)
		return put_fixed(w, obj, a);
	type = axt_h5w_strings(w);
	if (type < 0)
		return axt_h5w_fail(w, "attribute", a->name);
	return put(w, obj, a->name, type, space_of(a), a->n ? texts_of(a) : NULL);
}

/* The bytes of a value; of a list of strings, only the references that the attribute has. */
static uint64_t
value_bytes(const struct axt_attr *a)
{
	bool ascii;

	if (a->kind == AXT_ATTR_TEXT)
		return a->text ? strlen(a->text) : 0;
	if (a->kind == AXT_ATTR_TEXTS && a->fixed)
		return (uint64_t)a->n * width_of(a, &ascii);
	return (uint64_t)a->n * (a->kind == AXT_ATTR_TEXTS ? 16 : (uint64_t)axt_size(a->dtype));
}

int
axt_h5w_fits(struct axt_h5w *w, hid_t obj, const struct axt_attr *a)
{
	uint64_t n = value_bytes(a);
	H5O_info_t info;
	char esc[256], path[256];

	if (n + strlen(a->name) + 64 <= 65535) /* 64 bytes for type, dataspace, padding */
		return 0;
	if (H5Oget_info2(obj, &info, H5O_INFO_HDR) >= 0 && info.hdr.version > 1)
		return 0;
	axt_escape_to(esc, sizeof(esc), a->name);
	axt_escape_to(path, sizeof(path), w->path);
	return axt_fail(w->e, AXT_E_LIMIT,
	    "%s: attribute \"%s\" is over 64 kB, which an object "
	    "in HDF5's first format does not hold",
	    path, esc);
}

/*
 * Whether the attribute is dtype="bool" or dtype="bfloat16", which tells what stored numbers mean.
 * It is written where the type is, and not with the other attributes.
 */
static bool
is_marker(const struct axt_attr *a)
{
	return strcmp(a->name, "dtype") == 0 && a->kind == AXT_ATTR_TEXT && a->text &&
	    (strcmp(a->text, "bool") == 0 || strcmp(a->text, "bfloat16") == 0);
}

int
axt_h5w_attrs(struct axt_h5w *w, hid_t obj, const struct axt_attr *l)
{
	for (; l; l = l->next) {
		if (!l->name || axt_h5w_own(l->name) || is_marker(l))
			continue;
		if (H5Aexists(obj, l->name) > 0)
			continue;
		if (axt_h5w_attr(w, obj, l))
			return w->e->code;
	}
	return 0;
}
