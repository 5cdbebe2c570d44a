/*
 * guess_missing.c - hints about what is missing or too much: an operand that was not typed, options
 * of other tools that are not needed here, and values of options as other tools write them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guess.h"

/* All places that the missing operand could have: "axt-sub - clim.nc  or  axt-sub clim.nc -". */
static const char *
all_places(void)
{
	int n = cmd_st.args.n;

	guess_from("");
	for (int at = cmd_st.nwords; at <= n; at++) {
		guess_put(at > cmd_st.nwords ? "  or  " : "", false);
		guess_put(cmd_st.c->name, false);
		for (int i = 0; i <= n; i++)
			guess_put(i == at ? "-" : cmd_st.args.v[i - (i > at)], true);
	}
	return guess_text;
}

/* Whether the operand has floats, which are no condition. */
static bool
is_float(const char *operand)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = g ? axt_open(g, operand, NULL) : NULL;
	enum axt_dtype d = e ? axt_expr_dtype(e) : AXT_DTYPE_AUTO;

	axt_graph_free(g);
	return d == AXT_F16 || d == AXT_BF16 || d == AXT_F32 || d == AXT_F64;
}

const char *
cmd_guess_missing(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *first = a->n > 0 ? a->v[0] : "", *name = cmd_st.c->name;
	char expr[600];

	if (strcmp(name, "axt-fillnan") == 0 && a->n == 1 && guess_is_file(first)) {
		guess_begin();
		guess_put(first, true);
		guess_put("0", true);
		guess_end(a->n, -1);
		guess_put("  or  axt-fillnan --along", false);
		guess_put(guess_axis("time"), true);
		return guess_end(0, -1);
	}
	if (strcmp(name, "axt-where") == 0 && a->n == 2 && guess_is_file(a->v[1]) &&
	    strpbrk(first, "<>=!") && !guess_is_file(first)) {
		size_t n = strcspn(first, " <>=!()");

		if (n == 0 || n > 200)
			return NULL;
		snprintf(expr, sizeof(expr), "where(%.300s, %.*s, nan)", first, (int)n, first);
		guess_from("axt-calc");
		guess_put(expr, true);
		return guess_end(1, -1);
	}
	if (strcmp(name, "axt-where") == 0 && a->n == 2 && guess_is_file(first) &&
	    guess_is_file(a->v[1])) {
		/* where(VALUES, MASK) of xarray: a mask has integers, or is bool */
		bool turned = is_float(first) && !is_float(a->v[1]);

		guess_begin();
		guess_put(a->v[turned ? 1 : 0], true);
		guess_put(a->v[turned ? 0 : 1], true);
		guess_put("nan", true);
		return guess_end(a->n, -1);
	}
	return all_places();
}

/* Commands of operations on each element of two operands, such as axt-add. */
#define ELEMENTWISE "+"

/*
 * Options of other tools: words, whether one has a value, and what is typed here. OTHER: another
 * command has the option.
 */
