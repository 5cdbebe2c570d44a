#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
	CMD_FLAG(0, "strict-order", &o.strict_order, "the order of axes must be the same, too"),
	CMD_FLAG(0, "attributes", &o.attributes,
	    "attributes must be equal, too, also of files and groups"),
	CMD_END,
};

static const struct cmd equal = {
	.name = "axt-equal",
	.line = "compare tensors or files: status 0 equal, 1 different, 2 failed",
	.opts = opts,
	.in = { "A", "B" },
	.flags = CMD_READS | CMD_RUNS | CMD_COMMUTES | CMD_NARY,
	.fail = 2,
};

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
missing(FILE *out, const char *const *have, const char *const *want, const char *file)
{
	int differ = 0;

	for (; *want; want++)
		if (!has(have, *want)) {
			differ = 1;
			if (out)
				fprintf(out, "%s: only in %s\n", cmd_name(*want), cmd_name(file));
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
files(struct axt_graph *g, const char *fa, const char *fb, FILE *out)
{
	const char *const *a = tensors(g, fa), *const *b = tensors(g, fb);
	int differ = missing(out, b, a, fa) | missing(out, a, b, fb), r, n = 0, k = 0;

	while (a[n])
		n++;
	for (; *a; a++, k++) {
		if (!has(b, *a))
			continue;
		if (cmd_nin(g) == 2)
			cmd_progress_part(k, n);
		o.what = *a;
		r = axt_equal(g, open_one(g, fa, *a), open_one(g, fb, *a), &o, out);
		if (r < 0)
			return r;
		differ |= r;
	}
	o.what = NULL;
	return differ;
}

/*
 * Compares the first operand with operand i: two files with several tensors by the names of these;
 * anything else as two tensors.
 */
static int
pair(struct axt_graph *g, int i, FILE *out)
{
	const char *fa = cmd_operand(g, 0), *fb = cmd_operand(g, i);
	const char *const *a = tensors(g, fa), *const *b = tensors(g, fb);
	bool whole = !cmd_has_dataset(g) && a && b;
	bool several = whole && a[0] && b[0] && (a[1] || b[1]);
	bool texts = !whole && axt_is_text(g, fa) && axt_is_text(g, fb);
	struct axt_expr *x = several || texts ? NULL : cmd_in(g, 0);
	struct axt_expr *y = several || texts ? NULL : cmd_in(g, i);
	int differ = texts ? 0 : several ? files(g, fa, fb, out) : axt_equal(g, x, y, &o, out);

	if ((whole || texts) && differ >= 0)
		differ |= axt_equal_texts(g, fa, fb, &o, out);
	if (whole && o.attributes && differ >= 0)
		differ |= axt_equal_groups(g, fa, fb, out);
	return differ;
}

/* The same with the name of operand i in front of each line. */
static int
named_pair(struct axt_graph *g, int i)
{
	char *text = NULL, *save = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	int differ;

	if (!f)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory"), -1;
	differ = pair(g, i, f);
	fclose(f);
	for (char *s = strtok_r(text, "\n", &save); s; s = strtok_r(NULL, "\n", &save))
		printf("%s: %s\n", cmd_name(cmd_operand(g, i)), s);
	free(text);
	return differ;
}

/* axt-equal: compares each operand with the first. */
int
main(int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(&equal, argc, argv);
	int differ = 0, n = cmd_nin(g);

	cmd_progress_beside_text(g);
	for (int i = 1; i < n && !axt_graph_error(g); i++) {
		cmd_progress_part(i - 1, n - 1);
		differ |= n > 2 && !cmd_quiet(g) ? named_pair(g, i)
						 : pair(g, i, cmd_quiet(g) ? NULL : stdout);
	}
	cmd_progress_end();
	return cmd_finish(g, differ != 0);
}
