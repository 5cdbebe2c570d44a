/* k_packed.c - packed integers of up to 16 bits: unpacked to floats, or unpacked and summed. */
#include "kern/red.h"

axt_unpack_fn *KERN_NAME(unpack)(enum axt_dtype to);
const struct axt_fused_fns *KERN_NAME(
    fused_unpack)(enum axt_dtype to, bool skip, const double p[4], int64_t count);

#define SMALL_I8 1
#define SMALL_U8 1
#define SMALL_I16 1
#define SMALL_U16 1
#if CAT(SMALL_, AXT_T)

#define COLS (VEC_BYTES / 4)
#define ROWS 8 /* added in one pass, which loads and stores a sum once */
typedef int32_t vc __attribute__((vector_size(VEC_BYTES))); /* integers as stored */
typedef float vf __attribute__((vector_size(VEC_BYTES)));

struct packing {
	double scale, offset;
	int32_t a, b; /* missing values */
};

/* The integer that equals a; where none does, an integer that no stored value has. */
static int32_t
code(double a)
{
	return fabs(a) < 0x1p17 && a == rint(a) ? (int32_t)a : INT32_MIN;
}

/* Unpacking in f32 rounds scale, offset and missing values to f32. */
static struct packing
packing(enum axt_dtype to, const double p[4])
{
	double q[4];

	for (int i = 0; i < 4; i++)
		q[i] = to == AXT_F32 ? axt_rounded_f32(p[i]) : p[i];
	return (struct packing){ q[0], q[1], code(q[2]), code(q[3]) };
}

INLINE vc
codes(const T *x)
{
	return (vc)CAT4(LOAD_, AXT_T, _, I32)(x);
}

INLINE vc
missing(vc c, const struct packing *p)
{
	return (c == p->a) | (c == p->b);
}

/* What CONV, MASK and UNPACK would give one after another; `absent` where a value is missing. */
INLINE vf
value_F32(vc c, const struct packing *p, const float absent)
{
	vf u = __builtin_convertvector(c, vf) * (float)p->scale + (float)p->offset;
	vf none = (vf){ 0 } + absent;
	vc m = missing(c, p);

	return (vf)(((vc)u & ~m) | ((vc)none & m));
}

/* Half h of the values of v. */
INLINE vd
value_F64(vc c, const struct packing *p, const double absent, int h)
{
	vd u = (vd)HALF_I32_F64(c, h) * p->scale + p->offset;
	vi m = (vi)HALF_I32_I64(missing(c, p), h);

	return vd_pick(m, (vd){ 0 } + absent, u);
}

/* Loads n <= COLS elements and fills up with zeros. */
INLINE void
fill(T *t, const T *x, int64_t n)
{
	memset(t, 0, COLS * sizeof(T));
	memcpy(t, x, (size_t)n * sizeof(T));
}

/* ---- to floats ---- */

INLINE void
unpack(void *out, const T *x, const struct packing *p, int64_t n, const bool wide)
{
	const size_t size = wide ? sizeof(double) : sizeof(float);

	for (int64_t i = 0; i < n; i += COLS) {
		char *y = (char *)out + (size_t)i * size;
		int64_t m = MIN(n - i, COLS);
		union {
			vf f;
			vd d[2];
		} u;
		T t[COLS];
		vc c;

		if (m < COLS) {
			fill(t, x + i, m);
			c = codes(t);
		} else {
			c = codes(x + i);
		}
		if (wide)
			for (int h = 0; h < 2; h++)
				u.d[h] = value_F64(c, p, NAN, h);
		else
			u.f = value_F32(c, p, NAN);
		if (m < COLS)
			memcpy(y, &u, (size_t)m * size);
		else
			memcpy(y, &u, COLS * size);
	}
}

static void
unpack_F32(void *out, const void *in, const double p[4], int64_t n)
{
	struct packing q = packing(AXT_F32, p);

	unpack(out, in, &q, n, false);
}

static void
unpack_F64(void *out, const void *in, const double p[4], int64_t n)
{
	struct packing q = packing(AXT_F64, p);

	unpack(out, in, &q, n, true);
}

axt_unpack_fn *
KERN_NAME(unpack)(enum axt_dtype to)
{
	return to == AXT_F32 ? unpack_F32 : to == AXT_F64 ? unpack_F64 : NULL;
}

/* ---- into sums ---- */

/* Adds COLS columns of some rows to their sums; `here` counts the values that are not missing. */
INLINE void
add_block(double *s, double *here, const T *x, const struct packing *p, int64_t rows, int64_t ld,
    const bool wide)
{
	const double absent = here ? 0 : NAN;
	vd sum[2];
	vc gone = { 0 };

	for (int h = 0; h < 2; h++)
		memcpy(&sum[h], s + h * WIDTH, sizeof(vd));
	for (int64_t r = 0; r < rows; r++) {
		vc c = codes(x + r * ld);
		vf f = value_F32(c, p, (float)absent);

		for (int h = 0; h < 2; h++)
			sum[h] += wide ? value_F64(c, p, absent, h) : (vd)HALF_F32_F64(f, h);
		gone += missing(c, p);
	}
	for (int h = 0; h < 2; h++) {
		vd n;

		memcpy(s + h * WIDTH, &sum[h], sizeof(vd));
		if (!here)
			continue;
		memcpy(&n, here + h * WIDTH, sizeof(vd));
		n += (double)rows + (vd)HALF_I32_F64(gone, h);
		memcpy(here + h * WIDTH, &n, sizeof(vd));
	}
}

