/*
 * circle.c - selection on an axis of longitudes. Values are compared modulo 360, and a range may go
 * beyond the end of the axis and on from its beginning.
 */
#include <math.h>

#include "axes/pick.h"

#define TURN 360
#define FAR 1e6 /* larger values are not taken as longitudes */

axt_key
axt_key_cast(const struct axt_coord *c, axt_key k)
{
	return axt_dtypes[c->dtype].cls == AXT_CLASS_FLOAT ? axt_coord_cast((double)k, c->dtype)
							   : k;
}

bool
axt_keys_far(const struct axt_keys *s, axt_key v)
{
	return !s->n || !(fabsl(v) < FAR) || !(fabsl(s->v[0].k) < FAR) ||
	    !(fabsl(s->v[s->n - 1].k) < FAR);
}

/*
 * The index of a key that equals v once t turns are subtracted from it and the difference is
 * rounded to the dtype; -1: none.
 */
static int64_t
rounded(const struct axt_keys *s, axt_key v, axt_key t)
{
	int64_t at = axt_keys_above(s, v + TURN * t);

	for (int64_t j = MAX(at - 1, 0); j < s->n && j <= at; j++)
		if (axt_key_cast(s->c, s->v[j].k - TURN * t) == v)
			return j;
	return -1;
}

int64_t
axt_keys_around(const struct axt_keys *s, axt_key v, int64_t *twice)
{
	int64_t i = axt_keys_find(s, v, 0, NULL, twice);

	if (i >= 0 || axt_keys_far(s, v))
		return i;
	for (axt_key t = floorl((s->v[0].k - v) / TURN); v + TURN * t <= s->v[s->n - 1].k + 1;
	     t++) {
		i = axt_keys_find(s, axt_key_cast(s->c, v + TURN * t), 0, NULL, twice);
		i = i < 0 ? rounded(s, v, t) : i;
		if (i >= 0)
			break;
	}
	return i;
}

int64_t
axt_keys_near_around(const struct axt_keys *s, axt_key v)
{
	int64_t best = 0;
	axt_key least = INFINITY, d; /* how far the best key is east of v; negative: west */

	for (int64_t i = 0; i < s->n; i++) {
		d = s->v[i].k - v;
		d = axt_keys_far(s, v) ? d : remainderl(d, TURN);
		if (fabsl(d) < fabsl(least) || (d == -least && d > 0)) {
			least = d;
			best = i;
		}
	}
	return best;
}

int64_t
axt_keys_nearest(const struct axt_keys *s, axt_key lo, axt_key hi, bool circle)
{
	int64_t i = axt_keys_above(s, lo);

	if (circle)
		return axt_keys_near_around(s, lo);
	if (i == s->n)
		return i - 1;
	return i > 0 && lo - s->v[i - 1].k < s->v[i].k - hi ? i - 1 : i;
}

bool
axt_keys_beyond(const struct axt_keys *s, int64_t i, axt_key lo, axt_key hi, bool circle)
{
	axt_key at = s->v[i].k, below = i > 0 ? at - s->v[i - 1].k : INFINITY;
	axt_key above = i + 1 < s->n ? s->v[i + 1].k - at : INFINITY;
	axt_key step = s->n > 1 ? fminl(below, above) : 0;

	/* between two longitudes, the nearer one may be a step of a finer part of the grid away */
	if (circle)
		return fabsl(remainderl(at - lo, TURN)) > 2 * step;
	return (i == 0 && at - hi > step) || (i + 1 == s->n && lo - at > step);
}

/* ---- ranges ---- */

struct arc {
	struct axt_picking *p;
	const struct axt_coord *c;
	/* from this position on values go on in the next turn: after 355 comes 0, for 360 */
	int64_t jump;
	axt_key lo, hi;
	bool rises;
	/*
	 * The first and the last value picked, as they are after turns were subtracted from them;
	 * and the number of turns that were subtracted from the first.
	 */
	axt_key first, last, turns;
	int64_t *each; /* [i]: the turns of the position that was picked as number i */
	bool crosses;
};

/* The turn in which position i lies, counted from that of the first. */
static int64_t
turn_of(const struct arc *r, int64_t i)
{
	return i < r->jump ? 0 : r->rises ? 1 : -1;
}

static axt_key
key(const struct arc *r, int64_t i)
{
	return axt_key_of(r->c, &(struct axt_keying){ 0 }, i) + (axt_key)(TURN * turn_of(r, i));
}

bool
axt_circle_jump(const struct axt_coord *c, int64_t *jump, bool *rises)
{
	const struct axt_keying how = { 0 };
	int64_t breaks[2] = { 0 }, at[2] = { 0 };
	axt_key first, last, k;

	first = last = c->n > 0 ? axt_key_of(c, &how, 0) : 0;
	for (int64_t i = 1; i < c->n; i++, last = k) {
		k = axt_key_of(c, &how, i);
		for (int up = 0; up < 2; up++)
			if (!(up ? k > last : k < last)) {
				axt_key step = up ? k + TURN - last : last + TURN - k;

				breaks[up] += step > 0 ? 1 : 2;
				at[up] = i;
			}
	}
	/* all of it has to be within one turn */
	*rises = breaks[1] == 1 && last < first;
	*jump = at[*rises];
	return breaks[0] > 0 && breaks[1] > 0 && (*rises || (breaks[0] == 1 && last > first));
}

