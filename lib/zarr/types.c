/* types.c - data types and fill values of arrays. */
#include "zarr/json.h"
#include "zarr/zarr.h"

#include <math.h>
#include <stdlib.h>

#define MAX_TEXT ((int64_t)1 << 20)

/* ---- types ---- */

static const char *
unknown(struct axt_arena *m, const struct axt_json *type)
{
	char text[200];
	const char *s = axt_json_print(m, type),
		   *why = axt_sprintf(m, "type not supported: %s",
		       axt_escape_to(text, sizeof(text), s ? s : "?"));

	return why ? why : "type not supported";
}

static const char *
number(struct axt_zarr_array *a, enum axt_dtype d)
{
	a->kind = AXT_ZARR_NUMBERS;
	a->dtype = d;
	a->esize = axt_size(d);
	return NULL;
}

static const char *
text(struct axt_zarr_array *a, enum axt_zarr_kind kind, int64_t bytes)
{
	if (bytes < 1 || bytes > MAX_TEXT)
		return bytes == 0 ? "its texts have no characters" : "its strings are too large";
	a->kind = kind;
	a->dtype = AXT_U8;
	a->esize = (int)bytes;
	return NULL;
}

/* Times of NumPy become integers with the units that CF has for them. */
static const char *
times(struct axt_arena *m, struct axt_zarr_array *a, bool span, const char *unit)
{
	static const char *const names[][2] = { { "ns", "nanoseconds" }, { "us", "microseconds" },
		{ "ms", "milliseconds" }, { "s", "seconds" }, { "m", "minutes" }, { "h", "hours" },
		{ "D", "days" } };
	static const int64_t nat = INT64_MIN;
	struct axt_attr units = { .name = "units", .kind = AXT_ATTR_TEXT },
			missing = { .name = "_FillValue",
				.kind = AXT_ATTR_NUM,
				.dtype = AXT_I64,
				.n = 1,
				.data = &nat };

	for (int i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(unit, names[i][0]) != 0)
			continue;
		units.n = 1;
		units.text = span ? names[i][1]
				  : axt_sprintf(m, "%s since 1970-01-01", names[i][1]);
		if (!axt_attr_find(a->attrs, "units") && units.text)
			a->attrs = axt_attr_set(m, a->attrs, &units);
		a->attrs = axt_attr_set(m, a->attrs, &missing);
		return number(a, AXT_I64);
	}
	return NULL;
}

enum axt_dtype
axt_zarr_dtype(const char *s, bool *swap)
{
	static const char *const kinds[AXT_NDTYPES] = { [AXT_BOOL] = "b1",
		[AXT_I8] = "i1",
		[AXT_I16] = "i2",
		[AXT_I32] = "i4",
		[AXT_I64] = "i8",
		[AXT_U8] = "u1",
		[AXT_U16] = "u2",
		[AXT_U32] = "u4",
		[AXT_U64] = "u8",
		[AXT_F16] = "f2",
		[AXT_F32] = "f4",
		[AXT_F64] = "f8",
		[AXT_C64] = "c8",
		[AXT_C128] = "c16" };
	bool ordered = *s && strchr("<>|=", *s);

	for (int d = AXT_DTYPE_AUTO + 1; d < AXT_NDTYPES; d++) {
		if (kinds[d] && strcmp(s + ordered, kinds[d]) == 0) {
			*swap = *s == '>';
			return (enum axt_dtype)d;
		}
		if (strcmp(s, axt_dtypes[d].numpy) == 0) {
			*swap = false;
			return (enum axt_dtype)d;
		}
	}
	return AXT_DTYPE_AUTO;
}

