/*
 * shared.c - parts that processes write into the output itself: bytes where they belong, or chunks
 * that each process has packed, once one of them has told where these go.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jobs/part.h"
#include "zarr/write/write.h"

#define FEW ((int64_t)64 << 20) /* up to so many bytes of packed chunks are kept in memory */

/* Fails if the output is also an operand, whose other tensors would be lost. */
static int
check_shared(struct axt_part *p, const struct axt_save_opts *o)
{
	struct axt_graph *g = p->g;

	if (!p->out.opts.shared_input || o->force)
		return 0;
	axt_output_shared(o->output, &g->err);
	axt_hint(&g->err, "--force replaces it");
	return g->err.code;
}

bool
axt_part_shares(const struct axt_part *p, const struct axt_save_opts *o, const struct axt_way *way)
{
	/* the numbers of all chunks are counted in an int, as bytes of messages are */
	const int64_t most = INT_MAX / (int)sizeof(int64_t);

	if (o->size || o->layout == 'F' || o->expression || p->out.states.on)
		return false;
	return way->kind == AXT_WAY_ZARR ? p->as.chunked
					 : way->kind == AXT_WAY_HDF5 &&
		(!p->as.chunked || axt_partition_grid(&p->out.cut) <= most);
}

int
axt_shared_open(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, int64_t parts, struct axt_whole *out, struct axt_shared *at)
{
	struct axt_part *p = axt_alloc(g->m, sizeof(*p)); /* the output keeps a part of it */
	struct axt_way way;
	struct stat st;

	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*p = (struct axt_part){ .g = g, .n = parts, .together = true };
	if (axt_part_plan(p, e, n, o) || check_shared(p, o) || axt_part_way(g, o->output, &way) ||
	    !axt_part_shares(p, o, &way))
		return g->err.code;
	p->out.opts.target = o->output;
	p->out.opts.apart = true;
	p->out.opts.no_clobber = o->no_clobber;
	if (axt_whole_open(g, &p->out, &way, out))
		return g->err.code;
	at->store = out->store != NULL;
	at->offset = -1;
	if (at->store && !axt_zarr_out_share(out->store, at->path)) {
		axt_fail(&g->err, AXT_E_IO, "%s: %s", axt_escape(g->m, o->output), strerror(errno));
		return axt_whole_close(g, out);
	}
	if (!at->store && !axt_out_share(out->file, 0, true, at->path, &at->offset)) {
		axt_out_close(out->file, false, &g->err);
		out->file = NULL;
		at->path[0] = '\0';
		return g->err.code;
	}
	if (stat(at->path, &st) == 0) {
		at->dev = st.st_dev;
		at->ino = st.st_ino;
	}
	axt_part_tell(p);
	return 0;
}

bool
axt_shared_reached(const struct axt_shared *at)
{
	struct stat st;

	/* each machine has its own number for a file system that it shares */
	return stat(at->path, &st) == 0 && access(at->path, W_OK) == 0 && st.st_ino == at->ino &&
	    (at->store || st.st_dev == at->dev);
}

int
axt_shared_named(struct axt_graph *g, struct axt_whole *out, struct axt_shared *at)
{
	if (at->store)
		return axt_fail(&g->err, AXT_E_IO, "%s is not found by all processes",
		    axt_escape(g->m, at->path));
	if (axt_out_share(out->file, 0, false, at->path, &at->offset))
		return 0;
	return axt_fail(&g->err, AXT_E_IO,
	    "no file can be made beside the output that all processes find: %s", strerror(errno));
}

static int
failed(const char *name, struct axt_err *e)
{
	return axt_fail(e, AXT_E_IO, "%s: %s", name, strerror(errno));
}

