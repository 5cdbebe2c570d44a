/*
 * csv_tensor.c - the lines of a CSV as one tensor: a column for each axis and one of values, as
 * axt-print --csv writes them, or a matrix.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/quote.h"
#include "formats/csv.h"

/* ---- values ---- */

static const enum axt_dtype dtype_of[] = {
	[AXT_CELL_NONE] = AXT_F64,
	[AXT_CELL_BOOL] = AXT_BOOL,
	[AXT_CELL_INT] = AXT_I64,
	[AXT_CELL_UINT] = AXT_U64,
	[AXT_CELL_REAL] = AXT_F64,
	[AXT_CELL_COMPLEX] = AXT_C128,
};

/*
 * Moves the columns to the front of c->cell, where t has its values then. Complex values, and
 * values of one of several tensors, get memory of their own.
 */
int
axt_csv_values(struct axt_csv *c, int from, int to, bool several, struct axt_foreign_item *t)
{
	enum axt_cell kind = c->col[from].kind;
	int64_t n = 0;
	uint64_t *cell = c->cell;
	uint8_t *bytes;
	double *z = NULL;

	t->dtype = dtype_of[kind];
	if (kind == AXT_CELL_COMPLEX && !(z = malloc(16 * (size_t)(c->rows * (to - from)) + 16)))
		return axt_fr_oom(c->r);
	if (!z && (several || !cell) && !(cell = malloc(8 * (size_t)c->rows + 8)))
		return axt_fr_oom(c->r);
	bytes = (uint8_t *)cell;
	for (int64_t i = 0; i < c->rows; i++)
		for (int k = from; k < to; k++, n++) {
			uint64_t u = axt_csv_cell(c, i, k);

			if (z)
				memcpy(z + 2 * n, c->cx + 2 * u, 16);
			else if (kind == AXT_CELL_BOOL)
				bytes[n] = (uint8_t)u;
			else
				cell[n] = u;
		}
	t->mem = z ? (void *)z : (void *)cell;
	if (!z && !several)
		c->cell = NULL;
	if (!axt_file_keep(c->r->m, c->r->f, (void *)t->mem))
		return axt_fr_oom(c->r);
	for (int k = from; k < to; k++)
		t->missing = t->missing || c->col[k].missing;
	return axt_fr_sized(c->r, t);
}

static int
not_numbers(struct axt_csv *c, int k)
{
	char shown[100];

	axt_fr_bad(c->r, "column %d holds text, such as \"%s\"", k + 1,
	    axt_escape_to(shown, sizeof(shown), (const char *)(uintptr_t)axt_csv_cell(c, 0, k)));
	if (c->head && c->r->o->matrix)
		axt_hint(c->r->e,
		    "without --matrix, columns of text go along with those of numbers");
	else if (c->head)
		axt_hint(c->r->e, "axt-from %s takes one column",
		    axt_quoted(c->r->m, axt_sprintf(c->r->m, "%s:%s", c->r->f->path, c->head[k])));
	else
		axt_hint(c->r->e, "columns of text need names, in a first line NAME,NAME,...");
	return AXT_E_FORMAT;
}

/* Makes columns [from, to) all of one kind. */
static int
one_kind(struct axt_csv *c, int from, int to)
{
	enum axt_cell kind = AXT_CELL_NONE;
	bool negative = false;

	for (int k = from; k < to; k++) {
		if (c->col[k].kind == AXT_CELL_TEXT)
			return not_numbers(c, k);
		kind = MAX(kind, c->col[k].kind);
		negative = negative || c->col[k].negative;
	}
	if (kind == AXT_CELL_UINT && negative)
		kind = AXT_CELL_REAL;
	for (int k = from; k < to; k++)
		if (axt_csv_widen(c, k, kind))
			return c->r->e->code;
	return 0;
}

/* ---- dates ---- */

