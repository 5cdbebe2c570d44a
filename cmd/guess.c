/*
 * guess.c - hints of wrong usage that are whole command lines: what was typed, with its words put
 * where they were most likely meant.
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

static char line[1500];
static size_t used;

/* Adds text to the line, between quotes if `word` and the shell needs them. */
static void
put(const char *text, bool word)
{
	bool quote = word && text[strcspn(text, " *?<>|&;()$`\"[]{}!~#")] != '\0';

	if (used < sizeof(line))
		used += (size_t)snprintf(line + used, sizeof(line) - used,
		    quote ? "%s'%s'" : "%s%s", word ? " " : "", word ? cmd_name(text) : text);
}

static void
begin(void)
{
	used = 0;
	put(cmd_st.c->name, false);
}

/* Ends the line with operands `from` and up, but for `but`, and the options that were given. */
static const char *
end(int from, int but)
{
	for (int i = from; i < cmd_st.args.n; i++)
		if (i != but)
			put(cmd_st.args.v[i], true);
	for (int i = 0; i < cmd_st.given.n; i++)
		put(cmd_st.given.v[i], true);
	return line;
}

/*
 * Whether the word is FILE or FILE:DATASET of a file that is there, and no name of anything else.
 */
static bool
is_file(const char *w)
{
	char path[4096];
	const char *colon = strchr(w, ':');
	struct stat st;

	snprintf(path, sizeof(path), "%.*s", (int)(colon ? colon - w : (long)strlen(w)), w);
	return strpbrk(path, "./") && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* An option of the command's own that takes axes, and has not been given; NULL: none. */
static const struct cmd_opt *
axis_option(void)
{
	static const char *const usual[] = { "along", "over" };

	for (int i = 0; i < 2; i++)
		for (const struct cmd_opt *o = cmd_st.c->opts; o && o->type != CMD_T_END; o++)
			if (strcmp(o->name, usual[i]) == 0 && !*(const char **)o->var)
				return o;
	return NULL;
}

/* Whether the file has a tensor of this name. */
static bool
has_tensor(const char *file, const char *name)
{
	struct axt_graph *g = strchr(file, ':') ? NULL : axt_graph_new();
	const char *const *names = g ? axt_tensors(g, file) : NULL;
	bool has = false;

	for (; names && *names; names++)
		has = has || strcmp(*names, name) == 0 ||
		    (**names == '/' && strcmp(*names + 1, name) == 0);
	axt_graph_free(g);
	return has;
}

static bool
has_option(const char *name)
{
	const struct cmd_opt *o;

	for (int k = 0; (o = cmd_opt_at(k)); k++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

/* Whether the word is AXIS=SPEC or AXIS@SPEC, with a position or a coordinate behind the sign. */
static bool
is_part(const char *w)
{
	size_t n = strcspn(w, "=@ ");

	return n > 0 && (w[n] == '=' || w[n] == '@') && w[n + 1] &&
	    strchr("0123456789-:.", w[n + 1]) && !memchr(w, '/', n) && !is_file(w + n + 1);
}

/* The part of operand f that operand x selects, and the command on that. */
static const char *
part_first(int x, int f)
{
	used = 0;
	put("axt-slice", false);
	put(cmd_st.args.v[x], true);
	put(cmd_st.args.v[f], true);
	put(" | ", false);
	put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.args.n; i++)
		if (i != x)
			put(i == f ? "-" : cmd_st.args.v[i], true);
	return end(cmd_st.args.n, -1);
}

/* Operand x is no file, and operand f is one: x is a dtype, a dataset, axes, or a part of f. */
static const char *
word_and_file(int x, int f)
{
	static const char *const words[] = { "dim=", "axis=", "over=", "along=" };
	const char *w = cmd_st.args.v[x];
	const struct cmd_opt *o = axis_option();
	char both[2048];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(w, words[i], strlen(words[i])) == 0 && w[strlen(words[i])])
			w += strlen(words[i]);
	if (is_part(w) && !(cmd_st.c->flags & CMD_SPECS))
		return part_first(x, f);
	begin();
	if (cmd_st.nwords > 0 && strcmp(cmd_st.args.v[0], "quantile") == 0 && axt_is_number(w)) {
		snprintf(both, sizeof(both), "quantile:%s", w);
		put(both, true);
		return end(f, x);
	}
	if (axt_dtype_of_name(w) != AXT_DTYPE_AUTO && has_option("dtype")) {
		for (int i = 0; i < cmd_st.nwords; i++)
			put(cmd_st.args.v[i], true);
		put("--dtype", true);
		put(w, true);
		return end(f, x);
	}
	if (has_option("to") && has_option("coord")) { /* axt-convert, whose units are an option */
		put("--to", true);
		put(w, true);
		return end(f, x);
	}
	if (has_tensor(cmd_st.args.v[f], w)) {
		snprintf(both, sizeof(both), "%s:%s", cmd_st.args.v[f], w);
		for (int i = 0; i < cmd_st.args.n; i++)
			if (i != x)
				put(i == f ? both : cmd_st.args.v[i], true);
		return end(cmd_st.args.n, -1);
	}
	if (!o)
		return NULL;
	for (int i = 0; i < cmd_st.nwords; i++)
		put(cmd_st.args.v[i], true);
	put("--", true);
	put(o->name, false);
	put(w, true);
	return end(cmd_st.nwords, x);
}

/* Several operands before the file are one word: "lat lon" lat,lon, "lat y" lat=y, "time 0:5". */
static const char *
joined_words(int f)
{
	const struct cmd *c = cmd_st.c;
	int first = c->choice ? 1 : 0;
	const char *word = c->words[first];
	const char *sign = !word ? NULL
	    : (c->flags & CMD_SPECS)
	    ? (cmd_st.args.v[first][0] >= '0' && cmd_st.args.v[first][0] <= '9' ? NULL : "=")
	    : strncmp(word, "OLD=", 4) == 0             ? "="
	    : strchr(word, ',') || strstr(word, "AXES") ? ","
							: NULL;

	for (int i = first; sign && *sign == '=' && i < f; i++)
		if (strchr(cmd_st.args.v[i], ','))
			return NULL;
	if (!sign || f - first < 2 || (*sign == '=' && f - first != 2) ||
	    (*sign == '=' && strchr(cmd_st.args.v[first], '=')))
		return NULL;
	begin();
	for (int i = 0; i < f; i++) {
		if (i > first)
			put(sign, false);
		if (i > first)
			put(cmd_name(cmd_st.args.v[i]), false);
		else
			put(cmd_st.args.v[i], true);
	}
	return end(f, -1);
}

/* Axes before a file, for axt-transpose: NumPy's and xarray's transpose is axt-order. */
static const char *
order_meant(int f)
{
	if (strcmp(cmd_st.c->name, "axt-transpose") != 0 || f == 0)
		return NULL;
	used = 0;
	put("axt-order", false);
	put(cmd_st.args.v[0], true);
	for (int i = 1; i < f; i++) {
		put(",", false);
		put(cmd_name(cmd_st.args.v[i]), false);
	}
	return end(f, -1);
}

/*
 * Several files, for a command of one tensor: they are concatenated first. Two datasets of one file
 * are different variables, which are no parts of one tensor.
 */
static const char *
several_files(void)
{
	const struct cmd_list *a = &cmd_st.args;

	used = 0;
	put("axt-concat time", false);
	for (int i = cmd_st.nwords; i < a->n; i++) {
		const char *before = i > cmd_st.nwords ? a->v[i - 1] : "";
		size_t n = strcspn(before, ":") + 1;

		if (!is_file(a->v[i]) || (before[n - 1] == ':' && strncmp(before, a->v[i], n) == 0))
			return NULL;
		put(a->v[i], true);
	}
	put(" | ", false);
	put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		put(a->v[i], true);
	put("-", true);
	end(a->n, -1);
	return used < sizeof(line) ? line : NULL;
}

const char *
cmd_guess_too_many(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *hint = NULL;
	int last = a->n - 1, file = -1, files = 0, other = -1;

	for (int i = 0; i <= last; i++) {
		bool is = is_file(a->v[i]);

		files += is;
		file = is && file < 0 ? i : file;
		other = !is && i >= cmd_st.nwords && other < 0 ? i : other;
	}
	if (file >= 0 && file < last && other == last && strchr(a->v[last], '.') &&
	    (cmd_st.c->flags & CMD_WRITES))
		return cmd_guess_output();
	if (files == 1 || (files == 0 && !cmd_st.c->in[0]))
		hint = files && order_meant(file) ? line : joined_words(files ? file : a->n);
	if (!hint && files > 1 && cmd_st.c->in[0] && !cmd_st.c->in[1] &&
	    !(cmd_st.c->flags & CMD_NARY))
		hint = several_files();
	if (!hint && files == 1 && other >= 0 && a->n - cmd_st.nwords == 2)
		hint = word_and_file(other, file);
	return hint;
}

const char *
cmd_guess_line(const char *option)
{
	begin();
	for (int i = 0; i < cmd_st.nwords && i < cmd_st.args.n; i++)
		put(cmd_st.args.v[i], true);
	put(" ", false);
	put(option, false);
	return end(cmd_st.nwords, -1);
}

const char *
cmd_guess_order(const int order[], int n)
{
	begin();
	for (int i = 0; i < n && i < cmd_st.args.n; i++)
		put(cmd_st.args.v[order[i]], true);
	return end(n, -1);
}

const char *
cmd_guess_output(void)
{
	int last = cmd_st.args.n - 1;

	begin();
	for (int i = 0; i < last; i++)
		put(cmd_st.args.v[i], true);
	put("-o", true);
	put(cmd_st.args.v[last], true);
	return end(cmd_st.args.n, -1);
}

const char *
cmd_guess_option(const char *name, const char *value)
{
	begin();
	for (int i = 0; i < cmd_st.nwords; i++)
		put(cmd_st.args.v[i], true);
	put("--", true);
	put(name, false);
	put(value, true);
	return end(cmd_st.nwords, -1);
}

const char *
cmd_guess_other(const char *option, const char *other)
{
	size_t n = strlen(option);

	begin();
	for (int i = 0; i < cmd_st.args.n; i++)
		put(cmd_st.args.v[i], true);
	for (int i = 0; i < cmd_st.given.n; i++) {
		const char *w = cmd_st.given.v[i];

		if (strncmp(w, "--", 2) == 0 && strncmp(w + 2, option, n) == 0 &&
		    strchr("=", w[n + 2])) {
			put("--", true);
			put(other, false);
			put(w + n + 2, false);
		} else {
			put(w, true);
		}
	}
	return line;
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
	bool reduce = axis_option() && strcmp(axis_option()->name, "over") == 0;

	if ((!is_file(word) && !strchr(word, '=')) || !cmd_st.c->choice ||
	    !cmd_st.c->choice(0, &first, &about))
		return NULL;
	begin();
	put(first, true);
	if (reduce && cmd_st.given.n == 0) {
		put("--over", true);
		put("time", true);
	}
	return end(0, -1);
}

/*
 * The word with an assignment in it, "tas=0" or "a.nc:tas+=1": TARGET, OP and the value are three
 * operands. Its parts stand before the values of `file`, another operand, or NULL.
 */
static void
assigned(const char *w, const char *file)
{
	const char *from = strchr(w, ']') ? strchr(w, ']') : w, *eq = strchr(from, '=');
	size_t n = eq ? (size_t)(eq - w) : 0;
	char target[2048], op[3] = "=";

	if (n < 2 || !eq[1])
		return;
	if (strchr("+-*/", w[n - 1])) {
		n--;
		memcpy(op, w + n, 2);
	}
	snprintf(target, sizeof(target), "%s%s%.*s", file ? file : "", file ? ":" : "", (int)n, w);
	if (file ? !is_file(file) || !has_tensor(file, strchr(target, ':') + 1) : !is_file(target))
		return;
	begin();
	put(target, true);
	put(op, true);
	put(eq + 1, true);
	cmd_usage(end(cmd_st.args.n, -1), "\"%s\": TARGET, OP and A are three operands",
	    cmd_name(w));
}

/*
 * Adds AXIS=SPEC or AXIS@SPEC for each -d NAME,LO,HI,STEP of NCO, where HI is taken, and numbers
 * with a point are coordinates. Returns whether there is one.
 */
static bool
hyperslabs(void)
{
	const struct cmd_list *o = &cmd_st.given;
	bool any = false;

	for (int i = 0; i + 1 < o->n; i++) {
		char spec[512], *part[4] = { NULL }, *rest = spec;
		long long hi = 0;
		bool whole = true;
		int n = 0;

		if (strcmp(o->v[i], "-d") != 0 || !strchr(o->v[i + 1], ','))
			continue;
		snprintf(spec, sizeof(spec), "%s", o->v[i + 1]);
		while (n < 4 && (part[n] = strsep(&rest, ",")))
			n++;
		for (int k = 1; k < n; k++)
			whole = whole && strspn(part[k], "-0123456789") == strlen(part[k]) &&
			    !strchr(part[k] + (*part[k] != '\0'), '-');
		put(part[0], true);
		put(whole ? "=" : "@", false);
		put(part[1], false);
		if (n > 2) {
			put(":", false);
			if (whole && *part[2]) {
				char last[32];

				hi = atoll(part[2]) + 1;
				snprintf(last, sizeof(last), "%lld", hi);
				put(hi == 0 ? "" : last, false);
			} else {
				put(part[2], false);
			}
		}
		if (n > 3) {
			put(":", false);
			put(part[3], false);
		}
		any = true;
	}
	return any;
}

/* Ends the line with all options but -d. */
static void
put_options(void)
{
	for (int i = 0; i < cmd_st.given.n; i++)
		if (strcmp(cmd_st.given.v[i], "-d") == 0)
			i++;
		else
			put(cmd_st.given.v[i], true);
}

/* What stands in place of -d NAME,LO,HI; NULL: no such option. */
static const char *
slices_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	bool slice = strcmp(cmd_st.c->name, "axt-slice") == 0;

	used = 0;
	put("axt-slice", false);
	if (!hyperslabs() || a->n == 0 || (!slice && a->n - cmd_st.nwords != 1))
		return NULL;
	put(a->v[a->n - 1], true);
	if (!slice) {
		put(" | ", false);
		put(cmd_st.c->name, false);
		for (int i = 0; i < a->n - 1; i++)
			put(a->v[i], true);
		put("-", true);
	}
	put_options();
	return line;
}

