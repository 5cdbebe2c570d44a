#include "cmd.h"

static struct {
	const char *along;
	bool descending, index;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_FLAG(0, "descending", &o.descending, "the greatest first"),
	CMD_FLAG(0, "index", &o.index, "the positions values come from, not the values"),
	CMD_END,
};

static const struct cmd sort = {
	.name = "axt-sort",
	.line = "values along one axis in order",
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
