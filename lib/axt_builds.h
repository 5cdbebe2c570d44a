/*
 * axt_builds.h - functions that build nodes for operations. They are not exported from the library:
 * programs call an operation by its name with axt_call(), whose row in lib/operations calls these.
 */
#ifndef AXT_AXT_BUILDS_H
#define AXT_AXT_BUILDS_H

#include "axt.h"

/*
 * axt_onehot - a new axis "AXIS=LEN", along which the element whose index is the value of a is
 * true.
 * shapes  a's axes, then the new one.
 * dtypes  a: integers; the result: bool.
 * errors  SYNTAX, NAME, AXES (a has the axis), DTYPE, LIMIT; in the run RANGE (a value not in [0,
 *         LEN)).
 */
struct axt_expr *axt_onehot(struct axt_graph *g, struct axt_expr *a, const char *spec);

/*
 * axt_softmax - exp(a) divided by its sum along the axes. The greatest value is subtracted from a
 * first, so that nothing overflows.
 * shapes  a's.
 * dtypes  floats: their own (16-bit ones computed in f32); integers and bool: f64.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex), ARG (an empty axis).
 */
struct axt_expr *axt_softmax(struct axt_graph *g, struct axt_expr *a, const char *along);

/*
 * axt_sort - a's values along one axis in rising or descending order, NaN last; or, with `index`,
 * the positions that they come from; equal values keep their order. The axis loses its coordinates.
 * shapes  a's.  dtypes  a's; index: i64.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex); the run: LIMIT when a line does not fit in memory.
 * source  Knuth, TAOCP 3, 5.2.2M (short lines), 5.2.5 (digits).
 */
struct axt_expr *axt_sort(struct axt_graph *g, struct axt_expr *a, const char *along,
    bool descending, bool index);

/*
 * axt_diff - the differences a[i + 1] - a[i] along one axis, taken `order` times (at least once),
 * as by numpy.diff.
 * shapes  those of a, with the axis shorter by `order`. Its coordinates are those of the later
 *         elements.
 * dtypes  that of a: integers wrap around, and the difference of two bool is their exclusive or.
 * errors  AXES, NAME, SYNTAX, ARG (order); in the run LIMIT, if the axis does not fit in memory.
 */
struct axt_expr *axt_diff(struct axt_graph *g, struct axt_expr *a, int order, const char *along);

/*
 * axt_gradient - the slope at each element along one axis, as by numpy.gradient: by the coordinates
 * of the axis, or by positions if it has none. It is of second order between two neighbours, which
 * may be at different distances, and of first order at the ends.
 * shapes  a's.  dtypes  a's; f64 for integers.
 * units   those of a by those of the coordinates, which are days for "days since 2000-01-01".
 * errors  AXES, NAME, SYNTAX, ARG (an axis of one element), COORD (text, or coordinates that
 *         neither rise nor fall).
 */
struct axt_expr *axt_gradient(struct axt_graph *g, struct axt_expr *a, const char *along);

/*
 * axt_ffill, axt_bfill - replace NaN by the last value before it along one axis, or by the next
 * value after it, as xarray's ffill and bfill do. limit: at most so many NaN in a row are replaced;
 * 0: all.
 * shapes  a's.  dtypes  a's; integers have nothing to fill.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex); in the run LIMIT, if the axis does not fit in
 *         memory.
 */
struct axt_expr *axt_ffill(struct axt_graph *g, struct axt_expr *a, const char *along, int limit);
struct axt_expr *axt_bfill(struct axt_graph *g, struct axt_expr *a, const char *along, int limit);

/*
 * axt_rank - the ranks of values along one axis, counted from 1, as by scipy.stats.rankdata. NaN
 * has no rank, and stays NaN.
 * shapes  a's.  dtypes  f64. The result has no units.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex); in the run LIMIT, if the axis does not fit in
 *         memory.
 */
enum axt_rank_method {
	AXT_RANK_AVERAGE,
	AXT_RANK_MIN,
	AXT_RANK_MAX,
	AXT_RANK_DENSE,
	AXT_RANK_ORDINAL
};
struct axt_expr *axt_rank(struct axt_graph *g, struct axt_expr *a, const char *along,
    enum axt_rank_method method);

