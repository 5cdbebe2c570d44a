/*
 * h5sane.c - messages whose inner lengths lie: libhdf5 1.10 decodes types, attributes and links
 * without looking where the message ends, and frees what it never had when a link fails.
 * Objects with such a message are not opened.
 * source  HDF5 File Format Specification 3.0, section IV.A.2.
 */
#include "h5raw.h"

#define MAX_NEST 16

enum {
	MSG_SPACE = 0x01, MSG_TYPE = 0x03, MSG_OLD_FILL = 0x04, MSG_FILL = 0x05, MSG_LINK = 0x06,
	MSG_FILTERS = 0x0b,
};

static bool type_ok(struct axt_cur *c, int nest, uint64_t *size);

/* A NUL-terminated name, padded to 8 with its NUL before version 3. */
static bool
name_ok(struct axt_cur *c, int version)
{
	const uint8_t *end = c->n ? memchr(c->p, 0, c->n) : NULL;
	size_t n;

	if (c->bad || !end)
		return false;
	n = (size_t)(end - c->p) + 1;
	return axt_cur_skip(c, version < 3 ? (n + 7) & ~(size_t)7 : n);
}

static bool
compound_ok(struct axt_cur *c, int version, unsigned members, uint64_t size, int nest)
{
	for (unsigned i = 0; i < members; i++) {
		uint64_t at, part;

		if (!name_ok(c, version))
			return false;
		at = axt_cur_num(c, version < 3 ? 4 : axt_le_width(size));
		if (version == 1)
			axt_cur_skip(c, 28);
		if (!type_ok(c, nest + 1, &part) || at > size || part > size - at)
			return false;
	}
	return members > 0;
}

static bool
enum_ok(struct axt_cur *c, int version, unsigned members, uint64_t size, int nest)
{
	uint64_t base;

	if (!type_ok(c, nest + 1, &base) || base != size)
		return false;
	for (unsigned i = 0; i < members; i++)
		if (!name_ok(c, version))
			return false;
	return axt_cur_skip(c, (size_t)(members * base));
}

static bool
array_ok(struct axt_cur *c, int version, uint64_t size, int nest)
{
	uint64_t rank = axt_cur_num(c, 1), base, n = 1;

	if (version < 3)
		axt_cur_skip(c, 3);
	if (rank > AXT_MAX_RANK)
		return false;
	for (uint64_t k = 0; k < rank; k++)
		if (__builtin_mul_overflow(n, axt_cur_num(c, 4), &n))
			return false;
	if (version < 3)
		axt_cur_skip(c, 4 * (size_t)rank);
	return type_ok(c, nest + 1, &base) && !__builtin_mul_overflow(n, base, &n) && n == size;
}

static bool
type_ok(struct axt_cur *c, int nest, uint64_t *size)
{
	/* integer, float, time, string, bit field */
	static const uint8_t fixed[] = { 4, 12, 2, 0, 4 };
	unsigned head = (unsigned)axt_cur_num(c, 1), bits = (unsigned)axt_cur_num(c, 3);
	int class = head & 15, version = head >> 4;
	uint64_t base;

	*size = axt_cur_num(c, 4);
	if (c->bad || *size == 0 || nest > MAX_NEST || version < 1 || version > 3)
		return false;
	if (class < (int)sizeof(fixed))
		return axt_cur_skip(c, fixed[class]);
	switch (class) {
	case 5:
		return axt_cur_skip(c, bits & 255);
	case 6:
		return compound_ok(c, version, bits & 0xffff, *size, nest);
	case 7:
		return true;
	case 8:
		return enum_ok(c, version, bits & 0xffff, *size, nest);
	case 9:
		return type_ok(c, nest + 1, &base);
	case 10:
		return array_ok(c, version, *size, nest);
	}
	return false;
}

/* *n: elements, 0 of a null space. */
static bool
space_ok(struct axt_cur *c, int len_size, uint64_t *n)
{
	int version = (int)axt_cur_num(c, 1), rank = (int)axt_cur_num(c, 1),
	    flags = (int)axt_cur_num(c, 1);
	int kind = (int)axt_cur_num(c, 1);

	if (version == 1)
		axt_cur_skip(c, 4);
	*n = version == 2 && kind == 2 ? 0 : 1;
	if (version < 1 || version > 2 || rank > AXT_MAX_RANK)
		return false;
	for (int k = 0; k < rank; k++)
		if (__builtin_mul_overflow(*n, axt_cur_num(c, len_size), n))
			*n = UINT64_MAX;
	if (flags & 1)
		axt_cur_skip(c, (size_t)(rank * len_size));
	return !c->bad;
}

