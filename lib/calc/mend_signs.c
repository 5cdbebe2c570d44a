/* mend_signs.c - rules for signs, numbers, constants and conditions of other languages. */
#include <ctype.h>
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"
#include "cf/cf.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text

/* Signs that documents and web pages have in place of those of a keyboard. */
static const char *const ascii[][2] = {
	{ "\u2212", "-" },
	{ "\u2013", "-" },
	{ "\u2014", "-" },
	{ "\u2010", "-" },
	{ "\u2011", "-" },
	{ "\u00d7", "*" },
	{ "\u00b7", "*" },
	{ "\u22c5", "*" },
	{ "\u2217", "*" },
	{ "\u2219", "*" },
	{ "\u00f7", "/" },
	{ "\u2215", "/" },
	{ "\u2044", "/" },
	{ "\u2265", ">=" },
	{ "\u2264", "<=" },
	{ "\u2260", "!=" },
	{ "\u00b9", "^1" },
	{ "\u00b2", "^2" },
	{ "\u00b3", "^3" },
	{ "\u201c", "\"" },
	{ "\u201d", "\"" },
	{ "\u201e", "\"" },
	{ "\u00ab", "\"" },
	{ "\u00bb", "\"" },
	{ "\u2018", "'" },
	{ "\u2019", "'" },
	{ "\u00a0", " " },
	{ "\u202f", " " },
	{ "\u2009", " " },
	{ "\u200b", "" },
	{ "\ufeff", "" },
	{ "\u03c0", "pi" },
	{ "\u221e", "inf" },
	{ "\u221a", "sqrt " },
	{ "\u2227", "and" },
	{ "\u2228", "or" },
	{ "\u00ac", "not" },
	{ "\uff08", "(" },
	{ "\uff09", ")" },
	{ "\uff0c", "," },
	{ "\u00b0", "" },
};

const char *
axt_mend_ascii(struct axt_calc *c, const char *s)
{
	struct axt_buf b = { 0 };
	const char *out = NULL;
	bool any = false;

	while (*s) {
		int k = 0;

		while (k < ARRAY_LEN(ascii) && strncmp(s, ascii[k][0], strlen(ascii[k][0])) != 0)
			k++;
		any = any || k < ARRAY_LEN(ascii);
		if (k < ARRAY_LEN(ascii)) {
			axt_buf_adds(&b, ascii[k][1]);
			s += strlen(ascii[k][0]);
		} else {
			axt_buf_add(&b, s++, 1);
		}
	}
	if (any && !b.bad && b.p)
		out = axt_strndup(c->g->m, b.p, b.n);
	axt_buf_release(&b);
	return out;
}

/* ---- operators ---- */

/* Operators of C, NumPy, MATLAB, Fortran and R; `before`: of these, where a value begins. */
static const struct {
	const char *theirs, *ours;
	bool before;
} operators[] = {
	{ ".and.", "and", false },
	{ ".or.", "or", false },
	{ ".not.", "not", true },
	{ ".eq.", "==", false },
	{ ".ne.", "!=", false },
	{ ".lt.", "<", false },
	{ ".le.", "<=", false },
	{ ".gt.", ">", false },
	{ ".ge.", ">=", false },
	{ "===", "==", false },
	{ "!==", "!=", false },
	{ "~=", "!=", false },
	{ "/=", "!=", false },
	{ "<>", "!=", false },
	{ "=<", "<=", false },
	{ "=>", ">=", false },
	{ "&&", "and", false },
	{ "&", "and", false },
	{ "||", "or", false },
	{ "|", "or", false },
	{ "!", "not", true },
	{ "~", "not", true },
	{ ".**", "^", false },
	{ ".*", "*", false },
	{ "./", "/", false },
	{ ".^", "^", false },
	{ "%%", "%", false },
};

/* Words in place of operators; those in capitals are found as well. */
static const char *const words[][2] = {
	{ "and", "and" },
	{ "or", "or" },
	{ "eq", "==" },
	{ "ne", "!=" },
	{ "lt", "<" },
	{ "le", "<=" },
	{ "gt", ">" },
	{ "ge", ">=" },
	{ "mod", "%" },
	{ "div", "//" },
	{ "x", "*" },
	{ "times", "*" },
	{ "plus", "+" },
	{ "minus", "-" },
	{ "is", "==" },
};

static bool
same_letters(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
	return *a == *b;
}

