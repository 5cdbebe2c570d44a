/*
 * guess.c - the hints of wrong usage that are whole command lines, in the order in
 * which they are tried.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guess.h"

/* Operand x is no file, and operand f is one: x is a dtype, a dataset, axes, or a part of f. */
static const char *
word_and_file(int x, int f)
{
	static const char *const words[] = { "dim=", "axis=", "over=", "along=" };
	const char *w = cmd_st.args.v[x];
	const struct cmd_opt *o = guess_axis_option();
	char both[2048];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(w, words[i], strlen(words[i])) == 0 && w[strlen(words[i])])
			w += strlen(words[i]);
	if (guess_is_part(w) && !(cmd_st.c->flags & CMD_SPECS))
		return guess_part_first(x, f);
	guess_begin();
	if (cmd_st.nwords > 0 && strcmp(cmd_st.args.v[0], "quantile") == 0 && axt_is_number(w)) {
		snprintf(both, sizeof(both), "quantile:%s", w);
		guess_put(both, true);
		return guess_end(f, x);
	}
	if (axt_is_number(w) && guess_has_option("bins")) {
		guess_put("--bins", true);
		guess_put(w, true);
		return guess_end(f, x);
	}
	if (cmd_guess_dtype(w) && guess_has_option("dtype")) {
		for (int i = 0; i < cmd_st.nwords; i++)
			guess_put(cmd_st.args.v[i], true);
		guess_put("--dtype", true);
		guess_put(axt_dtype_of_name(w) != AXT_DTYPE_AUTO ? w : cmd_guess_dtype(w), true);
		return guess_end(f, x);
	}
	if (guess_has_option("to") &&
	    guess_has_option("coord")) { /* axt-convert, whose units are an option */
		guess_put("--to", true);
		guess_put(w, true);
		return guess_end(f, x);
	}
	if (guess_has_tensor(cmd_st.args.v[f], w)) {
		snprintf(both, sizeof(both), "%s:%s", cmd_st.args.v[f], w);
		for (int i = 0; i < cmd_st.args.n; i++)
			if (i != x)
				guess_put(i == f ? both : cmd_st.args.v[i], true);
		return guess_end(cmd_st.args.n, -1);
	}
	if (!o)
		return NULL;
	if (strcmp(cmd_st.c->name, "axt-squeeze") == 0 &&
	    guess_axis_length(cmd_st.args.v[f], w) > 1)
		return guess_squeezed(w, cmd_st.args.v[f]);
	if (!guess_axes_read(cmd_st.args.v[f], w, both, sizeof(both)))
		return guess_no_axis(cmd_st.args.v[f], w);
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put("--", true);
	guess_put(o->name, false);
	guess_put(both, true);
	return guess_end(cmd_st.nwords, x);
}

