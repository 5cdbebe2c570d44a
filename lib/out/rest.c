/*
 * rest.c - what a file has beside the tensors that a command works on, for an output of whole
 * files: groups with their attributes, text, links, and datasets that belong to tensors, where the
 * axes they lie along are as they were.
 */
#include <fnmatch.h>

#include "out/inner.h"

/* What is looked for, and what it is looked for beside. */
struct beside {
	struct axt_file *f;
	const char *pattern;
	const char *base; /* the group from where the results have their paths; "" is the root */
	const struct axt_out_var *v;
	int n;
	const struct axt_out_rest *shared; /* by results of groups */
};

/* "/g" of "/g/x", where the dataset x is in the output as well. */
static const char *
group_of(struct axt_graph *g, const char *path)
{
	return axt_strndup(g->m, path, (size_t)(axt_last_part(path) - path) - 1);
}

static bool
in_group(const char *group, const char *name, size_t n)
{
	group += group[0] == '/';
	return strlen(group) == n && strncmp(group, name, n) == 0;
}

/* Whether result v is in that group, and what it is called there. */
static const char *
name_in(const struct axt_out_var *v, const char *group)
{
	const char *name = axt_last_part(v->name);
	size_t n = (size_t)(name - v->name);

	return in_group(group, v->name, n > 0 ? n - 1 : 0) ? name : NULL;
}

/* Whether the output has a dataset of that name: a result, one that goes along, an axis. */
static bool
is_there(const struct axt_out_var *v, int n, const char *group, const char *name)
{
	for (int i = 0; i < n; i++) {
		const char *mine = name_in(&v[i], group);

		if (!mine)
			continue;
		if (strcmp(mine, name) == 0)
			return true;
		for (const struct axt_aux *x = v[i].aux; x; x = x->next)
			if (strcmp(x->name, name) == 0)
				return true;
		for (int k = 0; k < v[i].axes.n; k++)
			if (strcmp(v[i].axes.a[k].name, name) == 0 &&
			    axt_axis_has_values(&v[i].axes.a[k]))
				return true;
	}
	return false;
}

/*
 * Whether the dataset was the coordinates of an axis that a result in the group has. It is not
 * carried along then: the command has set, or left out, the coordinates of this axis itself.
 */
static bool
was_coordinates(const struct axt_out_var *v, int n, const char *group, const struct axt_dset *d)
{
	if (d->rank != 1 || axt_axes_spelled(&d->axes, d->name) != 0)
		return false;
	for (int i = 0; i < n; i++)
		if (name_in(&v[i], group) && axt_axes_spelled(&v[i].axes, d->name) >= 0)
			return true;
	return false;
}

/* Whether v has a scalar of that name: the coordinate of an axis that is gone. */
static bool
is_scalar(const struct axt_out_var *v, const char *name)
{
	for (const struct axt_aux *x = v->aux; x; x = x->next)
		if (x->axes.n == 0 && strcmp(x->name, name) == 0)
			return true;
	return false;
}

/* An axis that a result has otherwise, or NULL. *used: whether a result has it. */
static const struct axt_axis *
changed_axis(const struct axt_dset *d, const struct axt_out_var *v, int n, const char *group,
    bool *used)
{
	*used = false;
	for (int k = 0; k < d->axes.n; k++)
		for (int i = 0; i < n; i++) {
			int j = name_in(&v[i], group) ? axt_axes_find(&v[i].axes, &d->axes.a[k])
						      : -1;

			if (j < 0 && name_in(&v[i], group) && is_scalar(&v[i], d->axes.a[k].name))
				return &d->axes.a[k];
			if (j < 0)
				continue;
			*used = true;
			if (v[i].axes.a[j].len != d->axes.a[k].len ||
			    !axt_coord_equal(v[i].axes.a[j].coord, d->axes.a[k].coord))
				return &d->axes.a[k];
		}
	return NULL;
}

/* The axis of a dataset that results in groups below its own have otherwise, or NULL. */
static const struct axt_axis *
changed_below(const struct axt_dset *d, const struct axt_out_rest *shared, const char *group)
{
	for (const struct axt_out_rest *r = shared; r; r = r->next) {
		int k = r->axes ? axt_axes_find(&d->axes, &r->axes->a[0]) : -1;

		if (k >= 0 && strcmp(r->group, group) == 0 &&
		    (d->axes.a[k].len != r->axes->a[0].len ||
			!axt_coord_equal(d->axes.a[k].coord, r->axes->a[0].coord)))
			return &d->axes.a[k];
	}
	return NULL;
}

