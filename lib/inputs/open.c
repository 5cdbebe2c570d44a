/*
 * open.c - operands from files: leaves, and nodes above them that unpack and mask missing values.
 */
#include <math.h>

#include "base/quote.h"
#include "inputs/inputs.h"

static const char *
origin(struct axt_graph *g, const struct axt_file *f, const struct axt_dset *d)
{
	const char *path = d->path[0] == '/' && !strchr(d->path + 1, '/') ? d->path + 1 : d->path;
	const char *s = axt_sprintf(g->m, *path ? "%s:%s" : "%s", axt_escape(g->m, f->path),
	    axt_escape(g->m, path));

	return s ? s : "operand";
}

/* A constant of a dtype of eight bytes, i64 or u64, that has these bits. */
static struct axt_expr *
whole(struct axt_graph *g, enum axt_dtype d, uint64_t bits)
{
	struct axt_expr *e = axt_const(g, d, 0);

	if (axt_bad(e))
		return e;
	e->u.val.num = (struct axt_num){ .is_int = true,
		.is_unsigned = d == AXT_U64 && bits > INT64_MAX,
		.i = (int64_t)bits,
		.u = bits,
		.f = d == AXT_U64 ? (double)bits : (double)(int64_t)bits };
	axt_num_store(&e->u.val.num, d, e->u.val.bytes);
	return e;
}

/* Fails if attributes do not tell what stored values mean. */
static int
understood(struct axt_graph *g, const char *from, const struct axt_packing *p)
{
	if (!p->wrong)
		return 0;
	axt_fail(&g->err, AXT_E_ARG, "%s cannot be unpacked: %s", from, p->wrong);
	axt_hint(&g->err, "--raw takes the values as they are stored");
	return g->err.code;
}

struct axt_expr *
axt_unpack(struct axt_graph *g, struct axt_expr *leaf, const struct axt_packing *p,
    const double *valid)
{
	enum axt_dtype d = axt_unpacked_dtype(leaf->dtype, p),
		       work = axt_unpacking_dtype(leaf->dtype, d);
	const struct axt_meta *meta = leaf->meta;
	struct axt_expr *e = axt_conv(g, leaf, work, AXT_OVERFLOW_WRAP);

	for (int k = 0; k < p->nmiss && !p->bits; k++)
		e = axt_map2(g, AXT_OP_MASK, e, axt_const(g, work, p->miss[k]));
	if (p->scaled)
		e = axt_map(g, AXT_OP_UNPACK, 3,
		    (struct axt_expr *[]){ e, axt_const(g, work, p->scale),
			axt_const(g, work, p->offset) });
	for (int k = 0; k < p->nmiss && p->bits; k++)
		e = axt_where(g, axt_map2(g, AXT_OP_EQ, leaf, whole(g, leaf->dtype, p->bits[k])),
		    axt_const(g, work, NAN), e);
	if (valid)
		e = axt_map(g, AXT_OP_VALID, 3,
		    (struct axt_expr *[]){ e, axt_const(g, work, valid[0]),
			axt_const(g, work, valid[1]) });
	e = axt_conv(g, e, d, AXT_OVERFLOW_WRAP);
	if (!axt_bad(e) && e != leaf) {
		e->meta = meta;
		e->from = leaf->from;
	}
	return e;
}

struct axt_expr *
axt_as_read(struct axt_graph *g, struct axt_expr *e)
{
	const struct axt_attr *attrs = e->meta->attrs;
	enum axt_dtype t = axt_with_sign(attrs, e->dtype);
	struct axt_packing p;
	struct axt_meta *m;
	struct axt_expr *y;
	double valid[2];
	bool ranged;

	if (e->meta->fill || t == AXT_BOOL || axt_dtypes[t].cls == AXT_CLASS_COMPLEX)
		return e;
	axt_packing_read(g->m, attrs, t, &p);
	if (understood(g, e->from, &p))
		return axt_node_failed(g);
	ranged = axt_valid_read(attrs, t, &p, valid);
	if (!p.scaled && !p.missing && !ranged && t == e->dtype)
		return e;
	y = axt_unpack(g, axt_conv(g, e, t, AXT_OVERFLOW_WRAP), &p, ranged ? valid : NULL);
	m = axt_dress(g, &y, e);
	if (!m)
		return y;
	m->attrs = axt_attrs_unpacked(g->m, m->attrs);
	m->missing = p.missing || ranged;
	return y;
}

/* Attributes that describe the dataset and not its values, so that results do not have them. */
static const char *const own_attrs[] = { "axt_kind", "axt_shape", "axt_layout", "axt_plan" };

