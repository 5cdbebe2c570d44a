/*
 * choose.c - how an output is cut, so that its parts read and exchange little.
 *
 * An anomaly, t - mean(t, over=time), shows along which axis: cut along time, each part needs the
 * mean, and so reads all of t; cut along lat, each part reads its own share and nothing else.
 *
 * A product of matrices shows why one axis is not always enough. Cut along its rows, each of 64
 * parts needs all of the second matrix; cut as a grid of 8 by 8 pieces, an eighth of both. There is
 * no rule for products, though: a part of each cut that is tried is made, and its bytes counted.
 */
#include "jobs/exchange.h"

#define WORK 64   /* multiplications and additions that take as long as a byte that is read */
#define PAGE 4096 /* a run that is written to a plain file takes as long as so many bytes more */
#define SWEEPS 3  /* over all pairs of axes; hardly ever needed in full */
#define NODES \
	32768 /* as many nodes are made for the numbers of pieces that are tried without gap */
/* A grid moves no more than that: four parts of a square product move a tenth less as one. */
#define CLEARLY(line) ((line) - (line) / 12)

struct chooser {
	struct axt_graph *g;
	struct axt_expr *e;
	const int64_t *unit;
	int64_t parts;
	struct axt_needs needs; /* inputs that parts can exchange */
	struct axt_reads *of;   /* [needs.n] */
	struct axt_box *box;    /* [AXT_PART_BOXES] */
	int64_t dense;          /* numbers of pieces up to this one are all tried */
	bool begun;             /* what the graph keeps of the expression is made */
};

/* What a part moves, reading and exchanging, and how long it takes, in bytes read in order. */
struct effort {
	int64_t moved, time;
	int64_t received; /* of what is moved */
};

/* Multiplications and additions, of which products and reductions have more than elements. */
static int
work(struct axt_graph *g, struct axt_expr *e, int64_t *n)
{
	struct axt_nodes nodes = { 0 };

	if (axt_nodes(g, &e, 1, false, &nodes))
		return g->err.code;
	for (int i = 0; i < nodes.n; i++) {
		const struct axt_expr *x = nodes.e[i];
		int64_t k = 1;

		if (x->kind == AXT_NODE_REDUCE)
			*n = axt_plus(*n, axt_count(x->arg[0]));
		if (x->kind != AXT_NODE_DOT)
			continue;
		for (int j = 0; j < x->u.dot->nk; j++)
			k = axt_times(k, x->arg[0]->axes.a[x->u.dot->ka[j]].len);
		*n = axt_plus(*n, axt_times(k, axt_count(x)));
	}
	return 0;
}

/* How long it takes to write the box. */
static int64_t
written(const struct chooser *c, const struct axt_box *box)
{
	const struct axt_axes *x = &c->e->axes;
	int64_t bytes = axt_times(axt_box_count(box, x->n), axt_size(c->e->dtype));

	for (int i = 0; i < x->n; i++)
		if (c->unit[i] > 1)
			return bytes; /* whole chunks */
	return axt_plus(bytes, axt_times(axt_box_runs(box, x) - 1, PAGE));
}

/* Adds what part k moves of input i. */
static void
add_input(struct chooser *c, int i, int64_t k, struct effort *to)
{
	struct axt_need x = c->needs.l[i];
	struct axt_reads most = axt_leaf_reads(x.leaf, &x.box), own = c->of[i];
	int64_t received;

	/* what a part reads twice is in memory by then */
	own.bytes = MIN(own.bytes, most.bytes);
	own.time = MIN(own.time, most.time);
	x.read = axt_times(own.bytes, c->parts);
	if (axt_need_shared(&x, false)) {
		received = axt_times(axt_box_count(&x.box, x.leaf->axes.n),
			       axt_size(x.leaf->dtype)) -
		    axt_need_own(&c->needs, i, k, c->parts);
		own.bytes = axt_plus(axt_need_once(&x) / c->parts, received);
		own.time = own.bytes;
		to->received = axt_plus(to->received, received);
	}
	to->moved = axt_plus(to->moved, own.bytes);
	to->time = axt_plus(to->time, own.time);
}

/* What part k of the cut p takes. */
static int
count(struct chooser *c, const struct axt_partition *p, int64_t k, struct effort *out)
{
	struct axt_graph *g = c->g;
	int n = axt_partition_boxes(p, k, c->parts, c->box);
	struct axt_reads own = { 0 };
	int64_t ops = 0;

	*out = (struct effort){ 0 };
	for (int i = 0; i < c->needs.n; i++) {
		c->needs.l[i].box = (struct axt_box){ 0 };
		c->of[i] = (struct axt_reads){ 0 };
	}
	for (int i = 0; i < n; i++) {
		struct axt_expr *part = axt_narrowed(g, c->e, &c->box[i], &c->needs);

		if (axt_bad(part) || axt_part_effort(g, &part, 1, &c->needs, c->of, &own) ||
		    work(g, part, &ops))
			return g->err.code;
		out->time = axt_plus(out->time, written(c, &c->box[i]));
	}
	out->moved = own.bytes;
	out->time = axt_plus(out->time, axt_plus(own.time, ops / WORK));
	for (int i = 0; i < c->needs.n; i++)
		add_input(c, i, k, out);
	return 0;
}

