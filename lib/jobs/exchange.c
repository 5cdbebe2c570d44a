/*
 * exchange.c - inputs that ranks read together. A rank needs a box of each input. Where the boxes
 * of several ranks meet the same chunks, as those of a mean over time do if each chunk is one step,
 * all ranks together would read and unpack the input many times. Instead, the chunks are dealt out:
 * each is read by one rank, which sends to every other what that one needs of it.
 *
 * This is done in rounds, so that what is under way at a time is bounded. Which rank reads what in
 * which round follows from the boxes, which all ranks know, so that nothing but values is sent.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "eval/eval.h"
#include "jobs/exchange.h"

#define UNDER_WAY ((int64_t)64 << 20) /* most bytes that each rank sends in a round */
#define MUCH 2                        /* more than so many times all inputs is worth a warning */
#define ASKED ((size_t)16 << 20)      /* most bytes that a rank hears at once of what all need */
#define OFTEN 1.2 /* inputs that would be read more often than this are exchanged */

/* ---- boxes ---- */

/* What two boxes share. false: nothing. */
static bool
meet(const struct axt_box *a, const struct axt_box *b, int rank, struct axt_box *out)
{
	for (int i = 0; i < rank; i++) {
		int64_t lo = MAX(a->from[i], b->from[i]),
			hi = MIN(a->from[i] + a->len[i], b->from[i] + b->len[i]);

		if (lo >= hi)
			return false;
		out->from[i] = lo;
		out->len[i] = hi - lo;
	}
	return true;
}

/* Makes the box *all as large as to have b as well. An empty box has nothing. */
static void
join(struct axt_box *all, const struct axt_box *b, int rank)
{
	bool first = axt_box_count(all, rank) == 0;

	if (axt_box_count(b, rank) == 0)
		return;
	for (int i = 0; i < rank; i++) {
		int64_t lo = first ? b->from[i] : MIN(all->from[i], b->from[i]),
			hi = b->from[i] + b->len[i];

		hi = first ? hi : MAX(hi, all->from[i] + all->len[i]);
		all->from[i] = lo;
		all->len[i] = hi - lo;
	}
}

/* Copies the elements of the box b, which the boxes `in` and `to` have, from p to q. */
static void
copy(const struct axt_box *b, int rank, int64_t size, const uint8_t *p, const struct axt_box *in,
    uint8_t *q, const struct axt_box *to)
{
	int64_t at[AXT_MAX_RANK] = { 0 }, run = size * (rank ? b->len[rank - 1] : 1);
	int k;

	do {
		int64_t from = 0, where = 0;

		for (int i = 0; i < rank; i++) {
			from = from * in->len[i] + b->from[i] + at[i] - in->from[i];
			where = where * to->len[i] + b->from[i] + at[i] - to->from[i];
		}
		memcpy(q + where * size, p + from * size, (size_t)run);
		for (k = rank - 2; k >= 0; at[k--] = 0)
			if (++at[k] < b->len[k])
				break;
	} while (k >= 0);
}

/* ---- what is needed ---- */

static bool
can_be_exchanged(const struct axt_expr *leaf)
{
	const struct axt_storage *st = leaf->u.leaf.st;

	return leaf->kind == AXT_NODE_LEAF && st && st->file && !st->src && !leaf->text &&
	    !leaf->u.leaf.plan && leaf->axes.n > 0 && axt_size(leaf->dtype) > 0;
}

int
axt_needs_of(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_needs *out)
{
	struct axt_nodes nodes = { 0 };

	*out = (struct axt_needs){ 0 };
	if (axt_nodes(g, e, n, false, &nodes))
		return g->err.code;
	out->l = axt_alloc(g->m, (size_t)nodes.n * sizeof(*out->l) + 1);
	if (!out->l)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < nodes.n; i++)
		if (can_be_exchanged(nodes.e[i]) && !axt_need(out, nodes.e[i]))
			out->l[out->n++] = (struct axt_need){ .leaf = nodes.e[i], .kept.fd = -1 };
	return 0;
}

