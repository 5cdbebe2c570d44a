/*
 * functions.c - the functions of expressions: a table with a row for each, and the functions that
 * build their nodes.
 */
#include <math.h>
#include <stdio.h>

#include "axt_cmd.h"
#include "bytes/bytes.h"
#include "calc/call.h"

/* What stands for e in the expression: its name, if it has one. */
static const char *
text_of(const struct axt_calc *c, const struct axt_expr *e)
{
	for (const struct axt_calc_name *x = c->names; x; x = x->next)
		if (x->e == e)
			return x->name;
	return e->from;
}

/*
 * clip(0, 255, a) and fillnan(0, a), whose results have nothing of the tensor: numbers stand where
 * it should. The same for limits of which the lower one is greater.
 */
static bool
misplaced(struct axt_calc_call *k)
{
	struct axt_calc *c = k->c;
	const char *n[3] = { NULL };

	for (int i = 0; i < k->n && i < ARRAY_LEN(n); i++)
		n[i] = axt_calc_number(c, k->arg[i]);
	if (k->op == AXT_OP_CLIP && n[0] && n[1] && !n[2]) {
		axt_calc_fail(c, k->at, "clip takes the tensor first, then its limits");
		axt_hint(&c->g->err, "clip(%s, %s, %s)", text_of(c, k->arg[2]), n[0], n[1]);
	} else if (k->op == AXT_OP_CLIP && n[1] && n[2] &&
	    k->arg[1]->u.val.num.f > k->arg[2]->u.val.num.f) {
		axt_calc_fail(c, k->at,
		    "the lower limit of clip, %s, is greater than the upper, %s", n[1], n[2]);
		axt_hint(&c->g->err, "clip(%s, %s, %s)", text_of(c, k->arg[0]), n[2], n[1]);
	} else if (k->op == AXT_OP_FILLNAN && n[0] && !n[1] && strcmp(n[0], "nan") != 0) {
		axt_calc_fail(c, k->at, "fillnan takes the tensor first, then what fills it");
		axt_hint(&c->g->err, "fillnan(%s, %s)", text_of(c, k->arg[1]), n[0]);
	}
	return c->g->err.code;
}

static struct axt_expr *
map(struct axt_calc_call *k)
{
	if (misplaced(k))
		return axt_node_failed(k->c->g);
	return axt_calc_map(k->c, (enum axt_op)k->op, k->n, k->arg);
}

static struct axt_expr *
reduce(struct axt_calc_call *k)
{
	const struct axt_calc_opts *o = &k->o;

	if ((k->op == AXT_RED_QUANTILE) != (o->q >= 0))
		return axt_calc_fail(k->c, k->at,
		    k->op == AXT_RED_QUANTILE ? "%s needs q=, from 0 to 1" : "%s takes no q=",
		    k->name);
	if (o->field)
		k->o.by = axt_field(k->c->g, k->arg[0], o->field);
	return axt_reduce(k->c->g, (enum axt_red)k->op, k->arg[0],
	    &(struct axt_reduce_opts){ .to = o->to,
		.over = o->over,
		.nan = o->skipnan,
		.ddof = isnan(o->ddof) ? 0 : o->ddof,
		.q = k->op == AXT_RED_QUANTILE ? o->q : 0,
		.weights = o->weights,
		.by = o->by,
		.labels = o->labels,
		.among = o->among,
		.drop_others = o->dropothers > 0,
		.every = o->every,
		.dtype = o->dtype });
}

static struct axt_expr *
dot(struct axt_calc_call *k)
{
	const struct axt_calc_opts *o = &k->o;
	bool strict = o->mode && strcmp(o->mode, "strict") == 0;

	if (o->mode && !strict && strcmp(o->mode, "plain") != 0)
		return axt_calc_fail(k->c, k->at, "mode= of dot takes strict or plain, not \"%s\"",
		    axt_calc_show(k->c, o->mode, strlen(o->mode)));
	return axt_multi_dot(k->c->g, k->n, k->arg,
	    &(struct axt_dot_opts){ .strict = strict,
		.plain = o->mode && !strict,
		.over = o->over,
		.keep = o->keep,
		.accumulate = o->accumulate,
		.dtype = o->dtype });
}

/* As in xarray, what is not there is missing. */
static struct axt_expr *
reindex_like(struct axt_calc_call *k)
{
	return axt_reindex_like(k->c->g, k->arg[0], k->arg[1],
	    &(struct axt_reindex_opts){ .missing = true, .nearest = k->o.nearest > 0 });
}

