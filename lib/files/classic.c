/*
 * classic.c - netCDF classic as one of the kinds of files that are read: its header is parsed, and
 * its variables become datasets. CDF-1 has lengths and offsets of 4 bytes, CDF-2 offsets of 8,
 * CDF-5 lengths and offsets of 8, and more types. Everything is big-endian.
 * source  NetCDF File Format Specifications, "The NetCDF Classic Format Specification"; CDF-5
 */
#include "files/inner.h"

#include <stdlib.h>

#define MAX_ITEMS 100000 /* dimensions, attributes of one list, variables */
#define MAX_ATTRS ((size_t)64 << 20)
#define PIECE (64 << 10)

enum { TAG_DIMS = 10, TAG_VARS = 11, TAG_ATTRS = 12 };

/* The types by their number in the file. 0: AXT_DTYPE_AUTO, of text. From 7 on they are CDF-5's. */
static const enum axt_dtype types[] = { 0, AXT_I8, 0, AXT_I16, AXT_I32, AXT_F32, AXT_F64, AXT_U8,
	AXT_U16, AXT_U32, AXT_I64, AXT_U64 };
enum { TYPE_TEXT = 2 };

struct dim {
	const char *name;
	int64_t len; /* 0: it is the one of the records */
};
struct var {
	const char *name;
	int type, rank;
	bool record; /* its first dimension is that of the records */
	int *dim;
	const struct axt_attr *attrs;
	uint64_t begin, told; /* where its values begin; how many bytes the header tells */
	uint64_t bytes;       /* that its values have; of one record if it has records */
};
/* What is kept of a file. */
struct classic {
	int ndims, nvars, nbare; /* nbare: dimensions that nothing lies along */
	struct dim *dim;
	struct var *var;
	uint64_t record; /* bytes from one record to the next */
	uint64_t nrecords;
};
/* The header while it is parsed. */
struct head {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_err *e;
	int version;
	uint64_t at; /* where buf[0] is in the file */
	size_t n, pos;
	size_t attr_bytes;
	uint8_t *buf;
};