/* The same dataset may be several leaves. */
struct axt_need *
axt_need(const struct axt_needs *n, const struct axt_expr *leaf)
{
	for (int i = 0; n && leaf->kind == AXT_NODE_LEAF && i < n->n; i++)
		if (n->l[i].leaf->u.leaf.st == leaf->u.leaf.st &&
		    n->l[i].leaf->dtype == leaf->dtype && n->l[i].leaf->axes.n == leaf->axes.n)
			return &n->l[i];
	return NULL;
}

void
axt_needs_add(const struct axt_needs *n, const struct axt_expr *leaf, const struct axt_box *box)
{
	struct axt_need *x = axt_need(n, leaf);

	if (x)
		join(&x->box, box, leaf->axes.n);
}

void
axt_needs_release(struct axt_needs *n)
{
	for (int i = 0; i < n->n; i++)
		axt_wait_close(&n->l[i].kept);
}

/* ---- one input ---- */

/* What a rank needs of an input, as it tells the others. */
struct asked {
	struct axt_box box;
	int64_t bytes;
};

/* Memory that serves one round after another: new pages take longer than what is put there. */
struct room {
	uint8_t *p;
	int64_t bytes;
};

struct input {
	struct axt_graph *g;
	const struct axt_ranks *by;
	struct axt_need *need;
	const struct asked *asked; /* [by->size]: what each rank needs */
	int rank;                  /* axes */
	int64_t size;              /* bytes of an element */
	struct axt_partition cut;  /* of need->all */
	int64_t memory;            /* of the rank that has least */
	int number, inputs;        /* among how many inputs */
	int64_t rounds;
	int *nsend, *send_at, *ntake, *take_at; /* [by->size] */
	struct room send, take, box;            /* what goes, what comes, and a box that is read */
};

/* Makes the room at least so large. false: there is no memory. */
static bool
room_for(struct room *r, int64_t bytes)
{
	if (r->p && r->bytes >= bytes)
		return true;
	free(r->p);
	r->bytes = bytes;
	r->p = axt_scratch_new(bytes);
	return r->p != NULL;
}

void
axt_need_part(struct axt_need *n, const struct axt_box *box, int64_t bytes)
{
	struct axt_box b = axt_whole_chunks(n->leaf, box);
	int rank = n->leaf->axes.n, size = axt_size(n->leaf->dtype);

	n->needed = axt_plus(n->needed, axt_times(axt_box_count(box, rank), size));
	/* what a part reads twice is in memory by then; what it reads may be little of the box */
	n->read = axt_plus(n->read, MIN(bytes, axt_times(axt_box_count(&b, rank), size)));
	join(&n->all, &b, rank);
}

