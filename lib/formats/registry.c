/* registry.c - which format a file has, and what its readers share. */
#include <errno.h>
#include <inttypes.h>
#include <strings.h>

#include "base/quote.h"
#include "bytes/src.h"
#include "formats/formats.h"
#include "hdf5/format/raw.h"

#define BLOCK (64 << 10)

/* ---- formats ---- */

const struct axt_format_row axt_formats[] = {
	{ .name = "auto" },
#define FORMAT(NAME, name, line) { #name, line, &axt_format_##name },
#include "formats.def"
#undef FORMAT
};

enum axt_format
axt_format_of(const char *path, bool write)
{
	size_t n = strlen(path);

	for (int f = 1; f < AXT_NFORMATS; f++) {
		const struct axt_format_fns *fn = axt_formats[f].fn;

		for (int i = 0; i < ARRAY_LEN(fn->suffix) && fn->suffix[i].end; i++) {
			size_t k = strlen(fn->suffix[i].end);

			if (n > k && strcasecmp(path + n - k, fn->suffix[i].end) == 0 &&
			    (fn->suffix[i].written || !write))
				return (enum axt_format)f;
		}
	}
	return AXT_FORMAT_AUTO;
}

/* Lists formats for messages, those for which `is` is true: "npy, csv, raw, pnm or safetensors". */
static void
list(char *out, size_t size, const char *last,
    bool (*is)(const struct axt_format_fns *fn, unsigned ctx), unsigned ctx, bool called)
{
	int n = 0, at = 0;

	out[0] = '\0';
	for (int f = 1; f < AXT_NFORMATS; f++)
		n += is(axt_formats[f].fn, ctx);
	for (int f = 1, i = 0; f < AXT_NFORMATS && at < (int)size; f++) {
		const struct axt_format_fns *fn = axt_formats[f].fn;

		if (!is(fn, ctx))
			continue;
		at += snprintf(out + at, size - (size_t)at, "%s%s",
		    i == 0           ? ""
			: i == n - 1 ? last
				     : ", ",
		    called && fn->called ? fn->called : axt_formats[f].name);
		i++;
	}
}

static bool
is_there(const struct axt_format_fns *fn, unsigned write)
{
	return write ? fn->head != NULL : fn->read != NULL;
}

static bool
takes(const struct axt_format_fns *fn, unsigned option)
{
	return fn->takes & option;
}

void
axt_format_hint(bool write, struct axt_err *e)
{
	char names[300];

	list(names, sizeof(names), " or ", is_there, write, false);
	axt_hint_option(e, "format", "%s", names);
}

/* An option that has no meaning in a format is an error. */
int
axt_format_takes(enum axt_format f, unsigned options, const char *file, struct axt_err *e)
{
	static const struct {
		unsigned option;
		const char *read, *write;
	} known[] = {
		{ AXT_TAKES_LAYOUT, "--offset, --big-endian and --order are", "--big-endian is" },
		{ AXT_TAKES_MATRIX, "--matrix is", "--matrix is" },
	};
	char names[300];

	for (int i = 0; i < ARRAY_LEN(known); i++) {
		if (!(options & known[i].option) || takes(axt_formats[f].fn, known[i].option))
			continue;
		list(names, sizeof(names), " and ", takes, known[i].option, true);
		return file ? axt_fail(e, AXT_E_SYNTAX, "%s for %s, and %s is %s", known[i].read,
				  names, file, axt_formats[f].name)
			    : axt_fail(e, AXT_E_SYNTAX, "%s for %s, not %s", known[i].write, names,
				  axt_formats[f].name);
	}
	return 0;
}

/* The format that is surest by the first bytes, and how sure; AUTO: none is known. */
static enum axt_format
surest(const uint8_t *p, size_t n, int *sure)
{
	enum axt_format best = AXT_FORMAT_AUTO;

	*sure = AXT_SNIFF_NO;
	for (int f = 1; f < AXT_NFORMATS; f++) {
		int k = axt_formats[f].fn->sniff ? axt_formats[f].fn->sniff(p, n) : AXT_SNIFF_NO;

		if (k > *sure) {
			*sure = k;
			best = (enum axt_format)f;
		}
	}
	return best;
}

/* Says of a file that axt-from has no reader for that it is read without one. */
static enum axt_format
as_it_is(struct axt_fr *r, const char *what)
{
	axt_fail(r->e, AXT_E_FORMAT, "%s: is %s, which every command reads as it is", r->name,
	    what);
	if (!r->f->src->stream)
		axt_hint(r->e, "axt-copy %s -o a.nc", axt_quoted(r->m, r->f->path));
	return AXT_FORMAT_AUTO;
}

