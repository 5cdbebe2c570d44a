/*
 * guess_habits.c - hints about what people of Python, CDO and NCO type where an option or an
 * operand of axt has another form: numbers with units, several tensors of a file, periods.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "guess.h"

const char *
guess_tensors_of_one(void)
{
	const struct cmd_list *a = &cmd_st.args;
	size_t n = strcspn(a->v[cmd_st.nwords], ":");
	char all[2048];
	const char *first = a->v[cmd_st.nwords];

	if (!(cmd_st.c->flags & (CMD_WRITES | CMD_FILES)) || !cmd_st.c->in[0] || cmd_st.c->in[1] ||
	    (cmd_st.c->flags & (CMD_LISTS | CMD_NAMED)) || !first[n])
		return NULL;
	snprintf(all, sizeof(all), "%s", first);
	for (int i = cmd_st.nwords + 1; i < a->n; i++) {
		const char *w = a->v[i];

		if (strncmp(w, first, n + 1) != 0 || strpbrk(w + n + 1, "*?,") ||
		    strlen(all) + strlen(w) + 2 > sizeof(all))
			return NULL;
		strcat(all, ",");
		strcat(all, w + n + 1);
	}
	guess_begin();
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(a->v[i], true);
	guess_put(all, true);
	return guess_end(a->n, -1);
}

const char *
guess_part_behind(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char target[2048];

	if (strcmp(cmd_st.c->name, "axt-assign") != 0 || a->n < 4 || !guess_is_file(a->v[0]) ||
	    strchr(a->v[0], '[') || guess_is_file(a->v[3]))
		return NULL;
	snprintf(target, sizeof(target), "%s[", a->v[0]);
	for (int i = 3; i < a->n; i++) {
		if (!guess_is_part(a->v[i]) ||
		    strlen(target) + strlen(a->v[i]) + 3 > sizeof(target))
			return NULL;
		strcat(target, i > 3 ? "," : "");
		strcat(target, a->v[i]);
	}
	strcat(target, "]");
	guess_begin();
	guess_put(target, true);
	guess_put(a->v[1], true);
	guess_put(a->v[2], true);
	return guess_end(a->n, -1);
}

/*
 * axt-take time@2000-01-05, station@Oslo: a coordinate or a text that is typed, and not in a
 * tensor, is axt-slice's.
 */
static const char *
typed_position(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *at = a->n > 1 ? strchr(a->v[0], '@') : NULL;

	char spec[300];

	if (strcmp(cmd_st.c->name, "axt-take") != 0 || !at || !guess_is_file(a->v[1]))
		return NULL;
	if (strstr(error, " has no ") && strstr(error, ": nearest is ") && at[1] &&
	    strspn(at + 1, "0123456789,") == strlen(at + 1) && strtol(at + 1, NULL, 10) < 1000) {
		/* small numbers on an axis of dates are positions */
		snprintf(spec, sizeof(spec), "%.*s=%.200s", (int)(at - a->v[0]), a->v[0], at + 1);
		guess_from("axt-slice");
		guess_put(spec, true);
		return guess_end(1, -1);
	}
	if (!strstr(error, ": No such file") || (strpbrk(at, "./:") && !guess_is_part(a->v[0])))
		return NULL;
	guess_from("axt-slice");
	return guess_end(0, -1);
}

/* axt-take lat@P.nc lon@P.nc FILE, with the points of one file: both names stand in a list. */
static const char *
points_of_one(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *one = strchr(a->v[0], '@'), *other = strchr(a->v[1], '@');
	char spec[2048];
	bool nearest = false;

	if (!one || !other || strcmp(one, other) != 0 || strchr(one, ':'))
		return NULL;
	for (int i = 0; i < cmd_st.given.n; i++)
		nearest = nearest || strcmp(cmd_st.given.v[i], "--nearest") == 0;
	snprintf(spec, sizeof(spec), "%.*s,%s", (int)(one - a->v[0]), a->v[0], a->v[1]);
	guess_begin();
	guess_put(spec, true);
	if (!nearest)
		guess_put("--nearest", true);
	return guess_end(2, -1);
}

