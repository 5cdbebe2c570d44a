/* respell.c - words of other tools, each as it is typed here. */
#include <ctype.h>
#include <stdlib.h>

#include "axt_cmd.h"
#include "calc/respell.h"
#include "expr/expr.h"

/* Whether a blank at s stands between two words of a list. */
static bool
parts_words(const struct axt_buf *b, const char *s)
{
	s += strspn(s, " \t\n");
	return b->n > 0 && (isalnum((unsigned char)b->p[b->n - 1])) && isalnum((unsigned char)*s);
}

/* The words of a list with the sign between them; None is nothing. */
static const char *
joined(struct axt_graph *g, const char *s, char sign)
{
	struct axt_buf b = { 0 };
	const char *out = NULL;

	for (char quote = 0; *s; s++) {
		if (quote && *s != quote)
			axt_buf_add(&b, s, 1);
		else if (quote || *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else if (*s == ',' || (isspace((unsigned char)*s) && parts_words(&b, s)))
			axt_buf_add(&b, &sign, 1);
		else if (strncmp(s, "None", 4) == 0)
			s += 3;
		else if (!isspace((unsigned char)*s) && !strchr("[](){}", *s))
			axt_buf_add(&b, s, 1);
	}
	if (!b.bad)
		out = axt_strndup(g->m, b.p ? b.p : "",
		    b.n -
			(b.n > 0 && b.p[b.n - 1] == sign &&
			    (sign == ',' || strchr(b.p, sign) < b.p + b.n - 1)));
	axt_buf_release(&b);
	return out;
}

const char *
axt_respell_list(struct axt_graph *g, const char *typed)
{
	if (strncmp(typed, "slice(", 6) == 0)
		return joined(g, typed + 5, ':');
	return joined(g, typed + (strncmp(typed, "c(", 2) == 0), ',');
}

const char *
axt_respell_parentheses(struct axt_graph *g, const char *list)
{
	const char *s = list, *all = "";

	if (!list || !strchr(list, ','))
		return list;
	for (size_t n; all && *s; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		all = axt_sprintf(g->m, "%s%s%.*s", all, *all ? ", " : "", (int)n, s);
	}
	return all ? axt_sprintf(g->m, "(%s)", all) : NULL;
}

bool
axt_respell_is_list(const char *typed, const char *list)
{
	if (strchr(list, ',') && *typed++ != '(')
		return false;
	for (; *list; list++) {
		typed += *typed == ' ';
		if (*typed++ != *list)
			return false;
	}
	return true;
}

/* The axis that n characters mean, by its name or position; NULL: there is none. */
static const struct axt_axis *
axis_of(struct axt_graph *g, const struct axt_expr *a, const char *s, size_t n)
{
	const char *word = axt_strndup(g->m, s, n);
	int64_t k = word ? axt_axes_meant(&a->axes, word) : -1;

	if (k < 0 && word && axt_parse_int(word, -a->axes.n, a->axes.n - 1, &k))
		k += k < 0 ? a->axes.n : 0;
	return k >= 0 ? &a->axes.a[k] : NULL;
}

const char *
axt_respell_axes(struct axt_graph *g, const struct axt_expr *a, const char *typed)
{
	const char *s = axt_respell_list(g, typed), *all = "";

	for (size_t n; s && all && *s; s += n + (s[n] == ',')) {
		const struct axt_axis *x = axis_of(g, a, s, n = strcspn(s, ","));

		if (!x)
			return NULL;
		all = axt_sprintf(g->m, "%s%s%s", all, *all ? "," : "", axt_axis_spell(g->m, x));
	}
	return all && *all ? all : NULL;
}

bool
axt_respell_is_all(const char *typed)
{
	return axt_choice("None|all|*|:|...", typed) >= 0;
}

const char *
axt_respell_dtype(struct axt_graph *g, const char *typed)
{
	const char *s = joined(g, typed, ','), *dot = s ? strrchr(s, '.') : NULL;
	size_t order;
	enum axt_dtype d;
	int64_t bytes;

	s = dot ? dot + 1 : s;
	if (!s)
		return NULL;
	order = strspn(s, "<>=|");
	/* behind the order of bytes, and where axt has no such dtype, NumPy's number is of bytes */
	if (*(s + order) && strchr("fiuc", s[order]) &&
	    axt_parse_int(s + order + 1, 1, 16, &bytes) &&
	    (order > 0 || axt_dtype_of_name(s) == AXT_DTYPE_AUTO))
		s = axt_sprintf(g->m, "%c%d", s[order], 8 * (int)bytes);
	else
		s += order;
	d = s ? axt_dtype_parse(s) : AXT_DTYPE_AUTO;
	return d ? axt_dtypes[d].name : NULL;
}

const char *
axt_respell_flag(const char *typed)
{
	return axt_choice("True|TRUE|T|yes|1", typed) >= 0 ? "true"
	    : axt_choice("False|FALSE|F|no|0", typed) >= 0 ? "false"
							   : NULL;
}

const char *
axt_respell_measure(struct axt_graph *g, const char *typed, const char *units)
{
	double v;

	return units && axt_units_measure(typed, units, &v) ? axt_sprintf(g->m, "%.10g", v) : NULL;
}

const char *
axt_respell_period(struct axt_graph *g, const char *typed)
{
	static const char *const words[][2] = { { "monthly months mon", "month" },
		{ "daily days", "day" }, { "hourly hours", "hour" },
		{ "yearly annual annually years", "year" },
		{ "seasonal seasonally DJF MAM JJA SON spring summer autumn winter", "season" },
		{ "weekly week weeks", "7 days" }, { "decade decades decadal", "10 years" },
		{ "quarter quarterly", "3 months" }, { "pentad pentads", "5 days" } };
	static const char *const names[][2] = { { "AYay", "year" }, { "M", "month" },
		{ "Dd", "day" }, { "Hh", "hour" } };
	char *end;
	long n = strtol(typed, &end, 10);

	for (int i = 0; i < ARRAY_LEN(words); i++)
		if (*typed && axt_has_word(words[i][0], typed))
			return words[i][1];
	n = end == typed ? 1 : n;
	/* a letter, perhaps S or E for where a period begins, and perhaps the first month */
	if (n < 1 || !*end || strcspn(end, "-") > 2)
		return NULL;
	if (*end == 'W')
		return axt_sprintf(g->m, "%ld days", 7 * n);
	if (strchr("Qq", *end))
		return n == 1 && strstr(end, "-DEC") ? "season"
						     : axt_sprintf(g->m, "%ld months", 3 * n);
	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (strchr(names[i][0], *end))
			return n == 1 ? names[i][1] : axt_sprintf(g->m, "%ld %ss", n, names[i][1]);
	return NULL;
}

const char *
axt_respell_number(struct axt_graph *g, const char *s, size_t *n)
{
	size_t digits = strspn(s, "0123456789._"), more = digits + 1, used = 0;
	char *out = axt_strndup(g->m, s, digits + 1);

	if (!out || digits == 0)
		return NULL;
	for (size_t k = 0; k < digits; k++)
		if (s[k] != '_')
			out[used++] = s[k];
	out[used] = '\0';
	more += s[digits] && strchr("dD", s[digits]) && s[more] && strchr("+-", s[more]);
	if (s[digits] && strchr("dD", s[digits]) && isdigit((unsigned char)s[more])) {
		*n = more + strspn(s + more, "0123456789");
		return axt_sprintf(g->m, "%se%.*s", out, (int)(*n - digits - 1), s + digits + 1);
	}
	*n = digits + (s[digits] && strchr("fFlLuU", s[digits]) != NULL);
	return isalnum((unsigned char)s[*n]) || s[*n] == '_' || *n == used ? NULL : out;
}