/* What is divided by the number of elements, as in numpy.fft; ORTHO: both, by its root. */
enum axt_fft_norm { AXT_FFT_BACKWARD, AXT_FFT_ORTHO, AXT_FFT_FORWARD };
struct axt_fft_opts {
	bool inverse;
	/* of real numbers: frequencies from 0 on; the inverse gives real numbers */
	bool real;
	bool center; /* frequencies rise, with 0 in the middle; an inverse sees it by coordinates */
	enum axt_fft_norm norm;
	/* inverse and real: the length of the last axis; 0: what it was, or 2*n - 2 */
	int64_t length;
	double spacing; /* of neighbours along the axes, 0: of their coordinates, or 1 */
};
/*
 * axt_fft - discrete Fourier transforms along axes (a list such as "y,x"), computed by FFTW: those
 * of numpy.fft's fftn and rfftn, and their inverses. In a real transform, it is the last axis of
 * the list that loses its negative frequencies. o may be NULL.
 * shapes  a's; the axis time becomes freq_time, whose coordinates are frequencies in cycles per
 *         unit of the coordinates of time, or per element if there are none. An inverse turns
 *         freq_time into time, with the coordinates that attributes of freq_time keep.
 * dtypes  c64 for f16, bf16, f32 and c64, c128 for others; f32 and f64 for a real inverse. All are
 *         computed in double precision.
 * units   a's; coordinates have the reciprocal of their unit.
 * errors  AXES, NAME, SYNTAX, ARG, COORD (no even steps), DTYPE (a real transform of complex
 *         values), NOSYS (no FFTW); in the run LIMIT, if the axis does not fit in memory.
 */
struct axt_expr *axt_fft(struct axt_graph *g, struct axt_expr *a, const char *along,
    const struct axt_fft_opts *o);

/*
 * axt_interp - the values of a at other coordinates along an axis: on the straight line between two
 * points or, if o asks for it, those of the nearest point. Points must rise or fall. Beyond the
 * ends, and where one of the two points is missing, the result is missing. Longitudes go around. o
 * may be NULL.
 * spec is AXIS=V,W, AXIS=FIRST:LAST:STEP or AXIS=FILE:DATASET. Numbers are in the units of the
 * coordinates; along times they are dates, with steps such as 6h. If the tensor FILE:DATASET has
 * AXIS, its coordinates along AXIS are the targets. If not, as the latitudes of stations, its
 * values are, and its axes take the place of AXIS: interp lat=slat, and then lon=slon, gives the
 * values at the stations. A missing target gives a missing result.
 * shapes  the axes of a, then others of the points; AXIS has the targets for coordinates. A single
 *         number or date, AXIS=V, drops AXIS, as in axt_slice.
 * dtypes  floats keep theirs, computed in f64; integers give f64.
 * errors  AXES, NAME, SYNTAX, COORD (no coordinates, other units), DTYPE (complex, text); in the
 *         run ARG (points that neither rise nor fall), LIMIT, if the axis does not fit in memory.
 */
struct axt_interp_opts {
	bool nearest;
	bool extrapolate; /* go on beyond the ends */
	/* where each element lies along the axis, in place of its coordinates; NULL */
	struct axt_expr *points;
	/* the tensor that has the targets, and then spec is AXIS alone; NULL */
	struct axt_expr *targets;
	const struct axt_open_opts *open; /* how FILE:DATASET is opened; NULL: the defaults */
};
struct axt_expr *axt_interp(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const struct axt_interp_opts *o);

/*
 * axt_regrid - means over the cells of another grid along one axis or two, as cdo remapcon. An
 * element counts by how much its cell overlaps the new cell, on a sphere where the axis has
 * latitudes. Missing elements do not count, and a new cell that overlaps no others is missing.
 * Cells have the bounds that their coordinates have; without bounds they end halfway between
 * coordinates.
 * spec has n words as axt_interp takes them, each for one axis or, as "lat,lon=FILE", for two. If
 * targets[i] is not NULL, this tensor has the targets of spec[i], and spec[i] is only the axis.
 * shapes  the axes of a, with the targets for coordinates, which have bounds.
 * dtypes  floats keep theirs, computed in f64; integers give f64.
 * errors  as axt_interp; COORD too for cells that overlap or have no width; ARG for more than two
 *         axes.
 */
