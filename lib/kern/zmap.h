/*
 * zmap.h - exp, log, sqrt and pow of arrays of complex numbers, by SLEEF's real functions. Elements
 * are done PIECE at a time in arrays on the stack, of which threads have little.
 */
#ifndef AXT_KERN_ZMAP_H
#define AXT_KERN_ZMAP_H

#include "kern/complex.h"
#include "kern/sleef.h"

#if IS_COMPLEX
#define PIECE 128
#define Z_EACH IVDEP for (int64_t i = 0; i < n; i++)
#define Z_CALL1(y, x, f, acc) vec1_f64(y, x, n, (vec1_f64_fn *)SLEEF64(f, acc))
#define Z_CALL2(y, a, b, f, acc) vec2_f64(y, a, b, n, (vec2_f64_fn *)SLEEF64(f, acc))

struct zs {
	double re[PIECE], im[PIECE];
};

static inline void
zs_load(struct zs *z, const T *x, int64_t n)
{
	Z_EACH
	{
		z->re[i] = x[i].re;
		z->im[i] = x[i].im;
	}
}

/* The modulus of each, scaled, and the factors. */
static inline void
zs_modulus(const struct zs *z, double *h, double *scale, int64_t n)
{
	struct zs s;

	Z_EACH
	{
		scale[i] = NAMED(z_scale)(z->re[i], z->im[i]);
		s.re[i] = z->re[i] * scale[i];
		s.im[i] = z->im[i] * scale[i];
	}
	Z_CALL2(h, s.re, s.im, hypot, u05);
}

static inline void
zs_log(struct zs *z, int64_t n)
{
	double h[PIECE], scale[PIECE], near[PIECE], l[PIECE];

	zs_modulus(z, h, scale, n);
	Z_EACH
	{
		near[i] = NAMED(z_beyond_one)(z->re[i], z->im[i], h[i], scale[i]);
	}
	Z_CALL1(near, near, log1p, u10);
	Z_CALL1(l, h, log, u10);
	Z_CALL2(z->im, z->im, z->re, atan2, u10);
	Z_EACH
	{
		z->re[i] = NAMED(z_log_re)(h[i], scale[i], l[i], near[i]);
	}
}

static inline void
zs_exp(struct zs *z, int64_t n)
{
	double e[PIECE], c[PIECE], s[PIECE];

	Z_EACH
	{
		e[i] = Z_FAR(z->re[i]) ? z->re[i] / 2 : z->re[i];
	}
	Z_CALL1(e, e, exp, u10);
	Z_CALL1(c, z->im, cos, u10);
	Z_CALL1(s, z->im, sin, u10);
	for (int64_t i = 0; i < n; i++) {
		Z y = NAMED(z_exp)(z->re[i], z->im[i], e[i], c[i], s[i]);

		z->re[i] = y.re;
		z->im[i] = y.im;
	}
}

static inline void
zs_sqrt(struct zs *z, int64_t n)
{
	double h[PIECE], scale[PIECE];

	zs_modulus(z, h, scale, n);
	for (int64_t i = 0; i < n; i++) {
		Z y = NAMED(z_sqrt)(z->re[i], z->im[i], h[i], scale[i]);

		z->re[i] = y.re;
		z->im[i] = y.im;
	}
}

static inline void
zs_map(T *y, const T *x, int64_t n, void (*f)(struct zs *z, int64_t n))
{
	struct zs z;

	for (int64_t at = 0; at < n; at += PIECE) {
		int64_t m = MIN(PIECE, n - at);

		zs_load(&z, x + at, m);
		f(&z, m);
		for (int64_t i = 0; i < m; i++)
			y[at + i] = CPLX((R)z.re[i], (R)z.im[i]);
	}
}

static inline void
zs_general(struct zs *z, const T *b, int64_t n)
{
	zs_log(z, n);
	for (int64_t i = 0; i < n; i++) {
		Z e = NAMED(z_exponent)(b[i], NAMED(z_of)(z->re[i], z->im[i]));

		z->re[i] = e.re;
		z->im[i] = e.im;
	}
	zs_exp(z, n);
}

/* out may be a. */
static inline void
zs_pow(T *out, const T *a, const T *b, int64_t n)
{
	uint8_t way[PIECE];
	struct zs z;
	T y[PIECE];

	for (int64_t at = 0; at < n; at += PIECE) {
		int64_t m = MIN(PIECE, n - at);
		bool ways[3] = { false };

		for (int64_t i = 0; i < m; i++) {
			way[i] = (uint8_t)NAMED(z_simple)(a[at + i], b[at + i], &y[i]);
			ways[way[i]] = true;
		}
		for (int w = NAMED(z_root); w <= NAMED(z_general); w++) {
			if (!ways[w])
				continue;
			zs_load(&z, a + at, m);
			if (w == NAMED(z_root))
				zs_sqrt(&z, m);
			else
				zs_general(&z, b + at, m);
			for (int64_t i = 0; i < m; i++)
				if (way[i] == w)
					y[i] = CPLX((R)z.re[i], (R)z.im[i]);
		}
		for (int64_t i = 0; i < m; i++)
			out[at + i] = y[i];
	}
}

#define ZMAP(name)        \
	USE(p1), USE(p2); \
	zs_map(y, p0, n, zs_##name);
#define ZPOW     \
	USE(p2); \
	zs_pow(y, p0, p1, n);
#endif

#endif
