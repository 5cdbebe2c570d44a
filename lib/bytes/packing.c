/*
 * packing.c - packs the chunks of an output by several threads. They are taken in order, or each is
 * put where it belongs as soon as it is done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/packing.h"

struct slot {
	unsigned char *out;
	size_t n;
	bool done;
};

/*
 * What one thread packs with, and its slots. This memory is mapped, so that all of it goes back to
 * the system when it is closed.
 */
struct packer {
	struct work *w;
	pthread_t thread;
	unsigned char *mem; /* axt_pack_scratch_bytes bytes */
	struct slot *own;   /* where chunks are put and not taken */
};

struct work {
	struct axt_chunks c;
	const struct axt_cut *cut;
	const struct axt_packers *how;
	size_t bound; /* bytes of a slot */
	pthread_mutex_t lock;
	pthread_cond_t free, done;
	int64_t next, taken; /* the next chunk to pack; the last one handed out */
	int nslots;
	struct slot *slots;
	struct axt_pack *inline_pack; /* without threads: packs a chunk when it is asked for */
	struct axt_err err;
	bool stop;
};

static void *
worker(void *ctx)
{
	struct packer *h = ctx;
	struct work *w = h->w;
	struct axt_err e = { 0 };
	struct axt_pack *k = axt_pack_new(w->cut, h->mem, &e);
	struct slot *own = w->how->put ? h->own : NULL;

	pthread_mutex_lock(&w->lock);
	while (!w->stop && w->next < w->cut->nchunks) {
		int64_t c = w->next;
		struct slot *s = own ? own : &w->slots[c % w->nslots];

		if (!own && c - w->taken >= w->nslots && !e.code) {
			pthread_cond_wait(&w->free, &w->lock);
			continue;
		}
		w->next++;
		pthread_mutex_unlock(&w->lock);
		if (!e.code)
			axt_pack_chunk(k, w->cut, c, s->out, w->bound, &s->n, &e);
		if (!e.code && own)
			w->how->put(w->how->ctx, c, s->out, s->n, &e);
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

/* Gives the next chunk, and frees the slot of the one given before. */
static int
next_chunk(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e)
{
	struct work *w = (struct work *)c;
	struct slot *s;
	bool failed;

	/* those before it have been written */
	if (w->how->told)
		w->how->told(w->how->ctx,
		    (double)(w->inline_pack ? w->next : w->taken + 1) / (double)w->cut->nchunks);
	if (w->inline_pack) {
		s = &w->slots[0];
		if (axt_pack_chunk(w->inline_pack, w->cut, w->next++, s->out, w->bound, &s->n, e))
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
	return axt_pack_scratch_bytes(w->cut) + (size_t)nslots * w->bound;
}

/*
 * Sets *threads and w->nslots to as many as fit into `memory`. *in_file: whether not even the
 * buffers of one thread fit, which then are in a mapped temporary file beside the output.
 */
static void
fit(struct work *w, int64_t memory, int *threads, bool *in_file)
{
	bool taken = !w->cut->p && w->cut->fd < 0;
	int64_t each = (int64_t)(packer_bytes(w, 2) + (taken ? w->cut->unpacks : 0));

	*threads = (int)MIN((int64_t)*threads, MAX(memory / each, 1));
	*threads = (int)MIN((int64_t)*threads, w->cut->nchunks);
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

/* Packs in this thread, without others, what is put. */
static int
put_all(struct work *w, struct axt_err *e)
{
	const void *p;
	size_t n;

	for (int64_t i = 0; i < w->cut->nchunks && !e->code; i++)
		if (next_chunk(&w->c, &p, &n, e) == 0)
			w->how->put(w->how->ctx, i, p, n, e);
	return e->code;
}

static int
run(struct work *w, int threads, unsigned char *mem, struct axt_err *e)
{
	struct packer *h = calloc((size_t)threads, sizeof(*h));
	size_t each = axt_pack_scratch_bytes(w->cut);
	int n = 0;

	for (int i = 0; h && i < threads; i++)
		h[i] = (struct packer){ .w = w,
			.mem = mem + (size_t)i * each,
			.own = &w->slots[i] };
	for (int i = 0; i < w->nslots; i++)
		w->slots[i].out = mem + (size_t)threads * each + (size_t)i * w->bound;
	while (h && threads > 1 && n < threads &&
	    pthread_create(&h[n].thread, NULL, worker, &h[n]) == 0)
		n++;
	if (n == 0)
		w->inline_pack = axt_pack_new(w->cut, mem, e);
	if (!e->code && w->how->take)
		w->how->take(w->how->ctx, &w->c, e);
	else if (!e->code && n == 0)
		put_all(w, e);
	if (w->how->take || e->code)
		stop(w);
	for (int i = 0; i < n; i++)
		pthread_join(h[i].thread, NULL);
	if (!e->code && w->err.code)
		axt_err_copy(e, &w->err);
	axt_pack_free(w->inline_pack);
	free(h);
	return e->code;
}

int
axt_packers_run(const struct axt_cut *cut, const struct axt_packers *how, struct axt_err *e)
{
	struct work w = { .c.next = next_chunk,
		.cut = cut,
		.how = how,
		.bound = axt_pack_bound(cut),
		.taken = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.free = PTHREAD_COND_INITIALIZER,
		.done = PTHREAD_COND_INITIALIZER };
	int threads = how->threads;
	unsigned char *mem;
	size_t bytes;
	bool in_file;

	if (cut->nchunks == 0)
		return 0;
	fit(&w, how->memory, &threads, &in_file);
	bytes = packer_bytes(&w, 0) * (size_t)threads + w.bound * (size_t)w.nslots;
	mem = map_scratch(how->beside, bytes, in_file, e);
	w.slots = calloc((size_t)w.nslots, sizeof(*w.slots));
	if (mem && !w.slots)
		axt_fail(e, AXT_E_MEM, "out of memory");
	else if (mem)
		run(&w, threads, mem, e);
	free(w.slots);
	if (mem)
		munmap(mem, bytes);
	return e->code;
}
