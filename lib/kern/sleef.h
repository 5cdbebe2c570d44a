/*
 * sleef.h - SLEEF's deterministic functions over arrays. The last elements of an array are padded
 * to a vector and go through the same function as the others, so that a result never depends on the
 * position. SLEEF32(exp, u10) and SLEEF64(exp, u10) name functions.
 */
#ifndef AXT_KERN_SLEEF_H
#define AXT_KERN_SLEEF_H

#include <sleef.h>

#include "kern/isa.h"

typedef SLEEF_F32 vec_f32;
typedef SLEEF_F64 vec_f64;

/* Casts to these types remove the const that sleef.h puts on returned values. */
typedef vec_f32 vec1_f32_fn(vec_f32), vec2_f32_fn(vec_f32, vec_f32);
typedef vec_f64 vec1_f64_fn(vec_f64), vec2_f64_fn(vec_f64, vec_f64);

/* out may be x. */
#define VEC_LOOPS(R, V, suffix)                                                                  \
	static inline __attribute__((unused)) void vec1_##suffix(R *out, const R *x, int64_t n,  \
	    vec1_##suffix##_fn *f)                                                               \
	{                                                                                        \
		const int64_t w = VEC_BYTES / sizeof(R);                                         \
		int64_t i = 0;                                                                   \
		V a;                                                                             \
                                                                                                 \
		for (; i + w <= n; i += w) {                                                     \
			memcpy(&a, x + i, sizeof(a));                                            \
			a = f(a);                                                                \
			memcpy(out + i, &a, sizeof(a));                                          \
		}                                                                                \
		if (i < n) {                                                                     \
			R t[VEC_BYTES / sizeof(R)] = { 0 };                                      \
                                                                                                 \
			memcpy(t, x + i, (n - i) * sizeof(R));                                   \
			memcpy(&a, t, sizeof(a));                                                \
			a = f(a);                                                                \
			memcpy(t, &a, sizeof(a));                                                \
			memcpy(out + i, t, (n - i) * sizeof(R));                                 \
		}                                                                                \
	}                                                                                        \
                                                                                                 \
	static inline __attribute__((unused)) void vec2_##suffix(R *out, const R *x, const R *y, \
	    int64_t n, vec2_##suffix##_fn *f)                                                    \
	{                                                                                        \
		const int64_t w = VEC_BYTES / sizeof(R);                                         \
		int64_t i = 0;                                                                   \
		V a, b;                                                                          \
                                                                                                 \
		for (; i + w <= n; i += w) {                                                     \
			memcpy(&a, x + i, sizeof(a));                                            \
			memcpy(&b, y + i, sizeof(b));                                            \
			a = f(a, b);                                                             \
			memcpy(out + i, &a, sizeof(a));                                          \
		}                                                                                \
		if (i < n) {                                                                     \
			R t[VEC_BYTES / sizeof(R)] = { 0 }, u[VEC_BYTES / sizeof(R)] = { 0 };    \
                                                                                                 \
			memcpy(t, x + i, (n - i) * sizeof(R));                                   \
			memcpy(u, y + i, (n - i) * sizeof(R));                                   \
			memcpy(&a, t, sizeof(a));                                                \
			memcpy(&b, u, sizeof(b));                                                \
			a = f(a, b);                                                             \
			memcpy(t, &a, sizeof(a));                                                \
			memcpy(out + i, t, (n - i) * sizeof(R));                                 \
		}                                                                                \
	}
VEC_LOOPS(T_F32, vec_f32, f32)
VEC_LOOPS(T_F64, vec_f64, f64)

#endif
