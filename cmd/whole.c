/*
 * whole.c - operands such as FILE:*: the command is done with each of their tensors by itself, and
 * all results go to one output, with what else the file has.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

/* The tensors that casts leave as they are since they are integers; `none`: all are cast. */
static struct {
	int n;
	bool none;
} spared;

bool
cmd_spares(struct axt_graph *g, int i, const struct axt_expr *y)
{
	if (spared.none || i >= cmd_st.nfound || !cmd_st.found[i] || !axt_has_integers(g, y))
		return false;
	spared.n++;
	return true;
}

/*
 * Converts y, made of the i-th tensor, to the dtype of --dtype. If that is a floating dtype,
 * integers that a pattern such as FILE:* found, like flags and indices, stay as they are.
 */
static struct axt_expr *
cast(struct axt_graph *g, int i, struct axt_expr *y)
{
	enum axt_dtype d = cmd_st.o.dtype;

	if (d == AXT_DTYPE_AUTO || (!axt_is_integer(d) && cmd_spares(g, i, y)))
		return y;
	return axt_cast_dtype(g, y, d, AXT_OVERFLOW_ERROR);
}

/* Whether all of the tensors were spared, so that they have to be built once more. */
static bool
spared_all(int n)
{
	if (spared.n < n || n == 0)
		return false;
	spared.n = 0;
	spared.none = true;
	return true;
}

static void
tell_spared(void)
{
	char text[200];

	snprintf(text, sizeof(text),
	    "%d of the tensors %s integers and %s as before: axt-cast --all takes them too",
	    spared.n, spared.n == 1 ? "is of" : "are", spared.n == 1 ? "stays" : "stay");
	if (spared.n > 0 && !cmd_st.o.quiet)
		cmd_say("note: ", text);
}

struct axt_expr *const *
cmd_all_cast(struct axt_graph *g)
{
	static struct axt_expr **a; /* until the next call */
	struct axt_expr *const *in = cmd_all_in(g);
	int n = cmd_nin(g);

	free(a);
	a = calloc((size_t)n + 1, sizeof(struct axt_expr *));
	if (!a)
		cmd_oom();
	do
		for (int i = 0; i < n; i++)
			a[i] = cast(g, i, in[i]);
	while (!axt_graph_error(g) && spared_all(n));
	tell_spared();
	return a;
}

/* Whether FILE:A,B names the tensor as it stands, without a character that means several. */
static bool
is_listed(const char *word, const char *path)
{
	const char *part = strrchr(word, ':'), *name = strrchr(path, '/');
	size_t n;

	for (; part; part = part[n] == ',' ? part + n : NULL) {
		part += 1 + (part[1] == '/');
		n = strcspn(part, ",");
		if ((strlen(path) == n && strncmp(part, path, n) == 0) ||
		    (name && strlen(name + 1) == n && strncmp(part, name + 1, n) == 0))
			return true;
	}
	return false;
}

static void
set_found(int i, bool found)
{
	if (i >= cmd_st.nfound) {
		cmd_st.found = realloc(cmd_st.found, (2 * (size_t)i + 8) * sizeof(bool));
		if (!cmd_st.found)
			cmd_oom();
		while (cmd_st.nfound < 2 * i + 8)
			cmd_st.found[cmd_st.nfound++] = false;
	}
	cmd_st.found[i] = found;
}

/* An operand that means several tensors. */
struct whole {
	int at; /* its number among the tensors */
	const char *word;
	const char *const *operands, *const *paths;
	int base; /* where paths within the group begin */
	int n;
};

/* Whether the results go to a group, FILE:/group/, from where they have their paths. */
static bool
into_group(void)
{
	const char *o = cmd_st.o.output;
	size_t n = o ? strlen(o) : 0;

	return n > 0 && o[n - 1] == '/' && strchr(o, ':');
}

/* Whether the word is standard input, and several tensors come from it: all of them are meant. */
static bool
is_stream_of_several(struct axt_graph *g, const char *word)
{
	const char *const *names = NULL;
	struct stat st;

	if (strcmp(word, "-") == 0 && !cmd_st.o.dataset && !cmd_st.o.each &&
	    fstat(STDIN_FILENO, &st) == 0 && !S_ISCHR(st.st_mode))
		names = axt_tensors(g, word);
	return names && names[0] && names[1];
}

/* The operands that mean several tensors; how many there are, or -1. */
static int
find_whole(struct axt_graph *g, struct whole **out)
{
	int n = 0, all = cmd_nin(g);

	*out = calloc((size_t)all + 1, sizeof(**out));
	if (!*out)
		cmd_oom();
	for (int i = 0; i < all; i++) {
		struct whole *w = &(*out)[n];

		*w = (struct whole){ .at = i, .word = cmd_operand(g, i) };
		w->n = axt_match(g, w->word, cmd_st.o.each || is_stream_of_several(g, w->word),
		    false, &w->operands, &w->paths, &w->base);
		if (w->n < 0)
			return -1;
		n += w->n > 0;
	}
	return n;
}

