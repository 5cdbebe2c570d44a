/*
 * calendar.c - fields of a CF time axis as tensors over that axis: operands such as
 * FILE:time.month, and time.month of an axis that a tensor has.
 */
#include "inputs/inputs.h"

/* The number of the field that the name ends in, or -1. *dot is where the name of the axis ends. */
static int
field_named(const char *name, const char **dot)
{
	*dot = strrchr(name, '.');
	return *dot ? axt_cffield_named(*dot + 1) : -1;
}

bool
axt_is_calendar(struct axt_file *f, const char *name)
{
	const char *dot;

	if (!name || field_named(name, &dot) < 0)
		return false;
	for (int i = 0; i < f->ndsets; i++)
		if (strcmp(f->dsets[i].name, name) == 0 || strcmp(f->dsets[i].path, name) == 0)
			return false; /* a dataset of that name is meant instead */
	return true;
}

void
axt_calendar_hint(struct axt_graph *g, const struct axt_file *f, const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;
	size_t n = dot ? (size_t)(dot - name) : 0;

	for (int i = 0; dot && g->err.code == AXT_E_NAME && i < f->ndsets; i++)
		if (strncmp(f->dsets[i].name, name, n) == 0 && !f->dsets[i].name[n] &&
		    !f->dsets[i].is_table)
			axt_hint(&g->err,
			    "a date has a year, season, month, day, hour, dayofyear, daysinmonth, "
			    "date");
}

struct axt_expr *
axt_time_leaf(struct axt_graph *g, const struct axt_axis *x, const int32_t *v, const char *name,
    const char *from)
{
	struct axt_axes axes = { .n = 1, .a = { *x } };
	struct axt_expr *e = axt_memory_leaf(g, AXT_I32, &axes, v);
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));

	if (!m || !from || axt_bad(e))
		return axt_node_failed(g);
	*m = (struct axt_meta){ .name = name };
	e->meta = m;
	e->from = from;
	return e;
}

struct axt_expr *
axt_axis_calendar(struct axt_graph *g, const struct axt_axis *x, int k, const char *what,
    const char *from)
{
	const struct axt_cffields *f = axt_axis_dates(g->m, x, what, &g->err);
	int32_t *v = f ? axt_alloc(g->m, (size_t)x->len * sizeof(*v) + 1) : NULL;

	if (!v)
		return axt_node_failed(g);
	for (int64_t i = 0; i < x->len; i++)
		v[i] = (int32_t)axt_cffield_of(&f[i], k);
	return axt_time_leaf(g, x, v, axt_cffield_name(k), from);
}

struct axt_expr *
axt_calendar(struct axt_graph *g, struct axt_file *f, const char *name)
{
	static const struct axt_axis none;
	const char *dot, *file = axt_escape(g->m, f->path);
	int k = field_named(name, &dot);
	const char *axis = axt_strndup(g->m, name, (size_t)(dot - name));
	struct axt_expr *e;
	struct axt_meta *m;
	struct axt_dset *d;

	if (!axis || axt_file_find(g->m, f, axis, &d, &g->err) ||
	    axt_dset_load(g->m, f, d, &g->err))
		return axt_node_failed(g);
	e = axt_axis_calendar(g, d->rank == 1 ? &d->axes.a[0] : &none, k,
	    axt_sprintf(g->m, "%s:%s", file, axt_escape(g->m, axis)),
	    axt_sprintf(g->m, "%s:%s", file, axt_escape(g->m, name)));
	m = axt_dress(g, &e, NULL);
	if (m)
		m->file_attrs = f->attrs;
	return e;
}
