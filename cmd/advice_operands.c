/*
 * advice_operands.c - edits of operands: words that stand in other places, are joined, are left
 * out or missing, and outputs.
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
	/* an operation stands before all */
	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND && advice_is_choice(l->v[i])) {
			c = advice_without(l, i);
			advice_insert(&c, 1, ADVICE_OPERAND, l->v[i]);
			advice_offer(l, &c, MOVED);
		}
}

/* Offers axes that stand among operands as the value of the option that takes them. */
void
edit_axes_to_option(const struct advice_line *l)
{
	const struct cmd_opt *o = advice_axes_option(l);
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; o && f && i < l->n; i++) {
		struct advice_line c = advice_without(l, i);
		const char *w = l->v[i], *axes = advice_axes(f, w, 0);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(w))
			continue;
		if (advice_is_axes(l, w))
			axes = w;
		/* over time: the word before is the option without its dashes */
		if (i > 1 && strcmp(l->v[i - 1], o->name) == 0)
			advice_drop(&c, i - 1, 1);
		if (axes && (!advice_is_number(w) || !cmd_st.c->in[1])) {
			advice_insert(&c, i, ADVICE_OPTION, advice_dashed(o));
			advice_insert(&c, i + 1, ADVICE_VALUE, axes);
			advice_offer(l, &c, axes == w ? MOVED : MOVED + SPELLED);
		}
	}
}

