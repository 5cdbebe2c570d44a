/*
 * target.c - the target of an assignment, TARGET[AXIS=SPEC,...]: finds the tensor, and the selected
 * positions along each dimension of its storage.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "graph/target.h"

/* Finds the '[' that begins the slice at the end of the word; NULL: the word has no slice. */
static char *
bracket(char *s)
{
	size_t n = strlen(s);
	char *open = NULL;

	if (n < 2 || s[n - 1] != ']' || s[n - 2] == '\\')
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\\' && s[i + 1])
			i++;
		else if (s[i] == '[')
			open = &s[i];
	}
	return open;
}

/*
 * Splits "OPERAND[SPECS]". *specs is "" if there is no slice. A word that names an existing file is
 * not split, even if it ends with a bracket.
 */
static int
split(struct axt_graph *g, const char *word, char **operand, char **specs)
{
	struct stat st;
	char *open;

	*operand = axt_strdup(g->m, word);
	*specs = axt_strdup(g->m, "");
	if (!*operand || !*specs)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	open = stat(word, &st) == 0 ? NULL : bracket(*operand);
	if (!open)
		return 0;
	*open = 0;
	*specs = open + 1;
	(*specs)[strlen(*specs) - 1] = 0;
	return 0;
}

/* Finds '=' or '@' before the next comma; NULL: there is none. */
static char *
assigner(char *s)
{
	for (; *s && *s != ','; s++) {
		if (*s == '=' || *s == '@')
			return s;
		if (*s == '\\' && s[1])
			s++;
	}
	return NULL;
}

/*
 * Finds the end of the spec that begins at s: a comma with another AXIS=SPEC or AXIS@SPEC behind
 * it, or the end of the text.
 */
static char *
end_of(char *s)
{
	for (; *s; s++) {
		if (*s == ',' && assigner(s + 1))
			return s;
		if (*s == '\\' && s[1])
			s++;
	}
	return s;
}

/* ---- positions ---- */

static int
by_value(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* Fails if the selection has a position twice, which cannot take two values. */
static int
check_distinct(struct axt_graph *g, const struct axt_axis *a, const struct axt_selection *s)
{
	int64_t *all, n = 0, twice = -1;

	if (s->nspans == 1 && (s->len < 2 || s->span[0].step != 0))
		return 0;
	all = malloc((size_t)s->len * sizeof(*all) + 1);
	if (!all)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < s->nspans; i++)
		for (int64_t k = 0; k < s->span[i].len; k++)
			all[n++] = s->span[i].start + k * s->span[i].step;
	qsort(all, (size_t)n, sizeof(*all), by_value);
	for (int64_t i = 1; i < n; i++)
		twice = all[i] == all[i - 1] ? all[i] : twice;
	free(all);
	if (twice < 0)
		return 0;
	return axt_fail(&g->err, AXT_E_ARG, "position %lld along \"%s\" is assigned to twice",
	    (long long)twice, axt_escape(g->m, axt_axis_spell(g->m, a)));
}

static int
select_axis(struct axt_graph *g, struct axt_target *t, char *name, char *spec, bool by_value,
    bool seen[])
{
	struct axt_selection s = { 0 };
	struct axt_axes x;
	struct axt_axis *a;
	int k;

	if (axt_axes_parse(g->m, name, false, &x, NULL, &g->err))
		return g->err.code;
	k = x.n == 1 ? axt_axes_find(&t->d->axes, &x.a[0]) : -1;
	if (k < 0 && x.n == 1)
		return axt_axes_unknown_in(g->m, &t->d->axes, &x.a[0], t->from, &g->err);
	if (k < 0)
		return axt_not_one_axis(g, name);
	if (seen[k]) {
		axt_fail(&g->err, AXT_E_SYNTAX, "axis \"%s\" is sliced twice",
		    axt_escape(g->m, name));
		return axt_about(&g->err, AXT_AXIS_TWICE, name, t->from);
	}
	seen[k] = true;
	a = &t->axes.a[k];
	/* positions are selected without coordinates, of which hints would be wrong for a target */
	if (axt_select(g->m,
		by_value ? a
			 : &(struct axt_axis){ .name = a->name, .level = a->level, .len = a->len },
		spec, by_value, false, t->from, &s, &g->err) ||
	    check_distinct(g, a, &s))
		return g->err.code;
	if (axt_coord_take(g->m, a->coord, s.span, s.nspans, &a->coord))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	t->dim[k] = (struct axt_slice_dim){ s.nspans, s.span, s.len };
	t->drop[k] = s.drop;
	a->len = s.len;
	t->whole = false;
	return 0;
}

static int
select_all(struct axt_graph *g, struct axt_target *t, char *specs)
{
	bool seen[AXT_MAX_RANK] = { false };

	for (char *s = specs, *end; *s; s = end) {
		char *eq = assigner(s);
		bool by_value = eq && *eq == '@';

		end = end_of(s);
		if (!eq || eq == s) {
			axt_fail(&g->err, AXT_E_SYNTAX, "a slice is AXIS=SPEC,..., not \"%s\"",
			    axt_escape(g->m, specs));
			return axt_about(&g->err, AXT_BAD_WORD, specs, "AXIS=SPEC,...");
		}
		if (*end)
			*end++ = 0;
		*eq = 0;
		if (select_axis(g, t, s, eq + 1, by_value, seen))
			return g->err.code;
	}
	return 0;
}

