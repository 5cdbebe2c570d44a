/*
 * whole_labels.c - groups of many integer labels that lie in a file and are near each other in
 * value. All threads read the labels to find which numbers occur; only a byte for each possible
 * number is kept. The step that reduces can then read the labels again instead of a list of groups.
 */
#include <pthread.h>
#include <stdlib.h>

#include "groups/groups.h"

#define LABELS_MIN (1 << 20) /* fewer labels are cheap to keep in memory */
#define RANGE_MAX (4 << 20)  /* the greatest label minus the least is less than this */
#define PIECE 512            /* labels that are converted at a time */

/*
 * Which labels have occurred: met[k] is 1 if lo + k has, for k below n. A thread takes a table from
 * the list of idle ones, or makes one, and puts it back.
 */
struct table {
	struct table *next;
	int64_t lo, n;
	uint8_t *met;
};

/* A sink for labels, which write_noted or write_placed takes in. */
struct look {
	struct axt_sink sink;
	axt_conv_fn *conv;
	int size;
	pthread_mutex_t lock;
	struct table *idle;
	/*
	 * group[k] is the group of the label lo + k, or -1 if that has none; of[i] becomes the
	 * group of the label at index i.
	 */
	int64_t lo, n;
	const int32_t *group;
	int32_t *of;
};

/* An idle table, or a new one; NULL if out of memory. */
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
 * Extends the table to the labels [lo, hi], and beyond by as much again, so that it seldom grows.
 * Returns 1 if that is more than RANGE_MAX labels, -1 if out of memory.
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

/* Marks the labels x[n] in the table. Returns 1 or -1 as grow does. */
static int
note(struct table *t, const int64_t *x, int64_t n)
{
	int64_t lo = x[0], hi = x[0];

	for (int64_t i = 1; i < n; i++) {
		lo = MIN(lo, x[i]);
		hi = MAX(hi, x[i]);
	}
	/* the expression in computed() has the label as a double, which must be exact */
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

			/*
			 * A label outside the range means that the file has changed since the first
			 * pass.
			 */
			of[i + j] = at < (uint64_t)k->n ? k->group[at] : -1;
		}
	}
	return 0;
}

/* Passes all labels to the sink, in any order. */
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

/*
 * Gives the labels that occurred numbers from 0 up, as groups, and returns how many there are.
 * Returns 0 if they are too far apart, and -1 after an error.
 */
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

/* The distinct labels in rising order, as coordinates. */
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

/* A leaf with the group of each label, in memory. */
static struct axt_expr *
placed(struct axt_graph *g, struct axt_expr *by, struct look *k)
{
	int64_t bytes = axt_count(by) * (int64_t)sizeof(int32_t);
	int32_t *of = bytes > g->memory ? NULL : axt_alloc(g->m, (size_t)bytes);

	if (!of)
		return axt_groups_no_memory(g, by);
	k->of = of;
	k->sink.write = write_placed;
	return look_at(g, by, k) ? axt_node_failed(g) : axt_memory_leaf(g, AXT_I32, &by->axes, of);
}

/*
 * A node that computes the group of each label. It is used where each integer between the least and
 * the greatest label occurs, so that the group is the label minus the least.
 */
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

/* Whether the labels are integers in a file, not in chunks, which can be read more than once. */
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
