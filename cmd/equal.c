#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

static struct axt_equal_opts o;

static const struct cmd_opt opts[] = {
	CMD_NUM(0, "rtol", &o.rtol, "R", "equal when |a - b| <= A + R |b| (default 0)"),
	CMD_NUM(0, "atol", &o.atol, "A", "see --rtol (default 0)"),
	CMD_INT(0, "ulp", &o.ulp, 0, INT64_MAX, "N",
	    "equal when at most N floating-point numbers apart"),
	CMD_FLAG(0, "nan-differ", &o.nan_differ, "NaN differs from NaN"),
	CMD_FLAG(0, "strict-order", &o.strict_order, "the axes stand in one order, too"),
	CMD_FLAG(0, "attributes", &o.attributes,
	    "attributes are equal, too, also of files and groups"),
	CMD_END,
};

static const struct cmd equal = {
	.name = "axt-equal",
	.line = "compare two tensors or files: status 0 equal, 1 different, 2 failed",
	.opts = opts,
	.in = { "A", "B" },
	.flags = CMD_READS | CMD_RUNS | CMD_COMMUTES,
	.fail = 2,
};

static FILE *
out(struct axt_graph *g)
{
	return cmd_quiet(g) ? NULL : stdout;
}

/* The names of all tensors in a file. NULL: the operand is no file, or names one tensor. */
static const char *const *
tensors(struct axt_graph *g, const char *operand)
{
	if (axt_is_number(operand) ||
	    (access(operand, F_OK) != 0 &&
		(errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP ||
		    errno == EACCES)))
		return NULL;
	return axt_tensors(g, operand);
}

static bool
has(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static int
missing(struct axt_graph *g, const char *const *have, const char *const *want, const char *file)
{
	int differ = 0;

	for (; *want; want++)
		if (!has(have, *want)) {
			differ = 1;
			if (out(g))
				fprintf(out(g), "%s: only in %s\n", cmd_name(*want),
				    cmd_name(file));
		}
	return differ;
}

static struct axt_expr *
open_one(struct axt_graph *g, const char *file, const char *name)
{
	char operand[8192];

	if (snprintf(operand, sizeof(operand), "%s:%s", file, name) >= (int)sizeof(operand))
		return axt_graph_fail(g, AXT_E_LIMIT, "a name is too long");
	return cmd_open(g, operand, false);
}

/* Compares all tensors of two files by name. Returns 0 (equal), 1 or -1 (an error). */
static int
files(struct axt_graph *g, const char *const *a, const char *const *b)
{
	const char *fa = cmd_operand(g, 0), *fb = cmd_operand(g, 1);
	int differ = missing(g, b, a, fa) | missing(g, a, b, fb), r;

	for (; *a; a++) {
		if (!has(b, *a))
			continue;
		o.what = *a;
		r = axt_equal(g, open_one(g, fa, *a), open_one(g, fb, *a), &o, out(g));
		if (r < 0)
			return r;
		differ |= r;
	}
	return differ;
}

/*
 * axt-equal: two files with several tensors are compared by the names of these; anything else as
 * two tensors.
 */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&equal, argc, argv);
	const char *const *a = tensors(g, cmd_operand(g, 0)),
			  *const *b = tensors(g, cmd_operand(g, 1));
	bool whole = !cmd_has_dataset(g) && a && b;
	bool several = whole && a[0] && b[0] && (a[1] || b[1]);
	int differ = several ? files(g, a, b)
			     : axt_equal(g, cmd_in(g, 0), cmd_in(g, 1), &o, out(g));

	if (whole && o.attributes && differ >= 0)
		differ |= axt_equal_groups(g, cmd_operand(g, 0), cmd_operand(g, 1), out(g));
	return cmd_finish(g, differ != 0);
}
