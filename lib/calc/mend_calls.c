/* mend_calls.c - rules for calls, methods and parts as NumPy, xarray, CDO and NCO have them. */
#include <math.h>
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text
#define bare axt_mend_bare

const char *
axt_mend_bare(const struct axt_mend *m, int from, int to)
{
	struct axt_buf b = { 0 };
	const char *s;
	int n = 0;

	for (int i = from; i < to; i++) {
		if (is(m, i, "[") || is(m, i, "]") || is(m, i, "(") || is(m, i, ")") ||
		    is(m, i, ","))
			continue;
		axt_buf_addf(&b, "%s%s", n++ ? ", " : "", axt_mend_word(m, i));
	}
	s = b.p && !b.bad ? axt_sprintf(m->c->g->m, n > 1 ? "(%s)" : "%s", b.p) : NULL;
	axt_buf_release(&b);
	return s ? s : "";
}

/* Whether the tokens are names and quoted words that are axes, with brackets around them. */
static bool
are_axes(const struct axt_mend *m, int from, int to)
{
	int n = 0;

	for (int i = from; i < to; i++) {
		bool word = axt_mend_at(m, i)->quoted || axt_mend_is_name(m, i);

		if (word ? !axt_mend_is_axis(m, axt_mend_word(m, i))
			 : !is(m, i, "[") && !is(m, i, "]") && !is(m, i, "(") && !is(m, i, ")") &&
			    !is(m, i, ","))
			return false;
		n += word;
	}
	return n > 0;
}

/* The name of an axis by its number in the tensor that tokens from to `to` are; NULL: not known. */
static const char *
axis_numbered(const struct axt_mend *m, int from, int to, int number)
{
	const struct axt_calc_name *x = NULL;
	int n;

	for (int i = from; i < to; i++) {
		if (is(m, i, "[") || is(m, i, "("))
			return NULL;
		if (!x || x->e->axes.n == 0)
			x = axt_mend_known(m, i);
	}
	n = x ? x->e->axes.n : 0;
	number += number < 0 ? n : 0;
	return number >= 0 && number < n ? x->e->axes.a[number].name : NULL;
}

/* A whole number with a sign, of one or two tokens. */
static bool
whole(const struct axt_mend *m, int from, int to, int *v)
{
	int64_t n;

	if (!axt_parse_int(text(m, from, to), -AXT_MAX_RANK, AXT_MAX_RANK, &n))
		return false;
	*v = (int)n;
	return true;
}

/* ---- functions of modules, and names of functions ---- */

/* np.sqrt, xr.where, np.linalg.norm, np.pi */
static bool
module(struct axt_mend *m, int i)
{
	static const char modules[] = "np numpy xr xarray math torch scipy special da dask cp cupy "
				      "jnp jax tf cmath ma linalg fft ndimage stats F nn Math";

	return axt_mend_is_name(m, i) && is(m, i + 1, ".") && axt_mend_is_name(m, i + 2) &&
	    axt_mend_glued(m, i + 1) && axt_mend_glued(m, i + 2) && !axt_mend_known(m, i) &&
	    axt_word_index(modules, m->t[i].s, m->t[i].n) >= 0 && put(m, i, i + 2, "%s", "");
}

/* f x, without parentheses, of one value; and f alone where there is one tensor. */
static bool
no_parentheses(struct axt_mend *m, int i)
{
	struct axt_calc_fn fn;
	int last, tensors = 0;
	const char *only = NULL;

	if (!axt_mend_is_name(m, i) || axt_mend_known(m, i) ||
	    (is(m, i + 1, "(") && !is(m, i + 2, ")")) || is(m, i + 1, "=") ||
	    !axt_calc_find(m->c->g->m, text(m, i, i + 1), &fn) || fn.min != 1)
		return false;
	if (!is(m, i + 1, "(") && axt_mend_begins(m, i + 1)) {
		last = axt_mend_last(m, i + 1);
		return put(m, i, last + 1, "%s(%s)", text(m, i, i + 1), text(m, i + 1, last + 1));
	}
	for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
		if (x->e->axes.n > 1) {
			tensors++;
			only = x->name;
		}
	return tensors == 1 && (m->n == 1 || is(m, i + 1, "(")) &&
	    put(m, i, is(m, i + 1, "(") ? i + 3 : i + 1, "%s(%s)", text(m, i, i + 1), only);
}