/* axt-move FILE:OLD FILE:NEW, as of files. */
static const char *
moved(void)
{
	const char *from = cmd_st.args.n == 2 ? strchr(cmd_st.args.v[0], ':') : NULL;
	const char *to = from ? strchr(cmd_st.args.v[1], ':') : NULL;
	char both[1024], file[1024];

	to = to ? to + 1 : from ? cmd_st.args.v[1] : NULL;
	if (!to || !is_file(cmd_st.args.v[0]) || strpbrk(to, "=/"))
		return NULL;
	snprintf(both, sizeof(both), "%s=%s", from + 1, to);
	snprintf(file, sizeof(file), "%.*s", (int)(from - cmd_st.args.v[0]), cmd_st.args.v[0]);
	begin();
	put(both, true);
	put(file, true);
	return end(cmd_st.args.n, -1);
}

void
cmd_guess_words(void)
{
	static const char *const files[] = { "FILE", "TARG", "EXPR", "DIR", "NAME=OPERAND" };
	const struct cmd *c = cmd_st.c;
	int next;
	const char *example, *first = cmd_st.args.n > 0 ? cmd_st.args.v[0] : "";

	if (strcmp(c->name, "axt-assign") == 0)
		for (int i = 0; i < cmd_st.args.n && cmd_st.args.n < 3; i++) {
			assigned(cmd_st.args.v[i], NULL);
			if (cmd_st.args.n == 2)
				assigned(cmd_st.args.v[i], cmd_st.args.v[1 - i]);
		}
	if (strcmp(c->name, "axt-slice") == 0 && cmd_st.args.n == 1 && slices_of())
		cmd_usage(line, "-d is the dataset here: parts are AXIS=SPEC or AXIS@SPEC");
	if (strcmp(c->name, "axt-move") == 0 && moved())
		cmd_usage(line, "operand OLD=NEW,... is missing before \"%s\"", cmd_name(first));
	example = c->choice && strncmp(c->words[0], "EXPR", 4) != 0 ? cmd_guess_choice(first)
								    : NULL;
	if (example)
		cmd_usage(example, "operand %s is missing before \"%s\"", c->words[0],
		    cmd_name(first));
	for (int i = c->choice ? 1 : 0; i < 4 && c->words[i] && i < cmd_st.args.n; i++) {
		for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++)
			if (strncmp(c->words[i], files[k], strlen(files[k])) == 0)
				return;
		if ((c->flags & CMD_SPECS) || !is_file(cmd_st.args.v[i]))
			continue;
		next = i + 1 < cmd_st.args.n && !is_file(cmd_st.args.v[i + 1]) ? i + 1 : -1;
		example = next > 0                         ? cmd_st.args.v[next]
		    : strncmp(c->words[i], "AXIS", 4) == 0 ? "time"
		    : strncmp(c->words[i], "AXES", 4) == 0 ? "time"
							   : c->words[i];
		begin();
		for (int k = 0; k < i; k++)
			put(cmd_st.args.v[k], true);
		put(example, true);
		cmd_usage(end(i, next), "operand %s is missing before \"%s\"", c->words[i],
		    cmd_name(cmd_st.args.v[i]));
	}
}

