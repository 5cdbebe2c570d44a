/*
 * places.c - coordinates of a tensor by name or by kind: those of its axes, those that its
 * attributes name, and datasets beside it in its file.
 */
#include <math.h>
#include <strings.h>

#include "grids/grids.h"

/* ---- kinds ---- */

static bool
begins(const char *s, const char *word)
{
	return s && strncasecmp(s, word, strlen(word)) == 0;
}

static bool
has(const char *s, const char *word)
{
	for (; s && *s; s++)
		if (begins(s, word))
			return true;
	return false;
}

static const struct {
	const char *standard, *grid;
	enum axt_degrees units;
	const char *word;
	const char *usual[5]; /* names that such coordinates often have */
} kinds[] = {
	[AXT_PLACE_LAT] = { "latitude", "grid_latitude", AXT_DEGREES_NORTH, "lat",
	    { "lat", "latitude", "nav_lat", "clat", "XLAT" } },
	[AXT_PLACE_LON] = { "longitude", "grid_longitude", AXT_DEGREES_EAST, "lon",
	    { "lon", "longitude", "nav_lon", "clon", "XLONG" } },
};

/* Whether the attributes tell that kind. */
static bool
told(const struct axt_attr *l, int kind)
{
	const char *name = axt_attr_text(l, "standard_name"), *units = axt_attr_text(l, "units");

	if (name)
		return strcmp(name, kinds[kind].standard) == 0 ||
		    strcmp(name, kinds[kind].grid) == 0;
	return axt_units_degrees(units) == kinds[kind].units;
}

bool
axt_place_is(const char *name, const struct axt_attr *attrs, enum axt_place_kind kind)
{
	if (told(attrs, (int)kind))
		return true;
	for (int i = 0; i < ARRAY_LEN(kinds[kind].usual); i++)
		if (strcmp(name, kinds[kind].usual[i]) == 0)
			return true;
	return false;
}

bool
axt_place_is_earth(const char *name, const struct axt_attr *attrs, enum axt_place_kind kind)
{
	const char *standard = axt_attr_text(attrs, "standard_name"),
		   *units = axt_attr_text(attrs, "units");

	if (kind == AXT_PLACE_OTHER || (units && *units && !begins(units, "deg")))
		return false;
	return standard ? strcmp(standard, kinds[kind].standard) == 0
			: axt_place_is(name, attrs, kind);
}

enum axt_place_kind
axt_place_kind(const char *name, const struct axt_attr *attrs)
{
	for (int k = AXT_PLACE_LAT; k <= AXT_PLACE_LON; k++)
		if (told(attrs, k))
			return (enum axt_place_kind)k;
	for (int k = AXT_PLACE_LAT; k <= AXT_PLACE_LON; k++)
		if (has(name, kinds[k].word))
			return (enum axt_place_kind)k;
	return AXT_PLACE_OTHER;
}

/* ---- finding ---- */

/* Whether a dataset lies over one or more axes of a, and over no others, and has numbers. */
static bool
lies_over(const struct axt_expr *a, const struct axt_aux *x)
{
	if (x->text || x->axes.n == 0 || axt_dtypes[x->dtype].cls == AXT_CLASS_COMPLEX)
		return false;
	for (int i = 0; i < x->axes.n; i++) {
		int k = axt_axes_find(&a->axes, &x->axes.a[i]);

		if (k < 0 || x->own[i] || a->axes.a[k].len != x->axes.a[i].len)
			return false;
	}
	return true;
}

int
axt_place_of(struct axt_graph *g, const struct axt_aux *x, struct axt_place *out)
{
	*out = (struct axt_place){ .aux = x };
	out->c = (struct axt_coord){ .dtype = x->dtype, .data = x->data, .attrs = x->attrs };
	if (!axt_axes_count(&x->axes, &out->c.n))
		return axt_fail(&g->err, AXT_E_LIMIT, "the coordinate \"%s\" is too large",
		    axt_escape(g->m, x->name));
	if (x->dtype == AXT_BOOL) { /* its bytes are the numbers 0 and 1 */
		out->c.dtype = AXT_U8;
		return 0;
	}
	return axt_coord_decode(g->m, x->name, &out->c, &g->err);
}