/* ---- which tensors can be assigned to ---- */

static int
no_l_tensor(struct axt_graph *g, const char *name, const char *why)
{
	return axt_fail(&g->err, AXT_E_ARG, "%s is %s: it gives values and takes none",
	    axt_escape(g->m, name), why);
}

static int
check(struct axt_graph *g, struct axt_target *t)
{
	const struct axt_tensor_kind *k = axt_kind_of(t->d->attrs);

	if (t->d->role == AXT_ROLE_TEXT) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s holds text, not numbers", t->from);
		return axt_about(&g->err, AXT_IS_TEXT, t->from, t->from);
	}
	if (t->d->role == AXT_ROLE_DIM) {
		axt_fail(&g->err, AXT_E_DTYPE, "%s is a dimension without coordinates", t->from);
		return axt_about(&g->err, AXT_UNLABELLED, axt_last_part(t->d->path), t->f->path);
	}
	if (t->d->table)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s is a member of a table: those are only read", t->from);
	if (t->d->st.inner > 0)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s has arrays as elements: those are only read", t->from);
	if (t->d->st.number)
		return axt_fail(&g->err, AXT_E_ARG,
		    "%s is stored in a type that no dtype is: those are only read", t->from);
	if (k && k->constant)
		return axt_fail(&g->err, AXT_E_ARG, "%s is a constant: it is not assigned to",
		    t->from);
	if (k && k->input) {
		axt_fail(&g->err, AXT_E_ARG,
		    "%s is a placeholder: what is assigned to it would not be used", t->from);
		axt_hint(&g->err,
		    "axt-bind NAME=OPERAND gives it a value; "
		    "axt-kind none %s makes it a tensor like others",
		    axt_typed(g->m, "%s", t->from));
		return g->err.code;
	}
	if (t->d->dup_axes) {
		axt_fail(&g->err, AXT_E_AXES, "%s has an axis twice: %s", t->from,
		    axt_axes_text(g->m, &t->d->axes));
		return axt_about(&g->err, AXT_AXIS_TWICE, NULL, t->from);
	}
	return 0;
}

const char *
axt_target_file(struct axt_graph *g, const char *word)
{
	struct axt_err none = { 0 };
	const char *file, *name;
	char *operand, *specs;
	struct stat st;

	if (axt_is_number(word) || split(g, word, &operand, &specs) ||
	    axt_operand_split(g->m, operand, &file, &name, &none) || strcmp(file, "-") == 0)
		return NULL;
	if (stat(file, &st) == 0)
		return S_ISREG(st.st_mode) ? file : NULL;
	if (!axt_is_absent(errno))
		axt_fail(&g->err, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s",
		    axt_escape(g->m, file), strerror(errno));
	return NULL;
}

/* ---- assigning through a saved view ---- */

/*
 * What is selected along an axis of some node below a saved view, and which axis of the view that
 * is.
 */
struct seen {
	const struct axt_sel *sel;
	int user; /* -1 if the user does not see the axis, since the view has one position of it */
};

static int
not_one_tensor(struct axt_graph *g, const struct axt_target *t)
{
	return no_l_tensor(g, t->from,
	    axt_attr_find(t->d->attrs, "axt_plan")
		? "a saved expression, and no view of one tensor"
		: "a virtual dataset, and no view of one tensor");
}

/*
 * Replaces x, the selections along the axes of the view e, by selections along the axes of its
 * argument. Returns false if the view shows elements more than once.
 */
static bool
through_view(struct axt_graph *g, const struct axt_expr *e, struct seen *x)
{
	const struct axt_axes *of = &e->arg[0]->axes;
	struct seen y[AXT_MAX_RANK];
	bool used[AXT_MAX_RANK] = { false };

	for (int k = 0; k < of->n; k++) {
		int64_t from = e->u.view.from ? e->u.view.from[k] : 0;
		struct axt_span one = { from, 1, 1 }, all = { 0, 1, of->a[k].len };
		struct axt_sel *in = axt_alloc(g->m, sizeof(*in)), *s = axt_alloc(g->m, sizeof(*s));
		int i = -1;

		for (int j = 0; j < e->axes.n; j++)
			if (e->u.view.src[j] == k && (i >= 0 || used[j]))
				return false;
			else if (e->u.view.src[j] == k)
				used[i = j] = true;
		if (!in || !s || !axt_sel_spans(g->m, in, i < 0 ? &one : &all, 1))
			return false;
		y[k] = (struct seen){ in, -1 };
		if (i < 0)
			continue;
		y[k].user = x[i].user;
		y[k].sel = s;
		if (!axt_sel_compose(g->m, s,
			e->u.view.sel && e->u.view.sel[i] ? e->u.view.sel[i] : in, x[i].sel, 0))
			return false;
		for (int n = 0; n < s->n; n++)
			s->span[n].start += from;
	}
	for (int j = 0; j < e->axes.n; j++) /* an axis without a source repeats its elements */
		if (!used[j] && e->axes.a[j].len > 1)
			return false;
	memcpy(x, y, (size_t)of->n * sizeof(*x));
	return true;
}

