/*
 * sane.c - examines all metadata of a file before libhdf5 opens it for writing, because libhdf5
 * trusts what a file says. Every object, heap, tree and list that libhdf5 could read is read here
 * first, as strictly as for reading, and no two of their blocks may overlap.
 */
#include <stdlib.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/quote.h"
#include "hdf5/format/raw.h"
#include "hdf5/write/libhdf5.h"

#define MAX_OBJECTS 1000000

/* ---- objects ---- */

struct look {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_err *e;
	struct todo {
		uint64_t addr;
		const char *path;
		uint64_t refs; /* how many links its header says there are */
	} * todo;              /* objects, each once */
	int n, cap, done;
	uint64_t *link; /* the object that each link leads to */
	int nlinks, link_cap;
	int32_t next; /* the next free number of a netCDF dimension */
};

static bool
damaged(struct look *w, const char *path, const char *what)
{
	char name[256], at[256];

	axt_escape_to(name, sizeof(name), w->f->path);
	if (w->f->src->starved || axt_arena_failed(w->m))
		axt_fail(w->e, AXT_E_MEM, "out of memory");
	else
		axt_fail(w->e, AXT_E_DAMAGED, "%s: is damaged at %s (%s): axt does not write to it",
		    name, *path ? axt_escape_to(at, sizeof(at), path) : "/", what);
	return false;
}

/* cure: a command that makes, from file %s, a file without it; NULL: none is known. */
static bool
holds(struct look *w, const char *what, const char *cure)
{
	char name[256];

	axt_fail(w->e, AXT_E_FORMAT, "%s: holds %s, which axt does not write to",
	    axt_escape_to(name, sizeof(name), w->f->path), what);
	if (cure)
		axt_hint(w->e, "%s makes a file without",
		    axt_sprintf(w->m, cure, axt_quoted(w->m, w->f->path)));
	return false;
}

/* Makes room for one more in a list of n things of `size` bytes. */
static bool
reserve_one(struct look *w, void *list, int n, int *cap, size_t size)
{
	void *p, **at = list;

	if (n < *cap)
		return true;
	p = realloc(*at, (size_t)(*cap ? 2 * *cap : 64) * size);
	w->f->src->starved |= !p;
	if (!p)
		return false;
	*at = p;
	*cap = *cap ? 2 * *cap : 64;
	return true;
}

/* Adds the object that a link leads to, if it is new, to those to be examined. */
static bool
enqueue(struct look *w, uint64_t addr, const char *path)
{
	int first = addr == AXT_UNDEF ? 0 : axt_h5_first(w->f->h5, addr);

	w->f->src->starved |= first < 0;
	if (first < 0 || !reserve_one(w, &w->link, w->nlinks, &w->link_cap, sizeof(*w->link)))
		return false;
	w->link[w->nlinks++] = addr;
	if (first == 0)
		return true;
	if (!reserve_one(w, &w->todo, w->n, &w->cap, sizeof(*w->todo)))
		return false;
	w->todo[w->n++] = (struct todo){ addr, path, 0 };
	return path && w->n <= MAX_OBJECTS;
}

/* ---- types, as libhdf5 converts them ---- */

static bool
bits_fit(int at, int n, const struct axt_htype *t)
{
	return n > 0 && at + n <= t->precision;
}

static bool
type_ok(const struct axt_htype *t)
{
	if (t->class <= AXT_T_FLOAT &&
	    (t->precision == 0 || (uint64_t)t->offset + (uint64_t)t->precision > 8 * t->size ||
		t->size > 64))
		return false;
	if (t->class == AXT_T_FLOAT &&
	    (!bits_fit(t->epos, t->esize, t) || !bits_fit(t->mpos, t->msize, t) ||
		t->spos >= t->precision || t->norm > 2))
		return false;
	if (t->class == AXT_T_VLEN && (t->bits & 15) > 1)
		return false;
	for (int i = 0; i < t->n; i++)
		if (t->member[i].type && !type_ok(t->member[i].type))
			return false;
	return !t->base || type_ok(t->base);
}

