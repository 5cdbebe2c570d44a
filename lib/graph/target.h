/*
 * target.h - the target of an assignment, which is a slice of a dataset; and locks of the files
 * that are assigned to.
 */
#ifndef AXT_GRAPH_TARGET_H
#define AXT_GRAPH_TARGET_H

#include "graph/graph.h"

struct axt_target {
	struct axt_file *f;
	struct axt_dset *d;
	const char *from; /* the target as messages name it */
	/* lengths and coordinates of the selection, with axes in the order of the storage */
	struct axt_axes axes;
	bool drop[AXT_MAX_RANK]; /* the user selected one position, so the value lacks this axis */
	struct axt_slice_dim dim[AXT_MAX_RANK];
	struct axt_span all[AXT_MAX_RANK];
	/* everything is selected, and the dataset has no allocated space beyond the tensor */
	bool whole;
};
/*
 * Opens "FILE:DATASET[AXIS=SPEC,...]". `dataset` is the name for a word without :DATASET; it may be
 * NULL.
 */
int axt_target_open(struct axt_graph *g, const char *word, const char *dataset,
    struct axt_target *t);

/* The path of the regular file that the word names, or NULL if it names none. */
const char *axt_target_file(struct axt_graph *g, const char *word);

/* ---- hold.c: locks of the files that are assigned to ---- */

/* Locks one file before it is opened. l->fd is -1 if there is no such file. */
int axt_hold_one(struct axt_graph *g, const char *path, struct axt_lock *l);
/* Drops a lock. written: the file was written to, so that an error of closing it is an error. */
int axt_let_go(struct axt_graph *g, const char *path, struct axt_lock *l, bool written);

struct axt_hold {
	int n;
	struct axt_hold_file {
		const char *path;
		bool done;            /* another part of the command locks it from now on */
		struct axt_lock lock; /* lock.fd is -1 while it is not locked */
	} * file;
};
/* Lists the files of targets that exist, without locking them. */
int axt_hold_open(struct axt_graph *g, struct axt_hold *h, const struct axt_assignment a[], int n);
/*
 * Waits until all files are locked, and then reads anew what the graph knows of each file that has
 * changed. how: the flags of axt_lock_take.
 */
int axt_hold_take(struct axt_graph *g, struct axt_hold *h, int how);
/* The lock on an open file, or NULL if it is not locked. */
const struct axt_lock *axt_hold_of(const struct axt_hold *h, const struct axt_file *f);
/* Leaves the file out when locks are taken again. */
void axt_hold_leave(struct axt_hold *h, const char *path);
int axt_hold_drop(struct axt_graph *g, struct axt_hold *h, bool written);

#endif
