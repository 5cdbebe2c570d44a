/*
 * compressed.c - chunked and compressed output: the bytes are spooled as they are; at the end they
 * are cut into chunks, and packed by several threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hdf5/write/compressed.h"

#define AUTO_CHUNK (1 << 20) /* bytes of a chunk, unpacked, if no length is given */
#define MAX_CHUNK ((int64_t)1 << 31)
#define SMALL ((int64_t)64 << 20) /* up to this the spool is in memory */

/* ---- the size of chunks ---- */

/*
 * Chooses chunk lengths for about AUTO_CHUNK bytes: whole axes from the last one on, a part of the
 * axis before those, and 1 of all others.
 */
static void
auto_chunk(struct axt_out_tensor *p)
{
	const struct axt_axes *x = &p->v->axes;
	int64_t left = AUTO_CHUNK / axt_size(p->v->dtype);

	for (int i = x->n - 1; i >= 0; i--) {
		p->chunk[i] = MAX(MIN(x->a[i].len, left), 1);
		left = p->chunk[i] < x->a[i].len ? 1 : left / p->chunk[i];
	}
}

static void
asked_chunk(struct axt_out_tensor *p, const struct axt_axes *first, const struct axt_out_opts *o)
{
	const struct axt_axes *x = &p->v->axes;

	for (int i = 0; i < x->n; i++) {
		int k = axt_axes_find(first, &x->a[i]);
		int64_t c = k >= 0 ? o->chunk[k] : -1;

		p->chunk[i] = c < 0 || c > x->a[i].len ? x->a[i].len : c;
	}
}

static void
same_chunk(struct axt_out_tensor *p, const struct axt_storage *like)
{
	const struct axt_axes *x = &p->v->axes;

	for (int i = 0; i < x->n; i++)
		p->chunk[i] = MAX(1, MIN(like->chunk[i], x->a[i].len));
}

static int
choose(struct axt_out_tensor *p, const char *compress, const char *shuffle, struct axt_err *e)
{
	p->nfilters = axt_filters_choose(compress, shuffle, axt_size(p->v->dtype), p->filter, e);
	return p->nfilters < 0 ? (int)e->code : 0;
}

/*
 * Chunks and filters as a compressed tensor has them; deflate where axt does not write one, or
 * where one is as usual in the tensor's kind of file as it is rare in HDF5, whose programs have a
 * plugin for it at best.
 */
static int
like_stored(struct axt_out_tensor *p, const struct axt_storage *like, struct axt_err *e)
{
	bool all = like->esize == axt_size(p->v->dtype) && /* which filters depend on */
	    !(like->apart && axt_filters_elsewhere(like->filters.use, like->filters.n));

	p->chunked = true;
	same_chunk(p, like);
	for (int i = 0; i < like->filters.n; i++)
		all = all && like->filters.use[i].f->id > 0 && like->filters.use[i].f->fn->encode;
	for (int i = 0; i < like->filters.n && all; i++)
		p->filter[p->nfilters++] = like->filters.use[i];
	return all ? 0 : choose(p, "deflate", NULL, e);
}

int
axt_outz_plan(struct axt_out_tensor *p, const struct axt_axes *first, const struct axt_out_opts *o,
    struct axt_err *e)
{
	int64_t bytes = axt_size(p->v->dtype);
	char esc[256];

	if (choose(p, o->compress, o->shuffle, e))
		return e->code;
	if (p->bytes == 0 || p->v->axes.n == 0)
		return p->nfilters = 0;
	if (p->nfilters == 0 && !o->has_chunk)
		return !o->compress && p->v->like && p->v->like->filters.n > 0
		    ? like_stored(p, p->v->like, e)
		    : 0;
	p->chunked = true;
	if (o->has_chunk)
		asked_chunk(p, first, o);
	else if (p->v->like)
		same_chunk(p, p->v->like);
	else
		auto_chunk(p);
	for (int i = 0; i < p->v->axes.n; i++) {
		if (p->chunk[i] > 0 && axt_mul(bytes, p->chunk[i], &bytes) && bytes < MAX_CHUNK)
			continue;
		axt_escape_to(esc, sizeof(esc), p->v->axes.a[i].name);
		if (p->chunk[i] == 0)
			return axt_fail(e, AXT_E_ARG, "the chunk length of axis \"%s\" is 0", esc);
		return axt_fail(e, AXT_E_ARG, "a chunk has 2 GiB or more at axis \"%s\"", esc);
	}
	return 0;
}

/* ---- spool ---- */

