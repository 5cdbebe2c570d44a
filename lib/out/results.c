/*
 * results.c - what an output tells of each result: its name, its attributes, and the auxiliary
 * datasets that these still name.
 */
#include "cf/meaning.h"
#include "out/inner.h"

static bool
aux_stays(const struct axt_aux *a, const struct axt_axes *x)
{
	for (int i = 0; i < a->axes.n; i++) {
		int k = axt_axes_find(x, &a->axes.a[i]);

		if (a->own[i] ? k >= 0 : k < 0 || x->a[k].len != a->axes.a[i].len)
			return false;
	}
	return true;
}

static bool
has_word(const char *list, const char *w)
{
	size_t n = strlen(w);

	for (const char *p = list; p && *p; p += strspn(p, " ")) {
		size_t k = strcspn(p, " ");

		if (k >= n && k - n <= (p[k - 1] == ':') && strncmp(p, w, n) == 0)
			return true;
		p += k;
	}
	return false;
}

/* The dataset that a result is without a change of its values, or NULL. */
static const struct axt_dset *
unchanged(struct axt_graph *g, const struct axt_expr *e, struct axt_file **f)
{
	while (axt_is_relabel(e))
		e = e->arg[0];
	return e->kind == AXT_NODE_LEAF ? axt_leaf_dataset(g, e->u.leaf.st, f) : NULL;
}

/*
 * Whether a result is, unchanged, the coordinates of its only axis in its file. It is then written
 * as coordinates, and not once more beside them.
 */
static bool
is_coordinates(struct axt_graph *g, const struct axt_expr *e)
{
	struct axt_file *f;
	const struct axt_dset *d = e->axes.n == 1 ? unchanged(g, e, &f) : NULL;

	return d && d->role == AXT_ROLE_SCALE && d->rank == 1 && d->dims[0] == e->axes.a[0].len &&
	    strcmp(d->name, e->axes.a[0].name) == 0;
}

/*
 * Whether coordinates of an axis of the result have that name in the group of the result. `name`
 * may be a path where several groups are written; then the axis may lie in a group above, and the
 * writer finds out.
 */
static bool
is_taken(struct axt_graph *g, const struct axt_expr *e, const char *name)
{
	const char *last = axt_last_part(name);

	for (int i = 0; i < e->axes.n; i++) {
		const struct axt_axis *a = &e->axes.a[i];

		if (strcmp(a->name, last) == 0 && last == name &&
		    (e->axes.n == 1 || axt_axis_has_values(a)))
			return !is_coordinates(g, e);
	}
	return false;
}

/*
 * The path of a result in the output: its own name, or "tensor" if it has no name, or if
 * coordinates of one of its axes have this name.
 */
static const char *
result_name(struct axt_graph *g, const struct axt_expr *e)
{
	const char *name = e->meta->name;

	return name && *name && !is_taken(g, e, name) ? name : "tensor";
}

/*
 * Whether attribute number k of axt_naming, in the list l, names the dataset. A formula that also
 * names the result does not count: the result has taken the place of the dataset that the formula
 * means.
 */
static bool
names_by(struct axt_graph *g, const struct axt_expr *e, const struct axt_attr *l, int k,
    const char *name)
{
	const char *list = axt_attr_text(l, axt_naming[k]);

	return has_word(list, name) &&
	    !(k == AXT_NAMING_FORMULA && has_word(list, axt_last_part(result_name(g, e))));
}

static bool
names(struct axt_graph *g, const struct axt_expr *e, const struct axt_attr *l, const char *name)
{
	for (int k = 0; k < AXT_NNAMING_CF; k++)
		if (names_by(g, e, l, k, name))
			return true;
	return false;
}

/* Whether an attribute of the tensor or of one of its axes still names the dataset. */
static bool
is_named(struct axt_graph *g, const struct axt_expr *e, const char *name)
{
	bool yes = names(g, e, e->meta->attrs, name);

	for (int i = 0; i < e->axes.n && !yes; i++)
		yes = e->axes.a[i].coord && names(g, e, e->axes.a[i].coord->attrs, name);
	return yes;
}

/*
 * Whether the auxiliary dataset a is written with the tensor e: an attribute of e, or of a
 * coordinate that is written with it, names a, or a goes along without being named. If the result
 * has the name of a, it has taken its place, and a is left out.
 */
static bool
goes_along(struct axt_graph *g, const struct axt_expr *e, const struct axt_aux *a)
{
	bool yes = a->beside || axt_is_cf_id(a->attrs) || is_named(g, e, a->name);

	if (strcmp(a->name, axt_last_part(result_name(g, e))) == 0 || !aux_stays(a, &e->axes) ||
	    axt_aux_shadowed(e->meta->aux, a, &e->axes))
		return false;
	for (const struct axt_aux *x = e->meta->aux; x && !yes; x = x->next)
		yes = is_named(g, e, x->name) && names(g, e, x->attrs, a->name) &&
		    aux_stays(x, &e->axes);
	return yes;
}

