/*
 * append.c - records added behind those of a file. What the file will hold is a concatenation of
 * what it has and the operands, so that dtypes, units, calendars and coordinates are looked at as
 * in axt-concat, before a byte is written.
 */
#include <stdlib.h>

#include "graph/target.h"

struct appending {
	struct axt_graph *g;
	const char *file;
	const struct axt_append_opts *o;
	struct axt_axis axis; /* the records are along it */
	const char *along;    /* as it is typed */
	int n;                /* tensors of the file */
	const char *const *words, *const *paths;
	struct axt_expr **old, **all; /* [n]: as they are; with the operands behind */
	bool *grows;
};

static const char *
shown(const struct appending *x)
{
	return axt_escape(x->g->m, x->file);
}

/* An axis as a user types it. */
static const char *
typed(struct axt_graph *g, const struct axt_axis *a)
{
	const char *s = axt_axes_typed(g->m, &(struct axt_axes){ .n = 1, .a = { *a } },
	    (int[]){ 0 }, 1);

	return s ? s : "";
}

/* "t" of "/t", and "/g/t". */
static const char *
plain_path(const char *path)
{
	return *path == '/' && !strchr(path + 1, '/') ? path + 1 : path;
}

/*
 * The number of the file's tensor that has the name of operand e, or -1: of the same path, or else
 * the only one with that name in any group.
 */
static int
tensor_of(const struct appending *x, const struct axt_expr *e)
{
	const char *name = axt_expr_name(e);
	int found = -1, n = 0;

	for (int i = 0; i < x->n && name; i++) {
		const char *last = strrchr(x->paths[i], '/');

		if (strcmp(plain_path(x->paths[i]), plain_path(name)) == 0)
			return i;
		if (last && strcmp(last + 1, name) == 0) {
			found = i;
			n++;
		}
	}
	return n == 1 ? found : -1;
}

static int
open_tensors(struct appending *x)
{
	struct axt_graph *g = x->g;
	int base;

	x->n = axt_match(g, x->file, true, &x->words, &x->paths, &base);
	if (x->n == 0)
		axt_fail(&g->err, AXT_E_NAME, "%s has no tensors", shown(x));
	if (g->err.code)
		return g->err.code;
	x->old = axt_alloc(g->m, (size_t)x->n * sizeof(struct axt_expr *));
	x->all = axt_alloc(g->m, (size_t)x->n * sizeof(struct axt_expr *));
	x->grows = axt_alloc(g->m, (size_t)x->n * sizeof(bool));
	if (!x->old || !x->all || !x->grows)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->n; i++) {
		x->old[i] = axt_set_path(g, axt_open(g, x->words[i], x->o->open), x->paths[i]);
		x->all[i] = x->old[i];
	}
	return g->err.code;
}

/* The axes that can grow, or all, of the file's tensors. */
static void
axes_of_file(const struct appending *x, bool unlimited, struct axt_axes *all)
{
	all->n = 0;
	for (int i = 0; i < x->n; i++)
		for (int k = 0; k < x->old[i]->axes.n; k++) {
			const struct axt_axis *a = &x->old[i]->axes.a[k];

			if ((a->unlimited || !unlimited) && all->n < AXT_MAX_RANK &&
			    axt_axes_find(all, a) < 0)
				all->a[all->n++] = *a;
		}
}

/* The axis that is named, or the only one that is unlimited. */
static int
find_axis(struct appending *x)
{
	struct axt_graph *g = x->g;
	struct axt_axes all, asked;
	int k;

	axes_of_file(x, !x->o->along, &all);
	x->along = x->o->along;
	if (x->along) {
		if (axt_axes_parse(g->m, x->o->along, false, &asked, NULL, &g->err))
			return g->err.code;
		if (asked.n != 1)
			return axt_fail(&g->err, AXT_E_ARG, "records are along one axis, not %d",
			    asked.n);
		k = axt_axes_find(&all, &asked.a[0]);
		if (k < 0)
			return axt_axes_unknown_in(g->m, &all, &asked.a[0], shown(x), &g->err);
		x->axis = all.a[k];
		return 0;
	}
	if (all.n == 1) {
		x->axis = all.a[0];
		x->along = typed(g, &x->axis);
		return 0;
	}
	if (all.n > 1) {
		axt_fail(&g->err, AXT_E_AXES, "%s: several axes are unlimited: %s", shown(x),
		    axt_axes_text(g->m, &all));
		axt_hint(&g->err, "--along %s", typed(g, &all.a[0]));
		return g->err.code;
	}
	axes_of_file(x, false, &all);
	axt_fail(&g->err, AXT_E_AXES, "%s: no axis is unlimited", shown(x));
	if (all.n > 0)
		axt_hint(&g->err, "--along %s appends along an axis of fixed length",
		    typed(g, &all.a[0]));
	return g->err.code;
}

/* Fails with the names of the tensors that lie along the axis and are not given. */
static int
all_given(const struct appending *x)
{
	struct axt_graph *g = x->g;
	struct axt_buf b = { 0 };
	int n = 0;

	for (int i = 0; i < x->n; i++)
		if (!x->grows[i] && axt_axes_find(&x->old[i]->axes, &x->axis) >= 0)
			axt_buf_addf(&b, "%s%s", n++ ? ", " : "",
			    axt_escape(g->m, plain_path(x->paths[i])));
	if (n > 0) {
		axt_fail(&g->err, AXT_E_NAME,
		    "%s: no operand has records of %s, which %s along \"%s\", too", shown(x),
		    b.p ? (char *)b.p : "", n > 1 ? "lie" : "lies", x->along);
		axt_hint(&g->err, "all tensors along an axis get the same records in one command");
	}
	free(b.p);
	return g->err.code;
}

