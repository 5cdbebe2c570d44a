/*
 * places.c - coordinates of a tensor by name or by kind: those of its axes, those that its
 * attributes name, and datasets beside it in its file.
 */
#include "grids/grids.h"

bool
axt_place_pair(const enum axt_meaning is[2])
{
	return (is[0] == AXT_MEANS_LAT && is[1] == AXT_MEANS_LON) ||
	    (is[0] == AXT_MEANS_LON && is[1] == AXT_MEANS_LAT);
}

/* ---- finding ---- */

/* Whether a dataset has numbers, and lies over axes of a that were those of its tensor. */
static bool
lies_over(const struct axt_expr *a, const struct axt_aux *x)
{
	for (int i = 0; i < x->axes.n; i++)
		if (x->own[i])
			return false;
	return !x->text && axt_dtypes[x->dtype].cls != AXT_CLASS_COMPLEX &&
	    axt_axes_over(&x->axes, &a->axes, NULL);
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

int
axt_place_find(struct axt_graph *g, const struct axt_expr *a, const char *name, bool axis,
    struct axt_place *out)
{
	int i = axt_axes_find(&a->axes, &(struct axt_axis){ .name = name });
	struct axt_companion c;

	if (i >= 0)
		return axis ? of_axis(g, &a->axes.a[i], out) : 0;
	if (!axt_companion_find(g, a, name, &c) || (c.d && c.d->role == AXT_ROLE_TEXT) ||
	    axt_companion_read(g, a, &c) <= 0)
		return g->err.code ? -1 : 0;
	if (!lies_over(a, c.aux))
		return 0;
	if (axt_place_of(g, c.aux, out))
		return -1;
	out->added = c.d && !c.itself;
	out->itself = c.itself;
	return 1;
}

int
axt_place_of_kind(struct axt_graph *g, const struct axt_expr *a, bool lon, struct axt_place *out)
{
	enum axt_meaning is = lon ? AXT_MEANS_LON : AXT_MEANS_LAT;

	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (axt_meaning(x->name, x->attrs) == is && lies_over(a, x))
			return axt_place_of(g, x, out) ? -1 : 1;
	for (int i = 0; i < a->axes.n; i++)
		if (a->axes.a[i].coord &&
		    axt_meaning(a->axes.a[i].name, a->axes.a[i].coord->attrs) == is)
			return of_axis(g, &a->axes.a[i], out);
	return 0;
}

struct axt_expr *
axt_place_add(struct axt_graph *g, struct axt_expr *a, const struct axt_aux *x)
{
	struct axt_meta *m = axt_dress(g, &a, NULL);
	struct axt_aux *c = axt_alloc(g->m, sizeof(*c));

	if (!m || !c)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	*c = *x;
	c->next = (struct axt_aux *)m->aux;
	m->aux = c;
	m->attrs = axt_add_coordinate(g, m->attrs, x->name);
	return a;
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

/* Whether the n bytes at w are the name of one of the coordinates. */
static bool
is_of(const struct axt_aux *const of[], int count, const char *w, size_t n)
{
	for (int k = 0; k < count; k++)
		if (of[k] && strlen(of[k]->name) == n && strncmp(of[k]->name, w, n) == 0)
			return true;
	return false;
}

const struct axt_attr *
axt_place_leave(struct axt_graph *g, const struct axt_attr *l, const struct axt_aux *const of[],
    int count)
{
	const char *p = axt_attr_text(l, "coordinates");

	l = axt_attr_drop(g->m, l, "grid_mapping");
	l = axt_attr_drop(g->m, l, "cell_measures");
	l = axt_attr_drop(g->m, l, "coordinates");
	for (size_t n; p && *p; p += n + strspn(p + n, " ")) {
		n = strcspn(p, " ");
		if (n && !is_of(of, count, p, n))
			l = axt_add_coordinate(g, l, axt_strndup(g->m, p, n));
	}
	return l;
}
