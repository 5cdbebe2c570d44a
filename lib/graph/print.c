/* print.c - prints results as text, one after another. */
#include "graph/deliver.h"

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
		p.o.csv = o->csv;
		p.o.columns = o->columns;
	}
	axt_deliver(&p.out);
	axt_text_table_free(table);
	return g->err.code;
}
