/*
 * program.c - writes a step as the source of kernels. Registers become variables, and instructions
 * become calls of functions in words.in. Lengths and strides are arguments, so that one program
 * serves all shapes.
 */
#include "device/text.h"
#include "plan/steps.h"

static const char *const ids[AXT_NDTYPES] = {
#define DTYPE(id, ...) [AXT_##id] = #id,
#include "dtypes.def"
#undef DTYPE
};
static const char *const op_ids[AXT_NOPS] = {
#define OP(id, ...) [AXT_OP_##id] = #id,
#include "ops.def"
#undef OP
};

const char *
axt_dtype_id(enum axt_dtype d)
{
	return ids[d];
}

void
axt_write_word(struct axt_writer *w, const char *dtype, const char *name)
{
	const char *text = axt_word(dtype, name);

	if (!text || w->nhad == ARRAY_LEN(w->had)) {
		axt_fail(&w->g->err, AXT_E_NOSYS, "devices have no %s of %s", name, dtype);
		return;
	}
	for (int i = 0; i < w->nhad; i++)
		if (w->had[i] == text)
			return;
	w->had[w->nhad++] = text;
	axt_buf_adds(&w->words, text);
}

/* ---- the indices of arguments ---- */

static void
lay_args(struct axt_program *p)
{
	const struct axt_step *s = p->s;
	const struct axt_prog *pr = &s->prog;
	int n = AXT_ARG_FIXED;

	for (int k = 0; k < pr->noperands; k++) {
		/* a scalar is aligned to 16 bytes, for c128 */
		p->in[k] = n += p->as[k] == AXT_AS_SCALAR ? n % 2 : 0;
		n += p->as[k] == AXT_AS_SCALAR ? 2 : 1;
		p->stride[k] = n;
		n += p->as[k] == AXT_AS_STORED ? s->sp.nd : 0;
		p->stored |= p->as[k] == AXT_AS_STORED;
	}
	for (int k = 0; k < s->nouts; k++) {
		p->out[k] = n++;
		p->acc[k] = n++;
	}
	p->len = n;
	n += p->stored ? s->sp.nd : 0;
	p->tile = n;
	n += p->stored ? s->sp.lin + 1 : 0;
	n += n % 2;
	for (int r = 0; r < pr->nregs; r++) {
		p->constant[r] = n;
		n += pr->reg[r].value ? 2 : 0;
	}
	for (int i = 0; i < pr->ninstrs; i++) {
		p->packing[i] = n;
		n += pr->instr[i].kind == AXT_INSTR_UNPACK ? 4 : 0;
	}
	p->nargs = (n + 15) / 16 * 16; /* rounded up, so that more steps have the same program */
}

/* An integer that equals a missing value; if no integer does, one that no stored value equals. */
static int64_t
code(double a)
{
	return a == (double)(int32_t)MAX(MIN(a, 0x1p17), -0x1p17) ? (int64_t)a : INT64_MIN;
}

void
axt_program_words(const struct axt_program *p, int64_t *w)
{
	const struct axt_step *s = p->s;
	const struct axt_prog *pr = &s->prog;

	for (int d = 0; d < s->sp.nd && p->stored; d++)
		w[p->len + d] = s->sp.len[d];
	w[AXT_ARG_LIN] = s->sp.lin_len;
	for (int k = 0; k < pr->noperands; k++)
		for (int d = 0; d < s->sp.nd && p->as[k] == AXT_AS_STORED; d++)
			w[p->stride[k] + d] = pr->operand[k].v.stride[d];
	for (int r = 0; r < pr->nregs; r++)
		if (pr->reg[r].value)
			memcpy(w + p->constant[r], pr->reg[r].value,
			    (size_t)axt_size(pr->reg[r].dtype));
	for (int i = 0; i < pr->ninstrs; i++) {
		const double *q = pr->instr[i].packing;
		bool f32 = pr->reg[pr->instr[i].out].dtype == AXT_F32;

		if (pr->instr[i].kind != AXT_INSTR_UNPACK)
			continue;
		memcpy(w + p->packing[i], q, 2 * sizeof(*q));
		for (int k = 2; k < 4; k++)
			w[p->packing[i] + k] = code(f32 ? axt_rounded_f32(q[k]) : q[k]);
	}
}

/* ---- values ---- */

