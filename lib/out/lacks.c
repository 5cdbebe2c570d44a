/* lacks.c - what a whole file has and another format cannot hold: told, where a copy lacks it. */
#include "out/inner.h"

/* Names for one warning. */
struct names {
	struct axt_graph *g;
	struct axt_buf b;
	const char *said[64]; /* the first ones, which are not repeated */
	int n;
};

static void
add_name(struct names *x, const char *group, const char *name)
{
	const char *path = *group && *name ? axt_sprintf(x->g->m, "%s/%s", group, name)
	    : *group                       ? group
					   : name;

	for (int i = 0; path && i < MIN(x->n, ARRAY_LEN(x->said)); i++)
		if (strcmp(x->said[i], path) == 0)
			return;
	if (path && x->n < ARRAY_LEN(x->said))
		x->said[x->n] = path;
	axt_buf_addf(&x->b, "%s%s", x->n++ ? ", " : "", path ? axt_escape(x->g->m, path) : "?");
}

/* The unlimited ones of axes of something in the root; classic has one that is empty. */
static void
add_unlimited(struct names *x, const struct axt_axes *axes)
{
	for (int k = 0; k < axes->n; k++)
		if (axes->a[k].unlimited && axes->a[k].len > 0)
			add_name(x, "", axt_axis_spell(x->g->m, &axes->a[k]));
}

static void
tell(struct names *x, const char *out, const char *why)
{
	const char *text = axt_buf_text(x->g->m, &x->b);

	if (x->n > 0 && text)
		axt_warn(x->g, "%s: %s: %s", axt_escape(x->g->m, out), why, text);
}

/* Dimensions that nothing lies along, which a store of Zarr has not. */
static void
tell_bare(struct axt_graph *g, const char *out, const struct axt_out_rest *rest)
{
	struct names x = { .g = g };

	for (const struct axt_out_rest *r = rest; r; r = r->next)
		if (r->axes && !r->shared)
			add_name(&x, r->group, axt_axis_spell(g->m, &r->axes->a[0]));
	tell(&x, out, "a store of Zarr has no axes but those of arrays, so these are left out");
}

/* Axes of the root that classic has not: further ones without positions. */
static void
add_empty(struct names *x, const struct axt_out_rest *rest, const char *records)
{
	for (const struct axt_out_rest *r = rest; r; r = r->next) {
		const char *name = !*r->group && r->axes && r->axes->a[0].len == 0
		    ? axt_axis_spell(x->g->m, &r->axes->a[0])
		    : NULL;

		if (name && records && strcmp(name, records) != 0)
			add_name(x, "", name);
		else if (name)
			records = name;
	}
}

/* What axes are in classic: of fixed lengths, but for one without positions. */
static void
tell_fixed(struct axt_graph *g, const char *out, const struct axt_delivery *o,
    const struct axt_out_rest *rest)
{
	struct names x = { .g = g };
	const char *records = NULL; /* the axis without positions that classic has */

	for (int i = 0; i < o->n; i++) {
		add_unlimited(&x, &o->v[i].axes);
		if (o->v[i].axes.n > 0 && o->v[i].axes.a[0].len == 0)
			records = axt_axis_spell(g->m, &o->v[i].axes.a[0]);
	}
	for (const struct axt_out_rest *r = rest; r; r = r->next) {
		if (*r->group) /* which is told */
			continue;
		if (r->aux && r->aux->axes.n > 0 && r->aux->axes.a[0].len == 0)
			records = axt_axis_spell(g->m, &r->aux->axes.a[0]);
		if (r->axes)
			add_unlimited(&x, r->axes);
		if (r->aux)
			add_unlimited(&x, &r->aux->axes);
	}
	add_empty(&x, rest, records);
	tell(&x, out,
	    "axt writes netCDF classic with fixed lengths, so these axes are not unlimited, or left "
	    "out if they are empty");
}

static void
add_complex(struct names *x, const char *name, const struct axt_attr *a)
{
	for (; a; a = a->next)
		if (a->kind == AXT_ATTR_NUM && axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
			add_name(x, "", axt_sprintf(x->g->m, "%s:%s", name, a->name));
}

/* The same for coordinates and for what goes along with a tensor. */
static void
add_complex_beside(struct names *x, const struct axt_out_var *v)
{
	for (int k = 0; k < v->axes.n; k++)
		if (v->axes.a[k].coord)
			add_complex(x, v->axes.a[k].name, v->axes.a[k].coord->attrs);
	for (const struct axt_aux *a = v->aux; a; a = a->next)
		add_complex(x, a->name, a->attrs);
}

/* Complex numbers in attributes, which are written as text; classic has nothing of groups. */
static void
tell_complex(struct axt_graph *g, const char *out, const struct axt_delivery *o,
    const struct axt_out_rest *rest, bool zarr)
{
	struct names x = { .g = g };

	for (int i = 0; i < o->n; i++) {
		add_complex(&x, o->v[i].name, o->v[i].attrs);
		add_complex_beside(&x, &o->v[i]);
	}
	if (o->n > 0 && o->e[0]->meta)
		add_complex(&x, "", o->e[0]->meta->file_attrs);
	for (const struct axt_out_rest *r = rest; r; r = r->next) {
		if (*r->group && !zarr)
			continue;
		add_complex(&x, r->group, r->attrs);
		if (r->aux)
			add_complex(&x, r->aux->name, r->aux->attrs);
	}
	tell(&x, out, "it has no complex attributes, so these are written as text");
}

void
axt_tell_lacks(struct axt_graph *g, const char *out, const struct axt_delivery *o,
    const struct axt_out_rest *rest, enum axt_lacking format)
{
	bool zarr = format == AXT_LACKING_ZARR;
	struct names groups = { .g = g };

	for (const struct axt_out_rest *r = rest; r; r = r->next) {
		if (r->link)
			axt_warn(g, "%s/%s is left out: it is a link to %s, and %s has none",
			    axt_escape(g->m, r->group), axt_escape(g->m, r->link),
			    axt_escape(g->m, r->to), zarr ? "a store of Zarr" : "netCDF classic");
		else if (*r->group && !r->shared && !zarr)
			add_name(&groups, r->group,
			    r->aux        ? r->aux->name
				: r->axes ? r->axes->a[0].name
					  : "");
	}
	tell(&groups, out, "netCDF classic has no groups, so these are left out");
	tell_complex(g, out, o, rest, zarr);
	if (zarr)
		tell_bare(g, out, rest);
	else
		tell_fixed(g, out, o, rest);
}
