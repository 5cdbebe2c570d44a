#include "cmd.h"

static const char *along;
static bool to_disk;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &along, "AXIS",
	    "the axis that gets longer (default: the unlimited one)"),
	CMD_FLAG(0, "sync", &to_disk, "return when the records are on the disk, not on their way"),
	CMD_END,
};

static const struct cmd append = {
	.name = "axt-append",
	.line = "add records to a file, behind those that it has",
	.opts = opts,
	.words = { "FILE" },
	.in = { "A" },
	.flags = CMD_READS | CMD_RUNS | CMD_STDIN | CMD_NARY | CMD_LISTS | CMD_CHANGES,
};

/* axt-append: the tensors of FILE and those of the same names in A, along the unlimited axis. */
static void
build(struct axt_graph *g)
{
	struct axt_open_opts open = cmd_open_opts(g);

	cmd_progress_begin(g);
	axt_append(g, cmd_word(g, 0), cmd_all_in(g), cmd_nin(g),
	    &(struct axt_append_opts){ .along = along, .sync = to_disk, .open = &open });
	cmd_progress_end();
}

CMD_MAIN(append)
