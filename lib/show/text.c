/*
 * text.c - a sink that prints a tensor while its values arrive. Rank 0 is printed as the bare
 * value, rank 1 as a value per line, rank 2 as a row per line. With more axes there are blocks of
 * rows, each under a line "# time=0 (2010-01-01)", with an empty line between blocks. On a terminal
 * a first line names the axes, and the middle of a long tensor is left out. CSV has a line per
 * value and a column per axis, and so have tables of several tensors, whose columns are aligned.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "show/text.h"

#define SHOWN 1000      /* elements that are shown on a terminal */
#define SHOWN_LINES 48  /* lines of a table that are shown on a terminal */
#define LABELS 65536    /* coordinates of an axis that are kept as text */
#define FULL (64 << 10) /* bytes of text that are collected before a write */
/* bytes of results that are kept to be printed side by side */
#define TABLE_BYTES (256 << 20)

/* Results that are kept for the columns of one table. */
struct axt_text_table {
	int n;
	int *width;  /* [n]: characters of each column, where they are aligned */
	void **data; /* [n]: the values of each result */
};

/* The texts along one axis: coordinates, or indices if it has none. */
struct column {
	int width;                 /* of an aligned column, in characters */
	const struct axt_coord *c; /* NULL: indices are shown */
	bool hidden;               /* indices, which are not shown after all */
	struct axt_valfmt fmt;
	/*
	 * For CSV: the texts of the innermost axis, each with a comma, made once since they repeat
	 * in each row; end[i] is where text i ends.
	 */
	struct axt_buf all;
	size_t *end;
};

/*
 * The sink. Once it is made, only `done` and `b` change, so that any thread may turn values into
 * text.
 */
struct text {
	struct axt_sink s; /* first, since a sink is cast to this */
	/* the tensor that is printed; v - i is the first of all tensors */
	const struct axt_out_var *v;
	int nvars, i;
	struct axt_text_opts o;
	bool aligned; /* blanks between the columns of a table, in place of commas */
	struct axt_text_table *table; /* for CSV: the results before this one */
	bool keep;                    /* for CSV: the values are only kept, for the table */
	struct axt_valfmt *fmt;       /* [nvars] if there is a table, else [1] */
	struct axt_arena *m;
	const char *name, *axis[AXT_MAX_RANK]; /* with escapes */
	struct column col[AXT_MAX_RANK];
	struct axt_beside *beside; /* for tables: what lies along one axis of the tensor */
	int nbeside;
	struct axt_buf b; /* text that is not written yet */
	int nd, size;
	/* done: elements that have arrived; count: those of the tensor; limit: those to show */
	int64_t done, count, limit;
	int64_t edge; /* how many indices are shown at either end of an axis; -1: all */
};

/* The element that is shown next. */
struct shown {
	int64_t at, idx[AXT_MAX_RANK];
	/*
	 * For CSV: the text of all columns but the last, each with a comma; start[k] is the number
	 * of bytes before column k.
	 */
	struct axt_buf line;
	size_t start[AXT_MAX_RANK];
};

static int64_t
len(const struct text *t, int k)
{
	return t->v->axes.a[k].len;
}

/* ---- leaving out the middle ---- */

static int64_t
shown_with(const struct text *t, int64_t edge)
{
	int64_t n = 1;
	int k;

	for (k = 0; k < t->nd; k++)
		if (!axt_mul(n, MIN(len(t, k), 2 * edge), &n))
			return INT64_MAX;
	return n;
}

static void
choose_edge(struct text *t)
{
	int64_t most = t->aligned ? SHOWN_LINES : SHOWN;

	t->edge = -1;
	if (!t->o.terminal || (t->o.csv && !t->aligned) || t->o.head || t->count <= most)
		return;
	for (t->edge = 1; shown_with(t, t->edge + 1) <= most; t->edge++)
		;
}