/*
 * The leaf that e is, or the leaf of the dataset that e unpacks; NULL: e computes something else.
 */
static const struct axt_expr *
stored(const struct axt_expr *e)
{
	while (e->kind == AXT_NODE_CONV ||
	    (e->kind == AXT_NODE_MAP &&
		(e->u.op == AXT_OP_UNPACK || e->u.op == AXT_OP_MASK || e->u.op == AXT_OP_VALID)))
		e = e->arg[0];
	return e->kind == AXT_NODE_LEAF ? e : NULL;
}

/* Makes the dataset that a saved view shows the target, and translates the selection to it. */
static int
look_through(struct axt_graph *g, struct axt_target *t, const struct axt_expr *e)
{
	const struct axt_axes user = t->axes;
	bool drop[AXT_MAX_RANK];
	struct seen x[AXT_MAX_RANK];
	const struct axt_expr *leaf;
	const struct axt_dset *d;

	for (int i = 0; i < user.n; i++) {
		struct axt_sel *s = axt_alloc(g->m, sizeof(*s));

		if (!s || !axt_sel_spans(g->m, s, t->dim[i].span, t->dim[i].nspans))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		x[i] = (struct seen){ s, i };
	}
	if (e->kind == AXT_NODE_LEAF && e->u.leaf.plan && *e->u.leaf.plan)
		e = *e->u.leaf.plan;
	for (; e->kind == AXT_NODE_VIEW; e = e->arg[0])
		if (!through_view(g, e, x))
			return not_one_tensor(g, t);
	leaf = stored(e);
	memcpy(drop, t->drop, sizeof(drop));
	d = leaf ? axt_leaf_dataset(g, leaf->u.leaf.st, &t->f) : NULL;
	if (!d || d->reversed || d->rank != leaf->axes.n)
		return not_one_tensor(g, t);
	for (int k = 0; k < d->rank; k++)
		if (d->st.dims[k] != leaf->axes.a[k].len)
			return not_one_tensor(g, t);
	t->d = (struct axt_dset *)d;
	t->from = t->d->st.from;
	t->axes = t->d->axes;
	t->whole = false;
	for (int k = 0; k < leaf->axes.n; k++) {
		struct axt_selection s = { .span = x[k].sel->span,
			.nspans = x[k].sel->n,
			.len = x[k].sel->len };

		if (x[k].user >= 0)
			t->axes.a[k] = user.a[x[k].user];
		t->axes.a[k].len = s.len;
		t->drop[k] = x[k].user < 0 || drop[x[k].user];
		t->dim[k] = (struct axt_slice_dim){ s.nspans, s.span, s.len };
		if (check_distinct(g, &t->axes.a[k], &s))
			return g->err.code;
	}
	return check(g, t);
}

int
axt_target_open(struct axt_graph *g, const char *word, const char *dataset, struct axt_target *t)
{
	const struct axt_open_opts o = { .dataset = dataset, .raw = true };
	char *operand, *specs;
	struct axt_named x;
	struct axt_expr *e;

	*t = (struct axt_target){ .whole = true };
	if (axt_is_number(word))
		return no_l_tensor(g, word, "a number");
	if (split(g, word, &operand, &specs))
		return g->err.code;
	if (strcmp(operand, "-") == 0 || strncmp(operand, "-:", 2) == 0)
		return no_l_tensor(g, operand, "a stream");
	if (axt_named_words(g, operand, dataset, &x) || axt_named_file(g, &x))
		return g->err.code;
	if (x.f->stream || x.outside)
		return no_l_tensor(g, operand, x.outside ? "in another file" : "a stream");
	if (axt_named_values(g, &x))
		return g->err.code;
	if (!x.d)
		return no_l_tensor(g, operand, "computed from the dates");
	t->f = x.f;
	t->d = x.d;
	t->from = t->d->st.from;
	if (check(g, t))
		return g->err.code;
	t->axes = t->d->axes;
	for (int i = 0; i < t->axes.n; i++) {
		t->all[i] = (struct axt_span){ .step = 1, .len = t->axes.a[i].len };
		t->dim[i] = (struct axt_slice_dim){ 1, &t->all[i], t->all[i].len };
		t->whole = t->whole && t->all[i].len == t->d->st.dims[i];
	}
	if (select_all(g, t, specs))
		return g->err.code;
	if (!axt_attr_find(t->d->attrs, "axt_plan") && !t->d->virt)
		return 0;
	e = axt_named_tensor(g, &x, &o);
	return axt_bad(e) ? (int)g->err.code : look_through(g, t, e);
}
