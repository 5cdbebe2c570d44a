/* make.c - tensors of constants, counts and random numbers, which need no operand. */
#include "expr/expr.h"
#include "axt_operation.h"

struct make {
	const char *axes;
	struct axt_expr *number[2];
	enum axt_dtype dtype;
	int64_t seed;
};

/* The numbers of a kind stand behind its name: iota:START:STEP. */
#define NUMBER(i, n, h, ...)                                                              \
	{                                                                                 \
		.name = (n), .help = (h), .type = AXT_PARAM_VALUE,                        \
		.at = offsetof(struct make, number) + (i) * sizeof(void *), ##__VA_ARGS__ \
	}
#define AXES                                                                                    \
	AXT_AXES_OF(struct make, axes, "the axes, each with its length", .arg = "AXIS=LEN,...", \
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_LENGTHS),                 \
	    AXT_DTYPE_OF(struct make, dtype, "dtype of the result")
#define SEED                                            \
	AXT_INTEGER_OF(struct make, seed, 0, INT64_MAX, \
	    "seed of random and normal (default: a fresh one, recorded)", .value = -1)
#define VALUE NUMBER(0, "value", "of full: the number", .such = "1")
#define START NUMBER(0, "start", "of iota: the first number", .text = "0")
#define STEP NUMBER(1, "step", "of iota: from one to the next", .text = "1")
#define LOW NUMBER(0, "low", "of random: the least number", .text = "-1")
#define HIGH NUMBER(1, "high", "of random: the greatest number", .text = "1")
#define LOC NUMBER(0, "loc", "of normal: the mean", .text = "0")
#define SCALE NUMBER(1, "scale", "of normal: the standard deviation", .text = "1")

static const struct axt_param plain[] = { AXES, AXT_PARAMS_END };
static const struct axt_param full[] = { NUMBER(0, "value", "the number", .such = "1",
					     .flags = AXT_PARAM_REQUIRED),
	AXES, AXT_PARAMS_END };
static const struct axt_param iota[] = { START, STEP, AXES, AXT_PARAMS_END };
static const struct axt_param uniform[] = { LOW, HIGH, AXES, SEED, AXT_PARAMS_END };
static const struct axt_param normal[] = { LOC, SCALE, AXES, SEED, AXT_PARAMS_END };
static const struct axt_param every[] = { VALUE, START, STEP, LOW, HIGH, LOC, SCALE, AXES, SEED,
	AXT_PARAMS_END };

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct make *o = AXT_VALUES(struct make, c);
	struct axt_num v[2] = { { .is_int = true }, { .is_int = true } };
	int n = o->number[1] ? 2 : o->number[0] ? 1 : 0;

	for (int i = 0; i < n; i++) {
		/* the first number has its default where only the second is given */
		if (!o->number[i] && axt_parse_num(c->op->params[i].text, &v[i]))
			continue;
		if (!axt_is_weak(o->number[i]))
			return axt_graph_fail(g, AXT_E_SYNTAX,
			    "%s takes numbers, then axes with lengths", c->op->name);
		v[i] = o->number[i]->u.val.num;
	}
	return axt_make_of(g, c->op->name, o->axes, o->dtype, o->seed, n, v);
}

#define ROW(name_, line_, params_, colon_)                                                     \
	{                                                                                      \
		.name = (name_), .line = (line_), .operands = "", .params = (params_),         \
		.size = sizeof(struct make), .flags = AXT_OPERATION_STORES, .colon = (colon_), \
		.build = build                                                                 \
	}
const struct axt_operation axt_operations_make[] = {
	ROW("zeros", "0 everywhere", plain, NULL),
	ROW("ones", "1 everywhere", plain, NULL),
	ROW("full", "one number everywhere", full, "value"),
	ROW("iota", "counts in row-major order", iota, "start step"),
	ROW("random", "uniform from LOW to HIGH (-1 to 1)", uniform, "low high"),
	ROW("normal", "normally distributed (mean 0, standard deviation 1)", normal, "loc scale"),
	ROW("eye", "1 where the last two indices agree", plain, NULL),
	ROW("triu", "1 on and above the diagonal of the last two axes", plain, NULL),
	ROW("tril", "1 on and below the diagonal of the last two axes", plain, NULL),
	ROW("placeholder", "no values: axt-bind gives them", plain, NULL),
	{ .name = NULL },
};

const struct axt_chooser axt_chooser_make = {
	.all = { .name = "make",
	    .line = "make a tensor of constants, counts or random numbers",
	    .operands = "",
	    .params = every,
	    .size = sizeof(struct make),
	    .flags = AXT_OPERATION_STORES },
	.word = "KIND",
	.noun = "kind",
	.table = axt_operations_make,
};
