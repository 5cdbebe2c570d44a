/* range.c - the range of values that a figure shows, and its colours. */
#include "plot/maker.h"

#include <math.h>
#include <stdlib.h>

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The values that a range is taken of: finite, and positive with --log. Returns how many. */
static int64_t
usable(const struct axt_maker *m, const double *v, int64_t n, double *out)
{
	int64_t k = 0;

	for (int64_t i = 0; i < n; i++)
		if (isfinite(v[i]) && !(m->o->log && v[i] <= 0))
			out[k++] = v[i];
	return k;
}

static int
typed_range(struct axt_maker *m, struct axt_scale *s)
{
	struct axt_graph *g = m->g;
	const char *text = m->o->range, *comma = strchr(text, ',');
	char *end, *last;
	double lo, hi;

	lo = axt_strtod(text, &end);
	hi = comma ? axt_strtod(comma + 1, &last) : 0;
	if (!comma || end != comma || last == comma + 1 || *last || !isfinite(hi - lo) ||
	    !(lo < hi))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--range takes LO,HI, two numbers of which the second is larger, not \"%s\"",
		    axt_escape(g->m, text));
	if (m->o->log && lo <= 0)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--range %s begins at %g, which has no logarithm", axt_escape(g->m, text), lo);
	axt_scale_range(s, lo, hi);
	return 0;
}

/*
 * A range gets zero in its middle only if at least a tenth of it lies on each side of zero. Else
 * too much of it would be empty: nearly half, for sea temperatures from -1.8 to 31.
 */
int
axt_make_range(struct axt_maker *m, struct axt_scale *s, const double *v, const double *w,
    int64_t n, bool *both)
{
	double *u, lo = NAN, hi = NAN;
	int64_t k;

	s->log = m->o->log;
	if (both)
		*both = false;
	u = malloc(((size_t)n * 2 + 1) * sizeof(*u));
	if (!u)
		return axt_make_oom(m);
	k = usable(m, v, n, u);
	k += w && w != v ? usable(m, w, n, u + k) : 0;
	if (k > 0 && m->o->clip > 0)
		qsort(u, (size_t)k, sizeof(*u), by_value);
	if (k > 0 && m->o->clip > 0) {
		int64_t cut = (int64_t)floor((double)k * m->o->clip / 100);

		cut = MIN(cut, (k - 1) / 2);
		lo = u[cut];
		hi = u[k - 1 - cut];
	} else if (k > 0) {
		lo = hi = u[0];
		for (int64_t i = 1; i < k; i++) {
			lo = fmin(lo, u[i]);
			hi = fmax(hi, u[i]);
		}
	}
	free(u);
	if (m->o->range)
		return typed_range(m, s);
	if (k == 0)
		axt_make_note(m, m->o->log ? "no finite value above 0" : "no finite value");
	if (both && !s->log && lo < 0 && hi > 0 && fmin(-lo, hi) >= 0.1 * (hi - lo)) {
		*both = true;
		hi = fmax(-lo, hi);
		lo = -hi;
	}
	if (k == 0)
		lo = s->log ? 1 : 0, hi = s->log ? 10 : 1;
	axt_scale_range(s, lo, hi);
	return 0;
}

int
axt_make_colors(struct axt_maker *m, bool both)
{
	struct axt_graph *g = m->g;
	const char *name = m->o->colors;

	m->f->colors = axt_colors_named(name ? name : both ? "RdBu_r" : "viridis");
	if (!m->f->colors) {
		axt_fail(&g->err, AXT_E_ARG, "no colour map is called \"%s\"",
		    axt_escape(g->m, name));
		return axt_about(&g->err, AXT_BAD_VALUE, name, "colors");
	}
	return 0;
}
