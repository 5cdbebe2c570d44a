/* sinks.c - tensors to files that are no HDF5: a head, the values as they come, one end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/sinks.h"

#define PIECE (32 << 10)

static int
oom(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* ---- values as bytes ---- */

static int
put(struct axt_fsink *k, int64_t off, const void *p, int64_t n, struct axt_err *e)
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
	char piece[PIECE];

	while (n > 0) {
		int64_t m = MIN(n, PIECE);

		memcpy(piece, p, (size_t)m);
		axt_swap_items(piece, m / size, size);
		if (put(k, off, piece, m, e))
			return e->code;
		p += m;
		off += m;
		n -= m;
	}
	return 0;
}

static int
write_bytes(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;

	if (off < 0 || n < 0 || off > k->bytes || n > k->bytes - off || n % k->size ||
	    (k->o->stream && off != k->got))
		return axt_fail(e, AXT_E_IO, "bytes %" PRId64 " to %" PRId64
		    " came where %" PRId64 " were due", off, off + n, k->got);
	if (k->o->big && k->size > 1 ? put_swapped(k, off, p, n, e) : put(k, off, p, n, e))
		return e->code;
	__atomic_fetch_add(&k->got, n, __ATOMIC_RELAXED);
	return 0;
}

/* Bits of PBM: 1 is black, each row begins a byte. */
static int
write_bits(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;
	struct axt_fout *o = k->o;
	int64_t w = o->width, x = k->got % w, row = (w + 7) / 8;
	int64_t at = k->got / w * row + x / 8;	/* of the byte being made */

	(void)off;
	for (int64_t i = 0; i < n; i++) {
		o->bits = o->bits << 1 | !((const uint8_t *)p)[i];
		x++;
		if (x % 8 && x < w)
			continue;
		axt_buf_add(&o->line, (char[]){ (char)(o->bits << (8 - x % 8) % 8) }, 1);
		o->bits = 0;
		x = x == w ? 0 : x;
	}
	k->got += n;
	if (o->line.bad)
		return oom(e);
	put(k, at, o->line.p, (int64_t)o->line.n, e);
	o->line.n = 0;
	return e->code;
}

/* ---- values as text ---- */

static int
write_text(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;

	k->got += n;
	return k->o->csv->write(k->o->csv, off, p, n, e);
}

static void
render_text(const struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_buf *b)
{
	const struct axt_sink *csv = ((const struct axt_fsink *)s)->o->csv;

	csv->render(csv, off, p, n, b);
}

static int
take_text(struct axt_sink *s, const struct axt_buf *b, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;

	k->got += n;
	return k->o->csv->take(k->o->csv, b, n, e);
}

/* What text is written to: standard output itself, else a second descriptor of the output. */
static int
open_text(struct axt_fout *o, struct axt_err *e)
{
	struct axt_text_opts t = { .head = -1, .csv = !o->o.matrix, .rows = o->o.matrix };
	bool std = o->stream && (!o->o.target || strcmp(o->o.target, "-") == 0);
	int fd = -1;

	o->text_name = std ? "standard output"
	    : o->stream ? axt_escape(o->m, o->o.target) : o->temp.path;
	if (!o->text_name)
		return oom(e);
	if (!std)
		fd = o->stream ? open(o->o.target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
		    : fcntl(o->temp.fd, F_DUPFD_CLOEXEC, 3);
	o->text = std ? stdout : fd < 0 ? NULL : fdopen(axt_fd_high(fd), "w");
	if (!o->text)
		return axt_fail(e, AXT_E_IO, "%s: %s", o->text_name, strerror(errno));
	t.out = o->text;
	t.to = o->text_name;
	o->csv = axt_text_new(o->v, 1, 0, &t, e);
	return o->csv ? 0 : (int)e->code;
}

/* What is buffered goes out; so does the error of a write. */
static int
close_text(struct axt_fout *o, bool ok, struct axt_err *e)
{
	struct axt_sink *csv = o->csv;
	bool bad;

	o->csv = NULL;
	if (csv)
		axt_text_free(csv, ok ? e : &(struct axt_err){ .code = AXT_E_CANCELLED });
	errno = 0;
	bad = o->text && o->text != stdout ? fclose(o->text) != 0
	    : o->text && ok && fflush(o->text) != 0;
	o->text = NULL;
	if (bad && ok)
		axt_fail(e, AXT_E_IO, "%s: %s", o->text_name, strerror(errno));
	return ok ? (int)e->code : 0;
}

/* ---- the file ---- */

static void
release(struct axt_fout *o)
{
	close_text(o, false, NULL);
	axt_buf_release(&o->line);
	axt_buf_release(&o->head);
	axt_stream_release(&o->to);
	axt_temp_drop(&o->temp);
	free(o->sinks);
	free(o);
}

/* Where each tensor's bytes lie. */
static int
lay(struct axt_fout *o, int64_t *all, struct axt_err *e)
{
	bool text = o->o.format == AXT_FORMAT_CSV;

	*all = 0;
	for (int i = 0; i < o->n; i++) {
		struct axt_fsink *k = &o->sinks[i];

		*k = (struct axt_fsink){ .o = o, .base = *all, .size = axt_size(o->v[i].dtype) };
		k->s.write = text ? write_text : write_bytes;
		k->s.render = text ? render_text : NULL;
		k->s.take = take_text;
		k->s.ordered = text || o->stream;
		if (!axt_axes_count(&o->v[i].axes, &k->bytes) ||
		    !axt_mul(k->bytes, k->size, &k->bytes) ||
		    __builtin_add_overflow(*all, k->bytes, all))
			return axt_fail(e, AXT_E_LIMIT, "the result is too large");
	}
	return 0;
}

static int
open_bytes(struct axt_fout *o, int64_t all, struct axt_err *e)
{
	if (o->stream) {
		if (axt_stream_open(&o->to, o->o.target, e))
			return e->code;
		return axt_stream_put(&o->to, 0, o->head.p, o->head.n, e);
	}
	return axt_temp_size(&o->temp, (uint64_t)all + o->head.n, e) ||
	    axt_pwrite(o->temp.fd, o->head.p, o->head.n, 0, o->temp.path, e) ? (int)e->code : 0;
}

static int
open_all(struct axt_fout *o, struct axt_err *e)
{
	int64_t all;

	o->stream = axt_stream_is(o->o.target);
	if (lay(o, &all, e) || axt_fout_head(o, e))
		return e->code;
	if (o->width) {
		o->sinks->s = (struct axt_sink){ .ordered = true, .write = write_bits };
		all = (o->width + 7) / 8 * o->v->axes.a[0].len;
	}
	if (!o->stream && axt_temp_open(&o->temp, o->o.target, o->o.no_clobber, false, e))
		return e->code;
	return o->o.format == AXT_FORMAT_CSV ? open_text(o, e) : open_bytes(o, all, e);
}

int
axt_fout_open(struct axt_arena *m, const struct axt_out_var *v, int n,
    const struct axt_fout_opts *opts, struct axt_fout **out, struct axt_err *e)
{
	struct axt_fout *o = calloc(1, sizeof *o);

	*out = NULL;
	if (!o)
		return oom(e);
	o->m = m;
	o->o = *opts;
	o->v = v;
	o->n = n;
	o->to.fd = o->temp.fd = o->temp.dirfd = o->temp.slot = -1;
	o->sinks = calloc((size_t)n, sizeof *o->sinks);
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
			return axt_fail(e, AXT_E_IO, "only %" PRId64 " of %" PRId64
			    " bytes were computed", o->sinks[i].got, o->sinks[i].bytes);
	if (o->text && close_text(o, true, e))
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