static bool
in_output(const struct axt_expr *e, const struct axt_aux *aux, const char *w, size_t n)
{
	for (; aux; aux = aux->next)
		if (strlen(aux->name) == n && strncmp(aux->name, w, n) == 0)
			return true;
	for (int i = 0; i < e->axes.n; i++)
		if (e->axes.a[i].coord && strlen(e->axes.a[i].name) == n &&
		    strncmp(e->axes.a[i].name, w, n) == 0)
			return true;
	return false;
}

/*
 * Whether the dataset of the n bytes w is in another file, and still right for the result: the
 * attribute external_variables names it, as it does areas of cells, and the result has latitudes
 * and longitudes.
 */
static bool
is_external(const struct axt_expr *e, const char *w, size_t n)
{
	const char *list = axt_attr_text(e->meta->file_attrs, "external_variables");
	bool found[2] = { false, false };

	for (const char *p = list; p && *p; p += strspn(p, " ")) {
		size_t k = strcspn(p, " ");

		found[0] = found[0] || (k == n && strncmp(p, w, n) == 0);
		p += k;
	}
	for (int is = AXT_MEANS_LAT; found[0] && is <= AXT_MEANS_LON; is++) {
		found[1] = false;
		for (int i = 0; i < e->axes.n; i++)
			found[1] = found[1] ||
			    (e->axes.a[i].coord &&
				(int)axt_meaning_told(e->axes.a[i].coord->attrs) == is);
		for (const struct axt_aux *x = e->meta->aux; x; x = x->next)
			found[1] = found[1] ||
			    (x->axes.n > 0 && (int)axt_meaning_told(x->attrs) == is &&
				aux_stays(x, &e->axes));
		found[0] = found[1];
	}
	return found[0];
}

/*
 * Whether the result is an unchanged tensor of a file that has no dataset of the name w. The file
 * named one that may be in another file; a copy names it as well.
 */
static bool
lacked_already(struct axt_graph *g, const struct axt_expr *e, const char *w, size_t n)
{
	struct axt_file *f;
	const struct axt_dset *d = unchanged(g, e, &f);

	return d && !f->stream && !axt_beside(f, d, w, n);
}

/*
 * Those names in the text of an attribute whose datasets are in the output. In a list of "role:
 * name", both words of a pair are kept or removed.
 */
static char *
kept_names(struct axt_graph *g, const struct axt_expr *e, const struct axt_aux *aux,
    const struct axt_attr *attr)
{
	struct axt_buf b = { 0 };
	bool mapping = strcmp(attr->name, "grid_mapping") == 0 && strchr(attr->text, ':');
	bool mapped = true;
	const char *role = NULL;
	size_t role_len = 0;
	char *out;

	for (const char *p = attr->text + strspn(attr->text, " "); *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (p[n - 1] == ':' && mapping) {
			mapped = in_output(e, aux, p, n - 1);
			if (mapped)
				axt_buf_addf(&b, "%s%.*s", b.n ? " " : "", (int)n, p);
		} else if (!mapped) { /* coordinates of a mapping that is gone */
		} else if (p[n - 1] == ':') {
			role = p;
			role_len = n;
		} else if (in_output(e, aux, p, n) || is_external(e, p, n) ||
		    lacked_already(g, e, p, n)) {
			axt_buf_addf(&b, "%s%.*s%s%.*s", b.n ? " " : "", role ? (int)role_len : 0,
			    role ? role : "", role ? " " : "", (int)n, p);
			role = NULL;
		} else if (attr->typed) {
			const char *word = axt_strndup(g->m, p, n);

			axt_warn(g,
			    "attribute \"%s\": no \"%s\" goes with the result, so it is "
			    "not named; axt-attr names what a file has",
			    attr->name, word ? axt_escape(g->m, word) : "?");
		}
		p += n;
	}
	out = axt_buf_text(g->m, &b);
	if (!out)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return out;
}

/*
 * Removes the names of datasets that are not in the output. A formula stays as it is here, since
 * its terms may be tensors, which axt_out_known looks for; but it is removed as a whole if the
 * result has the name of a term.
 */
