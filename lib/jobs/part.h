/* part.h - one part while it is computed: shared by the files that compute parts. */
#ifndef AXT_JOBS_PART_H
#define AXT_JOBS_PART_H

#include "bytes/packing.h"
#include "jobs/exchange.h"

struct axt_part {
	struct axt_graph *g;
	const struct axt_part_opts *o;
	int64_t k, n;
	struct axt_expr *e;         /* the whole result, unified */
	struct axt_part_output out; /* what the whole is to be */
	struct axt_chunking as;     /* and how that is stored */
	struct axt_box *box;        /* [AXT_PART_BOXES] */
	int nboxes;
	struct axt_expr **piece; /* [nboxes], or the one of an empty part */
	int npieces;
	const char *why;            /* what needs all of an axis; NULL: nothing does */
	bool together;              /* the parts are processes of one job */
	const struct axt_ranks *by; /* the one of these that this process is; or NULL */
	struct axt_needs needs;     /* of by */
};
/* Finds what the whole output is to be, and how it is cut into p->n parts. */
int axt_part_plan(struct axt_part *p, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/* The same, and which boxes of the output this part has. */
int axt_part_look(struct axt_part *p, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/*
 * Makes the expressions of all pieces of the result y, with what other ranks have read of the
 * inputs. All ranks must call it, those that have failed as well.
 */
int axt_part_pieces(struct axt_part *p, struct axt_expr *y);
/* Says what the part has, and why a job is cut as it is. */
void axt_part_tell(struct axt_part *p);
/*
 * In shared.c: whether the processes of a job write one file, which is that way. Each needs a file
 * of its own where what they have is put together by one of them.
 */
bool axt_part_shares(const struct axt_part *p, const struct axt_save_opts *o,
    const struct axt_way *way);

#endif
