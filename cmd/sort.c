#include "cmd.h"

static struct {
	const char *along;
	bool descending, index;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_FLAG(0, "descending", &o.descending, "sort in decreasing order"),
	CMD_FLAG(0, "index", &o.index, "give the positions of the sorted values, not the values"),
	CMD_END,
};

static const struct cmd sort = {
	.name = "axt-sort",
	.line = "sort values along an axis",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-sort: sorts along an axis, which loses its coordinates. */
static void
build(struct axt_graph *g)
{
	cmd_need_along(o.along);
	cmd_result(g, axt_sort(g, cmd_in(g, 0), o.along, o.descending, o.index));
}

CMD_MAIN(sort)
