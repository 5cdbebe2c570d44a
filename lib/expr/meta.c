/*
 * meta.c - what travels with the values of a tensor: name, attributes, auxiliary datasets, declared
 * missing values; and which of them a result has.
 */
#include <math.h>

#include "expr/expr.h"

struct axt_meta *
axt_meta_copy(struct axt_graph *g, const struct axt_meta *a)
{
	struct axt_meta *m = axt_alloc(g->m, sizeof(*m));

	if (m)
		*m = *a;
	return m;
}

/* Makes of *e a fresh node that wears m, which may be NULL, as axt_dress does. */
static struct axt_meta *
wear(struct axt_graph *g, struct axt_expr **e, const char *from, struct axt_meta *m)
{
	struct axt_expr *y = axt_relabel(g, *e, &(*e)->axes, axt_identity);

	if (!m && !g->err.code)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*e = m && !axt_bad(y) ? y : axt_node_failed(g);
	if (axt_bad(*e))
		return NULL;
	y->meta = m;
	y->from = from;
	return m;
}

struct axt_meta *
axt_dress(struct axt_graph *g, struct axt_expr **e, const struct axt_expr *like)
{
	like = like ? like : *e;
	if (axt_bad(*e) || axt_bad(like))
		return *e = axt_node_failed(g), NULL;
	return wear(g, e, like->from, axt_meta_copy(g, like->meta));
}

struct axt_meta *
axt_dress_without(struct axt_graph *g, struct axt_expr **e, const struct axt_expr *like,
    const struct axt_axis *axis)
{
	if (axt_bad(*e) || axt_bad(like))
		return *e = axt_node_failed(g), NULL;
	return wear(g, e, like->from, axt_meta_along(g, like->meta, axis, NULL, NULL));
}

struct axt_meta *
axt_meta_along(struct axt_graph *g, const struct axt_meta *a, const struct axt_axis *axis,
    axt_along_fn *fn, const void *ctx)
{
	struct axt_meta *m = axt_meta_copy(g, a);
	struct axt_aux *head = NULL, **tail = &head, *c;

	for (const struct axt_aux *x = a->aux; m && x; x = x->next) {
		int k = axt_axes_find(&x->axes, axis);
		bool along = k >= 0 && !x->own[k];

		if (along && !fn)
			continue;
		if (along)
			c = fn(g, x, k, ctx);
		else if ((c = axt_alloc(g->m, sizeof(*c))))
			*c = *x;
		if (!c)
			return NULL;
		*tail = c;
		tail = &c->next;
	}
	*tail = NULL;
	if (m)
		m->aux = head;
	return m;
}

/*
 * Whether an attribute names other datasets. Such attributes are kept by a rule of their own,
 * whether or not the result is the same quantity as the operand.
 */
static bool
names_datasets(const char *name)
{
	return strcmp(name, "coordinates") == 0 || strcmp(name, "grid_mapping") == 0;
}

const struct axt_attr *
axt_meta_difference(struct axt_graph *g, const struct axt_attr *l)
{
	static const struct axt_attr apart = { .name = "units_metadata",
		.kind = AXT_ATTR_TEXT,
		.text = "temperature: difference" };
	struct axt_attr a = { .name = "units", .kind = AXT_ATTR_TEXT };
	const char *u = axt_attr_text(l, a.name);

	if (axt_units_temperature(u))
		return axt_attr_set(g->m, l, &apart);
	if (!axt_attrs_time(l, NULL))
		return l;
	u += strspn(u, " \t");
	a.text = axt_strndup(g->m, u, strcspn(u, " \t"));
	return a.text ? axt_attr_drop(g->m, axt_attr_set(g->m, l, &a), "calendar") : l;
}