/* Several operands before the file are one word: "lat lon" lat,lon, "lat y" lat=y, "time 0:5". */
static const char *
joined_words(int f)
{
	const struct cmd *c = cmd_st.c;
	int first = c->choice ? 1 : 0;
	const char *word = c->words[first];
	char both[300];
	const char *sign = !word ? NULL
	    : (c->flags & CMD_SPECS)
	    ? (cmd_st.args.v[first][0] >= '0' && cmd_st.args.v[first][0] <= '9' ? NULL : "=")
	    : strncmp(word, "OLD=", 4) == 0             ? "="
	    : strchr(word, ',') || strstr(word, "AXES") ? ","
							: NULL;

	if (strcmp(c->name, "axt-make") == 0)
		return guess_lengths();
	if (strcmp(c->name, "axt-take") == 0)
		sign = "=";
	if (word && strncmp(word, "OLD=", 4) == 0 && strchr(cmd_st.args.v[first], '='))
		sign = ",";
	for (int i = first; sign && *sign == '=' && i < f; i++)
		if (strchr(cmd_st.args.v[i], ','))
			return NULL;
	if (!sign || f - first < 2 || (*sign == '=' && f - first != 2) ||
	    (*sign == '=' && strchr(cmd_st.args.v[first], '=')))
		return NULL;
	if (strcmp(c->name, "axt-window") == 0 && f == 2 &&
	    guess_is_choice_of("reduce", cmd_st.args.v[0])) {
		snprintf(both, sizeof(both), "%s=w:%.200s", guess_axis("time"), cmd_st.args.v[1]);
		guess_begin();
		guess_put(both, true);
		guess_end(f, -1);
		guess_put(" | axt-reduce", false);
		guess_put(cmd_st.args.v[0], true);
		guess_put(" --over w", false);
		return guess_text;
	}
	if (strcmp(c->name, "axt-window") == 0)
		sign = "=w:";
	if (strcmp(c->name, "axt-rename") == 0 && *sign == '=' && f == 2 && cmd_st.args.n == 3 &&
	    guess_has_tensor(cmd_st.args.v[f], cmd_st.args.v[0]) &&
	    !guess_has_axis(cmd_st.args.v[f], cmd_st.args.v[0])) {
		snprintf(both, sizeof(both), "%.140s=%.140s", cmd_st.args.v[0], cmd_st.args.v[1]);
		guess_from("axt-move");
		guess_put(both, true);
		guess_put(cmd_st.args.v[f], true);
		return guess_text;
	}
	guess_begin();
	for (int i = 0; i < f; i++) {
		if (i > first)
			guess_put(sign, false);
		if (i > first)
			guess_put_more(cmd_st.args.v[i]);
		else
			guess_put(cmd_st.args.v[i], true);
	}
	return guess_end(f, -1);
}

/* Operands that are axes of the file, for a command whose axes are an option. */
static const char *
axes_typed(int f)
{
	static const char *const usual[] = { "over", "along", "by", "dim", "axis" };
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const struct cmd_opt *option = guess_axis_option();
	char axes[512] = "", name[64];
	size_t n = 0;
	int at = -1;

	for (int i = 0; i + 1 < o->n; i++)
		if (strcmp(o->v[i], "--over") == 0 || strcmp(o->v[i], "--along") == 0)
			at = i;
	if (!option && at < 0)
		return NULL;
	if (at >= 0)
		n += (size_t)snprintf(axes, sizeof(axes), "%.200s", o->v[at + 1]);
	n -= n > 0 && axes[n - 1] == ',';
	for (int i = cmd_st.nwords; i < a->n; i++) {
		bool word = false;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(a->v[i], ","), a->v[i]);
		for (size_t k = 0; k < sizeof(usual) / sizeof(usual[0]); k++)
			word = word || strcmp(a->v[i], usual[k]) == 0;
		if (guess_is_file(a->v[i]) || word)
			continue;
		if (!guess_has_axis(a->v[f], name) || n + strlen(a->v[i]) + 2 > sizeof(axes))
			return NULL;
		n += (size_t)snprintf(axes + n, sizeof(axes) - n, "%s%s", n > 0 ? "," : "",
		    a->v[i]);
	}
	if (n == 0 || (at >= 0 && strcmp(axes, o->v[at + 1]) == 0))
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(a->v[i], true);
	guess_put("--", true);
	guess_put(at >= 0 ? o->v[at] + 2 : option->name, false);
	guess_put(axes, true);
	for (int i = cmd_st.nwords; i < a->n; i++)
		if (guess_is_file(a->v[i]))
			guess_put(a->v[i], true);
	for (int i = 0; i < o->n; i++)
		if (i != at && (at < 0 || i != at + 1))
			guess_put(o->v[i], true);
	return guess_text;
}

/* A B FILE: two tensors of one file. NULL: it has others. */
static const char *
tensors_of(int file)
{
	const struct cmd_list *a = &cmd_st.args;
	char both[2048];

	guess_begin();
	for (int i = 0; i < a->n; i++) {
		snprintf(both, sizeof(both), "%s:%s", a->v[file], a->v[i]);
		if (i >= cmd_st.nwords && i != file && !guess_has_tensor(a->v[file], a->v[i]))
			return NULL;
		if (i != file)
			guess_put(i < cmd_st.nwords ? a->v[i] : both, true);
	}
	return guess_end(a->n, -1);
}

