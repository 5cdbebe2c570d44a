/*
 * texts.c - selection by text that lies along an axis, such as the names of stations: strings, or
 * netCDF's arrays of characters.
 */
#include <stdlib.h>

#include "grids/grids.h"

/* What is looked for, and the texts found so far. */
struct search {
	const char *name, *rest;
	int axis; /* of that name; -1: the name is that of a text */
	int n;
	struct axt_texts first;
	const char *has; /* the text in which the word is */
};

/* Notes x if it is looked for. false: an error of the graph. */
static bool
note(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *x, bool added,
    struct search *s)
{
	struct axt_texts t = { .called = x->name, .added = added ? x : NULL };

	for (t.axis = 0; t.axis < a->axes.n; t.axis++) {
		int is = 0;

		if (s->axis < 0 ? strcmp(x->name, s->name) == 0 : t.axis == s->axis)
			is = axt_aux_strings(g->m, &a->axes.a[t.axis], x, &t.text, &g->err);
		if (is < 0)
			return false;
		if (is == 0)
			continue;
		if (s->n++ == 0)
			s->first = t;
		for (int64_t k = 0; k < t.text.n && !s->has; k++)
			if (strcmp(((const char *const *)t.text.data)[k], s->rest) == 0)
				s->has = x->name;
	}
	return true;
}

/* Notes the dataset of that name beside a. false: an error of the graph. */
static bool
note_beside(struct axt_graph *g, const struct axt_expr *a, const char *name, struct search *s)
{
	struct axt_companion c;

	if (!axt_companion_find(g, a, name, &c) || (c.d && c.d->role != AXT_ROLE_TEXT) ||
	    axt_companion_read(g, a, &c) <= 0)
		return !g->err.code;
	return note(g, a, c.aux, c.d, s);
}

/*
 * Looks for texts along the axis s->axis, or called s->name if s->axis is -1: first among those
 * that attributes of the tensor `a` name, then among those that came with a whole file, then among
 * the datasets beside the tensor in its file. Returns false if the graph has an error.
 */
static bool
search(struct axt_graph *g, const struct axt_expr *a, struct search *s)
{
	const char *name;
	int i = 0;

	for (int beside = 0; beside < 2 && s->n == 0; beside++)
		for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
			if (x->beside == beside && !note(g, a, x, false, s))
				return false;
	if (s->n == 0 && s->axis < 0)
		return note_beside(g, a, s->name, s);
	for (bool any = s->n == 0; any && (name = axt_beside_text(g, a, &i));)
		if (!note_beside(g, a, name, s))
			return false;
	return true;
}

int
axt_texts_find(struct axt_graph *g, const struct axt_expr *a, const char *name, const char *rest,
    struct axt_texts *out)
{
	int k = axt_axes_find(&a->axes, &(struct axt_axis){ .name = name });
	struct search s = { .name = name, .rest = rest, .axis = k };

	if (k >= 0 && a->axes.a[k].coord && a->axes.a[k].coord->data)
		return 0;
	if (!search(g, a, &s))
		return -1;
	*out = s.first;
	if (s.n <= 1)
		return s.n;
	axt_fail(&g->err, AXT_E_AMBIG, "several texts lie along axis \"%s\" of %s",
	    axt_escape(g->m, axt_axis_spell(g->m, &a->axes.a[s.first.axis])), a->from);
	axt_hint(&g->err, "name one: %s@%s", axt_escape(g->m, s.has ? s.has : s.first.called),
	    axt_escape(g->m, rest));
	return -1;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Whether some text, other than the empty one, occurs several times. The texts are then groups of
 * elements, not names of single elements. Returns 1, 0, or -1 with an error of the graph.
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
	axt_about(&g->err, AXT_NO_LABEL, word, called);
	for (int64_t i = 0; i < MIN(text->n, 1000); i++)
		axt_about_among(&g->err, s[i]);
	near = axt_nearest(word, s, (int)MIN(text->n, 1000));
	if (near)
		axt_hint_meant(&g->err, near, "did you mean \"%s\"?", axt_escape(g->m, near));
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
axt_slice_text(struct axt_graph *g, struct axt_expr *a, const struct axt_texts *t, const char *rest)
{
	int i = t->axis, groups = repeats(g, &t->text);
	struct axt_axis as = a->axes.a[i], labels = as;
	const bool *in = groups > 0 ? marked(g, a, &t->text, t->called, rest) : NULL;
	struct axt_selection s;

	labels.coord = &t->text;
	if (groups < 0 || (groups && !in) ||
	    (groups ? select_marked(g, in, t->text.n, &s)
		    : axt_select(g->m, &labels, rest, true, false, a->from, &s, &g->err)))
		return axt_node_failed(g);
	if (t->added)
		a = axt_place_add(g, a, t->added);
	as.len = s.len;
	as.parts = NULL;
	if (axt_bad(a) || axt_coord_take(g->m, as.coord, s.span, s.nspans, &as.coord))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	return axt_view_axis(g, a, i, s.span, s.nspans, s.drop ? NULL : &as);
}
