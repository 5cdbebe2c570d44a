/* attributes.c - members of an object of JSON as attributes of CF. */
#include "zarr/json.h"
#include "zarr/zarr.h"

struct adding {
	struct axt_arena *m;
	struct axt_attr *first, **end;
};

/* Whether it is an attribute that Zarr, or netCDF on top of it, has for its own use. */
static bool
is_own(const char *name)
{
	return strcmp(name, "_ARRAY_DIMENSIONS") == 0 || strncmp(name, "_nczarr", 7) == 0 ||
	    strncmp(name, "_NCZARR", 7) == 0 || strcmp(name, "_NCProperties") == 0 ||
	    strncmp(name, "_Netcdf4", 8) == 0;
}

/* The dtype of a list of numbers; AUTO: they are not all numbers. */
static enum axt_dtype
numbers(const struct axt_json *j, size_t n)
{
	enum axt_dtype d = AXT_I64;
	uint64_t u;
	int64_t v;

	for (size_t i = 0; i < n; i++) {
		const struct axt_json *x = axt_json_count(j) ? axt_json_item(j, i) : j;
		enum axt_json_type t = axt_json_type(x);

		if (t == AXT_JSON_DOUBLE)
			d = AXT_F64;
		else if (t == AXT_JSON_BOOL)
			d = d == AXT_I64 && i == 0 ? AXT_U8 : d;
		else if (t != AXT_JSON_INT)
			return AXT_DTYPE_AUTO;
		else if (axt_json_uint(x, &u) && !axt_json_int(x, 0, INT64_MAX, &v))
			d = d == AXT_F64 ? d : AXT_U64;
	}
	return d;
}

static void
put(const struct axt_json *x, enum axt_dtype d, void *p)
{
	double f = 0;
	int64_t v = 0;
	uint64_t u = 0;

	if (d == AXT_U8) {
		*(uint8_t *)p = axt_json_true(x);
	} else if (d == AXT_F64) {
		axt_json_double(x, &f);
		memcpy(p, &f, sizeof(f));
	} else if (d == AXT_U64 && axt_json_uint(x, &u)) {
		memcpy(p, &u, sizeof(u));
	} else {
		axt_json_int(x, INT64_MIN, INT64_MAX, &v);
		memcpy(p, &v, sizeof(v));
	}
}

static bool
all_texts(const struct axt_json *j, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!axt_json_text(axt_json_item(j, i)))
			return false;
	return true;
}

/* The value of an attribute. false: out of memory. */
static bool
value(struct axt_arena *m, const struct axt_json *j, struct axt_attr *a)
{
	static const int64_t none = 0;
	bool list = axt_json_type(j) == AXT_JSON_ARRAY;
	size_t n = list ? axt_json_count(j) : 1;
	const char **s;
	uint8_t *p;

	a->n = (int64_t)n;
	a->dtype = axt_json_type(j) == AXT_JSON_OBJECT ? AXT_DTYPE_AUTO : numbers(j, n);
	if (a->dtype != AXT_DTYPE_AUTO) {
		a->kind = AXT_ATTR_NUM;
		a->dims = n == 0 ? &none : NULL; /* a list of no numbers, and not nothing */
		a->rank = n == 0;
		a->data = p = axt_alloc(m, n * 8 + 1);
		for (size_t i = 0; p && i < n; i++)
			put(list ? axt_json_item(j, i) : j, a->dtype,
			    p + i * (size_t)axt_size(a->dtype));
		return p;
	}
	if (list && all_texts(j, n)) {
		s = axt_alloc(m, n * sizeof(*s) + 1);
		for (size_t i = 0; s && i < n; i++)
			if (!(s[i] = axt_strdup(m, axt_json_text(axt_json_item(j, i)))))
				return false;
		if (s)
			axt_attr_set_list(a, s, (int64_t)n);
		return s;
	}
	/* what attributes cannot be, such as objects, stays as the text of JSON */
	a->kind = AXT_ATTR_TEXT;
	a->text = axt_json_text(j) ? axt_strdup(m, axt_json_text(j)) : axt_json_print(m, j);
	a->n = a->text && *a->text;
	return a->text;
}

static bool
add(void *ctx, const char *name, const struct axt_json *j)
{
	struct adding *x = ctx;
	struct axt_attr *a;

	if (is_own(name) || axt_json_type(j) == AXT_JSON_NULL || !*name)
		return true;
	a = axt_alloc(x->m, sizeof(*a));
	if (!a || !(a->name = axt_strdup(x->m, name)) || !value(x->m, j, a))
		return false; /* the arena keeps that memory ran out */
	*x->end = a;
	x->end = &a->next;
	return true;
}

const struct axt_attr *
axt_zarr_attrs(struct axt_arena *m, const struct axt_json *object)
{
	struct adding x = { .m = m, .end = &x.first };

	axt_json_each(object, add, &x);
	return x.first;
}
