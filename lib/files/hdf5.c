/* hdf5.c - HDF5 as one of the kinds of files that are read: listed, and one dataset loaded. */
#include "hdf5/format/raw.h"
#include "files/inner.h"

static int
list(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	struct axt_err walk = { 0 };

	if (axt_h5_super(f, e))
		return e->code;
	axt_h5_walk(m, f, &walk);
	/* what could not be read may be missing because the stream ended early */
	if (f->src->err || (f->stream && f->src->eof && f->src->size < f->src->eoa))
		return axt_h5_failed(f, "", e);
	if (walk.code != AXT_OK)
		*e = walk;
	return (int)walk.code;
}

int
axt_h5_at(const struct axt_file *f, uint64_t addr)
{
	for (int i = 0; i < f->ndsets; i++)
		if (f->h5->objs[i].addr == addr)
			return i;
	return -1;
}

int
axt_h5_reopen(struct axt_file *f, int i, struct axt_head *h, struct axt_err *e)
{
	if (axt_head_open(h, f->src, f->h5->objs[i].addr))
		return AXT_OK;
	return axt_h5_failed(f, "a dataset cannot be opened again", e);
}

/* ---- the axes of a dataset ---- */

/* Whether DIMENSION_LIST is a list of lists of object references. If not, it is ignored. */
static bool
list_is_sane(struct axt_arena *m, const struct axt_hattr *a)
{
	struct axt_cur c = a->type;
	const struct axt_htype *t = axt_msg_type(m, &c);

	return t && t->class == AXT_T_VLEN && (t->bits & 15) == 0 && t->base->class == AXT_T_REF &&
	    (t->base->bits & 15) == 0;
}

/* The lists of the scales of each axis, as they are stored; NULL: there are none that are sane. */
static const uint8_t *
scale_lists(struct axt_arena *m, const struct axt_head *h, int rank)
{
	const struct axt_hattr *list = axt_head_attr(h, "DIMENSION_LIST");
	const uint8_t *p;
	size_t n = 0;

	if (rank == 0 || !list || !list_is_sane(h->r.m, list))
		return NULL;
	p = axt_raw_attr(m, h->r.s, list, &n);
	return p && n == (size_t)rank * (size_t)axt_raw_vlen_bytes(h->r.s) ? p : NULL;
}

/* Finds the address of the last scale that is attached to each axis; UINT64_MAX: none. */
static void
scales_of(struct axt_arena *m, const struct axt_head *h, int rank, uint64_t *scale)
{
	struct axt_src *s = h->r.s;
	const uint8_t *p = scale_lists(m, h, rank), *refs;
	size_t k;

	for (int a = 0; a < rank; a++) {
		refs = p ? axt_raw_vlen(m, s, p + (size_t)a * (size_t)axt_raw_vlen_bytes(s),
			       (size_t)s->addr_size, &k)
			 : NULL;
		scale[a] = refs && k > 0
		    ? axt_le(refs + (k - 1) * (size_t)s->addr_size, s->addr_size)
		    : UINT64_MAX;
	}
}

int
axt_h5_attached(struct axt_file *f, int i, void (*each)(void *ctx, uint64_t addr), void *ctx,
    struct axt_err *e)
{
	struct axt_src *s = f->src;
	size_t width = (size_t)axt_raw_vlen_bytes(s), size = (size_t)s->addr_size, n;
	struct axt_head h = { 0 };
	const uint8_t *p, *refs;

	if (axt_h5_reopen(f, i, &h, e) == AXT_OK && (p = scale_lists(h.r.m, &h, f->dsets[i].rank)))
		for (int a = 0; a < f->dsets[i].rank; a++) {
			refs = axt_raw_vlen(h.r.m, s, p + (size_t)a * width, size, &n);
			for (size_t k = 0; refs && k < n; k++)
				each(ctx, axt_le(refs + k * size, s->addr_size));
		}
	axt_head_close(&h);
	return e->code;
}

/* The integers of an attribute of netCDF's own; NULL: it has none, or one of another form. */
static const uint8_t *
own_numbers(struct axt_arena *m, const struct axt_head *h, const char *name, int n)
{
	const struct axt_hattr *a = axt_head_attr(h, name);
	struct axt_cur c = a ? a->type : (struct axt_cur){ 0 };
	const struct axt_htype *t = a ? axt_msg_type(m, &c) : NULL;
	enum axt_dtype d;
	const char *why;
	bool swap;
	size_t got = 0;
	uint8_t *p = t && axt_h5_dtype(t, &d, &swap, &why) && d == AXT_I32
	    ? axt_raw_attr(m, h->r.s, a, &got)
	    : NULL;

	if (!p || got != (size_t)n * 4)
		return NULL;
	if (swap)
		axt_swap_items(p, n, 4);
	return p;
}

/* The dataset that has this number as a dimension of netCDF, or -1. */
static int
of_dimension(struct axt_arena *m, struct axt_file *f, int32_t id)
{
	int found = -1;

	for (int i = 0; i < f->ndsets && found < 0; i++) {
		struct axt_head h = { 0 };
		struct axt_err none = { 0 };
		const uint8_t *p = f->h5->objs[i].numbered && !axt_h5_reopen(f, i, &h, &none)
		    ? own_numbers(m, &h, "_Netcdf4Dimid", 1)
		    : NULL;

		if (p && memcmp(p, &id, 4) == 0)
			found = i;
		axt_head_close(&h);
	}
	return found;
}

