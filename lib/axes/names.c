/*
 * names.c - names, levels and lists of axes: as users type them, as files have them, and as
 * messages show them.
 */
#include <stdlib.h>

#include "axes/keys.h"

#define MAX_NAME 255
#define MAX_LEVEL 999999

int
axt_axes_nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

/* The text of a level, which follows the name. */
static const char *
level_text(int level, char text[16])
{
	if (level == 0)
		return "";
	if (level == 1)
		return "*";
	snprintf(text, 16, "*%d", level);
	return text;
}

const char *
axt_axis_spell(struct axt_arena *m, const struct axt_axis *a)
{
	char text[16];

	return a->level == 0 ? a->name
			     : axt_sprintf(m, "%s%s", a->name, level_text(a->level, text));
}

const char *
axt_axis_label(struct axt_arena *m, const struct axt_axis *a)
{
	return !a->label ? "" : *a->label ? a->label : axt_axis_spell(m, a);
}

const struct axt_attr *
axt_axes_labels(struct axt_arena *m, const struct axt_axes *x)
{
	const char **label = axt_alloc(m, ((size_t)x->n + 1) * sizeof(*label));
	struct axt_attr *a = axt_alloc(m, sizeof(*a));
	bool any = false;

	for (int k = 0; a && label && k < x->n; k++) {
		any = any || x->a[k].label;
		if (!(label[k] = axt_axis_label(m, &x->a[k])))
			return NULL;
	}
	if (!any)
		return NULL;
	*a = (struct axt_attr){ .name = AXT_LABELS };
	axt_attr_set_list(a, label, x->n);
	return a;
}

int
axt_axes_spelled(const struct axt_axes *x, const char *name)
{
	char text[16];

	for (int i = 0; i < x->n; i++) {
		size_t n = strlen(x->a[i].name);

		if (strncmp(name, x->a[i].name, n) == 0 &&
		    strcmp(name + n, level_text(x->a[i].level, text)) == 0)
			return i;
	}
	return -1;
}

const char *
axt_show(struct axt_arena *m, const char *s)
{
	const char *t = s ? axt_escape(m, s) : NULL;

	return t ? t : "?";
}

const char *
axt_axis_show(struct axt_arena *m, const struct axt_axis *a)
{
	return axt_show(m, axt_axis_spell(m, a));
}

const char *
axt_axes_from(const struct axt_axes *x)
{
	for (int i = 0; i < x->n; i++)
		if (x->a[i].from)
			return x->a[i].from;
	return NULL;
}

const char *
axt_axes_in(struct axt_arena *m, const struct axt_axes *x)
{
	const char *from = axt_axes_from(x),
		   *s = from ? axt_sprintf(m, " in %s", axt_show(m, from)) : "";

	return s ? s : "";
}

const char *
axt_axes_names(struct axt_arena *m, const struct axt_axes *x)
{
	const char *s = x->n ? axt_axis_show(m, &x->a[0]) : "no axes";

	for (int i = 1; s && i < x->n; i++)
		s = axt_sprintf(m, "%s, %s", s, axt_axis_show(m, &x->a[i]));
	return s ? s : "?";
}

const char *
axt_axes_text(struct axt_arena *m, const struct axt_axes *x)
{
	const char *names = axt_axes_names(m, x), *lens = "", *s;

	for (int i = 0; i < x->n; i++) {
		if (x->a[i].len < 0)
			return names;
		s = axt_sprintf(m, "%s%s%lld", lens, i ? ", " : "", (long long)x->a[i].len);
		if (!s)
			return names;
		lens = s;
	}
	s = x->n ? axt_sprintf(m, "%s (%s)", names, lens) : names;
	return s ? s : names;
}

/*
 * The axis, or field of dates, that a word was meant for which names no axis: the word is the
 * number of an axis, a longer or shorter form of its name, as "latitude" of "lat", or the name of a
 * field of the dates along it. NULL: no guess.
 */