/* The outermost axis along which the element is left out; -1 if it is shown. */
static int
hidden(const struct text *t, const struct shown *w)
{
	int k;

	for (k = 0; t->edge >= 0 && k < t->nd; k++)
		if (w->idx[k] >= t->edge && w->idx[k] < len(t, k) - t->edge)
			return k;
	return -1;
}

/* Adds dots for what is left out along axis k, if this is its first element. */
static void
mark_hidden(const struct text *t, const struct shown *w, int k, struct axt_buf *b)
{
	int j;

	if (w->idx[k] != t->edge)
		return;
	for (j = k + 1; j < t->nd; j++)
		if (w->idx[j] != 0)
			return;
	if (t->aligned)
		axt_buf_adds(b, "...\n");
	else
		axt_buf_adds(b,
		    k < t->nd - 2                     ? "\n...\n"
			: k < t->nd - 1 || t->nd == 1 ? "...\n"
						      : " ...");
}

/* How many elements, from this one on, are left out along axis k. */
static int64_t
left_out(const struct text *t, const struct shown *w, int k)
{
	int64_t inner = 1;

	for (int j = k + 1; j < t->nd; j++)
		inner *= len(t, j);
	return (len(t, k) - t->edge - w->idx[k]) * inner - w->at % inner;
}

/* ---- coordinates ---- */

static void
add_index(struct axt_buf *b, int64_t i)
{
	char *p = axt_buf_reserve(b, AXT_TEXT);

	if (p)
		b->n += (size_t)axt_u64_text(p, (uint64_t)i);
}

static int
characters(const char *s, size_t n)
{
	int count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)s[i] & 0xc0) != 0x80;
	return count;
}

/* Ends the field that begins at `from`, and is not the last of its line. */
static void
end_field(const struct text *t, struct axt_buf *b, size_t from, int width)
{
	if (!t->aligned)
		axt_buf_add(b, ",", 1);
	else if (!b->bad)
		axt_buf_addf(b, "%*s", width + 2 - characters(b->p + from, b->n - from), "");
}

/* Adds the text of index i. quote: as a field of CSV. */
static void
add_label(struct axt_buf *b, const struct column *c, int64_t i, bool quote)
{
	char name[1024];

	if (!c->c || i >= c->c->n) {
		add_index(b, i);
	} else if (c->c->text) {
		axt_escape_to(name, sizeof(name), ((const char *const *)c->c->data)[i]);
		if (quote)
			axt_csv_add(b, name);
		else
			axt_buf_adds(b, name);
	} else {
		axt_valfmt_add(b, &c->fmt, (const char *)c->c->data + i * axt_size(c->c->dtype));
	}
}

/* Makes all texts of the innermost axis. */
static void
keep_labels(struct text *t)
{
	struct column *c = &t->col[t->nd - 1];
	int64_t n = len(t, t->nd - 1);
	size_t *end, from;

	if (n > LABELS || t->limit < 4 * n || !(end = malloc((size_t)n * sizeof(*end) + 1)))
		return;
	for (int64_t i = 0; i < n; i++) {
		from = c->all.n;
		add_label(&c->all, c, i, !t->aligned);
		end_field(t, &c->all, from, c->width);
		end[i] = c->all.n;
	}
	if (c->all.bad)
		free(end);
	else
		c->end = end;
}

static void
init_columns(struct text *t)
{
	for (int k = 0; k < t->nd; k++) {
		struct column *c = &t->col[k];

		c->c = t->v->axes.a[k].coord;
		if (c->c && !c->c->data)
			c->c = NULL;
		c->hidden = t->o.no_index && !c->c;
		if (c->c && !c->c->text)
			axt_valfmt_init(&c->fmt, c->c->dtype, c->c->attrs, NULL, NULL);
	}
}

/* ---- plain text ---- */

static void
block_header(const struct text *t, const struct shown *w, struct axt_buf *b)
{
	int k;

	axt_buf_adds(b, w->at > 0 || t->o.terminal ? "\n#" : "#");
	for (k = 0; k < t->nd - 2; k++) {
		const struct axt_coord *c = t->col[k].c;

		axt_buf_addf(b, " %s=%lld", t->axis[k], (long long)w->idx[k]);
		if (!c || w->idx[k] >= c->n)
			continue;
		axt_buf_adds(b, " (");
		add_label(b, &t->col[k], w->idx[k], false);
		axt_buf_adds(b, ")");
	}
	axt_buf_adds(b, "\n");
}

