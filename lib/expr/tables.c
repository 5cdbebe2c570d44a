/* tables.c - the public face of the op, reduction and dtype tables. */
#include "expr/expr.h"

const char *
axt_version(void)
{
	return AXT_VERSION;
}

const char *
axt_dtype_name(enum axt_dtype d)
{
	return d < AXT_NDTYPES ? axt_dtypes[d].name : NULL;
}

enum axt_dtype
axt_dtype_of_name(const char *name)
{
	return axt_dtype_parse(name);
}

size_t
axt_dtype_bytes(enum axt_dtype d)
{
	return d < AXT_NDTYPES ? (size_t)axt_dtypes[d].size : 0;
}

bool
axt_op_row(enum axt_op op, struct axt_op_row *out)
{
	const struct axt_op_info *r;

	if ((int)op < 0 || op >= AXT_NOPS)
		return false;
	r = &axt_ops[op];
	*out = (struct axt_op_row){ r->name, r->alias, r->line, r->arity, r->nary, r->commutes,
		r->internal };
	return true;
}

int
axt_op_named(const char *name)
{
	return axt_op_find(name);
}

const char *
axt_red_name(enum axt_red op)
{
	return (int)op >= 0 && op < AXT_NREDS ? axt_reds[op].name : NULL;
}

const char *
axt_red_line(enum axt_red op)
{
	return (int)op >= 0 && op < AXT_NREDS ? axt_reds[op].line : NULL;
}

int
axt_red_named(const char *name)
{
	return axt_red_find(name);
}

const char *
axt_nearest_word(const char *w, const char *const *words, int n)
{
	return axt_nearest(w, words, n);
}

bool
axt_is_number(const char *text)
{
	struct axt_num n;

	return axt_parse_num(text, &n);
}