/* axt-map + 5 FILE: operations on two operands are commands of their own. */
static const char *
guess_sign_first(void)
{
	static const char *const signs[][2] = { { "+", "axt-add" }, { "-", "axt-sub" },
		{ "*", "axt-mul" }, { "/", "axt-div" }, { "**", "axt-pow" }, { "^", "axt-pow" } };
	const struct cmd_list *a = &cmd_st.args;

	if (strcmp(cmd_st.c->name, "axt-map") != 0 || a->n != 3)
		return NULL;
	for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
		if (strcmp(a->v[0], signs[k][0]) == 0) {
			guess_from(signs[k][1]);
			guess_put(a->v[guess_is_file(a->v[1]) ? 1 : 2], true);
			guess_put(a->v[guess_is_file(a->v[1]) ? 2 : 1], true);
			return guess_end(a->n, -1);
		}
	return NULL;
}

const char *
cmd_guess_too_many(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *hint = NULL;
	int last = a->n - 1, file = -1, files = 0, other = -1;

	if (((cmd_st.c->flags & CMD_SPECS) && guess_blanks()) || guess_pipe())
		return guess_text;
	if (guess_range_apart())
		return guess_text;
	if (guess_part_behind() || guess_pasted() || guess_infix() || guess_sign_first() ||
	    guess_last_output() || guess_split_names())
		return guess_text;
	for (int i = 0; i <= last; i++) {
		bool is = guess_is_file(a->v[i]);

		files += is;
		file = is && file < 0 ? i : file;
		other = !is && i >= cmd_st.nwords && other < 0 ? i : other;
	}
	if (cmd_st.nwords == 1 && file > 1) { /* axt-reduce mean std FILE */
		char list[400] = "";

		for (int i = 0; i < file; i++)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			    i ? "," : "", a->v[i]);
		if ((hint = cmd_guess_list(list, file)))
			return hint;
	}
	if (files > 1 && guess_tensors_of_one())
		return guess_text;
	if (files == 1 && a->n - cmd_st.nwords == 3 && cmd_st.c->in[1] && !cmd_st.c->in[2] &&
	    (hint = tensors_of(file)))
		return hint;
	if (file >= 0 && file < last && other == last && strchr(a->v[last], '.') &&
	    (cmd_st.c->flags & CMD_WRITES))
		return cmd_guess_output();
	if (files == 1 || (files == 0 && !cmd_st.c->in[0]))
		hint = files && (guess_order_meant(file) || guess_several_specs(file))
		    ? guess_text
		    : joined_words(files ? file : a->n);
	if (!hint && files > 1 && cmd_st.c->in[0] && !cmd_st.c->in[1] &&
	    !(cmd_st.c->flags & CMD_NARY))
		hint = guess_members() ? guess_text : guess_several_files(a->n);
	if (!hint && files == 1 && other >= 0 && a->n - cmd_st.nwords == 2)
		hint = word_and_file(other, file);
	if (!hint && file >= 0)
		hint = axes_typed(file);
	return hint;
}

/* What the first word of the command is, in words. */
static const char *
what_chosen(void)
{
	static const char *const words[][2] = { { "OP", "operation" }, { "FUNC", "function" },
		{ "KIND", "kind" }, { "ACTION", "action" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(cmd_st.c->words[0], words[i][0], strlen(words[i][0])) == 0)
			return words[i][1];
	return cmd_st.c->words[0];
}

/* Such as "sum, prod, mean ... (-h lists them)". */
static const char *
some_choices(void)
{
	static char text[200];
	const char *name, *line;

	*text = '\0';
	for (int i = 0; cmd_st.c->choice(i, &name, &line); i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? ", " : "",
		    i < 5 ? name : "... (-h lists all)");
		if (i == 5)
			break;
	}
	return text;
}

/* Whether the text up to ",", ":" or "=" is a word that may be the command's first operand. */
static bool
begins_with_choice(const char *w)
{
	size_t n = strcspn(w, ",:=");
	const char *name, *line;

	for (int i = 0; cmd_st.c->choice && cmd_st.c->choice(i, &name, &line); i++)
		if (strcspn(name, ":") == n && strncmp(name, w, n) == 0)
			return true;
	return false;
}

