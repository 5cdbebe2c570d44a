/* ffill.c - axt-ffill and, with BACKWARD, axt-bfill. */
#include "cmd.h"

#ifdef BACKWARD
#define NAME "axt-bfill"
#define LINE "fill missing values with the next value along an axis"
#define FILL axt_bfill
#else
#define NAME "axt-ffill"
#define LINE "fill missing values with the previous value along an axis"
#define FILL axt_ffill
#endif

static struct {
	const char *along;
	int64_t limit;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXIS", "the axis (required)"),
	CMD_INT(0, "limit", &o.limit, 1, INT32_MAX, "N", "fill at most N in a row (default: all)"),
	CMD_END,
};

static const struct cmd fill = {
	.name = NAME,
	.line = LINE,
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

static void
build(struct axt_graph *g)
{
	cmd_need_along(o.along);
	cmd_result(g, FILL(g, cmd_in(g, 0), o.along, (int)o.limit));
}

#ifndef BACKWARD
CMD_MAIN(fill)
#endif
