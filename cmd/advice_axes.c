/* advice_axes.c - edits of names of axes, and of fields of dates and periods of time. */
#include <string.h>

#include "advice_edits.h"

/* Offers a field of dates with the axis of times before it: --by month. */
void
edit_field(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *word = l->refused->why.word, *dot = strrchr(word, '.'),
		   *field = dot ? dot + 1 : word;

	if (f && axt_has_word("year season month day hour dayofyear daysinmonth date", field) &&
	    advice_usual_axis(f))
		advice_offer_swapped(l, word, advice_text("%s.%s", advice_usual_axis(f), field),
		    SPELLED);
}

/* Offers a period of time as it is typed here: --every MS. */
void
edit_period(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *dot = strrchr(word, '.');
	int at = advice_place_of(l, word);

	if (at > 0)
		advice_offer_word(l, at, axt_respell_period(advice_graph(), word), SPELLED);
	if (at > 0 && dot)
		advice_offer_word(l, at, dot + 1, SPELLED);
}

/* Offers a new axis under a name that is none yet. */
void
edit_new_name(const struct advice_line *l)
{
	advice_offer_swapped(l, l->refused->why.word, "member", MADE_UP);
}

/* A tensor, and no axis, is renamed in its file. */
static void
rename_tensor(const struct advice_line *l)
{
	struct advice_line c = *l;
	int each = advice_option_at(l, "--each");

	c.v[0] = "axt-move";
	for (int i = 1; i < c.n; i++)
		if (c.part[i] == ADVICE_OPERAND && advice_is_file(c.v[i]))
			c.v[i] = advice_path(c.v[i]);
	if (each > 0)
		advice_drop(&c, each, 1);
	advice_take_output(&c);
	advice_offer(l, &c, 0.2);
}

void
edit_no_axis(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *axes;
	struct advice_file named = { .word = l->refused->why.of };
	const struct advice_file *f = advice_is_file(l->refused->why.of)
	    ? advice_look(l->refused->why.of)
	    : advice_first_file(l);
	int at = advice_place_of(l, word);

	f = f ? f : &named;
	if (f == &named) /* a tensor of a pipe: its axes are told */
		for (const char *s = l->refused->why.among; *s;
		     s += strcspn(s, "\n"), s += *s == '\n')
			cmd_add_copy(&named.axes, s, strcspn(s, "\n"));
	for (int i = 1; i < l->n && f->axes.n > 0; i++)
		if (l->part[i] == ADVICE_VALUE ||
		    (l->part[i] == ADVICE_OPERAND && advice_takes_axes_first()))
			advice_offer_word(l, i, advice_axes(f, l->v[i]), SPELLED);
	if (at < 0 || f->axes.n == 0)
		return;
	if (f->tensor.n > 0 && advice_has(&f->tensor, word) && strcmp(l->v[0], "axt-rename") == 0) {
		if (l->refused->why.about != AXT_BAD_WORD) /* t,tas is t=tas first */
			rename_tensor(l);
		return;
	}
	if (advice_axis(f, word))
		advice_offer_swapped(l, word, advice_axis(f, word), SPELLED);
	axes = advice_axes(f, word);
	if (axes && !(advice_takes_specs() && axt_is_number(word)))
		advice_offer_swapped(l, word, axes, SPELLED + 0.1);
	edit_field(l);
	if (strchr(word, '.') && l->part[at] == ADVICE_VALUE && advice_option_called("by") &&
	    advice_option_at(l, "--by") < 0) /* --over time.month */
		advice_put(l, at - 1, 2, at - 1, 0.4, l->v[at - 1],
		    advice_text("%.*s", (int)strcspn(word, "."), word), "--by", word, NULL);
	if (advice_is_file(word)) /* the axis is missing before it */
		advice_made_up(l, "AXIS");
	if (strcmp(word, "all") == 0 && at > 1 && l->part[at] == ADVICE_VALUE)
		advice_put(l, at - 1, 2, at - 1, SPELLED, NULL);
}
