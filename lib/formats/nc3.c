/*
 * nc3.c - writes netCDF classic: a header, the coordinates and what belongs to the tensors, and the
 * tensors. The file is CDF-1; CDF-2 if offsets need more than 31 bits; CDF-5 if a dtype or a length
 * needs it. (files/classic.c reads such files, as operands.)
 * source  NetCDF File Format Specifications, "The NetCDF Classic Format Specification"; CDF-5
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/quote.h"
#include "formats/sinks.h"

enum { TAG_DIMS = 10, TAG_VARS = 11, TAG_ATTRS = 12 };
enum { TYPE_TEXT = 2 };

/* The type of each dtype; those above 6 are CDF-5's. 0: there is none. */
static const int types[AXT_NDTYPES] = { [AXT_BOOL] = 1,
	[AXT_I8] = 1,
	[AXT_I16] = 3,
	[AXT_I32] = 4,
	[AXT_F32] = 5,
	[AXT_F64] = 6,
	[AXT_U8] = 7,
	[AXT_U16] = 8,
	[AXT_U32] = 9,
	[AXT_I64] = 10,
	[AXT_U64] = 11 };

struct dim {
	const char *name;
	int64_t len;
};
struct var {
	const char *name;
	int type, rank, dim[AXT_MAX_RANK + 1];
	const struct axt_attr *attrs;
	bool is_bool;
	bool records; /* its first axis is that of records, of which there are none */
	int64_t bytes;
	uint64_t begin;
	/* of what is written with the header: its values, text or numbers; NULL: a tensor's */
	const void *data;
	bool text;
	enum axt_dtype dtype;
	int64_t n, width; /* of text: bytes of each */
};
struct file {
	struct axt_fout *o;
	struct axt_err *e;
	int version;
	struct dim *dim;
	struct var *var;
	int ndims, nvars, room;
	const char *empty; /* the axis of records, if there are none */
};

static int
oom(struct file *f)
{
	return axt_fail(f->e, AXT_E_MEM, "out of memory");
}

/* ---- dimensions ---- */

static int
add_dim(struct file *f, const char *name, int64_t len)
{
	for (int i = 0; i < f->ndims; i++)
		if (strcmp(f->dim[i].name, name) == 0) {
			if (f->dim[i].len == len)
				return i;
			axt_fail(f->e, AXT_E_AXES,
			    "axis %s has lengths %" PRId64 " and %" PRId64
			    ", and a file of netCDF classic has one of each name",
			    axt_escape(f->o->m, name), f->dim[i].len, len);
			axt_hint(f->e, "axt-rename %s one of them",
			    axt_quoted(f->o->m, axt_sprintf(f->o->m, "%s=OTHER", name)));
			return -1;
		}
	f->dim[f->ndims] = (struct dim){ name, len };
	return f->ndims++;
}

static int
add_axes(struct file *f, const struct axt_axes *x, struct var *v)
{
	v->rank = x->n;
	for (int k = 0; k < x->n; k++) {
		const char *name = axt_axis_spell(f->o->m, &x->a[k]);

		if (!name)
			return oom(f);
		if (x->a[k].len == 0 && (k > 0 || (f->empty && strcmp(f->empty, name) != 0)))
			return axt_fail(f->e, AXT_E_AXES,
			    "axis %s has no positions: netCDF classic has one such axis, the first",
			    axt_escape(f->o->m, name));
		if (x->a[k].len == 0)
			f->empty = name;
		v->records = v->records || x->a[k].len == 0;
		v->dim[k] = add_dim(f, name, x->a[k].len);
		if (v->dim[k] < 0)
			return f->e->code;
	}
	return 0;
}

/*
 * Text becomes bytes, with one more dimension as long as the longest text. Text of single
 * characters gets no such dimension.
 */
static int
add_text(struct file *f, struct var *v, bool chars)
{
	const char *const *s = v->data;
	char *name;

	v->type = TYPE_TEXT;
	v->width = 1;
	for (int64_t i = 0; i < v->n; i++)
		v->width = MAX(v->width, (int64_t)strlen(s[i]));
	v->bytes = v->n * v->width;
	if (chars && v->width == 1 && v->rank > 0)
		return 0;
	name = axt_sprintf(f->o->m, "string%" PRId64, v->width);
	if (!name)
		return oom(f);
	v->dim[v->rank++] = add_dim(f, name, v->width);
	return v->dim[v->rank - 1] < 0 ? (int)f->e->code : 0;
}

/* ---- numbers that classic has no type for ---- */

