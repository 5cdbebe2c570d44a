/* arguments.c - words as values of parameters, by their rows, and which go together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"
#include "base/base.h"

static bool
read_integer(const struct axt_param *p, const char *word, int64_t *to, struct axt_misuse *wrong)
{
	if (axt_parse_int(word, p->lo, p->hi, to))
		return true;
	if (p->hi == INT64_MAX)
		snprintf(wrong->want, sizeof(wrong->want), "a whole number from %lld",
		    (long long)p->lo);
	else
		snprintf(wrong->want, sizeof(wrong->want), "a whole number from %lld to %lld",
		    (long long)p->lo, (long long)p->hi);
	return false;
}

static bool
read_number(const struct axt_param *p, const char *word, double *to, struct axt_misuse *wrong)
{
	bool ends = p->hi != 0;

	/* NaN is refused as well */
	if (axt_parse_ratio(word, to) && *to == *to &&
	    (p->lo == INT64_MIN || *to >= (double)p->lo) && (!ends || *to <= (double)p->hi))
		return true;
	if (p->lo == INT64_MIN)
		snprintf(wrong->want, sizeof(wrong->want), "a number");
	else if (ends)
		snprintf(wrong->want, sizeof(wrong->want), "a number from %lld to %lld",
		    (long long)p->lo, (long long)p->hi);
	else
		snprintf(wrong->want, sizeof(wrong->want), "a number from %lld", (long long)p->lo);
	return false;
}

static bool
read_numbers(const struct axt_param *p, const char *word, const char **to, struct axt_misuse *wrong)
{
	int64_t v, n = 0;
	char one[32];

	*to = word;
	for (const char *s = word; p->lo > 0; s++) {
		size_t len = strcspn(s, ",");

		snprintf(one, sizeof(one), "%.*s", (int)(len < 31 ? len : 31), s);
		if (++n > p->hi || len > 30 || !axt_parse_int(one, p->lo, INT32_MAX, &v)) {
			snprintf(wrong->want, sizeof(wrong->want),
			    "up to %lld whole numbers from %lld", (long long)p->hi,
			    (long long)p->lo);
			return false;
		}
		s += len;
		if (!*s)
			break;
	}
	return true;
}

static bool
read_choice(const char *words, const char *word, int *to, struct axt_misuse *wrong)
{
	int i = axt_choice(words, word);

	if (i >= 0)
		*to = i;
	else
		snprintf(wrong->want, sizeof(wrong->want), "%s", words);
	return i >= 0;
}

static bool
read_flag(const char *word, bool *to, struct axt_misuse *wrong)
{
	int i = 0;

	if (!read_choice("false|true", word, &i, wrong)) {
		snprintf(wrong->want, sizeof(wrong->want), "true or false");
		return false;
	}
	*to = i;
	return true;
}

static bool
read_dtype(const struct axt_param *p, const char *word, enum axt_dtype *to,
    struct axt_misuse *wrong)
{
	int i = p->words ? axt_choice(p->words, word) : -1;

	if (i >= 0) {
		*(int *)to = AXT_NDTYPES + i;
		return true;
	}
	*to = axt_dtype_of_name(word);
	snprintf(wrong->want, sizeof(wrong->want), "a dtype such as f32");
	return *to != AXT_DTYPE_AUTO;
}

/* Whether it is a list of numbers, as NumPy has positions and lengths. */
static bool
is_numbers(const char *word)
{
	return *word && strspn(word, "0123456789,-") == strlen(word);
}

