/* h5dset.c - what a dataset is: its type by exact comparison, its extents, its role. */
#include "h5raw.h"
#include "virtual.h"

#include <stdlib.h>

#define NATIVE_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static bool
other_order(hid_t type)
{
	return H5Tget_size(type) > 1 && (H5Tget_order(type) == H5T_ORDER_BE) != NATIVE_BE;
}

static bool
int_dtype(hid_t type, enum axt_dtype *out)
{
	size_t size = H5Tget_size(type);
	bool sign = H5Tget_sign(type) == H5T_SGN_2, be = H5Tget_order(type) == H5T_ORDER_BE;
	hid_t want;

	switch (size) {
	case 1:
		want = sign ? H5T_STD_I8LE : H5T_STD_U8LE;
		*out = sign ? AXT_I8 : AXT_U8;
		/* One byte has no order, but the type still tells one. */
		return H5Tequal(type, want) > 0 ||
		    H5Tequal(type, sign ? H5T_STD_I8BE : H5T_STD_U8BE) > 0;
	case 2:
		want = be ? sign ? H5T_STD_I16BE : H5T_STD_U16BE : sign ? H5T_STD_I16LE
		    : H5T_STD_U16LE;
		*out = sign ? AXT_I16 : AXT_U16;
		break;
	case 4:
		want = be ? sign ? H5T_STD_I32BE : H5T_STD_U32BE : sign ? H5T_STD_I32LE
		    : H5T_STD_U32LE;
		*out = sign ? AXT_I32 : AXT_U32;
		break;
	case 8:
		want = be ? sign ? H5T_STD_I64BE : H5T_STD_U64BE : sign ? H5T_STD_I64LE
		    : H5T_STD_U64LE;
		*out = sign ? AXT_I64 : AXT_U64;
		break;
	default:
		return false;
	}
	return H5Tequal(type, want) > 0;
}

/* Two-byte floats have no standard type to compare with. */
static bool
half_dtype(hid_t type, enum axt_dtype *out)
{
	size_t spos, epos, esize, mpos, msize;
	H5T_order_t order = H5Tget_order(type);

	if ((order != H5T_ORDER_LE && order != H5T_ORDER_BE) || H5Tget_precision(type) != 16 ||
	    H5Tget_offset(type) != 0 || H5Tget_norm(type) != H5T_NORM_IMPLIED ||
	    H5Tget_fields(type, &spos, &epos, &esize, &mpos, &msize) < 0 || spos != 15 || mpos != 0)
		return false;
	if (epos == 10 && esize == 5 && msize == 10 && H5Tget_ebias(type) == 15)
		*out = AXT_F16;
	else if (epos == 7 && esize == 8 && msize == 7 && H5Tget_ebias(type) == 127)
		*out = AXT_BF16;
	else
		return false;
	return true;
}

static bool
float_dtype(hid_t type, enum axt_dtype *out)
{
	bool be = H5Tget_order(type) == H5T_ORDER_BE;

	switch (H5Tget_size(type)) {
	case 2:
		return half_dtype(type, out);
	case 4:
		*out = AXT_F32;
		return H5Tequal(type, be ? H5T_IEEE_F32BE : H5T_IEEE_F32LE) > 0;
	case 8:
		*out = AXT_F64;
		return H5Tequal(type, be ? H5T_IEEE_F64BE : H5T_IEEE_F64LE) > 0;
	default:
		return false;
	}
}

static bool
member_is(hid_t type, unsigned i, const char *name)
{
	char *s = H5Tget_member_name(type, i);
	bool same = s && strcmp(s, name) == 0;

	H5free_memory(s);
	return same;
}

/* h5py's bool: one byte, FALSE 0 and TRUE 1. */
static bool
is_bool(hid_t type)
{
	uint8_t v[2] = { 9, 9 };

	return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 && member_is(type, 0,
	    "FALSE") && member_is(type, 1, "TRUE") && H5Tget_member_value(type, 0, &v[0]) >= 0 &&
	    H5Tget_member_value(type, 1, &v[1]) >= 0 && v[0] == 0 && v[1] == 1;
}

