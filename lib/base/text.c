/* text.c - names made safe to show, a word found in a text, and the nearest of some words. */
#include <stdlib.h>

#include "axt_cmd.h"
#include "base/base.h"

/* As in RFC 3629: shortest forms only, no surrogates, up to U+10FFFF. */
int
axt_utf8(const char *s, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	int n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	uint32_t c;

	if (n <= 1) {
		*cp = *p;
		return n;
	}
	c = *p & (0xffu >> (n + 1));
	for (int i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*cp = c;
	return n;
}

/*
 * Whether a character could move the cursor, break the line or reverse the direction of text, or
 * shows nothing, so that two different names look the same: Unicode's control characters, line and
 * paragraph separators, annotation marks, and all with Default_Ignorable_Code_Point (Unicode 15.1,
 * DerivedCoreProperties.txt).
 */
static bool
unsafe(uint32_t c)
{
	static const uint32_t ranges[][2] = {
		{ 0, 0x1f },
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x61c, 0x61c },
		{ 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },
		{ 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};
	int i = 0;

	while (i < ARRAY_LEN(ranges) && c > ranges[i][1])
		i++;
	return i < ARRAY_LEN(ranges) && c >= ranges[i][0];
}

/* The next character of *s, escaped if need be; returns its length in out. */
static int
piece(const char **s, char out[17])
{
	static const char hex[] = "0123456789abcdef";
	const char *p = *s;
	uint32_t c;
	int n = axt_utf8(p, &c), m = 0;

	*s += n ? n : 1;
	if (n && !unsafe(c)) {
		memcpy(out, p, (size_t)n);
		return n;
	}
	for (int i = 0; i < (n ? n : 1); i++) {
		out[m++] = '\\';
		out[m++] = 'x';
		out[m++] = hex[(unsigned char)p[i] >> 4];
		out[m++] = hex[(unsigned char)p[i] & 15];
	}
	return m;
}

const char *
axt_escape_to(char *out, size_t n, const char *s)
{
	char p[17];
	size_t at = 0;

	if (!n)
		return out;
	while (s && *s) {
		size_t m = (size_t)piece(&s, p);

		if (at + m >= n)
			break;
		memcpy(out + at, p, m);
		at += m;
	}
	out[at] = '\0';
	return out;
}

const char *
axt_escape(struct axt_arena *a, const char *s)
{
	size_t n = strlen(s);
	char *p = n < SIZE_MAX / 8 ? axt_alloc(a, 4 * n + 1) : NULL;

	return p ? axt_escape_to(p, 4 * n + 1, s) : NULL;
}

static bool
is_part(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_';
}

bool
axt_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p++)
		if ((p == text || !is_part(p[-1])) && !is_part(p[n]))
			return true;
	return false;
}

int
axt_choice(const char *choices, const char *word)
{
	size_t n = strlen(word);

	for (int i = 0; choices; i++) {
		if (strncmp(choices, word, n) == 0 && (choices[n] == '|' || choices[n] == '\0'))
			return i;
		choices = strchr(choices, '|');
		choices += choices != NULL;
	}
	return -1;
}

#define WORD 63

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Counts insertions, deletions, changes and swaps of neighbours; ignores case. */
static int
distance(const char *a, int na, const char *b, int nb)
{
	int row[3][WORD + 1];

	for (int j = 0; j <= nb; j++)
		row[0][j] = j;
	for (int i = 1; i <= na; i++) {
		int *d = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

		d[0] = i;
		for (int j = 1; j <= nb; j++) {
			char x = lower(a[i - 1]), y = lower(b[j - 1]);

			d[j] = MIN(MIN(up[j], d[j - 1]) + 1, up[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
				d[j] = MIN(d[j], up2[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

const char *
axt_nearest(const char *w, const char *const *words, int n)
{
	size_t nw = strlen(w);
	const char *best = NULL;
	int least = WORD;

	if (nw == 0 || nw > WORD)
		return NULL;
	for (int i = 0; i < n; i++) {
		size_t m = words[i] ? strlen(words[i]) : 0;
		int d;

		if (m == 0 || m > WORD)
			continue;
		d = distance(w, (int)nw, words[i], (int)m);
		if (d < least && d <= (int)MAX(nw, m) / 3) {
			least = d;
			best = words[i];
		}
	}
	return best;
}