/* The tensor that the graph's error says is no file; -1: the error is another. */
static int
not_there(const char *error)
{
	for (int i = 0; i < cmd_st.args.n; i++) {
		const char *name = cmd_name(cmd_st.args.v[i]);
		size_t n = strlen(name);

		if (strncmp(error, name, n) == 0 &&
		    strncmp(error + n, ": No such file", strlen(": No such file")) == 0)
			return i;
	}
	return -1;
}

/*
 * axt-rename renames axes; without an output the dataset is renamed in its file. NULL: the word is
 * not DATASET=NEW.
 */
static const char *
new_name_of_dataset(void)
{
	const char *word = cmd_st.args.v[0], *eq = strchr(word, '='), *file = cmd_st.args.v[1];
	char old[256], both[4096], alone[2048];
	size_t n = strlen(file);

	if (strcmp(cmd_st.c->name, "axt-rename") != 0 || !eq || strpbrk(eq, ",:"))
		return NULL;
	snprintf(old, sizeof(old), "%.*s", (int)(eq - word), word);
	if (n > strlen(old) && strcmp(file + n - strlen(old), old) == 0 &&
	    file[n - strlen(old) - 1] == ':') {
		snprintf(alone, sizeof(alone), "%.*s", (int)(n - strlen(old) - 1), file);
		file = alone;
	}
	if (!is_file(file) || !has_tensor(file, old))
		return NULL;
	snprintf(both, sizeof(both), "%s:%s", file, old);
	used = 0;
	put(cmd_st.given.n > 0 ? "axt-copy" : "axt-move", false);
	put(cmd_st.given.n > 0 ? both : word, true);
	put(cmd_st.given.n > 0 ? "--name" : file, true);
	if (cmd_st.given.n > 0)
		put(eq + 1, true);
	return end(cmd_st.args.n, -1);
}

