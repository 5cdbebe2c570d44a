/*
 * dataset_edit.c - removes datasets of a file, or gives them other names. It finds out who refers
 * to them, and plans the steps that edit.c then does in a copy of the file, or in the file itself.
 */
#include "base/quote.h"
#include "hdf5/format/raw.h"
#include "hdf5/format/virtual.h"
#include "files/inner.h"
#include "hdf5/write/output.h"

struct plan {
	struct axt_arena *m;
	struct axt_file *f;
	const struct axt_dsets_edit *ed;
	struct axt_err *e;
	bool *goes;
	int *user; /* a dataset that stays and has this one as an axis, or -1 */
	struct use {
		int by, scale;
		struct use *next;
	} * uses;
	int by;
	struct axt_relink *first, **end;
};

static int
no_memory(struct plan *p)
{
	return axt_fail(p->e, AXT_E_MEM, "out of memory");
}

static const char *
where(struct plan *p, int i)
{
	const char *s = axt_h5_where(p->m, p->f, &p->f->dsets[i]);

	return s ? s : "?";
}

/* Its name or, in a group, its path. */
static const char *
name_of(struct plan *p, int i)
{
	const char *path = p->f->dsets[i].path, *s;

	s = axt_escape(p->m, path + !strchr(path + 1, '/'));
	return s ? s : "?";
}

static const char *
group_of(struct plan *p, int i)
{
	return axt_file_group(p->f, p->f->h5->objs[i].group);
}

/* Adds a step about dataset i; i < 0: about the root. */
static struct axt_relink *
add(struct plan *p, int what, int i)
{
	struct axt_relink *s = axt_alloc(p->m, sizeof(*s));

	if (!s) {
		no_memory(p);
		return NULL;
	}
	s->what = what;
	s->group = i < 0 ? "" : group_of(p, i);
	s->link = i < 0 ? NULL : p->f->h5->objs[i].link;
	*p->end = s;
	p->end = &s->next;
	return s;
}

/* ---- axes ---- */

static void
note_use(void *ctx, uint64_t addr)
{
	struct plan *p = ctx;
	int k = axt_h5_at(p->f, addr);
	struct use *u = k >= 0 && k != p->by ? axt_alloc(p->m, sizeof(*u)) : NULL;

	if (!u)
		return;
	*u = (struct use){ p->by, k, p->uses };
	p->uses = u;
}

/*
 * Finds which datasets are removed. Datasets that may be removed stay if they are axes of datasets
 * that stay. This may make more of them stay, so it is repeated until nothing changes.
 */
static int
find_goers(struct plan *p)
{
	const struct axt_file *f = p->f;
	bool again = true;

	p->goes = axt_alloc(p->m, (size_t)f->ndsets * sizeof(*p->goes) + 1);
	p->user = axt_alloc(p->m, (size_t)f->ndsets * sizeof(*p->user) + 1);
	if (!p->goes || !p->user)
		return no_memory(p);
	for (int i = 0; i < f->ndsets; i++) {
		p->goes[i] = p->ed->change[i].verb != AXT_DSET_STAYS;
		p->by = i;
		if (axt_h5_attached(p->f, i, note_use, p, p->e))
			return p->e->code;
	}
	while (again) {
		again = false;
		for (int i = 0; i < f->ndsets; i++)
			p->user[i] = -1;
		for (const struct use *u = p->uses; u; u = u->next)
			if (!p->goes[u->by])
				p->user[u->scale] = u->by;
		for (int i = 0; i < f->ndsets; i++)
			if (p->goes[i] && p->user[i] >= 0 &&
			    p->ed->change[i].verb == AXT_DSET_MAY_GO) {
				p->goes[i] = false;
				again = true;
			}
	}
	return 0;
}

static bool
in_removed_group(const struct plan *p, int i)
{
	for (int k = 0; k < p->ed->ngroups; k++) {
		size_t n = strlen(p->ed->groups[k]);

		if (strncmp(p->f->dsets[i].path, p->ed->groups[k], n) == 0 &&
		    p->f->dsets[i].path[n] == '/')
			return true;
	}
	return false;
}

