/* eval.h - what fuzz targets accept, evaluated when it is small. */
#ifndef AXT_FUZZ_EVAL_H
#define AXT_FUZZ_EVAL_H

#include <stdlib.h>

#include "graph/graph.h"

#define SMALL 4096	/* elements of any node */

/* Each node once: g->visit is a new one. */
static inline bool
is_small(struct axt_expr *e)
{
	if (e->seen == e->g->visit)
		return true;
	e->seen = e->g->visit;
	if (axt_count(e) > SMALL)
		return false;
	for (int i = 0; i < e->nargs; i++)
		if (!is_small(e->arg[i]))
			return false;
	return true;
}

static inline void
evaluate(struct axt_graph *g, struct axt_expr *e)
{
	size_t bytes = (size_t)axt_count(e) * (size_t)axt_size(e->dtype);
	void *p;

	e->g->visit++;
	if (!is_small(e))
		return;
	p = malloc(bytes + 1);
	if (p)
		axt_eval(g, e, p, bytes);
	free(p);
}

#endif
