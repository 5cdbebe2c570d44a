/* eval.h - the evaluator, which runs plans. */
#ifndef AXT_EVAL_EVAL_H
#define AXT_EVAL_EVAL_H

#include "inputs/inputs.h"

/* Evaluates all e[i] into sink[i] in one run. Ordered sinks get values one sink after another. */
int axt_run(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[]);
/*
 * The same with a plan that axt_draft_plan made. If something that it depends on has changed since,
 * a new plan is made. draft NULL: there is none.
 */
int axt_run_draft(struct axt_graph *g, struct axt_expr *const e[], int n,
    struct axt_sink *const sink[], struct axt_plan *draft);
/*
 * Makes the plan of a run whose sinks are ordered, or not. Nothing is evaluated and no device is
 * started, so that errors of planning show before an output exists.
 */
int axt_draft_plan(struct axt_graph *g, struct axt_expr *const e[], int n, bool ordered,
    struct axt_plan **out);
/*
 * Evaluates n <= 2 expressions into memory; they are parts of one that will be run later. Streams
 * that only other parts need are not read.
 */
int axt_part_values(struct axt_graph *g, struct axt_expr *const e[], int n, void *const out[]);
/*
 * As axt_eval, for values that an operation needs before it can be built, such as labels. The plans
 * of pipes are neither taken nor declined yet, and streams are not read to their ends.
 */
enum axt_code axt_eval_early(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes);
int axt_graph_threads(const struct axt_graph *g);
/* Fails if a file that the graph opened has changed since. */
int axt_files_check(struct axt_graph *g);

#endif
