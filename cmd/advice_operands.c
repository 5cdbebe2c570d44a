/*
 * advice_operands.c - edits of operands: words that belong in another place, that are to be joined
 * or left out, or that are missing, and outputs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "advice_edits.h"

/* Offers the line with its words, in the order as typed, before its files. */
void
edit_words_first(const struct advice_line *l)
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
}

/* Offers axes that stand among operands as the value of the option that takes them. */
void
edit_axes_to_option(const struct advice_line *l)
{
	const struct cmd_opt *o = advice_axes_option(l);
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; o && f && i < l->n; i++) {
		const char *w = l->v[i], *axes = advice_is_axes(l, w) ? w : advice_axes(f, w);
		/* over time: the word before is the option without its dashes */
		int named = i > 1 && strcmp(l->v[i - 1], o->name) == 0;

		if (l->part[i] == ADVICE_OPERAND && !advice_is_file(w) && axes &&
		    (!axt_is_number(w) || !cmd_st.c->in[1]))
			advice_put(l, i - named, 1 + named, i - named,
			    axes == w ? MOVED : MOVED + SPELLED, advice_dashed(o), axes, NULL);
	}
}

/* Whether the option takes such words. */
static bool
takes(const struct cmd_opt *o, const char *w)
{
	bool number = o->type == CMD_T_INT || o->type == CMD_T_NUM || (o->arg && *o->arg == 'N');

	return o->type == CMD_T_DTYPE ? axt_dtype_of_name(w) != AXT_DTYPE_AUTO
	    : number                  ? axt_is_number(w)
				      : o->arg && strncmp(o->arg, "UNIT", 4) == 0;
}

/* Whether the word was typed behind another option, and would be dropped from that. */
static bool
is_of_option(const char *word)
{
	for (int i = 2; i < cmd_st.argc; i++)
		if (strcmp(cmd_st.argv[i], word) == 0 && strncmp(cmd_st.argv[i - 1], "--", 2) == 0)
			return true;
	return false;
}

/* Offers a word as the value of an option of the command's own, or a dtype, that takes such. */
void
edit_word_to_option(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *w = l->v[i], *d = advice_dtype(w);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(w) || is_of_option(w))
			continue;
		for (const struct cmd_opt *o = cmd_st.c->opts; o && o->type != CMD_T_END; o++)
			if (takes(o, w) && advice_option_at(l, advice_dashed(o)) < 0)
				advice_put(l, i, 1, i, JOINED, advice_dashed(o), w, NULL);
		d = axt_dtype_of_name(w) != AXT_DTYPE_AUTO ? w : d;
		if (d && axt_dtype_of_name(d) != AXT_DTYPE_AUTO && advice_option_called("dtype"))
			advice_put(l, i, 1, i, JOINED, "--dtype", d, NULL);
	}
}

/* Offers the last operand as the output. */
void
edit_last_is_output(const struct advice_line *l)
{
	int last = -1, n = 0;

	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND) {
			last = i;
			n++;
		}
	if (n < 2 || !strchr(l->v[last], '.') || axt_is_number(l->v[last]) ||
	    advice_option_at(l, "-o") >= 0 || advice_option_at(l, "--output") >= 0 ||
	    strpbrk(l->v[last], "=@*:") || access(l->v[last], F_OK) == 0)
		return; /* a file that is there is not written over by advice */
	advice_put(l, last, 1, l->n - 1, MOVED, "-o", l->v[last], NULL);
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

/* Offers word i as another tensor of the file of which word f is one: a.nc:tas pr. */
static void
another_of(const struct advice_line *l, int f, int i)
{
	const char *file = advice_path(l->v[f]);

	if (advice_has(&advice_look(file)->tensor, l->v[i]))
		advice_offer_word(l, i, advice_text("%s:%s", file, l->v[i]), SPELLED);
}

