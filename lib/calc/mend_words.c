/* mend_words.c - rules for words and lists of R, NCO and xarray, and for tests of floats. */
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text

/* ---- lists of numbers ---- */

/*
 * The numbers of a list in brackets, or of c(1, 2), from token `from` up to `to`; false: this is
 * none.
 */
static bool
numbers(const struct axt_mend *m, int from, int to, struct axt_mend_args *list)
{
	int open = from + is(m, from, "c");

	if (!(is(m, open, "[") || is(m, open, "(")) || m->t[open].mate != to - 1 ||
	    !axt_mend_args(m, open, list))
		return false;
	for (int k = 0; k < list->n; k++)
		if (!axt_is_number(text(m, list->from[k], list->to[k])))
			return false;
	return true;
}

/* The form for each number of the list, where "{" is the value, and "}" the number. */
static const char *
for_each(const struct axt_mend *m, const char *value, const struct axt_mend_args *list,
    const char *form, const char *between)
{
	struct axt_buf b = { 0 };
	const char *out;

	for (int k = 0; k < list->n; k++) {
		axt_buf_adds(&b, k ? between : "");
		for (const char *s = form; *s; s++)
			if (*s == '{')
				axt_buf_adds(&b, value);
			else if (*s == '}')
				axt_buf_adds(&b, text(m, list->from[k], list->to[k]));
			else
				axt_buf_add(&b, s, 1);
	}
	out = b.p && !b.bad ? axt_strndup(m->c->g->m, b.p, b.n) : NULL;
	axt_buf_release(&b);
	return out;
}

/* A value that stands by itself, or in parentheses. */
static const char *
operand(const struct axt_mend *m, int from, int to)
{
	return to == from + 1 ? text(m, from, to)
			      : axt_sprintf(m->c->g->m, "(%s)", text(m, from, to));
}

/* isin(a, [1, 2]), a.isin([1, 2]), a %in% c(1, 2), and digitize(a, [1, 2]), which counts bins. */
static bool
members(struct axt_mend *m, int i)
{
	struct axt_mend_args a, list;
	bool digitize = is(m, i, "digitize");
	const char *s, *w;
	int from = i, end = axt_mend_at(m, i + 1)->mate, k;

	if (is(m, i, "%") && is(m, i + 1, "in") && is(m, i + 2, "%") && axt_mend_ends(m, i - 1)) {
		k = axt_mend_last(m, i + 3);
		from = axt_mend_first(m, i - 1);
		if (!numbers(m, i + 3, k + 1, &list))
			return false;
		s = for_each(m, operand(m, from, i), &list, "{ == }", " or ");
		return s && put(m, from, k + 1, "%s", s);
	}
	if (!(digitize || is(m, i, "isin") || is(m, i, "in1d")) || !is(m, i + 1, "(") || end < 0 ||
	    !axt_mend_args(m, i + 1, &a))
		return false;
	k = a.n - 1;
	if (a.n == 1 && is(m, i - 1, ".")) {
		from = axt_mend_first(m, i - 2);
		w = operand(m, from, i - 1);
	} else if (a.n == 2) {
		from -= is(m, i - 1, ".") && !axt_mend_known(m, i - 2) ? 2 : 0; /* np. */
		w = operand(m, a.from[0], a.to[0]);
		k = 1;
	} else {
		return false;
	}
	if (!numbers(m, a.from[k] + 2 * is(m, a.from[k] + 1, "="), a.to[k], &list))
		return false;
	/* a NaN is above all bins in NumPy, and compares as false */
	s = for_each(m, w, &list, digitize ? "cast({ < }, i64)" : "{ == }",
	    digitize ? " - " : " or ");
	return s &&
	    (digitize ? put(m, from, end + 1, "%d - %s", list.n, s)
		      : put(m, from, end + 1, list.n > 1 ? "(%s)" : "%s", s));
}

/*
 * convert(pr, "mm/day") of a mass of water, kg m-2 s-1: 1 kg on 1 m2 is 1 mm high, so that the numbers
 * are those of kg m-2/day; and back.
 */
static bool
water(struct axt_mend *m, int i)
{
	static const char mass[] = "kg m-2", height[] = "mm";
	struct axt_mend_args a;
	const char *units;
	bool is_mass;

	if (!is(m, i, "convert") || !is(m, i + 1, "(") || !axt_mend_args(m, i + 1, &a) ||
	    a.n != 2 || a.to[1] != a.from[1] + 1 || !axt_mend_at(m, a.from[1])->quoted)
		return false;
	units = axt_mend_word(m, a.from[1]);
	is_mass = strncmp(units, mass, strlen(mass)) == 0;
	if (!is_mass && strncmp(units, height, strlen(height)) != 0)
		return false;
	return put(m, a.from[1], a.to[1], "\"%s%s\"", is_mass ? height : mass,
	    units + strlen(is_mass ? mass : height));
}

/* ---- R ---- */

