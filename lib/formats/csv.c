/*
 * csv.c - reads lines of cells, each of which is kept in 8 bytes. A column has a kind, which
 * becomes wider as values need it: integers, floats, complex. The first line of values decides
 * whether it is text.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "formats/csv.h"

struct lines {
	struct axt_cursor c;
	char *p; /* the line, without its end: in the cursor's bytes, or own */
	size_t n;
	char *own;
	int64_t cap;
	char **cell; /* in p */
	int64_t ncells, capcells;
};

static int
over(struct axt_fr *r)
{
	axt_fail(r->e, AXT_E_LIMIT, "%s: its values are over the memory bound of %" PRId64 " bytes",
	    r->name, r->o->memory);
	axt_hint_option(r->e, "memory", "SIZE");
	return r->e->code;
}

/* Doubles an array, within the memory bound. */
static int
grow(struct axt_fr *r, void **p, int64_t *cap, size_t size)
{
	int64_t n = *cap ? *cap * 2 : 256;
	void *q;

	if (n > r->o->memory / (int64_t)size + 256)
		return over(r);
	q = realloc(*p, (size_t)n * size);
	if (!q)
		return axt_fr_oom(r);
	*p = q;
	*cap = n;
	return 0;
}

/* ---- lines ---- */

static int
bad_line(struct axt_csv *c, const char *what)
{
	return axt_fr_bad(c->r, "line %" PRId64 " %s", c->line, what);
}

/* Appends to l->own the bytes up to the end of the line, or of the buffer. */
static int
add_piece(struct axt_csv *c, struct lines *l, size_t n)
{
	while ((int64_t)(l->n + n) + 1 > l->cap)
		if (grow(c->r, (void **)&l->own, &l->cap, 1))
			return c->r->e->code;
	memcpy(l->own + l->n, l->c.buf + l->c.pos, n);
	l->n += n;
	l->c.pos += n;
	l->p = l->own;
	return 0;
}

/* Reads one line. Returns the byte that ends it, or -1 at the end of the file or on an error. */
static int
raw_line(struct axt_csv *c, struct lines *l)
{
	uint8_t *from, *end = NULL;

	l->n = 0;
	l->p = NULL;
	c->line++;
	while (!end && (l->c.pos < l->c.n || axt_cursor_fill(&l->c))) {
		from = l->c.buf + l->c.pos;
		end = memchr(from, '\n', l->c.n - l->c.pos);
		if (end && !l->p) { /* the buffer has the whole line */
			l->p = (char *)from;
			l->n = (size_t)(end - from);
			l->c.pos += l->n;
		} else if (add_piece(c, l, end ? (size_t)(end - from) : l->c.n - l->c.pos)) {
			return -1;
		}
		l->c.pos += end != NULL;
	}
	if (l->n && memchr(l->p, 0, l->n)) {
		bad_line(c, "has a NUL byte");
		return -1;
	}
	if (l->n > 0 && l->p[l->n - 1] == '\r')
		l->n--;
	if (!l->p && add_piece(c, l, 0))
		return -1;
	l->p[l->n] = '\0'; /* in place of the line's end, or after the last byte */
	return end ? '\n' : -1;
}

static int put_text(struct axt_csv *c, const char *s, size_t n, uint64_t *out);

/* Keeps a line that begins with # and stands before the first row of one column. */
static void
keep_marked(struct axt_csv *c, const struct lines *l)
{
	size_t n = l->n;

	while (n > 0 && (l->p[n - 1] == ' ' || l->p[n - 1] == '\t'))
		n--;
	if ((c->nmarked < c->capmarked ||
		grow(c->r, (void **)&c->marked, &c->capmarked, sizeof(*c->marked)) == 0) &&
	    put_text(c, l->p, n, &c->marked[c->nmarked]) == 0)
		c->nmarked++;
}

