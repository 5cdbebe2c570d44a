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
/* A level of shards: how a shard is cut, and where its index is. */
enum { AXT_ZARR_SHARDS = 4 };
struct axt_zarr_shard {
	int64_t chunk[AXT_MAX_RANK]; /* of what it is cut into, along the axes of the array */
	int order[AXT_MAX_RANK];     /* the index is row-major over axes order[0], order[1]... */
	bool first, sum, big;        /* at its start; with a checksum; big-endian */
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
	/* that of texts: esize bytes; of any length, one that ends with zero; NULL: empty */
	const uint8_t *fill_text;
	/* the chunks, each with its key; of a sharded array, the shards that keys name */
	int64_t chunk[AXT_MAX_RANK];
	struct axt_filters filters;
	/* for texts of any length, which no filter reorders: in a chunk, axis i is axis order[i] */
	int order[AXT_MAX_RANK];
	char separator;
	bool prefix; /* keys begin with "c" */
	/* codec sharding_indexed: levels of shards, the outermost first */
	int nshards;
	struct axt_zarr_shard shard[AXT_ZARR_SHARDS];
};
/* The lengths of the chunks that filters work on: in the innermost shards, if there are any. */
static inline const int64_t *
axt_zarr_chunk(const struct axt_zarr_array *a)
{
	return a->nshards > 0 ? a->shard[a->nshards - 1].chunk : a->chunk;
}
/*
 * Opens the file as a store. NULL: it is none or, if e has an error, it cannot be read. The store
 * lives as long as the arena and the file.
 */
struct axt_store *axt_zarr_open(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/*
 * Reads the metadata of a node; *array is NULL for a group. If an array cannot be read, its member
 * `why` says why, and that is no error. Errors are those of the store, AXT_E_MEM, and a group that
 * cannot be understood.
 */
int axt_zarr_node(const struct axt_store *s, const struct axt_zarr_node *x,
    struct axt_zarr_array **array, const struct axt_attr **attrs, struct axt_err *e);
/* What the chunks of an array are found by. */
struct axt_zarr_chunks {
	const struct axt_store *store;
	const struct axt_zarr_array *a;
};
/*
 * Sets the layout, the chunks and the fill value of an array's storage s, whose other members are
 * already set. s->apart->own then begins with a struct axt_zarr_chunks. *keep is memory that has to
 * be freed when the file is closed, also after an error, or NULL.
 */
int axt_zarr_storage(const struct axt_store *store, const struct axt_zarr_array *a,
    struct axt_storage *s, void **keep, struct axt_err *e);
/* The s->count texts of an array of kind AXT_ZARR_VLEN, whose storage s is, in the arena. */
int axt_zarr_texts(struct axt_arena *m, const struct axt_zarr_array *a, const struct axt_storage *s,
    const char **out, struct axt_err *e);

/* ---- between the files of this room ---- */

struct axt_json;
/* Each returns why the array is not read, or NULL; text that is made lives in the arena. */
const char *axt_zarr_type(struct axt_arena *m, const struct axt_json *type,
    struct axt_zarr_array *a);
/* A dtype of numbers as NumPy writes it, "<f4" or "float32"; AUTO: it is none. */
enum axt_dtype axt_zarr_dtype(const char *name, bool *swap);
const char *axt_zarr_fill(struct axt_arena *m, const struct axt_json *fill,
    struct axt_zarr_array *a);
const char *axt_zarr_codecs(struct axt_arena *m, const struct axt_json *codecs,
    struct axt_zarr_array *a);
/* Writes v as an element of a dtype of floats. */
void axt_zarr_float(enum axt_dtype d, double v, uint8_t *out);
/* Of version 2: compressor, filters and order. */
const char *axt_zarr_codecs2(struct axt_arena *m, const struct axt_json *meta,
    struct axt_zarr_array *a);
/*
 * The numbers and texts that are members of an object, as attributes, in their order. NULL: there
 * are none, or memory ran out.
 */
const struct axt_attr *axt_zarr_attrs(struct axt_arena *m, const struct axt_json *object);
/* Lengths as an array of integers from lo on. */
bool axt_zarr_lengths(const struct axt_json *j, int64_t lo, int rank, int64_t *out);

#endif