/* What other languages call functions of one or two values, with the values in place of {0}... */
static const struct {
	const char *name;
	int n; /* how many values it is called with */
	const char *ours;
} forms[] = {
	{ "power", 2, "({0})^({1})" },
	{ "pow", 2, "({0})^({1})" },
	{ "add", 2, "({0}) + ({1})" },
	{ "subtract", 2, "({0}) - ({1})" },
	{ "multiply", 2, "({0})*({1})" },
	{ "divide", 2, "({0})/({1})" },
	{ "mod", 2, "({0}) % ({1})" },
	{ "fmod", 2, "({0}) % ({1})" },
	{ "notnull", 1, "not isnan({0})" },
	{ "notnan", 1, "not isnan({0})" },
	{ "max", 2, "maximum({0}, {1})" },
	{ "min", 2, "minimum({0}, {1})" },
	{ "clip", 2, "maximum({0}, {1})" },
	{ "where", 2, "where({0}, {1}, nan)" },
	{ "ifthen", 2, "where({0}, {1}, nan)" },
	{ "ifnotthen", 2, "where(not ({0}), {1}, nan)" },
	{ "setmissing", 2, "where({0} == {1}, nan, {0})" },
	{ "nan_to_num", 1, "fillnan({0}, 0)" },
	{ "fillna", 2, "fillnan({0}, {1})" },
	{ "float", 1, "cast({0}, f64)" },
	{ "double", 1, "cast({0}, f64)" },
	{ "float32", 1, "cast({0}, f32)" },
	{ "float64", 1, "cast({0}, f64)" },
	{ "int", 1, "cast({0}, i64)" },
	{ "int32", 1, "cast({0}, i32)" },
	{ "bool", 1, "{0} != 0" },
	{ "print", 1, "{0}" },
	{ "exp10", 1, "10^({0})" },
	{ "sind", 1, "sin(radians({0}))" },
	{ "cosd", 1, "cos(radians({0}))" },
	{ "tand", 1, "tan(radians({0}))" },
	{ "lg", 1, "log10({0})" },
	{ "rmse", 2, "sqrt(mean((({0}) - ({1}))^2))" },
	{ "mae", 2, "mean(abs(({0}) - ({1})))" },
	{ "bias", 2, "mean(({0}) - ({1}))" },
	{ "if_else", 3, "where({0}, {1}, {2})" },
	{ "iif", 3, "where({0}, {1}, {2})" },
	{ "cond", 3, "where({0}, {1}, {2})" },
	{ "case_when", 2, "where({0}, {1}, nan)" },
	{ "ismissing", 1, "isnan({0})" },
	{ "zeros_like", 1, "broadcast_like(0, {0})" },
	{ "ones_like", 1, "broadcast_like(1, {0})" },
	{ "full_like", 2, "broadcast_like({1}, {0})" },
	{ "count_nonzero", 1, "sum(({0}) != 0)" },
	{ "anomaly", 1, "{0} - mean({0}, over=time)" },
	{ "timmean", 1, "mean({0}, over=time)" },
	{ "timsum", 1, "sum({0}, over=time)" },
	{ "timmin", 1, "min({0}, over=time)" },
	{ "timmax", 1, "max({0}, over=time)" },
	{ "timstd", 1, "std({0}, over=time)" },
	{ "timvar", 1, "var({0}, over=time)" },
	{ "fldmean", 1, "mean({0}, over=(lat, lon), weights=area({0}))" },
	{ "fldsum", 1, "sum({0}, over=(lat, lon))" },
	{ "fldmin", 1, "min({0}, over=(lat, lon))" },
	{ "fldmax", 1, "max({0}, over=(lat, lon))" },
	{ "zonmean", 1, "mean({0}, over=lon)" },
	{ "mermean", 1, "mean({0}, over=lat, weights=area({0}))" },
	{ "vertmean", 1, "mean({0}, over=lev)" },
	{ "yearmean", 1, "mean({0}, every=year)" },
	{ "yearsum", 1, "sum({0}, every=year)" },
	{ "monmean", 1, "mean({0}, every=month)" },
	{ "monsum", 1, "sum({0}, every=month)" },
	{ "daymean", 1, "mean({0}, every=day)" },
	{ "seasmean", 1, "mean({0}, every=season)" },
	{ "ymonmean", 1, "mean({0}, over=time, by=time.month)" },
	{ "climatology", 1, "mean({0}, over=time, by=time.month)" },
	{ "yseasmean", 1, "mean({0}, over=time, by=time.season)" },
	{ "ymonsub", 2, "({0}) - take({1}, month@time.month)" },
	{ "runmean", 2, "mean(window({0}, time=w:{1}), over=w)" },
	{ "sd", 1, "std({0}, ddof=1)" },
	{ "cor", 2, "corr({0}, {1})" },
	{ "sqravg", 1, "mean({0})^2" },
	{ "avgsqr", 1, "mean(({0})^2)" },
};

/* A form with the arguments of a call in their places; a single name loses its parentheses. */
static const char *
form(const struct axt_mend *m, const char *s, const struct axt_mend_args *a)
{
	struct axt_buf b = { 0 };
	const char *out, *start = s;

	for (; *s; s++) {
		int k = s[0] == '{' ? s[1] - '0' : -1;
		bool call = s > start && s[-1] >= 'a' && s[-1] <= 'z';

		if (k < 0 && s[0] == '(' && s[1] == '{' && s[4] == ')' && !call &&
		    a->to[s[2] - '0'] == a->from[s[2] - '0'] + 1) {
			axt_buf_adds(&b, text(m, a->from[s[2] - '0'], a->to[s[2] - '0']));
			s += 4;
		} else if (k >= 0) {
			axt_buf_adds(&b, text(m, a->from[k], a->to[k]));
			s += 2;
		} else {
			axt_buf_add(&b, s, 1);
		}
	}
	out = b.p && !b.bad ? axt_strndup(m->c->g->m, b.p, b.n) : NULL;
	axt_buf_release(&b);
	return out ? out : "";
}

