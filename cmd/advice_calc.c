/*
 * advice_calc.c - edits of a line that has an expression: reads it as one of another language,
 * finds which words belong to it, and which of its names are operands.
 */
#include <ctype.h>
#include <dirent.h>
#include <string.h>

#include "advice.h"

static bool
in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Longer expressions are written by programs, and would take long to look through. */
enum { MOST_OPERANDS = 60, LONGEST = 2000 };

/* Operands with their names, opened on a graph of their own. */
struct operands {
	struct axt_graph *g;
	const char *name[MOST_OPERANDS];
	struct axt_expr *e[MOST_OPERANDS];
	int n;
};

static void
add_operand(struct operands *o, const char *name, const char *operand)
{
	for (int i = 0; i < o->n; i++)
		if (strcmp(o->name[i], name) == 0)
			return;
	if (o->n < MOST_OPERANDS && !axt_graph_error(o->g)) {
		o->name[o->n] = name;
		o->e[o->n++] = axt_open_text(o->g, operand, &(struct axt_open_opts){ 0 });
	}
}

/* Whether the last part of path k is that of no other path. */
static bool
is_only(const char *const *paths, int n, int k)
{
	const char *slash = strrchr(paths[k], '/'), *last = slash ? slash + 1 : paths[k];

	for (int i = 0; i < n; i++) {
		const char *s = strrchr(paths[i], '/');

		if (i != k && strcmp(s ? s + 1 : paths[i], last) == 0)
			return false;
	}
	return true;
}

/*
 * Adds the tensors of a file by their paths, and by their names if no other tensor has the name. If
 * nothing was added before, the file's coordinates are added, too.
 */
static void
add_file(struct operands *o, const char *file)
{
	const char *const *operands, *const *paths;
	int tensors = 0, texts, n = axt_names(o->g, file, &operands, &paths, &tensors, &texts);

	/* a graph that has failed names none */
	for (int k = 0; k < (o->n ? tensors : n) && !axt_graph_error(o->g); k++) {
		const char *slash = strrchr(paths[k], '/');
		bool plain = true;

		for (const char *p = slash ? slash + 1 : paths[k]; *p; p++)
			plain = plain && in_name(*p);
		if (plain && is_only(paths, n, k))
			add_operand(o, slash ? slash + 1 : paths[k], operands[k]);
		if (slash || !plain)
			add_operand(o, advice_text("/%s", paths[k]), operands[k]);
	}
}

const char *
advice_expression_meant(void)
{
	const struct cmd_list *a = &cmd_st.args, *names = &cmd_st.names, *typed = &cmd_st.unsplit;
	struct operands o = { .g = axt_graph_new() };
	const char *s = NULL;
	bool short_enough = a->n > 0 && strlen(a->v[0]) < LONGEST;

	for (int i = 1; o.g && short_enough && i < a->n && i - 1 < names->n; i++)
		if (*names->v[i - 1])
			add_operand(&o, names->v[i - 1], a->v[i]);
	/* the names that the expression has are not the only ones of a file */
	for (int i = 1; o.g && short_enough && i < typed->n; i++)
		if (typed->v[i][strcspn(typed->v[i], "=/")] != '=')
			add_file(&o, typed->v[i]);
	if (o.g && !axt_graph_error(o.g) && short_enough)
		s = axt_calc_mended(o.g, a->v[0], o.name, o.e, o.n);
	s = s ? advice_text("%s", s) : NULL;
	axt_graph_free(o.g);
	return s;
}

/* How many words from the i-th on are what the shell makes of "*"; 0: they are something else. */
static int
expanded(const struct advice_line *l, int i)
{
	DIR *d = opendir(".");
	const struct dirent *e;
	int files = 0;

	while (d && (e = readdir(d)))
		files += e->d_name[0] != '.';
	if (d)
		closedir(d);
	for (int k = i; k < i + files; k++)
		if (k >= l->n || l->part[k] != ADVICE_OPERAND || !advice_is_file(l->v[k]))
			return 0;
	return files;
}

/* Offers the words before the first file as one: axt-calc tas * 2 a.nc. */
static void
unquoted(const struct advice_line *l, int at)
{
	struct advice_line c = *l;

	while (at + 1 < c.n && c.part[at + 1] == ADVICE_OPERAND) {
		int n = expanded(&c, at + 1);

		if (n == 0 && advice_is_file(c.v[at + 1]))
			break;
		c.v[at] = advice_text("%s %s", c.v[at], n ? "*" : c.v[at + 1]);
		advice_drop(&c, at + 1, n ? n : 1);
	}
	if (c.n < l->n)
		advice_offer(l, &c, 0.6);
}

