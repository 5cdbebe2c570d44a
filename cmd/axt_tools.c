/*
 * axt_tools.c - command lines of CDO, and words of other tools, as lines of axt: those of
 * foreign.def with the files, arguments and output that were typed.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "axt_line.h"
#include "axt_operation.h"

/* What an operator reads: FILE[:DATASET], or what a pipeline writes to standard output. */
struct input {
	char text[1500];
	bool piped;
	int tensors; /* how many it has, 2 for more; 0: not known */
	char first[64], second[64];
};

struct text {
	char s[1500];
	size_t n;
};

/* The words that were typed, but for options, and what options have told. */
struct words {
	const char *v[64];
	int n, at;
	const char *part[8]; /* words that are AXIS=SPEC or AXIS@SPEC */
	int parts;
	const char *out, *axes;
	struct text before; /* commands that make temporary files, each with "&&" behind it */
	int files;          /* how many temporary files there are */
	char none[600];     /* what axt has not */
};

__attribute__((format(printf, 2, 3))) static void
add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (t->n < sizeof(t->s))
		t->n += (size_t)vsnprintf(t->s + t->n, sizeof(t->s) - t->n, fmt, ap);
	va_end(ap);
}

static void
file_input(const char *word, struct input *in)
{
	const char *colon = strchr(word, ':');
	struct axt_graph *g = axt_graph_new();
	const char *const *names = g && !colon ? axt_tensors(g, word) : NULL;

	memset(in, 0, sizeof(*in));
	snprintf(in->text, sizeof(in->text), "%s", word);
	if (colon) {
		in->tensors = strpbrk(colon, "*?,") ? 2 : 1;
		snprintf(in->first, sizeof(in->first), "%.*s", (int)strcspn(colon + 1, ","),
		    colon + 1);
	}
	for (; names && *names && in->tensors < 2; names++)
		snprintf(in->tensors++ ? in->second : in->first, sizeof(in->first), "%s",
		    *names + (**names == '/'));
	/* names that lines have themselves stay where they are */
	if (in->tensors == 2 && (strcmp(in->first, "pr") == 0 || strcmp(in->second, "tas") == 0)) {
		char first[sizeof(in->first)];

		memcpy(first, in->first, sizeof(first));
		memcpy(in->first, in->second, sizeof(first));
		memcpy(in->second, first, sizeof(first));
	}
	axt_graph_free(g);
}

/* The files of the lines in foreign.def; the last two stand for any number of them. */
static const char *const places[] = { "a.nc", "b.nc", "clim.nc", "mask.nc", "y2001.nc",
	"y2002.nc" };
enum { PLACES = 6, MANY = 4 };

/* The place in a word of n bytes, at its beginning or behind "=", "@" or a quote; -1: none. */
static int
place_in(const char *w, size_t n, const char **at)
{
	for (const char *p = w; p < w + n; p++)
		for (int k = 0; k < PLACES; k++) {
			size_t len = strlen(places[k]);

			if (strncmp(p, places[k], len) == 0 && p + len <= w + n &&
			    strchr(":' ", p[len]) && (p == w || strchr("=@'", p[-1]))) {
				*at = p;
				return k;
			}
		}
	return -1;
}

/* The length of the word at p, which may have quotes. */
static size_t
word_length(const char *p)
{
	size_t n = 0;

	for (bool quoted = false; p[n] && (quoted || p[n] != ' '); n++)
		quoted = quoted != (p[n] == '\'');
	return n;
}

/* What a line reads: its places in the order in which they stand. */
struct reads {
	int n, place[PLACES], times[PLACES], stage[PLACES];
	bool many;
};

static void
find_places(const char *line, struct reads *r)
{
	int stage = 0;

	memset(r, 0, sizeof(*r));
	for (size_t n; *line; line += n + (line[n] == ' ')) {
		const char *at;
		int k, i = 0;

		n = word_length(line);
		stage += n == 1 && *line == '|';
		k = place_in(line, n, &at);
		if (k < 0)
			continue;
		r->many = r->many || k >= MANY;
		while (i < r->n && r->place[i] != k)
			i++;
		if (i == r->n) {
			r->place[r->n++] = k;
			r->stage[i] = stage;
		}
		r->times[i]++;
	}
	if (r->n == 2 && r->place[0] == 1 && r->place[1] == 0) { /* a.nc is what is typed first */
		struct reads o = *r;

		for (int i = 0; i < 2; i++) {
			r->place[i] = o.place[1 - i];
			r->times[i] = o.times[1 - i];
			r->stage[i] = o.stage[1 - i];
		}
	}
}

