/*
 * bands.c - finds steps that are run together, as a pass. If steps pass results on along axes that
 * all of them keep, these axes can be cut into bands: each band goes through all steps before the
 * next one begins, so that what the steps share is read into the cache once.
 */
#include "plan/steps.h"

/*
 * These sizes were measured. A band with more bytes than COLUMNS_BYTES_MAX or RUNS_BYTES_MAX is
 * read from memory again anyway.
 */
#define BAND_BYTES (1 << 20) /* what the steps of a pass read for a band fits in the L2 of a core */
/* columns of a band; shorter rows cost more than bands save */
#define COLUMNS_MIN 256
#define COLUMNS_BYTES_MAX (4 << 20) /* the most bytes of a band with so few columns */
#define RUNS_BYTES_MAX (8 << 20)    /* the most bytes of a band of a single run */
#define PIECE_MIN (16 << 10)        /* bytes of the pieces that a band writes, if it writes much */

struct chain {
	struct axt_step *step[AXT_MAX_PASS];
	int n;
	/* [axis][step]: the dimension that is the axis, for each axis that is cut */
	int naxes, dim[AXT_MAX_DIMS][AXT_MAX_PASS];
	int64_t len[AXT_MAX_DIMS], ext[AXT_MAX_DIMS];
};

/* The dimension of a step that is axis i of its results. */
static int
result_dim(const struct axt_step *s, int i)
{
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	return a + i;
}

/* The index of the step in the chain whose result e is, or -1. */
static int
made_by(const struct chain *c, const struct axt_expr *e)
{
	for (int k = 0; k < c->n; k++)
		for (int j = 0; j < c->step[k]->nouts; j++)
			if (c->step[k]->out[j].node == e && c->step[k]->out[j].result < 0)
				return k;
	return -1;
}

/*
 * Finds the dimension of every step that is axis i of the last step's results. Returns false if
 * there is none, or if a step uses the results of earlier steps at another index than its own.
 */
static bool
follow(const struct chain *c, int i, int dim[AXT_MAX_PASS])
{
	int axis[AXT_MAX_PASS];

	for (int k = 0; k < c->n; k++)
		axis[k] = -1;
	axis[c->n - 1] = i;
	for (int k = c->n - 1; k >= 0; k--) {
		const struct axt_prog *p = &c->step[k]->prog;

		if (axis[k] < 0)
			return false;
		dim[k] = result_dim(c->step[k], axis[k]);
		for (int j = 0; j < p->noperands; j++) {
			const struct axt_operand *op = &p->operand[j];
			int m = made_by(c, op->node), t;

			if (m < 0)
				continue;
			for (t = 0; t < op->node->axes.n &&
			     axt_operand_dim(op, &c->step[k]->sp, t) != dim[k];
			     t++)
				;
			if (t == op->node->axes.n || (axis[m] >= 0 && axis[m] != t))
				return false;
			axis[m] = t;
		}
	}
	return true;
}

/* ---- sizes ---- */

static bool
is_first(const struct chain *c, int k, int j)
{
	const struct axt_expr *e = c->step[k]->prog.operand[j].node;

	for (int a = 0; a <= k; a++)
		for (int b = 0; b < (a < k ? c->step[a]->prog.noperands : j); b++)
			if (c->step[a]->prog.operand[b].node == e)
				return false;
	return true;
}

/* The bytes that the steps read for a band, with each tensor counted once. */
static double
band_bytes(const struct chain *c)
{
	double sum = 0;

	for (int k = 0; k < c->n; k++)
		for (int j = 0; j < c->step[k]->prog.noperands; j++) {
			const struct axt_operand *op = &c->step[k]->prog.operand[j];
			double bytes = op->size;

			if (op->source == AXT_SOURCE_GENERATED || !is_first(c, k, j))
				continue;
			for (int t = 0; t < op->node->axes.n; t++) {
				int64_t n = op->node->axes.a[t].len;

				for (int i = 0; i < c->naxes; i++)
					n = c->dim[i][k] == axt_operand_dim(op, &c->step[k]->sp, t)
					    ? c->ext[i]
					    : n;
				bytes *= (double)n;
			}
			sum += bytes;
		}
	return sum;
}

/* Whether two steps read the same tensor, one that no step of the chain makes. */
static bool
shares(const struct chain *c)
{
	for (int k = 1; k < c->n; k++)
		for (int j = 0; j < c->step[k]->prog.noperands; j++)
			if (c->step[k]->prog.operand[j].node->kind == AXT_NODE_LEAF &&
			    !is_first(c, k, j))
				return true;
	return false;
}

/* Cuts the axes, the last one least, until a band fits in the cache. */
static bool
size_band(struct chain *c, const struct axt_plan_opts *o)
{
	double most = RUNS_BYTES_MAX;
	int64_t bands = 1, least = 1;

	for (int k = 0; k < c->n; k++)
		if (axt_step_fns(c->step[k])->columns && !o->tile) {
			least = COLUMNS_MIN;
			most = COLUMNS_BYTES_MAX;
		}
	for (int i = 0; i < c->naxes; i++)
		c->ext[i] = 1;
	for (int i = c->naxes - 1; i >= 0; i--) {
		double bytes = o->tile ? (double)o->tile * 8 : BAND_BYTES;
		int64_t fit = MAX(least, (int64_t)MIN(bytes / band_bytes(c), 1e15)), n;

		n = (c->len[i] + fit - 1) / fit;
		/* so that all bands have about the same length */
		c->ext[i] = (c->len[i] + n - 1) / n;
		if (n > 1)
			c->ext[i] = MIN((c->ext[i] + 15) / 16 * 16, fit);
		least = (least + c->ext[i] - 1) / c->ext[i];
		if (c->ext[i] < c->len[i])
			break;
	}
	for (int i = 0; i < c->naxes; i++)
		bands *= (c->len[i] + c->ext[i] - 1) / c->ext[i];
	return bands >= 2 * o->threads && (o->tile || band_bytes(c) <= most);
}