/* The number of tokens, with nothing between them, that make up the sign; 0: other ones. */
static int
spelled(const struct axt_mend *m, int i, const char *sign)
{
	size_t n = 0, len = strlen(sign);
	int k = i;

	for (; k < m->n && n < len && (k == i || axt_mend_glued(m, k)) && !m->t[k].quoted; k++)
		n += m->t[k].n;
	if (n != len || k == i)
		return 0;
	for (size_t j = 0; j < n; j++)
		if (tolower((unsigned char)m->t[i].s[j]) != sign[j])
			return 0;
	return k - i;
}

/* A word has blanks around it. */
static bool
put_operator(struct axt_mend *m, int from, int to, const char *ours)
{
	bool word = islower((unsigned char)*ours);

	return put(m, from, to, "%s%s%s", word && axt_mend_glued(m, from) ? " " : "", ours,
	    word && axt_mend_glued(m, to) ? " " : "");
}

static bool
operator(struct axt_mend *m, int i)
{
	for (int k = 0; k < ARRAY_LEN(operators); k++) {
		int n = spelled(m, i, operators[k].theirs);
		bool after = axt_mend_ends(m, i - 1) && i > 0;

		if (n == 0 || after == operators[k].before)
			continue;
		if (operators[k].before && is(m, i + n, "="))
			continue;
		/* with a number bits are meant, and not truth */
		if ((strcmp(operators[k].theirs, "&") == 0 ||
			strcmp(operators[k].theirs, "|") == 0) &&
		    axt_mend_at(m, i + n)->kind == AXT_CALC_NUMBER)
			continue;
		if (!axt_mend_begins(m, i + n) && !is(m, i + n, "-") && !is(m, i + n, "!") &&
		    !is(m, i + n, "~") && !is(m, i + n, "not"))
			continue;
		return put_operator(m, i, i + n, operators[k].ours);
	}
	return false;
}

static bool
word_operator(struct axt_mend *m, int i)
{
	if (!axt_mend_is_name(m, i) || i == 0 || !axt_mend_ends(m, i - 1) || axt_mend_known(m, i) ||
	    (!axt_mend_begins(m, i + 1) && !is(m, i + 1, "-") && !is(m, i + 1, "not")))
		return false;
	for (int k = 0; k < ARRAY_LEN(words); k++)
		if (same_letters(text(m, i, i + 1), words[k][0]))
			return put(m, i, i + 1, "%s", words[k][1]);
	return false;
}

/* NOT a, in capitals. */
static bool
not_word(struct axt_mend *m, int i)
{
	return axt_mend_is_name(m, i) && !axt_mend_known(m, i) && axt_mend_begins(m, i + 1) &&
	    same_letters(text(m, i, i + 1), "not") && put(m, i, i + 1, "not");
}

/* |a| is the absolute value; so is abs|a|. */
static bool
bars(struct axt_mend *m, int i)
{
	bool call = is(m, i, "abs") && is(m, i + 1, "|");
	int open = i + call, k = open + 1;

	if (!is(m, open, "|") || (!call && i > 0 && axt_mend_ends(m, i - 1)))
		return false;
	while (k < m->n && !is(m, k, "|"))
		k++;
	return k < m->n && k > open + 1 && put(m, i, k + 1, "absolute(%s)", text(m, open + 1, k));
}

/* NAME or NAME.T, a factor of a product of matrices. */
struct factor {
	const struct axt_calc_name *x;
	int summed; /* of its axes, the one that the product sums over */
	int other;  /* -1: it has one axis */
};

/* Reads the factor of tokens from up to, but without, to; false: it is no such thing. */
static bool
read_factor(const struct axt_mend *m, int from, int to, bool right, struct factor *f)
{
	bool turned = to == from + 3 && is(m, from + 1, ".") && is(m, from + 2, "T");
	int rank;

	f->x = turned || to == from + 1 ? axt_mend_known(m, from) : NULL;
	rank = f->x ? f->x->e->axes.n : 0;
	f->summed = rank == 2 && turned == right;
	f->other = rank == 2 ? 1 - f->summed : -1;
	return rank == 1 || rank == 2;
}

/*
 * The second of two factors, whose axes get the names with which dot sums over the axes that
 * NumPy sums over; NULL: their lengths differ, or names do so already.
 */
