/*
 * dataset.c - describes a dataset: its type, its extents, and its role (tensor, coordinates, ...).
 */
#include "hdf5/format/raw.h"
#include "files/inner.h"
#include "hdf5/format/virtual.h"

/* ---- description ---- */

/* The attributes that matter for the description. */
enum {
	HAS_CLASS = 1,
	HAS_NAME = 2,
	HAS_DTYPE = 4,
	HAS_CF = 8,
	HAS_MATLAB = 16,
	HAS_EMPTY = 32,
	HAS_NUMBER = 64
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
	else if (strcmp(name, "MATLAB_class") == 0)
		w->has |= HAS_MATLAB;
	else if (strcmp(name, "_Netcdf4Dimid") == 0)
		w->has |= HAS_NUMBER;
	else if (strcmp(name, "MATLAB_empty") == 0)
		w->has |= HAS_EMPTY;
	else
		for (int k = 0; k < AXT_NNAMING; k++)
			if (strcmp(name, axt_naming[k]) == 0)
				w->cf |= 1 << k;
}

/* Why a filter cannot be undone. Those of the registry of the HDF Group have names. */
static const char *
no_filter(struct axt_arena *m, int id)
{
	static const struct {
		int id;
		const char *name;
	} known[] = { { 305, "LZO" }, { 32002, "MAFISC" }, { 32003, "Snappy" }, { 32005, "APAX" },
		{ 32006, "CBF" }, { 32007, "JPEG-XR" }, { 32009, "SPDP" }, { 32010, "LPC-Rice" },
		{ 32011, "CCSDS-123" }, { 32012, "JPEG-LS" }, { 32014, "fpzip" }, { 32016, "B3D" },
		{ 32017, "SZ" }, { 32018, "FCIDECOMP" }, { 32019, "JPEG" }, { 32020, "VBZ" },
		{ 32021, "FAPEC" }, { 32022, "BitGroom" }, { 32023, "Granular BitRound" },
		{ 32024, "SZ3" }, { 32025, "Delta-Rice" }, { 32026, "Blosc2" }, { 32027, "FLAC" },
		{ 32028, "SPERR" } };

	for (int i = 0; i < ARRAY_LEN(known); i++)
		if (known[i].id == id)
			return axt_sprintf(m,
			    "its filter is %s (%d), which axt has not; with the plugin in "
			    "HDF5_PLUGIN_PATH, h5repack -f GZIP=1 IN OUT writes it without",
			    known[i].name, id);
	return axt_sprintf(m, "filter %d is not supported", id);
}

/* Says why a dataset with external files or unknown filters cannot be read; NULL: it can. */
static const char *
refused(struct axt_arena *m, const struct axt_head *h)
{
	const struct axt_msg *ext = axt_head_msg(h, AXT_MSG_EXTERNAL),
			     *g = axt_head_msg(h, AXT_MSG_FILTERS);
	struct axt_hfilters fl;

	if (ext && (ext->c.n < 8 || axt_le(ext->c.p + 6, 2) != 0))
		return "its data is in another file (external storage)";
	if (!g || !axt_msg_filters(g->c, &fl))
		return NULL;
	if (fl.n > AXT_MAX_FILTERS)
		return "it has more than 8 filters";
	for (int k = 0; k < fl.n; k++)
		if (!axt_filter_of(fl.f[k].id))
			return no_filter(m, fl.f[k].id);
	return NULL;
}

/* Reads the maps of a virtual dataset. Returns why they cannot be read, or NULL. */
static const char *
find_parts(struct axt_arena *m, struct axt_file *f, int i, const struct axt_hlayout *l, int has,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];

	if (l->class != AXT_LAY_VIRTUAL)
		return NULL;
	if (has & HAS_CLASS)
		return "coordinates in a virtual dataset are not supported";
	d->virt = axt_h5_virtual(m, f->src, l);
	if (!d->virt)
		axt_fail(e, AXT_E_MEM, "out of memory");
	return d->virt ? d->virt->why : "out of memory";
}

