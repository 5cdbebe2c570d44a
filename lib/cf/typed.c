/* typed.c - attributes as users type them: text, or numbers and their dtypes. */
#include <math.h>

#include "cf/cf.h"

/* ---- numbers ---- */

/*
 * The numbers of one attribute. dtype: what their CDL suffixes name, as f32 for 1.5f; AUTO: none.
 */
struct numbers {
	int64_t n;
	struct axt_num *v;
	enum axt_dtype dtype;
};

/* The length of the suffix if w ends in it, else 0. */
static size_t
ends_in(const char *w, const char *suffix)
{
	size_t n = strlen(w), len = strlen(suffix);

	return n > len && strcasecmp(w + n - len, suffix) == 0 ? len : 0;
}

/*
 * Reads a number and removes its CDL suffix, of which *d is the dtype. 0x1b is a number without
 * one.
 */
static bool
parse_number(char *w, struct axt_num *out, enum axt_dtype *d)
{
	size_t most = ends_in(w, "d"), len;

	*d = AXT_DTYPE_AUTO;
	if (axt_parse_num(w, out))
		return true;
	if (most > 0)
		*d = AXT_F64;
	for (int k = AXT_I8; k < AXT_NDTYPES; k++)
		if ((len = ends_in(w, axt_cdl_suffix[k])) > most) {
			most = len;
			*d = (enum axt_dtype)k;
		}
	w[strlen(w) - most] = 0;
	return most > 0 && axt_parse_num(w, out);
}

/* Whether the text is a list of numbers. */
static bool
are_numbers(struct axt_arena *m, const char *text)
{
	char *s = axt_strdup(m, text), *save = NULL, *w;
	struct axt_num v;
	enum axt_dtype d;
	int n = 0;

	for (w = s ? strtok_r(s, ",", &save) : NULL; w; w = strtok_r(NULL, ",", &save), n++)
		if (!parse_number(w, &v, &d))
			return false;
	return n > 0;
}

