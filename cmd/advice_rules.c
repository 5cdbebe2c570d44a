/* advice_rules.c - commands that are taken for one another, and edits that few commands need. */
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"

/* Commands that are taken for one another. */
static const char *const sisters[][2] = {
	{ "axt-concat", "axt-stack" },
	{ "axt-stack", "axt-concat" },
	{ "axt-rename", "axt-move" },
	{ "axt-append", "axt-concat" },
	{ "axt-copy", "axt-cast" },
	{ "axt-take", "axt-slice" },
	{ "axt-transpose", "axt-order" },
};

void
edit_sister(const struct advice_line *l)
{
	struct advice_line c = *l;

	for (size_t i = 0; i < sizeof(sisters) / sizeof(sisters[0]); i++)
		if (strcmp(l->v[0], sisters[i][0]) == 0) {
			c.v[0] = sisters[i][1];
			advice_offer(l, &c,
			    l->refused->why.about == AXT_TOO_MANY ? JOINED : MADE_UP);
		}
}

/* Formats that other commands write: x.nc and x.png; a format alone; a file without its name. */
void
edit_other_writer(const struct advice_line *l)
{
	int at = advice_operand(l, 0), format = advice_option_at(l, "--format");
	const struct advice_file *f = advice_first_file(l);
	const char *dot = at > 0 ? strrchr(l->v[at], '.') : NULL, *stem;
	struct advice_line c;

	if (at < 0 || !f || !advice_option_called("format"))
		return;
	stem = advice_text("%.*s", (int)strcspn(f->word, ".:"), f->word);
	if (advice_is_file(l->v[at]))
		advice_put(l, at, 0, at, MADE_UP,
		    advice_text("%s.%s", stem,
			format > 0 && format + 1 < l->n ? l->v[format + 1] : "npy"),
		    NULL);
	else if (!dot)
		advice_offer_word(l, at, advice_text("%s.%s", stem, l->v[at]), MOVED);
	if (!dot)
		return;
	c = *l;
	c.v[0] = axt_has_word(".nc .h5 .hdf5 .zarr", dot) ? "axt-copy" : "axt-plot";
	advice_put(&c, at, 1, l->n - 1, MOVED, "-o", l->v[at], NULL);
}

/* The edges of bins, first:last:N or first,second,...,last, as their number and range. */
void
edit_edges(const struct advice_line *l)
{
	int at = advice_option_at(l, "--bins") + 1, n = 0;
	double x[64];
	char *end;

	for (const char *s = at > 0 ? l->v[at] : ""; *s && n < 64; s = end + (*end != '\0')) {
		x[n++] = strtod(s, &end);
		if (end == s || (*end && !strchr(":,", *end)))
			return;
	}
	if (n < 3)
		return;
	for (int how = 0; how < 2; how++) { /* three numbers may end in the width, or the number */
		double from = x[0], to = x[n - 1], bins = n - 1;

		if (n == 3 && x[1] > from && (how == 0) == (x[2] < x[1])) {
			to = x[1];
			bins = how == 0 && strchr(l->v[at], ':') && x[2] <= (to - from) / 2 &&
				x[2] != 0
			    ? (to - from) / x[2]
			    : x[2];
		}
		advice_put(l, at - 1, 2, at - 1, SPELLED + 0.1 * how, "--bins",
		    advice_text("%.0f", bins), "--range", advice_text("%.10g,%.10g", from, to),
		    NULL);
	}
}

/* An axis that is longer than 1: its first element. */
void
edit_longer(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	if (f)
		advice_offer(l,
		    advice_words("axt-slice", advice_text("%s=0", l->refused->why.word), f->word,
			NULL),
		    MADE_UP);
}

/* TENSOR@NAME=TEXT and AXIS@NAME=TEXT of attributes, as NCO and others have it. */
void
edit_attribute(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	int file = f ? advice_find(l, 1, ADVICE_OPERAND, f->word) : -1;

	for (int i = 1; i < l->n && advice_takes_attributes(); i++) {
		size_t n = strcspn(l->v[i],
		    strchr(l->v[i], '@') ? "@" : ":"); /* ':' is of an axis, and here of a tensor */
		const char *of = advice_text("%.*s", (int)n, l->v[i]);
		bool tensor = f && advice_has(&f->tensor, of);
		struct advice_line c = *l;

		if (!l->v[i][n] || l->part[i] != ADVICE_OPERAND || (l->v[i][n] == ':' && !tensor))
			continue;
		if (advice_is_file(of)) /* FILE:TENSOR@NAME=TEXT */
			advice_put(l, i, 1, i, SPELLED, l->v[i] + n + 1, of, NULL);
		if (file < 0)
			continue;
		c.v[i] = tensor ? l->v[i] + n + 1 : advice_text("%s:%s", of, l->v[i] + n + 1);
		if (tensor)
			c.v[file] = advice_text("%s:%s", f->word, of);
		advice_offer(l, &c, MOVED);
	}
}

/* FILE NAME=VALUE and TARGET+=VALUE, where target, sign and value are three words. */
void
edit_assigned(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; i < l->n && cmd_st.c->words[1] && strcmp(cmd_st.c->words[1], "OP") == 0;
	     i++) {
		size_t n = strcspn(l->v[i], "+-*/="), sign = strspn(l->v[i] + n, "+-*/=");
		const char *target = advice_text("%.*s", (int)n, l->v[i]);

		if (l->part[i] != ADVICE_OPERAND)
			continue;
		if (advice_is_file(l->v[i])) /* the sign is missing */
			advice_put(l, i + 1, 0, i + 1, MADE_UP, "=", NULL);
		if (f && advice_has(&f->tensor, target))
			target = advice_text("%s:%s", f->word, target);
		if (sign && l->v[i][n + sign])
			advice_offer(l,
			    advice_words(l->v[0], target,
				advice_text("%.*s", (int)sign, l->v[i] + n), l->v[i] + n + sign,
				NULL),
			    MOVED);
	}
}
