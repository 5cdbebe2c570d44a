/*
 * growing.c - adds records to a file in place: finds room behind what the file uses, writes values
 * and indexes there, and then does the one write that shows them.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hdf5/append/index.h"

#define SUPER 48     /* bytes of a superblock of version 2, whose addresses have 8 bytes */
#define HEADER 65536 /* bytes of a header, or of a block of it, that are looked at */
#define MORE 16

/* One dataset. */
struct part {
	struct axt_grown d;
	size_t dim, root; /* in the block: its length, the address of its index; and ... */
	size_t from, to;  /* ... the continuation block that both are in */
	int rank;
	int64_t chunk, bytes; /* records of a chunk; bytes of it */
	struct axt_index index;
	int64_t first; /* the chunk that the first new record is in */
	int64_t n;     /* how many chunks have new records */
	uint64_t *at;  /* [n]: their addresses */
	bool shared;   /* the first of them has old records, too */
};
struct axt_growing {
	int fd, n;
	const char *shown;
	bool clean; /* the last change of the file was an append */
	uint8_t super[SUPER], page[AXT_GROWTH_BYTES];
	struct part part[AXT_GROWN_MOST];
};

/* ---- the datasets ---- */

/* Where the first dimension is in a message of a dataspace, or 0. */
static size_t
first_dim(const uint8_t *body, size_t n, int *rank)
{
	size_t at = n > 4 && body[0] == 1 ? 8 : 4;

	*rank = n > 4 ? body[1] : 0;
	return n > 4 && (body[0] == 1 || body[0] == 2) && (body[2] & 1) && *rank > 0 &&
		*rank < AXT_MAX_RANK && n >= at + 16 * (size_t)*rank
	    ? at
	    : 0;
}

/*
 * Finds, in the messages of a header, the one that leads to a part of the file's block. Notes in
 * more[] where else messages are. Returns whether it was found.
 */
static bool
find_part(struct part *p, const uint8_t *h, size_t head, size_t from, size_t to, uint64_t *more,
    int *nmore)
{
	size_t m;

	for (; (from = axt_ohdr_find(h, head, from, to, AXT_MSG_CONT, &m)); from += m) {
		uint64_t at = axt_le(h + from + head, 8), len = axt_le(h + from + head + 8, 8);

		p->from = (size_t)(at - AXT_GROWTH_AT);
		p->to = (size_t)(p->from + len);
		if (p->from < AXT_GROWTH_TAIL && len > 8 && len <= AXT_GROWTH_TAIL - p->from)
			return true;
		if (*nmore < MORE && len > 8 && len <= HEADER) {
			more[2 * *nmore] = at;
			more[2 * (*nmore)++ + 1] = len;
		}
	}
	return false;
}

/* Reads a dataset's header into h. Returns whether a part of the block belongs to it. */
static bool
read_header(struct axt_growing *w, struct part *p, uint8_t *h, size_t *head)
{
	size_t n = axt_read_at(w->fd, h, HEADER, p->d.head);
	uint64_t more[2 * MORE];
	int nmore = 0;
	struct axt_ohdr o;
	bool found;

	if (!axt_ohdr_read(h, n, &o))
		return false;
	*head = o.head;
	found = find_part(p, h, o.head, o.from, o.to, more, &nmore);
	for (int i = 0; i < nmore && !found; i++) {
		n = (size_t)more[2 * i + 1];
		found = axt_read_at(w->fd, h, n, more[2 * i]) == n && memcmp(h, "OCHK", 4) == 0 &&
		    find_part(p, h, o.head, 4, n - 4, more, &nmore);
	}
	return found;
}

/* Finds a dataset's messages in the block. False: they are not as axt lays them out. */
static bool
find_messages(struct axt_growing *w, struct part *p, uint8_t *h)
{
	size_t m, space, layout, elem = 0, head;
	const uint8_t *b;

	if (!read_header(w, p, h, &head) || memcmp(w->page + p->from, "OCHK", 4) != 0 ||
	    !(space = axt_ohdr_find(w->page, head, p->from + 4, p->to - 4, AXT_MSG_SPACE, &m)))
		return false;
	p->dim = first_dim(w->page + space + head, m - head, &p->rank);
	layout = axt_ohdr_find(w->page, head, p->from + 4, p->to - 4, AXT_MSG_LAYOUT, &m);
	if (!p->dim || !layout || m - head < 11 + 4 * ((size_t)p->rank + 1))
		return false;
	p->dim += space + head;
	b = w->page + layout + head;
	if (b[0] != 3 || b[1] != 2 || b[2] != p->rank + 1)
		return false;
	p->root = layout + head + 3;
	p->chunk = axt_le32(b + 11);
	p->bytes = p->chunk;
	for (int k = 1; k <= p->rank; k++) {
		elem = axt_le32(b + 11 + 4 * (size_t)k);
		/* chunks of whole records */
		if (k < p->rank && elem != axt_le(w->page + p->dim + 8 * (size_t)k, 8))
			return false;
		if (!axt_mul(p->bytes, (int64_t)elem, &p->bytes))
			return false;
	}
	return p->chunk > 0 && p->bytes > 0 && p->bytes < UINT32_MAX &&
	    (p->d.record == 0 || p->bytes == p->chunk * p->d.record);
}

