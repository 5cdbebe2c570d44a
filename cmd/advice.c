/*
 * advice.c - the search for the command line that was likely meant. It begins with the line that
 * was refused: edits make other lines of it, and the cheapest of all is tried. A line that is
 * refused, but for another reason, is edited again.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"

enum { MOST_LINES = 2000, MOST_TRIALS = 60 };
/* A line that costs more is another line, and not the one that was meant. */
#define MOST_COST 5.0

static struct advice_line *lines[MOST_LINES];
static int nlines, next_line;

char *
advice_copy(const char *s)
{
	return strcpy(cmd_kept(strlen(s) + 1), s);
}

const char *
advice_text(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = n < 0 ? 0 : n;
	text = cmd_kept((size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

void
advice_insert(struct advice_line *l, int at, enum advice_part part, const char *word)
{
	if (l->n == ADVICE_WORDS || at > l->n)
		return;
	memmove(l->v + at + 1, l->v + at, (size_t)(l->n - at) * sizeof(l->v[0]));
	memmove(l->part + at + 1, l->part + at, (size_t)(l->n - at) * sizeof(l->part[0]));
	l->v[at] = word;
	l->part[at] = part;
	l->n++;
}

void
advice_drop(struct advice_line *l, int at, int n)
{
	n = n < l->n - at ? n : l->n - at;
	memmove(l->v + at, l->v + at + n, (size_t)(l->n - at - n) * sizeof(l->v[0]));
	memmove(l->part + at, l->part + at + n, (size_t)(l->n - at - n) * sizeof(l->part[0]));
	l->n -= n;
}

void
advice_put(const struct advice_line *l, int from, int n, int to, double cost, ...)
{
	struct advice_line c = *l;
	enum advice_part part = ADVICE_OPERAND;
	const char *word;
	va_list ap;

	advice_drop(&c, from, n);
	va_start(ap, cost);
	while ((word = va_arg(ap, const char *))) {
		bool option = cmd_is_option(word);

		part = option               ? ADVICE_OPTION
		    : part == ADVICE_OPTION ? ADVICE_VALUE
					    : ADVICE_OPERAND;
		advice_insert(&c, to++, part, word);
	}
	va_end(ap);
	advice_offer(l, &c, cost);
}

struct advice_line *
advice_words(const char *command, ...)
{
	struct advice_line *l = cmd_kept(sizeof(*l));
	va_list ap;

	va_start(ap, command);
	for (const char *w = command; w; w = va_arg(ap, const char *))
		advice_insert(l, l->n, ADVICE_OPERAND, w);
	va_end(ap);
	return l;
}

int
advice_operand(const struct advice_line *l, int i)
{
	for (int k = 1; k < l->n; k++)
		if (l->part[k] == ADVICE_OPERAND && i-- == 0)
			return k;
	return -1;
}

int
advice_find(const struct advice_line *l, int from, enum advice_part part, const char *word)
{
	for (int k = from; k < l->n; k++)
		if (l->part[k] == part && strcmp(l->v[k], word) == 0)
			return k;
	return -1;
}

int
advice_option_at(const struct advice_line *l, const char *name)
{
	return advice_find(l, 1, ADVICE_OPTION, name);
}

static bool
same_line(const struct advice_line *a, const struct advice_line *b)
{
	if (a->n != b->n || a->copied != b->copied || !a->from != !b->from ||
	    (a->from && !same_line(a->from, b->from)))
		return false;
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return false;
	return true;
}

void
advice_offer(const struct advice_line *of, struct advice_line *line, double cost)
{
	line->cost = of->cost + cost;
	line->refused = NULL;
	if (line->cost > MOST_COST || nlines == MOST_LINES)
		return;
	for (int i = 0; i < nlines; i++)
		if (same_line(lines[i], line)) {
			/* one that was not tried yet may be cheaper by another way */
			if (i >= next_line && lines[i]->cost > line->cost)
				lines[i]->cost = line->cost;
			return;
		}
	lines[nlines] = malloc(sizeof(*line));
	if (!lines[nlines])
		cmd_oom();
	*lines[nlines++] = *line;
}

/* The cheapest line that was not tried; of several, the one that was offered first. NULL: none. */
static struct advice_line *
cheapest(void)
{
	int best = next_line;
	struct advice_line *l;

	if (next_line == nlines)
		return NULL;
	for (int i = next_line; i < nlines; i++)
		if (lines[i]->cost < lines[best]->cost)
			best = i;
	l = lines[best];
	memmove(lines + next_line + 1, lines + next_line,
	    (size_t)(best - next_line) * sizeof(lines[0]));
	lines[next_line++] = l;
	return l;
}

static const struct cmd_opt *
option_of(const char *name, size_t n)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++)
		if (strncmp(o->name, name, n) == 0 && o->name[n] == '\0')
			return o;
	return NULL;
}

/* Adds the letters of a word such as -vo, and the value behind the last; false: one is unknown. */
static bool
add_letters(struct advice_line *l, const char *w, bool *wants)
{
	const struct cmd_opt *o = NULL;

	for (const char *p = w + 1; *p; p++) {
		int k = 0;

		while ((o = cmd_opt_at(k)) && o->letter != *p)
			k++;
		if (!o)
			return false;
		if (cmd_takes_value(o)) {
			advice_insert(l, l->n, ADVICE_OPTION, advice_text("-%c", *p));
			if (p[1])
				advice_insert(l, l->n, ADVICE_VALUE, p + 1);
			*wants = !p[1];
			return true;
		}
		advice_insert(l, l->n, ADVICE_OPTION, advice_text("-%c", *p));
	}
	return true;
}

/* Takes the typed words apart, by the options of the command. */
static void
read_line(struct advice_line *l, int argc, char *const argv[])
{
	bool wants = false, ended = false;

	*l = (struct advice_line){ .n = 0 };
	advice_insert(l, 0, ADVICE_OPERAND, cmd_st.c->name);
	for (int i = 1; i < argc && l->n < ADVICE_WORDS - 2; i++) {
		const char *w = argv[i], *eq = strchr(w, '=');
		size_t n = eq ? (size_t)(eq - w) : strlen(w);
		const struct cmd_opt *o;
		struct advice_line was = *l;

		if (wants || ended || !cmd_is_option(w)) {
			advice_insert(l, l->n, wants ? ADVICE_VALUE : ADVICE_OPERAND, w);
			wants = false;
		} else if (strcmp(w, "--") == 0) {
			ended = true;
			advice_insert(l, l->n, ADVICE_OPTION, w);
		} else if (w[1] != '-') {
			if (!add_letters(l, w, &wants)) {
				*l = was;
				advice_insert(l, l->n, ADVICE_OPTION, w);
			}
		} else {
			o = option_of(w + 2, n - 2);
			advice_insert(l, l->n, ADVICE_OPTION, advice_text("%.*s", (int)n, w));
			if (eq)
				advice_insert(l, l->n, ADVICE_VALUE, eq + 1);
			wants = o && !eq && cmd_takes_value(o);
		}
	}
}

/* Writes the line as it is typed. */
static void
write_line(const struct advice_line *l, char **text, size_t *len)
{
	if (l->from) {
		write_line(l->from, text, len);
		cmd_add_raw(text, len, " |");
	}
	if (l->copied) {
		const struct advice_file *f = advice_first_file(l);
		struct advice_line rest = *l;
		int at = advice_find(l, 1, ADVICE_OPERAND, f->word);

		write_line(advice_words("axt-copy", f->word, "-o", l->copied, NULL), text, len);
		cmd_add_raw(text, len, " &&");
		rest.copied = NULL;
		if (at > 0)
			rest.v[at] = advice_text("%s%s", l->copied,
			    strchr(f->word, ':') ? strchr(f->word, ':') : "");
		write_line(&rest, text, len);
		return;
	}
	for (int i = 0; i < l->n; i++) {
		size_t room = 4 * strlen(l->v[i]) + 16;
		char *word = malloc(room);

		if (!word)
			cmd_oom();
		/* an option is written as it is; a name that is no text, as the shell reads it */
		if (*l->v[i] == '-') {
			cmd_add_word(text, len, l->v[i]);
		} else {
			if (*len)
				cmd_add_raw(text, len, " ");
			cmd_add_raw(text, len, axt_quoted_to(word, room, l->v[i]));
		}
		free(word);
	}
}

void
advice_refuse(struct advice_refusal *r, const struct axt_fact *why)
{
	const char *meant = (cmd_st.c->flags & CMD_NAMED) ? advice_expression_meant() : NULL;

	r->why = why->about == AXT_ABOUT_NOTHING && !*why->option ? cmd_st.fact : *why;
	snprintf(r->meant, sizeof(r->meant), "%s", meant ? meant : "");
}

/*
 * For a name that nothing has: those that there are, of which the expression uses a few. NULL: it
 * stands in quotes, or there are none.
 */
static const char *
names_there(const struct advice_line *l)
{
	const char *all = "", *name = l->refused->why.word;

	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
		return NULL;
	for (int i = 2; i < l->n; i++) {
		const struct advice_file *f = l->part[i] == ADVICE_OPERAND ? advice_look(l->v[i])
									   : NULL;

		for (int k = 0; f && k < f->tensor.n && strlen(all) < 200; k++)
			all = advice_text("%s%s%s", all, *all ? ", " : "", f->tensor.v[k]);
	}
	return *all ? advice_text("the names are: %s; %s=FILE:DATASET gives one more", all, name)
		    : NULL;
}

const char *
cmd_advice(const struct axt_fact *why)
{
	static struct advice_refusal first;
	struct advice_line typed, *l;
	static char *text;
	size_t len = 0;
	int trials = 0;

	if (cmd_trying ||
	    (why->about == AXT_ABOUT_NOTHING && !*why->option && !(cmd_st.c->flags & CMD_NAMED)))
		return NULL;
	read_line(&typed, cmd_st.argc, cmd_st.argv);
	advice_offer(&typed, &typed, 0);
	l = cheapest();
	advice_refuse(&first, why);
	l->refused = &first;
	advice_edits(l);
	while ((l = cheapest()) && trials++ < MOST_TRIALS) {
		enum advice_trial how = advice_try(l);

		if (getenv("AXT_ADVICE_LOG")) {
			char *t = NULL;
			size_t m = 0;

			write_line(l, &t, &m);
			fprintf(stderr, "%g %d %d [%s|%s] %s\n", l->cost, how,
			    l->refused ? l->refused->why.about : 0,
			    l->refused ? l->refused->why.word : "",
			    l->refused ? l->refused->why.of : "", t);
		}
		if (how == ADVICE_WORKS) {
			write_line(l, &text, &len);
			return text;
		}
		if (how == ADVICE_FAILS)
			advice_edits(l);
	}
	return why->about == AXT_NO_NAME && *why->among ? names_there(lines[0]) : NULL;
}