/* FILE OP: the word that stands first here was typed later; quantile=0.9, which is quantile:0.9. */
static void
word_last(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *first = a->n > 0 ? a->v[0] : "";
	char word[200];

	if (!cmd_st.c->choice || (cmd_st.c->flags & CMD_BARE))
		return;
	for (int i = 1; i < a->n && guess_is_file(first) && !begins_with_choice(first); i++) {
		if (guess_is_file(a->v[i]) || !begins_with_choice(a->v[i]))
			continue;
		guess_begin();
		guess_put(a->v[i], true);
		cmd_usage(guess_end(0, i), "the %s \"%s\" stands before the operands",
		    what_chosen(), cmd_name(a->v[i]));
	}
	/* an expression may begin with "sum = " or with "det == " */
	if (!(cmd_st.c->flags & CMD_NAMED) && begins_with_choice(first) &&
	    first[strcspn(first, ",:=")] == '=') {
		snprintf(word, sizeof(word), "%s", first);
		word[strcspn(word, "=")] = ':';
		guess_begin();
		guess_put(word, true);
		cmd_usage(guess_end(1, -1), "\":\" stands before the number, not \"=\": \"%s\"",
		    cmd_name(first));
	}
}

/* axt-move FILE OLD=/GROUP/NEW: groups stay, but a copy can go to another. */
static bool
guess_into_group(const char *file, const char *map)
{
	const char *eq = strchr(map, '=');
	char old[1024], to[1024];

	if (!eq || !strchr(eq, '/') || strchr(map, ','))
		return false;
	snprintf(old, sizeof(old), "%s:%.*s", file, (int)(eq - map), map);
	snprintf(to, sizeof(to), "%s:%s", file, eq + 1);
	guess_from("axt-copy");
	guess_put(old, true);
	guess_put("-o", true);
	guess_put(to, true);
	return true;
}

