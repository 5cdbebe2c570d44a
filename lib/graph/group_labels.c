/*
 * group_labels.c - groups of many labels that are whole numbers near each other and lie in a file:
 * they are looked at where they are, by all threads, so that no more is kept than a place for each
 * number. A step that adds reads them again.
 */
#include <pthread.h>
#include <stdlib.h>

#include "graph/graph.h"

#define LABELS_MIN (1 << 20) /* so many: fewer are little to keep */
#define RANGE_MAX (4 << 20)  /* numbers from the least to the greatest */
#define PIECE 512            /* labels looked at in one go */

/* Which of the numbers from lo on were met, up to `most`; a thread has one at a time. */
struct table {
	struct table *next;
	int64_t lo, n;
	uint8_t *met;
};

/* What looks at labels. */
struct look {
	struct axt_sink sink;
	axt_conv_fn *conv;
	int size;
	pthread_mutex_t lock;
	struct table *idle;
	/* the group of each of n numbers from lo on, -1: none; where that of each label goes */
	int64_t lo, n;
	const int32_t *group;
	int32_t *of;
};

/* A table that is not in use. NULL: out of memory. */
static struct table *
take_table(struct look *k)
{
	struct table *t;

	pthread_mutex_lock(&k->lock);
	t = k->idle;
	k->idle = t ? t->next : NULL;
	pthread_mutex_unlock(&k->lock);
	return t ? t : calloc(1, sizeof(*t));
}

static void
put_table(struct look *k, struct table *t)
{
	pthread_mutex_lock(&k->lock);
	t->next = k->idle;
	k->idle = t;
	pthread_mutex_unlock(&k->lock);
}

static void
free_tables(struct look *k)
{
	for (struct table *t = k->idle, *next; t; t = next) {
		next = t->next;
		free(t->met);
		free(t);
	}
	k->idle = NULL;
}

/*
 * Makes room for numbers [lo, hi], and as many again where they go on. 1: they are too far apart.
 */
static int
grow(struct table *t, int64_t lo, int64_t hi)
{
	int64_t from = t->n ? MIN(lo, t->lo) : lo, most,
		to = t->n ? MAX(hi + 1, t->lo + t->n) : hi + 1;
	uint8_t *met;

	if (to - from > RANGE_MAX)
		return 1;
	most = MIN(2 * (to - from), RANGE_MAX) - (to - from);
	if (t->n && lo < t->lo)
		from -= most;
	else
		to += most;
	met = calloc((size_t)(to - from), 1);
	if (!met)
		return -1;
	if (t->n)
		memcpy(met + (t->lo - from), t->met, (size_t)t->n);
	free(t->met);
	*t = (struct table){ .lo = from, .n = to - from, .met = met };
	return 0;
}

/* Notes n labels; 1, -1: as grow. */
static int
note(struct table *t, const int64_t *x, int64_t n)
{
	int64_t lo = x[0], hi = x[0];

	for (int64_t i = 1; i < n; i++) {
		lo = MIN(lo, x[i]);
		hi = MAX(hi, x[i]);
	}
	/* as a constant of an expression a number is a double */
	if (lo <= -(1LL << 52) || hi >= 1LL << 52)
		return 1;
	if (t->n == 0 || lo < t->lo || hi >= t->lo + t->n) {
		int rc = grow(t, lo, hi);

		if (rc)
			return rc;
	}
	if (lo == hi) {
		t->met[lo - t->lo] = 1;
		return 0;
	}
	for (int64_t i = 0; i < n; i++)
		t->met[x[i] - t->lo] = 1;
	return 0;
}

static int
write_noted(struct axt_sink *s, int64_t off, const void *p, int64_t bytes, struct axt_err *e)
{
	struct look *k = (struct look *)s;
	struct table *t = take_table(k);
	int64_t x[PIECE], bad = -1;
	int rc = t ? 0 : -1;

	(void)off;
	for (int64_t i = 0, n, all = bytes / k->size; i < all && rc == 0; i += n) {
		n = MIN(PIECE, all - i);
		k->conv(x, (const uint8_t *)p + i * k->size, n, &bad);
		rc = note(t, x, n);
	}
	if (t)
		put_table(k, t);
	if (rc > 0)
		__atomic_store_n(&s->full, true, __ATOMIC_RELAXED);
	return rc < 0 ? axt_fail(e, AXT_E_MEM, "out of memory") : 0;
}

static int
write_placed(struct axt_sink *s, int64_t off, const void *p, int64_t bytes, struct axt_err *e)
{
	struct look *k = (struct look *)s;
	int32_t *of = k->of + off / k->size;
	int64_t x[PIECE], bad = -1;

	(void)e;
	for (int64_t i = 0, n, all = bytes / k->size; i < all; i += n) {
		n = MIN(PIECE, all - i);
		k->conv(x, (const uint8_t *)p + i * k->size, n, &bad);
		for (int64_t j = 0; j < n; j++) {
			uint64_t at = (uint64_t)x[j] - (uint64_t)k->lo;

			/* beyond them, if the file has changed */
			of[i + j] = at < (uint64_t)k->n ? k->group[at] : -1;
		}
	}
	return 0;
}

