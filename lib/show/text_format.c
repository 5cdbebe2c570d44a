/* text_format.c - a value, a coordinate or a name as text, the same in every locale. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "show/text.h"

static bool
is_complex(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_COMPLEX;
}

static bool
is_float(enum axt_dtype d)
{
	return axt_dtypes[d].cls == AXT_CLASS_FLOAT;
}

static bool
is_time(enum axt_dtype d, const struct axt_attr *attrs, struct axt_cftime *cf)
{
	return d != AXT_BOOL && !is_complex(d) && axt_attrs_time(attrs, cf);
}

/* The parts of a format "text %flags width .precision length conversion text". */
struct parts {
	/* Where the %, the end of the flags, the length and the conversion are in the format. */
	int at, flags_end, len_at, conv_at;
};

static bool
digits(const char **p)
{
	const char *s = *p;

	while (**p >= '0' && **p <= '9')
		++*p;
	return *p - s <= 3; /* a width of four digits is refused */
}

/* Splits a format. Returns NULL, or what is wrong with it. */
static const char *
split(const char *f, struct parts *x)
{
	const char *p;
	int n = 0;

	for (p = f; *p != '\0'; p++) {
		if (*p != '%')
			continue;
		if (p[1] == '%') {
			p++;
			continue;
		}
		if (n++ > 0)
			return "more than one conversion";
		x->at = (int)(p - f);
		p += 1 + strspn(p + 1, "-+ #0");
		x->flags_end = (int)(p - f);
		if (!digits(&p))
			return "a width over 999";
		if (*p == '.') {
			p++;
			if (!digits(&p))
				return "a precision over 999";
		}
		x->len_at = (int)(p - f);
		p += strspn(p, "hlqjztL");
		if (*p == '\0' || !strchr("diuoxXaAeEfFgGs", *p))
			return "a conversion other than d i u o x X a A e E f F g G s";
		x->conv_at = (int)(p - f);
	}
	return n == 1 ? NULL : "no conversion";
}

/*
 * Recognises formats such as "%.2f", with a width or with text around. Values are written by these
 * without printf, which is slower.
 */
static void
set_fixed(struct axt_valfmt *v, const char *f, const struct parts *x)
{
	const char *dot = memchr(f + x->flags_end, '.', (size_t)(x->len_at - x->flags_end));

	v->fixed = -1;
	if (v->conv != 'f' || is_complex(v->dtype) || x->flags_end != x->at + 1 ||
	    memchr(f, '%', (size_t)x->at) || strchr(f + x->conv_at, '%'))
		return;
	v->fixed = dot ? (int)strtol(dot + 1, NULL, 10) : 6;
	v->width = (int)strtol(f + x->flags_end, NULL, 10);
	if (v->fixed > AXT_FIXED_MOST || v->width > 32)
		v->fixed = -1;
	v->before = x->at;
	v->after = f + x->conv_at + 1;
}

static int
set_format(struct axt_valfmt *v, const char *f, struct axt_err *e)
{
	struct parts x = { 0, 0, 0, 0 };
	const char *wrong = strlen(f) > 100 ? "more than 100 bytes" : split(f, &x), *len;
	char name[256];
	bool integer;

	axt_escape_to(name, sizeof(name), f);
	if (wrong)
		return axt_fail(e, AXT_E_SYNTAX, "format \"%s\" has %s", name, wrong);
	v->conv = f[x.conv_at];
	set_fixed(v, f, &x);
	integer = strchr("diuoxX", v->conv) != NULL;
	if (integer && (is_float(v->dtype) || is_complex(v->dtype))) {
		axt_fail(e, AXT_E_SYNTAX, "format \"%s\" is for integers, the values are %s", name,
		    axt_dtypes[v->dtype].name);
		axt_hint(e, "%%g, %%.3f and %%e are for %s", axt_dtypes[v->dtype].name);
		return AXT_E_SYNTAX;
	}
	len = integer ? "j" : "";
	if (!is_complex(v->dtype) || v->conv == 's') {
		snprintf(v->spec, sizeof(v->spec), "%.*s%s%c%s", x.len_at, f, len,
		    strchr("di", v->conv) && axt_dtypes[v->dtype].cls != AXT_CLASS_INT ? 'u'
										       : v->conv,
		    f + x.conv_at + 1);
		return AXT_OK;
	}
	snprintf(v->spec, sizeof(v->spec), "%.*s%c", x.len_at, f, v->conv);
	snprintf(v->imag, sizeof(v->imag), "%%+%.*s%cj%s", x.len_at - x.at - 1, f + x.at + 1,
	    v->conv, f + x.conv_at + 1);
	return AXT_OK;
}

int
axt_valfmt_init(struct axt_valfmt *v, enum axt_dtype d, const struct axt_attr *attrs,
    const char *format, struct axt_err *e)
{
	memset(v, 0, sizeof(*v));
	v->dtype = d;
	if (format) {
		v->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		if (v->c == (locale_t)0)
			return axt_fail(e, AXT_E_MEM, "out of memory");
		if (set_format(v, format, e) != AXT_OK) {
			axt_valfmt_release(v);
			return e->code;
		}
	}
	if (v->conv == 0 || v->conv == 's')
		v->time = is_time(d, attrs, &v->cf);
	return AXT_OK;
}

