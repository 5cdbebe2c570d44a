/*
 * virtual.c - reads the maps of virtual datasets, without opening the sources.
 * source  HDF5 File Format Specification 3.0: data layout message, global heap block of virtual
 *         datasets, dataspace selections.
 */
#include "hdf5/format/raw.h"
#include "hdf5/format/virtual.h"

#define UNLIMITED UINT64_MAX
#define MAX_MAPS (1 << 20)
#define FAR ((uint64_t)1 << 60) /* greater than any position */

enum { SEL_NONE, SEL_POINTS, SEL_BLOCKS, SEL_ALL };

struct maps {
	struct axt_arena *m; /* NULL if maps are only checked */
	struct axt_src *s;
	struct axt_virtual *v;
	bool starved;
};

static bool
refuse(struct maps *w, const char *why)
{
	if (w->v && !w->v->why)
		w->v->why = why;
	return true;
}

static bool
add(struct maps *w, struct axt_sel *s, uint64_t start, uint64_t step, uint64_t n)
{
	w->starved = w->starved ||
	    !axt_sel_add(w->m, s, (struct axt_span){ (int64_t)start, (int64_t)step, (int64_t)n });
	return !w->starved;
}

static bool
new_blocks(struct maps *w, struct axt_blocks *b, int rank)
{
	b->rank = rank;
	b->sel = axt_alloc(w->m, (size_t)rank * sizeof(*b->sel));
	w->starved = w->starved || !b->sel;
	return !w->starved;
}

/* The position along dimension k where block i of a list begins (end 0) or ends (end 1). */
static uint64_t
corner(const uint8_t *p, int rank, uint64_t i, int end, int k)
{
	return axt_le(p + 4 * ((2 * i + (uint64_t)end) * (uint64_t)rank + (uint64_t)k), 4);
}

static bool
same(const uint8_t *p, int rank, uint64_t i, uint64_t j, int k)
{
	return corner(p, rank, i, 0, k) == corner(p, rank, j, 0, k) &&
	    corner(p, rank, i, 1, k) == corner(p, rank, j, 1, k);
}

/*
 * Counts the blocks along each dimension if all n form a grid in which the last dimension varies
 * fastest.
 */
static bool
grid(const uint8_t *p, int rank, uint64_t n, uint64_t *count)
{
	uint64_t inner = 1;

	for (int k = rank - 1; k >= 0; k--) {
		uint64_t c = 1;

		while (c * inner < n && !same(p, rank, c * inner, 0, k))
			c++;
		count[k] = c;
		inner *= c;
	}
	for (uint64_t i = 0; inner == n && i < n; i++)
		for (uint64_t k = (uint64_t)rank, of = i; k-- > 0; of /= count[k]) {
			uint64_t at = of % count[k];

			for (int d = (int)k + 1; d < rank; d++)
				at *= count[d];
			if (!same(p, rank, i, at, (int)k))
				return false;
		}
	return inner == n;
}

/* Reads a selection of version 1: a list of blocks, as corners with 32 bits for each dimension. */
static bool
listed(struct maps *w, struct axt_cur *c, struct axt_blocks *b)
{
	uint64_t count[AXT_MAX_RANK], inner = 1, rank, n;
	const uint8_t *p;

	axt_cur_skip(c, 8);
	rank = axt_cur_num(c, 4);
	n = axt_cur_num(c, 4);
	if (c->bad || rank < 1 || rank > AXT_MAX_RANK || n < 1 || n > AXT_VIRTUAL_BLOCKS ||
	    !(p = axt_cur_skip(c, (size_t)(n * rank * 8))))
		return false;
	for (uint64_t i = 0; i < n; i++)
		for (int k = 0; k < (int)rank; k++)
			if (corner(p, (int)rank, i, 1, k) < corner(p, (int)rank, i, 0, k))
				return false;
	if (!w->m)
		return true;
	if (!grid(p, (int)rank, n, count))
		return refuse(w, "what it maps is no grid of blocks");
	if (!new_blocks(w, b, (int)rank))
		return true;
	for (int k = (int)rank - 1; k >= 0; k--) {
		uint64_t next = 0;

		for (uint64_t i = 0; i < count[k]; i++) {
			uint64_t lo = corner(p, (int)rank, i * inner, 0, k),
				 hi = corner(p, (int)rank, i * inner, 1, k);

			if (lo < next)
				return false;
			next = hi + 1;
			if (!add(w, &b->sel[k], lo, 1, next - lo))
				return true;
		}
		inner *= count[k];
	}
	return true;
}

