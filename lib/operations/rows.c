/* rows.c - all operations, by number and by name. */
#include <string.h>

#include "axt_operation.h"

/* list.inc has OPERATION(NAME) for each file of this room that declares one. */
#define OPERATION(name) extern const struct axt_operation axt_operation_##name;
#include "list.inc"
#undef OPERATION
#define OPERATION(name) &axt_operation_##name,
static const struct axt_operation *const rows[] = {
#include "list.inc"
	NULL,
};
#undef OPERATION

const struct axt_operation *
axt_operation_row(int i)
{
	return i >= 0 && (size_t)i < sizeof(rows) / sizeof(rows[0]) ? rows[i] : NULL;
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

const struct axt_operation *
axt_operation_named(const char *name, const struct axt_alias **alias)
{
	size_t n = strlen(name);

	*alias = NULL;
	for (int i = 0; rows[i]; i++) {
		if (is_name(rows[i]->name, name, n))
			return rows[i];
		for (const struct axt_alias *a = rows[i]->aliases; a && a->name; a++)
			if (is_name(a->name, name, n)) {
				*alias = a;
				return rows[i];
			}
	}
	return NULL;
}

int
axt_operation_operands(const struct axt_operation *op)
{
	int n = 1;

	for (const char *s = op->operands; *s; s++)
		n += *s == ' ';
	return n;
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
axt_result_named(const char *results, const char *name, size_t n)
{
	for (int i = 0; results && *results; i++) {
		size_t len = strcspn(results, " ");

		if (len == n && strncmp(results, name, n) == 0)
			return i;
		results += len + (results[len] == ' ');
	}
	return -1;
}
