/* streams.c - pipes among the operands of a plan: taken once and in order, or kept. */
#include "run.h"

/* A leaf that is a stream still to be taken, or NULL. */
static struct axt_storage *
pending(const struct axt_expr *e)
{
	const struct axt_storage *st = e->kind == AXT_NODE_LEAF ? e->u.leaf.st : NULL;

	return st && st->src ? (struct axt_storage *)st : NULL;
}

static void
walk(struct axt_graph *g, const struct axt_expr *e, void (*fn)(struct axt_storage *st, void *ctx),
    void *ctx)
{
	struct axt_storage *st = pending(e);

	if (e->seen == g->visit)
		return;
	((struct axt_expr *)e)->seen = g->visit;
	if (st)
		fn(st, ctx);
	for (int k = 0; k < e->nargs; k++)
		if (e->arg[k])
			walk(g, e->arg[k], fn, ctx);
}

static void
keep(struct axt_storage *st, void *ctx)
{
	(void)ctx;
	axt_stream_keep(st);
}

void
axt_streams_keep(struct axt_graph *g, const struct axt_expr *e)
{
	g->visit++;
	walk(g, e, keep, NULL);
}

/* How often a pipe is used, and whether a plan can take it in order. */
struct use {
	const struct axt_src *src;
	int n;
	struct axt_storage *any;
};

static void
count(struct axt_storage *st, void *ctx)
{
	struct use *u = ctx;

	if (st->src == u->src)
		u->n++;
}

/* Uses in a contraction, whose operands are plans of their own, count once each. */
static void
count_uses(struct axt_graph *g, const struct axt_plan *p, struct use *u)
{
	for (const struct axt_step *s = p->steps; s; s = s->next) {
		for (int k = 0; k < s->prog.noperands; k++) {
			const struct axt_operand *op = &s->prog.operand[k];

			if (op->st && op->st->src == u->src)
				u->n += op->stream ? 1 : 2;
		}
		for (int k = 0; k < 2 && s->kind == AXT_STEP_DOT; k++) {
			g->visit++;
			walk(g, s->out[0].node->arg[k], count, u);
		}
	}
}

static bool
check(struct axt_graph *g, const struct axt_plan *p, const struct axt_storage *st)
{
	struct use u = { .src = st->src };

	if (axt_stream_kept(st))
		return false;
	count_uses(g, p, &u);
	if (u.n > 1)
		axt_stream_keep(st);
	return u.n > 1;
}

struct dot_check {
	struct axt_storage *st[64];
	int n;
};

static void
gather(struct axt_storage *st, void *ctx)
{
	struct dot_check *c = ctx;

	if (c->n < ARRAY_LEN(c->st))
		c->st[c->n++] = st;
	else
		axt_stream_keep(st);
}

bool
axt_streams_check(struct axt_graph *g, const struct axt_plan *p)
{
	bool news = false;

	for (const struct axt_step *s = p->steps; s; s = s->next) {
		struct dot_check c = { .n = 0 };

		for (int k = 0; k < s->prog.noperands; k++)
			if (s->prog.operand[k].st && s->prog.operand[k].st->src)
				news |= check(g, p, s->prog.operand[k].st);
		g->visit++;
		for (int k = 0; k < 2 && s->kind == AXT_STEP_DOT; k++)
			walk(g, s->out[0].node->arg[k], gather, &c);
		for (int k = 0; k < c.n; k++)
			news |= check(g, p, c.st[k]);
	}
	return news;
}

int
axt_streams_spool(struct axt_graph *g, const struct axt_plan *p)
{
	for (const struct axt_step *s = p->steps; s; s = s->next)
		for (int k = 0; k < s->prog.noperands; k++) {
			struct axt_storage *st = (struct axt_storage *)s->prog.operand[k].st;

			if (st && st->src && axt_stream_kept(st) && axt_stream_spool(st, &g->err))
				return g->err.code;
		}
	return 0;
}