static bool
enum_dtype(hid_t type, enum axt_dtype *out, bool *swap)
{
	hid_t base = H5Tget_super(type);
	bool ok = base >= 0 && H5Tget_class(base) == H5T_INTEGER && int_dtype(base, out);

	if (ok)
		*swap = other_order(base);
	if (base >= 0)
		H5Tclose(base);
	if (ok && is_bool(type))
		*out = AXT_BOOL;
	return ok;
}

static bool
complex_dtype(hid_t type, enum axt_dtype *out, bool *swap)
{
	size_t size = H5Tget_size(type);
	hid_t re, im;
	bool ok;

	if (H5Tget_nmembers(type) != 2 || H5Tget_member_offset(type, 0) != 0 ||
	    H5Tget_member_offset(type, 1) * 2 != size)
		return false;
	if (!(member_is(type, 0, "r") && member_is(type, 1, "i")) &&
	    !(member_is(type, 0, "real") && member_is(type, 1, "imag")))
		return false;
	re = H5Tget_member_type(type, 0);
	im = H5Tget_member_type(type, 1);
	ok = re >= 0 && im >= 0 && H5Tget_class(re) == H5T_FLOAT && H5Tequal(re, im) > 0 &&
	    float_dtype(re, out) && (*out == AXT_F32 || *out == AXT_F64) &&
	    size == 2 * H5Tget_size(re);
	if (ok) {
		*swap = other_order(re);
		*out = *out == AXT_F32 ? AXT_C64 : AXT_C128;
	}
	if (re >= 0)
		H5Tclose(re);
	if (im >= 0)
		H5Tclose(im);
	return ok;
}

bool
axt_h5_dtype(hid_t type, enum axt_dtype *out, bool *swap, const char **why)
{
	switch (H5Tget_class(type)) {
	case H5T_INTEGER:
		*why = "type not supported: an integer of unusual layout";
		*swap = other_order(type);
		return int_dtype(type, out);
	case H5T_FLOAT:
		*why = H5Tget_size(type) > 8 ? "type not supported: long double" :
		    "type not supported: a float of unusual layout";
		*swap = other_order(type);
		return float_dtype(type, out);
	case H5T_ENUM:
		*why = "type not supported: an enum of unusual integers";
		return enum_dtype(type, out, swap);
	case H5T_COMPOUND:
		*why = "type not supported: compound";
		return complex_dtype(type, out, swap);
	case H5T_STRING:
		*why = "type not supported: text";
		return false;
	case H5T_TIME:
		*why = "type not supported: time";
		return false;
	case H5T_BITFIELD:
		*why = "type not supported: bit field";
		return false;
	case H5T_OPAQUE:
		*why = "type not supported: opaque";
		return false;
	case H5T_REFERENCE:
		*why = "type not supported: reference";
		return false;
	case H5T_VLEN:
		*why = "type not supported: variable length";
		return false;
	case H5T_ARRAY:
		*why = "type not supported: array";
		return false;
	default:
		*why = "type not supported";
		return false;
	}
}

/* ---- description ---- */

/* Attributes a description looks at. */
enum { HAS_CLASS = 1, HAS_NAME = 2, HAS_DTYPE = 4, HAS_CF = 8 };
static const char *const cf_words[] = {
	"bounds", "climatology", "coordinates", "grid_mapping", "cell_measures",
	"ancillary_variables",
	"formula_terms", "edges",
};

struct found {
	int has, cf;
};

static void
note(struct found *w, const char *name)
{
	if (strcmp(name, "CLASS") == 0)
		w->has |= HAS_CLASS;
	else if (strcmp(name, "NAME") == 0)
		w->has |= HAS_NAME;
	else if (strcmp(name, "dtype") == 0)
		w->has |= HAS_DTYPE;
	else
		for (int k = 0; k < ARRAY_LEN(cf_words); k++)
			if (strcmp(name, cf_words[k]) == 0)
				w->cf |= 1 << k;
}

