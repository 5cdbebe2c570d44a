/*
 * streams.c - pipes among the operands of a plan. A pipe that is not read once and in order is
 * spooled.
 */
#include "source/source.h"

/* The storage of a leaf that is a stream and has not been read; else NULL. */
static struct axt_storage *
pending(const struct axt_expr *e)
{
	const struct axt_storage *st = e->kind == AXT_NODE_LEAF ? e->u.leaf.st : NULL;

	return st && st->src ? (struct axt_storage *)st : NULL;
}

int
axt_streams_keep(struct axt_graph *g, struct axt_expr *const e[], int n)
{
	struct axt_storage *st;
	struct axt_nodes o;

	if (axt_nodes(g, e, n, false, &o))
		return g->err.code;
	for (int i = 0; i < o.n; i++)
		if ((st = pending(o.e[i])))
			axt_stream_keep(st);
	return 0;
}

/*
 * Calls fn for each pipe that step s reads. apart: s is one of the steps that a product or
 * concatenation runs by itself.
 */
static bool
each_pipe(struct axt_graph *g, const struct axt_plan *p, const struct axt_step *s, bool apart,
    bool (*fn)(struct axt_graph *g, const struct axt_plan *p, const struct axt_operand *op,
	bool apart))
{
	bool any = false;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		if (op->st && op->st->src)
			any |= fn(g, p, op, apart);
		for (int i = 0; op->product && i < 2; i++)
			any |= each_pipe(g, p, op->product->arg[i].s, true, fn);
		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			any |= each_pipe(g, p, op->joined->part[i], true, fn);
	}
	return any;
}

/* How many times a plan reads a pipe; reading it out of order counts as two. */
static int
uses(const struct axt_plan *p, const struct axt_src *src)
{
	int n = 0;

	for (const struct axt_step *s = p->steps; s; s = s->next)
		for (int k = 0; k < s->prog.noperands; k++) {
			const struct axt_operand *op = &s->prog.operand[k];

			if (op->st && op->st->src == src)
				n += axt_is_in_order(op) ? 1 : 2;
		}
	return n;
}

/*
 * Marks a pipe that is to be spooled. Products read their arguments more than once, panel by panel.
 * If one tensor of a pipe is spooled, the whole pipe is, and none of its tensors can be read in
 * order.
 */
static bool
check(struct axt_graph *g, const struct axt_plan *p, const struct axt_operand *op, bool apart)
{
	(void)g;
	if (!axt_stream_kept(op->st) && !apart && uses(p, op->st->src) <= 1)
		return false;
	return axt_stream_keep(op->st);
}

bool
axt_streams_check(struct axt_graph *g, const struct axt_plan *p)
{
	bool news = false;

	for (const struct axt_step *s = p->steps; s; s = s->next)
		news |= each_pipe(g, p, s, false, check);
	return news;
}

static bool
spool(struct axt_graph *g, const struct axt_plan *p, const struct axt_operand *op, bool apart)
{
	(void)p, (void)apart;
	return g->err.code == 0 && axt_stream_kept(op->st) &&
	    axt_stream_spool((struct axt_storage *)op->st, &g->err);
}

int
axt_streams_spool(struct axt_graph *g, const struct axt_plan *p)
{
	for (const struct axt_step *s = p->steps; s; s = s->next)
		each_pipe(g, p, s, false, spool);
	return g->err.code;
}
