/*
 * named.c - what a word names: a number, a file, a dataset of a file, or a field of its times.
 * Everything that takes an operand calls these functions, so that a word means the same everywhere.
 */
#include "inputs/inputs.h"

int
axt_named_words(struct axt_graph *g, const char *word, const char *dataset, struct axt_named *x)
{
	*x = (struct axt_named){ .word = word };
	if (g->err.code || axt_operand_split(g->m, word, &x->file, &x->name, &g->err))
		return g->err.code;
	x->name = x->name ? x->name : dataset;
	return 0;
}

int
axt_named_file(struct axt_graph *g, struct axt_named *x)
{
	if (!x->f)
		x->f = axt_open_file(g, x->file);
	return x->f ? 0 : (int)g->err.code;
}

int
axt_named_dataset(struct axt_graph *g, struct axt_named *x)
{
	if (axt_named_file(g, x))
		return g->err.code;
	if (axt_file_find(g->m, x->f, x->name, &x->d, &g->err) ||
	    axt_dset_load(g->m, x->f, x->d, &g->err))
		axt_calendar_hint(g, x->f, x->name);
	return g->err.code;
}

int
axt_named_values(struct axt_graph *g, struct axt_named *x)
{
	if (axt_named_file(g, x))
		return g->err.code;
	return axt_is_calendar(x->f, x->name) ? 0 : axt_named_dataset(g, x);
}

int
axt_named_operand(struct axt_graph *g, const char *word, const struct axt_open_opts *o,
    struct axt_named *x)
{
	*x = (struct axt_named){ .word = word };
	if (g->err.code)
		return g->err.code;
	g->stale = o->stale;
	if (axt_is_number(word))
		return 0;
	return axt_named_words(g, word, o->dataset, x) || axt_named_values(g, x) ? (int)g->err.code
										 : 0;
}