/* A dimension scale of several axes, which no scale is attached to: netCDF has their numbers. */
static void
numbered_dims(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_dims *x)
{
	int rank = f->dsets[i].rank;
	const uint8_t *p = f->h5->objs[i].numbered && rank > 1
	    ? own_numbers(m, h, "_Netcdf4Coordinates", rank)
	    : NULL;

	for (int k = 0; p && k < rank; k++) {
		int32_t id;

		memcpy(&id, p + 4 * (size_t)k, 4);
		x->scale[k] = of_dimension(m, f, id);
	}
}

/*
 * Finds what names the axes of dataset i: for each dimension the last dimension scale that is
 * attached to it, and its label.
 */
static void
dims_of(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_dims *x)
{
	int rank = f->dsets[i].rank;
	uint64_t scale[AXT_MAX_RANK];
	int64_t n = 0;
	const char **s;

	scales_of(m, h, rank, scale);
	s = axt_h5_texts(m, h, AXT_LABELS, &n);
	for (int k = 0; k < rank; k++) {
		x->scale[k] = scale[k] == UINT64_MAX ? -1 : axt_h5_at(f, scale[k]);
		x->label[k] = x->said[k] = s && n == rank ? s[k] : NULL;
	}
	if (!axt_head_attr(h, "DIMENSION_LIST"))
		numbered_dims(m, f, i, h, x);
}

/* ---- records ---- */

/* The scale of the first axis of a dataset, which may be that itself; or -1. */
static int
record_scale(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h)
{
	const struct axt_dset *d = &f->dsets[i];
	uint64_t scale[AXT_MAX_RANK];

	if (d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM || f->h5->objs[i].names_axis)
		return i;
	scales_of(m, h, d->rank, scale);
	return scale[0] == UINT64_MAX ? -1 : axt_h5_at(f, scale[0]);
}

/* How many records scale k stands for: the most of it and of what it is attached to. */
static int
count_records(struct axt_arena *m, struct axt_file *f, int k, struct axt_err *e)
{
	struct axt_obj *o = &f->h5->objs[k];
	int64_t most = f->dsets[k].dims[0];

	for (int i = 0; i < f->ndsets && !e->code && o->records == 0; i++) {
		const struct axt_dset *d = &f->dsets[i];
		struct axt_head h = { 0 };

		if (i == k || !(f->h5->objs[i].unlimited & 1) || d->dims[0] <= most || d->table)
			continue;
		if (!axt_h5_reopen(f, i, &h, e) && record_scale(m, f, i, &h) == k)
			most = d->dims[0];
		axt_head_close(&h);
	}
	o->records = MAX(o->records, most);
	return e->code;
}

/*
 * Makes a dataset as long as its unlimited dimension: a variable of netCDF may have fewer records
 * than that, and reads as fill values where it has none.
 */
static int
add_records(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	int k;

	if (!(f->h5->objs[i].unlimited & 1) || d->rank == 0 || d->virt || d->st.record ||
	    (k = record_scale(m, f, i, h)) < 0 || !(f->h5->objs[k].unlimited & 1))
		return 0;
	if (count_records(m, f, k, e) || f->h5->objs[k].records <= d->dims[0])
		return e->code;
	d->st.stored = d->dims[0];
	d->st.cut = true;
	d->dims[0] = f->h5->objs[k].records;
	return 0;
}

static int
load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **attrs,
    struct axt_dims *x, struct axt_err *e)
{
	struct axt_head h = { 0 };
	int rc = axt_h5_reopen(f, i, &h, e);

	if (rc == AXT_OK && !f->dsets[i].loaded && !f->dsets[i].st.cut)
		rc = add_records(m, f, i, &h, e);
	if (rc == AXT_OK && !f->dsets[i].loaded)
		rc = axt_h5_storage(m, f, i, &h, e);
	if (rc == AXT_OK && f->dsets[i].table) /* the attributes are the table's */
		*attrs = NULL;
	else if (rc == AXT_OK)
		rc = axt_h5_attrs(m, f, &h, attrs, e) || axt_h5_enum(m, f, i, &h, attrs, e)
		    ? (int)e->code
		    : AXT_OK;
	if (rc == AXT_OK && x)
		dims_of(m, f, i, &h, x);
	axt_head_close(&h);
	return rc;
}

uint64_t
axt_dset_grows(const struct axt_file *f, const struct axt_dset *d)
{
	const struct axt_obj *o = f->h5->kind == &axt_kind_hdf5 ? &f->h5->objs[d - f->dsets] : NULL;

	return o && f->src->growth && o->unlimited == 1 && d->loaded && !d->reversed &&
		!d->dup_axes && !d->st.cut && !d->is_table && !d->table && !d->st.record &&
		!d->virt && (d->role == AXT_ROLE_DIM || !d->st.swap)
	    ? o->addr
	    : 0;
}

const struct axt_file_kind axt_kind_hdf5 = { .list = list, .load = load, .follow = axt_h5_follow };
