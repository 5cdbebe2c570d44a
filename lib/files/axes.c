/*
 * axes.c - names and coordinates of the axes of a dataset. An axis has the name of the last
 * dimension scale that is attached to it, or else the label of the dimension, or else dim_0,
 * dim_1...
 */
#include "files/inner.h"

#include "bytes/bytes.h"

/* The labels of an attribute that is one text: netCDF classic has them in lines. */
static void
take_lines(struct axt_arena *m, int rank, const char *s, const char *label[AXT_MAX_RANK])
{
	for (int k = 0; k < rank; k++) {
		size_t n = strcspn(s, "\n");

		label[k] = axt_strndup(m, s, n);
		s += n + (s[n] != '\0');
	}
}

void
axt_take_labels(struct axt_arena *m, int rank, bool chars, const struct axt_attr **attrs,
    const char *label[AXT_MAX_RANK])
{
	const struct axt_attr *a = axt_attr_find(*attrs, AXT_LABELS);
	int lines = 1;

	if (!a || a->kind == AXT_ATTR_NUM || (a->kind == AXT_ATTR_TEXTS && a->n != rank))
		return;
	for (const char *s = a->kind == AXT_ATTR_TEXT ? a->text : ""; *s; s++)
		lines += *s == '\n';
	/* a last dimension of characters has no label */
	if (a->kind == AXT_ATTR_TEXT && lines != rank && (a->dims || !chars || lines != rank - 1))
		return;
	if (a->kind == AXT_ATTR_TEXT)
		take_lines(m, lines, a->text, label);
	for (int k = 0; k < rank && a->kind == AXT_ATTR_TEXTS; k++)
		label[k] = ((const char *const *)a->data)[k];
	*attrs = axt_attr_drop(m, *attrs, AXT_LABELS);
}

/* Reads the attributes and values of scale k, unless they have been read. */
static int
load_scale(struct axt_arena *m, struct axt_file *f, int k, struct axt_err *e)
{
	struct axt_obj *o = &f->h5->objs[k];
	struct axt_dims dims = { .said = { NULL } };
	const struct axt_attr *attrs = NULL;
	int rc;

	if (o->have_coord)
		return AXT_OK;
	rc = f->h5->kind->load(m, f, k, &attrs, &dims, e);
	if (rc != AXT_OK)
		return rc;
	axt_take_labels(m, 1, false, &attrs, dims.said);
	o->parts = axt_attr_text(attrs, "axt_parts");
	o->along = axt_attr_text(attrs, "axt_along");
	if (axt_attr_find(attrs, "axt_parts"))
		attrs = axt_attr_drop(m, attrs, "axt_parts");
	if (axt_attr_find(attrs, "axt_along"))
		attrs = axt_attr_drop(m, attrs, "axt_along");
	rc = axt_coord_load(m, f, k, attrs, dims.said[0], &o->coord, e);
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

	if (one && d->role != AXT_ROLE_DIM && d->dims[0] != len && o->records != len &&
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

/*
 * Gives axes without a scale the labels of their dimensions as names. An axis with an invented
 * name, such as dim_0, may have a scale of another number, such as dim_2, because its group has a
 * dim_0 of another length; its label then has the right number.
 */
static void
from_labels(struct axt_arena *m, const struct axt_dims *dims, struct axt_axes *x)
{
	for (int k = 0; k < x->n; k++) {
		const struct axt_axis own = x->a[k];
		struct axt_axis named = { .name = NULL };

		if (!dims->label[k] || !*dims->label[k])
			continue;
		if (axt_axis_from_file(m, dims->label[k], &named) != AXT_OK)
			named.name = NULL;
		if (own.name &&
		    (!named.name || !axt_axis_unnamed(&own) || !axt_axis_unnamed(&named)))
			continue;
		x->a[k] = named;
		x->a[k].len = own.len;
		x->a[k].unlimited = own.unlimited;
	}
}

/*
 * Notes which axes have labels in the file. A label that only tells the number of an invented name
 * is not noted. If the axis has the same name as its label, "" is noted, otherwise the label.
 */
static void
note_labels(struct axt_arena *m, const struct axt_dims *dims, struct axt_axes *x)
{
	for (int k = 0; k < x->n; k++) {
		struct axt_axis *a = &x->a[k];
		const char *name = axt_axis_spell(m, a), *said = dims->said[k];

		if (said && *said && name && !(dims->scale[k] >= 0 && axt_axis_unnamed(a)))
			a->label = strcmp(name, said) == 0 ? "" : said;
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
axt_file_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_dims *dims,
    struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	bool own = d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM ||
	    f->h5->objs[i].names_axis;
	struct axt_axes *x = &d->axes;
	int rc = AXT_OK, k;

	x->n = d->rank;
	for (k = 0; k < x->n; k++)
		x->a[k] = (struct axt_axis){ .len = d->dims[k],
			.unlimited = f->h5->objs[i].unlimited >> k & 1 };
	for (int a = 0; a < x->n && rc == AXT_OK; a++) {
		k = own && a == 0 ? i : dims->scale[a];
		if (k >= 0)
			rc = from_scale(m, f, k, &x->a[a], e);
		/* the axis is unlimited if its scale is */
		if (x->a[a].name)
			x->a[a].unlimited = f->h5->objs[k].unlimited & 1;
	}
	if (rc == AXT_OK)
		from_labels(m, dims, x);
	for (k = 0; k < x->n && rc == AXT_OK; k++)
		if (!x->a[k].name)
			rc = invent(m, x, k, e);
	if (rc == AXT_OK)
		note_labels(m, dims, x);
	for (k = 0; k < x->n && rc == AXT_OK; k++) {
		x->a[k].from = d->st.from;
		for (int j = 0; j < k; j++)
			if (axt_axis_same(&x->a[j], &x->a[k]))
				d->dup_axes = true;
	}
	return rc;
}