static int
parse_numbers(struct axt_arena *m, const char *text, struct numbers *out, struct axt_err *e)
{
	char *s = axt_strdup(m, text), *save = NULL;
	int64_t n = 1;
	enum axt_dtype d;

	for (const char *p = text; *p; p++)
		n += *p == ',';
	*out = (struct numbers){ 0 };
	out->v = axt_alloc(m, (size_t)n * sizeof(*out->v));
	if (!s || !out->v)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (char *w = strtok_r(s, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		const char *word = axt_escape(m, w);

		if (!parse_number(w, &out->v[out->n++], &d)) {
			axt_fail(e, AXT_E_SYNTAX, "\"%s\" is not a number", word);
			return axt_about(e, AXT_BAD_NUMBER, w, NULL);
		}
		if (d && out->dtype && d != out->dtype)
			return axt_fail(e, AXT_E_SYNTAX,
			    "\"%s\": the numbers of an attribute have one dtype, %s or %s",
			    axt_escape(m, text), axt_dtypes[out->dtype].name, axt_dtypes[d].name);
		out->dtype = d ? d : out->dtype;
	}
	return out->n ? 0 : axt_fail(e, AXT_E_SYNTAX, "no numbers in \"%s\"", axt_escape(m, text));
}

/* The dtype of numbers without a suffix where nothing else tells it. CF has no i64. */
static enum axt_dtype
plain_dtype(const struct numbers *x)
{
	enum axt_dtype d = AXT_I32;

	for (int64_t k = 0; k < x->n; k++) {
		const struct axt_num *v = &x->v[k];

		if (!v->is_int)
			return AXT_F64;
		if (v->is_unsigned || d == AXT_U64)
			d = AXT_U64;
		else if (v->i < INT32_MIN || v->i > INT32_MAX)
			d = AXT_I64;
	}
	for (int64_t k = 0; k < x->n && d == AXT_U64; k++)
		if (!x->v[k].is_unsigned && x->v[k].i < 0)
			d = AXT_F64;
	return d;
}

/* v as an element of dtype d; whole numbers may be typed as 1e3. false: it does not fit. */
static bool
store(const struct axt_num *v, enum axt_dtype d, void *p)
{
	struct axt_num w = *v;

	if (axt_dtypes[d].cls == AXT_CLASS_FLOAT)
		return axt_num_store(&w, d, p) && (isfinite(axt_load_f64(d, p)) || !isfinite(w.f));
	if (!w.is_int && w.f == rint(w.f) && fabs(w.f) < 0x1p63)
		w = (struct axt_num){ .is_int = true,
			.i = (int64_t)w.f,
			.u = (uint64_t)(int64_t)w.f,
			.f = w.f };
	return w.is_int && axt_num_store(&w, d, p);
}

/* ---- what dtype ---- */

/*
 * Whether the attribute describes stored values, as _FillValue does. Then it must have the dtype in
 * which they are stored, or netCDF refuses the file (CF 2.5.1, 3.5).
 */
static bool
is_of_values(const char *name)
{
	return axt_attr_form(name) == AXT_FORM_STORED;
}

static bool
is_real(enum axt_dtype d)
{
	return d && axt_dtypes[d].cls == AXT_CLASS_FLOAT;
}

/*
 * The dtype that CF gives the attribute called `name` of values that are stored as d and have the
 * attributes l; AUTO: any. scale_factor, add_offset and actual_range have the dtype of unpacked
 * values.
 */
static enum axt_dtype
dtype_by_name(struct axt_arena *m, const char *name, enum axt_dtype d, const struct axt_attr *l)
{
	enum axt_attr_form form = axt_attr_form(name);
	bool scale = form == AXT_FORM_PACKING;
	struct axt_packing p;

	if (!d || axt_dtypes[d].cls == AXT_CLASS_COMPLEX)
		return AXT_DTYPE_AUTO;
	if (form == AXT_FORM_STORED)
		return axt_with_sign(l, d);
	if (!scale && form != AXT_FORM_UNPACKED)
		return AXT_DTYPE_AUTO;
	axt_packing_read(m, l, d, &p);
	if (is_real(p.attr_dtype))
		return p.attr_dtype;
	return p.scaled || scale ? axt_unpacked_dtype(d, &p) : d;
}

/*
 * Whether numbers may be typed as dtype `typed` where CF gives d: another float dtype is accepted
 * for an attribute that does not describe stored values.
 */
static bool
may_be(const char *name, enum axt_dtype typed, enum axt_dtype d)
{
	return !typed || typed == d || (!is_of_values(name) && is_real(typed) && is_real(d));
}

/* The dtype of the old value if the numbers fit it, whole ones exactly; else their own. */
static enum axt_dtype
usual_dtype(const struct numbers *x, const struct axt_attr *old)
{
	union {
		uint8_t b[16];
		double align;
	} v;

	if (!old || old->kind != AXT_ATTR_NUM || axt_dtypes[old->dtype].cls == AXT_CLASS_COMPLEX ||
	    old->dtype == AXT_BOOL)
		return plain_dtype(x);
	for (int64_t k = 0; k < x->n; k++)
		if (!store(&x->v[k], old->dtype, v.b) ||
		    (x->v[k].is_int && axt_load_f64(old->dtype, v.b) != x->v[k].f))
			return plain_dtype(x);
	return old->dtype;
}

int
axt_attr_numbers(struct axt_arena *m, const char *text, enum axt_dtype stored,
    const struct axt_attr *l, const char *from, struct axt_attr *out, struct axt_err *e)
{
	const char *name = axt_escape(m, out->name);
	enum axt_dtype want = dtype_by_name(m, out->name, stored, l), d, other;
	struct numbers x;
	uint8_t *v, *p;

	if (parse_numbers(m, text, &x, e))
		return e->code;
	if (want && !may_be(out->name, x.dtype, want))
		return axt_fail(e, AXT_E_DTYPE, "%s of %s, which holds %s, is %s, not %s", name,
		    from, axt_dtypes[stored].name, axt_dtypes[want].name, axt_dtypes[x.dtype].name);
	d = x.dtype ? x.dtype : want ? want : usual_dtype(&x, axt_attr_find(l, out->name));
	/*
	 * An attribute that describes unsigned values in signed storage is written in the stored
	 * dtype, with the bits of the unsigned number.
	 */
	other = want && is_of_values(out->name) ? stored : d;
	v = p = axt_alloc(m, (size_t)(x.n * axt_size(d)));
	if (!v)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int64_t k = 0; k < x.n; k++, p += axt_size(d))
		if (!store(&x.v[k], d, p) && !store(&x.v[k], other, p)) {
			char word[AXT_TEXT];

			axt_value_text(word, AXT_F64, &x.v[k].f);
			axt_fail(e, AXT_E_RANGE, "%s does not fit %s, the dtype of %s of %s", word,
			    axt_dtypes[d].name, name, from);
			return axt_about(e, AXT_DOES_NOT_FIT, word, axt_dtypes[d].name);
		}
	*out = (struct axt_attr){ .name = out->name,
		.kind = AXT_ATTR_NUM,
		.dtype = other,
		.data = v,
		.n = x.n };
	return 0;
}