/* All labels to the sink, in any order. */
static int
look_at(struct axt_graph *g, struct axt_expr *by, struct look *k)
{
	struct axt_sink *sink = &k->sink;
	bool once = g->once;

	g->once = false;
	axt_run(g, &by, 1, &sink);
	g->once = once;
	return g->err.code;
}

/* Numbers the groups of what was met: how many there are; 0: it is too far apart; -1: error. */
static int64_t
number(struct axt_graph *g, struct look *k)
{
	int64_t lo = INT64_MAX, hi = INT64_MIN, groups = 0;
	int32_t *group;

	for (const struct table *t = k->idle; t; t = t->next)
		for (int64_t i = 0; i < t->n; i++)
			if (t->met[i]) {
				lo = MIN(lo, t->lo + i);
				hi = MAX(hi, t->lo + i);
			}
	if (k->sink.full || lo > hi || hi - lo >= RANGE_MAX)
		return 0;
	k->lo = lo;
	k->n = hi - lo + 1;
	k->group = group = axt_alloc(g->m, (size_t)k->n * sizeof(*group));
	if (!group)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory") ? -1 : 0;
	for (const struct table *t = k->idle; t; t = t->next)
		for (int64_t i = 0; i < t->n; i++)
			if (t->met[i])
				group[t->lo + i - lo] = 1;
	for (int64_t i = 0; i < k->n; i++)
		group[i] = group[i] ? (int32_t)groups++ : -1;
	return groups;
}

/* The distinct labels, rising. */
static struct axt_coord *
distinct(struct axt_graph *g, const struct axt_expr *by, const struct look *k, int64_t groups)
{
	axt_conv_fn *conv = axt_kern_conv(by->dtype, AXT_I64, AXT_OVERFLOW_WRAP);
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	uint8_t *values = axt_alloc(g->m, (size_t)groups * (size_t)k->size);
	int64_t bad = -1;

	if (!c || !values)
		return NULL;
	for (int64_t i = 0, x; i < k->n; i++) {
		x = k->lo + i;
		if (k->group[i] >= 0)
			conv(values + (int64_t)k->group[i] * k->size, &x, 1, &bad);
	}
	c->dtype = by->dtype;
	c->n = groups;
	c->data = values;
	c->attrs = by->meta->attrs;
	return c;
}

/* The group of each label, kept in memory. */
static struct axt_expr *
placed(struct axt_graph *g, struct axt_expr *by, struct look *k)
{
	int64_t bytes = axt_count(by) * (int64_t)sizeof(int32_t);
	int32_t *of = bytes > g->memory ? NULL : axt_alloc(g->m, (size_t)bytes);

	if (!of)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory for %lld labels (%s)",
		    (long long)axt_count(by), by->from);
	k->of = of;
	k->sink.write = write_placed;
	return look_at(g, by, k) ? axt_node_failed(g) : axt_memory_leaf(g, AXT_I32, &by->axes, of);
}

/* The group of each label as it is read again: without gaps between labels it is a difference. */
static struct axt_expr *
computed(struct axt_graph *g, struct axt_expr *by, const struct look *k)
{
	struct axt_expr *x = by;

	if (k->lo != 0)
		x = axt_map(g, AXT_OP_SUB, 2,
		    (struct axt_expr *[]){ axt_conv(g, by, AXT_I64, AXT_OVERFLOW_WRAP),
			axt_const(g, AXT_I64, (double)k->lo) });
	return axt_conv(g, x, AXT_I32, AXT_OVERFLOW_WRAP);
}

/* Whether the labels lie in a file, where they can be read as often as one likes. */
static bool
lie_there(const struct axt_expr *by)
{
	const struct axt_storage *st = by->kind == AXT_NODE_LEAF ? by->u.leaf.st : NULL;
	enum axt_class cls = axt_dtypes[by->dtype].cls;

	return st && st->layout == AXT_LAYOUT_CONTIGUOUS && !st->src && !by->u.leaf.plan &&
	    (cls == AXT_CLASS_INT || cls == AXT_CLASS_UINT) && by->dtype != AXT_U64 &&
	    axt_count(by) >= LABELS_MIN;
}

bool
axt_labels_met(struct axt_graph *g, struct axt_expr *by, bool again, struct axt_groups *out)
{
	struct look k = { .sink = { .write = write_noted }, .size = axt_size(by->dtype) };
	int64_t groups;

	if (!lie_there(by) || axt_count(by) > INT32_MAX)
		return false;
	k.conv = axt_kern_conv(AXT_I64, by->dtype, AXT_OVERFLOW_WRAP);
	pthread_mutex_init(&k.lock, NULL);
	groups = look_at(g, by, &k) ? -1 : number(g, &k);
	free_tables(&k);
	pthread_mutex_destroy(&k.lock);
	if (groups == 0)
		return false;
	if (groups < 0)
		return true;
	out->axis.coord = distinct(g, by, &k, groups);
	if (!out->axis.coord) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return true;
	}
	out->of = again && groups == k.n ? computed(g, by, &k) : placed(g, by, &k);
	return true;
}
