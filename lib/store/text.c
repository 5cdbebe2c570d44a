/*
 * text.c - a sink that prints a tensor as its values come. The text is a contract:
 * rank 0 is the bare value, rank 1 a value per line, rank 2 a row per line; more axes are blocks
 * of rows, each under a line "# time=0 (2010-01-01)", with an empty line between blocks. A
 * terminal gets a first line that names the axes, and the middle of a long tensor is left out.
 * CSV has a line per value, a column per axis.
 */
#include <errno.h>
#include <stdlib.h>

#include "text.h"

#define SHOWN 1000			/* values a terminal gets */
#define TABLE_BYTES (256 << 20)		/* results kept to stand side by side */

/* Results kept for the columns of one CSV. */
struct axt_text_table {
	int n;
	void **data;			/* [n] */
};

struct text {
	struct axt_sink s;		/* first */
	const struct axt_out_var *v;	/* the tensor; all: v - i */
	int nvars, i;
	struct axt_text_opts o;
	struct axt_text_table *table;	/* CSV: data of the tensors before this one */
	bool keep;			/* CSV: this one is only kept for the table */
	struct axt_valfmt *fmt;		/* [nvars] with a table, else [1] */
	struct axt_arena *m;
	const char *name, *axis[AXT_MAX_RANK];	/* escaped */
	struct axt_buf b;
	int nd, size, ncarry;
	unsigned char carry[16];	/* of an element cut in two */
	int64_t at, count, limit;	/* next element; of the tensor; shown by --head */
	int64_t idx[AXT_MAX_RANK];
	int64_t edge;			/* indices shown at each end; -1: all */
	struct axt_buf coord[AXT_MAX_RANK];	/* CSV: text of idx[k] */
	bool mid_line, blocks;		/* a line is open; one block was shown */
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
	t->edge = -1;
	if (!t->o.terminal || t->o.csv || t->o.head >= 0 || t->count <= SHOWN)
		return;
	for (t->edge = 1; shown_with(t, t->edge + 1) <= SHOWN; t->edge++)
		;
}

/* The outermost axis whose index is left out, or -1. */
static int
hidden(const struct text *t)
{
	int k;

	for (k = 0; t->edge >= 0 && k < t->nd; k++)
		if (t->idx[k] >= t->edge && t->idx[k] < len(t, k) - t->edge)
			return k;
	return -1;
}

/* At the first element of what is left out along axis k: dots in its place. */
static void
mark_hidden(struct text *t, int k)
{
	int j;

	if (t->idx[k] != t->edge)
		return;
	for (j = k + 1; j < t->nd; j++)
		if (t->idx[j] != 0)
			return;
	axt_buf_adds(&t->b, k < t->nd - 2 ? "\n...\n" : k < t->nd - 1 ||
	    t->nd == 1 ? "...\n" : " ...");
}

/* ---- plain text ---- */

static void
block_header(struct text *t)
{
	const struct axt_axes *x = &t->v->axes;
	struct axt_buf c = { 0 };
	int k;

	axt_buf_adds(&t->b, t->blocks ? "\n#" : "#");
	t->blocks = true;
	for (k = 0; k < t->nd - 2; k++) {
		axt_buf_addf(&t->b, " %s=%lld", t->axis[k], (long long)t->idx[k]);
		c.n = 0;
		if (axt_coord_text(&c, x->a[k].coord, t->idx[k]))
			axt_buf_addf(&t->b, " (%s)", c.p);
	}
	axt_buf_adds(&t->b, "\n");
	axt_buf_release(&c);
}

static void
plain_value(struct text *t, const void *p)
{
	int last = t->nd - 1, h = hidden(t);

	if (h >= 0) {
		mark_hidden(t, h);
		return;
	}
	if (t->nd > 2 && t->idx[last] == 0 && t->idx[last - 1] == 0)
		block_header(t);
	if (t->nd > 1 && t->idx[last] > 0)
		axt_buf_adds(&t->b, " ");
	axt_valfmt_add(&t->b, &t->fmt[0], p);
	t->mid_line = t->nd > 1 && t->idx[last] < len(t, last) - 1;
	if (!t->mid_line)
		axt_buf_adds(&t->b, "\n");
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
	t->blocks = t->nd > 2 && t->o.terminal;
}

/* ---- CSV ---- */

