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

/*
 * Reads the number of scale_factor or add_offset, and its dtype. Returns false if there is none.
 * Where the attribute is not one number, *wrong says so.
 */
static bool
number(struct axt_arena *m, const struct axt_attr *l, const char *name, double *out,
    enum axt_dtype *d, const char **wrong)
{
	const struct axt_attr *a = axt_attr_find(l, name);

	if (!a || (a->kind == AXT_ATTR_NUM && !is_real(a)))
		return false;
	if (a->kind == AXT_ATTR_TEXT)
		*wrong = axt_sprintf(m, "its %s is the text \"%s\", and not a number", name,
		    axt_escape(m, a->text));
	else if (a->n != 1 || a->kind != AXT_ATTR_NUM)
		*wrong = axt_sprintf(m, "its %s is %lld %s, and not one number", name,
		    (long long)a->n, a->kind == AXT_ATTR_NUM ? "numbers" : "texts");
	if (a->kind != AXT_ATTR_NUM || a->n != 1)
		return false;
	*out = axt_load_f64(a->dtype, a->data);
	*d = a->dtype;
	return true;
}

/* The integer dtype of as many bytes that has the other sign. */
static enum axt_dtype
other_sign(enum axt_dtype d)
{
	return d >= AXT_U8 && d <= AXT_U64 ? d - AXT_U8 + AXT_I8 : d - AXT_I8 + AXT_U8;
}

/* The number i of an attribute. */
static struct axt_num
number_at(const struct axt_attr *a, int64_t i)
{
	const uint8_t *p = (const uint8_t *)a->data + i * axt_size(a->dtype);
	struct axt_num n = { .f = axt_load_f64(a->dtype, p) };

	if (axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT) {
		n.is_int = n.f == rint(n.f) && n.f >= -0x1p63 && n.f < 0x1p64;
		n.is_unsigned = n.is_int && n.f >= 0x1p63;
		n.i = n.is_int && !n.is_unsigned ? (int64_t)n.f : 0;
		n.u = n.is_unsigned ? (uint64_t)n.f : (uint64_t)n.i;
		return n;
	}
	n.is_int = true;
	if (a->dtype == AXT_I64 || a->dtype == AXT_U64) {
		memcpy(&n.u, p, sizeof(n.u));
		n.is_unsigned = a->dtype == AXT_U64 && n.u > INT64_MAX;
		n.i = (int64_t)n.u;
	} else {
		n.i = (int64_t)n.f;
		n.u = (uint64_t)n.i;
	}
	return n;
}

/*
 * Stores number i of an attribute as an element of dtype d. If `bits`, as with _Unsigned, a number
 * that does not fit d is stored by its bits in the dtype of the other sign. Returns false if d has
 * no such element.
 */
static bool
as_stored(const struct axt_attr *a, int64_t i, enum axt_dtype d, bool bits, uint64_t *out)
{
	struct axt_num n = number_at(a, i);

	*out = 0;
	if (axt_dtypes[d].cls == AXT_CLASS_FLOAT)
		return axt_num_store(&n, d, out) && (isfinite(axt_load_f64(d, out)) || isinf(n.f));
	bits = bits ||
	    (axt_dtypes[a->dtype].cls < AXT_CLASS_FLOAT && axt_size(a->dtype) == axt_size(d));
	return n.is_int &&
	    (axt_num_store(&n, d, out) || (bits && axt_num_store(&n, other_sign(d), out)));
}

/* The missing values of a dataset while they are read. */
struct missing {
	struct axt_packing *p;
	double *v;
	uint64_t *bits;
	bool wide; /* a number that f64 does not tell from its neighbours */
};

/* Adds an element of dtype d, unless it is there already or NaN. */
static void
add_missing(struct missing *x, enum axt_dtype d, uint64_t element)
{
	double v = axt_load_f64(d, &element);

	for (int j = 0; j < x->p->nmiss; j++)
		if (x->v[j] == v && x->bits[j] == element)
			return;
	if (v != v)
		return;
	x->wide = x->wide || ((d == AXT_I64 || d == AXT_U64) && fabs(v) >= 0x1p53);
	x->v[x->p->nmiss] = v;
	x->bits[x->p->nmiss++] = element;
}

