/*
 * k_extremes.c - min, max, ptp, argmin, argmax. If an element is NaN and NaN is not skipped, the
 * result is NaN. Of equal elements argmin and argmax find the first.
 */
#include "kern/red.h"

#if RED_FLOAT || RED_INT

#if RED_FLOAT
typedef double V; /* the type that states have */
#define LEAST (-(V)INFINITY)
#define MOST ((V)INFINITY)
#define NONE_LEFT ((V)NAN)
#define AXT_V AXT_F64
/* Which of +0 and -0 is the extreme is not defined, so the result is always +0. */
#define CLEAN(v) ((v) + 0)
#define SAME(a, b) (((a) == (b)) | (((a) != (a)) & ((b) != (b))))
#define PICK_V pick
/* Whether b replaces a. When NaN is skipped, a is NaN until a value comes, and b may be NaN. */
/* clang-format off */
#define BEATS(a, b, cmp, skip) \
	((skip) ? ((b) cmp (a)) | (((a) != (a)) & ((b) == (b))) : !((a) cmp##= (b)) & ((a) == (a)))
/* clang-format on */
#else
typedef T V;
#define SIGN_I64 1
#define SIGN_U64 0
#if CAT(SIGN_, AXT_T)
#define LEAST INT64_MIN
#define MOST INT64_MAX
#else
#define LEAST 0
#define MOST UINT64_MAX
#endif
#define NONE_LEFT 0
#define AXT_V CAT(AXT_, AXT_T)
#define CLEAN(v) (v)
#define SAME(a, b) ((a) == (b))
#define PICK_V(c, a, b) ((V)pick_i64(c, (int64_t)(a), (int64_t)(b)))
/* clang-format off */
#define BEATS(a, b, cmp, skip) ((b)cmp(a))
#endif
#define PV(a, q) ((V *)(a)->p[q])

typedef T vt __attribute__((vector_size(VEC_BYTES)));
#if RED_FLOAT
typedef R_BITS vm __attribute__((vector_size(VEC_BYTES)));
#else
typedef int64_t vm __attribute__((vector_size(VEC_BYTES)));
#endif
#define VT (VEC_BYTES / (int)sizeof(T))
/* So many independent chains of comparisons, which the processor overlaps. */
#define CHAINS 4

INLINE vt
vt_pick(vm m, vt a, vt b)
{
	return (vt)((m & (vm)a) | (~m & (vm)b));
}

/* The extreme of a block. Comparisons are exact, so the order in which elements meet is free. */
#define EXTREME(name, cmp, skip)                                                                 \
	static T name(const T *x, int64_t n)                                                     \
	{                                                                                        \
		T m = x[0];                                                                      \
		int64_t i = 0;                                                                   \
                                                                                                 \
		if (n >= CHAINS * VT) {                                                          \
			vt v[CHAINS], u;                                                         \
			T t[VT];                                                                 \
                                                                                                 \
			for (int c = 0; c < CHAINS; c++)                                         \
				memcpy(v + c, x + c * VT, sizeof(vt));                           \
			for (i = CHAINS * VT; i + CHAINS * VT <= n; i += CHAINS * VT)            \
				for (int c = 0; c < CHAINS; c++) {                               \
					memcpy(&u, x + i + c * VT, sizeof(vt));                  \
					v[c] = vt_pick((vm)VBEATS(v[c], u, cmp, skip), u, v[c]); \
				}                                                                \
			for (int c = 1; c < CHAINS; c++)                                         \
				v[0] = vt_pick((vm)VBEATS(v[0], v[c], cmp, skip), v[c], v[0]);   \
			memcpy(t, v, sizeof(vt));                                                \
			for (int c = 0; c < VT; c++)                                             \
				m = BEATS(m, t[c], cmp, skip) ? t[c] : m;                        \
		}                                                                                \
		for (; i < n; i++)                                                               \
			m = BEATS(m, x[i], cmp, skip) ? x[i] : m;                                \
		return m;                                                                        \
	}
#if RED_FLOAT
#define VBEATS(a, b, cmp, skip) \
	((skip) ? ((b) cmp (a)) | (((a) != (a)) & ((b) == (b))) : ~((a) cmp##= (b)) & ((a) == (a)))
/* clang-format on */
#else
#define VBEATS(a, b, cmp, skip) ((b)cmp(a))
#endif

/* The index of the first element that equals m. */
static int64_t
find(const T *x, int64_t n, T m)
{
	const int64_t w = 64;
	int64_t i = 0;

	for (; i + w <= n; i += w) {
		int hit = 0;

		for (int64_t j = 0; j < w; j++)
			hit |= SAME(x[i + j], m);
		if (hit)
			break;
	}
	for (; i < n; i++)
		if (SAME(x[i], m))
			return i;
	return -1;
}

/* The functions of a minimum (cmp <) or maximum (cmp >); start is the identity. */
#define EXTREMES(name, cmp, skip, start)                                                           \
	EXTREME(of_##name, cmp, skip)                                                              \
	static void init_##name(struct axt_acc *a, int64_t k, int64_t n)                           \
	{                                                                                          \
		for (int64_t i = k; i < k + n; i++)                                                \
			PV(a, 0)[i] = start;                                                       \
	}                                                                                          \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,     \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		(void)w, (void)index;                                                              \
		PV(a, 0)[k] = of_##name(x, n);                                                     \
	}                                                                                          \
	static void merge_##name(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, \
	    int64_t n)                                                                             \
	{                                                                                          \
		V *m = PV(a, 0) + k;                                                               \
		const V *v = PV(b, 0) + j;                                                         \
                                                                                                   \
		IVDEP for (int64_t i = 0; i < n; i++) m[i] = BEATS(m[i], v[i], cmp, skip) ? v[i]   \
											  : m[i];  \
	}                                                                                          \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *in, const double *w,     \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		V *m = PV(a, 0) + k;                                                               \
                                                                                                   \
		(void)w, (void)index, (void)step;                                                  \
		for (int64_t r = 0; r < rows; r++) {                                               \
			const T *x = (const T *)in + r * ld;                                       \
                                                                                                   \
			IVDEP for (int64_t i = 0; i < n; i++)                                      \
			{                                                                          \
				V v = (V)x[i], o = m[i];                                           \
				m[i] = BEATS(o, v, cmp, skip) ? v : o;                             \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void each_##name(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group,  \
	    const int32_t *which, const void *in, const double *w, int64_t n)                      \
	{                                                                                          \
		const T *x = in;                                                                   \
		V *m = PV(a, 0) + k;                                                               \
                                                                                                   \
		(void)w;                                                                           \
		for (int64_t i = 0; i < n; i++) {                                                  \
			V *to = m + group[which[i]] * step, v = (V)x[which[i]], o = *to;           \
			*to = BEATS(o, v, cmp, skip) ? v : o;                                      \
		}                                                                                  \
	}                                                                                          \
	static void finish_##name(FINISH_ARGS)                                                     \
	{                                                                                          \
		(void)count, (void)ddof;                                                           \
		for (int64_t i = k; i < k + n; i++)                                                \
			((V *)out)[i - k] = CLEAN(PV(a, 0)[i]);                                    \
	}                                                                                          \
                                                                                                   \
	static void init_arg##name(struct axt_acc *a, int64_t k, int64_t n)                        \
	{                                                                                          \
		init_##name(a, k, n);                                                              \
		for (int64_t i = k; i < k + n; i++)                                                \
			PI(a, 1)[i] = -1;                                                          \
	}                                                                                          \
	static void block_arg##name(struct axt_acc *a, int64_t k, const void *x, const double *w,  \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		T m = of_##name(x, n);                                                             \
                                                                                                   \
		(void)w;                                                                           \
		PV(a, 0)[k] = m;                                                                   \
		PI(a, 1)[k] = (skip) && m != m ? -1 : index + find(x, n, m);                       \
	}                                                                                          \
	static void merge_arg##name(struct axt_acc *a, int64_t k, const struct axt_acc *b,         \
	    int64_t j, int64_t n)                                                                  \
	{                                                                                          \
		for (int64_t q = 0; q < n; q++) {                                                  \
			V *m = PV(a, 0) + k + q, v = PV(b, 0)[j + q];                              \
			int64_t *at = PI(a, 1) + k + q, i = PI(b, 1)[j + q];                       \
                                                                                                   \
			if (i >= 0 &&                                                              \
			    (*at < 0 || BEATS(*m, v, cmp, skip) || (SAME(*m, v) && i < *at))) {    \
				*m = v;                                                            \
				*at = i;                                                           \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void rows_arg##name(struct axt_acc *a, int64_t k, const void *in, const double *w,  \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		V *m = PV(a, 0) + k;                                                               \
		int64_t *at = PI(a, 1) + k;                                                        \
                                                                                                   \
		(void)w;                                                                           \
		for (int64_t r = 0; r < rows; r++) {                                               \
			const T *x = (const T *)in + r * ld;                                       \
			int64_t here = index + r * step;                                           \
                                                                                                   \
			IVDEP for (int64_t i = 0; i < n; i++)                                      \
			{                                                                          \
				V v = (V)x[i], o = m[i];                                           \
				int64_t j = at[i];                                                 \
				int64_t first = j < 0, seen = !(skip) | (v == v);                  \
				int64_t less = here < j;                                           \
				int64_t same = SAME(v, o), beats = BEATS(o, v, cmp, skip);         \
				int64_t take = seen & (first | beats | (same & less));             \
				m[i] = PICK_V(take, v, o);                                         \
				at[i] = pick_i64(take, here, j);                                   \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	SLIDING(name, T, v, BEATS(r, q, cmp, skip) ? q : r, V, true)                               \
	static const struct axt_red_fns red_##name = { 1, CAT(AXT_, AXT_T), AXT_V, init_##name,    \
		block_##name, NULL, merge_##name, rows_##name, finish_##name, each_##name,         \
		windows_##name };                                                                  \
	static const struct axt_red_fns red_arg##name = { 2, CAT(AXT_, AXT_T), AXT_I64,            \
		init_arg##name, block_arg##name, NULL, merge_arg##name, rows_arg##name,            \
		finish_arg, NULL, NULL };

static void
finish_arg(FINISH_ARGS)
{
	(void)count, (void)ddof;
	memcpy(out, PI(a, 1) + k, n * sizeof(int64_t));
}

/* The largest minus the smallest: plane 0 has the smallest value, plane 1 the largest. */
#define RANGE(name, lo, hi)                                                                        \
	static void init_##name(struct axt_acc *a, int64_t k, int64_t n)                           \
	{                                                                                          \
		init_##lo(a, k, n);                                                                \
		init_##hi(&(struct axt_acc){ { a->p[1] } }, k, n);                                 \
	}                                                                                          \
	static void block_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,     \
	    int64_t n, int64_t index)                                                              \
	{                                                                                          \
		block_##lo(a, k, x, w, n, index);                                                  \
		block_##hi(&(struct axt_acc){ { a->p[1] } }, k, x, w, n, index);                   \
	}                                                                                          \
	static void merge_##name(struct axt_acc *a, int64_t k, const struct axt_acc *b, int64_t j, \
	    int64_t n)                                                                             \
	{                                                                                          \
		merge_##lo(a, k, b, j, n);                                                         \
		merge_##hi(&(struct axt_acc){ { a->p[1] } }, k, &(struct axt_acc){ { b->p[1] } },  \
		    j, n);                                                                         \
	}                                                                                          \
	static void rows_##name(struct axt_acc *a, int64_t k, const void *x, const double *w,      \
	    int64_t rows, int64_t n, int64_t ld, int64_t index, int64_t step)                      \
	{                                                                                          \
		rows_##lo(a, k, x, w, rows, n, ld, index, step);                                   \
		rows_##hi(&(struct axt_acc){ { a->p[1] } }, k, x, w, rows, n, ld, index, step);    \
	}                                                                                          \
	static void each_##name(struct axt_acc *a, int64_t k, int64_t step, const int32_t *group,  \
	    const int32_t *which, const void *x, const double *w, int64_t n)                       \
	{                                                                                          \
		each_##lo(a, k, step, group, which, x, w, n);                                      \
		each_##hi(&(struct axt_acc){ { a->p[1] } }, k, step, group, which, x, w, n);       \
	}                                                                                          \
	static void windows_##name(struct axt_acc *a, int64_t k, const void *x, int64_t n,         \
	    int64_t rows, int64_t cols, int64_t ld, void *room)                                    \
	{                                                                                          \
		windows_##lo(a, k, x, n, rows, cols, ld, room);                                    \
		windows_##hi(&(struct axt_acc){ { a->p[1] } }, k, x, n, rows, cols, ld, room);     \
	}                                                                                          \
	static const struct axt_red_fns red_##name = { 2, CAT(AXT_, AXT_T), AXT_V, init_##name,    \
		block_##name, NULL, merge_##name, rows_##name, finish_ptp, each_##name,            \
		windows_##name };

