/*
 * guess_outputs.c - hints about an output that was typed as the last operand, as CDO and NCO have
 * it.
 */
#include <string.h>

#include "guess.h"

bool
guess_names_output(const char *w)
{
	static const char *const tails[] = { ".nc", ".nc4", ".h5", ".hdf5", ".he5", ".cdf",
		".zarr" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (!strchr(w, ':') && guess_ends_with(w, tails[i]))
			return true;
	return false;
}

bool
guess_are_pieces(int last)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e[64];
	struct axt_values at;
	const char *axis = guess_axis("time");
	int n = 0;
	bool pieces = g != NULL;

	for (int i = cmd_st.nwords; pieces && i <= last; i++, n++) {
		bool coord = false;

		e[n] = n < 64 ? guess_open_first(g, cmd_st.args.v[i]) : NULL;
		for (int k = 0; e[n] && !axt_graph_error(g) && k < axt_expr_rank(e[n]); k++)
			coord = coord ||
			    (strcmp(axt_expr_axis(e[n], k), axis) == 0 &&
				axt_expr_coord(e[n], k, &at));
		pieces = coord;
	}
	pieces = pieces && n > 1 && axt_concat(g, axis, n, e) && !axt_graph_error(g);
	axt_graph_free(g);
	return pieces;
}

/* The line without operands that stand twice in it; NULL: none does. */
static const char *
without_doubles(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *twice = NULL;
	int n = 0;

	guess_begin();
	for (int i = 0; i < a->n; i++) {
		int k = cmd_st.nwords;

		while (k < i && strcmp(a->v[k], a->v[i]) != 0)
			k++;
		if (i >= cmd_st.nwords && k < i)
			twice = a->v[i];
		else
			guess_put(a->v[i], true);
		n += i >= cmd_st.nwords && k >= i;
	}
	if (twice && n < 2) {
		guess_from(cmd_name(twice));
		guess_put(" is given twice", false);
		return guess_text;
	}
	return twice ? guess_end(a->n, -1) : NULL;
}

const char *
guess_stacked(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	struct axt_graph *g;
	struct axt_expr *e[64];
	int n = a->n - cmd_st.nwords;
	bool same;

	if (strcmp(cmd_st.c->name, "axt-concat") != 0 || !strstr(error, "\" is not increasing: ") ||
	    n < 2 || n > 64)
		return NULL;
	if (without_doubles())
		return guess_text;
	g = axt_graph_new();
	for (int i = 0; i < n; i++)
		e[i] = guess_open_first(g, a->v[cmd_st.nwords + i]);
	same = g && !axt_graph_error(g) && axt_stack(g, "member", n, e, 0) && !axt_graph_error(g);
	axt_graph_free(g);
	guess_from("axt-stack member");
	return same ? guess_end(cmd_st.nwords, -1) : NULL;
}

/* The number of tensors that the command takes. */
static int
most_tensors(void)
{
	int n = 0;

	while (n < 4 && cmd_st.c->in[n])
		n++;
	return n;
}

/*
 * Writes the axis that is reduced, by --over or --along, and that the operand lacks: it is the one
 * along which files are stacked. false: there is none.
 */
static bool
stacked_axis(const char *operand, char *out, size_t size)
{
	const char *axis = NULL;

	if (guess_option_at("--over", &axis) < 0 && guess_option_at("--along", &axis) < 0)
		return false;
	snprintf(out, size, "%s", axis);
	return *axis && !strpbrk(axis, ",= ") && !guess_has_axis(operand, axis) &&
	    !guess_own_axis(operand, axis, (char[64]){ 0 });
}