static void
write_conv(struct axt_writer *w, const struct axt_instr *in)
{
	const struct axt_reg *reg = w->p->s->prog.reg;
	static const char *const modes[] = { [AXT_OVERFLOW_ERROR] = "ERROR",
		[AXT_OVERFLOW_SATURATE] = "SATURATE",
		[AXT_OVERFLOW_WRAP] = "WRAP" };
	enum axt_dtype from = reg[in->in[0]].dtype, to = reg[in->out].dtype, via = from;
	enum axt_class cls = axt_dtypes[to].cls;
	const char *mode = cls == AXT_CLASS_INT || cls == AXT_CLASS_UINT ? modes[in->mode]
									 : "ERROR";
	char name[64];

	snprintf(name, sizeof(name), "conv %s %s", ids[to], mode);
	if (axt_dtypes[from].comp != from)
		via = axt_dtypes[from].comp;
	else if (axt_dtypes[from].cls == AXT_CLASS_COMPLEX)
		via = from == AXT_C64 ? AXT_F32 : AXT_F64;
	if (via != from && to != AXT_BOOL && cls != AXT_CLASS_COMPLEX)
		axt_write_word(w, ids[via], name);
	axt_write_word(w, ids[from], name);
	axt_buf_addf(&w->body, "conv_%s_%s_%s(r%d, &bad)", ids[to], ids[from], mode, in->in[0]);
}

static void
write_unpack(struct axt_writer *w, const struct axt_instr *in, int at)
{
	const char *to = ids[w->p->s->prog.reg[in->out].dtype];
	int r = in->in[0];

	axt_buf_addf(&w->body,
	    "r%d == W(%d) || r%d == W(%d) ? (T_%s)NAN : (T_%s)r%d * "
	    "(T_%s)CONST(double, %d) + (T_%s)CONST(double, %d)",
	    r, at + 2, r, at + 3, to, to, r, to, at, to, at + 1);
}

static void
write_map(struct axt_writer *w, const struct axt_instr *in)
{
	const struct axt_reg *reg = w->p->s->prog.reg;
	enum axt_dtype d = reg[in->in[in->node->u.op == AXT_OP_WHERE]].dtype;
	char name[64];

	snprintf(name, sizeof(name), "op %s", op_ids[in->node->u.op]);
	axt_write_word(w, ids[d], "base");
	axt_write_word(w, ids[d], name);
	axt_buf_addf(&w->body, "op_%s_%s(r%d, ", op_ids[in->node->u.op], ids[d], in->in[0]);
	for (int k = 1; k < 3; k++) /* arguments that are not used get any value of their dtype */
		axt_buf_addf(&w->body, "r%d, ", in->in[k < in->nin ? k : in->nin - 1]);
	axt_buf_adds(&w->body, "&bad)");
}

void
axt_write_stored(struct axt_writer *w, int k)
{
	axt_buf_addf(&w->body, "x%d[", k);
	for (int d = 0; d < w->p->s->sp.nd; d++)
		axt_buf_addf(&w->body, "%si%d * W(%d)", d ? " + " : "", d, w->p->stride[k] + d);
	axt_buf_adds(&w->body, "];\n");
}

void
axt_write_values(struct axt_writer *w, const char *indent)
{
	const struct axt_program *p = w->p;
	const struct axt_prog *pr = &p->s->prog;

	for (int r = 0; r < pr->nregs; r++) {
		const struct axt_reg *reg = &pr->reg[r];
		const char *t = ids[reg->dtype];
		int k = reg->operand;

		if (reg->value)
			axt_buf_addf(&w->body, "%sT_%s r%d = CONST(T_%s, %d);\n", indent, t, r, t,
			    p->constant[r]);
		else if (k >= 0 && p->as[k] == AXT_AS_SCALAR)
			axt_buf_addf(&w->body, "%sT_%s r%d = CONST(T_%s, %d);\n", indent, t, r, t,
			    p->in[k]);
		else if (k >= 0 && (p->as[k] == AXT_AS_TILE || p->staged[k]))
			axt_buf_addf(&w->body, "%sT_%s r%d = LOAD%d;\n", indent, t, r, k);
		else if (k >= 0) {
			axt_buf_addf(&w->body, "%sT_%s r%d = ", indent, t, r);
			axt_write_stored(w, k);
		}
	}
	for (int i = 0; i < pr->ninstrs; i++) {
		const struct axt_instr *in = &pr->instr[i];

		axt_buf_addf(&w->body, "%sT_%s r%d = ", indent, ids[pr->reg[in->out].dtype],
		    in->out);
		if (in->kind == AXT_INSTR_CONV)
			write_conv(w, in);
		else if (in->kind == AXT_INSTR_UNPACK)
			write_unpack(w, in, p->packing[i]);
		else
			write_map(w, in);
		axt_buf_adds(&w->body, ";\n");
	}
}

