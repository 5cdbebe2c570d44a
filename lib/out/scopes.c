/*
 * scopes.c - axes and auxiliary datasets that results in several groups share. In netCDF-4 a group
 * sees those of the groups above it. Where the file that is read has one in a group above, the
 * output has it there too, once, for the results and for what is carried along with them.
 */
#include "out/inner.h"

struct scopes {
	struct axt_graph *g;
	const struct axt_file *f;
	const char *base; /* as for axt_rest_of */
	const struct axt_out_var *v;
	int n;
	struct axt_table dsets;  /* the datasets of f, by group and name */
	struct axt_table shared; /* entries of the list, by group and name */
	struct axt_out_rest **tail;
};

static uint64_t
hash_of(const char *group, size_t n, const char *name)
{
	return axt_hash(axt_hash(0, group, n), name, strlen(name));
}

static bool
is_at(const char *path, const char *group, size_t n)
{
	return (size_t)(axt_last_part(path) - path) == n + 1 && strncmp(path, group, n) == 0;
}

static bool
is_axis(const struct axt_dset *d)
{
	return d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM;
}

/* The axis of that name in a group, or the dataset, which is an axis only if there is no other. */
static const struct axt_dset *
dset_at(const struct scopes *s, const char *group, size_t n, const char *name, bool axis)
{
	const struct axt_entry *x = axt_table_first(&s->dsets, hash_of(group, n, name));
	const struct axt_dset *found = NULL;

	for (; x; x = axt_table_next(x)) {
		const struct axt_dset *d = x->value;

		if (is_at(d->path, group, n) && strcmp(d->name, name) == 0 &&
		    (axis ? is_axis(d) : !found || is_axis(found)))
			found = d;
	}
	return found;
}

/* The dataset that a name means in a group: one there, or in the nearest group above. */
static const struct axt_dset *
seen_from(const struct scopes *s, const char *group, const char *name, bool axis)
{
	const struct axt_dset *d;
	size_t n = strlen(group);

	while (!(d = dset_at(s, group, n, name, axis)) && n > 0)
		while (n > 0 && group[--n] != '/')
			;
	return d;
}

/* The group in the output of what lies in dataset d; groups above the base are the base. */
static const char *
home_of(const struct scopes *s, const struct axt_dset *d)
{
	size_t n = (size_t)(axt_last_part(d->path) - d->path) - 1, base = strlen(s->base);

	return axt_strndup(s->g->m, d->path + MIN(base, n), n - MIN(base, n));
}

static const char *
group_of(const struct scopes *s, const struct axt_out_var *v)
{
	const char *last = axt_last_part(v->name);

	return last == v->name ? ""
			       : axt_sprintf(s->g->m, "/%.*s", (int)(last - v->name) - 1, v->name);
}

/* Whether something of that name is shared in a group. */
static bool
is_shared(const struct scopes *s, const char *group, const char *name)
{
	const struct axt_entry *x = axt_table_first(&s->shared,
	    hash_of(group, strlen(group), name));

	for (; x; x = axt_table_next(x)) {
		const struct axt_out_rest *r = x->value;
		const char *has = r->aux ? r->aux->name : axt_axis_spell(s->g->m, &r->axes->a[0]);

		if (strcmp(r->group, group) == 0 && has && strcmp(has, name) == 0)
			return true;
	}
	return false;
}

/*
 * Whether a result in the group is called `name`, so that nothing else can be. *a becomes the axis
 * of that name, if a result in the group has one.
 */
static bool
is_taken(const struct scopes *s, const char *group, const char *name, const struct axt_axis **a)
{
	for (int i = 0; i < s->n; i++) {
		const struct axt_out_var *v = &s->v[i];
		int k;

		if (strcmp(group_of(s, v), group) != 0)
			continue;
		if (strcmp(axt_last_part(v->name), name) == 0)
			return true;
		if ((k = axt_axes_spelled(&v->axes, name)) >= 0)
			*a = &v->axes.a[k];
	}
	return false;
}

static int
add(struct scopes *s, const char *group, const char *name, const struct axt_axis *a,
    const struct axt_aux *aux)
{
	struct axt_out_rest *r = axt_alloc(s->g->m, sizeof(*r));
	struct axt_axes *axes = a ? axt_alloc(s->g->m, sizeof(*axes)) : NULL;
	struct axt_aux *own = aux ? axt_alloc(s->g->m, sizeof(*own)) : NULL;

	if (!r || (a && !axes) || (aux && !own) ||
	    !axt_table_add(s->g->m, &s->shared, hash_of(group, strlen(group), name), r))
		return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	if (axes)
		*axes = (struct axt_axes){ .n = 1, .a = { *a } };
	if (own) {
		*own = *aux;
		own->next = NULL;
	}
	*r = (struct axt_out_rest){ .group = group, .axes = axes, .aux = own, .shared = true };
	*s->tail = r;
	s->tail = &r->next;
	return 0;
}

/* Shares an axis of a result in `group` that lies in a group above it. */
static int
share_axis(struct scopes *s, const char *group, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(s->g->m, a), *home;
	const char *at = axt_sprintf(s->g->m, "%s%s", s->base, group);
	const struct axt_dset *d = name && at ? seen_from(s, at, name, true) : NULL;

	if (!d || !is_axis(d) || axt_axis_unnamed(a) || !(home = home_of(s, d)) ||
	    strcmp(home, group) == 0 || is_shared(s, home, name) || is_taken(s, home, name, &a))
		return 0;
	return add(s, home, name, a, NULL);
}

