/* split.c - axt-split: tensors as files, one for each index of an axis. */
#include "graph/graph.h"

#include <stdlib.h>
#include <sys/stat.h>

/* One of the tensors that are split. */
struct input {
	struct axt_expr *a;
	int axis; /* -1: it lacks the axis, and goes to each file as it is */
	bool apart;
	/* all values, with the split axis first, if they are computed at once */
	struct axt_waiting values;
};
struct split {
	struct axt_graph *g;
	struct input *in;
	int n, digits;
	struct axt_axis x; /* the axis as the first tensor that has it */
	const char *from;  /* where that tensor is from */
	int64_t len;
	/* with a field: of each part what takes the place of {}, and the spans of the axis */
	const char **field;
	bool together; /* parts are datasets of one file, which has one coordinate of a name */
	struct part {
		struct axt_span *span;
		int nspans;
		int64_t n;
	} * part;
	const char **name;            /* [len]: the names of the files, as the pattern gives them */
	struct axt_save_place *place; /* [len]: file and dataset of each name */
	struct axt_expr **part_in;    /* [n]: of the file that is written */
	const struct axt_expr **whole; /* [n]: the tensors as they were opened */
};

static int
no_name(const struct split *s, const char *label, const char *why)
{
	struct axt_graph *g = s->g;

	axt_fail(&g->err, AXT_E_ARG, "the coordinate \"%s\" of axis \"%s\" %s",
	    axt_escape(g->m, label), axt_escape(g->m, s->x.name), why);
	axt_hint(&g->err, "{} instead of {@} is the index");
	return g->err.code;
}

/* The coordinate of index i as text. It is an error if it cannot be part of a file's name. */
static const char *
label_of(const struct split *s, int64_t i)
{
	const struct axt_axis *x = &s->x;
	const char *label = NULL;
	struct axt_buf t = { 0 };

	if (!axt_coord_text(&t, x->coord, i))
		axt_fail(&s->g->err, AXT_E_COORD, "axis \"%s\" of %s has no coordinates for {@}",
		    axt_escape(s->g->m, x->name), s->from);
	else if (t.bad || !(label = axt_strdup(s->g->m, t.n ? t.p : "")))
		axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	else if (!t.n || strchr(t.p, '/'))
		no_name(s, label, "is no part of a file's name");
	axt_buf_release(&t);
	return s->g->err.code ? NULL : label;
}

/* The first n bytes of the pattern, with {} and {@} replaced. */
static char *
expand(const struct split *s, const char *pattern, size_t n, int64_t i, const char *label)
{
	struct axt_buf b = { 0 };
	char *out;

	for (const char *p = pattern; p < pattern + n; p++)
		if (strncmp(p, "{}", 2) == 0) {
			if (s->field)
				axt_buf_adds(&b, s->field[i]);
			else
				axt_buf_addf(&b, "%0*lld", s->digits, (long long)i);
			p++;
		} else if (strncmp(p, "{@}", 3) == 0) {
			axt_buf_adds(&b, label);
			p += 2;
		} else {
			axt_buf_add(&b, p, 1);
		}
	out = axt_buf_text(s->g->m, &b);
	if (!out)
		axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	return out;
}

/*
 * Finds the colon of the pattern that the name of the dataset follows, and sets *cut to its place;
 * to the length of the pattern if there is none. Colons in coordinates that are put in for {@} do
 * not count, so that a coordinate cannot lead to another file.
 */
static int
find_cut(struct split *s, const char *pattern, size_t *cut)
{
	const char *plain = expand(s, pattern, strlen(pattern), 0, "0"), *file, *dset, *part;

	*cut = strlen(pattern);
	if (!plain || axt_target_split(s->g->m, plain, &file, &dset, &s->g->err))
		return s->g->err.code;
	for (size_t n = 0; dset && n < strlen(pattern); n++) {
		if (pattern[n] != ':')
			continue;
		part = expand(s, pattern, n, 0, "0");
		if (!part)
			return s->g->err.code;
		if (strcmp(part, file) == 0)
			*cut = n;
	}
	return 0;
}

/* Whether the last component of the path is "." or "..". */
static bool
is_dots(const char *file)
{
	const char *last = strrchr(file, '/');

	last = last ? last + 1 : file;
	return strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || strcmp(file, "-") == 0;
}

