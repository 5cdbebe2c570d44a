/*
 * chunks.c - the chunks of an array: their keys, the indexes of shards, and their bytes when a
 * chunk is read.
 */
#include "zarr/zarr.h"

#include <pthread.h>
#include <stdlib.h>

#include "bytes/chunk.h"

#define MAX_CHUNKS ((int64_t)1 << 28)
#define MAX_INDEX ((int64_t)16 << 30)
#define KEY 1024
#define ABSENT UINT64_MAX

/* What is kept of an array whose chunks are read. */
struct chunks {
	struct axt_apart apart;
	const struct axt_store *store;
	const struct axt_zarr_array *a;
	/* sharded: chunks in a shard, along each axis and in all; its index, once it was read */
	int64_t per[AXT_MAX_RANK], all, shards[AXT_MAX_RANK];
	pthread_mutex_t lock;
	size_t index_bytes;
	uint8_t *read;  /* [shards]: whether the index was read */
	uint8_t *index; /* those of all shards: [all] of offset and length, little-endian, each */
};

/*
 * Where chunk c is: which of the files, and which chunk in its shard; both along the array's axes.
 */
struct place {
	int64_t file[AXT_MAX_RANK], in[AXT_MAX_RANK];
};

static void
place_of(const struct chunks *x, const struct axt_storage *s, int64_t c, struct place *p)
{
	for (int i = s->rank - 1; i >= 0; i--) {
		int k = x->a->order[i];
		int64_t at = c % s->grid[i];

		c /= s->grid[i];
		p->file[k] = x->a->sharded ? at / x->per[k] : at;
		p->in[k] = x->a->sharded ? at % x->per[k] : 0;
	}
}

static int
key_of(const struct chunks *x, const struct place *p, char key[KEY], struct axt_err *e)
{
	const struct axt_zarr_array *a = x->a;
	int n = snprintf(key, KEY, "%s%s%s", a->path, *a->path ? "/" : "", a->prefix ? "c" : "");

	if (a->rank == 0 && !a->prefix && n < KEY)
		n += snprintf(key + n, (size_t)(KEY - n), "0");
	for (int k = 0; k < a->rank && n < KEY; k++) {
		const char sep[2] = { k > 0 || a->prefix ? a->separator : '\0', '\0' };

		n += snprintf(key + n, (size_t)(KEY - n), "%s%lld", sep, (long long)p->file[k]);
	}
	if (n < KEY)
		return AXT_OK;
	return axt_store_fail(x->store, a->path, AXT_E_LIMIT, "its keys are too long", e);
}

static void
name(const struct axt_storage *s, int64_t c, char *out, size_t cap)
{
	const struct chunks *x = s->apart->own;
	struct axt_err none = { 0 };
	char key[KEY] = "?", esc[KEY];
	const char *from = key;
	struct place p;
	int n;

	place_of(x, s, c, &p);
	key_of(x, &p, key, &none);
	if (*x->a->path && strlen(key) > strlen(x->a->path))
		from = key + strlen(x->a->path) + 1;
	n = snprintf(out, cap, "chunk %s", axt_escape_to(esc, sizeof(esc), from));
	for (int k = 0; x->a->sharded && k < x->a->rank && n > 0 && (size_t)n < cap; k++)
		n += snprintf(out + n, cap - (size_t)n, "%s%lld", k == 0 ? ", in it " : ".",
		    (long long)p.in[k]);
}

/* ---- shards ---- */

/* Reads the index of the shard that has chunk c. */
static int
read_index(const struct chunks *x, const struct axt_storage *s, int64_t c, const char *key,
    const struct axt_value *v, uint8_t *out, struct axt_err *e)
{
	size_t n = x->index_bytes;

	if (v->size < n)
		return axt_bad_chunk(s, c, "the file is too short for the index of a shard", e);
	if (axt_value_read(x->store, key, v, x->a->index_first ? 0 : v->size - n, n, out, e))
		return e->code;
	if (x->a->index_sum && axt_le32(out + n - 4) != axt_crc32c(out, n - 4))
		return axt_bad_chunk(s, c, "the index of its shard has another checksum", e);
	return AXT_OK;
}

/* The index of a shard, which is read once. NULL: error. */
static const uint8_t *
index_of(struct chunks *x, const struct axt_storage *s, int64_t c, int64_t shard, const char *key,
    const struct axt_value *v, struct axt_err *e)
{
	uint8_t *p = x->index + (size_t)shard * x->index_bytes, *done = &x->read[shard];

	if (__atomic_load_n(done, __ATOMIC_ACQUIRE))
		return p;
	pthread_mutex_lock(&x->lock);
	if (!*done && read_index(x, s, c, key, v, p, e) == AXT_OK)
		__atomic_store_n(done, 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&x->lock);
	return e->code ? NULL : p;
}

/* Where a chunk is in its shard; *n SIZE_MAX: it was never written. */
static int
in_shard(struct chunks *x, const struct axt_storage *s, int64_t c, const struct place *p,
    const char *key, const struct axt_value *v, uint64_t *at, uint64_t *n, struct axt_err *e)
{
	int64_t shard = 0, i = 0;
	const uint8_t *d;

	for (int k = 0; k < x->a->rank; k++) {
		shard = shard * x->shards[k] + p->file[k];
		i = i * x->per[k] + p->in[k];
	}
	d = index_of(x, s, c, shard, key, v, e);
	if (!d)
		return e->code;
	*at = axt_le(d + 16 * i, 8);
	*n = axt_le(d + 16 * i + 8, 8);
	if (*at == ABSENT && *n == ABSENT)
		return AXT_OK;
	if (*at > v->size || *n > v->size - *at)
		return axt_bad_chunk(s, c, "it reaches beyond the end of its shard", e);
	return AXT_OK;
}

