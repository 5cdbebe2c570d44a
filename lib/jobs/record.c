/*
 * record.c - what the whole output is to be, as bytes: each tensor's name, dtype, axes with
 * coordinates, attributes and auxiliary datasets, how it is stored and cut; and what goes along.
 * The first part of a job carries these bytes, and the file that is put together of all parts is
 * made by them, so that it has the bytes of a file that was written at once. A dataset of HDF5
 * could not carry this: its attributes do not always keep the order in which they were given.
 */
#include "jobs/record.h"

#define MAGIC "axt part 7\n"
#define MANY (1 << 20) /* more attributes or auxiliary datasets are no record */

/* ---- writing ---- */

/* n values of a dtype, or n strings. */
static void
put_values(struct axt_buf *b, bool text, enum axt_dtype d, int64_t n, const void *data)
{
	put(b, text);
	put(b, d);
	put(b, n);
	put(b, data != NULL);
	for (int64_t i = 0; data && text && i < n; i++)
		put_text(b, ((const char *const *)data)[i]);
	if (data && !text)
		axt_buf_add(b, data, (size_t)n * (size_t)axt_size(d));
}

static void
put_attrs(struct axt_buf *b, const struct axt_attr *l)
{
	int64_t n = 0;

	for (const struct axt_attr *a = l; a; a = a->next)
		n++;
	put(b, n);
	for (; l; l = l->next) {
		put_text(b, l->name);
		put(b, l->kind);
		put_text(b, l->kind == AXT_ATTR_TEXT ? l->text : NULL);
		put(b, l->fixed);
		if (l->kind == AXT_ATTR_TEXT)
			put(b, l->n != 0);
		if (l->kind != AXT_ATTR_TEXT)
			put_values(b, l->kind == AXT_ATTR_TEXTS, l->dtype, l->n, l->data);
		put(b, l->dims ? l->rank : -1);
		for (int i = 0; l->dims && i < l->rank; i++)
			put(b, l->dims[i]);
	}
}

/* The chunks and filters of a dataset that the output has one like. */
static void
put_like(struct axt_buf *b, const struct axt_storage *st)
{
	put(b, st != NULL);
	if (!st)
		return;
	put(b, st->esize);
	put(b, st->apart != NULL);
	put(b, st->rank);
	for (int i = 0; i < st->rank; i++)
		put(b, st->chunk[i]);
	put(b, st->filters.n);
	for (int i = 0; i < st->filters.n; i++) {
		const struct axt_filter_use *u = &st->filters.use[i];
		int n = MIN(u->n, AXT_FILTER_PARAMS);

		put(b, u->f->id);
		put(b, u->esize);
		put(b, n);
		for (int k = 0; k < n; k++)
			put(b, u->param[k]);
	}
}

static void
put_axes(struct axt_buf *b, const struct axt_axes *x)
{
	put(b, x->n);
	for (const struct axt_axis *a = x->a; a < x->a + x->n; a++) {
		put_text(b, a->name);
		put(b, a->level);
		put(b, a->len);
		put(b, a->unlimited);
		put_text(b, a->parts);
		put_text(b, a->along);
		put_text(b, a->label);
		put(b, a->coord != NULL);
		if (!a->coord)
			continue;
		put_values(b, a->coord->text, a->coord->dtype, a->coord->n, a->coord->data);
		put_attrs(b, a->coord->attrs);
		put_text(b, a->coord->label);
		put_like(b, a->coord->like);
	}
}

static int64_t
elements(const struct axt_axes *x)
{
	int64_t n;

	return axt_axes_count(x, &n) ? n : 0;
}

static void
put_aux(struct axt_buf *b, const struct axt_aux *l)
{
	int64_t n = 0;

	for (const struct axt_aux *x = l; x; x = x->next)
		n++;
	put(b, n);
	for (; l; l = l->next) {
		put_text(b, l->name);
		put_axes(b, &l->axes);
		for (int i = 0; i < l->axes.n; i++)
			put(b, l->own[i]);
		put(b, l->chars);
		put(b, l->flags);
		put(b, l->beside);
		put_values(b, l->text, l->dtype, elements(&l->axes), l->data);
		put_attrs(b, l->attrs);
		put_like(b, l->like);
	}
}

static void
put_cut(struct axt_buf *b, const struct axt_partition *p)
{
	put(b, p->rank);
	for (int i = 0; i < p->rank; i++) {
		put(b, p->len[i]);
		put(b, p->unit[i]);
	}
	put(b, p->n);
	for (int i = 0; i < p->n; i++)
		put(b, p->axis[i]);
	for (int i = 0; i < AXT_GRID_AXES; i++)
		put(b, p->pieces[i]);
	put(b, p->chunks);
}

