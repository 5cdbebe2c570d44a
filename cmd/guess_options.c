/*
 * guess_options.c - hints that add or change an option, and those that commands ask for by name.
 */
#include <stdlib.h>
#include <string.h>

#include "guess.h"

const char *
cmd_guess_line(const char *option)
{
	guess_begin();
	for (int i = 0; i < cmd_st.nwords && i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put(" ", false);
	guess_put(option, false);
	return guess_end(cmd_st.nwords, -1);
}

const char *
cmd_guess_order(const int order[], int n)
{
	guess_begin();
	for (int i = 0; i < n && i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[order[i]], true);
	return guess_end(n, -1);
}

const char *
cmd_guess_output(void)
{
	int last = cmd_st.args.n - 1;

	guess_begin();
	for (int i = 0; i < last; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put("-o", true);
	guess_put(cmd_st.args.v[last], true);
	return guess_end(cmd_st.args.n, -1);
}

const char *
cmd_guess_option(const char *name, const char *value)
{
	guess_begin();
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put("--", true);
	guess_put(name, false);
	guess_put(value, true);
	return guess_end(cmd_st.nwords, -1);
}

const char *
cmd_guess_other(const char *option, const char *other)
{
	size_t n = strlen(option);

	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	for (int i = 0; i < cmd_st.given.n; i++) {
		const char *w = cmd_st.given.v[i];

		if (strncmp(w, "--", 2) == 0 && strncmp(w + 2, option, n) == 0 &&
		    strchr("=", w[n + 2])) {
			guess_put("--", true);
			guess_put(other, false);
			guess_put(w + n + 2, false);
		} else {
			guess_put(w, true);
		}
	}
	return guess_text;
}

void
cmd_need_along(const char *axis)
{
	if (!axis)
		cmd_usage(cmd_guess_option("along", "time"), "needs --along AXIS");
}

const char *
cmd_guess_choice(const char *word)
{
	const char *first, *about;
	bool reduce = guess_axis_option() && strcmp(guess_axis_option()->name, "over") == 0;

	if ((!guess_is_file(word) && !strchr(word, '=')) || !cmd_st.c->choice ||
	    !cmd_st.c->choice(0, &first, &about))
		return NULL;
	guess_begin();
	guess_put(first, true);
	if (reduce && cmd_st.given.n == 0) {
		guess_put("--over", true);
		guess_put("time", true);
	}
	return guess_end(0, -1);
}

const char *
cmd_guess_bins(const char *value)
{
	static char hint[200];
	double first = 0, last = 0, step = 0;
	bool even = true;
	int n = 0;

	for (const char *s = value; *s; n++) {
		char *rest;
		double v = strtod(s, &rest);

		if (rest == s || (*rest && !strchr(",: ", *rest)))
			return NULL;
		first = n == 0 ? v : first;
		step = n == 1 ? v - first : step;
		even = even && (n < 2 || v - last == step);
		last = v;
		s = *rest ? rest + 1 : rest;
	}
	if (n < 2)
		return NULL;
	snprintf(hint, sizeof(hint), "%s--bins %d --range %.15g,%.15g",
	    even ? "" : "all bins have one width: ", n - 1, first, last);
	return hint;
}

const char *
guess_packed(const char *error)
{
	if (strcmp(cmd_st.c->name, "axt-cast") != 0 || !cmd_st.o.dtype ||
	    strncmp(error, "nan does not fit ", 17) != 0 || !strchr("iu", error[17]))
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.given.n; i++)
		guess_put(strcmp(cmd_st.given.v[i], "--dtype") == 0 ? "--pack" : cmd_st.given.v[i],
		    true);
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	return guess_text;
}
