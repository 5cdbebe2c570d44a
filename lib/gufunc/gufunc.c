/* gufunc.c - the table of gufuncs, and their signatures. */
#include <math.h>

#include "gufunc/gufunc.h"

const char *const axt_gufunc_name[] = {
#define GUFUNC(ID, name, signature) [AXT_GUFUNC_##ID] = name,
#include "gufuncs.def"
#undef GUFUNC
};
const struct axt_gufunc *const axt_gufuncs[] = {
#define GUFUNC(ID, name, signature) [AXT_GUFUNC_##ID] = &axt_gufunc_##ID,
#include "gufuncs.def"
#undef GUFUNC
};

/*
 * Reads the core axes of one tensor, such as "(m,n)", at s. Returns what follows them, or NULL if
 * there is no list of axes.
 */
static const char *
core(const char *s, struct axt_core *out)
{
	out->n = 0;
	if (*s++ != '(')
		return NULL;
	for (; *s != ')'; s += *s == ',' && s[1] != ')') {
		if (out->n == AXT_GUFUNC_CORE || *s < 'a' || *s > 'z')
			return NULL;
		out->axis[out->n++] = *s++;
		if (*s != ',' && *s != ')')
			return NULL;
	}
	return s + 1;
}

/*
 * Reads the core axes of several tensors, such as "(m,m),(m,k)"; *n is the number of tensors.
 * Returns what follows them, or NULL if there is no such list.
 */
static const char *
cores(const char *s, struct axt_signature *x, int *n)
{
	for (*n = 0; s; s++) {
		if (x->nin + *n == AXT_GUFUNC_TENSORS)
			return NULL;
		s = core(s, &x->core[x->nin + *n]);
		(*n)++;
		if (!s || *s != ',')
			break;
	}
	return s;
}

bool
axt_signature_parse(const char *s, struct axt_signature *out)
{
	int nin;

	*out = (struct axt_signature){ 0 };
	s = cores(s, out, &nin);
	if (!s || strncmp(s, "->", 2) != 0)
		return false;
	out->nin = nin;
	s = cores(s + 2, out, &out->nout);
	return s && *s == '\0';
}

struct axt_signature
axt_gufunc_signature(enum axt_gufunc_id id)
{
	static const char *const text[] = {
#define GUFUNC(ID, name, signature) [AXT_GUFUNC_##ID] = signature,
#include "gufuncs.def"
#undef GUFUNC
	};
	struct axt_signature x;

	axt_signature_parse(text[id], &x);
	return x;
}

/*
 * Of numbers near 1, so that nothing overflows. Squares and their sum are known with their rounding
 * errors, by which the root is corrected once: nearly all results are the nearest f64.
 */
double
axt_hypot(double a, double b)
{
	double x = fmax(fabs(a), fabs(b)), y = fmin(fabs(a), fabs(b)), xx, yy, sum, rest, root;
	int e;

	if (isinf(x))
		return x;
	if (isnan(a) || isnan(b) || y == 0)
		return fabs(a) + fabs(b);
	e = ilogb(x);
	x = ldexp(x, -e);
	y = ldexp(y, -e);
	xx = x * x;
	yy = y * y;
	sum = xx + yy;
	rest = xx - sum + yy + fma(x, x, -xx) + fma(y, y, -yy);
	root = sqrt(sum);
	return ldexp(root + (fma(-root, root, sum) + rest) / (2 * root), e);
}
