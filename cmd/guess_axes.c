/*
 * guess_axes.c - hints about axes: what the file itself calls them, their numbers, and lists of
 * them as other tools write them.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guess.h"

struct axt_expr *
guess_open_first(struct axt_graph *g, const char *operand)
{
	const char *const *names = g && !strchr(operand, ':') ? axt_tensors(g, operand) : NULL;
	char both[2048];

	snprintf(both, sizeof(both), names && *names ? "%s:%s" : "%s", operand,
	    names && *names ? *names : "");
	return g ? axt_open(g, both, NULL) : NULL;
}

int64_t
guess_axis_length(const char *operand, const char *name)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	int64_t len = -1;

	for (int i = 0; e && len < 0 && i < axt_expr_rank(e); i++)
		if (strcmp(axt_expr_axis(e, i), name) == 0)
			len = axt_expr_len(e, i);
	axt_graph_free(g);
	return len;
}

bool
guess_has_axis(const char *operand, const char *name)
{
	return guess_axis_length(operand, name) >= 0;
}

bool
guess_own_axis(const char *operand, const char *usual, char own[64])
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	const char *meaning = guess_meaning_of(usual);
	int best = 0;

	for (int i = 0; e && i < axt_expr_rank(e); i++) {
		const char *name = axt_expr_axis(e, i);
		const char *by_units = guess_meaning_by_units(e, i);
		size_t n = strlen(name) < strlen(usual) ? strlen(name) : strlen(usual);
		int good = strcmp(name, usual) == 0 ? 4
		    : strcasecmp(name, usual) == 0  ? 3
		    : n >= 3 && strncasecmp(name, usual, n) == 0
		    ? 2
		    : by_units && strcmp(by_units, meaning) == 0;

		if (good > best && strlen(name) < 64) {
			snprintf(own, 64, "%s", name);
			best = good;
		}
	}
	axt_graph_free(g);
	return best > 0;
}

const char *
guess_axis(const char *usual)
{
	static char own[64];

	for (int i = 0; i < cmd_st.args.n; i++)
		if (guess_is_file(cmd_st.args.v[i]))
			return guess_own_axis(cmd_st.args.v[i], usual, own) ? own : usual;
	return usual;
}

static void
put_own_axes(char *line, size_t size, const char *operand)
{
	static const char *const usual[] = { "time", "lat", "lon", "lev" };
	size_t len;
	char own[64], rest[1500];

	if (strncmp(line, "axt-calc", 8) == 0)
		return;
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		len = strlen(usual[i]);
		if (!guess_own_axis(operand, usual[i], own) || strcmp(own, usual[i]) == 0)
			continue;
		for (char *p = line; (p = strstr(p, usual[i])); p += len) {
			bool field = p[len] == '.' &&
			    (!strncmp(p - 5, "--by ", 5) || !strncmp(p - 6, "split ", 6) ||
				!strncmp(p - 6, "slice ", 6));

			if (p == line || !strchr(" ,", p[-1]) ||
			    (p[len] && !strchr(" ,=@", p[len]) && !field))
				continue;
			snprintf(rest, sizeof(rest), "%s", p + len);
			if ((size_t)(p - line) + strlen(own) + strlen(rest) < size)
				sprintf(p, "%s%s", own, rest);
		}
	}
}

/* The years of the first and last date along the operand's axis; false: it has no such dates. */
static bool
years_of(const char *operand, const char *axis, int *first, int *last)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	const char *from = NULL, *to = NULL;

	for (int i = 0; e && i < axt_expr_rank(e); i++)
		if (strcmp(axt_expr_axis(e, i), axis) == 0) {
			from = axt_expr_coord_text(g, e, i, 0);
			to = axt_expr_coord_text(g, e, i, axt_expr_len(e, i) - 1);
		}
	*first = from && strchr(from, '-') ? atoi(from) : 0;
	*last = to && strchr(to, '-') ? atoi(to) : 0;
	axt_graph_free(g);
	return *first > 999 && *last >= *first && *last < 10000;
}