/* In scan(a, sum, along=x) the word is the operation. */
static struct axt_expr *
scan(struct axt_calc_call *k)
{
	struct axt_scan_opts o = { .reverse = k->o.reverse > 0, .dtype = k->o.dtype };
	struct axt_expr *pair[2] = { k->arg[0], k->o.value };
	int op = k->nwords == 1 ? axt_red_find(k->word[0]) : -1;

	if (k->nwords == 1 && strcmp(k->word[0], "linear") == 0) {
		if (!k->o.along || !k->o.value)
			return axt_calc_fail(k->c, k->at,
			    "scan(x, linear) needs value=A and along=AXIS");
		if (k->o.by || k->o.field) {
			axt_calc_fail(k->c, k->at,
			    "by= is for sum, prod, min and max, not for linear");
			axt_hint(&k->c->g->err,
			    "a value that is 0 where labels begin starts again there");
			return axt_node_failed(k->c->g);
		}
		if (axt_meet_dates(k->c->g, 2, pair))
			return pair[0];
		return axt_scan_linear(k->c->g, pair[0], pair[1], k->o.along, &o);
	}
	if (op < 0 || !k->o.along)
		return axt_calc_fail(k->c, op < 0 && k->nwords ? k->word_at : k->at,
		    "scan needs sum, prod, min, max or linear, and along=AXIS");
	if (k->o.value)
		return axt_calc_fail(k->c, k->at, "value= is for linear, not for %s", k->word[0]);
	if (k->o.field)
		k->o.by = axt_field(k->c->g, k->arg[0], k->o.field);
	if (k->o.by)
		return axt_scan_by(k->c->g, (enum axt_red)op, k->arg[0], k->o.by, k->o.along, &o);
	return axt_scan(k->c->g, (enum axt_red)op, k->arg[0], k->o.along, &o);
}

/* fillnan(a, b), or fillnan(a, along=x) between values. */
static struct axt_expr *
fillnan(struct axt_calc_call *k)
{
	const struct axt_calc_opts *o = &k->o;

	if (!o->along && (o->method >= 0 || o->limit || o->max_gap || k->n < 2))
		return axt_calc_no_axis(k);
	if (!o->along) {
		k->op = AXT_OP_FILLNAN;
		return map(k);
	}
	if (k->n > 1)
		return axt_calc_fail(k->c, k->at,
		    "fillnan takes what fills a, or along=, and not both");
	if (o->limit > INT32_MAX || o->max_gap > INT32_MAX)
		return axt_calc_fail(k->c, k->at, "%s= is too large",
		    o->limit > INT32_MAX ? "limit" : "max_gap");
	return axt_fillnan_along(k->c->g, k->arg[0], o->along, o->method == 1, (int)o->limit,
	    (int)o->max_gap);
}

/* A function of matrices; in eigh(a, w) the word is the name of the result. */
static struct axt_expr *
linalg(struct axt_calc_call *k)
{
	struct axt_expr *results[AXT_LINALG_RESULTS];
	struct axt_linalg_row row;
	int which = 0;

	axt_linalg_row(k->op, &row);
	if (row.nresults > 1)
		which = k->nwords == 1
		    ? axt_calc_word_index(row.results, k->word[0], strlen(k->word[0]))
		    : -1;
	if (which < 0)
		return axt_calc_fail(k->c, k->nwords ? k->word_at : k->at,
		    "%s has the results %s; write %s(a, %.*s)", k->name, row.results, k->name,
		    (int)strcspn(row.results, " "), row.results);
	if (k->o.power < INT32_MIN || k->o.power > INT32_MAX)
		return axt_calc_fail(k->c, k->at, "power= is too large");
	return axt_linalg(k->c->g, (enum axt_linalg_op)k->op, k->arg,
		   &(struct axt_linalg_opts){ .row = k->o.row,
		       .col = k->o.col,
		       .mode = k->o.mode,
		       .rcond = k->o.rcond,
		       .power = (int)k->o.power,
		       .ord = (enum axt_matrix_ord)k->o.ord },
		   results)
	    ? axt_node_failed(k->c->g)
	    : results[which];
}

/* Reads "N", or "N,M" of two tensors. */
static bool
numbers_of_bins(const char *s, int tensors, int64_t bins[2])
{
	const char *comma = strchr(s, ',');
	char first[32];

	snprintf(first, sizeof(first), "%.*s", (int)(comma ? comma - s : 31), s);
	return axt_parse_int(first, 1, INT32_MAX, &bins[0]) &&
	    (!comma || (tensors > 1 && axt_parse_int(comma + 1, 1, INT32_MAX, &bins[1])));
}

