/*
 * deliver.c - what is done for every output, whatever its kind: plan, open, run, check the inputs,
 * close.
 */
#include "out/inner.h"

static bool
is_run(const struct axt_delivery *o, int i)
{
	return !o->v || axt_out_var_comes(&o->v[i]);
}

/* Lists what is run of the results, of which `open` may leave out some. */
static int
find_run(struct axt_delivery *o)
{
	o->nrun = 0;
	o->run = axt_alloc(o->g->m, (size_t)o->n * sizeof(struct axt_expr *));
	if (!o->run)
		return axt_fail(&o->g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < o->n; i++)
		if (is_run(o, i))
			o->run[o->nrun++] = o->e[i];
	return 0;
}

static int
run(struct axt_delivery *o)
{
	struct axt_graph *g = o->g;
	struct axt_sink **sink = axt_alloc(g->m, (size_t)o->n * sizeof(*sink));
	int n = 0;

	if (!sink)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (find_run(o))
		return g->err.code;
	for (int i = 0; i < o->n; i++) {
		if (!is_run(o, i))
			continue;
		if (!(sink[n] = o->kind->sink(o, i)) ||
		    (!o->kind->values && !(sink[n] = axt_filled(g, o->e[i], sink[n]))))
			return g->err.code;
		n++;
	}
	if (axt_run_draft(g, o->run, n, sink, o->plan))
		return g->err.code;
	g->enough = n > 0;
	for (int i = 0; i < n; i++)
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
	if (o->planned && !o->computed &&
	    (find_run(o) || axt_draft_plan(g, o->run, o->nrun, o->ordered, &o->plan)))
		return g->err.code;
	if (k->open(o))
		return g->err.code;
	k->close(o,
	    (!k->begin || k->begin(o) == 0) && (o->computed || run(o) == 0) &&
		axt_files_check(g) == 0 && (!k->finish || k->finish(o) == 0));
	return g->err.code;
}