struct axt_expr *axt_regrid(struct axt_graph *g, struct axt_expr *a, int n,
    const char *const spec[], struct axt_expr *const targets[], const struct axt_open_opts *open);

/*
 * axt_regrid_to - gives the values of a on the cells of another grid on the sphere. Both grids may
 * have latitudes and longitudes that are axes, or lie over two axes or one, with vertices as
 * bounds; or be HEALPix. `to` is "r360x180", "global_1", "n80", "hp8", "hp8_nested", or a file.
 * missing: "renorm": what is missing does not count; "nan": what has a part that is missing is; or
 * the least share of a cell that must be there; NULL: nan if bilinear, else renorm. KEEP: values
 * stay as they are, and get the coordinates of the grid.
 * shapes  the axes of a, with those of the grid in place of those of its cells.
 * dtypes  floats keep theirs, computed in f64; integers give f64.
 * errors  those of axt_open for a file; COORD without latitudes, longitudes or vertices, or where
 *         grids are apart; ARG, DTYPE; of KEEP AXES (other lengths), AMBIG (several).
 * threads those of the graph make the weights, in an order that does not depend on them.
 */
enum axt_regrid_method {
	AXT_REGRID_CONSERVATIVE,
	AXT_REGRID_BILINEAR,
	AXT_REGRID_NEAREST,
	AXT_REGRID_DISTANCE,
	AXT_REGRID_LARGEST,
	AXT_REGRID_KEEP,
	AXT_REGRID_BICUBIC,
	AXT_REGRID_CONSERVATIVE2
};
struct axt_regrid_opts {
	const char *to;
	enum axt_regrid_method method;
	const char *missing;
	/* KEEP: the axes of a that the grid lies over; NULL: those of its grid, or by lengths */
	const char *over;
	/* a file of weights in place of a method, which is that of the file; NULL */
	const char *weights;
	const char *save; /* a file that gets the weights, in the dialect of SCRIP or ESMF; NULL */
	enum axt_regrid_dialect { AXT_WEIGHTS_SCRIP, AXT_WEIGHTS_ESMF } dialect;
	const struct axt_open_opts *open; /* how the file is opened; NULL: the defaults */
	bool some;                        /* a tensor that has no grid stays as it is */
};
struct axt_expr *axt_regrid_to(struct axt_graph *g, struct axt_expr *a,
    const struct axt_regrid_opts *o);

/*
 * axt_trend - fits a straight line to a along one axis, as axt_linfit does, over `points`, a tensor
 * with that axis; NULL: over the coordinates of the axis, or over 0, 1, 2... if it has none.
 * results: the slope; the intercept, which is the value where points are 0; and a without the line.
 * shapes  those of axt_linfit; the third result has that of a.
 * dtypes  real; slope and intercept are f64, the third is a's, and f64 for integers and bool.
 * units   of the slope a's per unit of points, where times count by their unit alone: "K days-1";
 *         of the others a's.
 * errors  those of axt_linfit; COORD (coordinates that are no real numbers).
 */
int axt_trend(struct axt_graph *g, struct axt_expr *a, struct axt_expr *points, const char *along,
    int nan, struct axt_expr *results[3]);

/*
 * axt_cov, axt_corr - the covariance, and Pearson's correlation, of x and y over axes, as
 * xarray.cov and xarray.corr: where one tensor has NaN that is left out, the element of the other
 * one is left out, too.
 * o is as for axt_reduce, without labels; NULL: over all axes, and of cov with ddof 1. Sums of
 * covariances are divided by count - ddof. With weights there is no ddof.
 * shapes  the axes of x that are not reduced, followed by those of y that x lacks.
 * dtypes  real; the wider dtype of the two, f64 for integers; computed in f64.
 * units   unit(x) * unit(y) for cov.
 * errors  those of axt_reduce and axt_map.
 */
struct axt_expr *axt_cov(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o);
struct axt_expr *axt_corr(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y,
    const struct axt_reduce_opts *o);

/*
 * Moves element i to i + N along an axis ("AXIS=N"); elements that go beyond an end come in at the
 * other. Coordinates and auxiliary datasets along the axis move with them, unless `fixed`.
 */
