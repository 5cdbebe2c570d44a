/*
 * hidden.h - hidden names, ".NAME.axtXXXXXX", which outputs have while they are written: files, the
 * directories of stores, and those with the parts of a job. Who writes one holds a lock on it, so a
 * later command recognises what a killed one has left.
 */
#ifndef AXT_BYTES_HIDDEN_H
#define AXT_BYTES_HIDDEN_H

#include <limits.h>
#include <stdbool.h>

/*
 * A directory. Who writes it holds a shared lock (flock) on it, and a file in it marks it until it
 * is whole.
 */
struct axt_hidden {
	char *path; /* NULL: there is none */
	int fd;     /* holds the lock; -1: it cannot be opened, or there are no locks */
	int slot;   /* of axt_hidden_note */
};
/* Makes one beside the target, which has no links. -1 with errno. */
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
/*
 * Removes what killed commands have left beside the target: what has a hidden name of it, belongs
 * to this user, and is held by no living process.
 */
void axt_hidden_sweep(const char *target);

/* Makes a hidden name of an output called base, at random. false with errno: it cannot. */
bool axt_hidden_name(const char *base, char name[NAME_MAX + 1]);
/*
 * Notes what axt_out_cleanup removes, with all that is in it, if a signal ends the process. Returns
 * a number, or -1 if the table is full, and a signal may leave it behind.
 */
int axt_hidden_note(int dirfd, const char *name);
void axt_hidden_forget(int *slot);
/*
 * Holds a file, which others see until it is closed. A file with a hidden name is held before it
 * has the name, or has to be looked for by its name once it is held.
 */
void axt_hidden_hold(int fd);
/*
 * Removes a file of this user that no living process holds. false: there is one that stays. A
 * process that has just made a file of this name, and does not hold it yet, finds that its file has
 * no name any more.
 */
bool axt_hidden_stale(int dirfd, const char *name);

#endif
