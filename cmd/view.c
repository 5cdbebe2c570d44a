/*
 * view.c - axt-view: a file on the whole terminal. The tree of its groups and tensors is one
 * screen, a tensor as a picture or a table another.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

static const struct cmd view = {
	.name = "axt-view",
	.line = "look through a file on the whole terminal: its groups, tensors, pictures, values",
	.operands = "FILE[:DATASET]",
	.flags = CMD_FREE | CMD_OPENS | CMD_RUNS,
};

static const char *file; /* as it was typed */

/* ---- the line at the bottom ---- */

/* A reading that takes longer than this many seconds tells how far it is. */
#define PATIENCE 0.3
/* A message takes so many lines at most. */
#define MESSAGE_LINES 4

static char message[2048];
static struct timespec began;

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
	const char *error = axt_graph_error(g), *hint = axt_graph_hint(g);

	if (error)
		view_say("%s%s%s", error, hint && *hint ? "; hint: " : "", hint ? hint : "");
	return error != NULL;
}

static void
warn(void *ctx, const char *line)
{
	(void)ctx;
	view_say("%s", line);
}

/* Draws the message or, if there is none, the usual text. */
static void
draw_bottom(const char *usual)
{
	const char *s = *message ? message : usual;
	int width = view_columns(), lines = view_width(s) / width + 1, y;

	lines = lines > MESSAGE_LINES ? MESSAGE_LINES : lines;
	lines = *message ? lines : 1;
	for (int i = 0; i < lines; i++) {
		y = view_lines() - lines + i;
		view_fill(y, view_text(y, 0, width, s, VIEW_REVERSE), VIEW_REVERSE);
		/* messages that need a second line are cut at a character, as wide as it may be */
		for (int column = 0; *s && column < width; column++)
			do
				s++;
			while (((unsigned char)*s & 0xc0) == 0x80);
	}
}

static void
progress(void *ctx, double done)
{
	struct timespec now;
	char text[40];

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9 <
	    PATIENCE)
		return;
	began = now;
	snprintf(text, sizeof(text), "reading: %d %%", (int)(100 * done));
	view_fill(view_lines() - 1,
	    view_text(view_lines() - 1, 0, view_columns(), text, VIEW_REVERSE), VIEW_REVERSE);
	view_show();
}

struct axt_graph *
view_graph(void)
{
	struct axt_graph *g = cmd_graph();

	axt_graph_on_warning(g, warn, NULL);
	axt_graph_on_progress(g, progress, NULL);
	axt_graph_set_fuse(g, AXT_FUSE_OFF);
	clock_gettime(CLOCK_MONOTONIC, &began);
	return g;
}

/* ---- what is asked at the bottom ---- */

static char sought[200];

/* Adds a character to a text in UTF-8. */
static void
type(char *text, size_t size, int key)
{
	size_t n = strlen(text);
	unsigned c = (unsigned)key;

	if (n + 5 > size || key < ' ')
		return;
	if (c < 0x80) {
		text[n++] = (char)c;
	} else if (c < 0x800) {
		text[n++] = (char)(0xc0 | c >> 6);
		text[n++] = (char)(0x80 | (c & 63));
	} else {
		if (c >= 0x10000) {
			text[n++] = (char)(0xf0 | c >> 18);
			text[n++] = (char)(0x80 | (c >> 12 & 63));
		} else {
			text[n++] = (char)(0xe0 | c >> 12);
		}
		text[n++] = (char)(0x80 | (c >> 6 & 63));
		text[n++] = (char)(0x80 | (c & 63));
	}
	text[n] = '\0';
}

/* Takes away the last character. */
static void
untype(char *text)
{
	size_t n = strlen(text);

	while (n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n > 0 ? n - 1 : 0] = '\0';
}

/* Asks for the text to search. Returns the key that ended it: ENTER, ESCAPE, RESIZED, GONE. */
static int
ask_search(void)
{
	char text[sizeof(sought)] = "";
	int key = VIEW_OTHER;

	while (key != VIEW_ENTER && key != VIEW_ESCAPE && key != VIEW_GONE && key != VIEW_RESIZED) {
		int y = view_lines() - 1, x = view_text(y, 0, view_columns(), "/", VIEW_PLAIN);

		view_fill(y, view_text(y, x, view_columns(), text, VIEW_PLAIN), VIEW_PLAIN);
		view_show();
		key = view_key();
		if (key == VIEW_BACK && *text == '\0')
			key = VIEW_ESCAPE;
		else if (key == VIEW_BACK)
			untype(text);
		else if (key < VIEW_RESIZED)
			type(text, sizeof(text), key);
	}
	/* nothing typed: what was sought before */
	if (key == VIEW_ENTER && *text)
		memcpy(sought, text, sizeof(sought));
	return key;
}