static void
put_states(struct axt_buf *b, const struct axt_part_states *s)
{
	put(b, s->on);
	if (!s->on)
		return;
	put(b, s->of.op);
	put(b, s->of.dtype);
	put(b, s->of.skip);
	put(b, s->of.weighted);
	put_values(b, false, AXT_F64, 1, &s->of.ddof);
	put(b, s->of.count);
	put_cut(b, &s->cut);
}

static void
put_rest(struct axt_buf *b, const struct axt_out_rest *l)
{
	int64_t n = 0;

	for (const struct axt_out_rest *r = l; r; r = r->next)
		n++;
	put(b, n);
	for (; l; l = l->next) {
		put_text(b, l->group);
		put_attrs(b, l->attrs);
		put_aux(b, l->aux);
		put(b, l->axes != NULL);
		if (l->axes)
			put_axes(b, l->axes);
		put(b, l->shared);
		put_text(b, l->link);
		put_text(b, l->to);
		put(b, l->soft);
	}
}

static void
put_tensor(struct axt_buf *b, const struct axt_part_tensor *t)
{
	put_text(b, t->v.name);
	put(b, t->v.dtype);
	put_axes(b, &t->v.axes);
	put_attrs(b, t->v.attrs);
	put_aux(b, t->v.aux);
	put_like(b, t->v.like);
	put_cut(b, &t->cut);
	put_states(b, &t->states);
}

int
axt_part_output_write(struct axt_buf *b, const struct axt_part_output *x)
{
	axt_buf_adds(b, MAGIC);
	put(b, x->n);
	for (int i = 0; i < x->n; i++)
		put_tensor(b, &x->t[i]);
	put_attrs(b, x->attrs);
	put_text(b, x->opts.compress);
	put_text(b, x->opts.shuffle);
	put(b, x->opts.has_chunk);
	for (int i = 0; x->opts.has_chunk && i < x->t[0].v.axes.n; i++)
		put(b, x->opts.chunk[i]);
	put(b, x->opts.unlimited);
	put_rest(b, x->opts.rest);
	return b->bad ? -1 : 0;
}

/* ---- reading: everything is checked, since the bytes may be anybody's ---- */

/* Text that has to be there. */
static const char *
get_name(struct reader *r)
{
	const char *s = get_text(r);

	r->bad = r->bad || !s;
	return s ? s : "";
}

static void
get_values(struct reader *r, bool *text, enum axt_dtype *d, int64_t *n, const void **data)
{
	const char **s;
	bool there;

	*text = get(r, 0, 1);
	*d = (enum axt_dtype)get(r, 0, AXT_NDTYPES - 1);
	*n = get(r, 0, INT64_MAX);
	there = get(r, 0, 1);
	*data = NULL;
	if (!there || r->bad)
		return;
	if (!*text) {
		int64_t bytes;

		r->bad = *d == AXT_DTYPE_AUTO || !axt_mul(*n, axt_size(*d), &bytes) ||
		    bytes > (int64_t)r->n;
		*data = r->bad ? NULL : get_bytes(r, (size_t)bytes, 16);
		return;
	}
	r->bad = *n > (int64_t)(r->n / sizeof(int64_t));
	s = r->bad ? NULL : axt_alloc(r->m, ((size_t)*n + 1) * sizeof(*s));
	r->bad = !s;
	for (int64_t i = 0; s && i < *n; i++)
		s[i] = get_name(r);
	*data = s;
}

/* The shape of an attribute, whose product is the number of its values. */
static void
get_shape(struct reader *r, struct axt_attr *a)
{
	int rank = (int)get(r, -1, AXT_MAX_RANK);
	int64_t *dims = rank < 0 || r->bad ? NULL
					   : axt_alloc(r->m, ((size_t)rank + 1) * sizeof(*dims)),
		n = 1;

	for (int i = 0; dims && i < rank; i++) {
		dims[i] = get(r, 0, INT64_MAX);
		r->bad = r->bad || !axt_mul(n, dims[i], &n);
	}
	r->bad = r->bad || (rank >= 0 && (!dims || n != a->n));
	a->dims = dims;
	a->rank = MAX(0, rank);
}