/*
 * Adds the word of n bytes at w, with the input put in for its placeholder, such as a.nc, which
 * begins at p. `one`: the command takes one tensor only. `arg`: arguments that were typed, NULL if
 * there are none; a dataset that is named there stays in the word.
 */
static void
add_operand(struct text *t, const char *w, size_t n, const char *p, const struct input *in,
    bool one, const char *arg)
{
	const char *base = in->piped ? "-" : in->text, *rest = p + strcspn(p, ":' ");
	size_t len = (size_t)(w + n - rest) - (n > 0 && w[n - 1] == '\''), head;
	bool typed = arg && len > 1 && strlen(arg) == len - 1 &&
	    strncmp(rest + 1, arg, len - 1) == 0;
	bool field = memchr(rest, '.', len) || strncmp(rest, ":time", 5) == 0 ||
	    strncmp(rest, ":l", 2) == 0;
	char both[1600], word[1800], quoted[2000];

	if (*w == '\'')
		w++;
	head = (size_t)(p - w);
	if (len == 0)
		snprintf(both, sizeof(both), "%s", base);
	else if (typed || field || rest[1] == '$')
		snprintf(both, sizeof(both), "%.*s%.*s", (int)strcspn(base, ":"), base, (int)len,
		    rest);
	else if (in->tensors < 2 || strchr(base, ':'))
		snprintf(both, sizeof(both), "%s", base);
	else
		snprintf(both, sizeof(both), "%s:%s", base,
		    strncmp(rest, ":pr", len) == 0            ? in->second
			: one || (head > 0 && rest[1] != '*') ? in->first
							      : "*");
	snprintf(word, sizeof(word), "%.*s%s", (int)head, w, both);
	/* a name that the shell puts in is not quoted */
	add(t, " %s", rest[1] == '$' ? word : axt_quoted_to(quoted, sizeof(quoted), word));
}

/* The tensor of the input for the name at p in an expression, which a line calls so; or NULL. */
static const char *
tensor_for(const struct input *in, const char *p, size_t *n)
{
	static const char *const names[] = { "tas", "pr" };
	const char *const own[] = { in->first, in->second };

	for (int k = 0; k < 2; k++) {
		*n = strlen(names[k]);
		if (strncmp(p, names[k], *n) == 0 && !isalnum((unsigned char)p[-1]) &&
		    p[-1] != '_' && !isalnum((unsigned char)p[*n]) && p[*n] != '_' && *own[k])
			return own[k];
	}
	return NULL;
}

/* Adds a word; if it is an expression, with tensors of the input for "tas" and "pr". */
static void
add_word(struct text *t, const char *w, size_t n, const struct input *in)
{
	add(t, " ");
	for (size_t i = 0, k; i < n; i += k) {
		const char *own = *w == '\'' && in && i > 0 ? tensor_for(in, w + i, &k) : NULL;

		if (own)
			add(t, "%s", own);
		else
			add(t, "%.*s", (int)(k = 1), w + i);
	}
}

/* Whether the line makes a file of its own, or none. */
static bool
has_no_output(const char *line)
{
	static const char *const names[] = { "axt-info", "axt-print", "axt-attr", "axt-split",
		"axt-equal", "axt-remove", "axt-move" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(line, names[i], strlen(names[i])) == 0)
			return true;
	return strstr(line, " -p") || strstr(line, "| axt-print");
}

/* Whether the command at p, up to the next "|", has the operand "-". */
static bool
reads_stream(const char *p)
{
	const char *dash = strstr(p, " - "), *bar = strstr(p, " | ");

	return dash && (!bar || dash < bar);
}

