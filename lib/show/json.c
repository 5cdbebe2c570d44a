/* json.c - axt-info --json. The JSON is valid, whatever bytes are in names and attributes. */
#include <math.h>

#include "axt_cmd.h"
#include "files/inner.h"
#include "show/info.h"

/*
 * Whether the character is escaped: control characters, and those that could reverse the direction
 * of text.
 */
static bool
unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* A byte that is not UTF-8 becomes the character with the number of the byte. */
void
axt_json_string(struct axt_buf *b, const char *s)
{
	uint32_t c;

	axt_buf_adds(b, "\"");
	while (*s != '\0') {
		int n = axt_utf8(s, &c);

		if (n <= 0) {
			n = 1;
			c = (unsigned char)*s;
			axt_buf_addf(b, "\\u%04x", (unsigned)c);
		} else if (c == '"' || c == '\\') {
			axt_buf_addf(b, "\\%c", (char)c);
		} else if (c == '\n') {
			axt_buf_adds(b, "\\n");
		} else if (unsafe(c)) {
			axt_buf_addf(b, "\\u%04x", (unsigned)c);
		} else {
			axt_buf_add(b, s, (size_t)n);
		}
		s += n;
	}
	axt_buf_adds(b, "\"");
}

void
axt_json_word(FILE *out, const char *s)
{
	struct axt_buf b = { 0 };

	axt_json_string(&b, s);
	if (!b.bad)
		fwrite(b.p, 1, b.n, out);
	axt_buf_release(&b);
}

static void
add_number(struct axt_buf *b, enum axt_dtype d, const void *p)
{
	enum axt_dtype half = d == AXT_C64 ? AXT_F32 : AXT_F64;
	char text[AXT_TEXT];

	if (axt_dtypes[d].cls == AXT_CLASS_COMPLEX) {
		axt_buf_adds(b, "[");
		add_number(b, half, p);
		axt_buf_adds(b, ", ");
		add_number(b, half, (const char *)p + axt_size(half));
		axt_buf_adds(b, "]");
		return;
	}
	axt_value_text(text, d, p);
	axt_buf_addf(b, isfinite(axt_load_f64(d, p)) ? "%s" : "\"%s\"", text);
}

static void
add_attrs(struct axt_buf *b, const struct axt_attr *a)
{
	const char *sep = "";
	int64_t i;

	axt_buf_adds(b, "{");
	for (; a; a = a->next) {
		if (strcmp(a->name, AXT_ENUM) == 0)
			continue;
		axt_buf_adds(b, sep);
		sep = ", ";
		axt_json_string(b, a->name);
		axt_buf_adds(b, ": ");
		if (a->kind == AXT_ATTR_TEXT) {
			axt_json_string(b, a->text);
			continue;
		}
		axt_buf_adds(b, a->n == 1 && a->kind == AXT_ATTR_NUM ? "" : "[");
		for (i = 0; i < a->n; i++) {
			axt_buf_adds(b, i > 0 ? ", " : "");
			if (a->kind == AXT_ATTR_TEXTS)
				axt_json_string(b, ((const char *const *)a->data)[i]);
			else
				add_number(b, a->dtype,
				    (const char *)a->data + i * axt_size(a->dtype));
		}
		axt_buf_adds(b, a->n == 1 && a->kind == AXT_ATTR_NUM ? "" : "]");
	}
	axt_buf_adds(b, "}");
}

static void
key(struct axt_buf *b, const char *name)
{
	axt_buf_addf(b, ",\n      \"%s\": ", name);
}

/* "enum": {"Clear": 0, "Stratus": 2} */
static void
add_enum(struct axt_buf *b, const struct axt_attr *l)
{
	const struct axt_attr *a = axt_attr_enum(l);
	const char *const *s = a ? a->data : NULL;

	if (!a)
		return;
	key(b, "enum");
	for (int64_t i = 0; i + 1 < a->n; i += 2) {
		axt_buf_adds(b, i > 0 ? ", " : "{");
		axt_json_string(b, s[i]);
		axt_buf_addf(b, ": %s", s[i + 1]);
	}
	axt_buf_adds(b, "}");
}

