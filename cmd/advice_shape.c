/* advice_shape.c - what the synopsis of the command has, and changes of one word of a line. */
#include <ctype.h>
#include <string.h>

#include "advice_edits.h"

/* Whether the word has the command's kind of first words: an operation, or a list of such. */
bool
advice_is_choice(const char *w)
{
	const char *name, *line;
	size_t n = strcspn(w, ",:");

	for (int i = 0; cmd_st.c->choice && cmd_st.c->choice(i, &name, &line); i++)
		if (strcspn(name, ":") == n && strncmp(name, w, n) == 0)
			return true;
	return false;
}

/* Whether the command's words are specs, as AXIS=LEN, and not names of axes alone. */
bool
advice_takes_specs(void)
{
	return (cmd_st.c->flags & CMD_SPECS) ||
	    (cmd_st.c->words[0] && strchr(cmd_st.c->words[0], '=') != NULL);
}

bool
advice_takes_attributes(void)
{
	return cmd_st.c->operands && strstr(cmd_st.c->operands, "NAME[=") != NULL;
}

bool
advice_takes_axes_first(void)
{
	const char *w = cmd_st.c->words[0];

	return w && strncmp(w, "AX", 2) == 0 && !strchr(w, '=');
}

/* Where words of the command stand: behind those that choose an operation. */
int
advice_first_place(const struct advice_line *l)
{
	int i = advice_operand(l, 0);

	i = i < 0 ? l->n : i;
	return i < l->n && advice_is_choice(l->v[i]) ? i + 1 : i;
}

/* An option of the command's own that takes axes and was not given; NULL: none. */
const struct cmd_opt *
advice_axes_option(const struct advice_line *l)
{
	const struct cmd_opt *o = cmd_st.c->opts;

	for (; o && o->type != CMD_T_END; o++)
		if (o->arg && strncmp(o->arg, "AX", 2) == 0 && !strchr(o->arg, '=') &&
		    (strcmp(o->name, "over") == 0 || strcmp(o->name, "along") == 0) &&
		    advice_option_at(l, advice_text("--%s", o->name)) < 0)
			return o;
	return NULL;
}

const char *
advice_dashed(const struct cmd_opt *o)
{
	return advice_text("--%s", o->name);
}

const struct cmd_opt *
advice_option_called(const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++)
		if (strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

const struct cmd_opt *
advice_option_of(const char *word)
{
	return advice_option_called(word + strspn(word, "-"));
}

/* The axis that is most often meant: that of time, or the first. */
const char *
advice_usual_axis(const struct advice_file *f)
{
	const char *time = f->axes.n > 0 ? advice_axis(f, "time") : NULL;

	if (advice_has(&f->axes, "time"))
		return "time";
	return time ? time : f->axes.n > 0 ? f->axes.v[0] : NULL;
}

/* The copy of a line without a word. */
struct advice_line
advice_without(const struct advice_line *l, int at)
{
	struct advice_line c = *l;

	advice_drop(&c, at, 1);
	return c;
}

/* Offers the line with another word in place of one. */
void
advice_offer_word(const struct advice_line *l, int at, const char *word, double cost)
{
	struct advice_line c = *l;

	if (!word || strcmp(word, l->v[at]) == 0)
		return;
	c.v[at] = word;
	advice_offer(l, &c, cost);
}

/* Whether the word is the file of the result, which is never meant to be another one. */
static bool
is_output(const struct advice_line *l, int i)
{
	return l->part[i] == ADVICE_VALUE && axt_has_word("-o --output", l->v[i - 1]);
}

/* Offers the line with `is` for `was` in the words that have it, as a whole or between signs. */
void
advice_offer_swapped(const struct advice_line *l, const char *was, const char *is, double cost)
{
	size_t n = strlen(was);
	struct advice_line c = *l;
	bool any = false;

	for (int i = 1; i < l->n && n > 0; i++) {
		const char *p = l->part[i] == ADVICE_OPTION || is_output(l, i)
		    ? NULL
		    : strstr(l->v[i], was);

		for (; p; p = strstr(p + 1, was)) {
			bool begins = p == l->v[i] || !isalnum((unsigned char)p[-1]);
			bool ends = !isalnum((unsigned char)p[n]) && p[n] != '_' && p[n] != '-';

			if (!begins || (!ends && isalnum((unsigned char)was[n - 1])))
				continue;
			c.v[i] = advice_text("%.*s%s%s", (int)(p - l->v[i]), l->v[i], is, p + n);
			any = true;
			break;
		}
	}
	if (any)
		advice_offer(l, &c, cost);
}

/* Where a word stands that is no option, or that has it between signs; -1. */
int
advice_place_of(const struct advice_line *l, const char *word)
{
	for (int i = 1; i < l->n && *word; i++)
		if (l->part[i] != ADVICE_OPTION && strcmp(l->v[i], word) == 0)
			return i;
	for (int i = 1; i < l->n && *word; i++)
		if (l->part[i] != ADVICE_OPTION && strstr(l->v[i], word))
			return i;
	return -1;
}
