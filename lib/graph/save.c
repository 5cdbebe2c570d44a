/*
 * save.c - results to files, streams and text: what is refused, then the bytes.
 */
#include "wire/text.h"
#include "graph/graph.h"

#define HEAVY (8 << 20)	/* bytes read and written: milliseconds of work */

/* "time=1,lat=90" onto the axes of the result. */
static int
parse_chunk(struct axt_graph *g, const struct axt_expr *e, const char *spec, struct axt_out_opts *o)
{
	struct axt_axes x;

	if (axt_axes_parse(g->m, spec, true, &x, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < e->axes.n; i++)
		o->chunk[i] = -1;
	for (int i = 0; i < x.n; i++) {
		int k = axt_axes_find(&e->axes, &x.a[i]);

		if (k < 0)
			return axt_fail(&g->err, AXT_E_NAME, "no axis \"%s\" in the result (%s)",
			    axt_escape(g->m, x.a[i].name), axt_axes_text(g->m, &e->axes));
		if (x.a[i].len < 1)
			return axt_fail(&g->err, AXT_E_ARG,
			    "the chunk length of \"%s\" must be at least 1",
			    axt_escape(g->m, x.a[i].name));
		o->chunk[k] = MIN(x.a[i].len, MAX(1, e->axes.a[k].len));
	}
	o->has_chunk = true;
	return 0;
}

/* Axes of one name are unlimited together: those that spec lists, or where one of them is so. */
static int
set_unlimited(struct axt_graph *g, struct axt_out_var *v, int n, const char *spec)
{
	struct axt_axes x = { 0 };

	if (spec && axt_axes_parse(g->m, spec, false, &x, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < n; i++)
		for (int k = 0; !spec && k < v[i].axes.n; k++)
			if (v[i].axes.a[k].unlimited && x.n < AXT_MAX_RANK &&
			    axt_axes_find(&x, &v[i].axes.a[k]) < 0)
				x.a[x.n++] = v[i].axes.a[k];
	for (int j = 0; j < x.n; j++) {
		bool found = false;

		for (int i = 0; i < n && !found; i++)
			found = axt_axes_find(&v[i].axes, &x.a[j]) >= 0;
		if (!found)
			return axt_fail(&g->err, AXT_E_NAME, "no axis \"%s\" in the result (%s)",
			    axt_escape(g->m, axt_axis_spell(g->m, &x.a[j])),
			    axt_axes_text(g->m, &v[0].axes));
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < v[i].axes.n; k++)
			v[i].axes.a[k].unlimited = axt_axes_find(&x, &v[i].axes.a[k]) >= 0;
	return 0;
}

/* A file that is also an operand and holds more than that operand must not vanish by accident. */
static bool
shared_input(struct axt_graph *g, const char *target)
{
	const char *file, *dset;
	int tensors;

	if (!target || axt_target_split(g->m, target, &file, &dset, &g->err) || dset)
		return false;
	for (struct axt_open_file *f = g->files; f; f = f->next) {
		if ((f->adopted && !f->both) || !axt_same_file(f->f, file, &g->err))
			continue;
		tensors = 0;
		for (int i = 0; i < f->f->ndsets; i++)
			tensors += f->f->dsets[i].role == AXT_ROLE_TENSOR;
		if (tensors > 1)
			return true;
	}
	return false;
}

static int
run_all(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_out_var *v,
    struct axt_out *out)
{
	struct axt_sink **sink = axt_alloc(g->m, (size_t)n * sizeof *sink);
	struct axt_padded padded;

	if (!sink)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++)
		sink[i] = axt_out_sink(out, i);
	if (n == 1 && !axt_axes_same(&v->axes, &e[0]->axes)) {
		if (axt_padded_begin(&padded, e[0], v, sink[0], &g->err))
			return g->err.code;
		sink[0] = &padded.sink;
	}
	for (int i = 0; i < n; i++)
		if (!(sink[i] = axt_filled(g, e[i], sink[i])))
			return g->err.code;
	return axt_run(g, e, n, sink) ? (int)g->err.code : axt_files_check(g);
}

#define DEFLATE_COST 8	/* measured: to deflate a byte takes as long as to read or write this many */

static void
told(void *ctx, double done)
{
	axt_progress(ctx, done);
}

/* The run and then the chunks, each telling its part of the progress. ok: of what went before. */
static void
run_and_close(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_out_var *v,
    struct axt_out *out, const struct axt_plan *p, bool ok, int deflate)
{
	double chunks = (double)axt_out_chunked(out) * (deflate > 0 ? DEFLATE_COST : 1),
	    run = chunks > 0 && p ? (double)axt_plan_bytes(p) / ((double)axt_plan_bytes(p) + chunks)
	    : 1;
	struct axt_stretch all = axt_progress_part(g, 0, run);

	ok = ok && run_all(g, e, n, v, out) == 0;
	g->told = all;
	axt_progress_part(g, run, 1 - run);
	axt_out_close(out, ok, &g->err);
	g->told = all;
}

/* A run that stopped because its plan was taken went well. */
static enum axt_code
end_offer(struct axt_graph *g, struct axt_offer *offer, int64_t sent)
{
	bool stopped = g->err.code == AXT_E_CANCELLED;

	if (stopped) {
		g->err = (struct axt_err){ 0 };
		axt_taken_drain(g);
	}
	axt_offer_end(offer, sent, g->err.code == 0);
	return g->err.code;
}

/* A tensor that is described, and has no values. */
static enum axt_code
save_without_values(struct axt_graph *g, const struct axt_expr *e, struct axt_out_var *v,
    const struct axt_save_opts *o)
{
	struct axt_out_opts oo = { .target = o->output, .no_clobber = o->no_clobber,
	    .force = o->force, .deflate = -1, .memory = g->memory, .threads = 1,
	    .talk = axt_graph_talk(g) };
	struct axt_attr *kind = axt_alloc(g->m, sizeof *kind);
	struct axt_out *out;
	int rc;

	if (o->has_deflate || o->chunk || o->size)
		return axt_fail(&g->err, AXT_E_ARG, "what has no values has no chunks and no room");
	if (!kind)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*kind = (struct axt_attr){ .name = "axt_kind", .kind = AXT_ATTR_TEXT, .text = "placeholder" };
	if (!v->none)
		v->attrs = axt_attr_set(g->m, v->attrs, kind);
	v->none = true;
	oo.shared_input = shared_input(g, o->output);
	if (g->err.code || axt_out_open(g->m, v, 1, axt_with_history(g, e->meta->file_attrs, o->history),
	    &oo, &out, &g->err))
		return g->err.code;
	rc = axt_out_begin(out, &g->err) ? (int)g->err.code : axt_files_check(g);
	axt_out_close(out, rc == 0, &g->err);
	return g->err.code;
}

/* The plan instead of the values; writers whose plans are part of it have done their part. */
static enum axt_code
save_expression(struct axt_graph *g, struct axt_expr *e, struct axt_out_var *v,
    const struct axt_save_opts *o)
{
	struct axt_plan *p;

	if (e->meta->fill)
		return axt_fail(&g->err, AXT_E_ARG,
		    "a saved expression gives NaN for missing values: --fill is of stored ones");
	if (!axt_find_place(g, e) && axt_make_plan(g, &e, 1, AXT_DRAFT, &p))
		return g->err.code;
	if (axt_saved_var(g, e, o->output, v))
		return g->err.code;
	axt_taken_commit(g);
	return g->err.code ? g->err.code : save_without_values(g, e, v, o);
}

/* A placeholder under whatever name. */
static bool
is_place(const struct axt_expr *e)
{
	while (axt_is_relabel(e) && e->axes.n == e->arg[0]->axes.n)
		e = e->arg[0];
	return e->kind == AXT_NODE_PLACE;
}

/* Whether one has a number for missing values, which its plan does not give. */
static bool
any_filled(struct axt_expr *const e[], int n)
{
	for (int i = 0; i < n; i++)
		if (e[i]->meta->fill)
			return true;
	return false;
}

/* Results as they are stored. */
static enum axt_code
save_stored(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_save_place *in)
{
	struct axt_out_opts oo = {
		.target = in ? in->file : o->output, .is_file = in != NULL,
		.dataset = in ? in->dataset : NULL, .no_clobber = o->no_clobber, .force = o->force,
		.deflate = o->has_deflate ? o->deflate : -1, .memory = g->memory,
		.threads = axt_graph_threads(g), .progress = told, .progress_ctx = g,
		.talk = axt_graph_talk(g),
	};
	struct axt_expr *first = NULL;
	struct axt_out_var *v;
	struct axt_offer *offer;
	struct axt_out *out;
	struct axt_plan *p = NULL;
	bool unbound = false, taken = false;
	int64_t sent = 0;
	int rc;

	oo.sent = &sent;
	if ((o->size || o->layout) && n != 1)
		return axt_fail(&g->err, AXT_E_ARG, "the storage of %d results cannot be told", n);
	if (!axt_bad(e[0])) {
		first = axt_padded_order(g, e[0], o);
		e = n == 1 ? &first : e;
	}
	if (g->err.code || axt_out_vars(g, e, n, &v))
		return g->err.code;
	if ((o->size || o->layout) && axt_padded_var(g, first, o, v))
		return g->err.code;
	if (set_unlimited(g, v, n, o->unlimited))
		return g->err.code;
	if (o->expression)
		return save_expression(g, first, v, o);
	if (n == 1 && is_place(first))
		return save_without_values(g, first, v, o);
	/* what can be refused is refused before an output exists; a placeholder may find its reader */
	for (int i = 0; i < n; i++)
		unbound = unbound || axt_find_place(g, e[i]);
	if (!unbound && axt_make_plan(g, e, n, AXT_DRAFT, &p))
		return g->err.code;
	if (o->chunk && parse_chunk(g, e[0], o->chunk, &oo))
		return g->err.code;
	oo.shared_input = !in && shared_input(g, o->output);
	if (axt_out_open(g->m, v, n, axt_with_history(g, e[0]->meta->file_attrs, o->history), &oo, &out,
	    &g->err))
		return g->err.code;
	offer = any_filled(e, n) ? NULL : axt_offer_begin(g, e, v, n, axt_out_fd(out));
	rc = axt_out_begin(out, &g->err);
	if (rc == 0 && (g->fuse == AXT_FUSE_WAIT || unbound || axt_plan_bytes(p) >= HEAVY))
		taken = axt_offer_wait(offer, unbound);
	if (rc == 0 && unbound && taken) {	/* the reader has what there is */
		axt_taken_commit(g);
		rc = axt_fail(&g->err, AXT_E_CANCELLED, "the plan was taken");
	}
	run_and_close(g, e, n, v, out, p, rc == 0, oo.deflate);
	return end_offer(g, offer, sent);
}

enum axt_code
axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_save_place *in)
{
	struct axt_expr **s = axt_all_as_stored(g, e, n);

	return g->err.code ? g->err.code : save_stored(g, s, n, o, in);
}