/* An axis that lies in the group itself is made first, too, where a group above shares its name. */
static int
keep_axis(struct scopes *s, const char *group, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(s->g->m, a), *home;
	const char *at = axt_sprintf(s->g->m, "%s%s", s->base, group);
	const struct axt_dset *d = name && at ? seen_from(s, at, name, true) : NULL;
	char *above = axt_strdup(s->g->m, group);
	bool hidden = false;

	if (!d || !above || !is_axis(d) || !(home = home_of(s, d)) || strcmp(home, group) != 0 ||
	    is_shared(s, group, name) || is_taken(s, group, name, &a))
		return 0;
	while (*above && !hidden) {
		*strrchr(above, '/') = '\0';
		hidden = is_shared(s, above, name);
	}
	return hidden ? add(s, group, name, a, NULL) : 0;
}

/* Whether the file has an axis of that name in any group. */
static bool
has_axis(const struct scopes *s, const char *name)
{
	for (int i = 0; i < s->f->ndsets; i++)
		if (is_axis(&s->f->dsets[i]) && strcmp(s->f->dsets[i].name, name) == 0)
			return true;
	return false;
}

/* Whether all axes of an auxiliary dataset are seen from the group that has it. */
static bool
sees_axes(const struct scopes *s, const struct axt_dset *of, const struct axt_aux *x)
{
	const char *group = axt_strndup(s->g->m, of->path,
	    (size_t)(axt_last_part(of->path) - of->path) - 1);

	for (int k = 0; group && k < x->axes.n; k++) {
		const char *name = axt_axis_spell(s->g->m, &x->axes.a[k]);

		/* Zarr has names of axes in arrays alone, which all groups see */
		if (!name ||
		    (!seen_from(s, group, name, true) &&
			(axt_axis_unnamed(&x->axes.a[k]) || has_axis(s, name))))
			return false;
	}
	return group;
}

/* Shares what belongs to a result in `group` and lies in a group above it. */
static int
share_aux(struct scopes *s, const char *group, const struct axt_aux *x)
{
	const char *at = axt_sprintf(s->g->m, "%s%s", s->base, group), *home;
	const struct axt_dset *d = at && x->name ? seen_from(s, at, x->name, false) : NULL;
	const struct axt_axis *axis = NULL;

	if (!d || !(home = home_of(s, d)) || strcmp(home, group) == 0 ||
	    is_shared(s, home, x->name) || is_taken(s, home, x->name, &axis) || axis ||
	    !sees_axes(s, d, x))
		return 0;
	return add(s, home, x->name, NULL, x);
}

/* Calls f for each axis of a result, and of what belongs to it. */
static void
each_axis(struct scopes *s, const struct axt_out_var *v,
    int (*f)(struct scopes *s, const char *group, const struct axt_axis *a))
{
	const char *group = group_of(s, v);

	for (int k = 0; k < v->axes.n && !s->g->err.code; k++)
		f(s, group, &v->axes.a[k]);
	for (const struct axt_aux *x = v->aux; x; x = x->next)
		for (int k = 0; k < x->axes.n && !s->g->err.code; k++)
			f(s, group, &x->axes.a[k]);
}

/* Calls f for each axis of what is carried along. */
static void
each_carried(struct scopes *s, const struct axt_out_rest *rest,
    int (*f)(struct scopes *s, const char *group, const struct axt_axis *a))
{
	for (const struct axt_out_rest *r = rest; r; r = r->next)
		for (int k = 0; !r->shared && r->aux && k < r->aux->axes.n && !s->g->err.code; k++)
			f(s, r->group, &r->aux->axes.a[k]);
}

/* Whether a result, or something that is carried along, is in a group below the base. */
static bool
has_groups(const struct axt_out_var *v, int n, const struct axt_out_rest *rest)
{
	for (int i = 0; i < n; i++)
		if (strchr(v[i].name, '/'))
			return true;
	for (; rest; rest = rest->next)
		if (rest->aux && *rest->group)
			return true;
	return false;
}

/* Makes the tables of what the file has and of what the list shares already. */
static int
fill_tables(struct scopes *s, const struct axt_file *f, const struct axt_out_rest *rest)
{
	for (int i = 0; i < f->ndsets; i++) {
		struct axt_dset *d = &f->dsets[i];
		size_t len = (size_t)(axt_last_part(d->path) - d->path) - 1;

		if (!axt_table_add(s->g->m, &s->dsets, hash_of(d->path, len, d->name), d))
			return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	}
	for (const struct axt_out_rest *r = rest; r; r = r->next) {
		const char *name = !r->shared ? NULL
		    : r->aux                  ? r->aux->name
					      : axt_axis_spell(s->g->m, &r->axes->a[0]);

		if (name &&
		    !axt_table_add(s->g->m, &s->shared, hash_of(r->group, strlen(r->group), name),
			(void *)r))
			return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	}
	return 0;
}

struct axt_out_rest **
axt_share(struct axt_graph *g, const struct axt_file *f, const char *base,
    const struct axt_out_var *v, int n, const struct axt_out_rest *rest, struct axt_out_rest **tail)
{
	struct scopes s = { .g = g, .f = f, .base = base, .v = v, .n = n, .tail = tail };

	if (!has_groups(v, n, rest) || fill_tables(&s, f, rest))
		return tail;
	for (int i = 0; i < n; i++)
		each_axis(&s, &v[i], share_axis);
	each_carried(&s, rest, share_axis);
	for (int i = 0; i < n; i++)
		each_axis(&s, &v[i], keep_axis);
	each_carried(&s, rest, keep_axis);
	for (int i = 0; i < n; i++)
		for (const struct axt_aux *x = v[i].aux; x && !g->err.code; x = x->next)
			share_aux(&s, group_of(&s, &v[i]), x);
	return s.tail;
}
