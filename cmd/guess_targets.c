/*
 * guess_targets.c - hints of axt-interp about targets as CDO has them, r36x18 and descriptions of
 * grids, and about steps of time without their ends.
 */
#include <stdlib.h>
#include <string.h>

#include "guess.h"

/* A grid of longitudes and latitudes in even steps: from a first one, so many of them. */
struct even {
	double first[2], step[2]; /* of longitudes, of latitudes */
	int n[2];
};

/* Reads r36x18, whose first longitude is 0. */
static bool
read_numbers(const char *w, struct even *grid)
{
	int end = 0;

	if (sscanf(w, "r%5dx%5d%n", &grid->n[0], &grid->n[1], &end) != 2 || w[end] ||
	    grid->n[0] < 1 || grid->n[1] < 1)
		return false;
	grid->step[0] = 360.0 / grid->n[0];
	grid->step[1] = 180.0 / grid->n[1];
	grid->first[0] = 0;
	grid->first[1] = grid->step[1] / 2 - 90;
	return true;
}

/* Reads the description of a grid, as cdo griddes prints it: lines NAME = NUMBER. */
static bool
read_description(const char *path, struct even *grid)
{
	static const char *const names[] = { "xsize", "ysize", "xfirst", "yfirst", "xinc", "yinc" };
	double v[6];
	unsigned found = 0;
	char line[300];
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		for (int k = 0; k < 6; k++) {
			size_t n = strlen(names[k]), at = n + strspn(line + n, " \t");

			if (strncmp(line, names[k], n) != 0 || line[at] != '=')
				continue;
			v[k] = strtod(line + at + 1, NULL);
			found |= 1u << k;
		}
	if (f)
		fclose(f);
	if (found != 63 || !(v[0] >= 1 && v[0] < 1e6) || !(v[1] >= 1 && v[1] < 1e6) || v[4] == 0 ||
	    v[5] == 0)
		return false;
	*grid = (struct even){ { v[2], v[3] }, { v[4], v[5] }, { (int)v[0], (int)v[1] } };
	return true;
}

/* Adds AXIS=FIRST:LAST:STEP of the latitudes or longitudes. */
static void
put_range(const char *axis, const struct even *grid, int k)
{
	char spec[300];

	snprintf(spec, sizeof(spec), "%.100s=%.10g:%.10g:%.10g", axis, grid->first[k],
	    grid->first[k] + (grid->n[k] - 1) * grid->step[k], grid->step[k]);
	guess_put(spec, true);
}

/* r36x18, lat,lon=r36x18 and lat,lon=FILE, in which the grid is described. */
static bool
put_grid(const char *w)
{
	const char *eq = strchr(w, '='), *comma = strchr(w, ',');
	char first[100], second[100];
	struct even grid;
	bool east;

	if (!eq && read_numbers(w, &grid)) {
		put_range(guess_axis("lat"), &grid, 1);
		put_range(guess_axis("lon"), &grid, 0);
		return true;
	}
	if (!eq || !comma || comma > eq || comma - w >= (long)sizeof(first) ||
	    eq - comma > (long)sizeof(second) ||
	    (!read_numbers(eq + 1, &grid) && !read_description(eq + 1, &grid)))
		return false;
	snprintf(first, sizeof(first), "%.*s", (int)(comma - w), w);
	snprintf(second, sizeof(second), "%.*s", (int)(eq - comma - 1), comma + 1);
	east = strcmp(guess_meaning_of(first), "degrees_east") == 0 ||
	    strcmp(first, guess_axis("lon")) == 0;
	put_range(first, &grid, !east);
	put_range(second, &grid, east);
	return true;
}

/* Whether the word is a step of time, as 12h, 6hours and 1d. */
static bool
is_step(const char *w)
{
	static const char units[] = "s sec min m h hour hours d day days minutes seconds";
	size_t n = strspn(w, "0123456789");

	return n > 0 && w[n] && axt_has_word(units, w + n);
}

/* time=12h and time=::12h: from the first to the last date of the operand. */
static bool
put_dates(const char *w, const char *operand)
{
	size_t n = strcspn(w, "=");
	const char *step = w + n + (w[n] != '\0'), *first, *last;
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = g ? guess_open_first(g, operand) : NULL;
	char axis[100], spec[400];
	bool done = false;

	step += strncmp(step, "::", 2) == 0 ? 2 : 0;
	snprintf(axis, sizeof(axis), "%.*s", (int)n, w);
	for (int i = 0; e && is_step(step) && i < axt_expr_rank(e) && !done; i++) {
		first = axt_expr_coord_text(g, e, i, 0);
		last = axt_expr_coord_text(g, e, i, axt_expr_len(e, i) - 1);
		done = strcmp(axt_expr_axis(e, i), axis) == 0 && first && last &&
		    strcmp(guess_meaning(e, i), "time") == 0;
		if (done)
			snprintf(spec, sizeof(spec),
			    strpbrk(first, "T") || strpbrk(last, "T") ? "%s=%.60s/%.60s/%.40s"
								      : "%s=%.60s:%.60s:%.40s",
			    axis, first, last, step);
	}
	axt_graph_free(g);
	if (done)
		guess_put(spec, true);
	return done;
}

const char *
guess_targets(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *operand = a->n > 1 ? a->v[a->n - 1] : "";
	bool any = false;

	if (strcmp(cmd_st.c->name, "axt-interp") != 0 || !guess_is_file(operand) ||
	    (!strstr(error, ": No such file") && !strstr(error, ": is text, not HDF5") &&
		!strstr(error, " is not AXIS=TARGETS")))
		return NULL;
	guess_begin();
	for (int i = 0; i + 1 < a->n; i++)
		if (put_grid(a->v[i]) || put_dates(a->v[i], operand))
			any = true;
		else
			guess_put(a->v[i], true);
	return any ? guess_end(a->n - 1, -1) : NULL;
}
