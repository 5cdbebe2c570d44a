/* view_tree.c - the first screen of axt-view: the groups and tensors of a file. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "view.h"

struct row {
	const char *operand; /* NULL: a group */
	const char *path;    /* of a group without its last slash */
	int depth;
	bool folded; /* of a group: what is in it is not shown */
	bool other;  /* no tensor, but what belongs to one, such as coordinates; or a group of it */
	char *text;  /* dtype, axes, units; NULL: not yet asked for */
};

static struct axt_graph *graph; /* has the names */
static struct row *rows;
static int nrows, chosen, top;
static int *shown, nshown; /* rows that no folded group hides */
static bool all;           /* others are shown, too */

/* ---- what is there ---- */

static struct row *
add(const char *operand, const char *path, int depth)
{
	struct row *r = realloc(rows, ((size_t)nrows + 1) * sizeof(*r));

	if (!r) {
		axt_graph_fail(graph, AXT_E_MEM, "out of memory");
		return NULL;
	}
	rows = r;
	r += nrows++;
	*r = (struct row){ .operand = operand, .path = path, .depth = depth };
	return r;
}

/* Adds the groups of a path that the path before it was not in. Returns how deep it lies. */
static int
add_groups(const char *path, const char *before)
{
	size_t same = 0;
	int depth = 0;

	for (size_t i = 0; path[i] && path[i] == before[i]; i++)
		if (path[i] == '/')
			same = i + 1;
	for (size_t i = 0; path[i]; i++) {
		char *group;

		if (path[i] != '/')
			continue;
		if (i >= same) {
			group = strndup(path, i);
			if (!group)
				axt_graph_fail(graph, AXT_E_MEM, "out of memory");
			else if (!add(NULL, group, depth))
				free(group);
		}
		depth++;
	}
	return depth;
}

int
view_tree_read(struct axt_graph *g, const char *file)
{
	const char *const *operands, *const *paths, *before = "";
	int tensors, texts, n = axt_names(g, file, &operands, &paths, &tensors, &texts);

	graph = g;
	for (int i = 0; i < n - texts; i++) {
		int first = nrows;

		before = i == tensors ? "" : before;
		add(operands[i], paths[i], add_groups(paths[i], before));
		before = paths[i];
		for (int k = first; k < nrows; k++)
			rows[k].other = i >= tensors;
	}
	all = tensors == 0;
	while (chosen + 1 < nrows && !rows[chosen].operand)
		chosen++;
	shown = calloc((size_t)nrows + 1, sizeof(*shown));
	if (!shown)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_graph_error(g) ? -1 : tensors;
}

static void
list_shown(void)
{
	nshown = 0;
	for (int i = 0, under = -1; i < nrows; i++) {
		if ((under >= 0 && rows[i].depth > under) || (rows[i].other && !all))
			continue;
		under = rows[i].folded ? rows[i].depth : -1;
		shown[nshown++] = i;
	}
}

/* Shows row i, whatever groups were folded. */
static void
choose(int i)
{
	for (int k = i, depth = rows[i].depth; k >= 0; k--)
		if (!rows[k].operand && rows[k].depth < depth) {
			rows[k].folded = false;
			depth = rows[k].depth;
		}
	list_shown();
	for (chosen = 0; chosen + 1 < nshown && shown[chosen] != i; chosen++)
		;
}

bool
view_tree_search(const char *text, bool back)
{
	int from = nshown ? shown[chosen] : 0;

	for (int k = 1; k <= nrows; k++) {
		int i = (from + (back ? nrows - k : k)) % nrows;

		if ((all || !rows[i].other) && strcasestr(rows[i].path, text)) {
			choose(i);
			return true;
		}
	}
	view_say("no name has \"%s\" in it", cmd_name(text));
	return false;
}

const char *
view_tree_only(const char *operand)
{
	return nrows == 1 && rows[0].operand && strcmp(rows[0].operand, operand) == 0 ? operand
										      : NULL;
}

void
view_tree_free(void)
{
	for (int i = 0; i < nrows; i++) {
		if (!rows[i].operand)
			free((char *)(uintptr_t)rows[i].path);
		free(rows[i].text);
	}
	free(rows);
	free(shown);
}

/* What axt-info says of the tensor in one line: of the text in that form, or the error. */
static char *
info(const char *operand, enum axt_info_form form)
{
	struct axt_info_opts o = { .form = form };
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	axt_info(graph, operand, &o, f);
	if (axt_graph_error(graph)) {
		rewind(f);
		fprintf(f, "%s", axt_graph_error(graph));
		axt_graph_clear(graph);
	}
	fclose(f);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/* Dtype, axes, units and long name; or why there are none. */
static const char *
told(struct row *r)
{
	char *name, *line;
	size_t n;

	if (r->text)
		return r->text;
	name = info(r->operand, AXT_INFO_NAMES);
	line = info(r->operand, AXT_INFO_BRIEF);
	if (name && line && strncmp(line, name, n = strlen(name)) == 0)
		memmove(line, line + n, strlen(line + n) + 1);
	free(name);
	r->text = line;
	return line ? line : "";
}

/* ---- the screen ---- */

static void
draw(int y, struct row *r, bool here)
{
	const char *name = strrchr(r->path, '/');
	int x = 2 * r->depth, width = view_columns(), look = here ? VIEW_REVERSE : VIEW_PLAIN;
	char escaped[512];

	if (x > width / 2)
		x = width / 2;
	axt_escape_to(escaped, sizeof(escaped), name ? name + 1 : r->path);
	view_text(y, 0, x, "                                                          ", look);
	x = view_text(y, x, width, escaped, here ? VIEW_REVERSE : VIEW_BOLD);
	if (!r->operand)
		x = view_text(y, x, width, r->folded ? "/ ..." : "/", look);
	else
		x = view_text(y, x, width, told(r), look);
	if (here)
		view_fill(y, x, look);
}

static void
keep_in_sight(int lines)
{
	chosen = chosen >= nshown ? nshown - 1 : chosen;
	chosen = chosen < 0 ? 0 : chosen;
	top = top > chosen ? chosen : top;
	top = chosen - top >= lines ? chosen - lines + 1 : top;
}

void
view_tree_draw(int lines)
{
	list_shown();
	keep_in_sight(lines);
	for (int i = 0; i < lines && top + i < nshown; i++)
		draw(i, &rows[shown[top + i]], top + i == chosen);
}

const char *
view_tree_key(int key, int lines)
{
	struct row *r = nshown ? &rows[shown[chosen]] : NULL;

	switch (key) {
	case 'j':
	case VIEW_DOWN: chosen++; break;
	case 'k':
	case VIEW_UP: chosen--; break;
	case ' ':
	case 'f':
	case VIEW_PAGE_DOWN: chosen += lines; break;
	case 'b':
	case VIEW_PAGE_UP: chosen -= lines; break;
	case 'g':
	case VIEW_FIRST: chosen = 0; break;
	case 'G':
	case VIEW_LAST: chosen = nshown - 1; break;
	case 'l':
	case VIEW_RIGHT:
	case VIEW_ENTER:
		if (r && r->operand)
			return r->operand;
		if (r)
			r->folded = key == VIEW_ENTER && !r->folded;
		break;
	case 'a': all = !all; break;
	case 'h':
	case VIEW_LEFT:
		if (r && !r->operand)
			r->folded = true;
		break;
	default: break;
	}
	return NULL;
}
