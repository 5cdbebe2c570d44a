/*
 * k_scans.c - running sums, products, minima and maxima, computed in f64 or 64-bit integers and
 * rounded once per result. Scans exist for f32, f64, i64 and u64 only.
 */
#include "kern/prim.h"

axt_scan_fn *KERN_NAME(scan)(enum axt_red op, bool full);
void KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n);

#define SCAN_F32 1
#define SCAN_F64 1
#define SCAN_I64 1
#define SCAN_U64 1
#if CAT(SCAN_, AXT_T)
#if IS_FLOAT
typedef double V;
typedef double D; /* sums and products are computed in it */
#define LOW (-(V)INFINITY)
#define HIGH ((V)INFINITY)
/* All NaN become the same NaN. */
#define CLEAN(a) ((a) == (a) ? (a) : (V)NAN)
#define LESS(a, v) (!((a) <= (v)) && (a) == (a))
#define MORE(a, v) (!((a) >= (v)) && (a) == (a))
#else
typedef T V;
typedef uint64_t D;
#define CLEAN(a) (a)
#define LOW (IS_SIGNED ? (V)INT64_MIN : 0)
#define HIGH (IS_SIGNED ? (V)INT64_MAX : (V)UINT64_MAX)
#define LESS(a, v) ((v) < (a))
#define MORE(a, v) ((v) > (a))
#endif
#define SUM_OF(a, v) (V)((D)(a) + (D)(v))
#define PROD_OF(a, v) (V)((D)(a) * (D)(v))
#define MIN_OF(a, v) (LESS(a, v) ? (v) : (a))
#define MAX_OF(a, v) (MORE(a, v) ? (v) : (a))
#define ABREAST 8 /* lines scanned together: each sum waits for the last */

/* es is the distance between elements of a line, negative for a scan from the end. */
#define SCAN(name, O, STEP)                                                                 \
	static void name(void *to, const void *from, void *state, int64_t n, int64_t lines, \
	    int64_t es, int64_t ls)                                                         \
	{                                                                                   \
		const T *x = from;                                                          \
		O *out = to;                                                                \
		V *acc = state;                                                             \
		int64_t l = 0;                                                              \
                                                                                            \
		for (int64_t i = 0; ls == 1 && i < n; i++) {                                \
			const T *restrict v = x + i * es;                                   \
			O *restrict o = out + i * es;                                       \
			V *restrict s = acc;                                                \
                                                                                            \
			for (int64_t j = 0; j < lines; j++) {                               \
				s[j] = STEP(s[j], (V)v[j]);                                 \
				o[j] = (O)CLEAN(s[j]);                                      \
			}                                                                   \
		}                                                                           \
		for (; ls != 1 && l + ABREAST <= lines; l += ABREAST) {                     \
			V s[ABREAST];                                                       \
                                                                                            \
			memcpy(s, acc + l, sizeof(s));                                      \
			for (int64_t i = 0; i < n; i++)                                     \
				for (int64_t j = 0; j < ABREAST; j++) {                     \
					s[j] = STEP(s[j], (V)x[(l + j) * ls + i * es]);     \
					out[(l + j) * ls + i * es] = (O)CLEAN(s[j]);        \
				}                                                           \
			memcpy(acc + l, s, sizeof(s));                                      \
		}                                                                           \
		for (; ls != 1 && l < lines; l++) {                                         \
			V s = acc[l];                                                       \
                                                                                            \
			for (int64_t i = 0; i < n; i++) {                                   \
				s = STEP(s, (V)x[l * ls + i * es]);                         \
				out[l * ls + i * es] = (O)CLEAN(s);                         \
			}                                                                   \
			acc[l] = s;                                                         \
		}                                                                           \
	}
#define SCANS(op)                   \
	SCAN(scan_##op, T, op##_OF) \
	SCAN(full_##op, V, op##_OF)
SCANS(SUM)
SCANS(PROD)
SCANS(MIN)
SCANS(MAX)

axt_scan_fn *
KERN_NAME(scan)(enum axt_red op, bool full)
{
	switch (op) {
	case AXT_RED_SUM: return full ? full_SUM : scan_SUM;
	case AXT_RED_PROD: return full ? full_PROD : scan_PROD;
	case AXT_RED_MIN: return full ? full_MIN : scan_MIN;
	case AXT_RED_MAX: return full ? full_MAX : scan_MAX;
	default: return NULL;
	}
}

void
KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n)
{
	V first = op == AXT_RED_SUM ? 0 : op == AXT_RED_PROD ? 1 : op == AXT_RED_MIN ? HIGH : LOW;

	for (int64_t i = 0; i < n; i++)
		((V *)acc)[i] = first;
}

#else
axt_scan_fn *
KERN_NAME(scan)(enum axt_red op, bool full)
{
	(void)op, (void)full;
	return NULL;
}

void
KERN_NAME(scan_begin)(enum axt_red op, void *acc, int64_t n)
{
	(void)op, (void)acc, (void)n;
}
#endif