static const struct needless {
	const char *command, *words;
	enum {
		FLAG,
		VALUE,
		OPERAND,
		TOLD,
		CALLED,
		BEHIND,
		EMPTY,
		SETS,
		LAST,
		GRID,
		CLASSES,
		OTHER
	} kind;
	const char *told;
} needless[] = {
	{ "axt-from", "sep delimiter delim separator", VALUE, "the separator is found: " },
	{ "axt-from", "has-header", FLAG, "names of columns are found: " },
	{ "axt-from", "no-header", TOLD, "--header no reads the first line as values" },
	{ "axt-from", "columns column usecols cols", TOLD,
	    "FILE:COLUMN, of what axt-from has written, is one column" },
	{ "axt-from", "index-col index index_col", TOLD,
	    "columns before the values are axes; --matrix: none is" },
	{ "axt-window", "center centre centered", FLAG,
	    "coordinates are in the middle of windows: " },
	{ "axt-split", "by axis dim over along", OPERAND, "" },
	{ "axt-split", "o output out prefix", CALLED, "" },
	{ "axt-to", "o output out", OPERAND, "" },
	{ "axt-info", "o output out", BEHIND, ">" },
	{ "axt-print", "o output out", BEHIND, ">" },
	{ "axt-equal", "o output out", BEHIND, ">" },
	{ "axt-diff", "n", TOLD, "--order 2 takes differences of differences" },
	{ "axt-window", "n size width window", TOLD,
	    "axt-window time=w:3 a.nc:tas | axt-reduce mean --over w" },
	{ "axt-interp", "grid like target to", GRID, "" },
	{ "axt-svd", "full-matrices full_matrices full", FLAG,
	    "the factors have the smaller rank: " },
	{ "axt-qr", "mode full reduced complete", FLAG, "the factors have the smaller rank: " },
	{ "axt-onehot", "num-classes num_classes classes n-classes depth", CLASSES, "" },
	{ NULL, "keepdims keep-dims keepdim keep_dims keep-attrs keep_attrs", FLAG,
	    "axes meet by their names, and attributes are kept: " },
	{ ELEMENTWISE, "axis dim over along", VALUE, "axes meet by their names: " },
	{ ELEMENTWISE, "c", LAST, "" },
	{ "axt-interp", "nearest", TOLD, "--method nearest" },
	{ "axt-corr", "rank spearman method", TOLD,
	    "axt-corr --over time <(axt-rank --along time a.nc:x) <(axt-rank --along time b.nc:y)" },
	{ "axt-scan", "skip-nan skipna skipnan", TOLD,
	    "axt-fillnan a.nc:pr 0 | axt-scan sum --along time" },
	{ "axt-corr", "by", TOLD, "axt-split time.month --each a.nc, and axt-corr of each part" },
	{ "axt-cov", "by", TOLD, "axt-split time.month --each a.nc, and axt-cov of each part" },
	{ "axt-fillnan", "value v fill", LAST, "" },
	{ "axt-copy", "pack", OTHER, "axt-cast" },
	{ "axt-info", "variables vars var names list datasets", FLAG, "" },
	{ "axt-attr", "units long_name standard_name calendar title", SETS, "" },
	{ "axt-attr", "set add", OPERAND, "" },
	{ NULL, "f", VALUE, "" },
	{ "axt-print", "json", TOLD, "axt-print --csv; axt-info --json tells what is in a file" },
	{ "axt-convert", "from", VALUE, "" },
	{ "axt-attr", "d del delete remove", EMPTY, "" },
	{ "axt-attr", "o output out", TOLD,
	    "attributes are changed in the file itself; axt-copy --attr NAME=TEXT -o writes another" },
	{ "axt-move", "o output out", TOLD,
	    "datasets are renamed in the file itself: cp makes a copy of it first" },
	{ "axt-remove", "o output out", TOLD,
	    "datasets are removed from the file itself: cp makes a copy of it first" },
	{ "axt-append", "o output out", TOLD,
	    "records are added to the file itself; axt-concat ... -o writes another" },
	{ "axt-assign", "o output out", TOLD,
	    "values are changed in the file itself: cp makes a copy of it first" },
};

/* Whether that command runs; NULL: one that writes. */
static bool
is_of(const char *command)
{
	const char *name = cmd_st.c->name;
	const struct axt_alias *alias;
	const struct axt_operation *op;

	if (!command)
		return (cmd_st.c->flags & CMD_WRITES) != 0;
	if (strcmp(command, ELEMENTWISE) == 0)
		return strncmp(name, "axt-", 4) == 0 && cmd_st.c->in[1] &&
		    (op = axt_operation_named(name + 4, &alias)) &&
		    (op->flags & AXT_OPERATION_FOLDS);
	return strcmp(name, command) == 0;
}