void
cmd_guess_words(void)
{
	static const char *const files[] = { "FILE", "TARG", "EXPR", "DIR", "NAME=OPERAND" };
	const struct cmd *c = cmd_st.c;
	int next;
	char two[300];
	const char *example, *first = cmd_st.args.n > 0 ? cmd_st.args.v[0] : "";

	if (guess_options_of_nco())
		cmd_usage(guess_text, "-v and -d are not those of NCO here: %s -h lists options",
		    c->name);
	if (guess_broadcast_like())
		cmd_usage(guess_text, "operand AXES is missing before \"%s\"", cmd_name(first));
	if (strcmp(c->name, "axt-assign") == 0)
		for (int i = 0; i < cmd_st.args.n && cmd_st.args.n < 3; i++) {
			guess_assigned(cmd_st.args.v[i], NULL);
			if (cmd_st.args.n == 2)
				guess_assigned(cmd_st.args.v[i], cmd_st.args.v[1 - i]);
		}
	if (strcmp(c->name, "axt-assign") == 0 && cmd_st.args.n == 2 &&
	    guess_is_file(cmd_st.args.v[0]) && !strpbrk(cmd_st.args.v[1], "=<>")) {
		guess_begin();
		guess_put(cmd_st.args.v[0], true);
		guess_put("=", true);
		cmd_usage(guess_end(1, -1), "operand OP is missing before \"%s\"",
		    cmd_name(cmd_st.args.v[1]));
	}
	if (strcmp(c->name, "axt-slice") == 0 &&
	    (cmd_st.args.n == 1 || (cmd_st.args.n == 2 && !guess_is_file(cmd_st.args.v[1]))) &&
	    guess_is_file(first) && guess_slices_of())
		cmd_usage(guess_text, "-d is the dataset here: parts are AXIS=SPEC or AXIS@SPEC");
	if (strcmp(c->name, "axt-move") == 0 && cmd_st.args.n == 2 && guess_is_file(first) &&
	    !strchr(first, ':') && !strpbrk(cmd_st.args.v[1], "=:")) {
		guess_from("mv");
		guess_put(first, true);
		guess_put(cmd_st.args.v[1], true);
		cmd_usage(guess_text, "operand OLD=NEW,... is missing before \"%s\"",
		    cmd_name(first));
	}
	if (strcmp(c->name, "axt-to") == 0 && cmd_st.args.n == 1 && guess_is_file(first) &&
	    (guess_ends_with(first, ".nc") || guess_ends_with(first, ".h5") ||
		strchr(first, ':'))) {
		char file[1024];
		struct stat out;
		/* > FILE names the output already */
		bool to_file = fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode);

		snprintf(file, sizeof(file), "%.*s.%s", (int)strcspn(first, ":."), first,
		    guess_format_given() ? guess_format_given() : "npy");
		guess_begin();
		guess_put(to_file && guess_format_given() ? "-" : file, true);
		cmd_usage(guess_end(0, -1), "operand FILE is missing before \"%s\"",
		    cmd_name(first));
	}
	if (strcmp(c->name, "axt-coord") == 0 && cmd_st.args.n == 2 &&
	    guess_is_file(cmd_st.args.v[1]) && guess_has_axis(cmd_st.args.v[1], first)) {
		snprintf(two, sizeof(two), "%.*s:%s", (int)strcspn(cmd_st.args.v[1], ":"),
		    cmd_st.args.v[1], first);
		guess_from("axt-print");
		guess_put(two, true);
		guess_put(" shows it; axt-coord drop", false);
		guess_put(first, true);
		guess_put(cmd_st.args.v[1], true);
		guess_put(" leaves it out; axt-coord set", false);
		guess_put(first, true);
		guess_put("=0:1", false);
		guess_put(cmd_st.args.v[1], true);
		guess_put(" makes it 0, 1, ...", false);
		cmd_usage(guess_text, "no action is given before \"%s\": set, drop",
		    cmd_name(first));
	}
	/* axt-concat A B AXIS, axt-stack A B AXIS */
	if ((c->flags & CMD_NARY) && c->words[0] && strcmp(c->words[0], "AXIS") == 0 &&
	    cmd_st.args.n > 2 && guess_is_file(first)) {
		const char *last = cmd_st.args.v[cmd_st.args.n - 1];

		if (!guess_is_file(last) && !strpbrk(last, "./:*?=@") && !axt_is_number(last)) {
			guess_begin();
			guess_put(last, true);
			for (int i = 0; i + 1 < cmd_st.args.n; i++)
				guess_put(cmd_st.args.v[i], true);
			cmd_usage(guess_end(cmd_st.args.n, -1),
			    "operand AXIS is missing before \"%s\"", cmd_name(first));
		}
	}
	if (strcmp(c->name, "axt-move") == 0 && cmd_st.args.n == 2 && guess_is_file(first) &&
	    !strchr(first, ':') && guess_into_group(first, cmd_st.args.v[1]))
		cmd_usage(guess_text, "operand OLD=NEW,... is missing before \"%s\"",
		    cmd_name(first));
	if (strcmp(c->name, "axt-move") == 0 && guess_moved())
		cmd_usage(guess_text, "operand OLD=NEW,... is missing before \"%s\"",
		    cmd_name(first));
	word_last();
	example = c->choice && strncmp(c->words[0], "EXPR", 4) != 0 ? cmd_guess_choice(first)
								    : NULL;
	if (example && !guess_coordinates())
		example = cmd_guess_choice(first);
	if (example)
		cmd_usage(example, "no %s is given before \"%s\": %s", what_chosen(),
		    cmd_name(first), some_choices());
	for (int i = c->choice ? 1 : 0; i < 4 && c->words[i] && i < cmd_st.args.n; i++) {
		for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++)
			if (strncmp(c->words[i], files[k], strlen(files[k])) == 0)
				return;
		if ((c->flags & CMD_SPECS) || !guess_is_file(cmd_st.args.v[i]))
			continue;
		next = i + 1 < cmd_st.args.n && !guess_is_file(cmd_st.args.v[i + 1]) ? i + 1 : -1;
		example = next > 0                      ? cmd_st.args.v[next]
		    : strcmp(c->name, "axt-stack") == 0 ? "member"
		    : strncmp(c->words[i], "AXIS,", 5) == 0
		    ? (!guess_has_axis(cmd_st.args.v[i], "lat") &&
				  guess_numbered_axes(cmd_st.args.v[i], "0,1", two, sizeof(two))
			      ? two
			      : "lat,lon")
		    : strcmp(c->name, "axt-onehot") == 0   ? guess_classes(cmd_st.args.v[i])
		    : strncmp(c->words[i], "AXIS", 4) == 0 ? guess_axis("time")
		    : strncmp(c->words[i], "AXES", 4) == 0 ? guess_axis("time")
							   : c->words[i];
		guess_begin();
		for (int k = 0; k < i; k++)
			guess_put(cmd_st.args.v[k], true);
		guess_put(example, true);
		cmd_usage(guess_end(i, next), "operand %s is missing before \"%s\"", c->words[i],
		    cmd_name(cmd_st.args.v[i]));
	}
}

