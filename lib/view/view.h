/*
 * view.h - strides: shape, sizes larger than shape, offset, joint
 * simplification. Strides count elements.
 */
#ifndef AXT_VIEW_VIEW_H
#define AXT_VIEW_VIEW_H

#include "axes/axes.h"
#include "axes/select.h"

/* A view of storage: element (i0, i1, ...) is at offset + sum of i_k * stride[k]. */
struct axt_view {
	int nd;
	int64_t shape[AXT_MAX_RANK];
	int64_t stride[AXT_MAX_RANK];
	int64_t offset;
};

/*
 * Row-major (order 'C') or column-major ('F') strides: partial products of the
 * allocated sizes (NULL: shape).
 * false when a product does not fit or a size is smaller than the shape.
 * *count: elements allocated.
 */
bool axt_view_layout(struct axt_view *v, int nd, const int64_t *shape, const int64_t *size,
    char order, int64_t *count);
/* Linear element index; false when an index is out of range. */
bool axt_view_index(const struct axt_view *v, const int64_t *index, int64_t *out);
/* v permuted: dimension i of the result is dimension perm[i] of v. */
void axt_view_permute(const struct axt_view *v, const int *perm, struct axt_view *out);
/* Row-major flattening of dimensions [lo, hi) as a view: false when it needs a copy. */
bool axt_view_flatten(const struct axt_view *v, int lo, int hi, struct axt_view *out);
/* Least and greatest element index the view touches; false when empty or on overflow. */
bool axt_view_bounds(const struct axt_view *v, int64_t *lo, int64_t *hi);

/*
 * Joint simplification of n views of one shape: drops unit dimensions and merges
 * neighbours that are adjacent in every view at once, never across a boundary (barrier[k]:
 * dimensions k-1 and k stay apart). Row-major order of the elements is kept. All views are
 * changed in place; returns the new nd (of all).
 */
int axt_view_simplify(int n, struct axt_view *v[], const bool *barrier);
/*
 * Whether two views of one shape may be walked by one flat loop in storage
 * order (any common order).
 */
bool axt_view_one_loop(const struct axt_view *a, const struct axt_view *b);

/*
 * sel.c: what is selected along an axis, as spans of constant step in order; steps may be negative
 * or 0. Spans that go on evenly are one. false everywhere: out of memory, or millions of spans.
 */
struct axt_sel {
	int n;
	int64_t len;			/* of all spans */
	struct axt_span *span;
	int64_t *at;			/* the element each span begins with */
};
bool axt_sel_add(struct axt_arena *m, struct axt_sel *s, struct axt_span x);
bool axt_sel_spans(struct axt_arena *m, struct axt_sel *out, const struct axt_span *span,
    int64_t n);
/* out[i] = in[of[i] + add]. */
bool axt_sel_compose(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *in,
    const struct axt_sel *of, int64_t add);
/* Quotients and remainders of s[i] + add by inner. */
bool axt_sel_divide(struct axt_arena *m, const struct axt_sel *s, int64_t add, int64_t inner,
    struct axt_sel *q, struct axt_sel *r);
/* Least and greatest of elements [lo, hi). */
void axt_sel_range(const struct axt_sel *s, int64_t lo, int64_t hi, int64_t *least, int64_t *most);
/* No more positions than this lie between least and greatest of `rows` elements in a row. */
int64_t axt_sel_extent(const struct axt_sel *s, int64_t rows);

/* out[i]: the sum over t of stride[t] * sel[t][i]; all are len long. */
bool axt_sel_sum(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *const sel[],
    const int64_t *stride, int n, int64_t len);
/*
 * Which of n ranges holds `at`: the last that begins no later; 0 where there is none. Beginnings
 * ascend, and are `step` bytes apart.
 */
static inline int64_t
axt_range_of(const int64_t *begin, size_t step, int64_t n, int64_t at)
{
	int64_t lo = 0;

	while (n - lo > 1) {
		int64_t mid = lo + (n - lo) / 2;

		const char *p = (const char *)begin + (size_t)mid * step;

		*(*(const int64_t *)p <= at ? &lo : &n) = mid;
	}
	return lo;
}

/* The span that holds element i. */
int axt_sel_find(const struct axt_sel *s, int64_t i);
static inline int64_t
axt_sel_at(const struct axt_sel *s, int64_t i)
{
	int k = s->n > 1 ? axt_sel_find(s, i) : 0;

	return s->span[k].start + s->span[k].step * (i - s->at[k]);
}

#endif
