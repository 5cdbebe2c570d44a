/*
 * shuffle.c - HDF5's shuffle: puts byte 0 of all elements first, then byte 1, and so on, which
 * compresses better.
 */
#include "filters/blocks.h"
#include "isa/cpu.h"

typedef uint8_t v16 __attribute__((vector_size(16)));

typedef uint64_t v2 __attribute__((vector_size(16)));

/* Turns 8 x 8 bits in each half: bit e of byte k becomes bit k of byte e. */
static inline CPU_ANY v16
turned(v16 bytes)
{
	v2 x = (v2)bytes, t = (x ^ (x >> 7)) & UINT64_C(0x00aa00aa00aa00aa);

	x ^= t ^ (t << 7);
	t = (x ^ (x >> 14)) & UINT64_C(0x0000cccc0000cccc);
	x ^= t ^ (t << 14);
	t = (x ^ (x >> 28)) & UINT64_C(0x00000000f0f0f0f0);
	return (v16)(x ^ t ^ (t << 28));
}

CPU_ANY void
axt_turn_bits(uint8_t *p, size_t n)
{
	v16 x = { 0 };

	for (size_t i = 0; i < n; i += 16) {
		size_t k = MIN(n - i, (size_t)16);

		memcpy(&x, p + i, k);
		x = turned(x);
		memcpy(p + i, &x, k);
	}
}

static inline CPU_ANY void
zip(v16 a, v16 b, v16 *lo, v16 *hi)
{
	*lo = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
	*hi = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
	    15, 31);
}

/*
 * Unshuffles 16 elements of `size` bytes. Interleaving the first half of the planes with the second
 * half, log2(size) times, puts the bytes of each element together. With `bits`, the bits of each 8
 * bytes are turned then: bit e of byte k becomes bit k of byte e.
 */
static inline CPU_ANY __attribute__((always_inline)) void
unshuffle16(uint8_t *out, const uint8_t *in, size_t n, const int size, const bool bits)
{
	v16 a[16], b[16];

#pragma GCC unroll 16
	for (int k = 0; k < size; k++)
		memcpy(&a[k], in + (size_t)k * n, 16);
#pragma GCC unroll 4
	for (int s = size; s > 1; s /= 2) {
#pragma GCC unroll 8
		for (int k = 0; k < size / 2; k++)
			zip(a[k], a[k + size / 2], &b[2 * k], &b[2 * k + 1]);
#pragma GCC unroll 16
		for (int k = 0; k < size; k++)
			a[k] = b[k];
	}
#pragma GCC unroll 16
	for (int k = 0; k < size; k++) {
		if (bits)
			a[k] = turned(a[k]);
		memcpy(out + 16 * k, &a[k], 16);
	}
}

static inline CPU_ANY __attribute__((always_inline)) void
unshuffle_size(uint8_t *out, const uint8_t *in, size_t n, const int size, const bool bits)
{
	size_t i = 0;

	for (; i + 16 <= n; i += 16)
		unshuffle16(out + i * (size_t)size, in + i, n, size, bits);
	for (; i < n; i++) {
		for (int k = 0; k < size; k++)
			out[i * (size_t)size + (size_t)k] = in[(size_t)k * n + i];
		if (bits)
			axt_turn_bits(out + i * (size_t)size, (size_t)size);
	}
}

CPU_ANY void
axt_unshuffle_bits(uint8_t *out, const uint8_t *in, size_t n)
{
	unshuffle_size(out, in, n / 8, 8, true);
}

static inline CPU_ANY void
unzip(v16 a, v16 b, v16 *even, v16 *odd)
{
	*even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
	    30);
	*odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
	    31);
}

/* Shuffles 16 elements at a time, by what unshuffle16 does, backwards. */
static inline CPU_ANY __attribute__((always_inline)) void
shuffle_size(uint8_t *out, const uint8_t *in, size_t n, const int size)
{
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		v16 a[16], b[16];

#pragma GCC unroll 16
		for (int k = 0; k < size; k++)
			memcpy(&a[k], in + i * (size_t)size + 16 * (size_t)k, 16);
#pragma GCC unroll 4
		for (int s = size; s > 1; s /= 2) {
#pragma GCC unroll 8
			for (int k = 0; k < size / 2; k++)
				unzip(a[2 * k], a[2 * k + 1], &b[k], &b[k + size / 2]);
#pragma GCC unroll 16
			for (int k = 0; k < size; k++)
				a[k] = b[k];
		}
#pragma GCC unroll 16
		for (int k = 0; k < size; k++)
			memcpy(out + (size_t)k * n + i, &a[k], 16);
	}
	for (; i < n; i++)
		for (int k = 0; k < size; k++)
			out[(size_t)k * n + i] = in[i * (size_t)size + (size_t)k];
}

/*
 * Elements of other sizes are shuffled 1024 at a time, which stay in the cache. Bytes at the end
 * that are no whole element stay where they are.
 */
CPU_ANY void
axt_shuffle(const uint8_t *in, uint8_t *out, size_t bytes, size_t size)
{
	size_t n = bytes / size;

	switch (size) {
	case 2: shuffle_size(out, in, n, 2); break;
	case 4: shuffle_size(out, in, n, 4); break;
	case 8: shuffle_size(out, in, n, 8); break;
	case 16: shuffle_size(out, in, n, 16); break;
	default:
		for (size_t b = 0; b < n; b += 1024)
			for (size_t j = 0; j < size; j++)
				for (size_t i = b; i < MIN(n, b + 1024); i++)
					out[j * n + i] = in[i * size + j];
	}
	memcpy(out + n * size, in + n * size, bytes - n * size);
}

CPU_ANY void
axt_unshuffle(uint8_t *out, const uint8_t *in, size_t bytes, size_t size)
{
	size_t n = bytes / size;

	switch (size) {
	case 2: unshuffle_size(out, in, n, 2, false); break;
	case 4: unshuffle_size(out, in, n, 4, false); break;
	case 8: unshuffle_size(out, in, n, 8, false); break;
	case 16: unshuffle_size(out, in, n, 16, false); break;
	default:
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < size; k++)
				out[i * size + k] = in[k * n + i];
	}
	memcpy(out + n * size, in + n * size, bytes - n * size);
}

static const char *
check(const struct axt_filter_use *u)
{
	return u->n > 0 && u->param[0] != (uint32_t)u->esize
	    ? "shuffled by another size than its elements have"
	    : NULL;
}

static const char *
fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact)
{
	(void)u;
	return (exact ? n != want : n > want) ? "wrong size" : NULL;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	(void)state;
	axt_unshuffle(io->out, io->in, io->n, (size_t)u->esize);
	return NULL;
}

static const char *
encode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	(void)state;
	axt_shuffle(io->in, io->out, io->n, (size_t)u->esize);
	return NULL;
}

const struct axt_filter_fns axt_filter_shuffle = {
	.check = check,
	.fits = fits,
	.decode = decode,
	.planes = true,
	.encode = encode,
};