static void
add_ints(struct axt_buf *b, const char *name, int n, const int64_t *v)
{
	int k;

	key(b, name);
	axt_buf_adds(b, "[");
	for (k = 0; k < n; k++)
		axt_buf_addf(b, "%s%lld", k > 0 ? ", " : "", (long long)v[k]);
	axt_buf_adds(b, "]");
}

/* Adds a coordinate: a number, a text, or a time in ISO 8601. */
static void
add_coord_value(struct axt_buf *b, const struct axt_coord *c, int64_t i)
{
	struct axt_buf text = { 0 };
	struct axt_cftime cf;
	bool time = !c->text && axt_attrs_time(c->attrs, &cf);

	if (c->text) {
		axt_json_string(b, ((const char *const *)c->data)[i]);
	} else if (!time) {
		add_number(b, c->dtype, (const char *)c->data + i * axt_size(c->dtype));
	} else {
		axt_coord_text(&text, c, i);
		if (text.bad)
			b->bad = true;
		else
			axt_json_string(b, text.p);
		axt_buf_release(&text);
	}
}

static const char *
spell(struct axt_info_ctx *c, const struct axt_axis *x)
{
	const char *s = axt_axis_spell(c->m, x);

	c->b.bad = c->b.bad || !s;
	return s ? s : "";
}

static void
add_coords(struct axt_info_ctx *c, const struct axt_axes *x)
{
	struct axt_buf *b = &c->b;
	const char *sep = "";
	int k, j;

	key(b, "coordinates");
	axt_buf_adds(b, "{");
	for (k = 0; k < x->n; k++) {
		const struct axt_coord *co = x->a[k].coord;

		for (j = 0; j < k && !axt_axis_same(&x->a[j], &x->a[k]); j++)
			;
		/* a key may occur only once in an object, even if two axes have the same name */
		if (!co || j < k)
			continue;
		axt_buf_adds(b, sep);
		sep = ", ";
		axt_json_string(b, spell(c, &x->a[k]));
		axt_buf_addf(b, ": {\"dtype\": \"%s\"",
		    co->text ? "text" : axt_dtypes[co->dtype].name);
		if (co->data && co->n > 0) {
			axt_buf_adds(b, ", \"first\": ");
			add_coord_value(b, co, 0);
			axt_buf_adds(b, ", \"last\": ");
			add_coord_value(b, co, co->n - 1);
		}
		axt_buf_adds(b, ", \"attributes\": ");
		add_attrs(b, co->attrs);
		axt_buf_adds(b, "}");
	}
	axt_buf_adds(b, "}");
}

static void
add_axes(struct axt_info_ctx *c, const struct axt_axes *x)
{
	struct axt_buf *b = &c->b;
	int k;

	key(b, "axes");
	axt_buf_adds(b, "[");
	for (k = 0; k < x->n; k++) {
		axt_buf_adds(b, k > 0 ? ", " : "");
		axt_json_string(b, spell(c, &x->a[k]));
	}
	axt_buf_adds(b, "]");
	key(b, "parts");
	axt_buf_adds(b, "[");
	for (k = 0; k < x->n; k++) {
		axt_buf_adds(b, k > 0 ? ", " : "");
		if (x->a[k].parts)
			axt_json_string(b, x->a[k].parts);
		else
			axt_buf_adds(b, "null");
	}
	axt_buf_adds(b, "]");
	key(b, "levels");
	axt_buf_adds(b, "[");
	for (k = 0; k < x->n; k++)
		axt_buf_addf(b, "%s%d", k > 0 ? ", " : "", x->a[k].level);
	axt_buf_adds(b, "]");
}