/*
 * The line with FILE:NAME for NAME, an option's value, if a file of the operands has such a
 * dataset.
 */
static const char *
dataset_of(const char *error)
{
	const char *colon = strstr(error, ": No such file");
	char both[2048], name[256];

	snprintf(name, sizeof(name), "%.*s", (int)(colon ? colon - error : 0), error);
	for (int i = cmd_st.nwords; colon && i < cmd_st.args.n; i++) {
		const char *w = cmd_st.args.v[i];
		struct axt_graph *g = is_file(w) ? axt_graph_new() : NULL;

		snprintf(both, sizeof(both), "%.*s:%s", (int)strcspn(w, ":"), w, name);
		if (!g)
			continue;
		axt_open(g, both, NULL);
		i += axt_graph_error(g) ? 0 : cmd_st.args.n;
		axt_graph_free(g);
		if (i < cmd_st.args.n)
			continue;
		begin();
		for (int k = 0; k < cmd_st.args.n; k++)
			put(cmd_st.args.v[k], true);
		for (int k = 0; k < cmd_st.given.n; k++)
			put(strcmp(cmd_st.given.v[k], name) == 0 ? both : cmd_st.given.v[k], true);
		return line;
	}
	return NULL;
}

/* An attribute of a tensor, typed as in NCO or Python: "tas@units=K" and "tas:units=K". */
static const char *
attribute_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *file = a->n > 1 ? a->v[a->n - 1] : "";
	char object[256], both[2048];

	for (int i = 0; i < a->n - 1; i++) {
		const char *w = a->v[i], *eq = strchr(w, '='), *mark = strpbrk(w, "@:");

		if (!eq || !mark || mark >= eq - 1 || mark == w || !is_file(file))
			continue;
		snprintf(object, sizeof(object), "%.*s", (int)(mark - w), w);
		if (!has_tensor(file, object) && *mark == ':')
			continue;
		begin();
		for (int k = 0; k < a->n - 1; k++)
			if (k != i)
				put(a->v[k], true);
		if (has_tensor(file, object)) {
			snprintf(both, sizeof(both), "%s:%s", file, object);
			put(mark + 1, true);
			put(both, true);
		} else {
			snprintf(both, sizeof(both), "%s:%s", object, mark + 1);
			put(both, true);
			put(file, true);
		}
		return end(a->n, -1);
	}
	return NULL;
}

