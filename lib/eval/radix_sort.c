/*
 * radix_sort.c - sorts a few long lines, each by all threads, with a radix sort that begins with
 * the least significant digit. In each pass the digits of each piece of the line are counted; then
 * the elements of a piece go to the places for their digits, behind those of earlier pieces. So the
 * sort is stable, and the result is the same as that of one thread.
 */
#include <stdlib.h>

#include "eval/shared.h"

struct axt_sort {
	/*
	 * n: the elements of a line; side: how many lines lie side by side; piece: the elements of
	 * each of the `pieces` pieces that a line is cut into
	 */
	int64_t n, side, piece, pieces;
	int key; /* bytes of a key */
	int how;
	uint8_t *made; /* the results: [n][side] */
	/*
	 * two buffers of keys, and two of the positions that the keys came from. Unless several
	 * lines lie side by side, the result is made in place: `made` is the second buffer of
	 * positions if the result is positions, else of keys
	 */
	uint8_t *keys[2];
	int64_t *at[2];
	/* [pieces][digits]: counts, and then where the next element with this digit goes */
	int64_t *count;
	/*
	 * same: the digit is the same in all elements, so that the pass can be skipped; stop: the
	 * run is to end
	 */
	bool same, stop;
};

/* The state of a pass. Every thread has a copy, and all copies are equal. */
struct pass {
	int64_t line; /* which of the lines side by side is sorted */
	bool raw;     /* whether no element has been moved yet */
	int from;     /* which of the two buffers has the elements */
	int64_t held; /* the piece of the tile that this thread has loaded, or -1 */
	const uint8_t *x;
};

int
axt_sort_begin(struct axt_step_run *r)
{
	const struct axt_step *s = r->s;
	const struct axt_expr *e = s->out[0].node;
	struct axt_sort *x = calloc(1, sizeof(*x));
	int a = s->line.a;
	bool index = axt_gufuncs[e->u.gufunc.op]->positions;

	r->sort = x;
	if (!x)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	x->n = s->sp.len[a];
	x->side = axt_product(s->sp.len, a + 1, s->sp.nd);
	x->piece = s->ext[a];
	x->pieces = (x->n + x->piece - 1) / x->piece;
	x->key = s->line.fns->bits / 8;
	x->how = (e->u.gufunc.reverse ? AXT_SORT_DOWN : 0) | (index ? AXT_SORT_INDEX : 0);
	x->made = axt_scratch_new(x->n * x->side * s->line.size);
	x->keys[0] = axt_scratch_new(x->n * x->key);
	x->keys[1] = index || x->side > 1 ? axt_scratch_new(x->n * x->key) : x->made;
	x->at[0] = index ? axt_scratch_new(x->n * 8) : NULL;
	x->at[1] = !index ? NULL : x->side > 1 ? axt_scratch_new(x->n * 8) : (int64_t *)x->made;
	x->count = calloc((size_t)x->pieces << s->line.fns->digit, sizeof(*x->count));
	if (!x->made || !x->keys[0] || !x->keys[1] || (index && (!x->at[0] || !x->at[1])) ||
	    !x->count)
		return axt_fail(&r->g->err, AXT_E_MEM, "out of memory");
	return 0;
}

void
axt_sort_end(struct axt_step_run *r)
{
	struct axt_sort *x = r->sort;

	if (!x)
		return;
	for (int i = 0; i < 2; i++) {
		if (x->keys[i] != x->made)
			free(x->keys[i]);
		if ((uint8_t *)x->at[i] != x->made)
			free(x->at[i]);
	}
	free(x->made);
	free(x->count);
	free(x);
	r->sort = NULL;
}

/* The length of piece i of the line; *lo is where it begins. */
static int64_t
piece(const struct axt_sort *x, int64_t i, int64_t *lo)
{
	*lo = i * x->piece;
	return MIN(x->piece, x->n - *lo);
}

/* The elements of piece i, loaded as a tile as long as none has been moved. NULL: error. */
static const uint8_t *
elements(struct axt_worker *w, const struct axt_tile *t, struct pass *p, int64_t i)
{
	struct axt_sort *x = w->r->sort;
	int a = w->r->s->line.a;
	struct axt_tile part = *t;
	int64_t lo;

	part.n[a] = piece(x, i, &lo);
	if (!p->raw)
		return x->keys[p->from] + lo * x->key;
	if (p->held != i) {
		part.lo[a] = lo;
		p->x = axt_lines_values(w, &part);
		p->held = p->x ? i : -1;
		if (!p->x)
			axt_fail_unit(w, 0);
	}
	return p->x ? p->x + p->line * x->key : NULL;
}