/* The dataset of the file that has the path of a result; NULL: there is none. */
static const struct axt_dset *
source_of(const struct beside *b, const struct axt_out_var *v)
{
	size_t n = strlen(b->base);

	for (int i = 0; i < b->f->ndsets; i++) {
		const struct axt_dset *d = &b->f->dsets[i];

		const char *last = axt_last_part(d->path), *own = axt_last_part(v->name);

		/* a dataset may have another name than its link */
		if (strncmp(d->path, b->base, n) == 0 && d->path[n] == '/' &&
		    strcmp(d->name, own) == 0 && d->role != AXT_ROLE_DIM &&
		    last - d->path - (ptrdiff_t)n - 1 == own - v->name &&
		    strncmp(d->path + n + 1, v->name, (size_t)(own - v->name)) == 0)
			return d->loaded ? d : NULL;
	}
	return NULL;
}

/* The first axis of d that the result has; NULL: it lacks one that the tensor had. */
static const struct axt_axis *
first_kept(const struct axt_dset *d, const struct axt_dset *tensor, const struct axt_out_var *v)
{
	const struct axt_axis *first = NULL;

	for (int k = 0; k < d->axes.n; k++) {
		bool kept = axt_axes_find(&v->axes, &d->axes.a[k]) >= 0;

		if (!kept && axt_axes_find(&tensor->axes, &d->axes.a[k]) >= 0)
			return NULL;
		if (kept && !first)
			first = &d->axes.a[k];
	}
	return first;
}

/*
 * An axis of d along which elements were moved, by a sort for example: d lay beside a tensor, and
 * no longer lies beside its result, which still has the axis. Lengths do not show it if the axis
 * has no coordinates. NULL: there is none.
 */
static const struct axt_axis *
moved_axis(struct axt_graph *g, const struct beside *b, const struct axt_dset *d, const char *group)
{
	for (int i = 0; i < b->n; i++) {
		const struct axt_dset *t = name_in(&b->v[i], group) ? source_of(b, &b->v[i]) : NULL;
		const struct axt_axis *a = t && t != d ? first_kept(d, t, &b->v[i]) : NULL;
		const struct axt_aux *had = NULL;

		if (!a || axt_aux_find(b->v[i].beside, d->name))
			continue;
		if (axt_add_aux(g, b->f, t, &had))
			return NULL;
		if (axt_aux_find(had, d->name))
			return a;
	}
	return NULL;
}

/* Whether a dataset that the file has in a group has an axis of that name and length. */
static bool
has_alike(const struct axt_file *f, const struct axt_dset *but, const struct axt_axis *a)
{
	size_t n = (size_t)(axt_last_part(but->path) - but->path);

	for (int i = 0; i < f->ndsets; i++) {
		const struct axt_dset *d = &f->dsets[i];
		int k = d->role == AXT_ROLE_TENSOR && d->loaded &&
			(size_t)(axt_last_part(d->path) - d->path) == n &&
			strncmp(d->path, but->path, n) == 0
		    ? axt_axes_find(&d->axes, a)
		    : -1;

		if (k >= 0 && d->axes.a[k].len == a->len)
			return true;
	}
	return false;
}

/* Whether a result in the group has an axis of that name and length. */
static bool
kept_alike(const struct axt_out_var *v, int n, const char *group, const struct axt_axis *a)
{
	for (int i = 0; i < n; i++) {
		int k = name_in(&v[i], group) ? axt_axes_find(&v[i].axes, a) : -1;

		if (k >= 0 && v[i].axes.a[k].len == a->len)
			return true;
	}
	return false;
}

/*
 * Whether text along axes without names still tells what it did: no tensor had axes of these
 * lengths, so that the text is of no elements of tensors, or a result still has axes of these
 * lengths.
 */
static bool
is_unrelated(const struct beside *b, const struct axt_dset *d, const char *group)
{
	if (!axt_axes_numbered(&d->axes))
		return false;
	for (int k = 0; k < d->axes.n; k++)
		if (has_alike(b->f, d, &d->axes.a[k]) &&
		    !kept_alike(b->v, b->n, group, &d->axes.a[k]))
			return false;
	return true;
}

