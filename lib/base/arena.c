/* arena.c - memory that is freed all at once, and large aligned buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/base.h"

#define BLOCK ((size_t)16384)
#define ALIGN ((size_t)16)

struct block {
	struct block *next;
	size_t used, cap; /* bytes after the header */
};
#define HEAD ((sizeof(struct block) + ALIGN - 1) & ~(ALIGN - 1))

struct axt_arena {
	struct block *first; /* the block being filled; full and large ones follow */
	bool failed;
};

struct axt_arena *
axt_arena_new(void)
{
	return calloc(1, sizeof(struct axt_arena));
}

void
axt_arena_free(struct axt_arena *a)
{
	struct block *b, *next;

	if (!a)
		return;
	for (b = a->first; b; b = next) {
		next = b->next;
		free(b);
	}
	free(a);
}

bool
axt_arena_failed(const struct axt_arena *a)
{
	return a->failed;
}

static void *
carve(struct block *b, size_t n)
{
	void *p = (char *)b + HEAD + b->used;

	b->used += n;
	return p;
}

void *
axt_alloc(struct axt_arena *a, size_t n)
{
	struct block *b = a->first;
	size_t cap;

	if (n > PTRDIFF_MAX - 2 * BLOCK)
		return NULL;
	n = n ? (n + ALIGN - 1) & ~(ALIGN - 1) : ALIGN;
	if (b && b->cap - b->used >= n)
		return carve(b, n);
	cap = n > BLOCK / 4 ? n : BLOCK;
	b = calloc(1, HEAD + cap);
	if (!b) {
		a->failed = true;
		return NULL;
	}
	b->cap = cap;
	/*
	 * A large allocation has a block of its own. It is linked behind the first block, which
	 * goes on being filled.
	 */
	if (cap == n && a->first) {
		b->next = a->first->next;
		a->first->next = b;
	} else {
		b->next = a->first;
		a->first = b;
	}
	return carve(b, n);
}

char *
axt_strndup(struct axt_arena *a, const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = axt_alloc(a, n + 1);
	if (p)
		memcpy(p, s, n);
	return p;
}

char *
axt_strdup(struct axt_arena *a, const char *s)
{
	return axt_strndup(a, s, strlen(s));
}

char *
axt_sprintf(struct axt_arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = n < 0 ? NULL : axt_alloc(a, (size_t)n + 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

char *
axt_buf_text(struct axt_arena *a, struct axt_buf *b)
{
	char *p = b->bad ? NULL : axt_strdup(a, b->p ? b->p : "");

	a->failed |= b->bad;
	axt_buf_release(b);
	return p;
}

#define LINE ((size_t)64)
#define HUGE ((size_t)2 << 20)

void *
axt_scratch_new(int64_t n)
{
	size_t need = (size_t)n + LINE, whole = (need + HUGE - 1) / HUGE * HUGE;
	/* below 4 MiB where they are nearly filled */
	size_t align = (size_t)n >= 2 * HUGE || whole - need <= need / 8 ? HUGE : LINE;
	size_t bytes = (need + align - 1) / align * align;
	void *p = aligned_alloc(align, bytes);

	if (p && align == HUGE)
		madvise(p, bytes, MADV_HUGEPAGE); /* only a hint: failure is harmless */
	return p;
}
