/*
 * axes.c - names and coordinates of the axes of a dataset. The name of an axis is that of the last
 * dimension scale that is attached, or else the label of the dimension, or else dim_0, dim_1...
 */
#include "hdf5/format/raw.h"
#include "hdf5/read/h5.h"

#include "bytes/bytes.h"

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

/* Reads the attributes and values of scale k, unless they have been read. */
static int
load_scale(struct axt_arena *m, struct axt_file *f, int k, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[k];
	struct axt_obj *o = &f->h5->objs[k];
	const struct axt_attr *attrs = NULL;
	struct axt_head h = { 0 };
	int rc;

	if (o->have_coord)
		return AXT_OK;
	rc = axt_h5_reopen(f, k, &h, e);
	if (rc == AXT_OK)
		rc = axt_h5_attrs(m, f, &h, &attrs, e);
	if (rc == AXT_OK && !d->loaded)
		rc = axt_h5_storage(m, f, k, &h, e);
	axt_head_close(&h);
	if (rc != AXT_OK)
		return rc;
	o->parts = axt_attr_text(attrs, "axt_parts");
	o->along = axt_attr_text(attrs, "axt_along");
	if (axt_attr_find(attrs, "axt_parts"))
		attrs = axt_attr_drop(m, attrs, "axt_parts");
	if (axt_attr_find(attrs, "axt_along"))
		attrs = axt_attr_drop(m, attrs, "axt_along");
	rc = axt_coord_load(m, f, k, attrs, &o->coord, e);
	o->have_coord = rc == AXT_OK;
	return rc;
}

/* The first n coordinates of c. An unlimited scale may be longer than the data. */
static const struct axt_coord *
shorter(struct axt_arena *m, const struct axt_coord *c, int64_t n)
{
	struct axt_coord *s;

	if (!c || !c->data || c->n == n)
		return c;
	s = axt_alloc(m, sizeof(*s));
	if (s) {
		*s = *c;
		s->n = n;
	}
	return s;
}

/* Makes an axis from scale k. If the length of the scale does not fit, the axis gets no name. */
static int
from_scale(struct axt_arena *m, struct axt_file *f, int k, struct axt_axis *x, struct axt_err *e)
{
	const struct axt_dset *d = &f->dsets[k];
	const struct axt_obj *o = &f->h5->objs[k];
	int64_t len = x->len;
	bool own = x->unlimited;
	int rc;
	bool one = d->role != AXT_ROLE_OTHER && d->rank == 1;

	if (one && d->role != AXT_ROLE_DIM && d->dims[0] != len &&
	    !((o->unlimited & 1) && d->dims[0] > len))
		return AXT_OK;
	rc = axt_axis_from_file(m, d->name, x);
	x->len = len;
	x->unlimited = own;
	if (rc != AXT_OK)
		return axt_fail(e, rc == AXT_E_MEM ? AXT_E_MEM : AXT_E_AXES,
		    "%s: an axis has no usable name", axt_h5_where(m, f, d));
	if (!one)
		return AXT_OK;
	rc = load_scale(m, f, k, e);
	if (rc != AXT_OK)
		return rc;
	x->coord = shorter(m, o->coord, len);
	x->parts = o->parts;
	x->along = o->along;
	return AXT_OK;
}

/* Gives axes that have no name yet the labels of their dimensions. */
static void
from_labels(struct axt_arena *m, const struct axt_head *h, struct axt_axes *x)
{
	int64_t n = 0;
	const char **s = axt_h5_texts(m, h, "DIMENSION_LABELS", &n);

	for (int k = 0; s && k < x->n && n == x->n; k++) {
		const struct axt_axis own = x->a[k];

		if (x->a[k].name || !*s[k])
			continue;
		if (axt_axis_from_file(m, s[k], &x->a[k]) != AXT_OK)
			x->a[k].name = NULL;
		x->a[k].len = own.len;
		x->a[k].unlimited = own.unlimited;
	}
}

static bool
taken(const struct axt_axes *x, const char *name)
{
	for (int k = 0; k < x->n; k++)
		if (x->a[k].name && x->a[k].level == 0 && strcmp(x->a[k].name, name) == 0)
			return true;
	return false;
}

/* Names axis k "dim_K", and appends underscores until no other axis has that name. */
static int
invent(struct axt_arena *m, struct axt_axes *x, int k, struct axt_err *e)
{
	char name[64 + AXT_MAX_RANK];
	int n = snprintf(name, 64, "dim_%d", k);

	for (; taken(x, name) && n + 1 < (int)sizeof(name); n++)
		memcpy(name + n, "_", 2);
	x->a[k].level = 0;
	x->a[k].name = axt_strdup(m, name);
	return x->a[k].name ? AXT_OK : axt_fail(e, AXT_E_MEM, "out of memory");
}

int
axt_h5_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_axes *x = &d->axes;
	uint64_t scale[AXT_MAX_RANK];
	int rc = AXT_OK, k;

	x->n = d->rank;
	for (k = 0; k < x->n; k++)
		x->a[k] = (struct axt_axis){ .len = d->dims[k],
			.unlimited = f->h5->objs[i].unlimited >> k & 1 };
	scales_of(m, h, x->n, scale);
	if (d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM)
		scale[0] = f->h5->objs[i].addr;
	for (int a = 0; a < x->n && rc == AXT_OK; a++) {
		k = scale[a] == UINT64_MAX ? -1 : axt_h5_at(f, scale[a]);
		if (k >= 0)
			rc = from_scale(m, f, k, &x->a[a], e);
		/* the axis is unlimited if its scale is */
		if (x->a[a].name)
			x->a[a].unlimited = f->h5->objs[k].unlimited & 1;
	}
	if (rc == AXT_OK)
		from_labels(m, h, x);
	for (k = 0; k < x->n && rc == AXT_OK; k++)
		if (!x->a[k].name)
			rc = invent(m, x, k, e);
	for (k = 0; k < x->n && rc == AXT_OK; k++) {
		x->a[k].from = d->st.from;
		for (int j = 0; j < k; j++)
			if (axt_axis_same(&x->a[j], &x->a[k]))
				d->dup_axes = true;
	}
	return rc;
}
