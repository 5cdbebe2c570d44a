/*
 * filters.h - filters, which turn the plain bytes of a chunk into those that are stored. Each has a
 * row in filters.def, and a struct axt_filter_fns in a file of its own, which has all that is known
 * of it. The functions at the end of this header do a whole list of filters, and ask these structs.
 * Any thread may call any of them.
 *
 * A list is in the order in which a chunk was packed; unpacking goes through it from the last to
 * the first. Bit k of a mask says that filter k was left out for a chunk.
 *
 * Functions that return text return NULL when all is well, and else what is wrong, as the end of a
 * message.
 */
#ifndef AXT_FILTERS_FILTERS_H
#define AXT_FILTERS_FILTERS_H

#include "base/base.h"

#define AXT_MAX_FILTERS 8
#define AXT_FILTER_PARAMS 20

enum axt_filter_kind {
#define FILTER(NAME, id, name, line) AXT_FILTER_##NAME,
#include "filters.def"
#undef FILTER
	AXT_NFILTERS
};

/* One filter of a dataset, with its parameters. */
struct axt_filter_use {
	const struct axt_filter *f;
	int esize; /* bytes of an element of the dataset */
	int n;     /* parameters there are; the first of them are here */
	uint32_t param[AXT_FILTER_PARAMS];
};

/* What one call works on. */
struct axt_filter_io {
	const uint8_t *in;
	size_t n;     /* bytes of in; afterwards bytes of out */
	uint8_t *out; /* a filter that works in place has out = in */
	size_t cap;   /* bytes that out has room for */
	bool exact;   /* unpacking: cap bytes must come out, and not fewer */
};

/* Who takes the plain bytes of a chunk that is unpacked piece by piece. */
struct axt_flow_to {
	const char *(*take)(void *ctx, const uint8_t *p, size_t n);
	void *ctx;
};

/*
 * All that is known of a filter. The functions decoder, flow_open and encoder return what one
 * thread works with for many chunks. They are called when the first chunk is met, and may load a
 * library then. When they return NULL, *why says what is missing ("libzstd.so.1 cannot be loaded"),
 * or it is NULL and there is no memory. A filter that has no such function works without anything.
 */
struct axt_filter_fns {
	/* The most bytes that n of them may be packed to; NULL: n + adds bytes, always. */
	size_t (*most)(const struct axt_filter_use *u, size_t n);
	size_t adds;
	bool in_place; /* the bytes stay where they are; something follows them */
	/* What of the parameters cannot be right; NULL: nothing is known of them. */
	const char *(*check)(const struct axt_filter_use *u);
	/*
	 * What is wrong with n packed bytes that are to become `want`, or, where exact is false, at
	 * most so many. It is asked before there is room for these. NULL: nothing can be told.
	 */
	const char *(*fits)(const struct axt_filter_use *u, size_t n, size_t want, bool exact);
	/* Unpacks a whole chunk. What is opened serves any parameters. */
	void *(*decoder)(const struct axt_filter_use *u, const char **why);
	void (*decoder_free)(void *state);
	const char *(
	    *decode)(void *state, const struct axt_filter_use *u, struct axt_filter_io *io);
	/*
	 * Unpacks a chunk of which some bytes come at a time: flow_begin, flow for each piece,
	 * flow_end. What comes out is given on at once. Where flow is NULL, chunks are held whole.
	 */
	size_t flow_bytes; /* memory this takes; without flow_open, it is allocated */
	void *(*flow_open)(const struct axt_filter_use *u, const char **why);
	void (*flow_free)(void *state);
	void (*flow_begin)(void *state, size_t want, bool exact);
	const char *(*flow)(void *state, const uint8_t *p, size_t n, const struct axt_flow_to *to);
	const char *(*flow_end)(void *state);
	/*
	 * Instead of flow, of a filter that only sorts bytes: those of place 0 of all elements come
	 * first, then those of place 1, and so on, and whoever takes them puts them where they
	 * belong.
	 */
	bool planes;
	/* Packs. encode NULL: axt reads this filter, and does not write it. */
	void *(*encoder)(const struct axt_filter_use *u, const char **why);
	void (*encoder_free)(void *state);
	const char *(
	    *encode)(void *state, const struct axt_filter_use *u, struct axt_filter_io *io);
};

