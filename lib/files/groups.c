/*
 * groups.c - walks the groups of a file. It finds every dataset once, by hard links, in creation
 * order if the file records it.
 */
#include <stdlib.h>

#include "hdf5/format/raw.h"
#include "files/inner.h"

#define MAX_DEPTH 256
#define MAX_HOPS 16 /* soft links that lead to soft links */
#define MAX_OBJECTS 100000
#define MAX_LINKS 1000000 /* of a group, with those that are no objects */

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

static bool
insert(struct axt_h5 *h, uint64_t addr)
{
	uint32_t k = (uint32_t)(addr * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (h->seen_cap - 1);

	while (h->seen[k] && h->seen[k] != addr + 1)
		k = (k + 1) & (h->seen_cap - 1);
	if (h->seen[k])
		return false;
	h->seen[k] = addr + 1;
	h->nseen++;
	return true;
}

int
axt_h5_first(struct axt_h5 *h, uint64_t addr)
{
	uint32_t cap = h->seen_cap;
	uint64_t *old = h->seen;

	if (h->seen && h->nseen * 2 < cap)
		return insert(h, addr);
	h->seen = calloc(cap ? cap * 4 : 256, sizeof(*h->seen));
	if (!h->seen) {
		h->seen = old;
		return -1;
	}
	h->seen_cap = cap ? cap * 4 : 256;
	h->nseen = 0;
	for (uint32_t k = 0; old && k < cap; k++)
		if (old[k])
			insert(h, old[k] - 1);
	free(old);
	return insert(h, addr);
}

/* The links of one group. All are read before any is followed. */
struct links {
	struct axt_arena *m;
	struct axt_link *l;
	int n, cap;
	int others; /* of the n: soft links and such, which are no objects */
	bool failed, many, untracked;
};

static bool
on_link(void *ctx, const struct axt_link *l)
{
	struct links *w = ctx;

	w->others += l->soft || l->other;
	if (w->n - w->others >= MAX_OBJECTS || w->n >= MAX_LINKS) {
		w->many = true;
		return true;
	}
	if (w->n == w->cap) {
		int cap = w->cap ? 2 * w->cap : 32;
		void *p = realloc(w->l, (size_t)cap * sizeof(*w->l));

		w->failed = !p;
		if (!p)
			return true;
		w->l = p;
		w->cap = cap;
	}
	w->l[w->n] = *l;
	w->l[w->n].name = axt_strdup(w->m, l->name);
	w->l[w->n].soft = l->soft ? axt_strdup(w->m, l->soft) : NULL;
	w->failed |= l->soft && !w->l[w->n].soft;
	w->l[w->n].file = l->file ? axt_strdup(w->m, l->file) : NULL;
	w->l[w->n].in_file = l->file ? axt_strdup(w->m, l->in_file) : NULL;
	w->failed |= l->file && (!w->l[w->n].file || !w->l[w->n].in_file);
	w->untracked |= !l->tracked;
	w->failed |= !w->l[w->n++].name;
	return w->failed;
}

static int
by_creation(const void *a, const void *b)
{
	const struct axt_link *x = a, *y = b;

	return axt_creation_order(x->created, x->name, y->created, y->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct axt_link *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Reads all links of a group. Returns false if they are damaged, or if two have the same name. */
static bool
gather(const struct axt_head *h, struct links *l)
{
	if (axt_links_walk(h->r.m, h, on_link, l) == AXT_WALK_DAMAGED)
		return false;
	if (l->n > 1)
		qsort(l->l, (size_t)l->n, sizeof(*l->l), by_name);
	for (int i = 1; i < l->n; i++)
		if (strcmp(l->l[i - 1].name, l->l[i].name) == 0)
			return false;
	if (l->n > 1 && !l->untracked)
		qsort(l->l, (size_t)l->n, sizeof(*l->l), by_creation);
	return true;
}

struct walk {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_err *e;
};

static const char *
path_in(struct axt_arena *m, const char *group, const char *name)
{
	return axt_sprintf(m, "%s/%s", group, name);
}

/* Adds a dataset of which nothing is known yet. Returns its index, or -1. */
static int
new_dset(struct walk *w, int group, const char *name, const char *path, uint64_t addr)
{
	static const char hidden[] = AXT_NC_HIDDEN;
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
			return nomem(w->e), -1;
		h->cap = cap;
	}
	memset(&f->dsets[i], 0, sizeof(f->dsets[i]));
	h->objs[i] = (struct axt_obj){ .addr = addr, .group = group, .link = name };
	f->dsets[i].name = strncmp(name, hidden, sizeof(hidden) - 1) == 0
	    ? name + sizeof(hidden) - 1
	    : name;
	f->dsets[i].path = path;
	f->dsets[i].role = AXT_ROLE_OTHER;
	f->dsets[i].why = "it is damaged";
	if (!path)
		return nomem(w->e), -1;
	return f->ndsets++;
}

/* "table.member"; a slash in the name of a member would be one of groups, and is a "_" here. */
static const char *
member_name(struct axt_arena *m, const char *table, const char *member)
{
	char *s = axt_sprintf(m, "%s.%s", table, member), *p;

	for (p = s ? s + strlen(table) : NULL; p && (p = strchr(p, '/'));)
		*p = '_';
	return s;
}

/* Adds each member of dataset t, or of a member of it that has members itself. */
static int
add_members(struct walk *w, int t, const struct axt_head *head, const char *name, const char *path,
    const struct axt_member *x)
{
	for (int k = 0; k < x->type->n; k++) {
		const struct axt_hmember *y = &x->type->member[k];
		struct axt_member one = *x;
		const char *its = member_name(w->m, name, y->name),
			   *where = member_name(w->m, path, y->name);
		int i;

		if (!its || !where)
			return nomem(w->e);
		one.at += y->at;
		one.type = y->type;
		one.mark = y->value != NULL;
		if (axt_h5_is_table(y->type) && !one.mark) {
			if (add_members(w, t, head, its, where, &one))
				return w->e->code;
			continue;
		}
		if (w->f->ndsets >= MAX_OBJECTS)
			return axt_fail(w->e, AXT_E_LIMIT, "%s: holds over %d objects",
			    axt_escape(w->m, w->f->path), MAX_OBJECTS);
		i = new_dset(w, w->f->h5->objs[t].group, its, where, w->f->h5->objs[t].addr);
		if (i < 0)
			return w->e->code;
		axt_h5_describe_member(w->m, w->f, i, head, &one);
	}
	return AXT_OK;
}

static int
add_table(struct walk *w, int t, const struct axt_head *head)
{
	const struct axt_msg *g = axt_head_msg(head, AXT_MSG_TYPE);
	struct axt_cur c = g->c;
	const struct axt_htype *type = axt_msg_type(head->r.m, &c);
	const struct axt_dset *d = &w->f->dsets[t];

	if (!type)
		return nomem(w->e);
	return add_members(w, t, head, d->name, d->path,
	    &(struct axt_member){ .table = d->path, .record = type->size, .type = type });
}

static int
add_dset(struct walk *w, int group, const char *name, uint64_t addr, const struct axt_head *head)
{
	int i = new_dset(w, group, name, path_in(w->m, w->f->h5->groups[group].path, name), addr);

	if (i < 0 || (head && axt_h5_describe(w->m, w->f, i, head, w->e)))
		return w->e->code;
	return head && w->f->dsets[i].is_table ? add_table(w, i, head) : AXT_OK;
}

/* Adds an object that is no dataset that can be read, to be listed with the reason. */
static int
add_other(struct walk *w, int group, const struct axt_link *l, const char *why)
{
	if (add_dset(w, group, l->name, l->addr, NULL) == AXT_OK && why)
		w->f->dsets[w->f->ndsets - 1].why = why;
	return w->e->code;
}

static int
add_group(struct walk *w, const char *path, uint64_t addr)
{
	struct axt_h5 *h = w->f->h5;
	struct axt_group *g = realloc(h->groups, ((size_t)h->ngroups + 1) * sizeof(*g));

	if (!g)
		return -1;
	h->groups = g;
	g[h->ngroups] = (struct axt_group){ .path = path, .addr = addr };
	return path ? h->ngroups++ : -1;
}

static int
add_type(struct walk *w, const char *path, uint64_t addr, const struct axt_head *head)
{
	struct axt_cur c = axt_head_msg(head, AXT_MSG_TYPE)->c;
	uint8_t *p = axt_alloc(w->m, c.n + 1);
	struct axt_h5 *h = w->f->h5;
	struct axt_named_type *t = realloc(h->types, ((size_t)h->ntypes + 1) * sizeof(*t));

	if (t)
		h->types = t;
	if (!t || !p || !path)
		return nomem(w->e);
	memcpy(p, c.p, c.n);
	t[h->ntypes++] = (struct axt_named_type){ path, addr, p, c.n };
	return AXT_OK;
}

static int walk_group(struct walk *w, const struct axt_head *h, const char *path, uint64_t addr,
    int depth);

/* An object that cannot be read is listed as damaged; the walk goes on to the others. */
static int
follow(struct walk *w, int group, const struct axt_link *l, int depth)
{
	struct axt_h5 *h = w->f->h5;
	struct axt_head o = { 0 };
	int rc = AXT_OK, first;

	if (l->soft || l->other)
		return axt_h5_note_link(w->f, group, l, w->e);
	if (l->addr == UINT64_MAX)
		return AXT_OK;
	first = axt_h5_first(h, l->addr);
	if (first <= 0)
		return first < 0 ? nomem(w->e) : axt_h5_note_link(w->f, group, l, w->e);
	if (h->nseen > MAX_OBJECTS)
		return axt_fail(w->e, AXT_E_LIMIT, "%s: holds over %d objects",
		    axt_escape(w->m, w->f->path), MAX_OBJECTS);
	if (!axt_head_open(&o, w->f->src, l->addr))
		rc = w->f->src->starved ? nomem(w->e) : add_dset(w, group, l->name, l->addr, NULL);
	else if (o.newer || axt_head_kind(&o) == AXT_OBJ_NONE)
		rc = add_other(w, group, l, o.newer);
	else if (axt_head_kind(&o) == AXT_OBJ_DSET)
		rc = add_dset(w, group, l->name, l->addr, &o);
	else if (axt_head_kind(&o) == AXT_OBJ_GROUP && depth >= MAX_DEPTH)
		rc = axt_fail(w->e, AXT_E_LIMIT, "%s: groups are nested more than %d deep",
		    axt_escape(w->m, w->f->path), MAX_DEPTH);
	else if (axt_head_kind(&o) == AXT_OBJ_GROUP)
		rc = walk_group(w, &o, path_in(w->m, h->groups[group].path, l->name), l->addr,
		    depth + 1);
	else if (axt_head_kind(&o) == AXT_OBJ_TYPE)
		rc = add_type(w, path_in(w->m, h->groups[group].path, l->name), l->addr, &o);
	axt_head_close(&o);
	return rc;
}

static int
walk_group(struct walk *w, const struct axt_head *h, const char *path, uint64_t addr, int depth)
{
	struct links l = { .m = w->m };
	int g = add_group(w, path, addr), rc = AXT_OK;
	bool bad;

	if (g < 0)
		return nomem(w->e);
	bad = !gather(h, &l);
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
	struct axt_src *s = f->src;
	struct axt_head h = { 0 };

	if (!axt_head_open(&h, s, s->root) || axt_head_kind(&h) != AXT_OBJ_GROUP)
		s->starved ? nomem(e)
			   : axt_fail(e, AXT_E_DAMAGED, "%s: its root group cannot be read",
				 axt_escape(m, f->path));
	else if (axt_h5_first(f->h5, s->root) < 0)
		nomem(e);
	if (e->code || walk_group(&w, &h, "", s->root, 0) || axt_h5_attrs(m, f, &h, &f->attrs, e))
		axt_fail(e, AXT_E_DAMAGED, "%s: its root group cannot be read",
		    axt_escape(m, f->path));
	axt_head_close(&h);
	return e->code;
}

int
axt_file_ngroups(const struct axt_file *f)
{
	return f->h5 ? f->h5->ngroups : 0;
}

const char *
axt_file_group(const struct axt_file *f, int i)
{
	return f->h5->groups[i].path;
}

int
axt_group_attrs(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **out,
    struct axt_err *e)
{
	struct axt_group *g = &f->h5->groups[i];
	struct axt_head h = { 0 };

	if (!g->loaded && !axt_head_open(&h, f->src, g->addr))
		axt_h5_failed(f, "a group cannot be opened again", e);
	else if (!g->loaded && axt_h5_attrs(m, f, &h, &g->attrs, e) == 0)
		g->loaded = true;
	axt_head_close(&h);
	*out = g->attrs;
	return e->code;
}

/* ---- finding an object by its path ---- */

/* A walk along a path. */
struct route {
	struct axt_arena *m;
	struct axt_src *s;
	int hops;
	bool led;                   /* it led over a soft link to what is there */
	const char *file, *in_file; /* where it leads out of the file */
};

/* The link with a name of n characters in the group at address `group`, in the arena; or none. */
static struct axt_link
link_at(struct route *r, uint64_t group, const char *name, size_t n)
{
	struct axt_link found = { .addr = AXT_UNDEF };
	struct links l = { .m = r->m };
	struct axt_head h = { 0 };

	if (axt_head_open(&h, r->s, group) && gather(&h, &l))
		for (int k = 0; k < l.n; k++)
			if (strncmp(l.l[k].name, name, n) == 0 && !l.l[k].name[n])
				found = l.l[k];
	axt_head_close(&h);
	free(l.l);
	return found;
}

/*
 * The address of the object that a path leads to from the group at address `from`, or AXT_UNDEF. If
 * rest is not NULL, the path may lead nowhere: the address is then that of the last part that
 * exists, and *rest is what follows it in the path.
 */
static uint64_t
resolve(struct route *r, uint64_t from, const char *path, const char **rest)
{
	if (*path == '/')
		from = r->s->root;
	while (*(path += strspn(path, "/")) && from != AXT_UNDEF) {
		size_t n = strcspn(path, "/");
		bool same = n == 1 && *path == '.';
		struct axt_link l = { .addr = from };

		if (!same)
			l = link_at(r, from, path, n);
		r->file = l.file;
		r->in_file = l.in_file;
		if (l.soft)
			l.addr = ++r->hops > MAX_HOPS ? AXT_UNDEF : resolve(r, from, l.soft, NULL);
		r->led = r->led || (l.soft && l.addr != AXT_UNDEF);
		if (r->file)
			r->in_file = axt_sprintf(r->m, "%s%s", r->in_file, path + n);
		if (l.addr == AXT_UNDEF && rest)
			break;
		from = l.addr;
		path += n;
	}
	if (rest)
		*rest = path;
	return from;
}

int
axt_h5_follow(struct axt_file *f, const char *path)
{
	struct route r = { .m = axt_arena_new(), .s = f->src };
	uint64_t addr = r.m ? resolve(&r, r.s->root, path, NULL) : AXT_UNDEF;

	r.s->starved |= !r.m || axt_arena_failed(r.m);
	axt_arena_free(r.m);
	return addr == AXT_UNDEF ? -1 : axt_h5_at(f, addr);
}

/* The path of what is at `rest` in the group at an address; NULL: the name says so as it is. */
static const char *
other_path(struct axt_arena *m, const struct axt_file *f, uint64_t addr, const char *rest)
{
	for (int i = 0; i < f->h5->ngroups; i++)
		if (f->h5->groups[i].addr == addr)
			return axt_sprintf(m, "%s/%s", f->h5->groups[i].path, rest);
	return NULL;
}

void
axt_file_route(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_route *out)
{
	struct route r = { .m = m, .s = f->src };
	const char *rest;
	uint64_t addr;

	*out = (struct axt_route){ 0 };
	if (!f->h5 || f->h5->kind != &axt_kind_hdf5 || f->h5->nlinks == 0 || strchr(name, ','))
		return;
	addr = resolve(&r, r.s->root, name, &rest);
	if (r.file)
		*out = (struct axt_route){ r.file, r.in_file };
	else if (r.led)
		out->path = other_path(m, f, addr, rest);
}