/* Why a text stays behind. */
static const char *
why_not(struct axt_graph *g, const struct axt_axis *a)
{
	const char *name = axt_escape(g->m, a->name);

	return axt_axis_unnamed(a)
	    ? axt_sprintf(g->m, "its %lld places along axis \"%s\" are others in the result",
		  (long long)a->len, name)
	    : axt_sprintf(g->m, "axis \"%s\" is another one in the result", name);
}

static void
left_out(struct axt_graph *g, const struct axt_file *f, struct axt_dset *d, const char *why)
{
	if (d->told)
		return;
	d->told = true;
	axt_warn(g, "%s:%s is left out: %s", axt_escape(g->m, f->path), axt_escape(g->m, d->path),
	    why);
}

/*
 * Whether another dataset of the file may lie along this axis of d, as groups see axes. tensors:
 * only tensors are looked at.
 */
static bool
lies_along(const struct axt_file *f, const struct axt_dset *d, const char *axis, bool tensors)
{
	const struct axt_dset *home = axt_beside(f, d, axis, strlen(axis));
	size_t n = home ? (size_t)(axt_last_part(home->path) - home->path) : 0;

	for (int i = 0; i < f->ndsets; i++) {
		const struct axt_dset *x = &f->dsets[i];

		if (x == d || (tensors && x->role != AXT_ROLE_TENSOR) ||
		    x->role == AXT_ROLE_OTHER || x->role == AXT_ROLE_DIM ||
		    (n && strncmp(x->path, home->path, n) != 0))
			continue;
		/* coordinates that went with their axis; else nothing is known */
		if (!x->loaded && x->rank == 1 && x->role != AXT_ROLE_TENSOR &&
		    strcmp(x->name, axis) != 0)
			continue;
		if (!x->loaded)
			return true;
		if (axt_axes_spelled(&x->axes, axis) >= 0 &&
		    axt_beside(f, x, axis, strlen(axis)) == home)
			return true;
	}
	return false;
}

/* Whether no tensor of the file lies along axes of the dataset, so that no result changed them. */
static bool
is_free(const struct axt_file *f, const struct axt_dset *d)
{
	for (int k = 0; k < d->axes.n; k++)
		if (lies_along(f, d, d->axes.a[k].name, true))
			return false;
	return true;
}

/* One dataset, as it is; NULL: it is not written. */
static struct axt_out_rest *
one(struct axt_graph *g, const struct beside *b, struct axt_dset *d)
{
	struct axt_out_rest *r = axt_alloc(g->m, sizeof(*r));
	struct axt_file *f = b->f;
	const struct axt_axis *other, *moved = NULL;
	bool used;

	if (!r || !(r->group = group_of(g, d->path + strlen(b->base)))) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	if (is_there(b->v, b->n, r->group, d->name))
		return NULL;
	if (d->role == AXT_ROLE_OTHER) {
		left_out(g, f, d, d->why);
		return NULL;
	}
	if ((!d->held && axt_dset_load(g->m, f, d, &g->err)) ||
	    was_coordinates(b->v, b->n, r->group, d))
		return NULL;
	other = changed_axis(d, b->v, b->n, r->group, &used);
	if (!other)
		other = changed_below(d, b->shared, r->group);
	if (other && d->role == AXT_ROLE_TEXT && is_unrelated(b, d, r->group))
		other = NULL;
	if (!other && (moved = moved_axis(g, b, d, r->group)))
		left_out(g, f, d,
		    axt_sprintf(g->m, "axis \"%s\" has other elements in the result",
			axt_escape(g->m, moved->name)));
	if (moved || g->err.code)
		return NULL;
	if (other && d->role == AXT_ROLE_TEXT)
		left_out(g, f, d, why_not(g, other));
	/* what belongs to a tensor goes where its axes are; coordinates go with their axes */
	if (other)
		return NULL;
	if ((d->role == AXT_ROLE_AUX || d->role == AXT_ROLE_SCALE) && d->axes.n > 0 &&
	    !(used && d->role == AXT_ROLE_AUX) && !is_free(f, d))
		return NULL;
	if (!(r->aux = axt_held_aux(g, f, d))) {
		if (!g->err.code)
			left_out(g, f, d, "it is too large to be held in memory");
		return NULL;
	}
	return r;
}

/* A dimension that nothing in the file lies along; NULL: another one, which goes with tensors. */
static struct axt_out_rest *
one_dimension(struct axt_graph *g, const struct beside *b, struct axt_dset *d)
{
	struct axt_out_rest *r = axt_alloc(g->m, sizeof(*r));

	if (!r || !(r->group = group_of(g, d->path + strlen(b->base)))) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	if (axt_dset_load(g->m, b->f, d, &g->err) || d->axes.n != 1 ||
	    lies_along(b->f, d, d->name, false))
		return NULL;
	r->axes = &d->axes;
	return r;
}

