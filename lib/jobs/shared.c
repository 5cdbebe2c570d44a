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

	if (o->size || o->layout == 'F' || o->expression ||
	    (way->kind != AXT_WAY_ZARR && way->kind != AXT_WAY_HDF5))
		return false;
	for (int i = 0; i < p->out.n; i++)
		if (p->out.t[i].states.on ||
		    (p->r[i].as.chunked && axt_partition_grid(&p->out.t[i].cut) > most))
			return false;
	return true;
}

/* Finds where the tensors of a file are. false: others cannot write them. */
static bool
share(struct axt_whole *out, int n, bool near, struct axt_shared *at)
{
	bool all = true;

	for (int i = 0; i < n; i++)
		all = all && axt_out_share(out->file, i, near, at->path, &at->offset[i]);
	return all;
}

int
axt_shared_open(struct axt_graph *g, const struct axt_save_opts *o, const struct axt_ranks *by,
    struct axt_whole *out, struct axt_shared *at)
{
	const struct axt_job *job = by->job;
	struct axt_part *p = axt_alloc(g->m, sizeof(*p)); /* the output keeps a part of it */
	struct axt_way way;
	struct stat st;

	if (!p)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*p = (struct axt_part){ .g = g, .job = job, .n = by->size, .together = true };
	if (axt_part_plan(p, job->r.e, job->n, o) || check_shared(p, o) ||
	    axt_part_way(g, o->output, &way) || !axt_part_shares(p, o, &way))
		return g->err.code;
	p->out.opts.target = o->output;
	p->out.opts.apart = true;
	p->out.opts.no_clobber = o->no_clobber;
	if (axt_whole_open(g, &p->out, &way, out))
		return g->err.code;
	at->store = out->store != NULL;
	at->precious = p->out.opts.over_input;
	for (int i = 0; i < job->n; i++)
		at->offset[i] = -1;
	if (at->store && !axt_zarr_out_share(out->store, at->path)) {
		axt_fail(&g->err, AXT_E_IO, "%s: %s", axt_escape(g->m, o->output), strerror(errno));
		return axt_whole_close(g, out);
	}
	if (!at->store && !share(out, job->n, true, at)) {
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
axt_shared_named(struct axt_graph *g, struct axt_whole *out, int n, struct axt_shared *at)
{
	if (at->store)
		return axt_fail(&g->err, AXT_E_IO, "%s is not found by all processes",
		    axt_escape(g->m, at->path));
	if (share(out, n, false, at))
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

/*
 * Closes the file. Where a single process would wait until the bytes are on the disk before it
 * gives the file its name, each waits for its own: what is in the memory of another machine, the
 * first process cannot wait for.
 */
static int
close_shared(int fd, const struct axt_shared *at, const char *name, struct axt_err *e)
{
	bool lost = !e->code && at->precious && fdatasync(fd) && errno != EINVAL && errno != ENOSYS;

	if (lost)
		failed(name, e);
	return close(fd) && !e->code ? failed(name, e) : (int)e->code;
}

/* ---- values of a piece ---- */

/*
 * Where the values of a piece go: into the file, which this process has not made, where they
 * belong; or they wait until they are packed.
 */
struct values {
	struct axt_sink sink; /* of the waiting ones, or of the tensor in the file */
	struct axt_scatter scatter;
	int fd;
	int64_t offset;
	const char *name;
	bool packed;
	struct axt_waiting wait;
	struct axt_cut cut;
	const struct axt_piece *piece;
};

static int
into_file(struct axt_sink *s, int64_t off, const void *b, int64_t n, struct axt_err *e)
{
	struct values *v = (struct values *)s;

	return axt_pwrite(v->fd, b, (size_t)n, (uint64_t)(v->offset + off), v->name, e);
}

static int
wait_for_all(struct axt_sink *s, int64_t off, const void *b, int64_t n, struct axt_err *e)
{
	return axt_wait_put(&((struct values *)s)->wait, off, b, n, e);
}

/* A part while it is written into the output. */
struct share {
	const struct axt_save_opts *o;
	struct axt_part *p;
	const struct axt_shared *at;
	struct values *v; /* [p->npieces] */
	int npacked;      /* pieces that are packed */
	int fd;           /* of the file; -1: no piece is written there at once */
	struct axt_temp beside;
	struct axt_packed *k;
};

/* Finds where each piece goes. */
static int
begin_values(struct share *s)
{
	struct axt_part *p = s->p;
	struct axt_graph *g = p->g;
	bool into = false;

	s->v = axt_alloc(g->m, (size_t)p->npieces * sizeof(*s->v) + 1);
	if (!s->v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->npieces; i++) {
		const struct axt_piece *x = &p->piece[i];
		const struct axt_chunking *as = &p->r[x->of].as;
		const struct axt_out_var *var = &p->out.t[x->of].v;
		struct values *v = &s->v[i];

		*v = (struct values){ .piece = x,
			.packed = s->at->offset[x->of] < 0,
			.offset = s->at->offset[x->of],
			.name = s->k->name,
			.wait.fd = -1 };
		v->sink.write = v->packed ? wait_for_all : into_file;
		s->npacked += v->packed;
		into = into || !v->packed;
		if (v->packed)
			axt_cut_init(&v->cut, &x->e->axes, axt_size(var->dtype), as->chunk,
			    (struct axt_filters){ .n = as->nfilters, .use = as->filter }, NULL, -1,
			    s->at->store ? NULL
					 : axt_out_chunks(g, p->stored[x->of], as, s->o,
					       x->box->from, x->box->len));
		else
			axt_scatter_begin(&v->scatter, var, x->box, &v->sink);
	}
	s->fd = into ? open_shared(s->at, s->k->name, &g->err) : -1;
	for (int i = 0; i < p->npieces; i++)
		s->v[i].fd = s->fd;
	return g->err.code;
}

/* Computes the values of all pieces. */
static int
values_come(struct share *s, const struct axt_save_opts *o)
{
	struct axt_part *p = s->p;
	struct axt_graph *g = p->g;
	struct axt_sink **sink = axt_alloc(g->m, (size_t)p->npieces * sizeof(*sink));
	struct axt_expr **e = axt_part_exprs(p);
	struct axt_save_opts to = *o;

	if (!sink || !e)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p->npieces; i++) {
		struct values *v = &s->v[i];
		int64_t bytes = axt_count(e[i]) * axt_size(p->out.t[v->piece->of].v.dtype);

		if (v->packed &&
		    axt_wait_open(&v->wait, bytes, axt_ranks_keep(p->by, g->memory / 8, s->npacked),
			&s->beside, &g->err))
			return g->err.code;
		sink[i] = v->packed ? &v->sink : &v->scatter.sink;
	}
	to.history = to.chunk = to.unlimited = to.rest_of = NULL;
	return axt_save_in(g, e, p->npieces, &to, &(struct axt_save_place){ .into = sink });
}

/* ---- chunks that filters have packed ---- */

/* What packs the chunks of one box: the first of them is number `first` of the part. */
struct keeping {
	struct axt_packed *k;
	struct axt_packed_tensor *t;
	int64_t first;
};

/* Keeps a packed chunk in memory, or in the file behind those that came before it. */
static int
keep(void *ctx, int64_t i, const void *p, size_t n, struct axt_err *e)
{
	struct keeping *x = ctx;
	struct axt_packed *k = x->k;
	struct axt_kept *c = &x->t->kept[x->first + i];

	*c = (struct axt_kept){ .n = (int64_t)n };
	c->at = __atomic_fetch_add(&k->end, c->n, __ATOMIC_RELAXED);
	c->mem = c->at + c->n <= k->room ? malloc(n) : NULL;
	if (!c->mem)
		return axt_wait_put(&k->more, c->at, p, c->n, e);
	memcpy(c->mem, p, n);
	return 0;
}

/* Makes room for the chunks of a part, and for numbers of them. */
static int
packed_open(struct share *s)
{
	struct axt_part *p = s->p;
	struct axt_graph *g = p->g;
	struct axt_packed *k = s->k;

	for (int i = 0; i < p->npieces; i++)
		k->t[p->piece[i].of].n += s->v[i].packed ? s->v[i].cut.nchunks : 0;
	k->room = axt_ranks_keep(p->by, g->memory / 8, 1);
	for (int i = 0; i < k->n; i++) {
		struct axt_packed_tensor *t = &k->t[i];

		t->chunk = axt_alloc(g->m, (size_t)t->n * sizeof(*t->chunk) + 1);
		t->kept = axt_alloc(g->m, (size_t)t->n * sizeof(*t->kept) + 1);
		if (!t->chunk || !t->kept)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	/* a file that becomes as long as it has to be */
	return axt_wait_open(&k->more, 1, 0, &s->beside, &g->err);
}

/* Packs the chunks of a piece into files of a store. */
static int
piece_to_store(struct share *s, const struct values *v, const struct axt_packers *how)
{
	struct axt_part *p = s->p;
	const struct axt_out_var *var = &p->out.t[v->piece->of].v;
	const struct axt_chunking *as = &p->r[v->piece->of].as;
	const struct axt_zarr_new a = { .dir = s->at->path, .path = var->name, .v = var };
	int64_t first[AXT_MAX_RANK] = { 0 };

	for (int d = 0; d < var->axes.n; d++)
		first[d] = v->piece->box->from[d] / as->chunk[d];
	return axt_zarr_put_chunks(&a, &v->cut, first, *how, &p->g->err);
}

/* Packs the values, piece after piece. */
static int
values_pack(struct share *s)
{
	struct axt_part *p = s->p;
	struct axt_graph *g = p->g;
	struct axt_packed *k = s->k;
	struct keeping x = { .k = k };
	struct axt_packers how = { .threads = axt_graph_threads(g),
		.memory = g->memory - k->room,
		.beside = &s->beside,
		.put = keep,
		.ctx = &x };

	for (int i = 0; i < p->npieces; i++)
		how.memory -= axt_wait_held(&s->v[i].wait);
	for (int i = 0; i < p->npieces; i++) {
		struct values *v = &s->v[i];

		if (!v->packed)
			continue;
		if (x.t != &k->t[v->piece->of])
			x.first = 0;
		x.t = &k->t[v->piece->of];
		v->cut.p = axt_wait_bytes(&v->wait);
		v->cut.fd = v->wait.fd;
		if (s->at->store ? piece_to_store(s, v, &how)
				 : axt_packers_run(&v->cut, &how, &g->err))
			return g->err.code;
		x.first += v->cut.nchunks;
		how.memory += axt_wait_held(&v->wait);
		axt_wait_close(&v->wait);
	}
	for (int i = 0; i < k->n; i++)
		for (int64_t c = 0; c < k->t[i].n; c++)
			k->t[i].chunk[c] = k->t[i].kept[c].n;
	return 0;
}

/* Computes, and writes or packs, the pieces of the part, if it has any. */
static int
make(struct share *s, const struct axt_save_opts *o)
{
	struct axt_part *p = s->p;
	struct axt_graph *g = p->g;
	struct axt_way way;
	const char *name;

	if (p->npieces == 0 || axt_part_way(g, o->output, &way))
		return g->err.code;
	name = s->at->store ? axt_sprintf(g->m, "%s/values", s->at->path) : way.file;
	if (!name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (begin_values(s) == 0 &&
	    (s->npacked == 0 || axt_temp_open(&s->beside, name, false, true, &g->err) == 0) &&
	    (s->npacked == 0 || s->at->store || packed_open(s) == 0) && values_come(s, o) == 0)
		(void)(values_pack(s) || axt_files_check(g)); /* chunks of inputs may be copied */
	for (int i = 0; s->v && i < p->npieces; i++)
		axt_wait_close(&s->v[i].wait);
	axt_temp_drop(&s->beside);
	return s->fd < 0 ? (int)g->err.code : close_shared(s->fd, s->at, s->k->name, &g->err);
}

int
axt_shared_make(struct axt_graph *g, const struct axt_save_opts *o, const char *part,
    const struct axt_shared *at, const struct axt_ranks *by, struct axt_packed *k)
{
	struct axt_expr *const *e = by->job->r.e;
	int n = by->job->n;
	struct axt_part p = { .g = g,
		.job = by->job,
		.o = &(struct axt_part_opts){ .part = part },
		.together = true,
		.by = by };
	struct share *s = axt_alloc(g->m, sizeof(*s));

	*k = (struct axt_packed){ .n = n, .more.fd = -1, .name = axt_escape(g->m, o->output) };
	k->t = axt_alloc(g->m, (size_t)n * sizeof(*k->t));
	if (!s || !k->t)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		axt_part_look(&p, e, n, o);
	for (int i = 0; i < n && !g->err.code; i++)
		k->t[i].cut = p.out.t[i].cut;
	if (axt_part_pieces(&p, e) == 0) {
		*s = (struct share){ .o = o, .p = &p, .at = at, .fd = -1, .k = k };
		s->beside.fd = s->beside.dirfd = s->beside.slot = -1;
		make(s, o);
	}
	for (struct axt_open_file *f = g->files; at->store && f; f = f->next)
		axt_file_is_read(f->f); /* one of them may be the store that is replaced */
	axt_needs_release(&p.needs);
	return g->err.code;
}

/* Writes the chunks of a tensor. from: the file of those that are not in memory. */
static int
write_chunks(const struct axt_packed_tensor *t, struct axt_temp *to, struct axt_temp *from,
    struct axt_err *e)
{
	for (int64_t i = 0; i < t->n && !e->code; i++) {
		const struct axt_kept *c = &t->kept[i];
		uint64_t there = (uint64_t)t->chunk[i];

		if (c->mem)
			axt_pwrite(to->fd, c->mem, (size_t)c->n, there, to->path, e);
		else
			axt_temp_move(to, there, from, (uint64_t)c->at, c->n, e);
	}
	return e->code;
}

int
axt_packed_write(struct axt_packed *k, const struct axt_shared *at, struct axt_err *e)
{
	struct axt_temp to = { .fd = -1 }, from = { .fd = k->more.fd };
	int64_t n = 0;

	for (int i = 0; i < k->n; i++)
		n += k->t[i].n;
	if (n == 0)
		return 0;
	snprintf(to.path, sizeof(to.path), "%s", k->name);
	to.fd = open_shared(at, k->name, e);
	if (to.fd < 0)
		return e->code;
	for (int i = 0; i < k->n && !e->code; i++)
		write_chunks(&k->t[i], &to, &from, e);
	return close_shared(to.fd, at, k->name, e);
}

void
axt_packed_free(struct axt_packed *k)
{
	for (int i = 0; k->t && i < k->n; i++)
		for (int64_t c = 0; k->t[i].kept && c < k->t[i].n; c++)
			free(k->t[i].kept[c].mem);
	axt_wait_close(&k->more);
}
