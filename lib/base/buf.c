/* buf.c - bytes that grow. */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

/* Makes room for n more bytes and the NUL. */
static bool
grow(struct axt_buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 64;
	char *p;

	if (b->bad || n >= SIZE_MAX / 2 - b->n) {
		b->bad = true;
		return false;
	}
	while (cap < b->n + n + 1)
		cap *= 2;
	if (cap == b->cap)
		return true;
	p = realloc(b->p, cap);
	if (!p) {
		b->bad = true;
		return false;
	}
	b->p = p;
	b->cap = cap;
	return true;
}

char *
axt_buf_reserve(struct axt_buf *b, size_t n)
{
	return grow(b, n) ? b->p + b->n : NULL;
}

void
axt_buf_add(struct axt_buf *b, const void *p, size_t n)
{
	if (!grow(b, n))
		return;
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void
axt_buf_adds(struct axt_buf *b, const char *s)
{
	axt_buf_add(b, s, strlen(s));
}

void
axt_buf_addf(struct axt_buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(b->p ? b->p + b->n : NULL, b->cap - b->n, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= b->cap - b->n) {
		if (n < 0 || !grow(b, (size_t)n)) {
			b->bad = true;
			return;
		}
		va_start(ap, fmt);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	b->n += b->bad ? 0 : (size_t)n;
}

void
axt_buf_release(struct axt_buf *b)
{
	free(b->p);
	*b = (struct axt_buf){ 0 };
}
