/* textout.c - writes a plan's text. */
#include <inttypes.h>

#include "wire/text.h"

struct writer {
	struct axt_fields f;
	struct axt_graph *g;
	struct axt_buf *b;
	axt_leaf_words_fn *leaf;
	void *ctx;
	struct axt_nodes o;
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

/* Writes a selection along an axis, such as "0:1:5+9:-2:3"; "-" is all of it. */
static void
selection(struct axt_buf *b, const struct axt_sel *s)
{
	if (!s || s->n == 0)
		axt_buf_adds(b, s ? "0:1:0" : "-");
	for (int k = 0; s && k < s->n && b->n < AXT_PLAN_BYTES; k++)
		axt_buf_addf(b, "%s%" PRId64 ":%" PRId64 ":%" PRId64, k ? "+" : "",
		    s->span[k].start, s->span[k].step, s->span[k].len);
}

/* Writes entry i of a list. */
static void
entry(struct axt_buf *b, const struct axt_field *x, int i)
{
	const int64_t *from;
	const struct axt_sel **sel;

	switch (x->type) {
	case AXT_FIELD_INTS: axt_buf_addf(b, "%d", ((const int *)x->p)[i]); break;
	case AXT_FIELD_STARTS:
		from = *(const int64_t **)x->p;
		axt_buf_addf(b, "%" PRId64, from ? from[i] : 0);
		break;
	default: sel = *(const struct axt_sel ***)x->p; selection(b, sel ? sel[i] : NULL);
	}
}

static bool
field(struct axt_fields *f, const struct axt_field *x)
{
	struct axt_buf *b = ((struct writer *)f)->b;

	axt_buf_addf(b, " %s", x->key);
	switch (x->type) {
	case AXT_FIELD_INT: axt_buf_addf(b, "%d", *(const int *)x->p); break;
	case AXT_FIELD_FLAG: axt_buf_addf(b, "%d", *(const bool *)x->p); break;
	case AXT_FIELD_U64: axt_buf_addf(b, "%" PRIu64, *(const uint64_t *)x->p); break;
	case AXT_FIELD_REAL: axt_buf_addf(b, "%a", *(const double *)x->p); break;
	case AXT_FIELD_TEXT: axt_plan_word(b, *(const char **)x->p); break;
	case AXT_FIELD_CHOICE: axt_buf_adds(b, x->words[*(const int *)x->p]); break;
	case AXT_FIELD_BYTES:
		for (int i = 0; i < *x->n; i++)
			axt_buf_addf(b, "%02x", ((const uint8_t *)x->p)[i]);
		break;
	default:
		for (int i = 0; i < *x->n; i++) {
			axt_buf_adds(b, i ? "," : "");
			entry(b, x, i);
		}
	}
	return true;
}

static bool
has(struct axt_fields *f, const char *key, bool there)
{
	(void)f;
	(void)key;
	return there;
}

static bool
node(struct writer *w, int at)
{
	struct axt_expr *e = w->o.e[at];
	const struct axt_node_kind *k = axt_kinds[e->kind];
	const char *op = axt_node_op(e);

	if (e->kind == AXT_NODE_FAILED)
		return false;
	axt_buf_addf(w->b, "node %d %s%s%s %s", at, axt_kind_name[e->kind], op ? " " : "",
	    op ? op : "", axt_dtypes[e->dtype].name);
	axes(w, &e->axes);
	for (int i = 0; i < e->nargs; i++)
		axt_buf_addf(w->b, " %d", axt_nodes_at(&w->o, e->arg[i]));
	if (e->kind == AXT_NODE_LEAF) {
		axt_buf_adds(w->b, " ");
		if (!w->leaf(w->ctx, e, w->b))
			return false;
	} else if (k->fields && !k->fields(&w->f, e)) {
		return false;
	}
	axt_buf_adds(w->b, "\n");
	return w->b->n < AXT_PLAN_BYTES;
}

bool
axt_plan_write(struct axt_graph *g, const struct axt_plan_out *out, int n, axt_leaf_words_fn *leaf,
    void *ctx, struct axt_buf *b)
{
	struct writer w = { { field, has }, g, b, leaf, ctx, { 0 } };
	struct axt_expr *e[AXT_PLAN_OUTS];
	bool ok = n <= AXT_PLAN_OUTS;

	for (int i = 0; ok && i < n; i++)
		e[i] = out[i].e;
	ok = ok && axt_nodes(g, e, n, false, &w.o) == 0;
	for (int i = 0; ok && i < w.o.n; i++)
		ok = node(&w, i);
	for (int i = 0; ok && i < n; i++) {
		axt_buf_adds(b, "out ");
		axt_plan_word(b, out[i].name);
		axt_buf_addf(b, " %d\n", axt_nodes_at(&w.o, out[i].e));
	}
	axt_buf_adds(b, "end\n");
	return ok && !b->bad && b->n <= AXT_PLAN_BYTES;
}