/* Dates of 2001 in a line become those of the operand's last year, unless it has 2001. */
static void
put_own_years(char *line, const char *operand)
{
	static const char year[] = "2001";
	char axis[64], own[16];
	int first, last;

	if (!strstr(line, year) || !guess_own_axis(operand, "time", axis) ||
	    !years_of(operand, axis, &first, &last) || (first <= 2001 && last >= 2001))
		return;
	snprintf(own, sizeof(own), "%04d", last);
	for (char *p = line; (p = strstr(p, axis)); p += strlen(axis)) {
		char *end = p + strcspn(p, " ");

		if (p[strlen(axis)] != '@')
			continue;
		for (char *at = p; (at = strstr(at, year)) && at < end;)
			memcpy(at, own, 4);
	}
}

void
cmd_own_axes(char *line, size_t size, int n, char *const v[])
{
	for (int i = 0; i < n; i++)
		if (guess_is_file(v[i])) {
			if (strstr(line, v[i])) {
				put_own_axes(line, size, v[i]);
				put_own_years(line, v[i]);
			}
			return;
		}
}

bool
guess_numbered_axes(const char *operand, const char *numbers, char *out, size_t n)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	int rank = e ? axt_expr_rank(e) : 0;
	bool all = rank > 0;
	size_t used = 0;

	for (const char *p = numbers; all && *p;) {
		char *rest;
		long k = strtol(p, &rest, 10);

		all = rest != p && k >= -rank && k < rank && (*rest == ',' || !*rest);
		if (all && used < n)
			used += (size_t)snprintf(out + used, n - used, "%s%s", used ? "," : "",
			    axt_expr_axis(e, (int)(k < 0 ? k + rank : k)));
		p = rest + (*rest == ',');
	}
	axt_graph_free(g);
	return all && used > 0 && used < n;
}

/*
 * The axes of a dataset of the operand's file that are all axes of the operand too, such as "y,x"
 * for coordinates in two dimensions; false: there is none, or it has other axes.
 */
static bool
axes_of_dataset(const char *operand, const char *name, char *out, size_t size)
{
	struct axt_graph *g = axt_graph_new();
	char both[2048];
	const struct axt_expr *e;
	bool all;
	size_t n = 0;

	snprintf(both, sizeof(both), "%.*s:%s", (int)strcspn(operand, ":"), operand, name);
	e = g ? axt_open(g, both, NULL) : NULL;
	all = e && !axt_graph_error(g) && axt_expr_rank(e) > 0;
	for (int i = 0; all && i < axt_expr_rank(e); i++) {
		all = guess_has_axis(operand, axt_expr_axis(e, i)) &&
		    strncmp(axt_expr_axis(e, i), "dim_", 4) != 0;
		if (n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "," : "",
			    axt_expr_axis(e, i));
	}
	axt_graph_free(g);
	return all && n < size;
}

/*
 * Writes what the operand calls each axis of a list: "lat" for "latitude", the axes of a dataset
 * for its name. false: one is not known.
 */
static bool
own_axes(const char *operand, const char *list, char *out, size_t size)
{
	char name[512], own[512];
	size_t n = 0;

	for (const char *p = list; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, ","), p);
		if (guess_has_axis(operand, name))
			snprintf(own, sizeof(own), "%s", name);
		else if (!axes_of_dataset(operand, name, own, sizeof(own)) &&
		    !guess_own_axis(operand, name, own))
			return false;
		/* lat and lon may both have the axes y and x */
		for (char *s = own, *rest = NULL; s; s = rest) {
			size_t len = strcspn(s, ",");
			const char *there = out;

			rest = s[len] ? s + len + 1 : NULL;
			while (n > 0 && there &&
			    (strncmp(there, s, len) != 0 || (there[len] && there[len] != ',')))
				there = strchr(there, ',') ? strchr(there, ',') + 1 : NULL;
			if ((n == 0 || !there) && n < size)
				n += (size_t)snprintf(out + n, size - n, "%s%.*s", n ? "," : "",
				    (int)len, s);
		}
	}
	return n > 0 && n < size;
}

/*
 * The axes that a list of another language means, as "lat lon", ["lat","lon"], lat+lon and -1, or
 * of other names; false: it is no such list, or the operand has other axes.
 */
