/* call.h - calls: what a function takes, and what it is given in one call. */
#ifndef AXT_CALC_CALL_H
#define AXT_CALC_CALL_H

#include "axt_operation.h"
#include "calc/calc.h"

/* The values of arguments NAME=VALUE; those that are not given are NULL, 0 or AUTO. */
struct axt_calc_opts {
	const char *to, *over, *keep, *along, *range, *bins, *pack, *mode, *row, *col, *every,
	    *labels;
	const char *field; /* by=AXIS.FIELD, a field of the dates of the tensor's own axis */
	struct axt_expr *weights, *by, *among, *value;
	double ddof, q, rcond; /* ddof: NaN if it is not given */
	int64_t seed, limit, max_gap, power;
	int skipnan, dropothers, nearest, reverse, density, overflow, method, ord;
	enum axt_dtype dtype, accumulate;
};

struct axt_calc_call {
	struct axt_calc *c;
	const struct axt_calc_fn *fn;
	int op; /* number of the row in ops.def or reds.def, for functions from there */
	const char *name, *at;
	int n, nwords;
	struct axt_expr *arg[AXT_CALC_ARGS];
	const char *word[AXT_CALC_ARGS], *word_at;
	/* the index of take(a, AXIS=INDEX), or of take(a, AXIS@INDEX), which sets `labels` */
	struct axt_expr *index;
	bool labels;
	struct axt_calc_name *computed; /* targets of interp that are expressions */
	struct axt_calc_opts o;
	/* its operation, the values of the parameters, and a bit for each that is given */
	const struct axt_operation *of; /* NULL: another function */
	void *values;
	uint64_t given;
	int second;         /* the parameter that is the last value; -1: none */
	const char *result; /* which one of several it is; NULL: a word says it */
	/* words of parameters that mean something of a tensor, which may be read after them */
	struct axt_calc_later {
		int param;
		const char *word;
	} later[2];
	int nlater;
	const char *list; /* the key read last, if it takes a list, else NULL: for a hint */
};

/*
 * A function takes min to max values; then words, which are mostly axes, if its row has `words`;
 * and keys in any place.
 */
struct axt_calc_fn {
	const char *name;
	struct axt_expr *(*build)(struct axt_calc_call *k);
	int min, max;
	const char *words; /* what the words are, such as "axes"; NULL: it takes no words */
	const char *keys, *line;
};

/* The index of a word in a list whose words have blanks between them, or -1. */
int axt_calc_word_index(const char *words, const char *w, size_t n);

/* ---- operation.c ---- */
/* Makes *fn the function of the operation of that name; false: there is none. */
bool axt_calc_operation_named(struct axt_arena *m, const char *name, struct axt_calc_fn *fn);
/* If it is the call of an operation, puts the defaults of its parameters into it. */
bool axt_calc_operation_begin(struct axt_calc_call *k);
/* Reads the value of parameter i, which begins at `value`. */
bool axt_calc_operation_value(struct axt_calc_call *k, int i, const char *value);

/* ---- views.c ---- */
/*
 * Joins the words of a call to specs, in place, so that a[lat=0,5,7, lon=2] has two. Returns how
 * many there are; -1: error.
 */
int axt_calc_specs(struct axt_calc_call *k);
struct axt_expr *axt_calc_slice(struct axt_calc_call *k);
struct axt_expr *axt_calc_take(struct axt_calc_call *k);
/* The tensor whose name follows AXIS= or AXIS@ in a spec; NULL: it means something else. */
struct axt_expr *axt_calc_spec_target(struct axt_calc_call *k, const char *spec);
/*
 * Reads AXIS=EXPRESSION, where the token is the axis and *w becomes the spec. Returns false, and
 * has read nothing, if what follows is a word: a number, a range, a file or a name alone.
 */
bool axt_calc_computed_target(struct axt_calc_call *k, const char **w);
/*
 * Reads words from "[", which is the token, up to "]" and the "]" itself. Returns false on an
 * error.
 */
bool axt_calc_part_words(struct axt_calc_call *k);

/*
 * In functions.c: finds the function of that name; lists of keys that are made of rows are in the
 * arena. Returns false if there is none; op becomes that of axt_calc_opts.
 */
bool axt_calc_find(struct axt_arena *m, const char *name, struct axt_calc_fn *fn, int *op);
/*
 * Lets the values of a call meet by their dates, as those of operators do, if the function computes
 * with them element by element. Returns false on an error.
 */
bool axt_calc_meet(struct axt_calc_call *k);
/*
 * The function whose name is most similar, or that does what a function of this name does in other
 * languages; or NULL.
 */
const char *axt_calc_near(const char *name);
/* In call.c: whether s begins with AXIS.FIELD and the end of an argument. */
bool axt_calc_is_field(const char *s);
/* In call.c: fails because along=AXIS is missing, with an example. */
struct axt_expr *axt_calc_no_axis(struct axt_calc_call *k);
/* In call.c: finds the dtype of that name; returns false on an error. */
bool axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d);
/* The words of a call, joined by ","; NULL: error. */
const char *axt_calc_words(struct axt_calc_call *k);

#endif
