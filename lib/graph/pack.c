/*
 * pack.c - packs tensors by the CF conventions: integers with scale_factor and add_offset, and one
 * integer that means missing.
 */
#include <math.h>

#include "graph/graph.h"

struct code {
	/* dtypes of the packed integers, and of the attributes scale_factor and add_offset */
	enum axt_dtype d, attr;
	double lo, hi, fill, scale, offset;
};

/* Parses "i16" or "i16:SCALE:OFFSET". *given: whether the text has a scale and an offset. */
static int
parse(struct axt_graph *g, const char *spec, struct code *c, bool *given)
{
	char *s = axt_strdup(g->m, spec), *scale, *offset = NULL;
	struct axt_num x, y;
	int bits;

	if (!s)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	scale = strchr(s, ':');
	if (scale)
		*scale++ = 0;
	if (scale && (offset = strchr(scale, ':')))
		*offset++ = 0;
	c->d = axt_dtype_of_name(s);
	*given = scale != NULL;
	if (!c->d || axt_size(c->d) > 4 || c->d == AXT_BOOL ||
	    axt_dtypes[c->d].cls >= AXT_CLASS_FLOAT)
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "packed values are i8, u8, i16, u16, i32 or u32, not \"%s\"",
		    axt_escape(g->m, s));
	if (scale &&
	    (!offset || !axt_parse_num(scale, &x) || !axt_parse_num(offset, &y) || !(x.f != 0) ||
		x.f - x.f != 0 || y.f - y.f != 0))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "\"%s\" is not DTYPE:SCALE:OFFSET with finite numbers", axt_escape(g->m, spec));
	bits = 8 * axt_size(c->d);
	if (axt_dtypes[c->d].cls == AXT_CLASS_UINT) {
		c->fill = __builtin_ldexp(1, bits) - 1;
		c->lo = 0;
		c->hi = c->fill - 1;
	} else {
		c->fill = -__builtin_ldexp(1, bits - 1);
		c->lo = c->fill + 1;
		c->hi = -c->lo;
	}
	c->scale = *given ? x.f : 1;
	c->offset = *given ? y.f : 0;
	return 0;
}

/* Finds the scale and offset that map the range of the values to all integers of the dtype. */
static int
fit(struct axt_graph *g, struct axt_expr *x, struct code *c)
{
	double a, b;

	if (axt_count(x) == 0)
		return 0;
	if (axt_least_and_greatest(g, x, &a, &b))
		return g->err.code;
	if (a - a != 0 || b - b != 0)
		return a != a ? 0
			      : axt_fail(&g->err, AXT_E_RANGE,
				    "%s has infinite values, which cannot be packed", x->from);
	if (b > a)
		c->scale = b / (c->hi - c->lo) - a / (c->hi - c->lo);
	c->offset = c->lo == 0 ? a : a / 2 + b / 2;
	return 0;
}

/* The number as the attribute stores it, so that packing and unpacking use the same one. */
static double
rounded(const struct code *c, double v)
{
	return c->attr == AXT_F32 ? axt_rounded_f32(v) : v;
}

static int
set_number(struct axt_graph *g, struct axt_meta *m, const char *name, enum axt_dtype d, double v)
{
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));
	struct axt_expr *k = axt_const(g, d, v);

	if (!a || axt_bad(k))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*a = (struct axt_attr){ .name = name,
		.kind = AXT_ATTR_NUM,
		.dtype = d,
		.n = 1,
		.data = k->u.val.bytes };
	m->attrs = axt_attr_set(g->m, m->attrs, a);
	return 0;
}

static struct axt_expr *
described(struct axt_graph *g, struct axt_expr *y, const struct axt_expr *a, const struct code *c)
{
	struct axt_meta *m;

	y = axt_relabel(g, y, &a->axes, axt_identity);
	if (!(m = axt_dress(g, &y, a)))
		return y;
	axt_meta_computed(m);
	m->attrs = axt_attrs_recomputed(g->m, m->attrs);
	if (set_number(g, m, "scale_factor", c->attr, c->scale) ||
	    set_number(g, m, "add_offset", c->attr, c->offset) ||
	    set_number(g, m, "_FillValue", c->d, c->fill))
		return axt_node_failed(g);
	m->missing = false; /* a missing value is an integer in the result */
	return y;
}

/* e as i64 or u64, with the integer that has these bits for NaN, which f64 cannot tell. */
static struct axt_expr *
with_bits(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d, uint64_t bits)
{
	struct axt_expr *zero = axt_fillnan(g, e, axt_const(g, AXT_F64, 0));
	char text[AXT_TEXT];

	axt_value_text(text, d, &bits);
	return axt_where(g, axt_map1(g, AXT_OP_ISNAN, e),
	    axt_cast_dtype(g, axt_number(g, text), d, AXT_OVERFLOW_ERROR),
	    axt_cast_dtype(g, zero, d, AXT_OVERFLOW_ERROR));
}