/* Offers a word as the value of an option of the command's own that takes such. */
void
edit_word_to_option(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++)
		for (const struct cmd_opt *o = cmd_st.c->opts; o && o->type != CMD_T_END; o++) {
			struct advice_line c = advice_without(l, i);
			const char *w = l->v[i];
			bool fits = (o->type == CMD_T_DTYPE &&
					axt_dtype_of_name(w) != AXT_DTYPE_AUTO) ||
			    ((o->type == CMD_T_INT || o->type == CMD_T_NUM) &&
				advice_is_number(w)) ||
			    (o->arg && *o->arg == 'N' && advice_is_number(w)) ||
			    (o->arg && strncmp(o->arg, "UNIT", 4) == 0 && !advice_is_file(w));

			if (l->part[i] != ADVICE_OPERAND || !fits ||
			    advice_option_at(l, advice_dashed(o)) >= 0)
				continue;
			advice_insert(&c, i, ADVICE_OPTION, advice_dashed(o));
			advice_insert(&c, i + 1, ADVICE_VALUE, w);
			advice_offer(l, &c, JOINED);
		}
	for (int i = 1; i < l->n && advice_option_called("dtype"); i++) {
		struct advice_line c = advice_without(l, i);
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
void
edit_last_is_output(const struct advice_line *l)
{
	int last = -1, n = 0;
	struct advice_line c;

	for (int i = 1; i < l->n; i++)
		if (l->part[i] == ADVICE_OPERAND) {
			last = i;
			n++;
		}
	if (n < 2 || !strchr(l->v[last], '.') || advice_is_number(l->v[last]) ||
	    advice_option_at(l, "-o") >= 0 || advice_option_at(l, "--output") >= 0 ||
	    strpbrk(l->v[last], "=@*:") || access(l->v[last], F_OK) == 0)
		return; /* a file that is there is not written over by advice */
	c = advice_without(l, last);
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
void
edit_dataset_to_file(const struct advice_line *l)
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
joined_run(const struct advice_line *l, const char *sign, bool edit_pairs)
{
	struct advice_line c = *l;

	for (int i = advice_first_place(l); i + 1 < c.n;) {
		if (!may_join(&c, i)) {
			i++;
			continue;
		}
		c.v[i] = advice_text("%s%s%s", c.v[i], sign, c.v[i + 1]);
		advice_drop(&c, i + 1, 1);
		i += edit_pairs;
	}
	return c;
}

/* Offers neighbours that are no files as one word, with a sign between them. */
static void
join_words(const struct advice_line *l)
{
	static const char *const signs[] = { "=", ",", "@", " " };
	const char *first = cmd_st.c->words[0];
	struct advice_line edit_pairs, lists;

	for (int i = 1; i + 1 < l->n; i++) {
		struct advice_line c = advice_without(l, i + 1);
		bool files = advice_is_file(l->v[i]) || advice_is_file(l->v[i + 1]);

		if (l->part[i] == ADVICE_OPTION || l->part[i + 1] != ADVICE_OPERAND ||
		    (files && !advice_is_file(advice_text("%s %s", l->v[i], l->v[i + 1]))))
			continue;
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
			/* the sign that the synopsis has is likelier */
			bool usual = first && strstr(first, signs[k]);

			if ((*signs[k] == ' ') != files ||
			    (*signs[k] == '=' &&
				(strchr(l->v[i], '=') || advice_is_number(l->v[i]))))
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
	edit_pairs = joined_run(l, "=", true);
	lists = joined_run(&edit_pairs, ",", false);
	advice_offer(l, &edit_pairs, JOINED + 0.2);
	advice_offer(l, &lists, JOINED + 0.3); /* lat 3 lon 4 */
	lists = joined_run(l, ",", false);
	advice_offer(l, &lists, JOINED + 0.1);
}

/*
 * Offers the line without a sign between operands, or a word that says what is done anyway. A word
 * that tells something is never left out.
 */
void
edit_leave_out(const struct advice_line *l)
{
	static const char noise[] = "set get show over along by of to in and the axis";

	for (int i = 1; i < l->n; i++) {
		struct advice_line c = advice_without(l, i);

		if (l->part[i] != ADVICE_OPERAND)
			continue;
		if (strspn(l->v[i], "+-*/x=<>!") == strlen(l->v[i]) || axt_has_word(noise, l->v[i]))
			advice_offer(l, &c, SPELLED);
		else if (strspn(l->v[i], "<>=!") > 0)
			advice_offer_word(l, i, l->v[i] + strspn(l->v[i], "<>=! "), SPELLED);
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
		const char *axis = how ? "member" : advice_usual_axis(f);

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
		if (f->tensor.n > 1 && !strchr(f->word, ':')) {
			advice_insert(one, 1, ADVICE_OPTION, "--each");
			advice_insert(&c, 1, ADVICE_OPTION, "--each");
		}
		c.from = one;
		advice_offer(l, &c, MADE_UP + how * 0.5);
	}
}

/* Offers the operands in other orders. */
void
edit_permuted(const struct advice_line *l)
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
void
edit_in_directory(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 2; f && i < l->n; i++) {
		size_t n = strlen(l->v[i]);
		const char *slash = strrchr(f->word, '/'), *name = slash ? slash + 1 : f->word;

		if (l->part[i] == ADVICE_VALUE &&
		    (strcmp(l->v[i - 1], "-o") == 0 || strcmp(l->v[i - 1], "--output") == 0) &&
		    n > 0)
			advice_offer_word(l, i,
			    advice_text(l->v[i][n - 1] == '/' ? "%s%.*s" : "%s/%.*s", l->v[i],
				(int)strcspn(name, ":"), name),
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

/* Offers the line with a word that was not typed, by what the synopsis has in its place. */
void
advice_made_up(const struct advice_line *l, const char *slot)
{
	const struct advice_file *f = advice_first_file(l);
	const char *axis = f ? advice_usual_axis(f) : NULL, *name, *line;
	struct advice_line c = *l;
	int at = advice_first_place(l);

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
	if (axis && strncmp(slot, "AX", 2) == 0 && slot[strcspn(slot, "=,")] != '=') {
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
	if (strcmp(slot, "B") == 0 && advice_operand(l, 1) > 0) { /* the other of two values */
		c = *l;
		advice_insert(&c, advice_operand(l, 1) + 1, ADVICE_OPERAND, "nan");
		advice_offer(l, &c, MADE_UP);
	}
	if (strcmp(slot, "HI") == 0 || strcmp(slot, "LO") == 0 || strcmp(l->v[0], "axt-clip") == 0)
		for (int k = at; k <= l->n; k++) {
			c = *l;
			advice_insert(&c, k, ADVICE_OPERAND, "inf");
			advice_offer(l, &c, MADE_UP + 0.01 * (l->n - k));
		}
}

/* --over lat --over lon: one option with both. */
void
edit_twice(const struct advice_line *l)
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
		}
}

/* Offers standard input, which another command or a file brings, as the operand that is missing. */
static void
piped(const struct advice_line *l)
{
	int at = advice_first_place(l);
	struct advice_line c = *l;
	struct stat st;

	if (fstat(STDIN_FILENO, &st) != 0 || S_ISCHR(st.st_mode) ||
	    advice_find(l, 1, ADVICE_OPERAND, "-") >= 0)
		return;
	advice_insert(&c, at, ADVICE_OPERAND, "-");
	advice_offer(l, &c, MOVED);
}

void
edit_too_few(const struct advice_line *l)
{
	piped(l);
	edit_words_first(l);
	edit_dataset_to_file(l);
	edit_axes_to_option(l);
	edit_word_to_option(l);
	advice_made_up(l, l->refused->why.word);
	if (cmd_st.c->words[0] && advice_operand(l, 0) > 0 &&
	    (cmd_st.c->choice ? !advice_is_choice(l->v[advice_operand(l, 0)])
			      : advice_is_file(l->v[advice_operand(l, 0)])))
		advice_made_up(l,
		    cmd_st.c->words[0]); /* something else was taken for the first word */
	edit_assigned(l);
	edit_hyperslab(l);
	edit_leave_out(l);
}
