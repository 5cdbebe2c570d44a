/*
 * base.h - errors, arena, growing buffers, checked sizes, escaping, numbers.
 * Includes nothing of axt but axt.h.
 */
#ifndef AXT_BASE_BASE_H
#define AXT_BASE_BASE_H

#include <stdarg.h>
#include <string.h>

#include "axt.h"

#define ARRAY_LEN(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The first error sticks; later ones are dropped. text is one line, names in it are escaped. */
struct axt_err {
	enum axt_code code;
	char text[1024];
	char hint[512];		/* "" or one more line */
};

/* Sets the error unless one is set; returns code, so `return axt_fail(...)` works. */
int axt_fail(struct axt_err *e, enum axt_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a hint to the error just set, unless it has one. */
void axt_hint(struct axt_err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Arena: memory that lives as long as its graph. Zeroed, 16-aligned. NULL when
 * out of memory. Not thread-safe.
 */
struct axt_arena;
struct axt_arena *axt_arena_new(void);
void axt_arena_free(struct axt_arena *a);
/* Memory has run out once: what was left out for another reason may be missing for this one. */
bool axt_arena_failed(const struct axt_arena *a);
void *axt_alloc(struct axt_arena *a, size_t n);
char *axt_strdup(struct axt_arena *a, const char *s);
char *axt_strndup(struct axt_arena *a, const char *s, size_t n);
char *axt_sprintf(struct axt_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * n bytes and at least 64 more, aligned to 64, for free(). Much at once lies on huge pages where the
 * system has them: fewer faults, and fewer misses of the TLB. NULL when out of memory.
 */
void *axt_room(int64_t n);

/*
 * Table: pointers by a hash of what they are known by, which whoever looks compares:
 *	for (x = axt_table_first(t, h); x; x = axt_table_next(x)) ... x->value
 * Entries lie in the arena. Start from {0}. add: false when out of memory.
 */
struct axt_entry {
	uint64_t hash;
	void *value;
	struct axt_entry *next;
};
struct axt_table {
	struct axt_entry **slot;
	size_t n, cap;
};
bool axt_table_add(struct axt_arena *m, struct axt_table *t, uint64_t hash, void *value);
const struct axt_entry *axt_table_first(const struct axt_table *t, uint64_t hash);
const struct axt_entry *axt_table_next(const struct axt_entry *x);
/* The hash of n bytes that follow what h is the hash of; h is 0 at first. */
uint64_t axt_hash(uint64_t h, const void *p, size_t n);
static inline uint64_t
axt_hash_pointer(const void *p)
{
	return axt_hash(0, &p, sizeof p);
}

/*
 * Growing bytes, always NUL-terminated; bad is set (and stays) when memory ran
 * out. Start from {0}.
 */
struct axt_buf {
	char *p;
	size_t n, cap;
	bool bad;
};
void axt_buf_add(struct axt_buf *b, const void *p, size_t n);
void axt_buf_adds(struct axt_buf *b, const char *s);
void axt_buf_addf(struct axt_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Where n bytes and a NUL may be put, which b->n then counts; NULL: out of memory. */
char *axt_buf_room(struct axt_buf *b, size_t n);
void axt_buf_release(struct axt_buf *b);
/* The text as the arena's, and releases b; NULL: out of memory, now or before, which the arena keeps. */
char *axt_buf_text(struct axt_arena *a, struct axt_buf *b);

/* Sizes: false when the result does not fit. */
static inline bool
axt_mul(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/*
 * Names as messages and text show them: control bytes, DEL, C1, bidi controls,
 * what shows nothing and bad UTF-8 as \xHH. In the arena.
 */
const char *axt_escape(struct axt_arena *a, const char *s);
/*
 * The same into a fixed buffer, cut at n-1 bytes; returns out. For error texts,
 * where there is no arena.
 */
const char *axt_escape_to(char *out, size_t n, const char *s);

/*
 * One UTF-8 character at s (NUL-terminated): its length in bytes, or 0 when it
 * is none; NUL counts as one.
 */
int axt_utf8(const char *s, uint32_t *cp);

/*
 * Nearest of n words to w by edit distance (Damerau-Levenshtein, at most a
 * third of the length), or NULL.
 */
const char *axt_nearest(const char *w, const char *const *words, int n);

/*
 * A number as typed: decimal or hex float, inf, nan, or an integer; whole word or nothing (no
 * blanks, no locale). is_int: i (or u when over INT64_MAX) is exact. f is always set.
 */
struct axt_num {
	bool is_int, is_unsigned;	/* is_unsigned: value only fits u */
	bool is_big;			/* typed as an integer, and only f holds it */
	int64_t i;
	uint64_t u;
	double f;
};
bool axt_parse_num(const char *s, struct axt_num *out);
/*
 * The same of a decimal number at s, before end, as far as it goes: where it stops; NULL: there is none, or
 * only axt_parse_num can tell. -0 is an integer.
 */
const char *axt_scan_num(const char *s, const char *end, struct axt_num *out);
/* strtod in the C locale. */
double axt_strtod(const char *s, char **end);
/* Whole-word integer in [lo, hi]. */
bool axt_parse_int(const char *s, int64_t lo, int64_t hi, int64_t *out);
/* ---- decimal.c ---- */

/*
 * The fewest decimal digits that, times 10^*exponent, read back as c * 2^q, which is no 0, and of these the
 * nearest. They may end in zeros. c is below 2^53, q from -1074 to 971; closer: the next number below is half
 * as far as that above.
 */
uint64_t axt_shortest(uint64_t c, int q, bool closer, int *exponent);
/*
 * v with n digits behind the point, n at most AXT_FIXED_MOST, as printf has it; its length, below 48. 0: it is
 * not finite, or too large for this.
 */
#define AXT_FIXED_MOST 17
int axt_fixed_text(char *out, double v, int n);
/* The last n decimal digits of u, no NUL. */
void axt_digits(char *out, uint64_t u, int n);
int axt_digits_count(uint64_t u);
/* With a NUL; returns the length, 20 at most. */
int axt_u64_text(char *out, uint64_t u);

/* "512M", "2G", "64k", "1.5G": bytes, powers of 1024. */
bool axt_parse_size(const char *s, int64_t *out);

#endif
