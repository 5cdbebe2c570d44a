/* expand.c - axes of length 1, or axes along which elements are repeated. */
#include "axt_builds.h"
#include "axt_operation.h"

struct expand {
	const char *axes;
	int64_t at;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct expand, axes, "the new axes", .arg = "AXIS[=LEN],...",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_NEW),
	AXT_INTEGER_OF(struct expand, at, -AXT_MAX_RANK, AXT_MAX_RANK,
	    "the position of the first of them, from the end when negative", .arg = "POS"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct expand *o = AXT_VALUES(struct expand, c);

	return axt_expand(g, c->in[0], o->axes, (int)o->at);
}

const struct axt_operation axt_operation_expand = {
	.name = "expand",
	.line = "add axes",
	.operands = "A",
	.params = params,
	.size = sizeof(struct expand),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
