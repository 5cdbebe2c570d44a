/*
 * advice_options.c - edits of options: other names, values as they are typed here, and options
 * that are needed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"
#include "axt_operation.h"

/* Offers an option that is needed, with what is typed for it, or with the usual value. */
void
edit_needs_option(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const struct cmd_opt *o = advice_option_called(
	    l->refused->why.word + strspn(l->refused->why.word, "-"));
	struct advice_line c = *l;
	const char *value = *l->refused->why.of ? l->refused->why.of : NULL;

	edit_axes_to_option(l);
	edit_word_to_option(l);
	if (!o)
		return;
	if (!value && o->arg && strncmp(o->arg, "AX", 2) == 0 && f)
		value = advice_usual_axis(f);
	if (value) {
		advice_insert(&c, advice_first_place(l), ADVICE_OPTION, advice_dashed(o));
		advice_insert(&c, advice_first_place(l) + 1, ADVICE_VALUE, value);
		advice_offer(l, &c, MADE_UP);
	}
}

/* Offers an unknown option under the names that it may have here. */
static void
option_renamed(const struct advice_line *l, int at, const char *name)
{
	const char *names[160], *ours;
	const struct cmd_opt *o;
	int n = 0;
	bool value = at + 1 < l->n && l->part[at + 1] == ADVICE_VALUE;

	for (int k = 0; (o = cmd_opt_at(k)) && n < 160; k++)
		names[n++] = o->name;
	for (int k = 0; (o = cmd_opt_at(k)); k++) /* --nearest of --method linear|nearest */
		if (o->arg && axt_choice(o->arg, name) >= 0) {
			struct advice_line c = *l;

			c.v[at] = advice_dashed(o);
			advice_insert(&c, at + 1, ADVICE_VALUE, name);
			/* --zstd 3 of zstd[:LEVEL] */
			if (strchr(o->arg, ':') && at + 2 < c.n && advice_is_number(c.v[at + 2])) {
				c.v[at + 1] = advice_text("%s:%s", name, c.v[at + 2]);
				advice_drop(&c, at + 2, 1);
			}
			advice_offer(l, &c, SPELLED);
		}
	for (int k = 0; k < n + 2; k++) {
		const char *is = NULL;
		double cost = SPELLED;
		struct advice_line c = *l;

		if (k < n && strncmp(names[k], name, strlen(name)) == 0 && name[1])
			is = names[k];
		else if (k == n && (is = axt_nearest_word(name, names, n)))
			cost = SPELLED + 0.2;
		else if (k > n)
			for (int i = 0; (ours = axt_foreign_option(name, i)) && !is; i++)
				is = *ours && advice_option_called(ours) ? ours : NULL;
		if (!is || !(o = advice_option_called(is)))
			continue;
		c.v[at] = advice_dashed(o);
		if (cmd_takes_value(o) && !value && at + 1 < l->n)
			c.part[at + 1] = ADVICE_VALUE;
		if (!cmd_takes_value(o) && value)
			advice_drop(&c, at + 1, 1);
		advice_offer(l, &c, cost);
	}
}

/* Whether an option of another tool is not needed here: a row of foreign.def has "" for it. */
static bool
left_out(const char *name)
{
	const char *ours = axt_foreign_option(name, 0);

	return ours && !*ours;
}

