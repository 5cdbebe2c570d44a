/*
 * k_map.c - the elementwise kernels of one dtype on one ISA: one for every row of ops.def whose
 * domain includes the dtype.
 */
#include "kern/prim.h"
#include "kern/sleef.h"

/* Bodies get at most this many elements at once; fewer where scalars are repeated in a buffer. */
#define CHUNK 2048
#define REPEATED 512

#if IS_BOOL
#define ON_BIUFC(...) __VA_ARGS__
#define ON_BIUF(...) __VA_ARGS__
#define ON_BIU(...) __VA_ARGS__
#define ON_IUFC(...)
#define ON_IUF(...)
#define ON_IU(...)
#define ON_FC(...)
#define ON_F(...)
#elif IS_INT
#define ON_BIUFC(...) __VA_ARGS__
#define ON_BIUF(...) __VA_ARGS__
#define ON_BIU(...) __VA_ARGS__
#define ON_IUFC(...) __VA_ARGS__
#define ON_IUF(...) __VA_ARGS__
#define ON_IU(...) __VA_ARGS__
#define ON_FC(...)
#define ON_F(...)
#elif IS_FLOAT
#define ON_BIUFC(...) __VA_ARGS__
#define ON_BIUF(...) __VA_ARGS__
#define ON_BIU(...)
#define ON_IUFC(...) __VA_ARGS__
#define ON_IUF(...) __VA_ARGS__
#define ON_IU(...)
#define ON_FC(...) __VA_ARGS__
#define ON_F(...) __VA_ARGS__
#elif IS_COMPLEX
#define ON_BIUFC(...) __VA_ARGS__
#define ON_BIUF(...)
#define ON_BIU(...)
#define ON_IUFC(...) __VA_ARGS__
#define ON_IUF(...)
#define ON_IU(...)
#define ON_FC(...) __VA_ARGS__
#define ON_F(...)
#endif

#if IS_HALF
axt_map_fn *
KERN_NAME(map)(enum axt_op op)
{
	(void)op;
	return NULL;
}
#else

/* The dtype that the kernel of a row writes. */
typedef T OUT_SAME, OUT_BYTE, OUT_FLOAT;
typedef R OUT_REAL, OUT_FREAL;
typedef uint8_t OUT_BOOL;
typedef double OUT_F64;

/* Does 1 <= n <= CHUNK elements; returns the first refused one, AXT_KERN_WRAPPED, or -1. */
typedef int64_t body_fn(void *out, const void *p0, const void *p1, const void *p2, int64_t n);
#define BODY_ARGS void *out, const void *p0, const void *p1, const void *p2, int64_t n

#define USE(v) (void)(v)
#define LOAD0                     \
	T a = ((const T *)p0)[i]; \
	USE(a);
#define LOAD1                     \
	T b = ((const T *)p1)[i]; \
	USE(b);
#define LOAD2                     \
	T c = ((const T *)p2)[i]; \
	USE(c);
#define EACH IVDEP for (int64_t i = 0; i < n; i++)

#define EXPR1(e)                \
	USE(p1), USE(p2);       \
	EACH                    \
	{                       \
		LOAD0 y[i] = e; \
	}
#define EXPR2(e)                      \
	USE(p2);                      \
	EACH                          \
	{                             \
		LOAD0 LOAD1 y[i] = e; \
	}
#define EXPR3(e)                            \
	EACH                                \
	{                                   \
		LOAD0 LOAD1 LOAD2 y[i] = e; \
	}
#define WHERE3                                                       \
	EACH                                                         \
	{                                                            \
		LOAD1 LOAD2 y[i] = ((const uint8_t *)p0)[i] ? b : c; \
	}
#if IS_INT
#define EXPR1W(e, test)              \
	T wraps = 0;                 \
	USE(p1), USE(p2);            \
	EACH                         \
	{                            \
		LOAD0 wraps |= test; \
		y[i] = e;            \
	}                            \
	if (wraps)                   \
		return AXT_KERN_WRAPPED;
#define EXPR2W(e, test)                    \
	T wraps = 0;                       \
	USE(p2);                           \
	EACH                               \
	{                                  \
		LOAD0 LOAD1 wraps |= test; \
		y[i] = e;                  \
	}                                  \
	if (wraps)                         \
		return AXT_KERN_WRAPPED;
#define EXPR2Z(e)                       \
	int64_t at = first_zero(p1, n); \
	if (at >= 0)                    \
		return at;              \
	EXPR2(e)
#define EXPR2ZW(e, test)                \
	int64_t at = first_zero(p1, n); \
	if (at >= 0)                    \
		return at;              \
	EXPR2W(e, test)
#define EXPR2NW(e)                          \
	int64_t at = first_negative(p1, n); \
	int wraps = 0;                      \
	if (at >= 0)                        \
		return at;                  \
	EXPR2(e)                            \
	if (wraps)                          \
		return AXT_KERN_WRAPPED;

#define EXPR2R(e)                              \
	int64_t at = first_outside(p0, p1, n); \
	if (at >= 0)                           \
		return at;                     \
	EXPR2(e)

#define FIRST(name, test)                                \
	static int64_t name(const void *p1, int64_t n)   \
	{                                                \
		int bad = 0;                             \
                                                         \
		for (int64_t i = 0; i < n; i++) {        \
			LOAD1 bad |= test;               \
		}                                        \
		for (int64_t i = 0; bad && i < n; i++) { \
			LOAD1 if (test) return i;        \
		}                                        \
		return -1;                               \
	}
FIRST(first_zero, (b == 0))
#if IS_SIGNED
FIRST(first_negative, (b < 0))
#define BELOW0(v) ((v) < 0)
#else
#define first_negative(p, n) ((void)(p), (int64_t)-1)
#define BELOW0(v) 0
#endif