/* A type of version 2, as NumPy writes it: "<f4". */
static const char *
type2(struct axt_arena *m, const struct axt_json *type, struct axt_zarr_array *a)
{
	const char *s = axt_json_text(type), *end;
	enum axt_dtype d;
	char unit[8];
	int64_t n = 0;

	if (!s || !*s || !strchr("<>|=", s[0]))
		return unknown(m, type);
	a->swap = s[0] == '>';
	if (strcmp(s, "|O") == 0)
		return text(a, AXT_ZARR_VLEN, 1);
	if ((s[1] == 'M' || s[1] == 'm') && s[2] == '8' && s[3] == '[' && (end = strchr(s, ']')) &&
	    end - s - 4 < (int)sizeof(unit)) {
		snprintf(unit, sizeof(unit), "%.*s", (int)(end - s - 4), s + 4);
		times(m, a, s[1] == 'm', unit);
		return a->esize ? NULL : unknown(m, type);
	}
	d = axt_zarr_dtype(s, &a->swap);
	if (d != AXT_DTYPE_AUTO)
		return number(a, d);
	if (!s[1] || !axt_parse_int(s + 2, 0, INT32_MAX, &n))
		return unknown(m, type);
	if (s[1] == 'S')
		return text(a, AXT_ZARR_BYTES, n);
	if (s[1] == 'U')
		return text(a, AXT_ZARR_UTF32, 4 * n);
	return unknown(m, type);
}

/* A type of version 3: a name, or an object with name and configuration. */
static const char *
type3(struct axt_arena *m, const struct axt_json *type, struct axt_zarr_array *a)
{
	const struct axt_json *name = axt_json_get(type, "name"),
			      *conf = axt_json_get(type, "configuration");
	const char *s = axt_json_text(name ? name : type), *unit;
	int64_t n;

	if (!s)
		return unknown(m, type);
	for (int d = AXT_DTYPE_AUTO + 1; d < AXT_NDTYPES; d++)
		if (strcmp(axt_dtypes[d].numpy, s) == 0)
			return number(a, (enum axt_dtype)d);
	if (strcmp(s, "string") == 0 || strcmp(s, "variable_length_utf8") == 0)
		return text(a, AXT_ZARR_VLEN, 1);
	if (axt_json_int(axt_json_get(conf, "length_bytes"), 0, INT32_MAX, &n)) {
		if (strcmp(s, "fixed_length_utf32") == 0)
			return text(a, AXT_ZARR_UTF32, n);
		if (strcmp(s, "null_terminated_bytes") == 0 || strcmp(s, "fixed_length_ascii") == 0)
			return text(a, AXT_ZARR_BYTES, n);
	}
	unit = axt_json_text(axt_json_get(conf, "unit"));
	if (unit && axt_json_int(axt_json_get(conf, "scale_factor"), 1, 1, &n))
		times(m, a, strcmp(s, "numpy.timedelta64") == 0, unit);
	return a->esize ? NULL : unknown(m, type);
}

const char *
axt_zarr_type(struct axt_arena *m, const struct axt_json *type, struct axt_zarr_array *a)
{
	return a->version == 2 ? type2(m, type, a) : type3(m, type, a);
}

/* ---- fill values ---- */

void
axt_zarr_float(enum axt_dtype d, double v, uint8_t *out)
{
	float f = (float)v;
	uint16_t h = d == AXT_F16 ? axt_f32_to_f16(f) : axt_f32_to_bf16(f);

	if (d == AXT_F64)
		memcpy(out, &v, sizeof(v));
	else if (d == AXT_F32)
		memcpy(out, &f, sizeof(f));
	else
		memcpy(out, &h, sizeof(h));
}

static bool
put_float(enum axt_dtype d, double v, uint8_t *out)
{
	axt_zarr_float(d, v, out);
	return true;
}

/* A float: a number, the name of one that JSON has not, or its bits as hexadecimal digits. */
static bool
float_fill(const struct axt_json *j, enum axt_dtype d, uint8_t *out)
{
	const char *s = axt_json_text(j);
	uint64_t bits;
	char *end;
	double v;

	if (axt_json_double(j, &v))
		return put_float(d, v, out);
	if (!s)
		return false;
	if (strcmp(s, "NaN") == 0)
		return put_float(d, (double)NAN, out);
	if (strcmp(s, "Infinity") == 0 || strcmp(s, "-Infinity") == 0)
		return put_float(d, s[0] == '-' ? -INFINITY : INFINITY, out);
	if (strncmp(s, "0x", 2) != 0 || strlen(s) != 2 + 2 * (size_t)axt_size(d) ||
	    s[2 + strspn(s + 2, "0123456789abcdefABCDEF")])
		return false;
	bits = strtoull(s + 2, &end, 16);
	memcpy(out, &bits, (size_t)axt_size(d));
	return true;
}

