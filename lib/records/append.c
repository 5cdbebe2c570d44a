/*
 * append.c - records added behind those of a file. What the file will have is a concatenation of
 * its tensors and the operands. So dtypes, units, calendars and coordinates are checked as by
 * axt-concat, before a byte is written.
 */
#include <stdlib.h>

#include "base/quote.h"
#include "graph/target.h"
#include "bytes/src.h"
#include "files/files.h"
#include "out/deliver.h"
#include "hdf5/append/append.h"

struct appending {
	struct axt_graph *g;
	const char *file;
	const struct axt_append_opts *o;
	struct axt_axis axis; /* the records are along it */
	const char *along;    /* as it is typed */
	int n;                /* tensors of the file */
	const char *const *words, *const *paths;
	struct axt_expr **old, **all; /* [n]: as they are; with the operands behind */
	bool *grows, *packs;          /* it gets records; those are packed as it is */
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
 * The number of the file's tensor to which operand e is appended: the one of e's path, or else the
 * only one that has e's name in any group. -1: none.
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

	x->n = axt_match(g, x->file, true, false, &x->words, &x->paths, &base);
	if (x->n == 0) {
		axt_fail(&g->err, AXT_E_NAME, "%s has no tensors", shown(x));
		axt_about(&g->err, AXT_NO_TENSOR, x->file, NULL);
	}
	if (g->err.code)
		return g->err.code;
	x->old = axt_alloc(g->m, (size_t)x->n * sizeof(struct axt_expr *));
	x->all = axt_alloc(g->m, (size_t)x->n * sizeof(struct axt_expr *));
	x->grows = axt_alloc(g->m, (size_t)x->n * sizeof(bool));
	x->packs = axt_alloc(g->m, (size_t)x->n * sizeof(bool));
	if (!x->old || !x->all || !x->grows || !x->packs)
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

/* Adds to the error just set that an axis of the file has to be named, and which there are. */
static void
among_axes(struct axt_graph *g, const struct axt_axes *all, const char *file)
{
	axt_about(&g->err, AXT_NEEDS_OPTION, "along", file);
	for (int i = 0; i < all->n; i++)
		axt_about_among(&g->err, axt_axis_spell(g->m, &all->a[i]));
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
		if (asked.n != 1) {
			axt_fail(&g->err, AXT_E_ARG, "records are along one axis, not %d", asked.n);
			return axt_about(&g->err, AXT_BAD_WORD, x->o->along, "AXIS");
		}
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
		among_axes(g, &all, x->file);
		axt_hint_option(&g->err, "along", "%s", typed(g, &all.a[0]));
		return g->err.code;
	}
	axes_of_file(x, false, &all);
	axt_fail(&g->err, AXT_E_AXES, "%s: no axis is unlimited", shown(x));
	among_axes(g, &all, x->file);
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
	axt_about(&g->err, AXT_NO_DATASET, name, x->file);
	for (int i = 0; i < x->n; i++)
		axt_about_among(&g->err, plain_path(x->paths[i]));
	axt_hint(&g->err, "axt-copy --name NAME gives it the name of a tensor of %s",
	    axt_quoted(g->m, x->file));
	return g->err.code;
}

/* Fails, since the records that e brings have no x, which the file has for each of its own. */
static int
lacks_beside(const struct appending *x, const char *name, const struct axt_expr *e)
{
	struct axt_graph *g = x->g;

	axt_fail(&g->err, AXT_E_NAME,
	    "%s: no records of %s, which lies along \"%s\", too, are in %s", shown(x),
	    axt_escape(g->m, name), x->along, e->from);
	axt_hint(&g->err, "axt-remove --force %s gives up those of the file",
	    axt_quoted(g->m, axt_sprintf(g->m, "%s:%s", x->file, name)));
	return g->err.code;
}

/* Whether an auxiliary dataset has a value for each record. */
static bool
has_records(const struct appending *x, const struct axt_aux *a)
{
	int k = axt_axes_find(&a->axes, &x->axis);

	return k >= 0 && !a->own[k];
}

/*
 * Fails if one of the n parts lacks bounds or auxiliary coordinates that the first part, the file's
 * own tensor, has along the axis: the result would have none of them.
 */
