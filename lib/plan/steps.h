/*
 * steps.h - how steps of each kind are planned: a table of functions for each row of steps.def, in
 * a file of its own; and what these files share. The evaluator has a table for each of them too:
 * struct axt_unit_fns.
 */
#ifndef AXT_PLAN_STEPS_H
#define AXT_PLAN_STEPS_H

#include "plan/plan.h"

/*
 * Dimensions at which a group begins that is not merged with those before it. From mark `full` to
 * the next one, or to the end, at least one dimension is left.
 */
struct axt_marks {
	int n, *dim[2], full;
};

struct axt_step_fns {
	const char *word; /* in --explain */
	/* The results' dimensions are [*a, *b); the others are reduced. */
	void (*kept)(const struct axt_step *s, int *a, int *b);
	/* What of its own part is not zero at first. NULL: nothing. */
	void (*init)(struct axt_step *s);
	/* Dimensions that simplification keeps apart, and moves. NULL: none. */
	struct axt_marks (*marks)(struct axt_step *s);
	/* Whether slabs may advance along dimension d. */
	bool (*may_slab)(const struct axt_step *s, int d, bool ordered);
	/* What is decided before slabs and simplification. NULL: nothing. */
	void (*choose)(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o);
	/* The lengths of a tile, of about `room` elements. */
	void (*shape)(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o,
	    int64_t room);
	/* What it does to the values, as lines of --explain. NULL: no more than its program. */
	void (*explain)(const struct axt_step *s, FILE *out);
	bool elementwise;    /* results are what the program computes, element by element */
	bool states;         /* results are finished from the states of reductions */
	bool columns;        /* each element merges into a state of its column: s->columns */
	bool lin_is_run;     /* the linear group is what is reduced last, without a break */
	bool whole_axes;     /* an axis is one dimension, though something was flattened in it */
	bool keeps_dims;     /* no dimension is merged or dropped: results number them */
	bool spools;         /* streams are not taken in order */
	bool own_tiles;      /* shape counts the memory of tiles with the scratch */
	bool alone;          /* it makes no pass with other steps */
	int slab_part;       /* slabs may have this part of the memory: 2 is a half */
	const char *why_cpu; /* why no device can take it; NULL: one may */
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

/* Whether dimension d is none of the results'. */
static inline bool
axt_is_reduced(const struct axt_step *s, int d)
{
	int a, b;

	axt_step_fns(s)->kept(s, &a, &b);
	return d < a || d >= b;
}

/* ---- plan.c ---- */

/* A step at the end of the plan, and one more output of it. NULL: the graph has the error. */
struct axt_step *axt_step_new(struct axt_planner *pl, enum axt_step_kind kind);
struct axt_output *axt_output_new(struct axt_step *s, const struct axt_expr *e, int result);
/* Makes the step one of that kind, with nothing of its own part. */
void axt_step_become(struct axt_step *s, enum axt_step_kind kind);
/* In step_map.c: e as a result, or held for others (-1); a step of its own or an output of one. */
int axt_map_step(struct axt_planner *pl, const struct axt_expr *e, int result);

/* ---- shape.c: tiles ---- */

#define AXT_TILES_PART 8  /* of memory all threads' tiles are one such part, at most */
#define AXT_TRANSPOSED 48 /* elements along a unit stride: three cache lines of f32 */

/* The product of x[a] to x[b - 1]; x NULL: of the lengths, in a band. */
int64_t axt_tile_count(const struct axt_step *s, const int64_t *x, int a, int b);
/* Widens the tile over dimensions [a, b), innermost first, until it holds `room` elements there. */
void axt_tile_widen(struct axt_step *s, int a, int b, int64_t room);
/* Whether tiles, taken in order, cover [a, b) row-major without gaps. */
bool axt_tile_linear(const struct axt_step *s, int a, int b);
/* The dimension along which an operand that the tile transposes lies contiguous, or -1. */
int axt_transposed_dim(const struct axt_step *s);
/* Bytes of an element of all operands and outputs. */
int64_t axt_element_bytes(const struct axt_step *s);
/*
 * Elements of a tile, when those of all threads take a part of the memory that is little beside it.
 */
int64_t axt_tile_limit(const struct axt_step *s, const struct axt_plan_opts *o);
/* Kept elements of a tile whose states are there for each group. */
int64_t axt_groups_room(const struct axt_step *s);
/* In explain.c: "reduces: mean of 12 elements each" and how. */
void axt_explain_reduces(const struct axt_step *s, const char *how, FILE *out);

#endif
