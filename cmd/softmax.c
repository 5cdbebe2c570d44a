#include "cmd.h"

static struct {
	const char *along;
} o;

static const struct cmd_opt opts[] = { CMD_STR(0, "along", &o.along, "AXES", "the axes (required)"),
	CMD_END };

static const struct cmd softmax = {
	.name = "axt-softmax",
	.line = "exponentials divided by their sum",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-softmax: exp(a - max) / sum(exp(a - max)). */
static void
build(struct axt_graph *g)
{
	if (!o.along)
		cmd_usage("axt-softmax --along AXES [A]", "--along is missing");
	cmd_result(g, axt_softmax(g, cmd_in(g, 0), o.along));
}

CMD_MAIN(softmax)
