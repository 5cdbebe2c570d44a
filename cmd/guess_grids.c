/*
 * guess_grids.c - hints about tensors on other grids: which axes differ, and the line that
 * interpolates one tensor to the grid of the other first.
 */
#include <ctype.h>
#include <string.h>

#include "guess.h"

static double
number(const struct axt_values *v, int64_t i)
{
	return v->dtype == AXT_F32 ? ((const float *)v->data)[i] : ((const double *)v->data)[i];
}

/* Whether the coordinates are numbers along a place: floats, and no dates. */
static bool
is_place(const struct axt_expr *e, int i, struct axt_values *v)
{
	struct axt_values units;
	const char *name = axt_expr_axis(e, i);

	if (!axt_expr_coord(e, i, v) || (v->dtype != AXT_F32 && v->dtype != AXT_F64))
		return false;
	return !axt_expr_attr(e, name, "units", &units) || units.dtype != AXT_DTYPE_AUTO ||
	    units.n < 1 || !strstr(*(const char *const *)units.data, " since ");
}

/*
 * Writes the axes with coordinates that both tensors have and where these differ, such as
 * "lat,lon"; false: there is none, or it is not known.
 */
static bool
differing_axes(const char *one, const char *other, char *out, size_t size)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *a = g ? axt_open(g, one, NULL) : NULL;
	const struct axt_expr *b = g ? axt_open(g, other, NULL) : NULL;
	struct axt_values v, w;
	size_t n = 0;
	bool known = g && !axt_graph_error(g);

	for (int i = 0; known && i < axt_expr_rank(a); i++)
		for (int k = 0; k < axt_expr_rank(b); k++) {
			bool same = true;

			if (strcmp(axt_expr_axis(a, i), axt_expr_axis(b, k)) != 0 ||
			    !is_place(a, i, &v) || !is_place(b, k, &w))
				continue;
			same = v.n == w.n;
			for (int64_t x = 0; same && x < v.n; x++)
				same = number(&v, x) == number(&w, x);
			if (!same && n < size)
				n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "," : "",
				    axt_expr_axis(a, i));
		}
	axt_graph_free(g);
	return n > 0 && n < size;
}

/* Whether the operand, as typed, is the tensor FILE:DATASET or means it among others. */
static bool
means(const char *typed, const char *tensor)
{
	size_t n = strcspn(typed, ":");

	if (strcmp(typed, tensor) == 0)
		return true;
	return strncmp(typed, tensor, n) == 0 && tensor[n] == ':' &&
	    (typed[n] == '\0' || strpbrk(typed + n, "*?,"));
}

/* Takes FILE:A and FILE:B out of "axis "lat" has length 12 in FILE:A and 9 in FILE:B". */
static bool
of_lengths(const char *error, char one[1024], char other[1024])
{
	static const char before[] = " has length ";
	const char *from = strstr(error, before), *to = from ? strstr(from, " in ") : NULL;
	const char *mid = to ? strstr(to, " and ") : NULL, *end = mid ? strstr(mid, " in ") : NULL;

	if (!end || strncmp(error, "axis \"", 6) != 0)
		return false;
	snprintf(one, 1024, "%.*s", (int)(mid - to - 4), to + 4);
	snprintf(other, 1024, "%s", end + 4);
	if (strstr(other, " at character "))
		*strstr(other, " at character ") = '\0';
	return guess_is_file(one) && guess_is_file(other);
}

const char *
guess_two_variables(const char *error)
{
	char one[1024], other[1024], *a, *b;

	if (strcmp(cmd_st.c->name, "axt-concat") != 0 || !of_lengths(error, one, other))
		return NULL;
	a = strchr(one, ':');
	b = strchr(other, ':');
	if (!a || !b || strcmp(a, b) == 0)
		return NULL;
	guess_from("files of one variable are put end to end; ");
	guess_put(a + 1, false);
	guess_put(" and ", false);
	guess_put(b + 1, false);
	guess_put(" are two", false);
	return guess_text;
}