void
axt_valfmt_release(struct axt_valfmt *v)
{
	if (v->c != (locale_t)0)
		freelocale(v->c);
	v->c = (locale_t)0;
}

static uint64_t
load_unsigned(enum axt_dtype d, const void *p)
{
	uint64_t u = 0;

	/* this needs little-endian memory, as all machines have that axt runs on */
	memcpy(&u, p, (size_t)axt_size(d));
	return u;
}

static int64_t
load_signed(enum axt_dtype d, const void *p)
{
	int shift = 64 - 8 * axt_size(d);

	return (int64_t)(load_unsigned(d, p) << shift) >> shift;
}

bool
axt_value_is_nan(enum axt_dtype d, const void *p)
{
	if (is_complex(d)) {
		enum axt_dtype half = d == AXT_C64 ? AXT_F32 : AXT_F64;

		return isnan(axt_load_f64(half, p)) ||
		    isnan(axt_load_f64(half, (const char *)p + axt_size(half)));
	}
	return is_float(d) && isnan(axt_load_f64(d, p));
}

bool
axt_valfmt_missing(const struct axt_valfmt *v, const void *p)
{
	int64_t i;

	/* the least number of i64 is NumPy's NaT, a time that is missing */
	return axt_value_is_nan(v->dtype, p) ||
	    (v->time && v->dtype == AXT_I64 && (memcpy(&i, p, sizeof(i)), i == INT64_MIN));
}

static int
time_or_text(char out[AXT_TEXT], const struct axt_valfmt *v, const void *p)
{
	double f = v->time ? axt_load_f64(v->dtype, p) : NAN;

	if (v->time && axt_valfmt_missing(v, p))
		return sprintf(out, "nan");
	return isfinite(f) ? axt_cftime_text(&v->cf, f, out) : axt_value_text(out, v->dtype, p);
}

/* Adds the value. Returns false if printf has to write it. */
static bool
add_fixed(struct axt_buf *b, const struct axt_valfmt *v, const void *p)
{
	size_t before = (size_t)v->before, after = strlen(v->after);
	char text[AXT_TEXT], *to;
	int n = axt_fixed_text(text, axt_load_f64(v->dtype, p), v->fixed), pad;

	if (n == 0 || !(to = axt_buf_reserve(b, before + after + AXT_TEXT)))
		return n > 0;
	pad = MAX(0, v->width - n);
	memcpy(to, v->spec, before);
	memset(to + before, ' ', (size_t)pad);
	memcpy(to + before + pad, text, (size_t)n);
	memcpy(to + before + pad + n, v->after, after);
	b->n += before + after + (size_t)(pad + n);
	b->p[b->n] = '\0';
	return true;
}

/* formats were checked by split and have exactly one conversion */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void
add_formatted(struct axt_buf *b, const struct axt_valfmt *v, const void *p)
{
	enum axt_dtype d = v->dtype, half = d == AXT_C64 ? AXT_F32 : AXT_F64;
	char text[AXT_TEXT];

	if (v->conv == 's') {
		time_or_text(text, v, p);
		axt_buf_addf(b, v->spec, text);
	} else if (is_complex(d)) {
		axt_buf_addf(b, v->spec, axt_load_f64(half, p));
		axt_buf_addf(b, v->imag, axt_load_f64(half, (const char *)p + axt_size(half)));
	} else if (!strchr("diuoxX", v->conv)) {
		axt_buf_addf(b, v->spec, axt_load_f64(d, p));
	} else if (axt_dtypes[d].cls == AXT_CLASS_INT && strchr("di", v->conv)) {
		axt_buf_addf(b, v->spec, (intmax_t)load_signed(d, p));
	} else {
		axt_buf_addf(b, v->spec, (uintmax_t)load_unsigned(d, p));
	}
}

void
axt_valfmt_add(struct axt_buf *b, const struct axt_valfmt *v, const void *p)
{
	locale_t old;
	char *to;

	if (v->conv == 0) {
		to = axt_buf_reserve(b, AXT_TEXT);
		if (to)
			b->n += (size_t)time_or_text(to, v, p);
		return;
	}
	if (v->fixed >= 0 && add_fixed(b, v, p))
		return;
	old = uselocale(v->c);
	add_formatted(b, v, p);
	uselocale(old);
}

bool
axt_coord_text(struct axt_buf *b, const struct axt_coord *c, int64_t i)
{
	struct axt_valfmt v = { .c = (locale_t)0 };
	char text[AXT_TEXT], name[1024];

	if (!c || !c->data || i >= c->n)
		return false;
	if (c->text) {
		axt_buf_adds(b,
		    axt_escape_to(name, sizeof(name), ((const char *const *)c->data)[i]));
		return true;
	}
	v.dtype = c->dtype;
	v.time = is_time(c->dtype, c->attrs, &v.cf);
	axt_buf_add(b, text,
	    (size_t)time_or_text(text, &v, (const char *)c->data + i * axt_size(c->dtype)));
	return true;
}

void
axt_csv_add(struct axt_buf *b, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		axt_buf_adds(b, s);
		return;
	}
	axt_buf_adds(b, "\"");
	for (; *s != '\0'; s++)
		axt_buf_add(b, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
	axt_buf_adds(b, "\"");
}