/*
 * Storages of leaves, one for each dataset and dtype, so that equal leaves point to the same
 * storage.
 */
struct axt_known {
	struct axt_file *f;
	const struct axt_dset *d;
	struct axt_storage st;
	struct axt_known *next;
};

/* Whether f64 lacks some of the values. */
static bool
number_rounds(const struct axt_number *t)
{
	int fraction = t->implied ? t->msize : t->msize - 1;

	return t->is_float &&
	    (fraction > 52 || t->bias + fraction > 1075 || t->esize > 11 ||
		(1 << t->esize) - 2 - t->bias > 1023);
}

static const struct axt_storage *
storage_once(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d, enum axt_dtype t)
{
	struct axt_known *k;

	for (const struct axt_entry *x = axt_table_first(&g->known, axt_hash_pointer(d)); x;
	     x = axt_table_next(x)) {
		k = x->value;
		if (k->d == d && k->st.dtype == t)
			return &k->st;
	}
	k = axt_alloc(g->m, sizeof(*k));
	if (!k || !axt_table_add(g->m, &g->known, axt_hash_pointer(d), k) ||
	    !axt_table_add(g->m, &g->known, axt_hash_pointer(&k->st), k))
		return NULL;
	*k = (struct axt_known){ f, d, d->st, g->all_known };
	k->st.dtype = t;
	k->st.from = origin(g, f, d);
	axt_storage_cut(&k->st);
	for (int64_t c = 0; d->st.chunks && c < d->st.nchunks; c++)
		if (d->st.chunks[c].addr != UINT64_MAX)
			k->st.largest = MAX(k->st.largest, d->st.chunks[c].size);
	g->all_known = k;
	if (d->st.number && number_rounds(d->st.number))
		axt_warn(g, "%s has floats of %d bits, which are rounded to %s", k->st.from,
		    d->st.number->msize + d->st.number->esize + 1, axt_dtypes[d->dtype].name);
	return &k->st;
}

const struct axt_dset *
axt_leaf_dataset(struct axt_graph *g, const struct axt_storage *st, struct axt_file **f)
{
	for (const struct axt_entry *x = axt_table_first(&g->known, axt_hash_pointer(st)); x;
	     x = axt_table_next(x)) {
		const struct axt_known *k = x->value;

		if (&k->st == st) {
			*f = k->f;
			return k->d;
		}
	}
	return NULL;
}

bool
axt_read_instead(struct axt_graph *g, const struct axt_file *old, struct axt_file *now)
{
	for (struct axt_known *k = g->all_known; k; k = k->next) {
		struct axt_err none = { 0 };
		enum axt_dtype t = k->st.dtype;
		const char *from = k->st.from;
		struct axt_dset *d;

		if (k->f != old)
			continue;
		if (axt_file_find(g->m, now, k->d->path, &d, &none) ||
		    axt_dset_load(g->m, now, d, &none) || d->role != k->d->role ||
		    d->dtype != k->d->dtype || !d->virt != !k->d->virt ||
		    !axt_axes_same(&d->axes, &k->d->axes) ||
		    !axt_attrs_equal(d->attrs, k->d->attrs) ||
		    !axt_table_add(g->m, &g->known, axt_hash_pointer(d), k))
			return false;
		*k = (struct axt_known){ now, d, d->st, k->next };
		k->st.dtype = t;
		k->st.from = from;
	}
	return true;
}

/* A leaf over the whole of st, with the axes x. */
static struct axt_expr *
leaf_of(struct axt_graph *g, const struct axt_storage *st, enum axt_dtype t,
    const struct axt_axes *x)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_LEAF, t);
	int64_t shape[AXT_MAX_RANK], n;

	if (axt_bad(e) || !st)
		return axt_node_failed(g);
	e->from = st->from;
	e->axes = *x;
	e->u.leaf.st = st;
	for (int i = 0; i < x->n; i++)
		shape[i] = x->a[i].len;
	/* the dataset may have more space than the tensor */
	if (!axt_view_layout(&e->u.leaf.view, x->n, shape, st->dims, 'C', &n))
		return axt_graph_fail(g, AXT_E_LIMIT, "%s is too large", e->from);
	return e;
}

/*
 * Whether data stored as one dtype can be read as t: t is that dtype, or both are integers of one
 * size.
 */
