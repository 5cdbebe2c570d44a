/* call.h - calls: what a function takes, and what one call gives it. */
#ifndef AXT_CALC_CALL_H
#define AXT_CALC_CALL_H

#include "calc/calc.h"

/* The values of NAME=VALUE; those not given are NULL, 0 or AUTO. */
struct axt_calc_opts {
	const char *to, *over, *keep, *along, *range, *pack, *mode;
	struct axt_expr *weights, *by, *value;
	double ddof, q;
	int64_t seed, rank, at, bins, times;
	int skipnan, nearest, fixed, reverse, descending, index, order, overflow;
	enum axt_dtype dtype, accumulate;
};

struct axt_calc_call {
	struct axt_calc *c;
	const struct axt_calc_fn *fn;
	int op; /* the number in ops.def or reds.def, if it is from there */
	const char *name, *at;
	int n, nwords;
	struct axt_expr *arg[AXT_CALC_ARGS];
	const char *word[AXT_CALC_ARGS], *word_at;
	struct axt_expr *index; /* INDEX of AXIS=INDEX; or of AXIS@INDEX, with labels set */
	bool labels;
	struct axt_calc_opts o;
	const char *list; /* the key read last, if it takes a list, else NULL: for a hint */
};

/*
 * A function takes from min to max arguments that are values; after these words (mostly axes), if
 * it takes any; and keys anywhere.
 */
struct axt_calc_fn {
	const char *name;
	struct axt_expr *(*build)(struct axt_calc_call *k);
	int min, max;
	const char *words; /* what the words are: "axes"; NULL: it takes none */
	const char *keys, *line;
};

/* ---- views.c ---- */
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
/* Reads the words from a "[", the token, up to and including its "]"; false on error. */
bool axt_calc_part_words(struct axt_calc_call *k);

/* In functions.c: the function of a name; false when there is none; *op as in the call. */
bool axt_calc_find(const char *name, struct axt_calc_fn *fn, int *op);
/*
 * The function with the nearest name, or the one that does what other languages use this name for;
 * or NULL.
 */
const char *axt_calc_near(const char *name);
/* In call.c: the dtype that a word names; false on error. */
bool axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d);
/* The words of a call, separated by ","; NULL on error. */
const char *axt_calc_words(struct axt_calc_call *k);

#endif
