/*
 * safetensors.c - read and written: 8 bytes with the length of a JSON header, the header, the
 * values. The JSON is read by the format's own grammar: an object of objects with dtype, shape and
 * data_offsets, and text in __metadata__. Values must cover the rest of the file, without gap or
 * overlap.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "formats/sinks.h"

/* bytes of a header at most, the limit of the format's own library */
#define LONGEST ((int64_t)100 << 20)

static const char *const words[AXT_NDTYPES] = {
	[AXT_BOOL] = "BOOL",
	[AXT_I8] = "I8",
	[AXT_I16] = "I16",
	[AXT_I32] = "I32",
	[AXT_I64] = "I64",
	[AXT_U8] = "U8",
	[AXT_U16] = "U16",
	[AXT_U32] = "U32",
	[AXT_U64] = "U64",
	[AXT_F16] = "F16",
	[AXT_BF16] = "BF16",
	[AXT_F32] = "F32",
	[AXT_F64] = "F64",
	[AXT_C64] = "C64",
};

/* Floats of one byte, read as f32, and not written. E4M3 has no infinity, E8M0 no sign. */
static const struct {
	const char *word;
	struct axt_number layout;
} numbers[] = {
	{ "F8_E4M3",
	    { .dtype = AXT_F32,
		.size = 1,
		.is_float = true,
		.spos = 7,
		.epos = 3,
		.esize = 4,
		.msize = 3,
		.bias = 7,
		.implied = true,
		.finite = true } },
	{ "F8_E5M2",
	    { .dtype = AXT_F32,
		.size = 1,
		.is_float = true,
		.spos = 7,
		.epos = 2,
		.esize = 5,
		.msize = 2,
		.bias = 15,
		.implied = true } },
	{ "F8_E8M0",
	    { .dtype = AXT_F32,
		.size = 1,
		.is_float = true,
		.spos = -1,
		.esize = 8,
		.bias = 127,
		.implied = true,
		.finite = true,
		.no_zero = true } },
};

/* ---- reading ---- */

struct tensor {
	const char *name, *dtype;
	int rank;
	int64_t dim[AXT_MAX_RANK];
	uint64_t begin, end;
	bool has_dtype, has_shape, has_offsets;
};

#define AXES "axt_axes."
struct note { /* __metadata__: which axes a tensor has */
	const char *name, *axes;
	struct note *next;
};

struct json {
	struct axt_fr *r;
	const char *start, *p, *stop;
	struct tensor *t;
	size_t n, cap;
	struct note *notes;
	const struct axt_attr *attrs; /* the rest of __metadata__ */
	bool has_meta;
};

static int
bad(struct json *j, const char *what)
{
	return axt_fr_bad(j->r, "byte %td of its header: %s", j->p - j->start + 8, what);
}

static void
blanks(struct json *j)
{
	while (j->p < j->stop && strchr(" \t\n\r", *j->p) && *j->p)
		j->p++;
}

static bool
take(struct json *j, char c)
{
	blanks(j);
	if (j->p == j->stop || *j->p != c)
		return false;
	j->p++;
	return true;
}

/* ---- strings ---- */

static int
hex4(const char *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = (unsigned char)p[i],
		    d = c >= '0' && c <= '9'             ? c - '0'
		    : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
							 : -1;

		if (d < 0)
			return -1;
		v = v << 4 | d;
	}
	return v;
}

static char *
put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 63));
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	}
	return out;
}

/* Reads \uXXXX, or a pair of them if the first is a surrogate, into *c. */
static bool
escaped_code(struct json *j, uint32_t *c)
{
	int hi, lo;

	if (j->stop - j->p < 4 || (hi = hex4(j->p)) <= 0)
		return false;
	j->p += 4;
	*c = (uint32_t)hi;
	if (hi < 0xd800 || hi > 0xdfff)
		return true;
	if (hi > 0xdbff || j->stop - j->p < 6 || j->p[0] != '\\' || j->p[1] != 'u' ||
	    (lo = hex4(j->p + 2)) < 0xdc00 || lo > 0xdfff)
		return false;
	j->p += 6;
	*c = 0x10000 + ((uint32_t)(hi - 0xd800) << 10) + (uint32_t)(lo - 0xdc00);
	return true;
}