static const char *
extents(const struct axt_head *h, struct axt_dset *d, struct axt_obj *o, int esize)
{
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_SPACE);
	struct axt_hspace sp;
	int64_t n = esize;

	if (!g || !axt_msg_space(g->c, h->r.s, &sp))
		return "its dataspace cannot be read";
	d->rank = sp.rank;
	if (sp.null)
		return "it has no dataspace (null)";
	for (int k = 0; k < d->rank; k++) {
		if (sp.dims[k] > INT64_MAX || !axt_mul(n, MAX((int64_t)sp.dims[k], 1), &n))
			return "it is too large";
		d->dims[k] = (int64_t)sp.dims[k];
	}
	o->unlimited = 0;
	for (int k = 0; k < d->rank; k++)
		if (sp.most[k] == UINT64_MAX)
			o->unlimited |= (uint32_t)1 << k;
	return NULL;
}

/* The role and the dtype of values of that type. Returns why there is none, or NULL. */
static const char *
role_of(struct axt_arena *m, const struct axt_file *f, struct axt_dset *d, struct axt_obj *o,
    const struct axt_htype *type)
{
	struct axt_number *n;
	const char *why = NULL;
	bool swap = false;
	uint64_t size;

	if (axt_h5_is_text(type, &o->vlen, &o->space_pad, &size)) {
		d->role = AXT_ROLE_TEXT;
		d->dtype = AXT_U8;
		o->esize = o->vlen ? axt_raw_vlen_bytes(f->src) : (int)MIN(size, (uint64_t)1 << 30);
		why = size > (uint64_t)1 << 20 ? "its strings are too large" : NULL;
	} else if (axt_h5_dtype(type, &d->dtype, &swap, &why)) {
		why = NULL;
		d->role = AXT_ROLE_TENSOR;
		o->esize = axt_size(d->dtype);
		d->odd_type = axt_dtypes[d->dtype].cls == AXT_CLASS_COMPLEX &&
		    !axt_h5_member_is(type, 0, "r");
	} else if (!(n = axt_alloc(m, sizeof(*n)))) {
		why = "out of memory";
	} else if (axt_h5_number(type, n)) {
		why = NULL;
		d->role = AXT_ROLE_TENSOR;
		d->dtype = n->dtype;
		d->odd_type = true;
		d->st.number = n;
		d->st.record = MAX(d->st.record, type->size);
		o->esize = axt_size(d->dtype);
		swap = false;
	}
	d->st.swap = swap;
	return why;
}

/* What attributes say that stored numbers mean: dtype of xarray and axt, MATLAB_class of MATLAB. */
static void
meant(struct axt_arena *m, struct axt_dset *d, const struct axt_head *h, int has)
{
	const char *t = has & HAS_DTYPE ? axt_h5_text(m, h, "dtype") : NULL;

	if (t && strcmp(t, "bool") == 0 && (d->dtype == AXT_I8 || d->dtype == AXT_U8))
		d->dtype = AXT_BOOL;
	else if (t && strcmp(t, "bfloat16") == 0 && d->dtype == AXT_U16) {
		d->dtype = AXT_BF16;
		d->odd_type = true;
	}
}

/* The dtype that a class of MATLAB has; AUTO: it is no class of numbers. */
static enum axt_dtype
dtype_of_class(const char *class)
{
	return strcmp(class, "logical") == 0 ? AXT_BOOL
	    : strcmp(class, "single") == 0   ? AXT_F32
					     : axt_dtype_parse(class);
}

/*
 * Applies what MATLAB's class of an array says about the stored numbers. If the array is empty, the
 * stored values are its lengths, and the dtype is that of the class. Characters are stored with
 * their axes reversed, so that the letters of a text lie along the first axis.
 */
