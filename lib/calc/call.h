/* call.h - calls: what a function takes, and what a call gave it. */
#ifndef AXT_CALC_CALL_H
#define AXT_CALC_CALL_H

#include "calc.h"

/* Values of NAME=VALUE; what was not given is NULL, 0, or AUTO. */
struct axt_calc_opts {
	const char *to, *over, *keep, *pack;
	struct axt_expr *weights;
	double ddof;
	int64_t seed;
	int skipnan, mode, overflow;
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

/* functions.c: false when there is none; *op: as of the call. */
bool axt_calc_find(const char *name, struct axt_calc_fn *fn, int *op);
/* The nearest function, or what other languages' is here; NULL. */
const char *axt_calc_near(const char *name);
/* call.c: the dtype of a word; false: an error. */
bool axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d);
/* The words of a call with "," between them; NULL: error. */
const char *axt_calc_words(struct axt_calc_call *k);

#endif