const char *
guess_members(void)
{
	const struct cmd_list *a = &cmd_st.args;
	int first = cmd_st.nwords;
	char axis[100] = "member";
	bool told = first < a->n && guess_is_file(a->v[first]) &&
	    stacked_axis(a->v[first], axis, sizeof(axis));
	bool each = false;

	for (int i = first; i < a->n; i++) {
		bool several = guess_is_file(a->v[i]) && guess_tensors(a->v[i]) > 1;

		if (!guess_is_file(a->v[i]) || (several && !told) ||
		    (!told && i > first && !guess_other_digits(a->v[i - 1], a->v[i])))
			return NULL;
		each = each || several;
	}
	if (a->n - first < 2 || (!told && guess_are_pieces(a->n - 1)))
		return NULL;
	guess_from("axt-stack");
	if (each)
		guess_put("--each", true);
	guess_put(told ? axis : "member", true);
	for (int i = first; i < a->n; i++)
		guess_put(a->v[i], true);
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	if (each && !cmd_st.o.each)
		guess_put("--each", true);
	for (int i = 0; i < first; i++)
		guess_put(a->v[i], true);
	guess_put("-", true);
	return guess_end(a->n, -1);
}

const char *
guess_last_output(void)
{
	const struct cmd_list *a = &cmd_st.args;
	int last = a->n - 1, first = cmd_st.nwords, n = last - first, most = most_tensors();
	bool there = last > 0 && guess_is_file(a->v[last]), any = most == 0;

	if (!(cmd_st.c->flags & CMD_WRITES) || (cmd_st.c->flags & CMD_NARY) || cmd_st.o.output ||
	    n < (most > 0) || !guess_names_output(a->v[last]))
		return NULL;
	for (int i = first; i < last; i++)
		any = any || guess_is_file(a->v[i]);
	if (!any)
		return NULL;
	for (int i = 0; i < last; i++)
		if (i < first ? guess_is_file(a->v[i])
			      : !guess_is_file(a->v[i]) && !axt_is_number(a->v[i]))
			return NULL;
	if (there && most == 1 &&
	    (guess_other_digits(a->v[last - 1], a->v[last]) || guess_are_pieces(last)))
		return NULL;
	if (most == 1 && n > 1)
		return guess_are_pieces(last - 1) ? guess_several_files(last) : NULL;
	if (n > most)
		return NULL;
	cmd_guess_output();
	if (there) {
		guess_put("; that replaces", false);
		guess_put(a->v[last], true);
	}
	return guess_text;
}

const char *
guess_copied_to(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;

	if (strcmp(cmd_st.c->name, "axt-copy") != 0 ||
	    !strstr(error, "two results have the name \"") || a->n != 2 || cmd_st.o.output ||
	    !guess_names_output(a->v[1]) || guess_are_pieces(1))
		return NULL;
	cmd_guess_output();
	guess_put("; that replaces", false);
	guess_put(a->v[1], true);
	return guess_text;
}

const char *
guess_no_parts(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;

	if (strcmp(cmd_st.c->name, "axt-merge") != 0 || !strstr(error, " is no part of a job") ||
	    a->n < 2)
		return NULL;
	for (int i = 0; i < a->n; i++)
		if (!guess_is_file(a->v[i]))
			return NULL;
	if (guess_are_pieces(a->n - 1)) {
		guess_from("axt-concat");
		guess_put(guess_axis("time"), true);
	} else {
		guess_from("axt-copy");
	}
	for (int i = 0; i < a->n; i++)
		guess_put_whole(a->v[i]);
	return guess_end(a->n, -1);
}

const char *
guess_changed_to(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	int last = a->n - 1;
	bool append = strcmp(cmd_st.c->name, "axt-append") == 0;
	bool attr = strcmp(cmd_st.c->name, "axt-attr") == 0;

	if ((!append && !attr) || a->n < 3 || !guess_names_output(a->v[last]) ||
	    !guess_is_file(a->v[last - 1]) || guess_is_file(a->v[last]) ||
	    (append && !strstr(error, ": No such file")))
		return NULL;
	guess_from(append ? "axt-concat" : "axt-copy");
	if (append)
		guess_put(guess_axis("time"), true);
	for (int i = 0; i < last; i++) {
		bool file = guess_is_file(a->v[i]);

		if (append ? !file : file != (i == last - 1) || (!file && !strchr(a->v[i], '=')))
			return NULL;
		if (!file)
			guess_put("--attr", true);
		guess_put_whole(a->v[i]);
	}
	guess_put("-o", true);
	guess_put(a->v[last], true);
	return guess_text;
}
