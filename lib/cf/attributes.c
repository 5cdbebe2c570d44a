/*
 * attributes.c - lists of attributes. A changed list shares the rest of its nodes with the old one.
 */
#include "cf/cf.h"

const char *const axt_naming[] = {
	"bounds",
	"climatology",
	"coordinates",
	"grid_mapping",
	"cell_measures",
	"ancillary_variables",
	"formula_terms",
	"edges",
};

const struct axt_attr *
axt_attr_find(const struct axt_attr *l, const char *name)
{
	for (; l; l = l->next)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

const char *
axt_attr_text(const struct axt_attr *l, const char *name)
{
	const struct axt_attr *a = axt_attr_find(l, name);

	return a && a->kind == AXT_ATTR_TEXT ? a->text : NULL;
}

/* Copies l up to the node `stop`, which may be NULL for all of l, and appends tail. */
static struct axt_attr *
splice(struct axt_arena *m, const struct axt_attr *l, const struct axt_attr *stop,
    const struct axt_attr *tail)
{
	struct axt_attr *first = NULL, **at = &first;

	for (; l != stop; l = l->next) {
		*at = axt_alloc(m, sizeof(**at));
		if (!*at)
			return NULL;
		**at = *l;
		at = &(*at)->next;
	}
	*at = (struct axt_attr *)tail;
	return first;
}

struct axt_attr *
axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name)
{
	const struct axt_attr *old = axt_attr_find(l, name);

	return old ? splice(m, l, old, old->next) : (struct axt_attr *)l;
}

struct axt_attr *
axt_attr_set(struct axt_arena *m, const struct axt_attr *l, const struct axt_attr *a)
{
	const struct axt_attr *old = axt_attr_find(l, a->name);
	struct axt_attr *node = axt_alloc(m, sizeof(*node));

	if (!node)
		return NULL;
	*node = *a;
	node->next = old ? old->next : NULL;
	return splice(m, l, old, node);
}

struct axt_attr *
axt_attrs_only(struct axt_arena *m, const struct axt_attr *l, bool (*wanted)(const char *name))
{
	struct axt_attr *first = NULL, **at = &first;

	for (; l; l = l->next) {
		if (!wanted(l->name))
			continue;
		*at = axt_alloc(m, sizeof(**at));
		if (!*at)
			return NULL;
		**at = *l;
		(*at)->next = NULL;
		at = &(*at)->next;
	}
	return first;
}

static bool
same_texts(const struct axt_attr *a, const struct axt_attr *b)
{
	const char *const *p = a->data, *const *q = b->data;

	for (int64_t i = 0; i < a->n; i++)
		if (strcmp(p[i], q[i]) != 0)
			return false;
	return true;
}

bool
axt_attr_equal(const struct axt_attr *a, const struct axt_attr *b)
{
	if (a->kind != b->kind || strcmp(a->name, b->name) != 0)
		return false;
	switch (a->kind) {
	case AXT_ATTR_TEXT: return !strcmp(a->text, b->text);
	case AXT_ATTR_TEXTS: return a->n == b->n && same_texts(a, b);
	default:
		return a->dtype == b->dtype && a->n == b->n &&
		    (!a->n || !memcmp(a->data, b->data, (size_t)a->n * (size_t)axt_size(a->dtype)));
	}
}
