/*
 * history.c - the attribute history of an output: a line for the command that writes it, and then
 * the lines of its inputs, latest first. These are from the file of the first operand, and from
 * each stream, which brings the lines of its pipeline. Other files do not add lines.
 */
#include "out/inner.h"

struct lines {
	int n;
	const char **v;
};

/* Splits the text, which may be NULL, into lines. Returns false if out of memory. */
static bool
cut(struct axt_graph *g, const char *text, struct lines *l)
{
	char *s = text ? axt_strdup(g->m, text) : NULL, *save = NULL;
	size_t n = 1;

	*l = (struct lines){ 0 };
	for (const char *p = text; p && *p; p++)
		n += *p == '\n';
	l->v = axt_alloc(g->m, n * sizeof(*l->v));
	for (char *w = s ? strtok_r(s, "\n", &save) : NULL; l->v && w;
	     w = strtok_r(NULL, "\n", &save))
		l->v[l->n++] = w;
	return l->v && (s || !text);
}

static bool
has(const struct lines *l, int n, const char *line)
{
	for (int i = 0; i < n; i++)
		if (strcmp(l->v[i], line) == 0)
			return true;
	return false;
}

/* Inserts the lines of b that `a` lacks, in front of the lines at the end that both have. */
static bool
merge(struct axt_graph *g, struct lines *a, const struct lines *b)
{
	const char **v = axt_alloc(g->m, (size_t)(a->n + b->n + 1) * sizeof(*v));
	int same = 0, n = 0, head;

	while (
	    same < a->n && same < b->n && strcmp(a->v[a->n - 1 - same], b->v[b->n - 1 - same]) == 0)
		same++;
	head = a->n - same;
	if (!v)
		return false;
	for (int i = 0; i < head; i++)
		v[n++] = a->v[i];
	for (int i = 0; i < b->n - same; i++)
		if (!has(a, head, b->v[i]))
			v[n++] = b->v[i];
	for (int i = head; i < a->n; i++)
		v[n++] = a->v[i];
	*a = (struct lines){ n, v };
	return true;
}

/* Adds the histories of the streams, in the order in which they were opened. */
static bool
add_streams(struct axt_graph *g, const struct axt_open_file *f, struct lines *all)
{
	struct lines l;

	if (!f)
		return true;
	if (!add_streams(g, f->next, all))
		return false;
	if (!f->read || !f->f->stream)
		return true;
	return cut(g, axt_attr_text(f->f->attrs, "history"), &l) && merge(g, all, &l);
}

const struct axt_attr *
axt_with_history(struct axt_graph *g, const struct axt_attr *l, const char *line)
{
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));
	struct axt_buf b = { 0 };
	struct lines all = { 0 }, first;

	if (!line)
		return l;
	/* lines of a file are older than those that come through pipes, so they are put behind */
	if (!a || !add_streams(g, g->files, &all) || !cut(g, axt_attr_text(l, "history"), &first) ||
	    !merge(g, &all, &first)) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return l;
	}
	axt_buf_adds(&b, line);
	for (int i = 0; i < all.n; i++)
		axt_buf_addf(&b, "\n%s", all.v[i]);
	*a = (struct axt_attr){ .name = "history",
		.kind = AXT_ATTR_TEXT,
		.text = axt_buf_text(g->m, &b) };
	if (!a->text)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return a->text ? axt_attr_set(g->m, l, a) : l;
}
