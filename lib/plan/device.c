/* device.c - decides which steps run on a device. */
#include "plan/steps.h"

/* planes of all states, so that those of a block fit in 48 KiB of shared memory */
#define MAX_PLANES 24
#define MAX_WORDS 400 /* words of arguments, whose number grows with that of operands */

/* Why no device can compute output k, a reduction; NULL: one can. */
static const char *
why_no_reduction(const struct axt_step *s, int k)
{
	enum axt_red op = s->out[k].node->u.red.op;
	bool floats = axt_dtypes[s->out[k].fns->in].cls == AXT_CLASS_FLOAT;

	if (s->red.parts == 2 && op == AXT_RED_PROD)
		return "products of complex numbers are the CPU's";
	return !floats && (op == AXT_RED_VAR || op == AXT_RED_STD)
	    ? "variances of 64-bit integers are the CPU's"
	    : NULL;
}

/* Why no device can run the step; NULL: one can. */
static const char *
why_not(const struct axt_step *s)
{
	const struct axt_prog *p = &s->prog;
	int planes = 0;

	if (axt_step_fns(s)->why_cpu)
		return axt_step_fns(s)->why_cpu;
	if (s->red.group_at >= 0)
		return "grouped reductions are the CPU's";
	for (int k = 0; k < s->nouts; k++)
		if (s->out[k].fns && why_no_reduction(s, k))
			return why_no_reduction(s, k);
	for (int k = 0; k < s->nouts; k++)
		planes += s->out[k].fns ? s->out[k].fns->planes * s->red.parts : 0;
	if (planes > MAX_PLANES)
		return "it has too many results at once";
	for (int k = 0; k < p->noperands; k++)
		if (p->operand[k].product && p->ninstrs == 0 && axt_step_fns(s)->elementwise)
			return "a product is there already";
	return p->noperands * (2 + s->sp.nd) + p->ninstrs * 4 + p->nregs * 2 > MAX_WORDS
	    ? "the expression is too large"
	    : NULL;
}

/* Whether cuBLAS can multiply the dtype, and all matrices fit in the memory beside the tiles. */
static bool
multiplies(const struct axt_product *p, const struct axt_plan_opts *o)
{
	enum axt_dtype d = p->node->dtype;
	double rows = (double)p->m * (double)p->k + (double)p->k * (double)p->n +
	    (double)p->m * (double)p->n;

	return (d == AXT_F32 || d == AXT_F64 || d == AXT_C64 || d == AXT_C128) &&
	    (double)p->batch * rows * axt_size(d) < (double)o->device / 3;
}

/* Whether an element may be refused, because it does not fit its dtype or is divided by zero. */
static bool
refuses(const struct axt_prog *p)
{
	for (int k = 0; k < p->ninstrs; k++) {
		const struct axt_instr *in = &p->instr[k];
		enum axt_dtype from = p->reg[in->in[0]].dtype, to = p->reg[in->out].dtype;

		if (axt_dtypes[from].cls < AXT_CLASS_FLOAT ||
		    (in->kind == AXT_INSTR_CONV &&
			(axt_dtypes[to].cls < AXT_CLASS_FLOAT || axt_size(to) < axt_size(from))))
			return true;
	}
	return false;
}

void
axt_choose_device(struct axt_step *s, const struct axt_plan_opts *o)
{
	s->why_not = o->device ? why_not(s) : NULL;
	s->device = o->device && !s->why_not;
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		if (!op->product)
			continue;
		op->product->device = multiplies(op->product, o);
		op->product->read_on_device = s->device && op->product->device && !op->jumps &&
		    !refuses(&s->prog);
	}
}
