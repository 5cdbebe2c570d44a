/*
 * compile.c - compiles an expression to a program of operands, registers and instructions, and says
 * for each kind of nodes how it is compiled. Equal subexpressions share a register.
 */
#include "base/quote.h"
#include "plan/kinds.h"

enum { MAX_REGS = 256, MAX_INSTRS = 256, ROOM = 4 };

struct axt_seen { /* which node, at which index map, is in which register */
	const struct axt_expr *e;
	const struct axt_index_map *index_map;
	int reg;
	struct axt_seen *next;
};

/* Makes space for one more element in an array of n. NULL: out of memory. */
static void *
grown(struct axt_compiler *c, void *a, int n, size_t size)
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
full(struct axt_compiler *c, const char *what, int most)
{
	c->full = true;
	axt_fail(&c->g->err, AXT_E_LIMIT, "an expression has more than %d %s in one pass", most,
	    what);
	return -1;
}

static int
new_reg(struct axt_compiler *c, enum axt_dtype d)
{
	struct axt_prog *p = &c->s->prog;

	if (p->nregs == MAX_REGS)
		return full(c, "values", MAX_REGS);
	p->reg = grown(c, p->reg, p->nregs, sizeof(*p->reg));
	if (!p->reg)
		return -1;
	p->reg[p->nregs] = (struct axt_reg){ .dtype = d, .operand = -1 };
	return p->nregs++;
}

static int
constant(struct axt_compiler *c, enum axt_dtype d, const void *value)
{
	int r = new_reg(c, d);

	if (r >= 0) {
		c->s->prog.reg[r].value = value;
		c->s->prog.reg[r].scalar = true;
	}
	return r;
}

static struct axt_instr *
new_instr(struct axt_compiler *c, const struct axt_expr *e)
{
	struct axt_prog *p = &c->s->prog;

	if (p->ninstrs == MAX_INSTRS) {
		full(c, "operations", MAX_INSTRS);
		return NULL;
	}
	p->instr = grown(c, p->instr, p->ninstrs, sizeof(*p->instr));
	if (!p->instr)
		return NULL;
	p->instr[p->ninstrs] = (struct axt_instr){ .node = e };
	return &p->instr[p->ninstrs++];
}

/*
 * Adds an instruction with one argument, register `in`, and a new register of dtype `to` for its
 * result. NULL: the graph has the error.
 */
static struct axt_instr *
unary(struct axt_compiler *c, const struct axt_expr *e, int in, enum axt_dtype to, const char *name)
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
convert(struct axt_compiler *c, const struct axt_expr *e, int reg, enum axt_dtype to,
    enum axt_overflow mode)
{
	enum axt_dtype from = c->s->prog.reg[reg].dtype;
	axt_conv_fn *fn = axt_kern_conv(to, from, mode);
	struct axt_instr *i;

	if (from == to)
		return reg;
	/* another output may have the same conversion */
	for (int k = 0; k < c->s->prog.ninstrs; k++) {
		i = &c->s->prog.instr[k];
		if (i->kind == AXT_INSTR_CONV && i->in[0] == reg && i->conv == fn &&
		    c->s->prog.reg[i->out].dtype == to)
			return i->out;
	}
	i = unary(c, e, reg, to, axt_dtypes[to].name);
	if (!i)
		return -1;
	i->kind = AXT_INSTR_CONV;
	i->mode = mode;
	i->conv = fn;
	return i->out;
}

/* Sets the strides of the operand along the dimensions of the space, from those of its storage. */
static int
lay(struct axt_compiler *c, struct axt_operand *op)
{
	const struct axt_expr *e = op->node;
	int64_t stride[AXT_MAX_RANK];

	if (e->kind == AXT_NODE_LEAF && !axt_is_held(c->pl, e))
		return axt_operand_lay(c->g, op, &c->s->sp, e->u.leaf.view.stride,
		    e->u.leaf.view.offset);
	/* values that are computed for the step are row-major */
	for (int64_t i = e->axes.n - 1, n = 1; i >= 0; i--) {
		stride[i] = n;
		n *= e->axes.a[i].len;
	}
	return axt_operand_lay(c->g, op, &c->s->sp, stride, 0);
}