/* A part of an operand, typed as in Python: FILE:DATASET[lat=0]. TARGET of axt-assign is such. */
static const char *
part_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char both[2048];

	for (int i = strcmp(cmd_st.c->name, "axt-assign") == 0; i < a->n; i++) {
		const char *w = a->v[i], *open = strchr(w, '[');
		size_t n = strlen(w);

		snprintf(both, sizeof(both), "%.*s", (int)(open ? open - w : 0), w);
		if (!open || w[n - 1] != ']' || !strpbrk(open, "=@") || !is_file(both))
			continue;
		used = 0;
		put("axt-slice", false);
		snprintf(both, sizeof(both), "%.*s", (int)(w + n - 2 - open), open + 1);
		for (char *s = both, *rest; s; s = rest) {
			rest = strchr(s, ',');
			if (rest)
				*rest++ = '\0';
			put(s, true);
		}
		snprintf(both, sizeof(both), "%.*s", (int)(open - w), w);
		put(both, true);
		put(" | ", false);
		put(cmd_st.c->name, false);
		for (int k = 0; k < a->n; k++)
			put(k == i ? "-" : a->v[k], true);
		return end(a->n, -1);
	}
	return NULL;
}

/* "> FILE" where FILE is an operand: the shell has emptied it before the command ran. */
static const char *
emptied(const char *error)
{
	struct stat out, in;

	if (!strstr(error, ": is empty") || fstat(STDOUT_FILENO, &out) != 0 || out.st_size > 0)
		return NULL;
	for (int i = 0; i < cmd_st.args.n; i++)
		if (stat(cmd_st.args.v[i], &in) == 0 && in.st_ino == out.st_ino &&
		    in.st_dev == out.st_dev) {
			begin();
			for (int k = 0; k < cmd_st.args.n; k++)
				put(cmd_st.args.v[k], true);
			put("-o", true);
			put(cmd_st.args.v[i], true);
			put(" replaces it; \">\" empties it first", false);
			return end(cmd_st.args.n, -1);
		}
	return NULL;
}