static void
add_storage(struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_storage *s = &d->st;
	struct axt_buf *b = &c->b;
	int k;

	key(b, "storage");
	axt_buf_addf(b, "\"%s\"", axt_info_layout(s));
	key(b, "byte_offset");
	if (s->layout == AXT_LAYOUT_CONTIGUOUS || s->layout == AXT_LAYOUT_RECORDS)
		axt_buf_addf(b, "%llu", (unsigned long long)s->offset);
	else
		axt_buf_adds(b, "null");
	if (s->layout == AXT_LAYOUT_CHUNKED || s->rows) {
		add_ints(b, "chunks", s->rank, s->chunk);
	} else {
		key(b, "chunks");
		axt_buf_adds(b, "null");
	}
	key(b, "filters");
	axt_buf_adds(b, "[");
	for (k = 0; k < s->filters.n; k++)
		axt_buf_addf(b, "%s\"%s\"", k > 0 ? ", " : "", s->filters.use[k].f->name);
	axt_buf_adds(b, "]");
	key(b, "byte_order");
	axt_buf_adds(b, s->swap ? "\"big\"" : "\"little\"");
}

static int
add_stats(struct axt_info_ctx *c, const struct axt_dset *d)
{
	struct axt_info_stats s = { .count = 0 };

	if (!c->stats)
		return AXT_OK;
	if (c->stats(c->stats_ctx, d, &s, c->e) != AXT_OK)
		return c->e->code;
	key(&c->b, "stats");
	axt_buf_addf(&c->b, "{\"count\": %lld, \"missing\": %lld, \"min\": ", (long long)s.count,
	    (long long)s.missing);
	add_number(&c->b, AXT_F64, &s.min);
	axt_buf_adds(&c->b, ", \"max\": ");
	add_number(&c->b, AXT_F64, &s.max);
	axt_buf_adds(&c->b, ", \"mean\": ");
	add_number(&c->b, AXT_F64, &s.mean);
	axt_buf_adds(&c->b, "}");
	return AXT_OK;
}

static void
add_list(struct axt_buf *b, const struct axt_info_list *l)
{
	int i;

	axt_buf_adds(b, "[");
	for (i = 0; i < l->n; i++) {
		axt_buf_adds(b, i > 0 ? ", " : "");
		axt_json_string(b, l->word[i]);
	}
	axt_buf_adds(b, "]");
}

/* Adds the inputs of a tensor that is computed from others, or null. */
static void
add_plan(struct axt_info_ctx *c, const struct axt_dset *d)
{
	struct axt_buf *b = &c->b;
	struct axt_info_plan p;
	int k;

	key(b, "expression");
	/* axt_info_write reports the error at the end */
	if (!c->plan || c->plan(c->plan_ctx, c->f, d, &p) <= 0) {
		axt_buf_adds(b, "null");
		return;
	}
	axt_buf_adds(b, "{\"inputs\": ");
	add_list(b, &p.inputs);
	axt_buf_adds(b, ", \"placeholders\": ");
	add_list(b, &p.places);
	axt_buf_adds(b, ", \"view\": ");
	if (p.view) {
		axt_buf_adds(b, "{\"strides\": [");
		for (k = 0; k < p.v.nd; k++)
			axt_buf_addf(b, "%s%lld", k > 0 ? ", " : "", (long long)p.v.stride[k]);
		axt_buf_addf(b, "], \"offset\": %lld}", (long long)p.v.offset);
	} else {
		axt_buf_adds(b, "null");
	}
	axt_buf_adds(b, "}");
}