/* Whether no argument is NAME=VALUE or an axis. */
static bool
plain(const struct axt_mend *m, const struct axt_mend_args *a)
{
	for (int k = 0; k < a->n; k++)
		if (is(m, a->from[k] + 1, "=") || axt_mend_at(m, a->from[k])->quoted ||
		    (k > 0 && are_axes(m, a->from[k], a->to[k])))
			return false;
	return true;
}

static bool
call(const struct axt_mend *m, int i, struct axt_mend_args *a, int *end)
{
	if (!axt_mend_is_name(m, i) || is(m, i - 1, ".") || !is(m, i + 1, "(") ||
	    !axt_mend_args(m, i + 1, a))
		return false;
	*end = m->t[i + 1].mate + 1;
	return true;
}

static bool
other_form(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	struct axt_calc_fn fn;
	int end, v;

	if (!call(m, i, &a, &end))
		return false;
	if (is(m, i, "log") && a.n == 2 && is(m, a.from[1], "base") && is(m, a.from[1] + 1, "="))
		return put(m, a.from[1], a.from[1] + 2, "%s", "");
	if (!plain(m, &a))
		return false;
	if (a.n == 1 && is(m, i, "where"))
		for (int k = a.from[0]; k < a.to[0]; k++)
			if (axt_mend_known(m, k))
				return put(m, i, end, "where(%s, %s, nan)",
				    text(m, a.from[0], a.to[0]),
				    text(m, k, axt_mend_last(m, k) + 1));
	if (a.n == 2 && is(m, i, "log") && (is(m, a.from[1], "10") || is(m, a.from[1], "2")) &&
	    a.to[1] == a.from[1] + 1)
		return put(m, i, end, "log%s(%s)", text(m, a.from[1], a.to[1]),
		    text(m, a.from[0], a.to[0]));
	if (a.n == 2 && is(m, i, "log"))
		return put(m, i, end, "%s", form(m, "log({0})/log({1})", &a));
	if (a.n == 2 && is(m, i, "round") && whole(m, a.from[1], a.to[1], &v) && v >= 0)
		return put(m, i, end, "round((%s)*1e%d)/1e%d", text(m, a.from[0], a.to[0]), v, v);
	if (a.n == 2 && is(m, i, "max") + is(m, i, "min") == 0 &&
	    axt_calc_find(m->c->g->m, text(m, i, i + 1), &fn) && !is(m, i, "clip") &&
	    !is(m, i, "where"))
		return false;
	for (int k = 0; k < ARRAY_LEN(forms); k++)
		if (a.n == forms[k].n && is(m, i, forms[k].name))
			return put(m, i, end, "%s", form(m, forms[k].ours, &a));
	return false;
}

/* The product of all elements of a with all of b: the axes of one get other names. */
static bool
outer(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	const struct axt_calc_name *x, *y;
	struct axt_buf b = { 0 };
	bool done;
	int end;

	if (!is(m, i, "outer") || !call(m, i, &a, &end) || a.n != 2)
		return false;
	x = a.to[0] == a.from[0] + 1 ? axt_mend_known(m, a.from[0]) : NULL;
	y = a.to[1] == a.from[1] + 1 ? axt_mend_known(m, a.from[1]) : NULL;
	if (!x || !y)
		return false;
	for (int k = 0; k < y->e->axes.n; k++)
		for (int j = 0; j < x->e->axes.n; j++)
			if (strcmp(x->e->axes.a[j].name, y->e->axes.a[k].name) == 0)
				axt_buf_addf(&b, ", %s=%s", y->e->axes.a[k].name,
				    axt_mend_new_axis(m, y->e->axes.a[k].name));
	/* of two vectors as long as each other, which might be meant to meet */
	if (b.n && x->e->axes.n == 1 && y->e->axes.n == 1)
		done = put(m, i, end, "broadcast(%s*rename(%s%s), (%s,%s))", x->name, y->name, b.p,
		    x->e->axes.a[0].name, axt_mend_new_axis(m, y->e->axes.a[0].name));
	else
		done = put(m, i, end, b.n ? "%s*rename(%s%s)" : "%s*%s%s", x->name, y->name,
		    b.p ? b.p : "");
	axt_buf_release(&b);
	return done;
}

