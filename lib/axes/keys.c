/*
 * keys.c - keys: a number for each coordinate. They are sorted, so that a value, a label, or one
 * that occurs twice is found fast.
 */
#include <math.h>
#include <stdlib.h>

#include "axes/keys.h"
#include "cf/meaning.h"

bool
axt_coord_time(const struct axt_coord *c, struct axt_cftime *t)
{
	return !c->text && axt_attrs_time(c->attrs, t);
}

bool
axt_coord_circle(const struct axt_coord *c)
{
	return !c->text && axt_units_degrees(axt_attr_text(c->attrs, "units")) == AXT_DEGREES_EAST;
}

bool
axt_axis_circle(const struct axt_axis *a)
{
	const struct axt_coord *c = a->coord;

	if (axt_coord_circle(c))
		return true;
	if (c->text || !c->data || axt_dtypes[c->dtype].cls == AXT_CLASS_COMPLEX ||
	    axt_meaning(a->name, c->attrs) != AXT_MEANS_LON ||
	    !axt_meaning_earth(a->name, c->attrs))
		return false;
	for (int64_t i = 0; i < c->n; i++)
		if (!(fabs((double)axt_key_of(c, &(struct axt_keying){ 0 }, i)) <= 720))
			return false;
	return true;
}

axt_key
axt_key_text(const char *s)
{
	uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3;
	/* spreads the hashes evenly, which makes guess() precise */
	h = (h ^ h >> 32) * 0x9e3779b97f4a7c15;
	return (axt_key)(h ^ h >> 32);
}

axt_key
axt_key_of(const struct axt_coord *c, const struct axt_keying *how, int64_t i)
{
	const char *p = (const char *)c->data + i * axt_size(c->dtype);
	int64_t s;
	uint64_t u;
	double v;

	if (c->text)
		return axt_key_text(((const char *const *)c->data)[i]);
	if (!how->time && c->dtype == AXT_I64)
		return (axt_key) * (const int64_t *)memcpy(&s, p, 8);
	if (!how->time && c->dtype == AXT_U64)
		return (axt_key) * (const uint64_t *)memcpy(&u, p, 8);
	v = axt_load_f64(c->dtype, p);
	if (how->time)
		return axt_cftime_seconds(&how->t, v);
	return how->narrow ? axt_coord_cast(v, how->narrow) : v;
}

axt_key
axt_key_slack(const struct axt_coord *c, const struct axt_keying *how, axt_key k)
{
	if (!how->time)
		return 0;
	return axt_cftime_slack(c->dtype, &how->t, ((double)k - how->t.epoch) / how->t.unit);
}

static int
by_key(const void *a, const void *b)
{
	const struct axt_keyed *x = a, *y = b;

	if (x->k != y->k)
		return x->k < y->k ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

int
axt_keys_init(struct axt_arena *m, const struct axt_coord *c, const struct axt_keying *how,
    struct axt_keys *out)
{
	bool sorted = true;

	*out = (struct axt_keys){ .c = c, .how = *how };
	out->v = axt_alloc(m, (size_t)c->n * sizeof(*out->v) + 1);
	if (!out->v)
		return AXT_E_MEM;
	for (int64_t i = 0; i < c->n; i++) {
		axt_key k = axt_key_of(c, how, i);

		if (isnan(k))
			continue;
		sorted = sorted && (!out->n || out->v[out->n - 1].k <= k);
		out->v[out->n++] = (struct axt_keyed){ k, i };
	}
	if (!sorted)
		qsort(out->v, (size_t)out->n, sizeof(*out->v), by_key);
	return AXT_OK;
}

/* The index that k would have if keys were evenly spaced. */
static int64_t
guess(const struct axt_keys *s, axt_key k)
{
	axt_key first = s->v[0].k, last = s->v[s->n - 1].k, at = (k - first) / (last - first);

	if (!(at > 0)) /* NaN: all keys are equal, or one is infinite */
		return 0;
	return at < 1 ? (int64_t)(at * (axt_key)(s->n - 1)) : s->n - 1;
}

int64_t
axt_keys_above(const struct axt_keys *s, axt_key k)
{
	int64_t lo = 0, hi = s->n, step = 1, at;

	if (!hi)
		return 0;
	at = guess(s, k);
	/*
	 * Goes from the guess in steps that double, until k lies between lo and hi: keys below lo
	 * are less than k, and those from hi on are not.
	 */
	if (s->v[at].k < k) {
		for (lo = at + 1; lo + step < hi && s->v[lo + step].k < k; step *= 2)
			lo += step + 1;
		hi = MIN(hi, lo + step);
	} else {
		for (hi = at; hi >= step && s->v[hi - step].k >= k; step *= 2)
			hi -= step;
		lo = MAX(lo, hi - step + 1);
	}
	while (lo < hi) {
		int64_t mid = lo + (hi - lo) / 2;

		if (s->v[mid].k < k)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
is_text(const struct axt_keys *s, int64_t i, const char *text)
{
	return !text || !strcmp(((const char *const *)s->c->data)[s->v[i].i], text);
}

int64_t
axt_keys_find(const struct axt_keys *s, axt_key k, axt_key slack, const char *text, int64_t *twice)
{
	int64_t found = -1;
	axt_key best = INFINITY;

	*twice = -1;
	slack += axt_key_slack(s->c, &s->how, k);
	for (int64_t i = axt_keys_above(s, k - slack); i < s->n && s->v[i].k <= k + slack; i++) {
		axt_key off = fabsl(s->v[i].k - k);

		if (!is_text(s, i, text) || off > best)
			continue;
		*twice = off < best ? -1 : i;
		found = off < best ? i : found;
		best = off;
		if (slack == 0 && *twice >= 0)
			break;
	}
	return found;
}
