/* view.c - the strides of a layout, and how indexing, permuting and flattening change them. */
#include "view/view.h"

static bool
sizes_ok(int nd, const int64_t *shape, const int64_t *size)
{
	if (nd < 0 || nd > AXT_MAX_RANK)
		return false;
	for (int i = 0; i < nd; i++)
		if (shape[i] < 0 || size[i] < shape[i])
			return false;
	return true;
}

bool
axt_view_layout(struct axt_view *v, int nd, const int64_t *shape, const int64_t *size, char order,
    int64_t *count)
{
	int64_t n = 1;
	bool empty = false;

	size = size ? size : shape;
	if (!sizes_ok(nd, shape, size) || (order != 'C' && order != 'F'))
		return false;
	v->nd = nd;
	v->offset = 0;
	/*
	 * The stride of an empty dimension is never used. A length of 0 counts as 1 here, so that
	 * the other strides stay distinct.
	 */
	for (int i = 0; i < nd; i++) {
		int k = order == 'C' ? nd - 1 - i : i;

		v->shape[k] = shape[k];
		v->stride[k] = n;
		empty = empty || size[k] == 0;
		if (!axt_mul(n, MAX(size[k], 1), &n))
			return false;
	}
	if (count)
		*count = empty ? 0 : n;
	return true;
}

bool
axt_view_index(const struct axt_view *v, const int64_t *index, int64_t *out)
{
	int64_t at = v->offset, step;

	for (int i = 0; i < v->nd; i++) {
		if (index[i] < 0 || index[i] >= v->shape[i])
			return false;
		if (!axt_mul(index[i], v->stride[i], &step) ||
		    __builtin_add_overflow(at, step, &at))
			return false;
	}
	*out = at;
	return true;
}

void
axt_view_permute(const struct axt_view *v, const int *perm, struct axt_view *out)
{
	struct axt_view r = *v;

	for (int i = 0; i < v->nd; i++) {
		r.shape[i] = v->shape[perm[i]];
		r.stride[i] = v->stride[perm[i]];
	}
	*out = r;
}

/* Whether dimension `outer` continues where dimension `inner` ends. */
static bool
adjacent(const struct axt_view *v, int outer, int inner)
{
	int64_t span;

	return axt_mul(v->stride[inner], v->shape[inner], &span) && v->stride[outer] == span;
}

/*
 * Gives the length and stride of dimensions [lo, hi) as one dimension. Returns false if no single
 * stride walks them. Dimensions of length 1 are ignored; if one is empty, any stride will do.
 */
static bool
merge(const struct axt_view *v, int lo, int hi, int64_t *n, int64_t *stride)
{
	int inner = -1;
	bool fits = true;

	*n = 1;
	*stride = 1;
	for (int i = lo; i < hi; i++)
		if (v->shape[i] == 0) {
			*n = 0;
			return true;
		}
	for (int i = hi - 1; i >= lo && fits; i--) {
		if (v->shape[i] == 1)
			continue;
		if (inner < 0)
			*stride = v->stride[i];
		else
			fits = adjacent(v, i, inner);
		fits = fits && axt_mul(*n, v->shape[i], n);
		inner = i;
	}
	return fits;
}

bool
axt_view_flatten(const struct axt_view *v, int lo, int hi, struct axt_view *out)
{
	struct axt_view r = *v;
	int64_t n, stride;
	int less = hi - lo - 1;

	if (lo < 0 || hi > v->nd || lo > hi || v->nd - less > AXT_MAX_RANK)
		return false;
	if (!merge(v, lo, hi, &n, &stride))
		return false;
	r.nd = v->nd - less;
	r.shape[lo] = n;
	r.stride[lo] = stride;
	for (int i = hi; i < v->nd; i++) {
		r.shape[i - less] = v->shape[i];
		r.stride[i - less] = v->stride[i];
	}
	*out = r;
	return true;
}

bool
axt_view_bounds(const struct axt_view *v, int64_t *lo, int64_t *hi)
{
	*lo = *hi = v->offset;
	for (int i = 0; i < v->nd; i++) {
		int64_t span, *end;

		if (v->shape[i] <= 0 || !axt_mul(v->shape[i] - 1, v->stride[i], &span))
			return false;
		end = span < 0 ? lo : hi;
		if (__builtin_add_overflow(*end, span, end))
			return false;
	}
	return true;
}
