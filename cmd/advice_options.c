/*
 * advice_options.c - edits of options: other names for them, values as axt takes them, and options
 * that a command needs.
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
	const struct cmd_opt *o = advice_option_of(l->refused->why.word);
	const char *of = l->refused->why.of, *value = *of && !advice_is_file(of) ? of : NULL;
	int at = advice_first_place(l);
	bool axes;

	edit_axes_to_option(l);
	edit_word_to_option(l);
	/* the options of another command than the typed one are not known, but those of axes */
	axes = o ? o->arg && strncmp(o->arg, "AX", 2) == 0
		 : axt_has_word("over along", l->refused->why.word) &&
		strcmp(l->v[0], cmd_st.c->name) != 0;
	if (!value && axes && f)
		value = advice_usual_axis(f);
	if (value && (o || axes))
		advice_put(l, at, 0, at, MADE_UP, advice_text("--%s", l->refused->why.word), value,
		    NULL);
}

/* Offers --method nearest for --nearest, and --compress zstd:3 for --zstd 3. */
static void
option_with_value(const struct advice_line *l, int at, const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++) {
		bool number = o->arg && strchr(o->arg, ':') && at + 1 < l->n &&
		    axt_is_number(l->v[at + 1]);

		if (o->arg && axt_choice(o->arg, name) >= 0)
			advice_put(l, at, 1 + number, at, SPELLED, advice_dashed(o),
			    number ? advice_text("%s:%s", name, l->v[at + 1]) : name, NULL);
	}
}

/* Offers an unknown option as another one; *ours may be NAME=VALUE. */
static void
option_is(const struct advice_line *l, int at, const char *ours, double cost)
{
	bool value = at + 1 < l->n && l->part[at + 1] == ADVICE_VALUE;
	const struct cmd_opt *o;
	struct advice_line c = *l;

	if (strchr(ours, '=')) {
		o = advice_option_called(advice_text("%.*s", (int)strcspn(ours, "="), ours));
		bool joined = ours[strlen(ours) - 1] == '='; /* attr=units= and the value typed */
		const char *is = strchr(ours, '=') + 1;

		if (o && (!joined || (value && !advice_is_file(l->v[at + 1]))))
			advice_put(l, at, 1 + joined, at, cost, advice_dashed(o),
			    joined ? advice_text("%s%s", is, l->v[at + 1]) : is, NULL);
		return;
	}
	o = advice_option_called(ours);
	if (!o)
		return;
	c.v[at] = advice_dashed(o);
	if (cmd_takes_value(o) && !value && at + 1 < l->n)
		c.part[at + 1] = ADVICE_VALUE;
	if (!cmd_takes_value(o) && value) {
		if (!axt_has_word("true True yes 1", l->v[at + 1]) &&
		    strcmp(l->v[at + 1], ours) != 0)
			return; /* what it says would be dropped */
		advice_drop(&c, at + 1, 1);
	}
	advice_offer(l, &c, cost);
}

/* Offers an unknown option under the names that it may have here. */
static void
option_renamed(const struct advice_line *l, int at, const char *name)
{
	const char *names[160], *ours;
	const struct cmd_opt *o;
	int n = 0;

	option_with_value(l, at, name);
	for (int k = 0; (o = cmd_opt_at(k)) && n < 160; k++) {
		names[n++] = o->name;
		if (strncmp(o->name, name, strlen(name)) == 0 && name[1])
			option_is(l, at, o->name, SPELLED);
	}
	for (int i = 0; (ours = axt_foreign_option(name, i)); i++)
		option_is(l, at, ours, SPELLED);
	if (axt_nearest_word(name, names, n))
		option_is(l, at, axt_nearest_word(name, names, n), SPELLED + 0.2);
}

/* --overtime: an option and its value, without a sign between them. */
static void
run_together(const struct advice_line *l, int at, const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++) {
		size_t n = strlen(o->name);

		if (strncmp(name, o->name, n) == 0 && cmd_takes_value(o) &&
		    advice_is_axes(l, name + n))
			advice_put(l, at, 1, at, SPELLED, advice_dashed(o), name + n, NULL);
	}
}

bool
advice_take_output(struct advice_line *l)
{
	int at = advice_option_at(l, "-o");

	at = at > 0 ? at : advice_option_at(l, "--output");
	if (at < 0 || at + 1 >= l->n || l->copied)
		return false;
	l->copied = l->v[at + 1];
	advice_drop(l, at, 2);
	return true;
}

/* Offers -o of a command that changes a file in place: a copy of it is changed. */
static void
copied_first(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c = *l;

	if (f && !l->from && advice_option_called("in-place") && advice_take_output(&c))
		advice_offer(l, &c, MOVED);
}

/* Offers what an option asks for as a part of the operation: norm --ord 1 is norm1. */
static void
option_of_choice(const struct advice_line *l, int at, const char *value)
{
	int first = advice_operand(l, 0);

	for (int k = 0; k < 2 && first > 0; k++) {
		struct advice_line c = *l;

		c.v[first] = advice_text(k ? "%s:%s" : "%s%s", l->v[first], value);
		advice_drop(&c, at, 2);
		if (advice_is_choice(c.v[first]))
			advice_offer(l, &c, SPELLED + 0.1 * k);
	}
}