static void
plain_value(const struct text *t, struct shown *w, const void *p, struct axt_buf *b)
{
	int last = t->nd - 1;

	if (t->nd > 2 && w->idx[last] == 0 && w->idx[last - 1] == 0)
		block_header(t, w, b);
	if (t->nd > 1 && w->idx[last] > 0)
		axt_buf_add(b, " ", 1);
	axt_valfmt_add(b, &t->fmt[0], p);
	if (t->nd < 2 || w->idx[last] == len(t, last) - 1)
		axt_buf_add(b, "\n", 1);
}

static void
plain_start(struct text *t)
{
	int k;

	if (t->nd == 0 && t->o.values_named)
		axt_buf_addf(&t->b, "%s\t", t->name);
	if (t->nd == 0 || !(t->o.terminal || t->o.values_named))
		return;
	axt_buf_addf(&t->b, "%s# %s", t->i > 0 ? "\n" : "", t->name);
	if (t->o.terminal) {
		axt_buf_addf(&t->b, " %s", axt_dtypes[t->v->dtype].name);
		for (k = 0; k < t->nd; k++)
			axt_buf_addf(&t->b, " %s=%lld", t->axis[k], (long long)len(t, k));
	}
	axt_buf_adds(&t->b, "\n");
}

/* ---- CSV ---- */

static const char *
name_of(const struct text *t, int k)
{
	const char *name = t->v[k - t->i].name;

	return axt_escape(t->m, name ? name : "tensor");
}

/* Adds a word to the first line. */
static void
add_head(struct text *t, const char *word, int width, bool last)
{
	size_t from = t->b.n;

	if (t->aligned)
		axt_buf_adds(&t->b, word ? word : "?");
	else
		axt_csv_add(&t->b, word);
	if (!last)
		end_field(t, &t->b, from, width);
}

/* Adds the cells of those columns to the line of an element. */
static void
add_beside(const struct text *t, struct axt_buf *b, const int64_t *idx)
{
	for (int k = 0; k < t->nbeside; k++) {
		const struct axt_beside *c = &t->beside[k];
		size_t from = b->n;

		axt_beside_add(b, c, idx[c->axis], !t->aligned);
		end_field(t, b, from, c->width);
	}
}

static void
csv_start(struct text *t)
{
	int k, first = t->table ? 0 : t->i;

	if (t->i > 0 && !t->table)
		axt_buf_adds(&t->b, "\n");
	for (k = 0; k < t->nd; k++)
		if (!t->col[k].hidden)
			add_head(t, t->axis[k], t->col[k].width, false);
	for (k = 0; k < t->nbeside; k++)
		add_head(t, t->beside[k].name, t->beside[k].width, false);
	for (k = first; k <= t->i; k++)
		add_head(t, name_of(t, k), t->aligned && k < t->i ? t->table->width[k] : 0,
		    k == t->i);
	axt_buf_adds(&t->b, "\n");
}

static void
csv_cell(const struct text *t, struct axt_buf *b, const struct axt_valfmt *f, const void *p)
{
	struct axt_buf c = { 0 };

	if (!t->aligned && axt_valfmt_missing(f, p))
		return;
	if (t->aligned || f->conv == 0) {
		axt_valfmt_add(b, f, p);
		return;
	}
	axt_valfmt_add(&c, f, p); /* the format may have commas in it */
	if (c.bad)
		b->bad = true;
	else
		axt_csv_add(b, c.p);
	axt_buf_release(&c);
}

/* Makes the text of the columns from k on, whose indices have changed. */
static void
csv_columns(const struct text *t, struct shown *w, int k)
{
	w->line.n = w->start[k];
	for (; k < t->nd - 1; k++) {
		w->start[k] = w->line.n;
		if (t->col[k].hidden)
			continue;
		add_label(&w->line, &t->col[k], w->idx[k], !t->aligned);
		end_field(t, &w->line, w->start[k], t->col[k].width);
	}
}

