/*
 * radix_select.c - quantiles of lines that are too long, or too few, to be loaded as a whole.
 * Passes over the line count how many elements begin with each 16 bits, then with each 32 bits, and
 * so on, until the elements in question are known. This is exact, and needs memory only for counts.
 * So several processes can do it together, each of which has a share of the line.
 */
#include <stdlib.h>

#include "eval/shared.h"

#define PARTS (1 << AXT_COUNT_BITS)

/* An element that is looked for: its known bits, and its rank among those that begin with them. */
struct target {
	uint64_t key;
	int64_t rank;
	int part; /* the part of the counts that it needs */
};

struct line {
	bool none; /* the result is NaN, so nothing is looked for */
	int nparts;
	uint64_t prefix[2 * AXT_MAX_OUTS];
	struct target target[2 * AXT_MAX_OUTS]; /* two for each result, which lies between them */
	double t[AXT_MAX_OUTS];                 /* [result]: the weight of its second target */
};

struct axt_counting {
	int64_t lo, n; /* the lines that are counted together: the first, and their number */
	int shift;     /* the lowest bit that the current pass counts */
	struct line *line;
	int64_t *count; /* counts [line][part][PARTS], of the current pass */
	int64_t stride;
	pthread_mutex_t lock;
};

int
axt_count_unit(struct axt_worker *w, struct axt_tile *t)
{
	const struct axt_step *s = w->r->s;
	struct axt_counting *c = w->r->count;
	uint32_t *hist = (uint32_t *)w->made;
	struct line *l;
	int64_t at = 0, *to;
	const void *x;

	for (int d = 0; d < s->line.a; d++)
		at = at * s->sp.len[d] + t->lo[d];
	if (at < c->lo || at >= c->lo + c->n || c->line[at - c->lo].none)
		return 0;
	l = &c->line[at - c->lo];
	x = axt_lines_values(w, t);
	if (!x)
		return -1;
	memset(hist, 0, (size_t)l->nparts * PARTS * sizeof(*hist));
	s->line.fns->count(hist, x, t->count, c->shift, l->prefix, l->nparts);
	to = c->count + (at - c->lo) * c->stride;
	pthread_mutex_lock(&c->lock);
	for (int64_t i = 0; i < (int64_t)l->nparts * PARTS; i++)
		to[i] += hist[i];
	pthread_mutex_unlock(&c->lock);
	return 0;
}

/* ---- between passes ---- */

/*
 * Finds which elements the quantiles lie between, after the first pass over the line. That pass
 * also tells how many NaN there are: the bits of their keys are all set, and no other key of a
 * float begins so.
 */
static void
rank(const struct axt_step *s, struct line *l, const int64_t *count)
{
	enum axt_dtype d = s->prog.reg[s->out[0].root].dtype;
	int64_t nan = axt_dtypes[d].cls == AXT_CLASS_FLOAT ? count[PARTS - 1] : 0, n = -nan;

	for (int i = 0; i < PARTS; i++)
		n += count[i];

	l->none = n == 0 || (nan > 0 && !s->out[0].node->u.red.skip);
	for (int k = 0; k < s->nouts && !l->none; k++) {
		struct target *t = &l->target[2 * k];

		t[0].rank = axt_quantile_at(&(struct axt_quantile_of){ s->out[k].node->u.red.q,
						s->out[k].node->u.red.method },
		    n, &l->t[k]);
		t[1].rank = MIN(t[0].rank + 1, n - 1);
	}
}

/* Adds 16 known bits to each target. Targets with the same bits share a part of the next counts. */
static void
narrow(const struct axt_step *s, struct line *l, const int64_t *count)
{
	int parts = 0;

	for (int j = 0; j < 2 * s->nouts && !l->none; j++) {
		struct target *t = &l->target[j];
		const int64_t *c = count + (int64_t)t->part * PARTS;
		uint64_t bits = 0;
		int k;

		for (; t->rank >= c[bits]; bits++)
			t->rank -= c[bits];
		t->key = t->key << AXT_COUNT_BITS | bits;
		for (k = 0; k < parts && l->prefix[k] != t->key; k++)
			;
		l->prefix[k] = t->key;
		parts = MAX(parts, k + 1);
		t->part = k;
	}
	l->nparts = parts;
}

