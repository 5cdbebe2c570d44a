/*
 * view.h - strides: shape, sizes larger than shape, offset, joint
 * simplification. Strides count elements.
 */
#ifndef AXT_VIEW_H
#define AXT_VIEW_H

#include "../axes/axes.h"

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

#endif
