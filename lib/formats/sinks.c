/*
 * sinks.c - writes tensors to files that are no HDF5: first the head, then values as they come, and
 * at the end a check that all have come.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "formats/sinks.h"

#define PIECE (32 << 10)

static int
oom(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* ---- values as bytes ---- */

int
axt_fout_put(struct axt_fsink *k, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fout *o = k->o;
	uint64_t at = o->head.n + (uint64_t)(k->base + off);

	return o->stream ? axt_stream_put(&o->to, at, p, (size_t)n, e)
			 : axt_pwrite(o->temp.fd, p, (size_t)n, at, o->temp.path, e);
}

static int
put_swapped(struct axt_fsink *k, int64_t off, const char *p, int64_t n, struct axt_err *e)
{
	bool cx = axt_dtypes[k->o->v->dtype].cls == AXT_CLASS_COMPLEX;
	int size = cx ? k->size / 2 : k->size;
	char *piece = malloc(PIECE);

	if (!piece)
		return oom(e);
	while (n > 0) {
		int64_t m = MIN(n, PIECE);

		memcpy(piece, p, (size_t)m);
		axt_swap_items(piece, m / size, size);
		if (axt_fout_put(k, off, piece, m, e))
			break;
		p += m;
		off += m;
		n -= m;
	}
	free(piece);
	return e->code;
}

static int
write_bytes(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;

	if (off < 0 || n < 0 || off > k->bytes || n > k->bytes - off || n % k->size ||
	    (k->o->stream && off != k->got))
		return axt_fail(e, AXT_E_IO,
		    "bytes %" PRId64 " to %" PRId64 " came where %" PRId64 " were due", off,
		    off + n, k->got);
	if (k->o->big && k->size > 1 ? put_swapped(k, off, p, n, e) : axt_fout_put(k, off, p, n, e))
		return e->code;
	__atomic_fetch_add(&k->got, n, __ATOMIC_RELAXED);
	return 0;
}

/* ---- the file ---- */

static void
release(struct axt_fout *o)
{
	if (o->fn->release)
		o->fn->release(o);
	axt_buf_release(&o->head);
	axt_stream_release(&o->to);
	axt_temp_drop(&o->temp);
	free(o->sinks);
	free(o);
}

/* Computes where each tensor's bytes lie. */
static int
lay(struct axt_fout *o, struct axt_err *e)
{
	for (int i = 0; i < o->n; i++) {
		struct axt_fsink *k = &o->sinks[i];

		*k = (struct axt_fsink){ .o = o, .base = o->all, .size = axt_size(o->v[i].dtype) };
		k->s.write = write_bytes;
		k->s.ordered = o->stream;
		if (!axt_axes_count(&o->v[i].axes, &k->bytes) ||
		    !axt_mul(k->bytes, k->size, &k->bytes) ||
		    __builtin_add_overflow(o->all, k->bytes, &o->all))
			return axt_fail(e, AXT_E_LIMIT, "the result is too large");
	}
	return 0;
}

static int
open_bytes(struct axt_fout *o, struct axt_err *e)
{
	if (o->stream) {
		if (axt_stream_open(&o->to, o->o.target, e))
			return e->code;
		return axt_stream_put(&o->to, 0, o->head.p, o->head.n, e);
	}
	return axt_temp_size(&o->temp, (uint64_t)o->all + o->head.n, e) ||
		axt_pwrite(o->temp.fd, o->head.p, o->head.n, 0, o->temp.path, e)
	    ? (int)e->code
	    : 0;
}

/* Whether the format can hold what is to be written in it. */
static int
check(const struct axt_fout *o, struct axt_err *e)
{
	const char *name = axt_formats[o->o.format].name;

	if (!o->fn->head)
		return axt_fail(e, AXT_E_SYNTAX, "axt reads %s, but does not write it", name);
	if (o->n > 1 && !o->fn->many) {
		axt_fail(e, AXT_E_ARG, "%s holds one tensor, not %d", name, o->n);
		return axt_about(e, AXT_ONE_TENSOR, name, NULL);
	}
	return axt_format_takes(o->o.format,
	    (o->o.big_endian ? AXT_TAKES_LAYOUT : 0) | (o->o.matrix ? AXT_TAKES_MATRIX : 0), NULL,
	    e);
}

static int
open_all(struct axt_fout *o, struct axt_err *e)
{
	o->stream = axt_stream_is(o->o.target);
	if (lay(o, e) || check(o, e) || o->fn->head(o, e))
		return e->code;
	if (!o->stream && axt_temp_open(&o->temp, o->o.target, o->o.no_clobber, false, e))
		return e->code;
	return o->fn->open ? o->fn->open(o, e) : open_bytes(o, e);
}

int
axt_fout_open(struct axt_arena *m, const struct axt_out_var *v, int n,
    const struct axt_fout_opts *opts, struct axt_fout **out, struct axt_err *e)
{
	struct axt_fout *o = calloc(1, sizeof(*o));

	*out = NULL;
	if (!o)
		return oom(e);
	o->m = m;
	o->o = *opts;
	o->fn = axt_formats[opts->format].fn;
	o->v = v;
	o->n = n;
	o->to.fd = o->temp.fd = o->temp.dirfd = o->temp.slot = -1;
	o->sinks = calloc((size_t)n, sizeof(*o->sinks));
	/* where the arena has failed, a name or an attribute may be missing */
	if (!o->sinks || open_all(o, e) || axt_arena_failed(m)) {
		oom(e);
		release(o);
		return e->code;
	}
	*out = o;
	return 0;
}

struct axt_sink *
axt_fout_sink(struct axt_fout *o, int i)
{
	return &o->sinks[i].s;
}

static int
finish(struct axt_fout *o, struct axt_err *e)
{
	for (int i = 0; i < o->n; i++)
		if (o->sinks[i].got != o->sinks[i].bytes)
			return axt_fail(e, AXT_E_IO,
			    "only %" PRId64 " of %" PRId64 " bytes were computed", o->sinks[i].got,
			    o->sinks[i].bytes);
	if (o->fn->finish && o->fn->finish(o, e))
		return e->code;
	if (!o->stream)
		return axt_temp_commit(&o->temp, o->o.talk, e);
	return o->to.fd < 0 ? 0 : axt_stream_end(&o->to, e);
}

int
axt_fout_close(struct axt_fout *o, bool ok, struct axt_err *e)
{
	int rc = ok ? finish(o, e) : 0;

	release(o);
	return rc;
}
