/* attributes.c - axt-attr: attributes of tensors, axes, groups and files, shown and changed. */
#include "base/quote.h"
#include "expr/expr.h"
#include "graph/target.h"
#include "show/show.h"

int
axt_attrs_of_group(struct axt_graph *g, struct axt_file *f, const char *group,
    const struct axt_attr **attrs)
{
	for (int i = 0; i < axt_file_ngroups(f); i++)
		if (strcmp(axt_file_group(f, i), group) == 0)
			return axt_group_attrs(g->m, f, i, attrs, &g->err);
	return 0;
}

/* ---- showing attributes ---- */

/*
 * Prints the value alone, for $( ) of a shell: text as it is, numbers without suffixes, several
 * with commas between them. On a terminal, text must not move the cursor.
 */
static void
show_value(struct axt_graph *g, const struct axt_attr *a, FILE *out)
{
	bool terminal = axt_text_on_terminal(out);

	for (int64_t i = 0; i < (a->kind == AXT_ATTR_TEXT ? 1 : a->n); i++) {
		const char *s = a->text;
		char number[128];

		if (a->kind == AXT_ATTR_NUM) {
			number[axt_value_text(number, a->dtype,
			    (const uint8_t *)a->data + i * axt_size(a->dtype))] = '\0';
			s = number;
		} else if (a->kind == AXT_ATTR_TEXTS) {
			s = ((const char *const *)a->data)[i];
		}
		fprintf(out, "%s%s", i ? "," : "", terminal ? axt_escape(g->m, s) : s);
	}
	fputc('\n', out);
}

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
 * Whether the word w, "[OBJECT:]NAME", means the attribute called `name` of `object`. w NULL: any
 * attribute is meant.
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
 * Prints those attributes of the object that one of the n words means, or all if n is 0. found[k]
 * is set if word k means one of them. values: only values are printed, without names.
 */
static void
show(struct axt_graph *g, const char *object, const struct axt_attr *l, const char *const *words,
    int n, bool values, bool *found, FILE *out)
{
	for (; l; l = l->next)
		for (int k = 0; k < MAX(n, 1); k++) {
			if (!means(n ? words[k] : NULL, object, l->name))
				continue;
			if (values)
				show_value(g, l, out);
			else
				show_attr(g, object, l, out);
			if (n)
				found[k] = true;
		}
}

/*
 * The dataset that is the dimension scale of an axis of d. It is looked for in the group of d, and
 * then in the groups above, as netCDF finds dimensions. NULL: there is none.
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

/*
 * What axt-attr shows or changes: a dataset, a group or, where d and group are NULL, the file
 * alone. attrs are the attributes that a word such as "units" names; "lon:units" is an attribute of
 * the axis lon, and ":title" one of the file.
 */
struct about {
	struct axt_file *f;
	struct axt_dset *d;
	const char *group; /* its path, "" for the root; NULL: it is no group */
	const struct axt_attr *attrs;
};

static const char *
name_of(struct axt_graph *g, const struct about *x)
{
	const char *file = axt_escape(g->m, x->f->path);

	return x->d    ? x->d->st.from
	    : x->group ? axt_sprintf(g->m, "%s:%s/", file, axt_escape(g->m, x->group))
		       : file;
}

/*
 * Fails with "t4.nc:/tas has no attribute "K"". A hint is added if the words look as if the
 * attribute should be set, such as "units K".
 */
static int
not_found(struct axt_graph *g, const struct about *x, const char *const *words, const bool *found,
    int k)
{
	const char *meant = x->d
	    ? axt_attr_undotted(g, &x->d->axes, axt_last_part(x->d->path), x->attrs, words[k])
	    : NULL;

	axt_fail(&g->err, AXT_E_NAME, "%s has no attribute \"%s\"", name_of(g, x),
	    axt_escape(g->m, words[k]));
	axt_about(&g->err, AXT_NO_ATTRIBUTE, words[k], name_of(g, x));
	for (const struct axt_attr *a = x->attrs; a; a = a->next)
		axt_about_among(&g->err, a->name);
	if (meant)
		axt_hint(&g->err, "axt-attr %s %s", axt_quoted(g->m, meant),
		    axt_typed(g->m, "%s", name_of(g, x)));
	else if (k > 0 && found[k - 1])
		axt_hint(&g->err, "%s=%s sets it", axt_escape(g->m, words[k - 1]),
		    axt_escape(g->m, words[k]));
	return g->err.code;
}