static const struct axt_attr *
filter_attrs(struct axt_graph *g, const struct axt_expr *e, const struct axt_aux *aux,
    const struct axt_attr *l)
{
	for (int k = 0; k < AXT_NNAMING_CF; k++) {
		const struct axt_attr *old = axt_attr_find(l, axt_naming[k]);
		struct axt_attr *a;

		/* what ancillary_variables names is a tensor, which may be in the output or not */
		if (!old || old->kind != AXT_ATTR_TEXT || k == AXT_NAMING_ANCILLARY)
			continue;
		a = axt_alloc(g->m, sizeof(*a));
		if (!a)
			return l;
		*a = (struct axt_attr){ .name = axt_naming[k],
			.kind = AXT_ATTR_TEXT,
			.text = kept_names(g, e, aux, old) };
		if (!a->text || !*a->text ||
		    (k == AXT_NAMING_FORMULA &&
			has_word(old->text, axt_last_part(result_name(g, e)))))
			l = axt_attr_drop(g->m, l, axt_naming[k]);
		else if (k != AXT_NAMING_FORMULA)
			l = axt_attr_set(g->m, l, a);
	}
	return l;
}

static int
filter_aux(struct axt_graph *g, const struct axt_expr *e, const struct axt_aux **out)
{
	struct axt_aux *head = NULL, **tail = &head;

	for (const struct axt_aux *a = e->meta->aux; a; a = a->next) {
		struct axt_aux *c;

		if (!goes_along(g, e, a))
			continue;
		c = axt_aux_add(g->m, a, &tail);
		if (!c)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		/* axes that the tensor has take its coordinates */
		for (int i = 0; i < c->axes.n; i++) {
			int k = axt_axes_find(&e->axes, &c->axes.a[i]);
			const char *label = c->axes.a[i].label;

			if (k >= 0)
				c->axes.a[i] = e->axes.a[k];
			c->axes.a[i].label = label;
		}
	}
	for (struct axt_aux *c = head; c; c = c->next)
		c->attrs = filter_attrs(g, e, head, c->attrs);
	*out = head;
	return 0;
}

/* Adds the attribute _FillValue: the number of --fill, or NaN if values may be missing. */
static const struct axt_attr *
with_fill(struct axt_graph *g, const struct axt_expr *e, const struct axt_attr *l)
{
	struct axt_attr *a, missing;
	uint8_t *v;

	if (e->meta->fill) {
		missing = *e->meta->fill;
		missing.name = "missing_value";
		if (axt_attr_find(l, missing.name))
			l = axt_attr_set(g->m, l, &missing);
		return axt_attr_set(g->m, l, e->meta->fill);
	}

	if (!e->meta->missing || axt_dtypes[e->dtype].cls != AXT_CLASS_FLOAT)
		return l;
	a = axt_alloc(g->m, sizeof(*a));
	v = axt_alloc(g->m, 16);
	if (!a || !v)
		return l;
	axt_num_store(&(struct axt_num){ .f = __builtin_nan("") }, e->dtype, v);
	*a = (struct axt_attr){ .name = "_FillValue",
		.kind = AXT_ATTR_NUM,
		.dtype = e->dtype,
		.n = 1,
		.data = v };
	return axt_attr_set(g->m, l, a);
}

static int
out_var(struct axt_graph *g, const struct axt_expr *e, struct axt_out_var *v)
{
	*v = (struct axt_out_var){ .name = result_name(g, e),
		.dtype = e->dtype,
		.axes = e->axes,
		.beside = e->meta->aux };
	if (filter_aux(g, e, &v->aux))
		return g->err.code;
	v->attrs = with_fill(g, e, filter_attrs(g, e, v->aux, e->meta->attrs));
	for (int i = 0; i < v->axes.n; i++) {
		const struct axt_coord *c = v->axes.a[i].coord;
		struct axt_coord *n;

		if (!c || !(n = axt_alloc(g->m, sizeof(*n))))
			continue;
		*n = *c;
		n->attrs = filter_attrs(g, e, v->aux, c->attrs);
		v->axes.a[i].coord = n;
	}
	return 0;
}

int
axt_out_vars(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_out_var **v)
{
	*v = axt_alloc(g->m, (size_t)n * sizeof(**v));
	if (!*v)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++)
		if (axt_refused(g, e[i]) || out_var(g, e[i], &(*v)[i]))
			return g->err.code;
	return 0;
}

/* ---- names of other results ---- */

/* Whether the first n bytes at w are the last part of the path. */
static bool
ends_path(const char *path, const char *w, size_t n)
{
	const char *last = path ? axt_last_part(path) : "";

	return strlen(last) == n && strncmp(last, w, n) == 0;
}

/* Whether a dataset of the lists, auxiliary ones and coordinates, has the name of n bytes at w. */
static bool
goes_beside(const struct axt_aux *aux, const struct axt_axes *axes, const char *w, size_t n)
{
	for (; aux; aux = aux->next)
		if (ends_path(aux->name, w, n))
			return true;
	for (int i = 0; axes && i < axes->n; i++)
		if (axes->a[i].coord && ends_path(axes->a[i].name, w, n))
			return true;
	return false;
}

