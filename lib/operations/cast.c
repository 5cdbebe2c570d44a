/* cast.c - another dtype, packed or not, and other names of axes by position. */
#include "expr/expr.h"
#include "axt_operation.h"

struct cast {
	enum axt_dtype dtype;
	const char *to, *pack;
	int overflow;
	struct axt_expr *like;
	bool all;
};

static const struct axt_param params[] = {
	AXT_DTYPE_OF(struct cast, dtype, "the dtype", .flags = AXT_PARAM_BARE),
	AXT_AXES_OF(struct cast, to, "new names of the axes, by position",
	    .flags = AXT_PARAM_DUPLICATES | AXT_PARAM_NEW),
	AXT_CHOICE_OF(struct cast, overflow, "error|saturate|wrap",
	    "a value the dtype cannot hold"),
	AXT_TEXT_OF(struct cast, pack, "as integers with scale_factor, add_offset and _FillValue",
	    .arg = "DTYPE[:SCALE:OFFSET]"),
	AXT_TENSOR_OF(struct cast, like,
	    "the dtype of B, packed and with missing values as B is stored",
	    .excludes = "pack dtype"),
	AXT_FLAG_OF(struct cast, all, "of FILE:* integers, too"),
	AXT_PARAMS_END,
};

/* Whether integers are left as they are, since a pattern found them and not all are asked for. */
static bool
spares(struct axt_graph *g, const struct axt_call *c, const struct axt_expr *e)
{
	return c->spares && !AXT_VALUES(struct cast, c)->all && c->spares(g, e);
}

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct cast *o = AXT_VALUES(struct cast, c);
	enum axt_overflow mode = (enum axt_overflow)o->overflow;
	struct axt_expr *e = c->in[0];
	bool spared;

	if (o->to)
		e = axt_cast_axes(g, e, o->to);
	spared = ((o->dtype != AXT_DTYPE_AUTO && !axt_is_integer(o->dtype)) || o->pack) &&
	    spares(g, c, e);
	if (o->dtype != AXT_DTYPE_AUTO && (axt_is_integer(o->dtype) || !spared))
		e = axt_cast_dtype(g, e, o->dtype, mode);
	if (o->like)
		e = axt_cast_like(g, e, o->like, mode);
	return o->pack && !spared ? axt_pack(g, e, o->pack, mode) : e;
}

const struct axt_operation axt_operation_cast = {
	.name = "cast",
	.line = "convert to another dtype, or name axes by position",
	.operands = "A",
	.params = params,
	.size = sizeof(struct cast),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
