/*
 * arrange.c - arranges a new file so that its datasets can grow in place: the messages of their
 * headers that change when they grow go to continuation blocks, which lie together in one block of
 * a page.
 */
#include "hdf5/append/inner.h"

bool
axt_ohdr_read(const uint8_t *p, size_t n, struct axt_ohdr *o)
{
	size_t at, len;
	int flags;

	if (n < 16 || memcmp(p, "OHDR\2", 5) != 0)
		return false;
	flags = p[5];
	o->head = flags & 4 ? 6 : 4;
	at = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
	len = (size_t)1 << (flags & 3);
	if (at + len > n)
		return false;
	o->from = at + len;
	o->to = o->from + (size_t)axt_le(p + at, (int)len);
	return o->to >= o->from && o->to + 4 <= n;
}

size_t
axt_ohdr_find(const uint8_t *p, size_t head, size_t from, size_t to, int type, size_t *n)
{
	for (; from + head <= to; from += *n) {
		*n = head + (size_t)axt_le(p + from + 1, 2);
		if (*n > to - from)
			return 0;
		if (p[from] == type)
			return from;
	}
	return 0;
}

/* The messages of one block of a header: the first one, or a continuation. */
struct area {
	uint64_t start; /* of the block, whose checksum is behind the messages */
	uint64_t from, to;
};
#define AREAS 16

/*
 * Lists the blocks that the messages of a header are in. Returns how many there are, or 0 if the
 * header is not understood.
 */
static int
list_areas(const uint8_t *p, uint64_t n, uint64_t head, struct area a[AREAS], size_t *prefix)
{
	struct axt_ohdr o;
	size_t m;
	int k = 1;

	if (head >= n || !axt_ohdr_read(p + head, (size_t)(n - head), &o))
		return 0;
	*prefix = o.head;
	a[0] = (struct area){ head, head + o.from, head + o.to };
	for (int i = 0; i < k; i++)
		for (size_t at = a[i].from;
		     (at = axt_ohdr_find(p, o.head, at, a[i].to, AXT_MSG_CONT, &m)); at += m) {
			uint64_t to = axt_le(p + at + o.head, 8),
				 len = axt_le(p + at + o.head + 8, 8);

			if (k == AREAS || to >= n || len > n - to || len < 8 ||
			    memcmp(p + to, "OCHK", 4) != 0)
				return 0;
			a[k++] = (struct area){ to, to + 4, to + len - 4 };
		}
	return k;
}

/* Whether each message of a block ends in it. */
static bool
is_whole(const uint8_t *p, const struct area *a, size_t prefix)
{
	for (uint64_t i = a->from, m; i + prefix <= a->to; i += m) {
		m = prefix + axt_le(p + i + 1, 2);
		if (m > a->to - i)
			return false;
	}
	return true;
}

/*
 * Rewrites a block of a header without the messages that are moved. If no block names the new block
 * yet and there is room, a message is added that names it: it is at `at`, and has so many bytes.
 */
static bool
rewrite(uint8_t *p, const struct area *a, size_t prefix, uint64_t at, uint64_t bytes, bool *named)
{
	uint8_t *kept = p + a->from, *c; /* messages move towards the beginning of the block */
	size_t n = 0, m, room = (size_t)(a->to - a->from), rest;

	if (!is_whole(p, a, prefix))
		return false;
	for (uint64_t i = a->from; i + prefix <= a->to; i += m) {
		m = prefix + (size_t)axt_le(p + i + 1, 2);
		if (p[i] == 0 || p[i] == AXT_MSG_SPACE || p[i] == AXT_MSG_LAYOUT)
			continue;
		memmove(kept + n, p + i, m);
		n += m;
	}
	memset(kept + n, 0, room - n);
	if (!*named && room - n >= prefix + 16) {
		c = kept + n;
		c[0] = AXT_MSG_CONT;
		axt_put_le(c + 1, 16, 2);
		axt_put_le(c + prefix, at, 8);
		axt_put_le(c + prefix + 8, bytes, 8);
		n += prefix + 16;
		*named = true;
	}
	rest = room - n; /* a message of nothing fills it; less than its header is a gap */
	if (rest >= prefix)
		axt_put_le(kept + n + 1, rest - prefix, 2);
	axt_put_le(p + a->to, axt_lookup3(p + a->start, (size_t)(a->to - a->start)), 4);
	return true;
}

/* The message of that type in any block of a header, and which block that is; 0: there is none. */
static size_t
find_in(const uint8_t *p, size_t prefix, const struct area *a, int n, int type, size_t *bytes,
    int *in)
{
	size_t at = 0;

	for (*in = 0; *in < n && !at; *in += !at)
		at = axt_ohdr_find(p, prefix, a[*in].from, a[*in].to, type, bytes);
	return at;
}

/*
 * Moves the two messages of the header at `head` that appends change, the extents and the layout,
 * to a new block of the header at `to`, where `room` bytes are free. p has the n bytes of the file
 * in which its metadata lie. Returns the bytes of the new block, or 0 if that is not possible.
 */
static size_t
move(uint8_t *p, uint64_t n, uint64_t head, uint64_t to, size_t room)
{
	struct area a[AREAS];
	size_t space, layout, ns, nl, len, prefix;
	int k = list_areas(p, n, head, a, &prefix), is, il;
	uint8_t *q = p + to;
	bool named = false;

	if (k == 0 || !(space = find_in(p, prefix, a, k, AXT_MSG_SPACE, &ns, &is)) ||
	    !(layout = find_in(p, prefix, a, k, AXT_MSG_LAYOUT, &nl, &il)))
		return 0;
	len = 8 + ns + nl;
	if (len > room)
		return 0;
	memcpy(q, "OCHK", 4);
	memcpy(q + 4, p + space, ns);
	memcpy(q + 4 + ns, p + layout, nl);
	axt_put_le(q + len - 4, axt_lookup3(q, len - 4), 4);
	/* the message that names the new block is shorter than each of those that go */
	if (!rewrite(p, &a[is], prefix, to, len, &named) ||
	    (il != is && !rewrite(p, &a[il], prefix, to, len, &named)))
		return 0;
	return named ? len : 0;
}

bool
axt_growth_arrange(uint8_t *p, uint64_t n, const uint64_t *head, int nheads, uint64_t end)
{
	uint8_t *page = p + AXT_GROWTH_AT;
	size_t at = 0, len;

	if (n < AXT_GROWTH_AT + AXT_GROWTH_BYTES || nheads < 1 || nheads > AXT_GROWN_MOST)
		return false;
	for (int i = 0; i < nheads; i++, at += len) {
		len = move(p, n, head[i], AXT_GROWTH_AT + at, AXT_GROWTH_TAIL - at);
		if (len == 0)
			return false;
	}
	axt_put_le(page + AXT_GROWTH_EPOCH, 1, 8);
	axt_put_le(page + AXT_GROWTH_USED, end, 8);
	axt_put_le(page + AXT_GROWTH_END, end, 8);
	axt_growth_seal(page);
	return true;
}
