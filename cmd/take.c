#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static const char *like;
static bool nearest;

static const struct cmd_opt opts[] = {
	CMD_OPERAND(0, "like", &like, "B",
	    "the coordinates of B, in its order, along shared axes; with --fill what A lacks is missing",
	    .instead = true),
	CMD_FLAG(0, "nearest", &nearest,
	    "take the cells nearest to the points, or to those of --like"),
	CMD_END,
};

static const struct cmd take = {
	.name = "axt-take",
	.line = "elements at the positions or coordinates held in another tensor",
	.opts = opts,
	.words = { "AXIS=INDEX|AXIS@LABELS|LAT,LON@POINTS" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPEC_OPERANDS,
};

/* Whether s is a list of numbers such as "0,5,7", which axt-slice takes as well. */
static bool
is_list(const char *s)
{
	char *copy = strdup(s), *save = NULL, *w;
	bool yes = copy != NULL && *s != '\0';

	for (w = yes ? strtok_r(copy, ",", &save) : NULL; w; w = strtok_r(NULL, ",", &save))
		yes = yes && axt_is_number(w);
	free(copy);
	return yes;
}

/* Whether the n bytes at s are more than one name. */
static bool
is_names(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == ',')
			return true;
		i += s[i] == '\\';
	}
	return false;
}

/* Takes the elements of cells that are nearest to the points of an operand. */
static struct axt_expr *
take_nearest(struct axt_graph *g, const char *names, const char *operand)
{
	const struct axt_open_opts o = cmd_open_opts(g);

	return axt_take_nearest(g, cmd_in(g, 0), names, axt_points_in(g, operand, names, &o));
}

/*
 * Takes the elements whose coordinates along an axis are nearest to labels. A coordinate that is no
 * axis, such as the latitudes of a curved grid, has no nearest element by itself; axt_slices tells
 * it from a name that is not there. The axis is looked for, by axt_flip, before labels are read.
 */
static struct axt_expr *
take_near(struct axt_graph *g, const char *spec, const char *axis, const char *operand)
{
	struct axt_expr *a = cmd_in(g, 0), *y;

	axt_flip(g, a, axis);
	if (!axt_graph_lacks_axis(g))
		return axt_take_near(g, a, axis, cmd_open(g, operand, false));
	axt_graph_clear(g);
	y = axt_slices(g, a, (const char *const[]){ spec }, 1, true);
	if (!axt_graph_lacks_axis(g))
		cmd_usage("axt-take lat,lon@POINTS --nearest, or axt-take --like B --nearest",
		    "--nearest takes a latitude and a longitude");
	return y;
}

/* What tells the elements: positions, or labels, which may be text. */
static struct axt_expr *
index_in(struct axt_graph *g, const char *operand)
{
	const struct axt_open_opts o = cmd_open_opts(g);

	return axt_open_text(g, operand, &o);
}

/*
 * axt-take: takes elements at the positions of INDEX or LABELS. Axes of these that A lacks replace
 * AXIS in the result.
 */
static void
build(struct axt_graph *g)
{
	const struct axt_reindex_opts how = { .missing = cmd_has_fill(g), .nearest = nearest };
	const char *spec = like ? "" : cmd_word(g, 0), *p = spec;
	struct axt_expr *y;
	char *axis;

	if (like) {
		cmd_result(g, axt_reindex_like(g, cmd_in(g, 0), cmd_open(g, like, false), &how));
		return;
	}
	while (*p != '\0' && *p != '=' && *p != '@')
		p += *p == '\\' && p[1] != '\0' ? 2 : 1;
	if (*p == '\0' || p == spec)
		cmd_usage(cmd_help_hint(), "\"%s\" is not AXIS=INDEX or AXIS@LABELS",
		    cmd_name(spec));
	if (nearest && *p != '@' && !is_names(spec, (size_t)(p - spec)))
		cmd_usage("axt-take lat,lon@POINTS --nearest, or axt-take --like B --nearest",
		    "--nearest takes a latitude and a longitude, or AXIS@LABELS");
	if (!nearest && is_names(spec, (size_t)(p - spec)))
		cmd_usage(*p == '@' ? cmd_guess_line("--nearest")
				    : "axt-take lat,lon@POINTS --nearest",
		    "elements along one axis are taken, or those nearest to points");
	if (nearest && *p != '@')
		cmd_usage("axt-take lat,lon@POINTS --nearest",
		    "--nearest takes coordinates, which stand behind @");
	if (is_list(p + 1)) {
		cmd_result(g, axt_slice(g, cmd_in(g, 0), spec, nearest));
		return;
	}
	axis = strndup(spec, (size_t)(p - spec));
	y = !axis ? axt_graph_fail(g, AXT_E_MEM, "out of memory")
	    : nearest && !is_names(axis, strlen(axis)) ? take_near(g, spec, axis, p + 1)
	    : nearest                                  ? take_nearest(g, axis, p + 1)
		      : axt_take(g, cmd_in_text(g, 0), axis, index_in(g, p + 1), *p == '@');
	free(axis);
	cmd_result(g, y);
}

CMD_MAIN(take)
