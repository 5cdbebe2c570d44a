#include "cmd.h"

static const char *pattern;

static const struct cmd_opt opts[] = {
	CMD_STR('P', "pattern", &pattern, "NAME",
	    "names of the files: {} is the index or the field, {@} the coordinate (required)"),
	CMD_END,
};

static const struct cmd split = {
	.name = "axt-split",
	.line = "split a tensor or file into files, by an axis or by date",
	.opts = opts,
	.words = { "AXIS|AXIS.FIELD" },
	.in = { "A" },
	.flags = CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_FILES | CMD_STDIN,
};

/*
 * axt-split: writes a file for each index of an axis. The axis is dropped; its coordinate stays, as
 * a dataset.
 */
static void
build(struct axt_graph *g)
{
	if (!pattern) {
		cmd_about(AXT_NEEDS_OPTION, "pattern", "part_{}.nc");
		cmd_usage("-P 'part_{}.nc'", "-P, --pattern is missing");
	}
	cmd_split(cmd_word(g, 0), pattern);
	cmd_result(g, cmd_in(g, 0));
}

CMD_MAIN(split)