static void
csv_last(const struct text *t, struct axt_buf *b, int64_t i)
{
	const struct column *c = &t->col[t->nd - 1];
	size_t from = c->end && i > 0 ? c->end[i - 1] : 0;

	if (c->hidden)
		return;
	if (c->end) {
		axt_buf_add(b, c->all.p + from, c->end[i] - from);
		return;
	}
	from = b->n;
	add_label(b, c, i, !t->aligned);
	end_field(t, b, from, c->width);
}

static void
csv_value(const struct text *t, struct shown *w, const void *p, struct axt_buf *b)
{
	int last = t->nd - 1, k;

	if (w->line.n > 0)
		axt_buf_add(b, w->line.p, w->line.n);
	if (t->nd > 0)
		csv_last(t, b, w->idx[last]);
	add_beside(t, b, w->idx);
	for (k = 0; t->table && k < t->i; k++) {
		const struct axt_valfmt *f = &t->fmt[k];

		size_t from = b->n;

		csv_cell(t, b, f, (char *)t->table->data[k] + w->at * axt_size(f->dtype));
		end_field(t, b, from, t->aligned ? t->table->width[k] : 0);
	}
	csv_cell(t, b, &t->fmt[t->table ? t->i : 0], p);
	axt_buf_add(b, "\n", 1);
}

/* Adds a value to a line of comma-separated values. */
static void
row_value(const struct text *t, struct shown *w, const void *p, struct axt_buf *b)
{
	int last = t->nd - 1;
	int64_t cols = t->nd == 2 ? len(t, 1) : 1;

	if (!axt_valfmt_missing(&t->fmt[0], p))
		axt_valfmt_add(b, &t->fmt[0], p);
	else if (cols == 1) /* an empty field that is alone on a line would be lost */
		axt_buf_adds(b, "nan");
	axt_buf_add(b, cols == 1 || w->idx[last] == cols - 1 ? "\n" : ",", 1);
}

/* ---- the sink ---- */

static int
put(struct text *t, const char *p, size_t n, struct axt_err *e)
{
	errno = 0;
	if (n > 0 && fwrite(p, 1, n, t->o.out) != n)
		return axt_fail(e, AXT_E_IO, "%s: %s", t->o.to ? t->o.to : "standard output",
		    strerror(errno != 0 ? errno : EIO));
	return AXT_OK;
}

static int
flush(struct text *t, struct axt_err *e)
{
	if (t->b.bad)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (put(t, t->b.p, t->b.n, e))
		return e->code;
	t->b.n = 0;
	return AXT_OK;
}

static void
shown_init(const struct text *t, struct shown *w, int64_t at)
{
	*w = (struct shown){ .at = at };
	for (int k = t->nd - 1; k >= 0; k--) {
		w->idx[k] = at % len(t, k);
		at /= len(t, k);
	}
	if (t->o.csv && t->nd > 0)
		csv_columns(t, w, 0);
}

static void
shown_next(const struct text *t, struct shown *w)
{
	int k;

	w->at++;
	for (k = t->nd - 1; k >= 0 && ++w->idx[k] == len(t, k); k--)
		w->idx[k] = 0;
	if (t->o.csv && k >= 0 && k < t->nd - 1)
		csv_columns(t, w, k);
}

static void
text_render(const struct axt_sink *s, int64_t off, const void *p, int64_t bytes, struct axt_buf *b)
{
	const struct text *t = (const struct text *)s;
	int64_t at = off / t->size, n = MIN(at + bytes / t->size, t->limit) - at;
	const char *q = p;
	struct shown w;

	if (n <= 0)
		return;
	shown_init(t, &w, at);
	for (int64_t m, end = at + n; w.at < end && !b->bad; q += m * t->size) {
		int h = hidden(t, &w);

		m = h < 0 ? 1 : MIN(left_out(t, &w, h), end - w.at);
		if (h >= 0) {
			mark_hidden(t, &w, h, b);
			shown_init(t, &w, w.at + m);
			continue;
		}
		(t->o.rows ? row_value : t->o.csv ? csv_value : plain_value)(t, &w, q, b);
		shown_next(t, &w);
	}
	b->bad = b->bad || w.line.bad;
	axt_buf_release(&w.line);
}