/* The same of a file. AUTO: none is known, and r->e is set. */
static enum axt_format
sniff(struct axt_fr *r)
{
	struct axt_src *s = r->f->src;
	enum axt_format best;
	uint8_t p[512];
	size_t n;
	int sure;

	if (s->stream)
		axt_src_pull(s, sizeof(p));
	n = (size_t)MIN(s->size, sizeof(p));
	if (n == 0 || axt_fr_bytes(r, 0, n, p)) {
		axt_fr_bad(r, "is empty");
		return AXT_FORMAT_AUTO;
	}
	if (n >= 4 && memcmp(p, "CDF", 3) == 0)
		return as_it_is(r, "netCDF classic");
	if (axt_sniff_other(r->f->path, p, n, r->e))
		return AXT_FORMAT_AUTO;
	best = surest(p, MIN(n, 64), &sure);
	if (best != AXT_FORMAT_AUTO)
		return best;
	if (n >= 8 && memcmp(p, "\211HDF\r\n\032\n", 8) == 0)
		return as_it_is(r, "HDF5");
	axt_fail(r->e, AXT_E_FORMAT, "%s: neither its name nor its first bytes tell a format",
	    r->name);
	axt_about(r->e, AXT_NO_FORMAT, r->f->path, NULL);
	axt_format_hint(false, r->e);
	return AXT_FORMAT_AUTO;
}

/* ---- what readers share ---- */

int
axt_fr_bad(struct axt_fr *r, const char *fmt, ...)
{
	char text[700];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return axt_fail(r->e, AXT_E_DAMAGED, "%s: %s", r->name, text);
}

int
axt_fr_oom(struct axt_fr *r)
{
	return axt_fail(r->e, AXT_E_MEM, "%s: out of memory", r->name);
}

/* Sets the error of a failed read. */
static int
failed(struct axt_fr *r)
{
	const struct axt_src *s = r->f->src;

	if (s->err == ENOMEM)
		return axt_fr_oom(r);
	if (s->err)
		return axt_fail(r->e, AXT_E_IO, "%s: %s: %s", r->name,
		    s->why ? s->why : "cannot be read", strerror(s->err));
	return axt_fr_bad(r, "ends after %" PRIu64 " bytes, within its header", s->size);
}

int
axt_fr_bytes(struct axt_fr *r, uint64_t addr, size_t n, void *out)
{
	return axt_src_read(r->f->src, addr, n, out) == 0 ? 0 : failed(r);
}

struct axt_foreign_item *
axt_fr_items(struct axt_fr *r, int n)
{
	r->out->item = axt_alloc(r->m, (size_t)MAX(n, 1) * sizeof(*r->out->item));
	r->out->n = r->out->item ? n : 0;
	if (!r->out->item)
		axt_fr_oom(r);
	return r->out->item;
}

int
axt_fr_axes(struct axt_fr *r, struct axt_foreign_item *t, int rank, const int64_t *dims,
    const char *const *name)
{
	t->axes.n = rank;
	for (int i = 0; i < rank; i++) {
		struct axt_axis *a = &t->axes.a[i];

		*a = (struct axt_axis){ .len = dims[i], .from = r->from };
		a->name = name ? name[i] : axt_sprintf(r->m, "dim_%d", i);
		if (!a->name)
			return axt_fr_oom(r);
	}
	return 0;
}

int
axt_fr_sized(struct axt_fr *r, struct axt_foreign_item *t)
{
	int64_t n;

	if (!axt_axes_count(&t->axes, &n) || !axt_mul(n, axt_size(t->dtype), &n))
		return axt_fr_bad(r, "its shape has more than 2^63 bytes");
	t->bytes = (uint64_t)n;
	return 0;
}

/* ---- bytes one after another ---- */

int
axt_cursor_init(struct axt_cursor *c, struct axt_fr *r)
{
	*c = (struct axt_cursor){ .r = r, .buf = axt_alloc(r->m, BLOCK) };
	return c->buf ? 0 : axt_fr_oom(r);
}

bool
axt_cursor_fill(struct axt_cursor *c)
{
	struct axt_src *s = c->r->f->src;

	c->at += c->n;
	c->n = c->pos = 0;
	if (c->end)
		return false;
	if (s->stream && !axt_src_pull(s, c->at + 1) && s->err) {
		failed(c->r);
		c->end = true;
		return false;
	}
	c->n = c->at < s->size ? (size_t)MIN(s->size - c->at, BLOCK) : 0;
	c->end = c->n == 0;
	if (c->n && axt_fr_bytes(c->r, c->at, c->n, c->buf)) {
		c->n = 0;
		c->end = true;
	}
	return c->n > 0;
}