/* What part k takes. What is made for that is freed: many cuts are tried. */
static int
effort(struct chooser *c, const struct axt_partition *p, int64_t k, struct effort *out)
{
	struct axt_graph *g = c->g;
	struct axt_arena *all = g->m;

	if (c->begun)
		g->m = axt_arena_new();
	if (g->m)
		count(c, p, k, out);
	else
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (g->m && g->m != all)
		axt_arena_free(g->m);
	g->m = all;
	c->begun = true;
	return g->err.code;
}

/*
 * What the part takes that takes longest. Where chunks are numbered along several axes, it may be
 * one that has the end of one row of them and the beginning of the next, so that it needs all
 * between.
 */
static int
slowest(struct chooser *c, const struct axt_partition *p, struct effort *out)
{
	int64_t k[2];
	int n = axt_partition_large(p, c->parts, k);
	struct effort x;

	*out = (struct effort){ 0 };
	for (int i = 0; i < n; i++) {
		if (effort(c, p, k[i], &x))
			return c->g->err.code;
		out->moved = MAX(out->moved, x.moved);
		out->received = MAX(out->received, x.received);
		out->time = MAX(out->time, x.time);
	}
	return 0;
}

static int
begin(struct chooser *c, bool together)
{
	struct axt_graph *g = c->g;
	struct axt_nodes nodes = { 0 };

	if ((together &&
		(axt_needs_of(g, &c->e, 1, &c->needs) ||
		    axt_needs_whole(g, &c->e, 1, &c->needs))) ||
	    axt_nodes(g, &c->e, 1, false, &nodes))
		return g->err.code;
	c->dense = MIN(MAX(NODES / nodes.n, 4), 128);
	c->of = axt_alloc(g->m, (size_t)c->needs.n * sizeof(*c->of) + 1);
	c->box = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*c->box));
	return c->of && c->box ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* ---- along one axis ---- */

/* The bytes that all parts move if e is cut along axis i alone. */
static int
moved_along(struct chooser *c, int i, int64_t *bytes)
{
	struct axt_partition p;
	struct effort x;
	int64_t parts = c->parts;

	axt_partition_make(&c->e->axes, c->unit, &i, 1, parts, &p);
	c->parts = MIN(p.chunks, parts);
	slowest(c, &p, &x);
	*bytes = axt_times(x.moved, c->parts);
	c->parts = parts;
	return c->g->err.code;
}

/* Sorts axes so that the one along which all parts move least comes first. */
static int
order(struct chooser *c, int *axis, int n)
{
	int64_t bytes[AXT_MAX_RANK];

	for (int k = 0; k < n; k++)
		if (moved_along(c, axis[k], &bytes[k]))
			return c->g->err.code;
	for (int m = 0; m < n; m++) {
		int64_t least = INT64_MAX, of;
		int best = m, which;

		for (int k = m; k < n; k++)
			least = MIN(least, bytes[k]);
		while (bytes[best] > axt_plus(least, least / 4))
			best++;
		which = axis[best];
		of = bytes[best];
		memmove(&axis[m + 1], &axis[m], (size_t)(best - m) * sizeof(axis[0]));
		memmove(&bytes[m + 1], &bytes[m], (size_t)(best - m) * sizeof(bytes[0]));
		axis[m] = which;
		bytes[m] = of;
	}
	return 0;
}

/* ---- as a grid ---- */

struct search {
	struct chooser *c;
	int n, axis[AXT_GRID_AXES];
	int64_t most[AXT_GRID_AXES];   /* pieces along each: its chunks */
	int64_t pieces[AXT_GRID_AXES]; /* of the best grid that was found */
	struct effort best;
	struct axt_partition cut;
};

/* Tries a grid with so many pieces along each axis. */
static int
try_grid(struct search *s, const int64_t *pieces)
{
	int axis[AXT_GRID_AXES], many[AXT_GRID_AXES], n = 0;
	struct axt_partition p;
	struct effort x;

	for (int i = 0; i < s->n; i++)
		if (pieces[i] > 1) {
			axis[n] = s->axis[i];
			many[n++] = (int)pieces[i];
		}
	axt_partition_make(&s->c->e->axes, s->c->unit, axis, n, INT64_MAX, &p);
	memcpy(p.pieces, many, (size_t)n * sizeof(many[0]));
	if (slowest(s->c, &p, &x))
		return s->c->g->err.code;
	if (x.time <= s->best.time) { /* of equal ones that with more pieces along the outer axis */
		s->best = x;
		s->cut = p;
		memcpy(s->pieces, pieces, (size_t)s->n * sizeof(pieces[0]));
	}
	return 0;
}