/* Whether a list of numbers of this dtype needs CDF-5, or which type it gets otherwise. */
static int
type_of(const struct file *f, enum axt_dtype d, const void *p, int64_t n)
{
	int size = axt_size(d), type = types[d];
	double most = 0;

	if (type && (type <= 6 || f->version == 5))
		return type;
	if (axt_dtypes[d].cls == AXT_CLASS_FLOAT)
		return 5; /* f16, bf16 */
	for (int64_t i = 0; i < n; i++)
		most = fmax(most, fabs(axt_load_f64(d, (const char *)p + i * size)));
	return d == AXT_U8 ? 3 : most <= INT32_MAX ? 4 : most <= 0x1p53 ? 6 : 0;
}

/* Adds n numbers, big-endian, as they are or as a smaller type. */
static void
put_numbers(struct axt_buf *b, enum axt_dtype d, const void *p, int64_t n, int type)
{
	int size = axt_size(d);
	const char *q = p;

	if (type == types[d]) {
		size_t at = b->n;

		axt_buf_add(b, p, (size_t)(n * size));
		if (!b->bad)
			axt_swap_items(b->p + at, n, size);
		return;
	}
	for (int64_t i = 0; i < n; i++) {
		double v = axt_load_f64(d, q + i * size);
		int16_t h;
		int32_t w;
		float g;

		switch (type) {
		case 3:
			h = (int16_t)v;
			axt_swap_items(&h, 1, 2);
			axt_buf_add(b, (char *)&h, 2);
			break;
		case 4:
			w = (int32_t)v;
			axt_swap_items(&w, 1, 4);
			axt_buf_add(b, (char *)&w, 4);
			break;
		case 5:
			g = (float)v;
			axt_swap_items(&g, 1, 4);
			axt_buf_add(b, (char *)&g, 4);
			break;
		default: axt_swap_items(&v, 1, 8); axt_buf_add(b, (char *)&v, 8);
		}
	}
}

static int
size_of(int type)
{
	static const int sizes[] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 };

	return sizes[type];
}

/* The labels of axes as an attribute of one text, in which each has a line. */
static const struct axt_attr *
with_labels(struct axt_arena *m, const struct axt_attr *l, const struct axt_axes *x)
{
	const struct axt_attr *labels = x ? axt_axes_labels(m, x) : NULL;
	struct axt_attr *a = labels ? axt_alloc(m, sizeof(*a)) : NULL;
	const char *all = "";

	for (int k = 0; a && all && k < x->n; k++)
		all = axt_sprintf(m, "%s%s%s", all, k ? "\n" : "", axt_axis_label(m, &x->a[k]));
	if (!a || !all)
		return l;
	*a = (struct axt_attr){ .name = AXT_LABELS, .kind = AXT_ATTR_TEXT, .text = all };
	return axt_attr_set(m, l, a);
}

/* Attributes of integers that no smaller type holds need CDF-5. */
static const struct axt_attr *
attrs_of(struct file *f, const struct axt_attr *l, const struct axt_axes *x)
{
	for (const struct axt_attr *a = l; a; a = a->next)
		if (a->kind == AXT_ATTR_NUM && types[a->dtype] &&
		    !type_of(f, a->dtype, a->data, a->n))
			f->version = 5;
	return with_labels(f->o->m, axt_enum_flags(f->o->m, l), x);
}

/* ---- what there is to write ---- */

static struct var *
new_var(struct file *f, const char *name)
{
	struct var *v;

	for (int i = 0; i < f->nvars; i++)
		if (strcmp(f->var[i].name, name) == 0)
			return NULL;
	v = &f->var[f->nvars++];
	*v = (struct var){ .name = name };
	return v;
}

/* The values that are known already: coordinates, and datasets that belong to tensors. */
static int
add_known(struct file *f, const char *name, const struct axt_axes *x, const struct axt_attr *attrs,
    enum axt_dtype d, bool text, bool chars, const void *data, int64_t n)
{
	struct var *v = name ? new_var(f, name) : NULL;

	if (!name)
		return oom(f);
	if (!v)
		return 0;
	v->attrs = attrs_of(f, attrs, x);
	v->data = data;
	v->dtype = d;
	v->n = n;
	v->text = text;
	if (add_axes(f, x, v) || (text && add_text(f, v, chars)))
		return f->e->code;
	if (text)
		return 0;
	v->type = type_of(f, d, data, n);
	v->is_bool = d == AXT_BOOL;
	if (!v->type || axt_dtypes[d].cls == AXT_CLASS_COMPLEX) {
		f->version = 5;
		v->type = types[d];
	}
	if (!v->type)
		return axt_fail(f->e, AXT_E_DTYPE, "%s: netCDF classic has no dtype %s",
		    axt_escape(f->o->m, name), axt_dtypes[d].name);
	v->bytes = n * size_of(v->type);
	return 0;
}

