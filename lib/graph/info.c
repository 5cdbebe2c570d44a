/* info.c - axt-info, axt-list and axt-attr: what is told of whole files. */
#include <errno.h>
#include <sys/stat.h>

#include "graph/target.h"

struct stats_of {
	struct axt_graph *g;
	struct axt_file *f;
	const struct axt_open_opts *open;
};

/* count, missing, min, max and mean of one tensor; complex ones are only counted. */
static int
stats(void *ctx, const struct axt_dset *d, struct axt_info_stats *s, struct axt_err *e)
{
	static const enum axt_red ops[] = { AXT_RED_COUNT, AXT_RED_MIN, AXT_RED_MAX, AXT_RED_MEAN };
	struct stats_of *o = ctx;
	struct axt_graph *g = o->g;
	void *out[] = { &s->count, &s->min, &s->max, &s->mean };
	struct axt_expr *a = axt_named_tensor(g,
	    &(struct axt_named){ .f = o->f, .d = (struct axt_dset *)d }, o->open);
	struct axt_expr *r[ARRAY_LEN(out)];
	struct axt_mem_sink m[ARRAY_LEN(out)];
	struct axt_sink *sink[ARRAY_LEN(out)];

	(void)e; /* the graph has the error */
	s->min = s->max = s->mean = __builtin_nan("");
	if (axt_bad(a))
		return g->err.code;
	s->count = axt_count(a);
	if (s->count == 0 || axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return 0;
	a = axt_conv(g, a, AXT_F64, AXT_OVERFLOW_WRAP);
	for (int k = 0; k < ARRAY_LEN(out); k++) {
		r[k] = axt_reduce(g, ops[k], a, &(struct axt_reduce_opts){ .nan = 1 });
		axt_mem_sink_init(&m[k], out[k], 8);
		sink[k] = &m[k].sink;
	}
	s->missing = s->count;
	if (axt_run(g, r, ARRAY_LEN(out), sink) || axt_files_check(g))
		return g->err.code;
	s->missing -= s->count;
	if (s->count == 0)
		s->min = s->max = s->mean = __builtin_nan("");
	return 0;
}

static int
tensors_of(const struct axt_file *f)
{
	int n = 0;

	for (int i = 0; i < f->ndsets; i++)
		n += f->dsets[i].role == AXT_ROLE_TENSOR;
	return n;
}

static int
attrs_of_group(struct axt_graph *g, struct axt_file *f, const char *group,
    const struct axt_attr **attrs)
{
	for (int i = 0; i < axt_file_ngroups(f); i++)
		if (strcmp(axt_file_group(f, i), group) == 0)
			return axt_group_attrs(g->m, f, i, attrs, &g->err);
	return 0;
}

enum axt_code
axt_info(struct axt_graph *g, const char *operand, const struct axt_info_opts *o, FILE *out)
{
	static const char form[] = { 't', 'j', 'c', 'b', 'n' };
	static const struct axt_info_opts plain;
	struct stats_of so = { .g = g };
	struct axt_describing de = { .g = g };
	const struct axt_attr *attrs = NULL;
	struct axt_info_how how;
	struct axt_named x;
	const char *group;

	o = o ? o : &plain;
	so.open = de.open = &o->open;
	g->stale = o->open.stale;
	if (o->stats) /* several tensors take several runs, and the first would use the stream up */
		g->fuse = AXT_FUSE_OFF;
	if (axt_named_words(g, operand, o->open.dataset, &x) || axt_named_file(g, &x))
		return g->err.code;
	group = o->form == AXT_INFO_CDL ? NULL : axt_named_group(&x);
	if (group ? attrs_of_group(g, x.f, group, &attrs)
		  : x.name && *x.name && axt_named_dataset(g, &x))
		return g->err.code;
	so.f = x.f;
	/* with several tensors, the first run would use the stream up */
	g->once = g->once && tensors_of(x.f) == 1;
	how = (struct axt_info_how){ form[o->form], o->file_names, o->width, group, attrs };
	axt_info_write(g->m, x.f, x.d, &how, out, o->stats ? stats : NULL, &so, axt_describe, &de,
	    &g->err);
	return g->err.code;
}

const char *const *
axt_tensors(struct axt_graph *g, const char *file)
{
	struct axt_file *f = axt_open_file(g, file);
	const char **names;
	int n = 0;

	if (!f || !(names = axt_alloc(g->m, (size_t)(f->ndsets + 1) * sizeof(*names))))
		return NULL;
	for (int i = 0; i < f->ndsets; i++)
		if (f->dsets[i].role == AXT_ROLE_TENSOR)
			names[n++] = f->dsets[i].path;
	return names;
}

/* ---- attributes ---- */

static void
show_attr(struct axt_graph *g, const char *object, const struct axt_attr *a, FILE *out)
{
	const char *name = axt_escape(g->m, a->name);

	if (object)
		fprintf(out, "%s:", object);
	switch (a->kind) {
	case AXT_ATTR_TEXT: fprintf(out, "%s=%s\n", name, axt_escape(g->m, a->text)); break;
	case AXT_ATTR_TEXTS:
		fprintf(out, "%s=", name);
		for (int64_t i = 0; i < a->n; i++)
			fprintf(out, "%s%s", i ? "," : "",
			    axt_escape(g->m, ((const char *const *)a->data)[i]));
		fputc('\n', out);
		break;
	case AXT_ATTR_NUM:
		fprintf(out, "%s:=", name);
		for (int64_t i = 0; i < a->n; i++) {
			char text[AXT_TEXT];

			axt_value_cdl(text, a->dtype,
			    (const uint8_t *)a->data + i * axt_size(a->dtype));
			fprintf(out, "%s%s", i ? "," : "", text);
		}
		fputc('\n', out);
	}
}

/*
 * Whether word w, "[OBJECT:]NAME", names the attribute of the object. name NULL: any attribute of
 * it.
 */
static bool
means(const char *w, const char *object, const char *name)
{
	size_t len = object ? strlen(object) : 0;

	if (w && object) {
		if (strncmp(w, object, len) != 0 || w[len] != ':')
			return false;
		w += len + 1;
	}
	return !w || strcmp(w, name) == 0;
}

/*
 * Prints all attributes of the object, or those that one of the words names. found[k] is set if
 * word k names one.
 */
static void
show(struct axt_graph *g, const char *object, const struct axt_attr *l, const char *const *words,
    int n, bool *found, FILE *out)
{
	for (; l; l = l->next)
		for (int k = 0; k < MAX(n, 1); k++) {
			if (!means(n ? words[k] : NULL, object, l->name))
				continue;
			show_attr(g, object, l, out);
			if (n)
				found[k] = true;
		}
}

/*
 * Fails with "t4.nc:/tas has no attribute "K"". A hint is added if the words look like an attempt
 * to set one, such as "units K".
 */
static int
not_found(struct axt_graph *g, const char *from, const char *const *words, const bool *found, int k)
{
	axt_fail(&g->err, AXT_E_NAME, "%s has no attribute \"%s\"", from,
	    axt_escape(g->m, words[k]));
	if (k > 0 && found[k - 1])
		axt_hint(&g->err, "%s=%s sets it", axt_escape(g->m, words[k - 1]),
		    axt_escape(g->m, words[k]));
	return g->err.code;
}

/*
 * The dataset with the scale of an axis of d. It is looked for in the group of d and those above
 * it, as netCDF finds dimensions. NULL: there is none.
 */
static struct axt_dset *
scale_of(struct axt_file *f, const struct axt_dset *d, const char *axis)
{
	for (size_t n = (size_t)(axt_last_part(d->path) - d->path);; n--) {
		for (int i = 0; i < f->ndsets; i++) {
			const char *p = f->dsets[i].path;

			if (f->dsets[i].role == AXT_ROLE_SCALE && strncmp(p, d->path, n) == 0 &&
			    strcmp(p + n, axis) == 0)
				return &f->dsets[i];
		}
		while (n > 1 && d->path[n - 2] != '/')
			n--;
		if (n <= 1)
			return NULL;
	}
}

/* The attributes of the scale of axis i of d, as they are in the file. */
static const struct axt_attr *
axis_attrs(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d, int i)
{
	const struct axt_coord *c = d->axes.a[i].coord;
	const char *name = axt_axis_spell(g->m, &d->axes.a[i]);
	struct axt_dset *of = name ? scale_of(f, d, name) : NULL;

	if (!of || axt_dset_load(g->m, f, of, &g->err))
		return c ? c->attrs : NULL;
	return axt_attr_drop(g->m, axt_attr_drop(g->m, of->attrs, "axt_parts"), "axt_along");
}

static int
show_all(struct axt_graph *g, struct axt_file *f, struct axt_dset *d, const char *const *words,
    int n, FILE *out)
{
	bool *found = axt_alloc(g->m, (size_t)n * sizeof(*found) + 1);
	const struct axt_attr *of_axis[AXT_MAX_RANK];

	if (!found)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	/*
	 * everything is read before axt_files_check, which reads a stream to its end and drops it
	 */
	for (int i = 0; d && i < d->axes.n; i++)
		of_axis[i] = axis_attrs(g, f, d, i);
	if (g->err.code || axt_files_check(g))
		return g->err.code;
	if (d)
		show(g, NULL, d->attrs, words, n, found, out);
	for (int i = 0; d && i < d->axes.n; i++)
		show(g, axt_axis_spell(g->m, &d->axes.a[i]), of_axis[i], words, n, found, out);
	show(g, "", f->attrs, words, n, found, out);
	for (int k = 0; k < n; k++)
		if (!found[k])
			return not_found(g, d ? d->st.from : axt_escape(g->m, f->path), words,
			    found, k);
	return 0;
}

/* ---- setting attributes ---- */

static int
edit_numbers(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    struct axt_attr_edit *ed, const char *numbers)
{
	const struct axt_dset *of = !ed->object ? d
	    : *ed->object                       ? scale_of(f, d, ed->object)
						: NULL;
	const struct axt_attr *attrs = d && of == d ? d->attrs : NULL;

	if (of && of != d) {
		if (axt_dset_load(g->m, f, (struct axt_dset *)of, &g->err))
			return g->err.code;
		attrs = of->attrs;
	}
	return axt_attr_numbers(g, numbers,
	    !of || of->role == AXT_ROLE_TEXT || of->role == AXT_ROLE_DIM ? AXT_DTYPE_AUTO
									 : of->dtype,
	    attrs, of ? of->st.from : f->path, &ed->attr);
}

/*
 * Whether all words are attributes of the file, so that it does not matter how many tensors it has.
 */
static bool
of_file(const struct axt_named *x, const char *const *specs, int n)
{
	for (int i = 0; i < n; i++)
		if (specs[i][0] != ':')
			return false;
	return n > 0 && !x->name;
}

/*
 * Changes the attributes, and adds a line to the history unless specs set the history; the file is
 * locked by the caller.
 */
static int
edit_all(struct axt_graph *g, struct axt_named *x, const char *const *specs, int n, bool in_place,
    const char *history, const struct axt_lock *l)
{
	struct axt_attr_edit *ed = axt_alloc(g->m, ((size_t)n + 1) * sizeof(*ed));
	const char *numbers;

	if (of_file(x, specs, n) ? axt_named_file(g, x) : axt_named_dataset(g, x))
		return g->err.code;
	if (!ed)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		if (axt_attr_parse(g, specs[i], &ed[i].object, &ed[i].attr, &numbers) ||
		    (numbers && edit_numbers(g, x->f, x->d, &ed[i], numbers)))
			return g->err.code;
		if (ed[i].object && !*ed[i].object && strcmp(ed[i].attr.name, "history") == 0)
			history = NULL;
	}
	if (history) {
		ed[n].object = "";
		ed[n++].attr = *axt_attr_find(axt_with_history(g, x->f->attrs, history), "history");
	}
	return axt_attr_edit_file(g->m, x->file, x->d ? x->d->path : NULL, ed, n, in_place, l,
	    &g->err);
}

enum axt_code
axt_attr_edit(struct axt_graph *g, const char *operand, const char *const *specs, int nspecs,
    bool in_place, const char *history, FILE *out)
{
	struct axt_named x;
	struct axt_lock l;
	int edits = 0;

	for (int i = 0; i < nspecs; i++)
		edits += strchr(specs[i], '=') != NULL;
	if (edits && edits < nspecs)
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "either show attributes (NAME) or set them (NAME=TEXT), not both");
	if (axt_named_words(g, operand, NULL, &x))
		return g->err.code;
	if (edits) {
		if (axt_hold_one(g, x.file, &l) == 0)
			edit_all(g, &x, specs, nspecs, in_place, history, &l);
		return axt_let_go(g, x.file, &l, in_place && !g->err.code);
	}
	if (of_file(&x, specs, nspecs) ? axt_named_file(g, &x) : axt_named_dataset(g, &x))
		return g->err.code;
	return show_all(g, x.f, x.d, specs, nspecs, out);
}
