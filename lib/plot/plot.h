/*
 * plot.h - pictures of tensors: what is drawn (a figure), and what draws it.
 */
#ifndef AXT_PLOT_PLOT_H
#define AXT_PLOT_PLOT_H

#include "axt_cmd.h"
#include "grids/grids.h"

/* ---- colours ---- */

struct axt_colors {
	const char *name;
	bool diverging; /* its middle is a neutral colour, which belongs to zero */
	int n;
	uint32_t anchor[11]; /* 0xRRGGBB, at equal distances */
};
/* The map of that name; NULL: there is none. */
const struct axt_colors *axt_colors_named(const char *name);
/* The colour at t, which is taken to be in [0, 1]. */
uint32_t axt_colors_at(const struct axt_colors *m, double t);
/* The colour of line i, and of missing values. */
uint32_t axt_line_color(int i);
#define AXT_COLOR_MISSING 0xcccccc

/* ---- scales ---- */

#define AXT_TICKS 40
#define AXT_TICK_TEXT 64
enum axt_scale_kind {
	AXT_SCALE_NUMBERS,
	AXT_SCALE_TIMES,  /* seconds of a calendar */
	AXT_SCALE_LABELS, /* positions, which have texts */
	AXT_SCALE_EAST,   /* degrees of longitude */
	AXT_SCALE_NORTH   /* degrees of latitude */
};
/* Where values lie along an axis or a bar of colours: lo at one end and hi at the other. */
struct axt_scale {
	enum axt_scale_kind kind;
	double lo, hi; /* lo < hi */
	bool log;
	bool down;                /* values rise downward, or to the left */
	int calendar;             /* of TIMES */
	const char *const *label; /* of LABELS */
	const char *title;        /* escaped; "" if there is none */
	int n;
	double tick[AXT_TICKS];
	char text[AXT_TICKS][AXT_TICK_TEXT];
};
/* Sets lo and hi, which are made to differ. */
void axt_scale_range(struct axt_scale *s, double lo, double hi);
/* The position of v: 0 at the left or lower end, 1 at the other. */
double axt_scale_at(const struct axt_scale *s, double v);
/* The value at position f. */
double axt_scale_value(const struct axt_scale *s, double f);
/* Makes about `most` ticks at most, at round values. ascii: their texts are of ASCII alone. */
void axt_scale_ticks(struct axt_scale *s, int most, bool ascii);

/* ---- what is read ---- */

/*
 * The values of a tensor of at most three axes, whose axes were cut into blocks: block[i] elements
 * along axis i; the last block may have fewer.
 */
struct axt_cells {
	int64_t n[3], block[3];
	double *lo;   /* the mean, or the least value, of each block; row-major */
	double *hi;   /* the greatest; NULL with means, and where each element is a cell */
	double *mean; /* of BOTH, where hi is */
};
/* BOTH: means, and the least and the greatest value, in one pass. */
enum axt_cells_how { AXT_CELLS_MEAN, AXT_CELLS_EXTREMES, AXT_CELLS_BOTH, AXT_CELLS_QUICK };
/*
 * Runs e, of nd axes, and reads about most[i] cells along axis i; 0: each element is a cell. If
 * explain is not NULL, it gets the plan, nothing is run, and all cells are 0.
 */
int axt_cells_read(struct axt_graph *g, struct axt_expr *e, int nd, const int64_t most[],
    enum axt_cells_how how, FILE *explain, struct axt_cells *c);

/* ---- figures ---- */

enum axt_fig_kind {
	AXT_FIG_LINES,
	AXT_FIG_MAP,  /* values of cells as colours; a panel for each of n */
	AXT_FIG_BARS, /* v[nx] between edges */
	AXT_FIG_IMAGE /* cells of n channels, from 0 to 1: grey, or red, green, blue, opacity */
};
struct axt_line {
	int64_t n;
	const double *x, *lo, *hi; /* [n]; lo and hi are the same where nothing was reduced */
};
struct axt_fig {
	enum axt_fig_kind kind;
	const char *title, *note; /* escaped; "" if there is none */
	struct axt_scale x, y, c; /* c: the colours of a map */
	int n;                    /* panels, lines or channels */
	const char *const *name;  /* [n]: of panels or lines; NULL: there are no names */
	struct axt_line *line;    /* [n] */
	int64_t nx, ny;
	const double *xe, *ye; /* [nx + 1], [ny + 1]: edges of cells, which rise or fall */
	const double *v;       /* [n][ny][nx] */
	const struct axt_colors *colors; /* of a map */
	uint32_t missing;                /* the colour of missing values */
	bool equal;                      /* a unit of x is as long as one of y */
	bool coast; /* degrees east and north: coast lines are drawn over the cells */
};
/* What is to be drawn, from the tensors. cells: about how many fit, across and up. */
int axt_fig_make(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_plot_opts *o, const int64_t cells[2], struct axt_fig *f);
/* The index of the cell between edges e[n + 1] in which v lies; -1: in none. */
int64_t axt_cell_at(const double *e, int64_t n, double v);
/* Whether it has cells; and how many panels it has. */
bool axt_fig_has_cells(const struct axt_fig *f);
int axt_fig_panels(const struct axt_fig *f);
/* The colour of cell (y, x) of panel k; how far along the colours it is, NaN if it is missing. */
uint32_t axt_fig_color(const struct axt_fig *f, int k, int64_t y, int64_t x);
double axt_fig_shade(const struct axt_fig *f, int k, int64_t y, int64_t x);
/*
 * Gives point i of the coast lines of the world, in degrees. The points of a line follow each
 * other, and a point of NaN, NaN ends the line. Returns false if there is no point i.
 */
bool axt_coast_point(int i, double *east, double *north);
/* The columns of n panels beside and above each other. */
int axt_fig_columns(int n);

/* ---- drawing ---- */

/* How many characters the text has; a page of text counts them as its columns. */
int axt_text_columns(const char *s);
/*
 * Adds the n values v as a line of blocks with eight heights, from lo to hi. Missing values are
 * blank; infinite ones are as high as hi or as low as lo. ascii: characters of ASCII take the place
 * of blocks.
 */
void axt_blocks(struct axt_buf *b, const double *v, int64_t n, double lo, double hi, bool ascii);

/* A figure as text; out gets it. ink PLAIN with ASCII: no colours. */
int axt_text_draw(struct axt_fig *f, const struct axt_plot_opts *o, struct axt_buf *out,
    struct axt_err *e);
/* A figure as a PNG, SVG or PDF file, or as a sixel or kitty sequence. */
int axt_picture_draw(struct axt_fig *f, const struct axt_plot_opts *o, enum axt_plot_form form,
    struct axt_buf *out, struct axt_err *e);
/* w * h pixels 0xRRGGBB as a sixel sequence. */
void axt_sixel(const uint32_t *p, int w, int h, struct axt_buf *out);
/* The bytes of a PNG file as a kitty sequence. */
void axt_kitty(const void *png, size_t n, struct axt_buf *out);

#endif