static void
came(struct text *t, int64_t bytes)
{
	t->done += bytes / t->size;
	if (!t->keep && t->done >= t->limit && t->limit < t->count)
		__atomic_store_n(&t->s.full, true, __ATOMIC_RELAXED);
}

static int
text_take(struct axt_sink *s, const struct axt_buf *b, int64_t bytes, struct axt_err *e)
{
	struct text *t = (struct text *)s;

	if (b->bad)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	came(t, bytes);
	/* little text is kept back, since it is not printed if there is an error */
	if (b->n < FULL) {
		axt_buf_add(&t->b, b->p, b->n);
		return t->b.n > FULL || t->b.bad ? flush(t, e) : AXT_OK;
	}
	if (flush(t, e))
		return e->code;
	return put(t, b->p, b->n, e);
}

static int
text_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct text *t = (struct text *)s;
	const char *q = p;

	if (t->keep) {
		memcpy((char *)t->table->data[t->i] + off, p, (size_t)n);
		t->done += n / t->size;
		return AXT_OK;
	}
	for (int64_t i = 0, m; i < n && !t->s.full; i += m) {
		m = MIN(n - i, FULL / 16 * t->size);
		text_render(s, off + i, q + i, m, &t->b);
		came(t, m);
		if ((t->b.n > FULL || t->b.bad) && flush(t, e))
			return e->code;
	}
	return AXT_OK;
}

/* The widths of the columns of what lies along one axis. */
static void
measure_beside(struct text *t, struct axt_buf *b)
{
	for (int k = 0; k < t->nbeside; k++) {
		struct axt_beside *c = &t->beside[k];

		c->width = c->name ? characters(c->name, strlen(c->name)) : 0;
		for (int64_t i = 0; i < len(t, c->axis) && !b->bad; i++) {
			b->n = 0;
			axt_beside_add(b, c, i, false);
			c->width = MAX(c->width, characters(b->p ? b->p : "", b->n));
		}
	}
}

/* The widths of the columns of a table, but for the last one, which ends its lines. */
static void
measure(struct text *t)
{
	struct axt_buf b = { 0 };
	int64_t inner = t->count;
	struct shown w;

	for (int k = 0; k < t->nd; k++) {
		struct column *c = &t->col[k];

		inner = len(t, k) > 0 ? inner / len(t, k) : 0;
		c->width = characters(t->axis[k], strlen(t->axis[k]));
		for (int64_t i = 0; i < len(t, k) && i * inner < t->limit && !b.bad; i++) {
			if (t->edge >= 0 && i >= t->edge && i < len(t, k) - t->edge)
				continue;
			b.n = 0;
			add_label(&b, c, i, false);
			c->width = MAX(c->width, characters(b.p, b.n));
		}
	}
	measure_beside(t, &b);
	for (int k = 0; t->table && k < t->i; k++) {
		const struct axt_valfmt *f = &t->fmt[k];
		const char *name = name_of(t, k);
		int *width = &t->table->width[k];

		*width = name ? characters(name, strlen(name)) : 0;
		for (shown_init(t, &w, 0); w.at < t->limit && !b.bad;) {
			int h = hidden(t, &w);

			if (h >= 0) {
				shown_init(t, &w, w.at + left_out(t, &w, h));
				continue;
			}
			b.n = 0;
			axt_valfmt_add(&b, f,
			    (char *)t->table->data[k] + w.at * axt_size(f->dtype));
			*width = MAX(*width, characters(b.p, b.n));
			shown_next(t, &w);
		}
	}
	t->b.bad = t->b.bad || b.bad;
	axt_buf_release(&b);
}