/* A dataset that is an axis of others keeps its place, at most without coordinates. */
static int
check_axis(struct plan *p, int i)
{
	const struct axt_dset *d = &p->f->dsets[i];
	const char *by = name_of(p, p->user[i]);
	bool bare = d->role == AXT_ROLE_DIM;

	if (bare || d->rank != 1 || in_removed_group(p, i))
		return axt_fail(p->e, AXT_E_EXISTS, "%s is an axis of %s%s: it is not removed",
		    where(p, i), by, bare ? ", without coordinates" : "");
	if (p->ed->force)
		return 0;
	axt_fail(p->e, AXT_E_EXISTS, "%s is an axis of %s: it is not removed", where(p, i), by);
	axt_hint(p->e, "--force removes its coordinates, and the axis stays");
	return p->e->code;
}

/* Fails where patterns fit axes of datasets that stay, and nothing else, so that nothing goes. */
static int
check_patterns(struct plan *p)
{
	int kept = -1;

	for (int i = p->f->ndsets - 1; i >= 0; i--) {
		if (p->goes[i])
			return 0;
		kept = p->ed->change[i].verb == AXT_DSET_MAY_GO ? i : kept;
	}
	if (kept < 0 || p->ed->ngroups > 0)
		return 0;
	axt_fail(p->e, AXT_E_EXISTS, "%s is an axis of %s: it is not removed, and nothing else is",
	    where(p, kept), name_of(p, p->user[kept]));
	axt_hint(p->e, "axt-remove --force %s removes its coordinates, and the axis stays",
	    axt_typed(p->m, "%s", where(p, kept)));
	return p->e->code;
}

/* ---- names in attributes ---- */

/* The dataset that a word of n bytes in an attribute of dataset `of` means, or -1. */
static int
meant(const struct plan *p, int of, const char *w, size_t n)
{
	const struct axt_h5 *h = p->f->h5;
	int found = -1;

	for (int i = 0; i < p->f->ndsets; i++) {
		const struct axt_dset *d = &p->f->dsets[i];
		bool path = w[0] == '/', here = h->objs[i].group == h->objs[of].group;
		const char *name = path ? d->path : d->name;

		if (strlen(name) != n || strncmp(name, w, n) != 0)
			continue;
		if (path || here)
			return i;
		found = h->objs[i].group == 0 ? i : found;
	}
	return found;
}

static const char *
new_word(struct plan *p, int i, bool path)
{
	const char *name = p->ed->change[i].name;

	return path ? axt_sprintf(p->m, "%s/%s", group_of(p, i), name) : name;
}

/*
 * The new text of an attribute of dataset `of` that names other datasets: renamed ones have their
 * new names, and removed ones are left out. NULL: the text stays, or there is an error. With `own`,
 * words that end in a colon are names, too. With `axes`, only words that end in a colon are names:
 * those of axes.
 */
static const char *
renamed_words(struct plan *p, int of, const struct axt_attr *a, bool own, bool axes)
{
	const char *role = NULL, *text;
	struct axt_buf b = { 0 };
	bool changed = false;
	int role_len = 0;

	for (const char *s = a->text + strspn(a->text, " \t\n"); *s; s += strspn(s, " \t\n")) {
		size_t n = strcspn(s, " \t\n");
		bool colon = s[n - 1] == ':', name = colon ? own || axes : !axes;
		int i = name && n > colon ? meant(p, of, s, n - colon) : -1;

		if (colon && !name) {
			if (role)
				axt_buf_addf(&b, "%s%.*s", b.n ? " " : "", role_len, role);
			role = s;
			role_len = (int)n;
		} else if (i >= 0 && p->goes[i] && !axes) {
			changed = true;
			role = NULL;
			if (!p->ed->force) {
				axt_fail(p->e, AXT_E_EXISTS,
				    "%s is named by attribute \"%s\" of %s: it is not removed",
				    where(p, i), axt_escape(p->m, a->name), name_of(p, of));
				axt_hint(p->e, "--force removes it, and its name there");
			}
		} else {
			const char *to = i >= 0 && p->ed->change[i].name
			    ? new_word(p, i, s[0] == '/')
			    : NULL;

			changed = changed || to;
			axt_buf_addf(&b, "%s%.*s%s%.*s%s", b.n ? " " : "", role ? role_len : 0,
			    role ? role : "", role ? " " : "", to ? (int)strlen(to) : (int)n,
			    to ? to : s, to && colon ? ":" : "");
			role = NULL;
		}
		s += n;
	}
	text = changed && !p->e->code ? axt_buf_text(p->m, &b) : NULL;
	if (!changed || p->e->code)
		axt_buf_release(&b);
	else if (!text)
		no_memory(p);
	return text;
}

