/*
 * compile.c - the program of an expression: operands, registers, instructions.
 * Common subexpressions are one register.
 */
#include "plan.h"

enum { MAX_REGS = 256, MAX_INSTRS = 256, MAX_OPERANDS = 64, ROOM = 4 };

struct compiler {
	struct axt_graph *g;
	struct axt_step *s;
	axt_facts_fn *facts;
};

struct axt_seen {				/* node over these dimensions is in this register */
	const struct axt_expr *e;
	int dim[AXT_MAX_RANK], reg;
	struct axt_seen *next;
};

static int compile(struct compiler *c, const struct axt_expr *e, const int *dim);

/* An array of n, with room for one more. NULL: out of memory. */
static void *
grown(struct compiler *c, void *a, int n, size_t size)
{
	void *b;

	if (n > 0 && (n < ROOM || (n & (n - 1)) != 0))
		return a;
	b = axt_alloc(c->g->m, (size_t)MAX(ROOM, 2 * n) * size);
	if (!b)
		axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
	else if (n > 0)
		memcpy(b, a, (size_t)n * size);
	return b;
}

static int
new_reg(struct compiler *c, enum axt_dtype d)
{
	struct axt_prog *p = &c->s->prog;

	if (p->nregs == MAX_REGS) {
		axt_fail(&c->g->err, AXT_E_LIMIT, "the expression has more than %d nodes",
		    MAX_REGS);
		return -1;
	}
	p->reg = grown(c, p->reg, p->nregs, sizeof *p->reg);
	if (!p->reg)
		return -1;
	p->reg[p->nregs] = (struct axt_reg){ .dtype = d, .operand = -1 };
	return p->nregs++;
}

static int
constant(struct compiler *c, enum axt_dtype d, const void *value)
{
	int r = new_reg(c, d);

	if (r >= 0) {
		c->s->prog.reg[r].value = value;
		c->s->prog.reg[r].scalar = true;
	}
	return r;
}

static struct axt_instr *
new_instr(struct compiler *c, const struct axt_expr *e)
{
	struct axt_prog *p = &c->s->prog;

	if (p->ninstrs == MAX_INSTRS) {
		axt_fail(&c->g->err, AXT_E_LIMIT, "the expression has more than %d operations",
		    MAX_INSTRS);
		return NULL;
	}
	p->instr = grown(c, p->instr, p->ninstrs, sizeof *p->instr);
	if (!p->instr)
		return NULL;
	p->instr[p->ninstrs] = (struct axt_instr){ .node = e };
	return &p->instr[p->ninstrs++];
}

/* An instruction from register `in` to a fresh one of dtype `to`. NULL: error. */
static struct axt_instr *
unary(struct compiler *c, const struct axt_expr *e, int in, enum axt_dtype to, const char *name)
{
	struct axt_prog *p = &c->s->prog;
	int r = in < 0 ? in : new_reg(c, to);
	struct axt_instr *i = r < 0 ? NULL : new_instr(c, e);

	if (!i)
		return NULL;
	p->reg[r].scalar = p->reg[in].scalar;
	i->name = name;
	i->nin = 1;
	i->in[0] = in;
	i->out = r;
	return i;
}

static int
convert(struct compiler *c, const struct axt_expr *e, int reg, enum axt_dtype to,
    enum axt_overflow mode)
{
	enum axt_dtype from = c->s->prog.reg[reg].dtype;
	axt_conv_fn *fn = axt_kern_conv(to, from, mode);
	struct axt_instr *i;

	if (from == to)
		return reg;
	for (int k = 0; k < c->s->prog.ninstrs; k++) {	/* there for another output */
		i = &c->s->prog.instr[k];
		if (i->kind == AXT_INSTR_CONV && i->in[0] == reg && i->conv == fn &&
		    c->s->prog.reg[i->out].dtype == to)
			return i->out;
	}
	i = unary(c, e, reg, to, axt_dtypes[to].name);
	if (!i)
		return -1;
	i->kind = AXT_INSTR_CONV;
	i->conv = fn;
	return i->out;
}

