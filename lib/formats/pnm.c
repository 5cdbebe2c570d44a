/*
 * pnm.c - PBM, PGM, PPM (P1 to P6) and PAM (P7), read; P4 to P7 written. Samples of P5 to P7 stay
 * in the file; text and bits are read into memory. Bits: true is white, as images have it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "formats/sinks.h"

struct image {
	struct axt_fr *r;
	struct axt_cursor c;
	int kind; /* 1..7 */
	int64_t w, h, depth, max;
	bool bw; /* PAM of black and white */
};

static bool
is_blank(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * The next byte of a header or of text; -1 at the end. Of a comment, which may begin behind
 * anything, only the end of its line is returned.
 */
static int
next(struct image *i)
{
	int c = axt_cursor_next(&i->c);

	if (c == '#')
		while ((c = axt_cursor_next(&i->c)) >= 0 && c != '\n' && c != '\r')
			;
	return c;
}

/* The next byte that is neither blank nor part of a comment; -1 at the end. */
static int
solid(struct image *i)
{
	int c = next(i);

	while (is_blank(c))
		c = next(i);
	return c;
}

/* Reads a number, and the byte after it, which must be blank or the end of the file. */
static int
number(struct image *i, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
	int c = solid(i);
	int64_t v = 0;

	if (c < 0)
		return axt_fr_bad(i->r, "ends before its %s", what);
	for (; c >= '0' && c <= '9'; c = next(i)) {
		v = v * 10 + (c - '0');
		if (v > hi)
			return axt_fr_bad(i->r, "its %s is over %" PRId64, what, hi);
	}
	if ((c >= 0 && !is_blank(c)) || v < lo)
		return axt_fr_bad(i->r, "its %s cannot be read, before byte %" PRIu64, what,
		    axt_cursor_where(&i->c));
	*out = v;
	return i->r->e->code;
}

/* Reads a line of PAM's header, without its end. */
static int
line(struct image *i, char out[256])
{
	size_t n = 0;
	int c;

	while ((c = axt_cursor_next(&i->c)) >= 0 && c != '\n') {
		if (n == 255 || c == 0)
			return axt_fr_bad(i->r, "a line of its header cannot be read");
		out[n++] = (char)c;
	}
	if (c < 0)
		return axt_fr_bad(i->r, "ends before ENDHDR");
	while (n > 0 && is_blank(out[n - 1]))
		n--;
	out[n] = '\0';
	return 0;
}

static int
pam_header(struct image *i)
{
	char s[256], *w;
	struct {
		const char *key;
		int64_t *to, hi;
	} field[] = {
		{ "WIDTH", &i->w, INT32_MAX },
		{ "HEIGHT", &i->h, INT32_MAX },
		{ "DEPTH", &i->depth, INT32_MAX },
		{ "MAXVAL", &i->max, 65535 },
	};

	i->w = i->h = i->depth = i->max = -1;
	for (;;) {
		if (line(i, s))
			return i->r->e->code;
		if (strcmp(s, "ENDHDR") == 0)
			break;
		w = s + strcspn(s, " \t");
		if (*w)
			*w++ = '\0';
		w += strspn(w, " \t");
		for (int k = 0; k < ARRAY_LEN(field); k++)
			if (strcmp(s, field[k].key) == 0 &&
			    !axt_parse_int(w, 1, field[k].hi, field[k].to))
				return axt_fr_bad(i->r, "its %s cannot be read", field[k].key);
		if (strcmp(s, "TUPLTYPE") == 0)
			i->bw = strncmp(w, "BLACKANDWHITE", 13) == 0;
	}
	for (int k = 0; k < ARRAY_LEN(field); k++)
		if (*field[k].to < 0)
			return axt_fr_bad(i->r, "its header has no %s", field[k].key);
	return 0;
}

static int
header(struct image *i)
{
	int p = axt_cursor_next(&i->c), k = axt_cursor_next(&i->c);

	i->kind = k - '0';
	if (p != 'P' || i->kind < 1 || i->kind > 7)
		return axt_fail(i->r->e, AXT_E_FORMAT, "%s: is no PNM image", i->r->name);
	if (i->kind == 7)
		return axt_cursor_next(&i->c) == '\n'
		    ? pam_header(i)
		    : axt_fr_bad(i->r, "its first line cannot be read");
	i->depth = i->kind == 3 || i->kind == 6 ? 3 : 1;
	i->max = 1;
	if (number(i, "width", 1, INT32_MAX, &i->w) || number(i, "height", 1, INT32_MAX, &i->h))
		return i->r->e->code;
	return i->kind == 1 || i->kind == 4 ? 0 : number(i, "greatest value", 1, 65535, &i->max);
}

/* Notes the greatest value (maxval) as an attribute, unless it is the dtype's own. */
static int
tell_max(struct image *i, struct axt_foreign_item *t)
{
	struct axt_attr *a;
	int32_t *v;

	if (t->dtype == AXT_BOOL || i->max == (t->dtype == AXT_U8 ? 255 : 65535))
		return 0;
	a = axt_alloc(i->r->m, sizeof(*a));
	v = axt_alloc(i->r->m, sizeof(*v));
	if (!a || !v)
		return axt_fr_oom(i->r);
	*v = (int32_t)i->max;
	*a = (struct axt_attr){ .name = "maxval",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_I32,
		.n = 1,
		.data = v };
	t->attrs = a;
	return 0;
}

/* Reads a pixel of P1, where 1 is black, and no blanks are needed between digits. */
static int
bit(struct image *i, int64_t *v)
{
	int c = solid(i);

	*v = c == '0';
	return c == '0' || c == '1'
	    ? 0
	    : axt_fr_bad(i->r,
		  c < 0 ? "ends before its last value"
			: "a value is neither 0 nor 1, before byte %" PRIu64,
		  axt_cursor_where(&i->c));
}

static int
text_values(struct image *i, uint8_t *p, int size, int64_t n)
{
	for (int64_t k = 0; k < n; k++) {
		int64_t v;

		if (i->kind == 1 ? bit(i, &v) : number(i, "value", 0, i->max, &v))
			return i->r->e->code;
		/* little-endian, as all of axt's machines */
		memcpy(p + k * size, &v, (size_t)size);
	}
	return solid(i) < 0 ? (int)i->r->e->code
			    : axt_fr_bad(i->r, "has something after its last value");
}

static int
bits(struct image *i, uint8_t *p)
{
	for (int64_t y = 0; y < i->h; y++)
		for (int64_t x = 0, c = 0; x < i->w; x++) {
			if (x % 8 == 0 && (c = axt_cursor_next(&i->c)) < 0)
				return axt_fr_bad(i->r, "ends before its last value");
			*p++ = !(c >> (7 - x % 8) & 1);
		}
	return axt_cursor_next(&i->c) < 0 ? (int)i->r->e->code
					  : axt_fr_bad(i->r, "has something after its last value");
}

/*
 * Reads values into memory. First it checks that the file is long enough for them, then allocates
 * memory, then reads.
 */
static int
in_memory(struct image *i, struct axt_foreign_item *t)
{
	struct axt_fr *r = i->r;
	int64_t n = (int64_t)t->bytes / axt_size(t->dtype);
	uint8_t *p;

	if (n > r->o->memory / axt_size(t->dtype)) {
		axt_fail(r->e, AXT_E_LIMIT,
		    "%s: %" PRId64 " values are over the memory bound of %" PRId64 " bytes",
		    r->name, n, r->o->memory);
		axt_hint_option(r->e, "memory", "SIZE");
		return r->e->code;
	}
	if (!r->f->stream && (uint64_t)n / 8 > (uint64_t)r->f->id.size)
		return axt_fr_bad(r, "has too few bytes for %" PRId64 " values", n);
	p = malloc((size_t)t->bytes + 1);
	if (!p || !axt_file_keep(r->m, r->f, p))
		return axt_fr_oom(r);
	t->mem = p;
	if (i->kind == 4 ? bits(i, p) : text_values(i, p, axt_size(t->dtype), n))
		return r->e->code;
	r->out->end = axt_cursor_where(&i->c);
	return 0;
}

static int
sniff(const uint8_t *p, size_t n)
{
	return n >= 3 && p[0] == 'P' && p[1] >= '1' && p[1] <= '7' && strchr(" \t\r\n#", p[2])
	    ? AXT_SNIFF_SURE
	    : AXT_SNIFF_NO;
}

static int
read_pnm(struct axt_fr *r)
{
	static const char *const names[] = { "y", "x", "c" };
	struct axt_foreign_item *t = axt_fr_items(r, 1);
	struct image i = { .r = r };

	if (!t || axt_cursor_init(&i.c, r) || header(&i))
		return r->e->code;
	t->dtype = i.kind == 1 || i.kind == 4 || (i.bw && i.max == 1) ? AXT_BOOL
	    : i.max < 256                                             ? AXT_U8
								      : AXT_U16;
	t->swap = t->dtype == AXT_U16;
	if (axt_fr_axes(r, t, i.depth > 1 ? 3 : 2, (int64_t[]){ i.h, i.w, i.depth }, names) ||
	    axt_fr_sized(r, t) || tell_max(&i, t))
		return r->e->code;
	if (i.kind <= 4)
		return in_memory(&i, t);
	t->offset = axt_cursor_where(&i.c);
	r->out->end = t->offset + t->bytes;
	return 0;
}

/* ---- writing ---- */

static int
not_pixels(const struct axt_out_var *v, struct axt_err *e)
{
	axt_fail(e, AXT_E_DTYPE, "an image has bool, u8 or u16, not %s", axt_dtypes[v->dtype].name);
	axt_about(e, AXT_OTHER_DTYPE, axt_dtypes[v->dtype].name, v->name);
	if (axt_dtypes[v->dtype].cls == AXT_CLASS_FLOAT)
		axt_hint(e,
		    "of 0 to 1: axt-mul A 255 | axt-map round | "
		    "axt-cast --dtype u8 --overflow saturate");
	else
		axt_hint(e, "axt-cast --dtype u8 --overflow saturate");
	return e->code;
}

/* Which of P4 to P7 can hold the tensor; the file's suffix may ask for one. */
static int
pnm_kind(const struct axt_fout *o, int64_t depth, struct axt_err *e)
{
	static const struct {
		const char *end;
		int kind;
	} by_name[] = { { ".pbm", 4 }, { ".pgm", 5 }, { ".ppm", 6 }, { ".pam", 7 } };
	bool bits = o->v->dtype == AXT_BOOL;
	int kind = depth == 1 ? (bits ? 4 : 5) : depth == 3 && !bits ? 6 : 7;
	size_t n = o->o.target ? strlen(o->o.target) : 0;

	for (int i = 0; i < ARRAY_LEN(by_name); i++) {
		if (n <= 4 || strcasecmp(o->o.target + n - 4, by_name[i].end) != 0)
			continue;
		if (by_name[i].kind == 7)
			return 7;
		if (by_name[i].kind != kind) {
			axt_fail(e, AXT_E_AXES, "%s has %s, not %s of %s", by_name[i].end,
			    i == 0       ? "bool of y,x"
				: i == 1 ? "u8 or u16 of y,x"
					 : "u8 or u16 of y,x,c=3",
			    axt_dtypes[o->v->dtype].name, axt_axes_text(o->m, &o->v->axes));
			axt_hint(e, ".pnm and .pam take any");
			return -1;
		}
	}
	return kind;
}

/* Packs values into the bits of PBM. */
struct packer {
	int64_t width;       /* bits of a row */
	unsigned bits;       /* of the byte being made */
	struct axt_buf line; /* bytes that are complete */
};

/* Writes bits of PBM: 1 is black, and each row begins with a new byte. */
static int
write_bits(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_fsink *k = (struct axt_fsink *)s;
	struct packer *o = k->o->own;
	int64_t w = o->width, x = k->got % w, row = (w + 7) / 8;
	int64_t at = k->got / w * row + x / 8; /* of the byte being made */

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
		return axt_fail(e, AXT_E_MEM, "out of memory");
	axt_fout_put(k, at, o->line.p, (int64_t)o->line.n, e);
	o->line.n = 0;
	return e->code;
}

/* Makes the sink take values in order, and pack them. */
static int
pack_bits(struct axt_fout *o, int64_t height, int64_t width, struct axt_err *e)
{
	struct packer *p = axt_alloc(o->m, sizeof(*p));

	if (!p)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	p->width = width;
	o->own = p;
	o->sinks->s = (struct axt_sink){ .ordered = true, .write = write_bits };
	o->all = (width + 7) / 8 * height;
	return 0;
}

static void
release(struct axt_fout *o)
{
	if (o->own)
		axt_buf_release(&((struct packer *)o->own)->line);
}

static int
write_head(struct axt_fout *o, struct axt_err *e)
{
	static const char *const tuple[2][5] = {
		{ "", "GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA" },
		{ "", "BLACKANDWHITE", "BLACKANDWHITE_ALPHA", "RGB", "RGB_ALPHA" },
	};
	const struct axt_out_var *v = o->v;
	const struct axt_axis *a = v->axes.a;
	bool bits = v->dtype == AXT_BOOL;
	int64_t depth = v->axes.n == 3 ? a[2].len : 1;
	int max = bits ? 1 : v->dtype == AXT_U8 ? 255 : 65535, kind;

	if (!bits && v->dtype != AXT_U8 && v->dtype != AXT_U16)
		return not_pixels(v, e);
	if (v->axes.n < 2 || v->axes.n > 3 || depth < 1 || depth > 4) {
		axt_fail(e, AXT_E_AXES,
		    "an image has axes y,x or y,x,c with 1 to 4 channels, "
		    "not %s",
		    axt_axes_text(o->m, &v->axes));
		axt_hint(e, "axt-order y,x,c puts the channels last");
		return e->code;
	}
	if (a[0].len < 1 || a[1].len < 1 || a[0].len > INT32_MAX || a[1].len > INT32_MAX)
		return axt_fail(e, AXT_E_AXES, "no image has %" PRId64 " rows of %" PRId64,
		    a[0].len, a[1].len);
	kind = pnm_kind(o, depth, e);
	if (kind < 0)
		return e->code;
	o->big = true;
	if (kind == 4 && pack_bits(o, a[0].len, a[1].len, e))
		return e->code;
	if (kind < 7)
		axt_buf_addf(&o->head, "P%d\n%" PRId64 " %" PRId64 "\n", kind, a[1].len, a[0].len);
	else
		axt_buf_addf(&o->head,
		    "P7\nWIDTH %" PRId64 "\nHEIGHT %" PRId64 "\nDEPTH %" PRId64
		    "\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n",
		    a[1].len, a[0].len, depth, max, tuple[bits][depth]);
	if (kind == 5 || kind == 6)
		axt_buf_addf(&o->head, "%d\n", max);
	return o->head.bad ? axt_fail(e, AXT_E_MEM, "out of memory") : 0;
}

const struct axt_format_fns axt_format_pnm = {
	.suffix = { { ".pnm", true }, { ".pbm", true }, { ".pgm", true }, { ".ppm", true },
	    { ".pam", true } },
	.operand = true,
	.sniff = sniff,
	.read = read_pnm,
	.head = write_head,
	.release = release,
};
