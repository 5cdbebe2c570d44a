/* err.c - errors: the first one is kept, as one line. */
#include <stdio.h>

#include "base/base.h"

/*
 * Turns line breaks and tabs into blanks. If the text was longer than the buffer (wanted is how
 * long), a UTF-8 sequence that was cut in two at its end is dropped.
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

static void
hint(struct axt_err *e, const char *fmt, va_list ap)
{
	int n = vsnprintf(e->hint, sizeof(e->hint), fmt, ap);

	one_line(e->hint, sizeof(e->hint), n);
	/* the beginning of a line does something else than the line */
	if (n >= (int)sizeof(e->hint) && strstr(e->hint, "axt-"))
		e->hint[0] = '\0';
}

void
axt_hint(struct axt_err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->code == AXT_OK || e->hint[0])
		return;
	va_start(ap, fmt);
	hint(e, fmt, ap);
	va_end(ap);
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
axt_hint_meant(struct axt_err *e, const char *meant, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->code == AXT_OK || e->hint[0])
		return;
	va_start(ap, fmt);
	hint(e, fmt, ap);
	va_end(ap);
	keep(e->fact.meant, sizeof(e->fact.meant), meant, strlen(meant));
}

void
axt_hint_option(struct axt_err *e, const char *option, const char *fmt, ...)
{
	char value[200];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	if (!e || e->code == AXT_OK || e->hint[0] || n < 0 || (size_t)n >= sizeof(value))
		return;
	axt_hint(e, n ? "--%s %s" : "--%s", option, value);
	keep(e->fact.option, sizeof(e->fact.option), option, strlen(option));
	keep(e->fact.value, sizeof(e->fact.value), value, (size_t)n);
}

int
axt_about_part(struct axt_err *e, enum axt_about about, const char *word, size_t n, const char *of)
{
	if (!e || e->code == AXT_OK)
		return AXT_OK;
	if (e->fact.about == AXT_ABOUT_NOTHING) {
		e->fact.about = about;
		keep(e->fact.word, sizeof(e->fact.word), word, n);
		keep(e->fact.of, sizeof(e->fact.of), of, of ? strlen(of) : 0);
	}
	return e->code;
}

int
axt_about(struct axt_err *e, enum axt_about about, const char *word, const char *of)
{
	return axt_about_part(e, about, word, word ? strlen(word) : 0, of);
}

void
axt_about_among(struct axt_err *e, const char *name)
{
	size_t n;

	if (!e || !name || e->fact.about == AXT_ABOUT_NOTHING)
		return;
	n = strlen(e->fact.among);
	if (n + strlen(name) + 2 < sizeof(e->fact.among))
		snprintf(e->fact.among + n, sizeof(e->fact.among) - n, "%s%s", n ? "\n" : "", name);
}

int
axt_err_copy(struct axt_err *e, const struct axt_err *other)
{
	if (e && e->code == AXT_OK)
		*e = *other;
	return other->code;
}

void
axt_reword(struct axt_err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->code == AXT_OK)
		return;
	va_start(ap, fmt);
	one_line(e->text, sizeof(e->text), vsnprintf(e->text, sizeof(e->text), fmt, ap));
	va_end(ap);
}