static bool
type_at(struct axt_head *h, struct axt_cur c)
{
	const struct axt_htype *t = axt_msg_type(h->r.m, &c);

	return t && type_ok(t);
}

/* Whether all that the variable-length elements of a value refer to exists. */
static bool
strings_ok(struct axt_head *h, const struct axt_hattr *a)
{
	struct axt_src *s = h->r.s;
	size_t width = (size_t)axt_raw_vlen_bytes(s), n = 0;
	struct axt_cur c = a->type;
	const struct axt_htype *t = axt_msg_type(h->r.m, &c);
	struct axt_hspace sp;
	uint64_t count = 1;
	const uint8_t *p;

	if (t->class != AXT_T_VLEN)
		return true;
	if (!axt_msg_space(a->space, s, &sp))
		return false;
	for (int k = 0; k < sp.rank; k++)
		if (__builtin_mul_overflow(count, sp.dims[k], &count))
			return false;
	if (sp.null || count == 0)
		return true;
	p = axt_raw_attr(h->r.m, s, a, &n);
	for (uint64_t i = 0; p && i < count && i < n / width; i++) {
		struct axt_cur v = { .p = p + i * width, .n = width };
		uint64_t len = axt_cur_num(&v, 4), addr = axt_cur_addr(&v, s), have = 0;

		if (len == 0)
			continue;
		if (!axt_raw_heap(s, addr, (uint32_t)axt_cur_num(&v, 4), &have) ||
		    (t->base->size <= 8 && have < len * ((t->bits & 15) == 1 ? 1 : t->base->size)))
			return false;
	}
	return p != NULL;
}

/* ---- messages that axt does not read ---- */

static bool
plain_ok(const struct axt_msg *g)
{
	static const uint8_t least[] = {
		[0x09] = 4,
		[0x0a] = 2,
		[0x0d] = 1,
		[0x0e] = 16,
		[0x12] = 8,
		[0x13] = 7,
		[0x16] = 5,
	};
	struct axt_cur c = g->c;
	int flags;

	if (g->type < ARRAY_LEN(least) && c.n < least[g->type])
		return false;
	switch (g->type) {
	case 0x0a: /* group info */
		flags = (axt_cur_skip(&c, 1), (int)axt_cur_num(&c, 1));
		return axt_cur_skip(&c, (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0));
	case 0x0d: /* comment */ return memchr(c.p, 0, c.n) != NULL;
	}
	return true;
}

/* Collects the IDs in the records of a tree, which come after `skip` bytes each. */
struct ids {
	struct axt_arena *m;
	struct axt_cur *v;
	uint64_t n, cap;
	size_t skip, bytes;
};

static bool
on_id(void *ctx, struct axt_cur rec)
{
	struct ids *l = ctx;
	struct axt_cur *v;

	if (l->n == l->cap) {
		v = axt_alloc(l->m, (size_t)(l->cap = 2 * l->cap + 64) * sizeof(*v));
		if (!v)
			return true;
		if (l->n > 0)
			memcpy(v, l->v, (size_t)l->n * sizeof(*v));
		l->v = v;
	}
	axt_cur_skip(&rec, l->skip);
	l->v[l->n++] = (struct axt_cur){ .p = axt_cur_skip(&rec, l->bytes), .n = l->bytes };
	return false;
}

static int
by_bytes(const void *a, const void *b)
{
	const struct axt_cur *x = a, *y = b;

	return x->p && y->p ? memcmp(x->p, y->p, x->n) : (x->p != NULL) - (y->p != NULL);
}

/* Whether two trees have the same objects. */
static bool
same_ids(struct ids *a, struct ids *b)
{
	if (a->n != b->n)
		return false;
	if (a->n > 1) {
		qsort(a->v, (size_t)a->n, sizeof(*a->v), by_bytes);
		qsort(b->v, (size_t)b->n, sizeof(*b->v), by_bytes);
	}
	for (uint64_t i = 0; i < a->n; i++)
		if (!a->v[i].p || by_bytes(&a->v[i], &b->v[i]) != 0)
			return false;
	return true;
}