static struct axt_operand *
new_operand(struct axt_compiler *c, const struct axt_expr *e, const struct axt_index_map *index_map)
{
	struct axt_prog *p = &c->s->prog;

	if (p->noperands == AXT_MAX_OPERANDS) {
		full(c, "tensors", AXT_MAX_OPERANDS);
		return NULL;
	}
	p->operand = grown(c, p->operand, p->noperands, sizeof(*p->operand));
	if (!p->operand)
		return NULL;
	p->operand[p->noperands] = (struct axt_operand){ .node = e,
		.size = axt_size(e->dtype),
		.index_map = index_map };
	return &p->operand[p->noperands];
}

static int
operand(struct axt_compiler *c, const struct axt_expr *e, const struct axt_index_map *index_map)
{
	struct axt_prog *p = &c->s->prog;
	struct axt_storage_facts f = { 0 };
	struct axt_operand *op = new_operand(c, e, index_map);
	int r;

	if (!op)
		return -1;
	if (axt_is_held(c->pl, e) || axt_plan_kinds[e->kind]->step) {
		op->access = AXT_ACCESS_MAPPED; /* an earlier step stored these values in memory */
	} else if (e->kind != AXT_NODE_LEAF) {
		op->source = axt_plan_kinds[e->kind]->source;
		if (e->kind == AXT_NODE_DOT && !(op->product = axt_product_new(c->pl, e)))
			return -1;
	} else {
		op->st = e->u.leaf.st;
		c->pl->facts(op->st, &f);
		if (f.fill)
			return constant(c, e->dtype, f.fill);
		op->source = f.source;
		op->pipe = f.pipe;
		op->access = f.memory ? AXT_ACCESS_MAPPED : AXT_ACCESS_PIECES;
	}
	if (axt_source_traits[op->source].reach == AXT_REACH_SLABS) {
		op->window = axt_alloc(c->g->m, sizeof(*op->window));
		if (!op->window)
			return axt_fail(&c->g->err, AXT_E_MEM, "out of memory"), -1;
		op->window->axis = -1;
	}
	if (lay(c, op))
		return -1;
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
 * The packed tensor of e, if e is UNPACK, MASK and a conversion of a tensor, as opened datasets
 * with the attributes of CF are, and p, the arguments of the kernel that does all three. NULL: e is
 * something else, or there is no such kernel.
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
		n += p[2 + n] == p[2 + n]; /* NaN means missing anyway */
	}
	if (e->kind != AXT_NODE_CONV || !axt_kern_unpack(e->dtype, e->arg[0]->dtype))
		return NULL;
	return e->arg[0];
}

static int
unpack(struct axt_compiler *c, const struct axt_expr *e, const struct axt_expr *from,
    const double p[4], int in)
{
	struct axt_instr *i = unary(c, e, in, e->dtype, "unpack");

	if (!i)
		return -1;
	i->kind = AXT_INSTR_UNPACK;
	i->unpack = axt_kern_unpack(e->dtype, from->dtype);
	memcpy(i->packing, p, sizeof(i->packing));
	return i->out;
}

static bool
is_map(const struct axt_expr *e, enum axt_op op)
{
	return e->kind == AXT_NODE_MAP && e->u.op == op;
}

/* Whether e compares x with a constant, *v. */
static bool
compares(const struct axt_expr *e, enum axt_op op, const struct axt_expr *x, double *v)
{
	return is_map(e, op) && e->arg[0] == x && constant_of(e->arg[1], v);
}

/* Whether e is the bin of each element of f64, e->arg[0], by edges that b gets. */
static bool
guesses_bins(const struct axt_expr *e, struct axt_bins *b)
{
	b->f32 = is_map(e, AXT_OP_BINF);
	/* of narrower bins the kernel would have no inverse */
	return (b->f32 || is_map(e, AXT_OP_BIN)) && e->dtype == AXT_F64 &&
	    constant_of(e->arg[1], &b->lo) && constant_of(e->arg[2], &b->step) &&
	    __builtin_isnormal(b->step) && __builtin_isnormal(1 / b->step);
}

