/* print.c - prints results as text, one after another. */
#include <errno.h>
#include <unistd.h>

#include "base/quote.h"
#include "out/inner.h"
#include "show/text.h"

/* The results as text. A renderer exists for one result at a time. */
struct printer {
	struct axt_delivery out;
	int now; /* index of the result that is being printed, or -1 before the first */
	struct axt_text_opts o;
	struct axt_sink *text;
	struct printed {
		struct axt_sink sink;
		struct printer *p;
		int i;
	} * result;
};

static int
print_until(struct printer *p, int i, struct axt_err *e)
{
	while (p->now < i && e->code == 0) {
		if (p->text)
			axt_text_free(p->text, e);
		p->text = NULL;
		if (e->code == 0 && ++p->now < p->out.n)
			p->text = axt_text_new(p->out.v, p->out.n, p->now, &p->o, e);
	}
	return e->code;
}

static int
print_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct printed *r = (struct printed *)s;

	if (print_until(r->p, r->i, e))
		return e->code;
	if (r->p->text->write(r->p->text, off, p, n, e))
		return e->code;
	__atomic_store_n(&s->full, r->p->text->full, __ATOMIC_RELAXED);
	return 0;
}

/* The only result: what prints it is there from the beginning. */
static void
print_render(const struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_buf *b)
{
	const struct axt_sink *text = ((const struct printed *)s)->p->text;

	text->render(text, off, p, n, b);
}

static int
print_take(struct axt_sink *s, const struct axt_buf *b, int64_t n, struct axt_err *e)
{
	struct axt_sink *text = ((struct printed *)s)->p->text;

	if (text->take(text, b, n, e))
		return e->code;
	__atomic_store_n(&s->full, text->full, __ATOMIC_RELAXED);
	return 0;
}

static int
print_open(struct axt_delivery *o)
{
	struct printer *p = (struct printer *)o;

	p->result = axt_alloc(o->g->m, (size_t)o->n * sizeof(*p->result));
	if (!p->result)
		return axt_fail(&o->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->n; i++)
		p->result[i] = (struct printed){ { .ordered = true,
						     .write = print_write,
						     .render = o->n == 1 ? print_render : NULL,
						     .take = print_take },
			p, i };
	return 0;
}

static struct axt_sink *
print_sink(struct axt_delivery *o, int i)
{
	return &((struct printer *)o)->result[i].sink;
}

static int
print_begin(struct axt_delivery *o)
{
	return print_until((struct printer *)o, 0, &o->g->err);
}

/* Prints what follows the last value. */
static int
print_finish(struct axt_delivery *o)
{
	return print_until((struct printer *)o, o->n, &o->g->err);
}

static void
print_close(struct axt_delivery *o, bool ok)
{
	struct printer *p = (struct printer *)o;

	(void)ok;
	if (p->text)
		axt_text_free(p->text, &o->g->err);
}

/* Whether a tensor has the axis; -1 with an error where its coordinates are others. */
static int
has_axis(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_axis *x)
{
	struct axt_axis met;
	int any = 0;

	for (int i = 0; i < n; i++) {
		int k = axt_axes_find(&e[i]->axes, x);

		if (k >= 0 && axt_axis_meet(g->m, &e[i]->axes.a[k], x, NULL, &met, &g->err))
			return -1;
		any |= k >= 0;
	}
	return any;
}