struct axt_expr *axt_shift(struct axt_graph *g, struct axt_expr *a, const char *spec, bool fixed);

/* Which element of a window gives it its coordinates. */
enum axt_window_label { AXT_WINDOW_MIDDLE, AXT_WINDOW_FIRST, AXT_WINDOW_LAST };
/*
 * Makes windows ("AXIS=NAME:LEN[:STEP]") that slide along AXIS. AXIS then counts the windows. Its
 * coordinates are those of the middles of windows (if LEN is even, the mean of the two in the
 * middle, in f64), or of their first or last elements. The elements of a window are along the new
 * last axis NAME. errors: ARG, AXES, LIMIT.
 */
struct axt_expr *axt_window(struct axt_graph *g, struct axt_expr *a, const char *spec,
    enum axt_window_label label);

/*
 * Makes one axis of several ("A,B[=NAME]"), in row-major order, in the place of the first of these.
 * Without NAME it is called A.B.
 */
struct axt_expr *axt_flatten(struct axt_graph *g, struct axt_expr *a, const char *spec);

/*
 * Splits an axis into several ("NAME[=A:2,B:3]"). Without a list these are the axes from which it
 * was flattened. One length may be left out. errors: AXES.
 */
struct axt_expr *axt_unflatten(struct axt_graph *g, struct axt_expr *a, const char *spec);

/*
 * Gives a `rank` axes. If it has more, the last ones are flattened into one, in row-major order
 * ('C') or with the first axis running fastest ('F'). If it has fewer, axes dim_0... of length 1
 * are added at the end. errors: ARG, SYNTAX.
 */
struct axt_expr *axt_reshape_rank(struct axt_graph *g, struct axt_expr *a, int rank, char order);

/* Drops the axes of length 1 that `over` lists, or all of them if it is NULL. errors: AXES. */
struct axt_expr *axt_squeeze(struct axt_graph *g, struct axt_expr *a, const char *over);

/*
 * Adds the axes "NAME[=LEN],...", the first at position `at`, which counts from the end if
 * negative, and the others behind it. A length left out is 1. errors: AXES, ARG, LIMIT, SYNTAX.
 */
struct axt_expr *axt_expand(struct axt_graph *g, struct axt_expr *a, const char *spec, int at);

/*
 * Adds elements before and behind those along an axis ("AXIS=BEFORE,AFTER", or "AXIS=N" for both),
 * as numpy.pad. mode: "constant" or NULL: they are `value`, or 0 if that is NULL; "edge": the
 * outermost element; "reflect": the elements mirrored at the outermost one; "symmetric": mirrored
 * at the end, so that the outermost element comes twice; "wrap": elements from the other end.
 * Numeric coordinates go on evenly, others are dropped. errors: ARG, RANGE (value does not fit the
 * dtype of a), LIMIT.
 */
struct axt_expr *axt_pad(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const char *mode, struct axt_expr *value);

/*
 * axt_eof - empirical orthogonal functions (principal components) of a: patterns over its places,
 * each with a coefficient for each sample. The first patterns have as much of the variance as
 * patterns can have. x are the anomalies: a less its mean over the samples, times the root of the
 * weights.
 * results: by enum axt_eof_result; what they share is computed once.
 *   EOF                 right singular vectors of x, of length 1; their largest element by absolute
 *                       value is positive. Missing in places that are left out.
 *   PC                  x times these, summed over places.
 *   EIGENVALUES         sums of squares of pc, divided by samples - ddof, falling.
 *   EXPLAINED_VARIANCE  the eigenvalues divided by the total variance of x.
 *   NORTH_ERROR         eigenvalue * sqrt(2 / samples).
 * With `rotate`, Kaiser's varimax rotates the modes that were asked for: eof times the root of its
 * eigenvalue, divided in each place by its length over the modes. pc are rotated in the same way,
 * and stay uncorrelated; EIGENVALUES become their variances, falling. eof then have length 1, but
 * are no longer orthogonal, and have to fit in memory. A place is left out if more than `missing`
 * per cent of its samples are missing, if one is infinite, if its weight is missing or negative,
 * or, with `standardize`, if its deviation is 0. In other places, missing samples count as
 * anomalies of 0.
 * shapes  eof [keep, mode, places], pc [keep, mode, samples], others [keep, mode].
 * dtypes  real. eof and pc are f32 for floats of up to 32 bits, else f64; others are f64. All is
 *         computed in f64: singular values below 1e-8 of the largest are not resolved; those of
 *         modes that do not exist are 0, and so are these modes.
 * cost    a is read once for the mean, once for the matrix of products of samples (or of places, if
 *         these are fewer), and once for the patterns; only some copies of that matrix have to fit
 *         in memory.
 * bits    as of axt_linalg.
 * errors  AXES, NAME, SYNTAX, DTYPE, ARG (more modes than there are), COORD; those of axt_linalg.
 * source  North et al. 1982 (Mon. Wea. Rev. 110, 699).
 */
