#define _GNU_SOURCE
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

/* The tensors that an operand means which is a file or a group, by their paths in it. */
struct several {
	const char *word;
	const char *const *operands; /* NULL: the word is a file */
	const char *const *paths;
	int n, base; /* n -1: the operand is neither */
};

static struct several
several_of(struct axt_graph *g, const char *word)
{
	struct several s = { .word = word, .n = -1 };

	if (axt_is_number(word))
		return s;
	if (access(word, F_OK) != 0 &&
	    (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP ||
		errno == EACCES)) {
		s.n = axt_match(g, word, false, false, &s.operands, &s.paths, &s.base);
		s.n = s.n > 0 ? s.n : -1;
	} else if ((s.paths = axt_tensors(g, word))) {
		for (s.n = 0; s.paths[s.n]; s.n++)
			;
	}
	return s;
}

static const char *
path_of(const struct several *s, int i)
{
	const char *path = s->paths[i] + s->base;

	return path + (*path == '/');
}

static int
find(const struct several *s, const char *path)
{
	int i = 0;

	while (i < s->n && strcmp(path_of(s, i), path) != 0)
		i++;
	return i < s->n ? i : -1;
}

static int
missing(FILE *out, const struct several *have, const struct several *want)
{
	int differ = 0;

	for (int i = 0; i < want->n; i++)
		if (find(have, path_of(want, i)) < 0) {
			differ = 1;
			if (out)
				fprintf(out, "/%s: only in %s\n", cmd_name(path_of(want, i)),
				    cmd_name(want->word));
		}
	return differ;
}

static struct axt_expr *
open_one(struct axt_graph *g, const struct several *s, int i)
{
	struct axt_expr *e;
	char *operand;

	if (s->operands)
		return cmd_open(g, s->operands[i], false);
	if (asprintf(&operand, "%s:%s", s->word, s->paths[i]) < 0)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	e = cmd_open(g, operand, false);
	free(operand);
	return e;
}

/* Compares all tensors of two files or groups by name. Returns 0 (equal), 1 or -1 (an error). */
static int
files(struct axt_graph *g, const struct several *a, const struct several *b, FILE *out)
{
	int differ = missing(out, b, a) | missing(out, a, b), r, k;
	char what[4096];

	for (int i = 0; i < a->n; i++) {
		if ((k = find(b, path_of(a, i))) < 0)
			continue;
		if (cmd_nin(g) == 2)
			cmd_progress_part(i, a->n);
		snprintf(what, sizeof(what), "/%s", path_of(a, i));
		o.what = what;
		r = axt_equal(g, open_one(g, a, i), open_one(g, b, k), &o, out);
		if (r < 0)
			return r;
		differ |= r;
	}
	o.what = NULL;
	return differ;
}

/*
 * Compares operand i with the first operand. Two files with several tensors are compared tensor by
 * tensor, by names; other operands as one tensor each, or as texts. Returns what axt_equal does.
 */
static int
pair(struct axt_graph *g, int i, FILE *out)
{
	const char *fa = cmd_operand(g, 0), *fb = cmd_operand(g, i);
	struct several a = several_of(g, fa), b = several_of(g, fb);
	bool whole = !cmd_has_dataset(g) && a.n >= 0 && b.n >= 0;
	bool several = whole && a.n > 0 && b.n > 0 &&
	    (a.n > 1 || b.n > 1 || a.operands || b.operands);
	bool texts = !whole && !a.operands && !b.operands && axt_is_text(g, fa) &&
	    axt_is_text(g, fb);
	bool one = !several && !texts;
	/* what is wrong with the other operand comes first where this one has several tensors */
	struct axt_expr *y = one && (a.operands || a.n > 1) ? cmd_in(g, i) : NULL;
	struct axt_expr *x = one ? cmd_in(g, 0) : NULL;
	int differ;

	y = one && !y ? cmd_in(g, i) : y;
	differ = texts ? 0 : several ? files(g, &a, &b, out) : axt_equal(g, x, y, &o, out);
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
cmd_main_equal(int argc, char *argv[])
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