void
edit_no_option(const struct advice_line *l)
{
	int at = advice_find(l, 1, ADVICE_OPTION, l->refused->why.word);
	const char *name = l->refused->why.word + strspn(l->refused->why.word, "-"), *value;
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c;
	bool axis;

	if (at < 0)
		return;
	value = at + 1 < l->n &&
		(l->part[at + 1] != ADVICE_OPTION ||
		    (l->v[at + 1][0] == '-' && isdigit((unsigned char)l->v[at + 1][1])))
	    ? l->v[at + 1]
	    : NULL;
	axis = f && (advice_has(&f->axes, name) || (name[1] && advice_axis(f, name)));
	option_renamed(l, at, name);
	if (l->v[at][1] != '-' && name[1] && advice_option_called(name)) /* -over */
		advice_offer_word(l, at, advice_text("--%s", name), 0.1);
	if (advice_is_choice(name)) { /* --mean */
		c = advice_without(l, at);
		advice_insert(&c, 1, ADVICE_OPERAND, name);
		advice_offer(l, &c, MOVED);
	}
	c = advice_without(l, at);
	if (axis && value && advice_takes_specs()) { /* --lat -30:30 */
		for (int k = 0; k < 2; k++) {
			c = *l;
			advice_drop(&c, at, 2);
			advice_insert(&c, advice_first_place(&c), ADVICE_OPERAND,
			    advice_text(k == advice_is_number(value) ? "%s@%s" : "%s=%s", name,
				value));
			advice_offer(l, &c, MOVED + 0.1 * k);
		}
		return;
	}
	if (value && (advice_takes_axes_first() || advice_takes_specs() || cmd_st.c->words[0])) {
		c = *l;
		advice_drop(&c, at, 2);
		advice_insert(&c, advice_first_place(&c), ADVICE_OPERAND, value);
		advice_offer(l, &c, MOVED + 0.2);
	}
	c = advice_without(l, at);
	if (value && at < c.n) { /* --value 0: an operand */
		c.part[at] = ADVICE_OPERAND;
		advice_offer(l, &c, MOVED + 0.6);
	}
	if (value && strcmp(l->v[0], "axt-attr") == 0) { /* rule 7: --units K */
		c = *l;
		advice_drop(&c, at, 2);
		advice_insert(&c, advice_first_place(&c), ADVICE_OPERAND,
		    advice_text("%s=%s", name, value));
		advice_offer(l, &c, MOVED);
	}
	if (left_out(name)) { /* what is done anyway, with its value or advice_without it */
		for (int k = 1; k <= 1 + (value != NULL); k++) {
			c = *l;
			advice_drop(&c, at, k);
			advice_offer(l, &c, SPELLED + 0.1 * (k == 1));
		}
	}
}

/* Offers the command that is called as the value of an option: --method ffill. */
static void
other_command(const struct advice_line *l, int at)
{
	const struct axt_alias *alias;
	const char *name = l->v[at];
	struct advice_line c = *l;

	if (!axt_operation_named(name, &alias)) {
		name = axt_foreign_name(name, 0);
		if (!name || !axt_operation_named(name, &alias))
			return;
	}
	advice_drop(&c, at - 1, 2);
	c.v[0] = advice_text("axt-%s", name);
	advice_offer(l, &c, MOVED);
}

/* Offers the value of an option as that has it. */
void
edit_bad_value(const struct advice_line *l)
{
	const struct cmd_opt *o = advice_option_called(
	    l->refused->why.of + strspn(l->refused->why.of, "-"));
	const char *w = l->refused->why.word, *ours;
	int at = -1;

	for (int i = 1; i < l->n && at < 0; i++)
		if (l->part[i] == ADVICE_VALUE && strcmp(l->v[i], w) == 0)
			at = i;
	if (at < 0 && advice_is_number(w) && strtod(w, NULL) > 1) /* quantile:90 */
		advice_offer_swapped(l, w, advice_text("%.10g", strtod(w, NULL) / 100), SPELLED);
	if (at < 0 || !o)
		return;
	if (*w == '=') { /* --output = x.nc */
		struct advice_line c = w[1] ? *l : advice_without(l, at);

		if (w[1])
			c.v[at] = w + 1;
		else if (at < c.n)
			c.part[at] = ADVICE_VALUE;
		advice_offer(l, &c, 0.1);
		return;
	}
	if (o->type == CMD_T_DTYPE) {
		const char *names[AXT_NDTYPES];
		int n = 0;

		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
			names[n++] = axt_dtype_name((enum axt_dtype)d);
		advice_offer_word(l, at, advice_dtype(w), SPELLED);
		advice_offer_word(l, at, axt_nearest_word(w, names, n), SPELLED + 0.2);
	}
	if (o->type == CMD_T_SIZE) /* 10GB, 1.5GiB */
		advice_offer_word(l, at,
		    advice_text("%.*s",
			(int)(strspn(w, "0123456789.") + (w[strspn(w, "0123456789.")] != 0)), w),
		    SPELLED);
	advice_offer_word(l, at, advice_number(w), SPELLED);
	other_command(l, at);
	if (strchr(w, ':'))
		advice_offer_word(l, at,
		    advice_text("%.*s,%s", (int)strcspn(w, ":"), w, strchr(w, ':') + 1), SPELLED);
	for (int i = 0; (ours = axt_foreign_name(w, i)); i++)
		advice_offer_word(l, at, ours, SPELLED);
	if (at + 1 < l->n && l->part[at + 1] == ADVICE_OPERAND) { /* --range 250 310 */
		struct advice_line c = advice_without(l, at + 1);

		c.v[at] = advice_text("%s,%s", w, l->v[at + 1]);
		advice_offer(l, &c, JOINED);
	}
	if (o->arg && strchr(o->arg, '|'))
		for (const char *s = o->arg; *s; s += strcspn(s, "|"), s += *s == '|') {
			const char *one = advice_text("%.*s", (int)strcspn(s, "|"), s);

			if (axt_nearest_word(w, &one, 1))
				advice_offer_word(l, at, one, SPELLED + 0.2);
		}
	{ /* the option that was meant has another letter: -t f32 */
		struct advice_line c = *l;

		if (axt_dtype_of_name(w) != AXT_DTYPE_AUTO && advice_option_called("dtype")) {
			c.v[at - 1] = "--dtype";
			advice_offer(l, &c, MOVED);
		}
	}
}

