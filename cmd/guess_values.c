/*
 * guess_values.c - hints about lengths, positions and coordinates that were typed without the names
 * of their axes, or as other tools have them.
 */
#include <stdlib.h>
#include <string.h>

#include "guess.h"

/* axt-pad 1 FILE: on each axis, as in NumPy; axt-shift 1 FILE: along time, or the first axis. */
static const char *
one_number(int f)
{
	const struct cmd_list *a = &cmd_st.args;
	bool pad = strcmp(cmd_st.c->name, "axt-pad") == 0;
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, a->v[f]);
	int rank = e ? axt_expr_rank(e) : 0;
	char spec[300];

	guess_begin();
	for (int i = 0; i < (pad ? rank : rank > 0); i++) {
		const char *axis = axt_expr_axis(e, i);

		if (!pad && guess_has_axis(a->v[f], guess_axis("time")))
			axis = guess_axis("time");
		snprintf(spec, sizeof(spec), "%.200s=%.60s", axis, a->v[0]);
		guess_put(spec, true);
	}
	axt_graph_free(g);
	return rank > 0 ? guess_end(1, -1) : NULL;
}

const char *
guess_number_of_axis(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	bool takes = strcmp(cmd_st.c->name, "axt-pad") == 0 ||
	    strcmp(cmd_st.c->name, "axt-shift") == 0;

	if (!takes || a->n != 2 || !strstr(error, " is not AXIS=") || !guess_is_file(a->v[1]) ||
	    !*a->v[0] || strspn(a->v[0], "-0123456789") != strlen(a->v[0]))
		return NULL;
	return one_number(1);
}

/*
 * Writes START:STEP for LO:HI:STEP, a range that has as many points as the axis has elements, or as
 * many cells; false: it is no such range.
 */
static bool
range_of_points(const char *w, const char *file, char *out, size_t n)
{
	char axis[200];
	double lo, hi, step, len;
	int used = 0;
	size_t at = strcspn(w, "=");

	snprintf(axis, sizeof(axis), "%.*s", (int)at, w);
	if (!w[at] || sscanf(w + at + 1, "%lf:%lf:%lf%n", &lo, &hi, &step, &used) != 3 ||
	    w[at + 1 + (size_t)used] || step == 0)
		return false;
	len = (double)guess_axis_length(file, axis);
	if (len < 1)
		return false;
	if (lo + step * len == hi) /* the edges of cells */
		lo += step / 2;
	else if (lo + step * (len - 1) != hi)
		return false;
	snprintf(out, n, "%s=%.15g:%.15g", axis, lo, step);
	return true;
}

/* axt-coord lon=-180:180: longitudes from there on, of the same elements. */
static const char *
longitudes_from(void)
{
	const struct cmd_list *a = &cmd_st.args;
	int at = a->n == 3 && strcmp(a->v[0], "set") == 0;
	double lo, hi;
	int used = 0;
	char spec[300];
	const char *eq = strchr(a->v[at], '=');

	if (a->n - at != 2 || !eq || sscanf(eq + 1, "%lf:%lf%n", &lo, &hi, &used) != 2 ||
	    eq[1 + used] || hi - lo != 360)
		return NULL;
	snprintf(spec, sizeof(spec), "%.*s@%.200s", (int)(eq - a->v[at]), a->v[at], eq + 1);
	guess_from("axt-slice");
	guess_put(spec, true);
	return guess_end(at + 1, -1);
}

const char *
guess_coordinates(void)
{
	const struct cmd_list *a = &cmd_st.args;
	int last = a->n - 1;
	bool any = false;
	char spec[400];

	if (strcmp(cmd_st.c->name, "axt-coord") == 0 && last > 0 && guess_is_file(a->v[last]) &&
	    longitudes_from())
		return guess_text;

	if (strcmp(cmd_st.c->name, "axt-coord") != 0 || last < 1 || !guess_is_file(a->v[last]))
		return NULL;
	guess_begin();
	if (strcmp(a->v[0], "set") != 0)
		guess_put("set", true);
	for (int i = 0; i < last; i++) {
		bool other = range_of_points(a->v[i], a->v[last], spec, sizeof(spec));

		guess_put(other ? spec : a->v[i], true);
		any = any || other;
	}
	return any ? guess_end(last, -1) : NULL;
}

const char *
cmd_guess_shape(const char *else_hint)
{
	static const char *const axes[] = { "t", "z", "y", "x" };
	const struct cmd_list *a = &cmd_st.args;
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = a->n == 2 ? guess_open_first(g, a->v[1]) : NULL;
	long long count = 1, len[4], rest = 0;
	char list[200] = "";
	int n = 0, open = -1;

	for (int i = 0; e && i < axt_expr_rank(e); i++)
		count *= axt_expr_len(e, i);
	axt_graph_free(g);
	for (const char *p = e ? a->v[0] : ""; p && *p && n < 4; n++) {
		len[n] = atoll(p);
		open = len[n] == -1 ? n : open;
		p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL;
	}
	for (int i = 0; i < n; i++)
		rest = i == open ? rest : (rest ? rest : 1) * len[i];
	if (n == 0 || (open < 0 && rest != count) || (open >= 0 && rest && count % rest) ||
	    (open >= 0 && rest < 0))
		return else_hint;
	if (open >= 0)
		len[open] = rest ? count / rest : count;
	for (int i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s=%lld",
		    i ? "," : "", axes[4 - n + i], len[i]);
	guess_begin();
	guess_put(list, true);
	return guess_end(1, -1);
}

