/* tables.c - the public face of the table of dtypes, and of words. */
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
