/* k_folds.c - products; and folds that are exact in any order: counts, any, all, integer sums. */
#include "kern/red.h"

#if RED_FLOAT

/* ---- products ---- */

INLINE double
prod_of(const T *x, int64_t n, const bool skip, double *count)
{
	double t[LANES], c = 0;

	for (int j = 0; j < LANES; j++)
		t[j] = 1;
	for (int64_t i = 0; i < n; i++) {
		double v = (double)x[i];

		if (skip && v != v)
			continue;
		t[i % LANES] *= v;
		c += 1;
	}
	for (int h = LANES / 2; h; h /= 2)
		for (int j = 0; j < h; j++)
			t[j] *= t[j + h];
	*count = c;
	return t[0];
}

/* The products of m <= SIDE blocks of n elements, and how many elements when NaN are left out. */
INLINE void
side_prods(double *p, double *c, const T *x, int64_t n, int64_t m, int64_t ld, const bool skip)
{
	struct side t;

	if (skip)
		memset(c, 0, (size_t)m * sizeof(double));
	for (int64_t i = 0; i < n; i++) {
		double *l = t.v[i % LANES];

		IVDEP for (int64_t j = 0; j < m; j++)
		{
			double v = (double)x[i * ld + j];
			int64_t ok = v == v;

			l[j] = (i < LANES ? 1 : l[j]) * (skip ? pick(ok, v, 1) : v);
			if (skip)
				c[j] += pick(ok, 1, 0);
		}
	}
	for (int h = LANES / 2; h; h /= 2)
		for (int64_t i = 0; i < h && i + h < n; i++)
			IVDEP for (int64_t j = 0; j < m; j++) t.v[i][j] *= t.v[i + h][j];
	memcpy(p, t.v[0], (size_t)m * sizeof(double));
}

