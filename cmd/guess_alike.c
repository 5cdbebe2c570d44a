/*
 * guess_alike.c - hints about axes that were typed by their usual names, and that the operand calls
 * otherwise: the line with its names.
 */
#include <string.h>

#include "guess.h"

/* The axis of e that is along the same as the name says; NULL: there is none. */
static const char *
alike(const struct axt_expr *e, const char *name)
{
	const char *meaning = guess_meaning_of(name);

	for (int i = 0; i < axt_expr_rank(e); i++)
		if (strcmp(guess_meaning(e, i), meaning) == 0)
			return axt_expr_axis(e, i);
	return NULL;
}

/* The only axis of e that is no time and no place on the earth, such as levels; NULL. */
static const char *
vertical(const struct axt_expr *e)
{
	const char *found = NULL;

	for (int i = 0; i < axt_expr_rank(e); i++) {
		if (axt_has_word("time degrees_north degrees_east", guess_meaning(e, i)))
			continue;
		if (found)
			return NULL;
		found = axt_expr_axis(e, i);
	}
	return found;
}

/*
 * Adds AXES=..., AXES@... or AXES, with the operand's names in place of those that it lacks.
 * `levels`: other names are those of its levels. Returns whether one was replaced.
 */
static bool
put_named(const struct axt_expr *e, const char *w, bool levels)
{
	size_t all = strcspn(w, "=@"), used = 0;
	char name[64], out[1024] = "";
	bool any = false;

	for (const char *p = w; p < w + all;) {
		size_t n = strcspn(p, ",=@");
		const char *own;
		bool there = false;

		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		for (int i = 0; i < axt_expr_rank(e); i++)
			there = there || strcmp(axt_expr_axis(e, i), name) == 0;
		own = there ? NULL : alike(e, name);
		own = own || there || !levels ? own : vertical(e);
		any = any || own;
		if (used < sizeof(out))
			used += (size_t)snprintf(out + used, sizeof(out) - used, "%s%s",
			    own ? own : name, p[n] == ',' ? "," : "");
		p += n + (p[n] == ',');
	}
	if (any && used < sizeof(out))
		snprintf(out + used, sizeof(out) - used, "%s", w + all);
	guess_put(any ? out : w, true);
	return any;
}

/* axt-interp lat,lon=GRID of an operand without such axes: the nearest cells are taken. */
static const char *
nearest_cells(const char *file)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *grid = a->n == 2 ? strchr(a->v[0], '=') : NULL;
	char points[2048];

	if (strcmp(cmd_st.c->name, "axt-interp") != 0 || !grid || !guess_is_file(grid + 1) ||
	    !strchr(a->v[0], ',') || strchr(a->v[0], ',') > grid)
		return NULL;
	snprintf(points, sizeof(points), "%.*s@%s", (int)(grid - a->v[0]), a->v[0], grid + 1);
	guess_from("axt-take");
	guess_put(points, true);
	guess_put("--nearest", true);
	guess_put(file, true);
	for (int i = 0; i < o->n; i++)
		if (strcmp(o->v[i], "--method") == 0)
			i++;
		else if (strncmp(o->v[i], "--method=", 9) != 0)
			guess_put(o->v[i], true);
	return guess_text;
}

const char *
guess_axis_alike(const char *error)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *file = NULL, *points;
	struct axt_graph *g;
	const struct axt_expr *e;
	bool any = false, levels = guess_option_at("--points", &points) >= 0;

	if (strncmp(error, "no axis \"", 9) != 0 || strcmp(cmd_st.c->name, "axt-calc") == 0)
		return NULL;
	for (int i = 0; i < a->n && !file; i++)
		file = guess_is_file(a->v[i]) ? a->v[i] : NULL;
	g = file ? axt_graph_new() : NULL;
	e = g ? guess_open_first(g, file) : NULL;
	guess_begin();
	for (int i = 0; e && i < a->n; i++) {
		bool spec = i < cmd_st.nwords ||
		    (strpbrk(a->v[i], "=@") && !guess_is_file(a->v[i]));

		if (spec && strcmp(cmd_st.c->name, "axt-reduce") != 0)
			any |= put_named(e, a->v[i], levels);
		else
			guess_put(a->v[i], true);
	}
	for (int i = 0; e && i < o->n; i++) {
		bool axes = i > 0 &&
		    (strcmp(o->v[i - 1], "--over") == 0 || strcmp(o->v[i - 1], "--along") == 0);

		if (axes)
			any |= put_named(e, o->v[i], false);
		else
			guess_put(o->v[i], true);
	}
	axt_graph_free(g);
	return any ? guess_text : e ? nearest_cells(file) : NULL;
}
