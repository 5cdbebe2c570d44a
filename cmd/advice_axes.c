/* advice_axes.c - edits of names of axes, and of fields of dates and periods of time. */
#include <string.h>

#include "advice_edits.h"

/* Offers a field of dates with the axis of times before it: --by month. */
void
edit_field(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *word = l->refused->why.word, *dot = strrchr(word, '.');
	static const char fields[] = "year season month day hour dayofyear daysinmonth date";

	if (f && axt_has_word(fields, word) && advice_usual_axis(f))
		advice_offer_swapped(l, word, advice_text("%s.%s", advice_usual_axis(f), word),
		    SPELLED);
	if (f && dot && axt_has_word(fields, dot + 1) && advice_usual_axis(f))
		advice_offer_swapped(l, word, advice_text("%s%s", advice_usual_axis(f), dot),
		    SPELLED);
}

/* Offers a period of time as it is typed here: --every MS. */
void
edit_period(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *dot = strrchr(word, '.');
	struct axt_graph *g = axt_graph_new();
	const char *is = g ? axt_respell_period(g, word) : NULL;
	int at = advice_place_of(l, word);

	if (at > 0 && is)
		advice_offer_word(l, at, advice_text("%s", is), SPELLED);
	if (at > 0 && dot)
		advice_offer_word(l, at, dot + 1, SPELLED);
	axt_graph_free(g);
}

/* Offers a new axis under a name that is none yet. */
void
edit_new_name(const struct advice_line *l)
{
	advice_offer_swapped(l, l->refused->why.word, "member", MADE_UP);
}

/* --over time.month: reduced over the axis, by the field. */
static void
by_field(const struct advice_line *l, int at)
{
	const char *w = l->v[at], *dot = strrchr(w, '.');
	struct advice_line c = *l;

	if (!dot || strchr(w, ',') || l->part[at] != ADVICE_VALUE || !advice_option_called("by") ||
	    advice_option_at(l, "--by") >= 0)
		return;
	c.v[at] = advice_text("%.*s", (int)(dot - w), w);
	advice_insert(&c, at + 1, ADVICE_OPTION, "--by");
	advice_insert(&c, at + 2, ADVICE_VALUE, w);
	advice_offer(l, &c, 0.4);
}

void
edit_no_axis(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *near, *axes;
	struct advice_file named = { .word = l->refused->why.of };
	const struct advice_file *f = advice_is_file(l->refused->why.of)
	    ? advice_look(l->refused->why.of)
	    : advice_first_file(l);
	int at = advice_place_of(l, word);

	f = f ? f : &named;
	if (f == &named) /* a tensor of a pipe: its axes are edit_told */
		for (const char *s = l->refused->why.among; *s;
		     s += strcspn(s, "\n"), s += *s == '\n')
			cmd_add_copy(&named.axes, s, strcspn(s, "\n"));
	for (int i = 1; i < l->n && f->axes.n > 0; i++)
		if (l->part[i] == ADVICE_VALUE ||
		    (l->part[i] == ADVICE_OPERAND && advice_takes_axes_first()))
			advice_offer_word(l, i, advice_axes(f, l->v[i], 0), SPELLED);
	if (at < 0 || f->axes.n == 0)
		return;
	near = advice_axis(f, word);
	if (near)
		advice_offer_swapped(l, word, near, SPELLED);
	axes = advice_axes(f, word, 0);
	if (axes && !(advice_takes_specs() && advice_is_number(word)))
		advice_offer_swapped(l, word, axes, SPELLED + 0.1);
	by_field(l, at);
	edit_field(l);
	if (advice_is_file(word)) /* the axis is missing before it */
		advice_made_up(l, "AXIS");
	if (strcmp(word, "all") == 0 && at > 1 && l->part[at] == ADVICE_VALUE) {
		struct advice_line c = *l;

		advice_drop(&c, at - 1, 2);
		advice_offer(l, &c, SPELLED);
	}
	if (f->tensor.n > 0 && advice_has(&f->tensor, word)) { /* a tensor is renamed in its file */
		struct advice_line c = *l;

		c.v[0] = "axt-move";
		advice_offer(l, &c, MADE_UP);
	}
}
