/*
 * label_set.c - groups of labels that the user gives: a range of integers, a list, or the values of
 * a tensor. Each has a group, in the order given, even if it does not occur. For a range of
 * integers the group of an element is computed from its label; for others it is looked up.
 */
#include "groups/groups.h"

#define WHOLE_MAX (1LL << 53) /* integers beyond it are not exact as a double */
#define OUTSIDE (-2)          /* the group of a label that is none of those given */

static int
too_many(struct axt_graph *g, int64_t n)
{
	return axt_fail(&g->err, AXT_E_LIMIT, "%lld labels are too many for the memory bound",
	    (long long)n);
}

/* Reads "A:B", a range of integers with both ends in it. */
static bool
parse_range(struct axt_graph *g, const char *s, int64_t *lo, int64_t *hi)
{
	const char *colon = strchr(s, ':'),
		   *first = colon ? axt_strndup(g->m, s, (size_t)(colon - s)) : NULL;

	return first && axt_parse_int(first, -WHOLE_MAX, WHOLE_MAX, lo) &&
	    axt_parse_int(colon + 1, -WHOLE_MAX, WHOLE_MAX, hi) && *lo <= *hi;
}

static int
bad_label(struct axt_graph *g, const char *word, const char *from, enum axt_dtype d)
{
	axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is no label of %s, which has %s",
	    axt_escape(g->m, word), from, axt_dtypes[d].name);
	axt_about(&g->err, AXT_NO_LABELS, word, from);
	axt_hint(&g->err, "labels are a range of integers A:B, a list a,b,c, or FILE:DATASET");
	return g->err.code;
}

/* The labels of a list, of which each word is a label or a range of integers, in dtype d. */
static void *
read_numbers(struct axt_graph *g, const char *list, enum axt_dtype d, const char *from, int64_t *n)
{
	int64_t cap = 0, lo = 0, hi = 0;
	size_t size = (size_t)axt_size(d);
	uint8_t *p = NULL, *grown;

	*n = 0;
	for (const char *s = list;; s++) {
		const char *word = axt_strndup(g->m, s, strcspn(s, ","));
		bool range = word && parse_range(g, word, &lo, &hi);
		int64_t more = range ? hi - lo + 1 : 1;
		struct axt_num x;

		if (!word || *n + more > g->memory / 64 || *n + more > INT32_MAX)
			return word ? (void)too_many(g, *n + more), NULL : NULL;
		if (!range &&
		    (!axt_parse_num(word, &x) ||
			(axt_dtypes[d].cls < AXT_CLASS_FLOAT && !x.is_int)))
			return bad_label(g, word, from, d), NULL;
		if (*n + more > cap) {
			cap = 2 * (*n + more);
			grown = axt_alloc(g->m, (size_t)cap * size);
			if (!grown)
				return NULL;
			if (*n)
				memcpy(grown, p, (size_t)*n * size);
			p = grown;
		}
		for (int64_t i = 0; i < more; i++, ++*n) {
			if (range)
				x = (struct axt_num){ .is_int = true,
					.i = lo + i,
					.f = (double)(lo + i) };
			if (!axt_num_store(&x, d, p + (size_t)*n * size))
				return bad_label(g, word, from, d), NULL;
		}
		s += strlen(word);
		if (!*s)
			return p;
	}
}

/* The words of a list. */
static const char **
read_words(struct axt_graph *g, const char *list, int64_t *n)
{
	const char **p;

	*n = 1;
	for (const char *s = list; *s; s++)
		*n += *s == ',';
	p = axt_alloc(g->m, (size_t)*n * sizeof(*p));
	for (int64_t i = 0; p && i < *n; i++) {
		p[i] = axt_strndup(g->m, list, strcspn(list, ","));
		if (!p[i])
			return NULL;
		list += strlen(p[i]) + 1;
	}
	return p;
}

