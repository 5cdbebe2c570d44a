/*
 * advice_edits.c - edits of a line by what it was refused for. Each says what people mean by such a
 * line, for any command: which words move, are joined, become options, or are written otherwise.
 * Whether a line is right is found out later; an edit may offer several.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "axt_operation.h"

/* Costs: a word written otherwise, one moved, one joined or made an option, one made up, left out. */
#define SPELLED 0.5
#define MOVED 1.0
#define JOINED 1.3
#define MADE_UP 2.0
#define LEFT_OUT 2.5

static void other_command(const struct advice_line *l, int at);
static void made_up(const struct advice_line *l, const char *slot);
static void spec(const struct advice_line *l);
static void field(const struct advice_line *l);
static void hyperslab(const struct advice_line *l);
static void assigned(const struct advice_line *l);
static void slice_first(const struct advice_line *l);
static void unnamed_lengths(const struct advice_line *l, int at);

/* ---- words of a line ---- */

static bool
is_number(const char *w)
{
	return axt_is_number(w);
}

/* Whether the word has the command's kind of first words: an operation, or a list of such. */
static bool
is_choice(const char *w)
{
	const char *name, *line;
	size_t n = strcspn(w, ",:");

	for (int i = 0; cmd_st.c->choice && cmd_st.c->choice(i, &name, &line); i++)
		if (strcspn(name, ":") == n && strncmp(name, w, n) == 0)
			return true;
	return false;
}

/* Whether the command's words are specs, as AXIS=LEN, and not names of axes alone. */
static bool
takes_specs(void)
{
	return (cmd_st.c->flags & CMD_SPECS) ||
	    (cmd_st.c->words[0] && strchr(cmd_st.c->words[0], '=') != NULL);
}

static bool
takes_axes_first(void)
{
	const char *w = cmd_st.c->words[0];

	return w && strncmp(w, "AX", 2) == 0 && !strchr(w, '=');
}

/* Where words of the command stand: behind those that choose an operation. */
static int
first_place(const struct advice_line *l)
{
	int i = advice_operand(l, 0);

	i = i < 0 ? l->n : i;
	return i < l->n && is_choice(l->v[i]) ? i + 1 : i;
}

/* An option of the command's own that takes axes and was not given; NULL: none. */
static const struct cmd_opt *
axes_option(const struct advice_line *l)
{
	const struct cmd_opt *o = cmd_st.c->opts;

	for (; o && o->type != CMD_T_END; o++)
		if (o->arg && strncmp(o->arg, "AX", 2) == 0 && !strchr(o->arg, '=') &&
		    (strcmp(o->name, "over") == 0 || strcmp(o->name, "along") == 0) &&
		    advice_option_at(l, advice_text("--%s", o->name)) < 0)
			return o;
	return NULL;
}

static const char *
dashed(const struct cmd_opt *o)
{
	return advice_text("--%s", o->name);
}

static const struct cmd_opt *
option_called(const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++)
		if (strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

/* The axis that is most often meant: that of time, or the first. */
static const char *
usual_axis(const struct advice_file *f)
{
	const char *time = f->axes.n > 0 ? advice_axis(f, "time") : NULL;

	if (advice_has(&f->axes, "time"))
		return "time";
	return time ? time : f->axes.n > 0 ? f->axes.v[0] : NULL;
}

/* The copy of a line without a word. */
static struct advice_line
without(const struct advice_line *l, int at)
{
	struct advice_line c = *l;

	advice_drop(&c, at, 1);
	return c;
}

/* Offers the line with another word in place of one. */
static void
offer_word(const struct advice_line *l, int at, const char *word, double cost)
{
	struct advice_line c = *l;

	if (!word || strcmp(word, l->v[at]) == 0)
		return;
	c.v[at] = word;
	advice_offer(l, &c, cost);
}

/* Offers the line with `is` for `was` in the words that have it, as a whole or between signs. */
static void
offer_swapped(const struct advice_line *l, const char *was, const char *is, double cost)
{
	size_t n = strlen(was);
	struct advice_line c = *l;
	bool any = false;

	for (int i = 1; i < l->n && n > 0; i++) {
		const char *p = l->part[i] == ADVICE_OPTION ? NULL : strstr(l->v[i], was);

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
static int
place_of(const struct advice_line *l, const char *word)
{
	for (int i = 1; i < l->n && *word; i++)
		if (l->part[i] != ADVICE_OPTION && strcmp(l->v[i], word) == 0)
			return i;
	for (int i = 1; i < l->n && *word; i++)
		if (l->part[i] != ADVICE_OPTION && strstr(l->v[i], word))
			return i;
	return -1;
}

/* ---- operands that stand in the wrong place ---- */

/* Offers the line with its words, in the order as typed, before its files. */
static void
words_first(const struct advice_line *l)
{
	struct advice_line c = *l;
	int to = advice_operand(l, 0);

	for (int i = to; i >= 0 && i < c.n; i++) {
		const char *w = c.v[i];

		if (c.part[i] != ADVICE_OPERAND || advice_is_file(w))
			continue;
		advice_drop(&c, i, 1);
		advice_insert(&c, to++, ADVICE_OPERAND, w);
	}
	advice_offer(l, &c, MOVED);
	/* an operation stands before all */
	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND && is_choice(l->v[i])) {
			c = without(l, i);
			advice_insert(&c, 1, ADVICE_OPERAND, l->v[i]);
			advice_offer(l, &c, MOVED);
		}
}

/* Offers axes that stand among operands as the value of the option that takes them. */
static void
axes_to_option(const struct advice_line *l)
{
	const struct cmd_opt *o = axes_option(l);
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; o && f && i < l->n; i++) {
		struct advice_line c = without(l, i);
		const char *w = l->v[i], *axes = advice_axes(f, w, 0);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(w))
			continue;
		if (advice_is_axes(l, w))
			axes = w;
		/* over time: the word before is the option without its dashes */
		if (i > 1 && strcmp(l->v[i - 1], o->name) == 0)
			advice_drop(&c, i - 1, 1);
		if (axes && !is_number(w)) {
			advice_insert(&c, i, ADVICE_OPTION, dashed(o));
			advice_insert(&c, i + 1, ADVICE_VALUE, axes);
			advice_offer(l, &c, axes == w ? MOVED : MOVED + SPELLED);
		}
	}
}

/* Offers a word as the value of an option of the command's own that takes such. */
static void
word_to_option(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++)
		for (const struct cmd_opt *o = cmd_st.c->opts; o && o->type != CMD_T_END; o++) {
			struct advice_line c = without(l, i);
			const char *w = l->v[i];
			bool fits = (o->type == CMD_T_DTYPE &&
					axt_dtype_of_name(w) != AXT_DTYPE_AUTO) ||
			    ((o->type == CMD_T_INT || o->type == CMD_T_NUM) && is_number(w)) ||
			    (o->arg && *o->arg == 'N' && is_number(w)) ||
			    (o->arg && strncmp(o->arg, "UNIT", 4) == 0 && !advice_is_file(w));

			if (l->part[i] != ADVICE_OPERAND || !fits ||
			    advice_option_at(l, dashed(o)) >= 0)
				continue;
			advice_insert(&c, i, ADVICE_OPTION, dashed(o));
			advice_insert(&c, i + 1, ADVICE_VALUE, w);
			advice_offer(l, &c, JOINED);
		}
	for (int i = 1; i < l->n && option_called("dtype"); i++) {
		struct advice_line c = without(l, i);
		const char *d = advice_dtype(l->v[i]);

		if (l->part[i] != ADVICE_OPERAND)
			continue;
		d = axt_dtype_of_name(l->v[i]) != AXT_DTYPE_AUTO ? l->v[i] : d;
		if (d && axt_dtype_of_name(d) != AXT_DTYPE_AUTO && !advice_is_file(l->v[i])) {
			advice_insert(&c, i, ADVICE_OPTION, "--dtype");
			advice_insert(&c, i + 1, ADVICE_VALUE, d);
			advice_offer(l, &c, JOINED);
		}
	}
}

