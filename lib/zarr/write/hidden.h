/*
 * hidden.h - the directory in which a store is written. It has a hidden name beside the target,
 * ".TARGET.axtXXXXXX", until it gets the name of the target. The process that writes it holds a
 * shared lock (flock) on it, and a file in it marks it until it is a whole store; so a later
 * command recognises what a killed one has left.
 */
#ifndef AXT_ZARR_WRITE_HIDDEN_H
#define AXT_ZARR_WRITE_HIDDEN_H

#include <stdbool.h>

struct axt_hidden {
	char *path; /* NULL: there is none */
	int fd;     /* holds the lock; -1: it cannot be opened, or there are no locks */
	int slot;   /* of axt_folder_note */
};
/* Makes one for the target, which has no links. -1 with errno. */
int axt_hidden_make(struct axt_hidden *h, const char *target);
/* Removes it with all that is in it, and releases h. */
void axt_hidden_drop(struct axt_hidden *h);
/*
 * Gives the directory the name of the target. A store that has that name is removed when those who
 * read it have ended, but within a second. Returns 0, or -1 with errno, which is EEXIST if there is
 * a store and `over` is false. *foreign: whether what has the name is no store; it then keeps the
 * name.
 */
int axt_hidden_show(struct axt_hidden *h, const char *target, bool over, bool *foreign);
/* Removes such directories of the target, of this user, that no living process holds. */
void axt_hidden_sweep(const char *target);

#endif
