/*
 * kinds.h - how plans deal with the nodes of each kind: a table of functions, which the third
 * column of AXT_NODES (expr/expr.h) names. Several kinds may share a table.
 */
#ifndef AXT_PLAN_KINDS_H
#define AXT_PLAN_KINDS_H

#include "plan/plan.h"

struct axt_compiler {
	struct axt_planner *pl;
	struct axt_graph *g; /* the plan's graph */
	struct axt_step *s;
	bool full; /* whether the program has no space for another instruction */
};

/* A node whose register is needed, and its index map. */
struct axt_asked {
	const struct axt_expr *e;
	struct axt_index_map index_map;
};

/*
 * A node that is being compiled. An expression may be deep and the stack small, so nodes that wait
 * for their arguments are frames in a list instead of calls.
 */
struct axt_frame {
	const struct axt_expr *e;
	const struct axt_index_map *index_map;
	/* Continues with the register that was asked for. */
	bool (*go_on)(struct axt_compiler *c, struct axt_frame *f, int in, int *reg,
	    struct axt_asked *want);
	/* nin: the number of arguments that are compiled; in: their registers */
	int nin, in[3];
	/* what a single instruction makes the node of: a packed tensor, or one put into bins */
	const struct axt_expr *from;
	double packing[4];
	struct axt_bins bins;
	struct axt_frame *up;
};

struct axt_plan_kind {
	/*
	 * Begins to compile a node: asks for its first argument by axt_asks, or gives its register
	 * by axt_gives. Returns what that function returned.
	 */
	bool (
	    *begin)(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want);
	enum {
		AXT_WAY_OTHER,
		AXT_WAY_COMPUTES, /* it computes values from elements of its arguments */
		AXT_WAY_LOOKS     /* it selects elements of its argument */
	} way;
	/*
	 * Plans a step of its own for node e. If result >= 0, e is that result of the plan, with
	 * its axes in the order axis_of; if result is -1, the values of e are stored for other
	 * steps. *copy becomes true if they are stored and then have to be copied to the result.
	 * NULL: nodes of this kind are computed within the steps that use them.
	 */
	int (*step)(struct axt_planner *pl, const struct axt_expr *e, const int *axis_of,
	    int result, bool *copy);
	enum axt_source_id source; /* the kind of source if such a node is an operand */
	bool any_order;            /* the step can give its axes in any order */
	/*
	 * such a node reduces its arguments. What the user asked of the node's result, such as to
	 * keep all axes of an outer product, then does not count for the arguments
	 */
	bool reduces;
	/*
	 * such a node uses each element of its arguments many times, so it is computed once for all
	 * of its users
	 */
	bool heavy;
};
extern const struct axt_plan_kind *const axt_plan_kinds[AXT_NNODES];
#define ROW(ID, name, plan) extern const struct axt_plan_kind axt_plan_##plan;
AXT_NODES(ROW)
#undef ROW

/*
 * Notes in *want that the register of e with this index map is asked for, and returns true.
 * index_map may point into *want.
 */
bool axt_asks(struct axt_asked *want, const struct axt_expr *e,
    const struct axt_index_map *index_map);
/* Gives the register r; -1: the graph has the error. */
static inline bool
axt_gives(int *reg, int r)
{
	*reg = r;
	return false;
}
/* In reduce.c and step_gufunc.c: make steps for nodes that have steps of their own. */
int axt_reduce_step(struct axt_planner *pl, const struct axt_expr *red, const int *axis_of,
    int result, bool *copy);
int axt_gufunc_step(struct axt_planner *pl, const struct axt_expr *e, const int *axis_of,
    int result, bool *copy);

#endif