/* clip(a, min=0, max=10) */
static bool
clip_keys(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	const char *lo = NULL, *hi = NULL, *x;
	int end;

	if (!is(m, i, "clip") || !call(m, i, &a, &end) || a.n < 2)
		return false;
	if (a.n == 3 && is(m, a.from[1], "None"))
		return put(m, i, end, "minimum(%s, %s)", text(m, a.from[0], a.to[0]),
		    text(m, a.from[2], a.to[2]));
	if (a.n == 3 && is(m, a.from[2], "None"))
		return put(m, i, end, "maximum(%s, %s)", text(m, a.from[0], a.to[0]),
		    text(m, a.from[1], a.to[1]));
	for (int k = 1; k < a.n; k++) {
		const char *v = text(m, a.from[k] + 2, a.to[k]);
		const char *name = axt_mend_word(m, a.from[k]);

		if (!is(m, a.from[k] + 1, "="))
			return false;
		if (strstr(name, "min") || strcmp(name, "lower") == 0)
			lo = v;
		else if (strstr(name, "max") || strcmp(name, "upper") == 0)
			hi = v;
		else
			return false;
	}
	x = text(m, a.from[0], a.to[0]);
	return lo && hi ? put(m, i, end, "clip(%s, %s, %s)", x, lo, hi)
	    : lo        ? put(m, i, end, "maximum(%s, %s)", x, lo)
			: put(m, i, end, "minimum(%s, %s)", x, hi);
}

/* arange(5), range(0, 10, 2): numbers in even steps, which lie along an axis here. */
static bool
counted(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	double v[3] = { 0, 0, 1 }, n;
	int end, colon = 0;

	/* beside other tensors only the user knows which axis is meant */
	if (i != 0 || !call(m, i, &a, &end) || end != m->n || a.n < 1 || a.n > 3)
		return false;
	for (; colon < a.n; colon++) {
		if (!axt_is_number(text(m, a.from[colon], a.to[colon])))
			return false;
		v[a.n == 1 ? 1 : colon] = axt_mend_number(m, a.from[colon], a.to[colon]);
	}
	n = v[2] == 0 ? 0 : ceil((v[1] - v[0]) / v[2]);
	if (!(n >= 1 && n < 1e15))
		return false;
	return v[0] == 0 && v[2] == 1 ? put(m, i, end, "iota(x=%.0f)", n)
				      : put(m, i, end, "iota(%.15g, %.15g, x=%.0f)", v[0], v[2], n);
}

/* Functions of NumPy that omit NaN; and those that run along an axis. */
static bool
other_name(struct axt_mend *m, int i)
{
	static const char *const scans[][2] = { { "cumsum", "sum" }, { "cumprod", "prod" },
		{ "cummax", "max" }, { "cummin", "min" }, { "cumulative_sum", "sum" } };
	struct axt_mend_args a;
	char line[500];
	const char *w, *near;
	int end, colon;

	if (!axt_mend_is_name(m, i) || !is(m, i + 1, "(") || is(m, i - 1, ".") ||
	    axt_mend_at(m, i + 1)->mate < 0)
		return false;
	w = text(m, i, i + 1);
	if (axt_calc_is_function(w) || axt_mend_known(m, i))
		return false;
	if (strncmp(w, "nan", 3) == 0 && axt_calc_is_function(w + 3) && axt_red_find(w + 3) >= 0)
		return put(m, i, m->t[i + 1].mate, "%s%s, skip_nan=true", w + 3,
		    text(m, i + 1, m->t[i + 1].mate));
	for (int k = 0; k < ARRAY_LEN(scans); k++)
		if (strcmp(w, scans[k][0]) == 0 && call(m, i, &a, &end))
			return put(m, i, a.to[0], "scan(%s, %s", text(m, a.from[0], a.to[0]),
			    scans[k][1]);
	if ((strcmp(w, "percentile") == 0 || strcmp(w, "nanpercentile") == 0) &&
	    call(m, i, &a, &end) && a.n >= 2) {
		colon = a.from[1] + (is(m, a.from[1], "q") && is(m, a.from[1] + 1, "=") ? 2 : 0);
		if (!axt_is_number(text(m, colon, a.to[1])))
			return false;
		return put(m, i, a.to[1], "quantile(%s, q=%.10g%s", text(m, a.from[0], a.to[0]),
		    axt_mend_number(m, colon, a.to[1]) / 100, *w == 'n' ? ", skip_nan=true" : "");
	}
	near = axt_strndup(m->c->g->m, w, strlen(w));
	for (char *p = (char *)near; p && *p; p++)
		*p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
	if (near && axt_calc_is_function(near))
		return put(m, i, i + 1, "%s", near);
	near = axt_calc_near(w);
	if (strcmp(w, "arange") == 0 || strcmp(w, "range") == 0)
		return counted(m, i);
	return near && (axt_foreign_name(w, 0) || strlen(w) > 3) &&
	    (axt_foreign_name(w, 0) || !axt_foreign_line(w, line, sizeof(line))) &&
	    put(m, i, i + 1, "%s", near);
}

/* ---- arguments ---- */

/* The key that is most like the word, of those with blanks between them; NULL: none is. */
static const char *
near_key(const struct axt_mend *m, const char *keys, const char *w)
{
	const char *names[64];
	int n = 0;

	for (size_t len; *keys && n < ARRAY_LEN(names); keys += len + (keys[len] == ' ')) {
		len = strcspn(keys, " ");
		names[n] = axt_strndup(m->c->g->m, keys, len);
		n += names[n] != NULL;
	}
	return axt_nearest(w, names, n);
}

