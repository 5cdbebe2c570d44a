/*
 * guess_options.c - hints that add or change an option, and those that commands ask for by name.
 */
#include <math.h>
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
guess_infix(void)
{
	static const char *const command[] = { "axt-add", "axt-sub", "axt-mul", "axt-div" };
	static const char *const sign[] = { "+", "-", "*", "/" };
	const struct cmd_list *a = &cmd_st.args;

	for (int i = 0; i < 4 && a->n == 3; i++)
		if (strcmp(cmd_st.c->name, command[i]) == 0 && strcmp(a->v[1], sign[i]) == 0) {
			guess_begin();
			guess_put(a->v[0], true);
			return guess_end(2, -1);
		}
	return NULL;
}

const char *
guess_edits(const char *error)
{
	bool any = false;

	if (strcmp(cmd_st.c->name, "axt-attr") != 0 || !strstr(error, ", not both"))
		return NULL;
	guess_begin();
	for (int i = 0; i + 1 < cmd_st.args.n; i++)
		if (strchr(cmd_st.args.v[i], '=')) {
			guess_put(cmd_st.args.v[i], true);
			any = true;
		}
	return any ? guess_end(cmd_st.args.n - 1, -1) : NULL;
}

const char *
guess_bare_axis(const char *error)
{
	char axis[100];
	const char *word = cmd_st.args.n > 1 ? cmd_st.args.v[0] : "";
	size_t n = strcspn(word, "=");

	if (!strstr(error, " takes no length here") || n == 0 || n >= sizeof(axis))
		return NULL;
	snprintf(axis, sizeof(axis), "%.*s", (int)n, word);
	guess_begin();
	guess_put(axis, true);
	return guess_end(1, -1);
}

const char *
cmd_guess_word(const char *was, const char *meant)
{
	const char *list = cmd_st.args.v[0], *at = strstr(list, was);
	char word[1024];

	if (!at)
		return NULL;
	snprintf(word, sizeof(word), "%.*s%s%s", (int)(at - list), list, meant, at + strlen(was));
	guess_begin();
	guess_put(word, true);
	return guess_end(1, -1);
}

const char *
cmd_guess_module(const char *word, const char *const *names, int n)
{
	static const char modules[] = "np numpy xr math torch jnp tf scipy special cmath";
	char module[20];
	size_t len = strcspn(word, ".");
	const char *own = word + len + 1, *ours;

	snprintf(module, sizeof(module), "%.*s", (int)len, word);
	if (!word[len] || !axt_has_word(modules, module))
		return NULL;
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], own) == 0)
			return cmd_guess_word(word, own);
	for (int k = 0; (ours = axt_foreign_name(own, k)); k++)
		for (int i = 0; i < n; i++)
			if (strcmp(names[i], ours) == 0)
				return cmd_guess_word(word, ours);
	return NULL;
}

const char *
cmd_guess_word_of_tool(const char *word)
{
	char text[600], axis[64];
	const char *name = cmd_st.c->name;
	size_t n = strlen(name), len;

	if (!axt_foreign_line(word, text, sizeof(text)) || strncmp(text, name, n) != 0 ||
	    text[n] != ' ' || strchr(text, '|'))
		return NULL;
	guess_begin();
	for (const char *p = text + n + 1; *p && !strchr("a'", *p); p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		if (strncmp(p, "--", 2) == 0 && p[len]) { /* an option and its value */
			char option[64];
			bool given = false;

			snprintf(option, sizeof(option), "%.*s", (int)len, p);
			p += len + 1;
			len = strcspn(p, " ");
			snprintf(axis, sizeof(axis), "%.*s", (int)len, p);
			for (int i = 0; i < cmd_st.given.n; i++)
				given = given ||
				    strncmp(cmd_st.given.v[i], option, strlen(option)) == 0;
			if (given)
				continue;
			guess_put(option, true);
			guess_put(strcmp(axis, "time") == 0 ? guess_axis(axis) : axis, true);
			continue;
		}
		snprintf(axis, sizeof(axis), "%.*s", (int)len, p);
		guess_put(axis, true);
	}
	return guess_end(1, -1);
}