static int
one_attr(struct plan *p, int of, const struct axt_attr *a)
{
	bool axes = strcmp(a->name, "cell_methods") == 0, naming = axes;
	struct axt_relink *s;
	const char *text;

	for (int k = 0; k < AXT_NNAMING; k++)
		naming = naming || strcmp(a->name, axt_naming[k]) == 0;
	if (!naming || a->kind != AXT_ATTR_TEXT)
		return 0;
	text = renamed_words(p, of, a, strcmp(a->name, "grid_mapping") == 0, axes);
	if (text && (s = add(p, AXT_RELINK_ATTR, of)))
		s->attr = (struct axt_attr){ .name = a->name, .kind = AXT_ATTR_TEXT, .text = text };
	return p->e->code;
}

/* What dataset i, which stays, names of those that change. */
static int
follow(struct plan *p, int i)
{
	const struct axt_dset *d = &p->f->dsets[i];
	const struct axt_attr *attrs = NULL;
	struct axt_head h = { 0 };

	if (axt_h5_reopen(p->f, i, &h, p->e) == AXT_OK)
		axt_h5_attrs(p->m, p->f, &h, &attrs, p->e);
	axt_head_close(&h);
	for (; attrs && !p->e->code; attrs = attrs->next)
		one_attr(p, i, attrs);
	for (int k = 0; d->virt && k < d->virt->n && !p->e->code; k++) {
		const struct axt_map *map = &d->virt->map[k];
		int of = strcmp(map->file, ".") == 0 ? meant(p, i, map->path, strlen(map->path))
						     : -1;

		if (of >= 0 && (p->goes[of] || p->ed->change[of].name))
			axt_fail(p->e, AXT_E_EXISTS,
			    "%s has values of the virtual dataset %s: it is not %s", where(p, of),
			    name_of(p, i), p->goes[of] ? "removed" : "renamed");
	}
	return p->e->code;
}

/* ---- new names ---- */

/* Whether the name is free in its group, once all changes are made. */
static int
check_name(struct plan *p, int i)
{
	const char *name = p->ed->change[i].name, *path;
	const struct axt_h5 *h = p->f->h5;
	int taken = -1;

	if (axt_name_check(name, "dataset", p->e))
		return p->e->code;
	for (int k = 0; k < p->f->ndsets; k++) {
		const char *its = p->ed->change[k].name ? p->ed->change[k].name
							: p->f->dsets[k].name;

		if (k != i && !p->goes[k] && h->objs[k].group == h->objs[i].group &&
		    strcmp(its, name) == 0)
			taken = k;
	}
	path = axt_sprintf(p->m, "%s/%s", group_of(p, i), name);
	if (taken >= 0)
		return axt_fail(p->e, AXT_E_EXISTS, "%s: \"%s\" is there already", where(p, i),
		    axt_escape(p->m, name));
	for (int k = 0; path && k < h->ngroups; k++)
		if (strcmp(axt_file_group(p->f, k), path) == 0)
			return axt_fail(p->e, AXT_E_EXISTS, "%s: \"%s\" is a group", where(p, i),
			    axt_escape(p->m, name));
	return path ? 0 : no_memory(p);
}

/* The attribute NAME of a scale with coordinates is its name. */
static int
rename_mark(struct plan *p, int i)
{
	struct axt_head h = { 0 };
	struct axt_relink *s;
	const char *mark = NULL;

	if (axt_h5_reopen(p->f, i, &h, p->e) == AXT_OK && axt_head_attr(&h, "CLASS"))
		mark = axt_h5_text(p->m, &h, "NAME");
	axt_head_close(&h);
	if (mark && strcmp(mark, p->f->dsets[i].name) == 0 && (s = add(p, AXT_RELINK_MARK, i)))
		s->to = p->ed->change[i].name;
	return p->e->code;
}

/* Whether dataset i or one before it in its group gets another name. */
static bool
moves(const struct plan *p, int i)
{
	bool yes = false;

	for (int k = 0; k <= i && !p->goes[i]; k++)
		yes = yes ||
		    (p->ed->change[k].name && p->f->h5->objs[k].group == p->f->h5->objs[i].group);
	return yes;
}

