/* regrid.c - values on another grid. */
#include "axt_builds.h"
#include "axt_operation.h"

struct regrid {
	const char *to, *missing, *over, *weights, *save_weights;
	int method, dialect;
};

static const struct axt_param params[] = {
	AXT_TEXT_OF(struct regrid, to,
	    "the grid: a file that has it, r360x180, n80, global_1, hp32", .arg = "GRID",
	    .such = "r360x180", .flags = AXT_PARAM_REQUIRED),
	AXT_CHOICE_OF(struct regrid, method,
	    "conservative|bilinear|nearest|distance|largest|keep|bicubic|conservative2",
	    "means over cells (default), between four of them, the nearest, the four nearest, the one "
	    "that covers most; keep: values stay, and get the grid's coordinates; bicubic: between 16; "
	    "conservative2: means of fields that slope within cells"),
	AXT_TEXT_OF(struct regrid, missing,
	    "missing values: left out, or all that they touch, or with less than that share",
	    .arg = "renorm|nan|SHARE"),
	AXT_AXES_OF(struct regrid, over,
	    "with keep: the axes that the grid lies over, in its order", .needs = "method=keep"),
	AXT_TEXT_OF(struct regrid, weights,
	    "take the weights of this file, as of cdo gencon, or of ESMF", .arg = "FILE",
	    .excludes = "method save_weights"),
	AXT_TEXT_OF(struct regrid, save_weights, "write the weights to this file", .arg = "FILE",
	    .excludes = "method=keep"),
	AXT_CHOICE_OF(struct regrid, dialect, "scrip|esmf",
	    "what that file is like: for CDO and others (default), or for ESMF and xESMF",
	    .needs = "save_weights"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct regrid *o = AXT_VALUES(struct regrid, c);

	return axt_regrid_to(g, c->in[0],
	    &(struct axt_regrid_opts){ .to = o->to,
		.method = (enum axt_regrid_method)o->method,
		.missing = o->missing,
		.over = o->over,
		.weights = o->weights,
		.save = o->save_weights,
		.dialect = (enum axt_regrid_dialect)o->dialect,
		.open = c->open,
		.some = c->several });
}

const struct axt_operation axt_operation_regrid = {
	.name = "regrid",
	.line = "values on another grid: means over its cells, or between those there are",
	.operands = "A",
	.params = params,
	.size = sizeof(struct regrid),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