const char *
cmd_guess_needless(const char *name, int i, int argc, char *const argv[])
{
	bool letter = argv[i][1] != '-', joined;
	char set[600];
	const char *value = letter ? (argv[i][2] ? argv[i] + 1 : NULL) : strchr(argv[i], '=');

	joined = value != NULL;
	value = joined ? value + 1 : i + 1 < argc ? argv[i + 1] : NULL;
	if (letter && guess_options_of_nco())
		return guess_text;
	for (size_t k = 0; k < sizeof(needless) / sizeof(needless[0]); k++) {
		const struct needless *x = &needless[k];

		if (!is_of(x->command) || !axt_has_word(x->words, name))
			continue;
		if (x->kind == TOLD)
			return x->told;
		if (x->kind != FLAG && !value)
			return NULL;
		if (x->kind == GRID)
			return guess_grid_option(value, i, joined, argc, argv);
		if (x->kind == CALLED)
			return guess_split_output(value, i, joined, argc, argv);
		if (x->kind == OPERAND && x->command && strcmp(x->command, "axt-split") == 0)
			return guess_split_option(value, i, joined, argc, argv);
		guess_from(x->kind == BEHIND ? "" : x->told);
		guess_put(x->kind == OTHER ? "" : cmd_st.c->name, false);
		if (x->kind == OPERAND || x->kind == EMPTY)
			guess_put(value, true);
		if (x->kind == EMPTY)
			guess_put("=", false);
		if (x->kind == CLASSES) {
			snprintf(set, sizeof(set), "class=%.100s", value);
			guess_put(set, true);
		}
		if (x->kind == SETS) {
			snprintf(set, sizeof(set), "%.100s=%.400s", name, value);
			guess_put(set, true);
		}
		for (int j = 1; j < argc; j++)
			if (x->kind == OTHER ||
			    (j != i && (joined || x->kind == FLAG || j != i + 1)))
				guess_put(argv[j], true);
		if (x->kind == LAST)
			guess_put(value, true);
		if (x->kind == BEHIND) {
			guess_put(" ", false);
			guess_put(x->told, false);
			guess_put(value, true);
		}
		return guess_text;
	}
	return NULL;
}

const char *
cmd_guess_dtype(const char *typed)
{
	static const char *const modules[] = { "np.", "numpy.", "torch.", "tf.", "jnp.", "mx." };
	char low[24];
	const char *p = typed + strspn(typed, "<>=|'\"");
	enum axt_dtype d;
	int bytes;

	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (strncmp(p, modules[i], strlen(modules[i])) == 0)
			p += strlen(modules[i]);
	snprintf(low, sizeof(low), "%s", p);
	low[strcspn(low, "'\"")] = '\0';
	for (char *s = low; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	bytes = low[0] && strspn(low + 1, "0123456789") == strlen(low + 1) ? atoi(low + 1) : 0;
	if (bytes > 0 && bytes <= 16 && (p > typed || axt_dtype_of_name(low) == AXT_DTYPE_AUTO))
		snprintf(low + 1, sizeof(low) - 1, "%d", 8 * bytes);
	d = axt_dtype_of_name(low);
	return d == AXT_DTYPE_AUTO ? NULL : axt_dtype_name(d);
}

/* --every DJF: the seasons, and of these one, in place of where the output was named. */
static const char *
season_of_years(const char *low)
{
	static const char *const names[][2] = { { "djf winter", "DJF" }, { "mam spring", "MAM" },
		{ "jja summer", "JJA" }, { "son autumn fall", "SON" } };
	const struct cmd_list *o = &cmd_st.given;
	char part[40] = "";

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (axt_has_word(names[k][0], low))
			snprintf(part, sizeof(part), "time.season@%s", names[k][1]);
	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < o->n; i++) {
			const char *before = i > 0 ? o->v[i - 1] : "";
			bool output = strcmp(o->v[i], "-o") == 0 || strcmp(before, "-o") == 0;

			if (output == (pass == 1))
				guess_put(strcmp(before, "--every") == 0       ? "season"
					: strncmp(o->v[i], "--every=", 8) == 0 ? "--every=season"
									       : o->v[i],
				    true);
		}
		if (pass == 0) {
			guess_put(" | axt-slice", false);
			guess_put(part, true);
		}
	}
	return guess_text;
}