/* A file with several tensors where one is meant: the same line with --each. */
static const char *
each_of(const char *error)
{
	const char *at = strstr(error, " holds several tensors: ");
	bool operand = false;
	char one[2048];

	for (int i = cmd_st.nwords; at && i < cmd_st.args.n; i++) {
		const char *name = cmd_name(cmd_st.args.v[i]);

		operand = operand ||
		    (strlen(name) == (size_t)(at - error) &&
			strncmp(error, name, strlen(name)) == 0);
	}
	if (!operand || cmd_st.o.each || (cmd_st.c->flags & (CMD_LISTS | CMD_NAMED)) ||
	    !(cmd_st.c->flags & (CMD_WRITES | CMD_FILES)))
		return NULL;
	begin();
	put("--each", true);
	for (int i = 0; i < cmd_st.args.n; i++)
		put(cmd_st.args.v[i], true);
	end(cmd_st.args.n, -1);
	put(" does it with each of them; one is", false);
	at += strlen(" holds several tensors: ");
	snprintf(one, sizeof(one), "%.*s:%.*s", (int)strcspn(error, " "), error,
	    (int)strcspn(at, ", "), at);
	put(one, true);
	return line;
}

/* Names of files with a star that was quoted, so that the shell has not replaced it. */
static const char *
quoted_star(const char *error)
{
	char name[2048];
	glob_t found;
	bool any = false, each = false;

	begin();
	for (int i = 0; i < cmd_st.args.n; i++) {
		const char *w = cmd_st.args.v[i], *colon = strchr(w, ':');
		size_t n = colon ? (size_t)(colon - w) : strlen(w);

		snprintf(name, sizeof(name), "%.*s", (int)n, w);
		if (!strpbrk(name, "*?[") || strchr(name, ' ') || is_file(name) ||
		    strncmp(error, name, n) != 0 || strncmp(error + n, ": No such file", 14) != 0 ||
		    glob(name, 0, NULL, &found) != 0) {
			put(w, true);
			continue;
		}
		globfree(&found);
		if (colon && strcmp(colon, ":*") == 0 && !cmd_st.o.each && !each)
			put("--each", true);
		else if (colon && strcmp(colon, ":*") != 0 && !each) {
			put("-d", true);
			put(colon + 1, true);
		}
		each = each || colon;
		any = true;
		put(" ", false);
		put(name, false);
	}
	return any ? end(cmd_st.args.n, -1) : NULL;
}

