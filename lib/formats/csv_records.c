/*
 * csv_records.c - lines of a CSV as records, as pandas writes them: each column is a tensor. Its
 * axis is the first column, if that tells the lines apart, or else "row". In a long table, each
 * line is one element, whose places on all axes the first columns tell.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/quote.h"
#include "cf/meaning.h"
#include "formats/csv.h"

#define FIRST 1024 /* lines that are looked at before all are */

/* ---- units behind the name of a column ---- */

/* Splits "tmax [degC]" and "tmax (degC)" into a name and units. */
int
axt_csv_units(struct axt_csv *c)
{
	c->units = axt_alloc(c->r->m, (size_t)c->cols * sizeof(*c->units));
	if (!c->units)
		return axt_fr_oom(c->r);
	for (int k = 0; k < c->cols; k++) {
		const char *s = c->head[k], *open = s + strcspn(s, "[("), *end = s + strlen(s) - 1;

		c->units[k] = NULL;
		if (open < s + 2 || open[-1] != ' ' || end < open + 2 ||
		    *end != (*open == '[' ? ']' : ')') || strpbrk(open + 1, "[(") ||
		    strcspn(open, "])") != (size_t)(end - open))
			continue;
		c->units[k] = axt_strndup(c->r->m, open + 1, (size_t)(end - open - 1));
		while (open > s && open[-1] == ' ')
			open--;
		c->head[k] = axt_strndup(c->r->m, s, (size_t)(open - s));
		if (!c->units[k] || !c->head[k])
			return axt_fr_oom(c->r);
	}
	return 0;
}

/* ---- the different cells of a column ---- */

static int
compared(const struct axt_csv *c, int k, int64_t i, int64_t j)
{
	uint64_t x = axt_csv_cell(c, i, k), y = axt_csv_cell(c, j, k);
	enum axt_cell kind = c->col[k].kind;
	double v, w;

	if (x == y)
		return 0;
	if (kind == AXT_CELL_TEXT)
		return strcmp((const char *)(uintptr_t)x, (const char *)(uintptr_t)y);
	if (kind != AXT_CELL_REAL)
		return (kind == AXT_CELL_UINT ? x > y : (int64_t)x > (int64_t)y) ? 1 : -1;
	memcpy(&v, &x, sizeof(v));
	memcpy(&w, &y, sizeof(w));
	return (v > w) - (v < w);
}

/* Rows by their cell in a column, and by their number where cells are the same. */
static int
by_cell(const void *a, const void *b, void *arg)
{
	int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
	int d = compared(((void **)arg)[0], *(const int *)((void **)arg)[1], i, j);

	return d ? d : (i > j) - (i < j);
}

/*
 * Numbers the different cells of column k in the order of these cells: place[i] becomes the number
 * of the cell in row i, and first[n] the row where cell number n comes first. Returns how many
 * there are; -1: no memory.
 */
static int64_t
different(struct axt_csv *c, int k, int64_t *place, int64_t *first)
{
	int64_t *order = malloc((size_t)c->rows * sizeof(*order) + 1), n = 0;

	if (!order)
		return axt_fr_oom(c->r), -1;
	for (int64_t i = 0; i < c->rows; i++)
		order[i] = i;
	qsort_r(order, (size_t)c->rows, sizeof(*order), by_cell, (void *[]){ c, &k });
	for (int64_t i = 0; i < c->rows; i++) {
		if (i == 0 || !axt_csv_same(c, k, order[i], first[n - 1]))
			first[n++] = order[i];
		place[order[i]] = n - 1;
	}
	free(order);
	return n;
}

static uint64_t
hash_of(const struct axt_csv *c, int64_t row, int k)
{
	uint64_t x = axt_csv_cell(c, row, k);
	const char *text = (const char *)(uintptr_t)x;

	return c->col[k].kind == AXT_CELL_TEXT ? axt_hash(0, text, strlen(text))
					       : axt_hash(0, &x, sizeof(x));
}

