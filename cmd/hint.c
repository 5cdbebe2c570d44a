/*
 * hint.c - the last look at a hint before it is printed: a line in it is tried, a file that is
 * there is not named as an output, and the line that was typed is not told again.
 */
#include <string.h>
#include <unistd.h>

#include "guess.h"

#define BLANKS " \t"

/* Whether w is that name, or in the directory of that name. */
static bool
is_under(const char *w, const char *name)
{
	size_t n = strlen(name);

	return n > 0 && strncmp(w, name, n) == 0 && (!w[n] || w[n] == '/' || name[n - 1] == '/');
}

/* Whether w was typed as an output, or is an operand, the last of which is one in CDO and NCO. */
static bool
typed_output(const char *w, const char *input)
{
	bool typed = false;

	for (int i = 1; i < cmd_st.argc; i++) {
		const char *v = cmd_st.argv[i], *before = cmd_st.argv[i - 1];

		if (((strcmp(before, "-o") == 0 || strcmp(before, "--output") == 0) &&
			is_under(w, v)) ||
		    (strncmp(v, "-o", 2) == 0 && is_under(w, v + 2)) ||
		    (strncmp(v, "--output=", 9) == 0 && is_under(w, v + 9)))
			return true;
		typed = typed || strcmp(v, w) == 0;
	}
	return typed && strcmp(w, input) != 0;
}

/*
 * Writes a name for a result that no file has: STEM.nc, or STEM2.nc, STEM3.nc ... false: there is
 * none, or it would need quotes.
 */
static bool
free_name(const char *like, const char *end, char out[300])
{
	const char *slash = strrchr(like, '/'), *dot = strrchr(slash ? slash : like, '.');
	int n = (int)(dot && dot > like ? (size_t)(dot - like) : strlen(like));

	for (int k = 1; k < 100 && n < 250; k++) {
		if (k == 1)
			snprintf(out, 300, "%.*s%s", n, like, end);
		else
			snprintf(out, 300, "%.*s%d%s", n, like, k, end);
		if (access(out, F_OK) != 0)
			return strpbrk(out, " *?<>|&;()$`\"[]{}!~#'\\") == NULL;
	}
	return false;
}

/* Copies the word that ends before `end`. */
static void
word_before(const char *text, const char *end, char out[300])
{
	const char *p;

	while (end > text && end[-1] == ' ')
		end--;
	if (end > text + 1 && end[-1] == '\'')
		for (p = end - 1; p > text && p[-1] != '\'';)
			p--;
	else
		for (p = end; p > text && p[-1] != ' ';)
			p--;
	snprintf(out, 300, "%.*s", (int)(end - p), p);
}

/* Puts `new` in place of the word `old` from there on, also before ":DATASET". */
static void
replace(char *text, size_t size, size_t from, const char *old, const char *new)
{
	size_t n = strlen(old), m = strlen(new);

	for (char *p = text + from; (p = strstr(p, old));) {
		bool word = p > text && strchr(" '<", p[-1]) && strchr(" ':,|", p[n]);

		if (word && strlen(text) + m < size + n) {
			memmove(p + m, p + n, strlen(p + n) + 1);
			memcpy(p, new, m);
			p += m;
		} else {
			p += n;
		}
	}
}

/* The outputs of the commands in the line get names that no file has. */
static void
free_outputs(char *text, size_t size)
{
	static const char option[] = " -o ";
	char old[300], input[300], new[300];

	if (strstr(text, " --part ")) /* a part of a job is made once more */
		return;
	for (char *p = text; (p = strstr(p, option)); p += sizeof(option) - 1) {
		const char *w = p + sizeof(option) - 1, *command = p;
		size_t n = strcspn(w, BLANKS ",|;'");
		bool from;

		while (command > text && !strchr("|,&", command[-1]))
			command--;
		command += strspn(command, BLANKS);
		/* what axt-from makes is called as the file that it reads */
		from = strncmp(command, "axt-from ", 9) == 0;
		snprintf(old, sizeof(old), "%.*s", (int)n, w);
		word_before(text, p, input);
		if (typed_output(old, input) || n == 0)
			continue;
		from = from && strcmp(old, "a.nc") == 0 && access(input, F_OK) == 0;
		if ((from && free_name(input, ".nc", new)) ||
		    (access(old, F_OK) == 0 && free_name(old, ".nc", new)))
			replace(text, size, (size_t)(p - text), old, new);
	}
}

/* The same for programs whose output stands behind the input, without an option. */
static void
free_converted(char *text, size_t size)
{
	static const char *const programs[][2] = { { "cdo -f nc4 copy ", "a.nc" },
		{ "convert ", "a.ppm" } };
	char input[300], new[300], *p;

	for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
		const char *old = programs[k][1];
		char at[20];

		snprintf(at, sizeof(at), " %s", old);
		if (strncmp(text, programs[k][0], strlen(programs[k][0])) != 0 ||
		    !(p = strstr(text + strlen(programs[k][0]), at)))
			continue;
		word_before(text, p, input);
		if (free_name(input, strchr(old, '.'), new) ||
		    (access(old, F_OK) == 0 && free_name(old, strchr(old, '.'), new)))
			replace(text, size, (size_t)(p - text), old, new);
	}
}