static struct axt_expr *
hist(struct axt_calc_call *k)
{
	const struct axt_calc_opts *o = &k->o;
	struct axt_hist_opts how;
	int64_t bins[2] = { 0 };

	if (!o->bins)
		return axt_calc_fail(k->c, k->at, "hist needs bins=N");
	if (!numbers_of_bins(o->bins, k->n, bins))
		return axt_calc_fail(k->c, k->at, "bins= takes a whole number%s, not \"%s\"",
		    k->n > 1 ? " or two, (N,M)" : " from 1 on",
		    axt_calc_show(k->c, o->bins, strlen(o->bins)));
	how = (struct axt_hist_opts){ .to = o->to,
		.over = o->over,
		.bins = bins[0],
		.bins2 = bins[1],
		.range = o->range,
		.weights = o->weights,
		.density = o->density > 0 };
	return k->n == 1 ? axt_hist(k->c->g, k->arg[0], &how)
			 : axt_hist2d(k->c->g, k->arg[0], k->arg[1], &how);
}

/* In cast(x, f32) the word is a dtype, as dtype= would be. */
static struct axt_expr *
cast(struct axt_calc_call *k)
{
	struct axt_graph *g = k->c->g;
	struct axt_expr *e = k->arg[0];
	enum axt_dtype d = k->o.dtype;

	if (k->nwords && !axt_calc_dtype(k->c, k->word_at, k->word[0], &d))
		return axt_node_failed(g);
	if (k->nwords > 1 || (k->nwords && k->o.dtype))
		return axt_calc_fail(k->c, k->at, "cast takes one dtype");
	if (k->o.to)
		e = axt_cast_axes(g, e, k->o.to);
	if (d)
		e = axt_cast_dtype(g, e, d, (enum axt_overflow)k->o.overflow);
	return k->o.pack ? axt_pack(g, e, k->o.pack, (enum axt_overflow)k->o.overflow) : e;
}

/* iota(10, 2, x=3) means what axt-make iota:10:2 x=3 means. */
static struct axt_expr *
make(struct axt_calc_call *k)
{
	struct axt_graph *g = k->c->g;
	const char *kind = k->name, *axes = axt_calc_words(k);

	for (int i = 0; kind && axes && i < k->n; i++) {
		const char *x = axt_calc_number(k->c, k->arg[i]);

		if (!x)
			return g->err.code
			    ? axt_node_failed(g)
			    : axt_calc_fail(k->c, k->at, "%s takes numbers, then axes with lengths",
				  k->name);
		kind = axt_sprintf(g->m, "%s:%s", kind, x);
	}
	return kind && axes ? axt_make(g, kind, axes, k->o.dtype, k->o.seed) : axt_node_failed(g);
}

#define RED_KEYS "over to by labels dropothers every skip_nan keep_nan skipnan ddof q weights dtype"
#define LENGTHS "axes with lengths"
static const struct axt_calc_fn functions[] = {
	{ "dot", dot, 2, 12, NULL, "over keep mode accumulate dtype",
	    "product, summed over the axes they share" },
	{ "scan", scan, 1, 1, "an operation", "along by reverse dtype value",
	    "running sum, prod, min, max or linear recurrence along an axis" },
	{ "fillnan", fillnan, 1, 2, NULL, "along method limit max_gap",
	    "replace missing values with others, or from neighbours along an axis" },
	{ "hist", hist, 1, 2, NULL, "bins range to over weights density",
	    "how many values fall in each bin" },
	{ "reindex_like", reindex_like, 2, 2, NULL, "nearest",
	    "at the coordinates of the second tensor; missing where the first has none" },
	{ "cast", cast, 1, 1, "a dtype", "to dtype overflow pack",
	    "another dtype, other names by position" },
	{ "slice", axt_calc_slice, 1, 1, "AXIS=SPEC or AXIS@SPEC", "nearest",
	    "a part, by position or coordinate: a[time=0:10]" },
	{ "take", axt_calc_take, 1, 1, "AXIS=INDEX or AXIS@LABELS", "nearest",
	    "elements at the positions or coordinates held in another tensor" },
	{ "zeros", make, 0, 0, LENGTHS, "dtype", "0 everywhere" },
	{ "ones", make, 0, 0, LENGTHS, "dtype", "1 everywhere" },
	{ "full", make, 1, 1, LENGTHS, "dtype", "one number everywhere" },
	{ "iota", make, 0, 2, LENGTHS, "dtype", "0, 1, 2..., or START, START + STEP..." },
	{ "random", make, 0, 2, LENGTHS, "seed dtype", "uniform from LO to HI (-1 to 1)" },
	{ "normal", make, 0, 2, LENGTHS, "seed dtype", "normal with MU and SIGMA (0, 1)" },
	{ "eye", make, 0, 0, LENGTHS, "dtype", "1 on the diagonal of the last two axes" },
	{ "triu", make, 0, 0, LENGTHS, "dtype", "1 on the diagonal and above" },
	{ "tril", make, 0, 0, LENGTHS, "dtype", "1 on the diagonal and below" },
};

