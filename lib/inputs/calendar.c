/*
 * calendar.c - operands such as FILE:time.month: a field of a CF time axis, as a tensor over that
 * axis.
 */
#include "inputs/inputs.h"

static const char *const fields[] = { "year", "season", "month", "day", "hour", "dayofyear" };

static int64_t
field_of(const struct axt_cffields *f, int k)
{
	switch (k) {
	case 0: return f->year;
	case 1: return f->season;
	case 2: return f->month;
	case 3: return f->day;
	case 4: return f->hour;
	default: return f->dayofyear;
	}
}

/* The index of the field that the name ends in, or -1. *dot is where the name of the axis ends. */
static int
field_named(const char *name, const char **dot)
{
	*dot = strrchr(name, '.');
	for (int k = 0; *dot && k < ARRAY_LEN(fields); k++)
		if (strcmp(*dot + 1, fields[k]) == 0)
			return k;
	return -1;
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
		if (strncmp(f->dsets[i].name, name, n) == 0 && !f->dsets[i].name[n])
			axt_hint(&g->err, "a date has a year, season, month, day, hour, dayofyear");
}

struct axt_expr *
axt_calendar(struct axt_graph *g, struct axt_file *f, const char *name)
{
	const char *dot;
	int k = field_named(name, &dot);
	const char *axis = axt_strndup(g->m, name, (size_t)(dot - name));
	struct axt_storage *st = axt_alloc(g->m, sizeof(*st));
	struct axt_expr *e = axt_node(g, AXT_NODE_LEAF, AXT_I32);
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));
	const struct axt_coord *c;
	struct axt_cftime t;
	struct axt_dset *d;
	int32_t *v;

	if (!axis || !st || !m || axt_bad(e) || axt_file_find(g->m, f, axis, &d, &g->err) ||
	    axt_dset_load(g->m, f, d, &g->err))
		return axt_node_failed(g);
	c = d->rank == 1 ? d->axes.a[0].coord : NULL;
	if (!c || c->text || !c->data ||
	    !axt_cftime_parse(axt_attr_text(c->attrs, "units"), axt_attr_text(c->attrs, "calendar"),
		&t))
		return axt_graph_fail(g, AXT_E_ARG,
		    "%s:%s is no CF time axis: it has no \"UNIT since DATE\"",
		    axt_escape(g->m, f->path), axt_escape(g->m, axis));
	v = axt_alloc(g->m, (size_t)c->n * sizeof(*v) + 1);
	if (!v)
		return axt_node_failed(g);
	for (int64_t i = 0; i < c->n; i++) {
		double x = axt_load_f64(c->dtype,
		    (const uint8_t *)c->data + i * axt_size(c->dtype));
		struct axt_cffields fl;

		if (!axt_cftime_fields(&t, x, &fl))
			return axt_graph_fail(g, AXT_E_RANGE,
			    "%s:%s has no valid date at index %lld", axt_escape(g->m, f->path),
			    axt_escape(g->m, axis), (long long)i);
		v[i] = (int32_t)field_of(&fl, k);
	}
	e->axes = d->axes;
	e->from = axt_sprintf(g->m, "%s:%s", axt_escape(g->m, f->path), axt_escape(g->m, name));
	*m = (struct axt_meta){ .name = fields[k], .file_attrs = f->attrs };
	e->meta = m;
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT,
		.dtype = AXT_I32,
		.rank = 1,
		.count = c->n,
		.fd = -1,
		.mem = v,
		.from = e->from,
		.esize = 4 };
	st->dims[0] = c->n;
	e->u.leaf.st = st;
	axt_view_layout(&e->u.leaf.view, 1, st->dims, NULL, 'C', &st->count);
	return e->from ? e : axt_node_failed(g);
}