bool
axt_param_read(const struct axt_operation *op, int i, const char *word, void *values,
    uint64_t *given, struct axt_misuse *wrong)
{
	const struct axt_param *p = &op->params[i];
	void *to = (char *)values + p->at;
	bool ok = true;

	*wrong = (struct axt_misuse){ .param = p, .word = word };
	switch (p->type) {
	case AXT_PARAM_FLAG: ok = read_flag(word, to, wrong); break;
	case AXT_PARAM_CHOICE: ok = read_choice(p->words, word, to, wrong); break;
	case AXT_PARAM_INTEGER: ok = read_integer(p, word, to, wrong); break;
	case AXT_PARAM_NUMBER: ok = read_number(p, word, to, wrong); break;
	case AXT_PARAM_DTYPE: ok = read_dtype(p, word, to, wrong); break;
	case AXT_PARAM_TENSOR:
	case AXT_PARAM_VALUE:
	case AXT_PARAM_SPECS:
		ok = false;
		snprintf(wrong->want, sizeof(wrong->want), "a tensor");
		break;
	case AXT_PARAM_NUMBERS: ok = read_numbers(p, word, to, wrong); break;
	case AXT_PARAM_LABELS:
		*(struct axt_label_list *)to = (struct axt_label_list){ word, NULL };
		break;
	default: *(const char **)to = word;
	}
	wrong->kind = ok ? AXT_MISUSE_NONE : AXT_MISUSE_VALUE;
	if ((p->flags & AXT_PARAM_NEW) && axt_param_named(op, "dtype", 5) >= 0 &&
	    axt_dtype_of_name(word) != AXT_DTYPE_AUTO) {
		wrong->kind = AXT_MISUSE_NUMBER;
		snprintf(wrong->want, sizeof(wrong->want), " is a dtype, and %s has names of axes",
		    p->name);
		ok = false;
	}
	if ((p->flags & AXT_PARAM_NEW) && is_numbers(word)) {
		wrong->kind = AXT_MISUSE_NUMBER;
		snprintf(wrong->want, sizeof(wrong->want),
		    p->flags & AXT_PARAM_LENGTHS ? ": the new axes have names, %s"
						 : " is a position, and the new axis has a name",
		    axt_param_value(p));
		ok = false;
	}
	if (p->type == AXT_PARAM_FLAG && ok && !*(bool *)to) {
		*given &= ~(UINT64_C(1) << i);
		if (p->opposite)
			return axt_param_read(op,
			    axt_param_named(op, p->opposite, strlen(p->opposite)), "true", values,
			    given, wrong);
	} else if (ok) {
		*given |= UINT64_C(1) << i;
	}
	return ok;
}

/* The value of a preset, "real=true inverse=true". */
static void
preset(const struct axt_operation *op, const char *s, void *values, uint64_t *given)
{
	struct axt_misuse wrong;
	char word[40];

	for (; s && *s; s += strspn(s, " ")) {
		size_t name = strcspn(s, "="), n = strcspn(s + name + 1, " ");

		snprintf(word, sizeof(word), "%.*s", (int)n, s + name + 1);
		axt_param_read(op, axt_param_named(op, s, name), word, values, given, &wrong);
		s += name + 1 + n;
	}
}

void
axt_call_defaults(const struct axt_operation *op, const struct axt_alias *alias, void *values,
    uint64_t *given)
{
	memset(values, 0, op->size);
	*given = 0;
	for (const struct axt_param *p = op->params; p->name; p++) {
		void *to = (char *)values + p->at;

		if (p->type == AXT_PARAM_INTEGER)
			*(int64_t *)to = p->value;
		else if (p->type == AXT_PARAM_NUMBER)
			*(double *)to = p->number;
		else if (p->type == AXT_PARAM_TEXT || p->type == AXT_PARAM_AXES)
			*(const char **)to = p->text;
	}
	if (alias)
		preset(op, alias->preset, values, given);
}

/* Whether the choice p has the word of n characters; *want: that word, and another that p has. */
static bool
is_chosen(const struct axt_param *p, const void *values, const char *word, size_t n, char *want,
    size_t size)
{
	int k = *(const int *)((const char *)values + p->at);
	const char *have = p->words;

	for (; k > 0; k--)
		have += strcspn(have, "|") + 1;
	if (strcspn(have, "|") == n && strncmp(have, word, n) == 0) {
		snprintf(want, size, "%.*s", (int)n, word);
		return true;
	}
	snprintf(want, size, "%.*s, not %.*s", (int)n, word, (int)strcspn(have, "|"), have);
	return false;
}