enum axt_code
axt_save(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	return axt_save_in(g, e, n, o, NULL);
}

void
axt_cleanup(void)
{
	axt_out_cleanup();
}

/* Results as text: what prints one begins when the one before it is done. */
struct printer {
	struct axt_graph *g;
	const struct axt_out_var *v;
	int n, now;			/* results; the one being printed, -1 none yet */
	const struct axt_text_opts *o;
	struct axt_sink *text;
	struct printed {
		struct axt_sink sink;
		struct printer *p;
		int i;
	} *result;
};

static int
print_until(struct printer *p, int i, struct axt_err *e)
{
	while (p->now < i && e->code == 0) {
		if (p->text)
			axt_text_free(p->text, e);
		p->text = NULL;
		if (e->code == 0 && ++p->now < p->n)
			p->text = axt_text_new(p->v, p->n, p->now, p->o, e);
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
print_all(struct printer *p, struct axt_expr *const e[])
{
	struct axt_graph *g = p->g;
	struct axt_sink **sink = axt_alloc(g->m, (size_t)p->n * sizeof *sink);

	p->result = axt_alloc(g->m, (size_t)p->n * sizeof *p->result);
	if (!sink || !p->result)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->n; i++) {
		p->result[i] = (struct printed){ { .ordered = true, .write = print_write,
		    .render = p->n == 1 ? print_render : NULL, .take = print_take }, p, i };
		sink[i] = axt_filled(g, e[i], &p->result[i].sink);
		if (!sink[i])
			return g->err.code;
	}
	if (print_until(p, 0, &g->err) == 0 && axt_run(g, e, p->n, sink) == 0) {
		g->enough = true;
		for (int i = 0; i < p->n; i++)
			g->enough = g->enough && sink[i]->full;
		if (axt_files_check(g) == 0)	/* before the last lines are out */
			print_until(p, p->n, &g->err);
	}
	if (p->text)
		axt_text_free(p->text, &g->err);
	return g->err.code;
}

enum axt_code
axt_print(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_print_opts *o)
{
	struct axt_text_opts t = {
		.out = o->out, .terminal = o->terminal, .head = o->head, .format = o->format,
		.csv = o->csv, .values_named = n > 1,
	};
	struct axt_text_table *table = NULL;
	struct printer p = { .g = g, .n = n, .now = -1, .o = &t };
	struct axt_out_var *v;

	t.table = &table;
	if (g->err.code || axt_out_vars(g, e, n, &v))
		return g->err.code;
	p.v = v;
	print_all(&p, e);
	axt_text_table_free(table);
	return g->err.code;
}

enum axt_code
axt_plan_print(struct axt_graph *g, struct axt_expr *const e[], int n, FILE *out)
{
	struct axt_expr **s = axt_all_as_stored(g, e, n);
	struct axt_out_var *v;

	if (g->err.code == 0 && axt_out_vars(g, s, n, &v) == 0)
		axt_offer_print(g, s, v, n, out);
	axt_taken_commit(g);	/* their writers have done what was asked of them */
	return g->err.code ? g->err.code : (enum axt_code)axt_taken_drain(g);
}