/* Offers the last operand as the output. */
static void
last_is_output(const struct advice_line *l)
{
	int last = -1, n = 0;
	struct advice_line c;

	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND) {
			last = i;
			n++;
		}
	if (n < 2 || !strchr(l->v[last], '.') || is_number(l->v[last]) ||
	    advice_option_at(l, "-o") >= 0 || advice_option_at(l, "--output") >= 0 ||
	    strpbrk(l->v[last], "=@*:") || access(l->v[last], F_OK) == 0)
		return; /* a file that is there is not written over by advice */
	c = without(l, last);
	advice_option(&c, "-o", l->v[last]);
	advice_offer(l, &c, MOVED);
}

/* Whether the words between commas are tensors of the file. */
static bool
all_tensors(const struct advice_file *f, const char *list)
{
	for (size_t n; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (!advice_has(&f->tensor, advice_text("%.*s", (int)n, list)))
			return false;
	}
	return true;
}

/* Offers a word that is a tensor of a file joined to that. */
static void
dataset_to_file(const struct advice_line *l)
{
	for (int f = 1; f < l->n; f++)
		for (int i = 1; i < l->n && l->part[f] == ADVICE_OPERAND; i++) {
			struct advice_line c = *l;
			const char *w = l->v[i];

			if (i == f || l->part[i] != ADVICE_OPERAND || !advice_is_file(l->v[f]) ||
			    strchr(l->v[f], ':') || !all_tensors(advice_look(l->v[f]), w))
				continue;
			c.v[f] = advice_text("%s:%s", l->v[f], w);
			advice_drop(&c, i, 1);
			advice_offer(l, &c, MOVED);
			/* several of one file are several operands */
			c = *l;
			for (int k = 1; k < c.n; k++)
				if (c.part[k] == ADVICE_OPERAND &&
				    advice_has(&advice_look(l->v[f])->tensor, c.v[k]))
					c.v[k] = advice_text("%s:%s", l->v[f], c.v[k]);
			advice_drop(&c, f, 1);
			advice_offer(l, &c, JOINED);
		}
}

static bool
may_join(const struct advice_line *l, int i)
{
	return l->part[i] == ADVICE_OPERAND && l->part[i + 1] == ADVICE_OPERAND &&
	    !advice_is_file(l->v[i]) && !advice_is_file(l->v[i + 1]);
}

/* The line with the sign between neighbours that are no files: all of a run, or two and two. */
static struct advice_line
joined_run(const struct advice_line *l, const char *sign, bool pairs)
{
	struct advice_line c = *l;

	for (int i = first_place(l); i + 1 < c.n;) {
		if (!may_join(&c, i)) {
			i++;
			continue;
		}
		c.v[i] = advice_text("%s%s%s", c.v[i], sign, c.v[i + 1]);
		advice_drop(&c, i + 1, 1);
		i += pairs;
	}
	return c;
}

/* Offers neighbours that are no files as one word, with a sign between them. */
static void
join_words(const struct advice_line *l)
{
	static const char *const signs[] = { "=", ",", "@", " " };
	const char *first = cmd_st.c->words[0];
	struct advice_line pairs, lists;

	for (int i = 1; i + 1 < l->n; i++) {
		struct advice_line c = without(l, i + 1);
		bool files = advice_is_file(l->v[i]) || advice_is_file(l->v[i + 1]);

		if (l->part[i] == ADVICE_OPTION || l->part[i + 1] != ADVICE_OPERAND ||
		    (files && !advice_is_file(advice_text("%s %s", l->v[i], l->v[i + 1]))))
			continue;
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
			/* the sign that the synopsis has is likelier */
			bool usual = first && strstr(first, signs[k]);

			if ((*signs[k] == ' ') != files ||
			    (*signs[k] == '=' && strchr(l->v[i], '=')))
				continue;
			c.v[i] = advice_text("%s%s%s", l->v[i], signs[k], l->v[i + 1]);
			advice_offer(l, &c, (usual ? MOVED : JOINED) + 0.05 * (double)k);
		}
		/* time = 0, and {"lat": "y"} */
		if (l->v[i][strlen(l->v[i]) - 1] == '=' || *l->v[i + 1] == '=') {
			c.v[i] = advice_text("%s%s", l->v[i], l->v[i + 1]);
			advice_offer(l, &c, SPELLED);
		}
	}
	pairs = joined_run(l, "=", true);
	lists = joined_run(&pairs, ",", false);
	advice_offer(l, &pairs, JOINED + 0.2);
	advice_offer(l, &lists, JOINED + 0.3); /* lat 3 lon 4 */
	lists = joined_run(l, ",", false);
	advice_offer(l, &lists, JOINED + 0.1);
}

/*
 * Offers the line without a sign between operands, or a word that says what is done anyway. A word
 * that tells something is never left out.
 */
static void
leave_out(const struct advice_line *l)
{
	static const char noise[] = "set get show over along by of to in and the axis";

	for (int i = 1; i < l->n; i++) {
		struct advice_line c = without(l, i);

		if (l->part[i] != ADVICE_OPERAND)
			continue;
		if (strspn(l->v[i], "+-*/x=<>!") == strlen(l->v[i]) || axt_has_word(noise, l->v[i]))
			advice_offer(l, &c, SPELLED);
		else if (strspn(l->v[i], "<>=!") > 0)
			offer_word(l, i, l->v[i] + strspn(l->v[i], "<>=! "), SPELLED);
	}
}

/* Offers several files as one tensor, which is piped to the command. */
static void
several_files(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	int first = -1, files = 0;

	for (int how = 0; how < 2 && f; how++) {
		struct advice_line *one = calloc(1, sizeof(*one)), c = *l;
		const char *axis = how ? "member" : usual_axis(f);

		if (!one || !axis || c.from)
			return;
		advice_insert(one, 0, ADVICE_OPERAND, how ? "axt-stack" : "axt-concat");
		advice_insert(one, 1, ADVICE_OPERAND, axis);
		for (int i = files = 0; i < c.n;)
			if (i > 0 && c.part[i] == ADVICE_OPERAND && advice_is_file(c.v[i])) {
				advice_insert(one, one->n, ADVICE_OPERAND, c.v[i]);
				first = files++ ? first : i;
				advice_drop(&c, i, 1);
			} else {
				i++;
			}
		if (files < 2)
			return;
		advice_insert(&c, first, ADVICE_OPERAND, "-");
		c.from = one;
		advice_offer(l, &c, MADE_UP + how * 0.5);
	}
}

/* Offers the operands in other orders. */
static void
permuted(const struct advice_line *l)
{
	for (int i = 0; advice_operand(l, i + 1) > 0; i++)
		for (int k = i + 1; advice_operand(l, k) > 0 && k < 4; k++) {
			struct advice_line c = *l;
			int from = advice_operand(l, i), to = advice_operand(l, k);
			const char *w = c.v[from];

			advice_drop(&c, from, 1);
			advice_insert(&c, to, ADVICE_OPERAND, w); /* one moves to the end */
			advice_offer(l, &c, MOVED + 0.01 * (k - i));
			c = *l;
			c.v[from] = l->v[to];
			c.v[to] = w;
			advice_offer(l, &c, MOVED + 0.1);
		}
}