/* Reads a string into the arena. */
static int
string(struct json *j, const char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *end, *at;
	char *s, *w;
	uint32_t c;

	blanks(j);
	if (j->p == j->stop || *j->p != '"')
		return bad(j, "a string is expected");
	for (end = j->p + 1; end < j->stop && *end != '"'; end++)
		end += *end == '\\' && end + 1 < j->stop;
	if (end >= j->stop)
		return bad(j, "a string has no end");
	s = w = axt_alloc(j->r->m, (size_t)(end - j->p));
	if (!s)
		return axt_fr_oom(j->r);
	for (j->p++; j->p < end;) {
		if ((unsigned char)*j->p < 0x20)
			return bad(j, "a control byte in a string");
		if (*j->p != '\\') {
			*w++ = *j->p++;
			continue;
		}
		j->p++;
		if (*j->p == 'u') {
			j->p++;
			if (!escaped_code(j, &c))
				return bad(j, "a bad \\u in a string");
			w = put_utf8(w, c);
			continue;
		}
		at = memchr(from, *j->p, sizeof(from) - 1);
		if (!at)
			return bad(j, "a bad escape in a string");
		*w++ = to[at - from];
		j->p++;
	}
	j->p = end + 1;
	for (at = s; *at; at += axt_utf8(at, &c))
		if (axt_utf8(at, &c) == 0)
			return bad(j, "a string before here is no UTF-8");
	*out = s;
	return 0;
}

/* ---- numbers ---- */

static int
whole(struct json *j, int64_t *out)
{
	char word[24];
	size_t n = 0;

	blanks(j);
	while (j->p < j->stop && *j->p >= '0' && *j->p <= '9' && n < sizeof(word) - 1)
		word[n++] = *j->p++;
	word[n] = '\0';
	if (n == 0 || (n > 1 && word[0] == '0') || !axt_parse_int(word, 0, INT64_MAX, out))
		return bad(j, "a whole number from 0 to 2^63 - 1 is expected");
	return 0;
}

/* Reads a list such as "[1, 2]", of at most max numbers. */
static int
list(struct json *j, int64_t *v, int max, int *n)
{
	*n = 0;
	if (!take(j, '['))
		return bad(j, "a list is expected");
	if (take(j, ']'))
		return 0;
	do {
		if (*n == max)
			return bad(j, "a list is too long");
		if (whole(j, &v[(*n)++]))
			return j->r->e->code;
	} while (take(j, ','));
	return take(j, ']') ? 0 : bad(j, "a comma or the end of a list is expected");
}

/* ---- objects ---- */

static int
members(struct json *j, int (*member)(struct json *j, const char *key, void *ctx), void *ctx)
{
	const char *key;

	if (!take(j, '{'))
		return bad(j, "an object is expected");
	if (take(j, '}'))
		return 0;
	do {
		if (string(j, &key))
			return j->r->e->code;
		if (!take(j, ':'))
			return bad(j, "a colon is expected");
		if (member(j, key, ctx))
			return j->r->e->code;
	} while (take(j, ','));
	return take(j, '}') ? 0 : bad(j, "a comma or the end of an object is expected");
}

static int
tensor_member(struct json *j, const char *key, void *ctx)
{
	struct tensor *t = ctx;
	int64_t at[2];
	int n;

	if (strcmp(key, "dtype") == 0 && !t->has_dtype) {
		t->has_dtype = true;
		return string(j, &t->dtype);
	}
	if (strcmp(key, "shape") == 0 && !t->has_shape) {
		t->has_shape = true;
		return list(j, t->dim, AXT_MAX_RANK, &t->rank);
	}
	if (strcmp(key, "data_offsets") == 0 && !t->has_offsets) {
		t->has_offsets = true;
		if (list(j, at, 2, &n))
			return j->r->e->code;
		if (n != 2 || at[0] > at[1])
			return bad(j, "data_offsets must be two rising numbers");
		t->begin = (uint64_t)at[0];
		t->end = (uint64_t)at[1];
		return 0;
	}
	return bad(j, "a tensor has dtype, shape and data_offsets, each once");
}

static int
meta_member(struct json *j, const char *key, void *ctx)
{
	struct note *x;
	const char *text;

	(void)ctx;
	if (string(j, &text))
		return j->r->e->code;
	if (strncmp(key, AXES, sizeof(AXES) - 1) != 0) {
		const struct axt_attr *l = axt_attr_set(j->r->m, j->attrs,
		    &(struct axt_attr){ .name = key, .kind = AXT_ATTR_TEXT, .text = text });

		j->attrs = l;
		return l ? 0 : axt_fr_oom(j->r);
	}
	x = axt_alloc(j->r->m, sizeof(*x));
	if (!x)
		return axt_fr_oom(j->r);
	*x = (struct note){ key + sizeof(AXES) - 1, text, j->notes };
	j->notes = x;
	return 0;
}

