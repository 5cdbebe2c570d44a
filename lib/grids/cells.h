/*
 * cells.h - the cells of any grid: those between latitudes and longitudes, those that have
 * vertices, over two axes or one, and those of HEALPix.
 */
#ifndef AXT_GRIDS_CELLS_H
#define AXT_GRIDS_CELLS_H

#include "axt_builds.h"
#include "grids/grids.h"
#include "grids/sphere.h"
#include "grids/tree.h"

struct axt_grid {
	const char *what; /* for messages */
	/*
	 * CROSSED: latitudes and longitudes are axes; CELLS: they lie over one axis or two; HEALPIX
	 */
	enum { AXT_GRID_CROSSED, AXT_GRID_CELLS, AXT_GRID_HEALPIX } kind;
	/*
	 * The axes that the cells lie over, one or two, and how many cells there are. The axes have
	 * the coordinates that a field on this grid has; aux has others, with bounds.
	 */
	struct axt_axes axes;
	int64_t n;
	double (*at)[3]; /* CELLS: the middles; the first number is NaN where one is missing */
	const struct axt_aux *aux;
	const struct axt_attr *attrs; /* of the field: coordinates, grid_mapping */
	struct axt_place lat, lon;
	/* CROSSED: edges of the cells along each, in degrees; which of the two is the first axis */
	double (*lat_edge)[2], (*lon_edge)[2];
	bool lon_first;
	bool circle; /* the cells of a row go around the sphere */
	/* CELLS: vertices, `each` of a cell, or corners between middles; each 0: there are none */
	struct axt_place vlat, vlon;
	int64_t each;
	double (*corner)[3]; /* [rows + 1][columns + 1] */
	/* HEALPIX */
	int64_t side;
	bool nested;
};
/*
 * The grid of a tensor, by its coordinates. `cells`: the edges of cells are needed. Returns the
 * code of the graph's error.
 */
int axt_grid_of(struct axt_graph *g, const struct axt_expr *a, bool cells, struct axt_grid *out);
/* Whether a tensor has a grid. */
bool axt_grid_there(struct axt_graph *g, const struct axt_expr *a);
/* The grid that a word means: "r360x180", "n80", "global_1", "hp8", a file, a description. */
int axt_grid_word(struct axt_graph *g, const char *word, bool cells,
    const struct axt_open_opts *open, struct axt_grid *out);
/*
 * In described.c: the tensor whose grid a word means that has coordinates, "lat=-90:90:30,lon=0:9",
 * or names a file with a description as of cdo griddes; or, in *other, the word that means it.
 * Returns 1; 0: it is another word; -1: an error of the graph.
 */
int axt_grid_described(struct axt_graph *g, const char *word, const struct axt_open_opts *open,
    struct axt_expr **out, const char **other);
/*
 * In griddes.c: gives e the axes and coordinates of a grid in place of those of another one.
 * index[]: which axes of e those of the new grid are.
 */
struct axt_expr *axt_grid_dress(struct axt_graph *g, struct axt_expr *e, const int index[2],
    const struct axt_grid *from, const struct axt_grid *to);
/* Likewise a by the options, whose method is KEEP. */
struct axt_expr *axt_grid_keep(struct axt_graph *g, struct axt_expr *a,
    const struct axt_regrid_opts *o);
/* Whether the cells of two grids are the same, in the same order. */
bool axt_grid_same(const struct axt_grid *a, const struct axt_grid *b);
/*
 * A cell is one polygon, or several whose edges follow a circle of latitude. axt_grid_polygon makes
 * one of them, which is ready.
 */
int axt_grid_pieces(const struct axt_grid *x, int64_t i);
void axt_grid_polygon(const struct axt_grid *x, int64_t i, int piece, struct axt_polygon *out);
/* A coordinate in degrees. */
double axt_place_at(const struct axt_place *p, int64_t i);
/* A cell between two circles of latitude and two meridians, in degrees. */
struct axt_box4 {
	double south, north, west, east;
};
/* Whether cell i is such a cell. */
bool axt_grid_box(const struct axt_grid *x, int64_t i, struct axt_box4 *out);
void axt_grid_middle(const struct axt_grid *x, int64_t i, double v[3]);
/*
 * Balls around the cells, or with `middles` their middles, with a radius of 0. The caller frees
 * them. NULL: an error.
 */
struct axt_ball *axt_grid_balls(struct axt_graph *g, const struct axt_grid *x, bool middles);

/* healpix.c: the middle and the vertices of a cell, which has four, of side * side * 12. */
void axt_healpix_middle(int64_t side, bool nested, int64_t i, double v[3]);
void axt_healpix_corners(int64_t side, bool nested, int64_t i, double v[4][3]);

#endif
