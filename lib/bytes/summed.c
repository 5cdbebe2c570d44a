/*
 * summed.c - a checksum. Bytes are taken as words of four bytes, in blocks. Of each block there are
 * two sums: of its words, and of each word times its number in the block. Both are multiplied by
 * random numbers that belong to the block, and added to the checksum. It changes if a byte changes,
 * a piece is lost, or two pieces change places.
 */
#include <string.h>

#include "bytes/summed.h"

#define WORDS 1024 /* of a block, so that neither sum is above 64 bits */

static uint64_t
mixed(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* n words of block number `block`, the first of which is word `first` of it. */
static uint64_t
sum_words(int64_t block, int first, const uint8_t *p, int n)
{
	uint64_t plain = 0, placed = 0;

	for (int i = 0; i < n; i++) {
		uint32_t w;

		memcpy(&w, p + (size_t)4 * (size_t)i, 4);
		plain += w;
		placed += (uint64_t)w * (uint32_t)(first + i + 1);
	}
	return plain * (mixed(2 * (uint64_t)block) | 1) +
	    placed * (mixed(2 * (uint64_t)block + 1) | 1);
}

/* Up to three bytes of one word, whose other bytes count as 0. */
static uint64_t
sum_few(int64_t off, const uint8_t *p, int64_t n)
{
	uint8_t word[4] = { 0 };

	memcpy(word + off % 4, p, (size_t)n);
	return sum_words(off / 4 / WORDS, (int)(off / 4 % WORDS), word, 1);
}

/* The sum of n bytes at offset `off`. That of bytes in two pieces is the sum of both. */
static uint64_t
sum_bytes(int64_t off, const void *from, int64_t n)
{
	const uint8_t *p = from;
	int64_t head = MIN(n, (4 - off % 4) % 4);
	uint64_t sum = head > 0 ? sum_few(off, p, head) : 0;

	off += head;
	p += head;
	n -= head;
	while (n >= 4) {
		int first = (int)(off / 4 % WORDS);
		int m = (int)MIN(n / 4, WORDS - first);

		sum += sum_words(off / 4 / WORDS, first, p, m);
		off += 4 * m;
		p += 4 * m;
		n -= 4 * m;
	}
	return n > 0 ? sum + sum_few(off, p, n) : sum;
}

static int
summed_write(struct axt_sink *sink, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_summed *s = (struct axt_summed *)sink;

	__atomic_fetch_add(&s->sum, sum_bytes(off, p, n), __ATOMIC_RELAXED);
	return s->to->write(s->to, off, p, n, e);
}

void
axt_summed_begin(struct axt_summed *s, struct axt_sink *to)
{
	*s = (struct axt_summed){ .sink = { .ordered = to->ordered, .write = summed_write },
		.to = to };
}