static const char *
factor_renamed(const struct axt_mend *m, const struct factor *a, const struct factor *b)
{
	const struct axt_axis *x = a->x->e->axes.a, *y = b->x->e->axes.a;
	const char *sum = x[a->summed].name, *was = y[b->summed].name;
	const char *left = a->other < 0 ? "" : x[a->other].name;
	const char *rest = b->other < 0 ? NULL : y[b->other].name, *other = rest;
	const char *met = "", *apart = "";

	if (x[a->summed].len != y[b->summed].len)
		return NULL;
	if (rest && (strcmp(rest, sum) == 0 || strcmp(rest, left) == 0))
		other = axt_mend_new_axis(m, rest);
	if (strcmp(sum, was) == 0 && other == rest)
		return NULL;
	if (strcmp(sum, was) != 0)
		met = axt_sprintf(m->c->g->m, ", %s=%s", was, sum);
	if (other != rest)
		apart = axt_sprintf(m->c->g->m, ", %s=%s", rest, other);
	return met && apart ? axt_sprintf(m->c->g->m, "rename(%s%s%s)", b->x->name, met, apart)
			    : NULL;
}

/* a @ b is a product of matrices. */
static bool
at_sign(struct axt_mend *m, int i)
{
	struct factor a, b;
	const char *renamed = NULL;
	int from, last;

	if (!is(m, i, "@") || i == 0 || !axt_mend_ends(m, i - 1) || !axt_mend_begins(m, i + 1))
		return false;
	from = axt_mend_first(m, i - 1);
	last = axt_mend_last(m, i + 1);
	if (from > 0 && (is(m, from - 1, "[") || is(m, from - 1, ",")))
		return false;
	if (is(m, last + 1, ".") && is(m, last + 2, "T"))
		last += 2;
	if (read_factor(m, from, i, false, &a) && read_factor(m, i + 1, last + 1, true, &b)) {
		renamed = factor_renamed(m, &a, &b);
		return put(m, from, last + 1, "dot(%s, %s)", a.x->name,
		    renamed ? renamed : b.x->name);
	}
	return put(m, from, last + 1, "dot(%s, %s)", text(m, from, i), text(m, i + 1, last + 1));
}

/* NAME = VALUE in parentheses compares, unless the function takes a key of that name. */
static bool
equals(struct axt_mend *m, int i)
{
	struct axt_calc_fn fn;
	int open = i;

	if (!is(m, i, "=") || i == 0 || !axt_mend_known(m, i - 1) || is(m, i + 1, "="))
		return false;
	for (open--; open >= 0; open--)
		if (m->t[open].mate >= 0 && m->t[open].mate < open)
			open = m->t[open].mate;
		else if (is(m, open, "(") || is(m, open, "["))
			break;
	if (open < 0 || is(m, open, "[") ||
	    (open > 0 && axt_mend_is_name(m, open - 1) &&
		(!axt_calc_find(m->c->g->m, text(m, open - 1, open), &fn) || fn.words ||
		    axt_word_index(fn.keys, m->t[i - 1].s, m->t[i - 1].n) >= 0)))
		return false;
	return put(m, i, i + 1, "==");
}

/* a += b, a++, a <- b, a := b and let a = b. */
static bool
assigns(struct axt_mend *m, int i)
{
	static const char *const ops[] = { "+", "-", "*", "/", "^", "%" };
	int to;

	if (!axt_mend_is_name(m, i) || (i > 0 && m->t[i - 1].kind != AXT_CALC_SEP))
		return false;
	to = axt_mend_to(m, i);
	if ((is(m, i, "let") || is(m, i, "var") || is(m, i, "return") || is(m, i, "print") ||
		is(m, i, "set") || is(m, i, "double") || is(m, i, "float")) &&
	    axt_mend_is_name(m, i + 1))
		return put(m, i, i + 2, "%s", text(m, i + 1, i + 2));
	if (is(m, i + 1, "<") && is(m, i + 2, "-") && axt_mend_glued(m, i + 2) &&
	    !axt_mend_known(m, i))
		return put(m, i + 1, i + 3, "=");
	if (is(m, i + 1, ":") && is(m, i + 2, "=") && axt_mend_glued(m, i + 2))
		return put(m, i + 1, i + 3, "=");
	for (int k = 0; k < ARRAY_LEN(ops); k++) {
		if (!is(m, i + 1, ops[k]) || !axt_mend_known(m, i) || !axt_mend_glued(m, i + 2))
			continue;
		if (is(m, i + 2, "=") && to > i + 3)
			return put(m, i, to, to > i + 4 ? "%s %s (%s)" : "%s %s %s",
			    text(m, i, i + 1), ops[k], text(m, i + 3, to));
		if (k < 2 && is(m, i + 2, ops[k]) && to == i + 3)
			return put(m, i, to, "%s %s 1", text(m, i, i + 1), ops[k]);
	}
	return false;
}