/* Offers an output in a directory by the name of the first file. */
static void
in_directory(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 2; f && i < l->n; i++) {
		size_t n = strlen(l->v[i]);
		const char *slash = strrchr(f->word, '/'), *name = slash ? slash + 1 : f->word;

		if (l->part[i] == ADVICE_VALUE &&
		    (strcmp(l->v[i - 1], "-o") == 0 || strcmp(l->v[i - 1], "--output") == 0) &&
		    n > 0)
			offer_word(l, i,
			    advice_text(l->v[i][n - 1] == '/' ? "%s%.*s" : "%s/%.*s", l->v[i],
				(int)strcspn(name, ":"), name),
			    SPELLED);
	}
}

/* Offers the line with `specs` selected first from operand `at`, which is piped to it. */
static void
offer_part(const struct advice_line *l, int at, const char *operand, struct advice_line *specs,
    double cost)
{
	struct advice_line c = *l, *one = calloc(1, sizeof(*one));

	if (!one || l->from || specs->n == 0)
		return;
	advice_insert(one, 0, ADVICE_OPERAND, "axt-slice");
	for (int i = 0; i < specs->n; i++)
		advice_insert(one, one->n, ADVICE_OPERAND, specs->v[i]);
	advice_insert(one, one->n, ADVICE_OPERAND, operand);
	c.v[at] = "-";
	c.from = one;
	advice_offer(l, &c, cost);
}

/* Adds what stands between brackets as specs: lat=0,lon=0:2, or positions of the axes. */
static void
read_subscript(const char *s, const struct advice_file *f, struct advice_line *specs)
{
	for (int k = 0; *s && *s != ']'; k++) {
		size_t n = strcspn(s, ",]");
		const char *one = advice_text("%.*s", (int)n, s);

		if (strncmp(one, "...", 3) == 0)
			k = f->axes.n - 2;
		else if (strpbrk(one, "=@"))
			advice_insert(specs, specs->n, ADVICE_OPERAND, one);
		else if (k < f->axes.n && strcmp(one, ":") != 0)
			advice_insert(specs, specs->n, ADVICE_OPERAND,
			    advice_text("%s=%s", f->axes.v[k], one));
		s += n + (s[n] == ',');
		s += strspn(s, " ");
	}
}

/* Offers FILE[0,:], FILE:TENSOR[lat=0] and TENSOR[0:10] as a part that is selected. */
static void
subscript(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *w = l->v[i], *open = strchr(w, '[');
		const char *operand = open ? advice_text("%.*s", (int)(open - w), w) : "";
		const struct advice_file *f = advice_is_file(operand) ? advice_look(operand)
								      : advice_first_file(l);
		struct advice_line specs = { .n = 0 }, c = *l;
		int file;

		if (!open || l->part[i] != ADVICE_OPERAND || !f)
			continue;
		read_subscript(open + 1, f, &specs);
		if (advice_is_file(operand)) {
			offer_part(l, i, operand, &specs, MOVED);
			continue;
		}
		file = advice_find(l, 1, ADVICE_OPERAND, f->word);
		if (file < 0 || (*operand && !advice_has(&f->tensor, operand)))
			continue;
		if (*operand)
			c.v[file] = advice_text("%s:%s", l->v[file], operand);
		advice_drop(&c, i, 1);
		for (int k = 0; k < specs.n; k++)
			advice_insert(&c, i + k, ADVICE_OPERAND, specs.v[k]);
		advice_offer(l, &c, MOVED);
	}
}

/* Offers the words that are specs as what is selected of the file first. */
static void
slice_first(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line specs = { .n = 0 }, c = *l;
	int file;

	for (int i = 1; f && i < c.n; i++) {
		size_t n = strcspn(c.v[i], "=@");

		if (c.part[i] != ADVICE_OPERAND || !c.v[i][n] ||
		    !advice_has(&f->axes, advice_text("%.*s", (int)n, c.v[i])))
			continue;
		advice_insert(&specs, specs.n, ADVICE_OPERAND, c.v[i]);
		advice_drop(&c, i--, 1);
	}
	file = f ? advice_find(&c, 1, ADVICE_OPERAND, f->word) : -1;
	if (file > 0 && !takes_specs())
		offer_part(&c, file, f->word, &specs, MOVED);
}

/* Offers -d NAME,LO,HI,STEP of NCO, where HI is taken, as specs. */
static void
hyperslab(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c = *l;
	bool any = false;

	for (int i = 1; f && i + 1 < c.n; i++) {
		const char *v = c.v[i + 1], *lo = strchr(v, ','),
			   *hi = lo ? strchr(lo + 1, ',') : NULL;
		bool at = strpbrk(lo ? lo : "", ".-");

		if (strcmp(c.v[i], "-d") != 0 || !lo ||
		    !advice_has(&f->axes, advice_text("%.*s", (int)(lo - v), v)))
			continue;
		v = hi ? advice_text("%.*s%s%.*s:%s", (int)(lo - v), v, at ? "@" : "=",
			     (int)(hi - lo - 1), lo + 1,
			     at ? hi + 1 : advice_text("%d", atoi(hi + 1) + 1))
		       : advice_text("%.*s%s%s", (int)(lo - v), v, at ? "@" : "=", lo + 1);
		advice_drop(&c, i, 2);
		advice_insert(&c, 1, ADVICE_OPERAND, v);
		any = true;
		i = 0;
	}
	if (any && takes_specs())
		advice_offer(l, &c, SPELLED);
	else if (any)
		slice_first(&c);
}

static void
too_many(const struct advice_line *l)
{
	slice_first(l);
	axes_to_option(l);
	word_to_option(l);
	last_is_output(l);
	dataset_to_file(l);
	join_words(l);
	leave_out(l);
	permuted(l);
	words_first(l);
	several_files(l);
}

/* ---- operands that are missing ---- */

/* Offers the line with a word that was not typed, by what the synopsis has in its place. */
static void
made_up(const struct advice_line *l, const char *slot)
{
	const struct advice_file *f = advice_first_file(l);
	const char *axis = f ? usual_axis(f) : NULL, *name, *line;
	struct advice_line c = *l;
	int at = first_place(l);

	if (cmd_st.c->choice && strcmp(slot, cmd_st.c->words[0] ? cmd_st.c->words[0] : "") == 0) {
		static const char *const usual[] = { "mean", "sum", "zeros", "negative", "set" };

		for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
			for (int k = 0; cmd_st.c->choice(k, &name, &line); k++)
				if (strcmp(name, usual[i]) == 0) {
					c = *l;
					advice_insert(&c, 1, ADVICE_OPERAND, usual[i]);
					advice_offer(l, &c, MADE_UP);
					return;
				}
	}
	if (axis && strncmp(slot, "AX", 2) == 0 && !strchr(slot, '=')) {
		advice_insert(&c, at, ADVICE_OPERAND, axis);
		advice_offer(l, &c, MADE_UP);
		if (f->axes.n > 1) {
			c = *l;
			advice_insert(&c, at, ADVICE_OPERAND,
			    advice_text("%s,%s", f->axes.v[f->axes.n - 2],
				f->axes.v[f->axes.n - 1]));
			advice_offer(l, &c, MADE_UP + 0.3);
		}
		c = *l;
		advice_insert(&c, at, ADVICE_OPERAND, "member");
		advice_offer(l, &c, MADE_UP + 0.5);
	}
	if (strcmp(slot, "HI") == 0 || strcmp(slot, "LO") == 0 || strcmp(l->v[0], "axt-clip") == 0)
		for (int k = at; k <= l->n; k++) {
			c = *l;
			advice_insert(&c, k, ADVICE_OPERAND, "inf");
			advice_offer(l, &c, MADE_UP + 0.01 * (l->n - k));
		}
}