enum axt_eof_result {
	AXT_EOF_EOF,
	AXT_EOF_PC,
	AXT_EOF_EIGENVALUES,
	AXT_EOF_EXPLAINED_VARIANCE,
	AXT_EOF_NORTH_ERROR,
	AXT_EOF_RESULTS
};
#define AXT_EOF_NAMES "eof pc eigenvalues explained_variance north_error"
struct axt_eof_opts {
	const char *over;         /* the axes of samples, such as "time" */
	const char *keep;         /* axes with EOFs of their own at each index; NULL: none */
	const char *mode;         /* the new axis; NULL: mode */
	int64_t modes;            /* how many; 0: 10, or all if there are fewer */
	struct axt_expr *weights; /* of squares of anomalies, over axes of places; NULL: none */
	bool standardize;         /* anomalies are divided by their standard deviation */
	bool no_center;           /* a has anomalies, from which no mean is taken */
	double ddof;              /* 1 for variances as eofs and NumPy's cov have them */
	double missing;           /* per cent, from 0 to below 100 */
	bool rotate;              /* by Kaiser's varimax */
	struct axt_expr *against_weights; /* of axt_mca: as `weights`, for b */
};
int axt_eof(struct axt_graph *g, struct axt_expr *a, const struct axt_eof_opts *o,
    struct axt_expr *results[]);

/*
 * axt_mca - maximum covariance analysis of a and b, which have the same samples: pairs of a pattern
 * of a and a pattern of b whose coefficients have the greatest covariance. They are the singular
 * vectors of the covariances between places. a and b are made anomalies as by axt_eof. opts are as
 * there, without `rotate`. a and b may have different places.
 * results: by enum axt_mca_result.
 *   LEFT_EOF, RIGHT_EOF  patterns of a and of b, of length 1; the largest element of each pattern
 *                        of a is positive. Missing in places that are left out.
 *   LEFT_PC, RIGHT_PC    the weighted anomalies times these, summed over places.
 *   COVARIANCE           of the two coefficients of a pair, falling: singular values divided by
 *                        samples - ddof.
 *   COVARIANCE_FRACTION  their squares, divided by the sum of squares of all.
 * An axis of b's places that a has with another length or other coordinates is called right_NAME.
 * shapes, dtypes, bits, errors as of axt_eof; cost: as of axt_eof for each operand. Singular values
 * below 1e-8 of the largest are not resolved where there are more places than samples.
 * source  Bretherton et al. 1992 (J. Climate 5, 541).
 */
enum axt_mca_result {
	AXT_MCA_LEFT_EOF,
	AXT_MCA_LEFT_PC,
	AXT_MCA_RIGHT_EOF,
	AXT_MCA_RIGHT_PC,
	AXT_MCA_COVARIANCE,
	AXT_MCA_COVARIANCE_FRACTION,
	AXT_MCA_RESULTS
};
#define AXT_MCA_NAMES "left_eof left_pc right_eof right_pc covariance covariance_fraction"
int axt_mca(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_eof_opts *o, struct axt_expr *results[]);

/* a with its axes in the order of those of b, which has the same ones. errors: AXES, AMBIG. */
struct axt_expr *axt_order_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b);
/*
 * The axes of b, then those of a that b lacks. a is repeated along those axes of b that it lacks.
 * Axes that both have must agree, as in an operation on both. errors: AXES, COORD, AMBIG.
 */
struct axt_expr *axt_broadcast_like(struct axt_graph *g, struct axt_expr *a,
    const struct axt_expr *b);