/* The powers of the operands' units that make the unit of the result, before its root is taken. */
static const struct powers {
	signed char first, other, root;
} op_units[AXT_NOPS] = {
	[AXT_OP_MUL] = { 1, 1, 1 },
	[AXT_OP_DIV] = { 1, -1, 1 },
	[AXT_OP_FLOORDIV] = { 1, -1, 1 },
	[AXT_OP_HYPOT] = { 1, 0, 1 },
	[AXT_OP_COPYSIGN] = { 1, 0, 1 },
	[AXT_OP_SQUARE] = { 2, 0, 1 },
	[AXT_OP_SQRT] = { 1, 0, 2 },
	[AXT_OP_CBRT] = { 1, 0, 3 },
	[AXT_OP_RECIPROCAL] = { -1, 0, 1 },
	[AXT_OP_RELU] = { 1, 0, 1 },
	[AXT_OP_REAL] = { 1, 0, 1 },
	[AXT_OP_IMAG] = { 1, 0, 1 },
	[AXT_OP_CONJ] = { 1, 0, 1 },
}, red_units[AXT_NREDS] = {
	[AXT_RED_VAR] = { 2, 0, 1 },
	[AXT_RED_SUMSQ] = { 2, 0, 1 },
	[AXT_RED_NORM1] = { 1, 0, 1 },
	[AXT_RED_NORM2] = { 1, 0, 1 },
};

/* The power of the units of what has e as its exponent: a small integer, or one half. */
static struct powers
by_exponent(const struct axt_expr *e)
{
	double p = axt_is_weak(e) ? e->u.val.num.f : 0;

	if (p == 0.5)
		return op_units[AXT_OP_SQRT];
	return p != 0 && fabs(p) <= 12 && p == nearbyint(p)
	    ? (struct powers){ (signed char)p, 0, 1 }
	    : (struct powers){ 0 };
}

/* The units of results that are angles, whatever those of the operands are. */
static const char *const angles[AXT_NOPS] = {
	[AXT_OP_DEGREES] = "degree",
	[AXT_OP_RADIANS] = "radian",
	[AXT_OP_ASIN] = "radian",
	[AXT_OP_ACOS] = "radian",
	[AXT_OP_ATAN] = "radian",
	[AXT_OP_ATAN2] = "radian",
};

/* l with the unit of a result of operands that have other attributes than it; l if it has none. */
static const struct axt_attr *
with_units(struct axt_graph *g, const struct axt_attr *l, int n, struct axt_expr *const a[],
    struct powers p)
{
	struct axt_attr at = { .name = "units", .kind = AXT_ATTR_TEXT };
	const char *u[3] = { NULL };
	int power[3] = { p.first, p.other, p.other };
	char text[AXT_UNITS_TEXT];

	if (!p.root || n > 3)
		return l;
	for (int i = 0; i < n; i++) {
		bool number = axt_is_weak(a[i]);

		u[i] = number ? "1" : axt_attr_text(a[i]->meta->attrs, "units");
		if (power[i] && !u[i])
			return l;
	}
	if (p.first == 1 && p.other == 0 && p.root == 1)
		at.text = u[0];
	else if (axt_units_product(n, u, power, p.root, text))
		at.text = axt_strndup(g->m, text, strlen(text));
	return at.text ? axt_attr_set(g->m, l, &at) : l;
}

/*
 * An attribute of a product until it is summed: the axes that both factors have, if each factor has
 * others, too. A sum over these axes is a product of matrices, as axt_dot makes it, and is
 * described as one. The attribute is dropped once one of the axes is gone.
 */
#define CONTRACTS "axt_contracts"

static const struct axt_attr *
contracts(struct axt_graph *g, const struct axt_attr *l, const struct axt_expr *a,
    const struct axt_expr *b)
{
	struct axt_attr *c = axt_alloc(g->m, sizeof(*c));
	struct axt_buf t = { 0 };
	const char *text;
	int both = 0;

	for (int i = 0; i < a->axes.n; i++)
		if (axt_axes_find(&b->axes, &a->axes.a[i]) >= 0)
			axt_buf_addf(&t, "%s%s", both++ ? " " : "",
			    axt_axis_spell(g->m, &a->axes.a[i]));
	text = axt_buf_text(g->m, &t);
	if (c && text && both > 0 && both < a->axes.n && both < b->axes.n) {
		*c = (struct axt_attr){ .name = CONTRACTS, .kind = AXT_ATTR_TEXT, .text = text };
		l = axt_attr_set(g->m, l, c);
	}
	return l;
}

/*
 * Whether the result is the same quantity as its first operand that is a tensor. A tensor
 * multiplied or divided by a number is.
 */
