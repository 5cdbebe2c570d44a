/* json.c - JSON by libjson-c; see json.h. */
#include "zarr/json.h"
#include "base/library.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define DEPTH 64
#define VALIDATE_UTF8 16 /* JSON_TOKENER_VALIDATE_UTF8 */
#define PLAIN 0          /* JSON_C_TO_STRING_PLAIN */

/* struct json_object_iterator, which is one pointer */
struct iter {
	const void *p;
};
static struct {
	void *(*tokener)(int);
	void (*flags)(void *, int);
	struct axt_json *(*parse)(void *, const char *, int);
	int (*error)(void *);
	size_t (*end)(void *);
	void (*tokener_free)(void *);
	int (*put)(struct axt_json *);
	int (*type)(const struct axt_json *);
	int (*get)(const struct axt_json *, const char *, struct axt_json **);
	size_t (*length)(const struct axt_json *);
	struct axt_json *(*item)(const struct axt_json *, size_t);
	const char *(*text)(const struct axt_json *);
	int (*text_length)(const struct axt_json *);
	int64_t (*i64)(const struct axt_json *);
	uint64_t (*u64)(const struct axt_json *);
	double (*f64)(const struct axt_json *);
	int (*boolean)(const struct axt_json *);
	const char *(*print)(const struct axt_json *, int);
	struct iter (*first)(const struct axt_json *);
	struct iter (*last)(const struct axt_json *);
	void (*next)(struct iter *);
	int (*same)(const struct iter *, const struct iter *);
	const char *(*name)(const struct iter *);
	struct axt_json *(*value)(const struct iter *);
} z;
static const struct axt_library_function functions[] = { { "json_tokener_new_ex", &z.tokener },
	{ "json_tokener_set_flags", &z.flags }, { "json_tokener_parse_ex", &z.parse },
	{ "json_tokener_get_error", &z.error }, { "json_tokener_get_parse_end", &z.end },
	{ "json_tokener_free", &z.tokener_free }, { "json_object_put", &z.put },
	{ "json_object_get_type", &z.type }, { "json_object_object_get_ex", &z.get },
	{ "json_object_array_length", &z.length }, { "json_object_array_get_idx", &z.item },
	{ "json_object_get_string", &z.text }, { "json_object_get_string_len", &z.text_length },
	{ "json_object_get_int64", &z.i64 }, { "json_object_get_uint64", &z.u64 },
	{ "json_object_get_double", &z.f64 }, { "json_object_get_boolean", &z.boolean },
	{ "json_object_to_json_string_ext", &z.print }, { "json_object_iter_begin", &z.first },
	{ "json_object_iter_end", &z.last }, { "json_object_iter_next", &z.next },
	{ "json_object_iter_equal", &z.same }, { "json_object_iter_peek_name", &z.name },
	{ "json_object_iter_peek_value", &z.value }, { NULL, NULL } };
static struct axt_library library = { .so = "libjson-c.so.5",
	.package = "libjson-c5",
	.functions = functions };

const char axt_json_too_large[] = "is JSON that takes more memory than --memory allows";

/* Whether what json-c makes of the text, some 100 bytes for a value, is not over `most` bytes. */
static bool
fits(const char *s, size_t n, uint64_t most)
{
	uint64_t values = 1;

	for (size_t i = 0; i < n; i++)
		values += s[i] == ',' || s[i] == ':' || s[i] == '[' || s[i] == '{';
	return values <= most / 112 && n <= most / 2;
}

/* Whether the n digits, with a sign or without, are no integer of 64 bits. */
static bool
is_beyond(const char *digits, size_t n, bool negative)
{
	const char *most = negative ? "9223372036854775808" : "18446744073709551615";

	while (n > 1 && *digits == '0') {
		digits++;
		n--;
	}
	return n > strlen(most) || (n == strlen(most) && memcmp(digits, most, n) > 0);
}

/*
 * A copy of the text with ".0" behind each integer that does not fit in 64 bits, so that json-c
 * reads it as a real number: it would silently replace such an integer by the nearest one that
 * fits. NULL: out of memory.
 */
static char *
with_reals(const char *s, size_t n, size_t *out_n)
{
	struct axt_buf b = { 0 };
	size_t from = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		if (quoted && s[i] == '\\')
			i++;
		else if (s[i] == '"')
			quoted = !quoted;
		if (quoted || s[i] < '0' || s[i] > '9')
			continue;
		while (k < n && s[k] >= '0' && s[k] <= '9')
			k++;
		/* digits behind a point or an exponent are no integer, nor what these follow */
		if ((i == 0 || !strchr(".eE+", s[i - 1]) || !s[i - 1]) &&
		    !(i > 1 && s[i - 1] == '-' && strchr("eE", s[i - 2]) && s[i - 2]) &&
		    (k == n || !strchr(".eE", s[k]) || !s[k]) &&
		    is_beyond(s + i, k - i, i > 0 && s[i - 1] == '-')) {
			axt_buf_add(&b, s + from, k - from);
			axt_buf_adds(&b, ".0");
			from = k;
		}
		i = k - 1;
	}
	axt_buf_add(&b, s + from, n - from);
	*out_n = b.n;
	if (!b.bad)
		return b.p;
	axt_buf_release(&b);
	return NULL;
}

