/* guess_split.c - hints of axt-split: the axis or field, the pattern of names, whole files. */
#include <string.h>

#include "guess.h"

/* The axis, or time.month for month where the file has no axis of that name. */
static const char *
axis_meant(const char *word, const char *file)
{
	static char both[200];
	char own[64];

	if (!guess_is_field(word) || guess_has_axis(file, word))
		return word;
	snprintf(both, sizeof(both), "%s.%s", guess_own_axis(file, "time", own) ? own : "time",
	    word);
	return both;
}

/* A pattern of names: "{}" stands before the suffix of a name that has none. */
static void
put_pattern(const char *value)
{
	const char *base = strrchr(value, '/') ? strrchr(value, '/') + 1 : value;
	const char *dot = strrchr(base, '.') ? strrchr(base, '.') : base + strlen(base);
	char word[2048];

	if (strchr(value, '{'))
		snprintf(word, sizeof(word), "%s", value);
	else
		snprintf(word, sizeof(word), "%.*s%s{}%s", (int)(dot - value), value,
		    *base ? "" : "part_", *dot ? dot : ".nc");
	guess_put(word, true);
}

static bool
is_pattern_option(const char *w)
{
	return strncmp(w, "-P", 2) == 0 || strncmp(w, "--pattern", 9) == 0;
}

const char *
cmd_guess_split(void)
{
	const struct cmd_list *a = &cmd_st.args;

	if (a->n == 0)
		return cmd_guess_line("-P 'part_{}.nc'");
	guess_begin();
	guess_put(axis_meant(a->v[0], a->n > 1 ? a->v[1] : ""), true);
	guess_put(" -P 'part_{}.nc'", false);
	return guess_end(1, -1);
}

const char *
guess_split_names(void)
{
	const struct cmd_list *a = &cmd_st.args;

	if (strcmp(cmd_st.c->name, "axt-split") != 0 || a->n != 3 || !guess_is_file(a->v[1]) ||
	    guess_is_file(a->v[2]) || strchr(a->v[2], ':'))
		return NULL;
	for (int i = 0; i < cmd_st.given.n; i++)
		if (is_pattern_option(cmd_st.given.v[i]))
			return NULL;
	guess_begin();
	guess_put(axis_meant(a->v[0], a->v[1]), true);
	guess_put("-P", true);
	put_pattern(a->v[2]);
	guess_put_operand(a->v[1]);
	return guess_end(a->n, -1);
}

const char *
guess_split_option(const char *axis, int i, bool joined, int argc, char *const argv[])
{
	const char *file = "";
	bool pattern = false, whole = true;

	for (int k = 1; k < argc; k++) {
		file = !*file && guess_is_file(argv[k]) ? argv[k] : file;
		pattern = pattern || is_pattern_option(argv[k]);
		whole = whole && strcmp(argv[k], "-d") != 0 && strcmp(argv[k], "--each") != 0;
	}
	guess_begin();
	guess_put(axis_meant(axis, file), true);
	if (!pattern)
		guess_put(" -P 'part_{}.nc'", false);
	for (int k = 1; k < argc; k++) {
		if (k == i || (!joined && k == i + 1))
			continue;
		if (whole)
			guess_put_operand(argv[k]);
		else
			guess_put(argv[k], true);
	}
	return guess_text;
}

const char *
guess_split_output(const char *value, int i, bool joined, int argc, char *const argv[])
{
	bool each = cmd_st.o.each;

	guess_begin();
	for (int k = 1; k < argc; k++)
		if (k != i && (joined || k != i + 1))
			guess_put(argv[k], true);
	for (int k = 1; k < argc && !each; k++)
		if (!strchr(argv[k], ':') && guess_is_file(argv[k]) && guess_tensors(argv[k]) > 1) {
			guess_put("--each", true);
			each = true;
		}
	guess_put("-P", true);
	put_pattern(value);
	return guess_text;
}

const char *
guess_pattern(const char *error)
{
	const struct cmd_list *o = &cmd_st.given;

	if (strcmp(cmd_st.c->name, "axt-split") != 0 || !strstr(error, " has no {} for "))
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	for (int i = 0; i < o->n; i++)
		if (i > 0 &&
		    (strcmp(o->v[i - 1], "-P") == 0 || strcmp(o->v[i - 1], "--pattern") == 0))
			put_pattern(o->v[i]);
		else
			guess_put(o->v[i], true);
	return strstr(guess_text, "{}") ? guess_text : NULL;
}