/* Copies what stands between the brackets of a spec, with ":" for "," in slice(...). */
static char *
unbracket(char *out, const char **from)
{
	const char *p = *from;
	bool range = strncmp(p, "slice(", 6) == 0 || strncmp(p, "range(", 6) == 0;

	p += range ? 6 : 1;
	for (; *p && !strchr(")]", *p); p++)
		if (*p != ' ')
			*out++ = range && *p == ',' ? ':' : *p;
	*from = p + (*p != '\0');
	return out;
}

/*
 * Specs with brackets of Python, or several in one word: time=slice(0,5), time=[0,1],
 * lat=0,lon=0.
 */
static const char *
python_specs(void)
{
	const struct cmd_list *a = &cmd_st.args;
	bool changed = false;
	char text[1024];

	if (!(cmd_st.c->flags & CMD_SPECS) && strcmp(cmd_st.c->name, "axt-interp") != 0)
		return NULL;
	begin();
	for (int i = 0; i < a->n; i++) {
		const char *p = a->v[i], *sign;
		char *out = text;

		if (strlen(p) >= sizeof(text) / 2)
			return NULL;
		while (*p) {
			if ((strncmp(p, "slice(", 6) == 0 || strncmp(p, "range(", 6) == 0 ||
				*p == '[') &&
			    p > a->v[i] && strchr("=@", p[-1])) {
				out = unbracket(out, &p);
				changed = true;
				continue;
			}
			sign = *p == ',' ? strpbrk(p + 1, ",=@") : NULL;
			if (sign && *sign != ',' && sign > p + 1 && strpbrk(a->v[i], "=@") < p) {
				*out = '\0';
				put(text, true);
				out = text;
				changed = true;
			} else {
				*out++ = *p;
			}
			p++;
		}
		*out = '\0';
		put(text, true);
	}
	return changed ? end(a->n, -1) : NULL;
}

/* axt-rename OLD:NEW, OLD,NEW and "OLD->NEW", as in dictionaries, in NCO and CDO. */
static const char *
renamed(void)
{
	const char *w = cmd_st.args.v[0], *mark = strpbrk(w, ",:-");
	const char *to = mark ? mark + strspn(mark, ",:-> ") : w;
	char both[1024];

	if (strcmp(cmd_st.c->name, "axt-rename") != 0 || strchr(w, '=') || !mark || mark == w ||
	    !*to || strpbrk(to, ",:"))
		return NULL;
	snprintf(both, sizeof(both), "%.*s=%s", (int)(mark - w), w, to);
	begin();
	put(both, true);
	return end(1, -1);
}

static bool
ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n > t && strcmp(s + n - t, tail) == 0;
}

/* A product without a sign in an expression, as in mathematics: 2tas. */
static const char *
product(const char *error)
{
	const char *w = cmd_st.args.v[0], *p = w;
	char text[1024];
	size_t n;

	if (strncmp(error, "the expression has none of the names", 36) != 0)
		return NULL;
	while (*(p += strcspn(p, "0123456789")) && p > w &&
	    (p[-1] == '_' || ((p[-1] | 32) >= 'a' && (p[-1] | 32) <= 'z')))
		p += strspn(p, "0123456789");
	n = strspn(p, "0123456789.");
	if (n == 0 || (p[n] | 32) < 'a' || (p[n] | 32) > 'z')
		return NULL;
	snprintf(text, sizeof(text), "%.*s*%s", (int)(p + n - w), w, p + n);
	begin();
	put(text, true);
	return end(1, -1);
}

/* axt-to FORMAT A, without a name of a file; axt-to x.nc A, which axt-copy writes. */
static const char *
other_format(const char *error)
{
	static const char *const hdf5[] = { ".nc", ".nc4", ".h5", ".hdf5", ".hdf" };
	const char *w = cmd_st.args.v[0], *a = cmd_st.args.n > 1 ? cmd_st.args.v[1] : "";
	const char *base = strrchr(a, '/') ? strrchr(a, '/') + 1 : a;
	char file[1024];

	if (strcmp(cmd_st.c->name, "axt-to") != 0 || !strstr(error, ": the name tells no format"))
		return NULL;
	for (size_t i = 0; i < sizeof(hdf5) / sizeof(hdf5[0]); i++)
		if (ends_with(w, hdf5[i])) {
			used = 0;
			put("axt-copy", false);
			for (int k = 1; k < cmd_st.args.n; k++)
				put(cmd_st.args.v[k], true);
			put("-o", true);
			put(w, true);
			return end(cmd_st.args.n, -1);
		}
	if (cmd_choice(cmd_formats, w) < 1 || !is_file(a))
		return NULL;
	snprintf(file, sizeof(file), "%.*s.%s", (int)strcspn(base, ".:"), base, w);
	begin();
	put(file, true);
	return end(1, -1);
}

