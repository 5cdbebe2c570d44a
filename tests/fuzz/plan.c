/*
 * plan.c - a fuzz target: any bytes as the text of a plan. What is accepted is also written again,
 * read again, planned and, when it is small, evaluated. `make fuzz` gives it to libFuzzer;
 * test_plan.c to a few thousand mutations.
 */
#include <stdlib.h>

#include "wire/text.h"
#include "eval.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static bool
input_line(void *ctx, char *words)
{
	(void)ctx;
	return strncmp(words, "file ", 5) == 0 || strncmp(words, "device ", 7) == 0;
}

/* Leaves of ones: bytes any dtype takes. */
static struct axt_expr *
ones(void *ctx, enum axt_dtype d, const struct axt_axes *x, char *words)
{
	static uint8_t byte[SMALL * 16];
	char *path;
	int64_t count;

	memset(byte, 1, sizeof(byte));
	if (!axt_plan_take(&words, "file=") || !(path = axt_plan_take(&words, "path=")) || *words ||
	    !axt_axes_count(x, &count) || count > SMALL)
		return NULL;
	return axt_memory_leaf(ctx, d, x, byte);
}

static bool
leaf_words(void *ctx, const struct axt_expr *leaf, struct axt_buf *b)
{
	(void)ctx;
	(void)leaf;
	axt_buf_adds(b, "file=0 path=/x");
	return true;
}

/* The plan's own text again, without the lines of inputs. */
static char *
again(struct axt_graph *g, const struct axt_plan_out *out, int n)
{
	struct axt_buf b = { 0 };
	char *s;

	axt_buf_adds(&b, AXT_PLAN_VERSION "\n");
	if (!axt_plan_write(g, out, n, leaf_words, NULL, &b))
		abort();
	s = axt_strdup(g->m, b.p);
	axt_buf_release(&b);
	return s;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_plan_reader r = { .ctx = g, .line = input_line, .leaf = ones };
	struct axt_plan_out out[AXT_PLAN_OUTS], twice[AXT_PLAN_OUTS];
	const char *why, *text, *same;
	int nout, ntwice, taken = 0;

	if (!g)
		return 0;
	axt_graph_set_threads(g, 1);
	if (axt_plan_read(g, (const char *)p, n, &r, out, &nout, &why)) {
		taken = 1;
		text = again(g, out, nout);
		if (!axt_plan_read(g, text, strlen(text), &r, twice, &ntwice, &why))
			abort();
		same = again(g, twice, ntwice);
		if (strcmp(text, same) != 0)
			abort();
		for (int i = 0; i < nout; i++)
			evaluate(g, out[i].e);
	} else if (axt_graph_error(g)) {
		abort();
	}
	axt_graph_free(g);
	return taken;
}