void
cmd_tell_new_axis(struct axt_graph *g)
{
	const char *word = cmd_st.nwords > 0 ? cmd_word(g, 0) : "";
	const struct axt_expr *y = cmd_results.v[0];
	bool has = false;
	char text[400];

	if (axt_graph_error(g) || cmd_st.o.quiet || !guess_is_file(word) || cmd_nin(g) < 1)
		return;
	for (int i = 0; i < axt_expr_rank(y); i++)
		has = has || strcmp(axt_expr_axis(y, i), word) == 0;
	if (!has || guess_has_axis(cmd_operand(g, 0), word))
		return;
	snprintf(text, sizeof(text),
	    "the new axis is called \"%s\", as a file is: the name of the axis stands first",
	    cmd_name(word));
	cmd_say("warning: ", text);
	if (!(cmd_st.c->flags & CMD_NARY))
		return;
	guess_begin();
	guess_put("member", true);
	cmd_say_hint(text, guess_end(0, -1));
}

const char *
cmd_guess_sure(const char *error)
{
	const char *guess = guess_emptied(error);

	guess = guess ? guess : guess_options_of_nco();
	guess = guess ? guess : guess_own_field(error);
	if (!guess && cmd_st.args.n == 2)
		guess = guess_new_name_of_dataset();
	guess = guess ? guess : guess_changed_to(error);
	guess = guess ? guess : guess_by_error(error);
	guess = guess ? guess : guess_number_of_axis(error);
	guess = guess ? guess : guess_all_axes(error);
	guess = guess ? guess : guess_lengths_of_parts(error);
	guess = guess ? guess : guess_append(error);
	guess = guess ? guess : guess_copied_to(error);
	guess = guess ? guess : guess_no_parts(error);
	guess = guess ? guess : guess_stacked(error);
	guess = guess ? guess : guess_two_variables(error);
	guess = guess ? guess : guess_targets(error);
	guess = guess ? guess : guess_labels(error);
	guess = guess ? guess : guess_dataset_behind(error);
	guess = guess ? guess : guess_grid_of(error);
	guess = guess ? guess : guess_other_names(error);
	guess = guess ? guess : guess_weights(error);
	guess = guess ? guess : guess_habit(error);
	guess = guess ? guess : guess_tensor_of_units(error);
	guess = guess ? guess : guess_water(error);
	guess = guess ? guess : guess_pattern(error);
	guess = guess ? guess : guess_chunks(error);
	guess = guess ? guess : guess_expression(error);
	guess = guess ? guess : guess_list_of_axes(error);
	guess = guess ? guess : guess_unnamed(error);
	guess = guess ? guess : guess_axis_alike(error);
	guess = guess ? guess : guess_pasted();
	guess = guess ? guess : guess_period(error);
	guess = guess ? guess : guess_in_directory(error);
	guess = guess ? guess : guess_pixels(error);
	guess = guess ? guess : guess_called_slices(error);
	guess = guess ? guess : guess_bare_spec(error);
	guess = guess ? guess : guess_specs_apart(error);
	guess = guess ? guess : guess_infix();
	guess = guess ? guess : guess_edits(error);
	guess = guess ? guess : guess_bare_axis(error);
	guess = guess ? guess : guess_positions(error);
	guess = guess ? guess : guess_pairs(error);
	guess = guess ? guess : guess_each_of(error);
	guess = guess ? guess : guess_quoted_star(error);
	if (!guess && cmd_st.args.n > 0 && !(guess = guess_renamed()) &&
	    !(guess = guess_other_format(error)))
		guess = guess_axis_as_result(error);
	if (!guess && strstr(error, ": no dataset \""))
		guess = guess_slices_of();
	if (!guess && (strstr(error, " is no position (") || strstr(error, " is no number")))
		guess = guess_python_specs();
	guess = guess ? guess : guess_nearest(error);
	if (!guess &&
	    (strstr(error, " is no position (") || strstr(error, " is no value (") ||
		strstr(error, " is no date") || strstr(error, " is no month")))
		guess = guess_respelled();
	if (!guess && strstr(error, " is no value ("))
		guess = guess_python_specs();
	if (guess)
		return guess;
	return strcmp(cmd_st.c->name, "axt-attr") == 0 ? guess_attribute_of() : guess_part_of();
}

