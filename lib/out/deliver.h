/*
 * deliver.h - how results reach their output, whether that is a file, a stream, another format or
 * text.
 */
#ifndef AXT_OUT_DELIVER_H
#define AXT_OUT_DELIVER_H

#include "out/out.h"

struct axt_delivery;
/*
 * The functions of a kind of output, in the order in which axt_deliver calls them. Those with a
 * result of int return the code of the graph's error. begin and finish may be NULL.
 */
struct axt_delivery_kind {
	/* Creates the output. If it fails, it removes what it created. */
	int (*open)(struct axt_delivery *o);
	/* The sink that takes the bytes of result i, or NULL after an error. */
	struct axt_sink *(*sink)(struct axt_delivery *o, int i);
	/* Called once, before the run. */
	int (*begin)(struct axt_delivery *o);
	/* Called after a run in which every value was computed and no input changed. */
	int (*finish)(struct axt_delivery *o);
	/*
	 * If ok, puts the output in its place. Otherwise removes it; what was there before stays.
	 */
	void (*close)(struct axt_delivery *o, bool ok);
	/*
	 * The output takes values alone. No names and attributes are made for it, and no warning
	 * compares them with values.
	 */
	bool values;
};
/* The first member of the struct that each kind of output has for itself. */
struct axt_delivery {
	const struct axt_delivery_kind *kind;
	struct axt_graph *g;
	struct axt_expr *const *e; /* [n]: the results */
	int n;
	/* [n]: names, axes and attributes of the results; NULL: axt_out_vars makes them */
	struct axt_out_var *v;
	/*
	 * The plan is made before the output is opened, so that a plan that is refused leaves no
	 * output.
	 */
	bool planned;
	bool ordered;          /* the plan is made for sinks that should get results in order */
	bool computed;         /* the values exist already, so there is nothing to run */
	struct axt_plan *plan; /* made if `planned` is set, else NULL */
	/* [nrun]: the results whose values come from the run: axt_out_var_comes */
	struct axt_expr **run;
	int nrun;
};
/* Plans, opens, runs, checks that no input has changed, and closes, in this order. */
enum axt_code axt_deliver(struct axt_delivery *o);

#endif
