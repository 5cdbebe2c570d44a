/*
 * filled.c - a sink that replaces missing values by the number in the result's _FillValue. A value
 * that equals that number would read as missing, so it is an error.
 */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Copies n elements from x to y and replaces those that are missing. Returns whether an element
 * equals the fill value.
 */
typedef bool fill_fn(const struct axt_filled *f, void *y, const void *x, int64_t n);

#define FILL(name, T)                                                                      \
	static bool name(const struct axt_filled *f, void *out, const void *in, int64_t n) \
	{                                                                                  \
		const T *x = in;                                                           \
		T *y = out, v;                                                             \
		bool met = false;                                                          \
                                                                                           \
		memcpy(&v, f->fill->data, sizeof(v));                                      \
		for (int64_t i = 0; i < n; i++) {                                          \
			met |= x[i] == v;                                                  \
			y[i] = x[i] != x[i] ? v : x[i];                                    \
		}                                                                          \
		for (int k = 0; k < f->packing.nmiss; k++) {                               \
			T m = (T)f->packing.miss[k];                                       \
                                                                                           \
			for (int64_t i = 0; i < n; i++)                                    \
				y[i] = x[i] == m ? v : y[i];                               \
		}                                                                          \
		return met;                                                                \
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
	int rc;

	if (!y)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (fills[f->e->dtype](f, y, p, n / size) && !f->known)
		rc = refuse(f, p, off / size, n / size, e);
	else
		rc = f->to->write(f->to, off, y, n, e);
	__atomic_store_n(&s->full, __atomic_load_n(&f->to->full, __ATOMIC_RELAXED),
	    __ATOMIC_RELAXED);
	free(y);
	return rc;
}

/*
 * The fill attribute in the dtype of e. It has another dtype if values were moved without being
 * unpacked.
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
