/*
 * advice_files.c - edits of files and datasets: names that are similar, expressions in the place of
 * a file, and grids that differ.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"

/* Offers a coordinate of a file as FILE:NAME, for a name alone that is no file. */
static void
coordinate(const struct advice_line *l, const char *name)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; f && i < l->n; i++) {
		const struct cmd_opt *o = l->part[i] == ADVICE_VALUE ? advice_option_of(l->v[i - 1])
								     : NULL;
		const char *p = strstr(l->v[i], name);

		if (o && o->type == CMD_T_OPERAND && p && *name &&
		    (advice_has(&f->axes, name) || advice_has(&f->tensor, name)))
			advice_offer_word(l, i,
			    advice_text("%.*s%.*s:%s", (int)(p - l->v[i]), l->v[i],
				(int)strcspn(f->word, ":"), f->word, p),
			    advice_has(&f->tensor, name) ? MOVED : MADE_UP);
	}
}

/* Offers names of files that are there, and what a pattern, or a list, in quotes means. */
void
edit_near_files(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *near, *all;
	int at = advice_place_of(l, word), n = 0;
	struct advice_line c = *l;

	if (at < 0)
		return;
	for (int i = 0; i < 4 && (near = advice_near_file(word, i)); i++)
		advice_offer_swapped(l, word, near,
		    SPELLED * advice_distance(word, near) + 0.1 + 0.2 * i);
	advice_drop(&c, at, 1);
	all = strncmp(l->v[at], word, strlen(word)) == 0 ? l->v[at] : word; /* with its dataset */
	for (; strpbrk(word, "*?[") && (near = advice_matching_file(all, n)) && n < 8; n++)
		advice_insert(&c, at + n, ADVICE_OPERAND, near);
	for (const char *s = word; strchr(word, ' ') && *s && n < 8; s += strspn(s, " "), n++) {
		near = advice_text("%.*s", (int)strcspn(s, " "), s);
		advice_insert(&c, at + n, ADVICE_OPERAND, near);
		n = advice_is_file(near) ? n : 8;
		s += strlen(near);
	}
	if (n > 0 && n < 8)
		advice_offer(l, &c, 0.1);
}

/* What the tensor of a file is called in an expression: the one that was named, or the first. */
static const char *
tensor_of(const struct advice_file *f)
{
	const char *name = f ? strchr(f->word, ':') : NULL;

	if (name)
		return strrchr(name, '/') ? strrchr(name, '/') + 1 : name + 1;
	return f && f->tensor.n > 0 ? f->tensor.v[0] : NULL;
}

