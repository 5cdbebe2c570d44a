/*
 * simplify.c - gives a step as few dimensions as possible: merges neighbouring dimensions along
 * which all operands advance evenly.
 */
#include "plan/steps.h"

/*
 * Lists all operands of a step and of the parts of its operands, in out from index n on. out NULL:
 * they are only counted. Returns the index after the last one.
 */
static int
all_operands(const struct axt_step *s, struct axt_operand **out, int n)
{
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			n = all_operands(op->joined->part[i], out, n);
		if (op->joined)
			continue;
		if (out)
			out[n] = op;
		n++;
	}
	return n;
}

/* What is needed while the dimensions of a step are simplified. */
struct simplifier {
	struct axt_step *s;
	int n;
	struct axt_operand **op;
	struct axt_view *view, **v;
	bool alone[AXT_MAX_DIMS]; /* [d]: dimension d is not merged with others */
	int now[AXT_MAX_DIMS];    /* [d]: the new index of dimension d, if it is not merged */
};

static void
mark_alone(const struct axt_step *s, bool alone[AXT_MAX_DIMS])
{
	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		for (int d = 0; d < s->sp.nd; d++)
			alone[d] = alone[d] || op->jump[d];
		if (op->joined && op->joined->dim >= 0)
			alone[op->joined->dim] = true;
		for (int c = 0; op->joined && c < op->joined->ncore; c++)
			alone[op->joined->core[c].dim] = true;
		for (int i = 0; op->joined && i < op->joined->nparts; i++)
			mark_alone(op->joined->part[i], alone);
	}
}