static bool
read_list(const char *operand, const char *typed, char *out, size_t size)
{
	static const char *const words[] = { "axis=", "axes=", "dim=", "dims=" };
	char list[512];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(typed, words[i], strlen(words[i])) == 0)
			typed += strlen(words[i]);
	for (const char *p = typed; *p && n + 1 < sizeof(list); p++)
		if (strchr(" ,:;+/", *p)) {
			if (n > 0 && list[n - 1] != ',')
				list[n++] = ',';
		} else if (!strchr("[](){}\"'", *p)) {
			list[n++] = *p;
		}
	n -= n > 0 && list[n - 1] == ',';
	list[n] = '\0';
	if (n == 0 || guess_numbered_axes(operand, list, out, size))
		return n > 0;
	return own_axes(operand, list, out, size) && strcmp(out, typed) != 0;
}

bool
guess_axes_read(const char *operand, const char *typed, char *out, size_t size)
{
	char one[200];
	size_t n;
	bool same = true;

	for (const char *p = typed; same && *p; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		snprintf(one, sizeof(one), "%.*s", (int)n, p);
		same = guess_has_axis(operand, one);
	}
	if (same)
		snprintf(out, size, "%s", typed);
	return same || read_list(operand, typed, out, size);
}

const char *
guess_no_axis(const char *operand, const char *typed)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);

	guess_from(cmd_name(operand));
	guess_put(" has no axis \"", false);
	guess_put(cmd_name(typed), false);
	guess_put("\" (", false);
	for (int i = 0; e && i < axt_expr_rank(e); i++) {
		guess_put(i ? ", " : "", false);
		guess_put(cmd_name(axt_expr_axis(e, i)), false);
	}
	guess_put(")", false);
	axt_graph_free(g);
	return e ? guess_text : NULL;
}

/* Whether the option of this name, with its dashes, takes axes of operands that are there. */
static bool
takes_axes(const char *option, size_t n)
{
	static const char *const names[] = { "over", "along", "to", "row", "col", "axes" };

	if (n < 3 || strncmp(option, "--", 2) != 0 ||
	    (strncmp(option, "--to", n) == 0 && strcmp(cmd_st.c->name, "axt-reduce") != 0))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n - 2 && strncmp(option + 2, names[i], n - 2) == 0)
			return true;
	return false;
}

/* Whether the i-th word is a list of axes of the operands. */
static bool
is_list_of_axes(int i)
{
	const char *const *words = cmd_st.c->words;

	return i < cmd_st.nwords && i < 4 && words[i] &&
	    (strcmp(words[i], "AXES") == 0 || strcmp(words[i], "AXIS") == 0) &&
	    strcmp(cmd_st.c->name, "axt-stack") != 0 && strcmp(cmd_st.c->name, "axt-coord") != 0;
}

const char *
guess_chunks(const char *error)
{
	const char *lengths = cmd_st.o.chunk, *axis;
	char numbers[100] = "", axes[512];
	int n = 0, f = 0;

	if (!lengths || !strstr(error, "axis ") || lengths[strspn(lengths, "0123456789,")] != '\0')
		return NULL;
	while (f < cmd_st.args.n && !guess_is_file(cmd_st.args.v[f]))
		f++;
	for (const char *p = lengths; p && n < 20; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		n += snprintf(numbers + strlen(numbers), sizeof(numbers) - strlen(numbers), "%s%d",
			 n ? "," : "", n) > 0;
	if (f == cmd_st.args.n ||
	    !guess_numbered_axes(cmd_st.args.v[f], numbers, axes, sizeof(axes)))
		return NULL;
	guess_from("--chunk ");
	axis = axes;
	for (int i = 0; i < n; i++) {
		char one[300];

		snprintf(one, sizeof(one), "%s%.*s=%.*s", i ? "," : "", (int)strcspn(axis, ","),
		    axis, (int)strcspn(lengths, ","), lengths);
		guess_put(one, false);
		axis += strcspn(axis, ",") + (axis[strcspn(axis, ",")] == ',');
		lengths += strcspn(lengths, ",") + (lengths[strcspn(lengths, ",")] == ',');
	}
	return guess_text;
}

const char *
guess_list_of_axes(const char *error)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	bool any = false;
	int f = 0;
	char axes[512], both[600];

	if (!strstr(error, "axis name") && !strstr(error, "no axis \"") &&
	    !strstr(error, " takes no length here"))
		return NULL;
	while (f < a->n && !guess_is_file(a->v[f]))
		f++;
	if (f == a->n)
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++) {
		bool list = is_list_of_axes(i) && read_list(a->v[f], a->v[i], axes, sizeof(axes));

		guess_put(list ? axes : a->v[i], true);
		any = any || list;
	}
	for (int i = 0; i < o->n; i++) {
		const char *w = o->v[i], *before = i > 0 ? o->v[i - 1] : "";
		const char *eq = strchr(w, '=');
		bool option = takes_axes(before, strlen(before));
		bool joined = eq && takes_axes(w, (size_t)(eq - w));

		if ((!option && !joined) ||
		    !read_list(a->v[f], joined ? eq + 1 : w, axes, sizeof(axes)) ||
		    (strncmp(joined ? w : before, "--along", 7) == 0 && strchr(axes, ','))) {
			guess_put(w, true);
			continue;
		}
		any = true;
		snprintf(both, sizeof(both), "%.*s", joined ? (int)(eq - w) : 0, w);
		if (joined)
			guess_put(both, true);
		guess_put(axes, true);
	}
	return any ? guess_text : NULL;
}

