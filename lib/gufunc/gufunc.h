/*
 * gufunc.h - functions of whole core axes, as a table: what dtypes they give, what memory they
 * need, and the function itself for lines of one dtype. The planner and the evaluator loop over all
 * other axes. lib/gufuncs.def lists them.
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

#define AXT_GUFUNC_TENSORS 8 /* operands and results of one */
#define AXT_GUFUNC_CORE 4    /* core axes of one of them */

/* What a signature says: operands first, then results. */
struct axt_signature {
	int nin, nout;
	struct axt_core {
		int n;
		char axis[AXT_GUFUNC_CORE]; /* letters */
	} core[AXT_GUFUNC_TENSORS];
};

/* Lines: each has n elements es apart, and the next line starts ls further; es or ls is 1. */
struct axt_lines {
	enum axt_dtype dtype; /* of what is read */
	void *out;            /* laid out as what is read */
	const void *in;
	int64_t n, lines, es, ls;
	bool reverse; /* what the node says: descending order */
	void *room;
};

struct axt_gufunc {
	/*
	 * The dtype of its result, of operands of those dtypes; AUTO: it is not defined for them.
	 */
	enum axt_dtype (*result)(const enum axt_dtype in[]);
	/*
	 * Bytes that run needs for lines of n elements, es apart (NULL: none), and the function.
	 * Its lines are as long as those it reads. NULL: what is done is one of the ways below.
	 */
	int64_t (*room)(enum axt_dtype d, int64_t n, int64_t es);
	void (*run)(const struct axt_lines *x);
	/*
	 * Special ways, where there are any. A scan goes on at any element, so that lines come
	 * piece by piece, from pipes and slabs; its result may have another dtype than its own. Few
	 * long lines are sorted by all threads, by digits. What takes elements by position reads
	 * its second operand whole, and the first piece by piece.
	 */
	bool scans, sorts, takes;
	enum axt_red red; /* of a scan: the reduction */
	bool positions;   /* its result are positions along the axis */
};
extern const struct axt_gufunc *const axt_gufuncs[AXT_NGUFUNCS];
extern const char *const axt_gufunc_name[AXT_NGUFUNCS];
#define GUFUNC(ID, name, signature) extern const struct axt_gufunc axt_gufunc_##ID;
#include "gufuncs.def"
#undef GUFUNC

/* The signature of a row; any signature: false where it is none, or has too much in it. */
struct axt_signature axt_gufunc_signature(enum axt_gufunc_id id);
bool axt_signature_parse(const char *s, struct axt_signature *out);

#endif