/* Reads the next line that is not empty; false at the end of the file, or on an error. */
static bool
next_line(struct axt_csv *c, struct lines *l)
{
	static const char mark[] = "\xef\xbb\xbf"; /* spreadsheets begin UTF-8 with it */
	bool nothing;
	int b;

	do {
		b = raw_line(c, l);
		if (c->line == 1 && l->n >= 3 && memcmp(l->p, mark, 3) == 0)
			memmove(l->p, l->p + 3, (l->n -= 3) + 1);
		/* only blanks, or a comment, as NumPy writes it */
		nothing = l->n == 0 || (l->p[0] == '#' && !axt_csv_is_list(c)) ||
		    strspn(l->p, " \t") == l->n;
		if (l->n == 0 && b == '\n' && c->head && c->cols == 1 && c->rows == 0)
			nothing = false; /* one missing value under its name */
		if (nothing && l->n > 0 && l->p[0] == '#' && c->head && c->cols == 1)
			keep_marked(c, l);
	} while (b >= 0 && nothing && !c->r->e->code);
	return !nothing && c->r->e->code == 0;
}

static char *
trimmed(char *s, char *end)
{
	while (*s == ' ' || *s == '\t')
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return s;
}

/*
 * Splits off the cell at s, changing the line in place. *next: where the next cell begins, or NULL
 * after the last.
 */
static int
one_cell(struct axt_csv *c, char *s, char **cell, char **next)
{
	char *w, *p = s + (c->delim == ' ' ? 0 : strspn(s, " "));

	if (*p != '"') {
		p = c->delim == ' ' ? s + strcspn(s, " \t") : strchrnul(s, c->delim);
		*next = *p ? p + 1 : NULL;
		*p = '\0';
		*cell = trimmed(s, p);
		return 0;
	}
	*cell = w = ++p;
	for (; *p && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		*w++ = *p;
	}
	if (!*p)
		return bad_line(c, "has a quote without end");
	p++;
	p += strspn(p, " ");
	if (*p && *p != c->delim)
		return bad_line(c, "has something behind a quoted cell");
	*next = *p ? p + 1 : NULL;
	*w = '\0';
	return 0;
}

static int
split(struct axt_csv *c, struct lines *l)
{
	char *s = c->delim == ' ' ? trimmed(l->p, l->p + l->n) : l->p;

	l->ncells = 0;
	while (s) {
		if (l->ncells == INT32_MAX)
			return bad_line(c, "has too many columns");
		if (l->ncells == l->capcells &&
		    grow(c->r, (void **)&l->cell, &l->capcells, sizeof(*l->cell)))
			return c->r->e->code;
		if (one_cell(c, s, &l->cell[l->ncells], &s))
			return c->r->e->code;
		l->ncells++;
		if (s && c->delim == ' ')
			s += strspn(s, " \t");
	}
	return 0;
}

/*
 * The delimiter of a line, outside quotes: a comma if there is one, else a tab, a semicolon, or
 * blanks. 0: it is not clear, because commas may be decimal ones.
 */
static char
delimiter(const char *s)
{
	static const char order[] = ",\t;";
	bool in = false, semicolon = false;
	char best = 0;

	for (; *s; s++) {
		const char *p = in ? NULL : strchr(order, *s);

		in = in != (*s == '"');
		semicolon = semicolon || (p && *s == ';');
		if (p && (!best || p < strchr(order, best)))
			best = *s;
	}
	return best == ',' && semicolon ? 0 : best ? best : ' ';
}

/* ---- values ---- */

static uint64_t
bits_of(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof(u));
	return u;
}

/* Reads a number; -0 keeps its sign. */
static bool
number(const char *s, struct axt_num *x)
{
	if (!axt_parse_num(s, x))
		return false;
	if (*s == '-' && x->f == 0)
		*x = (struct axt_num){ .f = -0.0 };
	return true;
}

/*
 * Reads a complex number such as 1+2j, (1-0.5j) or 2j into v, its real and its imaginary part.
 * Returns false if s is none.
 */
static bool
complex_number(const char *s, double v[2])
{
	char word[96];
	size_t n = strlen(s);
	struct axt_num re = { .f = 0 }, im;
	char *cut = NULL;

	if (n >= 2 && s[0] == '(' && s[n - 1] == ')') {
		s++;
		n -= 2;
	}
	if (n < 2 || n >= sizeof(word) || s[n - 1] != 'j')
		return false;
	memcpy(word, s, n - 1);
	word[n - 1] = '\0';
	for (char *p = word + 1; *p; p++)
		if ((*p == '+' || *p == '-') && p[-1] != 'e' && p[-1] != 'E')
			cut = p;
	if (!number(cut ? cut : word, &im))
		return false;
	if (cut)
		*cut = '\0';
	if (cut && !number(word, &re))
		return false;
	v[0] = re.f;
	v[1] = im.f;
	return true;
}

