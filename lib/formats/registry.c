/* registry.c - which format a file has, and what its readers share. */
#include <errno.h>
#include <inttypes.h>
#include <strings.h>

#include "formats/formats.h"
#include "hdf5/read/h5.h"

#define BLOCK (64 << 10)

/* ---- formats ---- */

static const char *const names[] = { "auto", "npy", "csv", "raw", "pnm", "safetensors" };

static const struct {
	const char *end;
	enum axt_format format;
	bool written;
} suffixes[] = {
	{ ".npy", AXT_FORMAT_NPY, true }, { ".csv", AXT_FORMAT_CSV, true },
	{ ".tsv", AXT_FORMAT_CSV, false }, { ".txt", AXT_FORMAT_CSV, false },
	{ ".raw", AXT_FORMAT_RAW, true }, { ".bin", AXT_FORMAT_RAW, true },
	{ ".pnm", AXT_FORMAT_PNM, true }, { ".pbm", AXT_FORMAT_PNM, true },
	{ ".pgm", AXT_FORMAT_PNM, true }, { ".ppm", AXT_FORMAT_PNM, true },
	{ ".pam", AXT_FORMAT_PNM, true }, { ".safetensors", AXT_FORMAT_SAFETENSORS, true },
};

const char *
axt_format_name(enum axt_format f)
{
	return names[f];
}

enum axt_format
axt_format_of(const char *path, bool write)
{
	size_t n = strlen(path);

	for (int i = 0; i < ARRAY_LEN(suffixes); i++) {
		size_t k = strlen(suffixes[i].end);

		if (n > k && strcasecmp(path + n - k, suffixes[i].end) == 0 &&
		    (suffixes[i].written || !write))
			return suffixes[i].format;
	}
	return AXT_FORMAT_AUTO;
}

static bool
is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < 32 && (p[i] == 0 || !strchr("\t\n\r\f", p[i]))) || p[i] == 127)
			return false;
	return n > 0;
}

/* By the first bytes; AUTO: nothing known, and e is set. */
static enum axt_format
sniff(struct axt_fr *r)
{
	struct axt_src *s = r->f->src;
	uint8_t p[64];
	size_t n;

	if (s->stream)
		axt_src_pull(s, sizeof p);
	n = (size_t)MIN(s->size, sizeof p);
	if (n == 0 || axt_fr_bytes(r, 0, n, p)) {
		axt_fr_bad(r, "is empty");
		return AXT_FORMAT_AUTO;
	}
	if (n >= 6 && memcmp(p, "\223NUMPY", 6) == 0)
		return AXT_FORMAT_NPY;
	if (n >= 3 && p[0] == 'P' && p[1] >= '1' && p[1] <= '7' && strchr(" \t\r\n#", p[2]))
		return AXT_FORMAT_PNM;
	if (n >= 10 && p[8] == '{' && p[6] == 0 && p[7] == 0)
		return AXT_FORMAT_SAFETENSORS;
	if (is_text(p, n))
		return AXT_FORMAT_CSV;
	if (n >= 8 && memcmp(p, "\211HDF\r\n\032\n", 8) == 0) {
		axt_fail(r->e, AXT_E_FORMAT, "%s: is HDF5, which every command reads as it is",
		    r->name);
		return AXT_FORMAT_AUTO;
	}
	axt_fail(r->e, AXT_E_FORMAT, "%s: neither its name nor its first bytes tell a format",
	    r->name);
	axt_hint(r->e, "--format npy, csv, raw, pnm or safetensors");
	return AXT_FORMAT_AUTO;
}

/* ---- what readers share ---- */

int
axt_fr_bad(struct axt_fr *r, const char *fmt, ...)
{
	char text[700];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return axt_fail(r->e, AXT_E_DAMAGED, "%s: %s", r->name, text);
}

int
axt_fr_oom(struct axt_fr *r)
{
	return axt_fail(r->e, AXT_E_MEM, "%s: out of memory", r->name);
}

/* What a failed read of the source was. */
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
	r->out->item = axt_alloc(r->m, (size_t)MAX(n, 1) * sizeof *r->out->item);
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

/* ---- raw ---- */

