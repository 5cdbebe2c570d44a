#include <stdlib.h>

#include "cmd.h"

static struct axt_merge_opts o;

static const struct cmd_opt opts[] = {
	CMD_STR('o', "output", &o.output, "FILE[:DATASET]", "write the whole there (required)",
	    .plumbing = true),
	CMD_FLAG('N', "no-clobber", &o.no_clobber, "refuse to replace a file or dataset",
	    .plumbing = true),
	CMD_END,
};

static const struct cmd merge = {
	.name = "axt-merge",
	.line = "put together what commands with --part wrote",
	.opts = opts,
	.operands = "PART ...",
	.flags = CMD_FREE | CMD_NARY | CMD_RUNS,
};

/* axt-merge: the file that the command would have written without --part. */
int
cmd_main_merge(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&merge, argc, argv);
	int n = cmd_nin(g);
	const char **file = calloc((size_t)n + 1, sizeof(*file));

	for (int i = 0; file && i < n; i++)
		file[i] = cmd_operand(g, i);
	if (!file)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else if (n == 0)
		cmd_usage("axt-merge part.*.nc -o whole.nc", "no parts are named");
	else if (!o.output)
		cmd_usage("-o whole.nc", "no output is named");
	cmd_refuse_copies(o.output);
	cmd_progress_begin(g);
	axt_merge(g, file, n, &o);
	cmd_progress_end();
	free(file);
	return cmd_finish(g, 0);
}
