#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

static bool nearest;
static const char *like;

static const struct cmd_opt opts[] = {
	CMD_FLAG(0, "nearest", &nearest, "take the nearest coordinate if none is equal to a value"),
	CMD_OPERAND(0, "like", &like, "B",
	    "take only coordinates that B has, too, along shared axes", .instead = true),
	CMD_END,
};

static const struct cmd slice = {
	.name = "axt-slice",
	.line = "part of a tensor, by position or coordinate",
	.opts = opts,
	.words = { "AXIS=SPEC|AXIS@SPEC" },
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_SPECS | CMD_SPEC_OPERANDS,
	.operands = "[AXIS=SPEC|AXIS@SPEC ...] [A]",
};

/*
 * What follows AXIS= or AXIS@ in the spec, if that is an operand as axt-take has it: standard
 * input, or a file that is there and whose name has a dot or a slash, unlike a coordinate.
 */
static const char *
operand_of(const char *spec)
{
	const char *v = strpbrk(spec, "=@");
	size_t n = v ? strcspn(v + 1, ":[") : 0;
	char *file = v ? strndup(v + 1, n) : NULL;
	bool is = file &&
	    (strcmp(file, "-") == 0 ||
		(strpbrk(file, "./") && !axt_is_number(file) && access(file, F_OK) == 0));

	free(file);
	return is ? v + 1 : NULL;
}

/* Applies one spec. An operand is not opened: which axes it needs is found when it is. */
static struct axt_expr *
try_one(struct axt_graph *g, struct axt_expr *a, const char *spec)
{
	return operand_of(spec) ? a : axt_slices(g, a, &spec, 1, nearest);
}

/* Takes what an operand selects along an axis: positions, or coordinates behind "@". */
static struct axt_expr *
take(struct axt_graph *g, struct axt_expr *a, const char *axis, const char *operand)
{
	bool labels = operand[-1] == '@';
	struct axt_expr *index = cmd_open(g, operand, false);

	return labels && nearest ? axt_take_near(g, a, axis, index)
				 : axt_take(g, a, axis, index, labels);
}

/* Applies n specs, of which some may be operands, one after another. */
static struct axt_expr *
apply(struct axt_graph *g, struct axt_expr *a, const char *const *spec, int n)
{
	int from = 0;

	for (int i = 0; i <= n; i++) {
		const char *operand = i < n ? operand_of(spec[i]) : NULL;
		char *axis;

		if (i < n && !operand)
			continue;
		if (i > from)
			a = axt_slices(g, a, spec + from, i - from, nearest);
		from = i + 1;
		if (i == n)
			break;
		axis = strndup(spec[i], (size_t)(operand - 1 - spec[i]));
		a = axis ? take(g, a, axis, operand)
			 : axt_graph_fail(g, AXT_E_MEM, "out of memory");
		free(axis);
	}
	return a;
}

/* axt-slice: applies the specs. */
static void
build(struct axt_graph *g)
{
	int first = like ? 0 : 1, n = cmd_nspecs(g) + first, i;
	struct axt_expr *a = cmd_in(g, 0), *y;
	const char **spec = calloc((size_t)n + 1, sizeof(*spec));

	if (!spec) {
		cmd_result(g, axt_graph_fail(g, AXT_E_MEM, "out of memory"));
		return;
	}
	if (like)
		a = axt_slice_like(g, a, cmd_open(g, like, false));
	else
		spec[0] = cmd_word(g, 0);
	for (i = first; i < n; i++)
		spec[i] = cmd_spec(g, i - first);
	cmd_once(spec, n);
	y = apply(g, a, spec, n);
	if (n > 1 && cmd_skips(g, -1))
		y = apply(g, a, spec, cmd_keep(g, a, spec, n, try_one));
	cmd_result(g, y);
	free(spec);
}

CMD_MAIN(slice)