int64_t
axt_csv_distinct(struct axt_csv *c, int k, int64_t rows)
{
	uint64_t room = 2, at;
	int64_t *row, n = 0; /* [room]: 1 + a row, at the first free place from its hash on */

	while (room < 2 * (uint64_t)rows)
		room *= 2;
	row = calloc(room, sizeof(*row));
	if (!row)
		return axt_fr_oom(c->r), -1;
	for (int64_t i = 0; i < rows; i++) {
		for (at = hash_of(c, i, k) & (room - 1); row[at]; at = (at + 1) & (room - 1))
			if (axt_csv_same(c, k, i, row[at] - 1))
				break;
		n += row[at] == 0;
		row[at] = row[at] ? row[at] : i + 1;
	}
	free(row);
	return n;
}

/* ---- a record for each line ---- */

/*
 * Makes coordinates along the axis of the text columns from `first` on. They go with each tensor;
 * those that are dates become CF times.
 */
static int
text_columns(struct axt_csv *c, int first, const struct axt_axis *x, const struct axt_aux **aux,
    const char **names)
{
	for (int k = c->cols - 1; k >= first; k--) {
		struct axt_coord values;
		struct axt_aux *a;
		const char **text;

		if (c->col[k].kind != AXT_CELL_TEXT)
			continue;
		a = axt_alloc(c->r->m, sizeof(*a));
		text = axt_alloc(c->r->m, (size_t)c->rows * sizeof(*text) + 1);
		if (!a || !text)
			return axt_fr_oom(c->r);
		for (int64_t i = 0; i < c->rows; i++)
			text[i] = (const char *)(uintptr_t)axt_csv_cell(c, i, k);
		values = (struct axt_coord){ .text = true, .n = c->rows, .data = text };
		if (!axt_csv_as_time(c->r, &values) && c->r->e->code)
			return c->r->e->code;
		*a = (struct axt_aux){ .name = c->head[k],
			.axes = { .n = 1, .a = { *x } },
			.dtype = values.dtype,
			.text = values.text,
			.data = values.data,
			.attrs = values.attrs,
			.next = (struct axt_aux *)*aux };
		*aux = a;
		*names = *names ? axt_sprintf(c->r->m, "%s %s", c->head[k], *names) : c->head[k];
		if (!*names)
			return axt_fr_oom(c->r);
	}
	return 0;
}

int
axt_csv_rows(struct axt_csv *c, struct axt_axis *x)
{
	*x = (struct axt_axis){ 0 };
	if (axt_axis_from_file(c->r->m, "row", x))
		return axt_fr_oom(c->r);
	x->len = c->rows;
	x->from = c->r->from;
	return 0;
}

/* Makes tensors of the columns: all of them over "row", or those behind column 0 over its axis. */
static int
records(struct axt_csv *c, bool rows)
{
	const struct axt_aux *aux = NULL;
	const char *names = NULL;
	struct axt_foreign_item *t;
	struct axt_axis x;
	int n = 0, first;

	for (int k = 1; k < c->cols; k++)
		n += c->col[k].kind != AXT_CELL_TEXT;
	rows = rows || (n == 0 && c->col[0].kind != AXT_CELL_TEXT);
	first = rows ? 0 : 1;
	n += rows && c->col[0].kind != AXT_CELL_TEXT;
	if (n == 0) {
		axt_fr_bad(c->r, "its columns hold text, and no numbers");
		axt_hint(c->r->e, "axt-from %s takes one column",
		    axt_quoted(c->r->m,
			axt_sprintf(c->r->m, "%s:%s", c->r->f->path, c->head[c->cols - 1])));
		return c->r->e->code;
	}
	if ((rows || !*c->head[0] ? axt_csv_rows(c, &x) : axt_csv_axis(c, 0, c->rows, 1, 0, &x)) ||
	    text_columns(c, first, &x, &aux, &names) || !(t = axt_fr_items(c->r, n)))
		return c->r->e->code;
	for (int k = first; k < c->cols; k++) {
		if (c->col[k].kind == AXT_CELL_TEXT)
			continue;
		t->axes = (struct axt_axes){ .n = 1, .a = { x } };
		t->aux = aux;
		if (axt_csv_named(c, k, t) || axt_csv_values(c, k, k + 1, true, t))
			return c->r->e->code;
		if (names &&
		    !(t->attrs = axt_attr_set(c->r->m, t->attrs,
			  &(struct axt_attr){ .name = "coordinates",
			      .kind = AXT_ATTR_TEXT,
			      .text = names })))
			return axt_fr_oom(c->r);
		t++;
	}
	return 0;
}