static const char *
other_name(struct axt_arena *m, const struct axt_axes *x, const char *const words[],
    const char *name)
{
	const char *found = NULL;
	struct axt_cftime t;
	char *end;
	long i = strtol(name, &end, 10);

	if (end != name && *end == '\0' && i >= 0 && i < x->n)
		return words[i];
	for (i = 0; i < x->n; i++) {
		size_t n = MIN(strlen(name), strlen(words[i]));

		if (strncmp(name, words[i], n) == 0 && found)
			return NULL;
		if (strncmp(name, words[i], n) == 0)
			found = words[i];
	}
	if (found || axt_cffield_named(name) < 0)
		return found;
	for (i = 0; i < x->n && !found; i++)
		if (x->a[i].coord && axt_coord_time(x->a[i].coord, &t))
			found = axt_sprintf(m, "%s.%s", words[i], name);
	return found;
}

/* Hints at the fields of dates if the name is AXIS.WORD of an axis of times: time.weekday. */
static bool
hint_fields(const struct axt_axes *x, const char *name, struct axt_err *e)
{
	const char *dot = strchr(name, '.');
	struct axt_cftime t;

	for (int i = 0; i < x->n && dot; i++) {
		size_t n = strlen(x->a[i].name);
		char list[200] = "";
		size_t used = 0;

		if (n != (size_t)(dot - name) || strncmp(x->a[i].name, name, n) != 0 ||
		    !x->a[i].coord || !axt_coord_time(x->a[i].coord, &t))
			continue;
		for (int k = 0; axt_cffield_name(k) && used < sizeof(list); k++)
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
			    k ? ", " : "", axt_cffield_name(k));
		axt_hint(e, "fields of dates are %s", list);
		return true;
	}
	return false;
}

int
axt_axes_unknown_in(struct axt_arena *m, const struct axt_axes *x, const struct axt_axis *a,
    const char *in, struct axt_err *e)
{
	const char *words[AXT_MAX_RANK], *near;
	const char *name = axt_axis_spell(m, a);

	for (int i = 0; i < x->n; i++) {
		words[i] = axt_axis_spell(m, &x->a[i]);
		if (!words[i])
			return axt_axes_nomem(e);
	}
	if (!name)
		return axt_axes_nomem(e);
	near = axt_nearest(name, words, x->n);
	near = near ? near : other_name(m, x, words, name);
	/* the same name with another level is a better hint than any other name */
	for (int i = 0; i < x->n; i++)
		if (!strcmp(x->a[i].name, a->name))
			near = words[i];
	axt_fail(e, AXT_E_NAME, "no axis \"%s\"%s%s (%s)", axt_axis_show(m, a), in ? " in " : "",
	    in ? in : axt_axes_in(m, x), in ? axt_axes_text(m, x) : axt_axes_names(m, x));
	axt_about(e, AXT_NO_AXIS, name, in ? in : axt_axes_from(x));
	for (int i = 0; i < x->n; i++)
		axt_about_among(e, words[i]);
	if (near && (strchr(near, '.') || !hint_fields(x, name, e)))
		axt_hint_meant(e, near, "did you mean \"%s\"?", axt_show(m, near));
	return AXT_E_NAME;
}

int
axt_about_both(struct axt_arena *m, enum axt_about about, const struct axt_axis *a,
    const struct axt_axis *b, struct axt_err *e)
{
	axt_about(e, about, axt_axis_spell(m, a), a->from);
	axt_about_among(e, a->from);
	axt_about_among(e, b->from);
	return e->code;
}

int
axt_axes_unknown(struct axt_arena *m, const struct axt_axes *x, const struct axt_axis *a,
    struct axt_err *e)
{
	return axt_axes_unknown_in(m, x, a, NULL, e);
}