static void
of_matlab(struct axt_arena *m, struct axt_dset *d, struct axt_obj *o, const struct axt_head *h,
    bool empty)
{
	const char *class = axt_h5_text(m, h, "MATLAB_class");
	enum axt_dtype t = class ? dtype_of_class(class) : AXT_DTYPE_AUTO;
	bool text = class && strcmp(class, "char") == 0 && d->role == AXT_ROLE_TENSOR && !d->virt &&
	    !d->st.record &&
	    (axt_dtypes[d->dtype].cls == AXT_CLASS_UINT ||
		axt_dtypes[d->dtype].cls == AXT_CLASS_INT);

	if (t == AXT_BOOL && d->dtype == AXT_U8)
		d->dtype = AXT_BOOL;
	if (empty && t && d->role == AXT_ROLE_TENSOR && !d->st.record && axt_size(t) <= o->esize) {
		d->dtype = t;
		d->st.record = (uint64_t)o->esize;
		o->esize = axt_size(t);
	}
	if (text && empty) {
		d->role = AXT_ROLE_TEXT;
		o->of_matlab = o->esize;
		o->letters[0] = 0;
		o->letters[1] = 1;
		d->rank = 0;
	} else if (text && d->rank == 2 && o->esize <= 4) {
		d->role = AXT_ROLE_TEXT;
		o->of_matlab = o->esize;
		o->letters[0] = d->dims[0];
		o->letters[1] = d->dims[1];
		d->dims[0] = d->dims[1];
		d->rank = d->dims[0] != 1;
	}
	for (int k = 0; empty && k < d->rank; k++)
		d->dims[k] = 0;
}

/* Whether PyTables wrote it, pandas too, whose bit fields of one byte are booleans. */
static bool
is_of_pytables(struct axt_arena *m, const struct axt_head *h)
{
	static const char *const kinds[] = { "ARRAY", "CARRAY", "EARRAY", "TABLE" };
	const char *t = axt_head_attr(h, "VERSION") ? axt_h5_text(m, h, "CLASS") : NULL;

	for (int i = 0; t && i < ARRAY_LEN(kinds); i++)
		if (strcmp(t, kinds[i]) == 0)
			return true;
	return false;
}

/* The type of the elements of an array that is in each element of a dataset, or the type itself. */
static const struct axt_htype *
innermost(const struct axt_htype *t)
{
	while (t->class == AXT_T_ARRAY)
		t = t->base;
	return t;
}

/*
 * Finds the dtype from the type and from the attributes that change its meaning. Returns why there
 * is none, or NULL.
 */
static const char *
type_of(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h, int has)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_TYPE);
	struct axt_cur c = g ? g->c : (struct axt_cur){ 0 };
	const struct axt_htype *type = axt_msg_type(h->r.m, &c);
	const char *why;

	if (!type)
		return "its type cannot be read";
	why = role_of(m, f, d, o, innermost(type));
	if (!why && type->class == AXT_T_ARRAY) {
		d->st.record = type->size;
		if (d->role == AXT_ROLE_TEXT || d->virt || type->size > INT32_MAX)
			why = d->virt ? "arrays in a virtual dataset are not supported"
				      : "type not supported: array of text, or over 2 GiB";
	}
	if (!why && innermost(type)->class == AXT_T_BITS && o->esize == 1 && is_of_pytables(m, h))
		d->dtype = AXT_BOOL;
	d->is_table = why && type->class == AXT_T_COMPOUND;
	if (d->is_table)
		why = axt_sprintf(m, "a compound table: its members are tensors, such as %s.%s",
		    axt_escape(m, d->name), axt_escape(m, type->member[0].name));
	if (!why && d->role == AXT_ROLE_TENSOR && o->esize <= 2)
		meant(m, d, h, has);
	return why;
}

static void
scale_role(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h, int has)
{
	static const char marker[] = "This is a netCDF dimension but not a netCDF variable";
	struct axt_dset *d = &f->dsets[i];
	const char *t = axt_h5_text(m, h, "CLASS");

	if (!t || strcmp(t, "DIMENSION_SCALE") != 0 || d->rank != 1)
		return;
	t = has & HAS_NAME ? axt_h5_text(m, h, "NAME") : NULL;
	if (t && strncmp(t, marker, sizeof(marker) - 1) == 0)
		d->role = AXT_ROLE_DIM;
	else if (d->role == AXT_ROLE_TENSOR)
		d->role = AXT_ROLE_SCALE;
	f->h5->objs[i].names_axis = d->role == AXT_ROLE_TEXT;
}

