/* target.h - inside the run room: what is assigned to. */
#ifndef AXT_RUN_TARGET_H
#define AXT_RUN_TARGET_H

#include "run.h"

struct axt_target {
	struct axt_file *f;
	struct axt_dset *d;
	const char *from;		/* for messages */
	/* In the order of the storage: lengths and coordinates of what is selected. */
	struct axt_axes axes;
	bool drop[AXT_MAX_RANK];	/* one position, and the axis goes */
	struct axt_slice_dim dim[AXT_MAX_RANK];
	struct axt_span all[AXT_MAX_RANK];
	bool whole;			/* no slice, and no room behind it */
};
/* Opens "FILE:DATASET[AXIS=SPEC,...]". dataset: where the word names none, may be NULL. */
int axt_target_open(struct axt_graph *g, const char *word, const char *dataset,
    struct axt_target *t);

#endif