/* Row-major strides of the storage, laid along the dimensions of the space. */
static void
lay(struct axt_operand *op, const struct axt_space *sp, const struct axt_expr *e, const int *dim)
{
	bool leaf = op->node->kind == AXT_NODE_LEAF;

	op->v.nd = sp->nd;
	op->scalar = true;
	for (int k = 0; k < sp->nd; k++) {
		op->v.shape[k] = sp->len[k];
		op->v.stride[k] = 0;
	}
	for (int i = 0; i < e->axes.n; i++) {
		op->axis_dim[i] = dim[i];
		op->v.stride[dim[i]] = leaf ? e->u.leaf.view.stride[i] : 0;
		op->scalar = op->scalar && e->axes.a[i].len == 1;
	}
	op->v.offset = leaf ? e->u.leaf.view.offset : 0;
	if (leaf)
		return;
	for (int64_t i = e->axes.n - 1, n = 1; i >= 0; i--) {	/* made here: row-major */
		op->v.stride[dim[i]] = n;
		n *= e->axes.a[i].len;
	}
}

static int
operand(struct compiler *c, const struct axt_expr *e, const int *dim)
{
	struct axt_prog *p = &c->s->prog;
	struct axt_storage_facts f = { 0 };
	struct axt_operand *op;
	int r;

	if (p->noperands == MAX_OPERANDS) {
		axt_fail(&c->g->err, AXT_E_LIMIT, "the expression reads more than %d tensors",
		    MAX_OPERANDS);
		return -1;
	}
	p->operand = grown(c, p->operand, p->noperands, sizeof *p->operand);
	if (!p->operand)
		return -1;
	op = &p->operand[p->noperands];
	*op = (struct axt_operand){ .node = e, .size = axt_size(e->dtype), .slab_axis = -1 };
	if (e->kind == AXT_NODE_DOT && !e->held) {
		op->slabbed = true;
		op->product = axt_product_new(c->g, e, c->facts);
		if (!op->product)
			return -1;
	} else if (e->kind == AXT_NODE_REDUCE || e->kind == AXT_NODE_DOT) {
		op->mapped = true;	/* made by an earlier step, in memory */
	}
	if (e->kind == AXT_NODE_LEAF) {
		op->st = e->u.leaf.st;
		c->facts(op->st, &f);
		if (f.where == AXT_ST_FILL)
			return constant(c, e->dtype, f.fill);
		op->slabbed = f.where == AXT_ST_CHUNKED;
		op->stream = f.where == AXT_ST_STREAM;
		op->pipe = f.pipe;
		op->mapped = f.where == AXT_ST_MEMORY;
		for (int i = 0; i < e->axes.n; i++)
			op->region[i] = e->axes.a[i].len;
	}
	lay(op, &c->s->sp, e, dim);
	r = new_reg(c, e->dtype);
	if (r < 0)
		return -1;
	p->reg[r].operand = p->noperands++;
	p->reg[r].scalar = op->scalar;
	return r;
}

static bool
constant_of(const struct axt_expr *e, double *v)
{
	if (e->kind != AXT_NODE_CONST)
		return false;
	*v = axt_load_f64(e->dtype, e->u.val.bytes);
	return true;
}

/*
 * The packed tensor behind UNPACK and MASK nodes on a conversion, what an opened CF dataset is;
 * NULL when e is something else or has no kernel of its own.
 */
static const struct axt_expr *
packed(const struct axt_expr *e, double p[4])
{
	int n = 0;

	p[0] = 1;
	p[1] = 0;
	p[2] = p[3] = __builtin_nan("");
	if (e->kind == AXT_NODE_MAP && e->u.op == AXT_OP_UNPACK && constant_of(e->arg[1], &p[0]) &&
	    constant_of(e->arg[2], &p[1]))
		e = e->arg[0];
	while (n < 2 && e->kind == AXT_NODE_MAP && e->u.op == AXT_OP_MASK &&
	    constant_of(e->arg[1], &p[2 + n])) {
		e = e->arg[0];
		n += p[2 + n] == p[2 + n];	/* NaN is missing anyway */
	}
	if (e->kind != AXT_NODE_CONV || !axt_kern_unpack(e->dtype, e->arg[0]->dtype))
		return NULL;
	return e->arg[0];
}

static int
unpack(struct compiler *c, const struct axt_expr *e, const struct axt_expr *from, const double p[4],
    const int *dim)
{
	struct axt_instr *i = unary(c, e, compile(c, from, dim), e->dtype, "unpack");

	if (!i)
		return -1;
	i->kind = AXT_INSTR_UNPACK;
	i->unpack = axt_kern_unpack(e->dtype, from->dtype);
	memcpy(i->packing, p, sizeof i->packing);
	return i->out;
}

