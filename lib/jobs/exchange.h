/*
 * exchange.h - what parts need of the inputs, and inputs of which ranks read a share each and send
 * one another what they need.
 */
#ifndef AXT_JOBS_EXCHANGE_H
#define AXT_JOBS_EXCHANGE_H

#include "bytes/output.h"
#include "jobs/parts.h"
#include "jobs/ranks.h"

/* What a part needs of one input. */
struct axt_need {
	struct axt_expr *leaf;
	struct axt_box box;      /* all that is needed; empty at first */
	int64_t bytes;           /* what reading that by itself takes */
	struct axt_waiting kept; /* the values of the box, which other ranks have sent */
	struct axt_expr *is;     /* a leaf of these; NULL: the part reads them itself */
	/* of all parts that axt_need_part has counted */
	struct axt_box all;   /* the chunks that any of them needs, as a box */
	int64_t read, needed; /* bytes that they would read, and that they need */
	int64_t own;          /* those of needed that a part reads itself if chunks are dealt out */
	bool shared;          /* each chunk is read by one of them alone */
	bool no_room;         /* it would be, but one of them had no room for what it needs */
};
struct axt_needs {
	struct axt_need *l;
	int n;
	bool several; /* several steps will read what is packed: it is better unpacked once */
	bool held;    /* some have leaves of values that came */
	struct axt_box *share; /* [AXT_PART_BOXES]: of axt_needs_dealt */
};
/* The inputs of e[0..n), in files; they may be needed. All ranks have them in one order. */
int axt_needs_of(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_needs *out);
/* Frees what has come. Leaves of it must not be used any more. */
void axt_needs_release(struct axt_needs *n);
/* What n has of a leaf, or NULL. n may be NULL. */
struct axt_need *axt_need(const struct axt_needs *n, const struct axt_expr *leaf);
/* A box of the leaf is needed. */
void axt_needs_add(const struct axt_needs *n, const struct axt_expr *leaf,
    const struct axt_box *box);
/*
 * Sets l[i].all to what e[0..m) need, cut or not, for axt_need_own. What is needed is then empty
 * again.
 */
int axt_needs_whole(struct axt_graph *g, struct axt_expr *const e[], int m, struct axt_needs *n);
/* The bytes of the box of input i that part k reads itself if chunks are dealt out to so many. */
int64_t axt_need_own(const struct axt_needs *n, int i, int64_t k, int64_t parts);
/* How many bytes are read where each chunk is read once. */
int64_t axt_need_once(const struct axt_need *n);
/* In how many rounds so many ranks exchange it, the least of which have so much memory. */
int64_t axt_need_rounds(const struct axt_need *n, int64_t memory, int64_t parts);
/* Counts a part that needs that box, for which it would read so many bytes by itself. */
void axt_need_part(struct axt_need *n, const struct axt_box *box, int64_t bytes);
/* Adds what e[0..m), parts that were made with these needs, read of each input. */
int axt_needs_read(struct axt_graph *g, struct axt_expr *const e[], int m, struct axt_needs *n);
/*
 * Whether parts that were counted would read an input so often that each chunk is better read by
 * one of them, which sends the others what they need. near: all of them run on one machine.
 */
bool axt_need_shared(const struct axt_need *n, bool near);
/*
 * Warns of inputs of which each of `parts` parts of e[0..m) needs nearly all, so that together they
 * move more than twice what there is; and of those that each had to read for itself.
 */
void axt_needs_tell(struct axt_graph *g, struct axt_expr *const e[], int m,
    const struct axt_needs *n, int64_t parts);
/*
 * Fails on all ranks if one has failed. All must call it, those that have failed as well.
 */
int axt_ranks_well(struct axt_graph *g, const struct axt_ranks *by);
/* Whether all ranks give the same number. All must call it. */
bool axt_ranks_same(const struct axt_ranks *by, uint64_t x);
/*
 * Exchanges the inputs that ranks would read several times. All ranks must call it, those that have
 * failed as well. Fails on all if one fails.
 */
int axt_exchange(struct axt_graph *g, const struct axt_ranks *by, struct axt_needs *needs);

/* ---- in phases.c: reductions that all ranks compute before the rest ---- */

struct axt_phases {
	int n, passes;  /* how many reductions, in how many passes; 0: none is worth it */
	int64_t read;   /* bytes that they read, in all */
	int64_t counts; /* bytes of counts of quantiles that each rank adds to those of others */
};
/*
 * Finds the reductions of few results in e[0..n), which are unified, that `parts` ranks had better
 * compute together first. e then becomes what is left, with leaves in place of them that have no
 * values.
 */
int axt_phases_find(struct axt_graph *g, struct axt_expr *e[], int n, int64_t parts,
    struct axt_phases *out);
/*
 * Computes them, and makes e[0..n) what is left of them. All ranks must call it, and none may have
 * failed before.
 */
int axt_phases_run(struct axt_graph *g, const struct axt_ranks *by, struct axt_expr *e[], int n);

#endif
