#include "cmd.h"

static struct {
	const char *row, *col;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "row", &o.row, "AXES", "the rows of a matrix"),
	CMD_STR(0, "col", &o.col, "AXES", "its columns (default: the duals of its rows)"),
	CMD_END,
};

static const struct cmd det = {
	.name = "axt-det",
	.line = "determinants of matrices",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-det: the determinant of the matrix at each index of the other axes. */
static void
build(struct axt_graph *g)
{
	cmd_result(g, axt_det(g, cmd_in(g, 0), o.row, o.col));
}

CMD_MAIN(det)
