/*
 * scale_values.c - the values of a dimension scale. They are as stored or, if they are packed by
 * CF, unpacked to floats with NaN for missing values.
 */
#include "files/inner.h"

#include <math.h>

#include "bytes/bytes.h"

#define MAX_COORD ((int64_t)1 << 30)

static bool
any_nan(const void *p, enum axt_dtype d, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (isnan(axt_load_f64(d, (const char *)p + i * axt_size(d))))
			return true;
	return false;
}

/* Notes how the coordinates are stored, if that is otherwise, for copies of the file. */
static int
note_stored(struct axt_arena *m, struct axt_coord *c, enum axt_dtype dtype, const void *raw,
    const struct axt_attr *attrs, struct axt_err *e)
{
	struct axt_coord_stored *s = axt_alloc(m, sizeof(*s));
	struct axt_attr *first = NULL, **end = &first;

	for (; s && attrs; attrs = attrs->next)
		if (!axt_attr_find(c->attrs, attrs->name)) {
			if (!(*end = axt_alloc(m, sizeof(**end))))
				return axt_fail(e, AXT_E_MEM, "out of memory");
			**end = *attrs;
			(*end)->next = NULL;
			end = &(*end)->next;
		}
	if (!s)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*s = (struct axt_coord_stored){ .of = c->data,
		.n = c->n,
		.dtype = dtype,
		.data = raw,
		.attrs = first };
	if (first || dtype != c->dtype)
		c->stored = s;
	return AXT_OK;
}

/* Reads the values. Integers that declare a missing value which does not occur stay integers. */
static int
numbers(struct axt_arena *m, struct axt_dset *d, struct axt_coord *c, struct axt_err *e)
{
	const struct axt_attr *attrs = c->attrs;
	struct axt_packing p;
	void *raw = axt_alloc(m, (size_t)(d->st.count * d->st.esize) + 1), *out;
	enum axt_dtype to;
	int rc;

	if (!raw)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", d->st.from);
	rc = axt_storage_whole(&d->st, raw, e);
	if (rc != AXT_OK)
		return rc;
	c->dtype = d->dtype;
	c->data = raw;
	if (axt_dtypes[d->dtype].cls == AXT_CLASS_COMPLEX ||
	    axt_dtypes[d->dtype].cls == AXT_CLASS_BOOL)
		return AXT_OK;
	c->dtype = axt_with_sign(attrs, d->dtype);
	c->attrs = axt_attrs_unpacked(m, attrs);
	axt_packing_read(m, attrs, c->dtype, &p);
	if (p.wrong)
		return axt_fail(e, AXT_E_ARG, "%s cannot be unpacked: %s", d->st.from, p.wrong);
	if (!p.scaled && !p.missing)
		return note_stored(m, c, d->dtype, raw, attrs, e);
	to = axt_unpacked_dtype(c->dtype, &p);
	out = axt_alloc(m, (size_t)c->n * (size_t)axt_size(to) + 1);
	if (!out)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", d->st.from);
	axt_unpack_values(out, to, raw, c->dtype, c->n, &p);
	if (p.scaled || any_nan(out, to, c->n)) {
		c->dtype = to;
		c->data = out;
	}
	return note_stored(m, c, d->dtype, raw, attrs, e);
}

static int
texts(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_coord *c,
    struct axt_err *e)
{
	const char *const *s;
	int rc = axt_dset_strings(m, f, d, &s, &c->n, e);

	c->text = true;
	c->data = s;
	return rc;
}

int
axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const char *label, const struct axt_coord **out, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_coord *c;
	int rc;

	*out = NULL;
	c = axt_alloc(m, sizeof(*c));
	if (!c)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	c->attrs = attrs;
	c->dtype = AXT_F64;
	c->n = d->dims[0];
	c->like = axt_dset_packed(d);
	c->label = label && *label ? strcmp(label, d->name) == 0 ? "" : label : NULL;
	/* a netCDF dimension without a variable has a name, perhaps attributes, and no values */
	if (d->role == AXT_ROLE_DIM) {
		*out = attrs || c->label ? c : NULL;
		return AXT_OK;
	}
	if (d->st.count > MAX_COORD / d->st.esize)
		return axt_fail(e, AXT_E_LIMIT, "%s: %lld coordinates are too many", d->st.from,
		    (long long)d->st.count);
	rc = d->role == AXT_ROLE_TEXT ? texts(m, f, d, c, e) : numbers(m, d, c, e);
	*out = c;
	return rc;
}