/* Axes as the second value, q of a quantile, keys of other tools, values of Python. */
static bool
arguments(struct axt_mend *m, int i)
{
	static const char areas[] = "area areas areacella coslat cos_lat cell_area cellarea "
				    "gridarea weights gw";
	struct axt_mend_args a;
	struct axt_calc_fn fn;
	const char *key, *ours, *axis;
	int end, v;

	if (!call(m, i, &a, &end) || !axt_calc_find(m->c->g->m, text(m, i, i + 1), &fn) || a.n == 0)
		return false;
	key = axt_word_index(fn.keys, "over", 4) >= 0  ? "over"
	    : axt_word_index(fn.keys, "along", 5) >= 0 ? "along"
						       : NULL;
	for (int k = 0; k < a.n; k++) {
		int f = a.from[k], t = a.to[k];
		bool named = axt_mend_is_name(m, f) && is(m, f + 1, "=") && t > f + 2;
		const char *w = named ? axt_mend_word(m, f) : "", *rest = text(m, f + 2, t);

		if (!named && k >= fn.max && key && are_axes(m, f, t)) {
			int last = k;

			while (last + 1 < a.n && are_axes(m, a.from[last + 1], a.to[last + 1]))
				last++;
			return put(m, f, a.to[last], "%s=%s", key, bare(m, f, a.to[last]));
		}
		if (!named && k == 1 && k >= fn.max && is(m, i, "quantile") &&
		    axt_is_number(text(m, f, t)))
			return put(m, f, t, "q=%.10g",
			    axt_mend_number(m, f, t) / (axt_mend_number(m, f, t) > 1 ? 100 : 1));
		if (!named && k == 1 && k >= fn.max && key && whole(m, f, t, &v) &&
		    (axis = axis_numbered(m, a.from[0], a.to[0], v)))
			return put(m, f, t, "%s=%s", key, axis);
		if (!named)
			continue;
		if (strcmp(w, "keepdims") == 0 || strcmp(w, "keep_attrs") == 0)
			return put(m, a.to[k - 1], t, "%s", "");
		if (axt_word_index(fn.keys, w, strlen(w)) < 0 &&
		    (!fn.words || strcmp(w, "axis") == 0 || strcmp(w, "dim") == 0))
			for (int j = 0; (ours = axt_foreign_option(w, j)); j++) {
				if (strcmp(ours, "skip-nan") == 0)
					ours = "skip_nan";
				if (strcmp(ours, "over") == 0 && key)
					ours = key;
				if (axt_word_index(fn.keys, ours, strlen(ours)) >= 0)
					return put(m, f, t, "%s=%s", ours,
					    t == f + 3 ? axt_mend_word(m, f + 2) : rest);
			}
		if (!fn.words && axt_word_index(fn.keys, w, strlen(w)) < 0 &&
		    (ours = near_key(m, fn.keys, w)))
			return put(m, f, f + 1, "%s", ours);
		if (k > 0 && t == f + 3 && strcmp(w, "weights") == 0 && !axt_mend_known(m, f + 2) &&
		    axt_word_index(areas, rest, strlen(rest)) >= 0)
			return put(m, f, t, "weights=area(%s)", text(m, a.from[0], a.to[0]));
		if ((strcmp(rest, "True") == 0 || strcmp(rest, "False") == 0) &&
		    axt_word_index(fn.keys, w, strlen(w)) >= 0)
			return put(m, f, t, "%s=%s", w, *rest == 'T' ? "true" : "false");
		if (strcmp(w, "over") != 0 && strcmp(w, "along") != 0)
			continue;
		if (strcmp(rest, "None") == 0 || strcmp(rest, "all") == 0 ||
		    strcmp(rest, "*") == 0 || strcmp(rest, ":") == 0)
			return put(m, a.to[k - 1], t, "%s", "");
		if (whole(m, f + 2, t, &v) && (axis = axis_numbered(m, a.from[0], a.to[0], v)))
			return put(m, f, t, "%s=%s", w, axis);
		if ((is(m, f + 2, "[") || is(m, f + 2, "(")) && m->t[f + 2].mate == t - 1 &&
		    t == f + 7 &&
		    axis_numbered(m, a.from[0], a.to[0], (int)axt_mend_number(m, f + 3, f + 4)) &&
		    axt_mend_at(m, f + 3)->kind == AXT_CALC_NUMBER &&
		    axt_mend_at(m, f + 5)->kind == AXT_CALC_NUMBER &&
		    (axis = axis_numbered(m, a.from[0], a.to[0],
			 (int)axt_mend_number(m, f + 5, f + 6))))
			return put(m, f, t, "%s=(%s, %s)", w,
			    axis_numbered(m, a.from[0], a.to[0],
				(int)axt_mend_number(m, f + 3, f + 4)),
			    axis);
		if ((is(m, f + 2, "[") || (is(m, f + 2, "(") && axt_mend_at(m, f + 3)->quoted)) &&
		    m->t[f + 2].mate == t - 1)
			return put(m, f, t, "%s=%s", w, bare(m, f + 3, t - 1));
		if (t == f + 3 && axt_mend_at(m, f + 2)->quoted)
			return put(m, f, t, "%s=%s", w, bare(m, f + 2, t));
		if (k + 1 < a.n && are_axes(m, a.from[k + 1], a.to[k + 1]) && are_axes(m, f + 2, t))
			return put(m, f, a.to[k + 1], "%s=(%s, %s)", w, text(m, f + 2, t),
			    text(m, a.from[k + 1], a.to[k + 1]));
		if (t > f + 3 && !is(m, f + 2, "(") && are_axes(m, f + 2, t))
			return put(m, f, t, "%s=%s", w, bare(m, f + 2, t));
	}
	return false;
}