#define PROD(name, skip)                                                                           \
	static void init_##name(struct axt_acc *a, int64_t k, int64_t n)                           \
	{                                                                                          \
		for (int64_t i = k; i < k + n; i++) {                                              \
			P(a, 0)[i] = 1;                                                            \
			if (skip)                                                                  \
				P(a, 1)[i] = 0;                                                    \
		}                                                                                  \
	}                                                                                          \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,     \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		double c;                                                                          \
                                                                                                   \
		(void)w, (void)index;                                                              \
		P(a, 0)[k] = prod_of(x, n, skip, &c);                                              \
		if (skip)                                                                          \
			P(a, 1)[k] = c;                                                            \
	}                                                                                          \
	static void blocks_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,   \
	    int64_t n, int64_t m, int64_t ld)                                                      \
	{                                                                                          \
		(void)w;                                                                           \
		for (int64_t j = 0; j < m; j += SIDE)                                              \
			side_prods(P(a, 0) + k + j, (skip) ? P(a, 1) + k + j : NULL,               \
			    (const T *)in + j, n, MIN(SIDE, m - j), ld, skip);                     \
	}                                                                                          \
	static void merge_##name(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, \
	    int64_t n)                                                                             \
	{                                                                                          \
		IVDEP for (int64_t i = 0; i < n; i++)                                              \
		{                                                                                  \
			P(a, 0)[k + i] *= P(b, 0)[j + i];                                          \
			if (skip)                                                                  \
				P(a, 1)[k + i] += P(b, 1)[j + i];                                  \
		}                                                                                  \
	}                                                                                          \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,     \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		double *p = P(a, 0) + k, *c = (skip) ? P(a, 1) + k : p;                            \
                                                                                                   \
		(void)w, (void)index, (void)step;                                                  \
		for (int64_t r = 0; r < rows; r++) {                                               \
			const T *x = (const T *)in + r * ld;                                       \
                                                                                                   \
			IVDEP for (int64_t i = 0; i < n; i++)                                      \
			{                                                                          \
				double v = (double)x[i];                                           \
				int64_t ok = v == v;                                               \
                                                                                                   \
				p[i] *= (skip) ? pick(ok, v, 1) : v;                               \
				if (skip)                                                          \
					c[i] += pick(ok, 1, 0);                                    \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void finish_##name(FINISH_ARGS)                                                     \
	{                                                                                          \
		(void)count, (void)ddof;                                                           \
		for (int64_t i = k; i < k + n; i++)                                                \
			((double *)out)[i - k] = (skip) && P(a, 1)[i] == 0 ? NAN : P(a, 0)[i];     \
	}
PROD(prod, false)
PROD(prod_skip, true)

/* True unless the element is NaN. */
#define HERE(v) ((v) == (v))

#else
#define HERE(v) ((void)(v), 1)
#endif

#if RED_FLOAT || RED_INT

/* ---- exact folds: a state is one 64-bit integer, so any order gives the same bits ---- */

typedef uint64_t U;

#define FOLD_PARTS(name, identity, element, join)                                                 \
	static void each_##name(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group, \
	    const int32_t *which, const void *in, const double *w, int64_t n)                     \
	{                                                                                         \
		const T *x = in;                                                                  \
		U *p = (U *)a->p[0] + k;                                                          \
                                                                                                  \
		(void)w;                                                                          \
		for (int64_t i = 0; i < n; i++) {                                                 \
			T v = x[which[i]];                                                        \
			U *to = p + group[which[i]] * step, r = *to;                              \
			*to = element;                                                            \
		}                                                                                 \
	}                                                                                         \
	INLINE U first_##name(T v)                                                                \
	{                                                                                         \
		U r = identity;                                                                   \
                                                                                                  \
		(void)v;                                                                          \
		return element;                                                                   \
	}                                                                                         \
	SLIDING(name, U, first_##name(v), join, U, false)

/* element: r combined with an element v. join: r combined with another state q. */
#define FOLD(name, identity, element, join, R, result)                                             \
	static void init_##name(struct axt_acc *a, int64_t k, int64_t n)                           \
	{                                                                                          \
		for (int64_t i = k; i < k + n; i++)                                                \
			((U *)a->p[0])[i] = identity;                                              \
	}                                                                                          \
	static void block_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,    \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		const T *x = in;                                                                   \
		U r = identity;                                                                    \
                                                                                                   \
		(void)w, (void)index;                                                              \
		for (int64_t i = 0; i < n; i++) {                                                  \
			T v = x[i];                                                                \
			r = element;                                                               \
		}                                                                                  \
		((U *)a->p[0])[k] = r;                                                             \
	}                                                                                          \
	static void merge_##name(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, \
	    int64_t n)                                                                             \
	{                                                                                          \
		IVDEP for (int64_t i = 0; i < n; i++)                                              \
		{                                                                                  \
			U r = ((U *)a->p[0])[k + i], q = ((U *)b->p[0])[j + i];                    \
                                                                                                   \
			((U *)a->p[0])[k + i] = join;                                              \
		}                                                                                  \
	}                                                                                          \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,     \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		U *p = (U *)a->p[0] + k;                                                           \
                                                                                                   \
		(void)w, (void)index, (void)step;                                                  \
		for (int64_t s = 0; s < rows; s++) {                                               \
			const T *x = (const T *)in + s * ld;                                       \
                                                                                                   \
			IVDEP for (int64_t i = 0; i < n; i++)                                      \
			{                                                                          \
				T v = x[i];                                                        \
				U r = p[i];                                                        \
				p[i] = element;                                                    \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void finish_##name(FINISH_ARGS)                                                     \
	{                                                                                          \
		(void)count, (void)ddof;                                                           \
		for (int64_t i = k; i < k + n; i++)                                                \
			((R *)out)[i - k] = (R)((U *)a->p[0])[i];                                  \
	}                                                                                          \
	FOLD_PARTS(name, identity, element, join)                                                  \
	static const struct axt_red_fns red_##name = { 1, CAT(AXT_, AXT_T), result, init_##name,   \
		block_##name, NULL, merge_##name, rows_##name, finish_##name, each_##name,         \
		windows_##name };
FOLD(count, 0, r + (U)HERE(v), r + q, int64_t, AXT_I64)
FOLD(any, 0, r | (U)(v != 0), r | q, uint8_t, AXT_BOOL)
/* clang-format off */
FOLD(all, 1, r & (U)(v != 0), r & q, uint8_t, AXT_BOOL)
#if RED_FLOAT
FOLD(any_skip, 0, r | (U)((v != 0) & (v == v)), r | q, uint8_t, AXT_BOOL)
#else
#define SELF CAT(AXT_, AXT_T)
FOLD(isum, 0, r + (U)v, r + q, T, SELF)
FOLD(iprod, 1, r * (U)v, r * q, T, SELF)
FOLD(isumsq, 0, r + (U)v * (U)v, r + q, T, SELF)
FOLD(inorm1, 0, r + (U)ABS(v), r + q, T, SELF)
#endif
/* clang-format on */

const struct axt_red_fns *
KERN_NAME(folds)(enum axt_red op, bool skip, bool weighted)
{
	(void)weighted;
#if RED_FLOAT
	static const struct axt_red_fns prod[] = {
		{ 1, CAT(AXT_, AXT_T), AXT_F64, init_prod, block_prod, blocks_prod, merge_prod,
		    rows_prod, finish_prod, NULL, NULL },
		{ 2, CAT(AXT_, AXT_T), AXT_F64, init_prod_skip, block_prod_skip, blocks_prod_skip,
		    merge_prod_skip, rows_prod_skip, finish_prod_skip, NULL, NULL },
	};

	switch (op) {
	case AXT_RED_PROD: return &prod[skip];
	case AXT_RED_ANY: return skip ? &red_any_skip : &red_any;
	case AXT_RED_ALL: return &red_all;
	case AXT_RED_COUNT: return &red_count;
	default: return NULL;
	}
#else
	(void)skip;
	switch (op) {
	case AXT_RED_SUM: return &red_isum;
	case AXT_RED_PROD: return &red_iprod;
	case AXT_RED_SUMSQ: return &red_isumsq;
	case AXT_RED_NORM1: return &red_inorm1;
	case AXT_RED_ANY: return &red_any;
	case AXT_RED_ALL: return &red_all;
	case AXT_RED_COUNT: return &red_count;
	default: return NULL;
	}
#endif
}

#elif IS_COMPLEX
/* ---- products: the parts of one are states k and k + 1, where k is even ---- */

INLINE void
times(double *p, double re, double im)
{
	double r = p[0], i = p[1];

	p[0] = ROUNDED(r * re) - ROUNDED(i * im);
	p[1] = ROUNDED(r * im) + ROUNDED(i * re);
}

static void
init_prod(struct axt_acc *a, int64_t k, int64_t n)
{
	for (int64_t i = k; i < k + n; i++)
		P(a, 0)[i] = i % 2 == 0;
}

static void
merge_prod(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, int64_t n)
{
	for (int64_t i = 0; i < n; i += 2)
		times(P(a, 0) + k + i, P(b, 0)[j + i], P(b, 0)[j + i + 1]);
}

/* Columns are parts: there are n / 2 numbers, and rows are ld / 2 of them apart. */
static void
rows_prod(struct axt_acc *a, int64_t k, const void *in, const double *w, int64_t rows, int64_t n,
    int64_t ld, int64_t index, int64_t step)
{
	(void)w, (void)index, (void)step;
	for (int64_t r = 0; r < rows; r++) {
		const T *x = (const T *)in + r * (ld / 2);

		for (int64_t i = 0; i < n / 2; i++)
			times(P(a, 0) + k + 2 * i, (double)x[i].re, (double)x[i].im);
	}
}

static void
finish_prod(FINISH_ARGS)
{
	(void)count, (void)ddof;
	memcpy(out, P(a, 0) + k, (size_t)n * sizeof(double));
}

const struct axt_red_fns *
KERN_NAME(folds)(enum axt_red op, bool skip, bool weighted)
{
	static const struct axt_red_fns prod = { 1, IS_64 ? AXT_F64 : AXT_F32, AXT_F64, init_prod,
		NULL, NULL, merge_prod, rows_prod, finish_prod, NULL, NULL };

	(void)skip, (void)weighted;
	return op == AXT_RED_PROD ? &prod : NULL;
}

#else
const struct axt_red_fns *
KERN_NAME(folds)(enum axt_red op, bool skip, bool weighted)
{
	(void)op, (void)skip, (void)weighted;
	return NULL;
}
#endif
