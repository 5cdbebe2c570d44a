/* err.c - errors: the first one is kept, as one line. */
#include <stdio.h>

#include "base/base.h"

/*
 * Turns line breaks and tabs into blanks, and drops a UTF-8 sequence that the buffer's end cut in
 * two.
 */
static void
one_line(char *s, size_t cap, int wanted)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			s[i] = ' ';
	if (wanted < 0 || (size_t)wanted < cap)
		return;
	while (n > 0 && ((unsigned char)s[n - 1] & 0xc0) == 0x80)
		n--;
	if (n > 0 && (unsigned char)s[n - 1] >= 0xc0)
		n--;
	s[n] = '\0';
}

int
axt_fail(struct axt_err *e, enum axt_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->code != AXT_OK)
		return code;
	e->code = code;
	e->hint[0] = '\0';
	e->fact = (struct axt_fact){ 0 };
	va_start(ap, fmt);
	one_line(e->text, sizeof(e->text), vsnprintf(e->text, sizeof(e->text), fmt, ap));
	va_end(ap);
	return code;
}

void
axt_hint(struct axt_err *e, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!e || e->code == AXT_OK || e->hint[0])
		return;
	va_start(ap, fmt);
	n = vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
	one_line(e->hint, sizeof(e->hint), n);
	/* the beginning of a line does something else than the line */
	if (n >= (int)sizeof(e->hint) && strstr(e->hint, "axt-"))
		e->hint[0] = '\0';
}

/* Copies the first n characters of a word, or makes none of one that does not fit. */
static void
keep(char *out, size_t size, const char *s, size_t n)
{
	out[0] = '\0';
	if (s && n < size)
		snprintf(out, size, "%.*s", (int)n, s);
}

void
axt_about_part(struct axt_err *e, enum axt_about about, const char *word, size_t n, const char *of)
{
	if (!e || e->code == AXT_OK || e->fact.about != AXT_ABOUT_NOTHING)
		return;
	e->fact.about = about;
	keep(e->fact.word, sizeof(e->fact.word), word, n);
	keep(e->fact.of, sizeof(e->fact.of), of, of ? strlen(of) : 0);
}

void
axt_about(struct axt_err *e, enum axt_about about, const char *word, const char *of)
{
	axt_about_part(e, about, word, word ? strlen(word) : 0, of);
}

void
axt_about_among(struct axt_err *e, const char *name)
{
	size_t n;

	if (!e || e->code == AXT_OK)
		return;
	n = strlen(e->fact.among);
	if (n + strlen(name) + 2 < sizeof(e->fact.among))
		snprintf(e->fact.among + n, sizeof(e->fact.among) - n, "%s%s", n ? "\n" : "", name);
}