/* ---- parts ---- */

/* The spec of one argument AXIS=VALUE of sel and isel, or NULL. */
static const char *
spec(const struct axt_mend *m, int f, int t, const char *sign)
{
	struct axt_buf b = { 0 };
	const char *s = NULL;
	bool slice = is(m, f + 2, "slice") && is(m, f + 3, "(") && m->t[f + 3].mate == t - 1;

	if (!axt_mend_is_name(m, f) || !is(m, f + 1, "=") || t < f + 3)
		return NULL;
	for (int i = slice ? f + 4 : f + 2; i < t - slice; i++)
		if (is(m, i, "[") || is(m, i, "]") || is(m, i, "None"))
			continue;
		else if (slice && is(m, i, ","))
			axt_buf_add(&b, ":", 1);
		else
			axt_buf_adds(&b, axt_mend_word(m, i));
	if (b.p && !b.bad)
		s = axt_sprintf(m->c->g->m, "%s%s%s", axt_mend_word(m, f), sign, b.p);
	axt_buf_release(&b);
	return s;
}

/* a.sel(lat=0, time=slice(x, y)) and a.isel(time=0) */
static bool
selects(struct axt_mend *m, int dot, bool labels)
{
	struct axt_mend_args a;
	struct axt_buf b = { 0 };
	int from = axt_mend_first(m, dot - 1), end = axt_mend_at(m, dot + 2)->mate;
	bool nearest = false, done, bad = false;

	if (!axt_mend_args(m, dot + 2, &a))
		return false;
	for (int k = 0; k < a.n; k++) {
		const char *s = spec(m, a.from[k], a.to[k], labels ? "@" : "=");

		if (is(m, a.from[k], "method") || is(m, a.from[k], "tolerance")) {
			nearest = true;
			continue;
		}
		bad = bad || !s;
		axt_buf_addf(&b, "%s%s", b.n ? ", " : "", s ? s : "");
	}
	done = !bad && b.p && !b.bad &&
	    put(m, from, end + 1, nearest ? "slice(%s, %s, nearest=true)" : "%s[%s]",
		text(m, from, dot), b.p);
	axt_buf_release(&b);
	return done;
}

/* The period of a frequency of pandas: 1M, MS, 1D, YS, QS-DEC. */
static const char *
period(const char *w)
{
	w += strspn(w, "1");
	switch (*w) {
	case 'A':
	case 'Y': return "year";
	case 'Q': return "season";
	case 'M': return "month";
	case 'D': return "day";
	case 'h':
	case 'H': return "hour";
	default: return NULL;
	}
}

/*
 * ", over=time" for labels time.month or those of a tensor, since other axes are kept by groupby;
 * "" where the labels are not known.
 */
static const char *
over_labels(const struct axt_mend *m, const char *labels)
{
	const char *axis = axt_strndup(m->c->g->m, labels, strcspn(labels, "."));
	const struct axt_calc_name *x = m->c->names;
	const char *over;
	int n;

	if (axis && axt_mend_is_axis(m, axis))
		return axt_sprintf(m->c->g->m, ", over=%s", axis);
	while (x && strcmp(x->name, labels) != 0)
		x = x->next;
	n = x ? x->e->axes.n : 0;
	over = n ? axt_axes_typed(m->c->g->m, &x->e->axes, axt_identity, n) : NULL;
	return over ? axt_sprintf(m->c->g->m, n > 1 ? ", over=(%s)" : ", over=%s", over) : "";
}