/* ---- a chunk ---- */

static int
bring(const struct axt_storage *s, int64_t c, size_t most, uint8_t *(*room)(void *ctx, size_t n),
    void *ctx, size_t *n, struct axt_err *e)
{
	struct chunks *x = s->apart->own;
	struct axt_value v = { 0 };
	uint64_t at = 0, size = ABSENT;
	char key[KEY], why[120];
	struct place p;
	uint8_t *to;

	*n = SIZE_MAX;
	place_of(x, s, c, &p);
	if (key_of(x, &p, key, e) || x->store->kind->find(x->store, key, &v, e)) {
		axt_value_close(&v);
		return e->code;
	}
	if (v.there && x->a->sharded)
		in_shard(x, s, c, &p, key, &v, &at, &size, e);
	else if (v.there)
		size = v.size;
	if (!e->code && size != ABSENT && size > most) {
		snprintf(why, sizeof(why), "has %llu bytes, and at most %zu can be right",
		    (unsigned long long)size, most);
		axt_bad_chunk(s, c, why, e);
	} else if (!e->code && size != ABSENT) {
		*n = (size_t)size;
		to = room(ctx, *n);
		if (!to)
			axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		else
			axt_value_read(x->store, key, &v, at, *n, to, e);
	}
	axt_value_close(&v);
	return e->code;
}

/* ---- the storage of an array ---- */

/* Reads an array of one element, or without dimensions, into memory. */
static int
scalar(struct axt_storage *s, struct axt_arena *m, struct axt_err *e)
{
	struct axt_decoder *z = axt_decoder_new();
	void *p = axt_alloc(m, (size_t)s->esize);

	if (!z || !p)
		axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	else
		axt_chunk_read(s, z, 0, p, e);
	axt_decoder_free(z);
	s->layout = AXT_LAYOUT_COMPACT;
	s->mem = p;
	s->apart = NULL;
	s->swap = false;
	s->filters.n = 0;
	return e->code;
}

static int
grid(struct chunks *x, struct axt_storage *s, struct axt_err *e)
{
	const struct axt_zarr_array *a = x->a;
	int64_t bytes = s->esize;

	s->nchunks = s->chunk_count = x->all = 1;
	for (int i = 0; i < s->rank; i++) {
		int k = a->order[i];

		s->chunk[i] = a->sharded ? a->inner[k] : a->chunk[k];
		s->grid[i] = s->dims[i] / s->chunk[i] + (s->dims[i] % s->chunk[i] != 0);
		x->shards[k] = a->dims[k] / a->chunk[k] + (a->dims[k] % a->chunk[k] != 0);
		x->per[k] = a->sharded ? a->chunk[k] / a->inner[k] : 1;
		if (!axt_mul(bytes, s->chunk[i], &bytes) || bytes > UINT32_MAX)
			return axt_fail(e, AXT_E_LIMIT, "%s: a chunk is over 4 GiB", s->from);
		if (!axt_mul(s->nchunks, s->grid[i], &s->nchunks) || s->nchunks > MAX_CHUNKS)
			return axt_fail(e, AXT_E_LIMIT, "%s: over %lld chunks", s->from,
			    (long long)MAX_CHUNKS);
		if (!axt_mul(x->all, x->per[k], &x->all) || x->all > MAX_CHUNKS)
			return axt_fail(e, AXT_E_LIMIT, "%s: over %lld chunks in a shard", s->from,
			    (long long)MAX_CHUNKS);
		s->chunk_count *= s->chunk[i];
	}
	return AXT_OK;
}

/*
 * Makes room for the indexes of all shards. Pages of it that are never written to take no memory.
 */
static int
indexes(struct chunks *x, const struct axt_storage *s, void **keep, struct axt_err *e)
{
	int64_t shards = 1, bytes;

	x->index_bytes = (size_t)x->all * 16 + (x->a->index_sum ? 4 : 0);
	for (int i = 0; i < s->rank; i++)
		shards *= x->shards[i];
	if (!axt_mul(shards, (int64_t)x->index_bytes + 1, &bytes) || bytes > MAX_INDEX)
		return axt_fail(e, AXT_E_LIMIT, "%s: the indexes of its shards are over 16 GiB",
		    s->from);
	*keep = x->read = calloc(1, (size_t)bytes);
	if (!x->read)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	x->index = x->read + shards;
	return AXT_OK;
}

int
axt_zarr_storage(const struct axt_store *store, const struct axt_zarr_array *a,
    struct axt_storage *s, void **keep, struct axt_err *e)
{
	struct chunks *x = axt_alloc(store->m, sizeof(*x));

	*keep = NULL;
	if (!x)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	x->apart = (struct axt_apart){ .bring = bring, .name = name, .own = x };
	x->store = store;
	x->a = a;
	pthread_mutex_init(&x->lock, NULL);
	memcpy(s->fill_bytes, a->fill, sizeof(s->fill_bytes));
	if (a->kind == AXT_ZARR_NUMBERS)
		s->fill = axt_load_f64(s->dtype, s->fill_bytes);
	s->swap = a->swap;
	s->filters = a->filters;
	s->layout = AXT_LAYOUT_NONE;
	if (s->count == 0)
		return AXT_OK;
	if (grid(x, s, e) || (a->sharded && indexes(x, s, keep, e)))
		return e->code;
	s->layout = AXT_LAYOUT_CHUNKED;
	s->apart = &x->apart;
	s->largest = SIZE_MAX;
	return s->rank == 0 && a->kind != AXT_ZARR_VLEN ? scalar(s, store->m, e) : AXT_OK;
}
