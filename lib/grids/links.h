/*
 * links.h - how much each cell of one grid counts in each cell of another.
 */
#ifndef AXT_GRIDS_LINKS_H
#define AXT_GRIDS_LINKS_H

#include "axt_builds.h"
#include "grids/cells.h"

/*
 * Row t, which is a cell of the new grid, is the sum of weight[k] times the value of cell from[k]
 * of the old grid, of k in [start[t], start[t + 1]). Within a row cells are in rising order.
 */
struct axt_links {
	int64_t rows, n, *start, *from;
	double *weight;
};

/* What a thread has while it makes rows. */
struct axt_row {
	int64_t n, room, *from;
	double *weight;
	/* for the function that makes rows: cells, and of `parts` of them what each shares */
	struct axt_found found;
	int64_t parts;
	double *part;
	double (*moment)[3]; /* of second order: integrals over what each shares */
	bool bad;            /* out of memory */
};
void axt_row_add(struct axt_row *r, int64_t from, double weight);

/* In slopes.c: the middles of mass of all cells of a grid, malloc'd; NULL: an error. */
double (*axt_grid_centres(struct axt_graph *g, const struct axt_grid *x, bool circles))[3];
/* The integral over what two cells have between circles of latitude, added to moment[]. */
void axt_circles_moment(const struct axt_box4 *a, const struct axt_box4 *b, double moment[3]);
/*
 * How much the slope of a field within cell i, times `off`, is of the values of cells around, of
 * which it lists at most AXT_AROUND. Returns how many.
 */
#define AXT_AROUND 9 /* with itself */
int axt_slope(const struct axt_grid *x, const struct axt_tree *centres, int64_t i,
    const double off[3], int64_t from[AXT_AROUND], double weight[AXT_AROUND]);

/* Whether the method needs the edges of cells of the old grid, and of the new one. */
bool axt_regrid_needs_cells(enum axt_regrid_method m);
/* Makes the links from one grid to another, by all threads. They are in the arena of the graph. */
int axt_links_make(struct axt_graph *g, const struct axt_grid *from, const struct axt_grid *to,
    enum axt_regrid_method m, struct axt_links *out);

/* The area of cell i: between circles of latitude if it is such a cell, or of its polygons. */
double axt_grid_area(const struct axt_grid *x, bool circles, int64_t i);
/*
 * In weights.c: reads links from a file in SCRIP's or ESMF's dialect, and sets *as to what treats
 * missing values as their method does; writes o->save. Return the code of the graph's error.
 */
int axt_links_read(struct axt_graph *g, const char *file, const struct axt_open_opts *open,
    const struct axt_grid *from, const struct axt_grid *to, enum axt_regrid_method *as,
    struct axt_links *out);
int axt_links_write(struct axt_graph *g, const struct axt_regrid_opts *o,
    const struct axt_grid *from, const struct axt_grid *to, const struct axt_links *x);

#endif