/* Whether f32 holds all values of the dtype. */
static bool
fits_f32(enum axt_dtype d)
{
	return d == AXT_F32 || axt_size(d) <= 2;
}

/*
 * The tensor whose bins e has, if e is what bin_of in groups/hist.c makes, and the bins. It is
 * without its conversion to f64 if f32 holds it, too. NULL: e is something else.
 */
static const struct axt_expr *
binned(const struct axt_expr *e, struct axt_bins *b)
{
	const struct axt_expr *where = e->arg[0], *in, *bin, *x;
	double last, none;

	if (e->dtype != AXT_I32 || !is_map(where, AXT_OP_WHERE) ||
	    !is_map(where->arg[0], AXT_OP_AND) || !is_map(where->arg[1], AXT_OP_MINIMUM) ||
	    !constant_of(where->arg[2], &none) || none != -1)
		return NULL;
	in = where->arg[0];
	bin = where->arg[1]->arg[0];
	if (!guesses_bins(bin, b) || !constant_of(where->arg[1]->arg[1], &last) ||
	    !(last >= 0 && last < INT32_MAX))
		return NULL;
	b->last = (int32_t)last;
	x = bin->arg[0];
	if (!compares(in->arg[0], AXT_OP_GE, x, &b->least) ||
	    !compares(in->arg[1], AXT_OP_LE, x, &b->greatest))
		return NULL;
	return x->kind == AXT_NODE_CONV && fits_f32(x->arg[0]->dtype) ? x->arg[0] : x;
}

static bool
is_wide_integer(enum axt_dtype d)
{
	return d == AXT_I64 || d == AXT_U64;
}

/* Whether e is NaN where integers of 64 bits equal a constant, and otherwise e->arg[2]. */
static bool
masks_integers(const struct axt_expr *e)
{
	const struct axt_expr *is = e->arg[0];
	double nan;

	return e->kind == AXT_NODE_MAP && e->u.op == AXT_OP_WHERE && is->kind == AXT_NODE_MAP &&
	    is->u.op == AXT_OP_EQ && is_wide_integer(is->arg[0]->dtype) &&
	    is->arg[1]->kind == AXT_NODE_CONST && is->arg[1]->dtype == is->arg[0]->dtype &&
	    constant_of(e->arg[1], &nan) && nan != nan;
}

/*
 * The conversion to f64 in e, if e converts integers of 64 bits of which some mean missing values
 * and become NaN, as in opened datasets. apart[0..*n) gets the bits of those integers. NULL: e is
 * something else.
 */
static const struct axt_expr *
masked_integers(const struct axt_expr *e, uint64_t apart[AXT_APART], int *n)
{
	const struct axt_expr *from = NULL;

	for (*n = 0; *n < AXT_APART && masks_integers(e); e = e->arg[2]) {
		if (from && from != e->arg[0]->arg[0])
			return NULL;
		from = e->arg[0]->arg[0];
		memcpy(&apart[(*n)++], e->arg[0]->arg[1]->u.val.bytes, 8);
	}
	if (!from || e->kind != AXT_NODE_CONV || e->dtype != AXT_F64 || e->arg[0] != from)
		return NULL;
	return e;
}

/* Has it told where e, integers with numbers for missing values, is rounded to f64. */
static int
tell_rounded(struct axt_compiler *c, const struct axt_expr *e)
{
	uint64_t apart[AXT_APART] = { 0 };
	int n;
	const struct axt_expr *conv = masked_integers(e, apart, &n);
	struct axt_instr *i = c->s->prog.instr;

	for (int k = 0; conv && k < c->s->prog.ninstrs; k++, i++) {
		if (i->kind != AXT_INSTR_CONV || i->node != conv)
			continue;
		i->wrapped = axt_alloc(c->g->m, sizeof(*i->wrapped));
		i->apart = axt_alloc(c->g->m, sizeof(apart));
		if (!i->wrapped || !i->apart)
			return axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
		memcpy(i->apart, apart, sizeof(apart));
		i->napart = n;
	}
	return 0;
}

