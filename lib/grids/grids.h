/*
 * grids.h - cells of grids by their coordinates. On regular grids latitudes and longitudes are
 * axes; on others they lie over two axes, or over one that only counts the cells.
 */
#ifndef AXT_GRIDS_GRIDS_H
#define AXT_GRIDS_GRIDS_H

#include "cf/meaning.h"
#include "graph/graph.h"

/* A coordinate of a tensor, over one or more of its axes. */
struct axt_place {
	const struct axt_aux *aux; /* as read, over axes of the tensor; axis: a copy of that */
	bool is_axis;              /* it belongs to an axis of its name */
	bool added;                /* the tensor does not name it: it was found beside it */
	bool itself;               /* it is the tensor */
	struct axt_coord c;        /* its values, unpacked; NaN where one is missing */
};
/* Its i-th value, in its units. */
static inline double
axt_place_value(const struct axt_place *p, int64_t i)
{
	return axt_load_f64(p->c.dtype, (const char *)p->c.data + i * axt_size(p->c.dtype));
}
/*
 * Finds the coordinate `name` of a: a dataset that attributes of `a` name, or one of that name
 * beside `a` in its file, over axes of `a`; with `axis`, also an axis. Returns 1 if there is one, 0
 * if not, -1 with an error of the graph.
 */
int axt_place_find(struct axt_graph *g, const struct axt_expr *a, const char *name, bool axis,
    struct axt_place *out);
/* Finds the latitude (or longitude) of a by its attributes or usual name, likewise. */
int axt_place_of_kind(struct axt_graph *g, const struct axt_expr *a, bool lon,
    struct axt_place *out);
/* In areas.c: the bounds of the coordinates of an axis, two of each. Returns as axt_place_find. */
int axt_place_bounds(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *axis,
    struct axt_place *out);
/*
 * In polygons.c: computes the areas of cells, on a sphere of radius 1, from their vertices, which
 * are the bounds of the latitudes `lat` and of the longitudes of a. Returns 1; 0 if there are no
 * such bounds; -1 with an error of the graph.
 */
int axt_polygon_areas(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *lat,
    struct axt_expr **out);
/*
 * In polygons.c: the vertices of cells, which are the bounds of the coordinate `of`: they lie over
 * its axes and one more, last axis, of at least 3. Returns as axt_place_find.
 */
int axt_place_vertices(struct axt_graph *g, const struct axt_expr *a, const struct axt_aux *of,
    struct axt_place *out);
/* Fills a place from a dataset that was read. Returns the code of the graph's error. */
int axt_place_of(struct axt_graph *g, const struct axt_aux *x, struct axt_place *out);
/*
 * The attributes l without what they tell of the grid that these n coordinates make: its mapping,
 * its areas, and their names among those of coordinates. A coordinate may be NULL.
 */
const struct axt_attr *axt_place_leave(struct axt_graph *g, const struct axt_attr *l,
    const struct axt_aux *const of[], int n);
/* Whether one of two coordinates is a latitude and the other a longitude. */
bool axt_place_pair(const enum axt_meaning is[2]);
/* Whether attributes or name tell that these are latitudes or longitudes, for hints of axt-calc. */
enum { AXT_PLACE_LAT = AXT_MEANS_LAT, AXT_PLACE_LON = AXT_MEANS_LON };
static inline bool
axt_place_is(const char *name, const struct axt_attr *attrs, int is)
{
	return (int)axt_meaning(name, attrs) == is;
}
/* A node with the values of a, to which the dataset belongs as a coordinate. */
struct axt_expr *axt_place_add(struct axt_graph *g, struct axt_expr *a, const struct axt_aux *x);
/* The names of coordinates over axes of a that are no axes, for hints; NULL: there are none. */
const char *axt_place_list(struct axt_graph *g, const struct axt_expr *a);
/*
 * In texts.c: the strings along axis i of a in which NAME@REST looks for REST. NAME is what they
 * are called, or an axis without coordinates that they lie along. They belong to a, or lie beside
 * it in its file.
 */