/* The line with inputs in its places; out: the output, or NULL. */
static void
fill(struct text *t, const char *line, const struct input *in, int n_in, const struct reads *r,
    const struct words *w, const char *out, const char *arg)
{
	/* commands that take one tensor alone */
	static const char single[] = "axt-attr axt-to axt-hist";
	bool one = strstr(line, "--name ") || strstr(line, "--grid ") ||
	    axt_has_word(single, advice_text("%.*s", (int)strcspn(line, " "), line));
	bool written = has_no_output(line), several = n_in > 0 && in[0].tensors > 1 && !one;
	const char *bar = strchr(line, '|');
	size_t n, begin = t->n;

	if (!out && strstr(line, "&&"))
		out = "c.nc";
	for (const char *p = line; *p; p += n + (p[n] == ' ')) {
		const char *at;
		int k, i = 0;

		n = word_length(p);
		bar = *p == '|' ? p : bar;
		k = place_in(p, n, &at);
		while (k >= 0 && i < r->n && r->place[i] != k)
			i++;
		if (k > MANY)
			continue;
		if (k == MANY)
			for (i = 0; i < n_in; i++)
				add_operand(t, p, n, at, &in[i], one, arg);
		else if (k >= 0)
			add_operand(t, p, n, at, &in[i], one, arg);
		else if (several && bar && p > bar && n == 1 && *p == '-')
			add(t, " '-:*'");
		else if (several && bar && p == bar + 2 && strncmp(p, "axt-", 4) == 0 &&
		    !has_no_output(p) && !reads_stream(p))
			add(t, " %.*s --each", (int)n, p);
		else if (strncmp(p, "-o ", 3) == 0 && !out && p[3] != '$')
			n = 3 + word_length(p + 3);
		else if (out && strncmp(p, "c.", 2) == 0) {
			written = true;
			add(t, " %s%.*s", out, (int)(n - strcspn(p, ": ")),
			    p + (strcspn(p, ": ") < n ? strcspn(p, ": ") : n));
		} else if (w->axes &&
		    (strncmp(p, "--over ", 7) == 0 || strncmp(p, "--along ", 8) == 0)) {
			size_t option = n;

			n += 1 + word_length(p + n + 1);
			add(t, " %.*s %s", (int)option, p, w->axes);
		} else {
			add_word(t, p, n, n_in > 0 ? in : NULL);
		}
	}
	if (out && !written)
		add(t, " -o %s", out);
	memmove(t->s + begin, t->s + begin + 1, strlen(t->s + begin));
	t->n--;
}

static bool
is_operator(const char *w)
{
	return w[0] == '-' && isalpha((unsigned char)w[1]) && w[2] != '\0';
}

/* Whether the word chooses an operation of that command. */
static bool
is_choice_of(const char *command, const char *name)
{
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	const struct axt_chooser *chooser = op ? axt_operation_chooser(op) : NULL;

	return chooser && strcmp(chooser->all.name, command) == 0;
}

bool
cmd_guess_operation(const char *name, char *out, size_t n)
{
	const char *ours = axt_foreign_name(name, 0);
	const struct axt_alias *alias;
	const struct axt_operation *op = axt_operation_named(name, &alias);
	char first[40]; /* std of "std --ddof 1" */

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, " "), name);
	if (is_choice_of("map", name))
		snprintf(out, n, "axt-map %s a.nc:tas", op->name);
	else if (strcmp(name, "quantile") == 0)
		snprintf(out, n, "axt-reduce quantile:0.9 --over time a.nc:tas");
	else if (is_choice_of("reduce", first))
		snprintf(out, n, "axt-reduce %s --over time a.nc:tas", name);
	else if (op && (op->flags & AXT_OPERATION_NUMBERS) && strcmp(op->operands, "A B") == 0)
		snprintf(out, n, "axt-%s a.nc:tas b.nc:tas", op->name);
	else
		return ours && cmd_guess_operation(ours, out, n);
	return true;
}

/* The line of one word, with its arguments: of foreign.def, or of an operation of that name. */
static bool
line_of_word(const char *word, char *line, size_t n)
{
	char name[128];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, ","), word);
	return axt_foreign_line(word, line, n) || cmd_guess_operation(name, line, n);
}

/*
 * Replaces the specs in a line of axt-slice by those that were typed. `positions`: a typed "="
 * selects by position, as in isel of xarray; otherwise by coordinate. Returns false if the line is
 * of another command.
 */
static bool
put_parts(char *line, size_t size, struct words *w, bool positions)
{
	const char *rest = line + strlen("axt-slice ");
	char text[600], part[500], quoted[600];
	size_t n;

	if (strncmp(line, "axt-slice ", strlen("axt-slice ")) != 0)
		return false;
	n = (size_t)snprintf(text, sizeof(text), "axt-slice");
	for (int i = 0; i < w->parts; i++) {
		const char *p = w->part[i];
		size_t axis = strcspn(p, "=@");

		snprintf(part, sizeof(part), "%.*s%c%s", (int)axis, p, positions ? p[axis] : '@',
		    p + axis + 1);
		if (n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %s",
			    axt_quoted_to(quoted, sizeof(quoted), part));
	}
	while (strcspn(rest, "=@ ") < strcspn(rest, " "))
		rest += strcspn(rest, " ") + 1;
	if (n < sizeof(text))
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %s", rest);
	w->parts = 0;
	return n < sizeof(text) && snprintf(line, size, "%s", text) < (int)size;
}