/* The length of FILE, FILE:DATASET or FILE[DATASET] at s; 0: other text. */
static size_t
file_at(const char *s, const char **operand)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-");
	const char *file;

	while (n > 2 && !advice_is_file(advice_text("%.*s", (int)n, s)))
		n--;
	if (n <= 2)
		return 0;
	*operand = file = advice_text("%.*s", (int)n, s);
	if (s[n] == '[') {
		const char *name = s + n + 1 + strspn(s + n + 1, "\"'");
		size_t k = strcspn(name, "\"']"), end = strcspn(s, "]");

		name = advice_text("%.*s", (int)k, name);
		if (!advice_has(&advice_look(file)->tensor, name) || !s[end])
			return n;
		*operand = advice_text("%s:%s", file, name);
		return end + 1;
	}
	if (s[n] != ':')
		return n;
	n++;
	while (in_name(s[n]) || s[n] == '/')
		n++;
	*operand = advice_text("%.*s", (int)n, s);
	return n;
}

/* Offers files in the expression as operands a, b and so on. */
static void
files_inside(const struct advice_line *l, int at)
{
	struct advice_line c = *l;
	const char *text = "", *operand;
	int n = 0, to = at + 1;
	size_t len;

	for (const char *s = l->v[at]; *s; s += len) {
		int known = -1;

		len = s > l->v[at] && in_name(s[-1]) ? 0 : file_at(s, &operand);
		if (len == 0) {
			len = 1;
			text = advice_text("%s%c", text, *s);
			continue;
		}
		for (int i = 0; i < n; i++)
			if (strcmp(c.v[at + 1 + i] + 2, operand) == 0)
				known = i;
		if (known < 0) {
			known = n++;
			advice_insert(&c, to++, ADVICE_OPERAND,
			    advice_text("%c=%s", 'a' + known, operand));
		}
		text = advice_text("%s%c", text, 'a' + known);
	}
	if (n == 0 || n > 26)
		return;
	c.v[at] = text;
	for (int i = to; i < c.n; i++) /* a file that is in the expression already */
		if (c.part[i] == ADVICE_OPERAND && strstr(l->v[at], c.v[i]))
			advice_drop(&c, i--, 1);
	advice_offer(l, &c, 0.6);
}

static bool
is_function(const char *word)
{
	const char *name, *line;

	for (int i = 0; axt_calc_function(i, &name, &line); i++)
		if (strcmp(name, word) == 0)
			return true;
	return false;
}

/* Offers the names in the expression to operands without one, and what else they may mean. */
static void
names(const struct advice_line *l, int at)
{
	size_t n;

	for (const char *s = l->v[at]; *s; s += n ? n : 1) {
		const char *name;
		double cost = 0.7;

		for (n = 0; in_name(s[n]);)
			n++;
		if (n == 0 || isdigit((unsigned char)*s) || s[n] == '(' || s[n] == '=')
			continue;
		name = advice_text("%.*s", (int)n, s);
		if (is_function(name))
			continue;
		for (int i = at + 1; i < l->n; i++) {
			struct advice_line c = *l;
			const struct advice_file *f;
			size_t path = strcspn(l->v[i], ":");

			if (l->part[i] != ADVICE_OPERAND || !advice_is_file(l->v[i]))
				continue;
			f = advice_look(advice_text("%.*s", (int)path, l->v[i]));
			if (advice_has(&f->tensor, name) && l->v[i][path]) {
				c.v[i] = f->word; /* another tensor of the file is meant */
				advice_offer(l, &c, 0.5);
			}
			if (advice_has(&f->tensor, name) || advice_has(&f->axes, name))
				continue;
			c.v[i] = f->tensor.n > 1 && !l->v[i][path]
			    ? advice_text("%s=%s:%s", name, l->v[i], f->tensor.v[0])
			    : advice_text("%s=%s", name, l->v[i]);
			advice_offer(l, &c, cost);
			cost += 0.3;
		}
	}
}

void
advice_expression(const struct advice_line *l)
{
	int at = advice_operand(l, 0);

	if (at < 0 || strlen(l->v[at]) >= LONGEST)
		return;
	if (*l->refused->meant) {
		struct advice_line c = *l;

		char *text = advice_copy(l->refused->meant);

		for (char *p = text; *p; p++) /* the shell needs ' around the line */
			*p = (char)(*p == '\'' ? '"' : *p);
		c.v[at] = text;
		advice_offer(l, &c, *l->refused->why.meant ? 0.4 : 0.2); /* what is told is first */
	}
	if (advice_is_file(l->v[at])) { /* the expression stands behind it */
		struct advice_line c = *l;
		int last = at;

		for (int i = at + 1; i < l->n; i++)
			last = l->part[i] == ADVICE_OPERAND && !advice_is_file(l->v[i]) ? i : last;
		advice_drop(&c, last, 1);
		advice_insert(&c, at, ADVICE_OPERAND, l->v[last]);
		advice_offer(l, &c, 0.6);
	}
	unquoted(l, at);
	files_inside(l, at);
	names(l, at);
}