/* ---- [OBJECT:]NAME=TEXT ---- */

int
axt_attr_parse(struct axt_arena *m, const char *spec, const char **object, struct axt_attr *out,
    const char **numbers, struct axt_err *e)
{
	const char *eq = strchr(spec, '='), *name = spec, *colon, *end;
	bool colon_eq;

	*out = (struct axt_attr){ 0 };
	*object = *numbers = NULL;
	if (!eq || eq == spec)
		axt_fail(e, AXT_E_SYNTAX,
		    "an attribute is set by NAME=TEXT or NAME:=NUMBERS, not \"%s\"",
		    axt_escape(m, spec));
	else if (memchr(spec, '@', (size_t)(eq - spec)))
		axt_fail(e, AXT_E_SYNTAX,
		    "\"%s\": the name of an attribute has no \"@\"; that of an axis is AXIS:NAME",
		    axt_escape(m, spec));
	if (e->code)
		return axt_about(e, AXT_BAD_WORD, spec, "NAME=TEXT or NAME:=NUMBERS");
	colon_eq = eq > spec && eq[-1] == ':';
	end = colon_eq ? eq - 1 : eq;
	colon = memchr(spec, ':', (size_t)(end - spec));
	if (colon) {
		*object = axt_strndup(m, spec, (size_t)(colon - spec));
		name = colon + 1;
	}
	out->name = axt_strndup(m, name, (size_t)(end - name));
	if (!out->name || (colon && !*object))
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (!*out->name)
		return axt_fail(e, AXT_E_SYNTAX, "an attribute without a name: \"%s\"",
		    axt_escape(m, spec));
	if (end[-1] == ' ') {
		axt_fail(e, AXT_E_SYNTAX, "the name of an attribute ends with a blank: \"%s\"",
		    axt_escape(m, spec));
		axt_hint(e, "%.*s=%s", (int)strcspn(spec, " "), axt_escape(m, spec),
		    axt_escape(m, eq + 1 + strspn(eq + 1, " ")));
		return e->code;
	}
	/* numbers of CF as a user types them first: valid_min=200 */
	if (colon_eq || (axt_attr_form(out->name) != AXT_FORM_TEXT && are_numbers(m, eq + 1)))
		*numbers = eq + 1;
	out->kind = AXT_ATTR_TEXT;
	out->text = axt_strdup(m, eq + 1);
	return out->text ? 0 : axt_fail(e, AXT_E_MEM, "out of memory");
}