/* ---- an element for each line ---- */

struct table {
	struct axt_csv *c;
	int n; /* of axes; the values are in the column behind theirs */
	int64_t dims[AXT_MAX_RANK];
	int64_t *place[AXT_MAX_RANK], *first[AXT_MAX_RANK];
	int64_t *row; /* of each element, or -1 */
	int64_t elements;
};

/*
 * How many elements a long table may have, counting those without a line. Behind a first column of
 * text, further ones of text, such as stations and dates, may leave out many combinations, and
 * whole numbers some. In other tables each element must have a line.
 */
static int64_t
most_elements(const struct table *t)
{
	const struct axt_csv *c = t->c;
	bool text = true, whole = c->col[0].kind == AXT_CELL_TEXT;

	for (int k = 0; k < t->n; k++) {
		text = text && c->col[k].kind == AXT_CELL_TEXT;
		whole = whole && c->col[k].kind != AXT_CELL_REAL;
	}
	return text ? 16 * c->rows + 1024 : whole ? 2 * c->rows : c->rows;
}

/* Whether no two lines are alike in the columns before the last axis, which then is none. */
static int
without_last(struct table *t, bool *yes)
{
	struct axt_csv *c = t->c;
	int64_t n = t->elements / t->dims[t->n - 1];
	char *seen = calloc((size_t)n + 1, 1);

	if (!seen)
		return axt_fr_oom(c->r);
	*yes = true;
	for (int64_t i = 0; *yes && i < c->rows; i++) {
		int64_t at = 0;

		for (int k = 0; k < t->n - 1; k++)
			at = at * t->dims[k] + t->place[k][i];
		*yes = !seen[at];
		seen[at] = 1;
	}
	free(seen);
	return 0;
}

/* Whether the first lines have more combinations of cells than a table may have elements. */
static bool
are_too_many(struct table *t, int64_t most)
{
	int64_t n = 1;

	for (int k = 0; k < t->n && n <= most; k++)
		n *= axt_csv_distinct(t->c, k, MIN(t->c->rows, FIRST));
	return n > most;
}

/* Finds which row tells each element. *found: whether each has at most one, and enough have one. */
static int
find_rows(struct table *t, bool *found)
{
	struct axt_csv *c = t->c;
	int64_t most = most_elements(t);
	bool enough = false;

	*found = false;
	if (are_too_many(t, most) || c->r->e->code)
		return c->r->e->code;
	t->elements = 1;
	for (int k = 0; k < t->n; k++) {
		t->place[k] = axt_alloc(c->r->m, (size_t)c->rows * sizeof(int64_t) + 1);
		t->first[k] = axt_alloc(c->r->m, (size_t)c->rows * sizeof(int64_t) + 1);
		if (!t->place[k] || !t->first[k])
			return axt_fr_oom(c->r);
		t->dims[k] = different(c, k, t->place[k], t->first[k]);
		if (t->dims[k] < 0)
			return c->r->e->code;
		t->elements *= t->dims[k];
		if (t->elements > most)
			return 0;
	}
	t->row = axt_alloc(c->r->m, (size_t)t->elements * sizeof(*t->row) + 1);
	if (!t->row)
		return axt_fr_oom(c->r);
	memset(t->row, 0xff, (size_t)t->elements * sizeof(*t->row));
	for (int64_t i = 0; i < c->rows; i++) {
		int64_t at = 0;

		for (int k = 0; k < t->n; k++)
			at = at * t->dims[k] + t->place[k][i];
		if (t->row[at] >= 0)
			return 0;
		t->row[at] = i;
	}
	if (without_last(t, &enough))
		return c->r->e->code;
	*found = t->elements == c->rows || !enough;
	return 0;
}

