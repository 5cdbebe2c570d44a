/*
 * guess_units.c - hints of axt-convert: the tensor of a file that has such units, and water, whose
 * mass on an area is a height.
 */
#include <string.h>

#include "guess.h"

/*
 * Units of water in the other kind: "mm s-1" for "kg m-2 s-1" and back, as the mass of water on an
 * area is its height, 1 mm for each kg m-2.
 */
static bool
as_water(const char *units, char *out, size_t n)
{
	static const char *const areas[] = { "kg m-2", "kg/m2", "kg/m^2", "kg m^-2", "kg m**-2",
		"kg/m**2" };

	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++)
		if (strncmp(units, areas[i], strlen(areas[i])) == 0)
			return snprintf(out, n, "units=mm%s", units + strlen(areas[i])) < (int)n;
	if (strncmp(units, "mm", 2) == 0)
		return snprintf(out, n, "units=kg m-2%s", units + 2) < (int)n;
	return false;
}

const char *
guess_water(const char *error)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *end = strstr(error, "\" (");
	char units[200], attr[220];

	if (!strstr(error, "of water 1 kg m-2 is 1 mm") || strncmp(error, "units \"", 7) != 0 ||
	    !end || strcmp(cmd_st.c->name, "axt-convert") != 0 || a->n != 1)
		return NULL;
	snprintf(units, sizeof(units), "%.*s", (int)(end - error - 7), error + 7);
	if (!as_water(units, attr, sizeof(attr)))
		return NULL;
	guess_from("axt-copy");
	guess_put(a->v[0], true);
	guess_put("--attr", true);
	guess_put(attr, true);
	guess_put(" | axt-convert -", false);
	for (int i = 0; i < o->n; i++)
		guess_put(o->v[i], true);
	return guess_text;
}

/* Whether the tensor can be converted; water: it fails, but as a mass of water for a height. */
static bool
converts(const char *tensor, const char *units, bool *water)
{
	struct axt_graph *g = axt_graph_new();
	const char *error;
	bool done;

	if (!g)
		return false;
	axt_convert(g, axt_open(g, tensor, NULL), units, NULL);
	error = axt_graph_error(g);
	done = !error;
	*water = error && strstr(error, "of water 1 kg m-2 is 1 mm");
	axt_graph_free(g);
	return done;
}

/*
 * Writes FILE:A,B of the tensors whose units can be converted to those, or of the only one that is
 * a mass of water where a height is wanted. Returns how many they are; 0: none, or all.
 */
static int
tensors_of_units(const char *file, const char *units, char *out, size_t size)
{
	struct axt_graph *g = axt_graph_new();
	const char *const *names = g ? axt_tensors(g, file) : NULL;
	char one[2048], wet[2048] = "";
	int n = 0, waters = 0, all = 0;
	size_t used = 0;

	for (; names && *names; names++, all++) {
		const char *name = *names + (**names == '/');
		bool water = false;

		snprintf(one, sizeof(one), "%s:%s", file, name);
		if (converts(one, units, &water) && used < size) {
			used += (size_t)snprintf(out + used, size - used, n ? ",%s" : "%s",
			    n ? name : one);
			n++;
		}
		if (water && waters++ == 0)
			snprintf(wet, sizeof(wet), "%s", one);
	}
	axt_graph_free(g);
	if (waters == 1 && (strncmp(units, "mm", 2) == 0 || strncmp(units, "kg", 2) == 0)) {
		snprintf(out, size, "%s", wet);
		return 1;
	}
	return n < all && used < size ? n : 0;
}

/* The line that makes a copy of the file, in which that tensor alone is converted. */
static void
put_in_copy(const char *file, const char *tensor, const char *units)
{
	const char *out = cmd_st.o.output;
	char in[2048];

	snprintf(in, sizeof(in), "%s%s", out, tensor + strlen(file));
	guess_put(" is", false);
	guess_put(tensor + strlen(file) + 1, true);
	guess_put(" alone; cp", false);
	guess_put(file, true);
	guess_put(out, true);
	guess_put(" && axt-convert --to", false);
	guess_put(units, true);
	guess_put(in, true);
	guess_put("-o", true);
	guess_put(in, true);
	guess_put(" keeps the others", false);
}

const char *
guess_tensor_of_units(const char *error)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *units = NULL;
	static char tensors[2048];
	char file[2048];
	int n;

	if (strcmp(cmd_st.c->name, "axt-convert") != 0 || a->n != 1 ||
	    guess_option_at("--to", &units) < 0 || strstr(error, "--coord") ||
	    (!strstr(error, " holds several tensors: ") && !strstr(error, " cannot be converted ")))
		return NULL;
	snprintf(file, sizeof(file), "%s", a->v[0]);
	if (guess_ends_with(file, ":*"))
		file[strlen(file) - 2] = '\0';
	if (!guess_is_file(file) || strchr(file, ':') ||
	    (n = tensors_of_units(file, units, tensors, sizeof(tensors))) == 0)
		return NULL;
	guess_begin();
	guess_put(tensors, true);
	for (int i = 0; i < o->n; i++)
		if (strcmp(o->v[i], "--each") != 0)
			guess_put(o->v[i], true);
	if (n == 1 && cmd_st.o.output && guess_names_output(cmd_st.o.output))
		put_in_copy(file, tensors, units);
	return guess_text;
}