/* is.na(a), which.max(a), na.rm=TRUE, a %*% b, a %/% b */
static bool
r_words(struct axt_mend *m, int i)
{
	static const char *const names[][3] = { { "is", "na", "isnan" }, { "is", "nan", "isnan" },
		{ "is", "finite", "isfinite" }, { "is", "infinite", "isinf" },
		{ "which", "max", "argmax" }, { "which", "min", "argmin" } };
	int from;

	if (is(m, i, "%") && is(m, i + 2, "%") && axt_mend_glued(m, i + 1) &&
	    axt_mend_glued(m, i + 2) && axt_mend_ends(m, i - 1)) {
		from = axt_mend_first(m, i - 1);
		if (is(m, i + 1, "*"))
			return put(m, from, axt_mend_last(m, i + 3) + 1, "dot(%s, %s)",
			    text(m, from, i), text(m, i + 3, axt_mend_last(m, i + 3) + 1));
		return is(m, i + 1, "/") && put(m, i, i + 3, "//");
	}
	if (!axt_mend_is_name(m, i) || !is(m, i + 1, ".") || is(m, i - 1, ".") ||
	    !axt_mend_is_name(m, i + 2))
		return false;
	if (is(m, i, "na") && is(m, i + 2, "rm") && is(m, i + 3, "="))
		return put(m, i, i + 5, "skip_nan=%s",
		    is(m, i + 4, "TRUE") || is(m, i + 4, "T") ? "true" : "false");
	for (int k = 0; k < ARRAY_LEN(names); k++)
		if (is(m, i, names[k][0]) && is(m, i + 2, names[k][1]) && is(m, i + 3, "("))
			return put(m, i, i + 3, "%s", names[k][2]);
	return false;
}

/* ---- words in a call ---- */

/* mean(a over time), mean of a, sin^2(a) */
static bool
said(struct axt_mend *m, int i)
{
	bool function = axt_mend_is_name(m, i) && !axt_mend_known(m, i) &&
	    axt_calc_is_function(text(m, i, i + 1));
	int last;

	if ((is(m, i, "over") || is(m, i, "along") || is(m, i, "by")) && i > 0 &&
	    axt_mend_ends(m, i - 1) && axt_mend_is_name(m, i + 1))
		return put(m, i - 1, i + 2, "%s, %s=%s", text(m, i - 1, i), text(m, i, i + 1),
		    text(m, i + 1, i + 2));
	if (function && is(m, i + 1, "of") && axt_mend_begins(m, i + 2))
		return put(m, i + 1, i + 2, "%s", "");
	if (!function || !is(m, i + 1, "^") || !is(m, i + 3, "(") || m->t[i + 3].mate < 0)
		return false;
	last = m->t[i + 3].mate;
	return put(m, i, last + 1, "%s%s^%s", text(m, i, i + 1), text(m, i + 3, last + 1),
	    text(m, i + 2, i + 3));
}

/* mean(a, where=c), and a.weighted(w).mean(...) */
static bool
weighted(struct axt_mend *m, int i)
{
	struct axt_mend_args a;
	int end, from, call;

	if (axt_mend_is_name(m, i) && is(m, i + 1, "(") && axt_red_find(text(m, i, i + 1)) >= 0 &&
	    axt_mend_args(m, i + 1, &a) && !is(m, i - 1, "."))
		for (int k = 1; k < a.n; k++)
			if (is(m, a.from[k], "where") && is(m, a.from[k] + 1, "="))
				return put(m, a.from[0], a.to[k],
				    "where(%s, %s, nan)%s, skip_nan=true",
				    text(m, a.from[k] + 2, a.to[k]), text(m, a.from[0], a.to[0]),
				    k > 1 ? axt_sprintf(m->c->g->m, ", %s",
						text(m, a.from[1], a.to[k - 1]))
					  : "");
	end = axt_mend_at(m, i + 2)->mate;
	if (!is(m, i, ".") || !is(m, i + 1, "weighted") || !is(m, i + 2, "(") || end < 0 ||
	    !is(m, end + 1, ".") || !is(m, end + 3, "(") || i == 0)
		return false;
	from = axt_mend_first(m, i - 1);
	call = m->t[end + 3].mate;
	return call > 0 && axt_red_find(text(m, end + 2, end + 3)) >= 0 &&
	    put(m, from, call + 1, "%s(%s%s%s, weights=%s)", text(m, end + 2, end + 3),
		text(m, from, i), call > end + 4 ? ", " : "", text(m, end + 4, call),
		text(m, i + 3, end));
}

/* A function that goes along an axis, without one: along time, or the last axis, as in NumPy. */
static bool
along(struct axt_mend *m, int i)
{
	const struct axt_calc_name *x = axt_mend_known(m, i + 2);
	struct axt_calc_fn fn;
	const char *axis;

	if (!axt_mend_is_name(m, i) || !is(m, i + 1, "(") || !is(m, i + 3, ")") || !x ||
	    x->e->axes.n == 0 || axt_mend_known(m, i) ||
	    !axt_calc_find(m->c->g->m, text(m, i, i + 1), &fn) ||
	    axt_word_index(fn.keys, "along", 5) < 0)
		return false;
	axis = x->e->axes.a[x->e->axes.n - 1].name;
	for (int k = 0;
	     k < x->e->axes.n && strcmp(axt_escape(m->c->g->m, text(m, i, i + 1)), "sort") != 0;
	     k++)
		if (strcmp(x->e->axes.a[k].name, "time") == 0)
			axis = "time";
	return put(m, i + 2, i + 3, "%s, along=%s", x->name, axis);
}