/* mean+std, "mean std": operations of a list have commas between them. NULL: some are none. */
const char *
cmd_guess_list(const char *typed, int rest)
{
	const char *name, *line;
	char word[400];
	size_t n = 0;

	if (!cmd_st.c->choice || !strchr(cmd_st.c->words[0], '['))
		return NULL;
	for (const char *p = typed; *p;) {
		size_t len = strcspn(p, "+;/& ,"), at = strcspn(p, ":+;/& ,");
		bool known = false;

		for (int i = 0; cmd_st.c->choice(i, &name, &line); i++)
			known = known || (strlen(name) == at && strncmp(name, p, at) == 0);
		if (!known || n + len + 2 > sizeof(word))
			return NULL;
		n += (size_t)snprintf(word + n, sizeof(word) - n, "%s%.*s", n ? "," : "", (int)len,
		    p);
		p += len + strspn(p + len, "+;/& ,");
	}
	if (n == 0)
		return NULL;
	guess_begin();
	guess_put(word, true);
	return guess_end(rest, -1);
}

const char *
cmd_guess_twice(const char *a, const char *b, size_t len)
{
	static const char numbers[] = "0123456789.,+-";
	bool lists = strcmp(cmd_st.c->name, "axt-interp") == 0 ||
	    strcmp(cmd_st.c->name, "axt-slice") == 0;
	char word[1024];

	if (!lists || a[len] != b[len] || a[len + 1 + strspn(a + len + 1, numbers)] ||
	    b[len + 1 + strspn(b + len + 1, numbers)] || strcmp(a, b) == 0)
		return NULL;
	snprintf(word, sizeof(word), "%s,%s", a, b + len + 1);
	guess_begin();
	for (int i = 0; i < cmd_st.nwords && i < cmd_st.args.n; i++)
		if (cmd_st.args.v[i] != b)
			guess_put(cmd_st.args.v[i] == a ? word : cmd_st.args.v[i], true);
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
cmd_guess_position(void)
{
	const char *at = cmd_st.args.v[0], *name = "time";

	for (int i = 1; i < cmd_st.args.n; i++)
		if (guess_is_file(cmd_st.args.v[i]) && guess_has_axis(cmd_st.args.v[i], name))
			name = "member";
	guess_begin();
	guess_put(name, true);
	if (strcmp(at, "0") != 0) {
		guess_put("--at", true);
		guess_put(at, true);
	}
	return guess_end(1, -1);
}

const char *
cmd_guess_output(void)
{
	int last = cmd_st.args.n - 1;

	guess_begin();
	for (int i = 0; i < last; i++)
		if (i < cmd_st.nwords)
			guess_put(cmd_st.args.v[i], true);
		else
			guess_put_operand(cmd_as_typed(i));
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

const char *
cmd_time_axis(void)
{
	return guess_axis("time");
}

const char *
cmd_guess_choice(const char *word)
{
	const char *first, *about;

	if ((!guess_is_file(word) && !strchr(word, '=')) || !cmd_st.c->choice ||
	    (!cmd_st.c->in[0] && guess_is_file(word)) || !cmd_st.c->choice(0, &first, &about))
		return NULL;
	guess_begin();
	guess_put(first, true);
	return guess_end(0, -1);
}

/*
 * --bins 20,10 of one operand: numbers of bins of two. Tensors of one file that are named in a list
 * become two operands; else the file's first other tensor is the second. NULL: these are edges.
 */
static const char *
bins_of_two(const char *value)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *w = a->n == 1 ? cmd_as_typed(0) : "", *colon = strchr(w, ':'), *comma;
	size_t n = colon ? (size_t)(colon - w) : strlen(w);
	struct axt_graph *g;
	const char *const *names;
	char file[1024], one[1200] = "", two[1200] = "";
	int first, second, used = 0;

	if (sscanf(value, "%d,%d%n", &first, &second, &used) != 2 || value[used] || first < 1 ||
	    second < 1 || !guess_is_file(w) || n >= sizeof(file))
		return NULL;
	snprintf(file, sizeof(file), "%.*s", (int)n, w);
	comma = colon ? strchr(colon, ',') : NULL;
	snprintf(one, sizeof(one), "%.*s", comma ? (int)(comma - w) : 1100, colon ? w : "");
	if (comma)
		snprintf(two, sizeof(two), "%s:%.150s", file, comma + 1);
	g = axt_graph_new();
	names = g ? axt_tensors(g, file) : NULL;
	for (; names && *names && !*two; names++) {
		const char *name = *names + (**names == '/');

		if (!*one)
			snprintf(one, sizeof(one), "%s:%.150s", file, name);
		else if (strcmp(one + n + 1, name) != 0)
			snprintf(two, sizeof(two), "%s:%.150s", file, name);
	}
	axt_graph_free(g);
	if (!*two)
		return NULL;
	guess_begin();
	guess_put(one, true);
	guess_put(two, true);
	for (int i = 0; i < o->n; i++)
		guess_put(o->v[i], true);
	return guess_text;
}

const char *
cmd_guess_bins(const char *value)
{
	static char hint[200];
	double first = 0, last = 0, step = 0;
	bool even = true;
	int n = 0;

	if (bins_of_two(value))
		return guess_text;
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
	if (n == 3 && strchr(value, ':') && last > 0 && step >= last &&
	    step / last == floor(step / last)) {
		snprintf(hint, sizeof(hint), "--bins %.0f --range %.15g,%.15g", step / last, first,
		    first + step); /* LO:HI:STEP */
		return hint;
	}
	if (n == 3 && step > 0 && last < first + step && last >= 1 && last == floor(last)) {
		snprintf(hint, sizeof(hint), "--bins %.0f --range %.15g,%.15g", last, first,
		    first + step); /* LO,HI,N */
		return hint;
	}
	if (n == 3 && strchr(value, ':') && last > 0 && first + step > first && last <= step) {
		snprintf(hint, sizeof(hint), "--bins %.0f --range %.15g,%.15g", step / last, first,
		    first + step); /* LO:HI:STEP */
		return hint;
	}
	snprintf(hint, sizeof(hint), "%s--bins %d --range %.15g,%.15g",
	    even ? "" : "all bins have one width: ", n - 1, first, last);
	return hint;
}

const char *
guess_packed(const char *error)
{
	if ((strcmp(cmd_st.c->name, "axt-cast") != 0 && strcmp(cmd_st.c->name, "axt-copy") != 0) ||
	    !cmd_st.o.dtype || strncmp(error, "nan does not fit ", 17) != 0 ||
	    !strchr("iu", error[17]))
		return NULL;
	guess_from("axt-cast");
	for (int i = 0; i < cmd_st.given.n; i++)
		guess_put(strcmp(cmd_st.given.v[i], "--dtype") == 0 ? "--pack" : cmd_st.given.v[i],
		    true);
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	return guess_text;
}

const char *
cmd_guess_type(char letter, const char *value, int argc, char *const argv[])
{
	if (letter != 't' || !guess_has_option("dtype") ||
	    (!cmd_guess_dtype(value) && axt_dtype_of_name(value) == AXT_DTYPE_AUTO))
		return NULL;
	guess_begin();
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "-t", 2) == 0 && (!argv[i][2] || argv[i] + 2 == value)) {
			guess_put("--dtype", true);
			guess_put(value, true);
			i += !argv[i][2];
		} else {
			guess_put(argv[i], true);
		}
	return guess_text;
}

