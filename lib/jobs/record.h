/*
 * record.h - what is written as bytes: the record of an output, and what the first process of a job
 * tells the others. Numbers are 8 bytes, little-endian. Text is its length, or -1 where there is
 * none, and its bytes.
 */
#ifndef AXT_JOBS_RECORD_H
#define AXT_JOBS_RECORD_H

#include <endian.h>
#include <string.h>

#include "jobs/parts.h"

static inline void
put(struct axt_buf *b, int64_t v)
{
	uint64_t x = htole64((uint64_t)v);

	axt_buf_add(b, &x, sizeof(x));
}

static inline void
put_text(struct axt_buf *b, const char *s)
{
	put(b, s ? (int64_t)strlen(s) : -1);
	if (s)
		axt_buf_adds(b, s);
}

struct reader {
	struct axt_arena *m;
	const unsigned char *p;
	size_t n;
	bool bad;
};

/* A number from lo to hi. */
static inline int64_t
get(struct reader *r, int64_t lo, int64_t hi)
{
	uint64_t x;
	int64_t v;

	if (r->bad || r->n < sizeof(x)) {
		r->bad = true;
		return lo;
	}
	memcpy(&x, r->p, sizeof(x));
	r->p += sizeof(x);
	r->n -= sizeof(x);
	v = (int64_t)le64toh(x);
	r->bad = v < lo || v > hi;
	return r->bad ? lo : v;
}

/* A copy of the next n bytes, with room for `more` behind them. */
static inline void *
get_bytes(struct reader *r, size_t n, size_t more)
{
	char *s = !r->bad && n <= r->n ? axt_alloc(r->m, n + more) : NULL;

	r->bad = !s;
	if (!s)
		return NULL;
	memcpy(s, r->p, n);
	r->p += n;
	r->n -= n;
	return s;
}

static inline const char *
get_text(struct reader *r)
{
	int64_t n = get(r, -1, (int64_t)r->n);
	char *s = n < 0 ? NULL : get_bytes(r, (size_t)n, 1);

	if (s)
		s[n] = '\0';
	return s;
}

#endif
