/* textout.c - a plan's text, written. */
#include <inttypes.h>

#include "wire/text.h"

struct writer {
	struct axt_graph *g;
	struct axt_buf *b;
	axt_leaf_words_fn *leaf;
	void *ctx;
};

void
axt_plan_word(struct axt_buf *b, const char *s)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.*:/+-";

	for (; *s; s++)
		if (strchr(plain, *s))
			axt_buf_add(b, s, 1);
		else
			axt_buf_addf(b, "%%%02x", (unsigned char)*s);
}

static void
axes(struct writer *w, const struct axt_axes *x)
{
	axt_buf_adds(w->b, " [");
	for (int i = 0; i < x->n; i++) {
		const char *name = axt_axis_spell(w->g->m, &x->a[i]);

		if (i)
			axt_buf_adds(w->b, ",");
		axt_plan_word(w->b, name ? name : "");
		axt_buf_addf(w->b, "=%" PRId64, x->a[i].len);
	}
	axt_buf_adds(w->b, "]");
}

static void
numbers(struct writer *w, const char *key, const int *v, int n)
{
	axt_buf_addf(w->b, " %s=", key);
	for (int i = 0; i < n; i++)
		axt_buf_addf(w->b, "%s%d", i ? "," : "", v[i]);
}

const char *const axt_overflow_name[] = { "error", "saturate", "wrap" };
const char *const axt_kind_name[] = {
	[AXT_NODE_LEAF] = "leaf", [AXT_NODE_CONST] = "const", [AXT_NODE_PLACE] = "place",
	[AXT_NODE_GEN] = "gen", [AXT_NODE_MAP] = "map", [AXT_NODE_CONV] = "conv",
	[AXT_NODE_VIEW] = "view", [AXT_NODE_REDUCE] = "reduce", [AXT_NODE_DOT] = "dot",
	[AXT_NODE_FLATTEN] = "flatten", [AXT_NODE_JOIN] = "join", [AXT_NODE_LINES] = "lines"
};

/* What the kind says before the dtype: the operation. */
static const char *
op_name(const struct axt_expr *e)
{
	switch (e->kind) {
	case AXT_NODE_GEN:
		return axt_gen_name(e->u.gen.kind);
	case AXT_NODE_MAP:
		return axt_ops[e->u.op].name;
	case AXT_NODE_REDUCE:
		return axt_reds[e->u.red.op].name;
	case AXT_NODE_LINES:
		return axt_lines_name[e->u.lines.op];
	default:
		return NULL;
	}
}

/* Where axes of a view's argument begin, what is selected: "0:1:5+9:-2:3"; "-": a whole axis. */
static void
parts(struct writer *w, const struct axt_expr *e)
{
	axt_buf_adds(w->b, " from=");
	for (int j = 0; j < e->arg[0]->axes.n; j++)
		axt_buf_addf(w->b, "%s%" PRId64, j ? "," : "",
		    e->u.view.from ? e->u.view.from[j] : 0);
	axt_buf_adds(w->b, " sel=");
	for (int i = 0; i < e->axes.n; i++) {
		const struct axt_sel *s = e->u.view.sel ? e->u.view.sel[i] : NULL;

		axt_buf_adds(w->b, i ? "," : "");
		if (!s || s->n == 0)
			axt_buf_adds(w->b, s ? "0:1:0" : "-");
		for (int k = 0; s && k < s->n && w->b->n < AXT_PLAN_BYTES; k++)
			axt_buf_addf(w->b, "%s%" PRId64 ":%" PRId64 ":%" PRId64, k ? "+" : "",
			    s->span[k].start, s->span[k].step, s->span[k].len);
	}
}

