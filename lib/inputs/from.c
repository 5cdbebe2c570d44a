/* from.c - leaves over files of formats other than HDF5. */
#include <inttypes.h>

#include "formats/formats.h"
#include "inputs/inputs.h"

static int
read_foreign(struct axt_graph *g, const char *operand, const struct axt_from_opts *o,
    struct axt_file **f, struct axt_foreign *out, const char **name)
{
	struct axt_foreign_opts fo = { .format = o->format,
		.dtype = o->dtype,
		.big_endian = o->big_endian,
		.fortran = o->fortran,
		.matrix = o->matrix,
		.header = o->header,
		.offset = o->offset,
		.memory = g->memory };
	struct axt_axes to;
	const char *file;

	if (g->err.code || axt_operand_split(g->m, operand, &file, name, &g->err) ||
	    !(*f = axt_begin_foreign(g, file)))
		return g->err.code;
	if (o->to && axt_axes_parse(g->m, o->to, true, &to, NULL, &g->err))
		return g->err.code;
	fo.to = o->to ? &to : NULL;
	fo.all = *name && strcmp(*name, "*") == 0;
	*name = fo.all ? NULL : *name;
	fo.tensor = *name;
	return axt_foreign_read(g->m, *f, &fo, out, &g->err);
}

/* The names of the tensors in the file as "a, b, c", cut short if there are many. */
static const char *
names_of(struct axt_graph *g, const struct axt_foreign *x)
{
	struct axt_buf b = { 0 };
	const char *s;

	for (int i = 0; i < x->n && i < 12; i++)
		axt_buf_addf(&b, "%s%s", i ? ", " : "",
		    x->item[i].name ? axt_escape(g->m, x->item[i].name) : "");
	if (x->n > 12)
		axt_buf_addf(&b, " and %d more", x->n - 12);
	s = axt_strdup(g->m, b.p ? b.p : "");
	axt_buf_release(&b);
	return s ? s : "";
}

/* The tensor of that name or, without a name, the only one in the file. */
static const struct axt_foreign_item *
choose(struct axt_graph *g, const struct axt_file *f, const struct axt_foreign *x, const char *name)
{
	const char *file = axt_escape(g->m, f->path);
	enum axt_about about = x->n == 0 ? AXT_NO_TENSOR : name ? AXT_NO_DATASET : AXT_SEVERAL;

	for (int i = 0; i < x->n; i++)
		if (name ? x->item[i].name && strcmp(x->item[i].name, name) == 0 : x->n == 1)
			return &x->item[i];
	if (x->n == 0)
		axt_fail(&g->err, AXT_E_NAME, "%s: holds no tensor", file);
	else if (name && !x->item[0].name)
		axt_fail(&g->err, AXT_E_NAME, "%s: its tensor has no name, such as \"%s\"", file,
		    axt_escape(g->m, name));
	else if (name)
		axt_fail(&g->err, AXT_E_NAME, "%s: no tensor \"%s\" (%s)", file,
		    axt_escape(g->m, name), names_of(g, x));
	else
		axt_fail(&g->err, AXT_E_AMBIG, "%s holds %d tensors: %s", file, x->n,
		    names_of(g, x));
	axt_about(&g->err, about, name ? name : f->path, name ? f->path : NULL);
	for (int i = 0; i < x->n; i++)
		axt_about_among(&g->err, x->item[i].name);
	if (!name && x->n > 1)
		axt_hint(&g->err, "name one: %s:%s", file, axt_escape(g->m, x->item[0].name));
	return NULL;
}

/*
 * Checks the names of the axes. Names that axt cannot write are an error when the file is opened.
 */
static int
check_axes(struct axt_graph *g, const struct axt_axes *x)
{
	for (int i = 0; i < x->n; i++)
		if (axt_name_check(x->a[i].name, "axis", &g->err)) {
			axt_hint(&g->err, "--to names the axes; csv: --matrix has none");
			return g->err.code = AXT_E_NAME;
		}
	return axt_axes_check_unique(g->m, x, &g->err);
}

static const struct axt_meta *
meta_of(struct axt_graph *g, const struct axt_file *f, const struct axt_foreign_item *t)
{
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));
	struct axt_err ignore = { 0 };

	if (m)
		*m = (struct axt_meta){ .attrs = t->attrs,
			.file_attrs = f->attrs,
			.aux = t->aux,
			.missing = t->missing };
	if (m && t->name && axt_name_check(t->name, "tensor", &ignore) == 0)
		m->name = t->name;
	return m;
}

