/* eval.h - what fuzz targets accept, evaluated when it is small. */
#ifndef AXT_FUZZ_EVAL_H
#define AXT_FUZZ_EVAL_H

#include <stdlib.h>

#include "graph/graph.h"

#define SMALL 4096 /* elements of any node */

static inline bool
is_small(struct axt_expr *e)
{
	struct axt_nodes o;

	if (axt_nodes(e->g, &e, 1, false, &o))
		return false;
	for (int i = 0; i < o.n; i++)
		if (axt_count(o.e[i]) > SMALL)
			return false;
	return true;
}

static inline void
evaluate(struct axt_graph *g, struct axt_expr *e)
{
	size_t bytes = (size_t)axt_count(e) * (size_t)axt_size(e->dtype);
	void *p;

	if (!is_small(e))
		return;
	p = malloc(bytes + 1);
	if (p)
		axt_eval(g, e, p, bytes);
	free(p);
}

#endif
