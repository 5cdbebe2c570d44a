/* area.c - the areas of the cells of a grid, as weights. */
#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"

static const struct axt_param params[] = { AXT_PARAMS_END };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	return axt_weights_of(g, c->in[0], "area");
}

const struct axt_operation axt_operation_area = {
	.name = "area",
	.line = "areas of the cells of a grid, as weights",
	.operands = "A",
	.params = params,
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