/* ---- all of them ---- */

/* Checks that the file is as long as its header tells; a stream is checked when it ends. */
static int
check_length(struct axt_fr *r)
{
	struct axt_src *s = r->f->src;
	uint64_t end = r->out->end;

	if (end > INT64_MAX)
		return axt_fr_bad(r, "its header tells more than 2^63 bytes");
	s->eoa = end;
	if (s->stream || s->size == end)
		return 0;
	if (s->size < end)
		return axt_fr_bad(r, "ends after %" PRIu64 " of %" PRIu64 " bytes", s->size, end);
	axt_fr_bad(r, "has %" PRIu64 " bytes after the end of its values at byte %" PRIu64,
	    s->size - end, end);
	axt_hint(r->e, "head -c %" PRIu64 " FILE | axt-from - ... reads what is before", end);
	return r->e->code;
}

int
axt_foreign_read(struct axt_arena *m, struct axt_file *f, const struct axt_foreign_opts *o,
    struct axt_foreign *out, struct axt_err *e)
{
	struct axt_fr r = { .m = m, .f = f, .o = o, .out = out, .e = e };
	enum axt_format format = o->format;

	*out = (struct axt_foreign){ .all = o->all };
	f->foreign = true;
	axt_escape_to(r.name, sizeof(r.name), f->path);
	r.from = axt_escape(m, f->path);
	if (!r.from)
		return axt_fr_oom(&r);
	if (format == AXT_FORMAT_AUTO)
		format = axt_format_of(f->path, false);
	if (format != AXT_FORMAT_AUTO && !axt_formats[format].fn->read) {
		if (sniff(&r) != AXT_FORMAT_AUTO)
			axt_fail(e, AXT_E_FORMAT, "%s: is no netCDF file", r.name);
		return e->code;
	}
	if (format == AXT_FORMAT_AUTO)
		format = sniff(&r);
	if (format == AXT_FORMAT_AUTO ||
	    axt_format_takes(format,
		(o->offset || o->big_endian || o->fortran ? AXT_TAKES_LAYOUT : 0) |
		    (o->matrix ? AXT_TAKES_MATRIX : 0),
		r.name, e))
		return e->code;
	if (axt_formats[format].fn->read(&r))
		return e->code;
	return check_length(&r);
}

/* Whether so many elements are in the file from a byte on; of a stream that is seen at its end. */
static bool
fits_file(const struct axt_file *f, uint64_t offset, int64_t count, enum axt_dtype d)
{
	uint64_t size = (uint64_t)f->id.size;

	return f->stream ||
	    (offset <= size && (uint64_t)count <= (size - offset) / (uint64_t)axt_size(d));
}

/* A dataset of elements that are in the file from a byte on, or in memory. */
static struct axt_dset *
new_dataset(struct axt_arena *m, struct axt_file *f, const char *name, enum axt_dtype d,
    const struct axt_axes *x, int64_t count)
{
	struct axt_dset *s = axt_alloc(m, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct axt_dset){ .path = name ? name : "",
		.name = name,
		.loaded = true,
		.rank = x->n,
		.dtype = d,
		.axes = *x };
	s->st = (struct axt_storage){ .layout = AXT_LAYOUT_CONTIGUOUS,
		.dtype = d,
		.esize = axt_size(d),
		.rank = x->n,
		.count = count,
		.fd = f->stream ? f->fd : -1,
		.file = f,
		.src = f->stream ? f->src : NULL };
	for (int i = 0; i < x->n; i++)
		s->dims[i] = s->st.dims[i] = x->a[i].len;
	s->st.from = axt_escape(m, f->path);
	return s->st.from ? s : NULL;
}

struct axt_dset *
axt_foreign_dset(struct axt_arena *m, struct axt_file *f, const char *name, enum axt_dtype d,
    const struct axt_axes *x, uint64_t offset, bool swap)
{
	struct axt_dset *s = NULL;
	int64_t count;

	if (axt_axes_count(x, &count) && fits_file(f, offset, count, d))
		s = new_dataset(m, f, name, d, x, count);
	if (s) {
		s->st.offset = offset;
		s->st.swap = swap;
	}
	return s;
}