struct axt_json *
axt_json_parse(const void *p, size_t n, uint64_t most, const char **why)
{
	struct axt_json *j = NULL;
	char *s;
	void *t;
	size_t end;

	*why = axt_library_load(&library);
	if (*why)
		return NULL;
	if (!fits(p, n, most)) {
		*why = axt_json_too_large;
		return NULL;
	}
	s = with_reals(p, n, &n);
	t = s && n < INT_MAX ? z.tokener(DEPTH) : NULL;
	if (!t) {
		*why = n >= INT_MAX ? "is JSON of 2 GiB or more" : "is too large: out of memory";
		free(s);
		return NULL;
	}
	z.flags(t, VALIDATE_UTF8);
	j = z.parse(t, s, (int)n);
	end = z.end(t);
	if (z.error(t) != 0)
		*why = "is no JSON";
	for (; !*why && end < n; end++)
		if (!strchr(" \t\r\n", s[end]) || !s[end])
			*why = "is no JSON: more follows behind its end";
	z.tokener_free(t);
	free(s);
	if (*why && j)
		z.put(j);
	return *why ? NULL : j;
}

void
axt_json_free(struct axt_json *j)
{
	if (j)
		z.put(j);
}

enum axt_json_type
axt_json_type(const struct axt_json *j)
{
	return j ? (enum axt_json_type)z.type(j) : AXT_JSON_NULL;
}

const struct axt_json *
axt_json_get(const struct axt_json *j, const char *name)
{
	struct axt_json *out = NULL;

	return axt_json_type(j) == AXT_JSON_OBJECT && z.get(j, name, &out) ? out : NULL;
}

size_t
axt_json_count(const struct axt_json *j)
{
	return axt_json_type(j) == AXT_JSON_ARRAY ? z.length(j) : 0;
}

const struct axt_json *
axt_json_item(const struct axt_json *j, size_t i)
{
	return i < axt_json_count(j) ? z.item(j, i) : NULL;
}

const char *
axt_json_bytes(const struct axt_json *j, size_t *n)
{
	if (axt_json_type(j) != AXT_JSON_STRING)
		return NULL;
	*n = (size_t)z.text_length(j);
	return z.text(j);
}

const char *
axt_json_text(const struct axt_json *j)
{
	size_t n;
	const char *s = axt_json_bytes(j, &n);

	return s && strlen(s) == n ? s : NULL;
}

bool
axt_json_int(const struct axt_json *j, int64_t lo, int64_t hi, int64_t *out)
{
	double d;

	if (axt_json_type(j) == AXT_JSON_DOUBLE) {
		d = z.f64(j);
		if (!(fabs(d) < 0x1p53) || d != floor(d))
			return false;
		*out = (int64_t)d;
	} else if (axt_json_type(j) == AXT_JSON_INT) {
		*out = z.i64(j);
		if (*out == INT64_MAX && z.u64(j) != INT64_MAX)
			return false;
	} else {
		return false;
	}
	return *out >= lo && *out <= hi;
}

bool
axt_json_uint(const struct axt_json *j, uint64_t *out)
{
	if (axt_json_type(j) != AXT_JSON_INT)
		return false;
	*out = z.u64(j);
	return *out > INT64_MAX;
}

bool
axt_json_double(const struct axt_json *j, double *out)
{
	enum axt_json_type t = axt_json_type(j);

	if (t != AXT_JSON_INT && t != AXT_JSON_DOUBLE)
		return false;
	*out = z.f64(j);
	return true;
}

bool
axt_json_true(const struct axt_json *j)
{
	return axt_json_type(j) == AXT_JSON_BOOL && z.boolean(j);
}

const char *
axt_json_print(struct axt_arena *m, const struct axt_json *j)
{
	/* json-c prints the document into memory of its own, which it keeps */
	const char *s = j ? z.print(j, PLAIN) : "null";

	return s ? axt_strdup(m, s) : NULL;
}

void
axt_json_each(const struct axt_json *j,
    bool (*each)(void *ctx, const char *name, const struct axt_json *value), void *ctx)
{
	struct iter i, end;

	if (axt_json_type(j) != AXT_JSON_OBJECT)
		return;
	i = z.first(j);
	end = z.last(j);
	for (; !z.same(&i, &end); z.next(&i))
		if (!each(ctx, z.name(&i), z.value(&i)))
			return;
}
