/*
 * csv_write.c - tensors written as one table of CSV, by the sink that prints tensors (show/text.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "formats/csv.h"
#include "formats/sinks.h"

struct text {
	FILE *f;
	const char *name; /* for messages */
	struct axt_text_opts o;
	struct axt_text_table *table;
	struct axt_sink *sink; /* of show/text.c, for tensor `now` */
	int now;
};

/* Goes on to the sink of tensor i. */
static int
advance(struct axt_fout *o, int i, struct axt_err *e)
{
	struct text *x = o->own;

	while (x->now < i && !e->code) {
		struct axt_sink *old = x->sink;

		x->sink = NULL;
		if (old)
			axt_text_free(old, e);
		if (!e->code)
			x->sink = axt_text_new(o->v, o->n, ++x->now, &x->o, e);
	}
	return e->code;
}

static int
write_text(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;
	const struct text *text = k->o->own;

	k->got += n;
	if (advance(k->o, (int)(k - k->o->sinks), e))
		return e->code;
	return text->sink->write(text->sink, off, p, n, e);
}

static void
render_text(const struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_buf *b)
{
	const struct axt_sink *csv = ((const struct text *)((const struct axt_fsink *)s)->o->own)
					 ->sink;

	csv->render(csv, off, p, n, b);
}

static int
take_text(struct axt_sink *s, const struct axt_buf *b, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;
	const struct text *text = k->o->own;

	k->got += n;
	return text->sink->take(text->sink, b, n, e);
}

int
axt_csv_head(struct axt_fout *o, struct axt_err *e)
{
	if (o->o.matrix && o->v->axes.n > 2)
		return axt_fail(e, AXT_E_AXES, "a matrix has up to 2 axes, not %s",
		    axt_axes_text(o->m, &o->v->axes));
	if (o->o.matrix && o->n > 1)
		return axt_fail(e, AXT_E_ARG, "a matrix is one tensor, not %d", o->n);
	for (int i = 1; i < o->n; i++)
		if (!axt_axes_same(&o->v[i].axes, &o->v->axes))
			return axt_fail(e, AXT_E_AXES,
			    "a table has tensors with the same axes: %s has %s, and %s has %s",
			    axt_escape(o->m, o->v->name), axt_axes_text(o->m, &o->v->axes),
			    axt_escape(o->m, o->v[i].name), axt_axes_text(o->m, &o->v[i].axes));
	o->own = axt_alloc(o->m, sizeof(struct text));
	if (!o->own)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->n; i++)
		o->sinks[i].s = (struct axt_sink){ .ordered = true,
			.write = write_text,
			.render = o->n == 1 ? render_text : NULL,
			.take = take_text };
	return 0;
}

/* Opens what text is written to: standard output itself, or a second descriptor of the output. */
int
axt_csv_open(struct axt_fout *o, struct axt_err *e)
{
	bool std = o->stream && (!o->o.target || strcmp(o->o.target, "-") == 0);
	struct text *x = o->own;
	int fd = -1;

	x->name = std   ? "standard output"
	    : o->stream ? axt_escape(o->m, o->o.target)
			: o->temp.path;
	if (!x->name)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	axt_reach();
	if (o->stream && !std)
		axt_deed_note(AXT_GAVE_OUT);
	if (!std)
		fd = o->stream ? open(o->o.target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
			       : fcntl(o->temp.fd, F_DUPFD_CLOEXEC, 3);
	x->f = std ? stdout : fd < 0 ? NULL : fdopen(axt_fd_high(fd), "w");
	if (!x->f)
		return axt_fail(e, AXT_E_IO, "%s: %s", x->name, strerror(errno));
	x->o = (struct axt_text_opts){ .csv = !o->o.matrix,
		.rows = o->o.matrix,
		.out = x->f,
		.to = x->name,
		.texts = true,
		.table = &x->table };
	x->now = -1;
	return advance(o, 0, e);
}

/* Flushes what is buffered, and reports an error of a write. */
static int
shut(struct axt_fout *o, bool ok, struct axt_err *e)
{
	struct text *x = o->own;
	struct axt_sink *sink;
	bool bad;

	if (ok && advance(o, o->n - 1, e))
		ok = false;
	sink = x->sink;
	x->sink = NULL;
	if (sink)
		axt_text_free(sink, ok ? e : &(struct axt_err){ .code = AXT_E_CANCELLED });
	axt_text_table_free(x->table);
	x->table = NULL;
	errno = 0;
	bad = x->f && x->f != stdout ? fclose(x->f) != 0 : x->f && ok && fflush(x->f) != 0;
	x->f = NULL;
	if (bad && ok)
		axt_fail(e, AXT_E_IO, "%s: %s", x->name, strerror(errno));
	return e ? (int)e->code : 0;
}

int
axt_csv_finish(struct axt_fout *o, struct axt_err *e)
{
	return shut(o, true, e);
}

void
axt_csv_release(struct axt_fout *o)
{
	if (o->own)
		shut(o, false, NULL);
}