static void
csv_start(struct text *t)
{
	int k, first = t->table != NULL ? 0 : t->i;

	if (t->i > 0 && t->table == NULL)
		axt_buf_adds(&t->b, "\n");
	for (k = 0; k < t->nd; k++) {
		axt_csv_add(&t->b, t->axis[k]);
		axt_buf_adds(&t->b, ",");
	}
	for (k = first; k <= t->i; k++) {
		const char *name = t->v[k - t->i].name;

		if (k > first)
			axt_buf_adds(&t->b, ",");
		axt_csv_add(&t->b, axt_escape(t->m, name != NULL ? name : "tensor"));
	}
	axt_buf_adds(&t->b, "\n");
}

static void
csv_coord(struct text *t, int k)
{
	t->coord[k].n = 0;
	if (!axt_coord_text(&t->coord[k], t->v->axes.a[k].coord, t->idx[k]))
		axt_buf_addf(&t->coord[k], "%lld", (long long)t->idx[k]);
}

static void
csv_cell(struct text *t, const struct axt_valfmt *f, const void *p)
{
	struct axt_buf c = { 0 };

	if (axt_value_is_nan(f->dtype, p))
		return;
	if (f->conv == 0) {
		axt_valfmt_add(&t->b, f, p);
		return;
	}
	axt_valfmt_add(&c, f, p);	/* a format may bring commas */
	if (!c.bad)
		axt_csv_add(&t->b, c.p);
	axt_buf_release(&c);
}

static void
csv_value(struct text *t, const void *p)
{
	int k;

	for (k = 0; k < t->nd; k++) {
		bool changed = t->at == 0 || k == t->nd - 1 || t->idx[k + 1] == 0;

		if (changed)
			csv_coord(t, k);
		if (t->coord[k].bad)
			t->b.bad = true;
		else
			axt_csv_add(&t->b, t->coord[k].p);
		axt_buf_adds(&t->b, ",");
	}
	for (k = 0; t->table != NULL && k < t->i; k++) {
		struct axt_valfmt *f = &t->fmt[k];

		csv_cell(t, f, (char *)t->table->data[k] + t->at * axt_size(f->dtype));
		axt_buf_adds(&t->b, ",");
	}
	csv_cell(t, &t->fmt[t->table != NULL ? t->i : 0], p);
	axt_buf_adds(&t->b, "\n");
}

/* ---- the sink ---- */

static int
flush(struct text *t, struct axt_err *e)
{
	if (t->b.bad)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	errno = 0;
	if (t->b.n > 0 && fwrite(t->b.p, 1, t->b.n, t->o.out) != t->b.n)
		return axt_fail(e, AXT_E_IO, "%s: %s", t->o.out == stdout ? "standard output"
		    : "text output", strerror(errno != 0 ? errno : EIO));
	t->b.n = 0;
	return AXT_OK;
}

static int
element(struct text *t, const void *p, struct axt_err *e)
{
	int k;

	if (t->keep)
		memcpy((char *)t->table->data[t->i] + t->at * t->size, p, (size_t)t->size);
	else if (t->at < t->limit)
		(t->o.csv ? csv_value : plain_value)(t, p);
	t->at++;
	for (k = t->nd - 1; k >= 0 && ++t->idx[k] == len(t, k); k--)
		t->idx[k] = 0;
	return t->b.n > 65536 || t->b.bad ? flush(t, e) : AXT_OK;
}

static int
text_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct text *t = (struct text *)s;
	const unsigned char *q = p;
	int take, r = AXT_OK;

	(void)off;
	while (n > 0 && r == AXT_OK) {
		if (t->ncarry == 0 && n >= t->size) {
			r = element(t, q, e);
			take = t->size;
		} else {
			take = (int)MIN(n, t->size - t->ncarry);
			memcpy(t->carry + t->ncarry, q, (size_t)take);
			t->ncarry += take;
			if (t->ncarry == t->size) {
				t->ncarry = 0;
				r = element(t, t->carry, e);
			}
		}
		q += take;
		n -= take;
		if (!t->keep && t->at >= t->limit && t->limit < t->count) {
			__atomic_store_n(&t->s.full, true, __ATOMIC_RELAXED);
			break;
		}
	}
	return r;
}

static bool
same_axes(const struct axt_out_var *v, int n)
{
	int i, k;

	for (i = 1; i < n; i++) {
		if (v[i].axes.n != v[0].axes.n)
			return false;
		for (k = 0; k < v[0].axes.n; k++)
			if (!axt_axis_same(&v[i].axes.a[k], &v[0].axes.a[k]) ||
			    v[i].axes.a[k].len != v[0].axes.a[k].len)
				return false;
	}
	return true;
}

