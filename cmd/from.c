#include <string.h>
#include <unistd.h>

#include "cmd.h"

static struct axt_from_opts o;
static int format, order, header;
static bool list;

static const struct cmd_opt opts[] = {
	CMD_CHOICE(0, "format", &format, cmd_formats,
	    "what FILE is (default: by its suffix, else its first bytes)"),
	CMD_STR(0, "to", &o.to, "AXES", "names of the axes, by position; raw: with lengths"),
	CMD_INT(0, "offset", &o.offset, 0, INT64_MAX, "BYTES", "raw: where the values begin"),
	CMD_FLAG(0, "big-endian", &o.big_endian, "raw: stored so (default: little-endian)"),
	CMD_CHOICE(0, "order", &order, "C|F", "raw: the last axis runs fastest, or the first"),
	CMD_CHOICE(0, "header", &header, "auto|yes|no",
	    "csv: whether the first line has names of columns (default auto)"),
	CMD_FLAG(0, "matrix", &o.matrix, "csv: every column is values, none an axis"),
	CMD_FLAG(0, "list", &list, "the tensors of FILE, a line each, and nothing else"), CMD_END
};

static const struct cmd from = {
	.name = "axt-from",
	.line = "read tensors from files of other formats",
	.opts = opts,
	.words = { "FILE[:NAME]" },
	.flags = CMD_MAKES | CMD_OWN_DTYPE,
};

/* axt-from: reads a file of another format. */
static void
build(struct axt_graph *g)
{
	const char *file = cmd_word(g, 0);
	struct axt_expr **e = NULL;
	struct axt_words w;
	int n;

	if ((strcmp(file, "-") == 0 || strncmp(file, "-:", 2) == 0) && isatty(STDIN_FILENO))
		cmd_usage(cmd_help_hint(), "standard input is a terminal");
	axt_graph_operands(g, NULL, 0);
	o.format = (enum axt_format)format;
	o.fortran = order == 1;
	o.header = (enum axt_header_line)header;
	o.dtype = cmd_dtype(g);
	if (list) {
		axt_from_list(g, file, &o, stdout);
		return;
	}
	n = axt_from_words(g, file, &o, &e, &w);
	if (w.n >= 0 && !axt_graph_error(g))
		cmd_words(g, &w);
	for (int i = 0; i < n; i++)
		cmd_result(g, e[i]);
}

CMD_MAIN(from)