/*
 * A leaf with the axes in the order in which they are stored. Booleans are bytes that are compared
 * with 0, since some writers store 255 for true.
 */
static struct axt_expr *
stored(struct axt_graph *g, struct axt_file *f, const struct axt_foreign_item *t,
    const struct axt_axes *x)
{
	enum axt_dtype as = t->dtype == AXT_BOOL ? AXT_U8 : t->dtype;
	struct axt_dset *d;
	struct axt_expr *e;

	if (t->mem)
		return axt_memory_leaf(g, t->dtype, x, t->mem);
	d = axt_foreign_item_dset(g->m, f, t, as, x, &g->err);
	e = d ? axt_dataset_leaf(g, f, d, as, x) : NULL;
	return e ? axt_conv(g, e, t->dtype, AXT_OVERFLOW_ERROR) : axt_node_failed(g);
}

static struct axt_expr *
leaf_of(struct axt_graph *g, struct axt_file *f, const struct axt_foreign_item *t, bool renamed)
{
	struct axt_axes x = t->axes;
	int src[AXT_MAX_RANK], n = x.n;
	bool back = t->fortran && n > 1;
	struct axt_expr *e;

	if (t->text) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s holds text, not numbers",
		    axt_escape(g->m, f->path));
		axt_about(&g->err, AXT_IS_TEXT, f->path, f->path);
		return axt_node_failed(g);
	}
	if (t->why)
		return axt_graph_fail(g, AXT_E_DTYPE, "%s: \"%s\" %s", axt_escape(g->m, f->path),
		    axt_escape(g->m, t->name), t->why);
	if (!renamed && check_axes(g, &t->axes))
		return axt_node_failed(g);
	for (int i = 0; i < n && back; i++) {
		x.a[i] = t->axes.a[n - 1 - i];
		src[i] = n - 1 - i;
	}
	e = stored(g, f, t, &x);
	if (!axt_bad(e) && !(e->meta = meta_of(g, f, t)))
		return axt_node_failed(g);
	return back && !axt_bad(e) ? axt_relabel(g, e, &t->axes, src) : e;
}

/* Names the axes by position; the coordinates that a table gives them stay. */
static struct axt_expr *
with_names(struct axt_graph *g, struct axt_expr *e, const char *to)
{
	struct axt_expr *c = axt_bad(e) ? e : axt_cast_axes(g, e, to);
	struct axt_axes x;

	if (axt_bad(c))
		return c;
	x = c->axes;
	for (int i = 0; i < x.n; i++)
		if (!x.a[i].coord && x.a[i].len == e->axes.a[i].len)
			x.a[i].coord = e->axes.a[i].coord;
	return axt_relabel(g, c, &x, axt_identity);
}

/* Whether the numbers rise or fall all along, as coordinates do. */
static bool
is_ordered(enum axt_dtype d, const void *p, int64_t n)
{
	bool up = true, down = true;

	for (int64_t i = 1; i < n; i++) {
		double v = axt_load_f64(d, (const char *)p + (i - 1) * axt_size(d)),
		       w = axt_load_f64(d, (const char *)p + i * axt_size(d));

		up = up && v < w;
		down = down && v > w;
	}
	return n > 0 && (up || down);
}

/*
 * Gives e, a column of rising or falling numbers whose axis has its own name, these numbers as
 * coordinates of the axis: depth(depth), as a dimension scale is.
 */
static struct axt_expr *
with_own_coord(struct axt_graph *g, struct axt_expr *e, const struct axt_foreign_item *t)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));

	if (axt_bad(e) || !c || !t->mem || !t->name || t->missing || e->axes.n != 1 ||
	    e->axes.a[0].coord || strcmp(e->axes.a[0].name, t->name) != 0 ||
	    axt_dtypes[t->dtype].cls > AXT_CLASS_FLOAT || t->dtype == AXT_BOOL ||
	    !is_ordered(t->dtype, t->mem, e->axes.a[0].len))
		return e;
	*c = (struct axt_coord){ .dtype = t->dtype,
		.n = e->axes.a[0].len,
		.data = t->mem,
		.attrs = t->attrs };
	e->axes.a[0].coord = c;
	return e;
}