/* Reads the header of a dataset and its index. 1: it cannot get records in place. */
static int
read_part(struct axt_growing *w, struct part *p, struct axt_err *e)
{
	uint8_t *h = malloc(HEADER);
	uint64_t last, have;
	bool found;
	int rc;

	if (!h)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	found = find_messages(w, p, h);
	free(h);
	have = found ? axt_le(w->page + p->dim, 8) : 0;
	if (!found || have != (uint64_t)p->d.have)
		return 1;
	p->index = (struct axt_index){ .fd = w->fd,
		.rank = p->rank,
		.shown = w->shown,
		.chunk = p->chunk };
	if (p->d.record == 0)
		return 0;
	rc = axt_index_open(&p->index, axt_le(w->page + p->root, 8), p->d.have, &last, e);
	if (rc)
		return rc;
	p->first = p->d.have / p->chunk;
	p->shared = p->d.have % p->chunk != 0;
	p->n = (p->d.have + p->d.more - 1) / p->chunk - p->first + 1;
	p->at = calloc((size_t)p->n, sizeof(*p->at));
	if (!p->at)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (p->shared)
		p->at[0] = last;
	return 0;
}

/* How many datasets the block has. */
static int
count(const uint8_t *page)
{
	int n = 0;

	for (size_t i = 0; i + 4 <= AXT_GROWTH_TAIL; i++)
		n += memcmp(page + i, "OCHK", 4) == 0;
	return n;
}

/* ---- room ---- */

/* Makes the file longer: it is so before its superblock says so. */
static int
extend(struct axt_growing *w, uint64_t need, struct axt_err *e)
{
	uint64_t used = axt_le(w->page + AXT_GROWTH_USED, 8),
		 end = axt_le(w->page + AXT_GROWTH_END, 8), eof = axt_le(w->super + 28, 8), step;
	struct stat st;

	if (used + need <= end)
		return 0;
	if (end != eof) /* others have made the file longer: what was free before that stays so */
		used = (eof + 7) & ~UINT64_C(7);
	step = MIN(MAX(need, eof / 16), MAX(need, UINT64_C(64) << 20));
	end = (used + step + AXT_GROWTH_BYTES - 1) & ~(uint64_t)(AXT_GROWTH_BYTES - 1);
	if (fstat(w->fd, &st) || ((uint64_t)st.st_size < end && ftruncate(w->fd, (off_t)end)))
		return axt_fail(e, AXT_E_IO, "%s: cannot be made longer: %s", w->shown,
		    strerror(errno));
	axt_put_le(w->super + 28, end, 8);
	axt_put_le(w->super + 44, axt_lookup3(w->super, 44), 4);
	if (axt_pwrite(w->fd, w->super + 28, 20, 28, w->shown, e))
		return e->code;
	axt_put_le(w->page + AXT_GROWTH_USED, used, 8);
	axt_put_le(w->page + AXT_GROWTH_END, end, 8);
	return 0;
}

/* Takes room for all new chunks and nodes of indexes. */
static int
take_room(struct axt_growing *w, struct axt_err *e)
{
	uint64_t need = 0, used;
	int64_t one;

	for (int i = 0; i < w->n; i++) {
		const struct part *p = &w->part[i];

		if (!p->at)
			continue;
		if (!axt_mul(p->n - p->shared, p->bytes + 64, &one))
			return axt_fail(e, AXT_E_LIMIT, "%s: too many records", w->shown);
		if (p->n > p->shared)
			need += (uint64_t)one + (uint64_t)axt_index_room(&p->index, p->n);
	}
	if (need == 0)
		return 0;
	if (extend(w, need, e))
		return e->code;
	used = axt_le(w->page + AXT_GROWTH_USED, 8);
	for (int i = 0; i < w->n; i++) {
		struct part *p = &w->part[i];

		for (int64_t k = p->shared; p->at && k < p->n; k++) {
			p->at[k] = used = (used + 7) & ~UINT64_C(7);
			used += (uint64_t)p->bytes;
			if (axt_index_add(&p->index, (p->first + k) * p->chunk, p->at[k],
				(uint32_t)p->bytes, &used, e))
				return e->code;
		}
	}
	axt_put_le(w->page + AXT_GROWTH_USED, used, 8);
	return 0;
}

/* ---- from outside ---- */

