/* steps.c - rows of rewrites.def that are functions: brackets, numbers, names, parts. */
#include <ctype.h>
#include <strings.h>

#include "axt_cmd.h"
#include "calc/call.h"
#include "calc/respell.h"
#include "calc/rewrite.h"

#define is axt_rw_is
#define text axt_rw_text

/* A bracket that lacks the other one of its pair. */
bool
axt_rw_brackets(struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);

	if (t->mate >= 0 || t->quoted || t->n != 1)
		return false;
	if (*t->s == ')' && i + 1 == w->n)
		return axt_rw_put(w, i, i + 1, "");
	if (!strchr("([", *t->s) || !axt_rw_ends(w, w->n - 1))
		return false;
	return axt_rw_put(w, w->n, w->n, *t->s == '(' ? ")" : "]");
}

/*
 * Whether token i is a number with a decimal comma behind it, as 0,5. It is none within brackets,
 * where a comma is between arguments, and none before three digits, which may be thousands.
 */
static bool
is_decimal_comma(const struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i), *u = axt_rw_at(w, i + 2);

	for (int k = 0; k < i; k++)
		if (w->t[k].mate > i)
			return false;
	return is(w, i + 1, ",") && u->kind == AXT_CALC_NUMBER && axt_rw_glued(w, i + 1) &&
	    axt_rw_glued(w, i + 2) && u->n != 3 && !memchr(t->s, '.', t->n) &&
	    !memchr(u->s, '.', u->n);
}

/* 1_000, 1d-3, 1.0f, 3L and 0,5 */
bool
axt_rw_numbers(struct axt_rw *w, int i)
{
	const struct axt_rw_token *t = axt_rw_at(w, i);
	const char *s;
	size_t n = 0;
	int to = i;

	if (t->kind != AXT_CALC_NUMBER)
		return false;
	if (is_decimal_comma(w, i))
		return axt_rw_put(w, i + 1, i + 2, ".");
	s = axt_respell_number(w->c->g, t->s, &n);
	while (to < w->n && w->t[to].s + w->t[to].n <= t->s + n)
		to++;
	return s && to > i && w->t[to - 1].s + w->t[to - 1].n == t->s + n &&
	    !(to == i + 2 && axt_rw_operand(w, i + 1)) && axt_rw_put(w, i, to, s);
}

/* ---- names ---- */

/* Whether a name stands for a value, which nothing has. */
static bool
is_unknown(const struct axt_rw *w, int i)
{
	static const char own[] = "nan inf pi true false";

	return axt_rw_is_name(w, i) && !is(w, i + 1, "(") && !is(w, i + 1, "=") &&
	    !is(w, i - 1, ".") && !axt_rw_known(w, i) && !axt_rw_is_axis(w, axt_rw_word(w, i)) &&
	    axt_word_index(own, w->t[i].s, w->t[i].n) < 0;
}

/* group/t and group.t, which begin with no "/"; t, which is in a group only. */
bool
axt_rw_paths(struct axt_rw *w, int i)
{
	const char *words = "", *best = NULL;
	int last = i;

	if (!is_unknown(w, i) || (axt_rw_glued(w, i) && is(w, i - 1, "/")))
		return false;
	for (int k = i; axt_rw_is_name(w, k) && words; k += 2) {
		const char *path;

		words = axt_sprintf(w->c->g->m, "%s%s%s", words, k > i ? "/" : "",
		    axt_rw_word(w, k));
		path = words && !is(w, k + 1, "(") ? axt_rw_path(w, words) : NULL;
		if (path) {
			best = path;
			last = k;
		}
		if (!(is(w, k + 1, "/") || is(w, k + 1, ".")) || !axt_rw_glued(w, k + 1) ||
		    !axt_rw_glued(w, k + 2))
			break;
	}
	return best && axt_rw_put(w, i, last + 1, best);
}

/* The coordinates of an axis as a value: its name, or a.AXIS if no operand is called so. */
static const char *
coordinates_of(const struct axt_rw *w, const char *axis)
{
	const char *name = axis;

	for (const struct axt_calc_name *x = w->c->names; x && axis; x = x->next) {
		int k = axt_axes_spelled(&x->e->axes, axis);

		if (strcmp(x->name, axis) == 0)
			return axis;
		if (k >= 0 && x->e->axes.a[k].coord)
			name = axt_sprintf(w->c->g->m, "%s.%s", x->name, axis);
	}
	return name;
}

/* A name that is much like one operand's, or that an axis usually has; degrees become radians. */
bool
axt_rw_names(struct axt_rw *w, int i)
{
	const char *names[64], *near, *s = axt_rw_word(w, i);
	bool angle = is(w, i - 1, "(") && is(w, i + 1, ")") &&
	    axt_rw_at(w, i - 2)->kind == AXT_CALC_NAME &&
	    axt_word_index("cos sin tan", w->t[i - 2].s, w->t[i - 2].n) >= 0;
	int n = 0;

	if (!is_unknown(w, i) || is(w, i + 1, ".") || axt_calc_is_function(s))
		return false;
	near = axt_rw_usual(w, s);
	near = is(w, i - 1, "=") ? near : coordinates_of(w, near);
	if (near && angle && strcmp(s, "time") != 0)
		near = axt_sprintf(w->c->g->m, "radians(%s)", near);
	for (struct axt_calc_name *x = w->c->names; x && n < ARRAY_LEN(names); x = x->next) {
		names[n++] = x->name;
		near = !near && strcasecmp(x->name, s) == 0 ? x->name : near;
	}
	if (!near && !is(w, i - 1, "="))
		near = axt_nearest(s, names, n);
	return near && axt_rw_put(w, i, i + 1, near);
}

/* ---- parts ---- */