/* Adds the instruction that computes e from its arguments in registers in[]. */
static int
map(struct axt_compiler *c, const struct axt_expr *e, const int in[3])
{
	struct axt_prog *p = &c->s->prog;
	const struct axt_expr *first = e->arg[e->u.op == AXT_OP_WHERE];
	struct axt_op_types ty;
	struct axt_instr *i;
	bool scalar = true;
	int r;

	for (int k = 0; k < e->nargs; k++)
		scalar = scalar && p->reg[in[k]].scalar;
	/*
	 * The arguments have been converted to the dtype that is computed in, which may be wider
	 * than that of the result (f16). So the dtypes of the operation are looked up again.
	 */
	if (!axt_op_types(e->u.op, first->dtype, &ty)) {
		axt_fail(&c->g->err, AXT_E_DTYPE, "%s is not defined for %s", axt_ops[e->u.op].name,
		    axt_dtypes[first->dtype].name);
		return -1;
	}
	r = new_reg(c, ty.kout);
	if (r < 0 || tell_rounded(c, e) || !(i = new_instr(c, e)))
		return -1;
	p->reg[r].scalar = scalar;
	i->kind = AXT_INSTR_MAP;
	i->map = axt_kern_map(e->u.op, first->dtype);
	i->name = axt_ops[e->u.op].name;
	i->nin = e->nargs;
	memcpy(i->in, in, sizeof(i->in));
	i->out = r;
	if ((axt_dtypes[first->dtype].cls == AXT_CLASS_INT ||
		axt_dtypes[first->dtype].cls == AXT_CLASS_UINT) &&
	    !(i->wrapped = axt_alloc(c->g->m, sizeof(*i->wrapped))))
		return axt_fail(&c->g->err, AXT_E_MEM, "out of memory"), -1;
	if (!i->map) {
		axt_fail(&c->g->err, AXT_E_DTYPE, "no kernel for %s of %s", i->name,
		    axt_dtypes[first->dtype].name);
		return -1;
	}
	return convert(c, e, r, e->dtype, AXT_OVERFLOW_WRAP);
}

/* Has the values of e stored by an earlier step. Planning starts again for that. */
static int
hold(struct axt_compiler *c, const struct axt_expr *e)
{
	if (!c->g->err.code) {
		axt_fail(&c->g->err, AXT_E_LIMIT, "%s cannot be taken apart like that", e->from);
		axt_learned(c->pl, e)->hold = c->pl->again = true;
	}
	return -1;
}

/* ---- nodes on their way ---- */

bool
axt_asks(struct axt_asked *want, const struct axt_expr *e, const struct axt_index_map *index_map)
{
	want->e = e;
	if (index_map != &want->index_map)
		want->index_map = *index_map;
	return true;
}

static bool
begin_operand(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, operand(c, f->e, f->index_map));
}

const struct axt_plan_kind axt_plan_operand = { .begin = begin_operand };
const struct axt_plan_kind axt_plan_generated = { .begin = begin_operand,
	.source = AXT_SOURCE_GENERATED };

static bool
begin_value(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, constant(c, f->e->dtype, f->e->u.val.bytes));
}

const struct axt_plan_kind axt_plan_value = { .begin = begin_value };

/* An error, returned as -1, if a placeholder of e has no value. */
static int
unbound(struct axt_graph *g, const struct axt_expr *e)
{
	const char *name = axt_escape(g->m, e->u.place);

	axt_fail(&g->err, AXT_E_ARG, "placeholder \"%s\" (%s) has no value", name,
	    axt_axes_text(g->m, &e->axes));
	axt_hint(&g->err, "axt-bind %s gives it one", axt_typed(g->m, "%s=FILE:DATASET", name));
	return -1;
}

static bool
begin_unbound(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, unbound(c->g, f->e));
}

const struct axt_plan_kind axt_plan_unbound = { .begin = begin_unbound };

/* Nodes whose values a step of their own has stored. */
const struct axt_plan_kind axt_plan_reduce = {
	.begin = begin_operand, .step = axt_reduce_step, .any_order = true, .reduces = true
};
const struct axt_plan_kind axt_plan_gufunc = { .begin = begin_operand, .step = axt_gufunc_step };

static bool
begin_product(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, c->s->apart ? hold(c, f->e) : operand(c, f->e, f->index_map));
}

