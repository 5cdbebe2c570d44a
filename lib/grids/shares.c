/* shares.c - loops of which threads take a share after another. */
#include "grids/shares.h"

#include <stdatomic.h>

#include "base/threads.h"
#include "eval/eval.h"

struct loop {
	int64_t n, share;
	void (*fn)(void *ctx, int64_t from, int64_t to);
	void *ctx;
	atomic_llong next; /* the first that no thread has taken yet */
};

static void
take(void *ctx, int id, struct axt_team *team)
{
	struct loop *l = ctx;
	int64_t from;

	(void)id;
	(void)team;
	while ((from = atomic_fetch_add(&l->next, l->share)) < l->n)
		l->fn(l->ctx, from, MIN(from + l->share, l->n));
}

void
axt_shares(struct axt_graph *g, int64_t n, int64_t share,
    void (*fn)(void *ctx, int64_t from, int64_t to), void *ctx)
{
	struct loop l = { .n = n, .share = share, .fn = fn, .ctx = ctx };

	axt_team_run((int)MIN(axt_graph_threads(g), 1 + n / share), take, &l);
}
