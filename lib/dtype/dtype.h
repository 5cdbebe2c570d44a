/* dtype.h - the element types: sizes, names, classes, promotion, and single values of them. */
#ifndef AXT_DTYPE_DTYPE_H
#define AXT_DTYPE_DTYPE_H

#include "base/base.h"

enum axt_class {
	AXT_CLASS_BOOL,
	AXT_CLASS_INT,
	AXT_CLASS_UINT,
	AXT_CLASS_FLOAT,
	AXT_CLASS_COMPLEX
};

/* One row per dtype, from lib/dtypes.def. */
struct axt_dtype_info {
	const char *name;  /* "f32" */
	const char *numpy; /* "float32", which axt_dtype_parse accepts as well */
	int size;          /* bytes */
	enum axt_class cls;
	/* the dtype that results are computed in: f32 for f16 and bf16, else the dtype itself */
	enum axt_dtype comp;
};
extern const struct axt_dtype_info axt_dtypes[AXT_NDTYPES];

static inline int
axt_size(enum axt_dtype d)
{
	return axt_dtypes[d].size;
}

/*
 * The dtype of a result with operands of two dtypes: NumPy's result_type. bf16, which NumPy lacks,
 * promotes as f16 does; f16 with bf16 gives f32.
 */
enum axt_dtype axt_promote(enum axt_dtype a, enum axt_dtype b);
/* Reads "f32", "float32", "float", "double", "int"...; AXT_DTYPE_AUTO when the name is unknown. */
enum axt_dtype axt_dtype_parse(const char *s);

/* Fails if the numbers of iota from `first` to `last` would wrap around in an integer dtype. */
int axt_counts_fit(double first, double last, enum axt_dtype d, struct axt_err *e);
/*
 * The dtype that a number, typed without one, takes beside a tensor of dtype t, by the rules of
 * NumPy 2: the dtype of the tensor; but a fraction is f64 beside integers or bool, and an integer
 * is i64 beside bool. AXT_E_RANGE if an integer does not fit the integer dtype.
 */
int axt_weak(const struct axt_num *n, enum axt_dtype t, enum axt_dtype *out, struct axt_err *e);
/* The dtype of a number by itself: i64; u64 if it is over INT64_MAX; f64 if it is no integer. */
enum axt_dtype axt_num_dtype(const struct axt_num *n);
/* Writes the number as one element of dtype d at p; false when an integer does not fit. */
bool axt_num_store(const struct axt_num *n, enum axt_dtype d, void *p);

/* The element at p (native byte order, any alignment) as a double (complex: its real part). */
double axt_load_f64(enum axt_dtype d, const void *p);

/* Conversions of the bits of f16 and bf16, rounded to nearest, ties to even. */
float axt_f16_to_f32(uint16_t h);
uint16_t axt_f32_to_f16(float f);
float axt_bf16_to_f32(uint16_t h);
uint16_t axt_f32_to_bf16(float f);

/*
 * The layout of numbers in a file that are of none of the dtypes. Bits are counted from the lowest
 * on.
 */
#define AXT_NUMBER_BYTES 32
struct axt_number {
	enum axt_dtype dtype; /* what it becomes, which is found from the rest */
	int size;             /* bytes of one, or of each part of a complex number */
	enum { AXT_NUMBER_LE, AXT_NUMBER_BE, AXT_NUMBER_VAX } order;
	bool is_float, is_complex;
	/* integers: where they begin, how many bits they have, whether the highest is a sign */
	int offset, precision;
	bool sign;
	/* floats: their sign (below 0: they have none), exponent, mantissa */
	int spos, epos, esize, mpos, msize, bias;
	bool implied; /* a leading one of the mantissa is not stored */
	bool finite;  /* no infinity: the highest exponent is one as others, all bits are NaN */
	bool no_zero; /* nor zero: the lowest exponent is one as others */
};
/* Brings n numbers to t->dtype, native byte order. */
void axt_number_load(const struct axt_number *t, const void *p, size_t n, void *out);

/*
 * v rounded to f32. The volatile variable is there because gcc 12 at -O2 drops the conversions of
 * (double)(float)x when it vectorises those of two neighbours.
 */
static inline double
axt_rounded_f32(double v)
{
	volatile float f = (float)v;

	return f;
}

/*
 * Writes one element as text, the same in every locale: numbers in the fewest digits that read back
 * the same, inf, -inf, nan; true, false; complex numbers as 1+2j. out has at least AXT_TEXT bytes.
 * Returns the length.
 */
#define AXT_TEXT 80
int axt_value_text(char *out, enum axt_dtype d, const void *p);
/* The same as in CDL, netCDF's text form: a suffix tells the dtype (1s, 1.f), and nan is NaN. */
extern const char *const axt_cdl_suffix[AXT_NDTYPES];
int axt_value_cdl(char *out, enum axt_dtype d, const void *p);
/* The range of an integer dtype: "-128..127". */
void axt_dtype_range_text(char out[AXT_TEXT], enum axt_dtype d);

#endif
