/*
 * agree.c - coordinates without axes, such as the place of a section, of which tensors in one group
 * of a file have other values: the group has one dataset of a name, so that only the first tensor
 * can name it.
 */
#include "inputs/inputs.h"

int
axt_aux_leave(struct axt_graph *g, const char *name, const struct axt_aux **list,
    const struct axt_attr **attrs)
{
	const struct axt_attr *of = NULL;
	struct axt_aux *head = NULL, **tail = &head, *c;

	for (const struct axt_aux *x = *list; x; x = x->next)
		if (strcmp(x->name, name) == 0)
			of = x->attrs;
	for (const struct axt_aux *x = *list; x; x = x->next) {
		if (strcmp(x->name, name) == 0 || axt_is_bounds(of, x))
			continue;
		c = axt_alloc(g->m, sizeof(*c));
		if (!c)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*c = *x;
		c->next = NULL;
		*tail = c;
		tail = &c->next;
	}
	*list = head;
	*attrs = axt_coordinates_less(g, *attrs, name);
	return 0;
}

/* The length of the group's path in the name of a result. */
static size_t
group_of(const char *name)
{
	return (size_t)(axt_last_part(name) - name);
}

static const struct axt_aux *
find(const struct axt_aux *l, const char *name)
{
	while (l && strcmp(l->name, name) != 0)
		l = l->next;
	return l;
}

/* The dataset of that name and without axes in the group of the result in the file, or NULL. */
static const struct axt_aux *
stored(struct axt_graph *g, struct axt_file *f, const char *result, const char *name)
{
	const char *path =
	    axt_sprintf(g->m, "%s%.*s%s", *result == '/' ? "" : "/", (int)group_of(result), result, name);
	struct axt_err none = { 0 };
	struct axt_dset *d;
	const struct axt_aux *x;

	if (!path || axt_file_entry(g->m, f, path, &d, &none) ||
	    axt_dset_load(g->m, f, d, &none) || d->axes.n > 0)
		return NULL;
	x = axt_held_aux(g, f, d);
	axt_graph_clear(g);
	return x;
}

/* Leaves out what v has and `there`, in a result or a file called `from`, has with other values. */
static int
compare(struct axt_graph *g, struct axt_out_var *v, const char *name, const struct axt_aux *x,
    const struct axt_aux *there, const char *from)
{
	if (!there || there->axes.n > 0 || !axt_aux_differ(g->m, x, there))
		return 0;
	axt_warn(g, "the coordinate \"%s\" of %s is left out: %s has another one of that name",
	    axt_escape(g->m, x->name), axt_escape(g->m, name), from);
	return axt_aux_leave(g, x->name, &v->aux, &v->attrs);
}

int
axt_out_agree(struct axt_graph *g, struct axt_out_var *v, int n, const char *file,
    const char *dataset)
{
	struct axt_file *f = NULL;
	struct axt_err none = { 0 };

	for (int i = 0; i < n; i++)
		for (const struct axt_aux *x = v[i].aux, *next; x; x = next) {
			const char *name = dataset && n == 1 ? dataset : v[i].name;

			next = x->next;
			if (x->axes.n > 0)
				continue;
			for (int k = 0; k < i; k++)
				if (group_of(v[k].name) == group_of(v[i].name) &&
				    strncmp(v[k].name, v[i].name, group_of(v[i].name)) == 0 &&
				    compare(g, &v[i], name, x, find(v[k].aux, x->name),
					axt_escape(g->m, v[k].name)))
					return g->err.code;
			if (dataset && !f && axt_file_open(g->m, file, g->memory, &f, &none)) {
				dataset = NULL; /* there is no such file yet */
				f = NULL;
			}
			if (f && find(v[i].aux, x->name) &&
			    compare(g, &v[i], name, x, stored(g, f, name, x->name),
				axt_escape(g->m, file)))
				return g->err.code;
		}
	if (f)
		axt_file_close(f);
	return g->err.code;
}