int
axt_axes_no_times(struct axt_arena *m, const struct axt_axes *x, const char *in, struct axt_err *e)
{
	axt_fail(e, AXT_E_NAME, "no axis of CF times in %s (%s)", in, axt_axes_text(m, x));
	axt_about(e, AXT_NO_TIMES, NULL, in);
	for (int i = 0; i < x->n; i++) {
		const struct axt_coord *c = x->a[i].coord;
		const char *units = c ? axt_attr_text(c->attrs, "units") : NULL;
		char why[AXT_CFTIME_WHY];

		if (!units || !strstr(units, " since "))
			continue;
		axt_cftime_why(units, axt_attr_text(c->attrs, "calendar"), why);
		axt_hint(e, "axis \"%s\": %s", axt_axis_show(m, &x->a[i]), why);
		return AXT_E_NAME;
	}
	axt_hint(e, "units of CF times are such as \"days since 2000-01-01\"");
	return AXT_E_NAME;
}

int
axt_axis_unlabelled(struct axt_arena *m, const struct axt_axis *a, const char *from,
    struct axt_err *e)
{
	from = from ? from : a->from;
	axt_fail(e, AXT_E_COORD, "axis \"%s\"%s%s has no coordinates", axt_axis_show(m, a),
	    from ? " in " : "", from ? axt_show(m, from) : "");
	return axt_about(e, AXT_UNLABELLED, axt_axis_spell(m, a), from);
}

bool
axt_axes_is_unknown(const struct axt_err *e)
{
	return e->code == AXT_E_NAME &&
	    (e->fact.about == AXT_NO_AXIS || e->fact.about == AXT_NO_TIMES);
}

/* ---- the rules of names ---- */

static bool
forbidden(uint32_t c)
{
	return c < 0x80 && (c < ' ' || c == 0x7f || strchr("/,=:*^@[]()", (int)c));
}

static bool
may_start(uint32_t c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' ||
	    c >= 0x80;
}

/*
 * Checks a name. Character i need not obey the rules if taken[i] is set, since it was escaped.
 * taken may be NULL.
 */
static int
obeys(const char *s, const bool *taken, const char *what, struct axt_err *e)
{
	char shown[600];
	uint32_t c;
	int n;

	axt_escape_to(shown, sizeof(shown), s);
	if (!*s)
		return axt_fail(e, AXT_E_SYNTAX, "empty %s name", what);
	if (strlen(s) > MAX_NAME)
		return axt_fail(e, AXT_E_SYNTAX, "%s name \"%s\" is longer than %d bytes", what,
		    shown, MAX_NAME);
	for (const char *p = s; *p; p += n) {
		n = axt_utf8(p, &c);
		if (!n)
			return axt_fail(e, AXT_E_SYNTAX, "%s name \"%s\" is not UTF-8", what,
			    shown);
		if (taken && taken[p - s])
			continue;
		if (forbidden(c) && c < ' ')
			return axt_fail(e, AXT_E_SYNTAX, "%s name \"%s\" has a control character",
			    what, shown);
		if (forbidden(c)) {
			axt_fail(e, AXT_E_SYNTAX, "%s name \"%s\" must not contain \"%c\"", what,
			    shown, (char)c);
			axt_hint(e, "a backslash before \"%c\" takes it literally", (char)c);
			return AXT_E_SYNTAX;
		}
		if (p == s && !may_start(c))
			return axt_fail(e, AXT_E_SYNTAX,
			    "%s name \"%s\" must start with a letter, a digit or _", what, shown);
	}
	return AXT_OK;
}

static int
check(const char *s, const bool *taken, const char *what, struct axt_err *e)
{
	return obeys(s, taken, what, e) ? axt_about(e, AXT_BAD_NAME, s, what) : (int)AXT_OK;
}

int
axt_name_check(const char *s, const char *what, struct axt_err *e)
{
	return check(s, NULL, what, e);
}

