/* heads.c - the headers of npy, PNM and safetensors, and what cannot be written so. */
#include <inttypes.h>
#include <strings.h>

#include "formats/sinks.h"

static int
oom(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* ---- npy ---- */

static int
npy(struct axt_fout *o, struct axt_err *e)
{
	static const char *const descr[AXT_NDTYPES] = {
		[AXT_BOOL] = "|b1", [AXT_I8] = "|i1", [AXT_I16] = "<i2", [AXT_I32] = "<i4",
		[AXT_I64] = "<i8", [AXT_U8] = "|u1", [AXT_U16] = "<u2", [AXT_U32] = "<u4",
		[AXT_U64] = "<u8", [AXT_F16] = "<f2", [AXT_F32] = "<f4", [AXT_F64] = "<f8",
		[AXT_C64] = "<c8", [AXT_C128] = "<c16",
	};
	const struct axt_out_var *v = o->v;
	struct axt_buf *b = &o->head;
	size_t n;

	if (!descr[v->dtype]) {
		axt_fail(e, AXT_E_DTYPE, "NumPy has no dtype %s", axt_dtypes[v->dtype].name);
		axt_hint(e, "--dtype f32");
		return e->code;
	}
	axt_buf_add(b, "\223NUMPY\001\000\000\000", 10);
	axt_buf_addf(b, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr[v->dtype]);
	for (int i = 0; i < v->axes.n; i++)
		axt_buf_addf(b, i ? " %" PRId64 "%s" : "%" PRId64 "%s", v->axes.a[i].len,
		    i + 1 < v->axes.n || i == 0 ? "," : "");
	axt_buf_adds(b, "), }");
	while (b->n % 64 != 63 && !b->bad)
		axt_buf_adds(b, " ");
	axt_buf_adds(b, "\n");
	if (b->bad)
		return oom(e);
	n = b->n - 10;		/* 32 lengths of 20 digits are far below 64 KiB */
	b->p[8] = (char)(n & 255);
	b->p[9] = (char)(n >> 8);
	return 0;
}

/* ---- PNM ---- */

static int
not_pixels(const struct axt_out_var *v, struct axt_err *e)
{
	axt_fail(e, AXT_E_DTYPE, "an image has bool, u8 or u16, not %s",
	    axt_dtypes[v->dtype].name);
	if (axt_dtypes[v->dtype].cls == AXT_CLASS_FLOAT)
		axt_hint(e, "of 0 to 1: axt-mul A 255 | axt-map round | "
		    "axt-cast --dtype u8 --overflow saturate");
	else
		axt_hint(e, "axt-cast --dtype u8 --overflow saturate");
	return e->code;
}

/* Which of P4 to P7 holds it; the name may ask for one. */
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
			    i == 0 ? "bool of y,x" : i == 1 ? "u8 or u16 of y,x"
			    : "u8 or u16 of y,x,c=3", axt_dtypes[o->v->dtype].name,
			    axt_axes_text(o->m, &o->v->axes));
			axt_hint(e, ".pnm and .pam take any");
			return -1;
		}
	}
	return kind;
}

static int
pnm(struct axt_fout *o, struct axt_err *e)
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
		axt_fail(e, AXT_E_AXES, "an image has axes y,x or y,x,c with 1 to 4 channels, "
		    "not %s", axt_axes_text(o->m, &v->axes));
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
	o->width = kind == 4 ? a[1].len : 0;
	if (kind < 7)
		axt_buf_addf(&o->head, "P%d\n%" PRId64 " %" PRId64 "\n", kind, a[1].len, a[0].len);
	else
		axt_buf_addf(&o->head, "P7\nWIDTH %" PRId64 "\nHEIGHT %" PRId64 "\nDEPTH %" PRId64
		    "\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n", a[1].len, a[0].len, depth, max,
		    tuple[bits][depth]);
	if (kind == 5 || kind == 6)
		axt_buf_addf(&o->head, "%d\n", max);
	return o->head.bad ? oom(e) : 0;
}

/* ---- safetensors ---- */