/* Puts the lines in the order of the elements; what no line tells is missing. */
static int
in_order(struct table *t)
{
	struct axt_csv *c = t->c;
	uint64_t *cell;
	bool gaps = t->elements > c->rows;
	double nan = NAN;

	if (gaps && axt_csv_widen(c, t->n, MAX(c->col[t->n].kind, AXT_CELL_REAL)))
		return c->r->e->code;
	cell = malloc((size_t)t->elements * (size_t)c->cols * sizeof(*cell) + 1);
	if (!cell)
		return axt_fr_oom(c->r);
	for (int64_t at = 0; at < t->elements; at++) {
		uint64_t *out = cell + at * c->cols;
		int64_t row = t->row[at], rest = at;

		if (row >= 0)
			out[t->n] = axt_csv_cell(c, row, t->n);
		else
			memcpy(&out[t->n], &nan, sizeof(nan));
		for (int k = t->n - 1; k >= 0; rest /= t->dims[k--])
			out[k] = axt_csv_cell(c, t->first[k][rest % t->dims[k]], k);
	}
	free(c->cell);
	c->cell = cell;
	c->rows = t->elements;
	c->sorted = true;
	c->col[t->n].missing = c->col[t->n].missing || gaps;
	return 0;
}

/*
 * If the lines are a long table (*done), puts them in the order of the elements. Only the last
 * column has values then.
 */
static int
long_table(struct axt_csv *c, bool *done)
{
	struct table t = { .c = c, .n = c->cols - 1 };

	*done = false;
	if (t.n < 2 || t.n > AXT_MAX_RANK || c->col[t.n].kind >= AXT_CELL_COMPLEX)
		return 0;
	for (int k = 0; k < t.n; k++)
		if (c->col[k].kind == AXT_CELL_COMPLEX)
			return 0;
	return find_rows(&t, done) || (*done && in_order(&t)) ? (int)c->r->e->code : 0;
}

/* ---- which of them it is ---- */

/* Whether column k is called as latitudes or longitudes are. */
static bool
is_place(const struct axt_csv *c, int k, bool longitude)
{
	return axt_meaning(c->head[k], NULL) == (longitude ? AXT_MEANS_LON : AXT_MEANS_LAT);
}

bool
axt_csv_places(const struct axt_csv *c, int k)
{
	bool found[2] = { false, false };

	if (!c->head || (!is_place(c, k, false) && !is_place(c, k, true)))
		return false;
	for (int i = 0; i < c->cols; i++)
		for (int which = 0; which < 2; which++)
			found[which] = found[which] || is_place(c, i, which);
	return found[0] && found[1];
}

/* Whether the numbers of column 0, all different, rise or fall, as those of an axis do. */
static bool
is_ordered(const struct axt_csv *c)
{
	int up = c->rows > 1 ? compared(c, 0, 1, 0) : 1;

	for (int64_t i = 2; i < c->rows; i++)
		if (compared(c, 0, i, i - 1) != up)
			return false;
	return up != 0;
}

void
axt_csv_name_first(struct axt_csv *c)
{
	bool text = c->col[0].kind == AXT_CELL_TEXT;

	if (c->rows > 0 && (text || (c->col[0].kind <= AXT_CELL_REAL && is_ordered(c))))
		c->head[0] = axt_csv_is_date(c, 0, 0) ? "time" : text ? "index" : "row";
}

int
axt_csv_records(struct axt_csv *c, bool *done)
{
	enum axt_cell first = c->cols > 0 ? c->col[0].kind : AXT_CELL_NONE;
	int64_t n;
	bool table = false;

	*done = false;
	if (!c->head || c->r->o->matrix || c->cols < 2 || c->rows == 0 || c->r->o->tensor)
		return 0;
	n = first == AXT_CELL_COMPLEX ? 0 : axt_csv_distinct(c, 0, c->rows);
	if (n < 0 || (n > 0 && n < c->rows && (long_table(c, &table) || table)))
		return c->r->e->code;
	*done = c->r->out->records = true;
	return records(c,
	    n < c->rows || (first != AXT_CELL_TEXT && (!is_ordered(c) || axt_csv_places(c, 0))));
}