const char *
guess_several_specs(int f)
{
	const struct cmd_list *a = &cmd_st.args;

	if (strcmp(cmd_st.c->name, "axt-take") != 0 || f < 2)
		return NULL;
	for (int i = 0; i < f; i++) {
		const char *sign = strpbrk(a->v[i], "=@");

		if (!guess_is_part(a->v[i]) && !(sign && guess_is_file(sign + 1)))
			return NULL;
	}
	if (f == 2 && points_of_one())
		return guess_text;
	guess_from("axt-slice");
	return guess_end(0, -1);
}

/* --by time.month --every month: months of all years, or each month by itself. */
static const char *
either_period(const char *error)
{
	const char *by, *every;
	int b, e;
	char series[1000];

	if (!strstr(error, "labels and periods do not go together"))
		return NULL;
	b = guess_option_at("--by", &by);
	e = guess_option_at("--every", &every);
	if (b < 0 || e < 0)
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put_options(b);
	snprintf(series, sizeof(series), "%.999s", guess_text);
	guess_from(series);
	guess_put(" is a series;", false);
	guess_put(cmd_st.c->name, true);
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put_options(e);
	guess_put(" has a value for each label", false);
	return guess_text;
}

/* axt-to FILE of a format that holds one tensor: the first of several. */
static const char *
one_of_several(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	struct axt_graph *g;
	const char *const *names;
	char one[2048];
	bool put;

	if (strcmp(cmd_st.c->name, "axt-to") != 0 || a->n != 2 ||
	    !strstr(error, " holds one tensor, not ") || strchr(a->v[1], ':'))
		return NULL;
	g = axt_graph_new();
	names = g ? axt_tensors(g, a->v[1]) : NULL;
	put = names && *names;
	if (put)
		snprintf(one, sizeof(one), "%s:%s", a->v[1], *names + (**names == '/'));
	axt_graph_free(g);
	if (!put)
		return NULL;
	guess_begin();
	guess_put(a->v[0], true);
	guess_put(one, true);
	return guess_end(2, -1);
}

/* --over all: all axes are reduced where none is named. */
static const char *
over_all(const char *error)
{
	const char *over = NULL;
	int at = guess_option_at("--over", &over);

	if (at < 0 || strncmp(error, "no axis \"", 9) != 0 || !axt_has_word("all None *", over) ||
	    strcmp(cmd_st.c->name, "axt-reduce") != 0)
		return NULL;
	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put_operand(cmd_st.args.v[i]);
	guess_put_options(at);
	return guess_text;
}

/* axt-append of a tensor without the axis of records, or of records that FILE has already. */
static const char *
no_records(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *of = strstr(error, ", the first operand (");
	char axis[64];

	if (strcmp(cmd_st.c->name, "axt-append") != 0 || a->n == 0)
		return NULL;
	if (strstr(error, "\" is not increasing: ")) {
		guess_from("nothing was appended: records follow those that are in");
		guess_put(a->v[0], true);
		return guess_text;
	}
	if (!of || !strstr(error, " has axes (") || a->n > 2)
		return NULL;
	of = strchr(of, '(') + 1;
	snprintf(axis, sizeof(axis), "%.*s", (int)strcspn(of, ", ("), of);
	guess_from("axt-expand");
	guess_put(axis, true);
	guess_put(a->n == 2 ? a->v[1] : "-", true);
	guess_put(" | axt-append", false);
	guess_put(a->v[0], true);
	guess_put("; axt-slice", false);
	guess_put(axis, true);
	guess_put("=0:1 keeps the axis of a record", false);
	return guess_text;
}

/* axt-onehot 10 FILE: the number of classes, without the axis. */
static const char *
classes_alone(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	char spec[60];

	if (strcmp(cmd_st.c->name, "axt-onehot") != 0 || a->n != 2 ||
	    !strstr(error, " is no AXIS=LEN") || !*a->v[0] ||
	    strspn(a->v[0], "0123456789") != strlen(a->v[0]) || strlen(a->v[0]) > 9)
		return NULL;
	snprintf(spec, sizeof(spec), "class=%s", a->v[0]);
	guess_begin();
	guess_put(spec, true);
	return guess_end(1, -1);
}