/* a.groupby('time.month').mean(), a.resample(time='1M').mean(), a.rolling(time=3).mean() */
static bool
grouped(struct axt_mend *m, int dot)
{
	int from = axt_mend_first(m, dot - 1), open = dot + 2, end = axt_mend_at(m, open)->mate;
	const char *a = text(m, from, dot), *w, *p;

	if (!is(m, end + 1, ".") || !axt_mend_is_name(m, end + 2) || !is(m, end + 3, "(") ||
	    axt_red_find(axt_mend_word(m, end + 2)) < 0 || axt_mend_at(m, end + 3)->mate < 0)
		return false;
	/*
	 * Arguments that the hint would leave out change its meaning, but for the axis of the
	 * groups.
	 */
	w = axt_mend_word(m, open + 1);
	p = axt_mend_word(m, end + 4);
	if (end != open + (is(m, dot + 1, "groupby") ? 2 : 4) ||
	    (m->t[end + 3].mate != end + 4 &&
		(m->t[end + 3].mate != end + 5 || strncmp(w, p, strlen(p)) != 0 ||
		    w[strlen(p)] != '.')))
		return false;
	p = axt_mend_word(m, end + 2);
	if (is(m, dot + 1, "groupby") && axt_mend_at(m, open + 1)->quoted)
		return put(m, from, m->t[end + 3].mate + 1, "%s(%s%s, by=%s)", p, a,
		    over_labels(m, w), w);
	w = p;
	if (!is(m, open + 2, "=") || !axt_mend_is_name(m, open + 1))
		return false;
	if (is(m, dot + 1, "rolling"))
		return put(m, from, m->t[end + 3].mate + 1, "%s(window(%s, %s=w:%s), over=w)", w, a,
		    axt_mend_word(m, open + 1), axt_mend_word(m, open + 3));
	p = period(axt_mend_word(m, open + 3));
	return is(m, dot + 1, "resample") && p &&
	    put(m, from, m->t[end + 3].mate + 1, "%s(%s, every=%s)", w, a, p);
}

/* a.T: the axes of a in the other order. */
static bool
reversed(struct axt_mend *m, int from, int dot)
{
	const struct axt_calc_name *x = dot == from + 1 ? axt_mend_known(m, from) : NULL;
	int rank = x ? x->e->axes.n : 0, back[AXT_MAX_RANK];
	const char *axes;

	for (int k = 0; k < rank; k++)
		back[k] = rank - 1 - k;
	axes = x ? axt_axes_typed(m->c->g->m, &x->e->axes, back, rank) : NULL;
	if (!axes)
		return false;
	return rank < 2 ? put(m, from, dot + 2, "%s", x->name)
			: put(m, from, dot + 2, "order(%s, (%s))", x->name, axes);
}

/* Methods: a.f(x) is f(a, x); a.values is a. */
static bool
method(struct axt_mend *m, int dot)
{
	static const char same[] = "values data load compute to_numpy copy persist item numpy";
	/* those of tensors alone, and those of a value or more */
	static const struct {
		const char *theirs, *ours;
		bool more;
	} as[] = { { "isnull", "isnan(", false }, { "notnull", "not isnan(", false },
		{ "fillna", "fillnan(", true }, { "roll", "shift(", true },
		{ "transpose", "order(", true }, { "reverse", "flip(", true },
		{ "set_miss", "setmissing(", true }, { "sqravg", "sqravg(", false },
		{ "avgsqr", "avgsqr(", false } };
	struct axt_mend_args a = { 0 };
	struct axt_calc_fn fn;
	const char *x, *f, *args, *near;
	int from, end;

	if (!is(m, dot, ".") || !axt_mend_ends(m, dot - 1) || !axt_mend_is_name(m, dot + 1) ||
	    !axt_mend_glued(m, dot) || !axt_mend_glued(m, dot + 1))
		return false;
	from = axt_mend_first(m, dot - 1);
	x = text(m, from, dot);
	f = axt_mend_word(m, dot + 1);
	end = is(m, dot + 2, "(") ? axt_mend_at(m, dot + 2)->mate : -1;
	if (axt_word_index(same, f, strlen(f)) >= 0)
		return put(m, from, (end < 0 ? dot + 1 : end) + 1, "%s", x);
	if (strcmp(f, "T") == 0 && end < 0)
		return reversed(m, from, dot);
	if (end < 0)
		return false;
	if (strcmp(f, "sel") == 0 || strcmp(f, "isel") == 0)
		return selects(m, dot, *f == 's');
	if (strcmp(f, "groupby") == 0 || strcmp(f, "resample") == 0 || strcmp(f, "rolling") == 0)
		return grouped(m, dot);
	if (strcmp(f, "shift") == 0) /* what is moved in is missing there; here it goes around */
		return false;
	args = text(m, dot + 3, end);
	axt_mend_args(m, dot + 2, &a);
	if (strcmp(f, "astype") == 0 && a.n == 1) {
		enum axt_dtype d = axt_dtype_parse(bare(m, dot + 3, end));

		return d && put(m, from, end + 1, "cast(%s, %s)", x, axt_dtypes[d].name);
	}
	if (strcmp(f, "where") == 0 && (a.n == 1 || a.n == 2))
		return put(m, from, end + 1, "where(%s, %s, %s)", text(m, a.from[0], a.to[0]), x,
		    a.n == 2 ? text(m, a.from[1], a.to[1]) : "nan");
	for (int k = 0; k < ARRAY_LEN(as); k++)
		if (strcmp(f, as[k].theirs) == 0 && (a.n > 0) == as[k].more)
			return put(m, from, end + 1, "%s%s%s%s)", as[k].ours, x, a.n ? ", " : "",
			    args);
	near = axt_calc_find(m->c->g->m, f, &fn) ? f : axt_calc_near(f);
	if (!near && strncmp(f, "cum", 3) != 0 && strcmp(f, "percentile") != 0)
		return false;
	return put(m, from, end + 1, a.n ? "%s(%s, %s)" : "%s(%s)", f, x, args);
}