/* --over lat --over lon: one option with both. */
static void
twice(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++)
		for (int k = i + 1; k + 1 < l->n; k++) {
			struct advice_line c = *l;

			if (l->part[i] != ADVICE_OPTION || l->part[k] != ADVICE_OPTION ||
			    strcmp(l->v[i], l->v[k]) != 0 || l->part[k + 1] != ADVICE_VALUE)
				continue;
			c.v[i + 1] = advice_text("%s,%s", l->v[i + 1], l->v[k + 1]);
			advice_drop(&c, k, 2);
			advice_offer(l, &c, JOINED);
			c = *l;
			advice_drop(&c, k, 2);
			advice_offer(l, &c, LEFT_OUT);
		}
}

static void
too_few(const struct advice_line *l)
{
	words_first(l);
	dataset_to_file(l);
	axes_to_option(l);
	word_to_option(l);
	made_up(l, l->refused->why.word);
	if (cmd_st.c->words[0] && advice_operand(l, 0) > 0 &&
	    (cmd_st.c->choice ? !is_choice(l->v[advice_operand(l, 0)])
			      : advice_is_file(l->v[advice_operand(l, 0)])))
		made_up(l, cmd_st.c->words[0]); /* something else was taken for the first word */
	assigned(l);
	hyperslab(l);
	leave_out(l);
}

/* Offers an option that is needed, with what is typed for it, or with the usual value. */
static void
needs_option(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const struct cmd_opt *o = option_called(
	    l->refused->why.word + strspn(l->refused->why.word, "-"));
	struct advice_line c = *l;
	const char *value = *l->refused->why.of ? l->refused->why.of : NULL;

	axes_to_option(l);
	word_to_option(l);
	if (!o)
		return;
	if (!value && o->arg && strncmp(o->arg, "AX", 2) == 0 && f)
		value = usual_axis(f);
	if (value) {
		advice_insert(&c, first_place(l), ADVICE_OPTION, dashed(o));
		advice_insert(&c, first_place(l) + 1, ADVICE_VALUE, value);
		advice_offer(l, &c, MADE_UP);
	}
}

/* ---- options ---- */

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

			c.v[at] = dashed(o);
			advice_insert(&c, at + 1, ADVICE_VALUE, name);
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
				is = *ours && option_called(ours) ? ours : NULL;
		if (!is || !(o = option_called(is)))
			continue;
		c.v[at] = dashed(o);
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

static void
no_option(const struct advice_line *l)
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
	if (l->v[at][1] != '-' && name[1] && option_called(name)) /* -over */
		offer_word(l, at, advice_text("--%s", name), 0.1);
	if (is_choice(name)) { /* --mean */
		c = without(l, at);
		advice_insert(&c, 1, ADVICE_OPERAND, name);
		advice_offer(l, &c, MOVED);
	}
	c = without(l, at);
	if (axis && value && takes_specs()) { /* --lat -30:30 */
		for (int k = 0; k < 2; k++) {
			c = *l;
			advice_drop(&c, at, 2);
			advice_insert(&c, first_place(&c), ADVICE_OPERAND,
			    advice_text(k == is_number(value) ? "%s@%s" : "%s=%s", name, value));
			advice_offer(l, &c, MOVED + 0.1 * k);
		}
		return;
	}
	if (value && (takes_axes_first() || takes_specs() || cmd_st.c->words[0])) {
		c = *l;
		advice_drop(&c, at, 2);
		advice_insert(&c, first_place(&c), ADVICE_OPERAND, value);
		advice_offer(l, &c, MOVED + 0.2);
	}
	c = without(l, at);
	if (value && at < c.n) { /* --value 0: an operand */
		c.part[at] = ADVICE_OPERAND;
		advice_offer(l, &c, MOVED + 0.6);
	}
	if (left_out(name)) { /* what is done anyway, with its value or without it */
		for (int k = 1; k <= 1 + (value != NULL); k++) {
			c = *l;
			advice_drop(&c, at, k);
			advice_offer(l, &c, SPELLED + 0.1 * (k == 1));
		}
	}
}

/* Offers the value of an option as that has it. */
static void
bad_value(const struct advice_line *l)
{
	const struct cmd_opt *o = option_called(
	    l->refused->why.of + strspn(l->refused->why.of, "-"));
	const char *w = l->refused->why.word, *ours;
	int at = -1;

	for (int i = 1; i < l->n && at < 0; i++)
		if (l->part[i] == ADVICE_VALUE && strcmp(l->v[i], w) == 0)
			at = i;
	if (at < 0 && is_number(w) && strtod(w, NULL) > 1) /* quantile:90 */
		offer_swapped(l, w, advice_text("%.10g", strtod(w, NULL) / 100), SPELLED);
	if (at < 0 || !o)
		return;
	if (*w == '=') { /* --output = x.nc */
		struct advice_line c = w[1] ? *l : without(l, at);

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
		offer_word(l, at, advice_dtype(w), SPELLED);
		offer_word(l, at, axt_nearest_word(w, names, n), SPELLED + 0.2);
	}
	if (o->type == CMD_T_SIZE) /* 10GB, 1.5GiB */
		offer_word(l, at,
		    advice_text("%.*s",
			(int)(strspn(w, "0123456789.") + (w[strspn(w, "0123456789.")] != 0)), w),
		    SPELLED);
	offer_word(l, at, advice_number(w), SPELLED);
	other_command(l, at);
	if (strchr(w, ':'))
		offer_word(l, at,
		    advice_text("%.*s,%s", (int)strcspn(w, ":"), w, strchr(w, ':') + 1), SPELLED);
	for (int i = 0; (ours = axt_foreign_name(w, i)); i++)
		offer_word(l, at, ours, SPELLED);
	if (at + 1 < l->n && l->part[at + 1] == ADVICE_OPERAND) { /* --range 250 310 */
		struct advice_line c = without(l, at + 1);

		c.v[at] = advice_text("%s,%s", w, l->v[at + 1]);
		advice_offer(l, &c, JOINED);
	}
	if (o->arg && strchr(o->arg, '|'))
		for (const char *s = o->arg; *s; s += strcspn(s, "|"), s += *s == '|') {
			const char *one = advice_text("%.*s", (int)strcspn(s, "|"), s);

			if (axt_nearest_word(w, &one, 1))
				offer_word(l, at, one, SPELLED + 0.2);
		}
	{ /* the option that was meant has another letter: -t f32 */
		struct advice_line c = *l;

		if (axt_dtype_of_name(w) != AXT_DTYPE_AUTO && option_called("dtype")) {
			c.v[at - 1] = "--dtype";
			advice_offer(l, &c, MOVED);
		}
	}
}

/* ---- files and datasets ---- */

/* Offers the words that an option takes beside operands, as "area" of --weights A|area. */
static void
option_words(const struct advice_line *l, int at)
{
	const struct cmd_opt *o = l->part[at] == ADVICE_VALUE
	    ? option_called(l->v[at - 1] + strspn(l->v[at - 1], "-"))
	    : NULL;

	for (const char *s = o && o->arg ? o->arg : ""; *s; s += strcspn(s, "|"), s += *s == '|')
		if (islower((unsigned char)*s))
			offer_word(l, at, advice_text("%.*s", (int)strcspn(s, "|"), s),
			    MADE_UP - 0.5);
}