void
axt_write_operands(struct axt_writer *w)
{
	const struct axt_prog *pr = &w->p->s->prog;

	for (int k = 0; k < pr->noperands; k++)
		if (w->p->as[k] != AXT_AS_SCALAR)
			axt_buf_addf(&w->body,
			    "\tconst T_%s *RESTRICT x%d = (const T_%s *)W(%d);\n",
			    ids[pr->operand[k].node->dtype], k, ids[pr->operand[k].node->dtype],
			    w->p->in[k]);
}

/*
 * Writes code that finds the indices of an element of the tile: `run` in the linear group, and i0,
 * i1, ... in the dimensions before it.
 */
static void
write_start_indices(struct axt_writer *w, const char *indent, const char *element)
{
	const struct axt_program *p = w->p;
	int lin = p->s->sp.lin;

	if (!p->stored)
		return;
	axt_buf_addf(&w->body, "%suint32_t rest = (uint32_t)(%s);\n", indent, element);
	axt_buf_addf(&w->body, "%suint32_t run = rest %% (uint32_t)W(%d);\n", indent,
	    p->tile + lin);
	axt_buf_addf(&w->body, "%srest /= (uint32_t)W(%d);\n", indent, p->tile + lin);
	for (int d = lin - 1; d >= 0; d--) {
		axt_buf_addf(&w->body, "%suint32_t i%d = rest %% (uint32_t)W(%d);\n", indent, d,
		    p->tile + d);
		if (d > 0)
			axt_buf_addf(&w->body, "%srest /= (uint32_t)W(%d);\n", indent, p->tile + d);
	}
}

/* Writes the step to the next element, which counts the indices up, since divisions are slow. */
static void
write_next_indices(struct axt_writer *w, const char *indent)
{
	const struct axt_program *p = w->p;
	int lin = p->s->sp.lin;

	if (!p->stored)
		return;
	axt_buf_addf(&w->body, "%sif (++run == (uint32_t)W(%d)) {\n%s\trun = 0;\n", indent,
	    p->tile + lin, indent);
	for (int d = lin - 1; d >= 0; d--)
		axt_buf_addf(&w->body, "%s\tif (++i%d == (uint32_t)W(%d)) {\n%s\ti%d = 0;\n",
		    indent, d, p->tile + d, indent, d);
	axt_buf_adds(&w->body, indent);
	for (int d = lin; d >= 0; d--)
		axt_buf_adds(&w->body, "}");
	axt_buf_adds(&w->body, "\n");
}

/* Writes the indices of the dimensions within the linear group. */
static void
write_group(struct axt_writer *w, const char *indent)
{
	const struct axt_program *p = w->p;
	const struct axt_space *sp = &p->s->sp;

	if (!p->stored)
		return;
	axt_buf_addf(&w->body, "%sint64_t group = W(%d) + run;\n", indent, AXT_ARG_LO);
	for (int d = sp->nd - 1; d > sp->lin; d--) {
		axt_buf_addf(&w->body, "%sint64_t i%d = group %% W(%d);\n", indent, d, p->len + d);
		axt_buf_addf(&w->body, "%sgroup /= W(%d);\n", indent, p->len + d);
	}
	axt_buf_addf(&w->body, "%sint64_t i%d = group;\n", indent, sp->lin);
}

void
axt_write_indices(struct axt_writer *w, const char *indent, const char *element)
{
	write_start_indices(w, indent, element);
	write_group(w, indent);
}

/* ---- maps ---- */

/*
 * How many elements of a map one thread does: as many as fit in 16 bytes of the widest operand,
 * among those in the order of the tile, or result.
 */
static int
vector_of(const struct axt_program *p)
{
	int most = 1;

	for (int k = 0; k < p->s->prog.noperands; k++)
		if (p->as[k] == AXT_AS_TILE)
			most = MAX(most, p->s->prog.operand[k].size);
	for (int k = 0; k < p->s->nouts; k++)
		most = MAX(most, axt_size(p->s->out[k].dtype));
	return 16 / most;
}