/* a(time=0), as of a call, and a["time=0"] */
static bool
part_as_call(struct axt_mend *m, int i)
{
	struct axt_mend_args a;

	if (axt_mend_known(m, i) && is(m, i + 1, "(") && axt_mend_at(m, i + 1)->mate > i + 2 &&
	    !axt_calc_is_function(text(m, i, i + 1)) && axt_mend_args(m, i + 1, &a)) {
		int end = m->t[i + 1].mate;

		if (is(m, a.from[0] + 1, "="))
			return put(m, i + 1, end + 1, "[%s]", text(m, i + 2, end));
		for (int k = 0; k < a.n; k++)
			if (!is(m, a.from[k], ":") &&
			    axt_mend_at(m, a.from[k])->kind != AXT_CALC_NUMBER)
				return put(m, i, i + 1, "%s*", text(m, i, i + 1));
		return false; /* MATLAB counts from 1 */
	}
	return false;
}

/* Whether the text has a number that is no position on the axis: a date, or too large. */
static bool
out_of_range(const struct axt_expr *e, const char *axis, const char *s)
{
	int k = 0;

	while (k < e->axes.n && strcmp(e->axes.a[k].name, axis) != 0)
		k++;
	for (; k < e->axes.n && *s; s++) {
		double v = 0;
		size_t n = strspn(s, "0123456789");
		struct axt_num num;
		char one[32];

		if (n == 0)
			continue;
		snprintf(one, sizeof(one), "%.*s", (int)n, s);
		v = axt_parse_num(one, &num) ? num.f : 0;
		if (v > (double)e->axes.a[k].len ||
		    (s[n] == '-' && s[n + 1] >= '0' && s[n + 1] <= '9'))
			return true;
		s += n - 1;
	}
	return false;
}

static bool
compares(const struct axt_mend *m, int from, int to)
{
	for (int i = from; i < to; i++)
		if (is(m, i, "<") || is(m, i, ">") || is(m, i, "<=") || is(m, i, ">=") ||
		    is(m, i, "==") || is(m, i, "!="))
			return true;
	return false;
}

/* a[0, :, 1:3], a["lat"], a[a > 0], a[lat > 0], a[..., 0] */
static bool
part(struct axt_mend *m, int i)
{
	const struct axt_calc_name *x = axt_mend_known(m, i);
	struct axt_mend_args a;
	struct axt_buf b = { 0 };
	int end = axt_mend_at(m, i + 1)->mate, at = 0;
	bool done, good = true;

	if (!x || !is(m, i + 1, "[") || end < 0 || !axt_mend_args(m, i + 1, &a))
		return false;
	if (a.n == 1 && axt_mend_at(m, i + 2)->quoted && end == i + 3)
		return axt_mend_is_axis(m, axt_mend_word(m, i + 2)) &&
		    put(m, i, end + 1, "%s", axt_mend_word(m, i + 2));
	if (a.n == 1 && is(m, i + 3, "==") && end == i + 5 &&
	    axt_mend_is_axis(m, axt_mend_word(m, i + 2)))
		return put(m, i + 3, i + 4, "@");
	if (a.n == 1 && axt_mend_known(m, i + 2) && compares(m, i + 2, end))
		return put(m, i, end + 1, "where(%s, %s, nan)", text(m, i + 2, end), x->name);
	for (int k = 0; k < a.n; k++)
		if (is(m, a.from[k] + 1, "=") &&
		    out_of_range(x->e, axt_mend_word(m, a.from[k]),
			text(m, a.from[k] + 2, a.to[k])))
			return put(m, a.from[k] + 1, a.to[k], "@%s",
			    bare(m, a.from[k] + 2, a.to[k]));
	if (a.n > x->e->axes.n)
		return false;
	for (int k = 0; k < a.n && good; k++) {
		const char *w = text(m, a.from[k], a.to[k]);

		if (strcmp(w, "...") == 0 && k == 0) {
			at = x->e->axes.n - a.n + 1;
			continue;
		}
		good = strspn(w, "0123456789-:") == strlen(w);
		if (good && strcmp(w, ":") != 0)
			axt_buf_addf(&b, "%s%s=%s", b.n ? ", " : "", x->e->axes.a[at].name, w);
		at++;
	}
	done = good && put(m, i, end + 1, b.n ? "%s[%s]" : "%s%s", x->name, b.p ? b.p : "");
	axt_buf_release(&b);
	return done;
}

axt_mend_rule *const axt_mend_calls[] = {
	module,
	method,
	outer,
	clip_keys,
	part_as_call,
	part,
	other_form,
	other_name,
	arguments,
	no_parentheses,
	NULL,
};