/* The last columns, when fewer than COLS are left. */
INLINE void
add_rest(double *s, double *here, const T *x, const struct packing *p, int64_t rows, int64_t n,
    int64_t ld, const bool wide)
{
	double ts[COLS] = { 0 }, th[COLS] = { 0 };
	T t[ROWS * COLS];

	for (int64_t r = 0; r < rows; r++)
		fill(t + r * COLS, x + r * ld, n);
	memcpy(ts, s, (size_t)n * sizeof(double));
	if (here)
		memcpy(th, here, (size_t)n * sizeof(double));
	add_block(ts, here ? th : NULL, t, p, rows, COLS, wide);
	memcpy(s, ts, (size_t)n * sizeof(double));
	if (here)
		memcpy(here, th, (size_t)n * sizeof(double));
}

INLINE void
add(struct axt_acc *a, int64_t k, const T *x, const struct packing *p, int64_t rows, int64_t n,
    int64_t ld, const bool wide, const bool skip)
{
	for (int64_t r = 0; r < rows; r += ROWS) {
		double *s = P(a, 0) + k, *here = skip ? P(a, 2) + k : NULL;
		int64_t m = MIN(rows - r, ROWS), i = 0;

		for (; i + COLS <= n; i += COLS)
			add_block(s + i, skip ? here + i : NULL, x + r * ld + i, p, m, ld, wide);
		if (i < n)
			add_rest(s + i, skip ? here + i : NULL, x + r * ld + i, p, m, n - i, ld,
			    wide);
	}
}

#define ADD_ROWS(name, to, wide, skip)                                         \
	static void name(struct axt_acc *a, int64_t k, const void *const x[2], \
	    const int64_t ld[2], const double p[4], int64_t rows, int64_t n)   \
	{                                                                      \
		struct packing q = packing(to, p);                             \
                                                                               \
		add(a, k, x[0], &q, rows, n, ld[0], wide, skip);               \
	}
ADD_ROWS(rows_F32, AXT_F32, false, false)
ADD_ROWS(rows_skip_F32, AXT_F32, false, true)
ADD_ROWS(rows_F64, AXT_F64, true, false)
ADD_ROWS(rows_skip_F64, AXT_F64, true, true)

/* What the lowest set bit of x is worth: x is a multiple of it. 0 is a multiple of anything. */
static double
last_bit(double x)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(x, &e), 53);

	return m ? ldexp((double)(m & -m), e - 53) : (double)INFINITY;
}

/*
 * Whether f64 holds the sum of any `count` unpacked values exactly, in any order. The value grows
 * or falls with the integer, so the values of the least and the greatest integer bound all others.
 * All values are multiples of a power of two, `unit`: the last bit of scale or offset or, if all
 * values have one sign, the last place of the smaller bound, to which values are rounded. So sums
 * below 2^53 units are exact.
 */
static bool
exact(enum axt_dtype to, const double p[4], int64_t count)
{
	const double bare[4] = { p[0], p[1], NAN, NAN };
	struct packing q = packing(to, p);
	T end[2] = { 0, (T)-1 };
	double v[2], lo, hi, unit;

	if ((T)-1 < 0) {
		end[1] = (T)(((uint64_t)1 << (8 * sizeof(T) - 1)) - 1);
		end[0] = (T)(-end[1] - 1);
	}
	if (to == AXT_F32) {
		float f[2];

		unpack_F32(f, end, bare, 2);
		v[0] = f[0];
		v[1] = f[1];
	} else {
		unpack_F64(v, end, bare, 2);
	}
	lo = fmin(fabs(v[0]), fabs(v[1]));
	hi = fmax(fabs(v[0]), fabs(v[1]));
	if (!(fabs(v[0]) + fabs(v[1]) < (double)INFINITY))
		return false;
	unit = fmin(last_bit(q.scale), last_bit(q.offset));
	if (lo > 0 && (v[0] < 0) == (v[1] < 0))
		unit = fmax(unit, ldexp(1, ilogb(lo) - (to == AXT_F32 ? 23 : 52)));
	return hi * (double)count < unit * 0x1p53;
}

const struct axt_fused_fns *
KERN_NAME(fused_unpack)(enum axt_dtype to, bool skip, const double p[4], int64_t count)
{
	static const struct axt_fused_fns f32[] = { { rows_F32, NULL, NULL },
		{ rows_skip_F32, NULL, NULL } },
					  f64[] = { { rows_F64, NULL, NULL },
						  { rows_skip_F64, NULL, NULL } };

	return exact(to, p, count) ? (to == AXT_F32 ? f32 : f64) + skip : NULL;
}
#else

axt_unpack_fn *
KERN_NAME(unpack)(enum axt_dtype to)
{
	(void)to;
	return NULL;
}

const struct axt_fused_fns *
KERN_NAME(fused_unpack)(enum axt_dtype to, bool skip, const double p[4], int64_t count)
{
	(void)to, (void)skip, (void)p, (void)count;
	return NULL;
}
#endif
