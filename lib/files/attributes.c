/*
 * attributes.c - reads attributes that are numbers or text, of any shape. Others, which are of
 * compound types, references or lists of lists, are left out.
 */
#include "hdf5/format/raw.h"
#include "files/inner.h"

const char *
axt_h5_string(struct axt_arena *m, const void *p, size_t n, bool space_pad)
{
	const char *s = p;

	n = strnlen(s, n);
	while (space_pad && n > 0 && s[n - 1] == ' ')
		n--;
	return axt_strndup(m, s, n);
}

/* An attribute while it is read. */
struct got {
	struct axt_arena *m;
	const struct axt_file *f;
	struct axt_src *s;
	const struct axt_hattr *a;
	const struct axt_htype *type;
	int64_t n;
	int64_t *dims; /* the shape; NULL: it is a list, or has no value */
	int rank;
	size_t left; /* bytes that its value may still take */
	bool many;   /* the value is larger than that */
};

/* Subtracts n items of `size` bytes from what is left; returns false if that is too little. */
static bool
afford(struct got *g, uint64_t n, size_t size)
{
	g->many |= n > g->left / size;
	if (!g->many)
		g->left -= (size_t)n * size;
	return !g->many;
}

/*
 * Reads the type and the dataspace of an attribute; returns false if they are damaged. A null
 * dataspace means no elements. g->dims is set for shapes that are not plain lists: a single number,
 * several dimensions, and a list without elements, which differs from a null dataspace.
 */
static bool
open_attr(struct got *g)
{
	struct axt_cur c = g->a->type;
	struct axt_hspace sp;

	g->type = axt_msg_type(g->m, &c);
	if (!g->type || !axt_msg_space(g->a->space, g->s, &sp))
		return false;
	g->n = sp.null ? 0 : 1;
	for (int i = 0; i < sp.rank && !sp.null; i++)
		if (sp.dims[i] > INT64_MAX || !axt_mul(g->n, (int64_t)sp.dims[i], &g->n))
			return false;
	if (sp.null || (sp.rank == 1 && g->n > 0))
		return true;
	g->rank = sp.rank;
	g->dims = axt_alloc(g->m, ((size_t)sp.rank + 1) * sizeof(*g->dims));
	for (int i = 0; g->dims && i < sp.rank; i++)
		g->dims[i] = (int64_t)sp.dims[i];
	return g->dims != NULL;
}

/* The stored bytes of the value, which are n elements of `size` bytes. */
static uint8_t *
bytes_of(struct got *g, size_t size)
{
	size_t have;
	uint8_t *p;

	if (!afford(g, (uint64_t)g->n, size))
		return NULL;
	p = axt_raw_attr(g->m, g->s, g->a, &have);
	return p && have >= (size_t)g->n * size ? p : NULL;
}

static const char **
strings_of(struct got *g)
{
	bool vlen, pad;
	uint64_t size;
	size_t k;
	const uint8_t *p;
	const char **out;

	if (!axt_h5_is_text(g->type, &vlen, &pad, &size))
		return NULL;
	if (vlen)
		size = (uint64_t)axt_raw_vlen_bytes(g->s);
	p = g->n ? bytes_of(g, size) : NULL;
	out = g->n && !p ? NULL : axt_alloc(g->m, ((size_t)g->n + 1) * sizeof(*out));
	if (!out)
		return NULL;
	for (int64_t i = 0; i < g->n; i++, p += size) {
		const uint8_t *q = p;

		k = size;
		if (vlen)
			q = afford(g, axt_le32(p), 1) ? axt_raw_vlen(g->m, g->s, p, 1, &k) : NULL;
		out[i] = q ? axt_h5_string(g->m, q, k, pad) : NULL;
		if (!out[i])
			return NULL;
	}
	return out;
}

static bool
text_attr(struct got *g, struct axt_attr *a)
{
	static const int64_t one = 1;
	const char **s = strings_of(g);
	bool vlen, pad;
	uint64_t size;

	if (!s)
		return false;
	/* netCDF writes text as one string, and none as a null dataspace */
	a->kind = g->n > 1 || (g->dims && g->rank > 0) ? AXT_ATTR_TEXTS : AXT_ATTR_TEXT;
	a->n = g->n;
	a->fixed = axt_h5_is_text(g->type, &vlen, &pad, &size) && !vlen;
	if (a->kind == AXT_ATTR_TEXT) {
		a->text = g->n == 0 ? "" : s[0];
		a->rank = g->n == 1 && !g->dims;
		a->dims = a->rank ? &one : NULL;
		return true;
	}
	a->data = s;
	a->dims = g->dims;
	a->rank = g->rank;
	return true;
}