static bool
keeps_quantity(enum axt_op op, int n, struct axt_expr *const a[])
{
	bool number[2] = { false };

	for (int i = 0; i < MIN(n, 2); i++)
		number[i] = axt_is_weak(a[i]);
	if (op == AXT_OP_MUL || op == AXT_OP_DIV)
		return n == 2 && (number[1] || (op == AXT_OP_MUL && number[0]));
	return axt_ops[op].quantity;
}

/*
 * The attributes l of a product or a quotient, without units if those are of an angle and a factor
 * is a number: x*180/pi is most often an angle in other units, or a length of an arc. An angle
 * times 1 or -1 is still that angle.
 */
static const struct axt_attr *
without_angle(struct axt_graph *g, const struct axt_attr *l, int n, struct axt_expr *const a[])
{
	bool other = false;

	if (!axt_units_angle(axt_attr_text(l, "units")))
		return l;
	for (int i = 0; i < n; i++)
		other = other || (axt_is_weak(a[i]) && fabs(a[i]->u.val.num.f) != 1);
	return other ? axt_attr_drop(g->m, l, "units") : l;
}

/* Whether one text is the beginning of the other. */
static bool
goes_on(const char *a, const char *b)
{
	size_t n = strlen(a), k = strlen(b);

	return strncmp(a, b, MIN(n, k)) == 0;
}

/*
 * Drops from l the names and the cell methods that those of b contradict: the mean of maxima and
 * minima is neither of them. A text that goes on from the other one, as for a climatology and what
 * it was made of, is no contradiction.
 */
static const struct axt_attr *
agreed(struct axt_graph *g, const struct axt_attr *l, const struct axt_attr *b)
{
	static const char *const names[] = { "standard_name", "long_name", "cell_methods" };

	for (int k = 0; k < ARRAY_LEN(names); k++) {
		const char *x = axt_attr_text(l, names[k]), *y = axt_attr_text(b, names[k]);

		if (x && y && !goes_on(x, y))
			l = axt_attr_drop(g->m, l, names[k]);
	}
	return l;
}

/*
 * The attributes l of a sum or a difference of two tensors, the second of which has the attributes
 * b. Times less times are durations, and temperatures less temperatures are differences. A
 * temperature and a difference of temperatures give a temperature.
 */
static const struct axt_attr *
combined(struct axt_graph *g, enum axt_op op, const struct axt_attr *l, const struct axt_attr *b)
{
	bool scale = axt_units_temperature(axt_attr_text(l, "units")) &&
	    axt_units_temperature(axt_attr_text(b, "units"));

	if (op == AXT_OP_ADD || op == AXT_OP_SUB)
		l = agreed(g, l, b);
	if (axt_ops[op].difference &&
	    ((axt_attrs_time(l, NULL) && axt_attrs_time(b, NULL)) ||
		(scale && !axt_attrs_difference(b))))
		return axt_meta_difference(g, l);
	if (op == AXT_OP_ADD && scale && axt_attrs_difference(l) && !axt_attrs_difference(b))
		return axt_attr_drop(g->m, l, "units_metadata");
	return l;
}

/* Whether the list "z lat" has the word. */
static bool
has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; list && *list; list += strspn(list, " ")) {
		size_t k = strcspn(list, " ");

		if (k == n && strncmp(list, word, n) == 0)
			return true;
		list += k;
	}
	return false;
}

/* Whether an axis of the dataset is none of these axes. */
static bool
lies_elsewhere(const struct axt_aux *x, const struct axt_axes *axes)
{
	for (int i = 0; i < x->axes.n; i++)
		if (!x->own[i] && axt_axes_find(axes, &x->axes.a[i]) < 0)
			return true;
	return false;
}

/*
 * The list l of attributes of a tensor with the axes `axes`, whose attribute "coordinates" also
 * gets those auxiliary coordinates of another operand that lie along axes of its own, such as the
 * places of stations.
 */
static const struct axt_attr *
with_coordinates(struct axt_graph *g, const struct axt_attr *l, const struct axt_axes *axes,
    const struct axt_meta *other)
{
	struct axt_attr a = { .name = "coordinates", .kind = AXT_ATTR_TEXT };
	const char *list = axt_attr_text(l, a.name), *more = axt_attr_text(other->attrs, a.name);

	a.text = list;
	for (const struct axt_aux *x = other->aux; x && more; x = x->next)
		if (has_word(more, x->name) && lies_elsewhere(x, axes) &&
		    !has_word(a.text, x->name))
			a.text = a.text ? axt_sprintf(g->m, "%s %s", a.text, x->name) : x->name;
	return a.text != list ? axt_attr_set(g->m, l, &a) : l;
}

