/*
 * tall.c - systems of many more equations than unknowns, for least squares: each block of rows is
 * replaced by few rows that have the same solutions. So both sides are read once, block by block.
 */
#include "expr/inner.h"

#define BLOCK_BYTES (4 << 20)
#define SHRINK 64 /* the rows of a block for each that replaces them, at least */

/* a with a plain axis of that name for its rows. */
static struct axt_expr *
numbered(struct axt_graph *g, struct axt_expr *a, const struct axt_axis *row, const char *name)
{
	struct axt_axes axes = a->axes;
	int at = axt_axes_find(&axes, row);

	axes.a[at] = (struct axt_axis){ .name = name, .len = axes.a[at].len };
	return axt_relabel(g,
	    axt_conv(g, a, axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX ? AXT_C128 : AXT_F64,
		AXT_OVERFLOW_ERROR),
	    &axes, axt_identity);
}

int
axt_fewer_rows(struct axt_graph *g, struct axt_expr *a[2], struct axt_axis *row,
    const struct axt_axis *col, const struct axt_axis *other)
{
	struct axt_axes two = { .n = 2, .a = { *col, *other } };
	const char *cols = axt_axes_typed(g->m, &two, axt_identity, two.n);
	int64_t each = (col->len + other->len) * 16, rows, blocks, most;
	struct axt_expr *r[2];

	rows = MAX(BLOCK_BYTES / MAX(1, each), (col->len + 1) * SHRINK);
	if (!cols)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	while ((blocks = row->len / rows) > 2) {
		struct axt_gufunc_opts how = { .core = axt_sprintf(g->m, "axt_in,%s,axt_out",
						   cols) };

		most = blocks * rows;
		for (int k = 0; k < 2; k++) {
			a[k] = numbered(g, a[k], row, "axt_row");
			r[k] = most == row->len
			    ? a[k]
			    : axt_slice(g, a[k],
				  axt_sprintf(g->m, "axt_row=:%lld", (long long)most), false);
			r[k] = axt_unflatten(g, r[k],
			    axt_sprintf(g->m, "axt_row=axt_block:%lld,axt_in:%lld",
				(long long)blocks, (long long)rows));
			if (axt_bad(r[k]))
				return g->err.code;
		}
		if (!how.core || axt_gufunc(g, "tall", 2, r, &how, r))
			return g->err.code;
		for (int k = 0; k < 2; k++) {
			r[k] = axt_flatten(g, r[k], "axt_block,axt_out=axt_row");
			if (most < row->len) {
				struct axt_expr *both[2] = { r[k],
					axt_slice(g, a[k],
					    axt_sprintf(g->m, "axt_row=%lld:", (long long)most),
					    false) };

				if (axt_bad(both[0]) || axt_bad(both[1]))
					return g->err.code;
				r[k] = axt_concat(g, "axt_row", 2, both);
			}
			if (axt_bad(r[k]))
				return g->err.code;
			a[k] = r[k];
		}
		*row = (struct axt_axis){ .name = "axt_row",
			.len = blocks * (col->len + 1) + row->len - most };
	}
	return 0;
}