/* Whether a cell is a word for what is missing, as pandas and R write and read them. */
static bool
is_missing(const char *s)
{
	static const char *const words[] = { "NA", "N/A", "n/a", "#N/A", "NULL", "null", "None",
		"<NA>" };

	for (int i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(s, words[i]) == 0)
			return true;
	return false;
}

static enum axt_cell
value(const char *s, struct axt_num *x, double cx[2])
{
	*x = (struct axt_num){ .f = __builtin_nan("") };
	if (!*s)
		return AXT_CELL_REAL;
	if (number(s, x))
		return x->is_int ? (x->is_unsigned ? AXT_CELL_UINT : AXT_CELL_INT) : AXT_CELL_REAL;
	if (strcmp(s, "true") == 0 || strcmp(s, "True") == 0 || strcmp(s, "false") == 0 ||
	    strcmp(s, "False") == 0) {
		x->i = (*s | 32) == 't';
		x->f = (double)x->i;
		return AXT_CELL_BOOL;
	}
	x->f = __builtin_nan("");
	x->is_int = false;
	return complex_number(s, cx) ? AXT_CELL_COMPLEX
	    : is_missing(s)          ? AXT_CELL_REAL
				     : AXT_CELL_TEXT;
}

static int
put_complex(struct axt_csv *c, double re, double im, uint64_t *at)
{
	if (c->ncx == c->capcx && grow(c->r, (void **)&c->cx, &c->capcx, 2 * sizeof(*c->cx)))
		return c->r->e->code;
	*at = (uint64_t)c->ncx;
	c->cx[2 * c->ncx] = re;
	c->cx[2 * c->ncx++ + 1] = im;
	return 0;
}

static double
as_real(enum axt_cell kind, uint64_t u)
{
	double v;

	memcpy(&v, &u, sizeof(v));
	return kind == AXT_CELL_REAL ? v : kind == AXT_CELL_UINT ? (double)u : (double)(int64_t)u;
}

int
axt_csv_widen(struct axt_csv *c, int k, enum axt_cell to)
{
	enum axt_cell from = c->col[k].kind;

	c->col[k].kind = to;
	if (from >= to || from == AXT_CELL_NONE || to < AXT_CELL_REAL)
		return 0;
	for (int64_t i = 0; i < c->rows; i++) {
		uint64_t *u = &c->cell[i * c->cols + k];
		double v = as_real(from, *u);

		if (to == AXT_CELL_REAL)
			*u = bits_of(v);
		else if (put_complex(c, v, 0, u))
			return c->r->e->code;
	}
	return 0;
}

/* The kind that holds values of both kinds. TEXT goes only with TEXT. */
static enum axt_cell
merged(const struct axt_csv_col *col, enum axt_cell b)
{
	enum axt_cell a = col->kind, top = MAX(a, b);

	if (a == AXT_CELL_NONE || a == b)
		return b;
	if (top == AXT_CELL_UINT && col->negative)
		return AXT_CELL_REAL;
	return top;
}

/* Keeps n bytes at s as a text with a NUL. Of equal texts met lately only one is kept. */
static int
put_text(struct axt_csv *c, const char *s, size_t n, uint64_t *out)
{
	uint64_t h = n;
	const char **old;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * 0x100000001b3;
	old = &c->met[(h ^ h >> 32) % AXT_CSV_MET];
	if (!*old || strncmp(*old, s, n) != 0 || (*old)[n]) {
		c->text += (int64_t)n + 16;
		if (c->text > c->r->o->memory)
			return over(c->r);
		*old = axt_strndup(c->r->m, s, n);
	}
	*out = (uint64_t)(uintptr_t)*old;
	return *old ? 0 : axt_fr_oom(c->r);
}

/* Makes a column text whose cells have all been empty. */
static int
as_text(struct axt_csv *c, int k)
{
	c->col[k].kind = AXT_CELL_TEXT;
	for (int64_t i = 0; i < c->rows; i++)
		if (put_text(c, "", 0, &c->cell[i * c->cols + k]))
			return c->r->e->code;
	return 0;
}