const char *
guess_classes(const char *operand)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	bool bytes = e && axt_expr_dtype(e) == AXT_U8;

	axt_graph_free(g);
	return bytes ? "class=256" : "class=10";
}

/* The axes of `like`, in its order, with lengths for those that `operand` lacks. */
static bool
axes_as_in(const char *operand, const char *like, char *out, size_t size)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, like);
	size_t n = 0;

	for (int i = 0; e && i < axt_expr_rank(e) && n < size; i++) {
		const char *axis = axt_expr_axis(e, i);

		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "," : "", axis);
		if (n < size && !guess_has_axis(operand, axis))
			n += (size_t)snprintf(out + n, size - n, "=%lld",
			    (long long)axt_expr_len(e, i));
	}
	axt_graph_free(g);
	return n > 0 && n < size;
}

const char *
guess_broadcast_like(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char axes[600];
	int small = 0;

	if (strcmp(cmd_st.c->name, "axt-broadcast") != 0 || a->n != 2 || !guess_is_file(a->v[0]) ||
	    !guess_is_file(a->v[1]))
		return NULL;
	if (!axes_as_in(a->v[0], a->v[1], axes, sizeof(axes)))
		return NULL;
	if (!strchr(axes, '=')) /* the first has them all: the second lacks some, if any */
		small = axes_as_in(a->v[1], a->v[0], axes, sizeof(axes)) && strchr(axes, '=');
	if (!small && !axes_as_in(a->v[0], a->v[1], axes, sizeof(axes)))
		return NULL;
	guess_begin();
	guess_put(axes, true);
	guess_put(a->v[small], true);
	return guess_end(a->n, -1);
}

const char *
guess_all_axes(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	struct axt_graph *g;
	const struct axt_expr *e;
	char axes[600];
	size_t n;

	if (strcmp(cmd_st.c->name, "axt-broadcast") != 0 || a->n != 2 ||
	    !strstr(error, " is not among the axes named "))
		return NULL;
	g = axt_graph_new();
	e = guess_open_first(g, a->v[1]);
	n = (size_t)snprintf(axes, sizeof(axes), "%s", a->v[0]);
	for (int i = 0; e && i < axt_expr_rank(e) && n < sizeof(axes); i++) {
		const char *axis = axt_expr_axis(e, i), *at = strstr(a->v[0], axis);
		size_t len = strlen(axis);

		while (
		    at && ((at > a->v[0] && at[-1] != ',') || (at[len] && !strchr("=,", at[len]))))
			at = strstr(at + 1, axis);
		if (!at)
			n += (size_t)snprintf(axes + n, sizeof(axes) - n, ",%s", axis);
	}
	axt_graph_free(g);
	guess_begin();
	guess_put(axes, true);
	return n < sizeof(axes) ? guess_end(1, -1) : NULL;
}

const char *
guess_lengths_of_parts(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *eq = a->n == 2 ? strchr(a->v[0], '=') : NULL;
	char axis[200], by[600] = "";
	bool fields = eq != NULL;

	if (!fields || strcmp(cmd_st.c->name, "axt-unflatten") != 0 ||
	    !strstr(error, " lack length"))
		return NULL;
	snprintf(axis, sizeof(axis), "%.*s", (int)(eq - a->v[0]), a->v[0]);
	for (const char *p = eq + 1; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, ","), p);
		fields = fields && guess_is_field(name);
		snprintf(by + strlen(by), sizeof(by) - strlen(by), "%s%s.%s", *by ? "," : "", axis,
		    name);
	}
	if (!fields)
		return "lengths stand behind the names, such as time=year:10,month:12";
	guess_from("axt-reduce mean --over");
	guess_put(axis, true);
	guess_put("--by", true);
	guess_put(by, true);
	return guess_end(1, -1);
}

const char *
cmd_guess_quantile(const char *word)
{
	static const char *const names[] = { "percentile", "perc", "pctl", "pct", "p", "q",
		"quantile" };
	char meant[80], *end;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);
		const char *number;
		double q;

		if (strncmp(word, names[i], n) != 0)
			continue;
		number = word + n + (word[n] == ':' || word[n] == '=');
		q = strtod(number, &end);
		if (end == number || *end != '\0' || !(q >= 0 && q <= 100))
			continue;
		/* a number below 1 is a quantile, whatever the word is */
		snprintf(meant, sizeof(meant), "quantile:%g",
		    q > 1 || (q == 1 && *names[i] != 'q') ? q / 100 : q);
		return cmd_guess_word(word, meant);
	}
	return NULL;
}