/* axis "lat" has length 12 in A and 9 in B: B is interpolated to the grid of A. */
const char *
guess_other_grid(const char *error)
{
	const struct cmd_list *a = cmd_st.unsplit.n > 0
	    ? &cmd_st.unsplit
	    : &cmd_st.args; /* axt-calc has NAME=OPERAND */
	char one[1024], other[1024], axes[300], word[4096];
	bool put = false, whole;
	const char *typed;

	if (!of_lengths(error, one, other) || !differing_axes(one, other, axes, sizeof(axes)))
		return NULL;
	for (int pass = 0; pass < 2; pass++) {
		for (int i = pass == 0 ? cmd_st.nwords : 0; i < a->n; i++) {
			const char *eq = cmd_st.unsplit.n > 0 ? strchr(a->v[i], '=') : NULL;

			typed = eq ? eq + 1 : a->v[i];
			if (strcmp(typed, "-") == 0)
				return NULL;
			whole = strpbrk(typed, "*?,") != NULL;
			if (i < cmd_st.nwords || !means(typed, other) || means(typed, one) ||
			    (cmd_st.unsplit.n > 0 && !eq)) {
				if (pass == 1)
					guess_put(a->v[i], true);
				continue;
			}
			if (pass == 0) {
				guess_from("axt-interp");
				if (cmd_st.o.each)
					guess_put("--each", true);
				snprintf(word, sizeof(word), "%s=%s", axes, one);
				guess_put(word, true);
				guess_put(typed, true);
				guess_put(" | ", false);
				guess_put(cmd_st.c->name, false);
				put = true;
				break;
			}
			snprintf(word, sizeof(word), "%.*s-%s", eq ? (int)(eq + 1 - a->v[i]) : 0,
			    a->v[i], whole ? strchr(typed, ':') : "");
			guess_put(word, true);
		}
		if (!put)
			return NULL;
	}
	return guess_end(cmd_st.args.n, -1);
}

/* axt-interp GRID.nc A.nc: the file whose grid is meant stands behind axes. */
/*
 * Writes AXES=FILE:DATASET for the axes of the operand that have other coordinates in the file
 * `grid`; false: there are none.
 */
static bool
axes_of_grid(const char *grid, const char *operand, char *out, size_t size)
{
	const char *const *names, *name;
	struct axt_graph *g = axt_graph_new();
	char one[1024], other[1024], axes[300] = "";

	names = g && !strchr(operand, ':') ? axt_tensors(g, operand) : NULL;
	snprintf(other, sizeof(other), names && *names ? "%s:%s" : "%s", operand,
	    names && *names ? *names + (**names == '/') : "");
	names = g && !strchr(grid, ':') ? axt_tensors(g, grid) : NULL;
	name = strchr(other, ':') ? strchr(other, ':') + 1 : "";
	if (names && !guess_has_tensor(grid, name))
		name = *names ? *names + (**names == '/') : "";
	snprintf(one, sizeof(one), names && *name ? "%s:%s" : "%s", grid, name);
	axt_graph_free(g);
	return differing_axes(one, other, axes, sizeof(axes)) &&
	    snprintf(out, size, "%s=%s", axes, one) < (int)size;
}

const char *
guess_grid_of(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	char word[1400];

	if (strcmp(cmd_st.c->name, "axt-interp") != 0 || a->n != 2 || !guess_is_file(a->v[0]) ||
	    !guess_is_file(a->v[1]) ||
	    (!strstr(error, " is not AXIS=TARGETS") && !strstr(error, " holds several tensors")) ||
	    !axes_of_grid(a->v[0], a->v[1], word, sizeof(word)))
		return NULL;
	guess_begin();
	guess_put(word, true);
	return guess_end(1, -1);
}

