/* eval.h - the evaluator, which runs plans. */
#ifndef AXT_EVAL_EVAL_H
#define AXT_EVAL_EVAL_H

#include "inputs/inputs.h"

/* Evaluates all e[i] into sink[i] in one run. Ordered sinks get values one sink after another. */
int axt_run(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[]);
/*
 * axt_run with the plan that axt_draft_plan made. If something that the plan depends on has changed
 * since, a new plan is made. draft may be NULL.
 */
int axt_run_draft(struct axt_graph *g, struct axt_expr *const e[], int n,
    struct axt_sink *const sink[], struct axt_plan *draft);
/*
 * Makes the plan of a run; `ordered` tells whether sinks are. Nothing is evaluated and no device is
 * started: so errors of planning show before an output exists.
 */
int axt_draft_plan(struct axt_graph *g, struct axt_expr *const e[], int n, bool ordered,
    struct axt_plan **out);
/*
 * Evaluates n <= 2 expressions into memory, which are parts of an expression that will be run
 * later. Streams that only other parts of it need are not read.
 */
int axt_part_values(struct axt_graph *g, struct axt_expr *const e[], int n, void *const out[]);
/*
 * axt_eval for values that an operation needs before it can be built, such as labels. Whether the
 * plans that writers of pipes offer are taken is not decided yet, and streams are not read to their
 * ends.
 */
enum axt_code axt_eval_early(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes);
int axt_graph_threads(const struct axt_graph *g);
/* Fails if a file that the graph opened has changed since. */
int axt_files_check(struct axt_graph *g);

#endif
