/*
 * links.c - what is in a file beside its datasets and groups: further links to objects, soft links,
 * and attributes that are not read. Copies keep such links, and tell which attributes are lost.
 */
#include <stdlib.h>

#include "files/inner.h"
#include "hdf5/format/raw.h"

int
axt_h5_note_link(struct axt_file *f, int group, const struct axt_link *l, struct axt_err *e)
{
	struct axt_h5 *h = f->h5;
	struct axt_other_link *x;

	if (h->nlinks == h->links_cap) {
		int cap = h->links_cap ? 2 * h->links_cap : 16;

		x = realloc(h->links, (size_t)cap * sizeof(*x));
		if (!x)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		h->links = x;
		h->links_cap = cap;
	}
	h->links[h->nlinks++] = (struct axt_other_link){ .addr = l->addr,
		.l = { .kind = l->other ? AXT_FILE_OUT
			: l->soft       ? AXT_FILE_SOFT
					: AXT_FILE_HARD,
		    .group = h->groups[group].path,
		    .name = l->name,
		    .to = l->soft,
		    .dset = -1 } };
	return AXT_OK;
}

/* The path of the group at an address, or NULL. */
static const char *
group_at(const struct axt_h5 *h, uint64_t addr)
{
	for (int i = 0; i < h->ngroups; i++)
		if (h->groups[i].addr == addr)
			return *h->groups[i].path ? h->groups[i].path : "/";
	return NULL;
}

/* The number of the dataset that is listed with that path, or -1. */
static int
dset_at(const struct axt_file *f, const char *path)
{
	for (int i = 0; path && i < f->ndsets; i++)
		if (strcmp(f->dsets[i].path, path) == 0)
			return i;
	return -1;
}

/* Finds what a link leads to. */
static void
find(struct axt_arena *m, struct axt_file *f, struct axt_other_link *x)
{
	struct axt_file_link *l = &x->l;

	if (l->kind == AXT_FILE_SOFT)
		l->dset = dset_at(f,
		    l->to[0] == '/' ? l->to : axt_sprintf(m, "%s/%s", l->group, l->to));
	if (l->kind == AXT_FILE_HARD) {
		l->dset = axt_h5_at(f, x->addr);
		l->to = l->dset >= 0 ? f->dsets[l->dset].path : group_at(f->h5, x->addr);
	}
}

struct axt_file_link *
axt_file_links(struct axt_arena *m, struct axt_file *f, int *n)
{
	struct axt_h5 *h = f->h5;
	struct axt_file_link *all;

	*n = h ? h->nlinks : 0;
	if (*n == 0)
		return NULL;
	if (h->found_links)
		return h->found_links;
	all = axt_alloc(m, (size_t)*n * sizeof(*all));
	for (int i = 0; all && i < *n; i++) {
		find(m, f, &h->links[i]);
		all[i] = h->links[i].l;
	}
	*n = all ? *n : 0;
	return h->found_links = all;
}

void
axt_h5_note_lost(struct axt_file *f, uint64_t addr, const char *name)
{
	struct axt_h5 *h = f->h5;

	for (int i = 0; i < h->nlost; i++)
		if (h->lost[i].addr == addr && strcmp(h->lost[i].name, name) == 0)
			return;
	if (h->nlost < AXT_LOST)
		h->lost[h->nlost++] = (struct axt_lost){ .addr = addr, .name = name };
	else
		h->more_lost = true;
}

/* Whether the path is that of the group, or of something in it. */
static bool
is_within(const char *path, const char *group)
{
	size_t n = strlen(group);

	return strncmp(path, group, n) == 0 && (n == 0 || path[n] == '/' || !path[n]);
}

const char *
axt_file_lost(struct axt_arena *m, struct axt_file *f, const char *group)
{
	enum { SHOWN = 5 };
	struct axt_h5 *h = f->h5;
	struct axt_buf b = { 0 };
	int found = 0;

	for (int i = 0; h && i < h->nlost; i++) {
		struct axt_lost *x = &h->lost[i];
		int k = axt_h5_at(f, x->addr);
		const char *path = k >= 0 ? f->dsets[k].path : group_at(h, x->addr);

		if (x->told || !path || !is_within(path, group))
			continue;
		x->told = true;
		if (found++ < SHOWN)
			axt_buf_addf(&b, "%s%s:%s", b.n ? ", " : "",
			    strcmp(path, "/") == 0 ? "" : axt_escape(m, path),
			    axt_escape(m, x->name));
	}
	if (found > SHOWN)
		axt_buf_addf(&b, " and %s%d more", h->more_lost ? "at least " : "", found - SHOWN);
	return found ? axt_buf_text(m, &b) : (axt_buf_release(&b), NULL);
}