/* Reads the level after a star. If there is no number, it is 1. */
static bool
level_of(const char *s, int *out)
{
	struct axt_num n;

	*out = 1;
	if (!*s)
		return true;
	if (s[strspn(s, "-0123456789")] || !axt_parse_num(s, &n) || !n.is_int || n.is_unsigned)
		return false;
	*out = (int)MAX(MIN(n.i, MAX_LEVEL + 1), -MAX_LEVEL - 1);
	return *out <= MAX_LEVEL && *out >= -MAX_LEVEL;
}

/* "M*2" is a name and a level. Anything else, such as "M*0", is a name as a whole. */
int
axt_axis_from_file(struct axt_arena *m, const char *s, struct axt_axis *out)
{
	const char *star = strrchr(s, '*');

	*out = (struct axt_axis){ .len = -1 };
	if (star && star > s && level_of(star + 1, &out->level) && out->level) {
		out->name = axt_strndup(m, s, (size_t)(star - s));
	} else {
		out->level = 0;
		out->name = axt_strdup(m, s);
	}
	return out->name ? AXT_OK : AXT_E_MEM;
}

/* ---- lists that a user typed ---- */

/*
 * Reads a word up to an unescaped ',' '=' '*' or '^'. Returns false if it is too long for a name.
 */
static bool
literal(const char **s, char *name, bool *taken, bool *any)
{
	int n = 0;

	for (*any = false; **s && !strchr(",=*^", **s); (*s)++) {
		taken[n] = **s == '\\' && (*s)[1];
		*any |= taken[n];
		*s += taken[n];
		name[n++] = **s;
		if (n > MAX_NAME)
			return false;
	}
	name[n] = '\0';
	return true;
}

/* Reads what follows a star, up to an unescaped ',' or '='. */
static int
stars(const char **s, const char *name, int *level, struct axt_err *e)
{
	char digits[16], shown[600];
	size_t n = strcspn(++*s, ",=");

	if (n < sizeof(digits)) {
		memcpy(digits, *s, n);
		digits[n] = '\0';
		*s += n;
		if (level_of(digits, level))
			return AXT_OK;
	}
	axt_fail(e, AXT_E_SYNTAX, "axis \"%s\": a star is followed by a level or nothing",
	    axt_escape_to(shown, sizeof(shown), name));
	axt_hint(e, "write M^, M^2 or M^-1");
	return axt_about(e, AXT_BAD_NAME, name, "axis");
}

int
axt_axis_parse(struct axt_arena *m, const char **s, struct axt_axis *out, struct axt_err *e)
{
	char name[MAX_NAME + 2];
	bool taken[MAX_NAME + 2], any;
	const char *typed = *s;
	int rc;

	*out = (struct axt_axis){ .len = -1 };
	if (!literal(s, name, taken, &any)) {
		axt_fail(e, AXT_E_SYNTAX, "an axis name is longer than %d bytes", MAX_NAME);
		return axt_about_part(e, AXT_BAD_NAME, typed, strcspn(typed, ","), "axis");
	}
	rc = check(name, taken, "axis", e);
	if (!rc && (**s == '*' || **s == '^'))
		rc = stars(s, name, &out->level, e);
	if (rc)
		return rc;
	out->name = axt_strdup(m, name);
	if (!out->name)
		return axt_axes_nomem(e);
	/* a name with an escaped star is read as names in files are, where "M*" has a level */
	if (any && !out->level && axt_axis_from_file(m, name, out))
		return axt_axes_nomem(e);
	return AXT_OK;
}

/* Reads a length as the user typed it: 1000 or 1e3. */
static bool
is_length(const char *word, int64_t *len)
{
	struct axt_num n;

	if (axt_parse_int(word, 0, INT64_MAX, len))
		return true;
	if (!strpbrk(word, "eE") || !axt_parse_num(word, &n) || !(n.f >= 0 && n.f < 0x1p53) ||
	    n.f != (double)(int64_t)n.f)
		return false;
	*len = (int64_t)n.f;
	return true;
}