const struct axt_plan_kind axt_plan_product = { .begin = begin_product,
	.source = AXT_SOURCE_PRODUCT,
	.heavy = true };

/* ---- views ---- */

/* Whether no elements are needed of e. Register *reg then gets any value. */
static bool
is_empty(struct axt_compiler *c, const struct axt_expr *e, int *reg)
{
	static const uint8_t zero[16];

	if (axt_count(e) != 0)
		return false;
	*reg = constant(c, e->dtype, zero);
	return true;
}

/* Asks for the argument of a view, at want->index_map, if its index map could be found (told). */
static bool
look(struct axt_compiler *c, const struct axt_expr *e, bool told, int *reg, struct axt_asked *want)
{
	const struct axt_expr *a = e->arg[0];

	if (!told)
		return axt_gives(reg, hold(c, e));
	/* products can compute only the rows and columns that they have */
	if (axt_plan_kinds[a->kind]->heavy && !axt_is_held(c->pl, a) && !axt_is_relabel(e))
		return axt_gives(reg, hold(c, a));
	return axt_asks(want, a, &want->index_map);
}

static bool
begin_view(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	return !is_empty(c, f->e, reg) &&
	    look(c, f->e, axt_index_map_view(c->g, &c->s->sp, f->e, f->index_map, &want->index_map),
		reg, want);
}

const struct axt_plan_kind axt_plan_view = { .begin = begin_view, .way = AXT_WAY_LOOKS };

static bool
begin_flatten(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	return !is_empty(c, f->e, reg) &&
	    look(c, f->e,
		axt_index_map_flatten(c->pl, &c->s->sp, f->e, f->index_map, &want->index_map), reg,
		want);
}

const struct axt_plan_kind axt_plan_flatten = { .begin = begin_flatten, .way = AXT_WAY_LOOKS };

/* ---- operands made of parts ---- */

/* Makes an operand of the parts j. */
static int
parts(struct axt_compiler *c, const struct axt_expr *e, const struct axt_index_map *p,
    struct axt_parts *j)
{
	struct axt_operand *op;
	int r;

	if (axt_parts_compile(c->pl, c->s, e, p, j) || !(op = new_operand(c, e, p)))
		return -1;
	op->source = AXT_SOURCE_PARTS;
	op->joined = j;
	op->v.nd = c->s->sp.nd;
	memcpy(op->v.shape, c->s->sp.len, sizeof(c->s->sp.len));
	for (int k = 0; k < j->nparts; k++)
		for (int i = 0; i < j->part[k]->prog.noperands; i++)
			j->slabbed = j->slabbed || axt_is_slabbed(&j->part[k]->prog.operand[i]);
	r = new_reg(c, e->dtype);
	if (r < 0)
		return -1;
	c->s->prog.reg[r].operand = c->s->prog.noperands++;
	return r;
}

static bool
begin_concat(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	struct axt_parts *j;

	if (is_empty(c, f->e, reg))
		return false;
	j = axt_parts_concat(c->g, &c->s->sp, f->e, f->index_map);
	if (!j)
		return axt_gives(reg, hold(c, f->e));
	if (j->nparts > 1)
		return axt_gives(reg, parts(c, f->e, f->index_map, j));
	if (!axt_parts_index_map(c->g, &c->s->sp, j, f->e, f->index_map, 0, &want->index_map))
		return axt_gives(reg, hold(c, f->e));
	return axt_asks(want, f->e->arg[j->arg[0]], &want->index_map);
}

const struct axt_plan_kind axt_plan_concat = { .begin = begin_concat };

/* ---- nodes that are computed ---- */

static bool
unpacked(struct axt_compiler *c, struct axt_frame *f, int in, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, unpack(c, f->e, f->from, f->packing, in));
}

/* Asks for the next argument, or computes the node if all are compiled. */
static bool
next_argument(struct axt_compiler *c, struct axt_frame *f, int in, int *reg, struct axt_asked *want)
{
	const struct axt_expr *e = f->e;

	f->in[f->nin - 1] = in;
	if (f->nin == e->nargs)
		return axt_gives(reg, map(c, e, f->in));
	axt_index_map_sub(f->index_map, &e->axes, &e->arg[f->nin]->axes, &want->index_map);
	return axt_asks(want, e->arg[f->nin], &want->index_map);
}