/* Checks a heap and the trees of its objects, which must all have the same objects. */
static bool
dense_ok(struct axt_head *h, uint64_t heap, uint64_t names, uint64_t order, bool links)
{
	struct axt_arena *m = h->r.m;
	struct ids n = { .m = m, .skip = links ? 4 : 0, .bytes = links ? 7 : 8 },
		   k = { .m = m, .skip = links ? 8 : 0, .bytes = n.bytes };
	struct axt_fheap *fh;
	bool ok;

	if (heap == AXT_UNDEF)
		return true;
	if (axt_tree_walk(&h->r, names, links ? AXT_TREE_LINKS : AXT_TREE_ATTRS, on_id, &n) !=
	    AXT_WALK_ALL)
		return false;
	if (order != AXT_UNDEF &&
	    (axt_tree_walk(&h->r, order, links ? AXT_TREE_LINK_ORDER : AXT_TREE_ATTR_ORDER, on_id,
		 &k) != AXT_WALK_ALL ||
		!same_ids(&n, &k)))
		return false;
	fh = axt_fheap_open(&h->r, heap);
	ok = fh && axt_fheap_check(fh, n.v, n.n);
	axt_fheap_close(fh);
	return ok;
}

/* Checks the message that says where dense attributes or links are. */
static bool
info_ok(struct axt_head *h, const struct axt_msg *g)
{
	bool links = g->type == AXT_MSG_LINK_INFO;
	struct axt_cur c = g->c;
	int flags = (axt_cur_skip(&c, 1), (int)axt_cur_num(&c, 1));
	uint64_t heap, names, order = AXT_UNDEF;

	axt_cur_skip(&c, flags & 1 ? links ? 8 : 2 : 0);
	heap = axt_cur_addr(&c, h->r.s);
	names = axt_cur_addr(&c, h->r.s);
	if (flags & 2)
		order = axt_cur_addr(&c, h->r.s);
	return !c.bad && dense_ok(h, heap, names, order, links);
}

/* ---- datasets ---- */

static bool
any_chunk(void *ctx, const struct axt_found *c)
{
	(void)ctx;
	(void)c;
	return true;
}

static const char *
chunks_bad(struct axt_head *h, const struct axt_hlayout *l, const struct axt_hspace *sp,
    uint64_t size)
{
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_FILTERS);
	struct axt_hfilters fl = { 0 };
	struct axt_grid grid = { .rank = sp->rank, .dims = sp->dims, .most = sp->most };

	if (l->rank != sp->rank + 1 || l->dim[sp->rank] != size ||
	    (g && !axt_msg_filters(g->c, &fl)))
		return "chunks";
	grid.filtered = fl.n > 0;
	grid.chunk_bytes = size;
	for (int k = 0; k < sp->rank; k++) {
		if (__builtin_mul_overflow(grid.chunk_bytes, l->dim[k], &grid.chunk_bytes) ||
		    grid.chunk_bytes > UINT32_MAX)
			return "chunks";
		if (sp->dims[k] == 0)
			return NULL;
	}
	return axt_chunks_walk(h->r.s, l, &grid, any_chunk, NULL) == AXT_WALK_ALL ? NULL
										  : "chunk index";
}

static const char *
dset_bad(struct axt_head *h)
{
	const struct axt_msg *t = axt_head_msg(h, AXT_MSG_TYPE),
			     *g = axt_head_msg(h, AXT_MSG_SPACE),
			     *l = axt_head_msg(h, AXT_MSG_LAYOUT);
	struct axt_src *s = h->r.s;
	struct axt_cur c = t->c, v;
	const struct axt_htype *type = axt_msg_type(h->r.m, &c);
	struct axt_hlayout lay;
	struct axt_hspace sp;
	uint64_t size = type ? type->size : 0;

	if (!type || !axt_msg_space(g->c, s, &sp) || !l || !axt_msg_layout(l->c, s, &lay))
		return "dataset";
	if (type->class == AXT_T_VLEN)
		size = (uint64_t)axt_raw_vlen_bytes(s);
	for (int i = 0; i < h->nmsgs; i++)
		if ((h->msg[i].type == AXT_MSG_FILL || h->msg[i].type == AXT_MSG_OLD_FILL) &&
		    (!axt_msg_fill(h->msg[i].c, h->msg[i].type, &v) || (v.p && v.n != size)))
			return "fill value";
	if (lay.class == AXT_LAY_CHUNKED)
		return chunks_bad(h, &lay, &sp, size);
	for (int k = 0; k < sp.rank; k++)
		if (__builtin_mul_overflow(size, sp.dims[k], &size))
			return "extents";
	if (lay.class == AXT_LAY_CONTIGUOUS && lay.addr != AXT_UNDEF) {
		if (lay.size < size)
			return "extents";
		axt_raw_claim(s, AXT_BLOCK_DATA, lay.addr,
		    lay.size == UINT64_MAX ? size : lay.size);
	}
	return lay.class == AXT_LAY_COMPACT && lay.data.n < size ? "extents" : NULL;
}