/* Offers the value of an unknown option as what it may be where it stands: a word, an operand. */
static void
option_is_operand(const struct advice_line *l, int at, int to, const char *name, const char *value)
{
	const struct advice_file *f = advice_first_file(l);
	bool words = cmd_st.c->words[cmd_st.c->choice != NULL];
	bool remove = axt_has_word("d delete del remove rm unset", name);

	if (advice_takes_attributes() && (name[1] || remove)) /* --units K */
		advice_put(l, at, 2, to, MOVED,
		    advice_text("%s=%s", remove ? value : name, remove ? "" : value), NULL);
	if (words)
		advice_put(l, at, 2, to, MOVED + 0.2, value, NULL);
	if (words || (axt_is_number(value) && (!cmd_st.c->choice || cmd_st.c->in[1])) ||
	    (f && advice_has(&f->tensor, value))) /* --value 0: an operand */
		advice_put(l, at, 2, at, MOVED + 0.6, value, NULL);
}

/* Whether the word is the name before "=" of another one, as class of class=5. */
static bool
is_said(const struct advice_line *l, const char *name)
{
	size_t n = strlen(name);

	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND && strncmp(l->v[i], name, n) == 0 &&
		    l->v[i][n] == '=')
			return true;
	return false;
}

/* Offers an unknown option and its value as what else they may be: an operand, or nothing. */
static void
no_option(const struct advice_line *l, int at, const char *name, const char *value)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c = *l;
	int n = 1 + (value != NULL), to;
	const char *ours;

	advice_drop(&c, at, n);
	to = advice_first_place(&c);
	if (value && f && advice_takes_specs() &&
	    (advice_has(&f->axes, name) || (name[1] && advice_axis(f, name)))) { /* --lat -30:30 */
		for (int k = 0; k < 2; k++)
			advice_put(l, at, n, to, MOVED + 0.1 * k,
			    advice_text(k == axt_is_number(value) ? "%s@%s" : "%s=%s", name, value),
			    NULL);
		return;
	}
	for (int i = 0; (ours = axt_foreign_option(name, i)); i++)
		for (int k = 1; k <= n && !*ours; k++) /* what is done anyway; a file is kept */
			if (k == 1 || !strchr(value, '.') || axt_is_number(value))
				advice_put(l, at, k, at, SPELLED + 0.1 * (k == 1), NULL);
	if (value && (axt_has_word("False false no No None none", value) || is_said(l, value)))
		advice_put(l, at, n, at, SPELLED, NULL); /* not asked for, or said already */
	if (!value || advice_is_file(value)) /* what the option asks for would be lost */
		return;
	option_of_choice(l, at, value);
	option_is_operand(l, at, to, name, value);
}

void
edit_no_option(const struct advice_line *l)
{
	int at = advice_find(l, 1, ADVICE_OPTION, l->refused->why.word);
	const char *next;
	char *name = advice_copy(l->refused->why.word + strspn(l->refused->why.word, "-"));

	for (char *p = name; *p; p++) /* --full_matrices */
		*p = (char)(*p == '_' ? '-' : *p);
	if (at < 0)
		return;
	next = at + 1 < l->n &&
		(l->part[at + 1] != ADVICE_OPTION || isdigit((unsigned char)l->v[at + 1][1]))
	    ? l->v[at + 1]
	    : NULL;
	option_renamed(l, at, name);
	copied_first(l);
	run_together(l, at, name);
	if (advice_is_choice(name)) /* --mean */
		advice_put(l, at, 1, 1, MOVED, name, NULL);
	no_option(l, at, name, next);
}

void
advice_other_command(const struct advice_line *l, int at, int n)
{
	const struct axt_alias *alias;
	const char *name = l->v[at];
	struct advice_line c = *l;

	name = axt_operation_named(name, &alias) ? name : axt_foreign_name(name, 0);
	if (!name || !axt_operation_named(name, &alias))
		return;
	advice_drop(&c, at + 1 - n, n);
	c.v[0] = advice_text("axt-%s", name);
	advice_offer(l, &c, MOVED);
}

/* Offers the value of an option as those of its type are written. */
static void
respelled_value(const struct advice_line *l, int at, const struct cmd_opt *o)
{
	const char *w = l->v[at], *names[AXT_NDTYPES], *ours;
	size_t digits = strspn(w, "0123456789.");
	int n = 0;

	if (o->type == CMD_T_DTYPE) {
		for (int d = AXT_BOOL; d < AXT_NDTYPES; d++)
			names[n++] = axt_dtype_name((enum axt_dtype)d);
		advice_offer_word(l, at, advice_dtype(w), SPELLED);
		advice_offer_word(l, at, axt_nearest_word(w, names, n), SPELLED + 0.2);
	}
	if (o->type == CMD_T_SIZE) /* 10GB, 1.5GiB */
		advice_offer_word(l, at, advice_text("%.*s", (int)digits + (w[digits] != '\0'), w),
		    SPELLED);
	advice_offer_word(l, at, advice_number(advice_first_file(l), w), SPELLED);
	if (strchr(w, ':'))
		advice_offer_word(l, at,
		    advice_text("%.*s,%s", (int)strcspn(w, ":"), w, strchr(w, ':') + 1), SPELLED);
	for (int i = 0; (ours = axt_foreign_name(w, i)); i++)
		advice_offer_word(l, at, ours, SPELLED);
}

