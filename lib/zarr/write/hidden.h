/*
 * hidden.h - the directory in which a store is written: it has a hidden name beside the target,
 * ".TARGET.axtXXXXXX", until it gets the target's. Whoever writes it holds a shared lock (flock) on
 * it, and it has a file as a mark until it is a store; so a later command knows what a killed one
 * has left.
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
 * Gives it the name of the target; where a store has that, it goes once those who read it have
 * ended, but within a second. 0, or -1 with errno; EEXIST: there is a store, and `over` is false.
 * *foreign: what got the name meanwhile is no store, and has it still.
 */
int axt_hidden_show(struct axt_hidden *h, const char *target, bool over, bool *foreign);
/* Removes such directories of the target, of this user, that no living process holds. */
void axt_hidden_sweep(const char *target);

#endif