int
axt_raw_read(struct axt_fr *r)
{
	struct axt_foreign_item *t = axt_fr_items(r, 1);
	const struct axt_foreign_opts *o = r->o;
	int64_t rest = (int64_t)r->f->src->size - o->offset, step;
	int open = -1;

	if (!t)
		return r->e->code;
	if (!o->to || (int)o->dtype < 0) {
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
		if (open >= 0 || r->f->stream)
			return axt_fail(r->e, AXT_E_SYNTAX, "%s: axis \"%s\" needs a length",
			    r->name, axt_escape(r->m, t->axes.a[i].name));
		open = i;
	}
	if (open >= 0) {	/* as many as there are */
		t->axes.a[open].len = 1;
		if (!axt_axes_count(&t->axes, &step) || !axt_mul(step, axt_size(t->dtype), &step) ||
		    step == 0 || rest < 0 || rest % step)
			return axt_fr_bad(r, "%" PRId64 " bytes from byte %" PRId64
			    " on give no whole length of axis \"%s\"", MAX(rest, 0), o->offset,
			    axt_escape(r->m, t->axes.a[open].name));
		t->axes.a[open].len = rest / step;
	}
	if (axt_fr_sized(r, t))
		return r->e->code;
	r->out->end = t->offset + t->bytes;
	return 0;
}

/* ---- all of them ---- */

/* The file is as long as its header tells; of a stream this is seen at its end. */
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

/* Options that mean nothing in a format are a mistake. */
static int
check_options(struct axt_fr *r, enum axt_format format)
{
	const struct axt_foreign_opts *o = r->o;

	if (format != AXT_FORMAT_RAW && (o->offset || o->big_endian || o->fortran))
		return axt_fail(r->e, AXT_E_SYNTAX,
		    "--offset, --big-endian and --order are for raw values, and %s is %s", r->name,
		    names[format]);
	if (format != AXT_FORMAT_CSV && o->matrix)
		return axt_fail(r->e, AXT_E_SYNTAX, "--matrix is for csv, and %s is %s", r->name,
		    names[format]);
	return 0;
}

int
axt_foreign_read(struct axt_arena *m, struct axt_file *f, const struct axt_foreign_opts *o,
    struct axt_foreign *out, struct axt_err *e)
{
	static int (*const reader[])(struct axt_fr *r) = {
		[AXT_FORMAT_NPY] = axt_npy_read, [AXT_FORMAT_CSV] = axt_csv_read,
		[AXT_FORMAT_RAW] = axt_raw_read, [AXT_FORMAT_PNM] = axt_pnm_read,
		[AXT_FORMAT_SAFETENSORS] = axt_safetensors_read,
	};
	struct axt_fr r = { .m = m, .f = f, .o = o, .out = out, .e = e };
	enum axt_format format = o->format;

	*out = (struct axt_foreign){ 0 };
	f->foreign = true;
	axt_escape_to(r.name, sizeof r.name, f->path);
	r.from = axt_escape(m, f->path);
	if (!r.from)
		return axt_fr_oom(&r);
	if (format == AXT_FORMAT_AUTO)
		format = axt_format_of(f->path, false);
	if (format == AXT_FORMAT_AUTO)
		format = sniff(&r);
	if (format == AXT_FORMAT_AUTO || check_options(&r, format) || reader[format](&r))
		return e->code;
	return check_length(&r);
}

struct axt_dset *
axt_foreign_dset(struct axt_arena *m, struct axt_file *f, const char *name, enum axt_dtype d,
    const struct axt_axes *x, uint64_t offset, bool swap)
{
	struct axt_dset *s = axt_alloc(m, sizeof *s);
	int64_t count;

	if (!s || !axt_axes_count(x, &count) ||
	    (!f->stream && (offset > (uint64_t)f->id.size ||
	    (uint64_t)count > ((uint64_t)f->id.size - offset) / (uint64_t)axt_size(d))))
		return NULL;
	*s = (struct axt_dset){ .path = name ? name : "", .name = name, .loaded = true,
	    .rank = x->n, .dtype = d, .axes = *x };
	s->st = (struct axt_storage){ .layout = AXT_LAYOUT_CONTIGUOUS, .dtype = d,
	    .esize = axt_size(d), .swap = swap, .rank = x->n, .count = count,
	    .fd = f->stream ? f->fd : -1,
	    .offset = offset, .file = f, .src = f->stream ? f->src : NULL };
	for (int i = 0; i < x->n; i++)
		s->dims[i] = s->st.dims[i] = x->a[i].len;
	s->st.from = axt_escape(m, f->path);
	return s->st.from ? s : NULL;
}