static void
finish_ptp(FINISH_ARGS)
{
	(void)count, (void)ddof;
	for (int64_t i = k; i < k + n; i++)
#if RED_FLOAT
		((V *)out)[i - k] = PV(a, 1)[i] - PV(a, 0)[i];
#else
		((V *)out)[i - k] = (V)((uint64_t)PV(a, 1)[i] - (uint64_t)PV(a, 0)[i]);
#endif
}

EXTREMES(min, <, false, MOST)
EXTREMES(max, >, false, LEAST)
RANGE(ptp, min, max)
#if RED_FLOAT
EXTREMES(min_skip, <, true, NONE_LEFT)
EXTREMES(max_skip, >, true, NONE_LEFT)
RANGE(ptp_skip, min_skip, max_skip)
#define PAIR(name) return skip ? &red_##name##_skip : &red_##name
#else
#define PAIR(name) return &red_##name
#endif

const struct axt_red_fns *
KERN_NAME(extremes)(enum axt_red op, bool skip, bool weighted)
{
	(void)skip, (void)weighted;
	switch (op) {
	case AXT_RED_MIN: PAIR(min);
	case AXT_RED_MAX: PAIR(max);
	case AXT_RED_PTP: PAIR(ptp);
	case AXT_RED_ARGMIN: PAIR(argmin);
	case AXT_RED_ARGMAX: PAIR(argmax);
	default: return NULL;
	}
}

#else
const struct axt_red_fns *
KERN_NAME(extremes)(enum axt_red op, bool skip, bool weighted)
{
	(void)op, (void)skip, (void)weighted;
	return NULL;
}
#endif
