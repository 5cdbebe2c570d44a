/* call.h - calls: what a function takes, and what a call gave it. */
#ifndef AXT_CALC_CALL_H
#define AXT_CALC_CALL_H

#include "calc/calc.h"

/* Values of NAME=VALUE; what was not given is NULL, 0, or AUTO. */
struct axt_calc_opts {
	const char *to, *over, *keep, *along, *range, *pack, *mode;
	struct axt_expr *weights, *by, *value;
	double ddof, q;
	int64_t seed, rank, at, bins;
	int skipnan, nearest, fixed, reverse, descending, index, order, overflow;
	enum axt_dtype dtype, accumulate;
};

struct axt_calc_call {
	struct axt_calc *c;
	const struct axt_calc_fn *fn;
	int op;				/* of ops.def or reds.def, if it is one */
	const char *name, *at;
	int n, nwords;
	struct axt_expr *arg[AXT_CALC_ARGS];
	const char *word[AXT_CALC_ARGS], *word_at;
	struct axt_expr *index;		/* of AXIS=INDEX, or, if labels, AXIS@INDEX */
	bool labels;
	struct axt_calc_opts o;
	const char *list;		/* the last key that takes a list */
};

/*
 * A function: arguments that are values, from min to max of them, then words (axes, mostly) if it
 * takes some, and in any place those of its keys.
 */
struct axt_calc_fn {
	const char *name;
	struct axt_expr *(*build)(struct axt_calc_call *k);
	int min, max;
	const char *words;		/* what they are: "axes"; NULL: it takes none */
	const char *keys, *line;
};

/* views.c */
struct axt_expr *axt_calc_slice(struct axt_calc_call *k);
struct axt_expr *axt_calc_take(struct axt_calc_call *k);
struct axt_expr *axt_calc_shift(struct axt_calc_call *k);
struct axt_expr *axt_calc_window(struct axt_calc_call *k);
struct axt_expr *axt_calc_pad(struct axt_calc_call *k);
struct axt_expr *axt_calc_expand(struct axt_calc_call *k);
struct axt_expr *axt_calc_squeeze(struct axt_calc_call *k);
struct axt_expr *axt_calc_reshape(struct axt_calc_call *k);
struct axt_expr *axt_calc_concat(struct axt_calc_call *k);
struct axt_expr *axt_calc_stack(struct axt_calc_call *k);
/* The words from a "[", the token, up to its "]", which is gone over; false: an error. */
bool axt_calc_part_words(struct axt_calc_call *k);

/* functions.c: false when there is none; *op: as of the call. */
bool axt_calc_find(const char *name, struct axt_calc_fn *fn, int *op);
/* The nearest function, or what other languages' is here; NULL. */
const char *axt_calc_near(const char *name);
/* call.c: the dtype of a word; false: an error. */
bool axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d);
/* The words of a call with "," between them; NULL: error. */
const char *axt_calc_words(struct axt_calc_call *k);

#endif
