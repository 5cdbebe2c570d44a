/* json.c - all operations as JSON, from which other programs make bindings and documents. */
#include <math.h>

#include "axt_operation.h"
#include "base/base.h"
#include "show/show.h"

static void
member(struct axt_buf *b, const char *name, const char *value)
{
	axt_buf_addf(b, ", \"%s\": ", name);
	axt_json_string(b, value);
}

/* Words with a separator between them as an array. */
static void
array(struct axt_buf *b, const char *name, const char *words, const char *between)
{
	char word[80];

	axt_buf_addf(b, ", \"%s\": [", name);
	for (const char *s = words; s && *s; s += strspn(s, between)) {
		size_t n = strcspn(s, between);

		snprintf(word, sizeof(word), "%.*s", (int)n, s);
		axt_buf_addf(b, s > words ? ", " : "");
		axt_json_string(b, word);
		s += n;
	}
	axt_buf_addf(b, "]");
}

/* The value where none is given; null: there is none, or the operation decides. */
static void
default_value(struct axt_buf *b, const struct axt_param *p)
{
	char word[40];

	axt_buf_addf(b, ", \"default\": ");
	if (p->flags & AXT_PARAM_REQUIRED) {
		axt_buf_addf(b, "null");
	} else if (p->type == AXT_PARAM_FLAG) {
		axt_buf_addf(b, "false");
	} else if (p->type == AXT_PARAM_CHOICE) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(p->words, "|"), p->words);
		axt_json_string(b, word);
	} else if (p->type == AXT_PARAM_INTEGER && p->value >= p->lo && p->value <= p->hi) {
		axt_buf_addf(b, "%lld", (long long)p->value);
	} else if (p->type == AXT_PARAM_NUMBER && isfinite(p->number)) {
		axt_buf_addf(b, "%.17g", p->number);
	} else if (p->type == AXT_PARAM_VALUE && p->text) {
		axt_buf_addf(b, "%s", p->text);
	} else if (p->text) {
		axt_json_string(b, p->text);
	} else {
		axt_buf_addf(b, "null");
	}
}

static void
bounds(struct axt_buf *b, const struct axt_param *p)
{
	bool integer = p->type == AXT_PARAM_INTEGER;

	if ((integer || p->type == AXT_PARAM_NUMBER) && p->lo != INT64_MIN)
		axt_buf_addf(b, ", \"min\": %lld", (long long)p->lo);
	if (integer ? p->hi != INT64_MAX : p->type == AXT_PARAM_NUMBER && p->hi != 0)
		axt_buf_addf(b, ", \"max\": %lld", (long long)p->hi);
}

static void
parameter(struct axt_buf *b, const struct axt_param *p)
{
	static const char *const types[] = { "tensor", "axes", "flag", "choice", "integer",
		"number", "dtype", "text", "specs", "value", "numbers", "labels" };
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = {
		{ AXT_PARAM_REQUIRED, "required" },
		{ AXT_PARAM_WORD, "word" },
		{ AXT_PARAM_BARE, "bare" },
		{ AXT_PARAM_INSTEAD, "instead" },
		{ AXT_PARAM_ONE, "one" },
		{ AXT_PARAM_NEW, "new" },
		{ AXT_PARAM_LENGTHS, "lengths" },
		{ AXT_PARAM_AREA, "area" },
		{ AXT_PARAM_RESULT, "result" },
		{ AXT_PARAM_OPERANDS, "operands" },
		{ AXT_PARAM_GROUPS, "groups" },
		{ AXT_PARAM_FILES, "files" },
		{ AXT_PARAM_INDEX, "index" },
		{ AXT_PARAM_TWICE, "twice" },
	};

	axt_buf_addf(b, "{\"name\": \"%s\", \"type\": \"%s\"", p->name, types[p->type]);
	for (int i = 0; i < ARRAY_LEN(flags); i++)
		if (p->flags & flags[i].flag)
			axt_buf_addf(b, ", \"%s\": true", flags[i].name);
	if (axt_param_value(p))
		member(b, "value", axt_param_value(p));
	default_value(b, p);
	bounds(b, p);
	if (p->words)
		array(b, "choices", p->words, "|");
	if (p->excludes)
		array(b, "excludes", p->excludes, " ");
	if (p->needs)
		array(b, "needs", p->needs, " ");
	if (p->of)
		member(b, "of", p->of);
	member(b, "help", p->help);
	axt_buf_addf(b, "}");
}

/* The words of its command: axt-matrix-norm, or axt-map sqrt. */
static void
command(struct axt_buf *b, const struct axt_operation *op)
{
	const struct axt_chooser *all = axt_operation_chooser(op);

	axt_buf_addf(b, ", \"command\": [\"axt-");
	for (const char *s = all ? all->all.name : op->name; *s; s++)
		axt_buf_addf(b, "%c", *s == '_' ? '-' : *s);
	if (all)
		axt_buf_addf(b, "\", \"%.*s", (int)axt_chooser_word(all, op), op->name);
	axt_buf_addf(b, "\"]");
}

static void
operation(struct axt_buf *b, const struct axt_operation *op)
{
	axt_buf_addf(b, "{\"name\": \"%s\"", op->name);
	command(b, op);
	member(b, "help", op->line);
	array(b, "operands", op->operands, " ");
	if (op->typed)
		array(b, "typed", op->typed, " ");
	if (op->colon)
		array(b, axt_operation_chooser(op) ? "colon" : "placed", op->colon, " ");
	if (op->flags & AXT_OPERATION_MANY)
		axt_buf_addf(b, ", \"many\": true");
	if (op->results)
		array(b, "results", op->results, " ");
	if (op->where) {
		member(b, "where", op->where);
		array(b, "other_results", op->other_results, " ");
	}
	axt_buf_addf(b, ", \"parameters\": [");
	for (const struct axt_param *p = op->params; p->name; p++) {
		axt_buf_addf(b, p > op->params ? ",\n  " : "\n  ");
		parameter(b, p);
	}
	axt_buf_addf(b, "], \"aliases\": [");
	for (const struct axt_alias *a = op->aliases; a && a->name; a++) {
		axt_buf_addf(b, "%s{\"name\": \"%s\"", a > op->aliases ? ", " : "", a->name);
		member(b, "help", a->line);
		array(b, "set", a->preset, " ");
		if (a->second)
			member(b, "second", a->second);
		if (a->result)
			member(b, "result", a->result);
		axt_buf_addf(b, "}");
	}
	axt_buf_addf(b, "]}");
}

bool
axt_operations_json(FILE *out)
{
	const struct axt_operation *op;
	struct axt_buf b = { 0 };
	bool ok;

	for (int i = 0; (op = axt_operation_row(i)); i++) {
		axt_buf_addf(&b, i ? ",\n" : "[");
		operation(&b, op);
	}
	axt_buf_addf(&b, "]");
	ok = !b.bad;
	if (ok)
		fwrite(b.p, 1, b.n, out);
	axt_buf_release(&b);
	return ok;
}