static bool
inside(const struct arc *r, axt_key k, axt_key turns)
{
	axt_key x = axt_key_cast(r->c, k - TURN * turns);

	return (x >= r->lo || k >= axt_key_cast(r->c, r->lo + TURN * turns)) &&
	    (x <= r->hi || k <= axt_key_cast(r->c, r->hi + TURN * turns));
}

/*
 * Whether x follows the last value in the direction of the axis, within a full turn from the first.
 */
static bool
goes_on(const struct arc *r, axt_key x)
{
	axt_key sign = r->rises ? 1 : -1, near = r->c->dtype == AXT_F64 ? 1e-9L : 1e-4L;

	if (axt_dtypes[r->c->dtype].cls != AXT_CLASS_FLOAT)
		near = 0;
	return !r->p->n || (sign * (x - r->last) > near && sign * (x - r->first) < TURN - near);
}

static int
pick_turn(struct arc *r, axt_key turns)
{
	for (int64_t i = 0; i < r->c->n; i++) {
		axt_key k = key(r, i), x = k - TURN * turns;
		int64_t n = r->p->n;

		if (!inside(r, k, turns) || (turns != r->turns && !goes_on(r, x)))
			continue;
		if (!n) {
			r->first = x;
			r->turns = turns;
		}
		if (n >= r->c->n)
			break;
		r->crosses = r->crosses || turns != r->turns;
		r->last = x;
		r->each[n] = (int64_t)turns - turn_of(r, i);
		if (axt_pick(r->p, i))
			return r->p->e->code;
	}
	return AXT_OK;
}

/*
 * Writes the values of c, less 360 * turns[i / per] for value i, as dtype d to *out. *fits: whether
 * d can hold all of them.
 */
static int
less_turns(struct axt_arena *m, const struct axt_coord *c, const int64_t *turns, int64_t per,
    enum axt_dtype d, void **out, bool *fits)
{
	const struct axt_keying how = { 0 };
	char *v = axt_alloc(m, (size_t)c->n * 8 + 1);
	bool ints = axt_dtypes[d].cls != AXT_CLASS_FLOAT;

	if (!v)
		return AXT_E_MEM;
	*fits = true;
	for (int64_t i = 0; i < c->n; i++) {
		int64_t n_turns = turns[i / per];
		axt_key k = axt_key_of(c, &how, i), x = fabsl(k) < FAR ? k - TURN * n_turns : k;
		struct axt_num n = { .is_int = ints, .f = (double)x };

		if (ints) {
			n.is_unsigned = x > INT64_MAX;
			n.u = x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
			n.i = (int64_t)n.u;
		}
		*fits = axt_num_store(&n, d, v + i * axt_size(d)) && *fits;
	}
	*out = v;
	return AXT_OK;
}

int
axt_coord_turn(struct axt_arena *m, const struct axt_coord *c, const int64_t *turns, int64_t per,
    const struct axt_coord **out)
{
	struct axt_coord *r = axt_alloc(m, sizeof(*r));
	void *data = NULL;
	bool fits = false;

	if (!r || less_turns(m, c, turns, per, c->dtype, &data, &fits))
		return AXT_E_MEM;
	*r = *c;
	if (!fits) {
		r->dtype = AXT_I64;
		if (less_turns(m, c, turns, per, AXT_I64, &data, &fits))
			return AXT_E_MEM;
	}
	r->data = data;
	*out = r;
	return AXT_OK;
}

int
axt_pick_around(struct axt_picking *p, bool rises, int64_t jump, axt_key lo, axt_key hi)
{
	struct arc r = { .p = p,
		.c = p->a->coord,
		.jump = jump,
		.lo = lo,
		.hi = hi,
		.rises = rises };
	int64_t n = r.c->n;
	axt_key ends[2] = { key(&r, 0), key(&r, n - 1) }, min = ends[!rises], max = ends[rises], t;

	r.each = axt_alloc(p->m, (size_t)n * sizeof(*r.each));
	if (!r.each)
		return axt_axes_nomem(p->e);
	if (hi - lo > TURN)
		return axt_pick_run(p, 0, 1, n);
	/* first looks for the whole range in the turn in which it lies on the axis */
	r.turns = ceill((min - lo) / TURN);
	t = floorl((max - hi) / TURN);
	if (r.turns <= t) {
		r.turns = r.turns > 0 ? r.turns : t < 0 ? t : 0;
		return pick_turn(&r, r.turns);
	}
	r.turns = NAN;
	for (t = floorl((min - hi) / TURN); !rises && t <= ceill((max - lo) / TURN); t++)
		if (pick_turn(&r, t))
			return p->e->code;
	for (t = ceill((max - lo) / TURN); rises && t >= floorl((min - hi) / TURN); t--)
		if (pick_turn(&r, t))
			return p->e->code;
	p->turns = r.crosses ? r.each : NULL;
	return AXT_OK;
}