/* min(max(a, lo), hi); a's axes first; NaN stays. */
struct axt_expr *axt_clip(struct axt_graph *g, struct axt_expr *a, struct axt_expr *lo,
    struct axt_expr *hi);
/* a, but b where a is NaN. */
struct axt_expr *axt_fillnan(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b);

struct axt_hist_opts {
	const char *to, *over; /* as of axt_reduce; the bins come last, or where `to` has "bin" */
	int64_t bins;          /* 0: 10, as numpy.histogram has it */
	const char *range;     /* "LO,HI"; NULL: least to greatest finite value, a pass over a */
	struct axt_expr *weights; /* NULL: each element counts 1; broadcast by name */
	bool density;             /* divide by the sum over the bins, and by their widths: f64 */
	int64_t bins2;            /* axt_hist2d: bins of b; 0: as many as of a */
	bool named;               /* axt_hist: the axis is "A_bin", for the name of a, not "bin" */
};
/*
 * axt_hist - how many elements are in each of a number of bins of equal width. A bin has its lower
 * edge; the last one has its upper edge, too. NaN, and values outside the range, are in no bin.
 * shapes  as of axt_reduce, and an axis "bin": coordinates are the middles, their bounds the edges.
 * dtypes  real; counts i64, sums of weights f64. Edges are f64, rounded to f32 for floats up to 32
 *         bits.
 * errors  AXES, NAME, SYNTAX, DTYPE, COORD, ARG (bins, range), LIMIT; without a range those of a
 *         run.
 * source  numpy.histogram.
 */
struct axt_expr *axt_hist(struct axt_graph *g, struct axt_expr *a, const struct axt_hist_opts *o);
/*
 * axt_hist2d - how many elements are in each pair of a bin of a and a bin of b, whose axes are
 * paired by name. A range is "LO,HI" of both, or "LO,HI,LO,HI".
 * shapes  as of axt_hist, with two axes "A_bin" and "B_bin", where A and B are the names of a and
 *         b.
 * dtypes, errors  as of axt_hist.
 * source  numpy.histogram2d.
 */
struct axt_expr *axt_hist2d(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    const struct axt_hist_opts *o);

struct axt_scan_opts {
	bool reverse;         /* from the end */
	enum axt_dtype dtype; /* as of axt_reduce_opts */
};
/*
 * axt_scan - running sums, products, minima or maxima: each element is the reduction of all
 * elements up to it along one axis. op: AXT_RED_SUM PROD MIN MAX. After a NaN the results are NaN,
 * even if it means a missing value.
 * shapes  a's.
 * dtypes  those of the reduction; floats are computed in f64, and each result is rounded once.
 *         Complex: sums.
 * errors  AXES, NAME, SYNTAX, DTYPE, ARG.
 */
struct axt_expr *axt_scan(struct axt_graph *g, enum axt_red op, struct axt_expr *a,
    const char *along, const struct axt_scan_opts *o);

/*
 * axt_fillnan_along - replaces NaN between two values along one axis by the value on the straight
 * line between them, as xarray's interpolate_na: by the coordinates of the axis, or by positions if
 * it has none. nearest: by the value of the nearer one. limit: as in axt_ffill. max_gap: of more
 * NaN in a row than that none is replaced; 0: any number is.
 * shapes  a's.  dtypes  a's; integers have nothing to fill.
 * errors  AXES, NAME, SYNTAX, ARG, COORD (text), DTYPE (complex); in the run ARG (coordinates that
 *         neither rise nor fall), LIMIT, if the axis does not fit in memory.
 */
struct axt_expr *axt_fillnan_along(struct axt_graph *g, struct axt_expr *a, const char *along,
    bool nearest, int limit, int max_gap);

/*
 * axt_scan_linear - y[i] = a[i] * y[i-1] + x[i] along one axis, with y = 0 before the first; o may
 * have `reverse` and `dtype`.
 * shapes  the axes of x, then others of a, which need not have the axis.
 * dtypes  computed in f64; floats x keep theirs, integers give f64.
 * errors  AXES, NAME, SYNTAX, DTYPE (complex); in the run LIMIT, if the axis does not fit in
 *         memory.
 */
