/* contraction.h - for contraction.c and device_contraction.c: a product while it is computed. */
#ifndef AXT_EVAL_CONTRACTION_H
#define AXT_EVAL_CONTRACTION_H

#include "eval/shared.h"

/* The buffers of one thread. */
struct hand {
	struct axt_worker arg[2];
	uint8_t *left, *right; /* right: where threads share no panels */
	/* of thin products: the short side, a block of the long one, and its results */
	uint8_t *thin;
	uint8_t *across; /* of small matrices side by side: left, right, results */
	int64_t matrix;  /* 1 + the matrix whose short side is packed; 0: none */
};

/* The short side is the columns (of many rows), or the rows (of many columns), or none. */
enum thin { THICK, THIN_ROWS, THIN_COLUMNS };

struct axt_product_run {
	const struct axt_product *p;
	const struct axt_gemm_fns *f;
	const struct axt_step_run *r;
	struct axt_source *src;
	struct axt_slab slab; /* the slab of src into which the product is computed */
	struct axt_step_run arg[2];
	struct hand *hand;
	int threads, size;
	bool decoded;      /* whether the chunks of the arguments have been decoded */
	bool only;         /* whether the step has no other product */
	uint8_t *right[2]; /* one panel is multiplied while the next one is packed */
	/* matrices, rows and columns: where the slab begins, and which part is to be computed */
	struct range {
		int64_t at, lo, hi;
	} b, m, n;
	int64_t stored[2]; /* the rows and columns that a matrix has in the slab */
	enum thin thin;
	int64_t mc;     /* rows of a block */
	int64_t blocks; /* of a matrix, if units are blocks of any matrix; else 0 */
	int split;      /* number of units into which a block of rows is cut */
	bool small, whole;
	/* whether only tiles on and above the diagonal are multiplied, and copied below it then */
	bool half;
	int64_t lanes; /* small matrices that are multiplied at once */
	/*
	 * final[i]: whether nothing more is added to part i of the slab, a block of rows or some
	 * small matrices; nfinal: how many parts from the first one on are final without a gap
	 */
	atomic_bool *final;
	atomic_llong nfinal;
	atomic_flag writing;
	bool early;     /* whether what reads final parts runs while others are multiplied */
	int64_t panels; /* how many panels of this slab have been multiplied */
	struct turn {
		atomic_llong pack, block; /* next units */
		bool stop;
	} turn[2];
	atomic_llong next; /* next matrix of small products; or next part of an argument */
	const struct axt_multiplier_fns *by;
	struct axt_product_device *dev; /* what devices add */
};
/* Where element 0 is on the device, or would be if the device had more than a slab. */
const uint8_t *axt_product_there(const struct axt_product_run *x);

/* How a product is computed, which is decided when the step begins. */
struct axt_multiplier_fns {
	/* NULL: nothing has to be set up; the same holds for end */
	int (*begin)(struct axt_product_run *x);
	void (*end)(struct axt_product_run *x);
	/* Computes the part of the slab that is needed, by all threads. k is not 0. */
	void (*run)(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team);
	/* whether blocks are computed one by one, so that some are final before others */
	bool blocks;
};
extern const struct axt_multiplier_fns axt_multiplier_device;

#endif