/* Opens the file there for writing. -1: it failed. */
static int
open_shared(const struct axt_shared *at, const char *name, struct axt_err *e)
{
	int fd;

	axt_reach();
	fd = open(at->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		failed(name, e);
	return fd;
}

static int
close_shared(int fd, const char *name, struct axt_err *e)
{
	return close(fd) && !e->code ? failed(name, e) : (int)e->code;
}

/* ---- the bytes of elements in order ---- */

/* The bytes of the tensor in a file that this process has not made. */
struct into_file {
	struct axt_sink sink;
	int fd;
	int64_t offset;
	const char *name;
};

static int
into_write(struct axt_sink *s, int64_t off, const void *b, int64_t n, struct axt_err *e)
{
	struct into_file *f = (struct into_file *)s;

	return axt_pwrite(f->fd, b, (size_t)n, (uint64_t)(f->offset + off), f->name, e);
}

int
axt_shared_write(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const char *part, const struct axt_shared *at,
    const struct axt_ranks *by)
{
	struct axt_part p = { .g = g,
		.o = &(struct axt_part_opts){ .part = part },
		.together = true,
		.by = by };
	struct into_file f = { .sink = { .write = into_write },
		.offset = at->offset,
		.name = axt_escape(g->m, o->output) };
	struct axt_scatter *scatter;
	struct axt_sink *sink[AXT_PART_BOXES];
	struct axt_save_opts to = *o;

	axt_part_look(&p, e, n, o);
	if (axt_part_pieces(&p, e[0]) || p.nboxes == 0)
		goto out;
	scatter = axt_alloc(g->m, (size_t)p.nboxes * sizeof(*scatter));
	if (!scatter) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		goto out;
	}
	f.fd = open_shared(at, f.name, &g->err);
	if (f.fd < 0)
		goto out;
	for (int i = 0; i < p.nboxes; i++) {
		axt_scatter_begin(&scatter[i], &p.out, &p.box[i], &f.sink);
		sink[i] = &scatter[i].sink;
	}
	to.history = to.chunk = to.unlimited = NULL;
	axt_save_in(g, p.piece, p.nboxes, &to, &(struct axt_save_place){ .into = sink });
	close_shared(f.fd, f.name, &g->err);
out:
	axt_needs_release(&p.needs);
	return g->err.code;
}

/* ---- chunks that filters have packed ---- */

/* The values of a box, until they are packed. */
struct values {
	struct axt_sink sink;
	struct axt_waiting wait;
	struct axt_cut cut;
	const struct axt_box *box;
};

static int
values_write(struct axt_sink *s, int64_t off, const void *b, int64_t n, struct axt_err *e)
{
	return axt_wait_put(&((struct values *)s)->wait, off, b, n, e);
}

/* What packs the chunks of one box: the first of them is number `first` of the part. */
struct keeping {
	struct axt_packed *k;
	int64_t first;
};

/* Keeps a packed chunk in memory, or in the file behind those that came before it. */
static int
keep(void *ctx, int64_t i, const void *p, size_t n, struct axt_err *e)
{
	struct keeping *x = ctx;
	struct axt_packed *k = x->k;
	struct axt_kept *c = &k->kept[x->first + i];

	*c = (struct axt_kept){ .n = (int64_t)n };
	c->at = __atomic_fetch_add(&k->end, c->n, __ATOMIC_RELAXED);
	c->mem = c->at + c->n <= k->room ? malloc(n) : NULL;
	if (!c->mem)
		return axt_wait_put(&k->more, c->at, p, c->n, e);
	memcpy(c->mem, p, n);
	return 0;
}

/* Makes room for the chunks of a part and for numbers of them. v[]: its boxes. */
static int
packed_open(const struct axt_part *p, const struct values *v, struct axt_temp *beside,
    struct axt_packed *k)
{
	struct axt_graph *g = p->g;

	for (int i = 0; i < p->nboxes; i++)
		k->n += v[i].cut.nchunks;
	k->room = MIN(FEW, g->memory / 8);
	k->chunk = axt_alloc(g->m, (size_t)k->n * sizeof(*k->chunk));
	k->kept = axt_alloc(g->m, (size_t)k->n * sizeof(*k->kept));
	if (!k->chunk || !k->kept)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	/* a file that becomes as long as it has to be */
	return axt_wait_open(&k->more, 1, 0, beside, &g->err);
}

/* Computes the values of all boxes. */
static int
values_come(struct axt_part *p, const struct axt_save_opts *o, struct values *v,
    struct axt_temp *beside)
{
	struct axt_graph *g = p->g;
	struct axt_sink *sink[AXT_PART_BOXES];
	struct axt_save_opts to = *o;

	for (int i = 0; i < p->nboxes; i++) {
		int64_t bytes = axt_count(p->piece[i]) * axt_size(p->out.v.dtype);

		if (axt_wait_open(&v[i].wait, bytes, g->memory / p->nboxes / 2, beside, &g->err))
			return g->err.code;
		sink[i] = &v[i].sink;
	}
	to.history = to.chunk = to.unlimited = NULL;
	return axt_save_in(g, p->piece, p->nboxes, &to, &(struct axt_save_place){ .into = sink });
}

/* Packs the chunks of a box into files of a store. */
static int
box_to_store(struct axt_part *p, const struct values *v, const struct axt_shared *at,
    const struct axt_packers *how)
{
	const struct axt_zarr_new a = { .dir = at->path, .path = p->out.v.name, .v = &p->out.v };
	int64_t first[AXT_MAX_RANK] = { 0 };

	for (int d = 0; d < p->out.v.axes.n; d++)
		first[d] = v->box->from[d] / p->as.chunk[d];
	return axt_zarr_put_chunks(&a, &v->cut, first, *how, &p->g->err);
}

