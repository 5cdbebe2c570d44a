/*
 * contraction.h - what contraction.c and device_contraction.c share: a product of matrices while it
 * runs.
 */
#ifndef AXT_EVAL_CONTRACTION_H
#define AXT_EVAL_CONTRACTION_H

#include "eval/shared.h"

/* A thread's own. */
struct hand {
	struct axt_worker arg[2];
	uint8_t *left, *right; /* right: where products are small */
	uint8_t *thin;         /* thin products: the side there is few of, a block, its results */
	uint8_t *across;       /* small matrices side by side: left, right, results */
	int64_t matrix;        /* 1 + that whose few are packed there; 0: none */
};

/* Few columns of many rows, few rows of many columns, or neither. */
enum thin { THICK, THIN_ROWS, THIN_COLUMNS };

struct axt_product_run {
	const struct axt_product *p;
	const struct axt_gemm_fns *f;
	const struct axt_step_run *r;
	struct axt_source *src;
	struct axt_slab slab; /* of src, which it is computed into */
	struct axt_step_run arg[2];
	struct hand *hand;
	int threads, size;
	bool decoded;      /* chunks of the arguments */
	bool only;         /* the step has no other product */
	uint8_t *right[2]; /* panels: multiplied, and packed for the next turn */
	/* matrices, rows and columns: where the slab begins, what of it is to be computed */
	struct range {
		int64_t at, lo, hi;
	} b, m, n;
	int64_t stored[2]; /* rows, and columns, of a matrix in the slab */
	enum thin thin;
	int64_t mc, blocks; /* rows of a block; thin: blocks of a matrix */
	int split;          /* units a block of rows is cut into */
	bool small, whole;
	int64_t lanes; /* small matrices that are multiplied at once */
	/* blocks of rows, or small matrices, that are final; how many from the first */
	atomic_bool *final;
	atomic_llong nfinal;
	atomic_flag writing;
	bool early;     /* the step may begin with them */
	int64_t panels; /* pairs of panels multiplied, of this slab */
	struct turn {
		atomic_llong pack, block; /* next units */
		bool stop;
	} turn[2];
	atomic_llong next; /* matrix, where products are small; part of an argument */
	const struct axt_multiplier_fns *by;
	struct axt_product_device *dev; /* of devices */
};
/* Where element 0 would be on the device, if the slab, which lies there as here, held all. */
const uint8_t *axt_product_there(const struct axt_product_run *x);

/* Who multiplies, which is chosen when the step begins. */
struct axt_multiplier_fns {
	int (*begin)(struct axt_product_run *x); /* NULL: nothing of its own; so with end */
	void (*end)(struct axt_product_run *x);
	/* The part of the slab that is wanted, by all threads; k is not 0. */
	void (*run)(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team);
	bool blocks; /* block by block, as contraction.c cuts them: some are final before others */
};
extern const struct axt_multiplier_fns axt_multiplier_device;

#endif
