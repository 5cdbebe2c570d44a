/* maker.h - what the files share that make figures of tensors. */
#ifndef AXT_PLOT_MAKER_H
#define AXT_PLOT_MAKER_H

#include "plot/along.h"

struct axt_maker {
	struct axt_graph *g;
	const struct axt_plot_opts *o;
	struct axt_fig *f;
	bool quick;          /* an element of each block stands for it */
	int dot;             /* of points: how many cells across */
	struct axt_buf note; /* what the line under the title says */
};
/* Out of memory. Returns the code. */
int axt_make_oom(struct axt_maker *m);
/* Adds to the line under the title. */
void axt_make_note(struct axt_maker *m, const char *text);
/* Says there how large the blocks of axes `first` to nd - 1 are, of which `what` is drawn. */
void axt_make_note_blocks(struct axt_maker *m, const struct axt_cells *c, int first, int nd,
    const char *what);
/* The index of the axis that was typed; -1 if `typed` is NULL, or with an error. */
int axt_make_axis(struct axt_graph *g, const struct axt_expr *e, const char *typed);
/* Fails if there are more indices than are drawn. option: which asks for the axis. */
int axt_make_few(struct axt_maker *m, const struct axt_expr *e, int axis, int64_t most,
    const char *option);
/* The coordinates along an axis as names of panels or lines; dates and texts without its name. */
const char *const *axt_make_names(struct axt_graph *g, const struct axt_axis *a);
/* How much an axis belongs up in a picture rather than across. */
enum { AXT_UP_LON = 1, AXT_UP_OTHER, AXT_UP_LAT, AXT_UP_HEIGHT };
int axt_make_upness(const struct axt_axis *a);
/* The axes of e that a figure has: up, across, and that of panels, lines or channels; -1: none. */
struct axt_roles {
	int y, x, each;
};
/*
 * Reduces e to the axes of the roles, in the order each, y, x. Other axes are averaged over with
 * --mean-rest, and an error without. want: how many axes a picture takes.
 */
struct axt_expr *axt_make_settle(struct axt_maker *m, struct axt_expr *e, struct axt_roles *r,
    int want);
/*
 * In range.c: sets the range of s to that of the n values v, and of w if it is not NULL, or to
 * --range. If `both` is not NULL, a range with enough on both sides of zero gets zero in its
 * middle, and *both tells whether it did.
 */
int axt_make_range(struct axt_maker *m, struct axt_scale *s, const double *v, const double *w,
    int64_t n, bool *both);
/* Chooses the map of colours. */
int axt_make_colors(struct axt_maker *m, bool both);

/* The kinds of figures, in files of their names. fit: about how many cells there are room for. */
int axt_make_map(struct axt_maker *m, struct axt_expr *e, const int64_t fit[2]);
int axt_make_image(struct axt_maker *m, struct axt_expr *e, const int64_t fit[2]);
int axt_make_lines(struct axt_maker *m, struct axt_expr *const e[], int n, const int64_t fit[2]);
int axt_make_hist(struct axt_maker *m, struct axt_expr *e);
int axt_make_scatter(struct axt_maker *m, struct axt_expr *a, struct axt_expr *b,
    const int64_t fit[2]);

#endif
