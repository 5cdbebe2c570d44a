/*
 * tale.c - what the first process of a job tells the others, so that they need not open the inputs
 * to learn what is in them: what the output is, the expression as the text of a plan (wire/text.h),
 * and all that is known of the storage under its leaves but the values in files. Every process
 * builds its expression of that text, the first one as well, so that all have the same nodes in the
 * same order.
 *
 * Numbers and texts are as in record.h. Structs are told as they are in memory, since all processes
 * run the same program; what they point to follows.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "hdf5/format/growth.h"
#include "jobs/record.h"
#include "jobs/tale.h"
#include "wire/text.h"
#include "zarr/zarr.h"

#define MAGIC "axt tale 1\n"
#define SMALL 65536 /* more bytes are a block of their own, which is not copied */

/* Where one has changed: put_storage, put_array and their readers have to know each pointer. */
_Static_assert(sizeof(struct axt_storage) == 992, "what a storage points to has to be told");
_Static_assert(sizeof(struct axt_zarr_array) == 2576, "what an array points to has to be told");

static int
nomem(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

static bool
add_block(struct axt_graph *g, struct axt_tale *t, const void *p, size_t n)
{
	struct axt_tale_block *l = t->block;

	if ((t->nblocks & (t->nblocks - 1)) == 0) { /* it is full when that is a power of two */
		l = axt_alloc(g->m, 2 * (size_t)MAX(1, t->nblocks) * sizeof(*l));
		if (l && t->nblocks)
			memcpy(l, t->block, (size_t)t->nblocks * sizeof(*l));
	}
	if (!l)
		return false;
	l[t->nblocks++] = (struct axt_tale_block){ (void *)(uintptr_t)p, n };
	t->block = l;
	return true;
}

/* ---- what can be told ---- */

struct teller {
	struct axt_graph *g;
	struct axt_tale *t;
	struct axt_table numbers; /* of files and storages: struct numbered */
	const struct axt_file **file;
	int room; /* of the lists of both */
};

/* A file, or a storage, and its number. */
struct numbered {
	const void *p;
	int number;
};

/* The number of p, which gets `next` if it has none yet. -1: there is no memory. */
static int
number_of(struct teller *w, const void *p, int next)
{
	struct numbered *x;

	for (const struct axt_entry *y = axt_table_first(&w->numbers, axt_hash_pointer(p)); y;
	     y = axt_table_next(y)) {
		x = y->value;
		if (x->p == p)
			return x->number;
	}
	x = axt_alloc(w->g->m, sizeof(*x));
	if (!x || !axt_table_add(w->g->m, &w->numbers, axt_hash_pointer(p), x))
		return -1;
	*x = (struct numbered){ p, next };
	return next;
}

/* Notes why nothing can be told. Returns false. */
static bool
cannot(struct teller *w, const char *what, const char *why)
{
	const char *s = axt_sprintf(w->g->m, "%s%s%s", what, *what ? " " : "", why);

	if (!w->t->why)
		w->t->why = s ? s : why;
	return false;
}

/* Makes room for one more in the lists of files and storages. */
static bool
make_room(struct teller *w)
{
	int n = w->t->nst;
	const struct axt_storage **st;
	const struct axt_file **file;
	const char **from;

	if (n < w->room)
		return true;
	w->room = MAX(64, 2 * n);
	st = axt_alloc(w->g->m, (size_t)w->room * sizeof(*st));
	file = axt_alloc(w->g->m, (size_t)w->room * sizeof(*file));
	from = axt_alloc(w->g->m, (size_t)w->room * sizeof(*from));
	if (!st || !file || !from)
		return false;
	if (n > 0) {
		memcpy(st, w->t->st, (size_t)n * sizeof(*st));
		memcpy(from, w->t->from, (size_t)n * sizeof(*from));
		memcpy(file, w->file, (size_t)w->t->nfiles * sizeof(*file));
	}
	w->t->st = st;
	w->t->from = from;
	w->file = file;
	return true;
}

/* Whether others find the file by the name that this process has for it. */
static bool
has_name(const struct axt_file *f)
{
	return !f->stream && strcmp(f->path, "-") != 0 && strncmp(f->path, "/dev/", 5) != 0 &&
	    strncmp(f->path, "/proc/", 6) != 0;
}

/* What the chunks of a Zarr store that is a folder are found by; NULL: it is none. */
static const struct axt_zarr_chunks *
in_folder(const struct axt_storage *st)
{
	const struct axt_zarr_chunks *c = st->apart ? st->apart->own : NULL;

	return c && c->store->kind == &axt_store_directory ? c : NULL;
}

/* The bytes of what the parameters of a filter cannot say. -1: that cannot be told. */
static int
own_bytes(const struct axt_filter *f, bool has_own)
{
	if (!has_own)
		return 0;
	if (f->fn == &axt_filter_transpose)
		return sizeof(struct axt_transpose);
	return f->fn == &axt_filter_categorize ? -1 : (int)sizeof(struct axt_renumber);
}

static bool
filters_can(const struct axt_filters *l)
{
	for (int i = 0; i < l->n; i++)
		if (own_bytes(l->use[i].f, l->use[i].own) < 0)
			return false;
	return true;
}

/* Whether all that is known of a storage can be told. */
static bool
can_be_told(struct teller *w, const struct axt_storage *st)
{
	bool in_file = !st->mem && st->layout != AXT_LAYOUT_NONE;

	if (st->src || st->fd >= 0 || (st->file && st->file->stream))
		return cannot(w, st->from, "comes through a pipe");
	if (st->layout == AXT_LAYOUT_VIRTUAL || st->fill_text || (in_file && !st->file) ||
	    (st->apart && !in_folder(st)) || !filters_can(&st->filters))
		return cannot(w, st->from, "is stored in a way that is not told");
	if (in_file && !has_name(st->file))
		return cannot(w, st->from, "is in a file without a name");
	return true;
}

/* ---- telling ---- */

/* The words of a leaf in the text: the number of its storage. */
static bool
leaf_words(void *ctx, const struct axt_expr *leaf, struct axt_buf *b)
{
	struct teller *w = ctx;
	struct axt_tale *t = w->t;
	const struct axt_storage *st = leaf->u.leaf.st;
	int i, k = 0;

	if (!can_be_told(w, st))
		return false;
	i = make_room(w) ? number_of(w, st, t->nst) : -1;
	if (i == t->nst && st->file)
		k = number_of(w, st->file, t->nfiles);
	if (i < 0 || k < 0)
		return cannot(w, "", "there is no memory");
	if (i == t->nst && st->file && k == t->nfiles)
		w->file[t->nfiles++] = st->file;
	if (i == t->nst) {
		t->from[i] = leaf->from;
		t->st[t->nst++] = st;
	}
	axt_buf_addf(b, "leaf=%d", i);
	return true;
}

static void
put_block(struct teller *w, const void *p, int64_t n)
{
	struct axt_buf *b = &w->t->b;

	put(b, p ? n : -1);
	if (p && n <= SMALL)
		axt_buf_add(b, p, (size_t)n);
	else if (p && !add_block(w->g, w->t, p, (size_t)n))
		b->bad = true;
}

static void
put_filters(struct axt_buf *b, const struct axt_filters *l)
{
	for (int i = 0; i < l->n; i++) {
		const struct axt_filter_use *u = &l->use[i];

		put(b, u->f->id);
		axt_buf_add(b, u, sizeof(*u));
		if (u->own)
			axt_buf_add(b, u->own, (size_t)own_bytes(u->f, true));
	}
}

/* The array of a Zarr store that a storage is of. */
static void
put_array(struct axt_buf *b, const struct axt_zarr_array *a)
{
	axt_buf_add(b, a, sizeof(*a));
	put_text(b, a->path);
	put_filters(b, &a->filters);
}

static void
put_storage(struct teller *w, const struct axt_storage *st)
{
	struct axt_buf *b = &w->t->b;

	axt_buf_add(b, st, sizeof(*st));
	put_text(b, st->from);
	put(b, st->file ? number_of(w, st->file, -1) : -1);
	put_filters(b, &st->filters);
	if (st->apart)
		put_array(b, in_folder(st)->a);
	put_block(w, st->number, sizeof(*st->number));
	put_block(w, st->chunks, st->nchunks * (int64_t)sizeof(*st->chunks));
	put_block(w, st->mem, st->count * st->esize);
}

static void
put_file(struct axt_buf *b, const struct axt_file *f)
{
	put_text(b, f->path);
	put(b, f->id.size);
	put(b, f->id.mtime.tv_sec);
	put(b, f->id.mtime.tv_nsec);
	put(b, f->directory);
	put(b, f->external);
	put(b, f->src->shared_write);
	put(b, f->src->growth != NULL);
	if (f->src->growth)
		axt_buf_add(b, f->src->growth, AXT_GROWTH_BYTES);
}

/* What only the first process needs of the output is left out: coordinates, and what goes along. */
static void
put_output(struct teller *w, const struct axt_job *job)
{
	const struct axt_out_opts *o = &job->r.opts;
	const int64_t unit[AXT_MAX_RANK] = { 0 };
	struct axt_part_output x = { .n = job->n, .opts = *o };
	struct axt_buf b = { 0 };

	x.opts.rest = NULL;
	x.t = axt_alloc(w->g->m, (size_t)job->n * sizeof(*x.t));
	for (int i = 0; x.t && i < job->n; i++) {
		struct axt_out_var *v = &x.t[i].v;

		*v = job->r.v[i];
		v->attrs = job->r.e[i]->meta->attrs;
		v->aux = NULL;
		for (int k = 0; k < v->axes.n; k++)
			v->axes.a[k].coord = NULL;
		axt_partition_make(&v->axes, unit, NULL, 0, 1, &x.t[i].cut);
	}
	w->t->b.bad = !x.t || axt_part_output_write(&b, &x) || w->t->b.bad;
	put(&w->t->b, (int64_t)b.n);
	axt_buf_add(&w->t->b, b.p ? b.p : "", b.n);
	axt_buf_release(&b);
}

/* What the values of a result go through: which are missing, and the number that NaN becomes. */
static void
put_meta(struct axt_buf *b, const struct axt_meta *meta)
{
	const struct axt_attr *fill = meta->fill;

	put(b, meta->missing);
	put(b, fill ? fill->dtype : AXT_DTYPE_AUTO);
	put(b, fill && fill->typed);
	if (fill)
		axt_buf_add(b, fill->data, (size_t)axt_size(fill->dtype));
}

/* Writes the texts of plans, which find what files and storages there are. */
static bool
make_texts(struct teller *w, const struct axt_job *job)
{
	struct axt_plan_out out[AXT_PLAN_OUTS];
	struct axt_tale *t = w->t;

	t->text = axt_alloc(w->g->m, ((size_t)job->n / AXT_PLAN_OUTS + 1) * sizeof(*t->text));
	for (int i = 0; t->text && i < job->n; i += AXT_PLAN_OUTS) {
		struct axt_buf b = { 0 };
		int n = MIN(job->n - i, AXT_PLAN_OUTS);
		bool ok;

		for (int k = 0; k < n; k++)
			out[k] = (struct axt_plan_out){ "result", job->e[i + k] };
		axt_buf_adds(&b, AXT_PLAN_VERSION "\n");
		ok = axt_plan_write(w->g, out, n, leaf_words, w, &b);
		if (!ok) {
			axt_buf_release(&b);
			return cannot(w, "", "the expression has no text");
		}
		if (!(t->text[t->ntexts++] = axt_buf_text(w->g->m, &b)))
			return false;
	}
	return t->text != NULL;
}

/* Puts all that is known into the buffer. */
static void
put_all(struct teller *w, const struct axt_job *job)
{
	struct axt_tale *t = w->t;
	struct axt_buf *b = &t->b;

	axt_buf_adds(b, MAGIC);
	put_text(b, t->o.output);
	put_text(b, t->o.quantize);
	put_output(w, job);
	for (int i = 0; i < job->n; i++)
		put_meta(b, job->r.e[i]->meta);
	for (int i = 0; i < t->ntexts; i++)
		put_text(b, t->text[i]);
	put(b, t->nfiles);
	for (int i = 0; i < t->nfiles; i++)
		put_file(b, w->file[i]);
	put(b, t->nst);
	for (int i = 0; i < t->nst; i++) {
		put_storage(w, t->st[i]);
		put_text(b, t->from[i]);
	}
	for (int i = 0; i < job->n; i++)
		put_text(b, t->called[i]);
}

int
axt_tale_write(struct axt_graph *g, struct axt_job *job, const struct axt_save_opts *o,
    struct axt_tale *t)
{
	struct teller w = { .g = g, .t = t };

	*t = (struct axt_tale){ .nresults = job->n,
		.o = { .output = o->output, .quantize = o->quantize } };
	t->called = axt_alloc(g->m, (size_t)job->n * sizeof(*t->called) + 1);
	for (int i = 0; t->called && i < job->n; i++)
		t->called[i] = job->e[i]->from;
	if (!t->called)
		return nomem(g);
	if (o->size || o->layout || o->expression)
		cannot(&w, "", "the output is not cut");
	else if (make_texts(&w, job))
		put_all(&w, job);
	if (t->why || g->err.code)
		return g->err.code;
	return t->b.bad || !t->text ? nomem(g) : axt_tale_build(g, t, job);
}

void
axt_tale_free(struct axt_tale *t)
{
	axt_buf_release(&t->b);
}

/* ---- what was told ---- */

/* n bytes of the message, or of a block that is yet to come; NULL: there are none. */
static void *
get_block(struct reader *r, struct axt_graph *g, struct axt_tale *t)
{
	int64_t n = get(r, -1, INT64_MAX);
	void *p;

	if (n < 0 || n <= SMALL)
		return n < 0 ? NULL : get_bytes(r, (size_t)n, 16);
	p = axt_alloc(r->m, (size_t)n + 16);
	r->bad = r->bad || !p || !add_block(g, t, p, (size_t)n);
	return p;
}

static void
get_filters(struct reader *r, struct axt_filters *l)
{
	struct axt_filter_use *use = axt_alloc(r->m, AXT_MAX_FILTERS * sizeof(*use));

	r->bad = r->bad || !use || l->n < 0 || l->n > AXT_MAX_FILTERS;
	for (int i = 0; !r->bad && i < l->n; i++) {
		const struct axt_filter *f = axt_filter_of((int)get(r, INT32_MIN, INT32_MAX));
		const struct axt_filter_use *u = get_bytes(r, sizeof(*u), 0);

		r->bad = r->bad || !f;
		if (r->bad)
			return;
		use[i] = *u;
		use[i].f = f;
		if (u->own)
			use[i].own = get_bytes(r, (size_t)own_bytes(f, true), 0);
	}
	l->use = use;
}

/* The chunks of an array in a store that is a folder. */
static void
get_array(struct reader *r, struct axt_graph *g, struct axt_storage *st)
{
	struct axt_store *store = axt_alloc(r->m, sizeof(*store));
	struct axt_zarr_array *a = get_bytes(r, sizeof(*a), 0);
	struct axt_storage of = *st;
	void *keep = NULL;

	r->bad = r->bad || !store || !st->file;
	if (r->bad)
		return;
	a->path = get_text(r);
	a->why = NULL;
	a->attrs = NULL;
	a->fill_text = NULL;
	memset(a->dim, 0, sizeof(a->dim));
	get_filters(r, &a->filters);
	*store = (struct axt_store){ .kind = &axt_store_directory,
		.m = r->m,
		.f = st->file,
		.path = st->file->path };
	if (r->bad || axt_zarr_storage(store, a, &of, &keep, &g->err) ||
	    (keep && !axt_file_keep(r->m, st->file, keep)))
		r->bad = true;
	st->apart = of.apart;
}

static const struct axt_storage *
get_storage(struct reader *r, struct axt_graph *g, struct axt_tale *t,
    struct axt_file *const file[])
{
	struct axt_storage *st = get_bytes(r, sizeof(*st), 0);
	const struct axt_apart *apart = st ? st->apart : NULL;
	int64_t f;

	if (!st)
		return NULL;
	st->apart = NULL;
	st->from = get_text(r);
	f = get(r, -1, t->nfiles - 1);
	st->file = f < 0 ? NULL : file[f];
	get_filters(r, &st->filters);
	if (apart && !r->bad)
		get_array(r, g, st);
	st->number = get_block(r, g, t);
	st->chunks = get_block(r, g, t);
	st->mem = get_block(r, g, t);
	return st;
}

static void
close_told(struct axt_file *f)
{
	axt_file_close(f);
}

/* A file that is opened when its values are first read, and then compared with what is told. */
static struct axt_file *
get_file(struct reader *r, struct axt_graph *g)
{
	struct axt_open_file *o = axt_alloc(r->m, sizeof(*o));
	const char *path = get_text(r);
	struct axt_file *f;
	const void *p;

	r->bad = r->bad || !o || !path;
	if (r->bad || axt_file_begin_fd(r->m, -1, path, g->memory, &f, &g->err))
		return NULL;
	*o = (struct axt_open_file){ .f = f,
		.read = true,
		.adopted = true,
		.close = close_told,
		.next = g->files };
	g->files = o;
	f->id.size = get(r, 0, INT64_MAX);
	f->id.mtime.tv_sec = (time_t)get(r, INT64_MIN, INT64_MAX);
	f->id.mtime.tv_nsec = (long)get(r, 0, INT64_MAX);
	f->directory = get(r, 0, 1);
	f->external = get(r, 0, 1);
	f->src->shared_write = get(r, 0, 1);
	if (get(r, 0, 1) && (p = get_bytes(r, AXT_GROWTH_BYTES, 0))) {
		f->src->growth = malloc(AXT_GROWTH_BYTES);
		r->bad = r->bad || !f->src->growth;
		if (f->src->growth)
			memcpy(f->src->growth, p, AXT_GROWTH_BYTES);
	}
	return f;
}

static void
get_files(struct reader *r, struct axt_graph *g, struct axt_tale *t)
{
	struct axt_file **file;

	t->nfiles = (int)get(r, 0, (int64_t)r->n);
	file = axt_alloc(r->m, (size_t)t->nfiles * sizeof(*file) + 1);
	for (int i = 0; file && i < t->nfiles && !r->bad; i++)
		r->bad = !(file[i] = get_file(r, g)) || r->bad;
	t->nst = (int)get(r, 0, (int64_t)r->n);
	t->st = axt_alloc(r->m, (size_t)t->nst * sizeof(*t->st) + 1);
	t->from = axt_alloc(r->m, (size_t)t->nst * sizeof(*t->from) + 1);
	t->called = axt_alloc(r->m, (size_t)t->nresults * sizeof(*t->called) + 1);
	r->bad = r->bad || !file || !t->st || !t->from || !t->called;
	for (int i = 0; i < t->nst && !r->bad; i++) {
		t->st[i] = get_storage(r, g, t, file);
		t->from[i] = get_text(r);
	}
	for (int i = 0; i < t->nresults && !r->bad; i++)
		t->called[i] = get_text(r);
}

/* What the output is, in job->r, whose expressions are made later. */
static void
get_output(struct reader *r, struct axt_tale *t, struct axt_job *job)
{
	struct axt_part_output out = { 0 };
	size_t n = (size_t)get(r, 0, (int64_t)r->n);
	struct axt_out_var *v;

	if (r->bad || n > r->n || axt_part_output_read(r->m, r->p, n, &out)) {
		r->bad = true;
		return;
	}
	r->p += n;
	r->n -= n;
	t->nresults = job->n = out.n;
	job->r.opts = out.opts;
	job->r.opts.target = t->o.output;
	job->r.v = v = axt_alloc(r->m, (size_t)out.n * sizeof(*v));
	r->bad = !v;
	for (int i = 0; v && i < out.n; i++)
		v[i] = out.t[i].v;
}

static void
get_meta(struct reader *r, const struct axt_out_var *v, struct axt_meta *meta)
{
	struct axt_attr *a = axt_alloc(r->m, sizeof(*a));
	enum axt_dtype d;

	*meta = (struct axt_meta){ .name = v->name, .attrs = v->attrs, .missing = get(r, 0, 1) };
	d = (enum axt_dtype)get(r, 0, AXT_NDTYPES - 1);
	r->bad = r->bad || !a;
	if (r->bad)
		return;
	*a = (struct axt_attr){ .name = "_FillValue",
		.kind = AXT_ATTR_NUM,
		.dtype = d,
		.n = 1,
		.typed = get(r, 0, 1) };
	if (d == AXT_DTYPE_AUTO)
		return;
	a->data = get_bytes(r, (size_t)axt_size(d), 16);
	meta->fill = a;
}

int
axt_tale_read(struct axt_graph *g, struct axt_tale *t, struct axt_job *job)
{
	struct reader r = { .m = g->m, .p = (const void *)t->b.p, .n = t->b.n };
	size_t magic = strlen(MAGIC);

	*job = (struct axt_job){ .n = 0 };
	r.bad = r.n < magic || memcmp(r.p, MAGIC, magic) != 0;
	if (!r.bad) {
		r.p += magic;
		r.n -= magic;
	}
	t->o.output = get_text(&r);
	t->o.quantize = get_text(&r);
	get_output(&r, t, job);
	t->meta = axt_alloc(g->m, (size_t)job->n * sizeof(*t->meta) + 1);
	t->text = axt_alloc(g->m, (size_t)job->n * sizeof(*t->text) + 1);
	r.bad = r.bad || !t->meta || !t->text;
	for (int i = 0; i < job->n && !r.bad; i++)
		get_meta(&r, &job->r.v[i], &t->meta[i]);
	for (int i = 0; i < job->n && !r.bad; i += AXT_PLAN_OUTS)
		t->text[t->ntexts++] = get_text(&r);
	if (!r.bad)
		get_files(&r, g, t);
	if (axt_arena_failed(g->m))
		return nomem(g);
	if (!g->err.code && (r.bad || r.n != 0))
		axt_fail(&g->err, AXT_E_DAMAGED,
		    "what the first process of the job told is not understood: is it another axt?");
	return g->err.code;
}

/* ---- the expression ---- */

struct builder {
	struct axt_graph *g;
	const struct axt_tale *t;
};

static bool
no_line(void *ctx, char *words)
{
	(void)ctx, (void)words;
	return false;
}

/* A leaf over the storage with the number that stands in its words. */
static struct axt_expr *
leaf(void *ctx, enum axt_dtype d, const struct axt_axes *x, char *words)
{
	const struct builder *b = ctx;
	const char *word = axt_plan_take(&words, "leaf=");
	int64_t i, shape[AXT_MAX_RANK];
	struct axt_expr *e;

	if (!word || *words || !axt_parse_int(word, 0, b->t->nst - 1, &i) ||
	    b->t->st[i]->rank != x->n)
		return NULL;
	e = axt_node(b->g, AXT_NODE_LEAF, d);
	if (axt_bad(e))
		return NULL;
	e->axes = *x;
	e->u.leaf.st = b->t->st[i];
	e->from = b->t->from[i];
	for (int k = 0; k < x->n; k++)
		shape[k] = x->a[k].len;
	return axt_view_layout(&e->u.leaf.view, x->n, shape, e->u.leaf.st->dims, 'C', NULL) ? e
											    : NULL;
}

/* Makes e[0..t->nresults) of the texts. NULL, or why that does not go. */
static const char *
read_texts(struct axt_graph *g, const struct axt_tale *t, struct axt_expr **e)
{
	struct builder b = { g, t };
	const struct axt_plan_reader r = { .ctx = &b, .line = no_line, .leaf = leaf };
	struct axt_plan_out out[AXT_PLAN_OUTS];
	const char *why;
	int at = 0, n;

	for (int i = 0; i < t->ntexts; i++) {
		if (!axt_plan_read(g, t->text[i], strlen(t->text[i]), &r, out, &n, &why))
			return why ? why : "there is no memory";
		for (int k = 0; k < n && at < t->nresults; k++)
			e[at++] = out[k].e;
	}
	return at == t->nresults ? NULL : "it has other results";
}

/* The results as they are stored, of what the others need to know of them. */
static int
describe(struct axt_graph *g, const struct axt_tale *t, struct axt_job *job)
{
	struct axt_expr **e = axt_alloc(g->m, (size_t)job->n * sizeof(struct axt_expr *));

	if (!e)
		return nomem(g);
	for (int i = 0; i < job->n; i++) {
		struct axt_meta *meta;

		e[i] = job->e[i];
		meta = axt_dress(g, &e[i], NULL);
		if (!meta)
			return g->err.code;
		*meta = t->meta[i];
	}
	job->r.e = e;
	return 0;
}

int
axt_tale_build(struct axt_graph *g, struct axt_tale *t, struct axt_job *job)
{
	struct axt_expr **e = axt_alloc(g->m, (size_t)job->n * sizeof(struct axt_expr *));
	const char *why;

	if (!e)
		return nomem(g);
	why = read_texts(g, t, e);
	if (!why && axt_unify(g, e, job->n, e) == 0)
		job->e = e;
	for (int i = 0; !why && i < job->n && !axt_bad(e[i]); i++)
		if (t->called[i])
			e[i]->from = t->called[i];
	if (why && t->meta)
		return axt_fail(&g->err, AXT_E_DAMAGED,
		    "what the first process of the job told is not understood: %s", why);
	t->why = why;
	return g->err.code || !t->meta ? (int)g->err.code : describe(g, t, job);
}
