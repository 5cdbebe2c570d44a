/*
 * contraction_pack.c - packs tiles of a product's arguments into panels. Tiles are used in place if
 * they are in a mapped file or a slab; otherwise they are computed or gathered, one after another.
 */
#include "eval/shared.h"

#define AHEAD 8 /* rows that are prefetched */

/* Sets the tile to the single element with flattened index i in dimensions [a, b). */
static void
set_index(struct axt_tile *t, const struct axt_space *sp, int a, int b, int64_t i)
{
	for (int d = b - 1; d >= a; d--) {
		t->lo[d] = i % sp->len[d];
		t->n[d] = 1;
		i /= sp->len[d];
	}
}

/* Prefetches rows that are needed soon, which are too far apart for the processor to do so. */
static void
fetch(const uint8_t *x, int64_t rows, int64_t bytes, int64_t step)
{
	for (int64_t r = 0; r < rows; r++)
		for (int64_t i = 0; i < bytes; i += 64)
			__builtin_prefetch(x + r * step + i);
}

/* Copies n rows of x, of l elements each and ld apart, to elements i, i + 1... of the panels. */
static void
place_rows(const struct axt_panels *p, int64_t i, int64_t n, int64_t l, const uint8_t *x,
    int64_t ld)
{
	while (n > 0) {
		int64_t m = MIN(n, p->width - i % p->width);
		int64_t at = i / p->width * p->kk * p->width + i % p->width;

		fetch(x + m * ld * p->size, MIN(n - m, p->width), l * p->size, ld * p->size);
		axt_kern_gather2(p->out + at * p->size, p->width, x, l, m, 1, ld, p->size);
		x += m * ld * p->size;
		i += m;
		n -= m;
	}
}

/* Divides a row of n elements among the panels. A constant `bytes` makes it faster. */
static inline __attribute__((always_inline)) void
deal(uint8_t *out, const uint8_t *x, int64_t n, int64_t step, size_t bytes)
{
	for (int64_t j = 0; j < n; j++)
		memcpy(out + j * step, x + j * (int64_t)bytes, bytes);
}

/* Copies l rows of x, of n elements each and ld apart, to rows l0, l0 + 1... of all panels. */
static void
place_deep(const struct axt_panels *p, int64_t n, int64_t l0, int64_t l, const uint8_t *x,
    int64_t ld)
{
	size_t bytes = (size_t)(p->width * p->size);
	int64_t whole = n / p->width, step = p->kk * (int64_t)bytes;

	for (int64_t r = 0; r < l; r++) {
		uint8_t *out = p->out + (l0 + r) * (int64_t)bytes;
		const uint8_t *row = x + r * ld * p->size;

		if (r + AHEAD < l)
			fetch(row + AHEAD * ld * p->size, 1, n * p->size, 0);
		if (bytes == 128)
			deal(out, row, whole, step, 128);
		else if (bytes == 48)
			deal(out, row, whole, step, 48);
		else
			deal(out, row, whole, step, bytes);
		memcpy(out + whole * step, row + whole * (int64_t)bytes,
		    (size_t)(n % p->width * p->size));
	}
}

int
axt_panels_fill(struct axt_worker *w, const struct axt_matrix *x, int64_t b, int64_t lo, int64_t hi,
    int64_t k0, int64_t k1, struct axt_panels *to)
{
	const struct axt_space *sp = &x->s->sp;
	int64_t o = x->k_last ? lo : k0, end = x->k_last ? hi : k1, inner = sp->len[sp->lin - 1],
		cols = x->k_last ? k1 - k0 : hi - lo, ld, rest = (hi - lo) % to->width;
	struct axt_tile t = { 0 };

	to->kk = k1 - k0;
	if (rest) /* the last panel is filled up with zeros */
		memset(to->out + (hi - lo - rest) * to->kk * to->size, 0,
		    (size_t)(to->width * to->kk * to->size));
	set_index(&t, sp, 0, x->outer, b);
	t.lo[sp->lin] = x->k_last ? k0 : lo;
	t.n[sp->lin] = cols;
	for (int64_t n; o < end; o += n) {
		const uint8_t *v;

		n = MIN(MIN(MAX(1, AXT_MATRIX_TILE / cols), end - o), inner - o % inner);
		set_index(&t, sp, x->outer, sp->lin, o);
		t.n[sp->lin - 1] = n;
		t.count = n * cols;
		v = axt_worker_values(w, &t, sp->lin, cols, &ld);
		if (!v)
			return -1;
		if (x->k_last)
			place_rows(to, o - lo, n, cols, v, ld);
		else
			place_deep(to, cols, o - k0, n, v, ld);
	}
	return 0;
}

const uint8_t *
axt_matrix_there(struct axt_worker *w, const struct axt_matrix *x, int64_t b, int64_t lo,
    int64_t hi, int64_t k0, int64_t k1, int64_t *ld)
{
	const struct axt_step *s = x->s;
	const struct axt_reg *root = &s->prog.reg[s->out[0].root];
	int64_t o = x->k_last ? lo : k0, n = x->k_last ? hi - lo : k1 - k0,
		cols = x->k_last ? k1 - k0 : hi - lo, inner = s->sp.len[s->sp.lin - 1];
	struct axt_tile t = { .count = n * cols };
	struct axt_asked_tile all = { .sp = &s->sp,
		.t = &t,
		.rows = s->sp.lin,
		.cols = cols,
		.ld = ld };
	const void *p;

	if (s->prog.ninstrs > 0 || root->operand < 0 || root->scalar || n > inner - o % inner)
		return NULL;
	set_index(&t, &s->sp, 0, x->outer, b);
	set_index(&t, &s->sp, x->outer, s->sp.lin, o);
	t.n[s->sp.lin - 1] = n;
	t.lo[s->sp.lin] = x->k_last ? k0 : lo;
	t.n[s->sp.lin] = cols;
	*ld = cols;
	p = axt_source_there(&w->r->src[root->operand], &all);
	*ld = n == 1 ? cols : *ld;
	return *ld >= cols && *ld <= INT32_MAX ? p : NULL;
}

int
axt_panels_across(struct axt_worker *w, const struct axt_matrix *x, int64_t lo, int64_t hi,
    const struct axt_panels *to)
{
	const struct axt_space *sp = &x->s->sp;
	int64_t each = axt_product(sp->len, x->outer, sp->lin) * sp->lin_len, ld, n,
		inner = sp->len[x->outer - 1];
	struct axt_tile t = { 0 };

	for (int d = x->outer; d < sp->lin; d++)
		t.n[d] = sp->len[d];
	t.n[sp->lin] = sp->lin_len;
	for (int64_t b = lo; b < hi; b += n) {
		const uint8_t *v;

		n = MIN(MIN(AXT_MATRIX_TILE / each, hi - b), inner - b % inner);
		set_index(&t, sp, 0, x->outer, b);
		t.n[x->outer - 1] = n;
		t.count = n * each;
		v = axt_worker_values(w, &t, x->outer, each, &ld);
		if (!v)
			return -1;
		axt_kern_gather2(to->out + (b - lo) * to->size, to->width, v, each, n, 1, ld,
		    to->size);
	}
	return 0;
}