/*
 * The list without attributes that are true of a coordinate, but not of what is computed from it:
 * "axis", and the formula of a dimensionless vertical coordinate with its standard name.
 */
static const struct axt_attr *
attrs_computed(struct axt_arena *m, const struct axt_attr *l)
{
	if (axt_attr_find(l, "formula_terms"))
		l = axt_attr_drop(m, axt_attr_drop(m, l, "formula_terms"), "standard_name");
	return axt_attr_find(l, "axis") ? axt_attr_drop(m, l, "axis") : l;
}

const struct axt_meta *
axt_meta_map(struct axt_graph *g, enum axt_op op, int n, struct axt_expr *const a[],
    const struct axt_expr *node)
{
	int first = op == AXT_OP_WHERE && n > 1;
	const struct axt_expr *lead = a[first];
	struct axt_meta *m;

	for (int i = first; i < n; i++) /* a number has no metadata */
		if (a[i]->kind != AXT_NODE_CONST) {
			lead = a[i];
			break;
		}
	m = axt_meta_copy(g, lead->meta);
	if (!m)
		return NULL;
	axt_meta_computed(m);
	m->attrs = keeps_quantity(op, n, a)
	    ? axt_attrs_recomputed(g->m, m->attrs)
	    : with_units(g, axt_attrs_only(g->m, m->attrs, names_datasets), n, a,
		  op == AXT_OP_POW && n == 2 ? by_exponent(a[1]) : op_units[op]);
	m->attrs = attrs_computed(g->m, m->attrs);
	if (op == AXT_OP_MUL || op == AXT_OP_DIV)
		m->attrs = without_angle(g, m->attrs, n, a);
	/* positions that something is added to count from another number */
	if (op != AXT_OP_WHERE && op != AXT_OP_FILLNAN && axt_attr_find(m->attrs, "start_index"))
		m->attrs = axt_attr_drop(g->m, m->attrs, "start_index");
	if (angles[op])
		m->attrs = axt_attr_set(g->m, m->attrs,
		    &(struct axt_attr){ .name = "units",
			.kind = AXT_ATTR_TEXT,
			.text = angles[op] });
	if (op == AXT_OP_MUL && n == 2 && node->kind == AXT_NODE_MAP)
		m->attrs = contracts(g, m->attrs, a[0], a[1]);
	if (n == 2 && lead == a[0] && a[1]->kind != AXT_NODE_CONST)
		m->attrs = combined(g, op, m->attrs, a[1]->meta->attrs);
	m->missing = false;
	for (int i = 0; i < n; i++) {
		m->missing = m->missing || a[i]->meta->missing;
		if (a[i] == lead)
			continue;
		if (axt_aux_merge(g->m, m->aux, a[i]->meta->aux, &node->axes, &m->aux, &g->err))
			return NULL;
		m->attrs = with_coordinates(g, m->attrs, &lead->axes, a[i]->meta);
	}
	/* missing values are filled, so none is declared any more */
	if (op == AXT_OP_FILLNAN && n == 2)
		m->missing = a[1]->meta->missing;
	if (axt_dtypes[node->dtype].cls != AXT_CLASS_FLOAT)
		m->missing = false;
	return m;
}

static bool
is_kept(const struct axt_expr *red, int axis)
{
	for (int i = 0; i < red->u.red.nkept; i++)
		if (red->u.red.kept[i] == axis)
			return true;
	return false;
}

/* Whether axis i of a has coordinates of its own, or auxiliary ones lie along it. */
static bool
has_coordinates(const struct axt_expr *a, int i)
{
	if (a->axes.a[i].coord)
		return true;
	for (const struct axt_aux *x = a->meta->aux; x; x = x->next)
		if (!x->beside && axt_axes_find(&x->axes, &a->axes.a[i]) >= 0)
			return true;
	return false;
}

/*
 * Gives axis i itself if it has coordinates. If it counts the positions in windows, gives the axis
 * that the windows slide along.
 */
const char *
axt_meta_cells(struct axt_graph *g, const struct axt_expr *a, int i)
{
	return has_coordinates(a, i) ? axt_axis_spell(g->m, &a->axes.a[i]) : a->axes.a[i].along;
}

