/*
 * virtual.c - reads the maps of virtual datasets, without opening the sources.
 * source  HDF5 File Format Specification 4.0: data layout message, global heap block of virtual
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

/* A list of n blocks, as corners of `width` bytes for each dimension. */
struct corners {
	const uint8_t *p;
	int rank, width;
	uint64_t n;
};

/* The position along dimension k where block i of a list begins (end 0) or ends (end 1). */
static uint64_t
corner(const struct corners *l, uint64_t i, int end, int k)
{
	uint64_t at = (2 * i + (uint64_t)end) * (uint64_t)l->rank + (uint64_t)k;

	return axt_le(l->p + at * (uint64_t)l->width, l->width);
}

static bool
same(const struct corners *l, uint64_t i, uint64_t j, int k)
{
	return corner(l, i, 0, k) == corner(l, j, 0, k) && corner(l, i, 1, k) == corner(l, j, 1, k);
}

/*
 * Whether all n blocks form a grid in which the last dimension varies fastest. count[] gets how
 * many blocks there are along each dimension.
 */
static bool
grid(const struct corners *l, uint64_t *count)
{
	uint64_t inner = 1, n = l->n;
	int rank = l->rank;

	for (int k = rank - 1; k >= 0; k--) {
		uint64_t c = 1;

		while (c * inner < n && !same(l, c * inner, 0, k))
			c++;
		count[k] = c;
		inner *= c;
	}
	for (uint64_t i = 0; inner == n && i < n; i++)
		for (uint64_t k = (uint64_t)rank, of = i; k-- > 0; of /= count[k]) {
			uint64_t at = of % count[k];

			for (int d = (int)k + 1; d < rank; d++)
				at *= count[d];
			if (!same(l, i, at, (int)k))
				return false;
		}
	return inner == n;
}

/* Reads a list of blocks: how many there are, and their corners, each number of `width` bytes. */
static bool
listed(struct maps *w, struct axt_cur *c, int rank, int width, struct axt_blocks *b)
{
	struct corners l = { .rank = rank, .width = width, .n = axt_cur_num(c, width) };
	uint64_t count[AXT_MAX_RANK], inner = 1;

	if (c->bad || rank < 1 || rank > AXT_MAX_RANK || l.n < 1 || l.n > AXT_VIRTUAL_BLOCKS)
		return false;
	l.p = axt_cur_skip(c, (size_t)(2 * l.n * (uint64_t)rank * (uint64_t)width));
	for (uint64_t i = 0; l.p && i < l.n; i++)
		for (int k = 0; k < rank; k++)
			if (corner(&l, i, 1, k) < corner(&l, i, 0, k) || corner(&l, i, 1, k) > FAR)
				return false;
	if (!l.p || !w->m)
		return l.p != NULL;
	if (!grid(&l, count))
		return refuse(w, "what it maps is no grid of blocks");
	if (!new_blocks(w, b, rank))
		return true;
	for (int k = rank - 1; k >= 0; k--) {
		uint64_t next = 0;

		for (uint64_t i = 0; i < count[k]; i++) {
			uint64_t lo = corner(&l, i * inner, 0, k), hi = corner(&l, i * inner, 1, k);

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

/* Reads blocks at regular distances, as numbers of `width` bytes. */
static bool
regular(struct maps *w, struct axt_cur *c, int rank, int width, struct axt_blocks *b)
{
	uint64_t x[4];

	if (c->bad || rank < 1 || rank > AXT_MAX_RANK)
		return false;
	if (w->m && !new_blocks(w, b, rank))
		return true;
	for (int k = 0; k < rank; k++) {
		for (int j = 0; j < 4; j++)
			x[j] = axt_cur_wide(c, width);
		if (c->bad || !regular_dim(w, x, b, k))
			return false;
	}
	return true;
}

/*
 * Reads the blocks of a selection. Version 1 lists them in numbers of 4 bytes, version 2 gives
 * regular distances in numbers of 8 bytes, and version 3 says which of both it has, and how wide
 * the numbers are.
 */
static bool
blocks(struct maps *w, struct axt_cur *c, uint64_t version, struct axt_blocks *b)
{
	uint64_t flags = version == 1 ? 0 : axt_cur_num(c, 1), width = version == 1 ? 4 : 8, rank;

	if (version == 3)
		width = axt_cur_num(c, 1);
	else
		axt_cur_skip(c, version == 1 ? 8 : 4);
	rank = axt_cur_num(c, 4);
	if (c->bad || flags > 1 || (version == 2 && flags == 0) || rank > AXT_MAX_RANK ||
	    (width != 2 && width != 4 && width != 8))
		return false;
	return flags ? regular(w, c, (int)rank, (int)width, b)
		     : listed(w, c, (int)rank, (int)width, b);
}

static bool
selection(struct maps *w, struct axt_cur *c, struct axt_blocks *b)
{
	uint64_t kind = axt_cur_num(c, 4), version = axt_cur_num(c, 4);

	if (kind == SEL_BLOCKS && version >= 1 && version <= 3)
		return blocks(w, c, version, b);
	if ((kind != SEL_ALL && kind != SEL_NONE) || version != 1 || !axt_cur_skip(c, 8))
		return false;
	b->all = kind == SEL_ALL;
	b->none = kind == SEL_NONE;
	return true;
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

/*
 * The name of the source of map i or, with `file`, of the source's file. In version 1 flags may say
 * that the name is that of an earlier map, whose number follows, or that the file is the one that
 * the map is in, "."; then there is no name.
 */
enum { FILE_SHARED = 1, PATH_SHARED = 2, SAME_FILE = 4 };
static const char *
name_of(struct maps *w, struct axt_cur *c, uint64_t i, int flags, bool file)
{
	uint64_t of;

	if (file && flags & SAME_FILE)
		return ".";
	if (!(flags & (file ? FILE_SHARED : PATH_SHARED)))
		return name(w, c);
	of = axt_cur_num(c, w->s->len_size);
	if (c->bad || of >= i)
		return NULL;
	return !w->m ? "" : file ? w->v->map[of].file : w->v->map[of].path;
}

static bool
maps(struct maps *w, struct axt_cur c)
{
	uint64_t version = axt_cur_num(&c, 1), n = axt_cur_num(&c, w->s->len_size);

	if (version > 1 && version <= 1 + AXT_NEWER)
		return refuse(w, "its maps are newer than axt knows");
	if (c.bad || version > 1 || n > c.n)
		return false;
	if (n > MAX_MAPS)
		return refuse(w, "it has more than a million maps");
	if (w->m) {
		w->v->map = axt_alloc(w->m, (size_t)n * sizeof(*w->v->map) + 1);
		w->starved = !w->v->map;
	}
	for (uint64_t i = 0; i < n && !w->starved; i++) {
		struct axt_map one = { 0 }, *x = w->m ? &w->v->map[i] : &one;

		int flags = version == 1 ? (int)axt_cur_num(&c, 1) : 0;

		x->file = flags > 7 ? NULL : name_of(w, &c, i, flags, true);
		x->path = x->file ? name_of(w, &c, i, flags, false) : NULL;
		if (!x->path || !selection(w, &c, &x->src) || !selection(w, &c, &x->dst))
			return false;
		/* it stays in the list, since later ones may refer to its names */
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