/* Reads "=LEN" at *s. */
static int
length(struct axt_arena *m, const char **s, bool with_len, struct axt_axis *a, struct axt_err *e)
{
	size_t n = strcspn(*s + 1, ",");
	const char *word = axt_strndup(m, *s + 1, n);

	if (!word)
		return axt_axes_nomem(e);
	*s += n + 1;
	if (!with_len)
		axt_fail(e, AXT_E_SYNTAX, "axis \"%s\" takes no length here (=%s)",
		    axt_axis_show(m, a), axt_show(m, word));
	else if (!is_length(word, &a->len))
		axt_fail(e, AXT_E_SYNTAX, "axis \"%s\": \"%s\" is no length", axt_axis_show(m, a),
		    axt_show(m, word));
	else
		return AXT_OK;
	return axt_about(e, AXT_BAD_WORD, axt_sprintf(m, "%s=%s", axt_axis_spell(m, a), word),
	    with_len ? "AXIS=LEN" : "AXIS");
}

int
axt_axes_add(struct axt_axes *x, const struct axt_axis *a, struct axt_err *e)
{
	if (x->n >= AXT_MAX_RANK)
		return axt_fail(e, AXT_E_LIMIT, "more than %d axes", AXT_MAX_RANK);
	x->a[x->n++] = *a;
	return AXT_OK;
}

/* Reads one item of a list: an axis, or "...". */
static int
item(struct axt_arena *m, const char **s, bool with_len, struct axt_axes *x, int *rest,
    struct axt_err *e)
{
	struct axt_axis a;
	int rc;

	if (rest && !strncmp(*s, "...", 3) && (!(*s)[3] || (*s)[3] == ',')) {
		if (*rest >= 0) {
			axt_fail(e, AXT_E_SYNTAX, "\"...\" stands twice");
			return axt_about(e, AXT_AXIS_TWICE, "...", NULL);
		}
		*rest = x->n;
		*s += 3;
		return AXT_OK;
	}
	rc = axt_axis_parse(m, s, &a, e);
	if (!rc && **s == '=')
		rc = length(m, s, with_len, &a, e);
	return rc ? rc : axt_axes_add(x, &a, e);
}

int
axt_axes_parse(struct axt_arena *m, const char *s, bool with_len, struct axt_axes *out, int *rest,
    struct axt_err *e)
{
	struct axt_err own = { 0 };
	const char *p = s;

	out->n = 0;
	if (rest)
		*rest = -1;
	while (*s) {
		if (item(m, &p, with_len, out, rest, &own))
			break;
		if (!*p)
			return axt_axes_check_unique(m, out, e);
		p++;
	}
	return axt_err_copy(e, &own);
}

int
axt_axes_check_unique(struct axt_arena *m, const struct axt_axes *x, struct axt_err *e)
{
	int i, j;

	for (i = 1; i < x->n; i++) {
		for (j = 0; j < i && !axt_axis_same(&x->a[i], &x->a[j]); j++)
			continue;
		if (j < i)
			break;
	}
	if (i >= x->n)
		return AXT_OK;
	axt_fail(e, AXT_E_AXES, "axis \"%s\" stands twice%s (%s)", axt_axis_show(m, &x->a[i]),
	    axt_axes_in(m, x), axt_axes_names(m, x));
	return axt_about(e, AXT_AXIS_TWICE, axt_axis_spell(m, &x->a[i]), axt_axes_from(x));
}

const char *
axt_axes_typed(struct axt_arena *m, const struct axt_axes *x, const int *which, int n)
{
	struct axt_buf b = { 0 };

	for (int i = 0; i < n; i++) {
		const struct axt_axis *a = &x->a[which[i]];

		axt_buf_adds(&b, i ? "," : "");
		for (const char *p = a->name; *p; p++)
			axt_buf_addf(&b, strchr("/,=:*^@[]\\", *p) ? "\\%c" : "%c", *p);
		if (a->level)
			axt_buf_addf(&b, "*%d", a->level);
	}
	return axt_buf_text(m, &b);
}
