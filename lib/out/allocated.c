/*
 * allocated.c - results stored column-major (axt-make --layout F) or in more space than they need
 * (--size). The dataset has the allocated shape, and its attributes axt_shape and axt_layout tell
 * which part of it is the tensor (lib/files/dsetview.c). What is allocated beyond the tensor is
 * filled with zeros.
 */
#include "out/inner.h"

/* Reverses the axes: a tensor stored row-major with its axes reversed is column-major. */
static struct axt_expr *
backwards(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_axes x = { .n = e->axes.n };
	int src[AXT_MAX_RANK];
	struct axt_expr *r;

	for (int i = 0; i < x.n; i++) {
		src[i] = x.n - 1 - i;
		x.a[i] = e->axes.a[src[i]];
	}
	r = axt_relabel(g, e, &x, src);
	axt_dress(g, &r, e);
	return r;
}

struct axt_expr *
axt_padded_order(struct axt_graph *g, struct axt_expr *e, const struct axt_save_opts *o)
{
	if (o->layout != 0 && o->layout != 'C' && o->layout != 'F')
		return axt_graph_fail(g, AXT_E_ARG, "no such layout '%c': C or F", o->layout);
	return o->layout == 'F' && e->axes.n > 1 ? backwards(g, e) : e;
}

/* Sets the lengths in x to those that spec, such as "y=8,x=16", asks for. */
static int
allocate(struct axt_graph *g, const char *spec, struct axt_axes *x)
{
	struct axt_axes want;

	if (axt_axes_parse(g->m, spec, true, &want, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < want.n; i++) {
		const struct axt_axis *w = &want.a[i];
		int k = axt_axes_find(x, w);
		const char *name = axt_escape(g->m, w->name);

		if (k < 0)
			return axt_axes_unknown_in(g->m, x, w, "the result", &g->err);
		if (w->len < 0)
			return axt_needs_length(g, w), g->err.code;
		if (w->len < x->a[k].len)
			return axt_fail(&g->err, AXT_E_ARG,
			    "axis \"%s\" has %lld elements, more than the %lld to be allocated",
			    name, (long long)x->a[k].len, (long long)w->len);
		if (w->len > x->a[k].len && x->a[k].coord)
			return axt_fail(&g->err, AXT_E_ARG,
			    "axis \"%s\" has coordinates: no room is left behind them", name);
		x->a[k].len = w->len;
	}
	return 0;
}

static int
tell(struct axt_graph *g, struct axt_out_var *v, const struct axt_expr *e, bool reversed)
{
	struct axt_attr *shape = axt_alloc(g->m, sizeof(*shape)),
			*layout = axt_alloc(g->m, sizeof(*layout));
	int64_t *n = axt_alloc(g->m, AXT_MAX_RANK * sizeof(*n));

	if (!shape || !layout || !n)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < e->axes.n; i++)
		n[i] = e->axes.a[i].len;
	*shape = (struct axt_attr){ .name = "axt_shape",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_I64,
		.n = e->axes.n,
		.data = n };
	*layout = (struct axt_attr){ .name = "axt_layout", .kind = AXT_ATTR_TEXT, .text = "F" };
	if (!axt_axes_same(&v->axes, &e->axes))
		v->attrs = axt_attr_set(g->m, v->attrs, shape);
	if (reversed)
		v->attrs = axt_attr_set(g->m, v->attrs, layout);
	return 0;
}

int
axt_padded_var(struct axt_graph *g, const struct axt_expr *e, const struct axt_save_opts *o,
    struct axt_out_var *v)
{
	int64_t n;

	if (o->size && allocate(g, o->size, &v->axes))
		return g->err.code;
	if (!axt_axes_count(&v->axes, &n) || !axt_mul(n, axt_size(e->dtype), &n))
		return axt_fail(&g->err, AXT_E_LIMIT, "what is allocated is too large");
	return tell(g, v, e, o->layout == 'F' && e->axes.n > 1);
}

/* ---- the sink ---- */

static int
zeros(struct axt_sink *s, int64_t off, int64_t n, struct axt_err *e)
{
	static const uint8_t none[64 << 10];

	for (int64_t k; n > 0; off += k, n -= k) {
		k = MIN(n, (int64_t)sizeof(none));
		if (s->write(s, off, none, k, e))
			return e->code;
	}
	return 0;
}

/*
 * The offset in bytes of row r of the tensor within the allocated dataset. For r = p->rows it is
 * the end of the dataset.
 */
static int64_t
row_at(const struct axt_padded *p, int64_t r)
{
	int64_t at = 0;

	if (r == p->rows)
		return p->bytes;
	for (int i = p->v.nd - 2; i >= 0; i--) {
		at += r % p->v.shape[i] * p->v.stride[i];
		r /= p->v.shape[i];
	}
	return at * p->size;
}

/* A write that reaches the end of a row also writes the zeros between that row and the next one. */
static int
padded_write(struct axt_sink *s, int64_t off, const void *data, int64_t n, struct axt_err *e)
{
	struct axt_padded *p = (struct axt_padded *)s;
	const uint8_t *q = data;

	while (n > 0) {
		int64_t r = off / p->row, in = off % p->row, k = MIN(n, p->row - in),
			at = row_at(p, r), end = at + p->row;

		if (p->to->write(p->to, at + in, q, k, e) ||
		    (in + k == p->row && zeros(p->to, end, row_at(p, r + 1) - end, e)))
			return e->code;
		off += k;
		q += k;
		n -= k;
	}
	return 0;
}

int
axt_padded_begin(struct axt_padded *p, const struct axt_expr *e, const struct axt_out_var *v,
    struct axt_sink *to, struct axt_err *err)
{
	int64_t shape[AXT_MAX_RANK] = { 0 }, size[AXT_MAX_RANK] = { 0 }, n;
	int nd = e->axes.n;

	*p = (struct axt_padded){ .sink = { .ordered = to->ordered, .write = padded_write },
		.to = to,
		.size = axt_size(e->dtype) };
	for (int i = 0; i < nd; i++) {
		shape[i] = e->axes.a[i].len;
		size[i] = v->axes.a[i].len;
	}
	if (!axt_view_layout(&p->v, nd, shape, size, 'C', &n))
		return axt_fail(err, AXT_E_LIMIT, "what is allocated is too large");
	p->bytes = n * p->size;
	p->row = (nd ? shape[nd - 1] : 1) * p->size;
	p->rows = p->row ? axt_count(e) * p->size / p->row : 0;
	return p->rows ? 0 : zeros(to, 0, p->bytes, err);
}