/*
 * Whether the last entry of cell_methods is `entry`. The last entry of "lat: time: mean" is all of
 * it, one entry for two axes, and not "time: mean".
 */
static bool
last_entry_is(const char *methods, const char *entry)
{
	size_t n = strlen(methods), k = strlen(entry);
	const char *at = methods + n - k;

	if (n < k || strcmp(at, entry) != 0)
		return false;
	return n == k || (n - k >= 2 && at[-1] == ' ' && at[-2] != ':');
}

/*
 * Adds an entry to cell_methods, as CF writes it: "AXIS: mean", or "lat: lon: mean" for several
 * axes, each once. The mean of daily means is a mean, and so for sums, minima and maxima: such an
 * entry is not repeated.
 */
static const struct axt_attr *
cell_methods(struct axt_graph *g, const struct axt_attr *l, const char *word,
    const struct axt_expr *a, const struct axt_expr *node)
{
	static const bool again[AXT_NREDS] = { [AXT_RED_MEAN] = true,
		[AXT_RED_SUM] = true,
		[AXT_RED_MIN] = true,
		[AXT_RED_MAX] = true };
	struct axt_attr *c = axt_alloc(g->m, sizeof(*c));
	const char *old = axt_attr_text(l, "cell_methods");
	const char *both = node->u.red.op == AXT_RED_SUM ? axt_attr_text(l, CONTRACTS) : NULL;
	const char *named[AXT_MAX_RANK];
	struct axt_buf b = { 0 };
	int n = 0;

	for (int i = 0; i < a->axes.n; i++) {
		const char *x = is_kept(node, i) ? NULL : axt_meta_cells(g, a, i);

		for (int k = 0; x && k < n; k++)
			x = strcmp(named[k], x) == 0 ? NULL : x;
		if (x && !has_word(both, axt_axis_spell(g->m, &a->axes.a[i])))
			named[n++] = x;
	}
	if (!c || n == 0)
		return l;
	for (int i = 0; i < n; i++)
		axt_buf_addf(&b, "%s: ", named[i]);
	axt_buf_adds(&b, word);
	c->name = "cell_methods";
	c->kind = AXT_ATTR_TEXT;
	c->text = axt_buf_text(g->m, &b);
	if (!c->text || (old && again[node->u.red.op] && last_entry_is(old, c->text)))
		return l;
	if (old && *old)
		c->text = axt_sprintf(g->m, "%s %s", old, c->text);
	return c->text ? axt_attr_set(g->m, l, c) : l;
}

/* Whether the node still has all axes that a product would contract. */
static bool
has_all(struct axt_graph *g, const struct axt_attr *l, const struct axt_expr *node)
{
	const char *s = axt_attr_text(l, CONTRACTS);
	int words = 0, left = 0;

	for (const char *p = s; p && *p; p += strspn(p, " ")) {
		words++;
		p += strcspn(p, " ");
	}
	for (int i = 0; s && i < node->axes.n; i++)
		left += has_word(s, axt_axis_spell(g->m, &node->axes.a[i]));
	return left == words;
}

/*
 * Declares -1 to be the missing value of argmin and argmax: they give -1 if all elements are
 * missing.
 */
static const struct axt_attr *
declare_no_position(struct axt_graph *g, const struct axt_attr *l, const struct axt_expr *node)
{
	struct axt_attr *c = axt_alloc(g->m, sizeof(*c));
	void *v = axt_alloc(g->m, 16);

	if (!c || !v ||
	    !axt_num_store(&(struct axt_num){ .is_int = true, .i = -1, .f = -1 }, node->dtype, v))
		return l;
	*c = (struct axt_attr){ .name = "_FillValue",
		.kind = AXT_ATTR_NUM,
		.dtype = node->dtype,
		.n = 1,
		.data = v };
	return axt_attr_set(g->m, l, c);
}

/*
 * Drops coordinates that lie along other axes than those of the tensor, such as the coordinates of
 * profiles beside a tensor of observations. A reduction of the observations has nothing to do with
 * profiles.
 */
