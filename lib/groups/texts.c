/*
 * texts.c - tensors of text as operands. Such a tensor is a node that stands for the texts and
 * whose values are the numbers of their groups, -1 for an empty text. It can be compared with a
 * text, and its groups can be labels of a reduction; whatever else it is given to refuses it
 * (axt_refused).
 */
#include <stdio.h>

#include "groups/groups.h"

const struct axt_labels *
axt_text_labels(const struct axt_graph *g, const struct axt_expr *e)
{
	const struct axt_labels *l = axt_expr_text(e) ? g->labels : NULL;

	while (l && l->groups.of != e->arg[0])
		l = l->next;
	return l;
}

struct axt_expr *
axt_text_node(struct axt_graph *g, const struct axt_labels *l, const char *name)
{
	struct axt_expr *e = l ? axt_node_like(g, AXT_NODE_VIEW, l->groups.of) : axt_node_failed(g);
	struct axt_meta *m = axt_bad(e) ? NULL : axt_meta_copy(g, e->meta);

	if (!m)
		return axt_node_failed(g);
	e->text = true;
	e->meta = m;
	m->name = name;
	return e;
}

struct axt_expr *
axt_text_coord(struct axt_graph *g, const struct axt_axis *axis, const char *name)
{
	return axt_text_node(g, axt_labels_coord(g, axis, axis->coord, name), name);
}

struct axt_expr *
axt_text_named(struct axt_graph *g, const char *operand, const struct axt_open_opts *o,
    struct axt_named *x)
{
	static const struct axt_open_opts plain;

	o = o ? o : &plain;
	if (axt_named_operand(g, operand, o, x))
		return axt_node_failed(g);
	return x->d && x->d->role == AXT_ROLE_TEXT
	    ? axt_text_node(g, axt_labels_text(g, x->f, x->d), x->d->name)
	    : axt_named_tensor(g, x, o);
}

struct axt_expr *
axt_open_text(struct axt_graph *g, const char *operand, const struct axt_open_opts *o)
{
	struct axt_named x;

	return axt_text_named(g, operand, o, &x);
}

struct axt_expr *
axt_text_groups(struct axt_graph *g, struct axt_expr *e)
{
	if (axt_expr_text(e) && e->g == g)
		return e->arg[0];
	return axt_refused(g, e) ? axt_node_failed(g) : e;
}

/* Warns that no text is equal to s, and lists some that are there. */
static void
warn_none(struct axt_graph *g, const struct axt_coord *c, const char *s, const char *from)
{
	const char *const *texts = c->data, *near = axt_nearest(s, texts, (int)MIN(c->n, 1000));
	struct axt_buf b = { 0 };
	int64_t n = MIN(c->n, 6);

	for (int64_t i = 0; i < n; i++)
		axt_buf_addf(&b, "%s\"%s\"", i ? ", " : "", axt_escape(g->m, texts[i]));
	if (near)
		axt_warn(g, "no text of %s is \"%s\"; did you mean \"%s\"?", from,
		    axt_escape(g->m, s), axt_escape(g->m, near));
	else
		axt_warn(g, "no text of %s is \"%s\"; they are %s%s", from, axt_escape(g->m, s),
		    n > 0 ? b.p : "empty", c->n > n ? ", ..." : "");
	axt_buf_release(&b);
}

struct axt_expr *
axt_compare_text(struct axt_graph *g, enum axt_op op, struct axt_expr *a, const char *s)
{
	const struct axt_labels *l = axt_text_labels(g, a);
	char number[32];
	struct axt_expr *y;
	struct axt_meta *m;
	int64_t k = -1, n;

	if (!l && axt_refused(g, a))
		return axt_node_failed(g);
	if (!l)
		return axt_graph_fail(g, AXT_E_DTYPE, "%s holds numbers, not text", a->from);
	if (op != AXT_OP_EQ && op != AXT_OP_NE)
		return axt_graph_fail(g, AXT_E_ARG, "texts are compared by == and != (%s)",
		    a->from);
	n = l->groups.axis.coord->n;
	while (++k < n && strcmp(((const char *const *)l->groups.axis.coord->data)[k], s) != 0)
		;
	if (k == n && *s)
		warn_none(g, l->groups.axis.coord, s, a->from);
	/* an empty text is in group -1, and no text is in group n */
	snprintf(number, sizeof(number), "%lld", (long long)(*s ? k : -1));
	y = axt_map2(g, op, a->arg[0], axt_number(g, number));
	m = axt_dress(g, &y, NULL);
	if (m)
		m->name = a->meta->name;
	return y;
}