/*
 * Names in "a b", "area: a", "crs: x y": all words but those that end in ':'; a
 * grid mapping's are names too.
 */
static int
add_words(struct axt_arena *m, struct axt_file *f, int of, const char *s, bool colon_is_name,
    struct axt_err *e)
{
	while (*(s += strspn(s, " \t\n"))) {
		size_t n = strcspn(s, " \t\n");
		bool colon = s[n - 1] == ':';
		struct axt_word *w;

		if (!colon || colon_is_name) {
			w = axt_alloc(m, sizeof(*w));
			if (!w || !(w->name = axt_strndup(m, s, n - colon)))
				return axt_fail(e, AXT_E_MEM, "out of memory");
			w->of = of;
			w->next = f->h5->words;
			f->h5->words = w;
		}
		s += n;
	}
	return AXT_OK;
}

/* External files and filters. */
static const char *
refused(struct axt_arena *m, hid_t plist)
{
	int n = H5Pget_nfilters(plist);

	if (H5Pget_external_count(plist) != 0)
		return "its data is in another file (external storage)";
	if (n > 8)
		return "it has more than 8 filters";
	for (int k = 0; k < n; k++) {
		unsigned flags, cd[8];
		size_t ncd = ARRAY_LEN(cd);
		int id = H5Pget_filter2(plist, (unsigned)k, &flags, &ncd, cd, 0, NULL, NULL);

		if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE &&
		    id != H5Z_FILTER_FLETCHER32)
			return axt_sprintf(m, "filter %d is not supported", id);
	}
	return NULL;
}

/* Looked at before the space, for which libhdf5 opens the sources of one that grows with them. */
static const char *
find_parts(struct axt_arena *m, struct axt_file *f, int i, hid_t plist, int has, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];

	if (H5Pget_layout(plist) != H5D_VIRTUAL)
		return NULL;
	if (has & HAS_CLASS)
		return "coordinates in a virtual dataset are not supported";
	d->virt = axt_h5_virtual(m, &f->h5->src, f->h5->objs[i].addr);
	if (!d->virt)
		axt_fail(e, AXT_E_MEM, "out of memory");
	return d->virt ? d->virt->why : "out of memory";
}

static const char *
extents(hid_t dset, struct axt_dset *d, struct axt_obj *o, int esize)
{
	hid_t space = H5Dget_space(dset);
	hsize_t dims[AXT_MAX_RANK], most[AXT_MAX_RANK];
	H5S_class_t c = H5Sget_simple_extent_type(space);
	int64_t n = esize;
	const char *why = NULL;

	d->rank = H5Sget_simple_extent_ndims(space);
	if (c == H5S_NULL)
		why = "it has no dataspace (null)";
	else if (d->rank < 0 || d->rank > AXT_MAX_RANK ||
	    (d->rank > 0 && H5Sget_simple_extent_dims(space, dims, most) != d->rank))
		why = "its dataspace cannot be read";
	for (int k = 0; !why && k < d->rank; k++) {
		if (dims[k] > INT64_MAX || !axt_mul(n, MAX((int64_t)dims[k], 1), &n))
			why = "it is too large";
		d->dims[k] = (int64_t)dims[k];
	}
	o->unlimited = !why && d->rank > 0 && most[0] == H5S_UNLIMITED;
	if (space >= 0)
		H5Sclose(space);
	return why;
}

