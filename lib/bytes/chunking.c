/* chunking.c - the lengths of an output's chunks, and the filters that these go through. */
#include "bytes/packing.h"

#define AUTO_CHUNK (1 << 20) /* bytes of a chunk, unpacked, if no length is given */
#define MAX_CHUNK ((int64_t)1 << 31)

/*
 * Chooses chunk lengths for about AUTO_CHUNK bytes: whole axes from the last one on, a part of the
 * axis before those, and 1 of all others.
 */
static void
auto_chunk(struct axt_chunking *p, const struct axt_axes *x, int size)
{
	int64_t left = AUTO_CHUNK / size;

	for (int i = x->n - 1; i >= 0; i--) {
		p->chunk[i] = MAX(MIN(x->a[i].len, left), 1);
		left = p->chunk[i] < x->a[i].len ? 1 : left / p->chunk[i];
	}
}

static void
asked_chunk(struct axt_chunking *p, const struct axt_axes *x, const struct axt_axes *first,
    const struct axt_out_opts *o)
{
	for (int i = 0; i < x->n; i++) {
		int k = axt_axes_find(first, &x->a[i]);
		int64_t c = k >= 0 ? o->chunk[k] : -1;

		p->chunk[i] = c < 0 || c > x->a[i].len ? x->a[i].len : c;
	}
}

static void
same_chunk(struct axt_chunking *p, const struct axt_axes *x, const struct axt_storage *like)
{
	for (int i = 0; i < x->n; i++)
		p->chunk[i] = MAX(1, MIN(like->chunk[i], x->a[i].len));
}

static int
choose(struct axt_chunking *p, const char *compress, const char *shuffle, int size,
    struct axt_err *e)
{
	p->nfilters = axt_filters_choose(compress, shuffle, size, p->filter, e);
	return p->nfilters < 0 ? (int)e->code : 0;
}

/*
 * Gives v the chunks and the filters of the compressed tensor that it is a copy of. It gets deflate
 * instead if axt cannot write one of the filters, or if the copied tensor is in Zarr and its filter
 * is rare in HDF5, where programs have it as a plugin only.
 */
static int
like_stored(struct axt_chunking *p, const struct axt_out_var *v, struct axt_err *e)
{
	const struct axt_storage *like = v->like;
	int size = axt_size(v->dtype);
	bool all = like->esize == size && /* which filters depend on */
	    !(like->apart && axt_filters_elsewhere(like->filters.use, like->filters.n));

	p->chunked = true;
	same_chunk(p, &v->axes, like);
	for (int i = 0; i < like->filters.n; i++)
		all = all && like->filters.use[i].f->id > 0 && like->filters.use[i].f->fn->encode;
	for (int i = 0; i < like->filters.n && all; i++)
		p->filter[p->nfilters++] = like->filters.use[i];
	return all ? 0 : choose(p, "deflate", NULL, size, e);
}

int
axt_chunking_choose(struct axt_chunking *p, const struct axt_out_var *v,
    const struct axt_axes *first, const struct axt_out_opts *o, struct axt_err *e)
{
	const struct axt_axes *x = &v->axes;
	int64_t bytes = axt_size(v->dtype), count;
	char esc[256];

	*p = (struct axt_chunking){ .chunked = false };
	if (choose(p, o->compress, o->shuffle, (int)bytes, e))
		return e->code;
	if (v->none || x->n == 0 || (axt_axes_count(x, &count) && count == 0))
		return p->nfilters = 0;
	if (p->nfilters == 0 && !o->has_chunk)
		return !o->compress && v->like && v->like->filters.n > 0 ? like_stored(p, v, e) : 0;
	p->chunked = true;
	if (o->has_chunk)
		asked_chunk(p, x, first, o);
	else if (v->like)
		same_chunk(p, x, v->like);
	else
		auto_chunk(p, x, (int)bytes);
	for (int i = 0; i < x->n; i++) {
		if (p->chunk[i] > 0 && axt_mul(bytes, p->chunk[i], &bytes) && bytes < MAX_CHUNK)
			continue;
		axt_escape_to(esc, sizeof(esc), x->a[i].name);
		if (p->chunk[i] == 0)
			return axt_fail(e, AXT_E_ARG, "the chunk length of axis \"%s\" is 0", esc);
		return axt_fail(e, AXT_E_ARG, "a chunk has 2 GiB or more at axis \"%s\"", esc);
	}
	return 0;
}