static int
all_beside(const struct appending *x, struct axt_expr *const part[], int n)
{
	for (const struct axt_aux *a = part[0]->meta->aux; a; a = a->next)
		for (int j = 1; j < n && has_records(x, a); j++)
			if (!axt_aux_find(part[j]->meta->aux, a->name))
				return lacks_beside(x, a->name, part[j]);
	return 0;
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
		if (all_beside(x, part, m))
			return g->err.code;
		x->all[i] = axt_concat(g, x->along, m, part);
		x->all[i] = axt_set_path(g, x->all[i], x->paths[i]);
		if (g->err.code || all_beside(x, (struct axt_expr *[]){ x->old[i], x->all[i] }, 2))
			return g->err.code;
		any++;
	}
	return any ? 0 : all_given(x);
}

/* Whether a tensor is packed into integers: others with a number for what is missing are not. */
static bool
is_packed(const struct axt_expr *e)
{
	const struct axt_attr *a = e->meta->stored ? e->meta->stored->attrs : NULL;

	return axt_attr_find(a, "scale_factor") || axt_attr_find(a, "add_offset");
}

/*
 * Fails unless the tensors with their records are stored in the dtype in which they are stored
 * without. A packed tensor is right in any case: records that are not packed like it will be.
 */
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
		x->packs[i] = is_packed(x->old[i]);
		if (x->packs[i])
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
	if (!axt_file_is_hdf5(f.f)) {
		axt_fail(&g->err, AXT_E_FORMAT, "%s: is no HDF5, and gets no records", shown(x));
		axt_hint(&g->err, "axt-copy %s -o a.nc makes it netCDF-4",
		    axt_quoted(g->m, x->file));
		return g->err.code;
	}
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

static struct axt_expr *
packed(const struct appending *x, int i, struct axt_expr *e)
{
	return x->packs[i] ? axt_cast_like(x->g, e, x->old[i], AXT_OVERFLOW_ERROR) : e;
}

/* Writes the file anew beside the old one, whose place it takes. */
static int
copy(struct appending *x, const struct axt_lock *l)
{
	if (all_kept(x))
		return x->g->err.code;
	for (int i = 0; i < x->n; i++)
		if (x->packs[i])
			x->all[i] = axt_set_path(x->g, packed(x, i, x->all[i]), x->paths[i]);
	return (int)axt_save_in(x->g, x->all, x->n,
	    &(struct axt_save_opts){ .output = x->file, .rest_of = x->file },
	    &(struct axt_save_place){ .file = x->file,
		.lock = l,
		.whole = (const struct axt_expr *const *)x->old });
}

/* ---- in place ---- */

/* The new records as an output, which are written into the file. */
struct growing {
	struct axt_delivery out;
	struct appending *x;
	struct axt_file *f;
	int64_t have, more;     /* records */
	struct axt_growing *to; /* NULL: the file cannot grow in place */
	int n, cap;             /* datasets that grow: first those of the results */
	struct axt_grown *grown;
	const void **data; /* [n]: the records; NULL: they are computed, or nothing is stored */
	struct grown_sink {
		struct axt_sink sink;
		struct growing *s;
		int i;
	} * sinks;
};

/* The dataset of that name in the group of a tensor, or in the groups above it; NULL: none. */
static struct axt_dset *
find_beside(const struct growing *s, const char *tensor, const char *name)
{
	const char *end = strrchr(tensor, '/');

	for (int len = end ? (int)(end - tensor) : 0;; len--) {
		const char *path = axt_sprintf(s->x->g->m, "%.*s/%s", len, tensor, name);

		for (int i = 0; i < s->f->ndsets && path; i++)
			if (strcmp(s->f->dsets[i].path + 1, path + (*path == '/')) == 0)
				return &s->f->dsets[i];
		if (len == 0)
			return NULL;
		while (len > 1 && tensor[len - 1] != '/')
			len--;
	}
}

