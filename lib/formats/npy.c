/*
 * npy.c - NumPy's .npy: versions 1 to 3 are read, 1 is written. Its header is a Python literal;
 * only the one dictionary that NumPy writes is read, by its grammar.
 */
#include <inttypes.h>

#include "formats/sinks.h"

#define LONGEST (1 << 20) /* bytes of a header at most; NumPy itself accepts 10000 */

/* NumPy's word for each dtype, which follows the character of the byte order. */
static const char *const words[AXT_NDTYPES] = {
	[AXT_BOOL] = "b1",
	[AXT_I8] = "i1",
	[AXT_I16] = "i2",
	[AXT_I32] = "i4",
	[AXT_I64] = "i8",
	[AXT_U8] = "u1",
	[AXT_U16] = "u2",
	[AXT_U32] = "u4",
	[AXT_U64] = "u8",
	[AXT_F16] = "f2",
	[AXT_F32] = "f4",
	[AXT_F64] = "f8",
	[AXT_C64] = "c8",
	[AXT_C128] = "c16",
};

/* ---- reading ---- */

struct literal {
	struct axt_fr *r;
	const char *start, *p;
	int64_t dim[AXT_MAX_RANK];
	int rank;
	char descr[32];
	bool fortran, has_descr, has_order, has_shape;
};

static int
bad(struct literal *l, const char *what)
{
	return axt_fr_bad(l->r, "byte %d of its header: %s", (int)(l->p - l->start), what);
}

static void
blanks(struct literal *l)
{
	l->p += strspn(l->p, " \t\n\r");
}

static bool
take(struct literal *l, char c)
{
	blanks(l);
	if (*l->p != c)
		return false;
	l->p++;
	return true;
}

static int
string(struct literal *l, char out[32])
{
	char quote = *l->p;
	size_t n;

	if (quote != '\'' && quote != '"')
		return bad(l, "a quoted word is expected");
	n = strcspn(l->p + 1, quote == '"' ? "\"\\\n" : "'\\\n");
	if (n >= 32 || l->p[1 + n] != quote)
		return bad(l, "a quoted word is too long or has no end");
	memcpy(out, l->p + 1, n);
	out[n] = '\0';
	l->p += n + 2;
	return 0;
}

static int
dimension(struct literal *l)
{
	char word[24];
	size_t n = strspn(l->p, "0123456789");

	if (*l->p == '-')
		return bad(l, "a length of the shape is negative");
	if (n == 0 || n >= sizeof(word))
		return bad(l,
		    n ? "a length of the shape is too large" : "a length of the shape is expected");
	if (l->rank == AXT_MAX_RANK)
		return bad(l, "the shape has more than 32 axes");
	memcpy(word, l->p, n);
	word[n] = '\0';
	if (!axt_parse_int(word, 0, INT64_MAX, &l->dim[l->rank++]))
		return bad(l, "a length of the shape is too large");
	l->p += n;
	l->p += *l->p == 'L'; /* Python 2 writes long integers with an L */
	return 0;
}

/* "()", "(3,)", "(3, 4)" */
static int
shape(struct literal *l)
{
	bool comma = false;

	l->rank = 0;
	if (!take(l, '('))
		return bad(l, "the shape must be a tuple");
	while (!take(l, ')')) {
		if (l->rank > 0 && !comma)
			return bad(l, "a comma is expected in the shape");
		if (dimension(l))
			return l->r->e->code;
		comma = take(l, ',');
	}
	return l->rank == 1 && !comma ? bad(l, "the shape must be a tuple") : 0;
}

static int
value(struct literal *l, const char *key)
{
	blanks(l);
	if (strcmp(key, "descr") == 0 && !l->has_descr) {
		l->has_descr = true;
		if (*l->p == '[' || *l->p == '(')
			return axt_fail(l->r->e, AXT_E_DTYPE, "%s: holds structures, not numbers",
			    l->r->name);
		return string(l, l->descr);
	}
	if (strcmp(key, "fortran_order") == 0 && !l->has_order) {
		l->has_order = true;
		l->fortran = strncmp(l->p, "True", 4) == 0;
		if (!l->fortran && strncmp(l->p, "False", 5) != 0)
			return bad(l, "fortran_order must be True or False");
		l->p += l->fortran ? 4 : 5;
		return 0;
	}
	if (strcmp(key, "shape") == 0 && !l->has_shape) {
		l->has_shape = true;
		return shape(l);
	}
	return bad(l, "the keys are descr, fortran_order and shape, each once");
}

static int
dictionary(struct literal *l)
{
	bool comma = true;
	char key[32];

	if (!take(l, '{'))
		return bad(l, "a dictionary is expected");
	while (!take(l, '}')) {
		if (!comma)
			return bad(l, "a comma is expected");
		if (string(l, key))
			return l->r->e->code;
		if (!take(l, ':'))
			return bad(l, "a colon is expected");
		if (value(l, key))
			return l->r->e->code;
		comma = take(l, ',');
	}
	blanks(l);
	if (*l->p)
		return bad(l, "nothing may follow the dictionary");
	if (!l->has_descr || !l->has_order || !l->has_shape)
		return bad(l, "descr, fortran_order and shape must be there");
	return 0;
}