/* Type, and what an attribute makes of it. */
static const char *
type_of(struct axt_arena *m, struct axt_file *f, int i, hid_t dset, int has)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	hid_t type = H5Dget_type(dset);
	const char *why = NULL, *t;
	bool swap = false;
	size_t size;

	if (type < 0)
		return "its type cannot be read";
	if (axt_h5_is_text(type, &o->vlen, &o->space_pad, &size)) {
		d->role = AXT_ROLE_TEXT;
		d->dtype = AXT_U8;
		o->esize = o->vlen ? axt_raw_vlen_bytes(&f->h5->src)
		    : (int)MIN(size, (size_t)1 << 30);
		why = size > (size_t)1 << 20 ? "its strings are too large" : NULL;
	} else if (axt_h5_dtype(type, &d->dtype, &swap, &why)) {
		why = NULL;
		d->role = AXT_ROLE_TENSOR;
		o->esize = axt_size(d->dtype);
		d->odd_type = axt_dtypes[d->dtype].cls == AXT_CLASS_COMPLEX && !member_is(type, 0, "r");
	}
	H5Tclose(type);
	d->st.swap = swap;
	if (why || !(has & HAS_DTYPE) || d->role != AXT_ROLE_TENSOR || o->esize > 2)
		return why;
	t = axt_h5_text(m, &f->h5->src, dset, o->addr, "dtype");
	if (t && strcmp(t, "bool") == 0 && (d->dtype == AXT_I8 || d->dtype == AXT_U8))
		d->dtype = AXT_BOOL;
	else if (t && strcmp(t, "bfloat16") == 0 && d->dtype == AXT_U16) {
		d->dtype = AXT_BF16;
		d->odd_type = true;
	}
	return NULL;
}

static void
scale_role(struct axt_arena *m, struct axt_file *f, int i, hid_t dset, int has)
{
	static const char marker[] = "This is a netCDF dimension but not a netCDF variable";
	struct axt_dset *d = &f->dsets[i];
	struct axt_src *s = &f->h5->src;
	uint64_t addr = f->h5->objs[i].addr;
	const char *t = axt_h5_text(m, s, dset, addr, "CLASS");

	if (!t || strcmp(t, "DIMENSION_SCALE") != 0 || d->rank != 1)
		return;
	t = has & HAS_NAME ? axt_h5_text(m, s, dset, addr, "NAME") : NULL;
	if (t && strncmp(t, marker, sizeof(marker) - 1) == 0)
		d->role = AXT_ROLE_DIM;
	else if (d->role == AXT_ROLE_TENSOR)
		d->role = AXT_ROLE_SCALE;
}

int
axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, hid_t dset, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	hid_t plist = H5Dget_create_plist(dset);
	struct found w = { 0 };
	struct axt_raw_name *names;
	int n = axt_raw_names(m, &f->h5->src, o->addr, &names);
	const char *t;

	d->role = AXT_ROLE_OTHER;
	for (int k = 0; k < n; k++)
		note(&w, names[k].name);
	free(names);
	d->why = plist < 0 ? "it cannot be read" : refused(m, plist);
	if (!d->why)
		d->why = find_parts(m, f, i, plist, w.has, e);
	if (plist >= 0)
		H5Pclose(plist);
	if (!d->why)
		d->why = type_of(m, f, i, dset, w.has);
	if (!d->why && d->virt && d->role != AXT_ROLE_TENSOR)
		d->why = "text in a virtual dataset is not supported";
	if (!d->why)
		d->why = extents(dset, d, o, o->esize);
	for (int k = 0; !d->why && d->virt && k < d->virt->n; k++)
		if (!d->virt->map[k].dst.all && d->virt->map[k].dst.rank != d->rank)
			d->why = "its maps have another rank";
	if (d->why)
		d->role = AXT_ROLE_OTHER;
	else if (w.has & HAS_CLASS)
		scale_role(m, f, i, dset, w.has);
	if (e->code)
		return e->code;
	for (int k = 0; k < ARRAY_LEN(cf_words); k++) {
		t = w.cf >> k & 1 ? axt_h5_text(m, &f->h5->src, dset, o->addr, cf_words[k]) : NULL;
		if (t && add_words(m, f, i, t, strcmp(cf_words[k], "grid_mapping") == 0,
		    e) != AXT_OK)
			return e->code;
	}
	return AXT_OK;
}
