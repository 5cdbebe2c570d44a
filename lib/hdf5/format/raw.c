/*
 * raw.c - reads blocks of metadata. Each block must be inside the file and have the right signature
 * and checksum, and the total of all blocks is limited.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5/format/raw.h"

#define MAX_BLOCK ((uint64_t)64 << 20)

/*
 * Where the HDF5 file ends, as the superblock gives it or, if the file is shorter, where that ends.
 * Bytes behind the end do not belong to the HDF5 file.
 */
uint64_t
axt_raw_end(const struct axt_src *s)
{
	return s->stream ? s->eoa : MIN(s->size, s->eoa);
}

bool
axt_raw_inside(const struct axt_src *s, uint64_t addr, uint64_t n)
{
	uint64_t end;

	return !__builtin_add_overflow(addr, n, &end) && end <= axt_raw_end(s) &&
	    end <= (uint64_t)INT64_MAX;
}

uint64_t
axt_raw_all(const struct axt_src *s)
{
	return axt_raw_end(s) + MAX_BLOCK;
}

const uint8_t *
axt_raw_block(struct axt_raw *r, uint64_t addr, uint64_t n)
{
	struct axt_src *s = r->s;
	uint8_t *p;

	if (addr == AXT_UNDEF || n == 0 || n > MAX_BLOCK ||
	    __builtin_add_overflow(addr, s->base, &addr) ||
	    !(axt_raw_inside(s, addr, n) || (axt_raw_grown(s) && axt_raw_inside(s, addr, n))))
		return NULL;
	r->many |= n > r->left;
	if (r->many)
		return NULL;
	r->left -= n;
	p = axt_alloc(r->m, n);
	s->starved |= !p;
	return p && axt_src_read(s, addr, n, p) == 0 ? p : NULL;
}

bool
axt_raw_summed(struct axt_raw *r, uint64_t addr, const uint8_t *p, uint64_t n)
{
	struct axt_src *s = r->s;

	while (!axt_sum_ok(p, (size_t)n)) {
		if (s->waits == 0)
			return false;
		usleep(1000);
		s->waits--;
		/* the block is in the arena, where it may be written again */
		if (axt_src_read(s, addr + s->base, (size_t)n + 4, (uint8_t *)(uintptr_t)p) != 0)
			return false;
	}
	return true;
}

bool
axt_raw_grown(struct axt_src *s)
{
	struct stat st;

	if (!s->shared_write || axt_file_stat(s->of, &st) != 0 || (uint64_t)st.st_size <= s->size)
		return false;
	s->size = s->eoa = (uint64_t)st.st_size;
	return true;
}

bool
axt_raw_signed(struct axt_raw *r, uint64_t addr, uint64_t n, const char *sign, struct axt_cur *c)
{
	const uint8_t *p = n < 8 ? NULL : axt_raw_block(r, addr, n);

	if (!p || !axt_raw_summed(r, addr, p, n - 4) || memcmp(p, sign, 4) != 0)
		return false;
	*c = (struct axt_cur){ .p = p + 4, .n = n - 8 };
	return true;
}

bool
axt_old_node_read(struct axt_raw *r, uint64_t addr, int type, size_t key, int level,
    struct axt_old_node *out)
{
	size_t a = (size_t)r->s->addr_size, head = 8 + 2 * a;
	uint64_t most = 2 * (uint64_t)(type == AXT_OLD_TREE_CHUNKS ? r->s->chunk_k : r->s->group_k);
	const uint8_t *p = axt_raw_block(r, addr, head);

	if (!p || memcmp(p, "TREE", 4) != 0 || p[4] != type || (level >= 0 && p[5] != level))
		return false;
	*out = (struct axt_old_node){ .level = p[5], .n = axt_le(p + 6, 2) };
	if (out->n > most)
		return false;
	axt_raw_claim(r->s, AXT_BLOCK_TREE, addr, head + most * (key + a) + key);
	if (out->n == 0)
		return true;
	out->c.n = (size_t)out->n * (key + a) + key;
	out->c.p = axt_raw_block(r, addr + head, out->c.n);
	return out->c.p != NULL;
}

/*
 * The checksum of HDF5's blocks.
 * source  Bob Jenkins, lookup3.c, hashlittle (public domain), on bytes.
 */
static inline uint32_t
rot(uint32_t x, int k)
{
	return x << k | x >> (32 - k);
}

uint32_t
axt_lookup3(const uint8_t *p, size_t n)
{
	uint32_t a, b, c;
	uint8_t last[12] = { 0 };

	a = b = c = 0xdeadbeef + (uint32_t)n;
	for (; n > 12; n -= 12, p += 12) {
		a += axt_le32(p);
		b += axt_le32(p + 4);
		c += axt_le32(p + 8);
		a -= c, a ^= rot(c, 4), c += b;
		b -= a, b ^= rot(a, 6), a += c;
		c -= b, c ^= rot(b, 8), b += a;
		a -= c, a ^= rot(c, 16), c += b;
		b -= a, b ^= rot(a, 19), a += c;
		c -= b, c ^= rot(b, 4), b += a;
	}
	if (n == 0)
		return c;
	memcpy(last, p, n);
	a += axt_le32(last);
	b += axt_le32(last + 4);
	c += axt_le32(last + 8);
	c ^= b, c -= rot(b, 14);
	a ^= c, a -= rot(c, 11);
	b ^= a, b -= rot(a, 25);
	c ^= b, c -= rot(b, 16);
	a ^= c, a -= rot(c, 4);
	b ^= a, b -= rot(a, 14);
	c ^= b, c -= rot(b, 24);
	return c;
}