/* ---- conditions ---- */

/* c ? a : b */
static bool
question(struct axt_mend *m, int i)
{
	int from, to, colon = i;

	if (!is(m, i, "?"))
		return false;
	from = axt_mend_from(m, i);
	to = axt_mend_to(m, i);
	while (colon < to && !is(m, colon, ":"))
		colon = m->t[colon].mate > colon ? m->t[colon].mate : colon + 1;
	for (int k = colon + 1; k < to; k++)
		if (is(m, k, "?")) /* the inner one first: this is tried for its own sign */
			return false;
	for (int k = from; k < i; k++)
		if (m->t[k].mate > k)
			k = m->t[k].mate;
		else if (is(m, k, ":"))
			from = k + 1;
	if (from == i || colon == i + 1 || colon + 1 >= to)
		return false;
	return put(m, from, to, "where(%s, %s, %s)", text(m, from, i), text(m, i + 1, colon),
	    text(m, colon + 1, to));
}

static int
find(const struct axt_mend *m, int from, int to, const char *const word[], int n)
{
	for (int k = from; k < to; k++) {
		if (m->t[k].mate > k)
			k = m->t[k].mate;
		for (int j = 0; j < n; j++)
			if (is(m, k, word[j]))
				return k;
	}
	return -1;
}

/* a if c else b; if c then a else b; if (c) a else b; if c: a else: b */
static bool
if_else(struct axt_mend *m, int i)
{
	static const char *const other[] = { "else", "ELSE" },
				 *const then[] = { "then", "THEN", ":" };
	int from, to, e, t, a;

	if (!is(m, i, "if") && !is(m, i, "IF"))
		return false;
	from = axt_mend_from(m, i);
	to = axt_mend_to(m, i + 1);
	e = find(m, i, to, other, ARRAY_LEN(other));
	if (from < i && e > i + 1 && e + 1 < to)
		return put(m, from, to, "where(%s, %s, %s)", text(m, i + 1, e), text(m, from, i),
		    text(m, e + 1, to));
	t = find(m, i, to, then, ARRAY_LEN(then));
	if (from != i || (e >= 0 && t > e))
		return false;
	if (t < 0 && is(m, i + 1, "(") && m->t[i + 1].mate > 0)
		t = m->t[i + 1].mate;
	a = t + 1;
	if (t <= i + 1 || a >= (e >= 0 ? e : to))
		return false;
	if (is(m, t, ")") && is(m, t + 1, ","))
		return false;
	return put(m, i, to, "where(%s, %s, %s)",
	    is(m, t, ")") ? text(m, i + 2, t) : text(m, i + 1, t), text(m, a, e >= 0 ? e : to),
	    e >= 0 ? text(m, e + 1 + is(m, e + 1, ":"), to) : "nan");
}

/* where(c) x = 1, of NCO: x keeps its values elsewhere. */
static bool
where_assigns(struct axt_mend *m, int i)
{
	int end = axt_mend_at(m, i + 1)->mate, to;

	if (!is(m, i, "where") || !is(m, i + 1, "(") || end < 0 || !axt_mend_is_name(m, end + 1) ||
	    !is(m, end + 2, "="))
		return false;
	to = axt_mend_to(m, end + 3);
	return to > end + 3 &&
	    put(m, i, to, "where(%s, %s, %s)", text(m, i + 2, end), text(m, end + 3, to),
		text(m, end + 1, end + 2));
}

/* ---- numbers ---- */

static bool
is_unit(const char *w)
{
	struct axt_units_way way;
	const char *absent;
	enum axt_units_fit fit = axt_units_way(w, "1", &way, &absent);

	return fit == AXT_UNITS_FIT || fit == AXT_UNITS_APART;
}