/* Adds a dataset; *ok becomes false where it cannot grow in place. */
static void
add_grown(struct growing *s, struct axt_dset *d, enum axt_dtype dtype, const void *data,
    bool values, bool *ok)
{
	struct axt_graph *g = s->x->g;
	uint64_t head;
	int64_t bytes;

	if (!d || (!d->loaded && axt_dset_load(g->m, s->f, d, &g->err))) {
		*ok = false;
		return;
	}
	head = axt_dset_grows(s->f, d);
	bytes = d->role == AXT_ROLE_DIM ? 0 : axt_size(dtype);
	for (int k = 1; k < d->rank; k++)
		bytes *= d->dims[k];
	*ok = *ok && head && (bytes > 0) == values && d->role != AXT_ROLE_TEXT &&
	    d->role != AXT_ROLE_OTHER && d->rank > 0 && d->dims[0] == s->have &&
	    (!values || (d->dtype == dtype && axt_axis_same(&d->axes.a[0], &s->x->axis))) &&
	    s->n < s->cap;
	for (int i = 0; i < s->n; i++)
		if (s->grown[i].head == head)
			return;
	if (!*ok)
		return;
	s->grown[s->n] = (struct axt_grown){ .head = head,
		.have = s->have,
		.more = s->more,
		.record = bytes };
	s->data[s->n++] = data;
}

/* Whether coordinates or what belongs to a tensor have the units that they are stored with. */
static bool
same_units(const struct axt_attr *a, const struct axt_attr *b)
{
	const char *x = axt_attr_text(a, "units"), *y = axt_attr_text(b, "units");

	return x && y ? strcmp(x, y) == 0 : x == y;
}

static const struct axt_coord *
coord_of(const struct appending *x, const struct axt_axes *axes)
{
	int k = axt_axes_find(axes, &x->axis);

	return k < 0 ? NULL : axes->a[k].coord;
}

/* What lies along the axis beside tensor i, whose new records are v. */
static void
add_beside(struct growing *s, int i, const struct axt_out_var *v, bool *ok)
{
	struct appending *x = s->x;
	const char *path = x->paths[i];
	const struct axt_coord *c = coord_of(x, &v->axes), *was = coord_of(x, &x->old[i]->axes);

	*ok = *ok && (!c || (was && !c->text && same_units(c->attrs, was->attrs)));
	if (*ok)
		add_grown(s, find_beside(s, path, axt_axis_spell(x->g->m, &x->axis)),
		    c ? c->dtype : AXT_F32, c ? c->data : NULL, c && c->data, ok);
	for (const struct axt_aux *y = v->aux; y && *ok; y = y->next) {
		if (axt_axes_find(&y->axes, &x->axis) < 0)
			continue;
		*ok = !y->text;
		if (*ok)
			add_grown(s, find_beside(s, path, y->name), y->dtype, y->data, true, ok);
	}
}

/* The records of e from the first new one on. */
static struct axt_expr *
new_of(const struct growing *s, struct axt_expr *e)
{
	struct axt_graph *g = s->x->g;
	int k = axt_axes_find(&e->axes, &s->x->axis);
	const struct axt_span span = { .start = s->have, .step = 1, .len = s->more };
	struct axt_axis as = e->axes.a[k];

	as.len = s->more;
	if (axt_coord_take(g->m, as.coord, &span, 1, &as.coord))
		return axt_node_failed(g);
	return axt_view_axis(g, e, k, &span, 1, &as);
}

/* The records that are new, as they are stored. NULL: an error. */
static struct axt_expr **
new_records(struct growing *s, int n)
{
	struct appending *x = s->x;
	struct axt_graph *g = x->g;
	struct axt_expr **e = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));

	for (int i = 0, k = 0; e && i < x->n; i++)
		if (x->grows[i])
			e[k++] = packed(x, i, new_of(s, x->all[i]));
	return !e || g->err.code ? NULL : axt_all_as_stored(g, e, n);
}

static int
write_records(struct axt_sink *k, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct grown_sink *s = (struct grown_sink *)k;

	return axt_growing_put(s->s->to, s->i, off, p, n, e);
}