static int
top_member(struct json *j, const char *key, void *ctx)
{
	struct tensor *t;

	(void)ctx;
	if (strcmp(key, "__metadata__") == 0) {
		if (j->has_meta)
			return bad(j, "a second __metadata__");
		j->has_meta = true;
		return members(j, meta_member, NULL);
	}
	if (j->n == j->cap) {
		size_t cap = j->cap * 2 + 64;
		void *p = realloc(j->t, cap * sizeof(*j->t));

		if (!p)
			return axt_fr_oom(j->r);
		j->t = p;
		j->cap = cap;
	}
	t = &j->t[j->n++];
	*t = (struct tensor){ .name = key };
	if (members(j, tensor_member, t))
		return j->r->e->code;
	return t->has_dtype && t->has_shape && t->has_offsets
	    ? 0
	    : bad(j, "a tensor lacks dtype, shape or data_offsets");
}

/* ---- tensors ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(struct tensor *const *)a)->name, (*(struct tensor *const *)b)->name);
}

static int
by_place(const void *a, const void *b)
{
	const struct tensor *x = *(struct tensor *const *)a, *y = *(struct tensor *const *)b;

	return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1)
	    : x->end != y->end      ? (x->end < y->end ? -1 : 1)
				    : 0;
}

/* Checks that names differ, and that values cover the rest of the file without gap or overlap. */
static int
check_places(struct json *j, uint64_t data)
{
	struct tensor **o = malloc((j->n + 1) * sizeof(struct tensor *));
	struct axt_fr *r = j->r;
	uint64_t end = 0;
	int rc = o ? 0 : axt_fr_oom(r);

	for (size_t i = 0; o && i < j->n; i++)
		o[i] = &j->t[i];
	if (o && j->n)
		qsort(o, j->n, sizeof(*o), by_name);
	for (size_t i = 1; i < j->n && !rc; i++)
		if (strcmp(o[i - 1]->name, o[i]->name) == 0)
			rc = axt_fr_bad(r, "names two tensors \"%s\"",
			    axt_escape(r->m, o[i]->name));
	if (o && j->n)
		qsort(o, j->n, sizeof(*o), by_place);
	for (size_t i = 0; i < j->n && !rc; end = o[i++]->end)
		if (o[i]->begin != end)
			rc = axt_fr_bad(r,
			    "the values of \"%s\" begin at byte %" PRIu64
			    ", those before them end at %" PRIu64,
			    axt_escape(r->m, o[i]->name), o[i]->begin, end);
	free(o);
	r->out->end = data + end;
	return rc;
}

/* Takes the names of axes that the writer noted in __metadata__, if they fit the shape. */
static void
noted_axes(struct json *j, struct axt_foreign_item *t)
{
	struct axt_err ignore = { 0 };
	struct axt_axes x;

	for (struct note *n = j->notes; n; n = n->next)
		if (strcmp(n->name, t->name) == 0 &&
		    axt_axes_parse(j->r->m, n->axes, false, &x, NULL, &ignore) == 0 &&
		    x.n == t->axes.n) {
			for (int i = 0; i < x.n; i++) {
				t->axes.a[i].name = x.a[i].name;
				t->axes.a[i].level = x.a[i].level;
			}
			return;
		}
}

static int
fill(struct json *j, const struct tensor *s, struct axt_foreign_item *t, uint64_t data)
{
	struct axt_fr *r = j->r;
	uint64_t size;
	char shown[64];

	t->name = s->name;
	if (axt_fr_axes(r, t, s->rank, s->dim, NULL))
		return r->e->code;
	t->dtype = AXT_DTYPE_AUTO;
	for (int i = AXT_BOOL; i < AXT_NDTYPES; i++)
		if (words[i] && strcmp(s->dtype, words[i]) == 0)
			t->dtype = (enum axt_dtype)i;
	for (int i = 0; i < ARRAY_LEN(numbers); i++)
		if (strcmp(s->dtype, numbers[i].word) == 0) {
			t->number = &numbers[i].layout;
			t->dtype = t->number->dtype;
		}
	if (!t->dtype) {
		axt_escape_to(shown, sizeof(shown), s->dtype);
		t->why = axt_sprintf(r->m, "has dtype %s, which axt has not", shown);
		return t->why ? 0 : axt_fr_oom(r);
	}
	if (axt_fr_sized(r, t))
		return r->e->code;
	size = (uint64_t)axt_size(t->dtype);
	t->bytes = t->number ? t->bytes / size * (uint64_t)t->number->size : t->bytes;
	if (t->bytes != s->end - s->begin)
		return axt_fr_bad(r,
		    "\"%s\" has %" PRIu64 " bytes, and its shape and dtype %" PRIu64,
		    axt_escape(r->m, s->name), s->end - s->begin, t->bytes);
	t->offset = data + s->begin;
	noted_axes(j, t);
	return 0;
}