struct axt_expr *axt_scan_linear(struct axt_graph *g, struct axt_expr *x, struct axt_expr *a,
    const char *along, const struct axt_scan_opts *o);

/*
 * axt_scan_by - a scan along one axis that begins anew at each element whose label differs from the
 * one before, as year-to-date sums do. op is AXT_RED_SUM, PROD, MIN or MAX. o as for axt_scan.
 * shapes  the axes of x, then others of the labels, which have the axis.
 * dtypes  those of axt_scan; computed in f64, so that integers are exact up to 2^53.
 * errors  AXES, NAME, SYNTAX, COORD, DTYPE (complex), ARG (another operation); in the run LIMIT.
 */
struct axt_expr *axt_scan_by(struct axt_graph *g, enum axt_red op, struct axt_expr *x,
    struct axt_expr *by, const char *along, const struct axt_scan_opts *o);
/*
 * axt_linfit - fits the straight line y = results[0] * x + results[1] to the points along one axis
 * by least squares, as numpy.polyfit of degree 1 does. Both results come from one computation; they
 * are NaN for fewer than two points. nan: as in axt_reduce_opts.
 * shapes  the axes of x without this one, followed by those of y that x lacks.
 * dtypes  real; the results are f64. They have no units.
 * errors  AXES, NAME, SYNTAX, COORD, DTYPE, ARG; in the run ARG (all points have the same x),
 *         LIMIT.
 */
int axt_linfit(struct axt_graph *g, struct axt_expr *x, struct axt_expr *y, const char *along,
    int nan, struct axt_expr *results[2]);

/*
 * axt_multi_dot - contracts 2 to 12 tensors. Axes are paired from left to right; the order of the
 * contractions is the one that costs least (operations and moved elements, found by dynamic
 * programming over subsets of the tensors). Each axis of `over` and `keep` must be in two of the
 * tensors.
 */
struct axt_expr *axt_multi_dot(struct axt_graph *g, int n, struct axt_expr *const a[],
    const struct axt_dot_opts *o);

/*
 * Renames all axes by position, as "B,C" or "B=3,C=4". The rank, and lengths that are given, must
 * agree. errors: SYNTAX, NAME, AXES.
 */
struct axt_expr *axt_cast_axes(struct axt_graph *g, struct axt_expr *a, const char *axes);

/*
 * axt_pack - packs by the CF conventions: the result has integers of the dtype in spec, and the
 * attributes scale_factor, add_offset and _FillValue. NaN becomes _FillValue, which is the least
 * integer of the dtype, or the greatest of an unsigned one. spec is "i16:SCALE:OFFSET"; or "i16",
 * and then a pass over a finds the least and the greatest value now, from which scale and offset
 * follow.
 * shapes  those of a. dtypes: real; i8 u8 i16 u16 i32 u32. mode: ERROR or SATURATE.
 * errors  SYNTAX, DTYPE, ARG, RANGE (infinite values); in the run RANGE.
 * source  CF conventions 1.11, section 8.1.
 */
struct axt_expr *axt_pack(struct axt_graph *g, struct axt_expr *a, const char *spec,
    enum axt_overflow mode);

/*
 * Takes, for each point, the element of a whose cell is nearest on the sphere; of several at one
 * distance the first in row-major order. names: "lat,lon", coordinates of a, which are axes or lie
 * over some. The axes that they lie over are replaced by the axes of the points. points: a tensor
 * whose values do not matter; its coordinates have the same names, or are found by the CF
 * conventions. A point without coordinates gives a missing element (see axt_take), and a cell
 * without is never taken. Coordinates are in degrees, or in radians if their units say so.
 * cost    n log n for n cells, log n for a point; the coordinates are in memory
 * errors  COORD (no such coordinates), ARG (a latitude beyond 90 degrees), those of axt_take.
 * threads the tree is searched by the threads of the graph; their number changes no result.
 */
struct axt_expr *axt_take_nearest(struct axt_graph *g, struct axt_expr *a, const char *names,
    struct axt_expr *points);

/* axt_take by labels; where one is not there, the nearest coordinate is taken. */
struct axt_expr *axt_take_near(struct axt_graph *g, struct axt_expr *a, const char *axis,
    struct axt_expr *labels);

