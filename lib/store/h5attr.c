/*
 * h5attr.c - attributes: numbers and text, scalar or a list. The rest is left
 * out.
 */
#include "h5raw.h"

#include <stdlib.h>

#include "bytes.h"

bool
axt_h5_is_text(hid_t type, bool *vlen, bool *space_pad, size_t *size)
{
	if (H5Tget_class(type) != H5T_STRING)
		return false;
	*vlen = H5Tis_variable_str(type) > 0;
	*space_pad = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
	*size = H5Tget_size(type);
	return *size > 0;
}

const char *
axt_h5_string(struct axt_arena *m, const void *p, size_t n, bool space_pad)
{
	const char *s = p;

	n = strnlen(s, n);
	while (space_pad && n > 0 && s[n - 1] == ' ')
		n--;
	return axt_strndup(m, s, n);
}

/* One attribute being read. */
struct got {
	struct axt_arena *m;
	struct axt_src *s;
	uint64_t addr;
	const char *name;
	hid_t attr, type;
	int64_t n;
	size_t left;		/* bytes its value may have */
	bool many;		/* it has more */
};

/* Takes n items of `size` bytes from what is left. */
static bool
afford(struct got *g, uint64_t n, size_t size)
{
	g->many |= n > g->left / size;
	if (!g->many)
		g->left -= (size_t)n * size;
	return !g->many;
}

/* false for null spaces (n is 0, though) and more than one dimension. */
static bool
space_of(struct got *g)
{
	hid_t space = H5Aget_space(g->attr);
	hsize_t dims[1] = { 1 };
	int rank = H5Sget_simple_extent_ndims(space);
	H5S_class_t c = H5Sget_simple_extent_type(space);
	bool ok = c == H5S_SCALAR || (c == H5S_SIMPLE && rank == 1);

	if (c == H5S_SIMPLE && rank == 1)
		H5Sget_simple_extent_dims(space, dims, NULL);
	g->n = c == H5S_NULL ? 0 : (int64_t)MIN(dims[0], (hsize_t)INT64_MAX);
	H5Sclose(space);
	return ok || c == H5S_NULL;
}

/* The stored bytes, n elements of `size`. The library copies them where no conversion is needed. */
static uint8_t *
bytes_of(struct got *g, size_t size, bool raw)
{
	size_t have, want;
	uint8_t *p;

	if (!afford(g, (uint64_t)g->n, size))
		return NULL;
	want = (size_t)g->n * size;
	if (raw) {
		p = axt_raw_attr(g->m, g->s, g->addr, g->name, &have);
		return p && have >= want ? p : NULL;
	}
	if (H5Aget_storage_size(g->attr) != want)
		return NULL;
	p = axt_alloc(g->m, want + 1);
	return p && (want == 0 || H5Aread(g->attr, g->type, p) >= 0) ? p : NULL;
}

static const char **
strings_of(struct got *g)
{
	bool vlen, pad;
	size_t size, k;
	const uint8_t *p;
	const char **out;

	if (!axt_h5_is_text(g->type, &vlen, &pad, &size))
		return NULL;
	if (vlen)
		size = (size_t)axt_raw_vlen_bytes(g->s);
	p = g->n ? bytes_of(g, size, vlen) : NULL;
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
	const char **s = strings_of(g);

	if (!s)
		return false;
	a->kind = g->n <= 1 ? AXT_ATTR_TEXT : AXT_ATTR_TEXTS;
	a->n = g->n;
	a->text = g->n == 0 ? "" : g->n == 1 ? s[0] : NULL;
	a->data = g->n <= 1 ? NULL : s;
	return true;
}

static bool
num_attr(struct got *g, struct axt_attr *a)
{
	const char *why;
	size_t size;
	uint8_t *p;
	bool swap;

	if (!axt_h5_dtype(g->type, &a->dtype, &swap, &why) || g->n == 0 ||
	    axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return false;
	size = (size_t)axt_size(a->dtype);
	p = bytes_of(g, size, false);
	if (!p)
		return false;
	if (swap)
		axt_swap_items(p, g->n, (int)size);
	a->kind = AXT_ATTR_NUM;
	a->n = g->n;
	a->data = p;
	return true;
}

static bool
open_attr(struct got *g, hid_t obj)
{
	g->attr = H5Aopen(obj, g->name, H5P_DEFAULT);
	g->type = g->attr < 0 ? -1 : H5Aget_type(g->attr);
	return g->type >= 0 && space_of(g);
}

static void
close_attr(struct got *g)
{
	if (g->type >= 0)
		H5Tclose(g->type);
	if (g->attr >= 0)
		H5Aclose(g->attr);
}

const char **
axt_h5_texts(struct axt_arena *m, struct axt_src *s, hid_t obj, uint64_t addr, const char *name,
    int64_t *n)
{
	struct got g = { .m = m, .s = s, .addr = addr, .name = name, .type = -1,
		.left = AXT_RAW_ATTRS };
	const char **t = open_attr(&g, obj) ? strings_of(&g) : NULL;

	*n = g.n;
	close_attr(&g);
	return t;
}

const char *
axt_h5_text(struct axt_arena *m, struct axt_src *s, hid_t obj, uint64_t addr, const char *name)
{
	int64_t n;
	const char **t = axt_h5_texts(m, s, obj, addr, name, &n);

	return t && n == 1 ? t[0] : NULL;
}

bool
axt_h5_own(const char *name)
{
	static const char *const own[] = {
		"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS",
		"_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties",
	};

	for (int i = 0; i < ARRAY_LEN(own); i++)
		if (strcmp(name, own[i]) == 0)
			return true;
	return false;
}

/* One attribute into *out; NULL when it is left out. */
static int
one(struct got *g, hid_t obj, struct axt_attr **out, struct axt_err *e)
{
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));

	*out = NULL;
	if (!a)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	a->name = g->name;
	if (open_attr(g, obj) && (text_attr(g, a) || num_attr(g, a)))
		*out = a;
	close_attr(g);
	return AXT_OK;
}

int
axt_h5_attrs(struct axt_arena *m, struct axt_file *f, hid_t obj, uint64_t addr,
    const struct axt_attr **out, struct axt_err *e)
{
	struct axt_h5 *h = f->h5;
	struct axt_raw_name *names;
	struct axt_attr *first = NULL, **end = &first, *a;
	int n = axt_raw_names(m, &h->src, addr, &names), rc = AXT_OK;

	if (n < 0)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n && rc == AXT_OK; i++) {
		struct got g = { .m = m, .s = &h->src, .addr = addr, .name = names[i].name,
			.type = -1, .left = AXT_RAW_ATTRS - h->attr_bytes };

		if (axt_h5_own(g.name))
			continue;
		rc = one(&g, obj, &a, e);
		if (g.many)
			rc = axt_fail(e, AXT_E_LIMIT, "%s: attribute \"%s\": attributes over "
			    "%zu MiB", axt_escape(m, f->path), axt_escape(m, g.name),
			    AXT_RAW_ATTRS >> 20);
		h->attr_bytes = AXT_RAW_ATTRS - g.left;
		if (!a)
			continue;
		*end = a;
		end = &a->next;
	}
	free(names);
	*out = first;
	return rc;
}
