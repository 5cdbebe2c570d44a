/*
 * guess_line.c - puts a command line together for a hint, and tells what a typed word is.
 */
#include <string.h>
#include <sys/stat.h>

#include "guess.h"

char guess_text[1500];
static size_t guess_used;

/* Adds the first n bytes of s, or all if there are fewer. */
static void
put_bytes(const char *s, int n)
{
	if (guess_used < sizeof(guess_text))
		guess_used += (size_t)snprintf(guess_text + guess_used,
		    sizeof(guess_text) - guess_used, "%.*s", n, s);
}

void
guess_put_more(const char *text)
{
	char quoted[2048], *dash;

	axt_quoted_to(quoted, sizeof(quoted), text);
	/* what begins with a dash was typed as an option, or behind "--" */
	if (*text == '-' && (dash = strstr(quoted, "./-")))
		memmove(dash, dash + 2, strlen(dash + 2) + 1);
	put_bytes(quoted, (int)strlen(quoted));
}

void
guess_put(const char *text, bool word)
{
	put_bytes(" ", word);
	if (word)
		guess_put_more(text);
	else
		put_bytes(text, (int)strlen(text));
}

void
guess_from(const char *command)
{
	guess_used = 0;
	guess_put(command, false);
}

void
guess_begin(void)
{
	guess_from(cmd_st.c->name);
}

int
guess_tensors(const char *file)
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
guess_put_whole(const char *w)
{
	char both[2048];

	snprintf(both, sizeof(both), "%s:*", w);
	guess_put(!strchr(w, ':') && guess_is_file(w) && guess_tensors(w) > 1 ? both : w, true);
}

void
guess_put_operand(const char *w)
{
	if ((cmd_st.c->flags & (CMD_WRITES | CMD_FILES)) && cmd_st.c->in[0] && !cmd_st.o.each &&
	    !cmd_st.o.dataset && !(cmd_st.c->flags & (CMD_LISTS | CMD_NAMED)))
		guess_put_whole(w);
	else
		guess_put(w, true);
}

const char *
guess_end(int from, int but)
{
	for (int i = from; i < cmd_st.args.n; i++)
		if (i != but)
			guess_put_operand(cmd_as_typed(i));
	for (int i = 0; i < cmd_st.given.n; i++) {
		const char *w = cmd_st.given.v[i];

		/* -over is no option -o with the value "ver" */
		if (w[0] != '-' || w[1] == '-' || !w[1] || !w[2] || !guess_has_option(w + 1))
			guess_put(w, true);
	}
	return guess_text;
}

bool
guess_is_file(const char *w)
{
	char path[4096];
	const char *colon = strchr(w, ':');
	struct stat st;

	snprintf(path, sizeof(path), "%.*s", (int)(colon ? colon - w : (long)strlen(w)), w);
	return strpbrk(path, "./") && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

const struct cmd_opt *
guess_axis_option(void)
{
	static const char *const usual[] = { "along", "over" };

	for (int i = 0; i < 2; i++)
		for (const struct cmd_opt *o = cmd_st.c->opts; o && o->type != CMD_T_END; o++)
			if (strcmp(o->name, usual[i]) == 0 && !*(const char **)o->var)
				return o;
	return NULL;
}

bool
guess_has_tensor(const char *file, const char *name)
{
	struct axt_graph *g = strchr(file, ':') ? NULL : axt_graph_new();
	const char *const *names = g ? axt_tensors(g, file) : NULL;
	bool has = false;

	for (; names && *names; names++)
		has = has || strcmp(*names, name) == 0 ||
		    (**names == '/' && strcmp(*names + 1, name) == 0);
	axt_graph_free(g);
	return has;
}

bool
guess_has_option(const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

bool
guess_is_field(const char *w)
{
	return axt_has_word("year season month day hour dayofyear daysinmonth date", w);
}

const char *
guess_format_given(void)
{
	const struct cmd_list *o = &cmd_st.given;

	for (int i = 0; i < o->n; i++)
		if (strcmp(o->v[i], "--format") == 0)
			return i + 1 < o->n ? o->v[i + 1] : NULL;
		else if (strncmp(o->v[i], "--format=", 9) == 0)
			return o->v[i] + 9;
	return NULL;
}

bool
guess_ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n > t && strcmp(s + n - t, tail) == 0;
}

int
guess_option_at(const char *name, const char **value)
{
	const struct cmd_list *o = &cmd_st.given;
	size_t n = strlen(name);

	for (int i = 0; i < o->n; i++) {
		if (strncmp(o->v[i], name, n) != 0 || (o->v[i][n] && o->v[i][n] != '='))
			continue;
		*value = o->v[i][n] ? o->v[i] + n + 1 : i + 1 < o->n ? o->v[i + 1] : NULL;
		return *value ? i : -1;
	}
	return -1;
}

void
guess_put_options(int but)
{
	const struct cmd_list *o = &cmd_st.given;

	for (int i = 0; i < o->n; i++) {
		if (i == but)
			i += !strchr(o->v[i], '=');
		else
			guess_put(o->v[i], true);
	}
}