/* Offers a coordinate of a file as FILE:NAME, for a name alone that is no file. */
static void
coordinate(const struct advice_line *l, const char *name)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; f && i < l->n; i++) {
		const struct cmd_opt *o = l->part[i] == ADVICE_VALUE
		    ? option_called(l->v[i - 1] + strspn(l->v[i - 1], "-"))
		    : NULL;
		const char *p = strstr(l->v[i], name);

		if (o && o->type == CMD_T_OPERAND && p && *name &&
		    (advice_has(&f->axes, name) || advice_has(&f->tensor, name)))
			offer_word(l, i,
			    advice_text("%.*s%.*s:%s", (int)(p - l->v[i]), l->v[i],
				(int)strcspn(f->word, ":"), f->word, p),
			    MOVED);
	}
}

/* Offers names of files that are there, and the files that a pattern in quotes means. */
static void
near_files(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *near;
	int at = place_of(l, word);

	if (at < 0)
		return;
	if (strpbrk(word, "*?[")) {
		struct advice_line c = *l;
		int n = 0;

		advice_drop(&c, at, 1);
		for (; (near = advice_matching_file(word, n)) && n < 8; n++)
			advice_insert(&c, at + n, ADVICE_OPERAND, near);
		if (n > 0 && n < 8)
			advice_offer(l, &c, SPELLED);
		return;
	}
	for (int i = 0; i < 4 && (near = advice_near_file(word, i)); i++)
		offer_swapped(l, word, near, SPELLED * advice_distance(word, near) + 0.1 + 0.2 * i);
	if (strchr(word, ' ')) { /* two files in quotes */
		struct advice_line c = *l;
		bool all = true;
		int to = at;

		advice_drop(&c, at, 1);
		for (const char *s = word; *s; s += strspn(s, " ")) {
			size_t n = strcspn(s, " ");

			near = advice_text("%.*s", (int)n, s);
			all = all && advice_is_file(near);
			advice_insert(&c, to++, ADVICE_OPERAND, near);
			s += n;
		}
		if (all)
			advice_offer(l, &c, SPELLED);
	}
}

/*
 * Offers a line of axt-calc for an expression where a tensor stands: the command is a function there,
 * whose other operands are values, and x of axt-map is the tensor.
 */
static void
as_expression(const struct advice_line *l, int at)
{
	const struct advice_file *f = advice_first_file(l);
	const char *text = "", *name = f && f->tensor.n > 0 ? f->tensor.v[0] : NULL;
	bool map = strcmp(l->v[0], "axt-map") == 0;
	struct advice_line c = { 0 };

	if (!name)
		return;
	for (const char *s = l->v[at]; *s; s++) {
		bool x = map && *s == 'x' && (s == l->v[at] || !isalnum((unsigned char)s[-1])) &&
		    !isalnum((unsigned char)s[1]);

		text = x ? advice_text("%s%s", text, name) : advice_text("%s%c", text, *s);
	}
	for (int i = 1; i < l->n && !map; i++)
		if (i != at && l->part[i] == ADVICE_OPERAND)
			text = advice_text("%s, %s", text,
			    advice_is_file(l->v[i]) ? name : l->v[i]);
	advice_insert(&c, 0, ADVICE_OPERAND, "axt-calc");
	advice_insert(&c, 1, ADVICE_OPERAND,
	    map ? text : advice_text("%s(%s)", l->v[0] + strlen("axt-"), text));
	for (int i = 1; i < l->n; i++)
		if (i != at && (l->part[i] != ADVICE_OPERAND || advice_is_file(l->v[i])))
			advice_insert(&c, c.n, l->part[i], l->v[i]);
	advice_offer(l, &c, MOVED);
}

static void
no_file(const struct advice_line *l)
{
	int at = place_of(l, l->refused->why.word);
	const char *w;
	size_t n;

	if (at < 0)
		return;
	w = l->v[at];
	/* one.nc/tas, one.nc,tas, two.nc#tas: the name of a tensor behind that of a file */
	for (n = strlen(w); n > 0; n--)
		if (strchr("/,#?. ", w[n]) && w[n] &&
		    advice_is_file(advice_text("%.*s", (int)n, w)))
			offer_word(l, at,
			    advice_text("%.*s:%s", (int)n, w, w + n + strspn(w + n, "/,#?.: ")),
			    SPELLED);
	if (strncmp(w, "~/", 2) == 0 && getenv("HOME"))
		offer_word(l, at, advice_text("%s%s", getenv("HOME"), w + 1), SPELLED);
	offer_word(l, at, advice_number(w), SPELLED);
	option_words(l, at);
	coordinate(l, l->refused->why.word);
	field(l);
	if (takes_specs())
		spec(l);
	if (strpbrk(w, "<>!&|+*(^") && l->part[at] == ADVICE_OPERAND)
		as_expression(l, at);
	too_many(l);
}

/* Offers a field of dates with the axis of times before it: --by month. */
static void
field(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *word = l->refused->why.word, *dot = strrchr(word, '.');
	static const char fields[] = "year season month day hour dayofyear daysinmonth date";

	if (f && axt_has_word(fields, word) && usual_axis(f))
		offer_swapped(l, word, advice_text("%s.%s", usual_axis(f), word), SPELLED);
	if (f && dot && axt_has_word(fields, dot + 1) && usual_axis(f))
		offer_swapped(l, word, advice_text("%s%s", usual_axis(f), dot), SPELLED);
}

/* Offers a period of time as it is typed here: --every MS. */
static void
period(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *dot = strrchr(word, '.');
	struct axt_graph *g = axt_graph_new();
	const char *is = g ? axt_respell_period(g, word) : NULL, *ours;
	int at = place_of(l, word);
	size_t letters = strlen(word + strspn(word, "0123456789"));

	if (at > 0 && is && letters < 3)
		offer_word(l, at, advice_text("%s", is), SPELLED);
	if (at > 0 && dot)
		offer_word(l, at, dot + 1, SPELLED);
	for (int i = 0; at > 0 && (ours = axt_foreign_name(word, i)); i++)
		offer_word(l, at, ours, SPELLED);
	axt_graph_free(g);
}

/* Offers one tensor of a file where others of it cannot be meant. */
static void
one_of_several(const struct advice_line *l)
{
	int each = advice_option_at(l, "--each");

	for (int i = 1; i < l->n; i++) {
		size_t n = strcspn(l->v[i], ":");
		const char *file = advice_text("%.*s", (int)n, l->v[i]);
		bool all = each > 0 || strchr(l->v[i] + n, '*');

		if (l->part[i] != ADVICE_OPERAND || !all || !advice_is_file(file))
			continue;
		for (int k = 0; k < advice_look(file)->tensor.n; k++) {
			struct advice_line c = *l;

			c.v[i] = advice_text("%s:%s", file, advice_look(file)->tensor.v[k]);
			if (each > 0)
				advice_drop(&c, each, 1);
			advice_offer(l, &c, JOINED + 0.05 * k);
		}
	}
}