/* Days from 1970 to a date of the Gregorian calendar. */
static int64_t
days(int64_t y, int m, int d)
{
	int64_t era, yoe, doy;

	y -= m <= 2;
	era = y / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

/* The numbers of a text like "dddd-dd-dd", d for a digit; where it ends, or NULL. */
static const char *
digits(const char *s, const char *like, int v[3])
{
	*v = 0;
	for (; *like; like++, s++)
		if (*like != 'd' && *s == *like)
			*++v = 0;
		else if (*like == 'd' && *s >= '0' && *s <= '9')
			*v = *v * 10 + (*s - '0');
		else
			return NULL;
	return s;
}

/* Where a time of day ends: at Z, or at its distance to UTC as in +01:00. NULL: it is neither. */
static const char *
zone(const char *s, double *seconds)
{
	int t[3] = { 0 };
	double sign = *s == '-' ? -1 : 1;

	*seconds = 0;
	if (*s != '+' && *s != '-')
		return s + (*s == 'Z');
	s = digits(s + 1, "dd:dd", t);
	*seconds = sign * (t[0] * 3600 + t[1] * 60);
	return s && t[0] < 24 && t[1] < 60 ? s : NULL;
}

/*
 * Reads a date from 1583 on as seconds since 1970 in UTC: "2010-06-01", "2010-06-01 12:00",
 * "2010-06-01T12:00:00.5Z" or "2010-06-01T12:00+02:00". Earlier ones would be other days in the
 * standard calendar of CF, which is Julian until October 1582. Returns false if s is no such date.
 */
static bool
date(const char *s, double *out)
{
	static const int length[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int d[3], t[3] = { 0 }, whole[3];
	double sec = 0, east = 0;
	char *end;

	s = digits(s, "dddd-dd-dd", d);
	if (!s || d[0] < 1583 || d[1] < 1 || d[1] > 12 || d[2] < 1 || d[2] > length[d[1] - 1] ||
	    (d[1] == 2 && d[2] == 29 && (d[0] % 4 || (d[0] % 100 == 0 && d[0] % 400))))
		return false;
	if (*s) {
		if ((*s != 'T' && *s != ' ') || !digits(s + 1, "dd:dd", t) || t[0] > 23 ||
		    t[1] > 59)
			return false;
		s += 6;
		if (*s == ':') {
			if (!digits(s + 1, "dd", whole))
				return false;
			sec = axt_strtod(s + 1, &end); /* a fraction, too */
			s = end;
		}
		s = zone(s, &east);
		if (!s || *s || !(sec < 60))
			return false;
	}
	*out = (double)days(d[0], d[1], d[2]) * 86400 + t[0] * 3600 + t[1] * 60 + sec - east;
	return true;
}

bool
axt_csv_as_time(struct axt_fr *r, struct axt_coord *x)
{
	const char *const *text = x->data;
	double *v = axt_alloc(r->m, (size_t)(x->n + 1) * sizeof(*v));
	struct axt_attr *units = axt_alloc(r->m, sizeof(*units));
	bool whole = true;

	if (!v || !units || x->n == 0)
		return false;
	for (int64_t i = 0; i < x->n; i++) {
		if (!date(text[i], &v[i]))
			return false;
		whole = whole && fmod(v[i], 86400) == 0;
	}
	for (int64_t i = 0; i < x->n && whole; i++)
		v[i] /= 86400;
	*units = (struct axt_attr){ .name = "units",
		.kind = AXT_ATTR_TEXT,
		.text = whole ? "days since 1970-01-01" : "seconds since 1970-01-01" };
	*x = (struct axt_coord){ .dtype = AXT_F64, .n = x->n, .data = v, .attrs = units };
	return true;
}

/* ---- tables ---- */

/* Adds to a list the units in brackets behind the name of column k, if there are some. */
static int
add_units(struct axt_csv *c, int k, const struct axt_attr **l)
{
	if (!c->units || !c->units[k])
		return 0;
	*l = axt_attr_set(c->r->m, *l,
	    &(struct axt_attr){ .name = "units", .kind = AXT_ATTR_TEXT, .text = c->units[k] });
	return *l ? 0 : axt_fr_oom(c->r);
}

/*
 * Whether the column has a name that axt gives to axes without names (dim_0), or to lines ("row",
 * "column"), or none. Then 0, 1, 2... in it are indices, and no coordinates.
 */
static bool
is_index(const char *name)
{
	return !*name || strcmp(name, "row") == 0 || strcmp(name, "column") == 0 ||
	    (strncmp(name, "dim_", 4) == 0 && !name[4 + strspn(name + 4, "0123456789")]);
}

/* The coordinates of the axis that column k is, whose value changes every `step` rows. */
static int
coordinates(struct axt_csv *c, int k, int64_t n, int64_t step, const struct axt_coord **out)
{
	struct axt_fr *r = c->r;
	struct axt_coord *x = axt_alloc(r->m, sizeof(*x));
	uint64_t *v = axt_alloc(r->m, (size_t)(n + 1) * sizeof(*v));
	bool index = (c->col[k].kind == AXT_CELL_INT && is_index(c->head[k])) || n == 0;

	if (!x || !v)
		return axt_fr_oom(r);
	for (int64_t i = 0; i < n; i++) {
		v[i] = axt_csv_cell(c, i * step, k);
		index = index && v[i] == (uint64_t)i;
	}
	*out = index ? NULL : x;
	*x = (struct axt_coord){ .text = c->col[k].kind == AXT_CELL_TEXT,
		.n = n,
		.data = v,
		.dtype = c->col[k].kind == AXT_CELL_BOOL
		    ? AXT_I64
		    : dtype_of[MIN(c->col[k].kind, AXT_CELL_COMPLEX)] };
	if (x->text && axt_csv_as_time(r, x))
		return r->e->code;
	return r->e->code || x->text ? (int)r->e->code : add_units(c, k, &x->attrs);
}

bool
axt_csv_is_date(const struct axt_csv *c, int64_t i, int k)
{
	double v;

	return c->col[k].kind == AXT_CELL_TEXT &&
	    date((const char *)(uintptr_t)axt_csv_cell(c, i, k), &v);
}

int
axt_csv_axis(struct axt_csv *c, int k, int64_t n, int64_t step, int at, struct axt_axis *x)
{
	*x = (struct axt_axis){ .len = n };
	if (axt_axis_from_file(c->r->m, c->head[k], x))
		return axt_fr_oom(c->r);
	if (!*x->name && !(x->name = axt_sprintf(c->r->m, "dim_%d", at)))
		return axt_fr_oom(c->r);
	x->len = n;
	x->from = c->r->from;
	return coordinates(c, k, n, step, &x->coord);
}

int
axt_csv_named(struct axt_csv *c, int k, struct axt_foreign_item *t)
{
	if (*c->head[k])
		t->name = c->head[k];
	return add_units(c, k, &t->attrs);
}

/* The first row, below `stop`, that differs in column k from row 0; `stop` if there is none. */
static int64_t
changes(const struct axt_csv *c, int k, int64_t stop)
{
	int64_t i = 1;

	while (i < stop && axt_csv_cell(c, i, k) == axt_csv_cell(c, 0, k))
		i++;
	return MIN(i, stop);
}

bool
axt_csv_same(const struct axt_csv *c, int k, int64_t i, int64_t j)
{
	uint64_t a = axt_csv_cell(c, i, k), b = axt_csv_cell(c, j, k);

	return a == b ||
	    (c->col[k].kind == AXT_CELL_TEXT &&
		strcmp((const char *)(uintptr_t)a, (const char *)(uintptr_t)b) == 0);
}

/* Whether each of n columns has, in every row, the value that it had when its index first came. */
static bool
repeats(const struct axt_csv *c, int n, const int64_t dims[], const int64_t steps[])
{
	int64_t index[AXT_MAX_RANK] = { 0 }, first[AXT_MAX_RANK] = { 0 };

	for (int64_t i = 0; i < c->rows; i++) {
		for (int k = 0; k < n; k++)
			if (!axt_csv_same(c, k, i, first[k]))
				return false;
		for (int k = n - 1; k >= 0; k--) {
			first[k] += steps[k];
			if (++index[k] < dims[k])
				break;
			index[k] = first[k] = 0;
		}
	}
	return true;
}

/*
 * Whether the first n columns list all combinations of their values, the last column changing
 * fastest, as the indices of elements in row-major order do. dims[k] becomes the length of axis k,
 * and steps[k] how many rows its value stays the same.
 */
static bool
is_product(const struct axt_csv *c, int n, int64_t dims[], int64_t steps[])
{
	int64_t block = c->rows;

	for (int k = 0; k < n; k++) {
		int64_t step = changes(c, k, block);

		if (c->col[k].kind == AXT_CELL_COMPLEX)
			return false;
		if (c->rows == 0)
			step = 1;
		else if (block % step)
			return false;
		dims[k] = c->rows ? block / step : 0;
		steps[k] = block = step;
	}
	if (n > 0 ? block != 1 : c->rows != 1)
		return false;
	return repeats(c, n, dims, steps);
}

static int
table(struct axt_csv *c, int naxes, int value, const int64_t *dims, const int64_t *steps)
{
	struct axt_foreign_item *t = c->r->out->item;

	if (axt_csv_named(c, value, t))
		return c->r->e->code;
	t->axes.n = naxes;
	for (int k = 0; k < naxes; k++)
		if (axt_csv_axis(c, k, dims[k], steps[k], k, &t->axes.a[k]))
			return c->r->e->code;
	return axt_csv_values(c, value, value + 1, false, t);
}

/* One column alone, over the axis of all lines. */
static int
column(struct axt_csv *c, int value)
{
	struct axt_foreign_item *t = c->r->out->item;

	t->axes.n = 1;
	return axt_csv_rows(c, &t->axes.a[0]) || axt_csv_named(c, value, t)
	    ? (int)c->r->e->code
	    : axt_csv_values(c, value, value + 1, false, t);
}

/* The column a user named, or the last one; -1: there is none of that name. */
static int
value_column(const struct axt_csv *c)
{
	const char *want = c->r->o->tensor;

	if (!want)
		return c->cols - 1;
	for (int k = c->cols - 1; k >= 0; k--)
		if (strcmp(c->head[k], want) == 0)
			return k;
	return -1;
}

/*
 * Returns 1 if the lines are a table of axes and values, or there is an error; 0 if they are none.
 */
static int
try_table(struct axt_csv *c)
{
	int64_t dims[AXT_MAX_RANK], steps[AXT_MAX_RANK];
	int value = value_column(c);

	if (value < 0) {
		axt_fail(c->r->e, AXT_E_NAME, "%s: no column \"%s\"", c->r->name,
		    axt_escape(c->r->m, c->r->o->tensor));
		axt_about(c->r->e, AXT_NO_DATASET, c->r->o->tensor, c->r->name);
		return 1;
	}
	if (c->rows > 0 && c->col[value].kind == AXT_CELL_TEXT)
		return c->r->o->tensor ? axt_csv_words(c, value, c->r->out->item), 1 : 0;
	if (axt_csv_places(c, value))
		return c->r->o->tensor ? (column(c, value), 1) : 0;
	/* if the user named the column, as many axes before it as possible */
	for (int n = value; n >= (c->r->o->tensor ? 0 : value); n--)
		if (n <= AXT_MAX_RANK && is_product(c, n, dims, steps) &&
		    /* dates of several stations are no axis */
		    (n != 1 || axt_csv_distinct(c, 0, c->rows) == c->rows)) {
			table(c, n, value, dims, steps);
			return 1;
		}
	if (c->r->o->tensor)
		column(c, value);
	return c->r->o->tensor || c->r->e->code;
}

/* ---- matrices ---- */

static int
matrix(struct axt_csv *c)
{
	static const char *const names[] = { "row", "column" };
	struct axt_foreign_item *t = c->r->out->item;
	struct axt_coord *x;
	int rank = c->cols > 1 ? 2 : 1;

	if (rank == 1 && c->rows > 0 && c->col[0].kind == AXT_CELL_TEXT)
		return axt_csv_words(c, 0, t);
	if (axt_fr_axes(c->r, t, rank, (int64_t[]){ c->rows, c->cols }, names) ||
	    one_kind(c, 0, c->cols))
		return c->r->e->code;
	if (c->head && rank == 1 && axt_csv_named(c, 0, t))
		return c->r->e->code;
	if (c->head && rank == 2) {
		x = axt_alloc(c->r->m, sizeof(*x));
		if (!x)
			return axt_fr_oom(c->r);
		*x = (struct axt_coord){ .text = true, .n = c->cols, .data = c->head };
		t->axes.a[1].coord = x;
	}
	return axt_csv_values(c, 0, c->cols, false, t);
}

/* Refuses text that is a number with a decimal comma, as "2,5". */
static int
check_commas(struct axt_csv *c)
{
	for (int k = 0; k < c->cols && c->rows > 0 && c->delim == ';'; k++) {
		const char *s = c->col[k].kind == AXT_CELL_TEXT
		    ? (const char *)(uintptr_t)axt_csv_cell(c, 0, k)
		    : "";
		size_t n = strspn(s, "+-0123456789");

		if (n > 0 && s[n] == ',' && s[n + 1] &&
		    !s[n + 1 + strspn(s + n + 1, "0123456789")]) {
			axt_fr_bad(c->r, "column %d has \"%s\", and numbers take a point", k + 1,
			    s);
			axt_hint(c->r->e, "tr , . <%s | axt-from --format csv - -o FILE.nc",
			    axt_quoted(c->r->m, c->r->f->path));
			return c->r->e->code;
		}
	}
	return 0;
}

int
axt_csv_shape(struct axt_csv *c)
{
	bool done = false;

	if (axt_csv_first_word(c) || check_commas(c) || (c->head && axt_csv_units(c)))
		return c->r->e->code;
	if (c->head && !*c->head[0] && c->cols > 1)
		axt_csv_name_first(c);
	if (c->r->o->all && (axt_csv_records(c, &done) || done))
		return c->r->e->code;
	if (!axt_fr_items(c->r, 1))
		return c->r->e->code;
	if (c->r->o->tensor && (!c->head || c->r->o->matrix))
		return axt_fail(c->r->e, AXT_E_NAME, "%s: its columns have no names", c->r->name);
	if (c->head && !c->r->o->matrix && try_table(c))
		return c->r->e->code;
	if (!c->r->o->all && (axt_csv_records(c, &done) || done))
		return c->r->e->code;
	if (c->sorted && try_table(c))
		return c->r->e->code;
	return matrix(c);
}
