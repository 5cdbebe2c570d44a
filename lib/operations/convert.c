/* convert.c - the same quantity in other units, which UDUNITS knows. */
#include "axt_operation.h"

struct convert {
	const char *to, *coord;
};

static const struct axt_param params[] = {
	AXT_TEXT_OF(struct convert, to, "the units of the result, such as degC or 'm s-1'",
	    .arg = "UNITS", .such = "degC", .flags = AXT_PARAM_REQUIRED | AXT_PARAM_BARE),
	AXT_TEXT_OF(struct convert, coord, "convert the coordinates of an axis instead",
	    .arg = "NAME"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct convert *o = AXT_VALUES(struct convert, c);

	return axt_convert(g, c->in[0], o->to, o->coord);
}

const struct axt_operation axt_operation_convert = {
	.name = "convert",
	.line = "convert values to other units",
	.operands = "A",
	.params = params,
	.size = sizeof(struct convert),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
