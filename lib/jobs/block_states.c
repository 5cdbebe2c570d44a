/*
 * block_states.c - reductions of few results, cut along an axis that they reduce. The mean of
 * everything is one number, so that its elements cannot be dealt out to parts by the result that
 * they belong to. Instead, each part reduces the blocks of a range of elements to states, and the
 * states are merged in their order. This gives the bits of the whole reduction, since a sum is
 * defined by its blocks (kern/kern.h), and the ranges begin and end at borders of blocks, which
 * depend on nothing but the shape of what is reduced.
 */
#include "eval/eval.h"
#include "jobs/parts.h"

struct axt_expr *
axt_part_reduction(struct axt_expr *e)
{
	for (; axt_is_relabel(e); e = e->arg[0]) {
		if (e->axes.n != e->arg[0]->axes.n)
			return NULL;
		for (int i = 0; i < e->axes.n; i++)
			if (e->u.view.src[i] != i)
				return NULL;
	}
	return e->kind == AXT_NODE_REDUCE ? e : NULL;
}

static int64_t
greatest_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* What is reduced, as its blocks lie in it. */
struct layout {
	bool kept[AXT_MAX_RANK]; /* [axis of the argument] */
	int axis;          /* the outermost that is reduced; -1: blocks are of single elements */
	bool flat;         /* all axes from that one on are reduced */
	int64_t unit, run; /* positions along it that are whole blocks; elements of a run */
};

/* Blocks are of single elements where the innermost axis is kept. Axes of length 1 do not count. */
static void
lay(const struct axt_expr *red, struct layout *l)
{
	const struct axt_axes *x = &red->arg[0]->axes;
	bool in_run = true, innermost = true;

	*l = (struct layout){ .axis = -1, .unit = 1, .run = 1 };
	for (int i = 0; i < red->u.red.nkept; i++)
		l->kept[red->u.red.kept[i]] = true;
	for (int i = x->n - 1; i >= 0; i--) {
		if (x->a[i].len == 1)
			continue;
		if (l->kept[i] && innermost)
			return;
		innermost = false;
		in_run = in_run && !l->kept[i];
		if (l->kept[i])
			continue;
		l->axis = i;
		l->unit = in_run ? AXT_BLOCK / greatest_divisor(l->run, AXT_BLOCK) : 1;
		l->run *= in_run ? x->a[i].len : 1;
	}
	l->flat = l->axis >= 0;
	for (int i = l->axis; l->flat && i < x->n; i++)
		l->flat = !l->kept[i];
}

void
axt_part_states_plan(struct axt_expr *e, int64_t parts, int64_t chunks, struct axt_part_states *out)
{
	const struct axt_expr *red = axt_part_reduction(e), *a;
	struct axt_axes x = { .n = 1 };
	struct layout l;
	bool counted;

	*out = (struct axt_part_states){ .axis = -1 };
	if (!red || chunks >= parts || axt_count(e) > AXT_PART_KEPT_MAX || axt_count(e) < 1 ||
	    red->u.red.group >= 0)
		return;
	a = red->arg[0];
	counted = axt_red_selects(red->u.red.op);
	if (counted && (red->nargs > 1 || axt_count(e) > AXT_PART_COUNTED_MAX))
		return;
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX || axt_count(a) == 0)
		return;
	lay(red, &l);
	if (l.axis < 0)
		return;
	out->axis = l.axis;
	out->naxes = 1;
	x.a[0].len = a->axes.a[l.axis].len;
	if (x.a[0].len / l.unit < parts && l.flat && l.axis + 1 < a->axes.n) {
		out->naxes = a->axes.n - l.axis;
		x.a[0].len = l.run;
		l.unit = AXT_BLOCK;
	}
	axt_partition_make(&x, &l.unit, axt_identity, 1, parts, &out->cut);
	if (counted) /* each part has some elements */
		out->counted = out->cut.chunks >= parts;
	if (counted || out->cut.chunks <= chunks)
		return;
	out->blocks = axt_count(a) / l.run * ((l.run + AXT_BLOCK - 1) / AXT_BLOCK);
	out->of = (struct axt_states_of){ .op = red->u.red.op,
		.dtype = a->dtype,
		.skip = red->u.red.skip,
		.weighted = axt_red_weights(red) != NULL,
		.ddof = red->u.red.ddof,
		.kept = axt_count(e),
		.count = axt_count(a) / axt_count(e) };
	out->on = true;
}

/* Axes from `at` on of a as one, repeated along those of x from `at` on that it lacks. */
static struct axt_expr *
flattened(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *x, int at)
{
	struct axt_axes all = { 0 }, flat;
	int src[AXT_MAX_RANK], n;

	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(x, &a->axes.a[i]) < at) {
			src[all.n] = i;
			all.a[all.n++] = a->axes.a[i];
		}
	n = all.n;
	for (int i = at; i < x->n; i++) {
		src[all.n] = axt_axes_find(&a->axes, &x->a[i]);
		all.a[all.n++] = x->a[i];
	}
	flat = all;
	flat.n = n + 1;
	flat.a[n] = (struct axt_axis){ .name = "axt_part_element", .len = 1 };
	for (int i = at; i < x->n; i++)
		flat.a[n].len *= x->a[i].len;
	a = axt_view_node(g, a, &all, src, NULL, NULL);
	return axt_bad(a) ? a : axt_flatten_node(g, a, &flat, n, x->n - at);
}

