/* advice_rules.c - rules of single commands, of which there are at most ten. */
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"

/* Commands that are taken for one another. */
static const char *const sisters[][2] = {
	{ "axt-concat", "axt-stack" },
	{ "axt-stack", "axt-concat" },
	{ "axt-rename", "axt-move" },
	{ "axt-take", "axt-slice" },
	{ "axt-transpose", "axt-order" },
};

void
edit_sister(const struct advice_line *l)
{
	for (size_t i = 0; i < sizeof(sisters) / sizeof(sisters[0]); i++) {
		struct advice_line c = *l;

		if (strcmp(l->v[0], sisters[i][0]) != 0)
			continue;
		c.v[0] = sisters[i][1];
		advice_offer(l, &c, MADE_UP);
	}
}

/* 1, 2: axt-to x.nc and axt-to x.png are what axt-copy and axt-plot write. */
void
edit_other_writer(const struct advice_line *l)
{
	static const char *const writers[] = { "axt-copy", "axt-plot" };
	int at = advice_operand(l, 0);

	for (int i = 0; i < 2 && strcmp(l->v[0], "axt-to") == 0 && at > 0; i++) {
		struct advice_line c = advice_without(l, at);
		const char *dot = strrchr(l->v[at], '.');
		bool data = dot && (strcmp(dot, ".nc") == 0 || strcmp(dot, ".h5") == 0);

		c.v[0] = writers[i];
		advice_option(&c, "-o", l->v[at]);
		if (data == (i == 0) && dot)
			advice_offer(l, &c, MOVED);
	}
	if (strcmp(l->v[0], "axt-to") == 0 && at > 0 &&
	    advice_is_file(l->v[at])) { /* no name is given */
		struct advice_line c = *l;
		int format = advice_option_at(l, "--format");

		advice_insert(&c, at, ADVICE_OPERAND,
		    advice_text("%.*s.%s", (int)strcspn(l->v[at], ".:"), l->v[at],
			format > 0 && format + 1 < l->n ? l->v[format + 1] : "npy"));
		advice_offer(l, &c, MADE_UP);
		return;
	}
	if (strcmp(l->v[0], "axt-to") == 0 && at > 0 && !strchr(l->v[at], '.') &&
	    advice_first_file(l)) { /* the format alone: axt-to csv FILE */
		const char *file = advice_first_file(l)->word;

		advice_offer_word(l, at,
		    advice_text("%.*s.%s", (int)strcspn(file, ".:"), file, l->v[at]), MOVED);
	}
}

/* 3: the edges of the bins of axt-hist, first:last:N or first,second,...,last. */
void
edit_edges(const struct advice_line *l)
{
	int at = advice_option_at(l, "--bins") + 1;
	double x[64];
	int n = 0;
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
		struct advice_line c = *l;

		if (n == 3 && x[1] > from && (how == 0) == (x[2] < x[1])) {
			to = x[1];
			bins = how == 0 && strchr(l->v[at], ':') && x[2] <= (to - from) / 2 &&
				x[2] != 0
			    ? (to - from) / x[2]
			    : x[2];
		}
		c.v[at] = advice_text("%.0f", bins);
		advice_option(&c, "--range", advice_text("%.10g,%.10g", from, to));
		advice_offer(l, &c, SPELLED + 0.1 * how);
	}
}

/* 4: axt-squeeze of an axis that is longer than 1: its first element. */
void
edit_longer(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c = { 0 };

	if (!f || strcmp(l->v[0], "axt-squeeze") != 0)
		return;
	advice_insert(&c, 0, ADVICE_OPERAND, "axt-slice");
	advice_insert(&c, 1, ADVICE_OPERAND, advice_text("%s=0", l->refused->why.word));
	advice_insert(&c, 2, ADVICE_OPERAND, f->word);
	advice_offer(l, &c, MADE_UP);
}

/* 5: axt-attr TENSOR@NAME=TEXT FILE, as NCO and others have it. */
void
edit_attribute(const struct advice_line *l)
{
	for (int i = 1; i < l->n && strcmp(l->v[0], "axt-attr") == 0; i++) {
		size_t n = strcspn(l->v[i], "@");
		const struct advice_file *f = advice_first_file(l);
		int file = f ? advice_find(l, 1, ADVICE_OPERAND, f->word) : -1;
		struct advice_line c = *l;

		if (!l->v[i][n] || l->part[i] != ADVICE_OPERAND || file < 0)
			continue;
		c.v[i] = advice_text("%.*s:%s", (int)n, l->v[i], l->v[i] + n + 1);
		if (advice_has(&f->tensor, advice_text("%.*s", (int)n, l->v[i]))) {
			c.v[i] = l->v[i] + n + 1;
			c.v[file] = advice_text("%s:%.*s", l->v[file], (int)n, l->v[i]);
		}
		advice_offer(l, &c, MOVED);
	}
}

/* 6: axt-assign FILE NAME=VALUE and TARGET+=VALUE, where target, sign and value are three words. */
void
edit_assigned(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; i < l->n && strcmp(l->v[0], "axt-assign") == 0; i++) {
		size_t n = strcspn(l->v[i], "+-*/="), sign = n + strspn(l->v[i] + n, "+-*/=") - n;
		const char *target = advice_text("%.*s", (int)n, l->v[i]);
		struct advice_line c = { 0 };

		if (l->part[i] != ADVICE_OPERAND || !sign || !l->v[i][n + sign])
			continue;
		if (!advice_is_file(target) && f && advice_has(&f->tensor, target))
			target = advice_text("%s:%s", f->word, target);
		advice_insert(&c, 0, ADVICE_OPERAND, l->v[0]);
		advice_insert(&c, 1, ADVICE_OPERAND, target);
		advice_insert(&c, 2, ADVICE_OPERAND, advice_text("%.*s", (int)sign, l->v[i] + n));
		advice_insert(&c, 3, ADVICE_OPERAND, l->v[i] + n + sign);
		advice_offer(l, &c, MOVED);
	}
	for (int i = 1; i + 1 < l->n && strcmp(l->v[0], "axt-assign") == 0; i++)
		if (advice_is_file(l->v[i]) &&
		    l->part[i + 1] == ADVICE_OPERAND) { /* the sign is missing */
			struct advice_line c = *l;

			advice_insert(&c, i + 1, ADVICE_OPERAND, "=");
			advice_offer(l, &c, MADE_UP);
		}
}