static bool read_operator(struct words *w, const char *out, struct input *res);

/*
 * Reads the inputs of an operator of CDO, at most `most`: files, or other operators. One operator
 * may write its result to a pipe in front of the line, if the line reads that input once, in its
 * first stage, and takes a fixed number of inputs. Commands before the line write the results of
 * the others to temporary files. Returns how many inputs there are; 0 if the words cannot be read.
 */
static int
read_inputs(struct words *w, const struct reads *r, struct input *in, int most)
{
	int n = 0, piped = 0;

	for (; n < (r->many ? most : r->n) && (w->at < w->n || !r->many); n++) {
		if (w->at >= w->n || (!is_operator(w->v[w->at]) && !advice_is_file(w->v[w->at])))
			return 0;
		if (!is_operator(w->v[w->at]))
			file_input(w->v[w->at++], &in[n]);
		else if (!read_operator(w, NULL, &in[n]))
			return 0;
		if (in[n].piped && (r->many || r->times[n] > 1 || r->stage[n] > 0 || piped++)) {
			add(&w->before, "%s -o t%d.nc && ", in[n].text, ++w->files);
			snprintf(in[n].text, sizeof(in[n].text), "t%d.nc", w->files);
			in[n].piped = false;
			piped -= piped > 1;
		}
	}
	return n;
}

/* Passes over least and greatest values, which percentiles over times read for their bins. */
static bool
pass_extremes(struct words *w, const char *op)
{
	static const char periods[] = "tim year seas mon day hour ymon yday yseas ydrun timsel";
	const char *pctl = strstr(op, "pctl");
	struct input skipped;

	if (!pctl || !axt_has_word(periods, advice_text("%.*s", (int)(pctl - op), op)))
		return true;
	for (int i = 0; i < 2 && w->at < w->n; i++)
		if (!is_operator(w->v[w->at]))
			w->at++;
		else if (!read_operator(w, NULL, &skipped))
			return false;
	return true;
}

/* Writes what is typed for an operator with that line, of n inputs, to *res. */
static bool
put_operator(struct words *w, const char *line, struct input *in, int n, struct reads *r,
    const char *out, const char *arg, struct input *res)
{
	const char *eq = arg ? strchr(arg, '=') : NULL;
	struct text t = { .n = 0 };

	if (eq && !memchr(arg + 1, ',', (size_t)(eq - arg - 1)))
		arg = eq; /* select,name=tas */
	for (int i = 0; i < n; i++)
		if (in[i].piped)
			add(&t, "%s | ", in[i].text);
	fill(&t, line, in, n, r, w, out, arg ? arg + 1 : NULL);
	if (t.n >= sizeof(res->text))
		return false;
	*res = in[0];
	res->piped = true;
	snprintf(res->text, sizeof(res->text), "%s", t.s);
	if (!out && strncmp(t.s, "axt-copy ", 9) == 0 && !strchr(t.s + 9, ' ') && !in[0].piped)
		file_input(t.s + 9, res);
	else if (arg && strncmp(line, "axt-copy ", 9) == 0 && !strchr(arg + 1, ','))
		res->tensors = 1;
	return true;
}

/* Reads one operator and what it reads, and writes what is typed here to *res. */
static bool
read_operator(struct words *w, const char *out, struct input *res)
{
	enum { MOST = 32 };
	const char *word = w->v[w->at++], *op = word + (*word == '-'), *arg = strchr(op, ',');
	struct input *in;
	struct reads r;
	char line[600], own[600], *over;
	bool good;
	int n;

	if (!line_of_word(op, line, sizeof(line)))
		return false;
	if (!w->axes && !axt_foreign_line(op, own, sizeof(own)) &&
	    (over = strstr(line, "--over time ")))
		memmove(over, over + 12, strlen(over + 12) + 1);
	if (w->parts > 0 && !put_parts(line, sizeof(line), w, word[0] == 'i' || word[0] == 'n'))
		return false;
	if (strncmp(line, "axt has", 7) == 0) {
		snprintf(w->none, sizeof(w->none), "%s", line);
		return false;
	}
	find_places(line, &r);
	in = calloc(MOST, sizeof(*in));
	n = in ? read_inputs(w, &r, in, MOST) : 0;
	good = n > 0 && pass_extremes(w, op) && put_operator(w, line, in, n, &r, out, arg, res);
	free(in);
	return good;
}

