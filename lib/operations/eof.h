/* eof.h - what EOFs of one tensor, and pairs of patterns of two, share. */
#ifndef AXT_OPERATIONS_EOF_H
#define AXT_OPERATIONS_EOF_H

#include "expr/expr.h"

/* The axes of the samples, as time, and those of the places, as lists to be typed. */
struct axt_eof_field {
	struct axt_graph *g;
	const struct axt_eof_opts *o;
	struct axt_axes sample, place;
	const char *samples, *places;
	int64_t n, p; /* how many there are */
	int64_t modes;
	const char *mode;   /* the name of the new axis */
	struct axt_expr *x; /* [sample, place]: weighted anomalies; 0 in places that are left out */
	struct axt_expr *there; /* [place]: whether a place is not left out; NULL: none is */
	/* in f64: EOFs and their coefficients, squares of singular values and the sum of all */
	struct axt_expr *eof, *pc, *s, *total;
};

/* The axes of a, and its anomalies. */
int axt_eof_axes(struct axt_eof_field *k, const struct axt_expr *a);
int axt_eof_anomalies(struct axt_eof_field *k, struct axt_expr *a);
/* How many modes there are, of at most `most`. */
int axt_eof_count(struct axt_eof_field *k, const struct axt_expr *a, int64_t most);

/* k->x with other names for the axes of that list; *names becomes the list of these. */
struct axt_expr *axt_eof_twin(const struct axt_eof_field *k, const struct axt_axes *side,
    const char **names);
/*
 * The `modes` greatest eigenvalues of the matrix of products of one side, falling, and their
 * eigenvectors, in out. *all has all eigenvalues.
 */
int axt_eof_vectors(const struct axt_eof_field *k, const struct axt_axes *side, const char *rows,
    const char *over, struct axt_expr *out[2], struct axt_expr **all);
/* Those of n eigenvalues that are more than rounding; 0 for the others. */
struct axt_expr *axt_eof_above(const struct axt_eof_field *k, struct axt_expr *values,
    struct axt_expr *all, int64_t n);

struct axt_expr *axt_eof_product(const struct axt_eof_field *k, struct axt_expr *a,
    struct axt_expr *b, const char *over);
struct axt_expr *axt_eof_number(const struct axt_eof_field *k, double v);
/* Of each element: 1 / a, or 0 where a is not above 0. */
struct axt_expr *axt_eof_inverse(const struct axt_eof_field *k, struct axt_expr *a);
/* 1 or -1: what makes the largest element of each EOF positive. */
struct axt_expr *axt_eof_sign(const struct axt_eof_field *k, struct axt_expr *e);

/* e as a result of that name, with units unless `unit` is NULL. */
struct axt_expr *axt_eof_described(const struct axt_eof_field *k, struct axt_expr *e,
    const char *name, const char *what, const char *unit);
/* Patterns, or what samples have of them, in the dtype of the results of a. */
struct axt_expr *axt_eof_patterns(const struct axt_eof_field *k, struct axt_expr *e,
    const struct axt_expr *a, const char *name, const char *what);
struct axt_expr *axt_eof_series(const struct axt_eof_field *k, struct axt_expr *e,
    const struct axt_expr *a, const char *name, const char *what);
/* Units of a to that power; NULL: they are not known. */
const char *axt_eof_units(const struct axt_eof_field *k, const struct axt_expr *a, int power);

#endif