static bool
may_be_seen_as(enum axt_dtype stored, enum axt_dtype t)
{
	return stored == t ||
	    (axt_size(stored) == axt_size(t) && stored != AXT_BOOL && t != AXT_BOOL &&
		axt_dtypes[stored].cls < AXT_CLASS_FLOAT && axt_dtypes[t].cls < AXT_CLASS_FLOAT);
}

struct axt_expr *
axt_dataset_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d, enum axt_dtype t,
    const struct axt_axes *x)
{
	bool as_byte = f->foreign && t == AXT_U8 && d->dtype == AXT_BOOL;

	if (axt_dset_load(g->m, f, d, &g->err) || d->role == AXT_ROLE_TEXT ||
	    d->role == AXT_ROLE_DIM || (!as_byte && !may_be_seen_as(d->dtype, t)) ||
	    d->rank != x->n)
		return NULL;
	for (int i = 0; i < x->n; i++)
		if (d->dims[i] != x->a[i].len)
			return NULL;
	return leaf_of(g, storage_once(g, f, d, t), t, x);
}

/* For column-major storage: a view of e with its axes reversed. */
static struct axt_expr *
reversed(struct axt_graph *g, struct axt_expr *e)
{
	struct axt_axes x = { .n = e->axes.n };
	int src[AXT_MAX_RANK];

	for (int i = 0; i < x.n; i++) {
		src[i] = x.n - 1 - i;
		x.a[i] = e->axes.a[src[i]];
	}
	return axt_relabel(g, e, &x, src);
}

static bool
is_placeholder(const struct axt_dset *d)
{
	const struct axt_tensor_kind *k = axt_kind_of(d->attrs);

	return k && k->input;
}

/*
 * A placeholder with the dtype, axes and attributes of the dataset; its stored values are not used.
 */
static struct axt_expr *
placeholder(struct axt_graph *g, const struct axt_expr *e, const struct axt_dset *d)
{
	struct axt_expr *p = axt_placeholder(g, e->dtype, &e->axes, d->name);

	if (!axt_bad(p)) {
		p->meta = e->meta;
		p->from = e->from;
	}
	return p;
}

/* A leaf over the stored values of d, read as dtype t. */
static struct axt_expr *
stored_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d, enum axt_dtype t,
    const struct axt_meta *m, bool external)
{
	struct axt_expr *e = leaf_of(g, storage_once(g, f, d, t), t, &d->axes);

	if (axt_bad(e))
		return e;
	e->meta = m;
	e->u.leaf.plan = axt_taken_plan(g, f, e);
	if (axt_attr_find(d->attrs, "axt_plan")) {
		e->u.leaf.plan = axt_saved_plan(g, f, d, e, external);
		if (!e->u.leaf.plan)
			return axt_node_failed(g);
	} else if (d->virt && axt_bad(e = axt_mapped_leaf(g, f, d, e, external))) {
		return e;
	}
	return d->reversed ? reversed(g, e) : e;
}

/* Whether the dataset is the coordinate of its axis: such values are never missing. */
static bool
is_coordinate(const struct axt_dset *d)
{
	return d->axes.n == 1 && strcmp(d->axes.a[0].name, d->name) == 0;
}

static struct axt_expr *make_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    const struct axt_open_opts *o);

/* The stored values of a dataset that cannot be unpacked, with a warning that says so. */
static struct axt_expr *
as_it_is(struct axt_graph *g, struct axt_file *f, struct axt_dset *d, const struct axt_open_opts *o,
    const char *why)
{
	struct axt_open_opts raw = *o;

	raw.raw = true;
	axt_warn(g, "%s is taken as it is stored: %s", origin(g, f, d), why);
	return make_leaf(g, f, d, &raw);
}

