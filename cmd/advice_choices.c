/* advice_choices.c - edits of the word that chooses an operation, and lines of other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"

/* The words of a line as it is typed, with its quotes, and what is piped to it. */
static bool
read_text(const char *text, struct advice_line *l)
{
	const char *bar = NULL;

	*l = (struct advice_line){ .n = 0 };
	for (const char *p = text; (p = strstr(p, " | ")); p++)
		bar = p;
	if (bar) {
		struct advice_line *from = cmd_kept(sizeof(*from));

		if (!read_text(advice_text("%.*s", (int)(bar - text), text), from))
			return false;
		l->from = from;
		text = bar + 3;
	}
	while (*(text += strspn(text, " "))) {
		char *word = advice_copy(text), *to = word;
		bool quoted = false;

		for (; *text && (quoted || *text != ' '); text++)
			if (*text == '\'')
				quoted = !quoted;
			else if (!quoted && strchr(";&<>$`()", *text))
				return false; /* more than a line of a command */
			else
				*to++ = *text;
		*to = '\0';
		advice_insert(l, l->n, *word == '-' ? ADVICE_OPTION : ADVICE_OPERAND, word);
	}
	return l->n > 0 && strncmp(l->v[0], "axt-", 4) == 0;
}

/* Offers the line that does what the word does in another tool, with the other words typed. */
static void
foreign_line(const struct advice_line *l, int at)
{
	char *v[ADVICE_WORDS];
	bool axes[ADVICE_WORDS] = { false };
	struct advice_line c;
	const char *text;
	int n = 0;

	v[n++] = advice_copy(l->v[at]);
	for (int i = 1; i < l->n; i++) {
		axes[i] = l->part[i] == ADVICE_OPTION ? axt_has_word("--over --along", l->v[i])
						      : axes[i - 1] && l->part[i] == ADVICE_VALUE;
		if (i != at && (l->part[i] == ADVICE_OPERAND || axes[i]))
			v[n++] = advice_copy(l->v[i]);
	}
	text = cmd_guess_tool(n, v);
	if (!text || !read_text(text, &c))
		return;
	for (int i = 1; i < l->n; i++)
		if (l->part[i] != ADVICE_OPERAND && !axes[i])
			advice_insert(&c, c.n, l->part[i], l->v[i]);
	advice_offer(l, &c, MADE_UP - 0.5);
}

/* Offers the line with `is` for `was` in word `at` alone: a file may have the name, too. */
static void
offer_in_word(const struct advice_line *l, int at, const char *was, const char *is, double cost)
{
	const char *w = l->v[at], *p = is ? strstr(w, was) : NULL;

	if (p)
		advice_offer_word(l, at,
		    advice_text("%.*s%s%s", (int)(p - w), w, is, p + strlen(was)), cost);
}

/* Offers another name of an operation, with the option that it says behind a blank. */
static void
offer_choice(const struct advice_line *l, int at, const char *word, const char *ours)
{
	const char *option = strchr(ours, ' '), *value = option ? strchr(option + 1, ' ') : NULL;
	struct advice_line c = *l;

	if (!value) {
		offer_in_word(l, at, word, ours, SPELLED);
		return;
	}
	c.v[at] = advice_text("%.*s", (int)(option - ours), ours);
	advice_insert(&c, at + 1, ADVICE_OPTION,
	    advice_text("%.*s", (int)(value - option - 1), option + 1));
	advice_insert(&c, at + 2, ADVICE_VALUE, value + 1);
	advice_offer(l, &c, SPELLED - 0.1);
}

/* Words of NCO's options: the line of the command of NCO that does the same. */
void
edit_nco_option(const struct advice_line *l)
{
	static const char *const tools[][2] = { { "axt-attr", "ncatted" },
		{ "axt-rename", "ncrename" }, { "axt-copy", "ncks" }, { "axt-slice", "ncks" },
		{ "axt-reduce", "ncwa" }, { "axt-order", "ncpdq" } };
	char *v[ADVICE_WORDS];
	struct advice_line c;
	const char *text;

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(l->v[0], tools[i][0]) != 0 || l->refused->why.word[1] == '-')
			continue;
		v[0] = advice_copy(tools[i][1]);
		for (int k = 1; k < l->n; k++)
			v[k] = advice_copy(l->v[k]);
		text = cmd_guess_nco(l->n, v);
		if (text && read_text(text, &c))
			advice_offer(l, &c, SPELLED);
	}
}

void
edit_no_choice(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *names[200], *line, *ours, *colon;
	int at = advice_find(l, 1, ADVICE_OPERAND, word), n = 0;
	const char *bare = advice_text("%.*s", (int)strcspn(word, ":="), word);
	const char *dot = strrchr(word, '.');
	double x;

	at = at < 0 ? advice_operand(l, 0) : at;
	if (at < 0)
		return;
	while (n < 200 && cmd_st.c->choice && cmd_st.c->choice(n, &names[n], &line))
		n++;
	for (int i = 0; (ours = axt_foreign_name(bare, i)); i++)
		offer_choice(l, at, bare, ours);
	offer_in_word(l, at, bare, axt_nearest_word(bare, names, n), SPELLED + 0.2);
	if (dot)
		offer_in_word(l, at, word, dot + 1, SPELLED);
	colon = strpbrk(word, ":=");
	if (colon && *colon == '=')
		offer_in_word(l, at, word, advice_text("%s:%s", bare, colon + 1), SPELLED);
	ours = axt_foreign_name(bare, 0);
	if (sscanf(word, "p%lf", &x) == 1 || sscanf(word, "pctl%lf", &x) == 1 ||
	    (colon && ours && strcmp(ours, "quantile") == 0 && sscanf(colon + 1, "%lf", &x) == 1))
		offer_in_word(l, at, word, advice_text("quantile:%.10g", x > 1 ? x / 100 : x),
		    SPELLED);
	if (strpbrk(word, "+;")) { /* mean+std */
		char *list = advice_copy(word);

		for (char *p = list; (p = strpbrk(p, "+; "));)
			*p = ',';
		advice_offer_word(l, at, list, SPELLED);
	}
	advice_other_command(l, at, 1);
	foreign_line(l, at);
	if (strpbrk(word, "+-*/^(<>") && at > 0)
		advice_as_expression(l, at);
	edit_words_first(l);
	if (advice_is_file(word) || strpbrk(word, "=,"))
		advice_made_up(l, cmd_st.c->words[0] ? cmd_st.c->words[0] : "");
	edit_dataset_to_file(l);
	edit_slice_first(l);
}