/*
 * Finds the first of the parameters in `names`, with blanks between them, that is given (`is`) or
 * not given (!is), and returns whether there is one. "mode=edge" counts as given if mode has that
 * value, even by default.
 */
static bool
find(const struct axt_operation *op, const char *names, const void *values, uint64_t given, bool is,
    struct axt_misuse *wrong)
{
	for (const char *s = names; s && *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " "), name = strcspn(s, "= ");
		int i = axt_param_named(op, s, name);
		bool has = i >= 0 && (given >> i & 1);

		wrong->want[0] = '\0';
		if (i >= 0 && name < n)
			has = is_chosen(&op->params[i], values, s + name + 1, n - name - 1,
			    wrong->want, sizeof(wrong->want));
		wrong->other = i >= 0 ? &op->params[i] : NULL;
		if (i >= 0 && has == is)
			return true;
		s += n;
	}
	return false;
}

int
axt_param_again(const struct axt_operation *op, int i, uint64_t given)
{
	const struct axt_param *p = &op->params[i];

	if (!p->as || (given >> i & 1) || !(given >> axt_param_named(op, p->of, strlen(p->of)) & 1))
		return -1;
	return axt_param_named(op, p->as, strlen(p->as));
}

size_t
axt_spec_axis(const char *spec)
{
	size_t n = 0;

	while (spec[n] && spec[n] != '=' && spec[n] != '@')
		n += spec[n] == '\\' && spec[n + 1] ? 2 : 1;
	return n;
}

/* Whether it is a list of numbers, of which a second one is no part. */
static bool
lists_numbers(const char *values)
{
	return values[0] && values[1 + strspn(values + 1, "0123456789.,+-")] == '\0';
}

/*
 * Whether two of the specs have the same axis, so that the second would apply to what the first
 * made of it. parts: the specs select parts, where that is allowed unless both are lists of
 * numbers.
 */
static bool
stands_twice(const struct axt_specs *s, bool parts, struct axt_misuse *wrong)
{
	for (int i = 1; i < s->n; i++)
		for (int k = 0; k < i; k++) {
			size_t n = axt_spec_axis(s->word[i]);

			if (n == 0 || n != axt_spec_axis(s->word[k]) ||
			    strncmp(s->word[i], s->word[k], n) != 0)
				continue;
			if (parts &&
			    !(lists_numbers(s->word[i] + n) && lists_numbers(s->word[k] + n) &&
				s->word[i][n] == s->word[k][n] &&
				strcmp(s->word[i], s->word[k]) != 0))
				continue;
			wrong->word = s->word[k];
			wrong->again = s->word[i];
			return true;
		}
	return false;
}

/* The specs of an operation that has some. */
static const struct axt_specs *
specs_of(const struct axt_operation *op, const void *values)
{
	const char *at = values;

	return (const void *)(at + op->params[axt_param_named(op, "specs", 5)].at);
}

bool
axt_call_check(const struct axt_operation *op, const void *values, uint64_t given,
    struct axt_misuse *wrong)
{
	bool instead = false;

	*wrong = (struct axt_misuse){ .kind = AXT_MISUSE_NONE };
	for (int i = 0; op->params[i].name; i++)
		instead = instead ||
		    ((op->params[i].flags & AXT_PARAM_INSTEAD) && (given >> i & 1));
	for (int i = 0; op->params[i].name && !wrong->kind; i++) {
		const struct axt_param *p = &op->params[i];
		bool is = given >> i & 1;

		wrong->param = p;
		if (!is && (p->flags & AXT_PARAM_REQUIRED) &&
		    !((p->flags & AXT_PARAM_WORD) && instead))
			wrong->kind = AXT_MISUSE_MISSING;
		else if (is && find(op, p->excludes, values, given, true, wrong))
			wrong->kind = AXT_MISUSE_EXCLUDED;
		else if (is && find(op, p->needs, values, given, false, wrong))
			wrong->kind = wrong->want[0] ? AXT_MISUSE_WORD : AXT_MISUSE_ALONE;
		else if (is && p->type == AXT_PARAM_TENSOR && (p->flags & AXT_PARAM_ONE) &&
		    specs_of(op, values)->n > 1)
			wrong->kind = AXT_MISUSE_MANY;
		else if (p->type == AXT_PARAM_SPECS && (p->flags & AXT_PARAM_ONE) &&
		    specs_of(op, values)->n > 1)
			wrong->kind = AXT_MISUSE_MANY;
		else if (p->type == AXT_PARAM_SPECS &&
		    stands_twice(specs_of(op, values), p->flags & AXT_PARAM_TWICE, wrong))
			wrong->kind = AXT_MISUSE_TWICE;
	}
	return !wrong->kind;
}