/*
 * Adds steps that move links to names that nothing has and then to their new names, so that names
 * can be swapped. A link that is moved becomes the last one of its group. So all links behind it
 * are moved, too, and the order stays.
 */
static void
add_moves(struct plan *p)
{
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < p->f->ndsets && !p->e->code; i++) {
			const char *name = p->ed->change[i].name, *link = p->f->h5->objs[i].link;
			const char *between = axt_sprintf(p->m, "_axt_renamed_%d", i);
			struct axt_relink *s = moves(p, i) ? add(p, AXT_RELINK_MOVE, i) : NULL;

			if (s && pass)
				s->link = between;
			if (s)
				s->to = !pass ? between : name ? name : link;
		}
}

/* ---- all of it ---- */

static int
make_plan(struct plan *p)
{
	const struct axt_dsets_edit *ed = p->ed;
	int n = p->f->ndsets;
	struct axt_relink *s;

	if (find_goers(p) || check_patterns(p))
		return p->e->code;
	for (int i = 0; i < n && !p->e->code; i++) {
		bool bare = p->goes[i] && p->user[i] >= 0 && !check_axis(p, i);

		if (!p->goes[i])
			follow(p, i);
		if (!p->e->code && ed->change[i].name)
			(void)(check_name(p, i) || rename_mark(p, i));
		if (!p->e->code && p->goes[i] &&
		    (s = add(p, bare ? AXT_RELINK_BARE : AXT_RELINK_REMOVE, i)))
			s->len = p->f->dsets[i].dims[0];
	}
	for (int k = 0; k < ed->ngroups && !p->e->code; k++)
		if ((s = add(p, AXT_RELINK_GROUP, -1)))
			s->to = ed->groups[k];
	add_moves(p);
	if (ed->history && (s = add(p, AXT_RELINK_ATTR, -1)))
		s->attr = *ed->history;
	return p->e->code;
}

static int
edit_copy(const struct axt_lock *l, const char *path, const struct axt_relink *steps,
    struct axt_err *e)
{
	struct axt_temp t;

	if (axt_temp_open(&t, path, false, false, e))
		return e->code;
	if (axt_temp_copy(&t, l->fd, e) || axt_h5_relink(t.fd, path, steps, e)) {
		axt_temp_drop(&t);
		return e->code;
	}
	return axt_temp_commit_locked(&t, l, e);
}

/* Members of a table stay in it: they go with it alone, and keep their names. */
static int
members(const struct plan *p, int i)
{
	const struct axt_dset *d = &p->f->dsets[i];
	bool goes = p->ed->change[i].verb == AXT_DSET_GOES;

	for (int k = 0; goes && k < p->f->ndsets; k++)
		if (strcmp(p->f->dsets[k].path, d->table) == 0)
			goes = p->ed->change[k].verb != AXT_DSET_GOES;
	if (goes || p->ed->change[i].name)
		return axt_fail(p->e, AXT_E_ARG,
		    "%s:%s is a member of the table %s, and stays in it",
		    axt_escape(p->m, p->f->path), axt_escape(p->m, d->path),
		    axt_escape(p->m, d->table));
	p->ed->change[i].verb = AXT_DSET_STAYS;
	return 0;
}

int
axt_dsets_edit_file(struct axt_arena *m, struct axt_file *f, const struct axt_dsets_edit *ed,
    const struct axt_lock *l, struct axt_err *e)
{
	struct plan p = { .m = m, .f = f, .ed = ed, .e = e };

	p.end = &p.first;
	if (!f->stream && !axt_file_is_hdf5(f)) {
		axt_fail(e, AXT_E_ARG, "%s: is no HDF5, and cannot be changed",
		    axt_escape(m, f->path));
		axt_hint(e, "axt-copy %s -o a.nc makes it netCDF-4", axt_quoted(m, f->path));
		return e->code;
	}
	if (f->stream || l->fd < 0)
		return axt_fail(e, AXT_E_ARG, "%s: is a stream, and cannot be changed",
		    axt_escape(m, f->path));
	for (int i = 0; i < f->ndsets; i++)
		if (f->dsets[i].table && members(&p, i))
			return e->code;
	if (make_plan(&p))
		return e->code;
	if (!ed->in_place)
		return edit_copy(l, f->path, p.first, e);
	axt_lock_changes(l);
	return axt_h5_relink(l->fd, f->path, p.first, e);
}
