/* scan.c - running sums, products, extremes and recurrences along an axis. */
#include "expr/expr.h"
#include "axt_operation.h"

struct scan {
	int op;
	const char *along;
	struct axt_expr *by, *value;
	bool reverse;
	enum axt_dtype dtype;
};

enum { LINEAR = 4 };
static const enum axt_red ops[LINEAR] = { AXT_RED_SUM, AXT_RED_PROD, AXT_RED_MIN, AXT_RED_MAX };

static const struct axt_param params[] = {
	AXT_CHOICE_OF(struct scan, op, "sum|prod|min|max|linear",
	    "what is done; linear: y[i] = A[i] * y[i-1] + x[i]", .arg = "OP",
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN, .colon = "value"),
	AXT_AXIS_OF(struct scan, along, "the axis"),
	AXT_TENSOR_OF(struct scan, by, "begin again wherever the label changes", .arg = "LABELS",
	    .flags = AXT_PARAM_GROUPS, .excludes = "op=linear"),
	AXT_TENSOR_OF(struct scan, value, "A of a recurrence, as linear:A: a number or a tensor",
	    .arg = "A", .needs = "op=linear"),
	AXT_FLAG_OF(struct scan, reverse, "begin at the end of the axis"),
	AXT_DTYPE_OF(struct scan, dtype, "dtype of the result"),
	AXT_PARAMS_END,
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct scan *o = AXT_VALUES(struct scan, c);
	const struct axt_scan_opts how = { .reverse = o->reverse, .dtype = o->dtype };
	struct axt_expr *pair[2] = { c->in[0], o->value };

	if (o->op == LINEAR && !o->value) {
		axt_graph_fail(g, AXT_E_SYNTAX, "a linear recurrence needs a value");
		axt_hint(&g->err, "linear:0.5 or linear:FILE; value=0.5 in expressions");
		return axt_node_failed(g);
	}
	if (o->op == LINEAR && axt_meet_dates(g, 2, pair))
		return pair[0];
	if (o->op == LINEAR)
		return axt_scan_linear(g, pair[0], pair[1], o->along, &how);
	return o->by ? axt_scan_by(g, ops[o->op], c->in[0], o->by, o->along, &how)
		     : axt_scan(g, ops[o->op], c->in[0], o->along, &how);
}

const struct axt_operation axt_operation_scan = {
	.name = "scan",
	.line = "running sums, products, minima, maxima, recurrences",
	.operands = "A",
	.params = params,
	.size = sizeof(struct scan),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