/* Offers the second of two tensors with the values where the first one has its own. */
static void
interpolated(const struct advice_line *l)
{
	const char *axis = l->refused->why.word, *lat = NULL, *lon = NULL;
	int at[2] = { 0 }, n = 0;

	for (int i = 1; i < l->n && n < 2; i++)
		if (l->part[i] == ADVICE_OPERAND && advice_is_file(l->v[i]))
			at[n++] = i;
	if (n < 2 || l->from)
		return;
	lat = advice_axis(advice_look(l->v[at[0]]), "latitude");
	lon = advice_axis(advice_look(l->v[at[0]]), "longitude");
	for (int how = 0; how < 2; how++) {
		struct advice_line c = *l, *one = calloc(1, sizeof(*one));
		const char *of = l->v[at[0]];

		if (!one || (how == 1 && (!lat || !lon)))
			return;
		if (!strchr(of, ':') && advice_look(of)->tensor.n > 0)
			of = advice_text("%s:%s", of, advice_look(of)->tensor.v[0]);
		advice_insert(one, 0, ADVICE_OPERAND, "axt-interp");
		advice_insert(one, 1, ADVICE_OPERAND,
		    how ? advice_text("%s=%s", axis, of) : advice_text("%s,%s=%s", lat, lon, of));
		advice_insert(one, 2, ADVICE_OPERAND, l->v[at[1]]);
		c.v[at[1]] = "-";
		c.from = one;
		advice_offer(l, &c, MADE_UP + 0.1 * how);
	}
}

/* Offers one tensor of a file that has several, for an output of one. */
static void
several_in(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++)
		for (int k = 0; l->part[i] == ADVICE_OPERAND && !strchr(l->v[i], ':') &&
		     advice_is_file(l->v[i]) && k < advice_look(l->v[i])->tensor.n && k < 3;
		     k++)
			offer_word(l, i,
			    advice_text("%s:%s", l->v[i], advice_look(l->v[i])->tensor.v[k]),
			    JOINED + 0.05 * k);
}

/* Offers a new axis under a name that is none yet. */
static void
new_name(const struct advice_line *l)
{
	offer_swapped(l, l->refused->why.word, "member", MADE_UP);
}

/* Offers isel(time=0, lat=slice(0, 5)) as specs. */
static void
called(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *s = strstr(l->v[i], "sel("), *end = strrchr(l->v[i], ')');
		bool at = s && (s == l->v[i] || s[-1] != 'i');
		struct advice_line c = *l;
		int to = i;

		if (!s || !end || l->part[i] != ADVICE_OPERAND)
			continue;
		advice_drop(&c, i, 1);
		for (s += 4; s < end; s++) {
			const char *from = s += strspn(s, " ");
			size_t n = strcspn(from, "="), quote = from[n] ? n + 1 : n;

			for (int depth = 0; s < end && (depth > 0 || *s != ','); s++)
				depth += (strchr("([", *s) != NULL) - (strchr(")]", *s) != NULL);
			if (strncmp(from, "method", 6) == 0)
				advice_option(&c, "--nearest", NULL);
			else
				advice_insert(&c, to++, ADVICE_OPERAND,
				    advice_text("%.*s%s%.*s", (int)n, from, at ? "@" : "=",
					(int)(s - from) - (int)quote, from + quote));
		}
		for (int k = i; k < to; k++) {
			const char *is = advice_spec(c.v[k], 0);

			if (strpbrk(c.v[k], "([\"'") && is)
				c.v[k] = is;
		}
		advice_offer(l, &c, SPELLED);
	}
}