/* Whether the row of ops.def is a function of expressions. */
static bool
callable(enum axt_op op)
{
	return !axt_ops[op].internal || op == AXT_OP_WHERE || op == AXT_OP_CLIP;
}

/* Finds a function that is no operation. */
static bool
find_other(const char *name, struct axt_calc_fn *fn, int *op)
{
	for (int i = 0; i < ARRAY_LEN(functions); i++)
		if (strcmp(name, functions[i].name) == 0) {
			*fn = functions[i];
			return true;
		}
	*op = axt_linalg_named(name);
	if (*op >= 0) {
		struct axt_linalg_row row;

		axt_linalg_row(*op, &row);
		*fn = (struct axt_calc_fn){ name, linalg, row.operands, row.operands,
			row.nresults > 1 ? "a result" : NULL, row.options, row.line };
		return true;
	}
	*op = axt_red_find(name);
	if (*op >= 0) {
		*fn = (struct axt_calc_fn){ name, reduce, 1, 1, NULL, RED_KEYS,
			axt_reds[*op].line };
		return true;
	}
	*op = axt_op_find(name);
	if (*op < 0 || !callable((enum axt_op) * op))
		return false;
	*fn = (struct axt_calc_fn){ name, map, axt_ops[*op].arity,
		axt_ops[*op].nary ? AXT_CALC_ARGS : axt_ops[*op].arity, NULL, "",
		axt_ops[*op].line };
	return true;
}

bool
axt_calc_find(struct axt_arena *m, const char *name, struct axt_calc_fn *fn, int *op)
{
	return axt_calc_operation_named(m, name, fn) || find_other(name, fn, op);
}

bool
axt_calc_is_function(const char *name)
{
	const struct axt_alias *alias;
	struct axt_calc_fn fn;
	int op;

	return axt_operation_named(name, &alias) || find_other(name, &fn, &op);
}

bool
axt_calc_meet(struct axt_calc_call *k)
{
	static struct axt_expr *(*const of[])(
	    struct axt_calc_call *) = { map, dot, hist, fillnan, linalg };

	if (k->of && (k->of->flags & AXT_OPERATION_MEET))
		return axt_meet_dates(k->c->g, k->n, k->arg) == 0;
	for (int i = 0; i < ARRAY_LEN(of); i++)
		if (k->fn->build == of[i])
			return axt_meet_dates(k->c->g, k->n, k->arg) == 0;
	return true;
}

bool
axt_calc_function(int i, const char **name, const char **line)
{
	const struct axt_operation *op;

	if (i < 0)
		return false;
	for (int k = 0; k < AXT_NOPS; k++)
		if (callable((enum axt_op)k) && i-- == 0) {
			*name = axt_ops[k].name;
			*line = axt_ops[k].line;
			return true;
		}
	if (i < AXT_NREDS) {
		*name = axt_reds[i].name;
		*line = axt_reds[i].line;
		return true;
	}
	i -= AXT_NREDS;
	if (i < AXT_NLINALGS) {
		struct axt_linalg_row row;

		axt_linalg_row(i, &row);
		*name = row.name;
		*line = row.line;
		return true;
	}
	i -= AXT_NLINALGS;
	for (int k = 0; (op = axt_operation_row(k)); k++) {
		if (i-- == 0) {
			*name = op->name;
			*line = op->line;
			return true;
		}
		for (const struct axt_alias *a = op->aliases; a && a->name; a++)
			if (i-- == 0) {
				*name = a->name;
				*line = a->line;
				return true;
			}
	}
	if (i >= ARRAY_LEN(functions))
		return false;
	*name = functions[i].name;
	*line = functions[i].line;
	return true;
}

const char *
axt_calc_near(const char *name)
{
	const char *names[400], *line, *ours;
	int n = 0;

	for (int i = 0; (ours = axt_foreign_name(name, i)); i++)
		if (axt_calc_is_function(ours))
			return ours;
	while (n < ARRAY_LEN(names) && axt_calc_function(n, &names[n], &line))
		n++;
	return axt_nearest(name, names, n);
}