static struct axt_expr *
make_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    const struct axt_open_opts *o)
{
	enum axt_dtype t = o->raw ? d->dtype : axt_with_sign(d->attrs, d->dtype);
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));
	struct axt_stored *s = axt_alloc(g->m, sizeof(*s));
	struct axt_packing p = { 0 };
	struct axt_expr *e, *raw;
	double valid[2];
	bool ranged = false;

	if (!m || !s)
		return axt_node_failed(g);
	*m = (struct axt_meta){ .name = d->name, .attrs = d->attrs, .file_attrs = f->attrs };
	for (int k = 0; k < ARRAY_LEN(own_attrs); k++)
		m->attrs = axt_attr_drop(g->m, m->attrs, own_attrs[k]);
	if (axt_add_aux(g, f, d, &m->aux))
		return axt_node_failed(g);
	if (!o->raw) {
		if (t != AXT_BOOL && axt_dtypes[t].cls != AXT_CLASS_COMPLEX) {
			axt_packing_read(g->m, d->attrs, t, &p);
			if (p.wrong && o->keep_unclear)
				return as_it_is(g, f, d, o, p.wrong);
			if (understood(g, origin(g, f, d), &p))
				return axt_node_failed(g);
			ranged = !is_coordinate(d) && axt_valid_read(d->attrs, t, &p, valid);
		}
		m->attrs = axt_attrs_unpacked(g->m, m->attrs);
		m->missing = p.missing || ranged;
	}
	/* some writers of other formats store true as 255, so booleans are compared with 0 */
	raw = e = stored_leaf(g, f, d, f->foreign && t == AXT_BOOL ? AXT_U8 : d->dtype, m,
	    o->allow_external);
	if (f->foreign && t == AXT_BOOL)
		raw = e = axt_conv(g, e, t, AXT_OVERFLOW_ERROR);
	/* a plan gives values of the stored dtype, so they are converted */
	if (t != d->dtype)
		e = f->stream || axt_attr_find(d->attrs, "axt_plan")
		    ? axt_conv(g, raw, t, AXT_OVERFLOW_WRAP)
		    : stored_leaf(g, f, d, t, m, o->allow_external);
	if (axt_bad(raw) || axt_bad(e) || is_placeholder(d))
		return axt_bad(raw) || axt_bad(e) ? axt_node_failed(g) : placeholder(g, e, d);
	if (p.scaled || p.missing || ranged)
		e = axt_unpack(g, e, &p, ranged ? valid : NULL);
	*s = (struct axt_stored){ .dtype = d->dtype,
		.means = e,
		.raw = raw,
		.attrs = axt_attrs_only(g->m, d->attrs, axt_is_packing) };
	if (!o->raw && (s->attrs || p.missing))
		m->stored = s;
	return e;
}

/* The node of a dataset that was opened before, raw or not, so that each dataset is read once. */
struct axt_opened {
	const struct axt_dset *d;
	bool raw;
	struct axt_expr *e;
};

static struct axt_expr *
leaf_once(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    const struct axt_open_opts *how)
{
	struct axt_opened *o;

	for (const struct axt_entry *x = axt_table_first(&g->opened, axt_hash_pointer(d)); x;
	     x = axt_table_next(x)) {
		o = x->value;
		if (o->d == d && o->raw == how->raw)
			return o->e;
	}
	o = axt_alloc(g->m, sizeof(*o));
	if (!o)
		return axt_node_failed(g);
	*o = (struct axt_opened){ d, how->raw, make_leaf(g, f, d, how) };
	if (!axt_bad(o->e) && !axt_table_add(g->m, &g->opened, axt_hash_pointer(d), o))
		return axt_node_failed(g);
	return o->e;
}

/* The line that names the axes of a tensor by position, those that stand twice by other names. */
static void
hint_axes(struct axt_graph *g, const struct axt_axes *x, const char *operand)
{
	struct axt_axes to = *x;
	int which[AXT_MAX_RANK];
	const char *typed;

	for (int i = 0; i < x->n; i++) {
		int before = 0;

		for (int k = 0; k < i; k++)
			before += strcmp(x->a[k].name, x->a[i].name) == 0;
		which[i] = i;
		if (before > 0)
			to.a[i].name = axt_sprintf(g->m, "%s_%d", x->a[i].name, before + 1);
	}
	typed = axt_axes_typed(g->m, &to, which, to.n);
	if (typed)
		axt_hint(&g->err, "axt-cast --to %s %s names its axes by position",
		    axt_typed(g->m, "%s", typed), axt_typed(g->m, "%s", operand));
}

struct axt_expr *
axt_named_tensor(struct axt_graph *g, const struct axt_named *x, const struct axt_open_opts *o)
{
	struct axt_file *f = x->f;
	struct axt_dset *d = x->d;

	if (!f)
		return axt_number(g, x->word);
	if (!d)
		return axt_calendar(g, f, x->name);
	if (d->role == AXT_ROLE_TEXT) {
		const char *name = origin(g, f, d);

		axt_fail(&g->err, AXT_E_DTYPE, "%s holds text, not numbers", name);
		axt_about(&g->err, AXT_IS_TEXT, name, name);
		axt_hint(&g->err,
		    "axt-print %s shows it; axt-eq %s TEXT compares it; --by and axt-coord set "
		    "take it as labels; %s takes it along",
		    axt_typed(g->m, "%s", name), axt_typed(g->m, "%s", name),
		    axt_quoted(g->m, axt_sprintf(g->m, "%s:*", f->path)));
		return axt_node_failed(g);
	}
	if (d->role == AXT_ROLE_DIM) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s is a dimension without coordinates",
		    origin(g, f, d));
		axt_about(&g->err, AXT_UNLABELLED, axt_last_part(d->path), f->path);
		return axt_node_failed(g);
	}
	if (d->dup_axes && !o->duplicate_axes) {
		axt_fail(&g->err, AXT_E_AXES, "%s has an axis twice: %s", origin(g, f, d),
		    axt_axes_text(g->m, &d->axes));
		axt_about(&g->err, AXT_AXIS_TWICE, NULL, origin(g, f, d));
		hint_axes(g, &d->axes, origin(g, f, d));
		return axt_node_failed(g);
	}
	return leaf_once(g, f, d, o);
}

