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

/* What is kept of a level of shards. */
struct level {
	int64_t per[AXT_MAX_RANK], all; /* what a shard is cut into, along each axis and in all */
	size_t bytes;                   /* of an index */
	uint8_t *read;                  /* [shards]: whether the index was read */
	uint8_t *index;                 /* of all shards: [all] of offset and length, each */
};
/* What is kept of an array whose chunks are read. */
struct chunks {
	struct axt_zarr_chunks is;
	struct axt_apart apart;
	int64_t files[AXT_MAX_RANK]; /* along each axis */
	struct level level[AXT_ZARR_SHARDS];
	pthread_mutex_t lock;
	uint64_t held; /* bytes of indexes that have been read */
};

/* Where chunk c is: which of the files, and which part of the shard at each level. */
struct place {
	int64_t file[AXT_MAX_RANK], in[AXT_ZARR_SHARDS][AXT_MAX_RANK];
};

static void
place_of(const struct chunks *x, const struct axt_storage *s, int64_t c, struct place *p)
{
	for (int k = s->rank - 1; k >= 0; k--) {
		int64_t at = c % s->grid[k];

		c /= s->grid[k];
		for (int l = x->is.a->nshards - 1; l >= 0; l--) {
			p->in[l][k] = at % x->level[l].per[k];
			at /= x->level[l].per[k];
		}
		p->file[k] = at;
	}
}

static int
key_of(const struct chunks *x, const struct place *p, char key[KEY], struct axt_err *e)
{
	const struct axt_zarr_array *a = x->is.a;
	int n = snprintf(key, KEY, "%s%s%s", a->path, *a->path ? "/" : "", a->prefix ? "c" : "");

	if (a->rank == 0 && !a->prefix && n < KEY)
		n += snprintf(key + n, (size_t)(KEY - n), "0");
	for (int k = 0; k < a->rank && n < KEY; k++) {
		const char sep[2] = { k > 0 || a->prefix ? a->separator : '\0', '\0' };

		n += snprintf(key + n, (size_t)(KEY - n), "%s%lld", sep, (long long)p->file[k]);
	}
	if (n < KEY)
		return AXT_OK;
	return axt_store_fail(x->is.store, a->path, AXT_E_LIMIT, "its keys are too long", e);
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
	if (*x->is.a->path && strlen(key) > strlen(x->is.a->path))
		from = key + strlen(x->is.a->path) + 1;
	n = snprintf(out, cap, "chunk %s", axt_escape_to(esc, sizeof(esc), from));
	for (int l = 0; l < x->is.a->nshards; l++)
		for (int k = 0; k < x->is.a->rank && n > 0 && (size_t)n < cap; k++)
			n += snprintf(out + n, cap - (size_t)n, "%s%lld", k == 0 ? ", in it " : ".",
			    (long long)p.in[l][k]);
}

/* ---- shards ---- */

/* A shard, or a part of one: bytes [at, at + n) of the value that a key has. */
struct range {
	const char *key;
	const struct axt_value *v;
	uint64_t at, n;
};

static int
too_large(const struct axt_storage *s, struct axt_err *e)
{
	return axt_fail(e, AXT_E_LIMIT,
	    "%s: the indexes of its shards take more memory than --memory allows", s->from);
}

/* Reads the index of a shard of level l, which has chunk c. */
static int
read_index(struct chunks *x, const struct axt_storage *s, int64_t c, int l, const struct range *r,
    uint8_t *out, struct axt_err *e)
{
	const struct axt_zarr_shard *how = &x->is.a->shard[l];
	size_t n = x->level[l].bytes;

	if (r->n < n)
		return axt_bad_chunk(s, c, "the file is too short for the index of a shard", e);
	if (n > axt_store_memory(x->is.store) - x->held)
		return too_large(s, e);
	x->held += n;
	if (axt_value_read(x->is.store, r->key, r->v, r->at + (how->first ? 0 : r->n - n), n, out,
		e))
		return e->code;
	if (how->sum && axt_le32(out + n - 4) != axt_crc32c(out, n - 4))
		return axt_bad_chunk(s, c, "the index of its shard has another checksum", e);
	if (how->big)
		axt_swap_items(out, 2 * x->level[l].all, 8);
	return AXT_OK;
}

