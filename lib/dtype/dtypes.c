/* dtypes.c - the table of dtypes, their names, promotion. */
#include <math.h>
#include "dtype/dtype.h"

const struct axt_dtype_info axt_dtypes[AXT_NDTYPES] = {
#define DTYPE(id, name, numpy, ctype, cls, comp) \
	[AXT_##id] = { name, numpy, (int)sizeof(ctype), AXT_CLASS_##cls, AXT_##comp },
#include "dtypes.def"
#undef DTYPE
};

/* Other names of the dtypes, in netCDF (CDL), C and NumPy. */
static const struct {
	const char *name;
	enum axt_dtype d;
} aliases[] = {
	{ "boolean", AXT_BOOL },
	{ "byte", AXT_I8 },
	{ "short", AXT_I16 },
	{ "int", AXT_I32 },
	{ "long", AXT_I64 },
	{ "ubyte", AXT_U8 },
	{ "ushort", AXT_U16 },
	{ "uint", AXT_U32 },
	{ "ulong", AXT_U64 },
	{ "half", AXT_F16 },
	{ "float", AXT_F32 },
	{ "single", AXT_F32 },
	{ "double", AXT_F64 },
	{ "complex", AXT_C128 },
};

enum axt_dtype
axt_dtype_parse(const char *s)
{
	for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
		if (!strcmp(s, axt_dtypes[d].name) || !strcmp(s, axt_dtypes[d].numpy))
			return (enum axt_dtype)d;
	for (int i = 0; i < ARRAY_LEN(aliases); i++)
		if (!strcmp(s, aliases[i].name))
			return aliases[i].d;
	return AXT_DTYPE_AUTO;
}

static enum axt_dtype
signed_of_size(int size)
{
	return size == 1 ? AXT_I8 : size == 2 ? AXT_I16 : size == 4 ? AXT_I32 : AXT_I64;
}

/*
 * Promotes the signed dtype i with the unsigned dtype u. i64 with u64 gives f64, since no integer
 * dtype holds both.
 */
static enum axt_dtype
promote_mixed(enum axt_dtype i, enum axt_dtype u)
{
	if (axt_size(i) > axt_size(u))
		return i;
	return axt_size(u) == 8 ? AXT_F64 : signed_of_size(2 * axt_size(u));
}

/* The size in bytes of the smallest float that NumPy says holds all values of d. */
static int
float_size(enum axt_dtype d)
{
	switch (axt_dtypes[d].cls) {
	case AXT_CLASS_BOOL: return 0;
	case AXT_CLASS_INT:
	case AXT_CLASS_UINT: return MIN(2 * axt_size(d), 8);
	case AXT_CLASS_FLOAT: return axt_size(d);
	default: return axt_size(d) / 2;
	}
}

static enum axt_dtype
promote_ints(enum axt_dtype a, enum axt_dtype b)
{
	if (axt_dtypes[a].cls == axt_dtypes[b].cls)
		return axt_size(a) >= axt_size(b) ? a : b;
	return axt_dtypes[a].cls == AXT_CLASS_INT ? promote_mixed(a, b) : promote_mixed(b, a);
}

enum axt_dtype
axt_promote(enum axt_dtype a, enum axt_dtype b)
{
	enum axt_class ca = axt_dtypes[a].cls, cb = axt_dtypes[b].cls;
	int size;

	if (a == b || cb == AXT_CLASS_BOOL)
		return a;
	if (ca == AXT_CLASS_BOOL)
		return b;
	size = MAX(float_size(a), float_size(b));
	if (ca == AXT_CLASS_COMPLEX || cb == AXT_CLASS_COMPLEX)
		return size == 8 ? AXT_C128 : AXT_C64;
	if (ca != AXT_CLASS_FLOAT && cb != AXT_CLASS_FLOAT)
		return promote_ints(a, b);
	if (size > 2)
		return size == 8 ? AXT_F64 : AXT_F32;
	/* The two half formats promote to f32; each of them stays beside an 8-bit integer. */
	if (ca == AXT_CLASS_FLOAT && cb == AXT_CLASS_FLOAT)
		return AXT_F32;
	return ca == AXT_CLASS_FLOAT ? a : b;
}

enum axt_dtype
axt_num_dtype(const struct axt_num *n)
{
	return !n->is_int ? AXT_F64 : n->is_unsigned ? AXT_U64 : AXT_I64;
}

int
axt_weak(const struct axt_num *n, enum axt_dtype t, enum axt_dtype *out, struct axt_err *e)
{
	enum axt_class c = axt_dtypes[t].cls;
	static const enum axt_dtype wider[] = { AXT_I16, AXT_I32, AXT_I64 };
	char text[AXT_TEXT], word[AXT_TEXT];
	uint64_t v;

	*out = t;
	if (c == AXT_CLASS_FLOAT || c == AXT_CLASS_COMPLEX)
		return AXT_OK;
	*out = axt_num_dtype(n);
	if (c == AXT_CLASS_BOOL || (!n->is_int && !n->is_big))
		return AXT_OK;
	*out = t;
	if (n->is_int && axt_num_store(n, t, &v))
		return AXT_OK;
	if (n->is_big)
		axt_value_text(word, AXT_F64, &n->f);
	else
		axt_value_text(word, n->is_unsigned ? AXT_U64 : AXT_I64,
		    n->is_unsigned ? (void *)&n->u : (void *)&n->i);
	axt_dtype_range_text(text, t);
	axt_fail(e, AXT_E_RANGE, "%s does not fit %s (%s)", word, axt_dtypes[t].name, text);
	axt_about(e, AXT_DOES_NOT_FIT, word, axt_dtypes[t].name);
	for (int i = 0; i < ARRAY_LEN(wider); i++)
		if (n->is_int && axt_num_store(n, wider[i], &v)) {
			axt_hint(e, "%s has room: axt-cast --dtype %s, or cast(a, %s) in axt-calc",
			    axt_dtypes[wider[i]].name, axt_dtypes[wider[i]].name,
			    axt_dtypes[wider[i]].name);
			break;
		}
	return AXT_E_RANGE;
}

/* Whether x, without its fraction, is in the range of an integer dtype. */
static bool
in_range(double x, enum axt_dtype d)
{
	bool sign = axt_dtypes[d].cls == AXT_CLASS_INT;
	int bits = 8 * (int)axt_size(d) - sign;

	return trunc(x) >= (sign ? -ldexp(1, bits) : 0) && trunc(x) < ldexp(1, bits);
}

int
axt_counts_fit(double first, double last, enum axt_dtype d, struct axt_err *e)
{
	static const enum axt_dtype wider[] = { AXT_I16, AXT_I32, AXT_I64 };
	enum axt_class c = axt_dtypes[d].cls;
	const char *name;

	if ((c != AXT_CLASS_INT && c != AXT_CLASS_UINT) ||
	    (in_range(first, d) && in_range(last, d)))
		return AXT_OK;
	axt_fail(e, AXT_E_RANGE, "the numbers of iota, %.17g to %.17g, do not fit %s", first, last,
	    axt_dtypes[d].name);
	for (int i = 0; i < ARRAY_LEN(wider); i++)
		if (in_range(first, wider[i]) && in_range(last, wider[i])) {
			name = axt_dtypes[wider[i]].name;
			axt_hint(e,
			    "dtype %s holds them: axt-make --dtype %s, dtype=%s in axt-calc", name,
			    name, name);
			break;
		}
	return e->code;
}
