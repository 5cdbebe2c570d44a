#include "cmd.h"
#include "priv.h"

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

/* Several tensors of a file are most often the columns of one table, whose rows are to move. */
static void
tell_by_itself(void)
{
	static int sorted;

	if (++sorted == 2 && !o.index && !cmd_st.o.quiet)
		cmd_say("warning: ",
		    "each tensor is sorted by itself: axt-sort --index gives the order of one, "
		    "by which axt-take orders all");
}

/* axt-sort: sorts along an axis, which loses its coordinates. */
static void
build(struct axt_graph *g)
{
	cmd_need_along(o.along);
	cmd_result(g, axt_sort(g, cmd_in(g, 0), o.along, o.descending, o.index));
	if (!axt_graph_error(g))
		tell_by_itself();
}

CMD_MAIN(sort)