static const struct axt_attr *
get_attrs(struct reader *r)
{
	const struct axt_attr *l = NULL, **end = &l;
	int64_t n = get(r, 0, MANY);

	while (n-- > 0 && !r->bad) {
		struct axt_attr *a = axt_alloc(r->m, sizeof(*a));
		bool text;

		if (!a) {
			r->bad = true;
			break;
		}
		*a = (struct axt_attr){ .name = get_name(r) };
		a->kind = (enum axt_attr_kind)get(r, 0, AXT_ATTR_TEXTS);
		a->text = get_text(r);
		a->fixed = get(r, 0, 1);
		if (a->kind == AXT_ATTR_TEXT) {
			a->n = get(r, 0, 1);
			r->bad = r->bad || !a->text;
		} else {
			get_values(r, &text, &a->dtype, &a->n, &a->data);
			r->bad = r->bad || text != (a->kind == AXT_ATTR_TEXTS) || !a->data;
		}
		get_shape(r, a);
		*end = a;
		end = (const struct axt_attr **)&a->next;
	}
	return l;
}

static const struct axt_storage *
get_like(struct reader *r, enum axt_dtype d, const struct axt_axes *x)
{
	static const struct axt_apart apart; /* that it has one is all that matters */
	struct axt_storage *st = axt_alloc(r->m, sizeof(*st));
	struct axt_filter_use *use = axt_alloc(r->m, AXT_MAX_FILTERS * sizeof(*use));

	if (!get(r, 0, 1))
		return NULL;
	if (!st || !use) {
		r->bad = true;
		return NULL;
	}
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_CHUNKED, .dtype = d, .fd = -1 };
	st->esize = (int)get(r, 0, INT32_MAX);
	st->apart = get(r, 0, 1) ? &apart : NULL;
	st->rank = (int)get(r, 0, AXT_MAX_RANK);
	r->bad = r->bad || st->rank != x->n;
	for (int i = 0; i < st->rank; i++) {
		st->chunk[i] = get(r, 1, INT64_MAX);
		st->dims[i] = x->a[i].len;
	}
	st->filters = (struct axt_filters){ (int)get(r, 0, AXT_MAX_FILTERS), use };
	for (int i = 0; i < st->filters.n && !r->bad; i++) {
		use[i].f = axt_filter_of((int)get(r, 0, INT32_MAX));
		use[i].esize = (int)get(r, 0, INT32_MAX);
		use[i].n = (int)get(r, 0, AXT_FILTER_PARAMS);
		for (int k = 0; k < use[i].n; k++)
			use[i].param[k] = (uint32_t)get(r, 0, UINT32_MAX);
		r->bad = r->bad || !use[i].f;
	}
	return st;
}

static void
get_axes(struct reader *r, struct axt_axes *x)
{
	int n = (int)get(r, 0, AXT_MAX_RANK);

	*x = (struct axt_axes){ 0 };
	for (int i = 0; i < n && !r->bad; i++) {
		struct axt_axis *a = &x->a[x->n++];
		struct axt_coord *c;

		a->name = get_name(r);
		a->level = (int)get(r, INT32_MIN, INT32_MAX);
		a->len = get(r, 0, INT64_MAX);
		a->unlimited = get(r, 0, 1);
		a->parts = get_text(r);
		a->along = get_text(r);
		a->label = get_text(r);
		if (!get(r, 0, 1) || !(c = axt_alloc(r->m, sizeof(*c))))
			continue;
		*c = (struct axt_coord){ 0 };
		get_values(r, &c->text, &c->dtype, &c->n, &c->data);
		c->attrs = get_attrs(r);
		c->label = get_text(r);
		c->like = get_like(r, c->dtype, &(struct axt_axes){ .n = 1, .a = { *a } });
		r->bad = r->bad || (c->data && c->n != a->len);
		a->coord = c;
	}
}

static const struct axt_aux *
get_aux(struct reader *r)
{
	struct axt_aux *l = NULL, **end = &l;
	int64_t n = get(r, 0, MANY), count;

	while (n-- > 0 && !r->bad) {
		struct axt_aux *x = axt_alloc(r->m, sizeof(*x));

		if (!x) {
			r->bad = true;
			break;
		}
		*x = (struct axt_aux){ .name = get_name(r) };
		get_axes(r, &x->axes);
		for (int i = 0; i < x->axes.n; i++)
			x->own[i] = get(r, 0, 1);
		x->chars = get(r, 0, 1);
		x->flags = get(r, 0, 1);
		x->beside = get(r, 0, 1);
		get_values(r, &x->text, &x->dtype, &count, &x->data);
		x->attrs = get_attrs(r);
		x->like = get_like(r, x->dtype, &x->axes);
		r->bad = r->bad || count != elements(&x->axes);
		*end = x;
		end = &x->next;
	}
	return l;
}

