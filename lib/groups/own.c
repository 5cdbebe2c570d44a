/*
 * own.c - labels that the tensor to be reduced brings itself, so that no file has to be named: its
 * coordinates that are no axes, which pipes carry, and datasets beside it in its file.
 */
#include <unistd.h>

#include "groups/groups.h"

/* The numbers of an auxiliary coordinate as a tensor. */
static struct axt_expr *
numbers(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *x,
    const struct axt_axes *axes)
{
	enum axt_dtype t = axt_with_sign(x->attrs, x->dtype);
	struct axt_expr *e = axt_memory_leaf(g, t, axes, x->data);
	struct axt_meta *m = axt_bad(e) ? NULL : axt_meta_copy(g, e->meta);
	const char *from = axt_sprintf(g->m, "\"%s\" of %s", axt_escape(g->m, x->name), a->from);
	struct axt_packing p = { 0 };

	if (!m || !from)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (t != AXT_BOOL && axt_dtypes[t].cls != AXT_CLASS_COMPLEX)
		axt_packing_read(g->m, x->attrs, t, &p);
	if (p.wrong)
		return axt_graph_fail(g, AXT_E_ARG, "%s cannot be unpacked: %s", from, p.wrong);
	m->name = x->name;
	m->attrs = axt_attrs_unpacked(g->m, x->attrs);
	m->missing = p.missing;
	e->meta = m;
	e->from = from;
	return p.scaled || p.missing ? axt_unpack(g, e, &p, NULL) : e;
}

/* The groups of the texts of an auxiliary coordinate; NULL: it is none along one axis of a. */
static struct axt_expr *
texts(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *x)
{
	for (int i = 0; i < a->axes.n && !g->err.code; i++) {
		const struct axt_labels *l;
		struct axt_coord c;

		if (axt_aux_strings(g->m, &a->axes.a[i], x, &c, &g->err) <= 0)
			continue;
		l = axt_labels_coord(g, &a->axes.a[i], &c, x->name);
		return l ? l->groups.of : axt_node_failed(g);
	}
	return NULL;
}

/* The labels of a dataset beside the operand. NULL: there is none. */
static struct axt_expr *
beside(struct axt_graph *g, const struct axt_expr *a, const char *word,
    const struct axt_open_opts *o, const struct axt_companion *c)
{
	struct axt_named x = { .word = word, .d = c->d, .f = c->f };
	const struct axt_labels *l;

	if (c->itself)
		return NULL;
	if (c->d->role != AXT_ROLE_TEXT)
		return axt_axes_over(&c->d->axes, &a->axes, NULL) ? axt_named_tensor(g, &x, o)
								  : NULL;
	l = axt_labels_text(g, c->f, c->d);
	return !l                                                ? axt_node_failed(g)
	    : axt_axes_over(&l->groups.of->axes, &a->axes, NULL) ? l->groups.of
								 : NULL;
}

struct axt_expr *
axt_labels_own(struct axt_graph *g, const struct axt_expr *a, const char *word,
    const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	struct axt_companion c;
	struct axt_axes axes;

	if (strchr(word, ':') || strcmp(word, "-") == 0 || axt_is_number(word) ||
	    access(word, F_OK) == 0 || axt_axes_spelled(&a->axes, word) >= 0 ||
	    !axt_companion_find(g, a, word, &c))
		return NULL;
	if (c.d)
		return beside(g, a, word, o ? o : &plain, &c);
	if (c.aux->text)
		return texts(g, a, c.aux);
	return axt_axes_over(&c.aux->axes, &a->axes, &axes) ? numbers(g, a, c.aux, &axes) : NULL;
}