static int
simplifier_init(struct axt_graph *g, struct simplifier *x, struct axt_step *s)
{
	*x = (struct simplifier){ .s = s, .n = all_operands(s, NULL, 0) };
	x->op = axt_alloc(g->m, (size_t)(x->n + 1) * sizeof(*x->op));
	x->view = axt_alloc(g->m, (size_t)(x->n + 1) * sizeof(*x->view));
	x->v = axt_alloc(g->m, (size_t)(x->n + 1) * sizeof(*x->v));
	if (!x->op || !x->view || !x->v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	all_operands(s, x->op, 0);
	for (int k = 0; k <= x->n; k++)
		x->v[k] = &x->view[k];
	mark_alone(s, x->alone);
	for (int d = 0; d < s->sp.nd; d++)
		x->alone[d] = x->alone[d] || axt_step_fns(s)->keeps_dims;
	for (int i = 0; i < s->nband; i++)
		x->alone[s->band_dim[i]] = true;
	if (axt_slides(s))
		x->alone[s->columns.slide] = true;
	return 0;
}

/*
 * Simplifies dimensions [a, b) of all operands, and moves what is left to dimension `at` and those
 * after it. whole: dimensions are moved, but not merged. Returns how many are left.
 */
static int
simplify_group(struct simplifier *x, int a, int b, int at, bool whole)
{
	struct axt_step *s = x->s;
	struct axt_view *space = &x->view[x->n];
	int nd = b - a;

	for (int k = 0; k <= x->n; k++) {
		x->view[k].nd = nd;
		for (int d = a; d < b; d++) {
			x->view[k].shape[d - a] = s->sp.len[d];
			x->view[k].stride[d - a] = k < x->n ? x->op[k]->v.stride[d] : 0;
		}
	}
	if (!whole && b > a)
		nd = axt_view_simplify(x->n + 1, x->v, NULL);
	for (int k = 0; k < x->n; k++)
		for (int d = 0; d < b - a; d++) {
			const struct axt_sel *jump = x->op[k]->jump[a + d];

			x->op[k]->jump[a + d] = NULL;
			if (d < nd) {
				x->op[k]->v.stride[at + d] = x->view[k].stride[d];
				x->op[k]->jump[at + d] = jump;
			}
		}
	for (int d = 0; d < nd; d++) {
		s->sp.len[at + d] = space->shape[d];
		if (whole)
			x->now[a + d] = at + d;
	}
	return nd;
}

/* The same, but dimensions that are marked as alone are not merged. */
static int
simplify_range(struct simplifier *x, int a, int b, int at, bool whole)
{
	int n = 0;

	for (int d = a, e; d < b; d = e) {
		for (e = d + 1; e < b && !x->alone[d] && !x->alone[e]; e++)
			;
		n += simplify_group(x, d, e, at + n, whole || x->alone[d]);
	}
	return n;
}

/* Adds a dimension of length 1, if all dimensions of the linear group were merged away. */
static int
unit_dim(struct simplifier *x, int at)
{
	struct axt_step *s = x->s;

	s->sp.len[at] = 1;
	for (int k = 0; k < x->n; k++) {
		x->op[k]->v.stride[at] = 0;
		x->op[k]->jump[at] = NULL;
	}
	return 1;
}

/*
 * Lists in cut[] where the groups of dimensions begin that must not be merged with each other, in
 * order. The slab dimension is a group of its own, unless the run begins with it.
 */
static int
groups(const struct axt_step *s, const struct axt_marks *m, int cut[])
{
	int n = 0, a, b;

	cut[n++] = 0;
	for (int k = 0; k < m->n; k++)
		cut[n++] = *m->dim[k];
	if (s->red.group_at >= 0) {
		axt_step_fns(s)->kept(s, &a, &b);
		cut[n++] = a + s->red.group_at;
	}
	if (s->slab_dim >= 0) {
		cut[n++] = s->slab_dim;
		if (!axt_slab_in_run(s))
			cut[n++] = s->slab_dim + 1;
	}
	for (int i = 1; i < n; i++) /* there are only a few numbers to sort */
		for (int j = i; j > 0 && cut[j] < cut[j - 1]; j--) {
			int t = cut[j];

			cut[j] = cut[j - 1];
			cut[j - 1] = t;
		}
	return n;
}

/*
 * Sets the number of dimensions to nd, in the space of the step and in all of its operands. Parts
 * of an operand have spaces of their own, since their lengths differ.
 */
static void
settle_dims(const struct simplifier *x, struct axt_step *s, int nd)
{
	s->sp.nd = nd;
	s->sp.lin_len = 1;
	for (int d = s->sp.lin; d < nd; d++)
		s->sp.lin_len *= s->sp.len[d];
	for (int k = 0; k < s->prog.noperands; k++) {
		struct axt_operand *op = &s->prog.operand[k];

		op->v.nd = nd;
		memcpy(op->v.shape, s->sp.len, sizeof(s->sp.len));
		if (op->joined && op->joined->dim >= 0)
			op->joined->dim = x->now[op->joined->dim];
		for (int c = 0; op->joined && c < op->joined->ncore; c++)
			op->joined->core[c].dim = x->now[op->joined->core[c].dim];
		for (int i = 0; op->joined && i < op->joined->nparts; i++) {
			struct axt_step *part = op->joined->part[i];

			part->sp = s->sp;
			part->sp.lin = nd - 1;
			part->slab_dim = s->slab_dim;
			if (op->joined->dim >= 0)
				part->sp.len[op->joined->dim] = op->joined->sel[i].len;
			for (int c = 0; c < op->joined->ncore; c++)
				part->sp.len[op->joined->core[c].dim] = op->joined->core[c].len;
			settle_dims(x, part, nd);
		}
	}
}

/*
 * Moves mark k of the step to dimension `at`, where its group begins after simplification. If the
 * group before it is empty but must not be, that group gets a dimension of length 1.
 */
static int
move_mark(struct simplifier *x, const struct axt_marks *m, int k, int at)
{
	if (k == m->full + 1 && at == *m->dim[m->full])
		at += unit_dim(x, at);
	*m->dim[k] = at;
	return at;
}

int
axt_simplify(struct axt_graph *g, struct axt_step *s)
{
	const struct axt_step_fns *f = axt_step_fns(s);
	struct simplifier x;
	struct axt_marks m = f->marks ? f->marks(s) : (struct axt_marks){ 0 };
	int cut[10], n = groups(s, &m, cut), at = 0, slab = s->slab_dim, lin = s->sp.lin, old[2],
		     kept, end, group_at = s->red.group_at;
	bool in_run = axt_slab_in_run(s);

	if (simplifier_init(g, &x, s))
		return g->err.code;
	f->kept(s, &kept, &end);
	group_at += group_at >= 0 ? kept : 0;
	for (int k = 0; k < m.n; k++)
		old[k] = *m.dim[k];
	cut[n] = s->sp.nd;
	for (int i = 0; i < n; i++) {
		bool is_slab = cut[i] == slab && cut[i + 1] == slab + 1;

		for (int k = 0; k < m.n; k++)
			if (cut[i] == old[k])
				at = move_mark(&x, &m, k, at);
		if (group_at >= 0 && cut[i] == group_at) {
			f->kept(s, &kept, &end);
			s->red.group_at = at - kept;
		}
		if (cut[i] == slab)
			s->slab_dim = at;
		/* if slabs advance along the run, its first dimension is not merged */
		at += simplify_range(&x, cut[i], cut[i + 1], at,
		    is_slab || (in_run && cut[i] == lin));
	}
	if (axt_slides(s))
		s->columns.slide = x.now[s->columns.slide];
	for (int i = 0; i < s->nband; i++)
		s->band_dim[i] = x.now[s->band_dim[i]];
	if (at == 0 || (m.n > 0 && m.full == m.n - 1 && at == *m.dim[m.full]))
		at += unit_dim(&x, at);
	if (!f->lin_is_run)
		s->sp.lin = at - 1;
	settle_dims(&x, s, at);
	return 0;
}

int
axt_simplify_matrix(struct axt_graph *g, struct axt_matrix *m)
{
	struct axt_step *s = m->s;
	struct simplifier x;
	int outer = m->outer, lin = s->sp.lin, nd = s->sp.nd, at;

	if (simplifier_init(g, &x, s))
		return g->err.code;
	m->outer = simplify_range(&x, 0, outer, 0, false);
	at = m->outer + simplify_range(&x, outer, lin, m->outer, false);
	at += at == m->outer ? unit_dim(&x, at) : 0;
	s->sp.lin = at;
	at += simplify_range(&x, lin, nd, at, false);
	at += at == s->sp.lin ? unit_dim(&x, at) : 0;
	settle_dims(&x, s, at);
	return 0;
}