/* Turns counts into places: for each piece and digit, where the first such element goes. */
static void
places(struct axt_sort *x, int digits)
{
	int64_t sum = 0;

	x->same = false;
	for (int d = 0; d < digits; d++) {
		int64_t before = sum;

		for (int64_t i = 0; i < x->pieces; i++) {
			int64_t *c = &x->count[i * digits + d], n = *c;

			*c = sum;
			sum += n;
		}
		x->same = x->same || sum - before == x->n;
	}
}

/* Sorts by the digit that begins at bit `shift`. Returns false if the run is to stop. */
static bool
by_digit(struct axt_worker *w, int id, struct axt_team *team, const struct axt_tile *t,
    struct pass *p, int shift)
{
	struct axt_sort *x = w->r->sort;
	const struct axt_line_fns *f = w->r->s->line.fns;
	int how = x->how | (p->raw ? AXT_SORT_RAW : 0), digits = 1 << f->digit;
	int64_t es = p->raw ? x->side : 1, lo, n;

	for (int64_t i = id; i < x->pieces; i += axt_team_size(team)) {
		const uint8_t *from = elements(w, t, p, i);

		n = piece(x, i, &lo);
		memset(x->count + i * digits, 0, (size_t)digits * sizeof(*x->count));
		if (from)
			f->digits(x->count + i * digits, from, n, es, shift, how);
	}
	axt_team_barrier(team);
	if (id == 0) {
		if (axt_cancelled(w->r->g, &w->err))
			axt_fail_unit(w, 0);
		x->stop = atomic_load(&w->r->sh->stop);
		places(x, digits);
	}
	axt_team_barrier(team);
	if (x->stop)
		return false;
	if (x->same)
		return true;
	for (int64_t i = id; i < x->pieces; i += axt_team_size(team)) {
		const uint8_t *from = elements(w, t, p, i);

		n = piece(x, i, &lo);
		if (from)
			f->deal(x->keys[!p->from], x->at[!p->from], from,
			    p->raw || !x->at[0] ? NULL : x->at[p->from] + lo, lo, n, es, shift,
			    x->count + i * digits, how);
	}
	p->raw = false;
	p->from = !p->from;
	axt_team_barrier(team);
	return true;
}

/* Sorts one of the lines side by side into the result. Returns false if the run is to stop. */
static bool
one_line(struct axt_worker *w, int id, struct axt_team *team, const struct axt_tile *t,
    struct pass *p)
{
	struct axt_sort *x = w->r->sort;
	const struct axt_step *s = w->r->s;
	int64_t lo, n;

	p->raw = true;
	p->from = 1;
	for (int shift = 0; shift < s->line.fns->bits; shift += s->line.fns->digit)
		if (!by_digit(w, id, team, t, p, shift))
			return false;
	for (int64_t i = id; i < x->pieces; i += axt_team_size(team)) {
		const uint8_t *from = elements(w, t, p, i);

		n = piece(x, i, &lo);
		if (from)
			s->line.fns->values(x->made + (lo * x->side + p->line) * s->line.size, from,
			    x->at[0] ? x->at[p->from] + lo : NULL, lo, n, p->raw ? x->side : 1,
			    x->side, x->how | (p->raw ? AXT_SORT_RAW : 0));
	}
	axt_team_barrier(team);
	return true;
}

/* Passes the lines of a unit to the sink. If the sink is ordered, one thread does it. */
static void
give(struct axt_worker *w, int id, struct axt_team *team, struct axt_tile t, int64_t unit)
{
	struct axt_sort *x = w->r->sort;
	int a = w->r->s->line.a;
	bool ordered = w->r->sink[0]->ordered;
	int64_t lo;

	for (int64_t i = id; i < x->pieces && !(ordered && id > 0) && !atomic_load(&w->r->sh->stop);
	     i += axt_team_size(team)) {
		t.n[a] = piece(x, i, &lo);
		t.lo[a] = lo;
		if (ordered) {
			t.n[a] = x->n;
			i = x->pieces;
		}
		t.count = t.n[a] * x->side;
		if (axt_emit(w, 0, &t, x->made + lo * x->side * w->r->s->line.size,
			w->r->at.seq + unit))
			axt_fail_unit(w, unit);
	}
	axt_team_barrier(team);
}

void
axt_sort_together(struct axt_worker *w, int id, struct axt_team *team)
{
	struct axt_step_run *r = w->r;

	for (int64_t u = 0; u < r->kept.count; u++) {
		struct pass p = { .held = -1 };
		struct axt_tile t = { 0 };

		axt_grid_tile(&r->kept, u, &t);
		if (id == 0)
			axt_tell(r, u, r->kept.count);
		for (p.line = 0; p.line < r->sort->side; p.line++)
			if (!one_line(w, id, team, &t, &p))
				return;
		give(w, id, team, t, u);
	}
}