/* A number and what is glued to it, or a unit behind it: 2x, 1_000, 10%, 273.15 K, 1,5. */
static bool
number(struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i), *u = axt_mend_at(m, i + 1);
	char digits[64];
	size_t n = 0;

	if (t->kind != AXT_CALC_NUMBER)
		return false;
	if (u->kind == AXT_CALC_NAME && *u->s == '_' && axt_mend_glued(m, i + 1) &&
	    strspn(u->s, "_0123456789") == u->n) {
		for (size_t k = 0; k < t->n + u->n && n < sizeof(digits) - 1; k++)
			if (t->s[k] != '_')
				digits[n++] = t->s[k];
		digits[n] = '\0';
		return put(m, i, i + 2, "%s", digits);
	}
	if (u->n == 1 && axt_mend_glued(m, i + 1) && strchr("eEdD", *u->s)) {
		bool exponent = (is(m, i + 2, "-") || is(m, i + 2, "+")) &&
		    axt_mend_glued(m, i + 2) && axt_mend_at(m, i + 3)->kind == AXT_CALC_NUMBER &&
		    axt_mend_glued(m, i + 3);

		return exponent && put(m, i + 1, i + 2, "e");
	}
	if (u->n == 1 && axt_mend_glued(m, i + 1) && strchr("fFlLuU", *u->s) &&
	    !axt_mend_known(m, i + 1))
		return put(m, i + 1, i + 2, "%s", "");
	for (size_t k = 0; k + 1 < t->n; k++)
		if (t->s[k] == '.' && t->s[k + 1] == '.')
			return put(m, i, i + 1, "%.*s:%.*s", (int)k, t->s, (int)(t->n - k - 2),
			    t->s + k + 2);
	if (u->kind == AXT_CALC_NAME && is(m, i + 2, "(") && axt_mend_glued(m, i + 2))
		return put(m, i + 1, i + 2, "*%s", text(m, i + 1, i + 2));
	if (u->kind == AXT_CALC_NAME && (axt_mend_known(m, i + 1) || is(m, i + 1, "pi")))
		return put(m, i, i + 2, "%s*%s", text(m, i, i + 1), text(m, i + 1, i + 2));
	if (is(m, i + 1, "(") && (i == 0 || !axt_mend_is_name(m, i - 1)))
		return put(m, i, i + 1, "%s*", text(m, i, i + 1));
	/* a + 10% may mean a tenth of a */
	if (is(m, i + 1, "%") && !axt_mend_begins(m, i + 2) && !is(m, i - 1, "+") &&
	    !is(m, i - 1, "-"))
		return put(m, i, i + 2, "%.15g", axt_mend_number(m, i, i + 1) / 100);
	if (u->kind == AXT_CALC_NAME && !is(m, i + 1, "e") && !is(m, i + 1, "if") &&
	    !is(m, i + 1, "else") && is_unit(text(m, i + 1, i + 2)))
		return put(m, i, i + 2, "%s", text(m, i, i + 1));
	return false;
}

/*
 * A comma in a number, where no list stands: behind an operator outside parentheses. Three digits
 * behind it may be thousands.
 */
static bool
decimal_comma(struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i), *u = axt_mend_at(m, i + 2);

	if (t->kind != AXT_CALC_NUMBER || !is(m, i + 1, ",") || u->kind != AXT_CALC_NUMBER ||
	    !axt_mend_glued(m, i + 1) || !axt_mend_glued(m, i + 2) || u->n == 3 ||
	    memchr(t->s, '.', t->n) || memchr(u->s, '.', u->n))
		return false;
	for (int k = 0; k < i; k++)
		if (m->t[k].mate > i)
			return false;
	return put(m, i, i + 3, "%s.%s", text(m, i, i + 1), text(m, i + 2, i + 3));
}

/* Two parentheses, or a parenthesis and a value, side by side: a product. */
static bool
product(struct axt_mend *m, int i)
{
	return is(m, i, ")") && m->t[i].mate >= 0 &&
	    (m->t[i].mate == 0 || !axt_mend_is_name(m, m->t[i].mate - 1)) &&
	    (is(m, i + 1, "(") || axt_mend_known(m, i + 1)) && put(m, i, i + 1, ")*");
}

/* ---- names ---- */

