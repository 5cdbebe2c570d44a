/*
 * deliver.c - what is done for every output, whatever its kind: plan, open, run, check the inputs,
 * close.
 */
#include "out/inner.h"

static int
run(struct axt_delivery *o)
{
	struct axt_graph *g = o->g;
	struct axt_sink **sink = axt_alloc(g->m, (size_t)o->n * sizeof(*sink));

	if (!sink)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->n; i++)
		if (!(sink[i] = o->kind->sink(o, i)) ||
		    (!o->kind->values && !(sink[i] = axt_filled(g, o->e[i], sink[i]))))
			return g->err.code;
	if (axt_run_draft(g, o->e, o->n, sink, o->plan))
		return g->err.code;
	g->enough = true;
	for (int i = 0; i < o->n; i++)
		g->enough = g->enough && sink[i]->full;
	return 0;
}

enum axt_code
axt_deliver(struct axt_delivery *o)
{
	const struct axt_delivery_kind *k = o->kind;
	struct axt_graph *g = o->g;

	if (g->err.code || (!k->values && !o->v && axt_out_vars(g, o->e, o->n, &o->v)))
		return g->err.code;
	if (o->planned && !o->computed && axt_draft_plan(g, o->e, o->n, o->ordered, &o->plan))
		return g->err.code;
	if (k->open(o))
		return g->err.code;
	k->close(o,
	    (!k->begin || k->begin(o) == 0) && (o->computed || run(o) == 0) &&
		axt_files_check(g) == 0 && (!k->finish || k->finish(o) == 0));
	return g->err.code;
}