const char *
guess_period(const char *error)
{
	static const char *const words[][2] = { { "hour", "hour h hourly hrs hr hours" },
		{ "day", "day d daily days" }, { "month", "month m ms me mon monthly months mo" },
		{ "year", "year y a ys ye as ae yearly annual annually years yr" },
		{ "season", "season seasonal seasons qs-dec seas" },
		{ "7 days", "w week weekly weeks" }, { "5 days", "pentad pentads" },
		{ "10 years", "decade decades decadal" } };
	bool calc = strcmp(cmd_st.c->name, "axt-calc") == 0;
	struct cmd_list *o = &cmd_st.given;
	char low[40] = "";
	const char *typed;

	if (!strstr(error, " is no period of time"))
		return NULL;
	if (calc && *error == '"') /* the word stands in the expression */
		snprintf(low, sizeof(low), "%.*s", (int)strcspn(error + 1, "\""), error + 1);
	for (int i = 0; i < o->n; i++) {
		if (strcmp(o->v[i], "--every") != 0 && strncmp(o->v[i], "--every=", 8) != 0)
			continue;
		typed = o->v[i][7] ? o->v[i] + 8 : i + 1 < o->n ? o->v[i + 1] : "";
		if (strcmp(typed, "m") == 0)
			return NULL; /* a month, or a minute */
		typed += strchr(typed, '.') ? strcspn(typed, ".") + 1 : 0; /* time.month */
		typed += typed[0] == '1' && isalpha((unsigned char)typed[1]);
		snprintf(low, sizeof(low), "%s", typed);
	}
	for (char *s = low; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	if (!calc && axt_has_word("djf mam jja son winter spring summer autumn fall", low))
		return season_of_years(low);
	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]) && *low; k++)
		if (axt_has_word(words[k][1], low)) {
			guess_from(calc ? "" : "--every");
			if (calc && strchr(words[k][0], ' '))
				snprintf(guess_text, sizeof(guess_text), "every=\"%s\"",
				    words[k][0]);
			else if (calc)
				snprintf(guess_text, sizeof(guess_text), "every=%s", words[k][0]);
			else
				guess_put(words[k][0], true);
			return guess_text;
		}
	return NULL;
}

const char *
guess_in_directory(const char *error)
{
	const char *end = strstr(error, ": Is a directory"), *out = cmd_st.o.output, *base = NULL;
	char path[4096];

	if (!out || !end || (size_t)(end - error) != strlen(cmd_name(out)) ||
	    strncmp(error, cmd_name(out), strlen(cmd_name(out))) != 0)
		return NULL;
	for (int i = 0; i < cmd_st.args.n && !base; i++)
		if (guess_is_file(cmd_st.args.v[i]))
			base = cmd_st.args.v[i];
	if (!base)
		return NULL;
	base = strrchr(base, '/') ? strrchr(base, '/') + 1 : base;
	snprintf(path, sizeof(path), "%s%s%.*s", out, guess_ends_with(out, "/") ? "" : "/",
	    (int)strcspn(base, ":"), base);
	guess_from("");
	if (access(out, F_OK) != 0) {
		guess_put("mkdir -p", false);
		guess_put(out, true);
		guess_put(" && ", false);
	}
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.args.n; i++)
		guess_put(cmd_st.args.v[i], true);
	for (int i = 0; i < cmd_st.given.n; i++)
		guess_put(strcmp(cmd_st.given.v[i], out) == 0 ? path : cmd_st.given.v[i], true);
	return guess_text;
}