static int
add_tensor(struct axt_info_ctx *c, struct axt_dset *d)
{
	const struct axt_tensor_kind *kind;
	char flags[AXT_KIND_FLAGS];
	int64_t size[AXT_MAX_RANK];
	int axis[AXT_MAX_RANK];
	struct axt_axes x = { 0 };
	struct axt_view v;
	struct axt_buf *b = &c->b;

	axt_buf_adds(b, "{\"name\": ");
	axt_json_string(b, axt_info_name(d));
	if (!axt_info_load(c, d))
		return axt_fail(c->e, AXT_E_DTYPE, "%s", d->why ? d->why : "cannot be read");
	kind = axt_kind_of(d->attrs);
	key(b, "dtype");
	axt_buf_addf(b, "\"%s\"", d->role == AXT_ROLE_TEXT ? "text" : axt_dtypes[d->dtype].name);
	axt_dset_layout(d, &v, size, axis);
	x.n = d->axes.n;
	for (int k = 0; k < x.n; k++)
		x.a[k] = d->axes.a[axis[k]];
	key(b, "rank");
	axt_buf_addf(b, "%d", d->rank);
	add_axes(c, &x);
	key(b, "unlimited");
	for (int k = 0; k < x.n; k++)
		axt_buf_addf(b, "%s%s", k > 0 ? ", " : "[", x.a[k].unlimited ? "true" : "false");
	axt_buf_adds(b, x.n > 0 ? "]" : "[]");
	add_ints(b, "shape", d->rank, v.shape);
	add_ints(b, "size", d->rank, size);
	add_ints(b, "strides", d->rank, v.stride);
	key(b, "layout");
	axt_buf_addf(b, "\"%s\"", d->reversed ? "F" : "C");
	key(b, "offset");
	axt_buf_adds(b, "0");
	add_storage(c, d);
	key(b, "read_only");
	axt_buf_adds(b, axt_info_read_only(c, d) ? "true" : "false");
	add_plan(c, d);
	key(b, "kind");
	axt_buf_addf(b, kind ? "\"%s\"" : "null", kind ? kind->name : "");
	if (kind) {
		key(b, "flags");
		axt_buf_addf(b, "[\"%s\"]", axt_kind_flags(kind, "\", \"", flags));
	}
	if (d->role != AXT_ROLE_TEXT && add_stats(c, d) != AXT_OK)
		return c->e->code;
	add_coords(c, &d->axes);
	add_enum(b, d->attrs);
	key(b, "attributes");
	add_attrs(b, d->attrs);
	axt_buf_adds(b, "}");
	return AXT_OK;
}

static void
add_other(struct axt_info_ctx *c, const struct axt_dset *d)
{
	struct axt_buf *b = &c->b;

	axt_buf_adds(b, "{\"name\": ");
	axt_json_string(b, axt_info_name(d));
	axt_buf_addf(b, ", \"role\": \"%s\"", axt_info_role(d->role));
	if (d->role != AXT_ROLE_OTHER && d->role != AXT_ROLE_TEXT)
		axt_buf_addf(b, ", \"dtype\": \"%s\"", axt_dtypes[d->dtype].name);
	if (d->why) {
		axt_buf_adds(b, ", \"why\": ");
		axt_json_string(b, d->why);
	}
	axt_buf_adds(b, "}");
}

int
axt_info_json(struct axt_info_ctx *c)
{
	struct axt_buf *b = &c->b;
	const char *sep = "";
	int i;

	axt_buf_adds(b, "{\n  \"file\": ");
	axt_json_string(b, c->f->path);
	axt_buf_adds(b, ",\n  \"tensors\": [");
	for (i = 0; i < c->f->ndsets; i++) {
		if (!axt_info_shows(c, &c->f->dsets[i]))
			continue;
		axt_buf_addf(b, "%s\n    ", sep);
		sep = ",";
		if (add_tensor(c, &c->f->dsets[i]) != AXT_OK)
			return c->e->code;
	}
	axt_buf_adds(b, *sep != '\0' ? "\n  ]" : "]");
	if (!c->only) {
		axt_buf_adds(b, ",\n  \"others\": [");
		for (i = 0, sep = ""; i < c->f->ndsets; i++) {
			if (axt_info_shows(c, &c->f->dsets[i]) || !axt_info_in(c, &c->f->dsets[i]))
				continue;
			axt_buf_addf(b, "%s\n    ", sep);
			sep = ",";
			add_other(c, &c->f->dsets[i]);
		}
		axt_buf_adds(b, *sep != '\0' ? "\n  ]" : "]");
	}
	axt_buf_adds(b, ",\n  \"attributes\": ");
	add_attrs(b, c->how->group ? c->how->attrs : c->f->attrs);
	axt_buf_adds(b, "\n}\n");
	return AXT_OK;
}