int
axt_needs_read(struct axt_graph *g, struct axt_expr *const e[], int m, struct axt_needs *n)
{
	int64_t *of = axt_alloc(g->m, (size_t)n->n * sizeof(*of) + 1), rest;

	if (!of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (g->err.code || axt_part_reads(g, e, m, n, of, &rest))
		return g->err.code;
	for (int i = 0; i < n->n; i++)
		n->l[i].bytes = axt_plus(n->l[i].bytes, of[i]);
	return 0;
}

static bool
is_packed(const struct axt_need *n)
{
	return n->leaf->u.leaf.st->layout == AXT_LAYOUT_CHUNKED;
}

int64_t
axt_need_once(const struct axt_need *n)
{
	return axt_times(axt_box_count(&n->all, n->leaf->axes.n), axt_size(n->leaf->dtype));
}

bool
axt_need_shared(const struct axt_need *n, bool near)
{
	/* the pages of a file are in memory once for all processes of a machine */
	return (double)n->read > OFTEN * (double)axt_need_once(n) && !(near && !is_packed(n));
}

/* What is under way is bounded for each rank, so that more ranks need no more rounds. */
int64_t
axt_need_rounds(const struct axt_need *n, int64_t memory, int64_t parts)
{
	int64_t most = axt_times(MAX(1, MIN(UNDER_WAY, memory / 8)), parts);

	return MAX(n->needed, axt_need_once(n)) / most + 1;
}

/* The operation of e[0..m) that needs whole axes of an input; NULL: none, or there is no memory. */
static const char *
reason(struct axt_graph *g, struct axt_expr *const e[], int m, const struct axt_needs *n, int i)
{
	struct axt_nodes nodes = { 0 };
	bool *above;

	if (axt_nodes(g, e, m, false, &nodes))
		return NULL;
	above = axt_alloc(g->m, (size_t)nodes.n * sizeof(*above) + 1);
	for (int k = 0; above && k < nodes.n; k++) {
		const struct axt_expr *x = nodes.e[k];

		above[k] = axt_need(n, x) == &n->l[i];
		for (int a = 0; a < x->nargs; a++)
			above[k] = above[k] || above[axt_nodes_at(&nodes, x->arg[a])];
		if (above[k] &&
		    (x->kind == AXT_NODE_REDUCE || x->kind == AXT_NODE_DOT ||
			x->kind == AXT_NODE_GUFUNC))
			return axt_node_op(x);
	}
	return NULL;
}

void
axt_needs_tell(struct axt_graph *g, struct axt_expr *const e[], int m, const struct axt_needs *n,
    int64_t parts)
{
	int64_t all = 0;

	for (int i = 0; i < n->n; i++)
		all = axt_plus(all, axt_need_once(&n->l[i]));
	for (int i = 0; i < n->n; i++) {
		const struct axt_need *x = &n->l[i];
		int64_t once = axt_need_once(x);
		const char *why;

		if (x->no_room && x->read > axt_times(MUCH, all))
			axt_warn(g,
			    "all processes together read %" PRId64
			    " bytes of %s, which has %" PRId64
			    ": one of them has no room in TMPDIR for what it needs of that",
			    x->read, x->leaf->from, once);
		else if (x->needed > axt_times(MUCH, all) && x->needed / parts >= once / 10 * 9 &&
		    (why = reason(g, e, m, n, i)))
			axt_warn(g,
			    "each of %" PRId64 " processes needs all of %s, %" PRId64
			    " bytes and %" PRId64 " in all, for the %s",
			    parts, x->leaf->from, once, x->needed, why);
	}
}

/* Deals the chunks that parts need out to so many. */
static void
deal_out(const struct axt_need *n, int64_t parts, struct axt_partition *out)
{
	struct axt_axes of = { .n = n->leaf->axes.n };
	int64_t units[AXT_MAX_RANK];

	for (int i = 0; i < of.n; i++) {
		of.a[i].len = n->all.len[i];
		units[i] = axt_chunk_along(n->leaf, i);
	}
	axt_partition_make(&of, units, axt_identity, of.n, parts, out);
}

/* The boxes of share k of n, in the whole input. */
static int
dealt(const struct axt_need *x, const struct axt_partition *cut, int64_t k, int64_t n,
    struct axt_box box[AXT_PART_BOXES])
{
	int m = axt_partition_boxes(cut, k, n, box);

	for (int i = 0; i < m; i++)
		for (int j = 0; j < x->leaf->axes.n; j++)
			box[i].from[j] += x->all.from[j];
	return m;
}

int
axt_needs_whole(struct axt_graph *g, struct axt_expr *const e[], int m, struct axt_needs *n)
{
	n->share = axt_alloc(g->m, AXT_PART_BOXES * sizeof(*n->share));
	if (!n->share)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int k = 0; k < m; k++) {
		struct axt_box box = { 0 };

		for (int i = 0; i < e[k]->axes.n; i++)
			box.len[i] = e[k]->axes.a[i].len;
		if (axt_bad(axt_narrowed(g, e[k], &box, n)))
			return g->err.code;
	}
	for (int i = 0; i < n->n; i++) {
		n->l[i].all = axt_whole_chunks(n->l[i].leaf, &n->l[i].box);
		n->l[i].box = (struct axt_box){ 0 };
	}
	return 0;
}