struct axt_expr *
axt_part_states_node(struct axt_graph *g, struct axt_expr *e, const struct axt_part_states *s,
    const struct axt_box *box, const struct axt_needs *needs, const struct axt_together *together)
{
	struct axt_expr *red = axt_part_reduction(e), *arg[3];
	const struct axt_axes *x = &red->arg[0]->axes;
	int64_t first = box->from[0];
	struct layout l;

	lay(red, &l);
	for (int i = s->axis + s->naxes; i < x->n; i++)
		first *= l.kept[i] ? 1 : x->a[i].len;
	for (int k = 0; s->naxes > 1 && k < red->nargs; k++) {
		arg[k] = flattened(g, red->arg[k], x, s->axis);
		if (axt_bad(arg[k]))
			return axt_node_failed(g);
	}
	if (s->naxes > 1) {
		red = axt_node_again(g, red, arg, AXT_DTYPE_AUTO);
		if (axt_bad(red))
			return red;
	}
	red = axt_narrowed_reduction(g, red, s->axis, box->from[0], box->len[0], needs);
	if (axt_bad(red))
		return red;
	red->u.red.states = s->on;
	red->u.red.first = first;
	red->u.red.together = together;
	return red;
}

/* Bytes in memory, which grows. */
struct grows {
	struct axt_sink sink;
	struct axt_buf b;
};

static int
grow(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct grows *x = (struct grows *)s;

	(void)off; /* states are written one after another */
	axt_buf_add(&x->b, p, (size_t)n);
	return x->b.bad ? axt_fail(e, AXT_E_MEM, "out of memory") : 0;
}

int
axt_part_states_run(struct axt_graph *g, struct axt_expr *const node[], int m,
    struct axt_numbers out[])
{
	struct grows *to = axt_alloc(g->m, (size_t)m * sizeof(*to) + 1);
	struct axt_sink **sink = axt_alloc(g->m, (size_t)m * sizeof(struct axt_sink *) + 1);

	if (!to || !sink)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < m; i++) {
		to[i].sink.write = grow;
		sink[i] = &to[i].sink;
	}
	if (axt_run(g, node, m, sink) == 0)
		axt_files_check(g);
	for (int i = 0; i < m; i++) {
		int64_t *v = axt_alloc(g->m, to[i].b.n + 1);

		if (v && to[i].b.n)
			memcpy(v, to[i].b.p, to[i].b.n);
		else if (!v)
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
		out[i] = (struct axt_numbers){ v, (int64_t)(to[i].b.n / 8) };
		axt_buf_release(&to[i].b);
	}
	return g->err.code;
}

/* ---- states merged ---- */

int
axt_states_begin(struct axt_states *x, const struct axt_states_of *of, struct axt_err *e)
{
	enum axt_dtype res;

	*x = (struct axt_states){ .of = *of };
	x->fns = axt_kern_red(of->op, of->dtype, of->skip, of->weighted, &res);
	if (!x->fns || x->fns->planes > ARRAY_LEN(x->all.p))
		return axt_fail(e, AXT_E_DAMAGED, "there are no such states");
	return axt_acc_init(&x->all, x->fns, of->kept, e) || axt_acc_init(&x->one, x->fns, 1, e)
	    ? -1
	    : 0;
}

int64_t
axt_states_numbers(const struct axt_states *x)
{
	return 1 + x->fns->planes;
}

bool
axt_states_add(struct axt_states *x, const int64_t *v, int64_t n)
{
	for (int64_t i = 0; i < n; i++, v += axt_states_numbers(x)) {
		if (v[0] < 0 || v[0] >= x->of.kept)
			return false;
		for (int k = 0; k < x->fns->planes; k++)
			memcpy(x->one.p[k], &v[1 + k], 8);
		x->fns->merge(&x->all, v[0], &x->one, 0, 1);
	}
	return true;
}

int
axt_states_results(const struct axt_states *x, enum axt_dtype d, void *out, struct axt_err *e)
{
	axt_conv_fn *conv = x->fns->out == d ? NULL
					     : axt_kern_conv(d, x->fns->out, AXT_OVERFLOW_ERROR);
	int64_t bad = axt_states_finish(x->fns, conv, &x->all, 0, x->of.kept, x->of.count,
	    x->of.ddof, axt_size(d), out);

	return bad < 0 ? 0
		       : axt_fail(e, AXT_E_RANGE, "a %s does not fit %s", axt_reds[x->of.op].name,
			     axt_dtypes[d].name);
}

void
axt_states_release(struct axt_states *x)
{
	axt_acc_release(&x->all);
	axt_acc_release(&x->one);
}
