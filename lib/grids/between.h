/*
 * between.h - values between the middles of cells.
 */
#ifndef AXT_GRIDS_BETWEEN_H
#define AXT_GRIDS_BETWEEN_H

#include "grids/links.h"

struct axt_between {
	const struct axt_grid *from;
	double *lat, *lon; /* of crossed axes; longitudes go on beyond 360 degrees */
	bool lat_rises, lon_rises;
	struct axt_ball *ball; /* of quads between four cells, or the middles of cells */
	struct axt_tree tree;
};
int axt_between_make(struct axt_graph *g, const struct axt_grid *from, struct axt_between *b);
void axt_between_free(struct axt_between *b);
/* Adds the cells around a place to a row. false: no cells surround it. */
bool axt_between_row(const struct axt_between *b, const double p[3], struct axt_row *r);
/* The 16 cells around it, between latitudes and longitudes that are axes. */
bool axt_between_cubic(const struct axt_between *b, const double p[3], struct axt_row *r);

#endif