/* Packs the values, box after box. */
static int
values_pack(struct axt_part *p, struct values *v, const struct axt_shared *at,
    struct axt_temp *beside, struct axt_packed *k)
{
	struct axt_graph *g = p->g;
	struct keeping x = { .k = k };
	struct axt_packers how = { .threads = axt_graph_threads(g),
		.memory = g->memory - k->room,
		.beside = beside,
		.put = keep,
		.ctx = &x };

	for (int i = 0; i < p->nboxes; i++)
		how.memory -= axt_wait_held(&v[i].wait);
	for (int i = 0; i < p->nboxes; i++) {
		struct axt_cut *c = &v[i].cut;

		c->p = axt_wait_bytes(&v[i].wait);
		c->fd = v[i].wait.fd;
		if (at->store ? box_to_store(p, &v[i], at, &how)
			      : axt_packers_run(c, &how, &g->err))
			return g->err.code;
		x.first += c->nchunks;
		how.memory += axt_wait_held(&v[i].wait);
		axt_wait_close(&v[i].wait);
	}
	for (int64_t i = 0; i < k->n; i++)
		k->chunk[i] = k->kept[i].n;
	return 0;
}

/* Computes and packs the pieces of the part, if it has any. */
static int
make(struct axt_part *p, const struct axt_save_opts *o, const struct axt_shared *at,
    struct axt_packed *k)
{
	struct axt_graph *g = p->g;
	struct values *v = axt_alloc(g->m, (size_t)p->nboxes * sizeof(*v) + 1);
	struct axt_temp beside;
	struct axt_way way;
	const char *name;

	k->cut = p->out.cut;
	if (p->nboxes == 0 || axt_part_way(g, o->output, &way))
		return g->err.code;
	name = at->store ? axt_sprintf(g->m, "%s/values", at->path) : way.file;
	if (!v || !name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_temp_open(&beside, name, false, true, &g->err))
		return g->err.code;
	for (int i = 0; i < p->nboxes; i++) {
		v[i] = (struct values){ .sink.write = values_write,
			.wait.fd = -1,
			.box = &p->box[i] };
		axt_cut_init(&v[i].cut, &p->piece[i]->axes, axt_size(p->out.v.dtype), p->as.chunk,
		    (struct axt_filters){ .n = p->as.nfilters, .use = p->as.filter }, NULL, -1);
	}
	if ((at->store || packed_open(p, v, &beside, k) == 0) && values_come(p, o, v, &beside) == 0)
		values_pack(p, v, at, &beside, k);
	for (int i = 0; i < p->nboxes; i++)
		axt_wait_close(&v[i].wait);
	axt_temp_drop(&beside);
	return g->err.code;
}

int
axt_packed_make(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const char *part, const struct axt_shared *at,
    const struct axt_ranks *by, struct axt_packed *k)
{
	struct axt_part p = { .g = g,
		.o = &(struct axt_part_opts){ .part = part },
		.together = true,
		.by = by };

	*k = (struct axt_packed){ .more.fd = -1, .name = axt_escape(g->m, o->output) };
	axt_part_look(&p, e, n, o);
	if (axt_part_pieces(&p, e[0]) == 0)
		make(&p, o, at, k);
	for (struct axt_open_file *f = g->files; at->store && f; f = f->next)
		axt_file_is_read(f->f); /* one of them may be the store that is replaced */
	axt_needs_release(&p.needs);
	return g->err.code;
}

int
axt_packed_write(struct axt_packed *k, const struct axt_shared *at, struct axt_err *e)
{
	struct axt_temp to = { .fd = -1 }, from = { .fd = k->more.fd };

	if (k->n == 0)
		return 0;
	snprintf(to.path, sizeof(to.path), "%s", k->name);
	to.fd = open_shared(at, k->name, e);
	if (to.fd < 0)
		return e->code;
	for (int64_t i = 0; i < k->n && !e->code; i++) {
		const struct axt_kept *c = &k->kept[i];
		uint64_t there = (uint64_t)k->chunk[i];

		if (c->mem)
			axt_pwrite(to.fd, c->mem, (size_t)c->n, there, k->name, e);
		else
			axt_temp_move(&to, there, &from, (uint64_t)c->at, c->n, e);
	}
	return close_shared(to.fd, k->name, e);
}

void
axt_packed_free(struct axt_packed *k)
{
	for (int64_t i = 0; k->kept && i < k->n; i++)
		free(k->kept[i].mem);
	axt_wait_close(&k->more);
}
