/*
 * scaleoffset.c - HDF5's scale-offset: stores the differences of elements from the least one, in as
 * many bits as the largest difference needs; floats are first multiplied by a power of ten and
 * rounded. A chunk begins with the number of bits (4 bytes), the number of bytes of the least value
 * (1) and the least value (8), all little-endian. The differences begin at byte 21, from the
 * highest bit on. A difference whose bits are all 1 stands for the fill value.
 * source  HDF5's H5Zscaleoffset.c
 */
#include <math.h>

#include "filters/filters.h"

/* Parameters by their place. */
enum { KIND, FACTOR, COUNT, CLASS, SIZE, SIGN, ORDER, FILLED, FILL };
enum { FLOAT_DECIMAL = 0, FLOAT_EXPONENT = 1 };
#define HEAD 21

static const char *
check(const struct axt_filter_use *u)
{
	const uint32_t *p = u->param;
	bool is_float = p[CLASS] == 1;

	if (u->n < 8 || (p[SIZE] != 1 && p[SIZE] != 2 && p[SIZE] != 4 && p[SIZE] != 8) ||
	    p[SIZE] != (uint32_t)u->esize || (is_float && p[SIZE] < 4))
		return "its parameters of scale-offset are impossible";
	return is_float && p[KIND] != FLOAT_DECIMAL
	    ? "scale-offset of floats by powers of two is not known"
	    : NULL;
}

static size_t
most(const struct axt_filter_use *u, size_t n)
{
	(void)u;
	return n + HEAD;
}

/* The next number of `bits` bits, from bit *at on. */
static uint64_t
next(const uint8_t *p, size_t *at, int bits)
{
	uint64_t v = 0;

	while (bits > 0) {
		int left = 8 - (int)(*at & 7), k = MIN(left, bits);

		v = v << k | (p[*at >> 3] >> (left - k) & ((1u << k) - 1));
		*at += (size_t)k;
		bits -= k;
	}
	return v;
}

/* The value that a difference stands for, as its bits. */
static uint64_t
value(const struct axt_filter_use *u, uint64_t v, uint64_t least)
{
	double power = pow(10, (double)(int32_t)u->param[FACTOR]), d;
	float f, g;

	if (u->param[CLASS] != 1)
		return v + least;
	if (u->param[SIZE] == 8) {
		memcpy(&d, &least, sizeof(d));
		d += (double)(int64_t)v / power;
		memcpy(&v, &d, sizeof(v));
		return v;
	}
	memcpy(&g, &least, sizeof(g));
	f = (float)(int32_t)v / (float)power + g;
	v = 0;
	memcpy(&v, &f, sizeof(f));
	return v;
}

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	size_t size = u->param[SIZE], n = io->cap / size, at = 0;
	uint64_t least = 0, fill = 0, ones;
	uint32_t bits = 0;
	int width;

	(void)state;
	if (io->n < HEAD)
		return "is cut short";
	for (int i = 0; i < 4; i++)
		bits |= (uint32_t)io->in[i] << 8 * i;
	width = MIN(io->in[4], 8);
	for (int i = 0; i < width; i++)
		least |= (uint64_t)io->in[5 + i] << 8 * i;
	if (bits > 8 * size || u->param[COUNT] != n || (io->n - HEAD) * 8 < (uint64_t)bits * n)
		return "is no scale-offset";
	if (u->param[FILLED])
		for (int i = 0; i < 2 && FILL + i < MIN(u->n, AXT_FILTER_PARAMS); i++)
			fill |= (uint64_t)u->param[FILL + i] << 32 * i;
	ones = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = next(io->in + HEAD, &at, (int)bits);
		uint8_t *out = io->out + i * size;

		/*
		 * if the differences need all bits of a number, the numbers themselves are stored,
		 * in the byte order of this machine
		 */
		if (bits == 8 * size)
			memcpy(&v, io->in + HEAD + i * size, size);
		else
			v = u->param[FILLED] && v == ones ? fill : value(u, v, least);
		memcpy(out, &v, size);
		for (size_t k = 0; u->param[ORDER] == 1 && k < size / 2; k++) {
			uint8_t t = out[k];

			out[k] = out[size - 1 - k];
			out[size - 1 - k] = t;
		}
	}
	io->n = n * size;
	return NULL;
}

const struct axt_filter_fns axt_filter_scaleoffset = {
	.check = check,
	.most = most,
	.decode = decode,
};