/* ---- one object ---- */

struct group {
	struct look *w;
	const char *path;
	struct axt_raw r;
	bool failed;
};

static bool
on_link(void *ctx, const struct axt_link *l)
{
	struct group *g = ctx;

	if (l->soft || l->other)
		return false;
	if (l->addr == AXT_UNDEF ||
	    !enqueue(g->w, l->addr, axt_sprintf(g->w->m, "%s/%s", g->path, l->name)))
		g->failed = true;
	return g->failed;
}

/* netCDF-C numbers the dimensions of a file; new ones get the next numbers. */
static void
dimension(struct look *w, struct axt_head *h)
{
	const struct axt_hattr *a = axt_head_attr(h, "_Netcdf4Dimid");
	struct axt_cur c;
	const struct axt_htype *t;
	int64_t id;

	if (!a)
		return;
	c = a->type;
	t = axt_msg_type(h->r.m, &c);
	if (!t || t->class != AXT_T_INT || t->size != 4 || t->order != AXT_ORDER_LE ||
	    a->data.n < 4)
		return;
	id = (int32_t)axt_le32(a->data.p);
	if (id >= w->next && id < INT32_MAX - (1 << 20))
		w->next = (int32_t)id + 1;
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
by_object(const void *a, const void *b)
{
	const struct todo *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/*
 * Compares the number of links to each object with the number that its header has. libhdf5 takes an
 * object for one that is met only once if its header says that it has one link; if it has more,
 * libhdf5 never ends.
 */
static void
count_links(struct look *w)
{
	int k = 0;

	qsort(w->link, (size_t)w->nlinks, sizeof(*w->link), by_value);
	qsort(w->todo, (size_t)w->n, sizeof(*w->todo), by_object);
	for (int i = 0; i < w->n; i++) {
		uint64_t n = 0;

		for (; k < w->nlinks && w->link[k] == w->todo[i].addr; k++)
			n++;
		if (n > w->todo[i].refs) {
			damaged(w, w->todo[i].path, "count of its links");
			return;
		}
	}
}

static bool
object(struct look *w, struct axt_head *h, const char *path)
{
	enum axt_kind_of kind = axt_head_kind(h);
	struct group g = { .w = w, .path = path };
	const char *why;

	if (h->newer || h->newer_attrs || h->modern)
		return holds(w, "objects of HDF5 2.0 or later", "axt-copy %s -o NEW.h5");
	for (int i = 0; i < h->nattrs; i++)
		if (!type_at(h, h->attr[i].type) || !strings_ok(h, &h->attr[i]))
			return damaged(w, path, "attribute");
	for (int i = 0; i < h->nmsgs; i++) {
		struct axt_msg *m = &h->msg[i];

		if (m->type == AXT_MSG_EXTERNAL)
			return holds(w, "data in other files", NULL);
		if (m->type > AXT_MSG_CACHE_IMAGE)
			return holds(w, "messages of an unknown kind", NULL);
		if (!plain_ok(m) || (m->type == AXT_MSG_TYPE && !type_at(h, m->c)) ||
		    ((m->type == AXT_MSG_ATTR_INFO || m->type == AXT_MSG_LINK_INFO) &&
			!info_ok(h, m)))
			return damaged(w, path, "header");
	}
	switch (kind) {
	case AXT_OBJ_NONE: return damaged(w, path, "header");
	case AXT_OBJ_GROUP:
		if (axt_links_walk(w->m, h, on_link, &g) != AXT_WALK_ALL || g.failed)
			return damaged(w, path, "links");
		break;
	case AXT_OBJ_DSET:
		dimension(w, h);
		why = dset_bad(h);
		if (why)
			return damaged(w, path, why);
		break;
	case AXT_OBJ_TYPE: break;
	}
	return true;
}

/* Checks what the extension of the superblock demands of writers. */
static bool
extension_ok(struct look *w, uint64_t addr)
{
	struct axt_head h = { 0 };
	const struct axt_msg *g;
	bool ok = true;

	if (addr == AXT_UNDEF)
		return true;
	if (!axt_head_open(&h, w->f->src, addr))
		ok = damaged(w, "", "superblock extension");
	for (int i = 0; i < h.nmsgs && ok; i++) {
		g = &h.msg[i];
		if (g->type == AXT_MSG_SHARED)
			/* h5repack 1.10 damages them */
			ok = holds(w, "shared messages", "nccopy %s NEW");
		else if (g->type == AXT_MSG_DRIVER)
			ok = holds(w, "data of a driver", NULL);
		else if (g->type == AXT_MSG_FILE_SPACE &&
		    (g->c.n < 3 ||
			(g->c.p[0] == 0 ? g->c.p[1] == 1 : g->c.p[0] > 1 || g->c.p[2] != 0)))
			ok = holds(w, "a list of its free space",
			    "h5repack -S FSM_AGGR -P 0 %s NEW");
		else if (!plain_ok(g))
			ok = damaged(w, "", "superblock extension");
	}
	axt_head_close(&h);
	return ok;
}

static void
look_at_all(struct look *w)
{
	struct axt_src *s = w->f->src;
	uint64_t at;

	if (axt_h5_super(w->f, w->e) || axt_h5_closed(w->f, w->e))
		return;
	if (s->driver != AXT_UNDEF) {
		holds(w, "data of a driver", NULL);
		return;
	}
	axt_raw_claim(s, AXT_BLOCK_HEAP, 0, 48);
	if (!extension_ok(w, s->extension) || !enqueue(w, s->root, ""))
		return;
	for (; w->done < w->n && !w->e->code; w->done++) {
		struct todo t = w->todo[w->done];
		struct axt_head h = { 0 };

		s->claims->owner = t.addr;
		if (!axt_head_open(&h, s, t.addr))
			damaged(w, t.path, "header");
		else
			object(w, &h, t.path);
		w->todo[w->done].refs = h.refs;
		axt_head_close(&h);
	}
	if (!w->e->code)
		count_links(w);
	at = w->e->code ? AXT_UNDEF : axt_claims_clash(s->claims, s->eoa - s->base);
	if (at != AXT_UNDEF)
		damaged(w, "",
		    axt_sprintf(w->m, "byte %llu belongs to two things",
			(unsigned long long)(at + s->base)));
	if (s->starved || s->claims->starved || axt_arena_failed(w->m)) {
		*w->e = (struct axt_err){ 0 };
		axt_fail(w->e, AXT_E_MEM, "out of memory");
	} else if (s->claims->many && !w->e->code) {
		holds(w, "too many objects", NULL);
	}
}

int
axt_h5_all_sane(int fd, const char *path, int32_t *next, struct axt_err *e)
{
	struct look w = { .m = axt_arena_new(), .e = e, .next = -1 };
	struct axt_claims claims = { 0 };
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (!w.m || own < 0) {
		if (own >= 0)
			close(own);
		axt_fail(e, w.m ? AXT_E_IO : AXT_E_MEM,
		    w.m ? "no descriptor is left" : "out of memory");
	} else if (axt_file_begin_fd(w.m, own, path, (int64_t)1 << 30, &w.f, e) == AXT_OK) {
		w.f->src->claims = &claims;
		look_at_all(&w);
		*next = w.next;
		axt_file_close(w.f);
	}
	axt_claims_free(&claims);
	free(w.todo);
	free(w.link);
	axt_arena_free(w.m);
	return e->code;
}
