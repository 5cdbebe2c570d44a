/* scatter.c - the values of a box, written to where they are in the whole output. */
#include "jobs/parts.h"

/* The place in the whole of the first element of run number `row` of the box. */
static int64_t
place(const struct axt_scatter *s, int64_t row)
{
	int64_t at = 0, stride = 1;

	for (int i = s->x->n - 1; i >= 0; i--) {
		if (i < s->inner) {
			at += (s->box->from[i] + row % s->box->len[i]) * stride;
			row /= s->box->len[i];
		} else {
			at += s->box->from[i] * stride;
		}
		stride *= s->x->a[i].len;
	}
	return at;
}

static int
scatter_write(struct axt_sink *sink, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_scatter *s = (struct axt_scatter *)sink;
	int64_t bytes = s->run * s->size;

	while (n > 0) {
		int64_t row = off / bytes, in = off % bytes, m = MIN(n, bytes - in);

		if (s->to->write(s->to, place(s, row) * s->size + in, p, m, e))
			return e->code;
		p = (const char *)p + m;
		off += m;
		n -= m;
	}
	return 0;
}

void
axt_scatter_begin(struct axt_scatter *s, const struct axt_out_var *v, const struct axt_box *box,
    struct axt_sink *to)
{
	*s = (struct axt_scatter){ .sink = { .ordered = to->ordered, .write = scatter_write },
		.to = to,
		.x = &v->axes,
		.box = box,
		.inner = v->axes.n - 1,
		.run = 1,
		.size = axt_size(v->dtype) };
	while (s->inner >= 0 && box->len[s->inner] == s->x->a[s->inner].len)
		s->run *= box->len[s->inner--];
	if (s->inner >= 0)
		s->run *= box->len[s->inner];
}
