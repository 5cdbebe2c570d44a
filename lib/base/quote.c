/* quote.c - words of lines that can be typed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axt_cmd.h"
#include "base/quote.h"

/* How a word is written. */
enum { PLAIN, QUOTED, ESCAPED };

static int
way_of(const char *s, const char *shown)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-/+,:@%=";
	/* of "=x", zsh makes the path of a command x */
	bool empty = !*s || (*s == '=' && s[1] && !strchr("0123456789=", s[1]));
	int way = empty ? QUOTED : PLAIN;

	if (strcmp(s, shown) != 0)
		return ESCAPED;
	for (; *s; s++)
		if ((unsigned char)*s < 0x80 && !strchr(plain, *s))
			way = QUOTED;
	return way;
}

/* One byte of a word; how many of out it takes. */
static int
letter(char out[5], int way, unsigned char c)
{
	if (way == QUOTED && c == '\'')
		return sprintf(out, "'\\''");
	if (way == ESCAPED && (c == '\'' || c == '\\'))
		return sprintf(out, "\\%c", c);
	if (way == ESCAPED && (c < 0x20 || c >= 0x7f))
		return sprintf(out, "\\x%02x", c);
	return sprintf(out, "%c", c);
}

const char *
axt_quoted_to(char *out, size_t n, const char *s)
{
	static const char *const before[] = { "", "'", "$'" };
	size_t cap = 4 * strlen(s) + 1, at;
	char *shown = malloc(cap);
	int way = shown ? way_of(s, axt_escape_to(shown, cap, s)) : ESCAPED;
	char c[5];

	free(shown);
	at = (size_t)snprintf(out, n, "%s%s", before[way],
	    s[0] == '-' && s[1] && s[1] != ':' ? "./" : "");
	for (; *s && at < n; s++, at += strlen(c)) {
		letter(c, way, (unsigned char)*s);
		snprintf(out + at, n - at, "%s", c);
	}
	if (at + 1 >= n) /* half of a name would be another name */
		snprintf(out, n, "FILE");
	else if (way != PLAIN)
		strcpy(out + at, "'");
	return out;
}

const char *
axt_quoted(struct axt_arena *a, const char *s)
{
	size_t n = s ? 4 * strlen(s) + 8 : 0;
	char *out = s ? axt_alloc(a, n) : NULL;

	return out ? axt_quoted_to(out, n, s) : NULL;
}

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Makes characters of \xHH, in place. */
static void
unescape(char *s)
{
	char *to = s;

	while (*s)
		if (s[0] == '\\' && s[1] == 'x' && digit(s[2]) >= 0 && digit(s[3]) >= 0) {
			*to++ = (char)(digit(s[2]) << 4 | digit(s[3]));
			s += 4;
		} else {
			*to++ = *s++;
		}
	*to = '\0';
}

const char *
axt_typed(struct axt_arena *a, const char *fmt, ...)
{
	va_list ap;
	int n;
	char *shown, *s;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	shown = axt_alloc(a, (size_t)n + 1);
	s = axt_alloc(a, (size_t)n + 1);
	if (!shown || !s)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(shown, (size_t)n + 1, fmt, ap);
	va_end(ap);
	strcpy(s, shown);
	unescape(s);
	/* what looks like an escape, and was none */
	return axt_quoted(a, strcmp(axt_escape(a, s), shown) == 0 ? s : shown);
}
