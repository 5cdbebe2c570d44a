/*
 * packing.c - unpacks values by the CF attributes scale_factor and add_offset, _FillValue and
 * missing_value, and _Unsigned. The same rules hold for tensors and for coordinates, except that
 * values outside valid_min, valid_max or valid_range are missing in tensors only.
 */
#include <math.h>
#include <strings.h>

#include "cf/cf.h"
#include "kern/kern.h"

#define STRIP 512

static const char *const packing[] = { "scale_factor", "add_offset", "_FillValue", "missing_value",
	"_Unsigned", "valid_min", "valid_max", "valid_range", AXT_ENUM };

bool
axt_is_packing(const char *name)
{
	for (int k = 0; k < ARRAY_LEN(packing); k++)
		if (strcmp(packing[k], name) == 0)
			return true;
	return false;
}

const struct axt_attr *
axt_attrs_unpacked(struct axt_arena *m, const struct axt_attr *l)
{
	for (int k = 0; k < ARRAY_LEN(packing); k++)
		l = axt_attr_drop(m, l, packing[k]);
	return l;
}

const struct axt_attr *
axt_attrs_recomputed(struct axt_arena *m, const struct axt_attr *l)
{
	static const char *const of_matlab[] = { "MATLAB_class", "MATLAB_int_decode",
		"MATLAB_empty" };

	for (int k = 0; k < ARRAY_LEN(of_matlab); k++)
		l = axt_attr_drop(m, l, of_matlab[k]);
	return axt_attrs_unpacked(m, axt_attrs_rounded(m, l, NULL));
}

const struct axt_attr *
axt_attrs_rounded(struct axt_arena *m, const struct axt_attr *l, const struct axt_attr *other)
{
	static const char *const rounded[] = { "_QuantizeBitGroomNumberOfSignificantDigits",
		"_QuantizeGranularBitRoundNumberOfSignificantDigits",
		"_QuantizeBitRoundNumberOfSignificantBits" };

	for (int k = 0; k < ARRAY_LEN(rounded); k++) {
		const struct axt_attr *a = axt_attr_find(l, rounded[k]),
				      *b = axt_attr_find(other, rounded[k]);

		if (a && !(b && axt_attr_equal(a, b)))
			l = axt_attr_drop(m, l, rounded[k]);
	}
	return l;
}

enum axt_dtype
axt_with_sign(const struct axt_attr *l, enum axt_dtype d)
{
	const char *u = axt_attr_text(l, "_Unsigned");

	if (u && strcasecmp(u, "true") == 0 && d >= AXT_I8 && d <= AXT_I64)
		return d - AXT_I8 + AXT_U8;
	if (u && strcasecmp(u, "false") == 0 && d >= AXT_U8 && d <= AXT_U64)
		return d - AXT_U8 + AXT_I8;
	return d;
}

/* Whether the attribute has real numbers. Complex ones describe no packing. */
static bool
is_real(const struct axt_attr *a)
{
	return a && a->kind == AXT_ATTR_NUM && axt_dtypes[a->dtype].cls != AXT_CLASS_COMPLEX;
}

static bool
number(const struct axt_attr *l, const char *name, double *out, enum axt_dtype *d)
{
	const struct axt_attr *a = axt_attr_find(l, name);

	if (!is_real(a) || a->n < 1)
		return false;
	*out = axt_load_f64(a->dtype, a->data);
	*d = a->dtype;
	return true;
}

/*
 * The value v as it reads in dtype d, which has as many bits but may have the other sign
 * (_Unsigned).
 */
static double
as_stored(double v, enum axt_dtype d)
{
	switch (d) {
	case AXT_U8: return v < 0 ? v + 256 : v;
	case AXT_U16: return v < 0 ? v + 65536 : v;
	case AXT_U32: return v < 0 ? v + 4294967296.0 : v;
	case AXT_U64: return v < 0 ? v + 18446744073709551616.0 : v;
	case AXT_I8: return v > 127 ? v - 256 : v;
	case AXT_I16: return v > 32767 ? v - 65536 : v;
	default: return v;
	}
}

/* Adds the numbers of an attribute to miss[*n], without those that are there already. */
static void
add_missing(const struct axt_attr *a, enum axt_dtype stored, double *miss, int *n)
{
	for (int64_t i = 0; i < a->n; i++) {
		double v = as_stored(
		    axt_load_f64(a->dtype, (const uint8_t *)a->data + i * axt_size(a->dtype)),
		    stored);
		bool seen = v != v;

		for (int j = 0; j < *n && !seen; j++)
			seen = miss[j] == v;
		if (!seen)
			miss[(*n)++] = v;
	}
}

void
axt_packing_read(struct axt_arena *m, const struct axt_attr *l, enum axt_dtype stored,
    struct axt_packing *p)
{
	static const char *const names[] = { "_FillValue", "missing_value" };
	enum axt_dtype d1 = AXT_DTYPE_AUTO, d2 = AXT_DTYPE_AUTO;
	const struct axt_attr *a[ARRAY_LEN(names)];
	double *miss = NULL;
	int64_t n = 0;

