/* part.h - one part while it is computed: shared by the files that compute parts. */
#ifndef AXT_JOBS_PART_H
#define AXT_JOBS_PART_H

#include "bytes/packing.h"
#include "jobs/exchange.h"

/* One result of the job, and what the part has of it. */
struct axt_part_result {
	struct axt_chunking as;    /* how it is stored */
	const struct axt_box *box; /* [nboxes] */
	int nboxes;
	const char *why; /* what needs all of an axis; NULL: nothing does */
};
/* A box of a result, or the states of a share of a reduction. */
struct axt_piece {
	struct axt_expr *e;
	const struct axt_box *box; /* NULL: it has no elements */
	int of;                    /* the number of its result */
};
/* The results of a job, as all of its processes know them. */
struct axt_job {
	int n;
	struct axt_save_ready r; /* as they are stored, and what else is written */
	struct axt_expr **e;     /* [n]: the same, unified; or what phases have left of them */
};
/* Finds the results that e[0..n) are. */
int axt_job_find(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, struct axt_job *out);
/*
 * In ranks.c: has all ranks compute and write them. All must call it, those that have failed as
 * well. check: each has found them by itself, so that they may differ.
 */
int axt_ranks_save(struct axt_graph *g, const struct axt_ranks *by, const struct axt_job *job,
    const struct axt_save_opts *o, bool check);

struct axt_part {
	struct axt_graph *g;
	const struct axt_job *job; /* NULL: what it has is found for this part */
	const struct axt_part_opts *o;
	int64_t k, n;
	struct axt_part_output out;     /* what the whole is to be */
	struct axt_expr **e;            /* [out.n]: the whole results, unified */
	struct axt_expr *const *stored; /* [out.n]: the same before, with all that they tell */
	struct axt_part_result *r;      /* [out.n] */
	struct axt_piece *piece;        /* of one result after another */
	int npieces;
	bool together;              /* the parts are processes of one job */
	const struct axt_ranks *by; /* the one of these that this process is; or NULL */
	struct axt_needs needs;     /* of by */
};
/* Finds what the whole output is to be, and how it is cut into p->n parts. */
int axt_part_plan(struct axt_part *p, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/* The same, and which boxes of the results this part has. */
int axt_part_look(struct axt_part *p, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/* The boxes that part p->k has of each result. */
int axt_part_boxes(struct axt_part *p);
/*
 * Makes the expressions of all pieces of the results y, with what other ranks have read of the
 * inputs. All ranks must call it, those that have failed as well.
 */
int axt_part_pieces(struct axt_part *p, struct axt_expr *const y[]);
/* The expressions of all pieces. NULL: there is no memory. */
struct axt_expr **axt_part_exprs(struct axt_part *p);
/* What the part has of result `at`: "time=3:9;time=20:21", "all" or "nothing". */
const char *axt_part_slabs(const struct axt_part *p, int at);
/* Says what the part has, and why a job is cut as it is. */
void axt_part_tell(struct axt_part *p);
/* Axis i of what is cut of result `at`, as a user would type it; several, if cut as one. */
const char *axt_part_axis(const struct axt_part *p, int at, int i);
/*
 * In shared.c: whether the processes of a job write one file, which is that way. Each needs a file
 * of its own where what they have is put together by one of them.
 */
bool axt_part_shares(const struct axt_part *p, const struct axt_save_opts *o,
    const struct axt_way *way);

#endif