static int
show_all(struct axt_graph *g, const struct about *x, const char *const *words, int n, bool values,
    FILE *out)
{
	bool *found = axt_alloc(g->m, (size_t)n * sizeof(*found) + 1);
	const struct axt_attr *of_axis[AXT_MAX_RANK];
	struct axt_file *f = x->f;
	struct axt_dset *d = x->d;

	if (!found)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	/*
	 * everything is read before axt_files_check, which reads a stream to its end and drops it
	 */
	for (int i = 0; d && i < d->axes.n; i++)
		of_axis[i] = axis_attrs(g, f, d, i);
	if (g->err.code || axt_files_check(g))
		return g->err.code;
	show(g, NULL, x->attrs, words, n, values, found, out);
	for (int i = 0; d && i < d->axes.n; i++)
		show(g, axt_axis_spell(g->m, &d->axes.a[i]), of_axis[i], words, n, values, found,
		    out);
	if (!x->group || n > 0) /* those of the file are not the group's */
		show(g, "", f->attrs, words, n, values, found, out);
	for (int k = 0; k < n; k++)
		if (!found[k])
			return not_found(g, x, words, found, k);
	return 0;
}

/* ---- setting attributes ---- */

/* The dataset that an attribute is of; NULL: it is a group or the file. */
static struct axt_dset *
dataset_of(const struct about *x, const char *object)
{
	return !object ? x->d : *object && x->d ? scale_of(x->f, x->d, object) : NULL;
}

/* The first number of an attribute; false: it has none, or it is NaN. */
static bool
number_of(const struct axt_attr *a, double *x)
{
	if (!a || a->kind != AXT_ATTR_NUM || a->n < 1)
		return false;
	*x = axt_load_f64(a->dtype, a->data);
	return *x == *x;
}

/*
 * Warns if the new attribute `to` is a _FillValue that differs from the one among l, the attributes
 * of the tensor: elements that were missing become values then.
 */
static void
doubt_fill(struct axt_graph *g, const char *tensor, const struct axt_attr *l,
    const struct axt_attr *to)
{
	const struct axt_attr *was = axt_attr_find(l, "_FillValue"),
			      *other = axt_attr_find(l, "missing_value");
	char old[AXT_TEXT];
	double a, b, c;

	if (strcmp(to->name, "_FillValue") != 0 || to->kind != AXT_ATTR_NUM || to->n < 1 ||
	    !number_of(was, &a) || (number_of(to, &b) && a == b) ||
	    (number_of(other, &c) && a == c))
		return;
	axt_value_cdl(old, was->dtype, was->data);
	axt_warn(g,
	    "elements of %s that are %s are no longer missing: axt-attr --quiet _FillValue:=%s %s && "
	    "axt-copy --fill %.*g %s -o %s changes them, too",
	    tensor, old, old, axt_typed(g->m, "%s", tensor), to->dtype == AXT_F32 ? 7 : 12,
	    axt_load_f64(to->dtype, to->data), axt_typed(g->m, "%s", tensor),
	    axt_typed(g->m, "%s", tensor));
}

/*
 * Completes the new attribute: gives its numbers the dtype that CF asks for, and numbers and text
 * the shape that the old value was stored in.
 */
static int
complete(struct axt_graph *g, const struct about *x, struct axt_attr_edit *ed, const char *numbers)
{
	struct axt_dset *of = dataset_of(x, ed->object);
	const struct axt_attr *l = !ed->object ? x->attrs : !*ed->object ? x->f->attrs : NULL;

	if (of && of != x->d) {
		if (axt_dset_load(g->m, x->f, of, &g->err))
			return g->err.code;
		l = of->attrs;
	}
	if (numbers &&
	    axt_attr_numbers(g->m, numbers,
		!of || of->role == AXT_ROLE_TEXT || of->role == AXT_ROLE_DIM ? AXT_DTYPE_AUTO
									     : of->dtype,
		l, of ? of->st.from : name_of(g, x), &ed->attr, &g->err))
		return g->err.code;
	axt_attr_shape_as(&ed->attr, axt_attr_find(l, ed->attr.name));
	if (of && of->role == AXT_ROLE_TENSOR)
		doubt_fill(g, of->st.from, l, &ed->attr);
	return 0;
}