/* The name of a parameter as an option, --max-gap, or as expressions have it, max_gap=. */
static const char *
spelled(const struct axt_param *p, bool option, char *text, size_t size)
{
	snprintf(text, size, option ? "--%s" : "%s=", p->name);
	for (char *s = text; option && (s = strchr(s, '_'));)
		*s = '-';
	return text;
}

bool
axt_param_is_names(const struct axt_param *p)
{
	return p->type == AXT_PARAM_SPECS && !strpbrk(p->arg, "=@");
}

bool
axt_param_is_plain(const struct axt_param *p)
{
	return (p->flags & AXT_PARAM_PLAIN) == AXT_PARAM_PLAIN;
}

/* What is missing, as it is typed: "--along AXIS", "along=AXIS", or words, which have no name. */
static void
missing_text(const struct axt_misuse *m, const char *name, char *text, size_t size)
{
	const struct axt_param *p = m->param;
	char key[80];

	if (!name)
		snprintf(text, size, "needs %s %s", spelled(p, true, key, sizeof(key)),
		    axt_param_value(p));
	else if (axt_param_is_plain(p))
		snprintf(text, size, "%s needs %s", name,
		    p->type == AXT_PARAM_AXES && !p->arg ? "axes" : axt_param_value(p));
	else
		snprintf(text, size, "%s needs %s%s", name, spelled(p, false, key, sizeof(key)),
		    axt_param_value(p));
}

/* Two parameters that do not go together. */
static void
excluded_text(const struct axt_misuse *m, bool option, char *text, size_t size)
{
	char key[80], other[80];

	spelled(m->param, option, key, sizeof(key));
	spelled(m->other, option, other, sizeof(other));
	if (m->want[0] && (m->other->flags & AXT_PARAM_WORD))
		snprintf(text, size, "%s takes no %s", m->want, key);
	else if (m->want[0])
		snprintf(text, size, "%s%s%s takes no %s", other, option ? " " : "", m->want, key);
	else if ((m->other->flags & AXT_PARAM_WORD) && option)
		snprintf(text, size, "with %s the only operand is the tensor", key);
	else if (m->other->flags & AXT_PARAM_WORD)
		snprintf(text, size, "%s takes no %s", key, m->other->arg ? m->other->arg : "axes");
	else
		snprintf(text, size, "%s and %s exclude each other", key, other);
}

const char *
axt_misuse_text(const struct axt_misuse *m, const char *name, char *text, size_t size)
{
	bool option = !name, word = m->other && (m->other->flags & AXT_PARAM_WORD);
	char key[80], other[80] = "";

	spelled(m->param, option, key, sizeof(key));
	if (m->other && !(m->want[0] && word))
		spelled(m->other, option, other, sizeof(other));
	switch (m->kind) {
	case AXT_MISUSE_VALUE:
		if (m->param->type == AXT_PARAM_DTYPE && m->word)
			snprintf(text, size, "unknown dtype \"%s\"", m->word);
		else
			snprintf(text, size, "%s takes %s, not \"%s\"", key, m->want, m->word);
		break;
	case AXT_MISUSE_NUMBER: snprintf(text, size, "\"%s\"%s", m->word, m->want); break;
	case AXT_MISUSE_MISSING: missing_text(m, name, text, size); break;
	case AXT_MISUSE_EXCLUDED: excluded_text(m, option, text, size); break;
	case AXT_MISUSE_MANY:
		if (m->param->type == AXT_PARAM_SPECS)
			snprintf(text, size, "one %s is taken, and there are more",
			    axt_param_value(m->param));
		else
			snprintf(text, size, "%s is for one axis", key);
		break;
	case AXT_MISUSE_TWICE:
		snprintf(text, size, "%s\"%.*s\" is named twice: %s and %s",
		    strncmp(m->param->arg, "AXIS", 4) == 0 ? "axis " : "",
		    (int)axt_spec_axis(m->word), m->word, m->word, m->again);
		break;
	case AXT_MISUSE_BOTH:
		snprintf(text, size, "a tensor stands behind \"%s\", and \"%s\" as well", m->word,
		    m->again);
		break;
	default:
		snprintf(text, size, "%s goes with %s%s%s", key, other,
		    option && other[0] && m->want[0] ? " " : "", m->want);
	}
	return text;
}