/* Offers the words that an option takes beside operands, as "area" of --weights A|area. */
void
advice_option_words(const struct advice_line *l, int at)
{
	const struct cmd_opt *o = l->part[at] == ADVICE_VALUE
	    ? advice_option_called(l->v[at - 1] + strspn(l->v[at - 1], "-"))
	    : NULL;

	for (const char *s = o && o->arg ? o->arg : ""; *s; s += strcspn(s, "|"), s += *s == '|')
		if (islower((unsigned char)*s))
			advice_offer_word(l, at, advice_text("%.*s", (int)strcspn(s, "|"), s),
			    MADE_UP - 0.5);
}

/* Quotation marks and dashes of documents, which programs for text put in place of those typed. */
void
edit_pasted(const struct advice_line *l)
{
	static const char *const signs[][2] = { { "\xe2\x80\x93", "-" }, { "\xe2\x80\x94", "--" },
		{ "\xe2\x88\x92", "-" }, { "\xe2\x80\x9c", "" }, { "\xe2\x80\x9d", "" },
		{ "\xe2\x80\x98", "" }, { "\xe2\x80\x99", "" } };
	struct advice_line c = *l;
	bool any = false;

	for (int i = 1; i < c.n; i++)
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
			const char *p;

			while ((p = strstr(c.v[i], signs[k][0]))) {
				c.v[i] = advice_text("%.*s%s%s", (int)(p - c.v[i]), c.v[i],
				    signs[k][1], p + strlen(signs[k][0]));
				any = true;
			}
			if (*c.v[i] == '-' && c.v[i][1] && !advice_is_number(c.v[i]) &&
			    c.part[i] == ADVICE_OPERAND)
				c.part[i] = ADVICE_OPTION;
		}
	if (any)
		advice_offer(l, &c, 0.1);
}

/* Offers the word that was meant, or the option, which the error tells. */
void
edit_told(const struct advice_line *l)
{
	const struct axt_fact *f = &l->refused->why;
	const struct cmd_opt *o = *f->option ? advice_option_called(f->option) : NULL;
	struct advice_line c = *l;
	int at;

	if (*f->meant) /* of what is more than a name, another name is only a part */
		advice_offer_swapped(l, f->word + (*f->word == '/'), f->meant + (*f->meant == '/'),
		    strpbrk(f->word, " +,.:()[]") ? 0.7 : 0.3);
	if (!o)
		return;
	at = advice_option_at(l, advice_dashed(o));
	if (at < 0 && o->letter)
		at = advice_option_at(l, advice_text("-%c", o->letter));
	if (at >= 0 && at + 1 < c.n && strchr(c.v[at + 1], ',') && strstr(c.v[at + 1], f->word) &&
	    *f->word) { /* one of a list */
		advice_offer_swapped(l, f->word, f->value, 0.3);
		return;
	}
	if (at >= 0 && at + 1 < c.n && c.part[at + 1] == ADVICE_VALUE)
		c.v[at + 1] = f->value;
	else if (at < 0)
		advice_option(&c, advice_dashed(o), *f->value ? f->value : NULL);
	advice_offer(l, &c, 0.3);
}

/* -over time, which is read as -o ver, is --over time. */
void
edit_single_dash(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *both = i + 1 < l->n && l->part[i + 1] == ADVICE_VALUE
		    ? advice_text("%s%s", l->v[i] + 1, l->v[i + 1])
		    : l->v[i] + 1;
		const struct cmd_opt *o = l->part[i] == ADVICE_OPTION && l->v[i][1] != '-'
		    ? advice_option_called(both)
		    : NULL;
		struct advice_line c = *l;

		if (!o || !both[1])
			continue;
		if (both != l->v[i] + 1)
			advice_drop(&c, i + 1, 1);
		c.v[i] = advice_dashed(o);
		if (cmd_takes_value(o) && i + 1 < c.n)
			c.part[i + 1] = ADVICE_VALUE;
		advice_offer(l, &c, 0.2);
	}
}