/* Whether the results have the same axes, with the same coordinates, so that they share lines. */
static bool
same_axes(struct axt_arena *m, const struct axt_out_var *v, int n)
{
	struct axt_axis met;
	struct axt_err none = { 0 };

	for (int i = 1; i < n; i++) {
		if (!axt_axes_same(&v[i].axes, &v[0].axes))
			return false;
		for (int k = 0; k < v[i].axes.n; k++)
			if (axt_axis_meet(m, &v[0].axes.a[k], &v[i].axes.a[k], NULL, &met, &none))
				return false;
	}
	return true;
}

void
axt_text_table_free(struct axt_text_table *t)
{
	int i;

	if (!t)
		return;
	for (i = 0; t->data && i < t->n; i++)
		free(t->data[i]);
	free(t->data);
	free(t->width);
	free(t);
}

/* Makes a table for the results before the last one. */
static struct axt_text_table *
table_new(const struct axt_out_var *v, int n, int64_t count, struct axt_err *e)
{
	struct axt_text_table *t = calloc(1, sizeof(*t));
	int64_t bytes, all = 0;
	int i;

	if (!t || !(t->data = calloc((size_t)n, sizeof(*t->data))) ||
	    !(t->width = calloc((size_t)n, sizeof(*t->width))))
		goto oom;
	t->n = n;
	for (i = 0; i < n - 1; i++) {
		if (!axt_mul(count, axt_size(v[i].dtype), &bytes) || (all += bytes) > TABLE_BYTES) {
			axt_fail(e, AXT_E_LIMIT,
			    "several results as one table: over %d MiB to put side by side",
			    TABLE_BYTES >> 20);
			axt_hint(e, "write them one by one");
			axt_text_table_free(t);
			return NULL;
		}
		t->data[i] = malloc((size_t)MAX(bytes, 1));
		if (!t->data[i])
			goto oom;
	}
	return t;
oom:
	axt_text_table_free(t);
	axt_fail(e, AXT_E_MEM, "out of memory");
	return NULL;
}

static int
init_table(struct text *t, struct axt_err *e)
{
	const struct axt_out_var *all = t->v - t->i;

	if (!(t->o.csv || (t->o.columns && t->nd > 0)) || t->nvars < 2 || !t->o.table ||
	    !same_axes(t->m, all, t->nvars)) {
		/* a table of this one result alone shows the text along its axes */
		t->aligned = !t->o.csv && t->o.columns &&
		    axt_beside_any(&t->v->axes, t->o.given, t->o.ngiven);
		t->o.csv = t->o.csv || t->aligned;
		return AXT_OK;
	}
	if (!*t->o.table)
		*t->o.table = table_new(all, t->nvars, t->count, e);
	if (!*t->o.table)
		return e->code;
	t->table = *t->o.table;
	t->aligned = !t->o.csv;
	t->o.csv = true;
	t->keep = t->i < t->nvars - 1;
	return AXT_OK;
}

bool
axt_text_on_terminal(FILE *out)
{
	return isatty(out == stdout ? STDOUT_FILENO : fileno(out)) == 1;
}

/* Finds the columns of text and of numbers, such as lat(station), that go with the tensor. */
static int
init_beside(struct text *t, struct axt_err *e)
{
	struct axt_beside_opts o = { t->o.given, t->o.ngiven, t->o.texts ? t->v->aux : NULL,
		t->o.out && axt_text_on_terminal(t->o.out) };

	if (!t->o.csv || t->nd == 0)
		return AXT_OK;
	t->beside = axt_beside_find(t->m, &t->v->axes, &o, &t->nbeside, e);
	return (int)e->code;
}

static int
init_formats(struct text *t, struct axt_err *e)
{
	int n = t->table ? t->i + 1 : 1, i;

	t->fmt = calloc((size_t)n, sizeof(*t->fmt));
	if (!t->fmt)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (i = 0; i < n; i++) {
		const struct axt_out_var *v = t->table ? t->v - t->i + i : t->v;

		if (axt_valfmt_init(&t->fmt[i], v->dtype, v->attrs, t->o.format, e) != AXT_OK)
			return e->code;
	}
	return AXT_OK;
}

