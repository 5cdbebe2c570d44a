/*
 * zarr.c - Zarr as one of the kinds of files that are read: the nodes of a store become groups and
 * datasets. (lib/zarr knows what a store is.)
 */
#include "files/inner.h"
#include "zarr/zarr.h"

#include <stdlib.h>

/* What is kept of a store; [ndsets] in the order of datasets. */
struct own {
	const struct axt_store *store;
	struct axt_zarr_array **array;
};

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* The index of the group that a node is in. Where it has no metadata of its own, the root. */
static int
group_of(const struct axt_h5 *h, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;

	for (int i = h->ngroups - 1; i > 0 && slash; i--)
		if (strlen(h->groups[i].path) == n + 1 &&
		    strncmp(h->groups[i].path + 1, path, n) == 0)
			return i;
	return 0;
}

/* The name of an array that is the whole store: the file's, without its end. */
static const char *
whole_name(struct axt_arena *m, const struct axt_store *s)
{
	const char *last = axt_last_part(s->path);
	size_t n = strcspn(last, ".");

	return n > 0 ? axt_strndup(m, last, n) : "data";
}

/*
 * The index of the dataset with the coordinates of dimension k of dataset i, or -1: an array of one
 * dimension that has the dimension's name, in the same group or the nearest one above that has one.
 */
static int
scale_of(const struct axt_file *f, int i, int k)
{
	const struct own *x = f->h5->own;
	const struct axt_zarr_array *a = x->array[i], *b;
	size_t n = strlen(a->path);

	if (!a->dim[k])
		return -1;
	do {
		while (n > 0 && a->path[n - 1] != '/')
			n--;
		for (int j = 0; j < f->ndsets; j++) {
			b = x->array[j];
			if (b->rank == 1 && b->dim[0] && strcmp(b->dim[0], a->dim[k]) == 0 &&
			    strncmp(b->path, a->path, n) == 0 &&
			    strcmp(b->path + n, a->dim[k]) == 0 && b->dims[0] == a->dims[k])
				return j;
		}
	} while (n-- > 0);
	return -1;
}

static int
describe(struct axt_arena *m, struct axt_file *f, int i, struct axt_zarr_array *a,
    struct axt_err *e)
{
	const struct own *x = f->h5->own;
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	const char *path = *a->path ? a->path : whole_name(m, x->store), *t;

	*d = (struct axt_dset){ .dtype = a->dtype, .role = AXT_ROLE_TENSOR };
	if (!path || !(d->path = axt_sprintf(m, "/%s", path)))
		return nomem(e);
	d->name = axt_last_part(d->path);
	*o = (struct axt_obj){ .link = d->name, .group = group_of(f->h5, a->path) };
	o->esize = a->esize;
	o->utf32 = a->kind == AXT_ZARR_UTF32 ? a->swap ? 2 : 1 : 0;
	x->array[i] = a;
	o->vlen = a->kind == AXT_ZARR_VLEN;
	d->why = a->why;
	if (d->why) {
		d->role = AXT_ROLE_OTHER;
		return AXT_OK;
	}
	d->rank = a->rank;
	for (int k = 0; k < d->rank; k++)
		d->dims[k] = a->dims[k];
	if (a->rank == 1 && a->dim[0] && strcmp(a->dim[0], d->name) == 0 &&
	    a->kind == AXT_ZARR_NUMBERS)
		d->role = AXT_ROLE_SCALE;
	if (a->kind != AXT_ZARR_NUMBERS)
		d->role = AXT_ROLE_TEXT;
	for (int k = 0; k < AXT_NNAMING; k++)
		if ((t = axt_attr_text(a->attrs, axt_naming[k])) &&
		    axt_file_words(m, f, i, t, k, e))
			return e->code;
	return AXT_OK;
}

static int
lists(struct axt_file *f, struct own *x, int n, struct axt_err *e)
{
	struct axt_group *g = NULL;

	x->array = calloc((size_t)n + 1, sizeof(*x->array));
	if (axt_file_list(f, n))
		g = realloc(f->h5->groups, ((size_t)n + 1) * sizeof(*g));
	if (!g || !x->array)
		return nomem(e);
	f->h5->groups = g;
	f->h5->own = x;
	return AXT_OK;
}

