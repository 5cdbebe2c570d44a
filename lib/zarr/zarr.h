/*
 * zarr.h - stores of Zarr, versions 2 and 3: their groups and arrays, and where the chunks of an
 * array are. Values are then read through struct axt_storage (bytes/bytes.h).
 */
#ifndef AXT_ZARR_ZARR_H
#define AXT_ZARR_ZARR_H

#include "cf/cf.h"
#include "zarr/store.h"

/* What the elements of an array are. */
enum axt_zarr_kind {
	AXT_ZARR_NUMBERS,
	AXT_ZARR_BYTES, /* texts of esize bytes each */
	AXT_ZARR_UTF32, /* texts of esize / 4 characters */
	AXT_ZARR_VLEN   /* texts of any length */
};
struct axt_zarr_array {
	const char *path; /* in the store: "g/t"; "" is the root */
	int version;
	const char *why; /* why it is not read, as the end of a message; NULL: it is */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	const char *dim[AXT_MAX_RANK]; /* names of its dimensions, or NULL */
	const struct axt_attr *attrs;
	/* the elements */
	enum axt_zarr_kind kind;
	enum axt_dtype dtype;
	int esize;
	bool swap;
	uint8_t fill[16] __attribute__((aligned(16)));
	/*
	 * the chunks, each with its key; of a sharded array, those in the files that keys name. In
	 * a chunk, axis i is axis order[i] of the array.
	 */
	int64_t chunk[AXT_MAX_RANK];
	int order[AXT_MAX_RANK];
	struct axt_filters filters;
	char separator;
	bool prefix; /* keys begin with "c" */
	/* sharding_indexed: lengths of the chunks in a shard, and its index */
	bool sharded;
	int64_t inner[AXT_MAX_RANK];
	bool index_first, index_sum;
};
/*
 * The store that the file is, or NULL: it is none, unless e has an error. It lives as long as the
 * arena, and the file.
 */
struct axt_store *axt_zarr_open(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/*
 * Reads the metadata of a node. A group has *array NULL. Of what is wrong with an array, its `why`
 * tells. Errors: those of the store, AXT_E_MEM, and of a group that cannot be understood.
 */
int axt_zarr_node(const struct axt_store *s, const struct axt_zarr_node *x,
    struct axt_zarr_array **array, const struct axt_attr **attrs, struct axt_err *e);
/*
 * Sets layout, chunks and fill value of the storage of an array. s has its other members by then,
 * with lengths in the order that axes have in a chunk. *keep: memory to be freed when the file is
 * closed, also after an error; or NULL.
 */
int axt_zarr_storage(const struct axt_store *store, const struct axt_zarr_array *a,
    struct axt_storage *s, void **keep, struct axt_err *e);
/* The s->count texts of an array of kind AXT_ZARR_VLEN, whose storage s is, in the arena. */
int axt_zarr_texts(struct axt_arena *m, const struct axt_storage *s, const char **out,
    struct axt_err *e);

/* ---- between the files of this room ---- */

struct axt_json;
/* Each returns why the array is not read, or NULL; text that is made lives in the arena. */
const char *axt_zarr_type(struct axt_arena *m, const struct axt_json *type,
    struct axt_zarr_array *a);
const char *axt_zarr_fill(const struct axt_json *fill, struct axt_zarr_array *a);
const char *axt_zarr_codecs(struct axt_arena *m, const struct axt_json *codecs,
    struct axt_zarr_array *a);
/* Writes v as an element of a dtype of floats. */
void axt_zarr_float(enum axt_dtype d, double v, uint8_t *out);
/* Of version 2: compressor, filters and order. */
const char *axt_zarr_codecs2(struct axt_arena *m, const struct axt_json *meta,
    struct axt_zarr_array *a);
/*
 * Numbers and texts of an object as attributes, in their order. NULL may mean that memory ran out.
 */
const struct axt_attr *axt_zarr_attrs(struct axt_arena *m, const struct axt_json *object);
/* Lengths as an array of integers from lo on. */
bool axt_zarr_lengths(const struct axt_json *j, int64_t lo, int rank, int64_t *out);

#endif