/*
 * Tries other numbers of pieces along axes a and b than those of the best grid, whose numbers along
 * the other axes stay. Of numbers along a that leave the same for b, only the largest is tried.
 */
static int
try_pair(struct search *s, int a, int b)
{
	int64_t pieces[AXT_GRID_AXES], left = s->c->parts, n;

	memcpy(pieces, s->pieces, sizeof(pieces));
	for (int i = 0; i < s->n; i++)
		left /= i == a || i == b ? 1 : pieces[i];
	n = MIN(s->most[a], MAX(1, left / s->most[b]));
	for (; n <= MIN(left, s->most[a]); n += 1 + n / s->c->dense) {
		pieces[b] = MIN(left / n, s->most[b]);
		n = MIN(left / (left / n), s->most[a]);
		pieces[a] = n;
		if (try_grid(s, pieces))
			return s->c->g->err.code;
	}
	return 0;
}

/* Finds the best grid. */
static int
search(struct search *s)
{
	int64_t was[AXT_GRID_AXES] = { 0 };

	for (int k = 0; k < SWEEPS && memcmp(was, s->pieces, sizeof(was)) != 0; k++) {
		memcpy(was, s->pieces, sizeof(was));
		for (int a = 0; a < s->n; a++)
			for (int b = a + 1; b < s->n; b++)
				if (try_pair(s, a, b))
					return s->c->g->err.code;
	}
	return 0;
}

/* The bytes that each part moves at least, however e is cut, if all move as much. */
static int
least(struct chooser *c, int64_t *bytes)
{
	struct axt_reads own = { 0 };

	memset(c->of, 0, (size_t)c->needs.n * sizeof(*c->of));
	if (axt_part_effort(c->g, &c->e, 1, &c->needs, c->of, &own))
		return c->g->err.code;
	for (int i = 0; i < c->needs.n; i++)
		own.bytes = axt_plus(own.bytes, MIN(c->of[i].bytes, axt_need_once(&c->needs.l[i])));
	*bytes = own.bytes / c->parts;
	return 0;
}

/* Makes *line a grid along some of the axes, if that is clearly better. */
static int
choose_grid(struct chooser *c, const int *axis, int n, struct axt_partition *line)
{
	struct search s = { .c = c, .best.time = INT64_MAX };
	struct effort was;
	int64_t bytes = 0;

	if (slowest(c, line, &was) || least(c, &bytes))
		return c->g->err.code;
	if (bytes > CLEARLY(was.moved))
		return 0;
	for (int i = 0; i < c->e->axes.n; i++) /* from the outermost on */
		for (int k = 0; k < MIN(n, AXT_GRID_AXES); k++)
			if (axis[k] == i) {
				s.pieces[s.n] = 1;
				s.most[s.n] = (line->len[i] - 1) / line->unit[i] + 1;
				s.axis[s.n++] = i;
			}
	if (search(&s))
		return c->g->err.code;
	if (s.best.time < was.time && s.best.moved <= CLEARLY(was.moved))
		*line = s.cut;
	return 0;
}

static int
choose(struct chooser *c, const bool *can, bool together, struct axt_partition *out)
{
	const struct axt_axes *x = &c->e->axes;
	int axis[AXT_MAX_RANK], n = 0;

	for (int i = 0; i < x->n && axt_count(c->e) > 0; i++)
		if (can[i] && x->a[i].len > c->unit[i])
			axis[n++] = i;
	if (n > 1 && (begin(c, together) || order(c, axis, n)))
		return c->g->err.code;
	axt_partition_make(x, c->unit, axis, n, c->parts, out);
	return n > 1 && c->parts > 1 ? choose_grid(c, axis, n, out) : 0;
}

int
axt_cut_choose(struct axt_graph *g, struct axt_expr *e, const int64_t *unit, const bool *can,
    int64_t parts, bool together, struct axt_partition *out)
{
	struct chooser c = { .g = g, .e = e, .unit = unit, .parts = parts };

	return choose(&c, can, together, out);
}

int
axt_cut_moves(struct axt_graph *g, struct axt_expr *e, int64_t parts, int64_t *bytes)
{
	int64_t unit[AXT_MAX_RANK];
	struct chooser c = { .g = g, .e = e, .unit = unit, .parts = parts };
	bool can[AXT_MAX_RANK] = { false };
	struct axt_partition p;
	struct effort x;
	const char *why;

	for (int i = 0; i < AXT_MAX_RANK; i++)
		unit[i] = 1;
	if (axt_free_axes(g, e, can, &why) || choose(&c, can, true, &p) ||
	    (!c.box && begin(&c, true)) || slowest(&c, &p, &x))
		return g->err.code;
	*bytes = axt_plus(x.moved, x.received);
	return 0;
}