/* What messages call values that are packed: by which numbers, and which values these can hold. */
static const char *
called(struct axt_graph *g, enum axt_dtype d, const struct axt_packing *p)
{
	double bits = 8 * (double)axt_size(d), least, most;
	bool has_sign = axt_dtypes[d].cls == AXT_CLASS_INT;

	least = p->offset - (has_sign ? ldexp(p->scale, (int)bits - 1) : 0);
	most = p->offset +
	    (has_sign ? ldexp(p->scale, (int)bits - 1) : ldexp(p->scale, (int)bits)) - p->scale;
	return axt_sprintf(g->m,
	    "values packed with scale_factor %.10g and add_offset %.10g: those from %.10g to %.10g fit",
	    p->scale, p->offset, p->scale < 0 ? most : least, p->scale < 0 ? least : most);
}

struct axt_expr *
axt_packed(struct axt_graph *g, struct axt_expr *e, enum axt_dtype d, const struct axt_packing *p,
    const double *range)
{
	bool integer = axt_dtypes[d].cls < AXT_CLASS_FLOAT;

	if (!p->scaled && (!p->missing || axt_dtypes[e->dtype].cls < AXT_CLASS_FLOAT))
		return axt_cast_dtype(g, e, d, AXT_OVERFLOW_ERROR);
	e = axt_cast_dtype(g, e, AXT_F64, AXT_OVERFLOW_ERROR);
	if (p->scaled)
		e = axt_map2(g, AXT_OP_DIV,
		    axt_map2(g, AXT_OP_SUB, e, axt_const(g, AXT_F64, p->offset)),
		    axt_const(g, AXT_F64, p->scale));
	if (integer && p->scaled)
		e = axt_map1(g, AXT_OP_ROUND, e);
	if (range)
		e = axt_clip(g, e, axt_const(g, AXT_F64, range[0]),
		    axt_const(g, AXT_F64, range[1]));
	/* a value such as 1e300 is outside the range of the integers */
	for (int i = 0; integer && !range && i < p->nmiss; i++)
		e = axt_where(g, axt_map2(g, AXT_OP_EQ, e, axt_const(g, AXT_F64, p->miss[i])),
		    axt_const(g, AXT_F64, 1e300), e);
	if (p->bits)
		return with_bits(g, e, d, p->bits[0]);
	if (p->nmiss > 0)
		e = axt_fillnan(g, e, axt_const(g, AXT_F64, p->miss[0]));
	if (integer && p->scaled && !axt_bad(e))
		e->from = called(g, d, p);
	return axt_cast_dtype(g, e, d, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_cast_like(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b, enum axt_overflow mode)
{
	const struct axt_stored *s;
	struct axt_packing p;
	struct axt_meta *m;
	struct axt_expr *y;

	if (axt_refused(g, a) || axt_refused(g, b))
		return axt_node_failed(g);
	s = b->meta->stored;
	if (!s)
		return axt_cast_dtype(g, a, b->dtype, mode);
	if (mode != AXT_OVERFLOW_ERROR || axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_graph_fail(g,
		    axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX ? AXT_E_DTYPE : AXT_E_ARG,
		    "%s is packed or has a number for missing values: %s is converted to that "
		    "without saturation",
		    b->from, a->from);
	axt_packing_read(g->m, s->attrs, axt_with_sign(s->attrs, s->dtype), &p);
	y = axt_packed(g, a, axt_with_sign(s->attrs, s->dtype), &p, NULL);
	if (axt_bad(y))
		return y;
	y = axt_relabel(g, y, &a->axes, axt_identity);
	if (!(m = axt_dress(g, &y, a)))
		return y;
	axt_meta_computed(m);
	m->attrs = axt_attrs_recomputed(g->m, m->attrs);
	for (const struct axt_attr *x = s->attrs; x; x = x->next)
		m->attrs = axt_attr_set(g->m, m->attrs, x);
	m->missing = false; /* a missing value is a number in the result */
	return y;
}

struct axt_expr *
axt_pack(struct axt_graph *g, struct axt_expr *a, const char *spec, enum axt_overflow mode)
{
	struct code c = { .scale = 1 };
	struct axt_expr *x, *q;
	bool given = false;

	if (axt_refused(g, a) || parse(g, spec, &c, &given))
		return axt_node_failed(g);
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return axt_graph_fail(g, AXT_E_DTYPE, "%s is complex and cannot be packed",
		    a->from);
	if (mode == AXT_OVERFLOW_WRAP)
		return axt_graph_fail(g, AXT_E_ARG, "packed values do not wrap around");
	c.attr = axt_size(c.d) <= 2 && axt_dtypes[a->dtype].cls == AXT_CLASS_FLOAT &&
		axt_size(a->dtype) <= 4
	    ? AXT_F32
	    : AXT_F64;
	x = axt_conv(g, a, AXT_F64, AXT_OVERFLOW_WRAP);
	if (!given && fit(g, x, &c))
		return axt_node_failed(g);
	c.scale = rounded(&c, c.scale);
	c.offset = rounded(&c, c.offset);
	q = axt_packed(g, x, c.d,
	    &(struct axt_packing){ .scaled = true,
		.missing = true,
		.scale = c.scale,
		.offset = c.offset,
		.nmiss = 1,
		.miss = &c.fill },
	    mode == AXT_OVERFLOW_SATURATE ? (double[]){ c.lo, c.hi } : NULL);
	return described(g, q, a, &c);
}
