/*
 * filtering.h - applies a dataset's list of filters to its chunks. Any thread may call any of these
 * functions. Functions that return text return NULL if all is well; otherwise the text says what is
 * wrong, as the end of a message.
 */
#ifndef AXT_BYTES_FILTERING_H
#define AXT_BYTES_FILTERING_H

#include "filters/filters.h"

/* What a thread has opened for the filters of one list after another. It begins as {0}. */
struct axt_filter_work {
	struct axt_filter_state {
		const struct axt_filter *f;
		void *p;
		void (*close)(void *p);
	} at[AXT_MAX_FILTERS];
	const struct axt_filter *absent; /* a filter whose library is missing, or NULL */
};
void axt_filter_work_close(struct axt_filter_work *w);
/* The bytes of scratch for unpacking whole chunks, in addition to stored and plain bytes. */
size_t axt_filters_scratch(const struct axt_filters *l, size_t plain);

/*
 * Unpacks a whole chunk, which must become io->cap bytes. These are then at io->in, which is either
 * io->out or the place where the stored bytes were. part: two buffers that grow, which the caller
 * frees.
 */
const char *axt_filters_unpack(const struct axt_filters *l, uint32_t mask,
    struct axt_filter_work *w, struct axt_filter_buffer part[2], struct axt_filter_io *io);

/*
 * Whether the filters can be undone piece by piece. *planes: whether the resulting bytes still have
 * to be put in their places, as struct axt_filter_fns says.
 */
bool axt_filters_flow(const struct axt_filters *l, uint32_t mask, bool *planes);
/* The bytes that unpacking piece by piece needs. */
size_t axt_filters_flow_bytes(const struct axt_filters *l);
struct axt_flow {
	int n; /* number of stages; stage 0 takes the stored bytes */
	struct axt_flow_stage {
		const struct axt_filter_fns *fn;
		void *state;
		struct axt_flow_to to;
	} stage[AXT_MAX_FILTERS];
	struct axt_flow_to to;
};
/* Begins to unpack a chunk of `stored` bytes, which become `plain` bytes. */
const char *axt_flow_begin(struct axt_flow *f, const struct axt_filters *l, uint32_t mask,
    struct axt_filter_work *w, size_t stored, size_t plain);
const char *axt_flow_put(struct axt_flow *f, const uint8_t *p, size_t n);
const char *axt_flow_end(struct axt_flow *f);

/* The first filter of the list that axt cannot write; NULL: there is none. */
const struct axt_filter *axt_filters_read_only(const struct axt_filters *l);
/* The bytes of a buffer in which a chunk can be packed by the first k filters. */
size_t axt_filters_bound(const struct axt_filters *l, int k, size_t plain);
/*
 * The buffers for packing a chunk. inner_cap is axt_filters_bound of all filters but the last one,
 * out_cap is that of all filters.
 */
struct axt_pack_scratch {
	uint8_t *inner[2], *out;
	size_t inner_cap, out_cap;
};
/* Why chunks cannot be packed: a library is missing, or there is no memory. NULL: they can. */
const char *axt_filters_cannot_pack(const struct axt_filters *l);
/* Opens what each of the filters needs to pack. */
const char *axt_filters_pack_open(const struct axt_filters *l, struct axt_filter_work *w);
/*
 * Packs the *n plain bytes in k->inner[0], which is overwritten. *out then points to the *n packed
 * bytes: in k->out or, if `mask` leaves no filter, in k->inner[0].
 */
const char *axt_filters_pack(const struct axt_filters *l, uint32_t mask, struct axt_filter_work *w,
    const struct axt_pack_scratch *k, const uint8_t **out, size_t *n);

#endif
