/*
 * waits.c - stores values that are computed before their output is opened, and tells which
 * expressions are slow enough to need that.
 */
#include "graph/graph.h"

#define FEW ((int64_t)64 << 20) /* bytes of values that may be stored in memory */

static int
put(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	return axt_wait_put(((struct axt_wait_sink *)s)->to, off, p, n, e);
}

int
axt_wait_sink_open(struct axt_graph *g, struct axt_wait_sink *k, const struct axt_expr *e,
    struct axt_waiting *to)
{
	int64_t bytes;

	*k = (struct axt_wait_sink){ { .write = put }, to };
	if (axt_count(e) < 0 || !axt_mul(axt_count(e), axt_size(e->dtype), &bytes))
		return axt_fail(&g->err, AXT_E_LIMIT, "the result is too large");
	return axt_wait_open(to, bytes, MIN(AXT_WAIT_FEW, g->memory / 4), NULL, &g->err);
}

struct axt_expr *
axt_wait_leaf(struct axt_graph *g, const struct axt_expr *e, const struct axt_expr *like,
    const struct axt_waiting *w)
{
	struct axt_expr *held = axt_memory_leaf(g, e->dtype, &e->axes, w->mem);

	if (!axt_bad(held)) {
		held->meta = like->meta;
		held->from = like->from;
	}
	return held;
}

/*
 * Whether a leaf of e reads a stream; with `work`, whether some node does more work than its result
 * has elements.
 */
static bool
has(struct axt_graph *g, struct axt_expr *e, bool work)
{
	struct axt_nodes o;

	if (axt_nodes(g, &e, 1, true, &o))
		return false;
	for (int i = 0; i < o.n; i++) {
		const struct axt_expr *x = o.e[i];
		bool leaf = x->kind == AXT_NODE_LEAF && !(x->u.leaf.plan && *x->u.leaf.plan);

		if (work ? axt_kinds[x->kind]->works : leaf && x->u.leaf.st->src)
			return true;
	}
	return false;
}

bool
axt_is_slow(struct axt_graph *g, struct axt_expr *e)
{
	int64_t bytes = INT64_MAX;

	if (has(g, e, false))
		return true;
	if (axt_count(e) < 0 || !axt_mul(axt_count(e), axt_size(e->dtype), &bytes) || bytes > FEW)
		return false;
	return has(g, e, true);
}