/* Whether the file is one of axt that can grow. */
static bool
is_ours(struct axt_growing *w)
{
	struct stat st;

	if (axt_read_at(w->fd, w->super, SUPER, 0) != SUPER ||
	    memcmp(w->super, "\211HDF\r\n\032\n\2\10\10", 11) != 0 || w->super[11] != 0 ||
	    axt_le(w->super + 12, 8) != 0 || axt_le(w->super + 20, 8) != UINT64_MAX ||
	    axt_le32(w->super + 44) != axt_lookup3(w->super, 44) ||
	    !axt_growth_read(w->fd, w->page) || fstat(w->fd, &st))
		return false;
	w->clean = axt_growth_is(w->page, AXT_GROWTH_SEC, &st.st_mtim);
	if (!w->clean) {
		axt_put_le(w->page + AXT_GROWTH_EPOCH, axt_le(w->page + AXT_GROWTH_EPOCH, 8) + 1,
		    8);
		axt_growth_put(w->page, AXT_GROWTH_OLD, &st.st_mtim);
	}
	return (uint64_t)st.st_size >= axt_le(w->super + 28, 8);
}

/* Tells readers of changes by others before this append, and then that this is one. */
static int
announce(struct axt_growing *w, struct axt_err *e)
{
	axt_growth_seal(w->page);
	if (!w->clean &&
	    axt_pwrite(w->fd, w->page + AXT_GROWTH_TAIL, AXT_GROWTH_BYTES - AXT_GROWTH_TAIL,
		AXT_GROWTH_AT + AXT_GROWTH_TAIL, w->shown, e))
		return e->code;
	axt_lock_appends(w->fd, true);
	return 0;
}

int
axt_growing_open(int fd, const char *shown, const struct axt_grown *d, int n,
    struct axt_growing **out, struct axt_err *e)
{
	struct axt_growing *w = calloc(1, sizeof(*w));
	int rc = 0;

	*out = NULL;
	if (!w)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	w->fd = fd;
	w->shown = shown;
	w->n = MIN(n, AXT_GROWN_MOST);
	if (n > AXT_GROWN_MOST || !is_ours(w) || count(w->page) != n)
		rc = 1;
	for (int i = 0; i < w->n && !rc; i++) {
		w->part[i].d = d[i];
		rc = read_part(w, &w->part[i], e);
	}
	if (!rc)
		rc = announce(w, e) || take_room(w, e) ? (int)e->code : 0;
	if (rc) {
		axt_growing_close(w);
		return e->code;
	}
	*out = w;
	return 0;
}

int
axt_growing_put(struct axt_growing *w, int i, int64_t off, const void *p, int64_t n,
    struct axt_err *e)
{
	struct part *q = &w->part[i];
	int64_t at = off + (q->d.have - q->first * q->chunk) * q->d.record;
	const char *from = p;

	while (n > 0) {
		int64_t k = at / q->bytes, in = at % q->bytes, m = MIN(n, q->bytes - in);

		if (k >= q->n)
			return axt_fail(e, AXT_E_IO, "%s: more records than were told", w->shown);
		if (axt_pwrite(w->fd, from, (size_t)m, q->at[k] + (uint64_t)in, w->shown, e))
			return e->code;
		from += m;
		at += m;
		n -= m;
	}
	return 0;
}

/* Puts the new lengths and roots into the block. */
static void
fill_block(struct axt_growing *w, const struct timespec *now)
{
	for (int i = 0; i < w->n; i++) {
		struct part *p = &w->part[i];

		axt_put_le(w->page + p->dim, (uint64_t)(p->d.have + p->d.more), 8);
		if (p->at)
			axt_put_le(w->page + p->root, p->index.root, 8);
		axt_put_le(w->page + p->to - 4, axt_lookup3(w->page + p->from, p->to - 4 - p->from),
		    4);
	}
	axt_growth_put(w->page, AXT_GROWTH_SEC, now);
	axt_growth_seal(w->page);
}

static int
flush(struct axt_growing *w, bool sync, struct axt_err *e)
{
	if (sync && fdatasync(w->fd))
		axt_fail(e, AXT_E_IO, "%s: %s", w->shown, strerror(errno));
	return e->code;
}

int
axt_growing_commit(struct axt_growing *w, bool sync, struct axt_err *e)
{
	struct timespec t[2] = { { .tv_nsec = UTIME_OMIT } };

	for (int i = 0; i < w->n; i++)
		if (w->part[i].at && axt_index_flush(&w->part[i].index, e))
			return e->code;
	if (flush(w, sync, e))
		return e->code;
	clock_gettime(CLOCK_REALTIME, &t[1]);
	fill_block(w, &t[1]);
	if (axt_pwrite(w->fd, w->page, AXT_GROWTH_BYTES, AXT_GROWTH_AT, w->shown, e))
		return e->code;
	futimens(w->fd, t); /* without it readers only cannot tell that nothing but this changed */
	return flush(w, sync, e);
}

void
axt_growing_close(struct axt_growing *w)
{
	if (w)
		axt_lock_appends(w->fd, false);
	for (int i = 0; w && i < w->n; i++) {
		axt_index_close(&w->part[i].index);
		free(w->part[i].at);
	}
	free(w);
}