static void
json_string(struct axt_buf *b, const char *s)
{
	axt_buf_adds(b, "\"");
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			axt_buf_addf(b, "\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			axt_buf_addf(b, "\\u%04x", *s);
		else
			axt_buf_add(b, s, 1);
	axt_buf_adds(b, "\"");
}

/* The name of tensor i must be text, and no other's. */
static int
check_name(const struct axt_fout *o, int i, struct axt_err *e)
{
	uint32_t c;
	int n;

	for (const char *p = o->v[i].name; *p; p += n)
		if ((n = axt_utf8(p, &c)) == 0)
			return axt_fail(e, AXT_E_NAME, "the name \"%s\" is no UTF-8",
			    axt_escape(o->m, o->v[i].name));
	for (int k = 0; k < i; k++)
		if (strcmp(o->v[k].name, o->v[i].name) == 0) {
			axt_fail(e, AXT_E_NAME, "two tensors are named \"%s\"",
			    axt_escape(o->m, o->v[i].name));
			axt_hint(e, "axt-cast --name gives a tensor another name");
			return e->code;
		}
	return 0;
}

/* The names of the axes, so that axt-from finds them. */
static void
metadata(struct axt_fout *o)
{
	struct axt_buf *b = &o->head;
	bool first = true;

	axt_buf_adds(b, "\"__metadata__\":{");
	for (int i = 0; i < o->n; i++) {
		const struct axt_axes *x = &o->v[i].axes;
		int all[AXT_MAX_RANK];
		const char *s;

		for (int k = 0; k < x->n; k++)
			all[k] = k;
		s = axt_axes_typed(o->m, x, all, x->n);
		if (x->n == 0)
			continue;
		axt_buf_adds(b, first ? "" : ",");
		json_string(b, axt_sprintf(o->m, "axt_axes.%s", o->v[i].name));
		axt_buf_adds(b, ":");
		json_string(b, s ? s : "");
		first = false;
	}
	axt_buf_adds(b, "}");
}

static int
safetensors(struct axt_fout *o, struct axt_err *e)
{
	static const char *const word[AXT_NDTYPES] = {
		[AXT_BOOL] = "BOOL", [AXT_I8] = "I8", [AXT_I16] = "I16", [AXT_I32] = "I32",
		[AXT_I64] = "I64", [AXT_U8] = "U8", [AXT_U16] = "U16", [AXT_U32] = "U32",
		[AXT_U64] = "U64", [AXT_F16] = "F16", [AXT_BF16] = "BF16", [AXT_F32] = "F32",
		[AXT_F64] = "F64", [AXT_C64] = "C64",
	};
	struct axt_buf *b = &o->head;
	uint64_t n;

	axt_buf_add(b, "\0\0\0\0\0\0\0", 8);
	axt_buf_adds(b, "{");
	metadata(o);
	for (int i = 0; i < o->n; i++) {
		const struct axt_out_var *v = &o->v[i];

		if (check_name(o, i, e))
			return e->code;
		if (!word[v->dtype]) {
			axt_fail(e, AXT_E_DTYPE, "safetensors have no dtype %s",
			    axt_dtypes[v->dtype].name);
			axt_hint(e, "--dtype c64");
			return e->code;
		}
		axt_buf_adds(b, ",");
		json_string(b, v->name);
		axt_buf_addf(b, ":{\"dtype\":\"%s\",\"shape\":[", word[v->dtype]);
		for (int k = 0; k < v->axes.n; k++)
			axt_buf_addf(b, "%s%" PRId64, k ? "," : "", v->axes.a[k].len);
		axt_buf_addf(b, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", o->sinks[i].base,
		    o->sinks[i].base + o->sinks[i].bytes);
	}
	axt_buf_adds(b, "}");
	while (b->n % 64 && !b->bad)
		axt_buf_adds(b, " ");
	if (b->bad)
		return oom(e);
	n = b->n - 8;
	for (int i = 0; i < 8; i++)
		b->p[i] = (char)(n >> 8 * i & 255);
	return 0;
}

int
axt_fout_head(struct axt_fout *o, struct axt_err *e)
{
	if (o->n > 1 && o->o.format != AXT_FORMAT_SAFETENSORS)
		return axt_fail(e, AXT_E_ARG, "%s holds one tensor, not %d",
		    axt_format_name(o->o.format), o->n);
	if (o->o.big_endian && o->o.format != AXT_FORMAT_RAW)
		return axt_fail(e, AXT_E_SYNTAX, "--big-endian is for raw values, not %s",
		    axt_format_name(o->o.format));
	if (o->o.matrix && o->o.format != AXT_FORMAT_CSV)
		return axt_fail(e, AXT_E_SYNTAX, "--matrix is for csv, not %s",
		    axt_format_name(o->o.format));
	switch (o->o.format) {
	case AXT_FORMAT_NPY:
		return npy(o, e);
	case AXT_FORMAT_PNM:
		return pnm(o, e);
	case AXT_FORMAT_SAFETENSORS:
		return safetensors(o, e);
	case AXT_FORMAT_RAW:
		o->big = o->o.big_endian;
		return 0;
	default:
		if (o->o.matrix && o->v->axes.n > 2)
			return axt_fail(e, AXT_E_AXES, "a matrix has up to 2 axes, not %s",
			    axt_axes_text(o->m, &o->v->axes));
		return 0;
	}
}