/* The coordinate of axis x as a dataset over that axis. Returns as axt_place_find. */
static int
of_axis(struct axt_graph *g, const struct axt_axis *x, struct axt_place *out)
{
	struct axt_aux *c;

	if (!x->coord || !x->coord->data || x->coord->text || x->level != 0)
		return 0;
	c = axt_alloc(g->m, sizeof(*c));
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
	*c = (struct axt_aux){ .name = x->name,
		.axes = { .n = 1, .a = { *x } },
		.dtype = x->coord->dtype,
		.data = x->coord->data,
		.attrs = x->coord->attrs };
	if (axt_place_of(g, c, out))
		return -1;
	out->is_axis = true;
	return 1;
}

/*
 * Reads the dataset `name` that lies beside the one that a is made of, or is that one. Returns as
 * axt_place_find.
 */
static int
beside(struct axt_graph *g, const struct axt_expr *a, const char *name, struct axt_place *out)
{
	struct axt_file *f;
	bool itself;
	struct axt_dset *x = axt_beside_operand(g, a, name, &f, &itself);
	struct axt_aux *c;

	if (!x || x->role == AXT_ROLE_TEXT)
		return g->err.code ? -1 : 0;
	c = axt_alloc(g->m, sizeof(*c));
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
	if (x->reversed || axt_load_aux(g, f, x, &a->axes, c))
		return g->err.code ? -1 : 0;
	if (!lies_over(a, c))
		return 0;
	if (axt_place_of(g, c, out))
		return -1;
	out->added = !itself;
	out->itself = itself;
	return 1;
}

int
axt_place_find(struct axt_graph *g, const struct axt_expr *a, const char *name, bool axis,
    struct axt_place *out)
{
	int i = axt_axes_find(&a->axes, &(struct axt_axis){ .name = name });

	if (i >= 0)
		return axis ? of_axis(g, &a->axes.a[i], out) : 0;
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (strcmp(x->name, name) == 0 && lies_over(a, x))
			return axt_place_of(g, x, out) ? -1 : 1;
	return beside(g, a, name, out);
}

int
axt_place_of_kind(struct axt_graph *g, const struct axt_expr *a, bool lon, struct axt_place *out)
{
	enum axt_place_kind kind = lon ? AXT_PLACE_LON : AXT_PLACE_LAT;

	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (axt_place_is(x->name, x->attrs, kind) && lies_over(a, x))
			return axt_place_of(g, x, out) ? -1 : 1;
	for (int i = 0; i < a->axes.n; i++)
		if (a->axes.a[i].coord &&
		    axt_place_is(a->axes.a[i].name, a->axes.a[i].coord->attrs, kind))
			return of_axis(g, &a->axes.a[i], out);
	return 0;
}

struct axt_expr *
axt_place_add(struct axt_graph *g, struct axt_expr *a, const struct axt_aux *x)
{
	struct axt_expr *e = axt_relabel(g, a, &a->axes, axt_identity);
	struct axt_meta *m = axt_bad(e) ? NULL : axt_meta_copy(g, a->meta);
	struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

	if (!m || !c)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	*c = *x;
	c->next = (struct axt_aux *)m->aux;
	m->aux = c;
	m->attrs = axt_add_coordinate(g, m->attrs, x->name);
	e->meta = m;
	e->from = a->from;
	return e;
}

const char *
axt_place_list(struct axt_graph *g, const struct axt_expr *a)
{
	const char *list = NULL;

	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (lies_over(a, x))
			list = list ? axt_sprintf(g->m, "%s, %s", list, axt_escape(g->m, x->name))
				    : axt_escape(g->m, x->name);
	return list;
}
