/* i_make.c - tensors from no input: iota and counter-based random numbers. */
#include <math.h>

#include "kern/isa.h"
#include "kern/sleef.h"

#define CHUNK 512

#define CONV_OF(t) CAT4(CAT4(axt_, conv, _, t), _, AXT_ISA, )
axt_conv_fn *CONV_OF(I64)(enum axt_dtype to, enum axt_overflow mode);
axt_conv_fn *CONV_OF(U64)(enum axt_dtype to, enum axt_overflow mode);
axt_conv_fn *CONV_OF(F32)(enum axt_dtype to, enum axt_overflow mode);
axt_conv_fn *CONV_OF(F64)(enum axt_dtype to, enum axt_overflow mode);

void ISA_NAME(iota)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
    double inc);
void ISA_NAME(random)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n,
    uint64_t seed, bool normal, double lo, double hi);

/* x rounded to an integer of 64 bits: signed below 2^63, unsigned above. */
static uint64_t
bits_of(double x)
{
	if (x >= -0x1p63 && x < 0x1p63)
		return (uint64_t)(int64_t)x;
	return x >= 0x1p63 && x < 0x1p64 ? (uint64_t)x : x > 0 ? UINT64_MAX : (uint64_t)INT64_MIN;
}

void
ISA_NAME(iota)(void *out, enum axt_dtype d, int64_t i0, int64_t step, int64_t n, double start,
    double inc)
{
	bool whole = axt_dtypes[d].cls < AXT_CLASS_FLOAT && start == trunc(start) &&
	    inc == trunc(inc);
	uint64_t s = whole ? bits_of(start) : 0, t = whole ? bits_of(inc) : 0;
	axt_conv_fn *conv = whole ? CONV_OF(U64)(d, AXT_OVERFLOW_WRAP)
				  : CONV_OF(F64)(d, AXT_OVERFLOW_WRAP);
	int64_t bad = 0;

	for (int64_t k = 0; k < n; k += CHUNK) {
		int64_t m = MIN(n - k, CHUNK);
		uint64_t u[CHUNK];
		double f[CHUNK];

		for (int64_t i = 0; i < m; i++) {
			uint64_t at = (uint64_t)i0 + (uint64_t)(k + i) * (uint64_t)step;

			u[i] = s + at * t;
			f[i] = start + (double)(int64_t)at * inc;
		}
		conv((char *)out + k * axt_size(d), whole ? (void *)u : f, m, &bad);
	}
}

/* ---- Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) ---- */

/* Writes word j of the block with counter at[i] to w[j][i], for i in [0, n). */
static void
philox(uint32_t w[4][CHUNK], const uint64_t at[CHUNK], int64_t n, uint64_t seed)
{
	for (int64_t i = 0; i < n; i++) {
		uint32_t a = (uint32_t)at[i], b = (uint32_t)(at[i] >> 32), c = 0, d = 0;
		uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);

		for (int r = 0; r < 10; r++) {
			uint64_t p = (uint64_t)0xd2511f53 * a, q = (uint64_t)0xcd9e8d57 * c;

			a = (uint32_t)(q >> 32) ^ b ^ k0;
			b = (uint32_t)q;
			c = (uint32_t)(p >> 32) ^ d ^ k1;
			d = (uint32_t)p;
			k0 += 0x9e3779b9;
			k1 += 0xbb67ae85;
		}
		w[0][i] = a;
		w[1][i] = b;
		w[2][i] = c;
		w[3][i] = d;
	}
}

/*
 * Where a stream of random draws is: the number of the next draw, the distance to the one after it,
 * and the seed. Philox gives blocks of four 32-bit words: two draws of 64 bits, or four of 32 bits.
 */
struct draws {
	uint64_t at, step, seed;
};

/*
 * Gives the 64 bits of each of m <= CHUNK draws, of which a block of Philox has two. If `other` is
 * not NULL, out gets the first half of the draw's block and `other` the second half: a normal
 * number is made of the whole block.
 */
static void
draw64(uint64_t out[CHUNK], uint64_t other[CHUNK], struct draws *d, int64_t m)
{
	uint64_t at[CHUNK], first = d->at >> 1;
	uint32_t w[4][CHUNK];
	bool run = d->step == 1 && !other;
	int64_t blocks;

	blocks = run ? (int64_t)(((d->at + (uint64_t)m - 1) >> 1) - first) + 1 : m;
	for (int64_t i = 0; i < blocks; i++)
		at[i] = run ? first + (uint64_t)i : (d->at + (uint64_t)i * d->step) >> 1;
	philox(w, at, blocks, d->seed);
	for (int64_t i = 0; i < m; i++) {
		uint64_t k = d->at + (uint64_t)i * d->step;
		int64_t b = run ? (int64_t)((k >> 1) - first) : i;
		uint64_t x = (uint64_t)w[1][b] << 32 | w[0][b],
			 y = (uint64_t)w[3][b] << 32 | w[2][b];

		if (other) {
			out[i] = x;
			other[i] = y;
		} else {
			out[i] = k & 1 ? y : x;
		}
	}
	d->at += (uint64_t)m * d->step;
}

