/* linalg.c - the rows of linalg.def: functions of matrices, whose rows and columns are axes. */
#include "axt_operation.h"
#include "expr/expr.h"

struct linalg {
	const char *row, *col, *mode;
	double rcond;
	int64_t power;
	int ord;
};

#define ROW_COL                                                         \
	AXT_AXES_OF(struct linalg, row,                                 \
	    "axes of the rows (default: those whose duals are there)"), \
	    AXT_AXES_OF(struct linalg, col,                             \
		"axes of the columns (default: the duals of the rows, or the other axis of two)")
#define MODE                                                                            \
	AXT_AXES_OF(struct linalg, mode, "the new axis of the results", .text = "mode", \
	    .flags = AXT_PARAM_ONE | AXT_PARAM_NEW)
#define RCOND                                                            \
	AXT_NUMBER_OF(struct linalg, rcond, 0,                           \
	    "singular values of at most X times the largest count as 0 " \
	    "(default: by size and dtype)")

/* What functions take, by the names that linalg.def has for it. */
static const struct axt_param plain[] = { ROW_COL, AXT_PARAMS_END };
static const struct axt_param mode[] = { ROW_COL, MODE, AXT_PARAMS_END };
static const struct axt_param mode_rcond[] = { ROW_COL, MODE, RCOND, AXT_PARAMS_END };
static const struct axt_param rcond[] = { ROW_COL, RCOND, AXT_PARAMS_END };
static const struct axt_param power[] = { ROW_COL,
	AXT_INTEGER_OF(struct linalg, power, -INT32_MAX, INT32_MAX, "the power", .such = "2",
	    .flags = AXT_PARAM_REQUIRED),
	AXT_PARAMS_END };
static const struct axt_param ord[] = { ROW_COL,
	AXT_CHOICE_OF(struct linalg, ord, "fro|nuc|2|-2|1|inf", "which norm"), AXT_PARAMS_END };

static int
build_all(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out)
{
	const struct linalg *o = AXT_VALUES(struct linalg, c);
	const char *name = c->op->results;

	if (axt_linalg(g, (enum axt_linalg_op)c->op->kind, c->in,
		&(struct axt_linalg_opts){ .row = o->row,
		    .col = o->col,
		    .mode = o->mode,
		    .rcond = o->rcond,
		    .power = (int)o->power,
		    .ord = (enum axt_matrix_ord)o->ord },
		out))
		return g->err.code;
	for (int i = 0; name && *name; i++, name += strspn(name, " ")) {
		size_t n = strcspn(name, " ");
		const char *word = axt_strndup(g->m, name, n);

		if (!word)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		out[i] = axt_set_name(g, out[i], word);
		name += n;
	}
	return g->err.code;
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	struct axt_expr *out[AXT_MOST_RESULTS];

	return build_all(g, c, out) ? axt_node_failed(g) : out[0];
}

const struct axt_operation axt_operations_linalg[] = {
#define LINALG(id, name_, operands_, gufunc, results_, flags_, params_, line_)        \
	[AXT_LINALG_##id] = { .name = (name_),                                        \
		.line = (line_),                                                      \
		.operands = (operands_) == 2 ? "A B" : "A",                           \
		.params = (params_),                                                  \
		.size = sizeof(struct linalg),                                        \
		.flags = AXT_OPERATION_STDIN | AXT_OPERATION_MEET,                    \
		.kind = AXT_LINALG_##id,                                              \
		.colon = AXT_LINALG_##id == AXT_LINALG_MATRIX_POWER ? "power" : NULL, \
		.results = sizeof(results_) > 1 ? (results_) : NULL,                  \
		.build = sizeof(results_) > 1 ? NULL : build,                         \
		.build_all = sizeof(results_) > 1 ? build_all : NULL },
#include "linalg.def"
#undef LINALG
	{ .name = NULL },
};
