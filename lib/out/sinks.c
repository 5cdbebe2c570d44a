/*
 * sinks.c - sinks that values go through on their way to an output. One replaces missing values by
 * the number of the attribute _FillValue; it is an error if another value equals this number, since
 * it would read as missing. The other one rounds floats, as --quantize says.
 */
#include "out/inner.h"

#include <inttypes.h>
#include <stdlib.h>

/* Passes n bytes to another sink, which may have enough then, and frees them. */
static int
pass_on(struct axt_sink *s, struct axt_sink *to, int64_t off, void *y, int64_t n, struct axt_err *e)
{
	int rc = to->write(to, off, y, n, e);

	__atomic_store_n(&s->full, __atomic_load_n(&to->full, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
	free(y);
	return rc;
}

/* ---- missing values ---- */

/*
 * Copies n elements from x to y, with the fill value in place of missing ones. Returns whether an
 * element of x equals the fill value.
 */
typedef bool fill_fn(const struct axt_filled *f, void *y, const void *x, int64_t n);

#define FILL(name, T)                                                                          \
	static bool name(const struct axt_filled *f, void *out, const void *in, int64_t n)     \
	{                                                                                      \
		const T *x = in;                                                               \
		T *y = out, v;                                                                 \
		bool met = false;                                                              \
                                                                                               \
		memcpy(&v, f->fill->data, sizeof(v));                                          \
		for (int64_t i = 0; i < n; i++) {                                              \
			met |= x[i] == v;                                                      \
			y[i] = x[i] != x[i] ? v : x[i];                                        \
		}                                                                              \
		for (int k = 0; k < f->packing.nmiss; k++) {                                   \
			T m = f->packing.bits ? (T)f->packing.bits[k] : (T)f->packing.miss[k]; \
                                                                                               \
			for (int64_t i = 0; i < n; i++)                                        \
				y[i] = x[i] == m ? v : y[i];                                   \
		}                                                                              \
		return met;                                                                    \
	}
FILL(fill_i8, int8_t)
FILL(fill_i16, int16_t)
FILL(fill_i32, int32_t)
FILL(fill_i64, int64_t)
FILL(fill_u8, uint8_t)
FILL(fill_u16, uint16_t)
FILL(fill_u32, uint32_t)
FILL(fill_u64, uint64_t)
FILL(fill_f32, float)
FILL(fill_f64, double)

/* For f16 and bf16. */
static bool
fill_half(const struct axt_filled *f, void *out, const void *in, int64_t n)
{
	double v = axt_load_f64(f->e->dtype, f->fill->data);
	uint16_t *y = out;
	bool met = false;

	memcpy(y, in, (size_t)n * sizeof(*y));
	for (int64_t i = 0; i < n; i++) {
		double x = axt_load_f64(f->e->dtype, (const uint16_t *)in + i);
		bool missing = x != x;

		met = met || x == v;
		for (int k = 0; k < f->packing.nmiss; k++)
			missing = missing || x == f->packing.miss[k];
		if (missing)
			memcpy(y + i, f->fill->data, sizeof(*y));
	}
	return met;
}

static fill_fn *const fills[AXT_NDTYPES] = {
	[AXT_I8] = fill_i8,
	[AXT_I16] = fill_i16,
	[AXT_I32] = fill_i32,
	[AXT_I64] = fill_i64,
	[AXT_U8] = fill_u8,
	[AXT_U16] = fill_u16,
	[AXT_U32] = fill_u32,
	[AXT_U64] = fill_u64,
	[AXT_F16] = fill_half,
	[AXT_BF16] = fill_half,
	[AXT_F32] = fill_f32,
	[AXT_F64] = fill_f64,
};

/*
 * Fails with the position of the first element in p[n] that equals the fill value. Element p[0] is
 * number `first` of the result.
 */
static int
refuse(const struct axt_filled *f, const uint8_t *p, int64_t first, int64_t n, struct axt_err *e)
{
	const struct axt_axes *x = &f->e->axes;
	int size = axt_size(f->e->dtype);
	double v = axt_load_f64(f->e->dtype, f->fill->data);
	char value[AXT_TEXT], where[400] = "";
	int64_t at[AXT_MAX_RANK], k = 0;
	size_t len = 0;

	while (k < n - 1 && axt_load_f64(f->e->dtype, p + k * size) != v)
		k++;
	for (int i = x->n - 1; i >= 0; i--) {
		at[i] = (first + k) % x->a[i].len;
		first = (first + k) / x->a[i].len;
		k = 0;
	}
	for (int i = 0; i < x->n && len < sizeof(where); i++)
		len += (size_t)snprintf(where + len, sizeof(where) - len, "%s%s=%" PRId64,
		    i ? ", " : " at ", x->a[i].name, at[i]);
	axt_value_text(value, f->e->dtype, f->fill->data);
	axt_fail(e, AXT_E_RANGE, "%s holds %s%s, which as fill value would read as missing",
	    f->e->from, value, where);
	axt_hint(e, "--fill takes a number that no value has");
	return e->code;
}

static int
filled_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_filled *f = (struct axt_filled *)s;
	int size = axt_size(f->e->dtype);
	void *y = malloc((size_t)n + 1);

	if (!y)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (!fills[f->e->dtype](f, y, p, n / size) || f->known)
		return pass_on(s, f->to, off, y, n, e);
	free(y);
	return refuse(f, p, off / size, n / size, e);
}

/*
 * The attribute _FillValue of e as a number of the dtype of e. The attribute has another dtype if
 * values were moved without being unpacked.
 */
static const struct axt_attr *
fill_of(struct axt_graph *g, const struct axt_expr *e)
{
	const struct axt_attr *fill = e->meta->fill;
	struct axt_num n = { .is_int = false };
	struct axt_attr *own;
	void *data;

	if (fill->dtype == e->dtype)
		return fill;
	own = axt_alloc(g->m, sizeof(*own));
	data = axt_alloc(g->m, (size_t)axt_size(e->dtype));
	if (!own || !data) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*own = *fill;
	own->dtype = e->dtype;
	own->data = data;
	n.f = axt_load_f64(fill->dtype, fill->data);
	axt_num_store(&n, e->dtype, data);
	return own;
}

struct axt_sink *
axt_filled(struct axt_graph *g, const struct axt_expr *e, struct axt_sink *to)
{
	const struct axt_attr *fill;
	struct axt_filled *f;
	double v;

	if (!e->meta->fill || !to)
		return to;
	fill = fill_of(g, e);
	f = axt_alloc(g->m, sizeof(*f));
	if (!f || !fill) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*f = (struct axt_filled){ .sink = { .ordered = to->ordered, .write = filled_write },
		.to = to,
		.e = e,
		.fill = fill };
	axt_packing_read(g->m, e->meta->attrs, axt_with_sign(e->meta->attrs, e->dtype),
	    &f->packing);
	v = axt_load_f64(e->dtype, f->fill->data);
	f->known = f->fill->typed || v != v;
	for (int k = 0; k < f->packing.nmiss; k++)
		f->known = f->known || f->packing.miss[k] == v;
	return &f->sink;
}

/* ---- rounding ---- */

struct quantized {
	struct axt_sink sink, *to;
	struct axt_quantizer z;
	struct axt_packing missing;
};

static int
quantized_write(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct quantized *k = (struct quantized *)s;
	void *y = malloc((size_t)n + 1);

	if (!y)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	axt_quantize(&k->z, y, p, n / axt_size(k->z.dtype));
	return pass_on(s, k->to, off, y, n, e);
}

static bool
is_rounded(const struct axt_out_var *v)
{
	return v->dtype == AXT_F32 || v->dtype == AXT_F64;
}

int
axt_quantize_vars(struct axt_graph *g, const struct axt_quantize *q, struct axt_out_var *v, int n)
{
	const struct axt_attr *a = axt_quantize_attr(g->m, q);
	int rounded = 0;

	for (int i = 0; i < n; i++) {
		int most = axt_quantize_most(q, v[i].dtype);

		if (!is_rounded(&v[i]))
			continue;
		if (q->n > most)
			return axt_fail(&g->err, AXT_E_ARG,
			    "%s is %s, which --quantize rounds to %s%d%s at most",
			    axt_escape(g->m, v[i].name), axt_dtype_name(v[i].dtype),
			    q->bits ? "bits:" : "", most, q->bits ? "" : " digits");
		if (!a)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		v[i].attrs = axt_attr_set(g->m, v[i].attrs, a);
		rounded++;
	}
	for (int i = 0; i < n; i++) {
		const char *name = axt_escape(g->m, v[i].name), *d = axt_dtype_name(v[i].dtype);

		if (is_rounded(&v[i]))
			continue;
		if (rounded == 0) {
			axt_fail(&g->err, AXT_E_DTYPE,
			    "--quantize rounds f32 and f64 values, and %s is %s", name, d);
			axt_hint(&g->err, "--dtype f32 --quantize %s%d", q->bits ? "bits:" : "",
			    q->n);
			return g->err.code;
		}
		axt_warn(g, "--quantize leaves %s as it is, which is %s", name, d);
	}
	return 0;
}

struct axt_sink *
axt_quantized(struct axt_graph *g, const struct axt_quantize *q, const struct axt_out_var *v,
    struct axt_sink *to)
{
	struct quantized *k;

	if (!to || !is_rounded(v))
		return to;
	k = axt_alloc(g->m, sizeof(*k));
	if (k) {
		*k = (struct quantized){ .sink = { .ordered = to->ordered,
					     .write = quantized_write },
			.to = to };
		axt_packing_read(g->m, v->attrs, v->dtype, &k->missing);
	}
	if (k && axt_quantizer_new(g->m, q, v->dtype, &k->missing, &k->z) == 0)
		return &k->sink;
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return NULL;
}