static int
drop_other_coordinates(struct axt_graph *g, struct axt_meta *m)
{
	const char *list = axt_attr_text(m->attrs, "coordinates");
	struct axt_aux *head = NULL, **tail = &head;

	for (const struct axt_aux *x = m->aux; x; x = x->next) {
		if (x->axes.n > 0 && !x->chars && axt_aux_apart(x) && has_word(list, x->name))
			continue;
		if (!axt_aux_add(g->m, x, &tail))
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	m->aux = head;
	return 0;
}

const struct axt_meta *
axt_meta_reduce(struct axt_graph *g, enum axt_red op, const struct axt_expr *a,
    const struct axt_expr *node)
{
	struct axt_meta *m = axt_meta_copy(g, a->meta);

	if (!m || drop_other_coordinates(g, m))
		return NULL;
	axt_meta_computed(m);
	m->attrs = axt_reds[op].quantity
	    ? axt_attrs_recomputed(g->m, m->attrs)
	    : with_units(g, axt_attrs_only(g->m, m->attrs, names_datasets), 1, node->arg,
		  red_units[op]);
	if (axt_reds[op].difference)
		m->attrs = axt_meta_difference(g, m->attrs);
	if (axt_reds[op].cf && node->u.red.nkept < a->axes.n)
		m->attrs = cell_methods(g, m->attrs, axt_reds[op].cf, a, node);
	if (axt_attr_find(m->attrs, CONTRACTS) && !has_all(g, m->attrs, node))
		m->attrs = axt_attr_drop(g->m, m->attrs, CONTRACTS);
	if (axt_dtypes[node->dtype].cls != AXT_CLASS_FLOAT)
		m->missing = false;
	if ((op == AXT_RED_ARGMIN || op == AXT_RED_ARGMAX) && node->u.red.skip &&
	    axt_dtypes[node->dtype].cls == AXT_CLASS_INT)
		m->attrs = declare_no_position(g, m->attrs, node);
	return m;
}

/* The meta of operand k of a plain gufunc without the datasets over its core axes. */
static struct axt_meta *
outside_core(struct axt_graph *g, enum axt_gufunc_id op, const struct axt_expr *node, int k)
{
	const struct axt_expr *a = node->arg[k];
	struct axt_meta *m = axt_meta_copy(g, a->meta);

	for (int c = 0; m && c < axt_gufunc_signature(op).core[k].n; c++)
		m = axt_meta_along(g, m, &a->axes.a[axt_gufunc_core(node, k)[c]], NULL, NULL);
	return m;
}

/*
 * The meta of operand a for a result, without datasets along an axis whose elements change places
 * or go. In a gufunc without special ways, datasets of the other operands outside their core axes
 * are added.
 */
static struct axt_meta *
without_core(struct axt_graph *g, enum axt_gufunc_id op, const struct axt_expr *a,
    const struct axt_expr *node)
{
	const struct axt_gufunc *f = axt_gufuncs[op];
	int like = MAX(1, f->like) - 1;
	struct axt_meta *m;

	if (!axt_gufunc_plain(f))
		return f->scans
		    ? axt_meta_copy(g, a->meta)
		    : axt_meta_along(g, a->meta, &a->axes.a[node->u.gufunc.axis], NULL, NULL);
	m = outside_core(g, op, node, like);
	for (int k = 0; m && k < node->nargs; k++) {
		const struct axt_meta *other = k == like ? NULL : outside_core(g, op, node, k);

		if (k != like &&
		    (!other ||
			axt_aux_merge(g->m, m->aux, other->aux, &node->axes, &m->aux, &g->err)))
			return NULL;
	}
	return m;
}

const struct axt_meta *
axt_meta_gufunc(struct axt_graph *g, enum axt_gufunc_id op, const struct axt_expr *a,
    const struct axt_expr *node)
{
	const struct axt_gufunc *f = axt_gufuncs[op];
	struct axt_meta *m = without_core(g, op, a, node);

	if (!m)
		return NULL;
	axt_meta_computed(m);
	if (!f->like || f->positions || (f->scans && !axt_reds[f->red].quantity))
		m->attrs = axt_attrs_only(g->m, m->attrs, names_datasets);
	else if (f->scans || axt_gufunc_plain(f))
		m->attrs = axt_attrs_recomputed(g->m, m->attrs);
	if (axt_dtypes[node->dtype].cls != AXT_CLASS_FLOAT)
		m->missing = false;
	return m;
}