const char *
cmd_guess_failed(const char *error)
{
	struct cmd_list *a = &cmd_st.args;
	int i = guess_not_there(error), last = a->n - 1, want = 0;
	const char *w;

	if (strstr(error, ": No such file") && guess_coordinates())
		return guess_text;
	if (i < 0 && (guess_packed(error) || guess_other_grid(error)))
		return guess_text;
	if (strcmp(cmd_st.c->name, "axt-stack") == 0 && strstr(error, " stands twice in ")) {
		guess_begin();
		guess_put("member", true);
		return guess_end(1, -1);
	}
	if (i < 0)
		return (a->n == 2 && guess_new_name_of_dataset()) || guess_dataset_of(error)
		    ? guess_text
		    : guess_near_file(error);
	w = a->v[i];
	if (guess_number(i) || guess_with_units(i))
		return guess_text;
	for (int f = cmd_st.nwords; f <= last && i >= cmd_st.nwords; f++)
		if (f != i && guess_is_file(a->v[f]) &&
		    (guess_has_tensor(a->v[f], w) || guess_is_part(w)))
			return word_and_file(i, f);
	if (i > 0 && i == last && guess_is_file(a->v[0]) &&
	    (strcmp(cmd_st.c->name, "axt-calc") == 0 || strcmp(cmd_st.c->name, "axt-to") == 0 ||
		strcmp(cmd_st.c->name, "axt-attr") == 0)) {
		guess_begin();
		for (int k = 1; k <= last; k++)
			guess_put(a->v[k], true);
		guess_put(a->v[0], true);
		return guess_end(a->n, -1);
	}
	if (strchr("<>=!", w[0])) {
		guess_begin();
		for (int k = 0; k <= last; k++)
			guess_put(k == i ? w + strspn(w, "<>=! ") : a->v[k], true);
		return guess_end(a->n, -1);
	}
	if (strlen(w) == 1 && strchr("+-*/x", *w)) { /* a sign between two operands */
		guess_begin();
		for (int k = 0; k <= last; k++)
			if (k != i)
				guess_put(a->v[k], true);
		return guess_end(a->n, -1);
	}
	if (guess_is_pattern(w))
		return guess_near_file(error);
	if (strpbrk(w, "<>!&|+*") && !strchr(w, ':')) {
		guess_from("axt-calc");
		guess_put(w, true);
		for (int k = 0; k <= last; k++)
			if (guess_is_file(a->v[k]))
				guess_put(a->v[k], true);
		return guess_text;
	}
	while (want < 4 && cmd_st.c->in[want])
		want++;
	if (i == last && i - cmd_st.nwords >= (want ? want : 1) && strchr(w, '.') &&
	    !cmd_st.o.output && guess_has_option("output"))
		return cmd_guess_output();
	return guess_near_file(error);
}