/* The rank whose share of input i rank k reads. */
static int64_t
turned(int64_t k, int i, int64_t size)
{
	return (k + i) % size;
}

int64_t
axt_need_own(const struct axt_needs *n, int i, int64_t k, int64_t parts)
{
	const struct axt_need *x = &n->l[i];
	int rank = x->leaf->axes.n, m;
	struct axt_partition cut;
	struct axt_box in;
	int64_t kept = 0;

	deal_out(x, parts, &cut);
	m = dealt(x, &cut, turned(k - 1, i, parts) + 1, parts, n->share);
	for (int b = 0; b < m; b++)
		if (meet(&n->share[b], &x->box, rank, &in))
			kept += axt_times(axt_box_count(&in, rank), axt_size(x->leaf->dtype));
	return kept;
}

/* The boxes that rank k reads in a round, in the whole input. */
static int
share(const struct input *x, int k, int64_t round, struct axt_box box[AXT_PART_BOXES])
{
	int64_t own = turned(k, x->number, x->by->size);

	return dealt(x->need, &x->cut, own * x->rounds + round + 1, x->by->size * x->rounds, box);
}

/* Evaluates a box of the leaf. What is made for that is freed: there may be many rounds. */
static int
read_box(const struct input *x, const struct axt_box *box, uint8_t *p)
{
	struct axt_graph *g = x->g;
	struct axt_arena *all = g->m;
	struct axt_mem_sink to;
	struct axt_sink *sink = &to.sink;
	struct axt_expr *e;

	axt_mem_sink_init(&to, p, axt_box_count(box, x->rank) * x->size);
	g->m = axt_arena_new();
	if (g->m) {
		e = axt_narrowed(g, x->need->leaf, box, NULL);
		if (!axt_bad(e))
			axt_run(g, &e, 1, &sink);
		axt_arena_free(g->m);
	} else {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	g->m = all;
	return g->err.code;
}

/* Sets n[] and at[] to the bytes that go to or come from each rank. -1: too many. */
static int64_t
lay(const int64_t *bytes, int size, int *n, int *at)
{
	int64_t all = 0;

	for (int k = 0; k < size; k++) {
		n[k] = (int)bytes[k];
		at[k] = (int)all;
		all += bytes[k];
		if (bytes[k] > INT_MAX || all > INT_MAX)
			return -1;
	}
	return all;
}

/* The bytes of boxes b[0..n), which rank `by` reads, that it sends to rank k. */
static int64_t
sent(const struct input *x, const struct axt_box *b, int n, int by, int k)
{
	struct axt_box in;
	int64_t bytes = 0;

	for (int i = 0; k != by && i < n; i++)
		if (meet(&b[i], &x->asked[k].box, x->rank, &in))
			bytes += axt_box_count(&in, x->rank) * x->size;
	return bytes;
}

/*
 * Reads the share of this rank, sorts it by whom it goes to, and puts what this rank needs itself
 * where that is in the box that it needs. false: it has no memory for it, or has failed.
 */
static bool
read_share(struct input *x, int64_t round, int64_t *bytes, struct axt_box *b)
{
	int own = x->by->rank, n = share(x, own, round, b);
	uint8_t **at = calloc((size_t)x->by->size, sizeof(*at));
	int64_t total, largest = 1;
	bool room;

	for (int k = 0; k < x->by->size; k++)
		bytes[k] = sent(x, b, n, own, k);
	total = lay(bytes, x->by->size, x->nsend, x->send_at);
	for (int i = 0; i < n; i++)
		largest = MAX(largest, axt_box_count(&b[i], x->rank) * x->size);
	room = at && total >= 0 && room_for(&x->send, total) && room_for(&x->box, largest);
	for (int k = 0; room && k < x->by->size; k++)
		at[k] = x->send.p + x->send_at[k];
	for (int i = 0; room && i < n; i++) {
		if (read_box(x, &b[i], x->box.p))
			break;
		for (int k = 0; k < x->by->size; k++) {
			const struct axt_box *to = &x->asked[k].box;
			struct axt_box in;

			if (!meet(&b[i], to, x->rank, &in))
				continue;
			copy(&in, x->rank, x->size, x->box.p, &b[i],
			    k == own ? x->need->kept.mem : at[k], k == own ? to : &in);
			at[k] += axt_box_count(&in, x->rank) * x->size;
		}
	}
	free(at);
	return room && x->g->err.code == 0;
}

/* Puts what has come to where it is in the box that this rank needs. */
static void
put(const struct input *x, int64_t round, const uint8_t *p, uint8_t *to, struct axt_box *b)
{
	const struct axt_box *own = &x->asked[x->by->rank].box;
	struct axt_box in;

	for (int k = 0; k < x->by->size; k++) {
		int n = k == x->by->rank ? 0 : share(x, k, round, b);

		for (int i = 0; i < n; i++) {
			if (!meet(&b[i], own, x->rank, &in))
				continue;
			copy(&in, x->rank, x->size, p, &in, to, own);
			p += axt_box_count(&in, x->rank) * x->size;
		}
	}
}

/* The error of this rank, or that another one has failed. */
static int
other_failed(struct axt_graph *g)
{
	return g->err.code ? (int)g->err.code
			   : axt_fail(&g->err, AXT_E_RANK, "another process of the job failed");
}

bool
axt_ranks_same(const struct axt_ranks *by, uint64_t x)
{
	int64_t half = (int64_t)(x >> 1);

	return by->t->least(half) == -by->t->least(-half);
}

int
axt_ranks_well(struct axt_graph *g, const struct axt_ranks *by)
{
	return by->t->least(!g->err.code) == 1 ? 0 : other_failed(g);
}

/*
 * What has become of an input, the least of which all ranks have: one has failed, one cannot take
 * part, so that each reads for itself, or it goes on.
 */
enum state { FAILED = -1, EACH = 0, TOGETHER = 1 };

static enum state
agreed(const struct input *x, enum state own)
{
	return (enum state)x->by->t->least(x->g->err.code ? FAILED : own);
}

/* One round. Nothing is sent before all ranks can. */
static enum state
exchange(struct input *x, int64_t round, int64_t *bytes, struct axt_box *b)
{
	enum state state = EACH; /* too much for one message, or for the memory of this rank */
	int64_t total;

	for (int k = 0; k < x->by->size; k++)
		bytes[k] = sent(x, b, share(x, k, round, b), k, x->by->rank);
	total = lay(bytes, x->by->size, x->ntake, x->take_at);
	if (total >= 0 && room_for(&x->take, total) && read_share(x, round, bytes, b))
		state = TOGETHER;
	state = agreed(x, state);
	if (state == TOGETHER) {
		x->by->t->exchange(x->send.p, x->nsend, x->send_at, x->take.p, x->ntake,
		    x->take_at);
		put(x, round, x->take.p, x->need->kept.mem, b);
	}
	return state;
}

/* The others of its machine have the same memory, unless each has little anyway. */
int64_t
axt_ranks_keep(const struct axt_ranks *by, int64_t memory, int n)
{
	return MAX(MIN(AXT_WAIT_FEW, memory), memory / by->here) / MAX(1, n);
}

/* Makes room for what this rank needs of the input, and a leaf of it. */
static enum state
make_room(struct input *x)
{
	struct axt_graph *g = x->g;
	struct axt_need *n = x->need;
	struct axt_axes of = axt_axes_of_box(n->leaf, &n->box);
	int64_t bytes = axt_times(axt_box_count(&n->box, x->rank), x->size);
	int64_t most = axt_ranks_keep(x->by, g->memory / 4, x->inputs);
	struct axt_err none = { 0 };

	if (axt_wait_open(&n->kept, MAX(1, bytes), most, NULL, &none) ||
	    axt_wait_map(&n->kept, &none))
		return EACH;
	n->is = axt_memory_leaf(g, n->leaf->dtype, &of, n->kept.mem);
	return axt_bad(n->is) ? FAILED : TOGETHER;
}

/* Exchanges an input, unless a rank cannot. All ranks must call it. */
static enum state
exchange_input(struct input *x)
{
	int size = x->by->size, *n = calloc((size_t)size * 4, sizeof(*n));
	int64_t *bytes = calloc((size_t)size, sizeof(*bytes));
	struct axt_box *b = calloc(AXT_PART_BOXES, sizeof(*b));
	enum state state = EACH;

	x->nsend = n;
	x->send_at = n ? n + size : NULL;
	x->ntake = n ? n + 2 * (size_t)size : NULL;
	x->take_at = n ? n + 3 * (size_t)size : NULL;
	x->rounds = axt_need_rounds(x->need, x->memory, size);
	deal_out(x->need, axt_times(x->rounds, size), &x->cut);
	if (bytes && n && b)
		state = make_room(x);
	state = agreed(x, state);
	for (int64_t r = 0; r < x->rounds && state == TOGETHER; r++)
		state = exchange(x, r, bytes, b);
	if (state != TOGETHER) {
		axt_wait_close(&x->need->kept);
		x->need->is = NULL;
	}
	free(bytes);
	free(n);
	free(b);
	return state;
}

/* What ranks tell of several inputs at once: messages that wait for one another take longer. */
struct batch {
	int most;             /* inputs in one */
	struct asked *own;    /* [most] */
	struct asked *all;    /* [size][most] */
	struct asked *of_one; /* [size]: of one of them */
};

/* Finds what each rank needs of input i. All must call it, for one input after another. */
static void
gather(const struct axt_ranks *by, const struct axt_needs *needs, int i, struct batch *b)
{
	int at = i % b->most, m = MIN(b->most, needs->n - (i - at));

	for (int k = 0; at == 0 && k < m; k++)
		b->own[k] = (struct asked){ needs->l[i + k].box, needs->l[i + k].bytes };
	if (at == 0)
		by->t->gather(b->own, m * (int)sizeof(*b->own), b->all);
	for (int k = 0; k < by->size; k++)
		b->of_one[k] = b->all[k * m + at];
}

static int
exchange_all(struct input *x, struct axt_needs *needs, struct batch *b)
{
	struct axt_graph *g = x->g;
	const struct axt_ranks *by = x->by;

	for (int i = 0; i < needs->n; i++) {
		struct axt_need *n = &needs->l[i];
		enum state state;

		gather(by, needs, i, b);
		for (int k = 0; k < by->size; k++)
			axt_need_part(n, &b->of_one[k].box, b->of_one[k].bytes);
		if (!axt_need_shared(n, by->here == by->size) && !(needs->several && is_packed(n)))
			continue;
		x->need = n;
		x->number = i;
		x->rank = n->leaf->axes.n;
		x->size = axt_size(n->leaf->dtype);
		state = exchange_input(x);
		if (state == FAILED)
			return other_failed(g);
		n->shared = state == TOGETHER;
		n->no_room = state == EACH;
		needs->held = needs->held || n->shared;
	}
	return 0;
}

int
axt_exchange(struct axt_graph *g, const struct axt_ranks *by, struct axt_needs *needs)
{
	size_t size = (size_t)by->size, each = sizeof(struct asked) * size,
	       most = MIN(MAX(1, ASKED / each), (size_t)MAX(1, needs->n));
	struct asked *p = calloc(1, most * sizeof(*p) + most * each + each);
	struct batch b = { (int)most, p, p ? p + most : NULL, p ? p + most + most * size : NULL };
	struct input x = { .g = g, .by = by, .asked = b.of_one };

	if (!p && !g->err.code)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_ranks_well(g, by) == 0) {
		x.memory = by->t->least(g->memory);
		x.inputs = needs->n;
		exchange_all(&x, needs, &b);
		free(x.send.p);
		free(x.take.p);
		free(x.box.p);
	}
	free(p);
	return g->err.code;
}