	*p = (struct axt_packing){ .scale = 1 };
	if (number(l, "scale_factor", &p->scale, &d1))
		p->scaled = true;
	if (number(l, "add_offset", &p->offset, &d2))
		p->scaled = true;
	p->attr_dtype = !d1 ? d2 : !d2 ? d1 : axt_promote(d1, d2);
	for (int k = 0; k < ARRAY_LEN(names); k++) {
		a[k] = axt_attr_find(l, names[k]);
		if (!is_real(a[k]))
			a[k] = NULL;
		p->missing = p->missing || a[k];
		n += a[k] ? a[k]->n : 0;
	}
	if (n > 0)
		p->miss = miss = axt_alloc(m, (size_t)n * sizeof(*miss));
	for (int k = 0; k < ARRAY_LEN(names) && miss; k++)
		if (a[k])
			add_missing(a[k], stored, miss, &p->nmiss);
}

enum axt_dtype
axt_unpacked_dtype(enum axt_dtype stored, const struct axt_packing *p)
{
	bool real = axt_dtypes[stored].cls == AXT_CLASS_FLOAT;

	if (p->scaled && p->attr_dtype && axt_dtypes[p->attr_dtype].cls == AXT_CLASS_FLOAT)
		return real ? axt_promote(stored, p->attr_dtype) : p->attr_dtype;
	if (real)
		return stored;
	return axt_size(stored) <= 2 ? AXT_F32 : AXT_F64;
}

enum axt_dtype
axt_unpacking_dtype(enum axt_dtype stored, enum axt_dtype unpacked)
{
	return axt_dtypes[stored].cls == AXT_CLASS_FLOAT || axt_size(stored) <= 2 ? unpacked
										  : AXT_F64;
}

/*
 * Applies an operation to n values x of dtype comp and to numbers, in place. The numbers are first
 * rounded to dtype work.
 */
static void
apply(enum axt_op op, enum axt_dtype comp, enum axt_dtype work, void *x, int64_t n,
    const double number[2])
{
	double rounded, v[2]; /* wide enough for any dtype */
	const void *in[3] = { x, &v[0], &v[1] };
	int64_t bad = -1;

	for (int k = 0; k < 2; k++) {
		axt_num_store(&(struct axt_num){ .f = number[k] }, work, &rounded);
		axt_kern_conv(comp, work, AXT_OVERFLOW_WRAP)(&v[k], &rounded, 1, &bad);
	}
	axt_kern_map(op, comp)(x, in, (const bool[]){ false, true, true }, n, &bad);
}

/* Unpacks n values in dtype work. */
static void
unpack(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, enum axt_dtype work,
    int64_t n, const struct axt_packing *p)
{
	axt_conv_fn *widen, *narrow;
	struct axt_op_types t;
	double x[STRIP];
	int64_t bad = -1;

	axt_op_types(AXT_OP_UNPACK, work, &t);
	widen = axt_kern_conv(t.comp, from, AXT_OVERFLOW_WRAP);
	narrow = axt_kern_conv(to, t.comp, AXT_OVERFLOW_WRAP);
	for (int64_t i = 0; i < n; i += STRIP) {
		int64_t m = MIN(STRIP, n - i);

		widen(x, (const char *)in + i * axt_size(from), m, &bad);
		for (int k = 0; k < p->nmiss; k++)
			apply(AXT_OP_MASK, t.comp, work, x, m, (double[]){ p->miss[k], 0 });
		if (p->scaled)
			apply(AXT_OP_UNPACK, t.comp, work, x, m, (double[]){ p->scale, p->offset });
		narrow((char *)out + i * axt_size(to), x, m, &bad);
	}
}

void
axt_unpack_values(void *out, enum axt_dtype to, const void *in, enum axt_dtype from, int64_t n,
    const struct axt_packing *p)
{
	unpack(out, to, in, from, axt_unpacking_dtype(from, to), n, p);
}

/* The value k of valid_range; or of valid_min (k is 0) or valid_max. false: there is none. */
static bool
limit(const struct axt_attr *l, int k, double *out, bool *real)
{
	const struct axt_attr *a = axt_attr_find(l, "valid_range");
	int i = k;

	if (!is_real(a) || a->n != 2) {
		a = axt_attr_find(l, k == 0 ? "valid_min" : "valid_max");
		i = 0;
		if (!is_real(a) || a->n != 1)
			return false;
	}
	*real = axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT;
	*out = axt_load_f64(a->dtype, (const uint8_t *)a->data + i * axt_size(a->dtype));
	return *out == *out;
}

bool
axt_valid_read(const struct axt_attr *l, enum axt_dtype stored, const struct axt_packing *p,
    double valid[2])
{
	bool integers = axt_dtypes[stored].cls < AXT_CLASS_FLOAT, any = false, real;
	enum axt_dtype work = axt_unpacking_dtype(stored, axt_unpacked_dtype(stored, p));
	const struct axt_packing scale = { .scaled = p->scaled,
		.scale = p->scale,
		.offset = p->offset };
	double v, y[1];

	valid[0] = -INFINITY;
	valid[1] = INFINITY;
	if (integers && !p->scaled && !p->missing)
		return false;
	for (int k = 0; k < 2; k++) {
		if (!limit(l, k, &v, &real))
			continue;
		any = true;
		if (integers && !real)
			v = as_stored(v, stored);
		if (p->scaled && !(integers && real)) {
			unpack(y, work, &v, AXT_F64, work, 1, &scale);
			v = axt_load_f64(work, y);
			valid[p->scale < 0 ? 1 - k : k] = v;
		} else {
			valid[k] = v;
		}
	}
	return any && valid[0] <= valid[1];
}
