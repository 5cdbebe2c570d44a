/* shared.h - what the threads of a step share, for the files that run one. */
#ifndef AXT_EVAL_SHARED_H
#define AXT_EVAL_SHARED_H

#include <pthread.h>
#include <stdatomic.h>

#include "eval/step.h"

/* What the threads of a step share. */
struct axt_shared {
	atomic_llong next, chunk; /* next unit, next chunk to decode */
	atomic_bool stop;
	pthread_mutex_t lock;
	pthread_cond_t turn;
	int64_t turn_now; /* the unit whose results an ordered sink needs next */
	struct axt_err err;
	int64_t err_unit;
	int64_t chunks;       /* to decode for the current slab */
	int64_t first, units; /* of the current phase */
	int64_t early;        /* units done ahead of the phase, by one thread at a time */
	bool done;
	atomic_bool enough; /* all sinks need no more values */
	/* For threads that each take a slab of their own (sched_stream.c). */
	pthread_mutex_t in;        /* held while the next slab is taken */
	struct axt_step_run *main; /* has the position in the sequence of slabs */
	struct axt_source *last;   /* the sources of the thread that took the latest slab */
	atomic_llong read;         /* LINES: bytes read through maps */
	/*
	 * the number of the next slab; for each tile of states, the slab that is merged into it
	 * next
	 */
	int64_t ticket, *tile_now;
};

/* Whether no sink needs more values. An argument of a product has no sink. */
static inline bool
axt_is_full(const struct axt_step_run *r)
{
	if (!r->sink)
		return false;
	for (int k = 0; k < r->s->nouts; k++)
		if (!__atomic_load_n(&r->sink[k]->full, __ATOMIC_RELAXED))
			return false;
	return true;
}

/* In slabs.c: begins with all of the space, but one index where slabs advance by one index. */
void axt_slab_init(struct axt_step_run *r);
/* Rows of the next slab: [lo, hi) of the slab dimension; runs are cut at whole blocks. */
bool axt_slab_next(struct axt_step_run *r);
/* Whether with this slab every element of the results at hand has been seen. */
bool axt_slab_last(const struct axt_step_run *r);
/* Takes the slab's part of each stream; `last` are the sources that took the slab before. */
int axt_slab_take(const struct axt_step_run *r, struct axt_source *last, struct axt_err *e);

/* step.c */
/* Decodes thread id's share of the chunks needed, if it is one of the threads that decode. */
void axt_step_decode_all(struct axt_worker *w, int id);
int axt_step_decode(const struct axt_step_run *r, struct axt_decoder *z, int64_t k,
    struct axt_err *e);
/*
 * How many chunks rows [lo, hi) of the slabs need that are not in memory: units for
 * axt_step_decode.
 */
int64_t axt_step_windows(struct axt_step_run *r, int64_t lo, int64_t hi);
/* Finds the chunks of the current slab, for all threads. */
int axt_step_next_chunks(struct axt_step_run *r);
/* Does units in order while they need of src, a slab of a product, no element from `end` on. */
void axt_step_early(struct axt_worker *w, const struct axt_source *src, int64_t end);
/* Allocates partial states: a unit makes at most unit_slots of them. */
int axt_partial_init(struct axt_step_run *r, int64_t slots);
void axt_tell(const struct axt_step_run *r, int64_t done, int64_t all);
/*
 * Makes results of the states that lived through the slabs, tile by tile, and resets them for the
 * next results.
 */
void axt_finish_all(struct axt_worker *w);

/* In contraction_pack.c: panels of `width` rows or columns, kk deep each. */
struct axt_panels {
	uint8_t *out;
	int64_t width, kk;
	int size;
};
/*
 * Rows (of the left) or columns (of the right) [lo, hi) of matrix b, [k0, k1) of what is summed
 * over, to panels at to->out, the last filled up with zeros; kk is set.
 */
int axt_panels_fill(struct axt_worker *w, const struct axt_matrix *x, int64_t b, int64_t lo,
    int64_t hi, int64_t k0, int64_t k1, struct axt_panels *to);
/*
 * All of matrices [lo, hi), hi - lo <= width: element e of matrix lo + i to place e * width + i at
 * to->out.
 */
int axt_panels_across(struct axt_worker *w, const struct axt_matrix *x, int64_t lo, int64_t hi,
    const struct axt_panels *to);

/*
 * In sort.c: steps whose lines are sorted by all threads. What they share; each unit, by all of
 * them.
 */
int axt_sort_begin(struct axt_step_run *r);
void axt_sort_end(struct axt_step_run *r);
void axt_sort_together(struct axt_worker *w, int id, struct axt_team *team);

/*
 * In sched_stream.c: streams without chunks beside them. Each of n workers takes slabs of its own.
 */
bool axt_is_slab_per_thread(const struct axt_step *s);
void axt_slab_per_thread_run(struct axt_worker *w, int n);

#endif