static void
write_map_kernel(struct axt_writer *w)
{
	const struct axt_program *p = w->p;
	const struct axt_step *s = p->s;
	int v = p->vector;
	bool seen[AXT_NDTYPES] = { false };

	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < (pass ? s->nouts : s->prog.noperands); k++) {
			enum axt_dtype d = pass ? s->out[k].dtype : s->prog.operand[k].node->dtype;

			if (seen[d] || (!pass && p->as[k] != AXT_AS_TILE))
				continue;
			seen[d] = true;
			axt_buf_addf(&w->body,
			    "typedef struct ALIGNED(%d) { T_%s v[%d]; } some_%s;\n",
			    v * axt_size(d), ids[d], v, ids[d]);
		}
	for (int k = 0; k < s->prog.noperands; k++)
		if (p->as[k] == AXT_AS_TILE)
			axt_buf_addf(&w->body, "#define LOAD%d u%d.v[v]\n", k, k);
	axt_buf_addf(&w->body, "\nKERNEL(axt_map)\n{\n\tint64_t n = W(%d);\n", AXT_ARG_N);
	axt_write_operands(w);
	axt_buf_addf(&w->body,
	    "\n\tEACH_THREAD {\n\t\tint64_t i = (BLOCK * %d + t) * %d;\n\n"
	    "\t\tif (i < n) {\n",
	    AXT_BLOCK_THREADS, v);
	for (int k = 0; k < s->prog.noperands; k++)
		if (p->as[k] == AXT_AS_TILE) {
			const char *t = ids[s->prog.operand[k].node->dtype];

			axt_buf_addf(&w->body, "\t\t\tsome_%s u%d = *(const some_%s *)(x%d + i);\n",
			    t, k, t, k);
		}
	for (int k = 0; k < s->nouts; k++)
		axt_buf_addf(&w->body, "\t\t\tsome_%s y%d;\n", ids[s->out[k].dtype], k);
	write_start_indices(w, "\t\t\t", "i");
	axt_buf_addf(&w->body,
	    "\t\t\tint wrong = 0;\n\t\t\tUNROLL\n"
	    "\t\t\tfor (int v = 0; v < %d; v++) {\n\t\t\t\tint bad = 0;\n",
	    v);
	write_group(w, "\t\t\t\t");
	axt_write_values(w, "\t\t\t\t");
	for (int k = 0; k < s->nouts; k++)
		axt_buf_addf(&w->body, "\t\t\t\ty%d.v[v] = r%d;\n", k, s->out[k].root);
	axt_buf_adds(&w->body, "\t\t\t\twrong |= bad && i + v < n;\n");
	write_next_indices(w, "\t\t\t\t");
	axt_buf_adds(&w->body, "\t\t\t}\n");
	for (int k = 0; k < s->nouts; k++)
		axt_buf_addf(&w->body, "\t\t\t*(some_%s *)((T_%s *)W(%d) + i) = y%d;\n",
		    ids[s->out[k].dtype], ids[s->out[k].dtype], p->out[k], k);
	axt_buf_addf(&w->body, "\t\t\tif (wrong)\n\t\t\t\trefuse(W(%d));\n\t\t}\n\t}\n}\n",
	    AXT_ARG_BAD);
}

struct axt_program *
axt_program_new(struct axt_graph *g, const struct axt_step *s, const enum axt_seen_as as[])
{
	struct axt_program *p = axt_alloc(g->m, sizeof(*p));
	struct axt_writer w = { .g = g, .p = p };

	if (!p)
		return NULL;
	p->s = s;
	memcpy(p->as, as, (size_t)s->prog.noperands * sizeof(*as));
	p->constant = axt_alloc(g->m, ((size_t)s->prog.nregs + 1) * sizeof(*p->constant));
	p->packing = axt_alloc(g->m, ((size_t)s->prog.ninstrs + 1) * sizeof(*p->packing));
	if (!p->constant || !p->packing)
		return NULL;
	lay_args(p);
	p->vector = vector_of(p);
	p->across = -1;
	if (axt_step_fns(s)->elementwise)
		axt_choose_across(p);
	if (p->across >= 0)
		axt_write_across(&w);
	else if (axt_step_fns(s)->elementwise)
		write_map_kernel(&w);
	else
		axt_write_reduce(&w);
	if (!w.words.bad && !w.body.bad && !g->err.code)
		p->text = axt_sprintf(g->m, "#define NARGS %d\n%s\n%s\n%s", p->nargs,
		    axt_word("", "face"), w.words.p ? w.words.p : "", w.body.p);
	axt_buf_release(&w.words);
	axt_buf_release(&w.body);
	return p->text ? p : NULL;
}