static int
put(struct axt_csv *c, int k, const char *s)
{
	struct axt_csv_col *col = &c->col[k];
	uint64_t *u = &c->cell[c->rows * c->cols + k];
	enum axt_cell own, kind;
	struct axt_num x;
	double cx[2];
	char shown[100];

	if (col->kind == AXT_CELL_TEXT)
		return put_text(c, s, strlen(s), u);
	own = value(s, &x, cx);
	if (own == AXT_CELL_TEXT && c->rows > 0 && !col->some && as_text(c, k))
		return c->r->e->code;
	if (col->kind == AXT_CELL_TEXT)
		return put_text(c, s, strlen(s), u);
	if (own == AXT_CELL_TEXT && c->rows > 0) {
		axt_fr_bad(c->r, "line %" PRId64 ", column %d: \"%s\" is not a number", c->line,
		    k + 1, axt_escape_to(shown, sizeof(shown), s));
		if (c->head && c->cols == 1)
			axt_hint(c->r->e, "--header no reads words from the first line on");
		return c->r->e->code;
	}
	col->missing = col->missing || !*s || is_missing(s);
	col->some = col->some || (*s && !is_missing(s));
	col->negative = col->negative || (own == AXT_CELL_INT && x.i < 0);
	kind = merged(col, own);
	if (col->kind != kind && axt_csv_widen(c, k, kind))
		return c->r->e->code;
	if (kind == AXT_CELL_TEXT)
		return put_text(c, s, strlen(s), u);
	if (kind == AXT_CELL_COMPLEX)
		return own == AXT_CELL_COMPLEX ? put_complex(c, cx[0], cx[1], u)
					       : put_complex(c, x.f, 0, u);
	*u = kind == AXT_CELL_REAL ? bits_of(x.f) : x.is_unsigned ? x.u : (uint64_t)x.i;
	return 0;
}

/* ---- a fast way for rows like those before ---- */

static char *
skip_blanks(const struct axt_csv *c, char *s, const char *end)
{
	while (s < end && (*s == ' ' || (*s == '\t' && c->delim != '\t')))
		s++;
	return s;
}

/* Reads a text at s. Returns where it ends, or NULL if the slow way has to read it. */
static char *
quick_text(struct axt_csv *c, char *s, char *end, uint64_t *u)
{
	char *p = c->delim == ' ' ? s + strcspn(s, " \t") : memchr(s, c->delim, (size_t)(end - s));
	char *to;

	p = p ? p : end;
	for (to = p; to > s && (to[-1] == ' ' || to[-1] == '\t'); to--)
		;
	return *s == '"' || put_text(c, s, (size_t)(to - s), u) ? NULL : p;
}

/* The same for a number, in a column of integers or floats. */
static char *
quick_number(struct axt_csv *c, struct axt_csv_col *col, char *s, char *end, uint64_t *u)
{
	bool real = col->kind == AXT_CELL_REAL;
	struct axt_num x;

	if (real && c->delim != ' ' && (s == end || *s == c->delim)) {
		col->missing = true;
		*u = bits_of(__builtin_nan(""));
		return s;
	}
	if (!real && col->kind != AXT_CELL_INT)
		return NULL;
	end = (char *)axt_scan_num(s, end, &x);
	if (!end || (x.is_int ? x.is_unsigned || (x.i == 0 && *s == '-') : !real))
		return NULL;
	col->negative = col->negative || (x.is_int && x.i < 0);
	col->some = true;
	*u = real ? bits_of(x.f) : (uint64_t)x.i;
	return end;
}

/*
 * Reads the cell at s fast, if it is of the kind of its column. Returns where the next cell begins,
 * which is behind `end` after the last one. NULL: the cell is of another kind, in quotes, or wrong,
 * and has to be read by one_cell.
 */
static char *
quick_cell(struct axt_csv *c, int k, char *s, char *end)
{
	struct axt_csv_col *col = &c->col[k];
	uint64_t *u = &c->cell[c->rows * c->cols + k];
	char *p;

	s = skip_blanks(c, s, end);
	p = col->kind == AXT_CELL_TEXT ? quick_text(c, s, end, u) : quick_number(c, col, s, end, u);
	if (!p)
		return NULL;
	s = skip_blanks(c, p, end);
	if (s == end)
		return end + 1;
	if (c->delim == ' ')
		return s > p ? s : NULL;
	return *s == c->delim ? s + 1 : NULL;
}

/*
 * Reads a row if quick_cell can read all of its cells. Otherwise returns false, and nothing has
 * changed.
 */