const char *
cmd_guess_filled(const char *option, const char *value, int argc, char *const argv[])
{
	static const char *const words[][2] = { { "ffill pad forward previous last locf",
						    "axt-ffill" },
		{ "bfill backfill backward next nocb", "axt-bfill" } };
	int k = 0;

	if (strcmp(cmd_st.c->name, "axt-fillnan") != 0 || strcmp(option, "method") != 0)
		return NULL;
	while (k < 2 && !axt_has_word(words[k][0], value))
		k++;
	if (k == 2)
		return NULL;
	guess_from(words[k][1]);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--method") == 0)
			i++;
		else if (strncmp(argv[i], "--method=", 9) != 0)
			guess_put(argv[i], true);
	return guess_text;
}

const char *
cmd_guess_bound(void)
{
	const struct cmd_list *a = &cmd_st.args;
	int file = 0;

	if (strcmp(cmd_st.c->name, "axt-clip") != 0 || a->n == 0 || a->n > 2)
		return NULL;
	while (file < a->n && !guess_is_file(a->v[file]))
		file++;
	if (a->n == 2 && file == 1) {
		double lo, hi;
		int used = 0;

		if (sscanf(a->v[0], "%lf%*[:,]%lf%n", &lo, &hi, &used) == 2 && !a->v[0][used]) {
			char low[40], high[40];

			snprintf(low, sizeof(low), "%.15g", lo);
			snprintf(high, sizeof(high), "%.15g", hi);
			guess_begin();
			guess_put(low, true);
			guess_put(high, true);
			guess_put(a->v[1], true);
			return guess_end(a->n, -1);
		}
	}
	if (file == a->n || (a->n == 2 && !axt_is_number(a->v[1 - file])))
		return NULL;
	guess_begin();
	guess_put(a->n == 2 ? a->v[1 - file] : "0", true);
	guess_put(a->n == 2 ? "inf" : "1", true);
	guess_put(a->v[file], true);
	return guess_end(a->n, -1);
}

