/* deliver.h - results to where they go: one way for files, streams, other formats and text. */
#ifndef AXT_GRAPH_DELIVER_H
#define AXT_GRAPH_DELIVER_H

#include "graph/graph.h"

struct axt_delivery;
/*
 * What kinds of outputs differ in; functions are called in this order. Those that return int give
 * the graph's error; begin and finish may be NULL.
 */
struct axt_delivery_kind {
	/* When it fails nothing is left of it. */
	int (*open)(struct axt_delivery *o);
	/* What takes the bytes of result i; NULL: error. */
	struct axt_sink *(*sink)(struct axt_delivery *o, int i);
	/* Before the run. */
	int (*begin)(struct axt_delivery *o);
	/* Every value came, of inputs that did not change meanwhile. */
	int (*finish)(struct axt_delivery *o);
	/* ok: the output is there from now on; else what was there before stays. */
	void (*close)(struct axt_delivery *o, bool ok);
};
/* The head of what a kind of output knows. */
struct axt_delivery {
	const struct axt_delivery_kind *kind;
	struct axt_graph *g;
	struct axt_expr *const *e; /* [n]: the results */
	int n;
	struct axt_out_var *v; /* [n]: what is told of them; NULL: what axt_out_vars says */
	/*
	 * No output exists before its plan does, so that what can be refused leaves nothing behind.
	 */
	bool planned;
	bool ordered;          /* likely, sinks take results in order */
	bool computed;         /* all are there already: nothing is run */
	struct axt_plan *plan; /* where it is planned */
};
/* Plans, opens, runs, checks the inputs, closes. */
enum axt_code axt_deliver(struct axt_delivery *o);

#endif