/* Numbers of a layout that none of the dtypes has. */
static bool
odd_attr(struct got *g, struct axt_attr *a)
{
	struct axt_number t;
	const uint8_t *p;
	uint8_t *out;

	if (!axt_h5_number(g->type, &t) || !afford(g, (uint64_t)g->n, (size_t)axt_size(t.dtype)))
		return false;
	p = g->n ? bytes_of(g, (size_t)g->type->size) : NULL;
	out = g->n && !p ? NULL : axt_alloc(g->m, (size_t)g->n * (size_t)axt_size(t.dtype) + 1);
	if (!out)
		return false;
	axt_number_load(&t, p, (size_t)g->n, out);
	*a = (struct axt_attr){ .name = a->name,
		.dtype = t.dtype,
		.kind = AXT_ATTR_NUM,
		.n = g->n,
		.data = out,
		.dims = g->dims,
		.rank = g->rank };
	return true;
}

static bool
num_attr(struct got *g, struct axt_attr *a)
{
	const char *why;
	size_t size;
	uint8_t *p;
	bool swap;
	int parts;

	if (!axt_h5_dtype(g->type, &a->dtype, &swap, &why))
		return false;
	parts = axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX ? 2 : 1;
	size = (size_t)axt_size(a->dtype);
	p = g->n ? bytes_of(g, size) : axt_alloc(g->m, 1);
	if (!p)
		return false;
	if (swap)
		axt_swap_items(p, parts * g->n, (int)size / parts);
	a->kind = AXT_ATTR_NUM;
	a->n = g->n;
	a->data = p;
	a->dims = g->dims;
	a->rank = g->rank;
	a->members = axt_h5_members(g->m, g->f, g->type);
	return true;
}

const char **
axt_h5_texts(struct axt_arena *m, const struct axt_head *h, const char *name, int64_t *n)
{
	struct got g = { .m = m, .s = h->r.s, .a = axt_head_attr(h, name), .left = AXT_RAW_ATTRS };
	const char **t = g.a && open_attr(&g) ? strings_of(&g) : NULL;

	*n = g.n;
	return t;
}

const char *
axt_h5_text(struct axt_arena *m, const struct axt_head *h, const char *name)
{
	int64_t n;
	const char **t = axt_h5_texts(m, h, name, &n);

	return t && n == 1 ? t[0] : NULL;
}

bool
axt_h5_own(const char *name)
{
	static const char *const own[] = {
		"CLASS",
		"NAME",
		"DIMENSION_LIST",
		"REFERENCE_LIST",
		AXT_LABELS,
		"_Netcdf4Dimid",
		"_Netcdf4Coordinates",
		"_nc3_strict",
		"_NCProperties",
		AXT_ENUM,
	};

	for (int i = 0; i < ARRAY_LEN(own); i++)
		if (strcmp(name, own[i]) == 0)
			return true;
	return false;
}

int
axt_h5_attrs(struct axt_arena *m, struct axt_file *f, const struct axt_head *h,
    const struct axt_attr **out, struct axt_err *e)
{
	struct axt_h5 *h5 = f->h5;
	struct axt_attr *first = NULL, **end = &first, *a;

	for (int i = 0; i < h->nattrs; i++) {
		struct got g = { .m = m,
			.f = f,
			.s = f->src,
			.a = &h->attr[i],
			.left = AXT_RAW_ATTRS - h5->attr_bytes };

		if (axt_h5_own(g.a->name))
			continue;
		a = axt_alloc(m, sizeof(*a));
		if (a)
			*a = (struct axt_attr){ 0 };
		if (!a || !(a->name = axt_strdup(m, g.a->name)))
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (open_attr(&g) && (text_attr(&g, a) || num_attr(&g, a) || odd_attr(&g, a))) {
			*end = a;
			end = &a->next;
		} else {
			axt_h5_note_lost(f, h->addr, a->name);
		}
		if (g.many)
			return axt_fail(e, AXT_E_LIMIT,
			    "%s: attribute \"%s\": attributes over "
			    "%zu MiB",
			    axt_escape(m, f->path), axt_escape(m, g.a->name), AXT_RAW_ATTRS >> 20);
		h5->attr_bytes = AXT_RAW_ATTRS - g.left;
	}
	if (h->newer_attrs)
		axt_h5_note_lost(f, h->addr, "an attribute that is newer than axt knows");
	*out = first;
	return AXT_OK;
}