struct axt_texts {
	int axis;
	struct axt_coord text;
	const char *called;
	const struct axt_aux *added; /* they only lie beside a; NULL: they belong to it */
};
/* Returns as axt_place_find; an error if there are several. */
int axt_texts_find(struct axt_graph *g, const struct axt_expr *a, const char *name,
    const char *rest, struct axt_texts *out);
/*
 * Selects the elements whose string is REST. If strings occur several times, they are groups: all
 * elements with a string that REST lists are selected, and the axis stays.
 */
struct axt_expr *axt_slice_text(struct axt_graph *g, struct axt_expr *a, const struct axt_texts *t,
    const char *rest);

/*
 * In interp.c: splits a word AXIS=TARGETS, AXIS@TARGETS or AXIS,AXIS=TARGETS into the names of the
 * axes and the targets. Fails with SYNTAX.
 */
int axt_targets_split(struct axt_graph *g, const char *spec, char **names, const char **rest);
/*
 * In interp.c: the targets of a word AXIS=TARGETS of axt_interp, where they are coordinates along
 * axis i of a.
 */
struct axt_targets {
	int64_t n;
	double *to;             /* [n], in the units of a's coordinates */
	double *bounds;         /* [n][2], likewise; NULL: there are none */
	struct axt_coord coord; /* what the result has along the axis, without bounds */
};
int axt_targets_of(struct axt_graph *g, struct axt_expr *a, int i, const char *spec,
    const struct axt_interp_opts *o, struct axt_targets *out);

/*
 * In edges.c: the cells along an axis, two edges of each, the lower one first, in any order. n,
 * circle and latitude are set before axt_edges_make. bounds: n pairs, or NULL.
 */
struct axt_edges {
	int64_t n;
	bool circle, latitude; /* longitudes that may go around; latitudes, in degrees */
	double (*of)[2];
};
int axt_edges_make(struct axt_graph *g, const double *x, const double *bounds, const char *what,
    struct axt_edges *out);
/* Those of an axis of a. */
int axt_edges_of_axis(struct axt_graph *g, const struct axt_expr *a, const struct axt_axis *x,
    struct axt_edges *out);
/* Adds the n pairs of edges as the bounds of an axis, whose attribute names them, to a list. */
int axt_edges_add(struct axt_graph *g, const struct axt_axis *axis, const double *pairs,
    const struct axt_aux **list);

/* In points.c: how many degrees the unit of a coordinate is: 1, unless its units are radians. */
double axt_place_degrees(const struct axt_attr *l);

/* The points of a grid: for each cell a vector of length 1. */
struct axt_points {
	struct axt_axes axes; /* the axes that the coordinates lie over */
	int64_t n;
	double (*v)[3]; /* [n], row-major; the first number is NaN if a coordinate is missing */
};
/*
 * Makes the points that two coordinates of a tensor `a` give, in the order of the axes of a.
 * Leading axes along which both coordinates stay the same are left out, as long as two axes remain.
 * Errors: ARG, LIMIT, MEM.
 */
int axt_points_of(struct axt_graph *g, const struct axt_expr *a, const struct axt_place *lat,
    const struct axt_place *lon, struct axt_points *out);
/* The vector of one point, in the units of these coordinates. g may be NULL: no message. */
int axt_point_of(struct axt_graph *g, const struct axt_place *lat, double at_lat,
    const struct axt_place *lon, double at_lon, double v[3]);
/*
 * Sets at[i] to the index of the point that is nearest to to[i]; of several at one distance, to the
 * lowest index; to -1 if to[i] is missing, or all points are. The number of threads does not
 * matter.
 */
int axt_points_nearest(struct axt_graph *g, const struct axt_points *from, double (*to)[3],
    int64_t n, int64_t *at);

#endif