/* "<f4": byte order, kind, bytes. */
static int
dtype_of(struct literal *l, struct axt_foreign_item *t)
{
	const char *s = l->descr, *what = "not a dtype axt has";
	char shown[100];
	bool order = *s && strchr("<>|=", *s);

	for (int i = AXT_BOOL; i < AXT_NDTYPES; i++)
		if (words[i] && strcmp(s + order, words[i]) == 0) {
			t->dtype = (enum axt_dtype)i;
			t->swap = *s == '>' && axt_size(t->dtype) > 1;
			if (*s != '|' || axt_size(t->dtype) == 1)
				return 0;
		}
	if (s[order] == 'O')
		what = "Python objects, which are never loaded";
	else if (s[order] == 'U' || s[order] == 'S' || s[order] == 'a')
		what = "text, not numbers";
	else if (s[order] == 'M' || s[order] == 'm')
		what = "dates; save them as numbers with units";
	else if (s[order] == 'V')
		what = "structures, not numbers";
	axt_escape_to(shown, sizeof(shown), s);
	return axt_fail(l->r->e, AXT_E_DTYPE, "%s: dtype \"%s\" is %s", l->r->name, shown, what);
}

static int
sniff(const uint8_t *p, size_t n)
{
	return n >= 6 && memcmp(p, "\223NUMPY", 6) == 0 ? AXT_SNIFF_SURE : AXT_SNIFF_NO;
}

static int
read_npy(struct axt_fr *r)
{
	struct axt_foreign_item *t = axt_fr_items(r, 1);
	struct literal l = { .r = r };
	uint64_t len, at;
	uint8_t head[12];
	char *text;

	if (!t || axt_fr_bytes(r, 0, 10, head))
		return r->e->code;
	if (!sniff(head, 10))
		return axt_fail(r->e, AXT_E_FORMAT, "%s: is no .npy file", r->name);
	if (head[6] < 1 || head[6] > 3 || head[7] != 0)
		return axt_fail(r->e, AXT_E_FORMAT, "%s: is .npy of version %d.%d, not 1.0 to 3.0",
		    r->name, head[6], head[7]);
	at = head[6] == 1 ? 10 : 12;
	if (at == 12 && axt_fr_bytes(r, 0, 12, head))
		return r->e->code;
	len = axt_le(head + 8, (int)at - 8);
	if (len > LONGEST)
		return axt_fr_bad(r, "its header would have %" PRIu64 " bytes", len);
	text = axt_alloc(r->m, (size_t)len + 1);
	if (!text)
		return axt_fr_oom(r);
	if (axt_fr_bytes(r, at, (size_t)len, text))
		return r->e->code;
	if (strlen(text) != len)
		return axt_fr_bad(r, "its header has a NUL byte");
	l.start = l.p = text;
	t->offset = at + len;
	if (dictionary(&l) || dtype_of(&l, t) || axt_fr_axes(r, t, l.rank, l.dim, NULL) ||
	    axt_fr_sized(r, t))
		return r->e->code;
	t->fortran = l.fortran;
	r->out->end = t->offset + t->bytes;
	return 0;
}

/* ---- writing ---- */

static int
write_head(struct axt_fout *o, struct axt_err *e)
{
	const struct axt_out_var *v = o->v;
	struct axt_buf *b = &o->head;
	size_t n;

	if (!words[v->dtype]) {
		axt_fail(e, AXT_E_DTYPE, "NumPy has no dtype %s", axt_dtypes[v->dtype].name);
		axt_hint_option(e, "dtype", "f32");
		return e->code;
	}
	axt_buf_add(b, "\223NUMPY\001\000\000\000", 10);
	axt_buf_addf(b, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
	    axt_size(v->dtype) == 1 ? '|' : '<', words[v->dtype]);
	for (int i = 0; i < v->axes.n; i++)
		axt_buf_addf(b, i ? " %" PRId64 "%s" : "%" PRId64 "%s", v->axes.a[i].len,
		    i + 1 < v->axes.n || i == 0 ? "," : "");
	axt_buf_adds(b, "), }");
	while (b->n % 64 != 63 && !b->bad)
		axt_buf_adds(b, " ");
	axt_buf_adds(b, "\n");
	if (b->bad)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	n = b->n - 10; /* 32 lengths of 20 digits are far below 64 KiB */
	b->p[8] = (char)(n & 255);
	b->p[9] = (char)(n >> 8);
	return 0;
}

const struct axt_format_fns axt_format_npy = {
	.suffix = { { ".npy", true } },
	.operand = true,
	.sniff = sniff,
	.read = read_npy,
	.head = write_head,
};