/* The tensor with the axes and the dtype that are asked for. */
static struct axt_expr *
as_told(struct axt_graph *g, struct axt_expr *e, const struct axt_foreign_item *t,
    const struct axt_from_opts *o)
{
	if (o->to)
		e = with_own_coord(g, with_names(g, e, o->to), t);
	return axt_bad(e) || !o->dtype ? e : axt_cast_dtype(g, e, o->dtype, AXT_OVERFLOW_ERROR);
}

struct axt_expr *
axt_from(struct axt_graph *g, const char *file, const struct axt_from_opts *o)
{
	const struct axt_foreign_item *t;
	struct axt_foreign x;
	struct axt_file *f;
	struct axt_expr *e;
	const char *name;

	o = o ? o : &(struct axt_from_opts){ 0 };
	if (read_foreign(g, file, o, &f, &x, &name))
		return axt_node_failed(g);
	t = choose(g, f, &x, name);
	e = t ? leaf_of(g, f, t, o->to != NULL) : axt_node_failed(g);
	return t ? as_told(g, e, t, o) : e;
}

/* The words of a column, along an axis with the name that is asked for, or its own. */
static int
words_of(struct axt_graph *g, const struct axt_file *f, const struct axt_foreign_item *t,
    const char *to, struct axt_words *w)
{
	struct axt_axes x = t->axes;

	if (to && axt_axes_parse(g->m, to, true, &x, NULL, &g->err))
		return g->err.code;
	if (x.n != 1) {
		axt_fail(&g->err, AXT_E_AXES, "%s: words have one axis, not \"%s\"",
		    axt_escape(g->m, f->path), axt_escape(g->m, to));
		return axt_about(&g->err, AXT_BAD_WORD, to, "AXIS");
	}
	if (x.a[0].len >= 0 && x.a[0].len != t->axes.a[0].len) {
		axt_fail(&g->err, AXT_E_AXES,
		    "axis \"%s\" has length %" PRId64 " in %s, not %" PRId64,
		    axt_escape(g->m, x.a[0].name), t->axes.a[0].len, axt_escape(g->m, f->path),
		    x.a[0].len);
		return axt_about(&g->err, AXT_LENGTHS, axt_axis_spell(g->m, &x.a[0]), f->path);
	}
	*w = (struct axt_words){ .name = t->name,
		.axis = axt_axis_spell(g->m, &x.a[0]),
		.word = t->text,
		.n = t->axes.a[0].len };
	return w->axis ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

int
axt_from_words(struct axt_graph *g, const char *file, const struct axt_from_opts *o,
    struct axt_expr ***out, struct axt_words *w)
{
	const struct axt_foreign_item *t;
	struct axt_foreign x;
	struct axt_file *f;
	const char *name;
	bool all;
	int n;

	*w = (struct axt_words){ .n = -1 };
	o = o ? o : &(struct axt_from_opts){ 0 };
	if (read_foreign(g, file, o, &f, &x, &name))
		return -1;
	all = x.n > 0 && !name && (x.records || x.all);
	n = all ? x.n : 1;
	t = all ? x.item : choose(g, f, &x, name);
	if (t && t->text)
		return words_of(g, f, t, o->to, w) ? -1 : 0;
	*out = axt_alloc(g->m, (size_t)n * sizeof(struct axt_expr *));
	if (!*out)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n && !g->err.code; i++)
		(*out)[i] = as_told(g, leaf_of(g, f, &t[i], o->to != NULL), &t[i], o);
	return g->err.code ? -1 : n;
}

enum axt_code
axt_from_list(struct axt_graph *g, const char *file, const struct axt_from_opts *o, FILE *out)
{
	struct axt_foreign x;
	struct axt_file *f;
	const char *name;

	o = o ? o : &(struct axt_from_opts){ 0 };
	if (read_foreign(g, file, o, &f, &x, &name))
		return g->err.code;
	for (int i = 0; i < x.n; i++) {
		const struct axt_foreign_item *t = &x.item[i];

		fprintf(out, "%s\t%s\t", t->name ? axt_escape(g->m, t->name) : "tensor",
		    t->why        ? "?"
			: t->text ? "text"
				  : axt_dtypes[t->dtype].name);
		for (int k = 0; k < t->axes.n; k++)
			fprintf(out, "%s%s=%" PRId64, k ? "," : "",
			    axt_escape(g->m, axt_axis_spell(g->m, &t->axes.a[k])),
			    t->axes.a[k].len);
		fputc('\n', out);
	}
	return g->err.code;
}