static int
parse(struct json *j, uint64_t data)
{
	struct axt_fr *r = j->r;
	struct axt_foreign_item *t;

	if (members(j, top_member, NULL))
		return r->e->code;
	blanks(j);
	if (j->p != j->stop)
		return bad(j, "something follows the object");
	if (check_places(j, data) || !(t = axt_fr_items(r, (int)j->n)))
		return r->e->code;
	r->f->attrs = j->attrs;
	for (size_t i = 0; i < j->n; i++)
		if (fill(j, &j->t[i], &t[i], data))
			return r->e->code;
	return 0;
}

static int
sniff(const uint8_t *p, size_t n)
{
	return n >= 10 && p[8] == '{' && p[6] == 0 && p[7] == 0 ? AXT_SNIFF_SURE : AXT_SNIFF_NO;
}

static int
read_safetensors(struct axt_fr *r)
{
	struct json j = { .r = r };
	uint8_t head[8];
	uint64_t len;
	char *text;
	int rc;

	if (axt_fr_bytes(r, 0, 8, head))
		return r->e->code;
	len = axt_le(head, 8);
	if (len > (uint64_t)MIN(LONGEST, r->o->memory))
		return axt_fr_bad(r, "its header would have %" PRIu64 " bytes", len);
	if (!r->f->stream && len > (uint64_t)r->f->id.size - 8)
		return axt_fr_bad(r, "ends after %" PRIu64 " bytes, within its header of %" PRIu64,
		    (uint64_t)r->f->id.size, len);
	text = malloc((size_t)len + 1);
	if (!text)
		return axt_fr_oom(r);
	rc = axt_fr_bytes(r, 8, (size_t)len, text);
	j.start = j.p = text;
	j.stop = text + len;
	if (rc == 0)
		rc = parse(&j, 8 + len);
	free(j.t);
	free(text);
	return rc;
}

/* ---- writing ---- */

/* Checks that the name of tensor i is UTF-8, and that no other tensor has it. */
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

/*
 * Writes __metadata__: text attributes of the file, but not its history, so that equal tensors make
 * equal files; and the names of the axes, where axt-from finds them.
 */
static void
metadata(struct axt_fout *o)
{
	struct axt_buf *b = &o->head;
	bool first = true;

	axt_buf_adds(b, "\"__metadata__\":{");
	for (const struct axt_attr *a = o->o.attrs; a; a = a->next) {
		if (a->kind != AXT_ATTR_TEXT || strcmp(a->name, "history") == 0 ||
		    strncmp(a->name, AXES, sizeof(AXES) - 1) == 0)
			continue;
		axt_buf_adds(b, first ? "" : ",");
		axt_json_string(b, a->name);
		axt_buf_adds(b, ":");
		axt_json_string(b, a->text);
		first = false;
	}
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
		axt_json_string(b, axt_sprintf(o->m, AXES "%s", o->v[i].name));
		axt_buf_adds(b, ":");
		axt_json_string(b, s ? s : "");
		first = false;
	}
	axt_buf_adds(b, "}");
}

static int
write_head(struct axt_fout *o, struct axt_err *e)
{
	struct axt_buf *b = &o->head;
	uint64_t n;

	axt_buf_add(b, "\0\0\0\0\0\0\0", 8);
	axt_buf_adds(b, "{");
	metadata(o);
	for (int i = 0; i < o->n; i++) {
		const struct axt_out_var *v = &o->v[i];

		if (check_name(o, i, e))
			return e->code;
		if (!words[v->dtype]) {
			axt_fail(e, AXT_E_DTYPE, "safetensors have no dtype %s",
			    axt_dtypes[v->dtype].name);
			axt_hint_option(e, "dtype", "c64");
			return e->code;
		}
		axt_buf_adds(b, ",");
		axt_json_string(b, v->name);
		axt_buf_addf(b, ":{\"dtype\":\"%s\",\"shape\":[", words[v->dtype]);
		for (int k = 0; k < v->axes.n; k++)
			axt_buf_addf(b, "%s%" PRId64, k ? "," : "", v->axes.a[k].len);
		axt_buf_addf(b, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", o->sinks[i].base,
		    o->sinks[i].base + o->sinks[i].bytes);
	}
	axt_buf_adds(b, "}");
	while (b->n % 64 && !b->bad)
		axt_buf_adds(b, " ");
	if (b->bad)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	n = b->n - 8;
	for (int i = 0; i < 8; i++)
		b->p[i] = (char)(n >> 8 * i & 255);
	return 0;
}

const struct axt_format_fns axt_format_safetensors = {
	.suffix = { { ".safetensors", true } },
	.many = true,
	.operand = true,
	.sniff = sniff,
	.read = read_safetensors,
	.head = write_head,
};