/* Offers a word that is a tensor of a file joined to that; several of one are several operands. */
void
edit_dataset_to_file(const struct advice_line *l)
{
	for (int f = 1; f < l->n; f++)
		for (int i = 1; i < l->n && l->part[f] == ADVICE_OPERAND; i++) {
			struct advice_line c = *l;
			const char *w = l->v[i];

			if (i == f || l->part[i] != ADVICE_OPERAND || !advice_is_file(l->v[f]))
				continue;
			if (strchr(l->v[f], ':')) {
				another_of(l, f, i);
				continue;
			}
			if (!all_tensors(advice_look(l->v[f]), w))
				continue;
			c.v[f] = advice_text("%s:%s", l->v[f], w);
			advice_put(&c, i, 1, i, MOVED, NULL);
			c = *l;
			for (int k = 1; k < c.n; k++)
				if (c.part[k] == ADVICE_OPERAND &&
				    advice_has(&advice_look(l->v[f])->tensor, c.v[k]))
					c.v[k] = advice_text("%s:%s", l->v[f], c.v[k]);
			advice_put(&c, f, 1, f, JOINED, NULL);
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

	for (int i = advice_first_place(l); i + 1 < c.n;) {
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

/* Offers word i and the next as one, with the sign between them; it is what the first one is. */
static void
join(const struct advice_line *l, int i, const char *sign, double cost)
{
	struct advice_line c = advice_without(l, i + 1);

	c.v[i] = advice_text("%s%s%s", l->v[i], sign, l->v[i + 1]);
	advice_offer(l, &c, cost);
	if (*sign == '=' && strchr(c.v[i], ',')) { /* lat,lon and 3,4: lat=3,lon=4 */
		if (axt_is_number(advice_text("%.*s", (int)strcspn(l->v[i], ","), l->v[i])))
			c.v[i] = advice_text("%s=%s", l->v[i + 1], l->v[i]);
		c.v[i] = advice_zipped(c.v[i]);
		if (c.v[i])
			advice_offer(l, &c, cost);
	}
}

/* Offers axes and the file beside them as one spec: lat,lon grid.nc and grid.nc lat,lon. */
static void
join_grid(const struct advice_line *l, int i)
{
	const char *words = cmd_st.c->words[0]; /* NULL: it takes tensors alone */
	bool first = advice_is_axes(l, l->v[i]), points = words && strstr(words, "@POINTS");
	const char *axes = l->v[first ? i : i + 1], *file = l->v[first ? i + 1 : i];

	if (l->part[i + 1] == ADVICE_OPERAND && advice_is_axes(l, axes) && advice_is_file(file))
		advice_put(l, i, 2, i, MOVED, advice_text("%s%c%s", axes, points ? '@' : '=', file),
		    NULL);
}

/* Offers neighbours that are no files as one word, with a sign between them. */
static void
join_words(const struct advice_line *l)
{
	static const char *const signs[] = { "=", ",", "@", " " };
	const char *first = cmd_st.c->words[0];
	struct advice_line pairs, lists;

	for (int i = 1; i + 1 < l->n; i++) {
		const char *v = l->v[i], *w = l->v[i + 1];
		bool files = advice_is_file(v) || advice_is_file(w);

		if (files && l->part[i] == ADVICE_OPERAND && advice_takes_specs())
			join_grid(l, i);
		if (l->part[i] == ADVICE_OPTION || l->part[i + 1] != ADVICE_OPERAND ||
		    (files && !advice_is_file(advice_text("%s %s", v, w))))
			continue;
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
			/* the sign that the synopsis has is likelier */
			if ((*signs[k] == ' ') == files &&
			    (k > 0 || !(strchr(v, '=') || axt_is_number(v))))
				join(l, i, signs[k],
				    (first && strstr(first, signs[k]) ? MOVED : JOINED) +
					0.05 * (double)k);
		if (v[strlen(v) - 1] == '=' || *w == '=') /* time = 0, and {"lat": "y"} */
			join(l, i, "", SPELLED);
	}
	pairs = joined_run(l, "=", true);
	lists = joined_run(&pairs, ",", false);
	advice_offer(l, &pairs, JOINED + 0.2);
	advice_offer(l, &lists, JOINED + 0.3); /* lat 3 lon 4 */
	lists = joined_run(l, ",", false);
	advice_offer(l, &lists, JOINED + 0.1);
}

/*
 * Offers the line without a sign between operands, or without a word such as "over" that changes
 * nothing. Other words are never left out.
 */
void
edit_leave_out(const struct advice_line *l)
{
	static const char noise[] = "set get show over along by of to in and the axis";

	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND) {
			if (strspn(l->v[i], "+-*/x=<>!") == strlen(l->v[i]) ||
			    axt_has_word(noise, l->v[i]))
				advice_put(l, i, 1, i, SPELLED, NULL);
			else if (strspn(l->v[i], "<>=!") > 0)
				advice_offer_word(l, i, l->v[i] + strspn(l->v[i], "<>=! "),
				    SPELLED);
		}
}

/* Offers several files as one tensor, which is piped to the command. */
static void
several_files(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *axis = f && !l->from ? advice_usual_axis(f) : NULL;

	for (int how = 0; how < 2 && axis; how++) {
		struct advice_line *one = advice_words(how ? "axt-stack" : "axt-concat",
				       how ? "member" : axis, NULL),
				   c = *l;
		int first = 0;

		for (int i = 1; i < c.n;)
			if (c.part[i] == ADVICE_OPERAND && advice_is_file(c.v[i])) {
				advice_insert(one, one->n, ADVICE_OPERAND, c.v[i]);
				first = first ? first : i;
				advice_drop(&c, i, 1);
			} else {
				i++;
			}
		if (one->n < 4)
			return;
		advice_insert(&c, first, ADVICE_OPERAND, "-");
		if (f->tensor.n > 1 && !strchr(f->word, ':')) {
			advice_insert(one, 1, ADVICE_OPTION, "--each");
			advice_insert(&c, 1, ADVICE_OPTION, "--each");
		}
		c.from = one;
		advice_offer(l, &c, MADE_UP + how * 0.5);
	}
}

/* Offers the operands in other orders: each behind each of the next. */
void
edit_permuted(const struct advice_line *l)
{
	for (int i = 0; advice_operand(l, i + 1) > 0; i++)
		for (int k = i + 1; advice_operand(l, k) > 0 && k < 4; k++)
			advice_put(l, advice_operand(l, i), 1, advice_operand(l, k),
			    MOVED + 0.01 * (k - i), l->v[advice_operand(l, i)], NULL);
}

/* Offers an output in a directory by the name of the first file. */
void
edit_in_directory(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *slash = f ? strrchr(f->word, '/') : NULL, *name;

	for (int i = 2; f && i < l->n; i++)
		if (l->part[i] == ADVICE_VALUE && axt_has_word("-o --output", l->v[i - 1])) {
			name = slash ? slash + 1 : f->word;
			advice_offer_word(l, i,
			    advice_text("%.*s/%.*s",
				(int)strlen(l->v[i]) - (l->v[i][strlen(l->v[i]) - 1] == '/'),
				l->v[i], (int)strcspn(name, ":"), name),
			    SPELLED);
		}
}

void
edit_too_many(const struct advice_line *l)
{
	edit_slice_first(l);
	edit_axes_to_option(l);
	edit_word_to_option(l);
	edit_last_is_output(l);
	edit_dataset_to_file(l);
	join_words(l);
	edit_leave_out(l);
	edit_permuted(l);
	edit_words_first(l);
	several_files(l);
}

/* Offers the usual operation of the command, where it lacks one. */
static void
usual_choice(const struct advice_line *l)
{
	static const char *const usual[] = { "mean", "sum", "zeros", "negative", "set" };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (advice_is_choice(usual[i])) {
			advice_put(l, 1, 0, 1, MADE_UP, usual[i], NULL);
			return;
		}
}

/* Offers the line with a word that was not typed, by what the synopsis has in its place. */
void
advice_made_up(const struct advice_line *l, const char *slot)
{
	const struct advice_file *f = advice_first_file(l);
	const char *axis = f ? advice_usual_axis(f) : NULL;
	int at = advice_first_place(l);

	if (cmd_st.c->choice && cmd_st.c->words[0] && strcmp(slot, cmd_st.c->words[0]) == 0)
		usual_choice(l);
	if (axis && strncmp(slot, "AX", 2) == 0 && slot[strcspn(slot, "=,")] != '=') {
		advice_put(l, at, 0, at, MADE_UP, axis, NULL);
		if (f->axes.n > 1)
			advice_put(l, at, 0, at, MADE_UP + 0.3,
			    advice_text("%s,%s", f->axes.v[f->axes.n - 2],
				f->axes.v[f->axes.n - 1]),
			    NULL);
		advice_put(l, at, 0, at, MADE_UP + 0.5, "member", NULL);
	}
	if (strcmp(slot, "B") == 0 && advice_operand(l, 1) > 0) { /* the other of two values */
		at = advice_operand(l, 1) + 1;
		advice_put(l, at, 0, at, MADE_UP, "nan", NULL);
	}
	if (cmd_st.c->in[1] && strcmp(cmd_st.c->in[1], "HI") == 0) /* of two bounds, none */
		for (int k = at; k <= l->n; k++)
			advice_put(l, k, 0, k, MADE_UP + 0.01 * (l->n - k), "inf", NULL);
}

/* Offers standard input, which another command or a file brings, as the operand that is missing. */
static void
piped(const struct advice_line *l)
{
	int at = advice_first_place(l);
	struct stat st;

	if (fstat(STDIN_FILENO, &st) != 0 || S_ISCHR(st.st_mode) ||
	    advice_find(l, 1, ADVICE_OPERAND, "-") >= 0)
		return;
	while (
	    at < l->n && l->part[at] == ADVICE_OPERAND) /* operands that are missing are the last */
		at++;
	advice_put(l, at, 0, at, MOVED, "-", NULL);
}

void
edit_too_few(const struct advice_line *l)
{
	int first = advice_operand(l, 0);

	piped(l);
	edit_words_first(l);
	edit_dataset_to_file(l);
	edit_axes_to_option(l);
	edit_word_to_option(l);
	advice_made_up(l, l->refused->why.word);
	/* something else was taken for the first word */
	if (cmd_st.c->words[0] && first > 0 &&
	    (cmd_st.c->choice ? !advice_is_choice(l->v[first]) : advice_is_file(l->v[first])))
		advice_made_up(l, cmd_st.c->words[0]);
	edit_assigned(l);
	edit_hyperslab(l);
	edit_leave_out(l);
}