struct axt_outz {
	struct axt_temp *temp;
	const struct axt_out_tensor *p;
	unsigned char *mem; /* the bytes spooled, or NULL */
	int fd;             /* the spool file, or -1 */
};

struct axt_outz *
axt_outz_new(struct axt_temp *t, const struct axt_out_tensor *p, int64_t memory, struct axt_err *e)
{
	struct axt_outz *z = calloc(1, sizeof(*z));

	if (!z) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*z = (struct axt_outz){ .temp = t, .p = p, .fd = -1 };
	if (p->bytes <= MIN(SMALL, memory / 8))
		z->mem = malloc((size_t)p->bytes);
	if (z->mem)
		return z;
	z->fd = axt_temp_spool(t, (uint64_t)p->bytes, e);
	if (z->fd < 0) {
		axt_outz_free(z);
		return NULL;
	}
	return z;
}

int
axt_outz_put(struct axt_outz *z, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	if (!z->mem)
		return axt_pwrite(z->fd, p, (size_t)n, (uint64_t)off, z->temp->path, e);
	memcpy(z->mem + off, p, (size_t)n);
	return 0;
}

void
axt_outz_free(struct axt_outz *z)
{
	if (!z)
		return;
	if (z->fd >= 0)
		close(z->fd);
	free(z->mem);
	free(z);
}

/* ---- cutting and packing, by several threads, in order ---- */

struct slot {
	unsigned char *out;
	size_t n;
	bool done;
};

/*
 * What one thread packs with, and its slots. It is mapped, so that closing returns all of it to the
 * system.
 */
struct packer {
	struct work *w;
	pthread_t thread;
	unsigned char *mem; /* axt_pack_scratch_bytes bytes */
};

struct work {
	struct axt_chunks c;
	struct axt_cut cut;
	size_t bound; /* bytes of a slot */
	pthread_mutex_t lock;
	pthread_cond_t free, done;
	int64_t next, taken; /* the next chunk to pack; the last one handed out */
	int nslots;
	struct slot *slots;
	struct axt_pack *inline_pack; /* without threads: packs a chunk when it is asked for */
	const struct axt_outz_told *told;
	int64_t bytes; /* of all chunks, unpacked */
	struct axt_err err;
	bool stop;
};

static void *
worker(void *ctx)
{
	struct packer *h = ctx;
	struct work *w = h->w;
	struct axt_err e = { 0 };
	struct axt_pack *k = axt_pack_new(&w->cut, h->mem, &e);

	pthread_mutex_lock(&w->lock);
	while (!w->stop && w->next < w->cut.nchunks) {
		int64_t c = w->next;
		struct slot *s = &w->slots[c % w->nslots];

		if (c - w->taken >= w->nslots && !e.code) {
			pthread_cond_wait(&w->free, &w->lock);
			continue;
		}
		w->next++;
		pthread_mutex_unlock(&w->lock);
		if (!e.code)
			axt_pack_chunk(k, &w->cut, c, s->out, w->bound, &s->n, &e);
		pthread_mutex_lock(&w->lock);
		s->done = true;
		if (e.code && !w->err.code) {
			w->err = e;
			w->stop = true;
		}
		pthread_cond_broadcast(&w->done);
	}
	pthread_mutex_unlock(&w->lock);
	axt_pack_free(k);
	return NULL;
}

/* Reports progress: chunk c is asked for, so those before it have been written. */
static void
tell(const struct work *w, int64_t c)
{
	const struct axt_outz_told *t = w->told;

	if (t->progress)
		t->progress(t->ctx,
		    ((double)t->done + (double)w->bytes * (double)c / (double)w->cut.nchunks) /
			(double)t->all);
}

/* Gives the next chunk, and frees the slot of the one given before. */
static int
next_chunk(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e)
{
	struct work *w = (struct work *)c;
	struct slot *s;
	bool failed;

	tell(w, w->inline_pack ? w->next : w->taken + 1);
	if (w->inline_pack) {
		s = &w->slots[0];
		if (axt_pack_chunk(w->inline_pack, &w->cut, w->next++, s->out, w->bound, &s->n, e))
			return e->code;
	} else {
		pthread_mutex_lock(&w->lock);
		if (w->taken >= 0)
			w->slots[w->taken % w->nslots].done = false;
		w->taken++;
		pthread_cond_broadcast(&w->free);
		s = &w->slots[w->taken % w->nslots];
		while (!s->done && !w->stop)
			pthread_cond_wait(&w->done, &w->lock);
		failed = w->err.code != 0;
		if (failed)
			axt_err_copy(e, &w->err);
		pthread_mutex_unlock(&w->lock);
		if (failed)
			return e->code;
	}
	*out = s->out;
	*n = s->n;
	return 0;
}