static int
map(struct compiler *c, const struct axt_expr *e, const int *dim)
{
	struct axt_prog *p = &c->s->prog;
	const struct axt_expr *first = e->arg[e->u.op == AXT_OP_WHERE];
	struct axt_op_types ty;
	struct axt_instr *i;
	int in[3], r;
	bool scalar = true;

	for (int k = 0; k < e->nargs; k++) {
		const struct axt_axes *x = &e->arg[k]->axes;
		int sub[AXT_MAX_RANK];

		for (int j = 0; j < x->n; j++)
			sub[j] = dim[axt_axes_find(&e->axes, &x->a[j])];
		in[k] = compile(c, e->arg[k], sub);
		if (in[k] < 0)
			return -1;
		scalar = scalar && p->reg[in[k]].scalar;
	}
	/* The arguments have the compute dtype already, but the node's result may be
	 * narrower (f16): ask for the row again. */
	if (!axt_op_types(e->u.op, first->dtype, &ty)) {
		axt_fail(&c->g->err, AXT_E_DTYPE, "%s is not defined for %s", axt_ops[e->u.op].name,
		    axt_dtypes[first->dtype].name);
		return -1;
	}
	r = new_reg(c, ty.kout);
	if (r < 0 || !(i = new_instr(c, e)))
		return -1;
	p->reg[r].scalar = scalar;
	i->kind = AXT_INSTR_MAP;
	i->map = axt_kern_map(e->u.op, first->dtype);
	i->name = axt_ops[e->u.op].name;
	i->nin = e->nargs;
	memcpy(i->in, in, sizeof in);
	i->out = r;
	if (!i->map) {
		axt_fail(&c->g->err, AXT_E_DTYPE, "no kernel for %s of %s", i->name,
		    axt_dtypes[first->dtype].name);
		return -1;
	}
	return convert(c, e, r, e->dtype, AXT_OVERFLOW_WRAP);
}

static int
relabel(struct compiler *c, const struct axt_expr *e, const int *dim)
{
	int sub[AXT_MAX_RANK];

	for (int i = 0; i < e->axes.n; i++)
		if (e->u.src[i] >= 0)
			sub[e->u.src[i]] = dim[i];
	return compile(c, e->arg[0], sub);
}

static int
compile_new(struct compiler *c, const struct axt_expr *e, const int *dim)
{
	const struct axt_expr *from;
	double p[4];
	int r;

	if (e->kind == AXT_NODE_MAP && (from = packed(e, p)))
		return unpack(c, e, from, p, dim);
	switch (e->kind) {
	case AXT_NODE_CONST:
		return constant(c, e->dtype, e->u.val.bytes);
	case AXT_NODE_PLACE:
		return axt_unbound(c->g, e);
	case AXT_NODE_MAP:
		return map(c, e, dim);
	case AXT_NODE_CONV:
		r = compile(c, e->arg[0], dim);
		return r < 0 ? r : convert(c, e, r, e->dtype, e->u.overflow);
	case AXT_NODE_RELABEL:
		return relabel(c, e, dim);
	default:
		return operand(c, e, dim);
	}
}

static int
compile(struct compiler *c, const struct axt_expr *e, const int *dim)
{
	size_t bytes = (size_t)e->axes.n * sizeof *dim;
	struct axt_seen *n;
	int r;

	for (struct axt_seen *x = c->s->prog.seen; x; x = x->next)
		if (x->e == e && memcmp(x->dim, dim, bytes) == 0)
			return x->reg;
	r = compile_new(c, e, dim);
	n = axt_alloc(c->g->m, sizeof *n);
	if (r < 0 || !n)
		return -1;
	n->e = e;
	memcpy(n->dim, dim, bytes);
	n->reg = r;
	n->next = c->s->prog.seen;
	c->s->prog.seen = n;
	return r;
}

int
axt_compile(struct axt_graph *g, struct axt_step *s, const struct axt_expr *e, const int *dim,
    int *reg, axt_facts_fn *facts)
{
	struct compiler c = { .g = g, .s = s, .facts = facts };

	if (!s->prog.seen)
		s->prog.weight = -1;
	*reg = compile(&c, e, dim);
	return *reg < 0 ? axt_fail(&g->err, AXT_E_MEM, "out of memory") : 0;
}

int
axt_compile_conv(struct axt_graph *g, struct axt_step *s, int *reg, enum axt_dtype to)
{
	struct compiler c = { .g = g, .s = s };

	*reg = convert(&c, s->out[0].node, *reg, to, AXT_OVERFLOW_ERROR);
	return *reg < 0 ? g->err.code : 0;
}