static bool
details(struct writer *w, const struct axt_expr *e)
{
	const struct axt_pairing *q;

	switch (e->kind) {
	case AXT_NODE_LEAF:
		axt_buf_adds(w->b, " ");
		return w->leaf(w->ctx, e, w->b);
	case AXT_NODE_CONST:
		axt_buf_adds(w->b, " ");
		for (int i = 0; i < axt_size(e->dtype); i++)
			axt_buf_addf(w->b, "%02x", e->u.val.bytes[i]);
		break;
	case AXT_NODE_PLACE:
		axt_buf_adds(w->b, " ");
		axt_plan_word(w->b, e->u.place);
		break;
	case AXT_NODE_GEN:
		axt_buf_addf(w->b, " seed=%" PRIu64 " lo=%a hi=%a", e->u.gen.seed, e->u.gen.lo,
		    e->u.gen.hi);
		break;
	case AXT_NODE_CONV:
		axt_buf_addf(w->b, " overflow=%s", axt_overflow_name[e->u.overflow]);
		break;
	case AXT_NODE_VIEW:
		numbers(w, "src", e->u.view.src, e->axes.n);
		axt_buf_addf(w->b, " asked=%d", e->asked);
		if (!axt_is_relabel(e))
			parts(w, e);
		break;
	case AXT_NODE_FLATTEN:
		axt_buf_addf(w->b, " at=%d n=%d", e->u.flat.at, e->u.flat.n);
		break;
	case AXT_NODE_JOIN:
		axt_buf_addf(w->b, " axis=%d", e->u.join);
		break;
	case AXT_NODE_REDUCE:
		numbers(w, "kept", e->u.red.kept, e->u.red.nkept);
		axt_buf_addf(w->b, " skip=%d ddof=%a", e->u.red.skip, e->u.red.ddof);
		if (axt_red_selects(e->u.red.op))
			axt_buf_addf(w->b, " q=%a", e->u.red.q);
		if (e->u.red.group >= 0)
			axt_buf_addf(w->b, " group=%d", e->u.red.group);
		break;
	case AXT_NODE_DOT:
		q = e->u.dot;
		numbers(w, "ka", q->ka, q->nk);
		numbers(w, "kb", q->kb, q->nk);
		numbers(w, "ba", q->ba, q->nb);
		numbers(w, "bb", q->bb, q->nb);
		if (q->tf32)
			axt_buf_adds(w->b, " tf32=1");
		break;
	case AXT_NODE_LINES:
		axt_buf_addf(w->b, " axis=%d reverse=%d", e->u.lines.axis, e->u.lines.reverse);
		break;
	default:
		break;
	}
	return true;
}

static bool
node(struct writer *w, const struct axt_expr *e)
{
	const char *op = op_name(e);

	if (e->kind == AXT_NODE_FAILED)
		return false;
	axt_buf_addf(w->b, "node %d %s%s%s %s", e->at, axt_kind_name[e->kind], op ? " " : "",
	    op ? op : "", axt_dtypes[e->dtype].name);
	axes(w, &e->axes);
	for (int i = 0; i < e->nargs; i++)
		axt_buf_addf(w->b, " %d", e->arg[i]->at);
	if (!details(w, e))
		return false;
	axt_buf_adds(w->b, "\n");
	return w->b->n < AXT_PLAN_BYTES;
}

bool
axt_plan_write(struct axt_graph *g, const struct axt_plan_out *out, int n, axt_leaf_words_fn *leaf,
    void *ctx, struct axt_buf *b)
{
	struct writer w = { g, b, leaf, ctx };
	struct axt_expr *e[AXT_PLAN_OUTS];
	struct axt_nodes o = { 0 };
	bool ok = n <= AXT_PLAN_OUTS;

	for (int i = 0; ok && i < n; i++)
		e[i] = out[i].e;
	ok = ok && axt_nodes(g, e, n, false, &o) == 0;
	for (int i = 0; i < o.n; i++)
		o.e[i]->at = i;
	for (int i = 0; ok && i < o.n; i++)
		ok = node(&w, o.e[i]);
	for (int i = 0; ok && i < n; i++) {
		axt_buf_adds(b, "out ");
		axt_plan_word(b, out[i].name);
		axt_buf_addf(b, " %d\n", out[i].e->at);
	}
	axt_buf_adds(b, "end\n");
	return ok && !b->bad && b->n <= AXT_PLAN_BYTES;
}