/*
 * The number of the tensor of b that has the same path as the k-th of a, or, where a and b are
 * groups, the same path inside its group; b->n if there is none.
 */
static int
counterpart(const struct whole *a, int k, const struct whole *b)
{
	const char *path = a->paths[k];
	int i = 0;

	while (i < b->n && strcmp(b->paths[i], path) != 0)
		i++;
	if (i < b->n)
		return i;
	for (i = 0; i < b->n && strcmp(b->paths[i] + b->base, path + a->base) != 0; i++)
		;
	return i;
}

static const struct whole *now; /* [now_n]: those of the tensor whose results are built; NULL */
static int now_n, now_k;        /* how many operands there are, and which of their tensors it is */

void
cmd_reset_whole(void)
{
	now = NULL;
	now_n = now_k = 0;
	cmd_lacking_begin(false);
}

const char *
cmd_as_typed(int i)
{
	for (int j = 0; now && j < now_n; j++)
		if (cmd_st.nwords + now[j].at == i)
			return now[j].word;
	return cmd_st.args.v[i];
}

bool
cmd_one_of_several(void)
{
	return now && now->n > 1;
}

int
cmd_nth_of_several(void)
{
	return cmd_one_of_several() ? now_k : 0;
}

/* Makes the operands of all files mean the tensor that the first file has as its k-th. */
static void
set_operands(struct axt_graph *g, const struct whole *w, int n, int k)
{
	now = w;
	now_k = k;
	now_n = n;
	for (int j = 0; j < n; j++) {
		int i = counterpart(&w[0], k, &w[j]);

		if (i == w[j].n)
			axt_graph_fail(g, AXT_E_NAME, "%s has no tensor \"%s\", and %s has",
			    cmd_name(w[j].word), cmd_name(w[0].paths[k] + w[0].base),
			    cmd_name(w[0].word));
		else {
			cmd_st.args.v[cmd_st.nwords + w[j].at] = w[j].operands[i];
			set_found(w[j].at, !is_listed(w[j].word, w[j].paths[i]));
		}
	}
}

/* Warns of tensors of other operands for which the first has none: they are in no result. */
static void
tell_left_out(const struct whole *w, int n)
{
	char line[4096];

	for (int j = 1; j < n && !cmd_st.o.quiet; j++)
		for (int i = 0; i < w[j].n; i++) {
			int k = 0;

			while (k < w->n && counterpart(w, k, &w[j]) != i)
				k++;
			if (k < w->n)
				continue;
			snprintf(line, sizeof(line), "%s is left out, as %s has no such tensor",
			    cmd_name(w[j].operands[i]), cmd_name(w->word));
			cmd_say("warning: ", line);
		}
}

/* Gives results `from` and up their places in the output: one has the tensor's own. */
static void
name_results(struct axt_graph *g, int from, const char *path)
{
	char name[4096];

	for (int i = from; i < cmd_results.n; i++) {
		struct axt_expr **y = &cmd_results.v[i];
		const char *own = axt_expr_name(*y);

		snprintf(name, sizeof(name), "%s%s%s", path, cmd_results.n - from > 1 ? "_" : "",
		    cmd_results.n - from > 1 && own ? own : "");
		*y = axt_set_path(g, *y, name);
	}
}

static char lacking[200]; /* a quotation mark, and the axis that the last of them lacks */

/* Where most tensors are as they were, the axis may be another than was meant. */
static void
tell_as_they_were(int lack, int n)
{
	char text[300];

	if (2 * lack <= n || cmd_st.o.quiet)
		return;
	snprintf(text, sizeof(text), "%d of the %d tensors have no axis %s\" and are as they were",
	    lack, n, lacking);
	cmd_say("note: ", text);
}