/* The labels that l knows to be text, as a list of strings in the order of its elements. */
static const char **
texts_of(struct axt_graph *g, const struct axt_labels *l, int64_t *n)
{
	const char *const *text = l->groups.axis.coord->data, **p;
	const int32_t *of = l->groups.of->u.leaf.st->mem;

	*n = axt_count(l->groups.of);
	p = axt_alloc(g->m, (size_t)*n * sizeof(*p) + 1);
	for (int64_t i = 0; p && i < *n; i++)
		p[i] = of[i] < 0 ? "" : text[of[i]];
	return p;
}

/* The labels of `by`, if they are text, whose groups are known. */
static struct axt_labels *
known_text(struct axt_graph *g, const struct axt_expr *by)
{
	struct axt_labels *l = g->labels;

	while (l && (l->by != by || l->labels || l->among || !l->groups.axis.coord->text))
		l = l->next;
	return l;
}

/* Sets c to the labels that are given, for labels like those of `like`. */
static int
given_labels(struct axt_graph *g, const struct axt_reduce_opts *o, const struct axt_labels *like,
    struct axt_coord *c)
{
	const struct axt_coord *as = like->groups.axis.coord;
	struct axt_labels *text = o->among ? known_text(g, o->among) : NULL;
	size_t bytes;
	void *p;