static const char *const constants[][2] = {
	{ "nan", "nan" },
	{ "na", "nan" },
	{ "none", "nan" },
	{ "null", "nan" },
	{ "nil", "nan" },
	{ "missing", "nan" },
	{ "_FillValue", "nan" },
	{ "inf", "inf" },
	{ "infinity", "inf" },
	{ "infty", "inf" },
	{ "pi", "pi" },
	{ "m_pi", "pi" },
	{ "true", "1" },
	{ "false", "0" },
	{ "e", "exp(1)" },
};

/* A name that stands for a value, and that nothing has. */
static bool
unknown(const struct axt_mend *m, int i)
{
	return axt_mend_is_name(m, i) && !is(m, i + 1, "(") && !is(m, i + 1, "=") &&
	    !is(m, i + 1, ".") && !is(m, i - 1, ".") && !axt_mend_known(m, i) &&
	    !axt_mend_assigned(m, i) && !axt_mend_is_axis(m, text(m, i, i + 1)) &&
	    !is(m, i - 1, "=") &&
	    !(axt_mend_glued(m, i) && axt_mend_at(m, i - 1)->kind == AXT_CALC_NUMBER);
}

/* A value before == or !=, which is not true of NaN. */
static bool
compared(const struct axt_mend *m, int i)
{
	return is(m, i - 1, "==") || is(m, i - 1, "!=") || is(m, i - 1, "is") || is(m, i - 2, "is");
}

/* None that says that there is no limit, as in clip(a, 0, None). */
static bool
no_limit(const struct axt_mend *m, int i)
{
	int open = i;

	if (!is(m, i, "None"))
		return false;
	for (open--; open >= 0 && !is(m, open, "("); open--)
		if (m->t[open].mate >= 0 && m->t[open].mate < open)
			open = m->t[open].mate;
	return open > 0 && axt_mend_is_name(m, open - 1) && !is(m, open - 1, "where");
}

/* a == NaN, a is None, a is not null */
static bool
is_missing(struct axt_mend *m, int i)
{
	bool no = is(m, i, "!=") || is(m, i + 1, "not");
	int last = i + 1 + is(m, i + 1, "not");

	if (!compared(m, i + 1) || i == 0 || !axt_mend_ends(m, i - 1) ||
	    !axt_mend_is_name(m, last) || axt_mend_known(m, last))
		return false;
	for (int k = 0; k < ARRAY_LEN(constants); k++)
		if (strcmp(constants[k][1], "nan") == 0 &&
		    same_letters(text(m, last, last + 1), constants[k][0])) {
			int from = axt_mend_first(m, i - 1);

			return put(m, from, last + 1, no ? "not isnan(%s)" : "isnan(%s)",
			    text(m, from, i));
		}
	return false;
}

static bool
constant(struct axt_mend *m, int i)
{
	if (!unknown(m, i) || is(m, i, "nan") || is(m, i, "inf") || is(m, i, "pi"))
		return false;
	for (int k = 0; k < ARRAY_LEN(constants); k++)
		if (same_letters(text(m, i, i + 1), constants[k][0]) &&
		    (k + 1 < ARRAY_LEN(constants) || is(m, i, "e")) &&
		    !(strcmp(constants[k][1], "nan") == 0 && (compared(m, i) || no_limit(m, i))))
			return put(m, i, i + 1, "%s", constants[k][1]);
	return false;
}

/* An operand's name in quotes, with a sign before it, or in braces; a text that is all quoted. */
static bool
quoted(struct axt_mend *m, int i)
{
	const char *w = axt_mend_word(m, i);

	if ((is(m, i, "$") || is(m, i, "@")) && axt_mend_glued(m, i + 1) &&
	    axt_mend_known(m, i + 1) && (i == 0 || !axt_mend_ends(m, i - 1)))
		return put(m, i, i + 2, "%s", text(m, i + 1, i + 2));
	if (is(m, i, "{") && m->t[i].mate == i + 2 && axt_mend_known(m, i + 1))
		return put(m, i, i + 3, "%s", text(m, i + 1, i + 2));
	if (!axt_mend_at(m, i)->quoted || is(m, i - 1, "=") || is(m, i - 1, "[") ||
	    is(m, i - 1, ","))
		return false;
	if (m->n == 1)
		return put(m, i, i + 1, "%s", w);
	for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
		if (strcmp(x->name, w) == 0)
			return put(m, i, i + 1, "%s", w);
	return false;
}

