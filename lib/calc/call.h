/* call.h - calls: what a function takes, and what it is given in one call. */
#ifndef AXT_CALC_CALL_H
#define AXT_CALC_CALL_H

#include "axt_operation.h"
#include "calc/calc.h"

struct axt_calc_call {
	struct axt_calc *c;
	const char *name, *at;
	int n, least, most, nwords; /* how many values there are, and may be; how many words */
	struct axt_expr *arg[AXT_CALC_ARGS];
	const char *word[AXT_CALC_ARGS], *word_at;
	/* of words AXIS=..., what stands behind the sign where that is an expression; NULL */
	struct axt_expr *target[AXT_CALC_ARGS];
	/* its operation, the values of the parameters, and a bit for each that is given */
	const struct axt_operation *of;
	void *values;
	uint64_t given, typed; /* with presets of an alias; without */
	const char *colon;     /* names of the parameters that are numbers by their places; NULL */
	int second;            /* the parameter that is the last value; -1: none */
	const char *result;    /* which one of several it is; NULL: a word says it */
	/* words of parameters that mean something of a tensor, which may be read after them */
	struct axt_calc_later {
		int param;
		const char *word;
	} later[3];
	int nlater;
	const char *list; /* the key read last, if it takes a list, else NULL: for a hint */
};

/*
 * What a function takes: `min` to `max` values; then words, which are mostly names of axes, where
 * `words` is set; and, in any place, NAME=VALUE with one of the names in `keys`, which blanks
 * separate.
 */
struct axt_calc_fn {
	int min, max;
	const char *words, *keys;
};

/* ---- operation.c ---- */
/* Whether there is a function of that name; *fn: what it takes, in the arena. */
bool axt_calc_find(struct axt_arena *m, const char *name, struct axt_calc_fn *fn);
/*
 * Finds the operation of a call, and sets its parameters to their defaults. Returns false if there
 * is no such operation, or with an error in the graph.
 */
bool axt_calc_operation_begin(struct axt_calc_call *k);
/* Reads the value of parameter i, which begins at `value`. */
bool axt_calc_operation_value(struct axt_calc_call *k, int i, const char *value);
/* Reads NAME=WORD, which a flag was called once, and warns; false: it is none, or an error. */
bool axt_calc_operation_old(struct axt_calc_call *k, const char *value);
/* Reads a number that is a parameter by its place. */
bool axt_calc_operation_number(struct axt_calc_call *k);
/*
 * For an operation that makes new axes by NAME=LENGTH: fails where NAME is nearly the name of a
 * parameter, such as a mistyped seed, which would else become an axis. Returns false if it did not
 * fail.
 */
bool axt_calc_operation_key(struct axt_calc_call *k, bool assigns);
/* Fails because of what is wrong with the arguments, at the place where they stand. */
struct axt_expr *axt_calc_misused(struct axt_calc_call *k, const char *at,
    const struct axt_misuse *m);
/* The result of a call whose values and words have been read. */
struct axt_expr *axt_calc_operation_build(struct axt_calc_call *k);

/* ---- views.c ---- */
/*
 * Joins the words of a call to specs, in place: the words of a[lat=0,5,7, lon=2] become the two
 * specs "lat=0,5,7" and "lon=2". Returns how many specs there are; -1: error.
 */
int axt_calc_specs(struct axt_calc_call *k);
/*
 * The tensor that a spec AXIS=NAME or AXIS@NAME of the parameter p means by NAME; NULL: NAME is no
 * tensor. For a[...] only a mask, a tensor of bool with axes, is one.
 */
struct axt_expr *axt_calc_spec_target(struct axt_calc_call *k, const struct axt_param *p,
    const char *spec);
/* Fails because words of specs have no names of axes, as NumPy has a[0,:,2:5]; else false. */
bool axt_calc_no_names(struct axt_calc_call *k);
/* Makes hints of an error that specs led to expressions. */
void axt_calc_spec_hints(struct axt_calc_call *k);
/*
 * Reads AXIS=EXPRESSION or AXIS@EXPRESSION, where the token is AXIS; *w becomes "AXIS=" or "AXIS@".
 * Returns false, and reads nothing, if a number, a range, a file or a name follows the sign.
 */
bool axt_calc_computed_target(struct axt_calc_call *k, const char **w);
/*
 * Reads words from "[", which is the token, up to "]" and the "]" itself. Returns false on an
 * error.
 */
bool axt_calc_part_words(struct axt_calc_call *k);

/*
 * The function whose name is most similar to `name`, or that does what a function called `name`
 * does in other languages; NULL: none.
 */
const char *axt_calc_near(const char *name);
/* In call.c: whether s begins with AXIS.FIELD and the end of an argument. */
bool axt_calc_is_field(const char *s);
/* In call.c: reads what "by" has, from `value` on: a tensor of labels, or several, (a,b). */
struct axt_expr *axt_calc_labels(struct axt_calc *c, const char *value);
/* In call.c: fails because along=AXIS is missing, with an example. */
struct axt_expr *axt_calc_no_axis(struct axt_calc_call *k, const char *value);
/* In call.c: finds the dtype of that name; returns false on an error. */
bool axt_calc_dtype(struct axt_calc *c, const char *at, const char *word, enum axt_dtype *d);
/* The words of a call, joined by ","; NULL: error. */
const char *axt_calc_words(struct axt_calc_call *k);

#endif