/* Appends the lengths of an array that is in each element, whose type is *type then. */
static const char *
add_array(struct axt_dset *d, const struct axt_htype **type)
{
	for (; (*type)->class == AXT_T_ARRAY; *type = (*type)->base)
		for (int k = 0; k < (*type)->rank; k++) {
			if (d->rank == AXT_MAX_RANK)
				return "it has too many dimensions";
			d->dims[d->rank++] = (int64_t)(*type)->dims[k];
			d->st.inner++;
		}
	return NULL;
}

/* The same of a dataset whose elements are arrays. */
static const char *
add_inner(struct axt_dset *d, const struct axt_head *h)
{
	struct axt_cur c = axt_head_msg(h, AXT_MSG_TYPE)->c;
	const struct axt_htype *type = axt_msg_type(h->r.m, &c);

	return type ? add_array(d, &type) : "its type cannot be read";
}

int
axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_LAYOUT);
	struct axt_hlayout lay;
	struct found w = { 0 };
	const char *t;

	d->role = AXT_ROLE_OTHER;
	for (int k = 0; k < h->nattrs; k++)
		note(&w, h->attr[k].name);
	o->numbered = w.has & HAS_NUMBER;
	d->why = g && axt_msg_layout(g->c, h->r.s, &lay) ? refused(m, h) : "it is damaged";
	if (!d->why)
		d->why = find_parts(m, f, i, &lay, w.has, e);
	if (!d->why)
		d->why = type_of(m, f, i, h, w.has);
	if (!d->why && d->virt && d->role != AXT_ROLE_TENSOR)
		d->why = "text in a virtual dataset is not supported";
	if (!d->why)
		d->why = extents(h, d, o, d->st.record ? (int)d->st.record : o->esize);
	if (!d->why && d->st.record)
		d->why = add_inner(d, h);
	if (!d->why)
		d->why = axt_h5_chunks_wrong(&lay, d->rank - d->st.inner, d->dims,
		    d->st.record ? d->st.record : (uint64_t)o->esize);
	if (!d->why && w.has & HAS_MATLAB)
		of_matlab(m, d, o, h, w.has & HAS_EMPTY);
	for (int k = 0; !d->why && d->virt && k < d->virt->n; k++)
		if (!d->virt->map[k].dst.all && !d->virt->map[k].dst.none &&
		    d->virt->map[k].dst.rank != d->rank)
			d->why = "its maps have another rank";
	if (d->why)
		d->role = AXT_ROLE_OTHER;
	else if (w.has & HAS_CLASS)
		scale_role(m, f, i, h, w.has);
	if (e->code)
		return e->code;
	for (int k = 0; k < AXT_NNAMING; k++) {
		t = w.cf >> k & 1 ? axt_h5_text(m, h, axt_naming[k]) : NULL;
		if (t && axt_file_words(m, f, i, t, k, e) != AXT_OK)
			return e->code;
	}
	return AXT_OK;
}

void
axt_h5_describe_member(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    const struct axt_member *x)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_LAYOUT);
	const struct axt_htype *type = x->type;
	struct axt_hlayout lay;

	d->table = x->table;
	d->st.record = x->record;
	d->st.within = x->at;
	d->why = g && axt_msg_layout(g->c, h->r.s, &lay) ? refused(m, h) : "it is damaged";
	if (!d->why && lay.class == AXT_LAY_VIRTUAL)
		d->why = "a table in a virtual dataset is not supported";
	if (!d->why && x->record > INT32_MAX)
		d->why = "its records are too large";
	if (!d->why)
		d->why = extents(h, d, o, (int)x->record);
	if (!d->why && !x->mark)
		d->why = add_array(d, &type);
	if (!d->why)
		d->why = x->mark ? "type not supported: array" : role_of(m, f, d, o, type);
	if (!d->why && type->class == AXT_T_BITS && o->esize == 1 && is_of_pytables(m, h))
		d->dtype = AXT_BOOL;
	if (!d->why && d->st.inner > 0 && d->role == AXT_ROLE_TEXT)
		d->why = "type not supported: array of text";
	if (!d->why)
		d->why = axt_h5_chunks_wrong(&lay, d->rank - d->st.inner, d->dims, x->record);
	if (d->why) {
		d->role = AXT_ROLE_OTHER;
		d->rank = 0;
	}
}