static bool
has_tensor(const struct file *f, const char *name)
{
	for (int i = 0; i < f->o->n; i++)
		if (strcmp(f->o->v[i].name, name) == 0)
			return true;
	return false;
}

/* Whether a tensor has the coordinates of the axis, as its own values. */
static bool
is_tensor(const struct file *f, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(f->o->m, a);

	for (int i = 0; name && i < f->o->n; i++)
		if (f->o->v[i].axes.n == 1 && strcmp(f->o->v[i].name, name) == 0 &&
		    axt_axes_spelled(&f->o->v[i].axes, name) == 0)
			return true;
	return false;
}

static int
add_coords(struct file *f, const struct axt_axis *a)
{
	const struct axt_coord *c = axt_coord_as_stored(f->o->m, a->coord);
	struct axt_axes one = { .n = 1, .a = { *a } };

	one.a[0].label = c ? c->label : NULL;
	return c && c->data && !is_tensor(f, a)
	    ? add_known(f, axt_axis_spell(f->o->m, a), &one, c->attrs, c->dtype, c->text, false,
		  c->data, a->len)
	    : 0;
}

static int
add_aux(struct file *f, const struct axt_aux *x)
{
	int64_t n;

	return !has_tensor(f, x->name) && axt_axes_count(&x->axes, &n)
	    ? add_known(f, x->name, &x->axes, x->attrs, x->dtype, x->text, x->chars, x->data, n)
	    : 0;
}

/* A dimension that nothing lies along. The one of the records is the one without a length. */
static int
add_dimension(struct file *f, const struct axt_axis *a)
{
	const char *name = axt_axis_spell(f->o->m, a);

	if (!name)
		return oom(f);
	if (a->len == 0 && f->empty && strcmp(f->empty, name) != 0)
		return 0;
	f->empty = a->len == 0 ? name : f->empty;
	return add_dim(f, name, a->len) < 0 ? (int)f->e->code : 0;
}

static int
add_belongings(struct file *f, const struct axt_out_var *v)
{
	for (int k = 0; k < v->axes.n; k++)
		if (add_coords(f, &v->axes.a[k]))
			return f->e->code;
	for (const struct axt_aux *x = v->aux; x; x = x->next)
		if (add_aux(f, x))
			return f->e->code;
	return 0;
}

/* What else is in the root: classic has no groups and no links, of which who asked is told. */
static int
add_rest(struct file *f)
{
	for (const struct axt_out_rest *r = f->o->o.rest; r; r = r->next) {
		if (*r->group || r->link)
			continue;
		if (r->aux && add_aux(f, r->aux))
			return f->e->code;
	}
	return 0;
}

static int
add_dimensions(struct file *f)
{
	for (const struct axt_out_rest *r = f->o->o.rest; r; r = r->next)
		if (!*r->group && r->axes && add_dimension(f, &r->axes->a[0]))
			return f->e->code;
	return 0;
}

static int
add_tensor(struct file *f, int i)
{
	const struct axt_out_var *t = &f->o->v[i];
	struct var *v;

	if (strchr(t->name, '/'))
		return axt_fail(f->e, AXT_E_NAME, "%s: a file of netCDF classic has no groups",
		    axt_escape(f->o->m, t->name));
	v = new_var(f, t->name);
	if (!v) {
		axt_fail(f->e, AXT_E_NAME, "two tensors, or a tensor and an axis, are named \"%s\"",
		    axt_escape(f->o->m, t->name));
		axt_hint(f->e, "axt-cast --name gives a tensor another name");
		return f->e->code;
	}
	v->type = types[t->dtype];
	v->attrs = attrs_of(f, t->attrs, &t->axes);
	v->is_bool = t->dtype == AXT_BOOL;
	v->bytes = f->o->sinks[i].bytes;
	if (!v->type) {
		axt_fail(f->e, AXT_E_DTYPE, "netCDF classic has no dtype %s",
		    axt_dtypes[t->dtype].name);
		axt_hint_option(f->e, "dtype", "f32");
		return f->e->code;
	}
	if (v->type > 6)
		f->version = 5;
	return add_axes(f, &t->axes, v);
}

/* ---- the header ---- */

static void
put(struct axt_buf *b, uint64_t v, int bytes)
{
	char p[8];

	for (int i = bytes; i-- > 0; v >>= 8)
		p[i] = (char)(v & 255);
	axt_buf_add(b, p, (size_t)bytes);
}

