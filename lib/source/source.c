/*
 * source.c - chooses the kind of source for a storage, and has what the kinds share: a tile is used
 * where it lies in memory, gathered from memory, or filled run by run.
 */
#include "source/source.h"

/* The kinds of sources for storage. The other rows of sources.def are for nodes. */
static const struct axt_source_kind *const storage_kinds[] = {
#define SOURCE(ID, name, reach, words)
#define STORAGE(ID, name, reach, words) [AXT_SOURCE_##ID] = &axt_source_##name,
#include "sources.def"
#undef SOURCE
};

void
axt_storage_told(const struct axt_storage *st, struct axt_storage_facts *f)
{
	const struct axt_source_kind *k;

	*f = (struct axt_storage_facts){ .swap = st->swap,
		.rank = st->rank,
		.fill = st->layout == AXT_LAYOUT_NONE ? st->fill_bytes : NULL,
		.pipe = st->src != NULL };
	for (int i = 0; i < ARRAY_LEN(storage_kinds) && !f->fill; i++)
		if ((k = storage_kinds[i]) && (!k->holds || k->holds(st)))
			f->source = (enum axt_source_id)i;
	k = storage_kinds[f->source];
	f->memory = st->mem && !k->window;
	memcpy(f->dims, st->dims, sizeof(f->dims));
	memcpy(f->chunk, st->chunk, sizeof(f->chunk));
	if (k->tell)
		k->tell(st, f);
}

/* ---- tiles ---- */

/*
 * A walk over a tile in its order, in which elements in memory are copied to `out`, or elements are
 * computed there by `fill`.
 */
struct walk {
	const struct axt_source *s;
	axt_fill_fn *fill; /* NULL: the elements are in memory */
	const struct axt_space *sp;
	const struct axt_tile *t;
	uint8_t *out;
	/* the dimension that is gathered together with the innermost one, or -1 */
	int pair;
};

/*
 * The stride of the source along dimension d from element i on. *n is reduced to the number of
 * elements that have this stride.
 */
static int64_t
even_part(const struct axt_operand *op, int d, int64_t i, int64_t *n)
{
	const struct axt_sel *j = op->jump[d];
	int k;

	if (!j)
		return op->v.stride[d];
	k = axt_sel_find(j, i);
	*n = MIN(*n, j->at[k] + j->span[k].len - i);
	return j->span[k].step;
}

/* Copies elements [lo, lo + n) of the linear group; `at` is the offset of the other indices. */
static void
walk_group(struct walk *w, int64_t at, int64_t lo, int64_t n, uint8_t *out, int64_t rows,
    int64_t row_out, int64_t row_in)
{
	const struct axt_operand *op = w->s->op;
	int last = w->sp->nd - 1;
	int64_t len = w->sp->len[last];

	while (n > 0) {
		int64_t rest = lo / len, col = lo % len, k = MIN(n, len - col),
			base = at + axt_operand_at(op, last, col),
			stride = even_part(op, last, col, &k);

		for (int d = last - 1; d >= w->sp->lin; d--) {
			base += axt_operand_at(op, d, rest % w->sp->len[d]);
			rest /= w->sp->len[d];
		}
		if (w->fill)
			w->fill(out, w->s, base, stride, k);
		else
			axt_kern_gather2(out, row_out, w->s->mem + base * op->size, rows, k, row_in,
			    stride, op->size);
		out += k * op->size;
		lo += k;
		n -= k;
	}
}