void
axt_text_table_free(struct axt_text_table *t)
{
	int i;

	if (t == NULL)
		return;
	for (i = 0; t->data != NULL && i < t->n; i++)
		free(t->data[i]);
	free(t->data);
	free(t);
}

/* Room for the results that come before the last one. */
static struct axt_text_table *
table_new(const struct axt_out_var *v, int n, int64_t count, struct axt_err *e)
{
	struct axt_text_table *t = calloc(1, sizeof(*t));
	int64_t bytes, all = 0;
	int i;

	if (t == NULL || (t->data = calloc((size_t)n, sizeof(*t->data))) == NULL)
		goto oom;
	t->n = n;
	for (i = 0; i < n - 1; i++) {
		if (!axt_mul(count, axt_size(v[i].dtype), &bytes) || (all += bytes) > TABLE_BYTES) {
			axt_fail(e,
			    AXT_E_LIMIT, "several results as CSV: over %d MiB to put side by side",
			    TABLE_BYTES >> 20);
			axt_hint(e, "print them one by one");
			axt_text_table_free(t);
			return NULL;
		}
		t->data[i] = malloc((size_t)MAX(bytes, 1));
		if (t->data[i] == NULL)
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

	if (!t->o.csv || t->nvars < 2 || t->o.table == NULL || !same_axes(all, t->nvars))
		return AXT_OK;
	if (*t->o.table == NULL)
		*t->o.table = table_new(all, t->nvars, t->count, e);
	if (*t->o.table == NULL)
		return e->code;
	t->table = *t->o.table;
	t->keep = t->i < t->nvars - 1;
	return AXT_OK;
}

static int
init_formats(struct text *t, struct axt_err *e)
{
	int n = t->table != NULL ? t->i + 1 : 1, i;

	t->fmt = calloc((size_t)n, sizeof(*t->fmt));
	if (t->fmt == NULL)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (i = 0; i < n; i++) {
		const struct axt_out_var *v = t->table != NULL ? t->v - t->i + i : t->v;

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

	t->name = axt_escape(t->m, t->v->name != NULL ? t->v->name : "tensor");
	ok = t->name != NULL;
	for (k = 0; ok && k < t->nd; k++) {
		const char *s = axt_axis_spell(t->m, &t->v->axes.a[k]);

		t->axis[k] = s != NULL ? axt_escape(t->m, s) : NULL;
		ok = t->axis[k] != NULL;
	}
	return ok ? AXT_OK : axt_fail(e, AXT_E_MEM, "out of memory");
}

static void
release(struct text *t)
{
	int k, n = t->table != NULL ? t->i + 1 : 1;

	for (k = 0; t->fmt != NULL && k < n; k++)
		axt_valfmt_release(&t->fmt[k]);
	for (k = 0; k < AXT_MAX_RANK; k++)
		axt_buf_release(&t->coord[k]);
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

	if (t == NULL || (t->m = axt_arena_new()) == NULL) {
		free(t);
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	t->s.ordered = true;
	t->s.write = text_write;
	t->v = v + i;
	t->nvars = nvars;
	t->i = i;
	t->o = *o;
	t->nd = t->v->axes.n;
	t->size = axt_size(t->v->dtype);
	if (!axt_axes_count(&t->v->axes, &t->count))
		axt_fail(e, AXT_E_LIMIT, "too many elements");
	else if (init_names(t, e) == AXT_OK && init_table(t, e) == AXT_OK)
		init_formats(t, e);
	if (e->code != AXT_OK) {
		release(t);
		return NULL;
	}
	t->limit = o->head >= 0 ? MIN(o->head, t->count) : t->count;
	choose_edge(t);
	if (!t->keep)
		(o->csv ? csv_start : plain_start)(t);
	return &t->s;
}

/* The lines after the last value. */
static void
finish(struct text *t)
{
	if (t->mid_line)
		axt_buf_adds(&t->b, "\n");
	if (t->edge < 0 || t->at < t->count)
		return;
	axt_buf_addf(&t->b, "# %lld of %lld values shown; -p shows all\n",
	    (long long)shown_with(t, t->edge), (long long)t->count);
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
	if (r == AXT_OK && fflush(t->o.out) != 0)
		r = axt_fail(e, AXT_E_IO, "%s: %s",
		    t->o.out == stdout ? "standard output" : "text output", strerror(errno));
	release(t);
	return r;
}
