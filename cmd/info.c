#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd.h"

static struct {
	int form;
	bool stats, plan, trainable, whole, plot, grid;
} o;

static const struct cmd_opt opts[] = {
	CMD_SET(0, "json", &o.form, AXT_INFO_JSON, "as JSON"),
	CMD_SET(0, "cdl", &o.form, AXT_INFO_CDL, "as CDL, the text form of netCDF"),
	CMD_SET(0, "brief", &o.form, AXT_INFO_BRIEF, "a line for each tensor"),
	CMD_SET(0, "names", &o.form, AXT_INFO_NAMES, "the names of the tensors, for scripts"),
	CMD_FLAG(0, "long", &o.whole, "attributes of the file whole, on a terminal too"),
	CMD_FLAG(0, "stats", &o.stats,
	    "number of values and of missing values, minimum, maximum and mean of each tensor"),
	CMD_FLAG(0, "plot", &o.plot,
	    "a line of blocks for each tensor: its values, or how they lie"),
	CMD_FLAG(0, "grid", &o.grid, "the grid of the tensor, as axt-regrid --to and CDO take it"),
	CMD_FLAG(0, "plan", &o.plan,
	    "the text of the plan that gives the tensor: of a stream, its writer's"),
	CMD_FLAG(0, "trainable", &o.trainable,
	    "the variables of each FILE, or of the files in each DIR and below"),
	CMD_END,
};

static const struct cmd info = {
	.name = "axt-info",
	.line = "what is in a file: tensors, axes, coordinates, dtypes, storage",
	.opts = opts,
	.operands = "[FILE[:DATASET|PATTERN] ...]",
	.flags = CMD_FREE | CMD_NARY | CMD_STDIN | CMD_OPENS | CMD_RUNS,
};

static int
trainable(struct axt_graph *g, int n)
{
	const char **path = calloc((size_t)n, sizeof(*path));
	int i;

	for (i = 0; path && i < n; i++)
		path[i] = cmd_operand(g, i);
	if (!path)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_trainable(g, path, n, o.form == AXT_INFO_JSON, stdout);
	free(path);
	return cmd_finish(g, 0);
}

/* A line of blocks for each tensor of the files. */
static int
plot(struct axt_graph *g, int n)
{
	struct axt_open_opts open = cmd_open_opts(g);
	struct axt_spark_opts s = { .out = stdout };
	const char **word = calloc((size_t)n + 1, sizeof(*word));
	struct cmd_terminal t;

	if (o.form || o.stats || o.plan || o.trainable)
		cmd_usage(NULL, "--plot goes with no other form of the listing");
	cmd_terminal(&t, false);
	s.ascii = !t.utf8;
	for (int i = 0; word && i < n; i++)
		word[i] = cmd_operand(g, i);
	if (!word)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_spark_files(g, word, n, &open, &s);
	free(word);
	return cmd_finish(g, 0);
}

/* The columns of the terminal that standard output is; 0: it is none. */
static int
width(void)
{
	struct winsize w = { .ws_col = 0 };

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

/* The grids, or the plans, of tensors instead of listings. */
static int
others(struct axt_graph *g, int n)
{
	struct axt_open_opts open = cmd_open_opts(g);
	enum axt_code bad = AXT_OK;

	for (int i = 0; i < n && bad == AXT_OK; i++) {
		struct axt_expr *y = o.plan ? cmd_in(g, i) : NULL;

		bad = o.plan ? axt_plan_print(g, &y, 1, stdout)
			     : axt_grid_print(g, cmd_operand(g, i), &open, stdout);
	}
	return cmd_finish(g, 0);
}

/* axt-info: describes each FILE. With --json several files become one array. */
int
cmd_main_info(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&info, argc, argv);
	struct axt_info_opts io = { .form = (enum axt_info_form)o.form,
		.stats = o.stats,
		.width = o.whole ? 0 : width(),
		.open = cmd_open_opts(g) };
	int i, n = cmd_nin(g);
	bool array = n > 1 && o.form == AXT_INFO_JSON;
	bool lines = o.form == AXT_INFO_BRIEF || o.form == AXT_INFO_NAMES;

	io.file_names = n > 1;

	if (o.plot)
		return plot(g, n);
	if (o.trainable)
		return trainable(g, n);
	if (o.plan || o.grid)
		return others(g, n);
	for (i = 0; i < n; i++) {
		if (!lines && (array || i > 0))
			fputs(!array ? "\n" : i == 0 ? "[\n" : ",\n", stdout);
		if (axt_info(g, cmd_operand(g, i), &io, stdout) != AXT_OK)
			break;
	}
	if (array && i == n)
		puts("]");
	return cmd_finish(g, 0);
}