struct axt_expr *
axt_open(struct axt_graph *g, const char *operand, const struct axt_open_opts *o)
{
	static const struct axt_open_opts plain;
	struct axt_named x;

	o = o ? o : &plain;
	return axt_named_operand(g, operand, o, &x) ? axt_node_failed(g)
						    : axt_named_tensor(g, &x, o);
}

/* data has to stay valid as long as the graph. */
struct axt_expr *
axt_memory_leaf(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x, const void *data)
{
	struct axt_storage *st = axt_alloc(g->m, sizeof(*st));

	if (!st)
		return axt_node_failed(g);
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT,
		.dtype = d,
		.rank = x->n,
		.esize = axt_size(d),
		.fd = -1,
		.mem = data,
		.from = "memory" };
	for (int i = 0; i < x->n; i++)
		st->dims[i] = x->a[i].len;
	if (!axt_axes_count(x, &st->count))
		return axt_graph_fail(g, AXT_E_LIMIT, "the tensor is too large");
	return leaf_of(g, st, d, x);
}

/*
 * A leaf over memory in which neighbours along axis i of x are stride[i] elements apart: a view of
 * a one-dimensional leaf that reaches from the lowest address to the highest. No axis has length 0.
 */
static struct axt_expr *
strided_leaf(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x, const void *data,
    const int64_t *stride)
{
	struct axt_axes line = { .n = 1,
		.a = { { .name = "memory", .from = "memory", .len = 1 } } };
	struct axt_sel *s = axt_alloc(g->m, AXT_MAX_RANK * sizeof(*s));
	const struct axt_sel *sel[AXT_MAX_RANK];
	static const int src[AXT_MAX_RANK];
	int64_t reach, back = 0;

	for (int i = 0; i < x->n; i++) {
		if (!axt_mul(x->a[i].len - 1, stride[i], &reach) || reach == INT64_MIN ||
		    __builtin_add_overflow(line.a[0].len, reach < 0 ? -reach : reach,
			&line.a[0].len))
			return axt_graph_fail(g, AXT_E_LIMIT,
			    "the strides reach over 2^63 elements");
		back += reach < 0 ? -reach : 0;
		if (!s ||
		    !axt_sel_spans(g->m, &s[i],
			&(struct axt_span){ reach < 0 ? -reach : 0, stride[i], x->a[i].len }, 1))
			return axt_node_failed(g);
		sel[i] = &s[i];
	}
	return axt_view_node(g,
	    axt_memory_leaf(g, d, &line, (const uint8_t *)data - back * axt_size(d)), x, src, sel,
	    NULL);
}

/* Whether the strides are those of row-major order. */
static bool
is_row_major(const struct axt_axes *x, const int64_t *stride)
{
	int64_t step = 1;

	for (int i = x->n - 1; i >= 0; step *= x->a[i--].len)
		if (x->a[i].len != 1 && stride[i] != step)
			return false;
	return true;
}

struct axt_expr *
axt_tensor(struct axt_graph *g, enum axt_dtype d, const char *axes, const void *data,
    const int64_t *strides)
{
	int64_t count;
	struct axt_axes x;

	if (!axt_dtype_bytes(d))
		return axt_graph_fail(g, AXT_E_DTYPE, "no such dtype");
	if (axt_axes_parse(g->m, axes, true, &x, NULL, &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < x.n; i++) {
		x.a[i].from = "memory";
		if (x.a[i].len < 0)
			return axt_needs_length(g, &x.a[i]);
	}
	if (!axt_axes_count(&x, &count))
		return axt_graph_fail(g, AXT_E_LIMIT, "the tensor is too large");
	return !strides || !count || is_row_major(&x, strides)
	    ? axt_memory_leaf(g, d, &x, data)
	    : strided_leaf(g, d, &x, data, strides);
}
