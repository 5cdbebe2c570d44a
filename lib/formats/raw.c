/* raw.c - files that have only values; the command line tells their shape and dtype. */
#include <inttypes.h>

#include "bytes/src.h"
#include "formats/sinks.h"

static int
read_raw(struct axt_fr *r)
{
	struct axt_foreign_item *t = axt_fr_items(r, 1);
	const struct axt_foreign_opts *o = r->o;
	int64_t rest = (int64_t)r->f->src->size - o->offset, step;
	int open = -1;

	if (!t)
		return r->e->code;
	if (!o->to || !o->dtype) {
		axt_fail(r->e, AXT_E_SYNTAX, "%s: raw values need --dtype and --to with lengths",
		    r->name);
		axt_hint(r->e, "axt-from FILE --format raw --dtype u8 --to y=480,x=640");
		return r->e->code;
	}
	t->dtype = o->dtype;
	t->axes = *o->to;
	t->offset = (uint64_t)o->offset;
	t->fortran = o->fortran;
	t->swap = o->big_endian && axt_size(o->dtype) > 1;
	for (int i = 0; i < t->axes.n; i++) {
		t->axes.a[i].from = r->from;
		if (t->axes.a[i].len >= 0)
			continue;
		if (open >= 0 || r->f->stream) {
			axt_fail(r->e, AXT_E_SYNTAX, "%s: axis \"%s\" needs a length", r->name,
			    axt_escape(r->m, t->axes.a[i].name));
			return axt_about(r->e, AXT_BAD_WORD, t->axes.a[i].name, "AXIS=LEN");
		}
		open = i;
	}
	if (open >= 0) { /* the axis without a length has as many as the file holds */
		t->axes.a[open].len = 1;
		if (!axt_axes_count(&t->axes, &step) || !axt_mul(step, axt_size(t->dtype), &step) ||
		    step == 0 || rest < 0 || rest % step)
			return axt_fr_bad(r,
			    "%" PRId64 " bytes from byte %" PRId64
			    " on give no whole length of axis \"%s\"",
			    MAX(rest, 0), o->offset, axt_escape(r->m, t->axes.a[open].name));
		t->axes.a[open].len = rest / step;
	}
	if (axt_fr_sized(r, t))
		return r->e->code;
	r->out->end = t->offset + t->bytes;
	return 0;
}

static int
write_head(struct axt_fout *o, struct axt_err *e)
{
	(void)e;
	o->big = o->o.big_endian;
	return 0;
}

const struct axt_format_fns axt_format_raw = {
	.suffix = { { ".raw", true }, { ".bin", true } },
	.called = "raw values",
	.takes = AXT_TAKES_LAYOUT,
	.read = read_raw,
	.head = write_head,
};