/*
 * Takes one word from a line of the shell, without its quotes; false: there is none, or the shell
 * makes names of files of it.
 */
static bool
next_word(const char **s, char *out, size_t size)
{
	const char *p = *s + strspn(*s, BLANKS);
	size_t n = 0;
	bool quoted = false;

	if (!*p)
		return false;
	for (; *p && (quoted || !strchr(BLANKS, *p)); p++)
		if (*p == '\'')
			quoted = !quoted;
		else if (!quoted && strchr("*?[", *p))
			return false;
		else if (*p == '\\' && !quoted && p[1])
			out[n++] = *++p;
		else if (n + 2 < size)
			out[n++] = *p;
		else
			return false;
	out[n] = '\0';
	*s = p;
	return true;
}

/* Whether the line has the words of both lists, and no others. */
static bool
has_words(const char *text, char *const *v, int n, char *const *more, int nmore)
{
	char word[1500];

	for (int i = 0; i < n + nmore; i++)
		if (!next_word(&text, word, sizeof(word)) ||
		    strcmp(word, i < n ? v[i] : more[i - n]) != 0)
			return false;
	return !next_word(&text, word, sizeof(word));
}

/* Whether the hint is the line that was typed, or that with its options behind the operands. */
static bool
is_typed_line(const char *text)
{
	char word[1500];
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;

	if (!next_word(&text, word, sizeof(word)) || strcmp(word, cmd_st.c->name) != 0 ||
	    cmd_st.argc < 2)
		return false;
	return has_words(text, cmd_st.argv + 1, cmd_st.argc - 1, NULL, 0) ||
	    (a->n + o->n == cmd_st.argc - 1 &&
		has_words(text, (char *const *)a->v, a->n, (char *const *)o->v, o->n));
}

/* Takes the word that was meant out of "did you mean X?", without its quotes; false: it is no such. */
static bool
word_meant(const char *hint, char *is, size_t size)
{
	static const char before[] = "did you mean ";
	const char *from = hint + strlen(before), *end;

	if (strncmp(hint, before, strlen(before)) != 0)
		return false;
	end = *from == '"' ? strchr(++from, '"') : strchr(from, '?');
	if (!end || strspn(end, "\"?") != strlen(end) || end == from ||
	    (size_t)(end - from) >= size || memchr(from, ' ', (size_t)(end - from)))
		return false;
	snprintf(is, size, "%.*s", (int)(end - from), from);
	return true;
}

/* Takes the word out of the error that was mistaken: the option, or what stands in quotes. */
static bool
word_typed(const char *error, char *was, size_t size)
{
	static const char option[] = "unknown option ";
	const char *from = error + strlen(option), *end;

	if (strncmp(error, option, strlen(option)) == 0 && *from == '-') {
		end = from + strlen(from);
	} else {
		from = strstr(error, " has no \"");
		from = strchr(from ? from : error, '"');
		end = from ? strchr(++from, '"') : NULL;
	}
	if (!end || end == from || (size_t)(end - from) >= size)
		return false;
	snprintf(was, size, "%.*s", (int)(end - from), from);
	return true;
}

/* Where the word stands in w by itself, as in "mean,OP:2"; NULL: nowhere. */
static const char *
own_word(const char *w, const char *word)
{
	static const char more[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t n = strlen(word);

	for (const char *p = w; (p = strstr(p, word)); p += n)
		if ((p == w || !strchr(more, p[-1])) && (!p[n] || !strchr(more, p[n])))
			return p;
	return NULL;
}

/* The typed line, with the word that the hint means in place of the one that the error names. */
static const char *
mended_line(const char *error, const char *hint)
{
	char was[200], is[200], word[1500];
	bool any = false;

	if (!word_meant(hint, is, sizeof(is)) || !word_typed(error, was, sizeof(was)))
		return NULL;
	guess_begin();
	for (int i = 1; i < cmd_st.argc; i++) {
		const char *w = cmd_st.argv[i], *at = any ? NULL : own_word(w, was);

		any = any || at;
		snprintf(word, sizeof(word), "%.*s%s%s", at ? (int)(at - w) : 0, w, at ? is : "",
		    at ? at + strlen(was) : w);
		guess_put(word, true);
	}
	return any ? guess_text : NULL;
}

void
cmd_say_hint(const char *error, const char *hint)
{
	char text[2000], line[2000];
	const char *mended;
	bool tried = cmd_is_hint_tried(); /* by the command that started this one */

	snprintf(text, sizeof(text), "%s", hint);
	mended = mended_line(error, text);
	snprintf(line, sizeof(line), "%s", mended ? mended : text);
	if (cmd_try_hint(line, sizeof(line)) || (mended && tried))
		snprintf(text, sizeof(text), "%s", line);
	if (is_typed_line(text))
		return;
	free_outputs(text, sizeof(text));
	free_converted(text, sizeof(text));
	cmd_say("hint: ", text);
}
