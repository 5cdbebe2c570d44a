/*
 * exchange.c - inputs that ranks read together. A rank needs a box of each input. Where the boxes
 * of several ranks meet the same chunks, as those of a mean over time do if each chunk is one step,
 * all ranks together would read and unpack the input many times. Instead, the chunks are dealt out:
 * each is read by one rank, which sends to every other what that one needs of it.
 *
 * This is done in rounds, so that what is under way at a time is bounded. Which rank reads what in
 * which round follows from the boxes, which all ranks know, so that nothing but values is sent.
 */
#include <limits.h>
#include <stdlib.h>

#include "eval/eval.h"
#include "jobs/exchange.h"

#define UNDER_WAY ((int64_t)1 << 30) /* most bytes that all ranks together send in a round */
#define AGAIN 6 / 5 /* inputs that would be read more often than this are exchanged */

/* ---- boxes ---- */

static int64_t
count(const struct axt_box *b, int rank)
{
	int64_t n = 1;

	for (int i = 0; i < rank; i++)
		n *= b->len[i];
	return n;
}

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
	bool first = count(all, rank) == 0;

	if (count(b, rank) == 0)
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

struct input {
	struct axt_graph *g;
	const struct axt_ranks *by;
	struct axt_need *need;
	const struct axt_box *boxes; /* [by->size]: what each rank needs */
	int rank;                    /* axes */
	int64_t size;                /* bytes of an element */
	struct axt_partition cut;    /* of need->all */
	int64_t rounds;
	int *nsend, *send_at, *ntake, *take_at; /* [by->size] */
};

/* How long the chunks of a leaf are, which are read as a whole. */
static int64_t
unit(const struct axt_expr *leaf, int i)
{
	const struct axt_storage *st = leaf->u.leaf.st;

	return st->layout == AXT_LAYOUT_CHUNKED && st->rank == leaf->axes.n ? MAX(1, st->chunk[i])
									    : 1;
}

/* The box with all of the chunks that it meets. */
static struct axt_box
whole_chunks(const struct axt_expr *leaf, const struct axt_box *b)
{
	struct axt_box out = *b;

	for (int i = 0; i < leaf->axes.n && count(b, leaf->axes.n) > 0; i++) {
		int64_t u = unit(leaf, i), hi = (b->from[i] + b->len[i] + u - 1) / u * u;

		out.from[i] = b->from[i] / u * u;
		out.len[i] = MIN(hi, leaf->axes.a[i].len) - out.from[i];
	}
	return out;
}

void
axt_need_part(struct axt_need *n, const struct axt_box *box)
{
	struct axt_box b = whole_chunks(n->leaf, box);
	int rank = n->leaf->axes.n;

	n->needed += count(box, rank);
	n->read += count(&b, rank);
	join(&n->all, &b, rank);
}

int64_t
axt_need_once(const struct axt_need *n)
{
	return count(&n->all, n->leaf->axes.n);
}

static bool
is_packed(const struct axt_need *n)
{
	return n->leaf->u.leaf.st->layout == AXT_LAYOUT_CHUNKED;
}

bool
axt_need_shared(const struct axt_need *n, bool near)
{
	/* the pages of a file are in memory once for all processes of a machine */
	return n->read > axt_need_once(n) * AGAIN && !(near && !is_packed(n));
}

/* Deals the chunks out, for as many rounds as bound what is under way. */
static int
deal(struct input *x)
{
	struct axt_axes of = { .n = x->rank };
	int64_t units[AXT_MAX_RANK], most;

	for (int i = 0; i < x->rank; i++) {
		of.a[i].len = x->need->all.len[i];
		units[i] = unit(x->need->leaf, i);
	}
	most = MIN(UNDER_WAY, x->g->memory / 8 * x->by->size);
	x->rounds = x->need->read * x->size / MAX(1, most) + 1;
	if (x->rounds > AXT_PARTS_MAX)
		return axt_fail(&x->g->err, AXT_E_LIMIT,
		    "the inputs of all processes are too large");
	axt_partition_make(&of, units, axt_identity, x->rank, x->rounds * x->by->size, &x->cut);
	return 0;
}

