/*
 * view.h - views of storage: a shape, strides and an offset, all counted in elements;
 * simplification of several views at once; index maps along one axis.
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
 * Sets v to a row-major (order 'C') or column-major ('F') array of nd dimensions. `size` has the
 * lengths that are allocated, of which `shape` are used; NULL: they are the same. *count becomes
 * the number of elements allocated. Returns false if that does not fit, or a size is less than the
 * length.
 */
bool axt_view_layout(struct axt_view *v, int nd, const int64_t *shape, const int64_t *size,
    char order, int64_t *count);
/* The element that an index selects; false when the index is out of range. */
bool axt_view_index(const struct axt_view *v, const int64_t *index, int64_t *out);
/* Permutes dimensions: dimension i of the result is dimension perm[i] of v. */
void axt_view_permute(const struct axt_view *v, const int *perm, struct axt_view *out);
/* Flattens dimensions [lo, hi), in row-major order, without a copy; false when it needs one. */
bool axt_view_flatten(const struct axt_view *v, int lo, int hi, struct axt_view *out);
/* The least and greatest element that the view touches; false when it is empty or on overflow. */
bool axt_view_bounds(const struct axt_view *v, int64_t *lo, int64_t *hi);

/*
 * Simplifies n views of one shape together: drops dimensions of length 1, and merges neighbours
 * that are adjacent in every view, but never across a barrier (barrier[k]: dimensions k-1 and k
 * stay apart). The row-major order of elements stays. Changes the views in place and returns their
 * new rank.
 */
int axt_view_simplify(int n, struct axt_view *v[], const bool *barrier);
/* Whether one flat loop can walk two views of one shape, in the order in which both are stored. */
bool axt_view_one_loop(const struct axt_view *a, const struct axt_view *b);

/*
 * ---- sel.c: an index map: which element of one axis each position of another axis means. It is
 * kept as spans of constant step, in order. Steps may be negative or 0, and neighbours that
 * continue evenly are merged. Functions return false when out of memory, or if there would be
 * millions of spans.
 */
struct axt_sel {
	int n;
	int64_t len; /* of all spans together */
	struct axt_span *span;
	int64_t *at; /* the element that each span begins with */
};
bool axt_sel_add(struct axt_arena *m, struct axt_sel *s, struct axt_span x);
bool axt_sel_spans(struct axt_arena *m, struct axt_sel *out, const struct axt_span *span,
    int64_t n);
/* out[i] = in[of[i] + add]. */
bool axt_sel_compose(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *in,
    const struct axt_sel *of, int64_t add);
/* The quotients and remainders of s[i] + add divided by inner. */
bool axt_sel_divide(struct axt_arena *m, const struct axt_sel *s, int64_t add, int64_t inner,
    struct axt_sel *q, struct axt_sel *r);
/* The least and greatest element among positions [lo, hi). */
void axt_sel_range(const struct axt_sel *s, int64_t lo, int64_t hi, int64_t *least, int64_t *most);
/* An upper bound on greatest - least + 1 of the elements at any `rows` positions in a row. */
int64_t axt_sel_extent(const struct axt_sel *s, int64_t rows);

/* out[i] is the sum over t of stride[t] * sel[t][i]; all are len long. */
bool axt_sel_sum(struct axt_arena *m, struct axt_sel *out, const struct axt_sel *const sel[],
    const int64_t *stride, int n, int64_t len);
/*
 * The index of the range that contains `at`, of n ranges that follow each other: the last one that
 * begins at or before it, or 0. Their beginnings rise, and lie `step` bytes apart in memory.
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

/* The span that contains position i. */
int axt_sel_find(const struct axt_sel *s, int64_t i);
static inline int64_t
axt_sel_at(const struct axt_sel *s, int64_t i)
{
	int k = s->n > 1 ? axt_sel_find(s, i) : 0;

	return s->span[k].start + s->span[k].step * (i - s->at[k]);
}

#endif
