#include <string.h>

#include "cmd.h"

static struct axt_to_opts o;
static int format;

static const struct cmd_opt opts[] = {
	CMD_CHOICE(0, "format", &format, cmd_formats, "what FILE becomes (default: by its suffix)"),
	CMD_FLAG('N', "no-clobber", &o.no_clobber, "refuse to replace a file"),
	CMD_FLAG(0, "big-endian", &o.big_endian, "raw: store so (default: little-endian)"),
	CMD_FLAG(0, "matrix", &o.matrix, "csv: values alone, a line per row"),
	CMD_END,
};

static const struct cmd to = {
	.name = "axt-to",
	.line = "write tensors into files of other formats",
	.opts = opts,
	.words = { "FILE" },
	.in = { "A" },
	.flags = CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_STDIN | CMD_NARY | CMD_LISTS,
};

/*
 * axt-to: writes operands in another format. Several are possible if the format can hold several
 * tensors.
 */
static void
build(struct axt_graph *g)
{
	if (strcmp(cmd_word(g, 0), "-") != 0)
		cmd_refuse_copies(cmd_word(g, 0));
	o.format = (enum axt_format)format;
	cmd_to(g, cmd_all_in(g), cmd_nin(g), cmd_word(g, 0), &o);
}

CMD_MAIN(to)