/* Offers OLD=NEW for words of dictionaries, of NCO and of CDO: {"old": "new"}, old->new, old,new. */
static void
pairs(const struct advice_line *l)
{
	for (int i = 1; i < l->n && cmd_st.c->words[0] && strchr(cmd_st.c->words[0], '='); i++) {
		char *w = strdup(l->v[i]), *to = w;

		if (!w || l->part[i] != ADVICE_OPERAND || advice_is_file(l->v[i]))
			continue;
		for (const char *s = l->v[i]; *s; s++)
			if (*s == '-' && s[1] == '>')
				*to++ = '=', s++;
			else if (!strchr("{}\"' ", *s))
				*to++ = (char)(*s == ':' ? '=' : *s);
		*to = '\0';
		offer_word(l, i, w, SPELLED);
		if (!strchr(w, '=') && strchr(w, ','))
			offer_word(l, i,
			    advice_text("%.*s=%s", (int)strcspn(w, ","), w, strchr(w, ',') + 1),
			    SPELLED + 0.1);
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

/* Offers tensors that may be meant by the name of none; or what else the name may be. */
static void
no_dataset(const struct advice_line *l)
{
	const char *file = advice_text("%.*s", (int)strcspn(l->refused->why.of, ":"),
	    l->refused->why.of);
	const struct advice_file *f = advice_look(file);
	const char *near, *word = l->refused->why.word;

	if (*word == '/')
		word++;
	near = advice_meant(&f->tensor, word);
	if (near)
		offer_swapped(l, word, near, SPELLED);
	for (int i = 0; i < f->tensor.n && f->tensor.n <= 3; i++)
		offer_swapped(l, word, f->tensor.v[i], MADE_UP + 0.1 * i);
	if (*word == ':')
		offer_swapped(l, l->refused->why.word, word + 1, SPELLED);
	offer_swapped(l, l->refused->why.word, advice_text("%s/", l->refused->why.word),
	    SPELLED + 0.1);
}

static void
several(const struct advice_line *l)
{
	struct advice_line c = *l;
	const char *file = l->refused->why.word;
	const struct advice_file *f = advice_look(file);

	dataset_to_file(l);
	advice_insert(&c, 1, ADVICE_OPTION, "--each");
	if (advice_option_at(l, "--each") < 0 && option_called("each"))
		advice_offer(l, &c, JOINED);
	for (int i = 0; i < f->tensor.n && i < 3; i++)
		offer_swapped(l, file, advice_text("%s:%s", file, f->tensor.v[i]),
		    JOINED + 0.3 + 0.1 * i);
}

/* ---- axes, and what is selected ---- */

/* --over time.month: reduced over the axis, by the field. */
static void
by_field(const struct advice_line *l, int at)
{
	const char *w = l->v[at], *dot = strrchr(w, '.');
	struct advice_line c = *l;

	if (!dot || strchr(w, ',') || l->part[at] != ADVICE_VALUE || !option_called("by") ||
	    advice_option_at(l, "--by") >= 0)
		return;
	c.v[at] = advice_text("%.*s", (int)(dot - w), w);
	advice_insert(&c, at + 1, ADVICE_OPTION, "--by");
	advice_insert(&c, at + 2, ADVICE_VALUE, w);
	advice_offer(l, &c, 0.4);
}

static void
no_axis(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *near, *axes;
	struct advice_file named = { .word = l->refused->why.of };
	const struct advice_file *f = advice_is_file(l->refused->why.of)
	    ? advice_look(l->refused->why.of)
	    : advice_first_file(l);
	int at = place_of(l, word);

	f = f ? f : &named;
	if (f == &named) /* a tensor of a pipe: its axes are told */
		for (const char *s = l->refused->why.among; *s;
		     s += strcspn(s, "\n"), s += *s == '\n')
			cmd_add_copy(&named.axes, s, strcspn(s, "\n"));
	for (int i = 1; i < l->n && f->axes.n > 0; i++)
		if (l->part[i] == ADVICE_VALUE ||
		    (l->part[i] == ADVICE_OPERAND && takes_axes_first()))
			offer_word(l, i, advice_axes(f, l->v[i], 0), SPELLED);
	if (at < 0 || f->axes.n == 0)
		return;
	near = advice_axis(f, word);
	if (near)
		offer_swapped(l, word, near, SPELLED);
	axes = advice_axes(f, word, 0);
	if (axes && !(takes_specs() && is_number(word)))
		offer_swapped(l, word, axes, SPELLED + 0.1);
	by_field(l, at);
	field(l);
	if (advice_is_file(word)) /* the axis is missing before it */
		made_up(l, "AXIS");
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

/* Offers a word that is a spec, or part of one, as axt writes specs. */
static void
spec(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *w;

	for (int i = 1; i < l->n && takes_specs(); i++) {
		size_t n = strcspn(l->v[i], "=@<>[,:.");
		const char *axis = advice_text("%.*s", (int)n, l->v[i]);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(l->v[i]) || n == 0)
			continue;
		if (!isalpha((unsigned char)*axis) ||
		    (f && !advice_has(&f->axes, axis) && l->v[i][n] != '=' && l->v[i][n] != '@' &&
			l->v[i][n] != '.'))
			continue;
		for (int k = 0; (w = advice_spec(l->v[i], k)); k++)
			offer_word(l, i, w, SPELLED + 0.02 * k);
		/* lat=0:10:1,lon=0:10:1 */
		if (strpbrk(l->v[i], "=@") && strpbrk(strpbrk(l->v[i], "=@") + 1, "=@")) {
			struct advice_line c = *l;
			const char *s = l->v[i];

			advice_drop(&c, i, 1);
			for (int k = i; *s; k++) {
				const char *end = s;

				do
					end += strcspn(end + 1, ",") + 1;
				while (*end && strcspn(end + 1, ",") < strcspn(end + 1, "=@"));
				advice_insert(&c, k, ADVICE_OPERAND,
				    advice_text("%.*s", (int)(end - s), s));
				s = end + (*end == ',');
			}
			advice_offer(l, &c, SPELLED);
		}
	}
	if (option_called("nearest") && l->cost == 0 && advice_option_at(l, "--nearest") < 0 &&
	    l->refused->why.about == AXT_NO_COORDINATE) {
		struct advice_line c = *l;

		advice_option(&c, "--nearest", NULL);
		advice_offer(l, &c, MADE_UP - 0.3);
	}
}

/* Offers names for lengths: 3,4 is y=3,x=4. */
static void
unnamed_lengths(const struct advice_line *l, int at)
{
	static const char names[] = "wzyx";
	const char *w = l->v[at], *text = "";
	int n = 1, k;

	if (strspn(w, "-0123456789,") != strlen(w) || !*w)
		return;
	for (const char *s = w; *s; s++)
		n += *s == ',';
	k = 4 - n;
	for (const char *s = w; *s && k >= 0; k++) {
		size_t len = strcspn(s, ",");

		text = advice_text("%s%s%c=%.*s", text, *text ? "," : "", names[k], (int)len, s);
		s += len + (s[len] == ',');
	}
	if (*text)
		offer_word(l, at, text, SPELLED + 0.1);
}

/* Positions alone, 0:10,: of a tensor, or conditions without an axis. */
static void
bare_spec(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	spec(l);
	for (int i = 1; !f && i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND)
			unnamed_lengths(l, i);
	for (int i = 1; f && i < l->n; i++) {
		struct advice_line c = *l, specs = { .n = 0 };
		const char *s = l->v[i], *axis = usual_axis(f);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(s) ||
		    strspn(s, "0123456789:,-[]. ") != strlen(s) || !axis)
			continue;
		if (!strchr(s, ',')) {
			offer_word(l, i, advice_text("%s=%s", axis, s), MADE_UP - 0.5);
			offer_word(l, i, advice_text("%s=w:%s", axis, s), MADE_UP - 0.4);
		}
		unnamed_lengths(l, i);
		read_subscript(s + strspn(s, "["), f, &specs);
		advice_drop(&c, i, 1);
		for (int k = 0; k < specs.n; k++)
			advice_insert(&c, i + k, ADVICE_OPERAND, specs.v[k]);
		if (specs.n > 0)
			advice_offer(l, &c, MOVED);
	}
}

/* ---- choices ---- */

/* The words of a line as it is typed, with its quotes, and what is piped to it. */
static bool
read_text(const char *text, struct advice_line *l)
{
	const char *bar = NULL;

	*l = (struct advice_line){ .n = 0 };
	for (const char *p = text; (p = strstr(p, " | ")); p++)
		bar = p;
	if (bar) {
		struct advice_line *from = calloc(1, sizeof(*from));

		if (!from || !read_text(advice_text("%.*s", (int)(bar - text), text), from))
			return false;
		l->from = from;
		text = bar + 3;
	}
	while (*(text += strspn(text, " "))) {
		char *word = strdup(text), *to = word;
		bool quoted = false;

		for (; word && *text && (quoted || *text != ' '); text++)
			if (*text == '\'')
				quoted = !quoted;
			else if (!quoted && strchr(";&<>$`()", *text))
				return false; /* more than a line of a command */
			else
				*to++ = *text;
		if (!word)
			return false;
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
	struct advice_line c;
	const char *text;
	int n = 0;

	v[n++] = strdup(l->v[at]);
	for (int i = 1; i < l->n; i++)
		if (i != at && l->part[i] == ADVICE_OPERAND)
			v[n++] = strdup(l->v[i]);
	text = cmd_guess_tool(n, v);
	if (text && read_text(text, &c)) {
		for (int i = 1; i < l->n; i++)
			if (l->part[i] != ADVICE_OPERAND)
				advice_insert(&c, c.n, l->part[i], l->v[i]);
		advice_offer(l, &c, MADE_UP - 0.5);
	}
}

static void
no_choice(const struct advice_line *l)
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
		offer_swapped(l, bare, ours, SPELLED);
	if (axt_nearest_word(bare, names, n))
		offer_swapped(l, bare, axt_nearest_word(bare, names, n), SPELLED + 0.2);
	if (dot)
		offer_swapped(l, word, dot + 1, SPELLED);
	colon = strpbrk(word, ":=");
	if (colon && *colon == '=')
		offer_swapped(l, word, advice_text("%s:%s", bare, colon + 1), SPELLED);
	ours = axt_foreign_name(bare, 0);
	if (sscanf(word, "p%lf", &x) == 1 || sscanf(word, "pctl%lf", &x) == 1 ||
	    (colon && ours && strcmp(ours, "quantile") == 0 && sscanf(colon + 1, "%lf", &x) == 1))
		offer_swapped(l, word, advice_text("quantile:%.10g", x > 1 ? x / 100 : x), SPELLED);
	if (strpbrk(word, "+;")) { /* mean+std */
		char *list = strdup(word);

		for (char *p = list; p && (p = strpbrk(p, "+; "));)
			*p = ',';
		offer_word(l, at, list, SPELLED);
	}
	foreign_line(l, at);
	if (strpbrk(word, "+-*/^(<>") && at > 0)
		as_expression(l, at);
	words_first(l);
	if (advice_is_file(word) || strpbrk(word, "=,"))
		made_up(l, cmd_st.c->words[0] ? cmd_st.c->words[0] : "");
	dataset_to_file(l);
	slice_first(l);
}

/* ---- other commands ---- */

/* Commands that are taken for one another. */
static const char *const sisters[][2] = { { "axt-concat", "axt-stack" },
	{ "axt-stack", "axt-concat" }, { "axt-rename", "axt-move" }, { "axt-take", "axt-slice" },
	{ "axt-transpose", "axt-order" }, { "axt-order", "axt-cast" } };

static void
sister(const struct advice_line *l)
{
	for (size_t i = 0; i < sizeof(sisters) / sizeof(sisters[0]); i++) {
		struct advice_line c = *l;

		if (strcmp(l->v[0], sisters[i][0]) != 0)
			continue;
		c.v[0] = sisters[i][1];
		advice_offer(l, &c, MADE_UP);
	}
}

/* ---- rules of single commands: there are at most ten ---- */

/* 1, 2: axt-to x.nc and axt-to x.png are what axt-copy and axt-plot write. */
static void
other_writer(const struct advice_line *l)
{
	static const char *const writers[] = { "axt-copy", "axt-plot" };
	int at = advice_operand(l, 0);

	for (int i = 0; i < 2 && strcmp(l->v[0], "axt-to") == 0 && at > 0; i++) {
		struct advice_line c = without(l, at);
		const char *dot = strrchr(l->v[at], '.');
		bool data = dot && (strcmp(dot, ".nc") == 0 || strcmp(dot, ".h5") == 0);

		c.v[0] = writers[i];
		advice_option(&c, "-o", l->v[at]);
		if (data == (i == 0) && dot)
			advice_offer(l, &c, MOVED);
	}
	if (strcmp(l->v[0], "axt-to") == 0 && at > 0 && !strchr(l->v[at], '.') &&
	    advice_first_file(l)) { /* the format alone: axt-to csv FILE */
		const char *file = advice_first_file(l)->word;

		offer_word(l, at, advice_text("%.*s.%s", (int)strcspn(file, ".:"), file, l->v[at]),
		    MOVED);
	}
}

/* 3: the edges of the bins of axt-hist, first:last:N or first,second,...,last. */
static void
edges(const struct advice_line *l)
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
static void
longer(const struct advice_line *l)
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
static void
attribute(const struct advice_line *l)
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
static void
assigned(const struct advice_line *l)
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

/* ---- pasted words ---- */

/* Quotation marks and dashes of documents, which programs for text put in place of those typed. */
static void
pasted(const struct advice_line *l)
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
			if (*c.v[i] == '-' && c.v[i][1] && !is_number(c.v[i]) &&
			    c.part[i] == ADVICE_OPERAND)
				c.part[i] = ADVICE_OPTION;
		}
	if (any)
		advice_offer(l, &c, 0.1);
}

