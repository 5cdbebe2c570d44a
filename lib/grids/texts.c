/*
 * texts.c - selection by text that lies along an axis, such as the names of stations, where an
 * attribute of the tensor names it: strings, or netCDF's arrays of characters.
 */
#include <stdlib.h>

#include "grids/grids.h"

/*
 * As axt_aux_strings, of text that an attribute names. Returns 1, 0, or -1 with an error of the
 * graph.
 */
static int
strings_of(struct axt_graph *g, const struct axt_expr *a, int i, const struct axt_aux *x,
    struct axt_coord *c)
{
	return x->beside ? 0 : axt_aux_strings(g->m, &a->axes.a[i], x, c, &g->err);
}

/*
 * Fails since several texts along axis i could be meant; the hint has the one in which the word is.
 */
static int
several(struct axt_graph *g, const struct axt_expr *a, int i, const char *rest)
{
	const char *name = axt_axis_spell(g->m, &a->axes.a[i]), *has = NULL, *first = NULL;
	struct axt_coord c;

	axt_fail(&g->err, AXT_E_AMBIG, "several texts lie along axis \"%s\" of %s",
	    axt_escape(g->m, name), a->from);
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (strings_of(g, a, i, x, &c) > 0) {
			first = first ? first : x->name;
			for (int64_t k = 0; k < c.n && !has; k++)
				if (strcmp(((const char *const *)c.data)[k], rest) == 0)
					has = x->name;
		}
	if (first)
		axt_hint(&g->err, "name one: %s@%s", axt_escape(g->m, has ? has : first),
		    axt_escape(g->m, rest));
	return -1;
}

int
axt_texts_find(struct axt_graph *g, const struct axt_expr *a, const char *name, const char *rest,
    int *axis, struct axt_coord *out, const char **called)
{
	int k = axt_axes_find(&a->axes, &(struct axt_axis){ .name = name }), found = 0, is = 0;

	if (k >= 0 && a->axes.a[k].coord && a->axes.a[k].coord->data)
		return 0;
	for (const struct axt_aux *x = a->meta->aux; x && is >= 0; x = x->next)
		for (int i = 0; i < a->axes.n && is >= 0; i++) {
			struct axt_coord c;

			if (k < 0 ? strcmp(x->name, name) != 0 : i != k)
				continue;
			is = strings_of(g, a, i, x, &c);
			if (is <= 0)
				continue;
			found++;
			*axis = i;
			*out = c;
			*called = x->name;
		}
	return is < 0 ? -1 : found > 1 ? several(g, a, *axis, rest) : found;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Whether some text occurs several times: the texts are groups of elements then, and no names of
 * single ones. The empty text is none. Returns 1, 0, or -1 with an error of the graph.
 */
static int
repeats(struct axt_graph *g, const struct axt_coord *text)
{
	size_t n = (size_t)text->n;
	const char **s = axt_alloc(g->m, (n + 1) * sizeof(*s));
	int again = 0;

	if (!s)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
	memcpy(s, text->data, n * sizeof(*s));
	qsort(s, n, sizeof(*s), by_text);
	for (size_t i = 1; i < n && !again; i++)
		again = *s[i] && strcmp(s[i], s[i - 1]) == 0;
	return again;
}

/* Marks the elements with the text; false, with an error of the graph: there is none. */
static bool
mark(struct axt_graph *g, const struct axt_expr *a, const struct axt_coord *text,
    const char *called, const char *word, bool *in)
{
	const char *const *s = text->data, *near;
	bool any = false;

	for (int64_t i = 0; i < text->n; i++)
		if (strcmp(s[i], word) == 0)
			any = in[i] = true;
	if (any)
		return true;
	axt_fail(&g->err, AXT_E_ARG, "\"%s\" of %s has no \"%s\"", axt_escape(g->m, called),
	    a->from, axt_escape(g->m, word));
	near = axt_nearest(word, s, (int)MIN(text->n, 1000));
	if (near)
		axt_hint(&g->err, "did you mean \"%s\"?", axt_escape(g->m, near));
	return false;
}

/* Marks the elements of groups: of the text, or of the texts of a list. NULL: error. */
static const bool *
marked(struct axt_graph *g, const struct axt_expr *a, const struct axt_coord *text,
    const char *called, const char *list)
{
	bool *in = axt_alloc(g->m, (size_t)text->n + 1), whole = !strchr(list, ',');
	const char *const *s = text->data;

	for (int64_t i = 0; i < text->n && !whole; i++)
		whole = strcmp(s[i], list) == 0;
	for (size_t n; in; list += n + 1) {
		const char *word;

		n = whole ? strlen(list) : strcspn(list, ",");
		word = axt_strndup(g->m, list, n);
		if (!word || !mark(g, a, text, called, word, in))
			break;
		if (!list[n])
			return in;
	}
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return NULL;
}

/* The spans of axis x that are marked, as a selection that keeps the axis. */
static int
select_marked(struct axt_graph *g, const bool *in, int64_t len, struct axt_selection *s)
{
	int64_t *pos = axt_alloc(g->m, ((size_t)len + 1) * sizeof(*pos)), n = 0;
	struct axt_span *span = NULL;

	*s = (struct axt_selection){ .drop = false };
	for (int64_t i = 0; pos && i < len; i++)
		if (in[i])
			pos[n++] = i;
	if (!pos || axt_spans_of(g->m, pos, n, &span, &s->nspans))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	s->span = span;
	s->len = n;
	return AXT_OK;
}

struct axt_expr *
axt_slice_text(struct axt_graph *g, struct axt_expr *a, int i, const struct axt_coord *text,
    const char *called, const char *rest)
{
	struct axt_axis as = a->axes.a[i], labels = as;
	int groups = repeats(g, text);
	const bool *in = groups > 0 ? marked(g, a, text, called, rest) : NULL;
	struct axt_selection s;

	labels.coord = text;
	if (groups < 0 || (groups && !in) ||
	    (groups ? select_marked(g, in, text->n, &s)
		    : axt_select(g->m, &labels, rest, true, false, a->from, &s, &g->err)))
		return axt_node_failed(g);
	as.len = s.len;
	as.parts = NULL;
	if (axt_coord_take(g->m, as.coord, s.span, s.nspans, &as.coord))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_view_axis(g, a, i, s.span, s.nspans, s.drop ? NULL : &as);
}