/* For the keys / n N: whether there is a text to search, and in which direction. */
static bool
wants_search(int *key, bool *back)
{
	*back = *key == 'N';
	if (*key == '/')
		*key = ask_search();
	else if (*key == 'n' || *key == 'N')
		*key = VIEW_ENTER;
	else
		return false;
	if (*key == VIEW_ENTER && *sought == '\0')
		view_say("nothing has been searched: / asks for a text");
	return *key == VIEW_ENTER && *sought != '\0';
}

/* ---- help ---- */

static const char *const help[] = {
	"Everywhere",
	"  q              back; in the tree, the end",
	"  j k, arrows    a line down, up",
	"  Space b        a page down, up",
	"  g G            the beginning, the end",
	"  / n N          search; the next, the one before",
	"  ?              this text",
	"The tree",
	"  Enter, l       look at a tensor; fold a group, or open it",
	"  a              also what belongs to tensors, such as coordinates",
	"A tensor",
	"  [ ] < >        step along the other axis; Space b: ten steps; g G: first, last",
	"  Tab            another axis to step along",
	"  / n N          search the coordinates of that axis: /2010-06",
	"  x y            another axis across, or up (after the last: none, a line)",
	"  v              values, or the picture",
	"  + - 0          a part of the picture, a larger part, all",
	"  h j k l        move the part, or the table; h l: step, where all is shown",
	"  ^ $            the first, the last column of the table",
	"  s              statistics of what is shown",
	"  c r            colours; the range: of what is shown, of the whole tensor",
	"  m              means of blocks, or one element of each",
	"  w              the command line of axt-plot that makes the picture",
	NULL,
};

/* Returns the key that ended it. */
static int
show_help(void)
{
	int top = 0, key;

	do {
		int lines = view_lines(), n = 0;

		view_clear();
		for (n = 0; help[n]; n++)
			view_text(n - top, 0, n >= top && n - top < lines - 1 ? view_columns() : 0,
			    help[n], *help[n] == ' ' ? VIEW_PLAIN : VIEW_BOLD);
		draw_bottom(
		    top + lines - 1 < n ? "Space: more; any other key: back" : "any key: back");
		view_show();
		key = view_key();
		if (key == ' ' && top + lines - 1 < n)
			top += lines - 1;
		else if (key != VIEW_RESIZED)
			break;
	} while (key == ' ' || key == VIEW_RESIZED);
	return key == VIEW_GONE ? key : VIEW_RESIZED;
}

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

/* ---- a tensor ---- */

/* The command lines that are printed at the end. */
static char **written;
static int nwritten;

static void
write_command(const struct view_slice *s)
{
	char *line = view_picture_command(s), **w;

	view_say("%s", line);
	for (int i = 0; i < nwritten; i++)
		if (strcmp(written[i], line) == 0) {
			free(line);
			return;
		}
	w = realloc(written, ((size_t)nwritten + 1) * sizeof(*w));
	if (!w) {
		free(line);
		view_say("out of memory");
		return;
	}
	written = w;
	written[nwritten++] = line;
}

/* What keys mean beside a table: true if the key is one of them. */
static bool
table_key(struct view_slice *s, int key, int lines)
{
	switch (key) {
	case 'j':
	case VIEW_DOWN: s->row++; break;
	case 'k':
	case VIEW_UP: s->row--; break;
	case 'l':
	case VIEW_RIGHT: s->column++; break;
	case 'h':
	case VIEW_LEFT: s->column--; break;
	case '^': s->column = 0; break;
	case '$': s->column = INT64_MAX / 2; break;
	case ' ':
	case 'f':
	case VIEW_PAGE_DOWN: s->row += lines - 1; break;
	case 'b':
	case VIEW_PAGE_UP: s->row -= lines - 1; break;
	case 'g':
	case VIEW_FIRST: s->row = 0; break;
	case 'G':
	case VIEW_LAST: s->row = INT64_MAX / 2; break;
	default: return false;
	}
	return true;
}

static bool
picture_key(struct view_slice *s, int key)
{
	switch (key) {
	case 'j':
	case VIEW_DOWN: return view_slice_pan(s, 0, -1);
	case 'k':
	case VIEW_UP: return view_slice_pan(s, 0, 1);
	case 'l':
	case VIEW_RIGHT: return view_slice_pan(s, 1, 0);
	case 'h':
	case VIEW_LEFT: return view_slice_pan(s, -1, 0);
	case '+':
	case '=': view_slice_zoom(s, 2); break;
	case '-': view_slice_zoom(s, 0.5); break;
	case '0': view_slice_whole(s); break;
	case ' ':
	case 'f':
	case VIEW_PAGE_DOWN: return view_slice_step(s, 10);
	case 'b':
	case VIEW_PAGE_UP: return view_slice_step(s, -10);
	case 'g':
	case VIEW_FIRST: return view_slice_step(s, -INT64_MAX);
	case 'G':
	case VIEW_LAST: return view_slice_step(s, INT64_MAX / 2);
	default: return false;
	}
	return true;
}

