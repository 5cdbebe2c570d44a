/*
 * window.c - windows that slide along an axis, as a new last axis. A running mean is axt-window
 * time=w:12 | axt-reduce mean --over w.
 */
#include "axt_builds.h"
#include "axt_operation.h"

struct window {
	struct axt_specs specs;
	int label;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct window, "AXIS=NAME:LEN[:STEP]", 0,
	    "the new axis of windows along an axis"),
	AXT_CHOICE_OF(struct window, label, "middle|first|last",
	    "the element that gives a window its coordinates (default middle)"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct window *o = AXT_VALUES(struct window, c);
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < o->specs.n; i++)
		a = axt_window(g, a, o->specs.word[i], (enum axt_window_label)o->label);
	return a;
}

const struct axt_operation axt_operation_window = {
	.name = "window",
	.line = "sliding windows as a new last axis",
	.operands = "A",
	.params = params,
	.size = sizeof(struct window),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