/* Whether all axes of the operand have the names dim_0, dim_1, ..., which stand for none. */
static bool
has_no_names(const char *operand, int *rank)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = guess_open_first(g, operand);
	bool none = e && !axt_graph_error(g) && axt_expr_rank(e) > 0;

	*rank = none ? axt_expr_rank(e) : 0;
	for (int i = 0; i < *rank; i++) {
		char name[24];

		snprintf(name, sizeof(name), "dim_%d", i);
		none = none && strcmp(axt_expr_axis(e, i), name) == 0;
	}
	axt_graph_free(g);
	return none;
}

/*
 * Writes names for that many axes, such as t,y,x, with those of the list among them: a name that is
 * not usual stands first. false: the list has too many.
 */
static bool
names_with(const char *list, int rank, char *out, size_t size)
{
	static const char usual[][2] = { "t", "z", "y", "x" };
	char name[64], names[4][64];
	int at = 0;
	size_t used = 0;

	if (rank > 4)
		return false;
	for (int i = 0; i < rank; i++) /* t, y, x of three */
		snprintf(names[i], sizeof(names[i]), "%s",
		    usual[rank == 3 && i == 0 ? 0 : 4 - rank + i]);
	for (const char *p = list; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
		bool known = false;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, ","), p);
		for (int i = 0; i < rank; i++)
			known = known || strcmp(names[i], name) == 0;
		if (known)
			continue;
		if (at == rank || strpbrk(name, "=@:") || strncmp(name, "dim_", 4) == 0)
			return false;
		snprintf(names[at++], sizeof(names[0]), "%s", name);
	}
	for (int i = 0; i < rank; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", names[i]);
	return true;
}

const char *
guess_unnamed(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *axes = NULL, *w = a->n == cmd_st.nwords + 1 ? a->v[a->n - 1] : "";
	char names[300];
	int rank;

	if (!strstr(error, "no axis \"") || strcmp(cmd_st.c->name, "axt-cast") == 0 ||
	    (guess_option_at("--over", &axes) < 0 && guess_option_at("--along", &axes) < 0 &&
		guess_option_at("--to", &axes) < 0) ||
	    !guess_is_file(w) || !has_no_names(w, &rank) ||
	    !names_with(axes, rank, names, sizeof(names)))
		return NULL;
	guess_from("axt-cast --to");
	guess_put(names, true);
	guess_put(w, true);
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(a->v[i], true);
	return guess_end(a->n, -1);
}

const char *
cmd_guess_numbers(const char *near, int i, int argc, char *const argv[])
{
	const char *value = strchr(argv[i], '=');
	bool one = value != NULL;
	char axes[512];

	value = one ? value + 1 : i + 1 < argc ? argv[i + 1] : "";
	if ((strcmp(near, "over") != 0 && strcmp(near, "along") != 0) || !*value ||
	    strspn(value, "-0123456789,") != strlen(value))
		return NULL;
	for (int k = 1; k < argc; k++) {
		if (!guess_is_file(argv[k]) ||
		    !guess_numbered_axes(argv[k], value, axes, sizeof(axes)))
			continue;
		guess_begin();
		for (k = 1; k < argc; k++)
			if (k == i) {
				guess_put("--", true);
				guess_put(near, false);
				guess_put(axes, true);
				k += !one;
			} else {
				guess_put(argv[k], true);
			}
		return guess_text;
	}
	return NULL;
}