static void
put_length(const struct file *f, struct axt_buf *b, uint64_t v)
{
	put(b, v, f->version == 5 ? 8 : 4);
}

static void
fill_up(struct axt_buf *b, size_t from)
{
	axt_buf_add(b, "\0\0\0", -(b->n - from) & 3);
}

static void
put_text(const struct file *f, struct axt_buf *b, const char *s, size_t n)
{
	size_t from;

	put_length(f, b, n);
	from = b->n;
	axt_buf_add(b, s, n);
	fill_up(b, from);
}

static void
put_list(const struct file *f, struct axt_buf *b, unsigned tag, int n)
{
	put(b, n ? tag : 0, 4);
	put_length(f, b, (uint64_t)n);
}

/* Several texts, or complex numbers, become one text, with commas: classic has no lists of them. */
static const char *
text_of(struct axt_arena *m, const struct axt_attr *a)
{
	struct axt_buf b = { 0 };
	char number[AXT_TEXT];
	const char *text;

	if (a->kind == AXT_ATTR_TEXT)
		return a->text;
	for (int64_t i = 0; i < a->n; i++) {
		axt_buf_adds(&b, i ? ", " : "");
		if (a->kind == AXT_ATTR_NUM)
			axt_value_text(number, a->dtype,
			    (const char *)a->data + i * axt_size(a->dtype));
		axt_buf_adds(&b,
		    a->kind == AXT_ATTR_NUM ? number : ((const char *const *)a->data)[i]);
	}
	text = axt_buf_text(m, &b);
	return text ? text : "";
}

static bool
is_written(const struct axt_attr *a)
{
	return a->name && *a->name;
}

/* Whether an attribute is numbers that classic has. Complex numbers are written as text. */
static bool
is_numbers(const struct axt_attr *a)
{
	return a->kind == AXT_ATTR_NUM && axt_dtypes[a->dtype].cls != AXT_CLASS_COMPLEX;
}

static void
put_attrs(const struct file *f, struct axt_buf *b, const struct axt_attr *l, bool is_bool)
{
	int n = is_bool;

	for (const struct axt_attr *a = l; a; a = a->next)
		n += is_written(a);
	put_list(f, b, TAG_ATTRS, n);
	for (const struct axt_attr *a = l; a; a = a->next) {
		const char *s;
		int type;
		size_t from;

		if (!is_written(a))
			continue;
		put_text(f, b, a->name, strlen(a->name));
		if (!is_numbers(a)) {
			s = text_of(f->o->m, a);
			put(b, TYPE_TEXT, 4);
			put_text(f, b, s, strlen(s));
			continue;
		}
		type = type_of(f, a->dtype, a->data, a->n);
		type = type ? type : 6;
		put(b, (uint64_t)type, 4);
		put_length(f, b, (uint64_t)a->n);
		from = b->n;
		put_numbers(b, a->dtype, a->data, a->n, type);
		fill_up(b, from);
	}
	if (!is_bool)
		return;
	put_text(f, b, "dtype", 5);
	put(b, TYPE_TEXT, 4);
	put_text(f, b, "bool", 4);
}

/* The bytes of a variable, or of one record of it, up to a multiple of 4. */
static uint64_t
size_up(const struct file *f, const struct var *v)
{
	uint64_t n = (uint64_t)v->bytes;

	if (v->records)
		n = (uint64_t)size_of(v->type);
	for (int k = 1; v->records && k < v->rank; k++)
		n *= (uint64_t)f->dim[v->dim[k]].len;
	return (n + 3) & ~(uint64_t)3;
}

static void
put_var(const struct file *f, struct axt_buf *b, const struct var *v)
{
	uint64_t up = size_up(f, v);

	put_text(f, b, v->name, strlen(v->name));
	put_length(f, b, (uint64_t)v->rank);
	for (int k = 0; k < v->rank; k++)
		put_length(f, b, (uint64_t)v->dim[k]);
	put_attrs(f, b, v->attrs, v->is_bool);
	put(b, (uint64_t)v->type, 4);
	put_length(f, b, f->version == 5 ? up : MIN(up, (uint64_t)UINT32_MAX));
	put(b, v->begin, f->version == 1 ? 4 : 8);
}

