/* waits.c - values that are computed before what takes them is ready, and wait. */
#include "inputs/inputs.h"

#define FEW ((int64_t)64 << 20)		/* bytes that may wait in memory */

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
	return axt_wait_open(to, bytes, g->memory, NULL, &g->err);
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

/* Work: more is read, or computed, than comes out. */
static bool
has(struct axt_graph *g, struct axt_expr *e, bool work)
{
	if (e->seen == g->visit)
		return false;
	e->seen = g->visit;
	if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		return has(g, *e->u.leaf.plan, work);
	if (e->kind == AXT_NODE_LEAF && !work && e->u.leaf.st->src)
		return true;
	if (work && axt_kinds[e->kind]->works)
		return true;
	for (int k = 0; k < e->nargs; k++)
		if (e->arg[k] && has(g, e->arg[k], work))
			return true;
	return false;
}

bool
axt_is_slow(struct axt_graph *g, struct axt_expr *e)
{
	int64_t bytes = INT64_MAX;

	g->visit++;
	if (has(g, e, false))
		return true;
	if (axt_count(e) < 0 || !axt_mul(axt_count(e), axt_size(e->dtype), &bytes) || bytes > FEW)
		return false;
	g->visit++;
	return has(g, e, true);
}