/*
 * Whether the operands of steps that reduce into columns are contiguous, or constant, along the
 * last of the axes that bands cut.
 */
static bool
columns_lie_well(const struct chain *c)
{
	for (int k = 0; k < c->n; k++)
		for (int j = 0; j < c->step[k]->prog.noperands; j++) {
			const struct axt_operand *op = &c->step[k]->prog.operand[j];
			int64_t stride = op->v.stride[c->dim[c->naxes - 1][k]];

			/* runs side by side are gathered anyway */
			if (axt_step_fns(c->step[k])->columns && !c->step[k]->columns.side &&
			    !op->scalar && stride != 0 && stride != 1)
				return false;
		}
	return true;
}

/* ---- the results of bands ---- */

/* How many elements of a band are contiguous in the step's results. */
static int64_t
piece(const struct chain *c, int k, int nd)
{
	int64_t n = 1;

	for (int t = nd - 1; t >= 0; t--) {
		const struct axt_step *s = c->step[k];
		int64_t len = s->sp.len[result_dim(s, t)], part = len;

		for (int i = 0; i < c->naxes; i++)
			part = c->dim[i][k] == result_dim(s, t) ? c->ext[i] : part;
		n *= part;
		if (part < len)
			break;
	}
	return n;
}

/* Whether the results of the bands, one band after another, are in the order of the output. */
static bool
in_order(const struct chain *c, int k, int nd)
{
	int64_t band = 1;

	for (int t = 0; t < nd; t++) {
		const struct axt_step *s = c->step[k];
		int64_t part = s->sp.len[result_dim(s, t)];

		for (int i = 0; i < c->naxes; i++)
			part = c->dim[i][k] == result_dim(s, t) ? c->ext[i] : part;
		band *= part;
	}
	return piece(c, k, nd) == band;
}

/*
 * Whether bands write their results in the order that the sinks need, and in pieces that are long
 * enough to be worth a system call each.
 */
static bool
leaves_well(const struct chain *c, const struct axt_plan_opts *o)
{
	for (int k = 0; k < c->n; k++)
		for (int j = 0; j < c->step[k]->nouts; j++) {
			const struct axt_output *x = &c->step[k]->out[j];
			int64_t size = axt_size(x->dtype), n = piece(c, k, x->node->axes.n);

			if (x->result < 0)
				continue;
			if (o->ordered && (k < c->n - 1 || !in_order(c, k, x->node->axes.n)))
				return false;
			if (n * size < PIECE_MIN && c->step[k]->kept_count / n > (64 << 10))
				return false;
		}
	return true;
}

/* ---- passes ---- */

static bool
suits(const struct axt_step *s)
{
	if (axt_step_fns(s)->alone)
		return false;
	for (int j = 0; j < s->prog.noperands; j++)
		if (s->prog.operand[j].window || axt_is_in_order(&s->prog.operand[j]) ||
		    s->prog.operand[j].joined || s->prog.operand[j].jumps)
			return false;
	return s->kept_count > 0 && s->red_count > 0 && !s->split && s->red.groups == 1 &&
	    !s->red.states;
}

/* Makes steps [a, b] one pass, if that is possible and pays. */
static bool
share_pass(struct axt_step *const step[], int a, int b, const struct axt_plan_opts *o)
{
	struct chain c = { .n = b - a + 1 };

	for (int k = a; k <= b; k++) {
		if (!suits(step[k]))
			return false;
		c.step[k - a] = step[k];
	}
	for (int i = 0; i < step[b]->out[0].node->axes.n; i++) {
		c.len[c.naxes] = step[b]->sp.len[result_dim(step[b], i)];
		c.naxes += c.len[c.naxes] > 1 && follow(&c, i, c.dim[c.naxes]);
	}
	if (c.naxes == 0 || !shares(&c) || !columns_lie_well(&c) || !size_band(&c, o) ||
	    !leaves_well(&c, o))
		return false;
	for (int k = 0; k < c.n; k++) {
		c.step[k]->npass = k ? 0 : c.n;
		c.step[k]->nband = c.naxes;
		for (int i = 0; i < c.naxes; i++) {
			c.step[k]->band_dim[i] = c.dim[i][k];
			c.step[k]->band[i] = c.ext[i];
		}
	}
	return true;
}

void
axt_choose_bands(struct axt_plan *p, const struct axt_plan_opts *o)
{
	struct axt_step *step[64];
	int n = 0, a;

	for (struct axt_step *s = p->steps; s; s = s->next) {
		s->npass = 1;
		if (n < ARRAY_LEN(step))
			step[n++] = s;
	}
	for (int b = o->device ? 0 : n - 1; b > 0;
	     /* from the last step backwards, makes passes of as many steps as possible */
	     b = a - 1) {
		for (a = MAX(0, b - AXT_MAX_PASS + 1); a < b && !share_pass(step, a, b, o); a++)
			;
	}
}