/* A dataset of numbers that have to be made of those in the file, of which a pipe is read first. */
static struct axt_dset *
made_dset(struct axt_arena *m, struct axt_file *f, const struct axt_foreign_item *t,
    const struct axt_axes *x, struct axt_err *e)
{
	struct axt_dset *s;
	int64_t count;

	if (!axt_axes_count(x, &count) ||
	    (!f->stream &&
		(t->offset > (uint64_t)f->id.size || t->bytes > (uint64_t)f->id.size - t->offset)))
		return NULL;
	s = new_dataset(m, f, t->name, t->dtype, x, count);
	if (!s || (f->stream && axt_src_spool(f->src, f->path, e)))
		return NULL;
	s->st.fd = f->stream ? f->src->spool : -1;
	s->st.mem = f->stream ? f->src->mem : NULL;
	s->st.src = NULL;
	s->st.number = t->number;
	s->st.record = (uint64_t)t->number->size;
	s->st.layout = AXT_LAYOUT_NONE;
	s->odd_type = true;
	return count == 0 || axt_records_cut(m, &s->st, t->offset, e) == AXT_OK ? s : NULL;
}

struct axt_dset *
axt_foreign_item_dset(struct axt_arena *m, struct axt_file *f, const struct axt_foreign_item *t,
    enum axt_dtype d, const struct axt_axes *x, struct axt_err *e)
{
	return t->number ? made_dset(m, f, t, x, e)
			 : axt_foreign_dset(m, f, t->name, d, x, t->offset, t->swap);
}

/* ---- a file as datasets ---- */

/* Whether the name may be that of a dataset: its parts are not empty. */
static bool
is_path(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && name[0] != '/' && name[n - 1] != '/' && !strstr(name, "//");
}

/* The values of a tensor, in the file or in memory, as a dataset without its name. */
static struct axt_dset *
values_of(struct axt_fr *r, const struct axt_foreign_item *t, const char *name,
    const struct axt_axes *x)
{
	struct axt_dset *s;
	int64_t count;

	if (!t->mem)
		return axt_foreign_item_dset(r->m, r->f, t, t->dtype, x, r->e);
	s = axt_axes_count(x, &count) ? new_dataset(r->m, r->f, name, t->dtype, x, count) : NULL;
	if (s) {
		s->st.layout = AXT_LAYOUT_COMPACT;
		s->st.mem = t->mem;
	}
	return s;
}

/* One tensor as a dataset. A column-major one has its axes in the order in which it is stored. */
static int
as_dataset(struct axt_fr *r, const struct axt_foreign_item *t, struct axt_dset *d)
{
	const char *name = t->name ? t->name : "tensor";
	struct axt_axes x = t->axes;
	struct axt_err none = { 0 };
	struct axt_dset *s;

	if (t->fortran && x.n > 1)
		for (int i = 0; i < x.n; i++)
			x.a[i] = t->axes.a[x.n - 1 - i];
	s = t->why || !is_path(name) ? NULL : values_of(r, t, name, &x);
	if (s)
		*d = *s;
	else if (t->why || !is_path(name))
		*d = (struct axt_dset){ .role = AXT_ROLE_OTHER,
			.why = t->why ? t->why : "its name is no path" };
	else
		return axt_fr_oom(r);
	d->path = axt_sprintf(r->m, "/%s", name);
	d->name = d->path ? axt_last_part(d->path) : NULL;
	d->attrs = t->attrs;
	d->reversed = t->fortran && x.n > 1;
	d->dup_axes = axt_axes_check_unique(r->m, &x, &none) != 0;
	return d->path ? 0 : axt_fr_oom(r);
}

int
axt_foreign_open(struct axt_arena *m, struct axt_file *f, int64_t memory, struct axt_err *e)
{
	struct axt_foreign_opts o = { .memory = memory };
	struct axt_fr r = { .m = m, .f = f, .o = &o, .e = e };
	struct axt_foreign all;
	struct axt_dset *d;
	uint8_t p[64];
	size_t n = (size_t)MIN(f->src->size, sizeof(p));
	int sure;

	if (f->stream || n == 0 || axt_src_read(f->src, 0, n, p))
		return -1;
	o.format = surest(p, n, &sure);
	if (sure != AXT_SNIFF_SURE || !axt_formats[o.format].fn->operand)
		return -1;
	axt_escape_to(r.name, sizeof(r.name), f->path);
	if (axt_foreign_read(m, f, &o, &all, e))
		return e->code;
	d = axt_file_list(f, all.n);
	if (!d)
		return axt_fr_oom(&r);
	for (int i = 0; i < all.n; i++)
		if (as_dataset(&r, &all.item[i], &d[i]))
			return e->code;
	f->ndsets = all.n;
	return 0;
}
