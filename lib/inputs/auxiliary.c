/*
 * auxiliary.c - reads the auxiliary datasets of a tensor, which its attributes name (bounds,
 * coordinates, grid_mapping, cell_measures, formula_terms).
 */
#include "inputs/inputs.h"

/* Auxiliary coordinates are read into memory. Larger ones are left out. */
#define AUX_BYTES ((int64_t)64 << 20)

/* What coordinates name: those of an axis, and those that are datasets beside it. */
static const char *const of_coords[] = { "bounds", "climatology", "formula_terms" };

/* Whether the path of x is that name behind its first n bytes, or x has that name there. */
static bool
is_called(const struct axt_dset *x, size_t n, const char *name, size_t len)
{
	const char *last = axt_last_part(x->path);

	return (strlen(x->path) == n + len && strncmp(x->path + n, name, len) == 0) ||
	    ((size_t)(last - x->path) == n && strlen(x->name) == len &&
		strncmp(x->name, name, len) == 0);
}

struct axt_dset *
axt_beside(const struct axt_file *f, const struct axt_dset *d, const char *name, size_t len)
{
	for (size_t n = (size_t)(axt_last_part(d->path) - d->path); n > 0;) {
		struct axt_dset *axis = NULL;

		for (int i = 0; i < f->ndsets; i++) {
			struct axt_dset *x = &f->dsets[i];

			if (strncmp(x->path, d->path, n) != 0 || !is_called(x, n, name, len))
				continue;
			if (x->role != AXT_ROLE_DIM)
				return x;
			axis = x;
		}
		if (axis)
			return axis;
		while (--n > 0 && d->path[n - 1] != '/')
			;
	}
	return NULL;
}

int
axt_load_aux(struct axt_graph *g, struct axt_file *f, struct axt_dset *x,
    const struct axt_axes *axes, struct axt_aux *a)
{
	int64_t n;

	a->name = x->name;
	a->axes = x->axes;
	a->dtype = x->dtype;
	a->attrs = x->attrs;
	a->text = x->role == AXT_ROLE_TEXT;
	a->chars = axt_dset_is_chars(f, x);
	a->flags = a->chars && axt_dset_are_flags(g->m, f, x);
	a->like = axt_dset_packed(x);
	for (int i = 0; i < a->axes.n; i++)
		a->own[i] = axt_axes_find(axes, &a->axes.a[i]) < 0;
	if (a->text)
		return axt_dset_strings(g->m, f, x, (const char *const **)&a->data, &n, &g->err);
	if (!axt_axes_count(&a->axes, &n) || n > AUX_BYTES / 16)
		return 1;
	a->data = axt_alloc(g->m, (size_t)n * 16 + 16);
	if (!a->data)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return axt_dset_read(f, x, (void *)a->data, &g->err);
}

struct axt_aux *
axt_held_aux(struct axt_graph *g, struct axt_file *f, struct axt_dset *d)
{
	struct axt_aux *a = d->held ? d->held : axt_alloc(g->m, sizeof(*a));

	if (!a)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (!d->held && axt_load_aux(g, f, d, &d->axes, a) == 0)
		d->held = a;
	return d->held;
}

/* Adds to the end of a list, so that datasets stay in the order in which they are named. */
static void
add_last(const struct axt_aux **all, struct axt_aux *a)
{
	struct axt_aux **tail = (struct axt_aux **)all;

	while (*tail)
		tail = &(*tail)->next;
	a->next = NULL;
	*tail = a;
}

/*
 * Adds text that no attribute names but that lies along axes of d, and of no others; characters may
 * have one axis more. All such text is added if a whole file is read. For one tensor it is only the
 * text whose attribute cf_role says that it names stations, profiles or trajectories.
 */