/* Whether the text is a date, as no position is. */
static bool
is_date(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n >= 4 && s[n] == '-' && isdigit((unsigned char)s[n + 1]);
}

/* Whether the numbers of a spec are no positions along an axis: they have a point, or are large. */
static bool
is_label(const struct axt_axis *a, const char *spec)
{
	for (const char *s = spec; *s; s += strspn(s, ",:")) {
		char one[40];
		struct axt_num v;
		size_t n = strcspn(s, ",:");

		snprintf(one, sizeof(one), "%.*s", (int)n, s);
		s += n;
		if (axt_parse_num(one, &v) && (!v.is_int || v.f > (double)a->len))
			return true;
	}
	return is_date(spec);
}

/*
 * The word AXIS=... or AXIS@... that the tokens from `from` up to `to`, one argument of a part
 * a[...], stand for. *k is the number of the axis that an argument without a name means, and moves
 * on; it becomes -1 after an argument that names its axis.
 */
static const char *
part_word(struct axt_rw *w, const struct axt_expr *e, int from, int to, int *k)
{
	struct axt_graph *g = w->c->g;
	const char *name = axt_rw_word(w, from), *sign = axt_rw_word(w, from + 1), *spec;
	int axis = axt_axes_spelled(&e->axes, name);

	if (to > from + 2 && axis >= 0 && axt_choice("=|@|==", sign) >= 0) {
		*k = -1;
		spec = axt_respell_spec(g, text(w, from + 2, to), 0);
		if (!spec ||
		    (*sign == '=' && !sign[1] && axt_rw_begins(w, from + 2) &&
			!axt_rw_at(w, from + 2)->quoted &&
			strspn(spec, "0123456789.-,:") < strlen(spec)))
			return text(w, from, to);
		return axt_sprintf(g->m, "%s%s%s", name,
		    strcmp(sign, "=") != 0 || is_label(&e->axes.a[axis], spec) ? "@" : "=", spec);
	}
	spec = axt_respell_spec(g, text(w, from, to), 0);
	if (spec && axt_rw_at(w, from)->quoted && is_date(spec))
		return axt_rw_usual(w, "time")
		    ? axt_sprintf(g->m, "%s@%s", axt_rw_usual(w, "time"), spec)
		    : NULL;
	if (*k < 0 && spec && strspn(spec, "0123456789-:.") == strlen(spec))
		return spec; /* of the list that begins before it */
	if (!spec || *k < 0 || *k >= e->axes.n || strspn(spec, "0123456789-,:") < strlen(spec))
		return NULL;
	(*k)++;
	return strcmp(spec, ":") == 0
	    ? ""
	    : axt_sprintf(g->m, "%s=%s", axt_axis_spell(g->m, &e->axes.a[*k - 1]), spec);
}

/* a[0, :, 1:3], a[..., 0], a[lat=-45.0], a["2000-01"], a[lat=slice(0, 2)] */
bool
axt_rw_parts(struct axt_rw *w, int i)
{
	const struct axt_expr *e;
	struct axt_rw_args a;
	const char *all = "", *s;
	int from = i, k = 0, end = axt_rw_at(w, i)->mate;

	if (!is(w, i, "[") || i == 0 || !axt_rw_ends(w, i - 1) || !axt_rw_args(w, i, &a) || !a.n)
		return false;
	while (from > 0 && (axt_rw_ends(w, from - 1) || is(w, from - 1, ".")))
		from = w->t[from - 1].mate >= 0 ? w->t[from - 1].mate : from - 1;
	e = axt_rw_built(w, from, text(w, from, i));
	for (int j = 0; e && j < a.n && all; j++) {
		if (j == 0 && strcmp(text(w, a.from[0], a.to[0]), "...") == 0) {
			k = e->axes.n - a.n + 1;
			continue;
		}
		s = part_word(w, e, a.from[j], a.to[j], &k);
		if (!s)
			return false;
		all = axt_sprintf(w->c->g->m, "%s%s%s", all, *all && *s ? ", " : "", s);
	}
	if (!e || !all)
		return false;
	all = *all ? axt_sprintf(w->c->g->m, "[%s]", all) : "";
	return all && axt_rw_put(w, i, end + 1, all);
}

/*
 * Puts a part of a coordinate in the place of the coordinate, if the text takes a part of a tensor
 * along the same axis: a[lat@0:30]*cos(lat) becomes a[lat@0:30]*cos(lat[lat@0:30]).
 */
bool
axt_rw_coordinates(struct axt_rw *w, int i)
{
	const char *axis = axt_rw_is_name(w, i) ? axt_rw_word(w, i) : "";
	int end = is(w, i + 1, ".") && axt_rw_is_name(w, i + 2) ? i + 2 : i;
	struct axt_rw_args a;

	if (!*axis || is(w, i - 1, ".") || is(w, i - 1, "@") || is(w, i - 1, "=") ||
	    is(w, end + 1, "=") || is(w, end + 1, "@") || is(w, end + 1, "[") ||
	    is(w, end + 1, "(") || !axt_rw_is_axis(w, axis))
		return false;
	for (int k = 0; k + 1 < w->n; k++) {
		if (!is(w, k, "[") || !axt_rw_args(w, k, &a) || (k < i && w->t[k].mate > i))
			continue;
		for (int j = 0; j < a.n; j++)
			if (is(w, a.from[j], axis) &&
			    (is(w, a.from[j] + 1, "=") || is(w, a.from[j] + 1, "@")))
				return axt_rw_put(w, end, end + 1,
				    axt_sprintf(w->c->g->m, "%s[%s]", axt_rw_text(w, end, end + 1),
					text(w, a.from[j], a.to[j])));
	}
	return false;
}