static int
pass(struct axt_step_run *r, int threads)
{
	struct axt_counting *c = r->count;
	const struct axt_together *all = r->s->out[0].node->u.red.together;
	struct axt_step_run once = *r;

	memset(c->count, 0, (size_t)(c->n * c->stride) * sizeof(*c->count));
	if (axt_step_once(&once, threads))
		return -1;
	for (int64_t i = 0; all && i < c->n; i++)
		if (!c->line[i].none &&
		    all->add(all, c->count + i * c->stride, c->line[i].nparts * PARTS))
			return -1;
	return 0;
}

/* Does all passes for the current lines. */
static int
find(struct axt_step_run *r, int threads, double from, double share)
{
	const struct axt_step *s = r->s;
	struct axt_counting *c = r->count;
	int bits = s->line.fns->bits, n = (bits + AXT_COUNT_BITS - 1) / AXT_COUNT_BITS;

	for (int64_t i = 0; i < c->n; i++)
		c->line[i] = (struct line){ .nparts = 1 };
	for (int k = 0; k < n; k++) {
		c->shift = MAX(0, bits - (k + 1) * AXT_COUNT_BITS);
		r->from = from + share * k / n;
		r->share = share / n;
		if (pass(r, threads))
			return -1;
		for (int64_t i = 0; i < c->n; i++) {
			if (k == 0)
				rank(s, &c->line[i], c->count + i * c->stride);
			narrow(s, &c->line[i], c->count + i * c->stride);
		}
	}
	return 0;
}

/* ---- results ---- */

static int
give(struct axt_step_run *r, int k)
{
	const struct axt_output *o = &r->s->out[k];
	struct axt_counting *c = r->count;
	double (*value)(uint64_t) = r->s->line.fns->value;
	int size = axt_size(o->dtype);

	for (int64_t i = 0; i < c->n; i++) {
		const struct line *l = &c->line[i];
		double v = l->none ? __builtin_nan("")
				   : axt_quantile_mix(value(l->target[2 * k].key),
					 value(l->target[2 * k + 1].key), l->t[k]);
		uint8_t to[16];
		int64_t bad = -1;

		if (o->finish)
			o->finish(to, &v, 1, &bad);
		else
			memcpy(to, &v, sizeof(v));
		if (bad >= 0)
			return axt_misfit(o, &r->g->err);
		if (r->sink[k]->write(r->sink[k], (c->lo + i) * size, to, size, &r->g->err))
			return -1;
	}
	return 0;
}

int
axt_count_run(struct axt_step_run *r, int threads)
{
	const struct axt_step *s = r->s;
	struct axt_counting c = { .stride = 2 * (int64_t)s->nouts * PARTS };
	double from = r->from, share = r->share;
	int64_t most = s->line.group;
	int rc = 0;

	c.line = calloc((size_t)most, sizeof(*c.line));
	c.count = malloc((size_t)(most * c.stride) * sizeof(*c.count));
	if (!c.line || !c.count)
		rc = axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	pthread_mutex_init(&c.lock, NULL);
	r->count = &c;
	for (; rc == 0 && c.lo < s->kept_count; c.lo += most) {
		c.n = MIN(most, s->kept_count - c.lo);
		rc = find(r, threads, from + share * (double)c.lo / (double)s->kept_count,
		    share * (double)c.n / (double)s->kept_count);
		for (int k = 0; k < s->nouts && rc == 0; k++)
			rc = give(r, k);
	}
	pthread_mutex_destroy(&c.lock);
	free(c.line);
	free(c.count);
	return rc;
}
