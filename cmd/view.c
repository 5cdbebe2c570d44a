/* view.c - axt-view: a screen for looking at the tensors of a file. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view.h"

static const struct cmd view = {
	.name = "axt-view",
	.line = "look through a file on the whole terminal: its groups, tensors, pictures, values",
	.operands = "FILE[:DATASET]",
	.flags = CMD_FREE | CMD_OPENS | CMD_RUNS,
};

/* ---- the line at the bottom ---- */

static char message[1024];

void
view_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
}

bool
view_failed(const struct axt_graph *g)
{
	const char *error = axt_graph_error(g);

	if (error)
		view_say("%s", error);
	return error != NULL;
}

static void
warn(void *ctx, const char *line)
{
	(void)ctx;
	view_say("%s", line);
}

struct axt_graph *
view_graph(void)
{
	struct axt_graph *g = cmd_graph();

	axt_graph_on_warning(g, warn, NULL);
	axt_graph_set_fuse(g, AXT_FUSE_OFF);
	return g;
}

static void
draw_bottom(const char *usual)
{
	int y = view_lines() - 1;

	view_fill(y, view_text(y, 0, view_columns(), *message ? message : usual, VIEW_REVERSE),
	    VIEW_REVERSE);
}

/* ---- screens ---- */

static const char *file; /* as it was typed */

/* Whether there is room for anything; else says so. */
static bool
has_room(void)
{
	if (view_columns() >= 20 && view_lines() >= 5)
		return true;
	view_clear();
	view_text(0, 0, view_columns(), "too small", VIEW_PLAIN);
	view_show();
	return false;
}

static int
look_at(const char *operand)
{
	struct view_slice s;
	int key = VIEW_RESIZED;

	if (!view_slice_open(&s, operand))
		return 0;
	while (key != 'q' && key != VIEW_GONE) {
		if (has_room()) {
			view_clear();
			view_picture_draw(&s, view_lines() - 1);
			draw_bottom(operand);
			view_show();
		}
		key = view_key();
		*message = '\0';
	}
	view_slice_free(&s);
	return key;
}

/* first: the operand that is looked at before the tree; NULL: none. */
static void
look_through(const char *first)
{
	int key = first && look_at(first) == VIEW_GONE ? VIEW_GONE : VIEW_RESIZED;

	while (key != 'q' && key != VIEW_GONE) {
		const char *operand;

		if (has_room()) {
			view_clear();
			view_tree_draw(view_lines() - 1);
			draw_bottom(file);
			view_show();
		}
		key = view_key();
		*message = '\0';
		operand = has_room() ? view_tree_key(key, view_lines() - 1) : NULL;
		if (operand && look_at(operand) == VIEW_GONE)
			key = VIEW_GONE;
	}
}

/* ---- the beginning ---- */

__attribute__((noreturn)) static void
refuse(const char *why)
{
	char hint[600];

	if (strchr(file, ':'))
		snprintf(hint, sizeof(hint), "axt-plot %s", cmd_name(file));
	else
		snprintf(hint, sizeof(hint), "axt-info %s, or axt-plot %s:NAME", cmd_name(file),
		    cmd_name(file));
	cmd_usage(hint, "%s", why);
}

/* axt-view: shows a FILE. */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&view, argc, argv);
	const char *term = getenv("TERM"), *why;

	if (cmd_nin(g) != 1)
		cmd_usage("axt-view FILE", "one file is looked at, not %d", cmd_nin(g));
	file = cmd_operand(g, 0);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		refuse("standard input and output are not both a terminal");
	if (!term || *term == '\0' || strcmp(term, "dumb") == 0)
		refuse("the terminal is dumb (TERM)");
	if (view_tree_read(g, file) < 0)
		return cmd_finish(g, 0);
	why = view_begin();
	if (why)
		refuse(why);
	look_through(view_tree_only(file));
	view_end();
	view_tree_free();
	return cmd_finish(g, 0);
}