const char *
guess_grid_option(const char *grid, int i, bool joined, int argc, char *const argv[])
{
	char word[1400];
	bool found = false;

	for (int k = 1; k < argc && !found && guess_is_file(grid); k++)
		found = k != i && (joined || k != i + 1) && guess_is_file(argv[k]) &&
		    axes_of_grid(grid, argv[k], word, sizeof(word));
	if (!found)
		return "axt-interp lat,lon=b.nc:tas a.nc:tas, or lat=-90:90:2 lon=0:358:2";
	guess_begin();
	guess_put(word, true);
	for (int k = 1; k < argc; k++)
		if (k != i && (joined || k != i + 1))
			guess_put(argv[k], true);
	return guess_text;
}

/* ---- axes that mean the same and have other names ---- */

const char *
guess_meaning_of(const char *name)
{
	static const char *const same[][2] = { { "lat latitude nav_lat y_lat rlat",
						   "degrees_north" },
		{ "lon longitude nav_lon x_lon rlon", "degrees_east" },
		{ "time Time TIME t", "time" } };

	for (size_t k = 0; k < sizeof(same) / sizeof(same[0]); k++)
		if (axt_has_word(same[k][0], name))
			return same[k][1];
	return name;
}

const char *
guess_meaning_by_units(const struct axt_expr *e, int i)
{
	struct axt_values v;
	const char *units;

	if (!axt_expr_attr(e, axt_expr_axis(e, i), "units", &v) || v.dtype != AXT_DTYPE_AUTO ||
	    v.n < 1)
		return NULL;
	units = *(const char *const *)v.data;
	return strstr(units, " since ")           ? "time"
	    : strcmp(units, "degrees_north") == 0 ? "degrees_north"
	    : strcmp(units, "degrees_east") == 0  ? "degrees_east"
						  : NULL;
}

const char *
guess_meaning(const struct axt_expr *e, int i)
{
	const char *meaning = guess_meaning_by_units(e, i);

	return meaning ? meaning : guess_meaning_of(axt_expr_axis(e, i));
}

static bool
has_axis(const struct axt_expr *e, const char *name)
{
	for (int i = 0; i < axt_expr_rank(e); i++)
		if (strcmp(axt_expr_axis(e, i), name) == 0)
			return true;
	return false;
}

static bool
same_coordinates(const struct axt_expr *a, int i, const struct axt_expr *b, int k)
{
	struct axt_values v, w;

	if (axt_expr_len(a, i) != axt_expr_len(b, k))
		return false;
	if (!is_place(a, i, &v) || !is_place(b, k, &w))
		return true;
	for (int64_t x = 0; x < v.n; x++)
		if (number(&v, x) != number(&w, x))
			return false;
	return true;
}

/*
 * Writes the axes of b that mean what axes of a do, which b lacks, as "lat=latitude,lon=longitude",
 * and those of them whose coordinates differ.
 */
static bool
other_names(const char *a, const char *b, char *pairs, char *differ, size_t size)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *x = guess_open_first(g, a), *y = x ? guess_open_first(g, b) : NULL;
	size_t n = 0, m = 0;

	for (int k = 0; y && k < axt_expr_rank(y); k++)
		for (int i = 0; i < axt_expr_rank(x); i++) {
			const char *one = axt_expr_axis(x, i), *other = axt_expr_axis(y, k);

			if (has_axis(x, other) || has_axis(y, one) || n >= size || m >= size ||
			    strcmp(guess_meaning(x, i), guess_meaning(y, k)) != 0)
				continue;
			n += (size_t)snprintf(pairs + n, size - n, "%s%s=%s", n ? "," : "", other,
			    one);
			if (!same_coordinates(x, i, y, k))
				m += (size_t)snprintf(differ + m, size - m, "%s%s", m ? "," : "",
				    one);
		}
	axt_graph_free(g);
	return n > 0 && n < size && m < size;
}

bool
guess_renaming(const char *a, const char *b, char *pairs, size_t size)
{
	char differ[400];

	*pairs = '\0';
	return size <= sizeof(differ) && other_names(a, b, pairs, differ, size);
}