static bool
begin_map(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	const struct axt_expr *e = f->e;
	struct axt_parts *j;

	if (e->nargs > ARRAY_LEN(f->in)) {
		j = axt_parts_folded(c->g, e);
		return axt_gives(reg, j ? parts(c, e, f->index_map, j) : -1);
	}
	f->from = packed(e, f->packing);
	f->go_on = f->from ? unpacked : next_argument;
	if (f->from)
		return axt_asks(want, f->from, f->index_map);
	axt_index_map_sub(f->index_map, &e->axes, &e->arg[0]->axes, &want->index_map);
	return axt_asks(want, e->arg[0], &want->index_map);
}

const struct axt_plan_kind axt_plan_map = { .begin = begin_map, .way = AXT_WAY_COMPUTES };

static bool
converted(struct axt_compiler *c, struct axt_frame *f, int in, int *reg, struct axt_asked *want)
{
	(void)want;
	return axt_gives(reg, convert(c, f->e, in, f->e->dtype, f->e->u.overflow));
}

static bool
in_bins(struct axt_compiler *c, struct axt_frame *f, int in, int *reg, struct axt_asked *want)
{
	struct axt_bins *b = axt_alloc(c->g->m, sizeof(*b));
	struct axt_instr *i;

	(void)want;
	if (!b)
		return axt_fail(&c->g->err, AXT_E_MEM, "out of memory"), axt_gives(reg, -1);
	*b = f->bins;
	if (f->from->dtype != AXT_F64)
		in = convert(c, f->e, in, AXT_F32, AXT_OVERFLOW_ERROR);
	i = unary(c, f->e, in, AXT_I32, "bins");
	if (!i)
		return axt_gives(reg, -1);
	i->kind = AXT_INSTR_BINS;
	i->bins = b;
	return axt_gives(reg, i->out);
}

static bool
begin_conv(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	(void)reg;
	f->from = c->pl->o->device ? NULL : binned(f->e, &f->bins);
	f->go_on = f->from ? in_bins : converted;
	return axt_asks(want, f->from ? f->from : f->e->arg[0], f->index_map);
}

const struct axt_plan_kind axt_plan_conv = { .begin = begin_conv, .way = AXT_WAY_COMPUTES };

const struct axt_plan_kind *const axt_plan_kinds[] = {
#define ROW(ID, name, plan) [AXT_NODE_##ID] = &axt_plan_##plan,
	AXT_NODES(ROW)
#undef ROW
};

/* ---- compiling a program ---- */

static bool
begin(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want)
{
	const struct axt_plan_kind *k = axt_plan_kinds[f->e->kind];

	return axt_is_held(c->pl, f->e) ? begin_operand(c, f, reg, want)
					: k->begin(c, f, reg, want);
}

/* Continues with the node of frame f; what it asked for is in register `in`. */
static bool
go_on(struct axt_compiler *c, struct axt_frame *f, int in, int *reg, struct axt_asked *want)
{
	f->nin++;
	return f->go_on ? f->go_on(c, f, in, reg, want) : axt_gives(reg, in);
}

/* The register that has the node at this index map already; -1: none. */
static int
seen(const struct axt_compiler *c, const struct axt_expr *e, const struct axt_index_map *p)
{
	for (const struct axt_seen *x = c->s->prog.seen; x; x = x->next)
		if (x->e == e && axt_index_map_equal(x->index_map, p))
			return x->reg;
	return -1;
}