/* Offers the value of an option as that has it. */
void
edit_bad_value(const struct advice_line *l)
{
	const struct cmd_opt *o = advice_option_of(l->refused->why.of);
	const char *w = l->refused->why.word, *next, *ours;
	int at = advice_find(l, 1, ADVICE_VALUE, w);

	if (at < 0 && axt_is_number(w) && strtod(w, NULL) > 1) /* quantile:90 */
		advice_offer_swapped(l, w, advice_text("%.10g", strtod(w, NULL) / 100), SPELLED);
	if (at < 0 || !o)
		return;
	next = at + 1 < l->n && l->part[at + 1] == ADVICE_OPERAND ? l->v[at + 1] : NULL;
	if (*w == '=' && (w[1] || next)) /* --output = x.nc */
		advice_put(l, at - 1, 2 + !w[1], at - 1, 0.1, l->v[at - 1], w[1] ? w + 1 : next,
		    NULL);
	respelled_value(l, at, o);
	for (int i = 0; (ours = axt_foreign_option(o->name, i)); i++) /* --units degC of a result */
		if (strchr(ours, '='))
			option_is(l, at - 1, ours, SPELLED + 0.1);
	advice_other_command(l, at, 2);
	if (next) /* --range 250 310 */
		advice_put(l, at - 1, 3, at - 1, JOINED, l->v[at - 1],
		    advice_text("%s,%s", w, next), NULL);
	/* the option that was meant has another letter: -t f32 */
	if (axt_dtype_of_name(w) != AXT_DTYPE_AUTO && advice_option_called("dtype"))
		advice_put(l, at - 1, 2, at - 1, MOVED, "--dtype", w, NULL);
}

/* Offers the words that an option takes beside operands, as "area" of --weights A|area. */
void
advice_option_words(const struct advice_line *l, int at)
{
	const struct cmd_opt *o = l->part[at] == ADVICE_VALUE ? advice_option_of(l->v[at - 1])
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

	for (int i = 1; i < c.n; i++)
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
			for (const char *p; (p = strstr(c.v[i], signs[k][0]));) {
				c.v[i] = advice_text("%.*s%s%s", (int)(p - c.v[i]), c.v[i],
				    signs[k][1], p + strlen(signs[k][0]));
				c.part[i] = *c.v[i] == '-' && !axt_is_number(c.v[i]) ? ADVICE_OPTION
										     : c.part[i];
			}
	advice_offer(l, &c, 0.1);
}

/* Offers the word that was meant, or the option, which the error tells. */
void
edit_told(const struct advice_line *l)
{
	const struct axt_fact *f = &l->refused->why;
	const struct cmd_opt *o = *f->option ? advice_option_called(f->option) : NULL;
	bool whole = !strpbrk(f->word, " +,.:()[]");
	int at;

	for (int i = 1; i < l->n && *f->word; i++) { /* what stands for an axis is a whole, too */
		const char *value = strchr(l->v[i], '=');

		whole = whole || (value && strcmp(value + 1, f->word) == 0);
	}
	if (*f->meant && !strpbrk(f->word, "<>=!&|")) /* of more than a name, a name is a part */
		advice_offer_swapped(l, f->word + (*f->word == '/'), f->meant + (*f->meant == '/'),
		    whole ? 0.3 : 0.7);
	if (!o)
		return;
	at = advice_option_at(l, advice_dashed(o));
	if (at < 0 && o->letter)
		at = advice_option_at(l, advice_text("-%c", o->letter));
	if (at < 0)
		advice_put(l, l->n, 0, l->n, 0.3, advice_dashed(o), *f->value ? f->value : NULL,
		    NULL);
	else if (at + 1 < l->n && l->part[at + 1] == ADVICE_VALUE)
		advice_offer_word(l, at + 1, f->value, 0.3);
}

/* -over time, which is read as -o ver, is --over time. */
void
edit_single_dash(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		bool apart = i + 1 < l->n && l->part[i + 1] == ADVICE_VALUE;
		const char *name = advice_text("%s%s", l->v[i] + 1, apart ? l->v[i + 1] : "");
		const struct cmd_opt *o = l->part[i] == ADVICE_OPTION && name[1]
		    ? advice_option_called(name)
		    : NULL;
		const char *value = o && cmd_takes_value(o) && i + 1 + apart < l->n
		    ? l->v[i + 1 + apart]
		    : NULL;

		if (o)
			advice_put(l, i, 1 + apart + (value != NULL), i, 0.2, advice_dashed(o),
			    value, NULL);
	}
}
