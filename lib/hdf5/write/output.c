/* output.c - an output: a header first, then the bytes of tensors by way of sinks, and the end. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5/write/output.h"

#define FEW 512 /* records that the first chunk has room for, if the axis was asked for */

struct out_sink {
	struct axt_sink s;
	struct axt_out *o;
	const struct axt_out_tensor *p;
	int64_t got;             /* bytes received */
	uint64_t from;           /* where they were in the previous temporary */
	struct axt_waiting kept; /* chunked: the bytes until all have come */
};

struct axt_out {
	bool stream;
	struct axt_stream to; /* for a stream */
	struct axt_temp temp; /* otherwise */
	char *group;          /* of the target */
	int threads, n;
	int64_t memory;
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
	/*
	 * For tensors that are added to a file: the state of the file when temp was made from it,
	 * and what is needed to make temp again.
	 */
	bool add, force, no_clobber, unlimited, over_input;
	bool apart;                  /* values do not go through sinks */
	bool grows;                  /* a tensor can get records */
	const struct axt_lock *lock; /* of the file, from outside; or NULL */
	bool finished;
	struct axt_lock was;
	struct axt_arena *m;
	const char *file;
	const struct axt_attr *attrs;
	struct axt_out_rest *rest;
	struct axt_talk *talk;
	struct axt_out_var *v;         /* [n], as are places and sinks */
	struct axt_out_tensor *places; /* those of one group are adjacent */
	struct out_sink *sinks;
};