/* Lists the datasets that grow, and opens the file for it, if it can grow in place. */
static int
open_in_place(struct growing *s, const struct axt_lock *l)
{
	struct appending *x = s->x;
	struct axt_graph *g = x->g;
	struct axt_named f;
	bool ok = true;
	int n = 0;

	if (axt_named_words(g, x->file, NULL, &f) || axt_named_file(g, &f))
		return g->err.code;
	s->f = f.f;
	if (!s->f->src->growth)
		return 0;
	for (int i = 0; i < x->n; i++) {
		if (!x->grows[i])
			continue;
		n++;
		s->have = x->old[i]->axes.a[axt_axes_find(&x->old[i]->axes, &x->axis)].len;
		s->more = x->all[i]->axes.a[axt_axes_find(&x->all[i]->axes, &x->axis)].len -
		    s->have;
	}
	s->cap = s->f->ndsets;
	s->grown = axt_alloc(g->m, (size_t)s->cap * sizeof(*s->grown));
	s->data = axt_alloc(g->m, (size_t)s->cap * sizeof(*s->data));
	s->sinks = axt_alloc(g->m, (size_t)n * sizeof(*s->sinks));
	s->out.n = n;
	if (!s->grown || !s->data || !s->sinks)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	s->out.e = new_records(s, n);
	if (!s->out.e || axt_out_vars(g, s->out.e, n, &s->out.v))
		return g->err.code;
	for (int i = 0, k = 0; i < x->n; i++)
		if (x->grows[i]) {
			ok = ok && s->out.v[k].axes.a[0].len == s->more;
			add_grown(s, find_beside(s, x->paths[i], axt_last_part(x->paths[i])),
			    s->out.v[k].dtype, NULL, true, &ok);
			s->sinks[k] = (struct grown_sink){ .sink.write = write_records,
				.s = s,
				.i = k };
			k++;
		}
	ok = ok && s->n == n;
	for (int i = 0, k = 0; i < x->n; i++)
		if (x->grows[i])
			add_beside(s, i, &s->out.v[k++], &ok);
	if (g->err.code || !ok || s->more == 0)
		return g->err.code;
	return axt_growing_open(l->fd, shown(x), s->grown, s->n, &s->to, &g->err);
}

static int
grown_open(struct axt_delivery *o)
{
	struct growing *s = (struct growing *)o;

	s->f->src->ours = true;
	return 0;
}

static struct axt_sink *
grown_sink(struct axt_delivery *o, int i)
{
	return &((struct growing *)o)->sinks[i].sink;
}

/* Writes coordinates and the like, which are in memory, and shows all records. */
static int
grown_finish(struct axt_delivery *o)
{
	struct growing *s = (struct growing *)o;
	struct axt_err *e = &o->g->err;

	for (int i = o->n; i < s->n; i++)
		if (s->data[i] &&
		    axt_growing_put(s->to, i, 0, s->data[i], s->more * s->grown[i].record, e))
			return e->code;
	return axt_growing_commit(s->to, s->x->o->sync, e);
}

static void
grown_close(struct axt_delivery *o, bool ok)
{
	(void)ok; /* what was not shown is not there */
	axt_growing_close(((struct growing *)o)->to);
}

static const struct axt_delivery_kind grown = {
	.open = grown_open, .sink = grown_sink, .finish = grown_finish, .close = grown_close
};

/* Adds the records in the file itself. *done: it was possible. */
static int
in_place(struct appending *x, const struct axt_lock *l, bool *done)
{
	struct growing s = { .out = { .kind = &grown, .g = x->g, .planned = true }, .x = x };

	*done = false;
	if (open_in_place(&s, l) || !s.to)
		return x->g->err.code;
	*done = true;
	return (int)axt_deliver(&s.out);
}

enum axt_code
axt_append(struct axt_graph *g, const char *file, struct axt_expr *const a[], int n,
    const struct axt_append_opts *o)
{
	static const struct axt_append_opts plain;
	struct appending x = { .g = g, .file = file, .o = o ? o : &plain };
	struct axt_lock l;
	bool done;

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
	if (l.fd < 0 && !l.absent) {
		axt_fail(&g->err, AXT_E_IO, "%s: is no file", shown(&x));
	} else if (l.fd < 0) {
		axt_fail(&g->err, AXT_E_IO, "%s: No such file or directory", shown(&x));
		axt_hint(&g->err, "axt-copy --unlimited AXIS A ... -o %s makes it",
		    axt_quoted(g->m, x.file));
	} else if (open_tensors(&x) == 0 && find_axis(&x) == 0 && sort_operands(&x, a, n) == 0 &&
	    all_given(&x) == 0 && stored_alike(&x) == 0 && in_place(&x, &l, &done) == 0 && !done) {
		copy(&x, &l);
	}
	return axt_let_go(g, file, &l, true);
}