/* Reads the text that is a column of tables. */
static int
text_column(struct axt_graph *g, struct axt_expr *const e[], int n, const char *operand,
    const struct axt_open_opts *open, struct axt_aux *a)
{
	static const struct axt_open_opts plain;
	const char *const *s, *name = axt_escape(g->m, operand);
	struct axt_named x;
	int64_t count;
	int rank, has;

	open = open ? open : &plain;
	if (axt_named_operand(g, operand, open, &x))
		return (int)g->err.code;
	if (!x.d || x.d->role != AXT_ROLE_TEXT)
		return axt_fail(&g->err, AXT_E_DTYPE, "%s is no text", name);
	if (axt_dset_texts(g->m, x.f, x.d, &s, &count, &rank, &g->err))
		return (int)g->err.code;
	*a = (struct axt_aux){ .name = x.d->name,
		.axes = { .n = 1 },
		.text = true,
		.chars = axt_dset_is_chars(x.f, x.d),
		.data = s };
	a->axes.a[0] = x.d->axes.a[0];
	has = rank == 1 ? has_axis(g, e, n, &a->axes.a[0]) : 0;
	if (has == 0) {
		axt_fail(&g->err, AXT_E_AXES, "%s is text over %s, %s", name,
		    axt_axes_text(g->m, &x.d->axes),
		    rank == 1 ? "and no tensor beside it has that axis"
			      : "and a column of a table has one axis");
		axt_hint(&g->err, "axt-print %s shows it", axt_typed(g->m, "%s", name));
	}
	return (int)g->err.code;
}

/* Reads all such text. */
static int
text_columns(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_print_opts *o,
    struct axt_text_opts *to)
{
	struct axt_aux *a;

	if (g->err.code || o->ntexts == 0)
		return (int)g->err.code;
	a = axt_alloc(g->m, (size_t)o->ntexts * sizeof(*a));
	if (!a)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->ntexts; i++)
		if (text_column(g, e, n, o->texts[i], o->open, &a[i]))
			return (int)g->err.code;
	to->given = a;
	to->ngiven = o->ntexts;
	return 0;
}

/* The n results as whoever reads their file finds them. NULL: error. */
static struct axt_expr *const *
as_read(struct axt_graph *g, struct axt_expr *const e[], int n)
{
	struct axt_expr **y = axt_alloc(g->m, (size_t)(n + 1) * sizeof(struct axt_expr *));

	if (!y)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n && !g->err.code; i++)
		y[i] = axt_as_read(g, e[i]);
	return g->err.code ? NULL : y;
}

enum axt_code
axt_print(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_print_opts *o)
{
	static const struct axt_delivery_kind text = { .open = print_open,
		.sink = print_sink,
		.begin = print_begin,
		.finish = print_finish,
		.close = print_close };
	struct axt_text_table *table = NULL;
	struct printer p = {
		.out = { .kind = &text, .g = g, .e = e, .n = n },
		.now = -1,
		.o = { .out = stdout, .values_named = n > 1, .table = &table },
	};

	if (o) {
		p.o.out = o->out ? o->out : stdout;
		p.o.terminal = o->terminal;
		p.o.head = o->head;
		p.o.format = o->format;
		p.o.csv = p.o.texts = o->csv;
		p.o.no_index = o->no_index;
		p.o.columns = o->columns;
		if (text_columns(g, e, n, o, &p.o))
			return g->err.code;
		p.out.e = o->unpack ? as_read(g, e, n) : e;
	}
	for (int i = 0; i < n && !g->err.code; i++)
		if (!axt_bad(e[i]))
			axt_doubt_sum(g, e[i]);
	if (p.out.e)
		axt_deliver(&p.out);
	axt_text_table_free(table);
	return g->err.code;
}

/* A text as it is printed. On a terminal it must not move the cursor, nor give orders. */
static const char *
printed(struct axt_graph *g, const char *s)
{
	const char *e = isatty(STDOUT_FILENO) == 1 ? axt_escape(g->m, s) : s;

	return e ? e : "";
}

/* The label of index i along an axis: text, a date or a number, or i itself. */
static void
add_label(struct axt_graph *g, struct axt_buf *b, const struct axt_axis *x, int64_t i)
{
	const struct axt_coord *c = x->coord && x->coord->data ? x->coord : NULL;
	struct axt_cftime t;
	bool time = c && !c->text && axt_attrs_time(c->attrs, &t);

	if (c && c->text)
		axt_csv_add(b, printed(g, ((const char *const *)c->data)[i]));
	else if (c)
		axt_buf_addf(b, "%s", axt_coord_value(g->m, c, time ? &t : NULL, i));
	else
		axt_buf_addf(b, "%lld", (long long)i);
}

