/*
 * calc.c - a fuzz target: any bytes as an expression of three small tensors. What is accepted is
 * planned and, when it is small, evaluated; what is not has an error of one line that tells the
 * place. `make fuzz` gives it to libFuzzer; test_calc.c to a few thousand mutations.
 */
#include <stdlib.h>

#include "calc/calc.h"
#include "eval.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static bool
tells_place(struct axt_graph *g)
{
	const char *s = axt_graph_error(g);

	return axt_graph_code(g) == AXT_E_MEM || (s && strstr(s, " at character "));
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const float a[6] = { 0, 1, 2, 3, 4, 5 };
	static const int32_t b[2] = { -1, 7 };
	static const uint8_t c[3] = { 1, 0, 1 };
	static const char *const names[] = { "a", "b", "c" };
	struct axt_graph *g = axt_graph_new();
	struct axt_assignment out[4];
	struct axt_expr *in[3];
	char *text;
	int count;

	if (!g)
		return 0;
	axt_graph_set_threads(g, 1);
	in[0] = axt_tensor(g, AXT_F32, "lat=2,lon=3", a, NULL);
	in[1] = axt_tensor(g, AXT_I32, "lat=2", b, NULL);
	in[2] = axt_tensor(g, AXT_BOOL, "lon=3", c, NULL);
	text = axt_strndup(g->m, (const char *)p, n);
	/* these look at all values at once, however many there are */
	if (!text || strstr(text, "pack") || strstr(text, "by") || strstr(text, "hist") ||
	    (strstr(text, "take") && strlen(text) > 40)) {
		axt_graph_free(g);
		return 0;
	}
	/* files are read as targets, and not looked at */
	count = axt_calc_to(g, text, names, in, 3, NULL, out, ARRAY_LEN(out));
	if (count < 0 || count > ARRAY_LEN(out) || (count == 0) != (axt_graph_error(g) != NULL) ||
	    (count == 0 && !tells_place(g)))
		abort();
	for (int i = 0; i < count; i++) {
		if (!out[i].target != !out[0].target || (out[i].target && !*out[i].op))
			abort();
		evaluate(g, out[i].e);
	}
	axt_graph_free(g);
	return count > 0;
}
