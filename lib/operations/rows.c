/* rows.c - all operations, by number and by name. */
#include <string.h>

#include "axt_operation.h"
#include "base/base.h"

/*
 * list.inc, which the build makes, has OPERATION(NAME) for each operation that a file of this room
 * declares, TABLE(NAME) for each table of several operations, and CHOOSER(NAME) for each chooser.
 */
#define OPERATION(name) extern const struct axt_operation axt_operation_##name;
#define TABLE(name) extern const struct axt_operation axt_operations_##name[];
#define CHOOSER(name) extern const struct axt_chooser axt_chooser_##name;
#include "list.inc"
#undef OPERATION
#undef TABLE
#undef CHOOSER
/* A single operation, or the first of a table, whose last row has no name. */
static const struct part {
	const struct axt_operation *op;
	bool table;
} parts[] = {
#define OPERATION(name) { &axt_operation_##name, false },
#define TABLE(name) { axt_operations_##name, true },
#define CHOOSER(name)
#include "list.inc"
#undef OPERATION
#undef TABLE
#undef CHOOSER
};
static const struct axt_chooser *const choosers[] = {
#define OPERATION(name)
#define TABLE(name)
#define CHOOSER(name) &axt_chooser_##name,
#include "list.inc"
#undef OPERATION
#undef TABLE
#undef CHOOSER
};

/* The operation behind that one, which is in *p, or the first of all; NULL: there is none. */
static const struct axt_operation *
next_row(const struct part **p, const struct axt_operation *op)
{
	if (op && (*p)->table && op[1].name)
		op++;
	else if ((*p = op ? *p + 1 : parts) < parts + ARRAY_LEN(parts))
		op = (*p)->op;
	else
		return NULL;
	return *op->name ? op : next_row(p, op);
}

const struct axt_operation *
axt_operation_row(int i)
{
	const struct part *p = NULL;
	const struct axt_operation *op = NULL;

	while (i >= 0 && (op = next_row(&p, op)) && i-- > 0)
		continue;
	return i < 0 ? op : NULL;
}

/* Whether the n characters at `typed` are the name, in which a dash is an underscore. */
static bool
is_name(const char *name, const char *typed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[i] != typed[i] && !(name[i] == '_' && typed[i] == '-'))
			return false;
	return name[n] == '\0';
}

/* Whether the operation, or its alias, which is put into *alias, has that name. */
static bool
is_called(const struct axt_operation *op, const char *name, size_t n,
    const struct axt_alias **alias)
{
	*alias = NULL;
	if (is_name(op->name, name, n))
		return true;
	for (const struct axt_alias *a = op->aliases; a && a->name; a++)
		if (is_name(a->name, name, n)) {
			*alias = a;
			return true;
		}
	return false;
}

const struct axt_operation *
axt_operation_named(const char *name, const struct axt_alias **alias)
{
	size_t n = strlen(name);
	const struct part *p = NULL;
	const struct axt_operation *op = NULL;

	while ((op = next_row(&p, op)) && !is_called(op, name, n, alias))
		continue;
	return op;
}

const struct axt_chooser *
axt_operation_chooser(const struct axt_operation *op)
{
	for (int i = 0; i < ARRAY_LEN(choosers); i++)
		for (const struct axt_operation *row = choosers[i]->table; row->name; row++)
			if (row == op && *op->name &&
			    strcmp(op->operands, choosers[i]->all.operands) == 0)
				return choosers[i];
	return NULL;
}

const struct axt_chooser *
axt_chooser_named(const char *name)
{
	for (int i = 0; i < ARRAY_LEN(choosers); i++)
		if (is_name(choosers[i]->all.name, name, strlen(name)))
			return choosers[i];
	return NULL;
}

size_t
axt_chooser_word(const struct axt_chooser *chooser, const struct axt_operation *op)
{
	return strlen(op->name) - (chooser->affix ? strlen(chooser->affix) : 0);
}

int
axt_operation_operands(const struct axt_operation *op, int *most)
{
	int n = *op->operands != '\0', maybe = 0;

	for (const char *s = op->operands; *s; s++) {
		n += *s == ' ';
		maybe += *s == '[';
	}
	if (most)
		*most = n;
	return n - maybe;
}

int
axt_param_named(const struct axt_operation *op, const char *name, size_t n)
{
	for (int i = 0; op->params[i].name; i++)
		if (is_name(op->params[i].name, name, n) ||
		    (op->params[i].was && is_name(op->params[i].was, name, n)))
			return i;
	return -1;
}

const char *
axt_operation_results(const struct axt_operation *op, uint64_t given)
{
	int i = op->where ? axt_param_named(op, op->where, strlen(op->where)) : -1;

	return i >= 0 && (given >> i & 1) ? op->other_results : op->results;
}

int
axt_word_index(const char *results, const char *name, size_t n)
{
	for (int i = 0; results && *results; i++) {
		size_t len = strcspn(results, " ");

		if (len == n && strncmp(results, name, n) == 0)
			return i;
		results += len + (results[len] == ' ');
	}
	return -1;
}