const char *
cmd_guess_bounds(int argc, char *const argv[])
{
	static const char *const names[][2] = { { "min lo low lower a_min a-min",
	    "max hi high upper "
	    "a_max a-max" } };
	const char *bound[2] = { "-inf", "inf" }, *rest[64];
	bool any = false;
	int n = 0;

	if (strcmp(cmd_st.c->name, "axt-clip") != 0)
		return NULL;
	for (int i = 1; i < argc && n < 64; i++) {
		const char *w = argv[i], *eq = strchr(w, '=');
		char name[32];
		int k;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(w, "="), w);
		for (k = 0; k < 2; k++)
			if (strncmp(name, "--", 2) == 0 && name[2] &&
			    axt_has_word(names[0][k], name + 2))
				break;
		if (k < 2 && (eq || i + 1 < argc)) {
			bound[k] = eq ? eq + 1 : argv[++i];
			any = true;
		} else {
			rest[n++] = w;
		}
	}
	guess_begin();
	guess_put(bound[0], true);
	guess_put(bound[1], true);
	for (int i = 0; i < n; i++)
		guess_put(rest[i], true);
	return any ? guess_text : NULL;
}

/* Whether the text is two numbers that rise, with a comma between them: a range of other tools. */
static bool
two_numbers(const char *s)
{
	double a, b;
	int used = 0;

	return sscanf(s, "%lf,%lf%n", &a, &b, &used) == 2 && !s[used] && a < b;
}

/*
 * Begins the line for axt-shift --axis AXIS N FILE, where argv[i] is AXIS: its number is another
 * operand.
 */
static bool
number_along(int i, const char *axis, int argc, char *const argv[])
{
	char spec[300];
	int number = 0;
	bool has = false;

	if (strcmp(cmd_st.c->name, "axt-shift") != 0 && strcmp(cmd_st.c->name, "axt-pad") != 0)
		return false;
	for (int k = 1; k < argc; k++) {
		if (k != i && axt_is_number(argv[k]))
			number = k;
		has = has || (guess_is_file(argv[k]) && guess_has_axis(argv[k], axis));
	}
	if (!number || !has)
		return false;
	snprintf(spec, sizeof(spec), "%.200s=%.60s", axis, argv[number]);
	guess_begin();
	guess_put(spec, true);
	for (int k = 1; k < argc; k++)
		if (k != i && k != number && strncmp(argv[k], "--axis", 6) != 0 &&
		    strncmp(argv[k], "--dim", 5) != 0 && strncmp(argv[k], "--along", 7) != 0)
			guess_put(argv[k], true);
	return true;
}

const char *
cmd_guess_no_option(int i, int argc, char *const argv[], bool axes)
{
	const char *name = argv[i] + 2, *value = strchr(name, '=');
	bool one = value != NULL, has = axes;
	char spec[600];

	value = value ? value + 1 : i + 1 < argc ? argv[i + 1] : NULL;
	if (!value || (!one && guess_is_file(value)))
		return NULL;
	if (!axes && number_along(i + !one, value, argc, argv))
		return guess_text;
	snprintf(spec, sizeof(spec), "%.*s", (int)strcspn(name, "="), name);
	for (int k = 1; k < argc && !has; k++) {
		char own[64];

		has = guess_is_file(argv[k]) && guess_has_axis(argv[k], spec);
		if (!has && guess_is_file(argv[k]) && guess_own_axis(argv[k], spec, own)) {
			snprintf(spec, sizeof(spec), "%s", own);
			has = true;
		}
	}
	if (!has)
		return NULL;
	guess_begin();
	if (!axes) {
		size_t n = strlen(spec);
		bool pair = two_numbers(value) && strncmp(spec, "time", 4) != 0;
		bool at = pair || strpbrk(value, "-.") || strlen(value) == 4;

		snprintf(spec + n, sizeof(spec) - n, "%c%s", at ? '@' : '=', value);
		if (pair)
			*strchr(spec + n, ',') = ':';
	}
	guess_put(axes ? value : spec, true);
	for (int k = 1; k < argc; k++)
		if (k != i && (one || k != i + 1))
			guess_put(argv[k], true);
	return guess_text;
}

bool
guess_is_choice_of(const char *command, const char *name)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	const struct axt_chooser *chooser = op ? axt_operation_chooser(op) : NULL;

	return chooser && strcmp(chooser->all.name, command) == 0;
}
