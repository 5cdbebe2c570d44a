/*
 * gufunc.h - functions of whole core axes, as a table: what dtypes they give, what memory they
 * need, and the function itself. The planner and the evaluator loop over all other axes.
 * lib/gufuncs.def lists them.
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

/* What a function is told besides its operands; what its row does not name is 0. */
#define AXT_GUFUNC_NUMBERS 4
struct axt_gufunc_args {
	int n[AXT_GUFUNC_NUMBERS];
	double x[AXT_GUFUNC_NUMBERS];
};

/* The lengths of core axes by their letters: len[letter - 'a']. */
#define AXT_LETTERS 26

/* Some calls of a function, which differ in where their operands and results lie. */
struct axt_gufunc_calls {
	const struct axt_gufunc_args *args;
	const int64_t *len; /* by letter */
	/* operands, then results, in the order of the signature; all is counted in elements */
	struct axt_gufunc_tensor {
		enum axt_dtype dtype;
		void *p;                         /* of the first call; NULL: not asked for */
		int64_t step;                    /* from a call to the next; 0: the same */
		int64_t stride[AXT_GUFUNC_CORE]; /* along its core axes */
	} t[AXT_GUFUNC_TENSORS];
	int64_t calls;
	void *work; /* as many bytes as the row's `work` says */
	/* where calls returns false: the number of the call that failed, and why */
	int64_t failed;
	const char *why;
};

struct axt_gufunc {
	/*
	 * The dtypes of its results, for operands of those dtypes, which become those that they are
	 * converted to before; false: it is not defined for them.
	 */
	bool (*dtypes)(enum axt_dtype in[], enum axt_dtype out[]);
	/*
	 * Sets the lengths of the letters that only results have, -1 before, from the others and
	 * the arguments; returns why there is no result, or NULL. NULL: there are no such letters,
	 * and nothing to refuse.
	 */
	const char *(*sizes)(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS]);
	/* Bytes that `calls` needs beside its tensors, whatever the number of calls. NULL: none. */
	int64_t (*work)(const struct axt_gufunc_calls *x);
	/* The function. NULL: what is done is one of the ways below. */
	bool (*calls)(struct axt_gufunc_calls *x);
	/* The operand, from 1 on, whose attributes the results have, since units stay; 0: none. */
	int like;
	/*
	 * Special ways, where there are any. A scan goes on at any element, so that its core axis
	 * comes piece by piece, from pipes and slabs; its result may have another dtype than its
	 * own. Where there are few calls, each is sorted by all threads, by digits; args->n[0] says
	 * that the greatest comes first. What takes elements by position reads its second operand
	 * whole, and the first piece by piece.
	 */
	bool scans, sorts, takes;
	enum axt_red red; /* of a scan: the reduction */
	bool positions;   /* its result are positions along the axis */
};
/* Whether a row has none of the special ways: any signature, any number of operands and results. */
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

#endif