static int damaged(struct head *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int
damaged(struct head *h, const char *fmt, ...)
{
	char text[400], name[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	axt_escape_to(name, sizeof(name), h->f->path);
	return axt_fail(h->e, AXT_E_DAMAGED, "%s: is damaged: %s", name, text);
}

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

bool
axt_is_classic(struct axt_file *f)
{
	uint8_t p[4];

	if (f->stream ? !axt_src_pull(f->src, 4) : f->src->size < 4)
		return false;
	return axt_src_read(f->src, 0, 4, p) == 0 && memcmp(p, "CDF", 3) == 0 &&
	    (p[3] == 1 || p[3] == 2 || p[3] == 5);
}

/* ---- the bytes of the header ---- */

/* Copies the next n bytes of the header; out NULL: passes over them. */
static int
take(struct head *h, size_t n, void *out)
{
	struct axt_src *s = h->f->src;
	uint8_t *to = out;

	while (n > 0) {
		size_t k = MIN(n, h->n - h->pos);

		if (k == 0) {
			h->at += h->n;
			h->pos = 0;
			h->n = (size_t)MIN(s->size - h->at, (uint64_t)PIECE);
			if (h->n == 0)
				return damaged(h, "it ends at byte %llu, within its header",
				    (unsigned long long)s->size);
			if (axt_src_read(s, h->at, h->n, h->buf))
				return axt_fail(h->e, AXT_E_IO, "%s: %s",
				    axt_escape(h->m, h->f->path), s->why);
			continue;
		}
		if (to)
			memcpy(to, h->buf + h->pos, k);
		to = to ? to + k : NULL;
		h->pos += k;
		n -= k;
	}
	return 0;
}

/* An unsigned number of 4 or 8 bytes. */
static int
number(struct head *h, int bytes, uint64_t *out)
{
	uint8_t p[8];

	*out = 0;
	if (take(h, (size_t)bytes, p))
		return h->e->code;
	for (int i = 0; i < bytes; i++)
		*out = *out << 8 | p[i];
	return 0;
}

static int
length(struct head *h, uint64_t *out)
{
	return number(h, h->version == 5 ? 8 : 4, out);
}

/* The number of items of a list; `tag` says which list it must be. */
static int
items(struct head *h, unsigned tag, const char *what, int *n)
{
	uint64_t t, k;

	if (number(h, 4, &t) || length(h, &k))
		return h->e->code;
	if (t != tag && (t || k))
		return damaged(h, "its list of %s begins with %llu", what, (unsigned long long)t);
	if (k > MAX_ITEMS)
		return axt_fail(h->e, AXT_E_LIMIT, "%s: holds %llu %s, over %d",
		    axt_escape(h->m, h->f->path), (unsigned long long)k, what, MAX_ITEMS);
	*n = (int)k;
	return 0;
}

/* n bytes, which are filled up to a multiple of 4, in the arena and with a zero behind them. */
static void *
padded(struct head *h, uint64_t n)
{
	uint8_t *p;

	if (n > MAX_ATTRS - h->attr_bytes) {
		axt_fail(h->e, AXT_E_LIMIT, "%s: names and attributes over %zu MiB",
		    axt_escape(h->m, h->f->path), MAX_ATTRS >> 20);
		return NULL;
	}
	if (n > h->f->src->size) {
		damaged(h, "a text of %llu bytes is longer than the file", (unsigned long long)n);
		return NULL;
	}
	h->attr_bytes += (size_t)n;
	p = axt_alloc(h->m, (size_t)n + 1);
	if (!p) {
		nomem(h->e);
		return NULL;
	}
	p[n] = 0;
	return take(h, (size_t)n, p) || take(h, (size_t)(-n & 3), NULL) ? NULL : p;
}

/* The netCDF library leaves zeros at the end of a name when it makes the name shorter. */
static const char *
name(struct head *h)
{
	uint64_t n;
	const char *s = length(h, &n) ? NULL : padded(h, n);
	uint32_t c;
	int k;

	while (s && n > 0 && !s[n - 1])
		n--;
	if (s && (n == 0 || strlen(s) != n || strchr(s, '/')))
		s = (damaged(h, "a name is empty or holds a zero or a slash"), NULL);
	for (const char *p = s; p && *p; p += k)
		if ((k = axt_utf8(p, &c)) == 0)
			return damaged(h, "a name is no UTF-8"), NULL;
	return s;
}

/* ---- its lists ---- */

static int
dims(struct head *h, struct classic *c)
{
	bool records = false;

	if (items(h, TAG_DIMS, "dimensions", &c->ndims))
		return h->e->code;
	c->dim = axt_alloc(h->m, ((size_t)c->ndims + 1) * sizeof(*c->dim));
	if (!c->dim)
		return nomem(h->e);
	for (int i = 0; i < c->ndims; i++) {
		uint64_t len;

		if (!(c->dim[i].name = name(h)) || length(h, &len))
			return h->e->code;
		if (len > INT64_MAX)
			return damaged(h, "dimension %s has an impossible length",
			    axt_escape(h->m, c->dim[i].name));
		if (len == 0 && records)
			return damaged(h, "two dimensions are unlimited");
		records = records || len == 0;
		c->dim[i].len = (int64_t)len;
	}
	return 0;
}

static int
type_of(struct head *h, int *out)
{
	uint64_t t;

	if (number(h, 4, &t))
		return h->e->code;
	if (t == 0 || t >= (h->version == 5 ? ARRAY_LEN(types) : 7))
		return damaged(h, "a type has number %llu", (unsigned long long)t);
	*out = (int)t;
	return 0;
}

static int
size_of(int type)
{
	return type == TYPE_TEXT ? 1 : axt_size(types[type]);
}

static int
attr(struct head *h, struct axt_attr *a)
{
	static const int64_t none = 0;
	uint64_t n;
	int type = 0, size;
	void *p;

	if (!(a->name = name(h)) || type_of(h, &type) || length(h, &n))
		return h->e->code;
	size = size_of(type);
	if (n > h->f->src->size)
		return damaged(h, "attribute %s has %llu values", axt_escape(h->m, a->name),
		    (unsigned long long)n);
	if (!(p = padded(h, n * (uint64_t)size)))
		return h->e->code;
	a->n = (int64_t)n;
	if (type == TYPE_TEXT) {
		a->kind = AXT_ATTR_TEXT;
		a->n = n > 0;
		a->text = axt_h5_string(h->m, p, (size_t)n, false);
		return a->text ? 0 : nomem(h->e);
	}
	a->kind = AXT_ATTR_NUM;
	a->dims = n == 0 ? &none : NULL; /* a list of no numbers, and not nothing */
	a->rank = n == 0;
	a->dtype = types[type];
	a->data = p;
	axt_swap_items(p, a->n, size);
	return 0;
}

static int
attrs(struct head *h, const struct axt_attr **out)
{
	struct axt_attr *first = NULL, **end = &first, *a;
	int n = 0;

	if (items(h, TAG_ATTRS, "attributes", &n))
		return h->e->code;
	for (int i = 0; i < n; i++) {
		a = axt_alloc(h->m, sizeof(*a));
		if (!a)
			return nomem(h->e);
		*a = (struct axt_attr){ 0 };
		if (attr(h, a))
			return h->e->code;
		*end = a;
		end = &a->next;
	}
	*out = first;
	return 0;
}

/* How many bytes the values of a variable have, those of one record if it has records. */
static int
extent(struct head *h, const struct classic *c, struct var *v)
{
	int64_t n = size_of(v->type);

	for (int k = 0; k < v->rank; k++) {
		int64_t len = c->dim[v->dim[k]].len;

		if (len == 0 && k > 0)
			return damaged(h, "%s has the unlimited dimension behind another one",
			    axt_escape(h->m, v->name));
		v->record = v->record || len == 0;
		if (len > 0 && !axt_mul(n, len, &n))
			return damaged(h, "%s is too large", axt_escape(h->m, v->name));
	}
	v->bytes = (uint64_t)n;
	return 0;
}

static int
var(struct head *h, const struct classic *c, struct var *v)
{
	uint64_t n, id, plain, up;

	if (!(v->name = name(h)) || length(h, &n))
		return h->e->code;
	if (n > 1024)
		return damaged(h, "%s has %llu dimensions", axt_escape(h->m, v->name),
		    (unsigned long long)n);
	v->rank = (int)n;
	v->dim = axt_alloc(h->m, (size_t)(n + 1) * sizeof(*v->dim));
	if (!v->dim)
		return nomem(h->e);
	for (int k = 0; k < v->rank; k++) {
		if (length(h, &id))
			return h->e->code;
		if (id >= (uint64_t)c->ndims)
			return damaged(h, "%s has dimension %llu of %d", axt_escape(h->m, v->name),
			    (unsigned long long)id, c->ndims);
		v->dim[k] = (int)id;
	}
	if (attrs(h, &v->attrs) || type_of(h, &v->type) || length(h, &v->told) ||
	    number(h, h->version == 1 ? 4 : 8, &v->begin) || extent(h, c, v))
		return h->e->code;
	/* what the header tells cannot be right for more than 4 GiB, and is not used there */
	plain = v->bytes;
	up = (plain + 3) & ~(uint64_t)3;
	if (v->told != plain && v->told != up && up < ((uint64_t)1 << 31) &&
	    v->told < ((uint64_t)1 << 31))
		return damaged(h, "%s has %llu bytes by its dimensions, and %llu by its header",
		    axt_escape(h->m, v->name), (unsigned long long)plain,
		    (unsigned long long)v->told);
	return 0;
}

static int
vars(struct head *h, struct classic *c)
{
	if (items(h, TAG_VARS, "variables", &c->nvars))
		return h->e->code;
	c->var = axt_alloc(h->m, ((size_t)c->nvars + 1) * sizeof(*c->var));
	if (!c->var)
		return nomem(h->e);
	for (int i = 0; i < c->nvars; i++) {
		c->var[i] = (struct var){ 0 };
		if (var(h, c, &c->var[i]))
			return h->e->code;
	}
	return 0;
}

/* ---- where the values are ---- */

static int
by_begin(const void *a, const void *b)
{
	const struct var *x = *(const struct var *const *)a, *y = *(const struct var *const *)b;

	return x->record != y->record ? (x->record ? 1 : -1)
	    : x->begin != y->begin    ? (x->begin < y->begin ? -1 : 1)
				      : 0;
}

/*
 * Checks that the values of a variable do not overlap the header or the values of another one, and
 * that records begin behind all variables without records.
 */
static int
check_places(struct head *h, const struct classic *c, const struct var **v)
{
	uint64_t end = h->at + h->pos, first = 0;

	for (int i = 0; i < c->nvars; i++)
		v[i] = &c->var[i];
	if (c->nvars)
		qsort(v, (size_t)c->nvars, sizeof(*v), by_begin);
	for (int i = 0; i < c->nvars; i++) {
		if (v[i]->begin < end)
			return damaged(h, "the values of %s begin at byte %llu, before %llu",
			    axt_escape(h->m, v[i]->name), (unsigned long long)v[i]->begin,
			    (unsigned long long)end);
		if (v[i]->record && (i == 0 || !v[i - 1]->record))
			first = v[i]->begin;
		if (__builtin_add_overflow(v[i]->begin, v[i]->bytes, &end))
			return damaged(h, "%s is too large", axt_escape(h->m, v[i]->name));
		if (v[i]->record && end - first > c->record)
			return damaged(h, "%s reaches from one record into the next",
			    axt_escape(h->m, v[i]->name));
	}
	return 0;
}

/*
 * Finds the bytes of a record, in which each variable is filled up to a multiple of 4 bytes, unless
 * there is only one; and the number of records. A program that still writes may leave that number
 * open: then the length of the file tells it.
 */
static int
records(struct head *h, struct classic *c, uint64_t told)
{
	uint64_t open = h->version == 5 ? UINT64_MAX : UINT32_MAX, first = UINT64_MAX;
	int n = 0;

	for (int i = 0; i < c->nvars; i++) {
		const struct var *v = &c->var[i];

		if (!v->record)
			continue;
		n++;
		first = MIN(first, v->begin);
		if (__builtin_add_overflow(c->record, (v->bytes + 3) & ~(uint64_t)3, &c->record))
			return damaged(h, "its records are too large");
		if (n == 1)
			c->record = v->bytes;
		else if (n == 2)
			c->record = (c->record + 3) & ~(uint64_t)3;
	}
	c->nrecords = told;
	if (told == open)
		c->nrecords = n && c->record && first < h->f->src->size
		    ? (h->f->src->size - first) / c->record
		    : 0;
	if (c->nrecords > INT64_MAX)
		return damaged(h, "it tells %llu records", (unsigned long long)c->nrecords);
	return 0;
}

/* ---- datasets ---- */

/* The only variable along a dimension of its own name has that dimension's coordinates. */
static bool
is_coordinates(const struct classic *c, const struct var *v)
{
	return v->rank == 1 && strcmp(v->name, c->dim[v->dim[0]].name) == 0;
}

static int
describe(struct head *h, const struct classic *c, int i)
{
	const struct var *v = &c->var[i];
	struct axt_file *f = h->f;
	struct axt_dset *d = &f->dsets[i];
	struct axt_obj *o = &f->h5->objs[i];
	int64_t all = (int64_t)v->bytes;
	const char *t;

	*o = (struct axt_obj){ .addr = v->begin, .link = v->name, .esize = size_of(v->type) };
	*d = (struct axt_dset){ .name = v->name,
		.path = axt_sprintf(h->m, "/%s", v->name),
		.dtype = v->type == TYPE_TEXT ? AXT_U8 : types[v->type] };
	if (!d->path)
		return nomem(h->e);
	d->role = v->type == TYPE_TEXT ? AXT_ROLE_TEXT
	    : is_coordinates(c, v)     ? AXT_ROLE_SCALE
				       : AXT_ROLE_TENSOR;
	if (v->rank > AXT_MAX_RANK) {
		d->role = AXT_ROLE_OTHER;
		d->why = axt_sprintf(h->m, "it has %d dimensions, over %d", v->rank, AXT_MAX_RANK);
		return d->why ? 0 : nomem(h->e);
	}
	if (v->record && !axt_mul(all, (int64_t)MAX(c->nrecords, 1), &all))
		return damaged(h, "%s is too large", axt_escape(h->m, v->name));
	d->rank = v->rank;
	for (int k = 0; k < d->rank; k++)
		d->dims[k] = c->dim[v->dim[k]].len;
	if (v->record) {
		d->dims[0] = (int64_t)c->nrecords;
		o->unlimited = 1;
	}
	t = o->esize == 1 && v->type != TYPE_TEXT ? axt_attr_text(v->attrs, "dtype") : NULL;
	if (t && strcmp(t, "bool") == 0)
		d->dtype = AXT_BOOL;
	for (int k = 0; k < AXT_NNAMING; k++)
		if ((t = axt_attr_text(v->attrs, axt_naming[k])) &&
		    axt_file_words(h->m, f, i, t, k, h->e))
			return h->e->code;
	return 0;
}

/* Whether a variable lies along dimension k. */
static bool
is_used(const struct classic *c, int k)
{
	for (int i = 0; i < c->nvars; i++)
		for (int j = 0; j < c->var[i].rank; j++)
			if (c->var[i].dim[j] == k)
				return true;
	return false;
}

/* Lists the dimensions that nothing lies along, as axes without values. */
static int
bare_dimensions(struct head *h, struct classic *c)
{
	struct axt_file *f = h->f;

	for (int k = 0; k < c->ndims; k++) {
		struct axt_dset *d = &f->dsets[c->nvars + c->nbare];
		struct axt_obj *o = &f->h5->objs[c->nvars + c->nbare];

		if (is_used(c, k))
			continue;
		c->nbare++;
		*o = (struct axt_obj){ .link = c->dim[k].name, .esize = 1 };
		*d = (struct axt_dset){ .name = c->dim[k].name,
			.path = axt_sprintf(h->m, "/%s", c->dim[k].name),
			.dtype = AXT_I8,
			.role = AXT_ROLE_DIM,
			.rank = 1,
			.dims = { c->dim[k].len } };
		if (!d->path)
			return nomem(h->e);
		o->unlimited = c->dim[k].len == 0;
		if (o->unlimited)
			d->dims[0] = (int64_t)c->nrecords;
	}
	return 0;
}

static int
same_name(const void *a, const void *b)
{
	const struct var *x = *(const struct var *const *)a, *y = *(const struct var *const *)b;

	return strcmp(x->name, y->name);
}

/* Makes the datasets of the file from its header. */
static int
datasets(struct head *h, struct classic *c)
{
	const struct var **v = malloc(((size_t)c->nvars + 1) * sizeof(*v));

	if (!v || !axt_file_list(h->f, c->nvars + c->ndims)) {
		free(v);
		return nomem(h->e);
	}
	check_places(h, c, v);
	if (c->nvars)
		qsort(v, (size_t)c->nvars, sizeof(*v), same_name);
	for (int i = 1; i < c->nvars && !h->e->code; i++)
		if (strcmp(v[i - 1]->name, v[i]->name) == 0)
			damaged(h, "two variables are named %s", axt_escape(h->m, v[i]->name));
	free(v);
	for (int i = 0; i < c->nvars && !h->e->code; i++)
		describe(h, c, i);
	if (!h->e->code)
		bare_dimensions(h, c);
	h->f->ndsets = h->e->code ? 0 : c->nvars + c->nbare;
	h->f->h5->groups[0].attrs = h->f->attrs;
	return h->e->code;
}

/* A stream is read to its end: how many records there are may be known only there. */
static int
whole_stream(struct axt_file *f, struct axt_err *e)
{
	axt_src_pull(f->src, INT64_MAX);
	f->src->eoa = f->src->size;
	return axt_src_spool(f->src, f->path, e);
}

static int
list(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	struct classic *c = axt_alloc(m, sizeof(*c));
	struct head h = { .m = m, .f = f, .e = e, .buf = malloc(PIECE) };
	uint64_t told;
	uint8_t magic[4];

	if (!c || !h.buf) {
		free(h.buf);
		return nomem(e);
	}
	*c = (struct classic){ 0 };
	f->h5->own = c;
	if ((!f->stream || whole_stream(f, e) == 0) && take(&h, 4, magic) == 0) {
		h.version = magic[3];
		if (length(&h, &told) == 0 && dims(&h, c) == 0 && attrs(&h, &f->attrs) == 0 &&
		    vars(&h, c) == 0 && records(&h, c, told) == 0)
			datasets(&h, c);
	}
	free(h.buf);
	return e->code;
}

/* ---- one dataset ---- */

/* Where the values of a variable are, after checking that the file has them all. */
static int
place(const struct axt_file *f, const struct classic *c, const struct var *v, struct axt_storage *s,
    struct axt_err *e)
{
	uint64_t n = c->nrecords, size = f->src->size, last, end;

	s->layout = AXT_LAYOUT_NONE;
	if (s->count == 0)
		return 0;
	if (__builtin_mul_overflow(v->record ? n - 1 : 0, c->record, &last) ||
	    __builtin_add_overflow(v->begin, last, &last) ||
	    __builtin_add_overflow(last, v->bytes, &end) || end > size) {
		if (v->record && v->begin + v->bytes <= size)
			return axt_fail(e, AXT_E_DAMAGED,
			    "%s: the file ends at byte %llu, within record %llu of %llu", s->from,
			    (unsigned long long)size,
			    (unsigned long long)((size - v->begin - v->bytes) / c->record + 1),
			    (unsigned long long)n);
		return axt_fail(e, AXT_E_DAMAGED,
		    "%s: the file ends at byte %llu, and its values begin at %llu", s->from,
		    (unsigned long long)size, (unsigned long long)v->begin);
	}
	s->offset = v->begin;
	s->layout = v->record && n > 1 && c->record != v->bytes ? AXT_LAYOUT_RECORDS
								: AXT_LAYOUT_CONTIGUOUS;
	s->record = c->record;
	s->fd = f->src->spool;
	s->mem = f->src->mem ? f->src->mem + s->offset : NULL;
	axt_storage_cut(s);
	return 0;
}

static int
load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **out,
    struct axt_dims *x, struct axt_err *e)
{
	const struct classic *c = f->h5->own;
	const struct var *v = &c->var[i];
	struct axt_dset *d = &f->dsets[i];
	struct axt_storage *s = &d->st;

	*out = NULL;
	if (d->role == AXT_ROLE_DIM) {
		*s = (struct axt_storage){ .file = f, .fd = -1, .from = axt_h5_where(m, f, d) };
		return s->from ? 0 : nomem(e);
	}
	*out = v->attrs;
	for (int k = 0; x && k < d->rank; k++) {
		x->scale[k] = -1;
		x->label[k] = c->dim[v->dim[k]].name;
		for (int j = 0; j < c->nvars; j++)
			if (c->var[j].rank == 1 && c->var[j].dim[0] == v->dim[k] &&
			    is_coordinates(c, &c->var[j]))
				x->scale[k] = j;
	}
	if (d->loaded)
		return 0;
	*s = (struct axt_storage){ .dtype = d->dtype,
		.esize = f->h5->objs[i].esize,
		.swap = f->h5->objs[i].esize > 1,
		.rank = d->rank,
		.count = 1,
		.fd = -1,
		.file = f,
		.from = axt_h5_where(m, f, d) };
	if (!s->from)
		return nomem(e);
	for (int k = 0; k < d->rank; k++) {
		s->dims[k] = d->dims[k];
		s->count *= d->dims[k];
	}
	return place(f, c, v, s, e);
}

const struct axt_file_kind axt_kind_classic = { .list = list, .load = load };