static struct axt_frame *
new_frame(struct axt_compiler *c, const struct axt_asked *want, struct axt_frame *up)
{
	struct axt_index_map *kept = axt_alloc(c->g->m, sizeof(*kept));
	struct axt_frame *f = axt_alloc(c->g->m, sizeof(*f));

	if (!f || !kept) {
		axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*kept = want->index_map;
	*f = (struct axt_frame){ .e = want->e, .index_map = kept, .up = up };
	return f;
}

/* Records that the node of f is in register r. */
static bool
note(struct axt_compiler *c, const struct axt_frame *f, int r)
{
	struct axt_seen *n = axt_alloc(c->g->m, sizeof(*n));

	if (!n) {
		axt_fail(&c->g->err, AXT_E_MEM, "out of memory");
		return false;
	}
	*n = (struct axt_seen){ f->e, f->index_map, r, c->s->prog.seen };
	c->s->prog.seen = n;
	return true;
}

/*
 * The node whose values can be stored so that e need not be computed in this program: e itself or,
 * if e is a view of a node with fewer elements, that node. NULL: nothing of e is computed here.
 */
static const struct axt_expr *
computed(const struct axt_planner *pl, const struct axt_expr *e)
{
	const struct axt_expr *a = e;

	while (axt_plan_kinds[a->kind]->way == AXT_WAY_LOOKS && !axt_is_held(pl, a))
		a = a->arg[0];
	if (axt_is_held(pl, a) || axt_plan_kinds[a->kind]->way != AXT_WAY_COMPUTES)
		return NULL;
	return axt_is_held(pl, e) || axt_count(a) < axt_count(e) ? a : e;
}

/*
 * Called if the program is full: has one of the arguments that are compiled already stored by an
 * earlier step, with everything that it is computed from. If no argument can be, the error of the
 * full program remains.
 */
static void
make_room(struct axt_compiler *c, const struct axt_frame *f)
{
	const struct axt_expr *a = NULL;

	for (; f && !a; f = f->up)
		for (int k = 0; k < MIN(f->nin, f->e->nargs) && !a; k++)
			a = computed(c->pl, f->e->arg[k]);
	if (!a || c->s->strict)
		return;
	c->g->err = (struct axt_err){ 0 };
	hold(c, a);
}

static int
compile(struct axt_compiler *c, const struct axt_expr *e, const struct axt_index_map *p)
{
	struct axt_asked want = { e, *p };
	struct axt_frame *f = NULL;
	int r;

	for (;;) {
		bool more = false, ok = true;

		r = seen(c, want.e, &want.index_map);
		if (r < 0) {
			f = new_frame(c, &want, f);
			more = f && begin(c, f, &r, &want);
			ok = more || (f && r >= 0 && note(c, f, r));
			f = ok && !more ? f->up : f;
		}
		/* r is the register that f waits for, and then that of f itself */
		while (ok && !more && f) {
			more = go_on(c, f, r, &r, &want);
			ok = more || (r >= 0 && note(c, f, r));
			f = ok && !more ? f->up : f;
		}
		if (ok && !more)
			return r;
		if (!ok)
			break;
	}
	if (f && c->full)
		make_room(c, f);
	return -1;
}

int
axt_compile(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e,
    const struct axt_index_map *index_map, int *reg)
{
	struct axt_graph *g = pl->g;
	struct axt_compiler c = { .pl = pl, .g = g, .s = s };

	if (!s->prog.seen)
		s->prog.weight = s->prog.group = -1;
	*reg = g->err.code ? -1 : compile(&c, e, index_map);
	return *reg < 0 ? axt_fail(&g->err, AXT_E_MEM, "out of memory") : 0;
}

int
axt_compile_parts(struct axt_planner *pl, struct axt_step *s, struct axt_parts *j,
    const struct axt_expr *e, const struct axt_index_map *p)
{
	struct axt_graph *g = pl->g;
	struct axt_compiler c = { .pl = pl, .g = g, .s = s };
	int r = parts(&c, e, p, j);

	if (r >= 0 && j->whole) {
		struct axt_operand *op = &s->prog.operand[s->prog.reg[r].operand];

		op->node = e->arg[j->arg[0]];
		op->size = axt_size(op->node->dtype);
	}
	return r < 0 ? axt_fail(&g->err, AXT_E_MEM, "out of memory"), -1 : s->prog.reg[r].operand;
}

int
axt_compile_conv(struct axt_graph *g, struct axt_step *s, int *reg, enum axt_dtype to)
{
	struct axt_compiler c = { .g = g, .s = s };

	*reg = convert(&c, s->out[0].node, *reg, to, AXT_OVERFLOW_ERROR);
	return *reg < 0 ? g->err.code : 0;
}
