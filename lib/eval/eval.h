/* eval.h - the evaluator: plans carried out. */
#ifndef AXT_EVAL_EVAL_H
#define AXT_EVAL_EVAL_H

#include "inputs/inputs.h"

/* Evaluates e[i] into sink[i]; ordered sinks are served one after another. */
int axt_run(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[]);
/* What a plan is for: to be looked at, which starts no device; to be run, or shown as it would be. */
enum axt_plan_use { AXT_DRAFT, AXT_FOR_RUN, AXT_FOR_ORDERED_RUN };
int axt_make_plan(struct axt_graph *g, struct axt_expr *const e[], int n, enum axt_plan_use use,
    struct axt_plan **out);
/*
 * Values of parts of what is to be run, n <= 2 of them, into memory: streams of the rest are left
 * as they are.
 */
int axt_part_values(struct axt_graph *g, struct axt_expr *const e[], int n, void *const out[]);
int axt_graph_threads(const struct axt_graph *g);
/* Every file the graph opened is as it was. */
int axt_files_check(struct axt_graph *g);
/* A sink into memory: row-major bytes at p. */
struct axt_mem_sink {
	struct axt_sink sink;
	uint8_t *p;
	int64_t bytes;
};
void axt_mem_sink_init(struct axt_mem_sink *m, void *p, int64_t bytes);

#endif
