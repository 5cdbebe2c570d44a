/*
 * generated.c - operands that are computed from the position of each element: iota, random numbers,
 * identity matrices and triangles.
 */
#include "source/source.h"

static void
triangle(uint8_t *out, const struct axt_expr *e, int64_t i0, int64_t step, int64_t n)
{
	int64_t cols = e->axes.a[e->axes.n - 1].len, rows = e->axes.a[e->axes.n - 2].len;
	struct axt_num one = { .is_int = true, .i = 1, .u = 1, .f = 1 }, zero = { .is_int = true };
	uint8_t v[2][16];
	size_t size = (size_t)axt_size(e->dtype);

	axt_num_store(&zero, e->dtype, v[0]);
	axt_num_store(&one, e->dtype, v[1]);
	for (int64_t k = 0; k < n; k++) {
		int64_t at = i0 + k * step, j = at % cols, i = at / cols % rows;
		bool on = e->u.gen.kind == AXT_GEN_EYE ? i == j
		    : e->u.gen.kind == AXT_GEN_TRIU    ? i <= j
						       : i >= j;

		memcpy(out + (size_t)k * size, v[on], size);
	}
}

static void
generate(uint8_t *out, const struct axt_source *s, int64_t i0, int64_t step, int64_t n)
{
	const struct axt_expr *e = s->op->node;

	switch (e->u.gen.kind) {
	case AXT_GEN_IOTA:
		axt_kern_iota(out, e->dtype, i0, step, n, e->u.gen.lo, e->u.gen.hi);
		break;
	case AXT_GEN_UNIFORM:
	case AXT_GEN_NORMAL:
		axt_kern_random(out, e->dtype, i0, step, n, e->u.gen.seed,
		    e->u.gen.kind == AXT_GEN_NORMAL, e->u.gen.lo, e->u.gen.hi);
		break;
	default: triangle(out, e, i0, step, n);
	}
}

static const void *
load(struct axt_source *s, const struct axt_asked_tile *x)
{
	axt_source_fill(s, x, generate);
	return x->buf;
}

const struct axt_source_kind axt_source_generated = { .load = load };
