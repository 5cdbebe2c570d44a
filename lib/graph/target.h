/*
 * target.h - the target of an assignment: a slice of a dataset, and the files that are assigned to.
 */
#ifndef AXT_GRAPH_TARGET_H
#define AXT_GRAPH_TARGET_H

#include "graph/graph.h"

struct axt_target {
	struct axt_file *f;
	struct axt_dset *d;
	const char *from; /* for messages */
	/* In the order of the storage: lengths and coordinates of what is selected. */
	struct axt_axes axes;
	bool drop[AXT_MAX_RANK]; /* one position was selected, so the axis is dropped */
	struct axt_slice_dim dim[AXT_MAX_RANK];
	struct axt_span all[AXT_MAX_RANK];
	/* the whole dataset is selected, and it has no allocated space beyond the tensor */
	bool whole;
};
/* Opens "FILE:DATASET[AXIS=SPEC,...]". dataset: where the word names none, may be NULL. */
int axt_target_open(struct axt_graph *g, const char *word, const char *dataset,
    struct axt_target *t);

/* The file that is named there, if it is one; NULL: none. */
const char *axt_target_file(struct axt_graph *g, const char *word);

/* ---- hold.c: the files that are assigned to ---- */

/* One file, before it is opened; fd is -1 where it is none. */
int axt_hold_one(struct axt_graph *g, const char *path, struct axt_lock *l);
/* written: it was written to, and what close tells is an error. */
int axt_let_go(struct axt_graph *g, const char *path, struct axt_lock *l, bool written);

struct axt_hold {
	int n;
	struct axt_hold_file {
		const char *path;
		bool done;            /* it is not to be locked any more */
		struct axt_lock lock; /* fd -1: not held */
	} * file;
};
/* The files of targets that are there; none is held yet. */
int axt_hold_open(struct axt_graph *g, struct axt_hold *h, const struct axt_assignment a[], int n);
/*
 * Waits until all are held; what the graph has of them is then what is in them. how: of
 * axt_lock_take.
 */
int axt_hold_take(struct axt_graph *g, struct axt_hold *h, int how);
/* The lock that is held of an open file, or NULL. */
const struct axt_lock *axt_hold_of(const struct axt_hold *h, const struct axt_file *f);
/* That file is not held any more the next time. */
void axt_hold_leave(struct axt_hold *h, const char *path);
int axt_hold_drop(struct axt_graph *g, struct axt_hold *h, bool written);

#endif
