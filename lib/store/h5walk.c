/*
 * h5walk.c - the walk over a file's groups: every dataset once, by hard links,
 * in creation order where tracked.
 */
#include <stdlib.h>

#include "h5raw.h"

#define MAX_DEPTH 64
#define MAX_OBJECTS 100000

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

static bool
seen(struct axt_h5 *h, uint64_t addr)
{
	uint32_t k = (uint32_t)(addr * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (h->seen_cap - 1);

	while (h->seen[k] && h->seen[k] != addr + 1)
		k = (k + 1) & (h->seen_cap - 1);
	if (h->seen[k])
		return true;
	h->seen[k] = addr + 1;
	h->nseen++;
	return false;
}

static bool
room(struct axt_h5 *h)
{
	uint32_t cap = h->seen_cap;
	uint64_t *old = h->seen;

	if (h->seen && h->nseen * 2 < cap)
		return true;
	h->seen_cap = cap ? cap * 4 : 256;
	h->seen = calloc(h->seen_cap, sizeof(*h->seen));
	if (!h->seen) {
		h->seen = old;
		h->seen_cap = cap;
		return false;
	}
	h->nseen = 0;
	for (uint32_t k = 0; old && k < cap; k++)
		if (old[k])
			seen(h, old[k] - 1);
	free(old);
	return true;
}

/* Links of one group, gathered before any is followed. */
struct links {
	struct axt_arena *m;
	struct link {
		const char *name;
		uint64_t addr;
		int64_t created;
	} *l;
	int n, cap;
	bool failed, many, untracked;
};

static herr_t
on_link(hid_t group, const char *name, const H5L_info_t *info, void *ctx)
{
	struct links *w = ctx;

	(void)group;
	if (info->type != H5L_TYPE_HARD)
		return 0;
	if (w->n >= MAX_OBJECTS) {
		w->many = true;
		return -1;
	}
	if (w->n == w->cap) {
		int cap = w->cap ? 2 * w->cap : 32;
		void *p = realloc(w->l, (size_t)cap * sizeof(*w->l));

		if (!p) {
			w->failed = true;
			return -1;
		}
		w->l = p;
		w->cap = cap;
	}
	w->l[w->n] = (struct link){
		.name = axt_strdup(w->m, name), .addr = info->u.address, .created = info->corder,
	};
	w->untracked |= !info->corder_valid;
	w->failed |= !w->l[w->n++].name;
	return w->failed ? -1 : 0;
}

static int
by_creation(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return x->created < y->created ? -1 : x->created > y->created;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct link *)a)->name, ((const struct link *)b)->name);
}

/*
 * All links of a group. In native order, sorted here: for another order libhdf5 builds a table, of
 * which it frees what it never had when a link is damaged. false: damaged.
 */
static bool
gather(hid_t group, struct links *l)
{
	hsize_t at = 0;

	if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &at, on_link, l) < 0)
		return false;
	if (l->n > 1)
		qsort(l->l, (size_t)l->n, sizeof(*l->l), l->untracked ? by_name : by_creation);
	return true;
}

struct walk {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_err *e;
};

static const char *
join(struct axt_arena *m, const char *group, const char *name)
{
	return axt_sprintf(m, "%s/%s", group, name);
}

static int
add_dset(struct walk *w, int group, const char *name, uint64_t addr, hid_t dset)
{
	static const char hidden[] = "_nc4_non_coord_";
	struct axt_file *f = w->f;
	struct axt_h5 *h = f->h5;
	int i = f->ndsets;

	if (i == h->cap) {
		int cap = h->cap ? 2 * h->cap : 16;
		struct axt_dset *d = realloc(f->dsets, (size_t)cap * sizeof(*d));
		struct axt_obj *o;

		if (d)
			f->dsets = d;
		o = realloc(h->objs, (size_t)cap * sizeof(*o));
		if (o)
			h->objs = o;
		if (!d || !o)
			return nomem(w->e);
		h->cap = cap;
	}
	memset(&f->dsets[i], 0, sizeof(f->dsets[i]));
	h->objs[i] = (struct axt_obj){ .addr = addr, .group = group, .link = name };
	f->dsets[i].name = strncmp(name, hidden, sizeof(hidden) - 1) == 0
	    ? name + sizeof(hidden) - 1 : name;
	f->dsets[i].path = join(w->m, h->groups[group], name);
	if (!f->dsets[i].path)
		return nomem(w->e);
	f->ndsets++;
	if (dset < 0) {
		f->dsets[i].role = AXT_ROLE_OTHER;
		f->dsets[i].why = "it is damaged";
		return AXT_OK;
	}
	return axt_h5_describe(w->m, f, i, dset, w->e);
}

