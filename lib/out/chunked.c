/*
 * chunked.c - results that only move elements: where these are in chunks of files, so that an
 * output with the same chunks can take these one by one, as they are packed.
 */
#include "bytes/packing.h"
#include "out/inner.h"

struct finding {
	struct axt_graph *g;
	int dim, n, room;
	struct axt_chunked_part *part;
};

static bool
add(struct finding *f, const struct axt_chunked_part *p)
{
	if (f->n == f->room) {
		int room = MAX(2 * f->room, 16);
		struct axt_chunked_part *all = axt_alloc(f->g->m, (size_t)room * sizeof(*all));

		if (!all)
			return false;
		if (f->n > 0)
			memcpy(all, f->part, (size_t)f->n * sizeof(*all));
		f->part = all;
		f->room = room;
	}
	f->part[f->n++] = *p;
	return true;
}

/* Whether a leaf has all elements of a chunked dataset of a file, as they lie there. */
static bool
is_whole(const struct axt_expr *e)
{
	const struct axt_storage *st = e->u.leaf.st;
	int64_t stride = 1;

	if (!st->file || st->file->stream || st->src || st->layout != AXT_LAYOUT_CHUNKED ||
	    st->rank != e->axes.n || st->esize != axt_size(e->dtype) ||
	    (e->dtype == AXT_BOOL) != (st->dtype == AXT_BOOL) || e->u.leaf.view.offset != 0)
		return false;
	for (int d = st->rank - 1; d >= 0; d--) {
		if (st->dims[d] != e->axes.a[d].len ||
		    (st->dims[d] > 1 && e->u.leaf.view.stride[d] != stride))
			return false;
		stride *= st->dims[d];
	}
	return true;
}

static bool find(struct finding *f, const struct axt_expr *e, const struct axt_chunked_part *box,
    const int64_t *len);

/* The elements of the box that a view takes from its argument: a box, too, or false. */
static bool
find_in_view(struct finding *f, const struct axt_expr *e, const struct axt_chunked_part *box,
    const int64_t *len)
{
	struct axt_chunked_part in = *box;

	if (e->axes.n != e->arg[0]->axes.n)
		return false;
	for (int d = 0; d < e->axes.n; d++) {
		const struct axt_sel *s = e->u.view.sel ? e->u.view.sel[d] : NULL;

		if (e->u.view.src[d] != d ||
		    (s && (s->n != 1 || (s->len > 1 && s->span->step != 1))))
			return false;
		in.from[d] += (s ? s->span->start : 0) + (e->u.view.from ? e->u.view.from[d] : 0);
	}
	return find(f, e->arg[0], &in, len);
}

/* The elements of the box in the parts of a concatenation. */
static bool
find_in_parts(struct finding *f, const struct axt_expr *e, const struct axt_chunked_part *box,
    const int64_t *len)
{
	int dim = e->u.concat;
	int64_t first = 0, lo = box->from[dim], hi = lo + len[dim], n[AXT_MAX_RANK];

	if (f->dim >= 0 && f->dim != dim)
		return false;
	f->dim = dim;
	memcpy(n, len, sizeof(n));
	for (int k = 0; k < e->nargs; first += e->arg[k]->axes.a[dim].len, k++) {
		int64_t a = MAX(lo, first), b = MIN(hi, first + e->arg[k]->axes.a[dim].len);
		struct axt_chunked_part in = *box;

		if (a >= b)
			continue;
		in.from[dim] = a - first;
		in.at += a - lo;
		n[dim] = b - a;
		if (!find(f, e->arg[k], &in, n))
			return false;
	}
	return true;
}

/* Notes where elements [box->from, box->from + len) of e are stored; false: not in chunks. */
static bool
find(struct finding *f, const struct axt_expr *e, const struct axt_chunked_part *box,
    const int64_t *len)
{
	struct axt_chunked_part p = *box;

	switch ((int)e->kind) {
	case AXT_NODE_LEAF: p.st = e->u.leaf.st; return is_whole(e) && add(f, &p);
	case AXT_NODE_VIEW: return find_in_view(f, e, box, len);
	case AXT_NODE_CONCAT: return find_in_parts(f, e, box, len);
	}
	return false;
}

/* Where elements [from, from + len) of e are. */
static const struct axt_in_chunks *
chunks_of(struct axt_graph *g, const struct axt_expr *e, const int64_t *from, const int64_t *len)
{
	struct finding f = { .g = g, .dim = -1 };
	struct axt_chunked_part all = { .at = 0 };
	struct axt_in_chunks *in;

	for (int d = 0; d < e->axes.n; d++)
		all.from[d] = from[d];
	if (!find(&f, e, &all, len) || !(in = axt_alloc(g->m, sizeof(*in))))
		return NULL;
	*in = (struct axt_in_chunks){ .dim = MAX(f.dim, 0), .n = f.n, .part = f.part };
	return in;
}

const struct axt_in_chunks *
axt_out_chunks(struct axt_graph *g, const struct axt_expr *e, const struct axt_chunking *as,
    const struct axt_save_opts *o, const int64_t *from, const int64_t *len)
{
	static const int64_t first[AXT_MAX_RANK];
	const struct axt_in_chunks *in;
	int64_t all[AXT_MAX_RANK];
	struct axt_cut cut;

	for (int d = 0; d < e->axes.n; d++) {
		all[d] = e->axes.a[d].len;
		/*
		 * A part of the job may have no more than a piece of a chunk at the end. Its chunks
		 * are packed anew when parts are merged, and the whole has the same bytes.
		 */
		if (as->chunked && all[d] % as->chunk[d] != 0)
			return NULL;
	}
	if (!as->chunked || o->quantize || o->size || o->layout || e->meta->fill ||
	    !(in = chunks_of(g, e, first, all)))
		return NULL;
	axt_cut_init(&cut, &e->axes, axt_size(e->dtype), as->chunk,
	    (struct axt_filters){ .n = as->nfilters, .use = as->filter }, NULL, -1, in);
	return cut.chunks && from ? chunks_of(g, e, from, len) : cut.chunks;
}