static void
draw32(uint32_t out[CHUNK], struct draws *d, int64_t m)
{
	uint64_t at[CHUNK], first = d->at >> 2;
	uint32_t w[4][CHUNK];
	bool run = d->step == 1;
	int64_t blocks;

	blocks = run ? (int64_t)(((d->at + (uint64_t)m - 1) >> 2) - first) + 1 : m;
	for (int64_t i = 0; i < blocks; i++)
		at[i] = run ? first + (uint64_t)i : (d->at + (uint64_t)i * d->step) >> 2;
	philox(w, at, blocks, d->seed);
	for (int64_t i = 0; i < m; i++) {
		uint64_t k = d->at + (uint64_t)i * d->step;

		out[i] = w[k & 3][run ? (int64_t)((k >> 2) - first) : i];
	}
	d->at += (uint64_t)m * d->step;
}

static void
uniform_f32(float out[CHUNK], struct draws *d, int64_t m, double lo, double hi)
{
	uint32_t u[CHUNK];

	draw32(u, d, m);
	for (int64_t i = 0; i < m; i++)
		out[i] = (float)(lo + (hi - lo) * ((u[i] >> 8) * 0x1p-24));
}

static void
uniform_f64(double out[CHUNK], struct draws *d, int64_t m, double lo, double hi)
{
	uint64_t u[CHUNK];

	draw64(u, NULL, d, m);
	for (int64_t i = 0; i < m; i++)
		out[i] = lo + (hi - lo) * ((double)(u[i] >> 11) * 0x1p-53);
}

/* Box-Muller: of the two draws of a block, the even one takes the cosine, the odd one the sine. */
static void
normal_f64(double out[CHUNK], struct draws *d, int64_t m, double mu, double sigma)
{
	uint64_t u[CHUNK], v[CHUNK], k0 = d->at;
	double r[CHUNK], c[CHUNK], s[CHUNK];

	draw64(u, v, d, m);
	for (int64_t i = 0; i < m; i++) {
		r[i] = 1 - (double)(u[i] >> 11) * 0x1p-53;
		c[i] = (double)(v[i] >> 11) * 0x1p-52;
	}
	vec1_f64(r, r, m, (vec1_f64_fn *)SLEEF64(log, u10));
	vec1_f64(s, c, m, (vec1_f64_fn *)SLEEF64(sinpi, u05));
	vec1_f64(c, c, m, (vec1_f64_fn *)SLEEF64(cospi, u05));
	for (int64_t i = 0; i < m; i++) {
		double z = sqrt(-2 * r[i]) * ((k0 + (uint64_t)i * d->step) & 1 ? s[i] : c[i]);

		out[i] = mu + sigma * z;
	}
}

/* lo + k for 0 <= k < span (0 means 2^64): the high half of a product; bias below span / 2^64. */
static void
uniform_int(uint64_t out[CHUNK], struct draws *d, int64_t m, uint64_t lo, uint64_t span)
{
	uint64_t u[CHUNK];

	draw64(u, NULL, d, m);
	for (int64_t i = 0; i < m; i++)
		out[i] = lo + (span ? (uint64_t)((unsigned __int128)u[i] * span >> 64) : u[i]);
}

/* Writes n draws of a real dtype t to out. */
static void
reals(void *out, enum axt_dtype t, int64_t n, struct draws *d, bool normal, double lo, double hi)
{
	bool integer = axt_dtypes[t].cls < AXT_CLASS_FLOAT, small = !integer && t != AXT_F64;
	uint64_t l = bits_of(ceil(lo)), span = bits_of(floor(hi)) - l + 1;
	union {
		float f[CHUNK];
		double g[CHUNK];
		uint64_t u[CHUNK];
	} b;
	int64_t bad = 0;

	for (int64_t k = 0; k < n; k += CHUNK) {
		int64_t m = MIN(n - k, CHUNK);
		void *to = (char *)out + k * axt_size(t);

		if (normal) {
			normal_f64(b.g, d, m, lo, hi);
			for (int64_t i = 0; integer && i < m; i++)
				b.g[i] = rint(b.g[i]);
			CONV_OF(F64)(t, AXT_OVERFLOW_SATURATE)(to, b.g, m, &bad);
		} else if (integer) {
			uniform_int(b.u, d, m, l, span);
			CONV_OF(U64)(t, AXT_OVERFLOW_WRAP)(to, b.u, m, &bad);
		} else if (small) {
			uniform_f32(b.f, d, m, lo, hi);
			CONV_OF(F32)(t, AXT_OVERFLOW_SATURATE)(to, b.f, m, &bad);
		} else {
			uniform_f64(to, d, m, lo, hi);
		}
	}
}

void
ISA_NAME(random)(void *out, enum axt_dtype t, int64_t i0, int64_t step, int64_t n, uint64_t seed,
    bool normal, double lo, double hi)
{
	struct draws d = { (uint64_t)i0, (uint64_t)step, seed };
	enum axt_dtype part = t == AXT_C64 ? AXT_F32 : AXT_F64;

	if (axt_dtypes[t].cls != AXT_CLASS_COMPLEX) {
		reals(out, t, n, &d, normal, lo, hi);
		return;
	}
	/* Element k of a complex tensor has draws 2k (real part) and 2k + 1 (imaginary part). */
	if (step == 1) {
		d.at *= 2;
		reals(out, part, 2 * n, &d, normal, lo, hi);
		return;
	}
	for (int64_t k = 0; k < n; k++) {
		d = (struct draws){ 2 * ((uint64_t)i0 + (uint64_t)k * (uint64_t)step), 1, seed };
		reals((char *)out + k * axt_size(t), part, 2, &d, normal, lo, hi);
	}
}