/* Whether a group goes to the output: the pattern means it, or a result is somewhere in it. */
static bool
takes_group(struct axt_graph *g, const struct beside *b, const char *path)
{
	size_t len = strlen(b->base);

	if (strncmp(path, b->base, len) != 0 || (path[len] && path[len] != '/'))
		return false;
	if (axt_pattern_takes(g, b->pattern, path))
		return true;
	path += len;
	len = strlen(path);
	for (int i = 0; i < b->n; i++)
		if (len == 0 ||
		    (strncmp(b->v[i].name, path + 1, len - 1) == 0 && b->v[i].name[len - 1] == '/'))
			return true;
	return false;
}

/* Adds a group with its attributes. Returns the end of the list. */
static struct axt_out_rest **
add_group(struct axt_graph *g, const struct beside *b, int i, struct axt_out_rest **tail)
{
	struct axt_out_rest *r = axt_alloc(g->m, sizeof(*r));

	if (!r)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (axt_group_attrs(g->m, b->f, i, &r->attrs, &g->err) == 0) {
		r->group = axt_file_group(b->f, i) + strlen(b->base);
		*tail = r;
		return &r->next;
	}
	return tail;
}

/* ---- links ---- */

/* Whether the output has the dataset of that path in it. */
static bool
has_dset(struct axt_graph *g, const struct beside *b, const struct axt_out_rest *rest,
    const char *path, const char *name)
{
	const char *group = group_of(g, path);

	if (!group || is_there(b->v, b->n, group, name))
		return group;
	for (; rest; rest = rest->next)
		if (strcmp(rest->group, group) == 0 &&
		    ((rest->aux && strcmp(rest->aux->name, name) == 0) ||
			(rest->axes && strcmp(rest->axes->a[0].name, name) == 0)))
			return true;
	return false;
}

/* The path in the output of one in the file; NULL: it is not within the group that is copied. */
static const char *
in_output(const struct beside *b, const char *path)
{
	size_t n = strlen(b->base);

	return strncmp(path, b->base, n) == 0 && (path[n] == '/' || n == 0) ? path + n : NULL;
}

/* Why a link cannot be in the output; NULL: it can. *to: where it leads there. */
static const char *
misleads(struct axt_graph *g, const struct beside *b, const struct axt_out_rest *rest,
    const struct axt_file_link *l, const char **to)
{
	const struct axt_dset *d = l->dset >= 0 ? &b->f->dsets[l->dset] : NULL;
	const char *path = d ? in_output(b, d->path) : NULL;

	if (strcmp(l->name, ".") == 0 || strchr(l->name, '/') || (l->to && !*l->to))
		return "it is damaged";
	if (l->kind == AXT_FILE_OUT)
		return "it is a link to another file";
	*to = l->to[0] == '/' ? in_output(b, l->to) : l->to;
	if (!*to || (d && !(path && has_dset(g, b, rest, path, d->name))))
		return axt_sprintf(g->m, "it is a link to %s, which is not in the result",
		    axt_escape(g->m, d ? d->path : l->to));
	return NULL;
}

/* Adds the links of the groups that are copied, behind all else. */
static void
add_links(struct axt_graph *g, const struct beside *b, const struct axt_out_rest *head,
    struct axt_out_rest **tail)
{
	int n;
	struct axt_file_link *l = axt_file_links(g->m, b->f, &n);

	for (int i = 0; i < n && !g->err.code; i++, l++) {
		const char *path = axt_sprintf(g->m, "%s/%s", l->group, l->name), *why, *to;
		struct axt_dset as = { .path = path, .name = l->name };
		struct axt_out_rest *r = axt_alloc(g->m, sizeof(*r));

		if (!path || !r) {
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
			return;
		}
		if ((l->kind == AXT_FILE_HARD && !l->to) || !in_output(b, path) ||
		    !axt_pattern_fits(g, b->pattern, &as) ||
		    has_dset(g, b, head, in_output(b, path), l->name))
			continue;
		why = misleads(g, b, head, l, &to);
		if (why && !l->told)
			axt_warn(g, "%s:%s is left out: %s", axt_escape(g->m, b->f->path),
			    axt_escape(g->m, path), why);
		l->told = true;
		if (why)
			continue;
		*r = (struct axt_out_rest){ .group = l->group + strlen(b->base),
			.link = l->name,
			.to = to,
			.soft = l->kind == AXT_FILE_SOFT };
		*tail = r;
		tail = &r->next;
	}
}