/* axt-calc of NAME=A NAME=B: the second name in the expression gets the names of A's axes. */
static const char *
other_names_in(const char *expr, const char *one, const char *other)
{
	const char *x = strchr(one, '='), *y = strchr(other, '=');
	char pairs[400] = "", differ[400] = "", name[100], text[1400];
	size_t len, n = 0;

	if (!x || !y || !guess_is_file(x + 1) || !guess_is_file(y + 1) || y - other >= 100 ||
	    !other_names(x + 1, y + 1, pairs, differ, sizeof(pairs)))
		return NULL;
	len = (size_t)(y - other);
	snprintf(name, sizeof(name), "%.*s", (int)len, other);
	for (const char *p = expr; *p && n < sizeof(text);) {
		bool here = strncmp(p, name, len) == 0 &&
		    (p == expr || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')) &&
		    !(isalnum((unsigned char)p[len]) || p[len] == '_');

		n += (size_t)snprintf(text + n, sizeof(text) - n, here ? "rename(%s, %s)" : "%.1s",
		    here ? name : p, pairs);
		p += here ? len : 1;
	}
	if (n >= sizeof(text))
		return NULL;
	guess_begin();
	guess_put(text, true);
	guess_put(one, true);
	guess_put(other, true);
	for (int i = 0; i < cmd_st.given.n; i++)
		guess_put(cmd_st.given.v[i], true);
	return guess_text;
}

/* Ends a line whose result is the last operand of what was typed. */
static const char *
end_piped(void)
{
	const struct cmd_list *a = &cmd_st.args;

	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < a->n - 1; i++)
		guess_put(a->v[i], true);
	guess_put("-", true);
	return guess_end(a->n, -1);
}

/* A matrix without names of axes, as long as the last axes of the other: it gets their names. */
static const char *
named_as_last(const struct cmd_list *a)
{
	struct axt_graph *g = axt_graph_new();
	const char *one = a->v[a->n - 2], *other = a->v[a->n - 1];
	const struct axt_expr *x = guess_open_first(g, one),
			      *y = x ? guess_open_first(g, other) : NULL;
	int rank = y ? axt_expr_rank(y) : 0, more = x ? axt_expr_rank(x) - rank : -1;
	char names[300] = "";
	bool fits = rank > 0 && more >= 0;

	for (int i = 0; fits && i < rank; i++) {
		fits = strncmp(axt_expr_axis(y, i), "dim_", 4) == 0 &&
		    axt_expr_len(y, i) == axt_expr_len(x, i + more);
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%.60s",
		    i ? "," : "", axt_expr_axis(x, i + more));
	}
	axt_graph_free(g);
	if (!fits)
		return NULL;
	guess_from("axt-cast --to");
	guess_put(names, true);
	guess_put(other, true);
	return end_piped();
}

const char *
guess_other_names(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	char pairs[400] = "", differ[400] = "", grid[1400];

	if (cmd_st.unsplit.n == 3 && strstr(error, "this would be an outer product of"))
		return other_names_in(cmd_st.unsplit.v[0], cmd_st.unsplit.v[1],
		    cmd_st.unsplit.v[2]);
	if (a->n - cmd_st.nwords == 2 && cmd_st.nwords <= 1 && cmd_st.unsplit.n == 0 &&
	    strstr(error, "this would be an outer product of") && guess_is_file(a->v[a->n - 2]) &&
	    guess_is_file(a->v[a->n - 1]) && named_as_last(a))
		return guess_text;

	if (a->n - cmd_st.nwords != 2 || cmd_st.nwords > 1 || cmd_st.unsplit.n > 0 ||
	    !strstr(error, "this would be an outer product of") || !guess_is_file(a->v[a->n - 2]) ||
	    !guess_is_file(a->v[a->n - 1]) ||
	    !other_names(a->v[a->n - 2], a->v[a->n - 1], pairs, differ, sizeof(differ)))
		return NULL;
	guess_from("axt-rename");
	guess_put(pairs, true);
	guess_put(a->v[a->n - 1], true);
	if (*differ) {
		snprintf(grid, sizeof(grid), "%s=%s", differ, a->v[a->n - 2]);
		guess_put(" | axt-interp", false);
		guess_put(grid, true);
		guess_put("-", true);
	}
	return end_piped();
}