static void
stop(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->free);
	pthread_mutex_unlock(&w->lock);
}

/* The bytes a thread needs: buffers to pack in, and nslots packed chunks. */
static size_t
packer_bytes(const struct work *w, int nslots)
{
	return axt_pack_scratch_bytes(&w->cut) + (size_t)nslots * w->bound;
}

/*
 * How many threads and slots fit into `memory`. If not even one thread does, *in_file: its buffers
 * are in a mapped temporary file beside the output.
 */
static void
fit(struct work *w, int64_t memory, int *threads, bool *in_file)
{
	int64_t each = (int64_t)packer_bytes(w, 2);

	*threads = (int)MIN((int64_t)*threads, MAX(memory / each, 1));
	*threads = (int)MIN((int64_t)*threads, w->cut.nchunks);
	w->nslots = *threads > 1 ? 2 * *threads : 1;
	*in_file = *threads == 1 && (int64_t)packer_bytes(w, 1) > memory;
}

/* Maps all buffers in one piece. NULL on error. */
static unsigned char *
map_scratch(struct axt_temp *t, size_t bytes, bool in_file, struct axt_err *e)
{
	int fd = in_file ? axt_temp_spool(t, bytes, e) : -1;
	void *p = MAP_FAILED;

	if (!in_file)
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED && !e->code)
		axt_fail(e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: a chunk of %zu bytes: %s",
		    t->path, bytes, strerror(errno));
	if (fd >= 0)
		close(fd);
	return p == MAP_FAILED ? NULL : p;
}

static int
run(struct work *w, struct axt_outz *z, int threads, unsigned char *mem, struct axt_err *e)
{
	struct packer *h = calloc((size_t)threads, sizeof(*h));
	size_t each = axt_pack_scratch_bytes(&w->cut);
	int n = 0, rc;

	for (int i = 0; h && i < threads; i++)
		h[i] = (struct packer){ .w = w, .mem = mem + (size_t)i * each };
	for (int i = 0; i < w->nslots; i++)
		w->slots[i].out = mem + (size_t)threads * each + (size_t)i * w->bound;
	while (h && threads > 1 && n < threads &&
	    pthread_create(&h[n].thread, NULL, worker, &h[n]) == 0)
		n++;
	if (n == 0)
		w->inline_pack = axt_pack_new(&w->cut, mem, e);
	rc = e->code ? (int)e->code : axt_h5_chunks(z->temp->fd, z->temp->path, z->p, &w->c, e);
	stop(w);
	for (int i = 0; i < n; i++)
		pthread_join(h[i].thread, NULL);
	axt_pack_free(w->inline_pack);
	free(h);
	return rc;
}

/* Maps the spool. NULL when there is no address space for it: then it is read instead. */
static const void *
map_spool(const struct axt_outz *z)
{
	void *map = !axt_may_map(z->p->bytes)
	    ? MAP_FAILED
	    : mmap(NULL, (size_t)z->p->bytes, PROT_READ, MAP_SHARED, z->fd, 0);

	return map == MAP_FAILED ? NULL : map;
}

int
axt_outz_write(struct axt_outz *z, int threads, int64_t memory, const struct axt_outz_told *told,
    struct axt_err *e)
{
	struct work w = { .c.next = next_chunk,
		.told = told,
		.bytes = z->p->bytes,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.free = PTHREAD_COND_INITIALIZER,
		.done = PTHREAD_COND_INITIALIZER };
	const void *map = z->mem ? NULL : map_spool(z);
	unsigned char *mem;
	size_t bytes;
	bool in_file;

	w.taken = -1;
	axt_cut_init(&w.cut, z->p, z->mem ? z->mem : map, z->fd);
	w.bound = axt_pack_bound(&w.cut);
	fit(&w, memory, &threads, &in_file);
	bytes = packer_bytes(&w, 0) * (size_t)threads + w.bound * (size_t)w.nslots;
	mem = map_scratch(z->temp, bytes, in_file, e);
	w.slots = calloc((size_t)w.nslots, sizeof(*w.slots));
	if (mem && !w.slots)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else if (mem)
		run(&w, z, threads, mem, e);
	free(w.slots);
	if (mem)
		munmap(mem, bytes);
	if (map)
		munmap((void *)(uintptr_t)map, (size_t)z->p->bytes);
	return e->code;
}

int64_t
axt_outz_held(const struct axt_outz *z)
{
	return z->mem ? z->p->bytes : 0;
}
