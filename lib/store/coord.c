/*
 * coord.c - the values of a scale: as stored, or unpacked to floats where it is
 * packed (CF), missing ones NaN.
 */
#include "h5.h"

#include <math.h>
#include <stdlib.h>

#include "bytes.h"

#define MAX_COORD ((int64_t)1 << 30)

/* What the attributes say of packing. */
struct packing {
	bool packed, has_fill, is_unsigned;
	double scale, offset, fill;
	enum axt_dtype out;
};

static bool
number(const struct axt_attr *l, const char *name, double *v, enum axt_dtype *t)
{
	const struct axt_attr *a = axt_attr_find(l, name);

	if (!a || a->kind != AXT_ATTR_NUM || a->n != 1)
		return false;
	*v = axt_load_f64(a->dtype, a->data);
	*t = a->dtype;
	return true;
}

static void
packing_of(const struct axt_attr *l, enum axt_dtype stored, struct packing *p)
{
	enum axt_dtype s = AXT_F32, o = AXT_F32, t;
	const char *u = axt_attr_text(l, "_Unsigned");
	bool scale, offset;

	*p = (struct packing){ .scale = 1 };
	scale = number(l, "scale_factor", &p->scale, &s);
	offset = number(l, "add_offset", &p->offset, &o);
	p->packed = scale || offset;
	p->has_fill = number(l, "_FillValue", &p->fill, &t) ||
	    number(l, "missing_value", &p->fill, &t);
	p->is_unsigned = u && strcmp(u, "true") == 0 && axt_dtypes[stored].cls == AXT_CLASS_INT;
	if (p->packed)
		p->out = (!scale || s == AXT_F32) && (!offset || o == AXT_F32) &&
		    axt_size(stored) <= 4 ? AXT_F32 : AXT_F64;
	else if (axt_dtypes[stored].cls == AXT_CLASS_FLOAT)
		p->out = stored;
	else
		p->out = axt_size(stored) <= 2 ? AXT_F32 : AXT_F64;
}

static enum axt_dtype
as_unsigned(enum axt_dtype d)
{
	switch (d) {
	case AXT_I8:
		return AXT_U8;
	case AXT_I16:
		return AXT_U16;
	case AXT_I32:
		return AXT_U32;
	case AXT_I64:
		return AXT_U64;
	default:
		return d;
	}
}

/* Fills are compared in the stored dtype, so that -1 of an unsigned axis is its largest value. */
static double
fill_as(enum axt_dtype d, const struct packing *p)
{
	double bits = 8.0 * axt_size(d);

	return p->is_unsigned && p->fill < 0 ? p->fill + exp2(bits) : p->fill;
}

static void
unpack(void *out, const void *in, enum axt_dtype d, int64_t n, const struct packing *p)
{
	double fill = fill_as(d, p), *to64 = out;
	float *to32 = out;

	for (int64_t i = 0; i < n; i++) {
		double v = axt_load_f64(d, (const char *)in + i * axt_size(d));
		bool missing = p->has_fill && v == fill;

		if (p->out == AXT_F64)
			to64[i] = missing ? NAN : v * p->scale + p->offset;
		else
			to32[i] = missing ? NAN
			    : (float)((float)v * (float)p->scale) + (float)p->offset;
	}
}

static bool
any_missing(const void *in, enum axt_dtype d, int64_t n, double fill)
{
	for (int64_t i = 0; i < n; i++)
		if (axt_load_f64(d, (const char *)in + i * axt_size(d)) == fill)
			return true;
	return false;
}

static const struct axt_attr *
without_packing(struct axt_arena *m, const struct axt_attr *l)
{
	static const char *const names[] = {
		"scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned",
		"valid_min", "valid_max",
		"valid_range",
	};

	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (axt_attr_find(l, names[i]))
			l = axt_attr_drop(m, l, names[i]);
	return l;
}

static int
numbers(struct axt_arena *m, struct axt_dset *d, struct axt_coord *c, struct axt_err *e)
{
	struct packing p;
	void *raw = axt_alloc(m, (size_t)(d->st.count * d->st.esize)), *out;
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
	packing_of(c->attrs, d->dtype, &p);
	if (p.is_unsigned)
		c->dtype = as_unsigned(d->dtype);
	if (!p.packed && !(p.has_fill && p.out != AXT_F16 && p.out != AXT_BF16 &&
	    any_missing(raw, c->dtype, c->n, fill_as(c->dtype, &p)))) {
		c->attrs = without_packing(m, c->attrs);
		return AXT_OK;
	}
	out = axt_alloc(m, (size_t)c->n * (size_t)axt_size(p.out));
	if (!out)
		return axt_fail(e, AXT_E_MEM, "%s: out of memory", d->st.from);
	unpack(out, raw, c->dtype, c->n, &p);
	c->dtype = p.out;
	c->data = out;
	c->attrs = without_packing(m, c->attrs);
	return AXT_OK;
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
    const struct axt_coord **out, struct axt_err *e)
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
	/* A netCDF dimension, or a scale nobody wrote: a name, and perhaps attributes. */
	if (d->role == AXT_ROLE_DIM || d->st.layout == AXT_LAYOUT_NONE) {
		*out = attrs ? c : NULL;
		return AXT_OK;
	}
	if (d->st.count > MAX_COORD / d->st.esize)
		return axt_fail(e, AXT_E_LIMIT, "%s: %lld coordinates are too many", d->st.from,
		    (long long)d->st.count);
	rc = d->role == AXT_ROLE_TEXT ? texts(m, f, d, c, e) : numbers(m, d, c, e);
	*out = c;
	return rc;
}
