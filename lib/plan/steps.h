/*
 * steps.h - how steps of each kind are planned: a table of functions for each row of steps.def,
 * each in a file of its own; and what these files share. Their counterpart in the evaluator is
 * struct axt_unit_fns.
 */
#ifndef AXT_PLAN_STEPS_H
#define AXT_PLAN_STEPS_H

#include "plan/plan.h"

/*
 * Marks: the dimensions that begin groups which must not be merged with the dimensions before them.
 * Between mark number `full` and the next mark, or the end, there must be at least one dimension.
 */
struct axt_marks {
	int n, *dim[2], full;
};

struct axt_step_fns {
	const char *word; /* its name in --explain */
	/* Finds the dimensions of the results, [*a, *b); the others are reduced. */
	void (*kept)(const struct axt_step *s, int *a, int *b);
	/* Sets what must not begin as zero in the step's own part. NULL: nothing. */
	void (*init)(struct axt_step *s);
	/* The dimensions that simplification must not merge, and that it moves. NULL: none. */
	struct axt_marks (*marks)(struct axt_step *s);
	/* Whether slabs may advance along dimension d. */
	bool (*may_slab)(const struct axt_step *s, int d, bool ordered);
	/* Decides what has to be known before slabs and simplification. NULL: nothing. */
	void (*choose)(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o);
	/*
	 * Sets the lengths of a tile, which should have about as many elements as `elements` says.
	 */
	void (*shape)(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
	    int64_t elements);
	/*
	 * Prints lines for --explain about what is done with the values. NULL: only the program is
	 * explained.
	 */
	void (*explain)(const struct axt_step *s, FILE *out);
	bool elementwise; /* the program computes the results, element by element */
	bool states;      /* results are computed from states of reductions */
	bool columns;     /* each element is merged into the state of its column: s->columns */
	bool lin_is_run;  /* the linear group is reduced last, as one run */
	bool whole_axes;  /* each axis is one dimension, even if it was flattened */
	/* no dimension is merged or dropped, since results are given by their numbers */
	bool keeps_dims;
	bool spools;         /* streams are never read in order */
	bool own_tiles;      /* `shape` counts the memory of tiles as scratch */
	bool alone;          /* it is never in a pass with other steps */
	int slab_part;       /* the share of the memory that slabs may take: 2 is a half */
	const char *why_cpu; /* why no device can run it; NULL: some can */
};
#define STEP(ID, name) extern const struct axt_step_fns axt_step_##name;
#include "steps.def"
#undef STEP
extern const struct axt_step_fns *const axt_steps[AXT_NSTEPS];

static inline const struct axt_step_fns *
axt_step_fns(const struct axt_step *s)
{
	return axt_steps[s->kind];
}

/* Whether dimension d is reduced. */
static inline bool
axt_is_reduced(const struct axt_step *s, int d)
{
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	return d < a || d >= b;
}

/* ---- plan.c ---- */

/*
 * axt_step_new appends a step to the plan, axt_output_new an output to the step. NULL: the graph
 * has the error.
 */
struct axt_step *axt_step_new(struct axt_planner *pl, enum axt_step_kind kind);
struct axt_output *axt_output_new(struct axt_step *s, const struct axt_expr *e, int result);
/* Makes the step one of that kind, whose own part is empty. */
void axt_step_become(struct axt_step *s, enum axt_step_kind kind);
/*
 * In step_map.c: makes e result number `result` of the plan or, if that is -1, stores its values
 * for other steps; in a step of its own, or as an output of another step.
 */
int axt_map_step(struct axt_planner *pl, const struct axt_expr *e, int result);

/* ---- shape.c: tiles ---- */

#define AXT_TILES_PART 8  /* the share of the memory for the tiles of all threads: 8 is an eighth */
#define AXT_TRANSPOSED 48 /* elements along a stride of 1: three cache lines of f32 */

/* The product of x[a] to x[b - 1]. x NULL: the lengths of the dimensions, in a band. */
int64_t axt_tile_count(const struct axt_step *s, const int64_t *x, int a, int b);
/* Widens the tile over dimensions [a, b), innermost first, until it has so many elements there. */
void axt_tile_widen(struct axt_step *s, int a, int b, int64_t elements);
/* Whether tiles in their order cover dimensions [a, b) row-major, without gaps. */
bool axt_tile_linear(const struct axt_step *s, int a, int b);
/* Whether elements of all operands depend only on the sum of the indices of dimensions d and w. */
static inline bool
axt_operands_slide(const struct axt_step *s, int d, int w)
{
	bool all = s->sp.len[d] > 1;

	for (int k = 0; k < s->prog.noperands; k++) {
		const struct axt_operand *op = &s->prog.operand[k];

		all = all &&
		    (op->scalar ||
			(!op->joined && !op->jump[d] && !op->jump[w] &&
			    op->v.stride[d] == op->v.stride[w]));
	}
	return all;
}
/*
 * The dimension along which an operand is contiguous, if it is strided along the innermost
 * dimension, so that loading a tile transposes it; that of the first such operand, or -1 if there
 * is none.
 */
int axt_transposed_dim(const struct axt_step *s);
/* The bytes of an element of all operands and outputs together. */
int64_t axt_element_bytes(const struct axt_step *s);
/*
 * The most elements that a tile may have, so that the tiles of all threads take only a small part
 * of the memory.
 */
int64_t axt_tile_limit(const struct axt_step *s, const struct axt_plan_opts *o);
/* The most kept elements of a tile, if there are states for each group. */
int64_t axt_groups_most(const struct axt_step *s);
/* In explain.c: prints "reduces: mean of 12 elements each", and how. */
void axt_explain_reduces(const struct axt_step *s, const char *how, FILE *out);

#endif