/* Tells of datasets that cannot have their names, which coordinates of one of their axes have. */
static void
tell_named_as_axes(struct axt_graph *g, const struct beside *b)
{
	for (int i = 0; i < b->f->ndsets; i++) {
		struct axt_dset *d = &b->f->dsets[i];
		bool tensor = d->role == AXT_ROLE_TENSOR;
		int k;

		if (d->told || (d->rank < 2 && !tensor) || d->role == AXT_ROLE_OTHER ||
		    !in_output(b, d->path) || !axt_pattern_fits(g, b->pattern, d))
			continue;
		if (!tensor && !d->held && axt_dset_load(g->m, b->f, d, &g->err))
			return;
		k = axt_axes_spelled(&d->axes, d->name);
		if (k < 0 || (d->rank > 1 && !axt_axis_has_values(&d->axes.a[k])) ||
		    (tensor && strrchr(in_output(b, d->path), '/') > in_output(b, d->path)))
			continue;
		d->told = true;
		axt_warn(g,
		    tensor ? "%s:%s gets another name: one of its axes has this one"
			   : "%s:%s is left out: one of its axes has its name",
		    axt_escape(g->m, b->f->path), axt_escape(g->m, d->path));
	}
}

const struct axt_out_rest *
axt_rest_of(struct axt_graph *g, const char *word, bool within, const struct axt_out_var *v, int n)
{
	struct axt_out_rest *head = NULL, **tail = &head;
	struct beside b = { .v = v, .n = n };
	struct axt_named x;
	const char *group;

	if (axt_named_words(g, word, NULL, &x) || axt_named_file(g, &x) ||
	    !(b.pattern = axt_pattern(g, &x)))
		return NULL;
	b.f = x.f;
	group = within ? axt_named_group(&x) : NULL;
	b.base = group ? group : "";
	tail = axt_share(g, x.f, b.base, v, n, NULL, tail);
	b.shared = head;
	for (int i = within ? 0 : 1; !g->err.code && i < axt_file_ngroups(x.f); i++)
		if (takes_group(g, &b, axt_file_group(x.f, i)))
			tail = add_group(g, &b, i, tail);
	for (int i = 0; !g->err.code && i < x.f->ndsets; i++) {
		struct axt_dset *d = &x.f->dsets[i];

		if (d->role == AXT_ROLE_TENSOR || d->role == AXT_ROLE_DIM)
			continue;
		if (!axt_pattern_fits(g, b.pattern, d))
			continue;
		if ((*tail = one(g, &b, d)))
			tail = &(*tail)->next;
	}
	for (int i = 0; !g->err.code && i < x.f->ndsets; i++) {
		struct axt_dset *d = &x.f->dsets[i];

		if (d->role == AXT_ROLE_DIM && axt_pattern_fits(g, b.pattern, d) &&
		    (*tail = one_dimension(g, &b, d)))
			tail = &(*tail)->next;
	}
	if (!g->err.code)
		tail = axt_share(g, x.f, b.base, v, n, head, tail);
	if (!g->err.code)
		add_links(g, &b, head, tail);
	if (!g->err.code)
		tell_named_as_axes(g, &b);
	if (!g->err.code)
		axt_tell_lost(g, x.f, b.base);
	return head;
}

void
axt_tell_lost(struct axt_graph *g, struct axt_file *f, const char *at)
{
	const char *lost = axt_file_lost(g->m, f, at);

	if (lost)
		axt_warn(g, "%s: attributes of types that are not supported are left out: %s",
		    axt_escape(g->m, f->path), lost);
}

int
axt_tell_unreadable(struct axt_graph *g, const char *word)
{
	struct axt_named x;
	const char *pattern;

	if (axt_named_words(g, word, NULL, &x) || axt_named_file(g, &x) ||
	    !(pattern = axt_pattern(g, &x)))
		return g->err.code;
	for (int i = 0; i < x.f->ndsets; i++) {
		struct axt_dset *d = &x.f->dsets[i];

		if (d->role == AXT_ROLE_OTHER && !d->is_table && axt_pattern_fits(g, pattern, d))
			left_out(g, x.f, d, d->why);
	}
	return g->err.code;
}