/* Whether the operand has to be read in order, and so only once. */
static bool
is_stream(const char *word)
{
	char file[4096];
	struct stat st;

	snprintf(file, sizeof(file), "%.*s", (int)strcspn(word, ":"), word);
	return strcmp(file, "-") == 0 || (stat(file, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* Of several files the result is the first one's tensor as it is: warns where another differs. */
static void
tell_first_taken(struct axt_graph *g, const struct whole *w)
{
	char text[1000];

	for (int i = 1; i < now_n && !cmd_st.o.quiet && !axt_graph_error(g); i++) {
		const char *a = cmd_operand(g, w[0].at), *b = cmd_operand(g, w[i].at);
		int differ;

		if (is_stream(a) || is_stream(b))
			continue;
		differ = axt_equal(g, cmd_in(g, w[0].at), cmd_in(g, w[i].at),
		    &(struct axt_equal_opts){ 0 }, NULL);
		if (differ < 0)
			axt_graph_clear(g);
		if (differ <= 0)
			continue;
		snprintf(text, sizeof(text),
		    "%s, which has no axis %s\", is in the result as it is; %s has other values",
		    cmd_name(a), lacking, cmd_name(b));
		cmd_say("warning: ", text);
		return;
	}
}

/* Whether some of several operands have the axis that another one lacks. */
static bool
some_have(struct axt_graph *g, const struct whole *w)
{
	struct axt_graph *other = now_n > 1 ? axt_graph_new() : NULL;
	bool has = false;

	for (int i = 0; i < now_n && other && !has; i++) {
		const char *operand = cmd_operand(g, w[i].at);
		const struct axt_expr *e = is_stream(operand) ? NULL
							      : axt_open(other, operand, NULL);

		for (int k = 0; e && k < axt_expr_rank(e); k++)
			has = has || strcmp(axt_expr_axis(e, k), lacking + 1) == 0;
	}
	axt_graph_free(other);
	return has;
}

/*
 * Builds the results of the k-th tensor. A tensor that lacks an axis which the command names is
 * itself the result, as a mask of land is for a mean over time. Returns whether it lacks one.
 */
static bool
build_one(struct axt_graph *g, void (*build)(struct axt_graph *g), const struct whole *w, int k)
{
	int from = cmd_results.n;
	bool lacks;

	build(g);
	lacks = axt_graph_lacks_axis(g);
	if (lacks) {
		snprintf(lacking, sizeof(lacking), "%s", strchr(axt_graph_error(g), '"'));
		lacking[1 + strcspn(lacking + 1, "\"")] = '\0';
		if (some_have(g, w)) /* those that lack it cannot go with them */
			return false;
		axt_graph_clear(g);
		cmd_results.n = from;
		cmd_result(g, cmd_in(g, w->at));
		tell_first_taken(g, w);
	}
	if (!axt_graph_error(g))
		name_results(g, from, w->paths[k] + (into_group() ? w->base : 0));
	return lacks;
}

/* Builds the results of each tensor; of how many they are as they were, since an axis lacks. */
static int
build_each(struct axt_graph *g, void (*build)(struct axt_graph *g), const struct whole *w, int n)
{
	int lack = 0;

	cmd_lacking_begin(n > 0);
	for (int k = 0; n > 0 && k < w->n && !axt_graph_error(g); k++) {
		set_operands(g, w, n, k);
		if (!axt_graph_error(g))
			lack += build_one(g, build, w, k);
	}
	return lack;
}

bool
cmd_whole_files(struct axt_graph *g, void (*build)(struct axt_graph *g))
{
	struct whole *w;
	int n = find_whole(g, &w), lack = build_each(g, build, w, n);

	if (n > 0 && !axt_graph_error(g) && spared_all(w->n)) {
		cmd_results.n = 0;
		lack = build_each(g, build, w, n);
	}
	if (n > 0 && !axt_graph_error(g) && (cmd_lacking_end(w->n) || lack == w->n)) {
		set_operands(g, w, n, 0);
		build(g);
	}
	for (int j = 0; j < n; j++) /* hints have what was typed, also those of errors to come */
		cmd_st.args.v[cmd_st.nwords + w[j].at] = w[j].word;
	now = NULL;
	if (n > 0)
		cmd_results.rest_of = w->word;
	if (!axt_graph_error(g)) {
		tell_spared();
		tell_left_out(w, n);
		if (n > 0)
			tell_as_they_were(lack, w->n);
	}
	free(w);
	return n != 0;
}

void
cmd_expand(struct axt_graph *g)
{
	struct cmd_list all = { 0 };
	bool each = cmd_st.o.each || (cmd_st.c->flags & (CMD_LISTS | CMD_PRINTS)) == CMD_LISTS;
	const char *const *operands, *const *paths;

	for (int i = 0; i < cmd_nin(g); i++) {
		const char *word = cmd_operand(g, i);
		int base = 0, n = 0;

		if (!cmd_has_dataset(g))
			n = axt_match(g, word, each || is_stream_of_several(g, word), true,
			    &operands, &paths, &base);
		base = into_group() ? base : 0;

		for (int k = 0; k < n; k++) {
			cmd_add(&all, operands[k]);
			cmd_add(&cmd_st.paths, paths[k] + base);
			set_found(all.n - 1, !is_listed(word, paths[k]));
		}
		if (n <= 0) {
			cmd_add(&all, word);
			cmd_add(&cmd_st.paths, "");
			set_found(all.n - 1, false);
		} else if (!cmd_results.rest_of) {
			cmd_results.rest_of = word;
		}
	}
	for (int i = 0; i < cmd_st.args.n; i++)
		cmd_add(&cmd_st.typed, cmd_st.args.v[i]);
	cmd_st.args.n = cmd_st.nwords;
	for (int i = 0; i < all.n; i++)
		cmd_add(&cmd_st.args, all.v[i]);
	free(all.v);
}