/* Options before and behind the words: axes and the output are kept, those of CDO left out. */
static void
sort_words(struct words *w, int n, char *const v[])
{
	static const char *const axes[] = { "--over", "--along", "--dim", "--axis" };

	memset(w, 0, sizeof(*w));
	for (int i = 0; i < n && w->n < 64; i++) {
		size_t len = strcspn(v[i], "=");
		bool used = false;

		for (size_t k = 0; k < sizeof(axes) / sizeof(axes[0]); k++)
			if (strlen(axes[k]) == len && strncmp(v[i], axes[k], len) == 0) {
				w->axes = v[i][len] ? v[i] + len + 1 : i + 1 < n ? v[++i] : NULL;
				used = true;
			}
		if (used)
			continue;
		if (strcmp(v[i], "-o") == 0 && i + 1 < n)
			w->out = v[++i];
		else if (v[i][0] == '-' && strchr("fbPkzt", v[i][1]) && v[i][1] && v[i][2] == '\0')
			i++;
		else if (i > 0 && w->parts < 8 && !is_operator(v[i]) && line_is_part(v[i]) &&
		    !advice_is_file(v[i]))
			w->part[w->parts++] = v[i];
		else if (v[i][0] != '-' || is_operator(v[i]))
			w->v[w->n++] = v[i];
	}
}

/*
 * Parts "select,name=tas,level=850" into two operators, each of which selects by one; names come
 * last, since they are read from the file alone. Returns how many operators there are instead.
 */
static int
part_select(const char *word, const char *to[], int most)
{
	const char *s = word + strlen("-select,"), *names = NULL;
	int n = 0;

	if (strncmp(word, "-select,", strlen("-select,")) != 0)
		return 0;
	while (*s && n + 1 < most) {
		const char *end = s + strcspn(s, ","), *one;

		while (*end && strcspn(end + 1, ",") <= strcspn(end + 1, "="))
			end += 1 + strcspn(end + 1, ",");
		one = advice_text("-select,%.*s", (int)(end - s), s);
		if (strncmp(s, "name=", 5) == 0 && !names)
			names = one;
		else
			to[n++] = one;
		s = end + (*end == ',');
	}
	if (names)
		to[n++] = names;
	return *s ? 0 : n;
}

static void
part_selects(struct words *w)
{
	const char *all[64];
	int n = 0;

	for (int i = 0; i < w->n; i++) {
		const char *word = i > 0 || *w->v[i] == '-' ? w->v[i] : advice_text("-%s", w->v[i]);
		int k = part_select(word, all + n, 64 - n);

		if (k == 0 && n < 64)
			all[n++] = w->v[i];
		n += k;
	}
	memcpy(w->v, all, (size_t)n * sizeof(*all));
	w->n = n;
}

const char *
cmd_guess_tool(int n, char *const v[])
{
	static struct words w;
	struct input res;
	const char *first;
	bool done, files = false;

	bool cdo = n > 0 && strcmp(v[0], "cdo") == 0;

	sort_words(&w, n - cdo, v + cdo);
	if (cdo && (w.n == 0 || !line_of_word(w.v[0] + (w.v[0][0] == '-'), line_text, 600)))
		return axt_foreign_line(v[0], line_text, sizeof(line_text)) ? line_text : NULL;
	for (int i = 1; i < w.n; i++)
		files = files || advice_is_file(w.v[i]);
	if (w.n == 0 || w.n >= 64)
		return NULL;
	if (!files)
		return line_of_word(w.v[0] + (w.v[0][0] == '-'), line_text, sizeof(line_text))
		    ? line_text
		    : NULL;
	first = w.v[0];
	part_selects(&w);
	if (w.n == 3 && !w.axes && advice_has(&advice_look(w.v[1])->axes, w.v[2]))
		w.axes = w.v[--w.n];
	if (!w.out && w.n > 2 && !is_operator(w.v[w.n - 1]) && !advice_is_file(w.v[w.n - 1]))
		w.out = w.v[--w.n];
	done = read_operator(&w, w.out, &res);
	if (done && !w.out && w.at == w.n - 1 && !is_operator(w.v[w.at])) {
		w.out = w.v[--w.n];
		w.at = w.files = 0;
		w.before.n = 0;
		done = read_operator(&w, w.out, &res);
	}
	if (!done && *w.none)
		return w.none;
	if (!done || w.at < w.n)
		return line_of_word(first + (first[0] == '-'), line_text, sizeof(line_text))
		    ? line_text
		    : NULL;
	add(&w.before, "%s", res.text);
	return w.before.n < sizeof(w.before.s) ? w.before.s : NULL;
}