/* Whether the attribute of a group names a dimension. */
static bool
names_dimension(const struct axt_attr *a, const char *name)
{
	const char *const *s = a->data;

	if (a->kind == AXT_ATTR_TEXT)
		return strcmp(a->text, name) == 0;
	for (int64_t k = 0; a->kind == AXT_ATTR_TEXTS && k < a->n; k++)
		if (strcmp(s[k], name) == 0)
			return true;
	return false;
}

/* Dimensions of arrays are unlimited where their group says so, which is no attribute then. */
static void
mark_unlimited(struct axt_arena *m, struct axt_file *f, const struct own *x)
{
	for (int i = 0; i < f->ndsets; i++) {
		struct axt_obj *o = &f->h5->objs[i];
		const struct axt_attr *a = axt_attr_find(f->h5->groups[o->group].attrs,
		    AXT_ZARR_UNLIMITED);

		for (int k = 0; a && k < f->dsets[i].rank; k++)
			if (x->array[i]->dim[k] && names_dimension(a, x->array[i]->dim[k]))
				o->unlimited |= (uint32_t)1 << k;
	}
	for (int i = 0; i < f->h5->ngroups; i++)
		if (axt_attr_find(f->h5->groups[i].attrs, AXT_ZARR_UNLIMITED))
			f->h5->groups[i].attrs = axt_attr_drop(m, f->h5->groups[i].attrs,
			    AXT_ZARR_UNLIMITED);
}

static int
list(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	struct axt_store *s = f->h5->own;
	struct axt_zarr_node *node;
	struct axt_zarr_array *a;
	struct own *x = axt_alloc(m, sizeof(*x));
	const struct axt_attr *attrs;
	const char *path;
	int n = 0;

	if (!x || s->kind->nodes(s, &node, &n, e) || lists(f, x, n, e))
		return e->code ? (int)e->code : nomem(e);
	x->store = s;
	if (!axt_file_keep(m, f, x->array))
		return nomem(e);
	for (int i = 0; i < n; i++) {
		struct axt_group *g = &f->h5->groups[*node[i].path ? f->h5->ngroups : 0];

		if (axt_zarr_node(s, &node[i], &a, &attrs, e))
			return e->code;
		if (a && describe(m, f, f->ndsets++, a, e))
			return e->code;
		if (a)
			continue;
		path = *node[i].path ? axt_sprintf(m, "/%s", node[i].path) : "";
		if (!path)
			return nomem(e);
		f->h5->ngroups += *path != 0;
		*g = (struct axt_group){ .path = path, .loaded = true, .attrs = attrs };
	}
	mark_unlimited(m, f, x);
	f->attrs = f->h5->groups[0].attrs;
	return AXT_OK;
}

static int
load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **out,
    struct axt_dims *dims, struct axt_err *e)
{
	const struct own *x = f->h5->own;
	const struct axt_zarr_array *a = x->array[i];
	struct axt_dset *d = &f->dsets[i];
	struct axt_storage *s = &d->st;
	void *keep;

	*out = a->attrs;
	for (int k = 0; dims && k < d->rank; k++) {
		dims->scale[k] = scale_of(f, i, k);
		dims->label[k] = a->dim[k];
		/* an axis without a name is called by its place in the array */
		if (!dims->label[k])
			dims->label[k] = axt_sprintf(m, "dim_%d", k);
	}
	if (d->loaded)
		return AXT_OK;
	*s = (struct axt_storage){ .dtype = d->dtype,
		.esize = a->esize,
		.rank = d->rank,
		.count = 1,
		.fd = -1,
		.file = f,
		.from = axt_h5_where(m, f, d) };
	if (!s->from)
		return nomem(e);
	for (int k = 0; k < d->rank; k++) {
		s->dims[k] = d->dims[k];
		s->count *= d->dims[k];
	}
	axt_zarr_storage(x->store, a, s, &keep, e);
	if (keep && !axt_file_keep(m, f, keep))
		return nomem(e);
	return e->code;
}

static int
texts(struct axt_arena *m, struct axt_file *f, int i, const char **out, struct axt_err *e)
{
	const struct own *x = f->h5->own;

	return axt_zarr_texts(m, x->array[i], &f->dsets[i].st, out, e);
}

const struct axt_file_kind axt_kind_zarr = { .list = list, .load = load, .texts = texts };