/* The index of a shard, which is read once. NULL: error. */
static const uint8_t *
index_of(struct chunks *x, const struct axt_storage *s, int64_t c, int l, int64_t shard,
    const struct range *r, struct axt_err *e)
{
	uint8_t *p = x->level[l].index + (size_t)shard * x->level[l].bytes,
		*done = &x->level[l].read[shard];

	if (__atomic_load_n(done, __ATOMIC_ACQUIRE))
		return p;
	pthread_mutex_lock(&x->lock);
	if (!*done && read_index(x, s, c, l, r, p, e) == AXT_OK)
		__atomic_store_n(done, 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&x->lock);
	return e->code ? NULL : p;
}

/* Narrows a range from a file to a chunk, level by level. r->n ABSENT: it was never written. */
static int
in_shards(struct chunks *x, const struct axt_storage *s, int64_t c, const struct place *p,
    struct range *r, struct axt_err *e)
{
	int64_t shard = 0;

	for (int k = 0; k < x->is.a->rank; k++)
		shard = shard * x->files[k] + p->file[k];
	for (int l = 0; l < x->is.a->nshards; l++) {
		const uint8_t *d = index_of(x, s, c, l, shard, r, e);
		uint64_t at, n;
		int64_t i = 0;

		if (!d)
			return e->code;
		for (int k = 0; k < x->is.a->rank; k++) {
			int axis = x->is.a->shard[l].order[k];

			i = i * x->level[l].per[axis] + p->in[l][axis];
		}
		at = axt_le(d + 16 * i, 8);
		n = axt_le(d + 16 * i + 8, 8);
		if (at == ABSENT && n == ABSENT) {
			r->n = ABSENT;
			return AXT_OK;
		}
		if (at > r->n || n > r->n - at)
			return axt_bad_chunk(s, c, "it reaches beyond the end of its shard", e);
		r->at += at;
		r->n = n;
		shard = shard * x->level[l].all + i;
	}
	return AXT_OK;
}

/* ---- a chunk ---- */