static int
add_group(struct walk *w, const char *path)
{
	struct axt_h5 *h = w->f->h5;
	const char **g = realloc(h->groups, ((size_t)h->ngroups + 1) * sizeof(*g));

	if (!g)
		return -1;
	h->groups = g;
	g[h->ngroups] = path;
	return path ? h->ngroups++ : -1;
}

static int walk_group(struct walk *w, hid_t group, const char *path, int depth);

/* An object that cannot be opened is listed as damaged: the others may be fine. */
static int
follow(struct walk *w, int group, const struct link *l, int depth)
{
	struct axt_h5 *h = w->f->h5;
	int rc = AXT_OK;
	hid_t obj;

	if (!room(h))
		return nomem(w->e);
	if (l->addr == UINT64_MAX || seen(h, l->addr))
		return AXT_OK;
	if (h->nseen > MAX_OBJECTS)
		return axt_fail(w->e, AXT_E_LIMIT, "%s: holds over %d objects",
		    axt_escape(w->m, w->f->path), MAX_OBJECTS);
	obj = axt_raw_sane(&h->src, l->addr) ? H5Oopen_by_addr(h->file, l->addr) : -1;
	if (obj < 0)
		return add_dset(w, group, l->name, l->addr, -1);
	if (H5Iget_type(obj) == H5I_DATASET)
		rc = add_dset(w, group, l->name, l->addr, obj);
	else if (H5Iget_type(obj) == H5I_GROUP && depth < MAX_DEPTH)
		rc = walk_group(w, obj, join(w->m, h->groups[group], l->name), depth + 1);
	H5Oclose(obj);
	return rc;
}

static int
walk_group(struct walk *w, hid_t group, const char *path, int depth)
{
	struct links l = { .m = w->m };
	int g = add_group(w, path), rc = AXT_OK;
	bool bad;

	if (g < 0)
		return nomem(w->e);
	bad = !gather(group, &l);
	if (l.failed)
		rc = nomem(w->e);
	else if (l.many)
		rc = axt_fail(w->e, AXT_E_LIMIT, "%s: holds over %d objects",
		    axt_escape(w->m, w->f->path), MAX_OBJECTS);
	else if (bad)
		rc = axt_fail(w->e, AXT_E_DAMAGED, "%s: group \"%s/\" cannot be read",
		    axt_escape(w->m, w->f->path), axt_escape(w->m, path));
	for (int k = 0; k < l.n && rc == AXT_OK; k++)
		rc = follow(w, g, &l.l[k], depth);
	free(l.l);
	return rc;
}

int
axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	struct walk w = { .m = m, .f = f, .e = e };
	hid_t root = H5Gopen2(f->h5->file, "/", H5P_DEFAULT);
	H5O_info_t info;
	int rc = AXT_E_DAMAGED;

	if (root >= 0 && H5Oget_info2(root, &info, H5O_INFO_BASIC) >= 0 &&
	    axt_raw_sane(&f->h5->src, info.addr)) {
		if (room(f->h5)) {
			seen(f->h5, info.addr);
			rc = walk_group(&w, root, "", 0);
		} else {
			rc = nomem(e);
		}
		if (rc == AXT_OK)
			rc = axt_h5_attrs(m, f, root, info.addr, &f->attrs, e);
	}
	if (root >= 0)
		H5Gclose(root);
	if (rc != AXT_OK && e->code == AXT_OK)
		axt_fail(e, AXT_E_DAMAGED, "%s: its root group cannot be read",
		    axt_escape(m, f->path));
	return e->code;
}