/* c: the attribute; rest: bytes of its value that are not in it. */
static bool
attr_ok(struct axt_cur *c, uint64_t rest, int len_size)
{
	uint64_t size = 1, n = 0, bytes;
	struct axt_raw_head h;

	if (!axt_raw_head(c, &h))
		return false;
	/* A committed type or shared space is a reference here: its size is not known. */
	if (h.flags & 3)
		return (h.flags & 1) || type_ok(&h.type, 0, &size);
	return type_ok(&h.type, 0, &size) && space_ok(&h.space, len_size, &n) &&
	    !__builtin_mul_overflow(size, n, &bytes) &&
	    (bytes <= c->n || bytes - c->n <= rest);
}

static bool
link_ok(struct axt_cur *c, int addr_size)
{
	int version = (int)axt_cur_num(c, 1), flags = (int)axt_cur_num(c, 1);
	int kind = flags & 8 ? (int)axt_cur_num(c, 1) : 0;
	uint64_t n;

	if (flags & 4)
		axt_cur_skip(c, 8);
	if (flags & 16)
		axt_cur_skip(c, 1);
	n = axt_cur_num(c, 1 << (flags & 3));
	if (version != 1 || n == 0 || !axt_cur_skip(c, (size_t)n))
		return false;
	if (kind == 0)
		return axt_cur_skip(c, (size_t)addr_size);
	n = axt_cur_num(c, 2);
	return kind == 1 ? n > 0 && axt_cur_skip(c, (size_t)n) : kind >= 64 &&
	    axt_cur_skip(c, (size_t)n);
}

static bool
fill_ok(struct axt_cur *c)
{
	int version = (int)axt_cur_num(c, 1), flags;

	if (version == 3) {
		flags = (int)axt_cur_num(c, 1);
		return !(flags & 0x20) || axt_cur_skip(c, (size_t)axt_cur_num(c, 4));
	}
	axt_cur_skip(c, 2);
	flags = (int)axt_cur_num(c, 1);
	return (version == 2 && !flags) || axt_cur_skip(c, (size_t)axt_cur_num(c, 4));
}

static bool
filters_ok(struct axt_cur *c)
{
	int version = (int)axt_cur_num(c, 1), n = (int)axt_cur_num(c, 1);

	if (version == 1)
		axt_cur_skip(c, 6);
	for (int k = 0; k < n && !c->bad; k++) {
		uint64_t id = axt_cur_num(c, 2), name = 0, cd;

		if (version == 1 || id >= 256)
			name = axt_cur_num(c, 2);
		axt_cur_skip(c, 2);
		cd = axt_cur_num(c, 2);
		axt_cur_skip(c, (size_t)(version == 1 ? (name + 7) & ~UINT64_C(7) : name));
		axt_cur_skip(c, (size_t)(4 * cd + (version == 1 && cd % 2 ? 4 : 0)));
	}
	return !c->bad && (version == 1 || version == 2);
}

/* Answers true to end the walk at a message that lies. */
static bool
lies(void *ctx, const struct axt_raw_msg *g)
{
	struct axt_src *s = ctx;
	struct axt_cur c = g->c;
	uint64_t n;

	switch (g->type) {
	case MSG_SPACE:
		return !space_ok(&c, s->len_size, &n);
	case MSG_TYPE:
		return !type_ok(&c, 0, &n);
	case MSG_OLD_FILL:
		return !axt_cur_skip(&c, (size_t)axt_cur_num(&c, 4));
	case MSG_FILL:
		return !fill_ok(&c);
	case MSG_LINK:
		return !link_ok(&c, s->addr_size);
	case AXT_RAW_LAYOUT:
		return !axt_raw_virtual_ok(s, c);
	case MSG_FILTERS:
		return !filters_ok(&c);
	case AXT_RAW_ATTR:
		return !attr_ok(&c, g->rest, s->len_size);
	}
	return false;
}

bool
axt_raw_sane(struct axt_src *s, uint64_t obj)
{
	return !axt_raw_each(s, obj, lies, s);
}