/* Reads what the spec sets. A group has no axes; the root's attributes are those of the file. */
static int
read_spec(struct axt_graph *g, const struct about *x, const char *spec, struct axt_attr_edit *ed)
{
	const char *numbers, *meant, *value = spec + strcspn(spec, "=");

	value -= value > spec && value[-1] == ':';
	if (axt_attr_parse(g->m, spec, &ed->object, &ed->attr, &numbers, &g->err))
		return g->err.code;
	if (x->d && !ed->object &&
	    (meant = axt_attr_undotted(g, &x->d->axes, axt_last_part(x->d->path), x->attrs,
		 ed->attr.name))) {
		axt_fail(&g->err, AXT_E_NAME,
		    "\"%s\" would be an attribute of %s with a dot in its name: the other is %s",
		    axt_escape(g->m, ed->attr.name), name_of(g, x), axt_escape(g->m, meant));
		axt_hint(&g->err, "axt-attr %s %s",
		    axt_quoted(g->m, axt_sprintf(g->m, "%s%s", meant, value)),
		    axt_typed(g->m, "%s", name_of(g, x)));
		return g->err.code;
	}
	if (x->group && ed->object && *ed->object) {
		axt_fail(&g->err, AXT_E_NAME, "%s is a group, which has no axis \"%s\"",
		    name_of(g, x), axt_escape(g->m, ed->object));
		return axt_about(&g->err, AXT_NO_AXIS, ed->object, name_of(g, x));
	}
	if (x->group && !*x->group)
		ed->object = "";
	return complete(g, x, ed, numbers);
}

/* Whether all specs are of attributes of the file. It may have any number of tensors then. */
static bool
of_file(const struct axt_named *x, const char *const *specs, int n)
{
	for (int i = 0; i < n; i++)
		if (specs[i][0] != ':')
			return false;
	return n > 0 && !x->name;
}

/* Finds what the operand names. */
static int
find(struct axt_graph *g, struct axt_named *x, const char *const *specs, int n, struct about *out)
{
	if (axt_named_file(g, x))
		return g->err.code;
	*out = (struct about){ .f = x->f, .group = axt_named_group(x) };
	if (out->group)
		return axt_attrs_of_group(g, x->f, out->group, &out->attrs);
	if (of_file(x, specs, n))
		return 0;
	if (axt_named_dataset(g, x))
		return g->err.code;
	out->d = x->d;
	out->attrs = x->d->attrs;
	return 0;
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
	const struct axt_attr *line;
	struct about at;
	const char *path;

	if (find(g, x, specs, n, &at))
		return g->err.code;
	if (!ed)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		if (read_spec(g, &at, specs[i], &ed[i]))
			return g->err.code;
		if (ed[i].object && !*ed[i].object && strcmp(ed[i].attr.name, "history") == 0)
			history = NULL;
	}
	if (history) {
		line = axt_attr_find(axt_with_history(g, x->f->attrs, history), "history");
		if (g->err.code || !line)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		ed[n].object = "";
		ed[n++].attr = *line;
	}
	path = at.d ? at.d->path : at.group ? axt_sprintf(g->m, "%s/", at.group) : NULL;
	if (g->err.code)
		return g->err.code;
	return axt_attr_edit_file(g->m, x->file, path, ed, n, in_place, l, &g->err);
}

enum axt_code
axt_attr_edit(struct axt_graph *g, const char *operand, const char *const *specs, int nspecs,
    bool values, bool in_place, const char *history, FILE *out)
{
	struct axt_named x;
	struct about at;
	struct axt_lock l;
	int edits = 0;

	for (int i = 0; i < nspecs; i++)
		edits += strchr(specs[i], '=') != NULL;
	if (edits && edits < nspecs) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "either show attributes (NAME) or set them (NAME=TEXT), not both");
		for (int i = 0; i < nspecs; i++)
			if (!strchr(specs[i], '='))
				axt_about(&g->err, AXT_TOO_MANY, specs[i], NULL);
		return g->err.code;
	}
	if (axt_named_words(g, operand, NULL, &x))
		return g->err.code;
	if (edits) {
		if (axt_hold_one(g, x.file, &l) == 0)
			edit_all(g, &x, specs, nspecs, in_place, history, &l);
		return axt_let_go(g, x.file, &l, in_place && !g->err.code);
	}
	if (find(g, &x, specs, nspecs, &at) == 0)
		show_all(g, &at, specs, nspecs, values, out);
	return g->err.code;
}
