/* shared.h - what the threads of a step share, for the files that run steps. */
#ifndef AXT_EVAL_SHARED_H
#define AXT_EVAL_SHARED_H

#include <pthread.h>
#include <stdatomic.h>

#include "eval/step.h"

/* What the threads of a step share. */
struct axt_shared {
	atomic_llong next, chunk; /* the next unit, and the next chunk to decode */
	atomic_bool stop;
	pthread_mutex_t lock;
	pthread_cond_t turn;
	int64_t turn_now; /* the unit whose results an ordered sink needs next */
	struct axt_err err;
	int64_t err_unit;
	int64_t chunks;       /* number of chunks to decode for the current slab */
	int64_t first, units; /* the units of the current phase */
	int64_t early; /* units of the phase that were done before it, by one thread at a time */
	bool done;
	atomic_bool enough; /* whether all sinks need no more values */
	/* for threads that have slabs of their own (sched_stream.c) */
	pthread_mutex_t in;        /* is held while the next slab is read */
	struct axt_step_run *main; /* the run that knows which slab is next */
	struct axt_source *last;   /* the sources of the thread that read the latest slab */
	atomic_llong read;         /* of LINES: bytes that were read from mapped files */
	/*
	 * Threads take slabs in their order, and each slab gets the next ticket. The states of a
	 * slab are merged into tile i of all states when tile_now[i] is the slab's ticket. So the
	 * order of merging, and with it the bits of the result, does not depend on which thread is
	 * faster.
	 */
	int64_t ticket, *tile_now;
	int64_t states; /* the bytes of states that were written (kern/states.c) */
};

/* Whether the sinks need no more values. An argument of a product has no sink. */
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
/* Finds rows [lo, hi) of the next slab. Runs are cut only at whole blocks. */
bool axt_slab_next(struct axt_step_run *r);
/* Whether all elements of the current results have been seen after this slab. */
bool axt_slab_last(const struct axt_step_run *r);
/* Reads the slab's part of each stream. `last` are the sources that read the slab before. */
int axt_slab_take(const struct axt_step_run *r, struct axt_source *last, struct axt_err *e);

/* In step.c. */
/* Decodes the share of thread id of the chunks that are needed, if that thread decodes. */
void axt_step_decode_all(struct axt_worker *w, int id);
int axt_step_decode(const struct axt_step_run *r, struct axt_decoder *z, int64_t k,
    struct axt_err *e);
/*
 * Sets the windows of the sources to rows [lo, hi). Returns how many chunks have to be decoded for
 * them; axt_step_decode decodes one of these.
 */
int64_t axt_step_windows(struct axt_step_run *r, int64_t lo, int64_t hi);
/* Finds the chunks of the current slab, for all threads to decode. */
int axt_step_next_chunks(struct axt_step_run *r);
/* Does units in order while they need only elements before `end` of src, a product's slab. */
void axt_step_early(struct axt_worker *w, const struct axt_source *src, int64_t end);
/* Allocates partial states, of which a unit makes at most unit_slots. */
int axt_partial_init(struct axt_step_run *r, int64_t slots);
void axt_tell(const struct axt_step_run *r, int64_t done, int64_t all);
/* Makes results of the states that were kept for all slabs, and resets them for the next ones. */
void axt_finish_all(struct axt_worker *w);

/* In contraction_pack.c. Panels have `width` rows or columns, and a depth of kk. */
struct axt_panels {
	uint8_t *out;
	int64_t width, kk;
	int size;
};
/*
 * Packs a part of matrix b of the argument x: rows of the left, or columns of the right, [lo, hi),
 * at indices [k0, k1) of the sum, into panels at to->out. The last panel is filled up with zeros.
 * Sets to->kk.
 */
int axt_panels_fill(struct axt_worker *w, const struct axt_matrix *x, int64_t b, int64_t lo,
    int64_t hi, int64_t k0, int64_t k1, struct axt_panels *to);
/*
 * Gives the part that axt_panels_fill would pack if it can be used in place: as rows of elements
 * along the linear group, *ld elements apart. NULL: it is not in memory, or rows overlap.
 */
const uint8_t *axt_matrix_there(struct axt_worker *w, const struct axt_matrix *x, int64_t b,
    int64_t lo, int64_t hi, int64_t k0, int64_t k1, int64_t *ld);
/*
 * Packs matrices [lo, hi), of which there are at most to->width, interleaved: element e of matrix
 * lo + i goes to place e * width + i at to->out.
 */
int axt_panels_across(struct axt_worker *w, const struct axt_matrix *x, int64_t lo, int64_t hi,
    const struct axt_panels *to);

/*
 * In radix_sort.c: lines that all threads sort together. axt_sort_begin makes what the threads
 * share. Each of the threads calls axt_sort_together, which sorts the lines of all units.
 */
int axt_sort_begin(struct axt_step_run *r);
void axt_sort_end(struct axt_step_run *r);
void axt_sort_together(struct axt_worker *w, int id, struct axt_team *team);

/* In sched_stream.c: steps with streams and no chunks; each of n threads reads its own slabs. */
bool axt_is_slab_per_thread(const struct axt_step *s);
void axt_slab_per_thread_run(struct axt_worker *w, int n);

#endif
