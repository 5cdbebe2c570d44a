/* view_table.c - the values of a slice as a table, with the coordinates of rows and columns. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* A column is at least so wide, with the blanks before it, and no text of it is wider than MOST. */
#define LEAST 4
#define MOST 30

/* A block of values as text: nrows of ncolumns each. */
struct block {
	int nrows, ncolumns;
	char *text; /* the values, with zeros between them */
	const char **value;
};

static int64_t
length(const struct view_slice *s, int axis)
{
	return axis < 0 ? 1 : s->axis[axis].to - s->axis[axis].from;
}

/* The axis whose indices are rows: a line has its values below each other. */
static int
row_axis(const struct view_slice *s)
{
	return s->y < 0 ? s->x : s->y;
}

static int
column_axis(const struct view_slice *s)
{
	return s->y < 0 ? -1 : s->x;
}

static void
keep_inside(int64_t *at, int64_t n, int64_t shown)
{
	*at = *at > n - shown ? n - shown : *at;
	*at = *at < 0 ? 0 : *at;
}

/* Cuts e, of the axes shown, to n indices of an axis. */
static struct axt_expr *
cut(struct axt_graph *g, struct axt_expr *e, const struct view_slice *s, int axis, int64_t first,
    int64_t n)
{
	char *spec = NULL;

	if (axis < 0)
		return e;
	if (asprintf(&spec, "%s=%lld:%lld", s->axis[axis].name, (long long)first,
		(long long)(first + n)) < 0)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	e = axt_slice(g, e, spec, false);
	free(spec);
	return e;
}

/* Reads the block whose first row and column those of s are. */
static bool
read_block(struct axt_graph *g, const struct view_slice *s, struct block *b)
{
	struct axt_expr *e = view_slice_tensor(g, s);
	struct axt_print_opts o = { .out = NULL };
	char *order = NULL, *next = NULL, *word;
	size_t size = 0;
	int n = b->nrows * b->ncolumns, k = 0;

	e = cut(g, e, s, row_axis(s), s->row, b->nrows);
	e = cut(g, e, s, column_axis(s), s->column, b->ncolumns);
	if (s->y >= 0 && s->y > s->x) {
		if (asprintf(&order, "%s,%s", s->axis[s->y].name, s->axis[s->x].name) < 0)
			return false;
		e = axt_order(g, e, order);
		free(order);
	}
	o.out = open_memstream(&b->text, &size);
	b->value = calloc((size_t)n + 1, sizeof(*b->value));
	if (!o.out || !b->value)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_print(g, &e, 1, &o);
	if (o.out)
		fclose(o.out);
	if (view_failed(g) || !b->text)
		return false;
	for (word = strtok_r(b->text, " \n", &next); word && k < n;
	     word = strtok_r(NULL, " \n", &next))
		b->value[k++] = word;
	return k == n;
}

/* The coordinate of an index of an axis that is shown. */
static const char *
label(struct axt_graph *g, const struct axt_expr *e, const struct view_slice *s, int axis,
    int64_t i)
{
	const char *c = axis < 0 ? NULL : axt_index_text(g, e, axis, s->axis[axis].from + i);

	return c ? c : "";
}

/* Puts a text against the right end of a column. */
static void
put_right(int y, int x, int width, const char *text, int look)
{
	int w = view_width(text);

	view_text(y, w < width ? x + width - w : x, x + width, text, look);
}

static int
at_most(int width)
{
	return width > MOST ? MOST : width;
}

static void
draw(struct axt_graph *g, const struct view_slice *s, const struct block *b)
{
	struct axt_expr *e = cmd_open(g, s->operand, false);
	int r = row_axis(s), c = column_axis(s), x, width = 0;

	if (r >= 0)
		width = at_most(view_width(s->axis[r].name));
	for (int i = 0; i < b->nrows; i++) {
		int w = at_most(view_width(label(g, e, s, r, s->row + i)));

		width = w > width ? w : width;
	}
	if (r >= 0)
		view_text(0, 0, width, s->axis[r].name, VIEW_BOLD);
	for (int i = 0; i < b->nrows; i++)
		view_text(1 + i, 0, width, label(g, e, s, r, s->row + i), VIEW_BOLD);
	x = width;
	for (int k = 0; k < b->ncolumns && x < view_columns(); k++) {
		const char *head = c < 0 ? "value" : label(g, e, s, c, s->column + k);

		width = at_most(view_width(head));
		for (int i = 0; i < b->nrows; i++) {
			int w = at_most(view_width(b->value[i * b->ncolumns + k]));

			width = w > width ? w : width;
		}
		if (x + 2 + width > view_columns() && k > 0)
			break;
		put_right(0, x + 2, width, head, VIEW_BOLD);
		for (int i = 0; i < b->nrows; i++)
			put_right(1 + i, x + 2, width, b->value[i * b->ncolumns + k], VIEW_PLAIN);
		x += 2 + width;
	}
}

void
view_table_draw(struct view_slice *s, int lines)
{
	int64_t rows = length(s, row_axis(s)), columns = length(s, column_axis(s));
	int room = view_columns() / LEAST;
	struct axt_graph *g = view_graph();
	struct block b = { .nrows = lines - 1, .ncolumns = room };
	bool good;

	keep_inside(&s->row, rows, b.nrows);
	keep_inside(&s->column, columns, 1);
	if (rows - s->row < b.nrows)
		b.nrows = (int)(rows - s->row);
	if (columns - s->column < b.ncolumns)
		b.ncolumns = (int)(columns - s->column);
	good = read_block(g, s, &b);
	view_clear();
	if (good)
		draw(g, s, &b);
	view_failed(g);
	free(b.value);
	free(b.text);
	axt_graph_free(g);
}