/* x: the axes that are cut, or NULL if the record has them nowhere else. */
static void
get_cut(struct reader *r, struct axt_partition *p, const struct axt_axes *x)
{
	p->rank = (int)get(r, 0, AXT_MAX_RANK);
	r->bad = r->bad || (x && p->rank != x->n);
	for (int i = 0; i < p->rank && !r->bad; i++) {
		p->len[i] = get(r, 0, INT64_MAX);
		p->unit[i] = get(r, 1, INT64_MAX);
		r->bad = r->bad || (x && p->len[i] != x->a[i].len);
	}
	p->n = (int)get(r, 0, AXT_MAX_RANK);
	for (int i = 0; i < p->n; i++)
		p->axis[i] = (int)get(r, 0, AXT_MAX_RANK);
	for (int i = 0; i < AXT_GRID_AXES; i++)
		p->pieces[i] = (int)get(r, 0, AXT_PARTS_MAX);
	p->chunks = get(r, 0, INT64_MAX);
	r->bad = r->bad || !axt_partition_sound(p);
}

static void
get_states(struct reader *r, struct axt_part_states *s, const struct axt_axes *x)
{
	enum axt_dtype d;
	bool text;
	int64_t n;
	const void *ddof;

	s->on = get(r, 0, 1);
	if (!s->on || r->bad)
		return;
	s->of.op = (enum axt_red)get(r, 0, AXT_NREDS - 1);
	s->of.dtype = (enum axt_dtype)get(r, AXT_DTYPE_AUTO + 1, AXT_NDTYPES - 1);
	s->of.skip = get(r, 0, 1);
	s->of.weighted = get(r, 0, 1);
	get_values(r, &text, &d, &n, &ddof);
	r->bad = r->bad || text || d != AXT_F64 || n != 1 || !ddof;
	if (r->bad)
		return;
	memcpy(&s->of.ddof, ddof, sizeof(s->of.ddof));
	s->of.count = get(r, 1, INT64_MAX);
	s->of.kept = elements(x);
	r->bad = r->bad || s->of.kept > AXT_PART_KEPT_MAX;
	get_cut(r, &s->cut, NULL);
}

static const struct axt_out_rest *
get_rest(struct reader *r)
{
	struct axt_out_rest *l = NULL, **end = &l;
	int64_t n = get(r, 0, MANY);

	while (n-- > 0 && !r->bad) {
		struct axt_out_rest *x = axt_alloc(r->m, sizeof(*x));
		struct axt_axes *axes = axt_alloc(r->m, sizeof(*axes));

		if (!x || !axes) {
			r->bad = true;
			break;
		}
		*x = (struct axt_out_rest){ .group = get_name(r) };
		x->attrs = get_attrs(r);
		x->aux = get_aux(r);
		if (get(r, 0, 1)) {
			get_axes(r, axes);
			x->axes = axes;
		}
		x->shared = get(r, 0, 1);
		x->link = get_text(r);
		x->to = get_text(r);
		x->soft = get(r, 0, 1);
		r->bad = r->bad || (x->link && !x->to);
		*end = x;
		end = &x->next;
	}
	return l;
}

static void
get_tensor(struct reader *r, struct axt_part_tensor *t)
{
	t->v.name = get_name(r);
	t->v.dtype = (enum axt_dtype)get(r, AXT_DTYPE_AUTO + 1, AXT_NDTYPES - 1);
	get_axes(r, &t->v.axes);
	t->v.attrs = get_attrs(r);
	t->v.aux = get_aux(r);
	t->v.like = get_like(r, t->v.dtype, &t->v.axes);
	get_cut(r, &t->cut, &t->v.axes);
	get_states(r, &t->states, &t->v.axes);
}

int
axt_part_output_read(struct axt_arena *m, const void *p, size_t n, struct axt_part_output *out)
{
	struct reader r = { .m = m, .p = p, .n = n };
	size_t magic = strlen(MAGIC);

	*out = (struct axt_part_output){ 0 };
	if (n < magic || memcmp(p, MAGIC, magic) != 0)
		return -1;
	r.p += magic;
	r.n -= magic;
	out->n = (int)get(&r, 1, (int64_t)(r.n / 104)); /* one takes as many bytes */
	out->t = r.bad ? NULL : axt_alloc(m, (size_t)out->n * sizeof(*out->t));
	r.bad = !out->t;
	for (int i = 0; i < out->n && !r.bad; i++)
		get_tensor(&r, &out->t[i]);
	if (r.bad)
		return -1;
	out->attrs = get_attrs(&r);
	out->opts.compress = get_text(&r);
	out->opts.shuffle = get_text(&r);
	out->opts.has_chunk = get(&r, 0, 1);
	for (int i = 0; out->opts.has_chunk && i < out->t[0].v.axes.n; i++)
		out->opts.chunk[i] = get(&r, -1, INT64_MAX);
	out->opts.unlimited = get(&r, 0, 1);
	out->opts.rest = get_rest(&r);
	return r.bad || r.n != 0 ? -1 : 0;
}
