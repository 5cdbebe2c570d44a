/* shared.h - what the threads of a step share, for the files that run one. */
#ifndef AXT_EVAL_SHARED_H
#define AXT_EVAL_SHARED_H

#include <pthread.h>
#include <stdatomic.h>

#include "eval/step.h"

/* What the threads of a step share. */
struct axt_shared {
	atomic_llong next, chunk;	/* next unit, next chunk to decode */
	atomic_bool stop;
	pthread_mutex_t lock;
	pthread_cond_t turn;
	int64_t turn_now;		/* unit whose results an ordered sink takes next */
	struct axt_err err;
	int64_t err_unit;
	int64_t chunks;			/* to decode for the current slab */
	int64_t first, units;		/* of the current phase */
	int64_t early;			/* units done before: one thread at a time */
	bool done;
	atomic_bool enough;		/* the sinks want no more */
	/* lanes */
	pthread_mutex_t in;		/* whoever holds it takes the next slab */
	struct axt_step_run *main;	/* where the walk over the slabs is */
	struct axt_source *last;	/* the sources that took last */
	atomic_llong read;		/* LINES: bytes read through maps */
	int64_t ticket, *tile_now;	/* next slab; whose turn a tile of states is */
};

/* Whether no sink wants more; an argument of a product has none. */
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
/* Takes the slab's part of each stream; sources `last` took the slab before. */
int axt_slab_take(const struct axt_step_run *r, struct axt_source *last, struct axt_err *e);

/* step.c */
/* Thread id's part of the chunks that were found to be needed, if it is one of those that decode. */
void axt_step_decode_all(struct axt_worker *w, int id);
int axt_step_decode(const struct axt_step_run *r, struct axt_decoder *z, int64_t k,
    struct axt_err *e);
/* Chunks that rows [lo, hi) of its slabs need and that are not there: units for axt_step_decode. */
int64_t axt_step_windows(struct axt_step_run *r, int64_t lo, int64_t hi);
/* Those of the slab at hand, for all threads. */
int axt_step_next_chunks(struct axt_step_run *r);
/* Does units in order while they need of src, a slab of a product, no element from `end` on. */
void axt_step_early(struct axt_worker *w, const struct axt_source *src, int64_t end);
/* Room for partial states: a unit makes at most unit_slots of them. */
int axt_partial_init(struct axt_step_run *r, int64_t slots);
void axt_tell(const struct axt_step_run *r, int64_t done, int64_t all);
/* States that lived through slabs become results, tile after tile; others begin. */
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

/* In sort.c: steps whose lines are sorted by all threads. What they share; each unit, by all of them. */
int axt_sort_begin(struct axt_step_run *r);
void axt_sort_end(struct axt_step_run *r);
void axt_sort_together(struct axt_worker *w, int id, struct axt_team *team);

/* In sched_stream.c: streams without chunks beside them. Each of n workers takes slabs of its own. */
bool axt_is_laned(const struct axt_step *s);
void axt_lanes_run(struct axt_worker *w, int n);

#endif