	*c = (struct axt_coord){ .text = o->among ? text != NULL : as->text,
		.dtype = o->among ? o->among->dtype : as->dtype,
		.attrs = as->attrs };
	if (text)
		p = texts_of(g, text, &c->n);
	else if (!o->among)
		p = c->text ? (void *)read_words(g, o->labels, &c->n)
			    : read_numbers(g, o->labels, c->dtype, like->by->from, &c->n);
	else {
		c->n = axt_count(o->among);
		bytes = (size_t)c->n * (size_t)axt_size(c->dtype);
		if (c->n > g->memory / 64)
			return too_many(g, c->n);
		p = axt_alloc(g->m, bytes + 1);
		if (p && axt_part_values(g, (struct axt_expr *[]){ o->among }, 1, &p))
			return g->err.code;
	}
	c->data = p;
	return p || g->err.code ? (int)g->err.code : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

static int
others(struct axt_graph *g, int64_t n, int64_t of, const char *from, const char *which)
{
	axt_fail(&g->err, AXT_E_ARG, "%lld of %lld labels of %s are none of those given: %s",
	    (long long)n, (long long)of, from, which);
	axt_about(&g->err, AXT_NO_LABELS, NULL, from);
	axt_hint(&g->err, "--drop-others leaves them out");
	return g->err.code;
}

/* Makes groups by looking up which of the labels given each distinct label is. */
static int
look_up(struct axt_graph *g, struct axt_labels *l, const struct axt_reduce_opts *o)
{
	struct axt_labels *all = axt_labels_known(g, l->by, false);
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	const struct axt_coord *met = all ? all->groups.axis.coord : NULL;
	int64_t n = all ? axt_count(all->groups.of) : 0, out = 0, first = -1;
	int64_t *pos = axt_alloc(g->m, ((size_t)(met ? met->n : 0) + 1) * sizeof(*pos)), *own;
	int32_t *of = axt_alloc(g->m, (size_t)n * sizeof(*of) + 1);
	const int32_t *was;
	struct axt_axis x;

	if (!all || !c || !pos || !of || given_labels(g, o, all, c))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	x = all->groups.axis;
	x.coord = c;
	x.len = c->n;
	own = axt_alloc(g->m, (size_t)c->n * sizeof(*own) + 1);
	if (!own ||
	    axt_labels_find(g->m, &x, c, l->by->from, "the labels given", AXT_ABSENT_FAILS, own,
		&g->err) ||
	    axt_labels_find(g->m, &x, met, l->by->from, l->by->from, AXT_ABSENT_NONE, pos, &g->err))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	was = all->groups.of->u.leaf.st->mem;
	for (int64_t i = 0; i < n; i++) {
		of[i] = was[i] < 0 ? -1 : (int32_t)pos[was[i]];
		if (was[i] >= 0 && of[i] < 0) {
			out++;
			first = first < 0 ? was[i] : first;
		}
	}
	if (out && !o->drop_others)
		return others(g, out, n, l->by->from,
		    axt_sprintf(g->m, "the first is %s", axt_coord_value(g->m, met, NULL, first)));
	l->groups.axis = x;
	l->groups.place = -1;
	l->groups.of = axt_memory_leaf(g, AXT_I32, &all->groups.of->axes, of);
	return g->err.code;
}

/* ---- a range of integers ---- */

/* A node of i32 with the group of each label: -1 of NaN, OUTSIDE of what is not in the range. */
static struct axt_expr *
place_of(struct axt_graph *g, struct axt_expr *by, int64_t lo, int64_t hi)
{
	bool real = axt_dtypes[by->dtype].cls == AXT_CLASS_FLOAT;
	enum axt_dtype d = real ? AXT_F64 : AXT_I64;
	struct axt_expr *x = axt_conv(g, by, d, AXT_OVERFLOW_WRAP), *in, *out;

	in = axt_map2(g, AXT_OP_AND, axt_map2(g, AXT_OP_GE, x, axt_const(g, d, (double)lo)),
	    axt_map2(g, AXT_OP_LE, x, axt_const(g, d, (double)hi)));
	out = axt_const(g, d, OUTSIDE);
	if (real) {
		in = axt_map2(g, AXT_OP_AND, in,
		    axt_map2(g, AXT_OP_EQ, x, axt_map1(g, AXT_OP_TRUNC, x)));
		out = axt_where(g, axt_map1(g, AXT_OP_ISNAN, x), axt_const(g, d, -1), out);
	}
	x = axt_where(g, in, axt_map2(g, AXT_OP_SUB, x, axt_const(g, d, (double)lo)), out);
	return axt_conv(g, x, AXT_I32, AXT_OVERFLOW_WRAP);
}

/* Reports labels outside the range. */
static int
outside(struct axt_graph *g, struct axt_expr *by, int64_t n)
{
	static const struct axt_reduce_opts skip = { .nan = 1 };
	double lo = 0, hi = 0;
	struct axt_expr *e[2] = { axt_cast_dtype(g,
				      axt_reduce_grouped(g, AXT_RED_MIN, by, &skip, NULL), AXT_F64,
				      AXT_OVERFLOW_WRAP),
		axt_cast_dtype(g, axt_reduce_grouped(g, AXT_RED_MAX, by, &skip, NULL), AXT_F64,
		    AXT_OVERFLOW_WRAP) };

	if (axt_part_values(g, e, 2, (void *[]){ &lo, &hi }))
		return g->err.code;
	return others(g, n, axt_count(by), by->from,
	    axt_sprintf(g->m, "they run from %.17g to %.17g", lo, hi));
}

/* Counts the elements of a tensor of groups that are OUTSIDE. -1: error. */
static int64_t
count_outside(struct axt_graph *g, struct axt_expr *of)
{
	int64_t n = 0;
	struct axt_expr *e = axt_reduce_grouped(g, AXT_RED_SUM,
	    axt_map2(g, AXT_OP_EQ, of, axt_const(g, AXT_I32, OUTSIDE)), NULL, NULL);

	e = axt_bad(e) ? e : axt_conv(g, e, AXT_I64, AXT_OVERFLOW_WRAP);
	return axt_part_values(g, &e, 1, &(void *){ &n }) ? -1 : n;
}

struct axt_expr *
axt_groups_no_memory(struct axt_graph *g, const struct axt_expr *by)
{
	int64_t n = axt_count(by), bytes = n * (int64_t)sizeof(int32_t);
	struct axt_expr *e = axt_graph_fail(g, AXT_E_MEM, "out of memory for %lld labels (%s)",
	    (long long)n, by->from);

	if (bytes > g->memory)
		axt_hint(&g->err, "raise it with --memory %lldM",
		    (long long)((bytes + (1 << 20) - 1) >> 20));
	return e;
}

struct axt_expr *
axt_groups_in_memory(struct axt_graph *g, struct axt_expr *of)
{
	int64_t n = axt_count(of);
	int32_t *p = n * (int64_t)sizeof(*p) > g->memory
	    ? NULL
	    : axt_alloc(g->m, (size_t)n * sizeof(*p) + 1);

	if (!p)
		return axt_groups_no_memory(g, of);
	if (axt_part_values(g, &of, 1, &(void *){ p }))
		return axt_node_failed(g);
	return axt_memory_leaf(g, AXT_I32, &of->axes, p);
}

/* How many groups in memory are OUTSIDE. */
static int64_t
outside_in_memory(const struct axt_expr *of)
{
	const int32_t *p = of->u.leaf.st->mem;
	int64_t n = axt_count(of), out = 0;

	for (int64_t i = 0; i < n; i++)
		out += p[i] == OUTSIDE;
	return out;
}

static bool
holds(enum axt_dtype d, int64_t v)
{
	return axt_num_store(&(struct axt_num){ .is_int = true, .i = v, .f = (double)v }, d,
	    (char[16]){ 0 });
}

/* Makes groups of the integers from lo to hi. */
static int
count_up(struct axt_graph *g, struct axt_labels *l, const struct axt_reduce_opts *o, int64_t lo,
    int64_t hi)
{
	struct axt_expr *by = (struct axt_expr *)(uintptr_t)l->by;
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));
	int64_t out = 0;

	if (hi - lo + 1 > g->memory / 64 || hi - lo + 1 > INT32_MAX)
		return too_many(g, hi - lo + 1);
	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	c->dtype = holds(by->dtype, lo) && holds(by->dtype, hi) ? by->dtype : AXT_I64;
	c->attrs = by->meta->attrs;
	c->data = read_numbers(g, o->labels, c->dtype, by->from, &c->n);
	if (!c->data || axt_labels_axis(g, axt_expr_name(by), by->from, &l->groups))
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	l->groups.axis.coord = c;
	l->groups.axis.len = c->n;
	l->groups.of = place_of(g, by, lo, hi);
	if (axt_bad(l->groups.of))
		return g->err.code;
	if (!l->again)
		l->groups.of = axt_groups_in_memory(g, l->groups.of);
	if (axt_bad(l->groups.of))
		return g->err.code;
	if (!o->drop_others)
		out = l->again ? count_outside(g, l->groups.of) : outside_in_memory(l->groups.of);
	if (out > 0 && !o->drop_others)
		outside(g, by, out);
	return g->err.code;
}