const char *
guess_pixels(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	bool other = strstr(error, ": pictures of that kind are not written") != NULL;
	const char *const *names, *colon, *tensor = NULL;
	const struct axt_expr *e;
	struct axt_graph *g;
	int rank;
	enum axt_dtype d;
	char expr[600], file[2048];

	if ((!other && !strstr(error, "an image has bool, u8 or u16, not f")) || a->n != 2 ||
	    !guess_is_file(a->v[1]))
		return NULL;
	snprintf(file, sizeof(file), "%.*s%s",
	    (int)(other ? (size_t)(strrchr(a->v[0], '.') - a->v[0]) : strlen(a->v[0])), a->v[0],
	    other ? ".pgm" : "");
	g = axt_graph_new();
	e = g ? axt_open(g, a->v[1], NULL) : NULL;
	rank = e ? axt_expr_rank(e) : 0;
	d = e ? axt_expr_dtype(e) : AXT_DTYPE_AUTO;
	colon = strchr(a->v[1], ':');
	names = g && !colon ? axt_tensors(g, a->v[1]) : NULL;
	tensor = colon ? colon + 1 : names && *names ? *names + (**names == '/') : NULL;
	guess_from("");
	if (other && rank > 0 && axt_has_word("png svg pdf", strrchr(a->v[0], '.') + 1)) {
		guess_from("axt-plot");
		if (d == AXT_BOOL || d == AXT_U8 || d == AXT_U16)
			guess_put("--bare", true); /* a pixel for each element */
		guess_put(a->v[1], true);
		guess_put("-o", true);
		guess_put(a->v[0], true);
	} else if (other && rank > 0 && rank != 2) {
		snprintf(file + strlen(file) - 4, 5, ".npy");
		guess_begin();
		guess_put(file, true);
		guess_end(1, -1);
	} else if (other && rank == 2 && (d == AXT_BOOL || d == AXT_U8 || d == AXT_U16)) {
		guess_begin();
		guess_put(file, true);
		guess_end(1, -1);
	} else if (tensor && rank == 2 &&
	    strspn(tensor, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		strlen(tensor) &&
	    strlen(tensor) < 90 && !isdigit((unsigned char)*tensor)) {
		snprintf(expr, sizeof(expr), "round(255*(%s - min(%s))/(max(%s) - min(%s)))",
		    tensor, tensor, tensor, tensor);
		guess_from("axt-calc");
		guess_put(expr, true);
		guess_put(a->v[1], true);
		guess_put(" | axt-cast --dtype u8 - | axt-to", false);
		guess_put(file, true);
		guess_put("-", true);
	}
	axt_graph_free(g);
	return *guess_text ? guess_text : NULL;
}

/* Adds a word without quotation marks of documents, and with "-" for their dashes. */
static bool
put_plain(const char *w)
{
	static const char *const marks[] = { "\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9c",
		"\xe2\x80\x9d", "\xe2\x80\x9e", "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x88\x92",
		"\xe2\x80\x90", "\xe2\x80\x91" };
	char text[2048];
	size_t n = 0, k;
	bool any = false;

	for (const char *p = w; *p && n + 3 < sizeof(text);) {
		for (k = 0; k < 10 && strncmp(p, marks[k], 3) != 0; k++)
			;
		any = any || k < 10;
		if (k >= 5 && k < 10)
			text[n++] = '-';
		/* a long option has lost one of two dashes, if they became one */
		if (k >= 5 && k < 10 && p == w && isalpha((unsigned char)p[3]) && p[4])
			text[n++] = '-';
		if (k == 10)
			text[n++] = *p;
		p += k < 10 ? 3 : 1;
	}
	text[n] = '\0';
	/* a mark inside a word is likely meant, as in the text of an attribute */
	any = any && (unsigned char)*w == 0xe2 && strcmp(text, "-") != 0 && !guess_is_file(w);
	guess_put(any ? text : w, true);
	return any;
}

const char *
guess_pasted(void)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	bool any = false;

	if (strcmp(cmd_st.c->name, "axt-calc") == 0)
		return NULL; /* the expression is mended in lib/calc */
	guess_begin();
	for (int i = 0; i < a->n; i++)
		any |= put_plain(a->v[i]);
	for (int i = 0; i < o->n; i++)
		any |= put_plain(o->v[i]);
	return any ? guess_text : NULL;
}

const char *
guess_number(int i)
{
	const char *w = cmd_st.args.v[i];
	char plain[64], *end;
	double x = strtod(w, &end), y;

	if (end == w || strspn(w, "-0123456789.,/%") != strlen(w) || strlen(w) > 20)
		return NULL;
	if (*end == ',' && !strchr(w, '.') && end[1] &&
	    strspn(end + 1, "0123456789") == strlen(end + 1)) {
		snprintf(plain, sizeof(plain), "%.*s.%s", (int)(end - w), w, end + 1);
	} else if (strcmp(end, "%") == 0) {
		snprintf(plain, sizeof(plain), "%.15g", x / 100);
	} else if (*end == '/' && (y = strtod(end + 1, &end)) != 0 && !*end) {
		snprintf(plain, sizeof(plain), "%.15g", x / y);
	} else {
		return NULL;
	}
	guess_begin();
	for (int k = 0; k < cmd_st.args.n; k++)
		guess_put(k == i ? plain : cmd_st.args.v[k], true);
	return guess_end(cmd_st.args.n, -1);
}

const char *
guess_blanks(void)
{
	const struct cmd_list *a = &cmd_st.args;
	bool any = false;

	guess_begin();
	for (int i = 0; i < a->n; i++) {
		const char *before = i > 0 ? a->v[i - 1] : "";
		size_t n = strlen(before);
		bool join = i > 0 && !guess_is_file(a->v[i]) &&
		    ((n > 0 && strchr("=@", before[n - 1])) || strchr("=@", a->v[i][0]));

		any = any || join;
		if (join)
			guess_put_more(a->v[i]);
		else
			guess_put(a->v[i], true);
	}
	return any ? guess_end(a->n, -1) : NULL;
}