/*
 * Functions that make a like another tensor b, whose values are not read. Coordinates are compared
 * as those of operands are: CF times as instants, whatever their units; degrees_east modulo 360.
 * Axes that both have, but along which one has no coordinates, must have the same length.
 * axt_slice_like    takes, along each axis that both have, the positions whose coordinates b has,
 *                   too.
 * axt_reindex_like  takes, along each axis that both have, the elements at the coordinates of b, in
 *                   the order of b. A coordinate of b that a lacks is an error, or gives missing
 *                   elements (integers of a become f32 or f64), or the nearest element.
 * axt_cast_like     converts to the dtype of b, packed as b is stored, with the number of b for
 *                   missing values.
 * errors  AXES (no axis that both have), COORD, ARG, AMBIG, DTYPE; axt_cast_like: those of
 *         axt_pack.
 */
struct axt_reindex_opts {
	bool missing, nearest;
};
struct axt_expr *axt_slice_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b);
struct axt_expr *axt_reindex_like(struct axt_graph *g, struct axt_expr *a, const struct axt_expr *b,
    const struct axt_reindex_opts *o);
struct axt_expr *axt_cast_like(struct axt_graph *g, struct axt_expr *a, struct axt_expr *b,
    enum axt_overflow mode);

/*
 * axt_labels - opens labels for axt_reduce, as axt_open does, but also text. Text gives i32: the
 * number that each text has among the distinct ones, sorted by their bytes, and -1 for an empty
 * text, which is no label.
 * errors  those of axt_open, LIMIT.
 */
struct axt_expr *axt_labels(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o);
/* The same of a text that is open: of axt_open_text. Another node is returned as it is. */
struct axt_expr *axt_text_groups(struct axt_graph *g, struct axt_expr *e);

/*
 * axt_field - a field of the dates along one of a's own axes, for `by` of axt_reduce. word is
 * "AXIS.FIELD", where FIELD is year, season, month, day, hour, dayofyear, daysinmonth or date. A
 * reduction by it has an axis with the name of the field; coordinates of season and date are text.
 * errors  NAME, ARG (no CF time axis), RANGE (no date).
 */
struct axt_expr *axt_field(struct axt_graph *g, struct axt_expr *a, const char *word);

/*
 * axt_set_coord - gives an axis other coordinates. spec is "AXIS=OPERAND", whose values are read
 * now, with their attributes, and may be text; o says how it is opened, NULL: the defaults. Or spec
 * is "AXIS=START:STEP". The bounds of the old coordinates are removed.
 * errors  SYNTAX, NAME, AXES (not one value for each index), those of axt_open and of a run.
 */
struct axt_expr *axt_set_coord(struct axt_graph *g, struct axt_expr *a, const char *spec,
    const struct axt_open_opts *o);

/* The same of one axis and a tensor, which has one axis and a value for each index. */
struct axt_expr *axt_set_coord_to(struct axt_graph *g, struct axt_expr *a, const char *axis,
    struct axt_expr *e);

/* Removes the coordinates of the listed axes. errors: SYNTAX, NAME, AXES. */
struct axt_expr *axt_drop_coord(struct axt_graph *g, struct axt_expr *a, const char *axes);

/*
 * axt_bind - e with placeholders replaced: name[i] by value[i]. A placeholder is a tensor of kind
 * "placeholder" (axt_set_kind), or of axt_make; a run fails while one is left.
 * shapes  a value's axes are among those of its placeholder, in any order; it is broadcast.
 * dtypes  converted to the placeholder's.
 * errors  NAME (no such placeholder), ARG (bound twice), AXES, COORD, DTYPE; the run: RANGE.
 */
struct axt_expr *axt_bind(struct axt_graph *g, struct axt_expr *e, int n, const char *const name[],
    struct axt_expr *const value[]);

/* What a wrong argument of an operation, or function, of that name is about. */
struct axt_fact;
struct axt_misuse;
void axt_misuse_fact(const struct axt_misuse *m, const char *name, struct axt_fact *out);

/*
 * The coordinates of an axis of a as a tensor along it, with their units; a tensor of text if they
 * are text. NULL: a has no such axis, or no coordinates along it.
 */
struct axt_expr *axt_coord_values(struct axt_graph *g, const struct axt_expr *a, const char *axis);

#endif
