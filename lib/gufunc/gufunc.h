/*
 * gufunc.h - gufuncs, which are functions of whole core axes, as tables: the dtypes of their
 * results, the memory they need, and the function itself. The planner and the evaluator loop over
 * all other axes. lib/gufuncs.def lists the gufuncs.
 */
#ifndef AXT_GUFUNC_GUFUNC_H
#define AXT_GUFUNC_GUFUNC_H

#include "kern/kern.h"

enum axt_gufunc_id {
#define GUFUNC(ID, name, signature) AXT_GUFUNC_##ID,
#include "gufuncs.def"
#undef GUFUNC
	AXT_NGUFUNCS
};

/* What "linear" does besides recurrences: operations on the elements since a was 0. */
enum axt_recur { AXT_RECUR_SUM = 1, AXT_RECUR_PROD, AXT_RECUR_MIN, AXT_RECUR_MAX };

#define AXT_GUFUNC_TENSORS 8 /* the most operands and results of a gufunc */
#define AXT_GUFUNC_CORE 4    /* the most core axes of an operand or result */

/* A signature: the core axes of operands, followed by those of results. */
struct axt_signature {
	int nin, nout;
	struct axt_core {
		int n;
		char axis[AXT_GUFUNC_CORE]; /* the letter of each core axis */
	} core[AXT_GUFUNC_TENSORS];
};

/* The arguments of a function besides its operands. Those that its row does not name are 0. */
#define AXT_GUFUNC_NUMBERS 4
struct axt_gufunc_args {
	int n[AXT_GUFUNC_NUMBERS];
	double x[AXT_GUFUNC_NUMBERS];
};

/* The lengths of core axes by letter: that of `m` is len['m' - 'a']. */
#define AXT_LETTERS 26

/* Several calls of a function, whose operands and results are at different places. */
struct axt_gufunc_calls {
	const struct axt_gufunc_args *args;
	const struct axt_signature *sig;
	const int64_t *len; /* [letter] */
	/*
	 * The tensors of the calls: operands, then results, in the order of the signature. All
	 * distances are counted in elements.
	 */
	struct axt_gufunc_tensor {
		enum axt_dtype dtype;
		/* where the tensor of the first call is; NULL: this result is not needed */
		void *p;
		int64_t step; /* from one call to the next; 0: all calls have the same tensor */
		int64_t stride[AXT_GUFUNC_CORE]; /* strides along its core axes */
	} t[AXT_GUFUNC_TENSORS];
	int64_t calls;
	void *work; /* scratch, of as many bytes as `work` of the row says */
	/* if `calls` returns false: the number of the call that failed, and why */
	int64_t failed;
	const char *why;
	int64_t spoiled; /* how many calls had an operand that is not finite, and gave NaN only */
	bool wrapped;    /* `calls` sets it where an integer result does not fit */
};

/* Elements of operands, which may be unaligned: they are used where they lie in a mapped file. */
typedef float axt_operand_f32 __attribute__((aligned(1)));
typedef double axt_operand_f64 __attribute__((aligned(1)));

struct axt_gufunc {
	/*
	 * Sets the dtypes of the results, and changes the dtypes of the operands to those that the
	 * operands are to be converted to. Returns false if the function is not defined for the
	 * operands.
	 */
	bool (*dtypes)(enum axt_dtype in[], enum axt_dtype out[]);
	/*
	 * Sets the lengths of letters that only results have, which are -1 before, from the other
	 * lengths and the arguments. Returns NULL, or why there is no result. The member is NULL if
	 * there are no such letters, and any lengths are right.
	 */
	const char *(*sizes)(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS]);
	/* The bytes of scratch that `calls` needs, whatever the number of calls. NULL: none. */
	int64_t (*work)(const struct axt_gufunc_calls *x);
	/* calls that are faster together, where there are so many; 0: any number */
	int abreast;
	/* The function. NULL: it is done in one of the special ways below. */
	bool (*calls)(struct axt_gufunc_calls *x);
	/*
	 * Gives what computes calls of these lengths, as --explain shows it. NULL: there is nothing
	 * to say.
	 */
	const char *(*by)(const int64_t len[AXT_LETTERS]);
	/*
	 * the number of the operand, from 1 on, whose attributes, with their units, the results
	 * have; 0: none
	 */
	int like;
	bool
	    empty; /* whether calls without elements have results, as the determinant of one is 1 */
	/*
	 * Special ways of computing, for which the planner has steps of lines. `scans`: a running
	 * computation, which can go on at any element, so that its core axis may come piece by
	 * piece, from pipes and slabs; the dtype of its result may be another than that of the
	 * operand. `sorts`: few long lines are sorted by all threads, digit by digit; args->n[0]
	 * asks for the greatest first. `takes`: elements are taken by position from the second
	 * operand, which is read as a whole; the first one, which has the positions, may come piece
	 * by piece.
	 */
	bool scans, sorts, takes;
	enum axt_red red; /* of a scan: its reduction */
	bool positions;   /* whether the results are positions along the axis */
};
/* Whether a row has none of these special ways. It may then have any signature. */
static inline bool
axt_gufunc_plain(const struct axt_gufunc *f)
{
	return !f->scans && !f->sorts && !f->takes;
}
extern const struct axt_gufunc *const axt_gufuncs[AXT_NGUFUNCS];
extern const char *const axt_gufunc_name[AXT_NGUFUNCS];
#define GUFUNC(ID, name, signature) extern const struct axt_gufunc axt_gufunc_##ID;
#include "gufuncs.def"
#undef GUFUNC

/* The signature of a row; any signature: false where it is none, or has too much in it. */
struct axt_signature axt_gufunc_signature(enum axt_gufunc_id id);
bool axt_signature_parse(const char *s, struct axt_signature *out);

/* The square root of a^2 + b^2, of the same bits on all processors, which libm's hypot has not. */
double axt_hypot(double a, double b);

#endif
