/* along.h - the axes of tensors as axes of pictures, for the files of this room. */
#ifndef AXT_PLOT_ALONG_H
#define AXT_PLOT_ALONG_H

#include "plot/plot.h"

struct axt_along {
	struct axt_scale scale; /* without its range */
	int64_t n;
	const struct axt_coord *coord; /* NULL: elements lie at their positions */
	bool earth;                    /* coordinates are degrees of the earth, where coasts are */
	struct axt_cftime time;        /* of coordinates that are times */
};
/* Where element i lies, in the scale's unit. */
double axt_along_at(const struct axt_along *a, int64_t i);
/* up: the axis goes up in the picture, where larger values may lie lower. */
int axt_plot_along(struct axt_graph *g, const struct axt_axis *a, bool up, struct axt_along *out);
/* The edges of cells of `block` elements each: one more than cells. NULL: out of memory. */
double *axt_plot_edges(struct axt_graph *g, const struct axt_along *a, int64_t block);
/* The middles of such cells. */
double *axt_plot_middles(struct axt_graph *g, const struct axt_along *a, int64_t block);
/* The coordinate at index i as text, or i. */
const char *axt_plot_coord(struct axt_graph *g, const struct axt_axis *a, int64_t i);
/* What the attributes call a thing: its long name, standard name, or name. */
const char *axt_plot_title(struct axt_graph *g, const struct axt_attr *attrs, const char *name);
/* The title, followed by the units in brackets if there are any. */
const char *axt_plot_with_units(struct axt_graph *g, const char *title,
    const struct axt_attr *attrs);

#endif