/* What is written to one output: results, and what else their file has. */
struct written {
	struct axt_graph *g;
	const struct axt_out_var *v;
	int n;
	const struct axt_out_known *in;
	struct axt_file *f; /* in->file, once it was opened ... */
	bool unknown;       /* ... unless it cannot be read, and may have anything */
};

/* Whether the file that results are added to has it, in the group of the first or one above. */
static bool
was_there(struct written *all, const char *w, size_t n)
{
	struct axt_dset at = { .path = all->in->path };
	struct axt_err ignore = { 0 };

	if (!all->in->file || all->unknown)
		return all->unknown;
	if (!all->f && axt_file_open(all->g->m, all->in->file, all->g->memory, &all->f, &ignore)) {
		all->f = NULL;
		all->unknown = true;
		return true;
	}
	return axt_beside(all->f, &at, w, n) != NULL;
}

static bool
is_written(struct written *all, const char *w, size_t n)
{
	for (const char *slash; (slash = memchr(w, '/', n)); w = slash + 1)
		n -= (size_t)(slash + 1 - w);
	for (int i = 0; i < all->n; i++)
		if (ends_path(all->v[i].name, w, n) ||
		    goes_beside(all->v[i].aux, &all->v[i].axes, w, n))
			return true;
	for (const struct axt_out_rest *x = all->in->rest; x; x = x->next)
		if ((x->link && ends_path(x->link, w, n)) || goes_beside(x->aux, x->axes, w, n))
			return true;
	return was_there(all, w, n);
}

/* The words of a list, with their roles, that the output of result e has. NULL: out of memory. */
static char *
written_names(struct written *all, const struct axt_expr *e, const char *list)
{
	struct axt_buf b = { 0 };
	const char *role = NULL;

	for (const char *p = list + strspn(list, " "), *end; *p; p = end + strspn(end, " ")) {
		size_t n = strcspn(p, " ");

		end = p + n;
		if (end[-1] == ':') {
			role = p;
			continue;
		}
		if (is_written(all, p, n) || lacked_already(all->g, e, p, n))
			axt_buf_addf(&b, "%s%.*s", b.n ? " " : "", (int)(end - (role ? role : p)),
			    role ? role : p);
		role = NULL;
	}
	return axt_buf_text(all->g->m, &b);
}

/* The list of attributes without names of results that this output does not have. */
static const struct axt_attr *
written_attrs(struct written *all, const struct axt_expr *e, const struct axt_attr *l)
{
	static const int by[] = { AXT_NAMING_ANCILLARY, AXT_NAMING_FORMULA };

	for (int k = 0; k < ARRAY_LEN(by); k++) {
		const struct axt_attr *old = axt_attr_find(l, axt_naming[by[k]]);
		struct axt_attr *a;
		char *text;

		/* who typed it may write what it names afterwards */
		if (!old || old->kind != AXT_ATTR_TEXT || old->typed)
			continue;
		a = axt_alloc(all->g->m, sizeof(*a));
		text = written_names(all, e, old->text);
		if (!a || !text) {
			axt_fail(&all->g->err, AXT_E_MEM, "out of memory");
			return l;
		}
		*a = (struct axt_attr){ .name = old->name, .kind = AXT_ATTR_TEXT, .text = text };
		if (!*text)
			l = axt_attr_drop(all->g->m, l, old->name);
		else if (strlen(text) < strlen(old->text))
			l = axt_attr_set(all->g->m, l, a);
	}
	return l;
}

int
axt_out_known(struct axt_graph *g, struct axt_out_var *v, struct axt_expr *const e[], int n,
    const struct axt_out_known *in)
{
	struct written all = { .g = g, .v = v, .n = n, .in = in };

	for (int i = 0; i < n; i++) {
		v[i].attrs = written_attrs(&all, e[i], v[i].attrs);
		/* out_var made these copies */
		for (struct axt_aux *x = (struct axt_aux *)v[i].aux; x; x = x->next)
			x->attrs = written_attrs(&all, e[i], x->attrs);
		for (int k = 0; k < v[i].axes.n; k++) {
			const struct axt_coord *c = v[i].axes.a[k].coord;
			struct axt_coord *own = c ? axt_alloc(g->m, sizeof(*own)) : NULL;

			if (!own)
				continue;
			*own = *c;
			own->attrs = written_attrs(&all, e[i], c->attrs);
			v[i].axes.a[k].coord = own;
		}
	}
	axt_file_close(all.f);
	return g->err.code;
}
