/*
 * kinds.h - how plans deal with nodes of each kind: by a table of functions. The third column of
 * AXT_NODES (expr/expr.h) says which; a kind that is like others has theirs.
 */
#ifndef AXT_PLAN_KINDS_H
#define AXT_PLAN_KINDS_H

#include "plan/plan.h"

struct axt_compiler {
	struct axt_planner *pl;
	struct axt_graph *g; /* its graph */
	struct axt_step *s;
	bool full; /* the program takes no more */
};

/* A node at a place whose register is asked for. */
struct axt_asked {
	const struct axt_expr *e;
	struct axt_index_map place;
};

/*
 * A node on its way into a program. An expression may be deep and the stack small, so nodes that
 * wait for arguments are frames in a list, and no calls.
 */
struct axt_frame {
	const struct axt_expr *e;
	const struct axt_index_map *place;
	/* What is to be done with the register that was asked for. */
	bool (*go_on)(struct axt_compiler *c, struct axt_frame *f, int in, int *reg,
	    struct axt_asked *want);
	int nin, in[3];              /* arguments there are; their registers */
	const struct axt_expr *from; /* a packed tensor, and how */
	double packing[4];
	struct axt_frame *up;
};

struct axt_plan_kind {
	/*
	 * A node's first argument is asked for, or its register given: by axt_asks and axt_gives,
	 * whose value this returns.
	 */
	bool (
	    *begin)(struct axt_compiler *c, struct axt_frame *f, int *reg, struct axt_asked *want);
	enum {
		AXT_WAY_OTHER,
		AXT_WAY_COMPUTES, /* elements of its arguments */
		AXT_WAY_LOOKS     /* at elements of its argument in other places */
	} way;
	/*
	 * Its values come from a step of its own: as that result, its axes in the order axis_of
	 * tells, or held for others (-1). *copy: held, and then to be copied to the result.
	 * NULL: they are computed in the steps that use them.
	 */
	int (*step)(struct axt_planner *pl, const struct axt_expr *e, const int *axis_of,
	    int result, bool *copy);
	bool any_order; /* axis_of may be any order */
	bool reduces;   /* what users ask of its result, they do not of its arguments */
	/*
	 * It uses each element of its arguments many times; several users of it had better share
	 * it.
	 */
	bool heavy;
};
extern const struct axt_plan_kind *const axt_plan_kinds[AXT_NNODES];
#define ROW(ID, name, plan) extern const struct axt_plan_kind axt_plan_##plan;
AXT_NODES(ROW)
#undef ROW

/* Asks for the register of e at that place, which may be that of *want. */
bool axt_asks(struct axt_asked *want, const struct axt_expr *e, const struct axt_index_map *place);
/* The register is r; -1: the graph has the error. */
static inline bool
axt_gives(int *reg, int r)
{
	*reg = r;
	return false;
}
/* plan.c: steps for a node that has one of its own. */
int axt_reduce_step(struct axt_planner *pl, const struct axt_expr *red, const int *axis_of,
    int result, bool *copy);
int axt_gufunc_step(struct axt_planner *pl, const struct axt_expr *e, const int *axis_of,
    int result, bool *copy);

#endif