static int
add_texts(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all)
{
	size_t group = (size_t)(axt_last_part(d->path) - d->path);

	for (int i = 0; i < f->ndsets; i++) {
		struct axt_dset *x = &f->dsets[i];
		bool whole = f->pattern && axt_pattern_fits(g, f->pattern, x);
		struct axt_aux *a, *held;
		int shared = 0, own;

		if (x->role != AXT_ROLE_TEXT || x->rank == 0 || axt_aux_find(*all, x->name) ||
		    strncmp(x->path, d->path, group) != 0 || strchr(x->path + group, '/'))
			continue;
		if (axt_dset_load(g->m, f, x, &g->err))
			return g->err.code;
		if (!whole && !axt_is_cf_id(x->attrs))
			continue;
		for (int k = 0; k < x->axes.n; k++) {
			int j = axt_axes_find(&d->axes, &x->axes.a[k]);

			shared += j >= 0 && d->axes.a[j].len == x->axes.a[k].len &&
			    strcmp(d->axes.a[j].name, x->name) != 0;
		}
		own = x->axes.n > 1 && axt_dset_is_chars(f, x) && !axt_dset_are_flags(g->m, f, x);
		if (shared < MAX(1, x->axes.n - own))
			continue;
		held = axt_held_aux(g, f, x);
		a = axt_alloc(g->m, sizeof(*a));
		if (!held || !a)
			return g->err.code ? (int)g->err.code
					   : axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*a = *held;
		a->beside = !axt_is_cf_id(a->attrs);
		for (int k = 0; k < a->axes.n; k++)
			a->own[k] = axt_axes_find(&d->axes, &a->axes.a[k]) < 0;
		add_last(all, a);
	}
	return 0;
}

/*
 * Adds the datasets whose names are in the list. Those that cannot be read are left out, and so are
 * tensors, which a formula may name. Words before a colon are roles or, with `mapping`, names of
 * grid mappings (CF's extended form: "crs: x y").
 */
static int
add_named(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d, const char *list,
    bool mapping, const struct axt_aux **all)
{
	for (const char *p = list; *p;) {
		size_t len = strcspn(p, " \t\n:");
		struct axt_dset *x = len && (mapping || p[len] != ':') ? axt_beside(f, d, p, len)
								       : NULL;
		struct axt_aux *a;
		bool kept;

		p += len + (p[len] != 0);
		if (!x || x == d || x->role == AXT_ROLE_OTHER || x->role == AXT_ROLE_DIM ||
		    x->virt || x->role == AXT_ROLE_TENSOR)
			continue;
		if (axt_aux_find(*all, x->name))
			x = NULL;
		for (int i = 0; x && i < d->axes.n; i++)
			if (strcmp(d->axes.a[i].name, x->name) == 0 &&
			    axt_axis_has_values(&d->axes.a[i]))
				x = NULL;
		if (!x)
			continue;
		a = axt_alloc(g->m, sizeof(*a));
		if (!a || axt_dset_load(g->m, f, x, &g->err))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		kept = axt_load_aux(g, f, x, &d->axes, a) == 0;
		if (g->err.code)
			return g->err.code;
		if (kept)
			add_last(all, a);
	}
	return 0;
}

/*
 * Adds the bounds and the coefficients of coordinates in *all, which are no axes: they were left
 * when one position of an axis was selected, or lie over several axes.
 */
static int
add_bounds(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all)
{
	const char *list;

	for (const struct axt_aux *x = *all; x; x = x->next)
		for (int k = 0; k < ARRAY_LEN(of_coords); k++)
			if ((list = axt_attr_text(x->attrs, of_coords[k])) &&
			    add_named(g, f, d, list, false, all))
				return g->err.code;
	return 0;
}

int
axt_add_aux(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all)
{
	static const char *const own[] = { "coordinates", "grid_mapping", "cell_measures" };
	const char *list;

	for (int k = 0; k < ARRAY_LEN(own); k++)
		if ((list = axt_attr_text(d->attrs, own[k])) &&
		    add_named(g, f, d, list, strcmp(own[k], "grid_mapping") == 0, all))
			return g->err.code;
	for (int i = 0; i < d->axes.n; i++)
		for (int k = 0; k < ARRAY_LEN(of_coords) && d->axes.a[i].coord; k++)
			if ((list = axt_attr_text(d->axes.a[i].coord->attrs, of_coords[k])) &&
			    add_named(g, f, d, list, false, all))
				return g->err.code;
	if (add_bounds(g, f, d, all))
		return g->err.code;
	return add_texts(g, f, d, all);
}
