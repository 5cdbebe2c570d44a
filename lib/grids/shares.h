/*
 * shares.h - loops of which threads take a share after another.
 */
#ifndef AXT_GRIDS_SHARES_H
#define AXT_GRIDS_SHARES_H

#include "expr/expr.h"

/*
 * Calls fn(ctx, from, to) for ranges of at most `share` of 0 ... n - 1, by the threads of the graph
 * at the same time, which take them in rising order.
 */
void axt_shares(struct axt_graph *g, int64_t n, int64_t share,
    void (*fn)(void *ctx, int64_t from, int64_t to), void *ctx);

#endif