static void
put_header(const struct file *f, struct axt_buf *b)
{
	char magic[4] = { 'C', 'D', 'F', (char)f->version };

	b->n = 0;
	axt_buf_add(b, magic, 4);
	put_length(f, b, 0); /* no records */
	put_list(f, b, TAG_DIMS, f->ndims);
	for (int i = 0; i < f->ndims; i++) {
		put_text(f, b, f->dim[i].name, strlen(f->dim[i].name));
		put_length(f, b, (uint64_t)f->dim[i].len);
	}
	put_attrs(f, b, f->o->o.attrs, false);
	put_list(f, b, TAG_VARS, f->nvars);
	for (int i = 0; i < f->nvars; i++)
		put_var(f, b, &f->var[i]);
}

static void
put_values(struct axt_buf *b, const struct var *v)
{
	size_t from = b->n;
	const char *const *s = v->data;

	for (int64_t i = 0; v->text && i < v->n; i++) {
		size_t n = strlen(s[i]);

		axt_buf_add(b, s[i], n);
		for (; n < (size_t)v->width; n++)
			axt_buf_add(b, "", 1);
	}
	if (!v->text)
		put_numbers(b, v->dtype, v->data, v->n, v->type);
	fill_up(b, from);
}

/*
 * Sets where each variable begins. Those with records lie behind all others. The length of the
 * header does not depend on these offsets, so that it can be known before.
 */
static uint64_t
lay(struct file *f, size_t header)
{
	uint64_t at = header;

	for (int records = 0; records < 2; records++)
		for (int i = 0; i < f->nvars; i++)
			if (f->var[i].records == records) {
				f->var[i].begin = at;
				at += size_up(f, &f->var[i]);
			}
	return at;
}

/* Puts the tensors where the header says, behind what is known already. */
static void
place(struct file *f)
{
	struct axt_fout *o = f->o;
	const struct var *v = f->var + f->nvars - o->n;

	o->all = 0;
	for (int i = 0; i < o->n; i++, v++) {
		o->sinks[i].base = (int64_t)(v->begin - o->head.n);
		if (!v->records)
			o->all = o->sinks[i].base + ((v->bytes + 3) & ~(int64_t)3);
	}
}

static int
write_all(struct file *f)
{
	struct axt_fout *o = f->o;
	bool large = false;
	uint64_t end;

	attrs_of(f, o->o.attrs, NULL);
	for (int i = 0; i < o->n; i++)
		if (add_belongings(f, &o->v[i]))
			return f->e->code;
	if (add_rest(f))
		return f->e->code;
	for (int i = 0; i < o->n; i++)
		if (add_tensor(f, i))
			return f->e->code;
	if (add_dimensions(f))
		return f->e->code;
	for (int i = 0; i < f->nvars; i++) {
		struct var *v = &f->var[i];

		large = large || v->bytes > (int64_t)INT32_MAX - 3;
		if (v->data && !v->text && f->version == 5) {
			v->type = types[v->dtype] ? types[v->dtype] : v->type;
			v->bytes = v->n * size_of(v->type);
		}
	}
	f->version = f->version == 5 || large ? 5 : 1;
	put_header(f, &o->head);
	end = lay(f, o->head.n);
	if (f->version == 1 && end > INT32_MAX) {
		f->version = 2;
		put_header(f, &o->head);
		lay(f, o->head.n);
	}
	put_header(f, &o->head);
	for (int i = 0; i < f->nvars - o->n; i++)
		put_values(&o->head, &f->var[i]);
	place(f);
	o->big = true;
	return o->head.bad ? oom(f) : 0;
}

static int
write_head(struct axt_fout *o, struct axt_err *e)
{
	struct file f = { .o = o, .e = e, .version = 1 };
	size_t room = (size_t)o->n;

	for (int i = 0; i < o->n; i++) {
		room += (size_t)o->v[i].axes.n;
		for (const struct axt_aux *x = o->v[i].aux; x; x = x->next)
			room++;
	}
	for (const struct axt_out_rest *r = o->o.rest; r; r = r->next)
		room++;
	f.var = malloc(room * sizeof(*f.var));
	f.dim = malloc(room * (AXT_MAX_RANK + 1) * sizeof(*f.dim));
	if (f.var && f.dim)
		write_all(&f);
	else
		oom(&f);
	free(f.var);
	free(f.dim);
	return e->code;
}

/* Fills up the last tensor. */
static int
finish(struct axt_fout *o, struct axt_err *e)
{
	struct axt_fsink *k = &o->sinks[o->n - 1];
	int64_t n = -k->bytes & 3;

	return n ? axt_fout_put(k, k->bytes, "\0\0\0", n, e) : 0;
}

const struct axt_format_fns axt_format_nc3 = {
	.suffix = { { ".nc3", true }, { ".cdf", true } },
	.many = true,
	.head = write_head,
	.finish = finish,
};