/* The first index whose a is not in [0, b), or -1. */
static int64_t
first_outside(const void *p0, const void *p1, int64_t n)
{
	int bad = 0;

	for (int64_t i = 0; i < n; i++) {
		LOAD0 LOAD1 bad |= BELOW0(a) | (a >= b);
	}
	for (int64_t i = 0; bad && i < n; i++) {
		LOAD0 LOAD1 if (BELOW0(a) || a >= b) return i;
	}
	return -1;
}
#else
#define EXPR1W(e, test) EXPR1(e)
#define EXPR2W(e, test) EXPR2(e)
#define EXPR2Z(e) EXPR2(e)
#define EXPR2ZW(e, test) EXPR2(e)
#endif

#if IS_64
#define VF1(f, acc) (vec1_f64_fn *)SLEEF64(f, acc)
#define VF2(f, acc) (vec2_f64_fn *)SLEEF64(f, acc)
#define VRUN1 vec1_f64
#define VRUN2 vec2_f64
#else
#define VF1(f, acc) (vec1_f32_fn *)SLEEF32(f, acc)
#define VF2(f, acc) (vec2_f32_fn *)SLEEF32(f, acc)
#define VRUN1 vec1_f32
#define VRUN2 vec2_f32
#endif
#define VEC1(f, acc)      \
	USE(p1), USE(p2); \
	VRUN1(y, p0, n, VF1(f, acc));
#define VEC2(f, acc) \
	USE(p2);     \
	VRUN2(y, p0, p1, n, VF2(f, acc));
#define CALL1(f, acc, x0, e)         \
	R u[CHUNK];                  \
	USE(p1), USE(p2);            \
	EACH                         \
	{                            \
		LOAD0 u[i] = x0;     \
	}                            \
	VRUN1(u, u, n, VF1(f, acc)); \
	EACH                         \
	{                            \
		LOAD0 R t = u[i];    \
		y[i] = e;            \
	}
#define CALL12(f, acc, x0, x1, e)       \
	R u[CHUNK], v[CHUNK];           \
	USE(p1), USE(p2);               \
	EACH                            \
	{                               \
		LOAD0 u[i] = x0;        \
		v[i] = x1;              \
	}                               \
	VRUN2(u, u, v, n, VF2(f, acc)); \
	EACH                            \
	{                               \
		LOAD0 R t = u[i];       \
		y[i] = e;               \
	}
#define CALL2(f, acc, x0, x1, e)        \
	R u[CHUNK], v[CHUNK];           \
	USE(p2);                        \
	EACH                            \
	{                               \
		LOAD0 LOAD1 u[i] = x0;  \
		v[i] = x1;              \
	}                               \
	VRUN2(u, u, v, n, VF2(f, acc)); \
	EACH                            \
	{                               \
		LOAD0 LOAD1 R t = u[i]; \
		y[i] = e;               \
	}

static void
repeat(void *out, const void *x, int64_t n, int64_t size)
{
	char *p = out;

	if (n > 0 && p != x)
		memcpy(p, x, size);
	for (int64_t done = 1; done < n; done *= 2)
		memcpy(p + done * size, p, (size_t)(MIN(done, n - done) * size));
}

/* Cuts a call into chunks. ksize and size are the bytes of an element of out and of an argument. */
static void
run(void *out, const void *const in[], const bool scalar[], int64_t n, int64_t *bad, body_fn *body,
    int arity, int ksize, const int size[3])
{
	_Alignas(64) char buf[3][REPEATED * sizeof(T)];
	const char *p[3] = { "", "", "" };
	int64_t step[3] = { 0, 0, 0 }, m, at, most = CHUNK;
	bool flat = true;

	for (int k = 0; k < arity; k++)
		flat = flat && scalar[k];
	m = flat ? MIN(n, 1) : n;
	for (int k = 0; k < arity; k++) {
		p[k] = in[k];
		step[k] = size[k];
		if (scalar[k]) {
			most = REPEATED;
			repeat(buf[k], in[k], MIN(m, REPEATED), size[k]);
			p[k] = buf[k];
			step[k] = 0;
		}
	}
	for (int64_t i = 0; i < m; i += most) {
		at = body((char *)out + i * ksize, p[0] + i * step[0], p[1] + i * step[1],
		    p[2] + i * step[2], MIN(m - i, most));
		if (at >= 0 && *bad < 0)
			*bad = i + at;
		else if (at == AXT_KERN_WRAPPED && *bad == -1)
			*bad = at;
	}
	if (flat)
		repeat(out, out, n, ksize);
}

#define OP(id, name, alias, arity, dom, result, flags, ulp, body, line)                         \
	ON_##dom(                                                                               \
	    static int64_t body_##id(BODY_ARGS) {                                               \
		    OUT_##result *y = out;                                                      \
		    body return -1;                                                             \
	    } static void map_##id(void *out, const void *const in[], const bool scalar[],      \
		int64_t n, int64_t *bad) {                                                      \
		    const int first = AXT_OP_##id == AXT_OP_WHERE ? 1 : sizeof(T);              \
		    const int size[3] = { first, sizeof(T), sizeof(T) };                        \
                                                                                                \
		    run(out, in, scalar, n, bad, body_##id, arity, sizeof(OUT_##result), size); \
	    })
#include "ops.def"
#undef OP

axt_map_fn *
KERN_NAME(map)(enum axt_op op)
{
	static axt_map_fn *const table[AXT_NOPS] = {
#define OP(id, name, alias, arity, dom, ...) ON_##dom([AXT_OP_##id] = map_##id, )
#include "ops.def"
#undef OP
	};

	return table[op];
}
#endif
