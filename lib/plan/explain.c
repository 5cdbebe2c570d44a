/* explain.c - prints a plan for the user (--explain). */
#include "plan/kinds.h"
#include "plan/steps.h"

void
axt_explain_reduces(const struct axt_step *s, const char *how, FILE *out)
{
	fprintf(out, "  reduces:");
	for (int k = 0; k < s->nouts; k++)
		fprintf(out, "%s %s", k ? "," : "", axt_reds[s->out[k].node->u.red.op].name);
	if (s->red.groups > 1 || s->red.group_at >= 0)
		fprintf(out, " of %lld elements in %lld groups", (long long)s->red_count,
		    (long long)s->red.groups);
	else
		fprintf(out, " of %lld elements each", (long long)s->red_count);
	fprintf(out, "%s\n", how);
}

static void
explain_outputs(const struct axt_step *s, FILE *out)
{
	if (axt_step_fns(s)->explain)
		axt_step_fns(s)->explain(s, out);
	if (s->slab_dim >= 0)
		fprintf(out, "  slabs: %lld rows at a time\n", (long long)s->slab_rows);
	if (s->again > 1)
		fprintf(out, "  memory is short: each chunk is decoded for %lld slabs\n",
		    (long long)s->again);
	fprintf(out, "  bytes: %lld read", (long long)s->bytes_read);
	if (s->bytes_held)
		fprintf(out, ", %lld kept in memory", (long long)s->bytes_held);
	if (s->bytes_written || !s->bytes_held)
		fprintf(out, ", %lld written", (long long)s->bytes_written);
	fprintf(out, "\n");
}

static void explain_reads(struct axt_graph *g, const struct axt_step *s, FILE *out);

/* Prints the size of a product, its work, its blocks, and what it reads. */
static void
explain_product(struct axt_graph *g, const struct axt_product *p, FILE *out)
{
	bool cplx = axt_dtypes[p->node->dtype].cls == AXT_CLASS_COMPLEX;

	fprintf(out, "  dot %lld x %lld over %lld in %s", (long long)p->m, (long long)p->n,
	    (long long)p->k, axt_dtypes[p->node->dtype].name);
	if (p->batch != 1)
		fprintf(out, ", %lld times", (long long)p->batch);
	fprintf(out, ": %.4g flops, ",
	    (cplx ? 8. : 2.) * (double)p->batch * (double)p->m * (double)p->n * (double)p->k);
	if (p->device)
		fprintf(out, "by cuBLAS%s\n", p->node->u.dot->tf32 ? " in TF32" : "");
	else
		fprintf(out, "blocks of %lld x %lld over %lld%s%s\n", (long long)p->mc,
		    (long long)p->nc, (long long)p->kc,
		    p->blas.name       ? ", by BLAS "
			: p->symmetric ? ", symmetric"
				       : "",
		    p->blas.name ? axt_escape(g->m, p->blas.name) : "");
	for (int i = 0; i < 2; i++)
		explain_reads(g, axt_product_arg(p, i)->s, out);
}

static void
explain_reads(struct axt_graph *g, const struct axt_step *s, FILE *out)
{
	const struct axt_prog *pr = &s->prog;

	for (int k = 0; k < pr->noperands; k++) {
		const struct axt_operand *op = &pr->operand[k];
		bool made = axt_plan_kinds[op->node->kind]->step != NULL;

		if (op->product) {
			explain_product(g, op->product, out);
			if (op->product->read_on_device)
				fprintf(out, "    stays on the device\n");
			continue;
		}
		if (op->joined) {
			if (!op->joined->whole)
				fprintf(out, "  %s %d parts of %s\n",
				    op->joined->fold ? axt_ops[op->node->u.op].name : "joins",
				    op->joined->nparts, axt_axes_text(g->m, &op->node->axes));
			for (int i = 0; i < op->joined->nparts; i++)
				explain_reads(g, op->joined->part[i], out);
			continue;
		}
		fprintf(out, "  reads %s%s%s: %s %s%s\n", made ? axt_node_op(op->node) : "",
		    made ? " of " : "", op->node->from, axt_dtypes[op->node->dtype].name,
		    axt_axes_text(g->m, &op->node->axes),
		    op->pipe && !axt_is_in_order(op)      ? ", stream, spooled"
			: op->access == AXT_ACCESS_MAPPED ? ", gathered"
							  : axt_source_traits[op->source].words);
		if (op->jumps)
			fprintf(out, "    piece by piece: no strides describe it\n");
	}
	if (pr->ninstrs) {
		fprintf(out, "  fused:");
		for (int k = 0; k < pr->ninstrs; k++)
			fprintf(out, " %s", pr->instr[k].name);
		fprintf(out, "\n");
	}
}

static void
explain_step(struct axt_graph *g, const struct axt_step *s, FILE *out)
{
	fprintf(out, "%s ->", axt_step_fns(s)->word);
	for (int k = 0; k < s->nouts; k++)
		fprintf(out, "%s %s", k ? "," : "", axt_dtypes[s->out[k].dtype].name);
	fprintf(out, " %s\n", axt_axes_text(g->m, &s->out[0].node->axes));
	explain_reads(g, s, out);
	explain_outputs(s, out);
	if (s->device)
		fprintf(out, "  on the device: %s, %lld bytes over the bus\n",
		    axt_step_fns(s)->elementwise ? "axt_map" : "axt_reduce, axt_merge",
		    (long long)(s->bytes_read + s->bytes_written + s->bytes_held));
	else if (s->why_not)
		fprintf(out, "  on the CPU: %s\n", s->why_not);
}

static void
explain_bands(struct axt_graph *g, const struct axt_step *s, int n, int passes, FILE *out)
{
	const struct axt_step *last = s;

	for (int k = 1; k < s->npass; k++)
		last = last->next;
	fprintf(out, "pass %d of %d: %d steps per band of", n, passes, s->npass);
	for (int i = 0; i < s->nband; i++)
		fprintf(out, "%s %lld", i ? " x" : "", (long long)s->band[i]);
	fprintf(out, " of %s\n", axt_axes_text(g->m, &last->out[0].node->axes));
}

void
axt_plan_explain(struct axt_graph *g, const struct axt_plan *p, FILE *out)
{
	int passes = 0, n = 0;

	for (const struct axt_step *s = p->steps; s; s = s->next)
		passes += s->npass > 0;
	for (const struct axt_step *s = p->steps; s; s = s->next) {
		n += s->npass > 0;
		if (s->npass > 1)
			explain_bands(g, s, n, passes, out);
		else if (s->npass)
			fprintf(out, "pass %d of %d: ", n, passes);
		explain_step(g, s, out);
	}
	if (g->device_why)
		fprintf(out, "device %s\n", g->device_why);
	fprintf(out, "memory: %lld bytes of scratch, bound %lld\n",
	    (long long)(p->scratch + p->tiles), (long long)g->memory);
}