static int
init_names(struct text *t, struct axt_err *e)
{
	bool ok;
	int k;

	t->name = axt_escape(t->m, t->v->name ? t->v->name : "tensor");
	ok = t->name != NULL;
	for (k = 0; ok && k < t->nd; k++) {
		const char *s = axt_axis_spell(t->m, &t->v->axes.a[k]);

		t->axis[k] = s ? axt_escape(t->m, s) : NULL;
		ok = t->axis[k] != NULL;
	}
	return ok ? AXT_OK : axt_fail(e, AXT_E_MEM, "out of memory");
}

static void
release(struct text *t)
{
	int k, n = t->table ? t->i + 1 : 1;

	for (k = 0; t->fmt && k < n; k++)
		axt_valfmt_release(&t->fmt[k]);
	for (k = 0; k < AXT_MAX_RANK; k++) {
		axt_buf_release(&t->col[k].all);
		free(t->col[k].end);
	}
	axt_beside_free(t->beside, t->nbeside);
	axt_buf_release(&t->b);
	axt_arena_free(t->m);
	free(t->fmt);
	free(t);
}

struct axt_sink *
axt_text_new(const struct axt_out_var *v, int nvars, int i, const struct axt_text_opts *o,
    struct axt_err *e)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t || !(t->m = axt_arena_new())) {
		free(t);
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	t->s.ordered = true;
	t->s.write = text_write;
	t->s.render = text_render;
	t->s.take = text_take;
	t->v = v + i;
	t->nvars = nvars;
	t->i = i;
	t->o = *o;
	t->nd = t->v->axes.n;
	t->size = axt_size(t->v->dtype);
	if (!axt_axes_count(&t->v->axes, &t->count))
		axt_fail(e, AXT_E_LIMIT, "too many elements");
	else if (init_names(t, e) == AXT_OK && init_table(t, e) == AXT_OK &&
	    init_beside(t, e) == AXT_OK)
		init_formats(t, e);
	if (e->code != AXT_OK) {
		release(t);
		return NULL;
	}
	t->limit = o->head ? MIN(MAX(o->head, 0), t->count) : t->count;
	choose_edge(t);
	init_columns(t);
	if (t->aligned && !t->keep) {
		t->o.csv = false; /* no text is made while the columns are measured */
		measure(t);
		t->o.csv = true;
	}
	if (t->o.csv && t->nd > 1)
		keep_labels(t);
	if (!t->keep && !o->rows)
		(t->o.csv ? csv_start : plain_start)(t);
	return &t->s;
}

/* Adds what follows the last value. */
static void
finish(struct text *t)
{
	int64_t shown = MIN(t->done, t->limit), cols = t->nd > 0 ? len(t, t->nd - 1) : 1;

	if (!t->keep && !t->o.csv && !t->o.rows && shown > 0 && t->nd > 1 && shown % cols != 0)
		axt_buf_adds(&t->b, "\n");
	if (t->keep || t->edge < 0 || t->done < t->count)
		return;
	axt_buf_addf(&t->b, "# %lld of %lld %s shown; -p shows all\n",
	    (long long)shown_with(t, t->edge), (long long)t->count,
	    t->aligned ? "lines" : "values");
}

int
axt_text_free(struct axt_sink *s, struct axt_err *e)
{
	struct text *t = (struct text *)s;
	int r;

	if (e->code) {
		release(t);
		return (int)e->code;
	}
	finish(t);
	r = flush(t, e);
	/* what stands in standard output can be taken back until the inputs have been checked */
	if (r == AXT_OK && (t->o.out == stdout ? ferror(stdout) : fflush(t->o.out)) != 0)
		r = axt_fail(e, AXT_E_IO, "%s: %s", t->o.to ? t->o.to : "standard output",
		    strerror(errno));
	release(t);
	return r;
}