/* Reads start, stride, count and block of one dimension of a regular selection. */
static bool
regular_dim(struct maps *w, const uint64_t x[4], struct axt_blocks *b, int k)
{
	uint64_t end;

	if (x[2] == UNLIMITED || x[3] == UNLIMITED)
		return refuse(w, "it is virtual and grows with its sources");
	if (x[0] > FAR || x[2] < 1 || x[3] < 1 || x[3] > FAR ||
	    (x[2] > 1 && (x[1] < x[3] || x[1] > FAR)) ||
	    __builtin_mul_overflow(x[2] - 1, x[1], &end) || end > FAR || x[2] > FAR)
		return false;
	if (!w->m || w->v->why)
		return true;
	if (x[3] == 1 || x[2] == 1) {
		add(w, &b->sel[k], x[0], x[2] == 1 ? 1 : x[1], x[2] == 1 ? x[3] : x[2]);
		return true;
	}
	if (x[1] == x[3])
		return add(w, &b->sel[k], x[0], 1, x[2] * x[3]) || true;
	if (x[2] > AXT_VIRTUAL_BLOCKS)
		return refuse(w, "it maps too many blocks");
	for (uint64_t i = 0; i < x[2] && add(w, &b->sel[k], x[0] + i * x[1], 1, x[3]); i++)
		;
	return true;
}

/* Reads a selection of version 2: blocks at regular distances. */
static bool
regular(struct maps *w, struct axt_cur *c, struct axt_blocks *b)
{
	uint64_t flags = axt_cur_num(c, 1), rank, x[4];

	axt_cur_skip(c, 4);
	rank = axt_cur_num(c, 4);
	if (c->bad || flags != 1 || rank < 1 || rank > AXT_MAX_RANK)
		return false;
	if (w->m && !new_blocks(w, b, (int)rank))
		return true;
	for (int k = 0; k < (int)rank; k++) {
		for (int j = 0; j < 4; j++)
			x[j] = axt_cur_num(c, 8);
		if (c->bad || !regular_dim(w, x, b, k))
			return false;
	}
	return true;
}

static bool
selection(struct maps *w, struct axt_cur *c, struct axt_blocks *b)
{
	uint64_t kind = axt_cur_num(c, 4), version = axt_cur_num(c, 4);

	if (kind == SEL_BLOCKS)
		return version == 1 ? listed(w, c, b) : version == 2 && regular(w, c, b);
	if ((kind != SEL_ALL && kind != SEL_NONE) || version != 1 || !axt_cur_skip(c, 8))
		return false;
	b->all = kind == SEL_ALL;
	return b->all || refuse(w, "it maps nothing");
}

/* Reads a name, in which % is written as %%. */
static const char *
name(struct maps *w, struct axt_cur *c)
{
	const uint8_t *p = c->p, *end = c->bad || !c->n ? NULL : memchr(p, 0, c->n);
	char *out, *q;

	if (!end || end == p || !axt_cur_skip(c, (size_t)(end - p) + 1))
		return NULL;
	if (!w->m)
		return "";
	q = out = axt_strndup(w->m, (const char *)p, (size_t)(end - p));
	if (!out) {
		w->starved = true;
		return "";
	}
	for (const char *s = out; *s; s++) {
		if (*s == '%' && s[1] == 'b')
			refuse(w, "it is virtual and grows with the number of its sources");
		s += *s == '%' && s[1] == '%';
		*q++ = *s;
	}
	*q = 0;
	return out;
}

static bool
maps(struct maps *w, struct axt_cur c)
{
	uint64_t version = axt_cur_num(&c, 1), n = axt_cur_num(&c, w->s->len_size);

	if (c.bad || version != 0 || n > c.n)
		return false;
	if (n > MAX_MAPS)
		return refuse(w, "it has more than a million maps");
	if (w->m) {
		w->v->map = axt_alloc(w->m, (size_t)n * sizeof(*w->v->map) + 1);
		w->starved = !w->v->map;
	}
	for (uint64_t i = 0; i < n && !w->starved; i++) {
		struct axt_map one = { 0 }, *x = w->m ? &w->v->map[i] : &one;

		x->file = name(w, &c);
		x->path = x->file ? name(w, &c) : NULL;
		if (!x->path || !selection(w, &c, &x->src) || !selection(w, &c, &x->dst))
			return false;
		if (w->m)
			w->v->n++;
	}
	return w->starved || axt_cur_skip(&c, 4); /* skips the checksum */
}

static bool
read_maps(struct maps *w, const struct axt_hlayout *l)
{
	uint64_t n = 0;
	const uint8_t *p;

	if (l->addr == AXT_UNDEF)
		return true;
	p = axt_raw_heap(w->s, l->addr, l->heap_index, &n);
	return p && n > 4 && axt_sum_ok(p, (size_t)n - 4) &&
	    maps(w, (struct axt_cur){ .p = p, .n = (size_t)n });
}

bool
axt_raw_virtual_ok(struct axt_src *s, const struct axt_hlayout *l)
{
	struct maps w = { .s = s };

	return l->class != AXT_LAY_VIRTUAL || read_maps(&w, l);
}

const struct axt_virtual *
axt_h5_virtual(struct axt_arena *m, struct axt_src *s, const struct axt_hlayout *l)
{
	struct maps w = { .m = m, .s = s, .v = axt_alloc(m, sizeof(*w.v)) };

	if (w.v && !read_maps(&w, l))
		refuse(&w, "its maps cannot be read");
	return w.starved ? NULL : w.v;
}
