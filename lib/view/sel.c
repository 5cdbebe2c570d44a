/*
 * sel.c - index maps along an axis, kept as spans (runs of positions with a constant step). Maps
 * are applied one after another; several, each times a stride, are added to one; and one is divided
 * by a length into quotients and remainders, where an axis is split into two.
 */
#include "view/view.h"

#define SPANS_MAX ((int64_t)4 << 20) /* an index map may have so many at most */

bool
axt_sel_add(struct axt_arena *m, struct axt_sel *s, struct axt_span x)
{
	struct axt_span *last = s->n ? &s->span[s->n - 1] : NULL, *grown;
	int64_t *at;

	if (x.len == 0)
		return true;
	s->len += x.len;
	if (last && last->len == 1 && (x.len == 1 || x.start - last->start == x.step)) {
		last->step = x.start - last->start;
		last->len += x.len;
		return true;
	}
	if (last && (x.len == 1 || x.step == last->step) &&
	    x.start == last->start + last->step * last->len) {
		last->len += x.len;
		return true;
	}
	if (s->n >= SPANS_MAX)
		return false;
	if ((s->n & (s->n - 1)) == 0) { /* s->n is a power of 2: the array is full */
		grown = axt_alloc(m, (size_t)MAX(1, 2 * s->n) * sizeof(*grown));
		at = axt_alloc(m, (size_t)MAX(1, 2 * s->n) * sizeof(*at));
		if (!grown || !at)
			return false;
		if (s->n) {
			memcpy(grown, s->span, (size_t)s->n * sizeof(*grown));
			memcpy(at, s->at, (size_t)s->n * sizeof(*at));
		}
		s->span = grown;
		s->at = at;
	}
	s->at[s->n] = s->len - x.len;
	s->span[s->n++] = x;
	return true;
}

bool
axt_sel_spans(struct axt_arena *m, struct axt_sel *out, const struct axt_span *span, int64_t n)
{
	*out = (struct axt_sel){ 0 };
	for (int64_t k = 0; k < n; k++)
		if (!axt_sel_add(m, out, span[k]))
			return false;
	return true;
}

int
axt_sel_find(const struct axt_sel *s, int64_t i)
{
	return (int)axt_range_of(s->at, sizeof(*s->at), s->n, i);
}

/* Appends elements start, start + step... of `in`, n of them, to out. */
static bool
pick(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *in, struct axt_span of,
    int64_t add)
{
	if (in->n == 1)
		return axt_sel_add(m, out,
		    (struct axt_span){ in->span[0].start + in->span[0].step * (of.start + add),
			in->span[0].step * of.step, of.len });
	for (int64_t i = 0, n; i < of.len; i += n) {
		int64_t at = of.start + add + of.step * i;
		int k = axt_sel_find(in, at);
		int64_t here = at - in->at[k];

		n = of.step > 0   ? (in->span[k].len - 1 - here) / of.step + 1
		    : of.step < 0 ? here / -of.step + 1
				  : of.len - i;
		n = MIN(n, of.len - i);
		if (!axt_sel_add(m, out,
			(struct axt_span){ in->span[k].start + in->span[k].step * here,
			    in->span[k].step * of.step, n }))
			return false;
	}
	return true;
}

bool
axt_sel_compose(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *in,
    const struct axt_sel *of, int64_t add)
{
	*out = (struct axt_sel){ 0 };
	for (int k = 0; k < of->n; k++)
		if (!pick(m, out, in, of->span[k], add))
			return false;
	return true;
}

/* The positions x + add that lie in one row of `inner`, as quotients and remainders. */
bool
axt_sel_divide(struct axt_arena *m, const struct axt_sel *s, int64_t add, int64_t inner,
    struct axt_sel *q, struct axt_sel *r)
{
	*q = *r = (struct axt_sel){ 0 };
	for (int k = 0; k < s->n; k++) {
		struct axt_span x = s->span[k];

		for (int64_t i = 0, n; i < x.len; i += n) {
			int64_t at = x.start + add + i * x.step, rem = at % inner;

			if (x.step % inner == 0) {
				n = x.len - i;
				if (!axt_sel_add(m, q,
					(struct axt_span){ at / inner, x.step / inner, n }) ||
				    !axt_sel_add(m, r, (struct axt_span){ rem, 0, n }))
					return false;
				continue;
			}
			n = x.step > 0 ? (inner - 1 - rem) / x.step + 1 : rem / -x.step + 1;
			n = MIN(n, x.len - i);
			if (!axt_sel_add(m, q, (struct axt_span){ at / inner, 0, n }) ||
			    !axt_sel_add(m, r, (struct axt_span){ rem, x.step, n }))
				return false;
		}
	}
	return true;
}

void
axt_sel_range(const struct axt_sel *s, int64_t lo, int64_t hi, int64_t *least, int64_t *most)
{
	*least = INT64_MAX;
	*most = INT64_MIN;
	for (int k = axt_sel_find(s, lo); k < s->n && MAX(lo, s->at[k]) < hi; k++) {
		int64_t a = MAX(lo, s->at[k]) - s->at[k],
			b = MIN(hi - s->at[k], s->span[k].len) - 1,
			x = s->span[k].start + s->span[k].step * a,
			y = s->span[k].start + s->span[k].step * b;

		*least = MIN(*least, MIN(x, y));
		*most = MAX(*most, MAX(x, y));
	}
}

int64_t
axt_sel_extent(const struct axt_sel *s, int64_t rows)
{
	int64_t most = 0, lo, hi;

	if (s->n == 1 && rows < s->len)
		return (rows - 1) * (s->span[0].step < 0 ? -s->span[0].step : s->span[0].step) + 1;
	/* a window of `rows` lies in two of these */
	for (int64_t i = 0; i < s->len; i += rows) {
		axt_sel_range(s, i, MIN(s->len, i + 2 * MIN(rows, s->len)), &lo, &hi);
		most = MAX(most, hi - lo + 1);
	}
	return most;
}

bool
axt_sel_sum(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *const sel[],
    const int64_t *stride, int n, int64_t len)
{
	int64_t k[AXT_MAX_RANK] = { 0 }, used[AXT_MAX_RANK] = { 0 };

	*out = (struct axt_sel){ 0 };
	for (int64_t i = 0, c; i < len; i += c) {
		struct axt_span x = { 0, 0, 0 };

		c = len - i;
		for (int t = 0; t < n; t++)
			c = MIN(c, sel[t]->span[k[t]].len - used[t]);
		for (int t = 0; t < n; t++) {
			const struct axt_span *s = &sel[t]->span[k[t]];

			x.start += stride[t] * (s->start + s->step * used[t]);
			x.step += stride[t] * s->step;
			used[t] += c;
			if (used[t] == s->len) {
				k[t]++;
				used[t] = 0;
			}
		}
		x.len = c;
		if (!axt_sel_add(m, out, x))
			return false;
	}
	return true;
}
