/*
 * companion.c - what a name means to a tensor that has no axis of that name: a dataset that goes
 * along with the tensor, or one that lies in its file, beside the dataset that the tensor is made
 * of.
 */
#include "inputs/inputs.h"

/* The argument of a node that has the same axes, or more; NULL: there is no such argument. */
static const struct axt_expr *
below(const struct axt_expr *e)
{
	const struct axt_expr *most = NULL;

	if (e->kind != AXT_NODE_VIEW && e->kind != AXT_NODE_MAP && e->kind != AXT_NODE_CONV &&
	    e->kind != AXT_NODE_REDUCE)
		return NULL;
	for (int i = 0; i < (e->kind == AXT_NODE_REDUCE ? 1 : e->nargs); i++)
		if (!most || e->arg[i]->axes.n > most->axes.n)
			most = e->arg[i];
	return most;
}

/* Whether axis x of e is the whole axis of that name of `arg`, the argument below it. */
static bool
is_whole(const struct axt_expr *e, const struct axt_expr *arg, const struct axt_axis *x)
{
	int i = axt_axes_find(&e->axes, x), k = axt_axes_find(&arg->axes, x);

	if (i < 0 || k < 0 || e->axes.a[i].len != arg->axes.a[k].len)
		return false;
	return e->kind != AXT_NODE_VIEW ||
	    (e->u.view.src[i] == k && !(e->u.view.sel && e->u.view.sel[i]) &&
		!(e->u.view.from && e->u.view.from[k]));
}

/* The dataset that a is made of, and its file; NULL: none, or it is read as a stream. */
static const struct axt_dset *
origin(struct axt_graph *g, const struct axt_expr *a, struct axt_file **f)
{
	const struct axt_expr *next;
	const struct axt_dset *d;

	while ((next = below(a)))
		a = next;
	d = a->kind == AXT_NODE_LEAF ? axt_leaf_dataset(g, a->u.leaf.st, f) : NULL;
	return d && !(*f)->stream ? d : NULL;
}

const char *
axt_beside_text(struct axt_graph *g, const struct axt_expr *a, int *i)
{
	struct axt_file *f;
	const struct axt_dset *d = origin(g, a, &f);
	size_t n = d ? (size_t)(axt_last_part(d->path) - d->path) : 0;

	while (d && *i < f->ndsets) {
		const struct axt_dset *x = &f->dsets[(*i)++];

		if (x->role == AXT_ROLE_TEXT && strncmp(x->path, d->path, n) == 0 &&
		    !strchr(x->path + n, '/'))
			return x->path + n;
	}
	return NULL;
}

/*
 * Loads the dataset called `name` beside the dataset that a is made of. *itself: it is that
 * dataset. NULL: there is none, or a has only a part of an axis that both have, or the graph has an
 * error.
 */
static struct axt_dset *
beside(struct axt_graph *g, const struct axt_expr *a, const char *name, struct axt_file **f,
    bool *itself)
{
	const struct axt_expr *next;
	const struct axt_dset *d = origin(g, a, f);
	struct axt_dset *x = d ? axt_beside(*f, d, name, strlen(name)) : NULL;

	*itself = x && x == d;
	if (!x || x->virt || x->role == AXT_ROLE_OTHER || x->role == AXT_ROLE_DIM ||
	    axt_dset_load(g->m, *f, x, &g->err))
		return NULL;
	for (const struct axt_expr *e = a; (next = below(e)); e = next)
		for (int i = 0; i < x->axes.n; i++)
			if (axt_axes_find(&a->axes, &x->axes.a[i]) >= 0 &&
			    !is_whole(e, next, &x->axes.a[i]))
				return NULL;
	return x;
}

bool
axt_companion_find(struct axt_graph *g, const struct axt_expr *a, const char *name,
    struct axt_companion *c)
{
	*c = (struct axt_companion){ .aux = axt_aux_find(a->meta->aux, name) };
	if (!c->aux)
		c->d = beside(g, a, name, &c->f, &c->itself);
	return c->aux || c->d;
}

int
axt_companion_read(struct axt_graph *g, const struct axt_expr *a, struct axt_companion *c)
{
	struct axt_aux *x;

	if (c->aux)
		return 1;
	x = axt_alloc(g->m, sizeof(*x));
	if (!x)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1;
	if (c->d->reversed || axt_load_aux(g, c->f, c->d, &a->axes, x))
		return g->err.code ? -1 : 0;
	c->aux = x;
	return 1;
}
