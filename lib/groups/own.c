/*
 * own.c - labels that the tensor to be reduced brings itself, so that no file has to be named: its
 * coordinates that are no axes, which pipes carry, and datasets beside it in its file.
 */
#include <unistd.h>

#include "groups/groups.h"

/* Whether the dataset has axes, and a has all of them; the axes of a are set to *x. */
static bool
lies_over(const struct axt_expr *a, const struct axt_axes *of, struct axt_axes *x)
{
	*x = *of;
	for (int i = 0; i < of->n; i++) {
		int k = axt_axes_find(&a->axes, &of->a[i]);

		if (k < 0 || a->axes.a[k].len != of->a[i].len)
			return false;
		x->a[i] = a->axes.a[k];
	}
	return of->n > 0;
}

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
    const struct axt_open_opts *o)
{
	struct axt_named x = { .word = word };
	struct axt_axes axes;
	bool itself;

	x.d = axt_beside_operand(g, a, word, &x.f, &itself);
	if (!x.d || itself)
		return NULL;
	if (x.d->role == AXT_ROLE_TEXT) {
		const struct axt_labels *l = axt_labels_text(g, x.f, x.d);

		return !l                                      ? axt_node_failed(g)
		    : lies_over(a, &l->groups.of->axes, &axes) ? l->groups.of
							       : NULL;
	}
	return lies_over(a, &x.d->axes, &axes) ? axt_named_tensor(g, &x, o) : NULL;
}

struct axt_expr *
axt_labels_own(struct axt_graph *g, const struct axt_expr *a, const char *word,
    const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	const struct axt_aux *x;
	struct axt_axes axes;

	if (strchr(word, ':') || strcmp(word, "-") == 0 || axt_is_number(word) ||
	    access(word, F_OK) == 0 || axt_axes_spelled(&a->axes, word) >= 0)
		return NULL;
	x = axt_aux_find(a->meta->aux, word);
	if (x && x->text)
		return texts(g, a, x);
	if (x && lies_over(a, &x->axes, &axes))
		return numbers(g, a, x, &axes);
	return x ? NULL : beside(g, a, word, o ? o : &plain);
}