void
advice_as_expression(const struct advice_line *l, int at)
{
	const struct advice_file *f = advice_first_file(l);
	const char *text = "", *name = tensor_of(f);
	struct advice_line c = { 0 };
	bool map = cmd_st.c->choice;

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

void
edit_no_file(const struct advice_line *l)
{
	int at = advice_place_of(l, l->refused->why.word);
	const char *w;
	size_t n;

	if (at < 0)
		return;
	w = l->v[at];
	/* one.nc/tas, one.nc,tas, two.nc#tas: the name of a tensor behind that of a file */
	for (n = strlen(w); n > 0; n--)
		if (strchr("/,#?. ", w[n]) && w[n] &&
		    advice_is_file(advice_text("%.*s", (int)n, w)))
			advice_offer_word(l, at,
			    advice_text("%.*s:%s", (int)n, w, w + n + strspn(w + n, "/,#?.: ")),
			    SPELLED);
	if (strncmp(w, "~/", 2) == 0 && getenv("HOME"))
		advice_offer_word(l, at, advice_text("%s%s", getenv("HOME"), w + 1), SPELLED);
	advice_offer_word(l, at, advice_number(advice_first_file(l), w), SPELLED);
	advice_option_words(l, at);
	coordinate(l, l->refused->why.word);
	edit_field(l);
	if (advice_takes_specs())
		edit_spec(l);
	if (strpbrk(w, "<>!&|+*(^") && l->part[at] == ADVICE_OPERAND)
		advice_as_expression(l, at);
	edit_too_many(l);
}

/* Offers one tensor of a file that has several, or of which a pattern means several. */
void
edit_one_tensor(const struct advice_line *l)
{
	int each = advice_option_at(l, "--each");

	for (int i = 1; i < l->n; i++) {
		size_t n = strcspn(l->v[i], ":");
		const char *file = advice_text("%.*s", (int)n, l->v[i]);
		bool all = !l->v[i][n] || strchr(l->v[i], '*');

		if (l->part[i] != ADVICE_OPERAND || !all || !advice_is_file(file))
			continue;
		for (int k = 0; k < advice_look(file)->tensor.n && k < 3; k++) {
			struct advice_line c = *l;

			c.v[i] = advice_text("%s:%s", file, advice_look(file)->tensor.v[k]);
			if (each > 0)
				advice_drop(&c, each, 1);
			advice_offer(l, &c, JOINED + 0.3 + 0.1 * k);
		}
	}
}

/* Offers the second of two tensors with the values where the first one has its own. */
void
edit_interpolated(const struct advice_line *l)
{
	int first = -1, second = -1;
	const char *of, *lat, *lon;
	struct advice_line c = *l;

	for (int i = l->n - 1; i > 0; i--)
		if (l->part[i] == ADVICE_OPERAND && advice_is_file(l->v[i])) {
			second = first;
			first = i;
		}
	/* of another command than the typed one it would be a guess on a guess */
	if (second < 0 || l->from || strcmp(l->v[0], cmd_st.c->name) != 0)
		return;
	of = l->v[first];
	lat = advice_axis(advice_look(of), "latitude");
	lon = advice_axis(advice_look(of), "longitude");
	if (!lat || !lon) /* between other places than those of a grid there are seldom values */
		return;
	if (!strchr(of, ':') && advice_look(of)->tensor.n > 0)
		of = advice_text("%s:%s", of, advice_look(of)->tensor.v[0]);
	c.v[second] = "-";
	for (int how = 0; how < 2; how++) {
		c.from = advice_words("axt-interp",
		    how ? advice_text("%s=%s", l->refused->why.word, of)
			: advice_text("%s,%s=%s", lat, lon, of),
		    l->v[second], NULL);
		advice_offer(l, &c, MADE_UP + 0.1 * how);
	}
}

/* Offers FILE:NAME>NUMBER, and what else is computed of an operand, by a command before a pipe. */
static void
computed(const struct advice_line *l)
{
	static const char *const commands[][2] = { { ">=", "ge" }, { "<=", "le" }, { "==", "eq" },
		{ "!=", "ne" }, { ">", "gt" }, { "<", "lt" }, { "*", "mul" }, { "/", "div" },
		{ "+", "add" }, { "-", "sub" } };

	for (int i = 1; i < l->n && !l->from; i++)
		for (size_t k = 0; k < sizeof(commands) / sizeof(commands[0]); k++) {
			size_t n = strcspn(l->v[i], " <>=!*/+-");
			const char *operand = advice_text("%.*s", (int)n, l->v[i]);
			const char *p = l->v[i] + n + strspn(l->v[i] + n, " ");
			const char *value = p + strlen(commands[k][0]);
			struct advice_line c = *l, *one = cmd_kept(sizeof(*one));

			if (l->part[i] != ADVICE_OPERAND || !advice_is_file(operand) ||
			    strncmp(p, commands[k][0], strlen(commands[k][0])) != 0)
				continue;
			value += strspn(value, " ");
			advice_insert(one, 0, ADVICE_OPERAND,
			    advice_text("axt-%s", commands[k][1]));
			advice_insert(one, 1, ADVICE_OPERAND, operand);
			advice_insert(one, 2, ADVICE_OPERAND, value);
			c.v[i] = "-";
			c.from = one;
			if (axt_is_number(value))
				advice_offer(l, &c, SPELLED - 0.1);
		}
}

/* Offers all tensors of a file but one, for FILE:!NAME. */
static void
all_but(const struct advice_line *l, const struct advice_file *f, const char *word)
{
	const char *others = "";

	for (int i = 0; i < f->tensor.n; i++)
		if (strcmp(f->tensor.v[i], word + 1) != 0)
			others = advice_text("%s%s%s", others, *others ? "," : "", f->tensor.v[i]);
	if (*word == '!' && advice_has(&f->tensor, word + 1) && *others)
		advice_offer_swapped(l, word, others, SPELLED);
}

/* Offers tensors that may be meant by the name of none; or a group of that name. */
void
edit_no_dataset(const struct advice_line *l)
{
	const char *word = l->refused->why.word, *name = word + (*word == '/');
	const struct advice_file *f = advice_look(advice_path(l->refused->why.of));

	computed(l);
	all_but(l, f, name);
	if (advice_meant(&f->tensor, name))
		advice_offer_swapped(l, name, advice_meant(&f->tensor, name), SPELLED);
	if (*word && word[strlen(word) - 1] != '/')
		advice_offer_swapped(l, word, advice_text("%s/", word), SPELLED + 0.1);
}

/* Offers of a file with several tensors the one that is called as the other operand. */
static void
same_name(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++)
		for (int k = 1; k < l->n; k++) {
			const char *w = l->v[k], *colon = strchr(w, ':'), *name;

			if (k == i || l->part[i] != ADVICE_OPERAND ||
			    l->part[k] != ADVICE_OPERAND || !advice_is_file(l->v[i]) ||
			    strchr(l->v[i], ':') || !advice_is_file(w))
				continue;
			name = colon                        ? colon + 1
			    : advice_look(w)->tensor.n == 1 ? advice_look(w)->tensor.v[0]
							    : "";
			if (advice_look(l->v[i])->tensor.n > 1 &&
			    advice_has(&advice_look(l->v[i])->tensor, name))
				advice_offer_word(l, i, advice_text("%s:%s", l->v[i], name), MOVED);
		}
}

void
edit_several(const struct advice_line *l)
{
	edit_dataset_to_file(l);
	same_name(l);
	if (advice_option_at(l, "--each") < 0 && advice_option_called("each"))
		advice_put(l, 1, 0, 1, JOINED, "--each", NULL);
	edit_one_tensor(l);
}