/* roll(a, 1, axis=0) and flip(a, axis=1): the axis of NumPy by its number. */
static bool
numbered(struct axt_mend *m, int i)
{
	bool roll = is(m, i, "roll"), flip = is(m, i, "flip");
	struct axt_mend_args a;
	const struct axt_calc_name *x;
	int64_t k;
	int last;

	if (!(roll || flip) || !is(m, i + 1, "(") || is(m, i - 1, ".") ||
	    !axt_mend_args(m, i + 1, &a) || a.n != 2 + roll || !(x = axt_mend_known(m, i + 2)))
		return false;
	last = a.n - 1;
	if (!axt_parse_int(text(m, a.from[last] + 2 * is(m, a.from[last], "axis"), a.to[last]),
		-x->e->axes.n, x->e->axes.n - 1, &k) ||
	    x->e->axes.n == 0)
		return false;
	k += k < 0 ? x->e->axes.n : 0;
	if (flip)
		return put(m, a.from[1], a.to[1], "%s", x->e->axes.a[k].name);
	return put(m, i, a.to[2], "shift(%s, %s=%s", x->name, x->e->axes.a[k].name,
	    text(m, a.from[1], a.to[1]));
}

/* ---- parts ---- */

/* a[{"lat": 0}], a[lat=-45.0], a["2000-01"] */
static bool
part(struct axt_mend *m, int i)
{
	const struct axt_calc_name *x = axt_mend_known(m, i);
	struct axt_mend_args a;

	if (!x || !is(m, i + 1, "[") || m->t[i + 1].mate < 0)
		return false;
	if (is(m, i + 2, "{") && is(m, i + 4, ":") && m->t[i + 2].mate == m->t[i + 1].mate - 1)
		return put(m, i + 2, m->t[i + 1].mate, "%s=%s", axt_mend_word(m, i + 3),
		    text(m, i + 5, m->t[i + 2].mate));
	if (axt_mend_at(m, i + 2)->quoted && is(m, i + 3, "]") &&
	    strspn(axt_mend_word(m, i + 2), "0123456789-T:") == m->t[i + 2].n - 2 &&
	    axt_mend_is_axis(m, "time"))
		return put(m, i + 2, i + 3, "time@%s", axt_mend_word(m, i + 2));
	if (!axt_mend_args(m, i + 1, &a))
		return false;
	for (int k = 0; k < a.n; k++)
		if (is(m, a.from[k] + 1, "=") && strchr(text(m, a.from[k] + 2, a.to[k]), '.') &&
		    axt_is_number(text(m, a.from[k] + 2, a.to[k])))
			return put(m, a.from[k] + 1, a.from[k] + 2, "@");
	return false;
}

/* Whether token i is a number whose bits are meant: no truth value. */
static bool
is_bits(struct axt_mend *m, int i)
{
	const char *w = i >= 0 && i < m->n ? axt_mend_word(m, i) : "";

	return w[0] >= '0' && w[0] <= '9' && strcmp(w, "0") != 0 && strcmp(w, "1") != 0;
}

/* a & 7, of floats: the bits are those of integers. */
static bool
float_bits(struct axt_mend *m, int i)
{
	const struct axt_calc_name *x = axt_mend_known(m, i);
	bool before = is(m, i - 1, "&") || is(m, i - 1, "|");
	bool after = is(m, i + 1, "&") || is(m, i + 1, "|");

	return x && (is_bits(m, after ? i + 2 : -1) || is_bits(m, before ? i - 2 : -1)) &&
	    put(m, i, i + 1, "cast(%s, i32)", x->name);
}

/* a[lon@350], where no coordinate is that number; other dates are other data */
static bool
near(struct axt_mend *m, int i)
{
	int end = axt_mend_at(m, i + 1)->mate;
	bool labels = false;

	if (!axt_mend_known(m, i) || !is(m, i + 1, "[") || end < 0)
		return false;
	for (int k = i + 2; k < end; k++) {
		labels = labels || is(m, k, "@");
		if (is(m, k, ":") || is(m, k, "time") || is(m, k, "nearest"))
			return false;
	}
	return labels &&
	    put(m, i, end + 1, "slice(%s, %s, nearest=true)", text(m, i, i + 1),
		text(m, i + 2, end));
}

axt_mend_rule *const axt_mend_words[] = {
	members,
	r_words,
	said,
	weighted,
	numbered,
	part,
	NULL,
};

axt_mend_rule *const axt_mend_last_words[] = {
	water,
	along,
	float_bits,
	near,
	NULL,
};