/* One of several results has the name of an axis: the axis gets another one first. */
static const char *
axis_as_result(const char *error)
{
	static const char before[] = "tensor \"", after[] = "\" has the name of ";
	const char *from = strstr(error, before), *to = from ? strstr(from, after) : NULL;
	char name[256], other[300], both[600];

	if (!to || cmd_results.n < 2 || cmd_st.args.n - cmd_st.nwords != 1)
		return NULL;
	from += strlen(before);
	snprintf(name, sizeof(name), "%.*s", (int)(to - from), from);
	snprintf(other, sizeof(other), "%s_axis", name);
	snprintf(both, sizeof(both), "%s=%s", name, other);
	used = 0;
	put("axt-rename", false);
	put(both, true);
	put(cmd_st.args.v[cmd_st.args.n - 1], true);
	put(" | ", false);
	put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		put(cmd_st.args.v[i], true);
	put("-", true);
	for (int i = 0; i < cmd_st.given.n; i++)
		put(strcmp(cmd_st.given.v[i], name) == 0 ? other : cmd_st.given.v[i], true);
	return line;
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
cmd_guess_sure(const char *error)
{
	const char *guess = emptied(error);

	guess = guess ? guess : each_of(error);
	guess = guess ? guess : quoted_star(error);
	if (!guess && cmd_st.args.n > 0 && !(guess = renamed()) && !(guess = other_format(error)) &&
	    !(guess = product(error)))
		guess = axis_as_result(error);
	if (!guess && strstr(error, ": no dataset \""))
		guess = slices_of();
	if (!guess && (strstr(error, " is no position (") || strstr(error, " is no number")))
		guess = python_specs();
	if (guess)
		return guess;
	return strcmp(cmd_st.c->name, "axt-attr") == 0 ? attribute_of() : part_of();
}

/* axt-cast of missing values to integers: packing declares a number for them. */
static const char *
packed(const char *error)
{
	if (strcmp(cmd_st.c->name, "axt-cast") != 0 || !cmd_st.o.dtype ||
	    strncmp(error, "nan does not fit ", 17) != 0 || !strchr("iu", error[17]))
		return NULL;
	begin();
	for (int i = 0; i < cmd_st.given.n; i++)
		put(strcmp(cmd_st.given.v[i], "--dtype") == 0 ? "--pack" : cmd_st.given.v[i], true);
	for (int i = 0; i < cmd_st.args.n; i++)
		put(cmd_st.args.v[i], true);
	return line;
}

const char *
cmd_guess_failed(const char *error)
{
	struct cmd_list *a = &cmd_st.args;
	int i = not_there(error), last = a->n - 1, want = 0;
	const char *w;

	if (i < 0 && packed(error))
		return line;
	if (i < 0)
		return a->n == 2 && new_name_of_dataset() ? line : dataset_of(error);
	w = a->v[i];
	for (int f = cmd_st.nwords; f <= last && i >= cmd_st.nwords; f++)
		if (f != i && is_file(a->v[f]) && (has_tensor(a->v[f], w) || is_part(w)))
			return word_and_file(i, f);
	if (i > 0 && i == last && is_file(a->v[0]) &&
	    (strcmp(cmd_st.c->name, "axt-calc") == 0 || strcmp(cmd_st.c->name, "axt-to") == 0 ||
		strcmp(cmd_st.c->name, "axt-attr") == 0)) {
		begin();
		for (int k = 1; k <= last; k++)
			put(a->v[k], true);
		put(a->v[0], true);
		return end(a->n, -1);
	}
	if (strchr("<>=!", w[0])) {
		begin();
		for (int k = 0; k <= last; k++)
			put(k == i ? w + strspn(w, "<>=! ") : a->v[k], true);
		return end(a->n, -1);
	}
	if (strpbrk(w, "<>!&|+*") && !strchr(w, ':')) {
		used = 0;
		put("axt-calc", false);
		put(w, true);
		for (int k = 0; k <= last; k++)
			if (is_file(a->v[k]))
				put(a->v[k], true);
		return line;
	}
	while (want < 4 && cmd_st.c->in[want])
		want++;
	if (i == last && i - cmd_st.nwords >= (want ? want : 1) && strchr(w, '.') &&
	    !cmd_st.o.output && (cmd_st.c->flags & CMD_WRITES))
		return cmd_guess_output();
	return NULL;
}
