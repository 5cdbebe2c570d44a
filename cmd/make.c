#include <string.h>

#include "cmd.h"

static int64_t seed = -1;
static const char *size;
static int layout;

static const struct cmd_opt opts[] = {
	CMD_INT(0, "seed", &seed, 0, INT64_MAX, "N",
	    "seed of random and normal (default: a fresh one, recorded)"),
	CMD_STR(0, "size", &size, "AXIS=LEN,...", "lengths to allocate, for storage with room"),
	CMD_CHOICE(0, "layout", &layout, "C|F", "row-major (default) or column-major storage"),
	CMD_END,
};

static bool
kind(int i, const char **name, const char **line)
{
	static const char *const rows[][2] = {
		{ "zeros", "0 everywhere" },
		{ "ones", "1 everywhere" },
		{ "full", "full:V, the number V everywhere" },
		{ "iota", "iota[:START[:STEP]], counts in row-major order" },
		{ "random", "random[:LO:HI], uniform (default: -1 to 1)" },
		{ "normal", "normal[:MU:SIGMA], normally distributed" },
		{ "eye", "1 where the last two indices agree" },
		{ "triu", "1 on and above the diagonal of the last two axes" },
		{ "tril", "1 on and below the diagonal of the last two axes" },
		{ "placeholder", "no values: axt-bind gives them" },
	};

	if (i >= (int)(sizeof(rows) / sizeof(rows[0])))
		return false;
	*name = rows[i][0];
	*line = rows[i][1];
	return true;
}

static const struct cmd make = {
	.name = "axt-make",
	.line = "make a tensor of constants, counts or random numbers",
	.opts = opts,
	.words = { "KIND", "AXIS=LEN,..." },
	.flags = CMD_MAKES | CMD_OWN_DTYPE,
	.choice = kind,
};

/* axt-make: makes a tensor of values that need no operand. */
static void
build(struct axt_graph *g)
{
	const char *what = cmd_word(g, 0), *name, *line;
	size_t n = strcspn(what, ":");
	int i = 0;

	while (kind(i, &name, &line) && (strlen(name) != n || strncmp(name, what, n) != 0))
		i++;
	if (!kind(i, &name, &line))
		cmd_unknown("kind", what);
	cmd_storage(size, layout == 0 ? 0 : 'F'); /* row-major is how every format stores values */
	cmd_result(g, axt_make(g, what, cmd_word(g, 1), cmd_dtype(g), seed));
}

CMD_MAIN(make)
