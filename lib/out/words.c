/* words.c - a list of words as a file with a dataset of text, and as lines. */
#include <errno.h>

#include "base/quote.h"
#include "out/inner.h"

static int
no_memory(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The words as text along an axis without coordinates. */
static int
as_text(struct axt_graph *g, const struct axt_words *w, struct axt_aux *out)
{
	struct axt_axis x = { 0 };

	*out = (struct axt_aux){ .name = w->name ? w->name : "text",
		.text = true,
		.data = w->word,
		.axes.n = 1 };
	if (axt_axis_from_file(g->m, w->axis, &x))
		return no_memory(g);
	x.len = w->n;
	x.from = "result";
	out->axes.a[0] = x;
	if (strcmp(out->name, w->axis) == 0) {
		/* the text of an axis of its own name is the coordinates of that axis */
		struct axt_coord *c = axt_alloc(g->m, sizeof(*c));

		if (!c)
			return no_memory(g);
		*c = (struct axt_coord){ .text = true, .n = w->n, .data = w->word };
		out->axes.a[0].coord = c;
	}
	return axt_name_check(out->name, "text", &g->err);
}

/* Words are no dataset beside others: they are written to a file of their own. */
static int
check_target(struct axt_graph *g, const char *target)
{
	struct axt_way w;

	if (axt_way_of(g, target, &w))
		return g->err.code;
	if (w.kind == AXT_WAY_DATASET) {
		axt_fail(&g->err, AXT_E_ARG, "words go to a file of their own, not to \"%s\"",
		    axt_escape(g->m, target));
		axt_hint(&g->err, "axt-coord set %s makes them the labels of an axis",
		    axt_quoted(g->m, axt_sprintf(g->m, "AXIS=%s", w.dset)));
	} else if (w.kind != AXT_WAY_HDF5) {
		axt_fail(&g->err, AXT_E_ARG, "%s: words are written to HDF5 alone",
		    axt_escape(g->m, w.file));
	}
	return g->err.code;
}

enum axt_code
axt_save_words(struct axt_graph *g, const struct axt_words *w, const struct axt_save_opts *o)
{
	struct axt_out_opts opts = { .target = o->output,
		.no_clobber = o->no_clobber,
		.force = o->force,
		.memory = g->memory,
		.threads = 1 };
	struct axt_out_rest rest = { .group = "" };
	struct axt_aux text;
	struct axt_out *to;

	if (g->err.code || check_target(g, o->output) || as_text(g, w, &text))
		return g->err.code;
	rest.aux = &text;
	opts.rest = &rest;
	opts.talk = axt_graph_talk(g);
	if (axt_out_open(g->m, NULL, 0, axt_with_history(g, NULL, o->history), &opts, &to, &g->err))
		return g->err.code;
	axt_out_close(to, axt_files_check(g) == 0, &g->err);
	return g->err.code;
}

enum axt_code
axt_print_words(struct axt_graph *g, const struct axt_words *w, FILE *out)
{
	for (int64_t i = 0; i < w->n && !g->err.code; i++)
		if (fprintf(out, "%s\n", w->word[i]) < 0)
			axt_fail(&g->err, AXT_E_IO, "standard output: %s", strerror(errno));
	return g->err.code;
}