/* ---- what the error itself tells ---- */

/* Offers the word that was meant, or the option, which the error tells. */
static void
told(const struct advice_line *l)
{
	const struct axt_fact *f = &l->refused->why;
	const struct cmd_opt *o = *f->option ? option_called(f->option) : NULL;
	struct advice_line c = *l;
	int at;

	if (*f->meant) /* of what is more than a name, another name is only a part */
		offer_swapped(l, f->word + (*f->word == '/'), f->meant + (*f->meant == '/'),
		    strpbrk(f->word, " +,.:()[]") ? 0.7 : 0.3);
	if (!o)
		return;
	at = advice_option_at(l, dashed(o));
	if (at < 0 && o->letter)
		at = advice_option_at(l, advice_text("-%c", o->letter));
	if (at >= 0 && at + 1 < c.n && strchr(c.v[at + 1], ',') && strstr(c.v[at + 1], f->word) &&
	    *f->word) { /* one of a list */
		offer_swapped(l, f->word, f->value, 0.3);
		return;
	}
	if (at >= 0 && at + 1 < c.n && c.part[at + 1] == ADVICE_VALUE)
		c.v[at + 1] = f->value;
	else if (at < 0)
		advice_option(&c, dashed(o), *f->value ? f->value : NULL);
	advice_offer(l, &c, 0.3);
}

/* -over time, which is read as -o ver, is --over time. */
static void
single_dash(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *both = i + 1 < l->n && l->part[i + 1] == ADVICE_VALUE
		    ? advice_text("%s%s", l->v[i] + 1, l->v[i + 1])
		    : l->v[i] + 1;
		const struct cmd_opt *o = l->part[i] == ADVICE_OPTION && l->v[i][1] != '-'
		    ? option_called(both)
		    : NULL;
		struct advice_line c = *l;

		if (!o || !both[1])
			continue;
		if (both != l->v[i] + 1)
			advice_drop(&c, i + 1, 1);
		c.v[i] = dashed(o);
		if (cmd_takes_value(o) && i + 1 < c.n)
			c.part[i + 1] = ADVICE_VALUE;
		advice_offer(l, &c, 0.2);
	}
}

/* ---- which edits there are for what ---- */

static const struct {
	enum axt_about about;
	void (*edit)(const struct advice_line *l);
} edits[] = {
	{ AXT_NO_OPTION, no_option },
	{ AXT_NO_VALUE, bad_value },
	{ AXT_BAD_VALUE, bad_value },
	{ AXT_BAD_DTYPE, bad_value },
	{ AXT_BAD_NUMBER, bad_value },
	{ AXT_BAD_NUMBER, bare_spec },
	{ AXT_NEEDS_OPTION, needs_option },
	{ AXT_NO_CHOICE, no_choice },
	{ AXT_TOO_FEW, too_few },
	{ AXT_TOO_MANY, too_many },
	{ AXT_TWICE, twice },
	{ AXT_TWICE, last_is_output },
	{ AXT_TWICE, new_name },
	{ AXT_NOT_TOGETHER, leave_out },
	{ AXT_CANNOT_WRITE, in_directory },
	{ AXT_EXISTS, in_directory },
	{ AXT_BAD_WORD, bare_spec },
	{ AXT_BAD_WORD, too_many },
	{ AXT_BAD_WORD, pairs },
	{ AXT_BAD_WORD, attribute },
	{ AXT_BAD_NAME, attribute },
	{ AXT_BAD_VALUE, edges },
	{ AXT_NO_FILE, near_files },
	{ AXT_NO_FILE, no_file },
	{ AXT_NO_FILE, subscript },
	{ AXT_NO_DATASET, subscript },
	{ AXT_NO_DATASET, hyperslab },
	{ AXT_NO_DATASET, no_dataset },
	{ AXT_SEVERAL, several },
	{ AXT_NO_AXIS, no_axis },
	{ AXT_NO_AXIS, spec },
	{ AXT_BAD_NAME, no_axis },
	{ AXT_BAD_NAME, pairs },
	{ AXT_BAD_NAME, called },
	{ AXT_AXIS_TWICE, no_axis },
	{ AXT_AXIS_TWICE, new_name },
	{ AXT_AXIS_THERE, new_name },
	{ AXT_BAD_POSITION, bare_spec },
	{ AXT_BAD_POSITION, called },
	{ AXT_OUTSIDE, spec },
	{ AXT_NOTHING, spec },
	{ AXT_BAD_COORDINATE, spec },
	{ AXT_NO_COORDINATE, spec },
	{ AXT_BAD_DATE, spec },
	{ AXT_BAD_FIELD, field },
	{ AXT_BAD_FIELD, spec },
	{ AXT_NUMBER, permuted },
	{ AXT_NUMBER, too_many },
	{ AXT_NUMBER, bad_value },
	{ AXT_NO_FORMAT, other_writer },
	{ AXT_ONE_TENSOR, several_in },
	{ AXT_OTHER_AXES, interpolated },
	{ AXT_NOT_INCREASING, sister },
	{ AXT_BAD_WORD, no_axis },
	{ AXT_LONGER, longer },
	{ AXT_BAD_PERIOD, period },
	{ AXT_NO_LABELS, field },
	{ AXT_UNITS, one_of_several },
	{ AXT_LENGTHS, interpolated },
	{ AXT_COORDINATES, interpolated },
};

void
advice_edits(const struct advice_line *l)
{
	told(l);
	pasted(l);
	single_dash(l);
	if (cmd_st.c->flags & CMD_NAMED)
		advice_expression(l);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		if (edits[i].about == l->refused->why.about &&
		    (!(cmd_st.c->flags & CMD_NAMED) || edits[i].edit == no_option ||
			edits[i].edit == bad_value || edits[i].edit == no_dataset ||
			edits[i].edit == near_files || edits[i].edit == interpolated))
			edits[i].edit(l);
	sister(l);
}