void
axt_misuse_fact(const struct axt_misuse *m, const char *name, struct axt_fact *out)
{
	struct axt_err e = { .code = AXT_E_SYNTAX };
	const char *own = m->param ? m->param->name : NULL,
		   *other = m->other ? m->other->name : own;

	switch (m->kind) {
	case AXT_MISUSE_VALUE:
		axt_about(&e,
		    m->param->type == AXT_PARAM_DTYPE && m->word ? AXT_BAD_DTYPE : AXT_BAD_VALUE,
		    m->word, own);
		break;
	case AXT_MISUSE_NUMBER: axt_about(&e, AXT_BAD_NAME, m->word, "axis"); break;
	case AXT_MISUSE_MISSING: axt_about(&e, AXT_NEEDS_OPTION, own, name); break;
	case AXT_MISUSE_EXCLUDED: axt_about(&e, AXT_NOT_TOGETHER, own, other); break;
	case AXT_MISUSE_TWICE:
		axt_about_part(&e, AXT_AXIS_TWICE, m->word, axt_spec_axis(m->word), NULL);
		break;
	case AXT_MISUSE_MANY: axt_about(&e, AXT_TOO_MANY, NULL, own); break;
	case AXT_MISUSE_BOTH: axt_about(&e, AXT_TOO_MANY, m->again, m->word); break;
	default: axt_about(&e, AXT_NEEDS_OPTION, other, own);
	}
	*out = e.fact;
}

const char *
axt_param_value(const struct axt_param *p)
{
	if (p->arg)
		return p->arg;
	switch (p->type) {
	case AXT_PARAM_FLAG: return NULL;
	case AXT_PARAM_AXES: return p->flags & AXT_PARAM_ONE ? "AXIS" : "AXES";
	case AXT_PARAM_CHOICE: return p->words;
	case AXT_PARAM_INTEGER: return "N";
	case AXT_PARAM_NUMBER: return "X";
	case AXT_PARAM_DTYPE: return "TYPE";
	case AXT_PARAM_TENSOR: return "B";
	case AXT_PARAM_VALUE: return "V";
	case AXT_PARAM_NUMBERS: return "N,...";
	case AXT_PARAM_LABELS: return "A:B|LIST|B";
	default: return "TEXT";
	}
}

const char *
axt_param_help(const struct axt_param *p, char *text, size_t size)
{
	bool told = strstr(p->help, "(default") != NULL;

	if ((p->flags & AXT_PARAM_REQUIRED) && !(p->flags & AXT_PARAM_WORD) && !told)
		snprintf(text, size, "%s (required)", p->help);
	else if (p->type == AXT_PARAM_INTEGER && !told && p->value >= p->lo)
		snprintf(text, size, "%s (default %lld)", p->help, (long long)p->value);
	else if (p->type == AXT_PARAM_NUMBER && !isnan(p->number) && !told)
		snprintf(text, size, "%s (default %g)", p->help, p->number);
	else if (p->text && !told)
		snprintf(text, size, "%s (default %s)", p->help, p->text);
	else if (p->type == AXT_PARAM_CHOICE && !told)
		snprintf(text, size, "%s (default %.*s)", p->help, (int)strcspn(p->words, "|"),
		    p->words);
	else
		snprintf(text, size, "%s", p->help);
	return text;
}
