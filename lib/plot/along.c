/* along.c - the axes of a tensor as axes of a picture: where its elements lie, and what says so. */
#include "plot/along.h"

#include <math.h>

const char *
axt_plot_title(struct axt_graph *g, const struct axt_attr *attrs, const char *name)
{
	const char *s = axt_attr_text(attrs, "long_name");

	s = s && *s ? s : axt_attr_text(attrs, "standard_name");
	s = axt_escape(g->m, s && *s ? s : name ? name : "");
	return s ? s : ""; /* out of memory, which is told when the figure is made */
}

const char *
axt_plot_with_units(struct axt_graph *g, const char *title, const struct axt_attr *attrs)
{
	const char *u = axt_attr_text(attrs, "units");

	if (!u || *u == '\0' || strcmp(u, "1") == 0)
		return title;
	u = axt_escape(g->m, u);
	u = u ? axt_sprintf(g->m, "%s%s[%s]", title, *title ? " " : "", u) : NULL;
	return u ? u : "";
}

double
axt_along_at(const struct axt_along *a, int64_t i)
{
	double v;

	if (!a->coord)
		return (double)i;
	v = axt_load_f64(a->coord->dtype,
	    (const char *)a->coord->data + i * axt_size(a->coord->dtype));
	return a->scale.kind == AXT_SCALE_TIMES ? axt_cftime_seconds(&a->time, v) : v;
}

/* Whether values rise, or fall, all along. */
static bool
monotonic(const struct axt_along *a)
{
	bool up = a->n > 1 && axt_along_at(a, a->n - 1) > axt_along_at(a, 0);
	double before = 0;

	for (int64_t i = 0; i < a->n; i++) {
		double v = axt_along_at(a, i);

		if (!isfinite(v) || (i > 0 && !(up ? v > before : v < before)))
			return false;
		before = v;
	}
	return true;
}

static const char *const *
labels(struct axt_graph *g, const struct axt_axis *a)
{
	const char *const *s = a->coord->data;
	const char **l = axt_alloc(g->m, ((size_t)a->len + 1) * sizeof(*l));

	for (int64_t i = 0; l && i < a->len; i++)
		l[i] = axt_escape(g->m, s[i]);
	return l;
}

int
axt_plot_along(struct axt_graph *g, const struct axt_axis *a, bool up, struct axt_along *out)
{
	const struct axt_coord *c = a->coord && a->coord->data ? a->coord : NULL;
	const struct axt_attr *attrs = a->coord ? a->coord->attrs : NULL;
	enum axt_meaning is = axt_meaning_likely(a->name, attrs);
	struct axt_scale *s = &out->scale;

	*out = (struct axt_along){ .n = a->len };
	s->title = axt_plot_title(g, attrs, axt_axis_spell(g->m, a));
	if (c && !c->text && axt_dtypes[c->dtype].cls != AXT_CLASS_COMPLEX) {
		out->coord = c;
		if (axt_attrs_time(attrs, &out->time)) {
			s->kind = AXT_SCALE_TIMES;
			s->calendar = out->time.calendar;
		}
		if (!monotonic(out))
			out->coord = NULL;
	}
	if (!out->coord) {
		s->kind = AXT_SCALE_LABELS;
		s->down = up; /* as matrices are printed */
		s->label = c && c->text ? labels(g, a) : NULL;
		return axt_arena_failed(g->m) ? axt_fail(&g->err, AXT_E_MEM, "out of memory") : 0;
	}
	s->down = up && axt_meaning_down(attrs);
	if (s->kind == AXT_SCALE_TIMES)
		return 0;
	s->kind = is == AXT_MEANS_LON ? AXT_SCALE_EAST
	    : is == AXT_MEANS_LAT     ? AXT_SCALE_NORTH
				      : AXT_SCALE_NUMBERS;
	out->earth = axt_meaning_earth(a->name, attrs);
	if (s->kind == AXT_SCALE_NUMBERS)
		s->title = axt_plot_with_units(g, s->title, attrs);
	return 0;
}

/* The edge in front of element i, halfway to the one before; those at the ends are as far. */
static double
edge(const struct axt_along *a, int64_t i)
{
	int64_t n = a->n, left = i == n ? n - 2 : i == 0 ? 0 : i - 1;
	double v, half;

	if (n == 1)
		return axt_along_at(a, 0) + (i ? 0.5 : -0.5);
	v = axt_along_at(a, left);
	half = (axt_along_at(a, left + 1) - v) / 2;
	return i == 0 ? v - half : i == n ? v + 3 * half : v + half;
}

double *
axt_plot_edges(struct axt_graph *g, const struct axt_along *a, int64_t block)
{
	int64_t n = (a->n + block - 1) / block;
	double *e = axt_alloc(g->m, ((size_t)n + 1) * sizeof(*e));

	if (!e)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; e && i <= n; i++) {
		e[i] = edge(a, MIN(i * block, a->n));
		/* no cell goes beyond a pole */
		if (a->scale.kind == AXT_SCALE_NORTH)
			e[i] = fmin(fmax(e[i], -90), 90);
	}
	return e;
}

double *
axt_plot_middles(struct axt_graph *g, const struct axt_along *a, int64_t block)
{
	int64_t n = (a->n + block - 1) / block;
	double *m = axt_alloc(g->m, ((size_t)n + 1) * sizeof(*m));

	if (!m)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t i = 0; m && i < n; i++) {
		double first = axt_along_at(a, i * block),
		       last = axt_along_at(a, MIN((i + 1) * block, a->n) - 1);

		m[i] = first + (last - first) / 2;
	}
	return m;
}

const char *
axt_plot_coord(struct axt_graph *g, const struct axt_axis *a, int64_t i)
{
	const struct axt_coord *c = a->coord && a->coord->data ? a->coord : NULL;
	struct axt_cftime t;
	bool time = c && !c->text && axt_attrs_time(c->attrs, &t);

	if (c && c->text)
		return axt_escape(g->m, ((const char *const *)c->data)[i]);
	if (c)
		return axt_coord_value(g->m, c, time ? &t : NULL, i);
	return axt_sprintf(g->m, "%lld", (long long)i);
}

const char *
axt_index_text(struct axt_graph *g, const struct axt_expr *e, int i, int64_t index)
{
	int64_t len = axt_expr_len(e, i);

	return index < 0 || index >= len ? NULL : axt_plot_coord(g, &e->axes.a[i], index);
}

bool
axt_plot_falls(struct axt_graph *g, const struct axt_expr *e, int i, bool up)
{
	struct axt_along a;

	if (axt_expr_len(e, i) < 2 || axt_plot_along(g, &e->axes.a[i], up, &a))
		return false;
	return (axt_along_at(&a, a.n - 1) < axt_along_at(&a, 0)) != a.scale.down;
}