static int
no_memory(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* ---- sinks ---- */

static int
in_range(const struct out_sink *k, int64_t off, int64_t n, struct axt_err *e)
{
	if (off >= 0 && n >= 0 && off <= k->p->bytes && n <= k->p->bytes - off)
		return 0;
	return axt_fail(e, AXT_E_IO,
	    "bytes %" PRId64 " to %" PRId64 " are not of the result's %" PRId64, off, off + n,
	    k->p->bytes);
}

static int
to_file(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct out_sink *k = (struct out_sink *)s;
	struct axt_temp *t = &k->o->temp;

	if (in_range(k, off, n, e) ||
	    axt_pwrite(t->fd, p, (size_t)n, k->p->offset + (uint64_t)off, t->path, e))
		return e->code;
	__atomic_fetch_add(&k->got, n, __ATOMIC_RELAXED);
	return 0;
}

static int
to_spool(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct out_sink *k = (struct out_sink *)s;

	if (in_range(k, off, n, e) || axt_wait_put(&k->kept, off, p, n, e))
		return e->code;
	__atomic_fetch_add(&k->got, n, __ATOMIC_RELAXED);
	return 0;
}

static int
to_stream(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct out_sink *k = (struct out_sink *)s;

	if (in_range(k, off, n, e))
		return e->code;
	if (off != k->got)
		return axt_fail(e, AXT_E_IO, "%s: bytes came out of order", k->o->to.path);
	if (axt_stream_put(&k->o->to, k->p->offset + (uint64_t)off, p, (size_t)n, e))
		return e->code;
	k->got += n;
	return 0;
}

struct axt_sink *
axt_out_sink(struct axt_out *o, int i)
{
	return &o->sinks[i].s;
}

bool
axt_out_share(struct axt_out *o, int i, bool near, char *path, int64_t *offset)
{
	const struct axt_out_tensor *p = o->sinks[i].p;

	if (o->stream || o->add || p->offset > INT64_MAX)
		return false;
	if (near)
		snprintf(path, PATH_MAX, "/proc/%ld/fd/%d", (long)getpid(), o->temp.fd);
	else if (axt_temp_show(&o->temp, path))
		return false;
	*offset = p->as.chunked ? -1 : (int64_t)p->offset;
	return true;
}

/* Sizes of chunks that are packed elsewhere, which become addresses. */
struct placing {
	struct axt_chunks c;
	int64_t *chunk;
};

static int
next_size(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e)
{
	(void)e;
	*out = "";
	*n = (size_t) * ((struct placing *)c)->chunk;
	return 0;
}

static void
placed(struct axt_chunks *c, uint64_t at)
{
	*((struct placing *)c)->chunk++ = (int64_t)at;
}

int
axt_out_place(struct axt_out *o, int i, int64_t *chunk, struct axt_err *e)
{
	struct placing x = { .c = { .next = next_size, .placed = placed }, .chunk = chunk };

	return axt_h5_chunks(o->temp.fd, o->temp.path, o->sinks[i].p, &x.c, e);
}

int
axt_out_fd(const struct axt_out *o)
{
	return o->stream ? o->to.fd : -1;
}

int
axt_out_begin(struct axt_out *o, struct axt_err *e)
{
	return o->stream ? axt_stream_begin(&o->to, e) : 0;
}

static int
make_sinks(struct axt_out *o, int64_t memory, struct axt_err *e)
{
	for (int i = 0; i < o->n; i++) {
		struct out_sink *k = &o->sinks[i];

		*k = (struct out_sink){ .o = o, .p = k->p, .kept.fd = -1 };
		k->s.ordered = o->stream;
		k->s.write = o->stream ? to_stream : k->p->as.chunked ? to_spool : to_file;
		if (k->p->as.chunked && !o->apart && axt_out_var_comes(k->p->v) &&
		    axt_wait_open(&k->kept, k->p->bytes, memory / o->n / 8, &o->temp, e))
			return e->code;
	}
	return 0;
}

/* ---- opening ---- */

static void
free_out(struct axt_out *o)
{
	for (int i = 0; o->sinks && i < o->n; i++)
		axt_wait_close(&o->sinks[i].kept);
	axt_stream_release(&o->to);
	axt_temp_drop(&o->temp);
	axt_lock_drop(&o->was);
	free(o->group);
	free(o->v);
	free(o->places);
	free(o->sinks);
	free(o);
}

static struct axt_out *
new_out(const struct axt_out_var *v, int n, const struct axt_out_opts *opt)
{
	struct axt_out *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->to.fd = o->temp.fd = o->temp.dirfd = o->temp.slot = o->was.fd = -1;
	o->n = n;
	o->threads = MAX(opt->threads, 1);
	o->memory = opt->memory;
	o->progress = opt->progress;
	o->progress_ctx = opt->progress_ctx;
	o->v = calloc((size_t)MAX(n, 1), sizeof(*o->v));
	o->places = calloc((size_t)MAX(n, 1), sizeof(*o->places));
	o->sinks = calloc((size_t)MAX(n, 1), sizeof(*o->sinks));
	if (!o->v || !o->places || !o->sinks) {
		free_out(o);
		return NULL;
	}
	if (n > 0)
		memcpy(o->v, v, (size_t)n * sizeof(*v));
	return o;
}

/* "g" and "x" of "g/x", in the group of the target. */
static int
place_name(struct axt_out *o, struct axt_out_tensor *p, struct axt_arena *m, struct axt_err *e)
{
	const char *name = p->v->name;

	p->name = axt_last_part(name);
	p->group = p->name == name
	    ? o->group
	    : axt_sprintf(m, "%s/%.*s", o->group, (int)(p->name - name) - 1, name);
	return p->group ? 0 : no_memory(e);
}

/*
 * Sorts the tensors by group, groups in the order of their first tensors, and makes each sink that
 * of its tensor's new place.
 */
static int
gather_groups(struct axt_arena *m, struct axt_out *o, struct axt_err *e)
{
	struct axt_out_tensor *q = axt_alloc(m, (size_t)o->n * sizeof(*q));
	bool *done = axt_alloc(m, (size_t)o->n * sizeof(*done));
	int at = 0;

	if (!q || !done)
		return no_memory(e);
	for (int i = 0; i < o->n; i++)
		for (int k = i; !done[i] && k < o->n; k++)
			if (strcmp(o->places[k].group, o->places[i].group) == 0) {
				q[at] = o->places[k];
				o->sinks[k].p = &o->places[at++];
				done[k] = k > i;
			}
	memcpy(o->places, q, (size_t)o->n * sizeof(*q));
	return 0;
}

/*
 * Finds the group that the results go to: "/g" for the target "/g/x", and for "/g/". The latter
 * names no dataset, so *dset becomes NULL.
 */
static int
target_group(struct axt_out *o, const char **dset, const struct axt_out_opts *opt,
    struct axt_err *e)
{
	const char *last = *dset ? strrchr(*dset, '/') : NULL;
	char esc[256];

	o->group = last ? strndup(*dset, (size_t)(last - *dset)) : strdup("");
	if (!o->group)
		return no_memory(e);
	if (last && last[1] == '\0')
		*dset = NULL;
	if (!*dset || o->n == 1)
		return 0;
	axt_escape_to(esc, sizeof(esc), *dset);
	axt_fail(e, AXT_E_ARG, "several results cannot be written as one dataset \"%s\"", esc);
	if (opt->target && !opt->is_file) {
		axt_escape_to(esc, sizeof(esc), opt->target);
		axt_hint(e, "-o %s/ writes them to a group", esc);
	}
	return e->code;
}

/* What goes along with the results, in their group. */
static int
rest_within(struct axt_arena *m, struct axt_out *o, const struct axt_out_rest *rest,
    struct axt_err *e)
{
	struct axt_out_rest **tail = &o->rest;

	for (; rest; rest = rest->next) {
		struct axt_out_rest *r = axt_alloc(m, sizeof(*r));

		if (!r)
			return no_memory(e);
		*r = *rest;
		r->next = NULL;
		if (!(r->group = axt_sprintf(m, "%s%s", o->group, rest->group)))
			return no_memory(e);
		if (r->link && r->to[0] == '/' &&
		    !(r->to = axt_sprintf(m, "%s%s", o->group, r->to)))
			return no_memory(e);
		*tail = r;
		tail = &r->next;
	}
	return 0;
}

/* Finds the name, size and chunks of each tensor. dset: "/g/x" or "/g/" of -o, or NULL. */
static int
make_places(struct axt_arena *m, struct axt_out *o, const char *dset,
    const struct axt_out_opts *opt, struct axt_err *e)
{
	if (target_group(o, &dset, opt, e))
		return e->code;
	for (int i = 0; i < o->n; i++) {
		struct axt_out_tensor *p = &o->places[i];
		int64_t count;

		*p = (struct axt_out_tensor){ .v = &o->v[i],
			.few = opt->unlimited ? FEW : 1,
			.as_were = !o->stream && !opt->compress && !opt->has_chunk };
		if (dset)
			o->v[i].name = axt_last_part(dset);
		if (place_name(o, p, m, e))
			return e->code;
		if (!axt_axes_count(&o->v[i].axes, &count) ||
		    !axt_mul(count, axt_size(o->v[i].dtype), &p->bytes))
			return axt_fail(e, AXT_E_LIMIT, "the result is too large");
		if (o->v[i].none)
			p->bytes = 0;
		if (o->stream)
			o->v[i].like = NULL;
		if (axt_chunking_choose(&p->as, p->v, &o->v[0].axes, opt, e))
			return e->code;
	}
	return gather_groups(m, o, e);
}

static int
open_stream(struct axt_arena *m, struct axt_out *o, const struct axt_attr *attrs, const char *file,
    int64_t *sent, struct axt_err *e)
{
	o->stream = true;
	if (axt_stream_open(&o->to, file, e))
		return e->code;
	o->to.sent = sent;
	return axt_h5_build(m, o->places, o->n, attrs, o->rest, &o->to.header, e);
}

/* Lays out a new file in the temporary. */
static int
lay_new(struct axt_out *o, struct axt_err *e)
{
	struct axt_header h = { 0 };
	int bad = axt_h5_build(o->m, o->places, o->n, o->attrs, o->rest, &h, e) ||
	    axt_temp_size(&o->temp, h.size, e) ||
	    axt_pwrite(o->temp.fd, h.p, h.n, 0, o->temp.path, e);

	free(h.p);
	return bad ? (int)e->code : 0;
}

/*
 * Adds the tensors to a copy of the locked file, in the temporary, or lays out a new file if there
 * is no file.
 */
static int
lay_beside(struct axt_out *o, const struct axt_lock *l, struct axt_err *e)
{
	struct axt_out_rest *rest = o->rest;
	uint64_t size;

	for (struct axt_out_rest *r = rest; r; r = r->next)
		r->made = false;
	if (l->absent)
		return lay_new(o, e);
	if (l->fd < 0)
		return axt_fail(e, AXT_E_IO, "%s: is no file", o->temp.path);
	if (axt_h5_add_check(o->m, o->file, o->places, o->n, o->no_clobber, o->force,
		o->unlimited ? o->talk : NULL, &rest, e) ||
	    axt_h5_add_agree(o->m, o->file, o->places, o->n, o->talk, e) ||
	    axt_temp_copy(&o->temp, l->fd, e) ||
	    axt_h5_add(o->m, o->temp.fd, o->file, o->places, o->n, rest, &size, e))
		return e->code;
	return axt_temp_size(&o->temp, size, e);
}

static int
open_new(struct axt_out *o, struct axt_err *e)
{
	if (axt_temp_open(&o->temp, o->file, o->no_clobber, o->force, e))
		return e->code;
	o->temp.precious = o->over_input;
	return lay_new(o, e);
}

/*
 * Opens an output that is added to a file. The lock of the file is held only here and at the end,
 * since the computation may take long, and may wait for data from another writer of the file.
 */
static int
open_add(struct axt_out *o, struct axt_err *e)
{
	int bad = axt_temp_open(&o->temp, o->file, false, o->force, e) ||
	    axt_temp_lock(&o->temp, &o->was, 0, o->talk, e) || lay_beside(o, &o->was, e);

	axt_lock_rest(&o->was);
	return bad ? (int)e->code : 0;
}

/* Replacing a file that has more tensors than the operand must be confirmed. */
static int
check_shared(const char *file, const char *dset, const struct axt_out_opts *opt, struct axt_err *e)
{
	char esc[256];

	if (!opt->shared_input || opt->force || dset)
		return 0;
	axt_escape_to(esc, sizeof(esc), file);
	axt_output_shared(file, e);
	axt_hint(e, "-o %s:NAME adds or replaces one dataset; --force replaces the file", esc);
	return e->code;
}

static int
open_out(struct axt_arena *m, struct axt_out *o, const struct axt_attr *attrs,
    const struct axt_out_opts *opt, struct axt_err *e)
{
	const char *file = opt->target, *dset = opt->dataset;
	bool stream, chunked = opt->compress || opt->has_chunk;

	if (file && !opt->is_file && axt_target_split(m, file, &file, &dset, e))
		return e->code;
	stream = axt_stream_is(file);
	if (stream && chunked) {
		axt_fail(e, AXT_E_ARG,
		    "--compress and --chunk need a named output: a stream is contiguous");
		axt_hint(e, "-o FILE");
		return e->code;
	}
	o->stream = stream;
	if (make_places(m, o, dset, opt, e) || rest_within(m, o, opt->rest, e))
		return e->code;
	if (stream)
		return open_stream(m, o, attrs, file, opt->sent, e);
	if (!opt->add && check_shared(file, dset, opt, e))
		return e->code;
	o->m = m;
	o->file = file;
	o->attrs = attrs;
	o->talk = opt->talk;
	o->lock = opt->lock;
	o->force = opt->force;
	o->over_input = opt->over_input;
	o->apart = opt->apart;
	o->no_clobber = opt->no_clobber;
	o->unlimited = opt->unlimited;
	o->add = dset || opt->add;
	return o->add ? open_add(o, e) : open_new(o, e);
}

/* Tells what other programs need to read the filter that was asked for. */
static void
tell_elsewhere(const struct axt_out *o, const struct axt_talk *talk)
{
	const char *name = NULL;
	char line[256];

	for (int i = 0; i < o->n && !name; i++)
		name = axt_filters_elsewhere(o->places[i].as.filter, o->places[i].as.nfilters);
	if (!name || !talk || !talk->say)
		return;
	snprintf(line, sizeof(line),
	    "other programs need a plugin for %s: HDF5_PLUGIN_PATH, or hdf5plugin in Python%s; "
	    "every program reads --compress deflate",
	    name,
	    strcmp(name, axt_filters[AXT_FILTER_ZSTD].name) == 0 ? "; netCDF-C has it from 4.9 on"
								 : "");
	talk->say(talk->ctx, line);
}

int
axt_out_open(struct axt_arena *m, const struct axt_out_var *v, int nvars,
    const struct axt_attr *file_attrs, const struct axt_out_opts *opt, struct axt_out **out,
    struct axt_err *e)
{
	struct axt_out *o;

	*out = NULL;
	if (nvars < 1 && !opt->rest)
		return axt_fail(e, AXT_E_ARG, "there is nothing to write");
	if (axt_arena_failed(m)) /* an attribute may be missing */
		return no_memory(e);
	o = new_out(v, nvars, opt);
	if (!o)
		return no_memory(e);
	if (open_out(m, o, file_attrs, opt, e) || make_sinks(o, opt->memory, e)) {
		free_out(o);
		return e->code;
	}
	if (opt->compress)
		tell_elsewhere(o, opt->talk);
	*out = o;
	return 0;
}

/* ---- closing ---- */

static int
all_came(const struct axt_out *o, struct axt_err *e)
{
	char esc[256];

	for (int i = 0; i < o->n; i++) {
		const struct out_sink *k = &o->sinks[i];

		if (k->got == k->p->bytes || !axt_out_var_comes(k->p->v))
			continue;
		axt_escape_to(esc, sizeof(esc), k->p->name);
		return axt_fail(e, AXT_E_IO,
		    "only %" PRId64 " of %" PRId64 " bytes of \"%s\" were computed", k->got,
		    k->p->bytes, esc);
	}
	return 0;
}

int64_t
axt_out_chunked(const struct axt_out *o)
{
	int64_t n = 0;

	for (int i = 0; i < o->n; i++)
		n += o->sinks[i].p->as.chunked ? o->sinks[i].p->bytes : 0;
	return n;
}

/* What is packed, and how far it has come among all: unpacked bytes. */
struct packing {
	struct axt_out *o;
	const struct axt_out_tensor *p;
	int64_t done, all;
};

static int
take(void *ctx, struct axt_chunks *c, struct axt_err *e)
{
	const struct packing *k = ctx;

	return axt_h5_chunks(k->o->temp.fd, k->o->temp.path, k->p, c, e);
}

static void
told(void *ctx, double share)
{
	const struct packing *k = ctx;

	k->o->progress(k->o->progress_ctx,
	    ((double)k->done + (double)k->p->bytes * share) / (double)k->all);
}

static int
pack(struct axt_out *o, struct axt_err *e)
{
	struct packing k = { .o = o, .all = axt_out_chunked(o) };
	struct axt_packers how = { .threads = o->threads,
		.memory = o->memory,
		.beside = &o->temp,
		.take = take,
		.told = o->progress ? told : NULL,
		.ctx = &k };

	for (int i = 0; i < o->n; i++)
		how.memory -= axt_wait_held(&o->sinks[i].kept);
	for (int i = 0; i < o->n; i++) {
		struct out_sink *s = &o->sinks[i];
		struct axt_cut cut;

		k.p = s->p;
		if (!k.p->as.chunked)
			continue;
		axt_cut_init(&cut, &k.p->v->axes, axt_size(k.p->v->dtype), k.p->as.chunk,
		    (struct axt_filters){ .n = k.p->as.nfilters, .use = k.p->as.filter },
		    axt_out_var_comes(k.p->v) ? axt_wait_bytes(&s->kept) : NULL, s->kept.fd,
		    k.p->v->chunks);
		if (axt_packers_run(&cut, &how, e))
			return e->code;
		k.done += k.p->bytes;
		if (!o->add) { /* otherwise it may have to be written again */
			how.memory += axt_wait_held(&s->kept);
			axt_wait_close(&s->kept);
		}
	}
	return 0;
}

int
axt_out_finish(struct axt_out *o, struct axt_err *e)
{
	if (o->finished)
		return 0;
	if (!o->apart && (all_came(o, e) || pack(o, e)))
		return e->code;
	o->finished = true;
	return 0;
}

/* Another writer has changed the file meanwhile: the results are added to what it is now. */
static int
lay_again(struct axt_out *o, const struct axt_lock *now, struct axt_err *e)
{
	struct axt_temp old = o->temp;
	int bad;

	for (int i = 0; i < o->n; i++)
		o->sinks[i].from = o->sinks[i].p->offset;
	bad = axt_temp_again(&o->temp, &old, o->force, e) || lay_beside(o, now, e) || pack(o, e);
	for (int i = 0; i < o->n && !bad; i++)
		if (!o->sinks[i].p->as.chunked)
			bad = axt_temp_move(&o->temp, o->sinks[i].p->offset, &old, o->sinks[i].from,
			    o->sinks[i].p->bytes, e);
	axt_temp_drop(&old);
	return bad ? (int)e->code : 0;
}

static int
commit_beside(struct axt_out *o, struct axt_err *e)
{
	bool again = true;

	while (again) {
		struct axt_lock now;

		again = false;
		o->unlimited = false; /* it has been told */
		if (axt_temp_lock(&o->temp, &now, AXT_LOCK_WAIT, o->talk, e) ||
		    (!axt_lock_same(&o->was, &now) && lay_again(o, &now, e)) ||
		    axt_temp_name(&o->temp, !now.absent) == 0)
			; /* either failed or done */
		else if (now.absent && errno == EEXIST)
			again = true;
		else
			axt_temp_fail(&o->temp, e);
		axt_lock_drop(&o->was);
		o->was = now; /* the state that the temporary was made from */
	}
	return axt_temp_named(&o->temp, e);
}

static int
finish(struct axt_out *o, struct axt_err *e)
{
	if (axt_out_finish(o, e))
		return e->code;
	return o->stream ? axt_stream_end(&o->to, e)
	    : o->add     ? commit_beside(o, e)
	    : o->lock    ? axt_temp_commit_locked(&o->temp, o->lock, e)
			 : axt_temp_commit(&o->temp, o->talk, e);
}

int
axt_out_close(struct axt_out *o, bool ok, struct axt_err *e)
{
	int rc;

	if (!o)
		return 0;
	rc = ok ? finish(o, e) : 0;
	free_out(o);
	return rc;
}
