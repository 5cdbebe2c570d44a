/*
 * dsetview.c - tensors that are a part of their dataset, or column-major. Attributes tell which
 * view of the dataset, which has the allocated size, is the tensor. Other readers see all that is
 * allocated.
 *
 *	axt_shape	the tensor's lengths, in the order of the dataset's dimensions
 *	axt_layout	"F": the tensor's axes are the dataset's dimensions from last to first
 */
#include "files/files.h"

static int
bad(struct axt_dset *d, const char *name, struct axt_err *e)
{
	return axt_fail(e, AXT_E_DAMAGED, "%s: attribute %s does not fit the dataset",
	    d->st.from ? d->st.from : d->name, name);
}

/* Cuts an axis, and its coordinates, to the first n positions. */
static int
cut_axis(struct axt_arena *m, struct axt_axis *a, int64_t n, struct axt_err *e)
{
	struct axt_coord *c;

	if (a->len == n)
		return 0;
	a->len = n;
	a->parts = NULL;
	if (!a->coord || !a->coord->data)
		return 0;
	c = axt_alloc(m, sizeof(*c));
	if (!c)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	*c = *a->coord;
	c->n = n;
	a->coord = c;
	return 0;
}

int
axt_dset_view(struct axt_arena *m, struct axt_dset *d, struct axt_err *e)
{
	const struct axt_attr *shape = axt_attr_find(d->attrs, "axt_shape"),
			      *layout = axt_attr_find(d->attrs, "axt_layout");

	if (d->role != AXT_ROLE_TENSOR || (!shape && !layout))
		return 0;
	if (layout) {
		d->reversed = layout->kind == AXT_ATTR_TEXT && strcmp(layout->text, "F") == 0;
		if (!d->reversed &&
		    !(layout->kind == AXT_ATTR_TEXT && strcmp(layout->text, "C") == 0))
			return bad(d, "axt_layout", e);
	}
	if (!shape)
		return 0;
	if (shape->kind != AXT_ATTR_NUM || shape->dtype != AXT_I64 || shape->n != d->rank)
		return bad(d, "axt_shape", e);
	for (int i = 0; i < d->rank; i++) {
		int64_t n;

		memcpy(&n, (const char *)shape->data + i * (int)sizeof(n), sizeof(n));
		if (n < 0 || n > d->dims[i])
			return bad(d, "axt_shape", e);
		if (cut_axis(m, &d->axes.a[i], n, e))
			return e->code;
		d->dims[i] = n;
	}
	return 0;
}

void
axt_dset_layout(const struct axt_dset *d, struct axt_view *v, int64_t size[AXT_MAX_RANK],
    int axis[AXT_MAX_RANK])
{
	int64_t shape[AXT_MAX_RANK];

	for (int i = 0; i < d->rank; i++) {
		axis[i] = d->reversed ? d->rank - 1 - i : i;
		shape[i] = d->dims[axis[i]];
		size[i] = d->loaded ? d->st.dims[axis[i]] : shape[i];
	}
	if (!axt_view_layout(v, d->rank, shape, size, d->reversed ? 'F' : 'C', NULL))
		*v = (struct axt_view){ .nd = d->rank };
}
