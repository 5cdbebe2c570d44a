/*
 * tale.h - what the first process of a job tells the others: its results, and all that is known of
 * the inputs but their values.
 */
#ifndef AXT_JOBS_TALE_H
#define AXT_JOBS_TALE_H

#include "jobs/part.h"

struct axt_tale {
	struct axt_buf b; /* all of it but the blocks, which are then told where they are */
	struct axt_tale_block {
		void *p;
		size_t n;
	} * block; /* [nblocks]: large tables of chunks, and values in memory */
	int nblocks;
	/* what is in b */
	struct axt_save_opts o;        /* those that every process needs */
	const char **text;             /* [ntexts]: plans, each of some of the results, in order */
	const struct axt_storage **st; /* [nst]: of their leaves, by number */
	const char **from;             /* [nst]: what messages call these */
	const char **called;           /* [nresults]: what they call the results */
	int nresults, ntexts, nst, nfiles;
	struct axt_meta
	    *meta;       /* [nresults]: of those that were told, what their values go through */
	const char *why; /* why nothing can be told; NULL: it can */
};
/*
 * Makes what others need to take part in the job, whose results become those that they build. Sets
 * t->why if that cannot be told, which is no error. To be freed in any case.
 */
int axt_tale_write(struct axt_graph *g, struct axt_job *job, const struct axt_save_opts *o,
    struct axt_tale *t);
/*
 * In two steps, since the blocks come in between: reads t->b, and allocates the blocks; makes the
 * results. Inputs are opened when their values are first read, and are then compared with what the
 * first process found.
 */
int axt_tale_read(struct axt_graph *g, struct axt_tale *t, struct axt_job *job);
int axt_tale_build(struct axt_graph *g, struct axt_tale *t, struct axt_job *job);
void axt_tale_free(struct axt_tale *t);

#endif