/* Makes the name of file i from the pattern: {} is replaced by the index, {@} by the coordinate. */
static int
name_file(struct split *s, const char *pattern, size_t cut, int64_t i)
{
	bool labelled = strstr(pattern, "{@}") != NULL;
	const char *file, *dset, *label = !labelled ? "" : s->field ? s->field[i] : label_of(s, i);

	if (!label)
		return s->g->err.code;
	s->name[i] = expand(s, pattern, strlen(pattern), i, label);
	s->place[i].file = expand(s, pattern, cut, i, label);
	s->place[i].dataset = pattern[cut]
	    ? expand(s, pattern + cut + 1, strlen(pattern + cut + 1), i, label)
	    : NULL;
	if (s->g->err.code || !labelled)
		return s->g->err.code;
	if (axt_target_split(s->g->m, s->name[i], &file, &dset, &s->g->err))
		return s->g->err.code;
	if (strcmp(file, s->place[i].file) != 0)
		return no_name(s, label, "would name a dataset of another file");
	return is_dots(s->place[i].file) ? no_name(s, label, "is no part of a file's name") : 0;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fails if two indices have the same file. */
static int
check_names(struct split *s)
{
	const char **sorted = axt_alloc(s->g->m, ((size_t)s->len + 1) * sizeof(*sorted));

	if (!sorted)
		return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	memcpy(sorted, s->name, (size_t)s->len * sizeof(*sorted));
	qsort(sorted, (size_t)s->len, sizeof(*sorted), by_text);
	for (int64_t i = 1; i < s->len; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			return axt_fail(&s->g->err, AXT_E_ARG,
			    "two indices of axis \"%s\" of %s have the file \"%s\"",
			    axt_escape(s->g->m, s->x.name), s->from,
			    axt_escape(s->g->m, sorted[i]));
	return 0;
}

/* Finds errors that would otherwise show only after some files were written. */
static int
check_file(struct split *s, const struct axt_save_place *to, bool no_clobber)
{
	const char *file = to->file;
	struct stat st;

	for (struct axt_open_file *f = s->g->files; f; f = f->next)
		if (axt_same_file(f->f, file, &s->g->err) || s->g->err.code) {
			axt_fail(&s->g->err, AXT_E_ARG, "%s is also an operand",
			    axt_escape(s->g->m, file));
			return axt_about(&s->g->err, AXT_INPUT_TOO, file, NULL);
		}
	if (!no_clobber || to->dataset || stat(file, &st) != 0)
		return 0;
	axt_fail(&s->g->err, AXT_E_EXISTS, "%s exists", axt_escape(s->g->m, file));
	return axt_about(&s->g->err, AXT_EXISTS, file, NULL);
}

static int
name_files(struct split *s, const char *pattern, bool no_clobber)
{
	size_t cut;

	for (int64_t n = s->len - 1; n >= 10; n /= 10)
		s->digits++;
	if (find_cut(s, pattern, &cut))
		return s->g->err.code;
	for (int64_t i = 0; i < s->len; i++)
		if (name_file(s, pattern, cut, i) || check_file(s, &s->place[i], no_clobber))
			return s->g->err.code;
	s->together = s->len > 1 && strcmp(s->place[0].file, s->place[1].file) == 0;
	return check_names(s);
}

/* ---- values ---- */

/*
 * Whether reading the parts of a leaf one by one costs no more than reading it at once: each part
 * is contiguous, or has chunks of its own.
 */
static bool
lies_apart(const struct axt_expr *e, int axis)
{
	const struct axt_storage *st = e->u.leaf.st;
	const struct axt_view *v = &e->u.leaf.view;
	int64_t step = axis >= 0 ? llabs(v->stride[axis]) : 0, n = 1;

	if (e->u.leaf.plan && *e->u.leaf.plan)
		return false;
	if (axis < 0)
		return st->layout != AXT_LAYOUT_CHUNKED;
	for (int i = 0; i < e->axes.n; i++)
		if (i != axis && e->axes.a[i].len > 1 && llabs(v->stride[i]) > step)
			return false;
	if (st->layout != AXT_LAYOUT_CHUNKED)
		return true;
	for (int d = st->rank - 1; d >= 0; n *= st->dims[d--])
		if (n == step && st->dims[d] > 1)
			return st->chunk[d] == 1;
	return false;
}

/*
 * Whether computing the parts of a node one by one, from given arguments, costs no more than
 * computing it at once. Sets axis_of for each argument to its axis that is split; -1: none.
 */
static bool
parts_apart(const struct axt_nodes *o, struct axt_expr *e, int axis, int *axis_of)
{
	switch (e->kind) {
	case AXT_NODE_LEAF: return lies_apart(e, axis);
	case AXT_NODE_CONST:
	case AXT_NODE_GEN: return true;
	case AXT_NODE_VIEW:
		/* two axes of a window read the same elements repeatedly */
		for (int i = 0; i < e->axes.n; i++)
			if (axis >= 0 && i != axis && e->u.view.src[i] == e->u.view.src[axis] &&
			    e->u.view.src[i] >= 0)
				return false;
		axis_of[axt_nodes_at(o, e->arg[0])] = axis < 0 ? -1 : e->u.view.src[axis];
		return true;
	case AXT_NODE_MAP:
	case AXT_NODE_CONV:
		for (int k = 0; k < e->nargs; k++)
			axis_of[axt_nodes_at(o, e->arg[k])] = axis < 0
			    ? -1
			    : axt_axes_find(&e->arg[k]->axes, &e->axes.a[axis]);
		return true;
	default: return false;
	}
}

static bool
is_apart(struct axt_expr *e, int axis)
{
	struct axt_nodes o;
	int *axis_of;

	if (axt_nodes(e->g, &e, 1, false, &o) ||
	    !(axis_of = axt_alloc(e->g->m, (size_t)o.n * sizeof(*axis_of))))
		return false;
	axis_of[axt_nodes_at(&o, e)] = axis;
	for (int i = o.n - 1; i >= 0; i--) /* a node before its arguments */
		if (!parts_apart(&o, o.e[i], axis_of[i], axis_of))
			return false;
	return true;
}

/* The tensor with the split axis moved to the front. */
static struct axt_expr *
axis_first(struct axt_graph *g, const struct input *in)
{
	struct axt_axes x = in->a->axes;
	int src[AXT_MAX_RANK];

	for (int i = 0; i < x.n; i++) {
		src[i] = in->axis < 0 ? i : i == 0 ? in->axis : i <= in->axis ? i - 1 : i;
		x.a[i] = in->a->axes.a[src[i]];
	}
	return axt_relabel(g, in->a, &x, src);
}

/* Computes all values at once into memory or a temporary file; in->a is then a leaf over it. */
static int
compute(struct axt_graph *g, struct input *in)
{
	struct axt_expr *e = axis_first(g, in), *held;
	struct axt_wait_sink k;
	struct axt_sink *sink = &k.sink;
	struct axt_plan *p;
	bool moved = true;
	int src[AXT_MAX_RANK];

	if (axt_bad(e))
		return g->err.code;
	/*
	 * Tries this plan before plans are taken from pipes: with a taken plan it can need more
	 * memory than with the bytes of the pipe.
	 */
	if (axt_draft_plan(g, &e, 1, false, &p) == AXT_E_LIMIT) {
		g->err = (struct axt_err){ 0 };
		p = NULL;
		e = in->a;
		moved = false;
	}
	if (g->err.code)
		return g->err.code;
	if (axt_wait_sink_open(g, &k, e, &in->values) || axt_run_draft(g, &e, 1, &sink, p) ||
	    axt_files_check(g) || axt_wait_map(&in->values, &g->err))
		return g->err.code;
	held = axt_wait_leaf(g, e, in->a, &in->values);
	if (axt_bad(held))
		return g->err.code;
	for (int i = 0; i < held->axes.n; i++) /* in the order they had */
		src[i] = !moved || i > in->axis ? i : i == in->axis ? 0 : i + 1;
	in->a = axt_relabel(g, held, &in->a->axes, src);
	return g->err.code;
}

/* Part i of a split by a field: the elements whose dates have its value. */
static struct axt_expr *
part_of(struct split *s, const struct input *in, int64_t i)
{
	const struct part *p = &s->part[i];
	struct axt_axis as = in->a->axes.a[in->axis];

	as.len = p->n;
	if (axt_coord_take(s->g->m, as.coord, p->span, p->nspans, &as.coord))
		return axt_graph_fail(s->g, AXT_E_MEM, "out of memory");
	return axt_view_axis(s->g, in->a, in->axis, p->span, p->nspans, &as);
}

/* A part without the coordinate of its index, which the name of its dataset tells. */
static struct axt_expr *
without_label(struct split *s, struct axt_expr *e)
{
	struct axt_meta *m = axt_dress(s->g, &e, NULL);

	if (!m || axt_aux_leave(s->g->m, s->x.name, &m->aux, &m->attrs, &s->g->err))
		return axt_node_failed(s->g);
	return e;
}

/* Saves the parts at index i of all tensors to its file. */
static int
save_part(struct split *s, int64_t i, const struct axt_save_opts *o)
{
	struct axt_span at = { i, 1, 1 };

	for (int k = 0; k < s->n; k++) {
		const struct input *in = &s->in[k];

		s->part_in[k] = in->axis < 0 ? in->a
		    : s->field               ? part_of(s, in, i)
					     : axt_view_axis(s->g, in->a, in->axis, &at, 1, NULL);
		if (s->together && in->axis >= 0)
			s->part_in[k] = without_label(s, s->part_in[k]);
	}
	s->place[i].whole = s->whole;
	return axt_save_in(s->g, s->part_in, s->n, o, &s->place[i]);
}

/* Computes those tensors at once whose parts would cost more. Returns the share of the work. */
static double
compute_all(struct split *s)
{
	struct axt_graph *g = s->g;
	struct axt_stretch all = g->told;
	int apart = 0;

	for (int k = 0; k < s->n; k++)
		apart += s->in[k].apart = is_apart(s->in[k].a, s->in[k].axis);
	/* several runs will read the pipes, so their bytes are kept */
	if (apart > 0 || s->n > 1) {
		g->once = false;
		axt_taken_decline(g, "many files are made of it");
	}
	if (apart == s->n || s->len == 0)
		return 0;
	for (int k = 0; k < s->n && !g->err.code; k++) {
		axt_progress_part(g, .5 * k / s->n, .5 / s->n);
		if (!s->in[k].apart)
			compute(g, &s->in[k]);
		g->told = all;
	}
	return .5;
}

static enum axt_code
split_all(struct split *s, const struct axt_save_opts *o)
{
	struct axt_graph *g = s->g;
	struct axt_stretch all = g->told;
	double from = compute_all(s);

	for (int64_t i = 0; i < s->len && !g->err.code; i++) {
		axt_progress_part(g, from + (1 - from) * (double)i / (double)s->len,
		    (1 - from) / (double)s->len);
		save_part(s, i, o);
		g->told = all;
	}
	for (int k = 0; k < s->n; k++)
		axt_wait_close(&s->in[k].values);
	return g->err.code;
}

static int
by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Makes a part of the elements whose dates have the value v of field k. */
static int
add_part(struct split *s, int k, const struct axt_cffields *f, int64_t v, int64_t *pos)
{
	const struct axt_axis *x = &s->x;
	struct part *p = &s->part[s->len];
	char text[AXT_CFFIELD_TEXT];

	for (int64_t i = 0; i < x->len; i++)
		if (axt_cffield_of(&f[i], k) == v)
			pos[p->n++] = i;
	if (!axt_cffield_text(k, v, text)) /* so that names are in the order of values */
		snprintf(text, sizeof(text), "%0*lld", axt_cffield_digits(k), (long long)v);
	s->field[s->len] = axt_strdup(s->g->m, text);
	if (!s->field[s->len++] || axt_spans_of(s->g->m, pos, p->n, &p->span, &p->nspans))
		return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	return 0;
}

/* Makes a part for each value that field k has on the axis. */
static int
by_field(struct split *s, int k)
{
	struct axt_graph *g = s->g;
	const struct axt_axis *x = &s->x;
	const char *what = axt_axis_where(g->m, x, s->from);
	const struct axt_cffields *f = axt_axis_dates(g->m, x, what, &g->err);
	size_t n = (size_t)x->len + 1;
	int64_t *v = axt_alloc(g->m, n * sizeof(*v)), *pos = axt_alloc(g->m, n * sizeof(*pos));

	s->field = axt_alloc(g->m, n * sizeof(*s->field));
	s->part = axt_alloc(g->m, n * sizeof(*s->part));
	if (!f || !v || !pos || !s->field || !s->part)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	memset(s->part, 0, n * sizeof(*s->part));
	for (int64_t i = 0; i < x->len; i++)
		v[i] = axt_cffield_of(&f[i], k);
	qsort(v, (size_t)x->len, sizeof(*v), by_value);
	for (int64_t i = 0; i < x->len; i++)
		if ((i == 0 || v[i] != v[i - 1]) && add_part(s, k, f, v[i], pos))
			return g->err.code;
	return 0;
}

/*
 * Finds the axis called `axis` in each tensor that has it, and checks that they are the same.
 * Returns the number of the field (axt_cffield_named) if `axis` is AXIS.FIELD of dates, else -1.
 */
static int
find_axes(struct split *s, struct axt_expr *const a[], const char *axis)
{
	struct axt_graph *g = s->g;
	struct input *first = NULL;
	int field = -1;

	for (int k = 0; k < s->n && !g->err.code; k++) {
		struct input *in = &s->in[k];
		int f;

		*in = (struct input){ .a = axt_as_stored(g, a[k]), .values.fd = -1 };
		s->whole[k] = in->a;
		f = axt_bad(in->a) ? -1 : axt_axes_field(g->m, &in->a->axes, axis, &in->axis);
		if (f < 0 && !axt_bad(in->a))
			in->axis = axt_view_find(g, in->a, axis);
		if (in->axis >= 0 && !first) {
			first = in;
			field = f;
			s->x = in->a->axes.a[in->axis];
			s->from = in->a->from;
		} else if (in->axis >= 0) {
			axt_axis_meet(g->m, &s->x, &in->a->axes.a[in->axis], &g->join, &s->x,
			    &g->err);
		} else if (axt_graph_lacks_axis(g) && s->n > 1) {
			axt_graph_clear(g);
		}
	}
	if (!first && !g->err.code) /* an error */
		axt_view_find(g, s->in[0].a, axis);
	return field;
}

/* What is done before the first file is written. */
static enum axt_code
begin(struct split *s, struct axt_expr *const a[], const char *axis, const char *pattern,
    const struct axt_save_opts *o)
{
	struct axt_graph *g = s->g;
	size_t n = (size_t)s->n;
	int field;

	if (g->err.code || s->n < 1)
		return axt_fail(&g->err, AXT_E_ARG, "there is nothing to write");
	s->in = axt_alloc(g->m, n * sizeof(*s->in));
	s->part_in = axt_alloc(g->m, n * sizeof(struct axt_expr *));
	s->whole = axt_alloc(g->m, n * sizeof(struct axt_expr *));
	if (!s->in || !s->part_in || !s->whole)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	field = find_axes(s, a, axis);
	if (g->err.code)
		return g->err.code;
	if (!strstr(pattern, "{}") && !strstr(pattern, "{@}")) {
		const char *dot = strrchr(pattern, '.');
		size_t n = dot ? (size_t)(dot - pattern) : strlen(pattern);

		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" has no {} for the index, nor {@}",
		    axt_escape(g->m, pattern));
		axt_hint_option(&g->err, "pattern", "%.*s{}%s", (int)n, pattern, pattern + n);
		return g->err.code;
	}
	if (field < 0)
		s->len = s->x.len;
	else if (by_field(s, field))
		return g->err.code;
	s->name = axt_alloc(g->m, ((size_t)s->len + 1) * sizeof(*s->name));
	s->place = axt_alloc(g->m, ((size_t)s->len + 1) * sizeof(*s->place));
	if (!s->name || !s->place)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return name_files(s, pattern, o->no_clobber);
}

static const struct axt_save_opts plain;

enum axt_code
axt_split(struct axt_graph *g, struct axt_expr *const a[], int n, const char *axis,
    const char *pattern, const struct axt_save_opts *o)
{
	struct split s = { .g = g, .n = n, .digits = 1 };

	o = o ? o : &plain;
	return begin(&s, a, axis, pattern, o) ? g->err.code : split_all(&s, o);
}

enum axt_code
axt_check_split(struct axt_graph *g, struct axt_expr *const a[], int n, const char *axis,
    const char *pattern, const struct axt_save_opts *o)
{
	struct split s = { .g = g, .n = n, .digits = 1 };

	return begin(&s, a, axis, pattern, o ? o : &plain);
}
