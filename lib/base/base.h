/*
 * base.h - errors, arenas, growing buffers, hash tables, checked sizes, names and numbers as text.
 * Of axt's headers it includes only axt_types.h and axt_fact.h.
 */
#ifndef AXT_BASE_BASE_H
#define AXT_BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "axt_fact.h"
#include "axt_types.h"

#ifdef __cplusplus
extern "C" { /* some of these are functions of axt_cmd.h, too */
#endif

#define ARRAY_LEN(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The first error is kept and later ones are dropped. text is one line; names in it are escaped. */
struct axt_err {
	enum axt_code code;
	char text[1024];
	char hint[512]; /* "" or one more line */
	struct axt_fact fact;
};

/* Sets the error unless one is set, and returns code, so that `return axt_fail(...)` works. */
int axt_fail(struct axt_err *e, enum axt_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a hint to the error just set, unless it has one. */
void axt_hint(struct axt_err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same, of a hint that tells what is typed in place of the word that the error is about. */
void axt_hint_meant(struct axt_err *e, const char *meant, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, of an option that mends it: the hint is "--option VALUE", or "--option" without one. */
void axt_hint_option(struct axt_err *e, const char *option, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Adds the fact that the error just set is about, unless it has one. The words may be NULL. Returns
 * the error's code.
 */
int axt_about(struct axt_err *e, enum axt_about about, const char *word, const char *of);
/* The same of the first n characters of a word. */
int axt_about_part(struct axt_err *e, enum axt_about about, const char *word, size_t n,
    const char *of);
/* Adds one of the names that may have been meant, to the fact of the error just set. */
void axt_about_among(struct axt_err *e, const char *name);
/* Gives an error that has none the text, the hint and the fact of another one; returns its code. */
int axt_err_copy(struct axt_err *e, const struct axt_err *other);
/* Puts other words in the place of an error's text; what it is about stays. */
void axt_reword(struct axt_err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * For a process that only finds out whether a command line can be carried out. It gives
 * axt_look_only a function, which axt_reach calls. axt_reach is called before a value or a byte of
 * a pipe is read, before anything is opened to be written, and before a library is loaded that a
 * word names.
 */
void axt_look_only(void (*reached)(void));
void axt_reach(void);

/*
 * An arena is memory that lives as long as its graph and is freed all at once. What axt_alloc
 * returns is zeroed and aligned to 16 bytes, or NULL when memory ran out. Not thread-safe.
 */
struct axt_arena;
struct axt_arena *axt_arena_new(void);
void axt_arena_free(struct axt_arena *a);
/* Whether memory ran out once: then a NULL that usually means "there is none" may mean that. */
bool axt_arena_failed(const struct axt_arena *a);
void *axt_alloc(struct axt_arena *a, size_t n);
char *axt_strdup(struct axt_arena *a, const char *s);
char *axt_strndup(struct axt_arena *a, const char *s, size_t n);
char *axt_sprintf(struct axt_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Allocates at least n + 64 bytes, aligned to 64, which free() frees; NULL: out of memory. For 4
 * MiB or more it asks for huge pages, which cost fewer page faults and fewer misses of the TLB.
 */
void *axt_scratch_new(int64_t n);

/*
 * A table finds pointers by a hash. It stores no keys: the caller compares the values found:
 * 	for (x = axt_table_first(t, h); x; x = axt_table_next(x)) ... x->value
 * Entries lie in the arena. A table starts as {0}. add returns false when out of memory.
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
/* Continues a hash: h is the hash of the bytes before these n (0 when there were none). */
uint64_t axt_hash(uint64_t h, const void *p, size_t n);
static inline uint64_t
axt_hash_pointer(const void *p)
{
	return axt_hash(0, &p, sizeof(p));
}

/*
 * Bytes that grow, always NUL-terminated. bad is set, and stays set, once memory ran out. Starts as
 * {0}.
 */
struct axt_buf {
	char *p;
	size_t n, cap;
	bool bad;
};
void axt_buf_add(struct axt_buf *b, const void *p, size_t n);
void axt_buf_adds(struct axt_buf *b, const char *s);
void axt_buf_addf(struct axt_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Where the caller may write n bytes and a NUL, then adding n to b->n; NULL: out of memory. */
char *axt_buf_reserve(struct axt_buf *b, size_t n);
void axt_buf_release(struct axt_buf *b);
/* Moves the text to the arena and releases b. NULL when memory ran out, now or earlier. */
char *axt_buf_text(struct axt_arena *a, struct axt_buf *b);

/* Each returns false when the result does not fit. */
static inline bool
axt_mul(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/*
 * A copy in the arena as messages show a name: control characters, bidi controls, invisible
 * characters and bytes that are not UTF-8 become \xHH.
 */
const char *axt_escape(struct axt_arena *a, const char *s);
/*
 * Writes what axt_escape would give to a buffer of n bytes, cut to fit, and returns the buffer: for
 * texts of errors, where there is no arena.
 */
const char *axt_escape_to(char *out, size_t n, const char *s);

/*
 * The length in bytes of the UTF-8 character at s, and the character in *cp; 0 if there is none. s
 * is NUL-terminated, and NUL is a character of length 1.
 */
int axt_utf8(const char *s, uint32_t *cp);

/*
 * The one of n words that is nearest to w by edit distance (Damerau-Levenshtein), or NULL when the
 * distance is over a third of the length.
 */
const char *axt_nearest(const char *w, const char *const *words, int n);

/*
 * A number as typed: a decimal or hexadecimal float, inf, nan or an integer, always in the C
 * locale. f has the value in any case; if is_int, i has it exactly (or u, if is_unsigned).
 */
struct axt_num {
	bool is_int, is_unsigned; /* the value is over INT64_MAX and is in u */
	bool is_big;              /* typed as an integer that only f can hold */
	int64_t i;
	uint64_t u;
	double f;
};
bool axt_parse_num(const char *s, struct axt_num *out);
/*
 * Reads the decimal number that begins at s, and ends before `end`. Returns where it ends. -0 is an
 * integer. NULL: there is no number, or only axt_parse_num can read it.
 */
const char *axt_scan_num(const char *s, const char *end, struct axt_num *out);
/* strtod in the C locale. */
double axt_strtod(const char *s, char **end);
/* An integer in [lo, hi] that is the whole of s. */
bool axt_parse_int(const char *s, int64_t lo, int64_t hi, int64_t *out);
/* ---- decimal.c ---- */

/*
 * Finds the decimal number with the fewest digits that reads back as the double c * 2^q and, of
 * several, the nearest. Returns its digits as an integer, which may end in zeros and is to be
 * multiplied by 10^*exponent. 0 < c < 2^53, and q is in [-1074, 971]. closer: the next smaller
 * double is half as far away as the next larger one.
 */
uint64_t axt_shortest(uint64_t c, int q, bool closer, int *exponent);
/*
 * Writes v with n <= AXT_FIXED_MOST digits after the point, as printf does. Returns the length,
 * which is below 48, or 0 if v is not finite or too large for this function.
 */
#define AXT_FIXED_MOST 17
int axt_fixed_text(char *out, double v, int n);
/* Writes the last n decimal digits of u, without a NUL. */
void axt_digits(char *out, uint64_t u, int n);
int axt_digits_count(uint64_t u);
/* Writes u and a NUL; returns the length, at most 20. */
int axt_u64_text(char *out, uint64_t u);

/* Reads a number of bytes as typed: "512M", "2G", "64k", "1.5G", in powers of 1024. */
bool axt_parse_size(const char *s, int64_t *out);

#ifdef __cplusplus
}
#endif
#endif