/* Whether values of the units are nanoseconds, which NumPy has for differences of times. */
static bool
counts_nanoseconds(const char *units)
{
	char since[64];
	struct axt_cftime t;

	if (!units || strlen(units) > 20)
		return false;
	snprintf(since, sizeof(since), "%s since 2000-01-01", units);
	return axt_cftime_parse(since, NULL, &t) && t.unit == 1e-9;
}

/*
 * Whether the least i64 is NumPy's NaT in these values, and so missing: they are times, or
 * differences of times that an attribute dtype=timedelta64 or units of nanoseconds show. Other
 * units alone do not: a count of days was made by no time of NumPy.
 */
static bool
has_nat(const struct axt_attr *l, enum axt_dtype stored)
{
	const char *of = axt_attr_text(l, "dtype");

	if (stored != AXT_I64 || axt_attr_find(l, "_Unsigned"))
		return false;
	if (of && strncmp(of, "timedelta64", 11) == 0)
		return true;
	return counts_nanoseconds(axt_attr_text(l, "units")) || axt_attrs_time(l, NULL);
}

void
axt_packing_read(struct axt_arena *m, const struct axt_attr *l, enum axt_dtype stored,
    struct axt_packing *p)
{
	static const char *const names[] = { "_FillValue", "missing_value" };
	enum axt_dtype d1 = AXT_DTYPE_AUTO, d2 = AXT_DTYPE_AUTO;
	bool bits = axt_attr_find(l, "_Unsigned"), nat = has_nat(l, stored);
	const struct axt_attr *a[ARRAY_LEN(names)];
	struct missing x = { .p = p };
	int64_t n = nat;

	*p = (struct axt_packing){ .scale = 1, .missing = nat };
	if (number(m, l, "scale_factor", &p->scale, &d1, &p->wrong))
		p->scaled = true;
	if (number(m, l, "add_offset", &p->offset, &d2, &p->wrong))
		p->scaled = true;
	p->attr_dtype = !d1 ? d2 : !d2 ? d1 : axt_promote(d1, d2);
	for (int k = 0; k < ARRAY_LEN(names); k++) {
		a[k] = axt_attr_find(l, names[k]);
		if (!is_real(a[k]))
			a[k] = NULL;
		p->missing = p->missing || a[k];
		n += a[k] ? a[k]->n : 0;
	}
	if (n > 0) {
		p->miss = x.v = axt_alloc(m, (size_t)n * sizeof(*x.v));
		x.bits = axt_alloc(m, (size_t)n * sizeof(*x.bits));
	}
	for (int k = 0; k < ARRAY_LEN(names) && x.v && x.bits; k++)
		for (int64_t i = 0; a[k] && i < a[k]->n; i++) {
			uint64_t element;

			if (as_stored(a[k], i, stored, bits, &element))
				add_missing(&x, stored, element);
		}
	if (nat && x.v && x.bits)
		add_missing(&x, stored, (uint64_t)1 << 63);
	p->bits = x.wide ? x.bits : NULL;
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
 * Applies op to the n values x, of dtype comp, and to one or two numbers, in place. The numbers are
 * first rounded to dtype `work`.
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

/* Makes those of n floats NaN whose integers, of eight bytes each, are missing values. */
static void
mask_bits(double *x, const void *in, int64_t n, const struct axt_packing *p)
{
	for (int64_t i = 0; i < n; i++) {
		uint64_t v;

		memcpy(&v, (const char *)in + i * 8, 8);
		for (int k = 0; k < p->nmiss; k++)
			if (v == p->bits[k])
				x[i] = NAN;
	}
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
		for (int k = 0; k < p->nmiss && !p->bits; k++)
			apply(AXT_OP_MASK, t.comp, work, x, m, (double[]){ p->miss[k], 0 });
		if (p->bits)
			mask_bits(x, (const char *)in + i * axt_size(from), m, p);
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

/*
 * Gives value k of valid_range; without it, valid_min (k is 0) or valid_max (k is 1). Integers are
 * taken as values of dtype d. *real: the attribute is of a float dtype. Returns false if there is
 * no such value.
 */
static bool
limit(const struct axt_attr *l, int k, enum axt_dtype d, double *out, bool *real)
{
	bool bits = axt_attr_find(l, "_Unsigned");
	uint64_t element;
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
	if (!*real && axt_dtypes[d].cls < AXT_CLASS_FLOAT && as_stored(a, i, d, bits, &element))
		*out = axt_load_f64(d, &element);
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
		if (!limit(l, k, stored, &v, &real))
			continue;
		any = true;
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