static int
bring(const struct axt_storage *s, int64_t c, size_t most, uint8_t *(*room)(void *ctx, size_t n),
    void *ctx, size_t *n, struct axt_err *e)
{
	struct chunks *x = s->apart->own;
	struct axt_value v = { .most = x->is.a->nshards > 0 ? 0 : most };
	char key[KEY], why[120];
	struct range r = { .key = key, .v = &v, .n = ABSENT };
	struct place p;
	uint8_t *to;

	*n = SIZE_MAX;
	place_of(x, s, c, &p);
	if (key_of(x, &p, key, e) || x->is.store->kind->find(x->is.store, key, &v, e)) {
		axt_value_close(&v);
		return e->code;
	}
	if (v.there) {
		r.n = v.size;
		in_shards(x, s, c, &p, &r, e);
	}
	if (!e->code && r.n != ABSENT && r.n > most) {
		snprintf(why, sizeof(why), "has %llu bytes, and at most %zu can be right",
		    (unsigned long long)r.n, most);
		axt_bad_chunk(s, c, why, e);
	} else if (!e->code && r.n != ABSENT) {
		*n = (size_t)r.n;
		to = room(ctx, *n);
		if (!to)
			axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
		else
			axt_value_read(x->is.store, key, &v, r.at, *n, to, e);
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
		axt_chunk_box(s, z, 0, &(struct axt_chunk_box){ .out = p }, false, e);
	axt_decoder_free(z);
	s->layout = AXT_LAYOUT_COMPACT;
	s->mem = p;
	s->apart = NULL;
	s->swap = false;
	s->filters.n = 0;
	return e->code;
}

static int
too_many(const struct axt_storage *s, const char *where, struct axt_err *e)
{
	return axt_fail(e, AXT_E_LIMIT, "%s: over %lld chunks%s", s->from, (long long)MAX_CHUNKS,
	    where);
}

/* How many parts each shard has, at each level. */
static int
levels(struct chunks *x, const struct axt_storage *s, struct axt_err *e)
{
	const int64_t *outer = x->is.a->chunk;

	for (int l = 0; l < x->is.a->nshards; l++) {
		struct level *v = &x->level[l];

		v->all = 1;
		for (int k = 0; k < s->rank; k++) {
			v->per[k] = outer[k] / x->is.a->shard[l].chunk[k];
			if (!axt_mul(v->all, v->per[k], &v->all) || v->all > MAX_CHUNKS)
				return too_many(s, " in a shard", e);
		}
		v->bytes = (size_t)v->all * 16 + (x->is.a->shard[l].sum ? 4 : 0);
		outer = x->is.a->shard[l].chunk;
	}
	return AXT_OK;
}

static int
grid(struct chunks *x, struct axt_storage *s, struct axt_err *e)
{
	const struct axt_zarr_array *a = x->is.a;
	const int64_t *chunk = axt_zarr_chunk(a);
	int64_t bytes = s->esize;

	s->nchunks = s->chunk_count = 1;
	for (int k = 0; k < s->rank; k++) {
		s->chunk[k] = chunk[k];
		s->grid[k] = s->dims[k] / chunk[k] + (s->dims[k] % chunk[k] != 0);
		x->files[k] = a->dims[k] / a->chunk[k] + (a->dims[k] % a->chunk[k] != 0);
		if (!axt_mul(bytes, s->chunk[k], &bytes) || bytes > UINT32_MAX)
			return axt_fail(e, AXT_E_LIMIT, "%s: a chunk is over 4 GiB", s->from);
		if (!axt_mul(s->nchunks, s->grid[k], &s->nchunks) || s->nchunks > MAX_CHUNKS)
			return too_many(s, "", e);
		s->chunk_count *= s->chunk[k];
	}
	return levels(x, s, e);
}

/*
 * Makes room for the indexes of all shards. Pages of this memory take space only once they are
 * written to.
 */
static int
indexes(struct chunks *x, const struct axt_storage *s, void **keep, struct axt_err *e)
{
	int64_t shards = 1, count[AXT_ZARR_SHARDS], bytes, all = 0;
	uint8_t *p;

	for (int k = 0; k < s->rank; k++)
		shards *= x->files[k];
	for (int l = 0; l < x->is.a->nshards; l++) {
		count[l] = shards;
		if (!axt_mul(shards, (int64_t)x->level[l].bytes + 1, &bytes) ||
		    bytes > MAX_INDEX - all || !axt_mul(shards, x->level[l].all, &shards))
			return axt_fail(e, AXT_E_LIMIT,
			    "%s: the indexes of its shards are over 16 GiB", s->from);
		all += bytes;
		if (x->level[l].bytes > axt_store_memory(x->is.store))
			return too_large(s, e);
	}
	*keep = p = calloc(1, (size_t)all);
	if (!p)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", s->from);
	for (int l = 0; l < x->is.a->nshards; l++) {
		x->level[l].read = p;
		x->level[l].index = p + count[l];
		p += count[l] * (1 + (int64_t)x->level[l].bytes);
	}
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
	x->is.store = store;
	x->is.a = a;
	pthread_mutex_init(&x->lock, NULL);
	memcpy(s->fill_bytes, a->fill, sizeof(s->fill_bytes));
	s->fill_text = a->fill_text;
	if (a->fill_text && a->kind != AXT_ZARR_VLEN && a->esize <= (int)sizeof(s->fill_bytes))
		memcpy(s->fill_bytes, a->fill_text, (size_t)a->esize);
	if (a->kind == AXT_ZARR_NUMBERS)
		s->fill = axt_load_f64(s->dtype, s->fill_bytes);
	s->swap = a->swap;
	s->filters = a->filters;
	s->layout = AXT_LAYOUT_NONE;
	if (s->count == 0)
		return AXT_OK;
	if (grid(x, s, e) || (a->nshards > 0 && indexes(x, s, keep, e)))
		return e->code;
	s->layout = AXT_LAYOUT_CHUNKED;
	s->apart = &x->apart;
	s->largest = SIZE_MAX;
	return s->rank == 0 && a->kind != AXT_ZARR_VLEN ? scalar(s, store->m, e) : AXT_OK;
}