/* The boxes that rank k reads in a round, in the whole input. */
static int
share(const struct input *x, int k, int64_t round, struct axt_box box[AXT_PART_BOXES])
{
	int n = axt_partition_boxes(&x->cut, k * x->rounds + round + 1, x->by->size * x->rounds,
	    box);

	for (int i = 0; i < n; i++)
		for (int j = 0; j < x->rank; j++)
			box[i].from[j] += x->need->all.from[j];
	return n;
}

/* Evaluates a box of the leaf. */
static int
read_box(const struct input *x, const struct axt_box *box, uint8_t *p)
{
	struct axt_expr *e = axt_narrowed(x->g, x->need->leaf, box, NULL);
	struct axt_mem_sink to;
	struct axt_sink *sink = &to.sink;

	axt_mem_sink_init(&to, p, count(box, x->rank) * x->size);
	return axt_bad(e) || axt_run(x->g, &e, 1, &sink) ? (int)x->g->err.code : 0;
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

/* The bytes of boxes b[0..n) that rank k needs. */
static int64_t
needed_of(const struct input *x, const struct axt_box *b, int n, int k)
{
	struct axt_box in;
	int64_t bytes = 0;

	for (int i = 0; i < n; i++)
		if (meet(&b[i], &x->boxes[k], x->rank, &in))
			bytes += count(&in, x->rank) * x->size;
	return bytes;
}

/* Reads the share of this rank, and sorts it by whom it goes to. Returns what is sent, or NULL. */
static uint8_t *
to_send(struct input *x, int64_t round, int64_t *bytes, struct axt_box *b)
{
	int n = share(x, x->by->rank, round, b);
	uint8_t *all, *p = NULL, **at;
	int64_t total, largest = 1;

	for (int k = 0; k < x->by->size; k++)
		bytes[k] = needed_of(x, b, n, k);
	total = lay(bytes, x->by->size, x->nsend, x->send_at);
	for (int i = 0; i < n; i++)
		largest = MAX(largest, count(&b[i], x->rank) * x->size);
	all = total < 0 ? NULL : malloc((size_t)total + 1);
	at = calloc((size_t)x->by->size, sizeof(*at));
	p = all && at && total > 0 ? malloc((size_t)largest) : NULL;
	for (int k = 0; at && k < x->by->size; k++)
		at[k] = all ? all + x->send_at[k] : NULL;
	for (int i = 0; p && i < n && read_box(x, &b[i], p) == 0; i++)
		for (int k = 0; k < x->by->size; k++) {
			struct axt_box in;

			if (!meet(&b[i], &x->boxes[k], x->rank, &in))
				continue;
			copy(&in, x->rank, x->size, p, &b[i], at[k], &in);
			at[k] += count(&in, x->rank) * x->size;
		}
	if (!all || !at || (!p && total > 0))
		axt_fail(&x->g->err, AXT_E_MEM, "out of memory");
	free(p);
	free(at);
	return all;
}

/* Puts what has come to where it is in the box that this rank needs. */
static void
put(const struct input *x, int64_t round, const uint8_t *p, uint8_t *to, struct axt_box *b)
{
	const struct axt_box *own = &x->boxes[x->by->rank];
	struct axt_box in;

	for (int k = 0; k < x->by->size; k++) {
		int n = share(x, k, round, b);

		for (int i = 0; i < n; i++) {
			if (!meet(&b[i], own, x->rank, &in))
				continue;
			copy(&in, x->rank, x->size, p, &in, to, own);
			p += count(&in, x->rank) * x->size;
		}
	}
}

/* One round. An error of any rank ends it for all before anything is sent. */
static bool
exchange(struct input *x, int64_t round, int64_t *bytes, struct axt_box *b)
{
	uint8_t *send = x->g->err.code ? NULL : to_send(x, round, bytes, b), *take = NULL;
	int64_t total;
	bool ok;

	for (int k = 0; k < x->by->size; k++)
		bytes[k] = needed_of(x, b, share(x, k, round, b), x->by->rank);
	total = lay(bytes, x->by->size, x->ntake, x->take_at);
	take = total < 0 ? NULL : malloc((size_t)total + 1);
	if (!take && !x->g->err.code)
		axt_fail(&x->g->err, AXT_E_MEM, "out of memory");
	ok = x->by->t->least(send && take && !x->g->err.code) == 1;
	if (ok) {
		x->by->t->exchange(send, x->nsend, x->send_at, take, x->ntake, x->take_at);
		put(x, round, take, x->need->kept.mem, b);
	}
	free(send);
	free(take);
	return ok;
}

/* Makes room for what this rank needs of the input, and a leaf of it. */
static int
make_room(struct input *x)
{
	struct axt_graph *g = x->g;
	struct axt_need *n = x->need;
	struct axt_axes of = n->leaf->axes;
	int64_t bytes = count(&n->box, x->rank) * x->size;

	for (int i = 0; i < of.n; i++)
		if (of.a[i].len != n->box.len[i]) {
			of.a[i].len = n->box.len[i];
			of.a[i].coord = NULL;
			of.a[i].parts = NULL;
		}
	if (axt_wait_open(&n->kept, MAX(1, bytes), g->memory, NULL, &g->err) ||
	    axt_wait_map(&n->kept, &g->err))
		return g->err.code;
	n->is = axt_memory_leaf(g, n->leaf->dtype, &of, n->kept.mem);
	return axt_bad(n->is) ? g->err.code : 0;
}

static int
exchange_input(struct axt_graph *g, const struct axt_ranks *by, struct axt_need *need,
    const struct axt_box *boxes)
{
	struct input x = { .g = g,
		.by = by,
		.need = need,
		.boxes = boxes,
		.rank = need->leaf->axes.n,
		.size = axt_size(need->leaf->dtype) };
	int64_t *bytes = calloc((size_t)by->size, sizeof(*bytes));
	int *n = calloc((size_t)by->size * 4, sizeof(*n));
	struct axt_box *b = calloc(AXT_PART_BOXES, sizeof(*b));

	if (!bytes || !n || !b)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (deal(&x) == 0)
		make_room(&x);
	x.nsend = n;
	x.send_at = n + by->size;
	x.ntake = n + 2 * (size_t)by->size;
	x.take_at = n + 3 * (size_t)by->size;
	if (by->t->least(!g->err.code) == 1)
		for (int64_t r = 0; r < x.rounds && exchange(&x, r, bytes, b); r++)
			;
	free(bytes);
	free(n);
	free(b);
	return g->err.code;
}

int
axt_exchange(struct axt_graph *g, const struct axt_ranks *by, struct axt_needs *needs)
{
	struct axt_box *boxes = axt_alloc(g->m, (size_t)by->size * sizeof(*boxes));
	bool ok = by->t->least(boxes && !g->err.code) == 1;

	if (!boxes && !g->err.code)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; ok && i < needs->n; i++) {
		struct axt_need *n = &needs->l[i];

		by->t->gather(&n->box, (int)sizeof(n->box), boxes);
		for (int k = 0; k < by->size; k++)
			axt_need_part(n, &boxes[k]);
		n->shared = axt_need_shared(n, by->near) || (needs->several && is_packed(n));
		if (!n->shared)
			continue;
		exchange_input(g, by, n, boxes);
		ok = by->t->least(!g->err.code) == 1;
		needs->held = true;
	}
	if (!ok && !g->err.code)
		axt_fail(&g->err, AXT_E_RANK, "another process of the job failed");
	return g->err.code;
}