/* Single characters as lines, each with those along the last axis. */
static void
flag_lines(const struct axt_dset *d, const char *const *s, int64_t n,
    const struct axt_print_opts *o, struct axt_buf *b)
{
	int64_t row = MAX(d->dims[d->rank - 1], 1), rows = n / row;
	int64_t shown = o->head < 0 ? 0 : o->head ? MIN(rows, o->head) : rows;

	for (int64_t i = 0; i < shown * row; i++)
		axt_buf_addf(b, "%s%s", *s[i] ? s[i] : " ", i % row == row - 1 ? "\n" : "");
}

/* Whether a table of text has a column for that axis. */
static bool
has_column(const struct axt_axis *x, const struct axt_print_opts *o)
{
	return o->csv && !(o->no_index && !(x->coord && x->coord->data));
}

/* The strings of text as lines, or as a table with a column for each axis. */
static void
text_lines(struct axt_graph *g, const struct axt_dset *d, const char *const *s, int64_t n, int rank,
    const struct axt_print_opts *o, struct axt_buf *b)
{
	int64_t shown = o->head < 0 ? 0 : o->head ? MIN(n, o->head) : n;

	for (int k = 0; k < rank; k++) {
		if (!has_column(&d->axes.a[k], o))
			continue;
		axt_csv_add(b, d->axes.a[k].name);
		axt_buf_addf(b, ",");
	}
	if (o->csv) {
		axt_csv_add(b, d->name);
		axt_buf_addf(b, "\n");
	}
	for (int64_t i = 0; i < shown; i++) {
		int64_t block = n;

		for (int k = 0; k < rank && o->csv; k++) {
			int64_t at = i % block / (block / d->axes.a[k].len);

			block /= d->axes.a[k].len;
			if (!has_column(&d->axes.a[k], o))
				continue;
			add_label(g, b, &d->axes.a[k], at);
			axt_buf_addf(b, ",");
		}
		if (o->csv)
			axt_csv_add(b, printed(g, s[i]));
		else
			axt_buf_addf(b, "%s", printed(g, s[i]));
		axt_buf_addf(b, "\n");
	}
}

enum axt_code
axt_print_text(struct axt_graph *g, const char *operand, const struct axt_open_opts *open,
    const struct axt_print_opts *o)
{
	static const struct axt_open_opts plain_open;
	static const struct axt_print_opts plain;
	struct axt_buf b = { 0 };
	const char *const *s;
	struct axt_named x;
	int64_t n;
	int rank;

	o = o ? o : &plain;
	open = open ? open : &plain_open;
	if (g->err.code || axt_named_operand(g, operand, open, &x))
		return g->err.code;
	if (!x.d || x.d->role != AXT_ROLE_TEXT)
		return axt_bad(axt_named_tensor(g, &x, open))
		    ? g->err.code
		    : (enum axt_code)axt_fail(&g->err, AXT_E_DTYPE, "%s is no text",
			  axt_escape(g->m, operand));
	if (o->format)
		return (enum axt_code)axt_fail(&g->err, AXT_E_SYNTAX,
		    "%s is text, and --format is for numbers", axt_escape(g->m, operand));
	if (axt_dset_texts(g->m, x.f, x.d, &s, &n, &rank, &g->err))
		return g->err.code;
	if (!o->csv && x.d->flags == AXT_FLAGS_YES)
		flag_lines(x.d, s, n, o, &b);
	else
		text_lines(g, x.d, s, n, rank, o, &b);
	errno = 0;
	if (b.bad)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (fwrite(b.p ? b.p : "", 1, b.n, o->out ? o->out : stdout) != b.n)
		axt_fail(&g->err, AXT_E_IO, "standard output: %s", strerror(errno));
	axt_buf_release(&b);
	return g->err.code;
}