const char *
guess_habit(const char *error)
{
	const char *guess = typed_position(error);

	guess = guess ? guess : either_period(error);
	guess = guess ? guess : over_all(error);
	guess = guess ? guess : classes_alone(error);
	guess = guess ? guess : no_records(error);
	return guess ? guess : one_of_several(error);
}

const char *
guess_range_apart(void)
{
	char both[200];
	bool any = false;

	if (strcmp(cmd_st.c->name, "axt-hist") != 0 && strcmp(cmd_st.c->name, "axt-plot") != 0)
		return NULL;
	guess_begin();
	for (int i = 1; i < cmd_st.argc; i++) {
		const char *w = cmd_st.argv[i], *lo = i + 1 < cmd_st.argc ? cmd_st.argv[i + 1] : "",
			   *hi = i + 2 < cmd_st.argc ? cmd_st.argv[i + 2] : "";

		guess_put(w, true);
		if (strcmp(w, "--range") != 0 || !axt_is_number(lo) || !axt_is_number(hi))
			continue;
		snprintf(both, sizeof(both), "%.90s,%.90s", lo, hi);
		guess_put(both, true);
		i += 2;
		any = true;
	}
	return any ? guess_text : NULL;
}

/* Whether that very word of the line is an operand, and no value of an option. */
static bool
is_operand(const char *word)
{
	for (int i = 0; i < cmd_st.args.n; i++)
		if (cmd_st.args.v[i] == word)
			return true;
	return false;
}

const char *
guess_without_numbers(void)
{
	guess_begin();
	for (int i = 1; i < cmd_st.argc; i++)
		if (!axt_is_number(cmd_st.argv[i]) || !is_operand(cmd_st.argv[i]))
			guess_put(cmd_st.argv[i], true);
	return guess_text;
}

const char *
guess_with_units(int i)
{
	static const char *const degrees[][2] = { { "C", "degC" }, { "F", "degF" },
		{ "\xc2\xb0"
		  "C",
		    "degC" },
		{ "\xc2\xb0"
		  "F",
		    "degF" } };
	const struct cmd_list *a = &cmd_st.args;
	const char *w = a->v[i], *file = NULL, *units;
	struct axt_graph *g;
	const struct axt_expr *e;
	struct axt_values v;
	char plain[64], *end;
	bool same;

	strtod(w, &end);
	if (end == w || !(isalpha((unsigned char)*end) || (unsigned char)*end >= 0x80) ||
	    strlen(w) > 40 || strchr(w, '.') > end)
		return NULL;
	for (int k = cmd_st.nwords; k < a->n && !file; k++)
		file = k != i && guess_is_file(a->v[k]) ? a->v[k] : NULL;
	snprintf(plain, sizeof(plain), "%.*s", (int)(end - w), w);
	for (size_t k = 0; k < sizeof(degrees) / sizeof(degrees[0]); k++)
		if (strcmp(end, degrees[k][0]) == 0)
			end = (char *)degrees[k][1];
	g = file ? axt_graph_new() : NULL;
	e = g ? guess_open_first(g, file) : NULL;
	same = e && axt_expr_attr(e, NULL, "units", &v) && v.dtype == AXT_DTYPE_AUTO && v.n > 0;
	units = same ? *(const char *const *)v.data : "";
	if (same && strcmp(units, end) == 0) {
		guess_begin();
		for (int k = 0; k < a->n; k++)
			guess_put(k == i ? plain : a->v[k], true);
		guess_end(a->n, -1);
	} else if (same) {
		guess_from("axt-convert --to");
		guess_put(end, true);
		guess_put(file, true);
		guess_put(" | ", false);
		guess_put(cmd_st.c->name, false);
		for (int k = 0; k < a->n; k++)
			guess_put(k == i ? plain : a->v[k] == file ? "-" : a->v[k], true);
		guess_end(a->n, -1);
	}
	axt_graph_free(g);
	return same ? guess_text : NULL;
}