struct axt_labels *
axt_labels_set(struct axt_graph *g, const struct axt_expr *by, const struct axt_reduce_opts *o,
    bool again)
{
	const char *labels = o->labels ? o->labels : "";
	int64_t lo, hi;
	struct axt_labels *l = g->labels;

	for (; l; l = l->next)
		if (l->by == by && l->labels && strcmp(l->labels, labels) == 0 &&
		    l->among == o->among && l->drop == o->drop_others && (again || !l->again))
			return l;
	l = axt_alloc(g->m, sizeof(*l));
	if (!l || !(labels = axt_strdup(g->m, labels)))
		return NULL;
	*l = (struct axt_labels){ .by = by,
		.again = again,
		.labels = labels,
		.among = o->among,
		.drop = o->drop_others };
	if (axt_dtypes[by->dtype].cls <= AXT_CLASS_FLOAT && by->axes.n > 0 && !o->among &&
	    by->dtype != AXT_U64 && !known_text(g, by) && parse_range(g, labels, &lo, &hi)) {
		if (count_up(g, l, o, lo, hi))
			return NULL;
	} else {
		l->again = false;
		if (look_up(g, l, o))
			return NULL;
	}
	l->groups.of->from = l->groups.axis.from;
	if (axt_labels_tell(g, &l->groups))
		return NULL;
	l->next = g->labels;
	return g->labels = l;
}
