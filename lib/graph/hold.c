/*
 * hold.c - locks all files that a command assigns to. While it waits for one file it holds no other
 * lock, so that two commands never wait for each other.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "graph/target.h"

/* Whether file i is an earlier file under another name, which is locked already. */
static bool
is_alias(const struct axt_hold *h, int i)
{
	struct stat a, b;

	for (int k = 0; k < i && stat(h->file[i].path, &a) == 0; k++)
		if (stat(h->file[k].path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return true;
	return false;
}

/*
 * Locks all files, beginning with number `first`, for which it waits. If another command holds the
 * lock of one of the rest, drops all locks and sets *busy to the number of that file; else *busy is
 * -1.
 */
static int
take_all(struct axt_graph *g, struct axt_hold *h, int how, int first, int *busy)
{
	bool any = false;

	*busy = -1;
	for (int k = 0; k < h->n; k++) {
		int i = k == 0 ? first : k <= first ? k - 1 : k;
		struct axt_hold_file *f = &h->file[i];

		if (f->done || is_alias(h, i))
			continue;
		if (axt_lock_take(&f->lock, AT_FDCWD, f->path, axt_escape(g->m, f->path),
			how | AXT_LOCK_WRITE | (any ? AXT_LOCK_TRY : 0), axt_graph_talk(g),
			&g->err))
			return g->err.code;
		any = true;
		if (f->lock.busy) {
			*busy = i;
			return axt_hold_drop(g, h, false);
		}
	}
	return 0;
}

int
axt_hold_take(struct axt_graph *g, struct axt_hold *h, int how)
{
	int busy = 0;

	while (busy >= 0 && !g->err.code)
		take_all(g, h, how, busy, &busy);
	for (int i = 0; i < h->n && !g->err.code; i++)
		if (h->file[i].lock.fd >= 0)
			axt_renew_file(g, h->file[i].path, &h->file[i].lock);
	return g->err.code;
}

const struct axt_lock *
axt_hold_of(const struct axt_hold *h, const struct axt_file *f)
{
	for (int i = 0; i < h->n; i++)
		if (h->file[i].lock.fd >= 0 && h->file[i].lock.id.dev == f->id.dev &&
		    h->file[i].lock.id.ino == f->id.ino)
			return &h->file[i].lock;
	return NULL;
}

void
axt_hold_leave(struct axt_hold *h, const char *path)
{
	for (int i = 0; i < h->n; i++)
		h->file[i].done = h->file[i].done || strcmp(h->file[i].path, path) == 0;
}

int
axt_hold_one(struct axt_graph *g, const char *path, struct axt_lock *l)
{
	if (axt_lock_take(l, AT_FDCWD, path, axt_escape(g->m, path), AXT_LOCK_WRITE,
		axt_graph_talk(g), &g->err) ||
	    l->fd < 0)
		return g->err.code;
	return axt_renew_file(g, path, l);
}

int
axt_let_go(struct axt_graph *g, const char *path, struct axt_lock *l, bool written)
{
	if (axt_lock_drop(l) && written)
		axt_fail(&g->err, AXT_E_IO, "%s: %s", axt_escape(g->m, path), strerror(errno));
	return g->err.code;
}

int
axt_hold_drop(struct axt_graph *g, struct axt_hold *h, bool written)
{
	for (int i = 0; i < h->n; i++)
		axt_let_go(g, h->file[i].path, &h->file[i].lock, written);
	return g->err.code;
}

int
axt_hold_open(struct axt_graph *g, struct axt_hold *h, const struct axt_assignment a[], int n)
{
	*h = (struct axt_hold){ .file = axt_alloc(g->m, (2 * (size_t)n + 1) * sizeof(*h->file)) };
	if (!h->file)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		const char *path = axt_target_file(g, a[i].target);

		if (g->err.code)
			return g->err.code;
		if (path)
			h->file[h->n++] = (struct axt_hold_file){ path, .lock.fd = -1 };
	}
	return 0;
}
