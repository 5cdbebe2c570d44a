/* pad.c - axes made longer at both ends, one after another, so that corners are padded as well. */
#include "axt_builds.h"
#include "axt_operation.h"

static const char *const modes[] = { "constant", "edge", "reflect", "symmetric", "wrap" };

struct pad {
	struct axt_specs specs;
	struct axt_expr *value;
	int mode;
};

static const struct axt_param params[] = {
	AXT_SPECS_OF(struct pad, "AXIS=BEFORE,AFTER", 0,
	    "how many elements an axis gets at its ends"),
	AXT_VALUE_OF(struct pad, value, "what to pad with", .text = "0", .needs = "mode=constant"),
	AXT_CHOICE_OF(struct pad, mode, "constant|edge|reflect|symmetric|wrap",
	    "the value (default), the outermost element, mirrored at it, with it, from the other end"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct pad *o = AXT_VALUES(struct pad, c);
	struct axt_expr *a = c->in[0];

	for (int i = 0; i < o->specs.n; i++)
		a = axt_pad(g, a, o->specs.word[i], modes[o->mode], o->value);
	return a;
}

const struct axt_operation axt_operation_pad = {
	.name = "pad",
	.line = "make axes longer at both ends",
	.operands = "A",
	.params = params,
	.size = sizeof(struct pad),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
