/*
 * filters.h - filters, which turn the plain bytes of a chunk into the bytes that are stored. Each
 * filter has a row in filters.def, and a struct axt_filter_fns in a file of its own, which contains
 * all that is known about the filter. The functions at the end of this header apply whole lists of
 * filters by means of these structs. Any thread may call any of the functions.
 *
 * A list is in the order in which chunks are packed; unpacking goes from the last filter to the
 * first. Bit k of a mask means that filter k of the list was left out for a chunk.
 *
 * Functions that return text return NULL if all is well. Otherwise the text says what is wrong, as
 * the end of a message.
 */
#ifndef AXT_FILTERS_FILTERS_H
#define AXT_FILTERS_FILTERS_H

#include "axt_types.h"
#include "base/library.h"

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
	int n;     /* number of parameters, of which the first are here */
	uint32_t param[AXT_FILTER_PARAMS];
	/* what parameters cannot say: struct axt_transpose or axt_renumber below; else NULL */
	const void *own;
};

/* What one call packs or unpacks. */
struct axt_filter_io {
	const uint8_t *in;
	size_t n;     /* bytes of `in`; after the call bytes of `out` */
	uint8_t *out; /* equals `in` if the filter works in place */
	size_t cap;   /* bytes that fit in `out` */
	bool exact;   /* for unpacking: the result must have cap bytes, not fewer */
};

/* What takes the plain bytes of a chunk that is unpacked piece by piece. */
struct axt_flow_to {
	const char *(*take)(void *ctx, const uint8_t *p, size_t n);
	void *ctx;
};

/*
 * All that is known about a filter. decoder, flow_open and encoder make the state that a thread
 * keeps from chunk to chunk. They are called for its first chunk. If they return NULL, *why says
 * what is wrong, or is NULL if memory ran out. Without such a function the filter has no state.
 */
struct axt_filter_fns {
	/* loaded before any of the functions that open, pack or unpack is called; NULL: none */
	struct axt_library *library;
	/* The most bytes to which n bytes may be packed. NULL: always n + adds bytes. */
	size_t (*most)(const struct axt_filter_use *u, size_t n);
	size_t adds;
	bool in_place; /* the filter leaves the bytes where they are, and appends some */
	/* Says which parameters cannot be right. NULL: the filter knows nothing about them. */
	const char *(*check)(const struct axt_filter_use *u);
	/*
	 * Says what is wrong with a chunk of n packed bytes that should unpack to `want` bytes or,
	 * unless `exact`, to at most `want` bytes. Called before memory is allocated for the plain
	 * bytes. NULL: the filter cannot tell.
	 */
	const char *(*fits)(const struct axt_filter_use *u, size_t n, size_t want, bool exact);
	/*
	 * These functions unpack a whole chunk. A state that decoder makes is used for chunks with
	 * any parameters of the filter.
	 */
	void *(*decoder)(const struct axt_filter_use *u, const char **why);
	void (*decoder_free)(void *state);
	const char *(
	    *decode)(void *state, const struct axt_filter_use *u, struct axt_filter_io *io);
	/*
	 * These functions unpack a chunk that arrives in pieces: flow_begin, flow for each piece,
	 * flow_end. Plain bytes are passed on to `to` at once. flow NULL: the filter needs the
	 * whole chunk.
	 */
	size_t flow_bytes; /* memory for this; it is allocated here if there is no flow_open */
	void *(*flow_open)(const struct axt_filter_use *u, const char **why);
	void (*flow_free)(void *state);
	void (*flow_begin)(void *state, size_t want, bool exact);
	const char *(*flow)(void *state, const uint8_t *p, size_t n, const struct axt_flow_to *to);
	const char *(*flow_end)(void *state);
	/*
	 * Set instead of flow for a filter that only reorders bytes, so that byte 0 of all elements
	 * comes first, then byte 1, and so on. Whoever takes the plain bytes puts them in their
	 * places.
	 */
	bool planes;
	/*
	 * These functions pack. encode NULL: axt reads chunks with this filter, but does not write
	 * them.
	 */
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
/* The filter that has this number in HDF5; NULL: there is no row for it. */
const struct axt_filter *axt_filter_of(int id);

/* ---- lists of filters ---- */

struct axt_filters {
	int n; /* at most AXT_MAX_FILTERS */
	const struct axt_filter_use *use;
};
/* This pointer, and no copy of the text, is returned if memory ran out. */
extern const char axt_filter_no_memory[];

/* Whether a chunk with that mask has any filter. */
static inline bool
axt_filters_any(const struct axt_filters *l, uint32_t mask)
{
	return l->n > 0 && (~mask & ((1u << l->n) - 1)) != 0;
}
/*
 * The most bytes that a chunk has after the first k filters. *exact: whether every chunk has that
 * many.
 */
size_t axt_filters_most(const struct axt_filters *l, int k, uint32_t mask, size_t plain,
    bool *exact);
/* A buffer that grows, which its owner frees. */
struct axt_filter_buffer {
	uint8_t *p;
	size_t cap;
};
/* Makes the buffer at least n bytes long. Its contents are lost. NULL: out of memory. */
uint8_t *axt_filter_buffer_grow(struct axt_filter_buffer *r, size_t n);
/*
 * In choose.c: the filters of new chunks, whose elements have `esize` bytes. compress is "deflate"
 * or "zstd", each of which ":LEVEL" may follow, "lz4", "none", or NULL for "none". shuffle is
 * "byte", "bit", "none", or NULL, which is "byte" if anything is compressed. Returns how many
 * filters there are, or -1 after an error.
 */
int axt_filters_choose(const char *compress, const char *shuffle, int esize,
    struct axt_filter_use use[AXT_MAX_FILTERS], struct axt_err *e);
/* The first of the filters that programs with HDF5 have as a plugin only; NULL: there is none. */
const char *axt_filters_elsewhere(const struct axt_filter_use *use, int n);
/* In crc32c.c: the checksum of n bytes. */
uint32_t axt_crc32c(const uint8_t *p, size_t n);
/*
 * In transpose.c: how a chunk whose axes have the lengths `len` is stored in another order of axes:
 * axis order[i] of the chunk is axis i of what is stored. Elements have `esize` bytes, any number
 * of them.
 */
struct axt_transpose {
	int rank;
	int64_t len[AXT_MAX_RANK];
	int order[AXT_MAX_RANK];
};
/*
 * In numbers.c, for the codecs astype, delta and fixedscaleoffset of Zarr, which store numbers as
 * other numbers: the plain and the stored dtype, whether each is big-endian, and plain = stored /
 * scale + offset.
 */
struct axt_renumber {
	enum axt_dtype plain, stored;
	bool plain_swap, stored_swap;
	double scale, offset;
};

/* In categorize.c: n labels of esize bytes each, and the dtype of the numbers stored instead. */
struct axt_filter_labels {
	enum axt_dtype stored; /* of integers */
	bool swap;
	uint64_t n;
	const uint8_t *label;
};

#define FILTER(NAME, id, name, line) extern const struct axt_filter_fns axt_filter_##name;
#include "filters.def"
#undef FILTER

#endif
