/*
 * to_grid.c - a tensor on another grid: the links between both grids are operands, and the new
 * field has the coordinates of the new cells.
 */
#include "axt_builds.h"
#include "graph/graph.h"
#include "grids/links.h"

#define ROWS "regrid.m"
#define COLUMNS "regrid.l"

/* Numbers as an operand over one axis. */
static struct axt_expr *
list(struct axt_graph *g, enum axt_dtype d, const char *axis, const void *p, int64_t n)
{
	struct axt_axes x = { .n = 1, .a = { { .name = axis, .len = n } } };

	return axt_memory_leaf(g, d, &x, p);
}

static int
read_missing(struct axt_graph *g, const char *word, struct axt_gufunc_opts *o)
{
	char *end;

	if (word && strcmp(word, "renorm") == 0)
		return 0;
	if (!word || strcmp(word, "nan") == 0) {
		o->n[2] = 1;
		return 0;
	}
	o->x[0] = axt_strtod(word, &end);
	if (*word && !*end && o->x[0] > 0 && o->x[0] <= 1)
		return 0;
	return axt_fail(&g->err, AXT_E_ARG,
	    "\"%s\" is not renorm, nan or a share above 0 and up to 1, which is what missing values "
	    "can be treated as",
	    axt_escape(g->m, word));
}

/* Gives the result the axes and coordinates of the new grid. */
static struct axt_expr *
on_grid(struct axt_graph *g, struct axt_expr *e, const struct axt_grid *from,
    const struct axt_grid *to)
{
	int made[] = { axt_axes_find(&e->axes, &(struct axt_axis){ .name = ROWS }),
		axt_axes_find(&e->axes, &(struct axt_axis){ .name = COLUMNS }) };

	e = axt_grid_dress(g, e, made, from, to);
	if (axt_bad(e))
		return e;
	((struct axt_meta *)e->meta)->missing = true;
	return to->axes.n == 1 ? axt_squeeze(g, e, COLUMNS) : e;
}

static struct axt_expr *
apply(struct axt_graph *g, struct axt_expr *a, const struct axt_grid *from,
    const struct axt_grid *to, const struct axt_links *x, const struct axt_regrid_opts *how)
{
	struct axt_gufunc_opts o = { .n = { (int)to->axes.a[0].len,
					 to->axes.n > 1 ? (int)to->axes.a[1].len : 1, 0,
					 how->method == AXT_REGRID_LARGEST } };
	struct axt_expr *in[4], *e, *old = a;
	struct axt_axis one = { .name = "regrid.one", .len = 1 };
	const char *missing = how->missing;
	int core[2];

	if (!missing && how->method != AXT_REGRID_BILINEAR && how->method != AXT_REGRID_BICUBIC)
		missing = "renorm";
	if (from->axes.n == 1) {
		a = axt_expand(g, a, one.name, -1);
		if (axt_bad(a))
			return a;
	}
	core[0] = axt_axes_find(&a->axes, &from->axes.a[0]);
	core[1] = axt_axes_find(&a->axes, from->axes.n > 1 ? &from->axes.a[1] : &one);
	in[0] = a;
	in[1] = list(g, AXT_I64, "regrid.start", x->start, x->rows + 1);
	in[2] = list(g, AXT_I64, "regrid.link", x->from, x->n);
	in[3] = list(g, AXT_F64, "regrid.link", x->weight, x->n);
	o.core = axt_axes_typed(g->m, &a->axes, core, 2);
	o.core = axt_sprintf(g->m, "%s,regrid.start,regrid.link," ROWS "," COLUMNS, o.core);
	if (!o.core || read_missing(g, missing, &o) || axt_gufunc(g, "links", 4, in, &o, &e))
		return axt_node_failed(g);
	e = on_grid(g, e, from, to);
	return !axt_bad(e) && axt_dtypes[old->dtype].cls == AXT_CLASS_FLOAT
	    ? axt_conv(g, e, old->dtype, AXT_OVERFLOW_ERROR)
	    : e;
}

/* Weights that were made, which other tensors of the same grid need as well. */
struct axt_regrids {
	const char *to, *file;             /* file: of weights, or NULL */
	enum axt_regrid_method method, as; /* as: that of the file */
	struct axt_grid from, grid;
	struct axt_links links;
	struct axt_regrids *next;
};

/* The weights from a grid to the one that o->to means. NULL: an error. */
static const struct axt_regrids *
weights(struct axt_graph *g, const struct axt_grid *from, const struct axt_regrid_opts *o)
{
	struct axt_regrids *x;

	for (x = g->regrids; x; x = x->next)
		if (x->method == o->method && strcmp(x->to, o->to) == 0 &&
		    !x->file == !o->weights && (!x->file || strcmp(x->file, o->weights) == 0)) {
			if (axt_grid_same(&x->from, from))
				return x;
			if (o->save) {
				axt_fail(&g->err, AXT_E_ARG,
				    "%s and %s have different grids, and the weights of one go to %s",
				    x->from.what, from->what, axt_escape(g->m, o->save));
				return NULL;
			}
		}
	x = axt_alloc(g->m, sizeof(*x));
	if (!x) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*x = (struct axt_regrids){ .to = o->to,
		.file = o->weights,
		.method = o->method,
		.as = o->method,
		.from = *from,
		.next = g->regrids };
	if (axt_grid_word(g, o->to, !o->weights && axt_regrid_needs_cells(o->method), o->open,
		&x->grid))
		return NULL;
	if (o->weights ? axt_links_read(g, o->weights, o->open, from, &x->grid, &x->as, &x->links)
		       : axt_links_make(g, from, &x->grid, o->method, &x->links))
		return NULL;
	if (x->links.n == 0) {
		axt_fail(&g->err, AXT_E_COORD, "no cell of %s is near one of %s", o->to,
		    from->what);
		return NULL;
	}
	if (o->save && axt_links_write(g, o, from, &x->grid, &x->links))
		return NULL;
	g->regrids = x;
	return x;
}

struct axt_expr *
axt_regrid_to(struct axt_graph *g, struct axt_expr *a, const struct axt_regrid_opts *o)
{
	struct axt_regrid_opts how = *o;
	const struct axt_regrids *x;
	struct axt_grid from;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (o->method == AXT_REGRID_KEEP)
		return axt_grid_keep(g, a, o);
	if (axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX) {
		axt_not_defined(g, "values on other grids are", a);
		return axt_node_failed(g);
	}
	if (o->some && !axt_grid_there(g, a))
		return g->err.code ? axt_node_failed(g) : a;
	if (axt_grid_of(g, a, !o->weights && axt_regrid_needs_cells(o->method), &from))
		return axt_node_failed(g);
	x = weights(g, &from, o);
	if (!x)
		return axt_node_failed(g);
	how.method = x->as;
	return apply(g, a, &from, &x->grid, &x->links, &how);
}
