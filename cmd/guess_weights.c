/*
 * guess_weights.c - hints about weights: words, bounds and expressions that mean the areas of
 * cells, and expressions, which axt-calc takes.
 */
#include <string.h>

#include "guess.h"

/* Copies an expression of weights, with radians() around a latitude that is in cos() alone. */
static void
in_radians(const char *typed, char *out, size_t size)
{
	static const char call[] = "cos(";
	const char *at = strstr(typed, call), *arg = at ? at + strlen(call) : NULL;
	size_t n = arg ? strcspn(arg, "()+-*/ ") : 0;

	if (arg && n > 0 && arg[n] == ')' && strncmp(arg, "lat", 3) == 0) {
		snprintf(out, size, "%.*sradians(%s)%s", (int)(arg - typed), typed,
		    guess_axis("lat"), arg + n);
	} else {
		snprintf(out, size, "%s", typed);
	}
}

/* Whether the word means the areas of cells, as cos, coslat, sqrt(cos(lat)) and lat_bnds do. */
static bool
means_area(const char *word)
{
	static const char words[] = "lat latitude LAT nav_lat gw wgt wgts weight weights dA da "
				    "dxdy";
	static const char *const parts[] = { "area", "Area", "AREA", "lat_bnds", "lon_bnds",
		"lat_bounds", "lon_bounds", "bounds_lat", "lat_vertices" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(word, parts[i]))
			return true;
	/* cos(time) is no area, and mask*cos(lat) is more than that */
	return axt_has_word(words, word) ||
	    (strstr(word, "cos") && !strstr(word, "time") && !strchr(word, '*'));
}

/* Whether the file of an operand has a tensor of that name, which the weights may be. */
static bool
has_weights(const char *name)
{
	char file[2048];

	for (int i = 0; i < cmd_st.args.n; i++) {
		const char *w = cmd_st.args.v[i];

		snprintf(file, sizeof(file), "%.*s", (int)strcspn(w, ":"), w);
		if (guess_is_file(file) && guess_has_tensor(file, name))
			return true;
	}
	return false;
}

/* Whether a list of axes has one that is usually called so. */
static bool
lists(const char *axes, const char *usual)
{
	const char *own = guess_axis(usual), *at = strstr(axes, own);

	return at && (at == axes || at[-1] == ',') && strchr(",", at[strlen(own)]);
}

/* --weights 'cos(lat)*mask': expressions are for axt-calc. */
static const char *
computed(const char *weights, int at)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *over = NULL, *file = a->n > 1 ? a->v[1] : "", *tensor;
	int of = guess_option_at("--over", &over);
	char expr[600], in[300];
	size_t n;

	if (strcmp(cmd_st.c->name, "axt-reduce") != 0 || !strchr(weights, '(') ||
	    !guess_is_file(file))
		return NULL;
	tensor = strchr(file, ':') ? strchr(file, ':') + 1 : NULL;
	if (!tensor || of < 0 ||
	    strspn(tensor,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
		"YZ_0123456789") != strlen(tensor))
		return NULL;
	in_radians(weights, in, sizeof(in));
	snprintf(expr, sizeof(expr), "%s(%s, over=(%s), weights=%s)", a->v[0], tensor, over, in);
	guess_from("axt-calc");
	guess_put(expr, true);
	n = strcspn(file, ":");
	snprintf(expr, sizeof(expr), "%.*s", (int)n, file);
	guess_put(expr, true);
	for (int i = 0; i < cmd_st.given.n; i++)
		if (i == at || i == of)
			i += !strchr(cmd_st.given.v[i], '=');
		else
			guess_put(cmd_st.given.v[i], true);
	return guess_text;
}

/* The line with --weights area. NULL: no latitude or longitude is reduced. */
static const char *
by_area(int at)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *over = NULL;
	bool joined = strchr(o->v[at], '=') != NULL;

	if (strcmp(cmd_st.c->name, "axt-reduce") == 0 && guess_option_at("--over", &over) >= 0 &&
	    strchr(over, '=') == NULL && !lists(over, "lat") && !lists(over, "lon") &&
	    guess_has_axis(a->v[a->n - 1], guess_axis("lat")))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++)
		guess_put_operand(a->v[i]);
	for (int i = 0; i < o->n; i++)
		guess_put(i != at + !joined ? o->v[i] : joined ? "--weights=area" : "area", true);
	return guess_text;
}

const char *
guess_weights(const char *error)
{
	const char *weights = NULL, *name, *guess = NULL;
	int at = guess_option_at("--weights", &weights);
	bool missing, bounds;

	if (at < 0 ||
	    (strcmp(cmd_st.c->name, "axt-reduce") != 0 && strcmp(cmd_st.c->name, "axt-eof") != 0))
		return NULL;
	missing = strncmp(error, weights, strlen(weights)) == 0 && strstr(error, ": No such file");
	bounds = strstr(error, "the weights have the axis \"") && strstr(weights, "bnds");
	name = strchr(weights, ':') ? strchr(weights, ':') + 1 : weights;
	if (!missing && !bounds)
		return NULL;
	if (means_area(name) && !has_weights(name))
		guess = by_area(at);
	return guess || bounds ? guess : computed(weights, at);
}