/* A name that is much like that of one operand. */
static bool
misspelled(struct axt_mend *m, int i)
{
	const char *names[64], *near;
	int n = 0;

	if (!unknown(m, i) || axt_calc_is_function(text(m, i, i + 1)) || is(m, i, "nan") ||
	    is(m, i, "inf") || is(m, i, "pi"))
		return false;
	for (struct axt_calc_name *x = m->c->names; x && n < ARRAY_LEN(names); x = x->next) {
		if (same_letters(x->name, text(m, i, i + 1)))
			return put(m, i, i + 1, "%s", x->name);
		names[n++] = x->name;
	}
	near = axt_nearest(text(m, i, i + 1), names, n);
	return near && put(m, i, i + 1, "%s", near);
}

/* ---- parentheses, comments, statements ---- */

static bool
brackets(struct axt_mend *m, int i)
{
	if (i == 0 && is(m, i, "=") && m->n > 1)
		return put(m, 0, 1, "%s", "");
	if (is(m, i, ")") && m->t[i].mate < 0 && i + 1 == m->n)
		return put(m, i, i + 1, "%s", "");
	if (is(m, i, "(") && m->t[i].mate < 0 && axt_mend_ends(m, m->n - 1))
		return put(m, m->n, m->n, ")");
	if (is(m, i, "[") && m->t[i].mate < 0 && axt_mend_ends(m, m->n - 1))
		return put(m, m->n, m->n, "]");
	if ((is(m, i, "{") || is(m, i, "[")) && m->t[i].mate > i + 1 && i > 0 &&
	    !axt_mend_known(m, i - 1) && axt_mend_is_name(m, i - 1) &&
	    axt_calc_is_function(text(m, i - 1, i)))
		return put(m, i, m->t[i].mate + 1, "(%s)", text(m, i + 1, m->t[i].mate));
	if (is(m, i, "[") && is(m, i - 1, "(") && axt_mend_is_name(m, i - 2) &&
	    m->t[i].mate > i + 1)
		return put(m, i, m->t[i].mate + 1, "%s", text(m, i + 1, m->t[i].mate));
	if (is(m, i, "{") && m->t[i].mate > 0 && axt_mend_known(m, i - 1))
		return put(m, i, m->t[i].mate + 1, "[%s]", text(m, i + 1, m->t[i].mate));
	if (is(m, i, "{") && m->t[i].mate > 0)
		return put(m, i, m->t[i].mate + 1, "(%s)", text(m, i + 1, m->t[i].mate));
	return false;
}

static bool
comment(struct axt_mend *m, int i)
{
	int k = i + 1;

	if (!is(m, i, "/") || !(is(m, i + 1, "*") || is(m, i + 1, "**")) ||
	    !axt_mend_glued(m, i + 1))
		return false;
	while (k < m->n && !(is(m, k, "/") && axt_mend_glued(m, k) && is(m, k - 1, "*")))
		k++;
	return k < m->n && put(m, i, k + 1, "%s", "");
}

/* Values side by side in a call: "," is missing between them. */
static bool
comma(struct axt_mend *m, int i)
{
	int open = i;

	if (!axt_mend_ends(m, i) || !axt_mend_begins(m, i + 1) || axt_mend_glued(m, i + 1) ||
	    is(m, i + 1, "("))
		return false;
	for (open--; open >= 0; open--)
		if (m->t[open].mate >= 0 && m->t[open].mate < open)
			open = m->t[open].mate;
		else if (is(m, open, "("))
			break;
	return open > 0 && axt_mend_is_name(m, open - 1) &&
	    put(m, i, i + 1, "%s,", text(m, i, i + 1));
}

/* Statements whose values are all to be results: a; b. */
static bool
results(struct axt_mend *m, int i)
{
	if (m->t[i].kind != AXT_CALC_SEP || i == 0 || i + 1 >= m->n)
		return false;
	for (int k = 0; k < m->n; k++)
		if (m->t[k].mate > i && k < i)
			return put(m, i, i + 1, ",");
		else if (is(m, k, "="))
			return false;
	return put(m, i, i + 1, ",");
}

axt_mend_rule *const axt_mend_signs[] = {
	quoted,
	comment,
	brackets,
	question,
	if_else,
	where_assigns,
	bars,
	assigns,
	operator,
	is_missing,
	word_operator,
	not_word,
	equals,
	number,
	decimal_comma,
	constant,
	at_sign,
	product,
	misspelled,
	comma,
	results,
	NULL,
};