/* Does what a key means; whether something else is to be drawn. */
static bool
slice_key(struct view_slice *s, int key, int lines)
{
	switch (key) {
	case ']':
	case '>':
	case '.': return view_slice_step(s, 1);
	case '[':
	case '<':
	case ',': return view_slice_step(s, -1);
	case '\t': view_slice_next_step(s); return false;
	case 'x': view_slice_turn(s, false); return true;
	case 'y': view_slice_turn(s, true); return true;
	case 'v': s->table = !s->table; return true;
	case 's': view_stats_tell(s); return false;
	case 'w': write_command(s); return false;
	case 'c':
		s->colors = axt_plot_colors(s->colors + 1) ? s->colors + 1 : -1;
		view_say("colours: %s",
		    s->colors < 0 ? "by the values" : axt_plot_colors(s->colors));
		return true;
	case 'r':
		if (!s->whole)
			return view_stats_range(s);
		s->whole = false;
		view_say("the range is that of what is shown");
		return true;
	case 'm':
		s->quick = s->quick == 0;
		view_say(s->quick ? "one element of each block is drawn"
				  : "the mean of each block is drawn");
		return true;
	default: return s->table ? table_key(s, key, lines) : picture_key(s, key);
	}
}

/* Shows a tensor until a key goes back. Returns that key. */
static int
look_at(const char *operand)
{
	struct view_slice s;
	int key = VIEW_RESIZED;
	bool draw = true, back;
	char usual[1024] = "";

	if (!view_slice_open(&s, operand))
		return key;
	while (key != 'q' && key != VIEW_BACK && key != VIEW_GONE) {
		int lines = view_lines() - 1;

		/* keys that wait come first, so that one held down does not pile pictures up */
		if (has_room() && !(draw && view_waits())) {
			if (draw && s.table)
				view_table_draw(&s, lines);
			else if (draw)
				view_picture_draw(&s, lines);
			draw = *message != '\0' && strlen(message) >= (size_t)view_columns();
			view_slice_tell(&s, usual, sizeof(usual));
			draw_bottom(usual);
			view_show();
		}
		key = view_key();
		*message = '\0';
		if (wants_search(&key, &back))
			draw = view_slice_search(&s, sought, back) || draw;
		else if (key == '?')
			key = show_help();
		else
			draw = slice_key(&s, key, lines) || draw;
		draw = draw || key == VIEW_RESIZED || key == VIEW_ESCAPE;
	}
	view_slice_free(&s);
	return key;
}

/* ---- the tree ---- */

/* first: the operand that is looked at before the tree; NULL: none. */
static void
look_through(const char *first)
{
	int key = first ? look_at(first) : VIEW_RESIZED;
	bool back;

	while (key != 'q' && key != VIEW_GONE) {
		int lines = view_lines() - 1;
		const char *operand = NULL;

		if (has_room()) {
			char usual[1024];

			view_clear();
			view_tree_draw(lines);
			snprintf(usual, sizeof(usual), "%s  ?: keys", cmd_name(file));
			draw_bottom(usual);
			view_show();
		}
		key = view_key();
		*message = '\0';
		if (wants_search(&key, &back))
			view_tree_search(sought, back);
		else if (key == '?')
			key = show_help();
		else if (has_room())
			operand = view_tree_key(key, lines);
		if (operand && look_at(operand) == VIEW_GONE)
			key = VIEW_GONE;
	}
}

/* ---- the beginning ---- */

__attribute__((noreturn)) static void
refuse(const char *why)
{
	char hint[1600], word[600], any[600], name[500];

	axt_quoted_to(word, sizeof(word), file);
	snprintf(name, sizeof(name), "%s:NAME", file);
	if (strchr(file, ':'))
		snprintf(hint, sizeof(hint), "axt-plot %s", word);
	else
		snprintf(hint, sizeof(hint), "axt-info %s, or axt-plot %s", word,
		    axt_quoted_to(any, sizeof(any), name));
	cmd_usage(hint, "%s", why);
}

/* axt-view: shows a FILE. */
int
cmd_main_view(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&view, argc, argv);
	const char *term = getenv("TERM"), *why;
	struct stat st;

	if (cmd_nin(g) != 1)
		cmd_usage("axt-view FILE", "one file is looked at, not %d", cmd_nin(g));
	file = cmd_operand(g, 0);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		refuse("standard input and output are not both a terminal");
	if (!term || *term == '\0' || strcmp(term, "dumb") == 0)
		refuse("the terminal is dumb (TERM)");
	if (stat(file, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		refuse("a pipe can be read once only: write a file first");
	if (view_tree_read(g, file) < 0)
		return cmd_finish(g, 0);
	why = view_begin();
	if (why)
		refuse(why);
	look_through(view_tree_only(file));
	view_end();
	for (int i = 0; i < nwritten; i++) {
		puts(written[i]);
		free(written[i]);
	}
	free(written);
	view_tree_free();
	return cmd_finish(g, 0);
}