struct axt_filter {
	int id;
	const char *name, *line;
	const struct axt_filter_fns *fn;
};
extern const struct axt_filter axt_filters[AXT_NFILTERS];
/* The filter with that number of HDF5's; NULL: there is no row for it. */
const struct axt_filter *axt_filter_of(int id);

/* ---- lists of filters ---- */

struct axt_filters {
	int n; /* at most AXT_MAX_FILTERS */
	const struct axt_filter_use *use;
};
/* What a thread has opened for the filters of a list, one after another. Starts as {0}. */
struct axt_filter_work {
	struct axt_filter_state {
		const struct axt_filter *f;
		void *p;
		void (*close)(void *p);
	} at[AXT_MAX_FILTERS];
	const struct axt_filter *absent; /* could not be opened for want of its library */
};
void axt_filter_work_close(struct axt_filter_work *w);
/* What a function returns when there is no memory: this very pointer. */
extern const char axt_filter_no_memory[];

/* Whether a mask leaves any filter. */
static inline bool
axt_filters_any(const struct axt_filters *l, uint32_t mask)
{
	return l->n > 0 && (~mask & ((1u << l->n) - 1)) != 0;
}
/* The most bytes of a chunk behind the first k filters; *exact: it has so many, always. */
size_t axt_filters_most(const struct axt_filters *l, int k, uint32_t mask, size_t plain,
    bool *exact);
/* Scratch memory that unpacking whole chunks takes, beside the stored and the plain bytes. */
size_t axt_filters_scratch(const struct axt_filters *l, size_t plain);

/*
 * Unpacks a chunk that was read whole to the io->cap bytes that it must have. They are at io->in
 * then: in io->out, or where the stored ones were. part: two buffers that grow, which the caller
 * frees.
 */
struct axt_filter_buffer {
	uint8_t *p;
	size_t cap;
};
/* n bytes; what was there is lost. NULL: out of memory. */
uint8_t *axt_filter_buffer_grow(struct axt_filter_buffer *r, size_t n);
const char *axt_filters_unpack(const struct axt_filters *l, uint32_t mask,
    struct axt_filter_work *w, struct axt_filter_buffer part[2], struct axt_filter_io *io);

/* Whether the filters can be undone piece by piece; *planes: what comes then has to be sorted. */
bool axt_filters_flow(const struct axt_filters *l, uint32_t mask, bool *planes);
/* The memory that this takes. */
size_t axt_filters_flow_bytes(const struct axt_filters *l);
struct axt_flow {
	int n; /* stages, from the stored bytes on */
	struct axt_flow_stage {
		const struct axt_filter_fns *fn;
		void *state;
		struct axt_flow_to to;
	} stage[AXT_MAX_FILTERS];
	struct axt_flow_to to;
};
/* Of `stored` bytes, which give `plain` to whoever takes them. */
const char *axt_flow_begin(struct axt_flow *f, const struct axt_filters *l, uint32_t mask,
    struct axt_filter_work *w, size_t stored, size_t plain);
const char *axt_flow_put(struct axt_flow *f, const uint8_t *p, size_t n);
const char *axt_flow_end(struct axt_flow *f);

/* The first filter that cannot be packed by; NULL: there is none. */
const struct axt_filter *axt_filters_read_only(const struct axt_filters *l);
/* Bytes that are room for a chunk while it is packed by the first k filters. */
size_t axt_filters_bound(const struct axt_filters *l, int k, size_t plain);
/*
 * Where a chunk is packed: inner_cap is axt_filters_bound of all filters but the last, out_cap that
 * of all.
 */
struct axt_pack_scratch {
	uint8_t *inner[2], *out;
	size_t inner_cap, out_cap;
};
/* Opens what packs by each of the filters. */
const char *axt_filters_pack_open(const struct axt_filters *l, struct axt_filter_work *w);
/*
 * Packs *n plain bytes, which are in inner[0] and are lost. The *n packed bytes are at *out then:
 * in k->out, or, where the mask leaves no filter, in inner[0].
 */
const char *axt_filters_pack(const struct axt_filters *l, uint32_t mask, struct axt_filter_work *w,
    const struct axt_pack_scratch *k, const uint8_t **out, size_t *n);

#define FILTER(NAME, id, name, line) extern const struct axt_filter_fns axt_filter_##name;
#include "filters.def"
#undef FILTER

#endif