/* An operand that fits nowhere. */
static int
stranger(const struct appending *x, const struct axt_expr *e)
{
	struct axt_graph *g = x->g;
	const char *name = axt_expr_name(e);

	axt_fail(&g->err, AXT_E_NAME, "%s has no tensor \"%s\", and %s would be appended to it",
	    shown(x), name ? axt_escape(g->m, name) : "", e->from);
	axt_hint(&g->err, "axt-copy --name NAME gives it the name of a tensor of %s", shown(x));
	return g->err.code;
}

/* Sorts the operands to the tensors that they go behind. */
static int
sort_operands(struct appending *x, struct axt_expr *const a[], int n)
{
	struct axt_graph *g = x->g;
	struct axt_expr **part = axt_alloc(g->m, ((size_t)n + 1) * sizeof(struct axt_expr *));
	int any = 0;

	if (!part)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int j = 0; j < n; j++)
		if (tensor_of(x, a[j]) < 0 && stranger(x, a[j]))
			return g->err.code;
	for (int i = 0; i < x->n; i++) {
		int m = 1;

		part[0] = x->old[i];
		for (int j = 0; j < n; j++)
			if (tensor_of(x, a[j]) == i)
				part[m++] = a[j];
		/* a mask of land, for example, is in each file of a series */
		if (m == 1 || axt_axes_find(&x->old[i]->axes, &x->axis) < 0)
			continue;
		x->grows[i] = true;
		x->all[i] = axt_concat(g, x->along, m, part);
		x->all[i] = axt_set_path(g, x->all[i], x->paths[i]);
		if (g->err.code)
			return g->err.code;
		any++;
	}
	return any ? 0 : all_given(x);
}

/* Fails unless a tensor is stored with its records as it is stored without. */
static int
stored_alike(struct appending *x)
{
	struct axt_graph *g = x->g;
	struct axt_expr **was = axt_all_as_stored(g, x->old, x->n),
			**is = axt_all_as_stored(g, x->all, x->n);

	for (int i = 0; i < x->n && !g->err.code; i++) {
		if (!x->grows[i])
			continue;
		if (axt_refused(g, was[i]) || axt_refused(g, is[i]))
			return g->err.code;
		if (was[i]->dtype == is[i]->dtype)
			continue;
		axt_fail(&g->err, AXT_E_DTYPE,
		    "%s is stored as %s, and with these records it "
		    "would be %s",
		    x->old[i]->from, axt_dtypes[was[i]->dtype].name, axt_dtypes[is[i]->dtype].name);
		if (was[i]->dtype == x->old[i]->dtype)
			axt_hint(&g->err, "axt-cast --dtype %s converts the operand first",
			    axt_dtypes[was[i]->dtype].name);
	}
	return g->err.code;
}

/* Whether d goes along with a tensor that grows. */
static bool
beside_tensor(const struct appending *x, const struct axt_dset *d)
{
	for (int i = 0; i < x->n; i++)
		for (const struct axt_aux *a = x->all[i]->meta->aux; x->grows[i] && a; a = a->next)
			if (strcmp(a->name, d->name) == 0)
				return true;
	return false;
}

/* Fails if the file has something that an output of the whole file would lack. */
static int
all_kept(const struct appending *x)
{
	struct axt_graph *g = x->g;
	struct axt_named f;

	if (axt_named_words(g, x->file, NULL, &f) || axt_named_file(g, &f))
		return g->err.code;
	for (int i = 0; i < f.f->ndsets; i++) {
		struct axt_dset *d = &f.f->dsets[i];
		bool lost = d->role == AXT_ROLE_OTHER && !d->is_table;

		if (d->role == AXT_ROLE_TEXT) {
			if (!d->held && axt_dset_load(g->m, f.f, d, &g->err))
				return g->err.code;
			lost = axt_axes_find(&d->axes, &x->axis) >= 0 && !beside_tensor(x, d);
		}
		if (lost)
			return axt_fail(&g->err, AXT_E_DTYPE, "%s:%s would be lost: %s", shown(x),
			    axt_escape(g->m, plain_path(d->path)),
			    d->role == AXT_ROLE_OTHER ? d->why : "its text cannot get records");
	}
	return 0;
}

/* Writes the file anew beside the old one, whose place it takes. */
static int
copy(struct appending *x, const struct axt_lock *l)
{
	if (all_kept(x))
		return x->g->err.code;
	return (int)axt_save_in(x->g, x->all, x->n,
	    &(struct axt_save_opts){ .output = x->file, .rest_of = x->file },
	    &(struct axt_save_place){ .file = x->file, .lock = l });
}

enum axt_code
axt_append(struct axt_graph *g, const char *file, struct axt_expr *const a[], int n,
    const struct axt_append_opts *o)
{
	static const struct axt_append_opts plain;
	struct appending x = { .g = g, .file = file, .o = o ? o : &plain };
	struct axt_lock l;

	for (int i = 0; i < n; i++)
		if (axt_refused(g, a[i]))
			return g->err.code;
	if (g->err.code)
		return g->err.code;
	if (axt_stream_is(file))
		return axt_fail(&g->err, AXT_E_ARG,
		    "records are appended to a file, not to a "
		    "stream");
	if (axt_hold_one(g, file, &l))
		return g->err.code;
	if (l.fd < 0) {
		axt_fail(&g->err, AXT_E_IO, "%s: No such file or directory", shown(&x));
		axt_hint(&g->err, "axt-copy --unlimited AXIS A ... -o %s makes it", shown(&x));
	} else if (open_tensors(&x) == 0 && find_axis(&x) == 0 && sort_operands(&x, a, n) == 0 &&
	    all_given(&x) == 0 && stored_alike(&x) == 0) {
		copy(&x, &l);
	}
	return axt_let_go(g, file, &l, false);
}