static void
walk_dims(struct walk *w, int d, int64_t at, int64_t place, int64_t step)
{
	const struct axt_operand *op = w->s->op;
	const struct axt_tile *t = w->t;
	int lin = w->sp->lin;

	if (d == lin) {
		int64_t rows = w->pair >= 0 ? t->n[w->pair] : 1, row_out = 0, row_in = 0;

		if (w->pair >= 0) {
			row_in = op->v.stride[w->pair];
			row_out = t->n[lin];
			for (int k = w->pair + 1; k < lin; k++)
				row_out *= t->n[k];
		}
		walk_group(w, at, t->lo[lin], t->n[lin], w->out + place * op->size, rows, row_out,
		    row_in);
		return;
	}
	step /= t->n[d]; /* elements of the tile for one index of d */
	for (int64_t i = 0; i < (d == w->pair ? 1 : t->n[d]); i++)
		walk_dims(w, d + 1, at + axt_operand_at(op, d, t->lo[d] + i), place + i * step,
		    step);
}

/*
 * The dimension that is gathered together with the innermost one, or -1. If the innermost has
 * stride 1 or 0, it is the next outer one that is longer than 1; otherwise the one with the least
 * stride.
 */
static int
best_pair(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
{
	int64_t in = op->v.stride[sp->nd - 1], best = INT64_MAX;
	int pair = -1;

	if (sp->lin != sp->nd - 1 || op->jump[sp->nd - 1])
		return -1;
	for (int d = sp->lin - 1; d >= 0; d--) {
		int64_t s = op->v.stride[d] < 0 ? -op->v.stride[d] : op->v.stride[d];

		if (op->jump[d])
			continue;
		if (t->n[d] > 1 && in != 0 && in != 1 && s > 0 && s < best) {
			best = s;
			pair = d;
		} else if (t->n[d] > 1 && pair < 0 && (in == 0 || in == 1)) {
			return d;
		}
	}
	return pair;
}

void
axt_source_fill(const struct axt_source *s, const struct axt_asked_tile *x, axt_fill_fn *fill)
{
	struct walk w = { .s = s, .fill = fill, .sp = x->sp, .t = x->t, .out = x->buf, .pair = -1 };

	if (!fill)
		w.pair = best_pair(s->op, x->sp, x->t);
	walk_dims(&w, 0, s->op->v.offset, 0, x->t->count);
}

static int64_t
first_element(const struct axt_operand *op, const struct axt_space *sp, const struct axt_tile *t)
{
	int64_t at = op->v.offset, lin = t->lo[sp->lin];

	for (int d = 0; d < sp->lin; d++)
		at += axt_operand_at(op, d, t->lo[d]);
	for (int d = sp->nd - 1; d >= sp->lin; d--) {
		at += axt_operand_at(op, d, lin % sp->len[d]);
		lin /= sp->len[d];
	}
	return at;
}

/* Whether the tile can be used where it is in memory, as rows that are *ld elements apart. */
static bool
rows_in_place(const struct axt_operand *op, const struct axt_tile *t, int rows, int64_t cols,
    int64_t piece, int64_t *ld)
{
	int along = -1;

	for (int d = 0; d < rows; d++) {
		if (t->n[d] > 1 && (along >= 0 || op->jump[d]))
			return false;
		along = t->n[d] > 1 ? d : along;
	}
	*ld = along >= 0 ? op->v.stride[along] : cols;
	return piece >= cols;
}

/* Where the tile is in s->mem, in rows; NULL: its elements are not together. */
static const uint8_t *
in_place(const struct axt_source *s, const struct axt_asked_tile *x)
{
	const struct axt_operand *op = s->op;
	int64_t piece = axt_operand_piece(op, x->sp, x->t);

	return piece >= x->t->count || rows_in_place(op, x->t, x->rows, x->cols, piece, x->ld)
	    ? s->mem + first_element(op, x->sp, x->t) * op->size
	    : NULL;
}

const void *
axt_source_there(const struct axt_source *s, const struct axt_asked_tile *x)
{
	return s->mem && !(s->st && s->st->swap) ? in_place(s, x) : NULL;
}

const void *
axt_source_gather(struct axt_source *s, const struct axt_asked_tile *x)
{
	const uint8_t *p = in_place(s, x);

	if (p)
		return p;
	*x->ld = x->cols;
	axt_source_fill(s, x, NULL);
	return x->buf;
}