static bool
quick_row(struct axt_csv *c, struct lines *l)
{
	char *s = l->p, *end = s + l->n;

	if (c->rows == 0 || (c->rows + 1) * c->cols > c->cap)
		return false;
	for (int k = 0; k < c->cols; k++)
		if (s > end || !(s = quick_cell(c, k, s, end)))
			return false;
	if (s <= end)
		return false;
	c->rows++;
	return true;
}

/* ---- the file ---- */

/* Whether the first line names columns: some cell is no number. */
static bool
is_header(const struct lines *l)
{
	struct axt_num x;
	double cx[2];

	for (int k = 0; k < l->ncells; k++)
		if (*l->cell[k] && value(l->cell[k], &x, cx) == AXT_CELL_TEXT)
			return true;
	return false;
}

static int
begin(struct axt_csv *c, struct lines *l)
{
	c->cols = (int)l->ncells;
	c->col = axt_alloc(c->r->m, (size_t)c->cols * sizeof(*c->col));
	if (!c->col)
		return axt_fr_oom(c->r);
	if (c->r->o->header == AXT_HEADER_NO ||
	    (c->r->o->header == AXT_HEADER_AUTO && !is_header(l)))
		return 0;
	c->head = axt_alloc(c->r->m, (size_t)c->cols * sizeof(*c->head));
	for (int k = 0; c->head && k < c->cols; k++)
		if (!(c->head[k] = axt_strdup(c->r->m, l->cell[k])))
			return axt_fr_oom(c->r);
	return c->head ? 0 : axt_fr_oom(c->r);
}

static int
row(struct axt_csv *c, struct lines *l)
{
	if (l->ncells != c->cols)
		return axt_fr_bad(c->r,
		    "line %" PRId64 " has %" PRId64 " columns, those before have %d", c->line,
		    l->ncells, c->cols);
	while ((c->rows + 1) * c->cols > c->cap)
		if (grow(c->r, (void **)&c->cell, &c->cap, sizeof(*c->cell)))
			return c->r->e->code;
	for (int k = 0; k < c->cols; k++)
		if (put(c, k, l->cell[k]))
			return c->r->e->code;
	c->rows++;
	return 0;
}

static int
all_lines(struct axt_csv *c, struct lines *l)
{
	bool first = true;

	while (next_line(c, l)) {
		if (quick_row(c, l))
			continue;
		if (first && !(c->delim = delimiter(l->p)))
			return bad_line(c,
			    "has both commas and semicolons: numbers take a point, as tr , . "
			    "gives them, and text with either is quoted");
		if (split(c, l) || (first && begin(c, l)))
			return c->r->e->code;
		if (first && c->cols == 1 && c->delim == ' ') /* words may have blanks */
			c->delim = ',';
		if (!(first && c->head) && row(c, l))
			return c->r->e->code;
		first = false;
	}
	if (c->r->e->code)
		return c->r->e->code;
	c->r->out->end = axt_cursor_where(&l->c);
	return first ? axt_fr_bad(c->r, "has no values") : 0;
}

/* Text is only MAYBE a CSV: another format of text is SURE by its first bytes. */
static int
sniff(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < 32 && (p[i] == 0 || !strchr("\t\n\r\f", p[i]))) || p[i] == 127)
			return AXT_SNIFF_NO;
	return n > 0 ? AXT_SNIFF_MAYBE : AXT_SNIFF_NO;
}

static int
read_csv(struct axt_fr *r)
{
	struct axt_csv c = { .r = r };
	struct lines l = { 0 };
	int rc = axt_cursor_init(&l.c, r);

	c.met = calloc(AXT_CSV_MET, sizeof(c.met[0]));
	if (rc == 0 && !c.met)
		rc = axt_fail(r->e, AXT_E_MEM, "out of memory");
	if (rc == 0)
		rc = all_lines(&c, &l);
	free(l.own);
	free(l.cell);
	if (rc == 0)
		rc = axt_csv_shape(&c);
	free(c.cell);
	free(c.marked);
	free(c.cx);
	free(c.met);
	return rc;
}

const struct axt_format_fns axt_format_csv = {
	.suffix = { { ".csv", true }, { ".tsv", false }, { ".txt", false } },
	.takes = AXT_TAKES_MATRIX,
	.many = true,
	.sniff = sniff,
	.read = read_csv,
	.head = axt_csv_head,
	.open = axt_csv_open,
	.finish = axt_csv_finish,
	.release = axt_csv_release,
};