static bool
int_fill(const struct axt_json *j, enum axt_dtype d, uint8_t *out)
{
	bool is_signed = axt_dtypes[d].cls == AXT_CLASS_INT;
	int bits = 8 * axt_size(d);
	int64_t v,
	    hi = is_signed ? INT64_MAX >> (64 - bits)
	    : bits == 64   ? INT64_MAX
			   : ((int64_t)1 << bits) - 1;
	uint64_t u;

	if (axt_json_int(j, is_signed ? -hi - 1 : 0, hi, &v))
		memcpy(out, &v, (size_t)axt_size(d));
	else if (d == AXT_U64 && axt_json_uint(j, &u))
		memcpy(out, &u, sizeof(u));
	else
		return false;
	return true;
}

static bool
bool_fill(const struct axt_json *j, uint8_t *out)
{
	int64_t v;

	if (axt_json_type(j) == AXT_JSON_BOOL)
		*out = axt_json_true(j);
	else if (axt_json_int(j, 0, 1, &v))
		*out = (uint8_t)v;
	else
		return false;
	return true;
}

static bool
complex_fill(const struct axt_json *j, enum axt_dtype d, uint8_t *out)
{
	enum axt_dtype part = d == AXT_C64 ? AXT_F32 : AXT_F64;

	if (axt_json_count(j) == 2)
		return float_fill(axt_json_item(j, 0), part, out) &&
		    float_fill(axt_json_item(j, 1), part, out + axt_size(part));
	return float_fill(j, part, out); /* its imaginary part is 0 */
}

/* A fill value of texts: as it is, or in base64 where they are bytes; 0 stands for an empty one. */
static const char *
text_fill(struct axt_arena *m, const struct axt_json *j, struct axt_zarr_array *a)
{
	static const char bad[] = "its fill value does not fit its type";
	const char *s = axt_json_text(j);
	uint64_t n = s ? strlen(s) : 0;
	const uint8_t *bytes = NULL;
	uint8_t *out;
	int64_t zero;
	uint32_t c;

	if (!s)
		return axt_json_int(j, 0, 0, &zero) ? NULL : bad;
	if (a->kind == AXT_ZARR_BYTES && !(bytes = axt_zarr_base64(m, s, n, &n)))
		return bad;
	if (a->kind == AXT_ZARR_VLEN) {
		a->fill_text = (const uint8_t *)axt_strdup(m, s);
		return a->fill_text ? NULL : "out of memory";
	}
	if (n > (uint64_t)a->esize && a->kind == AXT_ZARR_BYTES)
		return bad;
	a->fill_text = out = axt_alloc(m, (size_t)a->esize);
	if (!out)
		return "out of memory";
	if (bytes)
		memcpy(out, bytes, n);
	for (int k = 0, len; a->kind == AXT_ZARR_UTF32 && *s; k++, s += len) {
		if (4 * k == a->esize || (len = axt_utf8(s, &c)) == 0)
			return bad;
		c = a->swap ? __builtin_bswap32(c) : c;
		memcpy(out + 4 * k, &c, sizeof(c));
	}
	return NULL;
}

const char *
axt_zarr_fill(struct axt_arena *m, const struct axt_json *fill, struct axt_zarr_array *a)
{
	const char *s = axt_json_text(fill);
	int64_t nat = INT64_MIN;
	bool ok;

	if (axt_json_type(fill) == AXT_JSON_NULL)
		return NULL;
	if (a->kind != AXT_ZARR_NUMBERS)
		return text_fill(m, fill, a);
	switch (axt_dtypes[a->dtype].cls) {
	case AXT_CLASS_BOOL: ok = bool_fill(fill, a->fill); break;
	case AXT_CLASS_FLOAT: ok = float_fill(fill, a->dtype, a->fill); break;
	case AXT_CLASS_COMPLEX: ok = complex_fill(fill, a->dtype, a->fill); break;
	default:
		ok = int_fill(fill, a->dtype, a->fill);
		if (!ok && s && strcmp(s, "NaT") == 0 && a->dtype == AXT_I64)
			ok = (memcpy(a->fill, &nat, sizeof(nat)), true);
	}
	return ok ? NULL : "its fill value does not fit its type";
}
