/*
 * axt_line.c - puts command lines together that do what other tools do.
 */
#include <stdlib.h>
#include <string.h>

#include "axt_line.h"

char line_text[1500];
static size_t line_used;

/* Adds the first n bytes of s, or all if there are fewer. */
static void
put_bytes(const char *s, int n)
{
	if (line_used < sizeof(line_text))
		line_used += (size_t)snprintf(line_text + line_used, sizeof(line_text) - line_used,
		    "%.*s", n, s);
}

void
line_put_more(const char *text)
{
	char quoted[2048], *dash;

	axt_quoted_to(quoted, sizeof(quoted), text);
	/* what begins with a dash was typed as an option, or behind "--" */
	if (*text == '-' && (dash = strstr(quoted, "./-")))
		memmove(dash, dash + 2, strlen(dash + 2) + 1);
	put_bytes(quoted, (int)strlen(quoted));
}

void
line_put(const char *text, bool word)
{
	put_bytes(" ", word);
	if (word)
		line_put_more(text);
	else
		put_bytes(text, (int)strlen(text));
}

void
line_from(const char *command)
{
	line_used = 0;
	line_put(command, false);
}

void
line_begin(void)
{
	line_from(cmd_st.c->name);
}

int
line_tensors(const char *file)
{
	struct axt_graph *g = axt_graph_new();
	const char *const *names = g ? axt_tensors(g, file) : NULL;
	int n = 0;

	while (names && names[n])
		n++;
	axt_graph_free(g);
	return n;
}

void
line_put_whole(const char *w)
{
	char both[2048];

	snprintf(both, sizeof(both), "%s:*", w);
	line_put(!strchr(w, ':') && advice_is_file(w) && line_tensors(w) > 1 ? both : w, true);
}

void
guess_put_operand(const char *w)
{
	if ((cmd_st.c->flags & (CMD_WRITES | CMD_FILES)) && cmd_st.c->in[0] && !cmd_st.o.each &&
	    !cmd_st.o.dataset && !(cmd_st.c->flags & (CMD_LISTS | CMD_NAMED)))
		line_put_whole(w);
	else
		line_put(w, true);
}

bool
line_is_field(const char *w)
{
	return axt_has_word("year season month day hour dayofyear daysinmonth date", w);
}

bool
line_is_part(const char *w)
{
	size_t n = strcspn(w, "=@ ");

	return n > 0 && (w[n] == '=' || w[n] == '@') && w[n + 1] &&
	    strchr("0123456789-:.", w[n + 1]) && !memchr(w, '/', n) && !advice_is_file(w + n + 1);
}

/* Puts the names of the file's axes in place of usual ones, in a line. */
static void
put_own_axes(char *line, size_t size, const struct advice_file *f)
{
	static const char *const usual[] = { "time", "lat", "lon", "lev" };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		size_t len = strlen(usual[i]);
		const char *own = advice_has(&f->axes, usual[i]) ? NULL : advice_axis(f, usual[i]);

		for (char *p = line; own && (p = strstr(p, usual[i])); p += len) {
			const char *rest = advice_text("%s", p + len);

			if (p == line || !strchr(" ,", p[-1]) ||
			    (p[len] && !strchr(" ,=@.", p[len])))
				continue;
			if ((size_t)(p - line) + strlen(own) + strlen(rest) < size)
				sprintf(p, "%s%s", own, rest);
		}
	}
}

void
cmd_own_axes(char *line, size_t size, int n, char *const v[])
{
	for (int i = 0; i < n; i++)
		if (advice_is_file(v[i])) {
			if (strstr(line, v[i]) && strncmp(line, "axt-calc", 8) != 0)
				put_own_axes(line, size, advice_look(v[i]));
			return;
		}
}
